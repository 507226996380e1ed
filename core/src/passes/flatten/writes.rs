//! What the points of a nest write to places that they work out: updates, scatters, and accumulators of each point's own are one of all points.

use super::control::is_worth_kernels;
use super::distribute::is_cheap_scalar;
use super::irregular::{Held, Home, Place, row_major};
use super::nest::{Nest, apart, plain};
use super::{Rows, rows};
use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars};
use crate::ir::visit::{VisitMut, walk_stm_mut};
use crate::ir::*;

// Note [Places of all points]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Where each point has a destination of its own, all have one with the nest's dimensions before the others: a point writes to place i of its own at (indices of the point, i). Where its size
// differs from point to point, all are one after the other (irregular.rs, Note [Segments]): it is at start + i; that a place is within the point's own is checked there, as it would else be
// another point's.

/// The destination of all points for one of each.
struct Dest {
    array: Var,
    /// Its sizes, as far as places are told of it.
    shape: Vec<Dim>,
    /// Where this point's is.
    place: Place,
    found: Found,
}

/// Where later kernels find what has been written.
enum Found {
    Whole,
    Flat,
    Home(Home),
}

impl Place {
    /// Where the element at some indices is that are within a point's own array of these sizes.
    fn of(&self, b: &mut Builder, dims: &[Dim], at: &[SubExp]) -> Vec<SubExp> {
        match self {
            Place::Row(row) => [row, at].concat(),
            Place::From(start) => {
                let place = row_major(b, dims, at);
                vec![b.int(BinOp::Add, *start, place)]
            }
        }
    }

    /// The same of indices that may be outside of it, where nothing is written; if they are fewer, where the part begins that has them.
    fn of_any(&self, b: &mut Builder, dims: &[Dim], at: &[SubExp]) -> Vec<SubExp> {
        if let Place::Row(_) = self {
            return self.of(b, dims, at);
        }
        let inside = b.in_range(at, &dims[..at.len()]);
        let first: Vec<SubExp> =
            dims.iter().enumerate().map(|(k, _)| at.get(k).map_or(SubExp::i64(0), |i| *i)).collect();
        // outside, whatever is added
        let nowhere = SubExp::i64(i64::MIN);
        let select = Prim::Select(ScalarType::I64);
        self.of(b, dims, &first).into_iter().map(|place| b.prim_op(select, &[inside, place, nowhere])).collect()
    }
}

/// Gives the updates of accumulators places in those of all points. The accumulators are other variables then, of other types; all others stay, as it is known of them what may be consumed.
struct Places<'a> {
    vars: &'a mut Vars,
    /// By the accumulator's certificate, the shape of that of all points, and of each point's, and where that is.
    shapes: HashMap<Var, (Vec<Dim>, Vec<Dim>, Place)>,
    /// What the accumulators have become.
    accs: HashMap<Var, Var>,
}

impl VisitMut for Places<'_> {
    fn var(&mut self, v: &mut Var) {
        *v = *self.accs.get(v).unwrap_or(v);
    }
    fn ty(&mut self, ty: &mut Type) {
        if let Type::Acc(acc) = ty
            && let Some((shape, ..)) = self.shapes.get(&acc.id)
        {
            acc.shape.clone_from(shape);
        }
    }
    fn bind(&mut self, binder: &mut Binder) {
        if matches!(binder.ty, Type::Acc(_)) {
            self.ty(&mut binder.ty);
            let own = self.vars.fresh(binder.name.clone(), binder.ty.clone());
            self.accs.insert(binder.var, own.var);
            *binder = own;
        }
    }
    fn body(&mut self, body: &mut Body) {
        for mut stm in body.take_stms() {
            walk_stm_mut(self, &mut stm);
            if let Exp::UpdAcc { acc, indices, .. } = &mut stm.exp
                && let Type::Acc(ty) = self.vars.ty(*acc)
                && let Some((_, dims, place)) = self.shapes.get(&ty.id)
            {
                let mut b = Builder::new(self.vars, stm.prov);
                *indices = place.of_any(&mut b, dims, indices);
                body.stms.extend(b.stms);
            }
            body.stms.push(stm);
        }
        body.result.iter_mut().for_each(|e| self.subexp(e));
    }
}

impl Nest {
    /// The destination of all points for one of each, of which places are told by so many indices: a copy, if the nest has the array for something else, too.
    fn of_all(&mut self, b: &mut Builder, array: Var, indices: usize) -> Dest {
        self.settle(b, array);
        let (all, place, found) = if let Some(home) = self.home_of(b, array) {
            (home.array, home.place.clone(), Found::Home(home))
        } else if self.is_invariant(b.vars.ty(array)) {
            (self.own_array(b, array), Place::Row(self.here()), Found::Whole)
        } else {
            let dims = b.vars.ty(array).shape().to_vec();
            let start = self.start(b, &dims);
            (self.own_parts(b, array), Place::From(start.into()), Found::Flat)
        };
        let known = if let Place::Row(row) = &place { row.len() + indices } else { 1 };
        Dest { array: all, shape: b.vars.ty(all).shape()[..known].to_vec(), place, found }
    }

