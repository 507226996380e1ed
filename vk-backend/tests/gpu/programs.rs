//! Whole IR programs, flattened and run. What they should give is worked out by hand, in comments where it is not plain.

use crate::Test;
use futi_core::analysis::Analyses;
use futi_core::backend::{Backend, CallCtx, Executable, Handle, Options};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::Program;
use futi_core::ir::check::{Checked, check};
use futi_core::passes::flatten::flatten;
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use futi_vk::Vulkan;
use futi_vk::device::{Cap, Options as DeviceOptions, Validation};
use futi_vk::hazards;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub const TESTS: &[Test] = &[
    ("programs::maps", maps),
    ("programs::stopped", stopped),
    ("programs::timed", timed),
    ("programs::long_recordings", long_recordings),
    ("programs::memory_is_poisoned", poisoned),
    ("programs::sequential_code", sequential_code),
    ("programs::arrays_of_each_invocation", own_arrays),
    ("programs::accumulators_change_places", change_places),
    ("programs::branches_on_arrays", branches_on_arrays),
    ("programs::loops_of_arrays", loops_of_arrays),
    ("programs::reductions", reductions),
    ("programs::reductions_in_order", ordered_reductions),
    ("programs::reductions_of_arrays", array_reductions),
    ("programs::scans_in_a_point", inner_scans),
    ("programs::accumulators", accumulators),
    ("programs::accumulators_without_native_atomics", accumulators_by_swap),
    ("programs::accumulators_under_locks", accumulators_under_locks),
    ("programs::accumulators_of_a_point", own_accumulators),
    ("programs::host_loops", host_loops),
    ("programs::scalars_stay_on_the_device", cells),
    ("programs::memory_of_a_host_loop", lifetimes),
    ("programs::host_arrays", host_arrays),
    ("programs::booleans", booleans),
    ("programs::nothing_at_all", empty),
    ("programs::failures", failures),
    ("programs::the_caller_keeps_its_arrays", unique_arguments),
    ("programs::few_invocations", few_invocations),
    ("programs::limits_of_the_driver", limits),
    ("programs::arrays_of_different_sizes", different_sizes),
    ("programs::arrays_of_a_size_a_round", sizes_of_rounds),
    ("programs::validation_is_silent_and_barriers_needed", validated),
    ("programs::validation_is_silent_without_f64", validated_without_f64),
];

/// Addition on f64, as an operator's lambda with fresh numbers.
fn plus(ty: &str, ne: &str, first: u32) -> String {
    let (x, y, t) = (first, first + 1, first + 2);
    format!(
        "\\(x_{x}: {ty}, y_{y}: {ty}) -> ({ty}) {{ let (t_{t}: {ty}) = add.{ty}(x_{x}, y_{y}) in (t_{t}) }} neutral ({ne})"
    )
}

fn checked(text: &str) -> Checked<Program> {
    let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = check(program).unwrap_or_else(|errors| panic!("{}", errors[0])).into_inner();
    check(flatten(program, &mut Analyses::default())).unwrap_or_else(|errors| panic!("flattening: {}", errors[0]))
}

/// A program ready to run.
pub struct Running {
    pub vulkan: Vulkan,
    pub program: Box<dyn Executable>,
}

impl Running {
    fn new(text: &str, change: impl FnOnce(&mut DeviceOptions)) -> Running {
        let mut options = DeviceOptions::from_env().unwrap();
        change(&mut options);
        Running::tuned(text, options, &[])
    }

    pub fn tuned(text: &str, options: DeviceOptions, tuning: &[(&str, i64)]) -> Running {
        let vulkan = Vulkan::open_with(&options).unwrap();
        let tuning = tuning.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let program = match vulkan.compile(&checked(text), &Options { tuning }) {
            Ok(program) => program,
            Err(unsupported) => panic!("{unsupported:?}"),
        };
        Running { vulkan, program }
    }

    pub fn call(&self, args: &str) -> Result<Vec<Value>, RuntimeError> {
        let handles: Vec<Handle> = parse_values(args).unwrap().iter().map(|v| self.vulkan.put(v).unwrap()).collect();
        let results = self.program.call("main", handles, &CallCtx::default())?;
        results.iter().map(|handle| self.vulkan.get(handle)).collect()
    }

    /// Calls, and compares bit by bit.
    pub fn gives(&self, args: &str, expected: &str) {
        let found = self.call(args).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found, parse_values(expected).unwrap(), "of {args}");
    }
}

fn running(text: &str) -> Running {
    Running::new(text, |_| ())
}

fn maps() {
    // ys[i, j] = xs[j] * a + i, and its transpose.
    let program = running(
        "entry \"main\"(n_0: i64, xs_1: [n_0]f64, a_2: f64, m_3: i64) -> (r_4: [m_3][n_0]f64, s_5: [n_0][m_3]f64)
           sig 1 (\"xs\": [\"n\"]f64, \"a\": f64, \"m\": i64) -> ([\"m\"][\"n\"]f64, [\"n\"][\"m\"]f64) {
           let (is_10: [m_3]i64) = iota i64 (m_3, 0i64, 1i64)
           let (ys_11: [m_3][n_0]f64) = screma m_3 (is_10) map \\(i_12: i64) -> ([n_0]f64) {
             let (row_13: [n_0]f64) = screma n_0 (xs_1) map \\(x_14: f64) -> (f64) {
               let (t_15: f64) = mul.f64(x_14, a_2)
               let (u_16: f64) = conv.i64.f64(i_12)
               let (v_17: f64) = add.f64(t_15, u_16)
               in (v_17)
             }
             in (row_13)
           }
           let (zs_18: [n_0][m_3]f64) = rearrange (1, 0) ys_11
           in (ys_11, zs_18)
         }",
    );
    program.gives(
        "3i64 [1.0, 2.0, 4.0] 0.5 2i64",
        "[[0.5, 1.0, 2.0], [1.5, 2.0, 3.0]] [[0.5, 1.5], [1.0, 2.0], [2.0, 3.0]]",
    );
}

fn change_places() {
    // An operator that gives the accumulators in the other order, and nothing else: of (0, 7), three times, (7, 0).
    let text = include_str!("kernels/arrays_change_places.ir");
    let program = running(text.strip_prefix("futi-ir 1").unwrap());
    program.gives("1i64 [[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]]", "[[[7.0, 7.0]]] [[[0.0, 0.0]]]");
}

