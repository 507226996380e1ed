//! What tests of generated programs share.

#[path = "../../../core/tests/common/mod.rs"]
mod programs;

use futi_conformance::generate::Generated;
use futi_conformance::generate::ir::{self, Profile, Weights};
use futi_core::ir::{Dim, Program};
use futi_core::value::Value;
use futi_interp::{Ctx, eval};
pub use programs::*;
use std::ops::Range;

/// Generated programs, the entry point first, with arguments at which they do not fail. They consume no argument and make no size, so that they
/// have derivatives.
pub fn generated(profile: Profile, seeds: Range<u64>) -> impl Iterator<Item = (u64, Program, Vec<Value>)> {
    seeds.filter_map(move |seed| {
        let Generated { mut program, args } = ir::program(profile, &Weights::of(profile), 10, seed);
        program.funs.sort_by_key(|f| f.entry.is_none());
        let main = &program.funs[0];
        let known = |d: &Dim| main.params.iter().any(|p| *d == Dim::Var(p.binder.var)) || matches!(d, Dim::Const(_));
        let fine = main.params.iter().all(|p| !p.unique)
            && main.results.iter().all(|r| r.binder.ty.shape().iter().all(known))
            && eval(&program, main.name.as_str(), &args, &Ctx::strict()).is_ok();
        fine.then_some((seed, program, args))
    })
}
