//! Verdicts counted: by topic, which is the folder of a program, and by construct.

use crate::columns::Column;
use crate::row::{GENERATED, Outcome, Row, columns};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use tabled::builder::Builder;
use tabled::settings::Style;

/// With more cases than this, a terminal shows a row for each topic instead of one for each case.
pub const MANY: usize = 40;

/// How many verdicts of each kind; oracles that do not apply are not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Agreements.
    pub ok: usize,
    /// Disagreements.
    pub failed: usize,
    /// No verdict.
    pub inconclusive: usize,
    /// No verdict, since rounding decides.
    pub ill_conditioned: usize,
    /// No derivative by transformation, for want of a rule.
    pub no_rule: usize,
    /// Not asked.
    pub skipped: usize,
    /// Accepted disagreements.
    pub waived: usize,
}

impl Tally {
    /// Each kind that there is, with its word.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, usize)> + use<> {
        let parts = [
            ("ok", self.ok),
            ("FAIL", self.failed),
            ("inconclusive", self.inconclusive),
            ("ill-conditioned", self.ill_conditioned),
            ("no rule", self.no_rule),
            ("skipped", self.skipped),
            ("waived", self.waived),
        ];
        parts.into_iter().filter(|(_, n)| *n > 0)
    }

    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Ok { .. } => self.ok += 1,
            Outcome::Fail(_) => self.failed += 1,
            Outcome::Inconclusive { .. } => self.inconclusive += 1,
            Outcome::IllConditioned { .. } => self.ill_conditioned += 1,
            Outcome::NoRule { .. } => self.no_rule += 1,
            Outcome::Skipped { .. } => self.skipped += 1,
            Outcome::Waived { .. } => self.waived += 1,
            Outcome::Absent { .. } => {}
        }
    }
}

/// `12 ok, 1 FAIL`; `-` for none.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts().map(|(what, n)| format!("{n} {what}")).collect();
        f.write_str(if parts.is_empty() { "-".into() } else { parts.join(", ") }.as_str())
    }
}

/// What there is of one name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line {
    /// How many cases.
    pub cases: usize,
    /// Their verdicts, by oracle.
    pub tallies: BTreeMap<Column, Tally>,
}

impl Line {
    fn add(&mut self, row: &Row) {
        self.cases += 1;
        row.cells.iter().for_each(|(column, outcome)| self.tallies.entry(*column).or_default().add(outcome));
    }

    /// The verdicts of an oracle.
    pub fn tally(&self, column: Column) -> Tally {
        self.tallies.get(&column).copied().unwrap_or_default()
    }
}

/// All cases together.
pub fn all(rows: &[Row]) -> Line {
    let mut line = Line::default();
    rows.iter().for_each(|row| line.add(row));
    line
}

/// By the folder of the program.
pub fn by_topic(rows: &[Row]) -> BTreeMap<String, Line> {
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    rows.iter().for_each(|row| lines.entry(topic(&row.program)).or_default().add(row));
    lines
}

/// By construct: each case counts for all that it has.
pub fn by_construct(rows: &[Row]) -> BTreeMap<String, Line> {
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    for row in rows {
        row.constructs.iter().for_each(|c| lines.entry(c.clone()).or_default().add(row));
    }
    lines
}

/// The folder that a program is in, by its own name; of a generated one that is a derivative, the modes.
fn topic(program: &str) -> String {
    if let Some((_, modes)) = program.strip_prefix(GENERATED).and_then(|name| name.split_once(' ')) {
        return format!("generated: {modes}");
    }
    let folder = Path::new(program).parent().and_then(Path::file_name);
    folder.map_or_else(|| "no folder".into(), |name| name.to_string_lossy().into_owned())
}

/// The summary for a terminal: topics down, oracles across, all of them last.
pub fn table(rows: &[Row]) -> String {
    let columns = columns(rows);
    let mut table = Builder::new();
    let heads = columns.iter().map(|c| c.name().to_string());
    table.push_record(["topic".to_string(), "cases".to_string()].into_iter().chain(heads));
    for (name, line) in by_topic(rows).into_iter().chain([("all".into(), all(rows))]) {
        let cells = columns.iter().map(|c| line.tally(*c).to_string());
        table.push_record([name, line.cases.to_string()].into_iter().chain(cells));
    }
    table.build().with(Style::sharp()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn rows() -> Vec<Row> {
        let row = |program: &str, constructs: &[&str], cells: Vec<(Column, Outcome)>| Row {
            program: program.into(),
            case: "main#1".into(),
            cells,
            constructs: constructs.iter().map(|c| c.to_string()).collect::<BTreeSet<_>>(),
            ..Row::default()
        };
        let ok = |c| (c, Outcome::ok());
        vec![
            row("s/ad/a.fut", &["Map", "Loop"], vec![ok(Column::Expected), ok(Column::Passes)]),
            row("s/ad/b.fut", &["Map"], vec![ok(Column::Expected), (Column::Passes, Outcome::fail("x"))]),
            row("s/soacs/a.fut", &[], vec![ok(Column::Expected), (Column::Passes, Outcome::absent("y"))]),
        ]
    }

    #[test]
    fn verdicts_are_counted_by_topic() {
        let expected = "\
┌───────┬───────┬──────────┬──────────────┐
│ topic │ cases │ expected │ passes       │
├───────┼───────┼──────────┼──────────────┤
│ ad    │ 2     │ 2 ok     │ 1 ok, 1 FAIL │
│ soacs │ 1     │ 1 ok     │ -            │
│ all   │ 3     │ 3 ok     │ 1 ok, 1 FAIL │
└───────┴───────┴──────────┴──────────────┘";
        assert_eq!(table(&rows()), expected);
    }

    #[test]
    fn generated_derivatives_are_counted_by_their_modes() {
        let topics = ["generated/differentiable", "generated/differentiable vjp jvp"].map(topic);
        assert_eq!(topics, ["generated", "generated: vjp jvp"]);
    }

    #[test]
    fn a_case_counts_for_each_of_its_constructs() {
        let lines = by_construct(&rows());
        let of = |name: &str| (lines[name].cases, lines[name].tally(Column::Passes).to_string());
        assert_eq!((of("Map"), of("Loop")), ((2, "1 ok, 1 FAIL".into()), (1, "1 ok".into())));
        assert_eq!(lines.len(), 2);
    }
}