fn sequential_code() {
    // The number of steps of Collatz's iteration, which is 0, 1, 7, 2, 5 for 1 to 5 and 111 for 27; sign by branches.
    let program = running(
        "entry \"main\"(n_0: i64, xs_1: [n_0]i64) -> (r_2: [n_0]i32, s_3: [n_0]f32)
           sig 1 (\"xs\": [\"n\"]i64) -> ([\"n\"]i32, [\"n\"]f32) {
           let (r_4: [n_0]i32, s_5: [n_0]f32) = screma n_0 (xs_1) map \\(x_6: i64) -> (i32, f32) {
             let (go_7: bool) = lt.i64(1i64, x_6)
             let (c_8: bool, y_9: i64, k_10: i32) = loop (c_11: bool = go_7, y_12: i64 = x_6, k_13: i32 = 0i32) while c_11 do {
               let (r_14: i64) = mod.i64(y_12, 2i64)
               let (e_15: bool) = eq.i64(r_14, 0i64)
               let (z_16: i64) = if e_15 then {
                 let (h_17: i64) = div.i64(y_12, 2i64)
                 in (h_17)
               } else {
                 let (t_18: i64) = mul.i64(y_12, 3i64)
                 let (u_19: i64) = add.i64(t_18, 1i64)
                 in (u_19)
               }
               let (d_20: bool) = lt.i64(1i64, z_16)
               let (k_21: i32) = add.i32(k_13, 1i32)
               in (d_20, z_16, k_21)
             }
             let (a_22: f32, b_23: f32) = loop (a_24: f32 = 1.0f32, b_25: f32 = 2.0f32) for i_26: i64 < x_6 do {
               in (b_25, a_24)
             }
             in (k_10, a_22)
           }
           in (r_4, s_5)
         }",
    );
    program.gives(
        "6i64 [1i64, 2i64, 3i64, 4i64, 5i64, 27i64]",
        "[0i32, 1i32, 7i32, 2i32, 5i32, 111i32] [2f32, 1f32, 2f32, 1f32, 2f32, 2f32]",
    );
}

fn own_arrays() {
    // At each x: the array [x, x+1, x+2] with its middle replaced by the sum, backwards, twice in a row.
    let program = running(&format!(
        "entry \"main\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: [n_0][6]f64)
           sig 1 (\"xs\": [\"n\"]f64) -> ([\"n\"][\"6\"]f64) {{
           let (r_3: [n_0][6]f64) = segop grid (k_30: i64 < n_0) -> ([6]f64) {{
             let (x_4: f64) = index xs_1[k_30]
             let (is_5: [3]i64) = iota i64 (3i64, 0i64, 1i64)
             let (ys_6: [3]f64) = screma 3 (is_5) map \\(i_7: i64) -> (f64) {{
               let (t_8: f64) = conv.i64.f64(i_7)
               let (u_9: f64) = add.f64(t_8, x_4)
               in (u_9)
             }}
             let (s_10: f64) = screma 3 (ys_6) map \\(y_11: f64) -> (f64) {{ in (y_11) }} reduce comm {}
             let (zs_15: [3]f64) = update ys_6[1i64] = s_10
             let (ws_16: [3]f64) = reverse zs_15
             let (vs_17: [6]f64) = concat 6 (ws_16, ws_16)
             in (vs_17)
           }}
           in (r_3)
         }}",
        plus("f64", "0.0f64", 12)
    ));
    program.gives("2i64 [1.0, 10.0]", "[[3.0, 6.0, 1.0, 3.0, 6.0, 1.0], [12.0, 33.0, 10.0, 12.0, 33.0, 10.0]]");
}

fn branches_on_arrays() {
    // At each i: the row xs[i] if i is even, else a row of 7s; with the first element then set to i.
    let program = running(
        "entry \"main\"(n_0: i64, xs_1: [n_0][2]i64) -> (r_2: [n_0][2]i64)
           sig 1 (\"xs\": [\"n\"][\"2\"]i64) -> ([\"n\"][\"2\"]i64) {
           let (is_3: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
           let (r_4: [n_0][2]i64) = screma n_0 (is_3, xs_1) map \\(i_5: i64, row_6: [2]i64) -> ([2]i64) {
             let (m_7: i64) = mod.i64(i_5, 2i64)
             let (e_8: bool) = eq.i64(m_7, 0i64)
             let (ys_9: [2]i64) = if e_8 then { in (row_6) } else {
               let (sevens_10: [2]i64) = replicate [2] 7i64
               in (sevens_10)
             }
             let (zs_11: [2]i64) = copy ys_9
             let (ws_12: [2]i64) = update zs_11[0i64] = i_5
             in (ws_12)
           }
           in (r_4)
         }",
    );
    program.gives("3i64 [[5i64, 6i64], [5i64, 6i64], [8i64, 9i64]]", "[[0i64, 6i64], [1i64, 7i64], [2i64, 9i64]]");
}

fn loops_of_arrays() {
    // At each x, x rounds of (xs, ys) = (ys, map (+1) xs) from ([0, 0], [10, 20]):
    // 1: ([10, 20], [1, 1])   2: ([1, 1], [11, 21])   3: ([11, 21], [2, 2]).
    let program = running(
        "entry \"main\"(n_0: i64, ks_1: [n_0]i64) -> (r_2: [n_0][2]i64, s_3: [n_0][2]i64)
           sig 1 (\"ks\": [\"n\"]i64) -> ([\"n\"][\"2\"]i64, [\"n\"][\"2\"]i64) {
           let (r_4: [n_0][2]i64, s_5: [n_0][2]i64) = screma n_0 (ks_1) map \\(k_6: i64) -> ([2]i64, [2]i64) {
             let (a_7: [2]i64) = replicate [2] 0i64
             let (b_8: [2]i64) = array [10i64, 20i64] of i64
             let (c_9: [2]i64, d_10: [2]i64) = loop (c_11: [2]i64 = a_7, d_12: [2]i64 = b_8) for i_13: i64 < k_6 do {
               let (e_14: [2]i64) = screma 2 (c_11) map \\(x_15: i64) -> (i64) {
                 let (t_16: i64) = add.i64(x_15, 1i64)
                 in (t_16)
               }
               in (d_12, e_14)
             }
             in (c_9, d_10)
           }
           in (r_4, s_5)
         }",
    );
    program.gives(
        "4i64 [0i64, 1i64, 2i64, 3i64]",
        "[[0i64, 0i64], [10i64, 20i64], [1i64, 1i64], [11i64, 21i64]] [[10i64, 20i64], [1i64, 1i64], [11i64, 21i64], [2i64, 2i64]]",
    );
}

/// The sum, and the position of the greatest with its value, of i*i modulo 1000, for each of m rows of n: row r starts at r.
fn sums_and_positions() -> String {
    format!(
        "entry \"main\"(m_0: i64, n_1: i64) -> (s_2: [m_0]i64, g_3: [m_0]i64, p_4: [m_0]i64)
           sig 0 (\"m\": i64, \"n\": i64) -> ([\"m\"]i64, [\"m\"]i64, [\"m\"]i64) {{
           let (rs_5: [m_0]i64) = iota i64 (m_0, 0i64, 1i64)
           let (s_6: [m_0]i64, g_7: [m_0]i64, p_8: [m_0]i64) = screma m_0 (rs_5) map \\(r_9: i64) -> (i64, i64, i64) {{
             let (is_10: [n_1]i64) = iota i64 (n_1, 0i64, 1i64)
             let (s_11: i64, g_12: i64, p_13: i64) = screma n_1 (is_10) map \\(i_14: i64) -> (i64, i64, i64) {{
               let (k_15: i64) = add.i64(i_14, r_9)
               let (q_16: i64) = mul.i64(k_15, k_15)
               let (v_17: i64) = mod.i64(q_16, 1000i64)
               in (v_17, v_17, i_14)
             }} reduce comm {} reduce comm \\(a_30: i64, i_31: i64, b_32: i64, j_33: i64) -> (i64, i64) {{
               let (gt_34: bool) = lt.i64(b_32, a_30)
               let (eq_35: bool) = eq.i64(a_30, b_32)
               let (le_36: bool) = lt.i64(i_31, j_33)
               let (w_37: bool) = and.bool(eq_35, le_36)
               let (o_38: bool) = or.bool(gt_34, w_37)
               let (c_39: i64) = select.i64(o_38, a_30, b_32)
               let (k_40: i64) = select.i64(o_38, i_31, j_33)
               in (c_39, k_40)
             }} neutral (-1i64, 9223372036854775807i64)
             in (s_11, g_12, p_13)
           }}
           in (s_6, g_7, p_8)
         }}",
        plus("i64", "0i64", 20)
    )
}

