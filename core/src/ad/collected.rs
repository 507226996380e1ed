//! Accumulators of other operators than sums are histograms: what the updates contribute is collected, and combined by a histogram, which has a rule for
//! each operator (digest 000 §1.7). An operator may be applied in any order, so that it does not matter in which order that is.
//!
//! ```text
//! withacc ys ⊙ (\acc -> map (\x -> .. updacc acc i v) xs)     (is, vs) = map (\x -> .. (i, v)) xs;  hist ys ⊙ is vs
//! ```

// Note [Lists of contributions]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// What is contributed inside of a map of n rows, or of a loop of n trips, is an array of n rows of contributions. A branch that contributes nothing has the
// index -1, which a histogram ignores. That needs shapes that are known outside. Where they are not, as in a loop whose bound a row decides, the contributions
// are laid one after the other: a map becomes a flatmap (beside what is left of it, so that it runs twice), a branch gives as many as it has, a loop appends its own to
// those before. (Appending copies: such a loop in which each trip contributes takes quadratic time.)

use super::{in_type, is_sum, rewritten, seed};
use crate::hash::HashSet;
use crate::ir::build::{Builder, Vars};
use crate::ir::rename::renamed;
use crate::ir::*;

/// The body without accumulators of other operators than sums, but for those that are handed to a function.
pub fn body(vars: &mut Vars, body: &Body) -> Body {
    rewritten(vars, body, &mut |b, stm| {
        let certs = stm.certs.clone();
        let mut hists = Vec::new();
        let mut left = Some(stm);
        while let Some(stm) = &left
            && let Exp::WithAcc(w) = &stm.exp
            && let Some(k) = w.inputs.iter().position(needs_histogram)
        {
            let Some((rest, hist)) = without(b, stm, w, k) else {
                b.stms.clear();
                break;
            };
            hists.push(hist);
            left = rest;
        }
        b.stms.extend(left);
        b.certs = certs;
        hists.into_iter().rev().for_each(|h| h.bind(b));
    })
}

/// Whether its elements have derivatives, and its operator is not a sum.
fn needs_histogram(input: &AccInput) -> bool {
    let sums = input.op.lambda.as_prim().is_some_and(is_sum);
    !sums && input.op.lambda.ret.iter().any(|t| t.elem().is_some_and(ScalarType::is_float))
}

/// Contributions: for each index, then for each value, a variable of the type `shape ++ t`.
struct Group {
    shape: Vec<Dim>,
    vars: Vec<Var>,
}

/// The histogram that stands for an accumulator.
struct Histogram {
    input: AccInput,
    groups: Vec<Group>,
    /// What the statement called the arrays afterwards.
    pat: Vec<Binder>,
}

impl Histogram {
    /// A histogram for each group, one after the other.
    fn bind(self, b: &mut Builder) {
        let mut dests = self.input.arrays;
        for group in self.groups {
            let total = seed::count(b, &group.shape);
            let Some(width) = Dim::from_subexp(total) else { continue };
            let arrays: Vec<Var> = group.vars.iter().map(|v| flat(b, *v, group.shape.len(), width)).collect();
            let op = Operator { lambda: renamed(&self.input.op.lambda, b.vars), ..self.input.op.clone() };
            let ops = vec![HistOp { shape: self.input.shape.clone(), dests, op }];
            let map = seed::rows(b, &arrays);
            dests = b.let_many("hist", Exp::from(Hist { width, arrays, map, ops }));
        }
        for (p, dest) in self.pat.into_iter().zip(dests) {
            b.bind(vec![p], Exp::SubExp(dest.into()));
        }
    }
}

/// A value with its outer dimensions, so many, as one.
fn flat(b: &mut Builder, v: Var, rank: usize, width: Dim) -> Var {
    let ty = b.vars.ty(v).clone();
    match rank {
        0 => b.let_one("one", Exp::Replicate { shape: vec![width], value: v.into() }),
        1 => v,
        _ => {
            let shape = [&[width], &ty.shape()[rank..]].concat();
            b.let_one("flat", Exp::Reshape { shape, array: v })
        }
    }
}

