//! Irregular nests: inner SOACs whose widths differ from point to point.
//!
//! What all points of a nest have is laid one after the other in one flat array, and a nest over all its elements takes the place of the dimension that differs (DEVICE.md §4).

use super::distribute::is_filled;
use super::nest::{Nest, apart, plain};
use super::writes::written;
use super::{Rows, rows};
use crate::ir::build::Builder;
use crate::ir::rename::applied;
use crate::ir::visit::{VisitMut, walk_exp_mut};
use crate::ir::*;

// Note [Segments]
// ~~~~~~~~~~~~~~~
// Where point p has w(p) elements, there are Σ w(p) in all; p's begin at starts(p) = Σ w(q), q < p. Element k belongs to the last point p with w(p) > 0 that begins at or before k: each
// such point writes its number where it begins, and a scan with `max` carries it on. A nest over the elements begins with what finds, for element k, its point, that point's indices in
// the outer nest, and the element's own index k - starts(p): whatever the outer nest has in its prelude is then there as well. No step takes more than O(points + elements) operations.
//
// A variable with an array of a size of its own at each point is a view of such a flat array, from starts(p) on. What sequential code makes of that kind is stored in rows of the
// greatest size.

/// Where the points' parts of a flat array are: Note [Segments].
#[derive(Clone)]
pub(super) struct Segments {
    /// How many elements each point has, over the nest's space.
    pub(super) sizes: Var,
    /// Where they begin, over the nest's space.
    pub(super) starts: Var,
    /// The same, over the points one after the other.
    pub(super) starts_in_order: Var,
    /// How many there are in all.
    pub(super) total: Dim,
    /// The point of each element, by its place in row-major order.
    pub(super) owners: Var,
}

impl Segments {
    /// The segments of so many elements at each point of a space.
    pub(super) fn new(b: &mut Builder, space: Vec<Dim>, sizes: Var) -> Segments {
        Segments::owned(b, space, sizes, None)
    }

    /// The same, of elements whose points may be known.
    fn owned(b: &mut Builder, space: Vec<Dim>, sizes: Var, owners: Option<Var>) -> Segments {
        let n = as_dim(product(b, &space));
        let in_order = flat(b, sizes);
        let ends = scan(b, n, BinOp::Add, in_order);
        let starts_in_order = over(b, n, SegKind::Map, &[Type::I64], |b, i| {
            let [end, size] = [ends, in_order].map(|array| b.index(array, &[i.into()]).into());
            vec![b.int(BinOp::Sub, end, size)]
        })[0];
        let starts = match space.len() {
            1 => starts_in_order,
            _ => b.let_one("starts", Exp::Reshape { shape: space, array: starts_in_order }),
        };
        let less = Prim::Cmp(CmpOp::Lt, ScalarType::I64);
        let some = b.prim_op(less, &[SubExp::i64(0), n.into()]);
        let yes = b.inner(|b| {
            let last = b.int(BinOp::Sub, n.into(), SubExp::i64(1));
            vec![b.index(ends, &[last]).into()]
        });
        let no = Body { stms: Vec::new(), result: vec![SubExp::i64(0)] };
        let total = Dim::Var(b.let_one("total", Exp::If { cond: some, yes, no }));
        let owners = owners.unwrap_or_else(|| owners_of(b, n, [starts_in_order, in_order], total));
        Segments { sizes, starts, starts_in_order, total, owners }
    }
}

/// The point of each element of segments, by where they begin and how many there are.
fn owners_of(b: &mut Builder, n: Dim, [starts, sizes]: [Var; 2], total: Dim) -> Var {
    let none = b.let_one("marks", Exp::Replicate { shape: vec![total], value: SubExp::i64(0) });
    let marks = SegKind::Write(vec![ScatterDest { shape: vec![total], array: none }]);
    let marks = over(b, n, marks, &[Type::I64, Type::I64], |b, i| {
        let [start, size] = [starts, sizes].map(|array| b.index(array, &[i.into()]).into());
        // who has no elements writes nowhere
        let some = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[SubExp::i64(0), size]);
        let [yes, no] = [start, SubExp::i64(-1)].map(|e| Body { stms: Vec::new(), result: vec![e] });
        vec![b.let_one("place", Exp::If { cond: some, yes, no }).into(), i.into()]
    })[0];
    apart(b);
    scan(b, total, BinOp::Max, marks)
}

