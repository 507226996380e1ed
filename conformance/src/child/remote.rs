//! A process that serves a backend, as a backend.

use super::*;
use crate::process::Broken;
use futi_core::backend::{Backend, CallCtx, Executable, Handle, Options, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::check::Checked;
use futi_core::ir::{Program, Prov};
use futi_core::value::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long such a process may be silent when it starts.
const START: Duration = Duration::from_secs(5);

/// A backend that is a process. Its values are here: each call sends them, and brings the results.
pub struct Remote {
    name: String,
    level: IrLevel,
    child: Arc<Mutex<Child>>,
}

struct Compiled {
    program: Program,
    child: Arc<Mutex<Child>>,
}

impl Remote {
    /// Starts the process.
    ///
    /// # Errors
    /// It cannot be started, ends, says nothing for five seconds, or speaks another protocol.
    pub fn start(command: &BackendCommand) -> Result<Remote, Broken> {
        let child = Child::start(command, Limits { start: START, command: Duration::MAX })?;
        Ok(Remote { name: command.name.clone(), level: child.level, child: Arc::new(Mutex::new(child)) })
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

fn device(broken: &Broken) -> RuntimeError {
    RuntimeError::new(FailureKind::Device, broken.to_string())
}

impl Backend for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn level(&self) -> IrLevel {
        self.level
    }

    fn compile(&self, program: &Checked<Program>, _: &Options) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        let broken = |broken: Broken| {
            vec![Unsupported { construct: "the program".into(), missing: broken.to_string(), prov: Prov::UNKNOWN }]
        };
        lock(&self.child).compile(program).map_err(broken)??;
        Ok(Box::new(Compiled { program: Program::clone(program), child: self.child.clone() }))
    }

    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        Ok(Handle(Arc::new(value.clone())))
    }

    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        handle.0.downcast_ref().cloned().ok_or_else(foreign)
    }
}

fn foreign() -> RuntimeError {
    RuntimeError::internal("a handle of another backend")
}

fn taken(handle: Handle) -> Result<Value, RuntimeError> {
    handle.0.downcast().map(Arc::unwrap_or_clone).map_err(|_| foreign())
}

impl Executable for Compiled {
    fn call(&self, entry: &str, args: Vec<Handle>, _: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        let args = args.into_iter().map(taken).collect::<Result<Vec<_>, _>>()?;
        let mut child = lock(&self.child);
        // it may have compiled another program since
        let compiled = child.compile(&self.program).map_err(|e| device(&e))?;
        compiled.map_err(|_| RuntimeError::internal("the backend's process refuses what it has compiled before"))?;
        let results = child.call(entry, &args).map_err(|e| device(&e))??;
        Ok(results.into_iter().map(|v| Handle(Arc::new(v))).collect())
    }
}
