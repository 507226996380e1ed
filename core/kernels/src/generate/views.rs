//! Parts of arrays in a kernel: slices, views by strides, rotations.

use super::array::{Array, Source, View};
use super::emit::{Emitter, Made, Value};
use super::exps::*;
use crate::ir::Exp;
use futi_core::ir::{BinOp, Dim, Prim, ScalarType, SliceDim, SubExp, Var};

impl Emitter<'_> {
    /// What a slice takes of an array, of the shape that it has.
    fn window(&mut self, array: &Array, slice: &[SliceDim]) -> Made<Array> {
        let array = &self.unturned(array.clone())?;
        let mut shape = Vec::new();
        for dim in slice {
            if let SliceDim::Range { count, .. } = dim {
                shape.push(*count);
            }
        }
        shape.extend_from_slice(&array.shape[slice.len()..]);
        let source = match &array.source {
            Source::Memory(view) => {
                let mut strides = Vec::new();
                let mut offset = view.offset.clone();
                for (dim, by) in slice.iter().zip(&view.strides) {
                    let (start, stride) = match dim {
                        SliceDim::Fix(i) => (self.scalar(*i)?, None),
                        SliceDim::Range { start, stride, .. } => (self.scalar(*start)?, Some(self.scalar(*stride)?)),
                    };
                    offset = plus(offset, times(start, by.clone()));
                    if let Some(stride) = stride {
                        strides.push(self.named("t", times(by.clone(), stride)));
                    }
                }
                strides.extend_from_slice(&view.strides[slice.len()..]);
                let offset = self.named("o", offset);
                Source::Memory(View { offset, strides, packed: false, ..view.clone() })
            }
            Source::Iota { start: first, step } => match slice {
                [SliceDim::Range { start, stride, .. }] => {
                    let ty = array.elem;
                    let [start, stride] = [self.scalar(*start)?, self.scalar(*stride)?];
                    let [start, stride] = [start, stride].map(|e| convert(ScalarType::I64, ty, e));
                    // mutant swap: in either order
                    let bin = |op, a: Exp, b: Exp| Exp::Prim(Prim::Bin(op, ty), vec![a, b]);
                    let first = bin(BinOp::Add, first.clone(), bin(BinOp::Mul, start, step.clone()));
                    let first = self.declare(ty, "x", first);
                    let step = self.declare(ty, "x", bin(BinOp::Mul, step.clone(), stride));
                    Source::Iota { start: first, step }
                }
                _ => return Err(self.fault("a slice of a range in several dimensions")),
            },
            other => other.clone(),
        };
        Ok(Array { elem: array.elem, shape, source })
    }

    /// The elements of a one-dimensional array by offset and strides.
    fn strided(&mut self, array: &Array, offset: SubExp, dims: &[(Dim, SubExp)]) -> Made<Array> {
        let array = self.in_memory(array.clone())?;
        let Source::Memory(view) = &array.source else {
            return Err(self.fault("a view by strides of no memory"));
        };
        let by = view.strides[0].clone();
        let offset = plus(view.offset.clone(), times(self.scalar(offset)?, by.clone()));
        let offset = self.named("o", offset);
        let mut strides = Vec::new();
        for (_, stride) in dims {
            let stride = times(self.scalar(*stride)?, by.clone());
            strides.push(self.named("t", stride));
        }
        let source = Source::Memory(View { offset, strides, packed: false, ..view.clone() });
        Ok(Array { elem: array.elem, shape: dims.iter().map(|(n, _)| *n).collect(), source })
    }

    /// A slice, which is an element where it has no dimension.
    pub fn slice(&mut self, array: Var, slice: &[SliceDim]) -> Made<Value> {
        let array = self.array(array)?;
        let window = self.window(&array, slice)?;
        Ok(if window.shape.is_empty() { self.index(&window, &[]) } else { Value::Array(window) })
    }

    /// A view by offset and strides.
    pub fn flat_index(&mut self, array: Var, offset: SubExp, dims: &[(Dim, SubExp)]) -> Made<Value> {
        let array = self.array(array)?;
        self.strided(&array, offset, dims).map(Value::Array)
    }

    /// An array that may be changed: what is to be updated in place, or a copy of it.
    pub fn changeable(&mut self, array: Var, pat: Var) -> Made<Array> {
        let array = self.array(array)?;
        if array.is_constant() { self.materialise(&array, Some(pat)) } else { Ok(array) }
    }

    /// A slice replaced, in place.
    pub fn update_slice(&mut self, array: Var, slice: &[SliceDim], value: Var, pat: Var) -> Made<Value> {
        let array = self.changeable(array, pat)?;
        let window = self.window(&array, slice)?;
        let value = self.operand(value.into())?;
        self.write(&window, &[], &value)?;
        Ok(Value::Array(array))
    }

    /// The elements of a view replaced, in place.
    pub fn flat_update(
        &mut self,
        array: Var,
        offset: SubExp,
        dims: &[(Dim, SubExp)],
        value: Var,
        pat: Var,
    ) -> Made<Value> {
        let array = self.changeable(array, pat)?;
        let window = self.strided(&array, offset, dims)?;
        let value = self.operand(value.into())?;
        self.write(&window, &[], &value)?;
        Ok(Value::Array(array))
    }

    /// An array whose outer dimension is turned round: what is behind the place comes first.
    pub fn rotate(&mut self, by: SubExp, array: Var, shape: &[Dim], pat: Var) -> Made<Value> {
        let array = self.array(array)?;
        let array = Array { shape: shape.to_vec(), ..array };
        if let Source::Fill(_) = array.source {
            return Ok(Value::Array(array));
        }
        let size = self.dim(shape[0])?;
        let by = self.scalar(by)?;
        let first = Exp::Prim(Prim::Bin(BinOp::Mod, ScalarType::I64), vec![by, size.clone()]);
        let first = self.named("first", first);
        match &array.source {
            Source::Memory(view) if array.is_constant() => {
                let source = Source::Rotated { view: view.clone(), first, size };
                return Ok(Value::Array(Array { source, ..array }));
            }
            _ => {}
        }
        let own = self.allocate(array.elem, shape, Some(pat))?;
        let known = self.known(shape[0].into());
        self.repeat(size.clone(), known, |e, i| {
            let from = e.turned(i.clone(), first, size);
            let value = e.index(&array, &[from]);
            e.write(&own, &[i], &value)
        })?;
        Ok(Value::Array(own))
    }
}
