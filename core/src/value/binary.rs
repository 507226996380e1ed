//! Futhark's binary data format, version 2 (futhark-compat.md §5.3): for each value
//!
//! ```text
//! 'b'  version: u8 = 2  rank: u8  type: 4 bytes, right-aligned  rank × dimension: u64  elements, row by row
//! ```
//!
//! with all numbers little-endian and a boolean a byte, 0 or 1. White space and `--` comments may stand before a value.

use super::{Array, Column, Value};
use crate::prim::{Scalar, ScalarType};
use std::fmt;

/// The version that is written, and the only one that is read.
const VERSION: u8 = 2;

/// Where and why bytes are not values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BinaryError {
    /// The position, from 0.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}
impl std::error::Error for BinaryError {}

/// The values, one behind the other.
pub fn write_values(values: &[Value]) -> Vec<u8> {
    let mut out = Vec::new();
    for value in values {
        out.extend([b'b', VERSION, value.shape().len() as u8]);
        out.extend(format!("{:>4}", value.elem().name()).bytes());
        value.shape().iter().for_each(|n| out.extend((*n as u64).to_le_bytes()));
        let bytes = value.elem().bytes();
        value.elements().for_each(|x| out.extend(&x.bits().to_le_bytes()[..bytes]));
    }
    out
}

