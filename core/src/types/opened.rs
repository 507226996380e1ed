//! Type parameters that stand for results of unknown sizes.
//!
//! Note [Opened solutions]: in `apply iota n` with `apply '^a '^b (f: a -> b) (x: a) : b`, b stands for an array whose size only a call of f tells. Its solution
//! is opened: `?[d].[d]i64`, and each application that gives a b has a size of its own. Only lifted type parameters may stand for such a type, and nothing
//! but a result may be one: as a parameter, d is the size of nothing. A size that only the results of functions in the type have is an unknown size of those.

use super::apply::shown;
use super::check::Checker;
use super::declared::shown_sizes;
use super::ty::*;
use super::unify::Infer;
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use std::sync::Arc;

impl Infer {
    /// A type with new names for the sizes in it that are made of names deeper than `level`: and these, if an array of the type has them. None if only the
    /// parameters of functions do.
    pub(super) fn opened(&mut self, ty: &Type, level: u32) -> Option<(Type, Vec<Id>)> {
        let ty = self.zonk(ty);
        let bound = ty.bound_names();
        let mut new: Vec<(Size, Id)> = vec![];
        ty.sizes(&mut |size| {
            let mut escapes = false;
            size.names(&mut |id| escapes |= self.level_of(id) > level && !bound.contains(id));
            // mutant dropped term: of several names for a size the first is taken, and the others stand in no type
            if escapes && !new.iter().any(|(known, _)| known == size) {
                new.push((size.clone(), self.global_id(size.to_string())));
            }
        });
        let known = |size: &Size| new.iter().find(|(s, _)| s == size).map(|(_, id)| id);
        let ty =
            ty.map(&mut |size| known(size).map_or_else(|| size.clone(), |id| Size::Var(id.clone())), &mut |_| None);
        let shown = shown_sizes(&ty);
        let (own, inner): (Vec<Id>, Vec<Id>) =
            new.into_iter().map(|(_, id)| id).partition(|id| shown.contains(&Size::Var(id.clone())));
        let mut taken = false;
        parameters(&ty, &mut |t| taken |= size_names(t).iter().any(|id| inner.contains(id)));
        (!taken).then(|| (unknown_in_results(&ty, &inner), own))
    }

    /// Gives an opened solution that a type stands for other sizes.
    pub(super) fn reopen(&mut self, ty: &mut Type, size: impl FnMut(&mut Infer, Id) -> Size) {
        if self.has_opened
            && let Type::Meta(m) = ty
            && let Some((solution, opens)) = self.solution(*m)
            && !opens.is_empty()
        {
            *ty = self.reopened(&solution, opens, size);
        }
    }

    /// A solution with other sizes for those that are open in it.
    fn reopened(&mut self, solution: &Type, opens: Vec<Id>, mut size: impl FnMut(&mut Infer, Id) -> Size) -> Type {
        let mut subst = Subst::default();
        for id in opens {
            let size = size(self, id.clone());
            subst.sizes.insert(id, size);
        }
        self.zonk(solution).subst(&subst)
    }

    /// The size of an opened solution that a parameter has: nobody can call what has it.
    fn opened_parameter(&self, ty: &Type) -> Option<Id> {
        if !self.has_opened {
            return None;
        }
        let mut found = None;
        parameters(ty, &mut |t| found = found.take().or_else(|| self.first_open(t)));
        found
    }

    fn first_open(&self, ty: &Type) -> Option<Id> {
        if let Type::Meta(m) = ty {
            return self.solution(*m)?.1.first().cloned();
        }
        let mut found = None;
        match ty {
            // what a function that is given returns may have any size
            Type::Fun(f) if matches!(f.ret, Type::Meta(_)) => found = self.first_open(&f.arg),
            ty => ty.parts(&mut |t| found = found.take().or_else(|| self.first_open(t))),
        }
        found
    }
}

/// Calls `f` on the parameters of the functions in a type, of results too, but not of parameters.
fn parameters(ty: &Type, f: &mut dyn FnMut(&Type)) {
    match ty {
        Type::Fun(fun) => {
            f(&fun.arg);
            parameters(&fun.ret, f);
        }
        _ => ty.parts(&mut |t| parameters(t, f)),
    }
}

/// A type in which these names are unknown sizes of the results of the functions that have them.
fn unknown_in_results(ty: &Type, names: &[Id]) -> Type {
    if names.is_empty() {
        return ty.clone();
    }
    ty.map(&mut Size::clone, &mut |t| match t {
        Type::Fun(f) if !matches!(f.ret, Type::Fun(_)) => {
            let own = size_names(&f.ret);
            let exts = f.exts.iter().chain(names.iter().filter(|id| own.contains(id))).cloned().collect();
            Some(Type::Fun(Arc::new(FunType { exts, ..(**f).clone() })))
        }
        _ => None,
    })
}

impl Checker {
    /// Complains about an application of `f` that leaves a function with a parameter of an unknown size.
    pub(super) fn no_opened_parameter(&mut self, ret: &Type, f: &str, arg: Span) -> bool {
        let Some(id) = self.infer.opened_parameter(ret) else { return true };
        let message = format!("Cannot apply \"{f}\" to \"{}\" (invalid type).", shown(&self.sources, arg));
        let note = format!("Existential size would appear in a parameter: \"{id}\" is known only after each call.");
        self.infer.error(Diagnostic::error(Code::SizeEscapes, arg, message).note(note));
        false
    }

    /// The type of a result, in which opened solutions have sizes of their own. Those of the results of functions in it are unknown sizes of these.
    pub(super) fn result_type(&mut self, ty: &Type, f: &str, span: Span, exts: &mut Vec<Id>) -> Type {
        if !self.infer.has_opened {
            return ty.clone();
        }
        ty.map(&mut Size::clone, &mut |t| match t {
            Type::Fun(fun) => {
                let mut own = fun.exts.clone();
                let ret = self.result_type(&fun.ret, f, span, &mut own);
                Some(Type::Fun(Arc::new(FunType { exts: own, ret, ..(**fun).clone() })))
            }
            Type::Meta(m) => {
                let (solution, opens) = self.infer.solution(*m)?;
                if opens.is_empty() {
                    // elements of arrays are not lifted, so that nothing in an array is opened
                    return match solution {
                        Type::Scalar(_) | Type::Meta(_) | Type::Array(..) | Type::Var(_) | Type::Error => None,
                        solution => Some(self.result_type(&solution, f, span, exts)),
                    };
                }
                Some(self.infer.reopened(&solution, opens, |infer, _| {
                    let ext = infer.fresh_ext(span, format!("unknown size returned by \"{f}\""));
                    exts.push(ext.clone());
                    Size::Var(ext)
                }))
            }
            _ => None,
        })
    }
}
