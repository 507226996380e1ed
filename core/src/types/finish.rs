//! The end of a definition's inference: defaults, generalisation, and every type in its body made final.

use super::causality::brings_up;
use super::check::Recursive;
use super::declared::shown_sizes;
use super::exhaustive::unmatched;
use super::hint::{literal_range, plain_value};
use super::recursion;
use super::ty::*;
use super::typed::*;
use super::unify::Infer;
use crate::diag::{Code, Diagnostic};
use crate::hash::{HashMap, HashSet};
use crate::prim::ScalarType;
use crate::source::Span;
use crate::syntax::ast::Lifted;
use std::sync::Arc;

/// Finishes a definition, which may refer to itself. What its type leaves open becomes its parameters. `errors_before` is the number of diagnostics
/// from before the definition.
pub(super) fn definition(infer: &mut Infer, def: &mut Def, recursive: Option<&Recursive>, errors_before: usize) {
    if infer.has_open_scalar(&def.scheme.ty) {
        infer.defaulted.insert(def.id.clone());
    }
    infer.default_scalars();
    infer.shorten_chains();
    let (mut types, sizes) = infer.free(&def.scheme.ty);
    types.retain(|m| {
        let Some((code, missing)) = infer.missing(*m) else { return true };
        infer.error(Diagnostic::error(code, def.span, missing));
        // mutant: the definition is in error already, and its open types end as the error type
        infer.solve_type(*m, Type::Error);
        false
    });
    let open = infer.parameters(types, sizes);
    def.tparams.extend(open);
    let ty = infer.zonk(&def.scheme.ty);
    // The unknown sizes of a value without parameters.
    let mut exts = vec![];
    if def.params.is_empty() {
        let params: Vec<&Id> = def.tparams.iter().map(TypeParam::id).collect();
        let bound = ty.bound_names();
        exts.extend(
            size_names(&ty)
                .into_iter()
                .filter(|id| infer.level_of(id) > 0 && !params.contains(&id) && !bound.contains(id)),
        );
        exts.sort_by_key(|id| id.num);
    }
    if let (Some(ext), Some(p)) = (exts.first(), def.tparams.iter().find(|p| matches!(p, TypeParam::Size(_)))) {
        let message = format!(
            "A size-polymorphic value binding may not have a type with an existential size: [{}] is a parameter of \"{}\", and \"{ext}\" unknown.",
            p.id(),
            def.id
        );
        infer.error(Diagnostic::error(Code::BadSize, def.span, message).note(format!("Its type is {ty}.")));
    }
    def.scheme = Scheme { params: def.tparams.clone(), exts, ty };
    let silent = infer.diagnostics[errors_before..].iter().any(Diagnostic::is_error);
    let params = def.tparams.clone();
    let recursive = recursive.map(|r| (r, &params[..]));
    let mut finish = Finish { infer, silent, recursive, is_recursive: false, codes: HashMap::default() };
    def.params.iter_mut().for_each(|p| finish.irrefutable(p));
    finish.expr(&mut def.body);
    finish.ty(&mut def.scheme.ty, def.span);
    def.recursive = finish.is_recursive;
    if def.recursive && !silent {
        recursion::check(def, &mut infer.diagnostics);
    }
}

/// Finishes an expression by itself.
pub(super) fn value(infer: &mut Infer, e: &mut Expr, silent: bool) {
    // mutant negation: only definitions are asked whether they are recursive
    Finish { infer, silent, recursive: None, is_recursive: false, codes: HashMap::default() }.expr(e);
}

/// A type that is written down by itself, finished: so are the expressions in its sizes, which outlive the inference of their types.
pub(super) fn written_type(infer: &mut Infer, ty: &Type, span: Span, errors_before: usize) -> Type {
    infer.default_scalars();
    let silent = infer.diagnostics[errors_before..].iter().any(Diagnostic::is_error);
    let mut ty = ty.clone();
    // mutant negation: of a type nobody asks whether it calls itself
    Finish { infer, silent, recursive: None, is_recursive: false, codes: HashMap::default() }.ty(&mut ty, span);
    ty
}

