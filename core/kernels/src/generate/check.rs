//! Checks in a kernel: what holds, as an expression, and the failure where it does not.

use super::emit::{Emitter, Made};
use super::exps::*;
use crate::build::Maker;
use crate::ir::Exp;
use futi_core::ir::{Check, Prim, RangeKind, Scalar, ScalarType, SubExp};

impl Emitter<'_> {
    /// A check: where it does not hold, the invocation fails.
    pub fn check(&mut self, check: &Check) -> Made<()> {
        let operands = check.operands();
        let types: Vec<ScalarType> = operands.iter().map(|e| self.scalar_type(*e)).collect();
        let values = self.scalars(&operands)?;
        let zero = |ty: ScalarType| Exp::Lit(ty.zero());
        let fine = match check {
            Check::Made(_) => return Ok(()),
            Check::Slice { .. } => fitting([&values[0], &values[1], &values[2], &values[3]]),
            Check::Assert(..) => values[0].clone(),
            Check::Bounds { indices, .. } => {
                let (indices, sizes) = values.split_at(indices.len());
                all(indices.iter().zip(sizes).map(|(i, n)| inside(i.clone(), n.clone())))
            }
            Check::SizeEq { actual, .. } => {
                let (actual, expected) = values.split_at(actual.len());
                all(actual.iter().zip(expected).map(|(a, b)| same(ScalarType::I64, a.clone(), b.clone())))
            }
            Check::Shape(_) => countable(&values),
            Check::NonZero(_) => not(same(types[0], values[0].clone(), zero(types[0]))),
            Check::NonNegativeExponent(_) | Check::NonNegativeSize(_) => {
                at_most(types[0], zero(types[0]), values[0].clone())
            }
            Check::Range { kind, second, .. } => {
                let wide: Vec<Exp> =
                    values.iter().zip(&types).map(|(e, ty)| convert(*ty, ScalarType::I64, e.clone())).collect();
                let (start, end) = (&wide[0], &wide[wide.len() - 1]);
                let second = second.map(|_| &wide[1]);
                let leads = |down| leads(*kind, start, end, second, down);
                match kind {
                    RangeKind::UpTo => leads(false),
                    RangeKind::DownTo => leads(true),
                    RangeKind::Inclusive if second.is_none() => leads(false),
                    // mutant swap `[leads(false), leads(true)]`: either will do
                    RangeKind::Inclusive => any([leads(false), leads(true)]),
                }
            }
        };
        let site = self.site(check, operands.len());
        let told = values.into_iter().zip(types).map(|(e, ty)| convert(ty, ScalarType::I64, e)).collect();
        let point = self.point.clone();
        self.when(not(fine), |e| {
            e.release();
            e.doing().fail(site, point, told);
            Ok(())
        })
    }

    fn scalar_type(&self, e: SubExp) -> ScalarType {
        match e {
            SubExp::Lit(x) => x.scalar_type(),
            SubExp::Var(v) => self.ty(v).elem().unwrap_or(ScalarType::I64),
        }
    }
}

/// Whether there are arrays of these sizes: none is negative, and their product does not wrap.
fn countable(sizes: &[Exp]) -> Exp {
    let i64 = ScalarType::I64;
    let none_negative = all(sizes.iter().map(|n| at_most(i64, ZERO, n.clone())));
    if sizes.len() < 2 {
        return none_negative;
    }
    let empty = any(sizes.iter().map(|n| same(i64, n.clone(), ZERO)));
    let fits = (1..sizes.len()).map(|k| {
        let before = sizes[..k].iter().cloned().reduce(times).unwrap_or(ONE);
        at_most(i64, sizes[k].clone(), quotient(int(i64::MAX), before))
    });
    // mutant swap `[none_negative, any([empty, all(fits)])]`: both are asked for
    // mutant swap `[empty, all(fits)]`: either will do
    all([none_negative, any([empty, all(fits)])])
}

