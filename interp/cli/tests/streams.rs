//! Streams that nobody reads, or that are full, and files that never end: a message and an exit status, never a panic.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const HELLO: &str = "examples/hello.fut";

/// Runs `futi` in the repository's root, without input.
fn futi(args: &[&str], out: Stdio, err: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    command.args(args).current_dir(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.stdin(Stdio::null()).stdout(out).stderr(err).output().unwrap()
}

/// A pipe of which nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// All that print results.
const PRINTING: [&[&str]; 12] = [
    &["test", HELLO],
    &["backends"],
    &["explain", "E0001"],
    &["ir", HELLO],
    &["trace", HELLO, "-e", "main"],
    &["dataset", "-g", "[1000]i32"],
    &["fmt", "--check", HELLO],
    &["imports", HELLO],
    &["tokens", HELLO],
    &["hash", HELLO],
    &["completions", "bash"],
    &["run", "conformance/suite/scalars/literals.fut"],
];

#[test]
fn who_has_seen_enough_may_close_the_pipe() {
    for args in PRINTING {
        let whole = futi(args, Stdio::piped(), Stdio::piped());
        let cut = futi(args, closed(), Stdio::piped());
        let err = String::from_utf8_lossy(&cut.stderr).into_owned();
        assert_eq!(cut.status.code(), whole.status.code(), "{args:?}: {err}");
        assert_eq!(err, String::from_utf8_lossy(&whole.stderr), "{args:?}");
        // and who reads no messages is told none
        let silent = futi(args, Stdio::piped(), closed());
        assert_eq!((silent.status.code(), silent.stdout), (whole.status.code(), whole.stdout), "{args:?}");
    }
    assert_eq!(futi(&["check", "nowhere.fut"], Stdio::piped(), closed()).status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_an_error() {
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for args in PRINTING {
        if futi(args, Stdio::piped(), Stdio::piped()).stdout.is_empty() {
            continue;
        }
        let lost = futi(args, full(), Stdio::piped());
        let err = String::from_utf8_lossy(&lost.stderr).into_owned();
        assert!(lost.status.code() == Some(1) && err.contains("standard output: "), "{args:?}: {err}");
    }
    // a message that cannot be written is lost, not the exit status
    assert_eq!(futi(&["check", "nowhere.fut"], Stdio::piped(), full()).status.code(), Some(2));
    assert_eq!(futi(&["test", HELLO], Stdio::piped(), full()).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_program_is_a_regular_file() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo.fut");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for path in [fifo.to_str().unwrap(), "/dev/zero"] {
        for command in ["check", "run", "ir", "fmt"] {
            let got = futi(&[command, path], Stdio::piped(), Stdio::piped());
            let err = String::from_utf8_lossy(&got.stderr).into_owned();
            assert!(got.status.code() == Some(2) && err.contains("no regular file"), "{command} {path}: {err}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_on_standard_input_ends() {
    for command in ["check", "fmt"] {
        let mut endless = Command::new(env!("CARGO_BIN_EXE_futi"));
        let got = endless.arg(command).stdin(std::fs::File::open("/dev/zero").unwrap()).output().unwrap();
        let err = String::from_utf8_lossy(&got.stderr).into_owned();
        assert!(
            got.status.code() == Some(2) && err.contains("<stdin> cannot be read: it has more than 256 MiB"),
            "{err}"
        );
    }
}
