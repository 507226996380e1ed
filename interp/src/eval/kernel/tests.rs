//! Kernels against the plain path: random scalar code gives the same results, the same first failure and the same counts. And timings, on demand.

use super::operators::tests::samples;
use crate::testing::*;
use crate::{Code, Ctx};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::*;
use futi_core::value::{Array, Column, Value};

/// Random scalar code.
struct Random {
    state: u64,
    prims: Vec<Prim>,
    /// The place of the next statement.
    prov: u32,
    /// Arrays to index, with their shapes.
    arrays: Vec<(Var, Vec<i64>, ScalarType)>,
    /// Whether to make what is not straight-line.
    control: bool,
}

/// Operands at hand.
type Pool = Vec<(SubExp, ScalarType)>;

impl Random {
    fn new(seed: u64) -> Random {
        Random {
            state: seed,
            prims: Prim::all().collect(),
            prov: 0,
            arrays: Vec::new(),
            control: seed.is_multiple_of(2),
        }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<T: Copy>(&mut self, xs: &[T]) -> T {
        xs[self.below(xs.len())]
    }

    fn ty(&mut self) -> ScalarType {
        self.of(&ScalarType::ALL)
    }

    fn scalar(&mut self, ty: ScalarType) -> Scalar {
        match self.below(3) {
            0 => self.of(&samples(ty)),
            1 => Scalar::from_i64(ty, self.below(7) as i64 - 2),
            _ => {
                let x = self.below(2000) as f64 / 100. - 10.;
                Scalar::from_f64(ty, x)
            }
        }
    }

    fn column(&mut self, ty: ScalarType, n: usize) -> Value {
        let xs: Vec<Scalar> = (0..n).map(|_| self.scalar(ty)).collect();
        Array::new(&[n], Column::from_scalars(ty, xs.into_iter()).unwrap()).into()
    }

    /// An operand of this type, most often one at hand.
    fn operand(&mut self, pool: &Pool, ty: ScalarType) -> SubExp {
        let mut fit: Vec<SubExp> = pool.iter().filter(|x| x.1 == ty).map(|x| x.0).collect();
        // What is new is used more often.
        if fit.len() > 3 && self.one_in(2) {
            fit.drain(..fit.len() - 3);
        }
        if fit.is_empty() || self.one_in(5) { self.scalar(ty).into() } else { self.of(&fit) }
    }

    fn place(&mut self, b: &mut Builder) {
        self.prov += 1;
        b.prov = Prov(self.prov);
    }

    /// Some statements; what they bind is added to the pool.
    fn code(&mut self, b: &mut Builder, pool: &mut Pool, statements: usize, depth: usize) {
        for _ in 0..statements {
            self.place(b);
            match self.below(if self.control && depth < 3 { 16 } else { 11 }) {
                9 => self.check(b, pool),
                10 => self.index(b, pool),
                11 | 12 => self.branch(b, pool, depth),
                13 => self.for_loop(b, pool, depth),
                14 => self.while_loop(b, pool, depth),
                8 if depth == 0 && !self.control => self.branch(b, pool, 2),
                _ => {
                    let op = {
                        let i = self.below(self.prims.len());
                        self.prims[i]
                    };
                    let (types, result) = op.signature().unwrap();
                    let args: Vec<SubExp> = types.iter().map(|t| self.operand(pool, *t)).collect();
                    pool.push((b.prim_op(op, &args), result));
                }
            }
        }
    }

    fn check(&mut self, b: &mut Builder, pool: &Pool) {
        let check = match self.below(6) {
            0 => Check::NonZero(self.operand(pool, ScalarType::I32)),
            1 => Check::NonNegativeExponent(self.operand(pool, ScalarType::I64)),
            2 if self.one_in(4) => Check::Assert(self.operand(pool, ScalarType::Bool), "no".into()),
            3 if self.one_in(4) => {
                let dim = |e: SubExp| match Dim::from_subexp(e) {
                    Some(Dim::Const(n)) => Dim::Const(n.max(0)),
                    dim => dim.unwrap(),
                };
                let x = self.operand(pool, ScalarType::I64);
                let y = if self.one_in(2) { x } else { self.operand(pool, ScalarType::I64) };
                Check::SizeEq { actual: vec![dim(x)], expected: vec![dim(y)] }
            }
            4 if self.one_in(4) => {
                let [start, second, end] = [0; 3].map(|_| self.operand(pool, ScalarType::I64));
                let second = self.one_in(2).then_some(second);
                Check::Range { start, second, end, kind: RangeKind::Inclusive }
            }
            // never fails
            _ => Check::NonZero(Scalar::I64(1).into()),
        };
        b.let_one("c", Exp::Check(check));
    }

    /// An index, most often one that is in range.
    fn index(&mut self, b: &mut Builder, pool: &mut Pool) {
        if self.arrays.is_empty() {
            return;
        }
        let i = self.below(self.arrays.len());
        let (array, shape, ty) = self.arrays[i].clone();
        let mut at = Vec::new();
        for n in &shape {
            let any = self.operand(pool, ScalarType::I64);
            let within = Prim::Bin(BinOp::Mod, ScalarType::I64);
            at.push(if self.one_in(12) { any } else { b.prim_op(within, &[any, SubExp::i64(*n)]) });
        }
        let check = Check::Bounds { indices: at.clone(), sizes: dims(&shape) };
        let cert = b.let_one("c", Exp::Check(check));
        b.certs = vec![cert];
        pool.push((b.index(array, &at).into(), ty));
        b.certs.clear();
    }

    fn body(&mut self, b: &mut Builder, pool: &Pool, results: &[ScalarType], depth: usize) -> Body {
        let statements = self.below(if self.control { 12 } else { 4 });
        b.inner(|b| {
            let mut inner = pool.clone();
            // Straight-line code has no checks in its branches.
            let arrays = if self.control { None } else { Some(std::mem::take(&mut self.arrays)) };
            self.code(b, &mut inner, statements, depth);
            if let Some(arrays) = arrays {
                self.arrays = arrays;
            }
            results.iter().map(|t| self.operand(&inner, *t)).collect()
        })
    }

    fn types(&mut self) -> Vec<ScalarType> {
        (0..1 + self.below(3)).map(|_| self.ty()).collect()
    }

    fn branch(&mut self, b: &mut Builder, pool: &mut Pool, depth: usize) {
        let types = self.types();
        let cond = self.operand(pool, ScalarType::Bool);
        let [yes, no] = [0; 2].map(|_| self.body(b, pool, &types, depth + 1));
        let pat: Vec<Binder> = types.iter().map(|t| b.vars.fresh("r", (*t).into())).collect();
        pool.extend(pat.iter().zip(&types).map(|(p, t)| (p.var.into(), *t)));
        b.bind(pat, Exp::If { cond, yes, no });
    }

    fn loop_params(&mut self, b: &mut Builder, pool: &Pool, types: &[ScalarType]) -> Vec<LoopParam> {
        let param = |t: &ScalarType| LoopParam {
            binder: b.vars.fresh("p", (*t).into()),
            unique: false,
            init: self.operand(pool, *t),
        };
        types.iter().map(param).collect()
    }

    fn add_loop(&mut self, b: &mut Builder, pool: &mut Pool, params: Vec<LoopParam>, form: LoopForm, body: Body) {
        let pat: Vec<Binder> = params.iter().map(|p| b.vars.fresh("l", p.binder.ty.clone())).collect();
        pool.extend(pat.iter().map(|p| (p.var.into(), p.ty.elem().unwrap())));
        b.bind(pat, Exp::Loop { params, form, body });
    }

    fn for_loop(&mut self, b: &mut Builder, pool: &mut Pool, depth: usize) {
        let types = self.types();
        let params = self.loop_params(b, pool, &types);
        let ty = self.of(&[ScalarType::I32, ScalarType::I64]);
        let bound = Scalar::from_i64(ty, self.below(6) as i64 - 1).into();
        let index = b.vars.fresh("i", ty.into());
        let mut inner = pool.clone();
        inner.push((index.var.into(), ty));
        inner.extend(params.iter().zip(&types).map(|(p, t)| (p.binder.var.into(), *t)));
        let body = self.body(b, &inner, &types, depth + 1);
        self.add_loop(b, pool, params, LoopForm::For { index, bound }, body);
    }

    /// `while` that goes on for a few trips at most.
    fn while_loop(&mut self, b: &mut Builder, pool: &mut Pool, depth: usize) {
        let types = [vec![ScalarType::Bool, ScalarType::I64], self.types()].concat();
        let mut params = self.loop_params(b, pool, &types);
        params[1].init = SubExp::i64(0);
        let mut inner = pool.clone();
        inner.extend(params.iter().zip(&types).map(|(p, t)| (p.binder.var.into(), *t)));
        let mut body = self.body(b, &inner, &types, depth + 1);
        let more = b.inner(|b| {
            let k = b.prim_op(Prim::Bin(BinOp::Add, ScalarType::I64), &[params[1].binder.var.into(), SubExp::i64(1)]);
            let few = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[k, SubExp::i64(4)]);
            vec![b.prim_op(Prim::Bin(BinOp::And, ScalarType::Bool), &[few, body.result[0]]), k]
        });
        body.stms.extend(more.stms);
        body.result[..2].copy_from_slice(&more.result);
        let form = LoopForm::While(params[0].binder.var);
        self.add_loop(b, pool, params, form, body);
    }

