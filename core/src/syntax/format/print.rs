//! From the sheet to text: decides which groups are broken, and writes the tokens.

use super::WIDTH;
use super::sheet::{Align, Group, GroupId, ROOT, Sheet, Space, Tok};
use crate::syntax::token::Token;

/// No line begins further to the right: what is nested that deep would only be moved off the screen (and make a text of 10 MB one of gigabytes).
const FURTHEST: usize = 100;

/// How a group is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// On one line.
    Flat,
    /// On one line, but for the last argument.
    Hug,
    /// With all its breaks.
    Broken,
}

/// The text.
pub(super) fn print(sheet: Sheet<'_>) -> String {
    let mut order: Vec<usize> = (1..sheet.groups.len()).collect();
    // of two that begin together, the outer was made first
    order.sort_by_key(|&g| sheet.groups[g].first);
    let forced = forced(&sheet, &order);
    let measure = Measure::new(&sheet);
    let indent = sheet.groups.len();
    let mut printer = Printer {
        sheet: &sheet,
        measure,
        forced,
        modes: vec![Mode::Broken; indent],
        columns: vec![0; sheet.tokens.len()],
        out: String::new(),
        column: 0,
        indent: 0,
    };
    let mut order = order.into_iter().peekable();
    let mut open = vec![ROOT.0];
    for tok in 0..sheet.tokens.len() {
        if !sheet.dropped[tok] {
            printer.gap(tok);
            printer.columns[tok] = printer.column;
        }
        while let Some(g) = order.next_if(|&g| sheet.groups[g].first == tok) {
            let parent = open.last().map_or(Mode::Broken, |&p| printer.modes[p]);
            printer.modes[g] = printer.mode(g, parent);
            open.push(g);
        }
        if !sheet.dropped[tok] {
            printer.push(sheet.tokens[tok].1);
        }
        while open.len() > 1 && open.last().is_some_and(|&g| sheet.groups[g].last <= tok) {
            open.pop();
        }
    }
    printer.gap(sheet.tokens.len());
    printer.out
}

/// Whether a group must be broken, or its last argument.
#[derive(Clone, Copy, Default)]
struct Forced {
    whole: bool,
    hugged: bool,
}

/// Which groups must be broken: those that were, those with comments in them, and those around such.
fn forced(sheet: &Sheet<'_>, order: &[usize]) -> Vec<Forced> {
    let mut forced = vec![Forced::default(); sheet.groups.len()];
    let mut order = order.iter().copied().peekable();
    let mut open = vec![ROOT.0];
    for tok in 0..sheet.tokens.len() {
        let gap = &sheet.gaps[tok];
        let innermost = open.last().copied().unwrap_or(ROOT.0);
        match gap.space {
            _ if !gap.comments.is_empty() => forced[innermost].whole = true,
            Space::Line(ROOT) => forced[innermost].whole = true,
            Space::Line(g) | Space::Pad(g) if gap.newline => forced[g.0].whole = true,
            _ => {}
        }
        while let Some(g) = order.next_if(|&g| sheet.groups[g].first == tok) {
            open.push(g);
        }
        while let Some(&g) = open.last().filter(|&&g| g != ROOT.0 && sheet.groups[g].last <= tok) {
            open.pop();
            let parent = open.last().copied().unwrap_or(ROOT.0);
            if forced[g].whole || forced[g].hugged {
                match sheet.groups[parent].hug {
                    Some(hug) if sheet.groups[g].first >= hug => forced[parent].hugged = true,
                    _ => forced[parent].whole = true,
                }
            }
        }
    }
    forced
}

/// Widths of what is printed flat.
struct Measure {
    /// Of each gap.
    gaps: Vec<usize>,
    /// Of all before and including a token.
    through: Vec<usize>,
    /// From the gap before a token to the next place where a line may end.
    tail: Vec<usize>,
}

impl Measure {
    fn new(sheet: &Sheet<'_>) -> Measure {
        let count = sheet.tokens.len();
        let mut measure = Measure { gaps: vec![0; count + 1], through: vec![0; count], tail: vec![0; count + 1] };
        let mut before = None;
        let mut sum = 0;
        let width = |tok: Tok| if sheet.dropped[tok] { 0 } else { sheet.tokens[tok].1.chars().count() };
        for tok in 0..count {
            if !sheet.dropped[tok] {
                measure.gaps[tok] = before.map_or(0, |before| flat(sheet, before, tok));
                before = Some(tok);
            }
            sum += measure.gaps[tok] + width(tok);
            measure.through[tok] = sum;
        }
        for tok in (0..count).rev() {
            let gap = &sheet.gaps[tok];
            let ends = !gap.comments.is_empty() || matches!(gap.space, Space::Line(_) | Space::Fill(..));
            measure.tail[tok] = if ends { 0 } else { measure.gaps[tok] + width(tok) + measure.tail[tok + 1] };
        }
        measure
    }

    /// From a token to another, and on to where a line may end.
    fn needed(&self, first: Tok, last: Tok) -> usize {
        self.between(first, last) + self.tail[last + 1]
    }

