//! The interactive session.

use crate::failure::{Failure, runtime_text};
use crate::load::colour;
use crate::run::show;
use crate::say;
use futi_conformance::files::Files;
use futi_core::backend::CallCtx;
use futi_core::diag;
use futi_core::failure::FailureKind;
use futi_core::session::{Session, Step};
use futi_interp::{Code, Ctx};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Completer, Context, Editor, Helper, Highlighter, Hinter};
use signal_hook::consts::SIGINT;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Start an interactive session.
#[derive(clap::Args, Default)]
pub struct Args {
    /// A program whose definitions are in scope.
    file: Option<std::path::PathBuf>,
}

const HELP: &str = "\
An expression is evaluated; a definition (def, let, type, module, open) is remembered.
  :type EXP    the type of an expression
  :load FILE   add the definitions of a file
  :set full    show all elements of large arrays; :set short shows the first and last ones, as at first
  :help        this text
  :quit        leave (so does the end of input)
An input goes on over several lines while a bracket is open, until an empty line. Ctrl-C stops a computation.";

/// What a session has beside its definitions.
struct Settings {
    /// Whether large arrays are shown in full.
    full: bool,
    /// Set by an interrupt, and while no input is being dealt with. Where it is set already, an interrupt ends the session: between inputs, if it is no key of the
    /// terminal's, and where something does not stop.
    interrupted: Arc<AtomicBool>,
}

impl Settings {
    fn new() -> std::io::Result<Settings> {
        let interrupted = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register_conditional_default(SIGINT, interrupted.clone())?;
        signal_hook::flag::register(SIGINT, interrupted.clone())?;
        Ok(Settings { full: false, interrupted })
    }
}

/// Runs the subcommand.
pub fn repl(args: Args) -> Result<(), Failure> {
    let mut session = Session::default();
    let mut settings = Settings::new().map_err(|e| Failure::Io(format!("interrupts cannot be caught: {e}")))?;
    let mut out = std::io::stdout();
    if let Some(path) = args.file {
        let path = path.to_string_lossy();
        std::fs::metadata(&*path).map_err(|e| Failure::Io(format!("{path}: {e}")))?;
        load(&mut session, &settings, &path, &mut out)?;
    }
    let mut lines: Box<dyn Lines> = if std::io::stdin().is_terminal() {
        say::out(format_args!("Futi {}. :help shows what there is.\n", env!("CARGO_PKG_VERSION")))?;
        Box::new(Terminal::new()?)
    } else {
        Box::new(Pipe::default())
    };
    loop {
        let prompt = format!("[{}]> ", session.next_input());
        settings.interrupted.store(true, Ordering::Relaxed);
        let Some(input) = lines.next(&prompt, &session)? else { return Ok(()) };
        settings.interrupted.store(false, Ordering::Relaxed);
        if !step(&mut session, &mut settings, input.trim(), &mut out)? {
            return Ok(());
        }
    }
}

/// Where inputs come from.
trait Lines {
    /// The next input; none at the end.
    fn next(&mut self, prompt: &str, session: &Session) -> Result<Option<String>, Failure>;
}

/// Text on standard input, a line each, or several while a bracket is open.
#[derive(Default)]
struct Pipe {
    /// A command that was read where an input might have gone on.
    command: Option<String>,
}

impl Lines for Pipe {
    fn next(&mut self, _: &str, _: &Session) -> Result<Option<String>, Failure> {
        if let Some(command) = self.command.take() {
            return Ok(Some(command));
        }
        let mut input = String::new();
        let mut stdin = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = stdin.read_until(b'\n', &mut line).map_err(|e| Failure::Io(format!("standard input: {e}")))?;
            if read == 0 {
                return Ok((!input.trim().is_empty()).then_some(input));
            }
            let Ok(line) = String::from_utf8(line) else {
                say::out("Error: this input is not text in UTF-8.\n")?;
                input.clear();
                continue;
            };
            if !input.is_empty() && is_command(&line) {
                self.command = Some(line);
                return Ok(Some(input));
            }
            input.push_str(&line);
            if !goes_on(input.strip_suffix('\n').unwrap_or(&input)) {
                return Ok(Some(input));
            }
        }
    }
}

/// Whether the line is a command; no expression has a name behind a colon.
fn is_command(line: &str) -> bool {
    line.trim_start().strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether more lines belong to the input: a bracket is open, and the last line is not empty.
fn goes_on(text: &str) -> bool {
    let code = text.lines().map(|l| l.split("--").next().unwrap_or(""));
    let depth: i64 = code
        .flat_map(str::chars)
        .map(|c| match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        })
        .sum();
    depth > 0 && text.rsplit('\n').next().is_some_and(|last| !last.trim().is_empty())
}

/// A terminal, with history and completion of names.
struct Terminal {
    editor: Editor<Names, DefaultHistory>,
}

