//! Means of runtimes and ratios of such means, with their 95 % confidence intervals.
//!
//! Intervals are Student's: the mean, plus and minus the standard error times the quantile of the t distribution. Ratios are treated as differences of logarithms, so that
//! the interval of a/b is the one of b/a upside down. Runs that follow each other are alike: where their correlation is more than chance makes it, they count as fewer.

/// A mean of microseconds with half the width of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval; infinite if one run says nothing about it.
    pub half: f64,
}

impl Mean {
    /// The lower and the upper end of the interval; no time is negative.
    pub fn interval(&self) -> (f64, f64) {
        ((self.mean - self.half).max(0.0), self.mean + self.half)
    }
}

/// A ratio with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Ratio {
    /// Whether it is another than 1, as far as the interval tells.
    pub fn is_significant(&self) -> bool {
        self.low > 1.0 || self.high < 1.0
    }
}

/// A runtime of zero microseconds is one of less than one.
const LEAST: f64 = 0.5;

/// The mean of runtimes; none of none.
pub fn mean(runtimes: &[f64]) -> Option<Mean> {
    let of = Moments::of(runtimes)?;
    Some(Mean { mean: of.mean, half: of.half() })
}

/// How many times as fast the second is as the first, by the means of runs that have nothing to do with each other (Welch).
pub fn ratio_of_means(first: &[f64], second: &[f64]) -> Option<Ratio> {
    let (a, b) = (Moments::of(first)?, Moments::of(second)?);
    if a.mean <= 0.0 || b.mean <= 0.0 {
        return None;
    }
    // the relative errors are those of the logarithms
    let (x, y) = ((a.error() / a.mean).powi(2), (b.error() / b.mean).powi(2));
    let freedom = if x + y > 0.0 { (x + y).powi(2) / (x.powi(2) / a.freedom() + y.powi(2) / b.freedom()) } else { 1.0 };
    let is_known = a.count > 1.0 && b.count > 1.0;
    let half = if is_known { quantile(freedom) * (x + y).sqrt() } else { f64::INFINITY };
    Some(around((a.mean / b.mean).ln(), half))
}

/// How many times as fast the second is as the first, by runs pair by pair: the geometric mean of their ratios.
pub fn ratio_of_pairs(first: &[f64], second: &[f64]) -> Option<Ratio> {
    let logarithms: Vec<f64> = first.iter().zip(second).map(|(a, b)| (a.max(LEAST) / b.max(LEAST)).ln()).collect();
    let of = Moments::of(&logarithms)?;
    Some(around(of.mean, of.half()))
}

/// The geometric mean; 1 of none.
pub fn geometric_mean(ratios: &[f64]) -> f64 {
    let sum: f64 = ratios.iter().map(|r| r.ln()).sum();
    if ratios.is_empty() { 1.0 } else { (sum / ratios.len() as f64).exp() }
}

/// The ratio with this logarithm.
fn around(logarithm: f64, half: f64) -> Ratio {
    Ratio { ratio: logarithm.exp(), low: (logarithm - half).exp(), high: (logarithm + half).exp() }
}

/// What is known of numbers that vary.
struct Moments {
    mean: f64,
    /// The standard deviation.
    deviation: f64,
    /// As many numbers that have nothing to do with each other say as much.
    count: f64,
}

impl Moments {
    fn of(xs: &[f64]) -> Option<Moments> {
        let n = xs.len() as f64;
        if xs.is_empty() {
            return None;
        }
        let mean = xs.iter().sum::<f64>() / n;
        let squares: f64 = xs.iter().map(|x| (x - mean).powi(2)).sum();
        let variance = if n > 1.0 { squares / (n - 1.0) } else { 0.0 };
        let next: f64 = xs.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
        let correlation = if squares > 0.0 { next / squares } else { 0.0 };
        // chance makes it no larger, in 95 of 100 cases
        let chance = 1.96 / n.sqrt();
        let share = if correlation > chance { (1.0 - correlation) / (1.0 + correlation) } else { 1.0 };
        // two say something about their spread, whatever they share
        let count = (n * share).max(n.min(2.0));
        Some(Moments { mean, deviation: variance.sqrt(), count })
    }

    fn freedom(&self) -> f64 {
        (self.count - 1.0).max(1.0)
    }

    fn error(&self) -> f64 {
        self.deviation / self.count.sqrt()
    }

    fn half(&self) -> f64 {
        if self.count > 1.0 { quantile(self.freedom()) * self.error() } else { f64::INFINITY }
    }
}

