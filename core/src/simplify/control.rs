//! Branches, loops, accumulators and checks.

use super::*;
use crate::failure::{elements, range_fits, slice_count, slice_fits};

impl Rules {
    /// An `if` whose condition is known is its branch.
    pub(super) fn branch(&mut self, stm: &mut Stm) -> Option<Outcome> {
        let Exp::If { cond, yes, no } = &mut stm.exp else { return None };
        if let Some(c) = cond.as_lit().and_then(Scalar::as_bool) {
            let body = std::mem::take(if c { yes } else { no });
            return Some(Outcome::Code(body.stms, body.result));
        }
        if let Some(Exp::Prim(Prim::Un(UnOp::Not, ScalarType::Bool), args)) = self.def(*cond) {
            let (cond, yes, no) = (args[0], std::mem::take(no), std::mem::take(yes));
            return becomes(Exp::If { cond, yes, no });
        }
        let truth = |b: &Body, x| b.stms.is_empty() && b.result == [SubExp::Lit(Scalar::Bool(x))];
        if truth(yes, true) && truth(no, false) && self.constant(*cond) {
            return result(*cond);
        }
        None
    }

    /// Simplifies the branches, in each of which the condition is known.
    pub(super) fn branches(&mut self, cond: SubExp, yes: &mut Body, no: &mut Body) {
        let known = cond.as_var().filter(|_| self.constant(cond));
        // mutant swap: nothing that is learnt in one branch is used in the other: which is simplified first only numbers the new variables
        for (body, truth) in [(yes, true), (no, false)] {
            self.subst.extend(known.map(|v| (v, Scalar::Bool(truth).into())));
            self.body(body);
            known.map(|v| self.subst.remove(&v));
        }
    }

    /// A `match` of which some is known: cases that cannot be reached go, scrutinees that no case looks at, and what is left of one case is an `if`.
    pub(super) fn select(&mut self, stm: &mut Stm) -> Option<Outcome> {
        let Exp::Match { scrutinees, cases, default } = &mut stm.exp else { return None };
        // mutant swap: equality is the same from both sides
        let equal = |x: Scalar, k: Scalar| Prim::Cmp(CmpOp::Eq, k.scalar_type()).eval(&[x, k]) == Scalar::Bool(true);
        for case in cases.iter_mut() {
            for (e, k) in scrutinees.iter().zip(&mut case.pattern) {
                // a constant that is met need not be looked at
                *k = k.filter(|k| e.as_lit().is_none_or(|x| !equal(x, *k)));
            }
        }
        let known =
            |case: &Case| scrutinees.iter().zip(&case.pattern).any(|(e, k)| e.as_lit().is_some() && k.is_some());
        cases.retain(|case| !known(case));
        if let Some(k) = cases.iter().position(|case| case.pattern.iter().all(Option::is_none)) {
            *default = cases.swap_remove(k).body;
            cases.truncate(k);
        }
        if cases.is_empty() {
            let body = std::mem::take(default);
            return Some(Outcome::Code(body.stms, body.result));
        }
        for k in (0..scrutinees.len()).rev() {
            if cases.iter().all(|case| case.pattern[k].is_none()) {
                scrutinees.remove(k);
                for case in cases.iter_mut() {
                    case.pattern.remove(k);
                }
            }
        }
        let [Case { pattern, body }] = &mut cases[..] else { return None };
        let (yes, no) = (std::mem::take(body), std::mem::take(default));
        let tests: Vec<(SubExp, Scalar)> =
            scrutinees.iter().zip(pattern.iter()).filter_map(|(e, k)| Some((*e, (*k)?))).collect();
        match tests[..] {
            [(cond, Scalar::Bool(true))] => return becomes(Exp::If { cond, yes, no }),
            [(cond, Scalar::Bool(false))] => return becomes(Exp::If { cond, yes: no, no: yes }),
            _ => {}
        }
        let mut stms = Vec::new();
        let mut bind = |vars: &mut Vars, exp| {
            let b = vars.fresh("is", Type::BOOL);
            let cond = SubExp::Var(b.var);
            stms.push(Stm { pat: vec![b], exp, certs: Vec::new(), attrs: Vec::new(), prov: stm.prov });
            cond
        };
        let mut cond: Option<SubExp> = None;
        for (e, k) in tests {
            let test = bind(&mut self.vars, Exp::Prim(Prim::Cmp(CmpOp::Eq, k.scalar_type()), vec![e, k.into()]));
            let both = |c| Exp::Prim(Prim::Bin(BinOp::And, ScalarType::Bool), vec![c, test]);
            cond = Some(cond.map_or(test, |c| bind(&mut self.vars, both(c))));
        }
        let exp = Exp::If { cond: cond?, yes, no };
        let es = stm.pat.iter().map(|b| b.var.into()).collect();
        stms.push(Stm { pat: stm.pat.clone(), exp, certs: Vec::new(), attrs: stm.attrs.clone(), prov: stm.prov });
        Some(Outcome::Code(stms, es))
    }

