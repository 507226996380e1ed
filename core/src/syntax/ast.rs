//! The syntax tree: the program as written, with spans, before names and types are resolved.
//!
//! What may be long is kept flat, so that no traversal and no drop recurses along it: a run of operators of one
//! precedence is one [`ExprKind::Chain`], a run of `let`s one [`ExprKind::Block`], `if … else if …` one [`ExprKind::If`].
//! What nests, nests at most [`super::MAX_NESTING`] deep.

use crate::source::Span;
use std::sync::Arc;

/// A name as written; cheap to clone.
pub type Name = Arc<str>;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The name; of an operator, its symbols.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// A possibly qualified name: `f`, `f64.exp`, `m.n.+`.
#[derive(Clone, Debug, PartialEq)]
pub struct QualName {
    /// The modules, outermost first.
    pub quals: Vec<Ident>,
    /// The name in the innermost.
    pub base: Ident,
}

impl QualName {
    /// From the first module to the name.
    pub fn span(&self) -> Span {
        self.quals.first().map_or(self.base.span, |q| q.span.to(self.base.span))
    }

    /// As written, with dots.
    pub fn text(&self) -> String {
        self.modules() + &self.base.name
    }

    /// The modules before the name, each with its dot.
    pub fn modules(&self) -> String {
        self.quals.iter().map(|q| format!("{}.", q.name)).collect()
    }
}

/// A program: what one file contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ast {
    /// The declarations, in order.
    pub decls: Vec<Decl>,
    /// What is declared by what cannot be read, which has been said: nothing more is known of these names.
    pub unread: Vec<Unread>,
}

/// A name whose declaration cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Unread {
    /// Of a value.
    Value(Ident),
    /// Of a type.
    Type(Ident),
    /// Of a module.
    Module(Ident),
}

/// A declaration with what stands before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// `#[..]` before it.
    pub attrs: Vec<Attr>,
    /// Its `-- |` comment.
    pub doc: Option<String>,
    /// The whole of it.
    pub span: Span,
}

/// The kinds of declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclKind {
    /// `def f [n] 'a (x: t): t = e`, also spelt `let`; `entry` when `entry` is true.
    Def {
        /// Whether it is an entry point.
        entry: bool,
        /// The definition.
        def: FunDef,
    },
    /// `val f [n] 'a : t`: the type of something that is defined elsewhere.
    Val {
        /// The name.
        name: Ident,
        /// The parameters of its type.
        tparams: Vec<TypeParam>,
        /// Its type.
        ty: TypeExp,
    },
    /// `type t [n] 'a = …`
    Type {
        /// What it may hide: `type^`, `type~`.
        lifted: Lifted,
        /// The name.
        name: Ident,
        /// Its parameters.
        params: Vec<TypeParam>,
        /// What it stands for.
        def: TypeExp,
    },
    /// `module m (p: s) : s = …`
    Module {
        /// The name.
        name: Ident,
        /// Its parameters.
        params: Vec<ModParam>,
        /// The module type that it is seen through.
        sig: Option<SigExp>,
        /// The module.
        def: ModExp,
    },
    /// `module type s = …`
    ModuleType {
        /// The name.
        name: Ident,
        /// What it stands for.
        def: SigExp,
    },
    /// `open m`
    Open(ModExp),
    /// `local decl`: not visible from outside.
    Local(Box<Decl>),
    /// `import "path"`: everything that the file declares.
    Import(Ident),
}

/// A module expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ModExp {
    /// The name of a module.
    Name(QualName),
    /// `{ decls }`
    Struct(Vec<Decl>, Span),
    /// `import "path"`: what the file declares.
    Import(Ident),
    /// `f m`
    Apply(Box<ModExp>, Box<ModExp>),
    /// `m : s`
    Ascribe(Box<ModExp>, SigExp),
    /// `\(p: s) -> m`
    Lambda(Box<ModParam>, Option<SigExp>, Box<ModExp>),
}

/// A parameter of a module: `(p: s)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModParam {
    /// Its name.
    pub name: Ident,
    /// Its module type.
    pub sig: SigExp,
}

/// A module type.
#[derive(Clone, Debug, PartialEq)]
pub struct SigExp {
    /// What it is.
    pub kind: SigExpKind,
    /// Where.
    pub span: Span,
}

