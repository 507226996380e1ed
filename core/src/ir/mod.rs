//! The core IR: every node, with its equation.
//!
//! There is one IR. Lowering produces it, each pass takes it and returns it, backends compile it, and the interpreter can run what any pass
//! returns. It is in A-normal form, first-order and monomorphic; a body is a list of statements, each binding the results of one expression whose
//! operands are variables or constants; several results stand where the source has tuples, several arrays where it has an array of tuples.
//! Lambdas stand only inside the nodes that take them.
//!
//! **Names.** A [`Var`] is a number; every binder in a program is unique ([`rename`] keeps it so for whatever duplicates a body).
//! The [`Name`] at a binder is for people.
//!
//! **Sizes.** Two sizes are equal only if they are the same constant or the same variable. A dimension names an `i64` variable in scope, bound
//! before the type that mentions it: in a pattern, a parameter list or a result list the sizes of an array come before it. So an existential size
//! is an ordinary leading `i64` result. The lambda of a SOAC returns no existential, except in `flatmap`. An array with no elements still has its full shape.
//!
//! **Certificates.** A [`Check`] returns a value of type [`Type::Cert`]; a statement that relies on the check lists it in [`Stm::certs`].
//! Passes keep a check exactly as long as a statement that lists its certificate.
//!
//! **Uniqueness.** Functions' parameters and results and loops' parameters carry it: a *unique* parameter may be consumed. [`Exp::Update`]
//! and its kin, `hist` and `scatter`, a call with a unique parameter, a loop with a unique parameter and `withacc` consume; a consumed array, and whatever aliases it, is not used
//! on any later path. Only what is unique, or bound in the same function, lambda or loop body, is consumed; the λ of a node that maps may consume its rows, which consumes
//! the array. What a node consumes, nothing else in it reads: no array, λ, operator, neutral element or other destination. On scalars uniqueness says nothing.
//! [`check`](mod@check) checks it.
//!
//! **Provenance.** Each statement says where it comes from: [`Prov`], an interned tree of source spans, inlined calls, and the roles that AD gives.
//!
//! **Text.** Every program prints ([`print`](mod@print)) to text that starts with `futi-ir 1`, and the text parses back ([`parse`](mod@parse)) to the
//! same program.

pub mod build;
pub mod check;
pub mod parse;
pub mod plain;
pub mod print;
pub mod prov;
pub mod rename;
#[cfg(test)]
mod roundtrip;
mod storage;
pub mod visit;

use crate::hash::HashMap;
use std::fmt;
use std::sync::Arc;

pub use crate::prim::{BinOp, CmpOp, UnOp};
pub use crate::prim::{Prim, Scalar, ScalarType};
pub use prov::{Prov, ProvNode, ProvTable, Role};

/// A variable. Unique in its program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// A name for people: of a variable, function, file or attribute. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// The name's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
impl From<&str> for Name {
    fn from(s: &str) -> Self {
        Name(s.into())
    }
}
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// An operand: a variable or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SubExp {
    /// A constant.
    Lit(Scalar),
    /// A variable in scope.
    Var(Var),
}

impl SubExp {
    /// An `i64` constant.
    pub fn i64(x: i64) -> Self {
        SubExp::Lit(Scalar::I64(x))
    }
    /// The variable, if it is one.
    pub fn as_var(self) -> Option<Var> {
        match self {
            SubExp::Var(v) => Some(v),
            SubExp::Lit(_) => None,
        }
    }
    /// The constant, if it is one.
    pub fn as_lit(self) -> Option<Scalar> {
        match self {
            SubExp::Lit(x) => Some(x),
            SubExp::Var(_) => None,
        }
    }
}
impl From<Var> for SubExp {
    fn from(v: Var) -> Self {
        SubExp::Var(v)
    }
}
impl From<Scalar> for SubExp {
    fn from(x: Scalar) -> Self {
        SubExp::Lit(x)
    }
}
impl From<Dim> for SubExp {
    fn from(d: Dim) -> Self {
        match d {
            Dim::Const(n) => SubExp::i64(n),
            Dim::Var(v) => SubExp::Var(v),
        }
    }
}

/// The size of a dimension: a constant, or an `i64` variable. No array has a negative one: code with a constant below zero stands, as code with a variable of that
/// value does, behind a check that fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// A constant.
    Const(i64),
    /// A variable of type `i64`.
    Var(Var),
}

impl Dim {
    /// The operand as a size; `None` for a constant that is no `i64`.
    pub fn from_subexp(e: SubExp) -> Option<Dim> {
        match e {
            SubExp::Var(v) => Some(Dim::Var(v)),
            SubExp::Lit(x) => x.as_i64().map(Dim::Const),
        }
    }
}
impl From<Var> for Dim {
    fn from(v: Var) -> Self {
        Dim::Var(v)
    }
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A scalar.
    Scalar(ScalarType),
    /// `[d1]..[dk]elem`, k ≥ 1: a regular array.
    Array(ScalarType, Vec<Dim>),
    /// An accumulator: a write-only view of arrays of shape `shape` with elements `elems`.
    Acc(AccType),
    /// The evidence that a check has passed, or the identity of a `withacc`. It has one value and no run-time cost.
    Cert,
}

/// The type of an accumulator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AccType {
    /// The `withacc` that it belongs to, which holds operator and neutral element: the variable of type `cert` that it binds.
    pub id: Var,
    /// The dimensions that an update indexes.
    pub shape: Vec<Dim>,
    /// The type of one element, for each of the arrays viewed.
    pub elems: Vec<Type>,
}

