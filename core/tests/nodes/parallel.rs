//! SOACs, histograms, scatters, streams, irregular maps and accumulators.

use super::*;

const ADD: &str = "comm <<addx, addy -> addx + addy>> neutral (0.0f64)";
const MUL: &str = "<<mulx, muly -> mulx*muly>> neutral (1.0f64)";
const ACC: &str = "acc(id, [2] (f64))";

pub fn cases() -> Vec<Case> {
    let mut all = maps();
    all.extend(writes());
    all.extend(streams());
    all
}

fn maps() -> Vec<Case> {
    vec![
        case("screma map", "two arrays and a free variable", ["xs: [2]f64, ys: [2]f64, c: f64", "r: [2]f64, s: [2]f64",
            "let (a: [2]f64, b: [2]f64) = screma 2 (xs, ys) map <<x, y -> x*y, y + c*c>> in (a, b)"], "[1, 2] [3, 4] 5", "[3, 8] [28, 29]"),
        case("screma map", "of arrays", ["xss: [2][2]f64", "r: [2]f64",
            &format!("let (a: [2]f64) = screma 2 (xss) map \\(xs: [2]f64) -> (f64) {{ let (s: f64) = screma 2 (xs) map <<x -> x*x>> reduce {ADD} in (s) }} in (a)")],
            "[[1, 2], [3, 4]]", "[5, 25]"),
        case("screma map", "of nothing", ["xs: [0]f64, c: f64", "r: [0]f64, s: f64", "let (a: [0]f64) = screma 0 (xs) map <<x -> x*c>> in (a, c)"], "empty([0]f64) 1", "empty([0]f64) 1"),
        case("screma scan", "products", ["xs: [3]f64", "r: [3]f64", &format!("let (a: [3]f64) = screma 3 (xs) map <<x -> x + 1>> scan {MUL} in (a)")], "[1, 2, 3]", "[2, 6, 24]"),
        // (a, b) then (c, d): (a c, b c + d): x ↦ a x + b
        case("screma scan", "linear functions, and a sum and a map beside", ["xs: [3]f64, ys: [3]f64", "r: [3]f64, s: [3]f64, t: f64, u: [3]f64",
            &format!("let (a: [3]f64, b: [3]f64, c: f64, d: [3]f64) = screma 3 (xs, ys) map <<x, y -> x, y, y, x*x>> scan <<p, q, r1, s1 -> p*r1, q*r1 + s1>> neutral (1.0f64, 0.0f64)
              reduce {ADD} in (a, b, c, d)")], "[2, 3, 4] [1, 5, 6]", "[2, 6, 24] [1, 8, 38] 12 [4, 9, 16]"),
        case("screma reduce", "products", ["xs: [3]f64", "r: f64", &format!("let (a: f64) = screma 3 (xs) map <<x -> x>> reduce {MUL} in (a)")], "[2, 3, 4]", "24"),
        case("screma reduce", "of rows", ["xss: [2][2]f64", "r: [2]f64",
            "let (ne: [2]f64) = replicate [2] 1.0f64
             let (a: [2]f64) = screma 2 (xss) map \\(xs: [2]f64) -> ([2]f64) { in (xs) } reduce \\(us: [2]f64, vs: [2]f64) -> ([2]f64) {
               let (ws: [2]f64) = screma 2 (us, vs) map <<x, y -> x*y>> in (ws)
             } neutral (ne) in (a)"], "[[1, 2], [3, 4]]", "[3, 8]"),
        // sums [1, 3, 6] times 10, 20, 30; the product beside
        case("screma post", "after a scan", ["xs: [3]f64, ys: [3]f64", "r: f64, s: [3]f64",
            &format!("let (p: f64, a: [3]f64) = screma 3 (xs, ys) map <<x, y -> x, x, y>> scan {ADD} reduce {MUL} post <<s1, y -> s1*y>> in (p, a)")],
            "[1, 2, 3] [10, 20, 30]", "6 [10, 60, 180]"),
    ]
}

fn writes() -> Vec<Case> {
    let add = |dest: &str| format!("let (d: {dest}) = copy dst");
    vec![
        // bin 0: 1 + 3 + 5; out of range: 2
        case("hist", "sums", ["dst: [2]f64, is: [3]i64, vs: [3]f64", "r: [2]f64",
            &format!("{} let (h: [2]f64) = hist 3 (is, vs) map <<i: i64, v -> i, v*v>> dest [2] (d) {ADD} in (h)", add("[2]f64"))],
            "[1, 2] [0i64, 2i64, 1i64] [3, 4, 5]", "[10, 27]"),
        case("hist", "products", ["dst: [2]f64, is: [3]i64, vs: [3]f64", "r: [2]f64",
            &format!("{} let (h: [2]f64) = hist 3 (is, vs) map <<i: i64, v -> i, v>> dest [2] (d) comm {MUL} in (h)", add("[2]f64"))],
            "[1, 2] [0i64, 0i64, 1i64] [3, 4, 5]", "[12, 10]"),
        case("hist", "of rank 2", ["dst: [2][2]f64, is: [3]i64, js: [3]i64, vs: [3]f64", "r: [2][2]f64",
            &format!("{} let (h: [2][2]f64) = hist 3 (is, js, vs) map <<i: i64, j: i64, v -> i, j, v*v>> dest [2][2] (d) {ADD} in (h)", add("[2][2]f64"))],
            "[[0, 0], [0, 0]] [0i64, 1i64, 0i64] [1i64, 0i64, 2i64] [2, 3, 4]", "[[0, 4], [9, 0]]"),
        // sums by i of rank 1, products by (j, i) of rank 2
        case("hist, several destinations", "of ranks 1 and 2", ["dst: [2]f64, dst1: [2][2]f64, is: [3]i64, js: [3]i64, vs: [3]f64", "r: [2]f64, s: [2][2]f64",
            &format!("{} let (e: [2][2]f64) = copy dst1
              let (h: [2]f64, k: [2][2]f64) = hist 3 (is, js, vs) map <<i: i64, j: i64, v -> i, j, i, v, v + 1>> dest [2] (d) {ADD} dest [2][2] (e) comm {MUL} in (h, k)", add("[2]f64"))],
            "[0, 0] [[1, 1], [1, 1]] [0i64, 1i64, 0i64] [1i64, 0i64, 1i64] [2, 3, 4]", "[6, 3] [[1, 4], [15, 1]]"),
        case("hist, several destinations", "a destination of two arrays", ["dst: [2]f64, dst1: [2]f64, dst2: [1]f64, is: [2]i64, vs: [2]f64", "r: [2]f64, s: [2]f64, t: [1]f64",
            &format!("{} let (e: [2]f64) = copy dst1 let (g: [1]f64) = copy dst2
              let (h: [2]f64, k: [2]f64, l: [1]f64) = hist 2 (is, vs) map <<i: i64, v -> i, i, v, v*v, v>> dest [2] (d, e) comm <<a, b, c, f -> a*c, a*f + b*c>> neutral (1.0f64, 0.0f64)
              dest [1] (g) {ADD} in (h, k, l)", add("[2]f64"))],
            // (2, 1) times (3, 9): (6, 18 + 3); bin 1 of the third is out of range
            "[2, 5] [1, 1] [7] [0i64, 1i64] [3, 4]", "[6, 20] [21, 84] [10]"),
        case("scatter", "some in range", ["dst: [3]f64, is: [3]i64, vs: [3]f64", "r: [3]f64",
            &format!("{} let (y: [3]f64) = scatter 3 (is, vs) map <<i: i64, v -> i, v*v>> dest [3] d in (y)", add("[3]f64"))],
            "[7, 8, 9] [2i64, -1i64, 0i64] [1, 2, 3]", "[9, 8, 1]"),
        case("scatter", "rows", ["dst: [2][2]f64, is: [1]i64, vss: [1][2]f64", "r: [2][2]f64",
            &format!("{} let (y: [2][2]f64) = scatter 1 (is, vss) map \\(i: i64, vs: [2]f64) -> (i64, [2]f64) {{ in (i, vs) }} dest [2] d in (y)", add("[2][2]f64"))],
            "[[1, 2], [3, 4]] [1i64] [[5, 6]]", "[[1, 2], [5, 6]]"),
        case("scatter, several destinations", "of ranks 1 and 2", ["dst: [2]f64, dst1: [2][2]f64, is: [2]i64, vs: [2]f64", "r: [2]f64, s: [2][2]f64",
            &format!("{} let (e: [2][2]f64) = copy dst1
              let (y: [2]f64, z: [2][2]f64) = scatter 2 (is, vs) map <<i: i64, v -> i, i, 1 - i, v, v*v>> dest [2] d dest [2][2] e in (y, z)", add("[2]f64"))],
            "[0, 0] [[1, 2], [3, 4]] [1i64, 0i64] [5, 6]", "[6, 5] [[1, 36], [25, 4]]"),
        // 1 + 3² + 5², out of range ignored
        case("withacc", "sums, and another result", ["dst: [2]f64, is: [3]i64, vs: [3]f64", "r: [2]f64, s: f64",
            &format!("{} let (h: [2]f64, t: f64) = withacc input [2] (d) {ADD} do \\(id: cert, a: {ACC}) -> ({ACC}, f64) {{
                let (b: {ACC}) = screma 3 (is, vs, a) map \\(i: i64, v: f64, c: {ACC}) -> ({ACC}) {{
                  let (w: f64) = $ v*v $ let (e: {ACC}) = updacc c[i] (w) in (e)
                }}
                let (u: f64) = index vs[0i64]
                in (b, u)
              }} in (h, t)", add("[2]f64"))],
            "[1, 2] [0i64, 5i64, 0i64] [3, 4, 5]", "[35, 2] 3"),
        case("withacc", "products of rank 2", ["dst: [1][2]f64, vs: [2]f64", "r: [1][2]f64",
            &format!("{} let (h: [1][2]f64) = withacc input [1][2] (d) comm {MUL} do \\(id: cert, a: acc(id, [1][2] (f64))) -> (acc(id, [1][2] (f64))) {{
                let (v: f64) = index vs[1i64]
                let (b: acc(id, [1][2] (f64))) = updacc a[0i64, 1i64] (v)
                let (c: acc(id, [1][2] (f64))) = updacc b[0i64, 1i64] (v)
                in (c)
              }} in (h)", add("[1][2]f64"))],
            "[[3, 4]] [5, 6]", "[[3, 144]]"),
        case("updacc", "in a loop", ["dst: [2]f64, x: f64", "r: [2]f64",
            &format!("{} let (h: [2]f64) = withacc input [2] (d) {ADD} do \\(id: cert, a: {ACC}) -> ({ACC}) {{
                let (b: {ACC}) = loop (*c: {ACC} = a) for i: i64 < 3i64 do {{
                  let (f: {ACC}) = updacc c[i] (x) in (f)
                }}
                in (b)
              }} in (h)", add("[2]f64"))],
            "[1, 2] 5", "[6, 7]"),
    ]
}

fn streams() -> Vec<Case> {
    vec![
        // running sums of squares: the accumulator goes from chunk to chunk
        case("streamseq", "a running sum", ["xs: [4]f64, x: f64", "r: f64, s: [4]f64",
            &format!("let (t: f64, ys: [4]f64) = streamseq 4 (xs) from (x) chunk \\(n: i64, a: f64, cs: [n]f64) -> (f64, [n]f64) {{
               let (ss: [n]f64) = screma n (cs) map <<c -> c*c>> scan {ADD}
               let (us: [n]f64) = screma n (ss) map <<u -> u + a>>
               let (sum: f64) = screma n (cs) map <<c -> c*c>> reduce {ADD}
               let (b: f64) = $ a + sum $
               in (b, us)
             }} in (t, ys)")], "[1, 2, 3, 4] 10", "40 [11, 15, 24, 40]"),
        case("streampar", "a sum and a map", ["xs: [4]f64, c: f64", "r: f64, s: [4]f64",
            &format!("let (t: f64, ys: [4]f64) = streampar 4 (xs) reduce {ADD} chunk \\(n: i64, cs: [n]f64) -> (f64, [n]f64) {{
               let (sum: f64) = screma n (cs) map <<u -> u*u>> reduce <<x, y -> x + y>> neutral (0.0f64)
               let (us: [n]f64) = screma n (cs) map <<u -> u*c>>
               in (sum, us)
             }} in (t, ys)")], "[1, 2, 3, 4] 5", "30 [5, 10, 15, 20]"),
        // x repeated i times for x = 5, 6, 7 and i = 2, 0, 1; the other results sum up
        case("flatmap", "rows of their own sizes", ["xs: [3]f64, is: [3]i64", "r: f64, s: [3]i64, t: [3]i64, u: [3]f64",
            &format!("let (m: i64, shape: [3]i64, flags: [m]bool, offsets: [3]i64, ys: [m]f64, zs: [3]f64) = flatmap 3 (xs, is) size k: i64 irregular 1 map \\(x: f64, i: i64) -> (i64, [k]f64, f64) {{
               let (c: cert) = check nonnegative i
               let (rep: [i]f64) = replicate [i] x certs (c)
               let (z: f64) = $ x*x $
               in (i, rep, z)
             }}
             let (sum: f64) = screma m (ys) map <<y -> y*y>> reduce {ADD}
             in (sum, shape, offsets, zs)")], "[5, 6, 7] [2i64, 0i64, 1i64]", "99 [2i64, 0i64, 1i64] [0i64, 2i64, 2i64] [25, 36, 49]")
            .fails("[5, 6, 7] [2i64, -1i64, 1i64]", FailureKind::NegativeSize),
    ]
}