    /// An operator on values of these types: of the table, or a lambda.
    fn operator(&mut self, b: &mut Builder, types: &[ScalarType], pool: &Pool) -> Operator {
        let binary: Vec<Prim> = (self.prims.iter().copied())
            .filter(|p| types.len() == 1 && p.signature().unwrap() == (vec![types[0]; 2], types[0]))
            .collect();
        if !binary.is_empty() && !self.one_in(3) {
            let op = self.of(&binary);
            let neutral = self.scalar(types[0]);
            return b.operator(op, neutral);
        }
        let params: Vec<(&str, Type)> = types.iter().chain(types).map(|t| ("x", (*t).into())).collect();
        let lambda = b.lambda(&params, |b, p| {
            let mut inner = pool.clone();
            inner.extend(p.iter().zip(types.iter().chain(types)).map(|(v, t)| (SubExp::Var(*v), *t)));
            let statements = self.below(6);
            self.code(b, &mut inner, statements, 1);
            types.iter().map(|t| self.operand(&inner, *t)).collect()
        });
        let neutral = types.iter().map(|t| self.operand(pool, *t)).collect();
        Operator { lambda, neutral, commutative: false }
    }
}

/// A program whose `main` gets scalars, two arrays to index, `columns` of n elements, and n rows of two.
fn random_program(
    r: &mut Random,
    columns: &[ScalarType],
    n: usize,
    node: impl FnOnce(&mut Random, &mut Builder, &Pool, &[Var]) -> Vec<Var>,
) -> (Program, Vec<Value>) {
    let scalars: Vec<ScalarType> = ScalarType::ALL.to_vec();
    let length = 1 + r.below(5);
    let mut args: Vec<Value> = scalars.iter().map(|t| r.scalar(*t).into()).collect();
    args.push(r.column(ScalarType::F64, length));
    let matrix = |r: &mut Random, rows: usize, cols: usize| match r.column(ScalarType::F32, rows * cols) {
        Value::Array(a) => Value::from(a.reshape(&[rows, cols])),
        v => v,
    };
    args.push(matrix(r, length, 3));
    args.extend(columns.iter().map(|t| r.column(*t, n)));
    args.push(matrix(r, n, 2));
    let array = |t: ScalarType, n: usize| Type::Array(t, dims(&[n as i64]));
    let rows = |n: usize, m: i64| Type::Array(ScalarType::F32, dims(&[n as i64, m]));
    let types = scalars.iter().map(|t| Type::Scalar(*t)).chain([array(ScalarType::F64, length), rows(length, 3)]);
    let params: Vec<(&str, Type)> =
        types.chain(columns.iter().map(|t| array(*t, n))).chain([rows(n, 2)]).map(|t| ("a", t)).collect();
    let program = program(&params, |b, v| {
        let pool: Pool = v.iter().zip(&scalars).map(|(v, t)| ((*v).into(), *t)).collect();
        let length = length as i64;
        let first = scalars.len();
        r.arrays = vec![(v[first], vec![length], ScalarType::F64), (v[first + 1], vec![length, 3], ScalarType::F32)];
        r.place(b);
        vars(&node(r, b, &pool, &v[scalars.len() + 2..]))
    });
    (program, args)
}

