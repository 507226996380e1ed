//! Why mutants survive although no test is missing: comments above the lines that they speak of.
//!
//! ```text
//! // mutant tie: at the threshold both ways give the same bits
//! // mutant off by one `20`: …
//! if k < 20 {
//! ```
//!
//! Such a comment names an operator, a part of the change as it is printed, both or neither, and gives the reason, which may go on in the comment's
//! next lines. It is for the mutants of the line of code below it, of which it must describe one.

use super::{Mutant, Operator};

/// What the comment begins with.
const MARK: &str = "mutant";

/// A reason, and the survivors that it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The file, by its path in the workspace.
    file: String,
    /// The line of code, from 1.
    line: usize,
    /// What is changed; none for anything.
    operator: Option<Operator>,
    /// What the change, as it is printed, contains.
    change: String,
    /// Why the program is as good with the mutant as without it.
    pub reason: String,
}

impl Explanation {
    /// Whether it is for this mutant.
    pub fn is_for(&self, m: &Mutant) -> bool {
        (self.line, &self.file) == (m.line, &m.file)
            && self.operator.is_none_or(|o| o == m.site.operator)
            && m.change.contains(&self.change)
    }
}

/// The explanations in a file's text, all of which must be for some of its mutants.
///
/// # Errors
/// A comment without a reason, or for none.
pub fn read(file: &str, text: &str, mutants: &[Mutant]) -> Result<Vec<Explanation>, String> {
    let mut explanations = Vec::new();
    // the last comment: its line, and what it says
    let mut open: Vec<(usize, String)> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("//").map(str::trim), open.last_mut()) {
            (Some(comment), _)
                if comment.starts_with(&format!("{MARK} ")) || comment.starts_with(&format!("{MARK}:")) =>
            {
                open.push((i + 1, comment[MARK.len()..].trim_start().to_string()));
            }
            (Some(comment), Some((_, said))) => *said += &format!(" {comment}"),
            (Some(_), None) => {}
            (None, _) => {
                for (at, said) in open.drain(..) {
                    let explanation = parse(&said).map(|(operator, change, reason)| {
                        let [change, reason] = [change, reason].map(str::to_string);
                        Explanation { file: file.to_string(), line: i + 1, operator, change, reason }
                    });
                    match explanation {
                        Some(e) if mutants.iter().any(|m| e.is_for(m)) => explanations.push(e),
                        Some(_) => return Err(format!("{file}:{at}: of line {}, `{said}` describes no mutant", i + 1)),
                        None => return Err(format!("{file}:{at}: `{said}` gives no reason for a mutant")),
                    }
                }
            }
        }
    }
    Ok(explanations)
}

/// Of what a comment says behind its mark: operator, change, reason.
fn parse(said: &str) -> Option<(Option<Operator>, &str, &str)> {
    // a colon in quoted code ends nothing
    let mut quoted = false;
    let is_end = |(_, c): &(usize, char)| {
        quoted ^= *c == '`';
        *c == ':' && !quoted
    };
    let (end, _) = said.char_indices().find(is_end)?;
    let (what, reason) = (&said[..end], said[end + 1..].trim());
    let operator = Operator::ALL.into_iter().find(|o| what.starts_with(o.name()));
    let change = what[operator.map_or(0, |o| o.name().len())..].trim();
    // a word that is no operator is a mistake
    let is_change = change.is_empty() || change.starts_with(['`', '-']);
    (is_change && !reason.is_empty()).then_some((operator, change, reason))
}

#[cfg(test)]
mod tests {
    use super::super::{Target, mutants};
    use super::*;

    /// The code below a comment.
    fn below(comment: &str) -> Result<(Vec<Mutant>, Vec<Explanation>), String> {
        let (file, text) = ("core/src/passes/x.rs", format!("fn f(n: u32) -> bool {{\n{comment}    n < 20\n}}\n"));
        let mutants = mutants(Target::Passes, file, &text, 0).unwrap();
        let explanations = read(file, &text, &mutants)?;
        Ok((mutants, explanations))
    }

    /// The changes that comments are for.
    fn explained(comment: &str) -> Vec<String> {
        let (mutants, explanations) = below(comment).unwrap();
        let is_explained = |m: &&Mutant| explanations.iter().any(|e| e.is_for(m));
        mutants.iter().filter(is_explained).map(|m| m.change.clone()).collect()
    }

    #[test]
    fn a_comment_is_for_the_mutants_of_its_line_that_it_describes() {
        let (line, number) = ("`n < 20` -> `n <= 20`", "`20` -> `21`");
        assert_eq!(explained(""), [""; 0]);
        assert_eq!(explained("    // mutant comparison: equal is as good\n"), [line]);
        assert_eq!(explained("    // mutant off by one `20`: 20 does not come here\n"), [number]);
        assert_eq!(explained("    // mutant -> `21`: 20 does not come here\n"), [number]);
        assert_eq!(explained("    // mutant: not\n    // at all\n"), [line, number]);
        let both = "    // Why it is so.\n    // mutant comparison: a\n    // mutant off by one: b\n";
        assert_eq!(explained(both), [line, number]);
    }

    #[test]
    fn a_reason_goes_on_in_the_next_lines() {
        let (_, explanations) = below("    // mutant comparison:  a\n    //   b: c\n").unwrap();
        assert_eq!(explanations[0].reason, "a b: c");
        assert_eq!(parse("comparison `m::f(x: 1)`: why"), Some((Some(Operator::Comparison), "`m::f(x: 1)`", "why")));
    }

    #[test]
    fn a_comment_for_nothing_or_without_a_reason_is_an_error() {
        let error = |comment: &str| below(comment).unwrap_err();
        assert_eq!(
            error("    // mutant sign: no\n"),
            "core/src/passes/x.rs:2: of line 3, `sign: no` describes no mutant"
        );
        assert!(error("    // mutant comparison: no\n\n").contains("of line 3,"));
        assert!(error("    // mutant off by one `21` -> `22`: no\n").contains("describes no mutant"));
        for comment in ["mutant comparison", "mutant comparison: ", "mutant nothing: no"] {
            assert!(error(&format!("    // {comment}\n")).contains("gives no reason"), "{comment}");
        }
    }
}
