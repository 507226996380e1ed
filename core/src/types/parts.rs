//! Inference for values with parts: records and their fields, elements and slices of arrays, updates of these.

use super::check::Checker;
use super::env::{Module, Scope};
use super::infer::{T, typed_expr};
use super::ty::*;
use super::typed::{Access, ExprKind, Index, Literal};
use super::unify::Want;
use crate::diag::Code;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as E, Lifted};
use std::collections::BTreeMap;

/// A record of these fields.
pub(super) fn record(fields: Vec<(Name, T)>, span: Span) -> T {
    let ty = Type::record(fields.iter().map(|(name, e)| (name.clone(), e.ty.clone())).collect());
    typed_expr(ExprKind::Record(fields), ty, span)
}

impl Checker {
    /// `{x = e, y}`
    pub(super) fn record(&mut self, scope: &Scope, fields: &[(ast::Ident, Option<ast::Expr>)], span: Span) -> T {
        self.distinct_fields(fields.iter().map(|(name, _)| name));
        let mut typed = vec![];
        for (name, e) in fields {
            let e = match e {
                Some(e) => self.expr(scope, e),
                None => self.variable(scope, &name.name, name.span),
            };
            typed.push((name.name.clone(), e));
        }
        record(typed, span)
    }

    /// `e.x.y`: projections, or a name in a module.
    pub(super) fn projection(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        let mut fields = vec![];
        let mut root = e;
        while let E::Project(inner, field) = &root.kind {
            fields.push((field, root.span));
            root = inner;
        }
        fields.reverse();
        let mut base = None;
        let mut used = 0;
        if let E::Var(name) = &root.kind
            && let Some(module) = scope.modules.get(name)
            && (!scope.values.contains_key(name) || has_name(module, &fields[0].0.name))
        {
            let mut quals = vec![ast::Ident { name: name.clone(), span: root.span }];
            let mut inner = module.clone();
            while used + 1 < fields.len()
                && let Module::Plain(names) = &*inner
                && !names.values.contains_key(&fields[used].0.name)
                && let Some(next) = names.modules.get(&fields[used].0.name).cloned()
            {
                quals.push(fields[used].0.clone());
                inner = next;
                used += 1;
            }
            base = Some(self.qualified(scope, &ast::QualName { quals, base: fields[used].0.clone() }));
            used += 1;
        }
        let base = base.unwrap_or_else(|| self.expr(scope, root));
        fields[used..].iter().fold(base, |e, (field, span)| T { span: *span, ..self.project(e, field) })
    }

    pub(super) fn project(&mut self, e: T, field: &ast::Ident) -> T {
        let span = e.span.to(field.span);
        if self.function_as_field(&e, field) {
            return typed_expr(ExprKind::Error, Type::Error, span);
        }
        let ty = match self.field_type(&e.ty, field) {
            Some(ty) => ty,
            None => return typed_expr(ExprKind::Error, Type::Error, span),
        };
        typed_expr(ExprKind::Project(Box::new(e), field.name.clone()), ty, span)
    }

    /// The type of a field of a value of type `ty`.
    fn field_type(&mut self, ty: &Type, field: &ast::Ident) -> Option<Type> {
        match self.infer.head(ty) {
            Type::Error => return None,
            Type::Record(fields) => {
                if let Some(i) = field_position(&fields, &field.name) {
                    return Some(fields[i].1.clone());
                }
            }
            Type::Meta(_) => {
                let ty_of_field = self.infer.fresh_type();
                let wanted = Want::Fields(BTreeMap::from([(field.name.clone(), ty_of_field.clone())]));
                let wanted = self.infer.fresh(wanted, Lifted::Full);
                let why = || format!("This must have a field \"{}\".", field.name);
                self.infer.require(&wanted, ty, field.span, why);
                return Some(ty_of_field);
            }
            _ => {}
        }
        self.no_field(field, ty);
        None
    }

