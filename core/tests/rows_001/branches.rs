//! 001 A23 to A28: conditions.

use super::*;
use crate::common::row::row;

/// The total of `a` as `total`, twice a as `b`.
fn total_and_double() -> String {
    format!("let (total: f64) = {} let (b: [6]f64) = screma 6 (a) map <<x -> x*2>>", fold(ADD, 6, "a"))
}

#[test]
fn a23_contributions_that_are_not_executed() {
    // arrays of different sizes: generate 1 (\_ -> 42), never a
    let body = "let (k: i64, y: [k]f64) = if true then { let (one: [1]f64) = array [42.0f64] of f64 in (1i64, one) } else { in (6i64, a) }
       let (r: f64) = screma k (y) map <<x -> x>> reduce comm <<p, q -> p + q>> neutral (0.0f64) in (r)";
    on_a(body, "42", ZEROS);
}

#[test]
fn a24_branches_taken_and_shared_values() {
    for (body, at, gives, gradient) in [
        ("then { in (a) } else { in (b) }", A, "4.45", ONES),
        ("then { in (a) } else { in (b) }", MINUS_A, "-8.9", TWOS),
        ("then { in (b) } else { in (a) }", A, "8.9", TWOS),
        ("then { in (b) } else { in (a) }", MINUS_A, "-4.45", ONES),
    ] {
        let body = format!(
            "{} let (c: bool) = $ 0 < total $ let (y: [6]f64) = if c {body} let (r: f64) = {} in (r)",
            total_and_double(),
            fold(ADD, 6, "y")
        );
        on(at, &body, gives, gradient);
    }
    // acond_1: only the length of what is chosen is used
    let body = format!(
        "{} let (c: bool) = $ 0 < total $ let (k: i64, a1: [k]f64) = if c then {{ in (6i64, a) }} else {{ in (6i64, b) }}
         let (r: f64) = screma 6 (b) map <<x -> x*f64(k)>> reduce {ADD} in (r)",
        total_and_double()
    );
    on(A, &body, "53.4", "[12, 12, 12, 12, 12, 12]");
    on(MINUS_A, &body, "-53.4", "[12, 12, 12, 12, 12, 12]");
    // acond_2a, 2b: what a branch captures is used outside, too
    for product in ["x*y", "y*x"] {
        let body = format!(
            "{} let (c: bool) = $ total <= 2 $
             let (z: [6]f64) = if c then {{ let (z1: [6]f64) = screma 6 (b) map <<x -> x + 1>> in (z1) }} else {{ let (z2: [6]f64) = screma 6 (b) map <<x -> x*2 - 1>> in (z2) }}
             let (r: f64) = screma 6 (b, z) map <<x, y -> {product}>> reduce {ADD} in (r)",
            total_and_double()
        );
        on(A, &body, "176.32", "[18, -38, 10, 50, -14, 33.2]");
        on(MINUS_A, &body, "83.71", "[-8, 20, -4, -24, 8, -15.6]");
    }
    // the array of §3.4.3: sum (if arg[0] < 0 then take 5 arg else map (*2) arg)
    let f = |n: usize| {
        format!(
            "fun \"f\"(a: [{n}]f64) -> (res: f64) {{
               let (c: bool) = $ a[0] < 0 $
               let (k: i64, y: [k]f64) = if c then {{ let (t: [5]f64) = slice a[0i64:5:1i64] in (5i64, t) }} else {{
                 let (d: [{n}]f64) = screma {n} (a) map <<x -> x*2>> in ({n}i64, d)
               }}
               let (r: f64) = screma k (y) map <<x -> x>> reduce {ADD} in (r)
             }}"
        )
    };
    row(&f(7), "[-1, 2, 3, 4, 5, 6, 7]", "13").adjoints("1", "[1, 1, 1, 1, 1, 0, 0]");
    row(&f(7), "[1, 2, 3, 4, 5, 6, 7]", "56").adjoints("1", "[2, 2, 2, 2, 2, 2, 2]");
    // aindex_acond: an index that is only in range in the branch that uses it
    let body = format!(
        "let (total: f64) = {} let (near: f64) = $ round(total) $ let (s: i64) = conv.f64.i64(near)
         let (r: f64) = $ if 0 <= near then (if near < 6 then a[s] else 0.0) else 0.0 $ in (r)",
        fold(ADD, 6, "a")
    );
    on(A, &body, "-0.75", "[0, 0, 0, 0, 1, 0]");
    on(MINUS_A, &body, "0", ZEROS);
}