/// The kinds of module type.
#[derive(Clone, Debug, PartialEq)]
pub enum SigExpKind {
    /// Its name.
    Name(QualName),
    /// `{ specs }`
    Specs(Vec<Spec>),
    /// `s with t 'a = …`
    With {
        /// The module type.
        sig: Box<SigExp>,
        /// The type in it that is said to be another.
        name: QualName,
        /// The parameters of that type.
        params: Vec<TypeParam>,
        /// The other.
        ty: TypeExp,
    },
    /// `s -> t`, `(p: s) -> t`
    Arrow(Option<Ident>, Box<SigExp>, Box<SigExp>),
}

/// What a module type asks of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// What it asks.
    pub kind: SpecKind,
    /// `#[..]` before it.
    pub attrs: Vec<Attr>,
    /// Its `-- |` comment.
    pub doc: Option<String>,
    /// The whole of it.
    pub span: Span,
}

/// The kinds of what a module type asks.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecKind {
    /// `val f [n] 'a : t`
    Val {
        /// The name.
        name: Ident,
        /// The parameters of its type.
        tparams: Vec<TypeParam>,
        /// Its type.
        ty: TypeExp,
    },
    /// `type t 'a`, of which nothing is known; `type t 'a = …`
    Type {
        /// What it may hide.
        lifted: Lifted,
        /// The name.
        name: Ident,
        /// Its parameters.
        params: Vec<TypeParam>,
        /// What it stands for.
        def: Option<TypeExp>,
    },
    /// `module m : s`
    Module(Ident, SigExp),
    /// `include s`
    Include(SigExp),
}

/// A definition of a function, or of a value when it has no parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct FunDef {
    /// Its name.
    pub name: Ident,
    /// `[n]`, `'a`.
    pub tparams: Vec<TypeParam>,
    /// The parameters.
    pub params: Vec<Pat>,
    /// The type of the result.
    pub ret: Option<TypeExp>,
    /// The body.
    pub body: Expr,
}

/// A parameter of a type or definition.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeParam {
    /// `[n]`
    Size(Ident),
    /// `'a`, `'~a`, `'^a`
    Type {
        /// Its name.
        name: Ident,
        /// Which types it may stand for.
        lifted: Lifted,
    },
}

/// Which types an unknown type may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifted {
    /// Those of constant size, without functions.
    #[default]
    No,
    /// `~`: also those with unknown sizes.
    Size,
    /// `^`: also those with functions.
    Full,
}

impl TypeParam {
    /// The name.
    pub fn ident(&self) -> &Ident {
        match self {
            TypeParam::Size(name) | TypeParam::Type { name, .. } => name,
        }
    }
}

/// An attribute `#[name]`, `#[name(args)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr {
    /// Its name.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<AttrArg>,
    /// With the brackets.
    pub span: Span,
}

/// An argument of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttrArg {
    /// A number.
    Int(i64),
    /// A name, perhaps with arguments.
    Attr(Attr),
    /// A variable, `$x`.
    Var(QualName),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExp {
    /// What it is.
    pub kind: TypeExpKind,
    /// Where.
    pub span: Span,
}

/// The kinds of type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeExpKind {
    /// A named type and its arguments: `f64`, `m.t`, `vec [n] f64`.
    Name(QualName, Vec<TypeArg>),
    /// `[n]t`; `None` for `[]t`.
    Array(Option<Box<Expr>>, Box<TypeExp>),
    /// `(t, u)`; `()` when empty.
    Tuple(Vec<TypeExp>),
    /// `t -> u`, `(n: t) -> u`.
    Fun(Option<Ident>, Box<TypeExp>, Box<TypeExp>),
    /// `*t`
    Unique(Box<TypeExp>),
    /// `{x: t, y: u}`
    Record(Vec<(Ident, TypeExp)>),
    /// `#c t | #d`
    Sum(Vec<(Ident, Vec<TypeExp>)>),
    /// `?[n][m].t`
    Exists(Vec<Ident>, Box<TypeExp>),
}

