//! The interpreter beside its peers, in one run: CPython, NumPy and JAX on the CPU (`peers.py`), and the real Futhark, interpreted (`futhark run`) and
//! compiled (`futhark c`). At the end a table of times and ratios.
//!
//! ```text
//! cargo bench -p futi-benches --bench interp [-- FILTER]
//! ```
//!
//! `FUTI_PYTHON` names a Python with NumPy and JAX (else `python3`), `FUTHARK` the compiler (else where `futhark-reference.sh` puts it). A peer that is not
//! there is left out and named. All run on one core's worth of threads as they come; nothing else should run beside them.

use criterion::{BenchmarkId, Criterion, SamplingMode};
use futi_benches::peers::{Futhark, Python};
use futi_benches::{Prepared, Result, load};
use futi_core::prim::Scalar;
use futi_core::value::{Array, Value};
use futi_interp::Interpreter;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Work that is measured.
struct Work {
    /// The entry point, which is also what the peers call it.
    entry: &'static str,
    /// The source file.
    program: &'static str,
    /// The size at which Futi and its peers are measured.
    n: usize,
    /// The size at which `futhark run` is measured; its time is scaled up, being linear in n.
    interpreted: usize,
    /// Peers besides Futhark.
    peers: &'static [&'static str],
}

const SPEED: &str = "benches/programs/speed.fut";
const GMM: &str = "examples/gmm.fut";
const WORK: [Work; 7] = [
    Work { entry: "multiply_add", program: SPEED, n: 100_000_000, interpreted: 100_000, peers: &["cpython", "jax"] },
    Work { entry: "polynomial", program: SPEED, n: 10_000_000, interpreted: 100_000, peers: &["numpy", "jax"] },
    Work { entry: "total", program: SPEED, n: 10_000_000, interpreted: 100_000, peers: &["numpy", "jax"] },
    Work { entry: "prefixes", program: SPEED, n: 10_000_000, interpreted: 100_000, peers: &["numpy", "jax"] },
    Work { entry: "product", program: SPEED, n: 256, interpreted: 0, peers: &["numpy", "jax"] },
    Work { entry: "objective", program: GMM, n: 1000, interpreted: 20, peers: &["jax"] },
    Work { entry: "gradient", program: GMM, n: 1000, interpreted: 20, peers: &["jax"] },
];

fn float(x: f64) -> Value {
    Scalar::F64(x).into()
}
fn int(x: i64) -> Value {
    Scalar::I64(x).into()
}
fn ramp(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i % 1000) as f64 * 0.001).collect()
}

/// The arguments as the source program takes them, without sizes.
fn arguments(work: &Work, n: usize) -> Vec<Value> {
    match work.entry {
        "multiply_add" => vec![int(n as i64), float(0.999), float(0.001)],
        "product" => {
            let a = ramp(n * n);
            let b = a.chunks(n).rev().flatten().copied().collect();
            vec![Array::from_vec(&[n, n], a).into(), Array::from_vec::<f64>(&[n, n], b).into()]
        }
        "objective" | "gradient" => gmm_arguments(n),
        _ => vec![Array::from_vec(&[n], ramp(n)).into()],
    }
}

/// Ten components in ten dimensions, n points.
fn gmm_arguments(n: usize) -> Vec<Value> {
    let wave = |count: usize, scale: f64, phase: f64| -> Vec<f64> {
        (0..count).map(|i| scale * (i as f64 * 0.7 + phase).sin()).collect()
    };
    vec![
        Array::from_vec(&[10], wave(10, 0.1, 0.1)).into(),
        Array::from_vec(&[10, 10], wave(100, 1.0, 0.2)).into(),
        Array::from_vec(&[10, 55], wave(550, 0.2, 0.3)).into(),
        Array::from_vec(&[n, 10], wave(10 * n, 1.5, 0.4)).into(),
        float(1.0),
        int(2),
    ]
}

/// The name by which `peers.py` knows the work.
fn peer_name(work: &Work) -> String {
    if work.program == GMM { format!("gmm_{}", work.entry) } else { work.entry.to_string() }
}

