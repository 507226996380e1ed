//! AD by definition against numerical differentiation, in double precision, in a random direction.
//!
//! A test's input is often at a kink (equal numbers, zeros). Where differences tell nothing, they are tried again at random points nearby: the
//! derivative there is as good a witness. Where floats are equal that a program compares, the differences are of what it computes beside that point: they
//! judge the derivative of the program in which none are equal.

use super::*;
use crate::numeric::{Numeric, derivatives};
use crate::random::{Rng, rebuilt};
use crate::subject::{Derived, derived};
use crate::unequal::unequal;
use crate::widen::widened_value;
use futi_core::ir::Program;
use futi_core::prim::{Scalar, ScalarType};

/// How many points nearby are tried.
const NEARBY: usize = 3;
/// How far off a derivative may be, relative to the largest of its array, when the differences claim to be better.
const RELATIVE: f64 = 1e-7;
/// What of a seed is rounding: terms as large as the seed may cancel on the way.
const ROUNDED: f64 = 1e-12;
/// The largest error estimate, relative to the largest derivative of its array, with which differences judge.
const CONCLUSIVE: f64 = 1e-4;

/// Judges `jvp` component by component, and `vjp` by ⟨Jᵀ ȳ, ẋ⟩.
pub fn judge(s: &Subject) -> Outcome {
    if let Err(why) = s.entry.applies(Column::Numerics) {
        return Outcome::absent(why);
    }
    let (Some((primal, derived)), Some((tangents, adjoints))) = (s.entry.wide(), s.seeds()) else {
        return Outcome::absent(FAILS);
    };
    let wide = |vs: &[Value]| vs.iter().map(widened_value).collect::<Vec<_>>();
    let point = Point { s, primal, derived, tangents: wide(&tangents), adjoints: wide(&adjoints) };
    let args = wide(&s.args);
    let first = point.judge(&args);
    let reason = match &first {
        Outcome::Inconclusive { reason } => reason,
        Outcome::Fail(_) => return point.beside(&args).unwrap_or(first),
        _ => return first,
    };
    let mut rng = Rng::new(s.rng.clone().bits(), "nearby");
    for _ in 0..NEARBY {
        match point.judge(&s.nearby(&args, &mut rng)) {
            Outcome::Ok { closeness, .. } => return Outcome::Ok { note: "nearby".into(), closeness },
            Outcome::Fail(f) => return Outcome::Fail(Failure { what: format!("at a point nearby: {}", f.what), ..f }),
            _ => {}
        }
    }
    Outcome::inconclusive(reason)
}

struct Point<'a> {
    s: &'a Subject<'a>,
    primal: &'a EntryProgram,
    derived: &'a [Derived; 2],
    tangents: Vec<Value>,
    adjoints: Vec<Value>,
}

