//! The session goes on, whatever it is given; what it shows has an end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

fn start() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    command.arg("repl").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What a session says on standard output to these inputs, and how many errors on standard error.
fn with_errors(input: &[u8]) -> (String, usize) {
    let mut child = start();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    (String::from_utf8(out.stdout).unwrap(), String::from_utf8_lossy(&out.stderr).matches("not text").count())
}

/// What a session says on standard output to inputs without mistakes.
fn said(input: &[u8]) -> String {
    let mut child = start();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn bytes_that_are_no_text_do_not_end_it() {
    assert_eq!(with_errors(b"1i32 + 1\n\xff\xfe\n20i32 + 2\n"), ("2\n22\n".into(), 1));
    assert_eq!(with_errors(b"\"\xff\"\n(1i32,\n\xff)\n3i32\n"), ("3\n".into(), 2));
    assert_eq!(with_errors(b"def x = 4i32\n\xff\nx\n"), ("4\n".into(), 1));
}

#[test]
fn of_large_arrays_the_ends_are_shown() {
    assert_eq!(said(b"iota 1000\n").len(), "[]\n".len() + 2890 + 2 * 999);
    assert_eq!(said(b"iota 1001\n"), "[0, 1, 2, ..., 998, 999, 1000]\n");
    assert_eq!(said(b"iota 1000000\n"), "[0, 1, 2, ..., 999997, 999998, 999999]\n");
    let rows = "[0, 1, 2, ..., 498, 499, 500]";
    assert_eq!(said(b"replicate 4 (iota 501)\n"), format!("[{rows}, {rows}, {rows}, {rows}]\n"));
    assert_eq!(said(b"replicate 7 (replicate 200 (1i32, true))\n").matches("(1, true)").count(), 36);
    // rows without elements are shown, too
    let rows = ["[]"; 3].join(", ");
    assert_eq!(said(b"replicate 1000000000000 (replicate 0 1i32)\n"), format!("[{rows}, ..., {rows}]\n"));
    assert_eq!(said(b"replicate 4 (replicate 0 1i32)\n"), "[[], [], [], []]\n");
    // what is small stands in full beside what is large
    assert_eq!(said(b"(iota 7, iota 2000)\n"), "([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, ..., 1997, 1998, 1999])\n");
    let full = said(b":set full\niota 1001\n:set short\niota 1001\n");
    assert!(full.contains(", 500, 501, ") && full.ends_with("[0, 1, 2, ..., 998, 999, 1000]\n"), "{full}");
    assert_eq!(said(b":set\n:set full\n:set time\n:set\n"), "short notime\nfull time\n");
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_what_is_computed() {
    let mut child = start();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    stdin.write_all(b"let i = #[trace(begun)] 1i64 in loop x = i while x > 0 do (x + 1) % 1000 + 1\n").unwrap();
    // it is being computed once the first value is shown
    assert_eq!(lines.next().unwrap().unwrap(), "begun: 1");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    stdin.write_all(b"40i64 + 2\n").unwrap();
    drop(stdin);
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "Interrupted.\n42\n");
}
