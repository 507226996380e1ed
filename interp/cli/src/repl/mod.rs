//! The interactive session: inputs come from a terminal or a pipe ([`Lines`]), are commands ([`command`]) or source text, and are evaluated
//! ([`evaluate`]) on the backend that is chosen.

mod command;
mod derivative;
mod evaluate;
mod highlight;
mod picture;
mod saved;
mod stop;
mod terminal;

use crate::backends::{self, Choice};
use crate::failure::Failure;
use crate::load::{Ad, Loaded, explained};
use crate::say;
use evaluate::{Engine, Watch};
use futi_core::session::{Inputs, Session, Step, is_command};
use futi_core::source::Span;
use futi_embed::files::Files;
use futi_embed::tuning;
use saved::Saved;
use signal_hook::consts::SIGINT;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::rc::Rc;
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
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
    /// How the interpreter gets derivatives.
    #[arg(long, value_parser = crate::load::ad_parser(), default_value_t)]
    ad: Ad,
}

/// Runs the subcommand.
pub fn repl(args: Args) -> Result<(), Failure> {
    let interrupted = interrupts().map_err(|e| Failure::Io(format!("interrupts cannot be caught: {e}")))?;
    let is_terminal = std::io::stdin().is_terminal();
    let shared = Shared { keep_going: is_terminal || args.piped.keep_going, ..Shared::default() };
    let mut repl = Repl::new((args.piped.backend, args.piped.ad), interrupted, shared.into())?;
    if let Some(path) = args.file {
        std::fs::metadata(&path).map_err(|e| Failure::Io(format!("{}: {e}", path.display())))?;
        repl.load(&path.to_string_lossy())?;
    }
    let lines: Box<dyn Lines> = if is_terminal {
        say::out(format_args!("Futi {}. :help shows what there is.\n", env!("CARGO_PKG_VERSION")))?;
        Box::new(terminal::Terminal::open()?)
    } else {
        Box::new(Pipe::default())
    };
    repl.shared.lines.replace(Some(lines));
    repl.run()?;
    let status = repl.shared.status.get();
    if is_terminal || status == 0 { Ok(()) } else { Err(Failure::Status(status)) }
}

/// Does what these inputs ask for, by themselves; values are shown in full.
pub fn all(file: Option<PathBuf>, backend: Choice, inputs: &[String]) -> Result<(), Failure> {
    let repl = Repl::new((backend, Ad::default()), Arc::new(AtomicBool::new(false)), Rc::default())?;
    let mut repl = Repl { full: true, ..repl };
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

/// What a session shares with those within its computations: [`stop`].
#[derive(Default)]
struct Shared {
    /// Where inputs come from; nowhere, if what is to be done is known.
    lines: RefCell<Option<Box<dyn Lines>>>,
    /// Whether to go on after an input that fails.
    keep_going: bool,
    /// The exit status of the first input that has failed; 0 if none has.
    status: Cell<u8>,
    /// Whether an input has failed where none is to follow.
    ended: Cell<bool>,
    /// Where computations stop no more.
    passed: RefCell<HashSet<Span>>,
    /// Whether new NaNs stop a computation.
    stop_at_nan: Cell<bool>,
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
    shared: Rc<Shared>,
    /// The computation that has stopped, if the session is within one.
    halt: Option<stop::Halt>,
}

impl Repl {
    fn new((backend, ad): (Choice, Ad), interrupted: Arc<AtomicBool>, shared: Rc<Shared>) -> Result<Repl, Failure> {
        let mut session = Session::default();
        session.tune(tuning::environment().map_err(Failure::Diagnostics)?);
        Ok(Repl {
            session,
            engine: Engine::new(backend, ad, interrupted)?,
            saved: Saved::default(),
            full: false,
            timed: false,
            shared,
            halt: None,
        })
    }

    /// Deals with one input after the other, up to the end.
    fn run(&mut self) -> Result<(), Failure> {
        let shared = self.shared.clone();
        while !shared.ended.get() {
            let within = if self.halt.is_some() { " stopped" } else { "" };
            let prompt = format!("[{}]{within}> ", self.session.next_input());
            self.engine.interrupted.store(true, Ordering::Relaxed);
            let input = match shared.lines.borrow_mut().as_mut() {
                Some(lines) => lines.next(&prompt, &self.session)?,
                None => None,
            };
            self.engine.interrupted.store(false, Ordering::Relaxed);
            let done = match input {
                None => break,
                // what is no text is not what was meant; the rest may be
                Some(Input::NoText) => Err((Failure::Io("this input is not text in UTF-8".into()), true)),
                Some(Input::Text(text)) => self.inputs(&text).map_err(|failure| (failure, false)),
            };
            match done {
                Ok(Next::Input) => {}
                Ok(Next::End) => break,
                Err((failure @ Failure::Status(_), _)) => return Err(failure),
                Err((failure, goes_on)) => {
                    if shared.status.get() == 0 {
                        shared.status.set(failure.status());
                    }
                    shared.ended.set(!goes_on && !shared.keep_going);
                    failure.say();
                }
            }
        }
        Ok(())
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
        let tuning = tuning::of(Path::new(path), tuning::EXTENSION).map_err(Failure::Diagnostics)?;
        self.session.tune(tuning);
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
            let watch = Watch {
                stop: stop::watch(self, &evaluation, &loaded),
                stop_at: self.shared.stop_at_nan.get().then_some(stop::makes_nan),
            };
            let called = self.engine.call(&loaded, &evaluation.fun, evaluation.args.clone(), watch)?;
            let Some((values, times)) = called else { return say::out("Interrupted.\n") };
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
    /// Whether nothing follows, ever.
    fn ended(&self) -> bool {
        false
    }
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
    fn ended(&self) -> bool {
        self.ended && self.ready.is_empty()
    }

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
