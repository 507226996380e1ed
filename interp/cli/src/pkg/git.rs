//! What is asked of git: the versions of a repository, and what is in one of them.
//!
//! Nothing of a repository is checked out. Its files are read from git's objects, so that links, attributes, hooks and names that lead elsewhere have no effect;
//! the answers come from strangers and are looked at like input.

use crate::failure::Failure;
use semver::Version;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The versions of a package with their commits.
pub type Versions = BTreeMap<Version, String>;

/// The versions that a repository has: its tags `vX.Y.Z`.
///
/// # Errors
/// Git fails.
pub fn versions(remote: &str) -> Result<Versions, Failure> {
    let answer = git(None, &["ls-remote", "--tags", "--quiet", "--", remote], remote)?;
    let mut versions = Versions::new();
    for line in String::from_utf8_lossy(&answer).lines() {
        let Some((commit, tag)) = line.split_once("\trefs/tags/v") else { continue };
        // of a tag with a message, the commit comes second, behind the tag itself
        let tag = tag.strip_suffix("^{}").unwrap_or(tag);
        if let Ok(version) = Version::parse(tag) {
            versions.insert(version, commit.to_string());
        }
    }
    Ok(versions)
}

/// A repository of our own, into which versions of others are fetched.
pub struct Store {
    folder: PathBuf,
    /// How many have been fetched.
    fetched: usize,
}

/// A file in a commit.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// The name of its contents.
    object: String,
}

/// What an entry of a commit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A repository in the repository.
    Submodule,
}

impl Store {
    /// A new one, in a folder that is not there yet.
    ///
    /// # Errors
    /// Git fails.
    pub fn new(folder: PathBuf) -> Result<Store, Failure> {
        // without a template there are no hooks
        let arguments = ["init", "--quiet", "--bare", "--template="].map(OsStr::new);
        let arguments: Vec<&OsStr> = arguments.into_iter().chain([OsStr::new("--"), folder.as_os_str()]).collect();
        git(None, &arguments, "a temporary repository")?;
        Ok(Store { folder, fetched: 0 })
    }

    /// Fetches a version; gives its commit.
    ///
    /// # Errors
    /// Git fails.
    pub fn fetch(&mut self, remote: &str, version: &Version) -> Result<String, Failure> {
        self.fetched += 1;
        let name = format!("refs/futi/{}", self.fetched);
        let what = format!("+refs/tags/v{version}:{name}");
        let options = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", remote, &what];
        git(Some(&self.folder), &options, remote)?;
        let commit = ["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")];
        let commit = git(Some(&self.folder), &commit, remote)?;
        Ok(String::from_utf8_lossy(&commit).trim().to_string())
    }

    /// The entries of a commit at a path: the one file, or with `/` at its end all below a folder, by their paths in there.
    ///
    /// # Errors
    /// Git fails, or a path is no text.
    pub fn entries(&self, commit: &str, path: &str) -> Result<Vec<Entry>, Failure> {
        let options = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, "--", path];
        let answer = git(Some(&self.folder), &options, path)?;
        let odd = || Failure::Io(format!("{path}: the name of a file is no text in UTF-8"));
        let answer = String::from_utf8(answer).map_err(|_| odd())?;
        Ok(answer.split_terminator('\0').filter_map(|line| entry(line, path)).collect())
    }

    /// What is in a file; of a link, where it leads.
    ///
    /// # Errors
    /// Git fails.
    pub fn contents(&self, entry: &Entry) -> Result<Vec<u8>, Failure> {
        git(Some(&self.folder), &["cat-file", "blob", &entry.object], &entry.path)
    }
}

/// Reads `MODE TYPE OBJECT`, a tabulator, the path.
fn entry(line: &str, folder: &str) -> Option<Entry> {
    let (about, path) = line.split_once('\t')?;
    let mut about = about.split(' ');
    let (mode, object) = (about.next()?, about.nth(1)?);
    let kind = match mode {
        "120000" => Kind::Link,
        "160000" => Kind::Submodule,
        _ => Kind::File,
    };
    let below = if folder.ends_with('/') { path.strip_prefix(folder)? } else { path };
    Some(Entry { path: below.to_string(), kind, object: object.to_string() })
}

/// What tells git of another repository than the one that is meant: we may run in one of its hooks.
const ELSEWHERE: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// Runs git, on a repository; gives what it writes. `about` is what its failure is about.
fn git(repository: Option<&Path>, arguments: &[impl AsRef<OsStr>], about: &str) -> Result<Vec<u8>, Failure> {
    let mut command = Command::new("git");
    // what tidies up would go on behind our back
    command.args(["-c", "gc.auto=0", "-c", "maintenance.auto=false"]);
    if let Some(repository) = repository {
        command.arg("--git-dir").arg(repository);
    }
    for name in ELSEWHERE {
        command.env_remove(name);
    }
    // a repository that is not there must not end in a question for a password
    command.args(arguments).env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C").stdin(Stdio::null());
    let output = command.output().map_err(|e| match e.kind() {
        ErrorKind::NotFound => {
            Failure::Io("there is no `git` here; packages are fetched with it: install it".to_string())
        }
        _ => Failure::Io(format!("git cannot be run: {e}")),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let fatal = said.lines().find(|line| line.starts_with("fatal: ") || line.starts_with("error: "));
    let why = fatal.or(said.lines().last()).unwrap_or("it failed");
    Err(Failure::Io(format!("{about}: git says: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read() {
        let file = |path: &str, kind| Some(Entry { path: path.into(), kind, object: "0a".into() });
        assert_eq!(entry("100644 blob 0a\tlib/a/b.fut", "lib/a/"), file("b.fut", Kind::File));
        assert_eq!(entry("100755 blob 0a\tfuthark.pkg", "futhark.pkg"), file("futhark.pkg", Kind::File));
        assert_eq!(entry("120000 blob 0a\tlib/a/l", "lib/a/"), file("l", Kind::Link));
        assert_eq!(entry("160000 commit 0a\tlib/a/s", "lib/a/"), file("s", Kind::Submodule));
        assert_eq!(entry("nothing", "lib/a/"), None);
    }
}