fn reductions() {
    let program = running(&sums_and_positions());
    // Few long segments, in chunks; many short ones; none; empty ones.
    for (m, n) in [(1, 60_000), (3, 5_000), (2, 100), (2_000, 40), (5, 3), (40_000, 2), (0, 7), (4, 0)] {
        let row = |r: i64| (0..n).map(move |i| (i + r) * (i + r) % 1000);
        let sums: Vec<i64> = (0..m).map(|r| row(r).sum()).collect();
        let greatest: Vec<i64> = (0..m).map(|r| row(r).max().unwrap_or(-1)).collect();
        let positions: Vec<i64> =
            (0..m).map(|r| row(r).position(|v| Some(v) == row(r).max()).map_or(i64::MAX, |p| p as i64)).collect();
        let found = program.call(&format!("{m}i64 {n}i64")).unwrap_or_else(|error| panic!("{error}"));
        let found: Vec<Vec<i64>> = found.iter().map(|v| v.elements().map(|x| x.as_i64().unwrap()).collect()).collect();
        assert_eq!(found, [sums, greatest, positions], "{m} segments of {n}");
    }
}

fn ordered_reductions() {
    // Composition of x -> a x + b modulo 2^32: associative, not commutative. As i32, wrapping.
    let text = "entry \"main\"(n_0: i64) -> (a_1: i32, b_2: i32) sig 0 (\"n\": i64) -> (i32, i32) {
           let (is_3: [n_0]i32) = iota i32 (n_0, 0i32, 1i32)
           let (a_4: i32, b_5: i32) = screma n_0 (is_3) map \\(i_6: i32) -> (i32, i32) {
             let (d_7: i32) = add.i32(i_6, i_6)
             let (o_8: i32) = add.i32(d_7, 1i32)
             in (o_8, i_6)
           } reduce \\(a_10: i32, b_11: i32, c_12: i32, d_13: i32) -> (i32, i32) {
             let (e_14: i32) = mul.i32(a_10, c_12)
             let (f_15: i32) = mul.i32(c_12, b_11)
             let (g_16: i32) = add.i32(f_15, d_13)
             in (e_14, g_16)
           } neutral (1i32, 0i32)
           in (a_4, b_5)
         }";
    let program = running(text);
    for n in [0, 1, 17, 1_000, 100_000] {
        let composed = (0..n).fold((1i32, 0i32), |(a, b), i: i32| {
            let c = i.wrapping_mul(2).wrapping_add(1);
            (a.wrapping_mul(c), c.wrapping_mul(b).wrapping_add(i))
        });
        program.gives(&format!("{n}i64"), &format!("{}i32 {}i32", composed.0, composed.1));
    }
}

fn array_reductions() {
    // Sums of rows: the operator adds arrays.
    let program = running(
        "entry \"main\"(n_0: i64, xs_1: [n_0][2]f64) -> (r_2: [2]f64) sig 1 (\"xs\": [\"n\"][\"2\"]f64) -> ([\"2\"]f64) {
           let (ne_3: [2]f64) = replicate [2] 0.0f64
           let (r_4: [2]f64) = screma n_0 (xs_1) map \\(x_5: [2]f64) -> ([2]f64) { in (x_5) }
             reduce comm \\(a_6: [2]f64, b_7: [2]f64) -> ([2]f64) {
               let (c_8: [2]f64) = screma 2 (a_6, b_7) map \\(p_9: f64, q_10: f64) -> (f64) {
                 let (t_11: f64) = add.f64(p_9, q_10)
                 in (t_11)
               }
               in (c_8)
             } neutral (ne_3)
           in (r_4)
         }",
    );
    program.gives("3i64 [[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]]", "[7.0, 70.0]");
}

fn inner_scans() {
    let program = running(&format!(
        "entry \"main\"(n_0: i64, xs_1: [n_0][4]i64) -> (r_2: [n_0][4]i64)
           sig 1 (\"xs\": [\"n\"][\"4\"]i64) -> ([\"n\"][\"4\"]i64) {{
           let (r_3: [n_0][4]i64) = screma n_0 (xs_1) map \\(row_4: [4]i64) -> ([4]i64) {{
             let (s_5: [4]i64) = screma 4 (row_4) map \\(x_6: i64) -> (i64) {{ in (x_6) }} scan {}
             in (s_5)
           }}
           in (r_3)
         }}",
        plus("i64", "0i64", 10)
    ));
    program.gives(
        "2i64 [[1i64, 2i64, 3i64, 4i64], [5i64, 0i64, 0i64, 1i64]]",
        "[[1i64, 3i64, 6i64, 10i64], [5i64, 5i64, 5i64, 6i64]]",
    );
}

