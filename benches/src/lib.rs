//! Measurements of Futi beside its peers and its own reference. One program a binary in `src/bin/`; their results are in `docs/results/`.

pub mod peers;

use futi_core::backend::{Backend, CallCtx, Executable, Handle, Options, Profile};
use futi_core::driver::pipeline;
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check;
use futi_core::source::SourceError;
use futi_core::value::Value;
use std::time::{Duration, Instant};

/// What can stop a measurement, as one line.
pub type Result<T> = std::result::Result<T, String>;

/// Compiles a source file.
pub fn load(path: &str) -> Result<Program> {
    let read = |p: &str| std::fs::read_to_string(p).map_err(|e| SourceError::new(e.to_string()));
    let compiled = futi_core::compile(path, &read);
    compiled.program.ok_or_else(|| futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false))
}

/// An entry point on a backend, its arguments brought there.
pub struct Prepared<'a> {
    backend: &'a dyn Backend,
    executable: Box<dyn Executable>,
    args: Vec<Handle>,
    entry: String,
}

impl<'a> Prepared<'a> {
    /// Lowers the program as far as the backend asks for, compiles it, and puts the arguments of the IR function where the backend wants them.
    pub fn new(backend: &'a dyn Backend, program: &Program, entry: &str, args: &[Value]) -> Result<Prepared<'a>> {
        let lowered = pipeline::for_level(pipeline::only(program, entry), backend.level())
            .map_err(|e| format!("{:?}", e.constructs))?;
        let checked = check::check(lowered).map_err(|e| format!("{e:?}"))?;
        let executable = backend.compile(&checked, &Options::default()).map_err(|e| format!("{e:?}"))?;
        let args: std::result::Result<_, RuntimeError> = args.iter().map(|v| backend.put(v)).collect();
        Ok(Prepared { backend, executable, args: args.map_err(|e| e.to_string())?, entry: entry.to_string() })
    }

    /// One call, its results brought back.
    pub fn call(&self) -> Result<(Vec<Value>, Duration)> {
        let start = Instant::now();
        let run = || -> std::result::Result<Vec<Value>, RuntimeError> {
            let results = self.executable.call(&self.entry, self.args.clone(), &CallCtx::default())?;
            results.iter().map(|h| self.backend.get(h)).collect()
        };
        let values = run().map_err(|e| e.to_string())?;
        Ok((values, start.elapsed()))
    }

    /// The shortest of several calls, after one that does not count.
    pub fn best(&self, calls: usize) -> Result<(Vec<Value>, Duration)> {
        let (mut values, mut best) = self.call()?;
        for i in 0..calls {
            let (v, time) = self.call()?;
            if i == 0 || time < best {
                (values, best) = (v, time);
            }
        }
        Ok((values, best))
    }

    /// What the calls so far have cost.
    pub fn profile(&self) -> Profile {
        self.executable.profile()
    }
}

/// The largest difference between two results, relative to the largest magnitude in the second.
pub fn difference(got: &[Value], expected: &[Value]) -> f64 {
    let all =
        |vs: &[Value]| vs.iter().flat_map(|v| v.elements().map(|x| x.to_f64()).collect::<Vec<_>>()).collect::<Vec<_>>();
    let (got, expected) = (all(got), all(expected));
    if got.len() != expected.len() {
        return f64::INFINITY;
    }
    let largest = expected.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let worst = got
        .iter()
        .zip(&expected)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0f64, |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d) });
    worst / largest
}
