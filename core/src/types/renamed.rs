//! Modules with other names in their types.

use super::env::{Module, Scope, Value};
use super::ty::*;
use crate::budget::Budget;
use crate::source::Span;
use crate::syntax::ast;

/// What the values of a module type that may be sizes are in a module.
pub(super) fn sizes_named(have: &Scope, want: &Scope) -> Subst {
    let mut subst = Subst::default();
    for (name, value) in &want.values {
        if let (Value::Bound(id, scheme), Some(Value::Bound(found, _))) = (value, have.values.get(name))
            && scheme.ty == Type::I64
        {
            subst.sizes.insert(id.clone(), Size::Var(found.clone()));
        }
    }
    for (name, module) in &want.modules {
        if let (Module::Plain(inner), Some(Module::Plain(found))) = (&**module, have.modules.get(name).map(|m| &**m)) {
            subst.sizes.extend(sizes_named(found, inner).sizes);
        }
    }
    subst
}

/// What names mean, with other sizes.
pub(super) fn renamed(scope: &Scope, subst: &Subst, taken: (&mut Budget, Span)) -> Scope {
    if subst.sizes.is_empty() {
        return scope.clone();
    }
    scope.edited(taken, &mut |named| {
        let ty = named.ty();
        *ty = ty.subst(subst);
    })
}

/// A module with its name in those of the types that it hides, which have numbers from `first` on. So they are shown.
pub(super) fn qualified(module: &Module, name: &ast::Ident, first: u32, budget: &mut Budget) -> Module {
    fn of_type(ty: &Type, name: &str, first: u32) -> Type {
        ty.map(&mut |s| s.clone(), &mut |t| match t {
            Type::Abstract(id, args) if id.num >= first && *id != Id::acc() => {
                let id = Id { num: id.num, name: format!("{name}.{id}").into() };
                let args = args.iter().map(|arg| match arg {
                    Arg::Type(t) => Arg::Type(of_type(t, name, first)),
                    size => size.clone(),
                });
                Some(Type::Abstract(id, args.collect()))
            }
            _ => None,
        })
    }
    let Module::Plain(scope) = module else { return module.clone() };
    Module::Plain(scope.edited((budget, name.span), &mut |named| {
        let ty = named.ty();
        *ty = of_type(ty, &name.name, first);
    }))
}
