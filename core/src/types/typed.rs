//! The typed program: what checking returns and lowering reads. Names are resolved, every expression has its type, every
//! reference says what the parameters of its type stand for, operators have their widths, and what brings up an unknown
//! size names it. Long runs stay as flat as they were in the syntax tree.
//!
//! Order of evaluation, on which lowering and the causality check agree: the arguments in [`evaluation_order`], then the
//! function, then the call.

pub use super::ty::{Arg, Unique};
use super::ty::{Id, Name, Scheme, Size, Type, TypeParam};
use crate::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType, UnOp};
use crate::source::Span;
pub use crate::syntax::ast::{Attr, AttrArg, RangeKind};
use std::sync::Arc;

/// A definition: `def`, or a function bound by `let`.
#[derive(Clone, Debug)]
pub struct Def {
    /// Its identity.
    pub id: Id,
    /// Its type.
    pub scheme: Scheme,
    /// The parameters of its type that its body sees (those of `scheme`).
    pub tparams: Vec<TypeParam>,
    /// The parameters; none for a value.
    pub params: Vec<Pat>,
    /// What of each parameter it may consume.
    pub consumes: Vec<Unique>,
    /// What of the result is an alias of nothing, as declared.
    pub fresh: Option<Unique>,
    /// The body.
    pub body: Expr,
    /// Whether it refers to itself.
    pub recursive: bool,
    /// Whether it is an entry point.
    pub entry: bool,
    /// Its attributes.
    pub attrs: Vec<Attr>,
    /// Its documentation.
    pub doc: Option<String>,
    /// Where its name stands.
    pub span: Span,
}

/// What a checked file defines, in order.
#[derive(Clone, Debug, Default)]
pub struct TypedProgram {
    /// The definitions that are free of errors, those of modules included.
    pub defs: Vec<Arc<Def>>,
}

impl TypedProgram {
    /// The entry points.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Def>> {
        self.defs.iter().filter(|d| d.entry)
    }
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// The type of what it matches.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, Debug)]
pub enum PatKind {
    /// Binds a name.
    Name(Id),
    /// Binds nothing.
    Wildcard,
    /// Takes a record or tuple apart: some of its fields, in the order in which they stand.
    Record(Vec<(Name, Pat)>),
    /// Matches a value that equals this.
    Lit(Literal),
    /// Matches a constructor, and takes what it holds.
    Constr(Name, Vec<Pat>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal; its type says at which width.
    Lit(Literal),
    /// A value or function that the program defines, or a size.
    Var(Id, Vec<Arg>),
    /// A function that is built in.
    Intrinsic(Intrinsic, Vec<Arg>),
    /// A scalar operator as a function, by name.
    Prim(Prim),
    /// An overloaded operator as a function, at the (scalar) type of its operands.
    Op(Operator, Type),
    /// A record or tuple: its fields in the order in which they stand, which is that of their evaluation.
    Record(Vec<(Name, Expr)>),
    /// A constructor and what it holds.
    Constr(Name, Vec<Expr>),
    /// An array literal.
    Array(Vec<Expr>),
    /// A field.
    Project(Box<Expr>, Name),
    /// An element, row or slice.
    Index(Box<Expr>, Vec<Index>),
    /// A value with a part replaced.
    Update(Box<Expr>, Vec<Access>, Box<Expr>),
    /// `assert c e`
    Assert(Box<Expr>, Box<Expr>),
    /// `???`, and the unknown sizes of its type: an error when it is reached.
    Hole(Vec<Id>),
    /// An application.
    Apply(Box<Expr>, Vec<Expr>, Apply),
    /// A value, to which each step in turn is applied.
    Chain(Box<Expr>, Vec<Step>),
    /// A function.
    Lambda(Arc<Lambda>),
    /// Branches in order, then the last `else`; the unknown sizes of the result.
    If(Vec<(Expr, Expr)>, Box<Expr>, Vec<Id>),
    /// A value matched with patterns in order, of which one fits; the unknown sizes of the result.
    Match(Box<Expr>, Vec<(Pat, Expr)>, Vec<Id>),
    /// Bindings and a body. The pairs name the sizes of the result that would leave the scope of their names.
    Block(Vec<Binding>, Box<Expr>, Vec<(Id, Size)>),
    /// A loop.
    Loop(Box<Loop>),
    /// A range.
    Range(Box<Range>),
    /// The same value at a type with other sizes, checked when run.
    Coerce(Box<Expr>),
    /// An expression with an attribute.
    Attr(Attr, Box<Expr>),
    /// `#[break] e`: before it is evaluated, whoever runs the program in a session may look at these names.
    Break(Vec<(Id, Type)>, Box<Expr>),
    /// What is in error; never lowered.
    Error,
}

/// One of the indices in `e[..]`.
#[derive(Clone, Debug)]
pub enum Index {
    /// `i`
    At(Expr),
    /// `i:j:s`, and the name of its size, where the size is unknown.
    Slice(Box<[Option<Expr>; 3]>, Option<Id>),
}

impl Index {
    /// The expressions in it, in the order of their evaluation.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let parts: Vec<&Expr> = match self {
            Index::At(e) => vec![e],
            Index::Slice(parts, _) => parts.iter().flatten().collect(),
        };
        parts.into_iter()
    }

    /// The same, to change them.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let parts: Vec<&mut Expr> = match self {
            Index::At(e) => vec![e],
            Index::Slice(parts, _) => parts.iter_mut().flatten().collect(),
        };
        parts.into_iter()
    }
}