/// Histograms with an operator of that type: `h` updated at `is[k]` with `vs[k]`.
fn histogram(ty: &str, operator: &str) -> String {
    format!(
        "entry \"main\"(n_0: i64, m_1: i64, h_2: [n_0]{ty}, is_3: [m_1]i64, vs_4: [m_1]{ty}) -> (r_5: [n_0]{ty})
           sig 2 (\"h\": [\"n\"]{ty}, \"is\": [\"m\"]i64, \"vs\": [\"m\"]{ty}) -> ([\"n\"]{ty}) {{
           let (d_6: [n_0]{ty}) = copy h_2
           let (r_7: [n_0]{ty}) = withacc input [n_0] (d_6) comm {operator}
             do \\(c_8: cert, acc_9: acc(c_8, [n_0] ({ty}))) -> (acc(c_8, [n_0] ({ty}))) {{
               let (acc_10: acc(c_8, [n_0] ({ty}))) = screma m_1 (is_3, vs_4, acc_9)
                 map \\(i_11: i64, v_12: {ty}, acc_13: acc(c_8, [n_0] ({ty}))) -> (acc(c_8, [n_0] ({ty}))) {{
                   let (acc_14: acc(c_8, [n_0] ({ty}))) = updacc acc_13[i_11] (v_12)
                   in (acc_14)
                 }}
               in (acc_10)
             }}
           in (r_7)
         }}"
    )
}

/// `\x y -> x op y`.
fn operator(op: &str, ty: &str, ne: &str) -> String {
    plus(ty, ne, 20).replace(&format!("add.{ty}"), &format!("{op}.{ty}"))
}

fn accumulate(change: impl Fn(&mut DeviceOptions)) {
    let run = |ty: &str, op: &str, ne: &str, args: &str, expected: &str| {
        Running::new(&histogram(ty, &operator(op, ty, ne)), &change).gives(args, expected);
    };
    // Indices 0, 1, 1, 2, and two out of range.
    let is = "[0i64, 1i64, 1i64, 2i64, 3i64, -1i64]";
    let args = |n, h: &str, vs: &str| format!("{n}i64 6i64 {h} {is} {vs}");
    let floats = args(3, "[10.0, 20.0, 30.0]", "[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]");
    run("f64", "add", "0.0f64", &floats, "[11.0, 26.0, 38.0]");
    run("f64", "max", "-f64.inf", &floats, "[10.0, 20.0, 30.0]");
    run("f64", "mul", "1.0f64", &floats, "[10.0, 160.0, 240.0]");
    let floats = args(3, "[1f32, 2f32, 3f32]", "[0.5f32, 2f32, 4f32, 8f32, 16f32, 32f32]");
    run("f32", "add", "0.0f32", &floats, "[1.5f32, 8f32, 11f32]");
    let ints = args(3, "[5i32, 5i32, 5i32]", "[1i32, 2i32, -4i32, 8i32, 16i32, 32i32]");
    run("i32", "add", "0i32", &ints, "[6i32, 3i32, 13i32]");
    run("i32", "min", "2147483647i32", &ints, "[1i32, -4i32, 5i32]");
    run("i32", "mul", "1i32", &ints, "[5i32, -40i32, 40i32]");
    let longs = args(3, "[5i64, 5i64, 5i64]", "[1i64, 2i64, -4i64, 8i64, 16i64, 32i64]");
    run("i64", "max", "-9223372036854775808i64", &longs, "[5i64, 5i64, 8i64]");
    run("i64", "xor", "0i64", &longs, &format!("[{}i64, {}i64, {}i64]", 5 ^ 1, 5 ^ 2 ^ -4, 5 ^ 8));
    let bools = args(5, "[false, false, false, false, true]", "[false, true, false, true, false, true]");
    run("bool", "or", "false", &bools, "[false, true, true, false, true]");
}

fn accumulators() {
    accumulate(|_| ());
    // Rows: h[i] += v for arrays v.
    let program = running(
        "entry \"main\"(m_1: i64, is_3: [m_1]i64, vs_4: [m_1][2]f64) -> (r_5: [3][2]f64)
           sig 1 (\"is\": [\"m\"]i64, \"vs\": [\"m\"][\"2\"]f64) -> ([\"3\"][\"2\"]f64) {
           let (d_6: [3][2]f64) = replicate [3][2] 1.0f64
           let (ne_30: [2]f64) = replicate [2] 0.0f64
           let (r_7: [3][2]f64) = withacc input [3] (d_6) comm \\(a_20: [2]f64, b_21: [2]f64) -> ([2]f64) {
               let (c_22: [2]f64) = screma 2 (a_20, b_21) map \\(p_23: f64, q_24: f64) -> (f64) {
                 let (t_25: f64) = add.f64(p_23, q_24)
                 in (t_25)
               }
               in (c_22)
             } neutral (ne_30)
             do \\(c_8: cert, acc_9: acc(c_8, [3] ([2]f64))) -> (acc(c_8, [3] ([2]f64))) {
               let (acc_10: acc(c_8, [3] ([2]f64))) = screma m_1 (is_3, vs_4, acc_9)
                 map \\(i_11: i64, v_12: [2]f64, acc_13: acc(c_8, [3] ([2]f64))) -> (acc(c_8, [3] ([2]f64))) {
                   let (acc_14: acc(c_8, [3] ([2]f64))) = updacc acc_13[i_11] (v_12)
                   in (acc_14)
                 }
               in (acc_10)
             }
           in (r_7)
         }",
    );
    program
        .gives("3i64 [0i64, 2i64, 2i64] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]", "[[2.0, 3.0], [1.0, 1.0], [9.0, 11.0]]");
}

fn accumulators_by_swap() {
    accumulate(|options| options.disable.extend([Cap::AtomicF32, Cap::AtomicF64]));
}

fn accumulators_under_locks() {
    accumulate(|options| options.disable.extend([Cap::AtomicI64, Cap::AtomicF32, Cap::AtomicF64, Cap::I8]));
}

fn own_accumulators() {
    // At each x: a histogram of three bins of its own, each bin i mod 3 updated with x, for i < 4.
    let program = running(&format!(
        "entry \"main\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: [n_0][3]f64) sig 1 (\"xs\": [\"n\"]f64) -> ([\"n\"][\"3\"]f64) {{
           let (r_3: [n_0][3]f64) = screma n_0 (xs_1) map \\(x_4: f64) -> ([3]f64) {{
             let (h_5: [3]f64) = replicate [3] 0.0f64
             let (is_6: [4]i64) = iota i64 (4i64, 0i64, 1i64)
             let (g_7: [3]f64) = withacc input [3] (h_5) comm {}
               do \\(c_8: cert, acc_9: acc(c_8, [3] (f64))) -> (acc(c_8, [3] (f64))) {{
                 let (acc_10: acc(c_8, [3] (f64))) = screma 4 (is_6, acc_9)
                   map \\(i_11: i64, acc_12: acc(c_8, [3] (f64))) -> (acc(c_8, [3] (f64))) {{
                     let (j_13: i64) = mod.i64(i_11, 3i64)
                     let (acc_14: acc(c_8, [3] (f64))) = updacc acc_12[j_13] (x_4)
                     in (acc_14)
                   }}
                 in (acc_10)
               }}
             in (g_7)
           }}
           in (r_3)
         }}",
        plus("f64", "0.0f64", 20)
    ));
    program.gives("2i64 [1.0, 5.0]", "[[2.0, 1.0, 1.0], [10.0, 5.0, 5.0]]");
}

