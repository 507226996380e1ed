//! A nest of maps in the making: its dimensions, what every kernel of it may need first, and its kernels.

use super::control::{FEW, is_worth_kernels};
use super::distribute::{is_choice, is_view};
use super::interchange::Constant;
use super::irregular::{Home, Segments, row_major};
use super::recursion::Calls;
use super::versions::Lifted;
use super::within::Within;
use super::{Known, Rows};
use crate::analysis::alias::Consumable;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, Vars};
use crate::ir::rename::renamed;
use crate::ir::visit::{Node, free_vars, substitute};
use crate::ir::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An open nest of maps.
#[derive(Clone, Default)]
pub(super) struct Nest {
    /// The dimensions.
    pub(super) space: Vec<(Binder, Dim)>,
    /// What every kernel of the nest may need first: the rows of the arrays mapped over, cheap statements, what earlier kernels stored.
    pub(super) prelude: Vec<Stm>,
    /// What is bound in the nest.
    pub(super) bound: HashSet<Var>,
    /// Accumulators bound in the nest, and the accumulators of the host that they are.
    pub(super) accs: HashMap<Var, SubExp>,
    /// Certificates of the nest's own checks that every kernel relies on.
    pub(super) required: Vec<Var>,
    /// Which arrays may be consumed.
    pub(super) groups: Rc<Consumable>,
    /// Which of them by the nest itself.
    pub(super) consumed: Rc<Consumable>,
    /// The functions that calls are left of.
    pub(super) calls: Rc<Calls>,
    /// The arrays that are known.
    pub(super) constants: Rc<HashMap<Var, Constant>>,
    /// How many variables there were when the nest was opened.
    pub(super) first: u32,
    /// If what has widths of its own at each point is to be made for all points at once: what has come of that.
    pub(super) lifted: Option<Rc<Lifted>>,
    /// If its points are to be groups': what has come of that.
    pub(super) within: Option<Rc<Within>>,
    /// The dimensions around sequential code that would be worth kernels.
    pub(super) sequential: Rc<RefCell<Vec<Vec<Dim>>>>,
    /// Whether the host goes round with it.
    pub(super) looped: bool,
    /// The segments of arrays of these sizes over this nest, and how many of its own checks of sizes they rely on.
    pub(super) segments: HashMap<Vec<Dim>, (usize, Segments)>,
    /// The flat arrays that hold these variables.
    pub(super) flats: HashMap<Var, Var>,
    /// Which variables are where the loop has them that the nest is a round of.
    pub(super) homes: HashMap<Var, Home>,
    /// The arrays that are there in the end, by what the loop carries.
    pub(super) latest: Rc<RefCell<HashMap<Var, Var>>>,
    /// Arrays over the nest, and over others in it, that may have their memory in common with another one: what loops of the host carry.
    pub(super) shared: Rc<RefCell<HashSet<Var>>>,
}

impl Nest {
    /// A nest without dimensions, to be opened by a SOAC that consumes these arrays.
    pub(super) fn new(known: &Known, vars: &Vars, consumed: Rc<Consumable>) -> Nest {
        let (groups, calls, constants) = (known.groups.clone(), known.calls.clone(), known.constants.clone());
        Nest { groups, consumed, calls, constants, first: vars.count(), ..Nest::default() }
    }

    /// The nest extended by the dimension of a SOAC that relies on these certificates.
    pub(super) fn enter(&self, b: &mut Builder, s: &Rows, certs: &[Var]) -> Nest {
        let mut nest = self.clone();
        nest.required.extend(certs.iter().filter(|c| self.bound.contains(c)));
        let index = b.vars.fresh("i", Type::I64);
        nest.remember_rows(b, self, s, vec![index.var.into()]);
        nest.space.push((index, s.width));
        (nest.segments, nest.flats, nest.homes) = Default::default();
        nest
    }

    /// The parameters of a function are rows of the arrays of an outer nest, or its accumulators.
    pub(super) fn remember_rows(&mut self, b: &mut Builder, outer: &Nest, s: &Rows, at: Vec<SubExp>) {
        for (param, array) in s.map.params.iter().zip(s.arrays) {
            if matches!(param.ty, Type::Acc(_)) {
                let host = outer.accs.get(array).copied().unwrap_or(SubExp::Var(*array));
                self.accs.insert(param.var, host);
                continue;
            }
            self.remember_row(b, param.clone(), *array, at.clone());
        }
    }

