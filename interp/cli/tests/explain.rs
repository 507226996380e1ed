//! `futi explain`, what names it, and warnings.

use futi_core::diag::Code;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `futi` without input; gives exit status, standard output, standard error.
fn futi(args: &[&str]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_futi")).args(args).stdin(Stdio::null()).output().unwrap();
    (out.status.code().unwrap_or(-1), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
}

/// A program in a file of its own.
fn program(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("futi-explain-{}-{name}.fut", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

fn page(code: Code) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/errors/{code}.md"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_page_can_be_read() {
    for code in Code::ALL {
        assert_eq!(futi(&["explain", &code.to_string()]), (0, page(*code), "".into()));
    }
}

#[test]
fn a_code_is_written_in_several_ways() {
    let own = page(Code::TypeMismatch);
    for text in ["E0301", "e0301", "0301", "301", "E301"] {
        assert_eq!(futi(&["explain", text]).1, own, "{text}");
    }
    assert_eq!(futi(&["explain", "E0301", "E0201"]).1, format!("{own}\n{}", page(Code::UnknownName)));
    for text in ["E0300", "301x", "", "E", "-1"] {
        let (code, out, err) = futi(&["explain", text]);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(!err.contains("panicked"), "{err}");
    }
    assert!(futi(&["explain", "E0300"]).2.contains("`futi explain` lists the codes"));
}

#[test]
fn without_a_code_all_are_listed() {
    let (code, out, err) = futi(&["explain"]);
    assert_eq!((code, err.as_str(), out.lines().count()), (0, "", Code::ALL.len()));
    assert!(out.starts_with("E0001: A source cannot be read\n"), "{out}");
}

#[test]
fn diagnostics_name_the_pages_once() {
    let path = program("two", "def f = missing\ndef g = also_missing\ndef h : i32 = true\n");
    let (code, _, err) = futi(&["check", &path]);
    assert_eq!((code, err.lines().last()), (2, Some("`futi explain E0201 E0301` says more.")), "{err}");
    assert_eq!(err.matches("futi explain").count(), 1, "{err}");
}

#[test]
fn what_is_not_supported_has_its_place_and_its_code() {
    let path = program(
        "add",
        "def add (acc: *acc ([2]f64)) (k: i64) : *acc ([2]f64) = if k == 0 then acc else add (write acc 0 1) (k - 1)\n\
         entry main (n: i64) : [2]f64 = reduce_by_index_stream [0, 0] (+) 0 add (iota n)\n",
    );
    let (code, out, err) = futi(&["check", &path]);
    assert_eq!((code, out.as_str(), err.lines().last()), (2, "", Some("`futi explain E0503` says more.")), "{err}");
    assert!(err.contains("E0503") && err.contains(&format!("{path}:1:10")), "{err}");
}

#[test]
fn warnings_change_nothing_unless_they_are_to_be_errors() {
    let path = program("unused", "entry main (x: i32) = 1i32\n");
    let (code, _, err) = futi(&["check", &path]);
    assert_eq!(code, 0);
    assert!(err.contains("Unused name \"x\".") && err.contains(&format!("{path}:1:13")), "{err}");
    assert_eq!(err.lines().last(), Some("`futi explain E0701` says more."));
    for quiet in ["-w", "--no-warnings"] {
        assert_eq!(futi(&["check", quiet, &path]), (0, "".into(), "".into()));
    }
    assert_eq!(futi(&["check", "-w", "--Werror", &path]), (0, "".into(), "".into()));
    let (code, _, same) = futi(&["check", "--Werror", &path]);
    assert_eq!((code, same), (2, err));
    let fine = program("fine", "entry main (_x: i32) = 1i32\n");
    assert_eq!(futi(&["check", "--Werror", &fine]), (0, "".into(), "".into()));
}
