//! The rows of digest 002_003 §4.5 that are about traces and their reversal, each a test of that name. T1, T3, T4, T11 (random schedules of random
//! programs) and T21 are also properties over random programs, in `conformance/tests/traces.rs` and `conformance/tests/generated.rs`; times are in `benches`.

use super::trace::{Node, Op, Tape};
use crate::testing::*;
use crate::{Ctx, Keep, Trace, eval, trace};
use futi_core::ir::*;
use futi_core::prim::BinOp;
#[cfg(feature = "threads")]
use futi_core::prim::UnOp;
use futi_core::value::Value;

fn keep(keep: &str) -> Ctx {
    Ctx { keep: keep.parse().unwrap(), ..Ctx::default() }
}

/// `main` of this text, traced.
fn traced(text: &str, args: &[Value], keeps: &str) -> Trace {
    let t = trace(&ir(text), "main", args, &keep(keeps)).unwrap();
    assert_eq!(check::errors(&t.program), [], "{}", t.program);
    assert_eq!(run(&t.program, args), t.results, "{}", t.program);
    assert!(t.program.funs[0].params.iter().all(|p| !p.unique), "nothing is consumed");
    t
}

/// The same, of a trace that must be the function at other arguments, too, as it is where these take the same branches.
fn traced_for(text: &str, args: &[Value], others: &[Value], keeps: &str) -> Trace {
    let t = traced(text, args, keeps);
    assert_eq!(run(&t.program, others), run(&ir(text), others), "{}", t.program);
    t
}

/// How many results each of the mapped λ has, and how many scalar operators there are outside of them.
fn parts_of_maps(t: &Trace) -> (Vec<usize>, usize) {
    let stms = &t.program.funs[0].body.stms;
    let maps = stms.iter().filter(|s| matches!(s.exp, Exp::Screma(_))).map(|s| s.pat.len()).collect();
    (maps, stms.iter().filter(|s| matches!(s.exp, Exp::Prim(..))).count())
}

/// How many statements of a trace apply this operator, those in mapped λ included.
fn count(t: &Trace, op: &str) -> usize {
    t.program.to_string().matches(&format!("= {op}(")).count()
}

/// How many statements there are, with and without those in mapped λ.
fn maps(t: &Trace) -> usize {
    t.program.to_string().matches("screma").count()
}

const ARRAY: &str = "xs_1: [4]f64";
const F64S: [f64; 4] = [1., 2., 3., 4.];

fn array() -> Vec<Value> {
    vec![floats(&[4], &F64S)]
}

#[test]
fn t1_only_the_branch_that_is_taken() {
    let text = "fun \"main\"(x_1: f64) -> (r_2: f64) { let (c_3: bool) = lt.f64(x_1, 0.0f64) let (y_4: f64) = if c_3 then { \
                let (a_5: f64) = sin.f64(x_1) in (a_5) } else { let (b_6: f64) = cos.f64(x_1) let (d_7: f64) = exp.f64(b_6) in (d_7) } in (y_4) }";
    let t = traced(text, &[float(2.)], "reals");
    assert_eq!((count(&t, "sin.f64"), count(&t, "cos.f64"), count(&t, "exp.f64"), count(&t, "lt.f64")), (0, 1, 1, 0));
    let t = traced(text, &[float(-2.)], "reals");
    assert_eq!((count(&t, "sin.f64"), count(&t, "cos.f64")), (1, 0));
}

#[test]
fn t2_what_is_kept_is_a_choice() {
    // sum over i of (if xs[i] < 2.5 then xs[i]*xs[i] else xs[i])
    let text = format!(
        "fun \"main\"({ARRAY}) -> (r_2: f64) {{ let (s_3: f64) = screma 4 (xs_1) map \\(x_4: f64) -> (f64) {{ let (c_5: bool) = lt.f64(x_4, 2.5f64) \
         let (y_6: f64) = if c_5 then {{ let (q_7: f64) = mul.f64(x_4, x_4) in (q_7) }} else {{ in (x_4) }} in (y_6) }} \
         reduce \\(a_8: f64, b_9: f64) -> (f64) {{ let (t_10: f64) = add.f64(a_8, b_9) in (t_10) }} neutral (0.0f64) in (s_3) }}"
    );
    let reals = traced(&text, &array(), "reals");
    assert_eq!((count(&reals, "mul.f64"), count(&reals, "lt.f64")), (2, 0));
    let booleans = traced(&text, &array(), "reals,booleans");
    assert_eq!((count(&booleans, "mul.f64"), count(&booleans, "lt.f64")), (2, 4));
    let arrays = traced(&text, &array(), "reals,arrays");
    assert_eq!((count(&arrays, "mul.f64"), count(&arrays, "lt.f64")), (2, 0));
    // reals: 4 inputs, 2 products, 4 additions and the constant 0 that they start from; comparisons add 4 and 4 constants; with arrays there is one input, and
    // 4 indices
    let steps = [&reals, &booleans, &arrays].map(|t| t.uses.len());
    assert_eq!(steps, [11, 19, 12]);
    // the closure rule
    for refused in ["arrays", "booleans", "booleans,arrays", "functions", ""] {
        assert!(refused.parse::<Keep>().is_err(), "{refused}");
    }
    assert_eq!("arrays, reals".parse::<Keep>().unwrap().to_string(), "reals,arrays");
}

