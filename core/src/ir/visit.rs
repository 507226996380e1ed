//! Traversals: every operand, binder, type and body of a program is visited in evaluation order, uses before the binders that follow them. The
//! read-only and the mutating visitor are written once.

use super::*;
use crate::hash::{HashMap, HashSet};

/// How many expressions have been visited: what tests of the work that passes do count, where assertions are checked.
#[cfg(debug_assertions)]
pub mod visited {
    use std::cell::Cell;

    thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

    pub(super) fn one() {
        COUNT.set(COUNT.get() + 1);
    }

    /// What `work` returns, and how many expressions this thread has visited meanwhile.
    pub fn during<T>(work: impl FnOnce() -> T) -> (T, u64) {
        let before = COUNT.get();
        let result = work();
        (result, COUNT.get() - before)
    }
}

macro_rules! visitor {
    ($(#[$doc:meta])* $Visit:ident, $body:ident, $stm:ident, $exp:ident, $lambda:ident, $operator:ident, $slice:ident, $ty:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub trait $Visit {
            /// A variable used where only a variable can stand, or anywhere unless `subexp` or `dim` is overridden.
            fn var(&mut self, _: &$($mut)? Var) {}
            /// An operand.
            fn subexp(&mut self, e: &$($mut)? SubExp) {
                if let SubExp::Var(v) = e { self.var(v) }
            }
            /// A size.
            fn dim(&mut self, d: &$($mut)? Dim) {
                if let Dim::Var(v) = d { self.var(v) }
            }
            /// A type.
            fn ty(&mut self, t: &$($mut)? Type) { $ty(self, t) }
            /// A binder; called in binding order. An override visits the type.
            fn bind(&mut self, b: &$($mut)? Binder) { self.ty(&$($mut)? b.ty) }
            /// A body.
            fn body(&mut self, b: &$($mut)? Body) { $body(self, b) }
            /// A statement.
            fn stm(&mut self, s: &$($mut)? Stm) { $stm(self, s) }
            /// An expression.
            fn exp(&mut self, e: &$($mut)? Exp) { $exp(self, e) }
            /// A lambda.
            fn lambda(&mut self, l: &$($mut)? Lambda) { $lambda(self, l) }
            /// An operator.
            fn operator(&mut self, op: &$($mut)? Operator) { $operator(self, op) }
        }

        /// Visits the statements and the results. Bodies are nested as deeply as calls that have been inlined.
        pub fn $body<V: $Visit + ?Sized>(v: &mut V, b: &$($mut)? Body) {
            stacker::maybe_grow(64 << 10, 1 << 20, || {
                for s in &$($mut)? b.stms { v.stm(s) }
                for e in &$($mut)? b.result { v.subexp(e) }
            })
        }

        /// Visits the expression, the certificates, the pattern.
        pub fn $stm<V: $Visit + ?Sized>(v: &mut V, s: &$($mut)? Stm) {
            v.exp(&$($mut)? s.exp);
            for c in &$($mut)? s.certs { v.var(c) }
            for b in &$($mut)? s.pat { v.bind(b) }
        }

        /// Visits the parameters, the result types, the body.
        pub fn $lambda<V: $Visit + ?Sized>(v: &mut V, l: &$($mut)? Lambda) {
            for b in &$($mut)? l.params { v.bind(b) }
            for t in &$($mut)? l.ret { v.ty(t) }
            v.body(&$($mut)? l.body)
        }

        /// Visits the function, then the neutral element.
        pub fn $operator<V: $Visit + ?Sized>(v: &mut V, op: &$($mut)? Operator) {
            v.lambda(&$($mut)? op.lambda);
            for e in &$($mut)? op.neutral { v.subexp(e) }
        }

        /// Visits the variables in a type.
        pub fn $ty<V: $Visit + ?Sized>(v: &mut V, t: &$($mut)? Type) {
            match t {
                Type::Scalar(_) | Type::Cert => {}
                Type::Array(_, shape) => for d in shape { v.dim(d) },
                Type::Acc(AccType { id, shape, elems }) => {
                    v.var(id);
                    for d in shape { v.dim(d) }
                    for t in elems { v.ty(t) }
                }
            }
        }

        fn $slice<V: $Visit + ?Sized>(v: &mut V, d: &$($mut)? SliceDim) {
            match d {
                SliceDim::Fix(e) => v.subexp(e),
                SliceDim::Range { start, count, stride } => {
                    v.subexp(start);
                    v.dim(count);
                    v.subexp(stride)
                }
            }
        }

        /// Visits all that stands in an expression.
        pub fn $exp<V: $Visit + ?Sized>(v: &mut V, e: &$($mut)? Exp) {
            #[cfg(debug_assertions)]
            visited::one();
            match e {
                Exp::SubExp(e) | Exp::Opaque(e) => v.subexp(e),
                Exp::Prim(_, args) | Exp::Apply { args, .. } => for e in args { v.subexp(e) },
                Exp::ArrayLit { elems, row } => {
                    for e in elems { v.subexp(e) }
                    v.ty(row)
                }
                Exp::Index { array, indices } => {
                    v.var(array);
                    for e in indices { v.subexp(e) }
                }
                Exp::Update { array, indices, value } => {
                    v.var(array);
                    for e in indices { v.subexp(e) }
                    v.subexp(value)
                }
                Exp::Slice { array, slice } => {
                    v.var(array);
                    for d in slice { $slice(v, d) }
                }
                Exp::UpdateSlice { array, slice, value } => {
                    v.var(array);
                    for d in slice { $slice(v, d) }
                    v.var(value)
                }
                Exp::FlatIndex { array, offset, dims } => {
                    v.var(array);
                    v.subexp(offset);
                    for (n, stride) in dims {
                        v.dim(n);
                        v.subexp(stride)
                    }
                }
                Exp::FlatUpdate { array, offset, dims, value } => {
                    v.var(array);
                    v.subexp(offset);
                    for (n, stride) in dims {
                        v.dim(n);
                        v.subexp(stride)
                    }
                    v.var(value)
                }
                Exp::Iota { n, start, step, .. } => {
                    v.subexp(n);
                    v.subexp(start);
                    v.subexp(step)
                }
                Exp::Replicate { shape, value } => {
                    for d in shape { v.dim(d) }
                    v.subexp(value)
                }
                Exp::Scratch { shape, .. } => for d in shape { v.dim(d) },
                Exp::Rearrange { array, .. } | Exp::Manifest { array, .. } | Exp::Reverse { array } | Exp::Copy(array) => v.var(array),
                Exp::Rotate { by, array } => {
                    v.subexp(by);
                    v.var(array)
                }
                Exp::Reshape { shape, array } | Exp::Coerce { shape, array } => {
                    for d in shape { v.dim(d) }
                    v.var(array)
                }
                Exp::Concat { arrays, size } => {
                    for a in arrays { v.var(a) }
                    v.dim(size)
                }
                Exp::Check(check) => match check {
                    Check::Assert(e, _) | Check::NonZero(e) | Check::NonNegativeExponent(e) | Check::NonNegativeSize(e) => v.subexp(e),
                    Check::Bounds { indices, sizes } => {
                        for e in indices { v.subexp(e) }
                        for d in sizes { v.dim(d) }
                    }
                    Check::Slice { start, end, stride, size } => {
                        v.subexp(start);
                        v.subexp(end);
                        v.subexp(stride);
                        v.dim(size)
                    }
                    Check::SizeEq { actual, expected } => {
                        for d in actual { v.dim(d) }
                        for d in expected { v.dim(d) }
                    }
                    Check::Shape(dims) => for d in dims { v.dim(d) },
                    Check::Made(array) => v.var(array),
                    Check::Range { start, second, end, .. } => {
                        v.subexp(start);
                        if let Some(second) = second { v.subexp(second) }
                        v.subexp(end)
                    }
                },
                Exp::If { cond, yes, no } => {
                    v.subexp(cond);
                    v.body(yes);
                    v.body(no)
                }
                Exp::Match { scrutinees, cases, default } => {
                    for e in scrutinees { v.subexp(e) }
                    for case in cases { v.body(&$($mut)? case.body) }
                    v.body(default)
                }
                Exp::Loop { params, form, body } => {
                    for p in &$($mut)? *params { v.subexp(&$($mut)? p.init) }
                    if let LoopForm::For { bound, .. } = form { v.subexp(bound) }
                    for p in &$($mut)? *params { v.bind(&$($mut)? p.binder) }
                    match form {
                        LoopForm::For { index, .. } => v.bind(index),
                        LoopForm::While(cond) => v.var(cond),
                    }
                    v.body(body)
                }
                Exp::Screma(s) => {
                    let Screma { width, arrays, map, scans, reduces, post } = &$($mut)? **s;
                    v.dim(width);
                    for a in arrays { v.var(a) }
                    v.lambda(map);
                    for op in scans { v.operator(op) }
                    for op in reduces { v.operator(op) }
                    if let Some(post) = post { v.lambda(post) }
                }
                Exp::Hist(h) => {
                    let Hist { width, arrays, map, ops } = &$($mut)? **h;
                    v.dim(width);
                    for a in arrays { v.var(a) }
                    v.lambda(map);
                    for HistOp { shape, dests, op } in ops {
                        for d in shape { v.dim(d) }
                        for a in dests { v.var(a) }
                        v.operator(op)
                    }
                }
                Exp::Scatter(s) => {
                    let Scatter { width, arrays, map, dests } = &$($mut)? **s;
                    v.dim(width);
                    for a in arrays { v.var(a) }
                    v.lambda(map);
                    for ScatterDest { shape, array } in dests {
                        for d in shape { v.dim(d) }
                        v.var(array)
                    }
                }
                Exp::Stream(s) => {
                    let Stream { width, arrays, form, lambda } = &$($mut)? **s;
                    v.dim(width);
                    for a in arrays { v.var(a) }
                    match form {
                        StreamForm::Seq(init) => for e in init { v.subexp(e) },
                        StreamForm::Par(op) => v.operator(op),
                    }
                    v.lambda(lambda)
                }
                Exp::FlatMap(f) => {
                    let FlatMap { width, arrays, size, lambda, .. } = &$($mut)? **f;
                    v.dim(width);
                    for a in arrays { v.var(a) }
                    v.bind(size);
                    v.lambda(lambda)
                }
                Exp::WithAcc(WithAcc { inputs, lambda }) => {
                    for input in inputs {
                        for d in &$($mut)? input.shape { v.dim(d) }
                        for a in &$($mut)? input.arrays { v.var(a) }
                        v.operator(&$($mut)? input.op)
                    }
                    v.lambda(lambda)
                }
                Exp::UpdAcc { acc, indices, values } => {
                    v.var(acc);
                    for e in indices { v.subexp(e) }
                    for e in values { v.subexp(e) }
                }
                Exp::Jvp(Ad { lambda, args, seeds, seed_shape }) | Exp::Vjp(Ad { lambda, args, seeds, seed_shape }) => {
                    for e in args { v.subexp(e) }
                    for e in seeds { v.subexp(e) }
                    for d in seed_shape { v.dim(d) }
                    v.lambda(lambda)
                }
                Exp::Custom(c) => {
                    let Custom { lambda, vjp, jvp, args, .. } = &$($mut)? **c;
                    for e in args { v.subexp(e) }
                    v.lambda(lambda);
                    if let Some(rule) = vjp { v.lambda(rule) }
                    if let Some(rule) = jvp { v.lambda(rule) }
                }
                Exp::SegOp(SegOp { space, kind, ret, body, .. }) => {
                    for (_, d) in &$($mut)? *space { v.dim(d) }
                    for (b, _) in &$($mut)? *space { v.bind(b) }
                    match kind {
                        SegKind::Map => {}
                        SegKind::Scan(ops) | SegKind::Reduce(ops) => for op in ops { v.operator(op) },
                        SegKind::Write(dests) => for ScatterDest { shape, array } in dests {
                            for d in shape { v.dim(d) }
                            v.var(array)
                        },
                    }
                    for t in ret { v.ty(t) }
                    v.body(body)
                }
            }
        }
    };
}

