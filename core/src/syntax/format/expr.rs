//! The layout of expressions.

use super::sheet::{Align, Sheet, Space, Tok};
use super::types::ListStyle;
use crate::syntax::ast::*;
use crate::syntax::expr::level_of;
use crate::syntax::ops::Level;

impl Sheet<'_> {
    pub(super) fn expr(&mut self, e: &Expr) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_kind(e));
    }

    fn expr_kind(&mut self, e: &Expr) {
        let (first, last) = self.range(e);
        match &e.kind {
            ExprKind::Int(..)
            | ExprKind::Float(..)
            | ExprKind::Bool(_)
            | ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Hole => {}
            ExprKind::Paren(e) | ExprKind::Project(e, _) => self.expr(e),
            ExprKind::Tuple(elems) => self.exprs(first, elems, ListStyle::Lines),
            ExprKind::Array(elems) => {
                let style = if elems.iter().all(is_literal) { ListStyle::Fill } else { ListStyle::Lines };
                self.exprs(first, elems, style);
            }
            ExprKind::Record(fields) => self.record(first, fields),
            ExprKind::Constr(_, args) => self.application(first, &args.iter().collect::<Vec<_>>()),
            ExprKind::Apply(f, args) => {
                self.application(first, &args.iter().collect::<Vec<_>>());
                self.expr(f);
            }
            ExprKind::Assert(condition, value) => self.application(first, &[condition, value]),
            ExprKind::Match(value, cases) => {
                let group = self.group(first, last);
                self.expr(value);
                for (pat, e) in cases {
                    let case = self.first(pat.span) - 1;
                    self.line(case, group, first, 0);
                    self.keep_blank(case);
                    let (body, end) = self.range(e);
                    let inner = self.group(case, end);
                    self.pat(pat);
                    self.line(body, inner, case, 2);
                    self.expr(e);
                }
            }
            ExprKind::Update(..) => self.updates(e),
            ExprKind::Index(e, indices) => {
                self.expr(e);
                self.indices(indices);
            }
            ExprKind::OpenIn(m, e) => {
                self.expr(m);
                self.expr(e);
            }
            ExprKind::Chain(head, tail) => {
                let group = self.group(first, last);
                self.expr(head);
                for (op, e) in tail {
                    let operator = self.operator(op);
                    let operand = self.first(e.span);
                    self.line(operator, group, first, 0);
                    self.blank(operand);
                    self.leads(operator, operand);
                    self.expr(e);
                }
            }
            ExprKind::Negate(e) | ExprKind::Not(e) => {
                self.glued(self.first(e.span));
                self.expr(e);
            }
            ExprKind::Op(op) => {
                self.operator(op);
            }
            ExprKind::SectionLeft(e, op) => {
                self.expr(e);
                let operator = self.operator(op);
                self.blank(operator);
            }
            ExprKind::SectionRight(op, e) => {
                self.operator(op);
                self.blank(self.first(e.span));
                self.expr(e);
            }
            ExprKind::SectionPath(path) => self.path(path),
            ExprKind::Lambda(params, ret, body) => {
                let group = self.group(first, last);
                params.iter().for_each(|p| self.pat(p));
                ret.iter().for_each(|t| self.ty(t));
                self.line(self.first(body.span), group, first, 2);
                self.expr(body);
            }
            ExprKind::If(branches, other) => {
                let group = self.group(first, last);
                for (i, (condition, value)) in branches.iter().enumerate() {
                    let if_ = self.first(condition.span) - 1;
                    if i > 0 {
                        self.line(if_ - 1, group, first, 0);
                    }
                    let (start, end) = self.range(value);
                    let branch = self.group(if_, end);
                    self.expr(condition);
                    self.line(start - 1, branch, first, 0);
                    self.gap(start, Space::Blank, Align::At(first, 2));
                    self.expr(value);
                }
                let start = self.first(other.span);
                self.line(start - 1, group, first, 0);
                self.gap(start, Space::Blank, Align::At(first, 2));
                self.expr(other);
            }
            ExprKind::Block(bindings, body) => {
                let group = self.group(first, last);
                for (i, binding) in bindings.iter().enumerate() {
                    let let_ = self.binding_first(binding);
                    if i > 0 {
                        if self.is(let_ - 1, "in") {
                            self.drop(let_ - 1);
                        }
                        self.line(let_, group, first, 0);
                        self.keep_blank(let_);
                    }
                    self.binding(let_, binding);
                }
                let body_first = self.first(body.span);
                self.line(body_first - 1, group, first, 0);
                self.keep_blank(body_first - 1);
                self.gap(body_first, Space::Blank, Align::At(body_first - 1, 3));
                self.expr(body);
            }
            ExprKind::Loop(l) => {
                let group = self.group(first, last);
                let body = self.first(l.body.span);
                let header = self.group(first, body - 1);
                match &l.init {
                    None => self.pat(&l.pat),
                    Some(init) => {
                        let pat = self.first(l.pat.span);
                        let (start, end) = self.range(init);
                        let group = self.group(pat, end);
                        self.pat(&l.pat);
                        self.line(start, group, pat, 2);
                        self.expr(init);
                    }
                }
                let form = match &l.form {
                    LoopForm::For(name, e) => {
                        self.expr(e);
                        name.span
                    }
                    LoopForm::ForIn(pat, e) => {
                        self.pat(pat);
                        self.expr(e);
                        pat.span
                    }
                    LoopForm::While(e) => {
                        self.expr(e);
                        e.span
                    }
                };
                self.line(self.first(form) - 1, header, first, 0);
                self.line(body, group, first, 2);
                self.expr(&l.body);
            }
            ExprKind::Range { first, second, end, .. } => {
                self.expr(first);
                second.iter().for_each(|e| self.expr(e));
                self.expr(end);
            }
            ExprKind::Ascribe(e, ty) | ExprKind::Coerce(e, ty) => {
                let group = self.group(first, last);
                let colon = self.last(e.span) + 1;
                self.expr(e);
                self.line(colon, group, first, 0);
                self.leads(colon, colon + 1);
                self.ty(ty);
            }
            ExprKind::Attr(attr, e) => {
                self.attr(attr);
                self.expr(e);
            }
        }
    }

    fn range(&self, e: &Expr) -> (Tok, Tok) {
        (self.first(e.span), self.last(e.span))
    }

    fn exprs(&mut self, open: Tok, elems: &[Expr], style: ListStyle) {
        let items: Vec<_> = elems.iter().map(|e| self.range(e)).collect();
        self.list(open, &items, style);
        elems.iter().for_each(|e| self.expr(e));
    }

    fn record(&mut self, open: Tok, fields: &[(Ident, Option<Expr>)]) {
        let item = |(name, e): &(Ident, Option<Expr>)| {
            (self.first(name.span), self.last(e.as_ref().map_or(name.span, |e| e.span)))
        };
        let items: Vec<_> = fields.iter().map(item).collect();
        self.list(open, &items, ListStyle::Lines);
        for ((_, value), (first, last)) in fields.iter().zip(items) {
            if let Some(e) = value {
                let group = self.group(first, last);
                self.line(self.first(e.span), group, first, 2);
                self.expr(e);
            }
        }
    }

    /// What is applied, and its arguments: on lines of their own below the first, unless only the last needs several lines.
    fn application(&mut self, head: Tok, args: &[&Expr]) {
        if let [first, .., last] = args {
            let group = self.group(head, self.last(last.span));
            let first = self.first(first.span);
            self.groups[group.0].hug = Some(self.first(last.span));
            args[1..].iter().for_each(|arg| self.line(self.first(arg.span), group, first, 0));
        }
        args.iter().for_each(|arg| self.expr(arg));
    }

    /// `e with p = v with q = w`: the updates below one another.
    fn updates(&mut self, e: &Expr) {
        let last = self.last(e.span);
        let mut updates = vec![];
        let mut base = e;
        while let ExprKind::Update(inner, path, value) = &base.kind {
            updates.push((self.last(inner.span) + 1, path, value));
            base = inner;
        }
        updates.reverse();
        let group = self.group(self.first(e.span), last);
        self.expr(base);
        let below = updates.first().map_or(last, |(with, ..)| *with);
        for (i, (with, path, value)) in updates.into_iter().enumerate() {
            match i {
                0 => self.blank(with),
                _ => self.line(with, group, below, 0),
            }
            let (value_first, value_last) = self.range(value);
            let inner = self.group(with, value_last);
            self.path(path);
            self.line(value_first, inner, with, 2);
            self.expr(value);
        }
    }

    fn path(&mut self, path: &[Access]) {
        for access in path {
            if let Access::Index(indices) = access {
                self.indices(indices);
            }
        }
    }

    fn indices(&mut self, indices: &[Index]) {
        for index in indices {
            match index {
                Index::At(e) => self.expr(e),
                Index::Slice(parts, span) => {
                    let mut tok = self.first(*span);
                    for (i, part) in parts.iter().enumerate() {
                        if i > 0 && self.is(tok, ":") {
                            self.glued(tok);
                            self.glued(tok + 1);
                            tok += 1;
                        }
                        if let Some(e) = part {
                            self.expr(e);
                            tok = self.last(e.span) + 1;
                        }
                    }
                }
            }
        }
    }

    /// An operator, with its backticks if it has some: its first token.
    fn operator(&mut self, op: &QualName) -> Tok {
        let (first, last) = (self.first(op.span()), self.last(op.span()));
        if level_of(op) != Level::Backtick {
            return first;
        }
        self.glued(first);
        self.glued(last + 1);
        first - 1
    }

    /// The `let`.
    fn binding_first(&self, binding: &Binding) -> Tok {
        let name = match binding {
            Binding::Pat(sizes, pat, _) => sizes.first().map_or(pat.span, |size| size.span),
            Binding::Fun(def) => def.name.span,
            Binding::Update(name, ..) => name.span,
        };
        let first = self.first(name);
        let in_brackets = matches!(binding, Binding::Pat(sizes, ..) if !sizes.is_empty());
        if in_brackets { first - 2 } else { first - 1 }
    }

    fn binding(&mut self, let_: Tok, binding: &Binding) {
        let e = match binding {
            Binding::Fun(def) => return self.fun_def(let_, def),
            Binding::Pat(_, _, e) | Binding::Update(_, _, e) => e,
        };
        let (first, last) = self.range(e);
        let group = self.group(let_, last);
        match binding {
            Binding::Pat(sizes, pat, _) => {
                for size in sizes {
                    self.blank(self.first(size.span) - 1);
                    self.blank(self.first(size.span) + 2);
                }
                self.pat(pat);
            }
            Binding::Update(_, path, _) => self.path(path),
            Binding::Fun(_) => {}
        }
        self.line(first, group, let_, 2);
        self.expr(e);
    }
}

/// Of these as many as fit stand on a line.
fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) => true,
        ExprKind::Negate(e) => is_literal(e),
        _ => false,
    }
}
