//! Lowering: from the typed program to the IR, by evaluating it as far as it can be evaluated without its input.
//!
//! What is known statically is a `value::Val`: functions are closures, tuples are trees, type parameters and sizes are bound to what they stand for. What
//! is not known becomes IR statements. So modules (already resolved to their definitions), polymorphism, higher-order functions and tuples vanish
//! in one pass. A definition of the user's without type parameters and functions becomes an IR function, shared by its calls; all others are
//! specialised at each call.

mod apart;
mod asked;
mod branch;
mod call;
mod expr;
mod instance;
mod intrinsics;
mod params;
mod parts;
mod sizes;
mod stop;
mod trace;
mod value;

pub use stop::{Frame, Stop};

use crate::budget::{self, Budget, HEAVY};
use crate::diag::Diagnostic;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::*;
use crate::source::{SourceMap, Span};
use crate::types::env::Env;
use crate::types::ty::{Id, Size, Type as SourceType, TypeParam};
use crate::types::typed::{self, Def, Unique};
use std::sync::Arc;
use value::{Scope, Shape, Slots, Val};

/// Lowers these entry points, and what they need, to a program.
///
/// # Errors
/// What is not supported.
///
/// # Panics
/// When the typed program is not well-typed: an internal error.
pub fn lower(entries: &[Arc<Def>], env: &Env, sources: &SourceMap) -> Result<Program, Vec<Diagnostic>> {
    let lowered = budget::within(|| {
        let mut lowerer = Lowerer::new(env, sources);
        for def in entries {
            lowerer.function(def);
        }
        lowerer.program()
    });
    lowered.unwrap_or_else(|exceeded| Err(vec![*exceeded]))
}

/// Lowers a definition without parameters to a program with one function, of its name: its parameters are the unknown sizes of the values that the session has
/// computed before, and these values; its results those of the definition, likewise. Also gives the number of sizes.
///
/// # Errors
/// What is not supported.
///
/// # Panics
/// When the typed program is not well-typed: an internal error.
pub fn lower_session(
    def: &Arc<Def>,
    values: &[(Id, SourceType)],
    env: &Env,
    sources: &SourceMap,
) -> Result<(Program, usize, Vec<Stop>), Vec<Diagnostic>> {
    let lowered = budget::within(|| {
        let mut lowerer = Lowerer::new(env, sources);
        let (sizes, binders) = lowerer.session_params(values);
        let params = sizes.iter().chain(&binders).map(|b| FunParam { binder: b.clone(), unique: false });
        lowerer.function_with(def, params.collect());
        if let Some(fun) = lowerer.funs.last_mut() {
            // what runs it may be any backend, and these run entry points
            let param =
                |(id, ty): &(Id, SourceType)| EntryParam { name: Name::from(&*id.name), ty: entry_type(ty, env) };
            let (params, result) = (values.iter().map(param).collect(), entry_type(&def.body.ty, env));
            fun.entry = Some(EntrySig { sizes: sizes.len(), params, result });
        }
        let stops = std::mem::take(&mut lowerer.stops);
        Ok((lowerer.program()?, sizes.len(), stops))
    });
    lowered.unwrap_or_else(|exceeded| Err(vec![*exceeded]))
}

/// Element type and rank of the leaves of values of a type, in order.
pub fn leaf_types(ty: &SourceType, env: &Env) -> Vec<(ScalarType, usize)> {
    free_shape(ty, env).leaves().iter().map(|t| (t.elem().unwrap_or(ScalarType::Bool), t.rank())).collect()
}

/// Where a sum with these constructors keeps what they hold, behind the number of the constructor: how many places there are, and for each constructor the places
/// of its leaves.
pub fn places(constructors: &[(Arc<str>, Vec<SourceType>)], env: &Env) -> (usize, Vec<Vec<usize>>) {
    let shapes: Vec<Vec<Shape>> =
        constructors.iter().map(|(_, ts)| ts.iter().map(|t| free_shape(t, env)).collect()).collect();
    let slots = Slots::of(&shapes);
    (slots.types.len(), slots.places)
}

