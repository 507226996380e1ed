//! The libraries, by programs that import them.

use futi_conformance::report::Verdict;
use futi_conformance::{Options, Suite};
use futi_core::prelude::LIBRARIES;
use std::path::Path;

#[test]
fn each_case_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries");
    for (path, _) in LIBRARIES {
        let name = path.strip_prefix("/prelude/lib/").unwrap();
        let program = folder.join(name);
        let import = format!("import \"{}\"\n", path.strip_suffix(".fut").unwrap());
        assert!(std::fs::read_to_string(&program).unwrap().contains(&import), "{name}");
        let suite = Suite::new(&Options { paths: vec![program], ..Options::default() }).unwrap();
        let mut worker = suite.worker();
        assert!(suite.len() > 4, "{name}");
        for i in 0..suite.len() {
            let row = suite.run_case(i, &mut worker);
            assert!(matches!(row.verdict(), Verdict::Passed), "{}: {:?}", suite.name(i), row.cells);
        }
    }
}
