//! The checker: types, sizes, certificates, unique binders (here), aliasing and consumption (in `alias`).
//!
//! It runs on every pass's output in tests and with `--verify`; backends take only what has passed ([`Checked`]).

mod alias;
mod soacs;
#[cfg(test)]
mod tests;

pub use alias::Clash;

use super::build::{Vars, slice_type, substitute_type};
use super::visit::{Visit, walk_fun};
use super::*;
use crate::hash::{HashMap, HashSet};
use soacs::written;
use std::fmt;
use std::ops::Deref;

/// Something that has passed the checker.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked<T>(T);

impl<T> Checked<T> {
    /// The thing itself, no longer known to be checked.
    pub fn into_inner(self) -> T {
        self.0
    }
}
impl<T> Deref for Checked<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The rule that a program breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// Every binder is unique in the program; so are the names of functions.
    UniqueBinders,
    /// A variable is used only where it is in scope.
    Scope,
    /// Operands and results have the types that the node asks for, sizes included.
    Types,
    /// As many operands, parameters or results as the node asks for.
    Arity,
    /// A size is a constant ≥ 0 or a variable of type `i64`.
    Sizes,
    /// A scalar operator exists at its width.
    Operators,
    /// What is listed as certificate is one, and only that.
    Certificates,
    /// A called function exists.
    Functions,
    /// An entry point's signature flattens to its parameters and results; what its constructors hold has places in their sums.
    Entries,
    /// A consumed array, or what aliases it, is not used again.
    UseAfterConsume,
    /// Only what is unique, and bound in the same scope, is consumed.
    Consumable,
    /// A unique result aliases no parameter and no other result; consumed arguments alias no other.
    Aliasing,
    /// An accumulator is used exactly once.
    Linear,
}

/// A rule broken.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckError {
    /// The rule.
    pub rule: Rule,
    /// The function in which it is broken.
    pub fun: Name,
    /// What is wrong, with names.
    pub message: String,
    /// The statement.
    pub prov: Prov,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {}: {} ({:?})", self.fun, self.message, self.rule)
    }
}

/// Checks a program. All errors of the first kind found are returned: those of types hide those of consumption.
pub fn check(program: Program) -> Result<Checked<Program>, Vec<CheckError>> {
    let errors = errors(&program);
    if errors.is_empty() { Ok(Checked(program)) } else { Err(errors) }
}

/// What is wrong with a program; nothing if it is well-formed.
pub fn errors(program: &Program) -> Vec<CheckError> {
    let mut errors = Vec::new();
    unique_binders(program, &mut errors);
    if !errors.is_empty() {
        return errors;
    }
    let vars = Vars::of(program);
    let funs = program.by_name();
    for fun in &program.funs {
        let mut checker = Checker {
            funs: &funs,
            vars: &vars,
            scope: HashSet::default(),
            errors: Vec::new(),
            fun: &fun.name,
            prov: Prov::UNKNOWN,
        };
        checker.fun(fun);
        errors.extend(checker.errors);
    }
    if errors.is_empty() {
        (errors, _) = alias::errors(program, &vars);
    }
    errors
}

/// What copies would mend of the consumption of a program that is well-formed otherwise: see [`Clash`].
pub fn clashes(program: &Program, vars: &Vars) -> Vec<Clash> {
    alias::errors(program, vars).1
}

fn unique_binders(program: &Program, errors: &mut Vec<CheckError>) {
    struct Binders<'a> {
        seen: HashSet<Var>,
        fun: &'a Name,
        errors: &'a mut Vec<CheckError>,
    }
    impl Visit for Binders<'_> {
        fn bind(&mut self, b: &Binder) {
            if !self.seen.insert(b.var) {
                let message = format!("{}_{} is bound twice", b.name, b.var.0);
                let (fun, prov) = (self.fun.clone(), Prov::UNKNOWN);
                self.errors.push(CheckError { rule: Rule::UniqueBinders, fun, message, prov });
            }
        }
    }
    let mut seen = HashSet::default();
    let mut names = HashSet::default();
    for fun in &program.funs {
        if !names.insert(&fun.name) {
            let message = format!("there are two functions named {}", fun.name);
            errors.push(CheckError { rule: Rule::UniqueBinders, fun: fun.name.clone(), message, prov: Prov::UNKNOWN });
        }
        let mut binders = Binders { seen, fun: &fun.name, errors };
        walk_fun(&mut binders, fun);
        seen = binders.seen;
    }
}

