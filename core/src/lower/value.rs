//! What expressions evaluate to while they are lowered. Functions, tuples and type parameters exist here only; what is left of a value of
//! first-order type is a tree of IR operands.

use super::asked::Asked;
use crate::hash::SharedMap;
use crate::ir::{AccType, Dim, SubExp, Type, Var};
use crate::prim::{Prim, ScalarType};
use crate::types::ty::{Id, Size};
use crate::types::typed::{Def, Intrinsic, Lambda, Operator};
use std::rc::Rc;
use std::sync::Arc;

/// A value. Of a source type without functions, the tree has the shape of the type's tuples, also of those inside arrays: an array of pairs is
/// a pair of arrays.
#[derive(Clone, Debug)]
pub enum Val {
    /// A scalar, or an array of scalars. The unit is one, `false`, so that arrays of it have a length.
    Leaf(SubExp),
    /// The fields of a record, or of an array of records; a sum's tag, which is the number of the constructor, and places ([`Slots`]).
    Tuple(Vec<Val>),
    /// A function.
    Fun(Rc<Closure>),
    /// A value of a sum with functions: the number of the constructor and what it holds. No branch or loop gives such a value, so that it is known which.
    Made(usize, Vec<Val>),
}

impl Val {
    /// All operands, from left to right.
    pub fn leaves(&self) -> Vec<SubExp> {
        match self {
            Val::Leaf(e) => vec![*e],
            Val::Tuple(vs) | Val::Made(_, vs) => vs.iter().flat_map(Val::leaves).collect(),
            Val::Fun(_) => Vec::new(),
        }
    }

    /// How many values it is made of, those that functions have included; counts no further than one more than `most`.
    pub fn nodes(&self, most: u64) -> u64 {
        let mut todo = vec![self];
        let mut nodes = 0;
        while let Some(value) = todo.pop()
            && nodes <= most
        {
            nodes += 1;
            match value {
                Val::Tuple(vs) | Val::Made(_, vs) => todo.extend(vs),
                Val::Fun(closure) => todo.extend(&closure.args),
                Val::Leaf(_) => {}
            }
        }
        nodes
    }

    /// The same tree over other operands, taken from left to right.
    pub fn with(&self, leaves: &mut impl Iterator<Item = SubExp>) -> Val {
        match self {
            Val::Leaf(e) => Val::Leaf(leaves.next().unwrap_or(*e)),
            Val::Tuple(vs) => Val::Tuple(vs.iter().map(|v| v.with(leaves)).collect()),
            Val::Fun(f) => Val::Fun(f.clone()),
            Val::Made(n, vs) => Val::Made(*n, vs.iter().map(|v| v.with(leaves)).collect()),
        }
    }

    /// Whether a part of it is made by a constructor that is known.
    pub fn has_made(&self) -> bool {
        match self {
            Val::Made(..) => true,
            Val::Tuple(vs) => vs.iter().any(Val::has_made),
            Val::Leaf(_) | Val::Fun(_) => false,
        }
    }

    /// The operand of a scalar.
    ///
    /// # Panics
    /// When it is none: the typed program is not well-typed.
    pub fn scalar(&self) -> SubExp {
        match self {
            Val::Leaf(e) => *e,
            other => panic!("internal error: lowering expected a scalar, found {other:?}"),
        }
    }
}

/// A function with the arguments that it has got so far.
#[derive(Clone, Debug)]
pub struct Closure {
    /// What it does.
    pub target: Target,
    /// The first arguments.
    pub args: Vec<Val>,
    /// The checks that its results rely on.
    pub certs: Vec<Var>,
}

/// What a function does.
#[derive(Clone, Debug)]
pub enum Target {
    /// A lambda in its scope.
    Lambda(Arc<Lambda>, Scope),
    /// A definition in its scope, with what its type parameters stand for.
    Def(Arc<Def>, Scope, Vec<Inst>),
    /// Something built in, with what its type parameters stand for.
    Intrinsic(Intrinsic, Vec<Inst>),
    /// A scalar operator.
    Prim(Prim),
    /// An overloaded operator at the type of its operands.
    Op(Operator, Shape),
}

/// What a type parameter stands for.
#[derive(Clone, Debug)]
pub enum Inst {
    /// A size, unless only the arguments tell it.
    Size(Option<Dim>),
    /// A type.
    Type(Shape),
}

