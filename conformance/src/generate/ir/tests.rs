use super::*;
use futi_core::ir::check::errors;
use futi_core::ir::visit::{Visit, walk_exp};
use futi_interp::{Ctx, eval};
use std::collections::BTreeSet;

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