impl Type {
    /// `i64`, the type of sizes and indices.
    pub const I64: Type = Type::Scalar(ScalarType::I64);
    /// `bool`.
    pub const BOOL: Type = Type::Scalar(ScalarType::Bool);

    /// The dimensions; none for what is no array.
    pub fn shape(&self) -> &[Dim] {
        match self {
            Type::Array(_, shape) => shape,
            _ => &[],
        }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// How many elements it has, where all its dimensions are constants (and the number is an `i64`).
    pub fn known_size(&self) -> Option<i64> {
        let constant = |d: &Dim| if let Dim::Const(n) = d { Some(*n) } else { None };
        self.shape().iter().map(constant).try_fold(1i64, |size, n| size.checked_mul(n?))
    }

    /// The scalar type of the value or of an array's elements; `None` for accumulators and certificates.
    pub fn elem(&self) -> Option<ScalarType> {
        match self {
            Type::Scalar(t) | Type::Array(t, _) => Some(*t),
            Type::Acc(_) | Type::Cert => None,
        }
    }

    /// The array with `outer` dimensions before this type's own; the type itself for accumulators and certificates (mapping over an
    /// accumulator yields the accumulator).
    pub fn array_of(&self, outer: &[Dim]) -> Type {
        match self {
            Type::Scalar(t) | Type::Array(t, _) if outer.is_empty() && self.rank() == 0 => Type::Scalar(*t),
            Type::Scalar(t) | Type::Array(t, _) => Type::Array(*t, [outer, self.shape()].concat()),
            Type::Acc(_) | Type::Cert => self.clone(),
        }
    }

    /// What is left after indexing the first `n` dimensions; the type itself for accumulators.
    ///
    /// # Panics
    /// When the rank is below `n`.
    pub fn peel(&self, n: usize) -> Type {
        match self {
            Type::Array(t, shape) if shape.len() == n => Type::Scalar(*t),
            Type::Array(t, shape) => Type::Array(*t, shape[n..].to_vec()),
            _ => self.clone(),
        }
    }

    /// The type of a row: what is left after indexing one dimension.
    pub fn row(&self) -> Type {
        self.peel(1)
    }

    /// Whether it is a scalar of floating point type or an array of such.
    pub fn is_float(&self) -> bool {
        self.elem().is_some_and(ScalarType::is_float)
    }
}

impl From<ScalarType> for Type {
    fn from(t: ScalarType) -> Self {
        Type::Scalar(t)
    }
}

/// Where a variable is bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// The variable.
    pub var: Var,
    /// Its name, for people.
    pub name: Name,
    /// Its type; may mention earlier binders of the same list.
    pub ty: Type,
}

/// A whole program: functions, of which some are entry points, and the provenance of their statements.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// The functions, callees in any order; names are unique.
    pub funs: Vec<Fun>,
    /// What the statements' [`Prov`]s refer to.
    pub prov: ProvTable,
}

impl Program {
    /// The function of that name.
    pub fn fun(&self, name: &str) -> Option<&Fun> {
        self.funs.iter().find(|f| f.name.as_str() == name)
    }

    /// The functions by their names, for who looks for many.
    pub fn by_name(&self) -> HashMap<&str, &Fun> {
        self.funs.iter().map(|f| (f.name.as_str(), f)).collect()
    }

    /// The entry point of that name.
    pub fn entry(&self, name: &str) -> Option<&Fun> {
        self.fun(name).filter(|f| f.entry.is_some())
    }

    /// The names of the entry points.
    pub fn entries(&self) -> impl Iterator<Item = &Name> {
        self.funs.iter().filter(|f| f.entry.is_some()).map(|f| &f.name)
    }
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Fun {
    /// Its name.
    pub name: Name,
    /// For an entry point, what the outside sees.
    pub entry: Option<EntrySig>,
    /// The parameters. Of an entry point the first [`EntrySig::sizes`] are the sizes that the caller takes from the arguments' shapes.
    pub params: Vec<FunParam>,
    /// The results, sizes before the values that have them. The binders are in scope of later results only.
    pub results: Vec<FunResult>,
    /// The body.
    pub body: Body,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunParam {
    /// Name and type.
    pub binder: Binder,
    /// Whether the function may consume it.
    pub unique: bool,
}

/// A result of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunResult {
    /// Name and type.
    pub binder: Binder,
    /// Whether it aliases no non-unique parameter and no other result.
    pub unique: bool,
}

/// The types of an entry point as its source has them.
#[derive(Clone, PartialEq, Debug)]
pub struct EntrySig {
    /// How many leading parameters are sizes.
    pub sizes: usize,
    /// The source parameters, each flattening to one or more of the function's.
    pub params: Vec<EntryParam>,
    /// The source type of the result.
    pub result: EntryType,
}

/// A parameter of an entry point.
#[derive(Clone, PartialEq, Debug)]
pub struct EntryParam {
    /// Its name in the source; `_` if it has none.
    pub name: Name,
    /// Its type in the source.
    pub ty: EntryType,
}

/// A type as the source has it.
#[derive(Clone, PartialEq, Debug)]
pub enum EntryType {
    /// A scalar.
    Scalar(ScalarType),
    /// An array: sizes as written (a name, a number, or empty), and the element type.
    Array(Vec<Name>, Box<EntryType>),
    /// A tuple; the empty tuple is the unit, a boolean in the IR.
    Tuple(Vec<EntryType>),
    /// A record, its fields in order.
    Record(Vec<(Name, EntryType)>),
    /// A type whose values have no form outside, as the source writes it, and what they are made of.
    Opaque(Name, Vec<EntryType>),
    /// A sum, as the source writes it; what its values flatten to, the number of the constructor first; and the constructors in the order of their numbers.
    Sum(Name, Vec<EntryType>, Vec<Variant>),
}

/// A constructor of a sum, as the callers of an entry point see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// The types of what it holds.
    pub holds: Vec<EntryType>,
    /// For each value that these flatten to, which one of those of the sum it is. What no place of a constructor's is means nothing in its values.
    pub places: Vec<usize>,
}