struct Checker<'a> {
    /// The functions that can be called.
    funs: &'a HashMap<&'a str, &'a Fun>,
    vars: &'a Vars,
    scope: HashSet<Var>,
    errors: Vec<CheckError>,
    fun: &'a Name,
    prov: Prov,
}

impl Checker<'_> {
    fn error(&mut self, rule: Rule, message: impl Into<String>) {
        self.errors.push(CheckError { rule, fun: self.fun.clone(), message: message.into(), prov: self.prov });
    }

    fn name(&self, v: Var) -> String {
        let name = self.vars.get(v).map_or("v", |(name, _)| name.as_str());
        format!("{name}_{}", v.0)
    }

    fn require(&mut self, holds: bool, rule: Rule, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.error(rule, message());
        }
        holds
    }

    // Uses. Each gives the type; of what is out of scope, none, after saying so.

    fn var(&mut self, v: Var) -> Option<Type> {
        if self.scope.contains(&v) {
            return Some(self.vars.ty(v).clone());
        }
        self.error(Rule::Scope, format!("variable {} is not in scope", self.name(v)));
        None
    }

    fn subexp(&mut self, e: SubExp) -> Option<Type> {
        match e {
            SubExp::Lit(x) => Some(Type::Scalar(x.scalar_type())),
            SubExp::Var(v) => self.var(v),
        }
    }

    fn subexps(&mut self, es: &[SubExp]) -> Option<Vec<Type>> {
        let types: Vec<Option<Type>> = es.iter().map(|e| self.subexp(*e)).collect();
        types.into_iter().collect()
    }

    fn expect(&mut self, e: SubExp, expected: &Type, what: &str) {
        if let Some(ty) = self.subexp(e) {
            self.same(&ty, expected, what);
        }
    }

    fn same(&mut self, got: &Type, expected: &Type, what: &str) {
        if got != expected {
            self.error(Rule::Types, format!("{what} has type {}, expected {}", self.show(got), self.show(expected)));
        }
    }

    fn all_same(&mut self, got: &[Type], expected: &[Type], what: &str) {
        if self.require(got.len() == expected.len(), Rule::Arity, || {
            format!("{what}: {} values, expected {}", got.len(), expected.len())
        }) {
            for (g, e) in got.iter().zip(expected) {
                self.same(g, e, what);
            }
        }
    }

    fn show(&self, t: &Type) -> String {
        let dim = |d: &Dim| match d {
            Dim::Const(n) => format!("[{n}]"),
            Dim::Var(v) => format!("[{}]", self.name(*v)),
        };
        match t {
            Type::Scalar(t) => t.to_string(),
            Type::Array(t, shape) => format!("{}{t}", shape.iter().map(dim).collect::<String>()),
            Type::Acc(acc) => {
                let elems: Vec<String> = acc.elems.iter().map(|t| self.show(t)).collect();
                format!(
                    "acc({}, {}({}))",
                    self.name(acc.id),
                    acc.shape.iter().map(dim).collect::<String>(),
                    elems.join(", ")
                )
            }
            Type::Cert => "cert".into(),
        }
    }

    fn i64s(&mut self, es: &[SubExp], what: &str) {
        es.iter().for_each(|e| self.expect(*e, &Type::I64, what));
    }

    fn dim(&mut self, d: Dim) {
        // a constant below zero is the size of no array, no more than a variable of that value: what has it is never reached
        if let Dim::Var(v) = d
            && let Some(ty) = self.var(v)
            && ty != Type::I64
        {
            self.error(Rule::Sizes, format!("{} is a size of type {}", self.name(v), self.show(&ty)));
        }
    }

    /// Nothing when there have been errors since there were so many: what follows would only repeat them.
    fn fine_since(&self, errors: usize) -> Option<()> {
        (self.errors.len() == errors).then_some(())
    }

    fn ty(&mut self, t: &Type) {
        match t {
            Type::Scalar(_) | Type::Cert => {}
            Type::Array(_, shape) => {
                self.require(!shape.is_empty(), Rule::Types, || "an array of rank 0".into());
                shape.iter().for_each(|d| self.dim(*d));
            }
            Type::Acc(AccType { id, shape, elems }) => {
                if let Some(ty) = self.var(*id) {
                    self.same(&ty, &Type::Cert, "the identity of an accumulator");
                }
                shape.iter().for_each(|d| self.dim(*d));
                elems.iter().for_each(|t| self.ty(t));
                self.values_only(elems, "element of an accumulator");
            }
        }
    }

    fn bind(&mut self, b: &Binder) {
        self.ty(&b.ty);
        self.scope.insert(b.var);
    }

    fn fun(&mut self, fun: &Fun) {
        fun.params.iter().for_each(|p| self.bind(&p.binder));
        let params = self.scope.clone();
        fun.results.iter().for_each(|r| self.bind(&r.binder));
        self.scope = params;
        let results: Vec<Binder> = fun.results.iter().map(|r| r.binder.clone()).collect();
        self.body(&fun.body, &results, "the function's result");
        if let Some(sig) = &fun.entry {
            self.entry(fun, sig);
        }
    }

    fn entry(&mut self, fun: &Fun, sig: &EntrySig) {
        let leaves = |t: &Type| t.elem().map(|e| (e, t.rank()));
        let have: Vec<_> = fun.params.iter().map(|p| leaves(&p.binder.ty)).collect();
        let want: Vec<_> = sig.params.iter().flat_map(|p| p.ty.leaves()).map(Some).collect();
        let fits = have.len().checked_sub(want.len()) == Some(sig.sizes)
            && have[..sig.sizes].iter().all(|t| *t == Some((ScalarType::I64, 0)))
            && have[sig.sizes..] == want[..];
        self.require(fits, Rule::Entries, || "the entry's signature does not flatten to its parameters".into());
        let have: Vec<_> = fun.results.iter().map(|r| leaves(&r.binder.ty)).collect();
        let want: Vec<_> = sig.result.leaves().into_iter().map(Some).collect();
        let sizes = have.len().saturating_sub(want.len());
        let fits = have[sizes..] == want[..] && have[..sizes].iter().all(|t| *t == Some((ScalarType::I64, 0)));
        self.require(fits, Rule::Entries, || "the entry's signature does not flatten to its results".into());
        let sums = sig.params.iter().map(|p| &p.ty).chain([&sig.result]).all(holds_variants);
        self.require(sums, Rule::Entries, || "a constructor of the entry's signature has no place in its sum".into());
    }

    /// Checks a body, whose results have the types of these binders, each of which may be mentioned by the later ones. The scope is as before.
    fn body(&mut self, body: &Body, results: &[Binder], what: &str) {
        let outer = self.scope.clone();
        body.stms.iter().for_each(|s| deep(|| self.stm(s)));
        if let Some(types) = self.subexps(&body.result) {
            let vars: Vec<Var> = results.iter().map(|b| b.var).collect();
            let subst = pair(&vars, &body.result);
            let expected: Vec<Type> = results.iter().map(|b| substitute_type(&b.ty, &subst)).collect();
            self.all_same(&types, &expected, what);
        }
        self.scope = outer;
    }

    /// Checks the body of a lambda. Its bindings stay in scope: the caller, who has bound the parameters, restores it.
    fn plain_body(&mut self, body: &Body, results: &[Type], what: &str) {
        body.stms.iter().for_each(|s| deep(|| self.stm(s)));
        if let Some(types) = self.subexps(&body.result) {
            self.all_same(&types, results, what);
        }
    }

    /// Checks a lambda whose parameters must have these types.
    fn lambda(&mut self, l: &Lambda, params: &[Type], what: &str) {
        let outer = self.scope.clone();
        let got: Vec<Type> = l.params.iter().map(|p| p.ty.clone()).collect();
        self.all_same(&got, params, &format!("a parameter of {what}"));
        l.ret.iter().for_each(|t| self.ty(t));
        l.params.iter().for_each(|p| self.bind(p));
        self.plain_body(&l.body, &l.ret, &format!("the result of {what}"));
        self.scope = outer;
    }

    /// Checks an operator on values of these types.
    fn operator(&mut self, op: &Operator, operands: &[Type]) {
        self.values_only(operands, "operand of an operator");
        self.lambda(&op.lambda, &[operands, operands].concat(), "an operator");
        let ret = op.lambda.ret.clone();
        self.all_same(&ret, operands, "the result of an operator");
        if let Some(types) = self.subexps(&op.neutral) {
            self.all_same(&types, operands, "a neutral element");
        }
    }

    fn stm(&mut self, stm: &Stm) {
        let outer = std::mem::replace(&mut self.prov, stm.prov);
        for c in &stm.certs {
            if let Some(ty) = self.var(*c) {
                self.require(ty == Type::Cert, Rule::Certificates, || "what is listed as a certificate is none".into());
            }
        }
        let types = self.exp(stm);
        let before = self.errors.len();
        stm.pat.iter().for_each(|b| self.bind(b));
        if let Some(types) = types.filter(|_| self.errors.len() == before) {
            let pat: Vec<Type> = stm.pat.iter().map(|b| b.ty.clone()).collect();
            self.all_same(&pat, &types, "a pattern");
        }
        self.prov = outer;
    }

    /// Checks an expression, and gives the types of its results in terms of the pattern's variables; none when the pattern has been checked
    /// already, or an error makes it pointless.
    fn exp(&mut self, stm: &Stm) -> Option<Vec<Type>> {
        let before = self.errors.len();
        match &stm.exp {
            Exp::SubExp(e) => {
                self.subexp(*e);
            }
            Exp::Opaque(e) => {
                let ty = self.subexp(*e)?;
                self.values_only(&[ty], "operand of opaque");
            }
            Exp::Prim(op, args) => {
                let types = self.subexps(args)?;
                let Some((params, _)) = op.signature() else {
                    self.error(Rule::Operators, format!("there is no operator {op}"));
                    return None;
                };
                let params: Vec<Type> = params.into_iter().map(Type::Scalar).collect();
                self.all_same(&types, &params, &format!("an operand of {op}"));
            }
            Exp::ArrayLit { elems, row } => {
                self.ty(row);
                self.values_only(std::slice::from_ref(row), "row of an array");
                elems.iter().for_each(|e| self.expect(*e, row, "a row of an array literal"));
            }
            Exp::Index { array, indices } => {
                self.indexed(*array, indices)?;
            }
            Exp::Update { array, indices, value } => {
                let row = self.indexed(*array, indices)?;
                self.expect(*value, &row, "the new element");
            }
            Exp::Slice { array, slice } => {
                self.sliced(*array, slice)?;
            }
            Exp::UpdateSlice { array, slice, value } => {
                let part = self.sliced(*array, slice)?;
                self.require(part.rank() > 0, Rule::Types, || "an update of a slice without ranges".into());
                self.expect((*value).into(), &part, "the new part");
            }
            Exp::FlatIndex { array, offset, dims } => {
                self.flat(*array, *offset, dims)?;
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                let part = self.flat(*array, *offset, dims)?;
                self.expect((*value).into(), &part, "the new part");
            }
            Exp::Iota { n, start, step, elem } => {
                self.expect(*n, &Type::I64, "the size of an iota");
                self.require(elem.is_int(), Rule::Types, || format!("an iota of {elem}"));
                self.expect(*start, &(*elem).into(), "the start of an iota");
                self.expect(*step, &(*elem).into(), "the step of an iota");
            }
            Exp::Replicate { shape, value } => {
                self.require(!shape.is_empty(), Rule::Types, || "a replicate of rank 0".into());
                shape.iter().for_each(|d| self.dim(*d));
                let ty = self.subexp(*value)?;
                self.require(ty.elem().is_some(), Rule::Types, || "a replicate of what is no value".into());
            }
            Exp::Scratch { shape, .. } => {
                self.require(!shape.is_empty(), Rule::Types, || "a scratch of rank 0".into());
                shape.iter().for_each(|d| self.dim(*d));
            }
            Exp::Rearrange { perm, array } | Exp::Manifest { perm, array } => {
                let rank = self.array(*array)?.rank();
                let mut sorted = perm.clone();
                sorted.sort_unstable();
                let fits = sorted.into_iter().eq(0..rank);
                self.require(fits, Rule::Types, || format!("{perm:?} is no permutation of {rank} dimensions"));
            }
            Exp::Reshape { shape, array } => {
                self.array(*array)?;
                self.require(!shape.is_empty(), Rule::Types, || "a reshape to rank 0".into());
                shape.iter().for_each(|d| self.dim(*d));
            }
            Exp::Coerce { shape, array } => {
                let rank = self.array(*array)?.rank();
                self.require(shape.len() == rank, Rule::Types, || {
                    format!("a coerce from rank {rank} to {}", shape.len())
                });
                shape.iter().for_each(|d| self.dim(*d));
            }
            Exp::Copy(array) | Exp::Reverse { array } => {
                self.array(*array)?;
            }
            Exp::Rotate { by, array } => {
                self.expect(*by, &Type::I64, "the distance of a rotate");
                self.array(*array)?;
            }
            Exp::Concat { arrays, size } => {
                self.dim(*size);
                let types: Option<Vec<Type>> = arrays.iter().map(|a| self.array(*a)).collect();
                let types = types?;
                let Some(first) = types.first() else {
                    self.error(Rule::Arity, "a concat of nothing");
                    return None;
                };
                types.iter().for_each(|t| self.same(&t.row(), &first.row(), "a row of a concat"));
            }
            Exp::Check(check) => self.check(check),
            Exp::Apply { fun, args } => return self.apply(fun, args, &stm.pat),
            Exp::If { cond, yes, no } => {
                self.expect(*cond, &Type::BOOL, "a condition");
                self.body(yes, &stm.pat, "a branch's result");
                self.body(no, &stm.pat, "a branch's result");
                return None;
            }
            Exp::Match { scrutinees, cases, default } => {
                let types = self.subexps(scrutinees)?;
                let scalars = types.iter().all(|t| matches!(t, Type::Scalar(_)));
                self.require(scalars, Rule::Types, || "a match on what is no scalar".into());
                for case in cases {
                    let got = case
                        .pattern
                        .iter()
                        .zip(&types)
                        .all(|(k, t)| k.is_none_or(|k| Type::Scalar(k.scalar_type()) == *t));
                    self.require(got, Rule::Types, || "a constant of another type than what is matched".into());
                    self.require(case.pattern.len() == types.len(), Rule::Arity, || {
                        format!("a case of {} constants for {} operands", case.pattern.len(), types.len())
                    });
                    self.body(&case.body, &stm.pat, "a case's result");
                }
                self.body(default, &stm.pat, "a default's result");
                return None;
            }
            Exp::Loop { params, form, body } => return self.loop_(params, form, body, &stm.pat),
            Exp::Screma(s) => self.screma(s)?,
            Exp::Hist(h) => {
                let rows = self.rows(h.width, &h.arrays, false)?;
                let elems = self.hist_ops(&h.ops)?;
                let ret = written(h.ops.iter().map(|op| op.shape.len()), elems);
                self.lambda(&h.map, &rows, "a mapped function");
                let got = h.map.ret.clone();
                self.all_same(&got, &ret, "the result of a histogram's function");
            }
            Exp::Scatter(s) => {
                let rows = self.rows(s.width, &s.arrays, false)?;
                let ret = self.dests(&s.dests)?;
                self.lambda(&s.map, &rows, "a mapped function");
                let got = s.map.ret.clone();
                self.all_same(&got, &ret, "the result of a scatter's function");
            }
            Exp::Stream(s) => self.stream(s)?,
            Exp::FlatMap(f) => return self.flatmap(f, &stm.pat),
            Exp::WithAcc(w) => self.withacc(w)?,
            Exp::UpdAcc { acc, indices, values } => {
                let Type::Acc(ty) = self.var(*acc)? else {
                    self.error(Rule::Types, format!("{} is no accumulator", self.name(*acc)));
                    return None;
                };
                let rank = ty.shape.len();
                self.require(indices.len() == rank, Rule::Arity, || {
                    format!("{} indices of an accumulator of rank {rank}", indices.len())
                });
                self.i64s(indices, "an index");
                let types = self.subexps(values)?;
                self.all_same(&types, &ty.elems, "a value for an accumulator");
            }
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                let args = self.subexps(&ad.args)?;
                self.lambda(&ad.lambda, &args, "a differentiated function");
                ad.seed_shape.iter().for_each(|d| self.dim(*d));
                self.fine_since(before)?;
                let of = if matches!(stm.exp, Exp::Jvp(_)) { &args } else { &ad.lambda.ret };
                let expected: Vec<Type> = of.iter().map(|t| t.array_of(&ad.seed_shape)).collect();
                let seeds = self.subexps(&ad.seeds)?;
                self.all_same(&seeds, &expected, "a seed");
                self.values_only(&args, "argument of a derivative");
                self.values_only(&ad.lambda.ret, "result of a differentiated function");
            }
            Exp::Custom(c) => self.custom(c)?,
            Exp::SegOp(seg) => self.segop(seg)?,
        }
        self.fine_since(before).map(|()| self.vars.result_types(&stm.exp))
    }

    fn values_only(&mut self, types: &[Type], what: &str) {
        let fine = types.iter().all(|t| t.elem().is_some());
        self.require(fine, Rule::Types, || format!("an accumulator or certificate as {what}"));
    }

    fn array(&mut self, v: Var) -> Option<Type> {
        let ty = self.var(v)?;
        if ty.rank() == 0 {
            self.error(Rule::Types, format!("{} is no array", self.name(v)));
            return None;
        }
        Some(ty)
    }

    fn indexed(&mut self, array: Var, indices: &[SubExp]) -> Option<Type> {
        let ty = self.array(array)?;
        self.i64s(indices, "an index");
        let fits = (1..=ty.rank()).contains(&indices.len());
        self.require(fits, Rule::Arity, || format!("{} indices of an array of rank {}", indices.len(), ty.rank()))
            .then(|| ty.peel(indices.len()))
    }

    /// The type of a slice.
    fn sliced(&mut self, array: Var, slice: &[SliceDim]) -> Option<Type> {
        let ty = self.array(array)?;
        for d in slice {
            match d {
                SliceDim::Fix(i) => self.expect(*i, &Type::I64, "an index"),
                SliceDim::Range { start, count, stride } => {
                    self.i64s(&[*start, *stride], "a range of a slice");
                    self.dim(*count);
                }
            }
        }
        let fits = (1..=ty.rank()).contains(&slice.len());
        self.require(fits, Rule::Arity, || format!("{} ranges of an array of rank {}", slice.len(), ty.rank()))
            .then(|| slice_type(&ty, slice))
    }

    /// The type of a view of an array by offset and strides.
    fn flat(&mut self, array: Var, offset: SubExp, dims: &[(Dim, SubExp)]) -> Option<Type> {
        let ty = self.array(array)?;
        self.expect(offset, &Type::I64, "an offset");
        dims.iter().for_each(|(n, stride)| {
            self.dim(*n);
            self.expect(*stride, &Type::I64, "a stride");
        });
        self.require(!dims.is_empty(), Rule::Arity, || "a view without dimensions".into()).then_some(())?;
        let shape: Vec<Dim> = dims.iter().map(|(n, _)| *n).collect();
        self.require(ty.rank() == 1, Rule::Types, || "a view by strides of an array of more than one dimension".into())
            .then(|| ty.row().array_of(&shape))
    }

    fn check(&mut self, check: &Check) {
        match check {
            Check::Slice { start, end, stride, size } => {
                self.i64s(&[*start, *end, *stride], "a slice");
                self.dim(*size);
            }
            Check::Assert(cond, _) => self.expect(*cond, &Type::BOOL, "an assertion"),
            Check::Bounds { indices, sizes } => {
                self.i64s(indices, "an index");
                sizes.iter().for_each(|d| self.dim(*d));
                self.require(indices.len() == sizes.len(), Rule::Arity, || "as many indices as sizes".into());
            }
            Check::SizeEq { actual, expected } => {
                actual.iter().chain(expected).for_each(|d| self.dim(*d));
                self.require(actual.len() == expected.len(), Rule::Arity, || "shapes of one rank".into());
            }
            Check::Shape(dims) => dims.iter().for_each(|d| self.dim(*d)),
            Check::Made(array) => _ = self.array(*array),
            Check::NonNegativeSize(e) => self.expect(*e, &Type::I64, "a size"),
            Check::NonZero(e) | Check::NonNegativeExponent(e) => self.ints(&[*e]),
            Check::Range { .. } => self.ints(&check.operands()),
        }
    }

    fn ints(&mut self, es: &[SubExp]) {
        if let Some(types) = self.subexps(es) {
            let fine = types.iter().all(|t| *t == types[0] && matches!(t, Type::Scalar(t) if t.is_int()));
            self.require(fine, Rule::Types, || "the operands of a check are no integers of one type".into());
        }
    }

    fn apply(&mut self, fun: &Name, args: &[SubExp], pat: &[Binder]) -> Option<Vec<Type>> {
        let types = self.subexps(args)?;
        let Some(callee) = self.funs.get(fun.as_str()).copied() else {
            self.error(Rule::Functions, format!("there is no function {fun}"));
            return None;
        };
        let params: Vec<Var> = callee.params.iter().map(|p| p.binder.var).collect();
        let subst = pair(&params, args);
        let expected: Vec<Type> = callee.params.iter().map(|p| substitute_type(&p.binder.ty, &subst)).collect();
        self.all_same(&types, &expected, "an argument");
        let results: Vec<Var> = callee.results.iter().map(|r| r.binder.var).collect();
        let pattern: Vec<SubExp> = pat.iter().map(|b| b.var.into()).collect();
        let mut subst = subst;
        subst.extend(pair(&results, &pattern));
        Some(callee.results.iter().map(|r| substitute_type(&r.binder.ty, &subst)).collect())
    }

    fn loop_(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pat: &[Binder]) -> Option<Vec<Type>> {
        let inits: Vec<SubExp> = params.iter().map(|p| p.init).collect();
        let vars: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
        let types = self.subexps(&inits)?;
        let subst = pair(&vars, &inits);
        let expected: Vec<Type> = params.iter().map(|p| substitute_type(&p.binder.ty, &subst)).collect();
        self.all_same(&types, &expected, "the first value of a loop parameter");
        if let LoopForm::For { index, bound } = form {
            self.expect(*bound, &index.ty, "the bound of a loop");
        }
        let outer = self.scope.clone();
        params.iter().for_each(|p| self.bind(&p.binder));
        match form {
            LoopForm::For { index, .. } => {
                let int = matches!(index.ty, Type::Scalar(t) if t.is_int());
                self.require(int, Rule::Types, || "a loop index that is no integer".into());
                self.bind(index);
            }
            LoopForm::While(cond) => {
                let fine = vars.contains(cond) && *self.vars.ty(*cond) == Type::BOOL;
                self.require(fine, Rule::Types, || "the condition of a while loop is no parameter of type bool".into());
            }
        }
        let binders: Vec<Binder> = params.iter().map(|p| p.binder.clone()).collect();
        self.body(body, &binders, "the result of a loop's body");
        self.scope = outer;
        let pattern: Vec<SubExp> = pat.iter().map(|b| b.var.into()).collect();
        let subst = pair(&vars, &pattern);
        Some(params.iter().map(|p| substitute_type(&p.binder.ty, &subst)).collect())
    }
}

