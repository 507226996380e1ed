//! The program as a person meets it: what it prints, what it says on standard error, its exit status.

mod files;

use files::program;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `futi` in the repository's root; gives exit status, standard output, standard error.
fn futi(args: &[&str], input: &str) -> (i32, String, String) {
    let (code, out, err) = futi_bytes(args, input.as_bytes());
    (code, String::from_utf8(out).unwrap(), err)
}

/// The same of bytes.
fn futi_bytes(args: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut child = Command::new(env!("CARGO_BIN_EXE_futi"))
        .args(args)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // a program that needs no input may be gone already
    let _ = child.stdin.take().unwrap().write_all(input);
    let out = child.wait_with_output().unwrap();
    (out.status.code().unwrap_or(-1), out.stdout, String::from_utf8(out.stderr).unwrap())
}

#[test]
fn run_prints_a_result_a_line() {
    let folder = tempfile::tempdir().unwrap();
    // the mean of 1, 4, 9; its gradient 2 x / 3
    assert_eq!(
        futi(&["run", "examples/hello.fut"], "[1.0, 2.0, 3.0]"),
        (0, "4.666666666666667f64\n".into(), "".into())
    );
    // numbers without suffix take the type that the entry point wants
    let (code, out, _) = futi(&["run", "examples/hello.fut", "-e", "slope"], "[1, 2, 3] [0, 0, 1]");
    assert_eq!((code, out.as_str()), (0, "2.0f64\n"));
    let two = program(&folder, "two", "entry main (x: i32) : (i32, [2]bool) = (x + 1, [x > 0, x < 0])");
    assert_eq!(futi(&["run", &two], "41i32").1, "42i32\n[true, false]\n");
}

#[test]
fn what_is_wrong_with_the_input_is_one_line_and_status_1() {
    for (args, input, said) in [
        (
            &["run", "examples/hello.fut", "-e", "mian"][..],
            "",
            "examples/hello.fut has no entry point `mian`: it has main, gradient, slope, hessian",
        ),
        (&["run", "examples/hello.fut"], "", "entry point main takes 1 value (xs: [n]f64), got 0"),
        (&["run", "examples/hello.fut"], "[1.0, zwei]", "standard input:1:7: `zwei` is not a value"),
        (&["run", "examples/hello.fut"], "[[1.0]]", "argument `xs` has type [1][1]f64, expected []f64"),
        (
            &["run", "examples/hello.fut", "-e", "slope"],
            "[1.0, 2.0] [1.0]",
            "does not match the shape of `xs`: dimension 0 is 2",
        ),
    ] {
        let (code, out, err) = futi(args, input);
        assert_eq!((code, out.as_str(), err.trim_end().lines().count()), (1, "", 1), "{args:?}: {err}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

/// A file that is not there, and one that is no text, for all that read programs.
#[test]
fn what_cannot_be_read_is_a_diagnostic() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(&folder, "latin1", "");
    std::fs::write(&path, b"def a = 1\n-- caf\xe9\ndef b = 2\n").unwrap();
    for command in ["check", "run", "ir", "trace", "fmt", "doc", "imports", "tokens", "hash"] {
        let (code, out, err) = futi(&[command, &path], "");
        assert_eq!((code, out.as_str()), (2, ""), "{command}: {err}");
        let said = format!("[E0001] Error: {path} cannot be read: it is not text in UTF-8 (byte 0xe9).");
        assert!(err.starts_with(&said) && err.contains(&format!("{path}:2:7 ]")), "{command}: {err}");
        let (code, out, err) = futi(&[command, "nowhere.fut"], "");
        assert_eq!((code, out.as_str()), (2, ""), "{command}: {err}");
        assert!(err.starts_with("error E0001: nowhere.fut cannot be read: No such file"), "{command}: {err}");
        assert!(err.contains("`futi explain E0001` says more."), "{command}: {err}");
    }
    let (code, out, _) = futi(&["test", &path], "");
    let said = format!("{path}:program: FAILED\n  {path}:2:7: error E0001: {path} cannot be read: it is not text");
    assert!(code == 1 && out.starts_with(&said), "{out}");
    let (code, out, err) = futi(&["--keep-going"], &format!(":load {path}\n:load nowhere.fut\n1 + 1\n"));
    assert_eq!((code, out.as_str()), (2, "2\n"));
    assert!(err.contains(&format!("{path}:2:7 ]")) && err.contains("E0001: nowhere.fut cannot"), "{err}");
    // of an import both places are shown
    let importing = program(&folder, "importing", "import \"latin1\"\n");
    let (code, _, err) = futi(&["check", &importing], "");
    assert!(
        code == 2 && err.contains(&format!("{importing}:1:8 ]")) && err.contains(&format!("{path}:2:7 ]")),
        "{err}"
    );
}

#[test]
fn runtime_errors_say_where_and_by_which_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(
        &folder,
        "bounds",
        "def pick (xs: [3]i32) (i: i64) : i32 = xs[i]\n\nentry main (i: i64) : i32 =\n  pick [1, 2, 3] i\n",
    );
    let (code, out, err) = futi(&["run", &path], "3i64");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("Error: Index [3] out of bounds for array of shape [3]."), "{err}");
    assert!(err.contains(&format!("-> #0  {path}:1:40-44")), "{err}");
}

