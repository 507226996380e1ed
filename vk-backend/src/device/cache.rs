//! Compiled kernels on disk: the SPIR-V of each source text, and the driver's pipeline cache.
//!
//! A cache may vanish, be written by two processes at once or be cut short by a full disk; then it is as if it were empty. Nothing here fails.
//!
//! Note [Whose files these are]: a driver trusts what it is given. So the folder is one that nobody else may look into or write to, links are not followed, a file
//! gets its name only when it is complete, from one of a random name beside it, and is believed only if it has the hash that it begins with. What a file is for, its
//! name says: the SHA-256 of all that its content follows from.

use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The most bytes that all files together have; beyond it, the oldest go until three quarters are left.
const MOST: u64 = 256 << 20;

/// A folder, or no cache.
pub(super) struct Cache {
    folder: Option<PathBuf>,
    /// What tells the device and its driver from others.
    device: Vec<u8>,
    /// The most bytes that all files together have.
    most: u64,
    /// How many bytes are in the folder, as far as this process knows; none before it has looked.
    held: AtomicU64,
}

type Hash = [u8; 32];

/// What the names of files end with.
const SPIRV: &str = "spirv";
const PIPELINES: &str = "pipelines";

impl Cache {
    /// The cache in the folder `kernels` of this one, which is made if it is not there; no cache where it is somebody else's, others may do anything there, or it is a link.
    pub(super) fn new(folder: Option<PathBuf>, device: Vec<u8>) -> Cache {
        let folder = folder.map(|folder| folder.join("kernels")).filter(|folder| own(folder).is_some());
        Cache { folder, device, most: MOST, held: AtomicU64::new(0) }
    }

    /// The SPIR-V that was saved for a source text.
    pub(super) fn load_spirv(&self, source: &str) -> Option<Vec<u32>> {
        let spirv = load(&self.spirv_file(source)?)?;
        let words = spirv.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        (spirv.len().is_multiple_of(4)).then(|| words.collect())
    }

    /// Saves the SPIR-V of a source text.
    pub(super) fn save_spirv(&self, source: &str, spirv: &[u32]) {
        if let Some(file) = self.spirv_file(source) {
            let bytes: Vec<u8> = spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.save(&file, &bytes);
        }
    }

    /// The pipeline cache's data that was saved for this device and driver; else nothing.
    pub(super) fn load_pipelines(&self) -> Vec<u8> {
        self.pipeline_file().and_then(|file| load(&file)).unwrap_or_default()
    }

    /// Saves the pipeline cache's data.
    pub(super) fn save_pipelines(&self, data: &[u8]) {
        if let Some(file) = self.pipeline_file() {
            self.save(&file, data);
        }
    }

    fn spirv_file(&self, source: &str) -> Option<PathBuf> {
        self.file(SPIRV, &[super::kernels::COMPILED_WITH.as_bytes(), source.as_bytes()])
    }

    fn pipeline_file(&self) -> Option<PathBuf> {
        self.file(PIPELINES, &[])
    }

    /// The file of what follows from these parts, from the device and from the generator.
    fn file(&self, kind: &str, parts: &[&[u8]]) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let mut hash = Sha256::new();
        for part in [env!("CARGO_PKG_VERSION").as_bytes(), &self.device].iter().chain(parts) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(folder.join(format!("{name}.{kind}")))
    }

    /// Writes a file in one step, so that no reader sees half of it. One that cannot be written is no failure.
    fn save(&self, file: &Path, payload: &[u8]) {
        let write = || {
            let folder = own(file.parent()?)?;
            let mut new = tempfile::NamedTempFile::new_in(folder).ok()?;
            new.write_all(&hash_of(payload)).and_then(|()| new.write_all(payload)).ok()?;
            new.persist(file).ok()
        };
        if write().is_some() {
            self.evict(payload.len() as u64 + size_of::<Hash>() as u64);
        }
    }

    /// Removes the oldest files if there are too many, now that so many bytes are new.
    fn evict(&self, new: u64) {
        let known = self.held.load(Ordering::Relaxed);
        if known > 0 && known + new <= self.most {
            self.held.fetch_add(new, Ordering::Relaxed);
            return;
        }
        let entries = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok());
        let mut files: Vec<(SystemTime, u64, PathBuf)> = (entries.into_iter().flatten())
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                // a file that somebody else has put there stays
                entry.path().extension().filter(|e| [SPIRV, PIPELINES].iter().any(|own| e == own))?;
                Some((about.modified().ok()?, about.len(), entry.path()))
            })
            .collect();
        let mut held: u64 = files.iter().map(|(_, len, _)| len).sum();
        if held > self.most {
            files.sort();
            for (_, len, file) in files {
                if held <= self.most / 4 * 3 {
                    break;
                }
                if fs::remove_file(file).is_ok() {
                    held -= len;
                }
            }
        }
        self.held.store(held, Ordering::Relaxed);
    }
}

