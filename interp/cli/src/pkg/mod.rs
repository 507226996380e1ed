//! `futi pkg`: the packages that a program imports.
//!
//! The manifest `futhark.pkg` says which (`manifest`), `solve` in which versions, `packages` has what is in them, which `git` fetches, and `sync` puts
//! their files to `lib/`.

mod git;
mod manifest;
mod name;
mod packages;
mod solve;
mod sync;

use crate::failure::{DIAGNOSTICS, Failure};
use crate::files::{self, io};
use crate::say;
use futi_core::source::printable;
use manifest::Manifest;
use name::Name;
use packages::{Packages, Remotes};
use semver::Version;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Manage the packages that a program imports: `futhark.pkg` says which, and `lib/` has their files.
///
/// A package is a git repository with tags vX.Y.Z. Its path is where it is, `github.com/user/name`, and its files are in `lib/github.com/user/name` of the
/// repository; its own `futhark.pkg` says what it requires. Of a package that several require, the highest of the versions that they name is taken.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Require a package in `futhark.pkg`, or a newer version of it; `futi pkg sync` fetches it then.
    Add {
        /// Its path: `github.com/user/name`, with `@N` behind it from version 2 on; or `file:///folder`, a repository here.
        #[arg(allow_hyphen_values = true)]
        path: String,
        /// The least version that will do; the newest one without it.
        version: Option<String>,
    },
    /// Require a package no longer.
    Remove {
        /// Its path.
        #[arg(allow_hyphen_values = true)]
        path: String,
    },
    /// Fetch what `futhark.pkg` requires, and make `lib/` exactly that. Your own files there stay.
    Sync,
    /// Check that `futhark.pkg` can be read, that the versions in it exist, and that this package has files.
    Check,
    /// Make this folder a package.
    Init {
        /// What it is called: where it will be published.
        #[arg(allow_hyphen_values = true)]
        path: String,
    },
}

/// Runs the subcommand.
pub fn pkg(args: Args) -> Result<(), Failure> {
    let root = std::env::current_dir().map_err(|e| Failure::Io(format!("the working folder: {e}")))?;
    match args.command {
        Command::Add { path, version } => add(&root, &name(&path)?, version.as_deref()),
        Command::Remove { path } => remove(&root, &name(&path)?),
        Command::Sync => sync(&root),
        Command::Check => check(&root),
        Command::Init { path } => init(&root, &name(&path)?),
    }
}

/// Wrong usage: what an argument cannot be.
fn wrong(what: impl std::fmt::Display) -> Failure {
    Failure::Diagnostics(printable(&format!("futi: {what}")).into_owned())
}

fn name(path: &str) -> Result<Name, Failure> {
    Name::parse(path).map_err(|why| wrong(format!("`{}` is no path of a package: {why}", path.escape_debug())))
}

/// The manifest, if there is one.
fn manifest(root: &Path) -> Result<Option<Manifest>, Failure> {
    if !exists(&root.join(manifest::FILE))? {
        return Ok(None);
    }
    let text = files::read(Path::new(manifest::FILE))?;
    Manifest::parse(&text).map(Some).map_err(|e| e.failure(""))
}

fn exists(path: &Path) -> Result<bool, Failure> {
    path.try_exists().map_err(|e| io(path, e))
}

/// The manifest, which must be there.
fn existing(root: &Path) -> Result<Manifest, Failure> {
    manifest(root)?.ok_or_else(|| {
        Failure::Io(format!("there is no {} here: `futi pkg init` and `futi pkg add` make one", manifest::FILE))
    })
}

/// Writes a manifest where none is.
fn create(root: &Path, text: &str) -> Result<(), Failure> {
    let path = root.join(manifest::FILE);
    let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Failure::Io(format!("{} is there already", manifest::FILE)),
        _ => io(&path, e),
    })
}

