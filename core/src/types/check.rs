//! Checking a program: its declarations, one after the other. A definition in error is reported and gets the type that it
//! declares (what it leaves open agrees with everything), so that the others can be checked.

use super::declared::shown_sizes;
use super::env::{Env, Module, Scope, SigDef, TypeDef, Value};
use super::infer::typed_expr;
use super::pattern::pattern_unique;
use super::renamed::qualified;
use super::texp::unique;
use super::ty::*;
use super::typed::{self, Apply, Binding, Def, Expr, ExprKind, Intrinsic, Operator, PatKind, TypedProgram};
use super::unify::Infer;
use super::unused::Names;
use super::{causality, consume, finish};
use crate::budget::{self, HEAVY};
use crate::diag::{Code, Diagnostic};
use crate::hash::{HashMap, HashSet};
use crate::prim::{Prim, ScalarType};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{self, Ast, Decl, DeclKind, Lifted};
use crate::syntax::token::OPERATOR_CHARS;
use std::sync::Arc;

/// The state of a check.
pub(super) struct Checker {
    pub infer: Infer,
    /// For messages.
    pub sources: Arc<SourceMap>,
    pub env: Env,
    /// What this run has defined.
    pub program: TypedProgram,
    /// The definition that is being checked, as its own body sees it.
    pub current: Option<Recursive>,
    /// Is the body of a functor being checked at what it is applied to?
    pub in_functor: bool,
    /// Whether the file is one that another imports.
    imported: bool,
    /// For warnings.
    pub names: Names,
    /// Which error was last said of words between operands, of which the chain around has not heard.
    pub said_of_words: Option<usize>,
    /// What the function at hand is declared to return. For hints.
    pub declared: Option<Type>,
}

/// A definition that is being checked.
pub(super) struct Recursive {
    /// Its id.
    pub id: Id,
    /// Its type.
    pub ty: Type,
    /// Its size parameters, over which a recursive call is polymorphic.
    pub sizes: Vec<TypeParam>,
}

/// Checks a program in an environment; returns the typed program, the environment with what it defines, and what is to be
/// said. Definitions in error are left out of the typed program.
pub fn check(program: &Ast, env: &Env, sources: &SourceMap) -> (TypedProgram, Env, Vec<Diagnostic>) {
    let checked = budget::within(|| {
        let mut checker = Checker::new(env, sources);
        let (inside, _) = checker.file(program, Place::Program);
        checker.env.scope = inside;
        checker.leave();
        checker.warn();
        (checker.program, checker.env, checker.infer.diagnostics)
    });
    checked.unwrap_or_else(|exceeded| (TypedProgram::default(), env.clone(), vec![*exceeded]))
}

/// Checks a file that is imported; returns the environment in which its path is known, and what is to be said. Its entry points are none of the
/// program's.
pub fn check_import(path: &str, file: &Ast, env: &Env, sources: &SourceMap) -> (Env, Vec<Diagnostic>) {
    let checked = budget::within(|| {
        let mut checker = Checker::new(env, sources);
        checker.imported = true;
        let (_, public) = checker.file(file, Place::Import);
        checker.env.imports.insert(path.into(), public);
        checker.leave();
        checker.warn();
        (checker.env, checker.infer.diagnostics)
    });
    checked.unwrap_or_else(|exceeded| {
        // so that what is not there is not said too
        let mut env = env.clone();
        env.imports.insert(path.into(), Scope::default());
        (env, vec![*exceeded])
    })
}

/// Checks an expression by itself, as a definition without parameters of the given name.
pub fn check_expr(
    name: &str,
    expr: &ast::Expr,
    env: &Env,
    sources: &SourceMap,
) -> (Option<Arc<Def>>, Env, Vec<Diagnostic>) {
    let checked = budget::within(|| {
        let mut checker = Checker::new(env, sources);
        let ident = ast::Ident { name: name.into(), span: expr.span };
        let def = ast::FunDef { name: ident, tparams: vec![], params: vec![], ret: None, body: expr.clone() };
        let scope = env.scope.clone();
        let value = checker.def(&scope, &def, false, &[], None);
        checker.leave();
        let mut env = checker.env;
        env.scope.bind(name.into(), value);
        (checker.program.defs.pop(), env, checker.infer.diagnostics)
    });
    checked.unwrap_or_else(|exceeded| (None, env.clone(), vec![*exceeded]))
}

