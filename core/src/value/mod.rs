//! Values: scalars and regular arrays. An array is a shared column, an offset and a shape, so that a row is a view that costs nothing; writing goes
//! in place when nobody else holds the column.

pub mod binary;
pub mod compare;
pub mod meter;
pub mod raw;
pub mod text;

use crate::prim::{Scalar, ScalarType};
use half::f16;
use meter::{Buffer, Meter};
use std::ops::Deref;
use std::sync::Arc;

/// A first-order value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Array),
}

impl Value {
    /// The scalar type of the value or of its elements.
    pub fn elem(&self) -> ScalarType {
        match self {
            Value::Scalar(x) => x.scalar_type(),
            Value::Array(a) => a.elem(),
        }
    }

    /// The shape; empty for a scalar.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Scalar(_) => &[],
            Value::Array(a) => &a.shape,
        }
    }

    /// All elements in row-major order.
    pub fn elements(&self) -> Box<dyn Iterator<Item = Scalar> + '_> {
        match self {
            Value::Scalar(x) => Box::new(std::iter::once(*x)),
            Value::Array(a) => Box::new((0..a.len()).map(|i| a.get(i))),
        }
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Value::Scalar(x) => Some(*x),
            Value::Array(_) => None,
        }
    }
}

impl From<Scalar> for Value {
    fn from(x: Scalar) -> Self {
        Value::Scalar(x)
    }
}
impl From<Array> for Value {
    fn from(a: Array) -> Self {
        Value::Array(a)
    }
}

/// How many elements an array of this shape has. Without elements the other dimensions may be of any size, so their product is no number to compute.
pub fn count(shape: &[usize]) -> usize {
    shape.iter().fold(1, |n, d| n.saturating_mul(*d))
}

/// The shape of an array. A row's shape shares the array's storage.
#[derive(Clone, Debug)]
pub struct Shape {
    dims: Arc<[usize]>,
    skip: usize,
}

impl Shape {
    /// The shape of a row: all dimensions but the first.
    pub fn row(&self) -> Shape {
        Shape { dims: self.dims.clone(), skip: (self.skip + 1).min(self.dims.len()) }
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        count(self)
    }
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.dims[self.skip..]
    }
}
impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Self {
        Shape { dims: dims.into(), skip: 0 }
    }
}
impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// The elements of an array, of one scalar type, shared.
#[derive(Clone, Debug)]
pub enum Column {
    /// Of `i8`.
    I8(Arc<Buffer<i8>>),
    /// Of `i16`.
    I16(Arc<Buffer<i16>>),
    /// Of `i32`.
    I32(Arc<Buffer<i32>>),
    /// Of `i64`.
    I64(Arc<Buffer<i64>>),
    /// Of `u8`.
    U8(Arc<Buffer<u8>>),
    /// Of `u16`.
    U16(Arc<Buffer<u16>>),
    /// Of `u32`.
    U32(Arc<Buffer<u32>>),
    /// Of `u64`.
    U64(Arc<Buffer<u64>>),
    /// Of `f16`.
    F16(Arc<Buffer<f16>>),
    /// Of `f32`.
    F32(Arc<Buffer<f32>>),
    /// Of `f64`.
    F64(Arc<Buffer<f64>>),
    /// Of `bool`.
    Bool(Arc<Buffer<bool>>),
}

/// Runs the same code at the element type of a column: `with_column!(column, xs => …)`, with `xs` the `Arc<Buffer<_>>`.
#[macro_export]
macro_rules! with_column {
    ($column:expr, $xs:ident => $body:expr) => {
        match $column {
            $crate::value::Column::I8($xs) => $body,
            $crate::value::Column::I16($xs) => $body,
            $crate::value::Column::I32($xs) => $body,
            $crate::value::Column::I64($xs) => $body,
            $crate::value::Column::U8($xs) => $body,
            $crate::value::Column::U16($xs) => $body,
            $crate::value::Column::U32($xs) => $body,
            $crate::value::Column::U64($xs) => $body,
            $crate::value::Column::F16($xs) => $body,
            $crate::value::Column::F32($xs) => $body,
            $crate::value::Column::F64($xs) => $body,
            $crate::value::Column::Bool($xs) => $body,
        }
    };
}