/// What is left of a `withacc` without its `k`th accumulator, if it had another, and the histogram that stands for that.
fn without(b: &mut Builder, stm: &Stm, w: &WithAcc, k: usize) -> Option<(Option<Stm>, Histogram)> {
    let n = w.inputs.len();
    let mut w = w.clone();
    let mut pat = stm.pat.clone();
    let first: usize = w.inputs[..k].iter().map(|i| i.arrays.len()).sum();
    let input = w.inputs.remove(k);
    let own: Vec<Binder> = pat.drain(first..first + input.arrays.len()).collect();
    let Lambda { mut params, mut ret, body } = w.lambda;
    params.remove(n + k);
    let id = params.remove(k).var;
    ret.remove(k);
    let acc = Acc { id, columns: columns(&input) };
    if n == 1 {
        let groups = acc.collect(b, body.stms)?;
        b.certs = stm.certs.clone();
        for (p, e) in pat.into_iter().zip(acc.others(b.vars, body.result)) {
            let e = in_type(b, e, &p.ty);
            b.bind(vec![p], Exp::SubExp(e));
        }
        return Some((None, Histogram { input, groups, pat: own }));
    }
    let mut inner = acc.inner(b, body, &params)?;
    if inner.list.is_some() {
        return None;
    }
    let groups = inner.hand_out(b, None, &mut ret, &mut pat);
    let lambda = Lambda { params, ret, body: inner.body };
    let rest = Stm { pat, exp: Exp::WithAcc(WithAcc { inputs: w.inputs, lambda }), ..stm.clone() };
    Some((Some(rest), Histogram { input, groups, pat: own }))
}

/// The types of an update's indices and values.
fn columns(input: &AccInput) -> Vec<Type> {
    let indices = std::iter::repeat_n(Type::I64, input.shape.len());
    indices.chain(input.op.lambda.ret.iter().cloned()).collect()
}

/// The accumulator whose updates are collected.
struct Acc {
    id: Var,
    /// The types of an update's indices and values.
    columns: Vec<Type>,
}

/// A body in which updates are collected.
struct Inner {
    /// Without the accumulator among its results.
    body: Body,
    /// What has a shape that is known outside.
    fixed: Vec<Group>,
    /// All else, one after the other, and how much it is.
    list: Option<(SubExp, Vec<Var>)>,
}

impl Inner {
    /// Makes results of what has a shape that is known outside, and gives what that is outside; `outer` is the dimension that the results get there.
    fn hand_out(
        &mut self,
        b: &mut Builder,
        outer: Option<Dim>,
        ret: &mut Vec<Type>,
        pat: &mut Vec<Binder>,
    ) -> Vec<Group> {
        let outer: Vec<Dim> = outer.into_iter().collect();
        let mut groups = Vec::new();
        for Group { shape, vars } in self.fixed.drain(..) {
            self.body.result.extend(vars.iter().map(|v| SubExp::Var(*v)));
            let types: Vec<Type> = vars.iter().map(|v| b.vars.ty(*v).clone()).collect();
            let new: Vec<Binder> = types.iter().map(|t| b.vars.fresh("update", t.array_of(&outer))).collect();
            // mutant swap: of the shape of contributions it is asked how many there are, and of how many dimensions
            groups.push(Group { shape: [&outer[..], &shape].concat(), vars: new.iter().map(|p| p.var).collect() });
            ret.extend(types);
            pat.extend(new);
        }
        groups
    }
}

impl Acc {
    fn is(&self, ty: &Type) -> bool {
        matches!(ty, Type::Acc(acc) if acc.id == self.id)
    }

    /// The results that are not the accumulator.
    fn others(&self, vars: &Vars, result: Vec<SubExp>) -> Vec<SubExp> {
        result.into_iter().filter(|e| !self.is(&vars.type_of(*e))).collect()
    }

