//! Scalar operators: constant folding, and identities that keep every bit; and where derivatives are taken, every bit of those, too: see
//! Note [Derivatives of what is simplified].

use super::*;

const TRUE: SubExp = SubExp::Lit(Scalar::Bool(true));
const FALSE: SubExp = SubExp::Lit(Scalar::Bool(false));

impl Rules {
    pub(super) fn scalar(&self, op: Prim, args: &[SubExp]) -> Option<Outcome> {
        let constants: Option<Vec<Scalar>> = args.iter().map(|e| e.as_lit()).collect();
        if let Some(constants) = constants {
            return result(op.eval(&constants));
        }
        match (op, args) {
            (Prim::Un(op, t), [x]) => self.unary(op, t, *x),
            (Prim::Bin(op, t), [x, y]) => self.binary(op, t, *x, *y),
            (Prim::Cmp(op, t), [x, y]) => self.compare(op, t, *x, *y),
            (Prim::Conv(from, to), [x]) if from == to => result(*x),
            (Prim::Select(t), [c, x, y]) => match (c, x, y) {
                // the other operand's derivative is +0, which makes +0 of -0
                (_, x, y) if x == y && (!t.is_float() || self.constant(*x)) => result(*x),
                (c, x, y) if *c == TRUE && (!t.is_float() || self.constant(*y)) => result(*x),
                (c, x, y) if *c == FALSE && (!t.is_float() || self.constant(*x)) => result(*y),
                // a condition has no derivative
                (c, x, y) if *x == TRUE && *y == FALSE && self.constant(*c) => result(*c),
                _ => None,
            },
            _ => None,
        }
    }

    fn unary(&self, op: UnOp, t: ScalarType, x: SubExp) -> Option<Outcome> {
        match (op, self.def(x)?) {
            (UnOp::Neg, Exp::Prim(Prim::Un(UnOp::Neg, _), args)) => result(args[0]),
            (UnOp::Not, Exp::Prim(Prim::Un(UnOp::Not, _), args)) => result(args[0]),
            (UnOp::Not, Exp::Prim(Prim::Cmp(op, u), args)) if !u.is_float() && *op != CmpOp::Eq => {
                // the opposite order, where there is no NaN
                let op = if *op == CmpOp::Lt { CmpOp::Le } else { CmpOp::Lt };
                becomes(Exp::Prim(Prim::Cmp(op, *u), vec![args[1], args[0]]))
            }
            (UnOp::Abs, Exp::Prim(Prim::Un(UnOp::Abs, _), _)) if t.is_float() => result(x),
            _ => None,
        }
    }