/// A source type, its sizes evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A scalar.
    Scalar(ScalarType),
    /// `[n]t`
    Array(Dim, Box<Shape>),
    /// A record or tuple: its fields in the order of their names. Without fields it is the unit.
    Record(Vec<Shape>),
    /// A sum: what each of its constructors holds, in the order of their names.
    Sum(Vec<Vec<Shape>>),
    /// An array that is being written.
    Acc,
    /// A function.
    Fun,
}

impl Shape {
    /// The IR types of the operands of a value. That of an accumulator says which one it is, which no source type does: [`Lowerer::accumulators_of`] fills it in.
    ///
    /// [`Lowerer::accumulators_of`]: super::Lowerer::accumulators_of
    pub fn leaves(&self) -> Vec<Type> {
        self.tagged().into_iter().map(|(ty, _)| ty).collect()
    }

    /// Which of the operands are numbers of constructors.
    pub fn tags(&self) -> Vec<bool> {
        self.tagged().into_iter().map(|(_, tag)| tag).collect()
    }

    /// The types of the operands, and whether each is the number of a constructor. Both at once: a sum needs both of what it holds, and must not go over it twice.
    fn tagged(&self) -> Vec<(Type, bool)> {
        let mut out = Vec::new();
        self.add_tagged(&mut Vec::new(), &mut out);
        out
    }

    /// Adds them to `out`, as elements of arrays of these dimensions, the innermost last.
    fn add_tagged(&self, dims: &mut Vec<Dim>, out: &mut Vec<(Type, bool)>) {
        let of = |ty: Type| if dims.is_empty() { ty } else { ty.array_of(dims) };
        match self {
            Shape::Scalar(t) => out.push((of(Type::Scalar(*t)), false)),
            Shape::Array(n, elem) => {
                dims.push(*n);
                elem.add_tagged(dims, out);
                dims.pop();
            }
            Shape::Record(ts) if ts.is_empty() => out.push((of(Type::BOOL), false)),
            Shape::Record(ts) => ts.iter().for_each(|t| t.add_tagged(dims, out)),
            Shape::Sum(constructors) => {
                out.push((of(Type::Scalar(tag_type(constructors))), true));
                let Slots { types, tags, .. } = Slots::of(constructors);
                out.extend(types.into_iter().map(of).zip(tags));
            }
            Shape::Acc => {
                out.push((Type::Acc(AccType { id: Var(u32::MAX), shape: Vec::new(), elems: Vec::new() }), false))
            }
            Shape::Fun => {}
        }
    }

    /// How many types it is made of.
    pub fn nodes(&self) -> u64 {
        1 + match self {
            Shape::Array(_, elem) => elem.nodes(),
            Shape::Record(ts) => ts.iter().map(Shape::nodes).sum(),
            Shape::Sum(constructors) => constructors.iter().flatten().map(Shape::nodes).sum(),
            Shape::Scalar(_) | Shape::Acc | Shape::Fun => 0,
        }
    }

    /// The open dimensions, each at its first place: number of the leaf, and of the dimension there. Note [Open dimensions]: values of a hidden type may
    /// have sizes that their type does not mention. A shape has variables in their places that no program has (from 2³¹ on), the same one where it is the same
    /// size. Shapes of values of one type have theirs in the same places, but not the same variables.
    pub fn opens(&self) -> Vec<(Dim, usize, usize)> {
        let mut opens: Vec<(Dim, usize, usize)> = Vec::new();
        for (k, leaf) in self.leaves().iter().enumerate() {
            for (d, dim) in leaf.shape().iter().enumerate() {
                if is_open(*dim) && !opens.iter().any(|(known, ..)| known == dim) {
                    opens.push((*dim, k, d));
                }
            }
        }
        opens
    }

    /// The same with dimensions for those that are open, in their order.
    pub fn closed(&self, dims: &[Dim]) -> Shape {
        let opens = self.opens();
        if opens.is_empty() {
            return self.clone();
        }
        self.map(&|dim| opens.iter().position(|(open, ..)| *open == dim).map_or(dim, |i| dims[i]))
    }

    /// Whether values of it have functions.
    pub fn has_function(&self) -> bool {
        match self {
            Shape::Fun => true,
            Shape::Array(_, elem) => elem.has_function(),
            Shape::Record(ts) => ts.iter().any(Shape::has_function),
            Shape::Sum(constructors) => constructors.iter().flatten().any(Shape::has_function),
            Shape::Scalar(_) | Shape::Acc => false,
        }
    }

