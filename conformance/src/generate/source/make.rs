//! Random expressions, well-typed by construction: for a type, an expression of that type from what is in scope.
//!
//! Values stay well-conditioned: what could grow goes through `sin` or `tanh`, divisors are not near zero, indices are taken modulo the length. A few
//! programs fail on purpose: [`Maker::careless`].

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
                let scalars = self.scope.iter().filter(|(_, u)| u.scalar().is_some_and(|u| s.is_float() || !u.is_float()));
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
                let params: Vec<Pat> = (0..n).map(|_| self.value_type(1)).collect::<Vec<_>>().iter().map(|t| self.pattern(t, true)).collect();
                let ret = if self.once_in(2) { t.clone() } else { self.value_type(1) };
                let names = params.iter().flat_map(Pat::names).collect();
                let body = self.with(names, |m| m.exp(&ret, d));
                let def = Def { name: self.fresh("g"), sizes: vec![], types: vec![], params, typed: self.once_in(2), body };
                let (name, ty) = (def.name.clone(), def.ty());
                let body = self.with(vec![(name.clone(), ty)], |m| m.exp(t, d));
                Some(if body.uses(&name) == 0 { body } else { Exp::new(Kind::LetFun(def, body), t.clone()) })
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

    /// A call of a definition, or of a variable that is a function.
    fn call(&mut self, t: &Ty, d: usize) -> Option<Exp> {
        let vars = self.scope.iter().filter(|(_, u)| matches!(u, Ty::Fun(_, r) if **r == *t)).cloned();
        let vars: Vec<(Name, Ty)> = vars.collect();
        if let Some((name, ty)) = self.pick(&vars)
            && let Ty::Fun(params, _) = &ty
            && self.once_in(2)
        {
            let args = params.iter().map(|p| self.exp(p, d)).collect();
            return Some(Exp::new(Kind::App(Exp::var(&name, &ty), args), t.clone()));
        }
        let defs = self.defs.clone();
        let fits = defs.iter().filter_map(|s| Some((s, matched(&s.ret, t, s)?))).collect::<Vec<_>>();
        let (sig, subst) = self.pick(&fits)?;
        let (params, ret) = self.instance(sig, subst);
        let args: Vec<Exp> = params.iter().map(|p| self.exp(p, d)).collect();
        Some(Exp::new(Kind::App(Exp::var(&sig.name, &Ty::fun(params, ret)), args), t.clone()))
    }

    /// Parameters and result of a definition, what is left open chosen at random.
    fn instance(&mut self, sig: &Signature, mut subst: Subst) -> (Vec<Ty>, Ty) {
        for n in &sig.sizes {
            let size = self.pick_size();
            subst.sizes.entry(n.clone()).or_insert(size);
        }
        for a in &sig.types {
            let ty = self.value_type(1);
            subst.types.entry(a.clone()).or_insert(ty);
        }
        (sig.params.iter().map(|p| p.subst(&subst)).collect(), sig.ret.subst(&subst))
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

    /// A function of the prelude that takes functions.
    fn combinator(&mut self, t: &Ty, d: usize) -> Option<Exp> {
        let (a, b) = (self.value_type(1), self.value_type(0));
        let ty = t.clone();
        Some(match self.roll(7) {
            0 => {
                let f = self.function(&[a.clone(), b.clone()], t, d);
                let pair = Exp::tuple(vec![self.exp(&a, d), self.exp(&b, d)]);
                Exp::call("uncurry", vec![f, pair], ty)
            }
            1 => {
                let f = self.function(&[Ty::Tuple(vec![a.clone(), b.clone()])], t, d);
                Exp::call("curry", vec![f, self.exp(&a, d), self.exp(&b, d)], ty)
            }
            2 => {
                let f = self.function(&[a.clone(), b.clone()], t, d);
                Exp::call("flip", vec![f, self.exp(&b, d), self.exp(&a, d)], ty)
            }
            3 => Exp::call("id", vec![self.exp(t, d)], ty),
            4 => {
                let xs = self.any_array(&a, d);
                let f = self.tame_function(&[t.clone(), a], t, d);
                Exp::call("foldl", vec![f, self.exp(t, d), xs], ty)
            }
            5 => {
                let xs = self.any_array(&a, d);
                let f = self.tame_function(&[a, t.clone()], t, d);
                Exp::call("foldr", vec![f, self.exp(t, d), xs], ty)
            }
            _ => {
                let n = Exp::lit(Scalar::I32(self.roll(4) as i32));
                let f = self.tame_function(std::slice::from_ref(t), t, d);
                Exp::call("iterate", vec![n, f, self.exp(t, d)], ty)
            }
        })
    }

    fn tame_function(&mut self, params: &[Ty], ret: &Ty, d: usize) -> Exp {
        let pats: Vec<Pat> = params.iter().map(|t| self.pattern(t, true)).collect();
        let body = self.with(pats.iter().flat_map(Pat::names).collect(), |m| m.tame(ret, d));
        Exp::lambda(pats, body)
    }

    /// A derivative.
    fn derivative(&mut self, t: &Ty, d: usize) -> Option<Exp> {
        if !t.is_float() || self.ad >= 2 || self.ad == 1 && self.roll(3) > 0 {
            return None;
        }
        let u = self.differentiable_type();
        let reverse = self.once_in(2);
        let (from, to) = if reverse { (t, &u) } else { (&u, t) };
        let p = self.pattern(from, true);
        self.ad += 1;
        let body = self.with(p.names(), |m| m.exp(to, d.max(1)));
        self.ad -= 1;
        let f = Exp::lambda(vec![p], body);
        let (x, seed) = (self.exp(from, d), self.exp(if reverse { to } else { from }, d.min(1)));
        let name = if reverse { "vjp" } else { "jvp" };
        Some(match self.once_in(4) {
            true => {
                let both = Exp::call(&format!("{name}2"), vec![f, x, seed], Ty::Tuple(vec![to.clone(), t.clone()]));
                Exp::project(both, 1)
            }
            false => Exp::call(name, vec![f, x, seed], t.clone()),
        })
    }

    /// A number: arithmetic, functions of the prelude, reductions.
    fn number(&mut self, s: ScalarType, d: usize) -> Option<Exp> {
        let t = Ty::Scalar(s);
        let float = s.is_float();
        Some(match self.roll(12) {
            0..=3 => {
                let op = ["+", "-", "*"][self.roll(3)];
                Exp::infix(op, self.exp(&t, d), self.exp(&t, d), t)
            }
            4 => {
                let (a, b) = (self.exp(&t, d), self.exp(&t, d));
                if float { self.quotient(s, a, b) } else { self.integer_operator(s, a, b) }
            }
            5 | 6 if float => self.float_function(s, d),
            5 => {
                let e = self.exp(&t, d);
                let f = ["abs", "sgn", "neg"][self.roll(3)];
                Exp::call(&format!("{s}.{f}"), vec![e], t)
            }
            7 => {
                let f = ["min", "max"][self.roll(2)];
                Exp::call(&format!("{s}.{f}"), vec![self.exp(&t, d), self.exp(&t, d)], t)
            }
            8 => self.converted(s, d),
            9 => {
                let xs = self.any_array(&t, d);
                let f = ["sum", "sum", "sum", "product", "minimum", "maximum"][self.roll(6)];
                Exp::call(&format!("{s}.{f}"), vec![xs], t)
            }
            10 => {
                let xs = self.any_array(&t, d);
                self.reduced(&t, xs)?
            }
            6 if s == ScalarType::I64 => {
                let elem = self.value_type(1);
                Exp::call("length", vec![self.any_array(&elem, d)], t)
            }
            _ if self.once_in(3) => {
                let e = self.exp(&t, d);
                Exp::new(Kind::Neg(e), t)
            }
            _ => return self.sized(s, d),
        })
    }

    /// `let k = … in`, with arrays of that size.
    fn sized(&mut self, s: ScalarType, d: usize) -> Option<Exp> {
        let k = self.fresh("k");
        let n = self.exp(&Ty::I64, d.min(2));
        let n = Exp::infix("%", n, Exp::lit(Scalar::I64(4)), Ty::I64);
        self.sizes.push((Size::Name(k.clone()), None));
        let t = Ty::Scalar(s);
        let array = Ty::array(Size::Name(k.clone()), t.clone());
        let body = self.with(vec![(k.clone(), Ty::I64)], |m| {
            let xs = m.exp(&array, d);
            m.reduced(&t, xs)
        });
        self.sizes.pop();
        Some(used(Pat::Name(k, Ty::I64, self.once_in(3)), n, body?))
    }

    fn quotient(&mut self, s: ScalarType, a: Exp, b: Exp) -> Exp {
        let t = Ty::Scalar(s);
        let square = Exp::call(&format!("{s}.abs"), vec![b], t.clone());
        let divisor = Exp::infix("+", Exp::lit(Scalar::from_f64(s, 1.5)), square, t.clone());
        Exp::infix("/", a, divisor, t)
    }

    fn integer_operator(&mut self, s: ScalarType, a: Exp, b: Exp) -> Exp {
        let t = Ty::Scalar(s);
        let small = |e: Exp, n: i64, from: i64| {
            let r = Exp::infix("%", e, Exp::lit(Scalar::from_i64(s, n)), t.clone());
            if from == 0 { r } else { Exp::infix("+", Exp::lit(Scalar::from_i64(s, from)), r, t.clone()) }
        };
        match self.roll(11) {
            i @ 0..=3 => {
                let op = ["/", "%", "//", "%%"][i];
                let b = if self.careless() { b } else { small(b, 5, 1) };
                Exp::infix(op, a, b, t)
            }
            i @ 4..=6 => Exp::infix(["&", "|", "^"][i - 4], a, b, t),
            i @ 7..=9 => Exp::infix(["<<", ">>", ">>"][i - 7], a, small(b, 7, 0), t),
            _ => {
                let b = if self.careless() { b } else { small(b, 4, 0) };
                Exp::infix("**", a, b, t)
            }
        }
    }

    fn float_function(&mut self, s: ScalarType, d: usize) -> Exp {
        let t = Ty::Scalar(s);
        let x = self.exp(&t, d);
        let f = |name: &str, x: Exp| Exp::call(&format!("{s}.{name}"), vec![x], t.clone());
        // derivatives that Futhark 0.25.32 has wrong (futhark-compat.md §2.3) are not asked for
        match self.roll(if self.ad > 0 { 9 } else { 15 }) {
            0 => f("sin", x),
            1 => f("cos", x),
            2 => f("tanh", x),
            3 => f("exp", f("tanh", x)),
            i @ (4 | 5) => {
                let positive = Exp::infix("+", Exp::lit(Scalar::from_f64(s, 0.5)), f("abs", x), t.clone());
                f(["sqrt", "log"][i - 4], positive)
            }
            6 => f("abs", x),
            7 => f("recip", Exp::infix("+", Exp::lit(Scalar::from_f64(s, 2.0)), f("sin", x), t.clone())),
            8 => {
                let (y, z) = (self.leaf(&t), self.leaf(&t));
                Exp::call(&format!("{s}.lerp"), vec![x, y, z], t)
            }
            9 => f("atan", x),
            i @ 10..=13 => f(["floor", "ceil", "round", "trunc"][i - 10], x),
            _ => {
                let base = Exp::infix("+", Exp::lit(Scalar::from_f64(s, 0.5)), f("abs", x), t.clone());
                let exponent = self.literal(s);
                Exp::infix("**", base, exponent, t)
            }
        }
    }

    fn converted(&mut self, s: ScalarType, d: usize) -> Exp {
        use ScalarType::*;
        let from = [I32, I64, F32, F64, Bool][self.roll(5)];
        let mut e = self.exp(&Ty::Scalar(from), d);
        if from.is_float() && s.is_int() {
            // what is far out of range is for tests of its own
            let t = Ty::Scalar(from);
            e = Exp::call(&format!("{from}.tanh"), vec![e], t.clone());
            e = Exp::infix("*", Exp::lit(Scalar::from_f64(from, 7.5)), e, t);
        }
        if s == from {
            return e;
        }
        Exp::call(&format!("{s}.{from}"), vec![e], Ty::Scalar(s))
    }

    fn truth(&mut self, d: usize) -> Exp {
        let t = Ty::BOOL;
        match self.roll(if d == 0 { 4 } else { 8 }) {
            0..=3 => {
                let of = Ty::Scalar(self.scalar_type());
                let all = ["==", "!=", "<", "<=", ">", ">="];
                let op = if of == t { all[self.roll(2)] } else { all[self.roll(6)] };
                Exp::infix(op, self.exp(&of, d), self.exp(&of, d), t)
            }
            4 | 5 => {
                let op = ["&&", "||"][self.roll(2)];
                Exp::infix(op, self.exp(&t, d), self.exp(&t, d), t)
            }
            6 => {
                let e = self.exp(&t, d);
                Exp::new(Kind::Not(e), t)
            }
            _ => {
                let elem = self.value_type(0);
                let xs = self.any_array(&elem, d);
                let f = ["all", "any"][self.roll(2)];
                Exp::call(f, vec![self.function(&[elem], &Ty::BOOL, d), xs], t)
            }
        }
    }

    fn tuple(&mut self, ts: &[Ty], d: usize) -> Option<Exp> {
        let t = Ty::Tuple(ts.to_vec());
        if self.once_in(3) && let [Ty::Array(n, a), Ty::Array(m, b)] = ts && n == m {
            let pairs = self.exp(&Ty::array(n.clone(), Ty::Tuple(vec![(**a).clone(), (**b).clone()])), d);
            return Some(Exp::call("unzip", vec![pairs], t));
        }
        if self.once_in(3) {
            let size = self.pick_size();
            let xs = self.exp(&Ty::array(size, t.clone()), d);
            return self.reduced(&t, xs);
        }
        Some(Exp::tuple(ts.iter().map(|t| self.exp(t, d)).collect()))
    }

    /// An array of any size, of those that have names and those that have not.
    fn any_array(&mut self, elem: &Ty, d: usize) -> Exp {
        let arrays = self.scope.iter().filter(|(_, u)| matches!(u, Ty::Array(_, e) if **e == *elem)).cloned();
        let arrays: Vec<(Name, Ty)> = arrays.collect();
        if self.roll(3) == 0
            && let Some((name, ty)) = self.pick(&arrays)
        {
            return Exp::var(&name, &ty);
        }
        let (n, m) = (self.pick_size(), self.pick_size());
        let size = match self.roll(8) {
            0 => Size::Sum(Box::new([n, m])),
            1 => Size::Product(Box::new([n, m])),
            _ => n,
        };
        self.exp(&Ty::array(size, elem.clone()), d.max(1))
    }

    fn array(&mut self, n: &Size, elem: &Ty, d: usize) -> Option<Exp> {
        let t = Ty::array(n.clone(), elem.clone());
        match n {
            Size::Sum(ab) => {
                let [a, b] = [0, 1].map(|i| self.exp(&Ty::array(ab[i].clone(), elem.clone()), d));
                return Some(Exp::infix("++", a, b, t));
            }
            Size::Product(ab) => {
                let rows = Ty::array(ab[0].clone(), Ty::array(ab[1].clone(), elem.clone()));
                return Some(Exp::call("flatten", vec![self.exp(&rows, d)], t));
            }
            _ => {}
        }
        Some(match self.roll(14) {
            0..=3 => {
                let k = [1, 1, 1, 2, 2, 3][self.roll(6)];
                let elems: Vec<Ty> = (0..k).map(|_| self.value_type(1)).collect();
                let f = self.function(&elems, elem, d);
                let arrays = elems.iter().map(|e| self.exp(&Ty::array(n.clone(), e.clone()), d));
                let args = std::iter::once(f).chain(arrays.collect::<Vec<_>>()).collect();
                Exp::call(["map", "map2", "map3"][k - 1], args, t)
            }
            4 if *elem == Ty::I64 => match self.once_in(2) {
                true => Exp::new(Kind::UpTo(n.exp()), t),
                false => Exp::call("iota", vec![n.exp()], t),
            },
            4 | 5 => Exp::call("tabulate", vec![n.exp(), self.function(&[Ty::I64], elem, d)], t),
            6 => Exp::call("replicate", vec![n.exp(), self.exp(elem, d)], t),
            7 | 8 => {
                let (op, ne) = self.monoid(elem)?;
                let xs = self.exp(&t, d);
                Exp::call("scan", vec![op, ne, xs], t)
            }
            9 => {
                let xs = self.exp(&t, d);
                match self.once_in(2) {
                    true => Exp::call("reverse", vec![xs], t),
                    false => Exp::call("rotate", vec![self.leaf(&Ty::I64), xs], t),
                }
            }
            10 => {
                let size = Size::Sum(Box::new([n.clone(), self.pick_size()]));
                let longer = self.exp(&Ty::array(size, elem.clone()), d.max(1));
                Exp::call("take", vec![n.exp(), longer], t)
            }
            11 | 12 => match elem {
                Ty::Tuple(ts) if ts.len() <= 3 => {
                    let arrays = ts.iter().map(|e| self.exp(&Ty::array(n.clone(), e.clone()), d)).collect();
                    Exp::call(if ts.len() == 2 { "zip" } else { "zip3" }, arrays, t)
                }
                Ty::Array(m, inner) => match self.roll(3) {
                    0 => {
                        let other = Ty::array(m.clone(), Ty::array(n.clone(), (**inner).clone()));
                        Exp::call("transpose", vec![self.exp(&other, d)], t)
                    }
                    1 => {
                        let flat = Ty::array(Size::Product(Box::new([n.clone(), m.clone()])), (**inner).clone());
                        let e = self.exp(&t, d);
                        Exp::call("unflatten", vec![Exp::call("flatten", vec![e], flat)], t)
                    }
                    _ => {
                        let f = self.function(&[Ty::I64, Ty::I64], inner, d);
                        Exp::call("tabulate_2d", vec![n.exp(), m.exp(), f], t)
                    }
                },
                _ => return None,
            },
            _ => match n {
                Size::Const(k @ 1..) => Exp::new(Kind::Array((0..*k).map(|_| self.exp(elem, d)).collect()), t),
                _ => return None,
            },
        })
    }

    /// An array reduced.
    fn reduced(&mut self, t: &Ty, xs: Exp) -> Option<Exp> {
        let (op, ne) = self.monoid(t)?;
        let name = if self.once_in(4) && !has_lambda(&op) { "reduce_comm" } else { "reduce" };
        Some(Exp::call(name, vec![op, ne, xs], t.clone()))
    }

    /// An associative operator and its neutral element.
    fn monoid(&mut self, t: &Ty) -> Option<(Exp, Exp)> {
        let binary = |t: &Ty| Ty::fun(vec![t.clone(), t.clone()], t.clone());
        match t {
            Ty::Scalar(ScalarType::Bool) => {
                let and = self.once_in(2);
                let op = Kind::Operator(if and { "&&" } else { "||" });
                Some((Exp::new(op, binary(t)), Exp::lit(Scalar::Bool(and))))
            }
            Ty::Scalar(s) => {
                let extreme = |name: &str| Exp::var(&format!("{s}.{name}").into(), t);
                let named = |name: &str| Exp::var(&format!("{s}.{name}").into(), &binary(t));
                Some(match self.roll(7) {
                    0 | 1 => (Exp::new(Kind::Operator("+"), binary(t)), Exp::lit(s.zero())),
                    2 => (Exp::new(Kind::Operator("*"), binary(t)), Exp::lit(s.one())),
                    3 => (named("max"), extreme("lowest")),
                    4 => (named("min"), extreme("highest")),
                    5 => {
                        let (a, b) = (self.pattern(t, true), self.pattern(t, true));
                        let sum = Exp::infix("+", a.exp(), b.exp(), t.clone());
                        (Exp::lambda(vec![a, b], sum), Exp::lit(s.zero()))
                    }
                    _ => {
                        // x + y + k x y, with 0 neutral
                        let (a, b) = (self.pattern(t, true), self.pattern(t, true));
                        let times = |x, y| Exp::infix("*", x, y, t.clone());
                        let k = Exp::lit(if s.is_float() { Scalar::from_f64(*s, 0.25) } else { Scalar::from_i64(*s, 2) });
                        let sum = Exp::infix("+", a.exp(), b.exp(), t.clone());
                        let e = Exp::infix("+", sum, times(times(k, a.exp()), b.exp()), t.clone());
                        (Exp::lambda(vec![a, b], e), Exp::lit(s.zero()))
                    }
                })
            }
            Ty::Tuple(ts) => {
                let fresh = |m: &mut Maker| -> Vec<Pat> {
                    ts.iter().map(|t| Pat::Name(m.fresh("x"), t.clone(), true)).collect()
                };
                let (a, b) = (fresh(self), fresh(self));
                if let [Ty::Scalar(s), Ty::Scalar(r)] = ts[..]
                    && s == r
                    && s != ScalarType::Bool
                    && self.once_in(2)
                {
                    // linear functions, composed: (a, b) then (c, d) is (a c, b c + d)
                    let op = |o, x: &Exp, y: &Exp| Exp::infix(o, x.clone(), y.clone(), ts[0].clone());
                    let [a0, a1, b0, b1] = [a[0].exp(), a[1].exp(), b[0].exp(), b[1].exp()];
                    let body = Exp::tuple(vec![op("*", &a0, &b0), op("+", &op("*", &a1, &b0), &b1)]);
                    let ne = Exp::tuple(vec![Exp::lit(s.one()), Exp::lit(s.zero())]);
                    return Some((Exp::lambda(vec![Pat::Tuple(a), Pat::Tuple(b)], body), ne));
                }
                let (mut parts, mut nes) = (Vec::new(), Vec::new());
                for ((t, x), y) in ts.iter().zip(&a).zip(&b) {
                    let (op, ne) = self.monoid(t)?;
                    parts.push(applied(op, vec![x.exp(), y.exp()], t));
                    nes.push(ne);
                }
                Some((Exp::lambda(vec![Pat::Tuple(a), Pat::Tuple(b)], Exp::tuple(parts)), Exp::tuple(nes)))
            }
            Ty::Array(n, elem) => {
                let (op, ne) = self.monoid(elem)?;
                let ty = Ty::fun(vec![op.ty.clone(), t.clone(), t.clone()], t.clone());
                let map2 = Exp::new(Kind::Var("map2".into()), ty);
                let op = Exp::new(Kind::App(map2, vec![op]), binary(t));
                Some((op, Exp::call("replicate", vec![n.exp(), ne], t.clone())))
            }
            Ty::Fun(..) | Ty::Param(_) => None,
        }
    }

    // Functions.

    /// A function of this type.
    pub fn function(&mut self, params: &[Ty], ret: &Ty, d: usize) -> Exp {
        let ty = Ty::fun(params.to_vec(), ret.clone());
        for _ in 0..2 {
            if let Some(f) = self.short_function(params, ret, &ty, d) {
                return f;
            }
        }
        let pats: Vec<Pat> = params.iter().map(|t| self.pattern(t, false)).collect();
        let pats = pats.into_iter().map(|p| self.typed_at_random(p)).collect::<Vec<_>>();
        let body = self.with(pats.iter().flat_map(Pat::names).collect(), |m| m.exp(ret, d));
        Exp::lambda(pats, body)
    }

    fn typed_at_random(&mut self, p: Pat) -> Pat {
        match p {
            Pat::Name(n, t, typed) => Pat::Name(n, t, typed || self.once_in(2)),
            p => p,
        }
    }

    /// A function that is written without a lambda.
    fn short_function(&mut self, params: &[Ty], ret: &Ty, ty: &Ty, d: usize) -> Option<Exp> {
        let numeric = |t: &Ty| matches!(t, Ty::Scalar(s) if *s != ScalarType::Bool);
        let here = self.scope.iter().filter(|(_, u)| u == ty).map(|(n, _)| n.clone()).collect::<Vec<_>>();
        Some(match (self.roll(8), params) {
            (0, _) => Exp::var(&self.pick(&here)?, ty),
            (1, [a, b]) if a == b && a == ret && numeric(a) => {
                Exp::new(Kind::Operator(["+", "-", "*"][self.roll(3)]), ty.clone())
            }
            (1 | 2, [a]) if a == ret && numeric(a) => {
                let e = self.exp(a, d.min(1));
                match self.roll(4) {
                    0 => Exp::new(Kind::Left(e, "-"), ty.clone()),
                    1 => Exp::new(Kind::Left(e, "*"), ty.clone()),
                    2 => Exp::new(Kind::Right("+", e), ty.clone()),
                    _ => Exp::new(Kind::Right("*", e), ty.clone()),
                }
            }
            (2, [a]) if *ret == Ty::BOOL && numeric(a) => {
                let e = self.exp(a, d.min(1));
                Exp::new(Kind::Right(["<", ">=", "=="][self.roll(3)], e), ty.clone())
            }
            (3, [Ty::Tuple(ts)]) => Exp::new(Kind::Field(ts.iter().position(|t| t == ret)?), ty.clone()),
            (3, [Ty::Scalar(s)]) if params[0] == *ret && s.is_float() => {
                Exp::var(&format!("{s}.{}", ["sin", "cos", "tanh", "abs"][self.roll(4)]).into(), ty)
            }
            (4, [a]) if d > 0 && self.once_in(2) => {
                let middle = self.value_type(1);
                let f = self.function(std::slice::from_ref(a), &middle, d - 1);
                let g = self.function(&[middle], ret, d - 1);
                Exp::new(Kind::Compose(f, g), ty.clone())
            }
            (5 | 6, _) => {
                // a definition, perhaps with its first arguments
                let defs = self.defs.clone();
                let fits = defs.iter().filter_map(|s| {
                    let first = s.params.len().checked_sub(params.len())?;
                    let mut subst = matched(&s.ret, ret, s)?;
                    let all = s.params[first..].iter().zip(params).all(|(p, t)| matches(p, t, s, &mut subst));
                    all.then_some((s, first, subst))
                });
                let fits: Vec<_> = fits.collect();
                let (sig, first, subst) = self.pick(&fits)?;
                let (all, result) = self.instance(sig, subst);
                let f = Exp::var(&sig.name, &Ty::fun(all.clone(), result));
                if first == 0 {
                    return Some(f);
                }
                let args = all[..first].iter().map(|t| self.exp(t, d.min(2))).collect();
                Exp::new(Kind::App(f, args), ty.clone())
            }
            _ => return None,
        })
    }
}

