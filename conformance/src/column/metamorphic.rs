//! Rewritten source programs against the original: nothing that is computed may change.
//!
//! Results and forward derivatives, by definition, must be the same bit for bit. So must reverse derivatives, but where a rewrite changes the order in
//! which adjoints are summed: these may differ by what rounding does to them.

use super::*;
use crate::compiled::Text;
use crate::generate::ENTRY;
use crate::generate::source::SourceProgram;
use crate::generate::source::rewrite::{RULES, Rule, apply, rewritten};
use crate::random::Rng;
use crate::subject::Entry;
use futi_core::ad::entry::Mode;
use futi_core::diag;
use futi_core::entry::arguments;
use futi_core::value::compare::type_text;

/// How many rewrites make a variant.
const STEPS: usize = 6;

/// A derivative of the original, as the reference ran it.
struct Run<'a> {
    mode: Mode,
    program: &'a EntryProgram,
    args: Vec<Value>,
    results: Result<Vec<Value>, RuntimeError>,
}

/// What a variant computes: results, and those of its derivatives.
type Computed = (Result<Vec<Value>, RuntimeError>, Vec<Result<Vec<Value>, RuntimeError>>);

/// How one list of results differs from another, if it does.
type Compare<'a> = dyn Fn(&[Value], &[Value]) -> Option<String> + 'a;

/// Judges a program by so many variants, which follow from the seed. A variant that the front end rejects fails.
pub fn judge(p: &SourceProgram, variants: usize, seed: u64) -> Outcome {
    let verdict = with_subject(p, seed, |s, runs| {
        (0..variants as u64).find_map(|i| {
            let (q, rules) = rewritten(p, STEPS, seed.wrapping_mul(1000).wrapping_add(i));
            let what = differs(s, runs, &q, &rules, seed)?;
            let (q, rules, what) = shortest(s, runs, p, seed).unwrap_or((q, rules, what));
            let names: Vec<&str> = rules.iter().map(|r| r.name).collect();
            let (from, to) = (p.text(), q.text());
            Some(format!("rewritten ({}): {what}\n-- from\n{from}-- to\n{to}", names.join(", ")))
        })
    });
    match verdict {
        Ok(None) => Outcome::ok(),
        Ok(Some(what)) => Outcome::fail(what),
        Err(what) => Outcome::fail(format!("the program is rejected: {what}\n{}", p.text())),
    }
}

/// A single rewrite that shows a difference as well.
fn shortest(
    s: &Subject,
    runs: &[Run],
    p: &SourceProgram,
    seed: u64,
) -> Option<(SourceProgram, Vec<&'static Rule>, String)> {
    let tries = RULES.iter().flat_map(|rule| (0..8).map(move |place| (rule, place)));
    tries.into_iter().find_map(|(rule, place)| {
        let q = apply(rule, p, place)?;
        let what = differs(s, runs, &q, &[rule], seed)?;
        Some((q, vec![rule], what))
    })
}

/// What a variant does otherwise.
fn differs(s: &Subject, runs: &[Run], q: &SourceProgram, rules: &[&Rule], seed: u64) -> Option<String> {
    let variant: Result<Computed, String> =
        with_subject(q, seed, |s, runs| (s.reference.clone(), runs.iter().map(|r| r.results.clone()).collect()));
    let (results, derivatives) = match variant {
        Ok(computed) => computed,
        Err(what) => return Some(format!("is rejected: {what}")),
    };
    let lazy = rules.iter().any(|r| r.lazy);
    if let Some(what) = different(&results, &s.reference, lazy, &exact) {
        return Some(what);
    }
    runs.iter().zip(&derivatives).find_map(|(run, got)| {
        let within = |got: &[Value], expected: &[Value]| {
            let found = exact(got, expected)?;
            match (run.mode, Tolerance::new(run.program, &run.args, expected, &s.rng).compare(got)) {
                (Mode::Reverse, Comparison::Differs(d)) => Some(d.to_string()),
                (Mode::Reverse, _) => None,
                (Mode::Forward, _) => Some(found),
            }
        };
        different(got, &run.results, lazy, &within).map(|what| format!("{}: {what}", run.mode.name()))
    })
}

fn different(
    got: &Result<Vec<Value>, RuntimeError>,
    expected: &Result<Vec<Value>, RuntimeError>,
    lazy: bool,
    compare: &Compare,
) -> Option<String> {
    match (got, expected) {
        (Ok(got), Ok(expected)) => compare(got, expected),
        // which of several failures comes first may change
        (Err(_), Err(_)) => None,
        (Err(e), Ok(_)) => Some(format!("fails with `{e}`, expected results")),
        (Ok(_), Err(_)) if lazy => None,
        (Ok(_), Err(e)) => Some(format!("gives results, expected the failure `{e}`")),
    }
}

/// The first element that is not the same bit for bit; NaN is NaN.
fn exact(got: &[Value], expected: &[Value]) -> Option<String> {
    if got.len() != expected.len() {
        return Some(format!("{} results, expected {}", got.len(), expected.len()));
    }
    got.iter().zip(expected).enumerate().find_map(|(r, (g, e))| {
        if (g.elem(), g.shape()) != (e.elem(), e.shape()) {
            return Some(format!("result {}: a value of type {}, expected {}", r + 1, type_text(g), type_text(e)));
        }
        let (i, (x, y)) = g.elements().zip(e.elements()).enumerate().find(|(_, (x, y))| x != y)?;
        Some(format!("result {}: {x} at position {i}, expected {y}", r + 1))
    })
}

/// Compiles a program, runs it and its derivatives; or says what the compiler says.
fn with_subject<T>(p: &SourceProgram, seed: u64, f: impl FnOnce(&Subject, &[Run]) -> T) -> Result<T, String> {
    let compiled = futi_core::compile("generated.fut", &Text(p.text()));
    let Some(program) = &compiled.program else {
        return Err(diag::render(&compiled.diagnostics, &compiled.sources, false));
    };
    let entry = Entry::new(program, ENTRY, None).ok_or("there is no entry point")?;
    let fun = entry.primal.fun().ok_or("there is no entry point")?;
    let args = arguments(fun, p.inputs.clone()).map_err(|e| e.message)?;
    let s = Subject::new(&entry, &compiled.sources, args, Rng::new(seed, "metamorphic"));
    let mut runs = Vec::new();
    if let (Some(all), Some(seeds)) = (entry.derivatives(), s.seeds()) {
        for d in all {
            let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
            let results = d.program.run(&args, &context());
            runs.push(Run { mode: d.mode, program: &d.program, args, results });
        }
    }
    Ok(f(&s, &runs))
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
        let ones = |v: &Value| crate::random::rebuilt(v.elem(), v.shape(), v.elements().map(|_| v.elem().one()));
        let mut seen = 0;
        for seed in 0..12 {
            let p = program(6, seed);
            assert_eq!(with_subject(&p, 0, |s, runs| differs(s, runs, &p, &[], 0)), Ok(None));
            // other inputs, which some programs do not look at
            let q = SourceProgram { inputs: p.inputs.iter().map(ones).collect(), ..p.clone() };
            seen += with_subject(&p, 0, |s, runs| differs(s, runs, &q, &[], 0)).unwrap().is_some() as usize;
        }
        assert!(seen >= 4, "{seen} of 12");
    }
}
