//! What is refused and where, sizes and bytes, tuning, and what kernels cost: by hand.

use super::tuning::{Tuning, covering};
use super::val::{bytes_of, integer, product, scalar_from_bytes};
use crate::device::{Cap, Caps, DeviceKind};
use crate::kernels::{Cost, Known};
use crate::plan::lower::lower;
use futi_core::ir::check::check;
use futi_core::ir::{BinOp, Prim, Program, Prov, Scalar, ScalarType, Var};

/// The constructs that are refused in a program with these statements, and the lines where they stand.
fn refused(statements: &str) -> Vec<String> {
    let text = format!(
        "futi-ir 1\nentry \"main\"(n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, x_3: f64, i_4: i64, *xss_6: [n_0][n_0]f64, is_7: [n_0]i64) -> (r_90: f64)
           sig 1 (\"xs\": [\"n\"]f64, \"ys\": [\"n\"]f64, \"x\": f64, \"i\": i64, \"xss\": [\"n\"][\"n\"]f64, \"is\": [\"n\"]i64) -> f64 {{\n{statements}\nin (x_3) }}"
    );
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = check(program).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    lower(&program, &Caps::complete()).map_or_else(|e| e.into_iter().map(|u| u.construct).collect(), |_| vec![])
}

#[test]
fn what_no_kernel_can_do_is_refused() {
    let cases = [
        ("let (y_10: f64) = opaque x_3", "opaque"),
        ("let (y_10: [2]f64) = slice xss_6[i_4, 0i64 : 2 : 1i64]", "a slice"),
        ("let (c_10: cert) = check slice (0i64, 2i64, 1i64) [n_0]", "a slice"),
        ("let (y_10: [2][n_0]f64) = flatindex xs_1 at i_4 [2 : i_4, n_0 : 1i64]", "a view by strides"),
        (
            "let (p_11: [2]f64) = replicate [2] x_3 let (y_10: [n_0]f64) = updslice ys_2[0i64 : 2 : 1i64] = p_11",
            "a slice",
        ),
        (
            "let (p_11: [2]f64) = replicate [2] x_3 let (y_10: [n_0]f64) = flatupd ys_2 at 0i64 [2 : 1i64] = p_11",
            "a view by strides",
        ),
        ("let (y_10: [n_0][n_0]f64) = manifest (1, 0) xss_6", "manifest"),
        ("let (y_10: [n_0]f64) = rotate i_4 xs_1", "rotate"),
        ("let (y_10: f64) = match (i_4) case (0i64) { in (x_3) } else { in (2.0f64) }", "match"),
        (
            "let (h_10: [n_0]f64) = hist n_0 (is_7, xs_1) map \\(i_12: i64, x_13: f64) -> (i64, f64) { in (i_12, x_13) } \
             dest [n_0] (ys_2) comm \\(a_14: f64, b_15: f64) -> (f64) { in (a_14) } neutral (0.0f64)",
            "a histogram",
        ),
        (
            "let (h_10: [n_0]f64) = scatter n_0 (is_7, xs_1) map \\(i_12: i64, x_13: f64) -> (i64, f64) { in (i_12, x_13) } dest [n_0] ys_2",
            "a scatter",
        ),
        (
            "let (a_10: f64, b_11: [n_0]f64) = streamseq n_0 (xs_1) from (x_3) chunk \\(c_12: i64, a_13: f64, q_14: [c_12]f64) -> (f64, [c_12]f64) { in (a_13, q_14) }",
            "streamseq",
        ),
        (
            "let (a_10: f64, b_11: [n_0]f64) = streampar n_0 (xs_1) reduce comm \\(p_12: f64, q_13: f64) -> (f64) { in (p_12) } neutral (0.0f64) \
             chunk \\(c_14: i64, q_15: [c_14]f64) -> (f64, [c_14]f64) { in (x_3, q_15) }",
            "streampar",
        ),
        (
            "let (y_10: i64) = custom \\(x_11: f64) -> (f64, i64) { in (x_11, i_4) } saved 1 vjp \\(s_12: f64, b_13: i64) -> (f64) { in (s_12) } \
             jvp \\(x_14: f64, d_15: f64) -> (i64) { in (i_4) } at (x_3)",
            "a custom derivative",
        ),
        (
            "let (s_10: [n_0][2]f64) = segop grid (i_14: i64 < n_0, j_15: i64 < 2) \
             scan \\(a_16: f64, b_17: f64) -> (f64) { in (a_16) } neutral (0.0f64) -> (f64) { in (x_3) }",
            "a segmented scan",
        ),
    ];
    for (statement, construct) in cases {
        assert_eq!(refused(statement), [construct], "{statement}");
        // Inside of a lambda, too.
        let (before, rest) = statement.split_at(statement.rfind("let (").unwrap());
        if before.is_empty() && !rest.contains("ys_2") {
            let inner =
                format!("let (z_80: [n_0]f64) = segop grid (k_81: i64 < n_0) -> (f64) {{ {statement} in (x_3) }}");
            assert_eq!(refused(&inner), [construct], "{inner}");
        }
    }
    assert_eq!(refused("let (y_10: f64) = add.f64(x_3, 1.0f64)"), [""; 0]);
    // One after the other, all are named.
    assert_eq!(refused("let (y_10: f64) = opaque x_3\nlet (z_11: [n_0]f64) = rotate i_4 xs_1"), ["opaque", "rotate"]);
    // What passes do away with before.
    let derivative = "let (y_10: f64, d_11: f64) = jvp \\(u_12: f64) -> (f64) { in (u_12) } at (x_3) with (x_3)";
    assert_eq!(refused(derivative), ["a derivative"]);
    // The body of a loop is lowered again when a parameter turns out to be on the device: what is wrong with it is said once.
    let again = "let (s_11: i64) = loop (t_12: i64 = 0i64) for j_13: i64 < i_4 do {
        let (a_14: [n_0]i64) = segop grid (k_15: i64 < n_0) -> (i64) {
          let (u_16: i64) = loop (v_17: i64 = 0i64) for l_18: i64 < k_15 do { let (z_19: [l_18]i64) = scratch [l_18]i64 in (v_17) }
          in (u_16)
        }
        let (w_20: i64) = index is_7[t_12]
        in (w_20)
      }";
    assert_eq!(refused(again), ["an array whose size changes inside of a point"]);
}