/// Gives a definition that is a function without naming all of its parameters those that its type has. So an entry point may be written as a composition of
/// functions.
pub(super) fn eta_expanded(infer: &mut Infer, def: &mut Def) {
    let span = def.body.span;
    let (mut args, mut info) = (vec![], Apply::default());
    let mut ty = def.body.ty.clone();
    while let Type::Fun(fun) = ty {
        let id = fun.param.clone().unwrap_or_else(|| infer.fresh_id(format!("x{}", def.params.len())));
        let arg = Expr { kind: ExprKind::Var(id.clone(), vec![]), ty: fun.arg.clone(), span };
        def.params.push(Pat { kind: PatKind::Name(id), ty: fun.arg.clone(), span });
        def.consumes.push(fun.consumes.clone());
        def.fresh = Some(fun.fresh.clone());
        // mutant: the call is all that the entry point consists of, and lowering reads the sizes of its result off the value
        info.exts.extend(fun.exts.iter().cloned());
        args.push(arg);
        ty = fun.ret.clone();
    }
    if !args.is_empty() {
        let unknown = Expr { kind: ExprKind::Error, ty: Type::Error, span };
        let f = std::mem::replace(&mut def.body, unknown);
        def.body = Expr { kind: ExprKind::Apply(Box::new(f), args, info), ty, span };
    }
}

/// Entry points take and return values only, are not polymorphic in types, and their arguments show all sizes.
pub(super) fn entry_type(infer: &mut Infer, def: &Def) {
    if let Some(TypeParam::Type(id, _)) = def.scheme.params.iter().find(|p| matches!(p, TypeParam::Type(..))) {
        let message = format!("Entry point \"{}\" is polymorphic in the type \"{id}\".", def.id);
        infer.error(Diagnostic::error(Code::BadEntry, def.span, message).note(format!("Its type is {}.", def.scheme)));
    }
    let (mut shown, mut taken) = (vec![], HashSet::default());
    let mut ty = &def.scheme.ty;
    while let Type::Fun(f) = ty {
        shown.extend(shown_sizes(&f.arg));
        taken.extend(size_names(&f.arg));
        ty = &f.ret;
    }
    for p in &def.scheme.params {
        let TypeParam::Size(id) = p else { continue };
        if !taken.contains(id) {
            let message = format!(
                "Entry point \"{}\" must not be size-polymorphic in its result: nothing says what [{id}] is.",
                def.id
            );
            infer.error(Diagnostic::error(Code::BadEntry, def.span, message));
        } else if !shown.contains(&Size::Var(id.clone())) {
            let message =
                format!("Entry point \"{}\" must use the size [{id}] constructively: no argument shows it.", def.id);
            let d = Diagnostic::error(Code::BadSize, def.span, message);
            infer.error(d.note("It must be a dimension of a parameter, by itself."));
        }
    }
    for p in &def.params {
        if infer.contains_function(&p.ty) {
            let message = format!("Entry point \"{}\" may not be higher-order: it takes a function.", def.id);
            infer.error(Diagnostic::error(Code::BadEntry, p.span, message));
        }
    }
    if infer.contains_function(&def.body.ty) {
        let message = format!("Entry point \"{}\" may not be higher-order: it returns a function.", def.id);
        infer.error(Diagnostic::error(Code::BadEntry, def.body.span, message));
    }
}

struct Finish<'a> {
    infer: &'a mut Infer,
    /// The definition is in error already: what is undetermined is no news.
    silent: bool,
    /// The definition as it sees itself, and its parameters.
    recursive: Option<(&'a Recursive, &'a [TypeParam])>,
    /// Does the definition refer to itself?
    is_recursive: bool,
    /// The expressions of sizes that are finished, by where they were.
    codes: HashMap<*const SizeCode, Arc<SizeCode>>,
}

