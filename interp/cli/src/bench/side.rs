//! An implementation that runs an entry point on a dataset: the client of a server of its own, so that no dataset sees what another has left behind.

use futi_conformance::child::BackendCommand;
use futi_conformance::futhark::{Breakage, Broken, Limits, Server};
use futi_core::value::Value;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How servers are started.
#[derive(Clone, Debug)]
pub struct How {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Whether it is this program, whose servers take values of all types.
    own: bool,
}

/// Compiling a program may take so long.
const START: Duration = Duration::from_secs(300);

/// Longer than anybody waits.
const FOREVER: Duration = Duration::from_secs(1 << 32);

impl How {
    /// This program, as a server with these arguments.
    pub fn own(args: Vec<String>) -> Result<How, String> {
        let program = std::env::current_exe().map_err(|e| format!("this program does not know where it is: {e}"))?;
        Ok(How { program, args: [vec!["server".to_string()], args].concat(), own: true })
    }

    /// Another implementation: a command line with `{}` for the path of the program.
    pub fn other(command: &BackendCommand, program: &Path) -> How {
        let program = program.to_string_lossy();
        let args = command.args.iter().map(|word| word.replace("{}", &program)).collect();
        let path = command.program.to_string_lossy().replace("{}", &program);
        How { program: path.into(), args, own: false }
    }

    /// Starts a server.
    pub fn start(&self) -> Result<Server, String> {
        let limits = Limits { start: START, command: FOREVER };
        let started = if self.own {
            Server::start_own(&self.program, &self.args, limits)
        } else {
            Server::start(&self.program, &self.args, limits)
        };
        started.map_err(|e| e.to_string())
    }
}

/// Until when something may go on.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    limit: Option<Duration>,
    end: Option<Instant>,
}

impl Until {
    /// From now on so long; however long, if there is no limit.
    pub fn after(limit: Option<Duration>) -> Until {
        Until { limit, end: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }

    /// How long that is from now on.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// What is said of what takes longer.
    fn late(&self) -> String {
        format!("takes more than {} s", self.limit.unwrap_or_default().as_secs_f64())
    }

    /// What is said of a server that is no use any more.
    fn text(&self, broken: Broken) -> String {
        if matches!(broken.how, Breakage::Hung(_)) { self.late() } else { broken.to_string() }
    }
}

/// The values of a dataset in a file: those of the leaves of all parameters, so many.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The file.
    pub file: PathBuf,
    /// How many values it has.
    pub count: usize,
}

/// A server with an entry point and the arguments of its runs.
pub struct Side {
    server: Server,
    entry: String,
    arguments: Arguments,
    /// The variables of the arguments, and all that they are made of; none before the first run, and where a run has consumed them.
    inputs: Option<(Vec<String>, Vec<String>)>,
    consumes: bool,
    until: Until,
}

/// A failure of the server, or of the program, is the end.
fn said<T>(until: &Until, answer: Result<Result<T, String>, Broken>) -> Result<T, String> {
    answer.map_err(|broken| until.text(broken))?.map_err(|text| text.trim_end().to_string())
}

impl Side {
    /// Has a server run an entry point; all runs have to come to an end by then.
    pub fn new(mut server: Server, entry: &str, arguments: &Arguments, until: Until) -> Result<Side, String> {
        server.limit(until.left().unwrap_or(FOREVER));
        let consumes = said(&until, server.consumes(entry))?;
        Ok(Side { server, entry: entry.to_string(), arguments: arguments.clone(), inputs: None, consumes, until })
    }

    /// Runs the entry point; gives the microseconds that it took.
    pub fn run(&mut self) -> Result<f64, String> {
        self.run_then(|_, _, _| Ok(())).map(|(microseconds, ())| microseconds)
    }

    /// The same, and the values of its results.
    pub fn run_for_results(&mut self) -> Result<(f64, Vec<Value>), String> {
        let (entry, until) = (self.entry.clone(), self.until);
        self.run_then(move |server, outputs, made| said(&until, server.take(&entry, outputs, made)))
    }

    /// Runs the entry point, and does something with the variables of its outputs before they go. Variables that this makes are noted, to go as well.
    fn run_then<T>(
        &mut self,
        then: impl FnOnce(&mut Server, &[String], &mut Vec<String>) -> Result<T, String>,
    ) -> Result<(f64, T), String> {
        let until = self.until;
        let left = until.left().unwrap_or(FOREVER);
        if left.is_zero() {
            return Err(until.late());
        }
        self.server.limit(left);
        let (inputs, parts) = match self.inputs.take() {
            Some(inputs) => inputs,
            None => {
                let Arguments { file, count } = &self.arguments;
                let mut parts = Vec::new();
                (said(&until, self.server.put(&self.entry, file, *count, &mut parts))?, parts)
            }
        };
        let mut made = Vec::new();
        let ran = said(&until, self.server.run(&self.entry, &inputs, &mut made))?;
        let microseconds = ran.microseconds.ok_or("the server does not say how long a run took")?;
        let then = then(&mut self.server, &ran.outputs, &mut made)?;
        if self.consumes {
            made.extend(parts);
        } else {
            self.inputs = Some((inputs, parts));
        }
        self.server.free(made).map_err(|broken| until.text(broken))?;
        Ok((microseconds as f64, then))
    }

    /// What the server reports: costs of kernels, and peaks of memory. Not all do.
    pub fn report(&mut self) -> Result<Json, String> {
        let lines = said(&self.until, self.server.command(&["report"]))?;
        serde_json::from_str(&lines.join("\n")).map_err(|e| format!("its report is no JSON: {e}"))
    }

    /// What the server has said on standard error, the last lines of it.
    pub fn said(&mut self) -> Vec<String> {
        self.server.said()
    }
}

/// An entry point called by a server, whatever keeps it from that being a failure.
pub fn call(server: &mut Server, until: &Until, entry: &str, args: &[Value]) -> Result<Vec<Value>, String> {
    server.limit(until.left().unwrap_or(FOREVER));
    said(until, server.call(entry, args))
}
