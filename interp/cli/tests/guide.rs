//! The sessions in the guide are what the program says.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Blocks of the guide that are sessions: a line that begins with `> ` is an input, one with `| ` goes on with it, the others are what is said; `…` stands for
/// any text, alone in a line for any lines.
fn sessions(guide: &str) -> Vec<&str> {
    let blocks = guide.split("````session\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("````\n")?.0)).collect()
}

fn inputs(session: &str) -> String {
    let input = |line: &str| line.strip_prefix("> ").or(line.strip_prefix("| ")).map(|text| format!("{text}\n"));
    session.lines().filter_map(input).collect()
}

fn outputs(session: &str) -> Vec<&str> {
    session.lines().filter(|line| !line.starts_with("> ") && !line.starts_with("| ")).collect()
}

/// What a session says to these inputs.
fn said(inputs: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::copy(root.join("examples/hello.fut"), folder.path().join("hello.fut")).unwrap();
    let (mut out, end) = std::io::pipe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    command.arg("--keep-going").current_dir(&folder).env("HOME", folder.path()).stdin(Stdio::piped());
    let mut child = command.stdout(end.try_clone().unwrap()).stderr(end).spawn().unwrap();
    drop(command);
    child.stdin.take().unwrap().write_all(inputs.as_bytes()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut out, &mut text).unwrap();
    child.wait().unwrap();
    text.replace(&folder.path().to_string_lossy().into_owned(), "/home/you")
}

/// Whether a line is as expected, where `…` stands for any text.
fn fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last == Some("")
}

/// The first expected line that is not there, if there is one.
fn missing<'a>(expected: &[&'a str], lines: &[&str]) -> Option<&'a str> {
    match (expected, lines) {
        ([], []) => None,
        ([], _) => Some("(the end)"),
        (["…", rest @ ..], _) => {
            let fits = (0..=lines.len()).any(|skipped| missing(rest, &lines[skipped..]).is_none());
            (!fits).then(|| rest.first().copied().unwrap_or("…"))
        }
        ([first, rest @ ..], [line, lines @ ..]) if fits(first, line) => missing(rest, lines),
        ([first, ..], _) => Some(first),
    }
}

#[test]
fn the_sessions_of_the_guide_are_right() {
    let guide = include_str!("../../../docs/guide.md");
    let sessions = sessions(guide);
    assert!(sessions.len() > 4);
    for session in sessions {
        let text = said(&inputs(session));
        let missing = missing(&outputs(session), &text.lines().collect::<Vec<_>>());
        assert_eq!(missing, None, "in\n{text}");
    }
}

#[test]
fn the_guide_has_every_command() {
    let guide = include_str!("../../../docs/guide.md");
    let help = said(":help\n");
    let names: Vec<&str> =
        help.lines().filter_map(|line| line.trim_start().strip_prefix(':')?.split(' ').next()).collect();
    assert!(names.len() > 20, "{help}");
    for name in names {
        assert!(guide.contains(&format!("> :{name}")) || name == "quit" && guide.contains("`:quit`"), ":{name}");
    }
}