/// The folder, made if it is not there, if it is the user's own and nobody else's.
fn own(folder: &Path) -> Option<&Path> {
    let mut new = DirBuilder::new();
    new.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut new, 0o700);
    if fs::symlink_metadata(folder).is_err() {
        new.create(folder).ok()?;
    }
    let about = fs::symlink_metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if about.uid() != rustix::process::geteuid().as_raw() || about.mode() & 0o077 != 0 {
            return None;
        }
    }
    let _ = about;
    Some(folder)
}

/// A file's payload, if its hash is right.
fn load(file: &Path) -> Option<Vec<u8>> {
    own(file.parent()?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    let mut bytes = Vec::new();
    let opened: File = options.open(file).ok().filter(|f| f.metadata().is_ok_and(|about| about.is_file()))?;
    opened.take(MOST).read_to_end(&mut bytes).ok()?;
    let (sum, payload) = bytes.split_at_checked(size_of::<Hash>())?;
    (sum == hash_of(payload)).then(|| payload.to_vec())
}

fn hash_of(payload: &[u8]) -> Hash {
    Sha256::digest(payload).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path) -> Cache {
        Cache::new(Some(folder.to_path_buf()), b"device".to_vec())
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let own = cache(folder.path());
        assert_eq!(own.load_spirv("a"), None);
        own.save_spirv("a", &[1, 0xffff_ffff]);
        assert_eq!(own.load_spirv("a"), Some(vec![1, 0xffff_ffff]));
        assert_eq!(own.load_spirv("b"), None);
        own.save_pipelines(b"data");
        assert_eq!(own.load_pipelines(), b"data");
        let other = Cache::new(Some(folder.path().to_path_buf()), b"other".to_vec());
        assert_eq!((other.load_spirv("a"), other.load_pipelines()), (None, vec![]));
        assert_eq!(Cache::new(None, vec![]).load_pipelines(), b"");
    }

    #[test]
    fn a_damaged_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let own = cache(folder.path());
        own.save_spirv("a", &[7; 19]);
        let file = own.spirv_file("a").unwrap();
        let good = fs::read(&file).unwrap();
        for damaged in [&good[..good.len() - 4], &good[..3], &[&good[..40], &[9], &good[41..]].concat()] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(own.load_spirv("a"), None);
        }
        own.save_spirv("a", &[8]);
        assert_eq!(own.load_spirv("a"), Some(vec![8]));
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let own = Cache { most: 1000, ..cache(folder.path()) };
        let files: Vec<PathBuf> = (0..9).map(|i| own.spirv_file(&i.to_string()).unwrap()).collect();
        for (i, file) in files.iter().enumerate() {
            // 32 bytes of hash and 100 of payload: the eighth makes 1056
            own.save_spirv(&i.to_string(), &[i as u32; 25]);
            let at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(i as u64);
            File::open(file).unwrap().set_modified(at).unwrap();
        }
        let held: u64 = files.iter().filter_map(|f| fs::metadata(f).ok()).map(|about| about.len()).sum();
        assert!(held <= 1000, "{held}");
        assert!(!files[0].exists() && files[8].exists());
        // what is no kernel is not counted, and stays
        let other = folder.path().join("kernels/notes.txt");
        fs::write(&other, [0; 2000]).unwrap();
        own.save_spirv("9", &[9; 100]);
        assert!(other.exists() && own.load_spirv("9").is_some());
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_is_the_users_alone_and_links_are_not_followed() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let own = cache(folder.path());
        own.save_spirv("a", &[1]);
        let at = folder.path().join("kernels");
        assert_eq!(fs::metadata(&at).unwrap().mode() & 0o777, 0o700);
        // one that others may read or write is none
        for mode in [0o777, 0o750] {
            fs::set_permissions(&at, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!((own.load_spirv("a"), cache(folder.path()).folder), (None, None));
        }
        fs::set_permissions(&at, fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(own.load_spirv("a"), Some(vec![1]));
        // a file that is a link is none
        let file = own.spirv_file("a").unwrap();
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&file, &elsewhere).unwrap();
        symlink(&elsewhere, &file).unwrap();
        assert_eq!(own.load_spirv("a"), None);
        // saving puts a file in the link's place, and leaves what it leads to
        own.save_spirv("a", &[2]);
        assert_eq!(own.load_spirv("a"), Some(vec![2]));
        assert!(fs::symlink_metadata(&file).unwrap().is_file() && elsewhere.exists());
        // nor is a folder that is a link a cache
        let link = folder.path().join("other");
        fs::create_dir(&link).unwrap();
        symlink(&at, link.join("kernels")).unwrap();
        assert_eq!(cache(&link).load_spirv("a"), None);
    }
}