/// The environment of what is built in: scalar types, overloaded operators, and the module `intrinsics` with the table of
/// operators and with `vals`, the types of the other intrinsics.
pub fn builtin(vals: &Ast, sources: &SourceMap) -> (Env, Vec<Diagnostic>) {
    let mut scope = Scope::default();
    for t in ScalarType::ALL {
        scope.types.insert(
            t.name().into(),
            TypeDef { params: vec![], exts: vec![], body: Type::Scalar(t), lifted: Lifted::No, order: 0 },
        );
    }
    for (symbol, op) in Operator::INFIX {
        scope.values.insert(symbol.into(), Value::Op(op));
    }
    scope.values.insert("&&".into(), Value::And);
    scope.values.insert("||".into(), Value::Or);

    let mut checker = Checker::new(&Env { scope: scope.clone(), ..Env::default() }, sources);
    let mut intrinsics = Scope::default();
    for prim in Prim::all() {
        intrinsics.values.insert(prim.to_string().replace('.', "_").into(), Value::Prim(prim));
    }
    let accumulators = checker.accumulators();
    intrinsics.types.insert("acc".into(), accumulators.clone());
    for decl in &vals.decls {
        let DeclKind::Val { name, tparams, ty } = &decl.kind else { continue };
        // mutant: the types of intrinsics leave nothing open, so that what is known of one says nothing of the next
        checker.infer.reset();
        let mut inner = scope.clone();
        inner.types.insert("acc".into(), accumulators.clone());
        let params = checker.type_params(&mut inner, tparams);
        let ty = checker.type_exp(&inner, ty);
        let ty = checker.infer.zonk(&ty);
        match Intrinsic::from_name(&name.name) {
            Some(intrinsic) => {
                let scheme = Arc::new(Scheme { params, exts: vec![], ty });
                intrinsics.values.insert(name.name.clone(), Value::Intrinsic(intrinsic, scheme));
            }
            None => {
                let message = format!("There is no intrinsic \"{}\".", name.name);
                // mutant: the prelude, which is always the same, names no intrinsic that there is not
                checker.infer.error(Diagnostic::error(Code::UnknownName, name.span, message));
            }
        }
    }
    scope.modules.insert("intrinsics".into(), Arc::new(Module::Plain(intrinsics)));
    let env = Env { scope, next_id: checker.infer.next_id, ..Env::default() };
    (env, checker.infer.diagnostics)
}

/// Where declarations stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the program's own file.
    Program,
    /// In a file that is imported.
    Import,
    /// In a module.
    Module,
}

/// What a declaration adds: what everyone sees, and what only its neighbours see.
#[derive(Default)]
pub(super) struct Added {
    pub public: Scope,
    pub local: Scope,
}

/// What a list of declarations has declared so far: in which space of names, as what, and where.
pub(super) type Seen = HashMap<(&'static str, Name), (&'static str, Span)>;

/// Does an expression refer to this?
fn mentions(e: &Expr, id: &Id) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        let mut found = matches!(&e.kind, ExprKind::Var(name, _) if name == id);
        causality::children(e, &mut |e| found = found || mentions(e, id));
        found
    })
}

impl Checker {
    fn new(env: &Env, sources: &SourceMap) -> Checker {
        let mut infer = Infer::new(env.next_id, env.visible.clone(), env.budget.clone());
        infer.lifted.extend(env.lifted.iter().map(|(id, lifted)| (id.clone(), *lifted)));
        Checker {
            infer,
            sources: Arc::new(sources.clone()),
            env: env.clone(),
            program: TypedProgram::default(),
            current: None,
            in_functor: false,
            imported: false,
            names: Names::default(),
            said_of_words: None,
            declared: None,
        }
    }

    /// Takes the nodes of a type that has been made there from the budget.
    pub(super) fn weigh(&mut self, ty: &Type, at: Span) {
        let nodes = self.infer.nodes(ty, self.infer.budget.most());
        self.infer.budget.take_whole(nodes, "the types in it", at);
    }

    /// Leaves what inference knows in the environment, for the next check.
    fn leave(&mut self) {
        self.infer.reset();
        self.env.next_id = self.infer.next_id;
        self.env.budget = self.infer.budget.clone();
        self.env.lifted.extend(self.infer.lifted.iter().map(|(id, lifted)| (id.clone(), *lifted)));
    }

