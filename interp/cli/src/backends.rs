//! `futi backends`: what programs can run on here.

use crate::failure::Failure;
use crate::run::show;
use crate::say;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use futi_conformance::child::{self, BackendCommand, COMMAND};
use futi_core::backend::Backend;
use futi_interp::Interpreter;
use std::ffi::OsStr;
use std::str::FromStr;
use tabled::builder::Builder;
use tabled::settings::Style;

/// List the backends, what they run on and what that can do.
#[derive(clap::Args)]
pub struct Args {
    /// Also measure what the device reaches: bytes copied in a second, and operations on 32-bit floats.
    #[arg(long)]
    measure: bool,
}

/// A backend, as named on the command line.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Choice {
    /// The reference interpreter.
    #[default]
    Interp,
    /// The executor of kernels.
    Executor,
    /// The GPU, through Vulkan.
    Vulkan,
    /// A process that serves one.
    Command(BackendCommand),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match (text, text.strip_prefix(COMMAND)) {
            ("interp", _) => Ok(Choice::Interp),
            ("executor", _) => Ok(Choice::Executor),
            ("vulkan", _) => Ok(Choice::Vulkan),
            (_, Some(line)) => BackendCommand::line(line).map(Choice::Command),
            _ => Err("there are interp, executor, vulkan, and command:COMMAND".into()),
        }
    }
}

/// How `--backend` is read: completions know the names.
pub fn parser() -> impl TypedValueParser<Value = Choice> {
    #[derive(Clone)]
    struct Parser;
    impl TypedValueParser for Parser {
        type Value = Choice;

        fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Choice, clap::Error> {
            let parse = |text: &str| text.parse::<Choice>();
            parse.parse_ref(cmd, arg, value)
        }

        fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
            let values = [
                ("interp", "The reference interpreter"),
                ("executor", "Kernels as the GPU gets them, on the processor: what is wrong with them is found"),
                ("vulkan", "The GPU, through Vulkan"),
                ("command:COMMAND", "A program that serves a backend: docs/backends.md"),
            ];
            Some(Box::new(values.into_iter().map(|(name, help)| PossibleValue::new(name).help(help))))
        }
    }
    Parser
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Choice::Interp => f.write_str("interp"),
            Choice::Executor => f.write_str("executor"),
            Choice::Vulkan => f.write_str("vulkan"),
            Choice::Command(command) => write!(f, "{COMMAND}{}", command.name),
        }
    }
}

impl Choice {
    /// The backend, ready to compile.
    pub fn open(&self) -> Result<Box<dyn Backend>, Failure> {
        child::built_in(&self.to_string()).map_err(Failure::Io)
    }

    /// The same; the interpreter says on standard error what `#[trace]` shows.
    pub fn open_to_show(&self) -> Result<Box<dyn Backend>, Failure> {
        match self {
            Choice::Interp => Ok(Box::new(Interpreter { show: Some(show), ..Interpreter::default() })),
            _ => self.open(),
        }
    }
}

/// Runs the subcommand.
pub fn backends(args: Args) -> Result<(), Failure> {
    let mut table = Builder::new();
    table.push_record(["backend", "property", "value"]);
    for choice in [Choice::Interp, Choice::Executor, Choice::Vulkan] {
        match choice.open() {
            Ok(backend) => {
                let mut properties = backend.describe();
                if args.measure
                    && let Some(limits) = backend.limits().map_err(|e| Failure::Io(e.message))?
                {
                    properties.push(("copies".into(), format!("{:.1} GB/s, read and written", limits.bytes / 1e9)));
                    properties.push(("f32 multiply-adds".into(), format!("{:.1} Gflop/s", limits.operations / 1e9)));
                }
                for (i, (property, value)) in properties.into_iter().enumerate() {
                    let name = if i == 0 { backend.name().to_string() } else { String::new() };
                    table.push_record([name, property, value]);
                }
            }
            Err(Failure::Io(why)) => table.push_record([choice.to_string(), "unavailable".into(), why]),
            Err(other) => return Err(other),
        }
    }
    say::out(format_args!("{}\n", table.build().with(Style::sharp())))
}
