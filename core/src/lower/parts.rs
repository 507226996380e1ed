//! Parts of values: fields, what constructors hold, elements and slices, and the same values with other parts.

use super::Lowerer;
use super::value::{Closure, Scope, Shape, Slots, Val, is_open, tag_type};
use crate::ir::build::reduce_exp;
use crate::ir::*;
use crate::types::ty::{Type as SourceType, field_position};
use crate::types::typed::{Access, Expr, Index};
use std::rc::Rc;

/// The position of a field.
fn position(ty: &SourceType, name: &str) -> usize {
    let SourceType::Record(fields) = ty else { panic!("internal error: a field of a {ty}") };
    match field_position(fields, name) {
        Some(i) => i,
        None => panic!("internal error: no field {name} in {ty}"),
    }
}

/// A field of a record of this type.
pub fn field_of(value: &Val, ty: &SourceType, name: &str) -> Val {
    match value {
        Val::Tuple(vs) => vs[position(ty, name)].clone(),
        v => panic!("internal error: field {name} of {v:?}"),
    }
}

/// A step of the path to a part, evaluated.
pub enum Step {
    /// A field.
    Field(crate::types::ty::Name),
    /// Indices.
    Indices(Vec<Place>),
}

/// One index, evaluated.
#[derive(Clone)]
pub enum Place {
    /// One element.
    At(SubExp),
    /// Start, end and stride, as far as they are there.
    Slice([Option<SubExp>; 3]),
}