    fn binary(&self, op: BinOp, t: ScalarType, x: SubExp, y: SubExp) -> Option<Outcome> {
        let (int, float) = (t.is_int(), t.is_float());
        let zero = |e: SubExp| e == SubExp::Lit(t.zero());
        // -0.0 is the neutral element of float addition: 0.0 + -0.0 is 0.0
        let neutral = |e: SubExp| if float { e == SubExp::Lit(Scalar::from_f64(t, -0.0)) } else { zero(e) };
        let one = |e: SubExp| e == SubExp::Lit(t.one());
        let minus_one = |e: SubExp| e == SubExp::Lit(Scalar::from_i64(t, -1)) && t != ScalarType::Bool;
        let negated = |e: SubExp| match self.def(e) {
            Some(Exp::Prim(Prim::Un(UnOp::Neg, _), args)) => Some(args[0]),
            _ => None,
        };
        let exp = |op: BinOp, x, y| becomes(Exp::Prim(Prim::Bin(op, t), vec![x, y]));
        let neg = |x| becomes(Exp::Prim(Prim::Un(UnOp::Neg, t), vec![x]));
        match op {
            BinOp::Add if neutral(x) => result(y),
            BinOp::Add if neutral(y) => result(x),
            BinOp::Add if negated(y).is_some() => exp(BinOp::Sub, x, negated(y)?),
            BinOp::Add if int => match self.def(x) {
                // (x - y) + y
                Some(Exp::Prim(Prim::Bin(BinOp::Sub, _), args)) if args[1] == y => result(args[0]),
                _ => None,
            },
            BinOp::Sub if zero(y) => result(x),
            BinOp::Sub if int && x == y => result(t.zero()),
            BinOp::Sub if negated(y).is_some() => exp(BinOp::Add, x, negated(y)?),
            BinOp::Sub if int => match (self.def(x), self.def(y)) {
                // x - (x - z), and (y + z) - y
                (_, Some(Exp::Prim(Prim::Bin(BinOp::Sub, _), args))) if args[0] == x => result(args[1]),
                (Some(Exp::Prim(Prim::Bin(BinOp::Add, _), args)), _) if args[0] == y => result(args[1]),
                (Some(Exp::Prim(Prim::Bin(BinOp::Add, _), args)), _) if args[1] == y => result(args[0]),
                _ => None,
            },
            BinOp::Mul if one(x) => result(y),
            BinOp::Mul if one(y) => result(x),
            BinOp::Mul if int && (zero(x) || zero(y)) => result(t.zero()),
            BinOp::Mul if minus_one(x) => neg(y),
            BinOp::Mul if minus_one(y) => neg(x),
            BinOp::Div if one(y) => result(x),
            BinOp::Quot if one(y) => result(x),
            // to the left a shift is a product, with a derivative; to the right it has none
            BinOp::Shl if zero(y) => result(x),
            BinOp::Shr | BinOp::Lshr if zero(y) && self.constant(x) => result(x),
            // of a finite number other than zero, that is the product
            BinOp::Zmul if !float || [x, y].iter().any(|e| e.as_lit().is_some_and(is_nonzero)) => exp(BinOp::Mul, x, y),
            BinOp::And | BinOp::Min | BinOp::Max | BinOp::Or
                if x == y && (self.constant(x) || keeps_derivative_of_itself(op, t)) =>
            {
                result(x)
            }
            BinOp::And | BinOp::Or if t == ScalarType::Bool => {
                let (absorbing, neutral) = if op == BinOp::And { (FALSE, TRUE) } else { (TRUE, FALSE) };
                match (x, y) {
                    (c, e) | (e, c) if c == neutral => result(e),
                    // the derivative of `||` is that of both operands
                    (c, e) | (e, c) if c == absorbing && (op == BinOp::And || self.constant(e)) => result(c),
                    _ => None,
                }
            }
            BinOp::Max if t == ScalarType::I64 && zero(y) && self.non_negative(x) => result(x),
            // at zero both are the best, and the first has the derivative
            BinOp::Max if t == ScalarType::I64 && zero(x) && self.constant(y) && self.non_negative(y) => result(y),
            BinOp::Min if t == ScalarType::I64 && zero(y) && self.constant(x) && self.non_negative(x) => result(y),
            BinOp::Min if t == ScalarType::I64 && zero(x) && self.non_negative(y) => result(x),
            _ => None,
        }
    }

    fn compare(&self, op: CmpOp, t: ScalarType, x: SubExp, y: SubExp) -> Option<Outcome> {
        match op {
            CmpOp::Lt if x == y => result(FALSE),
            CmpOp::Le | CmpOp::Eq if x == y && !t.is_float() => result(TRUE),
            CmpOp::Le if t == ScalarType::I64 && is_int(x, 0) && self.non_negative(y) => result(TRUE),
            CmpOp::Lt if t == ScalarType::I64 && is_int(y, 0) && self.non_negative(x) => result(FALSE),
            CmpOp::Lt if t == ScalarType::I64 && self.bound(x) == Some(y) => result(TRUE),
            CmpOp::Le if t == ScalarType::I64 && self.bound(y) == Some(x) => result(FALSE),
            CmpOp::Eq if y == TRUE && self.constant(x) => result(x),
            CmpOp::Eq if x == TRUE && self.constant(y) => result(y),
            _ => None,
        }
    }
}

/// Whether `x op x` has the derivative of x: of `min` and `max` the first operand's, to which a float has +0 added; of `||` both, which is `t || t`.
fn keeps_derivative_of_itself(op: BinOp, t: ScalarType) -> bool {
    match op {
        BinOp::Min | BinOp::Max => !t.is_float(),
        BinOp::Or => t == ScalarType::Bool,
        _ => false,
    }
}

/// Whether a number is finite and not zero.
fn is_nonzero(x: Scalar) -> bool {
    x.to_f64() != 0.0 && x.to_f64().is_finite()
}
