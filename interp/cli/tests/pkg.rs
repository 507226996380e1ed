//! `futi pkg` as a person meets it. The repositories are local: what git asks of `https://` it gets from a folder, by a setting of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder of its own, in which there are repositories, `remotes/github.com/u/a`, and the program's own folder, `here`.
struct World {
    folder: PathBuf,
    /// Removes it.
    _temporary: TempDir,
}

impl World {
    fn new() -> World {
        // no part of a package's URL may begin with a point, as other temporary folders do
        let temporary = TempDir::with_prefix("futi-pkg-").unwrap();
        let folder = fs::canonicalize(&temporary).unwrap();
        fs::create_dir_all(folder.join("here")).unwrap();
        fs::create_dir_all(folder.join("remotes")).unwrap();
        World { folder, _temporary: temporary }
    }

    /// A path in the program's folder.
    fn here(&self, path: &str) -> PathBuf {
        self.folder.join("here").join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.here(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.here(path), text);
    }

    /// A command that runs there, for which the network is a folder.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.here("")).stdin(Stdio::null());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_VALUE_0", "https://");
        command.env("GIT_CONFIG_KEY_0", format!("url.file://{}/remotes/.insteadOf", self.folder.display()));
        command
    }

    /// Runs `futi pkg`; gives exit status, standard output, standard error.
    fn pkg(&self, args: &[&str]) -> (i32, String, String) {
        let out = self.command(env!("CARGO_BIN_EXE_futi")).arg("pkg").args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
    }

    /// The same of what fails, with one line.
    fn fails(&self, args: &[&str]) -> (i32, String) {
        let (code, out, err) = self.pkg(args);
        assert!(out.is_empty() && err.lines().count() == 1, "{args:?}: {out}{err}");
        (code, err)
    }

    fn repository(&self, name: &str) -> Repository {
        Repository::new(self.folder.join("remotes").join(name.split('@').next().unwrap()), name)
    }

    /// All files below the program's folder, by name.
    fn files(&self) -> Vec<String> {
        let (mut all, mut open) = (vec![], vec![self.here("")]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match fs::symlink_metadata(&path).unwrap().is_dir() {
                    true => open.push(path),
                    false => all.push(path.strip_prefix(self.here("")).unwrap().to_string_lossy().into_owned()),
                }
            }
        }
        all.sort();
        all
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A repository of a package.
struct Repository {
    folder: PathBuf,
    name: String,
}

impl Repository {
    fn new(folder: PathBuf, name: &str) -> Repository {
        fs::create_dir_all(&folder).unwrap();
        let repository = Repository { folder, name: name.to_string() };
        repository.git(&["init", "--quiet"]);
        repository
    }

    fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=u", "-c", "user.email=u@example.org", "-c", "core.protectNTFS=false"]);
        let out = command.args(args).current_dir(&self.folder).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap().trim().to_string()
    }

    /// A file of the package.
    fn file(&self, path: &str) -> PathBuf {
        self.folder.join("lib").join(&self.name).join(path)
    }

    /// Publishes a version that requires this, with a file that says which it is; gives its commit.
    fn version(&self, version: &str, requires: &str) -> String {
        write(&self.file("v.fut"), &format!("def v = \"{} {version}\"\n", self.name));
        write(&self.folder.join("futhark.pkg"), &format!("package {}\nrequire {{\n{requires}\n}}\n", self.name));
        self.publish(version)
    }

    /// Publishes what is there.
    fn publish(&self, version: &str) -> String {
        self.git(&["add", "--all"]);
        self.commit(version)
    }

    fn commit(&self, version: &str) -> String {
        self.git(&["commit", "--quiet", "--allow-empty", "-m", version]);
        self.git(&["tag", "-m", version, &format!("v{version}")]);
        self.git(&["rev-parse", "HEAD"])
    }
}

const A: &str = "github.com/u/a";
const B: &str = "github.com/u/b";
const D: &str = "github.com/u/d";

