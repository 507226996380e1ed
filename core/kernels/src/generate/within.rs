//! The kernel of a nest whose points are groups': what is parallel in the code of a point is divided among the invocations of its group.

// Note [What a group does together]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// All invocations of a group run the code of its point, each with variables and memory of its own, in which there is the same in all of them; but what changes what they have in common (an
// element of an array of the group, accumulators) the first one does alone. Of a nest of the group each runs some of the points:
// a reduction's neighbours combine, a scan goes over runs of elements, one an invocation. What such nests make, and what loops around them carry, is the group's: in shared memory, if it has one dimension, or
// in its own part of device memory, or where a result of the point is to be.
//
// A barrier stands between what one invocation writes and what another reads or writes there afterwards ([`Order`]), also in the next round of a loop, or at the next point. All of it is in the control flow of the group: loops of as many rounds at all points.

use super::array::{Array, Source};
use super::emit::{Context, Emitter, Launchable, Made, Value};
use super::exps::*;
use super::nest::{results, split};
use super::order::{Access, By, Order};
use super::pending::is_resized;
use super::reduce::combine_neighbours;
use crate::build::Maker;
use crate::ir::{self, Builtin, Exp, GroupSizes};
use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::visit::{Node, Visit, free_vars, walk_exp};
use futi_core::ir::{
    Binder, Body, Dim, Exp as Ir, Level, LoopForm, LoopParam, Operator, Prov, ScalarType, SegKind, SegOp, Stm, SubExp,
    Type, Var,
};
use futi_core::passes::flatten::INVOCATIONS;

/// A kernel whose groups run the points of a nest, one at a time. An array of a group has room for so many elements.
pub(super) fn within_kernel(name: &str, seg: &SegOp, room: i64, context: &Context, prov: Prov) -> Made<Launchable> {
    let sizes = GroupSizes { least: 1, most: INVOCATIONS as u32, power_of_two: true };
    let mut e = Emitter::new(name, sizes, &Ir::SegOp(seg.clone()), context, prov)?;
    let mapped = results(&mut e, seg, 0)?;
    let points = e.points.clone();
    let mut group = Group {
        room,
        own: HashMap::default(),
        order: Order::default(),
        places: HashMap::default(),
        parts: HashMap::default(),
    };
    let bounds = [builtin(Builtin::Group), points.clone(), builtin(Builtin::Groups)];
    e.looped(ScalarType::I64, "point", bounds, None, |e, point| {
        e.point = point.clone();
        let indices = split(e, &seg.space, point)?;
        // a group may have none
        // mutant negation: nothing comes behind it
        group.order.enter(false);
        // mutant removal: what is not made in its place is copied there
        group.places = places(e, seg, &mapped, &indices);
        let values = group.body(e, &seg.body)?;
        for (result, value) in mapped.iter().zip(&values) {
            let Some(result) = result else { continue };
            group.result(e, result, &indices, value)?;
        }
        // each point has rows of its own
        let rows: Vec<ir::Array> = mapped.iter().flatten().filter_map(Array::memory).collect();
        group.leave(e, &rows);
        Ok(())
    })?;
    e.finish(points)
}

/// The rows of results that a nest of the group makes, and nothing else is.
fn places(e: &mut Emitter, seg: &SegOp, mapped: &[Option<Array>], indices: &[Exp]) -> HashMap<Var, Array> {
    let nests = seg.body.stms.iter().filter(|stm| is_of_group(stm)).flat_map(|stm| &stm.pat);
    let made: HashSet<Var> = nests.map(|pat| pat.var).collect();
    let results = &seg.body.result;
    let mut places = HashMap::default();
    for (result, array) in results.iter().zip(mapped) {
        if let (Some(var), Some(array)) = (result.as_var().filter(|v| made.contains(v)), array)
            && array.shape.len() > indices.len()
            // mutant comparison: what is not made in its place is copied there
            // mutant off by one: likewise
            && results.iter().filter(|r| *r == result).count() == 1
        {
            // mutant removal: what is not made in its place is copied there
            places.insert(var, e.row(array, indices));
        }
    }
    places
}

fn is_of_group(stm: &Stm) -> bool {
    matches!(&stm.exp, Ir::SegOp(seg) if seg.level == Level::Group)
}

/// Whether of an array a copy is made where a view of it stands: it has been turned round, or is no longer in one piece and gets another shape.
fn is_copied(e: &Emitter, exp: &Ir) -> bool {
    let (Ir::Reshape { array, .. }
    | Ir::Rearrange { array, .. }
    | Ir::Slice { array, .. }
    | Ir::FlatIndex { array, .. }
    | Ir::Rotate { array, .. }
    | Ir::Reverse { array }) = exp
    else {
        // mutant negation: to wait once more changes no result
        return false;
    };
    match e.found(*array) {
        Some(Value::Array(Array { source: Source::Rotated { .. }, .. })) => true,
        Some(Value::Array(Array { source: Source::Memory(view), .. })) => {
            // mutant swap: what is copied without need is the same
            matches!(exp, Ir::Reshape { .. }) && !view.packed
        }
        _ => false,
    }
}

