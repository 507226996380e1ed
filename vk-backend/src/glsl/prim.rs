//! The GLSL of types, constants and operators.

use futi_core::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType, TernOp, UnOp};

/// The type of a scalar in a register: what is narrower than that is widened.
pub fn type_name(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 => "int",
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 => "uint",
        ScalarType::I64 => "int64_t",
        ScalarType::U64 => "uint64_t",
        ScalarType::F16 | ScalarType::F32 => "float",
        ScalarType::F64 => "double",
        ScalarType::Bool => "bool",
    }
}

/// The type of a scalar in memory.
pub fn stored_type(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 => "int8_t",
        ScalarType::I16 => "int16_t",
        ScalarType::U8 | ScalarType::Bool => "uint8_t",
        ScalarType::U16 => "uint16_t",
        ScalarType::F16 => "float16_t",
        _ => type_name(ty),
    }
}

/// The type of the register that holds a type.
fn wide(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::I8 | ScalarType::I16 => ScalarType::I32,
        ScalarType::U8 | ScalarType::U16 => ScalarType::U32,
        ScalarType::F16 => ScalarType::F32,
        ty => ty,
    }
}

/// A value of a register, brought back to a narrower type.
fn wrapped(ty: ScalarType, x: String) -> String {
    if wide(ty) == ty { x } else { format!("wrap_{ty}({x})") }
}

/// A constant. Floats that decimal text might not reach (signed zero, subnormals, infinities, NaN) are written by their bits.
pub fn literal(x: Scalar) -> String {
    match x {
        Scalar::I32(i32::MIN) => "int(0x80000000u)".into(),
        Scalar::I32(x) if x < 0 => format!("({x})"),
        Scalar::I32(x) => x.to_string(),
        Scalar::I64(x) if i32::try_from(x).is_ok_and(|x| x > i32::MIN) => format!("int64_t({x})"),
        Scalar::I64(x) => format!("int64_t(0x{:x}UL)", x as u64),
        Scalar::F32(x) if x.is_normal() || x.to_bits() == 0 => format!("({x:?}f)"),
        Scalar::F32(x) => format!("uintBitsToFloat(0x{:08x}u)", x.to_bits()),
        Scalar::F64(x) if x.is_normal() || x.to_bits() == 0 => format!("({x:?}lf)"),
        Scalar::F64(x) => {
            let bits = x.to_bits();
            format!("packDouble2x32(uvec2(0x{:08x}u, 0x{:08x}u))", bits as u32, bits >> 32)
        }
        Scalar::Bool(x) => x.to_string(),
        Scalar::F16(x) => literal(Scalar::F32(x.to_f32())),
        Scalar::I8(x) => format!("({x})"),
        Scalar::I16(x) => format!("({x})"),
        Scalar::U8(_) | Scalar::U16(_) | Scalar::U32(_) => format!("{}u", x.bits()),
        Scalar::U64(x) => format!("uint64_t(0x{x:x}UL)"),
    }
}