#[test]
fn packages_are_added_fetched_and_removed() {
    let world = World::new();
    let a = world.repository(A);
    a.version("0.9.0", "");
    let old = a.version("0.10.0", "");
    a.version("1.0.0-beta", "");
    // of a tag that is none, and of another major version, nothing is known here
    a.git(&["tag", "nightly"]);
    a.git(&["tag", "v3.0.0"]);
    a.git(&["tag", "v1.0"]);
    // 0.10 is newer than 0.9, and than no trial
    assert_eq!(world.pkg(&["add", A]), (0, format!("{A} 0.10.0\n"), "".into()));
    assert_eq!(world.read("futhark.pkg"), format!("require {{\n  {A} 0.10.0 #{old}\n}}\n"));
    assert!(!world.here("lib").exists());
    assert_eq!(world.pkg(&["sync"]), (0, format!("{A} 0.10.0\n"), "".into()));
    assert_eq!(world.read(&format!("lib/{A}/v.fut")), format!("def v = \"{A} 0.10.0\"\n"));
    // a program imports it
    world.write("main.fut", &format!("import \"lib/{A}/v\"\nentry main = v\n"));
    let run = world.command(env!("CARGO_BIN_EXE_futi")).args(["run", "main.fut"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));

    let new = a.version("1.1.0", "");
    assert_eq!(world.pkg(&["add", A, "1.1.0"]).0, 0);
    assert_eq!(world.read("futhark.pkg"), format!("require {{\n  {A} 1.1.0 #{new}\n}}\n"));
    // once more is the same
    assert_eq!(world.pkg(&["add", A]).0, 0);
    let (code, err) = world.fails(&["add", A, "0.9.0"]);
    assert_eq!(
        (code, err),
        (1, format!("futi: {A} 1.1.0 is required, which is newer than 0.9.0: to go back, remove it first\n"))
    );
    assert_eq!(world.pkg(&["sync"]).0, 0);
    assert_eq!(world.read(&format!("lib/{A}/v.fut")), format!("def v = \"{A} 1.1.0\"\n"));

    assert_eq!(world.pkg(&["remove", A]), (0, "".into(), "".into()));
    assert_eq!(world.read("futhark.pkg"), "require {\n}\n");
    assert_eq!(world.pkg(&["sync"]), (0, "".into(), "".into()));
    assert_eq!(world.files(), ["futhark.pkg", "main.fut"]);
    assert_eq!(world.fails(&["remove", A]), (1, format!("futi: {A} is not required by futhark.pkg\n")));
}

#[test]
fn versions_that_there_are_not() {
    let world = World::new();
    let a = world.repository(A);
    a.version("1.0.0", "");
    let (code, err) = world.fails(&["add", A, "1.2.0"]);
    assert_eq!((code, err), (1, format!("futi: {A} has no version 1.2.0; the newest are 1.0.0\n")));
    for version in ["1.0", "v1.0.0", "newest"] {
        assert_eq!(world.fails(&["add", A, version]).0, 2, "{version}");
    }
    let (code, err) = world.fails(&["add", A, "2.0.0"]);
    assert_eq!((code, err), (2, format!("futi: version 2.0.0 is one of {A}@2, not of {A}\n")));
    // no repository, and one without versions
    let (code, err) = world.fails(&["add", B]);
    assert!(code == 1 && err.starts_with(&format!("futi: https://{B}: git says: fatal: ")), "{err}");
    world.repository(D);
    let (code, err) = world.fails(&["add", D]);
    assert!(code == 1 && err.starts_with(&format!("futi: {D} has no version: no tag vX.Y.Z")), "{err}");
    assert_eq!(world.files(), Vec::<String>::new());
}