/// Whether there is a nest of the group in code.
fn has_group(code: &dyn Node) -> bool {
    struct Any(bool);
    impl Visit for Any {
        fn stm(&mut self, stm: &Stm) {
            self.0 |= is_of_group(stm);
            // mutant removal: what is not divided each invocation does by itself
            walk_exp(self, &stm.exp);
        }
    }
    let mut any = Any(false);
    code.visit(&mut any);
    any.0
}

/// What the invocations of a group have in common, while the code of its point is made.
struct Group {
    /// How many elements an array has room for.
    room: i64,
    /// The group's arrays, whole, by where they are.
    own: HashMap<ir::Array, Array>,
    /// What has been done with them.
    order: Order,
    /// Where arrays that are about to be made had best be.
    places: HashMap<Var, Array>,
    /// What invocations exchange, an element each.
    parts: HashMap<ScalarType, Vec<ir::Array>>,
}

impl Group {
    fn body(&mut self, e: &mut Emitter, body: &Body) -> Made<Vec<Value>> {
        body.stms.iter().try_for_each(|stm| self.stm(e, stm))?;
        body.result.iter().map(|r| e.operand(*r)).collect()
    }

    fn stm(&mut self, e: &mut Emitter, stm: &Stm) -> Made<()> {
        e.prov = stm.prov;
        match &stm.exp {
            Ir::SegOp(seg) if seg.level == Level::Group => self.divided(e, seg, &stm.pat),
            Ir::Loop { params, form: LoopForm::For { index, bound }, body }
                if has_group(body) || self.takes(e, &stm.exp) =>
            {
                self.rounds(e, params, (index, *bound), body, &stm.pat)
            }
            Ir::Copy(array) | Ir::Manifest { array, .. } => {
                let from = e.array(*array)?;
                let to = e.allocate_for_group(from.elem, stm.pat[0].ty.shape())?;
                self.own.extend(to.memory().map(|memory| (memory, to.clone())));
                // mutant swap: both are to be ordered with what was before
                let accesses = [self.reads(&from, By::Number), self.writes(&to, By::Number)];
                self.touch(e, &accesses.into_iter().flatten().collect::<Vec<_>>());
                self.copy(e, &to, &from)?;
                e.bind_to(&stm.pat[0], Value::Array(to));
                Ok(())
            }
            // nothing of the group's changes while there is a view of it that is turned
            Ir::Rotate { array, .. } | Ir::Reverse { array }
                if self.found_at(e, *array).is_some() && !is_copied(e, &stm.exp) =>
            {
                let own = e.array(*array)?;
                e.bind(*array, Value::Array(own.clone().into_constant()));
                let made = e.stm(stm);
                // mutant removal: it changes no more, and to wait once more changes no result
                e.bind(*array, Value::Array(own));
                made
            }
            Ir::Update { array, indices, value } if self.found_at(e, *array).is_some() => {
                let value = e.operand(*value)?;
                // an element is the first invocation's to change; a row is copied
                let (by, read) = match value {
                    Value::Array(_) => (By::Any, self.found(e, stm)),
                    _ => (By::First, Vec::new()),
                };
                let written = self.found_at(e, *array).map(|array| Access { array, writes: true, by });
                self.touch(e, &read.into_iter().chain(written).collect::<Vec<_>>());
                let (array, indices) = (e.array(*array)?, e.scalars(indices)?);
                match value {
                    Value::Array(value) => {
                        let row = e.row(&array, &indices);
                        self.copy(e, &row, &value)?;
                    }
                    value => e.when(is_first(), |e| e.write(&array, &indices, &value))?,
                }
                e.bind_to(&stm.pat[0], Value::Array(array));
                Ok(())
            }
            _ => {
                // a view reads nothing yet; what code leaves may be a copy of what it has found
                let runs = matches!(&stm.exp, Ir::If { .. } | Ir::Loop { .. });
                // mutant off by one: where there is one result, any number says whether it is new
                let views = matches!(&stm.pat[..], [pat] if pat.ty.rank() > 0) && !runs && !stm.exp.fresh(0);
                let read = if views && !is_copied(e, &stm.exp) { Vec::new() } else { self.found(e, stm) };
                self.touch(e, &read);
                // mutant swap: what updates accumulators has no other results
                let updates = stm.pat.iter().any(|pat| matches!(pat.ty, Type::Acc(_)));
                if updates { e.when(is_first(), |e| e.stm(stm)) } else { e.stm(stm) }
            }
        }
    }

