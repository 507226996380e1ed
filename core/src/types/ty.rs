//! Types of the source language, with sizes.

use crate::prim::ScalarType;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The name of something, shared.
pub type Name = Arc<str>;

/// A binder: of a value, a size or a type parameter. A size is named by the value that has it, so the three share one kind
/// of identifier. Unique in its session; two are equal when their numbers are.
#[derive(Clone, Debug)]
pub struct Id {
    /// The number.
    pub num: u32,
    /// The name in the source; of an unknown size, what computes it.
    pub name: Name,
}

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        self.num == other.num
    }
}
impl Eq for Id {}
impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.num.hash(state);
    }
}
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The size of a dimension. Equal sizes are written equally: `n*m` is not `m*n`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// A number.
    Const(i64),
    /// An `i64` value, a size parameter, or an unknown size that an expression brought up.
    Var(Id),
    /// Not known yet: a variable of inference.
    Meta(u32),
    /// Arithmetic on sizes.
    Op(SizeOp, Arc<(Size, Size)>),
}

/// Arithmetic that may stand in a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

impl SizeOp {
    /// The operator in the source.
    pub fn symbol(self) -> &'static str {
        match self {
            SizeOp::Add => "+",
            SizeOp::Sub => "-",
            SizeOp::Mul => "*",
            SizeOp::Div => "/",
        }
    }
}

impl Size {
    /// `a op b`
    pub fn op(op: SizeOp, a: Size, b: Size) -> Size {
        Size::Op(op, Arc::new((a, b)))
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A number or truth value.
    Scalar(ScalarType),
    /// `[n]t`
    Array(Size, Arc<Type>),
    /// `(t, u)`; the unit when empty.
    Tuple(Arc<[Type]>),
    /// `t -> u`
    Fun(Arc<FunType>),
    /// A type parameter.
    Var(Id),
    /// Not known yet: a variable of inference.
    Meta(u32),
    /// The type of what is in error; agrees with every type.
    Error,
}

/// `(param: arg) -> ?[exts]. ret`
#[derive(Clone, Debug, PartialEq)]
pub struct FunType {
    /// The parameter's name, if `ret` mentions it as a size.
    pub param: Option<Id>,
    /// The parameter's type.
    pub arg: Type,
    /// The sizes in `ret` that only a call brings up.
    pub exts: Vec<Id>,
    /// The result's type.
    pub ret: Type,
}

impl Type {
    /// `bool`
    pub const BOOL: Type = Type::Scalar(ScalarType::Bool);
    /// `i64`, the type of sizes.
    pub const I64: Type = Type::Scalar(ScalarType::I64);

    /// `[n]t`
    pub fn array(size: Size, elem: Type) -> Type {
        Type::Array(size, Arc::new(elem))
    }

    /// `(t, …)`
    pub fn tuple(types: Vec<Type>) -> Type {
        Type::Tuple(types.into())
    }

    /// `arg -> ret`
    pub fn fun(arg: Type, ret: Type) -> Type {
        Type::Fun(Arc::new(FunType { param: None, arg, exts: vec![], ret }))
    }

    /// Does it contain a function?
    pub fn has_function(&self) -> bool {
        match self {
            Type::Fun(_) => true,
            Type::Array(_, elem) => elem.has_function(),
            Type::Tuple(types) => types.iter().any(Type::has_function),
            _ => false,
        }
    }

    /// Calls `f` on each size in it, from left to right.
    pub fn sizes(&self, f: &mut impl FnMut(&Size)) {
        match self {
            Type::Array(size, elem) => {
                f(size);
                elem.sizes(f);
            }
            Type::Tuple(types) => types.iter().for_each(|t| t.sizes(f)),
            Type::Fun(fun) => {
                fun.arg.sizes(f);
                fun.ret.sizes(f);
            }
            _ => {}
        }
    }

    /// Replaces sizes and type parameters.
    pub fn subst(&self, s: &Subst) -> Type {
        if s.sizes.is_empty() && s.types.is_empty() {
            return self.clone();
        }
        self.map(&mut |size| size.subst(&s.sizes), &mut |t| match t {
            Type::Var(id) => s.types.get(id).cloned(),
            _ => None,
        })
    }

    /// Rebuilds it: `size` for each size, `leaf` where a type is to be replaced.
    pub fn map(&self, size: &mut dyn FnMut(&Size) -> Size, leaf: &mut dyn FnMut(&Type) -> Option<Type>) -> Type {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.map_inner(size, leaf))
    }

