//! Values of derivatives by transformation, held against the interpreter's own and against the literals of the digests.

mod common;
use common::*;
use futi_interp::Ctx;

const SQUARE_PLUS: &str = "fun \"f\"(x_0: f64) -> (r_1: f64) {
  let (y_2: f64) = mul.f64(x_0, x_0)
  let (z_3: f64) = add.f64(y_2, x_0)
  in (z_3)
}";

#[test]
fn r1_every_use_contributes() {
    // x*x + x: 2x+1
    check_vjp(SQUARE_PLUS, "3f64", "1f64", "7f64");
    check_all(SQUARE_PLUS, "3f64");
}

#[test]
fn figure_1() {
    // (x1 sin x0, x0 x1) at (0.5, 2): rows (2 cos 0.5, sin 0.5), (2, 0.5)
    let f = "fun \"f\"(x_0: f64, y_1: f64) -> (r_2: f64, s_3: f64) {
      let (v_4: f64) = sin.f64(x_0)
      let (a_5: f64) = mul.f64(y_1, v_4)
      let (b_6: f64) = mul.f64(x_0, y_1)
      in (a_5, b_6)
    }";
    check_vjp(f, "0.5f64 2f64", "1f64 0f64", "1.7551651237807455f64 0.479425538604203f64");
    check_vjp(f, "0.5f64 2f64", "0f64 1f64", "2f64 0.5f64");
    check_all(f, "0.5f64 2f64");
}

#[test]
fn r2_reads_at_indices() {
    // as = [1,2,3], is = [0,2,2], adjoint [1,10,100]: [1,0,110]
    let f = "fun \"f\"(xs_0: [3]f64, is_1: [3]i64) -> (r_2: [3]f64) {
      let (ys_3: [3]f64) = screma 3 (is_1) map \\(i_4: i64) -> (f64) {
        let (c_5: cert) = check bounds (i_4) [3]
        let (x_6: f64) = index xs_0[i_4] certs (c_5)
        in (x_6)
      }
      in (ys_3)
    }";
    check_vjp(f, "[1f64,2f64,3f64] [0i64,2i64,2i64]", "[1f64,10f64,100f64]", "[1f64,0f64,110f64] [0i64,0i64,0i64]");
    check_all(f, "[1f64,2f64,3f64] [0i64,2i64,2i64]");
}

#[test]
fn r3_branches() {
    // if b then x*y + xs[1] else x: a variable in one branch only
    let f = "fun \"f\"(b_0: bool, x_1: f64, y_2: f64, xs_3: [2]f64) -> (r_4: f64) {
      let (r_5: f64) = if b_0 then {
        let (p_6: f64) = mul.f64(x_1, y_2)
        let (q_7: f64) = index xs_3[1i64]
        let (s_8: f64) = add.f64(p_6, q_7)
        in (s_8)
      } else { in (x_1) }
      in (r_5)
    }";
    check_vjp(f, "true 2f64 3f64 [4f64,5f64]", "10f64", "false 30f64 20f64 [0f64,10f64]");
    check_vjp(f, "false 2f64 3f64 [4f64,5f64]", "10f64", "false 10f64 0f64 [0f64,0f64]");
    check_all(f, "true 2f64 3f64 [4f64,5f64]");
    check_all(f, "false 2f64 3f64 [4f64,5f64]");
}

#[test]
fn r4_loops() {
    // x := x*x three times from 2: y = 256, dy/dx = 8 x^7 = 1024
    let f = "fun \"f\"(x_0: f64) -> (r_1: f64) {
      let (y_2: f64) = loop (z_3: f64 = x_0) for i_4: i64 < 3i64 do {
        let (w_5: f64) = mul.f64(z_3, z_3)
        in (w_5)
      }
      in (y_2)
    }";
    check_vjp(f, "2f64", "1f64", "1024f64");
    check_all(f, "1.1f64");
    // x := x*a three times from x0 = 1, a = 2: da = 3 a^2 x0 = 12, dx0 = 8; a is used before and after the loop, too (R6)
    let f = "fun \"f\"(n_9: i32, x_0: f64, a_1: f64) -> (r_2: f64) {
      let (b_6: f64) = mul.f64(a_1, x_0)
      let (y_3: f64) = loop (z_4: f64 = x_0) for i_5: i32 < n_9 do {
        let (w_7: f64) = mul.f64(z_4, a_1)
        in (w_7)
      }
      let (c_8: f64) = add.f64(y_3, b_6)
      let (d_10: f64) = add.f64(c_8, a_1)
      in (d_10)
    }";
    // plus b = a*x0 and a: da = 12 + 1 + 1, dx0 = 8 + 2
    check_vjp(f, "3i32 1f64 2f64", "1f64", "0i32 10f64 14f64");
    // no trips: y = x0
    check_vjp(f, "0i32 1f64 2f64", "1f64", "0i32 3f64 2f64");
    check_vjp(f, "-1i32 1f64 2f64", "1f64", "0i32 3f64 2f64");
    check_all(f, "3i32 1f64 2f64");
}

