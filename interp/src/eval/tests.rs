//! Each node against an expectation made by hand.

use crate::testing::*;
use crate::{Code, Ctx, NodeKind};
use futi_core::failure::FailureKind;
use futi_core::ir::build::map_exp;
use futi_core::ir::*;
use futi_core::prim::{BinOp, CmpOp, UnOp};
use futi_core::value::Value;

#[test]
fn scalars() {
    // (3 + 4) * 3 and its truth
    let p = program(&[("x", I64), ("y", I64)], |b, v| {
        let sum = b.prim_op(Prim::Bin(BinOp::Add, ScalarType::I64), &[v[0].into(), v[1].into()]);
        let product = b.prim_op(Prim::Bin(BinOp::Mul, ScalarType::I64), &[sum, v[0].into()]);
        let half = b.prim_op(Prim::Conv(ScalarType::I64, ScalarType::F64), &[product]);
        let root = b.prim_op(Prim::Un(UnOp::Sqrt, ScalarType::F64), &[half]);
        let big = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[v[0].into(), product]);
        let chosen = b.prim_op(Prim::Select(ScalarType::I64), &[big, v[1].into(), v[0].into()]);
        vec![product, root, big, chosen]
    });
    assert_eq!(run(&p, &[int(3), int(4)]), [int(21), float(21f64.sqrt()), truth(true), int(4)]);
}

#[test]
fn arrays_are_built_and_taken_apart() {
    let p = program(&[("a", f64s(&[2, 3])), ("x", F64)], |b, v| {
        let a = v[0];
        let element = b.index(a, &[SubExp::i64(1), SubExp::i64(2)]);
        let row = b.index(a, &[SubExp::i64(1)]);
        let lit = b.let_one("l", Exp::ArrayLit { elems: vec![v[1].into(), lit(7.0)], row: F64 });
        let replicated = b.let_one("r", Exp::Replicate { shape: dims(&[2]), value: lit.into() });
        let transposed = b.let_one("t", Exp::Rearrange { perm: vec![1, 0], array: a });
        let flat = b.let_one("f", Exp::Reshape { shape: dims(&[6]), array: transposed });
        let reversed = b.let_one("b", Exp::Reverse { array: flat });
        let joined = b.let_one("c", Exp::Concat { arrays: vec![row, lit], size: Dim::Const(5) });
        let same = b.let_one("s", Exp::Coerce { shape: dims(&[5]), array: joined });
        let iota = b.let_one(
            "i",
            Exp::Iota { n: SubExp::i64(3), start: SubExp::i64(5), step: SubExp::i64(-2), elem: ScalarType::I64 },
        );
        vars(&[element, row, lit, replicated, reversed, same, iota])
    });
    let a = floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]);
    let expected = [
        float(6.),
        floats(&[3], &[4., 5., 6.]),
        floats(&[2], &[9., 7.]),
        floats(&[2, 2], &[9., 7., 9., 7.]),
        // the transpose is 1 4 2 5 3 6
        floats(&[6], &[6., 3., 5., 2., 4., 1.]),
        floats(&[5], &[4., 5., 6., 9., 7.]),
        ints(&[3], &[5, 3, 1]),
    ];
    assert_eq!(run(&p, &[a, float(9.)]), expected);
}

#[test]
fn an_update_leaves_the_copy_alone() {
    let p = program(&[("a", f64s(&[2, 2]))], |b, v| {
        let copy = b.let_one("c", Exp::Copy(v[0]));
        let row = b.let_one("r", Exp::ArrayLit { elems: vec![lit(8.), lit(9.)], row: F64 });
        let first = Exp::Update { array: v[0], indices: vec![SubExp::i64(1)], value: row.into() };
        let first = b.let_one("u", first);
        let second =
            b.let_one("w", Exp::Update { array: first, indices: vec![SubExp::i64(0), SubExp::i64(1)], value: lit(5.) });
        vars(&[copy, second])
    });
    let a = floats(&[2, 2], &[1., 2., 3., 4.]);
    assert_eq!(run(&p, std::slice::from_ref(&a)), [a.clone(), floats(&[2, 2], &[1., 5., 8., 9.])]);
}

#[test]
fn scratch_is_written_then_read() {
    let p = program(&[], |b, _| {
        let s = b.let_one("s", Exp::Scratch { elem: ScalarType::F64, shape: dims(&[2]) });
        let u = b.let_one("u", Exp::Update { array: s, indices: vec![SubExp::i64(1)], value: lit(3.) });
        vars(&[b.index(u, &[SubExp::i64(1)])])
    });
    assert_eq!(crate::eval(&p, "main", &[], &Ctx::strict()).unwrap(), [float(3.)]);
}

#[test]
fn an_array_of_no_rows_keeps_its_shape() {
    let p = program(&[("a", f64s(&[0, 3]))], |b, v| {
        let map = b.lambda(&[("row", f64s(&[3]))], |_, r| vars(&[r[0]]));
        let mapped = b.let_one("m", map_exp(Dim::Const(0), vec![v[0]], map));
        let transposed = b.let_one("t", Exp::Rearrange { perm: vec![1, 0], array: mapped });
        let lit = b.let_one("l", Exp::ArrayLit { elems: vec![], row: f64s(&[4]) });
        vars(&[mapped, transposed, lit])
    });
    let results = run(&p, &[floats(&[0, 3], &[])]);
    let shapes: Vec<&[usize]> = results.iter().map(Value::shape).collect();
    assert_eq!(shapes, [&[0, 3][..], &[3, 0], &[0, 4]]);
}

#[test]
fn branches_and_loops() {
    // x := x*x three times from 2, then the count of doublings below 100
    let p = program(&[("x", I64), ("n", I64)], |b, v| {
        let squared = b.for_loop(v[1], &[("x", I64, v[0].into())], |b, _, p| vec![mul_i(b, p[0], p[0])]);
        let cond = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[squared[0].into(), SubExp::i64(100)]);
        let yes = b.inner(|_| vec![SubExp::i64(-1)]);
        let no = b.inner(|_| vars(&[squared[0]]));
        let chosen = b.let_one("c", Exp::If { cond, yes, no });
        let start: SubExp = Scalar::Bool(true).into();
        let doubled =
            b.while_loop(&[("go", BOOL, start), ("y", I64, SubExp::i64(1)), ("k", I64, SubExp::i64(0))], |b, p| {
                let y = b.prim_op(Prim::Bin(BinOp::Add, ScalarType::I64), &[p[1].into(), p[1].into()]);
                let k = b.prim_op(Prim::Bin(BinOp::Add, ScalarType::I64), &[p[2].into(), SubExp::i64(1)]);
                vec![b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[y, SubExp::i64(100)]), y, k]
            });
        vars(&[squared[0], chosen, doubled[1], doubled[2]])
    });
    assert_eq!(run(&p, &[int(2), int(3)]), [int(256), int(256), int(128), int(7)]);
    // no trips for n <= 0
    assert_eq!(run(&p, &[int(2), int(-1)])[..2], [int(2), int(-1)]);
}

#[test]
fn loop_parameters_are_assigned_at_once() {
    // Fibonacci: (a, b) := (b, a+b)
    let p = program(&[("n", I64)], |b, v| {
        let inits = [("a", I64, SubExp::i64(0)), ("b", I64, SubExp::i64(1))];
        let r = b.for_loop(v[0], &inits, |b, _, p| {
            vec![p[1].into(), b.prim_op(Prim::Bin(BinOp::Add, ScalarType::I64), &[p[0].into(), p[1].into()])]
        });
        vars(&r)
    });
    assert_eq!(run(&p, &[int(10)]), [int(55), int(89)]);
}