    /// What has become of a destination.
    fn found(&self, found: Found, array: Var) -> Held {
        match found {
            Found::Whole => Held::Whole(array),
            Found::Flat => Held::Flat(array),
            Found::Home(home) => {
                self.latest.borrow_mut().insert(home.origin, array);
                Held::Home(Home { array, ..home })
            }
        }
    }

    /// An array of sizes of its own at each point, of all points one after the other, for who changes it: that in which it is found, if that was made for it alone, or a copy.
    pub(super) fn own_parts(&mut self, b: &mut Builder, array: Var) -> Var {
        match self.flats.get(&array) {
            Some(parts) if self.is_alone(*parts, array) => *parts,
            _ => {
                let parts = self.in_order(b, array.into());
                b.let_one("own", Exp::Copy(parts))
            }
        }
    }

    /// Where this point's part of arrays of such sizes begins, which are one after the other.
    pub(super) fn start(&mut self, b: &mut Builder, dims: &[Dim]) -> Var {
        let start = b.vars.fresh("start", Type::I64);
        let place = Exp::Index { array: self.segments(b, dims).starts, indices: self.here() };
        self.remember(plain(start.clone(), place, b.prov));
        start.var
    }

    /// Whether there is a destination of all points for one of such an array.
    fn has_one_of_all(&self, b: &Builder, array: Var, shape: &[Dim]) -> bool {
        let ty = b.vars.ty(array);
        // rows of sizes of their own have no place
        self.is_invariant(ty) || ty.shape()[shape.len()..].iter().all(|dim| self.is_invariant(&SubExp::from(*dim)))
    }

    /// What each point of this nest writes to is one of all; the function gives places in that.
    pub(super) fn whole(&mut self, b: &mut Builder, dests: &[ScatterDest], map: &mut Lambda) -> Vec<ScatterDest> {
        if self.space.is_empty() {
            return dests.to_vec();
        }
        self.placed(b, dests, map).into_iter().map(|Dest { shape, array, .. }| ScatterDest { shape, array }).collect()
    }

    fn placed(&mut self, b: &mut Builder, dests: &[ScatterDest], map: &mut Lambda) -> Vec<Dest> {
        let all: Vec<Dest> = dests.iter().map(|dest| self.of_all(b, dest.array, dest.shape.len())).collect();
        let (old, mut first) = (map.body.result.clone(), 0);
        let mut placed = b.inner(|b| {
            let mut places = Vec::new();
            for (ScatterDest { shape, array }, all) in dests.iter().zip(&all) {
                let dims = b.vars.ty(*array).shape().to_vec();
                places.extend(all.place.of_any(b, &dims, &old[first..first + shape.len()]));
                first += shape.len();
            }
            places
        });
        let mut ret = vec![Type::I64; placed.result.len()];
        ret.extend_from_slice(&map.ret[first..]);
        placed.result.extend_from_slice(&old[first..]);
        map.body.stms.extend(placed.stms);
        (map.body.result, map.ret) = (placed.result, ret);
        all
    }

    /// Whether a statement is a scatter that can be made for all points at once, though its width or its destinations' sizes differ from point to point.
    pub(super) fn is_scattered(&self, b: &Builder, stm: &Stm) -> bool {
        let Exp::Scatter(s) = &stm.exp else { return false };
        s.dests.iter().all(|d| self.has_one_of_all(b, d.array, &d.shape))
    }

