//! Every scalar operator, against its definition in `futi_core::prim`.

use crate::Test;
use crate::support::{Random, download, launch, open, run, source, upload};
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType, UnOp};
use futi_vk::device::Device;
use futi_vk::glsl;

pub const TESTS: &[Test] = &[
    ("operators::bool", || check(ScalarType::Bool)),
    ("operators::i32", || check(ScalarType::I32)),
    ("operators::i64", || check(ScalarType::I64)),
    ("operators::f32", || check(ScalarType::F32)),
    ("operators::f64", || check(ScalarType::F64)),
    ("operators::constants", constants),
];

/// How far, in units in the last place, a result may be from the definition's, which is `libm`'s and itself not always the nearest; and of how many
/// operands one may differ at all.
fn tolerance(prim: Prim) -> (u64, usize) {
    use ScalarType::{F32, F64};
    match prim {
        // Arguments are reduced modulo pi/2 by another algorithm, as exactly: results differ where a rounding is nearly a tie. Measured: 1 in 1900.
        Prim::Un(UnOp::Sin | UnOp::Cos | UnOp::Tan, F64) => (1, 1000),
        // Ours is the nearest f32; libm's is up to so far off.
        Prim::Bin(BinOp::Pow | BinOp::Atan2 | BinOp::Hypot, F32) => (1, 1),
        Prim::Un(UnOp::Sinh | UnOp::Cosh | UnOp::Tanh, F32) => (2, 1),
        Prim::Un(UnOp::Erf | UnOp::Erfc, F32) => (3, 1),
        Prim::Un(op, F32) if is_transcendental(op) => (1, 1),
        // The same algorithm, operation by operation.
        _ => (0, 1),
    }
}

fn is_transcendental(op: UnOp) -> bool {
    use UnOp::*;
    let others = [Neg, Not, Abs, Sgn, Sqrt, Ceil, Floor, Round, Trunc, IsNan, IsInf];
    !others.contains(&op)
}

/// Values at which operators change their ways.
fn specials(ty: ScalarType) -> Vec<Scalar> {
    let ints = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        -3,
        7,
        -7,
        31,
        32,
        33,
        63,
        64,
        65,
        1000,
        i32::MAX as i64,
        i32::MIN as i64,
        i64::MAX,
        i64::MIN,
    ];
    let more =
        [1 << 24, (1 << 24) + 1, (1 << 53) + 1, -(1 << 53) - 1, 0x7fff_ffff_ffff_fe00, 0x4000_0040_0000_0001, 1 << 40];
    let floats = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        10.0,
        1e10,
        1e300,
        1e-10,
        1e-300,
        5e-324,
        2.2250738585072014e-308,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        709.782712893384,
        709.8,
        744.0,
        745.2,
        88.7,
        103.9,
        0.9999999999999999,
        1.0000000000000002,
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::FRAC_PI_4,
        std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI,
        1e22,
        6381956970095103.0 * 2f64.powi(797),
        2147483647.0,
        2147483648.0,
        9.223372036854775e18,
        9.223372036854776e18,
        1024.0,
        4503599627370497.5,
        0.84375,
        1.25,
        6.0,
        28.0,
        1.1754944e-38,
        1e-40,
        3.4028235e38,
    ];
    match ty {
        ScalarType::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        ScalarType::I32 | ScalarType::I64 => ints.into_iter().chain(more).map(|x| Scalar::from_i64(ty, x)).collect(),
        _ => floats.into_iter().flat_map(|x| [x, -x]).map(|x| Scalar::from_f64(ty, x)).collect(),
    }
}

