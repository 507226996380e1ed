//! Traces of random programs, and of their derivatives: the assertions of van Hus §3.1 (rows T1 to T4, T11 and T21 of digest 002_003), and that what a
//! trace keeps, and the order in which it is walked back, do not matter to the derivative.

mod common;
use common::*;
use futi_conformance::generate::ir::Profile;
use futi_core::ir::visit::any_exp;
use futi_core::ir::*;
use futi_interp::{Ctx, Keep, Trace, eval, trace};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

const KEEPS: [&str; 4] = ["reals", "reals,booleans", "reals,arrays", "reals,booleans,arrays"];

fn keep(keep: &str) -> Ctx {
    Ctx { keep: keep.parse().unwrap_or_else(|e| panic!("{e}")), ..Ctx::default() }
}

fn traced(program: &Program, args: &[futi_core::value::Value], keeps: &str) -> Trace {
    let name = program.funs[0].name.as_str();
    trace(program, name, args, &keep(keeps)).unwrap_or_else(|e| panic!("{e}\n{program}"))
}

/// Straight-line code: no branches, loops or calls, and no λ but of scalar operators.
fn is_straight(body: &Body, nested: bool) -> bool {
    body.stms.iter().all(|s| match &s.exp {
        Exp::Prim(..) | Exp::SubExp(_) => true,
        Exp::If { .. } | Exp::Match { .. } | Exp::Loop { .. } | Exp::Apply { .. } | Exp::WithAcc(_) => false,
        Exp::Screma(s) if !nested => is_straight(&s.map.body, true),
        _ => !nested,
    })
}

/// Whether it has a reduction of arrays: the trace of one that is kept whole may be taken apart.
fn sums_rows(program: &Program) -> bool {
    any_exp(
        program,
        |e| matches!(e, Exp::Screma(s) if s.reduces.iter().any(|r| r.lambda.ret.iter().any(|t| t.rank() > 0))),
    )
}

/// The steps of a straight-line program, sorted: each by its text, in which the results of others go by their steps and variables within by their order.
fn steps(program: &Program) -> Vec<String> {
    let (fun, text) = (&program.funs[0], program.to_string());
    let parameters = fun.params.iter().map(|p| (p.binder.var.0, format!("parameter {}", p.binder.var.0)));
    let mut known: HashMap<u32, String> = parameters.collect();
    let mut steps = Vec::new();
    // the last is the body's result
    let mut texts = text.split("\n  let ").skip(1).collect::<Vec<_>>();
    let (last, result) = texts.last().and_then(|t| t.split_once("\n  in ")).unwrap_or_default();
    texts.pop();
    let pats = fun.body.stms.iter().map(|s| &s.pat[..]).chain([&[][..]]);
    for (text, pat) in texts.into_iter().chain([last, result]).zip(pats) {
        let step = named(text, &known);
        let mut hasher = DefaultHasher::new();
        step.hash(&mut hasher);
        let own = |(k, p): (usize, &Binder)| (p.var.0, format!("{:x}.{k}", hasher.finish()));
        known.extend(pat.iter().enumerate().map(own));
        steps.push(step);
    }
    steps.sort();
    steps
}

/// The text with other names for its variables.
fn named(text: &str, known: &HashMap<u32, String>) -> String {
    let mut inside = HashMap::new();
    let mut out = String::new();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    for word in text.split_inclusive(|c| !is_name(c)) {
        let name = word.trim_end_matches(|c| !is_name(c));
        let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        match name.rsplit_once('_').and_then(|(_, number)| number.parse::<u32>().ok()).filter(|_| starts_well) {
            Some(var) => {
                let next = inside.len();
                let local = || format!("v{}", inside.entry(var).or_insert(next));
                out.push_str(&known.get(&var).cloned().unwrap_or_else(local));
            }
            None => out.push_str(name),
        }
        out.push_str(&word[name.len()..]);
    }
    out
}

