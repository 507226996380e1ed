//! The program as a person meets it: what it prints, what it says on standard error, its exit status.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `futi` in the repository's root; gives exit status, standard output, standard error.
fn futi(args: &[&str], input: &str) -> (i32, String, String) {
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
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

/// A program in a file of its own.
fn program(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("futi-cli-{}-{name}.fut", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn run_prints_a_result_a_line() {
    // the mean of 1, 4, 9; its gradient 2 x / 3
    assert_eq!(
        futi(&["run", "examples/hello.fut"], "[1.0, 2.0, 3.0]"),
        (0, "4.666666666666667f64\n".into(), "".into())
    );
    // numbers without suffix take the type that the entry point wants
    let (code, out, _) = futi(&["run", "examples/hello.fut", "-e", "slope"], "[1, 2, 3] [0, 0, 1]");
    assert_eq!((code, out.as_str()), (0, "2.0f64\n"));
    let two = program("two", "entry main (x: i32) : (i32, [2]bool) = (x + 1, [x > 0, x < 0])");
    assert_eq!(futi(&["run", &two], "41i32").1, "42i32\n[true, false]\n");
}

#[test]
fn what_is_wrong_with_the_input_is_one_line_and_status_1() {
    for (args, input, said) in [
        (&["run", "nowhere.fut"][..], "", "futi: nowhere.fut: No such file"),
        (
            &["run", "examples/hello.fut", "-e", "mian"],
            "",
            "examples/hello.fut has no entry point `mian`: it has main, gradient, slope, hessian",
        ),
        (&["run", "examples/hello.fut"], "", "entry point main takes 1 value (xs: [n]f64), got 0"),
        (&["run", "examples/hello.fut"], "[1.0, zwei]", "standard input:1:7: `zwei` is not a value"),
        (&["run", "examples/hello.fut"], "[[1.0]]", "argument `xs` has type [1][1]f64, expected []f64"),
        (&["run", "examples/hello.fut", "-e", "slope"], "[1.0, 2.0] [1.0]", "dimension 0 is 2 by the shape of `xs`"),
    ] {
        let (code, out, err) = futi(args, input);
        assert_eq!((code, out.as_str(), err.trim_end().lines().count()), (1, "", 1), "{args:?}: {err}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn runtime_errors_say_where_and_by_which_call() {
    let path = program(
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
    let path = program(
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
    // three arrays of 8192 elements of 8 bytes, of which two are live at once: 2 * 65536 bytes
    let path = program(
        "memory",
        "entry main (n: i64) : f64 =\n  let xs = map f64.i64 (iota n)\n  let ys = scan (+) 0.0 xs\n  in ys[n - 1] + xs[0]\n",
    );
    let run = |memory: &str, n: &str| futi(&["run", &path, "--memory", memory], n);
    for enough in ["131072", "128KiB", "1MiB", "2GiB", "1TiB"] {
        assert_eq!(run(enough, "8192i64"), (0, "33550336.0f64\n".into(), "".into()), "{enough}");
    }
    for (too_little, live) in [(131071, 65536), (1, 0)] {
        let (code, out, err) = run(&too_little.to_string(), "8192i64");
        assert_eq!((code, out.as_str()), (1, ""));
        let said =
            format!("Error: more than {too_little} bytes of memory: {live} are live and 65536 more are asked for");
        assert!(err.starts_with(&said), "{err}");
        assert!(err.contains(&format!("{path}:2:")), "{err}");
    }
    for wrong in ["64MB", "MiB", "-1", "1.5GiB", "99999999999TiB", ""] {
        let (code, _, err) = futi(&["run", &path, &format!("--memory={wrong}")], "1i64");
        assert!(code == 2 && err.contains("--memory"), "{wrong}: {err}");
    }
    let (code, _, err) = futi(&["run", &path, "--memory", "1MiB", "--backend", "vulkan"], "1i64");
    assert_eq!((code, err.as_str()), (1, "futi: --memory is for the backend interp, not vulkan\n"));
}

#[test]
fn strict_runs_report_what_a_program_may_not_depend_on() {
    // 1 is not neutral for +, and n = 3 gives 1 + 6
    let path = program("strict", "entry main (xs: []i32) : i32 = reduce (+) 1 xs\n");
    assert_eq!(futi(&["run", &path], "[1, 2, 3]").1, "7i32\n");
    let (code, out, err) = futi(&["run", &path, "--strict"], "[1, 2, 3]");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("Error: A neutral element is not neutral"), "{err}");
    assert!(err.contains(&format!("{path}:1:")), "{err}");
    let sound = program("strict-sound", "entry main (xs: []i32) : i32 = reduce (+) 0 xs\n");
    assert_eq!(futi(&["run", &sound, "--strict"], "[1, 2, 3]"), (0, "6i32\n".into(), "".into()));
    let (code, _, err) = futi(&["run", &path, "--strict", "--backend", "vulkan"], "[1]");
    assert_eq!((code, err.as_str()), (1, "futi: --strict is for the backend interp, not vulkan\n"));
}

#[test]
fn diagnostics_show_the_source_and_give_status_2() {
    let path = program("types", "entry main (x: i32) : f64 = x + 1.0\n\nentry other (n: i64) : [3]i64 = ioat n\n");
    for args in [["check", &path], ["run", &path]] {
        let (code, out, err) = futi(&args, "1");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        // both errors in one run, with the source
        assert!(err.contains("entry main (x: i32) : f64 = x + 1.0"), "{err}");
        assert!(err.contains("ioat") && err.contains("iota"), "{err}");
    }
    assert_eq!(futi(&["check", "examples/gmm.fut"], ""), (0, "".into(), "".into()));
}

#[test]
fn every_stage_prints_ir_that_runs() {
    let expected = futi(&["run", "examples/gmm.fut", "-e", "objective"], &gmm_small()).1;
    for stage in ["lowered", "simplified", "ad", "fused", "flat"] {
        for entry in ["objective", "gradient"] {
            let (code, text, err) = futi(&["ir", "examples/gmm.fut", "-e", entry, "--stage", stage], "");
            assert_eq!((code, err.as_str()), (0, ""), "{stage}");
            let parsed: futi_core::ir::Program = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text, "{stage}");
            let path = std::env::temp_dir().join(format!("futi-cli-{}-{entry}-{stage}.ir", std::process::id()));
            std::fs::write(&path, text).unwrap();
            let (code, out, err) = futi(&["run", &path.to_string_lossy(), "-e", entry], &gmm_small());
            assert_eq!((code, err.as_str()), (0, ""), "{stage}");
            assert!(entry == "gradient" || out[..12] == expected[..12], "{stage}: {out}, expected {expected}");
        }
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
fn a_session_on_a_pipe() {
    let input = "1 + 2\nlet xs = map (\\i -> f64.i64 i) (iota 3)\ndef mean [n] (ys: [n]f64) = f64.sum ys / f64.i64 n\nmean xs\n\
                 :type mean\nvjp mean xs 1.0\n(1, [true])\nzip xs xs\nxs[7]\nfoo\n:frob\n(1 +\n 1)\n:quit\n99\n";
    let (code, out, err) = futi(&[], input);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    // 0, 1, 2 have mean 1, whose gradient is 1/3 everywhere
    assert_eq!(lines[..3], ["3", "1.0", "mean : [n] . [n]f64 -> f64"], "{out}");
    assert_eq!(lines[3], "[0.3333333333333333, 0.3333333333333333, 0.3333333333333333]");
    assert_eq!(lines[4..6], ["(1, [true])", "[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]"]);
    assert!(out.contains("Error: Index [7] out of bounds for array of shape [3]."), "{out}");
    assert!(out.contains("Unknown name \"foo\"") && out.contains("There is no command :frob"), "{out}");
    assert!(out.trim_end().ends_with('2'), "{out}");
}

#[test]
fn backends_are_listed() {
    let (code, out, _) = futi(&["backends"], "");
    assert_eq!(code, 0);
    assert!(out.contains("interp") && out.contains("vulkan"), "{out}");
}

#[test]
fn tests_close_with_a_count() {
    let (code, out, _) = futi(&["test", "examples/hello.fut"], "");
    assert_eq!(code, 0, "{out}");
    assert!(out.trim_end().ends_with("4 passed, 0 failed, 0 skipped"), "{out}");
    let wrong = program("wrong", "-- ==\n-- input { 1 } output { 3 }\nentry main (x: i32) = x + 1\n");
    let (code, out, _) = futi(&["test", &wrong], "");
    assert_eq!(code, 1, "{out}");
    assert!(out.trim_end().ends_with("0 passed, 1 failed, 0 skipped"), "{out}");
}

#[test]
fn a_trace_is_a_program() {
    let source = program(
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
        assert_eq!(futi(&["run", &program("trace-ir", &text)], args), (0, "20.0f64\n".into(), "".into()));
    }
    let (_, text, _) = futi(&["trace", &source, "--uses"], args);
    assert!(text.ends_with("-- n_0: 0\n-- xs_1: 2\n-- c_2: 1\n-- t_4: 1\n-- t_6: 1\n-- t_11: 1\n"), "{text}");
    let (code, _, err) = futi(&["trace", &source, "--keep", "arrays"], args);
    assert!(code == 2 && err.contains("cannot keep arrays without reals"), "{code} {err}");
}
