//! What was meant by a program that is not well typed: hints, each with the text as it is to be written. Nothing here is asked of programs that are well typed,
//! and of others only for as many errors as are shown.
//!
//! Whether a program would be well typed with a change is tried out: types are made equal as if it had been made, and all that has become known by it is forgotten.

mod call;
mod declarations;
mod missing;
mod names;
mod numbers;
mod sizes;
#[cfg(test)]
mod tests;

pub(super) use call::Call;
pub(super) use names::other_type;
pub(super) use numbers::literal_range;

use super::apply::shown;
use super::check::Checker;
use super::infer::T;
use super::ty::*;
use super::typed::PatKind;
use super::unify::Want;
use crate::diag::{Diagnostic, Edit, edited};
use crate::prim::ScalarType;
use crate::source::Span;

impl Checker {
    /// Makes an expression be of a type, or reports why it had to be, and what may be written instead.
    pub(in crate::types) fn require(&mut self, expected: &Type, e: &T, why: impl FnOnce() -> String) {
        if let Err(mismatch) = self.infer.unify(expected, &e.ty) {
            let d = self.infer.mismatch(&mismatch, expected, &e.ty, e.span, &why());
            let d = self.advised(d, expected, e, e.span);
            self.infer.failed(d, expected);
        }
    }

    /// The error that an expression is not of a type, with what may be written instead: the text of `around` is shown.
    pub(in crate::types) fn advised(&mut self, d: Diagnostic, expected: &Type, e: &T, around: Span) -> Diagnostic {
        if !self.infer.may_try() || d.has_hint() {
            return d;
        }
        let d = self.missing_arguments(d, expected, e, around);
        let d = if d.has_hint() { d } else { self.converted(d, expected, e, around) };
        if d.has_hint() { d } else { self.resized(d, expected, e, around) }
    }

    /// What would be, if something were made equal: all that becomes known is forgotten again.
    pub(in crate::types) fn tentatively<R>(&mut self, within: impl FnOnce(&mut Checker) -> R) -> R {
        let before = self.infer.known();
        let result = within(self);
        self.infer.forget(before);
        result
    }

    /// The text at a place.
    pub(in crate::types) fn text(&self, span: Span) -> String {
        self.sources.text(span).to_string()
    }

    /// The text at a place as an argument: in parentheses, if it is more than one thing.
    pub(in crate::types) fn atom(&self, span: Span) -> String {
        let text = self.text(span);
        if is_atom(&text) { text } else { format!("({text})") }
    }

    /// A hint to write something else at a place: the text of the place around it, with the changes.
    pub(in crate::types) fn rewrite(&self, d: Diagnostic, why: &str, around: Span, edits: Vec<Edit>) -> Diagnostic {
        if self.sources.text(around).is_empty()
            || edits.iter().any(|(at, _)| at.start < around.start || at.end > around.end)
        {
            return d;
        }
        let inside = |at: Span| Span { start: at.start - around.start, end: at.end - around.start, ..at };
        let relative: Vec<Edit> = edits.iter().map(|(at, new)| (inside(*at), new.clone())).collect();
        let text = edited(self.sources.text(around), &relative);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = match words.chars().count() > 100 {
            true => words.chars().take(97).chain("...".chars()).collect(),
            false => words,
        };
        let d = d.hint(format!("{why}write `{words}`."));
        edits.into_iter().fold(d, |d, (at, new)| d.edit(at, new))
    }

    /// A value of a type, for an argument that is missing: this number, or it for each element of one of these arrays.
    pub(in crate::types) fn some_value(&self, ty: &Type, number: &str, arrays: &[String]) -> String {
        match self.infer.zonk(ty) {
            Type::Scalar(ScalarType::Bool) => "false".to_string(),
            Type::Scalar(_) => number.to_string(),
            Type::Meta(m) if matches!(self.infer.want(m), Want::Scalars(_) | Want::Comparable) => number.to_string(),
            Type::Record(fields) if !fields.is_empty() => {
                let tuple = Type::Record(fields.clone());
                let value = |t: &Type| self.some_value(t, number, arrays);
                match tuple.as_tuple() {
                    Some(types) => format!("({})", types.into_iter().map(value).collect::<Vec<_>>().join(", ")),
                    None => {
                        let field = |(name, t): &(Name, Type)| format!("{name} = {}", value(t));
                        format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
                    }
                }
            }
            Type::Array(_, elem) => match arrays.first() {
                Some(array) => format!("(map (\\_ -> {}) {array})", self.some_value(&elem, number, &[])),
                None => "[]".to_string(),
            },
            Type::Fun(fun)
                if fun.arg == fun.ret
                    || matches!(self.infer.head(&fun.ret), Type::Meta(m) if *self.infer.want(m) == Want::Anything) =>
            {
                "id".to_string()
            }
            Type::Fun(fun) => format!("(\\_ -> {})", self.some_value(&fun.ret, number, arrays)),
            _ => "???".to_string(),
        }
    }

    /// The error of a definition whose parameters have other types than those asked for, with these types.
    pub(in crate::types) fn with_types(&self, d: Diagnostic, id: &Id, asked: &Type) -> Diagnostic {
        let Some(def) = self.env.def(id) else { return d };
        let (mut ty, mut edits) = (asked.clone(), vec![]);
        for p in &def.params {
            let (PatKind::Name(name), Type::Fun(fun)) = (&p.kind, ty) else { return d };
            if self.sources.text(p.span) == &*name.name {
                edits.push((p.span, format!("({name}: {})", fun.arg)));
            }
            ty = fun.ret.clone();
        }
        let shown: Vec<&str> = edits.iter().map(|(_, new)| new.as_str()).collect();
        if shown.is_empty() {
            return d;
        }
        let d = d.hint(format!("write `def {} {}`.", def.id, shown.join(" ")));
        edits.into_iter().fold(d, |d, (at, new)| d.edit(at, new))
    }

    /// The text of an expression, shortened, on one line.
    pub(in crate::types) fn quoted(&self, span: Span) -> String {
        shown(&self.sources, span)
    }
}

/// A value of a type that is known, for a hint.
pub(super) fn plain_value(ty: &Type) -> String {
    match ty {
        Type::Scalar(ScalarType::Bool) => "false".to_string(),
        Type::Scalar(_) => "0".to_string(),
        ty => match ty.as_tuple() {
            Some(types) => format!("({})", types.into_iter().map(plain_value).collect::<Vec<_>>().join(", ")),
            None => "???".to_string(),
        },
    }
}

/// Is the text one thing: a name, a literal, or what stands in brackets, with fields and indices behind it?
pub(super) fn is_atom(text: &str) -> bool {
    let mut depth = 0usize;
    let mut in_text = false;
    for c in text.chars() {
        match c {
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '\'' | '.') => {}
            _ => return false,
        }
    }
    !text.is_empty()
}
