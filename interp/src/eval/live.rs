//! What is live: counted exactly, and bounded. Arrays are of `f64`s and `i64`s, 8 bytes each.

use crate::testing::*;
use crate::{Code, Counters, Ctx};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::*;
use futi_core::value::Value;

/// Runs `main`, which nobody shares its arguments with.
fn call(program: &Program, args: Vec<Value>, ctx: Ctx) -> (Result<Vec<Value>, RuntimeError>, Counters) {
    let results = Code::new(program).unwrap().call("main", args, &ctx);
    let counters = ctx.counters();
    (results, counters)
}

/// The counters of a run, and the bytes of its results.
fn counted(program: &Program, args: Vec<Value>) -> (Counters, u64) {
    let (results, counters) = call(program, args, Ctx::default());
    let bytes =
        results.unwrap().into_iter().filter(|v| matches!(v, Value::Array(_))).map(|v| 8 * v.elements().count() as u64);
    (counters, bytes.sum())
}

fn zeros(n: usize) -> Value {
    floats(&[n], &vec![0.; n])
}

/// Sums the first elements of n arrays, each of which is dropped in its iteration.
fn throwaway() -> Program {
    ir("fun \"main\"(n_0: i64) -> (r_1: f64) {
        let (l_2: f64) = loop (s_3: f64 = 0f64) for i_4: i64 < n_0 do {
            let (x_5: f64) = conv.i64.f64(i_4)
            let (a_6: [1000]f64) = replicate [1000] x_5
            let (b_7: [1000]f64) = copy a_6
            let (y_8: f64) = index b_7[0i64]
            let (t_9: f64) = add.f64(s_3, y_8)
            in (t_9)
        }
        in (l_2)
    }")
}

#[test]
fn arrays_that_are_dropped_are_not_live() {
    let (counters, _) = counted(&throwaway(), vec![int(100_000)]);
    assert_eq!((counters.allocated, counters.peak, counters.live), (100_000 * 16_000, 16_000, 0));
}

/// The most that is live in `main` of this text, whose arrays have 1000 elements, 8000 bytes.
fn peak(text: &str, args: Vec<Value>) -> u64 {
    counted(&ir(text), args).0.peak
}

#[test]
fn an_array_that_the_other_branch_reads_is_not_live_in_this_one() {
    for cond in [true, false] {
        for (yes, no) in [("a_2", "b_3"), ("b_3", "a_2")] {
            let text = format!(
                "fun \"main\"(c_0: bool) -> (r_1: f64) {{
                    let (a_2: [1000]f64) = replicate [1000] 1f64
                    let (x_4: f64) = if c_0 then {{
                        let (b_3: [1000]f64) = replicate [1000] 2f64
                        let (y_5: f64) = index {yes}[0i64]
                        in (y_5)
                    }} else {{
                        let (b_3: [1000]f64) = replicate [1000] 3f64
                        let (y_6: f64) = index {no}[0i64]
                        in (y_6)
                    }}
                    in (x_4)
                }}"
            )
            .replace("b_3: [1000]f64) = replicate [1000] 3f64", "b_7: [1000]f64) = replicate [1000] 3f64")
            .replace("y_6: f64) = index b_3", "y_6: f64) = index b_7");
            // the branch that reads `a` has it and an array of its own, the other only the latter
            let arrays = if (yes == "a_2") == cond { 2 } else { 1 };
            assert_eq!(peak(&text, vec![truth(cond)]), arrays * 8000, "{cond} {yes}");
        }
    }
}

#[test]
fn what_a_loop_goes_on_with_and_does_not_read_is_not_live_in_it() {
    let text = "fun \"main\"(n_0: i64) -> (r_1: f64) {
        let (a_2: [1000]f64) = replicate [1000] 1f64
        let (l_3: [1000]f64) = loop (p_4: [1000]f64 = a_2) for i_5: i64 < n_0 do {
            let (x_6: f64) = conv.i64.f64(i_5)
            let (b_7: [1000]f64) = replicate [1000] x_6
            in (b_7)
        }
        let (y_8: f64) = index l_3[0i64]
        in (y_8)
    }";
    assert_eq!(peak(text, vec![int(3)]), 8000);
}

