//! Tapes of arrays of which an update overwrites more than an element or row at given indices: slices, what a scatter writes, or now an element and then a row. The elements
//! of all updates stand one after the other, each with an index for every dimension; where those of an update begin, and how many they are, is written down beside.

use super::*;

/// What an update overwrites.
pub enum Part {
    Slice(Vec<SliceDim>),
    /// The elements at these indices, an array for each dimension, as far as they are in range.
    Places {
        width: Dim,
        indices: Vec<Var>,
    },
}

impl Part {
    /// The dimensions of what is overwritten; none where it is a single element.
    pub fn shape(&self) -> Vec<Dim> {
        match self {
            Part::Slice(dims) => dims
                .iter()
                .filter_map(|d| if let SliceDim::Range { count, .. } = d { Some(*count) } else { None })
                .collect(),
            Part::Places { width, .. } => vec![*width],
        }
    }

    /// How many elements are overwritten.
    pub fn count(&self, b: &mut Builder) -> SubExp {
        seed::count(b, &self.shape())
    }

    /// Writes the elements of an array that are to be overwritten, and their indices, onto the tape, behind as many as are there.
    pub fn write_down(&self, b: &mut Builder, array: Var, tape: &mut [Var], filled: SubExp) {
        let put = |b: &mut Builder, tape: &mut Var, exp: &dyn Fn(Var) -> Exp| {
            let name = b.vars.name(*tape).clone();
            *tape = b.let_one(name.as_str(), exp(*tape));
        };
        if let Part::Slice(dims) = self
            && self.shape().is_empty()
        {
            let indices: Vec<SubExp> =
                dims.iter().filter_map(|d| if let SliceDim::Fix(i) = d { Some(*i) } else { None }).collect();
            let old = b.index(array, &indices);
            for (tape, value) in tape.iter_mut().zip(std::iter::once(old.into()).chain(indices)) {
                put(b, tape, &|array| Exp::Update { array, indices: vec![filled], value });
            }
            return;
        }
        let count = self.count(b);
        let Some(size) = Dim::from_subexp(count) else { return };
        let values = match self {
            Part::Slice(dims) => {
                let part = b.let_one("part", Exp::Slice { array, slice: dims.clone() });
                let old = b.let_one("old", Exp::Reshape { shape: vec![size], array: part });
                [vec![old], places(b, dims, size)].concat()
            }
            Part::Places { indices, .. } => [&[old_at(b, array, size, indices)], &indices[..]].concat(),
        };
        for (tape, value) in tape.iter_mut().zip(values) {
            let slice = vec![SliceDim::Range { start: filled, count: size, stride: SubExp::i64(1) }];
            put(b, tape, &|array| Exp::UpdateSlice { array, slice: slice.clone(), value });
        }
    }
}

/// The indices of a slice's elements, an array for each dimension.
fn places(b: &mut Builder, dims: &[SliceDim], size: Dim) -> Vec<Var> {
    let iota = b.iota(size);
    let map = b.lambda(&[("i", Type::I64)], |b, p| {
        let mut rest: SubExp = p[0].into();
        let mut left = dims.iter().filter(|d| matches!(d, SliceDim::Range { .. })).count();
        let mut indices: Vec<SubExp> = Vec::new();
        for dim in dims.iter().rev() {
            indices.push(match dim {
                SliceDim::Fix(i) => *i,
                SliceDim::Range { start, count, stride } => {
                    left -= 1;
                    let mut at = rest;
                    if left > 0 {
                        at = b.int(BinOp::Rem, rest, (*count).into());
                        rest = b.int(BinOp::Quot, rest, (*count).into());
                    }
                    let offset = b.int(BinOp::Mul, at, *stride);
                    b.int(BinOp::Add, *start, offset)
                }
            });
        }
        indices.reverse();
        indices
    });
    b.let_many("places", map_exp(size, vec![iota], map))
}

/// The elements of an array at these indices; anything where they are out of range.
fn old_at(b: &mut Builder, array: Var, size: Dim, indices: &[Var]) -> Var {
    let ty = b.vars.ty(array).clone();
    let zero = ty.elem().map_or(SubExp::i64(0), |t| t.zero().into());
    let params: Vec<(&str, Type)> = indices.iter().map(|_| ("i", Type::I64)).collect();
    let map = b.lambda(&params, |b, p| {
        let at: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
        vec![seed::inside(b, "old", &at, ty.shape(), |b| b.index(array, &at).into(), |_| zero)]
    });
    b.let_one("old", map_exp(size, indices.to_vec(), map))
}

/// The array with the elements of one update put back, of those that are on the tape from `start` on.
pub fn put_back(b: &mut Builder, array: Var, olds: Var, places: &[Var], start: SubExp, count: SubExp) -> Var {
    let Some(count) = Dim::from_subexp(count) else { return array };
    let slice = vec![SliceDim::Range { start, count, stride: SubExp::i64(1) }];
    let mut part = |array: Var| b.let_one("part", Exp::Slice { array, slice: slice.clone() });
    let (old, places) = (part(olds), places.iter().map(|v| part(*v)).collect::<Vec<_>>());
    let shape = b.vars.ty(array).shape().to_vec();
    seed::scatter(b, 0, count, &places, old, &shape, array)
}
