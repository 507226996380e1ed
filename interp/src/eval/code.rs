//! The form of a program that is executed: the IR with slots for variables and with last uses.
//!
//! A function's variables, those of its lambdas included, are slots of one frame: binders are unique, and a body is never active twice in one call.
//! An operand says whether it is the last use of an array: then the value is moved out of its slot, so that whoever updates it next does so in
//! place.

use super::kernel::{LoopKernel, Nest};
use super::show::Part;
use super::val::Val;
use crate::ctx::NodeKind;
use futi_core::hash::HashMap;
use futi_core::ir::{Check, Prim, Prov, Scalar, ScalarType, Type};

/// A place in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Slot(pub u32);

impl Slot {
    /// For a binder that nothing reads.
    pub const NONE: Slot = Slot(u32::MAX);
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Opd {
    Lit(Scalar),
    /// A variable that stays.
    Copy(Slot),
    /// A variable at its last use.
    Move(Slot),
}

/// The shape of a type; scalars have none.
#[derive(Clone, Debug)]
pub(crate) enum Ty {
    /// A scalar or an array of these dimensions.
    Value(ScalarType, Vec<Opd>),
    /// The accumulator of the `withacc` whose certificate this slot holds.
    Acc(Slot),
    Cert,
}

/// A program ready to run. Made by [`Code::new`], run by [`Code::call`].
#[derive(Debug)]
pub struct Code {
    pub(crate) funs: Vec<Fun>,
    pub(crate) customs: Vec<Custom>,
    pub(crate) by_name: HashMap<String, usize>,
    /// Whether there is a value to show.
    pub(crate) shows: bool,
}

#[derive(Debug)]
pub(crate) struct Fun {
    pub name: String,
    /// The size of its frame.
    pub slots: usize,
    pub params: Vec<Slot>,
    /// Types of the parameters, to check a caller's arguments against.
    pub types: Vec<Type>,
    /// The slots of those parameters that are sizes of others, by variable.
    pub sizes: HashMap<futi_core::ir::Var, usize>,
    /// Which parameters it may consume.
    pub unique: Vec<bool>,
    pub body: Body,
}

#[derive(Debug, Default)]
pub(crate) struct Body {
    /// Arrays whose last use was on the other path.
    pub dead: Vec<Slot>,
    pub stms: Vec<Stm>,
    pub result: Vec<Opd>,
}

#[derive(Debug)]
pub(crate) struct Stm {
    pub kind: NodeKind,
    pub exp: Exp,
    pub pat: Vec<Slot>,
    /// Arrays that are dead after it and that it did not move.
    pub drops: Vec<Slot>,
    pub prov: Prov,
    /// Whether it computes a tangent or an adjoint, not something of the primal program.
    pub derivative: bool,
}

/// `\params -> body`; the types are those of the results.
#[derive(Debug)]
pub(crate) struct Lambda {
    pub params: Vec<Slot>,
    pub ret: Vec<Ty>,
    pub body: Body,
    /// When it is mapped, of which arrays it is given the rows to keep; else empty. See Note [Rows that are consumed] in `consumed.rs`.
    pub own: Vec<bool>,
}

#[derive(Debug)]
pub(crate) enum Exp {
    Operand(Opd),
    /// The operand, a part of a value that is shown.
    Show {
        value: Opd,
        part: Part,
    },
    /// At most three operands.
    Prim {
        op: Prim,
        args: [Opd; 3],
        n: usize,
    },
    ArrayLit {
        elems: Vec<Opd>,
        row: Ty,
    },
    Index {
        array: Opd,
        indices: Vec<Opd>,
    },
    Slice {
        array: Opd,
        slice: Vec<SliceDim>,
    },
    FlatIndex {
        array: Opd,
        flat: Flat,
    },
    Update {
        array: Opd,
        indices: Vec<Opd>,
        value: Opd,
    },
    UpdateSlice {
        array: Opd,
        slice: Vec<SliceDim>,
        value: Opd,
    },
    FlatUpdate {
        array: Opd,
        flat: Flat,
        value: Opd,
    },
    Iota {
        n: Opd,
        start: Opd,
        step: Opd,
        elem: ScalarType,
    },
    Replicate {
        shape: Vec<Opd>,
        value: Opd,
    },
    Scratch {
        elem: ScalarType,
        shape: Vec<Opd>,
    },
    Rearrange {
        perm: Vec<usize>,
        array: Opd,
    },
    Reshape {
        shape: Vec<Opd>,
        array: Opd,
    },
    Coerce {
        shape: Vec<Opd>,
        array: Opd,
    },
    Reverse(Opd),
    Rotate {
        by: Opd,
        array: Opd,
    },
    Concat {
        arrays: Vec<Opd>,
    },
    Copy(Opd),
    /// Its variables are slots.
    Check(Check),
    Apply {
        fun: usize,
        args: Vec<Opd>,
    },
    If {
        cond: Opd,
        yes: Body,
        no: Body,
    },
    Match(Box<Match>),
    Loop(Box<Loop>),
    Screma(Box<Screma>),
    Hist(Box<Hist>),
    Scatter(Box<Scatter>),
    Stream(Box<Stream>),
    FlatMap(Box<FlatMap>),
    WithAcc(Box<WithAcc>),
    UpdAcc {
        acc: Opd,
        indices: Vec<Opd>,
        values: Vec<Opd>,
    },
    Jvp(Box<Ad>),
    Vjp(Box<Ad>),
    /// Its number among [`Code::customs`], by which traces refer to it.
    Custom(usize),
    SegOp(Box<SegOp>),
}

#[derive(Debug)]
pub(crate) struct Loop {
    pub params: Vec<Slot>,
    pub init: Vec<Opd>,
    /// Which parameters the body may consume.
    pub unique: Vec<bool>,
    pub form: Form,
    pub body: Body,
    /// When it is a loop on scalars.
    pub kernel: Option<Box<LoopKernel>>,
}

#[derive(Debug)]
pub(crate) enum Form {
    For { index: Slot, bound: Opd, ty: ScalarType },
    While(Slot),
}

#[derive(Debug)]
pub(crate) struct Screma {
    pub width: Opd,
    pub arrays: Vec<Opd>,
    pub map: Lambda,
    pub scans: Vec<Operator>,
    pub reduces: Vec<Operator>,
    pub post: Option<Lambda>,
    /// When it is scalar-only.
    pub nest: Option<Box<Nest>>,
}

/// What a slice takes of a dimension.
#[derive(Debug)]
pub(crate) enum SliceDim {
    Fix(Opd),
    Range { start: Opd, count: Opd, stride: Opd },
}

/// An offset, and size and stride of each dimension.
#[derive(Debug)]
pub(crate) struct Flat {
    pub offset: Opd,
    pub dims: Vec<(Opd, Opd)>,
}

#[derive(Debug)]
pub(crate) struct Match {
    pub scrutinees: Vec<Opd>,
    pub cases: Vec<(Vec<Option<Scalar>>, Body)>,
    pub default: Body,
}

#[derive(Debug)]
pub(crate) struct Hist {
    pub width: Opd,
    pub arrays: Vec<Opd>,
    pub map: Lambda,
    pub ops: Vec<HistOp>,
}

/// A destination of a histogram; it takes as many indices as its shape has dimensions and as many values as it has arrays.
#[derive(Debug)]
pub(crate) struct HistOp {
    pub shape: Vec<Opd>,
    pub dests: Vec<Opd>,
    pub op: Operator,
}

#[derive(Debug)]
pub(crate) struct Scatter {
    pub width: Opd,
    pub arrays: Vec<Opd>,
    pub map: Lambda,
    /// Shape and array of each destination.
    pub dests: Vec<(Vec<Opd>, Opd)>,
}

#[derive(Debug)]
pub(crate) struct Stream {
    pub width: Opd,
    pub arrays: Vec<Opd>,
    pub form: StreamForm,
    pub lambda: Lambda,
}

#[derive(Debug)]
pub(crate) enum StreamForm {
    Seq(Vec<Opd>),
    Par(Operator),
}

#[derive(Debug)]
pub(crate) struct FlatMap {
    pub width: Opd,
    pub arrays: Vec<Opd>,
    /// What the result types call a row's size.
    pub size: Slot,
    pub irregular: usize,
    pub lambda: Lambda,
}

#[derive(Debug)]
pub(crate) struct Custom {
    pub lambda: Lambda,
    pub saved: usize,
    pub vjp: Option<Lambda>,
    pub jvp: Option<Lambda>,
    pub args: Vec<Opd>,
    /// What the lambdas read from outside.
    pub free: Vec<Slot>,
    /// How many of these, the first ones, the function itself reads.
    pub own: usize,
    /// The size of the frame that they run in.
    pub slots: usize,
}

/// An operator on m values; its lambda has 2m parameters.
#[derive(Debug)]
pub(crate) struct Operator {
    pub lambda: Lambda,
    pub neutral: Vec<Opd>,
    /// When it is a scalar operator.
    pub prim: Option<Prim>,
}

#[derive(Debug)]
pub(crate) struct WithAcc {
    pub inputs: Vec<AccInput>,
    pub lambda: Lambda,
}

#[derive(Debug)]
pub(crate) struct AccInput {
    pub shape: Vec<Opd>,
    pub arrays: Vec<Opd>,
    pub op: Operator,
}

#[derive(Debug)]
pub(crate) struct Ad {
    pub lambda: Lambda,
    pub args: Vec<Opd>,
    pub seeds: Vec<Opd>,
    pub seed_shape: Vec<Opd>,
}

#[derive(Debug)]
pub(crate) struct SegOp {
    pub space: Vec<(Slot, Opd)>,
    pub scans: Vec<Operator>,
    pub reduces: Vec<Operator>,
    pub dests: Vec<(Vec<Opd>, Opd)>,
    pub ret: Vec<Ty>,
    pub body: Body,
    /// When it is scalar-only.
    pub nest: Option<Box<Nest>>,
}

impl Opd {
    pub fn slot(self) -> Option<Slot> {
        match self {
            Opd::Copy(s) | Opd::Move(s) => Some(s),
            Opd::Lit(_) => None,
        }
    }
}

/// The slots of an active call.
pub(crate) struct Frame(Vec<Val>);

impl Frame {
    pub fn new(slots: usize) -> Frame {
        Frame(vec![Val::Gone; slots])
    }