#[test]
fn all_failures_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(
        &folder,
        "all-failures",
        "entry main [n] (is: [n]i64) : [n]i32 =\n  let xs = [1i32, 2i32, 3i32]\n  in map (\\i -> xs[i] / (xs[i] - 2)) is\n",
    );
    let message = |i: i64| format!("Error: Index [{i}] out of bounds for array of shape [3].");
    let said = |args: &[&str], input: &str| {
        let (code, out, err) = futi(args, input);
        let errors: Vec<String> = err.lines().filter(|l| l.starts_with("Error: ")).map(str::to_string).collect();
        (code, out, errors)
    };
    let all = ["run", &path, "--all-failures"];
    // in the order of evaluation, each once, although xs[i] is there twice
    let expected = vec![message(7), "Error: division by zero".to_string(), message(-1)];
    assert_eq!(said(&all, "[0i64, 7i64, 1i64, -1i64, 7i64]"), (1, "".into(), expected));
    assert_eq!(said(&all[..2], "[0i64, 7i64, 1i64, -1i64, 7i64]"), (1, "".into(), vec![message(7)]));
    assert_eq!(said(&all, "[0i64, 7i64]"), (1, "".into(), vec![message(7)]));
    // 1 / -1 and 3 / 1
    assert_eq!(said(&all, "[0i64, 2i64]"), (0, "[-1i32, 3i32]\n".into(), vec![]));
    let (code, _, err) = futi(&["run", &path, "--all-failures", "--backend", "vulkan"], "[0i64]");
    assert_eq!((code, err.as_str()), (1, "futi: --all-failures is for the backend interp, not vulkan\n"));
}

#[test]
fn memory_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    // three arrays of 8192 elements of 8 bytes, of which two are live at once: 2 * 65536 bytes
    let path = program(
        &folder,
        "memory",
        "entry main (n: i64) : f64 =\n  let xs = map f64.i64 (iota n)\n  let ys = scan (+) 0.0 xs\n  in ys[n - 1] + xs[0]\n",
    );
    let run = |memory: &str, n: &str| futi(&["run", &path, "--memory", memory], n);
    for enough in ["131072", "128KiB", "1MiB", "2GiB", "1TiB"] {
        assert_eq!(run(enough, "8192i64"), (0, "33550336.0f64\n".into(), "".into()), "{enough}");
    }
    for (too_little, live) in [(131071, 65536), (7, 0)] {
        let (code, out, err) = run(&too_little.to_string(), "8192i64");
        assert_eq!((code, out.as_str()), (1, ""));
        let said =
            format!("Error: more than {too_little} bytes of memory: {live} are live and 65536 more are asked for");
        assert!(err.starts_with(&said), "{err}");
        assert!(err.contains(&format!("{path}:2:")), "{err}");
    }
    // nor is more read of the arguments
    let (code, out, err) = run("6", "8192i64");
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(err, "Error: the text of the arguments is longer than the limit on memory, 6 bytes\n");
    for wrong in ["64MB", "MiB", "-1", "1.5GiB", "99999999999TiB", ""] {
        let (code, _, err) = futi(&["run", &path, &format!("--memory={wrong}")], "1i64");
        assert!(code == 2 && err.contains("--memory"), "{wrong}: {err}");
    }
    let (code, _, err) = futi(&["run", &path, "--memory", "1MiB", "--backend", "vulkan"], "1i64");
    assert_eq!((code, err.as_str()), (1, "futi: --memory is for the backend interp, not vulkan\n"));
}

