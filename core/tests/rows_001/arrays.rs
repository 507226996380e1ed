//! 001 A8 to A22: maps, generation, indices, folds, scans and views.

use super::*;
use crate::common::row::row;

const INDEX: &str = "mod(i64(abs(round(x))), 6)";

#[test]
fn a8_map() {
    on_a(
        &format!("let (y: [6]f64) = screma 6 (a) map <<x -> x*3>> let (r: f64) = {} in (r)", fold(ADD, 6, "y")),
        "13.35",
        "[3, 3, 3, 3, 3, 3]",
    );
    row(&format!("fun \"f\"(a: [0]f64) -> (r: f64) {{ let (y: [0]f64) = screma 0 (a) map <<x -> x*3>> let (s: f64) = {} in (s) }}", fold(ADD, 0, "y")), "empty([0]f64)", "0")
        .adjoints("1", "empty([0]f64)");
}

#[test]
fn a9_arrays_of_different_lengths() {
    on_ab(
        &generate_sum(4, "<<i: i64 -> sin(a[i])*cos(a[i] + b[i])>>"),
        "-1.250279",
        "[-0.989992, -0.99413, -0.936457, -0.385748, 0, 0]",
        "[-0.933788, -0.654726, -0.260155, -0.103751]",
    );
    let f =
        format!("fun \"f\"(a: [3]f64, b: [2]f64) -> (res: f64) {{ {} }}", generate_sum(2, "<<i: i64 -> a[i]*b[i]>>"));
    row(&f, "[1, 2, 3] [4, 5]", "14").adjoints("1", "[4, 5, 0] [1, 2]");
}

#[test]
fn a10_generation_with_indices() {
    on_a(&generate_sum(3, "<<i: i64 -> a[2*i]>>"), "1.25", "[1, 0, 1, 0, 1, 0]");
    on_a(&generate_sum(12, "<<i: i64 -> a[i/2] + a[min(mod(i, 2), 5)]>>"), "2.9", "[8, 8, 2, 2, 2, 2]");
    on_a(&generate_sum(12, "<<i: i64 -> if i < 5 then a[i/2] else 42>>"), "292.75", "[2, 2, 1, 0, 0, 0]");
    on_a(&generate_sum(12, "<<i: i64 -> if i < 6 then a[i] else a[i - 6]>>"), "8.9", TWOS);
    on_a(&generate_sum(5, "<<i: i64 -> a[mod(i, 6)]>>"), "2.25", "[1, 1, 1, 1, 1, 0]");
}

#[test]
fn a11_maps_with_indices() {
    on_a(
        &format!("let (r: f64) = screma 6 (a) map <<x -> x + a[2]>> reduce {ADD} in (r)"),
        "8.95",
        "[1, 1, 7, 1, 1, 1]",
    );
    on_a(
        &format!("let (r: f64) = screma 6 (a) map <<x -> x + a[{INDEX}]>> reduce {ADD} in (r)"),
        "2.45",
        "[1, 4, 3, 2, 1, 1]",
    );
    let gather = generate2(6, 6, "a[and(i, j)]");
    let maxima = format!(
        "{gather} let (b: [6]f64) = screma 6 (xss) map \\(row: [6]f64) -> (f64) {{ let (m: f64) = {} let (m1: f64) = $ max(-20, m) $ in (m1) }}
         let (r: f64) = screma 6 (a) map <<x -> x*b[{INDEX}]>> reduce {ADD} in (r)",
        fold(MAX, 6, "row")
    );
    // equal elements of a row are one element of a
    let f = format!("fun \"f\"(a: [6]f64) -> (res: f64) {{ {maxima} }}");
    row_to(SIX_DIGITS, &f, A, "12.0625").adjoints("1", "[2.45, 1.25, 1.25, 6.5, 1.25, 1.25]");
    let sums = format!(
        "{} {} let (r: f64) = screma 6 (sums) map <<x -> x*a[{INDEX}]>> reduce {ADD} in (r)",
        generate2(6, 6, "a[min(xor(i, j), 5)]"),
        row_sums(6, 6)
    );
    on_a(&sums, "-18.635", "[-1.6, 13.2, -6, -6, 11.8, 12.4]");
}

#[test]
fn a12_two_arrays_in_one_let() {
    let body = format!(
        "let (p: [6]f64, q: [6]f64) = screma 6 (a) map <<x -> x*x, x + 1>> {}",
        generate_sum(6, "<<i: i64 -> p[i]*q[i]>>")
    );
    on_a(&body, "58.69112", "[7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92]");
}

