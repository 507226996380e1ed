//! Packages as they are in their repositories.

use super::git::{self, Kind, Store, Versions};
use super::manifest::{self, Manifest, Require};
use super::name::{Name, is_harmless};
use crate::failure::Failure;
use futi_core::source::text;
use semver::Version;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where packages come from.
pub struct Remotes {
    /// Below this folder a repository may be that takes the place of the one in the network.
    root: PathBuf,
    /// The versions of those that were asked for theirs.
    known: BTreeMap<Name, Versions>,
}

impl Remotes {
    /// Those of a package at `root`.
    pub fn new(root: &Path) -> Remotes {
        Remotes { root: root.to_path_buf(), known: BTreeMap::new() }
    }

    /// The folder of a repository that is called like the package, if there is one.
    fn folder(&self, name: &Name) -> Option<PathBuf> {
        let folder = self.root.join(name.repository());
        let is_repository = folder.join(".git").exists() || folder.join("HEAD").is_file();
        (!name.is_url() && is_repository).then_some(folder)
    }

    /// Whether it comes from the file system.
    fn is_local(&self, name: &Name) -> bool {
        name.is_url() || self.folder(name).is_some()
    }

    /// What git is to be given.
    fn remote(&self, name: &Name) -> String {
        match self.folder(name) {
            Some(folder) => folder.to_string_lossy().into_owned(),
            None if name.is_url() => name.repository().to_string(),
            None => format!("https://{}", name.repository()),
        }
    }

    /// The versions that there are of a package.
    ///
    /// # Errors
    /// Git fails.
    pub fn versions(&mut self, name: &Name) -> Result<&Versions, Failure> {
        if !self.known.contains_key(name) {
            let mut versions = git::versions(&self.remote(name))?;
            versions.retain(|version, _| name.has(version));
            self.known.insert(name.clone(), versions);
        }
        Ok(&self.known[name])
    }

    /// The commit of a version, or what is wrong with asking for it.
    ///
    /// # Errors
    /// Git fails.
    pub fn commit(
        &mut self,
        name: &Name,
        version: &Version,
        hash: Option<&str>,
    ) -> Result<Result<String, String>, Failure> {
        let Some(commit) = self.versions(name)?.get(version) else {
            return Ok(Err(format!("{name} has no version {version}{}", self.others(name)?)));
        };
        Ok(match hash {
            Some(hash) if hash != commit => {
                Err(format!("version {version} of {name} is no longer what it was: its commit is {commit}, not {hash}"))
            }
            _ => Ok(commit.clone()),
        })
    }

    /// The newest version; of those only that are no trials, unless there are no others.
    ///
    /// # Errors
    /// Git fails, or there is no version.
    pub fn newest(&mut self, name: &Name) -> Result<(Version, String), Failure> {
        let versions = self.versions(name)?;
        let newest = versions.iter().rfind(|(version, _)| version.pre.is_empty()).or(versions.iter().next_back());
        match newest {
            Some((version, commit)) => Ok((version.clone(), commit.clone())),
            None => Err(Failure::Io(format!("{name} has no version: no tag vX.Y.Z{}", self.others(name)?))),
        }
    }

    /// Which versions there are, to be said of one that there is not.
    fn others(&mut self, name: &Name) -> Result<String, Failure> {
        const SHOWN: usize = 5;
        let own = self.versions(name)?;
        let newest: Vec<String> = own.keys().rev().take(SHOWN).map(Version::to_string).collect();
        Ok(match newest.is_empty() {
            false => format!("; the newest are {}", newest.join(", ")),
            true if name.repository() == name.as_str() => {
                "; from version 2 on, `@2` stands behind its path".to_string()
            }
            true => String::new(),
        })
    }
}

/// A version of a package that has been fetched.
pub struct Package {
    /// What it is called: the folder of its files in `lib/`.
    pub name: Name,
    /// Its commit.
    commit: String,
    /// What it requires.
    requires: Vec<Require>,
}

/// Versions of packages that have been fetched.
pub struct Packages {
    remotes: Remotes,
    store: Store,
    fetched: BTreeMap<(Name, Version), Package>,
}

impl Packages {
    /// None yet; they are fetched into a folder that is not there yet.
    ///
    /// # Errors
    /// Git fails.
    pub fn new(remotes: Remotes, folder: PathBuf) -> Result<Packages, Failure> {
        Ok(Packages { remotes, store: Store::new(folder)?, fetched: BTreeMap::new() })
    }

