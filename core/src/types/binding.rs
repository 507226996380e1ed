//! Inference for what binds names: patterns, functions, blocks, branches, loops; and what becomes of sizes when the scope of
//! their names ends.

use super::check::Checker;
use super::env::{Scope, Value};
use super::infer::T;
use super::ty::*;
use super::typed::{self, Binding, ExprKind, PatKind};
use super::unify::Want;
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, PatKind as P};
use std::sync::Arc;

/// A function that has been inferred.
pub(super) struct Function {
    pub params: Vec<typed::Pat>,
    pub body: T,
    pub ty: Type,
}

impl Checker {
    // Patterns.

    /// Binds a pattern to a type; its names go into `scope`, at the current level.
    pub(super) fn pattern(&mut self, scope: &mut Scope, pat: &ast::Pat, ty: Type) -> typed::Pat {
        let mut names = vec![];
        let outer = scope.clone();
        self.pattern_inner(&outer, scope, pat, ty, &mut names)
    }

    fn pattern_inner(
        &mut self,
        outer: &Scope,
        scope: &mut Scope,
        pat: &ast::Pat,
        ty: Type,
        names: &mut Vec<Name>,
    ) -> typed::Pat {
        let span = pat.span;
        match &pat.kind {
            P::Name(name) => {
                if names.contains(name) {
                    let message = format!("The name \"{name}\" is bound twice in one pattern.");
                    self.infer.error(Diagnostic::error(Code::DuplicateName, span, message));
                }
                names.push(name.clone());
                let id = self.infer.fresh_id(name.clone());
                scope.values.insert(name.clone(), Value::Bound(id.clone(), Arc::new(Scheme::mono(ty.clone()))));
                typed::Pat { kind: PatKind::Name(id), ty, span }
            }
            P::Wildcard => typed::Pat { kind: PatKind::Wildcard, ty, span },
            P::Tuple(pats) => {
                let types = match self.infer.head(&ty) {
                    Type::Tuple(types) if types.len() == pats.len() => types.to_vec(),
                    _ => {
                        let types: Vec<Type> = pats.iter().map(|_| self.infer.fresh_type()).collect();
                        let tuple = Type::tuple(types.clone());
                        self.infer.require(&tuple, &ty, span, || "This pattern does not fit the value.".to_string());
                        types
                    }
                };
                let pats = pats.iter().zip(types).map(|(p, t)| self.pattern_inner(outer, scope, p, t, names)).collect();
                typed::Pat { kind: PatKind::Tuple(pats), ty, span }
            }
            P::Typed(pat, t) => {
                let annotated = self.type_exp(outer, t);
                self.infer
                    .require(&annotated, &ty, span, || "The value does not have the type of its pattern.".to_string());
                self.pattern_inner(outer, scope, pat, annotated, names)
            }
            P::Attr(_, pat) => self.pattern_inner(outer, scope, pat, ty, names),
            P::Record(_) | P::Lit(_) | P::Constr(..) => {
                self.not_supported(span, "This kind of pattern is");
                typed::Pat { kind: PatKind::Wildcard, ty, span }
            }
        }
    }

    /// The type that a pattern's annotations give, before anything else is known.
    fn pattern_type(&mut self, scope: &Scope, pat: &ast::Pat) -> Type {
        match &pat.kind {
            P::Typed(_, t) => self.type_exp(scope, t),
            P::Tuple(pats) => Type::tuple(pats.iter().map(|p| self.pattern_type(scope, p)).collect()),
            P::Attr(_, p) => self.pattern_type(scope, p),
            P::Name(_) | P::Wildcard | P::Record(_) | P::Lit(_) | P::Constr(..) => self.infer.fresh_type(),
        }
    }

    /// As [`Checker::pattern`], with the annotations already taken into account by `ty`.
    fn bare_pattern(&mut self, scope: &mut Scope, pat: &ast::Pat, ty: Type) -> typed::Pat {
        fn strip(pat: &ast::Pat) -> ast::Pat {
            let kind = match &pat.kind {
                P::Typed(p, _) | P::Attr(_, p) => return strip(p),
                P::Tuple(pats) => P::Tuple(pats.iter().map(strip).collect()),
                other => other.clone(),
            };
            ast::Pat { kind, span: pat.span }
        }
        self.pattern(scope, &strip(pat), ty)
    }