#[derive(Helper, Highlighter, Hinter, Completer)]
struct Names {
    #[rustyline(Completer)]
    completer: NameCompleter,
}

struct NameCompleter {
    names: Vec<String>,
}

impl rustyline::completion::Completer for NameCompleter {
    type Candidate = String;
    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start =
            line[..pos].rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '\''))).map_or(0, |i| i + 1);
        let word = &line[start..pos];
        let mut found: Vec<String> = self.names.iter().filter(|n| n.starts_with(word)).cloned().collect();
        found.sort();
        found.truncate(if word.is_empty() { 0 } else { 200 });
        Ok((start, found))
    }
}

impl Validator for Names {
    fn validate(&self, ctx: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        Ok(if goes_on(ctx.input()) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Terminal {
    fn new() -> Result<Self, Failure> {
        let mut editor = Editor::new().map_err(|e| Failure::Io(format!("terminal: {e}")))?;
        editor.set_helper(Some(Names { completer: NameCompleter { names: Vec::new() } }));
        Ok(Terminal { editor })
    }
}

impl Lines for Terminal {
    fn next(&mut self, prompt: &str, session: &Session) -> Result<Option<String>, Failure> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.completer.names = session.names();
        }
        loop {
            match self.editor.readline(prompt) {
                Ok(line) => {
                    let _ = self.editor.add_history_entry(&line);
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(e) => return Err(Failure::Io(format!("terminal: {e}"))),
            }
        }
    }
}

fn say(out: &mut impl Write, text: &str) -> Result<(), Failure> {
    say::written(writeln!(out, "{}", text.trim_end()))
}

/// Does what an input asks for; false to leave.
fn step(session: &mut Session, settings: &mut Settings, input: &str, out: &mut impl Write) -> Result<bool, Failure> {
    let Some(command) = input.strip_prefix(':') else {
        let (step, diagnostics) = session.input(input, &Files);
        if !diagnostics.is_empty() {
            say(out, &diag::render(&diagnostics, session.sources(), colour()))?;
        }
        evaluate(session, settings, step, out)?;
        return Ok(true);
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let known = ["type", "load", "set", "help", "quit"];
    let matching: Vec<&str> = known.into_iter().filter(|k| !name.is_empty() && k.starts_with(name)).collect();
    match matching[..] {
        ["type"] => {
            let (ty, diagnostics) = session.type_of(rest.trim());
            match ty.filter(|_| diagnostics.iter().all(|d| !d.is_error())) {
                Some(ty) => say(out, &format!("{} : {ty}", rest.trim()))?,
                None => say(out, &diag::render(&diagnostics, session.sources(), colour()))?,
            }
        }
        ["load"] => load(session, settings, rest.trim(), out)?,
        ["set"] => match rest.trim() {
            "full" => settings.full = true,
            "short" => settings.full = false,
            other => say(out, &format!("There is nothing to set by \"{other}\"; :help shows what there is."))?,
        },
        ["quit"] => return Ok(false),
        ["help"] => say(out, HELP)?,
        _ => say(out, &format!("There is no command :{name}; :help shows those that there are."))?,
    }
    Ok(true)
}

fn load(session: &mut Session, settings: &Settings, path: &str, out: &mut impl Write) -> Result<(), Failure> {
    let (step, diagnostics) = session.load(path, &Files);
    if !diagnostics.is_empty() {
        say(out, &diag::render(&diagnostics, session.sources(), colour()))?;
    }
    evaluate(session, settings, step, out)
}

fn evaluate(session: &mut Session, settings: &Settings, step: Step, out: &mut impl Write) -> Result<(), Failure> {
    let defs = match step {
        Step::Evaluate(defs) => defs,
        Step::Type(ty) => return say(out, &format!("a function, or a value of several types: {ty}")),
        Step::Nothing => return Ok(()),
    };
    for def in defs {
        let evaluation = match session.evaluation(&def) {
            Ok(evaluation) => evaluation,
            Err(refused) => {
                say(out, &diag::render(&refused, session.sources(), colour()))?;
                continue;
            }
        };
        let call = CallCtx { cancel: Some(settings.interrupted.clone()) };
        let ctx = Ctx { call, show: Some(show), ..Ctx::default() };
        let result =
            Code::new(&evaluation.program).and_then(|code| code.call(&evaluation.fun, evaluation.args.clone(), &ctx));
        match result {
            Ok(values) => {
                let shown = session.computed(evaluation, values);
                if shown.name.is_none() {
                    say(out, &if settings.full { shown.to_string() } else { shown.abridged() })?;
                }
            }
            Err(e) if e.kind == FailureKind::Cancelled => {
                say(out, "Interrupted.")?;
                return Ok(());
            }
            Err(e) => {
                let text = runtime_text(&e, &evaluation.program.prov, session.sources());
                say(out, &format!("Error: {text}"))?;
            }
        }
    }
    Ok(())
}