fn host_loops() {
    // xs doubles until its sum is 100 or more; the sums on the way; the number of rounds.
    let program = running(&format!(
        "entry \"main\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: [n_0]f64, k_3: i64, h_4: [4]f64, a_5: f64)
           sig 1 (\"xs\": [\"n\"]f64) -> ([\"n\"]f64, i64, [\"4\"]f64, f64) {{
           let (h_6: [4]f64) = replicate [4] 0.0f64
           let (go_7: bool, ys_8: [n_0]f64, k_9: i64, g_10: [4]f64) =
             loop (go_11: bool = true, ys_12: [n_0]f64 = xs_1, k_13: i64 = 0i64, *g_14: [4]f64 = h_6) while go_11 do {{
               let (zs_15: [n_0]f64) = screma n_0 (ys_12) map \\(y_16: f64) -> (f64) {{
                 let (t_17: f64) = add.f64(y_16, y_16)
                 in (t_17)
               }}
               let (s_18: f64) = screma n_0 (zs_15) map \\(y_19: f64) -> (f64) {{ in (y_19) }} reduce comm {}
               let (on_23: bool) = lt.f64(s_18, 100.0f64)
               let (g_24: [4]f64) = update g_14[k_13] = s_18
               let (k_25: i64) = add.i64(k_13, 1i64)
               in (on_23, zs_15, k_25, g_24)
             }}
           let (s_26: f64) = index g_10[0i64]
           let (t_27: f64) = mul.f64(s_26, 3.0f64)
           let (big_28: bool) = lt.f64(50.0f64, t_27)
           let (a_29: f64) = if big_28 then {{
             let (u_30: f64) = neg.f64(t_27)
             in (u_30)
           }} else {{ in (0.5f64) }}
           in (ys_8, k_9, g_10, a_29)
         }}",
        plus("f64", "0.0f64", 20)
    ));
    // 3 elements 1, 2, 4: sums 14, 28, 56, 112.
    program.gives("3i64 [1.0, 2.0, 4.0]", "[16.0, 32.0, 64.0] 4i64 [14.0, 28.0, 56.0, 112.0] 0.5");
    // Sum 60 and 120: two rounds, and 3 * 60 > 50.
    program.gives("1i64 [30.0]", "[120.0] 2i64 [60.0, 120.0, 0.0, 0.0] -180.0");
}

fn cells() {
    // The mean, by which everything is divided: one recording, which the host waits for once.
    let program = running(&format!(
        "entry \"main\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: [n_0]f64, m_3: f64) sig 1 (\"xs\": [\"n\"]f64) -> ([\"n\"]f64, f64) {{
           let (s_4: f64) = screma n_0 (xs_1) map \\(x_5: f64) -> (f64) {{ in (x_5) }} reduce comm {}
           let (k_6: f64) = conv.i64.f64(n_0)
           let (m_7: f64) = div.f64(s_4, k_6)
           let (p_8: bool) = lt.f64(0.0f64, m_7)
           let (d_9: f64) = if p_8 then {{ in (m_7) }} else {{
             let (t_10: f64) = neg.f64(m_7)
             in (t_10)
           }}
           let (r_11: [n_0]f64) = screma n_0 (xs_1) map \\(x_12: f64) -> (f64) {{
             let (t_13: f64) = div.f64(x_12, d_9)
             in (t_13)
           }}
           in (r_11, m_7)
         }}",
        plus("f64", "0.0f64", 20)
    ));
    program.vulkan.keep_recordings();
    program.gives("3i64 [1.0, 2.0, 3.0]", "[0.5, 1.0, 1.5] 2.0");
    program.gives("2i64 [-1.0, -3.0]", "[-0.5, -1.5] -2.0");
    assert_eq!(program.vulkan.kept().len(), 2);
    // And the profile: the sum, the mean with its branch, the quotients; the conversion on the host.
    let profile = program.program.profile();
    let launches: Vec<u64> = profile.kernels.iter().map(|kernel| kernel.launches).collect();
    assert_eq!(launches, [2, 2, 2, 0], "{profile:?}");
    assert!(profile.kernels[3].operations >= 2, "{profile:?}");
    // A load and a division at each point.
    assert_eq!((profile.kernels[2].invocations, profile.kernels[2].operations), (5, 10));
}

fn lifetimes() {
    // A hundred rounds, each making a new array: the memory of a few.
    let program = running(
        "entry \"main\"(n_0: i64, k_1: i64) -> (r_2: [n_0]i64) sig 0 (\"n\": i64, \"k\": i64) -> ([\"n\"]i64) {
           let (is_3: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
           let (r_4: [n_0]i64) = loop (ys_5: [n_0]i64 = is_3) for i_6: i64 < k_1 do {
             let (zs_7: [n_0]i64) = screma n_0 (ys_5) map \\(y_8: i64) -> (i64) {
               let (t_9: i64) = add.i64(y_8, i_6)
               in (t_9)
             }
             let (ws_10: [n_0]i64) = reverse zs_7
             in (ws_10)
           }
           in (r_4)
         }",
    );
    let found = program.call("100000i64 100i64").unwrap_or_else(|error| panic!("{error}"));
    // Reversed an even number of times; 0 + 1 + ... + 99 = 4950.
    assert!(found[0].elements().zip(4950..).all(|(x, i)| x.as_i64() == Some(i)));
    let (_, peak) = program.vulkan.memory_usage();
    assert!(peak < 5 * 800_000, "{peak} bytes");
    // Ten new arrays one after the other, in no loop: each lives until the next one is there.
    let chain: String = (0..10)
        .map(|k| {
            format!(
                "let (zs_{}: [n_0]i64) = screma n_0 (ws_{}) map \\(y_{}: i64) -> (i64) {{ let (t_{}: i64) = add.i64(y_{}, {k}i64) in (t_{}) }}
                 let (ws_{}: [n_0]i64) = reverse zs_{}\n",
                101 + 10 * k, 100 + 10 * k, 102 + 10 * k, 103 + 10 * k, 102 + 10 * k, 103 + 10 * k, 110 + 10 * k, 101 + 10 * k
            )
        })
        .collect();
    let program = running(&format!(
        "entry \"main\"(n_0: i64) -> (r_300: [n_0]i64) sig 0 (\"n\": i64) -> [\"n\"]i64 {{
           let (ws_100: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
           {chain}
           in (ws_200)
         }}"
    ));
    let found = program.call("100000i64").unwrap_or_else(|error| panic!("{error}"));
    // 0 + 1 + ... + 9 = 45.
    assert!(found[0].elements().zip(45..).all(|(x, i)| x.as_i64() == Some(i)));
    let (_, peak) = program.vulkan.memory_usage();
    assert!(peak < 5 * 800_000, "{peak} bytes");
    // An argument, a result and the failure buffer are all that is left; then not even these.
    drop(found);
    assert!(program.vulkan.memory_usage().0 < 10_000);
}