#[test]
fn a13_indices_under_conditions() {
    // an index out of bounds if the wrong branch runs
    let body = |name: &str| {
        format!(
            "let (b: [6]f64) = screma 6 (a) map <<x -> x*2>>
             let (total: f64) = {}
             let (place: f64) = $ floor(1/(1 + exp(-total))*11.99) $
             let (idx: i64) = conv.f64.i64(place)
             let (is{name}: [12]i64) = iota i64 (12i64, 0i64, 1i64)
             let (low: bool) = lt.i64(idx, 6i64)
             let (ys: [12]f64) = if low then {{
               let (us: [12]f64) = screma 12 (is{name}) map <<i: i64 -> if i <= idx then a[i] else b[(i - idx)/2]>>
               in (us)
             }} else {{
               let (vs: [12]f64) = screma 12 (is{name}) map <<i: i64 -> a[idx - 6] + (if i < 6 then a[i] else b[i - 6])>>
               in (vs)
             }}
             let (r: f64) = {} in (r)",
            fold(ADD, 6, "a"),
            fold(ADD, 12, "ys")
        )
    };
    on_a(&body(""), "39.75", "[3, 3, 3, 3, 3, 15]");
    on(MINUS_A, &body(""), "-16.55", "[3, 4, 4, 4, 4, 4]");
}

#[test]
fn a14_sums() {
    let replicated = format!(
        "let (c: [6]f64) = screma 6 (a) map <<x -> x*x + x>> let (rep: [5][6]f64) = replicate [5] c
         let (xss: [5][6]f64) = screma 5 (rep) map \\(row: [6]f64) -> ([6]f64) {{ let (ys: [6]f64) = screma 6 (row) map <<x -> x/20>> in (ys) }} {}",
        sum_all(5, 6)
    );
    on_a(&replicated, "6.900625", "[0.875, -0.875, 0.625, 1.875, -0.125, 1.35]");
}

#[test]
fn a15_folds() {
    on_a(
        &format!("let (r: f64) = {} in (r)", fold(MUL, 6, "a")),
        "11.31152",
        "[9.04922, -5.02734, 15.082, 3.48047, -15.082, 5.1416]",
    );
    // an initial value that is not neutral
    let max3 = |a: &str, n: usize| format!("let (m: f64) = {} let (r: f64) = $ max(3, m) $ in (r)", fold(MAX, n, a));
    on_a(&max3("a", 6), "3.25", "[0, 0, 0, 1, 0, 0]");
    on(MINUS_A, &max3("a", 6), "3", ZEROS);
    row(&format!("fun \"f\"(a: [3]f64) -> (res: f64) {{ {} }}", max3("a", 3)), "[1, 2, 2.5]", "3")
        .adjoints("1", "[0, 0, 0]");
    // an operator without neutral element: in order
    let abs = "let (r: f64) = loop (s: f64 = 0.0f64) for i: i64 < 6i64 do {
      let (x: f64) = index a[i]
      let (t: f64) = $ (if s < 0 then -s else s) + (if x < 0 then -x else x) $
      in (t)
    } in (r)";
    on_a(abs, "10.45", "[1, -1, 1, 1, -1, 1]");
    // zeros, where division would not do
    let product =
        |n: usize| format!("fun \"f\"(a: [{n}]f64) -> (res: f64) {{ let (r: f64) = {} in (r) }}", fold(MUL, n, "a"));
    row(&product(3), "[2, 0, 3]", "0").adjoints("1", "[0, 6, 0]");
    row(&product(4), "[2, 0, 0, 3]", "0").adjoints("1", "[0, 0, 0, 0]");
    // of each row
    let rows = format!(
        "fun \"f\"(xss: [2][3]f64) -> (r: [2]f64) {{ let (y: [2]f64) = screma 2 (xss) map \\(row: [3]f64) -> (f64) {{ let (p: f64) = {} in (p) }} in (y) }}",
        fold(MUL, 3, "row")
    );
    row(&rows, "[[2, 0, 3], [1, 2, 3]]", "[0, 6]").adjoints("[1, 10]", "[[0, 6, 0], [60, 30, 20]]");
}

