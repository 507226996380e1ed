//! Random values from a seed and a name, the same on every machine.

use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{Array, Column, Value};

/// A generator: SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of this seed and name. Streams of different names are independent of each other and of the order in which they are used.
    pub fn new(seed: u64, name: &str) -> Rng {
        // FNV-1a
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ b as u64).wrapping_mul(0x0100_0000_01b3));
        let mut rng = Rng(seed ^ hash);
        rng.bits();
        rng
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [-1, 1), but not near 0: at least 1/8 in magnitude. Directions and seeds are made of these, so that no contribution is lost.
    pub fn direction(&mut self) -> f64 {
        let x = self.unit();
        (0.125 + 0.875 * x).copysign(if self.bits() & 1 == 0 { 1.0 } else { -1.0 })
    }

    /// A value of this type and shape with floats as [`Rng::direction`].
    pub fn direction_like(&mut self, elem: ScalarType, shape: &[usize]) -> Value {
        value(elem, shape, &mut |t| Scalar::from_f64(t, self.direction()))
    }
}

/// A value of this type and shape, element by element.
fn value(elem: ScalarType, shape: &[usize], next: &mut dyn FnMut(ScalarType) -> Scalar) -> Value {
    if shape.is_empty() {
        return Value::Scalar(next(elem));
    }
    rebuilt(elem, shape, (0..shape.iter().product::<usize>()).map(|_| next(elem)))
}

/// The value of this type and shape with these elements, which must be of the type and as many as the shape has.
pub fn rebuilt(elem: ScalarType, shape: &[usize], elements: impl Iterator<Item = Scalar>) -> Value {
    let mut elements = elements.map(|x| if x.scalar_type() == elem { x } else { Scalar::from_f64(elem, x.to_f64()) });
    match shape {
        [] => Value::Scalar(elements.next().unwrap_or(elem.zero())),
        shape => match Column::from_scalars(elem, elements) {
            Some(column) => Value::Array(Array::new(shape, column)),
            None => Value::Array(Array::filled(shape, elem.zero())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_differ_by_name() {
        let draw = |seed, name| Rng::new(seed, name).bits();
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
    }

    #[test]
    fn directions_are_never_near_zero() {
        let mut rng = Rng::new(0, "x");
        let xs: Vec<f64> = (0..1000).map(|_| rng.direction()).collect();
        assert!(xs.iter().all(|x| (0.125..=1.0).contains(&x.abs())));
        assert!(xs.iter().any(|x| *x < 0.0) && xs.iter().any(|x| *x > 0.0));
    }
}