#[test]
fn strict_runs_report_what_a_program_may_not_depend_on() {
    let folder = tempfile::tempdir().unwrap();
    // 1 is not neutral for +, and n = 3 gives 1 + 6
    let path = program(&folder, "strict", "entry main (xs: []i32) : i32 = reduce (+) 1 xs\n");
    assert_eq!(futi(&["run", &path], "[1, 2, 3]").1, "7i32\n");
    let (code, out, err) = futi(&["run", &path, "--strict"], "[1, 2, 3]");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("Error: A neutral element is not neutral"), "{err}");
    assert!(err.contains(&format!("{path}:1:")), "{err}");
    let sound = program(&folder, "strict-sound", "entry main (xs: []i32) : i32 = reduce (+) 0 xs\n");
    assert_eq!(futi(&["run", &sound, "--strict"], "[1, 2, 3]"), (0, "6i32\n".into(), "".into()));
    let (code, _, err) = futi(&["run", &path, "--strict", "--backend", "vulkan"], "[1]");
    assert_eq!((code, err.as_str()), (1, "futi: --strict is for the backend interp, not vulkan\n"));
}

#[test]
fn diagnostics_show_the_source_and_give_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let path =
        program(&folder, "types", "entry main (x: i32) : f64 = x + 1.0\n\nentry other (n: i64) : [3]i64 = ioat n\n");
    for args in [["check", &path], ["run", &path]] {
        let (code, out, err) = futi(&args, "1");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        // both errors in one run, with the source
        assert!(err.contains("entry main (x: i32) : f64 = x + 1.0"), "{err}");
        assert!(err.contains("ioat") && err.contains("iota"), "{err}");
    }
    assert_eq!(futi(&["check", "examples/gmm.fut"], ""), (0, "".into(), "".into()));
}

