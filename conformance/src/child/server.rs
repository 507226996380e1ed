//! The child's side.

use super::*;
use crate::process::end_when_unasked;
use futi_core::backend::{Backend, CallCtx, Executable, Options, Unsupported, parameter};
use futi_core::failure::RuntimeError;
use futi_core::ir::{Program, check};
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::rc::Rc;

/// The stack of the thread that serves: programs nest as deep as the front end allows.
const STACK: usize = 512 << 20;

/// If this process was started by [`BackendCommand::this_program`], serves the backend that `open` makes of the name, until the harness has had
/// enough; `None` if it was not, and `main` goes on.
pub fn entry_point<F>(open: F) -> Option<ExitCode>
where
    F: FnOnce(&str) -> Result<Box<dyn Backend>, String> + Send + 'static,
{
    let mut args = std::env::args().skip(1);
    if args.next()? != ARGUMENT {
        return None;
    }
    end_when_unasked();
    let text = args.next().unwrap_or_default();
    let work = move || {
        let (name, options) = named(&text)?;
        let backend = open(&name)?;
        serve(backend.as_ref(), &options, io::stdin().lock(), io::stdout().lock()).map_err(|e| e.to_string())
    };
    let result = std::thread::Builder::new().stack_size(STACK).spawn(work).map(|t| t.join());
    Some(match result {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(message))) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
        // a panic has said what it is
        Ok(Err(_)) => ExitCode::from(101),
        Err(e) => {
            eprintln!("cannot start a thread: {e}");
            ExitCode::FAILURE
        }
    })
}

/// The backends that come with this harness.
pub const BUILT_IN: [&str; 3] = ["interp", "executor", "vulkan"];

/// What is before the command line of a process that serves a backend, in the name of that.
pub const COMMAND: &str = "command:";

