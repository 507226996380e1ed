//! `futi explain`, what names it, and warnings; `futi ir --explain`.

mod files;

use files::program;
use futi_core::diag::Code;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `futi` without input; gives exit status, standard output, standard error.
fn futi(args: &[&str]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_futi")).args(args).stdin(Stdio::null()).output().unwrap();
    (out.status.code().unwrap_or(-1), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
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
    let folder = tempfile::tempdir().unwrap();
    let path = program(&folder, "two", "def f = missing\ndef g = also_missing\ndef h : i32 = true\n");
    let (code, _, err) = futi(&["check", &path]);
    assert_eq!((code, err.lines().last()), (2, Some("`futi explain E0201 E0301` says more.")), "{err}");
    assert_eq!(err.matches("futi explain").count(), 1, "{err}");
}

#[test]
fn what_is_not_supported_has_its_place_and_its_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(
        &folder,
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
    let folder = tempfile::tempdir().unwrap();
    let path = program(&folder, "unused", "entry main (x: i32) = 1i32\n");
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
    let fine = program(&folder, "fine", "entry main (_x: i32) = 1i32\n");
    assert_eq!(futi(&["check", "--Werror", &fine]), (0, "".into(), "".into()));
}

/// Lines of an explanation without the path, with `#` for each number behind the place.
fn explained(path: &str, options: &[&str]) -> Vec<String> {
    let (code, out, err) = futi(&[&["ir", "-w", path, "--explain"], options].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let line = |line: &str| {
        let (place, rest) = line.strip_prefix(path).unwrap_or(line).split_once(": ").unwrap_or_default();
        let mut text = format!("{place}: ");
        for c in rest.chars() {
            match c {
                '0'..='9' if text.ends_with('#') => {}
                '0'..='9' => text.push('#'),
                c => text.push(c),
            }
        }
        text
    };
    out.lines().map(line).collect()
}

#[test]
fn what_becomes_of_nests_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let nests = program(
        &folder,
        "nests",
        "entry main [n] [m] (xss: [n][m]f64) (ks: [n]i64) =
  let deep = map (\\xs -> map (\\x -> f64.sum (map (\\y -> f64.sin (x * y)) xs)) xs) xss
  let own = map (\\k -> i64.sum (map (\\i -> i * k) (iota k))) ks
  in (deep, own)
entry loops [n] (xs: [n]f64) =
  let t = loop t = 0 for _i < 100i64 do f64.cos t + f64.sum (map (\\x -> f64.cos (x + t)) xs)
  in (t, loop xs while f64.sum xs > t do map (/2) xs)
entry scatters [n] (is: [n]i64) (xs: [n]f64) =
  (scatter (replicate 9 0) is xs, scatter (replicate 9 0) (map (2 *) (iota n)) xs)
entry matrices [n] (ms: [n][2][2]f64) =
  reduce (\\a b -> map (\\r -> map (\\c -> f64.sum (map2 (*) r c)) (transpose b)) a) [[1, 0], [0, 1]] ms
entry one [n] (ks: [n]i64) =
  map (\\k -> i64.sum (map (\\j -> i64.sum (filter (\\x -> x % 3 == 0) (iota j))) (iota k))) ks
entry plain (x: f64) = f64.sin x",
    );
    let said = |entry: &str| explained(&nests, &["-e", entry]);
    assert_eq!(
        said("main"),
        [
            ":2:14: map: two versions, # kernels over n × m (below main.enough_# points # kernels, with what is inside in parallel; from there on kernel map_#_of_main, with sequential code at each point)",
            ":2:14: map: two versions, # kernels (of few points: kernel within_groups_#_of_main, of which a group runs each point, if its arrays fit and main.enough_# has it so; else # kernels)",
            ":2:37: reduce: sequential (from main.enough_# points on these alone keep a device busy; below that it is parallel)",
            ":3:13: map: two versions, # kernels over n (below main.enough_# points # kernels, with what is inside in parallel; from there on kernel map_#_of_main, with sequential code at each point)",
            ":3:24: reduce: sequential (from main.enough_# points on these alone keep a device busy; below that it is parallel)",
        ]
    );
    assert_eq!(
        said("loops"),
        [
            ":6:11: for loop: two versions (with up to whole_loops points and elements in a round one invocation runs it, else its rounds are kernels, one round behind the other)",
            ":6:53: reduce: parallel, # kernels over n",
            ":7:24: reduce: parallel, # kernels over n",
            ":7:10: while loop: loop of the device (the host does not wait for what decides whether there is another round)",
        ]
    );
    assert_eq!(
        said("scatters"),
        [
            ":9:4: scatter: parallel, # kernels over n (two points may write to one place, of which the last counts: a kernel more finds it)",
            ":9:35: scatter: parallel, kernel scatter_#_of_scatters over n (no two points write to one place)",
        ]
    );
    assert_eq!(
        said("matrices"),
        [
            ":11:3: reduce: parallel, # kernels over n (its operator is of arrays)",
            ":11:19: map: sequential (it is in an operator, which is applied to two values at a time)",
            ":11:30: map: sequential (what it stands in is sequential)",
            ":11:41: reduce: sequential (what it stands in is sequential)",
        ]
    );
    let one = said("one");
    let refused = ":13:3: map: one version (that for many points cannot be compiled: an array whose size changes inside of a point (a bound of its size))";
    assert!(one[0] == refused && one.len() > 1 && one[1].contains(": parallel, # kernels"), "{one:#?}");
    assert_eq!(futi(&["ir", &nests, "-e", "plain", "--explain"]).1, "There is nothing parallel in it.\n");
    let (code, out, _) = futi(&["ir", "-w", &nests, "-e", "scatters", "--explain=json"]);
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    let second = &all[1];
    assert_eq!((code, all.as_array().map(Vec::len)), (0, Some(2)), "{out}");
    assert_eq!(
        (&second["file"], &second["line"], &second["column"], &second["what"], &second["how"]),
        (&nests.as_str().into(), &9.into(), &35.into(), &"scatter".into(), &"parallel".into())
    );
    assert!(second["sizes"] == serde_json::json!(["n"]) && second["threshold"].is_null(), "{out}");
    let kernels = second["kernels"].as_array().unwrap();
    assert!(kernels.len() == 1 && kernels[0].as_str().unwrap().starts_with("scatter_"), "{out}");
}
