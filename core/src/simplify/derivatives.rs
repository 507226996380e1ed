//! What passes that run before differentiation know of derivatives, so that they keep them: see Note [Derivatives of what is simplified] in
//! `simplify.rs`.

use crate::ir::*;
use crate::prim::Partial;

/// Whether the operator may be computed once instead of several times where derivatives are taken. Then it gets the sum of the adjoints that it had got
/// one by one, and what it makes of a sum must be the sum of what it makes of each: so it is but for conversions, as of 1 + 1 to `true`.
pub fn adds_up(op: Prim) -> bool {
    // mutant: an operator without a signature is in no program that the checker lets pass
    let Some((params, to)) = op.signature() else { return false };
    // mutant: the partials that do not add up are those of conversions and bit casts, which have one operand: of several operands all add up
    params.iter().enumerate().all(|(i, from)| additive(&op.partial(i), *from, to))
}

/// Of the partial of an operator from one type to another, on adjoints.
fn additive(partial: &Partial, from: ScalarType, to: ScalarType) -> bool {
    match partial {
        Partial::Zero | Partial::Pass | Partial::Negate | Partial::Times(_) => true,
        // an adjoint is converted back: to fewer bits that is a homomorphism of rings; between floats it only rounds
        Partial::Convert if from == to || from.is_float() && to.is_float() => true,
        Partial::Convert => from.is_int() && to.is_int() && from.bytes() <= to.bytes(),
        Partial::Reinterpret => false,
        // mutant: the partials that do not add up are those of conversions and bit casts, which are no choice between two: of those there are, both
        //   sides add up
        Partial::If(_, yes, no) => additive(yes, from, to) && additive(no, from, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_that_do_not_add_up() {
        let conv = |from, to| adds_up(Prim::Conv(from, to));
        use ScalarType::*;
        // adjoints go back from i64 to i32, and wrap; from i32 to i64 a sum that has wrapped stays so
        assert!(conv(I32, I64) && conv(U32, I64) && !conv(I64, I32));
        assert!(conv(F32, F64) && conv(F64, F16));
        assert!(!conv(Bool, I64) && !conv(I64, Bool) && !conv(I64, F64) && !conv(F64, I64));
        assert!(!adds_up(Prim::Un(UnOp::ToBits, F64)) && adds_up(Prim::Un(UnOp::Sqrt, F64)));
        assert!(adds_up(Prim::Bin(BinOp::And, Bool)) && adds_up(Prim::Select(I8)));
    }
}
