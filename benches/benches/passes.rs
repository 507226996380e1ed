//! The time that the passes take for programs of n pairs of a map and a sum, for n = 100, 200 .. 3200, from the lowered program to kernels. At the end a table of
//! times and of ratios: of a program twice as long, at most 2.3 is asked for. (That the work is linear is tested by counting it, in
//! `core/tests/linear.rs`; here it is seen what that means in seconds.)
//!
//! ```text
//! cargo bench -p futi-benches --bench passes
//! ```

use criterion::{BatchSize, BenchmarkId, Criterion, SamplingMode};
use futi_benches::Result;
use futi_core::driver::pipeline::{self, Stage};
use futi_core::ir::Program;
use futi_core::source::SourceError;
use std::env;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

/// As in `futi`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many pairs.
const PAIRS: [usize; 6] = [100, 200, 400, 800, 1600, 3200];
/// What is asked for: so many times the time for a program twice as long.
const PER_DOUBLING: f64 = 2.3;

/// The lowered program with so many pairs.
fn pairs(n: usize) -> Result<Program> {
    let mut text = "entry main (xs: []f64): f64 =\n".to_string();
    (0..n).for_each(|i| _ = writeln!(text, "  let s{i} = f64.sum (map (\\x -> x * {i}.5) xs)"));
    let sums: Vec<String> = (0..n).map(|i| format!("s{i}")).collect();
    _ = writeln!(text, "  in {}", sums.join(" + "));
    let read = |path: &str| match path {
        "pairs.fut" => Ok(text.clone()),
        path => Err(SourceError::new(path)),
    };
    let compiled = futi_core::compile("pairs.fut", &read);
    compiled.program.ok_or_else(|| futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false))
}

/// For how many milliseconds the allocator keeps what is free, if it does not give it back.
const KEPT: &str = "MIMALLOC_PURGE_DELAY";

fn main() -> Result<()> {
    // Once a second the allocator gives back to the system what is free at that moment. Of `futi` a program is mostly compiled before that; here one is compiled many times, and
    // the longer it is the more often its memory would have to be found anew. The allocator asks before `main` begins.
    if env::var_os(KEPT).is_none() {
        let this = env::current_exe().map_err(|e| e.to_string())?;
        let status = Command::new(this).args(env::args_os().skip(1)).env(KEPT, "-1").status();
        return match status.map_err(|e| e.to_string())?.code() {
            Some(0) => Ok(()),
            _ => Err("it could not be measured".into()),
        };
    }
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("pairs");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(3));
    let mut best: Vec<Duration> = Vec::new();
    for n in PAIRS {
        let program = pairs(n)?;
        let mut least = Duration::MAX;
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter_batched(
                || program.clone(),
                |program| {
                    let start = Instant::now();
                    let flat = black_box(pipeline::stage(program, Stage::Flat));
                    least = least.min(start.elapsed());
                    flat
                },
                BatchSize::PerIteration,
            );
        });
        best.push(least);
    }
    group.finish();
    criterion.final_summary();
    println!("\n| pairs | ms | of half as many |\n|---|---|---|");
    for (k, n) in PAIRS.into_iter().enumerate() {
        let ms = best[k].as_secs_f64() * 1e3;
        let ratio = k.checked_sub(1).map(|half| best[k].as_secs_f64() / best[half].as_secs_f64());
        let said = match ratio {
            None => String::new(),
            Some(ratio) if ratio <= PER_DOUBLING => format!("{ratio:.2}"),
            Some(ratio) => format!("{ratio:.2}, more than {PER_DOUBLING}"),
        };
        println!("| {n} | {ms:.1} | {said} |");
    }
    Ok(())
}
