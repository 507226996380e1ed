//! What a run's verdicts are worth, in numbers: how many cases got none, how near floats came to their bounds.
//!
//! Bounds that are never approached are no bounds, and an oracle that seldom has an opinion is no oracle: both are seen here.

use crate::columns::Column;
use crate::row::{Outcome, Row, Verdict};
use serde::Serialize;
use std::fmt;
use tabled::builder::Builder;
use tabled::settings::Style;

/// The distribution of error over bound in a column.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Errors {
    /// The column; all of them if none.
    pub column: Option<Column>,
    /// How many verdicts.
    pub verdicts: usize,
    /// How many of them found floats that are not the same bit by bit.
    pub inexact: usize,
    /// The median, 90th and 99th percentile and the largest of error over bound, those without error included.
    pub ratios: [f64; 4],
    /// The largest error in units of the last place, of columns that have such ([`Column::has_ulps`]).
    pub ulps: Option<f64>,
}

/// The numbers of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Statistics {
    /// How many cases were run.
    pub cases: usize,
    /// Cases in which rounding decides a result.
    pub ill_conditioned: usize,
    /// Cases in which an oracle could not tell.
    pub inconclusive: usize,
    /// Cases in which a derivative was not compared for want of a rule of the transformation.
    pub no_rule: usize,
    /// Cases in which an oracle was left out.
    pub skipped: usize,
    /// Error over bound, of each column that compares floats, then of all.
    pub errors: Vec<Errors>,
}

impl Statistics {
    /// Those of these rows.
    pub fn of(rows: &[Row]) -> Statistics {
        let any = |p: fn(&Outcome) -> bool| rows.iter().filter(|r| r.cells.iter().any(|(_, o)| p(o))).count();
        let errors = Column::ALL.into_iter().map(Some).chain([None]).map(|column| errors(rows, column));
        Statistics {
            cases: rows.len(),
            ill_conditioned: any(|o| matches!(o, Outcome::IllConditioned { .. })),
            inconclusive: any(|o| matches!(o, Outcome::Inconclusive { .. })),
            no_rule: any(|o| matches!(o, Outcome::NoRule { .. })),
            skipped: rows.iter().filter(|r| r.verdict() == Verdict::Skipped).count(),
            errors: errors.filter(|e| e.inexact > 0).collect(),
        }
    }
}

fn errors(rows: &[Row], column: Option<Column>) -> Errors {
    let cells = rows.iter().flat_map(|r| &r.cells).filter(|(c, _)| column.is_none_or(|column| *c == column));
    let found = cells.filter_map(|(_, o)| if let Outcome::Ok { closeness, .. } = o { Some(*closeness) } else { None });
    let found: Vec<_> = found.collect();
    let mut ratios: Vec<f64> = found.iter().map(|c| c.ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios.get(((ratios.len() as f64 * share) as usize).min(ratios.len().saturating_sub(1)));
    // all of them together have those of the columns that do
    let has_ulps = column.is_none_or(Column::has_ulps);
    Errors {
        column,
        verdicts: found.len(),
        inexact: ratios.iter().filter(|r| **r > 0.0).count(),
        ratios: [0.5, 0.9, 0.99, 1.0].map(|share| at(share).copied().unwrap_or(0.0)),
        ulps: has_ulps.then(|| found.iter().map(|c| c.ulps).fold(0.0, f64::max)),
    }
}

/// The shares, and a table of errors.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |n: usize| format!("{n} ({:.2} %)", 100.0 * n as f64 / self.cases.max(1) as f64);
        let (ill, unclear, skipped) = (share(self.ill_conditioned), share(self.inconclusive), share(self.skipped));
        writeln!(f, "{} cases: ill-conditioned {ill}, inconclusive {unclear}, skipped {skipped}", self.cases)?;
        if self.no_rule > 0 {
            writeln!(f, "in {} no derivative by transformation, for want of a rule", share(self.no_rule))?;
        }
        if self.errors.is_empty() {
            return Ok(());
        }
        let mut table = Builder::new();
        table.push_record([
            "error / bound",
            "verdicts",
            "inexact",
            "median",
            "90 %",
            "99 %",
            "largest",
            "largest in ULPs",
        ]);
        for e in &self.errors {
            let name = e.column.map_or("all", Column::name).to_string();
            let ratios = e.ratios.iter().map(|r| format!("{r:.1e}"));
            let ulps = e.ulps.map_or("-".to_string(), |ulps| format!("{ulps:.1e}"));
            let counts = [name, e.verdicts.to_string(), e.inexact.to_string()];
            table.push_record(counts.into_iter().chain(ratios).chain([ulps]));
        }
        writeln!(f, "{}", table.build().with(Style::sharp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::Closeness;

    fn row(cells: Vec<(Column, Outcome)>) -> Row {
        let (program, case) = ("p".to_string(), "c".to_string());
        Row { program, case, cells, ..Row::default() }
    }

    #[test]
    fn percentiles_are_over_all_verdicts() {
        let ok = |ratio| Outcome::within(Closeness { ratio, ulps: 10.0 * ratio });
        let mut rows: Vec<Row> = (0..98).map(|_| row(vec![(Column::Passes, ok(0.0))])).collect();
        rows.push(row(vec![(Column::Passes, ok(0.25)), (Column::Numerics, Outcome::inconclusive("a kink"))]));
        rows.push(row(vec![(Column::Passes, ok(0.5)), (Column::Identity, Outcome::ill_conditioned("rounding"))]));
        let s = Statistics::of(&rows);
        assert_eq!((s.cases, s.ill_conditioned, s.inconclusive, s.skipped), (100, 1, 1, 0));
        let [passes, all] = &s.errors[..] else { panic!("{s:?}") };
        assert_eq!((passes.column, passes.verdicts, passes.inexact), (Some(Column::Passes), 100, 2));
        assert_eq!((passes.ratios, passes.ulps), ([0.0, 0.0, 0.5, 0.5], Some(5.0)));
        assert_eq!((all.column, all.verdicts), (None, 100));
        assert!(s.to_string().starts_with("100 cases: ill-conditioned 1 (1.00 %), inconclusive 1 (1.00 %)"), "{s}");
    }

    #[test]
    fn what_is_held_against_differences_is_not_measured_in_units_of_the_last_place() {
        let close = Outcome::within(Closeness { ratio: 0.5, ulps: 0.0 });
        let cells = [Column::Passes, Column::Identity, Column::Numerics].map(|c| (c, close.clone()));
        let s = Statistics::of(&[row(cells.into())]);
        let ulps: Vec<_> = s.errors.iter().map(|e| e.ulps).collect();
        assert_eq!(ulps, [Some(0.0), None, None, Some(0.0)]);
        let line = |column: &str| s.to_string().lines().find(|l| l.contains(column)).unwrap().to_string();
        assert!(line("numerics").contains("│ -") && !line("passes").contains("│ -"), "{s}");
    }
}