    /// Simplifies the cases, in each of which its constants are known: but of floats not all bits are, and an `i64` may be the name of a size.
    pub(super) fn cases(&mut self, scrutinees: &[SubExp], cases: &mut [Case], default: &mut Body) {
        for Case { pattern, body } in cases {
            let known = scrutinees.iter().zip(pattern.iter()).filter_map(|(e, k)| Some((e.as_var()?, (*k)?)));
            let known: Vec<(Var, Scalar)> = known
                .filter(|(v, k)| !k.scalar_type().is_float() && k.as_i64().is_none() && self.constant((*v).into()))
                .collect();
            for (v, k) in &known {
                self.subst.insert(*v, (*k).into());
            }
            self.body(body);
            for (v, _) in &known {
                self.subst.remove(v);
            }
        }
        self.body(default);
    }

    /// A loop without trips, or with one.
    pub(super) fn loop_(&mut self, stm: &mut Stm) -> Option<Outcome> {
        let Exp::Loop { params, form, body } = &mut stm.exp else { return None };
        if let LoopForm::For { index, bound } = form
            && let Some(n) = bound.as_lit()
        {
            let trips = n.to_f64();
            if trips <= 0.0 {
                return Some(Outcome::Results(params.iter().map(|p| p.init).collect()));
            }
            if trips == 1.0 {
                let mut subst: HashMap<Var, SubExp> = params.iter().map(|p| (p.binder.var, p.init)).collect();
                subst.insert(index.var, Scalar::from_i64(n.scalar_type(), 0).into());
                let mut body = std::mem::take(body);
                substitute(&mut body, &subst);
                return Some(Outcome::Code(body.stms, body.result));
            }
        }
        self.invariants(stm);
        None
    }

    /// Parameters of a loop that never change.
    pub(super) fn invariants(&mut self, stm: &mut Stm) {
        let Exp::Loop { params, form, body } = &mut stm.exp else { return };
        if !stm.certs.is_empty() {
            return;
        }
        let mut changed = false;
        while let Some(k) = invariant(params, form, body) {
            changed = true;
            let param = params.remove(k);
            body.result.remove(k);
            let out = stm.pat.remove(k);
            self.subst.insert(param.binder.var, param.init);
            self.subst.insert(out.var, param.init);
            // another parameter may be the same in all trips if this one is; the statements follow once
            // mutant: what is not substituted here the next turn finds
            params.iter_mut().for_each(|p| substitute(&mut p.init, &self.subst));
            // mutant: what is not substituted here the next turn finds
            body.result.iter_mut().for_each(|e| substitute(e, &self.subst));
        }
        if changed {
            substitute(stm, &self.subst);
        }
    }

    /// Results that are known one by one: of an `if` or `match`, the same in all branches; of a SOAC, the rows of an array mapped over, or one result twice.
    pub(super) fn single_results(&mut self, stm: &mut Stm) -> Option<(Vec<Binder>, Vec<SubExp>)> {
        let mut known = Vec::new();
        match &stm.exp {
            _ if !stm.certs.is_empty() => {}
            Exp::If { yes, no, .. } => {
                let results = yes.result.iter().zip(&no.result).enumerate();
                known.extend(results.filter(|(_, (y, n))| y == n).map(|(k, (y, _))| (k, *y)));
            }
            Exp::Match { cases, default, .. } => {
                let same = |k: usize, e: SubExp| cases.iter().all(|case| case.body.result[k] == e);
                known.extend(default.result.iter().copied().enumerate().filter(|(k, e)| same(*k, *e)));
            }
            Exp::Screma(s) if s.post.is_none() => {
                let (scans, reduces) = s.operand_counts();
                for (k, e) in s.map.body.result.iter().enumerate().skip(scans + reduces) {
                    let param = s.map.params.iter().position(|p| SubExp::Var(p.var) == *e);
                    let twin = s.map.body.result[scans + reduces..k].iter().position(|f| f == e);
                    let of = match (param, twin) {
                        (Some(i), _) => s.arrays[i],
                        (_, Some(j)) => stm.pat[scans + reduces + j].var,
                        _ => continue,
                    };
                    if matches!(stm.pat[k].ty, Type::Acc(_)) || !self.shared(&stm.pat[k], of) {
                        known.push((k, of.into()));
                    }
                }
            }
            _ => {}
        }
        if known.is_empty() {
            return None;
        }
        let mut pat = Vec::new();
        let mut es = Vec::new();
        for (k, e) in known.into_iter().rev() {
            pat.push(stm.pat.remove(k));
            es.push(e);
            match &mut stm.exp {
                Exp::If { yes, no, .. } => {
                    yes.result.remove(k);
                    no.result.remove(k);
                }
                Exp::Match { cases, default, .. } => {
                    for case in cases {
                        case.body.result.remove(k);
                    }
                    default.result.remove(k);
                }
                Exp::Screma(s) => {
                    s.map.body.result.remove(k);
                    s.map.ret.remove(k);
                }
                _ => {}
            }
        }
        Some((pat, es))
    }