impl Finish<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        if !self.silent {
            self.infer.error(Diagnostic::error(code, span, message));
        }
    }

    /// A literal that its type cannot hold.
    fn out_of_range(&mut self, value: Literal, t: ScalarType, span: Span) {
        if self.silent {
            return;
        }
        let (range, other) = literal_range(t, value);
        let d = Diagnostic::error(Code::LiteralOutOfRange, span, format!("This number does not fit in {t}."));
        self.infer.error(match other {
            Some(other) => d.hint(format!("{range}; an {other} can be that number.")),
            None => d.hint(format!("{range}.")),
        });
    }

    fn ty(&mut self, ty: &mut Type, span: Span) {
        let mut zonked = self.infer.zonk(ty);
        if self.infer.is_final(&zonked) {
            *ty = zonked;
            return;
        }
        let mut open = vec![];
        // mutant: a type without expressions in its sizes is finished as it is: looking for them finds none
        let mut has_code = false;
        zonked.sizes(&mut |s| {
            s.metas(&mut |m| open.push(m));
            has_code |= contains_code(s);
        });
        for m in open {
            if self.infer.size(&Size::Meta(m)) != Size::Meta(m) {
                continue;
            }
            if self.infer.of_absent.contains(&m) {
                self.infer.solve_size(m, Size::Const(0));
                zonked = self.infer.zonk(&zonked);
                continue;
            }
            let (at, name) = self.infer.size_origin(m);
            let message = format!("Nothing determines the size \"{name}\" here.");
            self.error(Code::AmbiguousSize, at, message);
        }
        if has_code {
            zonked = zonked.map(&mut |s| self.finished_size(s, span), &mut |_| None);
        }
        if !has_open_type(&zonked) {
            *ty = zonked;
            return;
        }
        // A type that nothing determines does not matter, unless it is taken apart.
        *ty = zonked.map(&mut |s| s.clone(), &mut |t| {
            let Type::Meta(m) = t else { return None };
            match self.infer.missing(*m) {
                Some((code, missing)) => {
                    self.error(code, span, missing);
                    // mutant: the definition is in error already, and its open types end as the error type
                    self.infer.solve_type(*m, Type::Error);
                    Some(Type::Error)
                }
                None => Some(Type::tuple(vec![])),
            }
        });
    }

    fn size(&mut self, size: &mut Size, span: Span) {
        let mut ty = Type::array(size.clone(), Type::BOOL);
        self.ty(&mut ty, span);
        if let Type::Array(s, _) = ty {
            *size = s;
        }
    }

    /// A size with the expressions in it finished, and what the types in these mention made visible.
    fn finished_size(&mut self, size: &Size, span: Span) -> Size {
        match size {
            Size::Op(op, ab) => Size::op(*op, self.finished_size(&ab.0, span), self.finished_size(&ab.1, span)),
            Size::Exp(e) => {
                let args = e.args.iter().map(|a| self.finished_size(a, span)).collect();
                let key = Arc::as_ptr(&e.code);
                let known = e.code.hidden.iter().zip(&e.hidden);
                let known: HashMap<Id, Arg> =
                    known.map(|(id, arg)| (id.clone(), self.finished_arg(arg.clone(), span))).collect();
                let code = match self.codes.get(&key) {
                    _ if e.code.is_final => e.code.clone(),
                    Some(code) => code.clone(),
                    None => {
                        let mut code = (*e.code).clone();
                        self.expr(&mut code.expr);
                        code.hidden = hidden_names(&code, |ty| ty.clone());
                        code.is_final = true;
                        let code = Arc::new(code);
                        self.codes.insert(key, code.clone());
                        code
                    }
                };
                let lifted = &self.infer.lifted;
                let hidden = |id: &Id| known.get(id).cloned().unwrap_or_else(|| own_arg(lifted, id));
                let hidden = code.hidden.iter().map(hidden).collect();
                Size::Exp(Arc::new(SizeExp { code, args, hidden, ..(**e).clone() }))
            }
            other => other.clone(),
        }
    }

    fn finished_arg(&mut self, arg: Arg, span: Span) -> Arg {
        match arg {
            Arg::Size(size) => Arg::Size(self.finished_size(&size, span)),
            Arg::Type(mut ty) => {
                self.ty(&mut ty, span);
                Arg::Type(ty)
            }
        }
    }

    fn pat(&mut self, p: &mut Pat) {
        self.ty(&mut p.ty, p.span);
        match &mut p.kind {
            PatKind::Record(fields) => fields.iter_mut().for_each(|(_, p)| self.pat(p)),
            PatKind::Constr(_, ps) => ps.iter_mut().for_each(|p| self.pat(p)),
            PatKind::Lit(value) => {
                if let Type::Scalar(t) = p.ty
                    && value.at(t).is_none()
                {
                    self.out_of_range(*value, t, p.span);
                }
            }
            PatKind::Name(_) | PatKind::Wildcard => {}
        }
    }

    /// A pattern that must fit all values.
    fn irrefutable(&mut self, p: &mut Pat) {
        self.pat(p);
        if !self.silent
            && let Some(value) = unmatched(&p.ty, &[&*p], (&mut self.infer.budget, p.span))
        {
            let message = format!("Refutable pattern: it must fit all values here, but does not fit {value}.");
            self.error(Code::RefutablePattern, p.span, message);
        }
    }

    fn indices(&mut self, indices: &mut [Index]) {
        indices.iter_mut().flat_map(Index::exprs_mut).for_each(|e| self.expr(e));
    }

    fn args(&mut self, args: &mut [Arg], span: Span) {
        for a in args {
            match a {
                Arg::Size(s) => self.size(s, span),
                Arg::Type(t) => self.ty(t, span),
            }
        }
    }

    fn no_functions(&mut self, ty: &Type, span: Span, what: &str) {
        if self.infer.contains_function(ty) {
            let message = format!("{what} cannot be functions, but this has type {ty}.");
            self.error(Code::FunctionNotAllowed, span, message);
        }
    }

    /// Nothing computes the sizes that the type of a hole leaves open.
    fn sizes_of_hole(&mut self, ty: &Type, span: Span) {
        let ty = self.infer.zonk(ty);
        let mut open = vec![];
        ty.sizes(&mut |s| s.metas(&mut |m| open.push(m)));
        if let Some(m) = open.first() {
            let name = self.infer.size_origin(*m).1.clone();
            let shown = self.infer.shown(&ty);
            let message = format!(
                "Causality check: size \"{name}\" needed for type of this hole:\n  {shown}\nBut nothing computes \"{name}\"."
            );
            self.error(Code::Causality, span, message);
        }
        // mutant off by one: the definition is in error already: the size is filled in so that this is said once
        open.into_iter().for_each(|m| self.infer.solve_size(m, Size::Const(0)));
    }

    /// A hole of a function's type: a function whose result is a hole.
    fn function_hole(&mut self, fun: &FunType, span: Span) -> ExprKind {
        let id = fun.param.clone().unwrap_or_else(|| self.infer.fresh_id("x"));
        let param = Pat { kind: PatKind::Name(id), ty: fun.arg.clone(), span };
        let kind = match &fun.ret {
            Type::Fun(inner) => self.function_hole(inner, span),
            _ => ExprKind::Hole(fun.exts.clone()),
        };
        let body = Expr { kind, ty: fun.ret.clone(), span };
        let (consumes, fresh) = (vec![fun.consumes.clone()], Some(fun.fresh.clone()));
        ExprKind::Lambda(Arc::new(Lambda { params: vec![param], consumes, fresh, body }))
    }

    fn expr(&mut self, e: &mut Expr) {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.expr_inner(e))
    }

    fn expr_inner(&mut self, e: &mut Expr) {
        let span = e.span;
        if let ExprKind::Hole(_) = e.kind {
            self.sizes_of_hole(&e.ty, span);
        }
        self.ty(&mut e.ty, span);
        match &mut e.kind {
            ExprKind::Lit(value) => {
                if let Type::Scalar(t) = e.ty
                    && value.at(t).is_none()
                {
                    self.out_of_range(*value, t, span);
                }
            }
            ExprKind::Var(id, args) => {
                self.args(args, span);
                if let Some((recursive, params)) = self.recursive
                    && *id == recursive.id
                {
                    self.is_recursive = true;
                    // Sizes may be different in a recursive call; all else is as it is here.
                    let position = |p: &TypeParam| recursive.sizes.iter().position(|s| s == p);
                    let arg = |p: &TypeParam| position(p).map_or_else(|| p.arg(), |i| args[i].clone());
                    *args = params.iter().map(arg).collect();
                }
            }
            ExprKind::Intrinsic(_, args) => self.args(args, span),
            ExprKind::Prim(_) | ExprKind::Error => {}
            ExprKind::Op(_, at) => {
                self.ty(at, span);
            }
            ExprKind::Record(fields) => fields.iter_mut().for_each(|(_, e)| self.expr(e)),
            ExprKind::Constr(_, es) | ExprKind::Array(es) => es.iter_mut().for_each(|e| self.expr(e)),
            ExprKind::Update(e, path, value) => {
                self.expr(e);
                for step in path {
                    if let Access::Index(indices) = step {
                        self.indices(indices);
                    }
                }
                self.expr(value);
            }
            ExprKind::Assert(condition, e) => {
                self.expr(condition);
                self.expr(e);
            }
            ExprKind::Hole(_) => {
                if let Type::Fun(fun) = e.ty.clone() {
                    e.kind = self.function_hole(&fun, span);
                }
            }
            ExprKind::Match(value, cases, _) => {
                self.expr(value);
                for (p, e) in cases.iter_mut() {
                    self.pat(p);
                    self.expr(e);
                }
                let pats: Vec<&Pat> = cases.iter().map(|(p, _)| p).collect();
                if !self.silent
                    && let Some(missing) = unmatched(&value.ty, &pats, (&mut self.infer.budget, span))
                {
                    let message = format!("Unmatched cases in this match: {missing}");
                    let case = format!("case {missing} -> {}", plain_value(&e.ty));
                    let d = Diagnostic::error(Code::UnmatchedCases, span, message).hint(format!("add `{case}`."));
                    self.infer.error(d.edit(span.at_end(), format!(" {case}")));
                }
                self.no_functions(&e.ty.clone(), span, "The results of branches");
            }
            ExprKind::Project(e, _) | ExprKind::Coerce(e) | ExprKind::Attr(_, e) => self.expr(e),
            ExprKind::Break(locals, e) => {
                // what is not known is not looked at: nothing is said of it, as the names are not used
                locals.retain_mut(|(_, ty)| {
                    *ty = self.infer.zonk(ty);
                    let mut open = ty.has_function();
                    ty.sizes(&mut |size| size.metas(&mut |_| open = true));
                    if !open {
                        self.ty(ty, span);
                    }
                    !open
                });
                self.expr(e);
            }
            ExprKind::Index(e, is) => {
                self.expr(e);
                self.indices(is);
            }
            ExprKind::Apply(f, args, info) => {
                self.expr(f);
                args.iter_mut().for_each(|e| self.expr(e));
                // mutant: a size that lowering does not find among those that are computed already is computed again, to the same value
                info.arg_sizes.iter_mut().for_each(|(_, size)| self.size(size, span));
            }
            ExprKind::Chain(first, steps) => {
                self.expr(first);
                for step in steps {
                    self.ty(&mut step.ty, step.span);
                    match &mut step.kind {
                        StepKind::Apply(f, x, info) => {
                            self.expr(f);
                            x.iter_mut().for_each(|x| self.expr(x));
                            // mutant: a size that lowering does not find among those that are computed already is computed again, to the same value
                            info.arg_sizes.iter_mut().for_each(|(_, size)| self.size(size, step.span));
                        }
                        StepKind::And(x) | StepKind::Or(x) => self.expr(x),
                    }
                }
            }
            ExprKind::Lambda(lambda) => {
                // Nobody else has it yet.
                if let Some(lambda) = Arc::get_mut(lambda) {
                    lambda.params.iter_mut().for_each(|p| self.irrefutable(p));
                    self.expr(&mut lambda.body);
                }
            }
            ExprKind::If(branches, other, _) => {
                for (c, e) in branches {
                    self.expr(c);
                    self.expr(e);
                }
                self.expr(other);
                self.no_functions(&e.ty.clone(), span, "The results of branches");
            }
            ExprKind::Block(bindings, body, exts) => {
                for b in bindings {
                    match b {
                        Binding::Pat(p, e) => {
                            self.expr(e);
                            self.irrefutable(p);
                        }
                        Binding::Fun(def) => {
                            if let Some(def) = Arc::get_mut(def) {
                                def.params.iter_mut().for_each(|p| self.irrefutable(p));
                                self.expr(&mut def.body);
                            }
                        }
                    }
                }
                self.expr(body);
                exts.iter_mut().for_each(|(_, s)| self.size(s, span));
            }
            ExprKind::Loop(l) => {
                self.expr(&mut l.init);
                self.irrefutable(&mut l.pat);
                match &mut l.form {
                    LoopForm::For(_, e) | LoopForm::While(e) => self.expr(e),
                    LoopForm::ForIn(p, e) => {
                        self.expr(e);
                        self.irrefutable(p);
                    }
                }
                self.expr(&mut l.body);
                self.no_functions(&e.ty.clone(), span, "What a loop carries around");
            }
            ExprKind::Range(r) => {
                self.expr(&mut r.first);
                r.second.iter_mut().for_each(|e| self.expr(e));
                self.expr(&mut r.end);
            }
        }
    }
}