#[test]
fn what_a_function_under_jvp_reads_is_not_live_after_its_last_use() {
    let text = "fun \"main\"(x_0: f64, t_1: f64) -> (r_2: f64, s_3: f64) {
        let (a_4: [1000]f64) = replicate [1000] 3f64
        let (y_5: f64, d_6: f64) = jvp \\(z_7: f64) -> (f64) {
            let (k_8: f64) = index a_4[0i64]
            let (b_9: [1000]f64) = replicate [1000] 2f64
            let (l_10: f64) = index b_9[0i64]
            let (m_11: f64) = mul.f64(k_8, l_10)
            let (q_12: f64) = mul.f64(m_11, z_7)
            in (q_12)
        } at (x_0) with (t_1)
        in (y_5, d_6)
    }";
    assert_eq!(peak(text, vec![float(1.), float(1.)]), 8000);
}

/// `a with [i] = …` for all i < n.
fn fill(n: usize) -> Program {
    ir(&format!(
        "fun \"main\"(*a_0: [{n}]f64) -> (*r_1: [{n}]f64) {{
            let (l_2: [{n}]f64) = loop (*p_3: [{n}]f64 = a_0) for i_4: i64 < {n}i64 do {{
                let (q_5: [{n}]f64) = update p_3[i_4] = 1f64
                in (q_5)
            }}
            in (l_2)
        }}"
    ))
}

#[test]
fn an_update_in_place_takes_no_more() {
    let (counters, bytes) = counted(&fill(1000), vec![zeros(1000)]);
    assert_eq!((counters.peak, counters.live, bytes), (8000, 8000, 8000));
    // what the caller holds as well is the caller's, and the copy is ours
    let mine = zeros(1000);
    let (counters, _) = counted(&fill(1000), vec![mine.clone()]);
    assert_eq!((counters.copied, counters.peak, counters.live), (1000, 8000, 8000));
    // one element, too
    let mine = zeros(1);
    let (counters, _) = counted(&fill(1), vec![mine.clone()]);
    assert_eq!((counters.copied, counters.peak, counters.live), (1, 8, 8));
}

#[test]
fn a_copy_that_is_updated_by_strides_is_counted() {
    // twice the same element, so that it is not one part
    let p = ir("fun \"main\"(*a_0: [1]f64, v_1: [2]f64) -> (*r_2: [1]f64) {
        let (u_3: [1]f64) = flatupd a_0 at 0i64 [2 : 0i64] = v_1
        in (u_3)
    }");
    let mine = zeros(1);
    let (counters, _) = counted(&p, vec![mine.clone(), zeros(2)]);
    assert_eq!((counters.copied, counters.live), (1, 8));
}

#[test]
fn results_of_one_run_are_counted_anew_by_the_next() {
    let code = Code::new(&fill(10)).unwrap();
    let ctx = Ctx::default();
    let first = code.call("main", vec![zeros(10)], &ctx).unwrap();
    let kept = first.clone();
    let second = code.call("main", first, &ctx).unwrap();
    assert_eq!((ctx.counters().live, ctx.counters().peak), (80, 80));
    drop(kept);
    code.call("main", second, &ctx).unwrap();
    assert_eq!((ctx.counters().live, ctx.counters().peak), (80, 80));
}

#[test]
fn a_view_holds_its_whole_column() {
    // the last of ten rows of 3
    let p = ir("fun \"main\"() -> (r_0: [3]f64) {
        let (a_1: [10][3]f64) = replicate [10][3] 2f64
        let (row_2: [3]f64) = index a_1[9i64]
        in (row_2)
    }");
    let (counters, bytes) = counted(&p, vec![]);
    assert_eq!((counters.peak, counters.live, bytes), (240, 240, 24));
}