/// Where an array of a nest is that is its loop's own: nothing else reads that, and it may be changed there.
#[derive(Clone)]
pub(super) struct Home {
    /// The host's array.
    pub(super) array: Var,
    /// Where this point's is.
    pub(super) place: Place,
    /// What the loop carries there.
    pub(super) origin: Var,
}

#[derive(Clone)]
pub(super) enum Place {
    /// The row at these indices.
    Row(Vec<SubExp>),
    /// What begins with this element.
    From(SubExp),
}

/// The host's array for the values of a variable at all points of a nest.
#[derive(Clone)]
pub(super) enum Held {
    /// The nest's dimensions before the value's; or an accumulator.
    Whole(Var),
    /// One after the other, of one dimension.
    Flat(Var),
    /// The same in any order: where each point's part begins is in the second array, over the space.
    Placed(Var, Var),
    /// Where the loop has it.
    Home(Home),
}

impl Held {
    /// The array.
    pub(super) fn array(&self) -> Var {
        match self {
            Held::Whole(v) | Held::Flat(v) | Held::Placed(v, _) => *v,
            Held::Home(home) => home.array,
        }
    }
}

/// The number of elements of arrays of these sizes.
pub(super) fn product(b: &mut Builder, dims: &[Dim]) -> SubExp {
    let sizes = dims.iter().map(|d| SubExp::from(*d));
    // mutant off by one: without dimensions there are few points
    sizes.reduce(|x, y| b.int(BinOp::Mul, x, y)).unwrap_or(SubExp::i64(1))
}

pub(super) fn as_dim(e: SubExp) -> Dim {
    // mutant off by one: what is asked for is a variable or of i64
    Dim::from_subexp(e).unwrap_or(Dim::Const(0))
}

/// A kernel over one dimension.
pub(super) fn over(
    b: &mut Builder,
    n: Dim,
    kind: SegKind,
    ret: &[Type],
    body: impl FnOnce(&mut Builder, Var) -> Vec<SubExp>,
) -> Vec<Var> {
    let index = b.vars.fresh("i", Type::I64);
    let body = b.inner(|b| body(b, index.var));
    b.let_many("k", Exp::SegOp(SegOp { level: Level::Grid, space: vec![(index, n)], kind, ret: ret.to_vec(), body }))
}

fn scan(b: &mut Builder, n: Dim, op: BinOp, array: Var) -> Var {
    let op = b.operator(Prim::Bin(op, ScalarType::I64), Scalar::I64(0));
    over(b, n, SegKind::Scan(vec![op]), &[Type::I64], |b, i| vec![b.index(array, &[i.into()]).into()])[0]
}

/// The place of an element among those of an array, in row-major order.
pub(super) fn row_major(b: &mut Builder, dims: &[Dim], at: &[SubExp]) -> SubExp {
    // mutant off by one: an array has a dimension, with whose index it begins
    let mut place = SubExp::i64(0);
    for (k, (size, index)) in dims.iter().zip(at).enumerate() {
        place = match k {
            0 => *index,
            _ => {
                let rows = b.int(BinOp::Mul, place, (*size).into());
                b.int(BinOp::Add, rows, *index)
            }
        };
    }
    place
}

/// The same elements in one dimension.
pub(super) fn flat(b: &mut Builder, array: Var) -> Var {
    let shape = b.vars.ty(array).shape().to_vec();
    if shape.len() == 1 {
        return array;
    }
    let size = product(b, &shape);
    b.let_one("flat", Exp::Reshape { shape: vec![as_dim(size)], array })
}

/// Makes arrays that are yet to be written zeros: where parts of them are passed on, so may be places that nobody has written.
pub(super) fn fill(body: &mut Body) {
    struct Fill;
    impl VisitMut for Fill {
        fn exp(&mut self, e: &mut Exp) {
            if let Exp::Scratch { elem, shape } = e {
                *e = Exp::Replicate { shape: std::mem::take(shape), value: elem.zero().into() };
            }
            walk_exp_mut(self, e);
        }
    }
    Fill.body(body);
}

