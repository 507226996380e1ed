//! Generated programs through every oracle of the interpreter and the compiler, and with the feature `vulkan` a few through the Vulkan backend: a sample, for
//! every change. `conformance --generate` runs as many as one likes.

use futi_conformance::child::{self, BackendCommand};
use futi_conformance::generate::ir::Profile;
use futi_conformance::statistics::Statistics;
use futi_conformance::{Generate, Options, SIZE, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(child::built_in) {
        return code;
    }
    let of = |profile, count| Options { generate: vec![Generate::new(count, profile)], ..Options::default() };
    let mut trials = vec![
        Trial::test("programs of every node", move || judge(&of(Profile::Everything, 120))),
        Trial::test("differentiable programs", move || judge(&of(Profile::Differentiable, 120))),
        Trial::test("source programs", || judge(&Options { sources: (60, SIZE), ..Options::default() })),
    ];
    if cfg!(feature = "vulkan") {
        trials.push(Trial::test("programs that the Vulkan backend compiles", move || {
            let backend = Some(BackendCommand::this_program("vulkan")?);
            judge(&Options { backend, ..of(Profile::Vulkan, 20) })
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Nothing fails, and the oracles have an opinion: of few cases they say that rounding decides, or nothing, and errors come near their bounds.
fn judge(options: &Options) -> Result<(), Failed> {
    let report = run(options)?;
    let s = Statistics::of(&report.rows);
    let at_most = |n: usize, percent: usize| 100 * n <= percent * s.cases;
    let all = s.errors.iter().find(|e| e.column.is_none());
    let near = all.is_some_and(|e| e.ratios[2] >= 1e-3);
    let verdicts = at_most(s.ill_conditioned, 2) && at_most(s.inconclusive, 10) && near;
    match report.counts() {
        (passed, 0, 0) if passed > 0 && verdicts => Ok(()),
        _ => Err(report.to_string().into()),
    }
}
