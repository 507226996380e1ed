//! Scans by the host: reduce-then-scan, for any operator; and reductions of arrays.
//!
//! The elements are cut into chunks. The chunks are reduced; of what comes out, each chunk gets what all before it have come to, in as many rounds as the number of chunks has binary digits;
//! then each chunk is scanned from there on. So all elements are read twice and written once. What a reduction comes to is what all chunks come to.

use super::host::{Lowering, ONE, Val, op, product};
use super::launch::covering;
use crate::host::ir::{Exp, Tuning};
use futi_core::ir::build::{Builder, reduce_exp, scan_exp};
use futi_core::ir::{
    BinOp, Binder, CmpOp, Dim, Exp as Ir, Lambda, Level, LoopForm, LoopParam, Operator, Prim, ScalarType, SegKind,
    SegOp, SliceDim, Stm, SubExp, Type, UnOp, Var,
};

/// A chunk has as many elements, if there are enough.
const LEAST: i64 = 16;

/// The same of arrays.
const LEAST_ARRAYS: i64 = 4;

impl Lowering {
    /// A nest with scans over its last dimension.
    pub(super) fn scan(&mut self, seg: &SegOp, pats: &[Binder]) {
        if is_cheap(seg) {
            return self.scan_chunks(seg, pats);
        }
        // what is not to be done twice is done before
        let scanned = seg.operands();
        let operands = self.stored(seg, &pats[scanned..]);
        self.scan_chunks(&operands, &pats[..scanned]);
    }

    /// The nest without its mapped results, which are made now, as are arrays of its operands: it reads these.
    pub(super) fn stored(&mut self, seg: &SegOp, mapped: &[Binder]) -> SegOp {
        let dims: Vec<Dim> = seg.space.iter().map(|(_, dim)| *dim).collect();
        let types = seg.ret[..seg.operands()].to_vec();
        let operands: Vec<Binder> = types.iter().map(|ty| self.vars.fresh("x", ty.array_of(&dims))).collect();
        let map = SegOp { kind: SegKind::Map, ..seg.clone() };
        self.launch_as(&map, &[&operands, mapped].concat(), "map", self.prov);
        let space = self.space(&dims);
        let at: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let body = Builder::new(&mut self.vars, self.prov)
            .inner(|b| operands.iter().map(|x| b.index(x.var, &at).into()).collect());
        SegOp { space, ret: types, body, ..seg.clone() }
    }

    /// A variable of the IR for a scalar of the host.
    fn variable(&mut self, name: &str, e: Exp) -> Var {
        let value = self.named(name, e);
        let var = self.vars.fresh(name, Type::I64).var;
        self.env.insert(var, Val::Scalar(value));
        var
    }

    /// A nest with reductions of arrays over its last dimension.
    pub(super) fn reduce_arrays(&mut self, seg: &SegOp, pats: &[Binder]) {
        let (reduced, mapped) = pats.split_at(seg.operands());
        // what is mapped is made with the operands, which are reduced then
        let stored = if mapped.is_empty() { None } else { Some(self.stored(seg, mapped)) };
        self.reduce_chunks(stored.as_ref().unwrap_or(seg), reduced);
    }

