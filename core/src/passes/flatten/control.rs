//! Loops and branches in a nest: what is parallel in them is made for all points at once.

use super::irregular::{Segments, flat, over};
use super::nest::Nest;
use super::rows;
use crate::ir::build::Builder;
use crate::ir::visit::{Node, Visit, free_vars, walk_exp};
use crate::ir::*;

// Note [Interchange]
// ~~~~~~~~~~~~~~~~~~
// A loop whose number of rounds is the same at all points is the host's; what it carries is an array over the nest, and each round a nest of its own (digest 004, rule G7). An update of
// what the loop carries is written where it stands: a copy each round would be more work than the program says.
//
// Of a loop whose number of rounds differs the host keeps a list of the points that still go round, and each round is a nest over these. What the loop carries is written back to each
// point's own place after each round, so that a point costs nothing any more when it has left.
//
// Of a branch whose condition differs from point to point each side is a nest over the points that take it, which are segments of one element or none (irregular.rs, Note [Segments]);
// then each point takes its results from where its side has left them.

/// SOACs of no more rows than these are worth no kernel.
pub(super) const FEW: i64 = 32;

/// Whether a SOAC of this width is worth no kernel.
pub(super) fn is_small(width: Dim) -> bool {
    matches!(width, Dim::Const(..=FEW))
}

/// Whether there is anything in code that is worth a kernel.
pub(super) fn is_worth_kernels(code: &dyn Node) -> bool {
    struct Worth(bool);
    impl Visit for Worth {
        fn exp(&mut self, e: &Exp) {
            self.0 |= rows(e).is_some_and(|(rows, _)| !is_small(rows.width)) || matches!(e, Exp::Apply { .. });
            walk_exp(self, e);
        }
    }
    let mut worth = Worth(false);
    code.visit(&mut worth);
    worth.0
}

/// A function without parameters.
fn closed(body: &Body, ret: Vec<Type>) -> Lambda {
    Lambda { params: Vec::new(), ret, body: body.clone() }
}

impl Nest {
    /// Whether a loop, or a branch, is taken apart: Note [Interchange].
    pub(super) fn is_taken_apart(&self, stm: &Stm) -> bool {
        let params: &[LoopParam] = if let Exp::Loop { params, .. } = &stm.exp { params } else { &[] };
        let own: Vec<Var> = params.iter().map(|p| &p.binder).chain(&stm.pat).map(|b| b.var).collect();
        // neither a size that differs from point to point nor one that comes with the array
        let plain = |ty: &Type| {
            let sized = self.is_invariant(ty) && free_vars(ty).iter().all(|v| !own.contains(v));
            matches!(ty, Type::Scalar(_) | Type::Array(..)) && sized
        };
        match &stm.exp {
            Exp::Loop { params, form, body } => {
                let kept = |p: &LoopParam| self.is_uniform(form) || !p.unique;
                params.iter().all(|p| plain(&p.binder.ty) && kept(p)) && is_worth_kernels(body)
            }
            Exp::If { yes, no, .. } => {
                stm.pat.iter().all(|p| plain(&p.ty)) && (is_worth_kernels(yes) || is_worth_kernels(no))
            }
            _ => false,
        }
    }

    /// Whether a loop has as many rounds at all points.
    fn is_uniform(&self, form: &LoopForm) -> bool {
        matches!(form, LoopForm::For { bound, .. } if self.is_invariant(bound))
    }

    /// Whether a statement replaces a part of an array that is worth a kernel, or an element of what a loop of the host carries.
    pub(super) fn is_written(&self, b: &Builder, stm: &Stm) -> bool {
        let (array, value) = match &stm.exp {
            Exp::Update { array, value, .. } => (*array, *value),
            Exp::UpdateSlice { array, value, .. } => (*array, SubExp::from(*value)),
            _ => return false,
        };
        let value = b.vars.type_of(value);
        let carried = || self.looped && value.rank() == 0 && matches!(self.row_of(array), Some((_, true)));
        self.is_by_element(b.vars.ty(array)) && self.is_invariant(&value) || self.lifted.is_some() && carried()
    }

