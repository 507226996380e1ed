//! What a tape consists of, and what is written onto it and put back.
//!
//! | updates | of each element or row | of each update |
//! |---|---|---|
//! | elements or rows, at as many indices each | itself, its indices | |
//! | slices too, or now an element and then a row | elements, one after the other | where they begin; start, count and stride of each dimension |
//! | what a scatter writes, too | elements, one after the other, each with its indices | where they begin, how many they are |

use super::*;

/// What the updates of an array overwrite: each kind is one of the next, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// Each of them the element or row at so many indices.
    Row(usize),
    Slice,
    Places,
}

/// How long a tape has to be.
pub struct Length {
    /// How many updates there are, at the most.
    pub updates: Dim,
    /// Of slices and places, how many elements these overwrite.
    pub elements: Option<Dim>,
}

/// What an update overwrites.
pub enum Part {
    /// A range in each dimension.
    Slice(Vec<Range>),
    /// The elements at these indices, an array for each dimension, as far as they are in range.
    Places { width: Dim, indices: Vec<Var> },
}

/// Start, count and stride.
pub type Range = [SubExp; 3];

impl Unit {
    /// What serves for both.
    pub fn or(self, other: Unit) -> Unit {
        match (self, other) {
            (Unit::Row(x), Unit::Row(y)) if x != y => Unit::Slice,
            _ => self.max(other),
        }
    }

    /// The arrays of a tape for an array of this type.
    pub fn layout(self, ty: &Type, length: &Length) -> Vec<Type> {
        let of = |ty: Type, n: Dim| ty.array_of(&[n]);
        let each = |n: usize, of: Dim| std::iter::repeat_n(Type::I64.array_of(&[of]), n);
        let elements = length.elements.unwrap_or(length.updates);
        let elem = ty.elem().map_or(Type::I64, Type::Scalar);
        match self {
            Unit::Row(k) => std::iter::once(of(ty.peel(k), length.updates)).chain(each(k, length.updates)).collect(),
            Unit::Slice => std::iter::once(of(elem, elements)).chain(each(1 + 3 * ty.rank(), length.updates)).collect(),
            Unit::Places => std::iter::once(of(elem, elements))
                .chain(each(ty.rank(), elements))
                .chain(each(2, length.updates))
                .collect(),
        }
    }

    /// Puts what the update of this number has overwritten back into the array.
    pub fn put_back(self, b: &mut Builder, tape: &[Var], array: Var, at: SubExp) -> Var {
        let [olds, rest @ ..] = tape else { return array };
        let mut read = |array: &Var| -> SubExp { b.index(*array, &[at]).into() };
        match self {
            Unit::Row(_) => {
                let indices = rest.iter().map(&mut read).collect();
                let value = read(olds);
                b.let_one("undone", Exp::Update { array, indices, value })
            }
            Unit::Slice => {
                let read: Vec<SubExp> = rest.iter().map(read).collect();
                let [start, ranges @ ..] = &read[..] else { return array };
                let ranges = ranges.chunks_exact(3).map(|r| [r[0], r[1], r[2]]).collect();
                let part = Part::Slice(ranges);
                let Some(count) = part.size(b) else { return array };
                let slice = vec![run(*start, count)];
                let old = b.let_one("part", Exp::Slice { array: *olds, slice });
                let value = b.let_one("old", Exp::Reshape { shape: part.shape(), array: old });
                b.let_one("undone", Exp::UpdateSlice { array, slice: part.slice(), value })
            }
            Unit::Places => {
                let [places @ .., starts, counts] = rest else { return array };
                let (start, count) = (read(starts), read(counts));
                let Some(count) = Dim::from_subexp(count) else { return array };
                let mut part =
                    |array: &Var| b.let_one("part", Exp::Slice { array: *array, slice: vec![run(start, count)] });
                let (old, places) = (part(olds), places.iter().map(&mut part).collect::<Vec<_>>());
                let shape = b.vars.ty(array).shape().to_vec();
                seed::scatter(b, 0, count, &places, old, &shape, array)
            }
        }
    }
}

/// So many elements from one on.
fn run(start: SubExp, count: Dim) -> SliceDim {
    SliceDim::Range { start, count, stride: SubExp::i64(1) }
}

impl Part {
    /// The part of an array of this shape that a slice is. Dimensions that it does not mention are whole.
    pub fn of_slice(slice: &[SliceDim], shape: &[Dim]) -> Part {
        let one = SubExp::i64(1);
        let range = |dim: &SliceDim| match dim {
            SliceDim::Fix(i) => [*i, one, one],
            SliceDim::Range { start, count, stride } => [*start, (*count).into(), *stride],
        };
        let rest = shape.iter().skip(slice.len()).map(|n| [SubExp::i64(0), (*n).into(), one]);
        Part::Slice(slice.iter().map(range).chain(rest).collect())
    }

