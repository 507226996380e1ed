//! Which operators accumulators update element by element.

use super::scalar_operator;
use futi_core::ir::check::check;
use futi_core::ir::{Exp, Program};

/// The scalar operators of an accumulator's lambda, for arrays of these elements.
fn operators(elems: &str, lambda: &str) -> Option<Vec<String>> {
    let n = elems.split(", ").count();
    let is_array = elems.contains('[');
    let neutral = ["0.0f64", "0.0f64"].map(|x| if is_array { "ne_9" } else { x })[..n].join(", ");
    let (arrays, vars) = (["[3]", "[3]"], ["h_0", "g_1"]);
    let params: Vec<String> =
        elems.split(", ").zip(vars).zip(arrays).map(|((ty, var), outer)| format!("*{var}: {outer}{ty}")).collect();
    let names: Vec<String> = vars[..n].iter().map(|v| format!("\"{v}\": [\"3\"]{}", elem(is_array))).collect();
    let results: Vec<String> =
        (0..n).map(|k| format!("r_{}: [3]{}", 90 + k, if is_array { "[2]f64" } else { "f64" })).collect();
    let ret: Vec<String> = (0..n).map(|_| format!("[\"3\"]{}", elem(is_array))).collect();
    let acc = format!("acc(c_80, [3] ({elems}))");
    let text = format!(
        "futi-ir 1\nentry \"main\"({}) -> ({}) sig 0 ({}) -> ({}) {{ let (ne_9: [2]f64) = replicate [2] 0.0f64
         let ({}) = withacc input [3] ({}) comm {lambda} neutral ({neutral}) do \\(c_80: cert, a_81: {acc}) -> ({acc}) {{ in (a_81) }} in ({}) }}",
        params.join(", "),
        results.iter().map(|r| r.replace("r_9", "q_7")).collect::<Vec<_>>().join(", "),
        names.join(", "),
        ret.join(", "),
        results.join(", "),
        vars[..n].join(", "),
        (0..n).map(|k| format!("r_{}", 90 + k)).collect::<Vec<_>>().join(", "),
    );
    let text = if n == 1 { text.replace(&format!("-> ({})", ret[0]), &format!("-> {}", ret[0])) } else { text };
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = check(program).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    let with = program.funs[0].body.stms.iter().find_map(|stm| match &stm.exp {
        Exp::WithAcc(with) => Some(with),
        _ => None,
    });
    let prims = scalar_operator(&with.unwrap().inputs[0].op.lambda)?;
    Some(prims.iter().map(|prim| prim.to_string()).collect())
}

fn elem(is_array: bool) -> &'static str {
    if is_array { "[\"2\"]f64" } else { "f64" }
}

#[test]
fn operators_of_scalars_are_found() {
    let one = |body: &str| operators("f64", &format!("\\(x_20: f64, y_21: f64) -> (f64) {{ {body} in (t_22) }}"));
    assert_eq!(one("let (t_22: f64) = add.f64(x_20, y_21)"), Some(vec!["add.f64".into()]));
    assert_eq!(one("let (t_22: f64) = add.f64(y_21, x_20)"), Some(vec!["add.f64".into()]));
    assert_eq!(one("let (t_22: f64) = sub.f64(x_20, y_21)"), Some(vec!["sub.f64".into()]));
    for body in [
        "let (t_22: f64) = sub.f64(y_21, x_20)",
        "let (t_22: f64) = add.f64(x_20, x_20)",
        "let (t_22: f64) = neg.f64(x_20)",
        // A check would be lost.
        "let (c_23: cert) = check assert true \"no\" let (t_22: f64) = add.f64(x_20, y_21) certs (c_23)",
        "let (s_23: f64) = add.f64(x_20, y_21) let (t_22: f64) = add.f64(s_23, y_21)",
    ] {
        assert_eq!(one(body), None, "{body}");
    }
    assert_eq!(operators("f64", "\\(x_20: f64, y_21: f64) -> (f64) { in (x_20) }"), None);
    let two = "\\(x_20: f64, y_21: f64, z_22: f64, w_23: f64) -> (f64, f64) { let (t_24: f64) = add.f64(x_20, z_22) let (u_25: f64) = max.f64(y_21, w_23) in (t_24, u_25) }";
    assert_eq!(operators("f64, f64", two), Some(vec!["add.f64".into(), "max.f64".into()]));
    // Components that mix are not one by one.
    assert_eq!(operators("f64, f64", &two.replace("max.f64(y_21, w_23)", "max.f64(y_21, z_22)")), None);
}

#[test]
fn operators_of_rows_are_found() {
    let one =
        |body: &str| operators("[2]f64", &format!("\\(x_20: [2]f64, y_21: [2]f64) -> ([2]f64) {{ {body} in (t_22) }}"));
    let map = |arrays: &str, op: &str| {
        format!(
            "let (t_22: [2]f64) = screma 2 ({arrays}) map \\(p_23: f64, q_24: f64) -> (f64) {{ let (r_25: f64) = {op} in (r_25) }}"
        )
    };
    assert_eq!(one(&map("x_20, y_21", "sub.f64(p_23, q_24)")), Some(vec!["sub.f64".into()]));
    assert_eq!(one(&map("y_21, x_20", "mul.f64(p_23, q_24)")), Some(vec!["mul.f64".into()]));
    assert_eq!(one(&map("y_21, x_20", "sub.f64(p_23, q_24)")), None);
    assert_eq!(one(&map("x_20, x_20", "mul.f64(p_23, q_24)")), None);
    let scan =
        " scan \\(a_30: f64, b_31: f64) -> (f64) { let (c_32: f64) = add.f64(a_30, b_31) in (c_32) } neutral (0.0f64)";
    assert_eq!(one(&(map("x_20, y_21", "add.f64(p_23, q_24)") + scan)), None);
    let three = "let (t_22: [2]f64) = screma 2 (x_20, y_21, x_20) map \\(p_23: f64, q_24: f64, o_26: f64) -> (f64) { let (r_25: f64) = add.f64(p_23, q_24) in (r_25) }";
    assert_eq!(one(three), None);
    let pair = "let (t_22: [2]f64, u_27: [2]f64) = screma 2 (x_20, y_21) map \\(p_23: f64, q_24: f64) -> (f64, f64) { let (r_25: f64) = add.f64(p_23, q_24) let (s_26: f64) = mul.f64(p_23, q_24) in (r_25, s_26) }";
    assert_eq!(one(pair), None);
}
