//! Arrays in a kernel: where they are, reading and writing elements, views, copies.
//!
//! An array is a view of memory (an address, an offset and a stride a dimension, in elements), or is not in memory at all. An invocation's own
//! arrays are interleaved with those of the others, element by element, so that neighbouring invocations touch neighbouring memory.

use super::emit::{Emitted, Emitter, Refusal, Value, load, store};
use super::{Arg, Known, Scratch};
use futi_core::ir::{Dim, Exp, ScalarType, SubExp, Type, Var};

/// An array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) elem: ScalarType,
    pub(super) shape: Vec<Dim>,
    pub(super) source: Source,
}

/// Where the elements of an array are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// In memory.
    Memory(View),
    /// `start + i * step`.
    Iota { start: String, step: String },
    /// The same everywhere.
    Fill(String),
}

/// A view of memory: the element at `i, j` is at `base + size * (offset + i * strides[0] + j * strides[1])`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    base: String,
    offset: String,
    strides: Vec<String>,
    /// Whether the strides are those of row-major order, times the last one.
    packed: bool,
    /// Whether it is memory that this kernel does not change: a view of it is as good as a copy.
    constant: bool,
}

const ZERO: &str = "int64_t(0)";
const ONE: &str = "int64_t(1)";

fn times(a: &str, b: &str) -> String {
    match (a, b) {
        (ZERO, _) | (_, ZERO) => ZERO.into(),
        (ONE, x) | (x, ONE) => x.into(),
        _ => format!("({a} * {b})"),
    }
}

fn plus(a: &str, b: &str) -> String {
    match (a, b) {
        (ZERO, x) | (x, ZERO) => x.into(),
        _ => format!("({a} + {b})"),
    }
}

impl Array {
    fn view(&self) -> Option<&View> {
        match &self.source {
            Source::Memory(view) => Some(view),
            Source::Iota { .. } | Source::Fill(_) => None,
        }
    }

    /// Whether a view of it is as good as a copy.
    pub(super) fn is_constant(&self) -> bool {
        self.view().is_none_or(|view| view.constant)
    }

    /// Whether writing to the other might change this one.
    pub(super) fn may_touch(&self, other: &Array) -> bool {
        match (self.view(), other.view()) {
            (Some(a), Some(b)) => !a.constant && (a.base == b.base || a.is_pointer() || b.is_pointer()),
            _ => false,
        }
    }
}

impl View {
    /// Whether only the run tells which memory it is: see [`Emitter::pointer`].
    fn is_pointer(&self) -> bool {
        self.base.starts_with('b')
    }

    /// The address of the element at these indices, or of the first one there.
    fn address(&self, elem: ScalarType, indices: &[String]) -> String {
        let offset = self.offset_at(indices);
        match offset.as_str() {
            ZERO => self.base.clone(),
            _ => format!("({} + uint64_t({offset}) * {}UL)", self.base, elem.bytes()),
        }
    }

    fn offset_at(&self, indices: &[String]) -> String {
        indices.iter().zip(&self.strides).fold(self.offset.clone(), |sum, (i, s)| plus(&sum, &times(i, s)))
    }
}