    /// Adds a statement to what later kernels may do again.
    pub(super) fn remember(&mut self, stm: Stm) {
        self.bound.extend(stm.pat.iter().map(|p| p.var));
        self.prelude.push(stm);
    }

    /// Later kernels find this variable of the nest in an array. What they consume is their own copy: other kernels read the array too.
    pub(super) fn remember_row(&mut self, b: &mut Builder, pat: Binder, array: Var, indices: Vec<SubExp>) {
        let exp = Exp::Index { array, indices };
        if matches!(pat.ty, Type::Array(..)) && self.consumed.may_be_consumed(pat.var) {
            let row = b.vars.fresh(pat.name.clone(), pat.ty.clone());
            let copy = Exp::Copy(row.var);
            self.remember(plain(row, exp, b.prov));
            self.remember(plain(pat, copy, b.prov));
        } else {
            self.remember(plain(pat, exp, b.prov));
        }
    }

    /// Whether the type's sizes are known outside of the nest.
    pub(super) fn is_invariant(&self, node: &dyn Node) -> bool {
        free_vars(node).iter().all(|v| !self.bound.contains(v))
    }

    /// An array of the values of a variable at all points, for whoever consumes the variable: the one that it is found in, if that was made for it alone, or a new one.
    pub(super) fn own_array(&self, b: &mut Builder, v: Var) -> Var {
        match self.row_of(v) {
            Some((array, true)) => array,
            Some((array, false)) => b.let_one("own", Exp::Copy(array)),
            None => {
                let ty = b.vars.ty(v).clone();
                self.kernel(b, SegKind::Map, Body { stms: Vec::new(), result: vec![v.into()] }, &[ty])[0]
            }
        }
    }

    /// The array that a variable is this point's row of, or of whose row it is a copy, and whether that is all that the array is for: what later kernels may do again reads nothing else of it.
    pub(super) fn row_of(&self, v: Var) -> Option<(Var, bool)> {
        let bound = |v: Var| self.prelude.iter().find(|stm| stm.pat[0].var == v).map(|stm| &stm.exp);
        let row = if let Some(Exp::Copy(row)) = bound(v) { *row } else { v };
        let Some(Exp::Index { array, indices }) = bound(row) else { return None };
        indices.iter().copied().eq(self.here()).then_some(())?;
        Some((*array, self.is_alone(*array, v)))
    }

    /// Whether an array in which a variable is found, or of whose part it is a copy, is for nothing else.
    pub(super) fn is_alone(&self, array: Var, v: Var) -> bool {
        // mutant comparison: the first variable of a nest is no array
        let new = array.0 >= self.first;
        // mutant dropped term -> `!self.shared.borrow().contains(&array)`: an array that was there before is consumed by the whole map if its rows are
        new && !self.shared.borrow().contains(&array) && self.readers(array).len() == 1 && self.readers(v).is_empty()
    }

    /// The statements of the prelude that read a row of this name. (What reads the row that it is a copy of is the copy alone.)
    pub(super) fn readers(&self, v: Var) -> Vec<Stm> {
        self.prelude.iter().filter(|stm| free_vars(*stm).contains(&v)).cloned().collect()
    }

    /// Stores what the prelude reads of a row that is about to be changed where it stands.
    pub(super) fn settle(&mut self, b: &mut Builder, v: Var) {
        // that it was made is known by now
        for stm in self.prelude.iter_mut().filter(|stm| stm.exp == Exp::Check(Check::Made(v))) {
            // mutant off by one: neither is zero
            stm.exp = Exp::Check(Check::NonZero(SubExp::i64(1)));
        }
        let pats = self.readers(v).into_iter().flat_map(|stm| stm.pat).filter(|p| self.is_invariant(&p.ty));
        let pats: Vec<Binder> = pats.collect();
        if pats.is_empty() {
            return;
        }
        let types: Vec<Type> = pats.iter().map(|p| p.ty.clone()).collect();
        let body = Body { stms: Vec::new(), result: pats.iter().map(|p| p.var.into()).collect() };
        let stored = self.kernel(b, SegKind::Map, body, &types);
        let here = self.here();
        for (pat, array) in pats.into_iter().zip(stored) {
            let kept = self.prelude.iter_mut().find(|stm| stm.pat[0].var == pat.var);
            kept.into_iter().for_each(|stm| stm.exp = Exp::Index { array, indices: here.clone() });
        }
    }