/// An ordinary value: of any size, but small ones as often.
fn ordinary(ty: ScalarType, random: &mut Random) -> Scalar {
    let (bits, small) = (random.next(), random.next() & 1 == 0);
    match ty {
        ScalarType::Bool => Scalar::Bool(bits & 1 == 1),
        ScalarType::I32 | ScalarType::I64 if small => Scalar::from_i64(ty, (bits % 201) as i64 - 100),
        ScalarType::I32 | ScalarType::I64 => Scalar::from_i64(ty, (bits as i64) >> (random.next() % 64)),
        ScalarType::F32 if !small => Scalar::F32(f32::from_bits(bits as u32)),
        ScalarType::F64 if !small => Scalar::F64(f64::from_bits(bits)),
        _ => Scalar::from_f64(ty, (random.unit() - 0.5) * [1.0, 4.0, 100.0, 2000.0][bits as usize % 4]),
    }
}

/// How far apart two results are: 0 if they are the same or both NaN.
fn distance(a: Scalar, b: Scalar) -> u64 {
    // Floats in the order of their values, one apart each.
    let place = |x: Scalar| match x {
        Scalar::F32(x) => {
            i64::from(if x.is_sign_negative() { -((x.to_bits() & 0x7fffffff) as i32) - 1 } else { x.to_bits() as i32 })
        }
        Scalar::F64(x) if x.is_sign_negative() => -((x.to_bits() & !(1 << 63)) as i64) - 1,
        _ => x.bits() as i64,
    };
    if a == b || (a.to_f64().is_nan() && b.to_f64().is_nan()) { 0 } else { place(a).abs_diff(place(b)) }
}

/// What the definition gives; where it has no value, NaN. (`libm` has some number for acosh there.)
fn defined(prim: Prim, args: &[Scalar]) -> Scalar {
    match prim {
        Prim::Un(UnOp::Acosh, ty) if args[0].to_f64() < 1.0 => Scalar::from_f64(ty, f64::NAN),
        _ => prim.eval(args),
    }
}

/// Whether the device may give another result: f32 subnormals are flushed on some, and cannot be kept.
fn is_subnormal_f32(x: Scalar) -> bool {
    matches!(x, Scalar::F32(x) if x.is_subnormal())
}

fn from_bits(ty: ScalarType, bits: u64) -> Scalar {
    Scalar::from_bits(ty, if ty == ScalarType::Bool { bits & 1 } else { bits })
}

/// The expression that turns 64 bits into a value.
fn unpack(ty: ScalarType, bits: &str) -> String {
    match ty {
        ScalarType::I32 => format!("int(uint({bits}))"),
        ScalarType::I64 => format!("int64_t({bits})"),
        ScalarType::F32 => format!("uintBitsToFloat(uint({bits}))"),
        ScalarType::F64 => format!("from_bits_f64({bits})"),
        ScalarType::Bool => format!("({bits} != 0UL)"),
        ty => panic!("{ty} is not supported"),
    }
}

/// And back.
fn pack(ty: ScalarType, x: &str) -> String {
    match ty {
        ScalarType::I32 => format!("uint64_t(uint({x}))"),
        ScalarType::I64 => format!("uint64_t({x})"),
        ScalarType::F32 => format!("uint64_t(floatBitsToUint({x}))"),
        ScalarType::F64 => format!("bits_f64({x})"),
        ScalarType::Bool => format!("uint64_t({x} ? 1 : 0)"),
        ty => panic!("{ty} is not supported"),
    }
}