    // Functions.

    /// Parameters, result type and body of a function or lambda. Each parameter is in scope of the types of the next.
    pub(super) fn function(
        &mut self,
        scope: &Scope,
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        body: &ast::Expr,
    ) -> Function {
        let outer = self.infer.level;
        let mut scope = scope.clone();
        let mut typed_params = vec![];
        for p in params {
            let ty = self.pattern_type(&scope, p);
            self.infer.level += 1;
            typed_params.push(self.bare_pattern(&mut scope, p, ty));
        }
        // What the body brings up is of a level of its own.
        self.infer.level += 1;
        let declared = ret.map(|t| self.type_exp(&scope, t));
        let mut body = self.expr(&scope, body);
        if let Some(declared) = declared {
            let span = body.span;
            self.infer.require(&declared, &body.ty, span, || "The body does not have the declared type.".to_string());
            body.ty = declared;
        }
        let refs: Vec<&typed::Pat> = typed_params.iter().collect();
        let ty = self.function_type(&refs, &body.ty);
        self.infer.level = outer;
        self.infer.lower_levels(&ty);
        Function { params: typed_params, body, ty }
    }

    /// The type of a function with these parameters: sizes of the result that are no parameters, nor of the outside, are
    /// unknown. The current level is that of the body.
    pub(super) fn function_type(&mut self, params: &[&typed::Pat], ret: &Type) -> Type {
        let body_level = self.infer.level;
        self.infer.level = body_level - 1 - params.len() as u32;
        let allowed: Vec<Id> = (params.iter())
            .filter_map(|p| match &p.kind {
                PatKind::Name(id) => Some(id.clone()),
                _ => None,
            })
            .collect();
        let (ret, exts) = self.close(ret, &allowed);
        self.infer.level = body_level;
        let exts: Vec<Id> = exts.into_iter().map(|(id, _)| id).collect();
        let mut ty = ret;
        for (i, p) in params.iter().enumerate().rev() {
            let names = size_names(&ty);
            let param = match &p.kind {
                PatKind::Name(id) if names.contains(id) => Some(id.clone()),
                _ => None,
            };
            let exts = if i + 1 == params.len() { exts.clone() } else { vec![] };
            ty = Type::Fun(Arc::new(FunType { param, arg: self.infer.zonk(&p.ty), exts, ret: ty }));
        }
        ty
    }

    /// Ends a scope: in `ty`, sizes with names of deeper levels than the current one (and not among `allowed`) are spelt out
    /// if they abbreviate something, else replaced by new names, which are returned with what they stand for.
    pub(super) fn close(&mut self, ty: &Type, allowed: &[Id]) -> (Type, Vec<(Id, Size)>) {
        let ty = self.infer.zonk(ty);
        let mut exts: Vec<(Id, Size)> = vec![];
        let level = self.infer.level;
        let bound = bound_names(&ty);
        let closed = ty.map(
            &mut |size| {
                let mut size = size.clone();
                loop {
                    let mut out = vec![];
                    size.names(&mut |id| {
                        if self.infer.level_of(id) > level && !allowed.contains(id) && !bound.contains(id) {
                            out.push(id.clone());
                        }
                    });
                    if out.is_empty() {
                        return size;
                    }
                    let defs = out.iter().filter_map(|id| Some((id.clone(), self.infer.size_defs.get(id)?.clone())));
                    let defs: std::collections::HashMap<Id, Size> = defs.collect();
                    if defs.is_empty() {
                        break;
                    }
                    size = self.infer.size(&size.subst(&defs));
                }
                if let Some((id, _)) = exts.iter().find(|(_, s)| *s == size) {
                    return Size::Var(id.clone());
                }
                let mut origin = None;
                size.names(&mut |id| origin = origin.take().or(self.infer.origins.get(id).cloned()));
                let name = match &size {
                    Size::Var(id) => id.name.clone(),
                    _ => self.infer.ext_name().into(),
                };
                let id = self.infer.fresh_id(name);
                if let Some(origin) = origin {
                    self.infer.origins.insert(id.clone(), origin);
                }
                exts.push((id.clone(), size));
                Size::Var(id)
            },
            &mut |_| None,
        );
        self.infer.lower_levels(&closed);
        (closed, exts)
    }

