//! Parts of arrays on the host: slices, views by strides, rotations. What lies in one piece is no work; the rest is copied by kernels.

use super::host::{Lowering, Val, op, product};
use super::scatter::write_kernel;
use crate::host::ir::{Exp, Mem, Op, Slice};
use futi_core::ir::build::Builder;
use futi_core::ir::{BinOp, Binder, Body, Dim, Level, Scalar, ScalarType, SegOp, SliceDim, SubExp, Type, Var};

/// How positions in an array follow from those in a part of it.
enum Place<'a> {
    Slice(&'a [SliceDim]),
    Flat(SubExp, &'a [(Dim, SubExp)]),
    /// Turned round by so many.
    Rotated(SubExp, Dim),
}

impl Place<'_> {
    /// The position in the array.
    fn at(&self, b: &mut Builder, indices: &[SubExp]) -> Vec<SubExp> {
        let along = |b: &mut Builder, start: SubExp, i: SubExp, stride: SubExp| {
            let way = if stride == SubExp::i64(1) { i } else { b.int(BinOp::Mul, i, stride) };
            b.int(BinOp::Add, start, way)
        };
        match self {
            Place::Slice(slice) => {
                let mut indices = indices.iter();
                let mut all = Vec::new();
                for dim in *slice {
                    all.push(match dim {
                        SliceDim::Fix(i) => *i,
                        SliceDim::Range { start, stride, .. } => match indices.next() {
                            Some(i) => along(b, *start, *i, *stride),
                            None => *start,
                        },
                    });
                }
                all.extend(indices);
                all
            }
            Place::Flat(offset, dims) => {
                let steps = indices.iter().zip(*dims);
                vec![steps.fold(*offset, |at, (i, (_, stride))| along(b, at, *i, *stride))]
            }
            Place::Rotated(by, n) => {
                let at = b.int(BinOp::Add, indices[0], *by);
                [&[b.int(BinOp::Mod, at, (*n).into())], &indices[1..]].concat()
            }
        }
    }
}

impl Lowering {
    /// A slice, of some dimensions.
    pub(super) fn slice(&mut self, array: Var, slice: &[SliceDim], pat: &Binder) {
        let value = match self.piece(array, slice) {
            Some((mem, offset, _)) => Val::Array(mem, offset),
            None => return self.gathered(array, &Place::Slice(slice), pat),
        };
        self.env.insert(pat.var, value);
    }

    /// A view by offset and strides.
    pub(super) fn flat_index(&mut self, array: Var, offset: SubExp, dims: &[(Dim, SubExp)], pat: &Binder) {
        if let [(_, stride)] = dims
            && *stride == SubExp::i64(1)
        {
            let (mem, first) = self.array(array);
            let offset = self.host(offset);
            let offset = self.named("offset", op(BinOp::Add, first, offset));
            _ = self.env.insert(pat.var, Val::Array(mem, offset));
        } else {
            self.gathered(array, &Place::Flat(offset, dims), pat);
        }
    }

    /// An array whose outer dimension is turned round.
    pub(super) fn rotate(&mut self, by: SubExp, array: Var, pat: &Binder) {
        self.gathered(array, &Place::Rotated(by, pat.ty.shape()[0]), pat);
    }

    /// A slice replaced, in place.
    pub(super) fn update_slice(&mut self, array: Var, slice: &[SliceDim], value: Var, pat: &Binder) {
        match self.piece(array, slice) {
            Some((mem, offset, len)) => {
                let (from, first) = self.array(value);
                let to = Slice { mem, offset, len: len.clone() };
                self.push(Op::Copy { to, from: Slice { mem: from, offset: first, len } });
            }
            None => self.scattered(array, &Place::Slice(slice), value),
        }
        let (mem, offset) = self.array(array);
        self.env.insert(pat.var, Val::Array(mem, offset));
    }

    /// The elements of a view replaced, in place.
    pub(super) fn flat_update(&mut self, array: Var, offset: SubExp, dims: &[(Dim, SubExp)], value: Var, pat: &Binder) {
        self.scattered(array, &Place::Flat(offset, dims), value);
        let (mem, offset) = self.array(array);
        self.env.insert(pat.var, Val::Array(mem, offset));
    }