#[test]
fn what_is_refused_has_its_own_place() {
    let text = "futi-ir 1
        entry \"main\"(n_0: i64, xs_1: [n_0]f64) -> (r_90: [n_0]f64) sig 1 (\"xs\": [\"n\"]f64) -> [\"n\"]f64 {
          let (zs_8: [n_0]f64) = segop grid (k_2: i64 < n_0) -> (f64) {
            let (a_3: f64) = index xs_1[k_2] @1
            let (y_4: [n_0]f64) = rotate 1i64 xs_1 @2
            let (b_5: f64) = index y_4[k_2] @1
            let (c_6: f64) = add.f64(a_3, b_5) @1
            in (c_6)
          } @1
          in (zs_8)
        }
        files \"a.fut\"
        prov 1 = span 0 3 9
        prov 2 = span 0 4 6";
    let program = check(text.parse().unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{}", e[0]));
    let refusals = lower(&program, &Caps::complete()).map(|_| ()).unwrap_err();
    let places: Vec<(&str, Prov)> = refusals.iter().map(|u| (&u.construct[..], u.prov)).collect();
    assert_eq!(places, [("rotate", Prov(2))]);
}

#[test]
fn sizes_are_counted_or_refused() {
    assert_eq!(product(&[]), Ok(1));
    assert_eq!(product(&[2, 3, 4]), Ok(24));
    assert_eq!(product(&[i64::MAX, i64::MAX, 0]), Ok(0));
    assert!(product(&[i64::MAX, 2]).is_err());
    assert_eq!(bytes_of(ScalarType::F64, &[3, 2]), Ok(48));
    assert_eq!(bytes_of(ScalarType::Bool, &[3]), Ok(3));
    assert!(bytes_of(ScalarType::F64, &[1 << 60]).is_err());
    assert_eq!(integer(Scalar::I32(-7)), -7);
    assert_eq!(integer(Scalar::Bool(true)), 1);
    assert_eq!(scalar_from_bytes(ScalarType::I32, &[1, 2, 0, 0, 9, 9, 9, 9]), Scalar::I32(513));
    assert_eq!(scalar_from_bytes(ScalarType::I64, &[0, 0, 0, 0, 1, 0, 0, 0]), Scalar::I64(1 << 32));
    assert_eq!(scalar_from_bytes(ScalarType::I64, &[5, 1]), Scalar::I64(261));
}

