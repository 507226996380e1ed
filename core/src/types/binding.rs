//! Inference for what binds names: functions, blocks, branches, matches, loops; and what becomes of sizes when the scope of their names ends.

use super::check::Checker;
use super::declared::shown_sizes;
use super::env::{Scope, Value};
use super::finish;
use super::infer::T;
use super::pattern::{pattern_observed, pattern_unique};
use super::texp::unique;
use super::ty::*;
use super::typed::{self, Binding, ExprKind, PatKind};
use super::unify::{Infer, Want};
use crate::diag::{Code, Diagnostic};
use crate::hash::{HashMap, HashSet};
use crate::source::Span;
use crate::syntax::ast::{self, Lifted, PatKind as P};
use std::sync::Arc;

/// A function that has been inferred.
pub(super) struct Function {
    pub params: Vec<typed::Pat>,
    pub consumes: Vec<Unique>,
    pub fresh: Option<Unique>,
    pub body: T,
    pub ty: Type,
}

impl Checker {
    // Levels (Note [Levels] in `unify`).

    /// What comes within is of the levels that it enters.
    pub(super) fn scoped<R>(&mut self, within: impl FnOnce(&mut Checker) -> R) -> R {
        let outer = self.infer.level;
        let result = within(self);
        self.infer.level = outer;
        result
    }

    /// What comes within is of a deeper level.
    pub(super) fn deeper<R>(&mut self, within: impl FnOnce(&mut Checker) -> R) -> R {
        self.scoped(|c| {
            c.infer.enter();
            within(c)
        })
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
        let mut scope = scope.clone();
        let consumes: Vec<Unique> = params.iter().map(pattern_unique).collect();
        let fresh = ret.map(unique);
        let (typed_params, body) = self.scoped(|c| {
            let mut typed_params = vec![];
            let mut inner: HashSet<Id> = HashSet::default();
            for p in params {
                let ty = c.pattern_type(&scope, p);
                c.names_whole_params(&inner, &ty, "a parameter", p.span);
                c.infer.enter();
                let param = c.bare_pattern(&mut scope, p, ty);
                if !matches!(param.kind, PatKind::Name(_)) {
                    inner.extend(param.names());
                }
                typed_params.push(param);
            }
            // What the body brings up is of a level of its own.
            c.infer.enter();
            let declared = ret.map(|t| c.type_exp(&scope, t));
            if let (Some(declared), Some(ret)) = (&declared, ret) {
                c.names_whole_params(&inner, declared, "the result", ret.span);
            }
            let outer = std::mem::replace(&mut c.declared, declared.clone());
            let mut body = c.expr(&scope, body);
            c.declared = outer;
            if let Some(declared) = declared {
                c.require_result(&declared, &body, ret.map(|t| t.span));
                body.ty = declared;
            }
            (typed_params, body)
        });
        let refs: Vec<&typed::Pat> = typed_params.iter().collect();
        let ty = self.function_type(&refs, &consumes, &body.ty, &fresh);
        Function { params: typed_params, consumes, fresh, body, ty }
    }

    /// The type of a function with these parameters: sizes of the result that are no parameters, nor of the outside, are
    /// unknown. The current level is that outside of the function. What the result has aliases of is not known before the check of consumption, so a function
    /// that does not declare it is taken for one whose result has all (Note [Freshness of undeclared results] in `consume`).
    pub(super) fn function_type(
        &mut self,
        params: &[&typed::Pat],
        consumes: &[Unique],
        ret: &Type,
        fresh: &Option<Unique>,
    ) -> Type {
        // what a pattern takes apart is no name in the type
        let name = |p: &&typed::Pat| if let PatKind::Name(id) = &p.kind { Some(id.clone()) } else { None };
        let allowed: Vec<Id> = params.iter().filter_map(name).collect();
        let (ret, exts) = self.close(ret, &allowed);
        let exts: Vec<Id> = exts.into_iter().map(|(id, _)| id).collect();
        let mut ty = ret;
        let mut names = size_names(&ty);
        for (i, p) in params.iter().enumerate().rev() {
            let param = match &p.kind {
                PatKind::Name(id) if names.contains(id) => Some(id.clone()),
                _ => None,
            };
            let last = i + 1 == params.len();
            let exts = if last { exts.clone() } else { vec![] };
            // what an outer parameter's pattern takes apart is no name of the parameter
            let fresh = if last { fresh.clone().unwrap_or_default() } else { Unique::No };
            let consumes = consumes.get(i).cloned().unwrap_or_default();
            let arg = self.infer.zonk(&p.ty);
            names.extend(size_names(&arg));
            ty = Type::Fun(Arc::new(FunType { param, arg, consumes, exts, ret: ty, fresh }));
        }
        self.infer.lower_levels(&ty);
        ty
    }