    fn between(&self, first: Tok, last: Tok) -> usize {
        let before = first.checked_sub(1).map_or(0, |t| self.through[t]);
        self.through[last] - before - self.gaps[first]
    }
}

/// How wide the gap between two tokens is on a line.
fn flat(sheet: &Sheet<'_>, before: Tok, tok: Tok) -> usize {
    let (a, b) = (sheet.tokens[before], sheet.tokens[tok]);
    let blank = match sheet.gaps[tok].space {
        Space::Glued => false,
        Space::Blank => true,
        Space::Auto | Space::Line(_) | Space::Pad(_) | Space::Fill(..) => usually(a.0, b.0),
    };
    usize::from(blank || would_merge(a, b))
}

/// Whether a blank usually stands between two tokens.
fn usually(before: Token<'_>, token: Token<'_>) -> bool {
    use Token::*;
    const RANGE: [&str; 4] = ["..", "...", "..<", "..>"];
    let opens = matches!(before, Sym("(" | "[" | "{" | "#" | "#[" | "'" | "'^" | "'~" | "\\" | "." | "?"));
    let opens = opens || matches!(before, IndexBracket | Dot | DotParen);
    let closes = matches!(token, Sym(")" | "]" | "}" | "," | ".") | IndexBracket | Dot | DotParen);
    let range = |t: Token<'_>| matches!(t, Sym(s) if RANGE.contains(&s));
    !opens && !closes && !range(before) && !range(token)
}

/// Whether two tokens that touch would be read as others.
fn would_merge((a, before): (Token<'_>, &str), (b, token): (Token<'_>, &str)) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let is_operator = |c: char| "+-*/%=!><|&^".contains(c);
    let both = |f: &dyn Fn(char) -> bool| before.ends_with(f) && token.starts_with(f);
    let number = matches!(a, Token::Int(..) | Token::Float(..));
    (both(&is_word) && before != "'")
        || both(&is_operator)
        // an operator may end in a dot
        || (matches!(a, Token::Op(_) | Token::QualOp(_)) && before.ends_with('.') && token.starts_with(is_operator))
        || (number && b == Token::Dot)
        // `'a'` is a character
        || (before == "'" && token.chars().nth(1) == Some('\''))
}

struct Printer<'a> {
    sheet: &'a Sheet<'a>,
    measure: Measure,
    forced: Vec<Forced>,
    modes: Vec<Mode>,
    /// Where each token was printed.
    columns: Vec<usize>,
    out: String,
    column: usize,
    /// Where the line begins.
    indent: usize,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn newline(&mut self, blank: bool, align: Align) {
        let column = match align {
            Align::Margin => 0,
            Align::At(tok, offset) => self.columns[tok].saturating_add_signed(offset as isize),
            Align::Hang => self.indent + 2,
        };
        let column = column.min(FURTHEST);
        self.out.push('\n');
        if blank {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', column));
        (self.column, self.indent) = (column, column);
    }

    fn fits(&self, needed: usize) -> bool {
        self.column + needed <= WIDTH
    }

    fn mode(&self, g: usize, parent: Mode) -> Mode {
        let Group { first, last, hug } = self.sheet.groups[g];
        let forced = self.forced[g];
        match hug {
            _ if parent == Mode::Flat => Mode::Flat,
            _ if forced.whole => Mode::Broken,
            Some(hug) if forced.hugged && self.fits(self.measure.between(first, hug)) => Mode::Hug,
            _ if forced.hugged || !self.fits(self.measure.needed(first, last)) => Mode::Broken,
            _ => Mode::Flat,
        }
    }

    fn broken(&self, group: GroupId) -> bool {
        self.modes[group.0] == Mode::Broken
    }

    /// What stands before a token: comments, a blank, the end of a line.
    fn gap(&mut self, tok: Tok) {
        let gap = &self.sheet.gaps[tok];
        let end = tok == self.sheet.tokens.len();
        let start = self.out.is_empty();
        for (i, comment) in gap.comments.iter().enumerate() {
            if start && i == 0 {
            } else if comment.own_line {
                self.newline(comment.blank && gap.keep_blank, gap.comment_align.unwrap_or(gap.align));
            } else {
                self.push(" ");
            }
            self.push(comment.text);
        }
        if end {
            if !self.out.is_empty() {
                self.out.push('\n');
            }
            return;
        }
        let blank = gap.blank && gap.keep_blank;
        let newline = match gap.space {
            _ if !gap.comments.is_empty() => true,
            _ if start => return,
            Space::Line(g) => self.broken(g),
            Space::Pad(g) if self.broken(g) => return self.push(" "),
            Space::Fill(g, last) => {
                self.broken(g) && !self.fits(self.measure.gaps[tok] + self.measure.needed(tok, last))
            }
            Space::Pad(_) | Space::Auto | Space::Glued | Space::Blank => false,
        };
        if newline {
            self.newline(blank, gap.align);
        } else if self.measure.gaps[tok] > 0 {
            self.push(" ");
        }
    }
}
