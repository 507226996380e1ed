//! What evaluates the programs that inputs become.

use crate::backends::Choice;
use crate::failure::Failure;
use crate::load::{Ad, Loaded, colour};
use crate::run::show;
use futi_core::ad::checkpoints;
use futi_core::backend::{Backend, CallCtx};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::value::Value;
use futi_interp::{Code, Ctx, Question, Stopped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
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
        Ok(Engine { choice, ad, backend: choice.open()?, interrupted })
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
        let progress = watch.stop.is_none().then(Progress::begin);
        let began = Instant::now();
        let call = CallCtx { cancel: Some(self.interrupted.clone()) };
        let (compiled, result) = if self.choice == Choice::Interp {
            let transformed = match self.ad {
                Ad::Transform => Some(loaded.transformed(fun, checkpoints::Options::default())?),
                Ad::Definition => None,
            };
            let loaded = transformed.as_ref().unwrap_or(loaded);
            // passes have moved what would be stopped at
            let Watch { stop, stop_at } = if transformed.is_some() { Watch::default() } else { watch };
            let ctx = Ctx { call, show: Some(show), stop, stop_at, plain: stop_at.is_some(), ..Ctx::default() };
            let code = Code::new(&loaded.program).map_err(|e| loaded.failure(&e))?;
            (began.elapsed(), code.call(fun, args, &ctx).map_err(|e| (loaded.failure(&e), e)))
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

/// On a terminal, what takes longer than a second says how long it has been taking.
struct Progress(ProgressBar);

impl Progress {
    fn begin() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if colour() {
            let shown = bar.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(1));
                if !shown.is_finished() {
                    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}; Ctrl-C stops it") {
                        shown.set_style(style);
                    }
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    shown.enable_steady_tick(Duration::from_millis(200));
                }
            });
        }
        Progress(bar)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
