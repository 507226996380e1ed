//! Applications to the wrong arguments: too few, too many, in another order, in a tuple, to what is no function.

use super::super::check::Checker;
use super::super::env::Value;
use super::super::infer::T;
use super::super::ty::*;
use super::super::typed::{ExprKind, Literal};
use super::super::unify::Want;
use super::names::infix;
use crate::diag::{Code, Diagnostic, Edit};
use crate::source::Span;

/// An application in error.
#[derive(Clone, Copy)]
pub(in crate::types) struct Call<'a> {
    pub f: &'a T,
    pub args: &'a [(T, Span)],
    pub span: Span,
}

/// Arguments as they are tried out: of a type, or missing.
pub(super) type Tried = Vec<Option<Type>>;

impl Call<'_> {
    pub(super) fn types(&self) -> Vec<Type> {
        self.args.iter().map(|(a, _)| a.ty.clone()).collect()
    }

    /// From the first of these arguments to the last.
    fn args_span(&self, from: usize, to: usize) -> Span {
        match (self.args.get(from), self.args.get(to)) {
            (Some((_, a)), Some((_, b))) => a.to(*b),
            _ => self.span,
        }
    }
}

impl Checker {
    /// The error of an application in the words of what was meant, if that is known.
    pub(in crate::types) fn explained(&mut self, call: Call<'_>, d: Diagnostic) -> Diagnostic {
        let is_of_types = matches!(
            d.code,
            Code::TypeMismatch
                | Code::InfiniteType
                | Code::NoSuchOverload
                | Code::FunctionNotAllowed
                | Code::NotAFunction
        );
        if !self.infer.may_try() || !is_of_types {
            return d;
        }
        let f = self.fresh_type(call.f);
        let arity = self.arity(&f);
        let too_many = call.args.len() > arity;
        let found = self.spaced_index(call, &f, &d).or_else(|| self.parenthesised_index(call, &d));
        let found = match too_many {
            true => found.or_else(|| self.too_many(call, &f, arity, &d)),
            false if call.args.len() == arity => found.or_else(|| self.in_another_order(call, &f, &d)),
            false => {
                found.or_else(|| self.too_few(call, &f, arity, &d)).or_else(|| self.in_another_order(call, &f, &d))
            }
        };
        let found = match too_many {
            true => found,
            false => found
                .or_else(|| self.in_a_tuple(call, &f, &d))
                .or_else(|| self.of_more_arrays(call, &d))
                .or_else(|| self.of_pairs(call, &f, &d)),
        };
        found.unwrap_or(d)
    }

    /// The type of a function as if nothing were known of this use of it.
    fn fresh_type(&mut self, f: &T) -> Type {
        match &f.kind {
            ExprKind::Var(id, _) => match self.env.def(id).cloned() {
                Some(def) => self.reference(&Value::Bound(id.clone(), def.scheme.clone().into()), f.span).ty,
                None => f.ty.clone(),
            },
            ExprKind::Op(op, _) => self.reference(&Value::Op(*op), f.span).ty,
            _ => f.ty.clone(),
        }
    }

    /// How many arguments a function takes.
    pub(in crate::types) fn arity(&self, ty: &Type) -> usize {
        let (mut ty, mut arity) = (self.infer.head(ty), 0);
        while let Type::Fun(fun) = ty {
            arity += 1;
            ty = self.infer.head(&fun.ret);
        }
        arity
    }

    /// What a function of this type gives for arguments of these types, but for sizes, and the types of what is missing; if they fit.
    pub(super) fn fits(&mut self, f: &Type, args: &Tried) -> Option<(Type, Vec<Type>)> {
        let (mut ty, mut missing) = (f.clone(), vec![]);
        for arg in args {
            let Type::Fun(fun) = self.infer.head(&ty) else { return None };
            match arg {
                Some(arg) => self.infer.unify_but_sizes(&fun.arg, arg).ok()?,
                None => missing.push(fun.arg.clone()),
            }
            ty = fun.ret.clone();
        }
        Some((ty, missing))
    }