    /// The host's arrays for the results of a statement that [`Nest::is_taken_apart`].
    pub(super) fn take_apart(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Var> {
        match &stm.exp {
            Exp::Loop { params, form, body } => match form {
                LoopForm::For { index, bound } if self.is_uniform(form) => {
                    self.interchange(b, params, (index, *bound), body)
                }
                form => self.go_round(b, params, form, body),
            },
            Exp::If { cond, yes, no } => self.partition(b, *cond, [yes, no], &stm.pat),
            _ => Vec::new(),
        }
    }

    fn interchange(
        &mut self,
        b: &mut Builder,
        params: &[LoopParam],
        (index, bound): (&Binder, SubExp),
        body: &Body,
    ) -> Vec<Var> {
        let space = self.dims();
        let mut carried = Vec::new();
        for p in params {
            let init = match (p.unique, p.init) {
                (true, SubExp::Var(v)) => {
                    self.settle(b, v);
                    self.own_array(b, v)
                }
                (_, init) => self.everywhere(b, init, &p.binder.ty),
            };
            let binder = b.vars.fresh(p.binder.name.clone(), p.binder.ty.array_of(&space));
            carried.push(LoopParam { binder, unique: p.unique, init: init.into() });
        }
        let first = b.vars.count();
        let mut nest = self.clone();
        nest.looped = true;
        for (p, array) in params.iter().zip(&carried) {
            let here = nest.here();
            nest.remember_row(b, p.binder.clone(), array.binder.var, here);
        }
        let ret = params.iter().map(|p| p.binder.ty.clone()).collect();
        let round = b.inner(|b| {
            let mut map = closed(body, ret);
            nest.prepare(b, &mut map.body);
            let points = nest.points(b, &map);
            let mut results: Vec<SubExp> = Vec::new();
            for (held, p) in points.iter().zip(&carried) {
                let array = held.array();
                // what another result is, too, or what there was before, is copied for who consumes it
                // mutant comparison: the first variable of a round is no array
                let shared = array != p.binder.var && array.0 < first || results.contains(&array.into());
                results.push(match p.unique && shared {
                    true => b.let_one("own", Exp::Copy(array)).into(),
                    false => array.into(),
                });
            }
            results
        });
        let pats: Vec<Binder> =
            carried.iter().map(|p| b.vars.fresh(p.binder.name.clone(), p.binder.ty.clone())).collect();
        let results = pats.iter().map(|p| p.var).collect();
        // what is there after no round, and what changes places, is another array, too
        let shared = pats.iter().zip(params).filter(|(_, p)| !p.unique).map(|(pat, _)| pat.var);
        self.shared.borrow_mut().extend(shared);
        let form = LoopForm::For { index: index.clone(), bound };
        b.bind(pats, Exp::Loop { params: carried, form, body: round });
        results
    }

    /// Whether points go round again, as the number of segments of one element or none: by a `bool` of each.
    fn going(&self, b: &mut Builder, space: Vec<Dim>, goes: Var) -> Segments {
        let n = b.vars.ty(goes).shape()[0];
        let sizes = over(b, n, SegKind::Map, &[Type::I64], |b, i| {
            let cond = b.index(goes, &[i.into()]).into();
            let [yes, no] = [1, 0].map(|n| Body { stms: Vec::new(), result: vec![SubExp::i64(n)] });
            vec![b.let_one("one", Exp::If { cond, yes, no }).into()]
        })[0];
        Segments::new(b, space, sizes)
    }

    fn go_round(&mut self, b: &mut Builder, params: &[LoopParam], form: &LoopForm, body: &Body) -> Vec<Var> {
        let space = self.dims();
        let bool = Type::Scalar(ScalarType::Bool);
        let less = |ty: &Type| Prim::Cmp(CmpOp::Lt, ty.elem().unwrap_or(ScalarType::I64));
        // whether a point begins at all
        let begins = b.inner(|b| match form {
            LoopForm::While(cond) => params.iter().filter(|p| p.binder.var == *cond).map(|p| p.init).collect(),
            LoopForm::For { index, bound } => {
                let zero = index.ty.elem().unwrap_or(ScalarType::I64).zero();
                vec![b.prim_op(less(&index.ty), &[zero.into(), *bound])]
            }
        });
        let begins = self.kernel(b, SegKind::Map, begins, std::slice::from_ref(&bool))[0];
        let begins = flat(b, begins);
        let n = b.vars.ty(begins).shape()[0];
        let at_first = self.going(b, vec![n], begins);
        let mut carried = Vec::new();
        for p in params {
            let body = Body { stms: Vec::new(), result: vec![p.init] };
            let init = self.kernel(b, SegKind::Map, body, std::slice::from_ref(&p.binder.ty))[0];
            let binder = b.vars.fresh(p.binder.name.clone(), p.binder.ty.array_of(&space));
            carried.push(LoopParam { binder, unique: true, init: init.into() });
        }
        let some =
            |b: &mut Builder, n: Dim| b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[SubExp::i64(0), n.into()]);
        let of_host = |b: &mut Builder, name: &str, ty: Type, init: SubExp| LoopParam {
            binder: b.vars.fresh(name, ty),
            unique: false,
            init,
        };
        let goes = some(b, at_first.total);
        let goes = of_host(b, "goes", bool, goes);
        let count = of_host(b, "count", Type::I64, at_first.total.into());
        let (more, left) = (goes.binder.var, Dim::Var(count.binder.var));
        let points = of_host(b, "points", Type::I64.array_of(&[left]), at_first.owners.into());
        let active = points.binder.var;
        let (mut nest, k) = self.chosen(b, active, left);
        for (p, array) in params.iter().zip(&carried) {
            nest.remember_row(b, p.binder.clone(), array.binder.var, self.here());
        }
        let ret: Vec<Type> = params.iter().map(|p| p.binder.ty.clone()).collect();
        let mut rounds = vec![goes, count, points];
        if let LoopForm::For { index, .. } = form {
            let init = index.ty.elem().unwrap_or(ScalarType::I64).zero().into();
            rounds.push(LoopParam { binder: index.clone(), unique: false, init });
        }
        let round = b.inner(|b| {
            let mut map = closed(body, ret.clone());
            nest.prepare(b, &mut map.body);
            let made: Vec<Var> = nest.points(b, &map).into_iter().map(|held| held.array()).collect();
            let next = match form {
                LoopForm::While(cond) => params.iter().zip(&made).find(|(p, _)| p.binder.var == *cond).map(|(_, a)| *a),
                LoopForm::For { .. } => None,
            };
            let mut counted = None;
            let next = match (next, form) {
                (None, LoopForm::For { index, bound }) => {
                    let elem = index.ty.elem().unwrap_or(ScalarType::I64);
                    let after = b.prim_op(Prim::Bin(BinOp::Add, elem), &[index.var.into(), elem.one().into()]);
                    counted = Some(after);
                    let goes = b.inner(|b| vec![b.prim_op(less(&index.ty), &[after, *bound])]);
                    nest.kernel(b, SegKind::Map, goes, &[Type::Scalar(ScalarType::Bool)])[0]
                }
                (next, _) => next.unwrap_or(active),
            };
            let going = nest.going(b, vec![left], next);
            let still = over(b, going.total, SegKind::Map, &[Type::I64], |b, i| {
                let owner = b.index(going.owners, &[i.into()]);
                vec![b.index(active, &[owner.into()]).into()]
            })[0];
            let mut results = vec![some(b, going.total), going.total.into(), still.into()];
            results.extend(counted);
            for ((array, made), ty) in carried.iter().zip(&made).zip(&ret) {
                let own = b.inner(|b| {
                    let own = b.index(*made, &[k.into()]).into();
                    self.here().into_iter().chain([own]).collect()
                });
                let kind = SegKind::Write(vec![ScatterDest { shape: space.clone(), array: array.binder.var }]);
                let types: Vec<Type> = space.iter().map(|_| Type::I64).chain([ty.clone()]).collect();
                results.push(nest.kernel(b, kind, own, &types)[0].into());
            }
            results
        });
        let mut pats: Vec<Binder> = Vec::new();
        let after = b.vars.fresh("count", Type::I64);
        for (i, p) in rounds.iter().chain(&carried).enumerate() {
            pats.push(match i {
                1 => after.clone(),
                2 => b.vars.fresh("points", Type::I64.array_of(&[Dim::Var(after.var)])),
                _ => b.vars.fresh(p.binder.name.clone(), p.binder.ty.clone()),
            });
        }
        let results = pats[rounds.len()..].iter().map(|p| p.var).collect();
        let params = rounds.into_iter().chain(carried).collect();
        b.bind(pats, Exp::Loop { params, form: LoopForm::While(more), body: round });
        results
    }