visitor! {
    /// A read-only visitor.
    Visit, walk_body, walk_stm, walk_exp, walk_lambda, walk_operator, walk_slice, walk_type
}
visitor! {
    /// A mutating visitor.
    VisitMut, walk_body_mut, walk_stm_mut, walk_exp_mut, walk_lambda_mut, walk_operator_mut, walk_slice_mut, walk_type_mut, mut
}

/// Visits parameters, results and body of a function.
pub fn walk_fun<V: Visit + ?Sized>(v: &mut V, fun: &Fun) {
    fun.params.iter().for_each(|p| v.bind(&p.binder));
    fun.results.iter().for_each(|r| v.bind(&r.binder));
    v.body(&fun.body);
}

/// Visits parameters, results and body of a function.
pub fn walk_fun_mut<V: VisitMut + ?Sized>(v: &mut V, fun: &mut Fun) {
    fun.params.iter_mut().for_each(|p| v.bind(&mut p.binder));
    fun.results.iter_mut().for_each(|r| v.bind(&mut r.binder));
    v.body(&mut fun.body);
}

/// Whether the program has such an expression, however deep.
pub fn any_exp(program: &Program, is: impl Fn(&Exp) -> bool) -> bool {
    struct Find<F>(F, bool);
    impl<F: Fn(&Exp) -> bool> Visit for Find<F> {
        fn exp(&mut self, e: &Exp) {
            self.1 |= (self.0)(e);
            walk_exp(self, e);
        }
    }
    let mut find = Find(is, false);
    program.funs.iter().for_each(|f| walk_fun(&mut find, f));
    find.1
}