    fn fit(&mut self, f: &Type, args: Vec<Type>) -> bool {
        let args = args.into_iter().map(Some).collect();
        self.tentatively(|c| c.fits(f, &args).is_some())
    }

    /// `a [0]`, also as an argument: `f a [0]`.
    fn spaced_index(&mut self, call: Call<'_>, f: &Type, d: &Diagnostic) -> Option<Diagnostic> {
        let (mut types, mut gaps, mut first) = (vec![f.clone()], vec![], None);
        let mut end = call.f.span.end;
        for (arg, span) in call.args {
            let target = types.last().map(|t| self.infer.head(t));
            match (&arg.kind, target) {
                (ExprKind::Array(indices), Some(Type::Array(..))) if !indices.is_empty() => {
                    let mut ty = types.pop()?;
                    for _ in indices {
                        let Type::Array(_, elem) = self.infer.head(&ty) else { return None };
                        ty = (*elem).clone();
                    }
                    types.push(ty);
                    gaps.push((Span { start: end, end: span.start, ..*span }, String::new()));
                    first.get_or_insert(*span);
                }
                _ => types.push(arg.ty.clone()),
            }
            end = span.end;
        }
        let f = types.remove(0);
        let place = first?;
        if !types.is_empty() && !self.fit(&f, types) {
            return None;
        }
        let d = at(d.clone(), place, "an index stands right behind its array");
        Some(self.rewrite(d, "", call.span, gaps))
    }

    /// `a(0)`
    fn parenthesised_index(&mut self, call: Call<'_>, d: &Diagnostic) -> Option<Diagnostic> {
        let [(index, span)] = call.args else { return None };
        let Type::Array(..) = self.infer.head(&call.f.ty) else { return None };
        let number = match self.infer.head(&index.ty) {
            Type::Scalar(t) => t.is_int(),
            Type::Meta(m) => matches!(self.infer.want(m), Want::Scalars(_)),
            _ => false,
        };
        let text = self.text(*span);
        let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(&text).to_string();
        let place = Span { start: call.f.span.end, ..*span };
        let d = at(d.clone(), *span, "an index stands in square brackets");
        number.then(|| self.rewrite(d, "", call.span, vec![(place, format!("[{inner}]"))]))
    }

    /// `map a f`
    fn in_another_order(&mut self, call: Call<'_>, f: &Type, d: &Diagnostic) -> Option<Diagnostic> {
        let types = call.types();
        if !(2..=4).contains(&types.len()) {
            return None;
        }
        let order = orders(types.len()).into_iter().find(|order| {
            let types = order.iter().map(|i| types[*i].clone()).collect();
            self.fit(f, types)
        })?;
        let edits = order.iter().zip(call.args).map(|(i, (_, place))| (*place, self.text(call.args[*i].1)));
        let edits: Vec<Edit> = edits.filter(|(place, new)| self.text(*place) != *new).collect();
        let place = call.args_span(0, types.len() - 1);
        let d = at(d.clone(), place, "these are in another order");
        Some(self.rewrite(d, "", call.span, edits))
    }

    /// `f (x, y)` where `f` takes two arguments.
    fn in_a_tuple(&mut self, call: Call<'_>, f: &Type, d: &Diagnostic) -> Option<Diagnostic> {
        let types = call.types();
        for (i, (arg, span)) in call.args.iter().enumerate() {
            let tuple = self.infer.zonk(&arg.ty);
            let Some(parts) = tuple.as_tuple().filter(|parts| parts.len() > 1) else { continue };
            let mut spread = types.clone();
            spread.splice(i..i + 1, parts.iter().map(|t| (*t).clone()));
            if !self.fit(f, spread) {
                continue;
            }
            let texts: Vec<String> = match &arg.kind {
                ExprKind::Record(fields) => fields.iter().map(|(_, e)| self.atom(e.span)).collect(),
                _ => (0..parts.len()).map(|i| format!("{}.{i}", self.atom(*span))).collect(),
            };
            let gap = Span { start: if i == 0 { call.f.span.end } else { span.start }, ..*span };
            let new = if i == 0 { format!(" {}", texts.join(" ")) } else { texts.join(" ") };
            let name = self.quoted(call.f.span);
            let d = at(d.clone(), *span, format!("\"{name}\" takes these one after the other, not as a tuple"));
            return Some(self.rewrite(d, "", call.span, vec![(gap, new)]));
        }
        None
    }