    // Blocks.

    pub(super) fn block(&mut self, scope: &Scope, bindings: &[ast::Binding], body: &ast::Expr, span: Span) -> T {
        let outer = self.infer.level;
        let mut scope = scope.clone();
        let mut typed_bindings = vec![];
        self.infer.level += 1;
        for binding in bindings {
            match binding {
                ast::Binding::Pat(pat, e) => {
                    let e = self.expr(&scope, e);
                    self.infer.level += 1;
                    let pat = self.pattern(&mut scope, pat, e.ty.clone());
                    if let (PatKind::Name(id), Some(size)) = (&pat.kind, self.size_of(&e)) {
                        self.infer.size_defs.insert(id.clone(), size);
                    }
                    typed_bindings.push(Binding::Pat(pat, e));
                }
                ast::Binding::Fun(def) => {
                    let def = self.local_function(&scope, def);
                    self.infer.level += 1;
                    let id = self.infer.fresh_id(def.id.name.clone());
                    scope.values.insert(id.name.clone(), Value::Bound(id.clone(), Arc::new(def.scheme.clone())));
                    typed_bindings.push(Binding::Fun(Arc::new(typed::Def { id, ..def })));
                }
                ast::Binding::Update(name, ..) => self.not_supported(name.span, "Updating a part of a value is"),
            }
        }
        let body = self.expr(&scope, body);
        self.infer.level = outer;
        let (ty, exts) = self.close(&body.ty, &[]);
        T { kind: ExprKind::Block(typed_bindings, Box::new(body), exts), ty, span }
    }

    /// A function bound by `let`. It is polymorphic in what it declares, and in the sizes of its parameters.
    fn local_function(&mut self, scope: &Scope, def: &ast::FunDef) -> typed::Def {
        self.infer.level += 1;
        let mut inner = scope.clone();
        let mut tparams = self.type_params(&mut inner, &def.tparams);
        let fun = self.function(&inner, &def.params, def.ret.as_ref(), &def.body);
        let (_, sizes) = self.infer.free(&fun.ty);
        for m in sizes {
            let name = self.infer.size_origin(m).1.clone();
            let id = self.infer.fresh_id(name);
            self.infer.solve_size(m, Size::Var(id.clone()));
            tparams.push(TypeParam::Size(id));
        }
        self.infer.level -= 1;
        let ty = self.infer.zonk(&fun.ty);
        self.infer.lower_levels(&ty);
        let scheme = Scheme { params: tparams.clone(), exts: vec![], ty };
        let id = Id { num: u32::MAX, name: def.name.name.clone() };
        let span = def.name.span;
        typed::Def {
            id,
            scheme,
            tparams,
            params: fun.params,
            body: fun.body,
            entry: false,
            attrs: vec![],
            doc: None,
            span,
        }
    }

    // Branches.

    pub(super) fn branches(
        &mut self,
        scope: &Scope,
        branches: &[(ast::Expr, ast::Expr)],
        other: &ast::Expr,
        span: Span,
    ) -> T {
        let mut typed_branches = vec![];
        for (c, e) in branches {
            let c = self.expr(scope, c);
            self.infer.require(&Type::BOOL, &c.ty, c.span, || "A condition must be a truth value.".to_string());
            self.infer.level += 1;
            let e = self.expr(scope, e);
            self.infer.level -= 1;
            typed_branches.push((c, e));
        }
        self.infer.level += 1;
        let other = self.expr(scope, other);
        self.infer.level -= 1;
        let mut exts = vec![];
        let mut ty = other.ty.clone();
        for (_, e) in typed_branches.iter().rev() {
            let e_span = e.span;
            ty = self.join(&e.ty, &ty, &mut exts, e_span, span);
        }
        exts.retain(|id| size_names(&ty).contains(id));
        self.infer.lower_levels(&ty);
        T { kind: ExprKind::If(typed_branches, Box::new(other), exts), ty, span }
    }