#[test]
fn later_majors_are_packages_of_their_own() {
    let world = World::new();
    let a = world.repository(A);
    a.version("1.0.0", "");
    let a2 = Repository { folder: a.folder.clone(), name: format!("{A}@2") };
    a2.version("2.1.0", "");
    assert_eq!(world.pkg(&["add", A]).1, format!("{A} 1.0.0\n"));
    assert_eq!(world.pkg(&["add", &a2.name]).1, format!("{A}@2 2.1.0\n"));
    assert_eq!(world.pkg(&["sync"]).0, 0);
    assert!(world.read(&format!("lib/{A}/v.fut")).contains("1.0.0"));
    assert!(world.read(&format!("lib/{A}@2/v.fut")).contains("2.1.0"));
}

#[test]
fn of_a_diamond_the_highest_of_the_least_is_taken() {
    let world = World::new();
    let d = world.repository(D);
    for version in ["1.2.0", "1.10.0", "1.11.0"] {
        d.version(version, "");
    }
    world.repository(A).version("1.0.0", &format!("{D} 1.2.0"));
    world.repository(B).version("1.0.0", &format!("{D} 1.10.0 -- {A} is not required\n"));
    for order in [[A, B], [B, A]] {
        let _ = fs::remove_file(world.here("futhark.pkg"));
        order.iter().for_each(|name| assert_eq!(world.pkg(&["add", name]).0, 0));
        let expected = format!("{A} 1.0.0\n{B} 1.0.0\n{D} 1.10.0\n");
        assert_eq!(world.pkg(&["sync"]), (0, expected, "".into()));
        assert!(world.read(&format!("lib/{D}/v.fut")).contains("1.10.0"));
    }
}

#[test]
fn manifests_keep_what_people_wrote() {
    let world = World::new();
    let (a, b) = (world.repository(A), world.repository(B));
    let (a, b) = (a.version("1.0.0", ""), b.version("1.0.0", ""));
    world.write(
        "futhark.pkg",
        &format!("-- ours\r\npackage me\r\nrequire {{ -- what we need\r\n\t{B} 0.9.0 -- why\r\n}}\r\n"),
    );
    assert_eq!(world.pkg(&["add", A]).0, 0);
    assert_eq!(world.pkg(&["add", B]).0, 0);
    let expected = format!(
        "-- ours\r\npackage me\r\nrequire {{ -- what we need\r\n\t{B} 1.0.0 #{b} -- why\r\n  {A} 1.0.0 #{a}\r\n}}\r\n"
    );
    assert_eq!(world.read("futhark.pkg"), expected);
    assert_eq!(world.pkg(&["sync"]).1, format!("{A} 1.0.0\n{B} 1.0.0\n"));
    assert_eq!(world.pkg(&["remove", A]).0, 0);
    assert_eq!(world.pkg(&["remove", B]).0, 0);
    let expected = "-- ours\r\npackage me\r\nrequire {{ -- what we need\r\n\t-- why\r\n}}\r\n"
        .replace("{{", "{")
        .replace("}}", "}");
    assert_eq!(world.read("futhark.pkg"), expected);
}

