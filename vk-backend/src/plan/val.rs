//! Values of the host program.

use crate::device::Memory;
use crate::recording::Range;
use futi_core::failure::{FailureKind, RuntimeError, elements};
use futi_core::ir::{Scalar, ScalarType};
use std::sync::Arc;

/// An array, or a scalar, in device memory: row-major.
#[derive(Clone, Debug)]
pub struct DeviceArray {
    /// The type of the elements.
    pub elem: ScalarType,
    /// The shape; empty for a scalar.
    pub shape: Vec<i64>,
    /// Where the elements are.
    pub range: Range,
    /// What keeps them there.
    pub memory: Arc<Memory>,
}

/// A value of the host program.
#[derive(Clone, Debug)]
pub enum Val {
    /// A scalar that the host has.
    Scalar(Scalar),
    /// A scalar in device memory, and its value if the host has looked.
    Cell(DeviceArray, Option<Scalar>),
    /// An array.
    Array(DeviceArray),
}

/// The value of an integer or boolean.
pub(super) fn integer(x: Scalar) -> i64 {
    // mutant: it is asked about integers and booleans only, which the types of indices, sizes and bounds are
    x.to_int().unwrap_or(0) as i64
}

/// The failure of an array with too many elements.
pub(super) fn too_large() -> RuntimeError {
    RuntimeError::new(FailureKind::Memory, "an array has more elements than can be counted")
}

/// The number of elements of that shape.
pub(super) fn product(shape: &[i64]) -> Result<i64, RuntimeError> {
    match shape.iter().find(|n| **n < 0) {
        Some(_) if shape.contains(&0) => Ok(0),
        Some(n) => Err(RuntimeError::new(FailureKind::NegativeSize, format!("size of array is negative: {n}"))),
        None => elements(shape).ok_or_else(too_large),
    }
}

/// The bytes of an array.
pub(super) fn bytes_of(elem: ScalarType, shape: &[i64]) -> Result<u64, RuntimeError> {
    let count = product(shape)?;
    let bytes = count.checked_mul(elem.bytes() as i64).ok_or_else(too_large)?;
    u64::try_from(bytes).map_err(|_| RuntimeError::internal(format!("an array of shape {shape:?}")))
}

/// The row at these indices, or the element as an array of no dimensions.
pub(super) fn row(array: &DeviceArray, indices: &[i64]) -> Result<DeviceArray, RuntimeError> {
    let outside = || RuntimeError::internal(format!("index {indices:?} of an array of shape {:?}", array.shape));
    let (outer, shape) = array.shape.split_at_checked(indices.len()).ok_or_else(outside)?;
    let len = bytes_of(array.elem, shape)?;
    let mut position = 0i64;
    for (i, n) in indices.iter().zip(outer) {
        // mutant off by one: indices are looked at by a check of their own before, in the program; this one is against faults of the compiler
        if !(0..*n).contains(i) {
            return Err(outside());
        }
        position = position * n + i;
    }
    let range = Range::new(array.range.start + position as u64 * len, len);
    Ok(DeviceArray { elem: array.elem, shape: shape.to_vec(), range, memory: array.memory.clone() })
}

/// The scalar whose bytes these are.
pub fn scalar_from_bytes(elem: ScalarType, bytes: &[u8]) -> Scalar {
    let mut word = [0; 8];
    let n = bytes.len().min(elem.bytes());
    word[..n].copy_from_slice(&bytes[..n]);
    Scalar::from_bits(elem, u64::from_le_bytes(word))
}