    /// A value at all points.
    pub(super) fn everywhere(&mut self, b: &mut Builder, e: SubExp, ty: &Type) -> Var {
        let stored = self.stored_in(e);
        stored.unwrap_or_else(|| {
            let body = Body { stms: Vec::new(), result: vec![e] };
            self.kernel(b, SegKind::Map, body, std::slice::from_ref(ty))[0]
        })
    }

    fn partition(&mut self, b: &mut Builder, cond: SubExp, sides: [&Body; 2], pats: &[Binder]) -> Vec<Var> {
        let bool = Type::Scalar(ScalarType::Bool);
        let holds = self.everywhere(b, cond, &bool);
        let space = self.dims();
        let ret: Vec<Type> = pats.iter().map(|p| p.ty.clone()).collect();
        let mut made = Vec::new();
        for (side, taken) in sides.into_iter().zip([1, 0]) {
            let one_each = b.inner(|b| {
                let holds = b.index(holds, &self.here());
                let [yes, no] = [taken, 1 - taken].map(|n| Body { stms: Vec::new(), result: vec![SubExp::i64(n)] });
                vec![b.let_one("taken", Exp::If { cond: holds.into(), yes, no }).into()]
            });
            let sizes = self.kernel(b, SegKind::Map, one_each, &[Type::I64])[0];
            let segments = Segments::new(b, space.clone(), sizes);
            let (nest, _) = self.inside(b, &segments, &[]);
            let mut map = closed(side, ret.clone());
            nest.prepare(b, &mut map.body);
            let points: Vec<Var> = nest.points(b, &map).into_iter().map(|held| held.array()).collect();
            made.push((segments, points));
        }
        let body = b.inner(|b| {
            let holds = b.index(holds, &self.here());
            let mut bodies = made.iter().map(|(segments, points)| {
                b.inner(|b| {
                    let own = b.index(segments.starts, &self.here());
                    points.iter().map(|array| b.index(*array, &[own.into()]).into()).collect()
                })
            });
            let (yes, no) = (bodies.next().unwrap_or_default(), bodies.next().unwrap_or_default());
            let cond = holds.into();
            b.let_many("side", Exp::If { cond, yes, no }).into_iter().map(SubExp::from).collect()
        });
        self.kernel(b, SegKind::Map, body, &ret)
    }