impl Nest {
    /// This point of the nest.
    pub(super) fn here(&self) -> Vec<SubExp> {
        self.space.iter().map(|(i, _)| i.var.into()).collect()
    }

    /// The sizes of the nest's dimensions.
    pub(super) fn dims(&self) -> Vec<Dim> {
        self.space.iter().map(|(_, dim)| *dim).collect()
    }

    /// The segments of arrays of these sizes: Note [Segments].
    pub(super) fn segments(&mut self, b: &mut Builder, dims: &[Dim]) -> Segments {
        // points without elements have no other kernel to make these checks
        let checks: Vec<Var> =
            self.prelude.iter().filter(|stm| stm.pat[0].ty == Type::Cert).map(|stm| stm.pat[0].var).collect();
        // who has been here before has made those that there were then
        let of_sizes = |stm: &&Stm| matches!(&stm.exp, Exp::Check(check) if !check.is_of_elements());
        let count = self.prelude.iter().filter(of_sizes).count();
        let found = self.segments.get(dims).cloned();
        if let Some((_, found)) = found.as_ref().filter(|(checks, _)| *checks == count) {
            return found.clone();
        }
        let known = match dims {
            [dim] if checks.is_empty() => self.stored_in((*dim).into()),
            _ => None,
        };
        let size = b.inner(|b| vec![product(b, dims)]);
        let required = std::mem::replace(&mut self.required, checks);
        let sizes = known.unwrap_or_else(|| self.kernel(b, SegKind::Map, size, &[Type::I64])[0]);
        self.required = required;
        let space = self.dims();
        let segments = Segments::owned(b, space, sizes, found.map(|(_, found)| found.owners));
        self.segments.insert(dims.to_vec(), (count, segments.clone()));
        segments
    }

    /// The nest over the elements of segments, and an element's indices among those of its point.
    pub(super) fn inside(&self, b: &mut Builder, segments: &Segments, dims: &[Dim]) -> (Nest, Vec<SubExp>) {
        let (mut nest, k) = self.chosen(b, segments.owners, segments.total);
        let mut at = Vec::new();
        let found = b.inner(|b| {
            let start = b.index(segments.starts, &self.here());
            let mut rest = b.int(BinOp::Sub, k.into(), start.into());
            for (d, size) in dims.iter().enumerate().rev() {
                at.insert(0, if d == 0 { rest } else { b.int(BinOp::Rem, rest, (*size).into()) });
                if d > 0 {
                    rest = b.int(BinOp::Quot, rest, (*size).into());
                }
            }
            Vec::new()
        });
        found.stms.into_iter().for_each(|stm| nest.remember(stm));
        (nest, at)
    }

    /// The nest over points of this one, given by their places in row-major order, and its index.
    pub(super) fn chosen(&self, b: &mut Builder, points: Var, count: Dim) -> (Nest, Var) {
        let k = b.vars.fresh("k", Type::I64);
        let mut nest = Nest {
            space: vec![(k.clone(), count)],
            bound: self.bound.clone(),
            accs: self.accs.clone(),
            required: self.required.clone(),
            groups: self.groups.clone(),
            consumed: self.consumed.clone(),
            calls: self.calls.clone(),
            constants: self.constants.clone(),
            first: self.first,
            lifted: self.lifted.clone(),
            looped: self.looped,
            shared: self.shared.clone(),
            latest: self.latest.clone(),
            ..Nest::default()
        };
        let found = b.inner(|b| {
            let mut point: SubExp = b.index(points, &[k.var.into()]).into();
            for (d, (index, size)) in self.space.iter().enumerate().rev() {
                let own = if d == 0 { point } else { b.int(BinOp::Rem, point, (*size).into()) };
                b.bind(vec![index.clone()], Exp::SubExp(own));
                if d > 0 {
                    point = b.int(BinOp::Quot, point, (*size).into());
                }
            }
            Vec::new()
        });
        found.stms.into_iter().chain(self.prelude.iter().cloned()).for_each(|stm| nest.remember(stm));
        (nest, k.var)
    }

