//! How the interpreter's reverse mode scales (rows T16 to T18 of digest 002_003): with the length of the trace, and with threads, on a tree of steps (task
//! parallelism) and on long columns (data parallelism). Prints a table in Markdown.
//!
//! ```text
//! cargo run --release -p futi-benches --features threads --bin trace-scaling
//! ```

use futi_benches::Result;
use futi_core::ir::Program;
use futi_core::prim::Scalar;
use futi_core::value::{Array, Value};
use futi_interp::{Code, Ctx};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("trace-scaling: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    println!("| steps of the trace | vjp, s | times the row before |\n|---|---|---|");
    let mut before = None;
    for k in 0..5 {
        let n = 250_000i64 << k;
        let time = best(&long(n)?, &[Scalar::F64(0.7).into(), Scalar::F64(1.0).into()], 1)?;
        let ratio = before.map_or("-".into(), |b: Duration| format!("{:.2}", time.as_secs_f64() / b.as_secs_f64()));
        println!("| {} | {:.3} | {ratio} |", 2 * n, time.as_secs_f64());
        before = Some(time);
    }
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    println!("\n{cores} cores; `Ctx::threads`\n\n| trace | 1 thread, s | 2 threads, s | 1 / 2 |\n|---|---|---|---|");
    for (name, leaves, n, depth) in [
        ("tree of 64 chains of 20 steps on 20 000 elements", 64, 20_000, 20),
        ("chain of 40 steps on 1 000 000 elements", 1, 1_000_000, 40),
    ] {
        let program = tree(leaves, n, depth)?;
        let xs = Array::from_vec(&[n], (0..n).map(|i| (i % 100) as f64 * 0.01).collect());
        let args = [xs.into(), Array::filled(&[n], Scalar::F64(1.0)).into()];
        let (one, two) = (best(&program, &args, 1)?, best(&program, &args, 2)?);
        let ratio = one.as_secs_f64() / two.as_secs_f64();
        println!("| {name} | {:.3} | {:.3} | {ratio:.2} |", one.as_secs_f64(), two.as_secs_f64());
    }
    Ok(())
}

/// The shortest of three runs of `main`.
fn best(program: &Program, args: &[Value], threads: usize) -> Result<Duration> {
    let code = Code::new(program).map_err(|e| e.to_string())?;
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let ctx = Ctx { threads, ..Ctx::default() };
        let start = Instant::now();
        code.call("main", args.to_vec(), &ctx).map_err(|e| e.to_string())?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

fn parse(text: &str) -> Result<Program> {
    format!("futi-ir 1\n{text}").parse().map_err(|e: futi_core::ir::parse::ParseError| e.to_string())
}

/// The derivative of n rounds of x := sin (x*a).
fn long(n: i64) -> Result<Program> {
    parse(&format!(
        "fun \"main\"(a_0: f64, s_1: f64) -> (y_2: f64, d_3: f64) {{
           let (y_4: f64, d_5: f64) = vjp \\(a_6: f64) -> (f64) {{
             let (y_7: f64) = loop (x_8: f64 = a_6) for i_9: i64 < {n}i64 do {{
               let (p_10: f64) = mul.f64(x_8, a_6)
               let (q_11: f64) = sin.f64(p_10)
               in (q_11) }}
             in (y_7) }} at (a_0) with (s_1)
           in (y_4, d_5) }}"
    ))
}

/// The derivative of the sum of so many chains of sines of n elements.
fn tree(leaves: usize, n: usize, depth: usize) -> Result<Program> {
    let mut text = String::new();
    let mut fresh = 100;
    let mut next = || {
        fresh += 1;
        fresh
    };
    let mut level = Vec::new();
    for _ in 0..leaves {
        let mut x = "xs_6".to_string();
        for _ in 0..depth {
            let (y, p, q) = (next(), next(), next());
            text += &format!(
                "let (y_{y}: [{n}]f64) = screma {n} ({x}) map \\(p_{p}: f64) -> (f64) {{ let (q_{q}: f64) = sin.f64(p_{p}) in (q_{q}) }}\n"
            );
            x = format!("y_{y}");
        }
        level.push(x);
    }
    while level.len() > 1 {
        let mut above = Vec::new();
        for pair in level.chunks(2) {
            let [left, right] = pair else {
                above.extend_from_slice(pair);
                continue;
            };
            let (s, a, b, c) = (next(), next(), next(), next());
            text += &format!(
                "let (s_{s}: [{n}]f64) = screma {n} ({left}, {right}) map \\(a_{a}: f64, b_{b}: f64) -> (f64) {{ let (c_{c}: f64) = add.f64(a_{a}, b_{b}) in (c_{c}) }}\n"
            );
            above.push(format!("s_{s}"));
        }
        level = above;
    }
    parse(&format!(
        "fun \"main\"(xs_0: [{n}]f64, s_1: [{n}]f64) -> (y_2: [{n}]f64, d_3: [{n}]f64) {{
           let (y_4: [{n}]f64, d_5: [{n}]f64) = vjp \\(xs_6: [{n}]f64) -> ([{n}]f64) {{ {text} in ({}) }} at (xs_0) with (s_1)
           in (y_4, d_5) }}",
        level[0]
    ))
}