    /// Whether a loop changes an array of the group where it stands.
    fn takes(&self, e: &Emitter, exp: &Ir) -> bool {
        exp.consumes().iter().any(|v| self.found_at(e, *v).is_some())
    }

    /// The group's arrays that code reads, or has views of.
    fn found(&self, e: &Emitter, code: &dyn Node) -> Vec<Access> {
        // mutant negation: to wait once more changes no result
        let read = |array| Access { array, writes: false, by: By::Any };
        free_vars(code).into_iter().filter_map(|var| self.found_at(e, var).map(read)).collect()
    }

    /// Where the array of a variable is, if it is the group's.
    fn found_at(&self, e: &Emitter, var: Var) -> Option<ir::Array> {
        match e.found(var) {
            Some(Value::Array(array)) => self.of(array),
            _ => None,
        }
    }

    /// Where an array is, if it is the group's.
    fn of(&self, array: &Array) -> Option<ir::Array> {
        array.memory().filter(|memory| self.own.contains_key(memory))
    }

    /// Before reads and writes of these: a barrier, if they have to be behind others of the group.
    fn touch(&mut self, e: &mut Emitter, accesses: &[Access]) {
        if self.order.touch(accesses) {
            e.doing().barrier();
        }
    }

    /// At the end of a round: likewise.
    fn leave(&mut self, e: &mut Emitter, apart: &[ir::Array]) {
        if self.order.leave(apart) {
            e.doing().barrier();
        }
    }

    /// A read of an array, if it is the group's: of the elements of an invocation's number, if it is no view.
    fn reads(&self, array: &Array, by: By) -> Option<Access> {
        let memory = self.of(array)?;
        // mutant negation: to wait once more changes no result
        Some(Access { array: memory, writes: false, by: if self.is_whole(array) { by } else { By::Any } })
    }

    /// Whether it is an array of the group, no view of one.
    fn is_whole(&self, array: &Array) -> bool {
        let own = self.of(array).and_then(|memory| self.own.get(&memory));
        own.is_some_and(|own| own.source == array.source)
    }

    /// A write.
    fn writes(&self, array: &Array, by: By) -> Option<Access> {
        self.of(array).map(|array| Access { array, writes: true, by })
    }

    /// The reads of a nest of the group, whose points are run as the share says.
    fn reads_of(&self, e: &Emitter, seg: &SegOp, share: Share) -> Vec<Access> {
        let body = Ir::SegOp(seg.clone());
        let [(index, _)] = &seg.space[..] else { return self.found(e, &body) };
        let elsewhere = read_elsewhere(seg, index.var);
        let access = |var: Var| match e.found(var) {
            Some(Value::Array(array)) => {
                let here = share == Share::Apart && array.shape.len() == 1 && !elsewhere.contains(&var);
                let by = if here { By::Number } else { By::Any };
                self.reads(array, by)
            }
            _ => None,
        };
        free_vars(&body).into_iter().filter_map(access).collect()
    }

    /// An array of the group.
    fn array(&mut self, e: &mut Emitter, elem: ScalarType, shape: &[Dim], var: Option<Var>) -> Made<Array> {
        let place = var.and_then(|var| self.places.remove(&var));
        let array = match (place, shape) {
            (Some(place), _) => Array { shape: shape.to_vec(), ..place },
            (None, [size]) => {
                let known = if let Dim::Const(n) = size { *n } else { self.room };
                // mutant off by one: there is room for an element more
                let elements = u32::try_from(known.clamp(1, self.room));
                let elements = elements.map_err(|_| e.unsupported("an array of a group", "a bound of its size"))?;
                let shared = e.doing().declare().shared("own", elem, elements, 0);
                // mutant negation: what is a group's is told by where it is
                e.packed(elem, shape, shared, [ZERO, ONE], false)?
            }
            (None, _) => e.allocate_for_group(elem, shape)?,
        };
        self.own.extend(array.memory().map(|memory| (memory, array.clone())));
        Ok(array)
    }

    /// What is done for each of so many elements by one invocation, given the indices in an array of this shape.
    fn each(&self, e: &mut Emitter, shape: &[Dim], act: impl FnOnce(&mut Emitter, &[Exp]) -> Made<()>) -> Made<()> {
        let sizes: Vec<Exp> = shape.iter().map(|dim| e.dim(*dim)).collect::<Made<_>>()?;
        let total = sizes.iter().cloned().fold(ONE, times);
        let total = e.named("n", total);
        let bounds = [builtin(Builtin::Invocation), total, builtin(Builtin::GroupSize)];
        e.looped(ScalarType::I64, "k", bounds, None, |e, k| {
            let mut rest = k;
            let mut indices = Vec::new();
            for size in sizes[1..].iter().rev() {
                let next = e.declare(ScalarType::I64, "rest", quotient(rest.clone(), size.clone()));
                indices.push(minus(rest, times(next.clone(), size.clone())));
                rest = next;
            }
            indices.push(rest);
            indices.reverse();
            act(e, &indices)
        })
    }

