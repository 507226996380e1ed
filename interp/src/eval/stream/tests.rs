use crate::testing::*;
use crate::{Ctx, ctx::Partition};
use futi_core::failure::FailureKind;
use futi_core::value::Value;

fn fs(xs: &[f64]) -> Value {
    floats(&[xs.len()], xs)
}

fn partitions() -> Vec<Partition> {
    let chunks = (1..4).map(Partition::Chunks);
    chunks.chain((0..20).map(Partition::Random)).chain([Partition::Whole]).collect()
}

#[test]
fn every_partition_covers_the_array() {
    for p in partitions() {
        for n in [0, 1, 2, 7, 100] {
            assert_eq!(p.chunks(n).iter().sum::<usize>(), n, "{p:?} of {n}");
        }
    }
    assert!(Partition::Random(0).chunks(50).len() > 1 && (0..20).any(|s| Partition::Random(s).chunks(9).contains(&0)));
    assert_eq!(Partition::Chunks(3).chunks(7), [3, 3, 1]);
}

const ADD: &str =
    "\\(x_21: f64, y_22: f64) -> (f64) { let (r_23: f64) = add.f64(x_21, y_22) in (r_23) } neutral (0.0f64)";

/// Running sums from a, chunk by chunk.
fn seq(n: usize) -> String {
    format!(
        "\\(xs_1: [{n}]f64, a_2: f64) -> (f64, [{n}]f64) {{ let (s_3: f64, ys_4: [{n}]f64) = streamseq {n} (xs_1) from (a_2) chunk \\(c_5: i64, b_6: f64, zs_7: [c_5]f64) -> (f64, [c_5]f64) {{ \
         let (t_8: [c_5]f64, u_9: f64) = screma c_5 (zs_7) map \\(z_10: f64) -> (f64, f64) {{ let (q_11: f64) = mul.f64(z_10, z_10) in (q_11, q_11) }} scan {ADD} reduce {} \
         let (v_12: f64) = add.f64(b_6, u_9) let (w_13: [c_5]f64) = screma c_5 (t_8) map \\(z_14: f64) -> (f64) {{ let (r_15: f64) = add.f64(b_6, z_14) in (r_15) }} in (v_12, w_13) }} in (s_3, ys_4) }}",
        ADD.replace("_2", "_3")
    )
}

/// The sum of squares, and the cubes.
fn par(n: usize) -> String {
    format!(
        "\\(xs_1: [{n}]f64) -> (f64, [{n}]f64) {{ let (s_3: f64, ys_4: [{n}]f64) = streampar {n} (xs_1) reduce comm {ADD} chunk \\(c_5: i64, zs_7: [c_5]f64) -> (f64, [c_5]f64) {{ \
         let (u_9: f64, w_13: [c_5]f64) = screma c_5 (zs_7) map \\(z_10: f64) -> (f64, f64) {{ let (q_11: f64) = mul.f64(z_10, z_10) let (r_12: f64) = mul.f64(q_11, z_10) in (q_11, r_12) }} reduce {} in (u_9, w_13) }} in (s_3, ys_4) }}",
        ADD.replace("_2", "_3")
    )
}

/// Results and derivatives of a function are those of any partition.
fn by_any_partition(lambda: &str, args: &[Value], seeds: &[Value], expected: &[Value]) {
    for mode in ["jvp", "vjp"] {
        let seeds = if mode == "jvp" { args } else { seeds };
        let p = derivative_program(mode, lambda, args, seeds);
        let all = [args, seeds].concat();
        let whole = run(&p, &all);
        assert_eq!(whole[..expected.len()], *expected);
        for partition in partitions() {
            let ctx = Ctx { partition, ..Ctx::default() };
            let results = crate::eval(&p, "main", &all, &ctx).unwrap();
            results.iter().zip(&whole).for_each(|(a, b)| assert_close(a, b, 1e-12));
        }
    }
}

#[test]
fn sequential_streams() {
    // squares 1, 4, 9, 4 from 10
    let args = [fs(&[1., 2., 3., -2.]), float(10.)];
    let seeds = [float(1.), fs(&[1., 10., 100., 1000.])];
    by_any_partition(&seq(4), &args, &seeds, &[float(28.), fs(&[11., 15., 24., 28.])]);
    // 2x (1 + the seeds from here on); a reaches everything
    let adjoints = gradient(&seq(4), &args, &seeds);
    assert_eq!(adjoints, [fs(&[2. * 1112., 4. * 1111., 6. * 1101., -4. * 1001.]), float(1112.)]);
    by_any_partition(&seq(0), &[fs(&[]), float(10.)], &[float(1.), fs(&[])], &[float(10.), fs(&[])]);
}

#[test]
fn parallel_streams() {
    let args = [fs(&[1., 2., 3., -2.])];
    let seeds = [float(1.), fs(&[1., 10., 100., 1000.])];
    by_any_partition(&par(4), &args, &seeds, &[float(18.), fs(&[1., 8., 27., -8.])]);
    // 2x + 3x² seed
    assert_eq!(gradient(&par(4), &args, &seeds), [fs(&[5., 124., 2706., 11996.])]);
    by_any_partition(&par(0), &[fs(&[])], &[float(1.), fs(&[])], &[float(0.), fs(&[])]);
}

