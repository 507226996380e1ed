//! `futi backends`: what programs can run on here.

use crate::failure::Failure;
use crate::run::show;
use crate::say;
use futi_core::backend::Backend;
use futi_interp::Interpreter;
use tabled::builder::Builder;
use tabled::settings::Style;

/// List the backends, what they run on and what that can do.
#[derive(clap::Args)]
pub struct Args {}

/// A backend, as named on the command line.
#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Choice {
    /// The reference interpreter.
    #[default]
    Interp,
    /// The GPU, through Vulkan.
    Vulkan,
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Choice::Interp => "interp",
            Choice::Vulkan => "vulkan",
        })
    }
}

impl Choice {
    /// The backend, ready to compile.
    pub fn open(self) -> Result<Box<dyn Backend>, Failure> {
        match self {
            Choice::Interp => Ok(Box::new(Interpreter::default())),
            Choice::Vulkan => vulkan(),
        }
    }

    /// The same; the interpreter says on standard error what `#[trace]` shows.
    pub fn open_to_show(self) -> Result<Box<dyn Backend>, Failure> {
        match self {
            Choice::Interp => Ok(Box::new(Interpreter { show: Some(show), ..Interpreter::default() })),
            Choice::Vulkan => self.open(),
        }
    }
}

#[cfg(feature = "vulkan")]
fn vulkan() -> Result<Box<dyn Backend>, Failure> {
    match futi_vk::Vulkan::open() {
        Ok(backend) => Ok(Box::new(backend)),
        Err(e) => Err(Failure::Io(format!("the backend vulkan cannot be used: {e}"))),
    }
}

#[cfg(not(feature = "vulkan"))]
fn vulkan() -> Result<Box<dyn Backend>, Failure> {
    Err(Failure::Io("this futi was built without the backend vulkan: build it with `--features vulkan`".into()))
}

/// Runs the subcommand.
pub fn backends(_: Args) -> Result<(), Failure> {
    let mut table = Builder::new();
    table.push_record(["backend", "property", "value"]);
    for choice in [Choice::Interp, Choice::Vulkan] {
        match choice.open() {
            Ok(backend) => {
                for (i, (property, value)) in backend.describe().into_iter().enumerate() {
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
