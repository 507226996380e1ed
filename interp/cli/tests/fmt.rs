//! `futi fmt` as a person meets it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `futi fmt`; gives exit status, standard output, standard error.
fn fmt(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_futi"))
        .arg("fmt")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // it may be gone already
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn standard_input_to_standard_output() {
    assert_eq!(fmt(&[], "def f   x=x -- one\n"), (0, "def f x = x -- one\n".into(), "".into()));
    assert_eq!(fmt(&[], "def f x = x\n"), (0, "def f x = x\n".into(), "".into()));
    assert_eq!(fmt(&[], ""), (0, "".into(), "".into()));
    assert_eq!(fmt(&["--check"], "def f x = x\n"), (0, "".into(), "".into()));
    let (code, out, _) = fmt(&["--check"], "def f x=x\n");
    assert_eq!(code, 1);
    assert!(out.contains("\n-def f x=x\n+def f x = x\n"), "{out}");
}

#[test]
fn files_and_folders_in_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("inside/.hidden")).unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.fut", "inside/b.fut", "inside/.hidden/c.fut", "d.txt"] {
        std::fs::write(path(name), "def f   x=x\n").unwrap();
    }
    let root = folder.path().to_string_lossy();
    let (code, out, err) = fmt(&["--check", &root], "");
    assert_eq!((code, err.as_str()), (1, ""));
    // both files are named, and neither is changed
    assert!(out.contains("a.fut") && out.contains("b.fut") && !out.contains("c.fut"), "{out}");
    assert_eq!(read(&path("a.fut")), "def f   x=x\n");

    assert_eq!(fmt(&[&root], ""), (0, "".into(), "".into()));
    assert_eq!(read(&path("a.fut")), "def f x = x\n");
    assert_eq!(read(&path("inside/b.fut")), "def f x = x\n");
    assert_eq!(read(&path("inside/.hidden/c.fut")), "def f   x=x\n");
    assert_eq!(read(&path("d.txt")), "def f   x=x\n");
    assert_eq!(fmt(&["--check", &root], ""), (0, "".into(), "".into()));
    // what is named is formatted, whatever it is called
    assert_eq!(fmt(&[&path("d.txt").to_string_lossy()], "").0, 0);
    assert_eq!(read(&path("d.txt")), "def f x = x\n");
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (wrong, right) = (folder.path().join("a.fut"), folder.path().join("b.fut"));
    std::fs::write(&wrong, "def f   x=(x\n").unwrap();
    std::fs::write(&right, "def f   x=x\n").unwrap();
    let (code, out, err) = fmt(&[&folder.path().to_string_lossy()], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("a.fut:1") || err.contains("a.fut:2"), "{err}");
    assert_eq!(read(&wrong), "def f   x=(x\n");
    // the others are formatted all the same
    assert_eq!(read(&right), "def f x = x\n");

    let (code, out, err) = fmt(&[], "def f = )");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("<stdin>:1:9"), "{err}");

    // neither is one of them that is not there
    std::fs::write(&right, "def f   x=x\n").unwrap();
    let (code, _, err) = fmt(&["nowhere.fut", &right.to_string_lossy()], "");
    assert_eq!((code, read(&right).as_str()), (2, "def f x = x\n"));
    assert!(err.starts_with("error E0001: nowhere.fut cannot be read: No such file"), "{err}");
}

#[test]
fn the_examples_are_formatted() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    assert_eq!(fmt(&["--check", &examples.to_string_lossy()], ""), (0, "".into(), "".into()));
}

/// What is written is complete before it takes the old text's place, which else stays: here as no file is to be longer than a block.
#[cfg(target_os = "linux")]
#[test]
fn a_text_that_cannot_be_written_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("a.fut"), folder.path().join("link.fut"));
    let text: String = (0..1000).map(|i| format!("def f{i} x=x+{i}\n")).collect();
    std::fs::write(&path, &text).unwrap();
    std::os::unix::fs::symlink("a.fut", &link).unwrap();
    let limited = format!("ulimit -f 8; trap '' XFSZ; exec {} fmt {}", env!("CARGO_BIN_EXE_futi"), path.display());
    let out = Command::new("bash").args(["-c", &limited]).output().unwrap();
    let err = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(1) && err.contains("a.fut: "), "{err}");
    assert_eq!(read(&path), text);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "nothing is left behind");
    // a link stays one
    assert_eq!(fmt(&[link.to_str().unwrap()], ""), (0, "".into(), "".into()));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(read(&path).starts_with("def f0 x = x + 0\n"));
}