#[test]
fn t5_a_switch_is_the_value_that_it_returns() {
    let text = "fun \"main\"(b_1: bool, x_2: f64, y_3: f64) -> (r_4: f64) { let (p_5: f64) = sin.f64(x_2) let (q_6: f64) = cos.f64(y_3) \
                let (z_7: f64) = select.f64(b_1, p_5, q_6) in (z_7) }";
    let args = [truth(false), float(1.), float(2.)];
    assert_eq!(count(&traced(text, &args, "reals"), "select.f64"), 0);
    assert_eq!(count(&traced(text, &args, "reals,booleans"), "select.f64"), 1);
    // under vjp as well
    let lambda = "\\(b_1: bool, x_2: f64, y_3: f64) -> (f64) { let (z_7: f64) = select.f64(b_1, x_2, y_3) in (z_7) }";
    let adjoints = vjp(lambda, &args, &[float(5.)]);
    assert_eq!(adjoints, [truth(false), float(0.), float(5.)]);
}

#[test]
fn t6_functions_are_traced_through_with_what_they_close_over() {
    // g is called twice; λ reads a, bound outside of it
    let text = "fun \"g\"(x_1: f64) -> (r_2: f64) { let (y_3: f64) = mul.f64(x_1, x_1) in (y_3) } \
                fun \"main\"(x_10: f64, xs_11: [2]f64) -> (r_12: [2]f64) { let (a_13: f64) = call \"g\"(x_10) let (b_14: f64) = call \"g\"(a_13) \
                let (ys_15: [2]f64) = screma 2 (xs_11) map \\(x_16: f64) -> (f64) { let (p_17: f64) = mul.f64(x_16, b_14) in (p_17) } in (ys_15) }";
    let args = [float(2.), floats(&[2], &[1., 3.])];
    let t = traced(text, &args, "reals");
    assert_eq!((t.results.clone(), count(&t, "mul.f64")), (vec![floats(&[2], &[16., 48.])], 4));
}

#[test]
fn t7_arrays_traced_away_are_names_of_elements() {
    // the sum of four elements is three additions
    let text = format!(
        "fun \"main\"({ARRAY}) -> (r_2: f64) {{ let (s_3: f64) = screma 4 (xs_1) map \\(x_4: f64) -> (f64) {{ in (x_4) }} \
         reduce \\(a_8: f64, b_9: f64) -> (f64) {{ let (t_10: f64) = add.f64(a_8, b_9) in (t_10) }} neutral (0.0f64) in (s_3) }}"
    );
    let reals = traced(&text, &array(), "reals");
    // from the neutral element on, as the reduction is defined
    assert_eq!((count(&reals, "add.f64"), maps(&reals)), (4, 0));
    // an array operation moves names: no step
    let moved = format!(
        "fun \"main\"({ARRAY}) -> (r_2: [2][2]f64) {{ let (a_3: [4]f64) = reverse xs_1 let (b_4: [2][2]f64) = reshape [2][2] a_3 \
         let (c_5: [2][2]f64) = rearrange (1, 0) b_4 in (c_5) }}"
    );
    let t = traced(&moved, &array(), "reals");
    assert_eq!((t.uses.len(), t.results[0].clone()), (4, floats(&[2, 2], &[4., 2., 3., 1.])));
    assert_eq!(traced(&moved, &array(), "reals,arrays").uses.len(), 4, "an input, and three operations on arrays");
}

/// `map` with this code for a row, which makes y_5 of x_4.
fn mapped(code: &str) -> String {
    format!(
        "fun \"main\"({ARRAY}, c_2: f64) -> (r_3: [4]f64) {{ let (ys_9: [4]f64) = screma 4 (xs_1) map \\(x_4: f64) -> (f64) {{ {code} in (y_5) }} in (ys_9) }}"
    )
}

#[test]
fn t8_one_trace_for_all_rows_unless_there_are_branches() {
    let args = [array(), vec![float(2.)]].concat();
    let straight = mapped("let (a_6: f64) = mul.f64(x_4, c_2) let (y_5: f64) = add.f64(a_6, x_4)");
    let t = traced(&straight, &args, "reals,arrays");
    assert_eq!((count(&t, "mul.f64"), count(&t, "add.f64"), maps(&t)), (1, 1, 1));
    // the product is seen within the map only, and has a name all the same
    assert_eq!(parts_of_maps(&t), (vec![1], 0));
    assert!(t.uses.iter().all(|(name, _)| name != "_"), "{:?}", t.uses);
    // what is the same at every row is computed before: a constant, and an operator on one
    let shared = mapped(
        "let (a_6: f64) = mul.f64(c_2, 3.0f64) let (b_7: f64) = mul.f64(x_4, a_6) let (y_5: f64) = add.f64(b_7, 1.0f64)",
    );
    let t = traced(&shared, &args, "reals,arrays");
    assert_eq!((count(&t, "mul.f64"), count(&t, "add.f64"), maps(&t)), (2, 1, 1));
    assert_eq!(parts_of_maps(&t), (vec![1], 1));
    // a switch chooses row by row: the operators before and after it are maps of their own
    let switched = mapped(
        "let (q_6: f64) = mul.f64(x_4, x_4) let (c_7: bool) = lt.f64(2.5f64, x_4) let (s_8: f64) = select.f64(c_7, q_6, 0.0f64) let (y_5: f64) = sin.f64(s_8)",
    );
    let others = [floats(&[4], &[-1., 2., 5., 3.]), float(1.)];
    let t = traced_for(&switched, &args, &others, "reals,arrays");
    assert_eq!(parts_of_maps(&t), (vec![1, 1], 0));
    let branching = mapped(
        "let (a_6: f64) = mul.f64(x_4, c_2) let (b_7: bool) = lt.f64(a_6, 5.0f64) let (y_5: f64) = if b_7 then { in (a_6) } else { in (x_4) }",
    );
    let t = traced(&branching, &args, "reals,arrays");
    assert_eq!((count(&t, "mul.f64"), maps(&t)), (4, 0));
    // no rows: no trace, and no first row is missed (hole 11)
    let none = "fun \"main\"(xs_1: [0]f64) -> (r_2: [0]f64) { let (ys_3: [0]f64) = screma 0 (xs_1) map \\(x_4: f64) -> (f64) { \
                let (y_5: f64) = exp.f64(x_4) in (y_5) } in (ys_3) }";
    assert_eq!(traced(none, &[floats(&[0], &[])], "reals,arrays").results, [floats(&[0], &[])]);
}

