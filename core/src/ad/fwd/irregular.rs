//! Forward mode of what writes to computed positions, of `flatmap`, and of functions with a rule of their own (digest 002 §1A.4: the tangents go where the values go).

use super::*;
use crate::ad::bins;
use crate::ad::custom::{closed_over, inlined};

/// `min` or `max` of values with their tangents and then their positions: of equal values the first one's tangent, so that it does not matter in which order they come.
fn extremum(b: &mut Builder, prim: Prim, pairs: &Operator) -> Operator {
    let types = [&pairs.lambda.ret[..], &[Type::I64]].concat();
    let elem = types[0].elem().unwrap_or(ScalarType::F64);
    let params: Vec<(&str, Type)> = types.iter().chain(&types).map(|ty| ("x", ty.clone())).collect();
    let lambda = b.lambda(&params, |b, p| {
        let (x, y) = p.split_at(types.len());
        let last = types.len() - 1;
        let bool = |op| Prim::Bin(op, ScalarType::Bool);
        let (smaller, larger) = if matches!(prim, Prim::Bin(BinOp::Max, _)) { (y, x) } else { (x, y) };
        let [no_x, no_y] = [x, y].map(|v| b.prim_op(Prim::Un(UnOp::IsNan, elem), &[v[0].into()]));
        let better = b.prim_op(Prim::Cmp(CmpOp::Lt, elem), &[smaller[0].into(), larger[0].into()]);
        let alone = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::Bool), &[no_x, no_y]);
        let better = b.prim_op(bool(BinOp::Or), &[better, alone]);
        let equal = b.prim_op(Prim::Cmp(CmpOp::Eq, elem), &[x[0].into(), y[0].into()]);
        let none = b.prim_op(bool(BinOp::And), &[no_x, no_y]);
        let equal = b.prim_op(bool(BinOp::Or), &[equal, none]);
        let before = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[x[last].into(), y[last].into()]);
        let first = b.prim_op(bool(BinOp::And), &[equal, before]);
        let cond = b.prim_op(bool(BinOp::Or), &[better, first]);
        let best = b.prim_op(prim, &[x[0].into(), y[0].into()]);
        let [yes, no] =
            [x, y].map(|side| Body { stms: Vec::new(), result: side[1..].iter().map(|v| (*v).into()).collect() });
        let chosen = b.let_many("best", Exp::If { cond, yes, no });
        std::iter::once(best).chain(chosen.into_iter().map(SubExp::from)).collect()
    });
    // behind all that there are
    let neutral = pairs.neutral.iter().copied().chain([SubExp::i64(i64::MAX)]).collect();
    Operator { lambda, neutral, commutative: true }
}

impl Fwd<'_, '_> {
    /// A second scatter, of the tangents. The λ is the identity: [`plain`](super::super::plain) has seen to it.
    pub(super) fn scatter(&mut self, b: &mut Builder, stm: &Stm, s: &Scatter) -> Res<()> {
        b.push(stm.clone());
        b.prov = self.shared.prov.role(Role::Tangent, stm.prov);
        b.certs = stm.certs.clone();
        let ranks: usize = s.dests.iter().map(|d| d.shape.len()).sum();
        let mut first = 0;
        for (k, dest) in s.dests.iter().enumerate() {
            let indices = &s.arrays[first..first + dest.shape.len()];
            first += dest.shape.len();
            if !self.active.contains(&stm.pat[k].var) {
                continue;
            }
            let both = [s.arrays[ranks + k], dest.array].map(|v| self.tangent_or_zero(b, v.into()));
            let [SubExp::Var(values), SubExp::Var(array)] = both else { continue };
            let tangent = seed::scatter(b, self.seed.len(), s.width, indices, values, &dest.shape, array);
            self.tangents.insert(stm.pat[k].var, tangent.into());
        }
        b.certs.clear();
        Ok(())
    }