/// A step to the part of a value that is replaced.
#[derive(Clone, Debug)]
pub enum Access {
    /// `.x`
    Field(Name),
    /// `[i, j:k]`
    Index(Vec<Index>),
}

/// Whether what replaces a part is evaluated before what it is a part of, as Futhark does where the path begins with indices: these come first, so that the value
/// may consume what they read, then the value, which may read the array, and then the array. Where the path begins with a field, the record comes first.
pub fn value_first(path: &[Access]) -> bool {
    matches!(path.first(), Some(Access::Index(_)))
}

/// What an application does to sizes.
#[derive(Clone, Debug, Default)]
pub struct Apply {
    /// Arguments (by position) that are sizes of the result, or values that such sizes mention: the size that their value is, a name or an expression.
    pub arg_sizes: Vec<(usize, Size)>,
    /// The unknown sizes of the result, which stand in its type as names.
    pub exts: Vec<Id>,
}

/// The order in which the arguments of a call are evaluated, as their positions: from right to left, as Futhark does (0.25.32 accepts
/// `zip (rep 1) (0..2..<n)`, where the right one brings up the size that the left one needs, and not the reverse).
pub fn evaluation_order(args: &[Expr]) -> Vec<usize> {
    (0..args.len()).rev().collect()
}

/// One step of a chain.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// The type of its result.
    pub ty: Type,
    /// Where, from the start of the chain.
    pub span: Span,
}

impl Step {
    /// The function of a pipe from the right, which stands before the value that the chain begins with and is evaluated before it: of `f <| g <| x` f, then g, then x,
    /// while the steps are from the right.
    pub fn on_the_left(&self, first: &Expr) -> Option<&Expr> {
        match &self.kind {
            // mutant: a function and what is piped into it are in two places
            StepKind::Apply(f, None, _) if f.span.start < first.span.start => Some(f),
            _ => None,
        }
    }
}

/// The kinds of step.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// `f acc`, or `f acc x`
    Apply(Expr, Option<Expr>, Apply),
    /// `acc && x`
    And(Expr),
    /// `acc || x`
    Or(Expr),
}

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// An integer, also where a number with fraction is wanted. Negation has been folded in.
    Int(i128),
    /// A number.
    Float(f64),
    /// A truth value.
    Bool(bool),
}

impl Literal {
    /// The literal at a type; `None` if the type cannot hold it.
    pub fn at(self, ty: ScalarType) -> Option<Scalar> {
        use ScalarType::*;
        match (self, ty) {
            (Literal::Bool(b), Bool) => Some(Scalar::Bool(b)),
            // f32 is rounded once; of f16 what f64 does not hold exactly is infinite, and no literal is
            (Literal::Int(n), F32) => Some(Scalar::F32(n as f32)),
            (Literal::Int(n), F16) if (n as f64).abs() >= 65520.0 => None,
            (Literal::Int(n), F16 | F64) => Some(Scalar::from_f64(ty, n as f64)),
            (Literal::Int(n), _) => Scalar::from_int(ty, n),
            // as 0.25.32 has it, which does not look at f16
            (Literal::Float(x), F32) if (x as f32).is_infinite() => None,
            (Literal::Float(x), F64) if x.is_infinite() => None,
            (Literal::Float(x), F16 | F32 | F64) => Some(Scalar::from_f64(ty, x)),
            _ => None,
        }
    }
}