#[test]
fn t8_maps_within_a_nested_derivative_are_maps_of_the_trace() {
    // the sum of x³ + c² and its adjoint 3x², in a trace
    let text = "fun \"main\"(xs_1: [4]f64, c_2: f64) -> (r_3: f64, s_4: [4]f64) { let (d_5: f64) = mul.f64(c_2, c_2) \
                let (p_6: f64, a_7: [4]f64) = vjp \\(ys_8: [4]f64) -> (f64) { let (t_9: f64) = screma 4 (ys_8) map \\(x_10: f64) -> (f64) { \
                let (q_11: f64) = mul.f64(x_10, x_10) let (u_12: f64) = mul.f64(q_11, x_10) let (v_13: f64) = add.f64(u_12, d_5) in (v_13) } \
                reduce \\(a_14: f64, b_15: f64) -> (f64) { let (z_16: f64) = add.f64(a_14, b_15) in (z_16) } neutral (0.0f64) in (t_9) } at (xs_1) with (1.0f64) in (p_6, a_7) }";
    let t = traced(text, &[array(), vec![float(2.)]].concat(), "reals,arrays");
    // 1 + 8 + 27 + 64 and four times 4
    assert_eq!(t.results, [float(116.), floats(&[4], &[3., 12., 27., 48.])]);
    // the map of three operators, the sum, and on the way back the two factors of either product, with two sums of them
    assert_eq!(maps(&t), 8);
}

/// A reduction of n elements under vjp with so many segments: the value, and the adjoints of the elements and the neutral element.
fn folded(n: usize, op: &str, ne: f64, segments: Option<usize>) -> Vec<Value> {
    let lambda = format!(
        "\\(xs_1: [{n}]f64, z_2: f64) -> (f64) {{ let (s_3: f64) = screma {n} (xs_1) map \\(x_4: f64) -> (f64) {{ in (x_4) }} \
         reduce \\(a_8: f64, b_9: f64) -> (f64) {{ {op} in (t_10) }} neutral (z_2) in (s_3) }}"
    );
    let xs: Vec<f64> = (0..n).map(|i| 1.0 + 0.25 * i as f64).collect();
    let args = [floats(&[n], &xs), float(ne)];
    let program = derivative_program("vjp", &lambda, &args, &[float(1.)]);
    let ctx = Ctx { fold_segments: segments, ..Ctx::default() };
    eval(&program, "main", &[&args[..], &[float(1.)]].concat(), &ctx).unwrap()
}

#[test]
fn t9_folds_in_segments_lose_no_element() {
    // each element and the neutral one has adjoint 1 in a sum, whatever the numbers; the value is exact in quarters
    for n in [0, 1, 2, 3, 5, 7, 16, 17, 33] {
        let add = "let (t_10: f64) = add.f64(a_8, b_9)";
        let expected = folded(n, add, 0.5, None);
        let sum = 0.5 + (0..n).map(|i| 1.0 + 0.25 * i as f64).sum::<f64>();
        assert_eq!(expected, [float(sum), floats(&[n], &vec![1.0; n]), float(1.)]);
        for segments in 1..=n + 3 {
            assert_eq!(folded(n, add, 0.5, Some(segments)), expected, "{n} elements, {segments} segments");
            // associative, not commutative: the last element, by arithmetic (hole 8)
            let last = "let (u_11: f64) = mul.f64(a_8, 0.0f64) let (t_10: f64) = add.f64(u_11, b_9)";
            assert_eq!(folded(n, last, 0.5, Some(segments)), folded(n, last, 0.5, None), "{n}, {segments}");
        }
    }
    // the trace is one of columns: for 33 items in 8 segments at most 8 steps of 4 or 5, where there were 33
    let nodes = |segments| {
        let ctx = Ctx { fold_segments: segments, ..Ctx::default() };
        let lambda = "\\(xs_1: [64]f64) -> (f64) { let (s_3: f64) = screma 64 (xs_1) map \\(x_4: f64) -> (f64) { in (x_4) } \
                      reduce \\(a_8: f64, b_9: f64) -> (f64) { let (t_10: f64) = mul.f64(a_8, b_9) in (t_10) } neutral (1.0f64) in (s_3) }";
        let args = [floats(&[64], &[1.0; 64]), float(1.)];
        eval(&derivative_program("vjp", lambda, &args[..1], &args[1..]), "main", &args, &ctx).unwrap();
        ctx.counters().trace_nodes
    };
    assert!(nodes(None) >= 128 && nodes(Some(8)) < 80, "{} and {}", nodes(None), nodes(Some(8)));
}

