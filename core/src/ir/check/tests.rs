//! Ill-formed programs by rule, each beside a well-formed twin; and the text of every node, there and back.

use super::*;

fn verdict(text: &str) -> Vec<Rule> {
    let program: Program = match format!("futi-ir 1\n{text}").parse() {
        Ok(p) => p,
        Err(e) => panic!("{e}\n{text}"),
    };
    assert_eq!(program.to_string().parse::<Program>().as_ref(), Ok(&program), "text does not come back\n{program}");
    let mut rules: Vec<Rule> = errors(&program).into_iter().map(|e| e.rule).collect();
    rules.dedup();
    rules
}

/// The body of a function with `n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, x_3: f64, i_4: i64, b_5: bool, xss_6: [n_0][n_0]f64`.
fn body(result: &str, text: &str) -> Vec<Rule> {
    verdict(&format!(
        "fun \"f\"(n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, x_3: f64, i_4: i64, b_5: bool, *xss_6: [n_0][n_0]f64) -> ({result}) {{ {text} }}"
    ))
}

#[test]
fn the_text_of_every_node_comes_back_and_checks() {
    let text = include_str!("every_node.ir");
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(program.to_string(), text);
    assert_eq!(errors(&program), []);
}

#[test]
fn binders_are_unique() {
    assert_eq!(body("r_9: f64", "let (a_7: f64) = x_3 let (a_7: f64) = x_3 in (a_7)"), [Rule::UniqueBinders]);
    assert_eq!(verdict("fun \"f\"() -> () { in () } fun \"f\"() -> () { in () }"), [Rule::UniqueBinders]);
}

#[test]
fn scopes() {
    assert_eq!(body("r_9: f64", "in (z_8)"), [Rule::Scope]);
    let inner = "let (y_7: f64) = if b_5 then { let (t_8: f64) = x_3 in (t_8) } else { in (x_3) }";
    assert_eq!(body("r_9: f64", &format!("{inner} in (y_7)")), []);
    assert_eq!(body("r_9: f64", &format!("{inner} in (t_8)")), [Rule::Scope]);
}

#[test]
fn types_and_arities() {
    assert_eq!(body("r_9: f64", "let (y_7: f64) = add.f64(x_3, 1.0f64) in (y_7)"), []);
    assert_eq!(body("r_9: f64", "let (y_7: f64) = add.f64(x_3, 1i32) in (y_7)"), [Rule::Types]);
    assert_eq!(body("r_9: f64", "let (y_7: f64) = add.f64(x_3) in (y_7)"), [Rule::Arity]);
    assert_eq!(body("r_9: i64", "in (x_3)"), [Rule::Types]);
    assert_eq!(body("r_9: f64", "let (y_7: f64) = index xss_6[i_4] in (y_7)"), [Rule::Types]);
    assert_eq!(body("r_9: f64", "let (y_7: f64) = index xs_1[i_4, i_4] in (y_7)"), [Rule::Arity]);
    assert_eq!(body("r_9: [n_0]f64", "let (y_7: [n_0]f64) = rearrange (1, 0) xs_1 in (y_7)"), [Rule::Types]);
}

#[test]
fn sizes_are_equal_by_name_only() {
    let map = |width: &str| {
        format!("let (y_7: [n_0]f64) = screma {width} (xs_1) map \\(a_8: f64) -> (f64) {{ in (a_8) }} in (y_7)")
    };
    assert_eq!(body("r_9: [n_0]f64", &map("n_0")), []);
    assert_eq!(body("r_9: [n_0]f64", &map("i_4")), [Rule::Types]);
    assert_eq!(body("r_9: [x_3]f64", "in (xs_1)"), [Rule::Sizes, Rule::Types]);
    // an existential size is a leading result
    let ranged = "let (k_7: i64, a_8: [k_7]i64) = if b_5 then { let (c_10: [n_0]i64) = iota i64 (n_0, 0i64, 1i64) in (n_0, c_10) } \
                  else { let (c_11: [2]i64) = iota i64 (2i64, 0i64, 1i64) in (2i64, c_11) } in (k_7, a_8)";
    assert_eq!(body("k_12: i64, r_9: [k_12]i64", ranged), []);
    assert_eq!(body("k_12: i64, r_9: [n_0]i64", ranged), [Rule::Types]);
}