impl Lowerer<'_> {
    // Sums.

    /// The number of a constructor, and the shapes of what all of them hold.
    fn constructor(&mut self, ty: &SourceType, name: &str, scope: &mut Scope) -> (usize, Vec<Vec<Shape>>) {
        let (SourceType::Sum(constructors), Shape::Sum(shapes)) = (ty, self.shape(ty, scope)) else {
            panic!("internal error: #{name} of {ty}")
        };
        match constructors.iter().position(|c| &*c.0 == name) {
            Some(i) => (i, shapes),
            None => panic!("internal error: no constructor #{name} in {ty}"),
        }
    }

    /// A constructor and what it holds. The places that it does not use are zero.
    pub fn construct(&mut self, name: &str, args: Vec<Val>, ty: &SourceType, scope: &mut Scope) -> Val {
        let (number, shapes) = self.constructor(ty, name, scope);
        if shapes.iter().flatten().any(Shape::has_function) {
            return Val::Made(
                number,
                args.into_iter().zip(&shapes[number]).map(|(v, shape)| self.coerce(v, shape)).collect(),
            );
        }
        let slots = Slots::of(&shapes);
        let held: Vec<SubExp> =
            args.into_iter().zip(&shapes[number]).flat_map(|(v, shape)| self.coerce(v, shape).leaves()).collect();
        let tag = Scalar::from_i64(tag_type(&shapes), number as i64);
        let mut leaves = vec![Val::Leaf(tag.into())];
        for (place, ty) in slots.types.iter().enumerate() {
            let used = slots.places[number].iter().position(|p| *p == place);
            leaves.push(Val::Leaf(match used {
                Some(i) => held[i],
                None => self.zero_of(ty),
            }));
        }
        Val::Tuple(leaves)
    }

    /// Whether a value is made by a constructor.
    pub fn is_constructor(&mut self, value: &Val, ty: &SourceType, name: &str) -> SubExp {
        let SourceType::Sum(constructors) = ty else { panic!("internal error: #{name} of {ty}") };
        let number = constructors.iter().position(|c| &*c.0 == name).unwrap_or(0);
        self.is_number(value, number)
    }

    fn is_number(&mut self, value: &Val, number: usize) -> SubExp {
        if let Val::Made(own, _) = value {
            return Scalar::Bool(*own == number).into();
        }
        let tag = value.leaves()[0];
        let t = self.vars.type_of(tag).elem().unwrap_or(ScalarType::U8);
        self.prim(Prim::Cmp(CmpOp::Eq, t), &[tag, Scalar::from_i64(t, number as i64).into()])
    }

    /// What a constructor holds in a value; if it was not made by it, anything.
    pub fn held(&mut self, value: &Val, ty: &SourceType, name: &str, scope: &mut Scope) -> Vec<Val> {
        let (number, shapes) = self.constructor(ty, name, scope);
        held(value, number, &shapes)
    }

    /// Zero, or an array of zeros: of none where a dimension is open.
    pub fn zero_of(&mut self, ty: &Type) -> SubExp {
        let zero: SubExp = ty.elem().unwrap_or(ScalarType::Bool).zero().into();
        let shape: Vec<Dim> = ty.shape().iter().map(|d| if is_open(*d) { Dim::Const(0) } else { *d }).collect();
        if shape.is_empty() {
            return zero;
        }
        self.emit("zero", Exp::Replicate { shape, value: zero })[0].into()
    }

    /// A value of zeros.
    pub fn zero(&mut self, shape: &Shape) -> Val {
        let leaves: Vec<SubExp> = shape.leaves().iter().map(|t| self.zero_of(t)).collect();
        shape.value(&mut leaves.into_iter())
    }

    /// The value, which is there only if a check has passed; of a function, its results.
    pub fn relying_on(&mut self, cert: Var, value: Val) -> Val {
        match value {
            Val::Leaf(e) => Val::Leaf(self.certified("v", Exp::SubExp(e), vec![cert]).into()),
            Val::Tuple(vs) => Val::Tuple(vs.into_iter().map(|v| self.relying_on(cert, v)).collect()),
            Val::Made(n, vs) => Val::Made(n, vs.into_iter().map(|v| self.relying_on(cert, v)).collect()),
            Val::Fun(closure) => {
                let certs = [&closure.certs[..], &[cert]].concat();
                Val::Fun(Rc::new(Closure { certs, ..(*closure).clone() }))
            }
        }
    }

    // Equality.

    /// Whether two values of this type are equal.
    pub fn equal(&mut self, a: &Val, b: &Val, shape: &Shape) -> SubExp {
        match shape {
            Shape::Scalar(t) => self.prim(Prim::Cmp(CmpOp::Eq, *t), &[a.scalar(), b.scalar()]),
            Shape::Record(shapes) if shapes.is_empty() => Scalar::Bool(true).into(),
            Shape::Record(shapes) => {
                let (Val::Tuple(xs), Val::Tuple(ys)) = (a, b) else { panic!("internal error: {a:?} == {b:?}") };
                let parts = xs.iter().zip(ys).zip(shapes).map(|((x, y), s)| self.equal(x, y, s)).collect();
                self.all(parts)
            }
            Shape::Sum(constructors) => {
                let (x, y) = (a.leaves()[0], b.leaves()[0]);
                let mut parts = vec![self.prim(Prim::Cmp(CmpOp::Eq, tag_type(constructors)), &[x, y])];
                for (number, shapes) in constructors.iter().enumerate().filter(|(_, shapes)| !shapes.is_empty()) {
                    let pairs = held(a, number, constructors).into_iter().zip(held(b, number, constructors));
                    let same = pairs.zip(shapes).map(|((x, y), s)| self.equal(&x, &y, s)).collect();
                    let same = self.all(same);
                    let made = self.is_number(a, number);
                    let other = self.prim(Prim::Un(UnOp::Not, ScalarType::Bool), &[made]);
                    parts.push(self.prim(Prim::Bin(BinOp::Or, ScalarType::Bool), &[other, same]));
                }
                self.all(parts)
            }
            Shape::Array(n, elem) => {
                let arrays: Vec<Var> = [a, b]
                    .into_iter()
                    .flat_map(|v| self.coerce(v.clone(), shape).leaves())
                    .filter_map(|e| e.as_var())
                    .collect();
                let yes = Shape::Scalar(ScalarType::Bool);
                let map =
                    self.lambda(&[("x", elem), ("y", elem)], &yes, |l, vs| Val::Leaf(l.equal(&vs[0], &vs[1], elem)));
                let and = Prim::Bin(BinOp::And, ScalarType::Bool);
                let op = self.lambda(&[("x", &yes), ("y", &yes)], &yes, |l, vs| {
                    Val::Leaf(l.prim(and, &[vs[0].scalar(), vs[1].scalar()]))
                });
                let op = Operator { lambda: op, neutral: vec![Scalar::Bool(true).into()], commutative: true };
                self.emit("equal", reduce_exp(*n, arrays, map, vec![op]))[0].into()
            }
            Shape::Acc | Shape::Fun => panic!("internal error: {shape:?} is compared"),
        }
    }

    fn all(&mut self, parts: Vec<SubExp>) -> SubExp {
        let and = Prim::Bin(BinOp::And, ScalarType::Bool);
        parts.into_iter().reduce(|a, b| self.prim(and, &[a, b])).unwrap_or(Scalar::Bool(true).into())
    }

    // Elements and slices.

    /// The steps of a path, their indices evaluated.
    pub fn steps(&mut self, path: &[Access], scope: &mut Scope) -> Vec<Step> {
        let one = |access: &Access| match access {
            Access::Field(name) => Step::Field(name.clone()),
            Access::Index(indices) => Step::Indices(self.places(indices, scope)),
        };
        path.iter().map(one).collect()
    }

    fn places(&mut self, indices: &[Index], scope: &mut Scope) -> Vec<Place> {
        let mut one = |index: &Index| match index {
            Index::At(e) => Place::At(self.index_operand(e, scope)),
            Index::Slice(parts, _) => {
                let mut part = |e: &Option<Expr>| e.as_ref().map(|e| self.index_operand(e, scope));
                Place::Slice([part(&parts[0]), part(&parts[1]), part(&parts[2])])
            }
        };
        indices.iter().map(&mut one).collect()
    }

    /// An index, as an `i64`.
    fn index_operand(&mut self, e: &Expr, scope: &mut Scope) -> SubExp {
        let index = self.expr(e, scope).scalar();
        match self.vars.type_of(index).elem() {
            Some(t) if t != ScalarType::I64 => self.prim(Prim::Conv(t, ScalarType::I64), &[index]),
            _ => index,
        }
    }

    /// `array[indices]`, of type `ty`.
    pub fn index(&mut self, array: Val, indices: &[Index], ty: &SourceType, scope: &mut Scope) -> Val {
        let places = self.places(indices, scope);
        let Some(shape) = self.dims(&array, places.len()) else { return array };
        let (slice, cert, counts) = self.slice(&places, &shape);
        let mut counts = counts.into_iter();
        for index in indices {
            if let Index::Slice(_, ext) = index
                && let Some(count) = counts.next()
                && let Some(id) = ext
            {
                scope.bind(id, Val::Leaf(count.into()));
            }
        }
        let value = self.part(&array, &slice, cert);
        if value.leaves().iter().all(|e| self.vars.type_of(*e).shape().is_empty()) {
            return value;
        }
        let shape = self.shape(ty, scope);
        self.coerce(value, &shape)
    }

    /// The first dimensions of the arrays of a value; `None` if there are none.
    fn dims(&self, value: &Val, n: usize) -> Option<Vec<Dim>> {
        let first = *value.leaves().first()?;
        Some(self.vars.type_of(first).shape()[..n].to_vec())
    }

    /// What indices mean in dimensions of these sizes, with the check that they are in range, and the numbers of elements of the slices among them.
    fn slice(&mut self, places: &[Place], sizes: &[Dim]) -> (Vec<SliceDim>, Vec<Var>, Vec<Dim>) {
        let (mut slice, mut certs, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let fixed: Vec<(SubExp, Dim)> = (places.iter().zip(sizes))
            .filter_map(|(p, size)| if let Place::At(i) = p { Some((*i, *size)) } else { None })
            .collect();
        if !fixed.is_empty() {
            let (indices, sizes) = fixed.into_iter().unzip();
            certs.extend(self.emit("bounds", Exp::Check(Check::Bounds { indices, sizes })));
        }
        for (place, size) in places.iter().zip(sizes) {
            slice.push(match place {
                Place::At(i) => SliceDim::Fix(*i),
                Place::Slice([None, None, None]) => {
                    counts.push(*size);
                    SliceDim::Range { start: SubExp::i64(0), count: *size, stride: SubExp::i64(1) }
                }
                Place::Slice([start, end, stride]) => {
                    let (start, end, stride, count) = self.range_of(*start, *end, *stride, *size);
                    let check = Check::Slice { start, end, stride, size: *size };
                    certs.extend(self.emit("bounds", Exp::Check(check)));
                    counts.push(count);
                    SliceDim::Range { start, count, stride }
                }
            });
        }
        (slice, certs, counts)
    }

    /// Start, end and stride of a slice with what is left out, and the number of its elements.
    fn range_of(
        &mut self,
        start: Option<SubExp>,
        end: Option<SubExp>,
        stride: Option<SubExp>,
        size: Dim,
    ) -> (SubExp, SubExp, SubExp, Dim) {
        let stride = stride.unwrap_or(SubExp::i64(1));
        // Backwards, it starts at the end.
        let backwards = match stride.as_lit() {
            Some(x) => Prim::Cmp(CmpOp::Lt, ScalarType::I64).eval(&[x, Scalar::I64(0)]).into(),
            None => self.prim(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[stride, SubExp::i64(0)]),
        };
        let either = |l: &mut Self, given: Option<SubExp>, back: &dyn Fn(&mut Self) -> SubExp, forth: SubExp| {
            given.unwrap_or_else(|| match backwards {
                SubExp::Lit(Scalar::Bool(true)) => back(l),
                SubExp::Lit(_) => forth,
                cond => {
                    let yes = l.inner(|l| vec![back(l)]);
                    let no = Body { stms: Vec::new(), result: vec![forth] };
                    let binder = l.vars.fresh("i", Type::I64);
                    let var = binder.var;
                    l.bind(vec![binder], Exp::If { cond, yes, no }, Vec::new());
                    var.into()
                }
            })
        };
        let last = |l: &mut Self| l.arithmetic(BinOp::Sub, &[size.into(), SubExp::i64(1)]);
        let start = either(self, start, &last, SubExp::i64(0));
        let end = either(self, end, &|_| SubExp::i64(-1), size.into());
        let distance = self.arithmetic(BinOp::Sub, &[end, start]);
        let count = if stride == SubExp::i64(1) {
            distance
        } else {
            // ceil(distance / stride); the least stride cannot be negated, the distance of a slice that fits can
            let back = self.arithmetic(BinOp::Sub, &[SubExp::i64(0), distance]);
            let steps = self.arithmetic(BinOp::Div, &[back, stride]);
            self.arithmetic(BinOp::Sub, &[SubExp::i64(0), steps])
        };
        (start, end, stride, Dim::from_subexp(count).unwrap_or(size))
    }

    fn part(&mut self, array: &Val, slice: &[SliceDim], certs: Vec<Var>) -> Val {
        let indices = fixed(slice);
        let mut rows = Vec::new();
        for leaf in array.leaves() {
            let Some(array) = leaf.as_var() else { continue };
            let name = self.vars.name(array).clone();
            let exp = match &indices {
                Some(indices) => Exp::Index { array, indices: indices.clone() },
                None => {
                    let rank = self.vars.ty(array).rank();
                    let rest = self.vars.ty(array).shape()[slice.len()..rank].to_vec();
                    let whole = |count| SliceDim::Range { start: SubExp::i64(0), count, stride: SubExp::i64(1) };
                    Exp::Slice { array, slice: slice.iter().cloned().chain(rest.into_iter().map(whole)).collect() }
                }
            };
            rows.push(self.certified(name.as_str(), exp, certs.clone()).into());
        }
        array.with(&mut rows.into_iter())
    }

    // Updates.

    /// A value with another one at the end of a path.
    pub fn updated(&mut self, whole: Val, ty: &SourceType, path: &[Step], value: Val) -> Val {
        self.updated_at(whole, ty, &[], path, value)
    }

    /// The same in elements of arrays: `ty` is the type of an element. A field of an array of records is an array, so that the indices of a path come together.
    fn updated_at(&mut self, whole: Val, ty: &SourceType, places: &[Place], path: &[Step], value: Val) -> Val {
        match path {
            // of an array, or of a record, whose sizes are the new value's own
            [] if places.is_empty() => value,
            [] => {
                let Some(shape) = self.dims(&whole, places.len()) else { return whole };
                let (slice, certs, _) = self.slice(places, &shape);
                self.written(&whole, &slice, certs, &value)
            }
            [Step::Field(name), rest @ ..] => {
                let at = position(ty, name);
                let (SourceType::Record(fields), Val::Tuple(mut vs)) = (ty, whole) else {
                    panic!("internal error: an update of {name} in {ty}")
                };
                vs[at] = self.updated_at(vs[at].clone(), &fields[at].1, places, rest, value);
                Val::Tuple(vs)
            }
            [Step::Indices(more), rest @ ..] => {
                let is_slice = |place: &Place| matches!(place, Place::Slice(_));
                if places.iter().any(is_slice) {
                    // positions in a slice: it is updated by itself, and written back
                    let Some(shape) = self.dims(&whole, places.len()) else { return whole };
                    let (slice, certs, _) = self.slice(places, &shape);
                    let part = self.part(&whole, &slice, certs.clone());
                    let part = self.each_array(&part, |l, array| l.emit("part", Exp::Copy(array))[0]);
                    let size = crate::types::ty::Size::Const(0);
                    let kept = places.iter().filter(|place| is_slice(place));
                    let ty = kept.fold(ty.clone(), |t, _| SourceType::array(size.clone(), t));
                    let part = self.updated_at(part, &ty, &[], path, value);
                    return self.written(&whole, &slice, certs, &part);
                }
                let mut elem = ty;
                for _ in more {
                    if let SourceType::Array(_, t) = elem {
                        elem = t;
                    }
                }
                self.updated_at(whole, elem, &[places, more].concat(), rest, value)
            }
        }
    }

    /// An array of each leaf with a part replaced.
    fn written(&mut self, whole: &Val, slice: &[SliceDim], certs: Vec<Var>, value: &Val) -> Val {
        let indices = fixed(slice);
        let mut arrays = Vec::new();
        for (leaf, value) in whole.leaves().into_iter().zip(value.leaves()) {
            let Some(array) = leaf.as_var() else { continue };
            let shape = self.vars.ty(array).shape()[slice.len()..].to_vec();
            let kept =
                slice.iter().filter_map(|d| if let SliceDim::Range { count, .. } = d { Some(*count) } else { None });
            let expected: Vec<Dim> = kept.chain(shape.iter().copied()).collect();
            let value = self.coerce_leaf(value, &expected);
            let name = self.vars.name(array).clone();
            let exp = match (&indices, value) {
                (Some(indices), value) => Exp::Update { array, indices: indices.clone(), value },
                (None, SubExp::Var(value)) => {
                    let whole = |count| SliceDim::Range { start: SubExp::i64(0), count, stride: SubExp::i64(1) };
                    let slice = slice.iter().cloned().chain(shape.into_iter().map(whole)).collect();
                    Exp::UpdateSlice { array, slice, value }
                }
                (None, SubExp::Lit(_)) => continue,
            };
            arrays.push(self.certified(name.as_str(), exp, certs.clone()).into());
        }
        whole.with(&mut arrays.into_iter())
    }
}

/// The indices, if there are no ranges.
fn fixed(slice: &[SliceDim]) -> Option<Vec<SubExp>> {
    slice.iter().map(|d| if let SliceDim::Fix(i) = d { Some(*i) } else { None }).collect()
}

fn held(value: &Val, number: usize, shapes: &[Vec<Shape>]) -> Vec<Val> {
    if let Val::Made(_, parts) = value {
        return parts.clone();
    }
    let slots = Slots::of(shapes);
    let leaves = value.leaves();
    let mut parts = slots.places[number].iter().map(|place| leaves[place + 1]);
    shapes[number].iter().map(|shape| shape.value(&mut parts)).collect()
}