/// Whether all indices `start:end:stride` are in range of a size (`futi_core::failure::slice_fits` of `slice_count`). Both ends in range make all differences small.
fn fitting([start, end, stride, size]: [&Exp; 4]) -> Exp {
    let i64 = ScalarType::I64;
    let is = |a: &Exp, b: Exp| same(i64, a.clone(), b);
    let none = is(start, end.clone());
    let up = less(i64, ZERO, stride.clone());
    let down = less(i64, stride.clone(), ZERO);
    // upwards the last index is below the end, downwards above it
    let upwards = all([up, less(i64, start.clone(), end.clone()), reaches([start, end, stride], size, false)]);
    let downwards = all([down, less(i64, end.clone(), start.clone()), reaches([start, end, stride], size, true)]);
    let strides = not(is(stride, ZERO));
    // mutant swap: either will do
    let reaches = any([upwards, downwards]);
    // mutant swap: both are asked for
    let some = all([inside(start.clone(), size.clone()), reaches]);
    // mutant swap: in either order
    all([strides, any([none, some])])
}

/// Whether the last index before an end is in range; the first one is.
fn reaches([start, end, stride]: [&Exp; 3], size: &Exp, down: bool) -> Exp {
    // how far the last index may be away, and how many whole steps lead there: an end far outside is as good as one just behind the last step that fits
    let (room, way, step) = if down {
        // the least of all strides has no opposite; the next one leads out of every array, too
        (start.clone(), minus(start.clone(), end.clone()), minus(ZERO, greatest(stride.clone(), int(-i64::MAX))))
    } else {
        (minus(minus(size.clone(), ONE), start.clone()), minus(end.clone(), start.clone()), stride.clone())
    };
    // steps = (way - 1) quot step, each of them short of the end; a way beyond all i64s is none that fits
    let i64 = ScalarType::I64;
    let steps = quotient(minus(way.clone(), ONE), greatest(step.clone(), ONE));
    let most = quotient(room, greatest(step, ONE));
    // mutant swap `[less(i64, ZERO, way), at_most(i64, steps, most)]`: both are asked for
    all([less(i64, ZERO, way), at_most(i64, steps, most)])
}

/// Whether a range of `i64`s leads upwards or downwards (`futi_core::failure::range_fits`).
fn leads(kind: RangeKind, start: &Exp, end: &Exp, second: Option<&Exp>, down: bool) -> Exp {
    let i64 = ScalarType::I64;
    let ordered = |a: &Exp, b: &Exp| if down { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) };
    let between = |(a, b): &(Exp, Exp)| minus(b.clone(), a.clone());
    let ends = ordered(start, end);
    let (from, to) = ends.clone();
    // a difference is negative where it is more than an i64
    // mutant swap: both hold
    let mut holds = vec![at_most(i64, from, to), at_most(i64, ZERO, between(&ends))];
    let steps = second.map(|second| ordered(start, second));
    if let Some(steps @ (from, to)) = &steps {
        // mutant swap: both hold
        holds.extend([less(i64, from.clone(), to.clone()), less(i64, ZERO, between(steps))]);
    }
    if kind == RangeKind::Inclusive {
        // of single steps there is one element more than the distance
        let shorter = less(i64, between(&ends), int(i64::MAX));
        holds.push(match &steps {
            // mutant swap `[shorter, less(i64, ONE, between(steps))]`: either will do
            Some(steps) => any([shorter, less(i64, ONE, between(steps))]),
            None => shorter,
        });
    }
    all(holds)
}

/// An operator applied, worked out where all operands are constants.
pub(super) fn applied(prim: Prim, args: Vec<Exp>) -> Exp {
    let constants: Option<Vec<Scalar>> =
        args.iter().map(|e| if let Exp::Lit(x) = e { Some(*x) } else { None }).collect();
    match constants {
        Some(constants) => Exp::Lit(prim.eval(&constants)),
        None => Exp::Prim(prim, args),
    }
}
