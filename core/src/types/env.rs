//! Environments: what names mean. All maps are persistent, so that scopes and sessions share what they have in common.

use super::ty::{Id, Name, Scheme, Type, TypeParam};
use super::typed::{Def, Intrinsic, Operator};
use crate::prim::Prim;
use std::sync::Arc;

/// What a name of a value means.
#[derive(Clone, Debug)]
pub enum Value {
    /// Something that the program defines or binds, with its type.
    Bound(Id, Arc<Scheme>),
    /// Something built in.
    Intrinsic(Intrinsic, Arc<Scheme>),
    /// A scalar operator at a width.
    Prim(Prim),
    /// An overloaded operator.
    Op(Operator),
    /// `&&`
    And,
    /// `||`
    Or,
}

/// What a name of a type means.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its parameters.
    pub params: Vec<TypeParam>,
    /// The type.
    pub body: Type,
}

/// What the names in a scope mean. A module is what its names mean.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Values and sizes.
    pub values: im::HashMap<Name, Value>,
    /// Types.
    pub types: im::HashMap<Name, TypeDef>,
    /// Modules.
    pub modules: im::HashMap<Name, Arc<Scope>>,
}

impl Scope {
    /// This scope with all names of another in front.
    pub fn open(&self, inner: &Scope) -> Scope {
        Scope {
            values: inner.values.clone().union(self.values.clone()),
            types: inner.types.clone().union(self.types.clone()),
            modules: inner.modules.clone().union(self.modules.clone()),
        }
    }
}

/// What checking starts from and returns: the names in scope and all definitions so far.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// The names.
    pub scope: Scope,
    /// Every definition, by the number of its id; names may be shadowed, definitions stay.
    pub defs: im::HashMap<u32, Arc<Def>>,
    /// The next number for an [`Id`].
    pub next_id: u32,
}

impl Env {
    /// The definition of an id.
    pub fn def(&self, id: &Id) -> Option<&Arc<Def>> {
        self.defs.get(&id.num)
    }

    /// The type of a name, as `:type` shows it.
    pub fn type_of(&self, name: &str) -> Option<String> {
        match self.scope.values.get(name)? {
            Value::Bound(_, scheme) | Value::Intrinsic(_, scheme) => Some(scheme.to_string()),
            _ => None,
        }
    }
}
