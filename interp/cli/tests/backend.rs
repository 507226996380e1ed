//! Backends that are programs.

use std::process::Command;
use std::time::{Duration, Instant};

/// The status, and what is said, of `futi run` on a program and arguments, with this backend.
fn run(backend: &str, program: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.fut");
    std::fs::write(&file, program).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_futi"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(["run", "--backend", backend])
        .arg(&file)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ran.status.code().unwrap_or(-1), text(&ran.stdout), text(&ran.stderr))
}

/// The example, in Python.
const PYTHON: &str = "command:python3 'conformance/examples/backend.py'";

#[test]
fn a_program_in_python() {
    let program = "entry main (x: i32) (y: i32) : (i32, bool) = let z = x + 2 * x in (z * y, z < y)";
    // 3 · 7 · -2 and 21 < -2; 3 · 10⁹ wraps to -1294967296
    assert_eq!(run(PYTHON, program, &["x=7", "y=-2"]), (0, "-42i32\nfalse\n".into(), String::new()));
    assert_eq!(run(PYTHON, program, &["x=1000000000", "y=1"]), (0, "-1294967296i32\ntrue\n".into(), String::new()));
    let (status, _, said) = run(PYTHON, "entry main (xs: []f64) = map f64.sin xs", &["xs=[1.0]"]);
    assert!(status == 2 && said.contains("scalars only"), "{status} {said}");
}

/// The programs of the suite on scalars: what the backend takes is right, and the rest it refuses.
#[test]
fn the_scalars_of_the_suite() {
    let ran = Command::new(env!("CARGO_BIN_EXE_futi"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(["test", "--json", "--no-terminal", "--backend", PYTHON, "conformance/suite/scalars"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let count = |what: &str| report[what].as_u64().unwrap();
    assert!(count("passed") > 5, "{report:#}");
    assert_eq!(count("failed"), count("not_supported"), "{report:#}");
}

#[test]
fn what_is_no_backend_is_told() {
    let program = "entry main (x: i32) = x";
    let began = Instant::now();
    let (status, _, said) = run("command:sleep 60", program, &["x=1"]);
    assert!(status == 1 && said.contains("did not answer within 5 s"), "{status} {said}");
    assert!(began.elapsed() < Duration::from_secs(30));
    for (backend, what) in [
        ("command:echo 'futi> hello 7'", "answered `hello 7`"),
        ("command:false", "ended: exit status: 1"),
        ("command:/nowhere/at/all x", "cannot be started: /nowhere/at/all"),
        ("command:echo 'x", "is not closed"),
        ("command:", "the command of the backend is missing"),
        ("quux", "there are interp, executor, vulkan, and command:COMMAND"),
    ] {
        let (status, _, said) = run(backend, program, &["x=1"]);
        assert!(status != 0 && said.contains(what), "{backend}: {status} {said}");
    }
}