/// The state of lowering: what has been made, and the body that is being made.
struct Lowerer<'a> {
    env: &'a Env,
    sources: &'a SourceMap,
    vars: Vars,
    table: ProvTable,
    funs: Vec<Fun>,
    /// The IR functions made so far, by the number of their definition.
    names: HashMap<u32, Name>,
    /// The names of all IR functions made so far.
    taken: HashSet<Name>,
    /// The names of all entry points.
    entries: HashSet<Arc<str>>,
    /// The sizes that are further parameters of the IR functions made so far.
    computed: HashMap<Name, params::Computed>,
    /// The statements of the body that is being made.
    stms: Vec<Stm>,
    /// What is asked of the sizes of arrays.
    asked: asked::Sizes,
    /// The provenance of what is bound next.
    prov: Prov,
    /// The call through which the code being lowered was reached.
    call: Option<Prov>,
    /// The definitions whose code is being made, the innermost last.
    callers: Vec<stop::Caller>,
    /// In a session: where a run may stop.
    stops: Vec<Stop>,
    /// The attributes of what is bound next.
    attrs: Vec<Attr>,
    /// The recursive functions whose bodies are being made.
    instances: Vec<instance::Instance>,
    /// In a session: its values, which definitions may refer to.
    session: Option<Scope>,
    /// The last open dimension, counted downwards.
    open: Var,
    /// What is not supported.
    refused: Vec<Diagnostic>,
    /// What may still be made.
    budget: Budget,
    /// The place of the code that is being lowered.
    place: Span,
}

impl<'a> Lowerer<'a> {
    fn new(env: &'a Env, sources: &'a SourceMap) -> Self {
        Lowerer {
            env,
            sources,
            vars: Vars::default(),
            table: ProvTable::default(),
            funs: Vec::new(),
            names: HashMap::default(),
            taken: HashSet::default(),
            entries: env.defs.values().filter(|def| def.entry).map(|def| def.id.name.clone()).collect(),
            computed: HashMap::default(),
            stms: Vec::new(),
            asked: asked::Sizes::default(),
            prov: Prov::UNKNOWN,
            call: None,
            callers: Vec::new(),
            stops: Vec::new(),
            attrs: Vec::new(),
            instances: Vec::new(),
            session: None,
            open: Var(u32::MAX - 16),
            refused: Vec::new(),
            budget: env.budget.clone(),
            place: Span::default(),
        }
    }

    /// What has been made: see Note [Arrays that come apart].
    fn program(mut self) -> Result<Program, Vec<Diagnostic>> {
        if !self.refused.is_empty() {
            return Err(self.refused);
        }
        let mut program = Program { funs: self.funs, prov: self.table };
        apart::apart(&mut program, &mut self.vars);
        Ok(program)
    }
}

