//! Making an executable from a source program, or interpreting it where there is no C compiler.

use super::{Broken, Folder, Limits, Server};
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How another implementation runs a source program.
#[derive(Clone, Debug)]
pub struct Reference {
    how: How,
    limits: Limits,
}

#[derive(Clone, Debug)]
enum How {
    /// A command makes a server; its words have `{fut}` and `{out}` for the program and the executable.
    Compile(Vec<String>),
    /// `futhark run`
    Interpret(PathBuf),
}

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Debug)]
pub enum Refused {
    /// The compiler rejects it, with this text.
    Rejected(String),
    /// The compiler does not answer as it should, or takes too long.
    Broken(Broken),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Rejected(text) => write!(f, "is rejected: {text}"),
            Refused::Broken(e) => e.fmt(f),
        }
    }
}

impl Reference {
    /// The real Futhark at this path: its C backend, or its interpreter if there is no C compiler.
    pub fn futhark(path: &Path, limits: Limits) -> Reference {
        let cc = std::env::var("CC").unwrap_or("gcc".into());
        let has_c = Command::new(cc).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        let path_text = path.to_string_lossy().into_owned();
        let words = [path_text.as_str(), "c", "--server", "{fut}", "-o", "{out}"].map(str::to_string);
        let how = match has_c {
            Ok(status) if status.success() => How::Compile(words.to_vec()),
            _ => How::Interpret(path.to_path_buf()),
        };
        Reference { how, limits }
    }

    /// The real Futhark's interpreter.
    pub fn interpreter(path: &Path, limits: Limits) -> Reference {
        Reference { how: How::Interpret(path.to_path_buf()), limits }
    }

    /// A command that compiles the program `{fut}` to the server `{out}`: `futhark c --server {fut} -o {out}`.
    ///
    /// # Errors
    /// The template does not name both.
    pub fn template(text: &str, limits: Limits) -> Result<Reference, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        match ["{fut}", "{out}"].iter().find(|place| !text.contains(**place)) {
            None => Ok(Reference { how: How::Compile(words), limits }),
            Some(place) => Err(format!("the command `{text}` does not say where {place} goes")),
        }
    }

    /// Makes a program ready to be called.
    ///
    /// # Errors
    /// It is rejected, or the compiler or the server is broken.
    pub fn load(&self, source: &str) -> Result<Loaded, Refused> {
        let io = |e: std::io::Error| Refused::Broken(Broken::Start(e.to_string()));
        let folder = Folder::new().map_err(io)?;
        let (fut, out) = (folder.file("program.fut"), folder.file("program"));
        std::fs::write(&fut, source).map_err(io)?;
        let running = match &self.how {
            How::Interpret(futhark) => {
                // what the interpreter would reject it rejects for each call: ask once
                let output = finish(Command::new(futhark).arg("check").arg(&fut), "", self.limits.start);
                accepted(output.map_err(Refused::Broken)?)?;
                Running::Interpreter(futhark.clone())
            }
            How::Compile(words) => {
                let place =
                    |w: &String| w.replace("{fut}", &fut.to_string_lossy()).replace("{out}", &out.to_string_lossy());
                let words: Vec<String> = words.iter().map(place).collect();
                let output = finish(Command::new(&words[0]).args(&words[1..]), "", self.limits.start);
                accepted(output.map_err(Refused::Broken)?)?;
                Running::Server(Server::start(&out, &[], self.limits).map_err(Refused::Broken)?)
            }
        };
        Ok(Loaded { running, fut, out, limits: self.limits, _folder: folder })
    }
}

/// A program that another implementation has taken.
pub struct Loaded {
    running: Running,
    fut: PathBuf,
    out: PathBuf,
    limits: Limits,
    _folder: Folder,
}

enum Running {
    Server(Server),
    Interpreter(PathBuf),
}

impl Loaded {
    /// Calls an entry point with values for the leaves of its parameters; gives those of its results, or the text of its failure.
    ///
    /// # Errors
    /// The process crashed, hung or answered nonsense. The next call starts another.
    pub fn call(&mut self, entry: &str, args: &[Value]) -> Result<Result<Vec<Value>, String>, Broken> {
        match &mut self.running {
            Running::Server(server) => {
                let result = server.call(entry, args);
                if result.is_err() {
                    *server = Server::start(&self.out, &[], self.limits)?;
                }
                result
            }
            Running::Interpreter(futhark) => {
                let input = args.iter().map(|v| format!("{v}\n")).collect::<String>();
                let mut command = Command::new(futhark);
                command.args(["run", "-e", entry]).arg(&self.fut);
                let output = finish(&mut command, &input, self.limits.command)?;
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                if !output.status.success() {
                    return Ok(Err(String::from_utf8_lossy(&output.stderr).trim().to_string()));
                }
                parse_values(&text).map(Ok).map_err(|e| Broken::Garbled(format!("{e}: {text}")))
            }
        }
    }
}

/// Whether a compiler was content; if not, its errors, without the warnings before them.
fn accepted(output: Output) -> Result<(), Refused> {
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = if text.starts_with("Error") { 0 } else { text.find("\nError").map_or(0, |i| i + 1) };
    Err(Refused::Rejected(text[errors..].trim().to_string()))
}

/// Runs a command to its end.
fn finish(command: &mut Command, input: &str, limit: Duration) -> Result<Output, Broken> {
    let start = |e: std::io::Error| Broken::Start(e.to_string());
    let folder = Folder::new().map_err(start)?;
    // files, not pipes: nothing can fill up while nobody reads
    let create = |name: &str| std::fs::File::create(folder.file(name)).map_err(start);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(create("out")?)
        .stderr(create("err")?)
        .spawn()
        .map_err(|e| Broken::Start(format!("{}: {e}", command.get_program().to_string_lossy())))?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input.as_bytes());
    }
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait().map_err(start)? {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Broken::Hung(limit));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let read = |name: &str| std::fs::read(folder.file(name)).map_err(start);
    Ok(Output { status, stdout: read("out")?, stderr: read("err")? })
}
