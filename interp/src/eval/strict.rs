//! Strict mode: what a program may not depend on is reported where it would be silently read.

use super::code::{Frame, Opd, Operator};
use super::val::{SHADOW, Traced, Val, with_elem};
use super::{Machine, Result};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::Array;
use std::ops::Range;
use std::sync::Arc;

// Note [Consumed arrays]
// ~~~~~~~~~~~~~~~~~~~~~~
// An array that is consumed is moved or copied, so a later use of it, or of an alias, gives its old value here and anything on a device. In strict
// mode the statement that consumes looks through the frame for values that share elements with the array, and replaces them by `Val::Consumed`. Each
// caller does so for the arguments that it gives away, so one frame is enough.

// Note [Scratch]
// ~~~~~~~~~~~~~~
// In strict mode the elements of a scratch array are a pattern of bits that no program comes by; an element of that pattern that is read was not
// written. (Copying undefined elements about is fine.) Booleans and integers of 8 and 16 bits have no such pattern: an array of those made from scratch
// is a dual value, whose tangent is not zero where an element is undefined. Tangents are moved as their primals are, and what is written into such an
// array has tangent zero.

/// Fails where a zero partial, tangent or adjoint meets one that is infinite, or a zero tangent or adjoint a partial that is no number: the product is zero, which need
/// not be the limit.
pub(super) fn no_singular(d: &Val, t: &Val) -> Result<()> {
    let at = |v: &Val, i: usize| match v.plain() {
        Val::Scalar(x) => Some(x.to_f64()),
        Val::Array(a) if i < a.len() => Some(a.get(i).to_f64()),
        _ => None,
    };
    let count = |v: &Val| if let Val::Array(a) = v.plain() { a.len() } else { 1 };
    for i in 0..count(d).max(count(t)) {
        if let (Some(x), Some(y)) = (at(d, i), at(t, i))
            && (y == 0.0 && !x.is_finite() || x == 0.0 && y.is_infinite())
        {
            let (zero, other) = if x == 0.0 { (x, y) } else { (y, x) };
            let message = format!(
                "A derivative goes through {zero} times {other}, which is taken for zero: the limit may be another number."
            );
            return Err(RuntimeError::new(FailureKind::Singular, message));
        }
    }
    Ok(())
}

/// What the elements of a scratch array are in strict mode.
fn pattern(elem: ScalarType) -> Scalar {
    let bits = match elem {
        // NaNs with a payload
        // mutant: any NaN with a payload will do
        ScalarType::F16 => 0x7d41,
        // mutant: any NaN with a payload will do
        ScalarType::F32 => 0x7fd5_7c41,
        // mutant: any NaN with a payload will do
        ScalarType::F64 => 0x7ff5_7c41_d00d_b1e5,
        // mutant: any number that no program comes by will do
        ScalarType::I32 | ScalarType::U32 => 0x5c5a_7c41,
        // mutant: any number that no program comes by will do
        ScalarType::I64 | ScalarType::U64 => 0x5c5a_7c41_d00d_b1e5,
        _ => 0,
    };
    Scalar::from_bits(elem, bits)
}

/// Whether a scalar is that pattern, bit by bit: one NaN equals any other.
fn is_pattern(x: Scalar) -> bool {
    match pattern(x.scalar_type()).bits() {
        0 => false,
        bits => x.bits() == bits,
    }
}

/// The addresses of an array's elements.
fn span(a: &Array) -> Range<usize> {
    with_elem!(a.elem(), T => a.slice::<T>().map_or(0..0, |xs| {
        let range = xs.as_ptr_range();
        range.start as usize..range.end as usize
    }))
}

impl<'a> Machine<'a> {
    /// A scratch array: its elements are not to be read before they are written.
    pub(super) fn scratch(&mut self, elem: ScalarType, shape: &[usize]) -> Result<Val> {
        self.allocate(elem, shape)?;
        let filled = |x| self.counted(Array::filled(shape, x).into());
        if !self.ctx.strict {
            // mutant: what a scratch array holds before it is written to is undefined
            return Ok(filled(elem.zero()));
        }
        match pattern(elem) {
            x if is_pattern(x) => Ok(filled(x)),
            // mutant neutral element: what a scratch array holds before it is written to is undefined
            // mutant off by one: any tangent but zero says that an element is undefined
            _ => Ok(Val::dual(SHADOW, filled(elem.zero()), filled(Scalar::from_i64(elem, 1)))),
        }
    }