/// An operator applied to operands, which are expressions that can stand anywhere (names, constants, calls or in parentheses). The result can, too.
///
/// # Panics
/// When there are fewer operands than the operator has: an ill-typed program, which the checker rejects.
pub fn operator(prim: Prim, args: &[&str]) -> String {
    if let (Prim::Bin(BinOp::Div, t), [x, y]) = (prim, args)
        && let Some(infinity) = reciprocal_of_zero(t, y)
    {
        return format!("({x} * {infinity})");
    }
    if let Some(text) = on_bits(prim, args).or_else(|| rounded_otherwise(prim, args)) {
        return text;
    }
    match prim {
        Prim::Un(op, t) if wide(t) != t => {
            let x = operator(Prim::Un(op, wide(t)), args);
            // the sign of an integer is in range; some of NVIDIA's compilers make no pipeline of bits of it
            let fits = matches!(op, UnOp::IsNan | UnOp::IsInf) || op == UnOp::Sgn && !t.is_float();
            return if fits { x } else { wrapped(t, x) };
        }
        Prim::Bin(op, t) if wide(t) != t => {
            let x = operator(Prim::Bin(op, wide(t)), args);
            let fits = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Min | BinOp::Max) && !t.is_float();
            return if fits { x } else { wrapped(t, x) };
        }
        Prim::Tern(op, t) if wide(t) != t => return wrapped(t, operator(Prim::Tern(op, wide(t)), args)),
        _ => {}
    }
    let call = |name: &str, t: ScalarType| format!("{name}_{t}({})", args.join(", "));
    match prim {
        Prim::Un(op, t) => unary(op, t, args[0]).unwrap_or_else(|| call(op.name(), t)),
        Prim::Bin(op, t) => binary(op, t, args[0], args[1]).unwrap_or_else(|| call(op.name(), t)),
        Prim::Tern(TernOp::Mad, _) => format!("(({} * {}) + {})", args[0], args[1], args[2]),
        Prim::Tern(op, t) => call(op.name(), t),
        Prim::Cmp(op, t) => compare(op, t, args[0], args[1]),
        Prim::Conv(from, to) => convert(from, to, args[0]),
        Prim::Select(_) => format!("({} ? {} : {})", args[0], args[1], args[2]),
    }
}

/// The unsigned type of the word that holds a type's bits.
fn word_type(ty: ScalarType) -> ScalarType {
    if ty.bytes() == 8 { ScalarType::U64 } else { ScalarType::U32 }
}

/// The bits of a value, widened with zeros.
pub(crate) fn word(ty: ScalarType, x: &str) -> String {
    match ty {
        ScalarType::I8 => format!("(uint({x}) & 0xffu)"),
        ScalarType::I16 => format!("(uint({x}) & 0xffffu)"),
        ScalarType::F32 => format!("floatBitsToUint({x})"),
        ScalarType::F16 | ScalarType::F64 => format!("bits_{ty}({x})"),
        ty if ty.is_unsigned() => x.to_owned(),
        ty => format!("{}({x})", type_name(word_type(ty))),
    }
}

/// The value that a word holds: see [`Scalar::bits`]. What is above the width is not looked at.
pub fn of_word(ty: ScalarType, word: &str) -> String {
    match ty {
        ScalarType::I8 | ScalarType::I16 => format!("wrap_{ty}(int({word}))"),
        ScalarType::U8 | ScalarType::U16 => format!("wrap_{ty}({word})"),
        ScalarType::F32 => format!("uintBitsToFloat({word})"),
        ScalarType::F16 => format!("f16_of_bits({word})"),
        ScalarType::F64 => format!("from_bits_f64({word})"),
        ScalarType::Bool => format!("({word} != 0u)"),
        ty => format!("{}({word})", type_name(ty)),
    }
}