fn host_arrays() {
    // Literals of constants and of cells, rows, reshapes, updates of rows.
    let program = running(
        "entry \"main\"(n_0: i64, xs_1: [n_0][2]i32) -> (r_2: [3][2]i32, s_3: [6]i32, t_4: [2]i32)
           sig 1 (\"xs\": [\"n\"][\"2\"]i32) -> ([\"3\"][\"2\"]i32, [\"6\"]i32, [\"2\"]i32) {
           let (row_5: [2]i32) = index xs_1[1i64]
           let (e_6: i32) = index xs_1[0i64, 1i64]
           let (f_7: i32) = mul.i32(e_6, 10i32)
           let (lit_8: [2]i32) = array [7i32, 8i32] of i32
           let (mix_9: [2]i32) = array [e_6, f_7] of i32
           let (m_10: [3][2]i32) = array [row_5, lit_8, mix_9] of [2]i32
           let (flat_11: [6]i32) = reshape [6] m_10
           let (c_12: [6]i32) = copy flat_11
           let (d_13: [6]i32) = update c_12[5i64] = -1i32
           let (k_14: [3][2]i32) = copy m_10
           let (l_15: [3][2]i32) = update k_14[0i64] = lit_8
           in (l_15, d_13, mix_9)
         }",
    );
    program.gives(
        "2i64 [[1i32, 2i32], [3i32, 4i32]]",
        "[[7i32, 8i32], [7i32, 8i32], [2i32, 20i32]] [3i32, 4i32, 7i32, 8i32, 2i32, -1i32] [2i32, 20i32]",
    );
}

fn booleans() {
    let program = running(
        "entry \"main\"(n_0: i64, xs_1: [n_0]bool, b_2: bool) -> (r_3: [n_0]bool, a_4: bool)
           sig 1 (\"xs\": [\"n\"]bool, \"b\": bool) -> ([\"n\"]bool, bool) {
           let (r_5: [n_0]bool, a_6: bool) = withacc do \\() -> ([n_0]bool, bool) {
             let (a_7: bool, ys_8: [n_0]bool) = screma n_0 (xs_1) map \\(x_9: bool) -> (bool, bool) {
               let (y_10: bool) = xor.bool(x_9, b_2)
               in (x_9, y_10)
             } reduce comm \\(p_11: bool, q_12: bool) -> (bool) {
               let (t_13: bool) = and.bool(p_11, q_12)
               in (t_13)
             } neutral (true)
             in (ys_8, a_7)
           }
           let (u_14: [n_0]bool) = update r_5[2i64] = b_2
           in (u_14, a_6)
         }",
    );
    program.gives("4i64 [true, false, true, true] true", "[false, true, true, false] false");
    program.gives("3i64 [true, true, true] false", "[true, true, false] true");
}

fn empty() {
    let program = running(&format!(
        "entry \"main\"(n_0: i64, xs_1: [n_0][3]f64) -> (r_2: [n_0][3]f64, s_3: f64, t_4: [3][n_0]f64)
           sig 1 (\"xs\": [\"n\"][\"3\"]f64) -> ([\"n\"][\"3\"]f64, f64, [\"3\"][\"n\"]f64) {{
           let (r_5: [n_0][3]f64) = copy xs_1
           let (s_6: f64) = screma n_0 (xs_1) map \\(x_7: [3]f64) -> (f64) {{
             let (y_8: f64) = index x_7[0i64]
             in (y_8)
           }} reduce comm {}
           let (t_9: [3][n_0]f64) = rearrange (1, 0) xs_1
           in (r_5, s_6, t_9)
         }}",
        plus("f64", "0.0f64", 20)
    ));
    program.gives("0i64 empty([0][3]f64)", "empty([0][3]f64) 0.0 empty([3][0]f64)");
}

fn failures() {
    let program = running(
        "entry \"main\"(n_0: i64, is_1: [n_0]i64, d_2: i64) -> (r_3: [n_0]i64) sig 1 (\"is\": [\"n\"]i64, \"d\": i64) -> ([\"n\"]i64) {
           let (c_4: cert) = check assert true \"never\"
           let (r_5: [n_0]i64) = screma n_0 (is_1) map \\(i_6: i64) -> (i64) {
             let (c_7: cert) = check bounds (i_6) [n_0]
             let (x_8: i64) = index is_1[i_6] certs (c_7)
             let (c_9: cert) = check nonzero x_8
             let (y_10: i64) = div.i64(d_2, x_8) certs (c_9)
             in (y_10)
           }
           let (k_11: i64) = index r_5[0i64]
           let (p_12: bool) = lt.i64(k_11, 1000i64)
           let (c_13: cert) = check assert p_12 \"too large\"
           let (r_14: [n_0]i64) = copy r_5 certs (c_13)
           in (r_14)
         }",
    );
    let message = |args| program.call(args).unwrap_err().message;
    assert_eq!(message("3i64 [1i64, 7i64, 2i64] 12i64"), "Index [7] out of bounds for array of shape [3].");
    // is[is[i]] is 0 for i = 1.
    assert_eq!(message("3i64 [1i64, 2i64, 0i64] 12i64"), "division by zero");
    assert_eq!(message("1i64 [0i64] 12i64"), "division by zero");
    assert_eq!(message("2i64 [1i64, 1i64] 5000i64"), "too large");
    // A failure leaves nothing behind.
    program.gives("2i64 [1i64, 1i64] 12i64", "[12i64, 12i64]");
    // Wrong arguments.
    let wrong = |args| program.call(args).unwrap_err().message;
    assert!(wrong("3i64 [1i64] 12i64").contains("shape"), "{}", wrong("3i64 [1i64] 12i64"));
    assert!(wrong("1i64 [1i32] 12i64").contains("type"));
    assert!(wrong("1i64 [1i64]").contains("2 arguments for 3"));
}

fn unique_arguments() {
    let program = running(
        "entry \"main\"(n_0: i64, *xs_1: [n_0]i64) -> (*r_2: [n_0]i64) sig 1 (\"xs\": [\"n\"]i64) -> ([\"n\"]i64) {
           let (ys_3: [n_0]i64) = update xs_1[0i64] = 9i64
           in (ys_3)
         }",
    );
    let args: Vec<Handle> =
        parse_values("2i64 [1i64, 2i64]").unwrap().iter().map(|v| program.vulkan.put(v).unwrap()).collect();
    for _ in 0..2 {
        let results = program.program.call("main", args.clone(), &CallCtx::default()).unwrap();
        let found: Vec<Value> = results.iter().chain([&args[1]]).map(|h| program.vulkan.get(h).unwrap()).collect();
        assert_eq!(found, parse_values("[9i64, 2i64] [1i64, 2i64]").unwrap());
    }
}

