//! Files of NumPy: one array, or an archive of arrays by their names.

use super::leaf::Leaf;
use futi_core::prim::ScalarType;
use futi_core::value::{Array, Elem, Value};
use half::f16;
use npyz::{DType, NpyFile, Order, TypeChar, WriterBuilder};
use std::io::{self, Cursor, Read, Write};
use zip::{ZipArchive, ZipWriter};

/// So much the arrays of an archive may hold together: a few bytes can claim to be all memory.
const LARGEST: u64 = 16 << 30;

/// The array in a file; a scalar, if it has no dimensions.
pub fn read(bytes: &[u8]) -> Result<Value, String> {
    if has_too_many(bytes) {
        return Err("it ends before its last element".into());
    }
    let file = NpyFile::new(bytes).map_err(|e| format!("it is no array of NumPy: {}", first_line(&e)))?;
    let dtype = file.dtype();
    let DType::Plain(ty) = &dtype else {
        return Err(format!("its elements are {}, which are no numbers", dtype.descr()));
    };
    let (class, size) = (ty.type_char(), ty.size_field());
    let elements = file.shape().iter().try_fold(1u64, |n, d| n.checked_mul(*d));
    if elements.and_then(|n| n.checked_mul(size)).is_none_or(|n| n > bytes.len() as u64) {
        return Err("it ends before its last element".into());
    }
    match (class, size) {
        (TypeChar::Bool, 1) => typed::<bool>(file),
        (TypeChar::Int, 1) => typed::<i8>(file),
        (TypeChar::Int, 2) => typed::<i16>(file),
        (TypeChar::Int, 4) => typed::<i32>(file),
        (TypeChar::Int, 8) => typed::<i64>(file),
        (TypeChar::Uint, 1) => typed::<u8>(file),
        (TypeChar::Uint, 2) => typed::<u16>(file),
        (TypeChar::Uint, 4) => typed::<u32>(file),
        (TypeChar::Uint, 8) => typed::<u64>(file),
        (TypeChar::Float, 2) => typed::<f16>(file),
        (TypeChar::Float, 4) => typed::<f32>(file),
        (TypeChar::Float, 8) => typed::<f64>(file),
        _ => Err(format!("its elements are {}, which are no numbers of Futi", dtype.descr())),
    }
}

/// Whether there are more elements than bytes by the shape in the header, or more than can be counted: npyz 0.8 multiplies the sizes unchecked.
fn has_too_many(bytes: &[u8]) -> bool {
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]).into_owned();
    let shape = header.split_once("shape").and_then(|(_, rest)| rest.split_once('(')?.1.split_once(')'));
    let Some((shape, _)) = shape else { return false };
    let sizes: Vec<&str> = shape.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
    let sizes = sizes.into_iter().map(|n| n.parse::<i64>().ok());
    // without elements, the other sizes are multiplied, too
    let counted = sizes.clone().try_fold(1i64, |n, d| n.checked_mul(d?.max(1)));
    let elements = sizes.clone().try_fold(1i64, |n, d| n.checked_mul(d?));
    counted.is_none() || elements.is_none_or(|n| n > bytes.len() as i64)
}

fn first_line(e: &io::Error) -> String {
    e.to_string().lines().next().unwrap_or_default().to_string()
}

fn typed<T: Elem + npyz::Deserialize>(file: NpyFile<&[u8]>) -> Result<Value, String> {
    let shape: Vec<usize> = file.shape().iter().map(|n| *n as usize).collect();
    let order = file.order();
    let elements: Vec<T> = file.into_vec().map_err(|e| match e.kind() {
        io::ErrorKind::UnexpectedEof => "it ends before its last element".to_string(),
        _ => first_line(&e),
    })?;
    match (&shape[..], order) {
        ([], _) => elements.first().map(|x| x.scalar().into()).ok_or_else(|| "it has no element".into()),
        (shape, Order::C) => Ok(Array::from_vec(shape, elements).into()),
        (shape, Order::Fortran) => {
            let reversed: Vec<usize> = shape.iter().rev().copied().collect();
            let back: Vec<usize> = (0..shape.len()).rev().collect();
            Ok(Array::from_vec(&reversed, elements).rearrange(&back).into())
        }
    }
}

