//! Files for tests, in folders of their own that go with them.

// a test program uses some of them
#![allow(dead_code)]

use tempfile::TempDir;

/// A folder with these files.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, files);
    folder
}

/// Writes these files into a folder.
pub fn write(folder: &TempDir, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The path of a program in a folder.
pub fn program(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(format!("{name}.fut"));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}