/// In programs with as many errors as words, on one line or on many.
#[test]
fn many_errors_are_counted_and_quickly() {
    let folder = tempfile::tempdir().unwrap();
    let n = 8000;
    for (name, text, more) in [
        ("pipes", format!("def main = {}x\n", "x |> ".repeat(n)), "… and 7901 more errors"),
        ("brackets", format!("def main = {}\n", "a[0".repeat(n)), ""),
        ("lines", (0..n).map(|i| format!("def f{i} (x: i32) = y\n")).collect(), "… and 7900 more errors"),
        ("unread", (0..n).map(|i| format!("def f{i} (x: i32) = )\n")).collect(), "… and 7900 more errors"),
    ] {
        let start = std::time::Instant::now();
        let (code, _, err) = futi(&["check", &program(&folder, name, &text)], "");
        assert_eq!(code, 2, "{name}");
        assert!(err.len() < 60_000 && err.contains(more), "{name}: {} bytes, {}", err.len(), &err[err.len() - 80..]);
        // a tenth of it, but of a debug build on a busy machine
        assert!(start.elapsed().as_secs() < 30, "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn every_stage_prints_ir_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let expected = futi(&["run", "examples/gmm.fut", "-e", "objective"], &gmm_small()).1;
    for stage in ["lowered", "simplified", "ad", "fused", "flat"] {
        for entry in ["objective", "gradient"] {
            let (code, text, err) = futi(&["ir", "examples/gmm.fut", "-e", entry, "--stage", stage], "");
            assert_eq!((code, err.as_str()), (0, ""), "{stage}");
            let parsed: futi_core::ir::Program = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text, "{stage}");
            let path = folder.path().join(format!("{entry}-{stage}.ir"));
            std::fs::write(&path, text).unwrap();
            let (code, out, err) = futi(&["run", &path.to_string_lossy(), "-e", entry], &gmm_small());
            assert_eq!((code, err.as_str()), (0, ""), "{stage}");
            assert!(entry == "gradient" || out[..12] == expected[..12], "{stage}: {out}, expected {expected}");
        }
    }
}

#[test]
fn what_a_device_does_is_printed() {
    let text = |stage: &str| {
        let (code, text, err) = futi(&["ir", "examples/gmm.fut", "-e", "objective", "--stage", stage], "");
        assert_eq!((code, err.as_str()), (0, ""), "{stage}");
        text
    };
    let (host, kernels) = (text("host"), text("kernels"));
    assert!(host.contains("entry \"objective\"") && host.contains("launch ") && !host.contains("\nkernel "), "{host}");
    // each kernel that is launched is one of those that are printed
    for launch in host.lines().filter_map(|line| line.trim().strip_prefix("launch ")) {
        // its name, and its number
        let name = launch.strip_prefix("kernel.").and_then(|rest| rest.split(' ').next()).unwrap();
        let (name, _) = name.rsplit_once('_').unwrap();
        assert!(kernels.contains(&format!("kernel {name} ")), "{name}: {kernels}");
    }
    if cfg!(feature = "vulkan") {
        assert!(text("glsl").matches("#version").count() == kernels.matches("\nkernel ").count());
        assert!(text("spirv").matches("OpEntryPoint").count() == kernels.matches("\nkernel ").count());
    }
}

fn gmm_small() -> String {
    std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/gmm-small.in")).unwrap()
}

#[test]
fn the_mixture_is_fitted() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/iris.in");
    let (code, out, err) = futi(&["run", "examples/gmm.fut", "-e", "fit"], &std::fs::read_to_string(data).unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
    let values = futi_core::value::text::parse_values(&out).unwrap();
    let history: Vec<f64> = values[0].elements().map(|x| x.to_f64()).collect();
    assert!(history.is_sorted(), "the log-likelihood goes down: {history:?}");
    // scikit-learn's and SciPy's optimum (examples/gmm.fut)
    let optimum = -180.18547713;
    let last = history[history.len() - 1];
    assert!((last - optimum).abs() <= 1e-6 * optimum.abs(), "{last}");
    let agreeing = values[5].as_scalar().and_then(|x| x.as_i64()).unwrap();
    assert!(agreeing >= 140, "{agreeing} of 150 flowers");
}

#[test]
fn a_session_keeps_values_of_all_types() {
    let inputs = [
        ("let x = #foo 1i32 : #foo i32 | #bar i8", ""),
        ("x", "#foo 1\n"),
        ("[(#some (1, 2): #some (i32, i32) | #none), #none]", "[#some (1, 2), #none]\n"),
        ("let c = (#bar [1, 2] 3i32 : #foo | #bar ([]i32) i32)", ""),
        ("match c case #foo -> 0 case #bar xs y -> i32.sum xs + y", "6\n"),
        (
            "module m : { type~ t val of : i64 -> t val size : t -> i64 } = { type~ t = []i64 def of n = iota n def size t = length t }",
            "",
        ),
        ("let b = m.of 4", ""),
        ("m.size b", "4\n"),
        ("b", "[0, 1, 2, 3]\n"),
        ("let p = filter (> 1) [1, 2, 3]", ""),
        ("(length p, {u = (), v = p})", "(2, {u = (), v = [2, 3]})\n"),
        ("replicate 2 ()", "[(), ()]\n"),
        // a value keeps its unknown size, for what is made of it, too, and whatever becomes of its name
        ("let q = map2 (+) p p", ""),
        ("let p = [9]", ""),
        ("(zip q (map (+ 1) q), p)", "([(4, 5), (6, 7)], [9])\n"),
    ];
    let (input, expected): (Vec<&str>, Vec<&str>) = inputs.into_iter().unzip();
    let (code, out, err) = futi(&[], &(input.join("\n") + "\n"));
    assert_eq!((code, out.as_str(), err.as_str()), (0, expected.concat().as_str(), ""));
}

#[test]
fn what_is_open_ends_at_a_command_or_behind_an_empty_line() {
    for (open, left) in [("let x = (1 +\n:type 2i32\n2 + 2\n", "2i32 : i32\n4\n"), ("(1 +\n\n2 + 2\n", "4\n")] {
        let (code, out, err) = futi(&["--keep-going"], open);
        assert_eq!((code, out.as_str(), err.matches("Error").count()), (2, left, 1), "{err}");
    }
    let (_, out, _) = futi(&[], "([1, 2]\n :> [2]i32)\n");
    assert_eq!(out, "[1, 2]\n");
}

#[test]
fn a_session_on_a_pipe() {
    let input = "1 + 2\nlet xs = map (\\i -> f64.i64 i) (iota 3)\ndef mean [n] (ys: [n]f64) = f64.sum ys / f64.i64 n\nmean xs\n\
                 :type mean\nvjp mean xs 1.0\n(1, [true])\nzip xs xs\nit[1].0\nxs[7]\nfoo\n:frob\n(1 +\n 1)\n:quit\n99\n";
    let (code, out, err) = futi(&["--keep-going"], input);
    let lines: Vec<&str> = out.lines().collect();
    // 0, 1, 2 have mean 1, whose gradient is 1/3 everywhere
    assert_eq!(lines[..3], ["3", "1.0", "mean : [n] . [n]f64 -> f64"], "{out}");
    assert_eq!(lines[3], "[0.3333333333333333, 0.3333333333333333, 0.3333333333333333]");
    assert_eq!(lines[4..], ["(1, [true])", "[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]", "1.0", "2"]);
    // the status is that of the first that has failed
    assert_eq!(code, 1);
    assert!(err.contains("Error: Index [7] out of bounds for array of shape [3]."), "{err}");
    assert!(err.contains("Unknown name \"foo\"") && err.contains("There is no command :frob"), "{err}");
    // without the option the first is the last
    assert_eq!(futi(&[], "foo\n1\n").0, 2);
    assert_eq!(futi(&[], "1\nxs[7]\n2\n").1, "1\n");
    assert_eq!(futi(&[], "[1][7]\n2\n").0, 1);
}

/// A program is read as it is from a file, whatever its layout.
#[test]
fn programs_are_read_from_a_pipe() {
    for program in [
        "-- | The square.\ndef square (x: f64) =\n\n  x * x\n\nmodule m = {\ndef y = 2.0\n\ndef z = square y\n}\n",
        "def square (x: f64) =\nlet y = x\n\nlet z = y\nin y * z\nmodule m = { def z = square\n2.0 }",
        "entry square (x: f64) : f64 =\n  x\n  |> (* x)\ntype t = f64\nmodule m = { let z : t = square 2 }\n",
    ] {
        assert_eq!(futi(&[], &format!("{program}\nm.z\n")), (0, "4.0\n".into(), String::new()), "{program}");
    }
}

#[test]
fn expressions_are_evaluated_from_the_command_line() {
    assert_eq!(futi(&["eval", "1 + 1"], ""), (0, "2\n".into(), String::new()));
    assert_eq!(futi(&["eval", "-3i32", "def f x = it * x", "f 2"], "").1, "-3\n-6\n");
    assert_eq!(futi(&["eval", "-f", "examples/hello.fut", "main [1.0, 3.0]"], "").1, "5.0\n");
    assert_eq!(futi(&["eval", "iota 2000"], "").1.matches(',').count(), 1999);
    for (exp, code) in [("1 +", 2), ("foo", 2), ("[1][2]", 1), (":frob", 2)] {
        let (status, out, err) = futi(&["eval", exp], "");
        assert_eq!((status, out.as_str()), (code, ""), "{exp}: {err}");
    }
}

#[test]
fn scripts_call_entry_points() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(
        &folder,
        "script",
        "entry pair (n: i64) : (i64, [n]f64) = (n, replicate n 0.5)\nentry second (p: (i64, []f64)) = p.1\nentry fails (i: i64) = [1][i]\nentry rgb (x: [][]u32) = x",
    );
    let run = |script: &str| futi(&["script", &path, script], "");
    assert_eq!(run("pair 2"), (0, "(2i64, [0.5f64, 0.5f64])\n".into(), String::new()));
    assert_eq!(run("let p = pair 2 in second p").1, "[0.5f64, 0.5f64]\n");
    assert_eq!(run("{x = 1, y = true}").1, "{x = 1i32, y = true}\n");
    let (code, _, err) = run("fails 1");
    assert!(code == 1 && err.starts_with("Error: Index [1] out of bounds") && err.contains("Backtrace"), "{err}");
    for wrong in ["pair", "nothing 1", "pair (", "$loadnothing \"x\""] {
        let (code, _, err) = run(wrong);
        assert!(code == 2 && err.starts_with("script: ") && err.lines().count() == 1, "{wrong}: {err}");
    }
}

