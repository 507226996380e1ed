//! A derivative relies on the checks that the code relies on: where that fails, so does what is left of it when only the derivative is asked for, even if that
//! reads nothing of the code.

mod common;
use common::*;
use futi_core::driver::pipeline::Stage;
use futi_core::failure::FailureKind;
use futi_core::ir::{FunResult, Program};
use futi_interp::{Ctx, eval};

/// Functions, linear but for the last, of `xs_2: [n_1]f64` and `y_3: f64` with a result `r_10: [n_1]f64`, or a scalar.
const LINEAR: [(&str, &str); 30] = [
    ("map", "screma n_1 (xs_2) map \\(x_20: f64) -> (f64) { let (t_21: f64) = mul.f64(x_20, 2.0f64) in (t_21) }"),
    (
        "map with a free row",
        "screma n_1 (is_7) map \\(k_20: i64) -> (f64) { let (t_21: f64) = index xs_2[k_20] in (t_21) }",
    ),
    (
        "sum",
        "screma n_1 (xs_2) map \\(x_20: f64) -> (f64) { in (x_20) } reduce comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64)",
    ),
    (
        "scan",
        "screma n_1 (xs_2) map \\(x_20: f64) -> (f64) { in (x_20) } scan \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64)",
    ),
    (
        "function after a scan",
        "screma n_1 (xs_2) map \\(x_20: f64) -> (f64) { in (x_20) } scan \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64) post \\(p_25: f64) -> (f64) { let (q_26: f64) = neg.f64(p_25) in (q_26) }",
    ),
    ("if", "if b_8 then { let (t_21: [n_1]f64) = reverse xs_2 in (t_21) } else { in (xs_2) }"),
    ("match", "match (i_0) case (5i64) { let (t_21: [n_1]f64) = reverse xs_2 in (t_21) } else { in (xs_2) }"),
    ("loop", "loop (*a_22: [n_1]f64 = xs_6) for k_23: i64 < 3i64 do { let (t_24: [n_1]f64) = reverse a_22 in (t_24) }"),
    (
        "while",
        "loop (go_21: bool = b_8, a_22: f64 = y_3) while go_21 do { let (t_24: f64) = add.f64(a_22, y_3) in (false, t_24) }",
    ),
    (
        "scatter",
        "scatter n_1 (is_7, xs_2) map \\(k_20: i64, x_21: f64) -> (i64, f64) { in (k_20, x_21) } dest [n_1] xs_6",
    ),
    (
        "scatter of a map",
        "scatter n_1 (is_7, xs_2) map \\(k_20: i64, x_21: f64) -> (i64, f64) { let (t_22: f64) = add.f64(x_21, x_21) in (k_20, t_22) } dest [n_1] xs_6",
    ),
    (
        "hist",
        "hist n_1 (is_7, xs_2) map \\(k_20: i64, x_21: f64) -> (i64, f64) { in (k_20, x_21) } dest [n_1] (xs_6) comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64)",
    ),
    (
        "hist of a map",
        "hist n_1 (is_7, xs_2) map \\(k_20: i64, x_21: f64) -> (i64, f64) { let (t_22: f64) = neg.f64(x_21) in (k_20, t_22) } dest [n_1] (xs_6) comm \\(a_25: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_25, b_23) in (t_24) } neutral (0.0f64)",
    ),
    (
        "withacc",
        "withacc input [n_1] (xs_6) comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64) do \\(id_25: cert, acc_26: acc(id_25, [n_1] (f64))) -> (acc(id_25, [n_1] (f64))) { let (acc_27: acc(id_25, [n_1] (f64))) = screma n_1 (is_7, xs_2, acc_26) map \\(k_28: i64, x_29: f64, acc_30: acc(id_25, [n_1] (f64))) -> (acc(id_25, [n_1] (f64))) { let (acc_31: acc(id_25, [n_1] (f64))) = updacc acc_30[k_28] (x_29) in (acc_31) } in (acc_27) }",
    ),
    ("reverse", "reverse xs_2"),
    ("rotate", "rotate 1i64 xs_2"),
    ("copy", "copy xs_2"),
    ("replicate", "replicate [n_1] y_3"),
    ("index", "index xs_2[0i64]"),
    ("update", "update xs_6[0i64] = y_3"),
    ("slice", "slice xs_2[0i64 : n_1 : 1i64]"),
    ("slice backwards", "slice xs_2[2i64 : 3 : -1i64]"),
    ("update of a slice", "updslice xs_6[0i64 : n_1 : 1i64] = xs_2"),
    ("concat", "concat 6 (xs_2, xs_2)"),
    (
        "withacc of max",
        "withacc input [n_1] (xs_6) comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = max.f64(a_22, b_23) in (t_24) } neutral (-f64.inf) do \\(id_25: cert, acc_26: acc(id_25, [n_1] (f64))) -> (acc(id_25, [n_1] (f64))) { let (acc_27: acc(id_25, [n_1] (f64))) = screma n_1 (is_7, xs_2, acc_26) map \\(k_28: i64, x_29: f64, acc_30: acc(id_25, [n_1] (f64))) -> (acc(id_25, [n_1] (f64))) { let (acc_31: acc(id_25, [n_1] (f64))) = updacc acc_30[k_28] (x_29) in (acc_31) } in (acc_27) }",
    ),
    (
        "hist of max",
        "hist n_1 (is_7, xs_2) map \\(k_20: i64, x_21: f64) -> (i64, f64) { in (k_20, x_21) } dest [n_1] (xs_6) comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = max.f64(a_22, b_23) in (t_24) } neutral (-f64.inf)",
    ),
    (
        "strip-mined loop",
        "loop (*a_22: [n_1]f64 = xs_6) for k_23: i64 < 3i64 do { let (t_24: [n_1]f64) = reverse a_22 in (t_24) }",
    ),
    (
        "stream",
        "streampar n_1 (xs_2) reduce comm \\() -> () { in () } neutral () chunk \\(m_26: i64, ys_27: [m_26]f64) -> ([m_26]f64) { let (t_28: [m_26]f64) = screma m_26 (ys_27) map \\(y_29: f64) -> (f64) { let (z_30: f64) = neg.f64(y_29) in (z_30) } in (t_28) }",
    ),
    (
        "stream that sums",
        "streampar n_1 (xs_2) reduce comm \\(a_42: f64, b_43: f64) -> (f64) { let (t_44: f64) = add.f64(a_42, b_43) in (t_44) } neutral (0.0f64) chunk \\(m_26: i64, ys_27: [m_26]f64) -> (f64) { let (t_28: f64) = screma m_26 (ys_27) map \\(y_29: f64) -> (f64) { in (y_29) } reduce comm \\(a_32: f64, b_33: f64) -> (f64) { let (t_34: f64) = add.f64(a_32, b_33) in (t_34) } neutral (0.0f64) in (t_28) }",
    ),
    (
        "product",
        "screma n_1 (xs_2) map \\(x_20: f64) -> (f64) { in (x_20) } reduce comm \\(a_32: f64, b_33: f64) -> (f64) { let (t_34: f64) = mul.f64(a_32, b_33) in (t_34) } neutral (1.0f64)",
    ),
];

