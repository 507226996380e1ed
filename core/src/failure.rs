//! Failures at run time: what a program does when a check fails, or a limit is reached.

use crate::ir::{Check, Dim, Prov, ProvTable, RangeKind, SubExp};
use crate::prim::Scalar;
use crate::source::SourceMap;
use std::fmt;

/// What failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailureKind {
    /// An `assert`.
    Assertion,
    /// An index out of range.
    Bounds,
    /// Two sizes that had to be equal, or a shape that no array has.
    Shape,
    /// An integer division by zero.
    DivisionByZero,
    /// A negative integer exponent.
    NegativeExponent,
    /// A negative size.
    NegativeSize,
    /// A range that does not lead from its start to its end.
    Range,
    /// A derivative that the program does not say: one with respect to a free variable of a function with derivatives of its own.
    Derivative,
    /// Strict mode: the program's meaning depends on what it may not depend on.
    Strict,
    /// Strict mode: a derivative went through zero times infinity, which is zero: Note [Zero times infinity].
    Singular,
    /// The limit on memory.
    Memory,
    /// The limit on steps.
    Fuel,
    /// The caller asked to stop.
    Cancelled,
    /// The device or its driver.
    Device,
    /// Wrong arguments for the entry point.
    Arguments,
    /// A defect of ours.
    Internal,
}

impl FailureKind {
    /// Whether it is the program that fails, not a limit, the machine, the caller or ourselves.
    pub fn is_of_program(self) -> bool {
        use FailureKind::*;
        match self {
            Assertion | Bounds | Shape | DivisionByZero | NegativeExponent | NegativeSize | Range | Derivative
            | Strict | Singular => true,
            Memory | Fuel | Cancelled | Device | Arguments | Internal => false,
        }
    }
}

/// A failure at run time.
#[derive(Clone, PartialEq, Debug)]
pub struct RuntimeError {
    /// What failed.
    pub kind: FailureKind,
    /// For people, with the values at hand.
    pub message: String,
    /// The statement.
    pub prov: Prov,
    /// The calls of functions that were under way, innermost first, as far as they are kept.
    pub calls: Vec<Prov>,
}

/// How many calls a failure keeps.
const MOST_CALLS: usize = 100;

impl RuntimeError {
    /// A failure whose place is not known yet.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        RuntimeError { kind, message: message.into(), prov: Prov::UNKNOWN, calls: Vec::new() }
    }

    /// A defect of ours.
    pub fn internal(message: impl fmt::Display) -> Self {
        RuntimeError::new(
            FailureKind::Internal,
            format!("internal error: {message}. This is a defect of Futi, not of your program: please report it."),
        )
    }

    /// The failure at this place, unless it has one already.
    pub fn at(mut self, prov: Prov) -> Self {
        if self.prov == Prov::UNKNOWN {
            self.prov = prov;
        }
        self
    }

    /// The failure in a function that was called here.
    pub fn called_at(mut self, call: Prov) -> Self {
        if self.calls.len() < MOST_CALLS {
            self.calls.push(call);
        }
        self
    }

    /// The places that led here, as text, innermost first: of the statement, then of the calls of functions.
    pub fn backtrace(&self, table: &ProvTable, sources: &SourceMap) -> Vec<String> {
        std::iter::once(&self.prov).chain(&self.calls).flat_map(|at| sources.backtrace(*at, table)).collect()
    }

    /// The innermost source span, as [`ProvTable::span`].
    pub fn span(&self, table: &ProvTable) -> Option<(u32, u32, u32)> {
        table.span(self.prov)
    }
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for RuntimeError {}

impl Check {
    /// Its operands, in the order in which a report shows them.
    pub fn operands(&self) -> Vec<SubExp> {
        let sizes = |dims: &[Dim]| dims.iter().map(|d| SubExp::from(*d)).collect::<Vec<_>>();
        match self {
            Check::Assert(e, _) | Check::NonZero(e) | Check::NonNegativeExponent(e) | Check::NonNegativeSize(e) => {
                vec![*e]
            }
            Check::Bounds { indices, sizes: dims } => [indices.clone(), sizes(dims)].concat(),
            Check::Slice { start, end, stride, size } => vec![*start, *end, *stride, (*size).into()],
            Check::SizeEq { actual, expected } => [sizes(actual), sizes(expected)].concat(),
            Check::Shape(dims) => sizes(dims),
            Check::Made(_) => Vec::new(),
            Check::Range { start, second, end, .. } => {
                std::iter::once(*start).chain(*second).chain(std::iter::once(*end)).collect()
            }
        }
    }
}

/// How many indices `start:end:stride` has: ⌈(end − start) / stride⌉. `None` for a stride of zero or one that leads away from the end.
pub fn slice_count(start: i64, end: i64, stride: i64) -> Option<i64> {
    if stride == 0 {
        return None;
    }
    let (distance, stride) = (end as i128 - start as i128, stride as i128);
    let count = (distance + stride - stride.signum()) / stride;
    (distance == 0 || distance.signum() == stride.signum()).then_some(count as i64)
}

/// Whether so many indices from `start` by `stride` are in range of a dimension of this size. Where there are none, `start` may be anything, as for
/// Futhark 0.25.32: that of `[::-1]` in an empty dimension is -1.
pub fn slice_fits(start: i64, count: i64, stride: i64, size: i64) -> bool {
    let last = start as i128 + (count as i128 - 1) * stride as i128;
    match count {
        0 => true,
        _ => (0..size).contains(&start) && (0..size as i128).contains(&last),
    }
}

