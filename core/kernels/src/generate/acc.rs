//! Updates of accumulators: atomic where the accumulator is shared by all invocations, under locks where no atomic operation can do it, plain where it is this invocation's own.

use super::array::Array;
use super::check::applied;
use super::deferred::Origin;
use super::emit::{Emitter, Made, Value};
use super::exps::*;
use super::host::{Lowering, SharedAcc, Val};
use crate::build::Maker;
use crate::ir::{self, AtomicOp, Exp, Order, Scope};
use futi_core::ir::build::Builder;
use futi_core::ir::{
    AccInput, BinOp, Binder, Dim, Exp as Ir, Lambda, Level, Prim, Scalar, ScalarType, SegOp, SubExp, Type, UnOp, Var,
    WithAcc,
};
use std::rc::Rc;

/// The scalar operators of a lambda that combines the components of its operands one by one, a scalar operator each, whatever their rank:
/// `\x1 x2 y1 y2 -> (x1 ⊕ y1, map2 (⊗) x2 y2)`.
pub(super) fn scalar_operator(lambda: &Lambda) -> Option<Vec<Prim>> {
    let n = lambda.ret.len();
    let component = |k: usize| {
        let (x, y) = (lambda.params[k].var, lambda.params[n + k].var);
        let result = lambda.body.result[k].as_var()?;
        let stm = lambda.body.stms.iter().find(|stm| matches!(&stm.pat[..], [p] if p.var == result))?;
        let operands = |a: SubExp, b: SubExp| (a, b) == (x.into(), y.into());
        match &stm.exp {
            Ir::Prim(prim, args) => {
                let [a, b] = args[..] else { return None };
                (operands(a, b) || prim.is_commutative() && operands(b, a)).then_some(*prim)
            }
            Ir::Screma(s) if s.scans.is_empty() && s.reduces.is_empty() && s.arrays.len() == 2 => {
                let [prim] = scalar_operator(&s.map)?[..] else { return None };
                let (a, b) = (s.arrays[0].into(), s.arrays[1].into());
                (operands(a, b) || prim.is_commutative() && operands(b, a)).then_some(prim)
            }
            _ => None,
        }
    };
    // Any other statement, a check say, would be lost.
    if lambda.params.len() == 2 * n && lambda.body.stms.len() == n { (0..n).map(component).collect() } else { None }
}

// Note [Who holds a lock]
// ~~~~~~~~~~~~~~~~~~~~~~~
// An operator of several values, or of rows, reads them all and then writes them all. A place of such an accumulator has a lock: a word that is 0 while nobody is at it. Whoever exchanges the 0 for
// a 1 has it, and what the holder before did is seen behind that (acquire, release). It is given back in the round of the loop in which it was taken: where a subgroup runs in step, those that wait go
// through the same rounds, so that nobody waits behind the loop for who waits in it.
//
// An operator may fail, by an index out of bounds say. Who fails ends there, and gives the lock back before: nobody would else. What others make of half an update is not seen, as the call fails.
//
// Between kernels no lock is held. The locks are an array of zeros that the host fills when a kernel is the first to need it; where all places turn out to be unshared, none does.

/// The type of a lock, and its values.
const LOCK: ScalarType = ScalarType::I32;
const FREE: Scalar = Scalar::I32(0);
const TAKEN: Scalar = Scalar::I32(1);

/// Whether the places of an accumulator need locks where points may share them: its operator is neither one of single scalars nor one that combines scalars one by one.
fn needs_locks(input: &AccInput) -> bool {
    // mutant dropped term -> `scalar_operator(&input.op.lambda).is_none()`: a lock that is not needed takes time, and no more
    !matches!(input.op.lambda.ret[..], [Type::Scalar(_)]) && scalar_operator(&input.op.lambda).is_none()
}