impl EntryType {
    /// Element type and rank of each IR value that a value of this type flattens to, in order.
    pub fn leaves(&self) -> Vec<(ScalarType, usize)> {
        match self {
            EntryType::Scalar(t) => vec![(*t, 0)],
            EntryType::Array(dims, elem) => elem.leaves().into_iter().map(|(t, r)| (t, r + dims.len())).collect(),
            EntryType::Tuple(ts) if ts.is_empty() => vec![(ScalarType::Bool, 0)],
            EntryType::Tuple(ts) | EntryType::Opaque(_, ts) | EntryType::Sum(_, ts, _) => {
                ts.iter().flat_map(EntryType::leaves).collect()
            }
            EntryType::Record(fs) => fs.iter().flat_map(|(_, t)| t.leaves()).collect(),
        }
    }
}

/// `stm* in result*`: the statements in order, then the results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    /// The statements.
    pub stms: Vec<Stm>,
    /// The results.
    pub result: Vec<SubExp>,
}

/// `let pat = exp`: binds the results of an expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Stm {
    /// One binder for each result.
    pub pat: Vec<Binder>,
    /// The expression.
    pub exp: Exp,
    /// The certificates of the checks that it relies on.
    pub certs: Vec<Var>,
    /// Attributes from the source.
    pub attrs: Vec<Attr>,
    /// Where it comes from.
    pub prov: Prov,
}

/// An attribute: `#[name]` or `#[name(arg)]`. Passes ignore those that they do not know.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Attr {
    /// Its name.
    pub name: Name,
    /// Its argument.
    pub arg: Option<i64>,
}

// Names that have a blank are the compiler's own: no attribute of a source is called so.
impl Attr {
    /// The name of the attribute of a comparison of a nest's points with a number, for which a device puts its own. The argument tells it from others of its function: it stays a
    /// comparison of its own.
    pub const ENOUGH: &str = "is enough";
    /// The name of the attribute of a branch whose sides come to the same: whoever runs the program may take either.
    pub const EQUIVALENT: &str = "either side";
    /// The name of the attribute of a nest whose points are groups'. The argument says how many elements each array of a group has room for.
    pub const GROUP: &str = "of groups";
    /// The name of the attribute of a nest that writes to places, of which no two points have one in common.
    pub const APART: &str = "places apart";
}

impl Stm {
    /// Its attribute of this name.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|attr| attr.name.as_str() == name)
    }
}

/// `\params -> body`, with the types of its results. Free variables are allowed.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// The parameters.
    pub params: Vec<Binder>,
    /// The types of the results; they mention no parameter and nothing bound in the body.
    pub ret: Vec<Type>,
    /// The body.
    pub body: Body,
}

