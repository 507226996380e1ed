//! Programs by their paths: files, and all in a folder.

use crate::failure::Failure;
use crate::load::explained;
use futi_core::ProgramFiles;
use futi_core::diag::Diagnostic;
use futi_core::source::{self, SourceError, SourceMap, SourceProvider};
use futi_embed::files::{Files, MOST, too_long};
use std::fs;
use std::io::{Read, Write};
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

/// The name of standard input in messages.
pub const STDIN: &str = "<stdin>";

/// The text of the program that standard input is.
pub fn standard_input() -> Result<String, Failure> {
    let (mut bytes, input) = (vec![], std::io::stdin().lock());
    input.take(MOST + 1).read_to_end(&mut bytes).map_err(|e| Failure::Io(format!("standard input: {e}")))?;
    let text = if bytes.len() as u64 > MOST { Err(too_long()) } else { source::text(bytes) };
    text.map_err(|e| unreadable(STDIN, &e))
}

/// The files that a program consists of, all of which can be read and parsed.
pub fn of_program(path: &Path) -> Result<ProgramFiles, Failure> {
    let program = futi_core::program_files(&path.to_string_lossy(), &Files);
    match program.diagnostics.is_empty() {
        true => Ok(program),
        false => Err(Failure::Diagnostics(explained(&program.diagnostics, &program.sources))),
    }
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

/// Puts a new text in the place of a file's: beside it first, then under its name, so that the old one is there until the new one is complete. A link stays
/// one, and who may read and write it stays as it was.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let failure = |e| io(path, e);
    let target = fs::canonicalize(path).map_err(failure)?;
    let folder = target.parent().unwrap_or(Path::new("/"));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failure)?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(failure)?;
    let permissions = fs::metadata(&target).map_err(failure)?.permissions();
    file.as_file().set_permissions(permissions).map_err(failure)?;
    file.persist(&target).map_err(|e| failure(e.error))?;
    Ok(())
}