/// Operators that look at the bits of their operands, if it is one of these.
fn on_bits(prim: Prim, args: &[&str]) -> Option<String> {
    let narrow = |t: ScalarType| wide(t) != t;
    let width = |t: ScalarType| 8 * t.bytes();
    Some(match prim {
        Prim::Un(UnOp::ToBits, t) => word(t, args[0]),
        Prim::Un(UnOp::FromBits, t) => of_word(t, args[0]),
        Prim::Un(op @ (UnOp::Popc | UnOp::Clz | UnOp::Ctz), t) => {
            let count = format!("{}_{}({})", op.name(), word_type(t), word(t, args[0]));
            match op {
                // NVIDIA's compilers leave away the mask behind what is read from memory, and count its sign
                UnOp::Popc if narrow(t) => format!("popc_u32(uint({}) << {})", args[0], 32 - width(t)),
                UnOp::Clz if narrow(t) => format!("({count} - {})", 32 - width(t)),
                UnOp::Ctz if narrow(t) => format!("min({count}, {})", width(t)),
                _ => count,
            }
        }
        // the sign is no part of the bits that come down
        Prim::Bin(BinOp::Lshr, t @ (ScalarType::I8 | ScalarType::I16)) => {
            of_word(t, &format!("lshr_u32({}, uint({}))", word(t, args[0]), args[1]))
        }
        Prim::Bin(BinOp::Rotl, t) => {
            let turned = format!("rotl_{}({}, uint({}), {}u)", word_type(t), word(t, args[0]), args[1], width(t));
            of_word(t, &turned)
        }
        Prim::Bin(BinOp::MulHi, t) if narrow(t) => format!("(({} * {}) >> {})", args[0], args[1], width(t)),
        Prim::Tern(TernOp::MadHi, t) => {
            wrapped(t, format!("({} + {})", operator(Prim::Bin(BinOp::MulHi, t), &args[..2]), args[2]))
        }
        Prim::Bin(BinOp::GetBit, t) if t.is_int() => format!("get_bit_{}({}, {})", wide(t), args[0], args[1]),
        Prim::Bin(BinOp::GetBit, t) => format!("get_bit_{}({}, {})", word_type(t), args[0], word(t, args[1])),
        Prim::Tern(TernOp::SetBit, t) => {
            of_word(t, &format!("set_bit_{}({}, {}, {})", word_type(t), args[0], word(t, args[1]), args[2]))
        }
        _ => return None,
    })
}

/// Operators on `f16` that are not those on `f32`, rounded, if it is one of these.
fn rounded_otherwise(prim: Prim, args: &[&str]) -> Option<String> {
    let call = |name: &str| format!("{name}_f16({})", args.join(", "));
    Some(match prim {
        Prim::Bin(op @ (BinOp::Ldexp | BinOp::Nextafter | BinOp::Polygamma), ScalarType::F16) => call(op.name()),
        Prim::Tern(op @ (TernOp::Fma | TernOp::Lerp), ScalarType::F16) => call(op.name()),
        Prim::Tern(TernOp::Mad, ScalarType::F16) => {
            format!("wrap_f16(wrap_f16({} * {}) + {})", args[0], args[1], args[2])
        }
        _ => return None,
    })
}

// Note [Zeros that drivers fold]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// llvmpipe makes 0 of x * 0 and 0 / x, and x of x + 0, where it sees the constant, also for infinities, NaN and -0, and whatever float controls the module asks
// for. So a literal zero among the operands of these is written as a number that no driver can know to be zero: the highest bit of an address. A quotient by zero is
// a product with infinity, see `operator`.

/// Among how many of the operands, the first, drivers fold a zero.
pub(crate) fn folds_zero(prim: Prim) -> usize {
    match prim {
        Prim::Bin(BinOp::Add | BinOp::Mul, t) if t.is_float() => 2,
        Prim::Bin(BinOp::Div, t) if t.is_float() => 1,
        Prim::Tern(TernOp::Mad | TernOp::Fma | TernOp::Lerp, t) if t.is_float() => 3,
        _ => 0,
    }
}

/// What GLSL has itself with our meaning; else the library has it under the operator's name.
fn unary(op: UnOp, t: ScalarType, x: &str) -> Option<String> {
    Some(match op {
        UnOp::Neg => format!("(-{x})"),
        UnOp::Not if t == ScalarType::Bool => format!("(!{x})"),
        UnOp::Not => format!("(~{x})"),
        UnOp::Abs if t.is_float() => format!("abs({x})"),
        UnOp::Sqrt if t == ScalarType::F64 => format!("sqrt({x})"),
        // of doubles the library has its own
        UnOp::Ceil | UnOp::Floor | UnOp::Round | UnOp::Trunc if t == ScalarType::F64 => return None,
        UnOp::Ceil => format!("ceil({x})"),
        UnOp::Floor => format!("floor({x})"),
        UnOp::Round => format!("roundEven({x})"),
        UnOp::Trunc => format!("trunc({x})"),
        _ => return None,
    })
}

