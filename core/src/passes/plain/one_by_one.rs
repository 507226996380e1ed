//! Scans, reductions and histograms by operators that make arrays whose sizes they find themselves: one element after the other.
//!
//! How large such an array gets depends on what elements have come to, in whatever order a device combines them, so that there is no bound for its memory. In a loop the host knows each size, or the
//! flattening gives it room for all points of a nest.

use crate::hash::HashSet;
use crate::ir::build::{Builder, in_type, map_exp};
use crate::ir::rename::applied;
use crate::ir::visit::{Visit, free_vars, walk_stm};
use crate::ir::*;

/// Whether one of these operators makes an array of a size that is found in it.
pub(super) fn finds_sizes<'a>(ops: impl IntoIterator<Item = &'a Operator>) -> bool {
    #[derive(Default)]
    struct Sizes {
        bound: HashSet<Var>,
        found: bool,
    }
    impl Visit for Sizes {
        fn bind(&mut self, b: &Binder) {
            self.bound.insert(b.var);
        }
        fn stm(&mut self, stm: &Stm) {
            let own = |pat: &Binder| free_vars(&pat.ty).iter().any(|size| self.bound.contains(size));
            // mutant swap: what makes room binds one array
            self.found |= stm.exp.makes_room() && stm.pat.iter().any(own);
            walk_stm(self, stm);
        }
    }
    let mut sizes = Sizes::default();
    ops.into_iter().for_each(|op| sizes.lambda(&op.lambda));
    sizes.found
}

/// Binds what a SOAC gives: its map first, then loops that combine, then what is applied behind the scans.
pub(super) fn one_by_one(b: &mut Builder, s: Screma, pat: Vec<Binder>) {
    let (scanned, reduced) = s.operand_counts();
    let mapped = b.let_many("x", map_exp(s.width, s.arrays, s.map));
    let (operands, others) = mapped.split_at(scanned + reduced);
    let (to_scan, to_reduce) = operands.split_at(scanned);
    let scans = s.scans.iter().scan(to_scan, |left, op| Some((op, left.split_off(..op.neutral.len())?)));
    let scans: Vec<Var> = scans.flat_map(|(op, arrays)| combined(b, s.width, op, arrays, true)).collect();
    let reduces = s.reduces.iter().scan(to_reduce, |left, op| Some((op, left.split_off(..op.neutral.len())?)));
    let reduces: Vec<Var> = reduces.flat_map(|(op, arrays)| combined(b, s.width, op, arrays, false)).collect();
    let results = match s.post {
        None => [&scans, &reduces, others].concat(),
        Some(post) => {
            let rows = b.let_many("x", map_exp(s.width, [&scans, others].concat(), post));
            [reduces, rows].concat()
        }
    };
    for (pat, var) in pat.into_iter().zip(results) {
        b.bind(vec![pat], Exp::SubExp(var.into()));
    }
}

/// What the elements come to, or, of a scan, what they have come to at each.
fn combined(b: &mut Builder, width: Dim, op: &Operator, arrays: &[Var], scan: bool) -> Vec<Var> {
    let carried = |b: &mut Builder, ty: Type, init: SubExp, unique: bool| LoopParam {
        binder: b.vars.fresh("acc", ty),
        unique,
        init,
    };
    let mut params: Vec<LoopParam> =
        op.lambda.ret.iter().zip(&op.neutral).map(|(ty, init)| carried(b, ty.clone(), *init, false)).collect();
    if scan {
        for ty in &op.lambda.ret {
            let ty = ty.array_of(&[width]);
            let (elem, shape) = (ty.elem().unwrap_or(ScalarType::Bool), ty.shape().to_vec());
            let init = b.let_one("all", Exp::Scratch { elem, shape }).into();
            params.push(carried(b, ty, init, true));
        }
    }
    let (accs, all) = params.split_at(arrays.len());
    let index = b.vars.fresh("i", Type::I64);
    let body = b.inner(|b| {
        let elements: Vec<SubExp> = arrays.iter().map(|xs| b.index(*xs, &[index.var.into()]).into()).collect();
        let args: Vec<SubExp> = accs.iter().map(|p| p.binder.var.into()).chain(elements).collect();
        let made = applied(&op.lambda, &args, b.vars);
        let made = b.splice(made);
        let mut next: Vec<SubExp> = made.iter().zip(accs).map(|(e, p)| in_type(b, *e, &p.binder.ty)).collect();
        for (k, p) in all.iter().enumerate() {
            let update = Exp::Update { array: p.binder.var, indices: vec![index.var.into()], value: next[k] };
            next.push(b.let_one("all", update).into());
        }
        next
    });
    let form = LoopForm::For { index, bound: width.into() };
    let count = arrays.len();
    let results = b.let_many("combined", Exp::Loop { params, form, body });
    if scan { results[count..].to_vec() } else { results }
}

/// Binds what a histogram gives: its map first, then a loop that updates one place of each destination after the other.
pub(super) fn bins_one_by_one(b: &mut Builder, h: Hist, pat: Vec<Binder>) {
    let mapped = b.let_many("x", map_exp(h.width, h.arrays, h.map));
    let indices = h.ops.iter().map(|op| op.shape.len()).sum();
    let dests = h.ops.iter().flat_map(|op| &op.dests).zip(&pat);
    let params: Vec<LoopParam> = dests
        .map(|(dest, pat)| {
            let binder = b.vars.fresh(pat.name.clone(), pat.ty.clone());
            LoopParam { binder, unique: true, init: (*dest).into() }
        })
        .collect();
    let index = b.vars.fresh("i", Type::I64);
    let body = b.inner(|b| {
        let row: Vec<SubExp> = mapped.iter().map(|xs| b.index(*xs, &[index.var.into()]).into()).collect();
        let (mut places, mut values) = row.split_at(indices);
        let (mut dests, mut next) = (&params[..], Vec::new());
        for op in &h.ops {
            let (place, some);
            (place, places) = places.split_at(op.shape.len());
            (some, dests) = dests.split_at(op.dests.len());
            let given;
            (given, values) = values.split_at(op.dests.len());
            let cond = b.in_range(place, &op.shape);
            let yes = b.inner(|b| replaced(b, &op.op, some, place, given));
            let no = Body { stms: Vec::new(), result: some.iter().map(|p| p.binder.var.into()).collect() };
            let pat: Vec<Binder> =
                some.iter().map(|p| b.vars.fresh(p.binder.name.clone(), p.binder.ty.clone())).collect();
            next.extend(pat.iter().map(|p| SubExp::from(p.var)));
            b.bind(pat, Exp::If { cond, yes, no });
        }
        next
    });
    b.bind(pat, Exp::Loop { params, form: LoopForm::For { index, bound: h.width.into() }, body });
}

/// The destinations with what is at a place combined with values.
fn replaced(b: &mut Builder, op: &Operator, dests: &[LoopParam], place: &[SubExp], values: &[SubExp]) -> Vec<SubExp> {
    let before = dests.iter().map(|p| {
        let element = b.index(p.binder.var, place);
        // the row is changed, and what comes of it may be what it was
        if b.vars.ty(element).rank() > 0 { b.let_one("row", Exp::Copy(element)) } else { element }.into()
    });
    let args: Vec<SubExp> = before.chain(values.iter().copied()).collect();
    let made = applied(&op.lambda, &args, b.vars);
    let made = b.splice(made);
    let updates = dests.iter().zip(made).zip(&op.lambda.ret).map(|((p, value), ty)| {
        let value = in_type(b, value, ty);
        b.let_one("bins", Exp::Update { array: p.binder.var, indices: place.to_vec(), value }).into()
    });
    updates.collect()
}
