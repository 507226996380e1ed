//! Futhark's text format for values (futhark-compat.md §1.3): scalars with optional suffix (default `i32` and `f64`), nested `[…]`,
//! `empty([0][3]i32)`, `f32.nan`, `-f64.inf`, `0x` and `0b`, `_` in numbers, `"text"` (its bytes in UTF-8, of type `u8`), `--` comments.

use super::{Array, Column, Value, count};
use crate::prim::{Scalar, ScalarType};
use std::fmt;

/// Where and why text is not a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
impl std::error::Error for TextError {}

/// Arrays may nest this deep.
const MAX_DEPTH: usize = 512;

/// A scalar with or without its suffix.
pub fn parse_scalar(text: &str) -> Option<Scalar> {
    read_scalar(text, Range::Checked)
}

/// What becomes of an integer that its type does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// It is no value.
    Checked,
    /// Its low bits are the value.
    Wrapped,
}

fn read_scalar(text: &str, range: Range) -> Option<Scalar> {
    let body = text.strip_prefix('-').unwrap_or(text);
    let hex = body.starts_with("0x") || body.starts_with("0X");
    let suffix = ScalarType::ALL
        .into_iter()
        .find(|t| *t != ScalarType::Bool && body.ends_with(t.name()) && !(hex && t.is_float()));
    match (body, suffix) {
        ("true" | "false", _) if body.len() == text.len() => Some(Scalar::Bool(body == "true")),
        (_, Some(t)) => parse_number(&text[..text.len() - t.name().len()], t, range),
        _ if let Some(t) = special(body) => parse_number(text, t, range),
        _ if !hex && body.contains(['.', 'e', 'E']) => parse_number(text, ScalarType::F64, range),
        _ => parse_number(text, ScalarType::I32, range),
    }
}

/// The type of `f32.nan` or `f32.inf`.
fn special(text: &str) -> Option<ScalarType> {
    let (ty, name) = text.split_once('.')?;
    ScalarType::from_name(ty).filter(|t| t.is_float() && matches!(name, "nan" | "inf"))
}

/// A number without suffix at a type, if it can be written so.
fn parse_number(text: &str, ty: ScalarType, range: Range) -> Option<Scalar> {
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    let (negative, body) = clean.strip_prefix('-').map_or((false, clean.as_str()), |rest| (true, rest));
    let signed = |x: f64| Some(Scalar::from_f64(ty, if negative { -x } else { x }));
    if special(body) == Some(ty) {
        return if body.ends_with("inf") { signed(f64::INFINITY) } else { signed(f64::NAN) };
    }
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let radix = match body.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0b" | "0B") => 2,
        _ => 10,
    };
    let magnitude = if radix == 10 { body } else { &body[2..] };
    let digits = magnitude.starts_with(|c: char| c.is_digit(radix));
    match ty {
        ScalarType::Bool => None,
        // at once, not by way of f64: that would round twice
        ScalarType::F32 if radix == 10 => float_digits(body).then(|| clean.parse().ok()).flatten().map(Scalar::F32),
        _ if ty.is_float() && radix == 10 => float_digits(body).then(|| body.parse().ok()).flatten().and_then(signed),
        _ if !digits => None,
        _ => {
            // i128 holds every magnitude that an integer of either sign has
            let x = i128::from_str_radix(magnitude, radix).ok()?;
            let x = if negative { -x } else { x };
            match range {
                _ if ty.is_float() => signed(x.unsigned_abs() as f64),
                Range::Checked => Scalar::from_int(ty, x),
                Range::Wrapped => Some(Scalar::from_i64(ty, x as i64)),
            }
        }
    }
}

/// Whether Rust's float syntax reads it and it is digits, not `inf`.
fn float_digits(s: &str) -> bool {
    s.contains(|c: char| c.is_ascii_digit())
        && s.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'))
}

/// All values in a text, one after the other.
pub fn parse_values(text: &str) -> Result<Vec<Value>, TextError> {
    parse_values_as(text, &[])
}

/// All values in a text; numbers without suffix in the i-th take the i-th of these types, if they can be written so.
pub fn parse_values_as(text: &str, types: &[ScalarType]) -> Result<Vec<Value>, TextError> {
    read_values(text, types, Range::Checked)
}

/// The same, but an integer that its type does not hold wraps around, as Futhark's data files and test blocks have it.
pub fn parse_values_wrapping(text: &str, types: &[ScalarType]) -> Result<Vec<Value>, TextError> {
    read_values(text, types, Range::Wrapped)
}

