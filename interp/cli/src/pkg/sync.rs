//! The folder `lib/`: what packages have put there is replaced, what is the user's own stays.

// Note [Files of packages]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Which files below `lib/` are of packages is written down there, in `RECORD`: only these are ever replaced or taken away. A file that is in the way and not
// written down may be the user's own, and ends everything, unless it is already what it is to be. All new files are beside `lib/` before the first change. Then
// old ones are moved out and new ones in, each by renaming it, and each step is noted; if one fails, those before it are undone, the last one first. Should that
// fail, too, the folder with the old files is left and named. Links are not followed: they may lead out of `lib/`, and whoever wrote the program that is checked
// out here may have made them.

use super::name::is_harmless;
use crate::failure::Failure;
use crate::files::{self, io};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Lists the files of packages in `lib/`, one a line.
const RECORD: &str = ".futi-pkg";

/// A temporary folder beside `lib/`.
///
/// # Errors
/// It cannot be made.
pub fn beside(root: &Path) -> Result<TempDir, Failure> {
    tempfile::Builder::new().prefix(".futi-pkg-").tempdir_in(root).map_err(|e| io(root, e))
}

/// Makes the files of packages in `lib/` those that are wanted, by their paths below it: all, or if that fails none.
///
/// # Errors
/// A file cannot be written, or one that is no package's is in the way.
pub fn replace(root: &Path, temporary: TempDir, wanted: &BTreeMap<String, Vec<u8>>) -> Result<(), Failure> {
    let lib = root.join("lib");
    let mut change = Change { old: temporary.path().join("old"), done: vec![], lib };
    let new = temporary.path().join("new");
    let recorded = change.recorded()?;
    if wanted.is_empty() && recorded.is_empty() {
        return Ok(());
    }
    stage(&new, wanted)?;
    fs::create_dir(&change.old).map_err(|e| io(&change.old, e))?;
    match change.apply(&new, wanted, &recorded) {
        Ok(()) => Ok(()),
        Err(failure) => match change.undo() {
            Ok(()) => Err(failure),
            Err(e) => {
                failure.report();
                let kept = temporary.keep();
                Err(Failure::Io(format!(
                    "and that could not be undone: {e}; what was in lib is in {}",
                    kept.join("old").display()
                )))
            }
        },
    }
}

/// Writes all files to a folder.
fn stage(new: &Path, wanted: &BTreeMap<String, Vec<u8>>) -> Result<(), Failure> {
    let record: String = wanted.keys().flat_map(|path| [path, "\n"]).collect();
    let record = (RECORD.to_string(), record.into_bytes());
    for (path, contents) in wanted.iter().chain([(&record.0, &record.1)]) {
        let path = new.join(path);
        let folder = path.parent().unwrap_or(new);
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, contents)).map_err(|e| io(&path, e))?;
    }
    Ok(())
}

/// What has been done to the file system, so that it can be undone.
enum Step {
    /// A file was moved from its place below `lib/` to the same place among the old files.
    Out(PathBuf),
    /// A new file was put to this place.
    In(PathBuf),
    /// A folder was made.
    Made(PathBuf),
    /// An empty folder was taken away.
    Gone(PathBuf),
}

struct Change {
    lib: PathBuf,
    /// Where the old files are moved to.
    old: PathBuf,
    done: Vec<Step>,
}

/// What is in a place.
enum Found {
    Nothing,
    Folder,
    File,
    /// A link, or something else.
    Other,
}

fn found(path: &Path) -> Result<Found, Failure> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(Found::Folder),
        Ok(metadata) if metadata.is_file() => Ok(Found::File),
        Ok(_) => Ok(Found::Other),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Found::Nothing),
        Err(e) => Err(io(path, e)),
    }
}