    /// A function of two arguments where one of a pair is wanted, or of one.
    fn of_pairs(&mut self, call: Call<'_>, f: &Type, d: &Diagnostic) -> Option<Diagnostic> {
        let types = call.types();
        for (i, (_, span)) in call.args.iter().enumerate() {
            let Type::Fun(outer) = self.infer.head(&types[i]) else { continue };
            let changed = |new: Type| {
                types.iter().enumerate().map(|(j, t)| if i == j { new.clone() } else { t.clone() }).collect::<Vec<_>>()
            };
            let name = self.quoted(*span);
            if let Type::Fun(inner) = self.infer.head(&outer.ret) {
                let pair = Type::tuple(vec![outer.arg.clone(), inner.arg.clone()]);
                if self.fit(f, changed(Type::fun(pair, inner.ret.clone()))) {
                    let d = at(
                        d.clone(),
                        *span,
                        format!("\"{name}\" takes 2 arguments, where one that is a pair is given"),
                    );
                    return Some(self.rewrite(
                        d,
                        "",
                        call.span,
                        vec![(*span, format!("(uncurry {})", self.atom(*span)))],
                    ));
                }
                let partial = changed(Type::fun(outer.arg.clone(), inner.ret.clone()));
                if self.fit(f, partial) {
                    let value = self.some_value(&inner.arg, "0", &[]);
                    let new = format!("(\\v -> {} v {value})", self.atom(*span));
                    let by = self.quoted(call.f.span);
                    let message =
                        format!("An argument of \"{name}\" is missing: it takes 2, and \"{by}\" gives it one.");
                    let types: Vec<&str> = d.message.lines().skip(1).collect();
                    let message = [&[message.as_str()][..], &types[..]].concat().join("\n");
                    let d = Diagnostic { message, notes: vec![], ..d.clone() };
                    return Some(self.rewrite(d, "give it its other argument: ", call.span, vec![(*span, new)]));
                }
            } else if let Some([a, b]) = self.infer.zonk(&outer.arg).as_tuple().as_deref()
                && self.fit(f, changed(Type::fun((*a).clone(), Type::fun((*b).clone(), outer.ret.clone()))))
            {
                let d = at(d.clone(), *span, format!("\"{name}\" takes a pair, where 2 arguments are given"));
                return Some(self.rewrite(d, "", call.span, vec![(*span, format!("(curry {})", self.atom(*span)))]));
            }
        }
        None
    }

    /// `map f a b`, `f 1 2` of a pair, `f g x`, `x y`
    fn too_many(&mut self, call: Call<'_>, f: &Type, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        let n = call.args.len();
        let d = match (arity, d.code) {
            (0, _) => d.clone(),
            (_, Code::NotAFunction) => {
                let first = call.args_span(arity, n - 1);
                at(d.clone(), first, if n == arity + 1 { "one argument too many" } else { "too many arguments" })
            }
            // fewer would be too few, were it not that no function may stand where an argument is one
            (_, Code::FunctionNotAllowed) => self.too_many_said(call, f, arity).note(
                "It cannot return a function, either: what stands for its type would be functional, and is not declared with `'^`.",
            ),
            _ => self.too_many_said(call, f, arity),
        };
        self.word_among(call, arity, &d)
            .or_else(|| self.of_more_arrays(call, &d))
            .or_else(|| self.as_a_tuple(call, f, arity, &d))
            .or_else(|| self.applied_first(call, f, arity, &d))
            .or_else(|| self.infix_function(call, &d))
            .or_else(|| self.product(call, arity, &d))
            .or_else(|| self.without_the_last(call, f, arity, &d))
            .or_else(|| (arity > 0).then_some(d))
    }