/// An operator applied to all its arguments: infix, if it is a symbol.
pub fn applied(op: Exp, mut args: Vec<Exp>, ret: &Ty) -> Exp {
    match (*op.kind, args.len()) {
        (Kind::Operator(symbol), 2) => {
            let b = args.pop();
            let a = args.pop();
            match (a, b) {
                (Some(a), Some(b)) => Exp::infix(symbol, a, b, ret.clone()),
                _ => panic!("internal error: an operator without arguments"),
            }
        }
        (Kind::App(f, mut first), _) => {
            first.append(&mut args);
            Exp::new(Kind::App(f, first), ret.clone())
        }
        (kind, _) => Exp::new(Kind::App(Exp::new(kind, op.ty), args), ret.clone()),
    }
}

fn has_lambda(e: &Exp) -> bool {
    e.any(&|e| matches!(&*e.kind, Kind::Lambda(..)))
}

/// A `let` whose names are all used: those that are not are left out, the whole if none is.
fn used(p: Pat, e: Exp, body: Exp) -> Exp {
    match p.names().iter().any(|(n, _)| body.uses(n) > 0) {
        true => Exp::bind(p, e, body),
        false => body,
    }
}

/// The sizes and types for which a definition's type is this one.
fn matched(pattern: &Ty, t: &Ty, sig: &Signature) -> Option<Subst> {
    let mut subst = Subst::default();
    matches(pattern, t, sig, &mut subst).then_some(subst)
}