/// The derivative without its primal results.
fn alone(program: &Program, d: D) -> Program {
    let results = program.funs[0].results.len();
    let mut derived = derivative(program, d);
    let fun = &mut derived.funs[0];
    fun.results.drain(..results).for_each(|_: FunResult| ());
    fun.body.result.drain(..results);
    derived
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    Construct,
    /// Beside it twice y.
    Beside,
    /// Its first element alone, so that its adjoint is sparse.
    First,
}

/// The construct, which relies on a check that i is below 3.
fn checked(what: &str, exp: &str, of: Of) -> Program {
    let ty = match what {
        "sum" | "while" | "index" | "stream that sums" | "product" => "f64",
        "slice backwards" => "[3]f64",
        "concat" => "[6]f64",
        _ => "[n_1]f64",
    };
    let attrs = if what == "strip-mined loop" { "attrs (\"stripmine\" 2)" } else { "" };
    let before = if what == "while" { "go_11: bool, " } else { "" };
    let (types, result) = match of {
        Of::Construct => (format!("r_4: {ty}"), "r_10"),
        Of::Beside => (format!("r_4: {ty}, r_5: f64"), "r_10, z_12"),
        Of::First if ty == "f64" => ("r_4: f64".to_string(), "r_10"),
        Of::First => ("r_4: f64".to_string(), "first_13"),
    };
    let first = if result == "first_13" { "let (first_13: f64) = index r_10[0i64]" } else { "" };
    let text = format!(
        "fun \"f\"(i_0: i64, n_1: i64, xs_2: [n_1]f64, y_3: f64) -> ({types}) {{
           let (is_7: [n_1]i64) = iota i64 (n_1, 0i64, 1i64)
           let (b_8: bool) = lt.i64(i_0, 2i64)
           let (xs_6: [n_1]f64) = copy xs_2
           let (c_9: cert) = check bounds (i_0) [3]
           let ({before}r_10: {ty}) = {exp} certs (c_9) {attrs}
           {first}
           let (z_12: f64) = mul.f64(y_3, 2.0f64)
               in ({result}) }}"
    );
    parse(&text)
}

