//! Scalar operators where the library's functions change their ways: at each constant of theirs, at the numbers beside it, and where reductions and
//! scalings by powers do.

use crate::Test;
use crate::operators::compare;
use crate::support::{Random, download, launch, open, run, source, upload};
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType, TernOp, UnOp};
use std::f64::consts::{FRAC_PI_4, LN_2, SQRT_2};

pub const TESTS: &[Test] = &[
    ("thresholds::exponentials", || unary(&[UnOp::Exp, UnOp::Expm1, UnOp::Sinh, UnOp::Cosh, UnOp::Tanh])),
    ("thresholds::logarithms", || unary(&[UnOp::Log, UnOp::Log1p, UnOp::Log2, UnOp::Log10])),
    ("thresholds::inverse_hyperbolic", || unary(&[UnOp::Asinh, UnOp::Acosh, UnOp::Atanh])),
    ("thresholds::circular", || unary(&[UnOp::Sin, UnOp::Cos, UnOp::Tan])),
    ("thresholds::inverse_circular", || unary(&[UnOp::Asin, UnOp::Acos, UnOp::Atan])),
    ("thresholds::others", || unary(&[UnOp::Erf, UnOp::Erfc, UnOp::Cbrt])),
    ("thresholds::conversions", conversions),
    ("thresholds::powers", powers),
    ("thresholds::angles", angles),
    ("thresholds::lengths", lengths),
    ("thresholds::remainders", remainders),
    ("thresholds::fused", fused),
    ("thresholds::scalings", scalings),
    ("thresholds::half_turns", half_turns),
    ("thresholds::gammas", gammas),
    ("thresholds::index_divisions", index_divisions),
];

/// What the functions of one operand compare theirs with.
#[rustfmt::skip]
#[expect(clippy::excessive_precision, clippy::approx_constant, reason = "as the library has them")]
const CONSTANTS: [f64; 50] = [
    // exp, expm1, and the hyperbolic functions
    709.782712893383973096, 745.133219101941108420, 38.816242111356935, 0.69314718055994530942, 3.725290298461914e-9, 1.0,
    1.4901161193847656e-8, 0.54930614433405484570, 20.0, 0.25541281188299534160, 2.2250738585072014e-308, 710.475860073944,
    710.4758600739439,
    // expm1's remainder of -1/4 after ln 2
    0.44314718055994530942,
    // logarithms and inverse hyperbolic functions
    0.2928932188134525, 0.41421356237309503, 1.1102230246251565e-16, 67108864.0, 2.0, 2.3283064365386963e-10, 0.5,
    // circular functions and their inverses
    1647099.0, 0.78539816339744827900, 7.450580596923828e-9, 0.67434, 0.975, 73786976294838206464.0, 0.4375, 0.6875, 1.1875, 2.4375,
    // erf and erfc
    0.84375, 1.25, 6.0, 2.857142857142857, 28.0, 1.3877787807814457e-17, 0.25,
    // conversions
    2147483647.0, 2147483648.0, 4294967296.0, 9007199254740992.0, 4503599627370496.0, 9223372036854775808.0,
    // what ends or is nothing
    0.0, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN, 5e-324,
];

/// What they compare the higher half of their operand's bits with.
const HIGH_WORDS: [u32; 6] = [0x3fd62e42, 0x3ff0a2b2, 0x3e300000, 0x3c900000, 0x3fe6a09e, 0x00100000];

/// Numbers, those beside them, and all with the other sign.
fn around(xs: impl IntoIterator<Item = f64>) -> Vec<f64> {
    xs.into_iter().flat_map(|x| [x.next_down(), x, x.next_up()]).flat_map(|x| [x, -x]).collect()
}

fn power_of_two(k: i32) -> f64 {
    2f64.powi(k / 2) * 2f64.powi(k - k / 2)
}