    /// A scatter of all points.
    pub(super) fn scatter(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Held> {
        let Some((Rows { width, arrays, map }, SegKind::Write(dests))) = rows(&stm.exp) else { return Vec::new() };
        let mut map = map.clone();
        let all = self.placed(b, &dests, &mut map);
        let rows = Rows { width, arrays, map: &map };
        let (nest, map) = if self.is_invariant(&SubExp::from(width)) {
            self.opened(b, &rows, &[])
        } else {
            let (_, nest, map) = self.over_elements(b, &rows);
            (nest, map)
        };
        let body = match nest.fission(b, &map.body) {
            None => map.body,
            Some(segments) => {
                let points = nest.distribute(b, segments, &map);
                b.inner(|b| points.iter().map(|held| nest.point(b, held.array())).collect())
            }
        };
        let dests = all.iter().map(|Dest { shape, array, .. }| ScatterDest { shape: shape.clone(), array: *array });
        let made = nest.kernel(b, SegKind::Write(dests.collect()), body, &map.ret);
        all.into_iter().zip(made).map(|(dest, array)| self.found(dest.found, array)).collect()
    }

    /// Whether a statement has accumulators of each point's own, with something worth a kernel, that can be one of all points.
    pub(super) fn is_accumulated(&self, b: &Builder, stm: &Stm) -> bool {
        let Exp::WithAcc(w) = &stm.exp else { return false };
        let fits = |input: &AccInput| {
            let op = &input.op;
            let known = self.is_invariant(&op.lambda) && op.neutral.iter().all(|e| self.is_invariant(e));
            let element = |v: &Var| self.is_invariant(b.vars.ty(*v)) || b.vars.ty(*v).rank() == input.shape.len();
            known && input.arrays.iter().all(element)
        };
        let others = &w.lambda.ret[w.inputs.len()..];
        let regular = |ty: &Type| matches!(ty, Type::Scalar(_) | Type::Array(..)) && self.is_invariant(ty);
        w.inputs.iter().all(fits) && others.iter().all(regular) && is_worth_kernels(&w.lambda.body)
    }

    /// Accumulators of all points, and what the points make with them.
    pub(super) fn accumulate(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Held> {
        let Exp::WithAcc(w) = &stm.exp else { return Vec::new() };
        let (mut inputs, mut all, mut shapes) = (Vec::new(), Vec::new(), HashMap::default());
        let n = w.inputs.len();
        for (input, id) in w.inputs.iter().zip(&w.lambda.params) {
            let mut arrays = Vec::new();
            for array in &input.arrays {
                let Dest { array, shape, place, found } = self.of_all(b, *array, input.shape.len());
                arrays.push(array);
                all.push(found);
                shapes.insert(id.var, (shape, input.shape.clone(), place));
            }
            let shape = shapes.get(&id.var).map(|(shape, ..)| shape.clone()).unwrap_or_default();
            inputs.push(AccInput { shape, arrays, op: input.op.clone() });
        }
        let mut lambda = w.lambda.clone();
        Places { vars: b.vars, shapes, accs: HashMap::default() }.lambda(&mut lambda);
        let mut nest = self.clone();
        nest.accs.extend(lambda.params[n..].iter().map(|acc| (acc.var, acc.var.into())));
        let body = b.inner(|b| {
            let mut map = Lambda { params: Vec::new(), ret: lambda.ret.clone(), body: lambda.body };
            nest.prepare(b, &mut map.body);
            nest.points(b, &map).iter().map(|held| held.array().into()).collect()
        });
        let types = body.result.iter().map(|e| b.vars.type_of(*e)).collect();
        let others = body.result[n..].to_vec();
        let lambda = Lambda { params: lambda.params, ret: types, body };
        let made = b.let_many("all", Exp::WithAcc(WithAcc { inputs, lambda }));
        // what comes out beside the accumulators may be there for others, too
        self.shared.borrow_mut().extend(made[made.len() - others.len()..].iter().copied());
        let others = others.iter().map(|_| Found::Whole);
        all.into_iter().chain(others).zip(made).map(|(found, array)| self.found(found, array)).collect()
    }

    /// Whether a statement replaces a part of an array that is worth a kernel, or of what a loop of the host carries.
    pub(super) fn is_written(&self, b: &Builder, stm: &Stm) -> bool {
        let Some((array, value)) = written(stm) else { return false };
        let (ty, value) = (b.vars.ty(array), b.vars.type_of(value));
        let of_own_size = |ty: &Type| self.lifted.is_some() && !self.is_invariant(ty);
        self.homes.contains_key(&array)
            || of_own_size(ty)
            || self.is_by_element(ty) && (self.is_invariant(&value) || of_own_size(&value))
            || self.looped && matches!(self.row_of(array), Some((_, true)))
    }

    /// A part of an array replaced at all points, where it stands.
    pub(super) fn write(&mut self, b: &mut Builder, stm: &Stm) -> Held {
        let choice = chosen(stm);
        let update = choice.as_ref().map_or(stm, |choice| choice.update);
        // mutant off by one: only what replaces a part comes here
        let Some((array, value)) = written(update) else { return Held::Whole(stm.pat[0].var) };
        let dims = b.vars.ty(array).shape().to_vec();
        let Dest { array, shape, place, found } = self.of_all(b, array, dims.len());
        let ty = b.vars.type_of(value);
        let (nest, at) = self.over_elements_of(b, &ty);
        let body = b.inner(|b| {
            let replaced = |b: &mut Builder| {
                let element = part(b, &update.exp, &at);
                let value = value.as_var().filter(|_| !at.is_empty()).map_or(value, |v| b.index(v, &at).into());
                let mut result = place.of(b, &dims, &element);
                result.push(value);
                result
            };
            let Some(choice) = &choice else { return replaced(b) };
            let some = b.inner(|b| {
                b.stms.extend_from_slice(choice.before);
                let all = replaced(b);
                let relying = |b: &mut Builder| all.iter().map(|e| b.let_one("part", Exp::SubExp(*e)).into()).collect();
                b.under(update.certs.clone(), relying)
            });
            let nowhere = shape.iter().map(|_| SubExp::i64(-1));
            let nothing = ty.elem().unwrap_or(ScalarType::Bool).zero().into();
            let none = Body { stms: Vec::new(), result: nowhere.chain([nothing]).collect() };
            let (yes, no) = if choice.holds { (some, none) } else { (none, some) };
            let parts = b.let_many("part", Exp::If { cond: choice.cond, yes, no });
            parts.into_iter().map(SubExp::from).collect()
        });
        let ret: Vec<Type> = body.result.iter().map(|e| b.vars.type_of(*e)).collect();
        let reads = |choice: Choice| choice.before.iter().any(|stm| matches!(stm.exp, Exp::Index { .. }));
        // what it reads may be what is written
        let body = if choice.is_some_and(reads) {
            let parts = nest.kernel(b, SegKind::Map, body, &ret);
            b.inner(|b| parts.iter().map(|part| nest.point(b, *part)).collect())
        } else {
            body
        };
        let array = nest.kernel(b, SegKind::Write(vec![ScatterDest { shape, array }]), body, &ret)[0];
        // each point replaces what is its own, and strides are not zero
        apart(b);
        self.found(found, array)
    }
}

/// What a statement writes to places of: its results, and the arrays that they were.
pub(super) fn changed(stm: &Stm) -> Vec<(Var, Var)> {
    let arrays: Vec<Var> = match &stm.exp {
        Exp::Scatter(s) => s.dests.iter().map(|dest| dest.array).collect(),
        Exp::WithAcc(w) => w.inputs.iter().flat_map(|input| input.arrays.iter().copied()).collect(),
        _ => written(stm).map(|(array, _)| array).into_iter().collect(),
    };
    stm.pat.iter().map(|p| p.var).zip(arrays).collect()
}

/// The array of which a statement replaces a part, and by what; if a condition holds, perhaps.
pub(super) fn written(stm: &Stm) -> Option<(Var, SubExp)> {
    match &stm.exp {
        Exp::Update { array, value, .. } => Some((*array, *value)),
        Exp::UpdateSlice { array, value, .. } => Some((*array, SubExp::from(*value))),
        Exp::If { .. } => chosen(stm).and_then(|choice| written(choice.update)),
        _ => None,
    }
}

/// A branch that replaces an element of an array, or leaves it.
struct Choice<'a> {
    cond: SubExp,
    /// Whether it does so where the condition holds, or where it does not.
    holds: bool,
    /// What finds the place and the element.
    before: &'a [Stm],
    update: &'a Stm,
}

fn chosen(stm: &Stm) -> Option<Choice<'_>> {
    let (Exp::If { cond, yes, no }, [all]) = (&stm.exp, &stm.pat[..]) else { return None };
    // mutant swap `[(yes, no, true), (no, yes, false)]`: one side replaces, the other one does nothing
    [(yes, no, true), (no, yes, false)].into_iter().find_map(|(side, other, holds)| {
        let [before @ .., update] = &side.stms[..] else { return None };
        let Exp::Update { array, indices, .. } = &update.exp else { return None };
        let element = all.ty.rank() == indices.len();
        let left = other.stms.is_empty() && other.result[..] == [SubExp::Var(*array)];
        let replaced = side.result[..] == [SubExp::Var(update.pat[0].var)];
        let scalars = before.iter().all(is_cheap_scalar);
        (element && left && replaced && scalars).then_some(Choice { cond: *cond, holds, before, update })
    })
}

/// Where an element of what replaces a part of an array is in that.
fn part(b: &mut Builder, update: &Exp, at: &[SubExp]) -> Vec<SubExp> {
    let mut at = at.iter().copied();
    let mut place = Vec::new();
    match update {
        Exp::Update { indices, .. } => place.extend_from_slice(indices),
        Exp::UpdateSlice { slice, .. } => {
            for dim in slice {
                place.push(match dim {
                    SliceDim::Fix(i) => *i,
                    SliceDim::Range { start, stride, .. } => {
                        // mutant off by one: each range has an index
                        let way = at.next().map_or(SubExp::i64(0), |i| b.int(BinOp::Mul, i, *stride));
                        b.int(BinOp::Add, *start, way)
                    }
                });
            }
        }
        _ => {}
    }
    place.extend(at);
    place
}