    /// What was read of an array. Strict mode: fails when it is an undefined element. See Note [Scratch].
    #[inline]
    pub(super) fn defined(&self, v: Val) -> Result<Val> {
        if self.ctx.strict { defined(v) } else { Ok(v) }
    }

    /// Strict mode: whatever in the frame shares elements with this array is not to be read again. See Note [Consumed arrays].
    pub(super) fn consume(&mut self, frame: &mut Frame, array: &Val) {
        let (true, Val::Array(a)) = (self.ctx.strict, array.plain()) else { return };
        let consumed = span(a);
        for v in frame.values() {
            if let Val::Array(a) = v.plain() {
                let other = span(a);
                if other.start < consumed.end && consumed.start < other.end {
                    *v = Val::Consumed;
                }
            }
        }
    }

    /// Strict mode: fails when `ne ⊙ a` or `a ⊙ ne` is not `a`, tangents included. Where `a` is NaN, `max` and `min` give the other operand: that says
    /// nothing about `ne`, which the reduction uses once in any case.
    pub(super) fn check_neutral(&mut self, frame: &mut Frame, op: &'a Operator, operand: &[Opd]) -> Result<()> {
        let slots: Vec<_> = operand.iter().map(|e| e.slot()).collect();
        let element: Vec<Val> = operand.iter().map(|e| frame.read(*e)).collect();
        for (s, v) in slots.iter().zip(&element) {
            if let Some(s) = s {
                frame.set(*s, v.clone());
            }
        }
        self.neutral_at(frame, op, &element)
    }

    /// [`Machine::check_neutral`] of an operand at hand.
    pub(super) fn neutral_at(&mut self, frame: &mut Frame, op: &'a Operator, element: &[Val]) -> Result<()> {
        let neutral: Vec<Val> = op.neutral.iter().map(|e| isolated(frame.read(*e))).collect();
        let element: Vec<Val> = element.iter().cloned().map(isolated).collect();
        // mutant swap `[[&neutral[..], &element].concat(), [&element[..], &neutral]…`: of an element that is neutral on neither side, it is the
        //   message about one of them that comes first
        for operands in [[&neutral[..], &element].concat(), [&element[..], &neutral].concat()] {
            let noted = self.failures.len();
            let Ok(result) = self.operate(frame, op, operands) else {
                // Not the program's failure.
                self.failures.truncate(noted);
                continue;
            };
            let result: Vec<Val> = result.into_iter().map(isolated).collect();
            if !result.iter().zip(&element).all(|(r, e)| has_nan(e) || close(r, e, 0.0)) {
                let message = format!(
                    "A neutral element is not neutral: with {} the operator makes {} of {}.",
                    text(&neutral),
                    text(&result),
                    text(&element)
                );
                return Err(RuntimeError::new(FailureKind::Strict, message));
            }
        }
        Ok(())
    }

    /// Strict mode: fails when a stream's results of these inputs differ between two partitions by more than rounding.
    pub(super) fn same_by_any_partition(&self, results: &[Val], again: Vec<Val>, inputs: &[Val]) -> Result<()> {
        let magnitude = inputs.iter().map(magnitude).fold(0.0, f64::max);
        for (i, (a, b)) in results.iter().zip(again).enumerate() {
            let (a, b) = (isolated(a.clone()), isolated(b));
            if !close(&a, &b, magnitude) {
                let [a, b] = [a, b].map(|v| text(&[v]));
                let message = format!(
                    "A stream's result depends on how the arrays are cut into chunks: result {i} is {a} or {b}."
                );
                return Err(RuntimeError::new(FailureKind::Strict, message));
            }
        }
        Ok(())
    }
}

/// A value read of an array; fails when it is an undefined element.
fn defined(v: Val) -> Result<Val> {
    let undefined =
        || RuntimeError::new(FailureKind::Strict, "An element of a scratch array is read before it is written.");
    match v {
        Val::Scalar(x) if is_pattern(x) => Err(undefined()),
        Val::Dual(d) if d.tag == SHADOW && d.primal.shape().is_empty() => match &d.tangent {
            Val::Scalar(x) if *x != x.scalar_type().zero() => Err(undefined()),
            _ => Ok(d.primal.clone()),
        },
        Val::Dual(d) if d.tag != SHADOW && d.primal.shape().is_empty() => {
            Ok(Val::dual(d.tag, defined(d.primal.clone())?, without_shadow(d.tangent.clone())))
        }
        Val::Traced(t) if t.primal.shape().is_empty() => {
            let (primal, nodes) = (defined(t.primal.clone())?, t.nodes.clone());
            Ok(Val::Traced(Arc::new(Traced { tag: t.tag, nodes, primal })))
        }
        v => Ok(v),
    }
}

