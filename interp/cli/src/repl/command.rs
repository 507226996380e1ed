//! The commands of the session. One table says what there is: help, completion and the guide are made of it.

use super::evaluate::Watch;
use super::{Next, Repl, derivative, picture, stop};
use crate::explain;
use crate::failure::Failure;
use crate::files;
use crate::load::{Loaded, explained};
use crate::say;
use clap::ValueEnum;
use futi_core::session::{Step, Text};
use futi_interp::{Ctx, Keep};
use std::fmt::Write;
use std::path::Path;

/// A command.
pub struct Command {
    /// The name.
    pub name: &'static str,
    /// What it takes, as help shows it; empty if it takes nothing.
    pub takes: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    run: fn(&mut Repl, &str) -> Result<Next, Failure>,
}

impl Command {
    /// Whether the names of files are what it takes.
    pub fn takes_file(&self) -> bool {
        self.takes.starts_with("FILE") || self.takes == "FOLDER"
    }
}

macro_rules! commands {
    ($($name:literal $takes:literal $about:literal $run:expr;)*) => {
        /// All commands, in the order in which help shows them.
        pub const COMMANDS: &[Command] = &[$(Command { name: $name, takes: $takes, about: $about, run: $run }),*];
    };
}

commands! {
    "help" "" "this list" |_, _| go(say::out(help()));
    "type" "EXP" "the type of an expression" |r, text| go(type_of(r, text));
    "mtype" "MODULE" "what a module has" |r, text| go(module_type(r, text));
    "doc" "NAME" "what is said of a definition where it stands" |r, text| go(doc(r, text));
    "load" "FILE" "add the definitions of a file" |r, text| go(needed(text, "a file").and_then(|path| r.load(path)));
    "reload" "" "begin again, with the files that have been loaded" |r, _| go(reload(r));
    "save" "FILE" "write the session as a program" |r, text| go(save(r, text));
    "grad" "F X.." "the gradient of a function at a point" |r, text| go(derivative::gradient(r, text));
    "jac" "F X.." "the Jacobian, a row for each element of the result" |r, text| go(derivative::jacobian(r, text));
    "hess" "F X.." "the Hessian" |r, text| go(derivative::hessian(r, text));
    "check" "F X.." "the derivatives beside numerical ones" |r, text| go(derivative::check(r, text));
    "time" "EXP" "evaluate, and say how long that takes" |r, text| go(time(r, text));
    "trace" "EXP" "what is computed, as a straight-line program" |r, text| go(trace(r, text));
    "core" "STAGE EXP" "the code at a stage of compilation: lowered, simplified, ad, fused or flat" |r, text| go(core(r, text));
    "glsl" "EXP" "the code of the kernels" |r, text| go(stage(r, "glsl", text));
    "explain" "CODE" "more about the code of a message" |_, text| go(explanation(text));
    "format" "TEXT" "the text, with the values of expressions in {braces}" |r, text| go(format(r, text));
    "string" "EXP" "the value, an array of u8, as text" |r, text| go(string(r, text));
    "plot" "[FILE] EXP" "numbers as a curve: in the terminal, or as .svg or .png" |r, text| go(picture::plot(r, text));
    "img" "[FILE] EXP" "an array [h][w] of colours or grey as an image: in the terminal, or as .png" |r, text| go(picture::image(r, text));
    "backend" "[NAME]" "what evaluates: interp or vulkan" |r, text| go(backend(r, text));
    "set" "[NAME]" "what is set: full or short arrays, time or notime, derivatives auto, by definition or transform" |r, text| go(set(r, text));
    "frame" "[N]" "where a computation has stopped at a #[break]: the calls that led there, or the names in one of them" |r, text| go(stop::frame(r, text));
    "unbreak" "" "go on, and stop at this place no more" |r, _| stop::pass(r).map(|()| Next::End);
    "nanbreak" "" "stop where an operator makes a NaN, or no more" |r, _| go(stop::at_nan(r));
    "cd" "FOLDER" "go to a folder" |_, text| go(cd(text));
    "pwd" "" "the folder that files are looked for in" |_, _| go(pwd());
    "quit" "" "leave, or let a computation go on; so does Ctrl-D" |_, _| Ok(Next::End);
}

fn go(done: Result<(), Failure>) -> Result<Next, Failure> {
    done.map(|()| Next::Input)
}

