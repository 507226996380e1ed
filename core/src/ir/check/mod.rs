//! The checker: types, sizes, certificates, unique binders (here), aliasing and consumption (in [`alias`]).
//!
//! It runs on every pass's output in tests and with `--verify`; backends take only what has passed ([`Checked`]).

mod alias;
#[cfg(test)]
mod tests;

use super::build::{Vars, slice_type, substitute_type};
use super::visit::{Visit, walk_fun};
use super::*;
use std::collections::{HashMap, HashSet};
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
    /// An entry point's signature flattens to its parameters and results.
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
    for fun in &program.funs {
        let mut checker = Checker {
            program,
            vars: &vars,
            scope: HashSet::new(),
            errors: Vec::new(),
            fun: &fun.name,
            prov: Prov::UNKNOWN,
        };
        checker.fun(fun);
        errors.extend(checker.errors);
    }
    if errors.is_empty() {
        errors = alias::errors(program, &vars);
    }
    errors
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
    let mut seen = HashSet::new();
    let mut names = HashSet::new();
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
    program: &'a Program,
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
        match d {
            Dim::Const(n) => {
                self.require(n >= 0, Rule::Sizes, || format!("a size of {n}"));
            }
            Dim::Var(v) => {
                if let Some(ty) = self.var(v)
                    && ty != Type::I64
                {
                    self.error(Rule::Sizes, format!("{} is a size of type {}", self.name(v), self.show(&ty)));
                }
            }
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
        let fits = have.len() >= want.len()
            && have[sizes..] == want[..]
            && have[..sizes].iter().all(|t| *t == Some((ScalarType::I64, 0)));
        self.require(fits, Rule::Entries, || "the entry's signature does not flatten to its results".into());
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

    fn plain_body(&mut self, body: &Body, results: &[Type], what: &str) {
        let outer = self.scope.clone();
        body.stms.iter().for_each(|s| deep(|| self.stm(s)));
        if let Some(types) = self.subexps(&body.result) {
            self.all_same(&types, results, what);
        }
        self.scope = outer;
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
                let elems = self.hist_ops(&h.ops, &[])?;
                let ret = written(h.ops.iter().map(|op| op.shape.len()), elems);
                self.lambda(&h.map, &rows, "a mapped function");
                let got = h.map.ret.clone();
                self.all_same(&got, &ret, "the result of a histogram's function");
            }
            Exp::Scatter(s) => {
                let rows = self.rows(s.width, &s.arrays, false)?;
                let mut elems = Vec::new();
                for dest in &s.dests {
                    elems.push(self.destination(dest.array, &dest.shape)?);
                }
                let ret = written(s.dests.iter().map(|d| d.shape.len()), elems);
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
            Check::NonNegativeSize(e) => self.expect(*e, &Type::I64, "a size"),
            Check::NonZero(e) | Check::NonNegativeExponent(e) => self.ints(&[*e]),
            Check::Range { start, second, end, .. } => self.ints(&[*start, *second, *end]),
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
        let Some(callee) = self.program.fun(fun.as_str()) else {
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

    /// The types of the rows of what is mapped over.
    fn rows(&mut self, width: Dim, arrays: &[Var], accs: bool) -> Option<Vec<Type>> {
        let before = self.errors.len();
        self.dim(width);
        self.fine_since(before)?;
        let types: Option<Vec<Type>> = arrays.iter().map(|a| self.var(*a)).collect();
        let mut rows = Vec::new();
        for ty in types? {
            match &ty {
                Type::Array(_, shape) if !shape.is_empty() => {
                    let same = shape[0] == width;
                    self.require(same, Rule::Types, || "an array mapped over is not of the given width".into());
                    rows.push(ty.row());
                }
                Type::Acc(_) if accs => rows.push(ty),
                _ => self.error(Rule::Types, "what is mapped over is no array"),
            }
        }
        self.fine_since(before).map(|()| rows)
    }

    fn screma(&mut self, s: &Screma) -> Option<()> {
        let rows = self.rows(s.width, &s.arrays, true)?;
        self.lambda(&s.map, &rows, "a mapped function");
        let mut operands = s.map.ret.iter().cloned();
        let mut scanned = Vec::new();
        for (op, scan) in s.scans.iter().map(|op| (op, true)).chain(s.reduces.iter().map(|op| (op, false))) {
            let types: Vec<Type> = operands.by_ref().take(op.neutral.len()).collect();
            self.operator(op, &types);
            scanned.extend(if scan { types } else { Vec::new() });
        }
        let mapped: Vec<Type> = operands.collect();
        self.require(!mapped.contains(&Type::Cert), Rule::Certificates, || {
            "a mapped function returns a certificate".into()
        })
        .then_some(())?;
        if let Some(post) = &s.post {
            self.values_only(&mapped, "operand of a function after scans");
            self.lambda(post, &[scanned, mapped].concat(), "a function after scans");
            self.values_only(&post.ret, "result of a function after scans");
        }
        Some(())
    }

    /// The type of an element of an array that is indexed by this shape.
    fn destination(&mut self, array: Var, shape: &[Dim]) -> Option<Type> {
        shape.iter().for_each(|d| self.dim(*d));
        let ty = self.array(array)?;
        let fits = !shape.is_empty() && ty.shape().starts_with(shape);
        self.require(fits, Rule::Types, || "a destination is not of the given shape".into())
            .then(|| ty.peel(shape.len()))
    }

    /// The types of the elements of the destinations, which have these dimensions outside.
    fn hist_ops(&mut self, ops: &[HistOp], outer: &[Dim]) -> Option<Vec<Type>> {
        let mut all = Vec::new();
        for op in ops {
            let shape = [outer, &op.shape].concat();
            let some = !op.shape.is_empty() && !op.dests.is_empty();
            self.require(some, Rule::Arity, || "a histogram without dimensions or arrays".into()).then_some(())?;
            let elems: Option<Vec<Type>> = op.dests.iter().map(|a| self.destination(*a, &shape)).collect();
            let elems = elems?;
            self.operator(&op.op, &elems);
            all.extend(elems);
        }
        Some(all)
    }

    fn stream(&mut self, s: &Stream) -> Option<()> {
        let before = self.errors.len();
        let outer = self.scope.clone();
        let rows = self.rows(s.width, &s.arrays, false)?;
        let Some(size) = s.lambda.params.first() else {
            self.error(Rule::Arity, "the function of a stream has no size of a chunk");
            return None;
        };
        let chunk = [Dim::Var(size.var)];
        let accs = s.accumulators();
        let acc_types: Vec<Type> = s.lambda.ret.iter().take(accs).cloned().collect();
        let handed = if matches!(s.form, StreamForm::Seq(_)) { &acc_types[..] } else { &[] };
        let chunks: Vec<Type> = rows.iter().map(|t| t.array_of(&chunk)).collect();
        let params = [&[Type::I64], handed, &chunks].concat();
        let got: Vec<Type> = s.lambda.params.iter().map(|p| p.ty.clone()).collect();
        self.all_same(&got, &params, "a parameter of the function of a stream");
        self.fine_since(before)?;
        match &s.form {
            StreamForm::Seq(init) => {
                let types = self.subexps(init)?;
                self.all_same(&types, &acc_types, "the first value of an accumulator");
            }
            StreamForm::Par(op) => self.operator(op, &acc_types),
        }
        self.bind(size);
        s.lambda.ret.iter().for_each(|t| self.ty(t));
        s.lambda.params[1..].iter().for_each(|p| self.bind(p));
        self.values_only(&s.lambda.ret, "result of the function of a stream");
        let fits = s.lambda.ret.iter().skip(accs).all(|t| outer_size_only(t, chunk[0]))
            && acc_types.iter().all(|t| !t.shape().contains(&chunk[0]));
        self.require(fits, Rule::Types, || "an array that a stream gives is not of the chunk's size".into());
        self.plain_body(&s.lambda.body, &s.lambda.ret, "the result of the function of a stream");
        self.scope = outer;
        fits.then_some(())
    }

    fn flatmap(&mut self, f: &FlatMap, pat: &[Binder]) -> Option<Vec<Type>> {
        let before = self.errors.len();
        let outer = self.scope.clone();
        let rows = self.rows(f.width, &f.arrays, false)?;
        let got: Vec<Type> = f.lambda.params.iter().map(|p| p.ty.clone()).collect();
        self.all_same(&got, &rows, "a parameter of a mapped function");
        let (size, of_size) = (f.size.ty.clone(), Dim::Var(f.size.var));
        self.same(&size, &Type::I64, "the size in a flatmap");
        self.fine_since(before)?;
        self.bind(&f.size);
        f.lambda.ret.iter().for_each(|t| self.ty(t));
        self.scope.remove(&f.size.var);
        self.fine_since(before)?;
        f.lambda.params.iter().for_each(|p| self.bind(p));
        self.values_only(&f.lambda.ret, "result of the function of a flatmap");
        let shaped = f.lambda.ret.first() == Some(&Type::I64)
            && f.lambda.ret.len() > f.irregular
            && f.lambda.ret[1..=f.irregular].iter().all(|t| outer_size_only(t, of_size))
            && f.lambda.ret[1 + f.irregular..].iter().all(|t| !t.shape().contains(&of_size));
        self.require(shaped, Rule::Types, || {
            "the function of a flatmap gives a size, arrays of it, and other values".into()
        });
        // its results name the size that they come with
        let mut results = vec![f.size.clone()];
        results.extend(f.lambda.ret.iter().skip(1).map(|ty| Binder { ty: ty.clone(), ..f.size.clone() }));
        for (i, r) in results.iter_mut().enumerate().skip(1) {
            r.var = Var(u32::MAX - i as u32);
        }
        self.body(&f.lambda.body, &results, "the result of the function of a flatmap");
        self.scope = outer;
        let Some(total) = pat.first() else {
            self.error(Rule::Arity, "a flatmap has results");
            return None;
        };
        self.fine_since(before).map(|()| f.result_types(total.var))
    }

    fn custom(&mut self, c: &Custom) -> Option<()> {
        let args = self.subexps(&c.args)?;
        self.lambda(&c.lambda, &args, "a function with derivatives");
        self.values_only(&args, "argument of a function with derivatives");
        self.values_only(&c.lambda.ret, "result of a function with derivatives");
        let enough = c.lambda.ret.len() >= c.saved;
        self.require(enough, Rule::Arity, || "a function with derivatives saves more than it gives".into())
            .then_some(())?;
        let results = c.lambda.ret[c.saved..].to_vec();
        if let Some(rule) = &c.vjp {
            self.lambda(rule, &c.lambda.ret, "a reverse rule");
            let ret = rule.ret.clone();
            self.all_same(&ret, &args, "the result of a reverse rule");
        }
        if let Some(rule) = &c.jvp {
            self.lambda(rule, &[&args[..], &args].concat(), "a forward rule");
            let ret = rule.ret.clone();
            self.all_same(&ret, &results, "the result of a forward rule");
        }
        Some(())
    }

    fn withacc(&mut self, w: &WithAcc) -> Option<()> {
        let n = w.inputs.len();
        let accs = w.lambda.params.len().checked_sub(n);
        let shaped = w.lambda.params.len() == 2 * n && accs == Some(n) && w.lambda.ret.len() >= n;
        if !self.require(shaped, Rule::Arity, || "the function of a withacc takes a certificate and an accumulator for each input, and returns the accumulators".into()) {
            return None;
        }
        for (i, input) in w.inputs.iter().enumerate() {
            self.require(!input.arrays.is_empty(), Rule::Arity, || "an accumulator of no arrays".into())
                .then_some(())?;
            input.shape.iter().for_each(|d| self.dim(*d));
            let types: Option<Vec<Type>> = input.arrays.iter().map(|a| self.array(*a)).collect();
            let mut elems = Vec::new();
            for ty in types? {
                let fits = ty.shape().starts_with(&input.shape);
                self.require(fits, Rule::Types, || "an array of a withacc is not of the given shape".into())
                    .then_some(())?;
                elems.push(ty.peel(input.shape.len()));
            }
            self.operator(&input.op, &elems);
            let id = w.lambda.params[i].var;
            let acc = Type::Acc(AccType { id, shape: input.shape.clone(), elems });
            let (got_id, got) = (w.lambda.params[i].ty.clone(), w.lambda.params[n + i].ty.clone());
            self.same(&got_id, &Type::Cert, "the identity of an accumulator");
            self.same(&got, &acc, "an accumulator parameter");
            let ret = w.lambda.ret[i].clone();
            self.same(&ret, &acc, "an accumulator result");
        }
        let outer = self.scope.clone();
        w.lambda.ret[n..].iter().for_each(|t| self.ty(t));
        w.lambda.params.iter().for_each(|p| self.bind(p));
        self.plain_body(&w.lambda.body, &w.lambda.ret, "the result of the function of a withacc");
        self.scope = outer;
        Some(())
    }

    fn segop(&mut self, seg: &SegOp) -> Option<()> {
        let outer = self.scope.clone();
        let dims: Vec<Dim> = seg.space.iter().map(|(_, d)| *d).collect();
        self.require(!dims.is_empty(), Rule::Arity, || "a parallel nest without dimensions".into()).then_some(())?;
        for (b, d) in &seg.space {
            self.dim(*d);
            let ty = b.ty.clone();
            self.same(&ty, &Type::I64, "an index of a parallel nest");
        }
        seg.ret.iter().for_each(|t| self.ty(t));
        self.require(!seg.ret.contains(&Type::Cert), Rule::Certificates, || {
            "a parallel nest returns a certificate".into()
        });
        let counts = seg.operand_counts();
        self.require(seg.ret.len() >= counts.mapped(), Rule::Arity, || "a parallel nest gives too few operands".into())
            .then_some(())?;
        let mut operands = seg.ret.iter().cloned();
        for op in seg.scans.iter().chain(&seg.reduces) {
            let types: Vec<Type> = operands.by_ref().take(op.neutral.len()).collect();
            self.operator(op, &types);
        }
        let elems = self.hist_ops(&seg.hists, &dims[..dims.len() - 1])?;
        let wanted = written(seg.hists.iter().map(|h| h.shape.len()), elems);
        let got: Vec<Type> = operands.take(counts.indices + counts.values).collect();
        self.all_same(&got, &wanted, "the operands of a parallel histogram");
        seg.space.iter().for_each(|(b, _)| self.bind(b));
        self.plain_body(&seg.body, &seg.ret, "the result of a parallel nest");
        self.scope = outer;
        Some(())
    }
}

/// Whether it is an array of this size, which its rows do not mention.
fn outer_size_only(t: &Type, size: Dim) -> bool {
    t.shape().split_first().is_some_and(|(outer, inner)| *outer == size && !inner.contains(&size))
}

/// Runs with room on the stack: bodies may nest as deep as [`super::parse`](mod@super::parse) lets them.
fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 1 << 20, f)
}

/// The results of a function that says where to write what: the indices of each destination in turn, then the values.
fn written(ranks: impl Iterator<Item = usize>, elems: Vec<Type>) -> Vec<Type> {
    let indices = std::iter::repeat_n(Type::I64, ranks.sum());
    indices.chain(elems).collect()
}

fn pair(vars: &[Var], values: &[SubExp]) -> HashMap<Var, SubExp> {
    vars.iter().copied().zip(values.iter().copied()).collect()
}