    /// Adds what is said of programs that are right. Of what is checked again each time that it is used, all is said once.
    fn warn(&mut self) {
        let mut said: HashSet<Diagnostic> = HashSet::default();
        self.infer.diagnostics.retain(|d| said.insert(d.clone()));
        if !self.infer.diagnostics.iter().any(Diagnostic::is_error) {
            self.infer.diagnostics.extend(self.names.unused(&self.sources));
        }
    }

    /// `acc 't`: what is known of an array that is being written.
    fn accumulators(&mut self) -> TypeDef {
        let param = self.infer.global_id("t");
        let args = [Arg::Type(Type::Var(param.clone()))];
        let body = Type::Abstract(Id::acc(), args.into_iter().collect());
        TypeDef { params: vec![TypeParam::Type(param, Lifted::No)], exts: vec![], body, lifted: Lifted::Size, order: 0 }
    }

    /// The declarations of a file: what they see in the end, and what others see of them.
    fn file(&mut self, file: &Ast, place: Place) -> (Scope, Scope) {
        let (mut inside, mut public) = (self.env.scope.clone(), Scope::default());
        let mut seen = Seen::default();
        self.unread(&mut inside, file);
        for decl in &file.decls {
            let added = self.decl(&inside, decl, place, &mut seen);
            inside = inside.open(&added.local).open(&added.public);
            public = public.open(&added.public);
        }
        (inside, public)
    }

    /// Does the name of an operator mean the prelude's? Pipes are applications then.
    pub(super) fn is_prelude(&self, scope: &Scope, name: &str) -> bool {
        match (scope.values.get(name), self.env.scope.values.get(name)) {
            (Some(Value::Bound(a, _)), Some(Value::Bound(b, _))) => a == b,
            // mutant: the prelude binds both pipes and a scope around them has them, too; in the file of the prelude that defines them a pipe may as
            //   well be an application
            _ => false,
        }
    }

    pub(super) fn decl(&mut self, scope: &Scope, decl: &Decl, place: Place, seen: &mut Seen) -> Added {
        self.infer.budget.take(HEAVY, "what it declares, again at each use of a module,", decl.span);
        let mut added = Added::default();
        match &decl.kind {
            DeclKind::Def { entry, def } => {
                self.once("value", &def.name, seen);
                self.redefinable(&def.name);
                let entry = if *entry { self.entry_allowed(def, place) } else { is_main(def, place) };
                let errors_before = self.infer.diagnostics.len();
                let value = self.def(scope, def, entry, &decl.attrs, decl.doc.clone());
                self.of_other_language(errors_before, decl.span, def);
                added.public.values.insert(def.name.name.clone(), value);
            }
            DeclKind::Val { name, .. } => {
                let message = "A `val` declares what something else defines; it may stand in module types only.";
                self.infer.error(Diagnostic::error(Code::BadModule, name.span, message));
            }
            DeclKind::Type { lifted, name, params, def } => {
                self.once("type", name, seen);
                let def = self.type_def(scope, *lifted, name, params, def);
                added.public.types.insert(name.name.clone(), def);
            }
            DeclKind::Module { name, params, sig, def } => {
                self.once("module", name, seen);
                let first = self.infer.next_id;
                let module = self.module(scope, params, sig.as_ref(), def);
                let module = qualified(&module, name, first, &mut self.infer.budget);
                added.public.modules.insert(name.name.clone(), Arc::new(module));
            }
            DeclKind::ModuleType { name, def } => {
                self.once("module type", name, seen);
                // so that what is wrong in it is said once, and here
                self.sig(scope, def);
                let sig = SigDef { scope: scope.clone(), sig: def.clone() };
                added.public.sigs.insert(name.name.clone(), Arc::new(sig));
            }
            DeclKind::Open(def) => match self.mod_exp(scope, def) {
                Module::Plain(names) => added.public = names,
                Module::Error => {}
                Module::Functor(_) => {
                    let message = "A module with a parameter cannot be opened.";
                    self.infer.error(Diagnostic::error(Code::BadModule, decl.span, message));
                }
            },
            DeclKind::Local(decl) => {
                // what is local may be defined again, but no two entry points have one name
                let is_entry = matches!(decl.kind, DeclKind::Def { entry: true, .. });
                let mut own = Seen::default();
                let inner = self.decl(scope, decl, place, if is_entry { seen } else { &mut own });
                added.local = inner.local.open(&inner.public);
                if let DeclKind::Def { entry: false, def } = &decl.kind
                    && let Some(Value::Bound(id, _)) = added.local.values.get(&def.name.name)
                    && !self.imported
                    && !is_main(def, place)
                {
                    self.names.bind(id, def.name.span);
                }
            }
            DeclKind::Import(path) => added.local = self.import(path),
        }
        added
    }