/// A Rust type that is the element type of arrays.
pub trait Elem: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The scalar type.
    const TYPE: ScalarType;
    /// As a scalar.
    fn scalar(self) -> Scalar;
    /// From a scalar of this type.
    fn from_scalar(x: Scalar) -> Option<Self>;
    /// Elements as a column.
    fn column(xs: Vec<Self>) -> Column;
    /// The elements of a column of this type.
    fn of(column: &Column) -> Option<&Arc<Buffer<Self>>>;
    /// The elements of a column of this type, mutable.
    fn of_mut(column: &mut Column) -> Option<&mut Arc<Buffer<Self>>>;
}

macro_rules! elem {
    ($($ty:ty: $variant:ident;)*) => { $(
        impl Elem for $ty {
            const TYPE: ScalarType = ScalarType::$variant;
            fn scalar(self) -> Scalar { Scalar::$variant(self) }
            fn from_scalar(x: Scalar) -> Option<Self> { if let Scalar::$variant(x) = x { Some(x) } else { None } }
            fn column(xs: Vec<Self>) -> Column { Column::$variant(Arc::new(xs.into())) }
            fn of(column: &Column) -> Option<&Arc<Buffer<Self>>> { if let Column::$variant(xs) = column { Some(xs) } else { None } }
            fn of_mut(column: &mut Column) -> Option<&mut Arc<Buffer<Self>>> { if let Column::$variant(xs) = column { Some(xs) } else { None } }
        }
    )* };
}
elem! {
    i8: I8; i16: I16; i32: I32; i64: I64; u8: U8; u16: U16; u32: U32; u64: U64; f16: F16; f32: F32; f64: F64; bool: Bool;
}

impl Column {
    /// The element type.
    pub fn elem(&self) -> ScalarType {
        match self {
            Column::I8(_) => ScalarType::I8,
            Column::I16(_) => ScalarType::I16,
            Column::I32(_) => ScalarType::I32,
            Column::I64(_) => ScalarType::I64,
            Column::U8(_) => ScalarType::U8,
            Column::U16(_) => ScalarType::U16,
            Column::U32(_) => ScalarType::U32,
            Column::U64(_) => ScalarType::U64,
            Column::F16(_) => ScalarType::F16,
            Column::F32(_) => ScalarType::F32,
            Column::F64(_) => ScalarType::F64,
            Column::Bool(_) => ScalarType::Bool,
        }
    }

    /// Registers the elements with a meter, unless somebody else holds them as well. What has grown since is registered anew.
    pub fn metered(&mut self, meter: &Arc<Meter>) {
        with_column!(self, xs => if let Some(xs) = Arc::get_mut(xs) {
            xs.register(meter)
        })
    }

    /// `n` times the same element.
    pub fn filled(x: Scalar, n: usize) -> Column {
        match x {
            Scalar::I8(x) => Elem::column(vec![x; n]),
            Scalar::I16(x) => Elem::column(vec![x; n]),
            Scalar::I32(x) => Elem::column(vec![x; n]),
            Scalar::I64(x) => Elem::column(vec![x; n]),
            Scalar::U8(x) => Elem::column(vec![x; n]),
            Scalar::U16(x) => Elem::column(vec![x; n]),
            Scalar::U32(x) => Elem::column(vec![x; n]),
            Scalar::U64(x) => Elem::column(vec![x; n]),
            Scalar::F16(x) => Elem::column(vec![x; n]),
            Scalar::F32(x) => Elem::column(vec![x; n]),
            Scalar::F64(x) => Elem::column(vec![x; n]),
            Scalar::Bool(x) => Elem::column(vec![x; n]),
        }
    }

