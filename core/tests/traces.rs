//! Traces of random programs, and of their derivatives: the assertions of van Hus §3.1 (rows T1 to T4, T11 and T21 of digest 002_003), and that what a
//! trace keeps, and the order in which it is walked back, do not matter to the derivative.

mod common;
use common::random::{arguments, program, seeds};
use common::*;
use futi_core::ir::*;
use futi_interp::{Ctx, Keep, Trace, eval, trace};

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

/// T1 to T4.
fn assertions(program: &Program, args: &[futi_core::value::Value], what: &str) {
    let name = program.funs[0].name.as_str();
    let expected = eval(program, name, args, &Ctx::default()).unwrap_or_else(|e| panic!("{e}"));
    for keeps in KEEPS {
        let what = format!("{what}, keeping {keeps}");
        let first = traced(program, args, keeps);
        well_formed(&first.program, &what);
        assert!(is_straight(&first.program.funs[0].body, false), "{what}\n{}", first.program);
        // A1: the same output, and as a program as well
        assert_eq!(first.results, expected, "{what}");
        let again = eval(&first.program, name, args, &Ctx::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(again, expected, "{what}\n{program}\n{}", first.program);
        // A2: the trace of the trace is the trace; names are numbered in order, so that they agree as well
        let second = traced(&first.program, args, keeps);
        assert_eq!(second.program.to_string(), first.program.to_string(), "{what}\n{program}");
    }
}

#[test]
fn t1_t3_t4_a_trace_is_a_straight_line_program_with_the_same_results_and_its_own_trace() {
    let args = arguments();
    for seed in seeds(1..1001) {
        assertions(&program(seed), &args, &format!("seed {seed}"));
    }
}

#[test]
fn what_a_trace_keeps_and_the_order_of_the_way_back_do_not_matter() {
    let args = arguments();
    for seed in seeds(1..200) {
        let program = derivative(&program(seed), D::Vjp);
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
