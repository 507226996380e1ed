//! Environments: what names mean. All maps are persistent, so that scopes and sessions share what they have in common.

use super::ty::{Arg, Id, Name, Scheme, Subst, Type, TypeParam};
use super::typed::{Def, Intrinsic, Operator};
use crate::budget::{Budget, HEAVY, MODULE};
use crate::hash::SharedMap;
use crate::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::{self, Lifted};
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

impl Value {
    /// Its type; operators have many.
    pub fn scheme(&self) -> Option<&Scheme> {
        match self {
            Value::Bound(_, scheme) | Value::Intrinsic(_, scheme) => Some(scheme),
            Value::Prim(_) | Value::Op(_) | Value::And | Value::Or => None,
        }
    }
}

/// What a name of a type means.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its parameters.
    pub params: Vec<TypeParam>,
    /// The sizes in it that are different each time it is used.
    pub exts: Vec<Id>,
    /// The type.
    pub body: Type,
    /// Which types may be hidden in it.
    pub lifted: Lifted,
    /// Greater than that of the ids that were given before its declaration, for [`Scope::in_order`].
    pub order: u32,
}

/// What a name of a module means.
#[derive(Clone, Debug)]
pub enum Module {
    /// A module is what its names mean.
    Plain(Scope),
    /// A module with a parameter: where it was defined, and what it is made of.
    Functor(Arc<Functor>),
    /// What is in error, which has been said; it may have any name.
    Error,
}

/// A module with a parameter. It is checked again for each argument.
#[derive(Clone, Debug)]
pub struct Functor {
    /// What its names mean.
    pub scope: Scope,
    /// The parameter.
    pub param: ast::ModParam,
    /// What it is: perhaps a module with a parameter again.
    pub body: FunctorBody,
    /// Whether it is in error whatever its argument, which has been said.
    pub in_error: bool,
}

/// What a module with a parameter is made of.
#[derive(Clone, Debug)]
pub enum FunctorBody {
    /// The parameters that follow, the module type that the result is seen through, and the result.
    Def(Vec<ast::ModParam>, Option<ast::SigExp>, Box<ast::ModExp>),
    /// Another one, of which the result is seen through this module type.
    Sealed(Arc<Functor>, ast::SigExp),
    /// Something of which only the type of the result is known: a parameter.
    Unknown(ast::SigExp),
}

/// What a name of a module type means: the expression, and what its names mean.
#[derive(Clone, Debug)]
pub struct SigDef {
    /// What its names mean.
    pub scope: Scope,
    /// What it is.
    pub sig: ast::SigExp,
}

/// What the names in a scope mean. A module is what its names mean.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Values and sizes.
    pub values: SharedMap<Name, Value>,
    /// Types.
    pub types: SharedMap<Name, TypeDef>,
    /// Modules.
    pub modules: SharedMap<Name, Arc<Module>>,
    /// Module types.
    pub sigs: SharedMap<Name, Arc<SigDef>>,
}

impl TypeDef {
    /// The type for these parameters; each use of it has other sizes in place of `exts`.
    pub fn at(&self, args: &[Arg]) -> Type {
        self.body.subst(&Subst::of(&self.params, args))
    }
}