#[test]
fn calls_operators_certificates() {
    assert_eq!(body("", "let () = call \"g\"() in ()"), [Rule::Functions]);
    assert_eq!(body("r_9: f64", "let (y_7: f64) = x_3 certs (n_0) in (y_7)"), [Rule::Certificates]);
    let checked = "let (c_7: cert) = check bounds (i_4) [n_0] let (y_8: f64) = index xs_1[i_4] certs (c_7) in (y_8)";
    assert_eq!(body("r_9: f64", checked), []);
    let g = "fun \"g\"(m_20: i64, as_21: [m_20]f64) -> (k_22: i64, bs_23: [k_22]f64) { in (m_20, as_21) }";
    let call = "let (k_7: i64, r_8: [k_7]f64) = call \"g\"(n_0, xs_1) in (k_7, r_8)";
    let f =
        |t: &str| verdict(&format!("{g} fun \"f\"(n_0: i64, xs_1: [n_0]f64) -> (k_30: i64, r_9: [k_30]f64) {{ {t} }}"));
    assert_eq!(f(call), []);
    assert_eq!(f(&call.replace("(n_0, xs_1)", "(3i64, xs_1)")), [Rule::Types]);
}

#[test]
fn entries_flatten_to_their_parameters() {
    let entry =
        |sig: &str| verdict(&format!("entry \"f\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: f64) {sig} {{ in (1.0f64) }}"));
    assert_eq!(entry("sig 1 (\"xs\": [\"n\"]f64) -> f64"), []);
    assert_eq!(entry("sig 0 (\"xs\": [\"n\"]f64) -> f64"), [Rule::Entries]);
    assert_eq!(entry("sig 1 (\"xs\": [\"n\"]f64) -> (f64, f64)"), [Rule::Entries]);
}

#[test]
fn consumption() {
    let update = "let (a_7: [n_0]f64) = update ys_2[i_4] = x_3";
    assert_eq!(body("*r_9: [n_0]f64", &format!("{update} in (a_7)")), []);
    // U: use after consume, directly, through an alias, and in one branch only
    assert_eq!(
        body("r_9: f64", &format!("{update} let (y_8: f64) = index ys_2[i_4] in (y_8)")),
        [Rule::UseAfterConsume]
    );
    assert_eq!(
        body("r_9: f64", &format!("let (z_10: [n_0]f64) = ys_2 {update} let (y_8: f64) = index z_10[i_4] in (y_8)")),
        [Rule::UseAfterConsume]
    );
    let branch = "let (u_11: [n_0]f64) = if b_5 then { let (a_7: [n_0]f64) = update ys_2[i_4] = x_3 in (a_7) } else { in (xs_1) }";
    assert_eq!(body("r_9: [n_0]f64", &format!("{branch} in (u_11)")), []);
    assert_eq!(body("r_9: [n_0]f64", &format!("{branch} in (ys_2)")), [Rule::UseAfterConsume]);
    // what is not unique is not consumed
    assert_eq!(body("r_9: [n_0]f64", "let (a_7: [n_0]f64) = update xs_1[i_4] = x_3 in (a_7)"), [Rule::Consumable]);
    // a row written into its own array
    let row = "let (row_7: [n_0]f64) = index xss_6[i_4] let (a_8: [n_0][n_0]f64) = update xss_6[0i64] = row_7 in (a_8)";
    assert_eq!(body("r_9: [n_0][n_0]f64", row), [Rule::Aliasing]);
    // a unique result that is a shared parameter
    assert_eq!(body("*r_9: [n_0]f64", "in (xs_1)"), [Rule::Aliasing]);
    assert_eq!(body("*r_9: [n_0]f64", "in (ys_2)"), []);
}

#[test]
fn the_three_gaps_of_digest_004_are_closed() {
    // 1: a loop that does not run returns its first value, which is shared
    let fresh = "let (l_7: [n_0]f64) = loop (p_8: [n_0]f64 = xs_1) for k_10: i64 < n_0 do { let (c_11: [n_0]f64) = copy xs_1 in (c_11) }";
    assert_eq!(
        body("r_9: [n_0]f64", &format!("{fresh} let (u_12: [n_0]f64) = update l_7[0i64] = x_3 in (u_12)")),
        [Rule::Consumable]
    );
    // 2: the result of an update may be used
    let used = "let (a_7: [n_0]f64) = update ys_2[i_4] = x_3 let (y_8: f64) = index a_7[i_4] in (y_8)";
    assert_eq!(body("r_9: f64", used), []);
    // 3: rows written while they are read (U15), and through a free variable (U16)
    let map = |arrays: &str, params: &str, read: &str| {
        format!(
            "let (m_7: [n_0]f64) = screma n_0 ({arrays}) map \\({params}) -> (f64) \
             {{ let (w_20: [n_0]f64) = update p_8[0i64] = 9.0f64 let (e_21: f64) = {read} in (e_21) }} in (m_7)"
        )
    };
    let two = "p_8: [n_0]f64, q_10: [n_0]f64";
    assert_eq!(body("r_9: [n_0]f64", &map("xss_6, xss_6", two, "index q_10[0i64]")), [Rule::Aliasing]);
    assert_eq!(body("r_9: [n_0]f64", &map("xss_6", "p_8: [n_0]f64", "index xss_6[0i64, 0i64]")), [Rule::Aliasing]);
    assert_eq!(body("r_9: [n_0]f64", &map("xss_6", "p_8: [n_0]f64", "index w_20[0i64]")), []);
    let after = map("xss_6", "p_8: [n_0]f64", "index w_20[0i64]")
        .replace("in (m_7)", "let (z_30: [n_0]f64) = index xss_6[0i64] in (z_30)");
    assert_eq!(body("r_9: [n_0]f64", &after), [Rule::UseAfterConsume]);
}