    fn too_many_said(&mut self, call: Call<'_>, f: &Type, arity: usize) -> Diagnostic {
        let mut ret = self.infer.zonk(f);
        for _ in 0..arity {
            let Type::Fun(fun) = &ret else { break };
            ret = fun.ret.clone();
        }
        let n = call.args.len();
        let ret = self.infer.shown(&ret);
        let (s, name) = (if arity == 1 { "" } else { "s" }, self.quoted(call.f.span));
        let message =
            format!("Cannot apply \"{name}\" to {n} arguments: it takes {arity} argument{s} and returns {ret}.");
        let many = if n == arity + 1 { "one argument too many" } else { "too many arguments" };
        Diagnostic::error(Code::NotAFunction, call.args_span(arity, n - 1), message).here(many)
    }

    /// `not x and y`
    fn word_among(&mut self, call: Call<'_>, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        let word = |(e, span): &(T, Span)| match &e.kind {
            ExprKind::Var(id, _) if self.is_library(id) => infix(&id.name).map(|op| (*span, op.to_string())),
            _ => None,
        };
        let (_, inner) = call.args.split_last()?;
        let words: Vec<Edit> = inner.iter().skip(arity).filter_map(word).collect();
        let (place, _) = words.first()?.clone();
        let d = at(d.clone(), place, "this is no operator");
        Some(self.rewrite(d, "", call.span, words))
    }

    /// `map2` for `map`, and its like.
    fn of_more_arrays(&mut self, call: Call<'_>, d: &Diagnostic) -> Option<Diagnostic> {
        let ExprKind::Var(id, _) = &call.f.kind else { return None };
        let base = id.name.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = (1..=5).map(|k| if k == 1 { base.to_string() } else { format!("{base}{k}") }).find(|name| {
            let Some(value) = self.env.scope.values.get(&**name).cloned() else { return false };
            let Value::Bound(other, _) = &value else { return false };
            let is_other = other != id && self.env.def(other).is_some_and(|def| self.sources.of_prelude(def.span));
            let args = call.types().into_iter().map(Some).collect();
            is_other
                && self.tentatively(|c| {
                    let f = c.reference(&value, call.f.span).ty;
                    c.arity(&f) == call.args.len() && c.fits(&f, &args).is_some()
                })
        })?;
        Some(self.rewrite(d.clone(), "", call.span, vec![(call.f.span, name)]))
    }

    /// `f 1 2` where `f` takes a pair.
    fn as_a_tuple(&mut self, call: Call<'_>, f: &Type, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        let (types, n) = (call.types(), call.args.len());
        let count = n + 1 - arity;
        let from = (0..arity).find(|i| {
            let mut grouped = types.clone();
            let tuple = Type::tuple(grouped[*i..i + count].to_vec());
            grouped.splice(*i..i + count, [tuple]);
            self.fit(f, grouped)
        })?;
        let texts: Vec<String> = call.args[from..from + count].iter().map(|(_, span)| self.text(*span)).collect();
        let place = call.args_span(from, from + count - 1);
        let name = self.quoted(call.f.span);
        let d = at(d.clone(), place, format!("\"{name}\" takes a tuple of these"));
        Some(self.rewrite(d, "", call.span, vec![(place, format!("({})", texts.join(", ")))]))
    }

    /// `f g x` for `f (g x)`.
    fn applied_first(&mut self, call: Call<'_>, f: &Type, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        let (types, n) = (call.types(), call.args.len());
        let count = n + 1 - arity;
        if arity == 0 {
            return None;
        }
        let from = (0..arity).rev().find(|i| {
            let own: Tried = types[i + 1..i + count].iter().cloned().map(Some).collect();
            self.tentatively(|c| {
                let Some((result, _)) = c.fits(&types[*i], &own) else { return false };
                let mut grouped: Tried = types.iter().cloned().map(Some).collect();
                grouped.splice(*i..i + count, [Some(result)]);
                c.fits(f, &grouped).is_some()
            })
        })?;
        let place = call.args_span(from, from + count - 1);
        let edits = vec![(Span { end: place.start, ..place }, "(".to_string()), (place.at_end(), ")".to_string())];
        let d = at(d.clone(), place, "an application as an argument needs parentheses");
        Some(self.rewrite(d, "", call.span, edits))
    }

    /// `x max y`
    fn infix_function(&mut self, call: Call<'_>, d: &Diagnostic) -> Option<Diagnostic> {
        let [(g, place), (y, _)] = call.args else { return None };
        let args = [&call.f.ty, &y.ty].map(|t| Some(t.clone())).to_vec();
        let g_ty = self.fresh_type(g);
        if self.tentatively(|c| c.fits(&g_ty, &args).is_none()) {
            return None;
        }
        let name = self.text(*place);
        let d = at(d.clone(), *place, "between its arguments a function stands in backquotes");
        Some(self.rewrite(d, "", call.span, vec![(*place, format!("`{name}`"))]))
    }

    /// `2 x`, where `2 * x` is meant.
    fn product(&mut self, call: Call<'_>, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        let ([(x, place)], 0) = (call.args, arity) else { return None };
        if !self.tentatively(|c| {
            c.number_type(&call.f.ty) && c.number_type(&x.ty) && c.infer.unify(&call.f.ty, &x.ty).is_ok()
        }) {
            return None;
        }
        let gap = Span { start: call.f.span.end, end: place.start, ..*place };
        let d = at(d.clone(), *place, "an operator is missing before this");
        Some(self.rewrite(d, "for a product ", call.span, vec![(gap, " * ".to_string())]))
    }

    fn number_type(&self, ty: &Type) -> bool {
        match self.infer.head(ty) {
            Type::Scalar(t) => t.is_int() || t.is_float(),
            Type::Meta(m) => matches!(self.infer.want(m), Want::Scalars(_)),
            _ => false,
        }
    }

    /// `f 1 2` of a function of one argument.
    fn without_the_last(&mut self, call: Call<'_>, f: &Type, arity: usize, d: &Diagnostic) -> Option<Diagnostic> {
        if arity == 0 || !self.fit(f, call.types()[..arity].to_vec()) {
            return None;
        }
        let last = call.args_span(arity, call.args.len() - 1);
        let gap = Span { start: call.args[arity - 1].1.end, ..last };
        let what = self.quoted(last);
        Some(self.rewrite(d.clone(), &format!("leave out \"{what}\": "), call.span, vec![(gap, String::new())]))
    }

    /// `f -3`: a function cannot be an operand, so the number is meant for its argument.
    pub(in crate::types) fn negative_argument(
        &mut self,
        d: &Diagnostic,
        around: Span,
        minus: Span,
        x: Span,
    ) -> Option<Diagnostic> {
        let negative = minus.to(x);
        let argument = format!("({})", self.text(negative).split_whitespace().collect::<Vec<_>>().concat());
        let d = at(d.clone(), negative, "a negative argument needs parentheses");
        Some(self.rewrite(d, "", around, vec![(negative, argument)]))
    }

    /// Is it a number by itself?
    pub(in crate::types) fn is_literal(e: &T) -> bool {
        matches!(e.kind, ExprKind::Lit(Literal::Int(_) | Literal::Float(_)))
    }
}

/// The error said of another place.
pub(super) fn at(mut d: Diagnostic, place: Span, text: impl Into<String>) -> Diagnostic {
    match d.labels.first_mut() {
        Some(label) => *label = (place, text.into()),
        None => d.labels.push((place, text.into())),
    }
    d
}

/// All orders of so many but the one in which they are, those that exchange two first.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..n {
        let longer = |order: Vec<usize>| {
            (0..n).filter(|i| !order.contains(i)).map(|i| [&order[..], &[i]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    let moved = |order: &Vec<usize>| order.iter().enumerate().filter(|(i, j)| i != *j).count();
    all.retain(|order| moved(order) > 0);
    all.sort_by_key(moved);
    all
}
