//! The dot-product identity ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩, by definition: forward and reverse mode have nothing in common but the table of partials.

use super::*;
use crate::subject::Derived;
use crate::tolerance::noise::ulp;
use futi_core::prim::ScalarType;

/// Judges `jvp` against `vjp` at random ẋ and ȳ.
pub fn judge(s: &Subject) -> Outcome {
    let (Some([forward, reverse]), Some(seeds)) = (s.entry.derivatives(), s.seeds()) else {
        return Outcome::absent("no floats to differentiate in");
    };
    if let Some(objection) = s.entry.objection {
        return Outcome::absent(objection);
    }
    let first = at(s, &s.args, forward, reverse, &seeds);
    let Outcome::Inconclusive { .. } = first else { return first };
    match at(s, &s.nearby(&s.args, &mut s.rng.clone()), forward, reverse, &seeds) {
        Outcome::Ok { closeness, .. } => Outcome::Ok { note: "nearby".into(), closeness },
        Outcome::Fail(f) => Outcome::Fail(Failure { what: format!("at a point nearby: {}", f.what), ..f }),
        _ => first,
    }
}

/// Judges at these arguments.
fn at(s: &Subject, args: &[Value], forward: &Derived, reverse: &Derived, seeds: &(Vec<Value>, Vec<Value>)) -> Outcome {
    let (tangents, adjoints) = seeds;
    let run = |d: &Derived| {
        let args = s.derivative_args_at(args, d, Subject::seeds_of(d.mode, seeds));
        let results = d.program.run(&args, &context())?;
        let tolerance = d.program.tolerance(&args, &results, &s.rng);
        // the derivatives come after the primal results
        let primal = adjoints.len();
        let bounds = tolerance.bounds().elements()[primal..].to_vec();
        Ok::<_, RuntimeError>((results[primal..].to_vec(), bounds, tolerance.ill_conditioned()))
    };
    let ((pushed, pushed_bounds, ill), (pulled, pulled_bounds, also_ill)) = match (run(forward), run(reverse)) {
        (Ok(f), Ok(r)) => (f, r),
        (Err(e), _) | (_, Err(e)) => {
            return Outcome::Fail(Failure {
                what: format!("a derivative by definition fails with `{e}`"),
                stage: None,
                place: place(s, &e, &forward.program.program.prov),
            });
        }
    };
    let (left, left_error) = dot(adjoints, &pushed, &pushed_bounds);
    let (right, right_error) = dot(tangents, &pulled, &pulled_bounds);
    let (difference, allowed) = ((left - right).abs(), left_error + right_error);
    if !difference.is_finite() {
        Outcome::inconclusive(format!("⟨ȳ, J ẋ⟩ = {left}, ⟨Jᵀ ȳ, ẋ⟩ = {right}"))
    } else if difference <= allowed {
        let ratio = if difference == 0.0 { 0.0 } else { difference / allowed };
        Outcome::within(Closeness { ratio, ulps: difference / ulp(ScalarType::F64, left) })
    } else if let Some(reason) = ill.or(also_ill) {
        Outcome::ill_conditioned(reason)
    } else {
        let sides = format!("⟨ȳ, J ẋ⟩ = {left}, but ⟨Jᵀ ȳ, ẋ⟩ = {right}");
        Outcome::fail(format!("{sides}, off by {difference:.1e}, allowed {allowed:.1e}"))
    }
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