#[test]
fn map_scan_and_reduce_in_one() {
    // over [1,2,3]: scan (+), reduce (*) after squaring, and the squares
    let p = program(&[("a", f64s(&[3]))], |b, v| {
        let map = b.lambda(&[("x", F64)], |b, p| {
            let square = mul(b, p[0], p[0]);
            vec![p[0].into(), square, square]
        });
        let scans = vec![b.operator(Prim::Bin(BinOp::Add, ScalarType::F64), Scalar::F64(0.))];
        let reduces = vec![b.operator(Prim::Bin(BinOp::Mul, ScalarType::F64), Scalar::F64(1.))];
        let screma = Screma { width: Dim::Const(3), arrays: vec![v[0]], map, scans, reduces, post: None };
        vars(&b.let_many("s", screma.into()))
    });
    let expected = [floats(&[3], &[1., 3., 6.]), float(36.), floats(&[3], &[1., 4., 9.])];
    assert_eq!(run(&p, &[floats(&[3], &[1., 2., 3.])]), expected);
}

#[test]
fn neutral_elements_stand_on_the_left_once() {
    // x - y is no operator for a reduction, but shows the order: ((10 - 1) - 2) - 3
    let p = program(&[("a", f64s(&[3])), ("e", f64s(&[0]))], |b, v| {
        let minus = |b: &mut Builder| b.operator(Prim::Bin(BinOp::Sub, ScalarType::F64), Scalar::F64(10.));
        let (r, s, z) = (minus(b), minus(b), minus(b));
        let reduced = b.reduce(3, v[0], r);
        let scanned = b.scan(3, v[0], s);
        let empty = b.reduce(0, v[1], z);
        vars(&[reduced, scanned, empty])
    });
    let expected = [float(4.), floats(&[3], &[9., 7., 4.]), float(10.)];
    let args = [floats(&[3], &[1., 2., 3.]), floats(&[0], &[])];
    assert_eq!(crate::eval(&p, "main", &args, &Ctx::default()).unwrap(), expected);
}

#[test]
fn accumulators_combine_and_ignore_what_is_out_of_range() {
    // a[is[k]] *= ws[k]
    let p = program(&[("a", f64s(&[3])), ("is", i64s(&[5])), ("ws", f64s(&[5]))], |b, v| {
        let op = b.operator(Prim::Bin(BinOp::Mul, ScalarType::F64), Scalar::F64(1.));
        vars(&b.accumulate(v[0], 3, op, |b, acc| {
            let acc_ty = b.vars.ty(acc).clone();
            let map = b.lambda(&[("i", I64), ("w", F64), ("acc", acc_ty)], |b, p| {
                let upd = Exp::UpdAcc { acc: p[2], indices: vars(&p[..1]), values: vars(&p[1..2]) };
                vars(&[b.let_one("acc", upd)])
            });
            b.let_one("acc", map_exp(Dim::Const(5), vec![v[1], v[2], acc], map))
        }))
    });
    let args = [floats(&[3], &[1., 2., 3.]), ints(&[5], &[0, 2, 0, 3, -1]), floats(&[5], &[2., 5., 7., 11., 13.])];
    assert_eq!(run(&p, &args), [floats(&[3], &[14., 2., 15.])]);
}

#[test]
fn segmented_nests() {
    // m[i][j] = i * 10 + j, and the sums of its rows
    let p = program(&[], |b, _| {
        let (i, j) = (b.vars.fresh("i", I64), b.vars.fresh("j", I64));
        let body = b.inner(|b| {
            let tens = mul_lit(b, i.var, 10);
            let x = b.prim_op(Prim::Bin(BinOp::Add, ScalarType::I64), &[tens, j.var.into()]);
            vec![x, x]
        });
        let reduces = vec![b.operator(Prim::Bin(BinOp::Add, ScalarType::I64), Scalar::I64(0))];
        let space = vec![(i, Dim::Const(2)), (j, Dim::Const(3))];
        let seg = SegOp::reduce(space, reduces, vec![I64, I64], body);
        vars(&b.let_many("m", Exp::SegOp(seg)))
    });
    assert_eq!(run(&p, &[]), [ints(&[2], &[3, 33]), ints(&[2, 3], &[0, 1, 2, 10, 11, 12])]);
}

#[test]
fn a_reduction_of_everything_is_a_scalar() {
    let p = program(&[("a", f64s(&[4]))], |b, v| {
        let i = b.vars.fresh("i", I64);
        let body = b.inner(|b| vars(&[b.index(v[0], &[i.var.into()])]));
        let reduces = vec![b.operator(Prim::Bin(BinOp::Add, ScalarType::F64), Scalar::F64(0.))];
        let seg = SegOp::reduce(vec![(i, Dim::Const(4))], reduces, vec![F64], body);
        vars(&b.let_many("m", Exp::SegOp(seg)))
    });
    assert_eq!(run(&p, &[floats(&[4], &[1., 2., 3., 4.])]), [float(10.)]);
}

/// `fact n = if n < 1 then 1 else n * fact (n-1)`
fn factorial() -> Program {
    program(&[("n", I64)], |b, v| {
        let cond = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[v[0].into(), SubExp::i64(1)]);
        let yes = b.inner(|_| vec![SubExp::i64(1)]);
        let no = b.inner(|b| {
            let less = b.prim_op(Prim::Bin(BinOp::Sub, ScalarType::I64), &[v[0].into(), SubExp::i64(1)]);
            let rest = b.vars.fresh("rest", I64);
            b.bind(vec![rest.clone()], Exp::Apply { fun: "main".into(), args: vec![less] });
            vec![mul_i(b, v[0], rest.var)]
        });
        vars(&[b.let_one("r", Exp::If { cond, yes, no })])
    })
}

/// So many rows without elements.
fn empty_rows(n: usize) -> Value {
    futi_core::value::Array::filled(&[n, 0], Scalar::I32(0)).into()
}

#[test]
fn rows_without_elements_take_no_steps() {
    let p = ir("fun \"main\"(n_1: i64, xs_2: [n_1][0]i32) -> (r_3: [n_1][0]i32) { \
         let (m_4: [n_1][0]i32) = screma n_1 (xs_2) map \\(x_5: [0]i32) -> ([0]i32) { \
         let (k_6: [0]i32) = screma 0 (x_5) map \\(y_7: i32) -> (i32) { let (t_8: i32) = add.i32(y_7, 1i32) in (t_8) } in (k_6) } in (m_4) }");
    let most = i64::MAX as usize;
    for (n, bodies) in [(0, 1), (1, 2), (most, 2)] {
        let ctx = Ctx::default();
        let result = crate::eval(&p, "main", &[int(n as i64), empty_rows(n)], &ctx).unwrap();
        assert_eq!(result[0].shape(), [n, 0]);
        assert_eq!(ctx.counters().bodies, bodies, "{n}");
    }
    let p = ir(
        "fun \"main\"(n_1: i64, x_2: [0]i32) -> (r_3: [n_1][0]i32) { let (m_4: [n_1][0]i32) = replicate [n_1] x_2 in (m_4) }",
    );
    let row = futi_core::value::Array::filled(&[0], Scalar::I32(0)).into();
    assert_eq!(run(&p, &[int(i64::MAX), row])[0].shape(), [most, 0]);
}

#[test]
fn no_array_is_longer_than_an_i64_says() {
    let p = ir("fun \"main\"(n_1: i64, xs_2: [n_1][0]i32) -> (k_5: i64, r_3: [k_5][0]i32) { \
         let (k_6: i64) = add.i64(n_1, n_1) let (m_4: [k_6][0]i32) = concat k_6 (xs_2, xs_2) in (k_6, m_4) }");
    let call = |n: usize| crate::eval(&p, "main", &[int(n as i64), empty_rows(n)], &Ctx::default());
    assert_eq!(call(1 << 61).unwrap()[1].shape(), [1 << 62, 0]);
    let e = call(1 << 62).unwrap_err();
    let said = "an array of 4611686018427387904 + 4611686018427387904 rows is longer than an i64 can say";
    assert_eq!((e.kind, e.message.as_str()), (FailureKind::Memory, said));
}

