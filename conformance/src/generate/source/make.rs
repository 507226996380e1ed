//! Random expressions, well-typed by construction: for a type, an expression of that type from what is in scope.
//!
//! Values stay well-conditioned: what could grow goes through `sin` or `tanh`, divisors are not near zero, indices are taken modulo the length. A few
//! programs fail on purpose: [`Maker::careless`].

mod arrays;
mod functions;
mod scalars;

use functions::used;
pub use functions::{applied, matches};

use super::ast::*;
use futi_core::prim::{Scalar, ScalarType};
use quickcheck::Gen;

/// The type of a definition that can be called.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Name,
    pub sizes: Vec<Name>,
    pub types: Vec<Name>,
    pub params: Vec<Ty>,
    pub ret: Ty,
}

/// What is random, and what is in scope.
pub struct Maker {
    g: Gen,
    next: usize,
    /// Variables.
    pub scope: Vec<(Name, Ty)>,
    /// Sizes, with their values where these are known.
    pub sizes: Vec<(Size, Option<i64>)>,
    /// Definitions.
    pub defs: Vec<Signature>,
    /// How many more expressions may be made.
    pub budget: isize,
    /// How many derivatives are being taken here.
    ad: usize,
}

const SCALARS: [ScalarType; 10] = {
    use ScalarType::*;
    [F64, F64, F64, F64, F32, F32, I32, I32, I64, Bool]
};

impl Maker {
    pub fn new(size: usize, seed: u64) -> Maker {
        let g = Gen::from_size_and_seed(size.max(1), seed);
        Maker { g, next: 0, scope: Vec::new(), sizes: Vec::new(), defs: Vec::new(), budget: 0, ad: 0 }
    }

    /// Uniform in 0..n.
    pub fn roll(&mut self, n: usize) -> usize {
        let all: Vec<usize> = (0..n.max(1)).collect();
        self.g.choose(&all).copied().unwrap_or(0)
    }