    /// Complains about a name that is declared twice.
    pub(super) fn once(&mut self, space: &'static str, name: &ast::Ident, seen: &mut Seen) {
        // values and modules are in one name space
        let key = if space == "module" { "value" } else { space };
        if let Some((as_what, first)) = seen.insert((key, name.name.clone()), (space, name.span)) {
            let message = if as_what == space {
                format!("The {space} \"{}\" is defined twice.", name.name)
            } else {
                format!("The name \"{}\" is defined twice, as a {as_what} and as a {space}.", name.name)
            };
            let d = Diagnostic::error(Code::DuplicateName, name.span, message);
            self.infer.error(d.here("defined again here").label(first, "first defined here"));
        }
    }

    /// Complains about an operator that has a meaning which no function can have.
    pub(super) fn redefinable(&mut self, name: &ast::Ident) {
        if matches!(&*name.name, "&&" | "||") {
            let message = format!(
                "The operator \"{}\" may not be redefined: it evaluates its second operand only if need be.",
                name.name
            );
            self.infer.error(Diagnostic::error(Code::DuplicateName, name.span, message));
        }
    }

    /// What the name of a type means.
    pub(super) fn type_def(
        &mut self,
        scope: &Scope,
        lifted: Lifted,
        name: &ast::Ident,
        params: &[ast::TypeParam],
        def: &ast::TypeExp,
    ) -> TypeDef {
        self.infer.reset();
        let errors_before = self.infer.diagnostics.len();
        let order = self.infer.global_id(name.name.clone()).num;
        let mut inner = scope.clone();
        let params = self.type_params(&mut inner, params);
        let body = self.type_exp(&inner, def);
        let (_, open) = self.infer.free(&body);
        let shown = shown_sizes(&self.infer.zonk(&body));
        if !open.is_empty() && lifted == Lifted::No {
            let message = format!("The type \"{}\" leaves a size open.", name.name);
            let d = Diagnostic::error(Code::BadSize, def.span, message);
            self.infer.error(d.note("Give it a size parameter, or declare it with `type~`."));
        } else if open.iter().any(|m| !shown.contains(&Size::Meta(*m))) {
            let message = format!(
                "The type \"{}\" has an anonymous size that is not used constructively: no array of it shows it.",
                name.name
            );
            self.infer.error(Diagnostic::error(Code::BadSize, def.span, message));
        }
        if lifted != Lifted::Full && self.infer.contains_function(&body) {
            let message = format!("The type \"{}\" contains a function: declare it with `type^`.", name.name);
            self.infer.error(Diagnostic::error(Code::FunctionNotAllowed, def.span, message));
        // mutant dropped term: of a type with open sizes that is declared `type~` or `type^`, only functions are too much, and the branch before this
        //   one has seen those
        } else if open.is_empty() || lifted != Lifted::No {
            self.at_most(&inner, def, lifted, &format!("The type \"{}\"", name.name));
        }
        for param in &params {
            if let TypeParam::Size(id) = param
                && !size_names(&self.infer.zonk(&body)).contains(id)
            {
                let message = format!("The size parameter \"{id}\" is not used in the type.");
                self.infer.error(Diagnostic::error(Code::BadSize, def.span, message));
            }
        }
        let mut exts = vec![];
        for m in open {
            let id = self.infer.global_id(self.infer.size_origin(m).1.clone());
            self.infer.solve_size(m, Size::Var(id.clone()));
            exts.push(id);
        }
        let body = finish::written_type(&mut self.infer, &body, def.span, errors_before);
        TypeDef { params, exts, body, lifted, order }
    }

    /// Is this definition an entry point? None stands in modules, and those of imported files are none.
    fn entry_allowed(&mut self, def: &ast::FunDef, place: Place) -> bool {
        if place == Place::Module {
            self.infer.error(Diagnostic::error(Code::BadEntry, def.name.span, "Entry points cannot stand in modules."));
        }
        place == Place::Program
    }

