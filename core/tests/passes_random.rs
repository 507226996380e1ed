//! Random programs of every node: each pass alone, and each stage of the pipeline, keeps them well-formed and keeps every bit of their results,
//! strictly: what a pass lets be read after it is consumed, or before it is written, is a failure.

mod common;
use common::random::nodes::{arguments_of_all_nodes, program_of_all_nodes};
use common::random::{arguments, program, seeds};
use common::*;
use futi_core::ir::*;
use futi_core::passes::pipeline::{AD, DCE, FLATTEN, FUSE, INLINE, Pass, SIMPLIFY, Stage};
use futi_core::passes::{copies, cse, hoist};
use futi_core::value::Value;
use futi_core::value::compare::{Tolerance, compare};

const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };

const CSE: Pass = Pass { name: "cse", description: "", run: |p| Ok(cse::cse(p)) };
const HOIST: Pass = Pass { name: "hoist", description: "", run: |p| Ok(hoist::hoist(p)) };
const COPIES: Pass = Pass { name: "copies", description: "", run: |p| Ok(copies::copies(p)) };

const PASSES: [Pass; 9] = [INLINE, SIMPLIFY, AD, FUSE, FLATTEN, DCE, CSE, HOIST, COPIES];

fn keeps(what: &str, before: &Program, after: &Program, args: &[Value], expected: &[Value]) {
    well_formed(after, &format!("{what} of\n{before}"));
    let (got, _) = run(after, args);
    assert_eq!(got.len(), expected.len(), "{what}");
    for (k, (g, e)) in got.iter().zip(expected).enumerate() {
        if let Some(m) = compare(g, e, EXACT) {
            panic!("{what}, result {k}: {m}\n{before}\nbecame\n{after}");
        }
    }
}

fn check(program: &Program, args: &[Value], what: &str) {
    well_formed(program, what);
    let (expected, _) = run(program, args);
    let errors = |pass: &Pass, e: futi_core::ad::Errors| panic!("{what}, {}: {:?}", pass.name, e.constructs);
    for pass in &PASSES {
        let after = (pass.run)(program.clone()).unwrap_or_else(|e| errors(pass, e));
        keeps(&format!("{what}, {}", pass.name), program, &after, args, &expected);
    }
    let mut at = program.clone();
    for stage in Stage::ALL {
        for pass in stage.passes() {
            let after = (pass.run)(at.clone()).unwrap_or_else(|e| errors(pass, e));
            keeps(&format!("{what}, {} at stage {}", pass.name, stage.name()), &at, &after, args, &expected);
            at = after;
        }
    }
}

#[test]
fn every_pass_keeps_programs_of_every_node() {
    let args = arguments_of_all_nodes();
    seeds(1..120).for_each(|seed| check(&program_of_all_nodes(seed), &args, &format!("seed {seed}")));
}

#[test]
fn every_pass_keeps_numeric_programs() {
    let args = arguments();
    seeds(1..40).for_each(|seed| check(&program(seed), &args, &format!("seed {seed}")));
}

#[test]
fn the_programs_have_every_node() {
    use futi_core::ir::visit::{Visit, walk_exp};
    use std::collections::HashSet;
    #[derive(Default)]
    struct Kinds(HashSet<std::mem::Discriminant<Exp>>, bool);
    impl Visit for Kinds {
        fn exp(&mut self, e: &Exp) {
            self.0.insert(std::mem::discriminant(e));
            self.1 |= matches!(e, Exp::Screma(s) if s.post.is_some());
            walk_exp(self, e);
        }
    }
    let mut kinds = Kinds::default();
    for seed in 1..100 {
        program_of_all_nodes(seed).funs.iter().for_each(|f| kinds.body(&f.body));
    }
    // all but SubExp, Scratch, Rearrange, Coerce, Concat, Jvp, Vjp and SegOp, which the other generator, differentiation and flattening make
    assert!(kinds.1);
    assert_eq!(kinds.0.len(), 37 - 8);
}
