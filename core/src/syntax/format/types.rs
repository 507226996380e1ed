//! The layout of types and patterns, and of lists in brackets.

use super::sheet::{Align, Sheet, Space, Tok};
use crate::syntax::ast::*;

/// How the elements of a list are laid out if they need more than a line.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ListStyle {
    /// Each on a line of its own, the commas before them.
    Lines,
    /// As many on a line as fit.
    Fill,
}

impl Sheet<'_> {
    /// A list between brackets: the first and last token of each element.
    pub(super) fn list(&mut self, open: Tok, items: &[(Tok, Tok)], style: ListStyle) {
        let Some(&(_, last)) = items.last() else { return };
        let mut close = last + 1;
        if self.is(close, ",") {
            close += 1;
            // `(x,)` is a tuple, `(x)` is not
            if items.len() > 1 {
                self.drop(last + 1);
            }
        }
        let group = self.group(open, close);
        let commented = || (open + 1..=close).any(|t| !self.gaps[t].comments.is_empty());
        if style == ListStyle::Fill && !commented() {
            for &(first, last) in &items[1..] {
                self.gap(first, Space::Fill(group, last + 1), Align::At(open, 1));
            }
            return;
        }
        for (i, &(first, _)) in items.iter().enumerate() {
            if i == 0 {
                self.gap(first, Space::Pad(group), Align::At(open, 2));
            } else {
                self.line(first - 1, group, open, 0);
                self.gaps[first - 1].comment_align = Some(Align::At(open, 2));
                self.blank(first);
                self.leads(first - 1, first);
            }
        }
        self.line(close, group, open, 0);
        self.gaps[close].comment_align = Some(Align::At(open, 2));
    }

    pub(super) fn type_params(&mut self, params: &[TypeParam]) {
        for param in params {
            let first = self.type_param_first(param);
            self.blank(first);
        }
    }

    /// The bracket or quote.
    pub(super) fn type_param_first(&self, param: &TypeParam) -> Tok {
        self.first(param.ident().span).saturating_sub(1)
    }

    pub(super) fn ty(&mut self, ty: &TypeExp) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.ty_kind(ty));
    }

    fn ty_kind(&mut self, ty: &TypeExp) {
        match &ty.kind {
            TypeExpKind::Name(_, args) => {
                for arg in args {
                    match arg {
                        TypeArg::Size(size, span) => {
                            self.blank(self.first(*span));
                            self.size(size);
                        }
                        TypeArg::Type(t) => {
                            self.blank(self.first(t.span));
                            self.ty(t);
                        }
                    }
                }
            }
            TypeExpKind::Array(size, elem) => {
                self.size(size);
                self.glued(self.first(elem.span));
                self.ty(elem);
            }
            TypeExpKind::Tuple(elems) => {
                if let Some(first) = elems.first() {
                    let items: Vec<_> = elems.iter().map(|t| (self.first(t.span), self.last(t.span))).collect();
                    self.list(self.first(first.span) - 1, &items, ListStyle::Lines);
                }
                elems.iter().for_each(|t| self.ty(t));
            }
            TypeExpKind::Fun(..) => self.fun_type(ty),
            TypeExpKind::Unique(t) => {
                self.glued(self.first(t.span));
                self.ty(t);
            }
            TypeExpKind::Record(fields) => {
                let item = |(name, t): &(Ident, TypeExp)| (self.first(name.span), self.last(t.span));
                let items: Vec<_> = fields.iter().map(item).collect();
                if let Some(&(first, _)) = items.first() {
                    self.list(first - 1, &items, ListStyle::Lines);
                }
                for (name, t) in fields {
                    self.glued(self.first(name.span) + 1);
                    self.ty(t);
                }
            }
            TypeExpKind::Sum(alternatives) => {
                let hash = |sheet: &Self, name: &Ident| sheet.first(name.span) - 1;
                let Some((name, args)) = alternatives.first() else { return };
                let first = hash(self, name);
                let (name, _) = alternatives.last().unwrap_or(&alternatives[0]);
                let last = alternatives.last().and_then(|(_, args)| args.last());
                let last = last.map_or(self.first(name.span), |t| self.last(t.span));
                let group = self.group(first, last);
                for (name, _) in &alternatives[1..] {
                    let hash = hash(self, name);
                    self.line(hash - 1, group, first, -2);
                    self.leads(hash - 1, hash);
                }
                let all = args.iter().chain(alternatives[1..].iter().flat_map(|(_, args)| args));
                all.for_each(|t| self.ty(t));
            }
            TypeExpKind::Exists(_, t) => {
                let first = self.first(ty.span);
                let body = self.first(t.span);
                (first + 1..=body).for_each(|tok| self.glued(tok));
                self.ty(t);
            }
        }
    }

    fn size(&mut self, size: &Option<Box<Expr>>) {
        if let Some(size) = size {
            self.expr(size);
        }
    }

    /// `t -> u -> v`: one group for all arrows.
    fn fun_type(&mut self, ty: &TypeExp) {
        let (mut first, mut group) = (0, None);
        let mut rest = ty;
        while let TypeExpKind::Fun(name, from, to) = &rest.kind {
            let inner = match name {
                Some(name) => self.first(name.span) - 1,
                None => self.first(from.span),
            };
            // what has parentheses of its own has a group of its own
            let group = match group {
                Some(_) if inner != self.first(rest.span) => break,
                Some(group) => group,
                None => {
                    first = inner;
                    *group.insert(self.group(inner, self.last(to.span)))
                }
            };
            if let Some(name) = name {
                self.glued(self.first(name.span) + 1);
            }
            self.ty(from);
            let arrow = self.first(to.span) - 1;
            self.line(arrow, group, first, 0);
            self.leads(arrow, arrow + 1);
            rest = to;
        }
        self.ty(rest);
    }

    pub(super) fn pat(&mut self, pat: &Pat) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.pat_kind(pat));
    }

    fn pat_kind(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Name(_) | PatKind::Wildcard => {}
            PatKind::Tuple(elems) => {
                if let Some(first) = elems.first() {
                    let items: Vec<_> = elems.iter().map(|p| (self.first(p.span), self.last(p.span))).collect();
                    self.list(self.first(first.span) - 1, &items, ListStyle::Lines);
                }
                elems.iter().for_each(|p| self.pat(p));
            }
            PatKind::Record(fields) => {
                let item = |(name, p): &(Ident, Option<Pat>)| {
                    let last = p.as_ref().map_or(name.span, |p| p.span);
                    (self.first(name.span), self.last(last))
                };
                let items: Vec<_> = fields.iter().map(item).collect();
                if let Some(&(first, _)) = items.first() {
                    self.list(first - 1, &items, ListStyle::Lines);
                }
                fields.iter().filter_map(|(_, p)| p.as_ref()).for_each(|p| self.pat(p));
            }
            PatKind::Lit(literal) => self.expr(literal),
            PatKind::Constr(_, args) => args.iter().for_each(|p| self.pat(p)),
            PatKind::Typed(p, ty) => {
                self.pat(p);
                self.glued(self.first(ty.span) - 1);
                self.ty(ty);
            }
            PatKind::Attr(attr, p) => {
                self.attr(attr);
                self.pat(p);
            }
        }
    }

    /// `#[name(args)]`
    pub(super) fn attr(&mut self, attr: &Attr) {
        for tok in self.first(attr.span) + 1..=self.last(attr.span) {
            if !self.is(tok - 1, ",") {
                self.glued(tok);
            }
        }
    }
}