impl Lowerer<'_> {
    /// Parameters for the values of a session, which become its scope: for unknown sizes, and for the values.
    fn session_params(&mut self, values: &[(Id, SourceType)]) -> (Vec<Binder>, Vec<Binder>) {
        let mut scope = Scope::default();
        let (mut sizes, mut params) = (Vec::new(), Vec::new());
        for (id, ty) in values {
            // each is read off the value that shows it, also one that the program computes
            for size in self.sizes_in(ty) {
                if matches!(size, Size::Const(_)) || scope.sizes.contains_key(&size) {
                    continue;
                }
                let binder = self.vars.fresh("n", Type::I64);
                if let Size::Var(id) = &size {
                    scope.bind(id, Val::Leaf(binder.var.into()));
                }
                scope.sizes.insert(size, Dim::Var(binder.var));
                sizes.push(binder);
            }
            let shape = self.shape(ty, &mut scope);
            let (own, shape) = self.named_opens(&shape);
            sizes.extend(own);
            let binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh(&*id.name, t)).collect();
            scope.bind(id, shape.value(&mut binders.iter().map(|b| b.var.into())));
            params.extend(binders);
        }
        self.session = Some(scope);
        (sizes, params)
    }

    /// Binds the results of an expression to fresh variables.
    fn emit(&mut self, name: &str, exp: Exp) -> Vec<Var> {
        self.certified_many(name, exp, Vec::new())
    }

    /// The same for an expression with one result, which relies on these certificates.
    fn certified(&mut self, name: &str, exp: Exp, certs: Vec<Var>) -> Var {
        self.certified_many(name, exp, certs)[0]
    }

    fn certified_many(&mut self, name: &str, exp: Exp, certs: Vec<Var>) -> Vec<Var> {
        let types = self.vars.result_types(&exp);
        let pat: Vec<Binder> = types.into_iter().map(|t| self.vars.fresh(name, t)).collect();
        let vars = pat.iter().map(|b| b.var).collect();
        self.bind(pat, exp, certs);
        vars
    }

    /// Takes what is made for the code that is being lowered from the budget.
    fn spend(&mut self, nodes: u64, what: &str) {
        self.budget.take(nodes, what, self.place);
    }

    /// Binds the results of an expression to these variables.
    fn bind(&mut self, pat: Vec<Binder>, exp: Exp, certs: Vec<Var>) {
        self.spend(HEAVY + pat.len() as u64, "its code, with definitions in place of their names,");
        self.asked.note(&pat, &exp, &certs);
        self.stms.push(Stm { pat, exp, certs, attrs: self.attrs.clone(), prov: self.prov });
    }

    /// A scalar operator applied.
    fn prim(&mut self, op: Prim, args: &[SubExp]) -> SubExp {
        self.emit("t", Exp::Prim(op, args.to_vec()))[0].into()
    }

    /// An inner body: what `f` emits, and its results.
    fn inner(&mut self, f: impl FnOnce(&mut Self) -> Vec<SubExp>) -> Body {
        let outer = std::mem::take(&mut self.stms);
        let attrs = std::mem::take(&mut self.attrs);
        self.asked.open();
        let result = f(self);
        self.attrs = attrs;
        let stms = std::mem::replace(&mut self.stms, outer);
        Body { stms: self.asked.close(stms), result }
    }

    /// An IR lambda over values of these types; `f` gives its result, which is coerced to the last.
    fn lambda(&mut self, params: &[(&str, &Shape)], ret: &Shape, f: impl FnOnce(&mut Self, Vec<Val>) -> Val) -> Lambda {
        let mut binders = Vec::new();
        let mut values = Vec::new();
        for (name, shape) in params {
            let own: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh(*name, t)).collect();
            values.push(shape.value(&mut own.iter().map(|b| b.var.into())));
            binders.extend(own);
        }
        let body = self.inner(|l| {
            let result = f(l, values);
            l.coerce(result, ret).leaves()
        });
        Lambda { params: binders, ret: ret.leaves(), body }
    }

    /// Gives binders of accumulators the types of what they are bound to.
    fn accumulators_of(&mut self, binders: &mut [Binder], values: &[SubExp]) {
        for (binder, value) in binders.iter_mut().zip(values) {
            if let Type::Acc(_) = binder.ty {
                binder.ty = self.vars.type_of(*value);
                self.vars.declare(binder);
            }
        }
    }

    /// The provenance of code at a place, reached through the current call.
    fn at(&mut self, span: Span) -> Prov {
        let path = self.sources.get(span.file).map_or("", |f| &f.path);
        let file = self.table.file(path);
        let here = self.table.intern(ProvNode::Span { file, start: span.start, end: span.end });
        match self.call {
            Some(call) => self.table.intern(ProvNode::Inlined { body: here, call }),
            None => here,
        }
    }

    /// The IR function of a definition without type parameters and functions, made at the first use.
    fn function(&mut self, def: &Arc<Def>) -> Name {
        match self.names.get(&def.id.num) {
            Some(name) => name.clone(),
            None => self.function_with(def, Vec::new()),
        }
    }

    /// The IR function of a definition, with these parameters before its own.
    fn function_with(&mut self, def: &Arc<Def>, mut params: Vec<FunParam>) -> Name {
        let name = self.fresh_name(def);
        self.names.insert(def.id.num, name.clone());
        self.taken.insert(name.clone());
        let saved = (std::mem::take(&mut self.stms), self.prov, self.call.take(), std::mem::take(&mut self.attrs));
        let callers = std::mem::take(&mut self.callers);
        self.prov = self.at(def.span);

        let mut scope = self.session.clone().unwrap_or_default();
        for p in &def.tparams {
            let binder = self.vars.fresh(&*p.id().name, Type::I64);
            scope.bind(p.id(), Val::Leaf(binder.var.into()));
            params.push(FunParam { binder, unique: false });
        }
        self.asked.open();
        let more = self.parameters(&name, def, None, &mut scope);
        params.extend(more);
        self.callers.push(stop::Caller { def: def.clone(), scope: scope.clone(), place: None });
        let (results, body) = self.results_and_body(def, &scope);
        (self.stms, self.prov, self.call, self.attrs) = saved;
        self.callers = callers;
        let computed = self.computed.get(&name).map_or(0, Vec::len);
        let entry = def.entry.then(|| entry_sig(def, computed, self.env));
        self.funs.push(Fun { name: name.clone(), entry, params, results, body });
        name
    }

    /// A name that no function has: that of the definition, with a number where it is taken. Entry points come first.
    fn fresh_name(&self, def: &Def) -> Name {
        let base: &str = &def.id.name;
        let taken = |name: &str| self.taken.contains(&Name::from(name));
        if !taken(base) && (def.entry || !self.entries.contains(&def.id.name)) {
            return base.into();
        }
        (1..).map(|k| format!("{base}#{k}")).find(|n| !taken(n)).map_or(base.into(), |n| Name::from(n.as_str()))
    }
}

