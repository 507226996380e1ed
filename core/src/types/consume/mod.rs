//! Uniqueness: a value that has been consumed (updated in place, or given to a function that may do so) is not used again, nor anything that may share
//! memory with it.
//!
//! One walk over a typed definition, in the order of evaluation, keeps for each name the places that its parts may be in ([`places`], [`aliases`]), and
//! which places have been consumed on the paths up to here. It also finds what the program does not say: which parts of a loop's parameter are consumed,
//! and what of an undeclared result is an alias of nothing.
//!
//! Note [What is out of reach]: a function or the body of a loop may run many times, or never, so what is from outside may not be consumed there. Places
//! are numbered, so all that is outside has lower numbers than `floor`.
//!
//! Note [Uses that wait]: a function uses what its body uses each time it is called, and a loop in each turn, so these uses are remembered: the closure's
//! aliases are made of them, and the loop checks them once it is known what of its initial value it consumes.
//!
//! Note [Values that wait]: a value that has been computed is still there when its neighbour is: `(xs, xs with [0] = 1)`. It must not have been consumed
//! meanwhile. Futhark 0.25.32 sees this in some places only.
//!
//! Note [Values of the top level]: a value of the top level is there for all, so its arrays may neither be consumed nor be (in) the result of a function, whose
//! caller might consume it. That goes for what its type shows to be arrays, as in Futhark (0.25.32, and 0.28): of a function, and of a type of which nothing is
//! known, no aliases are tracked. Nothing is lost by it, since lowering evaluates such a value anew at each use.
//!
//! Note [Freshness of undeclared results]: a result without a declared type is an alias of nothing in the parts that can only be in places that the
//! function made or was given to consume, and that no other part of the result may be in. For definitions of the top level this becomes part of their
//! type, for local functions part of what is known of their aliases. A declared result of a definition is what it says; of a local function more may be
//! known, as in Futhark 0.25.32.

mod aliases;
mod calls;
mod errors;
mod expr;
mod loops;
mod places;
#[cfg(test)]
mod tests;

use super::ty::{Id, Name, Type, Unique};
use super::typed::{Def, Expr, Pat, PatKind};
use crate::diag::Diagnostic;
use crate::hash::{HashMap, HashSet};
use crate::source::{SourceMap, Span};
use aliases::{Aliases, from_marks, marks, shows_arrays};
use places::{Owner, Places, Set};
use std::sync::Arc;

/// Reports what is wrong with consumption in a definition, and completes the definition: what its loops consume, and what of undeclared results is an
/// alias of nothing, also in its type. What is in a functor, `in_functor`, has been checked when nothing was known of its abstract types.
pub(super) fn check(def: &mut Def, in_functor: bool, sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
    let mut c = Consume {
        in_functor,
        places: Places::new(),
        names: HashMap::default(),
        globals: HashMap::default(),
        waiting: vec![],
        // mutant: what is used outside of all functions and loops waits for nobody
        around: 0,
        floor: Set::EMPTY,
        sources,
        diagnostics,
    };
    if def.params.is_empty() {
        c.expr(&mut def.body);
        if def.fresh.as_ref().is_some_and(|fresh| marks(&def.body.ty, fresh).contains(&true)) {
            c.unique_constant(def.span);
        }
        return;
    }
    let function = c.function(&def.params, &def.consumes, &def.fresh, &mut def.body);
    if def.fresh.is_none() {
        def.scheme.ty = with_fresh(&def.scheme.ty, def.params.len(), &function.fresh);
        // mutant: lowering marks the result of the function; where it does not, it copies the result of a call before it is updated, to the same
        //   effect
        def.fresh = Some(function.fresh);
    }
}

/// The type of a function, when it is known what of its result after `n` arguments is an alias of nothing.
fn with_fresh(ty: &Type, n: usize, fresh: &Unique) -> Type {
    let Type::Fun(f) = ty else { return ty.clone() };
    let mut f = (**f).clone();
    match n {
        0 => return ty.clone(),
        1 => f.fresh = fresh.clone(),
        _ => f.ret = with_fresh(&f.ret, n - 1, fresh),
    }
    Type::Fun(Arc::new(f))
}

