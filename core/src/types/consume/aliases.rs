//! What a value may share memory with, part by part.

use super::places::{Owner, Places, Set};
use crate::types::ty::{Name, Type, Unique};
use std::sync::Arc;

/// The places that the parts of a value may be in. Fields of records have their own, as far as they are known apart; an
/// array has one set for all that is in it, and so has a value of a sum type: what a constructor holds is one thing.
#[derive(Clone, Debug)]
pub(super) enum Aliases {
    /// The set of every part; if it is empty, no part is an alias of anything, another part included.
    All(Set),
    /// Of each field.
    Record(Arc<[(Name, Aliases)]>),
    /// Of a function.
    Fun(Closure),
}

/// What is known of a function.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    /// What it uses of its surroundings.
    pub captured: Set,
    /// After so many arguments, this of the result is an alias of nothing, if more is known than the type says.
    pub fresh: Option<(usize, Unique)>,
}

impl Aliases {
    /// Of a value that is an alias of nothing.
    pub const NONE: Aliases = Aliases::All(Set::EMPTY);

    /// Of a value of type `ty` that is defined at the top level, and is in one place: Note [Values of the top level].
    pub fn global(ty: &Type, set: Set) -> Aliases {
        stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
            Type::Record(fields) => {
                Aliases::Record(fields.iter().map(|(name, t)| (name.clone(), Aliases::global(t, set))).collect())
            }
            _ if shows_arrays(ty) => Aliases::All(set),
            _ => Aliases::NONE,
        })
    }

    /// Of a field.
    pub fn field(&self, name: &str) -> Aliases {
        match self {
            Aliases::Record(fields) => {
                fields.iter().find(|(n, _)| &**n == name).map_or(Aliases::NONE, |(_, a)| a.clone())
            }
            whole => whole.clone(),
        }
    }

    /// Of the part that a path of fields leads to.
    pub fn at(&self, path: &[Name]) -> Aliases {
        path.iter().fold(self.clone(), |a, name| a.field(name))
    }

    /// The same, but for the part that a path of fields leads to.
    pub fn with(&self, ty: &Type, path: &[Name], part: Aliases) -> Aliases {
        match (path, ty) {
            ([first, rest @ ..], Type::Record(fields)) => {
                let field = |(name, t): &(Name, Type)| {
                    let own = self.field(name);
                    (name.clone(), if name == first { own.with(t, rest, part.clone()) } else { own })
                };
                Aliases::Record(fields.iter().map(field).collect())
            }
            _ => part,
        }
    }

    /// The sets of the parts of a value of type `ty` that are in memory, in the order of the type; functions only if `all`.
    pub fn parts(&self, ty: &Type, all: bool) -> Vec<Set> {
        let mut sets = vec![];
        self.collect(ty, all, &mut sets);
        sets
    }

    /// The sets of the parts that are arrays.
    pub fn arrays(&self, ty: &Type) -> Vec<Set> {
        match ty {
            Type::Record(fields) => fields.iter().flat_map(|(name, t)| self.field(name).arrays(t)).collect(),
            // mutant: only a function by itself, or in a record, is a part that is left out
            Type::Array(..) | Type::Sum(_) => self.parts(ty, false),
            _ => vec![],
        }
    }

    fn collect(&self, ty: &Type, all: bool, sets: &mut Vec<Set>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || match (ty, self) {
            (Type::Record(fields), _) => fields.iter().for_each(|(name, t)| self.field(name).collect(t, all, sets)),
            _ if !in_memory(ty) => {}
            (Type::Fun(_), _) if !all => {}
            (_, Aliases::All(set)) => sets.push(*set),
            (_, Aliases::Fun(closure)) => sets.push(closure.captured),
            // a record is no value of any other type
            (_, Aliases::Record(_)) => sets.push(Set::EMPTY),
        })
    }
}

/// Are values of the type, or parts of them, in memory? Functions count: they may use what is.
pub(super) fn in_memory(ty: &Type) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
        Type::Scalar(_) => false,
        Type::Record(fields) => fields.iter().any(|(_, t)| in_memory(t)),
        Type::Sum(constructors) => constructors.iter().flat_map(|(_, ts)| ts).any(in_memory),
        Type::Array(..) | Type::Fun(_) | Type::Var(_) | Type::Abstract(..) => true,
        // mutant: the types of a program without errors are finished
        Type::Meta(_) | Type::Error => false,
    })
}

/// Has a value of the type arrays, as far as the type says?
pub(super) fn shows_arrays(ty: &Type) -> bool {
    stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
        Type::Array(..) => true,
        Type::Record(fields) => fields.iter().any(|(_, t)| shows_arrays(t)),
        Type::Sum(constructors) => constructors.iter().flat_map(|(_, ts)| ts).any(shows_arrays),
        Type::Scalar(_) | Type::Fun(_) | Type::Var(_) | Type::Abstract(..) => false,
        // mutant: the types of a program without errors are finished
        Type::Meta(_) | Type::Error => false,
    })
}

