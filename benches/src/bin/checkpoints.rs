//! The gradient of a long loop within a small memory: a million trips over a state of 1,000 f64 (8 GB if all states were kept), with binomial checkpoints in 32 MiB.
//! Prints how often a trip is executed, the peak memory of the process, and that at 1,000 trips the gradient is that with all states kept.
//!
//! ```text
//! cargo run --release -p futi-benches --bin checkpoints [TRIPS]
//! ```

use futi_core::ad::checkpoints::Options;
use futi_core::driver::pipeline::{Stage, stage_with};
use futi_core::ir::{Prim, Program, Scalar, ScalarType, UnOp};
use futi_core::value::{Array, Value};
use futi_interp::{Counters, Ctx, eval};

const ROWS: usize = 1000;
const BUDGET: u64 = 32 << 20;

/// √(1 + y) has its fixed point at the golden ratio, whose derivative is about 0.31: the gradient does not overflow. Each execution of a trip takes a square root for each number.
const SOURCE: &str = r"
    def f [m] (n: i64) (xs: [m]f64) = loop ys = xs for _i < n do map (\y -> f64.sqrt (1 + y)) ys
    entry main [m] (n: i64) (xs: [m]f64) = vjp (f n) xs (replicate m 1)
";

fn differentiated(checkpoints: Option<u64>) -> Result<Program, String> {
    let compiled = futi_core::compile("loop.fut", &|_: &str| Ok(SOURCE.to_string()));
    let program = compiled.program.ok_or("the program does not compile")?;
    let staged = stage_with(program, Stage::Fused, Options { checkpoints, ..Options::default() });
    staged.map(|(program, _)| program).map_err(|e| format!("{:?}", e.constructs))
}

fn run(program: &Program, trips: i64) -> Result<(Vec<Value>, Counters), String> {
    let xs: Vec<f64> = (0..ROWS).map(|i| 1.0 + i as f64 / ROWS as f64).collect();
    let args = [Scalar::I64(ROWS as i64).into(), Scalar::I64(trips).into(), Array::from_vec(&[ROWS], xs).into()];
    let ctx = Ctx::default();
    let results = eval(program, "main", &args, &ctx).map_err(|e| e.to_string())?;
    Ok((results, ctx.counters()))
}

/// The most memory that the process has had, in MiB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn main() -> Result<(), String> {
    let trips = std::env::args().nth(1).map_or(Ok(1_000_000), |n| n.parse::<i64>()).map_err(|e| e.to_string())?;
    let few = differentiated(Some(BUDGET))?;
    let start = std::time::Instant::now();
    let (_, counters) = run(&few, trips)?;
    let executed = counters.prim(Prim::Un(UnOp::Sqrt, ScalarType::F64)) as f64 / (ROWS as f64 * trips as f64);
    let memory = peak().map_or("unknown".into(), |mib| format!("{mib:.1} MiB"));
    let seconds = start.elapsed().as_secs_f64();
    println!("{trips} trips: each executed {executed:.2} times, peak memory of the process {memory}, {seconds:.1} s");
    // few states: the least budget that is of any use
    let few = differentiated(Some(20 * 8 * ROWS as u64))?;
    let ((some, _), (all, _)) = (run(&few, 1000)?, run(&differentiated(None)?, 1000)?);
    println!(
        "1000 trips, 20 states kept: the gradient {} that with all kept",
        if some == all { "is" } else { "is NOT" }
    );
    if some == all { Ok(()) } else { Err("the gradients differ".into()) }
}