#[test]
fn recursion_is_deep_but_not_endless() {
    assert_eq!(run(&factorial(), &[int(10)]), [int(3628800)]);
    assert_eq!(run(&factorial(), &[int(9000)]), [int(0)]);
    // the stack counts as memory, too
    let little = Ctx { memory: Some(1 << 20), ..Ctx::default() };
    let e = crate::eval(&factorial(), "main", &[int(1 << 40)], &little).unwrap_err();
    assert!(e.message.starts_with("more than 1048576 bytes of memory"), "{}", e.message);
    let e = crate::eval(&factorial(), "main", &[int(1 << 40)], &Ctx::default()).unwrap_err();
    assert_eq!(
        (e.kind, e.message.as_str()),
        (FailureKind::Memory, "recursion deeper than 268435456 bytes of stack hold")
    );
}

#[test]
fn checks_fail_in_their_place() {
    let mut p = program(&[("a", f64s(&[3])), ("i", I64)], |b, v| {
        b.prov = Prov(7);
        let check = Check::Bounds { indices: vec![v[1].into()], sizes: dims(&[3]) };
        let cert = b.let_one("c", Exp::Check(check));
        b.certs = vec![cert];
        vars(&[b.index(v[0], &[v[1].into()])])
    });
    p.prov = ProvTable::default();
    let a = floats(&[3], &[1., 2., 3.]);
    assert_eq!(run(&p, &[a.clone(), int(2)]), [float(3.)]);
    let e = crate::eval(&p, "main", &[a, int(3)], &Ctx::default()).unwrap_err();
    assert_eq!((e.kind, e.prov), (FailureKind::Bounds, Prov(7)));
    assert_eq!(e.message, "Index [3] out of bounds for array of shape [3].");
}

#[test]
fn wrong_arguments_are_refused() {
    let p = program(&[("n", I64), ("a", f64s(&[3]))], |_, v| vars(v));
    let fails = |args: &[Value]| crate::eval(&p, "main", args, &Ctx::default()).unwrap_err();
    assert_eq!(fails(&[int(1)]).message, "'main' takes 2 arguments, 1 were given.");
    let e = fails(&[int(1), floats(&[2], &[1., 2.])]);
    assert_eq!(e.kind, FailureKind::Arguments);
    assert_eq!(e.message, "Argument 2 of 'main' is of type [2]f64, which is not the parameter's.");
    assert_eq!(fails(&[float(1.), floats(&[3], &[1., 2., 3.])]).kind, FailureKind::Arguments);
    // an array without dimensions is no scalar
    assert_eq!(fails(&[ints(&[], &[1]), floats(&[3], &[1., 2., 3.])]).kind, FailureKind::Arguments);
    assert_eq!(crate::eval(&p, "frob", &[], &Ctx::default()).unwrap_err().kind, FailureKind::Arguments);
}

/// Fills an array of n elements one by one, in a loop.
pub(crate) fn fill(b: &mut Builder, n: i64, a: Var) -> Var {
    let n_var = b.let_one("n", Exp::SubExp(SubExp::i64(n)));
    let ty = b.vars.ty(a).clone();
    b.for_loop(n_var, &[("a", ty, a.into())], |b, i, p| {
        let old = b.index(p[0], &[i.into()]);
        let new = b.prim_op(Prim::Bin(BinOp::Add, ScalarType::F64), &[old.into(), lit(1.)]);
        vars(&[b.let_one("a", Exp::Update { array: p[0], indices: vec![i.into()], value: new })])
    })[0]
}

#[test]
fn updates_of_an_array_that_nobody_else_holds_copy_nothing() {
    const N: usize = 100_000;
    let p = program(&[("a", f64s(&[N as i64]))], |b, v| {
        let filled = fill(b, N as i64, v[0]);
        let top = b.let_one("t", Exp::Update { array: filled, indices: vec![SubExp::i64(0)], value: lit(5.) });
        vars(&[top])
    });
    let ctx = Ctx::default();
    let results = Code::new(&p).unwrap().call("main", vec![floats(&[N], &vec![0.; N])], &ctx).unwrap();
    let mut expected = vec![1.; N];
    expected[0] = 5.;
    assert_eq!(results, [floats(&[N], &expected)]);
    assert_eq!(ctx.counters().copied, 0);
    assert_eq!(ctx.counters().node(NodeKind::Update), N as u64 + 1);
}

#[test]
fn rows_that_a_lambda_consumes_are_its_own() {
    // each λ writes to its row, of which it gives an element; beside it there is a destination that is no row
    let add =
        "comm \\(a_90: f64, b_91: f64) -> (f64) { let (t_92: f64) = add.f64(a_90, b_91) in (t_92) } neutral (0.0f64)";
    let one = "let (row_8: [2]f64) = update row_7[0i64] = 5.0f64 let (x_9: f64) = index row_8[1i64]";
    let inner_hist = "let (new_10: [2]f64) = replicate [2] 0.0f64
        let (is_11: [2]i64) = iota i64 (2i64, 0i64, 1i64)
        let (h_12: [2]f64, h_13: [2]f64) = hist 2 (is_11, is_11, is_11) map \\(i_14: i64, j_15: i64, k_16: i64) -> (i64, i64, f64, f64) { in (i_14, j_15, 5.0f64, 1.0f64) }
          dest [2] (row_7) comm \\(a_17: f64, b_18: f64) -> (f64) { let (t_19: f64) = add.f64(a_17, b_18) in (t_19) } neutral (0.0f64)
          dest [2] (new_10) comm \\(a_20: f64, b_21: f64) -> (f64) { let (t_22: f64) = add.f64(a_20, b_21) in (t_22) } neutral (0.0f64)
        let (x_9: f64) = index h_12[1i64]";
    let inner_scatter = "let (new_10: [2]f64) = replicate [2] 0.0f64
        let (is_11: [2]i64) = iota i64 (2i64, 0i64, 1i64)
        let (h_12: [2]f64, h_13: [2]f64) = scatter 2 (is_11, is_11) map \\(i_14: i64, j_15: i64) -> (i64, i64, f64, f64) { in (i_14, j_15, 5.0f64, 1.0f64) }
          dest [2] row_7 dest [2] new_10
        let (x_9: f64) = index h_12[1i64]";
    let branches = "let (t_10: bool) = lt.i64(i_6, 9i64) let (x_9: f64) = if t_10 then { let (row_8: [2]f64) = update row_7[0i64] = 5.0f64
          let (x_11: f64) = index row_8[1i64] in (x_11) } else { in (0.0f64) }";
    let cases = "let (x_9: f64) = match (i_6) case (9i64) { in (0.0f64) } else { let (row_8: [2]f64) = update row_7[0i64] = 5.0f64
          let (x_11: f64) = index row_8[1i64] in (x_11) }";
    // under another name
    let also = "let (also_20: [2]f64) = opaque row_7";
    let also_in_a_branch = format!("{also} {}", branches.replace("update row_7", "update also_20"));
    let also_in_a_case = format!("{also} {}", cases.replace("update row_7", "update also_20"));
    // beside what is not consumed
    let called = "let (x_9: f64) = call \"write\" (row_7, i_6)";
    let looped =
        "let (row_8: [2]f64, k_20: i64) = loop (*p_21: [2]f64 = row_7, q_22: i64 = 0i64) for e_23: i64 < 2i64 do {
          let (s_24: [2]f64) = update p_21[0i64] = 5.0f64 let (t_25: i64) = add.i64(q_22, 1i64) in (s_24, t_25) }
        let (x_9: f64) = index row_8[1i64]";
    let nest = "let (new_10: [2]f64) = replicate [2] 0.0f64
        let (h_12: [2]f64, h_13: [2]f64) = segop grid (i_14: i64 < 2)
          dest [2] row_7 dest [2] new_10 -> (i64, i64, f64, f64) { in (i_14, i_14, 5.0f64, 1.0f64) }
        let (x_9: f64) = index h_12[1i64]";
    let pairs = "acc(c_30, [2] (f64, f64))";
    let accumulator = format!(
        "let (new_10: [2]f64) = replicate [2] 0.0f64
         let (h_12: [2]f64, h_13: [2]f64) = withacc input [2] (row_7, new_10) comm \\(a_40: f64, b_41: f64, c_42: f64, d_43: f64) -> (f64, f64) {{
           let (e_44: f64) = add.f64(a_40, c_42) let (f_45: f64) = add.f64(b_41, d_43) in (e_44, f_45) }} neutral (0.0f64, 0.0f64)
           do \\(c_30: cert, a_31: {pairs}) -> ({pairs}) {{ let (b_32: {pairs}) = updacc a_31[1i64] (5.0f64, 1.0f64) in (b_32) }}
         let (x_9: f64) = index h_12[1i64]"
    );
    let map =
        |body: &str| format!("screma 3 (is_1, rows_3) map \\(i_6: i64, row_7: [2]f64) -> (f64) {{ {body} in (x_9) }}");
    let nodes = [
        (map(one), [2., 4., 6.]),
        (map(branches), [2., 4., 6.]),
        (map(cases), [2., 4., 6.]),
        (map(inner_hist), [7., 9., 11.]),
        (map(inner_scatter), [5., 5., 5.]),
        (map(&also_in_a_branch), [2., 4., 6.]),
        (map(&also_in_a_case), [2., 4., 6.]),
        (map(called), [2., 4., 6.]),
        (map(looped), [2., 4., 6.]),
        (map(nest), [5., 5., 5.]),
        (map(&accumulator), [7., 9., 11.]),
        (
            format!(
                "hist 3 (is_1, rows_3) map \\(i_6: i64, row_7: [2]f64) -> (i64, f64) {{ {one} in (i_6, x_9) }} dest [3] (new_4) {add}"
            ),
            [2., 4., 6.],
        ),
        (
            format!(
                "scatter 3 (is_1, rows_3) map \\(i_6: i64, row_7: [2]f64) -> (i64, f64) {{ {one} in (i_6, x_9) }} dest [3] new_4"
            ),
            [2., 4., 6.],
        ),
    ];
    for (node, expected) in nodes {
        let p = ir(&format!(
            "fun \"main\"(*rows_3: [3][2]f64) -> (r_5: [3]f64) {{
               let (is_1: [3]i64) = iota i64 (3i64, 0i64, 1i64)
               let (new_4: [3]f64) = replicate [3] 0.0f64
               let (r_5: [3]f64) = {node} in (r_5) }}
             fun \"write\"(*a_60: [2]f64, i_61: i64) -> (r_62: f64) {{
               let (b_63: [2]f64) = update a_60[0i64] = 5.0f64 let (x_64: f64) = index b_63[1i64] in (x_64) }}"
        )
        .replace("(r_5: [3]f64) {", "(r_50: [3]f64) {"));
        let ctx = Ctx::default();
        let rows = floats(&[3, 2], &[1., 2., 3., 4., 5., 6.]);
        assert_eq!(Code::new(&p).unwrap().call("main", vec![rows], &ctx).unwrap(), [floats(&[3], &expected)]);
        assert_eq!(ctx.counters().copied, 0, "{node}");
    }
}

