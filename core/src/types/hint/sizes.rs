//! Sizes that do not agree, and results that are not of the type that is declared.

use super::super::check::Checker;
use super::super::infer::T;
use super::super::ty::*;
use super::super::typed::ExprKind;
use super::call::Call;
use crate::diag::{Code, Diagnostic};
use crate::source::Span;

impl Checker {
    /// Makes the body of a function be of the type that is declared at a place, or reports it.
    pub(in crate::types) fn require_result(&mut self, declared: &Type, body: &T, at: Option<Span>) {
        let Err(mismatch) = self.infer.unify(declared, &body.ty) else { return };
        let why = "Function body does not have the declared type.";
        let mut d = self.infer.mismatch(&mismatch, declared, &body.ty, body.span, why);
        let declared_otherwise = self.infer.head(declared) == Type::BOOL || d.code == Code::SizeMismatch;
        if !declared_otherwise {
            d = self.advised(d, declared, body, body.span);
        }
        if let Some(at) = at
            && self.infer.is_shown()
            && !d.has_hint()
            && let Some(text) = self.written(&body.ty)
        {
            let text = if self.text(at).starts_with('*') { format!("*{text}") } else { text };
            d = d.hint(format!("declare the result as `{text}`.")).edit(at, text);
        }
        if !d.has_hint() {
            d = self.advised(d, declared, body, body.span);
        }
        self.infer.failed(d, declared);
    }

    /// A type as it can be written: sizes without names are left out. `None` if something is not known of it.
    fn written(&self, ty: &Type) -> Option<String> {
        let ty = self.infer.zonk(ty);
        let mut known = true;
        let ty = ty.map(&mut |size| if self.has_name(size) { size.clone() } else { Size::Meta(0) }, &mut |t| {
            known &= !matches!(t, Type::Meta(_) | Type::Error | Type::Fun(_) | Type::Abstract(..));
            None
        });
        known.then(|| ty.to_string())
    }

    /// Can a size be written where it is needed?
    fn has_name(&self, size: &Size) -> bool {
        match self.infer.size(size) {
            Size::Const(_) => true,
            Size::Var(id) => !self.infer.origins.contains_key(&id) && !id.name.contains('.'),
            Size::Op(_, ab) => self.has_name(&ab.0) && self.has_name(&ab.1),
            Size::Meta(_) | Size::Exp(_) => false,
        }
    }

    /// The error of sizes that do not agree, with the coercion that compares them when the program runs.
    pub(in crate::types) fn resized(&mut self, d: Diagnostic, expected: &Type, e: &T, around: Span) -> Diagnostic {
        if d.code != Code::SizeMismatch {
            return d;
        }
        let (expected, actual) = (self.infer.zonk(expected), self.infer.zonk(&e.ty));
        let (Type::Array(size, to), Type::Array(own, _)) = (&expected, &actual) else { return d };
        if let (Size::Const(a), Size::Const(b)) = (self.infer.size(size), self.infer.size(own))
            && a != b
        {
            return d;
        }
        // sizes that are not known are those of the value
        let to = if self.written(to).is_some() {
            to
        } else if let Type::Array(_, own) = &actual {
            own
        } else {
            to
        };
        if !self.has_name(size) {
            return d;
        }
        let elem = match self.written(to) {
            Some(elem) => elem,
            None => return d,
        };
        let new = format!("({} :> [{size}]{elem})", self.text(e.span).trim_start_matches('(').trim_end_matches(')'));
        let balanced = new.matches('(').count() == new.matches(')').count();
        let new = if balanced { new } else { format!("({} :> [{size}]{elem})", self.atom(e.span)) };
        self.rewrite(d, "if they are equal when the program runs, ", around, vec![(e.span, new)])
    }

    /// The array of which an expression is `iota (length xs)`: numbers, of which no type says that there are as many.
    fn counted<'e>(&self, e: &'e T) -> Option<&'e T> {
        let argument = |e: &'e T, name: &str| match &e.kind {
            ExprKind::Apply(f, args, _) => match (&f.kind, &args[..]) {
                (ExprKind::Var(id, _), [arg]) if &*id.name == name && self.is_library(id) => Some(arg),
                _ => None,
            },
            _ => None,
        };
        argument(argument(e, "iota")?, "length")
    }

    /// A number where an array of them is wanted: the same number everywhere.
    pub(in crate::types) fn filled(&mut self, call: Call<'_>, i: usize, expected: &Type, d: Diagnostic) -> Diagnostic {
        if !self.infer.may_try() {
            return d;
        }
        let Type::Array(size, elem) = self.infer.zonk(expected) else { return d };
        let (value, place) = &call.args[i];
        if let Some(array) = self.counted(value)
            && matches!(self.infer.zonk(&array.ty), Type::Array(own, _) if own == self.infer.size(&size))
        {
            let indices = format!("(indices {})", self.atom(array.span));
            return self.rewrite(d, "", call.span, vec![(*place, indices)]);
        }
        if matches!(d.code, Code::SizeMismatch | Code::SizeEscapes) {
            return d;
        }
        if self.tentatively(|c| c.infer.unify(&elem, &value.ty).is_err())
            || matches!(self.infer.head(&value.ty), Type::Fun(_))
        {
            return d;
        }
        let value = self.text(*place);
        let new = match self.has_name(&size) {
            true => format!("(replicate {} {})", size_atom(&size), self.atom(*place)),
            false => {
                let is_like = |t: &T| matches!(self.infer.zonk(&t.ty), Type::Array(n, _) if n == size);
                match call.args.iter().find(|(arg, _)| is_like(arg)) {
                    Some((_, array)) => format!("(map (\\_ -> {value}) {})", self.atom(*array)),
                    None => return d,
                }
            }
        };
        self.rewrite(d, "", call.span, vec![(*place, new)])
    }
}

fn size_atom(size: &Size) -> String {
    match size {
        Size::Op(..) => format!("({size})"),
        size => size.to_string(),
    }
}
