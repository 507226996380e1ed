//! Values in files as people have them: the extension of a file's name says in which format.

mod arguments;
mod leaf;
mod npy;
mod png;
mod results;
mod table;

pub use arguments::named;
pub use png::encode as encode_png;
pub use results::{Output, write};

use futi_conformance::data;
use futi_core::entry::type_name;
use futi_core::ir::EntryType;
use futi_core::value::Value;
use futi_core::value::compare::type_text;
use leaf::{Leaf, leaves};
use std::path::Path;

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// Futhark's text or binary format, told apart by how a file begins; written as text.
    Text,
    /// Futhark's binary format.
    Binary,
    /// An array of NumPy.
    Npy,
    /// Arrays of NumPy by their names.
    Npz,
    /// A table with a line of names.
    Csv,
    /// An image: `[h][w]u32`, a pixel `0xAARRGGBB`.
    Png,
}

/// The format of a file, and whether it is compressed by gzip.
fn format(path: &Path) -> Result<(Format, bool), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (name, compressed) = name.strip_suffix(".gz").map_or((name.as_str(), false), |name| (name, true));
    let format = match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "in" | "out" | "txt" | "dat" => Format::Text,
        "bin" => Format::Binary,
        "npy" => Format::Npy,
        "npz" => Format::Npz,
        "csv" => Format::Csv,
        "png" => Format::Png,
        _ => {
            let known =
                ".npy, .npz, .csv, .png, .bin, .in, .out, .txt or .dat, with .gz behind it where it is compressed";
            return Err(format!("{}: its format is told by its extension: {known}", path.display()));
        }
    };
    Ok((format, compressed))
}

/// The leaves of a value of this type in a file.
///
/// # Errors
/// In one line, with the file's name: it cannot be read, is not of its format, or has something else.
fn read(path: &Path, ty: &EntryType) -> Result<Vec<Value>, String> {
    let error = |e: String| format!("{}: {e}", path.display());
    let (format, _) = format(path)?;
    let wanted = leaves(ty);
    let bytes = data::bytes(path)?;
    let values = match format {
        Format::Text | Format::Binary => {
            let types: Vec<_> = wanted.iter().map(|leaf| leaf.elem).collect();
            data::exact_values(&bytes, &types)
        }
        Format::Npy => npy::read(&bytes).map(|value| vec![value]),
        Format::Npz => npy::read_all(&bytes, &wanted),
        Format::Csv => table::read(&bytes, ty, &wanted),
        Format::Png => data::image_of(&bytes).map(|value| vec![value]),
    };
    let values = values.map_err(error)?;
    fitting(&values, ty, &wanted).map_err(error)?;
    Ok(values)
}

/// Whether these are the leaves of a value of a type, as far as their own types go.
fn fitting(values: &[Value], ty: &EntryType, wanted: &[Leaf]) -> Result<(), String> {
    let ty = type_name(ty);
    if values.len() != wanted.len() {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let (got, want) = (values.len(), wanted.len());
        return Err(format!(
            "there {} {got} value{}; {ty} is {want} value{}",
            if got == 1 { "is" } else { "are" },
            plural(got),
            plural(want)
        ));
    }
    for (value, leaf) in values.iter().zip(wanted) {
        if value.elem() != leaf.elem || value.shape().len() != leaf.rank {
            let of = if leaf.name.is_empty() { String::new() } else { format!(" as `{}`", leaf.name) };
            return Err(format!(
                "there is a value of type {}{of}; {ty} is wanted{}",
                type_text(value),
                wants(leaf, wanted)
            ));
        }
    }
    Ok(())
}

/// What a leaf is to be, where there are several.
fn wants(leaf: &Leaf, all: &[Leaf]) -> String {
    if all.len() == 1 { String::new() } else { format!(", which has {}{} there", "[]".repeat(leaf.rank), leaf.elem) }
}
