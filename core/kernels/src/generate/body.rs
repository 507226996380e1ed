//! Statements of sequential code: scalars, branches, loops.

use super::array::Array;
use super::check::applied;
use super::emit::{Emitter, Known, Made, Value};
use super::exps::*;
use super::pending::is_resized;
use crate::build::{Body as Stms, Maker};
use crate::ir::{Exp, Local};
use futi_core::ir::{Binder, Body, Dim, Exp as Ir, LoopForm, LoopParam, ScalarType, Stm, SubExp, Type, Var};

/// What a branch comes to.
struct Side {
    stms: Stms,
    values: Vec<Value>,
    known: Vec<Option<Known>>,
    cost: Exp,
}

impl Emitter<'_> {
    /// Makes the statements; the values of the results.
    pub fn body(&mut self, body: &Body) -> Made<Vec<Value>> {
        // What becomes a result without being copied had best be made in the result's place.
        // mutant order: what is made in another place is copied to this one
        for stm in body.stms.iter().rev() {
            let origins: Vec<Option<Var>> = match &stm.exp {
                Ir::SubExp(e) => vec![e.as_var()],
                Ir::Update { array, .. } | Ir::UpdateSlice { array, .. } | Ir::FlatUpdate { array, .. } => {
                    vec![Some(*array)]
                }
                Ir::Scatter(s) => s.dests.iter().map(|dest| Some(dest.array)).collect(),
                Ir::SegOp(seg) => seg.dests().iter().map(|dest| Some(dest.array)).collect(),
                Ir::Loop { params, .. } => params.iter().map(|p| p.init.as_var().filter(|_| p.unique)).collect(),
                _ => continue,
            };
            for (pat, origin) in stm.pat.iter().zip(origins) {
                if let (Some(origin), Some(place)) = (origin, self.places.get(&pat.var).cloned()) {
                    self.places.insert(origin, place);
                }
            }
        }
        body.stms.iter().try_for_each(|stm| self.stm(stm))?;
        body.result.iter().map(|e| self.operand(*e)).collect()
    }

    pub(super) fn stm(&mut self, stm: &Stm) -> Made<()> {
        self.prov = stm.prov;
        match (&stm.exp, &stm.pat[..]) {
            (Ir::SubExp(e) | Ir::Opaque(e), [pat]) => {
                let value = self.operand(*e)?;
                let known = self.known(*e);
                self.learn(pat.var, known);
                self.bind_to(pat, value);
            }
            (Ir::Prim(prim, args), [pat]) => {
                let operands = self.scalars(args)?;
                let known: Option<Vec<Known>> = args.iter().map(|e| self.known(*e)).collect();
                self.learn(pat.var, known.map(|args| Known::Op(*prim, args)));
                let ty = prim.signature().map_or(ScalarType::Bool, |(_, result)| result);
                let value = match applied(*prim, operands) {
                    e @ Exp::Prim(..) => self.declare(ty, pat.name.as_str(), e),
                    constant => constant,
                };
                self.bind(pat.var, Value::Scalar(value));
                self.count(ONE);
            }
            (Ir::Index { array, indices }, [pat]) => {
                let array = self.array(*array)?;
                let indices = self.scalars(indices)?;
                let value = self.index(&array, &indices);
                self.bind_to(pat, value);
                self.count(ONE);
            }
            (Ir::Update { array, indices, value }, [pat]) => {
                let array = self.changeable(*array, pat.var)?;
                let indices = self.scalars(indices)?;
                let value = self.operand(*value)?;
                self.write(&array, &indices, &value)?;
                self.bind_to(pat, Value::Array(array));
                self.count(ONE);
            }
            (Ir::ArrayLit { elems, row }, [pat]) => {
                let Type::Array(elem, shape) = row.array_of(&[Dim::Const(elems.len() as i64)]) else {
                    return Err(self.fault("an array literal without a shape"));
                };
                let array = self.allocate(elem, &shape, Some(pat.var))?;
                for (i, e) in elems.iter().enumerate() {
                    let value = self.operand(*e)?;
                    self.write(&array, &[int(i as i64)], &value)?;
                }
                self.bind_to(pat, Value::Array(array));
            }
            (Ir::Check(check), _) => self.check(check)?,
            (Ir::If { cond, yes, no }, pats) => self.branch(*cond, yes, no, pats)?,
            (Ir::Loop { params, form, body }, pats) => self.iterate(params, form, body, pats)?,
            (Ir::Screma(screma), pats) => {
                let results = self.screma(screma, pats)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Ir::SegOp(seg), pats) => {
                let results = self.nest_as_loops(seg, pats)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Ir::WithAcc(with), pats) => {
                let results = self.with_acc(with)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Ir::UpdAcc { acc, indices, values }, _) => {
                self.update_acc(*acc, indices, values)?;
                self.count(ONE);
            }
            (Ir::Slice { array, slice }, [pat]) => {
                let value = self.slice(*array, slice)?;
                self.bind_to(pat, value);
            }
            (Ir::Scatter(scatter), pats) => {
                let results = self.scatter(scatter, pats)?;
                pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (Ir::Apply { fun, .. }, _) => {
                return Err(self.unsupported(
                    format!("{fun}, which calls itself, at each point of a nest"),
                    "arguments and results of constant sizes, or a loop",
                ));
            }
            (Ir::Jvp(_) | Ir::Vjp(_), _) => {
                return Err(self.fault("a derivative is left"));
            }
            (exp, [pat]) => {
                let value = self.array_exp(exp, &pat.ty, pat.var)?;
                self.bind_to(pat, value);
            }
            _ => return Err(self.fault("a statement of several results")),
        }
        Ok(())
    }

    /// A branch. Its arrays stay where they are, if both sides have theirs in the same memory: what a result is bound to is a place there that each side sets. Else they have memory of their
    /// own, into which each side copies.
    fn branch(&mut self, cond: SubExp, yes: &Body, no: &Body, pats: &[Binder]) -> Made<()> {
        let cond = self.scalar(cond)?;
        // scalars first: sizes of arrays are among them
        let mut results: Vec<Option<Value>> = vec![None; pats.len()];
        for (k, pat) in pats.iter().enumerate() {
            if let Type::Scalar(ty) = pat.ty {
                let local = self.local(pat.name.as_str(), ty);
                self.bind(pat.var, Value::Scalar(Exp::Local(local)));
                results[k] = Some(Value::Scalar(Exp::Local(local)));
            }
        }
        let placed: Vec<Option<Array>> =
            // mutant swap: either side may be asked first
            pats.iter().enumerate().map(|(k, pat)| self.place_of(k, pat, [yes, no])).collect::<Made<_>>()?;
        let mut sides = [self.side(yes)?, self.side(no)?];
        let [a, b] = &sides;
        self.count(greatest(a.cost.clone(), b.cost.clone()));
        for (k, pat) in pats.iter().enumerate() {
            self.learn(pat.var, if a.known[k] == b.known[k] { a.known[k].clone() } else { None });
        }
        for (k, pat) in pats.iter().enumerate() {
            if results[k].is_some() {
                continue;
            }
            results[k] = Some(match (&sides[0].values[k], &sides[1].values[k]) {
                _ if placed[k].is_some() => placed[k].clone().map_or(Value::Unit, Value::Array),
                (Value::Array(a), Value::Array(b)) if a.source == b.source => Value::Array(a.clone()),
                (Value::Array(a), Value::Array(b)) if a.shares_memory(b) => Value::Array(self.pointer(a)),
                (Value::Array(_), Value::Array(_)) => {
                    let elem = pat.ty.elem().unwrap_or(ScalarType::Bool);
                    Value::Array(self.allocate(elem, pat.ty.shape(), Some(pat.var))?)
                }
                _ => Value::Unit,
            });
        }
        let results: Vec<Value> = results.into_iter().flatten().collect();
        for side in &mut sides {
            let (stms, values) = (std::mem::take(&mut side.stms), &side.values);
            let (set, made) = self.aside(|e| {
                e.doing().put(stms);
                // sizes first: copies go by them
                for (result, value) in results.iter().zip(values) {
                    if let (Value::Scalar(Exp::Local(local)), Value::Scalar(value)) = (result, value) {
                        e.set(*local, value.clone());
                    }
                }
                for ((result, value), pat) in results.iter().zip(values).zip(pats) {
                    match (result, value) {
                        (Value::Array(result), Value::Array(array)) if result.source == array.source => {}
                        (Value::Array(result), Value::Array(array)) if result.shares_memory(array) => {
                            e.point_to(result, array);
                        }
                        (Value::Array(result), Value::Array(array)) => {
                            let shape = pat.ty.shape().to_vec();
                            let to = Array { shape: shape.clone(), ..result.clone() };
                            e.copy(&to, &Array { shape, ..array.clone() })?;
                        }
                        _ => {}
                    }
                }
                Ok(())
            });
            made?;
            side.stms = set;
        }
        let [yes, no] = sides;
        self.doing().choose(cond, yes.stms, no.stms);
        pats.iter().zip(results).for_each(|(pat, value)| self.bind_to(pat, value));
        Ok(())
    }

    /// Memory for a result of a branch, before it, where a side makes the array, which then does so there. The sizes of rows would be known too late.
    fn place_of(&mut self, k: usize, pat: &Binder, sides: [&Body; 2]) -> Made<Option<Array>> {
        let Type::Array(elem, shape) = &pat.ty else { return Ok(None) };
        // mutant swap: where one side alone makes it, both may as well copy what they have
        if shape.len() > 1 || !sides.iter().any(|side| makes(side, side.result[k])) {
            return Ok(None);
        }
        let place = self.allocate(*elem, shape, Some(pat.var))?;
        for side in sides {
            // mutant comparison `**e == side.result[k]`: what is made in another place is copied to this one
            let once = side.result.iter().filter(|e| **e == side.result[k]).count() == 1;
            // mutant swap: a view that needs memory may have it here, and the others do not ask for a place
            if let Some(var) = side.result[k].as_var().filter(|_| once && makes(side, side.result[k])) {
                self.places.insert(var, place.clone());
            }
        }
        Ok(Some(place))
    }

    fn side(&mut self, body: &Body) -> Made<Side> {
        // mutant: what a kernel costs is for profiles, and the executor counts by itself
        self.open_cost();
        let (stms, made) = self.aside(|e| {
            let values = e.body(body)?;
            let known: Vec<Option<Known>> = body.result.iter().map(|r| e.known(*r)).collect();
            Ok((values, known))
        });
        let cost = self.take_cost();
        let (values, known) = made?;
        Ok(Side { stms, values, known, cost })
    }

    /// A loop. An array that changes has memory of its own, into which each round's result is copied unless it is there already.
    fn iterate(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder]) -> Made<()> {
        let mut own = Vec::new();
        for (position, (param, pat)) in params.iter().zip(pats).enumerate() {
            let init = self.operand(param.init)?;
            let binder = &param.binder;
            // A size that changes is known to nobody.
            let stays = body.result[position] == SubExp::Var(binder.var);
            let known = if stays { self.known(param.init) } else { None };
            // mutant: the simplifier leaves no parameter that stays the same, and of the others nothing was known
            self.learn(binder.var, known.clone());
            // mutant: likewise
            self.learn(pat.var, known);
            let value = match init {
                Value::Scalar(init) if stays => Value::Scalar(init),
                Value::Scalar(init) => {
                    let ty = binder.ty.elem().unwrap_or(ScalarType::Bool);
                    Value::Scalar(self.declare(ty, binder.name.as_str(), init))
                }
                Value::Array(init) if stays => Value::Array(init),
                Value::Array(init) if param.unique && !init.is_constant() && !is_resized(param, params) => {
                    Value::Array(init)
                }
                Value::Array(init) => {
                    let shape = binder.ty.shape().to_vec();
                    Value::Array(self.materialise(&Array { shape, ..init }, Some(pat.var))?)
                }
                Value::Unit => Value::Unit,
            };
            self.bind_to(binder, value.clone());
            own.push(value);
        }
        match form {
            LoopForm::For { index, bound } => {
                let ty = index.ty.elem().unwrap_or(ScalarType::I64);
                let (below, rounds) = (self.scalar(*bound)?, self.known(*bound));
                let (zero, one) = (Exp::Lit(ty.zero()), Exp::Lit(ty.one()));
                self.looped(ty, index.name.as_str(), [zero, below, one], rounds, |e, i| {
                    e.bind(index.var, Value::Scalar(i));
                    let results = e.body(body)?;
                    e.next_round(params, &own, results)
                })?;
            }
            LoopForm::While(cond) => {
                let cond = self.scalar((*cond).into())?;
                // mutant: what a kernel costs is for profiles, and the executor counts by itself
                self.open_cost();
                self.while_true(cond, |e| {
                    let results = e.body(body)?;
                    e.next_round(params, &own, results)
                })?;
                // mutant: likewise
                self.close_cost(None);
            }
        }
        pats.iter().zip(own).for_each(|(pat, value)| self.bind_to(pat, value));
        Ok(())
    }

    /// Gives loop parameters their next values, all at once.
    fn next_round(&mut self, params: &[LoopParam], own: &[Value], results: Vec<Value>) -> Made<()> {
        let mut scalars: Vec<(Local, Exp, ScalarType)> = Vec::new();
        let mut arrays = Vec::new();
        for ((own, result), param) in own.iter().zip(results).zip(params) {
            match (own, result) {
                (Value::Scalar(Exp::Local(local)), Value::Scalar(value)) if Exp::Local(*local) != value => {
                    scalars.push((*local, value, param.binder.ty.elem().unwrap_or(ScalarType::Bool)));
                }
                (Value::Array(own), Value::Array(result)) if own.source != result.source => {
                    arrays.push((own, result, is_resized(param, params)));
                }
                _ => {}
            }
        }
        // What is another parameter, or may be a view of one, is saved before that one changes.
        let mut next = Vec::new();
        for (local, value, ty) in scalars {
            let is_own = own.contains(&Value::Scalar(value.clone()));
            next.push((local, if is_own { self.declare(ty, "y", value) } else { value }));
        }
        let (mut moved, mut behind) = (Vec::new(), Vec::new());
        for (to, result, resized) in arrays {
            // what has another size than before has it once the sizes have their next values, which no view of something may need
            if resized {
                behind.push((to, self.materialise(&result, None)?));
                continue;
            }
            let result = Array { shape: to.shape.clone(), ..result };
            let touches = own.iter().any(|o| matches!(o, Value::Array(o) if result.may_touch(o)));
            moved.push((to, if touches { self.materialise(&result, None)? } else { result }));
        }
        for (own, result) in moved {
            self.copy(own, &result)?;
        }
        for (local, value) in next {
            self.set(local, value);
        }
        for (own, result) in behind {
            self.copy(own, &Array { shape: own.shape.clone(), ..result })?;
        }
        Ok(())
    }
}

/// Whether a body makes the array that is its result, as no view of another one.
fn makes(body: &Body, result: SubExp) -> bool {
    let bound = body.stms.iter().find_map(|stm| Some((stm, stm.pat.iter().position(|pat| result == pat.var.into())?)));
    match bound.map(|(stm, k)| (&stm.exp, k)) {
        // mutant dropped term -> `makes(yes, yes.result[k])`: what neither side makes in its place is copied
        Some((Ir::If { yes, no, .. }, k)) => makes(yes, yes.result[k]) || makes(no, no.result[k]),
        Some((Ir::Iota { .. } | Ir::Replicate { .. } | Ir::ArrayLit { .. } | Ir::Concat { .. } | Ir::Copy(_), _)) => {
            // mutant negation: what neither side makes in its place is copied
            true
        }
        Some((Ir::Screma(_) | Ir::SegOp(_), _)) => true,
        _ => false,
    }
}