    fn reduce_chunks(&mut self, seg: &SegOp, pats: &[Binder]) {
        let Some(((last, width), outer)) = seg.space.split_last() else { return };
        let outer: Vec<Dim> = outer.iter().map(|(_, dim)| *dim).collect();
        let n = self.dim(*width);
        let n = self.named("n", n);
        let chunks = self.chunks_of(seg, &outer, &n);
        let chunks = self.named("chunks", chunks);
        let each = self.variable("each", covering(n, chunks.clone()));
        // mutant sign: in more rounds no chunk is found so far back
        let rounds = self.variable("rounds", digits(op(BinOp::Sub, chunks.clone(), ONE)));
        let chunks = Dim::Var(self.variable("chunks", chunks));
        let each = Dim::Var(each);
        let cut = Cut { outer, chunks, summed: chunks, each, last: last.clone(), width: *width };
        let dims = [&cut.outer[..], &[chunks]].concat();
        let totals: Vec<Binder> = seg.ret.iter().map(|ty| self.vars.fresh("total", ty.array_of(&dims))).collect();
        let map = self.reductions(seg, &cut);
        self.launch_as(&map, &totals, "reduce chunks", self.prov);
        let sums: Vec<Binder> = totals.iter().map(|x| self.vars.fresh("sum", x.ty.clone())).collect();
        let exp = self.sums(seg, &cut, &seg.ret, &totals, rounds);
        self.stm(&Stm { pat: sums.clone(), exp, certs: vec![], attrs: vec![], prov: self.prov });
        let last = self.space(&cut.outer);
        let at: Vec<SubExp> = last.iter().map(|(i, _)| i.var.into()).collect();
        let mut b = Builder::new(&mut self.vars, self.prov);
        let end = b.int(BinOp::Sub, chunks.into(), SubExp::i64(1));
        let at = [&at[..], &[end]].concat();
        if last.is_empty() {
            for (pat, sum) in pats.iter().zip(&sums) {
                b.bind(vec![pat.clone()], Ir::Index { array: sum.var, indices: at.clone() });
            }
        } else {
            let body = b.inner(|b| sums.iter().map(|x| b.index(x.var, &at).into()).collect());
            b.bind(pats.to_vec(), Ir::SegOp(SegOp::map(Level::Grid, last, seg.ret.clone(), body)));
        }
        let stms = std::mem::take(&mut b.stms);
        stms.iter().for_each(|stm| self.stm(stm));
    }