/// Runs with room on the stack: bodies may nest as deep as [`super::parse`](mod@super::parse) lets them.
fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 1 << 20, f)
}

fn pair(vars: &[Var], values: &[SubExp]) -> HashMap<Var, SubExp> {
    vars.iter().copied().zip(values.iter().copied()).collect()
}

/// Whether the constructors of all sums in the type have places for what they hold.
fn holds_variants(ty: &EntryType) -> bool {
    match ty {
        EntryType::Scalar(_) => true,
        EntryType::Array(_, elem) => holds_variants(elem),
        EntryType::Tuple(ts) | EntryType::Opaque(_, ts) => ts.iter().all(holds_variants),
        EntryType::Record(fields) => fields.iter().all(|(_, t)| holds_variants(t)),
        EntryType::Sum(_, _, variants) => {
            let leaves = ty.leaves();
            let number = matches!(leaves.first(), Some((t, 0)) if t.is_int());
            number
                && variants.iter().all(|variant| {
                    let held: Vec<_> = variant.holds.iter().flat_map(EntryType::leaves).collect();
                    let at: Option<Vec<_>> = variant.places.iter().map(|place| leaves.get(*place).copied()).collect();
                    at == Some(held) && variant.holds.iter().all(holds_variants)
                })
        }
    }
}
