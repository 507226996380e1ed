//! A process that answers in lines of text, within limits of time: neither what it reads nor what it writes can keep the harness waiting.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a process may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until it is ready.
    pub start: Duration,
    /// For a command.
    pub command: Duration,
}

/// A process is no use any more.
#[derive(Clone, PartialEq, Debug)]
pub struct Broken {
    /// Which process, for people.
    pub who: String,
    /// What became of it.
    pub how: Breakage,
}

/// What became of a process that is no use any more.
#[derive(Clone, PartialEq, Debug)]
pub enum Breakage {
    /// It could not be started.
    Start(String),
    /// It ended: how, and the last that it said.
    Ended(String),
    /// It did not answer in time, and was ended.
    Hung(Duration),
    /// Its answer is none of the protocol.
    Garbled(String),
}

impl Broken {
    /// What became of this process.
    pub fn new(who: &str, how: Breakage) -> Broken {
        Broken { who: who.into(), how }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = &self.who;
        match &self.how {
            Breakage::Start(why) => write!(f, "{who} cannot be started: {why}"),
            Breakage::Ended(how) => write!(f, "{who} ended: {how}"),
            Breakage::Hung(limit) => write!(f, "{who} did not answer within {} s", limit.as_secs_f64()),
            Breakage::Garbled(line) => write!(f, "{who} answered `{line}`"),
        }
    }
}

/// The end of a limit that begins with it.
#[derive(Clone, Copy)]
pub struct Deadline {
    limit: Duration,
    /// None if it is later than the clock can say.
    end: Option<Instant>,
}

impl Deadline {
    /// From now on.
    pub fn after(limit: Duration) -> Deadline {
        Deadline { limit, end: Instant::now().checked_add(limit) }
    }

    /// That it has passed.
    pub fn hung(&self) -> Breakage {
        Breakage::Hung(self.limit)
    }

    /// How long it is until then; none if it has passed.
    fn left(&self) -> Option<Duration> {
        match self.end {
            Some(end) => end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()),
            None => Some(Duration::MAX),
        }
    }
}

/// How many of the last lines that are no answers are kept.
const KEPT: usize = 12;

/// So many answers wait until they are asked for, then the process waits: one that never stops writing must not fill the memory.
const WAITING: usize = 1024;

/// How long a process that was killed may take to vanish. One that a driver holds on to is left to the system.
const VANISH: Duration = Duration::from_secs(2);

type Log = Arc<Mutex<VecDeque<String>>>;

/// A running process. Ended when dropped.
pub struct Process {
    who: String,
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<String>,
    log: Log,
    /// Whether it has been seen to end, or made to: then its number may be another's.
    over: bool,
}

impl Process {
    /// Starts a process. The lines of its standard output that begin with the mark are its answers; the last of the others are kept, and so are those
    /// of its standard error.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command, who: &str, mark: &'static str) -> Result<Process, Broken> {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = in_group(pipes).map_err(|e| {
            let why = format!("{}: {e}", command.get_program().to_string_lossy());
            Broken::new(who, Breakage::Start(why))
        })?;
        let log = Log::default();
        let (sender, lines) = sync_channel(WAITING);
        if let Some(stdout) = child.stdout.take() {
            let log = log.clone();
            each_line(stdout, move |line| match line.strip_prefix(mark) {
                Some(answer) => sender.send(answer.to_string()).is_ok(),
                None => keep(&log, line),
            });
        }
        if let Some(stderr) = child.stderr.take() {
            let log = log.clone();
            each_line(stderr, move |line| keep(&log, line));
        }
        let input = child.stdin.take().map(writer);
        Ok(Process { who: who.into(), child, input, lines, log, over: false })
    }

    /// Has a text written. A process that has ended tells why when its answer is awaited, so that failing to write is no error yet; nor is that it
    /// does not read.
    pub fn send(&self, text: String) {
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// The next answer. However many there are, the deadline is one.
    ///
    /// # Errors
    /// The process has ended, or it has not answered in time, and is ended.
    pub fn receive(&mut self, deadline: &Deadline) -> Result<String, Broken> {
        let late = Err(RecvTimeoutError::Timeout);
        match deadline.left().map_or(late, |left| self.lines.recv_timeout(left)) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                Err(self.broken(deadline.hung()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let how = self.last_words();
                Err(self.broken(Breakage::Ended(how)))
            }
        }
    }

    /// That this became of it.
    pub fn broken(&self, how: Breakage) -> Broken {
        Broken::new(&self.who, how)
    }

    /// That it answered this.
    pub fn garbled(&self, answer: impl Into<String>) -> Broken {
        self.broken(Breakage::Garbled(answer.into()))
    }

    /// What it has said beside its answers, the last lines of it.
    fn said(&self) -> Vec<String> {
        self.log.lock().map(|log| log.iter().cloned().collect()).unwrap_or_default()
    }

    /// The same, which is not said again.
    pub fn take_said(&self) -> Vec<String> {
        self.log.lock().map(|mut log| log.drain(..).collect()).unwrap_or_default()
    }

    /// How the process ended, and the last lines that it wrote.
    fn last_words(&mut self) -> String {
        let status = self.finish(Duration::from_secs(2)).map_or("its output ended".into(), |s| s.to_string());
        // the threads that read may lag behind
        std::thread::sleep(Duration::from_millis(20));
        [vec![status], self.said()].concat().join("\n")
    }

    /// Waits for the end, which that of the input asks for; makes one when patience is over.
    fn finish(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.input = None;
        let status = ended(&mut self.child, &Deadline::after(patience)).ok().flatten();
        self.over |= status.is_some();
        self.kill();
        status
    }

    fn kill(&mut self) {
        if !self.over {
            kill_group(&mut self.child);
            self.over = true;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.finish(Duration::from_millis(500));
    }
}

/// How long a process that is asked by nobody any more may go on.
const GRACE: Duration = Duration::from_secs(1);

/// Has this process end soon after the one that asks it by standard input has, or has closed that: nobody reads the answers, and what is being computed may never end.
pub fn end_when_unasked() {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Signal, getpid, kill_process};
    std::thread::spawn(|| {
        let stdin = io::stdin();
        let mut input = [PollFd::new(&stdin, PollFlags::empty())];
        // asked for nothing, it tells of the end only
        while let Err(e) = poll(&mut input, None) {
            if e != rustix::io::Errno::INTR {
                return;
            }
        }
        if !input[0].revents().contains(PollFlags::HUP) {
            return;
        }
        std::thread::sleep(GRACE);
        // at once, as a driver may be at work, which wants no clean end then
        let _ = kill_process(getpid(), Signal::KILL);
    });
}

