//! A process that answers in lines of text, within limits of time.

use super::Broken;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How many of the last lines on standard error are kept.
const KEPT: usize = 12;

type Log = Arc<Mutex<VecDeque<String>>>;

/// A running process; ended when dropped.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Log,
}

impl Process {
    pub fn start(command: &mut Command) -> Result<Process, Broken> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| Broken::Start(format!("{}: {e}", command.get_program().to_string_lossy())))?;
        let log = Log::default();
        let (sender, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            each_line(stdout, move |line| sender.send(line).is_ok());
        }
        if let Some(stderr) = child.stderr.take() {
            let log = log.clone();
            each_line(stderr, move |line| {
                let Ok(mut log) = log.lock() else { return false };
                if log.len() == KEPT {
                    log.pop_front();
                }
                log.push_back(line);
                true
            });
        }
        let stdin = child.stdin.take();
        Ok(Process { child, stdin, lines, log })
    }

    /// A process that has ended tells why when its answer is awaited, so that failing to write is no error yet.
    pub fn send(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        }
    }

    /// The next line.
    pub fn receive(&mut self, limit: Duration) -> Result<String, Broken> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                Err(Broken::Hung(limit))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Broken::Ended(self.last_words())),
        }
    }

    /// How the process ended, and the last lines on its standard error.
    fn last_words(&mut self) -> String {
        self.stdin = None;
        let status = self.wait(Duration::from_secs(2));
        // the thread that reads may lag behind
        std::thread::sleep(Duration::from_millis(20));
        let said = self.log.lock().map(|log| log.iter().cloned().collect()).unwrap_or_default();
        [vec![status.unwrap_or("its output ended".into())], said].concat().join("\n")
    }

    /// Waits for the end, and makes an end when patience is.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let end = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                _ if Instant::now() > end => {
                    let _ = self.child.kill();
                    let _ = self.child.wait();
                    return None;
                }
                _ => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        self.wait(Duration::from_millis(500));
    }
}

/// Passes each line to `f` in a thread of its own, until the stream ends or `f` has had enough.
fn each_line(stream: impl Read + Send + 'static, mut f: impl FnMut(String) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            if !f(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_string()) {
                return;
            }
            line.clear();
        }
    });
}
