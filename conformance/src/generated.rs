//! Judging generated programs: every oracle, and of what fails a small program that still does.

use crate::columns::Column;
use crate::compiled::catch;
use crate::generate::{ENTRY, Generated};
use crate::judge::columns;
use crate::options::{Options, Worker};
use crate::random::Rng;
use crate::row::Outcome;
use crate::shrink::{smallest, witness};
use crate::structure::constructs;
use crate::subject::{Entry, Subject};
use futi_core::source::SourceMap;
use std::collections::BTreeSet;
use std::time::Instant;

/// What came of a generated program.
#[derive(Default)]
pub struct Judged {
    /// What the oracles say.
    pub cells: Vec<(Column, Outcome)>,
    /// The constructs of the program; if it failed, of the smallest that does.
    pub constructs: BTreeSet<String>,
    /// If it failed, the smallest program that does, as a file of the suite.
    pub witness: Option<String>,
    /// If a rewriting of that does something else, the rewritten program, as another file.
    pub rewritten: Option<String>,
}

/// Judges a generated program; random choices follow from the name, which the seed is part of.
pub fn judge(g: &Generated, name: &str, options: &Options, worker: &mut Worker) -> Judged {
    let cells = cells(g, name, options, &|_| true, worker);
    let failing = failing(&cells);
    if failing.is_empty() {
        return Judged { cells, constructs: constructs(&g.program), ..Judged::default() };
    }
    let (start, mut small, mut why) = (Instant::now(), g.clone(), failures(&cells));
    let kinds = kinds(&cells);
    // strictness and failures of derivatives are looked at when the column of derivatives is
    let asked = |c: Column| failing.contains(&c) || c == Column::ByDefinition;
    if let Some(patience) = options.shrink {
        small = smallest(g, |candidate| {
            if start.elapsed() > patience {
                return false;
            }
            let found = self::cells(candidate, name, options, &asked, worker);
            // of another kind it would be another failure
            let again = self::kinds(&found).iter().any(|kind| kinds.contains(kind));
            if again {
                why = failures(&found);
            }
            again
        });
    }
    let witness = Some(witness(&small, name, &why));
    Judged { cells, constructs: constructs(&small.program), witness, rewritten: None }
}

/// The oracles that disagree.
pub fn failing(cells: &[(Column, Outcome)]) -> Vec<Column> {
    cells.iter().filter(|(_, o)| o.is_fail()).map(|(c, _)| *c).collect()
}

/// What kind of failure the oracles report: results that differ, an ill-formed program, a failure at run time.
fn kinds(cells: &[(Column, Outcome)]) -> Vec<(Column, &'static str)> {
    const KINDS: [&str; 6] =
        ["ill-formed", "a panic", "internal error", "in strict mode", "gives results", "fails with"];
    let kind = |what: &str| KINDS.into_iter().find(|k| what.contains(k)).unwrap_or("differs");
    let failed =
        cells.iter().filter_map(|(c, o)| if let Outcome::Fail(f) = o { Some((*c, kind(&f.what))) } else { None });
    failed.collect()
}

/// The failures, in lines.
pub fn failures(cells: &[(Column, Outcome)]) -> String {
    let failures = cells.iter().filter_map(|(c, o)| match o {
        Outcome::Fail(f) => Some(format!("{}: {f}", c.name())),
        _ => None,
    });
    failures.collect::<Vec<_>>().join("\n")
}

fn cells(
    g: &Generated,
    name: &str,
    options: &Options,
    asked: &dyn Fn(Column) -> bool,
    worker: &mut Worker,
) -> Vec<(Column, Outcome)> {
    let planted = options.fault.map(|fault| fault.plant_lowered(g.program.clone()));
    let Some(entry) = Entry::new(planted.as_ref().unwrap_or(&g.program), ENTRY, options.fault) else {
        return vec![(Column::Interp, Outcome::fail(format!("there is no entry point `{ENTRY}`")))];
    };
    let sources = SourceMap::default();
    let subject = catch(|| Subject::new(&entry, &sources, g.args.clone(), Rng::new(0, name)));
    match subject {
        Ok(s) => columns(&s, options, asked, worker),
        Err(panic) => vec![(Column::Interp, Outcome::fail(panic))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{AdFault, Fault};
    use crate::runner::Suite;
    use futi_core::ir::UnOp;
    use futi_core::value::text::parse_values;

    #[test]
    fn faults_are_planted() {
        let body = "let (y_2: f64) = sin.f64(x_0) let (z_3: f64) = mul.f64(x_0, y_2) in (z_3)";
        let program =
            format!("futi-ir 1 entry \"main\"(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64 {{ {body} }}");
        let g = Generated { program: program.parse().unwrap(), args: parse_values("0.7").unwrap() };
        let with = |fault| {
            let options = Options { fault, shrink: None, ..Options::default() };
            let mut worker = Suite::new(&options).unwrap().worker();
            let judged = judge(&g, "x", &options, &mut worker);
            // the program that is kept is the honest one
            assert!(judged.witness.is_none_or(|w| w.ends_with(&g.program.to_string())));
            failing(&judged.cells)
        };
        assert_eq!(with(None), []);
        assert_eq!(with(Some(Fault::Table(UnOp::Sin))), [Column::Numerics]);
        assert_eq!(with(Some(Fault::Ad(AdFault::Sign))), [Column::ByDefinition]);
    }
}