impl Change {
    /// The files of packages that are written down.
    fn recorded(&self) -> Result<BTreeSet<String>, Failure> {
        self.is_folder(&self.lib)?;
        let path = self.lib.join(RECORD);
        match found(&path)? {
            Found::Nothing => return Ok(BTreeSet::new()),
            Found::File => {}
            _ => return Err(in_the_way(&path)),
        }
        let text = files::read(&path)?;
        match text.lines().find(|line| !is_harmless(line)) {
            None => Ok(text.lines().map(str::to_string).collect()),
            Some(line) => Err(Failure::Io(format!("{}: {line:?} is no file of a package", path.display()))),
        }
    }

    /// The folders in which a path below `lib/` is, from `lib/` on.
    fn folders(&self, path: &str) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = Path::new(path).ancestors().skip(1).map(|p| self.lib.join(p)).collect();
        folders.reverse();
        folders
    }

    /// Whether a folder is there, and not something else.
    fn is_folder(&self, path: &Path) -> Result<bool, Failure> {
        match found(path)? {
            Found::Folder => Ok(true),
            Found::Nothing => Ok(false),
            Found::File | Found::Other => Err(in_the_way(path)),
        }
    }

    fn apply(
        &mut self,
        new: &Path,
        wanted: &BTreeMap<String, Vec<u8>>,
        recorded: &BTreeSet<String>,
    ) -> Result<(), Failure> {
        for path in recorded {
            if !wanted.get(path).is_some_and(|contents| self.is_there(path, contents)) {
                self.take_out(path)?;
            }
        }
        self.take_out(RECORD)?;
        for (path, contents) in wanted {
            if !self.is_there(path, contents) {
                self.put_in(path, &new.join(path))?;
            }
        }
        if !wanted.is_empty() {
            self.put_in(RECORD, &new.join(RECORD))?;
        }
        Ok(())
    }

    /// Whether a file is there as it is to be.
    fn is_there(&self, path: &str, contents: &[u8]) -> bool {
        let in_folders = self.folders(path).iter().all(|folder| matches!(found(folder), Ok(Found::Folder)));
        let path = self.lib.join(path);
        in_folders && matches!(found(&path), Ok(Found::File)) && fs::read(path).is_ok_and(|there| there == contents)
    }

    /// Moves a file that is a package's out, if it is still there, and takes the folders away that are empty then.
    fn take_out(&mut self, path: &str) -> Result<(), Failure> {
        for folder in self.folders(path) {
            if !self.is_folder(&folder)? {
                return Ok(());
            }
        }
        let (from, to) = (self.lib.join(path), self.old.join(path));
        if !matches!(found(&from)?, Found::File) {
            return Ok(());
        }
        let folder = to.parent().unwrap_or(&self.old);
        fs::create_dir_all(folder).and_then(|()| fs::rename(&from, &to)).map_err(|e| io(&from, e))?;
        self.done.push(Step::Out(path.into()));
        for folder in self.folders(path).into_iter().rev() {
            // it fails where something is in there
            if fs::remove_dir(&folder).is_err() {
                break;
            }
            self.done.push(Step::Gone(folder));
        }
        Ok(())
    }

    /// Puts a new file in.
    fn put_in(&mut self, path: &str, new: &Path) -> Result<(), Failure> {
        for folder in self.folders(path) {
            if !self.is_folder(&folder)? {
                fs::create_dir(&folder).map_err(|e| io(&folder, e))?;
                self.done.push(Step::Made(folder));
            }
        }
        let place = self.lib.join(path);
        if !matches!(found(&place)?, Found::Nothing) {
            return Err(in_the_way(&place));
        }
        fs::rename(new, &place).map_err(|e| io(&place, e))?;
        self.done.push(Step::In(place));
        Ok(())
    }

    /// Makes everything as it was.
    fn undo(&mut self) -> std::io::Result<()> {
        while let Some(step) = self.done.pop() {
            match step {
                Step::Out(path) => fs::rename(self.old.join(&path), self.lib.join(&path))?,
                Step::In(path) => fs::remove_file(path)?,
                Step::Made(folder) => fs::remove_dir(folder)?,
                Step::Gone(folder) => fs::create_dir(folder)?,
            }
        }
        Ok(())
    }
}