#[test]
fn tuning_is_named_and_bounded() {
    let gpu = Tuning::of(&Caps { max_groups: [5000; 3], memory: 1 << 40, ..Caps::complete() });
    assert_eq!((gpu.max_groups, gpu.scratch_bytes), (5000, 1 << 30));
    let gpu = Tuning::of(&Caps { max_groups: [65535; 3], memory: 800, ..Caps::complete() });
    assert_eq!((gpu.max_groups, gpu.scratch_bytes), (16384, 100));
    assert_eq!(
        (gpu.reduce_groups, gpu.reduce_each_segments, gpu.reduce_each_length, gpu.profile),
        (1024, 32768, 16, 0)
    );
    let cpu = Tuning::of(&Caps { kind: DeviceKind::Cpu, ..Caps::complete() });
    assert_eq!((cpu.max_groups, cpu.reduce_groups, cpu.reduce_each_segments), (65535, 16, 512));
    let mut tuned = cpu.clone();
    let names = cpu.list();
    for (k, (name, _)) in names.iter().enumerate() {
        tuned.set(&[(name.clone(), 70 + k as i64), ("somebody_else's".into(), 1)]);
    }
    let expected: Vec<(String, i64)> = names.iter().zip(70..).map(|((name, _), value)| (name.clone(), value)).collect();
    assert_eq!(tuned.list(), expected);
    tuned.set(&[("max_groups".into(), 0), ("reduce_groups".into(), -3)]);
    assert_eq!((tuned.max_groups, tuned.reduce_groups), (1, 1));
}

#[test]
fn workgroups_cover_what_is_to_do_within_limits() {
    // One invocation for each of 1, 64, 65, 128 and 129 items, 64 of them in a workgroup.
    assert_eq!([1, 64, 65, 128, 129].map(|items| covering(items, 64)), [1, 1, 2, 2, 3]);
    let mut tuning = Tuning::of(&Caps::complete());
    tuning.set(&[("max_groups".into(), 100), ("scratch_bytes".into(), 1 << 20)]);
    assert_eq!([1, 100, 101].map(|wanted| tuning.groups(wanted, 64, &[])), [1, 100, 100]);
    // 2^20 bytes are enough for 64 invocations of 16384 bytes, or 4 times 64 of 4096, or a single one; one workgroup runs in any case.
    assert_eq!(tuning.groups(100, 64, &[8192, 8192]), 1);
    assert_eq!(tuning.groups(100, 64, &[1024, 3072]), 4);
    assert_eq!(tuning.groups(3, 64, &[1024, 3072]), 3);
    assert_eq!(tuning.groups(100, 1, &[1 << 20]), 1);
    assert_eq!(tuning.groups(100, 64, &[i64::MAX, 1]), 1);
    // A device of 64 bytes has one for each of 64 workgroups of one invocation: fewer than are wanted.
    tuning.set(&[("scratch_bytes".into(), 64)]);
    assert_eq!([tuning.groups(100, 1, &[1]), tuning.groups(100, 1, &[])], [64, 100]);
}

