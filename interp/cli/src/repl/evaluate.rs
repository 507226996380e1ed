//! What evaluates the programs that inputs become.

use crate::backends::Choice;
use crate::failure::Failure;
use crate::load::{self, Ad, Loaded};
use crate::progress::Progress;
use crate::run::show;
use futi_core::ad::checkpoints;
use futi_core::backend::{Backend, CallCtx};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::value::Value;
use futi_interp::{Code, Ctx, Question, Rounds, Stopped};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A backend, and what stops it.
pub struct Engine {
    /// Which one.
    pub choice: Choice,
    /// How the interpreter gets derivatives.
    pub ad: Ad,
    /// The backend; the interpreter is called without it.
    backend: Box<dyn Backend>,
    /// Whether a computation is to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// What is called where a computation by the interpreter stops, if it may.
#[derive(Default)]
pub struct Watch {
    /// Is called.
    pub stop: Option<Rc<dyn Fn(Stopped)>>,
    /// Which operators stop it.
    pub stop_at: Option<Question>,
}

/// How long an evaluation took.
pub struct Times {
    compiled: Duration,
    ran: Duration,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "compiled in {:.1?}, ran in {:.1?}", self.compiled, self.ran)
    }
}

impl Engine {
    /// # Errors
    /// The backend cannot be used here.
    pub fn new(choice: Choice, ad: Ad, interrupted: Arc<AtomicBool>) -> Result<Engine, Failure> {
        Ok(Engine { backend: choice.open()?, choice, ad, interrupted })
    }

    /// The results of a function, and how long it took; none if it was interrupted.
    ///
    /// # Errors
    /// What the backend cannot compile; the program fails.
    pub fn call(
        &self,
        loaded: &Loaded,
        fun: &str,
        args: Vec<Value>,
        watch: Watch,
    ) -> Result<Option<(Vec<Value>, Times)>, Failure> {
        // there may be a prompt where it would be shown
        let rounds = Arc::new(Rounds::default());
        let progress = watch.stop.is_none().then(|| Progress::begin("Ctrl-C stops it", rounds.clone()));
        let began = Instant::now();
        let call = CallCtx { cancel: Some(self.interrupted.clone()) };
        let (compiled, result) = if self.choice == Choice::Interp {
            let steps = watch.stop_at.is_some();
            let transformed = loaded.to_interpret(self.ad, fun, &args, steps, checkpoints::Options::default())?;
            let loaded = transformed.as_ref().unwrap_or(loaded);
            // passes have moved what would be stopped at
            let Watch { stop, stop_at } = if transformed.is_some() { Watch::default() } else { watch };
            let ctx = Ctx {
                call,
                show: Some(show),
                stop,
                stop_at,
                plain: stop_at.is_some(),
                rounds: Some(rounds),
                ..Ctx::default()
            };
            let code = Code::new(&loaded.program).map_err(|e| loaded.failure(&e))?;
            let compiled = began.elapsed();
            let result = code.call(fun, args, &ctx).map_err(|e| (loaded.failure(&e), e));
            load::say_memory(&ctx);
            (compiled, result)
        } else {
            let running = loaded.compile(&*self.backend, fun, checkpoints::Options::default())?;
            (began.elapsed(), running.call_under(fun, args, &call))
        };
        drop(progress);
        let ran = began.elapsed().saturating_sub(compiled);
        match result {
            Ok(values) => Ok(Some((values, Times { compiled, ran }))),
            Err((_, RuntimeError { kind: FailureKind::Cancelled, .. })) => Ok(None),
            Err((failure, _)) => Err(failure),
        }
    }
}