#[test]
fn a_sync_that_fails_changes_nothing() {
    let world = World::new();
    let (a, b) = (world.repository(A), world.repository(B));
    a.version("1.0.0", "");
    b.version("1.0.0", "");
    world.pkg(&["add", A]);
    assert_eq!(world.pkg(&["sync"]).0, 0);
    world.write("lib/mine.fut", "def mine = 1\n");
    world.write(&format!("lib/{A}/mine.fut"), "def mine = 2\n");
    let before = world.files();
    let old = world.read(&format!("lib/{A}/v.fut"));
    let unchanged = |said: &str, code: i32| {
        let (got, err) = world.fails(&["sync"]);
        assert!(got == code && err.contains(said), "{err}");
        assert_eq!((world.files(), world.read(&format!("lib/{A}/v.fut"))), (before.clone(), old.clone()));
    };
    a.version("1.1.0", "");
    world.pkg(&["add", A]);
    // the second one is not there, or has no files, or requires what is not there
    let manifest = world.read("futhark.pkg");
    let required = |what: &str| world.write("futhark.pkg", &manifest.replace('}', &format!("{what}\n}}")));
    required(&format!("{B} 1.9.9"));
    unchanged("has no version 1.9.9", 1);
    required("github.com/u/nowhere 1.0.0");
    unchanged("git says: fatal: ", 1);
    b.version("1.1.0", &format!("{D} 1.0.0"));
    required(&format!("{B} 1.1.0"));
    unchanged(&format!("https://{D}: git says: "), 1);
    fs::remove_dir_all(b.folder.join("lib")).unwrap();
    write(&b.folder.join("futhark.pkg"), &format!("package {B}\n"));
    b.publish("1.2.0");
    required(&format!("{B} 1.2.0"));
    unchanged(&format!("{B} has no files in lib/{B}"), 1);
    // half of the files are there already when one is in the way
    world.write(&format!("lib/{B}/v.fut"), "def mine = 3\n");
    required(&format!("{B} 1.0.0"));
    let (code, err) = world.fails(&["sync"]);
    assert!(code == 1 && err.contains(&format!("lib/{B}/v.fut is in the way")), "{err}");
    assert_eq!(world.read(&format!("lib/{B}/v.fut")), "def mine = 3\n");
    assert_eq!(world.read(&format!("lib/{A}/v.fut")), old);
    fs::remove_file(world.here(&format!("lib/{B}/v.fut"))).unwrap();
    // then it goes on, and what is the user's own is as it was
    assert_eq!(world.pkg(&["sync"]).1, format!("{A} 1.1.0\n{B} 1.0.0\n"));
    assert!(world.read(&format!("lib/{A}/v.fut")).contains("1.1.0"));
    world.write("futhark.pkg", "");
    assert_eq!(world.pkg(&["sync"]).0, 0);
    assert_eq!(world.files(), ["futhark.pkg".to_string(), format!("lib/{A}/mine.fut"), "lib/mine.fut".to_string()]);
}

#[test]
fn a_version_stays_what_it_was() {
    let world = World::new();
    let a = world.repository(A);
    let first = a.version("1.0.0", "");
    world.pkg(&["add", A]);
    a.git(&["tag", "--delete", "v1.0.0"]);
    write(&a.file("other.fut"), "");
    let second = a.publish("1.0.0");
    let said = format!("version 1.0.0 of {A} is no longer what it was: its commit is {second}, not {first}");
    assert_eq!(world.fails(&["sync"]), (1, format!("futi: {said}\n")));
    assert_eq!(world.fails(&["check"]), (2, format!("futhark.pkg:2:3: {said}\n")));
    world.pkg(&["add", A]);
    assert_eq!((world.pkg(&["check"]).0, world.pkg(&["sync"]).0), (0, 0));
}

#[test]
fn local_repositories() {
    let world = World::new();
    // a folder that is called like the package takes the place of the network
    let a = Repository::new(world.here(A), A);
    a.version("1.0.0", "");
    assert_eq!(world.pkg(&["add", A]).1, format!("{A} 1.0.0\n"));
    // a repository somewhere else says itself what it is called
    let b = Repository::new(world.folder.join("elsewhere"), B);
    b.version("1.0.0", "");
    let url = format!("file://{}", b.folder.display());
    assert_eq!(world.pkg(&["add", &url]), (0, format!("{url} 1.0.0\n"), "".into()));
    assert_eq!(world.pkg(&["sync"]).0, 0);
    assert!(world.read(&format!("lib/{A}/v.fut")).contains(A) && world.read(&format!("lib/{B}/v.fut")).contains(B));
    assert_eq!(world.pkg(&["check"]).0, 0);
    // the same one under two names
    world.repository(B).version("1.0.0", "");
    assert_eq!(world.pkg(&["add", B]).0, 0);
    let (code, err) = world.fails(&["sync"]);
    assert!(code == 1 && err.contains("cannot both be folders of packages"), "{err}");
    // what is fetched may not look into the file system
    world.repository(D).version("1.0.0", &format!("  {url} 1.0.0"));
    world.write("futhark.pkg", &format!("require {{ {D} 1.0.0 }}"));
    let said = format!("{D} 1.0.0, futhark.pkg:3:3: what is fetched may not require what is in the file system\n");
    assert_eq!(world.fails(&["sync"]), (2, said));
}

