//! How large arrays are that only a run knows.

use futi_core::failure::{FailureKind, RuntimeError, elements};
use futi_core::prim::ScalarType;

/// The failure of an array with too many elements.
fn too_large() -> RuntimeError {
    RuntimeError::new(FailureKind::Memory, "an array has more elements than can be counted")
}

/// The number of elements of that shape.
pub(super) fn product(shape: &[i64]) -> Result<u64, RuntimeError> {
    match shape.iter().find(|n| **n < 0) {
        Some(_) if shape.contains(&0) => Ok(0),
        Some(n) => Err(RuntimeError::new(FailureKind::NegativeSize, format!("size of array is negative: {n}"))),
        None => elements(shape).map(|n| n as u64).ok_or_else(too_large),
    }
}

/// The number of elements of memory for that shape, where what is negative counts as zero; their bytes can be counted.
pub(super) fn allocated(elem: ScalarType, shape: &[i64]) -> Result<u64, RuntimeError> {
    let shape: Vec<i64> = shape.iter().map(|n| (*n).max(0)).collect();
    let count = product(&shape)?;
    match i64::try_from(count).ok().and_then(|n| n.checked_mul(elem.bytes() as i64)) {
        Some(_) => Ok(count),
        None => Err(too_large()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_or_refused() {
        let said = |result: Result<u64, RuntimeError>| result.map_err(|e| e.message);
        assert_eq!(product(&[]), Ok(1));
        assert_eq!(product(&[3, 4]), Ok(12));
        assert_eq!(product(&[1 << 40, 0, -1]), Ok(0));
        assert_eq!(said(product(&[2, -3])), Err("size of array is negative: -3".into()));
        assert_eq!(allocated(ScalarType::F64, &[2, -3]), Ok(0));
        // 2^32 · 2^31 is no i64; of 2^60 elements of 8 bytes the bytes are none
        let large = "an array has more elements than can be counted";
        assert_eq!(said(product(&[1 << 32, 1 << 31])), Err(large.into()));
        assert_eq!(allocated(ScalarType::U8, &[1 << 60]), Ok(1 << 60));
        assert_eq!(said(allocated(ScalarType::F64, &[1 << 60])), Err(large.into()));
    }
}
