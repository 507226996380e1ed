//! What is shown of a run that takes long.

use crate::load::colour;
use futi_interp::Rounds;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// On a terminal, what takes longer than a second says how long it has been taking, and how far its outermost loop has come.
pub struct Progress(ProgressBar);

impl Progress {
    /// From now on, with this beside it.
    pub fn begin(beside: &'static str, rounds: Arc<Rounds>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if colour() {
            let shown = bar.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_secs(1));
                if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}{msg}") {
                    shown.set_style(style);
                }
                if !shown.is_finished() {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                }
                while !shown.is_finished() {
                    let far = match rounds.get() {
                        Some((done, Some(all))) => format!("; {done} of {all} rounds"),
                        Some((done, None)) => format!("; {done} rounds"),
                        None => String::new(),
                    };
                    let beside = if beside.is_empty() { String::new() } else { format!("; {beside}") };
                    shown.set_message(format!("{far}{beside}"));
                    shown.tick();
                    thread::sleep(Duration::from_millis(200));
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
