//! Types of the source language, with sizes.

use super::typed::Expr;
use crate::hash::{HashMap, HashSet};
use crate::prim::ScalarType;
use crate::syntax::ast::Lifted;
use std::cmp::Ordering;
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

impl Id {
    /// The type of accumulators, which is built in: `acc t`, of an array `t`.
    pub fn acc() -> Id {
        // mutant: any number will do that nothing else has
        Id { num: u32::MAX - 1, name: "acc".into() }
    }
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
    /// What any other expression computes.
    Exp(Arc<SizeExp>),
}

/// An expression that is a size, over what stands for its free names.
#[derive(Clone, Debug)]
pub struct SizeExp {
    /// The expression and its parameters.
    pub code: Arc<SizeCode>,
    /// For each parameter of it: a size or, where the value is no size, a name.
    pub args: Vec<Size>,
    /// For each name in the types in it.
    pub hidden: Vec<Arg>,
    /// The same for expressions that are written equally up to the names in them.
    pub key: Arc<str>,
    /// As written, `{0}` in place of the first of `args` and so on, `{0 }` where it needs no parentheses.
    pub text: Arc<str>,
}

/// The expression of a [`SizeExp`].
#[derive(Clone, Debug)]
pub struct SizeCode {
    /// What is computed.
    pub expr: Expr,
    /// The names in it, and names for simple sizes in it.
    pub params: Vec<Id>,
    /// Those of them that are not always computed with, as they stand in sides of branches.
    pub sides: Vec<Id>,
    /// The names in the types in it; of one whose types are not final, those that are parameters of a local function which has it in its type.
    pub hidden: Vec<Id>,
    /// Are its types final?
    pub is_final: bool,
    /// Whether it computes with scalars only: numbers, names, operators, calls of definitions.
    pub is_scalar: bool,
}

impl PartialEq for SizeExp {
    fn eq(&self, other: &SizeExp) -> bool {
        self.key == other.key && self.args == other.args
    }
}
impl Eq for SizeExp {}
impl Hash for SizeExp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
        self.args.hash(state);
    }
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
    /// `{x: t, y: u}`, in the order of [`label_order`]. A tuple has the fields `0`, `1`, …; the unit has none.
    Record(Arc<[(Name, Type)]>),
    /// `#c t u | #d`, in the order of the names.
    Sum(Arc<[(Name, Vec<Type>)]>),
    /// `t -> u`
    Fun(Arc<FunType>),
    /// A type parameter.
    Var(Id),
    /// A type of which a module hides what it is, and what its parameters stand for.
    Abstract(Id, Arc<[Arg]>),
    /// Not known yet: a variable of inference.
    Meta(u32),
    /// The type of what is in error; agrees with every type.
    Error,
}

/// What a parameter of a type stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A size.
    Size(Size),
    /// A type.
    Type(Type),
}

impl Arg {
    /// The size, if it is one.
    pub fn as_size(&self) -> Option<&Size> {
        match self {
            Arg::Size(size) => Some(size),
            Arg::Type(_) => None,
        }
    }
}

/// Which parts of a value are marked `*`: of a parameter, consumed; of a result, aliases of nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Unique {
    /// None.
    #[default]
    No,
    /// All.
    Yes,
    /// These fields, and what of them.
    Fields(Arc<[(Name, Unique)]>),
}

impl Unique {
    /// Is any part marked?
    pub fn any(&self) -> bool {
        match self {
            Unique::No => false,
            Unique::Yes => true,
            Unique::Fields(fields) => fields.iter().any(|(_, u)| u.any()),
        }
    }

    /// What it is of a field.
    pub fn field(&self, name: &str) -> Unique {
        match self {
            Unique::Fields(fields) => fields.iter().find(|(n, _)| &**n == name).map_or(Unique::No, |(_, u)| u.clone()),
            whole => whole.clone(),
        }
    }
}

/// `(param: arg) -> ?[exts]. ret`
#[derive(Clone, Debug, PartialEq)]
pub struct FunType {
    /// The parameter's name, if `ret` mentions it as a size.
    pub param: Option<Id>,
    /// The parameter's type.
    pub arg: Type,
    /// What of the argument a call consumes.
    pub consumes: Unique,
    /// The sizes in `ret` that only a call brings up.
    pub exts: Vec<Id>,
    /// The result's type.
    pub ret: Type,
    /// What of the result is an alias of nothing.
    pub fresh: Unique,
}