impl Point<'_> {
    fn floats(&self) -> (&[usize], &[usize]) {
        self.s.entry.floats.as_ref().map_or((&[], &[]), |f| (&f.params, &f.results))
    }

    /// The arguments moved by t ẋ.
    fn moved(&self, args: &[Value], t: f64) -> Vec<Value> {
        let mut args = args.to_vec();
        for (i, tangent) in self.floats().0.iter().zip(&self.tangents) {
            let elements = args[*i].elements().zip(tangent.elements());
            let sums = elements.map(|(x, d)| Scalar::F64(x.to_f64() + t * d.to_f64()));
            args[*i] = rebuilt(ScalarType::F64, args[*i].shape(), sums);
        }
        args
    }

    /// The derivative part of what a mode gives at these arguments, or why there is none.
    fn derivative(&self, args: &[Value], which: usize, seeds: &[Value]) -> Result<Vec<Value>, RuntimeError> {
        let d = &self.derived[which];
        let args = self.s.derivative_args_at(args, d, seeds);
        Ok(d.program.run(&args, &context())?.split_off(self.adjoints.len()))
    }

    /// The verdict over the program in which no floats are equal, if the differences confirm its derivatives.
    fn beside(&self, args: &[Value]) -> Option<Outcome> {
        let floats = self.s.entry.floats.as_ref()?;
        let verdict = |program: &Program| {
            let derived = derived(program, &self.primal.entry, floats, None);
            let outcome =
                Point { derived: &derived, tangents: self.tangents.clone(), adjoints: self.adjoints.clone(), ..*self }
                    .judge(args);
            match outcome {
                Outcome::Ok { closeness, .. } => Some(Outcome::Ok { note: "beside equal numbers".into(), closeness }),
                _ => None,
            }
        };
        unequal(&self.primal.program).iter().find_map(verdict)
    }

    fn judge(&self, args: &[Value]) -> Outcome {
        let floats_of = |results: Vec<Value>| -> Vec<f64> {
            let chosen = self.floats().1.iter().map(|i| &results[*i]);
            chosen.flat_map(|v| v.elements().map(Scalar::to_f64)).collect()
        };
        let mut along = |t: f64| self.primal.run(&self.moved(args, t), &context()).map(floats_of);
        let numeric = match derivatives(&mut along) {
            Ok(numeric) => numeric,
            Err(e) => return Outcome::inconclusive(format!("near the point the program fails with `{e}`")),
        };
        let both =
            self.derivative(args, 0, &self.tangents).and_then(|f| Ok((f, self.derivative(args, 1, &self.adjoints)?)));
        let (pushed, pulled) = match both {
            Ok(both) => both,
            Err(e) => return Outcome::inconclusive(format!("at the point a derivative fails with `{e}`")),
        };
        match self.compare(&numeric, &pushed, &pulled) {
            Outcome::Fail(f) => self.singular(args).map_or(Outcome::Fail(f), Outcome::inconclusive),
            outcome => outcome,
        }
    }

    /// That a derivative at these arguments goes through zero times infinity, which is no limit.
    fn singular(&self, args: &[Value]) -> Option<String> {
        let seeds = [&self.tangents, &self.adjoints];
        self.derived
            .iter()
            .zip(seeds)
            .find_map(|(d, seeds)| strict::singular(self.s, &d.program, &self.s.derivative_args_at(args, d, seeds)))
    }

    fn compare(&self, numeric: &[Numeric], pushed: &[Value], pulled: &[Value]) -> Outcome {
        let (mut at, mut dot, mut dot_error, mut dot_size) = (0, 0.0, 0.0, 0.0);
        let mut at_pole = None;
        let mut closeness = Closeness::SAME;
        let size = |seeds: &[Value]| seeds.iter().flat_map(|y| y.elements()).map(|y| y.to_f64().abs()).sum::<f64>();
        let (tangents, adjoints) = (size(&self.tangents), size(&self.adjoints));
        let mut near = |off: f64, allowed: f64| {
            let ratio = if off > 0.0 { off / allowed } else { 0.0 };
            closeness = closeness.max(Closeness { ratio, ulps: 0.0 });
        };
        for (r, (tangent, adjoint)) in pushed.iter().zip(&self.adjoints).enumerate() {
            let n = tangent.elements().count();
            let Some(here) = numeric.get(at..at + n) else {
                return Outcome::inconclusive("the number of results varies");
            };
            at += n;
            let largest = tangent.elements().map(|x| x.to_f64().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
            for (i, ((n, ad), y)) in here.iter().zip(tangent.elements()).zip(adjoint.elements()).enumerate() {
                let which = || format!("element {i} of float result {}", r + 1);
                let (value, error) = match n {
                    Numeric::Kink(jump) => {
                        return Outcome::inconclusive(format!(
                            "{}: a kink, the one-sided derivatives differ by {jump:.1e}",
                            which()
                        ));
                    }
                    // the same pole all around
                    Numeric::Infinite if ad.to_f64() == 0.0 => {
                        at_pole = Some(which());
                        (0.0, 0.0)
                    }
                    Numeric::NotFinite | Numeric::Infinite => {
                        return Outcome::inconclusive(format!("{}: not finite near the point", which()));
                    }
                    // the same number all around, as what the function adds is rounded off
                    Numeric::Estimate { value: 0.0, error }
                        if ad.to_f64() != 0.0 && ad.to_f64().abs() <= 16.0 * error =>
                    {
                        return Outcome::inconclusive(format!("{}: the differences are below rounding", which()));
                    }
                    Numeric::Estimate { value: 0.0, .. } if ad.to_f64() == 0.0 => (0.0, 0.0),
                    Numeric::Estimate { value, error } => (*value, *error),
                };
                if error > CONCLUSIVE * largest.max(value.abs()) && error > 1e-9 {
                    return Outcome::inconclusive(format!("{}: the differences give {value} ± {error:.1e}", which()));
                }
                let (ad, allowed) = (ad.to_f64(), 16.0 * error + RELATIVE * largest.max(value.abs()));
                let agrees = (ad - value).abs() <= allowed;
                if !agrees && value == 0.0 && ad.abs() <= ROUNDED * tangents {
                    return Outcome::inconclusive(format!("{}: the differences are below rounding", which()));
                }
                if !agrees {
                    return Outcome::fail(format!(
                        "jvp: {}: {ad}, but the differences give {value} ± {error:.1e}, off by {:.1e}, allowed {allowed:.1e}",
                        which(),
                        (ad - value).abs()
                    ));
                }
                near((ad - value).abs(), allowed);
                dot += y.to_f64() * value;
                dot_error += y.to_f64().abs() * allowed;
                dot_size += (y.to_f64() * value).abs();
            }
        }
        let terms = pulled.iter().zip(&self.tangents).flat_map(|(p, t)| p.elements().zip(t.elements()));
        let terms: Vec<f64> = terms.map(|(p, t)| p.to_f64() * t.to_f64()).collect();
        let got: f64 = terms.iter().sum();
        let allowed = dot_error + RELATIVE * dot_size + 1e-13 * terms.iter().map(|x| x.abs()).sum::<f64>();
        if (got - dot).abs() <= allowed {
            near((got - dot).abs(), allowed);
            return Outcome::within(closeness);
        }
        // what comes back from a pole need not be finite, where what goes there stays zero
        if let (Some(which), false) = (at_pole, got.is_finite()) {
            return Outcome::inconclusive(format!("{which}: not finite near the point"));
        }
        // the way back leaves what terms that cancel have been rounded to
        let off = (got - dot).abs();
        if off <= ROUNDED * adjoints {
            return Outcome::inconclusive("the differences are below rounding");
        }
        Outcome::fail(format!(
            "vjp: ⟨Jᵀ ȳ, ẋ⟩ = {got}, but the differences give {dot}, off by {off:.1e}, allowed {allowed:.1e}"
        ))
    }
}