impl Emitter<'_> {
    /// The row-major array of that shape at an address, its elements `unit` apart.
    pub(super) fn packed(
        &mut self,
        elem: ScalarType,
        shape: &[Dim],
        base: String,
        unit: &str,
        constant: bool,
    ) -> Emitted<Array> {
        let strides = self.row_major(shape, unit)?;
        let view = View { base, offset: ZERO.into(), strides, packed: true, constant };
        Ok(Array { elem, shape: shape.to_vec(), source: Source::Memory(view) })
    }

    fn row_major(&mut self, shape: &[Dim], unit: &str) -> Emitted<Vec<String>> {
        let mut strides = vec![unit.to_owned(); shape.len()];
        for d in (1..shape.len()).rev() {
            let size = self.dim(shape[d])?;
            strides[d - 1] = times(&strides[d], &size);
        }
        Ok(strides)
    }

    /// An array of this invocation's own, or where `var` had best be made.
    pub(super) fn allocate(&mut self, elem: ScalarType, shape: &[Dim], var: Option<Var>) -> Emitted<Array> {
        if let Some(place) = var.and_then(|var| self.places.remove(&var)) {
            return Ok(Array { shape: shape.to_vec(), ..place });
        }
        let known = shape.iter().map(|dim| self.bound(*dim)).collect::<Emitted<Vec<_>>>()?;
        let k = self.scratch.len();
        self.scratch.push(Scratch { elem, shape: known });
        let base = format!("s{k}");
        self.global("uint64_t", &base, Arg::Scratch(k), |word| {
            format!("{word} + uint64_t(gl_GlobalInvocationID.x) * {}UL", elem.bytes())
        });
        self.packed(elem, shape, base, "threads", false)
    }

    /// A size, or what it is at most at any point, as the host works it out.
    fn bound(&mut self, dim: Dim) -> Emitted<Known> {
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
    pub(super) fn element(&mut self, array: &Array, indices: &[String]) -> String {
        match &array.source {
            Source::Memory(view) => load(array.elem, &view.address(array.elem, indices)),
            Source::Fill(value) => value.clone(),
            Source::Iota { start, step } => {
                let i = convert_index(array.elem, &indices[0]);
                format!("({start} + {i} * {step})")
            }
        }
    }

    /// The address of an element of an array in memory.
    pub(super) fn address(&mut self, array: &Array, indices: &[String]) -> Emitted<String> {
        match array.view() {
            Some(view) => Ok(view.address(array.elem, indices)),
            None => Err(self.unsupported("an update of an array that is not in memory", "memory for it")),
        }
    }

    /// Writes an element, or a row.
    pub(super) fn write(&mut self, array: &Array, indices: &[String], value: &Value) -> Emitted<()> {
        match value {
            Value::Scalar(value) => {
                let address = self.address(array, indices)?;
                self.line(store(array.elem, &address, value));
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
    pub(super) fn row(&mut self, array: &Array, indices: &[String]) -> Array {
        let shape = array.shape[indices.len()..].to_vec();
        let source = match &array.source {
            Source::Memory(view) => {
                let offset = view.offset_at(indices);
                // A name for it, unless it is one already.
                let offset = if offset.contains(' ') { self.declare(ScalarType::I64, "o", &offset) } else { offset };
                Source::Memory(View { offset, strides: view.strides[indices.len()..].to_vec(), ..view.clone() })
            }
            other => other.clone(),
        };
        Array { elem: array.elem, shape, source }
    }

    /// An element as a scalar that stays what it is, or a row as a view.
    pub(super) fn index(&mut self, array: &Array, indices: &[String]) -> Value {
        if indices.len() < array.shape.len() {
            return Value::Array(self.row(array, indices));
        }
        let element = self.element(array, indices);
        Value::Scalar(self.declare(array.elem, "x", &element))
    }

    /// Copies the elements of one array to another of the same shape, in memory.
    pub(super) fn copy(&mut self, to: &Array, from: &Array) -> Emitted<()> {
        if to.source == from.source {
            return Ok(());
        }
        self.copy_from(to, from, &mut Vec::new())
    }

    fn copy_from(&mut self, to: &Array, from: &Array, indices: &mut Vec<String>) -> Emitted<()> {
        let Some(dim) = to.shape.get(indices.len()) else {
            let element = self.element(from, indices);
            return self.write(to, indices, &Value::Scalar(element));
        };
        let size = self.dim(*dim)?;
        let known = self.known((*dim).into());
        self.repeat(&size, known, |e, i| {
            indices.push(i.to_owned());
            e.copy_from(to, from, indices)
        })
    }

    /// A copy of an array in memory of this invocation's own.
    pub(super) fn materialise(&mut self, array: &Array, var: Option<Var>) -> Emitted<Array> {
        let own = self.allocate(array.elem, &array.shape, var)?;
        self.copy(&own, array)?;
        Ok(own)
    }

    /// The array itself if it is in memory, else a copy that is.
    pub(super) fn in_memory(&mut self, array: Array, var: Option<Var>) -> Emitted<Array> {
        if array.view().is_some() { Ok(array) } else { self.materialise(&array, var) }
    }

    /// Variables for where an array in memory is, to be set later by [`Emitter::point_to`].
    pub(super) fn pointer(&mut self, elem: ScalarType, shape: &[Dim], constant: bool) -> Array {
        let (base, offset) = (self.fresh("b"), self.fresh("o"));
        self.line(format!("uint64_t {base};"));
        self.line(format!("int64_t {offset};"));
        let strides: Vec<String> = shape.iter().map(|_| self.fresh("t")).collect();
        strides.iter().for_each(|stride| self.line(format!("int64_t {stride};")));
        let view = View { base, offset, strides, packed: false, constant };
        Array { elem, shape: shape.to_vec(), source: Source::Memory(view) }
    }

    /// Sets the variables of a [`Emitter::pointer`].
    pub(super) fn point_to(&mut self, pointer: &Array, target: &Array) -> Emitted<()> {
        let (Some(pointer), Some(target)) = (pointer.view(), target.view()) else {
            return Err(self.unsupported("a pointer to an array that is not in memory", "memory for it"));
        };
        self.line(format!("{} = {};", pointer.base, target.base));
        self.line(format!("{} = {};", pointer.offset, target.offset));
        for (to, from) in pointer.strides.iter().zip(&target.strides) {
            self.line(format!("{to} = {from};"));
        }
        Ok(())
    }

    /// The arrays that are made without computing: the value of such an expression.
    pub(super) fn array_exp(&mut self, exp: &Exp, ty: &Type, var: Var) -> Emitted<Value> {
        let (Type::Array(elem, shape), Some(var)) = (ty, Some(var)) else {
            return Err(self.unsupported("an array without a shape", "a shape"));
        };
        let (elem, shape) = (*elem, shape.clone());
        let make = |source| Value::Array(Array { elem, shape: shape.clone(), source });
        Ok(match exp {
            Exp::Iota { start, step, .. } => {
                make(Source::Iota { start: self.scalar(*start)?, step: self.scalar(*step)? })
            }
            Exp::Replicate { value: SubExp::Lit(x), .. } => make(Source::Fill(crate::glsl::literal(*x))),
            Exp::Replicate { shape: outer, value } => match self.operand(*value)? {
                Value::Scalar(x) => make(Source::Fill(x)),
                Value::Array(Array { source: Source::Fill(x), .. }) => make(Source::Fill(x)),
                Value::Array(inner) if inner.is_constant() && inner.view().is_some() => {
                    make(widened(&inner, outer.len()))
                }
                Value::Array(inner) => {
                    let own = self.allocate(elem, &shape, Some(var))?;
                    let inner = self.in_memory(inner, None)?;
                    let repeated = Array { elem, shape: shape.clone(), source: widened(&inner, outer.len()) };
                    self.copy(&own, &repeated)?;
                    Value::Array(own)
                }
                Value::Unit => return Err(self.unsupported("replicate of no value", "a value")),
            },
            Exp::Scratch { .. } => Value::Array(self.allocate(elem, &shape, Some(var))?),
            Exp::Rearrange { perm, array } => {
                let array = self.array(*array)?;
                match array.source {
                    Source::Memory(view) => {
                        let strides = perm.iter().map(|p| view.strides[*p].clone()).collect();
                        make(Source::Memory(View { strides, packed: false, ..view }))
                    }
                    other => make(other),
                }
            }
            Exp::Coerce { array, .. } => make(self.array(*array)?.source),
            Exp::Reshape { array, .. } => {
                let array = self.array(*array)?;
                let array = match &array.source {
                    Source::Fill(_) => return Ok(make(array.source)),
                    Source::Memory(view) if view.packed => array,
                    Source::Memory(_) | Source::Iota { .. } => self.materialise(&array, None)?,
                };
                let Source::Memory(view) = array.source else { return Ok(make(array.source)) };
                let unit = view.strides.last().cloned().unwrap_or_else(|| ONE.into());
                let strides = self.row_major(&shape, &unit)?;
                make(Source::Memory(View { strides, ..view }))
            }
            Exp::Reverse { array } => {
                let array = self.array(*array)?;
                let array = if array.is_constant() { array } else { self.materialise(&array, None)? };
                let n = self.dim(shape[0])?;
                let last = format!("({n} - int64_t(1))");
                match array.source {
                    Source::Memory(view) => {
                        let offset = plus(&view.offset, &times(&last, &view.strides[0]));
                        let offset = self.declare(ScalarType::I64, "o", &offset);
                        let mut strides = view.strides.clone();
                        strides[0] = format!("(-{})", strides[0]);
                        make(Source::Memory(View { offset, strides, packed: false, ..view }))
                    }
                    Source::Iota { start, step } => {
                        let last = convert_index(elem, &last);
                        let start = self.declare(elem, "x", &format!("{start} + {last} * {step}"));
                        let step = self.declare(elem, "x", &format!("-{step}"));
                        make(Source::Iota { start, step })
                    }
                    fill @ Source::Fill(_) => make(fill),
                }
            }
            Exp::Concat { arrays, .. } => {
                let own = self.allocate(elem, &shape, Some(var))?;
                let mut offset = ZERO.to_owned();
                for part in arrays {
                    let part = self.array(*part)?;
                    let Source::Memory(view) = &own.source else { continue };
                    let start = plus(&view.offset, &times(&offset, &view.strides[0]));
                    let start = self.declare(ScalarType::I64, "o", &start);
                    let window = View { offset: start, ..view.clone() };
                    let window = Array { elem, shape: part.shape.clone(), source: Source::Memory(window) };
                    self.copy(&window, &part)?;
                    let size = self.dim(part.shape[0])?;
                    offset = self.declare(ScalarType::I64, "o", &plus(&offset, &size));
                }
                Value::Array(own)
            }
            Exp::Copy(array) => {
                let array = self.array(*array)?;
                Value::Array(self.materialise(&array, Some(var))?)
            }
            _ => return Err(self.unsupported("an array expression", "code for it")),
        })
    }
}

/// The array in every row of new outer dimensions: their strides are zero.
fn widened(inner: &Array, outer: usize) -> Source {
    match &inner.source {
        Source::Memory(view) => {
            let strides = std::iter::repeat_n(ZERO.to_owned(), outer).chain(view.strides.iter().cloned()).collect();
            Source::Memory(View { strides, packed: false, ..view.clone() })
        }
        other => other.clone(),
    }
}

/// An index at the integer type of an iota.
fn convert_index(elem: ScalarType, index: &str) -> String {
    if elem == ScalarType::I64 { index.to_owned() } else { format!("int({index})") }
}