#[test]
fn r5_loops_in_maps_in_loops() {
    // several parameters that change places, a loop in a map in a loop, free arrays and scalars
    let f = "fun \"f\"(n_0: i64, xs_1: [n_0]f64, a_2: f64) -> (r_3: [n_0]f64, s_4: f64) {
      let (us_5: [n_0]f64, vs_6: [n_0]f64, t_7: f64) = loop (ps_8: [n_0]f64 = xs_1, qs_9: [n_0]f64 = xs_1, t_10: f64 = a_2) for i_11: i64 < 3i64 do {
        let (rs_12: [n_0]f64) = screma n_0 (ps_8, qs_9) map \\(p_13: f64, q_14: f64) -> (f64) {
          let (w_15: f64, z_16: f64) = loop (w_17: f64 = p_13, z_18: f64 = q_14) for j_19: i64 < 2i64 do {
            let (m_20: f64) = mul.f64(w_17, t_10)
            let (k_21: f64) = add.f64(m_20, z_18)
            in (z_18, k_21)
          }
          let (e_22: f64) = index xs_1[i_11]
          let (o_23: f64) = mul.f64(w_15, e_22)
          let (o_24: f64) = add.f64(o_23, z_16)
          in (o_24)
        }
        let (h_25: f64) = index rs_12[0i64]
        let (u_26: f64) = sin.f64(h_25)
        in (qs_9, rs_12, u_26)
      }
      in (us_5, t_7)
    }";
    check_all(f, "3i64 [0.5f64,-0.3f64,0.7f64] 1.2f64");
}

#[test]
fn r11_updates_in_loops() {
    // prefix products in place: ys[i] = xs[i] * ys[i-1]
    let f = "fun \"f\"(xs_0: [4]f64) -> (r_1: [4]f64) {
      let (one_2: [4]f64) = replicate [4] 1.0f64
      let (ys_3: [4]f64) = loop (*ys_4: [4]f64 = one_2) for i_5: i64 < 4i64 do {
        let (x_6: f64) = index xs_0[i_5]
        let (j_7: i64) = sub.i64(i_5, 1i64)
        let (k_8: i64) = max.i64(j_7, 0i64)
        let (y_9: f64) = index ys_4[k_8]
        let (z_10: f64) = mul.f64(x_6, y_9)
        let (ys_11: [4]f64) = update ys_4[i_5] = z_10
        in (ys_11)
      }
      in (ys_3)
    }";
    // the Jacobian of a scan by *: digest 002 R27 for three elements
    check_vjp(f, "[2f64,3f64,4f64,1f64]", "[1f64,1f64,1f64,0f64]", "[16f64,10f64,6f64,0f64]");
    check_all(f, "[2f64,3f64,4f64,0.5f64]");
}

#[test]
fn r9_r10_while_loops() {
    // x = 1.1; while x < 100 do x := x*x: 6 trips, y = 445.79157, dy/dx = 2^6 y/x = 25936.96...
    let f = |attr: &str| {
        format!(
            "fun \"f\"(x_0: f64) -> (r_1: f64) {{
      let (c_2: bool) = lt.f64(x_0, 100.0f64)
      let (c_3: bool, y_4: f64) = loop (c_5: bool = c_2, y_6: f64 = x_0) while c_5 do {{
        let (z_7: f64) = mul.f64(y_6, y_6)
        let (d_8: bool) = lt.f64(z_7, 100.0f64)
        in (d_8, z_7)
      }} {attr}
      in (y_4)
    }}"
        )
    };
    let y = 1.1f64.powi(64);
    for attr in ["", "attrs (\"bound\" 6)", "attrs (\"bound\" 10)"] {
        check_vjp(&f(attr), "1.1f64", "1f64", &format!("{}f64", 64.0 * y / 1.1));
        check_all(&f(attr), "1.1f64");
        check_all(&f(attr), "200f64");
    }
    let program = derivative(&parse(&f("attrs (\"bound\" 5)")), D::Vjp);
    let program = at(&program, futi_core::driver::pipeline::Stage::Ad);
    let error = futi_interp::eval(&program, "main", &values("1.1f64 1f64"), &Ctx::default());
    assert!(error.is_err(), "a bound that is too small");
}

