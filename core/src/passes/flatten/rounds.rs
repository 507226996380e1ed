//! Loops in a nest, whose rounds are the host's: each is a nest of its own (control.rs, Note [Interchange]).

use super::control::{binders, closed, is_sized_by, sized};
use super::irregular::{Held, Home, Place, Segments, as_dim, flat, over};
use super::nest::{Nest, apart, plain};
use crate::hash::HashMap;
use crate::ir::build::{Builder, fresh_pattern};
use crate::ir::*;

// Note [Arrays that grow and shrink]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// What a loop carries of a size of its own at each point is one flat array, in which all points' parts follow one another, with the number of its elements; the sizes are carried beside it, as
// the language has them. Where they are is found anew in each round (irregular.rs, Note [Segments]), which costs no more than making what is carried.
//
// Where the numbers of rounds differ, that array is of those points alone that still go round. A point that leaves puts its part behind those of the points that have left before, in an
// array of their own, and notes where it is. That array is as large as it needs to be, or up to twice that: one that is too small is copied into one of at least twice the size. So an element
// is moved a bounded number of times on average, however many rounds there are.

/// Where the host keeps what a loop carries, in the order of the loop's parameters.
enum Carried {
    /// An accumulator.
    Acc(LoopParam),
    /// An array over the nest.
    Whole(LoopParam),
    /// The parts of the points, one after the other, and how many elements those have.
    Flat { total: LoopParam, parts: LoopParam },
    /// The same of sizes that stay, of all points, and where each point's part begins: an array that is replaced in parts.
    Kept(LoopParam, Var),
}

impl Carried {
    fn params(&self) -> Vec<LoopParam> {
        match self {
            Carried::Acc(array) | Carried::Whole(array) | Carried::Kept(array, _) => vec![array.clone()],
            Carried::Flat { total, parts } => vec![total.clone(), parts.clone()],
        }
    }
}

/// What points have left behind that go round no more.
struct Left {
    /// How many elements there is room for.
    room: LoopParam,
    /// How many there are.
    used: LoopParam,
    /// The elements.
    parts: LoopParam,
    /// Where each point's part begins, over the nest.
    places: LoopParam,
}

fn carried(b: &mut Builder, name: &Name, ty: Type, unique: bool, init: Var) -> LoopParam {
    LoopParam { binder: b.vars.fresh(name.clone(), ty), unique, init: init.into() }
}

/// A number that the host's loop carries.
fn counted(b: &mut Builder, name: &str, init: SubExp) -> LoopParam {
    LoopParam { binder: b.vars.fresh(name, Type::I64), unique: false, init }
}

/// A flat array that the host's loop carries, and its size.
fn of_own_size(b: &mut Builder, name: &Name, unique: bool, init: Var) -> (LoopParam, LoopParam) {
    let size = b.vars.ty(init).shape()[0];
    let size = counted(b, "size", size.into());
    let array = carried(b, name, row(b, init, Dim::Var(size.binder.var)), unique, init);
    (size, array)
}

/// The type of so many elements of an array.
fn row(b: &Builder, array: Var, size: Dim) -> Type {
    Type::Array(b.vars.ty(array).elem().unwrap_or(ScalarType::Bool), vec![size])
}

/// What a loop of the host that carries this gives.
fn results(b: &mut Builder, params: &[LoopParam]) -> Vec<Binder> {
    fresh_pattern(b.vars, &binders(params))
}

/// Of what is carried by points, given by the numbers of their elements, the parts of those for which `goes` is so; and where these are.
fn parts_of(b: &mut Builder, all: &Segments, parts: Var, goes: Var, so: bool) -> (Segments, Var) {
    let sizes = flat(b, all.sizes);
    let n = b.vars.ty(sizes).shape()[0];
    let sizes = over(b, n, SegKind::Map, &[Type::I64], |b, i| {
        let size = b.index(sizes, &[i.into()]).into();
        let cond = b.index(goes, &[i.into()]).into();
        let [yes, no] = if so { [size, SubExp::i64(0)] } else { [SubExp::i64(0), size] };
        vec![b.prim_op(Prim::Select(ScalarType::I64), &[cond, yes, no])]
    })[0];
    let some = Segments::new(b, vec![n], sizes);
    let elem = Type::Scalar(b.vars.ty(parts).elem().unwrap_or(ScalarType::Bool));
    let own = over(b, some.total, SegKind::Map, &[elem], |b, k| {
        let owner = b.index(some.owners, &[k.into()]);
        let [from, start] = [all.starts_in_order, some.starts].map(|starts| b.index(starts, &[owner.into()]).into());
        let way = b.int(BinOp::Sub, k.into(), start);
        let place = b.int(BinOp::Add, from, way);
        vec![b.index(parts, &[place]).into()]
    })[0];
    (some, own)
}

