//! `docs/errors/`: each code has a page, and what a page says of its programs is true.
//!
//! A page has blocks of programs: `futhark,bad`, each before a block `text` of what is said of it, and `futhark,good`. A block `futhark,file=NAME` is a file that
//! the next program can import. Those of E0503 are accepted, and wrong where derivatives are code: on backends that compile.

use futi_core::diag::{Code, Diagnostic, one_line};
use futi_core::driver::pipeline::{Stage, stage};
use futi_core::source::{SourceError, SourceMap};
use futi_core::types::env::Env;
use futi_core::{prelude, syntax, types};
use std::collections::BTreeSet;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/errors")
}

fn text(code: Code) -> String {
    std::fs::read_to_string(folder().join(format!("{code}.md"))).unwrap_or_else(|e| panic!("{code}.md: {e}"))
}

/// A program of a page.
struct Block {
    /// The words behind `futhark`.
    marks: Vec<String>,
    program: String,
    /// The block of text below it.
    said: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = vec![];
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        let body = body.join("\n");
        let mut words = info.split(',').map(str::to_string);
        match (words.next().as_deref(), blocks.last_mut()) {
            (Some("futhark"), _) => {
                blocks.push(Block { marks: words.collect(), program: body + "\n", said: String::new() })
            }
            (Some("text"), Some(block)) if block.said.is_empty() => block.said = body,
            _ => panic!("an unknown block: {line}"),
        }
    }
    blocks
}

/// What is said: its code, its message, and all of it on a line.
type Said = (Code, String, String);

fn lines(diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<Said> {
    diagnostics.iter().map(|d| (d.code, d.message.clone(), one_line(d, sources))).collect()
}

/// All that is said of a program that stands alone.
fn checked((env, sources): &(Env, SourceMap), program: &str) -> Vec<Said> {
    let mut sources = sources.clone();
    let file = sources.add("page.fut", program);
    let (ast, mut diagnostics) = syntax::parse(file, program);
    diagnostics.extend(types::check(&ast, env, &sources).2);
    lines(&diagnostics, &sources)
}

/// All that is said of a program that may import these files, up to the code of its derivatives.
fn compiled(program: &str, files: &[(String, String)]) -> Vec<Said> {
    let provider = |path: &str| {
        let other = files.iter().find(|(name, _)| name == path).map(|(_, text)| text.as_str());
        let own = (path == "page.fut").then_some(program);
        own.or(other).map(str::to_string).ok_or(SourceError::new("No such file"))
    };
    let compiled = futi_core::compile("page.fut", &provider);
    let mut diagnostics = compiled.diagnostics;
    assert_eq!(compiled.program.is_some(), !diagnostics.iter().any(Diagnostic::is_error));
    if let Some(Err(errors)) = compiled.program.map(|p| stage(p, Stage::Ad)) {
        diagnostics.extend(errors.constructs.iter().map(|u| u.diagnostic(&errors.prov, &compiled.sources)));
    }
    lines(&diagnostics, &compiled.sources)
}

#[test]
fn every_code_has_its_page_and_every_page_its_code() {
    let wanted: BTreeSet<String> = Code::ALL.iter().map(|c| format!("{c}.md")).chain(["README.md".into()]).collect();
    let files = std::fs::read_dir(folder()).unwrap();
    let found: BTreeSet<String> = files.map(|f| f.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_index_has_each_title_once_and_in_order() {
    let index = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let lines: Vec<&str> = index.lines().filter(|l| l.starts_with("- ")).collect();
    let line = |code: &Code| {
        let page = text(*code);
        let title = page.lines().next().and_then(|l| l.strip_prefix(&format!("# {code}: "))).map(str::to_string);
        let title = title.unwrap_or_else(|| panic!("{code}.md does not begin with its title"));
        format!("- [{code}]({code}.md): {title}")
    };
    assert_eq!(lines, Code::ALL.iter().map(line).collect::<Vec<_>>());
}

#[test]
fn what_pages_say_of_their_programs_is_true() {
    let prelude = prelude::load();
    let prelude = (prelude.env, prelude.sources);
    let mut wrong = vec![];
    for code in Code::ALL {
        let mut files = vec![];
        let (mut bad, mut good) = (0, 0);
        for Block { marks, program, said: text_below } in blocks(&text(*code)) {
            let has = |mark: &str| marks.iter().any(|m| m == mark);
            let expected = if let Some(name) = marks.iter().find_map(|m| m.strip_prefix("file=")) {
                files.push((name.to_string(), program));
                continue;
            } else if has("bad") {
                bad += 1;
                vec![(*code, text_below)]
            } else {
                assert!(has("good"), "{code}: {marks:?}");
                good += 1;
                vec![]
            };
            let all = match code {
                Code::Unreadable | Code::NotSupported => compiled(&program, &files),
                _ => checked(&prelude, &program),
            };
            let found: Vec<(Code, String)> = all.iter().map(|(code, message, _)| (*code, message.clone())).collect();
            if found != expected {
                wrong.push(format!("{code}:\n{program}    wants {expected:#?}\n    but has {all:#?}"));
            }
            files.clear();
        }
        if bad == 0 || good == 0 {
            wrong.push(format!("{code}: there must be a bad program, and a good one"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