    /// True once in n times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.roll(n) == 0
    }

    fn pick<T: Clone>(&mut self, xs: &[T]) -> Option<T> {
        self.g.choose(xs).cloned()
    }

    /// Whether to write something that may fail when it runs.
    fn careless(&mut self) -> bool {
        self.once_in(150)
    }

    pub fn fresh(&mut self, base: &str) -> Name {
        self.next += 1;
        format!("{}{}", base.trim_end_matches(|c: char| c.is_ascii_digit()), self.next).into()
    }

    // Types.

    pub fn scalar_type(&mut self) -> ScalarType {
        let t = self.pick(&SCALARS).unwrap_or(ScalarType::F64);
        if self.ad > 0 && self.roll(3) > 0 { ScalarType::F64 } else { t }
    }

    fn float_type(&mut self) -> ScalarType {
        if self.once_in(4) { ScalarType::F32 } else { ScalarType::F64 }
    }

    pub fn pick_size(&mut self) -> Size {
        let sizes = self.sizes.clone();
        self.pick(&sizes).map_or(Size::Const(2), |(s, _)| s)
    }

    fn known(&self, size: &Size) -> Option<i64> {
        match size {
            Size::Const(n) => Some(*n),
            Size::Name(_) => self.sizes.iter().find(|(s, _)| s == size).and_then(|(_, n)| *n),
            Size::Sum(ab) => Some(self.known(&ab[0])? + self.known(&ab[1])?),
            Size::Product(ab) => Some(self.known(&ab[0])? * self.known(&ab[1])?),
        }
    }

    /// A type of values, often one that a variable has.
    pub fn value_type(&mut self, depth: usize) -> Ty {
        let here: Vec<Ty> = self.scope.iter().map(|(_, t)| t.clone()).collect();
        if self.roll(5) < 2
            && let Some(t) = self.pick(&here).filter(|t| !t.any(&|t| matches!(t, Ty::Fun(..))))
        {
            return t;
        }
        match self.roll(if depth == 0 { 6 } else { 10 }) {
            0..=5 => Ty::Scalar(self.scalar_type()),
            6..=7 => Ty::array(self.pick_size(), self.value_type(depth - 1)),
            _ => {
                let n = 2 + self.roll(2);
                Ty::Tuple((0..n).map(|_| self.value_type(depth - 1)).collect())
            }
        }
    }

    /// A type of floats only.
    fn differentiable_type(&mut self) -> Ty {
        let scalar = |m: &mut Maker| Ty::Scalar(m.float_type());
        match self.roll(8) {
            0..=3 => scalar(self),
            4 | 5 => Ty::array(self.pick_size(), scalar(self)),
            6 => Ty::Tuple(vec![scalar(self), scalar(self)]),
            _ => Ty::Tuple(vec![scalar(self), Ty::array(self.pick_size(), scalar(self))]),
        }
    }

    // Scopes.

    /// What `f` makes with these variables in scope.
    fn with<T>(&mut self, vars: Vec<(Name, Ty)>, f: impl FnOnce(&mut Maker) -> T) -> T {
        let n = self.scope.len();
        self.scope.extend(vars);
        let made = f(self);
        self.scope.truncate(n);
        made
    }

    /// A pattern for a type; types are written where `typed` says so, and else once in a while.
    pub fn pattern(&mut self, t: &Ty, typed: bool) -> Pat {
        match t {
            Ty::Tuple(ts) if !self.once_in(3) => Pat::Tuple(ts.iter().map(|t| self.pattern(t, typed)).collect()),
            _ => {
                let base = if t.any(&|t| matches!(t, Ty::Fun(..))) {
                    "g"
                } else if let Ty::Array(..) = t {
                    "xs"
                } else {
                    "x"
                };
                Pat::Name(self.fresh(base), t.clone(), typed || self.once_in(3))
            }
        }
    }

    // Leaves.

    pub fn literal(&mut self, t: ScalarType) -> Exp {
        let x = match t {
            ScalarType::Bool => Scalar::Bool(self.once_in(2)),
            t if t.is_float() => Scalar::from_f64(t, (self.roll(33) as f64 - 16.0) / 8.0),
            t if self.once_in(20) => Scalar::from_i64(t, 1 << 30 | self.roll(9) as i64),
            t => Scalar::from_i64(t, self.roll(12) as i64 - 3),
        };
        Exp::lit(x)
    }

    /// An expression of this type without more than a variable, a literal, or what is needed to have one at all.
    pub fn leaf(&mut self, t: &Ty) -> Exp {
        let of_type: Vec<Name> = self.scope.iter().filter(|(_, u)| u == t).map(|(n, _)| n.clone()).collect();
        let recent = of_type.len().saturating_sub(5);
        if (t.scalar().is_none() || self.roll(4) > 0)
            && let Some(name) = self.pick(&of_type[recent..])
        {
            return Exp::var(&name, t);
        }
        match t {
            Ty::Scalar(ScalarType::I64) if self.once_in(3) => match self.pick_size() {
                n @ Size::Name(_) => n.exp(),
                _ => self.literal(ScalarType::I64),
            },
            Ty::Scalar(s) => {
                let scalars =
                    self.scope.iter().filter(|(_, u)| u.scalar().is_some_and(|u| s.is_float() || !u.is_float()));
                let scalars: Vec<(Name, Ty)> = scalars.cloned().collect();
                match self.pick(&scalars) {
                    Some((name, ty)) if of_type.is_empty() && *s != ScalarType::Bool && self.roll(3) > 0 => {
                        let from = ty.scalar().unwrap_or(*s);
                        Exp::call(&format!("{s}.{from}"), vec![Exp::var(&name, &ty)], t.clone())
                    }
                    _ => self.literal(*s),
                }
            }
            Ty::Tuple(ts) => Exp::tuple(ts.iter().map(|t| self.leaf(t)).collect()),
            Ty::Array(Size::Const(n @ 1..), elem) if self.once_in(2) => {
                Exp::new(Kind::Array((0..*n).map(|_| self.leaf(elem)).collect()), t.clone())
            }
            Ty::Array(n, elem) if **elem == Ty::I64 && self.once_in(2) => Exp::call("iota", vec![n.exp()], t.clone()),
            Ty::Array(n, elem) => Exp::call("replicate", vec![n.exp(), self.leaf(elem)], t.clone()),
            Ty::Fun(params, ret) => self.function(params, ret, 0),
            Ty::Param(_) => {
                // a variable is there, as long as variables are picked first
                let f = self.scope.iter().find(|(_, u)| matches!(u, Ty::Fun(_, r) if **r == *t)).cloned();
                match f {
                    Some((name, Ty::Fun(params, ret))) => {
                        let args = params.iter().map(|p| self.leaf(p)).collect();
                        Exp::new(Kind::App(Exp::var(&name, &Ty::Fun(params, ret)), args), t.clone())
                    }
                    _ => panic!("internal error: no value of the type parameter {t:?}"),
                }
            }
        }
    }

    // Expressions.

    /// An expression of this type, at most so deep.
    pub fn exp(&mut self, t: &Ty, depth: usize) -> Exp {
        if let Ty::Fun(params, ret) = t {
            return self.function(params, ret, depth);
        }
        if depth == 0 || self.budget <= 0 {
            return self.leaf(t);
        }
        self.budget -= 1;
        for _ in 0..4 {
            let special = match t {
                _ if self.roll(5) < 2 => self.general(t, depth - 1),
                Ty::Scalar(ScalarType::Bool) => Some(self.truth(depth - 1)),
                Ty::Scalar(s) => self.number(*s, depth - 1),
                Ty::Tuple(ts) => self.tuple(ts, depth - 1),
                Ty::Array(n, elem) => self.array(n, elem, depth - 1),
                _ => None,
            };
            if let Some(e) = special {
                return e;
            }
        }
        self.leaf(t)
    }

    /// What can be of any type.
    fn general(&mut self, t: &Ty, d: usize) -> Option<Exp> {
        match self.roll(17) {
            0..=2 => {
                let bound = self.value_type(2);
                let e = self.exp(&bound, d);
                let p = self.pattern(&bound, false);
                let body = self.with(p.names(), |m| m.exp(t, d));
                Some(used(p, e, body))
            }
            3 => {
                let c = self.truth(d);
                let (a, b) = (self.exp(t, d), self.exp(t, d));
                Some(Exp::new(Kind::If(c, a, b), t.clone()))
            }
            4 => Some(self.counted_loop(t, d)),
            5 => {
                let elem = self.value_type(1);
                let xs = self.any_array(&elem, d);
                let (p, q) = (self.pattern(t, true), self.pattern(&elem, false));
                let init = self.exp(t, d);
                let body = self.with([p.names(), q.names()].concat(), |m| m.tame(t, d));
                Some(Exp::new(Kind::Loop(p, init, Form::In(q, xs), body), t.clone()))
            }
            6 => {
                // at most three turns
                let i = self.fresh("j");
                let p = Pat::Tuple(vec![Pat::Name(i.clone(), Ty::I64, true), self.pattern(t, true)]);
                let init = Exp::tuple(vec![Exp::lit(Scalar::I64(0)), self.exp(t, d)]);
                let counter = Exp::var(&i, &Ty::I64);
                let limit = Exp::lit(Scalar::I64(1 + self.roll(3) as i64));
                let body = self.with(p.names(), |m| m.tame(t, d));
                let more = Exp::infix("<", counter.clone(), limit, Ty::BOOL);
                let cond = match self.once_in(3) {
                    true => Exp::infix("&&", more, self.with(p.names(), |m| m.truth(d.min(1))), Ty::BOOL),
                    false => more,
                };
                let next = Exp::infix("+", counter, Exp::lit(Scalar::I64(1)), Ty::I64);
                let ty = Ty::Tuple(vec![Ty::I64, t.clone()]);
                let whole = Exp::new(Kind::Loop(p, init, Form::While(cond), Exp::tuple(vec![next, body])), ty);
                Some(Exp::project(whole, 1))
            }
            7 | 8 => self.call(t, d),
            9 => {
                let n = 1 + self.roll(2);
                let params: Vec<Pat> = (0..n)
                    .map(|_| self.value_type(1))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(|t| self.pattern(t, true))
                    .collect();
                let ret = if self.once_in(3) { self.value_type(1) } else { t.clone() };
                let names = params.iter().flat_map(Pat::names).collect();
                let body = self.with(names, |m| m.exp(&ret, d));
                let def =
                    Def { name: self.fresh("g"), sizes: vec![], types: vec![], params, typed: self.once_in(2), body };
                let (name, ty) = (def.name.clone(), def.ty());
                let mut rest = self.with(vec![(name.clone(), ty.clone())], |m| m.exp(t, d));
                if rest.uses(&name) == 0 && ret == *t {
                    let args = def.params.iter().map(|p| self.exp(&p.ty(), d.min(2))).collect();
                    rest = Exp::new(Kind::App(Exp::var(&name, &ty), args), t.clone());
                }
                Some(if rest.uses(&name) == 0 { rest } else { Exp::new(Kind::LetFun(def, rest), t.clone()) })
            }
            10 => {
                let arg = self.value_type(1);
                let (f, x) = (self.function(std::slice::from_ref(&arg), t, d), self.exp(&arg, d));
                let kind = match self.roll(3) {
                    0 => Kind::App(f, vec![x]),
                    1 => Kind::Pipe(x, f),
                    _ => Kind::PipeLeft(f, x),
                };
                Some(Exp::new(kind, t.clone()))
            }
            11 | 12 => self.element(t, d),
            13 => {
                let holders = self.scope.iter().filter(|(_, u)| matches!(u, Ty::Tuple(ts) if ts.contains(t)));
                let holders: Vec<(Name, Ty)> = holders.cloned().collect();
                let (name, ty) = self.pick(&holders)?;
                let Ty::Tuple(ts) = &ty else { return None };
                let i = ts.iter().position(|u| u == t)?;
                Some(Exp::project(Exp::var(&name, &ty), i))
            }
            14 => {
                let e = self.exp(t, d);
                Some(Exp::new(Kind::Ascribe(e), t.clone()))
            }
            15 => self.combinator(t, d),
            _ => self.derivative(t, d),
        }
    }

    /// An expression that does not grow from turn to turn.
    fn tame(&mut self, t: &Ty, d: usize) -> Exp {
        let e = self.exp(t, d);
        match t.scalar() {
            Some(s) if s.is_float() && self.roll(4) > 0 => {
                let f = if self.once_in(2) { "sin" } else { "tanh" };
                Exp::call(&format!("{s}.{f}"), vec![e], t.clone())
            }
            _ => e,
        }
    }

    fn counted_loop(&mut self, t: &Ty, d: usize) -> Exp {
        let (p, i) = (self.pattern(t, true), self.fresh("j"));
        let init = self.exp(t, d);
        let bound = match self.once_in(3) {
            true => self.pick_size().exp(),
            false => Exp::lit(Scalar::I64(self.roll(4) as i64)),
        };
        let names = [p.names(), vec![(i.clone(), Ty::I64)]].concat();
        let body = self.with(names, |m| m.tame(t, d));
        Exp::new(Kind::Loop(p, init, Form::For(i, bound), body), t.clone())
    }

    /// An element of an array, by an index that is in range.
    fn element(&mut self, t: &Ty, d: usize) -> Option<Exp> {
        let arrays = self.scope.iter().filter(|(_, u)| matches!(u, Ty::Array(_, e) if **e == *t)).cloned();
        let arrays: Vec<(Name, Ty)> = arrays.collect();
        let (xs, size) = match self.pick(&arrays) {
            Some((name, ty)) => {
                let Ty::Array(size, _) = &ty else { return None };
                (Exp::var(&name, &ty), size.clone())
            }
            None => {
                let size = self.pick_size();
                (self.exp(&Ty::array(size.clone(), t.clone()), d.min(2)), size)
            }
        };
        let index = self.exp(&Ty::I64, d.min(2));
        let at = |xs: Exp, i: Exp| Exp::new(Kind::Index(xs, vec![i]), t.clone());
        if self.careless() {
            return Some(at(xs, index));
        }
        let in_range = Exp::infix("%", index, size.exp(), Ty::I64);
        match self.known(&size) {
            Some(0) => None,
            Some(_) => Some(match self.roll(5) {
                0 => Exp::call("head", vec![xs], t.clone()),
                1 => Exp::call("last", vec![xs], t.clone()),
                _ => at(xs, in_range),
            }),
            None => {
                let some = Exp::infix(">", size.exp(), Exp::lit(Scalar::I64(0)), Ty::BOOL);
                let other = self.leaf(t);
                Some(Exp::new(Kind::If(some, at(xs, in_range), other), t.clone()))
            }
        }
    }
}
