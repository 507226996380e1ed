//! Arguments that are missing: which, and what may be written for them.

use super::super::check::Checker;
use super::super::infer::T;
use super::super::ty::*;
use super::super::typed::{ExprKind, PatKind};
use super::call::{Call, Tried, at};
use super::is_atom;
use crate::diag::Diagnostic;
use crate::source::Span;

impl Checker {
    /// `reduce (+) a`
    pub(super) fn too_few(&mut self, call: Call<'_>, f: &Type, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        let types = call.types();
        let n = types.len();
        let with_missing = |p: usize, count: usize| -> Tried {
            let mut tried: Tried = types.iter().cloned().map(Some).collect();
            tried.splice(p..p, (0..count).map(|_| None));
            tried
        };
        for count in (1..=arity.checked_sub(n)?).rev() {
            for p in (0..n).rev() {
                let tried = with_missing(p, count);
                let values = self.tentatively(|c| {
                    let (_, missing) = c.fits(f, &tried)?;
                    Some((0..count).map(|i| c.argument_for(call, p + i, p, &missing[i])).collect::<Vec<_>>())
                });
                if let Some(values) = values {
                    return Some(self.missing(call, p, values, d));
                }
            }
        }
        None
    }

    /// Says that the arguments before argument `p` are missing.
    fn missing(&mut self, call: Call<'_>, p: usize, values: Vec<String>, d: &Diagnostic) -> Diagnostic {
        let what: Vec<String> = (0..values.len()).map(|i| self.called(call.f, p + i)).collect();
        let name = self.quoted(call.f.span);
        let message = match &what[..] {
            [one] => format!("An argument of \"{name}\" is missing: {one}."),
            all => format!("{} arguments of \"{name}\" are missing: {}.", all.len(), all.join(", ")),
        };
        let place = call.args.get(p).map_or(call.span.at_end(), |(_, span)| Span { end: span.start, ..*span });
        let given = call.args.get(p).map_or(call.span, |(_, span)| *span);
        let types: Vec<&str> = d.message.lines().skip(1).collect();
        let message = [&[message.as_str()][..], &types[..]].concat().join("\n");
        let d = Diagnostic { message, notes: vec![], ..d.clone() };
        let d = at(d, given, format!("{} is missing before this", what.join(", ")));
        let new: String = match call.args.get(p) {
            Some(_) => values.iter().map(|value| format!("{value} ")).collect(),
            None => values.iter().map(|value| format!(" {value}")).collect(),
        };
        self.rewrite(d, "", call.span, vec![(place, new)])
    }

    /// A value for an argument that is missing.
    fn argument_for(&mut self, call: Call<'_>, number: usize, before: usize, ty: &Type) -> String {
        let name = self.parameter(call.f, number);
        let arrays: Vec<String> = call
            .args
            .iter()
            .filter(|(a, _)| matches!(self.infer.head(&a.ty), Type::Array(..)))
            .map(|(_, span)| self.atom(*span))
            .collect();
        match name.as_deref() {
            Some("ne") => {
                let op = before
                    .checked_sub(1)
                    .and_then(|i| call.args.get(i))
                    .map(|(_, span)| self.text(*span))
                    .unwrap_or_default();
                neutral(&op).unwrap_or_else(|| self.some_value(ty, "0", &arrays))
            }
            Some("op") if matches!(self.infer.head(ty), Type::Fun(_)) => "(+)".to_string(),
            Some("y'" | "x'") => self.some_value(ty, "1", &arrays),
            _ => self.some_value(ty, "0", &arrays),
        }
    }

    /// The name of a parameter of a function, if it has one.
    fn parameter(&self, f: &T, number: usize) -> Option<Name> {
        match &f.kind {
            ExprKind::Var(id, _) => match &self.env.def(id)?.params.get(number)?.kind {
                PatKind::Name(id) => Some(id.name.clone()),
                _ => None,
            },
            ExprKind::Apply(g, args, _) => self.parameter(g, number + args.len()),
            _ => None,
        }
    }

    /// What a parameter of a function is called in messages.
    fn called(&self, f: &T, number: usize) -> String {
        let name = self.parameter(f, number);
        let library = match &f.kind {
            ExprKind::Var(id, _) => self.env.def(id).is_some_and(|def| self.sources.of_prelude(def.span)),
            ExprKind::Apply(g, ..) => return self.called(g, number + self.applied(f)),
            _ => false,
        };
        match name.as_deref() {
            Some("ne") if library => "the neutral element".to_string(),
            Some("op") if library => "the operator".to_string(),
            Some("x'" | "y'") if library => "the seed".to_string(),
            Some("f" | "g" | "f'") if library => "the function".to_string(),
            Some("p") if library => "the predicate".to_string(),
            Some("dest") if library => "the destination".to_string(),
            Some("is") if library => "the indices".to_string(),
            Some("vs") if library => "the values".to_string(),
            Some("as" | "bs" | "cs" | "ds" | "es" | "xs" | "ys" | "zs") if library => "an array".to_string(),
            Some(name) => format!("\"{name}\""),
            None => format!("the {}", ordinal(number)),
        }
    }