/// Widths about which kernels think differently.
const WIDTHS: [usize; 14] = [0, 1, 2, 11, 12, 13, 127, 128, 129, 300, 1023, 1024, 1025, 2050];

fn random_screma(r: &mut Random) -> (Program, Vec<Value>) {
    let n = if r.control { [0, 1, 2, 13, 40][r.below(5)] } else { WIDTHS[r.below(WIDTHS.len())] };
    let columns: Vec<ScalarType> = (0..1 + r.below(3)).map(|_| r.ty()).collect();
    random_program(r, &columns, n, |r, b, pool, arrays| {
        let groups = |r: &mut Random| -> Vec<Vec<ScalarType>> { (0..r.below(3)).map(|_| r.types()).collect() };
        let (scans, reduces) = (groups(r), groups(r));
        let mapped = r.types();
        let results: Vec<ScalarType> = scans.iter().chain(&reduces).flatten().copied().chain(mapped).collect();
        let row = Type::Array(ScalarType::F32, dims(&[2]));
        let params: Vec<(&str, Type)> = columns.iter().map(|t| ("x", (*t).into())).chain([("row", row)]).collect();
        let map = b.lambda(&params, |b, p| {
            let mut inner = pool.clone();
            inner.extend(p.iter().zip(&columns).map(|(v, t)| (SubExp::Var(*v), *t)));
            let statements = r.below(12);
            let free = r.arrays.len();
            r.arrays.push((p[columns.len()], vec![2], ScalarType::F32));
            r.code(b, &mut inner, statements, 0);
            r.arrays.truncate(free);
            results.iter().map(|t| r.operand(&inner, *t)).collect()
        });
        let scans = scans.iter().map(|t| r.operator(b, t, pool)).collect();
        let reduces = reduces.iter().map(|t| r.operator(b, t, pool)).collect();
        r.place(b);
        let screma = Screma { width: Dim::Const(n as i64), arrays: arrays.to_vec(), map, scans, reduces, post: None };
        b.let_many("s", screma.into())
    })
}

