//! The libraries, by programs that import them: NAME.fut and NAME_part.fut for each. A test a case.

use futi_conformance::row::Verdict;
use futi_conformance::{Options, Suite};
use futi_core::prelude::LIBRARIES;
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries");
    let mut trials = Vec::new();
    for (path, _) in LIBRARIES {
        let name = path.strip_prefix("/prelude/lib/").and_then(|name| name.strip_suffix(".fut")).unwrap_or(path);
        let import = format!("import \"/prelude/lib/{name}\"\n");
        let programs = programs(&folder, name);
        let (imported, of) = (programs.clone(), name.to_string());
        trials.push(Trial::test(format!("{name} is tested"), move || {
            let imports = |p: &PathBuf| std::fs::read_to_string(p).is_ok_and(|text| text.contains(&import));
            let all = !imported.is_empty() && imported.iter().all(imports);
            if all { Ok(()) } else { Err(format!("programs named after {of} must import it").into()) }
        }));
        let suite = match Suite::new(&Options { paths: programs, ..Options::default() }) {
            Ok(suite) => Arc::new(suite),
            Err(e) => {
                eprintln!("{e}");
                return ExitCode::FAILURE;
            }
        };
        let case = |i: usize| {
            let suite = suite.clone();
            let name = suite.name(i).replace(&format!("{}/", folder.display()), "");
            Trial::test(name, move || {
                let row = suite.run_case(i, &mut suite.worker());
                let passes = matches!(row.verdict(), Verdict::Passed);
                if passes { Ok(()) } else { Err(format!("{:?}", row.cells).into()) }
            })
        };
        trials.extend((0..suite.len()).map(case));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Those of a library: NAME.fut, NAME_part.fut.
fn programs(folder: &Path, name: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_library = |path: &PathBuf| {
        let stem = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        stem == name || stem.starts_with(&format!("{name}_"))
    };
    let mut programs: Vec<PathBuf> = all.filter(of_library).collect();
    programs.sort();
    programs
}