#[test]
fn a_folder_becomes_a_package() {
    let world = World::new();
    assert_eq!(world.pkg(&["init", "github.com/me/x"]), (0, "".into(), "".into()));
    assert_eq!(world.read("futhark.pkg"), "package github.com/me/x\n\nrequire {\n}\n");
    assert!(world.here("lib/github.com/me/x").is_dir());
    assert_eq!(world.pkg(&["check"]), (0, "".into(), "".into()));
    assert_eq!(world.fails(&["init", "github.com/me/y"]), (1, "futi: futhark.pkg is there already\n".into()));
    let (code, err) = world.fails(&["add", "github.com/me/x"]);
    assert!(code != 0 && !err.is_empty());
    // one that requires us back is told that we are here
    world.write("lib/github.com/me/x/mine.fut", "");
    world.repository(A).version("1.0.0", "github.com/me/x 0.1.0");
    assert_eq!(world.pkg(&["add", A]).0, 0);
    assert_eq!(world.pkg(&["sync"]), (0, format!("{A} 1.0.0\n"), "".into()));
    assert!(world.here("lib/github.com/me/x/mine.fut").exists());
    // all that is wrong is said, with its place
    fs::remove_dir_all(world.here("lib/github.com/me")).unwrap();
    world.write("futhark.pkg", &format!("package github.com/me/x\nrequire {{\n  {A} 1.0.1\n}}"));
    let (code, out, err) = world.pkg(&["check"]);
    let said = format!(
        "futhark.pkg:1:9: its files are to be in lib/github.com/me/x, which is not there\nfuthark.pkg:3:3: {A} has no version 1.0.1; the newest are 1.0.0\n"
    );
    assert_eq!((code, out.as_str(), err), (2, "", said));
}

#[test]
fn manifests_that_cannot_be_read() {
    let world = World::new();
    let without = "futi: there is no futhark.pkg here: `futi pkg init` and `futi pkg add` make one\n";
    for command in ["sync", "check"] {
        assert_eq!(world.fails(&[command]), (1, without.into()));
    }
    world.write("futhark.pkg", "require {\n -- one\n    github.com/u/a 1.0\n}\n");
    let said = "futhark.pkg:3:20: `1.0` is no version, X.Y.Z\n";
    for args in [&["sync"][..], &["check"], &["add", A], &["remove", A]] {
        assert_eq!(world.fails(args), (2, said.into()), "{args:?}");
    }
    fs::write(world.here("futhark.pkg"), b"require {\xff}").unwrap();
    let (code, _, err) = world.pkg(&["check"]);
    assert!(code == 2 && err.contains("it is not text in UTF-8"), "{err}");
    // and those of others
    for (i, (manifest, said)) in [
        ("require {}", "does not say what it is called"),
        ("package github.com/u/b", ", futhark.pkg:1:9: it is called github.com/u/b"),
        ("package github.com/u/a\nrequire { ../x 1.0.0 }", ", futhark.pkg:2:11: `../x` is no path of a package"),
        ("package github.com/u/a\nrequire { /etc 1.0.0 }", ", futhark.pkg:2:11: `/etc` is no path of a package"),
        ("package \u{1b}[31m", ", futhark.pkg:1:9: `\\u{1b}[31m` is no path"),
    ]
    .into_iter()
    .enumerate()
    {
        let _ = fs::remove_dir_all(world.folder.join("remotes"));
        let a = world.repository(A);
        write(&a.file("v.fut"), "");
        write(&a.folder.join("futhark.pkg"), manifest);
        a.publish("1.0.0");
        world.write("futhark.pkg", &format!("require {{ {A} 1.0.0 }}"));
        let (code, err) = world.fails(&["sync"]);
        assert!(code == if i == 0 { 1 } else { 2 } && err.contains(said), "{err}");
        assert_eq!(world.files(), ["futhark.pkg"]);
    }
}