/// A piece of IR that can be visited.
pub trait Node {
    /// Visits it.
    fn visit(&self, v: &mut dyn Visit);
    /// Visits it, mutating.
    fn visit_mut(&mut self, v: &mut dyn VisitMut);
}

macro_rules! node {
    ($($ty:ty: $method:ident;)*) => { $(
        impl Node for $ty {
            fn visit(&self, v: &mut dyn Visit) { v.$method(self) }
            fn visit_mut(&mut self, v: &mut dyn VisitMut) { v.$method(self) }
        }
    )* };
}
impl Node for Fun {
    fn visit(&self, v: &mut dyn Visit) {
        walk_fun(v, self);
    }
    fn visit_mut(&mut self, v: &mut dyn VisitMut) {
        walk_fun_mut(v, self);
    }
}
node! { Body: body; Stm: stm; Exp: exp; Lambda: lambda; Type: ty; SubExp: subexp; }

/// How many statements a body has, those of the bodies in it among them.
pub fn statements(body: &Body) -> u64 {
    body.stms.iter().map(statements_in).sum()
}

/// The same of a statement: itself, and those in it.
pub fn statements_in(stm: &Stm) -> u64 {
    struct Count(u64);
    impl Visit for Count {
        fn stm(&mut self, s: &Stm) {
            self.0 += 1;
            walk_exp(self, &s.exp);
        }
    }
    let mut count = Count(0);
    count.stm(stm);
    count.0
}

