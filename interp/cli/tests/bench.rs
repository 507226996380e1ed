//! `futi bench`, `benchcmp` and `profile` as a person meets them.

mod files;

use files::folder;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const FUTI: &str = env!("CARGO_BIN_EXE_futi");

/// Runs `futi` in a folder, without input; gives exit status, standard output, standard error.
fn futi(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(FUTI);
    let out = command.args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

/// The same of `futi bench` with three runs.
fn bench(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    futi(folder, &[&["bench", "-r", "3", "--min-seconds", "0", "--no-convergence-phase"], args].concat())
}

fn json(folder: &TempDir, file: &str) -> Value {
    serde_json::from_str(&read(&folder.path().join(file))).unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The keys of an object.
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort();
    keys
}

/// Sums: each input is one of another kind; the last consumes, and has records.
const SUMS: &str = "-- ==
-- entry: main
-- nobench input { [7i64] }
-- input { [1i64, 2i64, 3i64] } output { 6i64 }
-- random input { [100]i64 } auto output
-- script input { upto 4i64 } output { 6i64 }
-- \"from a file\" input @ data.in output @ data.out
-- slow input { [5i64] }
-- input { [6i64] } error: nothing

-- ==
-- entry: ends
-- script input { points 3i64 } output { 0i64 2i64 }
type point = {x: i64, y: i64}
entry main [n] (xs: [n]i64) : i64 = i64.sum xs
entry upto (n: i64) : [n]i64 = iota n
entry points (n: i64) : [n]point = map (\\i -> {x = i, y = 2 * i}) (iota n)
entry ends [n] (ps: *[n]point) : (i64, i64) = let qs = ps with [0] = {x = 0, y = 0} in (qs[0].x, qs[1].y)
";

#[test]
fn results_have_futharks_form() {
    let folder = folder(&[("p.fut", SUMS), ("data.in", "[10i64, 20i64]"), ("data.out", "30i64")]);
    let (code, out, err) = bench(&folder, &["p.fut", "--json", "out.json", "--exclude-case", "slow"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let all = json(&folder, "out.json");
    assert_eq!(keys(&all), ["p.fut", "p.fut:ends"]);
    let datasets = &all["p.fut"]["datasets"];
    assert_eq!(keys(datasets), ["#1 (\"[1i64, 2i64, 3i64]\")", "[100]i64", "from a file", "upto 4i64"]);
    assert_eq!(keys(&all["p.fut:ends"]["datasets"]), ["points 3i64"]);
    for dataset in datasets.as_object().unwrap().values() {
        let runtimes = dataset["runtimes"].as_array().unwrap();
        assert!(runtimes.len() == 3 && runtimes.iter().all(Value::is_u64), "{dataset}");
        assert!(dataset["bytes"].is_object(), "{dataset}");
    }
    assert!(out.contains("\np.fut:ends:\npoints 3i64: ") && out.contains("from a file:"), "{out}");
    assert_eq!(out.matches("95% CI").count(), 5, "{out}");
}

#[test]
fn wrong_results_are_told_and_the_others_are_measured() {
    let text = "-- ==\n-- input { 1 } output { 2 }\n-- input { 2 } output { 5 }\n-- input { 0 }\n-- input { true }\nentry main (x: i32) : i32 = 2 / x * x * x\n";
    let folder = folder(&[("p.fut", text)]);
    let (code, out, _) = bench(&folder, &["p.fut", "--json", "out.json"]);
    assert_eq!(code, 1, "{out}");
    let all = json(&folder, "out.json");
    let of = |name: &str| &all["p.fut"]["datasets"][name];
    assert!(of("#0 (\"1i32\")")["runtimes"].is_array(), "{all}");
    // 2 / 2 * 2 * 2 = 4
    let wrong = of("#1 (\"2i32\")").as_str().unwrap();
    assert!(wrong.starts_with("the results are not those expected: ") && wrong.contains('5'), "{wrong}");
    assert!(out.contains(wrong), "{out}");
    assert!(of("#2 (\"0i32\")").as_str().unwrap().contains("p.fut:6:"), "{all}");
    assert!(of("#3 (\"true\")").as_str().unwrap().contains("argument"), "{all}");
    let (code, out, _) = bench(&folder, &["p.fut", "--skip-validation", "--exclude-case", "x"]);
    assert!(code == 1 && out.contains("#1 (\"2i32\"):             0μs") || out.matches("95% CI").count() == 2, "{out}");
}

#[test]
fn what_is_asked_for_is_run() {
    let program =
        "-- ==\n-- entry: f g\n-- input { 1i64 }\nentry f (x: i64) = x\nentry g (x: i64) = x + #[param(k)] 1\n";
    let folder = folder(&[
        ("a.fut", program),
        ("skipped.fut", "def x = \n"),
        ("none.fut", "def x = 1\n"),
        ("spec", "==\nentry: g\ninput { 7i64 } output { 12i64 }\n"),
        ("a.fut.tuning", "k=5\n"),
    ]);
    let (code, out, err) = bench(&folder, &[".", "--ignore-files", "sk.*d", "-e", "g", "--json", "out.json"]);
    assert_eq!((code, keys(&json(&folder, "out.json"))), (0, vec!["./a.fut:g"]), "{out}{err}");
    // one and five more
    let (code, out, err) = bench(&folder, &["a.fut", "--spec-file", "spec"]);
    assert!(code == 0 && out.contains("a.fut:g (k=5):\n#0 (\"7i64\"): "), "{out}{err}");
    let (code, out, _) = bench(&folder, &["a.fut", "--spec-file", "spec", "--no-tuning"]);
    assert!(code == 1 && out.contains("not those expected"), "{out}");
    let (code, _, err) = bench(&folder, &["none.fut"]);
    assert_eq!((code, err.as_str()), (1, "futi: there is nothing to measure\n"));
    let (code, out, err) = bench(&folder, &[".", "-p", "--nonsense", "--ignore-files", "skipped"]);
    assert!(code == 1 && out.contains("--nonsense"), "{out}{err}");
}

#[test]
fn programs_that_are_rejected_are_the_end() {
    let folder = folder(&[("p.fut", "-- ==\n-- input { 1 }\nentry main (x: i32) = y\n"), ("q.fut", SUMS)]);
    let (code, out, err) = bench(&folder, &["q.fut", "p.fut"]);
    assert!(code == 2 && out.is_empty() && err.contains("p.fut:3:23"), "{out}{err}");
    let (code, _, err) = bench(&folder, &["nowhere.fut"]);
    assert!(code == 1 && err.starts_with("futi: nowhere.fut: ") && err.lines().count() == 1, "{err}");
    let (code, _, err) = bench(&folder, &["q.fut", "--json", "no/folder/x.json"]);
    assert!(code == 1 && err.starts_with("futi: no/folder/x.json: "), "{err}");
    let (code, _, err) = bench(&folder, &["q.fut", "--profile"]);
    assert!(code == 2 && err.contains("--json"), "{err}");
}

#[test]
fn what_takes_too_long_is_ended() {
    let text = "-- ==\n-- input { 1000000000000i64 }\n-- input { 3i64 }\nentry main (n: i64) = loop a = 1 for i < n do (a * 7919 + i) % 1000003\n";
    let folder = folder(&[("p.fut", text)]);
    let (code, out, _) = bench(&folder, &["p.fut", "--timeout", "2"]);
    assert!(code == 1 && out.contains("takes more than 2 s"), "{out}");
    assert_eq!(out.matches("95% CI").count(), 1, "{out}");
}

#[test]
fn two_files_are_compared() {
    let of = |a: &str, b: &str, only: &str| {
        format!(
            r#"{{"p.fut":{{"datasets":{{"A":{{"runtimes":{a},"bytes":{{}}}},"B":{{"runtimes":{b},"bytes":{{}}}},"{only}":{{"runtimes":[1]}}}}}},"q.fut:f":{{"datasets":{{"C":{{"runtimes":[10,10]}},"{only}":"boom\nbang"}}}}}}"#
        )
    };
    let folder = folder(&[
        ("a.json", &of("[99,100,101]", "[5,6,7]", "old")),
        ("b.json", &of("[49,50,51]", "[7,6,5]", "new")),
        ("no.json", "{\"p\":1}"),
    ]);
    let (code, out, _) = futi(&folder, &["benchcmp", "a.json", "b.json"]);
    assert_eq!(code, 0);
    for line in [
        "In a.json but not b.json: program p.fut dataset old",
        "In b.json but not a.json: program q.fut:f dataset new",
        "Failed in a.json: program q.fut:f dataset old: boom",
        "3 datasets compared: 1 significantly faster, 0 significantly slower; geometric mean 1.26x",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}: {out}");
    }
    // 100 / 50, 6 / 6, 10 / 10
    let line = |name: &str| out.lines().find(|l| l.trim_start().starts_with(name)).unwrap().to_string();
    assert!(line("A:").contains(" 2.00x") && line("A:").ends_with("  faster"), "{out}");
    assert!(line("B:").contains(" 1.00x") && line("B:").ends_with("])"), "{out}");
    assert!(line("C:").ends_with("1.00x  (95% CI: [1.00, 1.00])"), "{out}");
    let (_, sorted, _) =
        futi(&folder, &["benchcmp", "b.json", "a.json", "--sort-by", "geomean-all", "--order", "best-first"]);
    assert!(sorted.find("\nq.fut:f") < sorted.find("\np.fut"), "{sorted}");
    assert!(sorted.contains(" 0.50x") && sorted.contains("slower"), "{sorted}");
    for (file, said) in [("no.json", "futi: no.json: these are no results"), ("nowhere", "futi: nowhere: No such file")]
    {
        let (code, _, err) = futi(&folder, &["benchcmp", "a.json", file]);
        assert!(code == 1 && err.starts_with(said) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn another_implementation_runs_in_turns() {
    let folder = folder(&[
        ("p.fut", SUMS),
        ("data.in", "[10i64, 20i64]"),
        ("data.out", "30i64"),
        ("other.fut", "entry main [n] (xs: [n]i64) : i64 = i64.sum xs + 1\n"),
    ]);
    let command = format!("'{FUTI}' server {{}}");
    let args = ["p.fut", "-e", "main", "--json", "out.json", "--against", &command];
    let (code, out, err) = bench(&folder, &args);
    assert_eq!(code, 0, "{out}{err}");
    let all = json(&folder, "out.json");
    for (name, dataset) in all["p.fut"]["datasets"].as_object().unwrap() {
        let count = |runs: &Value| runs.as_array().unwrap().len();
        assert_eq!(count(&dataset["runtimes"]), count(&dataset["against"]["runtimes"]), "{name}: {dataset}");
    }
    assert_eq!(out.matches("; against ").count(), 5, "{out}");
    // the same implementation: neither is ten times as fast
    let speedups = out.lines().filter_map(|l| l.split("; ").nth(2)?.split('x').next()?.parse::<f64>().ok());
    let speedups: Vec<f64> = speedups.collect();
    assert!(speedups.len() == 5 && speedups.iter().all(|x| (0.1..10.0).contains(x)), "{out}");

    let other = format!("'{FUTI}' server other.fut");
    let args = ["p.fut", "-e", "main", "--exclude-case", "slow", "--against", &other];
    let (code, out, _) = bench(&folder, &args);
    assert!(code == 1 && out.matches("the results are not those of ").count() == 4, "{out}");
    let (code, out, _) = bench(&folder, &["p.fut", "-e", "main", "--against", "/no/where {}"]);
    assert!(code == 1 && out.matches("cannot be started").count() == 5, "{out}");
    let (code, out, _) = bench(&folder, &["p.fut", "-e", "main", "--against", "sh -c 'echo no >&2; exit 3' {}"]);
    assert!(code == 1 && out.contains("ended: exit status: 3"), "{out}");
}

#[test]
fn profiles_become_pages_and_traces() {
    let results = r#"{"a/p.fut:f":{"datasets":{"d/e":{"runtimes":[1],"bytes":{"device":4096},"stderr":"said\n","profiling":{"events":[
        {"name":"small","duration":1.0,"provenance":"p.fut:1:2-3","details":{"launches":1,"invocations":5,"operations":7}},
        {"name":"large","duration":3.0,"provenance":"p.fut:4:5-6","details":{"launches":2,"invocations":50,"operations":70}}],
        "memory":{"device":4096}}},"bad":"boom"}}}"#;
    let folder = folder(&[
        ("out.json", results),
        ("plain.json", r#"{"p":{"datasets":{"d":{"runtimes":[1]}}}}"#),
        ("p.fut", SUMS),
    ]);
    let (code, out, err) = futi(&folder, &["profile", "out.json"]);
    assert_eq!((code, out.as_str()), (0, "out.prof: 1 dataset\n"), "{err}");
    let base = folder.path().join("out.prof/a_p.fut_f");
    let page = read(&base.join("d_e.txt"));
    assert!(page.find("large") < page.find("small") && page.contains("p.fut:4:5-6") && page.contains("75.0"), "{page}");
    let trace: Value = serde_json::from_str(&read(&base.join("d_e.trace.json"))).unwrap();
    let spans = trace["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X");
    assert_eq!(spans.map(|e| e["dur"].as_f64().unwrap()).collect::<Vec<_>>(), [1.0, 3.0]);
    assert_eq!(read(&base.join("d_e.log")), "said\n");
    let (code, _, err) = futi(&folder, &["profile", "plain.json"]);
    assert_eq!((code, err.as_str()), (1, "futi: plain.json has no profile: `futi bench --profile` takes one\n"));

    // the interpreter has no kernels; a page says so
    let (code, out, err) = bench(&folder, &["p.fut", "-e", "ends", "--profile", "--json", "own.json"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(futi(&folder, &["profile", "own.json"]).1, "own.prof: 1 dataset\n");
    let page = read(&folder.path().join("own.prof/p.fut_ends/points 3i64.txt"));
    assert!(page.contains("tells nothing about kernels"), "{page}");
}

#[cfg(feature = "vulkan")]
#[test]
fn kernels_of_a_device_are_timed() {
    let text = "-- ==\n-- random input { [100000]f32 } auto output\nentry main [n] (xs: [n]f32) : f32 = f32.sum (map (\\x -> x * x) xs)\n";
    let folder = folder(&[("p.fut", text)]);
    let (code, out, err) = bench(&folder, &["p.fut", "--backend", "vulkan", "--profile", "--json", "own.json"]);
    assert_eq!(code, 0, "{out}{err}");
    let dataset = &json(&folder, "own.json")["p.fut"]["datasets"]["[100000]f32"];
    // the input alone
    assert!(dataset["bytes"]["device"].as_u64().unwrap() >= 400_000, "{dataset}");
    let events = dataset["profiling"]["events"].as_array().unwrap();
    let kernel = events.iter().find(|e| e["details"]["launches"] != 0).unwrap();
    assert!(kernel["provenance"].as_str().unwrap().contains("p.fut:3:"), "{kernel}");
    assert_eq!(futi(&folder, &["profile", "own.json"]).0, 0);
}

/// Each sum has as many terms as the element says: both datasets have another number of points.
const IRREGULAR: &str = "-- ==
-- input { [3i64, 1i64] } output { [9i64, 0i64] }
-- input { [1i64, 2i64, 3i64, 4i64] }
entry main [n] (xs: [n]i64) : [n]i64 = map (\\x -> i64.sum (map (\\i -> i * x) (iota x))) xs
";

#[test]
fn thresholds_are_tuned() {
    let folder =
        folder(&[("p.fut", IRREGULAR), ("p.fut.tuning", "main.enough_0=1\nother=7\n"), ("q.fut", "entry main = 1")]);
    let (code, out, err) = futi(&folder, &["autotune", "p.fut", "--backend", "executor", "-r", "1"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // two and four points: none is fewer than 2, one than 4, both than 5
    let values: Vec<&str> =
        out.lines().filter(|line| line.ends_with("μs")).filter_map(|line| line.split(':').next()).collect();
    assert_eq!(values, ["main.enough_0=2", "main.enough_0=4", "main.enough_0=5"], "{out}");
    let text = read(&folder.path().join("p.fut.tuning"));
    let chosen = text.strip_prefix("other=7\n").unwrap_or_else(|| panic!("{text}")).trim();
    assert!(values.contains(&chosen), "{text}");
    assert!(out.ends_with(&format!("p.fut.tuning:\n{chosen}\n")), "{out}");
    // what is written is read
    let heading = format!("\np.fut (other=7, {chosen}):\n");
    let (code, out, _) = bench(&folder, &["p.fut", "--backend", "executor"]);
    assert!(code == 0 && out.contains(&heading), "{out}");
    let before = read(&folder.path().join("p.fut.tuning"));
    let none = futi(&folder, &["autotune", "p.fut", "--backend", "interp"]);
    assert_eq!(none, (0, "p.fut has no thresholds on interp: there is one version of each nest.\n".into(), "".into()));
    assert_eq!(read(&folder.path().join("p.fut.tuning")), before);
    // what has thresholds is what a program is tuned for
    assert!(futi(&folder, &["autotune", "--help"]).1.contains("[default: vulkan]"));
    let (code, _, err) = futi(&folder, &["autotune", "q.fut", "--backend", "executor"]);
    assert!(code == 1 && err.contains("q.fut: there are no datasets to run it on"), "{code} {err}");
}
