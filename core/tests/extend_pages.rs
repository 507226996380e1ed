//! `docs/extend/`: what its pages send a reader to is there. A file or folder is named in backquotes, by its path from the root, and behind it, in parentheses, what the file has.

use std::path::{Path, PathBuf};

/// The folders at the root that paths begin with.
const ROOTS: [&str; 7] = ["benches", "conformance", "core", "docs", "interp", "python", "vk-backend"];

/// The paths that a page names, each with the names in parentheses behind it.
fn named(page: &str) -> Vec<(&str, Vec<&str>)> {
    // between each two backquotes code, and text behind it
    let parts: Vec<&str> = page.split('`').collect();
    let mut named = Vec::new();
    for at in (1..parts.len()).step_by(2) {
        let path = parts[at];
        if !path.split_once('/').is_some_and(|(root, _)| ROOTS.contains(&root)) || path.contains(' ') {
            continue;
        }
        let mut names = Vec::new();
        let mut behind = at + 1;
        while behind + 1 < parts.len() && parts[behind].trim() == if names.is_empty() { "(" } else { "," } {
            names.push(parts[behind + 1]);
            behind += 2;
        }
        named.push((path, names));
    }
    named
}

/// What of it is not there.
fn wrong(page: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = Vec::new();
    for (path, names) in named(page) {
        // what is written in capitals stands for any name
        let given: PathBuf = Path::new(path).iter().take_while(|part| *part != "NAME.txt").collect();
        let file = root.join(given);
        if !file.exists() {
            wrong.push(format!("{path} is not there"));
        } else if !names.is_empty() {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let has = |name: &&&str| text.split(|c| !word(c)).any(|found| found == **name);
            wrong.extend(names.iter().filter(|name| !has(name)).map(|name| format!("{path} has no {name}")));
        }
    }
    wrong
}

#[test]
fn what_pages_name_is_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/extend");
    for page in ["scalar-operator", "ad-rule", "pass", "kernel"] {
        let text = std::fs::read_to_string(folder.join(format!("{page}.md"))).unwrap_or_else(|e| panic!("{page}: {e}"));
        assert!(named(&text).iter().any(|(_, names)| !names.is_empty()), "{page} sends nobody anywhere");
        assert_eq!(wrong(&text), [""; 0], "{page}");
    }
}

#[test]
fn what_is_not_there_is_told() {
    assert_eq!(wrong("In `core/src/prim/mod.rs` (`signature`, `UnOp`), `core/src/passes` and `times` (`x`)."), [""; 0]);
    assert_eq!(wrong("In `core/src/prim/no.rs` (`signature`)."), ["core/src/prim/no.rs is not there"]);
    assert_eq!(wrong("In `core/src/prim/mod.rs`\n(`UnOp`,\n`signatur`)."), ["core/src/prim/mod.rs has no signatur"]);
    assert_eq!(named("`core/src` (`a`, `b`) and `c`"), [("core/src", vec!["a", "b"])]);
}
