//! Functions of chunks.

use super::{array_of, arrays};
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    /// `stream_map f xs`: `f` gives as many elements as it gets.
    pub(super) fn stream_map(&mut self, n: Dim, from: &Shape, to: &Shape, args: &[Val]) -> Val {
        let [f, xs] = args else { panic!("internal error: stream_map takes two arguments") };
        let xs = self.coerce(xs.clone(), &array_of(n, from));
        let lambda = self.chunked(f, from, &|c| array_of(c, to));
        let nothing = Lambda { params: Vec::new(), ret: Vec::new(), body: Body::default() };
        let op = Operator { lambda: nothing, neutral: Vec::new(), commutative: true };
        let results = self.stream(n, &xs, op, lambda);
        to.value(&mut results.into_iter().map(SubExp::from))
    }

    /// `stream_red op f xs`: what `f` gives for no elements is neutral.
    pub(super) fn stream_red(&mut self, n: Dim, from: &Shape, to: &Shape, args: &[Val], commutative: bool) -> Val {
        let [op, f, xs] = args else { panic!("internal error: stream_red takes three arguments") };
        let xs = self.coerce(xs.clone(), &array_of(n, from));
        let none = self.scratch(SubExp::i64(0), from);
        let neutral = self.apply(f.clone(), vec![Val::Leaf(SubExp::i64(0)), none]);
        let op = self.associative(to, op, &neutral, commutative);
        let lambda = self.chunked(f, from, &|_| to.clone());
        let results = self.stream(n, &xs, op, lambda);
        to.value(&mut results.into_iter().map(SubExp::from))
    }

    /// The λ that applies `f` to the size of a chunk and to the chunk.
    fn chunked(&mut self, f: &Val, from: &Shape, ret: &dyn Fn(Dim) -> Shape) -> Lambda {
        let size = self.vars.fresh("c", Type::I64);
        let chunk = array_of(size.var.into(), from);
        let lambda = self.lambda(&[("xs", &chunk)], &ret(size.var.into()), |l, args| {
            let args = [vec![Val::Leaf(size.var.into())], args].concat();
            l.apply(f.clone(), args)
        });
        Lambda { params: [vec![size], lambda.params].concat(), ..lambda }
    }

    fn stream(&mut self, width: Dim, xs: &Val, op: Operator, lambda: Lambda) -> Vec<Var> {
        self.emit("stream", Exp::from(Stream { width, arrays: arrays(xs), form: StreamForm::Par(op), lambda }))
    }
}