    /// Whether a statement is made for all points at once by [`Nest::lift`].
    pub(super) fn is_lifted(&self, b: &Builder, stm: &Stm) -> bool {
        let whole = || {
            self.is_irregular(stm)
                || self.is_made_by_element(stm)
                || self.is_taken_apart(b, stm)
                || self.is_scattered(b, stm)
                || self.is_accumulated(b, stm)
                || self.calls.is_known(stm)
        };
        self.lifted.is_some() && whole() || self.is_written(b, stm) || self.is_concatenated(stm)
    }

    /// Whether a statement lays arrays one after the other that are worth a kernel together.
    fn is_concatenated(&self, stm: &Stm) -> bool {
        matches!(stm.exp, Exp::Concat { .. }) && self.is_by_element(&stm.pat[0].ty)
    }

    /// Whether a statement is a SOAC whose width differs from point to point, and that can be made for all points at once.
    fn is_irregular(&self, stm: &Stm) -> bool {
        let Some((rows, kind)) = rows(&stm.exp) else { return false };
        let known = |op: &Operator| self.is_invariant(&op.lambda) && op.neutral.iter().all(|e| self.is_invariant(e));
        let kinds = match &kind {
            SegKind::Map => true,
            SegKind::Scan(ops) | SegKind::Reduce(ops) => ops.iter().all(known),
            SegKind::Write(_) => false,
        };
        kinds && !self.is_invariant(&SubExp::from(rows.width))
    }

    /// Whether a statement is a view of an array, or of none, of a size of its own at each point.
    pub(super) fn is_viewed(&self, stm: &Stm) -> bool {
        let view = is_filled(stm) || matches!(stm.exp, Exp::Reverse { .. } | Exp::Rotate { .. });
        // mutant dropped term: whether it is counted again or stored, results are the same
        self.lifted.is_some() && view && !self.is_invariant(&stm.pat[0].ty)
    }

    /// Whether a statement makes an array of a size of its own at each point, element by element.
    fn is_made_by_element(&self, stm: &Stm) -> bool {
        let made = matches!(stm.exp, Exp::Copy(_) | Exp::Manifest { .. } | Exp::Concat { .. } | Exp::Replicate { .. });
        made && !self.is_invariant(&stm.pat[0].ty)
    }