    /// The body without those of its checks that are the same at every point: the host makes them, if there are points. What a kernel inside of the nest
    /// is to compute may have their sizes, and no points of its own at which they could be made.
    pub(super) fn checked_once(&self, b: &mut Builder, body: &Body) -> Body {
        let own: HashSet<Var> = body.stms.iter().flat_map(|stm| &stm.pat).map(|p| p.var).collect();
        // no code of a point names an index of the nest
        let is_known = |v: &Var| !self.bound.contains(v) && !own.contains(v);
        let once = |stm: &Stm| {
            matches!(&stm.exp, Exp::Check(check) if !matches!(check, Check::Made(_)))
                && free_vars(stm).iter().all(is_known)
        };
        let mut rest = Body { stms: Vec::new(), result: body.result.clone() };
        for stm in &body.stms {
            if !once(stm) {
                rest.stms.push(stm.clone());
                continue;
            }
            let outer = (std::mem::replace(&mut b.prov, stm.prov), std::mem::take(&mut b.attrs));
            let exp = match self.has_points(b) {
                None => stm.exp.clone(),
                Some(cond) => {
                    let holds = Exp::Check(Check::Assert(Scalar::Bool(true).into(), "".into()));
                    let yes = b.inner(|b| vec![b.let_one("check", stm.exp.clone()).into()]);
                    let no = b.inner(|b| vec![b.let_one("check", holds).into()]);
                    Exp::If { cond, yes, no }
                }
            };
            b.under(stm.certs.clone(), |b| b.bind(stm.pat.clone(), exp));
            (b.prov, b.attrs) = outer;
        }
        rest
    }

    /// Whether the space has points; none where it is known to have some.
    pub(super) fn has_points(&self, b: &mut Builder) -> Option<SubExp> {
        let unknown = self.space.iter().map(|(_, size)| *size).filter(|d| !matches!(d, Dim::Const(1..)));
        let and = Prim::Bin(BinOp::And, ScalarType::Bool);
        let some = Prim::Cmp(CmpOp::Lt, ScalarType::I64);
        b.under(Vec::new(), |b| {
            let each: Vec<SubExp> = unknown.map(|d| b.prim_op(some, &[SubExp::i64(0), d.into()])).collect();
            each.into_iter().reduce(|x, y| b.prim_op(and, &[x, y]))
        })
    }

    /// This point's value of an array over the space.
    pub(super) fn point(&self, b: &mut Builder, array: Var) -> SubExp {
        let index = self.here();
        b.index(array, &index).into()
    }

    /// The host's array that holds this result of the body at every point, if there is one; or the accumulator that it is.
    pub(super) fn stored_in(&self, e: SubExp) -> Option<Var> {
        let v = e.as_var()?;
        if let Some(acc) = self.accs.get(&v) {
            return acc.as_var();
        }
        let index = self.here();
        let row = self.prelude.iter().find_map(|stm| match &stm.exp {
            Exp::Index { array, indices } if stm.pat[0].var == v && *indices == index => Some(*array),
            _ => None,
        });
        // of an array that is for nothing else a row is as good as its copy
        row.or_else(|| self.row_of(v).filter(|(_, own)| *own).map(|(array, _)| array))
    }

    /// Later kernels find these variables of the nest in these arrays over the space.
    pub(super) fn store(&mut self, b: &mut Builder, pairs: Vec<(Binder, Var)>) {
        let index = self.here();
        for (pat, array) in pairs {
            if matches!(pat.ty, Type::Acc(_)) {
                self.accs.insert(pat.var, array.into());
            } else {
                self.remember_row(b, pat, array, index.clone());
            }
        }
    }

    /// Makes the results of a kernel's body rely on the nest's own checks.
    pub(super) fn rely(&self, b: &mut Builder, body: &mut Body, ret: &[Type]) {
        if self.required.is_empty() {
            return;
        }
        for (e, ty) in body.result.iter_mut().zip(ret) {
            let pat = b.vars.fresh("checked", ty.clone());
            let checked = SubExp::Var(pat.var);
            body.stms.push(Stm { certs: self.required.clone(), ..plain(pat, Exp::SubExp(*e), b.prov) });
            *e = checked;
        }
    }

