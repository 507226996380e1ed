//! Making an executable from a source program, or interpreting it where there is no C compiler.

use super::{Breakage, Broken, Limits, Server};
use crate::process::{Deadline, ended, in_group, kill_group};
use futi_core::prim::Scalar;
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use tempfile::TempDir;

/// The exit status of a compiler that rejects a program. Any other but success is an error of its own (futhark-compat.md §1.3).
const REJECTED: i32 = 2;

/// A program that every implementation takes.
const TRIVIAL: &str = "entry main (x: i32): i32 = x";

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
    /// The compiler does not answer as it should, crashes, or takes too long.
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
        let has_c = finish(Command::new(&cc).arg("--version"), &cc, "", limits.start);
        let path_text = path.to_string_lossy().into_owned();
        let words = [path_text.as_str(), "c", "--server", "{fut}", "-o", "{out}"].map(str::to_string);
        let how = match has_c {
            Ok(output) if output.status.success() => How::Compile(words.to_vec()),
            _ => How::Interpret(path.to_path_buf()),
        };
        Reference { how, limits }
    }

    /// The real Futhark's interpreter.
    pub fn interpreter(path: &Path, limits: Limits) -> Reference {
        Reference { how: How::Interpret(path.to_path_buf()), limits }
    }

    /// A command that compiles the program `{fut}` to the server `{out}`: `futhark c --server {fut} -o {out}`. Its exit status is as Futhark's: 2 if
    /// it rejects the program, with the reason on standard error; any other but 0 is a failure of its own.
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

    /// Whether the implementation can be used at all: compiles and runs a trivial program.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn probe(&self) -> Result<(), String> {
        let args = [Value::Scalar(Scalar::I32(7))];
        let useless = |what: String| format!("{} cannot be used: {what}", self.compiler());
        let mut loaded = match self.load(TRIVIAL) {
            Ok(loaded) => loaded,
            Err(Refused::Rejected(text)) => return Err(useless(format!("it rejects `{TRIVIAL}`: {text}"))),
            Err(Refused::Broken(e)) => return Err(e.to_string()),
        };
        match loaded.call("main", &args).map_err(|e| e.to_string())? {
            Ok(results) if results == args => Ok(()),
            Ok(results) => {
                let results: Vec<String> = results.iter().map(ToString::to_string).collect();
                Err(useless(format!("of {}, `{TRIVIAL}` makes `{}`", args[0], results.join(" "))))
            }
            Err(text) => Err(useless(format!("`{TRIVIAL}` fails: {text}"))),
        }
    }

    /// Makes a program ready to be called.
    ///
    /// # Errors
    /// It is rejected, or the compiler or the server is broken.
    pub fn load(&self, source: &str) -> Result<Loaded, Refused> {
        let who = self.compiler();
        let io = |e: std::io::Error| Refused::Broken(Broken::new(&who, Breakage::Start(e.to_string())));
        let folder = tempfile::tempdir().map_err(io)?;
        let (fut, out) = (folder.path().join("program.fut"), folder.path().join("program"));
        std::fs::write(&fut, source).map_err(io)?;
        let compile = |command: &mut Command| {
            let output = finish(command, &who, "", self.limits.start).map_err(Refused::Broken)?;
            accepted(&who, &output)
        };
        let running = match &self.how {
            How::Interpret(futhark) => {
                // what the interpreter would reject it rejects for each call: ask once
                compile(Command::new(futhark).arg("check").arg(&fut))?;
                Running::Interpreter(futhark.clone())
            }
            How::Compile(words) => {
                let place =
                    |w: &String| w.replace("{fut}", &fut.to_string_lossy()).replace("{out}", &out.to_string_lossy());
                let words: Vec<String> = words.iter().map(place).collect();
                compile(Command::new(&words[0]).args(&words[1..]))?;
                Running::Server(Server::start(&out, &[], self.limits).map_err(Refused::Broken)?)
            }
        };
        Ok(Loaded { running, fut, out, limits: self.limits, _folder: folder })
    }

    /// What compiles, for people.
    fn compiler(&self) -> String {
        match &self.how {
            How::Compile(words) => format!("the compiler {}", words[0]),
            How::Interpret(futhark) => format!("the compiler {}", futhark.display()),
        }
    }
}

/// A program that another implementation has taken.
pub struct Loaded {
    running: Running,
    fut: PathBuf,
    out: PathBuf,
    limits: Limits,
    _folder: TempDir,
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
                let who = format!("the interpreter {}", futhark.display());
                let input = args.iter().map(|v| format!("{v}\n")).collect::<String>();
                let mut command = Command::new(futhark);
                command.args(["run", "-e", entry]).arg(&self.fut);
                let output = finish(&mut command, &who, &input, self.limits.command)?;
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                match output.status.code() {
                    Some(0) => parse_values(&text)
                        .map(Ok)
                        .map_err(|e| Broken::new(&who, Breakage::Garbled(format!("{e}: {text}")))),
                    Some(_) => Ok(Err(errors(&output))),
                    None => Err(crash(&who, &output)),
                }
            }
        }
    }
}

/// Whether a compiler was content; if it rejects the program, its errors, without the warnings before them.
fn accepted(who: &str, output: &Output) -> Result<(), Refused> {
    match output.status.code() {
        Some(0) => Ok(()),
        Some(REJECTED) => {
            let text = errors(output);
            let first = if text.starts_with("Error") { 0 } else { text.find("\nError").map_or(0, |i| i + 1) };
            Err(Refused::Rejected(text[first..].to_string()))
        }
        _ => Err(Refused::Broken(crash(who, output))),
    }
}

/// That a process ended as it should not have.
fn crash(who: &str, output: &Output) -> Broken {
    Broken::new(who, Breakage::Ended(format!("{}\n{}", output.status, errors(output)).trim().to_string()))
}

/// What it says on standard error.
fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_string()
}

/// Runs a command to its end.
fn finish(command: &mut Command, who: &str, input: &str, limit: Duration) -> Result<Output, Broken> {
    let start = |e: std::io::Error| Broken::new(who, Breakage::Start(e.to_string()));
    let folder = tempfile::tempdir().map_err(start)?;
    // files, not pipes: nothing can fill up while nobody reads
    std::fs::write(folder.path().join("in"), input).map_err(start)?;
    let create = |name: &str| File::create(folder.path().join(name)).map_err(start);
    command.stdin(File::open(folder.path().join("in")).map_err(start)?).stdout(create("out")?).stderr(create("err")?);
    let mut child = in_group(command).map_err(start)?;
    let deadline = Deadline::after(limit);
    let Some(status) = ended(&mut child, &deadline).map_err(start)? else {
        kill_group(&mut child);
        return Err(Broken::new(who, deadline.hung()));
    };
    let read = |name: &str| std::fs::read(folder.path().join(name)).map_err(start);
    Ok(Output { status, stdout: read("out")?, stderr: read("err")? })
}
