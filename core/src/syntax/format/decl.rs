//! The layout of declarations, modules and module types.

use super::sheet::{Align, ROOT, Sheet, Space, Tok};
use crate::source::Span;
use crate::syntax::ast::*;

impl Sheet<'_> {
    pub(super) fn program(&mut self, ast: &Ast) {
        for decl in &ast.decls {
            self.statement(decl.span, Space::Line(ROOT), Align::Margin);
            self.decl(decl);
        }
        self.keep_blank(self.tokens.len());
        self.gap(self.tokens.len(), Space::Line(ROOT), Align::Margin);
    }

    /// Something that stands on lines of its own, with blank lines around it.
    fn statement(&mut self, span: Span, space: Space, align: Align) {
        let first = self.first(span);
        self.gap(first, space, align);
        self.keep_blank(first);
    }

    /// `{ … }`: each statement on a line, two to the right of the declaration `base`.
    fn body(&mut self, base: Tok, braces: Span, statements: impl Iterator<Item = Span>) {
        let close = self.last(braces);
        let group = self.group(self.first(braces), close);
        let inside = Align::At(base, 2);
        for span in statements {
            self.statement(span, Space::Line(group), inside);
        }
        self.line(close, group, base, 0);
        self.gaps[close].comment_align = Some(inside);
        self.keep_blank(close);
    }

    fn attrs(&mut self, attrs: &[Attr], base: Tok) {
        for attr in attrs {
            self.attr(attr);
            self.line(self.last(attr.span) + 1, ROOT, base, 0);
        }
    }

    fn decl(&mut self, decl: &Decl) {
        let base = self.first(decl.span);
        stacker::maybe_grow(64 << 10, 1 << 20, || self.decl_at(decl, base));
    }

    fn decl_at(&mut self, decl: &Decl, base: Tok) {
        self.attrs(&decl.attrs, base);
        let keyword = self.behind(&decl.attrs, self.first(decl.span));
        let end = self.last(decl.span);
        match &decl.kind {
            DeclKind::Def { def, .. } => self.fun_def_at(keyword, base, def),
            DeclKind::Val { name, tparams, ty } => self.val(keyword, base, name, tparams, ty),
            DeclKind::Type { lifted, name, params, def } => {
                self.type_def(keyword, base, *lifted, name, params, Some(def))
            }
            DeclKind::Module { name, params, sig, def } => {
                let group = self.group(keyword, end);
                let name = self.first(name.span);
                if let (Some(first), Some(last)) = (params.first(), params.last()) {
                    let first = self.first(first.name.span) - 1;
                    let header = self.group(keyword, self.last(last.sig.span));
                    for param in params {
                        let open = self.first(param.name.span) - 1;
                        if open != first {
                            self.line(open, header, first, 0);
                        }
                        self.mod_param(param, base);
                    }
                }
                let mut equals = params.last().map_or(name, |p| self.close(p.sig.span)) + 1;
                if let Some(sig) = sig {
                    self.sig_exp(sig, base);
                    equals = self.find(self.last(sig.span) + 1, "=");
                }
                if !ends_in_braces(def) {
                    self.line(equals + 1, group, base, 2);
                }
                self.mod_exp(def, base);
            }
            DeclKind::ModuleType { name, def } => {
                let group = self.group(keyword, end);
                if !sig_has_braces(def) {
                    self.line(self.first(name.span) + 2, group, base, 2);
                }
                self.sig_exp(def, base);
            }
            DeclKind::Open(m) => self.mod_exp(m, base),
            DeclKind::Local(decl) => stacker::maybe_grow(64 << 10, 1 << 20, || self.decl_at(decl, base)),
            DeclKind::Import(_) => {}
        }
    }

    fn behind(&self, attrs: &[Attr], first: Tok) -> Tok {
        attrs.last().map_or(first, |a| self.last(a.span) + 1)
    }

    /// The next such token from here on.
    fn find(&self, from: Tok, text: &str) -> Tok {
        (from..self.tokens.len()).find(|&t| self.is(t, text)).unwrap_or(from)
    }

    /// The parenthesis that closes a parameter whose module type this is.
    fn close(&self, sig: Span) -> Tok {
        self.find(self.last(sig) + 1, ")")
    }

    /// What follows `def`, or `let`, the token `keyword`.
    pub(super) fn fun_def(&mut self, keyword: Tok, def: &FunDef) {
        self.fun_def_at(keyword, keyword, def);
    }

    fn fun_def_at(&mut self, keyword: Tok, base: Tok, def: &FunDef) {
        let body = self.first(def.body.span);
        let group = self.group(keyword, self.last(def.body.span));
        let header = self.group(keyword, body - 2);
        self.type_params(&def.tparams);
        // a name in backquotes between the parameters
        let name = self.first(def.name.span);
        if name > 0 && self.is(name - 1, "`") {
            self.glued(name);
            self.glued(name + 1);
        }
        let first_tparam = def.tparams.first().map(|p| self.type_param_first(p));
        let first_param = def.params.first().map(|p| self.first(p.span));
        let below = first_tparam.or(first_param);
        for (i, param) in def.params.iter().enumerate() {
            if let Some(below) = below
                && (i > 0 || first_tparam.is_some())
            {
                self.line(self.first(param.span), header, below, 0);
            }
            self.pat(param);
        }
        if let Some(ret) = &def.ret {
            let align = below.map_or(Align::At(base, 4), |below| Align::At(below, 0));
            self.gap(self.first(ret.span) - 1, Space::Fill(header, body - 1), align);
            self.ty(ret);
        }
        self.gap(body - 1, Space::Blank, Align::At(base, 2));
        self.line(body, group, base, 2);
        self.expr(&def.body);
    }

    /// `val f [n] 'a : t`
    fn val(&mut self, keyword: Tok, base: Tok, name: &Ident, tparams: &[TypeParam], ty: &TypeExp) {
        let group = self.group(keyword, self.last(ty.span));
        self.type_params(tparams);
        // the name may stand in parentheses
        let last = tparams.last().map_or(name.span, |p| p.ident().span);
        let colon = self.find(self.last(last) + 1, ":");
        self.line(colon + 1, group, base, 2);
        self.ty(ty);
    }

    /// `type t 'a = u`, `type t 'a`
    fn type_def(
        &mut self,
        keyword: Tok,
        base: Tok,
        lifted: Lifted,
        name: &Ident,
        params: &[TypeParam],
        def: Option<&TypeExp>,
    ) {
        if lifted != Lifted::No {
            self.glued(self.first(name.span) - 1);
        }
        self.type_params(params);
        if let Some(def) = def {
            let group = self.group(keyword, self.last(def.span));
            // the bars of a sum stand to the left of its constructors
            let offset = if matches!(def.kind, TypeExpKind::Sum(_)) { 4 } else { 2 };
            self.line(self.first(def.span), group, base, offset);
            self.ty(def);
        }
    }

    fn mod_param(&mut self, param: &ModParam, base: Tok) {
        self.glued(self.first(param.name.span) + 1);
        self.sig_exp(&param.sig, base);
    }

    fn mod_exp(&mut self, m: &ModExp, base: Tok) {
        stacker::maybe_grow(64 << 10, 1 << 20, || match m {
            ModExp::Name(_) | ModExp::Import(_) => {}
            ModExp::Struct(decls, braces) => {
                self.body(base, *braces, decls.iter().map(|d| d.span));
                decls.iter().for_each(|d| self.decl(d));
            }
            ModExp::Apply(f, x) => {
                self.mod_exp(f, base);
                self.mod_exp(x, base);
            }
            ModExp::Ascribe(m, sig) => {
                self.mod_exp(m, base);
                self.sig_exp(sig, base);
            }
            ModExp::Lambda(param, sig, m) => {
                self.mod_param(param, base);
                sig.iter().for_each(|s| self.sig_exp(s, base));
                self.mod_exp(m, base);
            }
        });
    }

    fn sig_exp(&mut self, sig: &SigExp, base: Tok) {
        stacker::maybe_grow(64 << 10, 1 << 20, || match &sig.kind {
            SigExpKind::Name(_) => {}
            SigExpKind::Specs(specs) => {
                self.body(base, sig.span, specs.iter().map(|s| s.span));
                specs.iter().for_each(|s| self.spec(s));
            }
            SigExpKind::With { sig: of, name, params, ty } => {
                self.sig_exp(of, base);
                let with = self.first(name.span()) - 1;
                let last = self.last(ty.span);
                let group = self.group(with - 1, last);
                self.gap(with, Space::Fill(group, last), Align::At(base, 4));
                self.type_params(params);
                self.ty(ty);
            }
            SigExpKind::Arrow(name, from, to) => {
                if let Some(name) = name {
                    self.glued(self.first(name.span) + 1);
                }
                self.sig_exp(from, base);
                self.sig_exp(to, base);
            }
        });
    }

    fn spec(&mut self, spec: &Spec) {
        let base = self.first(spec.span);
        self.attrs(&spec.attrs, base);
        let keyword = self.behind(&spec.attrs, base);
        match &spec.kind {
            SpecKind::Val { name, tparams, ty } => self.val(keyword, base, name, tparams, ty),
            SpecKind::Type { lifted, name, params, def } => {
                self.type_def(keyword, base, *lifted, name, params, def.as_ref());
            }
            SpecKind::Module(name, sig) => {
                self.glued(self.first(name.span) + 1);
                self.sig_exp(sig, base);
            }
            SpecKind::Include(sig) => self.sig_exp(sig, base),
        }
    }
}

/// Whether a module begins on the line of its name and goes on below, in braces.
fn ends_in_braces(m: &ModExp) -> bool {
    match m {
        ModExp::Struct(..) => true,
        ModExp::Name(_) | ModExp::Import(_) => false,
        ModExp::Apply(_, m) | ModExp::Lambda(_, _, m) | ModExp::Ascribe(m, _) => ends_in_braces(m),
    }
}

fn sig_has_braces(sig: &SigExp) -> bool {
    match &sig.kind {
        SigExpKind::Specs(_) => true,
        SigExpKind::Name(_) => false,
        SigExpKind::With { sig, .. } | SigExpKind::Arrow(_, _, sig) => sig_has_braces(sig),
    }
}