    /// Adds the statements without their updates of the accumulator, and gives these. None where a function gets the accumulator.
    fn collect(&self, b: &mut Builder, stms: Vec<Stm>) -> Option<Vec<Group>> {
        let mut groups = Vec::new();
        for mut stm in stms {
            if !stm.pat.iter().any(|p| self.is(&p.ty)) {
                b.push(stm);
                continue;
            }
            stm.pat.retain(|p| !self.is(&p.ty));
            b.prov = stm.prov;
            // mutant: another expression takes its place
            match std::mem::replace(&mut stm.exp, Exp::SubExp(SubExp::i64(0))) {
                Exp::SubExp(_) => {}
                Exp::UpdAcc { indices, values, .. } => {
                    let all = indices.into_iter().chain(values).collect::<Vec<_>>();
                    let kept = |b: &mut Builder, e| match e {
                        // an array may be written to before the histogram reads it
                        SubExp::Var(v) if b.vars.ty(v).rank() > 0 => b.let_one("update", Exp::Copy(v)),
                        e => b.let_one("update", Exp::SubExp(e)),
                    };
                    let vars = b.under(stm.certs, |b| all.into_iter().map(|e| kept(b, e)).collect());
                    groups.push(Group { shape: Vec::new(), vars });
                }
                Exp::Screma(s) => self.screma(b, stm, *s, &mut groups)?,
                Exp::If { cond, yes, no } => self.branches(b, stm, cond, [yes, no], &mut groups)?,
                Exp::Loop { params, form, body } => self.looped(b, stm, (params, form, body), &mut groups)?,
                Exp::WithAcc(mut w) => {
                    let mut inner = self.inner(b, w.lambda.body, &w.lambda.params)?;
                    if inner.list.is_some() {
                        return None;
                    }
                    w.lambda.ret.retain(|t| !self.is(t));
                    groups.extend(inner.hand_out(b, None, &mut w.lambda.ret, &mut stm.pat));
                    w.lambda.body = inner.body;
                    b.push(Stm { exp: Exp::WithAcc(w), ..stm });
                }
                _ => return None,
            }
        }
        Some(groups)
    }

    /// A body with these parameters.
    fn inner(&self, b: &mut Builder, body: Body, params: &[Binder]) -> Option<Inner> {
        let mut inner = Builder::new(b.vars, b.prov);
        let groups = self.collect(&mut inner, body.stms)?;
        let bound: HashSet<Var> = inner.stms.iter().flat_map(|s| &s.pat).chain(params).map(|p| p.var).collect();
        let is_fixed = |g: &Group| !g.shape.iter().any(|d| matches!(d, Dim::Var(v) if bound.contains(v)));
        let (fixed, varying): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(is_fixed);
        let list = (!varying.is_empty()).then(|| self.list(&mut inner, varying));
        let result = self.others(inner.vars, body.result);
        Some(Inner { body: Body { stms: inner.stms, result }, fixed, list })
    }

    /// The groups one after the other: how many contributions there are, and a vector for each index and value.
    fn list(&self, b: &mut Builder, groups: Vec<Group>) -> (SubExp, Vec<Var>) {
        let mut total = SubExp::i64(0);
        let mut columns: Vec<Vec<Var>> = vec![Vec::new(); self.columns.len()];
        for group in groups {
            let count = seed::count(b, &group.shape);
            total = b.prim_op(ScalarType::I64.plus(), &[total, count]);
            let Some(width) = Dim::from_subexp(count) else { continue };
            for (column, v) in columns.iter_mut().zip(group.vars) {
                column.push(flat(b, v, group.shape.len(), width));
            }
        }
        let Some(size) = Dim::from_subexp(total) else { return (total, Vec::new()) };
        let whole = |arrays| b.let_one("updates", Exp::Concat { arrays, size });
        (total, columns.into_iter().map(whole).collect())
    }

