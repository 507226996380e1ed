//! Hidden types with sizes of their own.
//!
//! Note [Sizes of hidden types]: what `type~ t` hides may be `[]i32`, an array of a length that no type says. Where it is known what t is, each use of it is
//! written out with a size of its own: of a parameter it is a size parameter, of a result an unknown size, as in the type of a function that takes or gives
//! such an array. Where it stays hidden, t is one type; lowering reads the sizes off the values (`Shape::opens`).

use super::check::Checker;
use super::env::{Hidden, Named, Scope, TypeDef};
use super::ty::*;
use crate::source::Span;
use std::sync::Arc;

impl Checker {
    /// A scope with these types written out.
    pub(super) fn scope_written_out(&mut self, scope: &Scope, types: &Hidden, at: Span) -> Scope {
        if types.is_empty() {
            return scope.clone();
        }
        let mut budget = std::mem::take(&mut self.infer.budget);
        let written_out = scope.edited((&mut budget, at), &mut |named| match named {
            Named::Type(def) => *def = self.type_written_out(def, types),
            Named::Value(scheme) => *scheme = self.scheme_written_out(scheme, types),
        });
        self.infer.budget = budget;
        written_out
    }

    /// A type with these types written out.
    pub(super) fn type_written_out(&mut self, def: &TypeDef, types: &Hidden) -> TypeDef {
        let mut exts = def.exts.clone();
        let body = self.written_out(&def.body, types, &mut exts);
        TypeDef { exts, body, ..def.clone() }
    }

    /// The type of a value with these types written out.
    pub(super) fn scheme_written_out(&mut self, scheme: &Scheme, types: &Hidden) -> Scheme {
        let mut own = vec![];
        let ty = self.written_out(&scheme.ty, types, &mut own);
        let mut new = Scheme { ty, ..scheme.clone() };
        match scheme.ty {
            Type::Fun(_) => new.params.extend(own.into_iter().map(TypeParam::Size)),
            _ => new.exts.extend(own),
        }
        new
    }

    /// A type with these types written out. Their sizes are added to `own`, but for those that are unknown sizes of a function's result.
    fn written_out(&mut self, ty: &Type, types: &Hidden, own: &mut Vec<Id>) -> Type {
        let mut all = |ts: &[Type]| ts.iter().map(|t| self.written_out(t, types, own)).collect::<Vec<_>>();
        match ty {
            Type::Array(size, elem) => Type::array(size.clone(), all(std::slice::from_ref(elem)).remove(0)),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, t)| (name.clone(), self.written_out(t, types, own))).collect())
            }
            Type::Sum(constructors) => {
                Type::Sum(constructors.iter().map(|(name, ts)| (name.clone(), all(ts))).collect())
            }
            Type::Fun(f) => {
                let arg = self.written_out(&f.arg, types, own);
                let mut exts = f.exts.clone();
                let is_last = !matches!(f.ret, Type::Fun(_));
                let ret = self.written_out(&f.ret, types, if is_last { &mut exts } else { own });
                Type::Fun(Arc::new(FunType { arg, exts, ret, ..(**f).clone() }))
            }
            Type::Abstract(id, args) => {
                let args: Arc<[Arg]> = (args.iter())
                    .map(|arg| match arg {
                        Arg::Size(size) => Arg::Size(size.clone()),
                        Arg::Type(t) => Arg::Type(self.written_out(t, types, own)),
                    })
                    .collect();
                let Some(def) = types.get(&id.num) else {
                    // what it is known to be may be one of them
                    return match self.infer.visible.get(&id.num).cloned() {
                        Some(def) => self.written_out(&def.at(&args), types, own),
                        None => Type::Abstract(id.clone(), args),
                    };
                };
                let mut subst = Subst::default();
                for ext in &def.exts {
                    let size = self.infer.global_id(ext.name.clone());
                    subst.sizes.insert(ext.clone(), Size::Var(size.clone()));
                    own.push(size);
                }
                let body = def.at(&args).subst(&subst);
                self.written_out(&body, types, own)
            }
            Type::Scalar(_) | Type::Var(_) | Type::Meta(_) | Type::Error => ty.clone(),
        }
    }
}
