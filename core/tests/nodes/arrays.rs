//! Operands, scalars and arrays.

use super::*;

const XS: &str = "xs: [4]f64";
const AT: &str = "[1, 2, 3, 4]";

/// The statements that return the squares of an array of n.
fn squares(n: &str, xs: &str) -> String {
    format!("let (sq: [{n}]f64) = screma {n} ({xs}) map <<sqx -> sqx*sqx>> in (sq)")
}

pub fn cases() -> Vec<Case> {
    let sq = |first: &str, n: &str, xs: &str| format!("{first} {}", squares(n, xs));
    vec![
        case(
            "operand",
            "a variable and a constant",
            ["x: f64", "r: f64, s: f64", "let (y: f64) = x let (z: f64) = 2.5f64 in (y, z)"],
            "3",
            "3 2.5",
        ),
        case(
            "opaque",
            "of an array",
            [XS, "r: [4]f64", &sq("let (ys: [4]f64) = opaque xs", "4", "ys")],
            AT,
            "[1, 4, 9, 16]",
        ),
        // 2 sin 0 + 2*3
        case(
            "scalar operator",
            "of one and of two reals",
            ["x: f64, y: f64", "r: f64", "let (z: f64) = $ y*sin(x) + y*3 $ in (z)"],
            "0 2",
            "6",
        ),
        case(
            "scalar operator",
            "a selection and a conversion",
            [
                "b: bool, x: f64, y: f64",
                "r: f64, s: i64",
                "let (z: f64) = select.f64(b, x, y) let (w: f64) = $ z*z $ let (i: i64) = conv.f64.i64(w) in (w, i)",
            ],
            "true 1.5 2",
            "2.25 2i64",
        ),
        // 7 // 2 toward minus infinity, -7 / 2 = -4
        case(
            "scalar operator",
            "of integers",
            [
                "i: i32, j: i32",
                "r: i32, b: bool",
                "let (k: i32) = div.i32(i, j) let (b1: bool) = lt.i32(i, j) in (k, b1)",
            ],
            "-7i32 2i32",
            "-4i32 true",
        )
        .discrete("integers"),
        case(
            "array",
            "of scalars",
            ["x: f64", "r: [3]f64", "let (y: f64) = $ x*x $ let (a: [3]f64) = array [x, 5.0f64, y] of f64 in (a)"],
            "3",
            "[3, 5, 9]",
        ),
        case(
            "array",
            "of rows",
            ["xs: [2]f64, ys: [2]f64", "r: [2][2]f64", "let (a: [2][2]f64) = array [ys, xs] of [2]f64 in (a)"],
            "[1, 2] [3, 4]",
            "[[3, 4], [1, 2]]",
        ),
        case(
            "index",
            "an element",
            ["xs: [4]f64, i: i64", "r: f64", "let (x: f64) = index xs[i] let (y: f64) = $ x*x $ in (y)"],
            "[1, 2, 3, 4] 2i64",
            "9",
        ),
        case(
            "index",
            "a row",
            ["xss: [2][2]f64", "r: [2]f64", &sq("let (xs: [2]f64) = index xss[1i64]", "2", "xs")],
            "[[1, 2], [3, 4]]",
            "[9, 16]",
        ),
        // positions 3, 1
        case(
            "slice",
            "with a negative stride",
            [XS, "r: [2]f64", &sq("let (ys: [2]f64) = slice xs[3i64:2:-2i64]", "2", "ys")],
            AT,
            "[16, 4]",
        ),
        // column 1 of rows 0 and 1
        case(
            "slice",
            "a range and an index",
            ["xss: [3][2]f64", "r: [2]f64", &sq("let (ys: [2]f64) = slice xss[0i64:2:1i64, 1i64]", "2", "ys")],
            "[[1, 2], [3, 4], [5, 6]]",
            "[4, 16]",
        ),
        // offset 1, strides 2 and 1: positions [1, 2], [3, 4]
        case(
            "flatindex",
            "rows of a vector",
            ["xs: [5]f64", "r: [2][2]f64", "let (ys: [2][2]f64) = flatindex xs at 1i64 [2:2i64, 2:1i64] in (ys)"],
            "[0, 1, 2, 3, 4]",
            "[[1, 2], [3, 4]]",
        ),
        // strides 1 and 1: [0, 1], [1, 2]
        case(
            "flatindex",
            "overlapping",
            ["xs: [3]f64", "r: [2][2]f64", "let (ys: [2][2]f64) = flatindex xs at 0i64 [2:1i64, 2:1i64] in (ys)"],
            "[5, 6, 7]",
            "[[5, 6], [6, 7]]",
        ),
        case(
            "update",
            "an element",
            [
                "xs: [4]f64, i: i64, v: f64",
                "r: [4]f64",
                &sq("let (ys: [4]f64) = copy xs let (zs: [4]f64) = update ys[i] = v", "4", "zs"),
            ],
            "[1, 2, 3, 4] 1i64 5",
            "[1, 25, 9, 16]",
        ),
        case(
            "update",
            "a row",
            [
                "xss: [2][2]f64, vs: [2]f64",
                "r: [2][2]f64",
                "let (ys: [2][2]f64) = copy xss let (zs: [2][2]f64) = update ys[0i64] = vs in (zs)",
            ],
            "[[1, 2], [3, 4]] [5, 6]",
            "[[5, 6], [3, 4]]",
        ),
        case(
            "updslice",
            "every other element",
            [
                "xs: [4]f64, vs: [2]f64",
                "r: [4]f64",
                &sq("let (ys: [4]f64) = copy xs let (zs: [4]f64) = updslice ys[0i64:2:2i64] = vs", "4", "zs"),
            ],
            "[1, 2, 3, 4] [5, 6]",
            "[25, 4, 36, 16]",
        ),
        case(
            "updslice",
            "a column",
            [
                "xss: [2][2]f64, vs: [2]f64",
                "r: [2][2]f64",
                "let (ys: [2][2]f64) = copy xss let (zs: [2][2]f64) = updslice ys[0i64:2:1i64, 1i64] = vs in (zs)",
            ],
            "[[1, 2], [3, 4]] [5, 6]",
            "[[1, 5], [3, 6]]",
        ),
        // the diagonal of 2×2
        case(
            "flatupd",
            "a diagonal",
            [
                "xs: [4]f64, vs: [2]f64",
                "r: [4]f64",
                &sq("let (ys: [4]f64) = copy xs let (zs: [4]f64) = flatupd ys at 0i64 [2:3i64] = vs", "4", "zs"),
            ],
            "[1, 2, 3, 4] [5, 6]",
            "[25, 4, 9, 36]",
        ),
        // positions 0 1 / 1 2: at position 1 the last in row-major order, vs[1, 0], wins
        case(
            "flatupd",
            "overlapping",
            [
                "xs: [3]f64, vs: [2][2]f64",
                "r: [3]f64",
                "let (ys: [3]f64) = copy xs let (zs: [3]f64) = flatupd ys at 0i64 [2:1i64, 2:1i64] = vs in (zs)",
            ],
            "[1, 2, 3] [[4, 5], [6, 7]]",
            "[4, 6, 7]",
        ),
        case(
            "iota",
            "with a step",
            ["n: i64, x: i32", "r: [4]i32", "let (is: [4]i32) = iota i32 (4i64, x, -2i32) in (is)"],
            "9i64 5i32",
            "[5i32, 3i32, 1i32, -1i32]",
        )
        .discrete("integers"),
        case(
            "replicate",
            "a scalar",
            ["x: f64", "r: [2][2]f64", "let (ys: [2][2]f64) = replicate [2][2] x in (ys)"],
            "3",
            "[[3, 3], [3, 3]]",
        ),
        case(
            "replicate",
            "an array",
            ["xs: [2]f64", "r: [3][2]f64", "let (ys: [3][2]f64) = replicate [3] xs in (ys)"],
            "[1, 2]",
            "[[1, 2], [1, 2], [1, 2]]",
        ),
        case(
            "scratch",
            "filled",
            [
                "x: f64",
                "r: [2]f64",
                "let (a: [2]f64) = scratch [2]f64 let (b: [2]f64) = update a[1i64] = x let (y: f64) = $ x*x $ let (c: [2]f64) = update b[0i64] = y in (c)",
            ],
            "3",
            "[9, 3]",
        ),
        case(
            "rearrange",
            "a transposition",
            ["xss: [2][3]f64", "r: [3][2]f64", "let (ys: [3][2]f64) = rearrange (1, 0) xss in (ys)"],
            "[[1, 2, 3], [4, 5, 6]]",
            "[[1, 4], [2, 5], [3, 6]]",
        ),
        // element [k][i][j] is xs[i][j][k]
        case(
            "rearrange",
            "of three dimensions",
            ["xs: [1][2][2]f64", "r: [2][1][2]f64", "let (ys: [2][1][2]f64) = rearrange (2, 0, 1) xs in (ys)"],
            "[[[1, 2], [3, 4]]]",
            "[[[1, 3]], [[2, 4]]]",
        ),
        case(
            "manifest",
            "column-major",
            ["xss: [2][2]f64", "r: [2][2]f64", "let (ys: [2][2]f64) = manifest (1, 0) xss in (ys)"],
            "[[1, 2], [3, 4]]",
            "[[1, 2], [3, 4]]",
        ),
        case(
            "reshape",
            "flat and back",
            [
                "xss: [2][3]f64",
                "r: [3][2]f64",
                "let (f: [6]f64) = reshape [6] xss let (ys: [3][2]f64) = reshape [3][2] f in (ys)",
            ],
            "[[1, 2, 3], [4, 5, 6]]",
            "[[1, 2], [3, 4], [5, 6]]",
        ),
        case(
            "reshape",
            "nothing",
            ["xss: [0][3]f64, x: f64", "r: [3][0]f64, s: f64", "let (ys: [3][0]f64) = reshape [3][0] xss in (ys, x)"],
            "empty([0][3]f64) 1",
            "empty([3][0]f64) 1",
        ),
        case(
            "coerce",
            "a checked size",
            [
                "n: i64, xs: [n]f64",
                "r: [2]f64",
                "let (c: cert) = check size [n] = [2] let (ys: [2]f64) = coerce [2] xs certs (c) in (ys)",
            ],
            "2i64 [1, 2]",
            "[1, 2]",
        )
        .fails("3i64 [1, 2, 3]", FailureKind::Shape),
        case(
            "reverse",
            "rows",
            ["xss: [2][2]f64", "r: [2][2]f64", "let (ys: [2][2]f64) = reverse xss in (ys)"],
            "[[1, 2], [3, 4]]",
            "[[3, 4], [1, 2]]",
        ),
        // [1, 2, 3, 4] turned by -1: element i is that at i - 1 modulo 4
        case(
            "rotate",
            "backwards",
            ["xs: [4]f64, k: i64", "r: [4]f64", &sq("let (ys: [4]f64) = rotate k xs", "4", "ys")],
            "[1, 2, 3, 4] -1i64",
            "[16, 1, 4, 9]",
        ),
        case(
            "concat",
            "three arrays",
            [
                "n: i64, xs: [n]f64, ys: [2]f64",
                "r: [5]f64",
                "let (m: i64) = add.i64(n, 4i64) let (zs: [m]f64) = concat m (ys, xs, ys) let (c: cert) = check size [m] = [5] let (ws: [5]f64) = coerce [5] zs certs (c) in (ws)",
            ],
            "1i64 [7] [1, 2]",
            "[1, 2, 7, 1, 2]",
        ),
        case(
            "copy",
            "updated, the original kept",
            [
                "xs: [2]f64",
                "r: [2]f64, s: [2]f64",
                "let (ys: [2]f64) = copy xs let (zs: [2]f64) = update ys[0i64] = 9.0f64 in (xs, zs)",
            ],
            "[1, 2]",
            "[1, 2] [9, 2]",
        ),
    ]
}