/// The infinity 1/y when y is a literal zero. `x / 0` is `x * inf` for every x, and glslang's constant folding makes 0 of the former.
fn reciprocal_of_zero(t: ScalarType, y: &str) -> Option<String> {
    let signed = |x: f64| (y == literal(Scalar::from_f64(t, x))).then(|| literal(Scalar::from_f64(t, 1.0 / x)));
    t.is_float().then(|| signed(0.0).or_else(|| signed(-0.0))).flatten()
}

// Note [Products with a bit]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// NVIDIA's compilers (driver 580) make a choice of a product with `x & 1`: `(x & 1) * y` is y or 0. Where x is the lower half, or all, of 64 bits that a loop reads from
// memory, and depending on what else is in the loop, they choose y whatever x is (suite: scalars/folded_by_drivers.fut). So the lowest bit is written as a field of bits
// of the lower word, which they leave alone. They find it in `x % 2` too; in `x << 63 >> 63` and `x - x / 2 * 2`, which nobody writes, it is not looked for here.

/// The operand whose lowest bit it is, of an integer, if it is one.
fn lowest_bit<'a>(op: BinOp, t: ScalarType, x: &'a str, y: &'a str) -> Option<&'a str> {
    let is = |text: &str, n: i64| text == literal(Scalar::from_i64(t, n));
    match op {
        BinOp::And if is(y, 1) => Some(x),
        BinOp::And if is(x, 1) => Some(y),
        BinOp::Rem if t.is_unsigned() && is(y, 2) => Some(x),
        // numbers are rounded down
        BinOp::Mod if is(y, 2) => Some(x),
        _ => None,
    }
    .filter(|_| t.is_int())
}

/// What GLSL has itself with our meaning, or what takes its place.
fn binary(op: BinOp, t: ScalarType, x: &str, y: &str) -> Option<String> {
    let infix = |sign: &str| Some(format!("({x} {sign} {y})"));
    if let Some(x) = lowest_bit(op, t, x, y) {
        return Some(format!("low_bit_{t}({x})"));
    }
    match (op, t) {
        (BinOp::Add, _) => infix("+"),
        (BinOp::Sub, _) => infix("-"),
        (BinOp::Mul, _) => infix("*"),
        (BinOp::Div, ScalarType::F64) => infix("/"),
        (BinOp::And | BinOp::Min, ScalarType::Bool) => infix("&&"),
        (BinOp::Or | BinOp::Max, ScalarType::Bool) => infix("||"),
        (BinOp::Xor, ScalarType::Bool) => infix("!="),
        (BinOp::And, _) => infix("&"),
        (BinOp::Or, _) => infix("|"),
        (BinOp::Xor, _) => infix("^"),
        _ => None,
    }
}

fn compare(op: CmpOp, t: ScalarType, x: &str, y: &str) -> String {
    match (op, t) {
        (CmpOp::Eq, _) => format!("({x} == {y})"),
        (CmpOp::Lt, ScalarType::Bool) => format!("(!{x} && {y})"),
        (CmpOp::Le, ScalarType::Bool) => format!("(!{x} || {y})"),
        (CmpOp::Lt, _) => format!("({x} < {y})"),
        (CmpOp::Le, _) => format!("({x} <= {y})"),
    }
}