/// Runs the command in an input. A name may be cut short where it says which one is meant.
pub fn run(repl: &mut Repl, input: &str) -> Result<Next, Failure> {
    let text = input.trim_start_matches(':');
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let fits: Vec<&Command> = COMMANDS.iter().filter(|c| c.name.starts_with(name)).collect();
    let exact = fits.iter().find(|c| c.name == name);
    match (exact, &fits[..]) {
        (Some(command), _) | (None, [command]) => (command.run)(repl, rest.trim()),
        (None, []) => Err(usage(format!("There is no command :{name}; :help shows those that there are."))),
        (None, several) => {
            let names: Vec<String> = several.iter().map(|c| format!(":{}", c.name)).collect();
            Err(usage(format!(":{name} may be {}.", names.join(" or "))))
        }
    }
}

/// What was asked for in a way that it cannot be.
pub fn usage(text: impl Into<String>) -> Failure {
    Failure::Diagnostics(text.into())
}

/// What a command takes, if it is there.
pub fn needed<'a>(text: &'a str, what: &str) -> Result<&'a str, Failure> {
    if text.is_empty() {
        Err(usage(format!("The command takes {what}; :help shows what each takes.")))
    } else {
        Ok(text)
    }
}

/// What `:help` shows.
fn help() -> String {
    let mut text = String::from("An expression is evaluated, and `it` is its value; definitions are remembered.\n");
    for c in COMMANDS {
        let _ = writeln!(text, "  {:<20} {}", format!(":{} {}", c.name, c.takes), c.about);
    }
    text.push_str("An input goes on over several lines until it can be read. Ctrl-C stops a computation.\n");
    text
}

/// What of an expression or a module has been found out, or what is wrong with it.
pub fn of_text<T>(repl: &Repl, (found, diagnostics): Text<T>) -> Result<T, Failure> {
    match found.filter(|_| diagnostics.iter().all(|d| !d.is_error())) {
        Some(found) => Ok(found),
        None => Err(Failure::Diagnostics(explained(&diagnostics, repl.session.sources()))),
    }
}

fn type_of(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let text = needed(text, "an expression")?;
    let found = repl.session.type_of(text);
    let ty = of_text(repl, found)?;
    say::out(format_args!("{text} : {ty}\n"))
}

fn module_type(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let found = repl.session.module_type(needed(text, "a module")?);
    say::out(of_text(repl, found)?)
}

fn doc(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let name = needed(text, "a name")?;
    match repl.session.about(name) {
        Some(text) => say::out(text),
        None => Err(usage(format!("Nothing is named `{name}`."))),
    }
}

/// A session in which only files are loaded.
fn reload(repl: &mut Repl) -> Result<(), Failure> {
    let files = repl.saved.files();
    if repl.halt.is_some() {
        return Err(usage("A computation has stopped: at its end the session can begin again."));
    }
    repl.shared.passed.borrow_mut().clear();
    let fresh =
        Repl::new((repl.engine.choice.clone(), repl.engine.ad), repl.engine.interrupted.clone(), repl.shared.clone())?;
    *repl = Repl { full: repl.full, timed: repl.timed, ..fresh };
    files.iter().try_for_each(|path| repl.load(path))
}

fn save(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let path = Path::new(needed(text, "a file")?);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::write(path, repl.saved.program(folder)).map_err(|e| files::io(path, e))
}

/// The program of an expression, its function, and the arguments of that.
pub fn program(repl: &mut Repl, text: &str) -> Result<(Loaded, String, Vec<futi_core::value::Value>), Failure> {
    let mut session = repl.session.clone();
    let (step, diagnostics) = session.input(needed(text, "an expression")?, &futi_embed::files::Files);
    if !diagnostics.is_empty() {
        return Err(Failure::Diagnostics(explained(&diagnostics, session.sources())));
    }
    match step {
        Step::Evaluate(defs) if defs.len() == 1 => {
            let refused = |list: Vec<_>| Failure::Diagnostics(explained(&list, session.sources()));
            let evaluation = session.evaluation(&defs[0]).map_err(refused)?;
            Ok((Loaded::of(evaluation.program, session.sources().clone()), evaluation.fun, evaluation.args))
        }
        Step::Type(ty) => Err(usage(format!("This is a function, or a value of several types: {ty}"))),
        _ => Err(usage("This is no expression.")),
    }
}

fn time(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let before = std::mem::replace(&mut repl.timed, true);
    let done = repl.input(needed(text, "an expression")?);
    repl.timed = before;
    done
}

fn trace(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (loaded, fun, args) = program(repl, text)?;
    let ctx = Ctx { keep: Keep::default(), ..Ctx::default() };
    let trace = futi_interp::trace(&loaded.program, &fun, &args, &ctx).map_err(|e| loaded.failure(&e))?;
    say::out(without_places(&trace.program.to_string()))
}

/// The text of IR without the table of places at its end.
fn without_places(text: &str) -> &str {
    text.find("\nfiles ").map_or(text, |end| &text[..end])
}

