//! The programs of benches/gpu/width.fut, at a width of `FUTI_WIDTH` elements, or 100,000, in the executor of kernels with the choices of a large GPU: of the operations of each, few invocations
//! (`NARROW` of `futi_core::backend`) and the host do at most a hundredth. With `--nocapture` each says how many.

use futi_core::backend::{Backend, CallCtx, KernelProfile, Options};
use futi_core::driver::pipeline::{for_level, only};
use futi_core::entry::arguments;
use futi_core::ir::Program;
use futi_core::ir::check::check;
use futi_core::prim::Scalar;
use futi_core::value::Value;
use futi_kernels::exec::{Executor, device};
use libtest_mimic::{Arguments, Trial};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The elements, if nobody says.
const WIDTH: i64 = 100_000;

/// The share of operations that few may do.
const FEW: f64 = 0.01;

/// What a large GPU chooses: many groups, large ones, and reductions and scans in many parts.
fn choices() -> device::Options {
    device::Options {
        group_size: 256,
        subgroup_size: 32,
        most_groups: 16384,
        reduce_groups: 1024,
        reduce_each_segments: 32768,
        reduce_each_length: 16,
        scan_chunks: 1 << 17,
        thresholds: futi_kernels::host::options::Thresholds::all(futi_core::passes::flatten::ENOUGH),
        batch: 4096,
        whole_loops: 64,
        budget: u64::MAX,
        ..device::Options::default()
    }
}

fn main() -> ExitCode {
    let width = std::env::var("FUTI_WIDTH").ok().and_then(|n| n.parse().ok()).unwrap_or(WIDTH);
    let program = match program() {
        Ok(program) => Arc::new(program),
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let entries: Vec<String> =
        program.funs.iter().filter(|fun| fun.entry.is_some()).map(|fun| fun.name.to_string()).collect();
    let trial = |entry: String| {
        let program = program.clone();
        Trial::test(entry.clone(), move || Ok(judge(&program, &entry, width)?))
    };
    libtest_mimic::run(&Arguments::from_args(), entries.into_iter().map(trial).collect()).exit_code()
}

fn program() -> Result<Program, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/gpu/width.fut");
    let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let compiled = futi_core::compile("width.fut", &|_: &str| Ok(text.clone()));
    let said = || futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false);
    compiled.program.clone().ok_or_else(said)
}

fn judge(program: &Program, entry: &str, width: i64) -> Result<(), String> {
    let kernels = run(program, entry, width)?;
    let operations: u64 = kernels.iter().map(|k| k.operations).sum();
    let narrow: u64 = kernels.iter().map(|k| k.narrow).sum();
    let share = narrow as f64 / operations.max(1) as f64;
    let widest = kernels.iter().filter(|k| k.narrow > 0).take(3).map(|k| format!("{} {}", k.name, k.narrow));
    let widest = widest.collect::<Vec<_>>().join(", ");
    println!("{entry:24} {operations:>12} {narrow:>10} {:6.2} %  {widest}", share * 100.0);
    if share > FEW {
        return Err(format!("few invocations do {narrow} of {operations} operations: {widest}"));
    }
    Ok(())
}

/// What the kernels of an entry point have cost, those with the most operations of few invocations first.
fn run(program: &Program, entry: &str, width: i64) -> Result<Vec<KernelProfile>, String> {
    let executor = Executor::new(choices());
    let fun = program.entry(entry).ok_or("there is no such entry point")?;
    let flat = for_level(only(program, entry), executor.level()).map_err(|e| format!("{:?}", e.constructs))?;
    let flat = check(flat).map_err(|e| format!("{e:?}"))?;
    let loaded = executor.compile(&flat, &Options::default()).map_err(|all| format!("{all:?}"))?;
    let args = arguments(fun, vec![Value::Scalar(Scalar::I64(width))]).map_err(|e| e.message)?;
    let args = args.iter().map(|a| executor.put(a)).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    loaded.call(entry, args, &CallCtx::default()).map_err(|e| e.to_string())?;
    let mut kernels = loaded.profile().kernels;
    kernels.sort_by_key(|k| std::cmp::Reverse(k.narrow));
    Ok(kernels)
}