/// Whether a type is this one for some sizes and types, which are added to those known.
pub fn matches(pattern: &Ty, t: &Ty, sig: &Signature, subst: &mut Subst) -> bool {
    match (pattern, t) {
        (Ty::Param(a), _) if sig.types.contains(a) => {
            if t.any(&|t| matches!(t, Ty::Fun(..))) {
                return false;
            }
            *subst.types.entry(a.clone()).or_insert(t.clone()) == *t
        }
        (Ty::Array(Size::Name(n), p), Ty::Array(m, t)) if sig.sizes.contains(n) => {
            *subst.sizes.entry(n.clone()).or_insert(m.clone()) == *m && matches(p, t, sig, subst)
        }
        (Ty::Array(n, p), Ty::Array(m, t)) => n == m && matches(p, t, sig, subst),
        (Ty::Tuple(ps), Ty::Tuple(ts)) => {
            ps.len() == ts.len() && ps.iter().zip(ts).all(|(p, t)| matches(p, t, sig, subst))
        }
        (Ty::Fun(ps, r), Ty::Fun(ts, s)) => {
            ps.len() == ts.len()
                && ps.iter().zip(ts).all(|(p, t)| matches(p, t, sig, subst))
                && matches(r, s, sig, subst)
        }
        _ => pattern == t,
    }
}

