//! Backends: whatever can run an IR program. The interpreter is one; a backend that compiles is a plugin behind the same two traits.

use crate::diag::{Code, Diagnostic};
use crate::failure::RuntimeError;
use crate::ir::check::Checked;
use crate::ir::{Program, Prov, ProvTable};
use crate::prim::ScalarType;
use crate::source::SourceMap;
use crate::value::Value;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much of the IR is gone before a backend gets a program. The driver lowers to the level that the backend asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IrLevel {
    /// All nodes.
    Core,
    /// No `vjp` and `jvp`.
    NoAd,
    /// Parallel nests are `segmap` and `segred`.
    Flat,
}

/// A value that lives where the backend keeps values. Cheap to clone.
#[derive(Clone)]
pub struct Handle(pub Arc<dyn Any + Send + Sync>);

/// A construct that a backend cannot compile.
#[derive(Clone, PartialEq, Debug)]
pub struct Unsupported {
    /// Its name.
    pub construct: String,
    /// What the device or the backend lacks.
    pub missing: String,
    /// Where it stands.
    pub prov: Prov,
}

/// What the construct is called that a compiler has made wrong itself.
const INTERNAL: &str = "internal error: ";

/// What of a program cannot be compiled, at most one construct for each application of `vjp` or `jvp`, and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Errors {
    /// What each is, what is missing, and its place.
    pub constructs: Vec<Unsupported>,
    /// What the places refer to.
    pub prov: ProvTable,
}

impl Unsupported {
    /// What nothing that is well-formed should lead to: a defect of ours.
    pub fn internal(what: impl fmt::Display, prov: Prov) -> Unsupported {
        let missing = "a defect of Futi, not of your program: please report it".into();
        Unsupported { construct: format!("{INTERNAL}{what}"), missing, prov }
    }

    /// Whether it is a defect of ours.
    pub fn is_internal(&self) -> bool {
        self.construct.starts_with(INTERNAL)
    }

    /// The diagnostic: its place is the innermost one in what the user wrote, the calls that led to it are further places.
    pub fn diagnostic(&self, table: &ProvTable, sources: &SourceMap) -> Diagnostic {
        let mut spans = sources.spans(self.prov, table);
        if spans.iter().any(|span| !sources.of_prelude(*span)) {
            spans.retain(|span| !sources.of_prelude(*span));
        }
        let main = spans.first().copied().unwrap_or_default();
        let Unsupported { construct, missing, .. } = self;
        let message = match self.is_internal() {
            true => format!("{construct} ({missing})."),
            false => format!("Not supported: {construct} ({missing})."),
        };
        let mut diagnostic = Diagnostic::error(Code::NotSupported, main, message);
        if spans.is_empty() {
            // of parameters, or of code that nobody wrote
            diagnostic.labels.clear();
        }
        spans.iter().skip(1).fold(diagnostic, |d, span| d.label(*span, "reached from here"))
    }
}

/// The diagnostics of what a backend cannot compile: one of a kind at a place.
pub fn diagnostics(constructs: &[Unsupported], table: &ProvTable, sources: &SourceMap) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for d in constructs.iter().map(|u| u.diagnostic(table, sources)) {
        if !all.contains(&d) {
            all.push(d);
        }
    }
    all
}

/// What the caller of an executable may ask of a run.
#[derive(Clone, Default)]
pub struct CallCtx {
    /// Set by another thread to stop the run.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl CallCtx {
    /// Whether the run was asked to stop.
    pub fn cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed))
    }
}

/// How a program is compiled.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// Named tuning parameters.
    pub tuning: Vec<(String, i64)>,
}

/// A tuning parameter, `NAME=VALUE`; for a switch the value may be `on`, which is 1, or `off`, which is 0.
///
/// # Errors
/// It is something else.
pub fn parameter(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form NAME=VALUE"))?;
    let (name, value) = (name.trim(), value.trim());
    let value = match value {
        "on" => 1,
        "off" => 0,
        _ => value.parse().map_err(|_| format!("the value of `{name}`, `{value}`, is no integer"))?,
    };
    if name.is_empty() { Err(format!("`{text}` has no name")) } else { Ok((name.to_string(), value)) }
}