impl Emitter<'_> {
    /// Combines the elements of an accumulator at an index, if it is in range, with values.
    pub fn update_acc(&mut self, acc: Var, indices: &[SubExp], values: &[SubExp]) -> Made<()> {
        let Type::Acc(acc) = self.ty(acc) else {
            return Err(self.fault("an update of no accumulator"));
        };
        // where there is no element, no index is in range
        // mutant swap: no index is found in range, either
        if acc.shape.iter().any(|dim| matches!(dim, Dim::Const(n) if *n <= 0)) {
            return Ok(());
        }
        let indices = self.scalars(indices)?;
        let values: Vec<Value> = values.iter().map(|v| self.operand(*v)).collect::<Made<_>>()?;
        let fine = self.in_range(&indices, &acc.shape)?;
        if let Some(own) = self.own_accs.get(&acc.id).cloned() {
            return self.when(fine, |e| e.combine_at(&own.input.op, &own.arrays, &indices, &values));
        }
        let Some(SharedAcc { input, lock }) = self.context.accs.get(&acc.id) else {
            return Err(self.fault("an accumulator from outside of the program's text"));
        };
        let mut arrays = Vec::new();
        for var in &input.arrays {
            arrays.push(self.array(*var)?);
        }
        let prims = scalar_operator(&input.op.lambda);
        let unshared = self.unshared.contains(&acc.id);
        // whose elements are stored as they are
        // mutant comparison: to exchange atomically takes time, and no more
        // mutant off by one: likewise
        // mutant swap: without locks there is one array
        let words = arrays.iter().all(|array| array.elem.bytes() >= 4);
        // mutant swap: to exchange atomically, or under a lock, takes time, and no more
        let plain = lock.is_some() || words;
        self.when(fine, |e| match (prims, *lock) {
            (None, _) if unshared && plain => e.combine_at(&input.op, &arrays, &indices, &values),
            (None, Some(lock)) => e.locked(lock, &indices, |e| e.combine_at(&input.op, &arrays, &indices, &values)),
            (Some(prims), _) => {
                for ((array, value), prim) in arrays.iter().zip(&values).zip(prims) {
                    let row = e.row(array, &indices);
                    e.update_elements(&row, value, (prim, unshared), &mut Vec::new())?;
                }
                Ok(())
            }
            (None, None) => match (&arrays[..], &values[..]) {
                ([array], [Value::Scalar(value)]) => {
                    let place = e.place(array, &indices)?;
                    e.swap(array.elem, place, |e, old| {
                        let args = [Value::Scalar(old), Value::Scalar(value.clone())];
                        match e.apply(&input.op.lambda, &args)?.pop() {
                            Some(Value::Scalar(new)) => Ok(new),
                            _ => Err(e.unsupported("an accumulator's operator", "a scalar result")),
                        }
                    })
                }
                _ => Err(e.unsupported("an accumulator's operator", "a scalar operand")),
            },
        })
    }

    /// What is done by one invocation at a time at each place of an array of locks: Note [Who holds a lock].
    fn locked(&mut self, locks: Var, indices: &[Exp], inside: impl FnOnce(&mut Self) -> Made<()>) -> Made<()> {
        let locks = self.array(locks)?;
        let (array, index) = self.place(&locks, indices)?;
        let index = self.named("o", index);
        let waits = self.local("waits", ScalarType::Bool);
        self.set(waits, TRUE);
        self.while_true(Exp::Local(waits), |e| {
            let operands = vec![Exp::Lit(FREE), Exp::Lit(TAKEN)];
            let took = AtomicOp::CompareExchange;
            let was = e.doing().atomic(took, array, index.clone(), operands, Order::Acquire, Scope::Device);
            let free = same(LOCK, was.unwrap_or(Exp::Lit(TAKEN)), Exp::Lit(FREE));
            e.when(free, |e| {
                let outer = e.held.replace((array, index.clone()));
                let made = inside(e);
                e.set(waits, not(TRUE));
                e.release();
                e.held = outer;
                made
            })
        })
    }

    /// Gives back the lock that this invocation holds, if it does.
    pub fn release(&mut self) {
        if let Some((array, index)) = self.held.clone() {
            let operands = vec![Exp::Lit(FREE)];
            self.doing().update(AtomicOp::Store, array, index, operands, Order::Release, Scope::Device);
        }
    }

    /// Updates every element of a row, by an operator of which it is known whether nobody else updates the row.
    fn update_elements(&mut self, row: &Array, value: &Value, op: (Prim, bool), indices: &mut Vec<Exp>) -> Made<()> {
        let (prim, unshared) = op;
        if let Some(dim) = row.shape.get(indices.len()) {
            let size = self.dim(*dim)?;
            let known = self.known((*dim).into());
            return self.repeat(size, known, |e, i| {
                indices.push(i);
                e.update_elements(row, value, op, indices)
            });
        }
        let place = self.place(row, indices)?;
        let value = match value {
            Value::Scalar(x) => x.clone(),
            Value::Array(array) => self.element(array, indices),
            Value::Unit => return Ok(()),
        };
        if unshared {
            let (array, index) = place;
            let index = self.named("o", index);
            let before = narrowed(row.elem, self.doing().load("x", array, index.clone()));
            self.doing().store(array, index, widened(row.elem, applied(prim, vec![before, value])));
            return Ok(());
        }
        let Prim::Bin(op, ty) = prim else {
            return Err(self.fault("an accumulator's operator that has not two operands"));
        };
        let native = match op {
            BinOp::Add => Some(AtomicOp::Add),
            BinOp::Min => Some(AtomicOp::Min),
            BinOp::Max => Some(AtomicOp::Max),
            BinOp::And => Some(AtomicOp::And),
            BinOp::Or => Some(AtomicOp::Or),
            BinOp::Xor => Some(AtomicOp::Xor),
            _ => None,
        };
        match native.filter(|op| op.exists(ty)) {
            Some(op) => {
                let (array, index) = place;
                self.doing().update(op, array, index, vec![value], Order::Relaxed, Scope::Device);
                Ok(())
            }
            None => self.swap(ty, place, |_, old| Ok(applied(prim, vec![old, value]))),
        }
    }

    /// Replaces an element by `new` of it, by compare-and-swap.
    fn swap(
        &mut self,
        ty: ScalarType,
        (array, index): (ir::Array, Exp),
        new: impl FnOnce(&mut Self, Exp) -> Made<Exp>,
    ) -> Made<()> {
        let index = self.named("o", index);
        let (order, scope) = (Order::Relaxed, Scope::Device);
        let first = self.doing().atomic(AtomicOp::Load, array, index.clone(), vec![], order, scope);
        let stored = word_of(ty);
        // mutant neutral element: a load gives something
        let first = first.unwrap_or(Exp::Lit(stored.zero()));
        let seen = self.local("seen", stored);
        self.set(seen, first);
        let again = self.local("again", ScalarType::Bool);
        self.set(again, TRUE);
        self.while_true(Exp::Local(again), |e| {
            let old = e.declare(stored, "old", Exp::Local(seen));
            let element = e.declare(ty, "element", narrowed(ty, old.clone()));
            let value = new(e, element)?;
            let operands = vec![old.clone(), widened(ty, value)];
            let found = e.doing().atomic(AtomicOp::CompareExchange, array, index, operands, order, scope);
            // mutant neutral element: so does an exchange
            let found = found.unwrap_or(Exp::Lit(stored.zero()));
            e.set(seen, found.clone());
            e.set(again, not(same_bits(stored, found, old)));
            Ok(())
        })
    }
}