    fn applied(&self, f: &T) -> usize {
        match &f.kind {
            ExprKind::Apply(_, args, _) => args.len(),
            _ => 0,
        }
    }

    /// The error that a function is no value of the type expected, if it lacks arguments only.
    pub(super) fn missing_arguments(&mut self, d: Diagnostic, expected: &Type, e: &T, around: Span) -> Diagnostic {
        let Type::Fun(_) = self.infer.head(&e.ty) else { return d };
        if let Type::Fun(_) | Type::Error = self.infer.head(expected) {
            return d;
        }
        let mut missing = vec![];
        let mut ty = e.ty.clone();
        let first = self.applied(e);
        let arrays: Vec<String> = match &e.kind {
            ExprKind::Apply(_, args, _) => args
                .iter()
                .filter(|a| matches!(self.infer.head(&a.ty), Type::Array(..)))
                .map(|a| self.atom(a.span))
                .collect(),
            _ => vec![],
        };
        let f = match &e.kind {
            ExprKind::Apply(f, ..) => f,
            _ => e,
        };
        while let Type::Fun(fun) = self.infer.head(&ty) {
            let number = first + missing.len();
            let one = if matches!(self.parameter(f, number).as_deref(), Some("x'" | "y'")) { "1" } else { "0" };
            missing.push((self.called(f, number), self.some_value(&fun.arg, one, &arrays)));
            ty = fun.ret.clone();
        }
        let fits = self.tentatively(|c| c.infer.unify_but_sizes(expected, &ty).is_ok());
        let name = self.quoted(f.span);
        let what = missing.iter().map(|(what, _)| what.as_str()).collect::<Vec<_>>().join(", ");
        let first_line = match missing.len() {
            1 => format!("An argument of \"{name}\" is missing: {what}."),
            n => format!("{n} arguments of \"{name}\" are missing: {what}."),
        };
        let d = match d.message.split_once('\n') {
            // what had to agree is said by the first line, so it stays
            Some(_) => Diagnostic { notes: vec![], ..d.note(first_line.clone()) }.here(first_line),
            None => d,
        };
        if !fits {
            return d;
        }
        let values: String = missing.iter().map(|(_, value)| format!(" {value}")).collect();
        let text = self.text(e.span);
        let (text, place) = match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(_) if !is_atom(&text[1..text.len() - 1]) => {
                (text, Span { start: e.span.end - 1, end: e.span.end - 1, ..e.span })
            }
            _ => (text, e.span.at_end()),
        };
        let whole = !text.ends_with(')') && !self.ends_expression(e.span);
        let edits = match whole {
            true => vec![(e.span, format!("({text}{values})"))],
            false => vec![(place, values)],
        };
        self.rewrite(d, "", around, edits)
    }

    /// Does nothing follow that an argument could be taken for?
    fn ends_expression(&self, span: Span) -> bool {
        let text = self.sources.get(span.file).map_or("", |file| &file.text[span.end as usize..]);
        let next = text.trim_start();
        text.trim_start_matches([' ', '\t']).starts_with(['\n', '\r'])
            || next.is_empty()
            || !next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '[' | '{' | '"' | '_'))
            || ["in ", "in\n", "then", "else", "do", "with", "def ", "entry "].iter().any(|word| next.starts_with(word))
    }
}

/// The neutral element of an operator that is written down.
fn neutral(op: &str) -> Option<String> {
    let op = op.trim_start_matches('(').trim_end_matches(')').trim();
    let (module, name) = op.rsplit_once('.').map_or(("", op), |(m, n)| (m, n));
    Some(match name {
        "+" | "|" | "^" => "0".to_string(),
        "*" => "1".to_string(),
        "&&" => "true".to_string(),
        "||" => "false".to_string(),
        "max" if module.starts_with('f') => format!("(-{module}.inf)"),
        "min" if module.starts_with('f') => format!("{module}.inf"),
        "max" if !module.is_empty() => format!("{module}.lowest"),
        "min" if !module.is_empty() => format!("{module}.highest"),
        _ => return None,
    })
}

/// `second argument`
fn ordinal(number: usize) -> String {
    match number {
        0 => "first argument".to_string(),
        1 => "second argument".to_string(),
        2 => "third argument".to_string(),
        n => format!("argument number {}", n + 1),
    }
}