    /// Ends a scope: in `ty`, sizes with names of deeper levels than the current one (and not among `allowed`) are spelt out if they abbreviate something,
    /// made of others that stay if they can be (`n - k` of `k`), else replaced by new names, which are returned with what they stand for.
    pub(super) fn close(&mut self, ty: &Type, allowed: &[Id]) -> (Type, Vec<(Id, Size)>) {
        self.close_with(ty, allowed, false)
    }

    /// The same. Apart: of `d + n`, where d is a size that came up inside, d gets a name, so that the sum is still known to be one.
    fn close_with(&mut self, ty: &Type, allowed: &[Id], apart: bool) -> (Type, Vec<(Id, Size)>) {
        let ty = self.infer.zonk(ty);
        let bound = ty.bound_names();
        let stays =
            |infer: &Infer, id: &Id| infer.level_of(id) <= infer.level || allowed.contains(id) || bound.contains(id);
        let ty = ty.map(&mut |size| self.spelt_out(size, &stays), &mut |_| None);
        let mut leaving: Vec<Size> = vec![];
        ty.sizes(&mut |size| {
            if self.leaves_scope(size, &stays) && !leaving.contains(size) {
                leaving.push(size.clone());
            }
        });
        // what others may be made of comes first: it must be seen of a value
        let shown = shown_sizes(&ty);
        leaving.sort_by_key(|size| (!shown.contains(size), parts_of(size)));
        let mut exts: Vec<(Id, Size)> = vec![];
        let mut known: HashMap<Size, Size> = HashMap::default();
        let mut parts: HashMap<Size, Size> = HashMap::default();
        for size in leaving {
            let mut new = made_of(&size, &parts);
            if apart && size.is_arithmetic() {
                let mut unknown: Vec<Id> = vec![];
                new.names(&mut |id| unknown.extend((!stays(&self.infer, id)).then(|| id.clone())));
                if unknown.iter().all(|id| self.infer.origins.contains_key(id)) {
                    for part in unknown.into_iter().map(Size::Var) {
                        parts.entry(part.clone()).or_insert_with(|| {
                            let id = self.new_ext(&part);
                            exts.push((id.clone(), part));
                            Size::Var(id)
                        });
                    }
                    new = made_of(&size, &parts);
                }
            }
            if new == size || self.leaves_scope(&new, &stays) {
                let id = self.new_ext(&size);
                exts.push((id.clone(), size.clone()));
                new = Size::Var(id);
            }
            if shown.contains(&size) {
                parts.insert(size.clone(), new.clone());
            }
            known.insert(size, new);
        }
        let closed = ty.map(&mut |size| known.get(size).unwrap_or(size).clone(), &mut |_| None);
        self.infer.lower_levels(&closed);
        (closed, exts)
    }

    fn leaves_scope(&self, size: &Size, stays: &dyn Fn(&Infer, &Id) -> bool) -> bool {
        let mut leaves = false;
        size.names(&mut |id| leaves |= !stays(&self.infer, id));
        leaves
    }