#[test]
fn values_are_shown() {
    thread_local! { static SHOWN: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) }; }
    let p = ir(
        "fun \"main\"(x_0: i64) -> (y_1: i64) { let (t_2: i64) = x_0 attrs (\"trace x: %\" 0) let (y_3: i64) = add.i64(t_2, 1i64) in (y_3) }",
    );
    let ctx = Ctx { show: Some(|line| SHOWN.with_borrow_mut(|all| all.push(line.to_string()))), ..Ctx::default() };
    assert_eq!(crate::eval(&p, "main", &[int(7)], &ctx).unwrap(), [int(8)]);
    assert_eq!(SHOWN.take(), ["x: 7"]);
}

#[test]
fn an_array_last_used_on_the_other_branch_is_let_go() {
    // if c then a[0] else (a's copy-free update): `row` aliases a and is read on one path only
    let p = program(&[("c", BOOL), ("a", f64s(&[2, 2]))], |b, v| {
        let row = b.index(v[1], &[SubExp::i64(0)]);
        let yes = b.inner(|b| vars(&[b.index(row, &[SubExp::i64(1)])]));
        let no = b.inner(|b| {
            let u = Exp::Update { array: v[1], indices: vec![SubExp::i64(0), SubExp::i64(0)], value: lit(5.) };
            let u = b.let_one("u", u);
            vars(&[b.index(u, &[SubExp::i64(0), SubExp::i64(0)])])
        });
        vars(&[b.let_one("r", Exp::If { cond: v[0].into(), yes, no })])
    });
    let ctx = Ctx::default();
    let args = || vec![truth(false), floats(&[2, 2], &[1., 2., 3., 4.])];
    assert_eq!(Code::new(&p).unwrap().call("main", args(), &ctx).unwrap(), [float(5.)]);
    assert_eq!(ctx.counters().copied, 0);
}

#[test]
fn an_array_that_an_operator_of_accumulators_reads_is_let_go_after_it() {
    // the operator reads `row`, which aliases a: a is updated when nothing else holds it
    let acc = "acc(c_10, [2] (f64))";
    let p = ir(&format!(
        "fun \"main\"(*a_0: [2][2]f64) -> (r_1: [2]f64, s_2: [2][2]f64) {{ let (row_3: [2]f64) = index a_0[0i64] let (d_4: [2]f64) = replicate [2] 1.0f64
         let (h_5: [2]f64) = withacc input [2] (d_4) comm \\(x_6: f64, y_7: f64) -> (f64) {{ let (k_8: f64) = index row_3[0i64] let (m_9: f64) = mul.f64(x_6, y_7)
           let (z_14: f64) = mul.f64(k_8, m_9) in (z_14) }} neutral (1.0f64)
           do \\(c_10: cert, b_11: {acc}) -> ({acc}) {{ let (u_12: {acc}) = updacc b_11[1i64] (3.0f64) in (u_12) }}
         let (w_13: [2][2]f64) = update a_0[0i64, 0i64] = 5.0f64 in (h_5, w_13) }}"
    ));
    let ctx = Ctx::default();
    let results = Code::new(&p).unwrap().call("main", vec![floats(&[2, 2], &[1., 2., 3., 4.])], &ctx).unwrap();
    assert_eq!(results, [floats(&[2], &[1., 3.]), floats(&[2, 2], &[5., 2., 3., 4.])]);
    assert_eq!(ctx.counters().copied, 0);
}

#[test]
fn an_array_that_an_operator_of_accumulators_reads_too_is_not_let_go_before_it() {
    // x + y modulo ms[0]; what is added is 5 + ms[1], and the body reads ms before: 6 + (5 + 2) = 13 = 3 modulo 10
    let acc = "acc(c_10, [1] (i64))";
    let p = ir(&format!(
        "fun \"main\"(*d_0: [1]i64, ms_1: [2]i64) -> (r_2: [1]i64) {{ let (own_3: [2]i64) = copy ms_1
         let (h_4: [1]i64) = withacc input [1] (d_0) comm \\(x_5: i64, y_6: i64) -> (i64) {{ let (m_7: i64) = index own_3[0i64]
           let (s_8: i64) = add.i64(x_5, y_6) let (t_9: i64) = mod.i64(s_8, m_7) in (t_9) }} neutral (0i64)
           do \\(c_10: cert, a_11: {acc}) -> ({acc}) {{ let (b_12: [2]i64) = reverse own_3 let (k_13: i64) = index b_12[0i64]
             let (v_14: i64) = add.i64(5i64, k_13) let (u_15: {acc}) = updacc a_11[0i64] (v_14) in (u_15) }} in (h_4) }}"
    ));
    assert_eq!(run(&p, &[ints(&[1], &[6]), ints(&[2], &[10, 2])]), [ints(&[1], &[3])]);
}