    /// Makes what a statement that [`Nest::is_lifted`] binds, at all points.
    pub(super) fn lift(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Held> {
        self.lifted.iter().for_each(|lifted| lifted.used.set(true));
        let outer = b.certs.clone();
        b.certs.extend(stm.certs.iter().filter(|c| !self.bound.contains(c)));
        let required = self.required.clone();
        self.required.extend(stm.certs.iter().filter(|c| self.bound.contains(c)));
        let whole = |arrays: Vec<Var>| arrays.into_iter().map(Held::Whole).collect();
        let results = match (rows(&stm.exp), &stm.exp) {
            _ if written(stm).is_some() => vec![self.write(b, stm)],
            (_, Exp::Scatter(_)) => self.scatter(b, stm),
            (_, Exp::WithAcc(_)) => self.accumulate(b, stm),
            (Some((rows, kind)), _) => self.lift_soac(b, &rows, kind),
            (_, Exp::Loop { .. } | Exp::If { .. }) => self.take_apart(b, stm),
            (_, Exp::Apply { .. }) => whole(self.call(b, stm)),
            _ => vec![self.by_element(b, &stm.pat[0].ty, |b, at| element(b, stm, at))],
        };
        (b.certs, self.required) = (outer, required);
        results
    }

    /// The nest over the elements of what a SOAC of a width that differs from point to point runs over, and the SOAC's function, ready to be cut.
    pub(super) fn over_elements(&mut self, b: &mut Builder, s: &Rows) -> (Segments, Nest, Lambda) {
        let segments = self.segments(b, &[s.width]);
        let (mut nest, at) = self.inside(b, &segments, &[s.width]);
        nest.remember_rows(b, self, s, at);
        let mut map = Lambda { body: nest.checked_once(b, &s.map.body), ..s.map.clone() };
        nest.prepare(b, &mut map.body);
        (segments, nest, map)
    }

    fn lift_soac(&mut self, b: &mut Builder, s: &Rows, kind: SegKind) -> Vec<Held> {
        let (segments, nest, map) = self.over_elements(b, s);
        let points = nest.points(b, &map);
        let (operands, mapped) = points.split_at(kind.operands());
        let operands: Vec<Var> = operands.iter().map(|held| held.array()).collect();
        let mut results = match &kind {
            SegKind::Scan(ops) => segmented_scan(b, &segments, ops, &operands).into_iter().map(Held::Whole).collect(),
            SegKind::Reduce(ops) => {
                let scanned = segmented_scan(b, &segments, ops, &operands);
                self.last_of_each(b, &segments, ops, &scanned)
            }
            _ => Vec::new(),
        };
        if let SegKind::Scan(_) = kind {
            results = results.into_iter().map(|held| Held::Flat(flat(b, held.array()))).collect();
        }
        let rest = mapped.iter().zip(&map.ret[kind.operands()..]).map(|(held, ty)| match held {
            Held::Whole(array) if !matches!(ty, Type::Acc(_)) => {
                let flat = flat(b, *array);
                if self.shared.borrow().contains(array) {
                    self.shared.borrow_mut().insert(flat);
                }
                Held::Flat(flat)
            }
            held => held.clone(),
        });
        results.extend(rest);
        results
    }

    /// What is reduced at each point: the last of what a scan has made of its elements, or the neutral element.
    fn last_of_each(&self, b: &mut Builder, segments: &Segments, ops: &[Operator], scanned: &[Var]) -> Vec<Held> {
        let neutral: Vec<SubExp> = ops.iter().flat_map(|op| op.neutral.iter().copied()).collect();
        let types: Vec<Type> = ops.iter().flat_map(|op| op.lambda.ret.iter().cloned()).collect();
        let body = b.inner(|b| {
            let [start, size] = [segments.starts, segments.sizes].map(|array| b.index(array, &self.here()).into());
            let some = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[SubExp::i64(0), size]);
            let yes = b.inner(|b| {
                let end = b.int(BinOp::Add, start, size);
                let last = b.int(BinOp::Sub, end, SubExp::i64(1));
                scanned.iter().map(|array| b.index(*array, &[last]).into()).collect()
            });
            let no = Body { stms: Vec::new(), result: neutral };
            b.let_many("last", Exp::If { cond: some, yes, no }).into_iter().map(SubExp::from).collect()
        });
        self.kernel(b, SegKind::Map, body, &types).into_iter().map(Held::Whole).collect()
    }

    /// The nest over the elements of arrays of a type, and an element's indices.
    pub(super) fn over_elements_of(&mut self, b: &mut Builder, ty: &Type) -> (Nest, Vec<SubExp>) {
        if self.is_invariant(ty) {
            return self.extended(b, ty.shape());
        }
        let segments = self.segments(b, ty.shape());
        self.inside(b, &segments, ty.shape())
    }

    /// An array at all points, by what its element at some indices is.
    pub(super) fn by_element(
        &mut self,
        b: &mut Builder,
        ty: &Type,
        element: impl FnOnce(&mut Builder, &[SubExp]) -> SubExp,
    ) -> Held {
        let (nest, at) = self.over_elements_of(b, ty);
        let body = b.inner(|b| vec![element(b, &at)]);
        let elem = Type::Scalar(ty.elem().unwrap_or(ScalarType::Bool));
        let made = nest.kernel(b, SegKind::Map, body, &[elem])[0];
        if self.is_invariant(ty) { Held::Whole(made) } else { Held::Flat(made) }
    }

    /// The values of a variable in the prelude, of a size of its own at each point.
    pub(super) fn flat_of(&mut self, b: &mut Builder, v: Var, ty: &Type) -> Held {
        match self.flats.get(&v) {
            Some(array) => Held::Flat(*array),
            None => self.by_element(b, ty, |b, at| b.index(v, at).into()),
        }
    }