#[test]
fn steps_that_change_places_are_the_same_and_others_are_not() {
    let program = |body: &str| parse(&format!("fun \"f\"(x_1: f64) -> (y_2: f64) {{ {body} }}"));
    let a = "let (t_3: f64) = sin.f64(x_1)";
    let b = "let (t_4: f64) = cos.f64(x_1)";
    let sum = |x, y| format!("let (t_5: f64) = sub.f64(t_{x}, t_{y}) in (t_5)");
    let first = steps(&program(&format!("{a} {b} {}", sum(3, 4))));
    assert_eq!(first, steps(&program(&format!("{b} {a} {}", sum(3, 4)))));
    assert_ne!(first, steps(&program(&format!("{a} {b} {}", sum(4, 3)))));
    assert_ne!(first, steps(&program(&format!("{a} {b} {}", sum(3, 3)))));
    assert_eq!(first.len(), 4);
}

/// Whether it has a reshape of a constant: the trace of that is a constant of the other shape.
fn reshapes_constants(program: &Program) -> bool {
    let constants = constants(program);
    let stms = &program.funs[0].body.stms;
    stms.iter().any(|s| matches!(&s.exp, Exp::Reshape { array, .. } if constants.contains(array)))
}

/// Whether something is added at places that were known when the program ran and are constants of its trace: that of the trace adds one by one.
fn adds_at_constants(program: &Program) -> bool {
    let constants = constants(program);
    let stms = &program.funs[0].body.stms;
    stms.iter().any(|s| matches!(&s.exp, Exp::Hist(h) if h.arrays.iter().any(|array| constants.contains(array))))
}

/// The arrays that are constants.
fn constants(program: &Program) -> Vec<Var> {
    let constant = |e: &Exp| match e {
        Exp::Replicate { value, .. } => value.as_var().is_none(),
        Exp::ArrayLit { elems, .. } => elems.iter().all(|e| e.as_var().is_none()),
        _ => false,
    };
    program.funs[0].body.stms.iter().filter(|s| constant(&s.exp)).map(|s| s.pat[0].var).collect()
}