fn entry_sig(def: &Def, computed: usize, env: &Env) -> EntrySig {
    let sizes = def.tparams.iter().filter(|p| matches!(p, TypeParam::Size(_))).count() + computed;
    let name = |pat: &typed::Pat| match &pat.kind {
        typed::PatKind::Name(id) => Name::from(&*id.name),
        _ => "_".into(),
    };
    let params = def.params.iter().map(|p| EntryParam { name: name(p), ty: entry_type(&p.ty, env) }).collect();
    EntrySig { sizes, params, result: entry_type(&def.body.ty, env) }
}

/// A type as the callers of an entry point see it. What modules hide is opaque to them.
fn entry_type(ty: &SourceType, env: &Env) -> EntryType {
    let written = || Name::from(ty.to_string().as_str());
    match ty {
        SourceType::Scalar(t) => EntryType::Scalar(*t),
        SourceType::Record(fields) => match ty.as_tuple() {
            Some(ts) => EntryType::Tuple(ts.into_iter().map(|t| entry_type(t, env)).collect()),
            None => {
                EntryType::Record(fields.iter().map(|(name, t)| (Name::from(&**name), entry_type(t, env))).collect())
            }
        },
        SourceType::Array(..) => {
            let mut dims = Vec::new();
            let mut elem = ty;
            while let SourceType::Array(n, t) = elem {
                dims.push(Name::from(n.to_string().as_str()));
                elem = t;
            }
            EntryType::Array(dims, Box::new(entry_type(elem, env)))
        }
        SourceType::Sum(constructors) => {
            let (shape, sizes) = sizes::numbered(ty, env, &Default::default());
            let places = if let Shape::Sum(shapes) = &shape { Slots::of(shapes).places } else { Vec::new() };
            let variant = |((name, ts), places): (&(Arc<str>, Vec<SourceType>), Vec<usize>)| Variant {
                name: Name::from(&**name),
                holds: ts.iter().map(|t| entry_type(t, env)).collect(),
                // the number of the constructor is before them
                places: places.into_iter().map(|place| place + 1).collect(),
            };
            let variants = constructors.iter().zip(places).map(variant).collect();
            EntryType::Sum(written(), shape.leaves().iter().map(|t| leaf_type(t, &sizes)).collect(), variants)
        }
        SourceType::Abstract(id, args) => match env.hidden.get(&id.num) {
            Some(def) => EntryType::Opaque(written(), vec![entry_type(&def.at(args), env)]),
            None => panic!("internal error: nothing defines the type {id}"),
        },
        _ => panic!("internal error: entry point with a type that is no value's"),
    }
}

/// Which leaves of a type are arrays in a part that is marked.
fn marked(marks: &Unique, ty: &SourceType, env: &Env) -> Vec<bool> {
    match (marks, ty) {
        (Unique::Fields(_), SourceType::Record(fields)) => {
            fields.iter().flat_map(|(name, t)| marked(&marks.field(name), t, env)).collect()
        }
        _ => free_shape(ty, env).leaves().iter().map(|t| marks.any() && t.rank() > 0).collect(),
    }
}

/// A type with sizes that are only told apart.
fn free_shape(ty: &SourceType, env: &Env) -> Shape {
    sizes::numbered(ty, env, &Default::default()).0
}

/// The type of a leaf whose dimensions are the numbers of these sizes.
fn leaf_type(ty: &Type, sizes: &[Size]) -> EntryType {
    let elem = EntryType::Scalar(ty.elem().unwrap_or(ScalarType::Bool));
    let size = |dim: &Dim| match dim {
        Dim::Const(i) => usize::try_from(*i)
            .ok()
            .and_then(|i| sizes.get(i))
            .map_or("".into(), |n| Name::from(n.to_string().as_str())),
        Dim::Var(_) => "".into(),
    };
    match ty.shape() {
        [] => elem,
        dims => EntryType::Array(dims.iter().map(size).collect(), Box::new(elem)),
    }
}