    /// What a version of a package requires; it is fetched, if it is not here.
    ///
    /// # Errors
    /// There is no such version, it has another commit, or it is no package.
    pub fn requires(&mut self, require: &Require) -> Result<Vec<Require>, Failure> {
        let Require { name, version, commit, .. } = require;
        let commit = self.remotes.commit(name, version, commit.as_deref())?.map_err(Failure::Io)?;
        let key = (name.clone(), version.clone());
        if !self.fetched.contains_key(&key) {
            let package = self.fetch(name, version, commit)?;
            self.fetched.insert(key.clone(), package);
        }
        Ok(self.fetched[&key].requires.clone())
    }

    /// One that has been fetched.
    pub fn get(&self, name: &Name, version: &Version) -> Option<&Package> {
        self.fetched.get(&(name.clone(), version.clone()))
    }

    fn fetch(&mut self, name: &Name, version: &Version, commit: String) -> Result<Package, Failure> {
        if self.store.fetch(&self.remotes.remote(name), version)? != commit {
            return Err(Failure::Io(format!("version {version} of {name} has changed just now; try again")));
        }
        let of = format!("{name} {version}");
        let entries = self.store.entries(&commit, manifest::FILE)?;
        let Some(entry) = entries.iter().find(|e| e.path == manifest::FILE && e.kind == Kind::File) else {
            return Err(Failure::Io(format!("{of} is no package: it has no {}", manifest::FILE)));
        };
        let text =
            text(self.store.contents(entry)?).map_err(|e| Failure::Io(format!("{of}, {}: {e}", manifest::FILE)))?;
        let manifest = Manifest::parse(&text).map_err(|e| e.failure(&of))?;
        if let Some(require) = manifest.requires.iter().find(|r| r.name.is_url() && !self.remotes.is_local(name)) {
            // whoever publishes a package knows nothing of our file system
            return Err(require.place.failure(&of, &"what is fetched may not require what is in the file system"));
        }
        match manifest.package {
            Some(own) if name.is_url() || own == *name => {
                Ok(Package { name: own, commit, requires: manifest.requires })
            }
            Some(own) => Err(manifest.package_place.failure(&of, &format!("it is called {own}"))),
            None => {
                Err(Failure::Io(format!("{of} is no package: its {} does not say what it is called", manifest::FILE)))
            }
        }
    }

    /// The files of a package, by their paths below `lib/`.
    ///
    /// # Errors
    /// There are none, or one that could do harm.
    pub fn files(&self, package: &Package) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let Package { name, commit, .. } = package;
        let wrong = |path: &str, what: &str| Failure::Io(format!("{name}: its file {path:?} {what}"));
        let entries = self.store.entries(commit, &format!("lib/{name}/"))?;
        if entries.is_empty() {
            return Err(Failure::Io(format!("{name} has no files in lib/{name}")));
        }
        let mut files = vec![];
        for entry in &entries {
            if !is_harmless(&entry.path) {
                return Err(wrong(&entry.path, "has a name that could do harm"));
            }
            let contents = self.store.contents(entry)?;
            let contents = match entry.kind {
                Kind::File => contents,
                Kind::Submodule => return Err(wrong(&entry.path, "is another repository")),
                Kind::Link => {
                    let target = String::from_utf8_lossy(&contents).into_owned();
                    let target = linked(&entry.path, &target);
                    let found = target.and_then(|t| entries.iter().find(|e| e.path == t && e.kind == Kind::File));
                    let found =
                        found.ok_or_else(|| wrong(&entry.path, "is a link, and not to a file of the package"))?;
                    self.store.contents(found)?
                }
            };
            files.push((format!("{name}/{}", entry.path), contents));
        }
        Ok(files)
    }
}

/// The path in the same package to which a link leads; none if it leads outside.
fn linked(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    if target.starts_with('/') {
        return None;
    }
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_in_the_package() {
        let linked = |from: &str, target: &str| linked(from, target);
        assert_eq!(linked("a/l", "../b/c.fut"), Some("b/c.fut".into()));
        assert_eq!(linked("l", "./a//b.fut"), Some("a/b.fut".into()));
        assert_eq!(linked("a/l", "../../x"), None);
        assert_eq!(linked("l", "/etc/passwd"), None);
    }
}
