//! Checks, calls, branches and loops.

use super::*;

/// A check that x² relies on.
fn guarded(name: &'static str, params: &str, check: &str) -> Case {
    let node = FORMS
        .iter()
        .find(|f| f.strip_prefix("check ").is_some_and(|kind| check.starts_with(kind)))
        .expect("a kind of check");
    let body = format!("let (c: cert) = check {check} let (y: f64) = mul.f64(x, x) certs (c) in (y)");
    case(node, name, [&format!("{params}, x: f64"), "r: f64", &body], "", "9")
}

impl Case {
    fn at(mut self, args: &str) -> Case {
        self.args = format!("{args} 3");
        self
    }
    fn fails_at(self, args: &str, kind: FailureKind) -> Case {
        self.fails(&format!("{args} 3"), kind)
    }
}

pub fn cases() -> Vec<Case> {
    vec![
        guarded("a condition", "b: bool", "assert b \"b holds\"").at("true").fails_at("false", FailureKind::Assertion),
        guarded("two indices", "i: i64, j: i64", "bounds (i, j) [2][3]").at("1i64 2i64").fails_at("2i64 0i64", FailureKind::Bounds).fails_at("0i64 -1i64", FailureKind::Bounds),
        guarded("a slice", "i: i64, j: i64, s: i64", "slice (i, j, s) [4]").at("0i64 4i64 2i64").fails_at("0i64 5i64 1i64", FailureKind::Bounds).fails_at("0i64 2i64 0i64", FailureKind::Bounds),
        guarded("a shape", "n: i64, m: i64, xs: [n][m]f64", "size [n][m] = [1][2]").at("1i64 2i64 [[1, 2]]").fails_at("2i64 1i64 [[1], [2]]", FailureKind::Shape),
        guarded("a divisor", "i: i32", "nonzero i").at("-1i32").fails_at("0i32", FailureKind::DivisionByZero),
        guarded("an exponent", "i: i32", "exponent i").at("0i32").fails_at("-1i32", FailureKind::NegativeExponent),
        guarded("a size", "n: i64", "nonnegative n").at("0i64").fails_at("-1i64", FailureKind::NegativeSize),
        guarded("a product of sizes", "n: i64, m: i64", "shape [n][m]").at("2i64 3i64").fails_at("-1i64 -3i64", FailureKind::NegativeSize).fails_at("4611686018427387904i64 4i64", FailureKind::Shape),
        guarded("an array", "n: i64, xs: [n]f64", "made xs").at("2i64 [1, 2]"),
        guarded("upwards", "i: i32, j: i32, k: i32", "range upto (i, j, k)").at("0i32 2i32 7i32").fails_at("0i32 0i32 7i32", FailureKind::Range).fails_at("0i32 1i32 -1i32", FailureKind::Range),
        guarded("downwards", "i: i32, j: i32, k: i32", "range downto (i, j, k)").at("7i32 5i32 0i32").fails_at("0i32 1i32 0i32", FailureKind::Range),
        case("call", "a size and an array", ["n: i64, xs: [n]f64", "r: f64",
            "let (m: i64, ys: [m]f64) = call \"twice\"(n, xs) let (s: f64) = screma m (ys) map <<x -> x*x>> reduce <<x, y -> x + y>> neutral (0.0f64) in (s)"], "2i64 [1, 2]", "10")
            .with("fun \"twice\"(n1: i64, us: [n1]f64) -> (k: i64, *vs: [k]f64) { let (k1: i64) = mul.i64(n1, 2i64) let (ws: [k1]f64) = concat k1 (us, us) in (k1, ws) }"),
        case("call", "recursive", ["x: f64, n: i64", "r: f64", "let (y: f64) = call \"power\"(x, n) in (y)"], "2 5i64", "32").with(
            "fun \"power\"(b: f64, k: i64) -> (p: f64) {
               let (done: bool) = eq.i64(k, 0i64)
               let (q: f64) = if done then { in (1.0f64) } else {
                 let (l: i64) = sub.i64(k, 1i64)
                 let (o: f64) = call \"power\"(b, l)
                 let (t: f64) = mul.f64(b, o)
                 in (t)
               }
               in (q)
             }"),
        case("if", "then", ["x: f64, y: f64", "r: f64", "let (z: f64) = $ if x < y then x*y else sqrt(x) $ in (z)"], "2 3", "6"),
        case("if", "else", ["x: f64, y: f64", "r: f64", "let (z: f64) = $ if x < y then x*y else sqrt(x) $ in (z)"], "4 3", "2"),
        case("if", "with results of different sizes", ["b: bool, xs: [3]f64", "r: f64",
            "let (n: i64, ys: [n]f64) = if b then { in (3i64, xs) } else { let (zs: [1]f64) = slice xs[1i64:1:1i64] in (1i64, zs) }
             let (s: f64) = screma n (ys) map <<x -> x*x>> reduce <<x, y -> x + y>> neutral (0.0f64) in (s)"], "false [1, 2, 3]", "4"),
        case("match", "an integer and a boolean", ["i: i32, b: bool, x: f64", "r: f64",
            "let (y: f64) = match (i, b) case (1i32, true) { in (x) } case (2i32, _) { let (z: f64) = $ x*x $ in (z) } else { in (0.0f64) } in (y)"], "2i32 false 3", "9"),
        case("match", "no case", ["i: i32, x: f64", "r: f64", "let (y: f64) = match (i) case (1i32) { in (x) } else { let (z: f64) = $ x*x*x $ in (z) } in (y)"], "7i32 2", "8"),
        // x ← x² + i for i = 0, 1, 2 from 1: 1, 2, 6
        case("loop for", "a scalar and the index", ["x: f64, n: i32", "r: f64",
            "let (y: f64) = loop (z: f64 = x) for i: i32 < n do { let (k: f64) = conv.i32.f64(i) let (w: f64) = $ z*z + k $ in (w) } in (y)"], "1 3i32", "6"),
        case("loop for", "no rounds", ["x: f64, n: i64", "r: f64", "let (y: f64) = loop (z: f64 = x) for i: i64 < n do { let (w: f64) = $ z*z $ in (w) } in (y)"], "3 -1i64", "3"),
        // doubled twice: 4 times the sum of squares
        case("loop for", "an array that grows", ["n: i64, xs: [n]f64", "r: f64",
            "let (m: i64, ys: [m]f64) = loop (k: i64 = n, zs: [k]f64 = xs) for i: i64 < 2i64 do { let (l: i64) = mul.i64(k, 2i64) let (ws: [l]f64) = concat l (zs, zs) in (l, ws) }
             let (s: f64) = screma m (ys) map <<x -> x*x>> reduce <<x, y -> x + y>> neutral (0.0f64) in (s)"], "2i64 [1, 2]", "20"),
        case("loop for", "an array updated in place", ["xs: [3]f64", "r: [3]f64",
            "let (cs: [3]f64) = copy xs
             let (ys: [3]f64) = loop (*zs: [3]f64 = cs) for i: i64 < 2i64 do {
               let (a: f64) = index zs[i] let (j: i64) = add.i64(i, 1i64) let (b: f64) = index zs[j] let (p: f64) = $ a*b $ let (ws: [3]f64) = update zs[j] = p in (ws)
             } in (ys)"], "[2, 3, 4]", "[2, 6, 24]"),
        // 3, 9, 81: squared while below 50
        case("loop while", "a scalar", ["x: f64", "r: f64",
            "let (b: bool) = $ x < 50 $
             let (c: bool, y: f64) = loop (go: bool = b, z: f64 = x) while go do { let (w: f64) = $ z*z $ let (on: bool) = lt.f64(w, 50.0f64) in (on, w) } in (y)"], "3", "81"),
        case("loop while", "no rounds", ["x: f64", "r: f64",
            "let (c: bool, y: f64) = loop (go: bool = false, z: f64 = x) while go do { let (w: f64) = $ z*z $ in (true, w) } in (y)"], "3", "3"),
    ]
}