/// `\params -> body`
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The parameters.
    pub params: Vec<Pat>,
    /// What of each parameter it may consume.
    pub consumes: Vec<Unique>,
    /// What of the result is an alias of nothing, as declared.
    pub fresh: Option<Unique>,
    /// The body.
    pub body: Expr,
}

/// One binding of a block.
#[derive(Clone, Debug)]
// Most bindings are of the large kind.
#[allow(clippy::large_enum_variant)]
pub enum Binding {
    /// `let p = e`
    Pat(Pat, Expr),
    /// `let f x = e`
    Fun(Arc<Def>),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What is carried around.
    pub pat: Pat,
    /// What of it a turn may consume.
    pub consumes: Unique,
    /// What of it a turn may only look at, by its annotations.
    pub observed: Unique,
    /// Its first value.
    pub init: Expr,
    /// How it goes on.
    pub form: LoopForm,
    /// Its next value.
    pub body: Expr,
    /// Sizes of the carried arrays that change: the name inside, the name outside of the loop.
    pub variant: Vec<(Id, Id)>,
}

/// How a loop goes on.
#[derive(Clone, Debug)]
pub enum LoopForm {
    /// `for i < n`
    For(Id, Expr),
    /// `for p in xs`
    ForIn(Pat, Expr),
    /// `while e`
    While(Expr),
}

/// A range.
#[derive(Clone, Debug)]
pub struct Range {
    /// The first element.
    pub first: Expr,
    /// The second element.
    pub second: Option<Expr>,
    /// How the end is meant.
    pub kind: RangeKind,
    /// The end.
    pub end: Expr,
    /// The name of its size, where the size is unknown.
    pub ext: Option<Id>,
}

/// The operators that have several types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// An operator of the table.
    Bin(BinOp),
    /// A comparison of the table.
    Cmp(CmpOp),
    /// `!=`
    Ne,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `-` with one operand.
    Neg,
    /// `!`
    Not,
}

impl Operator {
    /// The operators of two operands, with their symbols.
    pub const INFIX: [(&'static str, Operator); 21] = [
        ("+", Operator::Bin(BinOp::Add)),
        ("-", Operator::Bin(BinOp::Sub)),
        ("*", Operator::Bin(BinOp::Mul)),
        ("/", Operator::Bin(BinOp::Div)),
        ("%", Operator::Bin(BinOp::Mod)),
        ("//", Operator::Bin(BinOp::Quot)),
        ("%%", Operator::Bin(BinOp::Rem)),
        ("**", Operator::Bin(BinOp::Pow)),
        ("&", Operator::Bin(BinOp::And)),
        ("|", Operator::Bin(BinOp::Or)),
        ("^", Operator::Bin(BinOp::Xor)),
        ("<<", Operator::Bin(BinOp::Shl)),
        (">>", Operator::Bin(BinOp::Shr)),
        (">>>", Operator::Bin(BinOp::Lshr)),
        ("==", Operator::Cmp(CmpOp::Eq)),
        ("<", Operator::Cmp(CmpOp::Lt)),
        ("<=", Operator::Cmp(CmpOp::Le)),
        ("!=", Operator::Ne),
        (">", Operator::Gt),
        (">=", Operator::Ge),
        ("!", Operator::Not),
    ];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        let infix = Operator::INFIX.iter().find(|(_, op)| *op == self).map(|(symbol, _)| *symbol);
        infix.unwrap_or(if self == Operator::Neg { "-" } else { "!" })
    }

    /// How many operands it has.
    pub fn arity(self) -> usize {
        if matches!(self, Operator::Neg | Operator::Not) { 1 } else { 2 }
    }

    /// The operator of the table at a width that it is made of.
    pub fn prim(self, t: ScalarType) -> Prim {
        match self {
            Operator::Bin(op) => Prim::Bin(op, t),
            Operator::Cmp(op) => Prim::Cmp(op, t),
            Operator::Ne => Prim::Cmp(CmpOp::Eq, t),
            Operator::Gt => Prim::Cmp(CmpOp::Lt, t),
            Operator::Ge => Prim::Cmp(CmpOp::Le, t),
            Operator::Neg => Prim::Un(UnOp::Neg, t),
            Operator::Not => Prim::Un(UnOp::Not, t),
        }
    }

