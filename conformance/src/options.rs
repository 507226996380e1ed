//! What to run, and how; and what a thread that runs it keeps.

use crate::child::BackendCommand;
use crate::column::backend;
use crate::coverage::Coverage;
use crate::fault::Fault;
use crate::futhark::Reference;
use crate::generate::ir::{Profile, Weights};
use std::path::PathBuf;
use std::time::Duration;

/// How large generated programs are, unless asked otherwise.
pub const SIZE: usize = 10;

/// How long a small program is looked for, unless asked otherwise.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Programs, and folders of programs.
    pub paths: Vec<PathBuf>,
    /// Only cases whose name (`path:entry#number`) contains this.
    pub filter: Option<String>,
    /// Generated programs.
    pub generate: Vec<Generate>,
    /// How many source programs to generate, of what size.
    pub sources: (u64, usize),
    /// Another implementation of the language, which source programs are held against.
    pub reference: Option<Reference>,
    /// Whether to count what the generated programs exercise.
    pub coverage: bool,
    /// How long a small program is looked for when a generated one fails; none: not at all.
    pub shrink: Option<Duration>,
    /// Whether what a test block expects is expected within the case's own bounds, or only within `futhark test`'s tolerance of 0.002.
    pub own_bounds: bool,
    /// Whether test blocks may name files outside of the program's folder.
    pub outside: bool,
    /// Whether to hold derivatives against numerical differentiation.
    pub numerics: bool,
    /// Random directions and inputs follow from this and the case's name.
    pub seed: u64,
    /// How many cases run at a time.
    pub jobs: usize,
    /// The backend to be judged; none for the interpreter and the compiler alone.
    pub backend: Option<BackendCommand>,
    /// How long the backend may take for one command.
    pub timeout: Duration,
    /// How long after its start a run may begin another case; those that are left are skipped.
    pub time_budget: Option<Duration>,
    /// A fault to be planted.
    pub fault: Option<Fault>,
    /// A file of failures that are accepted.
    pub waivers: Option<PathBuf>,
    /// Whether to show progress on standard error, if that is a terminal.
    pub progress: bool,
}

/// Which programs to generate.
#[derive(Clone, Debug)]
pub struct Generate {
    /// How many. They follow from [`Options::seed`].
    pub count: u64,
    /// What kind.
    pub profile: Profile,
    /// How often each construct is chosen.
    pub weights: Weights,
    /// How large they are: an argument of [`crate::generate::ir::program`].
    pub size: usize,
    /// Of what order the derivatives are that are judged: from 2 on, the programs are derivatives themselves.
    pub order: u32,
}

impl Generate {
    /// So many programs of a kind, with the weights and the size that it usually has.
    pub fn new(count: u64, profile: Profile) -> Generate {
        Generate { count, profile, weights: Weights::of(profile), size: SIZE, order: 1 }
    }
}

impl Default for Options {
    /// Everything but a backend, on all processors.
    fn default() -> Self {
        Options {
            paths: Vec::new(),
            filter: None,
            generate: Vec::new(),
            sources: (0, SIZE),
            reference: None,
            coverage: false,
            shrink: Some(PATIENCE),
            own_bounds: true,
            outside: false,
            numerics: true,
            seed: 0,
            jobs: std::thread::available_parallelism().map_or(1, |n| n.get()),
            backend: None,
            timeout: Duration::from_secs(120),
            time_budget: None,
            fault: None,
            waivers: None,
            progress: false,
        }
    }
}

/// What a thread keeps from case to case: the backend's process.
pub struct Worker {
    pub(crate) link: Option<backend::Link>,
    pub(crate) coverage: Option<Coverage>,
}
