//! Arrays in a kernel: where they are, reading and writing elements, views, copies.
//!
//! An array is a view of memory (an offset and a stride a dimension, in elements), or is not in memory at all. An invocation's own arrays are interleaved with those of the others, element by
//! element, so that neighbouring invocations touch neighbouring memory.

use super::emit::{BlockArg, Emitter, Known, Made, Own, Refusal, Value};
use super::exps::*;
use crate::build::Maker;
use crate::ir::{self, Builtin, Exp};
use futi_core::ir::{BinOp, Dim, Exp as Ir, Prim, ScalarType, SubExp, Type, UnOp, Var};

/// An array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub elem: ScalarType,
    pub shape: Vec<Dim>,
    pub source: Source,
}

/// Where the elements of an array are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// In memory.
    Memory(View),
    /// `start + i * step`.
    Iota { start: Exp, step: Exp },
    /// The same everywhere.
    Fill(Exp),
    /// In memory that this kernel does not change, turned round: the first of so many rows is the one of this number.
    Rotated { view: View, first: Exp, size: Exp },
}

/// A view of memory: the element at `i, j` is the one at `offset + i * strides[0] + j * strides[1]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    pub array: ir::Array,
    pub offset: Exp,
    pub strides: Vec<Exp>,
    /// Whether the strides are those of row-major order, times the last one.
    pub packed: bool,
    /// Whether it is memory that this kernel does not change: a view of it is as good as a copy.
    pub constant: bool,
}

impl Array {
    fn view(&self) -> Option<&View> {
        match &self.source {
            Source::Memory(view) => Some(view),
            Source::Iota { .. } | Source::Fill(_) | Source::Rotated { .. } => None,
        }
    }

    /// The memory that its elements are in.
    pub fn memory(&self) -> Option<ir::Array> {
        match &self.source {
            Source::Memory(view) | Source::Rotated { view, .. } => Some(view.array),
            Source::Iota { .. } | Source::Fill(_) => None,
        }
    }

    /// The same, of which a view is as good as a copy.
    pub fn into_constant(mut self) -> Array {
        if let Source::Memory(view) = &mut self.source {
            view.constant = true;
        }
        self
    }

    /// Whether a view of it is as good as a copy.
    pub fn is_constant(&self) -> bool {
        self.view().is_none_or(|view| view.constant)
    }

    /// Whether writing to the other might change this one.
    pub fn may_touch(&self, other: &Array) -> bool {
        match (self.view(), other.view()) {
            (Some(a), Some(b)) => !a.constant && a.array == b.array,
            // mutant negation: what is not in memory is put there without need
            _ => false,
        }
    }

    /// Whether both are in the same memory, perhaps at different places.
    pub fn shares_memory(&self, other: &Array) -> bool {
        matches!((self.view(), other.view()), (Some(a), Some(b)) if a.array == b.array && a.constant == b.constant)
    }
}

impl View {
    fn index(&self, indices: &[Exp]) -> Exp {
        let steps = indices.iter().zip(&self.strides);
        steps.fold(self.offset.clone(), |sum, (i, s)| plus(sum, times(i.clone(), s.clone())))
    }
}

