//! What is in the corpora of the fuzz targets has the properties that they ask for; what was found once is found again.

use futi_fuzz::*;
use std::path::Path;
use std::process::Command;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz");

type Target = (&'static str, fn(&[u8]));
const TARGETS: [Target; 9] = [
    ("lexer", |data| text(data, lexer)),
    ("parser", |data| text(data, parser)),
    ("checker", |data| text(data, checker)),
    ("ir_parser", |data| text(data, ir_parser)),
    ("ir_check", |data| text(data, ir_check)),
    ("passes", |data| text(data, passes)),
    ("values", |data| text(data, values)),
    ("binary", binary),
    ("test_block", |data| text(data, test_block)),
];

fn names(folder: &str) -> Vec<String> {
    let folder = Path::new(FUZZ).join(folder);
    let stem = |path: std::path::PathBuf| path.file_stem().unwrap().to_str().unwrap().to_string();
    let mut names: Vec<String> = std::fs::read_dir(folder).unwrap().map(|f| stem(f.unwrap().path())).collect();
    names.sort();
    names
}

#[test]
fn every_target_has_a_corpus_that_is_tested() {
    let mut tested: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    tested.sort();
    assert_eq!(tested, names("corpus"));
    let text = std::fs::read_to_string(format!("{FUZZ}/fuzz_targets/target.rs")).unwrap();
    let mut fuzzed: Vec<&str> = text.split("Ok(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    fuzzed.sort();
    assert_eq!(tested, fuzzed);
}

#[test]
fn what_is_in_the_corpora_passes() {
    for (name, target) in TARGETS {
        let folder = format!("{FUZZ}/corpus/{name}");
        let mut count = 0;
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            eprintln!("{}", path.display());
            target(&std::fs::read(path).unwrap());
            count += 1;
        }
        assert!(count >= 5, "{folder} has {count} inputs");
    }
}

/// What `run.sh` says and how it ends where cargo can do nothing, with these variables of the environment.
fn without_cargo(variables: &[(&str, &str)]) -> (String, Option<i32>) {
    let tools = tempfile::tempdir().unwrap();
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
    let cargo = r#"printf '#!/bin/sh\nexit 1\n' > "$0/cargo" && chmod +x "$0/cargo""#;
    assert!(Command::new("sh").args(["-c", cargo]).arg(tools.path()).status().unwrap().success());
    let mut command = Command::new("bash");
    command.arg(format!("{FUZZ}/run.sh")).env("PATH", path);
    command.env_remove("CI").env_remove("FUTI_CI").envs(variables.iter().copied());
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn what_is_skipped_fails_where_all_must_run() {
    let skipped = "0 passed, 0 failed, 9 skipped\n";
    let (said, status) = without_cargo(&[]);
    assert!(said.contains("cannot be had") && said.ends_with(skipped), "{said}");
    assert_eq!(status, Some(0));
    let (said, status) = without_cargo(&[("FUTI_CI", "1")]);
    assert!(said.contains(skipped) && said.ends_with("nothing may be skipped\n"), "{said}");
    assert_eq!(status, Some(1));
}