    /// A histogram of sums is one of the tangents, too; any other operator becomes one on pairs.
    pub(super) fn histogram(&mut self, b: &mut Builder, stm: &Stm, h: &Hist) -> Res<()> {
        let (depth, op) = (self.seed.len(), &h.ops[0]);
        let (k, m) = (op.shape.len(), op.dests.len());
        let tangent_prov = self.shared.prov.role(Role::Tangent, stm.prov);
        b.prov = tangent_prov;
        // the seed comes after the dimensions that an index has
        let mut arrays = h.arrays.clone();
        let mut dests = op.dests.clone();
        let wanted: Vec<bool> = stm.pat.iter().map(|p| self.active.contains(&p.var)).collect();
        for (i, _) in wanted.iter().enumerate().filter(|(_, w)| **w) {
            let both = [h.arrays[k + i], op.dests[i]].map(|v| self.tangent_or_zero(b, v.into()));
            let [SubExp::Var(values), SubExp::Var(dest)] = both else { continue };
            arrays.push(seed::outermost(b, values, depth));
            dests.push(seed::inwards(b, dest, depth, k));
        }
        let mut ops = self.operator(b, &op.op, &wanted)?;
        let by_order = !ops[0].commutative && op.op.commutative;
        if let (true, Some(prim)) = (by_order, op.op.lambda.as_prim()) {
            // the first of those that are the result
            let [at, none] = [
                b.iota(h.width),
                b.let_one("none", Exp::Replicate { shape: op.shape.clone(), value: SubExp::i64(-1) }),
            ];
            arrays.push(at);
            dests.push(none);
            ops = vec![extremum(b, prim, &ops[0])];
        }
        b.prov = stm.prov;
        b.certs = stm.certs.clone();
        b.attrs = stm.attrs.clone();
        let result: Vec<Type> = dests.iter().map(|d| b.vars.ty(*d).clone()).collect();
        let mut pat = stm.pat.clone();
        pat.extend(result[m..].iter().map(|t| b.vars.fresh("hist_tan", t.clone())));
        let shape = op.shape.clone();
        if let [primal, sum] = &ops[..] {
            // of a sum in one direction, two
            for (j, op) in [primal, sum].into_iter().enumerate() {
                let arrays = [&arrays[..k], &[arrays[k + j]]].concat();
                let map = seed::rows(b, &arrays);
                let ops = vec![HistOp { shape: shape.clone(), dests: vec![dests[j]], op: op.clone() }];
                b.bind(vec![pat[j].clone()], Exp::from(Hist { width: h.width, arrays, map, ops }));
            }
        } else {
            let map = seed::rows(b, &arrays);
            let in_order = !ops[0].commutative;
            let ops = ops.into_iter().map(|op| HistOp { shape: shape.clone(), dests: dests.clone(), op }).collect();
            let hist = Hist { width: h.width, arrays, map, ops };
            if in_order {
                let made = bins::folded(b, &hist);
                pat.iter().zip(made).for_each(|(p, made)| b.bind(vec![p.clone()], Exp::SubExp(made.into())));
            } else {
                b.bind(pat.clone(), hist.into());
            }
        }
        b.certs.clear();
        b.attrs.clear();
        b.prov = tangent_prov;
        let of = stm.pat.iter().zip(&wanted).filter(|(_, w)| **w);
        for ((p, _), tangent) in of.zip(&pat[m..]) {
            let tangent = seed::outwards(b, tangent.var, depth, k);
            self.tangents.insert(p.var, tangent.into());
        }
        Ok(())
    }