fn few_invocations() {
    // More points than invocations, and memory for the arrays of only one workgroup.
    let text = "entry \"main\"(n_0: i64) -> (r_1: [n_0]i64) sig 0 (\"n\": i64) -> ([\"n\"]i64) {
           let (is_2: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
           let (r_3: [n_0]i64) = screma n_0 (is_2) map \\(i_4: i64) -> (i64) {
             let (z_5: [8]i64) = replicate [8] i_4
             let (a_6: [8]i64) = copy z_5
             let (b_7: [8]i64) = update a_6[3i64] = 1i64
             let (x_8: i64) = index b_7[3i64]
             let (y_9: i64) = index b_7[4i64]
             let (s_10: i64) = add.i64(x_8, y_9)
             in (s_10)
           }
           in (r_3)
         }";
    for tuning in [("max_groups", 2), ("scratch_bytes", 1)] {
        let program = Running::tuned(text, DeviceOptions::from_env().unwrap(), &[tuning]);
        let found = program.call("5000i64").unwrap_or_else(|error| panic!("{error}"));
        assert!(found[0].elements().zip(1..).all(|(x, i)| x.as_i64() == Some(i)));
        assert!(program.program.tuning().contains(&(tuning.0.to_owned(), tuning.1)));
        let kernel = program.program.profile().kernels[0].clone();
        assert!(kernel.invocations >= 5000 && kernel.launches >= 1, "{kernel:?}");
    }
}

/// A loop that the driver cuts short is no result. It counts the rounds of loops in a loop, the last look at a condition, and a round of each loop in a branch
/// that is not taken.
fn limits() {
    let program = |inner: &str| {
        running(&format!(
            "entry \"main\"(n_0: i64, m_1: i64, q_90: i64) -> (r_2: [n_0]i64) sig 0 (\"n\": i64, \"m\": i64, \"q\": i64) -> ([\"n\"]i64) {{
               let (is_3: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
               let (r_4: [n_0]i64) = screma n_0 (is_3) map \\(i_5: i64) -> (i64) {{
                 let (x_6: i64) = loop (y_7: i64 = i_5) for k_8: i64 < m_1 do {{
                   {inner}
                   in (z_9)
                 }}
                 in (x_6)
               }}
               in (r_4)
             }}"
        ))
    };
    let adding = program(
        "let (z_9: i64) = loop (w_10: i64 = y_7) for l_11: i64 < q_90 do { let (t_12: i64) = add.i64(w_10, k_8) in (t_12) }",
    );
    let untaken = program(
        "let (c_20: bool) = lt.i64(y_7, 0i64)
         let (z_9: i64) = if c_20 then {
           let (l_21: i64) = loop (w_10: i64 = y_7) for l_11: i64 < q_90 do { let (t_12: i64) = mul.i64(w_10, k_8) in (t_12) }
           in (l_21)
         } else { let (t_22: i64) = add.i64(y_7, k_8) in (t_22) }",
    );
    // q (0 + 1 + ... + m-1), and the index
    for (program, arguments, result) in [
        (&adding, "2i64 5000i64 10i64", "[124975000i64, 124975001i64]"),
        (&adding, "2i64 10000i64 10i64", "[499950000i64, 499950001i64]"),
        (&adding, "2i64 40000i64 1i64", "[799980000i64, 799980001i64]"),
        (&adding, "2i64 40000i64 0i64", "[0i64, 1i64]"),
        (&untaken, "2i64 30000i64 10i64", "[449985000i64, 449985001i64]"),
        (&untaken, "2i64 50000i64 10i64", "[1249975000i64, 1249975001i64]"),
    ] {
        let within = arguments.contains(" 5000i64") || arguments.contains(" 30000i64");
        match program.vulkan.caps().loop_limit {
            Some(_) if !within => {
                let message = program.call(arguments).unwrap_err().message;
                assert!(message.contains("65535 rounds"), "{arguments}: {message}");
            }
            _ => program.gives(arguments, result),
        }
    }
}

fn different_sizes() {
    // At each i, j: the sum of the squares of 0 .. i * j, stored in an array of that length first.
    let program = running(&format!(
        "entry \"main\"(n_0: i64, m_1: i64) -> (r_2: [n_0][m_1]i64) sig 0 (\"n\": i64, \"m\": i64) -> ([\"n\"][\"m\"]i64) {{
           let (r_3: [n_0][m_1]i64) = segop grid (i_4: i64 < n_0, j_5: i64 < m_1) -> (i64) {{
             let (k_6: i64) = mul.i64(i_4, j_5)
             let (is_7: [k_6]i64) = iota i64 (k_6, 0i64, 1i64)
             let (qs_8: [k_6]i64) = screma k_6 (is_7) map \\(x_9: i64) -> (i64) {{
               let (q_10: i64) = mul.i64(x_9, x_9)
               in (q_10)
             }}
             let (s_11: i64) = screma k_6 (qs_8) map \\(x_12: i64) -> (i64) {{ in (x_12) }} reduce comm {}
             in (s_11)
           }}
           in (r_3)
         }}",
        plus("i64", "0i64", 20)
    ));
    // 0 + 1, 0 + 1 + 4 + 9.
    program.gives("3i64 3i64", "[[0i64, 0i64, 0i64], [0i64, 0i64, 1i64], [0i64, 1i64, 14i64]]");
    let found = program.call("40i64 30i64").unwrap_or_else(|error| panic!("{error}"));
    let expected = (0..40i64).flat_map(|i| (0..30i64).map(move |j| (0..i * j).map(|x| x * x).sum::<i64>()));
    assert!(found[0].elements().map(|x| x.as_i64().unwrap()).eq(expected));
    program.gives("0i64 5i64", "empty([0][5]i64)");
}

