//! What Futi is measured beside: other programs, run as processes.

use crate::Result;
use futi_core::value::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A Python process that does work on request.
pub struct Python {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Python {
    /// Starts the script with the Python that `FUTI_PYTHON` names, else `python3`.
    ///
    /// # Errors
    /// When there is none.
    pub fn start(script: &str) -> Result<Python> {
        let python = std::env::var("FUTI_PYTHON").unwrap_or_else(|_| "python3".into());
        let child = Command::new(&python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|e| format!("{python}: {e}"))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(requests), Some(answers)) => Ok(Python { child, requests, answers: BufReader::new(answers) }),
            _ => Err(format!("{python}: no pipe")),
        }
    }

    /// How long a peer takes for so many repetitions.
    ///
    /// # Errors
    /// When the peer is not there, or does not do this work.
    pub fn time(&mut self, peer: &str, work: &str, n: usize, repetitions: u64) -> Result<Duration> {
        writeln!(self.requests, "{peer} {work} {n} {repetitions}").map_err(|e| e.to_string())?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(|e| e.to_string())?;
        let seconds = answer.trim().parse::<f64>();
        seconds.map(Duration::from_secs_f64).map_err(|_| format!("{peer} has no time for {work}: {}", answer.trim()))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // A process that has ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The real Futhark.
pub struct Futhark(PathBuf);

/// A program that it has compiled, and its input.
pub struct Compiled {
    executable: PathBuf,
    input: String,
    entry: String,
}

impl Futhark {
    /// The compiler that `FUTHARK` names, else the one that `futhark-reference.sh` has put under the home directory.
    ///
    /// # Errors
    /// When there is none.
    pub fn find() -> Result<Futhark> {
        let home = std::env::var("HOME").unwrap_or_default();
        let path = std::env::var("FUTHARK").unwrap_or(format!("{home}/.cache/futhark-reference/futhark"));
        if PathBuf::from(&path).exists() {
            Ok(Futhark(path.into()))
        } else {
            Err(format!("futhark: {path} is not there"))
        }
    }

    /// Compiles to C, and keeps the input of an entry point.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn compile(&self, program: &str, entry: &str, args: &[Value]) -> Result<Compiled> {
        let name = PathBuf::from(program);
        let name = name.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let executable = std::env::temp_dir().join(format!("futi-peer-{name}-{}", std::process::id()));
        let built = Command::new(&self.0).args(["c", "-o"]).arg(&executable).arg(program).output();
        let built = built.map_err(|e| e.to_string())?;
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        let executable = std::fs::canonicalize(executable).map_err(|e| e.to_string())?;
        Ok(Compiled { executable, input: text(args), entry: entry.into() })
    }

    /// How long `futhark run` takes for an entry point, beyond what it takes to start.
    ///
    /// # Errors
    /// When it fails.
    pub fn interpret(&self, program: &str, entry: &str, args: &[Value]) -> Result<Duration> {
        let run = |entry: &str, input: &str| -> Result<Duration> {
            let start = Instant::now();
            let mut child = Command::new(&self.0)
                .args(["run", "-w", "-e", entry, program])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|e| e.to_string())?;
            feed(&mut child, input)?;
            let status = child.wait().map_err(|e| e.to_string())?;
            if status.success() { Ok(start.elapsed()) } else { Err(format!("status {status}")) }
        };
        let checked = Instant::now();
        Command::new(&self.0).args(["check", program]).output().map_err(|e| e.to_string())?;
        let starting = checked.elapsed();
        Ok(run(entry, &text(args))?.saturating_sub(starting))
    }
}

impl Compiled {
    /// How long so many calls take, by the program's own clock: without start and transfer.
    ///
    /// # Errors
    /// When it fails.
    pub fn time(&self, repetitions: u64) -> Result<Duration> {
        let times = self.executable.with_extension("times");
        let mut child = Command::new(&self.executable)
            .args(["-n", "-e", &self.entry, "-r", &repetitions.to_string(), "-t"])
            .arg(&times)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        feed(&mut child, &self.input)?;
        let status = child.wait().map_err(|e| e.to_string())?;
        if !status.success() {
            return Err(format!("status {status}"));
        }
        let micros = std::fs::read_to_string(&times).map_err(|e| e.to_string())?;
        let total: f64 = micros.lines().filter_map(|l| l.trim().parse::<f64>().ok()).sum();
        Ok(Duration::from_secs_f64(total * 1e-6))
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // Files of ours in the temporary directory; nothing depends on their going.
        for extension in ["", "c", "times"] {
            let _ = std::fs::remove_file(self.executable.with_extension(extension));
        }
    }
}

fn feed(child: &mut Child, input: &str) -> Result<()> {
    let mut stdin = child.stdin.take().ok_or("no pipe")?;
    stdin.write_all(input.as_bytes()).map_err(|e| e.to_string())
}

fn text(args: &[Value]) -> String {
    args.iter().map(|v| format!("{v}\n")).collect()
}