#[test]
fn t10_values_and_reference_counts() {
    // f(x1, x2) = x1 + x1*x2; the dead x1/x2 is no use
    let text = "fun \"main\"(x_1: f64, y_2: f64) -> (r_3: f64) { let (a_4: f64) = mul.f64(x_1, y_2) let (d_5: f64) = div.f64(x_1, y_2) \
                let (b_6: f64) = add.f64(x_1, a_4) in (b_6) }";
    let t = traced(text, &[float(5.), float(3.)], "reals");
    let uses: Vec<u32> = t.uses.iter().map(|(_, n)| *n).collect();
    // x1 twice, x2 once, the product once, the quotient never, the sum as the result
    assert_eq!((t.results, uses), (vec![float(20.)], vec![2, 1, 1, 0, 1]));
    // each element of a result is one: four squares, and a number that nothing uses
    let t = traced(&mapped("let (y_5: f64) = mul.f64(x_4, x_4)"), &[array(), vec![float(5.)]].concat(), "reals");
    let uses: Vec<u32> = t.uses.iter().map(|(_, n)| *n).collect();
    assert_eq!(uses, [2, 2, 2, 2, 0, 1, 1, 1, 1]);
}

#[test]
fn t11_any_order_and_the_worked_example() {
    let f = "\\(x_1: f64, y_2: f64) -> (f64) { let (a_4: f64) = mul.f64(x_1, y_2) let (b_6: f64) = add.f64(x_1, a_4) in (b_6) }";
    assert_eq!(vjp(f, &[float(5.), float(3.)], &[float(1.)]), [float(4.), float(5.)]);
    // a hundred orders of a program with sharing; dyadic numbers, so that no sum is rounded
    let text = "\\(xs_1: [4]f64, y_2: f64) -> (f64) { let (ys_3: [4]f64) = screma 4 (xs_1) map \\(x_4: f64) -> (f64) { let (c_5: bool) = lt.f64(x_4, 2.5f64) \
                let (p_6: f64) = if c_5 then { let (q_7: f64) = mul.f64(x_4, y_2) in (q_7) } else { let (q_8: f64) = mul.f64(x_4, x_4) in (q_8) } in (p_6) } \
                let (z_9: f64) = loop (a_10: f64 = y_2) for i_11: i64 < 4i64 do { let (e_12: f64) = index ys_3[i_11] let (m_13: f64) = mul.f64(a_10, 0.5f64) \
                let (n_14: f64) = mul.f64(m_13, y_2) let (s_15: f64) = add.f64(n_14, e_12) in (s_15) } in (z_9) }";
    let args = [array(), vec![float(0.5), float(1.)]].concat();
    let program = derivative_program("vjp", text, &args[..2], &args[2..]);
    let expected = run(&program, &args);
    for order in 0..100 {
        let ctx = Ctx { reverse_order: Some(order), ..Ctx::default() };
        assert_eq!(eval(&program, "main", &args, &ctx).unwrap(), expected, "order {order}");
    }
    // the orders are several: 10¹⁶ + 1 - 10¹⁶ is 0 in one, and 1 in another
    let f = "\\(x_1: f64) -> (f64, f64, f64) { let (a_2: f64) = mul.f64(x_1, 1.0e16f64) let (b_3: f64) = mul.f64(x_1, 1.0f64) \
             let (c_4: f64) = mul.f64(x_1, -1.0e16f64) in (a_2, b_3, c_4) }";
    let args = [float(2.), float(1.), float(1.), float(1.)];
    let program = derivative_program("vjp", f, &args[..1], &args[1..]);
    let adjoint = |order| {
        let ctx = Ctx { reverse_order: Some(order), ..Ctx::default() };
        eval(&program, "main", &args, &ctx).unwrap().remove(3)
    };
    for expected in [0., 1.] {
        assert!((0..20).any(|order| adjoint(order) == float(expected)), "{expected}");
    }
}

