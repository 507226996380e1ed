//! Parts of arrays on the host that are in memory, to be read and to be replaced: what lies in one piece is no work.

use super::host::{Lowering, ONE, Val, ZERO, op, product};
use super::scatter::write_kernel;
use super::unshared::differ;
use crate::host::ir::{Exp, Mem, Op};
use futi_core::ir::build::Builder;
use futi_core::ir::{
    BinOp, Binder, Body, CmpOp, Dim, Exp as Ir, Level, Prim, Scalar, ScalarType, SegOp, SliceDim, SubExp, Type, Var,
};

/// How positions in an array follow from those in a part of it.
pub(super) enum Place<'a> {
    Slice(&'a [SliceDim]),
    Flat(SubExp, &'a [(Dim, SubExp)]),
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
        }
    }
}

impl Lowering {
    /// A part of an array in memory that lies there in one piece.
    pub(super) fn piece_of(&mut self, exp: &Ir, pat: &Binder) {
        let (mem, offset) = match exp {
            Ir::Index { array, indices } => {
                let (mem, offset) = self.array(*array);
                (mem, self.row(*array, offset, indices))
            }
            Ir::Slice { array, slice } => {
                let (mem, offset, _) = self.piece(*array, slice);
                (mem, offset)
            }
            Ir::FlatIndex { array, offset, .. } => {
                let (mem, first) = self.array(*array);
                let offset = self.host(*offset);
                (mem, self.named("offset", op(BinOp::Add, first, offset)))
            }
            Ir::Coerce { array, .. } => self.array(*array),
            // all others are views
            _ => return,
        };
        self.env.insert(pat.var, Val::Array(mem, offset));
    }

    /// A slice replaced, in place.
    pub(super) fn update_slice(&mut self, array: Var, slice: &[SliceDim], value: Var, pat: &Binder) {
        if self.in_one_piece(array, slice) && !self.is_view(value) {
            let (mem, offset, len) = self.piece(array, slice);
            let from = self.array(value);
            self.copy((mem, offset), from, len);
        } else {
            self.scattered(array, &Place::Slice(slice), value);
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

    /// Whether a slice of an array in memory lies there in one piece.
    pub(super) fn in_one_piece(&self, array: Var, slice: &[SliceDim]) -> bool {
        let shape = self.vars.ty(array).shape();
        let full = |dim: &SliceDim, n: &Dim| {
            let SliceDim::Range { start, count, stride } = dim else { return false };
            // mutant comparison `*start == SubExp::i64(0)`: what is not one piece is copied by elements; from another place on, there are as many only of none
            // mutant off by one: likewise; at a stride of 2 of one or none
            *start == SubExp::i64(0) && count == n && *stride == SubExp::i64(1)
        };
        let fixed = slice.iter().take_while(|dim| matches!(dim, SliceDim::Fix(_))).count();
        match slice.get(fixed) {
            Some(SliceDim::Range { stride, .. }) => {
                *stride == SubExp::i64(1) && slice[fixed + 1..].iter().zip(&shape[fixed + 1..]).all(|(d, n)| full(d, n))
            }
            // mutant negation: what is not one piece is copied by elements
            _ => true,
        }
    }

    /// Where a slice lies that does in one piece: its memory, its first element, and how many it has.
    fn piece(&mut self, array: Var, slice: &[SliceDim]) -> (Mem, Exp, Exp) {
        let fixed = slice.iter().take_while(|dim| matches!(dim, SliceDim::Fix(_))).count();
        let shape = self.vars.ty(array).shape().to_vec();
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
        (mem, self.named("offset", offset), len)
    }

    /// The elements of a part of an array, replaced.
    pub(super) fn scattered(&mut self, array: Var, place: &Place, value: Var) {
        let ty = self.vars.ty(value).clone();
        let space = self.space(ty.shape());
        let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let body: Body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let mut result = place.at(b, &indices);
            result.push(b.index(value, &indices).into());
            result
        });
        let ret = body.result.iter().map(|e| self.vars.type_of(*e)).collect();
        let seg = self.with_views(&SegOp::map(Level::Grid, space, ret, body));
        match place {
            Place::Flat(_, dims) if !differ(&seg, 1, &self.vars, &self.numbers) => self.claim(&seg, array, dims),
            _ => self.put_points(&seg, array, None),
        }
    }

    /// The points of a nest write to an array, those that have claimed the place if `winner` says who has.
    fn put_points(&mut self, seg: &SegOp, array: Var, winner: Option<Var>) {
        let (name, prov) = (self.name("copy"), self.prov);
        let kernel =
            self.make(&Default::default(), &[array], |context| write_kernel(&name, seg, array, winner, context, prov));
        self.launch_made(kernel, seg);
    }

    /// Likewise, where places may coincide: the last point wins. Whether they may, strides say that the host has.
    fn claim(&mut self, seg: &SegOp, array: Var, dims: &[(Dim, SubExp)]) {
        let claimed = |l: &mut Lowering| {
            let shape = l.vars.ty(array).shape().to_vec();
            let winner = l.claimed(seg, &shape);
            l.put_points(seg, array, Some(winner));
        };
        // mutant swap: a stride that the host has not seen it can look at, and waits for it
        if dims.iter().any(|(_, stride)| self.is_cell(stride)) {
            return claimed(self);
        }
        let cond = self.apart(dims);
        let yes = self.closed(|l| l.put_points(seg, array, None));
        let no = self.closed(claimed);
        self.push(Op::If { cond, yes, no, scalars: vec![], mems: vec![] });
    }

    /// Whether each step is farther than all those of the dimensions behind it lead together, or all those before it: then no two places coincide.
    fn apart(&mut self, dims: &[(Dim, SubExp)]) -> Exp {
        // mutant swap `vec![a, b]`: in either order
        let both = |prim: BinOp, a: Exp, b: Exp| Exp::Prim(Prim::Bin(prim, ScalarType::Bool), vec![a, b]);
        let less = |a: Exp, b: Exp| Exp::Prim(Prim::Cmp(CmpOp::Lt, ScalarType::I64), vec![a, b]);
        let mut steps = Vec::new();
        for (size, stride) in dims {
            let stride = self.host(*stride);
            let step = op(BinOp::Max, stride.clone(), op(BinOp::Sub, ZERO, stride));
            let last = op(BinOp::Sub, self.dim(*size), ONE);
            steps.push((self.named("step", step), self.named("last", last)));
        }
        let farther = |(reach, fine): (Exp, Exp), (step, last): &(Exp, Exp)| {
            let alone = less(last.clone(), ONE);
            let fine = both(BinOp::And, fine, both(BinOp::Or, alone, less(reach.clone(), step.clone())));
            (op(BinOp::Add, reach, op(BinOp::Mul, step.clone(), last.clone())), fine)
        };
        let start = (ZERO, Exp::Lit(Scalar::Bool(true)));
        let (_, forwards) = steps.iter().fold(start.clone(), farther);
        let (_, backwards) = steps.iter().rev().fold(start, farther);
        both(BinOp::Or, forwards, backwards)
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