/// Operands of functions of one.
fn operands() -> Vec<f64> {
    let mut random = Random(7);
    let words = HIGH_WORDS.iter().map(|high| u64::from(*high) << 32).flat_map(|bits| [bits, bits | 0xffff_ffff]);
    // Where exp goes from one power of two to the next, and quadrants end.
    let steps = (0..2200).map(|k| f64::from(k) * LN_2 / 2.0).chain((1..600).map(|k| f64::from(k) * FRAC_PI_4));
    let quadrants = (0..4000).map(|_| (random.next() >> (11 + random.next() % 50)) as f64 * FRAC_PI_4);
    let scales = (-1074..1024).flat_map(|k| [1.0, SQRT_2 / 2.0, 1.5].map(|m| m * power_of_two(k)));
    let mut xs = around(CONSTANTS.into_iter().chain(words.map(f64::from_bits)).chain(steps).chain(scales));
    // The doubles that are nearest to multiples of pi/2.
    xs.extend(around([6381956970095103.0 * power_of_two(797), 5.319372648326541e255, 1.6e22, 6134899525417045.0]));
    xs.extend(around(quadrants.collect::<Vec<_>>()));
    xs.extend((0..20_000).map(|_| (random.unit() - 0.5) * [2.0, 6.0, 60.0, 2000.0][random.next() as usize % 4]));
    xs.extend((0..4000).map(|_| f64::from_bits(random.next())));
    xs
}

fn scalars(xs: &[f64]) -> Vec<Scalar> {
    xs.iter().map(|x| Scalar::F64(*x)).collect()
}

fn unary(ops: &[UnOp]) {
    let device = open();
    let operands = [scalars(&operands())];
    ops.iter().for_each(|op| compare(&device, Prim::Un(*op, ScalarType::F64), &operands));
}

fn conversions() {
    use ScalarType::{F16, F32, F64, I32, I64, U32, U64};
    let device = open();
    let mut random = Random(8);
    let halves = |xs: Vec<f64>| xs.into_iter().flat_map(|x| [x, x + 0.5, x - 0.5]).collect::<Vec<_>>();
    let floats: Vec<f64> = halves(operands());
    // Beside powers of two, and halfway between f32 numbers and beside that.
    let near = (0..64).flat_map(|k| (-3..=3).map(move |d| (1i64 << k).wrapping_add(d)));
    let ties = (0..4000).map(|_| {
        let shift = random.next() % 39;
        let tie = (random.next() >> 40 << 40 | 1 << 39) >> shift;
        (tie as i64).wrapping_add((random.next() % 3) as i64 - 1)
    });
    let ints: Vec<i64> = near.chain(ties.collect::<Vec<_>>()).flat_map(|x| [x, x.wrapping_neg()]).collect();
    for to in [I32, I64, U32, U64, F32, F16] {
        compare(&device, Prim::Conv(F64, to), &[scalars(&floats)]);
    }
    let signed = [(I32, F32), (I32, F64), (I64, F32), (I64, F64), (I64, F16), (I64, I32), (I32, I64)];
    for (ty, to) in signed.into_iter().chain([(U32, F32), (U32, U64), (U64, F32), (U64, F64), (U64, F16)]) {
        compare(&device, Prim::Conv(ty, to), &[ints.iter().map(|x| Scalar::from_i64(ty, *x)).collect()]);
    }
    for to in [I32, I64, U32, U64, F64, F16] {
        compare(&device, Prim::Conv(F32, to), &[floats.iter().map(|x| Scalar::from_f64(F32, *x)).collect()]);
    }
}

/// Compares on these pairs.
fn pairs(op: BinOp, pairs: &[(f64, f64)]) {
    let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    compare(&open(), Prim::Bin(op, ScalarType::F64), &[scalars(&xs), scalars(&ys)]);
}

/// All pairs of these.
fn product(xs: &[f64], ys: &[f64]) -> Vec<(f64, f64)> {
    xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))).collect()
}