    /// These scalars, which must be of type `elem`.
    pub fn from_scalars(elem: ScalarType, xs: impl Iterator<Item = Scalar>) -> Option<Column> {
        fn collect<T: Elem>(xs: impl Iterator<Item = Scalar>) -> Option<Column> {
            xs.map(T::from_scalar).collect::<Option<Vec<T>>>().map(T::column)
        }
        match elem {
            ScalarType::I8 => collect::<i8>(xs),
            ScalarType::I16 => collect::<i16>(xs),
            ScalarType::I32 => collect::<i32>(xs),
            ScalarType::I64 => collect::<i64>(xs),
            ScalarType::U8 => collect::<u8>(xs),
            ScalarType::U16 => collect::<u16>(xs),
            ScalarType::U32 => collect::<u32>(xs),
            ScalarType::U64 => collect::<u64>(xs),
            ScalarType::F16 => collect::<f16>(xs),
            ScalarType::F32 => collect::<f32>(xs),
            ScalarType::F64 => collect::<f64>(xs),
            ScalarType::Bool => collect::<bool>(xs),
        }
    }
}

/// A regular array of rank 1 or more. An array with no elements still has its full shape.
#[derive(Clone, Debug)]
pub struct Array {
    column: Column,
    offset: usize,
    shape: Shape,
}

impl Array {
    /// An array of this shape over a column.
    ///
    /// # Panics
    /// When the shape does not have as many elements as the column.
    pub fn new(shape: &[usize], column: Column) -> Array {
        let n = with_column!(&column, xs => xs.len());
        assert_eq!(count(shape), n, "internal error: shape {shape:?} over {n} elements");
        Array { column, offset: 0, shape: shape.into() }
    }

    /// An array of this shape over these elements.
    ///
    /// # Panics
    /// When their number does not fit the shape.
    pub fn from_vec<T: Elem>(shape: &[usize], xs: Vec<T>) -> Array {
        Array::new(shape, T::column(xs))
    }

    /// An array with the same scalar everywhere.
    pub fn filled(shape: &[usize], x: Scalar) -> Array {
        Array::new(shape, Column::filled(x, count(shape)))
    }

    /// Registers the column with a meter, on which it then holds its bytes as long as it lives; unless somebody else holds it as well.
    pub fn metered(&mut self, meter: &Arc<Meter>) {
        self.column.metered(meter)
    }

    /// The element type.
    pub fn elem(&self) -> ScalarType {
        self.column.elem()
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.count()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a row-major position.
    ///
    /// # Panics
    /// When out of range.
    pub fn get(&self, i: usize) -> Scalar {
        with_column!(&self.column, xs => xs[self.offset + i].scalar())
    }

    /// The elements in row-major order, at their type.
    pub fn slice<T: Elem>(&self) -> Option<&[T]> {
        T::of(&self.column).map(|xs| &xs[self.offset..self.offset + self.len()])
    }

    /// The elements in row-major order, at their type: moved where nobody else holds the column, else copied.
    pub fn into_vec<T: Elem>(mut self) -> Option<Vec<T>> {
        let (n, offset) = (self.len(), self.offset);
        let xs = T::of_mut(&mut self.column)?;
        Some(match Arc::get_mut(xs) {
            Some(own) if own.len() == n => std::mem::take(&mut **own),
            _ => xs[offset..offset + n].to_vec(),
        })
    }

    /// The elements, to be written: in place when nobody else holds the column, else a copy of this view is made first and `copied` is told how many
    /// elements that were.
    pub fn slice_mut<T: Elem>(&mut self, copied: &mut dyn FnMut(usize)) -> Option<&mut [T]> {
        let n = self.len();
        let offset = self.offset;
        let xs = T::of_mut(&mut self.column)?;
        if Arc::get_mut(xs).is_none() {
            copied(n);
            *xs = Arc::new(xs.sibling(xs[offset..offset + n].to_vec()));
            self.offset = 0;
        }
        let offset = self.offset;
        Arc::get_mut(xs).map(|xs| &mut xs[offset..offset + n])
    }

    /// Row `i` of an array of rank 2 or more, as a view; element `i` of one of rank 1.
    ///
    /// # Panics
    /// When out of range.
    pub fn row(&self, i: usize) -> Value {
        assert!(i < self.shape[0], "internal error: row {i} of {:?}", &*self.shape);
        if self.shape.len() == 1 {
            return Value::Scalar(self.get(i));
        }
        let shape = self.shape.row();
        Value::Array(Array { column: self.column.clone(), offset: self.offset + i * shape.count(), shape })
    }

    /// The same elements under another shape.
    ///
    /// # Panics
    /// When the number of elements differs.
    pub fn reshape(&self, shape: &[usize]) -> Array {
        assert_eq!(count(shape), self.len(), "internal error: reshape to {shape:?}");
        Array { column: self.column.clone(), offset: self.offset, shape: shape.into() }
    }

    /// The elements from a row-major position on, as many as this shape has, as a view.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn part(&self, at: usize, shape: &[usize]) -> Array {
        let n: usize = count(shape);
        assert!(at + n <= self.len(), "internal error: {n} elements at {at} of {:?}", &*self.shape);
        Array { column: self.column.clone(), offset: self.offset + at, shape: shape.into() }
    }