/// An expression. The equations use `xs[i]` for the element, or row, of an array, and multiple results stand in the order given. *Typing* gives the
/// types of the operands, then `⊢`, then those of the results; t is a scalar type, τ any type of value, d, n, m, k are sizes, and `[n]τ` is τ with n before its
/// own dimensions. *Fresh* results alias nothing; others alias the operands named.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    /// The operand itself. Aliases it. *Typing:* `e: τ ⊢ τ`, where τ may be an accumulator.
    SubExp(SubExp),
    /// `opaque(e) = e`, which no pass sees through: what is computed from it is computed at run time. Aliases e. *Typing:* `e: τ ⊢ τ`.
    Opaque(SubExp),
    /// A scalar operator applied: [`Prim::signature`], [`Prim::eval`]. *Typing:* the operator's signature.
    Prim(Prim, Vec<SubExp>),
    /// `[e0, …]`: an array with these rows, of type `row` each (so that the empty array has a shape). Fresh. *Typing:* `e0: τ, …, e(n-1): τ ⊢ [n]τ`.
    ArrayLit {
        /// The rows; scalars or arrays of type `row`.
        elems: Vec<SubExp>,
        /// The type of a row.
        row: Type,
    },
    /// `xs[i1, …, ik]`, 1 ≤ k ≤ rank: an element, or a row which aliases the array. The indices are in range: a [`Check::Bounds`] has seen to it.
    /// *Typing:* `xs: [d1]…[dk]τ, i1…ik: i64 ⊢ τ`.
    Index {
        /// The array.
        array: Var,
        /// The `i64` indices.
        indices: Vec<SubExp>,
    },
    /// `xs[s1:n1:t1, …]`: in each leading dimension one index, or n indices s, s+t, …; dimensions not mentioned are taken whole. Aliases the array. All
    /// indices are in range: a [`Check::Slice`] has seen to it. *Typing:* `xs: [d1]…[dk]τ, a range of n for some of the d ⊢ those [n] before τ`.
    Slice {
        /// The array.
        array: Var,
        /// What is taken of each leading dimension; at least one.
        slice: Vec<SliceDim>,
    },
    /// `xs[o + i1*s1 + … + ik*sk]` at [i1, …, ik]: a view of a one-dimensional array by offset and strides (a linear memory access descriptor). Aliases
    /// the array. All positions are in range: checks have seen to it. *Typing:* `xs: [d]t, o: i64, s1…sk: i64 ⊢ [n1]…[nk]t`.
    FlatIndex {
        /// The array, of rank 1.
        array: Var,
        /// Where the first element is.
        offset: SubExp,
        /// Size and stride of each dimension of the result; at least one.
        dims: Vec<(Dim, SubExp)>,
    },
    /// `xs with [i1, …, ik] = v`: a copy of the array, with this element or row. Consumes `xs`; `v` does not alias it. The indices are in range.
    /// *Typing:* `xs: [d1]…[dk]τ, i1…ik: i64, v: τ ⊢ the type of xs`.
    Update {
        /// The array; consumed.
        array: Var,
        /// The `i64` indices, 1 ≤ k ≤ rank.
        indices: Vec<SubExp>,
        /// The new element or row.
        value: SubExp,
    },
    /// `xs with [s1:n1:t1, …] = v`: a copy of the array, with this part. Consumes `xs`; `v` does not alias it. The indices are in range, and strides not
    /// zero where there is more than one. *Typing:* `xs: τ, v: the type of that slice of xs ⊢ τ`.
    UpdateSlice {
        /// The array; consumed.
        array: Var,
        /// What is replaced, as in [`Exp::Slice`]; at least one range.
        slice: Vec<SliceDim>,
        /// The new part.
        value: Var,
    },
    /// `xs with [o + i1*s1 + … + ik*sk] = v[i1, …, ik]` for each index of v. Consumes `xs`; `v` does not alias it. The positions are in range; where
    /// they coincide the last in row-major order wins. *Typing:* `xs: [d]t, o: i64, s1…sk: i64, v: [n1]…[nk]t ⊢ [d]t`.
    FlatUpdate {
        /// The array, of rank 1; consumed.
        array: Var,
        /// Where the first element goes.
        offset: SubExp,
        /// Size and stride of each dimension of the value.
        dims: Vec<(Dim, SubExp)>,
        /// The new elements.
        value: Var,
    },
    /// `iota(n, x, s) = [x, x+s, …, x+(n-1)*s]`, at integer type. n ≥ 0. Fresh. *Typing:* `n: i64, x: t, s: t, t an integer type ⊢ [n]t`.
    Iota {
        /// How many.
        n: SubExp,
        /// The first.
        start: SubExp,
        /// The step.
        step: SubExp,
        /// The integer type of the elements.
        elem: ScalarType,
    },
    /// `replicate([d1..dk], v)[i1..ik] = v`, k ≥ 1. Fresh. *Typing:* `v: τ ⊢ [d1]…[dk]τ`.
    Replicate {
        /// The new outer dimensions.
        shape: Vec<Dim>,
        /// The value; a scalar or an array.
        value: SubExp,
    },
    /// `scratch(t, [d1..dk])`: an array whose elements are undefined until they are written. Fresh. *Typing:* `⊢ [d1]…[dk]t`.
    Scratch {
        /// The element type.
        elem: ScalarType,
        /// The shape.
        shape: Vec<Dim>,
    },
    /// `rearrange(p, xs)`: dimension i of the result is dimension `p[i]` of `xs`; `(1,0)` transposes. Aliases. *Typing:* `xs: [d0]…[dk]t ⊢ [d(p0)]…[d(pk)]t`.
    Rearrange {
        /// A permutation of the dimensions.
        perm: Vec<usize>,
        /// The array.
        array: Var,
    },
    /// `manifest(p, xs) = xs`, with its elements laid out in memory so that `rearrange(p, ·)` of it is row-major. Fresh. *Typing:* `xs: τ ⊢ τ`.
    Manifest {
        /// The order of the dimensions in memory, outermost first: a permutation.
        perm: Vec<usize>,
        /// The array.
        array: Var,
    },
    /// The same elements in row-major order under another shape; the number of elements is the same. Aliases. *Typing:* `xs: [d1]…[dk]t ⊢ [n1]…[nm]t`.
    Reshape {
        /// The new shape, which replaces the old one.
        shape: Vec<Dim>,
        /// The array.
        array: Var,
    },
    /// The same array with its sizes under other names: a [`Check::SizeEq`] of each that differs has seen to it. Aliases. *Typing:* `xs: [d1]…[dk]t ⊢ [n1]…[nk]t`.
    Coerce {
        /// The new shape, of the same rank.
        shape: Vec<Dim>,
        /// The array.
        array: Var,
    },
    /// `reverse(xs)[i] = xs[n-1-i]`: the outer dimension backwards. Fresh. *Typing:* `xs: [n]τ ⊢ [n]τ`.
    Reverse {
        /// The array.
        array: Var,
    },
    /// `rotate(r, xs)[i] = xs[(i + r) mod n]`: the outer dimension turned round, mod toward minus infinity. Fresh. *Typing:* `r: i64, xs: [n]τ ⊢ [n]τ`.
    Rotate {
        /// How far.
        by: SubExp,
        /// The array.
        array: Var,
    },
    /// `concat(xs, ys, …)`: one after the other along the outer dimension, whose size in the result is `size`. Fresh. *Typing:* `xs: [n]τ, ys: [m]τ, … ⊢ [size]τ`.
    Concat {
        /// The arrays, at least one.
        arrays: Vec<Var>,
        /// The sum of their outer sizes.
        size: Dim,
    },
    /// A copy that aliases nothing. Fresh. *Typing:* `xs: τ ⊢ τ`.
    Copy(Var),
    /// A check: fails as the check says, else one result of type `cert`. *Typing:* its operands as [`Check`] says `⊢ cert`.
    Check(Check),
    /// A call. Fails as the callee does; it may be the function that contains it. A result that is not unique aliases the arguments that are not
    /// consumed, and the other such results.
    /// *Typing:* `f(p1: τ1, …): (r1: σ1, …); e1: τ1, … ⊢ σ1, …` with arguments for parameters and the pattern for sizes among the results.
    Apply {
        /// The function's name.
        fun: Name,
        /// The arguments.
        args: Vec<SubExp>,
    },
    /// `if cond then yes else no`; the branches give results of the types of the pattern. Aliases what they do.
    /// *Typing:* `cond: bool, yes: ρ, no: ρ ⊢ ρ`, where ρ is the pattern's types with its leading sizes replaced by the branch's own.
    If {
        /// The `bool`.
        cond: SubExp,
        /// When true.
        yes: Body,
        /// When false.
        no: Body,
    },
    /// `match (e1, …) case (k1, …) body … else body`: the first case all of whose constants equal the operands, IEEE for floats; `None` matches anything.
    /// Aliases what the bodies do. *Typing:* `e1: t1, … scalars, the constants of these types, each body: ρ ⊢ ρ`, as for [`Exp::If`].
    Match {
        /// The scalars matched.
        scrutinees: Vec<SubExp>,
        /// The cases, in order.
        cases: Vec<Case>,
        /// When no case matches.
        default: Body,
    },
    /// `loop (p1 = x1, …) for i < n do body` or `… while p do body`: the body gives the parameters' next values; the results are their last. Sizes among
    /// the parameters let arrays change shape. *Typing:* `x: ρ[x/p], body: ρ[results/p] under p: ρ ⊢ ρ[pattern/p]`.
    Loop {
        /// The parameters, sizes before the arrays that have them.
        params: Vec<LoopParam>,
        /// How it goes on.
        form: LoopForm,
        /// The body; its results are the parameters' next values.
        body: Body,
    },
    /// Map, scan, reduce and every fusion of them: [`Screma`]. Fresh.
    Screma(Box<Screma>),
    /// Histograms: [`Hist`]. Consumes the destinations.
    Hist(Box<Hist>),
    /// Writes to computed positions: [`Scatter`]. Consumes the destinations.
    Scatter(Box<Scatter>),
    /// A function applied to chunks of arrays: [`Stream`]. Fresh.
    Stream(Box<Stream>),
    /// A map whose rows have sizes of their own: [`FlatMap`]. Fresh.
    FlatMap(Box<FlatMap>),
    /// Turn arrays into accumulators, and back: [`WithAcc`]. Consumes the arrays.
    WithAcc(WithAcc),
    /// `updacc acc [i1..ik] (v1..vm)`: combines the elements at that index with the values by the accumulator's operator, and returns the
    /// accumulator. Out of range: ignored. Consumes the accumulator. *Typing:* `acc: acc(id, [d1]…[dk], (τ1…τm)), i: i64, v1: τ1, … ⊢ the type of acc`.
    UpdAcc {
        /// The accumulator.
        acc: Var,
        /// As many `i64` indices as its shape has dimensions.
        indices: Vec<SubExp>,
        /// One value for each of its arrays.
        values: Vec<SubExp>,
    },
    /// Forward mode: `jvp λ args seeds = (λ args, J·seeds)`. See [`Ad`]. Results alias operands, what λ uses, and one another.
    Jvp(Ad),
    /// Reverse mode: `vjp λ args seeds = (λ args, seeds·J)`. See [`Ad`]. Results alias operands, what λ uses, and one another.
    Vjp(Ad),
    /// A function with derivatives of its own: [`Custom`]. Results alias operands, what λ uses, and one another.
    Custom(Box<Custom>),
    /// A parallel nest after flattening: [`SegOp`].
    SegOp(SegOp),
}