fn random_seg_op(r: &mut Random) -> (Program, Vec<Value>) {
    let shapes: [&[i64]; 9] = [&[0], &[1], &[700], &[3, 0], &[0, 3], &[5, 40], &[2, 3, 4], &[300, 2], &[1, 1200]];
    let space = if r.control { shapes[r.below(7)] } else { shapes[r.below(9)] };
    random_program(r, &[], 0, |r, b, pool, _| {
        let space: Vec<(Binder, Dim)> = space.iter().map(|n| (b.vars.fresh("i", I64), Dim::Const(*n))).collect();
        let reduces: Vec<Vec<ScalarType>> = (0..r.below(3)).map(|_| r.types()).collect();
        let mapped = r.types();
        let ret: Vec<ScalarType> = reduces.iter().flatten().copied().chain(mapped).collect();
        let mut inner = pool.clone();
        inner.extend(space.iter().map(|(i, _)| (SubExp::Var(i.var), ScalarType::I64)));
        let statements = r.below(10);
        let body = b.inner(|b| {
            r.code(b, &mut inner, statements, 0);
            ret.iter().map(|t| r.operand(&inner, *t)).collect()
        });
        let reduces = reduces.iter().map(|t| r.operator(b, t, pool)).collect();
        r.place(b);
        let ret = ret.into_iter().map(Type::Scalar).collect();
        b.let_many("s", Exp::SegOp(SegOp::reduce(space, reduces, ret, body)))
    })
}

fn random_loop(r: &mut Random) -> (Program, Vec<Value>) {
    r.control = true;
    random_program(r, &[], 0, |r, b, pool, _| {
        let mut inner = pool.clone();
        let before = inner.len();
        if r.one_in(3) {
            r.while_loop(b, &mut inner, 0);
        } else {
            r.for_loop(b, &mut inner, 0);
        }
        // More trips than a kernel makes at a time.
        if let Some(Stm { exp: Exp::Loop { form: LoopForm::For { bound, .. }, .. }, .. }) = b.stms.last_mut()
            && r.one_in(4)
        {
            let ty = bound.as_lit().unwrap().scalar_type();
            *bound = Scalar::from_i64(ty, 4090 + r.below(12) as i64).into();
        }
        inner[before..].iter().filter_map(|x| x.0.as_var()).collect()
    })
}

/// What a run gives, and what it counts.
fn outcome(code: &Code, args: &[Value], ctx: Ctx) -> (Result<Vec<Value>, RuntimeError>, crate::Counters) {
    let result = code.call("main", args.to_vec(), &ctx);
    let mut counters = ctx.counters();
    // what kernels have done of it is what may differ
    counters.kernels = crate::KernelCounters::default();
    (result, counters)
}

/// Runs it both ways, and again with too little fuel. Whether it failed.
fn compare_both(program: &Program, args: &[Value], r: &mut Random, seed: u64) -> bool {
    assert_eq!(check::errors(program), [], "{seed}\n{program}");
    let code = Code::new(program).unwrap();
    let plain = outcome(&code, args, Ctx { plain: true, ..Ctx::default() });
    let kernels = outcome(&code, args, Ctx::default());
    assert_eq!(plain.0, kernels.0, "{seed}\n{program}");
    assert_eq!(plain.1, kernels.1, "{seed}\n{program}");
    let steps = (plain.1.statements + plain.1.bodies) as usize;
    let fuel = Some(r.below(steps + 2) as u64);
    let plain = outcome(&code, args, Ctx { plain: true, fuel, ..Ctx::default() });
    let kernels = outcome(&code, args, Ctx { fuel, ..Ctx::default() });
    assert_eq!(plain.0.as_ref().err(), kernels.0.as_ref().err(), "{seed} {fuel:?}\n{program}");
    if plain.0.is_ok() {
        assert_eq!(plain, kernels, "{seed} {fuel:?}\n{program}");
    }
    kernels.0.is_err()
}