/// What a run has cost, kernel by kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Profile {
    /// One row for each kernel, in the order of first use.
    pub kernels: Vec<KernelProfile>,
    /// How often the host has waited for the device.
    pub looks: u64,
    /// The program's thresholds, by their names in the order of the program, and the numbers of points that were compared with each, ascending: of more than a thousand, some.
    pub thresholds: Vec<(String, Vec<i64>)>,
}

/// Fewer invocations than these leave a GPU idle.
pub const NARROW: u64 = 1000;

/// What one kernel has cost.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelProfile {
    /// Its name.
    pub name: String,
    /// Where in the program it comes from.
    pub prov: Prov,
    /// How often it was launched.
    pub launches: u64,
    /// Invocations (points of the parallel nest), summed over the launches.
    pub invocations: u64,
    /// Scalar operations executed, estimated statically from the code of one point, summed over all points.
    pub operations: u64,
    /// Of these, those of launches that have fewer invocations than [`NARROW`], all groups together.
    pub narrow: u64,
    /// Bytes of the arrays that it reads and of those that it writes, each array once a launch, summed over the launches: what has to be moved at least, where it
    /// looks at all of them.
    pub bytes: u64,
    /// Device time in nanoseconds, if the device tells.
    pub nanoseconds: Option<u64>,
}

/// What a device has been measured to reach.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Bytes of its memory in a second, read and written ones counted, of a copy.
    pub bytes: f64,
    /// Operations on 32-bit floats in a second; a multiply-add is two.
    pub operations: f64,
}

/// Something that compiles and runs checked programs. Any thread may use it.
pub trait Backend: Send + Sync {
    /// Its name, as given to `--backend`.
    fn name(&self) -> &str;
    /// The version of the IR that it knows.
    fn ir_version(&self) -> u32 {
        crate::ir::print::VERSION
    }
    /// The level of IR that it takes.
    fn level(&self) -> IrLevel;
    /// What it runs on and what that can do, for people.
    fn describe(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Whether an `f32` below the least normal number may count as zero on it, as an operand or a result.
    fn flushes_subnormals(&self) -> bool {
        false
    }
    /// Compiles a program; a list of constructs when it cannot.
    fn compile(&self, program: &Checked<Program>, options: &Options) -> Result<Box<dyn Executable>, Vec<Unsupported>>;
    /// Brings a value to where the backend keeps values.
    fn put(&self, value: &Value) -> Result<Handle, RuntimeError>;
    /// Brings a value back. Errors of the calls that made it come out here at the latest.
    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError>;
    /// The most bytes of the device's memory that have been in use at once, where the device has memory of its own.
    fn peak_memory(&self) -> Option<u64> {
        None
    }
    /// Measures what the device reaches; none where it does not tell how long its kernels take.
    fn limits(&self) -> Result<Option<Limits>, RuntimeError> {
        Ok(None)
    }
    /// Waits until what computes a value is done. Errors of the calls that made it come out here at the latest.
    fn wait(&self, handle: &Handle) -> Result<(), RuntimeError> {
        self.get(handle).map(drop)
    }
    /// The type of a value's elements and its shape, where that can be told without bringing it back.
    fn shape(&self, handle: &Handle) -> Result<(ScalarType, Vec<usize>), RuntimeError> {
        self.get(handle).map(|value| (value.elem(), value.shape().to_vec()))
    }
}

/// A compiled program.
pub trait Executable: Send + Sync {
    /// Runs an entry point. Arguments and results are the IR function's parameters and results, its leading sizes included.
    ///
    /// What a handle stands for that the caller has kept a clone of does not change, whatever becomes of the call. An argument that is consumed (whose parameter is unique) may be
    /// updated in place if the handle was the only one, and no other handle has its memory: results of calls may share memory with one another, and with arguments.
    fn call(&self, entry: &str, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError>;
    /// The tuning parameters and their values.
    fn tuning(&self) -> Vec<(String, i64)> {
        Vec::new()
    }
    /// What the calls so far have cost.
    fn profile(&self) -> Profile {
        Profile::default()
    }
}