#[test]
fn a16_maxima() {
    on_a(&format!("let (r: f64) = {} in (r)", fold(MAX, 6, "a")), "3.25", "[0, 0, 0, 1, 0, 0]");
    // of equal elements the first
    let f =
        |n: usize| format!("fun \"f\"(a: [{n}]f64) -> (res: f64) {{ let (r: f64) = {} in (r) }}", fold(MAX, n, "a"));
    row(&f(3), "[2, 2, 1]", "2").at_a_kink().adjoints("1", "[1, 0, 0]");
    row(&f(3), "[1, 2, 2]", "2").at_a_kink().adjoints("1", "[0, 1, 0]");
}

#[test]
fn a17_free_variables_and_the_initial_value() {
    // x c + y from z: z c³ + a0 c² + a1 c + a2
    let f = "fun \"f\"(a: [3]f64, c: f64, z: f64) -> (r: f64) {
      let (y: f64) = loop (s: f64 = z) for i: i64 < 3i64 do { let (x: f64) = index a[i] let (t: f64) = $ s*c + x $ in (t) }
      in (y)
    }";
    row(f, "[1, 2, 3] 3 2", "72").adjoints("1", "[9, 3, 1] 62 27");
}

#[test]
fn a18_folds_of_tuples() {
    // (1 + 2i)(3 + 4i)(5 + 6i) = (-5 + 10i)(5 + 6i) = -85 + 20i; by the first factor: (3 + 4i)(5 + 6i) = -9 + 38i
    let f = "fun \"f\"(re: [3]f64, im: [3]f64) -> (r: f64, s: f64) {
      let (x: f64, y: f64) = screma 3 (re, im) map <<p, q -> p, q>> reduce comm <<p, q, t, u -> p*t - q*u, p*u + q*t>> neutral (1.0f64, 0.0f64)
      in (x, y)
    }";
    let r = row(f, "[1, 3, 5] [2, 4, 6]", "-85 20").jacobians();
    let rows = r.by_vjp();
    assert_eq!([rows[0][0], rows[0][3], rows[1][0], rows[1][3]], [-9., -38., 38., -9.]);
    // the largest and where it is
    let f = "fun \"f\"(a: [4]f64) -> (r: f64, s: i64) {
      let (is: [4]i64) = iota i64 (4i64, 0i64, 1i64)
      let (x: f64, k: i64) = screma 4 (a, is) map <<p, i: i64 -> p, i>> reduce <<p, i: i64, q, j: i64 -> max(p, q), if p < q then j else i>> neutral (-f64.inf, -1i64)
      in (x, k)
    }";
    row(f, "[3, 7, 1, 5]", "7 1i64").adjoints("2 0i64", "[0, 2, 0, 0]");
}

#[test]
fn a19_scans() {
    let scan = |op: &str| {
        format!(
            "let (y: [6]f64) = screma 6 (a) map <<x -> x>> scan {op} let (r: f64) = screma 6 (y) map <<x -> x*x>> reduce {ADD} in (r)"
        )
    };
    for op in [ADD, MUL] {
        row_to(
            SIX_DIGITS,
            &format!("fun \"f\"(a: [6]f64) -> (res: f64) {{ {} }}", scan(op)),
            ONES,
            if op == ADD { "91" } else { "6" },
        )
        .jacobians();
    }
    // h ← p h + q from h = 0: (2, 1), (3, 4), (5, 6): 1, 7, 41
    let f = "fun \"f\"(p: [3]f64, q: [3]f64) -> (r: [3]f64) {
      let (y: [3]f64, z: [3]f64) = screma 3 (p, q) map <<s, t -> s, t>> scan <<b, c, d, e -> b*d, c*d + e>> neutral (1.0f64, 0.0f64)
      in (z)
    }";
    row(f, "[2, 3, 5] [1, 4, 6]", "[1, 7, 41]").adjoints("[0, 0, 1]", "[0, 5, 7] [15, 5, 1]");
}