    /// Its dimensions: of a slice as many as the array has.
    pub fn shape(&self) -> Vec<Dim> {
        match self {
            Part::Slice(ranges) => ranges.iter().filter_map(|[_, count, _]| Dim::from_subexp(*count)).collect(),
            Part::Places { width, .. } => vec![*width],
        }
    }

    fn slice(&self) -> Vec<SliceDim> {
        let Part::Slice(ranges) = self else { return Vec::new() };
        let counts = self.shape().into_iter().zip(ranges);
        counts.map(|(count, [start, _, stride])| SliceDim::Range { start: *start, count, stride: *stride }).collect()
    }

    /// How many elements are overwritten.
    fn count(&self, b: &mut Builder) -> SubExp {
        seed::count(b, &self.shape())
    }

    /// The same for room to be made: where a slice is none of an array of this shape, it fails where it is used, and not for want of room.
    pub fn room(&self, b: &mut Builder, shape: &[Dim]) -> SubExp {
        let Part::Slice(ranges) = self else { return self.count(b) };
        let mut room = SubExp::i64(1);
        for ([_, count, _], size) in ranges.iter().zip(shape) {
            let most = b.int(BinOp::Min, *count, (*size).into());
            let count = b.int(BinOp::Max, most, SubExp::i64(0));
            room = b.int(BinOp::Mul, room, count);
        }
        room
    }

    fn size(&self, b: &mut Builder) -> Option<Dim> {
        let count = self.count(b);
        Dim::from_subexp(count)
    }

    /// Writes down what an update is to overwrite of an array, `used` updates and `filled` elements being there.
    pub fn write_down(&self, b: &mut Builder, unit: Unit, array: Var, tape: &mut [Var], used: SubExp, filled: SubExp) {
        let Some(size) = self.size(b) else { return };
        let rank = b.vars.ty(array).rank();
        let (of_elements, of_updates) = tape.split_at_mut(if unit == Unit::Places { 1 + rank } else { 1 });
        let mut elements = vec![self.elements(b, array, size)];
        let mut numbers = vec![filled];
        match self {
            Part::Slice(ranges) if unit == Unit::Slice => numbers.extend(ranges.iter().flatten()),
            Part::Slice(ranges) => elements.extend(places(b, ranges, size)),
            Part::Places { indices, .. } => elements.extend(indices),
        }
        if unit == Unit::Places {
            numbers.push(size.into());
        }
        for (array, value) in of_elements.iter_mut().zip(elements) {
            let name = b.vars.name(*array).clone();
            let slice = vec![run(filled, size)];
            *array = b.let_one(name.as_str(), Exp::UpdateSlice { array: *array, slice, value });
        }
        for (array, value) in of_updates.iter_mut().zip(numbers) {
            let name = b.vars.name(*array).clone();
            *array = b.let_one(name.as_str(), Exp::Update { array: *array, indices: vec![used], value });
        }
    }

    /// Its elements in an array, one after the other; anything where an index is out of range.
    fn elements(&self, b: &mut Builder, array: Var, size: Dim) -> Var {
        let Part::Places { indices, .. } = self else {
            let part = b.let_one("part", Exp::Slice { array, slice: self.slice() });
            return b.let_one("old", Exp::Reshape { shape: vec![size], array: part });
        };
        let ty = b.vars.ty(array).clone();
        // mutant: what is kept of an index out of range is not put back
        // mutant off by one: an array has a type of elements
        let zero = ty.elem().map_or(SubExp::i64(0), |t| t.zero().into());
        let params: Vec<(&str, Type)> = indices.iter().map(|_| ("i", Type::I64)).collect();
        let map = b.lambda(&params, |b, p| {
            let at: Vec<SubExp> = p.iter().map(|v| SubExp::Var(*v)).collect();
            vec![seed::inside(b, "old", &at, ty.shape(), |b| b.index(array, &at).into(), |_| zero)]
        });
        b.let_one("old", map_exp(size, indices.clone(), map))
    }
}

/// The indices of a slice's elements, an array for each dimension.
fn places(b: &mut Builder, ranges: &[Range], size: Dim) -> Vec<Var> {
    let iota = b.iota(size);
    let map = b.lambda(&[("i", Type::I64)], |b, p| {
        let mut rest: SubExp = p[0].into();
        let mut indices: Vec<SubExp> = Vec::new();
        for [start, count, stride] in ranges.iter().rev() {
            let at = b.int(BinOp::Rem, rest, *count);
            rest = b.int(BinOp::Quot, rest, *count);
            let offset = b.int(BinOp::Mul, at, *stride);
            indices.push(b.int(BinOp::Add, *start, offset));
        }
        indices.reverse();
        indices
    });
    b.let_many("places", map_exp(size, vec![iota], map))
}
