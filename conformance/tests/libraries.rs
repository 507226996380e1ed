//! The libraries, by programs that import them. As long as there are no imports, the text of the library stands where its import does.

use futi_conformance::report::Verdict;
use futi_conformance::{Options, Suite};
use futi_core::prelude::LIBRARIES;
use std::path::Path;

#[test]
fn each_case_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries");
    for (path, text) in LIBRARIES {
        let name = path.strip_prefix("/prelude/lib/").unwrap();
        let program = std::fs::read_to_string(folder.join(name)).unwrap();
        let import = format!("import \"{}\"\n", path.strip_suffix(".fut").unwrap());
        assert!(program.contains(&import), "{name}");
        let whole = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&whole, program.replace(&import, text)).unwrap();
        let suite = Suite::new(&Options { paths: vec![whole], ..Options::default() }).unwrap();
        let mut worker = suite.worker();
        assert!(suite.len() > 4, "{name}");
        for i in 0..suite.len() {
            let row = suite.run_case(i, &mut worker);
            assert!(matches!(row.verdict(), Verdict::Passed), "{}: {:?}", suite.name(i), row.cells);
        }
    }
}
