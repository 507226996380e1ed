//! Scans by the host: reduce-then-scan, for any operator.
//!
//! The elements are cut into chunks. The chunks are reduced; of what comes out, each chunk gets what all before it have come to, in as many rounds as the number of chunks has binary digits;
//! then each chunk is scanned from there on. So all elements are read twice and written once.

use super::host::{Lowering, ONE, Val, op};
use crate::host::ir::{Exp, Tuning};
use futi_core::ir::build::Builder;
use futi_core::ir::{
    BinOp, Binder, CmpOp, Dim, Exp as Ir, Lambda, Level, LoopForm, LoopParam, Operator, Prim, ScalarType, Screma,
    SegOp, Stm, SubExp, Type, UnOp, Var,
};

/// A chunk has as many elements, if there are enough.
const LEAST: i64 = 16;

impl Lowering {
    /// A map with scans.
    pub(super) fn scan(&mut self, s: &Screma, pats: &[Binder]) {
        let (scanned, reduced) = s.operand_counts();
        if reduced == 0 && is_cheap(&s.map) {
            return self.scan_chunks(s, pats);
        }
        // what is not to be done twice is done before
        let operands = self.mapped(s, pats);
        let arrays: Vec<Var> = operands.iter().map(|x| x.var).collect();
        let types: Vec<Type> = s.map.ret[..scanned].to_vec();
        let map = Builder::new(&mut self.vars, self.prov).identity("x", &types);
        let rest = Screma { width: s.width, arrays, map, scans: s.scans.clone(), reduces: vec![], post: None };
        self.scan_chunks(&rest, &pats[..scanned]);
    }

    /// The map and the reductions, and arrays of the scans' operands.
    fn mapped(&mut self, s: &Screma, pats: &[Binder]) -> Vec<Binder> {
        let (scanned, reduced) = s.operand_counts();
        let index = self.vars.fresh("i", Type::I64);
        let i = index.var.into();
        let mut body = Builder::new(&mut self.vars, self.prov).inner(|b| element(b, &s.map, &s.arrays, i));
        // what is reduced comes first
        let rest = body.result.split_off(scanned + reduced);
        let reduces = body.result.split_off(scanned);
        body.result = [reduces, body.result, rest].concat();
        let (first, rest) = s.map.ret.split_at(scanned);
        let ret = [&rest[..reduced], first, &rest[reduced..]].concat();
        let operands: Vec<Binder> = first.iter().map(|ty| self.vars.fresh("x", ty.array_of(&[s.width]))).collect();
        let space = vec![(index, s.width)];
        let reduces = s.reduces.clone();
        let seg = SegOp { level: Level::Grid, space, reduces, ret, body, scans: vec![], hists: vec![] };
        let all = [&pats[scanned..scanned + reduced], &operands, &pats[scanned + reduced..]].concat();
        self.launch_as(&seg, &all, "map", self.prov);
        operands
    }

    /// A variable of the IR for a scalar of the host.
    fn variable(&mut self, name: &str, e: Exp) -> Var {
        let value = self.named(name, e);
        let var = self.vars.fresh(name, Type::I64).var;
        self.env.insert(var, Val::Scalar(value));
        var
    }