    /// Where a slice lies, if it does in one piece: its memory, its first element, and how many it has.
    fn piece(&mut self, array: Var, slice: &[SliceDim]) -> Option<(Mem, Exp, Exp)> {
        let shape = self.vars.ty(array).shape().to_vec();
        let full = |dim: &SliceDim, n: &Dim| {
            let SliceDim::Range { start, count, stride } = dim else { return false };
            *start == SubExp::i64(0) && count == n && *stride == SubExp::i64(1)
        };
        let fixed = slice.iter().take_while(|dim| matches!(dim, SliceDim::Fix(_))).count();
        let together = match slice.get(fixed) {
            None => true,
            Some(SliceDim::Range { stride, .. }) => {
                *stride == SubExp::i64(1) && slice[fixed + 1..].iter().zip(&shape[fixed + 1..]).all(|(d, n)| full(d, n))
            }
            Some(SliceDim::Fix(_)) => false,
        };
        if !together {
            return None;
        }
        let (mem, first) = self.array(array);
        let sizes = self.dims(&shape);
        let mut offset = first;
        let mut len = product(sizes[fixed..].iter().cloned());
        for (k, dim) in slice.iter().enumerate().take(fixed + 1) {
            let row = product(sizes[k + 1..].iter().cloned());
            let at = match dim {
                SliceDim::Fix(i) => self.host(*i),
                SliceDim::Range { start, count, .. } => {
                    len = op(BinOp::Mul, self.dim(*count), row.clone());
                    // of no elements the first may be anywhere
                    let (zero, most) = (Exp::i64(0), sizes[k].clone());
                    op(BinOp::Min, op(BinOp::Max, self.host(*start), zero), most)
                }
            };
            offset = op(BinOp::Add, offset, op(BinOp::Mul, at, row));
        }
        Some((mem, self.named("offset", offset), len))
    }

    /// The elements of a part of an array, copied.
    fn gathered(&mut self, array: Var, place: &Place, pat: &Binder) {
        let space = self.space(pat.ty.shape());
        let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let at = place.at(b, &indices);
            vec![b.index(array, &at).into()]
        });
        let ret = vec![Type::Scalar(pat.ty.elem().unwrap_or(ScalarType::Bool))];
        let seg = SegOp::map(Level::Grid, space, ret, body);
        self.launch_as(&seg, std::slice::from_ref(pat), "copy", self.prov);
    }

    /// The elements of a part of an array, replaced.
    fn scattered(&mut self, array: Var, place: &Place, value: Var) {
        let ty = self.vars.ty(value).clone();
        let space = self.space(ty.shape());
        let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let body: Body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let mut result = place.at(b, &indices);
            result.push(b.index(value, &indices).into());
            result
        });
        let ret = body.result.iter().map(|e| self.vars.type_of(*e)).collect();
        let seg = SegOp::map(Level::Grid, space, ret, body);
        let name = self.name("copy");
        let prov = self.prov;
        let kernel =
            self.make(&Default::default(), &[array], |context| write_kernel(&name, &seg, array, None, context, prov));
        self.launch_made(kernel, &seg);
    }

    /// New indices of an array of a shape.
    pub(super) fn space(&mut self, shape: &[Dim]) -> Vec<(Binder, Dim)> {
        shape.iter().map(|dim| (self.vars.fresh("i", Type::I64), *dim)).collect()
    }

    /// Memory of one value.
    pub(super) fn filled(&mut self, name: &str, value: Scalar, shape: &[Dim]) -> Binder {
        let ty = Type::Array(value.scalar_type(), shape.to_vec());
        let pat = self.vars.fresh(name, ty);
        let space = self.space(shape);
        let body = Body { stms: vec![], result: vec![value.into()] };
        let seg = SegOp::map(Level::Grid, space, vec![Type::Scalar(value.scalar_type())], body);
        self.launch_as(&seg, std::slice::from_ref(&pat), "fill", self.prov);
        pat
    }
}
