//! Numerical differentiation: central differences extrapolated to step zero, with an estimate of the error (C. Ridders, *Accurate computation of
//! F'(x) and F'(x)F''(x)*, Advances in Engineering Software 4, 1982), and a test for kinks.

// Note [Kinks]
// ~~~~~~~~~~~~
// At a kink the two one-sided derivatives differ, yet the central difference converges: to their mean, with a small error. The second difference
// (f(h) − 2 f(0) + f(−h))/h tells: it tends to 0 where f is smooth, and to the difference of the one-sided derivatives at a kink. It has odd powers
// of h only, and is extrapolated like the first.

/// The ratio of successive steps.
const RATIO: f64 = 2.0;
/// The largest step.
const FIRST: f64 = 1.0 / 16.0;
/// How many steps: down to 2^-15.
const LEVELS: usize = 12;
/// How many powers of the step are eliminated at most.
const ORDER: usize = 6;
/// How many of the finest steps the estimate must agree with.
const FINEST: usize = 3;

/// A derivative at zero, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Numeric {
    /// The derivative.
    Estimate {
        /// Its value.
        value: f64,
        /// About how wrong that may be.
        error: f64,
    },
    /// The one-sided derivatives differ, by this much.
    Kink(f64),
    /// The function is the same infinity everywhere near zero. Of what a reduction of nothing gives that has the derivative 0; of a sum with
    /// infinity it has that of the other term.
    Infinite,
    /// The function is not finite near zero.
    NotFinite,
}

/// The derivatives at 0 of each component of a vector-valued function.
///
/// # Errors
/// Those of the function.
pub fn derivatives<E>(f: &mut dyn FnMut(f64) -> Result<Vec<f64>, E>) -> Result<Vec<Numeric>, E> {
    let steps: Vec<f64> = (0..LEVELS).map(|k| FIRST / RATIO.powi(k as i32)).collect();
    let middle = f(0.0)?;
    let mut right = Vec::with_capacity(LEVELS);
    let mut left = Vec::with_capacity(LEVELS);
    for h in &steps {
        right.push(f(*h)?);
        left.push(f(-*h)?);
    }
    // a function whose number of components depends on the point has no derivative there
    let same = right.iter().chain(&left).all(|ys| ys.len() == middle.len());
    let component = |i: usize| {
        let samples = steps.iter().zip(right.iter().zip(&left)).map(|(h, (r, l))| (*h, r[i], l[i]));
        derivative(middle[i], &samples.collect::<Vec<_>>())
    };
    Ok((0..middle.len()).map(|i| if same { component(i) } else { Numeric::NotFinite }).collect())
}

/// From f(0) and triples (h, f(h), f(−h)) with h falling.
fn derivative(middle: f64, samples: &[(f64, f64, f64)]) -> Numeric {
    let noise = |(h, r, l): &(f64, f64, f64)| 4.0 * f64::EPSILON * (r.abs() + l.abs() + 2.0 * middle.abs()) / h;
    if samples.iter().all(|(_, r, l)| *r == middle && *l == middle) {
        // what is below half a unit of the value cannot be seen, by the largest step the least
        let error = samples.first().map_or(f64::INFINITY, noise);
        return if middle.is_finite() { Numeric::Estimate { value: 0.0, error } } else { Numeric::Infinite };
    }
    // outside of its domain f is not finite: only the steps below the last such count
    let first = samples.iter().rposition(|(_, r, l)| !(r.is_finite() && l.is_finite())).map_or(0, |i| i + 1);
    let samples = &samples[first..];
    if samples.len() < 4 || !middle.is_finite() {
        return Numeric::NotFinite;
    }
    let row = |s: &(f64, f64, f64), value: f64| (value, noise(s));
    let first: Vec<_> = samples.iter().map(|s| row(s, (s.1 - s.2) / (2.0 * s.0))).collect();
    let second: Vec<_> = samples.iter().map(|s| row(s, ((s.1 - middle) + (s.2 - middle)) / s.0)).collect();
    let (value, error) = extrapolate(&first, 2);
    let (jump, jump_error) = extrapolate(&second, 1);
    if jump.abs() > 1e-6 * value.abs() + 8.0 * jump_error {
        Numeric::Kink(jump)
    } else {
        Numeric::Estimate { value, error }
    }
}