fn read_values(text: &str, types: &[ScalarType], range: Range) -> Result<Vec<Value>, TextError> {
    let mut reader = Reader { text, pos: 0, expected: None, range };
    let mut values = Vec::new();
    loop {
        reader.skip_blank();
        if reader.rest().is_empty() {
            return Ok(values);
        }
        reader.expected = types.get(values.len()).copied();
        values.push(reader.value()?);
    }
}

struct Reader<'a> {
    text: &'a str,
    pos: usize,
    /// The type of numbers without suffix, if the caller knows.
    expected: Option<ScalarType>,
    range: Range,
}

/// The elements of an array while they are read: its shape is known from the first row on.
#[derive(Default)]
struct Elements {
    elem: Option<ScalarType>,
    scalars: Vec<Scalar>,
    /// Sizes of the inner dimensions by depth, once known.
    shape: Vec<Option<usize>>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.pos = self.text.len() - rest.len();
            if !rest.starts_with("--") {
                return;
            }
            self.pos += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, TextError> {
        let before = &self.text[..self.pos];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        Err(TextError { line, column, message: message.into() })
    }

    fn value(&mut self) -> Result<Value, TextError> {
        self.skip_blank();
        if self.rest().starts_with("empty") {
            return self.empty();
        }
        if self.rest().starts_with('"') {
            let bytes = self.string()?;
            return Ok(Value::Array(Array::from_vec(&[bytes.len()], bytes)));
        }
        if !self.rest().starts_with('[') {
            return Ok(Value::Scalar(self.scalar()?));
        }
        let mut elements = Elements::default();
        self.array(&mut elements, 0)?;
        let (Some(elem), Some(shape)) = (elements.elem, elements.shape.iter().copied().collect::<Option<Vec<usize>>>())
        else {
            return self.fail("an array without elements is written empty([0]t)");
        };
        match Column::from_scalars(elem, elements.scalars.into_iter()) {
            Some(column) => Ok(Value::Array(Array::new(&shape, column))),
            None => self.fail(format!("the elements of the array are not all of type {elem}")),
        }
    }

