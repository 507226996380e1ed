//! `futi datacmp`: whether two data files hold the same values.

use crate::failure::{DIAGNOSTICS, Failure};
use crate::say;
use futi_conformance::data;
use futi_core::prim::Scalar;
use futi_core::value::Value;
use futi_core::value::compare::{Mismatch, Tolerance, differences};
use std::path::PathBuf;

/// So many differences of a value are printed.
const SHOWN: usize = 10;

/// Compare the values of two data files, text or binary, compressed or not. Floats may differ by 0.002, or as much of the largest value expected.
///
/// Exit status 0 if the values are the same, 2 if they differ, 1 if a file cannot be read.
#[derive(clap::Args)]
pub struct Args {
    /// The values.
    file: PathBuf,
    /// The values expected.
    expected: PathBuf,
    /// Floats must be equal.
    #[arg(long)]
    exact: bool,
}

/// Runs the subcommand.
pub fn datacmp(args: Args) -> Result<(), Failure> {
    let got = data::read(&args.file, &[]).map_err(Failure::Io)?;
    let expected = data::read(&args.expected, &[]).map_err(Failure::Io)?;
    let lines = if got.len() != expected.len() {
        vec![format!("Expected {} values, got {}", expected.len(), got.len())]
    } else {
        let pairs = got.iter().zip(&expected).enumerate();
        pairs.flat_map(|(i, (got, expected))| lines(i, got, expected, args.exact)).collect()
    };
    if lines.is_empty() {
        return Ok(());
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    say::last(text, Err(Failure::Status(DIAGNOSTICS)))
}

/// A line for each of the first differences, and one for those that are left.
fn lines(i: usize, got: &Value, expected: &Value, exact: bool) -> Vec<String> {
    let tolerance = if exact { Tolerance::EXACT } else { Tolerance::futhark(expected) };
    let mut rest = differences(got, expected, tolerance).map(|(_, mismatch)| mismatch);
    let line = |mismatch| match mismatch {
        Mismatch::Type { got, expected } => format!("Value #{i}: expected a value of type {expected}, got {got}"),
        Mismatch::Element { index, got, expected } => {
            let index: Vec<String> = index.iter().map(usize::to_string).collect();
            let place = if index.is_empty() { String::new() } else { format!(" index [{}]", index.join(",")) };
            format!("Value #{i}{place}: expected {}, got {}", bare(expected), bare(got))
        }
    };
    let mut lines: Vec<String> = rest.by_ref().take(SHOWN).map(line).collect();
    let more = rest.count();
    lines.extend((more > 0).then(|| format!("Value #{i}: {more} more differences")));
    lines
}

/// The number without the name of its type.
fn bare(x: Scalar) -> String {
    let text = x.to_string();
    text.strip_suffix(x.scalar_type().name()).map_or(text.clone(), str::to_string)
}