    pub(super) fn index(&mut self, scope: &Scope, array: &ast::Expr, indices: &[ast::Index], span: Span) -> T {
        let array = self.expr(scope, array);
        self.indexed(scope, array, indices, span)
    }

    fn indexed(&mut self, scope: &Scope, array: T, indices: &[ast::Index], span: Span) -> T {
        match self.indices(scope, &array.ty, array.span, indices) {
            Some((typed, ty)) => typed_expr(ExprKind::Index(Box::new(array), typed), ty, span),
            None => typed_expr(ExprKind::Error, Type::Error, span),
        }
    }

    /// `(.x[i].y)`
    pub(super) fn section_path(&mut self, scope: &Scope, path: &[ast::Access], span: Span) -> T {
        self.section(span, |c, x| {
            path.iter().fold(x, |part, step| match step {
                ast::Access::Field(field) => c.project(part, field),
                ast::Access::Index(indices) => c.indexed(scope, part, indices, span),
            })
        })
    }

    /// Indices into an array of type `ty`, and the type of what they give.
    fn indices(&mut self, scope: &Scope, ty: &Type, at: Span, indices: &[ast::Index]) -> Option<(Vec<Index>, Type)> {
        let whole = ty.clone();
        let mut rest = ty.clone();
        // the dimensions that stay, from the outermost
        let mut kept = vec![];
        let mut typed = vec![];
        for index in indices {
            let (size, elem) = match self.infer.head(&rest) {
                Type::Array(size, elem) => (size, (*elem).clone()),
                Type::Error => return None,
                Type::Meta(_) => {
                    let elem = self.infer.fresh(Want::Anything, Lifted::No);
                    let size = self.infer.fresh_size(at, "n");
                    let array = Type::array(size.clone(), elem.clone());
                    self.infer.require(&array, &rest, at, || "What is indexed must be an array.".to_string());
                    (size, elem)
                }
                _ => {
                    let shown = self.infer.shown(&whole);
                    let message = format!("Cannot index with {} indices into a value of type {shown}.", indices.len());
                    self.bad(Code::NotAnArray, at, message);
                    return None;
                }
            };
            match index {
                ast::Index::At(e) => typed.push(Index::At(self.index_expr(scope, e))),
                ast::Index::Slice(parts, span) => {
                    let mut expr = |part: &Option<ast::Expr>| {
                        let e = self.expr(scope, part.as_ref()?);
                        let why = || "The bounds of a slice must be i64.".to_string();
                        self.require(&Type::I64, &e, why);
                        Some(e)
                    };
                    let parts = [expr(&parts[0]), expr(&parts[1]), expr(&parts[2])];
                    let (size, ext) = self.slice_size(&size, &parts, *span);
                    kept.push(size);
                    typed.push(Index::Slice(Box::new(parts), ext));
                }
            }
            rest = elem;
        }
        Some((typed, kept.into_iter().rev().fold(rest, |elem, size| Type::array(size, elem))))
    }

    fn index_expr(&mut self, scope: &Scope, e: &ast::Expr) -> T {
        let i = self.expr(scope, e);
        let int = self.infer.fresh_scalar(Checker::signed_ints());
        self.require(&int, &i, || "An index must be a signed integer.".to_string());
        i
    }