    /// Later kernels find this variable of the nest in a flat array.
    pub(super) fn store_flat(&mut self, b: &mut Builder, pat: Binder, array: Var) {
        let dims = pat.ty.shape().to_vec();
        let segments = self.segments(b, &dims);
        self.flats.insert(pat.var, array);
        self.remember_view(b, pat, array, |b, here| b.index(segments.starts, here).into());
    }

    /// Later kernels find this variable of the nest in an array, from what another one says on.
    pub(super) fn store_placed(&mut self, b: &mut Builder, pat: Binder, array: Var, places: Var) {
        self.remember_view(b, pat, array, |b, here| b.index(places, here).into());
    }

    /// Later kernels find this variable of the nest where its loop has it.
    pub(super) fn keep(&mut self, b: &mut Builder, pat: Binder, home: Home) {
        match &home.place {
            Place::Row(indices) => self.remember_row(b, pat.clone(), home.array, indices.clone()),
            Place::From(start) => self.remember_view(b, pat.clone(), home.array, |_, _| *start),
        }
        self.homes.retain(|_, old| old.origin != home.origin);
        self.homes.insert(pat.var, home);
    }

    /// A variable that is a view of a flat array at each point, from an offset on; what may be consumed is a copy.
    fn remember_view(
        &mut self,
        b: &mut Builder,
        pat: Binder,
        array: Var,
        offset: impl FnOnce(&mut Builder, &[SubExp]) -> SubExp,
    ) {
        let consumed = self.consumed.may_be_consumed(pat.var);
        let view = if consumed { b.vars.fresh(pat.name.clone(), pat.ty.clone()) } else { pat.clone() };
        let here = self.here();
        let found = b.inner(|b| {
            let offset = offset(b, &here);
            let mut stride = SubExp::i64(1);
            let mut dims = Vec::new();
            for size in pat.ty.shape().iter().rev() {
                dims.insert(0, (*size, stride));
                if dims.len() < pat.ty.rank() {
                    stride = b.int(BinOp::Mul, stride, (*size).into());
                }
            }
            b.bind(vec![view.clone()], Exp::FlatIndex { array, offset, dims });
            if consumed {
                b.bind(vec![pat], Exp::Copy(view.var));
            }
            Vec::new()
        });
        found.stms.into_iter().for_each(|stm| self.remember(stm));
    }

    /// Stores arrays of sizes of their own at each point that sequential code has made, in rows of the greatest size.
    pub(super) fn store_padded(&mut self, b: &mut Builder, run: &[&Stm], pats: &[Binder]) {
        let mut rows = Vec::new();
        for pat in pats {
            let segments = self.segments(b, pat.ty.shape());
            let in_order = flat(b, segments.sizes);
            let n = b.vars.ty(in_order).shape()[0];
            let max = b.operator(Prim::Bin(BinOp::Max, ScalarType::I64), Scalar::I64(0));
            let most = over(b, n, SegKind::Reduce(vec![max]), &[Type::I64], |b, i| {
                vec![b.index(in_order, &[i.into()]).into()]
            })[0];
            rows.push((pat, pat.ty.elem().unwrap_or(ScalarType::Bool), Dim::Var(most)));
        }
        let stms: Vec<Stm> = run.iter().map(|stm| (*stm).clone()).collect();
        let body = b.inner(|b| {
            b.stms = stms;
            let mut results = Vec::new();
            for (pat, elem, most) in &rows {
                let flat = flat(b, pat.var);
                let count = b.vars.ty(flat).shape()[0];
                let row = b.let_one("row", Exp::Replicate { shape: vec![*most], value: elem.zero().into() });
                let slice = vec![SliceDim::Range { start: SubExp::i64(0), count, stride: SubExp::i64(1) }];
                results.push(b.let_one("row", Exp::UpdateSlice { array: row, slice, value: flat }).into());
            }
            results
        });
        let types: Vec<Type> = rows.iter().map(|(_, elem, most)| Type::Array(*elem, vec![*most])).collect();
        let stored = self.kernel(b, SegKind::Map, body, &types);
        for ((pat, ..), array) in rows.into_iter().zip(stored) {
            let row_ty = b.vars.ty(array).clone();
            let row_ty =
                Type::Array(row_ty.elem().unwrap_or(ScalarType::Bool), row_ty.shape()[self.space.len()..].to_vec());
            let row = b.vars.fresh("row", row_ty);
            self.remember(plain(row.clone(), Exp::Index { array, indices: self.here() }, b.prov));
            self.remember_view(b, pat.clone(), row.var, |_, _| SubExp::i64(0));
        }
    }
}