    /// A name for a size stands for it where the name is not known: `let m = n + 1 in iota m` has the size `n + 1`. A name for what is computed
    /// from arrays does not, lest that be computed again.
    pub(super) fn abbreviate(&mut self, pat: &typed::Pat, e: &T) {
        if let (PatKind::Name(id), Some(size)) = (&pat.kind, self.size_of(e))
            && size.is_arithmetic()
        {
            self.infer.size_defs.insert(id.clone(), size);
        }
    }

    /// The size without abbreviations that leave their scope.
    fn spelt_out(&mut self, size: &Size, stays: &dyn Fn(&Infer, &Id) -> bool) -> Size {
        let mut size = size.clone();
        loop {
            let mut defs = HashMap::default();
            size.names(&mut |id| {
                if !stays(&self.infer, id)
                    && let Some(def) = self.infer.size_defs.get(id)
                {
                    defs.insert(id.clone(), def.clone());
                }
            });
            if defs.is_empty() {
                return size;
            }
            size = self.infer.size(&size.subst(&defs));
        }
    }

    /// A name for a size that leaves its scope.
    fn new_ext(&mut self, size: &Size) -> Id {
        let mut origin = None;
        size.names(&mut |id| origin = origin.take().or(self.infer.origins.get(id).cloned()));
        let name = match size {
            Size::Var(id) => id.name.clone(),
            _ => self.infer.ext_name().into(),
        };
        let id = self.infer.fresh_id(name);
        if let Some(origin) = origin {
            self.infer.origins.insert(id.clone(), origin);
        }
        id
    }

    // Blocks.

    pub(super) fn block(&mut self, scope: &Scope, bindings: &[ast::Binding], body: &ast::Expr, span: Span) -> T {
        let mut scope = scope.clone();
        let (bindings, body) = self.deeper(|c| {
            let bindings: Vec<Binding> = bindings.iter().map(|b| c.binding(&mut scope, b)).collect();
            (bindings, c.expr(&scope, body))
        });
        let (ty, exts) = self.close_with(&body.ty, &[], true);
        T { kind: ExprKind::Block(bindings, Box::new(body), exts), ty, span }
    }

    /// One binding of a block. What comes behind is of a deeper level.
    fn binding(&mut self, scope: &mut Scope, binding: &ast::Binding) -> Binding {
        match binding {
            ast::Binding::Pat(sizes, pat, e) => {
                let e = self.expr(scope, e);
                self.infer.enter();
                let (pat, e) = match &sizes[..] {
                    [] => (self.pattern(scope, pat, e.ty.clone()), e),
                    sizes => self.sized_pattern(scope, sizes, pat, e),
                };
                self.abbreviate(&pat, &e);
                Binding::Pat(pat, e)
            }
            ast::Binding::Fun(def) => {
                let def = self.local_function(scope, def);
                self.infer.enter();
                let id = self.infer.fresh_id(def.id.name.clone());
                self.names.bind(&id, def.span);
                scope.bind(id.name.clone(), Value::Bound(id.clone(), Arc::new(def.scheme.clone())));
                Binding::Fun(Arc::new(typed::Def { id, ..def }))
            }
            ast::Binding::Update(name, path, value) => {
                let updated = self.variable(scope, &name.name, name.span);
                let e = self.update(scope, updated, path, value, name.span.to(value.span));
                self.infer.enter();
                let id = self.infer.fresh_id(name.name.clone());
                self.names.bind(&id, name.span);
                let ty = e.ty.clone();
                let scheme = Arc::new(Scheme::mono(ty.clone()));
                scope.bind(name.name.clone(), Value::Bound(id.clone(), scheme));
                Binding::Pat(typed::Pat { kind: PatKind::Name(id), ty, span: name.span }, e)
            }
        }
    }

