//! Random arrays and tuples, and what they are reduced with.

use super::functions::has_lambda;
use super::*;

impl Maker {
    pub(super) fn tuple(&mut self, ts: &[Ty], d: usize) -> Option<Exp> {
        let t = Ty::Tuple(ts.to_vec());
        if self.once_in(3)
            && let [Ty::Array(n, a), Ty::Array(m, b)] = ts
            && n == m
        {
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
    pub(super) fn any_array(&mut self, elem: &Ty, d: usize) -> Exp {
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

    pub(super) fn array(&mut self, n: &Size, elem: &Ty, d: usize) -> Option<Exp> {
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
    pub(super) fn reduced(&mut self, t: &Ty, xs: Exp) -> Option<Exp> {
        let (op, ne) = self.monoid(t)?;
        let name = if self.once_in(4) && !has_lambda(&op) { "reduce_comm" } else { "reduce" };
        Some(Exp::call(name, vec![op, ne, xs], t.clone()))
    }

    /// An associative operator and its neutral element.
    pub(super) fn monoid(&mut self, t: &Ty) -> Option<(Exp, Exp)> {
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
                        let k =
                            Exp::lit(if s.is_float() { Scalar::from_f64(*s, 0.25) } else { Scalar::from_i64(*s, 2) });
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
}
