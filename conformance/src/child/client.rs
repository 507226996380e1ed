//! The harness's side.

use super::*;
pub use crate::process::{Broken, Limits};
use crate::process::{Deadline, Process};
use futi_core::backend::Unsupported;
use futi_core::failure::RuntimeError;
use futi_core::ir::{Program, Prov};
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use std::process::Command;
use std::time::Duration;

/// What came of compiling.
pub type Compiled = Result<(), Vec<Unsupported>>;

/// A running child. Ended when dropped.
pub struct Child {
    process: Process,
    limits: Limits,
    /// The level of IR that the backend takes.
    pub level: IrLevel,
    /// Whether subnormal `f32` may count as zero on it.
    pub flushes: bool,
    /// The text of the program that it has compiled.
    program: Option<String>,
}

impl BackendCommand {
    /// Whether the backend can be used at all: starts its process, waits until it is ready, and ends it.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn probe(&self, timeout: Duration) -> Result<(), String> {
        let limits = Limits { start: timeout, command: timeout };
        Child::start(self, limits).map(drop).map_err(|e| format!("the backend `{}` cannot be used: {e}", self.name))
    }
}

impl Child {
    /// Starts the process and waits until it is ready.
    ///
    /// # Errors
    /// It cannot be started, ends, takes too long, or speaks another protocol.
    pub fn start(command: &BackendCommand, limits: Limits) -> Result<Child, Broken> {
        let process =
            Process::start(Command::new(&command.program).args(&command.args), "the backend's process", MARK)?;
        let mut child = Child { process, limits, level: IrLevel::Core, flushes: false, program: None };
        let fields = child.receive(&Deadline::after(limits.start))?;
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        child.flushes = fields.last() == Some(&FLUSHES);
        let fields = &fields[..fields.len() - usize::from(child.flushes)];
        match *fields {
            ["hello", PROTOCOL, level, version, _] if version == futi_core::ir::print::VERSION.to_string() => {
                child.level = by_name(&LEVELS, level).ok_or_else(|| child.garbled(fields))?;
                Ok(child)
            }
            _ => Err(child.garbled(fields)),
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
        let deadline = Deadline::after(self.limits.command);
        self.process.send(format!("compile\t{}\n{}\n", text.lines().count(), text.trim_end_matches('\n')));
        let mut unsupported = Vec::new();
        loop {
            let fields = self.receive(&deadline)?;
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
                _ => return Err(self.garbled(&fields)),
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
        let deadline = Deadline::after(self.limits.command);
        self.process.send(text);
        let mut values = Vec::new();
        loop {
            let fields = self.receive(&deadline)?;
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            match fields[..] {
                ["value", text] => match parse_values(text) {
                    Ok(vs) => values.extend(vs),
                    Err(_) => return Err(self.process.garbled(text)),
                },
                ["done"] => return Ok(Ok(values)),
                ["error", kind, prov, message] => {
                    let kind = by_name(&KINDS, kind).ok_or_else(|| self.garbled(&fields))?;
                    return Ok(Err(RuntimeError::new(kind, message).at(Prov(prov.parse().unwrap_or_default()))));
                }
                _ => return Err(self.garbled(&fields)),
            }
        }
    }

    /// The fields of the next line.
    fn receive(&mut self, deadline: &Deadline) -> Result<Vec<String>, Broken> {
        Ok(self.process.receive(deadline)?.split('\t').map(unescape).collect())
    }

    fn garbled(&self, fields: &[&str]) -> Broken {
        self.process.garbled(fields.join(" "))
    }
}