/// The element at some indices of what a statement makes.
fn element(b: &mut Builder, stm: &Stm, at: &[SubExp]) -> SubExp {
    match &stm.exp {
        Exp::Copy(array) | Exp::Manifest { array, .. } => b.index(*array, at).into(),
        Exp::Replicate { shape, value } => match value {
            SubExp::Var(v) => b.index(*v, &at[shape.len()..]).into(),
            value => *value,
        },
        Exp::Concat { arrays, .. } => part(b, arrays, at),
        // mutant off by one: nothing else is made by its elements
        _ => SubExp::i64(0),
    }
}

/// The element at some indices of arrays laid one after the other.
fn part(b: &mut Builder, arrays: &[Var], at: &[SubExp]) -> SubExp {
    match arrays {
        // mutant off by one: a concatenation has an array, and the last one is the next case
        [] => SubExp::i64(0),
        [array] => b.index(*array, at).into(),
        [array, rest @ ..] => {
            let size = SubExp::from(b.vars.ty(*array).shape()[0]);
            let cond = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[at[0], size]);
            let yes = b.inner(|b| vec![b.index(*array, at).into()]);
            let no = b.inner(|b| {
                let mut at = at.to_vec();
                at[0] = b.int(BinOp::Sub, at[0], size);
                vec![part(b, rest, &at)]
            });
            b.let_one("x", Exp::If { cond, yes, no }).into()
        }
    }
}

/// Scans with operators inside of each segment: one scan with an operator that begins anew where a segment does.
fn segmented_scan(b: &mut Builder, segments: &Segments, ops: &[Operator], arrays: &[Var]) -> Vec<Var> {
    let types: Vec<Type> = ops.iter().flat_map(|op| op.lambda.ret.iter().cloned()).collect();
    let flag = Type::Scalar(ScalarType::Bool);
    let ret: Vec<Type> = std::iter::once(flag).chain(types).collect();
    let params: Vec<(&str, Type)> = ret.iter().chain(&ret).map(|ty| ("x", ty.clone())).collect();
    let lambda = b.lambda(&params, |b, params| {
        let (left, right) = params.split_at(ret.len());
        let either = b.prim_op(Prim::Bin(BinOp::Or, ScalarType::Bool), &[left[0].into(), right[0].into()]);
        let yes = Body { stms: Vec::new(), result: right[1..].iter().map(|v| (*v).into()).collect() };
        let no = b.inner(|b| {
            let (mut results, mut first) = (Vec::new(), 1);
            for op in ops {
                let own = first..first + op.neutral.len();
                first = own.end;
                let operands: Vec<SubExp> = left[own.clone()].iter().chain(&right[own]).map(|v| (*v).into()).collect();
                let body = applied(&op.lambda, &operands, b.vars);
                results.extend(b.splice(body));
            }
            results
        });
        let folded = b.let_many("x", Exp::If { cond: right[0].into(), yes, no });
        std::iter::once(either).chain(folded.into_iter().map(SubExp::from)).collect()
    });
    let neutral: Vec<SubExp> = ops.iter().flat_map(|op| op.neutral.iter().copied()).collect();
    let neutral = std::iter::once(Scalar::Bool(false).into()).chain(neutral).collect();
    let op = Operator { lambda, neutral, commutative: false };
    let scanned = over(b, segments.total, SegKind::Scan(vec![op]), &ret, |b, k| {
        let owner = b.index(segments.owners, &[k.into()]);
        let start = b.index(segments.starts_in_order, &[owner.into()]);
        let begins = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[k.into(), start.into()]);
        std::iter::once(begins).chain(arrays.iter().map(|array| b.index(*array, &[k.into()]).into())).collect()
    });
    scanned[1..].to_vec()
}