/// Whether nothing is known of a part of a type.
fn has_open_type(ty: &Type) -> bool {
    let mut found = matches!(ty, Type::Meta(_));
    ty.parts(&mut |t| found = found || has_open_type(t));
    found
}

fn contains_code(size: &Size) -> bool {
    let mut found = matches!(size, Size::Exp(_));
    size.parts(&mut |part| found |= contains_code(part));
    found
}

/// What a name in types stands for where it is known.
fn own_arg(lifted: &HashMap<Id, Lifted>, id: &Id) -> Arg {
    match lifted.contains_key(id) {
        true => Arg::Type(Type::Var(id.clone())),
        false => Arg::Size(Size::Var(id.clone())),
    }
}

/// The type of a local function with these parameters, in which the expressions of sizes say which of the parameters the types in them mention: each use of the
/// function has something else for these, and comes before the types are final.
pub(super) fn with_hidden_parameters(infer: &Infer, ty: &Type, params: &[TypeParam]) -> Type {
    ty.map(&mut |size| size_with_hidden(infer, size, params), &mut |_| None)
}

fn size_with_hidden(infer: &Infer, size: &Size, params: &[TypeParam]) -> Size {
    match size {
        Size::Op(op, ab) => {
            Size::op(*op, size_with_hidden(infer, &ab.0, params), size_with_hidden(infer, &ab.1, params))
        }
        Size::Exp(e) => {
            let args = e.args.iter().map(|a| size_with_hidden(infer, a, params)).collect();
            let (mut code, mut hidden) = (e.code.clone(), e.hidden.clone());
            if !code.is_final {
                let mut names = hidden_names(&code, |ty| infer.zonk(ty));
                names.retain(|id| !code.hidden.contains(id) && params.iter().any(|p| p.id() == id));
                if !names.is_empty() {
                    hidden.extend(names.iter().map(|id| own_arg(&infer.lifted, id)));
                    names.splice(0..0, code.hidden.iter().cloned());
                    code = Arc::new(SizeCode { hidden: names, ..(*code).clone() });
                }
            }
            Size::Exp(Arc::new(SizeExp { code, args, hidden, ..(**e).clone() }))
        }
        other => other.clone(),
    }
}