#[test]
fn consuming_a_free_variable_in_a_map_or_a_loop() {
    let map = "let (m_7: [n_0][n_0]f64) = screma n_0 (xs_1) map \\(e_8: f64) -> ([n_0]f64) \
               { let (w_10: [n_0]f64) = update ys_2[0i64] = e_8 in (w_10) } in (m_7)";
    assert_eq!(body("r_9: [n_0][n_0]f64", map), [Rule::Consumable]);
    let loop_ = |unique: &str, init: &str| {
        format!(
            "let (l_7: [n_0]f64) = loop ({unique}p_8: [n_0]f64 = {init}) for k_10: i64 < n_0 do \
             {{ let (w_11: [n_0]f64) = update p_8[k_10] = x_3 in (w_11) }} in (l_7)"
        )
    };
    assert_eq!(body("*r_9: [n_0]f64", &loop_("*", "ys_2")), []);
    assert_eq!(body("*r_9: [n_0]f64", &loop_("*", "xs_1")), [Rule::Consumable]);
    assert_eq!(body("r_9: [n_0]f64", &loop_("", "ys_2")), [Rule::Consumable]);
}

#[test]
fn accumulators_are_linear() {
    let with = |inner: &str| {
        format!(
            "let (a_7: [n_0]f64) = withacc input [n_0] (ys_2) comm \\(p_10: f64, q_11: f64) -> (f64) \
             {{ let (s_12: f64) = add.f64(p_10, q_11) in (s_12) }} neutral (0.0f64) do \
             \\(c_13: cert, acc_14: acc(c_13, [n_0] (f64))) -> (acc(c_13, [n_0] (f64))) {{ {inner} }} in (a_7)"
        )
    };
    let update = |to: &str, from: &str| format!("let ({to}: acc(c_13, [n_0] (f64))) = updacc {from}[i_4] (x_3)");
    let r = "r_9: [n_0]f64";
    assert_eq!(body(r, &with(&format!("{} in (u_15)", update("u_15", "acc_14")))), []);
    assert_eq!(
        body(r, &with(&format!("{} {} in (u_15)", update("u_15", "acc_14"), update("u_16", "acc_14")))),
        [Rule::Linear]
    );
    assert_eq!(body(r, &with(&format!("{} in (acc_14)", update("u_15", "acc_14")))), [Rule::Linear]);
    // the array is not used while it is an accumulator
    let reads = format!("let (y_17: f64) = index ys_2[i_4] {} in (u_15)", update("u_15", "acc_14"));
    assert_eq!(body(r, &with(&reads)), [Rule::UseAfterConsume]);
}

#[test]
fn bad_text_is_refused_with_its_place() {
    let error = |s: &str| s.parse::<Program>().map_err(|e| e.to_string());
    assert_eq!(error("futi-ir 7").unwrap_err(), "1:9: expected version 1, found `7`");
    assert_eq!(
        error("futi-ir 1\nfun \"f\"() -> () { in (1q) }").unwrap_err(),
        "2:23: expected a variable or a constant, found `1q`"
    );
    assert_eq!(error("futi-ir 1\nfun \"f").unwrap_err(), "2:5: a string without its end");
    let deep = format!("futi-ir 1 fun \"f\"() -> () {}", "{ let () = if true then ".repeat(100_000));
    assert!(error(&deep).unwrap_err().contains("nested less than 512 deep"));
    let program = include_str!("every_node.ir");
    for end in (0..program.len()).step_by(7) {
        let _ = program[..end].parse::<Program>(); // no truncation panics
    }
}
