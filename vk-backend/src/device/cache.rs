//! Compiled kernels on disk: the SPIR-V of each source text, and the driver's pipeline cache.
//!
//! A cache may vanish, be written by two processes at once or be cut short by a full disk; then it is as if it were empty. Nothing here fails.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder, or no cache.
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    pub(super) fn new(folder: Option<PathBuf>) -> Cache {
        Cache { folder }
    }

    /// The SPIR-V that was saved for a source text.
    pub(super) fn load_spirv(&self, source: &str) -> Option<Vec<u32>> {
        let payload = load(&self.spirv_file(source)?)?;
        // The file repeats the text: equal hashes are not trusted.
        let spirv = payload.strip_prefix(source.as_bytes())?.strip_prefix(&[0])?;
        let words = spirv.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        (spirv.len().is_multiple_of(4)).then(|| words.collect())
    }

    /// Saves the SPIR-V of a source text.
    pub(super) fn save_spirv(&self, source: &str, spirv: &[u32]) {
        let Some(file) = self.spirv_file(source) else { return };
        let mut payload = source.as_bytes().to_vec();
        payload.push(0);
        payload.extend(spirv.iter().flat_map(|word| word.to_le_bytes()));
        save(&file, &payload);
    }

    /// The pipeline cache's data that was saved for a device and driver of that fingerprint; else nothing.
    pub(super) fn load_pipelines(&self, fingerprint: &[u8]) -> Vec<u8> {
        self.pipeline_file(fingerprint).and_then(|file| load(&file)).unwrap_or_default()
    }

    /// Saves the pipeline cache's data.
    pub(super) fn save_pipelines(&self, fingerprint: &[u8], data: &[u8]) {
        if let Some(file) = self.pipeline_file(fingerprint) {
            save(&file, data);
        }
    }

    fn spirv_file(&self, source: &str) -> Option<PathBuf> {
        let key = fnv1a(super::kernels::COMPILED_WITH.bytes().chain(source.bytes()));
        Some(self.folder.as_ref()?.join(format!("{key:032x}.spirv")))
    }

    fn pipeline_file(&self, fingerprint: &[u8]) -> Option<PathBuf> {
        let key = fnv1a(fingerprint.iter().copied());
        Some(self.folder.as_ref()?.join(format!("{key:032x}.pipelines")))
    }
}

/// A file's payload, if its checksum is right.
fn load(file: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(file).ok()?;
    let (sum, payload) = bytes.split_at_checked(16)?;
    (sum == fnv1a(payload.iter().copied()).to_le_bytes()).then(|| payload.to_vec())
}

/// Writes a file in one step, so that no reader sees half of it.
fn save(file: &Path, payload: &[u8]) {
    let write = || {
        fs::create_dir_all(file.parent()?).ok()?;
        let temporary = file.with_extension(format!("{}.new", std::process::id()));
        let sum = fnv1a(payload.iter().copied()).to_le_bytes();
        fs::write(&temporary, [&sum, payload].concat()).ok()?;
        fs::rename(&temporary, file).ok()
    };
    // A cache that cannot be written is no failure: see above.
    let _: Option<()> = write();
}

/// The FNV-1a hash, 128 bits wide (draft-eastlake-fnv, section 5).
fn fnv1a(bytes: impl Iterator<Item = u8>) -> u128 {
    bytes.fold(0x6c62272e07bb0142_62b821756295c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000000001000000_000000000000013b)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("futi-vk-cache-{}-{name}", std::process::id()))
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = folder("loaded");
        let cache = Cache::new(Some(folder.clone()));
        assert_eq!(cache.load_spirv("a"), None);
        cache.save_spirv("a", &[1, 0xffff_ffff]);
        assert_eq!(cache.load_spirv("a"), Some(vec![1, 0xffff_ffff]));
        assert_eq!(cache.load_spirv("b"), None);
        cache.save_pipelines(b"this", b"data");
        assert_eq!(cache.load_pipelines(b"this"), b"data");
        assert_eq!(cache.load_pipelines(b"that"), b"");
        assert_eq!(Cache::new(None).load_pipelines(b"this"), b"");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_damaged_file_is_as_good_as_none() {
        let folder = folder("damaged");
        let cache = Cache::new(Some(folder.clone()));
        cache.save_spirv("a", &[7; 9]);
        let file = cache.spirv_file("a").unwrap();
        let good = fs::read(&file).unwrap();
        for damaged in [&good[..good.len() - 4], &good[..3], &[&good[..20], &[9], &good[21..]].concat()] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(cache.load_spirv("a"), None);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_hash_is_fnv1a() {
        // The published offset basis is the hash of nothing; that of "a" is also in the draft's table of test vectors.
        assert_eq!(fnv1a([].into_iter()), 0x6c62272e07bb0142_62b821756295c58d);
        assert_eq!(fnv1a([b'a'].into_iter()), 0xd228cb696f1a8caf_78912b704e4a8964);
    }
}
