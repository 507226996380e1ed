//! The process in which cases of the suite run while a mutant is on.
//!
//! It reads names of cases, one a line, and answers each with a line: [`MARK`], `ok` or `fail`, the column and what is wrong. After the first failure it
//! ends.

use crate::child::BackendCommand;
use crate::columns::Column;
use crate::generate::ir::Profile;
use crate::options::{Generate, Options};
use crate::row::{Outcome, Verdict};
use crate::runner::Suite;
use futi_core::hash::HashMap;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The first argument of such a process; the name of a backend as the second makes that part of it.
pub const ARGUMENT: &str = "--futi-conformance-judge";
/// What each answer begins with.
pub const MARK: &str = "judge> ";
/// The suites, from the workspace's folder.
pub const SUITES: [&str; 2] = ["conformance/suite", "examples"];

/// How many programs are generated: of what AD has rules for, of everything, of what backends compile.
const DIFFERENTIABLE: u64 = 300;
const EVERYTHING: u64 = 200;
const KERNELS: u64 = 100;

/// The cases of a workspace, by their names, which begin with paths in it: all, or those of the programs of which cases are asked for.
///
/// # Errors
/// A suite that cannot be read.
pub fn suite(root: &Path, asked: Option<&[String]>, backend: Option<&str>) -> Result<(Suite, Vec<String>), String> {
    let prefix = format!("{}/", root.display());
    let mut paths: BTreeSet<PathBuf> = SUITES.iter().map(|p| root.join(p)).collect();
    if let Some(asked) = asked {
        let programs = asked.iter().filter_map(|name| program(name)).map(|program| root.join(program));
        paths = programs.filter(|path| path.exists()).collect();
    }
    let paths = paths.into_iter().collect();
    let backend = backend.map(BackendCommand::this_program).transpose().map_err(|e| e.to_string())?;
    // differentiation by definition is there to be compared with
    let generate = match backend {
        Some(_) => vec![Generate::new(KERNELS, Profile::Vulkan)],
        None => {
            vec![Generate::new(DIFFERENTIABLE, Profile::Differentiable), Generate::new(EVERYTHING, Profile::Everything)]
        }
    };
    let timeout = Duration::from_secs(20);
    let options = Options { paths, generate, shrink: None, numerics: false, backend, timeout, ..Options::default() };
    let suite = Suite::new(&options).map_err(|e| e.to_string())?;
    let names = (0..suite.len()).map(|i| suite.name(i).replacen(&prefix, "", 1)).collect();
    Ok((suite, names))
}

/// Of the name of a case, the part that names its program.
pub fn program(case: &str) -> Option<&str> {
    case.rsplit_once(':').map(|(program, _)| program)
}

/// If this process was started to judge, does so; `None` if it was not, and `main` goes on.
pub fn entry_point() -> Option<ExitCode> {
    let mut args = std::env::args().skip(1);
    if args.next()? != ARGUMENT {
        return None;
    }
    Some(match judge(args.next().as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    })
}

fn judge(backend: Option<&str>) -> Result<(), String> {
    let asked = std::io::read_to_string(std::io::stdin()).map_err(|e| e.to_string())?;
    let asked: Vec<String> = asked.lines().map(str::to_string).collect();
    let root = std::env::current_dir().map_err(|e| e.to_string())?;
    let (suite, names) = suite(&root, Some(&asked), backend)?;
    let numbers: HashMap<&String, usize> = names.iter().zip(0..).collect();
    let mut worker = suite.worker();
    for line in asked {
        let number = *numbers.get(&line).ok_or(format!("there is no case `{line}`"))?;
        let row = suite.run_case(number, &mut worker);
        // what is left out, or has no rule any more, is a difference, too
        let difference = |(column, outcome): &(Column, Outcome)| match outcome {
            Outcome::Fail(f) => Some((column.name(), f.what.clone())),
            Outcome::Skipped { reason } | Outcome::NoRule { reason } => Some((column.name(), reason.clone())),
            _ => None,
        };
        let answer = match row.cells.iter().find_map(difference) {
            None if row.verdict() == Verdict::Passed => "ok".to_string(),
            found => {
                let (column, what) = found.unwrap_or_default();
                format!("fail\t{column}\t{}", what.replace(['\n', '\t'], " "))
            }
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{MARK}{answer}").and_then(|()| out.flush()).map_err(|e| e.to_string())?;
        if answer != "ok" {
            break;
        }
    }
    Ok(())
}