/// Starts a process in a group of its own, so that what it starts in turn can be ended with it.
pub fn in_group(command: &mut Command) -> io::Result<Child> {
    command.process_group(0).spawn()
}

/// How a process ends; none if it does not in time.
pub fn ended(child: &mut Child, deadline: &Deadline) -> io::Result<Option<ExitStatus>> {
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if deadline.left().is_none() => return Ok(None),
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Ends the group of a process that [`in_group`] started and that nobody has waited for to the end: till then the number is its own.
pub fn kill_group(child: &mut Child) {
    // the group has the number of its first process; the shell has a `kill` for groups, the standard library has none
    let _ = Command::new("sh").args(["-c", &format!("kill -s KILL -- -{}", child.id())]).stderr(Stdio::null()).status();
    let _ = child.kill();
    let _ = ended(child, &Deadline::after(VANISH));
}

/// Writes texts in a thread of its own, until there are no more: a process that does not read keeps the one waiting that writes.
fn writer(mut stdin: ChildStdin) -> Sender<String> {
    let (sender, texts) = channel::<String>();
    std::thread::spawn(move || {
        for text in texts {
            if stdin.write_all(text.as_bytes()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Passes each line to `f` in a thread of its own, until the stream ends or `f` has had enough.
fn each_line(stream: impl Read + Send + 'static, mut f: impl FnMut(&str) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            if !f(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r'])) {
                return;
            }
            line.clear();
        }
    });
}

fn keep(log: &Log, line: &str) -> bool {
    let Ok(mut log) = log.lock() else { return false };
    if log.len() == KEPT {
        log.pop_front();
    }
    log.push_back(line.to_string());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Process {
        Process::start(Command::new("sh").args(["-c", text]), "the script", "> ").unwrap()
    }

    const SOON: Duration = Duration::from_millis(300);
    const LATE: Duration = Duration::from_secs(60);

    #[test]
    fn answers_are_told_from_what_is_said_beside() {
        let mut process = script("read x; echo \"> $x\"; echo beside; exit 3");
        process.send("hello\n".into());
        assert_eq!(process.receive(&Deadline::after(LATE)).unwrap(), "hello");
        match process.receive(&Deadline::after(LATE)).unwrap_err() {
            Broken { who, how: Breakage::Ended(how) } => {
                assert!(who == "the script" && how.contains("3\nbeside"), "{who} {how}")
            }
            other => panic!("{other}"),
        }
    }

    #[test]
    fn what_a_hung_process_has_started_ends_with_it() {
        let mut process = script("sleep 600 & wait");
        assert_eq!(process.receive(&Deadline::after(SOON)).unwrap_err().how, Breakage::Hung(SOON));
        // the output ends when nobody has it any more
        let then = process.receive(&Deadline::after(LATE)).unwrap_err();
        assert!(matches!(then.how, Breakage::Ended(_)), "{then}");
    }

    #[test]
    fn a_limit_is_for_all_lines_together() {
        let mut process = script("while :; do echo '> line'; sleep 0.05; done");
        let (begin, deadline) = (Instant::now(), Deadline::after(SOON));
        let broken = loop {
            match process.receive(&deadline) {
                Ok(line) => assert!(line == "line" && begin.elapsed() < LATE, "{line}"),
                Err(broken) => break broken,
            }
        };
        assert_eq!(broken.how, Breakage::Hung(SOON));
    }

    #[test]
    fn a_limit_beyond_the_clock_is_none() {
        let mut process = script("echo '> line'");
        assert_eq!(process.receive(&Deadline::after(Duration::MAX)).unwrap(), "line");
        assert!(process.receive(&Deadline::after(Duration::MAX)).is_err());
    }
}
