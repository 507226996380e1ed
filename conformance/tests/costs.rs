//! What the programs of the suite and the examples cost, against [`futi_conformance::costs::BOUNDS`]: a test for each program, and one for each average.

use futi_conformance::costs::{BOUNDS, Bound, Costs, exceeded, of_program};
use futi_conformance::suite::TestProgram;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

/// Entry points that may cost more than others, each for its reason: the program, the entry point, what the bound protects begins with, the most.
const EXCEPTIONS: [(&str, &str, &str, f64, &str); 10] = [
    (
        "conformance/suite/ad/r07_stripmine.fut",
        "by_9",
        "statements of derivatives of derivatives",
        150.0,
        "the loop is nine loops in one another, each differentiated twice",
    ),
    (
        "conformance/suite/ad/r15_overwritten.fut",
        "elimination_second",
        "statements of derivatives of derivatives",
        110.0,
        "a third derivative through three loops that overwrite a matrix: each order puts back what the one below has put back",
    ),
    (
        "conformance/suite/ad/d_d2_d4_hist_mul.fut",
        "forward",
        "operators that a vjp",
        23.0,
        "the tangent of a product of each bin has the products of all others: their adjoints are sums over pairs",
    ),
    (
        "conformance/suite/ad/d_d5_hist_neutral.fut",
        "forward",
        "operators that a vjp",
        19.0,
        "the same as d_d2_d4_hist_mul",
    ),
    (
        "conformance/suite/ad/r07_stripmine.fut",
        "by_3",
        "kernels per SOAC",
        16.0,
        "loops in one another make arrays of sizes of their own: the greatest of each is found before, by kernels",
    ),
    ("conformance/suite/ad/r07_stripmine.fut", "by_6", "kernels per SOAC", 50.0, "the same as by_3"),
    ("conformance/suite/ad/r07_stripmine.fut", "by_9", "kernels per SOAC", 103.0, "the same as by_3"),
    (
        "conformance/suite/ad/r15_overwritten_while.fut",
        "in_for_second",
        "kernels per SOAC",
        41.0,
        "the same as by_3 of r07_stripmine",
    ),
    ("conformance/suite/ad/r15_overwritten_while.fut", "with_bounds_second", "kernels per SOAC", 41.0, "the same"),
    ("conformance/suite/ad/r15_overwritten_while.fut", "in_branches", "kernels per SOAC", 24.0, "the same"),
];

/// Programs with their costs, which whoever needs them first finds out.
type Programs = Arc<Vec<(String, TestProgram, OnceLock<Vec<Costs>>)>>;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match tests() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn tests() -> Result<ExitCode, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
    let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let paths = ["conformance/suite", "examples"].map(|folder| root.join(folder));
    let found = futi_conformance::suite::find(&paths).map_err(|e| e.to_string())?;
    let programs: Programs = Arc::new(found.into_iter().map(|p| (name(&p.path), p, OnceLock::new())).collect());
    let mut trials = Vec::new();
    for i in 0..programs.len() {
        let all = programs.clone();
        trials.push(Trial::test(programs[i].0.clone(), move || {
            let exceeded: Vec<String> =
                costs(&all, i).iter().flat_map(|c| exceeded(c, |b| most(b, &all[i].0, &c.entry))).collect();
            if exceeded.is_empty() { Ok(()) } else { Err(exceeded.join("\n").into()) }
        }));
    }
    for bound in BOUNDS {
        let all = programs.clone();
        trials.push(Trial::test(format!("on average: {}", bound.protects), move || on_average(&bound, &all)));
    }
    if cfg!(feature = "vulkan") {
        let all = programs.clone();
        trials.push(Trial::test("the backend has code for all", move || {
            let none = |i: usize| {
                let costs = costs(&all, i).iter().filter(|c| c.kernels.is_none());
                costs.map(|c| format!("{}: {}", all[i].0, c.entry)).collect::<Vec<_>>()
            };
            let none: Vec<String> = (0..all.len()).flat_map(none).collect();
            if none.is_empty() { Ok(()) } else { Err(format!("it has none for {}", none.join(", ")).into()) }
        }));
    }
    Ok(libtest_mimic::run(&Arguments::from_args(), trials).exit_code())
}

fn costs(programs: &Programs, i: usize) -> &[Costs] {
    let (_, program, costs) = &programs[i];
    costs.get_or_init(|| of_program(program))
}

/// The most that an entry point may cost.
fn most(bound: &Bound, program: &str, entry: &str) -> f64 {
    let is_for = |(p, e, what, ..): &&(&str, &str, &str, f64, &str)| {
        (*p, *e) == (program, entry) && bound.protects.starts_with(what)
    };
    EXCEPTIONS.iter().find(is_for).map_or(bound.each, |(_, _, _, most, _)| *most)
}

fn on_average(bound: &Bound, programs: &Programs) -> Result<(), Failed> {
    let all: Vec<Costs> = (0..programs.len()).flat_map(|i| costs(programs, i).to_vec()).collect();
    match bound.mean(&all) {
        Some(mean) if mean > bound.mean => Err(format!("the mean is {mean:.3}, more than {}", bound.mean).into()),
        // of kernels there are none without the backend
        _ => Ok(()),
    }
}