    /// Dimension i of the result is dimension `perm[i]` of the array. Copies.
    pub fn rearrange(&self, perm: &[usize]) -> Array {
        let old: &[usize] = &self.shape;
        let shape: Vec<usize> = perm.iter().map(|p| old[*p]).collect();
        let mut strides = vec![1; old.len()];
        for d in (1..old.len()).rev() {
            strides[d - 1] = strides[d] * old[d];
        }
        let strides: Vec<usize> = perm.iter().map(|p| strides[*p]).collect();
        with_column!(&self.column, xs => {
            let xs = &xs[self.offset..];
            let mut out = Vec::with_capacity(self.len());
            let mut index = vec![0; shape.len()];
            for _ in 0..self.len() {
                out.push(xs[index.iter().zip(&strides).map(|(i, s)| i * s).sum::<usize>()]);
                for d in (0..shape.len()).rev() {
                    index[d] += 1;
                    if index[d] < shape[d] { break }
                    index[d] = 0;
                }
            }
            Array::from_vec(&shape, out)
        })
    }
}

impl PartialEq for Array {
    /// Same type, shape and elements, bit by bit.
    fn eq(&self, other: &Self) -> bool {
        self.elem() == other.elem() && self.shape == other.shape && (0..self.len()).all(|i| self.get(i) == other.get(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_views_and_writes_copy_only_what_is_shared() {
        let a = Array::from_vec(&[2, 3], vec![1, 2, 3, 4, 5, 6i32]);
        let Value::Array(mut row) = a.row(1) else { panic!("a row is an array") };
        let mut copied = 0;
        row.slice_mut::<i32>(&mut |n| copied += n).unwrap()[0] = 9;
        row.slice_mut::<i32>(&mut |n| copied += n).unwrap()[1] = 8;
        assert_eq!((copied, row.slice::<i32>().unwrap(), a.get(3)), (3, &[9, 8, 6][..], Scalar::I32(4)));
    }

    #[test]
    fn rearrange_transposes() {
        let a = Array::from_vec(&[2, 3], vec![1, 2, 3, 4, 5, 6i64]);
        assert_eq!(a.rearrange(&[1, 0]), Array::from_vec(&[3, 2], vec![1, 4, 2, 5, 3, 6i64]));
        let empty = Array::from_vec::<f64>(&[0, 3], vec![]);
        assert_eq!(&**empty.rearrange(&[1, 0]).shape(), &[3, 0]);
    }
}