#[test]
fn backends_are_listed() {
    let (code, out, _) = futi(&["backends"], "");
    assert_eq!(code, 0);
    assert!(out.contains("interp") && out.contains("vulkan"), "{out}");
}

#[test]
fn tests_close_with_a_count() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = futi(&["test", "examples/hello.fut"], "");
    assert_eq!(code, 0, "{out}");
    assert!(out.trim_end().ends_with("4 passed, 0 failed, 0 skipped"), "{out}");
    let wrong = program(&folder, "wrong", "-- ==\n-- input { 1 } output { 3 }\nentry main (x: i32) = x + 1\n");
    let (code, out, _) = futi(&["test", &wrong], "");
    assert_eq!(code, 1, "{out}");
    assert_eq!(out, format!("{wrong}:main#1: FAILED\n  2i32, expected 3i32\n0 passed, 1 failed, 0 skipped\n"));
    // a path that is not there is one failure, and the others run
    let (code, out, _) = futi(&["test", "examples/hello.fut", "nowhere.fut"], "");
    let said = "nowhere.fut:program: FAILED\n  error E0001: nowhere.fut cannot be read: No such file or directory (os error 2).\n4 passed, 1 failed, 0 skipped\n";
    assert_eq!((code, out.as_str()), (1, said));
    // the tables of the harness end in the same way
    let (code, out, _) = futi(&["test", "--oracles", "examples/hello.fut", "--filter", "main#1"], "");
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("by-definition") && out.trim_end().ends_with("1 passed, 0 failed, 0 skipped"), "{out}");
}