    /// `[n] p` bound to a value: sizes of the value get names. Its type is that of the pattern, as an application has that brings up sizes.
    fn sized_pattern(&mut self, scope: &mut Scope, sizes: &[ast::Ident], pat: &ast::Pat, e: T) -> (typed::Pat, T) {
        let (mut names, mut open) = (vec![], Subst::default());
        let declared: Vec<ast::TypeParam> = sizes.iter().cloned().map(ast::TypeParam::Size).collect();
        self.distinct_params(&declared, std::slice::from_ref(pat));
        for size in sizes {
            let id = self.infer.fresh_id(size.name.clone());
            let scheme = Arc::new(Scheme::mono(Type::I64));
            scope.bind(size.name.clone(), Value::Bound(id.clone(), scheme));
            open.sizes.insert(id.clone(), self.infer.fresh_size(size.span, size.name.clone()));
            names.push(id);
        }
        let ty = self.pattern_type(scope, pat);
        let shown = shown_sizes(&self.infer.zonk(&ty));
        for (id, size) in names.iter().zip(sizes) {
            if !shown.contains(&Size::Var(id.clone())) {
                let message = format!(
                    "Cannot bind [{id}]: the pattern does not use it constructively, as a dimension of an array."
                );
                self.infer.error(Diagnostic::error(Code::BadSize, size.span, message));
            }
        }
        let why = || "The value does not have the type of its pattern.".to_string();
        self.infer.require(&ty.subst(&open), &e.ty, e.span, why);
        for id in &names {
            let size = self.infer.size(&open.sizes[id]);
            if size.is_arithmetic() && open_size(&size).is_none() {
                self.infer.size_defs.insert(id.clone(), size);
            }
        }
        let pat = self.bare_pattern(scope, pat, ty.clone());
        let span = e.span;
        let apply = typed::Apply { arg_sizes: vec![], exts: names };
        (pat, T { kind: ExprKind::Apply(Box::new(e), vec![], apply), ty, span })
    }

    /// A function bound by `let`. It is polymorphic in what it declares, and in the sizes of its parameters; not in types that it does not declare, since Futhark
    /// 0.27.
    fn local_function(&mut self, scope: &Scope, def: &ast::FunDef) -> typed::Def {
        let mut inner = scope.clone();
        self.distinct_params(&def.tparams, &def.params);
        let (declared, tparams, fun) = self.deeper(|c| {
            let mut tparams = c.type_params(&mut inner, &def.tparams);
            let declared = tparams.clone();
            let fun = c.function(&inner, &def.params, def.ret.as_ref(), &def.body);
            let (_, sizes) = c.infer.free(&fun.ty);
            tparams.extend(c.infer.parameters(vec![], sizes));
            (declared, tparams, fun)
        });
        let ty = finish::with_hidden_parameters(&self.infer, &self.infer.zonk(&fun.ty), &tparams);
        self.infer.lower_levels(&ty);
        let id = Id { num: u32::MAX, name: def.name.name.clone() };
        let span = def.name.span;
        self.usable(&id, &declared, &ty, span);
        let scheme = Scheme { params: tparams.clone(), exts: vec![], ty };
        typed::Def {
            id,
            scheme,
            tparams,
            params: fun.params,
            consumes: fun.consumes,
            fresh: fun.fresh,
            body: fun.body,
            recursive: false,
            // mutant: only definitions at the top level are asked whether they are entry points
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
            self.require(&Type::BOOL, &c, || "A condition must be a truth value.".to_string());
            let e = self.deeper(|c| c.expr(scope, e));
            typed_branches.push((c, e));
        }
        let other = self.deeper(|c| c.expr(scope, other));
        let results: Vec<&T> = typed_branches.iter().map(|(_, e)| e).chain([&other]).collect();
        let (ty, exts) = self.common(&results, &[], "if", span);
        T { kind: ExprKind::If(typed_branches, Box::new(other), exts), ty, span }
    }

