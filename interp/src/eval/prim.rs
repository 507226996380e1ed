//! Scalar operators on values: by the table on plain scalars, on duals and traced values by the table of partials.

use super::kernel::columns::ColArg;
#[cfg(not(feature = "threads"))]
use super::kernel::columns::map_prim;
use super::val::Val;
use super::{Machine, Result, bad, strict};
use crate::ctx::{PRIMS, Stopped, prim_index};
use futi_core::failure::RuntimeError;
use futi_core::prim::{Algebra, BinOp, CmpOp, PExp, Partial, Prim, Scalar, ScalarType};
use futi_core::value::{Array, Column};
use std::rc::Rc;

/// What differentiation needs to know of an operator.
#[derive(Debug)]
pub(crate) struct Partials {
    pub args: Vec<ScalarType>,
    pub result: ScalarType,
    /// With respect to each operand.
    pub partials: Vec<Partial>,
    /// For each partial what it reads: bit i for operand i, [`READS_RESULT`] for the result.
    pub reads: Vec<u8>,
}

/// In [`Partials::reads`].
pub(crate) const READS_RESULT: u8 = 8;

/// The partials of the operators used so far.
pub(crate) struct PartialTable(Vec<Option<Rc<Partials>>>);

impl Default for PartialTable {
    fn default() -> Self {
        PartialTable(vec![None; PRIMS])
    }
}

fn reads(p: &Partial) -> u8 {
    fn of_exp(e: &PExp) -> u8 {
        match e {
            PExp::Arg(i) => 1 << i,
            PExp::Res => READS_RESULT,
            PExp::Lit(_) => 0,
            PExp::App(_, es) => es.iter().fold(0, |m, e| m | of_exp(e)),
        }
    }
    match p {
        Partial::Zero | Partial::Pass | Partial::Negate | Partial::Convert | Partial::Reinterpret => 0,
        Partial::Times(d) => of_exp(d),
        Partial::If(c, yes, no) => of_exp(c) | reads(yes) | reads(no),
    }
}

impl Machine<'_> {
    /// The partials of an operator.
    pub fn partials(&mut self, op: Prim) -> Result<Rc<Partials>> {
        let entry = &mut self.partials.0[prim_index(op)];
        if let Some(known) = entry {
            return Ok(known.clone());
        }
        let no_such = || RuntimeError::internal(format!("{op} does not exist"));
        let (args, result) = op.signature().ok_or_else(no_such)?;
        let partials: Vec<Partial> = (0..args.len()).map(|i| op.partial(i)).collect();
        let reads = partials.iter().map(reads).collect();
        Ok(entry.insert(Rc::new(Partials { args, result, partials, reads })).clone())
    }

    /// An operator applied to plain scalars.
    pub fn scalar(&mut self, op: Prim, args: &[Scalar]) -> Scalar {
        self.counters.count_prim(op);
        self.rounded(op, args, op.eval(args))
    }

    /// [`Machine::scalar`] of two operands, with the most frequent operators at hand.
    #[inline]
    pub fn scalar2(&mut self, op: Prim, x: Scalar, y: Scalar) -> Scalar {
        self.counters.count_prim(op);
        let result = match frequent(op, x, y) {
            Some(result) => result,
            None => op.eval(&[x, y]),
        };
        self.rounded(op, &[x, y], result)
    }

    /// The one place through which every float result of a scalar operator passes, and whatever comparisons of floats say.
    #[inline]
    fn rounded(&self, op: Prim, args: &[Scalar], result: Scalar) -> Scalar {
        if let (Some(stops), Some(stop)) = (self.ctx.stop_at, &self.ctx.stop)
            && stops(op, args, result)
        {
            stop(Stopped::Operator(self.at, op));
        }
        match &self.ctx.rounding {
            Some(rounding) if is_rounded(op, result.scalar_type()) => rounding(op, args, result),
            _ => result,
        }
    }

    /// An operator applied to values of any kind. Where operands are arrays, of one size, it is applied element by element, scalars standing for arrays
    /// of the same everywhere: see Note [All rows at once] in `batch.rs`.
    pub fn prim(&mut self, op: Prim, args: &[&Val]) -> Result<Val> {
        let innermost = args.iter().max_by_key(|v| v.tag());
        match innermost {
            Some(Val::Dual(d)) => self.prim_dual(d.tag, op, args),
            Some(Val::Traced(t)) => self.prim_traced(t.tag, op, args),
            _ if args.iter().any(|v| matches!(v, Val::Array(_))) => self.prim_arrays(op, args),
            _ => {
                // mutant: of the three as many are read as the operator has operands, which replace them
                let mut scalars = [Scalar::Bool(false); 3];
                for (s, v) in scalars.iter_mut().zip(args) {
                    let Val::Scalar(x) = v else { return Err(bad("a scalar", v)) };
                    *s = *x;
                }
                Ok(self.scalar(op, &scalars[..args.len()]).into())
            }
        }
    }

    fn prim_arrays(&mut self, op: Prim, args: &[&Val]) -> Result<Val> {
        // mutant: an array, of which there is one, sets it
        let mut n = 0;
        let mut columns = Vec::with_capacity(args.len());
        for v in args {
            columns.push(match v {
                Val::Array(a) => {
                    n = a.len();
                    ColArg::Array(a)
                }
                Val::Scalar(x) => ColArg::Scalar(*x),
                v => return Err(bad("a scalar or an array", v)),
            });
        }
        Ok(self.columns(op, &columns, n)?.into())
    }

    /// An operator applied to n elements of plain operands; the result is of shape `[n]`.
    pub fn columns(&mut self, op: Prim, args: &[ColArg], n: usize) -> Result<Array> {
        let (_, result) = op.signature().ok_or_else(|| RuntimeError::internal(format!("{op} does not exist")))?;
        self.allocate(result, &[n])?;
        self.counters.count_prims(op, n as u64);
        #[cfg(feature = "threads")]
        let map_prim = |op, args: &[ColArg], n| super::parallel::map_prim(op, args, n, self.ctx.threads);
        let mut values =
            map_prim(op, args, n).ok_or_else(|| RuntimeError::internal(format!("{op} of other operands")))?;
        match &self.ctx.rounding {
            Some(rounding) if is_rounded(op, result) => {
                let rounded = (0..n).map(|i| {
                    let operands: Vec<Scalar> = args.iter().map(|a| a.get(i)).collect();
                    rounding(op, &operands, values.get(i))
                });
                let column = Column::from_scalars(result, rounded);
                let column = column.ok_or_else(|| RuntimeError::internal("rounding to another type"))?;
                values = Array::new(&[n], column);
            }
            _ => {}
        }
        values.metered(&self.meter);
        Ok(values)
    }

    /// [`Machine::prim`] of owned values.
    pub fn prim_of(&mut self, op: Prim, args: &[Val]) -> Result<Val> {
        match args {
            [Val::Scalar(x), Val::Scalar(y)] => Ok(self.scalar2(op, *x, *y).into()),
            [x] => self.prim(op, &[x]),
            [x, y] => self.prim(op, &[x, y]),
            args => self.prim(op, &args.iter().collect::<Vec<_>>()),
        }
    }

    /// [`Machine::prim`] where the program has no operator.
    pub fn prim_uncounted(&mut self, op: Prim, args: [&Val; 2]) -> Result<Val> {
        if let [Val::Scalar(x), Val::Scalar(y)] = args {
            // mutant: only sums and products are asked for here, which are commutative
            return Ok(op.eval(&[*x, *y]).into());
        }
        self.prim(op, &args)
    }
}