/// What a name in a scope means.
#[derive(Clone, Copy)]
pub enum Meaning<'a> {
    /// A type.
    Type(&'a TypeDef),
    /// A value.
    Value(&'a Value),
    /// A module.
    Module(&'a Module),
}

impl Meaning<'_> {
    /// A number that is greater for what was declared later.
    fn order(self) -> u32 {
        match self {
            Meaning::Type(def) => def.order,
            Meaning::Value(Value::Bound(id, _)) => id.num,
            Meaning::Module(Module::Plain(names)) => names.meanings().map(|(_, m)| m.order()).min().unwrap_or(0),
            Meaning::Value(_) | Meaning::Module(_) => 0,
        }
    }
}

impl Scope {
    fn meanings(&self) -> impl Iterator<Item = (&Name, Meaning<'_>)> {
        let types = self.types.iter().map(|(name, def)| (name, Meaning::Type(def)));
        let values = self.values.iter().map(|(name, value)| (name, Meaning::Value(value)));
        types.chain(values).chain(self.modules.iter().map(|(name, module)| (name, Meaning::Module(module))))
    }

    /// Its types, values and modules in the order of their declarations, as far as that is known, else of their spelling.
    pub fn in_order(&self) -> Vec<(&Name, Meaning<'_>)> {
        let mut all: Vec<_> = self.meanings().collect();
        all.sort_by_cached_key(|(name, meaning)| (meaning.order(), (*name).clone()));
        all
    }

    /// Gives a value a name, which hides the module of that name: values and modules share a space of names.
    pub fn bind(&mut self, name: Name, value: Value) {
        // removing copies what scopes share, also where there is nothing to remove
        if self.modules.contains_key(&name) {
            self.modules.remove(&name);
        }
        self.values.insert(name, value);
    }

    /// Gives a module a name, which hides the value of that name.
    pub fn bind_module(&mut self, name: Name, module: Arc<Module>) {
        if self.values.contains_key(&name) {
            self.values.remove(&name);
        }
        self.modules.insert(name, module);
    }

    /// This scope with all names of another in front.
    pub fn open(&self, inner: &Scope) -> Scope {
        let (mut values, mut modules) = (self.values.clone(), self.modules.clone());
        inner.modules.keys().filter(|name| self.values.contains_key(*name)).for_each(|name| drop(values.remove(name)));
        inner.values.keys().filter(|name| self.modules.contains_key(*name)).for_each(|name| drop(modules.remove(name)));
        Scope {
            values: inner.values.clone().union(values),
            types: inner.types.clone().union(self.types.clone()),
            modules: inner.modules.clone().union(modules),
            sigs: inner.sigs.clone().union(self.sigs.clone()),
        }
    }

    /// This scope with its types and values edited, those of the modules in it too. Modules with parameters stay as they are: they are checked again when
    /// they are applied. What is copied is taken from the budget, for what stands there: a module that has another one twice has a copy of each.
    pub fn edited(&self, (budget, at): (&mut Budget, Span), f: &mut dyn FnMut(Named)) -> Scope {
        budget.take(HEAVY * (1 + self.types.len() + self.values.len()) as u64, "the modules in it", at);
        let mut new = self.clone();
        new.types.iter_mut().for_each(|(_, def)| f(Named::Type(def)));
        for (_, value) in new.values.iter_mut() {
            if let Value::Bound(_, scheme) = value {
                f(Named::Value(Arc::make_mut(scheme)));
            }
        }
        for (_, module) in new.modules.iter_mut() {
            if let Module::Plain(inner) = &**module {
                budget.take(MODULE, "the modules in it", at);
                *module = Arc::new(Module::Plain(inner.edited((budget, at), f)));
            }
        }
        new
    }
}

/// Something in a scope that has a type.
pub enum Named<'a> {
    /// A type.
    Type(&'a mut TypeDef),
    /// A value.
    Value(&'a mut Scheme),
}

impl<'a> Named<'a> {
    /// The type.
    pub fn ty(self) -> &'a mut Type {
        match self {
            Named::Type(def) => &mut def.body,
            Named::Value(scheme) => &mut scheme.ty,
        }
    }
}

/// What types stand for, by the number of their id.
pub type Hidden = SharedMap<u32, TypeDef>;

/// What checking starts from and returns: the names in scope and all definitions so far.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// The names.
    pub scope: Scope,
    /// Every definition, by the number of its id; names may be shadowed, definitions stay.
    pub defs: SharedMap<u32, Arc<Def>>,
    /// What the types are that modules hide, by the number of their id, and their parameters.
    pub hidden: Hidden,
    /// Those of them that are no secret.
    pub visible: Hidden,
    /// What the types that modules hide may stand for.
    pub lifted: SharedMap<Id, Lifted>,
    /// What the files that have been imported declare, by their paths.
    pub imports: SharedMap<Name, Scope>,
    /// The next number for an [`Id`].
    pub next_id: u32,
    /// What the compilation may still make.
    pub budget: Budget,
    /// What `#[param(NAME)]` stands for, by its name; of several, the last one.
    pub tuning: Arc<[(String, i64)]>,
}

impl Env {
    /// The definition of an id.
    pub fn def(&self, id: &Id) -> Option<&Arc<Def>> {
        self.defs.get(&id.num)
    }

    /// The type of a name, as `:type` shows it.
    pub fn type_of(&self, name: &str) -> Option<String> {
        self.scope.values.get(name)?.scheme().map(Scheme::to_string)
    }
}
