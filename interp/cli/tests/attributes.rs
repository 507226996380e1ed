//! Attributes: what `#[trace]` shows, and that the others change nothing. What 0.25.32 shows is checked, but for its line breaks inside of tuples and records.

use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::NamedTempFile;

/// Runs `futi` with this input; gives standard output, and the lines of standard error.
fn futi(args: &[&str], input: &str) -> (String, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_futi"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let err = String::from_utf8(out.stderr).unwrap();
    (String::from_utf8(out.stdout).unwrap(), err.lines().map(str::to_string).collect())
}

/// Runs the entry point `main` of a program; its place in the lines is `FILE`.
fn run(text: &str, input: &str) -> (String, Vec<String>) {
    let file = NamedTempFile::with_suffix(".fut").unwrap();
    std::fs::write(&file, text).unwrap();
    let path = file.path().to_str().unwrap();
    let (out, err) = futi(&["run", path], input);
    (out, err.iter().map(|line| line.replace(path, "FILE")).collect())
}

#[test]
fn values_are_shown_where_they_are_computed() {
    // 0.25.32: the same, but for its places, which end a column later
    let program = "def g (y: i32) = #[trace] (y + 1)\n\
        entry main (x: i32) = let a = #[trace] map g [x, 2] in a[0] + #[trace(tag)] (x * 2)\n";
    let shown = ["FILE:1:18-33: 6", "FILE:1:18-33: 3", "FILE:2:31-51: [6, 3]", "tag: 10"].map(str::to_string);
    // an attribute is of all that follows
    assert_eq!(run("entry main = - #[trace(a)] 2i32 + 1 * #[trace(b)] 1 + 2\n", "").1, ["b: 3", "a: 5"]);
    assert_eq!(run(program, "5"), ("16i32\n".into(), shown.to_vec()));
}

#[test]
fn values_of_every_shape() {
    let shown = |e: &str, line: &str| {
        let program = format!("entry main (x: i32) = let _v = #[trace(t)] ({e}) in x\n");
        let lines: Vec<String> = if line.is_empty() { vec![] } else { vec![line.to_string()] };
        assert_eq!(run(&program, "5"), ("5i32\n".into(), lines), "{e}");
    };
    // 0.25.32 shows these
    shown("(x, [x, 2])", "t: (5, [5, 2])");
    shown("{a = x, b = {c = true}}", "t: {a = 5, b = {c = true}}");
    shown("take 0 [x, 2]", "t: []");
    shown("[[x, 2], [3, 4]]", "t: [[5, 2], [3, 4]]");
    shown("f64.i32 x", "t: 5.0");
    shown("-1i8", "t: -1");
    // 0.25.32 shows [(5, 2)] and #some 5: here an array of tuples is a tuple of arrays, and a sum is the number of its constructor with its places
    shown("[(x, 2i32)]", "t: ([5], [2])");
    shown("#some x : #none | #some i32", "t: #1(5)");
    // functions are gone when the program runs; 0.25.32 shows #<fun>
    shown("\\y -> y + x", "");
}

#[test]
fn derivatives_show_values() {
    // 0.25.32: each once
    let program = "entry main (x: f64) = vjp (\\y -> #[trace(y)] y * y) x 1 + jvp (\\y -> #[trace(z)] (y * y)) x 1\n";
    let (out, shown) = run(program, "3.0");
    assert_eq!(out, "12.0f64\n");
    assert_eq!(shown, ["y: 9.0", "z: 9.0"]);
}

#[test]
fn attributes_that_nobody_knows_change_nothing() {
    // 0.25.32 takes a trace of two arguments for none, and does not pause without a person
    for attr in ["foo", "foo(bar, 3)", "trace(a, b)", "trace(a(b))", "unroll", "sequential", "unsafe", "break"] {
        let program = format!("entry main (x: i32) = #[{attr}] (x + 1)\n");
        assert_eq!(run(&program, "5"), ("6i32\n".into(), vec![]), "{attr}");
    }
}

#[test]
fn a_session_shows_values() {
    // 0.25.32: the same, but for the place
    let (out, err) = futi(&["repl"], "#[trace(t)] [1, 2]\n");
    assert!(out.contains("[1, 2]"), "{out}");
    assert_eq!(err, ["t: [1, 2]"]);
}

#[test]
fn parameters_are_given_beside_the_program_by_the_environment_and_by_options() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.fut");
    std::fs::write(&path, "entry main (x: i64) = (#[param(a)] x, #[param(b)] x, #[param(c)] 1i64)\n").unwrap();
    let path = path.to_string_lossy().into_owned();
    let run = |environment: &str, options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
        command.args([&["run"][..], options, &[&path]].concat()).env("FUTI_TUNING", environment);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // one that is refused reads no input
        let _ = child.stdin.take().unwrap().write_all(b"5");
        let out = child.wait_with_output().unwrap();
        (String::from_utf8(out.stdout).unwrap().replace('\n', " "), String::from_utf8(out.stderr).unwrap())
    };
    assert_eq!(run("", &[]).0, "5i64 5i64 1i64 ");
    assert_eq!(run("a=7,b=8", &[]).0, "7i64 8i64 1i64 ");
    // the environment comes before the file, the option before both
    std::fs::write(format!("{path}.tuning"), "b=2\nc=3\n").unwrap();
    assert_eq!(run("a=7,b=8", &[]).0, "7i64 8i64 3i64 ");
    assert_eq!(run("a=7,b=8", &["--tuning", "c=4", "--tuning=a=-1"]).0, "-1i64 8i64 4i64 ");
    assert_eq!(run("a", &[]).1.trim(), "FUTI_TUNING: `a` is not of the form NAME=VALUE");
    std::fs::write(format!("{path}.tuning"), "\nb\n").unwrap();
    assert_eq!(run("", &[]).1.trim(), format!("{path}.tuning:2: `b` is not of the form NAME=VALUE"));
}

#[test]
fn who_misspells_a_parameter_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.fut"), "entry main = #[param(width)] 3i64\n").unwrap();
    let run = |options: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
        let out = command.args(["run", "p.fut"]).args(options.split(' ')).current_dir(&folder).output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    let said = |backend: &str, name: &str, near: &str| {
        format!(
            "neither the program nor the backend {backend} has a tuning parameter `{name}`; did you mean `{near}`?\n"
        )
    };
    let right = (Some(0), "3i64\n".to_string(), String::new());
    assert_eq!(run("--backend executor --tuning reduce_groups=7 --tuning width=3"), right);
    assert_eq!(run("-w --tuning widht=5"), right);
    assert_eq!(run("--tuning widht=5").2, format!("Warning: {}", said("interp", "widht", "width")));
    let (code, _, text) = run("--Werror --backend executor --tuning reduce_group=7");
    assert_eq!((code, text), (Some(2), said("executor", "reduce_group", "reduce_groups")));
}

#[test]
fn a_session_has_parameters() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.fut"), "def x = #[param(a)] 1i64\n").unwrap();
    std::fs::write(folder.path().join("p.fut.tuning"), "a=3\n").unwrap();
    let said = |environment: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
        command
            .args(["eval", "-f", "p.fut", "#[param(b)] 7i64", "x"])
            .current_dir(&folder)
            .env("FUTI_TUNING", environment);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(said(""), "7\n3\n");
    assert_eq!(said("b=9"), "9\n3\n");
    assert_eq!(said("b=9,a=4"), "9\n4\n");
}
