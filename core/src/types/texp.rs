//! From types as written to types.

use super::check::Checker;
use super::env::{Scope, TypeDef, Value};
use super::ty::*;
use crate::diag::{Code, Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{self, TypeArg, TypeExp, TypeExpKind};
use std::sync::Arc;

impl Checker {
    /// The type that an expression stands for. Sizes left open (`[]`) become variables of inference.
    pub(super) fn type_exp(&mut self, scope: &Scope, t: &TypeExp) -> Type {
        match &t.kind {
            TypeExpKind::Name(name, args) => self.named_type(scope, name, args, t.span),
            TypeExpKind::Array(size, elem) => {
                let size = self.size_exp(scope, size.as_deref(), t.span);
                let elem_ty = self.type_exp(scope, elem);
                if self.infer.contains_function(&elem_ty) {
                    self.infer.error(Diagnostic::error(
                        Code::FunctionNotAllowed,
                        elem.span,
                        "Array elements cannot be functions.",
                    ));
                    return Type::Error;
                }
                Type::array(size, elem_ty)
            }
            TypeExpKind::Tuple(types) => Type::tuple(types.iter().map(|t| self.type_exp(scope, t)).collect()),
            TypeExpKind::Record(_) | TypeExpKind::Sum(_) => {
                self.not_supported(t.span, "This kind of type is");
                Type::Error
            }
            // Uniqueness is checked elsewhere.
            TypeExpKind::Unique(t) => self.type_exp(scope, t),
            TypeExpKind::Fun(param, arg, ret) => {
                let arg = self.type_exp(scope, arg);
                let Some(param) = param else {
                    let ret = self.type_exp(scope, ret);
                    return Type::fun(arg, ret);
                };
                let mut inner = scope.clone();
                let id = self.infer.fresh_id(param.name.clone());
                let scheme = Arc::new(Scheme::mono(arg.clone()));
                inner.values.insert(param.name.clone(), Value::Bound(id.clone(), scheme));
                let ret = self.type_exp(&inner, ret);
                let param = size_names(&ret).contains(&id).then_some(id);
                Type::Fun(Arc::new(FunType { param, arg, exts: vec![], ret }))
            }
            TypeExpKind::Exists(names, body) => {
                let mut inner = scope.clone();
                let mut subst = Subst::default();
                for name in names {
                    let id = self.infer.fresh_id(name.name.clone());
                    subst.sizes.insert(id.clone(), self.infer.fresh_size(name.span, name.name.clone()));
                    inner.values.insert(name.name.clone(), Value::Bound(id, Arc::new(Scheme::mono(Type::I64))));
                }
                self.type_exp(&inner, body).subst(&subst)
            }
        }
    }

    /// A size between brackets.
    fn size_exp(&mut self, scope: &Scope, size: Option<&ast::Expr>, span: Span) -> Size {
        let Some(e) = size else { return self.infer.fresh_size(span, "n") };
        let typed = self.expr(scope, e);
        self.infer.require(&Type::I64, &typed.ty, e.span, || "A size must be an i64.".to_string());
        self.size_of(&typed).unwrap_or_else(|| {
            if !matches!(self.infer.head(&typed.ty), Type::Error) {
                let message = "This cannot be used as a size: only numbers, names and + - * / of them can.";
                self.infer.error(Diagnostic::error(Code::BadSize, e.span, message));
            }
            self.infer.fresh_size(e.span, "n")
        })
    }

    fn named_type(&mut self, scope: &Scope, name: &ast::QualName, args: &[TypeArg], span: Span) -> Type {
        let Some(inner) = self.modules(scope, &name.quals) else { return Type::Error };
        let Some(TypeDef { params, body }) = inner.types.get(&name.base.name).cloned() else {
            let mut d = Diagnostic::error(Code::UnknownType, name.span(), format!("Unknown type \"{}\".", name.text()));
            if let Some(near) = did_you_mean(&name.base.name, inner.types.keys().map(|k| &**k)) {
                d = d.note(format!("Did you mean \"{near}\"?"));
            }
            self.infer.error(d);
            return Type::Error;
        };
        if params.len() != args.len() {
            let message =
                format!("Type \"{}\" takes {} arguments, but is given {}.", name.text(), params.len(), args.len());
            self.infer.error(Diagnostic::error(Code::BadTypeArguments, span, message));
            return Type::Error;
        }
        let mut subst = Subst::default();
        for (param, arg) in params.iter().zip(args) {
            match (param, arg) {
                (TypeParam::Size(id), TypeArg::Size(size, span)) => {
                    let size = self.size_exp(scope, size.as_deref(), *span);
                    subst.sizes.insert(id.clone(), size);
                }
                (TypeParam::Type(id, _), TypeArg::Type(t)) => {
                    let t = self.type_exp(scope, t);
                    subst.types.insert(id.clone(), t);
                }
                (TypeParam::Size(id), TypeArg::Type(t)) => {
                    let message = format!("The argument for \"{id}\" must be a size in brackets.");
                    self.infer.error(Diagnostic::error(Code::BadTypeArguments, t.span, message));
                    return Type::Error;
                }
                (TypeParam::Type(id, _), TypeArg::Size(_, span)) => {
                    let message = format!("The argument for \"{id}\" must be a type.");
                    self.infer.error(Diagnostic::error(Code::BadTypeArguments, *span, message));
                    return Type::Error;
                }
            }
        }
        body.subst(&subst)
    }

    /// The scope of a module, or the scope itself if no module is named.
    pub(super) fn modules<'s>(&mut self, scope: &'s Scope, quals: &[ast::Ident]) -> Option<&'s Scope> {
        let mut scope = scope;
        for q in quals {
            let Some(inner) = scope.modules.get(&q.name) else {
                let mut d = Diagnostic::error(Code::UnknownModule, q.span, format!("Unknown module \"{}\".", q.name));
                if let Some(near) = did_you_mean(&q.name, scope.modules.keys().map(|k| &**k)) {
                    d = d.note(format!("Did you mean \"{near}\"?"));
                }
                self.infer.error(d);
                return None;
            };
            scope = inner;
        }
        Some(scope)
    }

    /// Brings type parameters into scope.
    pub(super) fn type_params(&mut self, scope: &mut Scope, params: &[ast::TypeParam]) -> Vec<TypeParam> {
        let mut result: Vec<TypeParam> = vec![];
        for p in params {
            let name = p.ident();
            if result.iter().any(|p| p.id().name == name.name) {
                let message = format!("The parameter \"{}\" is declared twice.", name.name);
                self.infer.error(Diagnostic::error(Code::DuplicateName, name.span, message));
            }
            let id = self.infer.fresh_id(name.name.clone());
            result.push(match p {
                ast::TypeParam::Size(_) => {
                    let scheme = Arc::new(Scheme::mono(Type::I64));
                    scope.values.insert(name.name.clone(), Value::Bound(id.clone(), scheme));
                    TypeParam::Size(id)
                }
                ast::TypeParam::Type { lifted, .. } => {
                    let def = TypeDef { params: vec![], body: Type::Var(id.clone()) };
                    scope.types.insert(name.name.clone(), def);
                    let lifted = *lifted == ast::Lifted::Full;
                    if lifted {
                        self.infer.lifted.insert(id.clone());
                    }
                    TypeParam::Type(id, lifted)
                }
            });
        }
        result
    }
}