    /// Copies an array, each invocation some elements; what it reads is ordered already.
    fn copy(&self, e: &mut Emitter, to: &Array, from: &Array) -> Made<()> {
        self.each(e, &to.shape, |e, indices| {
            let element = e.element(from, indices);
            e.write(to, indices, &Value::Scalar(element))
        })
    }

    /// Puts a result where it is to be, unless it is there.
    fn result(&mut self, e: &mut Emitter, result: &Array, indices: &[Exp], value: &Value) -> Made<()> {
        match value {
            Value::Scalar(_) => e.when(is_first(), |e| e.write(result, indices, value)),
            // it is there
            Value::Array(array) if array.memory() == result.memory() => Ok(()),
            Value::Array(array) => {
                let read: Vec<Access> = self.reads(array, By::Number).into_iter().collect();
                self.touch(e, &read);
                let row = e.row(result, indices);
                self.copy(e, &row, array)
            }
            Value::Unit => Ok(()),
        }
    }

    /// Arrays for what invocations exchange.
    fn exchanged(&mut self, e: &mut Emitter, ops: &[Operator]) -> Made<Vec<ir::Array>> {
        let mut used: HashMap<ScalarType, usize> = HashMap::default();
        let mut parts = Vec::new();
        for ty in ops.iter().flat_map(|op| &op.lambda.ret) {
            let Type::Scalar(ty) = ty else {
                return Err(e.unsupported("an operator of arrays in a group", "operands that are scalars"));
            };
            let (of_type, next) = (self.parts.entry(*ty).or_default(), used.entry(*ty).or_default());
            if of_type.len() == *next {
                of_type.push(e.doing().declare().shared("part", *ty, 0, 1));
            }
            parts.push(of_type[*next]);
            *next += 1;
        }
        Ok(parts)
    }

    /// A nest of the group.
    fn divided(&mut self, e: &mut Emitter, seg: &SegOp, pats: &[Binder]) -> Made<()> {
        let mut outputs = Vec::new();
        for (ty, pat) in seg.result_types(e.context.vars).into_iter().zip(pats) {
            outputs.push(match ty {
                Type::Array(elem, shape) => Some(self.array(e, elem, &shape, Some(pat.var))?),
                _ => None,
            });
        }
        let parts = self.exchanged(e, seg.operators())?;
        let share = Share::of_nest(&seg.kind);
        let by = if share == Share::Apart { By::Number } else { By::Any };
        let mut accesses = self.reads_of(e, seg, share);
        accesses.extend(outputs.iter().flatten().filter_map(|array| self.writes(array, by)));
        accesses.extend(parts.iter().map(|part| Access { array: *part, writes: true, by: By::Any }));
        self.touch(e, &accesses);
        let reduced = match &seg.kind {
            SegKind::Map => {
                self.points(e, seg, share, |e, indices, values| write(e, &outputs, indices, values))?;
                Vec::new()
            }
            SegKind::Reduce(ops) => self.reduce(e, seg, ops, &outputs, &parts)?,
            SegKind::Scan(ops) => {
                self.scan(e, seg, ops, &outputs, &parts)?;
                Vec::new()
            }
            SegKind::Write(_) => return Err(e.unsupported("a scatter of a group", "code for it")),
        };
        let results = reduced.into_iter().map(Some).chain(std::iter::repeat(None));
        for ((pat, output), reduced) in pats.iter().zip(outputs).zip(results) {
            let value = reduced.or(output.map(Value::Array)).unwrap_or(Value::Unit);
            e.bind_to(pat, value);
        }
        Ok(())
    }

    /// The points of a nest of the group, and what is done with what each makes: this invocation's share.
    fn points(
        &mut self,
        e: &mut Emitter,
        seg: &SegOp,
        share: Share,
        act: impl FnOnce(&mut Emitter, &[Exp], &[Value]) -> Made<()>,
    ) -> Made<()> {
        let mut total = ONE;
        for (_, dim) in &seg.space {
            total = times(total, e.dim(*dim)?);
        }
        let total = e.named("n", total);
        let bounds = share.of(e, total.clone());
        let outer = e.point.clone();
        // all invocations together go through it once
        let rounds = e.known_points(&seg.space);
        e.looped(ScalarType::I64, "i", bounds, rounds, |e, i| {
            e.point = plus(times(outer.clone(), total), i.clone());
            let indices = split(e, &seg.space, i)?;
            let values = e.body(&seg.body)?;
            act(e, &indices, &values)
        })?;
        // what fails when parts are combined fails at the group's point
        e.point = outer;
        Ok(())
    }

