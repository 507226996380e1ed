//! The stubs of the module say what it has: each class with its methods and properties.

use _futi as _;
use std::collections::BTreeSet;
use std::path::Path;

/// The methods of a class in a source file: those of the `impl` behind `#[pymethods]`.
fn methods(file: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file)).unwrap();
    let (_, own) = text.split_once("#[pymethods]").unwrap();
    let own = own.split("\n}\n").next().unwrap();
    let name = |line: &str| Some(line.strip_prefix("    fn ")?.split(['(', '<']).next()?.to_string());
    // what makes one is `__init__` there, and what prints it every class has
    let named = |name: String| if name == "new" { "__init__".to_string() } else { name };
    own.lines().filter_map(name).map(named).filter(|name| name != "__repr__").collect()
}

#[test]
fn stubs_name_what_there_is() {
    let stubs = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("futi/_futi.pyi")).unwrap();
    for (class, file) in [("Array", "array.rs"), ("Function", "function.rs"), ("Model", "model.rs")] {
        let (_, own) = stubs.split_once(&format!("class {class}:")).unwrap();
        let own = own.split("\nclass ").next().unwrap();
        let name = |line: &str| Some(line.strip_prefix("    def ")?.split('(').next()?.to_string());
        let said: BTreeSet<String> = own.lines().filter_map(name).collect();
        assert_eq!(said, methods(file), "{class}");
    }
}
