//! The interactive session: inputs come from a terminal or a pipe ([`Lines`]), are commands ([`command`]) or source text, and are evaluated
//! ([`evaluate`]) on the backend that is chosen.

mod command;
mod derivative;
mod evaluate;
mod highlight;
mod picture;
mod saved;
mod terminal;

use crate::backends::Choice;
use crate::failure::Failure;
use crate::load::{Loaded, explained};
use crate::say;
use evaluate::Engine;
use futi_conformance::files::Files;
use futi_core::session::{Inputs, Session, Step, is_command};
use saved::Saved;
use signal_hook::consts::SIGINT;
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Start an interactive session.
#[derive(clap::Args, Default)]
pub struct Args {
    /// A program whose definitions are in scope.
    pub file: Option<PathBuf>,
    /// What inputs do that come from a pipe.
    #[command(flatten)]
    pub piped: Piped,
}

/// What inputs do that come from a pipe.
#[derive(clap::Args, Default)]
pub struct Piped {
    /// Where inputs come from a pipe: go on after one that fails. The exit status is that of the first that has failed.
    #[arg(long)]
    keep_going: bool,
    /// What evaluates the inputs.
    #[arg(long, value_enum, default_value_t)]
    backend: Choice,
}

/// Runs the subcommand.
pub fn repl(args: Args) -> Result<(), Failure> {
    let interrupted = interrupts().map_err(|e| Failure::Io(format!("interrupts cannot be caught: {e}")))?;
    let mut repl = Repl::new(args.piped.backend, interrupted)?;
    if let Some(path) = args.file {
        std::fs::metadata(&path).map_err(|e| Failure::Io(format!("{}: {e}", path.display())))?;
        repl.load(&path.to_string_lossy())?;
    }
    let is_terminal = std::io::stdin().is_terminal();
    let keep_going = is_terminal || args.piped.keep_going;
    let mut lines: Box<dyn Lines> = if is_terminal {
        say::out(format_args!("Futi {}. :help shows what there is.\n", env!("CARGO_PKG_VERSION")))?;
        Box::new(terminal::Terminal::open()?)
    } else {
        Box::new(Pipe::default())
    };
    let mut status = 0;
    loop {
        let prompt = format!("[{}]> ", repl.session.next_input());
        repl.engine.interrupted.store(true, Ordering::Relaxed);
        let input = lines.next(&prompt, &repl.session)?;
        repl.engine.interrupted.store(false, Ordering::Relaxed);
        let done = match input {
            None => break,
            Some(Input::NoText) => {
                // what is no text is not what was meant; the rest may be
                let failure = Failure::Io("this input is not text in UTF-8".into());
                status = if status == 0 { failure.status() } else { status };
                failure.say();
                continue;
            }
            Some(Input::Text(text)) => repl.inputs(&text),
        };
        match done {
            Ok(Next::Input) => {}
            Ok(Next::End) => break,
            Err(failure @ Failure::Status(_)) => return Err(failure),
            Err(failure) => {
                status = if status == 0 { failure.status() } else { status };
                failure.say();
                if !keep_going {
                    break;
                }
            }
        }
    }
    if is_terminal || status == 0 { Ok(()) } else { Err(Failure::Status(status)) }
}

/// Does what these inputs ask for, by themselves; values are shown in full.
pub fn all(file: Option<PathBuf>, backend: Choice, inputs: &[String]) -> Result<(), Failure> {
    let mut repl = Repl { full: true, ..Repl::new(backend, Arc::new(AtomicBool::new(false)))? };
    if let Some(path) = file {
        repl.load(&path.to_string_lossy())?;
    }
    inputs.iter().try_for_each(|text| repl.inputs(text).map(|_| ()))
}

/// Set by an interrupt, and while no input is being dealt with. Where it is set already, an interrupt ends the session: between inputs, if it is no key of the
/// terminal's, and where something does not stop.
fn interrupts() -> std::io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register_conditional_default(SIGINT, interrupted.clone())?;
    signal_hook::flag::register(SIGINT, interrupted.clone())?;
    Ok(interrupted)
}

/// What comes after an input.
enum Next {
    /// The next one.
    Input,
    /// Nothing: the session is left.
    End,
}

/// A session, and what it is seen through.
struct Repl {
    session: Session,
    engine: Engine,
    /// What has been entered, to be saved.
    saved: Saved,
    /// Whether large arrays are shown in full.
    full: bool,
    /// Whether each evaluation says how long it took.
    timed: bool,
}