    /// The longest run of characters that can be a scalar.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let mut previous = ' ';
        let end = rest
            .char_indices()
            .find(|(i, c)| {
                let sign = matches!(c, '-' | '+') && (*i == 0 || matches!(previous, 'e' | 'E'));
                previous = *c;
                !(c.is_alphanumeric() || matches!(c, '_' | '.') || sign)
            })
            .map_or(rest.len(), |(i, _)| i);
        self.pos += end;
        &rest[..end]
    }

    fn scalar(&mut self) -> Result<Scalar, TextError> {
        let start = self.pos;
        let word = self.word();
        let word = word.strip_prefix('+').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(word);
        let as_expected = self.expected.and_then(|t| parse_number(word, t, self.range));
        as_expected.or_else(|| read_scalar(word, self.range)).map_or_else(
            || {
                self.pos = start;
                let found = if word.is_empty() { self.rest().chars().take(1).collect() } else { word.to_string() };
                self.fail(if found.is_empty() {
                    "a value is missing".into()
                } else {
                    format!("`{found}` is not a value")
                })
            },
            Ok,
        )
    }

    fn array(&mut self, out: &mut Elements, depth: usize) -> Result<(), TextError> {
        if depth > MAX_DEPTH {
            return self.fail(format!("arrays nested more than {MAX_DEPTH} deep"));
        }
        self.pos += 1;
        let start = self.pos;
        if out.shape.len() == depth {
            out.shape.push(None);
        }
        let mut count = 0;
        loop {
            self.skip_blank();
            if self.rest().starts_with(']') {
                self.pos += 1;
                break;
            }
            if count > 0 {
                if !self.rest().starts_with(',') {
                    return self.fail("expected `,` or `]`");
                }
                self.pos += 1;
                self.skip_blank();
                if self.rest().starts_with(']') {
                    self.pos += 1;
                    break;
                }
            }
            if self.rest().starts_with("empty") {
                self.empty_row(out, depth + 1)?;
            } else if self.rest().starts_with(['[', '"']) {
                if out.elem.is_some() && out.shape.len() == depth + 1 {
                    return self.fail("an array where a scalar belongs");
                }
                if self.rest().starts_with('"') {
                    self.string_row(out, depth + 1)?;
                } else {
                    self.array(out, depth + 1)?;
                }
            } else {
                if out.shape.len() > depth + 1 {
                    return self.fail("a scalar where an array belongs");
                }
                let word_start = self.pos;
                let x = self.scalar()?;
                let elem = *out.elem.get_or_insert(x.scalar_type());
                if x.scalar_type() != elem {
                    self.pos = word_start;
                    return self.fail(format!("an element of type {} in an array of {elem}", x.scalar_type()));
                }
                // an element without suffix takes the type of the array, if it can be written so
                self.expected = Some(elem);
                out.scalars.push(x);
            }
            count += 1;
        }
        match out.shape[depth] {
            Some(n) if n != count => {
                self.pos = start;
                self.fail(format!("the array is irregular: a row of {count} beside rows of {n}"))
            }
            _ => {
                out.shape[depth] = Some(count);
                Ok(())
            }
        }
    }

    /// Text among the rows of an array.
    fn string_row(&mut self, out: &mut Elements, depth: usize) -> Result<(), TextError> {
        let start = self.pos;
        let bytes = self.string()?;
        if out.shape.len() == depth {
            out.shape.push(None);
        }
        let count = *out.shape[depth].get_or_insert(bytes.len());
        let problem = match *out.elem.get_or_insert(ScalarType::U8) {
            _ if out.shape.len() > depth + 1 => "text where an array of arrays belongs".to_string(),
            ScalarType::U8 if count == bytes.len() => {
                out.scalars.extend(bytes.into_iter().map(Scalar::U8));
                return Ok(());
            }
            ScalarType::U8 => format!("the array is irregular: a row of {} beside rows of {count}", bytes.len()),
            elem => format!("text in an array of {elem}"),
        };
        self.pos = start;
        self.fail(problem)
    }

    /// An array without elements among the rows of an array.
    fn empty_row(&mut self, out: &mut Elements, depth: usize) -> Result<(), TextError> {
        let start = self.pos;
        let Value::Array(row) = self.empty()? else { return Ok(()) };
        let is_first = out.shape.len() == depth && out.elem.is_none();
        if is_first {
            out.elem = Some(row.elem());
            out.shape.extend(row.shape().iter().copied().map(Some));
        }
        let same = out.shape[depth..].iter().copied().eq(row.shape().iter().copied().map(Some));
        if same && out.elem == Some(row.elem()) {
            return Ok(());
        }
        self.pos = start;
        self.fail("the array is irregular: not all its rows are this one")
    }

    /// `"text"`, as bytes. A backslash stands before what is special: `n t r a b f v`, a character's number in decimal, after `x` in hexadecimal, after
    /// `o` in octal digits; any other sign is itself.
    fn string(&mut self) -> Result<Vec<u8>, TextError> {
        let mut text = String::new();
        let start = self.pos;
        self.pos += 1;
        loop {
            let Some(c) = self.rest().chars().next() else {
                self.pos = start;
                return self.fail("a `\"` is missing at the end of this text");
            };
            self.pos += c.len_utf8();
            match c {
                '"' => return Ok(text.into_bytes()),
                '\\' => match self.escaped() {
                    Some(c) => text.push(c),
                    None => return self.fail("no character is written so"),
                },
                c => text.push(c),
            }
        }
    }

    /// What a backslash makes of the characters behind it.
    fn escaped(&mut self) -> Option<char> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        let simple =
            [('n', '\n'), ('t', '\t'), ('r', '\r'), ('a', '\x07'), ('b', '\x08'), ('f', '\x0c'), ('v', '\x0b')];
        let (prefix, radix) = match first {
            'x' => (1, 16),
            'o' => (1, 8),
            '0'..='9' => (0, 10),
            c => {
                self.pos += c.len_utf8();
                let special = simple.iter().find(|(name, _)| *name == c).map(|(_, c)| *c);
                return special.or((!c.is_alphanumeric()).then_some(c));
            }
        };
        let digits = &rest[prefix..];
        let digits = &digits[..digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len())];
        self.pos += prefix + digits.len();
        char::from_u32(u32::from_str_radix(digits, radix).ok()?)
    }

    /// `empty([0][3]i32)`
    fn empty(&mut self) -> Result<Value, TextError> {
        self.pos += "empty".len();
        let inside = self.rest().strip_prefix('(').and_then(|r| r.find(')').map(|end| &r[..end]));
        let parsed = inside.and_then(|s| {
            let mut rest = s.trim();
            let mut shape = Vec::new();
            while let Some(after) = rest.strip_prefix('[') {
                let (n, tail) = after.split_once(']')?;
                shape.push(n.trim().parse::<usize>().ok()?);
                rest = tail;
            }
            let elem = ScalarType::from_name(rest.trim())?;
            (shape.contains(&0)).then(|| Array::filled(&shape, elem.zero()))
        });
        match (parsed, inside) {
            (Some(array), Some(s)) => {
                self.pos += s.len() + 2;
                Ok(Value::Array(array))
            }
            _ => self.fail("expected empty([d]..t) with at least one dimension 0"),
        }
    }
}