/// What the elements of an accumulator are stored as: no word is shared, as atomic operations are on words.
pub(super) fn word_of(ty: ScalarType) -> ScalarType {
    if ty.bytes() < 4 { ScalarType::I32 } else { ty }
}

/// An element as it is stored.
fn widened(ty: ScalarType, e: Exp) -> Exp {
    match (ty.bytes() < 4, ty.bits_type()) {
        (false, _) => e,
        (true, None) => convert(ty, ScalarType::I32, e),
        (true, Some(bits)) => convert(bits, ScalarType::I32, Exp::Prim(Prim::Un(UnOp::ToBits, ty), vec![e])),
    }
}

/// An element of what is stored.
fn narrowed(ty: ScalarType, e: Exp) -> Exp {
    match (ty.bytes() < 4, ty.bits_type()) {
        (false, _) => e,
        (true, None) => convert(ScalarType::I32, ty, e),
        (true, Some(bits)) => Exp::Prim(Prim::Un(UnOp::FromBits, ty), vec![convert(ScalarType::I32, bits, e)]),
    }
}

impl Lowering {
    /// Accumulators of the host. Updates of their arrays are atomic operations on words, but for those under locks.
    pub(super) fn with_acc(&mut self, with: &WithAcc, pats: &[Binder]) {
        let mut words = Vec::new();
        for (input, id) in with.inputs.iter().zip(&with.lambda.params) {
            let lock = needs_locks(input).then(|| self.locks(&input.shape));
            if lock.is_none() {
                words.extend(input.arrays.iter().copied());
            }
            self.accs.insert(id.var, SharedAcc { input: input.clone(), lock });
        }
        words.iter().for_each(|array| self.widen(*array));
        with.lambda.body.stms.iter().for_each(|stm| self.stm(stm));
        self.flush();
        words.iter().for_each(|array| self.narrow(*array));
        let arrays = with.inputs.iter().flat_map(|input| &input.arrays).map(|array| SubExp::Var(*array));
        let others = with.lambda.body.result[with.inputs.len()..].iter().copied();
        for (pat, result) in pats.iter().zip(arrays.chain(others)) {
            let value = self.operand(result);
            self.env.insert(pat.var, value);
        }
    }

