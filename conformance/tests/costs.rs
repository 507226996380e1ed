//! What the programs of the suite and the examples cost, against `conformance/costs.txt`: one test a program. See [`futi_conformance::costs`].

use futi_conformance::costs::{FILE, LEGEND, of_program};
use futi_conformance::suite::TestProgram;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    match tests() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn tests() -> Result<ExitCode, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
    let prefix = format!("{}/", root.display());
    let of_program = move |test: &TestProgram| of_program(test).map(|text| text.replace(&prefix, ""));
    let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut programs = Vec::new();
    for folder in ["conformance/suite", "examples"] {
        let found = futi_conformance::suite::find(&[root.join(folder)]).map_err(|e| e.to_string())?;
        programs.extend(found);
    }
    let file = root.join(FILE);
    if std::env::var_os("FUTI_BLESS").is_some() {
        let block = |test: &TestProgram| Some(format!("{}\n{}", name(&test.path), of_program(test)?));
        let text: Vec<String> = programs.iter().filter_map(block).collect();
        std::fs::write(&file, LEGEND.to_string() + &text.concat()).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let expected = Arc::new(blocks(&expected));
    let trial = |test: TestProgram| {
        let (name, expected, of_program) = (name(&test.path), expected.clone(), of_program.clone());
        Trial::test(name.clone(), move || {
            compare(expected.get(&name).map_or("", |s| s), &of_program(&test).unwrap_or_default())
        })
    };
    Ok(libtest_mimic::run(&Arguments::from_args(), programs.into_iter().map(trial).collect()).exit_code())
}

/// The lines of each program, which are indented.
fn blocks(text: &str) -> HashMap<String, String> {
    let mut blocks: HashMap<String, String> = HashMap::new();
    let mut name = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(' ') {
            *blocks.entry(name.clone()).or_default() += &format!("{line}\n");
        } else {
            name = line.to_string();
        }
    }
    blocks
}

fn compare(expected: &str, found: &str) -> Result<(), Failed> {
    // without the backend there are no kernels
    let known = |line: &str| match cfg!(feature = "vulkan") {
        true => line.to_string(),
        false => match line.find(" glsl ").or(line.find(" no glsl")) {
            Some(at) => line[..at].to_string() + line.rfind("; run ").map_or("", |run| &line[run..]),
            None => line.to_string(),
        },
    };
    let (expected, found): (Vec<String>, Vec<&str>) = (expected.lines().map(known).collect(), found.lines().collect());
    let differences: String = (0..expected.len().max(found.len()))
        .map(|i| (expected.get(i).map_or("", |s| s), found.get(i).copied().unwrap_or("")))
        .filter(|(e, f)| e != f)
        .map(|(e, f)| format!("expected {e}\nfound    {f}\n"))
        .collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.into()) }
}
