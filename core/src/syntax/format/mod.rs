//! The formatter: a program as Futhark programmers lay it out, 80 columns wide.
//!
//! Note [Formatting tokens]: the syntax tree leaves out how a number was written, redundant parentheses and comments, so nothing is printed from it.
//! The formatter prints the *tokens* of the text, in their order; the tree only says what may stand between them (`sheet`): nothing, a space, or a
//! break that belongs to a group. A group is printed flat if it fits in the rest of its line, else all of its breaks become ends of lines. So no token
//! and no comment can be lost. What goes are commas before closing brackets and `in` before `let`, neither of which means anything.
//!
//! Note [Lines are kept]: a group that the author broke stays broken, as with Futhark's formatter: who writes a record on several lines has a
//! reason. That is what makes formatting idempotent, too: a group that had to be broken for its width will be found broken next time. The newlines that count
//! are therefore exactly those at the breaks of groups.

mod decl;
mod expr;
mod print;
mod sheet;
mod types;

use super::{parse, token};
use crate::diag::Diagnostic;
use crate::source::FileId;
use sheet::Sheet;

/// How wide a line should be at most.
pub const WIDTH: usize = 80;

/// The program in its usual layout; what is wrong with it, if it cannot be read.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (ast, diagnostics) = parse(file, text);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut sheet = Sheet::new(text, &token::lex(file, text).tokens);
    sheet.program(&ast);
    Ok(print::print(sheet))
}