    /// Locks that are free, made where they are first used.
    fn locks(&mut self, shape: &[Dim]) -> Var {
        let locks = self.vars.fresh("lock", Type::Array(LOCK, shape.to_vec()));
        let zeros = Ir::Replicate { shape: shape.to_vec(), value: FREE.into() };
        self.env.insert(locks.var, Val::View(Rc::new(zeros), Origin::Filled));
        locks.var
    }

    /// Gives an accumulator's array memory of words, if its elements are narrower.
    pub(super) fn widen(&mut self, array: Var) {
        self.reworded(array, |b, ty, x| match ty.bits_type() {
            None => b.prim_op(Prim::Conv(ty, ScalarType::I32), &[x]),
            Some(bits) => {
                let x = b.prim_op(Prim::Un(UnOp::ToBits, ty), &[x]);
                b.prim_op(Prim::Conv(bits, ScalarType::I32), &[x])
            }
        });
    }

    /// Gives it memory of its own elements again.
    pub(super) fn narrow(&mut self, array: Var) {
        self.reworded(array, |b, ty, x| match ty.bits_type() {
            None => b.prim_op(Prim::Conv(ScalarType::I32, ty), &[x]),
            Some(bits) => {
                let x = b.prim_op(Prim::Conv(ScalarType::I32, bits), &[x]);
                b.prim_op(Prim::Un(UnOp::FromBits, ty), &[x])
            }
        });
    }

    fn reworded(&mut self, array: Var, word: impl FnOnce(&mut Builder, ScalarType, SubExp) -> SubExp) {
        let Type::Array(elem, shape) = self.vars.ty(array).clone() else { return };
        if elem.bytes() >= 4 {
            return;
        }
        let Val::Array(mem, offset) = self.operand(array.into()) else { return };
        // what is there, under a name of the type that it has now
        let before = self.vars.fresh("before", Type::Array(self.elem(mem), shape.clone()));
        self.env.insert(before.var, Val::Array(mem, offset));
        let space = self.space(&shape);
        let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let x = b.index(before.var, &indices).into();
            vec![word(b, elem, x)]
        });
        let ret = vec![self.vars.type_of(body.result[0])];
        let after = self.vars.fresh("after", ret[0].array_of(&shape));
        let seg = SegOp::map(Level::Grid, space, ret, body);
        self.launch_as(&seg, std::slice::from_ref(&after), "words", self.prov);
        let value = self.operand(after.var.into());
        self.env.insert(array, value);
    }
}