#[test]
fn operations_and_widths_are_counted() {
    let p = program(&[("a", f64s(&[4]))], |b, v| {
        let map = b.lambda(&[("x", F64)], |b, p| vec![mul(b, p[0], p[0])]);
        vars(&[b.let_one("m", map_exp(Dim::Const(4), vec![v[0]], map))])
    });
    let ctx = Ctx::default();
    crate::eval(&p, "main", &[floats(&[4], &[1., 2., 3., 4.])], &ctx).unwrap();
    let counters = ctx.counters();
    assert_eq!(counters.prim(Prim::Bin(BinOp::Mul, ScalarType::F64)), 4);
    assert_eq!((counters.prims(), counters.bodies, counters.widths.get(&4)), (4, 5, Some(&1)));
    assert_eq!((counters.node(NodeKind::Screma), counters.allocated), (1, 32));
}

#[test]
fn rows_that_are_run_at_once_take_fuel() {
    // 100 rows of three operators, on which something depends: 400 steps and a few
    let p = ir("fun \"main\"(xs_0: [100]f64, ts_1: [100]f64) -> (r_2: [100]f64, t_3: [100]f64) {
        let (ys_4: [100]f64, ts_5: [100]f64) = jvp \\(a_6: [100]f64) -> ([100]f64) {
          let (b_7: [100]f64) = screma 100 (a_6) map \\(x_8: f64) -> (f64) {
            let (x_9: f64) = mul.f64(x_8, x_8) let (x_10: f64) = mul.f64(x_9, x_8) let (x_11: f64) = sin.f64(x_10) in (x_11) }
          in (b_7) } at (xs_0) with (ts_1)
        in (ys_4, ts_5) }");
    let args = [floats(&[100], &[0.5; 100]), floats(&[100], &[1.0; 100])];
    let run = |fuel| crate::eval(&p, "main", &args, &Ctx { fuel: Some(fuel), ..Ctx::default() });
    assert_eq!(run(300).unwrap_err().kind, FailureKind::Fuel);
    assert!(run(500).is_ok());
}

#[test]
fn tangents_are_carried_through_all_rows_at_once_whatever_traces_keep() {
    let f = "\\(a_6: [4]f64) -> ([4]f64) { let (b_7: [4]f64) = screma 4 (a_6) map \\(x_8: f64) -> (f64) { let (x_9: f64) = mul.f64(x_8, x_8) in (x_9) } in (b_7) }";
    let args = [floats(&[4], &[1., 2., 3., 4.]), floats(&[4], &[1.; 4])];
    let p = derivative_program("jvp", f, &args[..1], &args[1..]);
    let counters = |keep: &str| {
        let ctx = Ctx { keep: keep.parse().unwrap(), ..Ctx::default() };
        let tangents = crate::eval(&p, "main", &args, &ctx).unwrap().remove(1);
        assert_eq!(tangents, floats(&[4], &[2., 4., 6., 8.]));
        ctx.counters()
    };
    assert_eq!(counters("reals"), counters("reals,arrays"));
}

#[test]
fn programs_that_are_not_well_formed_are_refused() {
    let refused = |p: &Program, message: &str| {
        let e = Code::new(p).unwrap_err();
        assert!(e.kind == FailureKind::Internal && e.message.contains(message), "{e}");
    };
    // an operator at a type that it is not for, and one with too few operands
    let mut p = ir("fun \"main\"(x_0: f64) -> (y_1: f64) { let (y_2: f64) = add.f64(x_0, x_0) in (y_2) }");
    let Exp::Prim(op, _) = &mut p.funs[0].body.stms[0].exp else { panic!("an operator") };
    *op = Prim::Bin(BinOp::Xor, ScalarType::F64);
    refused(&p, "xor.f64 with 2 operands");
    let Exp::Prim(op, args) = &mut p.funs[0].body.stms[0].exp else { panic!("an operator") };
    (*op, _) = (Prim::Bin(BinOp::Add, ScalarType::F64), args.pop());
    refused(&p, "add.f64 with 1 operands");
    // what a check looks at is not bound
    let text = "futi-ir 1 fun \"main\"(x_0: i64) -> (y_1: i64) { let (c_2: cert) = check nonzero z_9 in (x_0) }";
    refused(&text.parse().unwrap(), "variable 9 is not bound in its function");
}

#[test]
fn runs_are_bounded_and_interrupted() {
    // while true
    let endless = program(&[], |b, _| {
        let start: SubExp = Scalar::Bool(true).into();
        vars(&b.while_loop(&[("go", BOOL, start)], |_, p| vars(p)))
    });
    let mut ctx = Ctx { fuel: Some(5000), ..Ctx::default() };
    assert_eq!(crate::eval(&endless, "main", &[], &ctx).unwrap_err().kind, FailureKind::Fuel);
    ctx = Ctx::default();
    ctx.call.cancel = Some(std::sync::Arc::new(true.into()));
    assert_eq!(crate::eval(&endless, "main", &[], &ctx).unwrap_err().kind, FailureKind::Cancelled);

    let large = program(&[("n", I64)], |b, v| {
        let r = b.let_one("r", Exp::Replicate { shape: vec![Dim::Var(v[0])], value: lit(0.) });
        vars(&[b.index(r, &[SubExp::i64(0)])])
    });
    ctx = Ctx { memory: Some(1 << 20), ..Ctx::default() };
    assert_eq!(crate::eval(&large, "main", &[int(1 << 20)], &ctx).unwrap_err().kind, FailureKind::Memory);
    assert_eq!(crate::eval(&large, "main", &[int(100)], &ctx).unwrap(), [float(0.)]);
    let mapped = ir(
        "fun \"main\"(n_0: i64) -> (k_1: i64, r_2: [k_1]i64) { let (is_3: [n_0]i64) = segop grid (i_4: i64 < n_0) -> (i64) { in (i_4) } in (n_0, is_3) }",
    );
    assert_eq!(crate::eval(&mapped, "main", &[int(1 << 60)], &ctx).unwrap_err().kind, FailureKind::Memory);
    assert_eq!(run(&mapped, &[int(3)]), [int(3), ints(&[3], &[0, 1, 2])]);
    assert_eq!(crate::eval(&large, "main", &[int(i64::MAX)], &Ctx::default()).unwrap_err().kind, FailureKind::Memory);
    assert_eq!(crate::eval(&large, "main", &[int(-1)], &Ctx::default()).unwrap_err().kind, FailureKind::NegativeSize);
}

#[test]
fn every_rounded_result_passes_the_policy() {
    let p = program(&[("x", F64)], |b, v| vec![mul(b, v[0], v[0])]);
    let nudge = |_: Prim, args: &[Scalar], x: Scalar| Scalar::F64(x.to_f64() + args[1].to_f64() / 6.);
    let ctx = Ctx { rounding: Some(Box::new(nudge)), ..Ctx::default() };
    assert_eq!(crate::eval(&p, "main", &[float(3.)], &ctx).unwrap(), [float(9.5)]);
}

fn strict_failure(p: &Program, args: &[Value]) -> String {
    crate::eval(p, "main", args, &Ctx::default()).expect("runs when not strict");
    let e = crate::eval(p, "main", args, &Ctx::strict()).unwrap_err();
    assert_eq!(e.kind, FailureKind::Strict);
    e.message
}

#[test]
fn strict_mode_reports_reads_of_arrays_whose_parts_were_replaced() {
    for update in ["updslice a_0[0i64 : 2 : 1i64] = b_1", "flatupd a_0 at 0i64 [2 : 1i64] = b_1"] {
        // the checker refuses it
        let text = format!(
            "fun \"main\"(*a_0: [3]f64, b_1: [2]f64) -> (r_2: f64) {{ let (u_3: [3]f64) = {update} let (x_4: f64) = index a_0[2i64] in (x_4) }}"
        );
        let p: Program = format!("futi-ir 1 {text}").parse().unwrap();
        let message = strict_failure(&p, &[floats(&[3], &[1., 2., 3.]), floats(&[2], &[7., 8.])]);
        assert_eq!(message, "An array is used after it was consumed.", "{update}");
    }
}