/// A value that nothing will be read of in strict mode.
pub(super) fn without_shadow(v: Val) -> Val {
    match v {
        Val::Dual(d) if d.tag == SHADOW => d.primal.clone(),
        v => v,
    }
}

/// The value by itself: not traced, so that nothing is added to traces, and sharing no elements, so that nothing of the program's is consumed.
pub(super) fn isolated(v: Val) -> Val {
    match v {
        Val::Traced(t) => isolated(t.primal.clone()),
        Val::Dual(d) if d.tag == SHADOW => isolated(d.primal.clone()),
        Val::Dual(d) => Val::dual(d.tag, isolated(d.primal.clone()), isolated(d.tangent.clone())),
        Val::Array(a) => with_elem!(a.elem(), T => match a.slice::<T>() {
            Some(xs) => Array::from_vec(a.shape(), xs.to_vec()).into(),
            None => Val::Array(a),
        }),
        v => v,
    }
}

/// Equality up to the rounding of values of this magnitude; an absent tangent is zero. What is infinite has no tangent that matters: `max` may give that of its neutral
/// element -inf as well as that of another -inf.
fn close(a: &Val, b: &Val, magnitude: f64) -> bool {
    match (a, b) {
        (Val::Dual(x), Val::Dual(y)) if x.tag == y.tag => {
            close(&x.primal, &y.primal, magnitude)
                && (is_infinite(&x.primal) || close(&x.tangent, &y.tangent, magnitude))
        }
        // mutant: two of one tag are compared above
        (Val::Dual(x), y) | (y, Val::Dual(x)) if x.tag > y.tag() => {
            close(&x.primal, y, magnitude)
                && (is_infinite(y) || x.tangent.zero().is_ok_and(|zero| close(&x.tangent, &zero, magnitude)))
        }
        (Val::Scalar(x), Val::Scalar(y)) => {
            let (p, q) = (x.to_f64(), y.to_f64());
            // mutant swap `p.abs().max(q.abs())`: two that are close to each other by either are of one size but for 10⁻⁶ of it: it moves the bound
            //   by as little
            let scale = p.abs().max(q.abs()).max(magnitude);
            // -0 is 0; what is infinite is close to nothing else
            x == y || x.scalar_type().is_float() && (p == q || (p - q).abs() < 1e-6 * scale)
        }
        (Val::Array(x), Val::Array(y)) => {
            x.shape() == y.shape() && (0..x.len()).all(|i| close(&x.get(i).into(), &y.get(i).into(), magnitude))
        }
        _ => false,
    }
}

fn is_infinite(v: &Val) -> bool {
    match v {
        Val::Scalar(x) => x.to_f64().is_infinite(),
        Val::Dual(d) => is_infinite(&d.primal),
        _ => false,
    }
}

fn has_nan(v: &Val) -> bool {
    match v {
        Val::Scalar(x) => x.scalar_type().is_float() && x.to_f64().is_nan(),
        Val::Array(a) => a.elem().is_float() && (0..a.len()).any(|i| a.get(i).to_f64().is_nan()),
        Val::Dual(d) => has_nan(&d.primal),
        Val::Traced(t) => has_nan(&t.primal),
        _ => false,
    }
}

/// The largest magnitude among floats, tangents included.
fn magnitude(v: &Val) -> f64 {
    match v {
        Val::Scalar(x) if x.scalar_type().is_float() => x.to_f64().abs(),
        Val::Array(a) if a.elem().is_float() => {
            (0..a.len()).map(|i| a.get(i).to_f64().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max)
        }
        Val::Dual(d) => magnitude(&d.primal).max(magnitude(&d.tangent)),
        Val::Traced(t) => magnitude(&t.primal),
        _ => 0.0,
    }
}

fn text(vals: &[Val]) -> String {
    let one = |v: &Val| match v {
        Val::Scalar(x) => x.to_string(),
        Val::Dual(d) => match (d.primal.plain(), d.tangent.plain()) {
            (Val::Scalar(x), Val::Scalar(t)) => format!("{x} (tangent {t})"),
            _ => "an array with its tangent".to_string(),
        },
        _ => "an array".to_string(),
    };
    vals.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