/// The names in the types in an expression, but for those that it brings up itself.
fn hidden_names(code: &SizeCode, known: impl Fn(&Type) -> Type) -> Vec<Id> {
    fn look(e: &Expr, known: &dyn Fn(&Type) -> Type, names: &mut Vec<Id>, own: &mut Vec<Id>) {
        let mut add = |ty: &Type| {
            let ty = &known(ty);
            // functions bind some themselves
            let bound = ty.bound_names();
            ty.sizes(&mut |s| {
                s.names(&mut |id| {
                    if !bound.contains(id) {
                        names.push(id.clone());
                    }
                })
            });
            ty.map(&mut |s| s.clone(), &mut |t| {
                if let Type::Var(id) = t {
                    names.push(id.clone());
                }
                None
            });
        };
        add(&e.ty);
        if let ExprKind::Var(_, args) | ExprKind::Intrinsic(_, args) = &e.kind {
            for arg in args {
                match arg {
                    Arg::Size(size) => add(&Type::array(size.clone(), Type::BOOL)),
                    Arg::Type(t) => add(t),
                }
            }
        }
        own.extend(brings_up(e).into_iter().map(|(id, _)| id));
        super::causality::children(e, &mut |e| look(e, known, names, own));
    }
    let (mut names, mut own) = (vec![], vec![]);
    look(&code.expr, &known, &mut names, &mut own);
    let mut hidden: Vec<Id> = vec![];
    for id in names {
        // mutant dropped term: a name that stands there twice is bound twice, to the same
        if !own.contains(&id) && !code.params.contains(&id) && !hidden.contains(&id) {
            hidden.push(id);
        }
    }
    hidden
}
