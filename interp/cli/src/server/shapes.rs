//! Parts of values, leaf by leaf.

use futi_core::value::{Array, Column, Value, count};

/// The part of a value at these indices.
///
/// # Errors
/// An index is out of bounds.
pub fn at(value: &Value, indices: &[usize]) -> Result<Value, String> {
    let mut part = value.clone();
    for (d, i) in indices.iter().enumerate() {
        part = match &part {
            Value::Array(array) if *i < array.shape()[0] => array.row(*i),
            Value::Array(array) => {
                return Err(format!("Index {i} is out of bounds for dimension {d} of size {}.", array.shape()[0]));
            }
            Value::Scalar(_) => return Err("There are more indices than dimensions.".into()),
        };
    }
    Ok(part)
}

/// The value with another one in the place of the part at these indices.
///
/// # Errors
/// An index is out of bounds; the other one has another type or shape than the part.
pub fn with(value: &Value, indices: &[usize], part: &Value) -> Result<Value, String> {
    let old = at(value, indices)?;
    if old.elem() != part.elem() || old.shape() != part.shape() {
        return Err("The value has another shape than what it is to replace.".into());
    }
    let before = indices.iter().zip(value.shape()).fold(0, |at, (i, n)| at * n + i) * count(part.shape());
    let mut elements: Vec<_> = value.elements().collect();
    for (place, x) in elements.iter_mut().skip(before).zip(part.elements()) {
        *place = x;
    }
    let column = Column::from_scalars(value.elem(), elements.into_iter());
    Ok(Array::new(value.shape(), column.ok_or("The elements are of several types.")?).into())
}

/// The array of these dimensions whose elements, row by row, are these values, of one type and shape.
///
/// # Errors
/// They are not as many, or of several types or shapes.
pub fn array(dims: &[usize], elements: &[Value]) -> Result<Value, String> {
    let Some(first) = elements.first() else { return Err("An array without elements has no shape of these.".into()) };
    if elements.len() != count(dims) {
        return Err(format!("The array has {} elements, but {} are given.", count(dims), elements.len()));
    }
    if elements.iter().any(|v| v.elem() != first.elem() || v.shape() != first.shape()) {
        return Err("The elements of an array have one type and one shape.".into());
    }
    let column = Column::from_scalars(first.elem(), elements.iter().flat_map(Value::elements));
    let shape = [dims, first.shape()].concat();
    Ok(Array::new(&shape, column.ok_or("The elements are of several types.")?).into())
}