#[test]
fn strict_mode_reports_operators_with_a_neutral_element_on_one_side_only() {
    // the left operand, and the right one, for a result
    for operand in ["x_3", "y_4"] {
        let p = ir(&format!(
            "fun \"main\"(a_0: [2]f64) -> (r_1: f64) {{ let (s_2: f64) = screma 2 (a_0) map \\(e_6: f64) -> (f64) {{ in (e_6) }}
             reduce \\(x_3: f64, y_4: f64) -> (f64) {{ in ({operand}) }} neutral (0.0f64) in (s_2) }}"
        ));
        let message = strict_failure(&p, &[floats(&[2], &[3., 4.])]);
        assert!(message.starts_with("A neutral element is not neutral"), "{operand}: {message}");
    }
}

#[test]
fn strict_mode_reports_reads_of_consumed_arrays() {
    let p = program(&[("a", f64s(&[2, 2]))], |b, v| {
        let row = b.index(v[0], &[SubExp::i64(1)]);
        let at = vec![SubExp::i64(0), SubExp::i64(0)];
        let u = b.let_one("u", Exp::Update { array: v[0], indices: at, value: lit(9.) });
        // an alias of what was consumed
        let x = b.index(row, &[SubExp::i64(0)]);
        vars(&[u, x])
    });
    let message = strict_failure(&p, &[floats(&[2, 2], &[1., 2., 3., 4.])]);
    assert_eq!(message, "An array is used after it was consumed.");
}

#[test]
fn what_rounds_gets_operands_in_their_order() {
    let p = ir("fun \"main\"(x_0: f64, y_1: f64) -> (r_2: f64) { let (d_3: f64) = sub.f64(x_0, y_1) in (d_3) }");
    let first = |_: Prim, args: &[Scalar], _: Scalar| args[0];
    let ctx = Ctx { rounding: Some(Box::new(first)), ..Ctx::default() };
    assert_eq!(crate::eval(&p, "main", &[float(3.), float(7.)], &ctx).unwrap(), [float(3.)]);
}

#[test]
fn strict_mode_reports_a_part_of_a_neutral_element_that_is_none() {
    // of (+, +) with (0, 5) and (5, 0), and of rows with [0, 5] and [5, 0]
    for (a, b) in [("0.0f64", "5.0f64"), ("5.0f64", "0.0f64")] {
        let pairs = ir(&format!(
            "fun \"main\"(xs_0: [2]f64) -> (r_1: f64, s_2: f64) {{ let (t_3: f64, u_4: f64) = screma 2 (xs_0) map \\(x_5: f64) -> (f64, f64) {{ in (x_5, x_5) }}
             reduce comm \\(a_6: f64, b_7: f64, c_8: f64, d_9: f64) -> (f64, f64) {{ let (e_10: f64) = add.f64(a_6, c_8) let (f_11: f64) = add.f64(b_7, d_9) in (e_10, f_11) }}
             neutral ({a}, {b}) in (t_3, u_4) }}"
        ));
        assert!(strict_failure(&pairs, &[floats(&[2], &[3., 4.])]).starts_with("A neutral element is not neutral"));
        let rows = ir(&format!(
            "fun \"main\"(xss_0: [2][2]f64) -> (r_1: [2]f64) {{ let (ne_2: [2]f64) = array [{a}, {b}] of f64
             let (t_3: [2]f64) = screma 2 (xss_0) map \\(x_5: [2]f64) -> ([2]f64) {{ in (x_5) }}
             reduce comm \\(a_6: [2]f64, b_7: [2]f64) -> ([2]f64) {{ let (c_8: [2]f64) = screma 2 (a_6, b_7) map \\(x_9: f64, y_10: f64) -> (f64) {{ let (z_11: f64) = add.f64(x_9, y_10) in (z_11) }} in (c_8) }}
             neutral (ne_2) in (t_3) }}"
        ));
        let message = strict_failure(&rows, &[floats(&[2, 2], &[1., 2., 3., 4.])]);
        assert!(message.starts_with("A neutral element is not neutral"), "{message}");
    }
}

#[test]
fn an_operator_that_fails_on_its_neutral_element_leaves_no_accumulators() {
    // with 0 on the right, as strict mode alone tries it, the operator fails within a withacc of its own; around it there is another, which has another result
    let add =
        "comm \\(x_50: f64, y_51: f64) -> (f64) { let (z_52: f64) = add.f64(x_50, y_51) in (z_52) } neutral (0.0f64)";
    let (outer, inner) = ("acc(c_9, [1] (f64))", "acc(c_20, [1] (f64))");
    let p = ir(&format!(
        "fun \"main\"(*d_1: [1]f64, xs_2: [2]f64) -> (r_3: [1]f64, s_4: f64) {{
           let (h_5: [1]f64, t_6: f64) = withacc input [1] (d_1) {add} do \\(c_9: cert, a_10: {outer}) -> ({outer}, f64) {{
           let (s_11: f64) = screma 2 (xs_2) map \\(x_12: f64) -> (f64) {{ in (x_12) }} reduce \\(x_13: f64, y_14: f64) -> (f64) {{
             let (e_15: [1]f64) = replicate [1] x_13
             let (g_16: [1]f64) = withacc input [1] (e_15) {} do \\(c_20: cert, b_21: {inner}) -> ({inner}) {{
               let (z_22: bool) = lt.f64(0.0f64, y_14) let (k_23: cert) = check assert z_22 \"not positive\"
               let (u_24: {inner}) = updacc b_21[0i64] (y_14) in (u_24) }}
             let (v_25: f64) = index g_16[0i64] in (v_25) }} neutral (0.0f64)
           in (a_10, s_11) }} in (h_5, t_6) }}",
        add.replace("_5", "_6")
    ));
    assert_eq!(run(&p, &[floats(&[1], &[7.]), floats(&[2], &[3., 4.])]), [floats(&[1], &[7.]), float(7.)]);
}

#[test]
fn strict_mode_reports_reads_of_scratch_that_depends_on_a_derivative() {
    let p = ir("fun \"main\"(x_0: f64, t_1: f64) -> (r_2: f64) { let (y_3: f64, d_4: f64) = jvp \\(x_5: f64) -> (f64) {
          let (s_6: [2]f64) = scratch [2]f64 let (u_7: [2]f64) = update s_6[0i64] = x_5 let (y_8: f64) = index u_7[1i64] in (y_8) } at (x_0) with (t_1) in (d_4) }");
    assert_eq!(
        strict_failure(&p, &[float(1.), float(1.)]),
        "An element of a scratch array is read before it is written."
    );
}

#[test]
fn strict_mode_reports_reads_of_scratch() {
    let p = program(&[], |b, _| {
        let s = b.let_one("s", Exp::Scratch { elem: ScalarType::F64, shape: dims(&[2]) });
        vars(&[b.index(s, &[SubExp::i64(1)])])
    });
    assert_eq!(strict_failure(&p, &[]), "An element of a scratch array is read before it is written.");
}

#[test]
fn strict_mode_reports_neutral_elements_that_are_none() {
    let p = program(&[("a", f64s(&[2]))], |b, v| {
        let op = b.operator(Prim::Bin(BinOp::Add, ScalarType::F64), Scalar::F64(1.));
        vars(&[b.reduce(2, v[0], op)])
    });
    let message = strict_failure(&p, &[floats(&[2], &[3., 4.])]);
    assert_eq!(message, "A neutral element is not neutral: with 1.0f64 the operator makes 4.0f64 of 3.0f64.");
}

