//! The harness's side.

use super::*;
use futi_core::backend::Unsupported;
use futi_core::failure::RuntimeError;
use futi_core::ir::{Program, Prov};
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a child may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until it is ready.
    pub start: Duration,
    /// For a command.
    pub command: Duration,
}

/// The child is no use any more.
#[derive(Clone, PartialEq, Debug)]
pub enum Broken {
    /// It could not be started.
    Start(String),
    /// It ended: how, and the last that it said.
    Ended(String),
    /// It did not answer in time, and was ended.
    Hung(Duration),
    /// Its answer is none of the protocol.
    Garbled(String),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Start(why) => write!(f, "the backend's process cannot be started: {why}"),
            Broken::Ended(how) => write!(f, "the backend's process ended: {how}"),
            Broken::Hung(limit) => write!(f, "the backend did not answer within {} s", limit.as_secs_f64()),
            Broken::Garbled(line) => write!(f, "the backend's process answered `{line}`"),
        }
    }
}

/// What came of compiling.
pub type Compiled = Result<(), Vec<Unsupported>>;

/// How many of the last lines on the child's standard error, and of the stray ones on its standard output, are kept.
const KEPT: usize = 12;

type Log = Arc<Mutex<VecDeque<String>>>;

/// A running child. Ended when dropped.
pub struct Child {
    process: std::process::Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Log,
    limits: Limits,
    /// The level of IR that the backend takes.
    pub level: IrLevel,
    /// The text of the program that it has compiled.
    program: Option<String>,
}

impl Child {
    /// Starts the process and waits until it is ready.
    ///
    /// # Errors
    /// It cannot be started, ends, takes too long, or speaks another protocol.
    pub fn start(command: &BackendCommand, limits: Limits) -> Result<Child, Broken> {
        let mut process = Command::new(&command.program)
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| Broken::Start(format!("{}: {e}", command.program.display())))?;
        let log = Log::default();
        let (sender, lines) = channel();
        if let Some(stdout) = process.stdout.take() {
            let log = log.clone();
            each_line(stdout, move |line| match line.strip_prefix(MARK) {
                Some(line) => sender.send(line.to_string()).is_ok(),
                None => keep(&log, line),
            });
        }
        if let Some(stderr) = process.stderr.take() {
            let log = log.clone();
            each_line(stderr, move |line| keep(&log, line));
        }
        let stdin = process.stdin.take();
        let mut child = Child { process, stdin, lines, log, limits, level: IrLevel::Core, program: None };
        let fields = child.receive(limits.start)?;
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        match fields[..] {
            ["hello", PROTOCOL, level, version, _] if version == futi_core::ir::print::VERSION.to_string() => {
                child.level = by_name(&LEVELS, level).ok_or_else(|| Broken::Garbled(fields.join(" ")))?;
                Ok(child)
            }
            _ => Err(Broken::Garbled(fields.join(" "))),
        }
    }

    /// Compiles a program, lowered to the backend's level; nothing is done if it is the one compiled last.
    ///
    /// # Errors
    /// The child is broken. That the backend cannot compile the program is a result.
    pub fn compile(&mut self, program: &Program) -> Result<Compiled, Broken> {
        let text = program.to_string();
        if self.program.as_ref() == Some(&text) {
            return Ok(Ok(()));
        }
        self.program = None;
        self.send(&format!("compile\t{}\n{}\n", text.lines().count(), text.trim_end_matches('\n')))?;
        let mut unsupported = Vec::new();
        loop {
            let fields = self.receive(self.limits.command)?;
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            match fields[..] {
                ["compiled"] => {
                    self.program = Some(text);
                    return Ok(Ok(()));
                }
                ["unsupported", construct, missing, prov] => unsupported.push(Unsupported {
                    construct: construct.into(),
                    missing: missing.into(),
                    prov: Prov(prov.parse().unwrap_or_default()),
                }),
                ["refused"] => return Ok(Err(unsupported)),
                _ => return Err(Broken::Garbled(fields.join(" "))),
            }
        }
    }

    /// Calls an entry point of the program compiled last, with the IR function's arguments; gives its results, or the program's failure.
    ///
    /// # Errors
    /// The child is broken.
    pub fn call(&mut self, entry: &str, args: &[Value]) -> Result<Result<Vec<Value>, RuntimeError>, Broken> {
        let mut text = format!("call\t{}\t{}\n", escape(entry), args.len());
        for arg in args {
            text.push_str(&format!("{arg}\n"));
        }
        self.send(&text)?;
        let mut values = Vec::new();
        loop {
            let fields = self.receive(self.limits.command)?;
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            match fields[..] {
                ["value", text] => match parse_values(text) {
                    Ok(vs) => values.extend(vs),
                    Err(_) => return Err(Broken::Garbled(text.into())),
                },
                ["done"] => return Ok(Ok(values)),
                ["error", kind, prov, message] => {
                    let kind = by_name(&KINDS, kind).ok_or_else(|| Broken::Garbled(fields.join(" ")))?;
                    return Ok(Err(RuntimeError::new(kind, message).at(Prov(prov.parse().unwrap_or_default()))));
                }
                _ => return Err(Broken::Garbled(fields.join(" "))),
            }
        }
    }

    /// What the child has said beside the protocol, the last lines of it.
    pub fn said(&self) -> Vec<String> {
        self.log.lock().map(|log| log.iter().cloned().collect()).unwrap_or_default()
    }

    /// A child that has ended tells why when its answer is awaited, so failing to write is no error yet.
    fn send(&mut self, text: &str) -> Result<(), Broken> {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush());
        }
        Ok(())
    }

    /// The fields of the next line.
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Broken> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Ok(line.split('\t').map(unescape).collect()),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.process.kill();
                Err(Broken::Hung(limit))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Broken::Ended(self.last_words())),
        }
    }

    /// How the process ended, and the last lines that it wrote.
    fn last_words(&mut self) -> String {
        self.stdin = None;
        let patience = Instant::now() + Duration::from_secs(2);
        let status = loop {
            match self.process.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                _ if Instant::now() > patience => {
                    let _ = self.process.kill();
                    break "its output ended".into();
                }
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        // the threads that read may lag behind
        std::thread::sleep(Duration::from_millis(20));
        [vec![status], self.said()].concat().join("\n")
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stdin = None;
        let patience = Instant::now() + Duration::from_millis(500);
        while matches!(self.process.try_wait(), Ok(None)) {
            if Instant::now() > patience {
                let _ = self.process.kill();
                let _ = self.process.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Passes each line to `f` in a thread of its own, until the stream ends or `f` has had enough.
fn each_line(stream: impl Read + Send + 'static, mut f: impl FnMut(&str) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            if !f(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r'])) {
                return;
            }
            line.clear();
        }
    });
}

fn keep(log: &Log, line: &str) -> bool {
    let Ok(mut log) = log.lock() else { return false };
    if log.len() == KEPT {
        log.pop_front();
    }
    log.push_back(line.to_string());
    true
}