#[test]
fn t12_elements_wholes_and_numbers_add_up() {
    // xs is read by index twice at one place and once at another, as a whole by a sum, and by a map: (2+1+2x, 1+1+2x, 1+2x, 1+2x)
    let f = format!(
        "\\({ARRAY}) -> (f64) {{ let (a_2: f64) = index xs_1[0i64] let (b_3: f64) = index xs_1[0i64] let (c_4: f64) = index xs_1[1i64] \
         let (s_5: f64, q_6: f64) = screma 4 (xs_1) map \\(x_7: f64) -> (f64, f64) {{ let (y_8: f64) = mul.f64(x_7, x_7) in (x_7, y_8) }} \
         reduce \\(p_9: f64, q_10: f64) -> (f64) {{ let (t_11: f64) = add.f64(p_9, q_10) in (t_11) }} neutral (0.0f64) \
         reduce \\(p_12: f64, q_13: f64) -> (f64) {{ let (t_14: f64) = add.f64(p_12, q_13) in (t_14) }} neutral (0.0f64) \
         let (u_15: f64) = add.f64(a_2, b_3) let (v_16: f64) = add.f64(u_15, c_4) let (w_17: f64) = add.f64(v_16, s_5) let (z_18: f64) = add.f64(w_17, q_6) in (z_18) }}"
    );
    assert_eq!(gradient(&f, &array(), &[float(1.)]), [floats(&[4], &[5., 6., 7., 9.])]);
}

#[test]
fn t13_a_mapped_function_sends_adjoints_to_what_it_closes_over() {
    // y_i = a*b_i: the adjoint of a is the sum of b_i*u_i, in one map and in n traces
    let args = [floats(&[4], &F64S), float(3.)];
    for (branch, expected_nodes) in
        [("in (p_4)", 1), ("let (q_5: f64) = if true then { in (p_4) } else { in (b_3) } in (q_5)", 4)]
    {
        let f = format!(
            "\\(bs_1: [4]f64, a_2: f64) -> ([4]f64) {{ let (ys_6: [4]f64) = screma 4 (bs_1) map \\(b_3: f64) -> (f64) {{ \
             let (p_4: f64) = mul.f64(a_2, b_3) {branch} }} in (ys_6) }}"
        );
        let seed = floats(&[4], &[1., 10., 100., 1000.]);
        let adjoints = gradient(&f, &args, std::slice::from_ref(&seed));
        assert_eq!(adjoints, [floats(&[4], &[3., 30., 300., 3000.]), float(4321.)]);
        let ctx = Ctx::default();
        eval(
            &derivative_program("vjp", &f, &args, std::slice::from_ref(&seed)),
            "main",
            &[&args[..], &[seed]].concat(),
            &ctx,
        )
        .unwrap();
        let products = ctx.counters().trace_nodes;
        assert!(if expected_nodes == 1 { products <= 2 } else { products >= 8 }, "{products} steps");
    }
}

#[test]
fn t14_folds_send_adjoints_to_the_neutral_element() {
    // ne = 2 in a sum: z and each element have adjoint u
    assert_eq!(
        folded(3, "let (t_10: f64) = add.f64(a_8, b_9)", 2., None),
        [float(2. + 1. + 1.25 + 1.5), floats(&[3], &[1.; 3]), float(1.)]
    );
    // in a product: z*1*1.25*1.5, and the product of the others
    assert_eq!(
        folded(3, "let (t_10: f64) = mul.f64(a_8, b_9)", 2., None),
        [float(3.75), floats(&[3], &[3.75, 3., 2.5]), float(1.875)]
    );
}

#[test]
fn t15_a_sum_has_no_intermediate_adjoints() {
    let f = "\\(xs_1: [1000]f64) -> (f64) { let (s_3: f64) = screma 1000 (xs_1) map \\(x_4: f64) -> (f64) { in (x_4) } \
             reduce comm \\(a_8: f64, b_9: f64) -> (f64) { let (t_10: f64) = add.f64(a_8, b_9) in (t_10) } neutral (0.0f64) in (s_3) }";
    let args = [floats(&[1000], &[1.; 1000]), float(2.)];
    let ctx = Ctx::default();
    let results = eval(&derivative_program("vjp", f, &args[..1], &args[1..]), "main", &args, &ctx).unwrap();
    assert_eq!((results[1].clone(), ctx.counters().trace_nodes), (floats(&[1000], &[2.; 1000]), 1));
    assert_eq!(ctx.counters().prim(Prim::Bin(BinOp::Add, ScalarType::F64)), 1000);
}

/// A tree of 2^depth leaves, each an array of n elements to which `sin` is applied so many times; the leaves are summed in pairs.
fn tree(depth: u32, n: usize, times: usize) -> String {
    let mut text = String::new();
    let leaf = |k: usize, text: &mut String| {
        let mut x = "xs_1".to_string();
        for i in 0..times {
            let (y, p, q) = (1000 + 100 * k + i, 200_000 + 100 * k + i, 300_000 + 100 * k + i);
            text.push_str(&format!(
                "let (y_{y}: [{n}]f64) = screma {n} ({x}) map \\(p_{p}: f64) -> (f64) {{ let (q_{q}: f64) = sin.f64(p_{p}) in (q_{q}) }} "
            ));
            x = format!("y_{y}");
        }
        x
    };
    let mut level: Vec<String> = (0..1usize << depth).map(|k| leaf(k, &mut text)).collect();
    let mut fresh = 400_000;
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| {
                fresh += 4;
                text.push_str(&format!(
                    "let (s_{fresh}: [{n}]f64) = screma {n} ({}, {}) map \\(a_{}: f64, b_{}: f64) -> (f64) {{ let (c_{}: f64) = add.f64(a_{}, b_{}) in (c_{}) }} ",
                    pair[0], pair[1], fresh + 1, fresh + 2, fresh + 3, fresh + 1, fresh + 2, fresh + 3
                ));
                format!("s_{fresh}")
            })
            .collect();
    }
    format!("\\(xs_1: [{n}]f64) -> ([{n}]f64) {{ {text} in ({}) }}", level[0])
}