/// Whether another rounding could have another result.
fn is_rounded(op: Prim, result: ScalarType) -> bool {
    result.is_float() || matches!(op, Prim::Cmp(_, of) if of.is_float())
}

/// The same values as [`Prim::eval`], for the operators that inner loops are made of.
#[inline]
fn frequent(op: Prim, x: Scalar, y: Scalar) -> Option<Scalar> {
    use Scalar::{Bool, F64, I64};
    Some(match (op, x, y) {
        (Prim::Bin(BinOp::Add, _), F64(x), F64(y)) => F64(x + y),
        (Prim::Bin(BinOp::Sub, _), F64(x), F64(y)) => F64(x - y),
        (Prim::Bin(BinOp::Mul, _), F64(x), F64(y)) => F64(x * y),
        (Prim::Bin(BinOp::Zmul, _), F64(x), F64(y)) if (x * y).is_finite() => F64(x * y),
        (Prim::Bin(BinOp::Div, _), F64(x), F64(y)) => F64(x / y),
        (Prim::Bin(BinOp::Add, _), I64(x), I64(y)) => I64(x.wrapping_add(y)),
        (Prim::Bin(BinOp::Sub, _), I64(x), I64(y)) => I64(x.wrapping_sub(y)),
        (Prim::Bin(BinOp::Mul, _), I64(x), I64(y)) => I64(x.wrapping_mul(y)),
        (Prim::Cmp(CmpOp::Lt, _), F64(x), F64(y)) => Bool(x < y),
        (Prim::Cmp(CmpOp::Lt, _), I64(x), I64(y)) => Bool(x < y),
        (Prim::Cmp(CmpOp::Le, _), I64(x), I64(y)) => Bool(x <= y),
        (Prim::Cmp(CmpOp::Eq, _), I64(x), I64(y)) => Bool(x == y),
        _ => return None,
    })
}

/// Scalar operators over the evaluator's values: so the partials of an inner derivative are themselves differentiated by an outer one.
impl Algebra for Machine<'_> {
    type Value = Val;
    type Error = RuntimeError;
    fn lit(&mut self, x: Scalar) -> Val {
        Val::Scalar(x)
    }
    fn prim(&mut self, op: Prim, args: &[Val]) -> Result<Val> {
        if let (true, Prim::Bin(BinOp::Zmul, _), [d, t]) = (self.ctx.strict, op, args) {
            strict::no_singular(d, t)?;
        }
        self.prim_of(op, args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frequent_operators_are_those_of_the_table() {
        let floats = [0.0, -0.0, 1.5, -3.0, f64::INFINITY, f64::NAN].map(Scalar::F64);
        let ints = [0, 1, -7, i64::MAX, i64::MIN].map(Scalar::I64);
        let mut compared = 0;
        for op in Prim::all() {
            let pairs = |xs: &[Scalar]| -> Vec<(Scalar, Scalar)> {
                xs.iter().flat_map(|x| xs.iter().map(|y| (*x, *y))).collect()
            };
            for (x, y) in [pairs(&floats), pairs(&ints)].concat() {
                if op.signature().is_some_and(|s| s.0 == [x.scalar_type(), y.scalar_type()])
                    && let Some(quick) = frequent(op, x, y)
                {
                    let slow = op.eval(&[x, y]);
                    assert!(quick == slow || quick.to_f64().is_nan() && slow.to_f64().is_nan(), "{op} {x} {y}");
                    compared += 1;
                }
            }
        }
        // 5 operators on 36 pairs of floats, and one on 16 that are finite; 6 on 25 pairs of integers
        assert_eq!(compared, 5 * 36 + 16 + 6 * 25);
    }
}