    /// Accumulators that are not updated are the arrays as they were; without accumulators λ is just code.
    pub(super) fn withacc(&mut self, stm: &mut Stm) -> Option<Outcome> {
        let Exp::WithAcc(w) = &mut stm.exp else { return None };
        if !stm.certs.is_empty() {
            return None;
        }
        let n = w.inputs.len();
        let untouched = (0..n).find(|k| w.lambda.body.result[*k] == SubExp::Var(w.lambda.params[n + k].var));
        if let Some(k) = untouched {
            let first = w.inputs[..k].iter().map(|i| i.arrays.len()).sum();
            let input = w.inputs.remove(k);
            w.lambda.params.remove(n + k);
            w.lambda.params.remove(k);
            w.lambda.body.result.remove(k);
            w.lambda.ret.remove(k);
            for array in input.arrays {
                let out = stm.pat.remove(first);
                self.subst.insert(out.var, array.into());
            }
            return self.withacc(stm);
        }
        if n > 0 {
            return None;
        }
        let body = std::mem::take(&mut w.lambda.body);
        Some(Outcome::Code(body.stms, body.result))
    }

    /// Whether two sizes are the same where both are there.
    fn same_value(&self, a: SubExp, b: SubExp) -> bool {
        let source = |mut e: SubExp| {
            while let Some((Exp::SubExp(of), _)) = e.as_var().and_then(|v| self.defs.get(&v)) {
                e = *of;
            }
            e
        };
        a == b || source(a) == source(b)
    }

    /// Whether there are arrays of these sizes: none is negative, and their product is no more than one of them.
    fn countable(&self, sizes: &[Dim]) -> bool {
        let (known, others): (Vec<Dim>, Vec<Dim>) = sizes.iter().partition(|d| matches!(d, Dim::Const(_)));
        let known: Vec<i64> =
            known.iter().filter_map(|d| if let Dim::Const(n) = d { Some(*n) } else { None }).collect();
        let few = match elements(&known) {
            Some(0) => true,
            Some(1) => others.len() <= 1,
            product => product.is_some() && others.is_empty(),
        };
        few && sizes.iter().all(|d| self.non_negative((*d).into()))
    }

    /// Whether the check holds whatever the program does.
    pub(super) fn holds(&self, check: &Check) -> bool {
        let literal = |e: SubExp| e.as_lit().filter(|x| x.scalar_type().is_int()).and_then(Scalar::to_int);
        let int = |e: SubExp| literal(e).and_then(|x| i64::try_from(x).ok());
        match check {
            Check::Assert(e, _) => *e == SubExp::Lit(Scalar::Bool(true)),
            Check::Bounds { indices, sizes } => indices.iter().zip(sizes).all(|(i, n)| match (int(*i), n) {
                (Some(i), Dim::Const(n)) => (0..*n).contains(&i),
                (None, n) => self.bound(*i) == Some((*n).into()),
                _ => false,
            }),
            Check::Slice { start, end, stride, size } => {
                let n = SubExp::from(*size);
                match (int(*start), int(*end), int(*stride), int(n)) {
                    (Some(start), Some(end), Some(stride), Some(n)) => {
                        slice_count(start, end, stride).is_some_and(|count| slice_fits(start, count, stride, n))
                    }
                    // 0:n, 0:i and i:n where 0 ≤ i < n
                    (start_at, _, Some(1), _) => {
                        let (from, to) = (self.bound(*start), self.bound(*end));
                        (start_at == Some(0) && (*end == n || to == Some(n))) || (from == Some(n) && *end == n)
                    }
                    _ => false,
                }
            }
            Check::SizeEq { actual, expected } => {
                actual.iter().zip(expected).all(|(a, b)| self.same_value((*a).into(), (*b).into()))
            }
            Check::Shape(dims) => self.countable(dims),
            Check::Made(array) => self.made.relies(*array).is_some_and(|certs| certs.is_empty()),
            Check::NonZero(e) => int(*e).is_some_and(|x| x != 0),
            Check::NonNegativeExponent(e) => int(*e).is_some_and(|x| x >= 0) || self.non_negative(*e),
            Check::NonNegativeSize(e) => self.non_negative(*e),
            Check::Range { start, second, end, kind } => {
                let b = second.map(literal);
                match (literal(*start), literal(*end)) {
                    (Some(a), Some(c)) if b != Some(None) => range_fits(*kind, a, b.flatten(), c),
                    (Some(0), None) => {
                        *kind == RangeKind::UpTo
                            && b.is_none_or(|b| b.is_some_and(|b| b > 0))
                            && self.non_negative(*end)
                    }
                    _ => false,
                }
            }
        }
    }
}

/// A parameter of a loop that never changes.
fn invariant(params: &[LoopParam], form: &LoopForm, body: &Body) -> Option<usize> {
    params.iter().zip(&body.result).position(|(p, next)| {
        let cond = matches!(form, LoopForm::While(c) if *c == p.binder.var);
        !cond && (*next == SubExp::Var(p.binder.var) || *next == p.init && !p.unique)
    })
}
