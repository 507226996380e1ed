//! Results in files: all of them, or one by its name.

use super::leaf::{Leaf, leaves};
use super::{Format, format, npy, png, table};
use crate::failure::Failure;
use crate::files;
use flate2::Compression;
use flate2::write::GzEncoder;
use futi_core::ir::EntryType;
use futi_core::prim::ScalarType;
use futi_core::value::{Value, binary};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file for results.
#[derive(Clone, Debug)]
pub struct Output {
    /// The field of the result, with dots where it is one of a field; nothing for all of it.
    name: Option<String>,
    path: PathBuf,
    format: Format,
    compressed: bool,
}

/// Which results go into a file, with the names that they have there.
pub struct Picked<'a> {
    output: &'a Output,
    results: Vec<(usize, String)>,
}

impl FromStr for Output {
    type Err = String;

    /// `FILE`, or `NAME=FILE`.
    fn from_str(text: &str) -> Result<Output, String> {
        let (name, path) = text.split_once('=').map_or((None, text), |(name, path)| (Some(name.to_string()), path));
        if path.is_empty() {
            return Err("it has no name of a file".into());
        }
        let (format, compressed) = format(Path::new(path))?;
        Ok(Output { name, path: path.into(), format, compressed })
    }
}

impl Output {
    /// Which of the results of this type belong into the file, with the names that they have there.
    ///
    /// # Errors
    /// There is no such result; the file's format has no place for them, or there is no such folder.
    pub fn picks(&self, ty: &EntryType) -> Result<Picked<'_>, Failure> {
        let all = leaves(ty);
        let named = |(i, leaf): (usize, &Leaf)| match &self.name {
            None => Some((i, if leaf.name.is_empty() { "result".into() } else { leaf.name.clone() })),
            Some(name) if leaf.name == *name => Some((i, name.clone())),
            Some(name) => Some((i, leaf.name.strip_prefix(name)?.strip_prefix('.')?.to_string())),
        };
        let picked: Vec<(usize, String)> = all.iter().enumerate().filter_map(named).collect();
        if picked.is_empty() {
            let names: Vec<String> = all.iter().map(|leaf| format!("`{}`", leaf.name)).filter(|n| n != "``").collect();
            let names = if names.is_empty() {
                "it has no parts with names".into()
            } else {
                format!("there are {}", names.join(", "))
            };
            return Err(Failure::Io(format!(
                "there is no result `{}`: {names}",
                self.name.clone().unwrap_or_default()
            )));
        }
        let failure = |e: String| Err(Failure::Io(format!("{}: {e}", self.path.display())));
        let leaf = &all[picked[0].0];
        match (self.format, picked.len()) {
            (Format::Npy | Format::Png, 2..) => {
                return failure(format!("it holds one array, and there are {}; `.npz` holds several", picked.len()));
            }
            (Format::Png, _) if leaf.rank != 2 || !matches!(leaf.elem, ScalarType::U32 | ScalarType::U8) => {
                return failure(format!("an image is a matrix of u32 or u8, not of {}", leaf.elem));
            }
            _ => {}
        }
        match self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if !folder.is_dir() => failure("No such file or directory: there is no such folder".into()),
            _ => Ok(Picked { output: self, results: picked }),
        }
    }
}

/// Writes those that a file is to have of all results, leaf by leaf.
///
/// # Errors
/// The format has no place for them; the file cannot be written.
pub fn write(picked: &Picked, results: &[Value]) -> Result<(), Failure> {
    let Picked { output, results: picked } = picked;
    let values: Vec<(String, Value)> =
        picked.iter().filter_map(|(i, name)| Some((name.clone(), results.get(*i)?.clone()))).collect();
    let failure = |e: String| Failure::Io(format!("{}: {e}", output.path.display()));
    let one = || values.first().map(|(_, value)| value).ok_or_else(|| failure("there is nothing to write".into()));
    let plain = || values.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>();
    let bytes = match output.format {
        Format::Text => plain().iter().map(|value| format!("{value}\n")).collect::<String>().into_bytes(),
        Format::Binary => binary::write_values(&plain()),
        Format::Npy => npy::write(one()?).map_err(|e| failure(e.to_string()))?,
        Format::Npz => npy::write_all(&values).map_err(|e| failure(e.to_string()))?,
        Format::Csv => table::write(&values).map_err(failure)?,
        Format::Png => png::write(one()?).map_err(failure)?,
    };
    let bytes = if output.compressed { gzip(&bytes).map_err(|e| failure(e.to_string()))? } else { bytes };
    std::fs::write(&output.path, bytes).map_err(|e| files::io(&output.path, e))
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