/// Whether two values are the same, bit by bit.
fn same_bits(ty: ScalarType, a: Exp, b: Exp) -> Exp {
    match ty.bits_type() {
        Some(bits) => {
            let bits_of = |e| Exp::Prim(Prim::Un(UnOp::ToBits, ty), vec![e]);
            same(bits, bits_of(a), bits_of(b))
        }
        None => same(ty, a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::host::options::MemoryOptions;
    use futi_core::ir::ScalarType;

    /// Whether kernels update elements of an array of so many elements.
    fn updates(n: i64) -> bool {
        let text = r#"futi-ir 1
            entry "main"(*d_0: [N]f64, i_1: i64) -> (*r_2: [N]f64) sig 0 ("d": ["N"]f64, "i": i64) -> ["N"]f64 {
              let (r_3: [N]f64) = withacc input [N] (d_0) comm \(x_4: f64, y_5: f64) -> (f64) {
                let (t_6: f64) = add.f64(x_4, y_5)
                in (t_6)
              } neutral (0.0f64) do \(id_7: cert, acc_8: acc(id_7, [N] (f64))) -> (acc(id_7, [N] (f64))) {
                let (acc_9: acc(id_7, [N] (f64))) = updacc acc_8[i_1] (1.0f64)
                in (acc_9)
              }
              in (r_3)
            }"#;
        let program: futi_core::ir::Program = text.replace('N', &n.to_string()).parse().unwrap();
        let host = lower(&program, &MemoryOptions::default()).unwrap();
        host.kernels.iter().any(|k| k.kernel.kernel().accesses().iter().any(|access| access.changes()))
    }

    #[test]
    fn an_array_without_elements_is_not_updated() {
        assert_eq!([2, 0, -1].map(updates), [true, false, false]);
    }

    /// The kernels that update pairs of an `i8` and an `i64`, the greatest by the first, at a place: how many, how many of them by atomic operations, and in how many the narrow elements are words.
    fn pairs(place: &str) -> [usize; 3] {
        let text = format!(
            r#"futi-ir 1
            entry "main"(n_0: i64, *d_1: [n_0]i8, *e_2: [n_0]i64, is_3: [n_0]i64) -> (*r_4: [n_0]i8, *s_5: [n_0]i64)
              sig 0 ("d": ["n"]i8, "e": ["n"]i64, "is": ["n"]i64) -> (["n"]i8, ["n"]i64) {{
              let (r_6: [n_0]i8, s_7: [n_0]i64) = withacc input [n_0] (d_1, e_2) comm \(x_8: i8, i_9: i64, y_10: i8, j_11: i64) -> (i8, i64) {{
                let (more_12: bool) = lt.i8(x_8, y_10)
                let (z_13: i8) = max.i8(x_8, y_10)
                let (k_14: i64) = select.i64(more_12, j_11, i_9)
                in (z_13, k_14)
              }} neutral (-128i8, 0i64) do \(id_15: cert, acc_16: acc(id_15, [n_0] (i8, i64))) -> (acc(id_15, [n_0] (i8, i64))) {{
                let (acc_17: acc(id_15, [n_0] (i8, i64))) = segop grid (p_18: i64 < n_0) -> (acc(id_15, [n_0] (i8, i64))) {{
                  let (q_19: i64) = index is_3[p_18]
                  let (acc_20: acc(id_15, [n_0] (i8, i64))) = updacc acc_16[{place}] (3i8, q_19)
                  in (acc_20)
                }}
                in (acc_17)
              }}
              in (r_6, s_7)
            }}"#
        );
        let program: futi_core::ir::Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let host = lower(&program, &MemoryOptions::default()).unwrap();
        let changes =
            host.kernels.iter().map(|k| k.kernel.kernel()).filter(|k| k.blocks.iter().any(|b| b.access.changes()));
        let kernels: Vec<_> = changes.collect();
        let atomic = kernels.iter().filter(|k| k.accesses().iter().any(|access| access.atomics));
        let narrow = kernels.iter().filter(|k| k.blocks.iter().any(|b| b.elem == ScalarType::I8 && b.access.changes()));
        [kernels.len(), atomic.count(), narrow.count()]
    }

    #[test]
    fn locks_are_made_where_points_may_share_a_place() {
        // the locks are filled before, by a kernel of their own
        assert_eq!(pairs("q_19"), [2, 1, 1]);
        assert_eq!(pairs("p_18"), [1, 0, 1]);
    }
}