/// `columns`: how many of the runs are to be by columns.
fn compare_many(
    runs: u64,
    columns: u64,
    make: fn(&mut Random) -> (Program, Vec<Value>),
    compiled: fn(&Code) -> Option<bool>,
) {
    let (mut failures, mut kernels, mut straight) = (0, 0, 0);
    for seed in 0..runs {
        let mut r = Random::new(seed);
        let (program, args) = make(&mut r);
        failures += compare_both(&program, &args, &mut r, seed) as u64;
        if let Some(by_columns) = compiled(&Code::new(&program).unwrap()) {
            kernels += 1;
            straight += by_columns as u64;
        }
    }
    // Every program is a kernel but for those of too many variables; some of each sort are there.
    assert!(kernels >= runs * 9 / 10, "{kernels} kernels of {runs}, {straight} straight, {failures} failures");
    assert!(failures >= runs / 20 && failures <= runs * 19 / 20, "{failures} failures of {runs}");
    assert!(straight >= columns, "{straight} straight of {runs}");
}

/// Whether the last node of `main` has a kernel, and a straight-line one.
fn of_nest(code: &Code) -> Option<bool> {
    match &code.funs[0].body.stms.last()?.exp {
        crate::eval::code::Exp::Screma(s) => s.nest.as_ref().map(|n| n.is_straight()),
        crate::eval::code::Exp::SegOp(s) => s.nest.as_ref().map(|n| n.is_straight()),
        _ => None,
    }
}

fn of_loop(code: &Code) -> Option<bool> {
    match &code.funs[0].body.stms.last()?.exp {
        crate::eval::code::Exp::Loop(l) => l.kernel.as_ref().map(|_| false),
        _ => None,
    }
}

/// Programs of each sort: more in an optimised build.
const RUNS: u64 = if cfg!(debug_assertions) { 300 } else { 20_000 };

#[test]
fn parallel_nodes_are_as_on_the_plain_path() {
    compare_many(RUNS, RUNS / 4, random_screma, of_nest);
}

#[test]
fn segops_are_as_on_the_plain_path() {
    compare_many(RUNS, RUNS / 4, random_seg_op, of_nest);
}

#[test]
fn loops_are_as_on_the_plain_path() {
    compare_many(RUNS, 0, random_loop, of_loop);
}

#[test]
fn a_result_does_not_replace_what_is_still_read() {
    // p: 1, 2, 4, 8; q sums them: 0, 1, 3, 7; both are made of the old p
    let program = ir(
        "fun \"main\"(n_0: i64) -> (p_1: i64, q_2: i64) { let (r_3: i64, s_4: i64) = loop (p_5: i64 = 1i64, q_6: i64 = 0i64) for i_7: i64 < n_0 do { let (t_8: i64) = mul.i64(p_5, 2i64) let (u_9: i64) = add.i64(q_6, p_5) in (t_8, u_9) } in (r_3, s_4) }",
    );
    assert_eq!(crate::eval(&program, "main", &[int(3)], &Ctx::default()).unwrap(), [int(8), int(7)]);
    // swapped: (1, 2), (2, 1), (1, 2), (2, 1)
    let program = ir(
        "fun \"main\"(n_0: i64) -> (p_1: i64, q_2: i64) { let (r_3: i64, s_4: i64) = loop (p_5: i64 = 1i64, q_6: i64 = 2i64) for i_7: i64 < n_0 do { in (q_6, p_5) } in (r_3, s_4) }",
    );
    assert_eq!(crate::eval(&program, "main", &[int(3)], &Ctx::default()).unwrap(), [int(2), int(1)]);
}

#[test]
fn an_inner_loop_may_have_any_bound() {
    // One that no i64 holds: the body is executed, and fails when its counter is 3.
    let p = ir(
        "fun \"main\"(n_1: u64) -> (r_2: i64) { let (y_3: i64) = loop (a_4: i64 = 0i64) for i_5: i64 < 3i64 do { \
                let (z_6: i64) = loop (b_7: i64 = a_4) for j_8: u64 < n_1 do { let (c_9: bool) = lt.u64(j_8, 3u64) \
                let (k_10: cert) = check assert c_9 \"boom\" let (d_11: i64) = add.i64(b_7, 1i64) in (d_11) } in (z_6) } in (y_3) }",
    );
    let code = Code::new(&p).unwrap();
    for bound in [2, 3, 4, 1 << 63, u64::MAX] {
        let args = [Value::from(Scalar::U64(bound))];
        let (quick, counted) = outcome(&code, &args, Ctx::default());
        let (plain, expected) = outcome(&code, &args, Ctx { plain: true, ..Ctx::default() });
        assert_eq!(plain.is_err(), bound > 3);
        assert_eq!((quick, counted), (plain, expected), "{bound}");
    }
}

