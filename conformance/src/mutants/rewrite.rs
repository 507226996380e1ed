//! The text of a source file with its mutants in it, all off.

use super::runtime::MARKS;
use super::{Form, Mutant};
use std::ops::Range;

/// A file rewritten.
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// Where in it each mutant is, outer ones first.
    places: Vec<(Range<usize>, u32)>,
}

impl Rewritten {
    /// The innermost mutant that a range of the text belongs to.
    pub fn owner(&self, range: Range<usize>) -> Option<u32> {
        let around = self.places.iter().filter(|(p, _)| p.start <= range.start && range.end <= p.end);
        around.min_by_key(|(p, _)| p.len()).map(|(_, id)| *id)
    }

    /// The mutants that are in a range of the text.
    pub fn within(&self, range: Range<usize>) -> Vec<u32> {
        let inside = self.places.iter().filter(|(p, _)| range.start <= p.start && p.end <= range.end);
        inside.map(|(_, id)| *id).collect()
    }
}

/// Plants mutants, which are in order of their places, nested or apart. Inside of what a mutant puts in place there are no others: one is on at a time.
pub fn rewrite(text: &str, mutants: &[&Mutant]) -> Rewritten {
    let mut out = Rewritten { text: String::new(), places: Vec::new() };
    piece(text, 0..text.len(), mutants, &mut out);
    out
}

fn piece(text: &str, range: Range<usize>, mutants: &[&Mutant], out: &mut Rewritten) {
    let mut at = range.start;
    let mut rest = mutants;
    while let Some((first, others)) = rest.split_first() {
        let site = &first.site;
        let inner = others.iter().take_while(|m| m.site.range.start < site.range.end).count();
        let (inner, after) = others.split_at(inner);
        out.text += &text[at..site.range.start];
        let start = out.text.len();
        let id = first.id;
        let (before, kept, behind) = match &site.form {
            Form::Instead(other) => {
                (format!("(if ::futi_mutant::on({id}) {{ {other} }} else {{ "), site.range.clone(), " })".to_string())
            }
            Form::Removed => (format!("if !::futi_mutant::on({id}) {{ "), site.range.clone(), " }".to_string()),
            Form::Unreversed(end) => (format!("::futi_mutant::rev({id}, "), site.range.start..*end, ")".to_string()),
            Form::Reading(other) => {
                let [a, b, c, d] = MARKS;
                (format!("{a}{id}{b}"), site.range.clone(), format!("{c}{other}{d}"))
            }
        };
        out.text += &before;
        piece(text, kept, inner, out);
        out.text += &behind;
        out.places.push((start..out.text.len(), id));
        at = site.range.end;
        rest = after;
    }
    out.text += &text[at..range.end];
}
