//! What the points of a nest write to places that they work out: scatters and accumulators of each point's own are one of all points.

use super::control::is_worth_kernels;
use super::irregular::{Held, row_major};
use super::nest::{Nest, plain};
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

/// How places in the destination of a point become places in that of all.
#[derive(Clone)]
enum Way {
    /// The point's indices come first.
    Rows(Vec<SubExp>),
    /// They are counted from here on, in an array of these sizes.
    From(SubExp, Vec<Dim>),
}

impl Way {
    fn place(&self, b: &mut Builder, at: &[SubExp]) -> Vec<SubExp> {
        let (start, dims) = match self {
            Way::Rows(point) => return [point, at].concat(),
            Way::From(start, dims) => (*start, dims),
        };
        let inside = b.in_range(at, dims);
        let place = row_major(b, dims, at);
        let place = b.int(BinOp::Add, start, place);
        vec![b.prim_op(Prim::Select(ScalarType::I64), &[inside, place, SubExp::i64(-1)])]
    }
}

/// Gives the updates of accumulators places in those of all points. The accumulators are other variables then, of other types; all others stay, as it is known of them what may be consumed.
struct Places<'a> {
    vars: &'a mut Vars,
    /// By the accumulator's certificate, the shape of that of all points.
    shapes: HashMap<Var, (Vec<Dim>, Way)>,
    /// What the accumulators have become.
    accs: HashMap<Var, Var>,
}

impl VisitMut for Places<'_> {
    fn var(&mut self, v: &mut Var) {
        *v = *self.accs.get(v).unwrap_or(v);
    }
    fn ty(&mut self, ty: &mut Type) {
        if let Type::Acc(acc) = ty
            && let Some((shape, _)) = self.shapes.get(&acc.id)
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
                && let Some((_, way)) = self.shapes.get(&ty.id)
            {
                let mut b = Builder::new(self.vars, stm.prov);
                *indices = way.place(&mut b, indices);
                body.stms.extend(b.stms);
            }
            body.stms.push(stm);
        }
        body.result.iter_mut().for_each(|e| self.subexp(e));
    }
}

impl Nest {
    /// The destination of all points for one of each that has this shape, and how places become places there: the array is a copy if the nest has it for something else, too.
    fn of_all(&mut self, b: &mut Builder, array: Var, shape: &[Dim]) -> (Vec<Dim>, Var, Way) {
        if self.is_invariant(b.vars.ty(array)) {
            self.settle(b, array);
            let shape = [&self.dims(), shape].concat();
            return (shape, self.own_array(b, array), Way::Rows(self.here()));
        }
        let parts = self.in_order(b, array.into());
        let parts = b.let_one("own", Exp::Copy(parts));
        let segments = self.segments(b, shape);
        let start = b.vars.fresh("start", Type::I64);
        let way = Way::From(start.var.into(), shape.to_vec());
        let indices = self.here();
        self.remember(plain(start, Exp::Index { array: segments.starts, indices }, b.prov));
        (b.vars.ty(parts).shape().to_vec(), parts, way)
    }

    /// Whether there is a destination of all points for one of such an array.
    fn has_one_of_all(&self, b: &Builder, array: Var, shape: &[Dim]) -> bool {
        let ty = b.vars.ty(array);
        // rows of sizes of their own have no place
        self.is_invariant(ty) || ty.rank() == shape.len()
    }

    /// What each point of this nest writes to is one of all; the function gives places in that.
    pub(super) fn whole(&mut self, b: &mut Builder, dests: &[ScatterDest], map: &mut Lambda) -> Vec<ScatterDest> {
        if self.space.is_empty() {
            return dests.to_vec();
        }
        let (mut all, mut ways) = (Vec::new(), Vec::new());
        for dest in dests {
            let (shape, array, way) = self.of_all(b, dest.array, &dest.shape);
            all.push(ScatterDest { shape, array });
            ways.push(way);
        }
        let (old, mut first) = (map.body.result.clone(), 0);
        let mut placed = b.inner(|b| {
            let mut places = Vec::new();
            for (dest, way) in dests.iter().zip(&ways) {
                places.extend(way.place(b, &old[first..first + dest.shape.len()]));
                first += dest.shape.len();
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
        let regular: Vec<bool> = dests.iter().map(|d| self.is_invariant(b.vars.ty(d.array))).collect();
        let dests = self.whole(b, &dests, &mut map);
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
        let made = nest.kernel(b, SegKind::Write(dests), body, &map.ret);
        let held = regular
            .iter()
            .zip(made)
            .map(|(regular, array)| if *regular { Held::Whole(array) } else { Held::Flat(array) });
        held.collect()
    }

    /// Whether a statement has accumulators of each point's own, with something worth a kernel, that can be one of all points.
    pub(super) fn is_accumulated(&self, b: &Builder, stm: &Stm) -> bool {
        let Exp::WithAcc(w) = &stm.exp else { return false };
        let fits = |input: &AccInput| {
            let op = &input.op;
            let known = self.is_invariant(&op.lambda) && op.neutral.iter().all(|e| self.is_invariant(e));
            known && input.arrays.iter().all(|v| self.has_one_of_all(b, *v, &input.shape))
        };
        let others = &w.lambda.ret[w.inputs.len()..];
        let regular = |ty: &Type| matches!(ty, Type::Scalar(_) | Type::Array(..)) && self.is_invariant(ty);
        w.inputs.iter().all(fits) && others.iter().all(regular) && is_worth_kernels(&w.lambda.body)
    }

    /// Accumulators of all points, and what the points make with them.
    pub(super) fn accumulate(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Held> {
        let Exp::WithAcc(w) = &stm.exp else { return Vec::new() };
        let (mut inputs, mut regular, mut shapes) = (Vec::new(), Vec::new(), HashMap::default());
        let n = w.inputs.len();
        for (input, id) in w.inputs.iter().zip(&w.lambda.params) {
            let mut arrays = Vec::new();
            for array in &input.arrays {
                regular.push(self.is_invariant(b.vars.ty(*array)));
                let (shape, array, way) = self.of_all(b, *array, &input.shape);
                arrays.push(array);
                shapes.insert(id.var, (shape, way));
            }
            let shape = shapes.get(&id.var).map(|(shape, _)| shape.clone()).unwrap_or_default();
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
        regular.resize(made.len(), true);
        let held = regular
            .iter()
            .zip(made)
            .map(|(regular, array)| if *regular { Held::Whole(array) } else { Held::Flat(array) });
        held.collect()
    }
}