#[test]
fn rows_are_read_by_elements() {
    // the sums of first and last of the rows of two arrays, one after the other, in one frame
    let program = ir(
        "fun \"main\"(a_0: [2][20][3]i64) -> (r_1: i64) { let (l_2: i64) = loop (s_3: i64 = 0i64) for i_4: i64 < 2i64 do { let (b_5: [20][3]i64) = index a_0[i_4] let (t_6: i64) = screma 20 (b_5) map \\(row_7: [3]i64) -> (i64) { let (x_8: i64) = index row_7[0i64] let (y_9: i64) = index row_7[2i64] let (z_10: i64) = add.i64(x_8, y_9) in (z_10) } reduce \\(p_11: i64, q_12: i64) -> (i64) { let (o_13: i64) = add.i64(p_11, q_12) in (o_13) } neutral (0i64) let (u_14: i64) = mul.i64(s_3, 1000i64) let (v_15: i64) = add.i64(t_6, u_14) in (v_15) } in (l_2) }",
    );
    let xs: Vec<i64> = (0..120).map(|x| if x < 60 { 1 } else { 3 }).collect();
    let args = [ints(&[2, 20, 3], &xs)];
    let plain = Ctx { plain: true, ..Ctx::default() };
    for ctx in [Ctx::default(), plain] {
        // 20 * 2, then 20 * 6
        assert_eq!(crate::eval(&program, "main", &args, &ctx).unwrap(), [int(40_120)]);
    }
}

#[test]
fn an_endless_loop_in_a_map_is_interrupted() {
    let program = ir(
        "fun \"main\"(a_0: [2]bool) -> (r_1: [2]bool) { let (m_2: [2]bool) = screma 2 (a_0) map \\(x_3: bool) -> (bool) { let (l_4: bool) = loop (p_5: bool = x_3) while p_5 do { in (p_5) } in (l_4) } in (m_2) }",
    );
    let args = [Array::from_vec(&[2], vec![false, true]).into()];
    let mut ctx = Ctx { fuel: Some(1 << 20), ..Ctx::default() };
    assert_eq!(crate::eval(&program, "main", &args, &ctx).unwrap_err().kind, FailureKind::Fuel);
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    ctx = Ctx::default();
    ctx.call.cancel = Some(cancel.clone());
    let after_a_while = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(crate::eval(&program, "main", &args, &ctx).unwrap_err().kind, FailureKind::Cancelled);
    after_a_while.join().unwrap();
}

#[test]
fn a_long_nest_is_interrupted() {
    // 2^30 points, each of them a body, are a second of work or more
    let program = ir(
        "fun \"main\"() -> (r_1: i64) { let (s_2: i64) = segop grid (i_3: i64 < 1073741824) reduce comm \\(x_4: i64, y_5: i64) -> (i64) { let (z_6: i64) = add.i64(x_4, y_5) in (z_6) } neutral (0i64) -> (i64) { in (i_3) } in (s_2) }",
    );
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut ctx = Ctx::default();
    ctx.call.cancel = Some(cancel.clone());
    let after_a_while = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(5));
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(crate::eval(&program, "main", &[], &ctx).unwrap_err().kind, FailureKind::Cancelled);
    assert!(ctx.counters().bodies < 1 << 30);
    after_a_while.join().unwrap();
}

#[test]
fn a_choice_may_be_the_next_value() {
    // from 0 up to 5, then back and forth
    let program = ir("fun \"main\"(n_0: i64) -> (r_1: i64, s_2: i64) { let (r_3: i64, s_4: i64) = loop (x_5: i64 = 0i64, k_6: i64 = 7i64) for i_7: i64 < n_0 do {
          let (up_8: i64) = add.i64(x_5, 1i64) let (down_9: i64) = sub.i64(x_5, 1i64) let (t_10: bool) = lt.i64(x_5, 5i64)
          let (next_11: i64) = select.i64(t_10, up_8, down_9) let (k_12: i64) = add.i64(k_6, 1i64) in (next_11, k_12) } in (r_3, s_4) }");
    let code = Code::new(&program).unwrap();
    for (n, x) in [(0, 0), (3, 3), (5, 5), (6, 4), (7, 5), (20, 4)] {
        let plain = outcome(&code, &[int(n)], Ctx { plain: true, ..Ctx::default() });
        assert_eq!(plain.0.as_ref().unwrap(), &[int(x), int(7 + n)]);
        assert_eq!(plain, outcome(&code, &[int(n)], Ctx::default()));
    }
}