fn powers() {
    let mut random = Random(9);
    let word = |high: u32| f64::from_bits(u64::from(high) << 32);
    // Where a power overflows, is subnormal or underflows, by base 2; where exponents are large; where they are integers, odd and even.
    let exponents = [
        0.0,
        0.5,
        1.0,
        2.0,
        3.0,
        0.1,
        1023.0,
        1024.0,
        1022.0,
        1074.0,
        1075.0,
        1076.0,
        1074.5,
        4503599627370495.5,
        4503599627370496.5,
        9007199254740991.0,
        9007199254740992.0,
        9007199254740990.0,
        2147483648.0,
        18446744073709551616.0,
        word(0x41e00000),
        word(0x41e00001),
        word(0x43f00000),
        word(0x43f00001),
        5e-324,
        f64::INFINITY,
        f64::NAN,
        1e300,
        3.5,
        4611686018427387904.0,
    ];
    let bases = [
        0.0,
        1.0,
        2.0,
        4.0,
        0.5,
        3.0,
        10.0,
        SQRT_2,
        1.5,
        word(0x3ff3988e),
        word(0x3ffbb67a),
        word(0x3fefffff),
        word(0x3ff00001),
        word(0x3feffffe),
        word(0x3fe3988e),
        word(0x400bb67a),
        word(0x00100000),
        word(0x000fffff),
        5e-324,
        1e-310,
        1e-300,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        1.0000001,
        0.9999999,
        1.0 + 1e-9,
        1.0 - 1e-9,
        1.0 + 1e-15,
    ];
    let mut list = product(&around(bases), &around(exponents));
    for _ in 0..20_000 {
        let x = [random.unit() * 4.0, f64::from_bits(random.next() >> 1)][random.next() as usize % 2];
        // Up to the limits of overflow and underflow.
        let largest = 1080.0 / x.log2().abs();
        let y = [(random.unit() - 0.5) * 4.0, (random.unit() - 0.5) * 2.0 * largest, 1.0, largest]
            [random.next() as usize % 4];
        list.push((x, y));
    }
    for _ in 0..4_000 {
        // Near 1, to large powers: the short series.
        let x = 1.0 + (random.unit() - 0.5) * power_of_two(-20 - (random.next() % 30) as i32);
        list.push((x, (random.unit() - 0.5) * 1400.0 / (x - 1.0)));
        // As far from 1 as powers above 2^31 can be.
        let t =
            (power_of_two(-22) + random.unit() * power_of_two(-24)) * if random.next() & 1 == 0 { 1.0 } else { -1.0 };
        list.push((1.0 + t, (650.0 + 50.0 * random.unit()) / t));
    }
    for d in around((0..200).map(|k| 1e-13 * f64::from(k))) {
        // Powers of two within rounding of the largest, and of the least.
        list.extend([
            (2.0, 1024.0 - d),
            (2.0, -1075.0 + d),
            (-2.0, -1075.0 + d),
            (8.0, (1024.0 - d) / 3.0),
            (3.0, (1024.0 - d) / 3f64.log2()),
        ]);
        list.extend([
            (3.0, (-1075.0 + d) / 3f64.log2()),
            (0.7, (-1075.0 + d) / 0.7f64.log2()),
            (1e-10, (1024.0 - d) / 1e-10f64.log2()),
        ]);
    }
    pairs(BinOp::Pow, &list);
}

fn angles() {
    let mut random = Random(10);
    let some = [0.0, 1.0, 2.0, 1e10, 1e-10, 1e300, 1e-300, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX];
    let mut list = product(&around(some), &around(some));
    for steps in -70..=70 {
        let y = power_of_two(steps);
        list.extend(product(&around([y, y * 1.9]), &around([1.0, 1.9, 1.3])));
    }
    list.extend((0..10_000).map(|_| (random.unit() - 0.5, random.unit() - 0.5)));
    pairs(BinOp::Atan2, &list);
}

fn lengths() {
    let mut random = Random(11);
    let some = [0.0, 1.0, 3.0, 1e300, 1e-300, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX, 5e-324, 1e-320];
    let mut list = product(&around(some), &around(some));
    for k in [0, 500, 509, 510, 511, 512, 700, 1022, -449, -450, -451, -500, -700, -1000, -1020] {
        // Beside the scales, and where the smaller one begins to count.
        for d in [0, 1, 2, 20, 26, 27, 28, 53, 54, 60, 63, 64, 65] {
            let (a, b) = (power_of_two(k), power_of_two(k - d));
            list.extend(product(&around([a]), &around([b, b * 1.5])));
        }
        for _ in 0..500 {
            list.push((power_of_two(k) * random.unit(), power_of_two(k - (random.next() % 60) as i32) * random.unit()));
        }
    }
    pairs(BinOp::Hypot, &list);
}