    /// Contributions that are none: of this shape, at the index -1.
    fn none(&self, b: &mut Builder, shape: &[Dim]) -> Vec<Var> {
        let mut none = |ty: &Type| match b.fill(&ty.array_of(shape), none_of(ty)) {
            SubExp::Var(v) => v,
            e => b.let_one("none", Exp::SubExp(e)),
        };
        self.columns.iter().map(&mut none).collect()
    }

    /// The types of lists of this length.
    fn listed(&self, total: Var) -> Vec<Type> {
        self.columns.iter().map(|t| t.array_of(&[Dim::Var(total)])).collect()
    }

    fn screma(&self, b: &mut Builder, mut stm: Stm, mut s: Screma, groups: &mut Vec<Group>) -> Option<()> {
        let kept: Vec<bool> = s.map.params.iter().map(|p| !self.is(&p.ty)).collect();
        keep(&mut s.arrays, &kept);
        keep(&mut s.map.params, &kept);
        s.map.ret.retain(|t| !self.is(t));
        let mut inner = self.inner(b, s.map.body, &s.map.params)?;
        if let Some((total, list)) = inner.list.take() {
            let size = b.vars.fresh("count", Type::I64);
            let ret = [vec![Type::I64], self.listed(size.var)].concat();
            let result = [vec![total], list.into_iter().map(SubExp::Var).collect()].concat();
            let body = Body { stms: inner.body.stms.clone(), result };
            let lambda = renamed(&Lambda { params: s.map.params.clone(), ret, body }, b.vars);
            let (width, arrays, irregular) = (s.width, s.arrays.clone(), self.columns.len());
            let all = FlatMap { width, arrays, size, irregular, lambda };
            let total = b.vars.fresh("total", Type::I64);
            let types = all.result_types(total.var).split_off(1);
            let rest = types.into_iter().map(|t| b.vars.fresh("updates", t));
            let pat: Vec<Binder> = std::iter::once(total.clone()).chain(rest).collect();
            // behind the total, sizes, flags and offsets
            groups.push(Group { shape: vec![Dim::Var(total.var)], vars: pat[4..].iter().map(|p| p.var).collect() });
            b.push(Stm { pat, exp: all.into(), ..stm.clone() });
        }
        groups.extend(inner.hand_out(b, Some(s.width), &mut s.map.ret, &mut stm.pat));
        s.map.body = inner.body;
        if !stm.pat.is_empty() {
            b.push(Stm { exp: s.into(), ..stm });
        }
        Some(())
    }

    fn branches(
        &self,
        b: &mut Builder,
        mut stm: Stm,
        cond: SubExp,
        branches: [Body; 2],
        groups: &mut Vec<Group>,
    ) -> Option<()> {
        let [yes, no] = branches.map(|body| self.inner(b, body, &[]));
        let mut branches = [yes?, no?];
        for k in 0..2 {
            let handed_out = branches[k].hand_out(b, None, &mut Vec::new(), &mut stm.pat);
            let mut other = Builder::new(b.vars, b.prov);
            let none: Vec<Var> = handed_out.iter().flat_map(|group| self.none(&mut other, &group.shape)).collect();
            branches[1 - k].body.stms.extend(other.stms);
            branches[1 - k].body.result.extend(none.into_iter().map(SubExp::Var));
            groups.extend(handed_out);
        }
        if branches.iter().any(|branch| branch.list.is_some()) {
            for branch in &mut branches {
                let (total, list) = branch.list.take().unwrap_or_else(|| {
                    let mut inner = Builder::new(b.vars, b.prov);
                    let none = self.none(&mut inner, &[Dim::Const(0)]);
                    branch.body.stms.extend(inner.stms);
                    (SubExp::i64(0), none)
                });
                branch.body.result.push(total);
                branch.body.result.extend(list.into_iter().map(SubExp::Var));
            }
            groups.push(self.list_of(b, &mut stm.pat));
        }
        let [yes, no] = branches.map(|branch| branch.body);
        b.push(Stm { exp: Exp::If { cond, yes, no }, ..stm });
        Some(())
    }