#[test]
fn the_first_case_that_matches() {
    let p = ir(
        "fun \"main\"(x_1: f64, i_2: i64) -> (r_3: i64) { let (r_4: i64) = match (x_1, i_2) case (0.0f64, 1i64) { in (10i64) } case (0.0f64, _) { in (20i64) } \
         case (f64.nan, _) { in (30i64) } case (_, 7i64) { let (s_5: i64) = add.i64(i_2, i_2) in (s_5) } else { in (-1i64) } in (r_4) }",
    );
    // -0 equals 0, and a NaN nothing
    for (x, i, expected) in [(0., 1, 10), (-0., 1, 10), (0., 2, 20), (f64::NAN, 3, -1), (f64::NAN, 7, 14), (2., 1, -1)]
    {
        assert_eq!(run(&p, &[float(x), int(i)]), [int(expected)], "{x} {i}");
    }
    // without cases; and an array that only one case reads is let go by the others
    let p = ir(
        "fun \"main\"(i_1: i64, *a_2: [2]f64) -> (r_3: [2]f64) { let (k_4: i64) = match () else { in (i_1) } let (b_5: [2]f64) = reverse a_2 let (r_6: [2]f64) = match (k_4) case (0i64) { \
         let (u_7: [2]f64) = update a_2[0i64] = 9.0f64 in (u_7) } case (1i64) { let (v_8: [2]f64) = update b_5[1i64] = 8.0f64 in (v_8) } else { in (b_5) } in (r_6) }",
    );
    for (i, expected) in [(0, [9., 2.]), (1, [2., 8.]), (2, [2., 1.])] {
        let ctx = Ctx::default();
        let args = vec![int(i), floats(&[2], &[1., 2.])];
        assert_eq!(run(&p, &args), [floats(&[2], &expected)]);
        Code::new(&p).unwrap().call("main", args, &ctx).unwrap();
        assert_eq!((ctx.counters().copied, ctx.counters().node(NodeKind::Match)), (0, 2));
    }
    let f = "\\(x_1: f64, i_2: i64) -> (f64) { let (r_3: f64) = match (i_2) case (0i64) { let (q_4: f64) = mul.f64(x_1, x_1) in (q_4) } else { in (x_1) } in (r_3) }";
    assert_eq!(gradient(f, &[float(3.), int(0)], &[float(1.)])[0], float(6.));
    assert_eq!(gradient(f, &[float(3.), int(5)], &[float(1.)])[0], float(1.));
}

#[test]
fn loops_whose_arrays_change_size() {
    // each trip appends the array to itself reversed: lengths 2, 4, 8; the sum of x_i * 2^(trips) under differentiation
    let f = "\\(xs_1: [2]f64, t_2: i64) -> (f64) { let (n_3: i64, ys_4: [n_3]f64) = loop (m_5: i64 = 2i64, zs_6: [m_5]f64 = xs_1) for i_7: i64 < t_2 do { \
             let (k_8: i64) = add.i64(m_5, m_5) let (rs_9: [m_5]f64) = reverse zs_6 let (ws_10: [k_8]f64) = concat k_8 (zs_6, rs_9) in (k_8, ws_10) } \
             let (s_11: f64) = screma n_3 (ys_4) map \\(x_12: f64) -> (f64) { let (q_13: f64) = mul.f64(x_12, x_12) in (q_13) } \
             reduce comm \\(x_14: f64, y_15: f64) -> (f64) { let (z_16: f64) = add.f64(x_14, y_15) in (z_16) } neutral (0.0f64) in (s_11) }";
    // 4 copies of each: 2 * 4 * x
    let adjoints = gradient(f, &[floats(&[2], &[3., 5.]), int(2)], &[float(1.)]);
    assert_eq!(adjoints[0], floats(&[2], &[24., 40.]));
    let while_empty = ir(
        "fun \"main\"(n_0: i64, xs_1: [n_0]f64) -> (k_2: i64, r_3: [k_2]f64) { let (c_4: bool) = lt.i64(0i64, n_0) \
         let (d_5: bool, m_6: i64, ys_7: [m_6]f64) = loop (e_8: bool = c_4, k_9: i64 = n_0, zs_10: [k_9]f64 = xs_1) while e_8 do { \
         let (h_11: i64) = quot.i64(k_9, 2i64) let (ws_12: [h_11]f64) = slice zs_10[0i64 : h_11 : 1i64] let (f_13: bool) = lt.i64(1i64, h_11) in (f_13, h_11, ws_12) } in (m_6, ys_7) }",
    );
    assert_eq!(run(&while_empty, &[int(5), floats(&[5], &[1., 2., 3., 4., 5.])]), [int(1), floats(&[1], &[1.])]);
    assert_eq!(run(&while_empty, &[int(0), floats(&[0], &[])]), [int(0), floats(&[0], &[])]);
}

#[test]
fn recursion_is_differentiated_and_its_depth_is_bounded() {
    // p x n = if n < 1 then 1 else x * p x (n-1)
    let text = "fun \"p\"(x_0: f64, n_1: i64) -> (r_2: f64) { let (c_3: bool) = lt.i64(n_1, 1i64) let (r_4: f64) = if c_3 then { in (1.0f64) } else { \
                let (m_5: i64) = sub.i64(n_1, 1i64) let (q_6: f64) = call \"p\"(x_0, m_5) let (s_7: f64) = mul.f64(x_0, q_6) in (s_7) } in (r_4) } \
                fun \"main\"(x_10: f64, n_11: i64) -> (t_12: f64, a_13: f64) { \
                let (v_14: f64, t_15: f64) = jvp \\(x_16: f64) -> (f64) { let (y_17: f64) = call \"p\"(x_16, n_11) in (y_17) } at (x_10) with (1.0f64) \
                let (w_18: f64, a_19: f64) = vjp \\(x_20: f64) -> (f64) { let (y_21: f64) = call \"p\"(x_20, n_11) in (y_21) } at (x_10) with (1.0f64) in (t_15, a_19) }";
    let p = ir(text);
    // 5 x^4
    assert_eq!(run(&p, &[float(2.), int(5)]), [float(80.), float(80.)]);
    let shallow = Ctx { call_depth: 5, ..Ctx::default() };
    assert!(crate::eval(&p, "p", &[float(2.), int(4)], &shallow).is_ok());
    let e = crate::eval(&p, "p", &[float(2.), int(5)], &shallow).unwrap_err();
    assert_eq!((e.kind, e.message.as_str()), (FailureKind::Memory, "recursion deeper than 5 calls"));
}

#[test]
fn strict_mode_watches_boolean_scratch() {
    // [0] is written; what is read is the element at i of a copy that has been sliced and turned about
    let p = ir(
        "fun \"main\"(b_1: bool, i_2: i64) -> (r_3: bool) { let (s_4: [3]bool) = scratch [3]bool let (t_5: [3]bool) = update s_4[0i64] = b_1 \
         let (c_6: [3]bool) = copy t_5 let (d_7: [2]bool) = slice c_6[0i64 : 2 : 1i64] let (e_8: [2]bool) = reverse d_7 let (x_9: bool) = index e_8[i_2] \
         let (y_10: bool) = not.bool(x_9) in (y_10) }",
    );
    for b in [true, false] {
        assert_eq!(run(&p, &[truth(b), int(1)]), [truth(!b)]);
        let message = strict_failure(&p, &[truth(b), int(0)]);
        assert_eq!(message, "An element of a scratch array is read before it is written.");
    }
    // filled in a loop, under both modes; the array is a result
    let f = "\\(x_1: f64) -> (f64, [3]bool) { let (s_2: [3]bool) = scratch [3]bool let (y_3: f64, t_4: [3]bool) = loop (z_5: f64 = x_1, *u_6: [3]bool = s_2) for i_7: i64 < 3i64 do { \
             let (c_8: bool) = lt.f64(2.0f64, z_5) let (v_9: [3]bool) = update u_6[i_7] = c_8 let (d_10: bool) = index v_9[i_7] \
             let (w_11: f64) = mul.f64(z_5, 2.0f64) let (e_12: f64) = select.f64(d_10, z_5, w_11) in (e_12, v_9) } in (y_3, t_4) }";
    // 1 to 2 to 4, and there it stays
    let bools = |xs: &[bool]| Value::from(futi_core::value::Array::from_vec(&[3], xs.to_vec()));
    let none = bools(&[false; 3]);
    let p = derivative_program("vjp", f, &[float(1.)], &[float(1.), none.clone()]);
    let results = run(&p, &[float(1.), float(1.), none]);
    assert_eq!(results, [float(4.), bools(&[false, false, true]), float(4.)]);
    assert_eq!(jvp(f, &[float(1.)], &[float(1.)])[0], float(4.));
}