/// Puts elements behind those that there are, with more room if that is needed: the room, how many there are then, and the array.
fn put_behind(b: &mut Builder, left: [SubExp; 2], parts: Var, more: Var) -> [SubExp; 3] {
    let [room, used] = left;
    let count = b.vars.ty(more).shape()[0];
    let zero = b.vars.ty(parts).elem().unwrap_or(ScalarType::Bool).zero().into();
    let after = b.int(BinOp::Add, used, count.into());
    let range = |start: SubExp, count: Dim| vec![SliceDim::Range { start, count, stride: SubExp::i64(1) }];
    let old = as_dim(used);
    let fits = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[after, room]);
    let yes = Body { stms: Vec::new(), result: vec![room, parts.into()] };
    let no = b.inner(|b| {
        let twice = b.int(BinOp::Add, room, room);
        let room = b.int(BinOp::Max, twice, after);
        let shape = vec![as_dim(room)];
        let array = b.let_one("larger", Exp::Replicate { shape, value: zero });
        let value = b.let_one("old", Exp::Slice { array: parts, slice: range(SubExp::i64(0), old) });
        let slice = range(SubExp::i64(0), old);
        vec![room, b.let_one("larger", Exp::UpdateSlice { array, slice, value }).into()]
    });
    let room = b.vars.fresh("room", Type::I64);
    let ty = row(b, parts, Dim::Var(room.var));
    let array = b.vars.fresh("left", ty);
    b.bind(vec![room.clone(), array.clone()], Exp::If { cond: fits, yes, no });
    let update = Exp::UpdateSlice { array: array.var, slice: range(used, count), value: more };
    [room.var.into(), after, b.let_one("left", update).into()]
}

impl Nest {
    /// An accumulator that a loop carries: all points have the same.
    fn carried_acc(&self, b: &mut Builder, p: &LoopParam) -> Carried {
        let init = p.init.as_var().and_then(|v| self.accs.get(&v).copied()).unwrap_or(p.init);
        let ty = b.vars.type_of(init);
        Carried::Acc(LoopParam { binder: b.vars.fresh(p.binder.name.clone(), ty), init, ..*p })
    }

    /// An array of the parts of all points for a loop that replaces parts of it, and where they begin.
    fn kept(&mut self, b: &mut Builder, p: &LoopParam) -> Carried {
        let parts = match p.init {
            SubExp::Var(v) => self.own_parts(b, v),
            init => self.in_order(b, init),
        };
        let ty = b.vars.ty(parts).clone();
        let starts = self.segments(b, b.vars.type_of(p.init).shape()).starts;
        Carried::Kept(carried(b, &p.binder.name, ty, true, parts), starts)
    }

    /// Later kernels of a round find what the loop carries in a flat array, which is not the round's own.
    fn store_carried(&mut self, b: &mut Builder, p: &LoopParam, parts: Var) {
        self.shared.borrow_mut().insert(parts);
        self.store_flat(b, p.binder.clone(), parts);
    }

    /// Later kernels of a round find what the loop carries at home: in an array of all points, from where `starts` says for the point `here`.
    fn at_home(&mut self, b: &mut Builder, p: &LoopParam, [array, starts]: [Var; 2], here: Vec<SubExp>) {
        let start = b.vars.fresh("start", Type::I64);
        let place = Place::From(start.var.into());
        self.remember(plain(start, Exp::Index { array: starts, indices: here }, b.prov));
        self.keep(b, p.binder.clone(), Home { array, place, origin: p.binder.var });
    }

    /// What a round makes for what the loop carries: of what is at home elsewhere a copy.
    fn made(&mut self, b: &mut Builder, body: &Body, params: &[LoopParam]) -> Vec<Held> {
        let mut map = closed(body, sized(&binders(params), &body.result));
        // mutant removal: a SOAC that is not split is sequential code of each point, with the same results
        self.prepare(b, &mut map.body);
        let points = self.points(b, &map);
        let each = points.into_iter().zip(params).map(|(held, p)| match held {
            Held::Home(home) if home.origin != p.binder.var => {
                let ty = b.vars.ty(home.origin).clone();
                let other = b.vars.fresh(p.binder.name.clone(), ty.clone());
                let mut nest = self.clone();
                nest.keep(b, other.clone(), home);
                match self.is_invariant(&ty) {
                    true => Held::Whole(nest.everywhere(b, other.var.into(), &ty)),
                    false => nest.flat_of(b, other.var, &ty),
                }
            }
            held => held,
        });
        each.collect()
    }

