//! Types, arities, sizes, scopes, certificates: for each node.

use super::Rule::*;
use super::*;

/// What [`operators_exist_at_their_width`] and the tests below it break: text cannot write it, or it takes two functions.
pub(super) const ELSEWHERE: &[Rule] = &[Operators, Entries];

pub(super) const CASES: &[Twin] = &[
    case(
        "SubExp",
        "r_90: f64",
        "let (y_10: f64) = x_3 let (z_11: f64) = y_10 in (y_10)",
        &[
            ("= x_3", "= z_99", Scope),
            ("= x_3", "= i_4", Types),
            ("(z_11: f64)", "(z_11: f64, w_12: f64)", Arity),
            ("(z_11: f64)", "()", Arity),
            ("z_11: f64", "y_10: f64", UniqueBinders),
            ("z_11: f64", "x_3: f64", UniqueBinders),
            ("= x_3", "= x_3 certs (n_0)", Certificates),
            ("= x_3", "= x_3 certs (c_99)", Scope),
            ("in (y_10)", "in (y_10, y_10)", Arity),
            ("in (y_10)", "in (i_4)", Types),
            ("let (z_11: f64)", "let (z_11: [k_99]f64)", Scope),
        ],
    ),
    case(
        "Opaque",
        "r_90: f64",
        "let (c_11: cert) = check nonzero i_4 let (y_10: f64) = opaque x_3 in (y_10)",
        &[
            ("opaque x_3", "opaque c_11", Types),
            ("opaque x_3", "opaque z_99", Scope),
            ("opaque x_3", "opaque i_4", Types),
        ],
    ),
    case(
        "Prim",
        "r_90: f64",
        "let (y_10: f64) = add.f64(x_3, 1.0f64) in (y_10)",
        &[
            ("1.0f64", "1i32", Types),
            ("(x_3, 1.0f64)", "(x_3)", Arity),
            ("1.0f64", "xs_1", Types),
            ("1.0f64", "z_99", Scope),
        ],
    ),
    case(
        "ArrayLit",
        "r_90: [2]f64, s_91: [0]f64",
        "let (y_10: [2]f64) = array [x_3, 1.0f64] of f64 let (z_11: [0]f64) = array [] of f64 in (y_10, z_11)",
        &[
            ("[x_3, 1.0f64]", "[x_3, i_4]", Types),
            ("[x_3, 1.0f64]", "[x_3]", Types),
            (
                "(z_11: [0]f64) = array [] of f64",
                "(c_12: cert) = array [] of cert let (z_11: [0]f64) = array [] of f64",
                Types,
            ),
            ("array [] of f64", "array [] of [k_99]f64", Scope),
        ],
    ),
    case(
        "Index",
        "r_90: f64, s_91: [n_0]f64",
        "let (y_10: f64) = index xs_1[i_4] let (z_11: [n_0]f64) = index xss_6[n_0] in (y_10, z_11)",
        &[
            ("xs_1[i_4]", "xs_1[x_3]", Types),
            ("xs_1[i_4]", "xs_1[i_4, i_4]", Arity),
            ("xs_1[i_4]", "xs_1[]", Arity),
            ("xs_1[i_4]", "x_3[i_4]", Types),
            ("xs_1[i_4]", "xss_6[i_4]", Types),
            ("xs_1[i_4]", "z_99[i_4]", Scope),
        ],
    ),
    case(
        "Slice",
        "r_90: [2]f64",
        "let (y_10: [2]f64) = slice xss_6[i_4, 0i64 : 2 : 1i64] in (y_10)",
        &[
            ("[i_4,", "[x_3,", Types),
            ("0i64 : 2", "x_3 : 2", Types),
            (": 1i64", ": b_5", Types),
            (": 2 :", ": 3 :", Types),
            (": 2 :", ": k_99 :", Scope),
            ("[i_4, 0i64 : 2 : 1i64]", "[i_4, i_4, 0i64 : 2 : 1i64]", Arity),
            ("[i_4, 0i64 : 2 : 1i64]", "[]", Arity),
            ("slice xss_6", "slice x_3", Types),
        ],
    ),
    case(
        "FlatIndex",
        "r_90: [2][n_0]f64",
        "let (y_10: [2][n_0]f64) = flatindex xs_1 at i_4 [2 : i_4, n_0 : 1i64] in (y_10)",
        &[
            ("at i_4", "at x_3", Types),
            ("2 : i_4", "2 : x_3", Types),
            ("2 : i_4", "x_3 : i_4", Sizes),
            ("flatindex xs_1", "flatindex xss_6", Types),
            ("[2 : i_4, n_0 : 1i64]", "[]", Arity),
            ("2 : i_4, n_0 : 1i64", "n_0 : i_4, 2 : 1i64", Types),
        ],
    ),
    case(
        "Update",
        "r_90: [n_0]f64",
        "let (y_10: [n_0]f64) = update ys_2[i_4] = x_3 in (y_10)",
        &[
            ("= x_3", "= i_4", Types),
            ("ys_2[i_4]", "ys_2[i_4, i_4]", Arity),
            ("ys_2[i_4]", "ys_2[b_5]", Types),
            ("ys_2[i_4]", "xss_6[i_4]", Types),
        ],
    ),
    case(
        "UpdateSlice",
        "r_90: [n_0]f64",
        "let (p_11: [2]f64) = replicate [2] x_3 let (y_10: [n_0]f64) = updslice ys_2[0i64 : 2 : 1i64] = p_11 in (y_10)",
        &[
            (": 2 :", ": 3 :", Types),
            ("[0i64 : 2 : 1i64]", "[0i64]", Types),
            ("[0i64 : 2 : 1i64]", "[0i64 : 2 : 1i64, i_4]", Arity),
            ("= p_11", "= x_3", Types),
        ],
    ),
    case(
        "FlatUpdate",
        "r_90: [n_0]f64",
        "let (p_11: [2]f64) = replicate [2] x_3 let (y_10: [n_0]f64) = flatupd ys_2 at 0i64 [2 : 1i64] = p_11 in (y_10)",
        &[
            ("[2 : 1i64]", "[3 : 1i64]", Types),
            ("at 0i64", "at 0i32", Types),
            ("[2 : 1i64]", "[]", Arity),
            ("flatupd ys_2", "flatupd xss_6", Types),
        ],
    ),
    case(
        "Iota",
        "r_90: [n_0]i64",
        "let (y_10: [n_0]i64) = iota i64 (n_0, 0i64, 1i64) in (y_10)",
        &[
            ("iota i64 (n_0, 0i64, 1i64)", "iota f64 (n_0, 0.0f64, 1.0f64)", Types),
            ("0i64", "0i32", Types),
            ("1i64", "x_3", Types),
            ("(n_0, 0i64", "(x_3, 0i64", Types),
            ("(n_0, 0i64", "(i_4, 0i64", Types),
            ("(n_0, 0i64", "(3i32, 0i64", Types),
        ],
    ),
    case(
        "Replicate",
        "r_90: [2][n_0]f64",
        "let (c_11: cert) = check nonzero i_4 let (y_10: [2][n_0]f64) = replicate [2] xs_1 in (y_10)",
        &[
            ("replicate [2] xs_1", "replicate xs_1", Types),
            ("replicate [2]", "replicate [b_5]", Sizes),
            ("replicate [2] xs_1", "replicate [2] c_11", Types),
            ("replicate [2] xs_1", "replicate [2] x_3", Types),
        ],
    ),
    case(
        "Scratch",
        "r_90: [n_0]f64",
        "let (y_10: [n_0]f64) = scratch [n_0]f64 in (y_10)",
        &[("scratch [n_0]f64", "scratch f64", Types), ("scratch [n_0]f64", "scratch [n_0]i64", Types)],
    ),
    case(
        "Rearrange",
        "r_90: [n_0][2]f64",
        "let (p_11: [2][n_0]f64) = replicate [2] xs_1 let (y_10: [n_0][2]f64) = rearrange (1, 0) p_11 in (y_10)",
        &[
            ("(1, 0)", "(0, 1)", Types),
            ("(1, 0)", "(0, 0)", Types),
            ("(1, 0)", "(0)", Types),
            ("(1, 0)", "(1, 18446744073709551615)", Types),
            ("(1, 0) p_11", "(0) x_3", Types),
        ],
    ),
    case(
        "Manifest",
        "r_90: [n_0][n_0]f64",
        "let (y_10: [n_0][n_0]f64) = manifest (1, 0) xss_6 in (y_10)",
        &[("(1, 0)", "(1)", Types), ("(1, 0)", "(1, 2)", Types), ("(1, 0) xss_6", "() x_3", Types)],
    ),
    case(
        "Reshape",
        "r_90: [1][n_0]f64",
        "let (y_10: [1][n_0]f64) = reshape [1][n_0] xs_1 in (y_10)",
        &[
            ("reshape [1][n_0] xs_1", "reshape [1][n_0] x_3", Types),
            ("reshape [1][n_0] xs_1", "reshape xs_1", Types),
            ("reshape [1][n_0]", "reshape [n_0][1]", Types),
        ],
    ),
    case(
        "Coerce",
        "r_90: [3]f64",
        "let (c_11: cert) = check size [n_0] = [3] let (y_10: [3]f64) = coerce [3] xs_1 certs (c_11) in (y_10)",
        &[
            ("coerce [3]", "coerce [3][3]", Types),
            ("coerce [3]", "coerce [n_0]", Types),
            ("certs (c_11)", "certs (n_0)", Certificates),
        ],
    ),
    case(
        "Reverse",
        "r_90: [n_0]f64",
        "let (y_10: [n_0]f64) = reverse xs_1 in (y_10)",
        &[("reverse xs_1", "reverse x_3", Types)],
    ),
    case(
        "Rotate",
        "r_90: [n_0]f64",
        "let (y_10: [n_0]f64) = rotate i_4 xs_1 in (y_10)",
        &[("rotate i_4", "rotate x_3", Types), ("i_4 xs_1", "i_4 x_3", Types)],
    ),
    case(
        "Concat",
        "r_90: [i_4]f64",
        "let (y_10: [i_4]f64) = concat i_4 (xs_1, ys_2) in (y_10)",
        &[
            ("(xs_1, ys_2)", "()", Arity),
            ("(xs_1, ys_2)", "(xs_1, xss_6)", Types),
            ("(xs_1, ys_2)", "(xs_1, is_7)", Types),
            ("concat i_4", "concat n_0", Types),
            ("concat i_4", "concat x_3", Sizes),
        ],
    ),
    case("Copy", "r_90: [n_0]f64", "let (y_10: [n_0]f64) = copy xs_1 in (y_10)", &[("copy xs_1", "copy x_3", Types)]),
    case(
        "Check",
        "r_90: f64",
        "let (a_10: cert) = check assert b_5 \"no\" let (b_11: cert) = check bounds (i_4) [n_0] let (c_12: cert) = check slice (0i64, i_4, 1i64) [n_0] \
         let (d_13: cert) = check size [n_0] = [3] let (e_14: cert) = check nonzero i_4 let (f_15: cert) = check exponent 2i32 \
         let (g_16: cert) = check nonnegative n_0 let (h_17: cert) = check range upto (0i64, 1i64, i_4) \
         let (s_19: cert) = check shape [n_0][2] let (m_20: cert) = check made xs_1 let (y_18: f64) = x_3 certs (a_10, h_17, m_20) in (y_18)",
        &[
            ("assert b_5", "assert i_4", Types),
            ("bounds (i_4)", "bounds (x_3)", Types),
            ("bounds (i_4)", "bounds (i_4, i_4)", Arity),
            ("bounds (i_4) [n_0]", "bounds (i_4) [b_5]", Sizes),
            ("(0i64, i_4, 1i64)", "(0i64, x_3, 1i64)", Types),
            ("1i64) [n_0]", "1i64) [x_3]", Sizes),
            ("size [n_0] = [3]", "size [n_0] = [3][3]", Arity),
            ("shape [n_0][2]", "shape [b_5][2]", Sizes),
            ("made xs_1", "made x_3", Types),
            ("nonzero i_4", "nonzero x_3", Types),
            ("exponent 2i32", "exponent 2.0f64", Types),
            ("nonnegative n_0", "nonnegative 3i32", Types),
            ("(0i64, 1i64, i_4)", "(0i32, 1i64, i_4)", Types),
            ("(0i64, 1i64, i_4)", "(0i64, 1i64, x_3)", Types),
            ("b_11: cert", "b_11: bool", Types),
        ],
    ),
    case(
        "Apply",
        "r_90: i64, s_91: [r_90]f64",
        "in (n_0, xs_1) } fun \"g\"(k_20: i64, as_21: [k_20]f64) -> (k_22: i64, bs_23: [k_22]f64) { \
         let (r_24: i64, s_25: [r_24]f64) = call \"g\"(k_20, as_21) in (r_24, s_25)",
        &[
            ("call \"g\"", "call \"h\"", Functions),
            ("call \"g\"(k_20, as_21)", "call \"g\"(k_20)", Arity),
            ("call \"g\"(k_20, as_21)", "call \"g\"(3i64, as_21)", Types),
            ("r_24: i64, s_25: [r_24]f64", "r_24: i64, s_25: [k_20]f64", Types),
            ("call \"g\"(k_20, as_21)", "call \"g\"(k_20, z_99)", Scope),
            ("fun \"g\"", "fun \"f\"", UniqueBinders),
        ],
    ),
    case(
        "If",
        "k_90: i64, r_91: [k_90]i64",
        "let (k_10: i64, a_11: [k_10]i64) = if b_5 then { let (t_12: [2]i64) = iota i64 (2i64, 0i64, 1i64) in (2i64, t_12) } \
         else { in (n_0, is_7) } in (k_10, a_11)",
        &[
            ("if b_5", "if i_4", Types),
            ("in (2i64, t_12)", "in (3i64, t_12)", Types),
            ("in (n_0, is_7)", "in (is_7)", Arity),
            ("in (n_0, is_7)", "in (n_0, xs_1)", Types),
            ("in (n_0, is_7)", "in (n_0, t_12)", Scope),
        ],
    ),
    case(
        "Match",
        "r_90: f64",
        "let (y_10: f64) = match (i_4, b_5, x_3) case (0i64, _, 1.0f64) { in (x_3) } case (_, true, _) { let (z_11: f64) = x_3 in (z_11) } \
         else { in (2.0f64) } in (y_10)",
        &[
            ("(0i64, _, 1.0f64)", "(0i32, _, 1.0f64)", Types),
            ("(0i64, _, 1.0f64)", "(0i64, _)", Arity),
            ("(_, true, _)", "(_, true, _, _)", Arity),
            ("(i_4, b_5, x_3)", "(i_4, b_5, xs_1)", Types),
            ("{ in (2.0f64) }", "{ in (2i64) }", Types),
            ("{ in (2.0f64) }", "{ in () }", Arity),
            ("in (z_11)", "in (is_7)", Types),
            ("{ in (2.0f64) }", "{ in (z_11) }", Scope),
        ],
    ),
    case(
        "Loop",
        "k_90: i64, r_91: [k_90]f64",
        "let (k_10: i64, a_11: [k_10]f64) = loop (k_12: i64 = n_0, a_13: [k_12]f64 = xs_1) for j_14: i64 < i_4 do { \
         let (m_15: i64) = add.i64(k_12, j_14) let (b_16: [m_15]f64) = replicate [m_15] x_3 in (m_15, b_16) } in (k_10, a_11)",
        &[
            ("= n_0,", "= i_4,", Types),
            ("= n_0,", "= z_99,", Scope),
            ("< i_4", "< x_3", Types),
            ("< i_4", "< k_12", Scope),
            ("j_14: i64", "j_14: i32", Types),
            ("in (m_15, b_16)", "in (k_12, b_16)", Types),
            ("in (m_15, b_16)", "in (b_16)", Arity),
            ("a_11: [k_10]f64", "a_11: [n_0]f64", Types),
            ("= n_0, a_13: [k_12]f64 = xs_1", "= n_0, a_13: [n_0]f64 = xs_1", Types),
        ],
    ),
    case(
        "Loop",
        "r_90: i64",
        "let (g_10: bool, k_11: i64) = loop (g_12: bool = b_5, k_13: i64 = n_0) while g_12 do { in (false, k_13) } in (k_11)",
        &[("while g_12", "while b_5", Types), ("while g_12", "while k_13", Types), ("while g_12", "while z_99", Types)],
    ),
    case(
        "Screma",
        "r_90: [n_0]f64, s_91: f64, t_92: [n_0]i64",
        "let (s_10: [n_0]f64, r_11: f64, m_12: [n_0]i64) = screma n_0 (xs_1, is_7) map \\(x_13: f64, i_14: i64) -> (f64, f64, i64) { in (x_13, x_13, i_14) } \
         scan \\(a_15: f64, b_16: f64) -> (f64) { in (a_15) } neutral (0.0f64) reduce comm \\(c_17: f64, d_18: f64) -> (f64) { in (c_17) } neutral (1.0f64) \
         in (s_10, r_11, m_12)",
        &[
            ("screma n_0", "screma i_4", Types),
            ("screma n_0", "screma x_3", Sizes),
            ("(xs_1, is_7)", "(xs_1)", Arity),
            ("(xs_1, is_7)", "(xs_1, xs_1)", Types),
            ("(xs_1, is_7)", "(xs_1, i_4)", Types),
            ("-> (f64, f64, i64)", "-> (f64, f64, f64)", Types),
            ("in (x_13, x_13, i_14)", "in (x_13, x_13)", Arity),
            ("in (x_13, x_13, i_14)", "in (x_13, x_13, a_15)", Scope),
            ("neutral (0.0f64)", "neutral (0i64)", Types),
            ("neutral (1.0f64)", "neutral ()", Arity),
            ("d_18: f64", "d_18: i64", Types),
            ("(c_17: f64, d_18: f64)", "(c_17: f64)", Arity),
            ("in (c_17)", "in (x_13)", Scope),
            ("r_11: f64", "r_11: [n_0]f64", Types),
        ],
    ),
    case(
        "Screma",
        "r_90: f64, s_91: [n_0]f64",
        "let (c_9: cert) = check nonzero i_4 \
         let (r_10: f64, y_11: [n_0]f64) = screma n_0 (xs_1) map \\(x_12: f64) -> (f64, f64, i64) { in (x_12, x_12, i_4) } \
         scan \\(a_15: f64, b_16: f64) -> (f64) { in (a_15) } neutral (0.0f64) reduce \\(c_17: f64, d_18: f64) -> (f64) { in (c_17) } neutral (1.0f64) \
         post \\(s_19: f64, m_20: i64) -> (f64) { in (s_19) } in (r_10, y_11)",
        &[
            ("m_20: i64", "m_20: f64", Types),
            ("(s_19: f64, m_20: i64)", "(s_19: f64)", Arity),
            ("in (s_19)", "in (m_20)", Types),
            ("in (s_19)", "in (x_12)", Scope),
            ("(f64, f64, i64) { in (x_12, x_12, i_4) }", "(f64, f64, cert) { in (x_12, x_12, c_9) }", Certificates),
            ("y_11: [n_0]f64", "y_11: f64", Types),
        ],
    ),
    case(
        "Hist",
        "r_90: [n_0]f64, s_91: [n_0][n_0]f64",
        "let (h_10: [n_0]f64, g_11: [n_0][n_0]f64) = hist n_0 (is_7, xs_1) map \\(i_12: i64, x_13: f64) -> (i64, i64, i64, f64, f64) { in (i_12, i_12, i_12, x_13, x_13) } \
         dest [n_0] (ys_2) comm \\(a_14: f64, b_15: f64) -> (f64) { in (a_14) } neutral (0.0f64) \
         dest [n_0][n_0] (xss_6) comm \\(c_16: f64, d_17: f64) -> (f64) { in (c_16) } neutral (1.0f64) in (h_10, g_11)",
        &[
            ("hist n_0", "hist i_4", Types),
            ("in (i_12, i_12, i_12, x_13, x_13)", "in (i_12, i_12, x_13, i_12, x_13)", Types),
            ("-> (i64, i64, i64, f64, f64)", "-> (i64, f64, i64, i64, f64)", Types),
            ("-> (i64, i64, i64, f64, f64)", "-> (i64, i64, f64, f64)", Arity),
            ("dest [n_0] (ys_2)", "dest [i_4] (ys_2)", Types),
            ("dest [n_0] (ys_2)", "dest (ys_2)", Arity),
            ("dest [n_0] (ys_2)", "dest [n_0] ()", Arity),
            ("neutral (0.0f64)", "neutral (0i64)", Types),
            ("dest [n_0][n_0] (xss_6)", "dest [n_0][n_0][n_0] (xss_6)", Types),
            ("h_10: [n_0]f64, g_11: [n_0][n_0]f64", "g_11: [n_0][n_0]f64, h_10: [n_0]f64", Types),
            ("in (c_16)", "in (x_13)", Scope),
        ],
    ),
    case(
        "Scatter",
        "r_90: [n_0]f64, s_91: [n_0][n_0]f64",
        "let (h_10: [n_0]f64, g_11: [n_0][n_0]f64) = scatter n_0 (is_7, xs_1) map \\(i_12: i64, x_13: f64) -> (i64, i64, i64, f64, f64) { in (i_12, i_12, i_12, x_13, x_13) } \
         dest [n_0] ys_2 dest [n_0][n_0] xss_6 in (h_10, g_11)",
        &[
            ("scatter n_0", "scatter 3", Types),
            ("dest [n_0] ys_2", "dest [i_4] ys_2", Types),
            ("dest [n_0] ys_2", "dest ys_2", Types),
            ("dest [n_0] ys_2", "dest [n_0] x_3", Types),
            ("dest [n_0] ys_2", "", Arity),
            ("-> (i64, i64, i64, f64, f64)", "-> (i64, i64, f64, f64, f64)", Types),
            ("x_13: f64", "x_13: i64", Types),
        ],
    ),
    case(
        "Stream",
        "r_90: f64, s_91: [n_0]f64",
        "let (a_10: f64, b_11: [n_0]f64) = streamseq n_0 (xs_1) from (x_3) chunk \\(c_12: i64, a_13: f64, q_14: [c_12]f64) -> (f64, [c_12]f64) { in (a_13, q_14) } in (a_10, b_11)",
        &[
            ("streamseq n_0", "streamseq i_4", Types),
            ("from (x_3)", "from (i_4)", Types),
            ("\\(c_12: i64, a_13: f64, q_14: [c_12]f64)", "\\()", Arity),
            ("q_14: [c_12]f64", "q_14: [n_0]f64", Types),
            ("-> (f64, [c_12]f64)", "-> (f64, [n_0]f64)", Types),
            ("-> (f64, [c_12]f64) { in (a_13, q_14) }", "-> (f64, f64) { in (a_13, a_13) }", Types),
            ("c_12: i64, a_13", "c_12: f64, a_13", Types),
        ],
    ),
    case(
        "Stream",
        "r_90: f64, s_91: [n_0]f64",
        "let (a_10: f64, b_11: [n_0]f64) = streampar n_0 (xs_1) reduce comm \\(p_12: f64, q_13: f64) -> (f64) { in (p_12) } neutral (0.0f64) \
         chunk \\(c_14: i64, q_15: [c_14]f64) -> (f64, [c_14]f64) { in (x_3, q_15) } in (a_10, b_11)",
        &[
            ("neutral (0.0f64)", "neutral (0i32)", Types),
            ("in (p_12)", "in (q_15)", Scope),
            ("-> (f64, [c_14]f64)", "-> (i64, [c_14]f64)", Types),
            ("in (x_3, q_15)", "in (x_3)", Arity),
        ],
    ),
    case(
        "FlatMap",
        "m_90: i64, s_91: [n_0]i64, f_92: [m_90]bool, o_93: [n_0]i64, b_94: [m_90]i64, c_95: [n_0]f64",
        "let (m_10: i64, s_11: [n_0]i64, f_12: [m_10]bool, o_13: [n_0]i64, b_14: [m_10]i64, c_15: [n_0]f64) = flatmap n_0 (is_7) size k_16: i64 irregular 1 \
         map \\(i_17: i64) -> (i64, [k_16]i64, f64) { let (a_18: [i_17]i64) = iota i64 (i_17, 0i64, 1i64) in (i_17, a_18, x_3) } in (m_10, s_11, f_12, o_13, b_14, c_15)",
        &[
            ("flatmap n_0", "flatmap i_4", Types),
            ("k_16: i64", "k_16: f64", Types),
            ("irregular 1", "irregular 2", Types),
            ("irregular 1", "irregular 18446744073709551615", Types),
            ("irregular 1", "irregular 0", Types),
            ("in (i_17, a_18, x_3)", "in (n_0, a_18, x_3)", Types),
            ("in (i_17, a_18, x_3)", "in (k_16, a_18, x_3)", Scope),
            ("-> (i64, [k_16]i64, f64)", "-> (i64, [i_17]i64, f64)", Scope),
            ("-> (i64, [k_16]i64, f64)", "-> (i64, [k_16][k_16]i64, f64)", Types),
            ("in (i_17, a_18, x_3)", "in (i_17, a_18)", Arity),
            ("f_12: [m_10]bool", "f_12: [n_0]bool", Types),
            ("(m_10: i64, s_11", "(s_11", Scope),
        ],
    ),
    case(
        "WithAcc",
        "r_90: [n_0]f64, s_91: f64",
        "let (a_10: [n_0]f64, e_11: f64) = withacc input [n_0] (ys_2) comm \\(p_12: f64, q_13: f64) -> (f64) { in (p_12) } neutral (0.0f64) \
         do \\(c_14: cert, acc_15: acc(c_14, [n_0] (f64))) -> (acc(c_14, [n_0] (f64)), f64) { in (acc_15, x_3) } in (a_10, e_11)",
        &[
            ("input [n_0]", "input [i_4]", Types),
            ("(ys_2)", "(x_3)", Types),
            ("(ys_2)", "()", Arity),
            ("c_14: cert,", "c_14: bool,", Types),
            ("acc_15: acc(c_14, [n_0] (f64))", "acc_15: acc(c_14, [n_0] (i64))", Types),
            ("acc_15: acc(c_14, [n_0] (f64))) ->", "acc_15: acc(c_14, [3] (f64))) ->", Types),
            ("neutral (0.0f64)", "neutral (0i64)", Types),
            ("\\(c_14: cert, acc_15: acc(c_14, [n_0] (f64)))", "\\(c_14: cert)", Arity),
            ("-> (acc(c_14, [n_0] (f64)), f64) { in (acc_15, x_3) }", "-> () { in () }", Arity),
            ("in (acc_15, x_3)", "in (acc_15, c_14)", Types),
        ],
    ),
    case(
        "UpdAcc",
        "r_90: [n_0][n_0]f64",
        "let (a_10: [n_0][n_0]f64) = withacc input [n_0] (xss_6) comm \\(p_12: [n_0]f64, q_13: [n_0]f64) -> ([n_0]f64) { in (p_12) } neutral (xs_1) \
         do \\(c_14: cert, acc_15: acc(c_14, [n_0] ([n_0]f64))) -> (acc(c_14, [n_0] ([n_0]f64))) { \
         let (acc_16: acc(c_14, [n_0] ([n_0]f64))) = updacc acc_15[i_4] (xs_1) in (acc_16) } in (a_10)",
        &[
            ("updacc acc_15[i_4]", "updacc xs_1[i_4]", Types),
            ("[i_4] (xs_1)", "[i_4, i_4] (xs_1)", Arity),
            ("[i_4] (xs_1)", "[] (xs_1)", Arity),
            ("[i_4] (xs_1)", "[x_3] (xs_1)", Types),
            ("[i_4] (xs_1)", "[i_4] (x_3)", Types),
            ("[i_4] (xs_1)", "[i_4] ()", Arity),
        ],
    ),
    case(
        "Jvp",
        "r_90: f64, s_91: f64",
        "let (y_10: f64, t_11: f64) = jvp \\(x_12: f64) -> (f64) { in (x_12) } at (x_3) with (1.0f64) in (y_10, t_11)",
        &[
            ("at (x_3)", "at (i_4)", Types),
            ("at (x_3)", "at ()", Arity),
            ("with (1.0f64)", "with (1i64)", Types),
            ("with (1.0f64)", "with ()", Arity),
            ("in (x_12)", "in (z_99)", Scope),
            ("t_11: f64", "t_11: [2]f64", Types),
        ],
    ),
    case(
        "Vjp",
        "r_90: f64, s_91: [2][n_0]f64",
        "let (w_9: [2]f64) = replicate [2] 1.0f64 \
         let (y_10: f64, t_11: [2][n_0]f64) = vjp [2] \\(x_12: [n_0]f64) -> (f64) { in (x_3) } at (xs_1) with (w_9) in (y_10, t_11)",
        &[
            ("vjp [2]", "vjp [3]", Types),
            ("vjp [2]", "vjp [-2]", Types),
            ("vjp [2]", "vjp", Types),
            ("in (x_3) }", "in (xs_1) }", Types),
            ("t_11: [2][n_0]f64", "t_11: [n_0]f64", Types),
            ("with (w_9)", "with (w_9, w_9)", Arity),
        ],
    ),
    case(
        "Custom",
        "r_90: i64",
        "let (y_10: i64) = custom \\(x_11: f64) -> (f64, i64) { in (x_11, i_4) } saved 1 vjp \\(s_12: f64, b_13: i64) -> (f64) { in (s_12) } \
         jvp \\(x_14: f64, d_15: f64) -> (i64) { in (i_4) } at (x_3) in (y_10)",
        &[
            ("saved 1", "saved 0", Arity),
            ("saved 1", "saved 3", Arity),
            ("at (x_3)", "at (i_4)", Types),
            ("at (x_3)", "at ()", Arity),
            ("\\(s_12: f64, b_13: i64)", "\\(s_12: f64)", Arity),
            ("b_13: i64", "b_13: f64", Types),
            ("-> (f64) { in (s_12) }", "-> (i64) { in (b_13) }", Types),
            ("\\(x_14: f64, d_15: f64)", "\\(x_14: f64)", Arity),
            ("-> (i64) { in (i_4) }", "-> (f64) { in (x_14) }", Types),
            ("in (s_12)", "in (x_11)", Scope),
        ],
    ),
    case(
        "SegOp",
        "r_90: [n_0][2]f64, s_91: [n_0]f64, t_92: [n_0][n_0]f64, u_93: [n_0][2]i64",
        "let (c_9: cert) = check nonzero i_4 let (s_10: [n_0][2]f64, m_13: [n_0][2]i64) = segop grid (i_14: i64 < n_0, j_15: i64 < 2) \
         scan \\(a_16: f64, b_17: f64) -> (f64) { in (a_16) } neutral (0.0f64) -> (f64, i64) { let (x_22: f64) = index xs_1[i_14] in (x_22, i_14) } \
         let (r_11: [n_0]f64) = segop grid (k_23: i64 < n_0, l_24: i64 < 2) \
         reduce comm \\(d_18: f64, e_19: f64) -> (f64) { in (d_18) } neutral (1.0f64) -> (f64) { let (y_25: f64) = index xs_1[k_23] in (y_25) } \
         let (h_12: [n_0][n_0]f64) = segop grid (o_26: i64 < n_0) dest [n_0][n_0] xss_6 -> (i64, i64, f64) { in (o_26, 0i64, x_3) } \
         in (s_10, r_11, h_12, m_13)",
        &[
            ("i_14: i64", "i_14: i32", Types),
            ("j_15: i64 < 2", "j_15: i64 < -2", Types),
            ("j_15: i64 < 2", "j_15: i64 < i_14", Scope),
            ("(i_14: i64 < n_0, j_15: i64 < 2)", "()", Arity),
            ("neutral (0.0f64)", "neutral (0i64)", Types),
            ("neutral (1.0f64)", "neutral (1i64)", Types),
            ("dest [n_0][n_0] xss_6", "dest [2][n_0] xss_6", Types),
            ("dest [n_0][n_0] xss_6", "dest xss_6", Types),
            ("-> (i64, i64, f64)", "-> (i64, f64, i64)", Types),
            ("-> (i64, i64, f64)", "-> (i64)", Arity),
            ("-> (f64, i64) {", "-> (i64, i64) {", Types),
            ("in (x_22, i_14)", "in (x_22)", Arity),
            ("in (d_18)", "in (y_25)", Scope),
            ("in (d_18)", "in (k_23)", Scope),
            ("s_10: [n_0][2]f64", "s_10: [n_0]f64", Types),
            ("r_11: [n_0]f64", "r_11: [n_0][2]f64", Types),
            (
                "-> (f64, i64) { let (x_22: f64) = index xs_1[i_14] in (x_22, i_14) }",
                "-> (f64, cert) { let (x_22: f64) = index xs_1[i_14] in (x_22, c_9) }",
                Certificates,
            ),
        ],
    ),
];

