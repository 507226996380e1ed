//! Random functions, calls, and derivatives.

use super::*;

impl Maker {
    /// A call of a definition, or of a variable that is a function.
    pub(super) fn call(&mut self, t: &Ty, d: usize) -> Option<Exp> {
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
    pub(super) fn instance(&mut self, sig: &Signature, mut subst: Subst) -> (Vec<Ty>, Ty) {
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

    /// A function of the prelude that takes functions.
    pub(super) fn combinator(&mut self, t: &Ty, d: usize) -> Option<Exp> {
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

    pub(super) fn tame_function(&mut self, params: &[Ty], ret: &Ty, d: usize) -> Exp {
        let pats: Vec<Pat> = params.iter().map(|t| self.pattern(t, true)).collect();
        let body = self.with(pats.iter().flat_map(Pat::names).collect(), |m| m.tame(ret, d));
        Exp::lambda(pats, body)
    }

    /// A derivative.
    pub(super) fn derivative(&mut self, t: &Ty, d: usize) -> Option<Exp> {
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

    pub(super) fn typed_at_random(&mut self, p: Pat) -> Pat {
        match p {
            Pat::Name(n, t, typed) => Pat::Name(n, t, typed || self.once_in(2)),
            p => p,
        }
    }

    /// A function that is written without a lambda.
    pub(super) fn short_function(&mut self, params: &[Ty], ret: &Ty, ty: &Ty, d: usize) -> Option<Exp> {
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

pub(super) fn has_lambda(e: &Exp) -> bool {
    e.any(&|e| matches!(&*e.kind, Kind::Lambda(..)))
}

/// A `let` whose names are all used: those that are not are left out, the whole if none is.
pub(super) fn used(p: Pat, e: Exp, body: Exp) -> Exp {
    match p.names().iter().any(|(n, _)| body.uses(n) > 0) {
        true => Exp::bind(p, e, body),
        false => body,
    }
}

/// The sizes and types for which a definition's type is this one.
pub(super) fn matched(pattern: &Ty, t: &Ty, sig: &Signature) -> Option<Subst> {
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