    /// Adds binders of a list to a pattern.
    fn list_of(&self, b: &mut Builder, pat: &mut Vec<Binder>) -> Group {
        let total = b.vars.fresh("total", Type::I64);
        let list: Vec<Binder> = self.listed(total.var).into_iter().map(|t| b.vars.fresh("updates", t)).collect();
        let group = Group { shape: vec![Dim::Var(total.var)], vars: list.iter().map(|p| p.var).collect() };
        pat.push(total);
        pat.extend(list);
        group
    }

    fn looped(
        &self,
        b: &mut Builder,
        mut stm: Stm,
        (mut params, form, body): (Vec<LoopParam>, LoopForm, Body),
        groups: &mut Vec<Group>,
    ) -> Option<()> {
        params.retain(|p| !self.is(&p.binder.ty));
        let index = if let LoopForm::For { index, bound } = &form { Some((index.clone(), *bound)) } else { None };
        let binders = params.iter().map(|p| &p.binder).chain(index.iter().map(|i| &i.0)).cloned();
        let Inner { mut body, fixed, list } = self.inner(b, body, &binders.collect::<Vec<_>>())?;
        let (rows, mut rest) = if index.is_some() { (fixed, Vec::new()) } else { (Vec::new(), fixed) };
        rest.extend(list.map(|(total, vars)| Group { shape: Dim::from_subexp(total).into_iter().collect(), vars }));
        let mut written = Vec::new();
        let width = match &index {
            Some((_, bound)) if !rows.is_empty() => vec![Dim::from_subexp(seed::trips(b, *bound))?],
            _ => Vec::new(),
        };
        for Group { shape, vars } in rows {
            let mut new = Vec::new();
            for v in vars {
                let ty = b.vars.ty(v).array_of(&width);
                let init = seed::scratch(b, &ty).into();
                let binder = b.vars.fresh("updates", ty.clone());
                written.push((binder.var, v));
                params.push(LoopParam { binder, unique: true, init });
                new.push(b.vars.fresh("updates", ty));
            }
            groups.push(Group { shape: [&width[..], &shape].concat(), vars: new.iter().map(|p| p.var).collect() });
            stm.pat.extend(new);
        }
        let has_list = !rest.is_empty();
        let none = has_list.then(|| self.none(b, &[Dim::Const(0)]));
        let mut inner = Builder::new(b.vars, b.prov);
        inner.stms = body.stms;
        if let (Some((index, _)), false) = (&index, written.is_empty()) {
            let at = seed::converted(&mut inner, index.var.into(), ScalarType::I64);
            for (array, v) in written {
                let update = Exp::Update { array, indices: vec![at], value: v.into() };
                body.result.push(inner.let_one("updates", update).into());
            }
        }
        if let Some(none) = none {
            let mut before = Vec::new();
            let group = self.list_of(&mut inner, &mut before);
            let inits = std::iter::once(SubExp::i64(0)).chain(none.into_iter().map(SubExp::Var));
            params.extend(before.into_iter().zip(inits).map(|(binder, init)| LoopParam {
                binder,
                unique: false,
                init,
            }));
            rest.insert(0, group);
            let (total, list) = self.list(&mut inner, rest);
            body.result.push(total);
            body.result.extend(list.into_iter().map(SubExp::Var));
        }
        let body = Body { stms: inner.stms, result: body.result };
        if has_list {
            groups.push(self.list_of(b, &mut stm.pat));
        }
        b.push(Stm { exp: Exp::Loop { params, form, body }, ..stm });
        Some(())
    }
}

/// The scalar that stands where nothing is contributed.
fn none_of(ty: &Type) -> Scalar {
    match ty.elem() {
        // mutant off by one: no array has an element at a negative index
        Some(ScalarType::I64) => Scalar::I64(-1),
        Some(elem) => elem.zero(),
        None => Scalar::Bool(false),
    }
}

/// Leaves out what is not to be kept.
fn keep<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| kept.next() == Some(&true));
}