/// `reduce op` of an array, with this operator text and neutral element.
fn reduce(ty: &str, op: &str, neutral: &str) -> String {
    format!(
        "fun \"f\"(n_0: i64, xs_1: [n_0]{ty}) -> (r_2: {ty}) {{
      let (y_3: {ty}) = screma n_0 (xs_1) map \\(x_4: {ty}) -> ({ty}) {{ in (x_4) }} reduce \\(a_5: {ty}, b_6: {ty}) -> ({ty}) {{
        {op}
        in (t_7)
      }} neutral ({neutral})
      in (y_3)
    }}"
    )
}

#[test]
fn r18_sums() {
    let f = reduce("f64", "let (t_7: f64) = add.f64(a_5, b_6)", "0.0f64");
    check_vjp(&f, "3i64 [1f64,2f64,3f64]", "5f64", "[5f64,5f64,5f64]");
    check_vjp(&f, "0i64 empty([0]f64)", "5f64", "empty([0]f64)");
    check_all(&f, "3i64 [1f64,2f64,3f64]");
}

#[test]
fn r19_products() {
    let f = reduce("f64", "let (t_7: f64) = mul.f64(a_5, b_6)", "1.0f64");
    check_vjp(&f, "3i64 [2f64,0f64,3f64]", "1f64", "[0f64,6f64,0f64]");
    check_vjp(&f, "3i64 [2f64,0f64,0f64]", "1f64", "[0f64,0f64,0f64]");
    check_vjp(&f, "3i64 [2f64,4f64,5f64]", "1f64", "[20f64,10f64,8f64]");
    // 000-C2..C5
    check_vjp(&f, "3i64 [2f64,3f64,4f64]", "3f64", "[36f64,24f64,18f64]");
    check_vjp(&f, "3i64 [2f64,0f64,4f64]", "3f64", "[0f64,24f64,0f64]");
    check_vjp(&f, "1i64 [0f64]", "3f64", "[3f64]");
    check_vjp(&f, "1i64 [5f64]", "3f64", "[3f64]");
    check_vjp(&f, "0i64 empty([0]f64)", "3f64", "empty([0]f64)");
    // the product overflows or underflows, the products of the others do not
    check_vjp(
        &f,
        "3i64 [1e200f64,1e-200f64,1e200f64]",
        "1f64",
        "[1f64,inff64,1f64]".replace("inff64", "f64.inf").as_str(),
    );
    check_vjp(&f, "2i64 [1e-200f64,1e-200f64]", "1f64", "[1e-200f64,1e-200f64]");
    check_all(&f, "3i64 [2f64,4f64,5f64]");
    // integers wrap: 000-E11, the true derivative modulo 2^32
    let f = reduce("i32", "let (t_7: i32) = mul.i32(a_5, b_6)", "1i32");
    check_vjp(&f, "3i64 [65536i32,65536i32,3i32]", "1i32", "[196608i32,196608i32,0i32]");
    check_all(&f, "3i64 [2i32,0i32,3i32]");
}

#[test]
fn r20_r22_min_and_max() {
    let min = reduce("f64", "let (t_7: f64) = min.f64(a_5, b_6)", "f64.inf");
    check_vjp(&min, "4i64 [3f64,1f64,2f64,1f64]", "1f64", "[0f64,1f64,0f64,0f64]");
    check_vjp(&min, "0i64 empty([0]f64)", "1f64", "empty([0]f64)");
    check_vjp_in(&Ctx::default, &min, "3i64 [f64.nan,2f64,f64.nan]", "1f64", "[0f64,1f64,0f64]");
    // a tie with the neutral element is the neutral element's
    check_vjp(&min, "2i64 [f64.inf,f64.inf]", "1f64", "[0f64,0f64]");
    check_all(&min, "4i64 [3f64,1f64,2f64,1f64]");
    let max = reduce("f64", "let (t_7: f64) = max.f64(a_5, b_6)", "-f64.inf");
    // 000-C6
    check_vjp(&max, "5i64 [1f64,3f64,3f64,2f64,3f64]", "1f64", "[0f64,1f64,0f64,0f64,0f64]");
    check_all(&max, "5i64 [1f64,3f64,3f64,2f64,3f64]");
}