/// The 97.5 % quantile of the t distribution, from 1 to 30 degrees of freedom.
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The same for any: of a fraction the one of the whole number below, which is wider; from 31 on by the first terms of its expansion at the normal distribution's.
fn quantile(freedom: f64) -> f64 {
    match QUANTILES.get((freedom.max(1.0) as usize).saturating_sub(1)) {
        Some(t) => *t,
        None => {
            const Z: f64 = 1.959_964;
            Z + (Z.powi(3) + Z) / (4.0 * freedom)
                + (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / (96.0 * freedom.powi(2))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{a} is not {b}");
    }

    #[test]
    fn the_interval_is_students() {
        // the mean of 1..5 is 3, the deviation √2.5, the error √0.5, and t of 4 degrees 2.776; 1..5 rise, but five numbers can do so by chance
        let m = mean(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        near(m.mean, 3.0);
        near(m.half, 2.776 * 0.5f64.sqrt());
        assert_eq!(mean(&[7.0]), Some(Mean { mean: 7.0, half: f64::INFINITY }));
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[4.0; 9]), Some(Mean { mean: 4.0, half: 0.0 }));
        assert_eq!(Mean { mean: 1.0, half: 3.0 }.interval(), (0.0, 4.0));
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        // of tables of the t distribution
        for (freedom, t) in
            [(1.0, 12.706), (9.0, 2.262), (9.9, 2.262), (40.0, 2.021), (60.0, 2.000), (120.0, 1.980), (1e9, 1.960)]
        {
            assert!((quantile(freedom) - t).abs() < 1e-3, "{freedom}: {}", quantile(freedom));
        }
    }

    #[test]
    fn runs_that_drift_count_as_fewer() {
        let jumping: Vec<f64> = (0..100).map(|i| 10.0 + f64::from(i * 37 % 100) / 100.0).collect();
        let mut drifting = jumping.clone();
        drifting.sort_by(f64::total_cmp);
        let (jumping, drifting) = (mean(&jumping).unwrap(), mean(&drifting).unwrap());
        near(jumping.mean, drifting.mean);
        assert!(drifting.half > 3.0 * jumping.half, "{drifting:?} {jumping:?}");
    }

    #[test]
    fn ratios_of_means() {
        // 100 to 50: twice as fast. 95 and 105 have the deviation √50, so the error 5, which is 0.05 of 100; so has the other; together 0.05 √2, at 2 degrees of freedom
        let r = ratio_of_means(&[95.0, 105.0], &[47.5, 52.5]).unwrap();
        near(r.ratio, 2.0);
        near(r.high, 2.0 * (4.303f64 * 0.070_71).exp());
        near(r.low * r.high, 4.0);
        assert!(r.is_significant());
        assert!(!ratio_of_means(&[90.0, 110.0], &[91.0, 110.0]).unwrap().is_significant());
        // nothing varies
        assert_eq!(ratio_of_means(&[2.0, 2.0], &[4.0, 4.0]), Some(Ratio { ratio: 0.5, low: 0.5, high: 0.5 }));
        assert_eq!(ratio_of_means(&[0.0], &[1.0]), None);
        assert_eq!(ratio_of_means(&[2.0], &[1.0]).map(|r| r.is_significant()), Some(false));
    }

    #[test]
    fn ratios_of_pairs_do_not_see_what_pairs_have_in_common() {
        // the machine's speed changes tenfold, the ratio stays within 10 %
        let first: Vec<f64> = (0..20).map(|i| 1000.0 * f64::from(1 + i * 7 % 10)).collect();
        let second: Vec<f64> = first.iter().enumerate().map(|(i, x)| x / if i % 2 == 0 { 2.1 } else { 1.9 }).collect();
        let pairs = ratio_of_pairs(&first, &second).unwrap();
        near(pairs.ratio, (2.1f64 * 1.9).sqrt());
        assert!(pairs.is_significant() && pairs.high / pairs.low < 1.1, "{pairs:?}");
        assert!(!ratio_of_means(&first, &second).is_some_and(|means| means.high / means.low < 1.5));
        // less than a microsecond is half of one
        near(ratio_of_pairs(&[0.0, 0.0], &[1.0, 1.0]).unwrap().ratio, 0.5);
        assert_eq!(ratio_of_pairs(&[], &[]), None);
    }

    #[test]
    fn geometric_means() {
        near(geometric_mean(&[0.5, 8.0]), 2.0);
        assert_eq!(geometric_mean(&[]), 1.0);
    }
}