#[test]
fn a_slice_without_a_check_reads_no_other_row() {
    // element 2 of row 0 would be element 0 of row 1
    let p = ir(
        "fun \"main\"(xs_1: [2][2]i64, i_2: i64, n_3: i64) -> (r_4: [n_3]i64) { let (ys_5: [n_3]i64) = slice xs_1[0i64, i_2 : n_3 : 1i64] in (ys_5) }",
    );
    let xs = Value::Array(futi_core::value::Array::from_vec(&[2, 2], vec![1i64, 2, 3, 4]));
    let row = |i, n| crate::eval(&p, "main", &[xs.clone(), int(i), int(n)], &Ctx::default());
    assert_eq!(row(1, 1).unwrap(), [Value::Array(futi_core::value::Array::from_vec(&[1], vec![2i64]))]);
    assert!(row(9, 0).is_ok());
    for (i, n) in [(2, 1), (1, 2), (-1, 1)] {
        let failure = row(i, n).unwrap_err();
        assert!(failure.kind == FailureKind::Internal && failure.message.contains("without a check"), "{failure}");
    }
}

#[test]
fn slices_are_checked() {
    let p = ir(
        "fun \"main\"(s_1: i64, e_2: i64, t_3: i64) -> (r_4: i64) { let (c_5: cert) = check slice (s_1, e_2, t_3) [5] let (r_6: i64) = 1i64 certs (c_5) in (r_6) }",
    );
    for (s, e, t) in [(0, 5, 1), (4, -1, -2), (5, 5, 1), (1, 1, 3), (0, 0, -1), (6, 6, 1)] {
        assert_eq!(run(&p, &[int(s), int(e), int(t)]), [int(1)], "{s}:{e}:{t}");
    }
    for (s, e, t) in [(0, 6, 1), (-1, 2, 1), (0, 2, 0), (3, 1, 1), (i64::MIN, i64::MAX, i64::MAX)] {
        let failure = crate::eval(&p, "main", &[int(s), int(e), int(t)], &Ctx::default()).unwrap_err();
        // as 0.25.32 says it: a step of one is not mentioned
        let slice = if t == 1 { format!("{s}:{e}") } else { format!("{s}:{e}:{t}") };
        assert_eq!(failure.message, format!("Index [{slice}] out of bounds for array of shape [5]."));
    }
}

#[test]
fn large_arrays_are_allocated_if_the_system_has_the_memory() {
    let p = ir("fun \"main\"(x_0: f64) -> (y_1: f64) { in (x_0) }");
    let (code, ctx) = (Code::new(&p).unwrap(), Ctx::default());
    let mut machine = super::Machine::new(&code, &ctx);
    // 512 MiB, which are not touched; and more than there is of addresses
    assert_eq!(machine.allocate_elements(ScalarType::F64, 1 << 26), Ok(()));
    let refused = machine.allocate_elements(ScalarType::U8, isize::MAX as usize).unwrap_err();
    assert_eq!((refused.kind, machine.counters.allocated), (FailureKind::Memory, 1 << 29));
}

#[test]
fn more_variables_than_a_word_has_bits() {
    // the array, variable 0, is read before each of variables 2 to 199 is bound, and after them
    let mut text = "fun \"main\"(xs_0: [2]i64) -> (r_900: i64) { let (ys_1: [2]i64) = reverse xs_0 let (n_2: i64) = index ys_1[0i64]\n".to_string();
    for i in 3..200 {
        text += &format!("let (n_{i}: i64) = add.i64(n_{}, 1i64)\n", i - 1);
    }
    text += "let (x_200: i64) = index xs_0[0i64] let (y_201: i64) = mul.i64(x_200, n_199) in (y_201) }";
    // 10 * (5 + 197)
    assert_eq!(run(&ir(&text), &[ints(&[2], &[10, 5])]), [int(2020)]);
}

#[test]
fn what_nobody_uses_is_let_go() {
    // 100 rounds each of which makes 1000 numbers that nothing needs: never are there more than those of two rounds
    let p =
        ir("fun \"main\"(x_0: f64) -> (y_1: f64) { let (y_2: f64) = loop (z_3: f64 = x_0) for i_4: i64 < 100i64 do { \
         let (a_5: [1000]f64) = replicate [1000] z_3 let (w_6: f64) = add.f64(z_3, 1.0f64) in (w_6) } in (y_2) }");
    let ctx = Ctx { memory: Some(3 * 8000), ..Ctx::default() };
    assert_eq!(crate::eval(&p, "main", &[float(0.0)], &ctx).unwrap(), [float(100.0)]);
}

#[test]
fn limits_are_exact() {
    // one body; and with n trips a statement and a body for each more
    let nothing = ir("fun \"main\"(n_0: i64) -> (r_1: i64) { in (n_0) }");
    let trips = ir(
        "fun \"main\"(n_0: i64) -> (r_1: i64) { let (l_2: i64) = loop (x_3: i64 = 0i64) for i_4: i64 < n_0 do { in (x_3) } in (l_2) }",
    );
    for (p, n, steps) in [(&nothing, 0, 1), (&trips, 10, 12), (&trips, 3000, 3002)] {
        let run = |fuel| crate::eval(p, "main", &[int(n)], &Ctx { fuel: Some(fuel), plain: true, ..Ctx::default() });
        assert!(run(steps).is_ok(), "{steps}");
        assert_eq!(run(steps - 1).unwrap_err().kind, FailureKind::Fuel, "{steps}");
    }
    // an array of all the memory that there is lives while a loop takes long enough for limits to be looked at
    let p = ir("fun \"main\"(n_0: i64) -> (r_1: i64) { let (a_2: [1000]i64) = replicate [1000] 7i64 \
         let (l_3: i64) = loop (x_4: i64 = 0i64) for i_5: i64 < n_0 do { in (x_4) } let (y_6: i64) = index a_2[0i64] let (z_7: i64) = add.i64(y_6, l_3) in (z_7) }");
    let run =
        |memory| crate::eval(&p, "main", &[int(3000)], &Ctx { memory: Some(memory), plain: true, ..Ctx::default() });
    assert_eq!(run(8000).unwrap(), [int(7)]);
    assert_eq!(run(7999).unwrap_err().kind, FailureKind::Memory);
}

#[test]
fn a_check_of_an_array_is_refused() {
    for check in ["nonzero a_0", "bounds (a_0) [3]"] {
        let p: Program = format!(
            "futi-ir 1 fun \"main\"(a_0: [2]i64) -> (r_1: i64) {{ let (c_2: cert) = check {check} in (1i64) }}"
        )
        .parse()
        .unwrap();
        let e = crate::eval(&p, "main", &[ints(&[2], &[1, 2])], &Ctx::default()).unwrap_err();
        assert_eq!(e.kind, FailureKind::Internal, "{check}: {e}");
    }
}

#[test]
fn points_of_a_nest_are_counted_as_a_width() {
    let p = ir(
        "fun \"main\"(k_0: i64) -> (r_1: [2][3]i64) { let (m_2: [2][3]i64) = segop grid (i_3: i64 < 2, j_4: i64 < 3) -> (i64) { in (k_0) } in (m_2) }",
    );
    let ctx = Ctx::default();
    crate::eval(&p, "main", &[int(5)], &ctx).unwrap();
    assert_eq!(ctx.counters().widths, [(6, 1)].into());
}
