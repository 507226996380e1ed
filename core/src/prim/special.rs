//! Functions that `libm` lacks: sine and cosine in half-turns, and the polygamma functions.

use std::f64::consts::PI;

/// The nearest quarter of a turn, as a number from 0 to 3, and the rest in half-turns: exact, at most 1/4 in magnitude.
fn quarter(x: f64) -> (i64, f64) {
    let x = libm::fmod(x, 2.0);
    let q = libm::rint(2.0 * x);
    ((q as i64).rem_euclid(4), x - q / 2.0)
}

/// sin πx; a zero has the sign of x.
pub(super) fn sinpi(x: f64) -> f64 {
    match quarter(x) {
        (0 | 2, 0.0) => libm::copysign(0.0, x),
        (0, r) => libm::sin(PI * r),
        (1, r) => libm::cos(PI * r),
        (2, r) => -libm::sin(PI * r),
        (_, r) => -libm::cos(PI * r),
    }
}

/// cos πx; a zero is positive.
pub(super) fn cospi(x: f64) -> f64 {
    match quarter(x) {
        (1 | 3, 0.0) => 0.0,
        (0, r) => libm::cos(PI * r),
        (1, r) => -libm::sin(PI * r),
        (2, r) => -libm::cos(PI * r),
        (_, r) => libm::sin(PI * r),
    }
}

/// B₂, B₄ … B₂₀, the Bernoulli numbers (NIST Digital Library of Mathematical Functions, 24.2).
const BERNOULLI: [f64; 10] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
];

// Note [Polygamma]
// ~~~~~~~~~~~~~~~~
// ψ⁽⁰⁾ = digamma: by ψ(x) = ψ(x+1) − 1/x up to x ≥ 12, there by the asymptotic series (DLMF 5.11.2), whose first term left out is below 1e-18; for x < 0
// by reflection (5.5.4).
//
// ψ⁽ⁿ⁾, n > 0: (−1)ⁿ⁺¹ n! ζ(n+1, x) (25.11.12), with Hurwitz's ζ(s, a) = Σ 1/(a+k)^s summed up to a ≥ s + 12 and continued by Euler and Maclaurin's formula
// (2.10.1). For x < 0, let x = f − m with f in (0, 1): the terms with x + k > 0 are ζ(s, f), the m others are (−1)^s (ζ(s, 1−f) − ζ(s, 1−x)). The
// smaller of f and 1−f is the distance to an integer, which is exact: at −1e-20 the other would round to a pole.
//
// n! is drawn into each term, so that for large n neither it nor the powers overflow before their product does.

/// Derivative `n` of digamma. NaN for n < 0. At 0 infinite with the sign that the limit from that side has, at negative integers infinite where
/// both sides agree, else NaN.
pub(super) fn polygamma(n: i32, x: f64) -> f64 {
    let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
    let floor = libm::floor(x);
    match n {
        _ if n < 0 || x.is_nan() || x == f64::NEG_INFINITY => f64::NAN,
        0 if x == f64::INFINITY => x,
        _ if x == f64::INFINITY => sign * 0.0,
        // the term ∓n!/x^(n+1)
        _ if x == 0.0 => sign * if n % 2 == 0 { 1.0 / x } else { f64::INFINITY },
        _ if x == floor && x < 0.0 => {
            if n % 2 == 0 {
                f64::NAN
            } else {
                f64::INFINITY
            }
        }
        0 if x < 0.0 => digamma(1.0 - x) - PI * cospi(x) / sinpi(x),
        0 => digamma(x),
        // mutant comparison: zero is a case above
        _ if x > 0.0 => sign * scaled_zeta(n, x),
        _ => {
            let r = x - libm::rint(x);
            // mutant comparison: whole numbers are cases above
            let (f, g) = if r > 0.0 { (r, 1.0 - r) } else { (1.0 + r, -r) };
            sign * (scaled_zeta(n, f) + sign * (scaled_zeta(n, g) - scaled_zeta(n, 1.0 - x)))
        }
    }
}

fn digamma(x: f64) -> f64 {
    let (mut a, mut sum) = (x, 0.0);
    while a < 12.0 {
        sum -= 1.0 / a;
        a += 1.0;
    }
    let square = 1.0 / (a * a);
    let series = BERNOULLI.iter().enumerate().rev().fold(0.0, |acc, (k, b)| (acc + b / (2 * k + 2) as f64) * square);
    sum + (libm::log(a) - 0.5 / a - series)
}

/// n! ζ(n+1, x) for n, x > 0.
fn scaled_zeta(n: i32, x: f64) -> f64 {
    let s = n as f64 + 1.0;
    let term = |a: f64| match n {
        1..=20 => (1..=n).fold(1.0, |f, k| f * k as f64) * libm::pow(a, -s),
        _ => libm::exp(libm::lgamma(s) - s * libm::log(a)),
    };
    let (mut a, mut sum) = (x, 0.0);
    // mutant comparison: a term more of the sum is a term less of its remainder
    while a < s + 12.0 {
        let t = term(a);
        sum += t;
        // the terms fall ever slower, but from here on no longer count; nor do they beside an infinite sum
        if t <= sum * 1e-18 {
            return sum;
        }
        a += 1.0;
    }
    // B₂ⱼ/(2j)! · s(s+1)…(s+2j−2) / a^(2j−1), as a multiple of the term at a
    let mut factor = s / (2.0 * a);
    let mut tail = a / (s - 1.0) + 0.5;
    for (j, b) in BERNOULLI.iter().enumerate() {
        let i = 2.0 * j as f64 + 1.0;
        tail += b * factor;
        factor *= (s + i) * (s + i + 1.0) / ((i + 2.0) * (i + 3.0) * a * a);
    }
    sum + term(a) * tail
}