#[test]
fn one_point_is_one_invocation() {
    let group_size = |caps: &Caps, space: &str| {
        let text = format!(
            "futi-ir 1
            entry \"main\"(n_0: i64, x_1: f64) -> (r_90: f64) sig 0 (\"n\": i64, \"x\": f64) -> f64 {{
              let (ys_2: {space} -> (f64) {{ in (x_1) }}
              in (x_1)
            }}"
        );
        let program = check(text.parse().unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{}", e[0]));
        let plan = lower(&program, caps).unwrap_or_else(|e| panic!("{}", e[0].construct));
        plan.kernels.last().map(|(_, kernel)| kernel.group_size)
    };
    let one = "[1][1]f64) = segop grid (i_3: i64 < 1, j_4: i64 < 1)";
    assert_eq!(group_size(&Caps::complete(), one), Some(1));
    // llvmpipe executes whole subgroups, and counts the rounds of those that nobody asked for.
    let llvmpipe = Caps { loop_limit: Some(65535), subgroup_size: 8, ..Caps::complete() };
    assert_eq!(group_size(&llvmpipe, one), Some(8));
    let several = group_size(&Caps::complete(), "[n_0][1]f64) = segop grid (i_3: i64 < n_0, j_4: i64 < 1)");
    assert!(several.is_some_and(|size| size > 1), "{several:?}");
}

#[test]
fn costs_are_sums_products_and_maxima() {
    let n = Known::Var(Var(7));
    let eval = |cost: &Cost| cost.eval(&mut |var| if var == Var(7) { Ok(Scalar::I64(5)) } else { Err(()) });
    let sum = |own, parts: &[Cost]| Cost::Sum(own, parts.to_vec());
    let times = |known: Option<Known>, cost| Cost::Times(known, Box::new(cost));
    assert_eq!(eval(&sum(2, &[sum(3, &[]), sum(4, &[])])), Ok(9));
    assert_eq!(eval(&times(Some(n.clone()), sum(3, &[]))), Ok(15));
    // As often as nobody knows: once. Fewer than never: never.
    assert_eq!(eval(&times(None, sum(3, &[]))), Ok(3));
    assert_eq!(eval(&times(Some(Known::Lit(Scalar::I64(-2))), sum(3, &[]))), Ok(0));
    let max = |a, b| Cost::Max(Box::new(sum(a, &[])), Box::new(sum(b, &[])));
    assert_eq!((eval(&max(2, 3)), eval(&max(3, 2))), (Ok(3), Ok(3)));
    assert_eq!(eval(&times(Some(n.clone()), sum(u64::MAX, &[sum(1, &[])]))), Ok(u64::MAX));
    let less = Known::Op(Prim::Bin(BinOp::Sub, ScalarType::I64), vec![n, Known::Lit(Scalar::I64(2))]);
    assert_eq!(eval(&times(Some(less), sum(3, &[]))), Ok(9));
    assert_eq!(eval(&times(Some(Known::Var(Var(8))), sum(3, &[]))), Err(()));
}

#[test]
fn accumulation_of_64_bits_needs_atomics_of_64_bits() {
    let mut caps = Caps::complete();
    caps.has.retain(|cap| ![Cap::AtomicI64, Cap::AtomicF64, Cap::AtomicF32].contains(cap));
    let refused = |text: &str| {
        let program = check(text.parse::<Program>().unwrap()).unwrap();
        lower(&program, &caps).map_or_else(|e| e.into_iter().map(|u| u.construct).collect::<Vec<_>>(), |_| vec![])
    };
    assert_eq!(refused(include_str!("../../tests/gpu/kernels/accumulate_f64_add.ir")), ["accumulation of f64"]);
    assert_eq!(refused(include_str!("../../tests/gpu/kernels/accumulate_f64_max.ir")), ["accumulation of f64"]);
    assert_eq!(refused(include_str!("../../tests/gpu/kernels/accumulate_i64_xor.ir")), ["accumulation of i64"]);
    assert_eq!(refused(include_str!("../../tests/gpu/kernels/accumulate_f32_add.ir")), [""; 0]);
    assert_eq!(refused(include_str!("../../tests/gpu/kernels/accumulate_i32_min.ir")), [""; 0]);
}