/// A number without its type, as Futhark's interpreter shows it.
pub fn bare(x: Scalar) -> String {
    let text = x.to_string();
    text.strip_suffix(x.scalar_type().name()).unwrap_or(&text).to_string()
}

/// What [`parse_values`] reads back: `[1i32, 2i32]`, `empty([0][3]f64)`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn rows(f: &mut fmt::Formatter<'_>, a: &Array, offset: usize, shape: &[usize]) -> fmt::Result {
            let [n, inner @ ..] = shape else { return write!(f, "{}", a.get(offset)) };
            f.write_str("[")?;
            for i in 0..*n {
                if i > 0 {
                    f.write_str(", ")?;
                }
                rows(f, a, offset + i * count(inner), inner)?;
            }
            f.write_str("]")
        }
        match self {
            Value::Scalar(x) => write!(f, "{x}"),
            Value::Array(a) if a.is_empty() => {
                f.write_str("empty(")?;
                a.shape().iter().try_for_each(|d| write!(f, "[{d}]"))?;
                write!(f, "{})", a.elem())
            }
            Value::Array(a) => rows(f, a, 0, a.shape()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(s: &str) -> String {
        match parse_values(s) {
            Ok(vs) => vs.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn scalars_with_and_without_suffix() {
        assert_eq!(
            read("1 -2i64 0x1F 0b101i64 1_000 2.5 1e3f32 true f64.nan -f64.inf -9223372036854775808i64"),
            "1i32 -2i64 31i32 5i64 1000i32 2.5f64 1000.0f32 true f64.nan -f64.inf -9223372036854775808i64"
        );
    }

    /// The values are those that Futhark 0.25.32 reads: `futhark dataset`.
    #[test]
    fn integers_wrap_where_that_is_asked_for() {
        let text = "-1u8 128i8 300u8 0b11111111i8 -271733879u32 99999999999i32 18446744073709551616u64 -129i8 99999999999 [1u8, 300]";
        let values = parse_values_wrapping(text, &[]).unwrap();
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        let wrapped = "255u8 -128i8 44u8 -1i8 4023233417u32 1215752191i32 0u64 127i8 1215752191i32 [1u8, 44u8]";
        assert_eq!(values.join(" "), wrapped);
        assert!(parse_values_wrapping("[1, 300u8]", &[]).is_err() && parse_values_wrapping("1.5i32", &[]).is_err());
    }

    /// The bytes are those that Futhark 0.25.32 reads: `futhark dataset`.
    #[test]
    fn text_is_its_bytes() {
        assert_eq!(read(r#""abc" "" [1, 2]"#), "[97u8, 98u8, 99u8] empty([0]u8) [1i32, 2i32]");
        assert_eq!(read(r#""a\065\o101\x41q\tz""#), "[97u8, 65u8, 65u8, 65u8, 113u8, 9u8, 122u8]");
        assert_eq!(read("\"a\nb\""), "[97u8, 10u8, 98u8]");
        assert_eq!(read(r#"["ab", "cd",]"#), "[[97u8, 98u8], [99u8, 100u8]]");
        assert_eq!(read(r#""\"é""#), "[34u8, 195u8, 169u8]");
        assert_eq!(read(r#" "a"#), "1:2: a `\"` is missing at the end of this text");
        assert_eq!(read(r#""a\qb""#), "1:5: no character is written so");
        assert_eq!(read(r#"["ab", "c"]"#), "1:8: the array is irregular: a row of 1 beside rows of 2");
        assert_eq!(read(r#"[[1], "c"]"#), "1:7: text in an array of i32");
        assert_eq!(read(r#"[1, "c"]"#), "1:5: an array where a scalar belongs");
        assert_eq!(read(r#"[[[1u8]], "c"]"#), "1:11: text where an array of arrays belongs");
    }

    #[test]
    fn every_type_has_its_suffix() {
        assert_eq!(
            read("-128i8 255u8 -32768i16 65535u16 4294967295u32 18446744073709551615u64 0xFFu8 -0x80i8 0b11u16"),
            "-128i8 255u8 -32768i16 65535u16 4294967295u32 18446744073709551615u64 255u8 -128i8 3u16"
        );
        assert_eq!(
            read("0.1f16 1e9f16 f16.nan -f16.inf 0x1f16 -2f16"),
            "0.1f16 f16.inf f16.nan -f16.inf 7958i32 -2.0f16"
        );
        // what the type does not hold is refused (Futhark wraps: 300u8 is read as 44)
        for text in
            "256u8 -1u8 128i8 -129i8 65536u16 18446744073709551616u64 1.5u8 0xu8 -0xu8 0x-1i32 1ei8 nan".split(' ')
        {
            assert!(read(text).contains("is not a value"), "{text}: {}", read(text));
        }
        assert_eq!(read("[1u8, 2, 0x10]"), "[1u8, 2u8, 16u8]");
        assert_eq!(read("[1u64, 18446744073709551615]"), "[1u64, 18446744073709551615u64]");
        assert_eq!(read("[1u8, 300]"), "1:7: an element of type i32 in an array of u8");
        assert_eq!(read("[1f16, 0x10, f16.inf]"), "[1.0f16, 16.0f16, f16.inf]");
        assert_eq!(read("empty([0]u16)"), "empty([0]u16)");
    }

    #[test]
    fn arrays_take_their_type_from_the_first_element() {
        assert_eq!(
            read("[[1f64, 2], [3.5, 4]] -- a comment\n[true,false]"),
            "[[1.0f64, 2.0f64], [3.5f64, 4.0f64]] [true, false]"
        );
        // a product of sizes that is no number to compute
        let vast = format!("empty([{0}][{0}][0]i32)", 1u64 << 62);
        assert_eq!(read(&vast), vast);
        assert_eq!(read("empty([0][3]i32) empty([2][0]f64)"), "empty([0][3]i32) empty([2][0]f64)");
    }

    #[test]
    fn numbers_without_suffix_take_the_type_that_is_expected() {
        let types = [ScalarType::I64, ScalarType::F32, ScalarType::F64, ScalarType::I64, ScalarType::I32];
        let values = parse_values_as("99999999999 [[1], [2.5]] 3i32 [4] true", &types).unwrap();
        let text: Vec<String> = values.iter().map(Value::to_string).collect();
        assert_eq!(text, ["99999999999i64", "[[1.0f32], [2.5f32]]", "3i32", "[4i64]", "true"]);
    }

    #[test]
    fn bad_text_is_refused_with_its_place() {
        assert_eq!(read("1\n foo"), "2:2: `foo` is not a value");
        assert_eq!(read("[1, 2"), "1:6: expected `,` or `]`");
        assert_eq!(read("[[1],[2,3]]"), "1:7: the array is irregular: a row of 2 beside rows of 1");
        assert_eq!(read("[1, [2]]"), "1:5: an array where a scalar belongs");
        assert_eq!(read("[1, 2.5]"), "1:5: an element of type f64 in an array of i32");
        assert_eq!(read("99999999999"), "1:1: `99999999999` is not a value");
        // rows without elements, signs
        assert_eq!(read("[empty([0]i32), empty([0]i32)] [[empty([0]u8)]]"), "empty([2][0]i32) empty([1][1][0]u8)");
        assert_eq!(read("+5 [+1.5f32, -2]"), "5i32 [1.5f32, -2.0f32]");
        for bad in [
            "[empty([0]i32), empty([0]i64)]",
            "[empty([0]i32), [1]]",
            "[1, empty([0]i32)]",
            "[[1], empty([0]i32)]",
            "++5",
            "+",
        ] {
            assert!(read(bad).starts_with("1:"), "{bad}: {}", read(bad));
        }
        assert_eq!(read("[]"), "1:3: an array without elements is written empty([0]t)");
        assert_eq!(read("empty([3]i32)"), "1:6: expected empty([d]..t) with at least one dimension 0");
        assert!(read(&"[".repeat(100_000)).contains("nested more than"));
    }
}
