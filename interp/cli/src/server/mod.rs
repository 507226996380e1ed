//! `futi server`: Futhark's server protocol over standard input and output. A command is a line, answered by lines up to `%%% OK`; where it fails, `%%% FAILURE` stands before
//! what is wrong. Variables hold values where the backend keeps them.

mod commands;
mod shapes;
mod sums;
mod types;
mod variables;

use crate::backends::{self, Choice};
use crate::failure::{Failure, user_place};
use crate::load::{self, Ad, Loaded};
use crate::say;
use commands::Answer;
use futi_core::backend::{Backend, Executable, IrLevel, KernelProfile};
use futi_core::ir::ProvTable;
use futi_core::source::printable;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use variables::Variable;

/// Serve a program by Futhark's server protocol, on standard input and output.
#[derive(clap::Args)]
pub struct Args {
    /// The program.
    file: PathBuf,
    #[command(flatten)]
    compiling: load::Compiling,
    /// What runs it.
    #[arg(long, value_parser = backends::parser(), default_value_t)]
    backend: Choice,
    /// How the interpreter gets derivatives.
    #[arg(long, value_parser = load::ad_parser(), default_value_t)]
    ad: Ad,
}

/// A program that is served.
struct Server {
    file: PathBuf,
    compiling: load::Compiling,
    /// How derivatives are had where the backend can have them in several ways.
    ad: Ad,
    loaded: Loaded,
    backend: Box<dyn Backend>,
    /// The entry points that have been compiled, by name, and by whether their derivatives are transformed before the backend gets the program; with what their
    /// provenance refers to.
    compiled: BTreeMap<(String, bool), (ProvTable, Box<dyn Executable>)>,
    variables: BTreeMap<String, Variable>,
    /// Whether reports have what kernels have cost.
    profiles: bool,
}

/// Runs the subcommand.
pub fn server(args: Args) -> Result<(), Failure> {
    let loaded = load::program(&args.file, &args.compiling)?;
    let backend = args.backend.open_to_show()?;
    let (compiled, variables) = (BTreeMap::new(), BTreeMap::new());
    let (file, compiling, ad) = (args.file, args.compiling, args.ad);
    let mut server = Server { file, compiling, ad, loaded, backend, compiled, variables, profiles: true };
    let mut out = std::io::stdout().lock();
    say::written(writeln!(out, "%%% OK").and_then(|()| out.flush()))?;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|e| Failure::Io(format!("standard input: {e}")))?;
        let answer = String::from_utf8(line).map_err(|_| "The command is not text in UTF-8.".to_string());
        let text = match answer.and_then(|line| server.command(&line)) {
            Ok(lines) => lines,
            Err(what) => format!("%%% FAILURE\n{}\n", printable(what.trim_end())),
        };
        say::written(writeln!(out, "{text}%%% OK").and_then(|()| out.flush()))?;
    }
    Ok(())
}

impl Server {
    /// What a line brings.
    fn command(&mut self, line: &str) -> Answer {
        let words = words(line)?;
        let Some((name, words)) = words.split_first() else { return Ok(String::new()) };
        match commands::COMMANDS.iter().find(|(known, _)| known == name) {
            Some((_, run)) => run(self, words),
            None => Err(format!("Unknown command: {name}")),
        }
    }

    /// The entry point of that name, compiled for arguments of so many bytes.
    fn compiled(&mut self, entry: &str, bytes: usize) -> Result<&(ProvTable, Box<dyn Executable>), String> {
        let transforms =
            self.backend.level() == IrLevel::Core && self.ad.transforms(&self.loaded.program, bytes, false);
        let key = (entry.to_string(), transforms);
        if !self.compiled.contains_key(&key) {
            let transformed = match transforms {
                true => self.loaded.by_rules(self.ad, entry, Default::default()).map_err(|e| e.text())?,
                false => None,
            };
            let loaded = transformed.as_ref().unwrap_or(&self.loaded);
            let running = loaded.compile(&*self.backend, entry, Default::default()).map_err(|e| e.text())?;
            self.compiled.insert(key.clone(), running.into_parts());
        }
        self.compiled.get(&key).ok_or_else(|| format!("Unknown entry point: {entry}"))
    }

    /// What the kernels of all entry points have cost, and where they come from.
    fn profile(&self) -> Vec<(KernelProfile, String)> {
        if !self.profiles {
            return Vec::new();
        }
        let placed = |(prov, executable): &(ProvTable, Box<dyn Executable>)| {
            let place = |k: KernelProfile| (user_place(k.prov, prov, &self.loaded.sources), k);
            executable.profile().kernels.into_iter().map(place).map(|(place, k)| (k, place)).collect::<Vec<_>>()
        };
        self.compiled.values().flat_map(placed).collect()
    }

    /// The thresholds of all entry points, and the numbers of points that were compared with them.
    fn thresholds(&self) -> Vec<(String, Vec<i64>)> {
        self.compiled.values().flat_map(|(_, executable)| executable.profile().thresholds).collect()
    }

    /// Gives a tuning parameter a value: what has been compiled is compiled anew.
    fn tune(&mut self, name: &str, value: i64) -> Result<(), String> {
        self.compiling.tune(name, value);
        self.loaded = load::program(&self.file, &self.compiling).map_err(|e| e.text())?;
        self.compiled.clear();
        Ok(())
    }
}

/// The words of a line: what stands between blanks, or in double quotes.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or_else(|| "A quotation mark is not closed.".to_string())?,
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(word.to_string());
        rest = after.trim_start();
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_quoted() {
        let words = |line: &str| words(line).map(|words| words.join("|"));
        assert_eq!(words("  kind \"(i32, bool)\"  x\t\"\" y"), Ok("kind|(i32, bool)|x||y".into()));
        assert_eq!(words(""), Ok(String::new()));
        assert!(words("kind \"(i32").is_err());
    }
}
