//! Programs that have been compiled for a backend.

use crate::files::Files;
use crate::{Ad, Error, Function, Step, tuning};
use futi_core::ad::checkpoints;
use futi_core::backend::Backend;
use futi_core::budget::Budget;
use futi_core::diag::Diagnostic;
use futi_core::ir::Program;
use futi_core::source::{SourceMap, SourceProvider};
use futi_core::{Settings, compile_with};
use futi_interp::Interpreter;
use futi_kernels::exec::Executor;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// How a model is compiled.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// What runs it.
    pub device: Device,
    /// How the interpreter gets derivatives.
    pub ad: Ad,
    /// Of a loop's states, derivatives that are transformed keep no more than so many bytes hold. Without it, all are kept.
    pub checkpoints: Option<u64>,
    /// What `#[param(NAME)]` stands for, and parameters of the backend.
    pub tuning: Vec<(String, i64)>,
}

impl Options {
    pub(crate) fn checkpoints(&self) -> checkpoints::Options {
        checkpoints::Options { checkpoints: self.checkpoints, nodes: None }
    }
}

/// What runs a model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Device {
    /// The reference interpreter.
    #[default]
    Interp,
    /// The executor of kernels: what a GPU would do, on the processor, with all that is wrong with it found.
    Executor,
    /// The GPU, through Vulkan.
    Vulkan,
}

impl FromStr for Device {
    type Err = Error;

    fn from_str(name: &str) -> Result<Device, Error> {
        match name {
            "interp" => Ok(Device::Interp),
            "executor" => Ok(Device::Executor),
            "vulkan" => Ok(Device::Vulkan),
            _ => Err(Error::arguments(format!("there is no backend `{name}`: there are interp, executor, vulkan"))),
        }
    }
}

impl Device {
    /// The backend, ready to compile.
    ///
    /// # Errors
    /// There is no such device here.
    pub fn open(self) -> Result<Box<dyn Backend>, Error> {
        match self {
            Device::Interp => Ok(Box::new(Interpreter { show: Some(show), ..Interpreter::default() })),
            Device::Executor => Ok(Box::new(Executor::default())),
            Device::Vulkan => vulkan(),
        }
    }
}

/// What `#[trace]` shows goes to standard error, if that can be written to.
fn show(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(feature = "vulkan")]
fn vulkan() -> Result<Box<dyn Backend>, Error> {
    match futi_vk::Vulkan::open() {
        Ok(backend) => Ok(Box::new(backend)),
        Err(e) => Err(Error::arguments(format!("the backend vulkan cannot be used: {e}"))),
    }
}

#[cfg(not(feature = "vulkan"))]
fn vulkan() -> Result<Box<dyn Backend>, Error> {
    Err(Error::arguments("this was built without the backend vulkan"))
}

/// A program that has been compiled for a backend. Any thread may use it.
pub struct Model {
    program: Program,
    sources: SourceMap,
    warnings: Vec<Diagnostic>,
    backend: Box<dyn Backend>,
    options: Options,
    functions: Mutex<Functions>,
}

type Functions = BTreeMap<(String, Vec<Step>), Arc<Function>>;

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries: Vec<_> = self.program.entries().map(ToString::to_string).collect();
        f.debug_struct("Model").field("entries", &entries).field("backend", &self.backend.name()).finish()
    }
}

impl Model {
    /// The program of that file. Tuning parameters come from the file beside it, the environment ([`tuning`]), and the options.
    ///
    /// # Errors
    /// It cannot be read, or is refused; there is no such device.
    pub fn load(path: &Path, options: Options) -> Result<Model, Error> {
        let mut all = tuning::of(path, tuning::EXTENSION).map_err(Error::arguments)?;
        all.extend(options.tuning);
        Model::of(&path.to_string_lossy(), &Files, Options { tuning: all, ..options })
    }