    /// Whether an array of a point is worth a kernel that makes it element by element.
    pub(super) fn is_by_element(&self, ty: &Type) -> bool {
        let known = ty.shape().iter().try_fold(1, |n: i64, dim| match dim {
            Dim::Const(size) => n.checked_mul(*size),
            Dim::Var(_) => None,
        });
        // a scalar is one element
        self.is_invariant(ty) && known.is_none_or(|n| n > FEW)
    }

    /// The nest with further dimensions, and the indices in these.
    pub(super) fn extended(&self, b: &mut Builder, dims: &[Dim]) -> (Nest, Vec<SubExp>) {
        let mut nest = self.clone();
        let indices: Vec<Binder> = dims.iter().map(|_| b.vars.fresh("i", Type::I64)).collect();
        let at = indices.iter().map(|i| i.var.into()).collect();
        nest.space.extend(indices.into_iter().zip(dims.iter().copied()));
        (nest, at)
    }

    /// The kernels of a body of views: for each array one that makes its elements at all points.
    fn viewed(&self, b: &mut Builder, body: &Body, ret: &[Type]) -> Vec<Var> {
        let (arrays, rest): (Vec<usize>, Vec<usize>) = (0..ret.len()).partition(|k| self.is_by_element(&ret[*k]));
        let mut made = BTreeMap::new();
        for k in arrays {
            let (nest, at) = self.extended(b, ret[k].shape());
            let element = b.inner(|b| {
                b.stms.extend_from_slice(&body.stms);
                body.result[k].as_var().map(|array| b.index(array, &at).into()).into_iter().collect()
            });
            let elem: Vec<Type> = ret[k].elem().map(Type::Scalar).into_iter().collect();
            made.extend(nest.kernel(b, SegKind::Map, element, &elem).into_iter().map(|array| (k, array)));
        }
        if !rest.is_empty() {
            let results = rest.iter().map(|k| body.result[*k]).collect();
            let types: Vec<Type> = rest.iter().map(|k| ret[*k].clone()).collect();
            let all = self.kernel(b, SegKind::Map, Body { stms: body.stms.clone(), result: results }, &types);
            made.extend(rest.into_iter().zip(all));
        }
        made.into_values().collect()
    }

    /// The kernels of a body of views that writes: for each destination one, which writes rows that are worth it, or lie in elements, one by one.
    fn rows_written(&self, b: &mut Builder, dests: &[ScatterDest], body: &Body, ret: &[Type]) -> Vec<Var> {
        let places: usize = dests.iter().map(|dest| dest.shape.len()).sum();
        let (mut first, mut made) = (0, Vec::new());
        for (dest, (value, ty)) in dests.iter().zip(body.result[places..].iter().zip(&ret[places..])) {
            let own = body.result[first..first + dest.shape.len()].to_vec();
            first += dest.shape.len();
            let in_elements = is_in_elements(b, dest, ty);
            let rows = value.as_var().filter(|_| in_elements || self.is_by_element(ty));
            let (nest, at) = self.extended(b, if rows.is_some() { ty.shape() } else { &[] });
            let shape = b.vars.ty(dest.array).shape();
            let shape = if in_elements { shape.to_vec() } else { shape[..own.len() + at.len()].to_vec() };
            let element = b.inner(|b| {
                b.stms.extend_from_slice(&body.stms);
                let value = rows.map_or(*value, |array| b.index(array, &at).into());
                if in_elements {
                    let within = row_major(b, ty.shape(), &at);
                    return vec![b.int(BinOp::Add, own[0], within), value];
                }
                own.iter().chain(&at).copied().chain([value]).collect()
            });
            let elem = if rows.is_some() { Type::Scalar(ty.elem().unwrap_or(ScalarType::Bool)) } else { ty.clone() };
            let types: Vec<Type> = shape.iter().map(|_| Type::I64).chain([elem]).collect();
            let kind = SegKind::Write(vec![ScatterDest { shape, array: dest.array }]);
            made.extend(nest.kernel(b, kind, element, &types));
        }
        made
    }