/// A reduction or scan of tuples by an operator; `m` operands.
fn tuples(scan: bool, m: usize, op: &str, neutral: &str) -> String {
    let list = |f: &dyn Fn(usize) -> String| (0..m).map(f).collect::<Vec<_>>().join(", ");
    let out = if scan { "[n_0]f64" } else { "f64" };
    format!(
        "fun \"f\"(n_0: i64, {}) -> ({}) {{
      let ({}) = screma n_0 ({}) map \\({}) -> ({}) {{ in ({}) }} {} \\({}, {}) -> ({}) {{
        {op}
      }} neutral ({neutral})
      in ({})
    }}",
        list(&|k| format!("xs_1{k}: [n_0]f64")),
        list(&|k| format!("r_2{k}: {out}")),
        list(&|k| format!("y_3{k}: {out}")),
        list(&|k| format!("xs_1{k}")),
        list(&|k| format!("x_4{k}: f64")),
        list(&|_| "f64".into()),
        list(&|k| format!("x_4{k}")),
        if scan { "scan" } else { "reduce" },
        list(&|k| format!("a_5{k}: f64")),
        list(&|k| format!("b_6{k}: f64")),
        list(&|_| "f64".into()),
        list(&|k| format!("y_3{k}")),
    )
}

/// 2×2 matrices.
const MATMUL: &str = "
    let (p_70: f64) = mul.f64(a_50, b_60) let (q_71: f64) = mul.f64(a_51, b_62) let (s_72: f64) = add.f64(p_70, q_71)
    let (p_73: f64) = mul.f64(a_50, b_61) let (q_74: f64) = mul.f64(a_51, b_63) let (s_75: f64) = add.f64(p_73, q_74)
    let (p_76: f64) = mul.f64(a_52, b_60) let (q_77: f64) = mul.f64(a_53, b_62) let (s_78: f64) = add.f64(p_76, q_77)
    let (p_79: f64) = mul.f64(a_52, b_61) let (q_80: f64) = mul.f64(a_53, b_63) let (s_81: f64) = add.f64(p_79, q_80)
    in (s_72, s_75, s_78, s_81)";
/// Dual numbers (a, b) with a the tangent.
const DUAL: &str = "
    let (p_70: f64) = mul.f64(b_60, a_51) let (q_71: f64) = mul.f64(b_61, a_50) let (s_72: f64) = add.f64(p_70, q_71)
    let (p_73: f64) = mul.f64(a_51, b_61)
    in (s_72, p_73)";

#[test]
fn r17_general_reductions() {
    // 000-C7: matrices, which do not commute
    let f = tuples(false, 4, MATMUL, "1.0f64, 0.0f64, 0.0f64, 1.0f64");
    let args = "3i64 [1f64,0f64,2f64] [2f64,1f64,0f64] [3f64,1f64,1f64] [4f64,1f64,3f64]";
    check_vjp(&f, args, "1f64 0f64 0f64 0f64", "[1f64,2f64,2f64] [3f64,1f64,0f64] [0f64,4f64,3f64] [0f64,2f64,0f64]");
    check_orders(&f, args, &[D::Vjp, D::Jvp, D::Vjp2, D::Jvp2], &[D::Jvp]);
    // 000-C8
    let f = tuples(false, 2, DUAL, "0.0f64, 1.0f64");
    let args = "3i64 [1f64,2f64,3f64] [10f64,11f64,12f64]";
    check_vjp(&f, args, "1f64 1f64", "[132f64,120f64,110f64] [189f64,162f64,141f64]");
    check_all(&f, args);
    // 000-C9: x*y*2 with neutral element 1/2
    let f = reduce("f64", "let (s_8: f64) = mul.f64(a_5, b_6) let (t_7: f64) = mul.f64(s_8, 2.0f64)", "0.5f64");
    check_vjp(&f, "3i64 [1f64,2f64,3f64]", "1f64", "[24f64,12f64,8f64]");
    check_all(&f, "3i64 [1f64,2f64,3f64]");
}

