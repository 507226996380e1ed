//! Programs by their paths: files, and all in a folder.

use crate::failure::Failure;
use crate::load::{Files, explained};
use futi_core::diag::Diagnostic;
use futi_core::source::{SourceError, SourceMap, SourceProvider};
use std::fs;
use std::path::{Path, PathBuf};

/// The `.fut` files that these paths name: a file itself, of a folder all in it and in its folders, by name, without hidden ones.
pub fn programs(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = vec![];
    for path in paths {
        if path.is_dir() {
            folder(path, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn folder(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failure = |e| io(path, e);
    let mut entries = fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>()).map_err(failure)?;
    entries.sort_by_key(|e| e.file_name());
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(failure)?);
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        // a link to a folder may lead back here
        if kind.is_dir() && !hidden {
            folder(&path, files)?;
        } else if !hidden && path.is_file() && path.extension().is_some_and(|e| e == "fut") {
            files.push(path);
        }
    }
    Ok(())
}

/// The text of a program.
pub fn read(path: &Path) -> Result<String, Failure> {
    let path = path.to_string_lossy();
    Files.read(&path).map_err(|e| unreadable(&path, &e))
}

/// A program that cannot be read.
pub fn unreadable(path: &str, e: &SourceError) -> Failure {
    let mut sources = SourceMap::new();
    let diagnostic = Diagnostic::unreadable(path, e, &mut sources);
    Failure::Diagnostics(explained(&[diagnostic], &sources))
}

/// What went wrong with a file.
pub fn io(path: &Path, e: std::io::Error) -> Failure {
    Failure::Io(format!("{}: {e}", path.display()))
}