#[test]
fn names_that_could_do_harm_are_refused() {
    let world = World::new();
    let touched = world.folder.join("touched");
    let pack = format!("--upload-pack=touch {}", touched.display());
    for name in [
        "../x",
        "a/../../x",
        "/etc",
        "a//b",
        "a\u{1b}[31m",
        "a\nb",
        "--upload-pack",
        &pack,
        "-x",
        "ext::sh -c touch",
        "a/.git",
        "file:///a/../b",
        "",
    ] {
        for command in ["add", "remove", "init"] {
            let (code, err) = world.fails(&[command, "--", name]);
            assert!(code == 2 && err.contains("is no path of a package: ") && !err.contains('\u{1b}'), "{name}: {err}");
        }
        let (code, _) = world.fails(&["add", name]);
        assert_eq!(code, 2, "{name}");
    }
    for version in ["--upload-pack", "1.0.0 x", "../1.0.0"] {
        assert_eq!(world.fails(&["add", "--", A, version]).0, 2, "{version}");
    }
    assert!(!touched.exists());
    assert_eq!(world.files(), Vec::<String>::new());
    // and help is help
    assert_eq!(world.pkg(&["add", "--help"]).0, 0);
}

#[cfg(unix)]
#[test]
fn packages_that_could_do_harm_are_refused() {
    let world = World::new();
    let a = world.repository(A);
    write(&world.folder.join("secret"), "secret");
    a.version("0.1.0", "");
    let link = |target: &str| {
        let _ = fs::remove_file(a.file("l.fut"));
        std::os::unix::fs::symlink(target, a.file("l.fut")).unwrap();
    };
    let refused = |version: &str, said: &str| {
        world.write("futhark.pkg", &format!("require {{ {A} {version} }}"));
        let (code, err) = world.fails(&["sync"]);
        assert!(code == 1 && err.contains(said), "{version}: {err}");
        assert_eq!(world.files(), ["futhark.pkg"]);
    };
    let secret = world.folder.join("secret");
    for (i, target) in
        [secret.to_str().unwrap(), "../../../../../secret", "../../../../futhark.pkg", "nowhere", "l.fut"]
            .iter()
            .enumerate()
    {
        link(target);
        a.publish(&format!("0.2.{i}"));
        refused(&format!("0.2.{i}"), "\"l.fut\" is a link, and not to a file of the package");
    }
    // one to a file of the package is this file
    link("./v.fut");
    a.publish("0.3.0");
    world.write("futhark.pkg", &format!("require {{ {A} 0.3.0 }}"));
    assert_eq!(world.pkg(&["sync"]).0, 0);
    let copy = world.here(&format!("lib/{A}/l.fut"));
    assert!(fs::symlink_metadata(&copy).unwrap().is_file() && fs::read_to_string(copy).unwrap().contains(A));
    world.write("futhark.pkg", "");
    assert_eq!(world.pkg(&["sync"]).0, 0);
    fs::remove_file(a.file("l.fut")).unwrap();
    // names of files, which are made of git's objects, as no file system has some of them
    let blob = a.git(&["hash-object", "-w", "futhark.pkg"]);
    let manifest = format!("100644 blob {blob}\tfuthark.pkg\0");
    for (i, (name, mode, said)) in [
        ("..", "040000 tree", "has a name that could do harm"),
        (".GIT", "100644 blob", "has a name that could do harm"),
        ("a\u{1b}[31m", "100644 blob", "has a name that could do harm"),
        ("a\nb", "100644 blob", "has a name that could do harm"),
        ("a\\b", "100644 blob", "has a name that could do harm"),
        ("sub", "160000 commit", "is another repository"),
    ]
    .into_iter()
    .enumerate()
    {
        let inner = a.tree(&format!("100644 blob {blob}\tx.fut\0"));
        let object = if mode.ends_with("tree") { &inner } else { &blob };
        let mut tree = a.raw_tree(&[(mode.split(' ').next().unwrap(), name, object)]);
        for folder in ["a", "u", "github.com", "lib"] {
            tree = a.tree(&format!("{}040000 tree {tree}\t{folder}\0", if folder == "lib" { &manifest } else { "" }));
        }
        let commit = a.git(&["commit-tree", &tree, "-m", "harm"]);
        a.git(&["tag", &format!("v0.4.{i}"), &commit]);
        refused(&format!("0.4.{i}"), said);
    }
    // the folder itself is a link
    fs::rename(a.folder.join("lib"), a.folder.join("other")).unwrap();
    std::os::unix::fs::symlink("other", a.folder.join("lib")).unwrap();
    a.publish("0.5.0");
    refused("0.5.0", "has no files in lib/");
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[cfg(unix)]
impl Repository {
    /// A tree of what `git ls-tree -z` would print.
    fn tree(&self, entries: &str) -> String {
        self.piped(&["mktree", "-z", "--missing"], entries.as_bytes())
    }

    /// A tree of modes, names and objects, whatever they are.
    fn raw_tree(&self, entries: &[(&str, &str, &str)]) -> String {
        let mut bytes = vec![];
        for (mode, name, object) in entries {
            bytes.extend(format!("{} {name}\0", mode.trim_start_matches('0')).into_bytes());
            let digits = |i: usize| u8::from_str_radix(&object[i..i + 2], 16).unwrap();
            bytes.extend((0..object.len()).step_by(2).map(digits));
        }
        self.piped(&["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], &bytes)
    }

    fn piped(&self, args: &[&str], input: &[u8]) -> String {
        use std::io::Write;
        let mut command = Command::new("git");
        command.args(args).current_dir(&self.folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success(), "{args:?}");
        String::from_utf8(out.stdout).unwrap().trim().to_string()
    }
}

/// A checkout of somebody's program may have links where packages go.
#[cfg(unix)]
#[test]
fn links_in_lib_are_not_followed() {
    let world = World::new();
    world.repository(A).version("1.0.0", "");
    world.pkg(&["add", A]);
    let outside = world.folder.join("outside");
    fs::create_dir_all(&outside).unwrap();
    for link in ["lib", "lib/github.com", "lib/github.com/u/a"] {
        let _ = fs::remove_dir_all(world.here("lib"));
        fs::create_dir_all(world.here(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&outside, world.here(link)).unwrap();
        let (code, err) = world.fails(&["sync"]);
        assert!(code == 1 && err.contains(&format!("{link} is in the way")), "{err}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        let _ = fs::remove_file(world.here("lib"));
    }
}

#[test]
fn without_git_one_line_says_so() {
    let world = World::new();
    let out =
        world.command(env!("CARGO_BIN_EXE_futi")).args(["pkg", "add", A]).env("PATH", "/nowhere").output().unwrap();
    let err = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(err, "futi: there is no `git` here; packages are fetched with it: install it\n");
}

/// In a hook of git the environment names the repository of the hook.
#[test]
fn the_repository_around_us_is_left_alone() {
    let world = World::new();
    world.repository(A).version("1.0.0", "");
    let around = Repository::new(world.here(""), "around");
    let mut command = world.command(env!("CARGO_BIN_EXE_futi"));
    command.env("GIT_DIR", around.folder.join(".git")).env("GIT_INDEX_FILE", around.folder.join(".git/index"));
    assert!(command.args(["pkg", "add", A]).output().unwrap().status.success());
    let mut command = world.command(env!("CARGO_BIN_EXE_futi"));
    command.env("GIT_DIR", around.folder.join(".git")).env("GIT_WORK_TREE", &world.folder);
    assert!(command.args(["pkg", "sync"]).output().unwrap().status.success());
    assert_eq!(around.git(&["for-each-ref"]), "");
    assert!(world.read(&format!("lib/{A}/v.fut")).contains("1.0.0"));
}
