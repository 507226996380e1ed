//! Contiguous parts of arrays, as views.

use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::Val;

impl Lowerer<'_> {
    /// The first `i` of `n` rows.
    pub(super) fn take(&mut self, n: Dim, i: SubExp, xs: &Val) -> Val {
        let cert = self.part_check(SubExp::i64(0), i, n);
        self.taken(SubExp::i64(0), i, xs, cert)
    }

    /// What follows the first `i` of `n` rows.
    pub(super) fn drop(&mut self, n: Dim, i: SubExp, xs: &Val) -> Val {
        let cert = self.part_check(i, n.into(), n);
        let count = self.arithmetic(BinOp::Sub, &[n.into(), i]);
        self.taken(i, count, xs, cert)
    }

    /// The certificate that `start:end` is a part of `size` rows.
    fn part_check(&mut self, start: SubExp, end: SubExp, size: Dim) -> Var {
        self.emit("slice", Exp::Check(Check::Slice { start, end, stride: SubExp::i64(1), size }))[0]
    }

    fn taken(&mut self, start: SubExp, count: SubExp, xs: &Val, cert: Var) -> Val {
        let count = Dim::from_subexp(count).unwrap_or(Dim::Const(0));
        self.each_array(xs, |l, array| {
            let name = l.vars.name(array).clone();
            let slice = vec![SliceDim::Range { start, count, stride: SubExp::i64(1) }];
            l.certified(name.as_str(), Exp::Slice { array, slice }, vec![cert])
        })
    }
}