/// Of what says which backend, its name, and the options behind that: `executor free=off poison=on`. What is a command line has none.
///
/// # Errors
/// An option is not of the form NAME=VALUE, or its value is none.
pub fn named(text: &str) -> Result<(String, Options), String> {
    if text.starts_with(COMMAND) {
        return Ok((text.to_string(), Options::default()));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let (name, options) = words.split_at(words.iter().position(|word| word.contains('=')).unwrap_or(words.len()));
    let tuning = options.iter().map(|option| parameter(option)).collect::<Result<_, _>>()?;
    Ok((name.join(" "), Options { tuning }))
}

/// The backend of that name: one of [`BUILT_IN`], or a process that serves one.
///
/// # Errors
/// There is none of that name, it was not built in, or it cannot be used.
pub fn built_in(name: &str) -> Result<Box<dyn Backend>, String> {
    match name {
        "interp" => Ok(Box::new(futi_interp::Interpreter::default())),
        "executor" => Ok(Box::new(futi_kernels::exec::Executor::default())),
        "vulkan" => vulkan(),
        _ => match name.strip_prefix(COMMAND) {
            Some(line) => {
                let command = BackendCommand::line(line)?;
                let failed = |e| format!("the backend `{}` cannot be used: {e}", command.name);
                Ok(Box::new(Remote::start(&command).map_err(failed)?))
            }
            None => Err(format!("there is no backend `{name}`")),
        },
    }
}

#[cfg(feature = "vulkan")]
fn vulkan() -> Result<Box<dyn Backend>, String> {
    match futi_vk::Vulkan::open() {
        Ok(backend) => Ok(Box::new(backend)),
        Err(e) => Err(format!("the backend vulkan cannot be used: {e}")),
    }
}

#[cfg(not(feature = "vulkan"))]
fn vulkan() -> Result<Box<dyn Backend>, String> {
    Err("this program was built without the backend vulkan: build it with `--features vulkan`".into())
}

/// Serves a backend, that compiles with these options: reads commands until the input ends.
///
/// # Errors
/// Those of reading and writing; a command that is none of the protocol; an option that the backend does not have.
pub fn serve(
    backend: &dyn Backend,
    options: &Options,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut hello = vec![
        "hello".into(),
        PROTOCOL.into(),
        format!("{:?}", backend.level()),
        backend.ir_version().to_string(),
        backend.name().to_string(),
    ];
    hello.extend(backend.flushes_subnormals().then(|| FLUSHES.into()));
    send(&mut output, &hello)?;
    let mut kept: Vec<Kept> = Vec::new();
    let mut executable: Option<Rc<dyn Executable>> = None;
    while let Some(line) = read_line(&mut input)? {
        let fields: Vec<String> = line.split('\t').map(unescape).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        match fields[..] {
            ["compile", n] => {
                let text = read_lines(&mut input, count(n)?)?.join("\n");
                executable = compile(backend, options, text, &mut kept, &mut output)?;
            }
            ["call", entry, n] => {
                let args = read_lines(&mut input, count(n)?)?.join("\n");
                match call(backend, executable.as_deref(), entry, &args) {
                    Ok(values) => {
                        for v in values {
                            send(&mut output, &["value".into(), v.to_string()])?;
                        }
                        send(&mut output, &["done".into()])?;
                    }
                    Err(e) => {
                        let kind = format!("{:?}", e.kind);
                        send(&mut output, &["error".into(), kind, e.prov.0.to_string(), e.message])?;
                    }
                }
            }
            _ => return Err(io::Error::other(format!("`{line}` is no command"))),
        }
    }
    Ok(())
}

/// A program that has been compiled, by its text.
type Kept = (String, Rc<dyn Executable>);

/// So many programs are kept, the ones used last: cases ask for a program and its derivatives in turns.
const PROGRAMS: usize = 8;

fn compile(
    backend: &dyn Backend,
    options: &Options,
    text: String,
    kept: &mut Vec<Kept>,
    output: &mut impl Write,
) -> io::Result<Option<Rc<dyn Executable>>> {
    let known = kept.iter().position(|(of, _)| *of == text);
    let result = match known.map(|at| kept.remove(at).1) {
        Some(executable) => Ok(executable),
        None => compile_anew(backend, options, &text)?.map(Rc::from),
    };
    match result {
        Ok(executable) => {
            send(output, &["compiled".into()])?;
            kept.drain(..(kept.len() + 1).saturating_sub(PROGRAMS));
            kept.push((text, executable.clone()));
            Ok(Some(executable))
        }
        Err(constructs) => {
            for u in constructs {
                send(output, &["unsupported".into(), u.construct, u.missing, u.prov.0.to_string()])?;
            }
            send(output, &["refused".into()])?;
            Ok(None)
        }
    }
}

fn compile_anew(
    backend: &dyn Backend,
    options: &Options,
    text: &str,
) -> io::Result<Result<Box<dyn Executable>, Vec<Unsupported>>> {
    let program: Program = text.parse().map_err(|e| io::Error::other(format!("the IR does not parse: {e}")))?;
    let program = check::check(program).map_err(|errors| {
        let first = errors.first().map(ToString::to_string).unwrap_or_default();
        io::Error::other(format!("the IR is ill-formed: {first}"))
    })?;
    let compiled = backend.compile(&program, options);
    if let Ok(executable) = &compiled {
        let known = executable.tuning();
        if let Some((name, _)) = options.tuning.iter().find(|(name, _)| known.iter().all(|(own, _)| own != name)) {
            return Err(io::Error::other(format!("the backend {} has no option `{name}`", backend.name())));
        }
    }
    Ok(compiled)
}

fn call(
    backend: &dyn Backend,
    executable: Option<&dyn Executable>,
    entry: &str,
    args: &str,
) -> Result<Vec<Value>, RuntimeError> {
    let executable = executable.ok_or_else(|| RuntimeError::internal("no program has been compiled"))?;
    let args = parse_values(args).map_err(|e| RuntimeError::internal(format!("the arguments do not parse: {e}")))?;
    let handles = args.iter().map(|v| backend.put(v)).collect::<Result<Vec<_>, _>>()?;
    drop(args);
    let results = executable.call(entry, handles, &CallCtx::default())?;
    results.iter().map(|h| backend.get(h)).collect()
}

fn send(output: &mut impl Write, fields: &[String]) -> io::Result<()> {
    let fields: Vec<String> = fields.iter().map(|f| escape(f)).collect();
    writeln!(output, "{MARK}{}", fields.join("\t"))?;
    output.flush()
}

fn count(text: &str) -> io::Result<usize> {
    text.parse().map_err(|_| io::Error::other(format!("`{text}` is not a number of lines")))
}

fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let n = input.read_line(&mut line)?;
    Ok((n > 0).then(|| line.trim_end_matches('\n').to_string()))
}

fn read_lines(input: &mut impl BufRead, n: usize) -> io::Result<Vec<String>> {
    let ended = || io::Error::new(io::ErrorKind::UnexpectedEof, "the input ends inside of a command");
    (0..n).map(|_| read_line(input)?.ok_or_else(ended)).collect()
}
