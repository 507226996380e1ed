//! Which name means what, as far as the syntax tree tells.

use futi_core::syntax::ast::{Ident, Name, QualName};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Names of different spaces do not hide one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Values and modules.
    Term,
    /// Types.
    Type,
    /// Module types.
    ModuleType,
}

/// What a name means.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Its page and its place there; none of what has no documentation, or is not in it.
    pub link: Option<String>,
    /// The names in a module or module type.
    pub inside: Rc<Scope>,
}

/// Names and what they mean.
#[derive(Clone, Debug, Default)]
pub struct Scope(BTreeMap<(Space, Name), Target>);

impl Scope {
    /// Hides what the name meant before.
    pub fn insert(&mut self, space: Space, name: &Name, target: Target) {
        self.0.insert((space, name.clone()), target);
    }

    /// Adds all names of another.
    pub fn open(&mut self, other: &Scope) {
        self.0.extend(other.0.iter().map(|(k, v)| (k.clone(), v.clone())));
    }

    fn get(&self, space: Space, name: &str) -> Option<&Target> {
        self.0.get(&(space, name.into()))
    }
}

/// What is in scope, the innermost last.
#[derive(Clone, Debug, Default)]
pub struct Env(Vec<Scope>);

impl Env {
    /// Enters a module.
    pub fn push(&mut self, scope: Scope) {
        self.0.push(scope);
    }

    /// Leaves it.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// The scope of the innermost module.
    pub fn here(&mut self) -> Option<&mut Scope> {
        self.0.last_mut()
    }

    /// What a name means here.
    pub fn find<'a>(&self, space: Space, quals: impl IntoIterator<Item = &'a str>, base: &str) -> Option<Target> {
        let mut quals = quals.into_iter();
        let lookup = |space, name: &str| self.0.iter().rev().find_map(|s| s.get(space, name));
        let Some(first) = quals.next() else { return lookup(space, base).cloned() };
        let mut module = lookup(Space::Term, first)?;
        for qual in quals {
            module = module.inside.get(Space::Term, qual)?;
        }
        module.inside.get(space, base).cloned()
    }

    /// The same of a name in the tree.
    pub fn resolve(&self, space: Space, name: &QualName) -> Option<Target> {
        let text = |i: &'_ Ident| i.name.clone();
        let quals: Vec<Name> = name.quals.iter().map(text).collect();
        self.find(space, quals.iter().map(|q| &**q), &name.base.name)
    }
}