    fn scan_chunks(&mut self, s: &Screma, pats: &[Binder]) {
        let prov = self.prov;
        let n = self.dim(s.width);
        let divided = |a: Exp, b: Exp| op(BinOp::Quot, op(BinOp::Sub, op(BinOp::Add, a, b.clone()), ONE), b);
        let some = op(BinOp::Min, divided(n.clone(), Exp::i64(LEAST)), Exp::Tuning(Tuning::ScanChunks));
        let enough = op(BinOp::Quot, op(BinOp::Mul, n.clone(), Exp::i64(8)), Exp::Tuning(Tuning::Rounds));
        let chunks = op(BinOp::Max, op(BinOp::Max, some, enough), ONE);
        let chunks = self.named("chunks", chunks);
        let each = self.variable("each", divided(n, chunks.clone()));
        let clz = Exp::Prim(Prim::Un(UnOp::Clz, ScalarType::I64), vec![op(BinOp::Sub, chunks.clone(), ONE)]);
        let clz = Exp::Prim(Prim::Conv(ScalarType::I32, ScalarType::I64), vec![clz]);
        let rounds = self.variable("rounds", op(BinOp::Sub, Exp::i64(64), clz));
        let chunks = self.variable("chunks", chunks);
        let cut = Cut { chunks: Dim::Var(chunks), each: Dim::Var(each), width: s.width };

        let operands: Vec<Type> = s.scans.iter().flat_map(|op| op.lambda.ret.clone()).collect();
        let totals: Vec<Binder> =
            operands.iter().map(|ty| self.vars.fresh("total", ty.array_of(&[cut.chunks]))).collect();
        let reduction = self.totals(s, &cut, &operands);
        self.launch_as(&reduction, &totals, "scan totals", prov);

        let sums: Vec<Binder> = totals.iter().map(|x| self.vars.fresh("sum", x.ty.clone())).collect();
        let summed = self.sums(s, &cut, &totals, rounds);
        self.stm(&Stm { pat: sums.clone(), exp: summed, certs: vec![], attrs: vec![], prov });

        let scan = self.scans(s, &cut, &sums);
        let both = [cut.chunks, cut.each];
        let padded: Vec<Binder> = s.map.ret.iter().map(|ty| self.vars.fresh("scan", ty.array_of(&both))).collect();
        self.launch_as(&scan, &padded, "scan", prov);
        // the chunks lie one behind the other, so that what is too much is at the end
        for (pat, padded) in pats.iter().zip(&padded) {
            let value = self.operand(padded.var.into());
            self.env.insert(pat.var, value);
        }
    }