fn remainders() {
    let mut random = Random(12);
    let some = [
        0.0,
        1.0,
        3.0,
        0.5,
        1e15,
        1e-300,
        f64::INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        5e-324,
        1e-320,
        4.5e-308,
        1e-310,
    ];
    let mut list = product(&around(some), &around(some));
    for _ in 0..10_000 {
        let x = f64::from_bits(random.next());
        let y = f64::from_bits(x.to_bits().wrapping_sub(random.next() >> (12 - random.next() % 10)));
        // Exact multiples leave a zero; small operands leave subnormal rests.
        let n = (random.next() % 1000) as f64;
        let small = f64::from_bits(random.next() >> (10 + random.next() % 20));
        list.extend([(x, y), (y * n, y), (small, f64::from_bits(small.to_bits() / (1 + random.next() % 20)))]);
    }
    pairs(BinOp::Mod, &list);
}

/// Sums of products that nearly cancel, whose product or third operand is too small to be more than a rounding, or that are subnormal.
fn fused() {
    let device = open();
    let mut random = Random(13);
    let mut rows: Vec<[f64; 3]> = Vec::new();
    let few = [0.0, -0.0, 1.0, -1.5, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN];
    rows.extend(product(&few, &few).into_iter().flat_map(|(x, y)| few.map(|z| [x, y, z])));
    for k in 0..8000 {
        // with few bits, so that ties are as frequent as they can be, and with all
        let bits = if k % 2 == 0 { 0xffff_f000_0000_0000u64 } else { u64::MAX };
        let mut number = || f64::from_bits((0x3ff << 52 | random.next() >> 12) & bits);
        let (x, y, c) = (number(), number(), number());
        // to where products are of any size, subnormal and beyond, too
        let (i, j) = [(0, 0), (500, 520), (511, 512), (-511, -511), (-520, -540), (-530, -544), (-1074, 1023)]
            [random.next() as usize % 7];
        let (x, y) = (x * power_of_two(i), y * power_of_two(j));
        let p = x * y;
        let beside = [-p, -p.next_up(), -p.next_down(), c * p, -c * p];
        let far = [
            -110, -107, -106, -105, -60, -55, -54, -53, -52, -2, -1, 1, 2, 51, 52, 53, 54, 55, 56, 73, 74, 75, 94, 105,
            106, 107, 128, 140,
        ];
        rows.extend(beside.map(|z| [x, y, z]));
        let d = far[random.next() as usize % far.len()];
        rows.extend([c, 1.0, -1.0, -c].map(|m| [x, y, m * p * power_of_two(d)]));
    }
    let columns = |ty| [0, 1, 2].map(|k| rows.iter().map(|row| Scalar::from_f64(ty, row[k])).collect::<Vec<_>>());
    for ty in [ScalarType::F64, ScalarType::F32, ScalarType::F16] {
        compare(&device, Prim::Tern(TernOp::Fma, ty), &columns(ty));
    }
}

/// To where results are subnormal, zero and infinite, and beyond.
fn scalings() {
    let device = open();
    let xs = around([
        0.0,
        1.0,
        1.9999,
        1.5,
        3e-310,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        1e-5,
        power_of_two(-53),
    ]);
    let ends = [
        -2200, -2100, -2099, -2098, -2046, -2045, -1992, -1991, -1990, -1076, -1075, -1074, -1054, -1023, -1022, -970,
        -969, -150, -149, -126, -25, -24, -14,
    ];
    let ns: Vec<i32> =
        ends.into_iter().flat_map(|n| [n, -n, n + 1, -n + 1]).chain([0, 1, i32::MAX, i32::MIN]).collect();
    for ty in [ScalarType::F64, ScalarType::F32, ScalarType::F16] {
        let rows: Vec<(f64, i32)> = xs.iter().flat_map(|x| ns.iter().map(move |n| (*x, *n))).collect();
        let (xs, ns): (Vec<Scalar>, Vec<Scalar>) =
            rows.into_iter().map(|(x, n)| (Scalar::from_f64(ty, x), Scalar::I32(n))).unzip();
        compare(&device, Prim::Bin(BinOp::Ldexp, ty), &[xs, ns]);
    }
}

