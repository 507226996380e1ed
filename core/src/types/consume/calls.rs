//! Calls: what they consume, and what their results are aliases of.

use super::Consume;
use super::aliases::{Aliases, Closure, in_memory};
use super::places::{Owner, Set};
use crate::source::Span;
use crate::types::ty::{FunType, Name, Type, Unique};
use crate::types::typed::{Expr, Step, StepKind, evaluation_order};
use std::sync::Arc;

/// An argument that has been evaluated.
struct Given {
    ty: Type,
    aliases: Aliases,
    span: Span,
    consumed: bool,
}

impl Consume<'_> {
    pub(super) fn apply(&mut self, f: &mut Expr, args: &mut [Expr], ty: &Type) -> Aliases {
        let arrows = arrows(&f.ty, args.len());
        let mut given = vec![];
        for i in evaluation_order(args) {
            let argument = self.argument(&mut args[i], &arrows, i, &given);
            given.push(argument);
        }
        self.call(f, args.len(), &arrows, given, ty)
    }

    /// A value, to which each step in turn is applied.
    pub(super) fn chain(&mut self, first: &mut Expr, steps: &mut [Step]) -> Aliases {
        let mut ty = first.ty.clone();
        let mut span = first.span;
        let mut aliases = self.expr(first);
        for step in steps {
            aliases = match &mut step.kind {
                StepKind::And(x) | StepKind::Or(x) => self.expr(x),
                StepKind::Apply(f, None, _) => {
                    // mutant: with more arrows than arguments the result is a function, of which nothing is new
                    let arrows = arrows(&f.ty, 1);
                    if consumes(&arrows, 0) && in_memory(&ty) {
                        self.consuming_pipe(f);
                    }
                    let given = Given { ty, aliases, span, consumed: false };
                    self.call(f, 1, &arrows, vec![given], &step.ty)
                }
                StepKind::Apply(f, Some(x), _) => {
                    // mutant: with more arrows than arguments the result is a function, of which nothing is new
                    let arrows = arrows(&f.ty, 2);
                    let right = self.argument(x, &arrows, 1, &[]);
                    // mutant: the call looks at all that it is given, or consumes it
                    self.observe(&ty, &aliases, span);
                    let left = Given { ty, aliases, span, consumed: consumes(&arrows, 0) };
                    let right = [right];
                    self.give(&left, &right);
                    self.call(f, 2, &arrows, right.into_iter().chain([left]).collect(), &step.ty)
                }
            };
            ty = step.ty.clone();
            span = step.span;
        }
        aliases
    }

    /// Evaluates argument number `i`.
    fn argument(&mut self, e: &mut Expr, arrows: &[Arc<FunType>], i: usize, others: &[Given]) -> Given {
        let aliases = self.kept(e, |c, e| c.consuming_argument(e));
        let given = Given { ty: e.ty.clone(), aliases, span: e.span, consumed: consumes(arrows, i) };
        self.give(&given, others);
        given
    }

    /// Evaluates an expression whose value is kept for later. A function among it must not have consumed anything.
    pub(super) fn kept(&mut self, e: &mut Expr, complain: impl FnOnce(&mut Self, &Expr)) -> Aliases {
        let (then, next) = (self.places.now(), self.places.next());
        let aliases = self.expr(e);
        if self.places.consumed_since(then, next) && e.ty.has_function() {
            complain(self, e);
        }
        aliases
    }

    /// Consumes an argument, if it is to be consumed.
    fn give(&mut self, given: &Given, others: &[Given]) {
        if !given.consumed {
            return;
        }
        let sets = given.aliases.parts(&given.ty, true);
        if self.shared(&sets, &vec![true; sets.len()]).is_some() {
            return self.self_aliased(given.span);
        }
        for other in others {
            for theirs in other.aliases.parts(&other.ty, true) {
                for ours in &sets {
                    if let Some(place) = self.overlap(*ours, theirs) {
                        return self.aliased_argument(place, given.span, other.span);
                    }
                }
            }
        }
        sets.iter().for_each(|set| self.consume(*set, given.span));
    }

    /// The call of a function with `n` arguments that have been evaluated. Returns the aliases of the result, of type `ty`: if it is no alias of nothing, it
    /// may be one of everything that was given and not consumed, and of what the function uses.
    fn call(&mut self, f: &mut Expr, n: usize, arrows: &[Arc<FunType>], given: Vec<Given>, ty: &Type) -> Aliases {
        let function = self.expr(f);
        let mut closure = match function {
            Aliases::Fun(closure) => closure,
            Aliases::All(captured) => Closure { captured, fresh: None },
            Aliases::Record(_) => Closure { captured: Set::EMPTY, fresh: None },
        };
        let then_held = given.iter().filter(|g| !g.consumed && in_memory(&g.ty));
        let mut all = closure.captured;
        for g in then_held {
            self.observe(&g.ty, &g.aliases, g.span);
            for set in g.aliases.parts(&g.ty, true) {
                all = self.places.join(all, set);
            }
        }
        if !in_memory(ty) {
            return Aliases::NONE;
        }
        let declared = arrows.last().filter(|_| arrows.len() == n).map_or(Unique::No, |f| f.fresh.clone());
        let fresh = match &closure.fresh {
            Some((left, fresh)) if *left == n => fresh.clone(),
            _ => declared,
        };
        // mutant comparison: no call has no arguments
        closure.fresh = closure.fresh.filter(|(left, _)| *left > n).map(|(left, fresh)| (left - n, fresh));
        if let Type::Fun(_) = ty {
            return Aliases::Fun(Closure { captured: all, ..closure });
        }
        // mutant dropped term: a result that is new has no aliases, whatever it could be one of
        if all.is_empty() && fresh != Unique::Yes {
            // parts of it may be aliases of each other
            all = self.places.place(None, Owner::Own);
        }
        result(ty, &fresh, all)
    }
}

/// The first arrows of a function's type.
fn arrows(ty: &Type, n: usize) -> Vec<Arc<FunType>> {
    let mut arrows = vec![];
    let mut ty = ty;
    while let Type::Fun(f) = ty
        // mutant: with more arrows than arguments the result is a function, of which nothing is new
        && arrows.len() < n
    {
        arrows.push(f.clone());
        ty = &f.ret;
    }
    arrows
}

/// Does a call consume this argument? If any part of a parameter is marked, then the whole argument is.
fn consumes(arrows: &[Arc<FunType>], i: usize) -> bool {
    // mutant negation: a function has an arrow for each argument
    arrows.get(i).is_some_and(|f| f.consumes.any())
}

/// A result that is an alias of all this, but for its fresh parts.
fn result(ty: &Type, fresh: &Unique, all: Set) -> Aliases {
    match (fresh, ty) {
        (Unique::Yes, _) => Aliases::NONE,
        (Unique::Fields(_), Type::Record(fields)) => {
            let field = |(name, t): &(Name, Type)| (name.clone(), result(t, &fresh.field(name), all));
            Aliases::Record(fields.iter().map(field).collect())
        }
        _ => Aliases::All(all),
    }
}
