//! Tuning parameters: what `#[param(NAME)]` stands for, and what backends know by name, as `NAME=VALUE` in the environment and in a file beside the program.

use crate::files::Files;
pub use futi_core::backend::parameter;
use futi_core::source::SourceProvider;
use std::path::Path;

/// Names and values. Of several for one name the last one counts.
pub type Tuning = Vec<(String, i64)>;

/// The environment's variable that has some, with commas between them.
pub const VARIABLE: &str = "FUTI_TUNING";

/// How the file beside a program is called: `PROG.fut.tuning`.
pub const EXTENSION: &str = "tuning";

/// Parameters, one on a line. Lines without text say nothing.
///
/// # Errors
/// A line is none, with its number.
pub fn lines(text: &str) -> Result<Tuning, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(i, line)| parameter(line).map_err(|e| format!("{}: {e}", i + 1))).collect()
}

/// What the environment says.
///
/// # Errors
/// A parameter that cannot be read.
pub fn environment() -> Result<Tuning, String> {
    let Some(list) = std::env::var_os(VARIABLE) else { return Ok(Tuning::new()) };
    let list = list.to_string_lossy();
    let parts = list.split(',').filter(|part| !part.trim().is_empty());
    parts.map(parameter).collect::<Result<_, _>>().map_err(|e| format!("{VARIABLE}: {e}"))
}

/// What the file beside the program says, if there is one, then what the environment does.
///
/// # Errors
/// A parameter that cannot be read, with its place.
pub fn of(program: &Path, extension: &str) -> Result<Tuning, String> {
    let mut all = Tuning::new();
    let mut path = program.as_os_str().to_owned();
    path.push(format!(".{extension}"));
    if Path::new(&path).exists() {
        let path = path.to_string_lossy();
        let text = Files.read(&path).map_err(|e| format!("{path}: {}", e.message))?;
        all = lines(&text).map_err(|e| format!("{path}:{e}"))?;
    }
    all.extend(environment()?);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        assert_eq!(parameter("main.tile = 32"), Ok(("main.tile".into(), 32)));
        assert_eq!(lines("a=on\nb=off"), Ok(vec![("a".into(), 1), ("b".into(), 0)]));
        assert_eq!(parameter("x"), Err("`x` is not of the form NAME=VALUE".into()));
        assert_eq!(parameter("x=y"), Err("the value of `x`, `y`, is no integer".into()));
        assert_eq!(parameter("=1"), Err("`=1` has no name".into()));
        assert_eq!(lines("a=1\n\nb=-2\n"), Ok(vec![("a".into(), 1), ("b".into(), -2)]));
        assert_eq!(lines("a=1\nb\n"), Err("2: `b` is not of the form NAME=VALUE".into()));
    }

    #[test]
    fn a_file_beside_the_program_has_some() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("p.fut");
        assert_eq!(of(&program, EXTENSION), Ok(vec![]));
        std::fs::write(folder.path().join("p.fut.tuning"), "n=3\n").unwrap();
        std::fs::write(folder.path().join("p.fut.other"), "n\n").unwrap();
        assert_eq!(of(&program, EXTENSION), Ok(vec![("n".into(), 3)]));
        let message = of(&program, "other").unwrap_err();
        assert!(message.ends_with("p.fut.other:1: `n` is not of the form NAME=VALUE"), "{message}");
    }
}