    /// The program of this text. What it imports are files, seen from the current folder.
    ///
    /// # Errors
    /// It is refused; there is no such device.
    pub fn compile(text: &str, options: Options) -> Result<Model, Error> {
        const NAME: &str = "<source>";
        let files = |path: &str| if path == NAME { Ok(text.to_string()) } else { Files.read(path) };
        Model::of(NAME, &files, options)
    }

    fn of(name: &str, files: &dyn SourceProvider, options: Options) -> Result<Model, Error> {
        let settings = Settings { budget: Budget::default(), tuning: options.tuning.clone() };
        let compiled = compile_with(name, files, settings);
        let Some(program) = compiled.program else {
            let errors: Vec<_> = compiled.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            return Err(Error::program(&errors, &compiled.sources));
        };
        let backend = options.device.open()?;
        let (sources, warnings) = (compiled.sources, compiled.diagnostics);
        Ok(Model { program, sources, warnings, backend, options, functions: Default::default() })
    }

    /// The names of its entry points, in the order of the source.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.program.entries().map(|name| name.as_str())
    }

    /// The backend, which brings values to where it keeps them, and back.
    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    /// How it was compiled.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What the compiler has warned of, for people; empty if there is nothing.
    pub fn warnings(&self) -> String {
        futi_core::diag::render(&self.warnings, &self.sources, false)
    }

    /// An entry point, or what these steps make of it, the first one first. It is made once.
    ///
    /// # Errors
    /// There is none of that name; a step asks for a parameter or result that is not there.
    pub fn function(&self, entry: &str, steps: &[Step]) -> Result<Arc<Function>, Error> {
        let key = (entry.to_string(), steps.to_vec());
        if let Some(known) = self.functions().get(&key) {
            return Ok(known.clone());
        }
        let function = Arc::new(Function::of(self, entry, steps)?);
        Ok(self.functions().entry(key).or_insert(function).clone())
    }

    fn functions(&self) -> std::sync::MutexGuard<'_, Functions> {
        self.functions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    pub(crate) fn sources(&self) -> &SourceMap {
        &self.sources
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use futi_core::backend::{self, Executable, Handle, IrLevel, Unsupported};
    use futi_core::failure::RuntimeError;
    use futi_core::ir::Prov;
    use futi_core::ir::check::Checked;
    use futi_core::value::{Array, Value};

    /// A backend that can do nothing, and finds a defect of its own in what has no derivatives.
    struct Wrong;

    impl Backend for Wrong {
        fn name(&self) -> &str {
            "wrong"
        }

        fn level(&self) -> IrLevel {
            IrLevel::Core
        }

        fn compile(
            &self,
            program: &Checked<Program>,
            _: &backend::Options,
        ) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
            let lacks = Unsupported { construct: "vjp".into(), missing: "nothing".into(), prov: Prov::UNKNOWN };
            let wrong = Unsupported::internal("no derivative", Prov::UNKNOWN);
            Err(vec![if program.to_string().contains("vjp") { lacks } else { wrong }])
        }

        fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
            Ok(Handle(Arc::new(value.clone())))
        }

        fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
            Ok(handle.0.downcast_ref::<Value>().unwrap().clone())
        }
    }

    #[test]
    fn a_defect_is_told_though_the_definition_would_do() {
        let source = "entry main (xs: []f64) = vjp f64.sum xs 1";
        // the first run is so small that its derivatives are not transformed
        let kinds = [1, crate::ad::SMALL].map(|n| {
            let model = Model { backend: Box::new(Wrong), ..Model::compile(source, Options::default()).unwrap() };
            let xs = model.backend().put(&Array::from_vec(&[n], vec![1.0; n]).into()).unwrap();
            let function = model.function("main", &[]).unwrap();
            function.call(&model, vec![xs], &Default::default()).map(drop).unwrap_err().kind
        });
        assert_eq!(kinds, [Kind::Program, Kind::Internal]);
    }
}