    /// The size of a slice of a dimension: `j - i` where nothing or 1 is the stride, all of it backwards, else unknown.
    fn slice_size(&mut self, size: &Size, parts: &[Option<T>; 3], span: Span) -> (Size, Option<Id>) {
        let number = |e: &Option<T>| match e {
            Some(T { kind: ExprKind::Lit(Literal::Int(n)), .. }) => Some(*n),
            _ => None,
        };
        let known = match (&parts[0], &parts[1], &parts[2]) {
            (None, None, None) => Some(size.clone()),
            (None, None, stride) if number(stride) == Some(-1) => Some(size.clone()),
            (from, to, stride) if stride.is_none() || number(stride) == Some(1) => {
                let from = match from {
                    Some(e) if number(&parts[0]) != Some(0) => self.size_of(e).map(Some),
                    _ => Some(None),
                };
                let to = match to {
                    Some(e) => self.size_of(e),
                    None => Some(size.clone()),
                };
                from.zip(to).map(|(from, to)| match from {
                    Some(from) => Size::op(SizeOp::Sub, to, from),
                    None => to,
                })
            }
            _ => None,
        };
        match known {
            Some(size) => (size, None),
            None => {
                let ext = self.infer.fresh_ext(span, "unknown length of this slice".to_string());
                (Size::Var(ext.clone()), Some(ext))
            }
        }
    }

    /// `e with path = value`
    pub(super) fn update(&mut self, scope: &Scope, e: T, path: &[ast::Access], value: &ast::Expr, span: Span) -> T {
        let mut part = e.ty.clone();
        let mut typed = vec![];
        let mut ok = true;
        for step in path {
            let next = match step {
                ast::Access::Field(field) => {
                    self.field_type(&part, field).map(|ty| (Access::Field(field.name.clone()), ty))
                }
                ast::Access::Index(indices) => {
                    self.indices(scope, &part, e.span, indices).map(|(indices, ty)| (Access::Index(indices), ty))
                }
            };
            let Some((access, ty)) = next else {
                ok = false;
                break;
            };
            typed.push(access);
            part = ty;
        }
        let value = self.expr(scope, value);
        if !ok {
            return typed_expr(ExprKind::Error, Type::Error, span);
        }
        let fields = path.iter().rev().map_while(|step| match step {
            ast::Access::Field(field) => Some(&*field.name),
            ast::Access::Index(_) => None,
        });
        let fields: Vec<&str> = fields.collect::<Vec<_>>().into_iter().rev().collect();
        let what = match &fields[..] {
            [] => "part".to_string(),
            fields => format!("record field \"{}\"", fields.join(".")),
        };
        let why = || format!("The new value must have the type of the {what} that it replaces.");
        let slice = |index: &ast::Index| matches!(index, ast::Index::Slice(..));
        let (mut array, mut sliced) = (false, false);
        for step in path {
            if let ast::Access::Index(indices) = step {
                array = true;
                sliced |= indices.iter().any(slice);
            }
        }
        if array && !sliced {
            self.require(&part, &value, why);
            let ty = e.ty.clone();
            return typed_expr(ExprKind::Update(Box::new(e), typed, Box::new(value)), ty, span);
        }
        // The sizes of slices are compared when the program runs; those of fields are new.
        if let Err(m) = self.infer.unify_shapes(&part, &value.ty, value.span) {
            let d = self.infer.mismatch(&m, &part, &value.ty, value.span, &why());
            self.infer.error(d);
        }
        let ty = if array { e.ty.clone() } else { self.with_field(&e.ty, path, &value.ty) };
        typed_expr(ExprKind::Update(Box::new(e), typed, Box::new(value)), ty, span)
    }

    /// The type of a record with another type for the field at the end of a path.
    fn with_field(&mut self, ty: &Type, path: &[ast::Access], new: &Type) -> Type {
        let Some((ast::Access::Field(field), rest)) = path.split_first() else { return new.clone() };
        let Type::Record(fields) = self.infer.head(ty) else { return ty.clone() };
        let replace = |(name, t): &(Name, Type)| {
            let t = if *name == field.name { self.with_field(t, rest, new) } else { t.clone() };
            (name.clone(), t)
        };
        Type::Record(fields.iter().map(replace).collect())
    }
}

/// Does a module have a value or module of that name?
fn has_name(module: &Module, name: &str) -> bool {
    match module {
        Module::Plain(names) => names.values.contains_key(name) || names.modules.contains_key(name),
        Module::Functor(_) => false,
        Module::Error => true,
    }
}