/// What a [`Exp::Slice`] takes of one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SliceDim {
    /// One index, an `i64`: the dimension goes away.
    Fix(SubExp),
    /// `start, start+stride, …`, so many of them.
    Range {
        /// The first index, an `i64`.
        start: SubExp,
        /// How many: the size of the dimension in the result.
        count: Dim,
        /// From one to the next, an `i64`; may be negative.
        stride: SubExp,
    },
}

/// A case of a [`Exp::Match`].
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// A constant for each scrutinee, or `None` for any value.
    pub pattern: Vec<Option<Scalar>>,
    /// What is done.
    pub body: Body,
}

/// A check that can fail at run time, with the operands that its message shows.
#[derive(Clone, PartialEq, Debug)]
pub enum Check {
    /// `cond`, else "Assertion is false", or the message.
    Assert(SubExp, Name),
    /// `0 ≤ indices[k] < sizes[k]`, else `Index [i, …] out of bounds for array of shape [n, …]`.
    Bounds {
        /// The indices.
        indices: Vec<SubExp>,
        /// The sizes of the dimensions indexed.
        sizes: Vec<Dim>,
    },
    /// The slice `start:end:stride` of a dimension of this size: the stride is not zero, it leads from start to end, and every index is in range, else
    /// `Index [start:end:stride] out of bounds for array of shape [n]`, without a stride of 1.
    Slice {
        /// The first index.
        start: SubExp,
        /// Where it ends; excluded.
        end: SubExp,
        /// From one index to the next.
        stride: SubExp,
        /// The size of the dimension.
        size: Dim,
    },
    /// The two shapes are equal, else `Value of shape [actual] cannot match shape of type "[expected]"`.
    SizeEq {
        /// What it is.
        actual: Vec<Dim>,
        /// What it should be.
        expected: Vec<Dim>,
    },
    /// The integer is not zero, else "division by zero".
    NonZero(SubExp),
    /// The integer exponent is not negative, else "negative exponent".
    NonNegativeExponent(SubExp),
    /// The size is not negative, else "size of array is negative".
    NonNegativeSize(SubExp),
    /// An array can get this shape, as far as its elements can be counted: no size is negative, and their product is an `i64`; else "Cannot unflatten to shape …:
    /// size of array is negative", or "shape … has more elements than can be counted".
    Shape(Vec<Dim>),
    /// The array has been made: it has, wherever this is reached. Who relies on it relies on all that the array relies on; so does who asks for its size only.
    Made(Var),
    /// A range `start..second..end` whose step is not zero and leads from start to end, else "Range … is invalid"; one whose distance, step or count is no
    /// `i64` is invalid, too.
    Range {
        /// The first element.
        start: SubExp,
        /// The second element; without it, the step is 1, and -1 downwards.
        second: Option<SubExp>,
        /// The bound.
        end: SubExp,
        /// `..`, `..<`, `..>` or `...`.
        kind: RangeKind,
    },
}