/// The limit at step zero of values at falling steps, each with its noise: an expansion in the powers p, p+2, p+4 … of the step. The entry of
/// Neville's scheme with the smallest error estimate wins. Its error is no less than how far it is from what the finest steps say: among samples of what varies within
/// all steps neighbours agree by chance.
fn extrapolate(values: &[(f64, f64)], power: i32) -> (f64, f64) {
    let mut best = (values[0].0, f64::INFINITY);
    let mut previous: Vec<f64> = Vec::new();
    let mut finest = Vec::new();
    for (k, (value, noise)) in values.iter().enumerate() {
        let mut row = vec![*value];
        for j in 1..=k.min(ORDER) {
            let gain = RATIO.powi(power + 2 * (j as i32 - 1)) - 1.0;
            let (coarse, fine) = (previous[j - 1], row[j - 1]);
            let next = fine + (fine - coarse) / gain;
            // both neighbours are estimates of one order less
            let error = (next - fine).abs().max((next - coarse).abs()) + noise;
            if error < best.1 {
                best = (next, error);
            }
            row.push(next);
        }
        if k + FINEST >= values.len() {
            finest.push(row[k.min(1)]);
        }
        previous = row;
    }
    let (value, error) = best;
    (value, finest.into_iter().map(|other| (other - value).abs()).fold(error, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(f: impl Fn(f64) -> f64) -> Numeric {
        derivatives::<()>(&mut |t| Ok(vec![f(t)])).unwrap()[0]
    }

    fn close(f: impl Fn(f64) -> f64, exact: f64, relative: f64) {
        match at(f) {
            Numeric::Estimate { value, error } => {
                assert!((value - exact).abs() <= relative * exact.abs().max(1.0), "{value} ± {error}, exactly {exact}");
                assert!((value - exact).abs() <= 8.0 * error, "{value} ± {error} is too sure of itself: {exact}");
                assert!(error <= 100.0 * relative * exact.abs().max(1.0), "{value} ± {error} is too unsure: {exact}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn smooth_functions() {
        close(|t| (1.0 + t).sin(), 1f64.cos(), 1e-11);
        close(|t| (20.0 * t).exp(), 20.0, 1e-9);
        close(|t| (3.0 + t).powi(5), 405.0, 1e-10);
        // near the edge of the domain: 1/(2 sqrt 0.01) = 5
        close(|t| (0.01 + t).sqrt(), 5.0, 1e-8);
        close(|_| 7.0, 0.0, 1e-12);
        close(|t| (1e6 + t).ln(), 1e-6, 1e-9);
    }

    #[test]
    fn a_kink_nearby_is_stepped_around() {
        close(|t| (t - 0.01).abs(), -1.0, 1e-9);
        close(|t| (t + 1e-3).max(0.0), 1.0, 1e-9);
    }

    #[test]
    fn a_kink_is_seen() {
        assert!(matches!(at(f64::abs), Numeric::Kink(jump) if (jump - 2.0).abs() < 1e-9));
        assert!(matches!(at(|t| t.max(0.0) + (1.0 + t).sin()), Numeric::Kink(jump) if (jump - 1.0).abs() < 1e-6));
        // nearer than the smallest step
        assert!(matches!(at(|t| (t - 1e-7).abs()), Numeric::Kink(_)));
    }

    #[test]
    fn a_jump_gives_no_small_error() {
        match at(|t| if t < 0.0 { 0.0 } else { 1.0 }) {
            Numeric::Estimate { error, .. } => assert!(error > 1.0),
            Numeric::Kink(jump) => assert!(jump.abs() > 100.0),
            Numeric::NotFinite | Numeric::Infinite => panic!("it is finite"),
        }
    }

    #[test]
    fn what_oscillates_within_the_steps_gives_no_small_error() {
        for scale in [1e6, 3e6, 1e7, 2.5e7] {
            match at(|t| (40.0 * (1.0 + scale * t).sin()).tanh()) {
                Numeric::Estimate { error, .. } => assert!(error > 1.0, "{scale}: {error}"),
                Numeric::Kink(jump) => assert!(jump.abs() > 1.0, "{scale}"),
                Numeric::NotFinite | Numeric::Infinite => panic!("it is finite"),
            }
        }
    }

    #[test]
    fn outside_of_the_domain_there_is_nothing() {
        assert_eq!(at(|t| t.ln()), Numeric::NotFinite);
        assert_eq!(at(|_| f64::NAN), Numeric::NotFinite);
        assert_eq!(at(|_| f64::INFINITY), Numeric::Infinite);
        assert!(matches!(at(|_| 2.0), Numeric::Estimate { value: 0.0, error } if error > 0.0 && error < 1e-12));
        assert_eq!(at(|_| 0.0), Numeric::Estimate { value: 0.0, error: 0.0 });
    }

    #[test]
    fn components_are_separate() {
        let both = derivatives::<()>(&mut |t| Ok(vec![t.abs(), 2.0 * t])).unwrap();
        assert!(matches!(both[0], Numeric::Kink(_)));
        assert!(matches!(both[1], Numeric::Estimate { value, .. } if (value - 2.0).abs() < 1e-12));
    }
}
