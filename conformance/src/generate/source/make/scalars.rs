//! Random numbers and truth values: arithmetic, functions of the prelude, reductions.

use super::*;

impl Maker {
    /// A number: arithmetic, functions of the prelude, reductions.
    pub(super) fn number(&mut self, s: ScalarType, d: usize) -> Option<Exp> {
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
                finite(s, Exp::call(&format!("{s}.{f}"), vec![xs], t))
            }
            10 => {
                let xs = self.any_array(&t, d);
                finite(s, self.reduced(&t, xs)?)
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
    pub(super) fn sized(&mut self, s: ScalarType, d: usize) -> Option<Exp> {
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

    pub(super) fn quotient(&mut self, s: ScalarType, a: Exp, b: Exp) -> Exp {
        let t = Ty::Scalar(s);
        let square = Exp::call(&format!("{s}.abs"), vec![b], t.clone());
        let divisor = Exp::infix("+", Exp::lit(Scalar::from_f64(s, 1.5)), square, t.clone());
        Exp::infix("/", a, divisor, t)
    }

    pub(super) fn integer_operator(&mut self, s: ScalarType, a: Exp, b: Exp) -> Exp {
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

    pub(super) fn float_function(&mut self, s: ScalarType, d: usize) -> Exp {
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
                // the last argument is from 0 to 1; Futhark leaves open what happens elsewhere
                let (y, z) = (self.leaf(&t), self.leaf(&t));
                Exp::call(&format!("{s}.lerp"), vec![x, y, f("abs", f("tanh", z))], t)
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

    pub(super) fn converted(&mut self, s: ScalarType, d: usize) -> Exp {
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

    pub(super) fn truth(&mut self, d: usize) -> Exp {
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
}

/// What reduces an array, which may be infinite if that has no elements, as a number that is not: of infinity times zero no operator has a neutral element.
fn finite(s: ScalarType, reduced: Exp) -> Exp {
    if !s.is_float() {
        return reduced;
    }
    let limit = |f: &str, by: f64, x: Exp| {
        Exp::call(&format!("{s}.{f}"), vec![Exp::lit(Scalar::from_f64(s, by)), x], Ty::Scalar(s))
    };
    limit("max", -1024.0, limit("min", 1024.0, reduced))
}