    /// Is its result a truth value, whatever its operands?
    pub fn is_comparison(self) -> bool {
        matches!(self, Operator::Cmp(_) | Operator::Ne | Operator::Gt | Operator::Ge)
    }

    /// The types of its operands.
    pub fn types(self) -> impl Iterator<Item = ScalarType> {
        ScalarType::ALL.into_iter().filter(move |t| self.prim(*t).signature().is_some())
    }
}

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident $text:literal,)*) => {
        /// The functions that are built in; their types are in `prelude/intrinsics.fut`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Intrinsic { $($(#[$doc])* $name),* }

        impl Intrinsic {
            /// The intrinsic of that name.
            pub fn from_name(name: &str) -> Option<Intrinsic> {
                match name { $($text => Some(Intrinsic::$name),)* _ => None }
            }
        }
    };
}

intrinsics! {
    /// `map f as`
    Map "map",
    /// `reduce op ne as`
    Reduce "reduce",
    /// `reduce_comm op ne as`
    ReduceComm "reduce_comm",
    /// `scan op ne as`
    Scan "scan",
    /// `flatmap f as`
    FlatMap "flatmap",
    /// `stream_map f as`
    StreamMap "stream_map",
    /// `stream_red op f as`
    StreamRed "stream_red",
    /// `stream_red_comm op f as`
    StreamRedComm "stream_red_comm",
    /// `scatter dest is vs`
    Scatter "scatter",
    /// `scatter_2d dest is vs`
    Scatter2d "scatter_2d",
    /// `scatter_3d dest is vs`
    Scatter3d "scatter_3d",
    /// `hist_1d dest op ne is vs`
    Hist1d "hist_1d",
    /// `hist_2d dest op ne is vs`
    Hist2d "hist_2d",
    /// `hist_3d dest op ne is vs`
    Hist3d "hist_3d",
    /// `scatter_stream dest f as`
    ScatterStream "scatter_stream",
    /// `hist_stream dest op ne f as`
    HistStream "hist_stream",
    /// `acc_write acc i x`
    AccWrite "acc_write",
    /// `iota n`
    Iota "iota",
    /// `replicate n x`
    Replicate "replicate",
    /// `scratch n`
    Scratch "scratch",
    /// `zip as bs`
    Zip "zip",
    /// `zip3 as bs cs`
    Zip3 "zip3",
    /// `zip4 as bs cs ds`
    Zip4 "zip4",
    /// `zip5 as bs cs ds es`
    Zip5 "zip5",
    /// `unzip abs`
    Unzip "unzip",
    /// `unzip3 abcs`
    Unzip3 "unzip3",
    /// `unzip4 abcds`
    Unzip4 "unzip4",
    /// `unzip5 abcdes`
    Unzip5 "unzip5",
    /// `transpose as`
    Transpose "transpose",
    /// `flatten as`
    Flatten "flatten",
    /// `unflatten as`
    Unflatten "unflatten",
    /// `reverse as`
    Reverse "reverse",
    /// `rotate r as`
    Rotate "rotate",
    /// `concat as bs`
    Concat "concat",
    /// `take i as`
    Take "take",
    /// `drop i as`
    Drop "drop",
    /// `flat_index_2d as offset n1 s1 n2 s2`
    FlatIndex2d "flat_index_2d",
    /// `flat_index_3d as offset n1 s1 n2 s2 n3 s3`
    FlatIndex3d "flat_index_3d",
    /// `flat_index_4d as offset n1 s1 n2 s2 n3 s3 n4 s4`
    FlatIndex4d "flat_index_4d",
    /// `flat_update_2d as offset s1 s2 vs`
    FlatUpdate2d "flat_update_2d",
    /// `flat_update_3d as offset s1 s2 s3 vs`
    FlatUpdate3d "flat_update_3d",
    /// `flat_update_4d as offset s1 s2 s3 s4 vs`
    FlatUpdate4d "flat_update_4d",
    /// `copy x`
    Copy "copy",
    /// `manifest x`
    Manifest "manifest",
    /// `opaque x`
    Opaque "opaque",
    /// `jvp2 f x x'`
    Jvp2 "jvp2",
    /// `vjp2 f x y'`
    Vjp2 "vjp2",
    /// `jmp2 f x x'`
    Jmp2 "jmp2",
    /// `mjp2 f x y'`
    Mjp2 "mjp2",
    /// `with_vjp f f' x`
    WithVjp "with_vjp",
    /// `with_jvp f f' x`
    WithJvp "with_jvp",
}