#[cfg(feature = "threads")]
#[test]
fn t16_t17_several_threads_give_the_same_adjoints() {
    for (depth, n, times) in [(3, 100, 3), (0, 70_000, 2)] {
        let f = tree(depth, n, times);
        let xs: Vec<f64> = (0..n).map(|i| (i % 10) as f64 * 0.1).collect();
        let args = [floats(&[n], &xs), floats(&[n], &vec![1.; n])];
        let program = derivative_program("vjp", &f, &args[..1], &args[1..]);
        let expected = eval(&program, "main", &args, &Ctx::default()).unwrap();
        for threads in [2, 3, 8] {
            let ctx = Ctx { threads, ..Ctx::default() };
            let results = eval(&program, "main", &args, &ctx).unwrap();
            results.iter().zip(&expected).for_each(|(a, b)| assert_close(a, b, 1e-13));
            assert!(ctx.counters().prim(Prim::Un(UnOp::Cos, ScalarType::F64)) >= n as u64, "counted in every thread");
        }
    }
}

#[test]
fn t16_t17_a_tree_is_reversed_in_any_number_of_threads_that_there_are() {
    // without the feature the number is not looked at
    let f = tree(2, 8, 2);
    let args = [floats(&[8], &[0.5; 8]), floats(&[8], &[1.; 8])];
    let program = derivative_program("vjp", &f, &args[..1], &args[1..]);
    let expected = run(&program, &args);
    let results = eval(&program, "main", &args, &Ctx { threads: 2, ..Ctx::default() }).unwrap();
    results.iter().zip(&expected).for_each(|(a, b)| assert_close(a, b, 1e-14));
    // 4 cos(sin x) cos x
    let x = 0.5f64;
    assert_close(&results[1], &floats(&[8], &[4. * x.sin().cos() * x.cos(); 8]), 1e-14);
}

#[test]
fn t18_work_is_linear_in_the_length_of_the_trace() {
    let prims = |n: i64| {
        let f = "\\(a_1: f64, n_9: i64) -> (f64) { let (y_2: f64) = loop (x_3: f64 = a_1) for i_4: i64 < n_9 do { let (p_5: f64) = mul.f64(x_3, a_1) \
                 let (s_6: f64) = sin.f64(p_5) in (s_6) } in (y_2) }";
        let args = [float(0.7), int(n), float(1.)];
        let ctx = Ctx::default();
        eval(&derivative_program("vjp", f, &args[..2], &args[2..]), "main", &args, &ctx).unwrap();
        (ctx.counters().prims(), ctx.counters().trace_nodes)
    };
    let (small, nodes) = prims(100);
    for k in [2, 4, 8, 16] {
        let (large, more) = prims(100 * k);
        assert!(large <= small * k as u64 && more <= nodes * k as u64, "{large} of {k} times {small}");
    }
}

#[test]
fn t19_dead_code_is_not_waited_for() {
    let f =
        "\\(x_1: f64) -> (f64) { let (y_2: f64) = mul.f64(x_1, x_1) let (z_3: f64) = add.f64(x_1, 1.0f64) in (z_3) }";
    assert_eq!(vjp(f, &[float(3.)], &[float(1.)]), [float(1.)]);
}

#[test]
fn t20_an_argument_without_uses_has_adjoint_zero() {
    let f = format!("\\({ARRAY}, x_2: f64, i_3: i64) -> (f64) {{ let (y_4: f64) = mul.f64(x_2, 2.0f64) in (y_4) }}");
    let args = [array(), vec![float(3.), int(7)]].concat();
    for keeps in ["reals", "reals,arrays"] {
        let program = derivative_program("vjp", &f, &args, &[float(1.)]);
        let results = eval(&program, "main", &[&args[..], &[float(1.)]].concat(), &keep(keeps)).unwrap();
        assert_eq!(results[1..], [floats(&[4], &[0.; 4]), float(2.), int(0)]);
    }
}

#[test]
fn a_node_is_no_larger_than_it_was() {
    // a trace of 10^8 steps of scalar code is to fit into 16 GiB
    assert!(size_of::<Node>() <= 72 && size_of::<Op>() <= 48, "{} {}", size_of::<Node>(), size_of::<Op>());
    assert_eq!(Tape::new(1, &Default::default()).bytes(), 0);
}

#[test]
fn booleans_that_are_kept_are_inputs_too() {
    let text = "fun \"main\"(b_1: bool, x_2: f64) -> (r_3: bool) { let (c_4: bool) = lt.f64(x_2, 2.0f64) let (d_5: bool) = and.bool(b_1, c_4) in (d_5) }";
    let of = |b, x| [truth(b), float(x)];
    for others in [of(false, 1.), of(true, 3.)] {
        traced_for(text, &of(true, 1.), &others, "reals,booleans");
    }
}

