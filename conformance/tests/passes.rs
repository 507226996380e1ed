//! Random programs of every node: each pass alone, and each stage of the pipeline, keeps them well-formed and keeps every bit of their results,
//! strictly: what a pass lets be read after it is consumed, or before it is written, is a failure. What accumulators add, a reduction adds in another order, and
//! what a stream gives is added up by chunks: of that some bits may differ.

mod common;
use common::*;
use futi_conformance::generate::ir::Profile;
use futi_core::driver::pipeline::{
    ACCUMULATORS, AD, COMBINE, DCE, FLATTEN, FUSE, INLINE, PLAIN, Pass, SIMPLIFY, Stage,
};
use futi_core::ir::*;
use futi_core::simplify::{copies, cse, hoist};
use futi_core::value::Value;
use futi_core::value::compare::{Tolerance, compare};

const CSE: Pass = Pass { name: "cse", description: "", run: |p, ctx| Ok(cse::cse(p, &mut ctx.analyses)) };
const HOIST: Pass = Pass { name: "hoist", description: "", run: |p, ctx| Ok(hoist::hoist(p, &mut ctx.analyses)) };
const COPIES: Pass = Pass { name: "copies", description: "", run: |p, ctx| Ok(copies::copies(p, &mut ctx.analyses)) };

const PASSES: [Pass; 12] = [INLINE, SIMPLIFY, AD, PLAIN, FUSE, ACCUMULATORS, COMBINE, FLATTEN, DCE, CSE, HOIST, COPIES];

/// Whether sums may be added up in another order.
fn reorders(pass: &Pass) -> bool {
    [ACCUMULATORS.name, PLAIN.name].contains(&pass.name)
}

/// How far results may be from what they were.
fn tolerance(pass: &Pass) -> Tolerance {
    if reorders(pass) { Tolerance { absolute: 1e-5, relative: 1e-5 } } else { EXACT }
}

fn keeps(pass: &Pass, what: &str, before: &Program, after: &Program, args: &[Value], expected: &[Value]) {
    let what = format!("{what}, {}", pass.name);
    well_formed(after, &format!("{what} of\n{before}"));
    let (got, _) = run(after, args);
    assert_eq!(got.len(), expected.len(), "{what}");
    for (k, (g, e)) in got.iter().zip(expected).enumerate() {
        if let Some(m) = compare(g, e, tolerance(pass)) {
            panic!("{what}, result {k}: {m}\n{before}\nbecame\n{after}");
        }
    }
}

fn check(program: &Program, args: &[Value], what: &str) {
    well_formed(program, what);
    let (mut expected, _) = run(program, args);
    for pass in &PASSES {
        // what has no derivative is judged elsewhere
        let Ok(after) = pass.alone(program.clone()) else { continue };
        keeps(pass, what, program, &after, args, &expected);
    }
    let mut at = program.clone();
    for stage in Stage::ALL {
        for pass in stage.passes() {
            let Ok(after) = pass.alone(at.clone()) else { return };
            keeps(pass, &format!("{what}, stage {}", stage.name()), &at, &after, args, &expected);
            if reorders(pass) {
                expected = run(&after, args).0;
            }
            at = after;
        }
    }
}

#[test]
fn every_pass_keeps_programs_of_every_node() {
    for (seed, program, args) in generated(Profile::Everything, 0..120) {
        check(&program, &args, &format!("seed {seed}"));
    }
}