    /// λ gives the tangents of its rows beside them.
    pub(super) fn flatmap(&mut self, b: &mut Builder, stm: &Stm, f: &FlatMap) -> Res<()> {
        let depth = self.seed.len();
        let tangent_prov = self.shared.prov.role(Role::Tangent, stm.prov);
        let mut arrays = f.arrays.clone();
        let mut params = f.lambda.params.clone();
        for (p, a) in f.lambda.params.iter().zip(&f.arrays) {
            let Some(SubExp::Var(t)) = self.tangent((*a).into()) else { continue };
            b.prov = tangent_prov;
            arrays.push(seed::outermost(b, t, depth));
            self.with_tangents(b, &mut params, std::slice::from_ref(p), &[true]);
        }
        let mut inner = Builder::new(b.vars, stm.prov);
        self.stms(&mut inner, &f.lambda.body.stms)?;
        // results: the size; arrays, their tangents; others, their tangents
        let (mut result, mut ret, mut pat) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = Vec::new();
        let ends = [1, 1 + f.irregular, f.lambda.ret.len()];
        let mut irregular = 0;
        for (part, range) in [0..1, ends[0]..ends[1], ends[1]..ends[2]].into_iter().enumerate() {
            for k in range.clone() {
                result.push(f.lambda.body.result[k]);
                ret.push(f.lambda.ret[k].clone());
            }
            // the pattern has four results of the size
            let own = if part == 0 { 0..4 } else { range.start + 3..range.end + 3 };
            pat.extend_from_slice(&stm.pat[own.clone()]);
            irregular += if part == 1 { range.len() } else { 0 };
            if part == 0 {
                continue;
            }
            for (k, p) in range.zip(&stm.pat[own]) {
                if !self.active.contains(&p.var) {
                    continue;
                }
                let t = self.tangent_or_zero(&mut inner, f.lambda.body.result[k]);
                let ty = self.tangent_type(&f.lambda.ret[k]);
                let (t, ty, row) = match (part, t) {
                    // the irregular dimension stays the outermost
                    (1, SubExp::Var(t)) => {
                        let row = self.tangent_type(&f.lambda.ret[k].row());
                        let size = [f.lambda.ret[k].shape()[0]];
                        (seed::outermost(&mut inner, t, depth).into(), row.array_of(&size), row)
                    }
                    (_, t) => (t, ty.clone(), ty),
                };
                let outer = p.ty.shape()[0];
                let binder = inner.vars.fresh(format!("{}_tan", p.name).as_str(), row.array_of(&[outer]));
                irregular += if part == 1 { 1 } else { 0 };
                after.push((p.var, binder.var));
                result.push(t);
                ret.push(ty);
                pat.push(binder);
            }
        }
        let lambda = Lambda { params, ret, body: Body { stms: inner.stms, result } };
        let exp = Exp::from(FlatMap { width: f.width, arrays, size: f.size.clone(), irregular, lambda });
        b.push(Stm { pat, exp, ..stm.clone() });
        // mutant removal: of statements that cannot fail, the place is for people
        b.prov = tangent_prov;
        for (primal, tangent) in after {
            let t = seed::innermost(b, tangent, depth);
            self.tangents.insert(primal, t.into());
        }
        Ok(())
    }

    /// The tangents are what the function's forward rule says; without one it is its λ.
    pub(super) fn custom(&mut self, b: &mut Builder, stm: &Stm, c: &Custom) -> Res<()> {
        let Some(rule) = &c.jvp else {
            let mut inner = Builder::new(b.vars, stm.prov);
            inlined(&mut inner, c.clone(), stm.certs.clone(), stm.pat.clone());
            let body = Body { stms: inner.stms, result: Vec::new() };
            activity::extend(&mut self.active, &body);
            return self.stms(b, &body.stms);
        };
        b.push(stm.clone());
        closed_over(b, c, |v| self.tangents.contains_key(&v), stm.prov)?;
        b.prov = self.shared.prov.role(Role::Tangent, stm.prov);
        b.certs = stm.certs.clone();
        let seeds: Vec<SubExp> = c.args.iter().map(|e| self.tangent_or_zero(b, *e)).collect();
        let types: Vec<Type> = stm.pat.iter().map(|p| p.ty.clone()).collect();
        let tangents = seed::over(b, &self.seed, &seeds, &mut |b, t| {
            let args: Vec<SubExp> = c.args.iter().chain(t).copied().collect();
            let results = called(b, rule, &args);
            results.into_iter().zip(&types).map(|(e, ty)| in_type(b, e, ty)).collect()
        });
        b.certs.clear();
        for (p, t) in stm.pat.iter().zip(tangents) {
            self.tangents.insert(p.var, t);
        }
        Ok(())
    }
}
