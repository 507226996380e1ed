//! Other implementations of the language: executables that speak Futhark's server protocol (futhark-compat.md §5.2), and the compiler that makes them.
//!
//! [`Server`] is a running executable; [`Reference`] says how one is made from a source program. What a server cannot do is told apart: the program's
//! own failure is a result, a process that crashes, hangs or talks nonsense is [`Broken`].

mod reference;
mod server;
#[cfg(test)]
mod tests;

pub use crate::process::{Breakage, Broken, Limits};
pub use reference::{Loaded, Reference, Refused};
pub use server::{Ran, Server};

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of one's own for temporary files; removed when dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("futi-server-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    fn file(&self, name: &str) -> PathBuf {
        Path::new(&self.0).join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
