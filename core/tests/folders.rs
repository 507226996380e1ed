//! The folders of the sources use each other one way. `docs/architecture.md` says which may use which: a folder what stands in the lines above its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The lines of the list of a crate's folders in the documentation, each the folders that stand in it.
fn levels(crate_: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string("../docs/architecture.md").expect("the documentation is there");
    let list = text.split_once(&format!("```folders of {crate_}\n")).expect("the list is there").1;
    let list = list.split_once("```").expect("the list ends").0;
    list.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
}

/// The sources of a crate but for tests, by their paths in it.
fn sources(root: &Path) -> BTreeMap<PathBuf, String> {
    fn read(folder: &Path, out: &mut BTreeMap<PathBuf, String>) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                read(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("it is text");
                out.insert(path, text);
            }
        }
    }
    let mut all = BTreeMap::new();
    read(root, &mut all);
    // modules that are for tests alone
    let mut tests: BTreeSet<PathBuf> = BTreeSet::new();
    for (path, text) in &all {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let parent = path.parent().unwrap_or(root);
        let folder = if ["mod", "lib", "main"].contains(&stem) { parent.to_path_buf() } else { parent.join(stem) };
        for rest in text.split("#[cfg(test)]\n").skip(1) {
            let named = rest.lines().find_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix(".rs\"]"));
            let line = rest.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
            let name = line.split_once("mod ").and_then(|(_, name)| name.strip_suffix(';'));
            match (named.filter(|_| rest.starts_with("#[path")), name) {
                (Some(file), Some(_)) => _ = tests.insert(parent.join(file)),
                (None, Some(name)) => _ = tests.insert(folder.join(name)),
                _ => {}
            }
        }
    }
    all.retain(|path, _| !tests.iter().any(|t| path.starts_with(t) || *path == t.with_extension("rs")));
    all.into_iter()
        .map(|(path, text)| {
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_string();
            (path.strip_prefix(root).expect("it is in there").to_path_buf(), code)
        })
        .collect()
}

/// The modules at the top of the crate that a text names, after `crate::`, alone or in braces.
fn named(text: &str) -> BTreeSet<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        match rest.strip_prefix('{') {
            None => _ = names.insert(word(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut start = true;
                for (at, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && !c.is_whitespace() => {
                            names.insert(word(&list[at..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

/// What is wrong of the uses in these sources.
fn wrong(levels: &[Vec<String>], sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let level = |name: &str| levels.iter().position(|names| names.iter().any(|n| n == name));
    let mut wrong = Vec::new();
    for (path, text) in sources {
        let first = path.iter().next().and_then(|s| s.to_str()).unwrap_or_default();
        let own = first.strip_suffix(".rs").unwrap_or(first);
        let Some(here) = level(own) else { continue };
        for name in named(text).into_iter().filter(|name| name != own) {
            if level(&name).is_some_and(|there| there >= here) {
                wrong.push(format!("{} uses {name}, which is not above {own} in the list", path.display()));
            }
        }
    }
    wrong
}

/// The folders and the files at the top of these sources that the list does not have.
fn missing(levels: &[Vec<String>], sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let tops: BTreeSet<String> = sources
        .keys()
        .filter_map(|path| {
            let first = path.iter().next()?.to_str()?;
            Some(first.trim_end_matches(".rs").to_string())
        })
        .collect();
    let known = |name: &str| ["lib", "main"].contains(&name) || levels.iter().flatten().any(|n| n == name);
    tops.into_iter().filter(|name| !known(name)).collect()
}

#[test]
fn folders_of_the_core_use_each_other_one_way() {
    let (levels, sources) = (levels("core/src"), sources(Path::new("src")));
    assert_eq!(missing(&levels, &sources), [""; 0]);
    assert_eq!(wrong(&levels, &sources), [""; 0]);
}

#[test]
fn folders_of_the_harness_use_each_other_one_way() {
    let (levels, sources) = (levels("conformance/src"), sources(Path::new("../conformance/src")));
    assert_eq!(missing(&levels, &sources), [""; 0]);
    assert_eq!(wrong(&levels, &sources), [""; 0]);
}

#[test]
fn folders_of_the_kernels_use_each_other_one_way() {
    let (levels, sources) = (levels("core/kernels/src"), sources(Path::new("kernels/src")));
    assert_eq!(missing(&levels, &sources), [""; 0]);
    assert_eq!(wrong(&levels, &sources), [""; 0]);
}

#[test]
fn a_use_against_the_order_is_found() {
    let levels = [vec!["ir".to_string()], vec!["ad".to_string(), "passes".to_string()]];
    let file = |path: &str, text: &str| BTreeMap::from([(PathBuf::from(path), text.to_string())]);
    assert_eq!(wrong(&levels, &file("ad/rev/map.rs", "use crate::ir::*;\nuse crate::{ir, ad::seed};")), [""; 0]);
    for text in ["use crate::passes::fuse;", "use crate::{ir::{Exp, Stm}, passes};", "fn f() { crate::passes::g() }"] {
        let found = wrong(&levels, &file("ad.rs", text));
        assert_eq!(found, ["ad.rs uses passes, which is not above ad in the list"], "{text}");
    }
    assert_eq!(wrong(&levels, &file("ir/mod.rs", "use crate::ad;")).len(), 1);
    assert_eq!(missing(&levels, &file("new/mod.rs", "")), ["new"]);
}