impl Check {
    /// Whether it is about single elements: where there are none, nobody relies on it.
    pub fn is_of_elements(&self) -> bool {
        matches!(self, Check::Bounds { .. } | Check::NonZero(_) | Check::NonNegativeExponent(_) | Check::Made(_))
    }

    /// That a view stays in its array: whether it does.
    pub fn view(fits: SubExp) -> Check {
        Check::Assert(fits, "Index out of bounds: a view goes beyond its array.".into())
    }

    /// That a `while` loop with `#[bound(most)]` has no more rounds than that: whether it has not.
    pub fn within_bound(has_not: SubExp, most: i64) -> Check {
        Check::Assert(
            has_not,
            format!("A loop has more than {most} rounds, against its #[bound({most})].").as_str().into(),
        )
    }
}

/// How the bound of a range is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RangeKind {
    /// `a..b...c`: c included.
    Inclusive,
    /// `a..b..<c`: upwards, c excluded.
    UpTo,
    /// `a..b..>c`: downwards, c excluded.
    DownTo,
}

/// A parameter of a loop.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopParam {
    /// Name and type; in scope of later parameters' types, of the condition and of the body.
    pub binder: Binder,
    /// Whether the body may consume it; the loop then consumes `init`, and its next value shares nothing with another parameter's or with what is outside.
    pub unique: bool,
    /// The first value.
    pub init: SubExp,
}

/// How a loop goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum LoopForm {
    /// For i = 0 … bound−1; the index is an integer of the bound's type.
    For {
        /// The index.
        index: Binder,
        /// The bound; none or negative trips for ≤ 0.
        bound: SubExp,
    },
    /// While this loop parameter, a `bool`, is true.
    While(Var),
}

/// `screma width arrays (map λ) scans reduces (post μ)`: for each i the map λ is applied to the i-th rows of the arrays (`width` each); its results are, in
/// order, the operands of the scans, the operands of the reduces, and the rows of the mapped results:
///
/// ```text
/// scan    ⊙ ne as = [a0, a0⊙a1, …]          (each prefix is ne ⊙ a0 ⊙ … with ne neutral)
/// reduce  ⊙ ne as = ne ⊙ a0 ⊙ … ⊙ a(n-1)
/// ```
///
/// Without `post` the results are the scans' arrays, the reduces' values, then the mapped arrays. With it, μ is applied for each i to the i-th rows of the
/// scans' arrays and of the mapped arrays, and the results are the reduces' values, then the arrays of μ's rows. Operators are associative, ne neutral: a
/// backend may associate otherwise and insert ne anywhere. An accumulator among `arrays` is passed to every λ in turn and is an (ordinary) mapped result.
///
/// *Typing:* `xs: [n]τ, …; λ: (τ, …) → (σ.., ρ.., γ..); scans' operators on σ.., reduces' on ρ.. ⊢ [n]σ.., ρ.., [n]γ..; with μ: (σ.., γ..) → δ.. ⊢ ρ.., [n]δ..`.
#[derive(Clone, PartialEq, Debug)]
pub struct Screma {
    /// The outer size of the arrays.
    pub width: Dim,
    /// The arrays and accumulators mapped over.
    pub arrays: Vec<Var>,
    /// The function applied to rows. Its results: scans' operands, reduces' operands, mapped rows and accumulators.
    pub map: Lambda,
    /// The scans.
    pub scans: Vec<Operator>,
    /// The reductions.
    pub reduces: Vec<Operator>,
    /// The function applied to rows of scans and mapped results; where there are accumulators there is none.
    pub post: Option<Lambda>,
}

/// `hist width arrays (map λ) (dest [d1..dk] ys ⊙ ne)..`: for each i in order the map λ gives, for each destination in turn, an index of rank k and values:
///
/// ```text
/// for i < width: let (j.., v..) = λ xs[i].. in  if j in range: ys[j] := ys[j] ⊙ v
/// ```
///
/// Out of range: ignored. The destination is an ordinary operand; ne is never used by the definition, a backend may insert it anywhere. Operators are
/// associative and commutative.
///
/// *Typing:* `xs: [n]τ..; ys: [d1]…[dk]σ.. for each destination; λ: τ.. → (i64 k times, .., then σ.., ..), all indices before all values ⊢ the types of all ys`.
#[derive(Clone, PartialEq, Debug)]
pub struct Hist {
    /// The outer size of the arrays.
    pub width: Dim,
    /// The arrays mapped over.
    pub arrays: Vec<Var>,
    /// The function applied to rows. Its results: the indices of each destination in turn, then the values of each in turn.
    pub map: Lambda,
    /// The destinations and their operators.
    pub ops: Vec<HistOp>,
}