/// The operator applied to many operands, on the device.
fn on_device(device: &Device, prim: Prim, operands: &[Vec<Scalar>]) -> Vec<Scalar> {
    let (args, result) = prim.signature().unwrap();
    let values: Vec<String> =
        args.iter().enumerate().map(|(k, ty)| unpack(*ty, &format!("RefU64(args.a[{k}] + 8 * i).v"))).collect();
    let declared: String = values
        .iter()
        .zip(&args)
        .enumerate()
        .map(|(k, (value, ty))| format!("{} x{k} = {value};\n", glsl::type_name(*ty)))
        .collect();
    let names: Vec<String> = (0..args.len()).map(|k| format!("x{k}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let applied = pack(result, &glsl::operator(prim, &names));
    let body = format!("{declared} RefU64(args.a[{}] + 8 * i).v = {applied};", args.len());
    let inputs: Vec<_> =
        operands.iter().map(|xs| upload(device, &xs.iter().map(|x| x.bits()).collect::<Vec<_>>())).collect();
    let n = operands[0].len() as u64;
    let output = device.alloc(8 * n).unwrap();
    let reads: Vec<_> = inputs.iter().map(|memory| memory.range()).collect();
    let source = source(device, args.len() + 1, "", &body);
    run(device, vec![launch(device, &source, n, &reads, &[output.range()])]);
    download(device, &output).into_iter().map(|bits| from_bits(result, bits)).collect()
}

/// Operands, column by column: every combination of special values, and many ordinary ones.
fn operands(args: &[ScalarType], random: &mut Random) -> Vec<Vec<Scalar>> {
    let mut rows = vec![vec![]];
    for ty in args {
        rows = rows.iter().flat_map(|row| specials(*ty).into_iter().map(|x| [row.as_slice(), &[x]].concat())).collect();
        rows.truncate(10_000);
    }
    rows.extend((0..10_000).map(|_| args.iter().map(|ty| ordinary(*ty, random)).collect()));
    (0..args.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

/// The result that is the farthest from the definition's, if that is too far, or if too many differ.
fn worst(device: &Device, prim: Prim, operands: &[Vec<Scalar>]) -> Option<String> {
    let (most, one_in) = tolerance(prim);
    let (mut worst, mut text, mut different) = (0, None, 0);
    for (row, found) in on_device(device, prim, operands).iter().enumerate() {
        let given: Vec<Scalar> = operands.iter().map(|column| column[row]).collect();
        let expected = defined(prim, &given);
        let flushed = given.iter().any(|x| is_subnormal_f32(*x)) || is_subnormal_f32(expected);
        let ulps = distance(*found, expected);
        if flushed || ulps == 0 {
            continue;
        }
        different += 1;
        if ulps > worst {
            worst = ulps;
            text =
                Some(format!("{prim} {given:?} is {found:?}, should be {expected:?}: {ulps} ulp, {different} differ"));
        }
    }
    text.filter(|_| worst > most || different > operands[0].len() / one_in)
}

/// Compares the results of an operator on these operands, column by column, with the definition's.
pub fn compare(device: &Device, prim: Prim, operands: &[Vec<Scalar>]) {
    let worst = worst(device, prim, operands);
    assert!(worst.is_none(), "{}", worst.unwrap_or_default());
}

/// All operators whose first operand is of that type (for `select`: whose result is).
fn check(ty: ScalarType) {
    let device = open();
    let mut random = Random(1);
    let mut wrong = Vec::new();
    let mut checked = 0;
    for prim in Prim::all().filter(|prim| glsl::supports(*prim)) {
        let (args, _) = prim.signature().unwrap();
        if args[args.len() - 1] != ty {
            continue;
        }
        let operands = operands(&args, &mut random);
        wrong.extend(worst(&device, prim, &operands));
        checked += 1;
    }
    assert!(checked > 10, "{checked} operators");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Constants come out as they were written.
fn constants() {
    let device = open();
    let mut random = Random(2);
    let all: Vec<Scalar> = ScalarType::ALL
        .into_iter()
        .filter(|ty| glsl::supports_type(*ty))
        .flat_map(|ty| specials(ty).into_iter().chain((0..40).map(|_| ordinary(ty, &mut random)).collect::<Vec<_>>()))
        .filter(|x| !is_subnormal_f32(*x) && !x.to_f64().is_nan())
        .collect();
    let body: String = all
        .iter()
        .enumerate()
        .map(|(k, x)| format!("RefU64(args.a[0] + {}).v = {};\n", 8 * k, pack(x.scalar_type(), &glsl::literal(*x))))
        .collect();
    let output = device.alloc(8 * all.len() as u64).unwrap();
    let source = source(&device, 1, "", &body);
    run(&device, vec![launch(&device, &source, 1, &[], &[output.range()])]);
    for (x, bits) in all.iter().zip(download(&device, &output)) {
        assert_eq!(*x, from_bits(x.scalar_type(), bits));
    }
}
