//! The dot-product identity ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩, by definition: forward and reverse mode have nothing in common but the table of partials.

use super::*;
use crate::subject::Derived;

/// Judges `jvp` against `vjp` at random ẋ and ȳ.
pub fn judge(s: &Subject) -> Outcome {
    if let Err(why) = s.entry.applies(Column::Identity) {
        return Outcome::absent(why);
    }
    let (Some([forward, reverse]), Some(seeds)) = (s.entry.derivatives(), s.seeds()) else {
        return Outcome::absent(FAILS);
    };
    let first = at(s, &s.args, forward, reverse, &seeds).unwrap_or_else(|e| {
        Outcome::Fail(Failure {
            what: format!("a derivative by definition fails with `{e}`"),
            stage: None,
            place: place(s, &e, &forward.program.program.prov),
        })
    });
    let Outcome::Inconclusive { .. } = first else { return first };
    match at(s, &s.nearby(&s.args, &mut s.rng.clone()), forward, reverse, &seeds) {
        Ok(Outcome::Ok { closeness, .. }) => Outcome::Ok { note: "nearby".into(), closeness },
        Ok(Outcome::Fail(f)) => Outcome::Fail(Failure { what: format!("at a point nearby: {}", f.what), ..f }),
        // there the program itself may fail, or give results of other sizes
        Ok(_) | Err(_) => first,
    }
}

/// What comes of one point; or what a derivative fails with there.
type Verdict = Result<Outcome, RuntimeError>;

/// Judges at these arguments. Where the bounds from a few perturbed runs are exceeded, those from many count.
fn at(s: &Subject, args: &[Value], forward: &Derived, reverse: &Derived, seeds: &(Vec<Value>, Vec<Value>)) -> Verdict {
    match within(s, args, forward, reverse, seeds, false)? {
        Outcome::Fail(_) => within(s, args, forward, reverse, seeds, true),
        verdict => Ok(verdict),
    }
}

fn within(
    s: &Subject,
    args: &[Value],
    forward: &Derived,
    reverse: &Derived,
    seeds: &(Vec<Value>, Vec<Value>),
    firm: bool,
) -> Verdict {
    let (tangents, adjoints) = seeds;
    let run = |d: &Derived| {
        let args = s.derivative_args_at(args, d, Subject::seeds_of(d.mode, seeds));
        let results = d.program.run(&args, &context())?;
        let tolerance = Tolerance::new(&d.program, &args, &results, &s.rng);
        // the derivatives come after the primal results
        let primal = adjoints.len();
        let bounds = if firm { tolerance.firm_bounds() } else { tolerance.bounds() };
        let bounds: Vec<Vec<f64>> = bounds.elements().skip(primal).map(<[f64]>::to_vec).collect();
        Ok::<_, RuntimeError>((results[primal..].to_vec(), bounds, tolerance.ill_conditioned()))
    };
    let (pushed, pushed_bounds, ill) = run(forward)?;
    let (pulled, pulled_bounds, also_ill) = run(reverse)?;
    let (left, left_error) = dot(adjoints, &pushed, &pushed_bounds);
    let (right, right_error) = dot(tangents, &pulled, &pulled_bounds);
    let (difference, allowed) = ((left - right).abs(), left_error + right_error);
    Ok(if !difference.is_finite() {
        Outcome::inconclusive(format!("⟨ȳ, J ẋ⟩ = {left}, ⟨Jᵀ ȳ, ẋ⟩ = {right}"))
    } else if difference <= allowed {
        let ratio = if difference == 0.0 { 0.0 } else { difference / allowed };
        Outcome::within(Closeness { ratio, ulps: 0.0 })
    } else if let Some(reason) = ill.or(also_ill) {
        Outcome::ill_conditioned(reason)
    } else {
        let sides = format!("⟨ȳ, J ẋ⟩ = {left}, but ⟨Jᵀ ȳ, ẋ⟩ = {right}");
        Outcome::fail(format!("{sides}, off by {difference:.1e}, allowed {allowed:.1e}"))
    })
}

/// ⟨a, b⟩, and how far it may be off when the elements of b may be by these bounds, and the sum is rounded.
fn dot(a: &[Value], b: &[Value], bounds: &[Vec<f64>]) -> (f64, f64) {
    let (mut sum, mut error, mut magnitude, mut n) = (0.0, 0.0, 0.0, 0.0);
    for ((a, b), bounds) in a.iter().zip(b).zip(bounds) {
        for ((x, y), bound) in a.elements().zip(b.elements()).zip(bounds) {
            let term = x.to_f64() * y.to_f64();
            sum += term;
            error += x.to_f64().abs() * bound;
            magnitude += term.abs();
            n += 1.0;
        }
    }
    (sum, error + (n + 1.0) * f64::EPSILON * magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Text;
    use crate::random::Rng;
    use crate::subject::Entry;
    use futi_core::value::text::parse_values;

    fn judged(source: &str, args: &str, seed: u64) -> Outcome {
        let compiled = futi_core::compile("a.fut", &Text(source.into()));
        let entry = Entry::new(compiled.program.as_ref().unwrap(), "main", None).unwrap();
        judge(&Subject::new(&entry, &compiled.sources, parse_values(args).unwrap(), Rng::new(seed, "test")))
    }

    #[test]
    fn a_program_that_fails_nearby_has_no_verdict_there() {
        // the derivative of sqrt is infinite at 0; below, the index is out of range
        let program = "entry main (x: f64): f64 = f64.sqrt x * ([1.0, 2.0][if x < 0 then 5 else 0])";
        let verdicts: Vec<Outcome> = (0..8).map(|seed| judged(program, "0.0", seed)).collect();
        let unclear = |o: &Outcome| matches!(o, Outcome::Inconclusive { .. });
        let nearby = |o: &Outcome| matches!(o, Outcome::Ok { note, .. } if note == "nearby");
        assert!(verdicts.iter().all(|o| unclear(o) || nearby(o)), "{verdicts:?}");
        assert!(verdicts.iter().any(unclear) && verdicts.iter().any(nearby), "{verdicts:?}");
    }
}