/// A destination of a [`Hist`], of one or more arrays, with its operator.
#[derive(Clone, PartialEq, Debug)]
pub struct HistOp {
    /// The dimensions that an index has.
    pub shape: Vec<Dim>,
    /// The arrays, of type `shape ++ elem`; consumed.
    pub dests: Vec<Var>,
    /// The operator on elements, one for each array.
    pub op: Operator,
}

/// `scatter width arrays (map λ) (dest [d1..dk] ys)..`: for each i in order the map λ gives, for each destination in turn, an index of rank k and a value:
///
/// ```text
/// for i < width: let (j.., v) = λ xs[i].. in  if j in range: ys[j] := v
/// ```
///
/// Out of range: ignored. Of several writes to one position the last wins, so that the order is only seen by programs that write a position twice.
///
/// *Typing:* `xs: [n]τ..; ys: [d1]…[dk]σ for each destination; λ: τ.. → (i64 k times, .., then σ, ..), all indices before all values ⊢ the types of all ys`.
#[derive(Clone, PartialEq, Debug)]
pub struct Scatter {
    /// The outer size of the arrays.
    pub width: Dim,
    /// The arrays mapped over.
    pub arrays: Vec<Var>,
    /// The function applied to rows. Its results: the indices of each destination in turn, then the value of each.
    pub map: Lambda,
    /// The destinations.
    pub dests: Vec<ScatterDest>,
}

/// A destination of a [`Scatter`].
#[derive(Clone, PartialEq, Debug)]
pub struct ScatterDest {
    /// The dimensions that an index has.
    pub shape: Vec<Dim>,
    /// The array, of type `shape ++ elem`; consumed.
    pub array: Var,
}

/// `streamseq width arrays acc λ` and `streampar width arrays ⊙ ne λ`: the arrays are cut into chunks, of any sizes, zero included; λ gets the size of a chunk,
/// for `streamseq` the accumulator, and the chunk of each array, and gives an accumulator and arrays of the chunk's size:
///
/// ```text
/// streamseq:  a0 = acc; (a(j+1), ys_j..) = λ |c_j| a_j c_j..        results: the last a, then ys_0 ++ ys_1 ++ …
/// streampar:  (a_j, ys_j..) = λ |c_j| c_j..                         results: ne ⊙ a_0 ⊙ a_1 ⊙ …, then ys_0 ++ ys_1 ++ …
/// ```
///
/// The result must not depend on the partition; who runs it chooses one. λ may consume its chunks, and so the arrays, but not the accumulator.
///
/// *Typing:* `xs: [n]τ..; λ: (c: i64, [σ.. for streamseq,] [c]τ..) → (σ.., [c]γ..) ⊢ σ.., [n]γ..`. Alone among lambdas, λ's result types mention a parameter: c.
#[derive(Clone, PartialEq, Debug)]
pub struct Stream {
    /// The outer size of the arrays.
    pub width: Dim,
    /// The arrays.
    pub arrays: Vec<Var>,
    /// Sequential or parallel.
    pub form: StreamForm,
    /// The function applied to chunks; its first parameter is the chunk's size.
    pub lambda: Lambda,
}

/// How a [`Stream`] goes from chunk to chunk.
#[derive(Clone, PartialEq, Debug)]
pub enum StreamForm {
    /// In order, handing on an accumulator, whose first value this is.
    Seq(Vec<SubExp>),
    /// In any order; the operator combines what chunks give.
    Par(Operator),
}

/// `flatmap width arrays λ`: λ gives for each row a size of its own, arrays of that size, and other values; the arrays are laid one after the other:
///
/// ```text
/// (k_i, bs_i.., c_i..) = λ xs[i]..         m = Σ k_i
/// results: m, shape = [k_0, …], flags (true where a bs_i begins), offsets = [0, k_0, k_0+k_1, …], bs_0 ++ bs_1 ++ ….., [c_0, …]..
/// ```
///
/// *Typing:* `xs: [n]τ..; λ: τ.. → (k: i64, [k]β.., γ..) ⊢ m: i64, [n]i64, [m]bool, [n]i64, [m]β.., [n]γ..`. λ's result types name its first result by `size`.
#[derive(Clone, PartialEq, Debug)]
pub struct FlatMap {
    /// The outer size of the arrays.
    pub width: Dim,
    /// The arrays mapped over.
    pub arrays: Vec<Var>,
    /// Stands for λ's first result in its result types, and nowhere else.
    pub size: Binder,
    /// How many of λ's results, after the first, are arrays of that size.
    pub irregular: usize,
    /// The function applied to rows.
    pub lambda: Lambda,
}

/// An associative operator on m values, `λ : (m, m) → m`, with its neutral element.
#[derive(Clone, PartialEq, Debug)]
pub struct Operator {
    /// The operator; its first m parameters are the left operand.
    pub lambda: Lambda,
    /// The neutral element.
    pub neutral: Vec<SubExp>,
    /// Whether operands may be swapped.
    pub commutative: bool,
}