    fn map_inner(&self, size: &mut dyn FnMut(&Size) -> Size, leaf: &mut dyn FnMut(&Type) -> Option<Type>) -> Type {
        if let Some(t) = leaf(self) {
            return t;
        }
        match self {
            Type::Array(n, elem) => {
                let n = size(n);
                Type::array(n, elem.map(size, leaf))
            }
            Type::Tuple(types) => Type::Tuple(types.iter().map(|t| t.map(size, leaf)).collect()),
            Type::Fun(f) => {
                let arg = f.arg.map(size, leaf);
                Type::Fun(Arc::new(FunType {
                    param: f.param.clone(),
                    arg,
                    exts: f.exts.clone(),
                    ret: f.ret.map(size, leaf),
                }))
            }
            _ => self.clone(),
        }
    }
}

impl Size {
    /// Calls `f` on each name in it.
    pub fn names(&self, f: &mut impl FnMut(&Id)) {
        match self {
            Size::Var(id) => f(id),
            Size::Op(_, ab) => {
                ab.0.names(f);
                ab.1.names(f);
            }
            Size::Const(_) | Size::Meta(_) => {}
        }
    }

    /// Replaces names.
    pub fn subst(&self, s: &HashMap<Id, Size>) -> Size {
        match self {
            Size::Var(id) => s.get(id).unwrap_or(self).clone(),
            Size::Op(op, ab) => Size::op(*op, ab.0.subst(s), ab.1.subst(s)),
            _ => self.clone(),
        }
    }
}

/// What names and type parameters are replaced by.
#[derive(Clone, Debug, Default)]
pub struct Subst {
    /// Sizes for names.
    pub sizes: HashMap<Id, Size>,
    /// Types for type parameters.
    pub types: HashMap<Id, Type>,
}

/// A parameter of a definition or type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeParam {
    /// `[n]`
    Size(Id),
    /// `'a`; may it be a function?
    Type(Id, bool),
}

impl TypeParam {
    /// Its name.
    pub fn id(&self) -> &Id {
        match self {
            TypeParam::Size(id) | TypeParam::Type(id, _) => id,
        }
    }
}

/// A type with parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheme {
    /// The parameters.
    pub params: Vec<TypeParam>,
    /// The sizes in `ty` that evaluating the value brings up (functions have theirs in their types).
    pub exts: Vec<Id>,
    /// The type.
    pub ty: Type,
}

impl Scheme {
    /// A type without parameters.
    pub fn mono(ty: Type) -> Scheme {
        Scheme { params: vec![], exts: vec![], ty }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Const(n) => write!(f, "{n}"),
            Size::Var(id) => write!(f, "{id}"),
            Size::Meta(_) => Ok(()),
            Size::Op(op, ab) => {
                let show = |f: &mut fmt::Formatter<'_>, s: &Size, tight: bool| match s {
                    Size::Op(..) if tight => write!(f, "({s})"),
                    Size::Meta(_) => f.write_str("_"),
                    _ => write!(f, "{s}"),
                };
                let product = matches!(op, SizeOp::Mul | SizeOp::Div);
                let left_tight = product && matches!(&ab.0, Size::Op(SizeOp::Add | SizeOp::Sub, _));
                show(f, &ab.0, left_tight)?;
                write!(f, " {} ", op.symbol())?;
                show(f, &ab.1, true)
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(t) => write!(f, "{t}"),
            Type::Array(n, elem) if matches!(**elem, Type::Fun(_)) => write!(f, "[{n}]({elem})"),
            Type::Array(n, elem) => write!(f, "[{n}]{elem}"),
            Type::Tuple(types) => {
                f.write_str("(")?;
                for (i, t) in types.iter().enumerate() {
                    write!(f, "{}{t}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Type::Fun(fun) => {
                match (&fun.param, &fun.arg) {
                    (Some(name), arg) => write!(f, "({name}: {arg})")?,
                    (None, arg @ Type::Fun(_)) => write!(f, "({arg})")?,
                    (None, arg) => write!(f, "{arg}")?,
                }
                f.write_str(" -> ")?;
                if !fun.exts.is_empty() {
                    f.write_str("?")?;
                    fun.exts.iter().try_for_each(|id| write!(f, "[{id}]"))?;
                    f.write_str(".")?;
                }
                write!(f, "{}", fun.ret)
            }
            Type::Var(id) => write!(f, "{id}"),
            Type::Meta(n) => write!(f, "t{n}"),
            Type::Error => f.write_str("?"),
        }
    }
}

/// As a signature: the parameters, then the type, `[n] 'a. [n]a -> i64`.
impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for p in &self.params {
            match p {
                TypeParam::Size(id) => write!(f, "[{id}] ")?,
                TypeParam::Type(id, false) => write!(f, "'{id} ")?,
                TypeParam::Type(id, true) => write!(f, "'^{id} ")?,
            }
        }
        if !self.params.is_empty() {
            f.write_str(". ")?;
        }
        write!(f, "{}", self.ty)
    }
}

/// The ids that occur in a type as sizes.
pub fn size_names(ty: &Type) -> HashSet<Id> {
    let mut names = HashSet::new();
    ty.sizes(&mut |s| {
        s.names(&mut |id| {
            names.insert(id.clone());
        })
    });
    names
}
