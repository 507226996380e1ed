//! Futhark's test blocks (futhark-compat.md §1.3), and [`random`] values: what fuzzing has in common with the harness.
//!
//! A block starts at a line that is exactly `-- ==` and goes on over the lines that start with `--`. [`parse`] reads the whole grammar.

mod block;
mod pattern;
pub mod random;
#[cfg(test)]
mod tests;

pub use block::random_value;
pub use pattern::Pattern;

use futi_core::prim::ScalarType;
use futi_core::value::{Value, text};
use std::fmt;

/// The test blocks of a program, in order. None: the program must compile.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The blocks.
    pub blocks: Vec<Block>,
}

/// A test block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The line of its `-- ==`, from 1.
    pub line: usize,
    /// The words of `tags { … }`.
    pub tags: Vec<String>,
    /// What is to be done.
    pub action: Action,
}

/// What a block asks for.
#[derive(Clone, Debug)]
pub enum Action {
    /// The program must be rejected, with diagnostics that match.
    CompileError(Pattern),
    /// Property-based tests, by name.
    Properties(Vec<String>),
    /// The program must be accepted, and these must hold.
    Run(Run),
}

/// Cases for entry points, and what must hold of the compiled program.
#[derive(Clone, Debug)]
pub struct Run {
    /// The entry points; each runs all the cases.
    pub entries: Vec<String>,
    /// The cases.
    pub cases: Vec<TestCase>,
    /// What the IR must contain.
    pub structures: Vec<Structure>,
    /// What the compiler must warn of.
    pub warnings: Vec<Pattern>,
}

/// An input, and what is to come of it.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The line where it starts, from 1.
    pub line: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The words before `input`: `nobench`, `compiled` ...
    pub tags: Vec<String>,
    /// The input.
    pub input: Input,
    /// The expectation.
    pub expect: Expect,
}

/// Where the input of a case comes from.
#[derive(Clone, Debug)]
pub enum Input {
    /// It stands there.
    Values(Vec<Value>),
    /// In a file, relative to the program.
    File(String),
    /// It is made at random.
    Random(Vec<RandomValue>),
    /// The value of a FutharkScript expression.
    Script(String),
    /// The value of the FutharkScript expression in a file.
    ScriptFile(String),
}

/// One value of a `random input`.
#[derive(Clone, Debug, PartialEq)]
pub enum RandomValue {
    /// Of this element type and shape.
    OfType(ScalarType, Vec<usize>),
    /// This one.
    Value(Value),
}

/// What is to come of a case.
#[derive(Clone, Debug)]
pub enum Expect {
    /// No failure.
    Success,
    /// These values.
    Values(Vec<Value>),
    /// The values in a file, relative to the program.
    File(String),
    /// What the reference computes.
    Auto,
    /// A runtime error whose text matches.
    Error(Pattern),
}

/// How often kinds of IR nodes occur.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// The line, from 1.
    pub line: usize,
    /// The stage, as written; none for the one after fusion.
    pub stage: Option<String>,
    /// Paths of kinds, `Outer/Inner`, each with its number. One that is to stand in no other, `/Outer/Inner`, begins with nothing.
    pub counts: Vec<(Vec<String>, usize)>,
}

/// A test block that is malformed.
#[derive(Clone, PartialEq, Debug)]
pub struct SpecError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}
impl std::error::Error for SpecError {}

/// Reads the test blocks of a program.
///
/// # Errors
/// The first block that is malformed; a compile error that is not alone.
pub fn parse(source: &str) -> Result<Spec, SpecError> {
    let mut blocks: Vec<Block> = Vec::new();
    for (line, text) in block_texts(source) {
        let first = blocks.is_empty();
        let block = block::parse(line, &text, first)?;
        if !first && matches!(blocks[0].action, Action::CompileError(_)) {
            let message = "no other test block may follow one that asks for a compile error".into();
            return Err(SpecError { line, message });
        }
        blocks.push(block);
    }
    Ok(Spec { blocks })
}

/// Reads test blocks of a file of their own, whose lines are those of comments without the `--`.
///
/// # Errors
/// As [`parse`].
pub fn parse_bare(source: &str) -> Result<Spec, SpecError> {
    let comments: String = source.lines().map(|line| format!("-- {line}\n")).collect();
    parse(&comments)
}

/// Reads values as test blocks and data files have them.
///
/// # Errors
/// The text is none of values of the types known; the line is counted from `line`.
pub fn parse_values(source: &str, line: usize) -> Result<Vec<Value>, SpecError> {
    text::parse_values_wrapping(source, &[])
        .map_err(|e| SpecError { line: line + e.line - 1, message: format!("column {}: {}", e.column, e.message) })
}

/// The text of each block with blanks for its `--`, so that columns stay, and the line of its `-- ==`. The first line of the text is the one of the `-- ==`.
fn block_texts(source: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (i, line) in source.lines().enumerate() {
        let Some(comment) = line.strip_prefix("--") else {
            inside = false;
            continue;
        };
        if line.trim_end() == "-- ==" {
            blocks.push((i + 1, String::new()));
            inside = true;
        } else if let (true, Some((_, text))) = (inside, blocks.last_mut()) {
            text.push_str("\n  ");
            text.push_str(comment);
        }
    }
    blocks
}
