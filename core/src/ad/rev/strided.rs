//! Return sweep of views by strides (Futhark's flat slices): positions may coincide, so what contributes to them is summed, and of an update the last write to
//! a position is what counts.

use super::*;

/// Offset, and size and stride of each dimension.
type Lmad<'a> = (SubExp, &'a [(Dim, SubExp)]);

impl Rev<'_, '_> {
    pub(super) fn flat_index(&mut self, b: &mut Builder, array: Var, at: Lmad, adjoint: SubExp) {
        let depth = self.seed.len();
        let count = depth + at.1.len();
        let add = |b: &mut Builder, acc: Var, row: &[SubExp]| {
            seed::acc_nest(b, acc, count, &[adjoint], &mut |b, outer| {
                let position = position(b, at, &outer[depth..]);
                [&outer[..depth], row, &[position]].concat()
            })
        };
        let (mut root, mut row) = (array, Vec::new());
        while let Some(View { of, indices, .. }) = self.views.get(&root).cloned() {
            row = [indices, row].concat();
            root = of;
        }
        if !self.active.contains(&root) {
            return;
        }
        let sum = match self.adjoints.get(&root) {
            Some(Adj::Acc(acc)) => Adj::Acc(add(b, *acc, &row)),
            _ => {
                let (value, owned) = self.take_or_zero(b, root);
                let SubExp::Var(value) = self.owned(b, value, owned) else { return };
                Adj::Dense(seed::accumulate(b, value, |b, acc| add(b, acc, &row)).into(), true)
            }
        };
        self.adjoints.insert(root, sum);
    }

    pub(super) fn flat_update(&mut self, b: &mut Builder, array: Var, at: Lmad, value: Var, adjoint: (SubExp, bool)) {
        let seed = self.seed.clone();
        let (offset, dims) = (at.0, at.1.to_vec());
        if self.active.contains(&value) {
            let shape: Vec<Dim> = dims.iter().map(|(n, _)| *n).collect();
            let last = last_writes(b, array, at, value);
            let read = |a: &[Var]| Exp::FlatIndex { array: a[0], offset, dims: dims.clone() };
            let parts = seed::over_arrays(b, &seed, "adj", &[adjoint.0], &read);
            let kept = seed::over(b, &seed, &[parts], &mut |b, part| {
                seed::over(b, &shape, &[last, part[0]], &mut |b, e| {
                    let elem = b.vars.type_of(e[1]).elem().unwrap_or(ScalarType::Bool);
                    vec![b.prim_op(Prim::Select(elem), &[e[0], e[1], elem.zero().into()])]
                })
            });
            self.add(b, value, kept[0], true);
        }
        if self.active.contains(&array) {
            let zeros = seed::zero(b, &self.adjoint_type(b.vars.ty(value)));
            let whole = self.owned(b, adjoint.0, adjoint.1);
            let put = |a: &[Var]| Exp::FlatUpdate { array: a[0], offset, dims: dims.clone(), value: a[1] };
            let rest = seed::over_arrays(b, &seed, "adj", &[whole, zeros], &put);
            self.add(b, array, rest, true);
        }
    }
}

/// Where the element at these indices is.
fn position(b: &mut Builder, (offset, dims): Lmad, indices: &[SubExp]) -> SubExp {
    dims.iter().zip(indices).fold(offset, |sum, ((_, stride), i)| {
        let step = b.prim_op(ScalarType::I64.times(), &[*i, *stride]);
        b.prim_op(ScalarType::I64.plus(), &[sum, step])
    })
}

/// For each element of the value, whether no later one is written where it is: its number is what is read there when all numbers are written.
fn last_writes(b: &mut Builder, array: Var, (offset, dims): Lmad, value: Var) -> SubExp {
    let shape = b.vars.ty(value).shape().to_vec();
    let count = seed::count(b, &shape);
    let numbers = b.iota(Dim::from_subexp(count).unwrap_or(Dim::Const(0)));
    let numbers = b.let_one("numbers", Exp::Reshape { shape, array: numbers });
    // mutant: only places that have been written are read
    let none = b.let_one("none", Exp::Replicate { shape: b.vars.ty(array).shape().to_vec(), value: SubExp::i64(-1) });
    let dims = dims.to_vec();
    let written = Exp::FlatUpdate { array: none, offset, dims: dims.clone(), value: numbers };
    let written = b.let_one("written", written);
    let read = b.let_one("read", Exp::FlatIndex { array: written, offset, dims });
    b.elementwise("last", Prim::Cmp(CmpOp::Eq, ScalarType::I64), read.into(), numbers.into())
}