    /// What a reduction comes to, in variables of all invocations.
    fn reduce(
        &mut self,
        e: &mut Emitter,
        seg: &SegOp,
        ops: &[Operator],
        outputs: &[Option<Array>],
        parts: &[ir::Array],
    ) -> Made<Vec<Value>> {
        let accs = e.accumulators(ops, &[])?;
        self.points(e, seg, Share::of_nest(&seg.kind), |e, indices, values| {
            write(e, &outputs[accs.len()..], indices, &values[accs.len()..])?;
            e.combine(ops, &accs, &values[..accs.len()])
        })?;
        combine_neighbours(e, ops, &accs, parts)?;
        // all has been ordered by barriers but for what is read now
        self.order.waited();
        // mutant negation `false`: who touches them next writes there, and waits in either case
        let read: Vec<Access> = parts.iter().map(|part| Access { array: *part, writes: false, by: By::Any }).collect();
        self.touch(e, &read);
        Ok(parts.iter().map(|part| Value::Scalar(e.doing().load("x", *part, int32(0)))).collect())
    }

    /// A scan: each invocation's run, what the runs before come to, and with that the run again.
    fn scan(
        &mut self,
        e: &mut Emitter,
        seg: &SegOp,
        ops: &[Operator],
        outputs: &[Option<Array>],
        parts: &[ir::Array],
    ) -> Made<()> {
        let accs = e.accumulators(ops, &[])?;
        self.points(e, seg, Share::Run, |e, indices, values| {
            write(e, outputs, indices, values)?;
            e.combine(ops, &accs, &values[..accs.len()])
        })?;
        let (lane, size) = (Exp::Builtin(Builtin::Invocation), Exp::Builtin(Builtin::GroupSize));
        let store = |e: &mut Emitter, values: &[Value]| {
            for (part, value) in parts.iter().zip(values) {
                if let Value::Scalar(value) = value {
                    e.doing().store(*part, lane.clone(), value.clone());
                }
            }
        };
        store(e, &accs);
        e.doing().barrier();
        let before = e.accumulators(ops, &[])?;
        let add = |a: Exp, b: Exp| crate::build::bin(futi_core::prim::BinOp::Add, ScalarType::I32, a, b);
        let sub = |a: Exp, b: Exp| crate::build::bin(futi_core::prim::BinOp::Sub, ScalarType::I32, a, b);
        let step = e.local("step", ScalarType::I32);
        e.set(step, int32(1));
        let again = e.local("again", ScalarType::Bool);
        e.set(again, less(ScalarType::I32, int32(1), size.clone()));
        let load = |e: &mut Emitter, at: &Exp| -> Vec<Exp> {
            parts.iter().map(|part| e.doing().load("x", *part, at.clone())).collect()
        };
        let set = |e: &mut Emitter, to: &[Value], from: Vec<Exp>| {
            for (to, from) in to.iter().zip(from) {
                if let Value::Scalar(Exp::Local(to)) = to {
                    e.set(*to, from);
                }
            }
        };
        e.while_true(Exp::Local(again), |e| {
            let behind = at_most(ScalarType::I32, Exp::Local(step), lane.clone());
            e.when(behind.clone(), |e| {
                let others = load(e, &sub(lane.clone(), Exp::Local(step)));
                set(e, &before, others);
                e.combine(ops, &before, &accs)
            })?;
            e.doing().barrier();
            e.when(behind, |e| {
                let sums = before.iter().filter_map(Value::as_scalar).collect();
                set(e, &accs, sums);
                store(e, &accs);
                Ok(())
            })?;
            e.doing().barrier();
            e.set(step, add(Exp::Local(step), Exp::Local(step)));
            e.set(again, less(ScalarType::I32, Exp::Local(step), size.clone()));
            Ok(())
        })?;
        let carried = e.accumulators(ops, &[])?;
        e.when(less(ScalarType::I32, int32(0), lane.clone()), |e| {
            let others = load(e, &sub(lane.clone(), int32(1)));
            set(e, &carried, others);
            Ok(())
        })?;
        let width = e.dim(seg.space[0].1)?;
        let bounds = Share::Run.of(e, width);
        let rounds = e.known_points(&seg.space);
        e.looped(ScalarType::I64, "i", bounds, rounds, |e, i| {
            let arrays: Vec<Array> = outputs[..accs.len()].iter().flatten().cloned().collect();
            let at = [i];
            let own: Vec<Value> = arrays.iter().map(|array| e.index(array, &at)).collect();
            e.combine(ops, &carried, &own)?;
            arrays.iter().zip(&carried).try_for_each(|(array, value)| e.write(array, &at, value))
        })?;
        self.order.waited();
        let written = outputs.iter().flatten().filter_map(|array| self.writes(array, By::Any));
        // mutant negation: who touches them next writes there, and waits in either case
        let read = parts.iter().map(|part| Access { array: *part, writes: false, by: By::Any });
        let accesses: Vec<Access> = written.chain(read).collect();
        self.touch(e, &accesses);
        Ok(())
    }