    /// A part of an array replaced at all points, where it stands.
    pub(super) fn write(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Var> {
        let (array, value) = match &stm.exp {
            Exp::Update { array, value, .. } => (*array, *value),
            Exp::UpdateSlice { array, value, .. } => (*array, SubExp::from(*value)),
            _ => return Vec::new(),
        };
        let dims = self.dims();
        self.settle(b, array);
        let whole = self.own_array(b, array);
        let shape = b.vars.type_of(value).shape().to_vec();
        let (nest, at) = self.extended(b, &shape);
        let body = b.inner(|b| {
            let place = place(b, &stm.exp, &at);
            let value = value.as_var().filter(|_| !at.is_empty()).map_or(value, |v| b.index(v, &at).into());
            self.here().into_iter().chain(place).chain([value]).collect()
        });
        let shape = [&dims, b.vars.ty(array).shape()].concat();
        let ret: Vec<Type> = body.result.iter().map(|e| b.vars.type_of(*e)).collect();
        let kind = SegKind::Write(vec![ScatterDest { shape, array: whole }]);
        nest.kernel(b, kind, body, &ret)
    }
}

/// Where an element of what replaces a part of an array is in that.
fn place(b: &mut Builder, update: &Exp, at: &[SubExp]) -> Vec<SubExp> {
    let mut at = at.iter().copied();
    let mut place = Vec::new();
    match update {
        Exp::Update { indices, .. } => place.extend_from_slice(indices),
        Exp::UpdateSlice { slice, .. } => {
            for dim in slice {
                place.push(match dim {
                    SliceDim::Fix(i) => *i,
                    SliceDim::Range { start, stride, .. } => {
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
