//! The process that runs programs: what it is asked, and what it answers.
//!
//! One line of JSON is a [`Job`]; the answers are lines of JSON behind [`MARK`]: an [`Answer::Compiled`], then an [`Answer::Case`] for each case. What
//! programs or drivers print stands in lines without the mark. The end of its input ends the process.

use super::program::Program;
use super::{ARGUMENT, CaseReport, Mode, Tree};
use crate::child::built_in;
use crate::process::end_when_unasked;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// What each answer starts with.
pub(super) const MARK: &str = "futi-test> ";

/// The stack of the thread that runs programs: they nest as deep as the front end allows.
const STACK: usize = 512 << 20;

/// A program to be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// Where it is.
    pub path: PathBuf,
    /// What to do with it.
    pub mode: Mode,
    /// Which of the cases in this mode.
    pub cases: Vec<usize>,
    /// Random data follows from it.
    pub seed: i64,
    /// Whether test blocks may name files outside of the program's folder.
    pub outside: bool,
    /// How files with tuning parameters beside programs are called; none are read without.
    pub tuning: Option<String>,
    /// Whether to say what is in the syntax tree.
    pub constructs: bool,
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    /// The compiler has come to an end with the program.
    Compiled(Option<Tree>),
    /// What came of the next case.
    Case(CaseReport),
}

/// If this process was started to run programs, runs them until there are no more; `None` if it was not, and `main` goes on.
pub fn entry_point() -> Option<ExitCode> {
    let mut args = std::env::args().skip(1);
    if args.next()? != ARGUMENT {
        return None;
    }
    end_when_unasked();
    let (backend, memory) = (args.next().unwrap_or_default(), args.next().and_then(|m| m.parse().ok()));
    let served = limit(memory).and_then(|()| {
        let work = move || serve(&backend).map_err(|e| e.to_string());
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).map_err(|e| e.to_string())?;
        thread.join().unwrap_or_else(|_| Err("a panic".into()))
    });
    Some(match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    })
}

/// Sets how much address space this process may have.
fn limit(memory: Option<u64>) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let Some(memory) = memory else { return Ok(()) };
    let limit = Rlimit { current: Some(memory), maximum: Some(memory) };
    setrlimit(Resource::As, limit).map_err(|e| format!("the limit on memory cannot be set: {e}"))
}

fn serve(backend: &str) -> Result<(), Box<dyn std::error::Error>> {
    let backend = built_in(backend)?;
    for line in std::io::stdin().lock().lines() {
        let job: Job = serde_json::from_str(&line?)?;
        let program = Program::compile(&job, backend.as_ref());
        answer(&Answer::Compiled(job.constructs.then(|| program.tree()).flatten()))?;
        for case in job.cases {
            answer(&Answer::Case(program.case(case)))?;
        }
    }
    Ok(())
}

fn answer(answer: &Answer) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{MARK}{}", serde_json::to_string(answer)?)?;
    Ok(out.flush()?)
}