fn half_turns() {
    let device = open();
    let quarters = (0..400).map(|k| f64::from(k) / 4.0);
    let powers = (-1074..1024).flat_map(|k| [power_of_two(k), power_of_two(k) * 1.5]);
    let xs = scalars(&around(quarters.chain(powers).chain([f64::INFINITY, f64::NAN, 0.0])));
    for op in [UnOp::Sinpi, UnOp::Cospi, UnOp::Tanpi, UnOp::Asinpi, UnOp::Acospi, UnOp::Atanpi] {
        compare(&device, Prim::Un(op, ScalarType::F64), std::slice::from_ref(&xs));
    }
}

/// Where the gamma function and its logarithm change their ways, and at the poles.
fn gammas() {
    let device = open();
    let mut random = Random(14);
    let ends = [0.7316, 0.2316, 0.9, 1.7316, 1.2316, 5.52468004077673, 23.0, 171.6, 172.0, 184.0, 288230376151711744.0];
    let powers = (-1074..1024).map(power_of_two);
    let halves = (0..400).map(|k| f64::from(k) / 2.0);
    let mut xs = around(powers.chain(halves).chain(ends).chain([f64::INFINITY, f64::NAN, f64::MAX]));
    xs.extend((0..10_000).map(|_| (random.unit() - 0.3) * 10.0));
    let xs = scalars(&xs);
    for op in [UnOp::Gamma, UnOp::Lgamma] {
        compare(&device, Prim::Un(op, ScalarType::F64), std::slice::from_ref(&xs));
    }
    let orders = [-1, 0, 1, 2, 3, 19, 20, 21, 50, 170, 171, i32::MAX, i32::MIN];
    let xs = around((0..60).map(|k| f64::from(k) / 4.0).chain([
        1e-300,
        1e-10,
        1e10,
        1e300,
        f64::INFINITY,
        f64::NAN,
        11.999,
        12.0,
        33.0,
    ]));
    let (ns, xs): (Vec<Scalar>, Vec<Scalar>) =
        orders.iter().flat_map(|n| xs.iter().map(|x| (Scalar::I32(*n), Scalar::F64(*x)))).unzip();
    compare(&device, Prim::Bin(BinOp::Polygamma, ScalarType::F64), &[ns, xs]);
}

/// Divisions of indices and sizes: in 32 bits where both fit, else in 64.
fn index_divisions() {
    let device = open();
    let near = |k: u32| [(1u64 << k) - 1, 1 << k, (1 << k) + 5];
    let sizes: Vec<u64> = [1, 2, 5, 16, 31, 32, 33, 47, 62].into_iter().flat_map(near).collect();
    let pairs: Vec<(u64, u64)> = sizes.iter().flat_map(|x| sizes.iter().map(|y| (*x, *y))).collect();
    let (xs, ys): (Vec<u64>, Vec<u64>) = pairs.iter().copied().unzip();
    let (xs, ys) = (upload(&device, &xs), upload(&device, &ys));
    let n = pairs.len() as u64;
    let output = device.alloc(8 * n).unwrap();
    let body = "int64_t x = RefI64(args.a[0] + 8 * i).v;
                int64_t y = RefI64(args.a[1] + 8 * i).v;
                RefI64(args.a[2] + 8 * i).v = index_div(x, y);";
    let source = source(&device, 3, "", body);
    run(&device, vec![launch(&device, &source, n, &[xs.range(), ys.range()], &[output.range()])]);
    for ((x, y), found) in pairs.iter().zip(download(&device, &output)) {
        assert_eq!(found, x / y, "{x} / {y}");
    }
}