fn add(root: &Path, name: &Name, version: Option<&str>) -> Result<(), Failure> {
    let before = manifest(root)?;
    let manifest = before.as_ref();
    if manifest.is_some_and(|m| m.package.as_ref() == Some(name)) {
        return Err(wrong(format!("{name} is this package itself")));
    }
    let (version, commit) = least(&mut Remotes::new(root), name, version)?;
    if let Some(old) = manifest.and_then(|m| m.requirement(name)).filter(|old| old.version > version) {
        return Err(Failure::Io(format!(
            "{name} {} is required, which is newer than {version}: to go back, remove it first",
            old.version
        )));
    }
    match manifest {
        Some(manifest) => files::replace(&root.join(manifest::FILE), &manifest.with(name, &version, &commit))?,
        None => create(root, &Manifest::default().with(name, &version, &commit))?,
    }
    say::out(format_args!("{name} {version}\n"))
}

/// The version that is to be required, and its commit.
fn least(remotes: &mut Remotes, name: &Name, version: Option<&str>) -> Result<(Version, String), Failure> {
    let Some(text) = version else { return remotes.newest(name) };
    let version = Version::parse(text).map_err(|_| wrong(format!("`{}` is no version, X.Y.Z", text.escape_debug())))?;
    if !name.has(&version) {
        let other = format!("{}@{}", name.repository(), version.major);
        return Err(wrong(format!("version {version} is one of {other}, not of {name}")));
    }
    let commit = remotes.commit(name, &version, None)?.map_err(Failure::Io)?;
    Ok((version, commit))
}

fn remove(root: &Path, name: &Name) -> Result<(), Failure> {
    let manifest = existing(root)?;
    match manifest.requirement(name) {
        Some(require) => files::replace(&root.join(manifest::FILE), &manifest.without(require)),
        None => Err(Failure::Io(format!("{name} is not required by {}", manifest::FILE))),
    }
}

fn init(root: &Path, name: &Name) -> Result<(), Failure> {
    if name.is_url() {
        return Err(wrong(format!("`{name}` is where a package is, not its path")));
    }
    create(root, &Manifest::named(name))?;
    let folder = root.join("lib").join(name.as_str());
    fs::create_dir_all(&folder).map_err(|e| io(&folder, e))
}

fn check(root: &Path) -> Result<(), Failure> {
    let manifest = existing(root)?;
    let mut remotes = Remotes::new(root);
    let mut wrong = vec![];
    if let Some(own) = &manifest.package
        && !root.join("lib").join(own.as_str()).is_dir()
    {
        let what = format!("its files are to be in lib/{own}, which is not there");
        wrong.push(manifest.package_place.failure("", &what));
    }
    for require in &manifest.requires {
        if let Err(why) = remotes.commit(&require.name, &require.version, require.commit.as_deref())? {
            wrong.push(require.place.failure("", &why));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    for failure in wrong {
        failure.report();
    }
    Err(Failure::Status(DIAGNOSTICS))
}

fn sync(root: &Path) -> Result<(), Failure> {
    let manifest = existing(root)?;
    let temporary = sync::beside(root)?;
    let (said, wanted) = fetched(root, &manifest, temporary.path().join("git"))?;
    sync::replace(root, temporary, &wanted)?;
    say::out(said)
}

/// The files of all packages, by their paths below `lib/`, with a line for each package.
fn fetched(root: &Path, manifest: &Manifest, folder: PathBuf) -> Result<(String, BTreeMap<String, Vec<u8>>), Failure> {
    let (mut said, mut wanted) = (String::new(), BTreeMap::new());
    if manifest.requires.is_empty() {
        return Ok((said, wanted));
    }
    let mut packages = Packages::new(Remotes::new(root), folder)?;
    let own = manifest.package.as_ref();
    let taken = solve::solve(&manifest.requires, own, |require| packages.requires(require))?;
    let mut names: Vec<&Name> = own.into_iter().collect();
    for (name, version) in &taken {
        let Some(package) = packages.get(name, version) else { continue };
        if let Some(other) = names.iter().find(|other| package.name.overlaps(other)) {
            return Err(Failure::Io(format!(
                "lib/{} and lib/{other} cannot both be folders of packages",
                package.name
            )));
        }
        names.push(&package.name);
        wanted.extend(packages.files(package)?);
        said.push_str(&format!("{name} {version}\n"));
    }
    Ok((said, wanted))
}