    /// What each chunk comes to; the last one may be shorter.
    fn reductions(&mut self, seg: &SegOp, cut: &Cut) -> SegOp {
        let space = self.chunk(cut, cut.chunks);
        let at: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let start = b.int(BinOp::Mul, at[cut.outer.len()], cut.each.into());
            let left = b.int(BinOp::Sub, cut.width.into(), start);
            let left = b.int(BinOp::Max, left, SubExp::i64(0));
            let own = b.int(BinOp::Min, left, cut.each.into());
            let own = Dim::from_subexp(own).unwrap_or(cut.each);
            let map = b.lambda(&[("i", Type::I64)], |b, p| cut.element(b, seg, &[&at[..], &[p[0].into()]].concat()));
            let map = Lambda { ret: seg.ret.clone(), ..map };
            let (iota, reduces) = (b.iota(own), seg.operators().to_vec());
            b.let_many("total", reduce_exp(own, vec![iota], map, reduces)).into_iter().map(SubExp::from).collect()
        });
        SegOp::map(Level::Grid, space, seg.ret.clone(), body)
    }

    /// Into how many chunks `n` elements are cut, of each of some segments.
    fn chunks_of(&mut self, seg: &SegOp, outer: &[Dim], n: &Exp) -> Exp {
        let segments = product(self.dims(outer));
        // mutant off by one: into how many chunks they are cut changes no result
        let operands = &seg.ret[..seg.operands()];
        let of_arrays: Vec<&Type> = operands.iter().filter(|ty| matches!(ty, Type::Array(..))).collect();
        // an operator of arrays has work enough with a few of them
        let least = if of_arrays.is_empty() { LEAST } else { LEAST_ARRAYS };
        let wanted = op(BinOp::Quot, Exp::Tuning(Tuning::ScanChunks), op(BinOp::Max, segments, ONE));
        // mutant swap: into how many chunks they are cut changes no result
        let some = op(BinOp::Min, covering(n.clone(), Exp::i64(least)), wanted);
        let rows = of_arrays.into_iter().map(|ty| product(self.dims(ty.shape())));
        // mutant swap: into how many chunks they are cut changes no result
        let rows = rows.fold(ONE, |a, b| op(BinOp::Max, a, b));
        // what the machine has rounds for: to make an element, to combine and to copy it
        // mutant dropped term: into how many chunks they are cut changes no result
        // mutant off by one: likewise
        let rounds = op(BinOp::Mul, op(BinOp::Mul, n.clone(), rows), Exp::i64(8));
        // mutant swap: likewise
        let enough = op(BinOp::Min, op(BinOp::Quot, rounds, Exp::Tuning(Tuning::Rounds)), n.clone());
        op(BinOp::Max, op(BinOp::Max, some, enough), ONE)
    }

    fn scan_chunks(&mut self, seg: &SegOp, pats: &[Binder]) {
        let prov = self.prov;
        let Some(((last, width), outer)) = seg.space.split_last() else { return };
        let outer: Vec<Dim> = outer.iter().map(|(_, dim)| *dim).collect();
        let n = self.dim(*width);
        let n = self.named("n", n);
        let chunks = self.chunks_of(seg, &outer, &n);
        let chunks = self.named("chunks", chunks);
        let before = op(BinOp::Sub, chunks.clone(), ONE);
        // of a single chunk nobody asks what it comes to
        let summed = op(BinOp::Mul, chunks.clone(), op(BinOp::Min, before.clone(), ONE));
        let each = self.variable("each", covering(n.clone(), chunks.clone()));
        let rounds = self.variable("rounds", digits(before));
        let (chunks, summed) = (self.variable("chunks", chunks), self.variable("summed", summed));
        let (chunks, summed) = (Dim::Var(chunks), Dim::Var(summed));
        let cut = Cut { outer, chunks, summed, each: Dim::Var(each), last: last.clone(), width: *width };

        let operands: Vec<Type> = seg.ret[..seg.operands()].to_vec();
        let dims = [&cut.outer[..], &[cut.summed]].concat();
        let totals: Vec<Binder> = operands.iter().map(|ty| self.vars.fresh("total", ty.array_of(&dims))).collect();
        let reduction = self.totals(seg, &cut, &operands);
        self.launch_as(&reduction, &totals, "scan totals", prov);

        let sums: Vec<Binder> = totals.iter().map(|x| self.vars.fresh("sum", x.ty.clone())).collect();
        let summed = self.sums(seg, &cut, &operands, &totals, rounds);
        self.stm(&Stm { pat: sums.clone(), exp: summed, certs: vec![], attrs: vec![], prov });

        let scan = self.scans(seg, &cut, &operands, &sums);
        let dims = [&cut.outer[..], &[cut.chunks, cut.each]].concat();
        let padded: Vec<Binder> = seg.ret.iter().map(|ty| self.vars.fresh("scan", ty.array_of(&dims))).collect();
        self.launch_as(&scan, &padded, "scan", prov);
        if cut.outer.is_empty() {
            // the chunks lie one behind the other, so that what is too much is at the end
            for (pat, padded) in pats.iter().zip(&padded) {
                let value = self.operand(padded.var.into());
                self.env.insert(pat.var, value);
            }
            return;
        }
        let whole = op(BinOp::Mul, self.host(cut.chunks.into()), self.host(cut.each.into()));
        let [whole, n] = [("whole", whole), ("n", n)].map(|(name, e)| Dim::Var(self.variable(name, e)));
        let exp = self.without_ends(&cut, whole, n, pats, &padded);
        self.stm(&Stm { pat: pats.to_vec(), exp, certs: vec![], attrs: vec![], prov });
    }

    /// The rows of `n` elements, of `whole` ones, without what is too much at the end of each.
    fn without_ends(&mut self, cut: &Cut, whole: Dim, n: Dim, pats: &[Binder], padded: &[Binder]) -> Ir {
        let mut b = Builder::new(&mut self.vars, self.prov);
        let rank = cut.outer.len();
        // in the place of the chunks and their elements
        let rows = |b: &mut Builder, x: &Binder, dim: Dim| {
            let rest = &x.ty.shape()[rank + 2..];
            let shape = [&cut.outer[..], &[dim], rest].concat();
            b.let_one("rows", Ir::Reshape { shape, array: x.var })
        };
        // mutant comparison: they are no fewer
        let cond = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[whole.into(), n.into()]);
        let yes = b.inner(|b| padded.iter().map(|x| rows(b, x, cut.width).into()).collect());
        let no = b.inner(|b| {
            let part = |b: &mut Builder, (pat, x): (&Binder, &Binder)| {
                let array = rows(b, x, whole);
                let range =
                    |count: &Dim| SliceDim::Range { start: SubExp::i64(0), count: *count, stride: SubExp::i64(1) };
                b.let_one("part", Ir::Slice { array, slice: pat.ty.shape().iter().map(range).collect() }).into()
            };
            pats.iter().zip(padded).map(|pair| part(b, pair)).collect()
        });
        let stms = std::mem::take(&mut b.stms);
        stms.iter().for_each(|stm| self.stm(stm));
        Ir::If { cond, yes, no }
    }

    /// Indices of the dimensions outside, and of a chunk.
    fn chunk(&mut self, cut: &Cut, chunks: Dim) -> Vec<(Binder, Dim)> {
        let mut space = self.space(&cut.outer);
        space.push((self.vars.fresh("chunk", Type::I64), chunks));
        space
    }

    /// What each chunk comes to. The last one may go on beyond the end, with the last element: nobody looks at what that comes to.
    fn totals(&mut self, seg: &SegOp, cut: &Cut, operands: &[Type]) -> SegOp {
        let mut space = self.chunk(cut, cut.summed);
        space.push((self.vars.fresh("i", Type::I64), cut.each));
        let at: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let mut body = Builder::new(&mut self.vars, self.prov).inner(|b| cut.element(b, seg, &at));
        // mutant removal: what comes behind the operands nobody asks for
        body.result.truncate(operands.len());
        SegOp::reduce(space, seg.operators().to_vec(), operands.to_vec(), body)
    }

    /// What all chunks up to each come to: in each round what twice as many come to.
    fn sums(&mut self, seg: &SegOp, cut: &Cut, operands: &[Type], totals: &[Binder], rounds: Var) -> Ir {
        let params: Vec<LoopParam> = totals
            .iter()
            // mutant negation: nobody asks for the totals behind it
            .map(|x| LoopParam { binder: self.vars.fresh("sum", x.ty.clone()), unique: false, init: x.var.into() })
            .collect();
        let index = self.vars.fresh("round", Type::I64);
        let space = self.chunk(cut, cut.summed);
        let here: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let (outer, t) = (&here[..cut.outer.len()], here[cut.outer.len()]);
        let ret = operands.to_vec();
        let mut b = Builder::new(&mut self.vars, self.prov);
        let body = b.inner(|b| {
            let back = b.int(BinOp::Shl, SubExp::i64(1), index.var.into());
            let body = b.inner(|b| {
                let cond = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[back, t]);
                let at = |b: &mut Builder, t: SubExp| -> Vec<SubExp> {
                    let at = [outer, &[t]].concat();
                    params.iter().map(|p| b.index(p.binder.var, &at).into()).collect()
                };
                let yes = b.inner(|b| {
                    let before = b.int(BinOp::Sub, t, back);
                    let (before, own) = (at(b, before), at(b, t));
                    combined(b, seg.operators(), &before, &own)
                });
                let no = b.inner(|b| at(b, t));
                let pat: Vec<Binder> = ret.iter().map(|ty| b.vars.fresh("x", ty.clone())).collect();
                let result = pat.iter().map(|x| x.var.into()).collect();
                b.bind(pat, Ir::If { cond, yes, no });
                result
            });
            let seg = SegOp::map(Level::Grid, space.clone(), ret.clone(), body);
            let pat: Vec<Binder> = totals.iter().map(|x| b.vars.fresh("sum", x.ty.clone())).collect();
            let result = pat.iter().map(|x| x.var.into()).collect();
            b.bind(pat, Ir::SegOp(seg));
            result
        });
        Ir::Loop { params, form: LoopForm::For { index, bound: rounds.into() }, body }
    }

    /// The scans of the chunks, each from what those before it come to on.
    fn scans(&mut self, seg: &SegOp, cut: &Cut, operands: &[Type], sums: &[Binder]) -> SegOp {
        let space = self.chunk(cut, cut.chunks);
        let here: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let (outer, t) = (&here[..cut.outer.len()], here[cut.outer.len()]);
        let ret: Vec<Type> = seg.ret.iter().map(|ty| ty.array_of(&[cut.each])).collect();
        let mut b = Builder::new(&mut self.vars, self.prov);
        let body = b.inner(|b| {
            // mutant comparison: no number of a chunk is less
            let first = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[t, SubExp::i64(0)]);
            let yes = b.inner(|_| seg.operators().iter().flat_map(|op| op.neutral.clone()).collect());
            let no = b.inner(|b| {
                let before = b.int(BinOp::Sub, t, SubExp::i64(1));
                let at = [outer, &[before]].concat();
                sums.iter().map(|x| b.index(x.var, &at).into()).collect()
            });
            let pat: Vec<Binder> = operands.iter().map(|ty| b.vars.fresh("before", ty.clone())).collect();
            let mut before = pat.iter().map(|x| SubExp::from(x.var));
            let carried =
                |op: &Operator| Operator { neutral: before.by_ref().take(op.neutral.len()).collect(), ..op.clone() };
            let scans: Vec<Operator> = seg.operators().iter().map(carried).collect();
            b.bind(pat, Ir::If { cond: first, yes, no });
            let iota = b.iota(cut.each);
            let map = b.lambda(&[("i", Type::I64)], |b, p| {
                let at = [&here[..], &[p[0].into()]].concat();
                cut.element(b, seg, &at)
            });
            let map = Lambda { ret: seg.ret.clone(), ..map };
            b.let_many("scan", scan_exp(cut.each, vec![iota], map, scans)).into_iter().map(SubExp::from).collect()
        });
        SegOp::map(Level::Grid, space, ret, body)
    }
}