fn sizes_of_rounds() {
    let text = sums_and_positions().replace("add.i64(k_15, k_15)", "add.i64(k_15, 0i64)");
    // an array of another size in each round
    let irregular = "entry \"main\"(n_0: i64) -> (r_1: [n_0]i64) sig 0 (\"n\": i64) -> ([\"n\"]i64) {
           let (is_2: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
           let (r_3: [n_0]i64) = screma n_0 (is_2) map \\(i_4: i64) -> (i64) {
             let (s_5: i64) = loop (t_6: i64 = 0i64) for k_7: i64 < i_4 do {
               let (z_8: [k_7]i64) = iota i64 (k_7, 0i64, 1i64)
               let (c_9: [k_7]i64) = copy z_8
               let (n_10: i64) = sub.i64(k_7, 1i64)
               let (b_11: bool) = lt.i64(0i64, k_7)
               let (u_12: i64) = if b_11 then { let (v_13: i64) = index c_9[n_10] in (v_13) } else { in (0i64) }
               let (w_14: i64) = add.i64(t_6, u_12)
               in (w_14)
             }
             in (s_5)
           }
           in (r_3)
         }";
    // 0 + 0 + 1 + 2 of the last elements of the arrays of the rounds
    Running::new(irregular, |_| {}).gives("5i64", "[0i64, 0i64, 0i64, 1i64, 3i64]");
    // Without what it does not need, the same program runs.
    Running::new(&text, |options| options.disable.extend([Cap::F64, Cap::AtomicF32, Cap::Subgroups, Cap::I8]))
        .gives("1i64 3i64", "[5i64] [4i64] [2i64]");
}

/// The validation layer says nothing while programs run, and each barrier of their recordings is needed.
fn validated() {
    let program = Running::new(&sums_and_positions(), |options| options.validation = Validation::Synchronization);
    program.vulkan.keep_recordings();
    for (m, n) in [(1, 50_000), (3, 5)] {
        program.call(&format!("{m}i64 {n}i64")).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(program.vulkan.messages(), [""; 0]);
    let recordings = program.vulkan.kept();
    assert!(recordings.iter().map(|recording| recording.commands().len()).sum::<usize>() > 4);
    for recording in recordings {
        assert_eq!(hazards::check(&recording), []);
        assert_eq!(hazards::redundant_barriers(&recording), [0; 0]);
    }
    program.vulkan.violate().unwrap();
    assert!(!program.vulkan.messages().is_empty());
}

/// Nor does it of modules in which floats of 64 bits are integers.
fn validated_without_f64() {
    let text =
        "entry \"main\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: [n_0]f64) sig 1 (\"xs\": [\"n\"]f64) -> ([\"n\"]f64) {
           let (r_8: [n_0]f64) = screma n_0 (xs_1) map \\(x_3: f64) -> (f64) {
             let (a_4: f64) = cbrt.f64(x_3)
             let (b_5: f64) = max.f64(a_4, x_3)
             let (c_6: f64) = floor.f64(b_5)
             let (d_7: f64) = div.f64(c_6, x_3)
             in (d_7)
           }
           in (r_8) }";
    let program = Running::new(text, |options| {
        options.validation = Validation::Usage;
        options.disable.insert(Cap::F64);
    });
    // floor(max(2, 8)) / 8, floor(max(-3, -27)) / -27
    program.gives("2i64 [8.0f64, -27.0f64]", "[1.0f64, 0.1111111111111111f64]");
    assert_eq!(program.vulkan.messages(), [""; 0]);
}

/// A run that is asked to stop does, before a kernel and in a loop of the host.
fn stopped() {
    let ctx = CallCtx { cancel: Some(Arc::new(AtomicBool::new(true))) };
    let kernel = "entry \"main\"(n_0: i64) -> (r_1: [n_0]i64) sig 0 (\"n\": i64) -> ([\"n\"]i64) {
           let (is_2: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
           let (r_3: [n_0]i64) = screma n_0 (is_2) map \\(i_4: i64) -> (i64) { let (t_5: i64) = mul.i64(i_4, i_4) in (t_5) }
           in (r_3) }";
    let host = "entry \"main\"(n_0: i64) -> (r_1: i64) sig 0 (\"n\": i64) -> i64 {
           let (s_2: i64) = loop (t_3: i64 = 1i64) for j_4: i64 < n_0 do { let (u_5: i64) = mul.i64(t_3, 2i64) in (u_5) }
           in (s_2) }";
    for text in [kernel, host] {
        let program = running(text);
        let args = vec![program.vulkan.put(&parse_values("3i64").unwrap()[0]).unwrap()];
        let error = program.program.call("main", args, &ctx).err().expect(text);
        assert_eq!(error.kind, FailureKind::Cancelled);
    }
}

const COUNTING: &str = "entry \"main\"(n_0: i64, m_1: i64) -> (r_2: [n_0]i64) sig 0 (\"n\": i64, \"m\": i64) -> ([\"n\"]i64) {
       let (is_3: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)
       let (r_4: [n_0]i64) = loop (a_5: [n_0]i64 = is_3) for j_6: i64 < m_1 do {
         let (b_7: [n_0]i64) = screma n_0 (a_5) map \\(x_8: i64) -> (i64) { let (y_9: i64) = add.i64(x_8, 1i64) in (y_9) }
         in (b_7)
       }
       in (r_4) }";

/// Kernels have times if these are asked for, and only then.
fn timed() {
    for profile in [0, 1] {
        let program = Running::tuned(COUNTING, DeviceOptions::from_env().unwrap(), &[("profile", profile)]);
        program.gives("3i64 4i64", "[4i64, 5i64, 6i64]");
        let kernels = program.program.profile().kernels;
        for kernel in kernels.iter().filter(|kernel| kernel.launches > 0) {
            assert_eq!(kernel.nanoseconds.is_some(), profile == 1, "{}", kernel.name);
        }
        // Less than a minute: none was taken away.
        assert!(kernels.iter().filter_map(|kernel| kernel.nanoseconds).all(|time| time < 60_000_000_000));
    }
}

/// The device has work before the host has made all of it.
fn long_recordings() {
    let program = Running::tuned(COUNTING, DeviceOptions::from_env().unwrap(), &[("whole_loops", 0)]);
    program.vulkan.keep_recordings();
    program.gives("2i64 3000i64", "[3000i64, 3001i64]");
    let kept: Vec<usize> = program.vulkan.kept().iter().map(|recording| recording.commands().len()).collect();
    assert!(kept.len() > 1 && kept.iter().all(|commands| *commands <= 4098), "{kept:?}");
}

/// Memory in which nothing has been written is full of NaN, if that is asked for; three bytes too, that are no whole word.
fn poisoned() {
    let text = "entry \"main\"() -> (r_1: [3]f64, s_2: [3]i8) sig 0 () -> ([\"3\"]f64, [\"3\"]i8) {
           let (r_3: [3]f64) = scratch [3]f64
           let (s_4: [3]i8) = scratch [3]i8
           in (r_3, s_4) }";
    let program = Running::tuned(text, DeviceOptions::from_env().unwrap(), &[("poison", 1)]);
    let found = program.call("").unwrap_or_else(|error| panic!("{error}"));
    assert!(found[0].elements().all(|x| x.to_f64().is_nan()), "{}", found[0]);
    assert_eq!(found[1..], parse_values("[127i8, 127i8, 127i8]").unwrap());
}