    /// A loop with nests of the group in it.
    fn rounds(
        &mut self,
        e: &mut Emitter,
        params: &[LoopParam],
        (index, bound): (&Binder, SubExp),
        body: &Body,
        pats: &[Binder],
    ) -> Made<()> {
        let mut own = Vec::new();
        for (position, (param, pat)) in params.iter().zip(pats).enumerate() {
            let binder = &param.binder;
            let stays = body.result[position] == SubExp::Var(binder.var);
            if is_resized(param, params) {
                return Err(e.unsupported("an array of a group that changes its size", "one size"));
            }
            let value = match e.operand(param.init)? {
                value if stays => value,
                Value::Scalar(init) => {
                    let ty = binder.ty.elem().unwrap_or(ScalarType::Bool);
                    Value::Scalar(e.declare(ty, binder.name.as_str(), init))
                }
                Value::Array(init) if param.unique && self.is_whole(&init) => Value::Array(init),
                Value::Array(init) => {
                    let init = Array { shape: binder.ty.shape().to_vec(), ..init };
                    let to = self.array(e, init.elem, &init.shape.clone(), None)?;
                    // mutant swap: both are to be ordered with what was before
                    let accesses = [self.reads(&init, By::Number), self.writes(&to, By::Number)];
                    self.touch(e, &accesses.into_iter().flatten().collect::<Vec<_>>());
                    self.copy(e, &to, &init)?;
                    Value::Array(to)
                }
                Value::Unit => Value::Unit,
            };
            let known = if stays { e.known(param.init) } else { None };
            // mutant removal: the simplifier leaves no parameter that stays the same, and of the others nothing was known
            e.learn(binder.var, known.clone());
            // mutant removal: likewise
            e.learn(pat.var, known);
            e.bind_to(binder, value.clone());
            own.push(value);
        }
        let ty = index.ty.elem().unwrap_or(ScalarType::I64);
        let (below, rounds) = (e.scalar(bound)?, e.known(bound));
        let runs = matches!(bound, SubExp::Lit(n) if n.as_i64().is_some_and(|n| n > 0));
        let bounds = [Exp::Lit(ty.zero()), below, Exp::Lit(ty.one())];
        e.looped(ty, index.name.as_str(), bounds, rounds, |e, i| {
            self.order.enter(runs);
            e.bind(index.var, Value::Scalar(i));
            let results = self.body(e, body)?;
            self.next(e, params, &own, results)?;
            self.leave(e, &[]);
            Ok(())
        })?;
        pats.iter().zip(own).for_each(|(pat, value)| e.bind_to(pat, value));
        Ok(())
    }

    /// Gives loop parameters their next values, all at once.
    fn next(&mut self, e: &mut Emitter, params: &[LoopParam], own: &[Value], results: Vec<Value>) -> Made<()> {
        let (mut scalars, mut arrays) = (Vec::new(), Vec::new());
        for ((own, result), param) in own.iter().zip(results).zip(params) {
            match (own, result) {
                (Value::Scalar(Exp::Local(local)), Value::Scalar(value)) if Exp::Local(*local) != value => {
                    scalars.push((*local, value, param.binder.ty.elem().unwrap_or(ScalarType::Bool)));
                }
                (Value::Array(own), Value::Array(result)) if own.source != result.source => {
                    arrays.push((own, Array { shape: own.shape.clone(), ..result }));
                }
                _ => {}
            }
        }
        // what is another parameter is saved before that one changes
        for (_, value, ty) in &mut scalars {
            if own.contains(&Value::Scalar(value.clone())) {
                *value = e.declare(*ty, "y", value.clone());
            }
        }
        let touched = |result: &Array| {
            let memory = result.memory();
            own.iter().any(|o| matches!(o, Value::Array(o) if o.memory() == memory))
        };
        let read: Vec<Access> = arrays.iter().filter_map(|(_, result)| self.reads(result, By::Number)).collect();
        let (saved, as_it_is): (Vec<_>, Vec<_>) = arrays.into_iter().partition(|(_, result)| touched(result));
        self.touch(e, &read);
        let mut copied = as_it_is;
        for (to, result) in saved {
            // each invocation saves what it is going to copy
            let own = e.allocate(result.elem, &result.shape, None)?;
            self.copy(e, &own, &result)?;
            copied.push((to, own));
        }
        let written: Vec<Access> = copied.iter().filter_map(|(to, _)| self.writes(to, By::Number)).collect();
        self.touch(e, &written);
        for (to, result) in copied {
            self.copy(e, to, &result)?;
        }
        scalars.into_iter().for_each(|(local, value, _)| e.set(local, value));
        Ok(())
    }
}