#[test]
fn arrays_of_results_are_made_of_steps_and_constants() {
    // one of both, one of steps alone, and one with a row of each
    let text = "fun \"main\"(x_1: f64, y_2: f64) -> (a_3: [2]f64, b_4: [2]f64, c_5: [2][2]f64) { let (p_6: f64) = mul.f64(x_1, y_2) \
                let (a_7: [2]f64) = array [x_1, 1.0f64] of f64 let (b_8: [2]f64) = array [p_6, x_1] of f64 let (k_9: [2]f64) = array [1.0f64, 2.0f64] of f64 \
                let (c_10: [2][2]f64) = array [b_8, k_9] of [2]f64 in (a_7, b_8, c_10) }";
    for keeps in ["reals", "reals,arrays"] {
        traced_for(text, &[float(2.), float(3.)], &[float(5.), float(7.)], keeps);
    }
    // constants: the same everywhere, or not
    let text = "fun \"main\"(x_1: f64) -> (a_2: [1]f64, b_3: [3]f64, c_4: [2]f64) { let (a_5: [1]f64) = array [5.0f64] of f64 \
                let (b_6: [3]f64) = array [7.0f64, 7.0f64, 7.0f64] of f64 let (c_7: [2]f64) = array [1.0f64, 2.0f64] of f64 in (a_5, b_6, c_7) }";
    let text = traced(text, &[float(2.)], "reals").program.to_string();
    assert_eq!((text.matches("= replicate").count(), text.matches("= array").count()), (2, 1), "{text}");
}

#[test]
fn what_tracing_costs_is_counted() {
    let ctx = keep("reals");
    let text = "fun \"main\"(x_1: f64) -> (r_2: f64) { let (a_3: f64) = sin.f64(x_1) let (b_4: f64) = mul.f64(a_3, a_3) in (b_4) }";
    trace(&ir(text), "main", &[float(1.)], &ctx).unwrap();
    assert_eq!((ctx.counters().trace_nodes, ctx.counters().statements), (2, 2));
    // a trace of nothing takes nothing
    let ctx = keep("reals");
    trace(&ir("fun \"main\"() -> (r_1: f64) { in (1.0f64) }"), "main", &[], &ctx).unwrap();
    assert_eq!((ctx.counters().bodies, ctx.counters().peak), (1, 0));
}

#[test]
fn sums_of_rows_are_reductions() {
    // the adjoint of rows that are repeated: in one dimension as they are, in two with these made one; and of rows without elements
    let reverse = |outer: &str, row: usize| {
        format!(
            "fun \"main\"(x_1: [{row}]f64, s_2: {outer}[{row}]f64) -> (r_3: [{row}]f64) {{ let (p_4: {outer}[{row}]f64, d_5: [{row}]f64) = vjp \\(a_6: [{row}]f64) -> ({outer}[{row}]f64) {{ \
             let (b_7: {outer}[{row}]f64) = replicate {outer} a_6 in (b_7) }} at (x_1) with (s_2) in (d_5) }}"
        )
    };
    let x = floats(&[2], &[7., 8.]);
    let numbers: Vec<f64> = (0..12).map(f64::from).collect();
    for (outer, shape, sums, reshapes) in
        [("[6]", &[6, 2][..], [30., 36.], 0), ("[2][3]", &[2, 3, 2][..], [30., 36.], 1)]
    {
        let t = traced(&reverse(outer, 2), &[x.clone(), floats(shape, &numbers)], "reals,arrays");
        assert_eq!(t.results, [floats(&[2], &sums)]);
        let text = t.program.to_string();
        assert_eq!((text.matches("= reshape").count(), text.matches("reduce comm").count()), (reshapes, 1), "{text}");
    }
    for (outer, shape) in [("[6]", &[6, 0][..]), ("[2][3]", &[2, 3, 0][..])] {
        let t = traced(&reverse(outer, 0), &[floats(&[0], &[]), floats(shape, &[])], "reals,arrays");
        assert_eq!(t.results, [floats(&[0], &[])]);
    }
}

#[test]
fn parts_of_arrays_without_rows_are_no_rows() {
    // the adjoint of a part of no elements, of an array that has no row to index
    let text = "fun \"main\"(m_1: [0][0]f64, s_2: [0]f64) -> (r_3: [0][0]f64) { let (p_4: [0]f64, d_5: [0][0]f64) = vjp \\(a_6: [0][0]f64) -> ([0]f64) { \
                let (f_7: [0]f64) = reshape [0] a_6 let (b_8: [0]f64) = slice f_7[0i64 : 0 : 1i64] in (b_8) } at (m_1) with (s_2) in (d_5) }";
    let t = traced(text, &[floats(&[0, 0], &[]), floats(&[0], &[])], "reals,arrays");
    assert!(t.program.to_string().contains("updslice"), "{}", t.program);
}

