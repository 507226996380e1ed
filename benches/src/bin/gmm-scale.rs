//! The gradient of `examples/gmm.fut` on Fisher's iris measurements, and on that many times as many: the interpreter, and the Vulkan backend where it
//! is built in. Run from the root of the repository; arguments are the factors. Prints a table in Markdown.
//!
//! A call is timed from arguments on the backend to results on the host, the best of three (of one, on the interpreter).

use futi_benches::{Prepared, Result, difference, load};
use futi_core::entry;
use futi_core::prim::Scalar;
use futi_core::value::text::parse_values_as;
use futi_core::value::{Array, Value};
use std::process::ExitCode;

fn main() -> ExitCode {
    // the interpreter recurses with the nesting of the program
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    match worker.map(|w| w.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(e))) => {
            eprintln!("gmm-scale: {e}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

fn run() -> Result<()> {
    let factors: std::result::Result<Vec<usize>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let factors = factors.map_err(|e| format!("a factor: {e}"))?;
    let program = load("examples/gmm.fut")?;
    let interp = futi_interp::Interpreter::default();
    let vulkan = vulkan()?;
    println!(
        "| flowers | interpreter, s | Vulkan, s | ratio | largest difference, relative | operations in kernels of n K invocations or more |"
    );
    println!("|---|---|---|---|---|---|");
    for factor in factors {
        let args = arguments(&program, factor)?;
        let reference = Prepared::new(&interp, &program, "gradient", &args)?;
        let (expected, slow) = reference.call()?;
        let n = 150 * factor;
        let Some(vulkan) = &vulkan else {
            println!("| {n} | {:.4} | - | - | - | - |", slow.as_secs_f64());
            continue;
        };
        let kernels = Prepared::new(vulkan.as_ref(), &program, "gradient", &args)?;
        let (got, fast) = kernels.best(3)?;
        let profile = kernels.profile();
        let total: u64 = profile.kernels.iter().map(|k| k.operations).sum();
        let wide =
            |k: &&futi_core::backend::KernelProfile| k.launches > 0 && k.invocations / k.launches >= 3 * n as u64;
        let inside: u64 = profile.kernels.iter().filter(wide).map(|k| k.operations).sum();
        println!(
            "| {n} | {:.4} | {:.6} | {:.1} | {:.1e} | {:.2} % |",
            slow.as_secs_f64(),
            fast.as_secs_f64(),
            slow.as_secs_f64() / fast.as_secs_f64(),
            difference(&got, &expected),
            100.0 * inside as f64 / total as f64,
        );
    }
    if let Some(vulkan) = &vulkan {
        println!("\n{}", vulkan.describe().iter().map(|(k, v)| format!("{k}: {v}")).collect::<Vec<_>>().join("; "));
    }
    Ok(())
}

/// A model near the flowers at which `fit` starts, and the measurements `factor` times, each time moved a little.
fn arguments(program: &futi_core::ir::Program, factor: usize) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string("examples/data/iris.in").map_err(|e| e.to_string())?;
    let values = parse_values_as(&text, &[]).map_err(|e| e.to_string())?;
    let Some(Value::Array(flowers)) = values.first() else { return Err("iris.in does not begin with an array".into()) };
    let flowers: &[f64] = flowers.slice().ok_or("iris.in is not of f64")?;
    // a linear congruential generator (Knuth's MMIX) is all the noise that is needed
    let mut state: u64 = 1;
    let mut noise = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 0.1
    };
    let xs: Vec<f64> = (0..factor).flat_map(|_| flowers.to_vec()).map(|x| x + noise()).collect();
    let means = [24, 74, 124].iter().flat_map(|i| flowers[4 * i..4 * i + 4].to_vec()).collect();
    let icf: Vec<f64> = (0..30).map(|i| if i % 10 < 4 { 1.0 } else { 0.1 }).collect();
    let values = vec![
        Array::from_vec(&[3], vec![0.1, -0.2, 0.05]).into(),
        Array::from_vec::<f64>(&[3, 4], means).into(),
        Array::from_vec(&[3, 10], icf).into(),
        Array::from_vec(&[150 * factor, 4], xs).into(),
        Scalar::F64(0.1).into(),
        Scalar::I64(0).into(),
    ];
    let fun = program.entry("gradient").ok_or("there is no entry point gradient")?;
    entry::arguments(fun, values).map_err(|e| e.to_string())
}

#[cfg(feature = "vulkan")]
fn vulkan() -> Result<Option<Box<dyn futi_core::backend::Backend>>> {
    let backend = futi_vk::Vulkan::open().map_err(|e| e.to_string())?;
    Ok(Some(Box::new(backend)))
}

#[cfg(not(feature = "vulkan"))]
fn vulkan() -> Result<Option<Box<dyn futi_core::backend::Backend>>> {
    Ok(None)
}
