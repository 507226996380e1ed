use super::*;
use crate::coverage::{Shape, kind, shapes};
use futi_core::driver::pipeline::{Stage, stage};
use futi_core::failure::FailureKind;
use futi_core::hash::HashSet;
use futi_core::ir::check::errors;
use futi_core::ir::visit::{Visit, walk_exp};
use futi_interp::{Ctx, NodeKind, eval};

const SIZE: usize = 10;

fn made(profile: Profile, seed: u64) -> Generated {
    program(profile, &Weights::of(profile), SIZE, seed)
}

fn each(seeds: u64, mut f: impl FnMut(Profile, u64, Generated)) {
    for profile in Profile::ALL {
        (0..seeds).for_each(|seed| f(profile, seed, made(profile, seed)));
    }
}

#[test]
fn programs_are_well_formed_and_their_text_parses_back() {
    each(300, |profile, seed, g| {
        let found: Vec<String> = errors(&g.program).iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{profile:?} {seed}: {found:?}\n{}", g.program);
        let text = g.program.to_string();
        let again: Program = text.parse().unwrap_or_else(|e| panic!("{profile:?} {seed}: {e}\n{text}"));
        assert_eq!(again, g.program, "{profile:?} {seed}");
    });
}

#[test]
fn a_seed_makes_one_program() {
    each(20, |profile, seed, g| assert_eq!(made(profile, seed), g));
    assert_ne!(made(Profile::Everything, 1), made(Profile::Everything, 2));
}

/// The kinds of nodes in the programs of a profile.
fn kinds(profile: Profile, seeds: u64) -> HashSet<&'static str> {
    struct Kinds(HashSet<&'static str>);
    impl Visit for Kinds {
        fn exp(&mut self, e: &Exp) {
            self.0.insert(kind(e).name());
            walk_exp(self, e);
        }
    }
    let mut kinds = Kinds(HashSet::default());
    for seed in 0..seeds {
        made(profile, seed).program.funs.iter().for_each(|f| kinds.body(&f.body));
    }
    kinds.0
}

#[test]
fn every_node_occurs() {
    let found = kinds(Profile::Everything, 300);
    let missing: Vec<&str> = NodeKind::ALL.iter().map(|k| k.name()).filter(|k| !found.contains(k)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn differentiable_programs_have_every_node_with_a_rule_and_floats() {
    let found = kinds(Profile::Differentiable, 200);
    assert!(!found.contains("segop"), "{found:?}");
    let ruled = NodeKind::ALL.iter().map(|k| k.name()).filter(|k| *k != "segop");
    let missing: Vec<&str> = ruled.filter(|k| !found.contains(k)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for seed in 0..200 {
        let g = made(Profile::Differentiable, seed);
        assert!(g.program.entry(ENTRY).and_then(futi_core::ad::entry::floats).is_some(), "seed {seed}");
    }
}

#[test]
fn programs_for_devices_have_what_is_hard_for_them() {
    let shapes = |seed| {
        let program = made(Profile::Vulkan, seed).program;
        shapes(&program, stage(program.clone(), Stage::Flat).ok().as_ref())
    };
    let found: Vec<_> = (0..200).map(shapes).collect();
    for shape in Shape::all() {
        let count = found.iter().filter(|shapes| shapes.contains(&shape)).count();
        let least = match shape {
            Shape::IrregularNest => 60,
            Shape::ThreeVersions => 40,
            _ => 20,
        };
        assert!(count >= least, "{shape}: {count} of 200 programs");
    }
}

#[test]
fn a_few_programs_fail_and_a_few_are_empty() {
    for profile in Profile::ALL {
        let (mut failed, mut empty) = (0, 0);
        for seed in 0..400 {
            let g = made(profile, seed);
            if let Err(e) = eval(&g.program, ENTRY, &g.args, &Ctx::default()) {
                assert!(e.kind != FailureKind::Internal, "{profile:?} {seed}: {e}\n{}", g.program);
                failed += 1;
            }
            empty += usize::from(g.args.iter().any(|v| v.shape().contains(&0)));
        }
        // 3 and 9 percent are asked for
        assert!((4..=40).contains(&failed), "{profile:?}: {failed} of 400 programs fail");
        assert!((20..=90).contains(&empty), "{profile:?}: {empty} of 400 programs have empty arguments");
    }
}

#[test]
fn weights_choose() {
    let mut weights = Weights::of(Profile::Everything);
    assert!(weights.set("frob", 1).is_err());
    for name in Weights::names() {
        weights.set(name, u32::from(name == "reverse")).unwrap();
    }
    let mut reversed = false;
    for seed in 0..30 {
        let g = program(Profile::Everything, &weights, SIZE, seed);
        let stms = &g.program.funs[0].body.stms;
        reversed |= stms.iter().any(|s| matches!(s.exp, Exp::Reverse { .. }));
        assert!(!stms.iter().any(|s| matches!(s.exp, Exp::Loop { .. } | Exp::If { .. } | Exp::Rotate { .. })));
    }
    assert!(reversed);
}
