//! The libraries, by programs that import them.

use futi_conformance::report::Verdict;
use futi_conformance::{Options, Suite};
use futi_core::prelude::LIBRARIES;
use std::path::{Path, PathBuf};

#[test]
fn each_case_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries");
    for (path, _) in LIBRARIES {
        let name = path.strip_prefix("/prelude/lib/").and_then(|name| name.strip_suffix(".fut")).unwrap();
        let programs = programs(&folder, name);
        let import = format!("import \"/prelude/lib/{name}\"\n");
        for program in &programs {
            assert!(std::fs::read_to_string(program).unwrap().contains(&import), "{}", program.display());
        }
        let suite = Suite::new(&Options { paths: programs, ..Options::default() }).unwrap();
        let mut worker = suite.worker();
        assert!(suite.len() > 4, "{name}");
        for i in 0..suite.len() {
            let row = suite.run_case(i, &mut worker);
            assert!(matches!(row.verdict(), Verdict::Passed), "{}: {:?}", suite.name(i), row.cells);
        }
    }
}

/// Those of a library: NAME.fut, NAME_part.fut.
fn programs(folder: &Path, name: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of_library = |path: &PathBuf| {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        stem == name || stem.starts_with(&format!("{name}_"))
    };
    let mut programs: Vec<PathBuf> = all.filter(of_library).collect();
    programs.sort();
    assert!(!programs.is_empty(), "{name}");
    programs
}