    /// A value at all points, one after the other.
    pub(super) fn in_order(&mut self, b: &mut Builder, e: SubExp) -> Var {
        let ty = b.vars.type_of(e);
        let held = match e {
            SubExp::Var(v) if !self.is_invariant(&ty) => self.flat_of(b, v, &ty).array(),
            e => self.everywhere(b, e, &ty),
        };
        flat(b, held)
    }

    /// A loop with as many rounds at all points.
    pub(super) fn interchange(
        &mut self,
        b: &mut Builder,
        params: &[LoopParam],
        (index, bound): (&Binder, SubExp),
        body: &Body,
    ) -> Vec<Held> {
        let (space, own) = (self.dims(), binders(params));
        let mut all = Vec::new();
        for p in params {
            let (name, ty) = (&p.binder.name, &p.binder.ty);
            all.push(if let Type::Acc(_) = ty {
                self.carried_acc(b, p)
            } else if self.is_regular(ty, &own) {
                let init = match (p.unique, p.init) {
                    (true, SubExp::Var(v)) => {
                        self.settle(b, v);
                        self.own_array(b, v)
                    }
                    (_, init) => self.everywhere(b, init, ty),
                };
                Carried::Whole(carried(b, name, ty.array_of(&space), p.unique, init))
            } else if p.unique && !is_sized_by(ty, &own) {
                self.kept(b, p)
            } else {
                let init = self.in_order(b, p.init);
                let (total, parts) = of_own_size(b, name, false, init);
                Carried::Flat { total, parts }
            });
        }
        let first = b.vars.count();
        let mut nest = Nest { homes: HashMap::default(), looped: true, ..self.clone() };
        let round = b.inner(|b| {
            for (p, kept) in params.iter().zip(&all) {
                let here = nest.here();
                match kept {
                    Carried::Acc(acc) => nest.accs.extend([(p.binder.var, acc.binder.var.into())]),
                    Carried::Whole(array) => nest.remember_row(b, p.binder.clone(), array.binder.var, here),
                    Carried::Flat { parts, .. } => nest.store_carried(b, p, parts.binder.var),
                    Carried::Kept(array, starts) => nest.at_home(b, p, [array.binder.var, *starts], here),
                }
            }
            let points = nest.made(b, body, params);
            let mut results: Vec<SubExp> = Vec::new();
            for (held, kept) in points.iter().zip(&all) {
                let array = held.array();
                match kept {
                    Carried::Acc(_) => results.push(array.into()),
                    Carried::Flat { .. } => {
                        let parts = flat(b, array);
                        results.extend([SubExp::from(b.vars.ty(parts).shape()[0]), parts.into()]);
                    }
                    Carried::Kept(p, _) => results.push(match held {
                        Held::Home(home) => home.array.into(),
                        held => {
                            // what was counted anew came to as much
                            let (shape, array) = (p.binder.ty.shape().to_vec(), flat(b, held.array()));
                            let parts = b.let_one("parts", Exp::Coerce { shape, array });
                            b.let_one("own", Exp::Copy(parts)).into()
                        }
                    }),
                    // what another result is, too, or what there was before, is copied for who consumes it
                    Carried::Whole(p) => {
                        // mutant comparison `array.0 < first`: the first variable of a round is no array
                        let shared = array != p.binder.var && array.0 < first || results.contains(&array.into());
                        results.push(match p.unique && shared {
                            true => b.let_one("own", Exp::Copy(array)).into(),
                            false => array.into(),
                        });
                    }
                }
            }
            results
        });
        let kept: Vec<LoopParam> = all.iter().flat_map(Carried::params).collect();
        let pats = results(b, &kept);
        // what is there after no round, and what changes places, is another array, too
        let shared = pats.iter().zip(&kept).filter(|(_, p)| !p.unique).map(|(pat, _)| pat.var);
        self.shared.borrow_mut().extend(shared);
        let mut made = pats.iter().map(|p| p.var);
        let held = all.iter().filter_map(|kept| match kept {
            Carried::Acc(_) | Carried::Whole(_) => made.next().map(Held::Whole),
            Carried::Flat { .. } => made.nth(1).map(Held::Flat),
            Carried::Kept(..) => made.next().map(Held::Flat),
        });
        let held = held.collect();
        let form = LoopForm::For { index: index.clone(), bound };
        b.bind(pats, Exp::Loop { params: kept, form, body: round });
        held
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

    /// Puts the parts of some points of this nest, given by their places in row-major order, where each of them has its own.
    fn put_parts(&self, b: &mut Builder, from: &Segments, parts: Var, points: Var, [array, starts]: [Var; 2]) -> Var {
        let starts = flat(b, starts);
        let shape = b.vars.ty(array).shape().to_vec();
        let kind = SegKind::Write(vec![ScatterDest { shape, array }]);
        let elem = Type::Scalar(b.vars.ty(parts).elem().unwrap_or(ScalarType::Bool));
        let put = over(b, from.total, kind, &[Type::I64, elem], |b, k| {
            let owner = b.index(from.owners, &[k.into()]);
            let begin = b.index(from.starts_in_order, &[owner.into()]).into();
            let point = b.index(points, &[owner.into()]);
            let start = b.index(starts, &[point.into()]).into();
            let way = b.int(BinOp::Sub, k.into(), begin);
            vec![b.int(BinOp::Add, start, way), b.index(parts, &[k.into()]).into()]
        })[0];
        apart(b);
        put
    }

    /// A loop whose number of rounds differs from point to point.
    pub(super) fn go_round(
        &mut self,
        b: &mut Builder,
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
    ) -> Vec<Held> {
        let (space, own) = (self.dims(), binders(params));
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
        let (mut all, mut lefts) = (Vec::new(), Vec::new());
        for p in params {
            let (name, ty) = (&p.binder.name, &p.binder.ty);
            if let Type::Acc(_) = ty {
                all.push(self.carried_acc(b, p));
                continue;
            }
            if self.is_regular(ty, &own) {
                let body = Body { stms: Vec::new(), result: vec![p.init] };
                let init = self.kernel(b, SegKind::Map, body, std::slice::from_ref(ty))[0];
                all.push(Carried::Whole(carried(b, name, ty.array_of(&space), true, init)));
                continue;
            }
            if p.unique && !is_sized_by(ty, &own) {
                all.push(self.kept(b, p));
                continue;
            }
            let parts = self.in_order(b, p.init);
            let segments = self.segments(b, b.vars.type_of(p.init).shape());
            let (_, going) = parts_of(b, &segments, parts, begins, true);
            let (total, going) = of_own_size(b, name, false, going);
            all.push(Carried::Flat { total, parts: going });
            let (left, gone) = parts_of(b, &segments, parts, begins, false);
            let places = match space.len() {
                1 => left.starts,
                _ => b.let_one("places", Exp::Reshape { shape: space.clone(), array: left.starts }),
            };
            let (room, parts) = of_own_size(b, name, true, gone);
            let used = counted(b, "used", left.total.into());
            let places = carried(b, &"places".into(), Type::I64.array_of(&space), true, places);
            lefts.push(Left { room, used, parts, places });
        }
        let some =
            |b: &mut Builder, n: Dim| b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[SubExp::i64(0), n.into()]);
        let goes = some(b, at_first.total);
        let goes = LoopParam { binder: b.vars.fresh("goes", bool.clone()), unique: false, init: goes };
        let (count, points) = of_own_size(b, &"points".into(), false, at_first.owners);
        let (more, many, active) = (goes.binder.var, Dim::Var(count.binder.var), points.binder.var);
        let (mut nest, k) = self.chosen(b, active, many);
        let mut rounds = vec![goes, count, points];
        if let LoopForm::For { index, .. } = form {
            let init = index.ty.elem().unwrap_or(ScalarType::I64).zero().into();
            rounds.push(LoopParam { binder: index.clone(), unique: false, init });
        }
        let round = b.inner(|b| {
            for (p, kept) in params.iter().zip(&all) {
                let here = self.here();
                match kept {
                    Carried::Acc(acc) => nest.accs.extend([(p.binder.var, acc.binder.var.into())]),
                    Carried::Whole(array) if p.unique => {
                        let (array, place) = (array.binder.var, Place::Row(here));
                        nest.keep(b, p.binder.clone(), Home { array, place, origin: p.binder.var });
                    }
                    Carried::Whole(array) => nest.remember_row(b, p.binder.clone(), array.binder.var, here),
                    Carried::Flat { parts, .. } => nest.store_carried(b, p, parts.binder.var),
                    Carried::Kept(array, starts) => nest.at_home(b, p, [array.binder.var, *starts], here),
                }
            }
            let made = nest.made(b, body, params);
            let rows = nest.laid_out(b, &own, &made);
            let (next, counted) = match form {
                LoopForm::While(cond) => {
                    let at = params.iter().position(|p| p.binder.var == *cond);
                    (at.map_or(active, |k| made[k].array()), None)
                }
                LoopForm::For { index, bound } => {
                    let elem = index.ty.elem().unwrap_or(ScalarType::I64);
                    let after = b.prim_op(Prim::Bin(BinOp::Add, elem), &[index.var.into(), elem.one().into()]);
                    let goes = b.inner(|b| vec![b.prim_op(less(&index.ty), &[after, *bound])]);
                    (nest.kernel(b, SegKind::Map, goes, std::slice::from_ref(&bool))[0], Some(after))
                }
            };
            let going = nest.going(b, vec![many], next);
            let still = over(b, going.total, SegKind::Map, &[Type::I64], |b, i| {
                let owner = b.index(going.owners, &[i.into()]);
                vec![b.index(active, &[owner.into()]).into()]
            })[0];
            let mut results = vec![some(b, going.total), going.total.into(), still.into()];
            results.extend(counted);
            // each active point's own value, at its own place
            let put = |b: &mut Builder, made: Var, array: Var, ty: &Type| {
                let own = b.inner(|b| {
                    let own = b.index(made, &[k.into()]).into();
                    self.here().into_iter().chain([own]).collect()
                });
                let kind = SegKind::Write(vec![ScatterDest { shape: space.clone(), array }]);
                let types: Vec<Type> = space.iter().map(|_| Type::I64).chain([ty.clone()]).collect();
                let put = nest.kernel(b, kind, own, &types)[0];
                apart(b);
                SubExp::Var(put)
            };
            let (mut behind, mut lefts) = (Vec::new(), lefts.iter());
            for ((kept, (held, row)), p) in all.iter().zip(made.iter().zip(rows)).zip(params) {
                let latest = |array: &LoopParam| *nest.latest.borrow().get(&p.binder.var).unwrap_or(&array.binder.var);
                match kept {
                    Carried::Acc(_) => results.push(held.array().into()),
                    Carried::Whole(_) | Carried::Kept(..) if matches!(held, Held::Home(_)) => {
                        results.push(held.array().into());
                    }
                    Carried::Whole(array) => results.push(put(b, held.array(), latest(array), &p.binder.ty)),
                    Carried::Kept(array, starts) => {
                        let Some((segments, parts)) = row else { continue };
                        results.push(self.put_parts(b, &segments, parts, active, [latest(array), *starts]).into());
                    }
                    Carried::Flat { .. } => {
                        let (Some((segments, parts)), Some(left)) = (row, lefts.next()) else { continue };
                        let (stay, own) = parts_of(b, &segments, parts, next, true);
                        results.extend([SubExp::from(stay.total), own.into()]);
                        let (leave, own) = parts_of(b, &segments, parts, next, false);
                        let used = left.used.binder.var.into();
                        let places = over(b, many, SegKind::Map, &[Type::I64], |b, i| {
                            let start = b.index(leave.starts, &[i.into()]).into();
                            vec![b.int(BinOp::Add, used, start)]
                        })[0];
                        let old = [left.room.binder.var.into(), used];
                        behind.extend(put_behind(b, old, left.parts.binder.var, own));
                        behind.push(put(b, places, left.places.binder.var, &Type::I64));
                    }
                }
            }
            results.extend(behind);
            results
        });
        let first = rounds.len();
        rounds.extend(all.iter().flat_map(Carried::params));
        let behind = rounds.len();
        rounds.extend(lefts.into_iter().flat_map(|left| [left.room, left.used, left.parts, left.places]));
        let pats = results(b, &rounds);
        let (mut made, mut gone) = (pats[first..behind].iter(), pats[behind..].chunks(4));
        let held = all.iter().filter_map(|kept| match kept {
            Carried::Acc(_) | Carried::Whole(_) => made.next().map(|p| Held::Whole(p.var)),
            Carried::Kept(..) => made.next().map(|p| Held::Flat(p.var)),
            Carried::Flat { .. } => {
                made.nth(1);
                gone.next().map(|left| Held::Placed(left[2].var, left[3].var))
            }
        });
        let held = held.collect();
        b.bind(pats, Exp::Loop { params: rounds, form: LoopForm::While(more), body: round });
        held
    }
}
