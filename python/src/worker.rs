//! Runs that Ctrl-C stops. Python asks for signals in its main thread only, so that one waits, and asks, while another thread runs.

use futi_embed::Error;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a signal is asked for.
const PATIENCE: Duration = Duration::from_millis(20);

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs what the main thread waits for. It is made when it is needed first.
#[derive(Default)]
pub struct Worker {
    /// Its process, as threads do not outlive a fork, and where it gets jobs.
    jobs: Mutex<Option<(u32, Sender<Job>)>>,
}

impl Worker {
    /// Runs it without Python's lock. A signal sets `stop`; it is raised when the run has ended.
    pub fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        stop: &AtomicBool,
        run: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> PyResult<Result<T, Error>> {
        let caught =
            move || catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(Error::internal("a run has panicked")));
        if !is_main_thread(py)? {
            return Ok(py.detach(caught));
        }
        let (sender, mut result) = channel();
        let job: Job = Box::new(move || {
            // nobody waits for it if the receiver is gone
            let _ = sender.send(caught());
        });
        if let Err(job) = self.send(job) {
            job();
        }
        let mut signal = Ok(());
        loop {
            let waited;
            (waited, result) = py.detach(move || (result.recv_timeout(PATIENCE), result));
            match waited {
                Ok(result) => return signal.map(|()| result),
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(Error::internal("a run has no result"))),
                Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                    signal = py.check_signals();
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Hands a job over, or back where there can be no further thread.
    fn send(&self, job: Job) -> Result<(), Job> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if jobs.as_ref().is_none_or(|(own, _)| *own != process) {
            let (sender, receiver) = channel::<Job>();
            let work = move || receiver.into_iter().for_each(|job| job());
            match thread::Builder::new().name("futi".into()).spawn(work) {
                Ok(_) => *jobs = Some((process, sender)),
                Err(_) => return Err(job),
            }
        }
        match jobs.as_ref() {
            Some((_, sender)) => sender.send(job).map_err(|e| e.0),
            None => Err(job),
        }
    }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?;
    Ok(main.is(&threading.call_method0("current_thread")?))
}