/// The arrays that a nest of the group reads elsewhere than at the point's index.
fn read_elsewhere(seg: &SegOp, index: Var) -> HashSet<Var> {
    struct Elsewhere(Var, HashSet<Var>);
    impl Visit for Elsewhere {
        fn var(&mut self, v: &Var) {
            self.1.insert(*v);
        }
        fn stm(&mut self, stm: &Stm) {
            let here = [SubExp::from(self.0)];
            if !matches!(&stm.exp, Ir::Index { indices, .. } if *indices == here) {
                walk_exp(self, &stm.exp);
            }
        }
    }
    let mut elsewhere = Elsewhere(index, HashSet::default());
    elsewhere.body(&seg.body);
    seg.operators().iter().for_each(|op| elsewhere.operator(op));
    elsewhere.1
}

/// Which elements of some are an invocation's.
#[derive(Clone, Copy, PartialEq)]
enum Share {
    /// As many apart as the group has invocations: neighbours touch neighbouring memory.
    Apart,
    /// A run of them, in order.
    Run,
}

impl Share {
    /// That of a nest: operators that do not commute are applied in order.
    fn of_nest(kind: &SegKind) -> Share {
        match kind {
            SegKind::Reduce(ops) if ops.iter().all(|op| op.commutative) => Share::Apart,
            SegKind::Map | SegKind::Write(_) => Share::Apart,
            SegKind::Reduce(_) | SegKind::Scan(_) => Share::Run,
        }
    }

    /// The bounds of a loop over this invocation's.
    fn of(self, e: &mut Emitter, total: Exp) -> [Exp; 3] {
        let (lane, size) = (builtin(Builtin::Invocation), builtin(Builtin::GroupSize));
        match self {
            Share::Apart => [lane, total, size],
            Share::Run => {
                let run = quotient(plus(total.clone(), minus(size.clone(), ONE)), size);
                let run = e.named("run", run);
                let begin = e.named("begin", times(lane, run.clone()));
                [begin.clone(), least(plus(begin, run), total), ONE]
            }
        }
    }
}

/// Writes what is mapped.
fn write(e: &mut Emitter, outputs: &[Option<Array>], indices: &[Exp], values: &[Value]) -> Made<()> {
    let some = outputs.iter().zip(values).filter_map(|(output, value)| Some((output.as_ref()?, value)));
    some.into_iter().try_for_each(|(output, value)| e.write(output, indices, value))
}

fn int32(x: i32) -> Exp {
    crate::build::int(ScalarType::I32, x.into())
}