#[test]
fn each_node_is_checked() {
    all_as_expected(CASES);
}

#[test]
fn what_is_bound_inside_does_not_escape() {
    let pat = |pat: &str, exp: &str| body("r_90: f64", &format!("let ({pat}) = {exp} in (x_3)"));
    let loop_ = "loop (k_12: i64 = n_0, a_13: [k_12]f64 = xs_1) for j_14: i64 < i_4 do { in (k_12, a_13) }";
    assert_eq!(pat("k_10: i64, a_11: [k_10]f64", loop_), []);
    assert_eq!(pat("k_10: i64, a_11: [k_12]f64", loop_), [Scope]);
    let stream = "streamseq n_0 (xs_1) from () chunk \\(c_12: i64, q_14: [c_12]f64) -> ([c_12]f64) { in (q_14) }";
    assert_eq!(pat("a_10: [n_0]f64", stream), []);
    assert_eq!(pat("a_10: [c_12]f64", stream), [Scope]);
    let flatmap = "flatmap n_0 (is_7) size k_16: i64 irregular 0 map \\(i_17: i64) -> (i64) { in (i_17) }";
    let rest = "s_11: [n_0]i64, f_12: [m_10]bool, o_13: [n_0]i64";
    assert_eq!(pat(&format!("m_10: i64, {rest}"), flatmap), []);
    assert_eq!(pat(&format!("m_10: i64, {}", rest.replace("[m_10]", "[k_16]")), flatmap), [Scope]);
    let acc = "withacc input [n_0] (ys_2) comm \\(p_12: f64, q_13: f64) -> (f64) { in (p_12) } neutral (0.0f64) \
               do \\(c_14: cert, a_15: acc(c_14, [n_0] (f64))) -> (acc(c_14, [n_0] (f64))) { in (a_15) }";
    assert_eq!(pat("a_10: [n_0]f64", acc), []);
    assert_eq!(pat("a_10: acc(c_14, [n_0] (f64))", acc), [Scope]);
}

