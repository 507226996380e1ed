//! Drawing at random: from a [`Gen`] of quickcheck, so that a seed and a size say all.

use futi_core::prim::{Scalar, ScalarType};
use quickcheck::Gen;

/// The numbers that [`Draw::below`] chooses from.
const NUMBERS: [usize; 256] = {
    let mut numbers = [0; 256];
    let mut i = 0;
    while i < 256 {
        numbers[i] = i;
        i += 1;
    }
    numbers
};

/// A source of random choices.
pub(super) struct Draw(Gen);

impl Draw {
    /// The source of this size and seed.
    pub(super) fn new(size: usize, seed: u64) -> Draw {
        Draw(Gen::from_size_and_seed(size, seed))
    }

    /// A number below n, which is at most 256; 0 for 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.choose(&NUMBERS[..n.clamp(1, 256)]).copied().unwrap_or(0)
    }

    /// True so many times of a hundred.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these, of which there is at least one.
    pub(super) fn pick<T: Clone>(&mut self, xs: &[T]) -> T {
        xs[self.below(xs.len())].clone()
    }

    /// A position below n, the later the likelier: programs get deep.
    pub(super) fn late(&mut self, n: usize) -> usize {
        self.below(n).max(self.below(n))
    }

    /// The position of a weight, as likely as it is large; none if all are zero.
    pub(super) fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        // weights come from the command line: 32 bits may be too few for their sum
        let mut weights = weights.iter().map(|w| u64::from(*w));
        let mut at = self.bits() % weights.clone().sum::<u64>().max(1);
        weights.position(|w| {
            let here = at < w;
            at = at.saturating_sub(w);
            here
        })
    }

    /// 64 random bits.
    pub(super) fn bits(&mut self) -> u64 {
        (0..8).fold(0, |bits, _| bits << 8 | self.below(256) as u64)
    }

    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A float of moderate size that is not zero.
    pub(super) fn moderate(&mut self, t: ScalarType) -> Scalar {
        Scalar::from_f64(t, self.pick(&[0.5, -0.75, 1.25, 1.5, -1.5, 0.375, -0.25]))
    }

    /// A scalar as programs write them: small, and now and then an edge of the type.
    pub(super) fn literal(&mut self, t: ScalarType) -> Scalar {
        match t {
            ScalarType::Bool => Scalar::Bool(self.chance(50)),
            t if t.is_float() => Scalar::from_f64(t, self.pick(&[0.5, -0.75, 1.25, 2.0, -1.0, 0.0, -0.0])),
            t => Scalar::from_i64(t, self.pick(&[0, 1, 2, 3, 5, 7, -1])),
        }
    }

    /// Any scalar of the type: mostly small, sometimes extreme, NaN and infinities among the floats if `special`.
    pub(super) fn any(&mut self, t: ScalarType, special: bool) -> Scalar {
        match t {
            t if t.is_float() && special && self.chance(25) => {
                let extremes = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300, -1e-300, 6e4, 1e-7];
                Scalar::from_f64(t, self.pick(&extremes))
            }
            t if t.is_float() => Scalar::from_f64(t, ((self.unit() * 8.0 - 4.0) * 64.0).round() / 64.0),
            t if t.is_int() && self.chance(6) => {
                Scalar::from_bits(t, self.pick(&[u64::MAX, i64::MAX as u64, 1 << 63, 0x7f7f_7f80_8080_8080]))
            }
            t if t.is_int() => Scalar::from_i64(t, self.below(13) as i64 - 4),
            _ => Scalar::Bool(self.chance(50)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_chosen_as_often_as_it_is_large() {
        let mut draw = Draw::new(10, 1);
        let mut chosen = |weights: &[u32]| -> Vec<Option<usize>> { (0..40).map(|_| draw.weighted(weights)).collect() };
        assert!(chosen(&[0, 0]).iter().all(Option::is_none));
        let largest = chosen(&[u32::MAX, 0, u32::MAX]);
        assert!(largest.contains(&Some(0)) && largest.contains(&Some(2)) && !largest.contains(&Some(1)), "{largest:?}");
        let small = chosen(&[0, 1, u32::MAX]);
        assert!(small.iter().all(|i| *i == Some(2)), "{small:?}");
    }
}