impl Repl {
    fn new(backend: Choice, interrupted: Arc<AtomicBool>) -> Result<Repl, Failure> {
        Ok(Repl {
            session: Session::default(),
            engine: Engine::new(backend, interrupted)?,
            saved: Saved::default(),
            full: false,
            timed: false,
        })
    }

    /// Does what the inputs in a text ask for.
    fn inputs(&mut self, text: &str) -> Result<Next, Failure> {
        for input in Inputs::of(text) {
            if is_command(&input) {
                if let Next::End = command::run(self, &input)? {
                    return Ok(Next::End);
                }
            } else {
                self.input(&input)?;
            }
            if self.engine.interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(Next::Input)
    }

    /// Takes declarations, or shows the value of an expression.
    fn input(&mut self, text: &str) -> Result<(), Failure> {
        let (step, diagnostics) = self.session.input(text, &Files);
        if !diagnostics.is_empty() {
            return Err(Failure::Diagnostics(explained(&diagnostics, self.session.sources())));
        }
        self.saved.add(text, &step);
        self.evaluate(step)
    }

    /// Adds the definitions of a file.
    fn load(&mut self, path: &str) -> Result<(), Failure> {
        let (step, diagnostics) = self.session.load(path, &Files);
        if !diagnostics.is_empty() {
            return Err(Failure::Diagnostics(explained(&diagnostics, self.session.sources())));
        }
        self.saved.load(path);
        self.evaluate(step)
    }

    /// Evaluates definitions and shows what an expression gives.
    fn evaluate(&mut self, step: Step) -> Result<(), Failure> {
        let defs = match step {
            Step::Evaluate(defs) => defs,
            Step::Type(ty) => return say::out(format_args!("a function, or a value of several types: {ty}\n")),
            Step::Nothing => return Ok(()),
        };
        for def in defs {
            let evaluation = self
                .session
                .evaluation(&def)
                .map_err(|refused| Failure::Diagnostics(explained(&refused, self.session.sources())))?;
            let loaded = Loaded::of(evaluation.program.clone(), self.session.sources().clone());
            let Some((values, times)) = self.engine.call(&loaded, &evaluation.fun, evaluation.args.clone())? else {
                return say::out("Interrupted.\n");
            };
            let shown = self.session.computed(evaluation, values);
            if shown.name.is_none() {
                say::out(format_args!("{}\n", if self.full { shown.to_string() } else { shown.abridged() }))?;
            }
            if self.timed {
                say::err(format_args!("{times}\n"));
            }
        }
        Ok(())
    }
}

/// What one or several lines bring.
enum Input {
    /// One input or several.
    Text(String),
    /// Bytes that are no text.
    NoText,
}

/// Where inputs come from.
trait Lines {
    /// The next input; none at the end.
    fn next(&mut self, prompt: &str, session: &Session) -> Result<Option<Input>, Failure>;
}

/// Text on standard input.
#[derive(Default)]
struct Pipe {
    inputs: Inputs,
    /// Inputs that ended with the same line.
    ready: std::collections::VecDeque<Input>,
    ended: bool,
}

impl Lines for Pipe {
    fn next(&mut self, _: &str, _: &Session) -> Result<Option<Input>, Failure> {
        let mut stdin = std::io::stdin().lock();
        loop {
            if let Some(input) = self.ready.pop_front() {
                return Ok(Some(input));
            }
            if self.ended {
                return Ok(None);
            }
            let mut line = Vec::new();
            let read = stdin.read_until(b'\n', &mut line).map_err(|e| Failure::Io(format!("standard input: {e}")))?;
            if read == 0 {
                self.ended = true;
                self.ready.extend(self.inputs.end().map(Input::Text));
                continue;
            }
            match String::from_utf8(line) {
                Ok(line) => {
                    let line = line.strip_suffix('\n').unwrap_or(&line);
                    self.ready.extend(self.inputs.line(line).into_iter().map(Input::Text));
                }
                Err(_) => {
                    // of what has been held the line was a part
                    let held = self.inputs.end().filter(|text| !futi_core::syntax::Extent::of(text).is_beginning());
                    self.ready.extend(held.map(Input::Text));
                    self.ready.push_back(Input::NoText);
                }
            }
        }
    }
}