#[test]
fn operators_exist_at_their_width() {
    // text has no name for an operator at a width where it does not exist
    let mut program: Program =
        format!("futi-ir 1 {}", with_body("r_90: bool", "let (y_10: bool) = not.bool(b_5) in (y_10)")).parse().unwrap();
    assert_eq!(errors(&program), []);
    let absent = Prim::Un(UnOp::Sqrt, ScalarType::Bool);
    assert_eq!(absent.signature(), None);
    program.funs[0].body.stms[0].exp = Exp::Prim(absent, vec![SubExp::Var(Var(5))]);
    let rules: Vec<Rule> = errors(&program).into_iter().map(|e| e.rule).collect();
    assert_eq!(rules, [Operators]);
}

#[test]
fn calls_find_their_function() {
    let call = |g: &str| {
        verdict(&format!("fun \"g\"() -> () {{ in () }} fun \"f\"() -> () {{ let () = call \"{g}\"() in () }}"))
    };
    assert_eq!(call("g"), []);
    assert_eq!(call("h"), [Functions]);
}

#[test]
fn entries_flatten_to_their_parameters() {
    let entry =
        |sig: &str| verdict(&format!("entry \"f\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: f64) {sig} {{ in (1.0f64) }}"));
    assert_eq!(entry("sig 1 (\"xs\": [\"n\"]f64) -> f64"), []);
    assert_eq!(entry("sig 0 (\"n\": i64, \"xs\": [\"n\"]f64) -> f64"), []);
    assert_eq!(entry("sig 0 (\"xs\": [\"n\"]f64) -> f64"), [Entries]);
    assert_eq!(entry("sig 1000000000000000000 (\"xs\": [\"n\"]f64) -> f64"), [Entries]);
    assert_eq!(entry("sig 1 (\"xs\": [\"n\"]f64) -> (f64, f64)"), [Entries]);
    assert_eq!(entry("sig 1 (\"xs\": [\"n\"]i64) -> f64"), [Entries]);
    let acc = "entry \"f\"(c_0: cert) -> () sig 0 (\"c\": bool) -> () { in () }";
    assert_eq!(verdict(acc), [Entries]);
}

#[test]
fn sizes_are_equal_by_name_only() {
    assert_eq!(body("r_90: [n_0]f64", "in (xs_1)"), []);
    assert_eq!(body("r_90: [i_4]f64", "let (i_10: i64) = n_0 in (xs_1)"), [Types]);
    assert_eq!(body("r_90: [x_3]f64", "in (xs_1)"), [Types, Sizes]);
    // a size comes before the types that mention it
    assert_eq!(body("k_90: i64, r_91: [k_90]f64", "in (n_0, xs_1)"), []);
    assert_eq!(body("r_91: [k_90]f64, k_90: i64", "in (xs_1, n_0)"), [Scope]);
}

#[test]
fn an_array_of_rank_0_is_refused() {
    // text writes such a type as a scalar
    let mut program: Program =
        format!("futi-ir 1 {}", with_body("r_90: f64", "let (y_10: f64) = index xs_1[i_4] in (y_10)")).parse().unwrap();
    program.funs[0].params[1].binder.ty = Type::Array(ScalarType::F64, vec![]);
    assert!(errors(&program).iter().all(|e| e.rule == Types) && !errors(&program).is_empty());
}