/// The order of the fields of a record: numbers, then names.
pub fn label_order(a: &str, b: &str) -> Ordering {
    match (a.parse::<usize>(), b.parse::<usize>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

/// Where the field of that name stands, of a record's.
pub fn field_position(fields: &[(Name, Type)], name: &str) -> Option<usize> {
    fields.binary_search_by(|(known, _)| label_order(known, name)).ok()
}

/// The name of a tuple's component.
pub fn label(position: usize) -> Name {
    position.to_string().into()
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
        Type::Record(types.into_iter().enumerate().map(|(i, t)| (label(i), t)).collect())
    }

    /// `{x: t, …}`, in any order.
    pub fn record(mut fields: Vec<(Name, Type)>) -> Type {
        fields.sort_by(|a, b| label_order(&a.0, &b.0));
        Type::Record(fields.into())
    }

    /// `#c t | …`, in any order.
    pub fn sum(mut constructors: Vec<(Name, Vec<Type>)>) -> Type {
        constructors.sort_by(|a, b| a.0.cmp(&b.0));
        Type::Sum(constructors.into())
    }

    /// `arg -> ret`
    pub fn fun(arg: Type, ret: Type) -> Type {
        let (consumes, fresh) = (Unique::No, Unique::No);
        Type::Fun(Arc::new(FunType { param: None, arg, consumes, exts: vec![], ret, fresh }))
    }

    /// The types of the components, if it is a tuple.
    pub fn as_tuple(&self) -> Option<Vec<&Type>> {
        let Type::Record(fields) = self else { return None };
        let is_tuple = fields.len() != 1 && fields.iter().enumerate().all(|(i, (name, _))| **name == *label(i));
        is_tuple.then(|| fields.iter().map(|(_, t)| t).collect())
    }

    /// The names of its fields or constructors.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let (fields, constructors) = match self {
            Type::Record(fields) => (&fields[..], &[][..]),
            Type::Sum(constructors) => (&[][..], &constructors[..]),
            _ => (&[][..], &[][..]),
        };
        fields.iter().map(|(name, _)| &**name).chain(constructors.iter().map(|(name, _)| &**name))
    }

    /// Calls `f` on each type directly inside of it, from left to right.
    pub fn parts(&self, f: &mut dyn FnMut(&Type)) {
        match self {
            Type::Array(_, elem) => f(elem),
            Type::Record(fields) => fields.iter().for_each(|(_, t)| f(t)),
            Type::Sum(constructors) => constructors.iter().flat_map(|(_, ts)| ts).for_each(f),
            Type::Fun(fun) => {
                f(&fun.arg);
                f(&fun.ret);
            }
            Type::Abstract(_, args) => {
                args.iter().for_each(|arg| {
                    if let Arg::Type(t) = arg {
                        f(t)
                    }
                });
            }
            Type::Scalar(_) | Type::Var(_) | Type::Meta(_) | Type::Error => {}
        }
    }

    /// Does it contain a function?
    pub fn has_function(&self) -> bool {
        let mut found = matches!(self, Type::Fun(_));
        self.parts(&mut |t| found |= t.has_function());
        found
    }

    /// The names that function types in it bind.
    pub fn bound_names(&self) -> Vec<Id> {
        let mut names = match self {
            Type::Fun(f) => f.param.iter().chain(&f.exts).cloned().collect(),
            _ => vec![],
        };
        self.parts(&mut |t| names.extend(t.bound_names()));
        names
    }

    /// Calls `f` on each size in it, from left to right.
    pub fn sizes(&self, f: &mut dyn FnMut(&Size)) {
        match self {
            Type::Array(size, _) => f(size),
            Type::Abstract(_, args) => {
                for arg in args.iter() {
                    match arg {
                        Arg::Size(size) => f(size),
                        Arg::Type(t) => t.sizes(f),
                    }
                }
                return;
            }
            _ => {}
        }
        self.parts(&mut |t| t.sizes(f));
    }

    /// Replaces sizes and type parameters.
    pub fn subst(&self, s: &Subst) -> Type {
        if s.sizes.is_empty() && s.types.is_empty() {
            return self.clone();
        }
        self.map(&mut |size| size.subst_all(s), &mut |t| match t {
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
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, t)| (name.clone(), t.map(size, leaf))).collect())
            }
            Type::Sum(constructors) => {
                let mut all = |ts: &[Type]| ts.iter().map(|t| t.map(size, leaf)).collect();
                Type::Sum(constructors.iter().map(|(name, ts)| (name.clone(), all(ts))).collect())
            }
            Type::Fun(f) => {
                let arg = f.arg.map(size, leaf);
                let ret = f.ret.map(size, leaf);
                Type::Fun(Arc::new(FunType { arg, ret, ..(**f).clone() }))
            }
            Type::Abstract(id, args) => {
                let one = |arg: &Arg| match arg {
                    Arg::Size(s) => Arg::Size(size(s)),
                    Arg::Type(t) => Arg::Type(t.map(size, leaf)),
                };
                Type::Abstract(id.clone(), args.iter().map(one).collect())
            }
            _ => self.clone(),
        }
    }
}