/// The variables that a piece of IR uses and does not bind, in the order of their first use.
pub fn free_vars(node: &dyn Node) -> Vec<Var> {
    #[derive(Default)]
    struct Free {
        bound: HashSet<Var>,
        seen: HashSet<Var>,
        order: Vec<Var>,
    }
    impl Visit for Free {
        fn var(&mut self, v: &Var) {
            if !self.bound.contains(v) && self.seen.insert(*v) {
                self.order.push(*v);
            }
        }
        fn bind(&mut self, b: &Binder) {
            self.ty(&b.ty);
            self.bound.insert(b.var);
        }
    }
    let mut free = Free::default();
    node.visit(&mut free);
    free.order
}

/// Replaces free variables by operands. A variable that stands where only a variable can is replaced only by a variable.
pub fn substitute(node: &mut dyn Node, subst: &HashMap<Var, SubExp>) {
    struct Subst<'a>(&'a HashMap<Var, SubExp>);
    impl VisitMut for Subst<'_> {
        fn var(&mut self, v: &mut Var) {
            if let Some(SubExp::Var(w)) = self.0.get(v) {
                *v = *w;
            }
        }
        fn subexp(&mut self, e: &mut SubExp) {
            if let SubExp::Var(v) = e
                && let Some(new) = self.0.get(v)
            {
                *e = *new;
            }
        }
        fn dim(&mut self, d: &mut Dim) {
            if let Dim::Var(v) = d
                && let Some(new) = self.0.get(v).and_then(|e| Dim::from_subexp(*e))
            {
                *d = new;
            }
        }
    }
    if !subst.is_empty() {
        node.visit_mut(&mut Subst(subst));
    }
}