fn convert(from: ScalarType, to: ScalarType, x: &str) -> String {
    use ScalarType::{Bool, F16, F32, F64, I32, I64, U32, U64};
    let (own, target) = (wide(from), type_name(to));
    match (own, wide(to)) {
        _ if from == to => x.to_owned(),
        (Bool, _) => format!("({x} ? {} : {})", literal(to.one()), literal(to.zero())),
        // So that NaN, which equals nothing, is true.
        (_, Bool) => format!("(!({x} == {}))", literal(from.zero())),
        (F32, F32) => wrapped(to, x.to_owned()),
        (F64, F32) if to == F16 => format!("conv_f64_f16({x})"),
        (_, F32) if to == F16 => format!("conv_f64_f16({})", convert(from, F64, x)),
        (F32, F64) | (F64, F32) | (I32 | U32, F64) => format!("{target}({x})"),
        // Through f64, whose conversion to f32 rounds to nearest.
        (I32 | U32, F32) => format!("float(double({x}))"),
        (F32 | F64, I32) if to == I32 => format!("conv_{own}_i32({x})"),
        (F32 | F64, I32 | U32) if to != U32 => {
            let [least, most] = limits(to);
            format!("{target}(clamp(conv_{own}_i32({x}), {least}, {most}))")
        }
        (F32 | F64, U32) => format!("uint(clamp(conv_{own}_i64({x}), int64_t(0), int64_t(0xffffffffUL)))"),
        (F32 | F64, U64) => format!("conv_f64_u64(double({x}))"),
        (F32 | F64, I64) | (I64 | U64, F32 | F64) => format!("conv_{own}_{to}({x})"),
        (I32, I64) => format!("conv_i32_i64({x})"),
        (I32, U64) => format!("uint64_t(conv_i32_i64({x}))"),
        (U32, I64 | U64) => format!("{target}(packUint2x32(uvec2({x}, 0u)))"),
        _ => wrapped(to, format!("{target}({x})")),
    }
}

/// The least and the greatest number of a type of 8 or 16 bits.
fn limits(ty: ScalarType) -> [i32; 2] {
    match ty {
        ScalarType::I8 => [-128, 127],
        ScalarType::I16 => [-32768, 32767],
        ScalarType::U8 => [0, 255],
        _ => [0, 65535],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_that_are_hard_to_write() {
        assert_eq!(literal(Scalar::I64(i64::MIN)), "int64_t(0x8000000000000000UL)");
        assert_eq!(literal(Scalar::I64(-1)), "int64_t(-1)");
        assert_eq!(literal(Scalar::F64(-0.0)), "packDouble2x32(uvec2(0x00000000u, 0x80000000u))");
        assert_eq!(literal(Scalar::F64(1e300)), "(1e300lf)");
        assert_eq!(literal(Scalar::F32(f32::INFINITY)), "uintBitsToFloat(0x7f800000u)");
        assert_eq!(literal(Scalar::F32(0.1)), "(0.1f)");
    }

    #[test]
    fn the_lowest_bit_is_a_field() {
        let text = |op, t, x, y| operator(Prim::Bin(op, t), &[x, y]);
        assert_eq!(text(BinOp::And, ScalarType::U32, "a", "1u"), "low_bit_u32(a)");
        assert_eq!(text(BinOp::And, ScalarType::I64, "int64_t(1)", "a"), "low_bit_i64(a)");
        assert_eq!(text(BinOp::And, ScalarType::I8, "a", "1"), "low_bit_i32(a)");
        assert_eq!(text(BinOp::Rem, ScalarType::U64, "a", "uint64_t(0x2UL)"), "low_bit_u64(a)");
        assert_eq!(text(BinOp::Mod, ScalarType::I32, "a", "2"), "low_bit_i32(a)");
        // of a negative number it is -1 or 0, and of 2 the remainder is no bit
        assert_eq!(text(BinOp::Rem, ScalarType::I32, "a", "2"), "rem_i32(a, 2)");
        assert_eq!(text(BinOp::Rem, ScalarType::U32, "2u", "a"), "rem_u32(2u, a)");
        assert_eq!(text(BinOp::And, ScalarType::U32, "a", "2u"), "(a & 2u)");
    }

    #[test]
    fn integer_division_is_never_glsls() {
        let text = |op| operator(Prim::Bin(op, ScalarType::I32), &["a", "b"]);
        assert_eq!(text(BinOp::Div), "div_i32(a, b)");
        assert_eq!(text(BinOp::Rem), "rem_i32(a, b)");
        assert_eq!(operator(Prim::Bin(BinOp::Div, ScalarType::F32), &["a", "b"]), "div_f32(a, b)");
    }
}
