//! Derivatives, and functions with derivatives of their own.

use super::array_of;
use crate::ir::*;
use crate::lower::Lowerer;
use crate::lower::value::{Shape, Val};

impl Lowerer<'_> {
    /// The value of a function and its derivative, in one direction or in as many as `directions` says.
    pub(super) fn derivative(
        &mut self,
        forward: bool,
        from: &Shape,
        to: &Shape,
        directions: &[Dim],
        args: &[Val],
    ) -> Val {
        let [f, x, seed] = args else { panic!("internal error: a derivative takes three arguments") };
        let in_all = |t: &Shape| directions.iter().rev().fold(t.clone(), |t, n| array_of(*n, &t));
        let (seeds, derivatives) = if forward { (from, to) } else { (to, from) };
        let x = self.coerce(x.clone(), from);
        let seed = self.coerce(seed.clone(), &in_all(seeds));
        let lambda = self.lambda(&[("x", from)], to, |l, args| l.apply(f.clone(), args));
        let ad = Ad { lambda, args: x.leaves(), seeds: seed.leaves(), seed_shape: directions.to_vec() };
        let results = self.emit("ad", if forward { Exp::Jvp(ad) } else { Exp::Vjp(ad) });
        let mut results = results.into_iter().map(SubExp::from);
        let value = to.value(&mut results);
        let primal = if forward { value.leaves() } else { x.leaves() };
        let derivative = in_all(derivatives).value(&mut results);
        let derivative = self.with_tags_of(&primal, derivatives, derivative, directions);
        Val::Tuple(vec![value, derivative])
    }

    /// The derivative of a value of this type, in which sums have the constructors that they have in the value: the number of a constructor is no number that varies,
    /// and its derivative, zero, would be that of another constructor.
    fn with_tags_of(&mut self, primal: &[SubExp], shape: &Shape, derivative: Val, directions: &[Dim]) -> Val {
        let tags = shape.tags();
        if !tags.contains(&true) {
            return derivative;
        }
        let mut leaves = Vec::new();
        for ((e, tag), primal) in derivative.leaves().into_iter().zip(tags).zip(primal) {
            leaves.push(match (tag, directions) {
                (false, _) => e,
                (true, []) => *primal,
                (true, shape) => self.emit("tag", Exp::Replicate { shape: shape.to_vec(), value: *primal })[0].into(),
            });
        }
        derivative.with(&mut leaves.into_iter())
    }

    /// `with_vjp f f' x`, where `f` gives a tape and a value, and `f'` from the tape and the adjoint of the value the adjoint of `x`.
    pub(super) fn with_vjp(&mut self, from: &Shape, to: &Shape, tape: &Shape, args: &[Val]) -> Val {
        let [f, rule, x] = args else { panic!("internal error: with_vjp takes three arguments") };
        let taped = Shape::Record(vec![tape.clone(), to.clone()]);
        let vjp =
            self.lambda(&[("tape", tape), ("y", to)], from, |l, args| l.apply(rule.clone(), vec![Val::Tuple(args)]));
        self.custom(f, x, from, &taped, to, |c| Custom { saved: tape.leaves().len(), vjp: Some(vjp), ..c })
    }

    /// `with_jvp f f' x`, where `f'` gives from `x` and its tangent the tangent of the value.
    pub(super) fn with_jvp(&mut self, from: &Shape, to: &Shape, args: &[Val]) -> Val {
        let [f, rule, x] = args else { panic!("internal error: with_jvp takes three arguments") };
        let jvp = self.lambda(&[("x", from), ("dx", from)], to, |l, args| l.apply(rule.clone(), args));
        self.custom(f, x, from, to, to, |c| Custom { jvp: Some(jvp), ..c })
    }

    fn custom(
        &mut self,
        f: &Val,
        x: &Val,
        from: &Shape,
        all: &Shape,
        to: &Shape,
        ruled: impl FnOnce(Custom) -> Custom,
    ) -> Val {
        let args = self.coerce(x.clone(), from).leaves();
        let lambda = self.lambda(&[("x", from)], all, |l, args| l.apply(f.clone(), args));
        let custom = ruled(Custom { lambda, saved: 0, vjp: None, jvp: None, args });
        let results = self.emit("custom", custom.into());
        to.value(&mut results.into_iter().map(SubExp::from))
    }
}