/// Of its cases the first passes; the third is tagged.
const SOME_FAIL: &str = "-- ==
-- input { 1 } output { 1 }
-- input { 2 } output { 1 }
-- slow compiled input { 3 } output { 4 }
-- structure { Loop 1 Alloc 3 }
entry main (x: i32) : i32 = loop y = x while y > 4 do y - 1
";

#[test]
fn a_program_that_hangs_or_takes_all_memory_does_not_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let endless = "y == 2 || y > 4 do (if y == 5 then 6 else 5)";
    let hangs = program(&folder, "hangs", &SOME_FAIL.replace("y > 4 do y - 1", endless));
    let memory = program(
        &folder,
        "takes-memory",
        "-- ==\n-- input { 5i64 } output { 5i64 }\n-- input { 1000000000i64 } output { 1i64 }\n-- input { 6i64 } output { 6i64 }
entry main (n: i64) : i64 = length (replicate n 1i64)\n",
    );
    let (code, out, _) = futi(&["test", &hangs, &memory, "--time-limit", "5"], "");
    assert_eq!(code, 1);
    assert!(out.contains(&format!("{hangs}:main#2: FAILED\n  takes more than 5 s\n")), "{out}");
    assert!(out.contains(&format!("{hangs}:main#3: FAILED\n  3i32, expected 4i32\n")), "{out}");
    // 8 GB, where a process has 4 GiB
    assert!(out.contains(&format!("{memory}:main#2: FAILED\n")) && out.contains("memory"), "{out}");
    assert!(out.ends_with("3 passed, 3 failed, 0 skipped\n"), "{out}");
}

#[test]
fn cases_are_chosen_as_in_futhark() {
    let folder = tempfile::tempdir().unwrap();
    let some_fail = program(&folder, "chosen", SOME_FAIL);
    let closing = |args: &[&str]| {
        let (_, out, err) = futi(&[&["test", &some_fail], args].concat(), "");
        format!("{}{err}", out.lines().last().unwrap_or_default())
    };
    assert_eq!(closing(&["-t"]), "1 passed, 0 failed, 0 skipped");
    assert_eq!(closing(&["-i", "--exclude", "nothing"]), "1 passed, 1 failed, 1 skipped");
    assert_eq!(closing(&["--exclude", "slow", "--filter", "main#3"]), "0 passed, 0 failed, 1 skipped");
    // there is no `Alloc` in this compiler
    assert_eq!(closing(&["-s"]), "0 passed, 0 failed, 1 skipped");
    assert_eq!(closing(&["--entry-point", "other"]), "futi: there is nothing to test\n");
    let (code, out, _) = futi(&["test", "examples/hello.fut", "--entry-point", "gradient", "--json"], "");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &report["passed"], &report["programs"][0]["cases"][0]["case"]),
        (0, &1.into(), &"gradient#1".into())
    );
}

