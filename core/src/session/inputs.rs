//! From lines to inputs. An input is a command, an expression, or declarations, and may take several lines: what ends it is decided by the parser, never by
//! counting brackets.

use crate::syntax::{Extent, Start};

/// Lines that come one by one, from which inputs are made.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The lines that may be the beginning of an input only.
    held: String,
}

impl Inputs {
    /// All inputs of a text. The last one may be incomplete.
    pub fn of(text: &str) -> Vec<String> {
        let mut inputs = Inputs::default();
        let mut all: Vec<String> = text.lines().flat_map(|line| inputs.line(line)).collect();
        all.extend(inputs.end());
        all
    }

    /// Takes a line, without its end, and gives the inputs that end with it, or before it. An expression ends where it can be read; declarations go on
    /// up to a line that is not indented and begins something else, as in a file.
    pub fn line(&mut self, line: &str) -> Vec<String> {
        let mut out = Vec::new();
        if self.ends_before(line) {
            out.extend(self.end());
        }
        if self.held.is_empty() && is_command(line) {
            out.push(line.trim().to_string());
            return out;
        }
        if !(self.held.is_empty() && line.trim().is_empty()) {
            self.held.push_str(line);
            self.held.push('\n');
        }
        if matches!(Start::of(&self.held), Start::Expression | Start::Let)
            && matches!(Extent::of(&self.held), Extent::Expression | Extent::Mistake)
        {
            out.extend(self.end());
        }
        out
    }

    /// What is left where no line follows.
    pub fn end(&mut self) -> Option<String> {
        let held = std::mem::take(&mut self.held);
        (Start::of(&held) != Start::Nothing).then(|| held.trim_end().to_string())
    }

    /// Whether what has been held does not go on with this line.
    fn ends_before(&self, line: &str) -> bool {
        if self.held.is_empty() || line.starts_with(char::is_whitespace) {
            return false;
        }
        let held = || Extent::of(&self.held);
        match Start::of(line) {
            _ if is_command(line) => true,
            Start::Nothing | Start::Rest => false,
            // in a module in braces they may stand at the beginning of a line
            Start::Declaration => match held() {
                Extent::Nothing => false,
                Extent::Beginning => Extent::of(&format!("{}{line}\n", self.held)) == Extent::Mistake,
                _ => true,
            },
            Start::Expression | Start::Let => match held() {
                Extent::Nothing => false,
                // an expression does not go on behind an empty line, where something else may be meant
                Extent::Beginning => self.held.ends_with("\n\n") && Start::of(&self.held) == Start::Expression,
                _ => true,
            },
        }
    }
}

/// Whether the line is a command: no declaration or expression has a name right behind a colon at the beginning of a line.
pub fn is_command(line: &str) -> bool {
    line.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(text: &str) -> Vec<String> {
        Inputs::of(text)
    }

    #[test]
    fn what_can_be_read_is_an_input() {
        assert_eq!(inputs("1 + 2\n3\n\n\n:type 4\n5"), ["1 + 2", "3", ":type 4", "5"]);
        for whole in [
            "def f x =\n  x\n  + 1",
            "def f x =\nlet y = x\nin y",
            "let f x =\n  x + 1",
            "let x = 1\nin x + 1",
            "xs |>\n  map (+1) |>\n  f64.sum",
            "loop x = 1 for i < 3 do\n  x * 2",
            "if true\nthen 1\nelse 2",
            "def f x =\n  match x\n  case 1 -> 2\n  case _ -> 3",
            "def f x = match x\ncase 1 -> 2\ncase _ -> 3",
            "[\"a [\", -- a ] bracket\n \"b\"]",
            "f (\n\n  1)",
            "module m = {\ndef x = 1\n\ndef y = 2\n}",
            "-- | Says what it is.\ndef x = 1",
            "-- A comment.\ndef x = 1",
            "#[noinline]\ndef f (x: i32) = x",
            "\\x ->\n  x + 1",
            "def f\n  (x: i32)\n  : i32 = x",
            "def f x =\n\n  x -- a blank line in between",
        ] {
            assert_eq!(inputs(&format!("{whole}\n")), [whole]);
            assert_eq!(inputs(&format!("{whole}\n\n7\ndef z = 1\n")), [whole, "7", "def z = 1"], "{whole}");
        }
    }

    #[test]
    fn a_mistake_ends_where_something_else_begins() {
        // in line 2, where `=` is one too many; the rest belongs to it
        assert_eq!(
            inputs("def f x =\n  let y = = 2\n  in y\ndef g = 1\n"),
            ["def f x =\n  let y = = 2\n  in y", "def g = 1"]
        );
        assert_eq!(inputs("def f x = (x\ndef g = 1\ng"), ["def f x = (x", "def g = 1", "g"]);
        assert_eq!(inputs("1 +\n:quit"), ["1 +", ":quit"]);
        assert_eq!(inputs("(((\n\n1"), ["(((", "1"]);
        assert_eq!(inputs(")\n1"), [")", "1"]);
        assert_eq!(inputs("\"no end\n1"), ["\"no end", "1"]);
        assert_eq!(inputs("1 +"), ["1 +"]);
        assert_eq!(inputs("-- nothing\n\n  -- at all\n"), [""; 0]);
    }

    #[test]
    fn an_expression_needs_no_line_behind_it() {
        let mut lines = Inputs::default();
        assert_eq!(lines.line("1 + 1"), ["1 + 1"]);
        assert_eq!(lines.line("def x = 1"), [""; 0]);
        assert_eq!(lines.line("x"), ["def x = 1", "x"]);
    }
}
