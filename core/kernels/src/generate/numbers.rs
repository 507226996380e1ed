//! Numbers as sums of products of others, modulo 2^64: what statements say of them, that of the host's above a nest too.

use futi_core::hash::HashMap;
use futi_core::ir::{BinOp, Dim, Exp as Ir, Prim, Scalar, ScalarType, SliceDim, Stm, SubExp, Type, UnOp, Var};
use std::collections::BTreeMap;

/// The most products in a sum, and the most factors in each: a number that is longer stands for itself.
const MOST: usize = 8;

/// A sum of products of variables with a coefficient each, modulo 2^64; no coefficient is zero. The empty product is 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Sum(BTreeMap<Vec<Var>, i64>);

impl Sum {
    pub fn constant(x: i64) -> Sum {
        Sum::product(vec![], x)
    }

    pub fn var(var: Var) -> Sum {
        Sum::product(vec![var], 1)
    }

    fn product(mut factors: Vec<Var>, by: i64) -> Sum {
        factors.sort_unstable();
        Sum([(factors, by)].into_iter().filter(|(_, by)| *by != 0).collect())
    }

    /// Its value, if that does not depend on any variable.
    pub fn as_constant(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&[][..]).copied(),
            _ => None,
        }
    }

    /// The product that it is, and its coefficient.
    pub fn as_product(&self) -> Option<(&[Var], i64)> {
        match self.0.first_key_value() {
            Some((factors, by)) if self.0.len() == 1 => Some((factors, *by)),
            _ => None,
        }
    }

    pub fn plus(&self, other: &Sum) -> Sum {
        let mut sum = self.clone();
        for (factors, by) in &other.0 {
            let coefficient = sum.0.entry(factors.clone()).or_default();
            *coefficient = coefficient.wrapping_add(*by);
        }
        sum.0.retain(|_, by| *by != 0);
        sum
    }

    pub fn minus(&self, other: &Sum) -> Sum {
        self.plus(&other.times(&Sum::constant(-1)))
    }

    pub fn times(&self, other: &Sum) -> Sum {
        let products = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        products.fold(Sum::default(), |sum, ((a, x), (b, y))| {
            // mutant swap: a product has its factors in order
            sum.plus(&Sum::product([&a[..], &b[..]].concat(), x.wrapping_mul(*y)))
        })
    }

    /// What each of these variables is multiplied by, and the rest; nothing if they are multiplied by one another.
    pub fn by(&self, vars: impl Fn(Var) -> bool) -> Option<(BTreeMap<Var, Sum>, Sum)> {
        let (mut by, mut rest) = (BTreeMap::<Var, Sum>::new(), Sum::default());
        for (factors, coefficient) in &self.0 {
            let (own, others): (Vec<Var>, Vec<Var>) = factors.iter().copied().partition(|var| vars(*var));
            let product = Sum::product(others, *coefficient);
            match own[..] {
                [] => rest = rest.plus(&product),
                [var] => {
                    let sum = by.entry(var).or_default();
                    *sum = sum.plus(&product);
                }
                _ => return None,
            }
        }
        Some((by, rest))
    }

    fn is_short(&self) -> bool {
        // mutant swap: what is too long takes time, and no more
        // mutant comparison: one fewer would be many as well
        self.0.len() <= MOST && self.0.keys().all(|factors| factors.len() <= MOST)
    }
}

/// The sum that an operator gives, of operands that are sums: nothing if it is too long, or none.
pub(super) fn sum(prim: Prim, args: &[SubExp], of: impl Fn(SubExp) -> Option<Sum>) -> Option<Sum> {
    let sum = match (prim, args) {
        (Prim::Bin(op, ScalarType::I64), [a, b]) => match op {
            BinOp::Add => of(*a)?.plus(&of(*b)?),
            BinOp::Sub => of(*a)?.minus(&of(*b)?),
            BinOp::Mul => of(*a)?.times(&of(*b)?),
            _ => return None,
        },
        (Prim::Un(UnOp::Neg, ScalarType::I64), [a]) => Sum::default().minus(&of(*a)?),
        _ => return None,
    };
    sum.is_short().then_some(sum)
}