/// The state of the walk.
struct Consume<'a> {
    /// Is the definition a functor's, at what it is applied to?
    in_functor: bool,
    places: Places,
    /// The aliases of each name that has been bound.
    names: HashMap<Id, Aliases>,
    /// The place of each definition that has been used.
    globals: HashMap<Id, Set>,
    /// See Note [Uses that wait].
    waiting: Vec<(Set, Span)>,
    /// How many functions and loops are around.
    around: usize,
    /// See Note [What is out of reach].
    floor: Set,
    sources: &'a SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// What has been found out about a function.
struct Function {
    /// What it uses of its surroundings.
    captured: Set,
    /// What of its result is an alias of nothing.
    fresh: Unique,
}

/// What there was before a function or loop.
struct Outside {
    floor: Set,
    first: Set,
    then: usize,
    waiting: usize,
}

impl Consume<'_> {
    /// Goes into a function or loop.
    fn enter(&mut self) -> Outside {
        let first = self.places.next();
        // mutant off by one: it is asked only whether there is a function or a loop around
        self.around += 1;
        let floor = std::mem::replace(&mut self.floor, first);
        Outside { floor, first, then: self.places.now(), waiting: self.waiting.len() }
    }

    /// Leaves it. What it consumed was its own. Returns what it used.
    fn leave(&mut self, outside: &Outside) -> Vec<(Set, Span)> {
        self.places.rewind(outside.then);
        // mutant sign: what is used outside of all functions and loops waits for nobody
        self.around -= 1;
        self.floor = outside.floor;
        let mut seen = HashSet::default();
        let mut used = self.waiting.split_off(outside.waiting);
        // mutant: what is used twice is looked at twice
        used.retain(|(set, _)| seen.insert(*set));
        // mutant comparison: what is used outside of all functions and loops waits for nobody
        if self.around > 0 {
            self.waiting.extend(&used);
        }
        used
    }

    /// A function, of which `fresh` is declared.
    fn function(&mut self, params: &[Pat], consumes: &[Unique], fresh: &Option<Unique>, body: &mut Expr) -> Function {
        let outside = self.enter();
        for (i, p) in params.iter().enumerate() {
            self.param(p, consumes.get(i).unwrap_or(&Unique::No));
        }
        let result = self.expr(body);
        let sets = result.parts(&body.ty, false);
        self.no_globals(&body.ty, &result, body.span);
        if let Some(declared) = fresh.as_ref().filter(|u| u.any()) {
            self.returned(&sets, &marks(&body.ty, declared), body.span);
        }
        let fresh: Vec<bool> = self.unshared(&sets);
        let fresh = from_marks(&body.ty, &fresh);
        let used = self.leave(&outside);
        // its own places have nothing to do with the outside, and what is defined at the top level is there for all functions
        let mut captured = Set::EMPTY;
        for (set, _) in used {
            if set < outside.first && self.globals.is_empty() {
                captured = self.places.join(captured, set);
                continue;
            }
            for place in self.places.places(set) {
                if place < outside.first && self.places.owner(place) != Owner::Global {
                    captured = self.places.join(captured, place);
                }
            }
        }
        Function { captured, fresh }
    }

    /// Which parts of a result are in places that nobody else has, and no other part is in.
    fn unshared(&mut self, sets: &[Set]) -> Vec<bool> {
        let all: Vec<Vec<Set>> = sets.iter().map(|set| self.places.places(*set)).collect();
        let mut count: HashMap<Set, usize> = HashMap::default();
        for place in all.iter().flatten() {
            *count.entry(*place).or_default() += 1;
        }
        let own = |places: &Vec<Set>| places.iter().all(|p| count.get(p) == Some(&1) && self.consumable(*p));
        all.iter().map(own).collect()
    }

    /// May the place be consumed here?
    fn consumable(&self, place: Set) -> bool {
        place >= self.floor && self.places.owner(place) == Owner::Own
    }

    /// Binds a parameter: each part of it is a place, which may be consumed if its name is marked anywhere.
    fn param(&mut self, pat: &Pat, consumes: &Unique) {
        match &pat.kind {
            PatKind::Record(fields) => fields.iter().for_each(|(name, p)| self.param(p, &consumes.field(name))),
            _ => {
                let owner = if consumes.any() { Owner::Own } else { Owner::Caller };
                let aliases = self.places.places_for(&pat.ty, None, owner);
                self.bind(pat, &aliases);
            }
        }
    }

    /// Binds a pattern.
    fn bind(&mut self, pat: &Pat, aliases: &Aliases) {
        match &pat.kind {
            PatKind::Name(id) => {
                let named = self.places.named(&pat.ty, aliases, Some(&id.name));
                self.names.insert(id.clone(), named);
            }
            PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Record(fields) => fields.iter().for_each(|(name, p)| self.bind(p, &aliases.field(name))),
            PatKind::Constr(_, pats) => {
                // what a constructor holds is one thing
                let whole = self.places.named(&pat.ty, aliases, None);
                pats.iter().for_each(|p| self.bind(p, &whole));
            }
        }
    }

    /// The aliases of a name.
    fn name(&mut self, id: &Id, ty: &Type) -> Aliases {
        if let Some(aliases) = self.names.get(id) {
            return aliases.clone();
        }
        if !shows_arrays(ty) {
            return Aliases::NONE;
        }
        let places = &mut self.places;
        let set = self.globals.entry(id.clone()).or_insert_with(|| places.place(Some(id.name.clone()), Owner::Global));
        Aliases::global(ty, *set)
    }

    /// Uses all of a value.
    fn observe(&mut self, ty: &Type, aliases: &Aliases, span: Span) {
        for set in aliases.parts(ty, true) {
            self.observe_set(set, span);
        }
    }

    fn observe_set(&mut self, set: Set, span: Span) {
        if set.is_empty() {
            return;
        }
        // mutant comparison: what is used outside of all functions and loops waits for nobody
        if self.around > 0 {
            self.waiting.push((set, span));
        }
        if let Some((place, at)) = self.places.consumed(set) {
            self.used_after(place, span, at);
        }
    }

    /// Consumes what is in a set.
    fn consume(&mut self, set: Set, span: Span) {
        for place in self.places.places(set) {
            if let Some((_, at)) = self.places.consumed(place) {
                self.used_after(place, span, at);
            } else if self.consumable(place) {
                self.places.consume(place, span);
            } else {
                self.not_consumable(place, span);
                return;
            }
        }
    }

    /// A place that is in both sets.
    fn overlap(&mut self, a: Set, b: Set) -> Option<Set> {
        // mutant: of an empty set nothing is in the other
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let a: HashSet<Set> = self.places.places(a).into_iter().collect();
        self.places.places(b).into_iter().find(|p| a.contains(p))
    }

    /// A place that is in several of the sets, at least one of them marked, with the numbers of two such sets, the marked one last if possible.
    fn shared(&mut self, sets: &[Set], marked: &[bool]) -> Option<(Set, usize, usize)> {
        let mut first: HashMap<Set, Vec<usize>> = HashMap::default();
        for (i, set) in sets.iter().enumerate() {
            for place in self.places.places(*set) {
                let others = first.entry(place).or_default();
                if let Some(j) = others.iter().find(|j| marked[i] || marked[**j]) {
                    return Some((place, *j, i));
                }
                // one that is not marked is as good as many
                if others.is_empty() || marked[i] {
                    others.push(i);
                }
            }
        }
        None
    }

    /// The name of a place, for messages.
    fn called(&self, place: Set) -> Option<Name> {
        self.places.name(place)
    }
}
