//! `futi check` of several programs, of folders and of standard input.

mod files;

use files::folder;
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Runs `futi check` in a folder; gives exit status, standard output, standard error.
fn check(folder: &TempDir, args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_futi"))
        .arg("check")
        .args(args)
        .current_dir(folder)
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

const GOOD: &str = "entry main (x: i32) : i32 = x\n";
const WRONG: &str = "entry main (x: i32) : i32 = x + true\n";
const WARNED: &str = "entry main (x: i32) : i32 =\n  let y = x in x\n";

#[test]
fn all_are_checked_in_order() {
    let folder = folder(&[
        ("b.fut", WRONG),
        ("a/z.fut", "def = 1"),
        ("c.fut", GOOD),
        ("d.fut", WARNED),
        (".e.fut", "?"),
        ("f.txt", "?"),
    ]);
    for args in [&["."][..], &["a", "b.fut", "c.fut", "d.fut"]] {
        let (code, out, err) = check(&folder, args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        let places = ["a/z.fut:1:5", "b.fut:1:", "d.fut:2:7"].map(|place| err.find(place).unwrap_or(usize::MAX));
        assert!(places.is_sorted() && places[2] < usize::MAX, "{err}");
        assert!(!err.contains("c.fut") && !err.contains("e.fut") && !err.contains("f.txt"), "{err}");
    }
    // warnings are none, unless they are to be errors
    let (code, _, err) = check(&folder, &["c.fut", "d.fut"], "");
    assert!(code == 0 && err.contains("E0701"), "{err}");
    assert_eq!(check(&folder, &["c.fut", "d.fut", "-w"], ""), (0, String::new(), String::new()));
    assert_eq!(check(&folder, &["c.fut", "d.fut", "--Werror"], "").0, 2);
    // what is not there is said, and the others are checked
    let (code, _, err) = check(&folder, &["nowhere.fut", "b.fut"], "");
    assert!(code == 2 && err.contains("nowhere.fut cannot be read") && err.contains("b.fut:1:"), "{err}");
}

#[test]
fn standard_input_is_a_program() {
    let folder = folder(&[("lib/a.fut", "def one = 1i32\n"), ("b.fut", WRONG), ("-", GOOD)]);
    let good = "import \"lib/a\"\nentry main = one\n";
    for args in [&[][..], &["-"], &["--Werror"]] {
        assert_eq!(check(&folder, args, good), (0, String::new(), String::new()), "{args:?}");
        let (code, out, err) = check(&folder, args, WRONG);
        assert!(code == 2 && out.is_empty() && err.contains("<stdin>:1:"), "{err}");
    }
    // beside others
    let (code, _, err) = check(&folder, &["b.fut", "-"], "def = 1");
    let places = ["b.fut:1:", "<stdin>:1:5"].map(|place| err.find(place).unwrap_or(usize::MAX));
    assert!(code == 2 && places.is_sorted() && places[1] < usize::MAX, "{err}");
    // what it imports is said with its place
    let (code, _, err) = check(&folder, &[], "import \"b\"\n");
    assert!(code == 2 && err.contains("b.fut:1:"), "{err}");
    let (code, _, err) = check(&folder, &[], "import \"nowhere\"\n");
    assert!(code == 2 && err.contains("<stdin>:1:8") && err.contains("nowhere.fut cannot be read"), "{err}");
    assert_eq!(check(&folder, &[], ""), (0, String::new(), String::new()));
    // a file may be called so
    assert_eq!(check(&folder, &["./-"], WRONG).0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_path_a_terminal_is_not_read() {
    let command = format!("{} check", env!("CARGO_BIN_EXE_futi"));
    let out = Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output();
    let Ok(out) = out else { return eprintln!("there is no `script` here that makes a terminal") };
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.code() == Some(2) && said.contains("Usage: futi check"), "{said}");
}