    /// The type that two branches have in common: sizes in which they differ become unknown.
    fn join(&mut self, a: &Type, b: &Type, exts: &mut Vec<Id>, at: Span, span: Span) -> Type {
        if let Err(m) = self.infer.unify_but_sizes(a, b) {
            let d = self.infer.mismatch(&m, a, b, at, "The branches of an `if` must have one type.");
            self.infer.error(d);
            return Type::Error;
        }
        let (a, b) = (self.infer.zonk(a), self.infer.zonk(b));
        let mut theirs = vec![];
        b.sizes(&mut |s| theirs.push(s.clone()));
        let mut theirs = theirs.into_iter();
        let level = self.infer.level;
        a.map(
            &mut |s| {
                let Some(t) = theirs.next() else { return s.clone() };
                let mut visible = true;
                for side in [s, &t] {
                    self.infer.size(side).names(&mut |id| visible &= self.infer.level_of(id) <= level);
                }
                if visible && self.infer.unify_sizes(s, &t).is_ok() {
                    return s.clone();
                }
                let id = self.infer.fresh_ext(span, "the size of what this `if` returns".to_string());
                exts.push(id.clone());
                Size::Var(id)
            },
            &mut |_| None,
        )
    }

    // Loops.

    /// Note [Sizes in loops]: the carried arrays get new, open sizes. What the body does with them may fix them; then they
    /// must be what they were at first. Where the body returns a size that is neither the one it got nor the first one, the
    /// size changes from turn to turn, and is unknown outside.
    pub(super) fn loop_(&mut self, scope: &Scope, l: &ast::Loop, span: Span) -> T {
        let outer = self.infer.level;
        let init = match &l.init {
            Some(e) => self.expr(scope, e),
            None => match pattern_as_expr(&l.pat) {
                Some(e) => self.expr(scope, &e),
                None => {
                    let d = Diagnostic::error(
                        Code::BadPattern,
                        l.pat.span,
                        "This loop needs initial values: `loop p = e for …`.",
                    );
                    self.infer.error(d);
                    T { kind: ExprKind::Error, ty: Type::Error, span }
                }
            },
        };
        let index_type = self.infer.fresh_scalar(Checker::ints());
        let mut over = None;
        if let ast::LoopForm::For(_, e) | ast::LoopForm::ForIn(_, e) = &l.form {
            over = Some(self.expr(scope, e));
        }

        self.infer.level += 1;
        let mut first = vec![];
        let mut open = vec![];
        let carried = self.infer.zonk(&init.ty).map(
            &mut |s| {
                let size = self.infer.fresh_size(l.pat.span, "n");
                first.push(s.clone());
                open.push(size.clone());
                size
            },
            &mut |_| None,
        );
        let annotated = self.pattern_type(scope, &l.pat);
        let why = || "The initial value does not have the type of the loop's pattern.".to_string();
        if let Err(m) = self.infer.unify_but_sizes(&annotated, &carried) {
            let d = self.infer.mismatch(&m, &annotated, &init.ty, init.span, &why());
            self.infer.error(d);
        } else {
            self.infer.require(&annotated, &carried, init.span, why);
        }
        self.infer.level += 1;
        let mut inner = scope.clone();
        let pat = self.bare_pattern(&mut inner, &l.pat, annotated);
        let form = match (&l.form, over) {
            (ast::LoopForm::For(i, _), Some(n)) => {
                self.infer
                    .require(&index_type, &n.ty, n.span, || "The bound of a loop must be an integer.".to_string());
                let id = self.infer.fresh_id(i.name.clone());
                let scheme = Arc::new(Scheme::mono(n.ty.clone()));
                inner.values.insert(i.name.clone(), Value::Bound(id.clone(), scheme));
                typed::LoopForm::For(id, n)
            }
            (ast::LoopForm::ForIn(p, _), Some(xs)) => {
                let elem = self.infer.fresh(Want::Anything, false);
                let array = Type::array(self.infer.fresh_size(xs.span, "n"), elem.clone());
                self.infer.require(&array, &xs.ty, xs.span, || "What a loop goes over must be an array.".to_string());
                typed::LoopForm::ForIn(self.pattern(&mut inner, p, elem), xs)
            }
            (ast::LoopForm::While(c), _) | (ast::LoopForm::For(_, c) | ast::LoopForm::ForIn(_, c), None) => {
                let c = self.expr(&inner, c);
                self.infer.require(&Type::BOOL, &c.ty, c.span, || "A condition must be a truth value.".to_string());
                typed::LoopForm::While(c)
            }
        };
        self.infer.level += 1;
        let body = self.expr(&inner, &l.body);
        self.infer.level = outer + 2;
        if let Err(m) = self.infer.unify_but_sizes(&pat.ty, &body.ty) {
            let why = "The body of the loop does not have the type of its pattern.";
            let d = self.infer.mismatch(&m, &pat.ty, &body.ty, body.span, why);
            self.infer.error(d);
        }
        let mut variant = vec![];
        let mut last = vec![];
        self.infer.zonk(&body.ty).sizes(&mut |s| last.push(s.clone()));
        for ((first, open), last) in first.iter().zip(&open).zip(&last) {
            let known = self.infer.size(open);
            let last = self.infer.size(last);
            let Size::Meta(meta) = known else {
                for (size, what) in [(first, "At first it is"), (&last, "After a turn it is")] {
                    if let Err(m) = self.infer.unify_sizes(&known, size) {
                        let why =
                            format!("Inside the loop a size is \"{known}\". {what} \"{}\".", self.infer.size(size));
                        let at = if what.starts_with("At") { init.span } else { body.span };
                        let d = self.infer.mismatch(&m, &pat.ty, &body.ty, at, &why);
                        self.infer.error(d);
                    }
                }
                continue;
            };
            let first = self.infer.size(first);
            let same = last == Size::Meta(meta) || last == first;
            if same || matches!(last, Size::Meta(_)) {
                self.infer.solve_size(meta, first.clone());
                if !same {
                    let _ = self.infer.unify_sizes(&last, &first);
                }
            } else {
                let inside = self.infer.fresh_id("n");
                self.infer.solve_size(meta, Size::Var(inside.clone()));
                self.infer.level = outer;
                let outside = self.infer.fresh_ext(span, "the size of what this loop returns".to_string());
                self.infer.level = outer + 2;
                variant.push((inside, outside));
            }
        }
        self.infer.level = outer;
        let mut subst = Subst::default();
        subst.sizes.extend(variant.iter().map(|(inside, outside)| (inside.clone(), Size::Var(outside.clone()))));
        let ty = self.infer.zonk(&pat.ty).subst(&subst);
        self.infer.lower_levels(&ty);
        let kind = ExprKind::Loop(Box::new(typed::Loop { pat, init, form, body, variant }));
        T { kind, ty, span }
    }
}

/// The names that function types inside a type bind.
fn bound_names(ty: &Type) -> Vec<Id> {
    match ty {
        Type::Fun(f) => {
            let inner = [bound_names(&f.arg), bound_names(&f.ret)].concat();
            f.param.iter().chain(&f.exts).cloned().chain(inner).collect()
        }
        Type::Array(_, t) => bound_names(t),
        Type::Tuple(ts) => ts.iter().flat_map(bound_names).collect(),
        _ => vec![],
    }
}

/// A pattern of names as the expression that builds what it matches.
fn pattern_as_expr(pat: &ast::Pat) -> Option<ast::Expr> {
    let kind = match &pat.kind {
        P::Name(name) => ast::ExprKind::Var(name.clone()),
        P::Tuple(pats) => ast::ExprKind::Tuple(pats.iter().map(pattern_as_expr).collect::<Option<_>>()?),
        P::Typed(p, _) | P::Attr(_, p) => return pattern_as_expr(p),
        P::Wildcard | P::Record(_) | P::Lit(_) | P::Constr(..) => return None,
    };
    Some(ast::Expr { kind, span: pat.span })
}