#[test]
fn as_many_values_at_once_as_there_are_registers_or_more() {
    // powers of x that all live until they are added up: with the sum, and in columns a register for the element, about as many registers
    for count in 240..=270 {
        let mut body = String::new();
        for k in 1..count {
            body += &format!("let (p_{}: i64) = mul.i64(p_{}, x_3) ", 100 + k, 99 + k);
        }
        body += "let (s_1000: i64) = add.i64(x_3, p_100) ";
        for k in 1..count {
            body += &format!("let (s_{}: i64) = add.i64(s_{}, p_{}) ", 1000 + k, 999 + k, 100 + k);
        }
        let program = ir(&format!(
            "fun \"main\"(a_0: [20]i64) -> (r_1: [20]i64) {{ let (m_2: [20]i64) = screma 20 (a_0) map \\(x_3: i64) -> (i64) {{
               let (p_100: i64) = mul.i64(x_3, x_3) {body} in (s_{}) }} in (m_2) }}",
            999 + count
        ));
        let args = [ints(&[20], &(0..20).collect::<Vec<i64>>())];
        let code = Code::new(&program).unwrap();
        let plain = outcome(&code, &args, Ctx { plain: true, ..Ctx::default() });
        assert_eq!(plain, outcome(&code, &args, Ctx::default()), "{count}");
    }
}

#[test]
fn a_failure_late_in_a_map_is_found_in_its_place() {
    // 7 / x, x = 0 at position 2000 only
    let program = ir(
        "fun \"main\"(a_0: [3000]i64) -> (r_1: [3000]i64) { let (m_2: [3000]i64) = screma 3000 (a_0) map \\(x_3: i64) -> (i64) { let (c_4: cert) = check nonzero x_3 let (q_5: i64) = div.i64(7i64, x_3) certs (c_4) in (q_5) } in (m_2) }",
    );
    let mut xs = vec![1; 3000];
    xs[2000] = 0;
    let ctx = Ctx::default();
    let e = crate::eval(&program, "main", &[ints(&[3000], &xs)], &ctx).unwrap_err();
    assert_eq!(e.kind, FailureKind::DivisionByZero);
    // 2000 quotients before it
    assert_eq!(ctx.counters().prims(), 2000);
}

#[test]
fn points_are_taken_chunk_by_chunk() {
    // room is made for 1024 points at a time, for a body with a loop in it and for one that runs on columns, of either node: 2999 points are three chunks
    let add = "reduce comm \\(x_20: i64, y_21: i64) -> (i64) { let (z_22: i64) = add.i64(x_20, y_21) in (z_22) } neutral (0i64)";
    let straight = "let (q_5: i64) = mul.i64(i_4, 2i64)";
    let looping = "let (q_5: i64) = loop (p_6: i64 = i_4) for k_7: i64 < 1i64 do { let (r_8: i64) = mul.i64(p_6, 2i64) in (r_8) }";
    for body in [straight, looping] {
        for node in [
            format!("segop grid (i_4: i64 < 2999) {add} -> (i64) {{ {body} in (q_5) }}"),
            format!("screma 2999 (is_1) map \\(i_4: i64) -> (i64) {{ {body} in (q_5) }} {add}"),
        ] {
            let program = ir(&format!(
                "fun \"main\"() -> (r_2: i64) {{ let (is_1: [2999]i64) = iota i64 (2999i64, 0i64, 1i64) let (s_3: i64) = {node} in (s_3) }}"
            ));
            let ctx = Ctx::default();
            assert_eq!(crate::eval(&program, "main", &[], &ctx).unwrap(), [int(2998 * 2999)]);
            assert_eq!(ctx.counters().kernels.chunks, 3, "{node}");
        }
    }
}

/// The least of some times that a call takes, in milliseconds.
fn milliseconds(program: &Program, args: &[Value], ctx: &Ctx, times: usize) -> f64 {
    let code = Code::new(program).unwrap();
    let once = |_| {
        let args = args.to_vec();
        let start = std::time::Instant::now();
        let results = code.call("main", args, ctx).unwrap();
        let time = start.elapsed().as_secs_f64();
        drop(results);
        time
    };
    (0..times).map(once).fold(f64::INFINITY, f64::min) * 1e3
}