    pub(super) fn match_(
        &mut self,
        scope: &Scope,
        value: &ast::Expr,
        cases: &[(ast::Pat, ast::Expr)],
        span: Span,
    ) -> T {
        let value = self.expr(scope, value);
        let (mut typed_cases, mut own) = (vec![], vec![]);
        for (pat, e) in cases {
            let mut scope = scope.clone();
            let (pat, mut e) = self.deeper(|c| {
                let pat = c.pattern(&mut scope, pat, value.ty.clone());
                (pat, c.deeper(|c| c.expr(&scope, e)))
            });
            // Names of the pattern leave their scope here.
            let (ty, names) = self.close(&e.ty, &[]);
            if !names.is_empty() {
                own.extend(names.iter().map(|(id, _)| id.clone()));
                let span = e.span;
                e = T { kind: ExprKind::Block(vec![], Box::new(e), names), ty, span };
            }
            typed_cases.push((pat, e));
        }
        let results: Vec<&T> = typed_cases.iter().map(|(_, e)| e).collect();
        let (ty, exts) = self.common(&results, &own, "match", span);
        T { kind: ExprKind::Match(Box::new(value), typed_cases, exts), ty, span }
    }

    /// The type that the results of branches have in common, and its unknown sizes. A size that is one branch's `own` is not that of another.
    fn common(&mut self, results: &[&T], own: &[Id], construct: &str, span: Span) -> (Type, Vec<Id>) {
        let mut exts = vec![];
        let mut ty = results.last().map_or(Type::Error, |e| e.ty.clone());
        for e in results.iter().rev().skip(1) {
            ty = self.join(&e.ty, &ty, own, &mut exts, construct, (e.span, span));
        }
        self.infer.no_functions(&ty);
        self.infer.lower_levels(&ty);
        (ty, exts)
    }

    /// The type that two branches have in common: sizes in which they differ become unknown. A size that is still open, as that of `xs: []i32`, differs from
    /// all others: what one branch returns says nothing of it (so it is in Futhark, 0.25.32 and 0.28: unifyMostCommon).
    fn join(
        &mut self,
        a: &Type,
        b: &Type,
        own: &[Id],
        exts: &mut Vec<Id>,
        construct: &str,
        (at, span): (Span, Span),
    ) -> Type {
        let before = self.infer.size_variables();
        if let Err(m) = self.infer.unify_shapes(a, b, at) {
            let why = format!("The branches of a \"{construct}\" must have one type.");
            let d = self.infer.mismatch(&m, a, b, at, &why);
            self.infer.error(d);
            return Type::Error;
        }
        let (a, b) = (self.infer.zonk(a), self.infer.zonk(b));
        let mut theirs = vec![];
        b.sizes(&mut |s| theirs.push(s.clone()));
        let mut theirs = theirs.into_iter();
        let level = self.infer.level;
        // what differs in the same way is one size
        let mut pairs: HashMap<(Size, Size), Id> = HashMap::default();
        a.map(
            &mut |s| {
                let Some(t) = theirs.next() else { return s.clone() };
                let mut visible = true;
                // mutant: both are looked at
                for side in [s, &t] {
                    self.infer
                        .size(side)
                        .names(&mut |id| visible &= self.infer.level_of(id) <= level && !own.contains(id));
                }
                let pair = (self.infer.size(s), self.infer.size(&t));
                // of a type that nothing was known of before
                let own = |size: &Size| open_size(size).is_some_and(|meta| meta >= before);
                let may_be_one = pair.0 == pair.1 || own(&pair.0) || own(&pair.1);
                if visible && may_be_one && self.infer.unify_sizes(s, &t).is_ok() {
                    return s.clone();
                }
                if let Some(id) = pairs.get(&pair) {
                    return Size::Var(id.clone());
                }
                let id = self.infer.fresh_ext(span, format!("the size of what this \"{construct}\" returns"));
                exts.push(id.clone());
                pairs.insert(pair, id.clone());
                Size::Var(id)
            },
            &mut |_| None,
        )
    }

    // Loops.

    /// Note [Sizes in loops]: the carried arrays get new, open sizes. What the body does with them may fix them; then they
    /// must be what they were at first. Where the body returns a size that is neither the one it got nor the first one, the
    /// size changes from turn to turn, and is unknown outside. What is open around the loop, such as the size of a parameter or of what a loop around it carries, is
    /// such another size: it is not for this loop to choose. A size that the body makes of others that change, equal to one of them or computed from them,
    /// must be made so of theirs at first and after each turn, and changes with them.
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

