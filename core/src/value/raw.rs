//! Values as bytes of this machine: elements row by row, a bool as one byte.

use super::{Array, Column, Elem, Value, count};
use crate::prim::ScalarType;
use bytemuck::{AnyBitPattern, NoUninit, Zeroable, cast_slice, cast_slice_mut, zeroed_vec};
use half::f16;
use std::convert::Infallible;

/// The value of this type and shape, a scalar where that has no dimension, with these elements. None if they are not as many.
pub fn value(elem: ScalarType, shape: &[usize], bytes: &[u8]) -> Option<Value> {
    let fill = |room: &mut [u8]| {
        room.copy_from_slice(bytes);
        Ok::<(), Infallible>(())
    };
    match count(shape).checked_mul(elem.bytes()) == Some(bytes.len()) {
        true => filled(elem, shape, fill).ok(),
        false => None,
    }
}

/// The value of this type and shape whose elements are what a function writes: all are zero before.
///
/// # Errors
/// Those of the function.
///
/// # Panics
/// When there is no memory for so many elements.
pub fn filled<E>(elem: ScalarType, shape: &[usize], fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Value, E> {
    fn column<T: Elem + NoUninit + AnyBitPattern + Zeroable, E>(
        n: usize,
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Column, E> {
        let mut xs = zeroed_vec::<T>(n);
        fill(cast_slice_mut(&mut xs))?;
        Ok(T::column(xs))
    }
    let n = count(shape);
    let column = match elem {
        ScalarType::I8 => column::<i8, E>(n, fill),
        ScalarType::I16 => column::<i16, E>(n, fill),
        ScalarType::I32 => column::<i32, E>(n, fill),
        ScalarType::I64 => column::<i64, E>(n, fill),
        ScalarType::U8 => column::<u8, E>(n, fill),
        ScalarType::U16 => column::<u16, E>(n, fill),
        ScalarType::U32 => column::<u32, E>(n, fill),
        ScalarType::U64 => column::<u64, E>(n, fill),
        ScalarType::F16 => column::<f16, E>(n, fill),
        ScalarType::F32 => column::<f32, E>(n, fill),
        ScalarType::F64 => column::<f64, E>(n, fill),
        ScalarType::Bool => {
            let mut bytes = vec![0; n];
            fill(&mut bytes).map(|()| bool::column(bytes.into_iter().map(|byte| byte != 0).collect()))
        }
    }?;
    Ok(match shape {
        [] => Array::new(&[1], column).get(0).into(),
        shape => Array::new(shape, column).into(),
    })
}

/// Gives the bytes of a value's elements.
pub fn with_bytes<R>(value: &Value, f: impl FnOnce(&[u8]) -> R) -> R {
    match value {
        Value::Array(array) => f(bytes(array)),
        Value::Scalar(x) => f(bytes(&Array::filled(&[1], *x))),
    }
}

/// The bytes of an array's elements.
pub fn bytes(array: &Array) -> &[u8] {
    fn slice<T: Elem + NoUninit>(array: &Array) -> &[u8] {
        cast_slice(array.slice::<T>().unwrap_or_default())
    }
    match array.elem() {
        ScalarType::I8 => slice::<i8>(array),
        ScalarType::I16 => slice::<i16>(array),
        ScalarType::I32 => slice::<i32>(array),
        ScalarType::I64 => slice::<i64>(array),
        ScalarType::U8 => slice::<u8>(array),
        ScalarType::U16 => slice::<u16>(array),
        ScalarType::U32 => slice::<u32>(array),
        ScalarType::U64 => slice::<u64>(array),
        ScalarType::F16 => slice::<f16>(array),
        ScalarType::F32 => slice::<f32>(array),
        ScalarType::F64 => slice::<f64>(array),
        ScalarType::Bool => slice::<bool>(array),
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::parse_values;
    use super::*;

    #[test]
    fn bytes_come_back() {
        let texts =
            ["[1i8, -2i8]", "3u16", "[[1.5, 2.0], [0.0, -1.0]]", "[true, false]", "true", "1.5f16", "empty([0][3]i64)"];
        for text in texts {
            let all = parse_values(text).unwrap();
            let back = with_bytes(&all[0], |bytes| value(all[0].elem(), all[0].shape(), bytes));
            assert_eq!(back.map(|v| v.to_string()), Some(all[0].to_string()), "{text}");
        }
        // rows are views
        let Value::Array(rows) = &parse_values("[[1u8, 2u8], [3u8, 4u8]]").unwrap()[0] else { panic!("an array") };
        assert_eq!(with_bytes(&rows.row(1), <[u8]>::to_vec), [3, 4]);
        assert!(value(ScalarType::I32, &[2], &[0; 7]).is_none());
        assert_eq!(filled(ScalarType::I32, &[2], |_| Err("no")), Err("no"));
    }
}