/// `withacc inputs λ`: λ gets one certificate (the identity) and one accumulator for each input, and returns the accumulators followed by other
/// results; the results are the inputs' arrays with all updates applied, then those others.
///
/// *Typing:* `xs: [d1]…[dk]τ.. for each input, ⊙ on τ..; λ: (cert.., acc(id, [d1]…[dk], τ..)..) → (acc.., ρ..) ⊢ the types of all xs, ρ..`.
#[derive(Clone, PartialEq, Debug)]
pub struct WithAcc {
    /// What is turned into accumulators.
    pub inputs: Vec<AccInput>,
    /// Parameters: the certificates, then the accumulators. Results: the accumulators, then the others.
    pub lambda: Lambda,
}

/// One accumulator of a `withacc`.
#[derive(Clone, PartialEq, Debug)]
pub struct AccInput {
    /// The dimensions that updates index.
    pub shape: Vec<Dim>,
    /// The arrays, of type `shape ++ elem`; consumed.
    pub arrays: Vec<Var>,
    /// The commutative and associative operator on elements.
    pub op: Operator,
}

/// `vjp` and `jvp` of a function at arguments. Each tangent and adjoint has type `seed_shape ++ t` for a value of type t (integers and booleans
/// too: futhark-compat.md §2.2): with a seed shape the derivative is taken in that many directions at once, over one primal evaluation.
///
/// * `jvp`: seeds of the arguments' types; results: λ's results, then their tangents.
/// * `vjp`: seeds of the results' types; results: λ's results, then the adjoints of the arguments.
///
/// *Typing:* `λ: τ.. → ρ.., args: τ..`, s the seed shape; jvp: `seeds: s τ.. ⊢ ρ.., s ρ..`; vjp: `seeds: s ρ.. ⊢ ρ.., s τ..`.
#[derive(Clone, PartialEq, Debug)]
pub struct Ad {
    /// The function. Its free variables are constants for this derivative.
    pub lambda: Lambda,
    /// The point.
    pub args: Vec<SubExp>,
    /// The tangents, or cotangents.
    pub seeds: Vec<SubExp>,
    /// The directions; empty for one.
    pub seed_shape: Vec<Dim>,
}

/// `custom λ saved k vjp μ jvp ν args`: the results of λ after its first k. Under `vjp` its adjoint is what μ says, under `jvp` its tangent what ν says; a mode
/// without rule of its own differentiates λ, in reverse mode by way of ν where there is only that.
///
/// ```text
/// (saved.., y..) = λ args..        adjoints of args = μ saved.. ȳ..        tangents of y = ν args.. ẋ..
/// ```
///
/// The rules are trusted. A derivative with respect to a float that is free in λ is refused, as they do not say what it is. ν is linear in ẋ.
///
/// *Typing:* `λ: τ.. → (σ.. k of them, ρ..), μ: (σ.., ρ..) → τ.., ν: (τ.., τ..) → ρ.., args: τ.. ⊢ ρ..`.
#[derive(Clone, PartialEq, Debug)]
pub struct Custom {
    /// The function.
    pub lambda: Lambda,
    /// How many of its leading results are only for the reverse rule.
    pub saved: usize,
    /// The reverse rule.
    pub vjp: Option<Lambda>,
    /// The forward rule.
    pub jvp: Option<Lambda>,
    /// The arguments.
    pub args: Vec<SubExp>,
}

/// A perfect nest of maps over `iota`s, whose innermost dimension may be scanned or reduced, or that writes to places: what a kernel computes.
///
/// ```text
/// segmap   (i < n, j < m) body          = results[i, j] = body i j
/// segscan  (i < n, j < m) scans body    = results[i, j] = scan over j of body i j
/// segred   (i < n, j < m) reduces body  = results[i]    = reduce over j of body i j
/// segwrite (i < n, j < m) body          = ys with ys[k..] = v for each (k.., v) = body i j with k.. inside of ys, the last one in order where they meet
/// ```
///
/// The body's results are, in order, the operands of the scans or reduces, or indices then values of what is written; then the mapped values. The results are
/// the scans' (all dimensions), the reduces' (all but the last), or what was written to (consumed); then the mapped (all dimensions). An accumulator result is the accumulator.
/// Histograms are nests that update accumulators.
///
/// *Typing:* `n, m, … the sizes; body under i: i64, j: i64, …: (σ.. | ρ.. | i64.., κ.., then γ..); ys: [d1]…[dk]κ ⊢ [n][m]σ.. | [n]ρ.. | types of ys.., then [n][m]γ..`.
#[derive(Clone, PartialEq, Debug)]
pub struct SegOp {
    /// Which part of the machine runs it.
    pub level: Level,
    /// The index variables (`i64`) and the sizes, outermost first; at least one.
    pub space: Vec<(Binder, Dim)>,
    /// What becomes of its points.
    pub kind: SegKind,
    /// The types of the body's results.
    pub ret: Vec<Type>,
    /// The code of one point; sequential.
    pub body: Body,
}

/// What becomes of the points of a [`SegOp`], but for what is mapped.
#[derive(Clone, PartialEq, Debug)]
pub enum SegKind {
    /// Nothing more.
    Map,
    /// Scans over the last dimension; at least one.
    Scan(Vec<Operator>),
    /// Reductions over the last dimension; at least one.
    Reduce(Vec<Operator>),
    /// Writes to places of arrays that were there before; at least one array.
    Write(Vec<ScatterDest>),
}

/// The level of the machine that runs a [`SegOp`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// The whole device: one kernel.
    Grid,
    /// The threads of one work group.
    Group,
}