#[test]
fn data_is_made_as_futhark_makes_it() {
    // as printed by Futhark 0.25.32 for the same options; each value behind the first has a seed of its own
    let options =
        ["dataset", "--i32-bounds=0:9", "-g", "[5]i32", "-g", "f64", "-t", "-g", "[2]u8", "--text", "-g", "5i64"];
    let made = "[5i32, 2i32, 3i32, 7i32, 7i32]\n0.11429773303608981f64\n[2]u8\n5i64\n";
    assert_eq!(futi(&options, ""), (0, made.into(), String::new()));
    assert_eq!(futi(&["dataset", "-s", "-7", "-g", "i32"], "").1, "-1518036844i32\n");
    let (_, binary, _) = futi_bytes(&["dataset", "-b", "-g", "[2]i16"], b"");
    assert_eq!(binary, b"b\x02\x01 i16\x02\0\0\0\0\0\0\0\xf5\x39\x9b\xa1");
    // and converted
    assert_eq!(futi_bytes(&["dataset"], &binary).1, b"[14837i16, -24165i16]\n");
    assert_eq!(futi(&["dataset", "-t"], "[1, 2] \"ab\" 3.0").1, "[2]i32\n[2]u8\nf64\n");
    for (args, code, said) in [
        (&["dataset", "-g", "[n]i32"][..], 2, "neither a type with its sizes nor a value"),
        (&["dataset", "-g", "[99999999999][99999999999]i32"], 2, "larger than memory"),
        (&["dataset", "--i8-bounds=0:300", "-g", "i8"], 2, "`300` is no value of type i8"),
        (&["dataset"], 1, "standard input: 1:1: `foo` is not a value"),
    ] {
        let (got, _, err) = futi(args, "foo");
        assert!(got == code && err.contains(said), "{args:?}: {got} {err}");
    }
}

#[test]
fn data_is_compared_as_futhark_does() {
    let folder = tempfile::tempdir().unwrap();
    let data = |name: &str, text: &str| program(&folder, name, text);
    let compare = |a: &str, b: &str| futi(&["datacmp", &data("got", a), &data("expected", b)], "");
    let same = (0, String::new(), String::new());
    assert_eq!(compare("[1000.0, f64.nan] 1", "-- why\n[1001.0, f64.nan] 1"), same);
    // the lines are those of Futhark 0.25.32
    let differs = |lines: &str| (2, lines.to_string(), String::new());
    assert_eq!(
        compare("[[1, 2], [3, 4]] 5", "[[1, 2], [5, 4]] 6"),
        differs("Value #0 index [1,0]: expected 5, got 3\nValue #1: expected 6, got 5\n")
    );
    assert_eq!(compare("[-1000.0]", "[-1001.0]"), differs("Value #0 index [0]: expected -1001.0, got -1000.0\n"));
    assert_eq!(compare("1 2", "1"), differs("Expected 1 values, got 2\n"));
    assert_eq!(compare("1i64", "1i32"), differs("Value #0: expected a value of type i32, got i64\n"));
    let (code, out, _) = compare(&format!("[{}]", "1, ".repeat(15)), &format!("[{}]", "2, ".repeat(15)));
    assert_eq!((code, out.lines().count(), out.lines().last()), (2, 11, Some("Value #0: 5 more differences")));
    let (code, _, err) = futi(&["datacmp", &data("got", "1"), "nowhere.data"], "");
    assert!(code == 1 && err.starts_with("futi: nowhere.data: No such file"), "{err}");
}