impl Size {
    /// Calls `f` on each size directly inside of it.
    pub fn parts(&self, f: &mut dyn FnMut(&Size)) {
        match self {
            Size::Op(_, ab) => {
                f(&ab.0);
                f(&ab.1);
            }
            Size::Exp(e) => e.args.iter().for_each(f),
            Size::Const(_) | Size::Var(_) | Size::Meta(_) => {}
        }
    }

    /// Whether it is no more than numbers, names and operators.
    pub fn is_arithmetic(&self) -> bool {
        match self {
            Size::Exp(e) => e.code.is_scalar && e.args.iter().all(Size::is_arithmetic),
            Size::Op(_, ab) => ab.0.is_arithmetic() && ab.1.is_arithmetic(),
            Size::Const(_) | Size::Var(_) | Size::Meta(_) => true,
        }
    }

    /// Calls `f` on each name in it.
    pub fn names(&self, f: &mut dyn FnMut(&Id)) {
        if let Size::Var(id) = self {
            f(id);
        }
        self.parts(&mut |part| part.names(f));
    }

    /// Calls `f` on each variable of inference in it.
    pub fn metas(&self, f: &mut dyn FnMut(u32)) {
        if let Size::Meta(m) = self {
            f(*m);
        }
        self.parts(&mut |part| part.metas(f));
    }

    /// Rebuilds it: `leaf` for each name and variable of inference.
    pub fn map(&self, leaf: &mut dyn FnMut(&Size) -> Size) -> Size {
        match self {
            Size::Const(_) => self.clone(),
            Size::Var(_) | Size::Meta(_) => leaf(self),
            Size::Op(op, ab) => Size::op(*op, ab.0.map(leaf), ab.1.map(leaf)),
            Size::Exp(e) => {
                let args = e.args.iter().map(|a| a.map(leaf)).collect();
                let hidden = |arg: &Arg| match arg {
                    Arg::Size(size) => Arg::Size(size.map(leaf)),
                    Arg::Type(t) => Arg::Type(t.map(&mut |s| s.map(leaf), &mut |_| None)),
                };
                let hidden = e.hidden.iter().map(hidden).collect();
                Size::Exp(Arc::new(SizeExp { args, hidden, ..(**e).clone() }))
            }
        }
    }

    /// Replaces names and type parameters.
    fn subst_all(&self, s: &Subst) -> Size {
        let size = self.subst(&s.sizes);
        match &size {
            Size::Exp(e) if !s.types.is_empty() => {
                // the sizes are replaced already; expressions may stand in one another
                let types = &Subst { types: s.types.clone(), ..Subst::default() };
                let hidden = |arg: &Arg| match arg {
                    Arg::Type(t) => Arg::Type(t.subst(types)),
                    Arg::Size(size) => Arg::Size(size.subst_all(types)),
                };
                let args = e.args.iter().map(|a| a.subst_all(types)).collect();
                Size::Exp(Arc::new(SizeExp { args, hidden: e.hidden.iter().map(hidden).collect(), ..(**e).clone() }))
            }
            Size::Op(op, ab) if !s.types.is_empty() => Size::op(*op, ab.0.subst_all(s), ab.1.subst_all(s)),
            _ => size,
        }
    }