/// An argument of a named type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeArg {
    /// `[n]`; `None` for `[]`.
    Size(Option<Box<Expr>>, Span),
    /// A type.
    Type(TypeExp),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// Where.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatKind {
    /// A name.
    Name(Name),
    /// `_`
    Wildcard,
    /// `(p, q)`; `()` when empty.
    Tuple(Vec<Pat>),
    /// `{x = p, y}`; a field alone binds its name.
    Record(Vec<(Ident, Option<Pat>)>),
    /// `1`, `-2.5`, `true`
    Lit(Box<Expr>),
    /// `#c p q`
    Constr(Ident, Vec<Pat>),
    /// `p: t`
    Typed(Box<Pat>, TypeExp),
    /// `#[attr] p`
    Attr(Attr, Box<Pat>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer literal and its suffix.
    Int(i128, Option<Name>),
    /// A literal with a fraction, and its suffix.
    Float(f64, Option<Name>),
    /// `true`, `false`
    Bool(bool),
    /// A name; qualified names arrive as [`ExprKind::Project`] of it, and are told apart when names are resolved.
    Var(Name),
    /// `(e)`
    Paren(Box<Expr>),
    /// `(e, f)`; `()` when empty.
    Tuple(Vec<Expr>),
    /// `[e, f]`
    Array(Vec<Expr>),
    /// `"text"`: its bytes in UTF-8.
    Str(Arc<str>),
    /// `{x = e, y}`; a field alone has the value of its name.
    Record(Vec<(Ident, Option<Expr>)>),
    /// `#c e f`
    Constr(Ident, Vec<Expr>),
    /// `match e case p -> e …`
    Match(Box<Expr>, Vec<(Pat, Expr)>),
    /// `e with [i].x = v`
    Update(Box<Expr>, Vec<Access>, Box<Expr>),
    /// `assert c e`
    Assert(Box<Expr>, Box<Expr>),
    /// `???`: what is not written yet.
    Hole,
    /// `e.name`, `e.0`: a field, or a name of a module.
    Project(Box<Expr>, Ident),
    /// `e[i, j:k]`
    Index(Box<Expr>, Vec<Index>),
    /// `m.(e)`: `e` with `m` open.
    OpenIn(Box<Expr>, Box<Expr>),
    /// `f x y`
    Apply(Box<Expr>, Vec<Expr>),
    /// `e1 op e2 op e3 …`, operators of one precedence; all associate to the left but those that begin with `<|`.
    Chain(Box<Expr>, Vec<(QualName, Expr)>),
    /// `-e`
    Negate(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// `(op)`
    Op(QualName),
    /// `(e op)`
    SectionLeft(Box<Expr>, QualName),
    /// `(op e)`
    SectionRight(QualName, Box<Expr>),
    /// `(.x[i].y)`: a function that takes a part.
    SectionPath(Vec<Access>),
    /// `\p q: t -> e`
    Lambda(Vec<Pat>, Option<TypeExp>, Box<Expr>),
    /// `if c then e else if c' then e' … else f`
    If(Vec<(Expr, Expr)>, Box<Expr>),
    /// `let … let … in e`
    Block(Vec<Binding>, Box<Expr>),
    /// `loop p = e for … do body`; without `= e` the pattern's own names are the initial values.
    Loop(Box<Loop>),
    /// `first..second..<end`
    Range {
        /// The first element.
        first: Box<Expr>,
        /// The second element.
        second: Option<Box<Expr>>,
        /// How the end is meant.
        kind: RangeKind,
        /// The end.
        end: Box<Expr>,
    },
    /// `e: t`
    Ascribe(Box<Expr>, TypeExp),
    /// `e :> t`
    Coerce(Box<Expr>, TypeExp),
    /// `#[attr] e`
    Attr(Attr, Box<Expr>),
}

/// How a range ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RangeKind {
    /// `...`: at its end, or the last step before it.
    Inclusive,
    /// `..<`: counting up, before it.
    UpTo,
    /// `..>`: counting down, before it.
    DownTo,
}

/// One of the indices in `e[..]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    /// `i`
    At(Expr),
    /// `i:j:s`
    Slice(Box<[Option<Expr>; 3]>, Span),
}

/// A step to a part of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// `.x`
    Field(Ident),
    /// `[i, j:k]`
    Index(Vec<Index>),
}

/// One `let` of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// `let [n] p = e`: the sizes that it names, the pattern, the value.
    Pat(Vec<Ident>, Pat, Expr),
    /// `let f x = e`
    Fun(FunDef),
    /// `let x[i] = e`
    Update(Ident, Vec<Access>, Expr),
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What is carried around.
    pub pat: Pat,
    /// Its first value.
    pub init: Option<Expr>,
    /// How it goes on.
    pub form: LoopForm,
    /// Its next value.
    pub body: Expr,
}

/// How a loop goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopForm {
    /// `for i < n`
    For(Ident, Expr),
    /// `for p in xs`
    ForIn(Pat, Expr),
    /// `while e`
    While(Expr),
}