        self.infer.enter();
        let mut first = vec![];
        let mut open = vec![];
        let carried = self.infer.zonk(&init.ty).map(
            &mut |s| {
                let size = self.infer.fresh_size(l.pat.span, "n");
                if let Size::Meta(meta) = size {
                    self.infer.of_loops.insert(meta);
                }
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
        self.infer.enter();
        let mut inner = scope.clone();
        let pat = self.bare_pattern(&mut inner, &l.pat, annotated);
        let form = match (&l.form, over) {
            (ast::LoopForm::For(i, _), Some(n)) => {
                self.require(&index_type, &n, || "The bound of a loop must be an integer.".to_string());
                let id = self.infer.fresh_id(i.name.clone());
                self.names.bind(&id, i.span);
                let scheme = Arc::new(Scheme::mono(n.ty.clone()));
                inner.bind(i.name.clone(), Value::Bound(id.clone(), scheme));
                typed::LoopForm::For(id, n)
            }
            (ast::LoopForm::ForIn(p, _), Some(xs)) => {
                let elem = self.infer.fresh(Want::Anything, Lifted::No);
                let array = Type::array(self.infer.fresh_size(xs.span, "n"), elem.clone());
                self.require(&array, &xs, || "What a loop goes over must be an array.".to_string());
                typed::LoopForm::ForIn(self.pattern(&mut inner, p, elem), xs)
            }
            (ast::LoopForm::While(c), _) | (ast::LoopForm::For(_, c) | ast::LoopForm::ForIn(_, c), None) => {
                let c = self.expr(&inner, c);
                self.require(&Type::BOOL, &c, || "A condition must be a truth value.".to_string());
                typed::LoopForm::While(c)
            }
        };
        self.infer.no_functions(&pat.ty);
        let body = self.deeper(|c| c.expr(&inner, &l.body));
        if let Err(m) = self.infer.unify_but_sizes(&pat.ty, &body.ty) {
            let why = "The body of the loop does not have the type of its pattern.";
            let d = self.infer.mismatch(&m, &pat.ty, &body.ty, body.span, why);
            self.infer.error(d);
        }
        // of those that change: what they are in a turn, at first, and after the turn
        let (mut variant, mut at_first, mut after) = (vec![], HashMap::default(), HashMap::default());
        let mut made = vec![];
        let mut last = vec![];
        let ends = [("At first it is", &init), ("After a turn it is", &body)];
        self.infer.zonk(&body.ty).sizes(&mut |s| last.push(s.clone()));
        for ((first, own), last) in first.iter().zip(&open).zip(&last) {
            let known = self.infer.size(own);
            let last = self.infer.size(last);
            // what was made the first size already must stay it, and what was made one from outside of the loop is not the loop's to choose
            let Some(meta) = open_size(&known).filter(|_| known == *own && known != self.infer.size(first)) else {
                let mut open = false;
                known.metas(&mut |_| open = true);
                match open {
                    // made of what is decided further on
                    true => made.push((own, [first.clone(), last])),
                    false => self.size_at_ends(own, [&at_first, &after], &[first.clone(), last], ends, &pat.ty),
                }
                continue;
            };
            let first = self.infer.size(first);
            let same = last == Size::Meta(meta) || last == first;
            // What the body leaves open is as at first. Another carried size, or one of what is around the loop, may be something else.
            let carried = open.iter().any(|o| self.infer.size(o) == last);
            let left_open = open_size(&last).is_some_and(|m| !carried && !self.infer.escapes(m, outer));
            if same || (left_open && self.infer.unify_sizes(&last, &first).is_ok()) {
                self.infer.solve_size(meta, first);
            } else {
                if self.infer.escapes(meta, outer) {
                    let message = "Loop-variant size: what is outside of the loop depends on a size that changes from turn to turn.";
                    let d = Diagnostic::error(Code::SizeEscapes, l.pat.span, message);
                    self.infer.error(d.label(body.span, format!("after a turn it is \"{last}\"")));
                }
                let inside = self.infer.fresh_id("n");
                self.infer.solve_size(meta, Size::Var(inside.clone()));
                at_first.insert(inside.clone(), first);
                after.insert(inside.clone(), last);
                variant.push(inside);
            }
        }
        for (own, sizes) in made {
            self.size_at_ends(own, [&at_first, &after], &sizes, ends, &pat.ty);
        }
        self.infer.level = outer;
        let mut outside = || self.infer.fresh_ext(span, "the size of what this loop returns".to_string());
        let variant: Vec<(Id, Id)> = variant.into_iter().map(|inside| (inside, outside())).collect();
        let mut subst = Subst::default();
        subst.sizes.extend(variant.iter().map(|(inside, outside)| (inside.clone(), Size::Var(outside.clone()))));
        let ty = self.infer.zonk(&pat.ty).subst(&subst);
        self.infer.lower_levels(&ty);
        let (consumes, observed) = (pattern_unique(&l.pat), pattern_observed(&l.pat));
        let kind = ExprKind::Loop(Box::new(typed::Loop { pat, consumes, observed, init, form, body, variant }));
        T { kind, ty, span }
    }
}

impl Checker {
    /// A carried size that the body makes is so made at the ends of a turn, too: at first, and after the turn. `others` are the sizes that change, at these
    /// ends, `sizes` is what it is there.
    fn size_at_ends(
        &mut self,
        own: &Size,
        others: [&HashMap<Id, Size>; 2],
        sizes: &[Size; 2],
        ends: [(&str, &T); 2],
        pat: &Type,
    ) {
        let known = self.infer.size(own);
        for ((others, size), (what, e)) in others.into_iter().zip(sizes).zip(ends) {
            let wanted = self.infer.size(&known.subst(others));
            if let Err(m) = self.infer.unify_sizes(&wanted, size) {
                let why = format!("Inside the loop a size is \"{known}\". {what} \"{}\".", self.infer.size(size));
                let d = self.infer.mismatch(&m, pat, &e.ty, e.span, &why);
                self.infer.error(d);
            }
        }
    }
}

/// How many parts a size has.
fn parts_of(size: &Size) -> usize {
    // mutant: twice as many parts for each size: the order is the same
    let mut n = 1;
    size.parts(&mut |part| n += parts_of(part));
    n
}

/// A size with others for parts of it.
fn made_of(size: &Size, known: &HashMap<Size, Size>) -> Size {
    match (known.get(size), size) {
        (Some(new), _) => new.clone(),
        (None, Size::Op(op, ab)) => Size::op(*op, made_of(&ab.0, known), made_of(&ab.1, known)),
        _ => size.clone(),
    }
}

/// The variable that a size is.
fn open_size(size: &Size) -> Option<u32> {
    match size {
        Size::Meta(meta) => Some(*meta),
        _ => None,
    }
}

/// A pattern of names as the expression that builds what it matches.
fn pattern_as_expr(pat: &ast::Pat) -> Option<ast::Expr> {
    let kind = match &pat.kind {
        P::Name(name) => ast::ExprKind::Var(name.clone()),
        P::Tuple(pats) => ast::ExprKind::Tuple(pats.iter().map(pattern_as_expr).collect::<Option<_>>()?),
        P::Record(fields) => {
            let field = |(name, pat): &(ast::Ident, Option<ast::Pat>)| match pat {
                Some(pat) => Some((name.clone(), Some(pattern_as_expr(pat)?))),
                None => Some((name.clone(), None)),
            };
            ast::ExprKind::Record(fields.iter().map(field).collect::<Option<_>>()?)
        }
        P::Typed(p, _) | P::Attr(_, p) => return pattern_as_expr(p),
        P::Wildcard | P::Lit(_) | P::Constr(..) => return None,
    };
    Some(ast::Expr { kind, span: pat.span })
}