    /// Leaves out the copies of a kernel that it does not consume, and that are of nothing it writes to.
    fn read_where_it_is(&self, b: &Builder, dests: &[ScatterDest], stms: &mut [Stm]) {
        let is_array = |v: &Var| !matches!(b.vars.ty(*v), Type::Acc(_));
        let consumed: Vec<Var> =
            stms.iter().flat_map(|stm| self.consumed.consumed_with_calls(stm)).filter(is_array).collect();
        // what has been named here may be another name of anything
        // mutant comparison: the first variable of a nest is no array
        if consumed.iter().any(|v| v.0 >= self.first) {
            return;
        }
        let groups: HashSet<Var> = consumed.into_iter().map(|v| self.consumed.group(v)).collect();
        // mutant: nests that write read no row of what they write to, which is settled before; this is to be sure
        let is_dest = |array: &Var| dests.iter().any(|dest| dest.array == *array);
        // mutant: likewise
        let written = stms.iter().filter(|stm| stm.exp.operands().iter().any(is_dest)).map(|stm| stm.pat[0].var);
        let written: HashSet<Var> = written.collect();
        for stm in stms {
            // neither of the two may be changed while the other one is in use
            if let Exp::Copy(row) = stm.exp
                // mutant swap: both are asked
                && [row, stm.pat[0].var].iter().all(|v| !groups.contains(&self.consumed.group(*v)))
                && !written.contains(&row)
            {
                stm.exp = Exp::SubExp(row.into());
            }
        }
    }

    /// Emits one kernel over the space, and gives its results; several, if it would do nothing but copy arrays.
    pub(super) fn kernel(&self, b: &mut Builder, kind: SegKind, body: Body, ret: &[Type]) -> Vec<Var> {
        let mut body = body;
        if matches!(kind, SegKind::Map) && body.stms.iter().all(is_view) && ret.iter().any(|ty| self.is_by_element(ty))
        {
            return self.viewed(b, &body, ret);
        }
        if let SegKind::Write(dests) = &kind {
            let values = || dests.iter().zip(&ret[ret.len() - dests.len()..]);
            let apart = values().any(|(dest, ty)| is_in_elements(b, dest, ty));
            let cheap = body.stms.iter().all(|stm| is_view(stm) || is_choice(stm));
            if apart && !cheap {
                let made = self.kernel(b, SegKind::Map, body, ret);
                body = b.inner(|b| made.iter().map(|array| self.point(b, *array)).collect());
            }
            if apart || cheap && values().any(|(_, ty)| self.is_by_element(ty)) {
                return self.rows_written(b, dests, &body, ret);
            }
        }
        if is_worth_kernels(&body) {
            self.sequential.borrow_mut().push(self.dims());
            if let Some((grouped, room)) = self.for_group(b, &body) {
                body = grouped;
                b.attrs.push(Attr { name: Attr::GROUP.into(), arg: Some(room) });
            }
        }
        substitute(&mut body, &self.accs);
        self.rely(b, &mut body, ret);
        let mut needed: HashSet<Var> = free_vars(&body).into_iter().collect();
        let mut prelude = Vec::new();
        for stm in self.prelude.iter().rev() {
            if needed.contains(&stm.pat[0].var) {
                needed.extend(free_vars(stm));
                prelude.push(stm.clone());
            }
        }
        prelude.reverse();
        body.stms.splice(0..0, prelude);
        // a group copies an array once for all its invocations
        if b.attrs.iter().all(|attr| attr.name.as_str() != Attr::GROUP) {
            let dests = if let SegKind::Write(dests) = &kind { &dests[..] } else { &[] };
            self.read_where_it_is(b, dests, &mut body.stms);
        }
        let seg = SegOp { level: Level::Grid, space: self.space.clone(), kind, ret: ret.to_vec(), body };
        let exp = renamed(&Exp::SegOp(seg), b.vars);
        let results = b.let_many("k", exp);
        b.attrs.retain(|attr| attr.name.as_str() != Attr::GROUP);
        results
    }
}

/// Whether the destination of rows has their elements one after the other, and is told the places of the first ones.
fn is_in_elements(b: &Builder, dest: &ScatterDest, row: &Type) -> bool {
    b.vars.ty(dest.array).rank() < dest.shape.len() + row.rank()
}

/// Says of the nest that was made last, which writes to places, that no two of its points have one in common.
pub(super) fn apart(b: &mut Builder) {
    b.stms.last_mut().into_iter().for_each(|stm| stm.attrs.push(Attr { name: Attr::APART.into(), arg: None }));
}

/// A statement that binds one variable.
pub(super) fn plain(pat: Binder, exp: Exp, prov: Prov) -> Stm {
    Stm { pat: vec![pat], exp, certs: Vec::new(), attrs: Vec::new(), prov }
}