/// The aliases of a value whose parts (no functions among them) have these sets, in the order of the type.
pub(super) fn from_parts(ty: &Type, sets: &mut dyn Iterator<Item = Set>) -> Aliases {
    stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
        Type::Record(fields) => {
            Aliases::Record(fields.iter().map(|(name, t)| (name.clone(), from_parts(t, sets))).collect())
        }
        Type::Fun(_) => Aliases::NONE,
        _ if in_memory(ty) => Aliases::All(sets.next().unwrap_or(Set::EMPTY)),
        _ => Aliases::NONE,
    })
}

/// Which parts of a value are marked, in the order of [`Aliases::parts`] without functions.
pub(super) fn marks(ty: &Type, unique: &Unique) -> Vec<bool> {
    fn collect(ty: &Type, unique: &Unique, marks: &mut Vec<bool>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
            Type::Record(fields) => fields.iter().for_each(|(name, t)| collect(t, &unique.field(name), marks)),
            Type::Fun(_) => {}
            _ if in_memory(ty) => marks.push(unique.any()),
            _ => {}
        })
    }
    let mut all = vec![];
    collect(ty, unique, &mut all);
    all
}

/// The reverse of [`marks`].
pub(super) fn from_marks(ty: &Type, marks: &[bool]) -> Unique {
    fn build(ty: &Type, marks: &mut dyn Iterator<Item = bool>) -> Unique {
        stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
            Type::Record(fields) => {
                let fields: Vec<(Name, Unique)> = fields.iter().map(|(n, t)| (n.clone(), build(t, marks))).collect();
                if fields.iter().any(|(_, u)| u.any()) { Unique::Fields(fields.into()) } else { Unique::No }
            }
            Type::Fun(_) => Unique::No,
            _ if in_memory(ty) && marks.next() == Some(true) => Unique::Yes,
            _ => Unique::No,
        })
    }
    match (marks.is_empty(), marks.iter().all(|m| *m)) {
        (true, _) => Unique::No,
        (_, true) => Unique::Yes,
        _ => build(ty, &mut marks.iter().copied()),
    }
}

impl Places {
    /// The aliases of a value that is one of two.
    pub fn either(&mut self, a: Aliases, b: Aliases) -> Aliases {
        match (a, b) {
            (Aliases::All(a), Aliases::All(b)) => Aliases::All(self.join(a, b)),
            (Aliases::Fun(f), Aliases::Fun(g)) => {
                let captured = self.join(f.captured, g.captured);
                Aliases::Fun(Closure { captured, fresh: None })
            }
            (Aliases::Fun(f), Aliases::All(set)) | (Aliases::All(set), Aliases::Fun(f)) => {
                Aliases::Fun(Closure { captured: self.join(f.captured, set), fresh: None })
            }
            (Aliases::Record(fields), other) | (other, Aliases::Record(fields)) => {
                let field = |(name, a): &(Name, Aliases)| (name.clone(), self.either(a.clone(), other.field(name)));
                Aliases::Record(fields.iter().map(field).collect())
            }
        }
    }

    /// A new place for each part of a value that is in memory.
    pub fn places_for(&mut self, ty: &Type, name: Option<&Name>, owner: Owner) -> Aliases {
        stacker::maybe_grow(64 << 10, 1 << 20, || match ty {
            Type::Record(fields) => {
                let field = |(n, t): &(Name, Type)| (n.clone(), self.places_for(t, name, owner));
                Aliases::Record(fields.iter().map(field).collect())
            }
            _ if in_memory(ty) => Aliases::All(self.place(name.cloned(), owner)),
            _ => Aliases::NONE,
        })
    }

    /// The aliases of a value that is given a name: what was an alias of nothing is one of that name from now on.
    pub fn named(&mut self, ty: &Type, aliases: &Aliases, name: Option<&Name>) -> Aliases {
        stacker::maybe_grow(64 << 10, 1 << 20, || match aliases {
            _ if !in_memory(ty) => Aliases::NONE,
            Aliases::All(Set::EMPTY) => self.places_for(ty, name, Owner::Own),
            Aliases::All(set) => {
                name.iter().for_each(|name| self.call(*set, name));
                Aliases::All(*set)
            }
            Aliases::Record(fields) => {
                let Type::Record(types) = ty else { return aliases.clone() };
                let field = |(n, a): &(Name, Aliases)| match types.iter().find(|t| t.0 == *n) {
                    Some((_, t)) => (n.clone(), self.named(t, a, name)),
                    None => (n.clone(), a.clone()),
                };
                Aliases::Record(fields.iter().map(field).collect())
            }
            Aliases::Fun(_) => aliases.clone(),
        })
    }
}
