//! Random data, the same as Futhark's `futhark dataset` makes of the same seed, types and bounds.
//!
//! Futhark draws from SplitMix (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, 2014), so that data can be described by a type
//! and a seed and is the same wherever it is made. How words become values is found out by asking `futhark dataset` (see the tests): floats are the
//! convex combination of the bounds by a word over the largest word; signed integers, and 64-bit ones, take low bits and reject what is too large;
//! other unsigned ones multiply by the size of the range and take the upper half (Lemire 2019). The value behind the i-th option `-g` is made of the
//! seed plus i.

use crate::random::rebuilt;
use crate::spec::RandomValue;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::Value;
use half::f16;

/// The seed of `futhark dataset`, unless it is told another; that of `random input` always.
pub const SEED: i64 = 1;

/// The lowest and the highest value of a type that may be drawn, both included.
pub type Bounds = (Scalar, Scalar);

/// The bounds of each type, unless others are asked for: all integers; floats from 0 to 1.
pub fn default_bounds(ty: ScalarType) -> Bounds {
    let bits = ty.bytes() as u32 * 8;
    let int = |x: i128| Scalar::from_int(ty, x).unwrap_or(ty.zero());
    match ty {
        t if t.is_float() || t == ScalarType::Bool => (ty.zero(), ty.one()),
        t if t.is_unsigned() => (int(0), int((1i128 << bits) - 1)),
        _ => (int(-(1i128 << (bits - 1))), int((1i128 << (bits - 1)) - 1)),
    }
}

/// The values of a `random input`.
pub fn input(wanted: &[RandomValue], seed: i64) -> Vec<Value> {
    let one = |(i, wanted): (usize, &RandomValue)| match wanted {
        RandomValue::Value(v) => v.clone(),
        RandomValue::OfType(ty, shape) => value(*ty, shape, default_bounds(*ty), seed.wrapping_add(i as i64)),
    };
    wanted.iter().enumerate().map(one).collect()
}

/// A random value of this element type and shape.
pub fn value(ty: ScalarType, shape: &[usize], bounds: Bounds, seed: i64) -> Value {
    let mut words = Words::new(seed as u64);
    let n = futi_core::value::count(shape);
    rebuilt(ty, shape, (0..n).map(|_| scalar(ty, bounds, &mut words)))
}

fn scalar(ty: ScalarType, (low, high): Bounds, words: &mut Words) -> Scalar {
    match ty {
        ScalarType::Bool => Scalar::Bool(words.next() & 1 == 1),
        ScalarType::F64 => {
            let x = words.next() as f64 / u64::MAX as f64;
            Scalar::F64(x * low.to_f64() + (1.0 - x) * high.to_f64())
        }
        ScalarType::F32 | ScalarType::F16 => {
            let x = words.next() as u32 as f32 / u32::MAX as f32;
            let x = x * low.to_f64() as f32 + (1.0 - x) * high.to_f64() as f32;
            if ty == ScalarType::F32 { Scalar::F32(x) } else { Scalar::F16(f16::from_f32(x)) }
        }
        _ => {
            let (a, b) = (low.to_int().unwrap_or(0), high.to_int().unwrap_or(0));
            let (low, range) = (a.min(b), a.abs_diff(b) as u64);
            let x = if ty.is_unsigned() && ty != ScalarType::U64 {
                words.below(range + 1)
            } else {
                words.at_most(range, ty == ScalarType::I64 || ty == ScalarType::U64)
            };
            Scalar::from_int(ty, low + x as i128).unwrap_or(ty.zero())
        }
    }
}

/// SplitMix: a counter and what it grows by, both made of the seed.
struct Words {
    counter: u64,
    step: u64,
}

impl Words {
    fn new(seed: u64) -> Words {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let step = scrambled(seed.wrapping_add(GOLDEN), [30, 27, 31], 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb) | 1;
        // a step whose bits change too seldom makes neighbours alike
        let changes = (step ^ (step >> 1)).count_ones();
        let step = if changes < 24 { step ^ 0xaaaa_aaaa_aaaa_aaaa } else { step };
        Words { counter: mixed(seed), step }
    }

    fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(self.step);
        mixed(self.counter)
    }

    /// A number of at most `range`, of the low bits of words: of all 64, or of the lower 32.
    fn at_most(&mut self, range: u64, wide: bool) -> u64 {
        let mask = u64::MAX.checked_shr(range.leading_zeros()).unwrap_or(0);
        loop {
            let word = self.next();
            let x = if wide { word } else { word & u32::MAX as u64 } & mask;
            if x <= range {
                return x;
            }
        }
    }

    /// A number less than `n`, which is at most 2³², by multiplication.
    fn below(&mut self, n: u64) -> u64 {
        let unfair = ((1u64 << 32) - n) % n;
        loop {
            let product = (self.next() & u32::MAX as u64) * n;
            if product & u32::MAX as u64 >= unfair {
                return product >> 32;
            }
        }
    }
}

fn mixed(z: u64) -> u64 {
    scrambled(z, [33, 33, 33], 0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53)
}