#[test]
fn operators_with_free_variables() {
    // x*y*z with ne = 1/z on [1,2,3], z = 3: y = 9*6 = 54, and dy/dz is (n-1) y/z = 36 when ne follows z (000-E21)
    let f = |kind: &str, out: &str| {
        format!(
            "fun \"f\"(n_0: i64, xs_1: [n_0]f64, z_2: f64) -> (r_3: {out}) {{
      let (e_4: f64) = div.f64(1.0f64, z_2)
      let (y_5: {out}) = screma n_0 (xs_1) map \\(x_6: f64) -> (f64) {{ in (x_6) }} {kind} \\(a_7: f64, b_8: f64) -> (f64) {{
        let (s_9: f64) = mul.f64(a_7, b_8)
        let (t_10: f64) = mul.f64(s_9, z_2)
        in (t_10)
      }} neutral (e_4)
      in (y_5)
    }}"
        )
    };
    let args = "3i64 [1f64,2f64,3f64] 3f64";
    check_vjp_in(&Ctx::default, &f("reduce", "f64"), args, "1f64", "[54f64,27f64,18f64] 36f64");
    check_vjp(&f("reduce", "f64"), "0i64 empty([0]f64) 2f64", "1f64", "empty([0]f64) -0.25f64");
    check_all_in(&Ctx::default, &f("reduce", "f64"), args);
    check_all(&f("reduce", "f64"), "0i64 empty([0]f64) 3f64");
    check_all_in(&Ctx::default, &f("scan", "[n_0]f64"), args);
    check_all(&f("scan", "[n_0]f64"), "0i64 empty([0]f64) 3f64");
}

#[test]
fn r27_r28_scans() {
    let scan = |op: &str, ne: &str| {
        reduce("f64", op, ne)
            .replace("reduce", "scan")
            .replace("r_2: f64", "r_2: [n_0]f64")
            .replace("y_3: f64", "y_3: [n_0]f64")
    };
    let add = scan("let (t_7: f64) = add.f64(a_5, b_6)", "0.0f64");
    check_vjp(&add, "3i64 [7f64,8f64,9f64]", "[1f64,2f64,3f64]", "[6f64,5f64,3f64]");
    check_all(&add, "3i64 [7f64,8f64,9f64]");
    let mul = scan("let (t_7: f64) = mul.f64(a_5, b_6)", "1.0f64");
    check_vjp(&mul, "3i64 [2f64,3f64,4f64]", "[1f64,1f64,1f64]", "[16f64,10f64,6f64]");
    // 000-E2: no division anywhere
    check_vjp(&mul, "5i64 [2f64,0f64,3f64,0f64,5f64]", "[1f64,1f64,1f64,1f64,1f64]", "[1f64,8f64,0f64,0f64,0f64]");
    check_vjp(&mul, "0i64 empty([0]f64)", "empty([0]f64)", "empty([0]f64)");
    check_vjp(&mul, "1i64 [4f64]", "[3f64]", "[3f64]");
    check_all(&mul, "3i64 [2f64,3f64,4f64]");
    // 000-E9: ties of max
    let max = scan("let (t_7: f64) = max.f64(a_5, b_6)", "-f64.inf");
    check_vjp(
        &max,
        "6i64 [3f64,1f64,3f64,5f64,5f64,2f64]",
        "[1f64,10f64,100f64,1000f64,10000f64,100000f64]",
        "[111f64,0f64,0f64,111000f64,0f64,0f64]",
    );
    // x + y + xy
    let op = "let (s_8: f64) = mul.f64(a_5, b_6) let (u_9: f64) = add.f64(a_5, b_6) let (t_7: f64) = add.f64(s_8, u_9)";
    check_all(&scan(op, "0.0f64"), "4i64 [0.1f64,0.2f64,-0.3f64,0.4f64]");
}

#[test]
fn r29_scans_of_tuples() {
    // 000-E4: the orientation of the Jacobians
    let f = tuples(true, 2, DUAL, "0.0f64, 1.0f64");
    let args = "3i64 [1f64,2f64,3f64] [10f64,11f64,12f64]";
    check_vjp(&f, args, "[1f64,3f64,5f64] [2f64,4f64,6f64]", "[694f64,630f64,550f64] [1129f64,973f64,815f64]");
    check_all(&f, args);
    // 000-E6
    let f = tuples(true, 4, MATMUL, "1.0f64, 0.0f64, 0.0f64, 1.0f64");
    let args = "3i64 [1f64,4f64,1f64] [2f64,3f64,0f64] [3f64,2f64,2f64] [4f64,1f64,1f64]";
    check_vjp(
        &f,
        args,
        "[1f64,5f64,9f64] [2f64,6f64,10f64] [3f64,7f64,11f64] [4f64,8f64,12f64]",
        "[159f64,68f64,292f64] [64f64,160f64,320f64] [201f64,100f64,188f64] [82f64,236f64,206f64]",
    );
    check_orders(&f, args, &[D::Vjp, D::Vjp2], &[D::Jvp]);
}
