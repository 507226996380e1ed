//! Nests after flattening.

use super::*;

const ADD: &str = "comm <<addx, addy -> addx + addy>> neutral (0.0f64)";
const MUL: &str = "<<mulx, muly -> mulx*muly>> neutral (1.0f64)";
const X: &str = "let (x: f64) = index xss[i, j] ";
const AT: &str = "[[1, 2, 3], [4, 5, 6]]";

pub fn cases() -> Vec<Case> {
    let space = "(i: i64 < 2, j: i64 < 3)";
    let xss = "xss: [2][3]f64";
    vec![
        case("segmap", "two dimensions", [xss, "r: [2][3]f64", &format!("let (y: [2][3]f64) = segop grid {space} -> (f64) {{ {X} let (z: f64) = $ x*x $ in (z) }} in (y)")],
            AT, "[[1, 4, 9], [16, 25, 36]]"),
        case("segmap", "of a work group, an accumulator", ["xs: [3]f64, dst: [2]f64", "r: [2]f64",
            &format!("let (d: [2]f64) = copy dst let (h: [2]f64) = withacc input [2] (d) {ADD} do \\(id: cert, a: acc(id, [2] (f64))) -> (acc(id, [2] (f64))) {{
                let (b: acc(id, [2] (f64))) = segop group (i: i64 < 3) -> (acc(id, [2] (f64))) {{
                  let (x: f64) = index xs[i] let (k: i64) = mod.i64(i, 2i64) let (w: f64) = $ x*x $
                  let (c: acc(id, [2] (f64))) = updacc a[k] (w)
                  in (c)
                }}
                in (b)
              }} in (h)")], "[1, 2, 3] [10, 20]", "[20, 24]"),
        case("segscan", "products along rows", [xss, "r: [2][3]f64", &format!("let (y: [2][3]f64) = segop grid {space} scan {MUL} -> (f64) {{ {X} in (x) }} in (y)")],
            AT, "[[1, 2, 6], [4, 20, 120]]"),
        case("segred", "products along rows, and a map", [xss, "r: [2]f64, s: [2][3]f64",
            &format!("let (y: [2]f64, z: [2][3]f64) = segop grid {space} reduce {MUL} -> (f64, f64) {{ {X} let (w: f64) = $ x + 1 $ in (x, w) }} in (y, z)")],
            AT, "[6, 120] [[2, 3, 4], [5, 6, 7]]"),
        // each row turned round by one, what would come to its beginning nowhere; and a map
        case("segwrite", "elements of rows", ["xss: [2][3]f64, dst: [2][3]f64", "r: [2][3]f64, s: [2][3]f64",
            &format!("let (d: [2][3]f64) = copy dst let (y: [2][3]f64, z: [2][3]f64) = segop grid {space} dest [2][3] d -> (i64, i64, f64, f64) {{
                {X} let (k: i64) = add.i64(j, 1i64) let (w: f64) = $ x*x $ let (v: f64) = $ x + 1 $ in (i, k, w, v)
              }} in (y, z)")], &format!("{AT} [[100, 200, 300], [400, 500, 600]]"), "[[100, 1, 4], [400, 16, 25]] [[2, 3, 4], [5, 6, 7]]"),
    ]
}