/// Each operation on arrays, and what reverse mode makes of it, is a step, whose program gives the same. (`traced` compares.)
#[test]
fn operations_on_arrays_are_steps() {
    let sum = "comm \\(p_40: [3]f64, q_41: [3]f64) -> ([3]f64) { let (s_42: [3]f64) = screma 3 (p_40, q_41) map \\(u_43: f64, v_44: f64) -> (f64) { let (w_45: f64) = add.f64(u_43, v_44) in (w_45) } in (s_42) } neutral (zeros_46)";
    let summed = format!(
        "let (zeros_46: [3]f64) = replicate [3] 0.0f64 let (b_9: [3]f64) = screma 2 (a_8) map \\(r_47: [3]f64) -> ([3]f64) {{ in (r_47) }} reduce {sum}"
    );
    let cases = [
        ("[2][3]", "let (b_9: [2][3]f64) = reverse a_8"),
        ("[3][2]", "let (b_9: [3][2]f64) = rearrange (1, 0) a_8"),
        ("[6]", "let (b_9: [6]f64) = reshape [6] a_8"),
        ("[3][2]", "let (b_9: [3][2]f64) = reshape [3][2] a_8"),
        ("[4][2][3]", "let (b_9: [4][2][3]f64) = replicate [4] a_8"),
        ("[2][2][2][3]", "let (b_9: [2][2][2][3]f64) = replicate [2][2] a_8"),
        ("[4]", "let (e_30: f64) = index a_8[1i64, 0i64] let (b_9: [4]f64) = replicate [4] e_30"),
        ("[2][3]", "let (b_9: [2][3]f64) = rotate 1i64 a_8"),
        ("[4][3]", "let (b_9: [4][3]f64) = concat 4 (a_8, a_8)"),
        ("[7][3]", "let (c_30: [3][3]f64) = replicate [3][3] 5.0f64 let (b_9: [7][3]f64) = concat 7 (a_8, c_30, a_8)"),
        ("[3]", "let (b_9: [3]f64) = index a_8[1i64]"),
        ("", "let (b_9: f64) = index a_8[1i64, 2i64]"),
        ("[2]", "let (b_9: [2]f64) = slice a_8[0i64 : 2 : 1i64, 2i64]"),
        ("[2][2]", "let (b_9: [2][2]f64) = slice a_8[0i64 : 2 : 1i64, 2i64 : 2 : -2i64]"),
        ("[1][3]", "let (b_9: [1][3]f64) = slice a_8[1i64 : 1 : 1i64]"),
        ("[2]", "let (b_9: [2]f64) = slice a_8[0i64, 0i64 : 2 : 1i64]"),
        (
            "[2][2]",
            "let (f_30: [6]f64) = reshape [6] a_8 let (b_9: [2][2]f64) = flatindex f_30 at 1i64 [2 : 1i64, 2 : 2i64]",
        ),
        ("[3]", &summed),
        (
            "[2][3]",
            "let (c_30: [2][3]f64) = copy a_8 let (r_31: [3]f64) = index a_8[1i64] let (b_9: [2][3]f64) = update c_30[0i64] = r_31",
        ),
        (
            "[2][3]",
            "let (c_30: [2][3]f64) = copy a_8 let (x_31: f64) = index a_8[1i64, 2i64] let (b_9: [2][3]f64) = update c_30[0i64, 1i64] = x_31",
        ),
        (
            "[2][3]",
            "let (c_30: [2][3]f64) = copy a_8 let (r_31: [2]f64) = slice a_8[0i64 : 2 : 1i64, 1i64] let (b_9: [2][3]f64) = updslice c_30[0i64 : 2 : 1i64, 2i64] = r_31",
        ),
        (
            "[2][3]",
            "let (c_30: [2][3]f64) = copy a_8 let (r_31: [2][3]f64) = rotate 1i64 a_8 let (b_9: [2][3]f64) = updslice c_30[0i64 : 2 : 1i64, 0i64 : 3 : 1i64] = r_31",
        ),
        (
            "[3]",
            "let (r_30: [3]f64) = index a_8[0i64] let (s_31: [3]f64) = index a_8[1i64] let (b_9: [3]f64) = screma 3 (r_30, s_31) map \\(u_32: f64, v_33: f64) -> (f64) { let (w_34: f64) = mul.f64(u_32, v_33) in (w_34) }",
        ),
        (
            "[2][3]",
            "let (b_9: [2][3]f64) = screma 2 (a_8) map \\(r_30: [3]f64) -> ([3]f64) { let (s_31: [3]f64) = screma 3 (r_30) map \\(u_32: f64) -> (f64) { let (w_34: f64) = mul.f64(u_32, u_32) in (w_34) } in (s_31) }",
        ),
    ];
    let a = floats(&[2, 3], &[1., 2., 3., 4., 5., 6.]);
    for (dims, body) in cases {
        let ty = format!("{dims}f64");
        let shape: Vec<usize> = dims.split(['[', ']']).filter_map(|n| n.parse().ok()).collect();
        let count: usize = shape.iter().product();
        let numbers: Vec<f64> = (0..count).map(|k| 10. + k as f64).collect();
        let seed = if shape.is_empty() { float(7.) } else { floats(&shape, &numbers) };
        let primal = format!("fun \"main\"(a_8: [2][3]f64) -> (r_2: {ty}) {{ {body} in (b_9) }}");
        let reverse = format!(
            "fun \"main\"(x_1: [2][3]f64, s_2: {ty}) -> (r_3: [2][3]f64) {{ let (p_4: {ty}, d_5: [2][3]f64) = vjp \\(a_8: [2][3]f64) -> ({ty}) {{ {body} in (b_9) }} at (x_1) with (s_2) in (d_5) }}"
        );
        for keeps in ["reals,arrays", "reals"] {
            traced(&primal, std::slice::from_ref(&a), keeps);
            traced(&reverse, &[a.clone(), seed.clone()], keeps);
        }
    }
}