    /// The same with other dimensions.
    pub fn map(&self, f: &dyn Fn(Dim) -> Dim) -> Shape {
        match self {
            Shape::Array(n, elem) => Shape::Array(f(*n), Box::new(elem.map(f))),
            Shape::Record(ts) => Shape::Record(ts.iter().map(|t| t.map(f)).collect()),
            Shape::Sum(constructors) => {
                Shape::Sum(constructors.iter().map(|ts| ts.iter().map(|t| t.map(f)).collect()).collect())
            }
            Shape::Scalar(_) | Shape::Acc | Shape::Fun => self.clone(),
        }
    }

    /// A value of this type over these operands.
    pub fn value(&self, leaves: &mut impl Iterator<Item = SubExp>) -> Val {
        let mut leaf = || match leaves.next() {
            Some(e) => Val::Leaf(e),
            None => panic!("internal error: lowering lacks an operand"),
        };
        match self {
            Shape::Scalar(_) | Shape::Acc => leaf(),
            Shape::Record(ts) if ts.is_empty() => leaf(),
            Shape::Array(_, elem) => elem.value(leaves),
            Shape::Record(ts) => Val::Tuple(ts.iter().map(|t| t.value(leaves)).collect()),
            Shape::Sum(_) => Val::Tuple(self.leaves().iter().filter_map(|_| leaves.next()).map(Val::Leaf).collect()),
            Shape::Fun => panic!("internal error: a function where values are"),
        }
    }
}

/// The first of the variables that stand for open dimensions.
const OPEN: Var = Var(1 << 31);

/// Whether a dimension of a shape is open: Note [Open dimensions].
pub fn is_open(dim: Dim) -> bool {
    matches!(dim, Dim::Var(v) if v >= OPEN)
}

/// The type of the number of a constructor.
pub fn tag_type(constructors: &[Vec<Shape>]) -> ScalarType {
    if constructors.len() <= 256 { ScalarType::U8 } else { ScalarType::I32 }
}

/// Where the constructors of a sum keep what they hold: scalars of the same type share a place, but for those of one constructor. Arrays do not: whether
/// they have the same sizes may be known in one place and not in another, and all must agree on the places. Numbers of constructors share places among themselves only.
pub struct Slots {
    /// The types of the places.
    pub types: Vec<Type>,
    /// Which of them are for numbers of constructors.
    pub tags: Vec<bool>,
    /// For each constructor, the place of each of its leaves.
    pub places: Vec<Vec<usize>>,
}

impl Slots {
    /// Those of a sum.
    pub fn of(constructors: &[Vec<Shape>]) -> Slots {
        let (mut types, mut tags): (Vec<Type>, Vec<bool>) = Default::default();
        let mut places = Vec::new();
        for shapes in constructors {
            let mut used: Vec<usize> = Vec::new();
            for (leaf, tag) in shapes.iter().flat_map(|s| s.tagged()) {
                let shares = |i: &usize| leaf.rank() == 0 && (&types[*i], tags[*i]) == (&leaf, tag);
                let free = (0..types.len()).find(|i| shares(i) && !used.contains(i));
                used.push(free.unwrap_or_else(|| {
                    types.push(leaf);
                    tags.push(tag);
                    types.len() - 1
                }));
            }
            places.push(used);
        }
        Slots { types, tags, places }
    }
}

/// What names mean. Cloning shares.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Values and sizes, by the number of their id.
    pub values: SharedMap<u32, Val>,
    /// Local functions.
    pub functions: SharedMap<u32, (Arc<Def>, Rc<Scope>)>,
    /// Parameters of sizes that are computed where they are asked for, of what is known here: Note [Sizes in sides].
    pub later: SharedMap<u32, (Size, Rc<Scope>)>,
    /// Type parameters.
    pub types: SharedMap<u32, Shape>,
    /// Sizes that have been computed.
    pub sizes: SharedMap<Size, Dim>,
    /// Sizes that are those of arrays which may never be made, by the number of their id.
    pub asked: SharedMap<u32, Asked>,
}

impl Scope {
    /// Binds a name.
    pub fn bind(&mut self, id: &Id, v: Val) {
        self.asked.remove(&id.num);
        self.later.remove(&id.num);
        self.values.insert(id.num, v);
    }

    /// Binds a parameter of a size to what is computed where it is asked for.
    pub fn put_off(&mut self, id: &Id, size: Size, home: &Rc<Scope>) {
        self.values.remove(&id.num);
        self.later.insert(id.num, (size, Rc::clone(home)));
    }
}