/// All values in these bytes.
///
/// # Errors
/// The first place that is not as the format wants it.
pub fn read_values(bytes: &[u8]) -> Result<Vec<Value>, BinaryError> {
    let mut reader = Reader { bytes, offset: 0 };
    let mut values = Vec::new();
    loop {
        reader.skip_blank();
        if reader.offset == bytes.len() {
            return Ok(values);
        }
        values.push(reader.value()?);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn skip_blank(&mut self) {
        while let Some(byte) = self.bytes.get(self.offset) {
            if self.bytes[self.offset..].starts_with(b"--") {
                let line = self.bytes[self.offset..].iter().position(|b| *b == b'\n');
                self.offset = line.map_or(self.bytes.len(), |n| self.offset + n);
            } else if byte.is_ascii_whitespace() {
                self.offset += 1;
            } else {
                return;
            }
        }
    }

    fn fail<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, BinaryError> {
        Err(BinaryError { offset, message: message.into() })
    }

    fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8], BinaryError> {
        let Some(taken) = self.offset.checked_add(n).and_then(|end| self.bytes.get(self.offset..end)) else {
            return self.fail(self.bytes.len(), format!("the data ends inside of {what}"));
        };
        self.offset += n;
        Ok(taken)
    }

    fn value(&mut self) -> Result<Value, BinaryError> {
        let start = self.offset;
        let head = self.take(7, "the head of a value")?;
        if head[0] != b'b' {
            return self.fail(start, format!("a value begins with `b`, not with {:#04x}", head[0]));
        }
        if head[1] != VERSION {
            return self.fail(start + 1, format!("version {} of the format is not known", head[1]));
        }
        let name = String::from_utf8_lossy(&head[3..]).into_owned();
        let Some(elem) = ScalarType::from_name(name.trim_start()).filter(|_| !name.ends_with(' ')) else {
            return self.fail(start + 3, format!("`{name}` is no type"));
        };
        let mut shape = Vec::new();
        let mut count = Some(1usize);
        for _ in 0..head[2] {
            let bytes = self.take(8, "a dimension")?;
            let n = bytes.iter().rev().fold(0, |n, b| n << 8 | *b as u64);
            let Ok(n) = usize::try_from(n) else {
                return self.fail(self.offset - 8, format!("a dimension of {n} elements"));
            };
            count = count.and_then(|c| c.checked_mul(n));
            shape.push(n);
        }
        // before anything is allocated: a head may claim what it likes
        let Some(size) = count.and_then(|c| c.checked_mul(elem.bytes())) else {
            return self.fail(start, "an array larger than memory".to_string());
        };
        let at = self.offset;
        let elements = self.take(size, "the elements")?.chunks_exact(elem.bytes());
        if let (ScalarType::Bool, Some(i)) = (elem, elements.clone().position(|b| b[0] > 1)) {
            return self.fail(at + i, "a boolean is 0 or 1".to_string());
        }
        let mut scalars = elements.map(|b| {
            let bits = b.iter().rev().fold(0, |bits, b| bits << 8 | *b as u64);
            Scalar::from_bits(elem, bits)
        });
        if shape.is_empty() {
            return Ok(Value::Scalar(scalars.next().unwrap_or(elem.zero())));
        }
        match Column::from_scalars(elem, scalars) {
            Some(column) => Ok(Value::Array(Array::new(&shape, column))),
            None => self.fail(start, "elements of another type".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::text::parse_values;

    fn text(values: &[Value]) -> String {
        values.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The bytes written by Futhark 0.25.32: `futhark dataset -b`, for the text beside them.
    #[test]
    fn futhark_writes_the_same_bytes() {
        let cases: [(&str, &[u8]); 6] = [
            ("1337i64", b"b\x02\x00 i64\x39\x05\0\0\0\0\0\0"),
            ("[1.0f16, 2.0f16]", b"b\x02\x01 f16\x02\0\0\0\0\0\0\0\x00\x3c\x00\x40"),
            ("empty([0][3]bool)", b"b\x02\x02bool\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"),
            ("[[true, false]]", b"b\x02\x02bool\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x01\x00"),
            ("-2i8 200u8 -3i16 65535u16", b"b\x02\0  i8\xfeb\x02\0  u8\xc8b\x02\0 i16\xfd\xffb\x02\0 u16\xff\xff"),
            (
                "-1i32 7u32 9u64 1.5f32 -2.0f64",
                b"b\x02\0 i32\xff\xff\xff\xffb\x02\0 u32\x07\0\0\0b\x02\0 u64\x09\0\0\0\0\0\0\0b\x02\0 f32\0\0\xc0\x3fb\x02\0 f64\0\0\0\0\0\0\0\xc0",
            ),
        ];
        for (values, bytes) in cases {
            assert_eq!(write_values(&parse_values(values).unwrap()), bytes, "{values}");
            assert_eq!(text(&read_values(bytes).unwrap()), values);
        }
    }

    #[test]
    fn every_type_reads_back() {
        for t in ScalarType::ALL {
            for shape in [&[][..], &[3], &[2, 2], &[0, 4]] {
                let n: usize = shape.iter().product();
                let xs = (0..n).map(|i| {
                    if t == ScalarType::Bool { Scalar::Bool(i % 2 == 1) } else { Scalar::from_i64(t, i as i64 - 1) }
                });
                let value = match shape {
                    [] => Value::Scalar(t.one()),
                    _ => Value::Array(Array::new(shape, Column::from_scalars(t, xs).unwrap())),
                };
                let back = read_values(&write_values(&[value.clone(), value.clone()])).unwrap();
                assert_eq!(back, [value.clone(), value], "{t}");
            }
        }
        // the bits of a float, not only its value
        let nan = Value::Scalar(Scalar::from_bits(ScalarType::F32, 0x7fc0_1234));
        let back = read_values(&write_values(&[nan])).unwrap();
        assert_eq!(back[0].as_scalar().map(Scalar::bits), Some(0x7fc0_1234));
    }

    #[test]
    fn white_space_and_comments_may_stand_between() {
        let bytes = b" \n-- one\nb\x02\0  u8\x01 -- two\n b\x02\0  u8\x02\n-- end";
        assert_eq!(text(&read_values(bytes).unwrap()), "1u8 2u8");
        assert_eq!(read_values(b"").unwrap(), []);
    }

    #[test]
    fn bad_bytes_are_refused_with_their_place() {
        let error = |bytes: &[u8]| read_values(bytes).unwrap_err().to_string();
        assert_eq!(error(b"  12"), "byte 4: the data ends inside of the head of a value");
        assert_eq!(error(b" 1337i64"), "byte 1: a value begins with `b`, not with 0x31");
        assert_eq!(error(b"b\x01\0 i64\0\0\0\0\0\0\0\0"), "byte 1: version 1 of the format is not known");
        assert_eq!(error(b"b\x02\0 i65\0\0\0\0\0\0\0\0"), "byte 3: ` i65` is no type");
        assert_eq!(error(b"b\x02\0i64 \0\0\0\0\0\0\0\0"), "byte 3: `i64 ` is no type");
        assert_eq!(error(b"b\x02\0 i32\0\0"), "byte 9: the data ends inside of the elements");
        assert_eq!(error(b"b\x02\x01 i32\0\0"), "byte 9: the data ends inside of a dimension");
        assert_eq!(error(b"b\x02\0bool\x02"), "byte 7: a boolean is 0 or 1");
        assert_eq!(
            error(b"b\x02\x01  u8\xff\xff\xff\xff\xff\xff\xff\x7f\0"),
            "byte 16: the data ends inside of the elements"
        );
        let huge = [b"b\x02\x02 i64".as_slice(), &[0xff; 16]].concat();
        assert_eq!(error(&huge), "byte 0: an array larger than memory");
        let huge = [b"b\x02\x01 i64".as_slice(), &[0xff; 8]].concat();
        assert_eq!(error(&huge), "byte 0: an array larger than memory");
    }
}
