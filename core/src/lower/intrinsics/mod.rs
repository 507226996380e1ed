//! What is built in, applied to its arguments. Types are in `prelude/intrinsics.fut`.

mod accumulators;
mod arrays;
mod derivatives;
mod flatmap;
mod parts;
mod soacs;
mod streams;
mod strided;
#[cfg(test)]
mod tests;
mod writes;

use super::Lowerer;
use super::value::{Inst, Shape, Val};
use crate::ir::{Dim, SubExp, Var};
use crate::types::typed::Intrinsic;

impl Intrinsic {
    /// The number of arguments after which it can be evaluated.
    pub(super) fn arity(self) -> usize {
        use Intrinsic::*;
        match self {
            Iota | Scratch | Unzip | Unzip3 | Unzip4 | Unzip5 | Transpose | Flatten | Unflatten | Reverse => 1,
            Copy | Manifest | Opaque => 1,
            Map | FlatMap | StreamMap | Replicate | Zip | Concat | Rotate | Take | Drop => 2,
            Reduce | ReduceComm | Scan | StreamRed | StreamRedComm | Scatter | Scatter2d | Scatter3d | Zip3 => 3,
            ScatterStream | AccWrite => 3,
            Jvp2 | Vjp2 | Jmp2 | Mjp2 | WithVjp | WithJvp => 3,
            Zip4 => 4,
            Hist1d | Hist2d | Hist3d | HistStream | Zip5 | FlatUpdate2d => 5,
            FlatIndex2d | FlatUpdate3d => 6,
            FlatUpdate4d => 7,
            FlatIndex3d => 8,
            FlatIndex4d => 10,
        }
    }
}

/// The instance's sizes and types, in order.
fn split(insts: &[Inst]) -> (Vec<Dim>, Vec<&Shape>) {
    let sizes = insts.iter().filter_map(|i| if let Inst::Size(d) = i { *d } else { None });
    let types = insts.iter().filter_map(|i| if let Inst::Type(t) = i { Some(t) } else { None });
    (sizes.collect(), types.collect())
}

impl Lowerer<'_> {
    /// Something built in, applied to all of its arguments; `insts` is what the parameters of its type stand for.
    pub fn intrinsic(&mut self, intrinsic: Intrinsic, insts: &[Inst], args: Vec<Val>) -> Val {
        use Intrinsic::*;
        let (sizes, types) = split(insts);
        match intrinsic {
            Map => self.map(sizes[0], types[0], types[1], &args[0], args[1].clone()),
            Reduce => self.reduce(sizes[0], types[0], args, false),
            ReduceComm => self.reduce(sizes[0], types[0], args, true),
            Scan => self.scan(sizes[0], types[0], args),
            FlatMap => self.flatmap(sizes[0], &types, &args),
            StreamMap => self.stream_map(sizes[0], types[0], types[1], &args),
            StreamRed => self.stream_red(sizes[0], types[0], types[1], &args, false),
            StreamRedComm => self.stream_red(sizes[0], types[0], types[1], &args, true),
            Scatter | Scatter2d | Scatter3d => self.scatter(&sizes, types[0], &args),
            Hist1d | Hist2d | Hist3d => self.hist(&sizes, types[0], &args),
            ScatterStream => self.scatter_stream(sizes[0], sizes[1], types[0], types[1], &args),
            HistStream => self.hist_stream(sizes[0], sizes[1], types[0], types[1], &args),
            AccWrite => self.acc_write(types[0], &args),
            Iota => self.iota(args[0].scalar()),
            Replicate => self.replicate(args[0].scalar(), &args[1]),
            Scratch => self.scratch(args[0].scalar(), types[0]),
            Zip | Zip3 | Zip4 | Zip5 => self.zip(sizes[0], &types, args),
            // An array of tuples is a tuple of arrays.
            Unzip | Unzip3 | Unzip4 | Unzip5 => args[0].clone(),
            Transpose => self.transpose(&args[0]),
            Flatten => self.flatten(&sizes, &args[0]),
            Unflatten => self.unflatten(&sizes, &args[0]),
            Reverse => self.reverse(&args[0]),
            Rotate => self.rotate(args[0].scalar(), &args[1]),
            Concat => self.concat(&sizes, types[0], args),
            Take => self.take(sizes[0], args[0].scalar(), &args[1]),
            Drop => self.drop(sizes[0], args[0].scalar(), &args[1]),
            FlatIndex2d | FlatIndex3d | FlatIndex4d => self.flat_index(sizes[0], &args),
            FlatUpdate2d | FlatUpdate3d | FlatUpdate4d => self.flat_update(&sizes, types[0], &args),
            Copy => self.copy(&args[0]),
            Manifest => self.manifest(&args[0]),
            Opaque => self.opaque(&args[0]),
            Jvp2 => self.derivative(true, types[0], types[1], &[], &args),
            Vjp2 => self.derivative(false, types[0], types[1], &[], &args),
            Jmp2 => self.derivative(true, types[0], types[1], &sizes, &args),
            Mjp2 => self.derivative(false, types[0], types[1], &sizes, &args),
            WithVjp => self.with_vjp(types[0], types[1], types[2], &args),
            WithJvp => self.with_jvp(types[0], types[1], &args),
        }
    }

    /// The value with each of its operands replaced.
    pub(super) fn each_leaf(&mut self, value: &Val, mut f: impl FnMut(&mut Self, SubExp) -> SubExp) -> Val {
        let leaves: Vec<SubExp> = value.leaves().into_iter().map(|e| f(self, e)).collect();
        value.with(&mut leaves.into_iter())
    }

    /// The same, leaving scalars as they are.
    pub fn each_array(&mut self, value: &Val, mut f: impl FnMut(&mut Self, Var) -> Var) -> Val {
        self.each_leaf(value, |l, e| match e.as_var().filter(|v| l.vars.ty(*v).rank() > 0) {
            Some(array) => f(l, array).into(),
            None => e,
        })
    }
}

/// The arrays of a value of array type.
fn arrays(value: &Val) -> Vec<Var> {
    value.leaves().into_iter().filter_map(SubExp::as_var).collect()
}

/// `[n]t`
fn array_of(n: Dim, elem: &Shape) -> Shape {
    Shape::Array(n, Box::new(elem.clone()))
}