/// How the elements of each segment are cut into chunks.
struct Cut {
    /// The dimensions outside.
    outer: Vec<Dim>,
    chunks: Dim,
    /// As many chunks, if there are several; else none.
    summed: Dim,
    /// How many elements one has.
    each: Dim,
    /// The index of an element in its segment, and how many there are.
    last: Binder,
    width: Dim,
}

impl Cut {
    /// What a nest gives for the element of a chunk, given the indices outside, that of the chunk, and the one in the chunk: for the last one, where the chunk goes beyond the end.
    fn element(&self, b: &mut Builder, seg: &SegOp, at: &[SubExp]) -> Vec<SubExp> {
        let (outer, rest) = at.split_at(self.outer.len());
        for ((index, _), i) in seg.space.iter().zip(outer) {
            b.bind(vec![index.clone()], Ir::SubExp(*i));
        }
        let start = b.int(BinOp::Mul, rest[0], self.each.into());
        let i = b.int(BinOp::Add, start, rest[1]);
        let end = b.int(BinOp::Sub, self.width.into(), SubExp::i64(1));
        let i = b.int(BinOp::Min, i, end);
        b.bind(vec![self.last.clone()], Ir::SubExp(i));
        b.splice(seg.body.clone())
    }
}

/// All operators applied.
fn combined(b: &mut Builder, ops: &[Operator], before: &[SubExp], own: &[SubExp]) -> Vec<SubExp> {
    let mut results = Vec::new();
    for op in ops {
        let some = results.len()..results.len() + op.neutral.len();
        for (param, arg) in op.lambda.params.iter().zip(before[some.clone()].iter().chain(&own[some])) {
            b.bind(vec![param.clone()], Ir::SubExp(*arg));
        }
        results.extend(b.splice(op.lambda.body.clone()));
    }
    results
}

/// How many binary digits a number has.
fn digits(number: Exp) -> Exp {
    let clz = Exp::Prim(Prim::Un(UnOp::Clz, ScalarType::I64), vec![number]);
    op(BinOp::Sub, Exp::i64(64), Exp::Prim(Prim::Conv(ScalarType::I32, ScalarType::I64), vec![clz]))
}

/// Whether a nest combines arrays.
pub(super) fn of_arrays(seg: &SegOp) -> bool {
    // mutant swap: one invocation reduces each segment then, and takes longer
    seg.ret[..seg.operands()].iter().any(|ty| matches!(ty, Type::Array(..)))
}

/// Whether what a nest does at a point is as well done twice.
pub(super) fn is_cheap(seg: &SegOp) -> bool {
    let plain = |stm: &Stm| matches!(stm.exp, Ir::SubExp(_) | Ir::Prim(..) | Ir::Index { .. });
    seg.body.stms.iter().all(plain)
        // mutant swap: an update of an accumulator is a statement that is not plain
        && seg.ret.iter().all(|ty| matches!(ty, Type::Scalar(_) | Type::Array(..)))
}