#[test]
fn where_the_code_fails_so_does_its_derivative() {
    let returned = |(what, exp)| [Of::Construct, Of::First].map(|of| (what, exp, of));
    for (what, exp, of) in LINEAR.into_iter().flat_map(returned) {
        let program = checked(what, exp, of);
        for d in [D::Jvp, D::Vjp] {
            let derived = alone(&program, d);
            for (i, fails) in [("1i64", false), ("7i64", true)] {
                let args = fill_args(&derived, &values(&format!("3i64 {i} [1f64,2f64,4f64] 3f64")));
                for stage in [Stage::Lowered, Stage::Ad, Stage::Fused, Stage::Flat] {
                    let staged = at(&derived, stage);
                    let result = eval(&staged, "main", &args, &Ctx::strict());
                    let kind = result.as_ref().err().map(|e| e.kind);
                    assert_eq!(
                        kind,
                        fails.then_some(FailureKind::Bounds),
                        "{what}, {of:?}, {d:?}, i = {i}, {stage:?}\n{staged}"
                    );
                }
            }
        }
    }
}

/// What is beside a construct relies on no check of its: there is none left where only that is wanted.
#[test]
fn a_check_is_for_what_relies_on_it_alone() {
    for (what, exp) in LINEAR {
        let mut derived = derivative(&checked(what, exp, Of::Beside), D::Jvp);
        let fun = &mut derived.funs[0];
        let beside = |k: usize| k % 2 == 1;
        let mut k = 0..;
        fun.results.retain(|_: &FunResult| k.next().is_some_and(beside));
        let mut k = 0..;
        fun.body.result.retain(|_| k.next().is_some_and(beside));
        let left = at(&derived, Stage::Fused);
        assert!(!left.to_string().contains("check"), "{what}\n{left}");
    }
}

/// The results of `main` at every stage.
fn results_are(source: &str, args: &str, expected: &str) {
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.to_string()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    for stage in [Stage::Lowered, Stage::Ad, Stage::Fused, Stage::Flat] {
        let staged = at(&program, stage);
        let results =
            eval(&staged, "main", &values(args), &Ctx::strict()).unwrap_or_else(|e| panic!("{stage:?}: {e}\n{staged}"));
        same(&results, &values(expected), &format!("{stage:?}, {source}"), &staged);
    }
}

/// Where an operator may fail, its derivative applies it to nothing but what the reduction or scan does: to what has been accumulated and an element.
#[test]
fn an_operator_that_may_fail_is_applied_to_no_other_operands() {
    // products of elements below 5, from left to right
    let op = "def op (x: f64) (y: f64) : f64 = assert (y < 5) (x * y)";
    // 2 · 3 · 4, of which 3 · 4 would fail: without the element, 12, 8, 6; of nothing the neutral element
    let reduce = format!("{op} entry main [n] (xs: [n]f64) = vjp2 (reduce op 1) xs 1");
    results_are(&reduce, "3i64 [2f64, 3f64, 4f64]", "24f64 [12f64, 8f64, 6f64]");
    results_are(&reduce, "1i64 [3f64]", "3f64 [1f64]");
    results_are(&reduce, "0i64 empty([0]f64)", "1f64 empty([0]f64)");
    // 2, 2 · 3, 2 · 3 · 4, and their sum: 1 + 3 + 12, 2 + 2 · 4, 2 · 3
    let scan = format!("{op} entry main [n] (xs: [n]f64) = vjp2 (scan op 1) xs (replicate n 1)");
    results_are(&scan, "3i64 [2f64, 3f64, 4f64]", "[2f64, 6f64, 24f64] [16f64, 10f64, 6f64]");
    // beside a number of elements, which is 1 on the right: without matrices, as these are no floats. The prefixes' products are 1, 2, 2, 4, 4, 8, 8, 16; the sums of
    // those from there on, 45, 44, 42, 40, 36, 32, 24, 16, are divided by the elements
    let mixed = "def op (x: f64, k: i64) (y: f64, l: i64) : (f64, i64) = (assert (l == 1) (x * y), k + l)
        def f [n] (xs: [n]f64) : [n]f64 = (unzip (scan op (1, 0) (map (\\x -> (x, 1)) xs))).0
        entry main [n] (xs: [n]f64) = vjp f xs (replicate n 1)";
    let xs = "8i64 [1f64, 2f64, 1f64, 2f64, 1f64, 2f64, 1f64, 2f64]";
    results_are(mixed, xs, "[45f64, 22f64, 42f64, 20f64, 36f64, 16f64, 24f64, 8f64]");
}