/// What the statements of the host say of numbers.
#[derive(Default)]
pub(super) struct Numbers {
    /// Those that are sums of others. As every variable is bound once, this holds wherever they are in scope.
    sums: HashMap<Var, Sum>,
    /// By how much the indices of a slice that was written differ from one to the next, and how many there are.
    strides: Vec<(Sum, Sum)>,
    /// The first number and the step of ranges.
    ranges: HashMap<Var, (Sum, Sum)>,
}

/// The first number and the step of a range of `i64`.
pub(super) fn range(exp: &Ir, of: impl Fn(SubExp) -> Option<Sum>) -> Option<(Sum, Sum)> {
    match exp {
        Ir::Iota { start, step, elem: ScalarType::I64, .. } => Some((of(*start)?, of(*step)?)),
        _ => None,
    }
}

impl Numbers {
    /// Learns from a statement that is executed before those that follow in its block.
    pub fn stm(&mut self, stm: &Stm) {
        match (&stm.exp, &stm.pat[..]) {
            (Ir::SubExp(e), [pat]) if pat.ty == Type::I64 => _ = self.sums.insert(pat.var, self.of(*e)),
            (Ir::Prim(prim, args), [pat]) => {
                if let Some(sum) = sum(*prim, args, |e| Some(self.of(e))) {
                    self.sums.insert(pat.var, sum);
                }
            }
            (Ir::UpdateSlice { slice, .. }, _) => {
                for dim in slice {
                    if let SliceDim::Range { count, stride, .. } = dim {
                        self.strides.push((self.of(*stride), self.of((*count).into())));
                    }
                }
            }
            (exp, [pat]) => {
                if let Some(range) = range(exp, |e| Some(self.of(e))) {
                    self.ranges.insert(pat.var, range);
                }
            }
            _ => {}
        }
    }

    /// The first number and the step of an array that is a range.
    pub fn range(&self, array: Var) -> Option<(Sum, Sum)> {
        self.ranges.get(&array).cloned()
    }

    /// What an `i64` is.
    pub fn of(&self, e: SubExp) -> Sum {
        match e {
            SubExp::Lit(Scalar::I64(x)) => Sum::constant(x),
            SubExp::Lit(_) => Sum::default(),
            SubExp::Var(v) => self.sums.get(&v).cloned().unwrap_or_else(|| Sum::var(v)),
        }
    }

    /// Whether a slice was written of so many indices, which differ by this from one to the next.
    pub fn is_stride(&self, by: &Sum, count: Dim) -> bool {
        let (count, back) = (self.of(count.into()), Sum::default().minus(by));
        self.strides.iter().any(|(stride, n)| *n == count && (stride == by || *stride == back))
    }

    /// How much is known; with [`Numbers::forget`], what holds in a block only is forgotten behind it.
    pub fn mark(&self) -> usize {
        self.strides.len()
    }

    /// Forgets what was learned of slices since a mark.
    pub fn forget(&mut self, mark: usize) {
        self.strides.truncate(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_constants_or_products_or_neither() {
        let of = |x: i64| Sum::constant(x).as_constant();
        assert_eq!([of(0), of(1), of(-7)], [Some(0), Some(1), Some(-7)]);
        let var = Sum::var(Var(1));
        assert_eq!((var.as_constant(), var.as_product()), (None, Some((&[Var(1)][..], 1))));
        let more = var.plus(&Sum::constant(3));
        assert_eq!((more.as_constant(), more.as_product()), (None, None));
        assert_eq!(more.minus(&var).as_constant(), Some(3));
        assert_eq!(var.times(&Sum::var(Var(2))), Sum::var(Var(2)).times(&var));
        assert_eq!((Sum::constant(5).as_product(), Sum::default().as_product()), (Some((&[][..], 5)), None));
    }
}
