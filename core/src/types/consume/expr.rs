//! The walk over expressions.

use super::Consume;
use super::aliases::{Aliases, Closure, from_parts, in_memory};
use super::places::{Owner, Set};
use crate::hash::HashMap;
use crate::source::Span;
use crate::types::ty::{Arg, Id, Name, Type};
use crate::types::typed::{Access, Binding, Expr, ExprKind, Index, Pat, value_first};
use std::sync::Arc;

/// What came of a branch: the aliases of its result, and what it consumed.
type Branch = (Aliases, Vec<(Set, Span)>);

impl Consume<'_> {
    /// Evaluates an expression; returns the aliases of its value.
    pub(super) fn expr(&mut self, e: &mut Expr) -> Aliases {
        stacker::maybe_grow(128 << 10, 2 << 20, || {
            let aliases = self.expr_inner(e);
            if matches!(e.ty, Type::Scalar(_)) { Aliases::NONE } else { aliases }
        })
    }

    fn expr_inner(&mut self, e: &mut Expr) -> Aliases {
        match &mut e.kind {
            ExprKind::Lit(_)
            | ExprKind::Intrinsic(..)
            | ExprKind::Prim(_)
            | ExprKind::Op(..)
            | ExprKind::Hole(_)
            | ExprKind::Error => Aliases::NONE,
            ExprKind::Var(..)
            | ExprKind::Project(..)
            | ExprKind::Coerce(_)
            | ExprKind::Attr(..)
            | ExprKind::Break(..) => {
                let aliases = self.part(e);
                self.observe(&e.ty, &aliases, e.span);
                aliases
            }
            ExprKind::Record(fields) => {
                let then = self.places.now();
                let aliases: Vec<(Name, Aliases)> =
                    fields.iter_mut().map(|(name, e)| (name.clone(), self.expr(e))).collect();
                let values = fields.iter().map(|(_, e)| e).zip(aliases.iter().map(|(_, a)| a));
                self.still_there(then, values);
                Aliases::Record(aliases.into())
            }
            ExprKind::Constr(_, es) => {
                let then = self.places.now();
                let aliases: Vec<Aliases> = es.iter_mut().map(|e| self.expr(e)).collect();
                self.still_there(then, es.iter().zip(&aliases));
                let sets: Vec<Set> = es.iter().zip(&aliases).flat_map(|(e, a)| a.parts(&e.ty, true)).collect();
                Aliases::All(self.join_all(&sets))
            }
            // the elements are copied
            ExprKind::Array(es) => {
                let then = self.places.now();
                let aliases: Vec<Aliases> = es.iter_mut().map(|e| self.expr(e)).collect();
                self.still_there(then, es.iter().zip(&aliases));
                Aliases::NONE
            }
            ExprKind::Index(array, indices) => {
                let aliases = self.part(array);
                self.indices(indices);
                self.observe(&array.ty, &aliases, array.span);
                aliases
            }
            ExprKind::Update(source, path, value) => self.update(source, path, value, e.span),
            ExprKind::Assert(condition, e) => {
                self.expr(condition);
                self.expr(e)
            }
            ExprKind::Apply(f, args, _) if args.is_empty() => self.expr(f),
            ExprKind::Apply(f, args, _) => self.apply(f, args, &e.ty),
            ExprKind::Chain(first, steps) => self.chain(first, steps),
            ExprKind::Lambda(lambda) => {
                let lambda = Arc::make_mut(lambda);
                let function = self.function(&lambda.params, &lambda.consumes, &lambda.fresh, &mut lambda.body);
                let fresh = Some((lambda.params.len(), function.fresh));
                Aliases::Fun(Closure { captured: function.captured, fresh })
            }
            ExprKind::If(branches, other, _) => {
                let mut ends = vec![];
                for (condition, e) in branches {
                    self.expr(condition);
                    ends.push(self.branch(e));
                }
                ends.push(self.branch(other));
                self.one_of(&e.ty, ends)
            }
            ExprKind::Match(value, cases, _) => {
                let matched = self.expr(value);
                let ends = cases.iter_mut().map(|(p, e)| self.case(p, &matched, e)).collect();
                self.one_of(&e.ty, ends)
            }
            ExprKind::Block(bindings, body, _) => {
                bindings.iter_mut().for_each(|b| self.binding(b));
                self.expr(body)
            }
            ExprKind::Loop(l) => self.loop_(l),
            ExprKind::Range(r) => {
                for e in [Some(&mut r.first), r.second.as_mut(), Some(&mut r.end)].into_iter().flatten() {
                    self.expr(e);
                }
                Aliases::NONE
            }
        }
    }

    /// The aliases of a name, or of a part of one, of which nothing else is used; of any other expression, which is evaluated.
    fn part(&mut self, e: &mut Expr) -> Aliases {
        match &mut e.kind {
            // a definition whose type has size parameters is evaluated at each use, as 0.25.32 takes it; one that has type parameters only is one value
            ExprKind::Var(id, args)
                if args.iter().any(|a| matches!(a, Arg::Size(_))) && !self.names.contains_key(id) =>
            {
                Aliases::NONE
            }
            ExprKind::Var(id, _) => self.name(id, &e.ty),
            ExprKind::Project(whole, name) => {
                let aliases = stacker::maybe_grow(128 << 10, 2 << 20, || self.part(whole)).field(name);
                if in_memory(&e.ty) { aliases } else { Aliases::NONE }
            }
            ExprKind::Coerce(e) | ExprKind::Attr(_, e) => stacker::maybe_grow(128 << 10, 2 << 20, || self.part(e)),
            ExprKind::Break(locals, e) => {
                locals.retain(|(id, ty)| !self.is_consumed(id, ty));
                stacker::maybe_grow(128 << 10, 2 << 20, || self.part(e))
            }
            _ => self.expr(e),
        }
    }

    /// Whether a name may not be used any more.
    fn is_consumed(&mut self, id: &Id, ty: &Type) -> bool {
        let Some(aliases) = self.names.get(id) else { return false };
        let places: Vec<Set> = aliases.parts(ty, true).into_iter().flat_map(|set| self.places.places(set)).collect();
        places.into_iter().any(|place| self.places.is_consumed(place))
    }

    /// See Note [Values that wait].
    fn still_there<'e>(&mut self, then: usize, values: impl Iterator<Item = (&'e Expr, &'e Aliases)>) {
        // mutant: where nothing has been consumed since, there is nothing to find
        if self.places.now() > then {
            values.for_each(|(e, aliases)| self.observe(&e.ty, aliases, e.span));
        }
    }

    fn indices(&mut self, indices: &mut [Index]) {
        for e in indices.iter_mut().flat_map(Index::exprs_mut) {
            self.expr(e);
        }
    }

    /// A part that is an array is consumed where one of its elements is replaced. A field is replaced without consumption.
    fn update(&mut self, source: &mut Expr, path: &mut [Access], value: &mut Expr, span: Span) -> Aliases {
        let value_first = value_first(path);
        if value_first {
            for step in path.iter_mut() {
                if let Access::Index(indices) = step {
                    self.indices(indices);
                }
            }
        }
        let first = value_first.then(|| self.expr(value));
        let whole = self.part(source);
        let mut fields = vec![];
        let mut ty = source.ty.clone();
        let mut element = false;
        for step in path {
            match step {
                Access::Field(name) if !element => {
                    if let Type::Record(types) = &ty
                        && let Some((_, t)) = types.iter().find(|t| t.0 == *name)
                    {
                        ty = t.clone();
                    }
                    fields.push(name.clone());
                }
                Access::Field(_) => {}
                Access::Index(indices) => {
                    element = true;
                    if !value_first {
                        self.indices(indices);
                    }
                }
            }
        }
        let new = first.unwrap_or_else(|| self.expr(value));
        if !element {
            let result = whole.with(&source.ty, &fields, new);
            self.observe(&source.ty, &result, source.span);
            return result;
        }
        self.observe(&source.ty, &whole, source.span);
        // mutant: no element of an array is a function
        let old = whole.at(&fields).parts(&ty, true);
        // mutant: no element of an array is a function
        for theirs in new.parts(&value.ty, true) {
            for ours in &old {
                if let Some(place) = self.overlap(*ours, theirs) {
                    self.aliased_update(place, source.span, value.span);
                    return whole.with(&source.ty, &fields, Aliases::NONE);
                }
            }
        }
        old.iter().for_each(|set| self.consume(*set, span));
        whole.with(&source.ty, &fields, Aliases::NONE)
    }

    fn binding(&mut self, binding: &mut Binding) {
        match binding {
            Binding::Pat(p, e) => {
                let aliases = self.kept(e, |c, e| c.holds_consumption(e));
                self.bind(p, &aliases);
            }
            Binding::Fun(def) => {
                let def = Arc::make_mut(def);
                let function = self.function(&def.params, &def.consumes, &def.fresh, &mut def.body);
                if def.fresh.is_none() {
                    def.fresh = Some(function.fresh.clone());
                }
                let fresh = Some((def.params.len(), function.fresh));
                let closure = Closure { captured: function.captured, fresh };
                self.names.insert(def.id.clone(), Aliases::Fun(closure));
            }
        }
    }

    /// One of several branches. What it consumes is taken back, so that the next one can be looked at.
    fn branch(&mut self, e: &mut Expr) -> Branch {
        let then = self.places.now();
        let aliases = self.expr(e);
        (aliases, self.places.rewind(then))
    }

    fn case(&mut self, p: &Pat, matched: &Aliases, e: &mut Expr) -> Branch {
        self.bind(p, matched);
        self.branch(e)
    }

    /// The result of one of several branches, after which is consumed what any of them consumed. What one branch consumed may be the result of another:
    /// `if c then xs with [0] = 1 else xs`. Nothing but the result can be in that place from now on, so it counts as a new one.
    fn one_of(&mut self, ty: &Type, ends: Vec<Branch>) -> Aliases {
        let mut moved: HashMap<Set, Option<Set>> = HashMap::default();
        moved.extend(ends.iter().flat_map(|(_, consumed)| consumed).map(|(place, _)| (*place, None)));
        let mut result: Option<Aliases> = None;
        for (aliases, _) in &ends {
            let aliases = match moved.is_empty() {
                true => aliases.clone(),
                false => {
                    // mutant: branches give no functions
                    let sets = aliases.parts(ty, false);
                    let sets: Vec<Set> = sets.into_iter().map(|set| self.moved(set, &mut moved)).collect();
                    from_parts(ty, &mut sets.into_iter())
                }
            };
            result = Some(match result {
                Some(other) => self.places.either(other, aliases),
                None => aliases,
            });
        }
        for (place, span) in ends.into_iter().flat_map(|(_, consumed)| consumed) {
            self.places.consume(place, span);
        }
        result.unwrap_or(Aliases::NONE)
    }

    /// The set with the places that have moved replaced.
    fn moved(&mut self, set: Set, moved: &mut HashMap<Set, Option<Set>>) -> Set {
        let places = self.places.places(set);
        if !places.iter().any(|place| moved.contains_key(place)) {
            return set;
        }
        let mut all = Set::EMPTY;
        for place in places {
            let place = match moved.get_mut(&place) {
                Some(new) => {
                    let name = self.places.name(place);
                    *new.get_or_insert_with(|| self.places.place(name, Owner::Own))
                }
                None => place,
            };
            all = self.places.join(all, place);
        }
        all
    }
}