/// `cargo test --release -p futi-interp -- --ignored --nocapture timings`
#[test]
#[ignore = "prints times"]
fn timings() {
    let ctx = Ctx::default();
    let plain = Ctx { plain: true, ..Ctx::default() };
    let cubic = |n: usize| {
        ir(&format!(
            "fun \"main\"(a_0: [{n}]f64) -> (r_1: [{n}]f64) {{ let (m_2: [{n}]f64) = screma {n} (a_0) map \\(x_3: f64) -> (f64) {{ let (y_4: f64) = mul.f64(x_3, x_3) let (z_5: f64) = mul.f64(y_4, x_3) let (w_6: f64) = mul.f64(2f64, x_3) let (v_7: f64) = add.f64(z_5, w_6) in (v_7) }} in (m_2) }}"
        ))
    };
    let fold = |what: &str, op: &str, n: usize| {
        let ret = if what == "scan" { format!("[{n}]f64") } else { "f64".to_string() };
        ir(&format!(
            "fun \"main\"(a_0: [{n}]f64) -> (r_1: {ret}) {{ let (m_2: {ret}) = screma {n} (a_0) map \\(x_3: f64) -> (f64) {{ in (x_3) }} {what} \\(x_4: f64, y_5: f64) -> (f64) {{ let (z_6: f64) = {op}.f64(x_4, y_5) in (z_6) }} neutral (0f64) in (m_2) }}"
        ))
    };
    let scalar_loop = |n: usize| {
        ir(&format!(
            "fun \"main\"(x_0: f64, a_1: f64, b_2: f64) -> (r_3: f64) {{ let (l_4: f64) = loop (p_5: f64 = x_0) for i_6: i64 < {n}i64 do {{ let (t_7: f64) = mul.f64(p_5, a_1) let (u_8: f64) = add.f64(t_7, b_2) in (u_8) }} in (l_4) }}"
        ))
    };
    let n = 10_000_000;
    let xs = floats(&[n], &(0..n).map(|i| i as f64 * 1e-7).collect::<Vec<_>>());
    let a = std::slice::from_ref(&xs);
    println!("map x*x*x + 2*x, 10^7: {:.1} ms", milliseconds(&cubic(n), a, &ctx, 7));
    for (what, op) in [("reduce", "add"), ("scan", "add"), ("reduce", "max"), ("reduce", "atan2")] {
        println!("{what} {op}, 10^7: {:.1} ms", milliseconds(&fold(what, op, n), a, &ctx, 5));
    }
    let args = [float(1.), float(0.999), float(0.5)];
    println!("loop x*a+b, 10^8: {:.1} ms", milliseconds(&scalar_loop(100_000_000), &args, &ctx, 2));
    println!("loop x*a+b, 10^7, plain: {:.1} ms", milliseconds(&scalar_loop(10_000_000), &args, &plain, 1));
    for n in [1, 2, 5, 10, 20, 50, 100] {
        let xs = [floats(&[n], &vec![0.5; n])];
        let nano = |p: &Program, ctx: &Ctx| {
            (0..3)
                .map(|_| {
                    let repeated = repeat(p, 20_000);
                    milliseconds(&repeated, &xs, ctx, 3) / 20_000. * 1e6
                })
                .fold(f64::INFINITY, f64::min)
        };
        let (m, r) = (cubic(n), fold("reduce", "add", n));
        println!(
            "width {n}: map {:.0} ns, plain {:.0}; reduce {:.0} ns, plain {:.0}",
            nano(&m, &ctx),
            nano(&m, &plain),
            nano(&r, &ctx),
            nano(&r, &plain)
        );
    }
}

/// `main` whose body is repeated in a loop; it returns one of its results.
fn repeat(p: &Program, times: i64) -> Program {
    let mut p = p.clone();
    let main = &mut p.funs[0];
    let mut vars = build::Vars::of(&Program { funs: vec![main.clone()], prov: ProvTable::default() });
    let body = std::mem::take(&mut main.body);
    let index = vars.fresh("i", I64);
    let param = vars.fresh("p", I64);
    let pat = vec![vars.fresh("l", I64)];
    let body = Body { stms: body.stms, result: vec![param.var.into()] };
    let params = vec![LoopParam { binder: param, unique: false, init: SubExp::i64(0) }];
    let form = LoopForm::For { index, bound: SubExp::i64(times) };
    let result = vec![pat[0].var.into()];
    let exp = Exp::Loop { params, form, body };
    let stm = Stm { pat, exp, certs: vec![], attrs: vec![], prov: Prov::UNKNOWN };
    main.body = Body { stms: vec![stm], result };
    main.results = vec![FunResult { binder: vars.fresh("r", I64), unique: false }];
    p
}