#[test]
fn chunks_of_rows_in_a_map() {
    // for each matrix the rows doubled, by a stream over its rows
    let f = "\\(xs_1: [2][3][2]f64) -> ([2][3][2]f64) { let (r_2: [2][3][2]f64) = screma 2 (xs_1) map \\(m_3: [3][2]f64) -> ([3][2]f64) { \
             let (y_4: [3][2]f64) = streamseq 3 (m_3) from () chunk \\(c_5: i64, z_6: [c_5][2]f64) -> ([c_5][2]f64) { \
             let (w_7: [c_5][2]f64) = screma c_5 (z_6) map \\(r_8: [2]f64) -> ([2]f64) { let (s_9: [2]f64) = reverse r_8 in (s_9) } in (w_7) } in (y_4) } in (r_2) }";
    let xs: Vec<f64> = (0..12).map(f64::from).collect();
    let turned: Vec<f64> = xs.chunks(2).flat_map(|r| [r[1], r[0]]).collect();
    by_any_partition(f, &[floats(&[2, 3, 2], &xs)], &[floats(&[2, 3, 2], &xs)], &[floats(&[2, 3, 2], &turned)]);
}

#[test]
fn strict_mode_reports_results_that_depend_on_the_partition() {
    let p = ir(
        "fun \"main\"(xs_1: [5]f64) -> (n_2: i64) { let (k_3: i64) = streamseq 5 (xs_1) from (0i64) chunk \\(c_4: i64, n_5: i64, zs_6: [c_4]f64) -> (i64) { \
                let (m_7: i64) = add.i64(n_5, 1i64) in (m_7) } in (k_3) }",
    );
    let xs = [fs(&[1., 2., 3., 4., 5.])];
    assert_eq!(crate::eval(&p, "main", &xs, &Ctx::default()).unwrap(), [int(1)]);
    assert_eq!(
        crate::eval(&p, "main", &xs, &Ctx { partition: Partition::Chunks(2), ..Ctx::default() }).unwrap(),
        [int(3)]
    );
    let e = crate::eval(&p, "main", &xs, &Ctx::strict()).unwrap_err();
    assert_eq!(e.kind, FailureKind::Strict);
    assert!(
        e.message.starts_with("A stream's result depends on how the arrays are cut into chunks: result 0 is 1i64 or"),
        "{}",
        e.message
    );
}

#[test]
fn what_is_rounding_goes_by_the_size_of_the_inputs() {
    // 10⁻⁹ for each chunk: much beside inputs of that size, rounding beside larger ones
    let p = ir(
        "fun \"main\"(xs_1: [5]f64) -> (n_2: f64) { let (k_3: f64) = streamseq 5 (xs_1) from (0.0f64) chunk \\(c_4: i64, n_5: f64, zs_6: [c_4]f64) -> (f64) { \
                let (m_7: f64) = add.f64(n_5, 1.0e-9f64) in (m_7) } in (k_3) }",
    );
    let strict = |x: f64| crate::eval(&p, "main", &[fs(&[x; 5])], &Ctx::strict());
    assert_eq!(strict(1.).unwrap(), [float(1e-9)]);
    assert_eq!(strict(1e-9).unwrap_err().kind, FailureKind::Strict);
}

#[test]
fn the_size_of_the_inputs_is_that_of_the_largest_float() {
    // 10⁻⁹ for each chunk again, of floats and of integers, which are not counted
    let p = ir(
        "fun \"main\"(xs_1: [5]f64, is_2: [5]i64) -> (n_3: f64) { let (k_4: f64) = streamseq 5 (xs_1, is_2) from (0.0f64) chunk \\(c_5: i64, n_6: f64, zs_7: [c_5]f64, js_8: [c_5]i64) -> (f64) { \
                let (m_9: f64) = add.f64(n_6, 1.0e-9f64) in (m_9) } in (k_4) }",
    );
    let strict = |xs: &[f64]| crate::eval(&p, "main", &[fs(xs), ints(&[5], &[1; 5])], &Ctx::strict());
    assert_eq!(strict(&[1e-9; 5]).unwrap_err().kind, FailureKind::Strict);
    for i in 0..5 {
        let mut xs = [1e-9; 5];
        xs[i] = 1.;
        assert_eq!(strict(&xs).unwrap(), [float(1e-9)], "{i}");
    }
    // of a value and its tangent, too
    let f = "\\(xs_1: [5]f64) -> (f64) { let (k_3: f64) = streamseq 5 (xs_1) from (0.0f64) chunk \\(c_4: i64, n_5: f64, zs_6: [c_4]f64) -> (f64) { \
             let (m_7: f64) = add.f64(n_5, 1.0e-9f64) in (m_7) } in (k_3) }";
    for (x, t) in [(1., 0.), (0., 1.)] {
        let args = [fs(&[x; 5]), fs(&[t; 5])];
        let p = derivative_program("jvp", f, &args[..1], &args[1..]);
        assert_eq!(crate::eval(&p, "main", &args, &Ctx::strict()).unwrap(), [float(1e-9), float(0.)]);
    }
}

#[test]
fn chunks_are_counted_as_widths() {
    let p = ir(
        "fun \"main\"(xs_51: [5]f64, a_52: f64) -> (t_53: f64) { let (s_54: f64) = streamseq 5 (xs_51) from (a_52) chunk \\(c_55: i64, b_56: f64, zs_57: [c_55]f64) -> (f64) { in (b_56) } in (s_54) }",
    );
    let ctx = Ctx { partition: Partition::Chunks(2), ..Ctx::default() };
    crate::eval(&p, "main", &[fs(&[1.; 5]), float(3.)], &ctx).unwrap();
    // the array once, two chunks of 2 and one of 1
    assert_eq!(ctx.counters().widths, [(1, 1), (2, 2), (5, 1)].into());
}