fn scrambled(z: u64, shifts: [u32; 3], a: u64, b: u64) -> u64 {
    let z = (z ^ (z >> shifts[0])).wrapping_mul(a);
    let z = (z ^ (z >> shifts[1])).wrapping_mul(b);
    z ^ (z >> shifts[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `futhark dataset` prints these values.
    fn check(ty: &str, bounds: Option<(i64, i64)>, seed: i64, printed: &str) {
        let n = printed.split(' ').count();
        let printed = futi_core::value::text::parse_values(printed).unwrap();
        let ty = ScalarType::from_name(ty).unwrap();
        let of = |x: i64| if ty.is_float() { Scalar::from_f64(ty, x as f64) } else { Scalar::from_i64(ty, x) };
        let bounds = bounds.map_or(default_bounds(ty), |(a, b)| (of(a), of(b)));
        assert_eq!([value(ty, &[n], bounds, seed)], printed[..]);
    }

    /// Printed by Futhark 0.25.32: `futhark dataset -g [n]t`, with `-s` and `--t-bounds`; floats that it prints with an exponent are spelt out.
    #[test]
    fn it_is_the_data_that_futhark_makes() {
        for (ty, values) in [
            ("i8", "[117i8, 27i8, 98i8, -20i8, -93i8, 87i8]"),
            ("u8", "[114u8, 19u8, 18u8, 61u8, 244u8, 217u8]"),
            ("i16", "[14837i16, -24165i16, 15330i16, -22164i16, 12323i16, -25897i16]"),
            ("u16", "[29352u16, 5066u16, 4827u16, 15708u16, 62615u16, 55562u16]"),
            ("i32", "[-223823371i32, -1815469669i32, -1831093278i32, -1118033556i32, 1956098083i32, 1493834455i32]"),
            ("u32", "[1923660277u32, 332013979u32, 316390370u32, 1029450092u32, 4103581731u32, 3641318103u32]"),
            ("f16", "[0.5522461f16, 0.92285156f16, 0.92626953f16, 0.7602539f16]"),
            ("f32", "[0.55211294f32, 0.92269695f32, 0.9263346f32, 0.76031244f32, 0.044560432f32, 0.15218955f32]"),
            ("f64", "[0.12152684143560777f64, 0.5526745035133085f64, 0.5189896463245001f64]"),
            ("bool", "[true, true, false, false, true, true]"),
            ("i64", "[6981597494805838325i64, -971673085519715941i64, -350297145798312990i64]"),
            ("u64", "[16204969531660614133u64, 8251698951335059867u64, 8873074891056462818u64]"),
        ] {
            check(ty, None, SEED, values);
        }
        for (ty, bounds, values) in [
            ("i8", (-100, 100), "[55i8, 8i8, -65i8, -93i8, 71i8]"),
            ("i16", (-3, 3), "[2i16, 0i16, -1i16, 1i16, 0i16, 0i16]"),
            ("u16", (0, 299), "[134u16, 23u16, 22u16, 71u16, 286u16]"),
            ("u32", (0, 299), "[134u32, 23u32, 22u32, 71u32, 286u32]"),
            ("u64", (0, 299), "[35u64, 215u64, 7u64, 252u64, 58u64]"),
            ("i64", (-5, 5), "[0i64, -3i64, -2i64, 2i64, 2i64, 5i64, 5i64, -4i64]"),
            ("f32", (-1, 3), "[1.2084517f32, 2.6907878f32, 2.7053385f32]"),
            ("f16", (0, 10), "[5.5195313f16, 9.2265625f16, 9.265625f16]"),
        ] {
            check(ty, Some(bounds), SEED, values);
        }
        // bounds the wrong way round, and other seeds
        check("i32", Some((9, 0)), SEED, "[5i32, 2i32, 3i32, 7i32, 7i32]");
        check("i32", None, 2, "[442619967i32]");
        check("i32", None, -7, "[-1518036844i32, -1051474325i32, -1916095384i32]");
    }

    #[test]
    fn each_value_of_an_input_has_its_own_seed() {
        let wanted = [
            RandomValue::OfType(ScalarType::I32, vec![]),
            RandomValue::Value(Scalar::I64(5).into()),
            RandomValue::OfType(ScalarType::I32, vec![]),
            RandomValue::OfType(ScalarType::I32, vec![0, 3]),
        ];
        // futhark dataset -g i32 -g 5i64 -g i32 -g [0][3]i32
        let text: Vec<String> = input(&wanted, SEED).iter().map(Value::to_string).collect();
        assert_eq!(text, ["-223823371i32", "5i64", "2046092073i32", "empty([0][3]i32)"]);
    }

    #[test]
    fn one_value_is_a_range_too() {
        for ty in ScalarType::ALL.into_iter().filter(|t| t.is_int()) {
            let seven = Scalar::from_i64(ty, 7);
            assert_eq!(value(ty, &[], (seven, seven), 3).as_scalar(), Some(seven), "{ty}");
        }
    }
}
