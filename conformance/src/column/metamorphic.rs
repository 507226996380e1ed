//! Rewritten source programs against the original: nothing that is computed may change.
//!
//! Results and forward derivatives, by definition, must be the same bit for bit. So must reverse derivatives, but where a rewrite changes the order in
//! which adjoints are summed: these may differ by what rounding does to them.

use super::*;
use crate::derive::Mode;
use crate::generate::ENTRY;
use crate::generate::source::SourceProgram;
use crate::generate::source::rewrite::{Rule, rewritten};
use crate::random::Rng;
use crate::subject::Entry;
use futi_core::diag;
use futi_core::entry::arguments;
use futi_core::ir::Program;
use futi_core::source::{SourceError, SourceMap, SourceProvider};

/// How many rewrites make a variant.
const STEPS: usize = 6;

/// A program of which only the text is there.
struct Text(String);

impl SourceProvider for Text {
    fn read(&self, _: &str) -> Result<String, SourceError> {
        Ok(self.0.clone())
    }
}

/// What a program computes.
struct Computed {
    results: Result<Vec<Value>, RuntimeError>,
    /// In each mode, with the bounds that hold in the original.
    derivatives: Vec<(Mode, Result<Vec<Value>, RuntimeError>, Bounds)>,
}

/// Judges a program by so many variants, which follow from the seed. A variant that the front end rejects fails.
pub fn judge(p: &SourceProgram, variants: usize, seed: u64) -> Outcome {
    let original = match computed(&p.text(), &p.inputs, seed, true) {
        Ok(computed) => computed,
        Err(what) => return Outcome::fail(format!("the program is rejected: {what}\n{}", p.text())),
    };
    for i in 0..variants {
        let (q, rules) = rewritten(p, STEPS, seed.wrapping_mul(1000).wrapping_add(i as u64));
        if let Some(what) = differs(&original, &q, &rules, seed) {
            let (q, rules, what) = shortest(&original, p, &q, &rules, what, seed);
            let names: Vec<&str> = rules.iter().map(|r| r.name).collect();
            return Outcome::fail(format!(
                "rewritten ({}): {what}\n-- from\n{}-- to\n{}",
                names.join(", "),
                p.text(),
                q.text()
            ));
        }
    }
    Outcome::ok()
}

/// One rewrite at a time, if that shows a difference as well.
fn shortest<'a>(
    original: &Computed,
    p: &SourceProgram,
    q: &SourceProgram,
    rules: &[&'a Rule],
    what: String,
    seed: u64,
) -> (SourceProgram, Vec<&'a Rule>, String) {
    for rule in rules {
        for place in 0..4 {
            if let Some(one) = crate::generate::source::rewrite::apply(rule, p, place)
                && let Some(what) = differs(original, &one, &[*rule], seed)
            {
                return (one, vec![*rule], what);
            }
        }
    }
    (q.clone(), rules.to_vec(), what)
}

/// What a variant does otherwise.
fn differs(original: &Computed, q: &SourceProgram, rules: &[&Rule], seed: u64) -> Option<String> {
    let variant = match computed(&q.text(), &q.inputs, seed, false) {
        Ok(computed) => computed,
        Err(what) => return Some(format!("is rejected: {what}")),
    };
    let lazy = rules.iter().any(|r| r.lazy);
    let exact = |v: &[Value]| Bounds::tight(v).scaled(0.0);
    if let Some(what) = different(&variant.results, &original.results, lazy, &exact) {
        return Some(what);
    }
    let pairs = variant.derivatives.iter().zip(&original.derivatives);
    pairs.into_iter().find_map(|((_, got, _), (mode, expected, bounds))| {
        let allowed = |v: &[Value]| match mode {
            Mode::Forward => exact(v),
            Mode::Reverse => bounds.overflow_is_open(v),
        };
        different(got, expected, lazy, &allowed).map(|what| format!("{}: {what}", mode.name()))
    })
}

fn different(
    got: &Result<Vec<Value>, RuntimeError>,
    expected: &Result<Vec<Value>, RuntimeError>,
    lazy: bool,
    bounds: &dyn Fn(&[Value]) -> Bounds,
) -> Option<String> {
    match (got, expected) {
        (Ok(got), Ok(expected)) => difference(got, expected, &bounds(expected)).map(|d| d.to_string()),
        // which of several failures comes first may change
        (Err(_), Err(_)) => None,
        (Err(e), Ok(_)) => Some(format!("fails with `{e}`, expected results")),
        (Ok(_), Err(_)) if lazy => None,
        (Ok(_), Err(e)) => Some(format!("gives results, expected the failure `{e}`")),
    }
}

/// Compiles and runs a program and its derivatives; or what the compiler says.
fn computed(text: &str, inputs: &[Value], seed: u64, bounded: bool) -> Result<Computed, String> {
    let compiled = futi_core::compile("generated.fut", &Text(text.to_string()));
    match &compiled.program {
        None => Err(diag::render(&compiled.diagnostics, &compiled.sources, false)),
        Some(program) => run(program, &compiled.sources, inputs, seed, bounded),
    }
}

fn run(program: &Program, sources: &SourceMap, inputs: &[Value], seed: u64, bounded: bool) -> Result<Computed, String> {
    let entry = Entry::new(program, ENTRY, None).ok_or("there is no entry point")?;
    let fun = entry.primal.fun().ok_or("there is no entry point")?;
    let args = arguments(fun, inputs.to_vec()).map_err(|e| e.message)?;
    let s = Subject::new(&entry, sources, args, Rng::new(seed, "metamorphic"));
    let mut derivatives = Vec::new();
    if let (Some(all), Some(seeds)) = (entry.derivatives(), s.seeds()) {
        for d in all {
            let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
            let results = d.program.run(&args, &context());
            let bounds = match &results {
                Ok(values) if bounded => d.program.bounds(&args, values, &s.rng),
                _ => Bounds::tight(&[]),
            };
            derivatives.push((d.mode, results, bounds));
        }
    }
    Ok(Computed { results: s.reference, derivatives })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::source::program;

    #[test]
    fn generated_programs_survive_their_rewrites() {
        for seed in 0..25 {
            let outcome = judge(&program(6, seed), 2, seed);
            assert_eq!(outcome, Outcome::ok(), "seed {seed}");
        }
    }

    #[test]
    fn a_change_of_meaning_is_seen() {
        let p = program(6, 3);
        let original = computed(&p.text(), &p.inputs, 0, true).unwrap();
        let mut q = p.clone();
        // the entry point with another program's inputs
        q.inputs = p.inputs.iter().map(|v| crate::random::rebuilt(v.elem(), v.shape(), v.elements().map(|_| v.elem().one()))).collect();
        assert!(differs(&original, &q, &[], 0).is_some());
    }
}