#[test]
fn nests_hold_their_results_and_one_row_at_a_time() {
    // 100 rows of 50, each by way of an array of 50 more
    let p = ir("fun \"main\"(n_0: i64) -> (r_1: [n_0][50]f64, s_2: [n_0]f64) {
        let (is_3: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
        let (rows_4: [n_0][50]f64, xs_5: [n_0]f64) = screma n_0 (is_3) map \\(i_6: i64) -> ([50]f64, f64) {
            let (x_7: f64) = conv.i64.f64(i_6)
            let (a_8: [50]f64) = replicate [50] x_7
            let (b_9: [50]f64) = reverse a_8
            in (b_9, x_7)
        }
        in (rows_4, xs_5)
    }");
    let (counters, bytes) = counted(&p, vec![int(100)]);
    let (results, indices, rows) = (100 * 50 * 8 + 100 * 8, 100 * 8, 2 * 50 * 8);
    assert_eq!((counters.peak, counters.live, bytes), (results + indices + rows, results, results));
}

/// The adjoint of x under x := x * x, n times, element by element of m.
fn squares(n: usize, m: usize) -> Program {
    ir(&format!(
        "fun \"main\"(*a_0: [{m}]f64, *s_1: [{m}]f64) -> (r_2: [{m}]f64, d_3: [{m}]f64) {{
            let (x_4: [{m}]f64, y_5: [{m}]f64) = vjp \\(c_10: [{m}]f64) -> ([{m}]f64) {{
                let (l_11: [{m}]f64) = loop (p_12: [{m}]f64 = c_10) for i_13: i64 < {n}i64 do {{
                    let (q_14: [{m}]f64) = screma {m} (p_12) map \\(e_15: f64) -> (f64) {{
                        let (f_16: f64) = mul.f64(e_15, e_15)
                        in (f_16)
                    }}
                    in (q_14)
                }}
                in (l_11)
            }} at (a_0) with (s_1)
            in (x_4, y_5)
        }}"
    ))
}

#[test]
fn a_trace_is_live_until_it_is_walked_back() {
    let run = |n: usize, m: usize| {
        let (counters, bytes) = counted(&squares(n, m), vec![zeros(m), zeros(m)]);
        assert_eq!((counters.live, bytes), (16 * m as u64, 16 * m as u64));
        counters.peak
    };
    // each step keeps its operand, which the step before has made: n arrays, besides a few and the nodes
    for (n, m) in [(10, 1000), (100, 1000), (100, 10_000)] {
        let (peak, trace) = (run(n, m), (n * m * 8) as u64);
        assert!((trace..trace + 8 * 8 * m as u64 + 512 * n as u64).contains(&peak), "{n} {m}: {peak}");
    }
    // with a trace of scalars the nodes are what there is
    let ctx = || Ctx { keep: "reals".parse().unwrap(), ..Ctx::default() };
    let nodes = |n: usize| call(&squares(n, 10), vec![zeros(10), zeros(10)], ctx()).1;
    assert!(nodes(1000).peak > 8 * nodes(100).peak && nodes(100).peak > 100 * 10 * 24, "{}", nodes(100).peak);
    assert_eq!(nodes(100).live, 160);
}

#[test]
fn tangents_are_live() {
    let p = ir(&squares(10, 100).to_string().trim_start_matches("futi-ir 1").replace("vjp", "jvp"));
    let (counters, bytes) = counted(&p, vec![zeros(100), zeros(100)]);
    assert_eq!((counters.live, bytes), (1600, 1600));
    // value and tangent before and after a step, and what x' * x + x * x' takes
    assert!((3200..=6 * 800).contains(&counters.peak), "{}", counters.peak);
}