#[test]
fn a25_scalars_as_results_of_branches() {
    // acond_3b: if n >= 0 then 42 else …
    let body = |n: i64| {
        format!(
            "let (c: bool) = le.i64(0i64, {n}i64)
             let (r: f64) = if c then {{ in (42.0f64) }} else {{
               let (p: f64) = screma 6 (a) map <<x -> x*2>> reduce {ADD}
               let (q: f64) = screma 6 (a) map <<x -> x + 3>> reduce {}
               let (s: f64) = $ p + q $
               in (s)
             }} in (r)",
            ADD.replace("add", "plus")
        )
    };
    on_a(&body(6), "42", ZEROS);
    // 3 * 4.45 + 18
    on_a(&body(-1), "31.35", "[3, 3, 3, 3, 3, 3]");
}

#[test]
fn a26_tuples_of_arrays_of_different_sizes() {
    let f = format!(
        "fun \"f\"(n: i64, m: i64, a: [n]f64, b: [m]f64) -> (res: f64) {{
           let (rem: i64) = mod.i64(n, 3i64)
           let (c: bool) = eq.i64(rem, 0i64)
           let (h: i64, w: i64, k: i64, a1: [h][w]f64, a2: [k]f64) = if c then {{
             let (xss: [m][3]f64) = screma m (b) map \\(x: f64) -> ([3]f64) {{ let (xs: [3]f64) = replicate [3] x in (xs) }}
             in (m, 3i64, n, xss, a)
           }} else {{
             let (ij: [1][2]f64) = replicate [1][2] 0.0f64
             let (ij1: [1][2]f64) = update ij[0i64, 1i64] = 1.0f64
             in (1i64, 2i64, m, ij1, b)
           }}
           let (some: bool) = lt.i64(0i64, h)
           let (probe: f64) = if some then {{ let (p: f64) = index a1[0i64, 1i64] in (p) }} else {{ in (42.0f64) }}
           let (d: bool) = $ 0 < probe $
           let (h1: i64, w1: i64, k1: i64, b1: [h1][w1]f64, b2: [k1]f64) = if d then {{ in (h, w, k, a1, a2) }} else {{
             let (is: [4]i64) = iota i64 (4i64, 0i64, 1i64)
             let (gss: [4][4]f64) = screma 4 (is) map \\(i: i64) -> ([4]f64) {{ let (gs: [4]f64) = screma 4 (is) map <<j: i64 -> a2[mod(i*j, k)]>> in (gs) }}
             let (col: [h]f64) = screma h (a1) map \\(row: [w]f64) -> (f64) {{ let (e: f64) = index row[0i64] in (e) }}
             in (4i64, 4i64, h, gss, col)
           }}
           let (sums: [h1]f64) = screma h1 (b1) map \\(r1: [w1]f64) -> (f64) {{
             let (s: f64) = screma w1 (r1) map <<v -> v>> reduce {ADD}
             in (s)
           }}
           let (l: i64) = min.i64(h1, k1)
           let (ls: [l]i64) = iota i64 (l, 0i64, 1i64)
           let (r: f64) = screma l (ls) map <<u: i64 -> b2[u] + sums[u]>> reduce comm <<y, z -> y + z>> neutral (0.0f64)
           in (r)
         }}"
    );
    let of = |a: &str, n: usize, b: &str, gives: &str, gradients: &str| {
        row_to(SIX_DIGITS, &f, &format!("{n}i64 4i64 {a} {b}"), gives).adjoints("1", gradients);
    };
    of(A, 6, B, "19.5", "[1, 1, 1, 1, 0, 0] [3, 3, 3, 3]");
    of("[1.25, -2.25, 0.75, 3.25, -0.75]", 5, B, "1.5", "[0, 0, 0, 0, 0] [1, 0, 0, 0]");
    of("[1.25, -2.25, 0.75]", 3, "[-0.5, 1.25, 2, 1.75]", "16.5", "[12, 2, 2] [1, 1, 1, 1]");
}