fn in_the_way(path: &Path) -> Failure {
    Failure::Io(format!("{} is in the way, and of no package: move it; nothing has been changed", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wanted, by path and text.
    fn wanted(files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        files.iter().map(|(path, text)| (path.to_string(), text.as_bytes().to_vec())).collect()
    }

    fn change(root: &Path, files: &[(&str, &str)]) -> Result<(), String> {
        replace(root, beside(root).unwrap(), &wanted(files)).map_err(|e| format!("{e:?}"))
    }

    /// All files below a folder with their texts, and all empty folders.
    fn below(folder: &Path) -> Vec<(String, String)> {
        let mut all = vec![];
        let mut open = vec![folder.to_path_buf()];
        while let Some(path) = open.pop() {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                let inside: Vec<PathBuf> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()).collect();
                if inside.is_empty() && path != folder {
                    all.push((name, String::new()));
                }
                open.extend(inside);
            } else {
                all.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
        all.sort();
        all
    }

    fn pairs(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
    }

    #[test]
    fn files_come_change_and_go() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        change(root, &[("p/a", "1"), ("p/q/b", "2")]).unwrap();
        assert_eq!(below(root), pairs(&[("lib/.futi-pkg", "p/a\np/q/b\n"), ("lib/p/a", "1"), ("lib/p/q/b", "2")]));
        fs::write(root.join("lib/p/mine"), "mine").unwrap();
        // a folder becomes a file, a file a folder
        change(root, &[("p/a/c", "3"), ("p/q", "4")]).unwrap();
        let expected =
            [("lib/.futi-pkg", "p/a/c\np/q\n"), ("lib/p/a/c", "3"), ("lib/p/mine", "mine"), ("lib/p/q", "4")];
        assert_eq!(below(root), pairs(&expected));
        change(root, &[]).unwrap();
        assert_eq!(below(root), pairs(&[("lib/p/mine", "mine")]));
        fs::remove_file(root.join("lib/p/mine")).unwrap();
        change(root, &[]).unwrap();
        assert_eq!(below(root), pairs(&[("lib/p", "")]));
    }

    #[test]
    fn what_fails_changes_nothing() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        change(root, &[("p/a", "1"), ("p/q/b", "2")]).unwrap();
        fs::write(root.join("lib/z"), "mine").unwrap();
        let before = below(root);
        for in_the_way in ["z", "z/y"] {
            let said = change(root, &[("n/a", "3"), ("p/a", "4"), (in_the_way, "5")]).unwrap_err();
            assert!(said.contains("lib/z is in the way"), "{said}");
            assert_eq!(below(root), before);
        }
        // as it is to be, it may stay, and is a package's from now on
        change(root, &[("z", "mine")]).unwrap();
        change(root, &[]).unwrap();
        assert_eq!(below(root), vec![]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (root, outside) = (root.path(), outside.path());
        fs::write(outside.join("a"), "theirs").unwrap();
        fs::create_dir(root.join("lib")).unwrap();
        symlink(outside, root.join("lib/p")).unwrap();
        let said = change(root, &[("p/b", "1")]).unwrap_err();
        assert!(said.contains("lib/p is in the way"), "{said}");
        // nor for what a record says
        for record in ["p/a\n", "../a\n", "/a\n"] {
            fs::write(root.join("lib/.futi-pkg"), record).unwrap();
            change(root, &[("q", "1")]).unwrap_err();
        }
        fs::remove_dir_all(root.join("lib")).unwrap();
        symlink(outside, root.join("lib")).unwrap();
        change(root, &[("q", "1")]).unwrap_err();
        assert_eq!(below(outside), pairs(&[("a", "theirs")]));
    }
}