    fn failed_since(&self, errors_before: usize) -> bool {
        self.infer.diagnostics[errors_before..].iter().any(Diagnostic::is_error)
    }

    /// Checks a definition and says what its name means.
    fn def(
        &mut self,
        scope: &Scope,
        def: &ast::FunDef,
        entry: bool,
        attrs: &[ast::Attr],
        doc: Option<String>,
    ) -> Value {
        self.infer.reset();
        let errors_before = self.infer.diagnostics.len();
        let id = self.infer.global_id(def.name.name.clone());
        let mut inner = scope.clone();
        self.distinct_params(&def.tparams, &def.params);
        let tparams = self.type_params(&mut inner, &def.tparams);
        let hidden = tparams.iter().any(|p| matches!(p, TypeParam::Size(size) if size.name == def.name.name));
        if !def.params.is_empty() && !hidden && self.sources.text(def.body.span).contains(&*def.name.name) {
            let before = self.infer.diagnostics.len();
            let recursive = self.recursive(&inner, def, &id, &tparams);
            // what is wrong with the types is said below
            self.infer.diagnostics.truncate(before);
            let scheme = Scheme { params: recursive.sizes.clone(), exts: vec![], ty: recursive.ty.clone() };
            inner.bind(def.name.name.clone(), Value::Bound(id.clone(), Arc::new(scheme)));
            self.current = Some(recursive);
        }
        let fun = self.function(&inner, &def.params, def.ret.as_ref(), &def.body);
        // the name may stand in the text and mean something else, or be a part of a word
        self.current = self.current.take().filter(|_| mentions(&fun.body, &id));
        if let Some(recursive) = &self.current {
            let ty = recursive.ty.clone();
            self.infer.require(&ty, &fun.ty, def.name.span, || {
                "The recursive calls must have the type of the definition.".to_string()
            });
        }
        let mut typed = Def {
            id: id.clone(),
            scheme: Scheme { params: tparams.clone(), exts: vec![], ty: fun.ty },
            tparams,
            params: fun.params,
            consumes: fun.consumes,
            fresh: fun.fresh,
            body: fun.body,
            // mutant: whether the definition is recursive is filled in when its inference ends
            recursive: false,
            entry,
            attrs: attrs.to_vec(),
            doc,
            span: def.name.span,
        };
        let recursive = self.current.take();
        let declared = typed.tparams.len();
        finish::definition(&mut self.infer, &mut typed, recursive.as_ref(), errors_before);
        if !self.failed_since(errors_before) {
            self.usable(&typed.id, &typed.tparams[..declared], &typed.scheme.ty, typed.span);
        }
        if entry && !self.failed_since(errors_before) {
            finish::eta_expanded(&mut self.infer, &mut typed);
            finish::entry_type(&mut self.infer, &typed);
            self.entry_as_function(errors_before, typed.span);
        }
        if !self.failed_since(errors_before) {
            causality::check(&typed, &mut self.infer.diagnostics);
            consume::check(&mut typed, self.in_functor, &self.sources, &mut self.infer.diagnostics);
        }
        if !self.failed_since(errors_before) {
            self.sizes_of_constant(&mut typed);
        }
        // a part that is in error may have been the reference
        if self.names.is_used(&id)
            && let Some(hidden) = scope.values.get(&def.name.name)
            && let Some(d) =
                self.infer.diagnostics[errors_before..].iter_mut().filter(|d| d.is_error()).min_by_key(|d| d.span())
        {
            d.notes.push(refers_to_itself(&def.name.name, hidden));
        }
        let scheme = Arc::new(typed.scheme.clone());
        if !self.failed_since(errors_before) {
            let typed = Arc::new(typed);
            self.env.defs.insert(id.num, typed.clone());
            self.program.defs.push(typed);
        }
        Value::Bound(id, scheme)
    }

