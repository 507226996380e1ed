//! Where a computation stops, at a `#[break]` or at a new NaN (`:nanbreak`): a session within the session, in which the names of that place are in scope. At its end the
//! computation goes on.

use super::{Repl, Shared};
use crate::backends::Choice;
use crate::failure::Failure;
use crate::load::{Ad, Loaded};
use crate::say;
use futi_core::prim::{Prim, Scalar};
use futi_core::session::{Evaluation, Session, Shown, Stopped};
use futi_core::source::Span;
use futi_interp::Stopped as Reached;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A computation that has stopped.
pub struct Halt {
    /// The session without the names of the place.
    outside: Session,
    /// The names; of a NaN there are none.
    stopped: Option<Stopped>,
    /// The place.
    place: Option<Span>,
}

/// What a session within a computation is made of.
struct Within {
    shared: Rc<Shared>,
    session: Session,
    choice: Choice,
    interrupted: Arc<AtomicBool>,
    full: bool,
    timed: bool,
}

/// What is called where the evaluation stops; none if it stops nowhere.
pub fn watch(repl: &Repl, evaluation: &Evaluation, loaded: &Loaded) -> Option<Rc<dyn Fn(Reached)>> {
    let stops = evaluation.stops.clone();
    if (stops.is_empty() && !repl.shared.stop_at_nan.get()) || repl.shared.lines.borrow().is_none() {
        return None;
    }
    let within = Within {
        shared: repl.shared.clone(),
        session: repl.session.clone(),
        choice: repl.engine.choice.clone(),
        interrupted: repl.engine.interrupted.clone(),
        full: repl.full,
        timed: repl.timed,
    };
    let table = loaded.program.prov.clone();
    Some(Rc::new(move |reached| {
        if within.shared.ended.get() || within.shared.lines.borrow().as_ref().is_none_or(|lines| lines.ended()) {
            return;
        }
        let (halt, why) = match reached {
            Reached::Break(number, values) => {
                let Some(stop) = stops.get(number) else { return };
                let place = stop.frames.first().map(|frame| frame.place);
                let stopped = Some(Stopped::new(stop.clone(), values));
                (Halt { outside: within.session.clone(), stopped, place }, String::new())
            }
            Reached::Operator(prov, op) => {
                if !within.shared.stop_at_nan.get() {
                    return;
                }
                let sources = within.session.sources();
                let place = sources.spans(prov, &table).into_iter().find(|span| !sources.of_prelude(*span));
                (Halt { outside: within.session.clone(), stopped: None, place }, format!(", where {op} makes a NaN"))
            }
        };
        if halt.place.is_some_and(|place| within.shared.passed.borrow().contains(&place)) {
            return;
        }
        if let Err(failure) = within.session_at(halt, &why) {
            failure.say();
        }
    }))
}

/// Whether an operator makes a NaN of operands that are none.
pub fn makes_nan(_: Prim, args: &[Scalar], result: Scalar) -> bool {
    let is_nan = |x: &Scalar| x.scalar_type().is_float() && x.to_f64().is_nan();
    is_nan(&result) && !args.iter().any(is_nan)
}

impl Within {
    fn session_at(&self, halt: Halt, why: &str) -> Result<(), Failure> {
        let place = halt.place.map_or("an unknown place".to_string(), |place| self.session.sources().locate(place));
        say::out(format_args!("Stopped at {place}{why}. Ctrl-D goes on; :unbreak stops here no more.\n"))?;
        let engine = super::Engine::new(self.choice.clone(), Ad::Definition, self.interrupted.clone())?;
        let mut repl = Repl {
            session: self.session.clone(),
            engine,
            saved: Default::default(),
            full: self.full,
            timed: self.timed,
            shared: self.shared.clone(),
            halt: Some(halt),
        };
        look(&mut repl, 0)?;
        let done = repl.run();
        // the files of the inputs that were read here are no more
        let files = self.session.sources().iter().count();
        self.shared.passed.borrow_mut().retain(|place| (place.file.0 as usize) < files);
        self.interrupted.store(false, Ordering::Relaxed);
        done?;
        say::out("Going on.\n")
    }
}

/// Goes to the frame of this number, and shows its names; without a number, shows the frames.
pub fn frame(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let frames = match &repl.halt {
        Some(halt) => halt.stopped.as_ref().map_or(0, |stopped| stopped.frames().len()),
        None => return Err(nowhere()),
    };
    if text.is_empty() {
        return (0..frames).try_for_each(|number| say::out(title(repl, number)));
    }
    match text.parse() {
        Ok(number) if number < frames => look(repl, number),
        _ => Err(super::command::usage(format!("There is no frame {text}: there are {frames}, numbered from 0."))),
    }
}

/// Stops no more at the place where the computation has stopped.
pub fn pass(repl: &mut Repl) -> Result<(), Failure> {
    let place = repl.halt.as_ref().ok_or_else(nowhere)?.place;
    repl.shared.passed.borrow_mut().extend(place);
    Ok(())
}

/// Whether new NaNs stop a computation: the other from now on.
pub fn at_nan(repl: &mut Repl) -> Result<(), Failure> {
    let stops = !repl.shared.stop_at_nan.get();
    repl.shared.stop_at_nan.set(stops);
    say::out(if stops { "New NaNs stop a computation.\n" } else { "NaNs stop nothing.\n" })
}

fn nowhere() -> Failure {
    super::command::usage("No computation has stopped.")
}

/// The line that says which frame it is.
fn title(repl: &Repl, number: usize) -> String {
    let frame = repl.halt.as_ref().and_then(|halt| halt.stopped.as_ref()?.frames().get(number));
    let Some(frame) = frame else { return String::new() };
    let function = frame.function.as_ref().map_or(String::new(), |name| format!(" in {name}"));
    format!("#{number}{function}, {}\n", repl.session.sources().locate(frame.place))
}

/// Brings the names of a frame into scope, and shows them.
fn look(repl: &mut Repl, number: usize) -> Result<(), Failure> {
    let Some((halt, stopped)) = repl.halt.as_ref().and_then(|halt| Some((halt, halt.stopped.as_ref()?))) else {
        return Ok(());
    };
    let (session, names) = halt.outside.at(stopped, number);
    let text = |shown: &Shown| if repl.full { shown.to_string() } else { shown.abridged() };
    let lines: Vec<String> =
        names.iter().map(|(name, ty, value)| format!("  {name} : {ty} = {}\n", text(value))).collect();
    say::out(title(repl, number) + &lines.concat())?;
    repl.session = session;
    Ok(())
}