/// How many elements an array of this shape has; `None` where that is no `i64`. An array with a dimension of size zero has none, whatever the others.
pub fn elements(shape: &[i64]) -> Option<i64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1i64, |product, n| product.checked_mul(*n))
}

/// Whether a range leads from its start to its end, and its distance, its step and its count are each an `i64`.
pub fn range_fits(kind: RangeKind, start: i128, second: Option<i128>, end: i128) -> bool {
    const MOST: i128 = i64::MAX as i128;
    // without the end there are no more elements than the distance; with it there may be one more
    let counted = |distance: i128, step: i128| {
        (0..=MOST).contains(&distance)
            && (1..=MOST).contains(&step)
            && (kind != RangeKind::Inclusive || distance / step < MOST)
    };
    let up = counted(end - start, second.map_or(1, |b| b - start));
    let down = counted(start - end, second.map_or(i128::from(kind == RangeKind::DownTo), |b| start - b));
    match kind {
        RangeKind::UpTo => up,
        RangeKind::DownTo => down,
        RangeKind::Inclusive => up || down,
    }
}

/// Whether a check holds, given the values of its operands: the one definition, for the interpreter, for host code of backends, and for decoding
/// what a kernel reports.
pub fn run_check(check: &Check, value: &mut dyn FnMut(SubExp) -> Scalar) -> Result<(), RuntimeError> {
    use FailureKind as K;
    let fail = |kind, message: String| Err(RuntimeError::new(kind, message));
    // what may be of any integer type goes by `wide`: a u64 need not fit an i64
    let int = |x: Scalar| if let Scalar::I64(x) = x { x } else { x.to_int().unwrap_or(0) as i64 };
    let wide = |x: Scalar| x.to_int().unwrap_or(0);
    let list = |xs: &[i64]| xs.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let shape = |xs: &[i64]| xs.iter().map(|x| format!("[{x}]")).collect::<String>();
    match check {
        Check::Assert(cond, _) if wide(value(*cond)) != 0 => Ok(()),
        Check::Assert(_, message) if message.as_str().is_empty() => fail(K::Assertion, "Assertion is false.".into()),
        Check::Assert(_, message) => fail(K::Assertion, message.to_string()),
        Check::Bounds { indices, sizes } => {
            let indices: Vec<i64> = indices.iter().map(|e| int(value(*e))).collect();
            let sizes: Vec<i64> = sizes.iter().map(|d| int(value((*d).into()))).collect();
            if indices.iter().zip(&sizes).all(|(i, n)| (0..*n).contains(i)) {
                return Ok(());
            }
            fail(K::Bounds, format!("Index [{}] out of bounds for array of shape {}.", list(&indices), shape(&sizes)))
        }
        Check::Slice { start, end, stride, size } => {
            let [start, end, stride, size] = [*start, *end, *stride, (*size).into()].map(|e| int(value(e)));
            if slice_count(start, end, stride).is_some_and(|n| slice_fits(start, n, stride, size)) {
                return Ok(());
            }
            let by = if stride == 1 { String::new() } else { format!(":{stride}") };
            fail(K::Bounds, format!("Index [{start}:{end}{by}] out of bounds for array of shape [{size}]."))
        }
        Check::SizeEq { actual, expected } => {
            let actual: Vec<i64> = actual.iter().map(|d| int(value((*d).into()))).collect();
            let expected: Vec<i64> = expected.iter().map(|d| int(value((*d).into()))).collect();
            if actual == expected {
                return Ok(());
            }
            fail(
                K::Shape,
                format!("Value of shape {} cannot match shape of type \"{}\".", shape(&actual), shape(&expected)),
            )
        }
        Check::NonZero(e) if wide(value(*e)) != 0 => Ok(()),
        Check::NonZero(_) => fail(K::DivisionByZero, "division by zero".into()),
        Check::NonNegativeExponent(e) => match wide(value(*e)) {
            0.. => Ok(()),
            n => fail(K::NegativeExponent, format!("negative exponent {n} of an integer power")),
        },
        Check::NonNegativeSize(e) => match int(value(*e)) {
            0.. => Ok(()),
            n => fail(K::NegativeSize, format!("size of array is negative: {n}")),
        },
        Check::Shape(dims) => {
            let dims: Vec<i64> = dims.iter().map(|d| int(value((*d).into()))).collect();
            match dims.iter().find(|n| **n < 0) {
                Some(n) => fail(
                    K::NegativeSize,
                    format!("Cannot unflatten to shape {}: size of array is negative: {n}", shape(&dims)),
                ),
                None if elements(&dims).is_none() => {
                    fail(K::Shape, format!("An array of shape {} has more elements than can be counted.", shape(&dims)))
                }
                None => Ok(()),
            }
        }
        Check::Made(_) => Ok(()),
        Check::Range { start, second, end, kind } => {
            let (a, b, c) = (wide(value(*start)), second.map(|b| wide(value(b))), wide(value(*end)));
            if range_fits(*kind, a, b, c) {
                return Ok(());
            }
            let dots = match kind {
                RangeKind::UpTo => "..<",
                RangeKind::DownTo => "..>",
                RangeKind::Inclusive => "...",
            };
            let second = b.map_or(String::new(), |b| format!("..{b}"));
            fail(K::Range, format!("Range {a}{second}{dots}{c} is invalid."))
        }
    }
}
