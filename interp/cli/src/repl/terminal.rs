//! The terminal: editing, history, completion, colours.

use super::command::COMMANDS;
use super::{Input, Lines, highlight};
use crate::failure::Failure;
use futi_core::diag::one_line;
use futi_core::session::{Inputs, Session, is_command};
use futi_core::source::SourceMap;
use futi_core::syntax::{Extent, parse_expr_or_decls};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::path::PathBuf;

/// The terminal.
pub struct Terminal {
    editor: Editor<Assistant, DefaultHistory>,
    /// Where the history is kept between sessions, if there is a place.
    history: Option<PathBuf>,
}

impl Terminal {
    /// Opens it, with the history of earlier sessions.
    ///
    /// # Errors
    /// Standard input or output is no terminal that can be used.
    pub fn open() -> Result<Terminal, Failure> {
        let config = Config::builder().completion_type(CompletionType::List).completion_show_all_if_ambiguous(true);
        let config = config.history_ignore_dups(true).and_then(|c| c.max_history_size(10_000)).map_err(failed)?.build();
        let mut editor = Editor::with_config(config).map_err(failed)?;
        editor.set_helper(Some(Assistant::default()));
        let history = history();
        if let Some(path) = &history {
            // there is none yet, or none that can be read: it begins anew
            let _ = editor.load_history(path);
        }
        Ok(Terminal { editor, history })
    }
}

impl Lines for Terminal {
    fn next(&mut self, prompt: &str, session: &Session) -> Result<Option<Input>, Failure> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.session = session.clone();
        }
        loop {
            match self.editor.readline(prompt) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => {
                    let _ = self.editor.add_history_entry(text.trim_end());
                    if let Some(path) = &self.history {
                        let _ = path.parent().map(std::fs::create_dir_all);
                        let _ = self.editor.append_history(path);
                    }
                    return Ok(Some(Input::Text(text)));
                }
                // what has been typed is dropped
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(e) => return Err(failed(e)),
            }
        }
    }
}

fn failed(e: ReadlineError) -> Failure {
    Failure::Io(format!("terminal: {e}"))
}

/// The file of the history, by the XDG base directory specification: `$XDG_STATE_HOME/futi/history`.
fn history() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("futi/history"))
}

/// What helps while a line is edited.
#[derive(Default)]
struct Assistant {
    session: Session,
    hinter: HistoryHinter,
    files: FilenameCompleter,
}

impl Helper for Assistant {}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..pos];
        if let Some(name) = before.strip_prefix(':') {
            let Some((name, _)) = name.split_once(char::is_whitespace) else {
                let fits = COMMANDS.iter().filter(|c| c.name.starts_with(name));
                let pair = |c: &super::command::Command| Pair {
                    display: format!(":{:<9} {}", c.name, c.about),
                    replacement: format!(":{}", c.name),
                };
                return Ok((0, fits.map(pair).collect()));
            };
            if COMMANDS.iter().any(|c| c.name == name && c.takes_file()) {
                return self.files.complete(line, pos, ctx);
            }
        }
        let (start, found) = self.session.candidates(before);
        let pair = |c: futi_core::session::Candidate| {
            let room = if c.about.is_empty() { "" } else { " " };
            Pair { display: format!("{}{room}{}", c.name, c.about), replacement: c.name }
        };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, pos: usize, ctx: &Context<'_>) -> Option<String> {
        if line.is_empty() { None } else { self.hinter.hint(line, pos, ctx) }
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Owned(highlight::code(line))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(highlight::aside(hint))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}

impl Validator for Assistant {
    /// An input goes on while it is the beginning of something; one that cannot be read is kept, to be mended.
    fn validate(&self, ctx: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let inputs = Inputs::of(ctx.input());
        for (i, input) in inputs.iter().enumerate().filter(|(_, input)| !is_command(input)) {
            match Extent::of(input) {
                Extent::Nothing | Extent::Declarations | Extent::Expression => {}
                // an empty line asks what is missing
                Extent::Beginning if i + 1 == inputs.len() && !ctx.input().ends_with("\n") => {
                    return Ok(ValidationResult::Incomplete);
                }
                Extent::Beginning | Extent::Mistake => return Ok(ValidationResult::Invalid(Some(mistake(input)))),
            }
        }
        Ok(ValidationResult::Valid(None))
    }
}

/// What is wrong with a text, on lines below it, and what to write.
fn mistake(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("input", text);
    let (_, diagnostics) = parse_expr_or_decls(file, text);
    let Some(first) = diagnostics.first() else { return String::new() };
    let hint =
        first.notes.iter().find(|note| note.starts_with("Hint:")).map_or(String::new(), |note| format!("\n{note}"));
    format!("\n{}{hint}", one_line(first, &sources))
}