#[test]
fn a27_scalar_conditions() {
    let each = |e: &str| format!("let (r: f64) = screma 6 (a) map <<x -> {e}>> reduce {ADD} in (r)");
    on(A, &each("if 0 < x then x else 2*x"), "1.45", "[1, 2, 1, 1, 2, 1]");
    on(MINUS_A, &each("if 0 < x then x else 2*x"), "-11.9", "[2, 1, 2, 2, 1, 2]");
    on(
        A,
        &each("2*(if 0 < x then sin(x*x) else x*x*exp(x))"),
        "0.8660188",
        "[0.0414812, 0.118574, 2.53777, -5.45562, -0.885687, 1.11993]",
    );
    // cond_2: a wave of two pieces, squared; u mod 2π toward minus infinity
    let with_lets = |lets: &str, result: &str| {
        format!(
            "let (r: f64) = screma 6 (a) map \\(x: f64) -> (f64) {{ {lets} let (last: f64) = $ {result} $ in (last) }} reduce {ADD} in (r)"
        )
    };
    let wave = "let (tau: f64) = $ 6.283185307179586*1 $
      let (q: f64) = $ x/tau $
      let (m: f64) = $ x - floor(q)*tau $
      let (u: f64) = $ x - 1.5707963267948966 $
      let (n: f64) = $ u - floor(u/tau)*tau $
      let (d: f64) = $ 2 - n/1.5707963267948966 $
      let (y: f64) = $ if m < 3.141592653589793 then sin(x) else 0.26179938779914943*(d*d*d*d*d*d - 1) $";
    on_a(&with_lets(wave, "y*y"), "2.160635", "[0.598472, 0.00786234, 0.997495, 0.12776, -0.0199823, -0.951602]");
    // cond_3: a branch captures a value that is used outside
    let captured = "let (u: f64) = $ 2*x $ let (v: f64) = $ if x <= 2 then u + 1 else 2*u - 1 $";
    for product in ["u*v", "v*u"] {
        on(A, &with_lets(captured, product), "141.32", "[12, -16, 8, 50, -4, 33.2]");
        on(MINUS_A, &with_lets(captured, product), "94.96", "[-8, 34, -4, -24, 8, -15.6]");
    }
    // cond_4: nested
    let nested = "let (u: f64) = $ if 1 <= x then log(x) + 1 else (if x - 2 < -3 then exp(x + 1) - 2 else x) $ let (y: f64) = $ 2*exp(u) $";
    let result = "u*(if u < -1 then u + y else y)";
    on(A, &with_lets(nested, result), "72.9825", "[12.0863, -1.05554, 7.4095, 17.281, 0.236183, 15.1596]");
    on(MINUS_A, &with_lets(nested, result), "30.67407", "[-2.00374, 15.2818, 0.236183, -0.427737, 7.4095, -1.10033]");
}

#[test]
fn a28_branches_not_taken_contribute_nothing() {
    // sqrt has an infinite derivative at 0, log has none below
    let f = |e: &str| format!("fun \"f\"(x: f64) -> (r: f64) {{ let (y: f64) = $ {e} $ in (y) }}");
    row(&f("if 0 < x then sqrt(x) else 0.0"), "0", "0").at_a_kink().adjoints("1", "0");
    row(&f("if 0 < x then log(x) else x*3"), "-2", "-6").adjoints("1", "3");
    let mapped = format!(
        "fun \"f\"(a: [3]f64) -> (r: f64) {{ let (s: f64) = screma 3 (a) map <<x -> if 0 < x then sqrt(x) else 0.0>> reduce {ADD} in (s) }}"
    );
    row(&mapped, "[4, 0, -1]", "2").at_a_kink().adjoints("1", "[0.25, 0, 0]");
}