/// The arrays of an archive for these leaves: by their names, those of a tuple also as NumPy numbers them, `arr_0`; the only one, whatever its name, for a leaf without one.
pub fn read_all(bytes: &[u8], wanted: &[Leaf]) -> Result<Vec<Value>, String> {
    let error = |e: zip::result::ZipError| format!("it is no archive of arrays: {e}");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(error)?;
    let mut arrays: Vec<(String, Vec<u8>)> = Vec::new();
    let mut left = LARGEST;
    for i in 0..archive.len() {
        let member = archive.by_index(i).map_err(error)?;
        let name = String::from_utf8_lossy(member.name_raw()).into_owned();
        let mut bytes = Vec::new();
        member.take(left + 1).read_to_end(&mut bytes).map_err(|e| format!("`{name}` in it: {e}"))?;
        left = left.checked_sub(bytes.len() as u64).ok_or_else(|| format!("it holds more than {LARGEST} bytes"))?;
        arrays.push((name.strip_suffix(".npy").unwrap_or(&name).to_string(), bytes));
    }
    let names = || arrays.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let found = |leaf: &Leaf| {
        let numbered = format!("arr_{}", leaf.name);
        match &arrays[..] {
            [(_, bytes)] if leaf.name.is_empty() => Ok(bytes),
            _ if leaf.name.is_empty() => {
                Err(format!("it has {} arrays where one is wanted: {}", arrays.len(), names()))
            }
            _ => {
                let by_name = arrays.iter().find(|(name, _)| *name == leaf.name || *name == numbered);
                by_name
                    .map(|(_, bytes)| bytes)
                    .ok_or_else(|| format!("there is no array `{}` in it; it has {}", leaf.name, names()))
            }
        }
    };
    wanted.iter().map(|leaf| read(found(leaf)?).map_err(|e| format!("`{}` in it: {e}", leaf.name))).collect()
}

/// A value as a file.
pub fn write(value: &Value) -> io::Result<Vec<u8>> {
    match value.elem() {
        ScalarType::Bool => encoded::<bool>(value),
        ScalarType::I8 => encoded::<i8>(value),
        ScalarType::I16 => encoded::<i16>(value),
        ScalarType::I32 => encoded::<i32>(value),
        ScalarType::I64 => encoded::<i64>(value),
        ScalarType::U8 => encoded::<u8>(value),
        ScalarType::U16 => encoded::<u16>(value),
        ScalarType::U32 => encoded::<u32>(value),
        ScalarType::U64 => encoded::<u64>(value),
        ScalarType::F16 => encoded::<f16>(value),
        ScalarType::F32 => encoded::<f32>(value),
        ScalarType::F64 => encoded::<f64>(value),
    }
}

fn encoded<T: Elem + npyz::AutoSerialize>(value: &Value) -> io::Result<Vec<u8>> {
    let shape: Vec<u64> = value.shape().iter().map(|n| *n as u64).collect();
    let mut bytes = Vec::new();
    let options = npyz::WriteOptions::<T>::new().default_dtype().shape(&shape).writer(&mut bytes);
    let mut writer = options.begin_nd()?;
    writer.extend(value.elements().filter_map(T::from_scalar))?;
    writer.finish()?;
    Ok(bytes)
}

/// Values by their names as an archive.
pub fn write_all(values: &[(String, Value)]) -> io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().large_file(true);
    for (name, value) in values {
        archive.start_file(format!("{name}.npy"), options)?;
        archive.write_all(&write(value)?)?;
    }
    Ok(archive.finish()?.into_inner())
}