#[test]
fn the_limit_is_on_what_is_live() {
    let limited = |p: &Program, args: Vec<Value>, limit| call(p, args, Ctx { memory: Some(limit), ..Ctx::default() });
    // 16000 bytes at once, however many are allocated
    assert_eq!(limited(&throwaway(), vec![int(10)], 16_000).0.unwrap(), [float(45.)]);
    let mut p = throwaway();
    let Exp::Loop { body, .. } = &mut p.funs[0].body.stms[0].exp else { panic!("a loop") };
    for (i, stm) in body.stms.iter_mut().enumerate() {
        stm.prov = Prov(10 + i as u32);
    }
    let (e, counters) = limited(&p, vec![int(10)], 15_999);
    let e = e.unwrap_err();
    let message = "more than 15999 bytes of memory: 8000 are live and 8000 more are asked for";
    // the third statement: the copy
    assert_eq!((e.kind, e.message.as_str(), e.prov), (FailureKind::Memory, message, Prov(12)));
    // nothing leaks
    assert_eq!((counters.live, counters.peak), (0, 8000));

    for n in [10, 1000] {
        let args = || vec![zeros(100), zeros(100)];
        let needed = call(&squares(n, 100), args(), Ctx::default()).1.peak;
        assert!(limited(&squares(n, 100), args(), needed).0.is_ok());
        let (results, counters) = limited(&squares(n, 100), args(), needed / 2);
        assert_eq!(results.unwrap_err().kind, FailureKind::Memory);
        assert_eq!(counters.live, 0);
    }
    let reals = Ctx { keep: "reals".parse().unwrap(), memory: Some(1 << 20), ..Ctx::default() };
    let (results, counters) = call(&squares(10_000, 10), vec![zeros(10), zeros(10)], reals);
    assert_eq!((results.unwrap_err().kind, counters.live), (FailureKind::Memory, 0));
}

#[test]
fn nothing_leaks_when_a_run_fails() {
    // fails in the middle of a nest in a trace, with rows under construction
    let p = ir("fun \"main\"(a_0: [3]f64, s_1: [3][2]f64) -> (r_2: [3][2]f64, d_3: [3]f64) {
        let (x_4: [3][2]f64, y_5: [3]f64) = vjp \\(c_6: [3]f64) -> ([3][2]f64) {
            let (is_7: [3]i64) = iota i64 (3i64, 1i64, -1i64)
            let (m_8: [3][2]f64) = screma 3 (c_6, is_7) map \\(e_9: f64, i_10: i64) -> ([2]f64) {
                let (k_11: cert) = check nonzero i_10
                let (z_12: f64) = mul.f64(e_9, e_9)
                let (row_13: [2]f64) = replicate [2] z_12
                in (row_13)
            }
            in (m_8)
        } at (a_0) with (s_1)
        in (x_4, y_5)
    }");
    let args = || vec![zeros(3), floats(&[3, 2], &[0.; 6])];
    for ctx in [Ctx::default(), Ctx::strict(), Ctx { all_failures: true, ..Ctx::default() }] {
        let (results, counters) = call(&p, args(), ctx);
        assert_eq!((results.unwrap_err().kind, counters.live), (FailureKind::DivisionByZero, 0));
        assert!(counters.peak > 0);
    }
}

#[cfg(feature = "threads")]
#[test]
fn threads_count_on_one_meter() {
    let ctx = || Ctx { threads: 4, ..Ctx::default() };
    let (n, m) = (50, 1000);
    let (results, counters) = call(&squares(n, m), vec![zeros(m), zeros(m)], ctx());
    assert_eq!((results.unwrap().len(), counters.live), (2, 16 * m as u64));
    assert!(counters.peak >= (n * m * 8) as u64);
    let limit = Some(counters.peak / 2);
    let (results, counters) = call(&squares(n, m), vec![zeros(m), zeros(m)], Ctx { memory: limit, ..ctx() });
    assert_eq!((results.unwrap_err().kind, counters.live), (FailureKind::Memory, 0));
}