fn main() {
    // cargo runs a benchmark in its package; what it reads is named from the root of the repository
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    if let Err(e) = std::env::set_current_dir(root).map_err(|e| e.to_string()).and_then(|()| run()) {
        eprintln!("interp: {e}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let mut criterion = Criterion::default().configure_from_args();
    let mut python = Python::start("benches/peers.py");
    let futhark = Futhark::find();
    let mut means: BTreeMap<(usize, String), Duration> = BTreeMap::new();
    let mut absent: Vec<String> = Vec::new();
    for (k, work) in WORK.iter().enumerate() {
        let program = load(work.program)?;
        let interp = Interpreter::default();
        let source = arguments(work, work.n);
        let fun = program.entry(work.entry).ok_or("no such entry point")?;
        let args = futi_core::entry::arguments(fun, source.clone()).map_err(|e| e.to_string())?;
        let prepared = Prepared::new(&interp, &program, work.entry, &args)?;
        let mut group = criterion.benchmark_group(peer_name(work));
        group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(3));
        let mut note = |who: &str, total: Duration, times: u64| {
            let mean = total / times.max(1) as u32;
            let best = means.entry((k, who.to_string())).or_insert(mean);
            *best = mean.min(*best);
        };
        group.bench_function(BenchmarkId::new("futi", work.n), |b| {
            b.iter_custom(|times| {
                let start = Instant::now();
                (0..times).for_each(|_| drop(prepared.call().expect("it ran before")));
                let total = start.elapsed();
                note("futi", total, times);
                total
            });
        });
        for peer in work.peers {
            let once = match &mut python {
                Ok(python) => python.time(peer, &peer_name(work), work.n, 1).map(|_| python),
                Err(e) => Err(e.clone()),
            };
            match once {
                Ok(python) => {
                    group.bench_function(BenchmarkId::new(*peer, work.n), |b| {
                        b.iter_custom(|times| {
                            let total = python.time(peer, &peer_name(work), work.n, times).unwrap_or_default();
                            note(peer, total, times);
                            total
                        });
                    });
                }
                Err(e) => absent.push(format!("{peer} for {}: {e}", work.entry)),
            }
        }
        match &futhark {
            Ok(futhark) => {
                if let Ok(compiled) = futhark.compile(work.program, work.entry, &source) {
                    group.bench_function(BenchmarkId::new("futhark c", work.n), |b| {
                        b.iter_custom(|times| {
                            let total = compiled.time(times).unwrap_or_default();
                            note("futhark c", total, times);
                            total
                        });
                    });
                } else {
                    absent.push(format!("futhark c for {}", work.entry));
                }
                if work.interpreted > 0 {
                    let less = arguments(work, work.interpreted);
                    match futhark.interpret(work.program, work.entry, &less) {
                        Ok(time) => note("futhark run", time.mul_f64(work.n as f64 / work.interpreted as f64), 1),
                        Err(e) => absent.push(format!("futhark run for {}: {e}", work.entry)),
                    }
                }
            }
            Err(e) => absent.push(e.clone()),
        }
        group.finish();
    }
    criterion.final_summary();
    print!("{}", table(&means));
    absent.dedup();
    absent.iter().for_each(|a| println!("not measured: {a}"));
    Ok(())
}

/// Times, and of the peers how many times Futi's.
fn table(means: &BTreeMap<(usize, String), Duration>) -> String {
    let mut text =
        String::from("\n| work | n | futi, s | peer | its time, s | futi / peer |\n|---|---|---|---|---|---|\n");
    for ((k, who), time) in means.iter().filter(|((_, who), _)| who != "futi") {
        let work = &WORK[*k];
        let Some(ours) = means.get(&(*k, "futi".to_string())) else { continue };
        let (ours, theirs) = (ours.as_secs_f64(), time.as_secs_f64());
        let scaled =
            if who == "futhark run" { format!(" (scaled from n = {})", work.interpreted) } else { String::new() };
        let line = format!(
            "| {} | {} | {ours:.4} | {who}{scaled} | {theirs:.4} | {:.3} |\n",
            peer_name(work),
            work.n,
            ours / theirs
        );
        text.push_str(&line);
    }
    text
}