    /// What each chunk comes to. The last one may go on beyond the end, with the last element: nobody looks at what that comes to.
    fn totals(&mut self, s: &Screma, cut: &Cut, operands: &[Type]) -> SegOp {
        let (t, j) = (self.vars.fresh("chunk", Type::I64), self.vars.fresh("i", Type::I64));
        let place = [t.var.into(), j.var.into()];
        let mut body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let i = cut.index(b, place);
            element(b, &s.map, &s.arrays, i)
        });
        body.result.truncate(operands.len());
        let space = vec![(t, cut.chunks), (j, cut.each)];
        let (reduces, ret) = (s.scans.clone(), operands.to_vec());
        SegOp { level: Level::Grid, space, reduces, ret, body, scans: vec![], hists: vec![] }
    }

    /// What all chunks up to each come to: in each round what twice as many come to.
    fn sums(&mut self, s: &Screma, cut: &Cut, totals: &[Binder], rounds: Var) -> Ir {
        let params: Vec<LoopParam> = totals
            .iter()
            .map(|x| LoopParam { binder: self.vars.fresh("sum", x.ty.clone()), unique: false, init: x.var.into() })
            .collect();
        let index = self.vars.fresh("round", Type::I64);
        let t = self.vars.fresh("chunk", Type::I64);
        let ret: Vec<Type> = totals.iter().map(|x| x.ty.row()).collect();
        let mut b = Builder::new(&mut self.vars, self.prov);
        let body = b.inner(|b| {
            let back = b.int(BinOp::Shl, SubExp::i64(1), index.var.into());
            let body = b.inner(|b| {
                let here = Prim::Cmp(CmpOp::Le, ScalarType::I64);
                let cond = b.prim_op(here, &[back, t.var.into()]);
                let at = |b: &mut Builder, i: SubExp| -> Vec<SubExp> {
                    params.iter().map(|p| b.index(p.binder.var, &[i]).into()).collect()
                };
                let yes = b.inner(|b| {
                    let before = b.int(BinOp::Sub, t.var.into(), back);
                    let (before, own) = (at(b, before), at(b, t.var.into()));
                    combined(b, &s.scans, &before, &own)
                });
                let no = b.inner(|b| at(b, t.var.into()));
                let pat: Vec<Binder> = ret.iter().map(|ty| b.vars.fresh("x", ty.clone())).collect();
                let result = pat.iter().map(|x| x.var.into()).collect();
                b.bind(pat, Ir::If { cond, yes, no });
                result
            });
            let seg = SegOp::map(Level::Grid, vec![(t.clone(), cut.chunks)], ret.clone(), body);
            let pat: Vec<Binder> = totals.iter().map(|x| b.vars.fresh("sum", x.ty.clone())).collect();
            let result = pat.iter().map(|x| x.var.into()).collect();
            b.bind(pat, Ir::SegOp(seg));
            result
        });
        Ir::Loop { params, form: LoopForm::For { index, bound: rounds.into() }, body }
    }

    /// The scans of the chunks, each from what those before it come to on.
    fn scans(&mut self, s: &Screma, cut: &Cut, sums: &[Binder]) -> SegOp {
        let t = self.vars.fresh("chunk", Type::I64);
        let ret: Vec<Type> = s.map.ret.iter().map(|ty| ty.array_of(&[cut.each])).collect();
        let mut b = Builder::new(&mut self.vars, self.prov);
        let body = b.inner(|b| {
            let first = b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[t.var.into(), SubExp::i64(0)]);
            let yes = b.inner(|_| s.scans.iter().flat_map(|op| op.neutral.clone()).collect());
            let no = b.inner(|b| {
                let before = b.int(BinOp::Sub, t.var.into(), SubExp::i64(1));
                sums.iter().map(|x| b.index(x.var, &[before]).into()).collect()
            });
            let pat: Vec<Binder> = sums.iter().map(|x| b.vars.fresh("before", x.ty.row())).collect();
            let mut before = pat.iter().map(|x| SubExp::from(x.var));
            let carried =
                |op: &Operator| Operator { neutral: before.by_ref().take(op.neutral.len()).collect(), ..op.clone() };
            let scans: Vec<Operator> = s.scans.iter().map(carried).collect();
            b.bind(pat, Ir::If { cond: first, yes, no });
            let iota = b.iota(cut.each);
            let map = b.lambda(&[("i", Type::I64)], |b, p| {
                let i = cut.index(b, [t.var.into(), p[0].into()]);
                element(b, &s.map, &s.arrays, i)
            });
            let map = Lambda { ret: s.map.ret.clone(), ..map };
            let inner = Screma { width: cut.each, arrays: vec![iota], map, scans, reduces: vec![], post: None };
            b.let_many("scan", Ir::Screma(inner)).into_iter().map(SubExp::from).collect()
        });
        SegOp::map(Level::Grid, vec![(t, cut.chunks)], ret, body)
    }
}

/// How elements are cut into chunks.
struct Cut {
    chunks: Dim,
    each: Dim,
    width: Dim,
}

impl Cut {
    /// Which element of all the one of a chunk is: the last one, where the chunk goes beyond the end.
    fn index(&self, b: &mut Builder, [chunk, i]: [SubExp; 2]) -> SubExp {
        let start = b.int(BinOp::Mul, chunk, self.each.into());
        let i = b.int(BinOp::Add, start, i);
        let last = b.int(BinOp::Sub, self.width.into(), SubExp::i64(1));
        b.int(BinOp::Min, i, last)
    }
}

/// What the map gives for the element of a number.
pub(super) fn element(b: &mut Builder, map: &Lambda, arrays: &[Var], i: SubExp) -> Vec<SubExp> {
    for (param, array) in map.params.iter().zip(arrays) {
        // what an accumulator is its type tells
        if !matches!(param.ty, Type::Acc(_)) {
            b.bind(vec![param.clone()], Ir::Index { array: *array, indices: vec![i] });
        }
    }
    b.splice(map.body.clone())
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

/// Whether it is as well done twice.
pub(super) fn is_cheap(map: &Lambda) -> bool {
    let plain = |stm: &Stm| matches!(stm.exp, Ir::SubExp(_) | Ir::Prim(..));
    map.body.stms.iter().all(plain) && map.ret.iter().all(|ty| matches!(ty, Type::Scalar(_) | Type::Array(..)))
}
