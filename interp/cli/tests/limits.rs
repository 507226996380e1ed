//! Limits on what a program may need: where it needs more, a message with its place and an exit status, never an abort.

use std::process::{Command, Output};
use tempfile::NamedTempFile;

/// A program that doubles a type `n` times.
fn doubling(n: usize) -> String {
    let lets: String = (1..=n).map(|i| format!("  let x{i} = (x{0}, x{0})\n", i - 1)).collect();
    format!("entry main (x0: i32) : i32 =\n{lets}  let _ = x{n}\n  in x0\n")
}

/// Runs `futi COMMAND FILE ARGUMENTS` in a shell that has done what comes first, on a program of this text.
fn futi(text: &str, first: &str, command: &str, arguments: &str) -> Output {
    let file = NamedTempFile::with_suffix(".fut").unwrap();
    std::fs::write(&file, text).unwrap();
    let line = format!("{first}\nexec \"$0\" {command} \"$1\" {arguments}");
    Command::new("bash").args(["-c", &line, env!("CARGO_BIN_EXE_futi")]).arg(file.path()).output().unwrap()
}

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn a_program_that_grows_too_large_is_refused_where_it_does() {
    let out = futi(&doubling(12), "", "check", "--nodes 100000");
    let err = said(&out);
    assert_eq!(out.status.code(), Some(2), "{err}");
    for part in ["E0504", "grows too large", "--nodes N", "let x"] {
        assert!(err.contains(part), "{part}: {err}");
    }
    // the same program, allowed more
    let out = futi(&doubling(12), "", "check", "--nodes 100000000");
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    let out = futi(&doubling(2), "", "check", "--nodes 100000");
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_system_has_no_memory_the_program_says_so() {
    // the interpreter's stacks alone are half a gigabyte of addresses
    let large = "entry main : i64 = i64.sum (loop xs = iota 1000 for _i < 40 do xs ++ xs)\n";
    let small = "entry main : i64 = i64.sum (loop xs = replicate 1000000 1i64 for _i < 9 do map (+ 1) xs)\n";
    for (name, text) in [("large", large), ("small", small)] {
        for kilobytes in [100_000, 400_000, 1_000_000, 1_500_000] {
            let out = futi(text, &format!("ulimit -v {kilobytes}"), "run", "</dev/null");
            let (status, err) = (out.status.code(), said(&out));
            // none says that it ended by a signal
            assert!(
                status == Some(1) || (name, status) == ("small", Some(0)),
                "{name} in {kilobytes}: {status:?} {err}"
            );
            assert_eq!(err.is_empty(), status == Some(0), "{name} in {kilobytes}: {err}");
            assert!(!err.contains("panicked"), "{name} in {kilobytes}: {err}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_test_runs_ends_with_it() {
    use std::time::{Duration, Instant};
    let file = NamedTempFile::with_suffix(".fut").unwrap();
    std::fs::write(
        &file,
        "-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32) = loop y = x + 1 while x == 1 do y\n",
    )
    .unwrap();
    let mut tester = Command::new(env!("CARGO_BIN_EXE_futi")).arg("test").arg(file.path()).spawn().unwrap();
    // its state and its parent, by /proc/PID/stat: `PID (name) state parent ..`
    let stat = |pid: u32| -> Option<(String, u32)> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let mut words = text.rsplit_once(')')?.1.split_whitespace();
        Some((words.next()?.to_string(), words.next()?.parse().ok()?))
    };
    let numbers =
        || std::fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let begin = Instant::now();
    let soon = |begin: Instant| {
        std::thread::sleep(Duration::from_millis(20));
        begin.elapsed() < Duration::from_secs(60)
    };
    let child = loop {
        if let Some(pid) = numbers().find(|pid| stat(*pid).is_some_and(|(_, parent)| parent == tester.id())) {
            break pid;
        }
        assert!(soon(begin), "no child");
    };
    tester.kill().unwrap();
    tester.wait().unwrap();
    let begin = Instant::now();
    // gone, or a zombie whom nobody waits for, or another of that number
    while stat(child).is_some_and(|(state, parent)| state != "Z" && parent != std::process::id()) {
        assert!(soon(begin), "the child goes on");
    }
}