impl Emitter<'_> {
    /// The row-major array of that shape in memory, from `offset` on, its elements `unit` apart.
    pub fn packed(
        &mut self,
        elem: ScalarType,
        shape: &[Dim],
        array: ir::Array,
        [offset, unit]: [Exp; 2],
        constant: bool,
    ) -> Made<Array> {
        let strides = self.row_major(shape, unit)?;
        // mutant negation: what is in one piece is copied to get another shape, and no more
        let view = View { array, offset, strides, packed: true, constant };
        Ok(Array { elem, shape: shape.to_vec(), source: Source::Memory(view) })
    }

    fn row_major(&mut self, shape: &[Dim], unit: Exp) -> Made<Vec<Exp>> {
        let mut strides = vec![unit; shape.len()];
        for d in (1..shape.len()).rev() {
            let size = self.dim(shape[d])?;
            strides[d - 1] = times(strides[d].clone(), size);
        }
        Ok(strides)
    }

    /// An array of this invocation's own, or where `var` had best be made.
    pub fn allocate(&mut self, elem: ScalarType, shape: &[Dim], var: Option<Var>) -> Made<Array> {
        if let Some(place) = var.and_then(|var| self.places.remove(&var)) {
            return Ok(Array { shape: shape.to_vec(), ..place });
        }
        let known = shape.iter().map(|dim| self.bound(*dim)).collect::<Made<Vec<_>>>()?;
        self.own.push(Own { elem, shape: known, of_group: false });
        let block = self.block("own", elem, BlockArg::Own(self.own.len() - 1));
        let (first, unit) = (self.invocation.clone(), self.invocations.clone());
        self.packed(elem, shape, ir::Array::Block(block), [first, unit], false)
    }

    /// An array of this group's own, in device memory.
    pub fn allocate_for_group(&mut self, elem: ScalarType, shape: &[Dim]) -> Made<Array> {
        let known = shape.iter().map(|dim| self.bound(*dim)).collect::<Made<Vec<_>>>()?;
        // mutant negation: where each invocation has room, there is room for a group
        self.own.push(Own { elem, shape: known, of_group: true });
        let block = self.block("own", elem, BlockArg::Own(self.own.len() - 1));
        let sizes = shape.iter().map(|dim| self.dim(*dim)).collect::<Made<Vec<_>>>()?;
        let first = sizes.into_iter().fold(builtin(Builtin::Group), times);
        let first = self.named("first", first);
        // mutant negation: what is a group's is told by where it is
        self.packed(elem, shape, ir::Array::Block(block), [first, ONE], false)
    }

    /// A size, or what it is at most at any point, as the host works it out.
    fn bound(&mut self, dim: Dim) -> Made<Known> {
        if let Some(known) = self.known(dim.into()) {
            return Ok(known);
        }
        let var = SubExp::from(dim).as_var();
        match var.and_then(|var| self.context.bounds.get(&var)) {
            Some(cell) => Ok(Known::Var(*cell)),
            None => Err(Refusal {
                unbounded: var,
                ..self.unsupported("an array whose size changes inside of a point", "a bound of its size")
            }),
        }
    }

    /// The element of an array.
    pub fn element(&mut self, array: &Array, indices: &[Exp]) -> Exp {
        match &array.source {
            Source::Memory(view) => {
                let (array, index) = (view.array, view.index(indices));
                self.doing().load("x", array, index)
            }
            Source::Fill(value) => value.clone(),
            Source::Rotated { view, first, size } => {
                let (view, first, size) = (view.clone(), first.clone(), size.clone());
                let from = self.turned(indices[0].clone(), first, size);
                let index = view.index(&[&[from], &indices[1..]].concat());
                self.doing().load("x", view.array, index)
            }
            Source::Iota { start, step } => {
                let i = convert(ScalarType::I64, array.elem, indices[0].clone());
                if array.elem == ScalarType::I64 {
                    return plus(start.clone(), times(i, step.clone()));
                }
                let offset = Exp::Prim(Prim::Bin(BinOp::Mul, array.elem), vec![i, step.clone()]);
                Exp::Prim(Prim::Bin(BinOp::Add, array.elem), vec![start.clone(), offset])
            }
        }
    }

    /// Where an element of an array in memory is.
    pub fn place(&mut self, array: &Array, indices: &[Exp]) -> Made<(ir::Array, Exp)> {
        match array.view() {
            Some(view) => Ok((view.array, view.index(indices))),
            None => Err(self.fault("an update of an array that is not in memory")),
        }
    }

    /// Writes an element, or a row.
    pub fn write(&mut self, array: &Array, indices: &[Exp], value: &Value) -> Made<()> {
        match value {
            Value::Scalar(value) => {
                let (array, index) = self.place(array, indices)?;
                self.doing().store(array, index, value.clone());
                Ok(())
            }
            Value::Array(source) => {
                let row = self.row(array, indices);
                self.copy(&row, source)
            }
            Value::Unit => Ok(()),
        }
    }

    /// What is left of an array after indexing its first dimensions.
    pub fn row(&mut self, array: &Array, indices: &[Exp]) -> Array {
        let shape = array.shape[indices.len()..].to_vec();
        let source = match &array.source {
            Source::Memory(view) => {
                let offset = self.named("o", view.index(indices));
                Source::Memory(View { offset, strides: view.strides[indices.len()..].to_vec(), ..view.clone() })
            }
            Source::Rotated { view, first, size } if !indices.is_empty() => {
                let from = self.turned(indices[0].clone(), first.clone(), size.clone());
                let offset = self.named("o", view.index(&[&[from], &indices[1..]].concat()));
                Source::Memory(View { offset, strides: view.strides[indices.len()..].to_vec(), ..view.clone() })
            }
            other => other.clone(),
        };
        Array { elem: array.elem, shape, source }
    }

    /// The row, of so many, that the one of a number is when the first one is another.
    pub fn turned(&mut self, i: Exp, first: Exp, size: Exp) -> Exp {
        let from = self.named("from", plus(i, first));
        let wraps = at_most(ScalarType::I64, size.clone(), from.clone());
        let from = Exp::Prim(Prim::Select(ScalarType::I64), vec![wraps, minus(from.clone(), size), from]);
        self.named("from", from)
    }

    /// An element as a scalar that stays what it is, or a row as a view.
    pub fn index(&mut self, array: &Array, indices: &[Exp]) -> Value {
        if indices.len() < array.shape.len() {
            return Value::Array(self.row(array, indices));
        }
        match self.element(array, indices) {
            e @ Exp::Prim(..) => Value::Scalar(self.declare(array.elem, "x", e)),
            e => Value::Scalar(e),
        }
    }

    /// Copies the elements of one array to another of the same shape, in memory.
    pub fn copy(&mut self, to: &Array, from: &Array) -> Made<()> {
        if to.source == from.source {
            return Ok(());
        }
        self.copy_from(to, from, &mut Vec::new())
    }

    fn copy_from(&mut self, to: &Array, from: &Array, indices: &mut Vec<Exp>) -> Made<()> {
        let Some(dim) = to.shape.get(indices.len()) else {
            let element = self.element(from, indices);
            return self.write(to, indices, &Value::Scalar(element));
        };
        let size = self.dim(*dim)?;
        let known = self.known((*dim).into());
        self.repeat(size, known, |e, i| {
            indices.push(i);
            e.copy_from(to, from, indices)
        })
    }

    /// A copy of an array in memory of this invocation's own.
    pub fn materialise(&mut self, array: &Array, var: Option<Var>) -> Made<Array> {
        let own = self.allocate(array.elem, &array.shape, var)?;
        self.copy(&own, array)?;
        Ok(own)
    }

    /// The array itself, or a copy of it if it is turned round.
    pub fn unturned(&mut self, array: Array) -> Made<Array> {
        if matches!(array.source, Source::Rotated { .. }) { self.materialise(&array, None) } else { Ok(array) }
    }

    /// The array itself if it is in memory, else a copy that is.
    pub fn in_memory(&mut self, array: Array) -> Made<Array> {
        if array.view().is_some() { Ok(array) } else { self.materialise(&array, None) }
    }

    /// An array in the memory of another, at a place that [`Emitter::point_to`] sets later.
    pub fn pointer(&mut self, like: &Array) -> Array {
        let Source::Memory(view) = &like.source else { return like.clone() };
        let mut local = |name| Exp::Local(self.local(name, ScalarType::I64));
        let offset = local("o");
        let strides = view.strides.iter().map(|_| local("t")).collect();
        let view = View { offset, strides, packed: false, ..view.clone() };
        Array { source: Source::Memory(view), ..like.clone() }
    }

    /// Sets the variables of a [`Emitter::pointer`].
    pub fn point_to(&mut self, pointer: &Array, target: &Array) {
        let (Some(pointer), Some(target)) = (pointer.view(), target.view()) else { return };
        let ours = [&pointer.offset].into_iter().chain(&pointer.strides);
        let theirs = [&target.offset].into_iter().chain(&target.strides);
        for (to, from) in ours.zip(theirs) {
            if let Exp::Local(local) = to {
                self.set(*local, from.clone());
            }
        }
    }

    /// The arrays that are made without computing: the value of such an expression.
    pub fn array_exp(&mut self, exp: &Ir, ty: &Type, var: Var) -> Made<Value> {
        let Type::Array(elem, shape) = ty else {
            return Err(self.fault("an array without a shape"));
        };
        let (elem, shape) = (*elem, shape.clone());
        let make = |source| Value::Array(Array { elem, shape: shape.clone(), source });
        Ok(match exp {
            Ir::Iota { start, step, .. } => {
                make(Source::Iota { start: self.scalar(*start)?, step: self.scalar(*step)? })
            }
            Ir::Replicate { shape: outer, value } => match self.operand(*value)? {
                Value::Scalar(x) => make(Source::Fill(self.kept(elem, x))),
                Value::Array(Array { source: Source::Fill(x), .. }) => make(Source::Fill(x)),
                Value::Array(inner) if inner.is_constant() && inner.view().is_some() => {
                    make(widened(&inner, outer.len()))
                }
                Value::Array(inner) => {
                    let own = self.allocate(elem, &shape, Some(var))?;
                    let inner = self.in_memory(inner)?;
                    let repeated = Array { elem, shape: shape.clone(), source: widened(&inner, outer.len()) };
                    self.copy(&own, &repeated)?;
                    Value::Array(own)
                }
                Value::Unit => return Err(self.fault("replicate of no value")),
            },
            Ir::Scratch { .. } => Value::Array(self.allocate(elem, &shape, Some(var))?),
            Ir::Rearrange { perm, array } => {
                let array = self.array(*array)?;
                let array = self.unturned(array)?;
                match array.source {
                    Source::Memory(view) => {
                        let strides = perm.iter().map(|p| view.strides[*p].clone()).collect();
                        make(Source::Memory(View { strides, packed: false, ..view }))
                    }
                    other => make(other),
                }
            }
            Ir::Coerce { array, .. } => make(self.array(*array)?.source),
            Ir::Reshape { array, .. } => {
                let array = self.array(*array)?;
                let array = match &array.source {
                    Source::Fill(_) => return Ok(make(array.source)),
                    Source::Memory(view) if view.packed => array,
                    Source::Memory(_) | Source::Iota { .. } | Source::Rotated { .. } => {
                        self.materialise(&array, None)?
                    }
                };
                let Source::Memory(view) = array.source else { return Ok(make(array.source)) };
                let unit = view.strides.last().cloned().unwrap_or(ONE);
                let strides = self.row_major(&shape, unit)?;
                make(Source::Memory(View { strides, ..view }))
            }
            Ir::Reverse { array } => {
                let array = self.array(*array)?;
                let array = self.unturned(array)?;
                let array = if array.is_constant() { array } else { self.materialise(&array, None)? };
                let n = self.dim(shape[0])?;
                let last = minus(n, ONE);
                match array.source {
                    Source::Memory(view) => {
                        let offset = plus(view.offset.clone(), times(last, view.strides[0].clone()));
                        let offset = self.named("o", offset);
                        let mut strides = view.strides.clone();
                        strides[0] = self.named("t", minus(ZERO, strides[0].clone()));
                        make(Source::Memory(View { offset, strides, packed: false, ..view }))
                    }
                    Source::Iota { start, step } => {
                        let last = convert(ScalarType::I64, elem, last);
                        let offset = Exp::Prim(Prim::Bin(BinOp::Mul, elem), vec![last, step.clone()]);
                        let start = Exp::Prim(Prim::Bin(BinOp::Add, elem), vec![start, offset]);
                        let start = self.declare(elem, "x", start);
                        let step = self.declare(elem, "x", Exp::Prim(Prim::Un(UnOp::Neg, elem), vec![step]));
                        make(Source::Iota { start, step })
                    }
                    other => make(other),
                }
            }
            Ir::Concat { arrays, .. } => {
                let own = self.allocate(elem, &shape, Some(var))?;
                let mut before = ZERO;
                for part in arrays {
                    let part = self.array(*part)?;
                    let Source::Memory(view) = &own.source else { continue };
                    let start = plus(view.offset.clone(), times(before.clone(), view.strides[0].clone()));
                    let start = self.named("o", start);
                    let window = View { offset: start, ..view.clone() };
                    let window = Array { elem, shape: part.shape.clone(), source: Source::Memory(window) };
                    self.copy(&window, &part)?;
                    let size = self.dim(part.shape[0])?;
                    before = self.named("o", plus(before, size));
                }
                Value::Array(own)
            }
            Ir::Copy(array) => {
                let array = self.array(*array)?;
                Value::Array(self.materialise(&array, Some(var))?)
            }
            Ir::Slice { array, slice } => self.slice(*array, slice)?,
            Ir::FlatIndex { array, offset, dims } => self.flat_index(*array, *offset, dims)?,
            Ir::UpdateSlice { array, slice, value } => self.update_slice(*array, slice, *value, var)?,
            Ir::FlatUpdate { array, offset, dims, value } => self.flat_update(*array, *offset, dims, *value, var)?,
            Ir::Rotate { by, array } => self.rotate(*by, *array, &shape, var)?,
            // how it is laid out nobody sees
            Ir::Manifest { array, .. } => {
                let array = self.array(*array)?;
                Value::Array(self.materialise(&array, Some(var))?)
            }
            _ => return Err(self.fault("an expression that makes no array")),
        })
    }

    /// A value that stays what it is, whatever becomes of the variables in it.
    pub fn kept(&mut self, ty: ScalarType, value: Exp) -> Exp {
        if matches!(value, Exp::Local(_)) { self.declare(ty, "x", value) } else { value }
    }
}

/// The array in every row of new outer dimensions: their strides are zero.
fn widened(inner: &Array, outer: usize) -> Source {
    match &inner.source {
        Source::Memory(view) => {
            let strides = std::iter::repeat_n(ZERO, outer).chain(view.strides.iter().cloned()).collect();
            Source::Memory(View { strides, packed: false, ..view.clone() })
        }
        other => other.clone(),
    }
}
