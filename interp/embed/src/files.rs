//! Source files in the file system.

use futi_core::source::{self, SourceError, SourceProvider};
use std::fs::File;
use std::io::Read;

/// Programs by their paths. What is no regular file is refused, as reading it may never end.
pub struct Files;

/// The most bytes of a source file.
pub const MOST: u64 = 256 << 20;

impl SourceProvider for Files {
    fn read(&self, path: &str) -> Result<String, SourceError> {
        let error = |e: std::io::Error| SourceError::new(e.to_string());
        // a FIFO is waited for when it is opened: looked at first
        let metadata = std::fs::metadata(path).map_err(error)?;
        if metadata.is_dir() {
            return Err(SourceError::new("it is a folder"));
        }
        if !metadata.is_file() {
            return Err(SourceError::new("it is no regular file"));
        }
        let mut bytes = Vec::new();
        // some files say that they are empty, and are endless
        File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)).map_err(error)?;
        if bytes.len() as u64 > MOST {
            return Err(too_long());
        }
        source::text(bytes)
    }
}

/// What is said of a source that has more than [`MOST`] bytes.
pub fn too_long() -> SourceError {
    SourceError::new(format!("it has more than {} MiB", MOST >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_is_refused() {
        let message = |path: &str| Files.read(path).map_err(|e| e.message);
        assert_eq!(message("/dev/zero"), Err("it is no regular file".into()));
        assert_eq!(message("/"), Err("it is a folder".into()));
        assert!(message("/nowhere").is_err());
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "\u{feff}def x = 1\n").unwrap();
        assert_eq!(Files.read(&file.path().to_string_lossy()), Ok("def x = 1\n".into()));
    }
}