#[test]
fn a_trace_is_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let source = program(
        &folder,
        "trace",
        "entry main (xs: []f64) (c: f64): f64 = let ys = map (\\x -> x * x + c) xs in if c > 1.0 then reduce (+) 0.0 ys else f64.sin ys[0]",
    );
    let args = "[1.0, 2.0, 3.0] 2.0";
    for (keep, products) in [("reals,arrays", 1), ("reals", 3)] {
        let (code, text, err) = futi(&["trace", &source, "--keep", keep], args);
        assert_eq!((code, err), (0, String::new()));
        // the branch that was not taken, and the choice, are gone
        assert_eq!(
            (text.matches("mul.f64").count(), text.matches("sin").count(), text.matches("if ").count()),
            (products, 0, 0)
        );
        // 1+2 + 4+2 + 9+2
        assert_eq!(futi(&["run", &program(&folder, "trace-ir", &text)], args), (0, "20.0f64\n".into(), "".into()));
    }
    let (_, text, _) = futi(&["trace", &source, "--uses"], args);
    assert!(text.ends_with("-- xs_0: 2\n-- c_1: 1\n-- t_3: 1\n-- t_5: 1\n-- t_10: 1\n"), "{text}");
    // a size is a constant of the trace, also where it is a number: for arguments of another size it is none
    let mean = program(&folder, "mean", "entry main [n] (xs: [n]f64) = (n, f64.sum xs / f64.i64 n)");
    let (_, text, _) = futi(&["trace", &mean], "[1.0, 2.0, 3.0]");
    let trace = program(&folder, "mean-ir", &text);
    assert_eq!(futi(&["run", &trace], "[1.0, 2.0, 3.0]"), (0, "3i64\n2.0f64\n".into(), "".into()));
    let (code, _, err) = futi(&["run", &trace], "[1.0, 2.0]");
    assert!(code == 1 && err.contains("has shape [2]"), "{code} {err}");
    let (code, _, err) = futi(&["trace", &mean, "--memory", "64"], "[1.0, 2.0, 3.0]");
    assert!(code == 1 && err.contains("more than 64 bytes of memory"), "{code} {err}");
    let (code, _, err) = futi(&["trace", &source, "--keep", "arrays"], args);
    assert!(code == 2 && err.contains("cannot keep arrays without reals"), "{code} {err}");
}

#[test]
fn what_reverse_mode_keeps_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let long = program(
        &folder,
        "long",
        "def f (n: i64) (x: f64) = loop x for _i < n do f64.sin x\nentry main (n: i64) (x: f64) = vjp (f n) x 1\nentry plain (x: f64) = f64.sin x",
    );
    let explained = |options: &[&str]| {
        let (code, out, err) = futi(&[&["ir", &long, "--explain"], options].concat(), "");
        assert_eq!((code, err.as_str()), (0, ""));
        out.strip_prefix(&long).unwrap_or(&out).to_string()
    };
    assert_eq!(
        explained(&[]),
        ":1:27: loop: reversed (the state at the beginning of every trip is kept, and every trip executed twice)\n"
    );
    assert_eq!(
        explained(&["--checkpoints", "1KiB"]),
        ":1:27: loop: reversed (binomial checkpoints: up to 128 states of 8 bytes are kept, in 1024 bytes)\n"
    );
    assert_eq!(explained(&["-e", "plain"]), "There is nothing parallel in it.\n");
    // what is printed with a budget runs, and gives the same
    let expected = futi(&["run", &long], "100 0.5").1;
    let (_, text, _) = futi(&["ir", &long, "-e", "main", "--stage", "ad", "--checkpoints", "64"], "");
    let ir = program(&folder, "long-ir", &text);
    let ir_file = format!("{}.ir", ir.trim_end_matches(".fut"));
    std::fs::rename(&ir, &ir_file).unwrap();
    assert_eq!(futi(&["run", &ir_file], "100 0.5").1, expected);
    // the interpreter differentiates by definition
    let (code, _, err) = futi(&["run", &long, "--checkpoints", "64"], "100 0.5");
    assert_eq!(code, 1);
    assert!(err.contains("the interpreter differentiates by definition"), "{err}");
    // unless it is asked to run derivatives as they are transformed
    assert_eq!(futi(&["run", &long, "--ad", "transform", "--checkpoints", "64"], "100 0.5").1, expected);
    assert_eq!(futi(&["run", &long, "--ad", "transform", "--memory", "64KiB"], "100 0.5").1, expected);
    let (code, _, err) = futi(&["run", &long, "--ad", "transform", "--strict"], "100 0.5");
    assert_eq!((code, err.trim()), (1, "futi: --strict is for derivatives by definition"));
}