#[test]
fn a21_views() {
    // reshape
    let halves = "let (xss: [2][3]f64) = reshape [2][3] a";
    on_a(
        &format!("{halves} {} let (r: f64) = {} in (r)", row_sums(2, 3), fold(MUL, 2, "sums")),
        "-1.175",
        "[4.7, 4.7, 4.7, -0.25, -0.25, -0.25]",
    );
    let columns = format!(
        "{halves} let (yss: [6][1]f64) = reshape [6][1] xss
         let (ps: [6]f64) = screma 6 (yss) map \\(row: [1]f64) -> (f64) {{ let (p: f64) = {} in (p) }} let (r: f64) = {} in (r)",
        fold(MUL, 1, "row"),
        fold(ADD, 6, "ps")
    );
    on_a(&columns, "4.45", ONES);
    // replicate: each element five times
    let c = "let (c: [6]f64) = screma 6 (a) map <<x -> x*x + x>>";
    let inner = format!(
        "{c} let (ps: [6]f64) = screma 6 (c) map \\(x: f64) -> (f64) {{ let (rep: [5]f64) = replicate [5] x let (s: f64) = screma 5 (rep) map <<y -> y*2>> reduce {ADD} in (s) }}
         let (r: f64) = {} in (r)",
        fold(MUL, 6, "ps")
    );
    on_a(&inner, "-1.892913e8", "[-2.35562e8, 2.35562e8, -3.60555e8, -1.02783e8, -5.04777e8, -1.45195e8]");
    // in four dimensions, by two patterns: [i, 5, j, 3] and [5, i, 3, j] of c[i, j]
    let pairs = "let (cs: [6][2]f64) = screma 6 (a) map \\(x: f64) -> ([2]f64) { let (y: f64) = $ x*x + x $ let (ys: [2]f64) = replicate [2] y in (ys) }";
    let total = |t: &str| {
        format!(
            "let (flat: [180]f64) = reshape [180] {t} let (r: f64) = screma 180 (flat) map <<v -> v*2>> reduce {ADD} in (r)"
        )
    };
    let first = format!(
        "{pairs} let (t: [6][5][2][3]f64) = screma 6 (cs) map \\(pair: [2]f64) -> ([5][2][3]f64) {{
           let (zs: [2][3]f64) = screma 2 (pair) map \\(z: f64) -> ([3]f64) {{ let (us: [3]f64) = replicate [3] z in (us) }}
           let (ws: [5][2][3]f64) = replicate [5] zs
           in (ws)
         }} {}",
        total("t")
    );
    let second = format!(
        "{pairs} let (u: [6][3][2]f64) = screma 6 (cs) map \\(pair: [2]f64) -> ([3][2]f64) {{ let (us: [3][2]f64) = replicate [3] pair in (us) }}
         let (t: [5][6][3][2]f64) = replicate [5] u {}",
        total("t")
    );
    for body in [first, second] {
        on_a(&body, "1656.15", "[210, -210, 150, 450, -30, 324]");
    }
    // slices: one row of a replicated array, one of a gathered one (7 mod 6 = 1)
    on_a(
        &format!(
            "let (t: [4][4][6]f64) = replicate [4][4] a let (row: [6]f64) = index t[2i64, 1i64] let (r: f64) = {} in (r)",
            fold(ADD, 6, "row")
        ),
        "4.45",
        ONES,
    );
    let gathered = format!(
        "let (is: [6]i64) = iota i64 (6i64, 0i64, 1i64) let (ks: [7]i64) = iota i64 (7i64, 0i64, 1i64)
         let (t: [6][6][7]f64) = screma 6 (is) map \\(i: i64) -> ([6][7]f64) {{
           let (t1: [6][7]f64) = screma 6 (is) map \\(j: i64) -> ([7]f64) {{
             let (t2: [7]f64) = screma 7 (ks) map <<k: i64 -> a[mod(i + j + k, 6)]>>
             in (t2)
           }}
           in (t1)
         }}
         let (row: [7]f64) = index t[1i64, 3i64] let (r: f64) = {} in (r)",
        fold(ADD, 7, "row")
    );
    on_a(&gathered, "3.7", "[1, 1, 1, 1, 2, 1]");
}

#[test]
fn a22_repeated_sources_add() {
    let gather = generate2(5, 10, "a[mod(i + j, 6)]");
    on_a(&format!("{gather} {}", sum_all(5, 10)), "38.1", "[8, 8, 8, 9, 9, 8]");
    // c = row sums; d[_, i, j] = c[min 4 (i j)]; the sum of d[_, _, 2]/2
    let body = format!(
        "{gather} {} let (is: [3]i64) = iota i64 (3i64, 0i64, 1i64) let (ds: [3]f64) = screma 3 (is) map <<k: i64 -> sums[min(4, k*2)]/2>>
         let (rep: [2][3]f64) = replicate [2] ds let (flat: [6]f64) = reshape [6] rep let (r: f64) = {} in (r)",
        row_sums(5, 10),
        fold(ADD, 6, "flat")
    );
    on_a(&body, "22.25", "[5, 5, 5, 5, 5, 5]");
}