fn core(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (stage_name, text) =
        needed(text, "a stage and an expression")?.split_once(char::is_whitespace).unwrap_or((text, ""));
    stage(repl, stage_name, text.trim())
}

fn stage(repl: &mut Repl, name: &str, text: &str) -> Result<(), Failure> {
    let stage = crate::ir::StageArg::from_str(name, true).map_err(|_| {
        let all: Vec<String> = crate::ir::StageArg::value_variants()
            .iter()
            .filter_map(|s| Some(s.to_possible_value()?.get_name().into()))
            .collect();
        usage(format!("`{name}` is no stage: there are {}.", all.join(", ")))
    })?;
    let (loaded, fun, _) = program(repl, text)?;
    let program = futi_core::driver::pipeline::only(&loaded.program, &fun);
    let text = crate::ir::at(&loaded, program, stage, Default::default())?;
    say::out(without_places(&text))
}

fn explanation(text: &str) -> Result<(), Failure> {
    let code = explain::known(needed(text, "the code of a message")?)
        .map_err(|_| usage(format!("`{text}` is no code of a message.")))?;
    say::out(explain::page(code))
}

/// The value of an expression as it is shown.
fn shown(repl: &mut Repl, text: &str) -> Result<String, Failure> {
    let mut session = repl.session.clone();
    let (step, diagnostics) = session.input(text, &futi_embed::files::Files);
    if !diagnostics.is_empty() {
        return Err(Failure::Diagnostics(explained(&diagnostics, session.sources())));
    }
    let Step::Evaluate(defs) = step else { return Err(usage(format!("`{text}` has no value."))) };
    let mut out = String::new();
    for def in defs {
        let evaluation =
            session.evaluation(&def).map_err(|list| Failure::Diagnostics(explained(&list, session.sources())))?;
        let loaded = Loaded::of(evaluation.program.clone(), session.sources().clone());
        match repl.engine.call(&loaded, &evaluation.fun, evaluation.args.clone(), Watch::default())? {
            Some((values, _)) => out = session.computed(evaluation, values).to_string(),
            None => return Err(usage("Interrupted.")),
        }
    }
    Ok(out)
}

fn format(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let Some((exp, after)) = after.split_once('}') else { return Err(usage("A `{` has no `}`.")) };
        out += before;
        out += &shown(repl, exp)?;
        rest = after;
    }
    say::out(format_args!("{out}{rest}\n"))
}

fn string(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let values = values(repl, needed(text, "an expression")?)?;
    match &values[..] {
        [value] if value.shape().len() == 1 && value.elem() == futi_core::prim::ScalarType::U8 => {
            let bytes: Vec<u8> = value.elements().map(|x| x.to_int().unwrap_or(0) as u8).collect();
            say::out(format_args!("{}\n", futi_core::source::printable(&String::from_utf8_lossy(&bytes))))
        }
        _ => Err(usage("This is no text, which is an array of u8.")),
    }
}

/// The values of an expression, leaf by leaf.
pub fn values(repl: &mut Repl, text: &str) -> Result<Vec<futi_core::value::Value>, Failure> {
    let (loaded, fun, args) = program(repl, text)?;
    match repl.engine.call(&loaded, &fun, args, Watch::default())? {
        Some((values, _)) => Ok(values),
        None => Err(usage("Interrupted.")),
    }
}

fn backend(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        return say::out(format_args!("{}\n", repl.engine.choice));
    }
    let choice = text.parse().map_err(|e| usage(format!("`{text}` is no backend: {e}.")))?;
    repl.engine = super::Engine::new(choice, repl.engine.ad, repl.engine.interrupted.clone())?;
    Ok(())
}

fn set(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    match text {
        "full" => repl.full = true,
        "short" => repl.full = false,
        "time" => repl.timed = true,
        "notime" => repl.timed = false,
        "auto" | "definition" | "transform" => repl.engine.ad = text.parse().unwrap_or_default(),
        "" => {
            let (length, time) = (if repl.full { "full" } else { "short" }, if repl.timed { "time" } else { "notime" });
            return say::out(format_args!("{length} {time} {}\n", repl.engine.ad));
        }
        other => {
            return Err(usage(format!(
                "There is nothing to set by `{other}`: there are full, short, time, notime, auto, definition and transform."
            )));
        }
    }
    Ok(())
}

fn cd(text: &str) -> Result<(), Failure> {
    let path = Path::new(needed(text, "a folder")?);
    std::env::set_current_dir(path).map_err(|e| files::io(path, e))
}

fn pwd() -> Result<(), Failure> {
    let path = std::env::current_dir().map_err(|e| Failure::Io(format!("the working folder: {e}")))?;
    say::out(format_args!("{}\n", path.display()))
}