/// T1 to T4.
fn assertions(program: &Program, args: &[futi_core::value::Value], what: &str) {
    let name = program.funs[0].name.as_str();
    for keeps in KEEPS {
        // What the traces of derivatives keep decides in which order they add.
        let expected = eval(program, name, args, &keep(keeps)).unwrap_or_else(|e| panic!("{e}"));
        let what = format!("{what}, keeping {keeps}");
        let first = traced(program, args, keeps);
        well_formed(&first.program, &what);
        assert!(is_straight(&first.program.funs[0].body, false), "{what}\n{}", first.program);
        // A1: the same output, and as a program as well
        assert_eq!(first.results, expected, "{what}");
        // sizes are constants of a trace
        let args = &args[program.funs[0].entry.as_ref().map_or(0, |sig| sig.sizes)..];
        let again = eval(&first.program, name, args, &Ctx::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(again, expected, "{what}\n{program}\n{}", first.program);
        // A2: the trace of the trace is the trace; what does not depend on each other may change places
        if sums_rows(&first.program) || reshapes_constants(&first.program) || adds_at_constants(&first.program) {
            continue;
        }
        let second = traced(&first.program, args, keeps);
        let (one, two) = (&first.program, &second.program);
        assert!(steps(one) == steps(two), "{what}\n{program}\nfirst\n{one}\nsecond\n{two}");
    }
}

#[test]
fn t1_t3_t4_a_trace_is_a_straight_line_program_with_the_same_results_and_its_own_trace() {
    for (seed, program, args) in generated(Profile::Differentiable, 0..200) {
        assertions(&program, &args, &format!("seed {seed}"));
    }
}

/// Whether it rounds to less than double precision, so that another order of sums is seen.
fn is_narrow(program: &Program) -> bool {
    let text = program.to_string();
    text.contains("f32") || text.contains("f16")
}

#[test]
fn what_a_trace_keeps_and_the_order_of_the_way_back_do_not_matter() {
    for (seed, program, args) in generated(Profile::Differentiable, 0..150) {
        if is_narrow(&program) {
            continue;
        }
        let program = derivative(&program, D::Vjp);
        let args = fill_args(&program, &args);
        let name = program.funs[0].name.as_str();
        let run = |ctx: Ctx| eval(&program, name, &args, &ctx).unwrap_or_else(|e| panic!("{e}"));
        let expected = run(Ctx::default());
        let check = |ctx: Ctx, what: &str| same(&run(ctx), &expected, &format!("seed {seed}, {what}"), &program);
        KEEPS.iter().for_each(|keeps| check(keep(keeps), keeps));
        check(Ctx { plain: true, ..Ctx::default() }, "element by element");
        for order in 0..5 {
            check(Ctx { reverse_order: Some(order), ..Ctx::default() }, "another order");
            check(Ctx { reverse_order: Some(order), keep: "reals".parse::<Keep>().unwrap(), ..Ctx::default() }, "both");
        }
        for segments in [1, 2, 3, 64] {
            check(Ctx { fold_segments: Some(segments), ..Ctx::default() }, "folds in segments");
        }
    }
}

/// Programs whose derivatives have steps of every shape: sums of matrices, rows and parts of one element, empty parts, parts that come through a reshape,
/// scalars that a mapped function computes and that are read again, switches.
const SHAPES: [(&str, &str); 8] = [
    (
        "fun \"f\"(m_1: [2][2]f64) -> (a_2: [2][2]f64, b_3: [2][2]f64) { in (m_1, m_1) }",
        "[[1.0f64,2.0f64],[3.0f64,4.0f64]]",
    ),
    (
        "fun \"f\"(xs_1: [3]f64) -> (p_2: f64) { let (a_3: [3][1]f64) = screma 3 (xs_1) map \\(x_4: f64) -> ([1]f64) { \
         let (q_5: f64) = mul.f64(x_4, x_4) let (l_6: [1]f64) = array [q_5] of f64 in (l_6) } \
         let (y_7: f64) = index a_3[1i64, 0i64] let (z_8: f64) = index a_3[2i64, 0i64] let (p_9: f64) = mul.f64(y_7, z_8) in (p_9) }",
        "[1.0f64,2.0f64,3.0f64]",
    ),
    (
        "fun \"f\"(xs_1: [3]f64) -> (s_2: [1]f64, e_3: [0]f64) { let (x_4: f64) = index xs_1[0i64] let (w_5: f64) = sin.f64(x_4) \
         let (l_6: [2]f64) = array [x_4, w_5] of f64 let (s_7: [1]f64) = slice l_6[1i64 : 1 : 1i64] \
         let (b_8: [3]f64) = screma 3 (xs_1) map \\(y_9: f64) -> (f64) { let (z_10: f64) = mul.f64(y_9, y_9) in (z_10) } \
         let (e_11: [0]f64) = slice b_8[3i64 : 0 : 1i64] in (s_7, e_11) }",
        "[1.0f64,2.0f64,3.0f64]",
    ),
    (
        "fun \"f\"(xs_1: [8]f64) -> (s_2: [2][2]f64) { let (b_3: [8]f64) = screma 8 (xs_1) map \\(x_4: f64) -> (f64) { \
         let (q_5: f64) = mul.f64(x_4, x_4) in (q_5) } let (m_6: [2][2][2]f64) = reshape [2][2][2] b_3 \
         let (s_7: [2][2]f64) = index m_6[1i64] in (s_7) }",
        "[1.0f64,2.0f64,3.0f64,4.0f64,5.0f64,6.0f64,7.0f64,8.0f64]",
    ),
    (
        "fun \"f\"(xs_1: [3]f64, k_2: f64) -> (s_3: [3]f64, t_4: [3]f64) { let (p_5: [3]f64, q_6: [3]f64) = screma 3 (xs_1) map \\(x_7: f64) -> (f64, f64) { \
         let (l_8: f64) = log.f64(k_2) let (a_9: f64) = mul.f64(x_7, l_8) let (b_10: f64) = pow.f64(k_2, x_7) let (c_11: f64) = max.f64(a_9, b_10) in (c_11, l_8) } \
         in (p_5, q_6) }",
        "[1.0f64,2.0f64,3.0f64] 1.5f64",
    ),
    (
        "fun \"f\"(xs_1: [3]f64) -> (s_2: [3]f64) { let (r_3: [3]f64) = screma 3 (xs_1) map \\(x_4: f64) -> (f64) { let (q_5: f64) = mul.f64(x_4, x_4) \
         let (c_6: bool) = lt.f64(1.5f64, x_4) let (s_7: f64) = select.f64(c_6, q_5, 0.0f64) let (t_8: f64) = sin.f64(s_7) in (t_8) } in (r_3) }",
        "[1.0f64,2.0f64,3.0f64]",
    ),
    // rows and parts of rows, read and written; a part that is as long as a row and is none
    (
        "fun \"f\"(m_1: [2][3]f64) -> (r_2: [2][3]f64, s_3: [3]f64, t_4: [1][3]f64, u_5: [6]f64) { let (b_6: [2][3]f64) = screma 2 (m_1) map \\(x_7: [3]f64) -> ([3]f64) { \
         let (y_8: [3]f64) = screma 3 (x_7) map \\(v_9: f64) -> (f64) { let (w_10: f64) = mul.f64(v_9, v_9) in (w_10) } in (y_8) } \
         let (row_11: [3]f64) = index b_6[1i64] let (sin_12: [3]f64) = screma 3 (row_11) map \\(v_13: f64) -> (f64) { let (w_14: f64) = sin.f64(v_13) in (w_14) } \
         let (c_15: [2][3]f64) = copy b_6 let (d_16: [2][3]f64) = update c_15[0i64] = sin_12 \
         let (flat_17: [6]f64) = reshape [6] d_16 let (part_18: [3]f64) = slice flat_17[2i64 : 3 : 1i64] \
         let (rows_19: [1][3]f64) = slice d_16[1i64 : 1 : 1i64] \
         let (e_20: [6]f64) = copy flat_17 let (f_21: [6]f64) = updslice e_20[1i64 : 3 : 1i64] = part_18 \
         in (d_16, part_18, rows_19, f_21) }",
        "[[1.0f64,2.0f64,3.0f64],[4.0f64,5.0f64,6.0f64]]",
    ),
    // rows of rank two, and parts without elements at the end
    (
        "fun \"f\"(m_1: [2][2][2]f64) -> (r_2: [2][2][2]f64, s_3: [2][2]f64, t_4: [0][2][2]f64, u_5: [2]f64) { let (b_6: [2][2][2]f64) = screma 2 (m_1) map \\(x_7: [2][2]f64) -> ([2][2]f64) { \
         let (y_8: [2][2]f64) = screma 2 (x_7) map \\(v_9: [2]f64) -> ([2]f64) { let (z_22: [2]f64) = screma 2 (v_9) map \\(q_23: f64) -> (f64) { let (w_10: f64) = mul.f64(q_23, q_23) in (w_10) } in (z_22) } in (y_8) } \
         let (row_11: [2][2]f64) = index b_6[1i64] let (none_12: [0][2][2]f64) = slice b_6[2i64 : 0 : 1i64] let (low_13: [2]f64) = index b_6[0i64, 1i64] \
         let (c_15: [2][2][2]f64) = copy b_6 let (d_16: [2][2][2]f64) = update c_15[0i64] = row_11 let (e_17: [2][2][2]f64) = update d_16[1i64, 0i64] = low_13 \
         in (e_17, row_11, none_12, low_13) }",
        "[[[1.0f64,2.0f64],[3.0f64,4.0f64]],[[5.0f64,6.0f64],[7.0f64,8.0f64]]]",
    ),
];

#[test]
fn t1_t3_t4_of_derivatives_with_steps_of_every_shape() {
    for (text, args) in SHAPES {
        let program = parse(text);
        for once in [D::Vjp, D::Jvp].map(|d| derivative(&program, d)) {
            let args = fill_args(&once, &values(args));
            assertions(&once, &args, text);
            let twice = derivative(&once, D::Vjp);
            assertions(&twice, &fill_args(&twice, &args), text);
        }
    }
}