    /// The unknown sizes of a constant's arrays are constants, too: all uses of the constant have the same.
    fn sizes_of_constant(&mut self, def: &mut Def) {
        if !def.params.is_empty() || !def.scheme.params.is_empty() {
            return;
        }
        let Scheme { exts, ty, .. } = def.scheme.clone();
        let shown = dimensions(&ty);
        let (mut subst, span) = (Subst::default(), def.span);
        for ext in exts.iter().filter(|ext| shown.contains(&Size::Var((*ext).clone()))) {
            let id = self.infer.global_id(format!("{}_{ext}", def.id.name));
            let var = typed_expr(ExprKind::Var(def.id.clone(), vec![]), ty.clone(), span);
            let apply = Apply { arg_sizes: vec![], exts: exts.clone() };
            let value = typed_expr(ExprKind::Apply(Box::new(var), vec![], apply), ty.clone(), span);
            let binding = Binding::Pat(typed::Pat { kind: PatKind::Wildcard, ty: ty.clone(), span }, value);
            let size = typed_expr(ExprKind::Var(ext.clone(), vec![]), Type::I64, span);
            let body = typed_expr(ExprKind::Block(vec![binding], Box::new(size), vec![]), Type::I64, span);
            subst.sizes.insert(ext.clone(), Size::Var(id.clone()));
            let constant = Def {
                id: id.clone(),
                scheme: Scheme::mono(Type::I64),
                body,
                entry: false,
                attrs: vec![],
                doc: None,
                ..def.clone()
            };
            self.env.defs.insert(id.num, Arc::new(constant));
        }
        let name = |ext: &Id| match subst.sizes.get(ext) {
            Some(Size::Var(id)) => id.clone(),
            _ => ext.clone(),
        };
        def.scheme = Scheme { params: vec![], exts: exts.iter().map(name).collect(), ty: ty.subst(&subst) };
    }

    /// What the body of a definition sees of the definition: the types that are declared, and variables for the others.
    fn recursive(&mut self, scope: &Scope, def: &ast::FunDef, id: &Id, tparams: &[TypeParam]) -> Recursive {
        let mut inner = scope.clone();
        let mut params = vec![];
        for p in &def.params {
            let ty = self.pattern_type(&inner, p);
            let pat = self.bare_pattern(&mut inner, p, ty);
            params.push((pat, pattern_unique(p)));
        }
        let (mut ty, mut exts) = match &def.ret {
            Some(ret) => self.returned_type(&inner, ret),
            None => (self.infer.fresh_type(), vec![]),
        };
        let mut fresh = def.ret.as_ref().map(unique).unwrap_or_default();
        for (pat, consumes) in params.into_iter().rev() {
            let names = size_names(&ty);
            let param = pat.names().into_iter().find(|id| names.contains(id));
            let param = param.filter(|_| matches!(pat.kind, PatKind::Name(_)));
            let (exts, fresh) = (std::mem::take(&mut exts), std::mem::take(&mut fresh));
            ty = Type::Fun(Arc::new(FunType { param, arg: pat.ty, consumes, exts, ret: ty, fresh }));
        }
        let sizes = tparams.iter().filter(|p| matches!(p, TypeParam::Size(_))).cloned().collect();
        Recursive { id: id.clone(), ty, sizes }
    }
}

/// The dimensions of the arrays that each value of a type has: of [`shown_sizes`] those that are neither one constructor's nor a hidden type's, which a value
/// may not have.
fn dimensions(ty: &Type) -> Vec<Size> {
    match ty {
        Type::Array(size, elem) => std::iter::once(size.clone()).chain(dimensions(elem)).collect(),
        Type::Record(fields) => fields.iter().flat_map(|(_, t)| dimensions(t)).collect(),
        _ => vec![],
    }
}

/// What is said of a definition in error that refers to itself by the name of something that it hides. Before functions could call themselves (Futhark 0.27.1)
/// that was how to refer to the hidden one.
fn refers_to_itself(name: &str, hidden: &Value) -> String {
    let is_operator = name.starts_with(|c| OPERATOR_CHARS.contains(c));
    let reference = if is_operator { format!("({name})") } else { name.to_string() };
    let instead = match hidden {
        Value::Op(_) => {
            format!("For that on numbers write the module of their type: `a f32.{name} b`.")
        }
        Value::Bound(..) | Value::Intrinsic(..) | Value::Prim(_) | Value::And | Value::Or => {
            let other = if is_operator { "hidden".to_string() } else { format!("hidden_{name}") };
            format!("For that one give it another name before this definition: `def {other} = {reference}`.")
        }
    };
    format!(
        "In its own definition \"{name}\" is the function that is defined (so it is recursive), not the \"{name}\" that it hides. {instead}"
    )
}

/// A definition named `main` is an entry point, however it is declared.
fn is_main(def: &ast::FunDef, place: Place) -> bool {
    place == Place::Program && &*def.name.name == "main"
}