/// Whether this is the group's first invocation.
fn is_first() -> Exp {
    same(ScalarType::I32, Exp::Builtin(Builtin::Invocation), int32(0))
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use super::super::tests::flat;
    use crate::exec::{backend::Executor, device};
    use crate::host::options::MemoryOptions;
    use futi_core::backend::{Backend, CallCtx, Options};
    use futi_core::ir::check::check;
    use futi_core::prim::Scalar;

    /// The names of the kernels that a function of two sizes launches.
    fn launched(body: &str, n: i64, m: i64) -> Vec<String> {
        run(&Executor::default(), body, n, m).0
    }

    /// The same, and the first result.
    fn run(executor: &Executor, body: &str, n: i64, m: i64) -> (Vec<String>, String) {
        let flat = check(flat(&format!("entry main (n: i64) (m: i64) = {body}")).0).expect("a well-formed program");
        let executable = executor.compile(&flat, &Options::default()).expect("kernels");
        let size = |n: i64| executor.put(&Scalar::I64(n).into()).expect("an argument");
        let results = executable.call("main", vec![size(n), size(m)], &CallCtx::default()).expect("results");
        let kernels = executable.profile().kernels;
        let names = kernels.into_iter().filter(|kernel| kernel.launches > 0).map(|kernel| kernel.name).collect();
        (names, executor.get(&results[0]).expect("a result").to_string())
    }

    #[test]
    fn groups_may_have_one_invocation_or_two() {
        let body = "map (\\i -> i64.sum (loop x = map (+ i) (iota m) for k < 3 do
                      let x = map (% 7) (scan (+) 0 x) in x with [k] = x[k + 1] + 20)) (iota n)";
        let of = |group_size| {
            let executor = Executor::new(device::Options { group_size, ..device::Options::default() });
            let (kernels, result) = run(&executor, body, 3, 40);
            assert!(kernels.iter().any(|name| name.starts_with("within_groups")), "{kernels:?}");
            result
        };
        let result = of(8);
        assert_eq!([of(1), of(2)], [result.clone(), result]);
    }

    /// Of several failures the one of the lowest point is told of: each has its point's number, and what combines what several points have made, that of the group's.
    #[test]
    fn failures_are_those_of_points() {
        let text = r#"futi-ir 1
            entry "main"(n_1: i64, m_2: i64) -> (r_3: [n_1]i64) sig 0 ("n": i64, "m": i64) -> (["n"]i64) {
              let (r_4: [n_1]i64) = segop grid (i_5: i64 < n_1) -> (i64) {
                let (c_6: cert) = check bounds (i_5) [5]
                let (x_7: [m_2]i64) = segop group (j_8: i64 < m_2) -> (i64) {
                  let (d_9: cert) = check bounds (j_8) [7]
                  let (y_10: i64) = add.i64(i_5, j_8) certs (c_6, d_9)
                  in (y_10)
                }
                let (s_11: i64) = segop group (k_12: i64 < m_2) reduce comm \(a_13: i64, b_14: i64) -> (i64) {
                  let (e_15: cert) = check bounds (b_14) [9]
                  let (t_16: i64) = add.i64(a_13, b_14) certs (e_15)
                  in (t_16)
                } neutral (0i64) -> (i64) {
                  let (z_17: i64) = index x_7[k_12]
                  in (z_17)
                }
                in (s_11)
              } attrs ("of groups" 100)
              in (r_4)
            }"#;
        let program: futi_core::ir::Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let host = lower(&program, &MemoryOptions::default()).expect("kernels");
        let text = host.kernels[0].kernel.kernel().to_string();
        let of_nests = text.matches(" at add.i64(mul.i64(point_2, param.m_1), i_").count();
        let of_group = text.matches(" at point_2 (").count();
        assert_eq!((of_nests, of_group), (2, 2), "{text}");
    }

    #[test]
    fn what_a_group_cannot_do_has_its_place() {
        let text = r#"futi-ir 1
            entry "main"(n_1: i64, m_2: i64) -> (r_3: [n_1]i64) sig 0 ("n": i64, "m": i64) -> (["n"]i64) {
              let (none_4: [2]i64) = array [0i64, 0i64] of i64
              let (r_5: [n_1]i64) = segop grid (i_6: i64 < n_1) -> (i64) {
                let (x_7: i64) = add.i64(i_6, 1i64) @1
                let (s_8: [2]i64) = segop group (j_9: i64 < m_2) reduce comm \(a_10: [2]i64, b_11: [2]i64) -> ([2]i64) { in (b_11) } neutral (none_4) -> ([2]i64) {
                  let (y_12: [2]i64) = array [x_7, j_9] of i64 @1
                  in (y_12)
                } @2
                let (z_13: i64) = index s_8[0i64] @1
                in (z_13)
              } attrs ("of groups" 100)
              in (r_5)
            }
            files "main.fut"
            prov 1 = span 0 6 7
            prov 2 = span 0 8 9"#;
        let program: futi_core::ir::Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let errors = lower(&program, &MemoryOptions::default()).expect_err("a refusal");
        assert_eq!(errors[0].prov, futi_core::ir::Prov(2));
    }

    /// What a group can do is one kernel of groups: the other version would do it, too, if there were none.
    #[test]
    fn few_points_with_rounds_of_nests_are_those_of_groups() {
        let rounds = |round: &str| format!("map (\\i -> loop x = map (+ i) (iota m) for k < 3 do {round}) (iota n)");
        for body in [
            rounds("map (+ k) x"),
            rounds("let s = i64.sum x in map (+ s) x"),
            rounds("let (a, b) = reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip x x) in map (\\e -> e * a + b) x"),
            rounds("map (% 7) (scan (+) k x)"),
            rounds("map2 (+) (rotate k x) (reverse (copy x))"),
            rounds("let x = map (% 9) x in let x = x with [k] = x[k + 1] in map (+ i) x"),
            rounds("let w = loop w = [k, 1, 2] for j < 3 do w with [j] = w[(j + 1) % 3] + 1 in map (\\e -> e + w[e % 3]) x"),
            "map (\\i -> loop (x, y) = (iota m, map (* i) (iota m)) for k < 3 do (y, map2 (+) x y)) (iota n) |> unzip".into(),
            "map (\\i -> map (\\j -> i64.sum (map (\\k -> k * (i - j)) (iota m))) (iota n)) (iota n)".into(),
            "i64.sum (map (\\i -> (loop x = map (+ i) (iota m) for k < 3 do map (+ k) (scan (+) 0 x))[3]) (iota n))".into(),
            "vjp (\\w -> f64.sum (map (\\i -> f64.sum (loop x = map f64.i64 (iota m) for _k < 3 do map2 (\\a b -> a * b + f64.i64 i) x w)) (iota n))) (map f64.i64 (iota m)) 1".into(),
        ] {
            let kernels = launched(&body, 3, 40);
            assert!(kernels.iter().any(|name| name.starts_with("within_groups")), "{body}: {kernels:?}");
            // arrays that do not fit; without a loop there are none
            let kernels = launched(&body, 2, 5000);
            let grouped = kernels.iter().any(|name| name.starts_with("within_groups"));
            assert!(!grouped || !body.contains("loop"), "{body}: {kernels:?}");
        }
    }
}