    /// Replaces names.
    pub fn subst(&self, s: &HashMap<Id, Size>) -> Size {
        self.map(&mut |leaf| match leaf {
            Size::Var(id) => s.get(id).unwrap_or(leaf).clone(),
            other => other.clone(),
        })
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

impl Subst {
    /// Arguments for parameters.
    pub fn of(params: &[TypeParam], args: &[Arg]) -> Subst {
        let mut subst = Subst::default();
        for pair in params.iter().zip(args) {
            match pair {
                (TypeParam::Size(id), Arg::Size(size)) => drop(subst.sizes.insert(id.clone(), size.clone())),
                (TypeParam::Type(id, _), Arg::Type(t)) => drop(subst.types.insert(id.clone(), t.clone())),
                _ => {}
            }
        }
        subst
    }
}

/// A parameter of a definition or type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeParam {
    /// `[n]`
    Size(Id),
    /// `'a`, and which types it may stand for.
    Type(Id, Lifted),
}

impl TypeParam {
    /// Itself, as an argument.
    pub fn arg(&self) -> Arg {
        match self {
            TypeParam::Size(id) => Arg::Size(Size::Var(id.clone())),
            TypeParam::Type(id, _) => Arg::Type(Type::Var(id.clone())),
        }
    }

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
            Size::Exp(e) => {
                let shown = e.args.iter().enumerate().fold(e.text.to_string(), |text, (i, arg)| {
                    let (tight, loose) = match arg {
                        Size::Op(..) | Size::Exp(_) => (format!("({arg})"), arg.to_string()),
                        Size::Meta(_) => ("_".to_string(), "_".to_string()),
                        Size::Const(_) | Size::Var(_) => (arg.to_string(), arg.to_string()),
                    };
                    text.replace(&format!("{{{i}}}"), &tight).replace(&format!("{{{i} }}"), &loose)
                });
                f.write_str(&shown)
            }
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
            Type::Array(n, elem) if matches!(**elem, Type::Fun(_) | Type::Sum(_)) => write!(f, "[{n}]({elem})"),
            Type::Array(n, elem) => write!(f, "[{n}]{elem}"),
            Type::Record(fields) => match self.as_tuple() {
                Some(types) => {
                    f.write_str("(")?;
                    for (i, t) in types.iter().enumerate() {
                        write!(f, "{}{t}", if i == 0 { "" } else { ", " })?;
                    }
                    f.write_str(")")
                }
                None => {
                    f.write_str("{")?;
                    for (i, (name, t)) in fields.iter().enumerate() {
                        write!(f, "{}{name}: {t}", if i == 0 { "" } else { ", " })?;
                    }
                    f.write_str("}")
                }
            },
            Type::Sum(constructors) => {
                for (i, (name, types)) in constructors.iter().enumerate() {
                    write!(f, "{}#{name}", if i == 0 { "" } else { " | " })?;
                    types.iter().try_for_each(|t| write!(f, " {}", Atom(t)))?;
                }
                Ok(())
            }
            Type::Fun(fun) => {
                let star = |u: &Unique| if u.any() { "*" } else { "" };
                let consumes = star(&fun.consumes);
                match (&fun.param, &fun.arg) {
                    (Some(name), arg) => write!(f, "({name}: {consumes}{arg})")?,
                    (None, arg @ (Type::Fun(_) | Type::Sum(_))) => write!(f, "{consumes}({arg})")?,
                    (None, arg) => write!(f, "{consumes}{arg}")?,
                }
                f.write_str(" -> ")?;
                if !fun.exts.is_empty() {
                    f.write_str("?")?;
                    fun.exts.iter().try_for_each(|id| write!(f, "[{id}]"))?;
                    f.write_str(".")?;
                }
                write!(f, "{}{}", star(&fun.fresh), fun.ret)
            }
            Type::Abstract(id, args) => {
                write!(f, "{id}")?;
                args.iter().try_for_each(|arg| match arg {
                    Arg::Size(size) => write!(f, " [{size}]"),
                    Arg::Type(t) => write!(f, " {}", Atom(t)),
                })
            }
            Type::Var(id) => write!(f, "{id}"),
            Type::Meta(n) => write!(f, "t{n}"),
            Type::Error => f.write_str("?"),
        }
    }
}

/// A type as an argument: in parentheses, if it is more than a word.
struct Atom<'a>(&'a Type);

impl fmt::Display for Atom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            t @ (Type::Fun(_) | Type::Sum(_)) => write!(f, "({t})"),
            t @ Type::Abstract(_, args) if !args.is_empty() => write!(f, "({t})"),
            t => write!(f, "{t}"),
        }
    }
}

/// As it is declared: `[n]`, `'a`.
impl fmt::Display for TypeParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeParam::Size(id) => write!(f, "[{id}]"),
            TypeParam::Type(id, Lifted::No) => write!(f, "'{id}"),
            TypeParam::Type(id, Lifted::Size) => write!(f, "'~{id}"),
            TypeParam::Type(id, Lifted::Full) => write!(f, "'^{id}"),
        }
    }
}

/// As a signature: the parameters, then the type, `[n] 'a. [n]a -> i64`.
impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.params.iter().try_for_each(|p| write!(f, "{p} "))?;
        if !self.params.is_empty() {
            f.write_str(". ")?;
        }
        write!(f, "{}", self.ty)
    }
}

/// The ids that occur in a type as sizes.
pub fn size_names(ty: &Type) -> HashSet<Id> {
    let mut names = HashSet::default();
    ty.sizes(&mut |s| {
        s.names(&mut |id| {
            names.insert(id.clone());
        })
    });
    names
}