    /// The value in a slot.
    #[inline]
    pub fn get(&self, s: Slot) -> &Val {
        self.0.get(s.0 as usize).unwrap_or(&Val::Gone)
    }

    /// Binds a slot.
    #[inline(always)]
    pub fn set(&mut self, s: Slot, v: Val) {
        match self.0.get_mut(s.0 as usize) {
            // A scalar mostly replaces a scalar, and nothing is to be dropped: the compiler, told so, writes the value straight to its place.
            Some(place) if !place.owns() => std::mem::forget(std::mem::replace(place, v)),
            Some(place) => let_go(std::mem::replace(place, v)),
            None => let_go(v),
        }
    }

    /// Empties a slot.
    #[inline]
    pub fn take(&mut self, s: Slot) -> Val {
        self.0.get_mut(s.0 as usize).map_or(Val::Gone, std::mem::take)
    }

    /// The operand's value; at a last use the slot is left empty.
    #[inline]
    pub fn read(&mut self, e: Opd) -> Val {
        match e {
            Opd::Lit(x) => Val::Scalar(x),
            Opd::Copy(s) => self.get(s).clone(),
            Opd::Move(s) => self.take(s),
        }
    }

    /// The operand's value when it is a plain scalar.
    #[inline]
    pub fn scalar(&self, e: Opd) -> Option<Scalar> {
        match e {
            Opd::Lit(x) => Some(x),
            Opd::Copy(s) | Opd::Move(s) => match self.get(s) {
                Val::Scalar(x) => Some(*x),
                _ => None,
            },
        }
    }

    /// Everything in the frame.
    pub fn values(&mut self) -> impl Iterator<Item = &mut Val> {
        self.0.iter_mut()
    }
}

#[inline(never)]
fn let_go(_: Val) {}
