//! The table of constructs: how far programs that use a construct get.

use super::{Yardstick, run};
use crate::child::BackendCommand;
use crate::suite::NotFound;
use crate::tester::{self, CaseReport, Mode, ProgramReport, Report, Verdict};
use futi_core::hash::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How far a program has got: for each of [`STEPS`], whether it should be there and whether it is.
type Way = [Option<bool>; STEPS.len()];

/// What may become of a program.
const STEPS: [&str; 6] = ["parses", "types", "interpreter", "jvp", "vjp", "vulkan"];

/// A table of constructs.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// For each construct, the programs that use it and should get to each step, and those that do.
    rows: BTreeMap<String, [(usize, usize); STEPS.len()]>,
    /// Whether there was a device.
    vulkan: bool,
    files: usize,
}

impl Status {
    /// Runs the programs on everything there is: the interpreter, derivatives in it, and Vulkan if this program was built with it and there is a device.
    ///
    /// # Errors
    /// A path that cannot be read.
    pub fn run(options: &tester::Options) -> Result<(Yardstick, Status), NotFound> {
        let (yardstick, interp) = run(options)?;
        let again = |mode, backend: &str| {
            tester::run(&tester::Options { mode, backend: backend.into(), constructs: false, ..options.clone() })
        };
        let (jvp, vjp) = (again(Mode::Jvp, "interp")?, again(Mode::Vjp, "interp")?);
        let device = BackendCommand::this_program("vulkan").is_ok_and(|b| b.probe(options.time_limit).is_ok());
        let vulkan = if device { Some(again(Mode::Literal, "vulkan")?) } else { None };
        Ok((yardstick, Status::of(&interp, &jvp, &vjp, vulkan.as_ref())))
    }

    fn of(interp: &Report, jvp: &Report, vjp: &Report, vulkan: Option<&Report>) -> Status {
        let by_program = |report: &'_ Report| -> HashMap<String, ProgramReport> {
            report.programs.iter().map(|p| (p.program.clone(), p.clone())).collect()
        };
        let (jvp, vjp, vulkan) = (by_program(jvp), by_program(vjp), vulkan.map(by_program));
        let mut status = Status { files: interp.programs.len(), vulkan: vulkan.is_some(), ..Status::default() };
        for p in &interp.programs {
            let Some(tree) = &p.tree else { continue };
            let runs = |p: &ProgramReport| verdict(p, |c| c.case.contains('#'));
            let interpreted = runs(p);
            let of = |reports: &HashMap<String, ProgramReport>| reports.get(&p.program).and_then(runs);
            // derivatives and other backends are asked of what the interpreter can do
            let further = |found: Option<bool>| found.filter(|_| interpreted == Some(true));
            let way: Way = [
                Some(tree.parses),
                verdict(p, |c| c.case == "compiles"),
                interpreted,
                further(of(&jvp)),
                further(of(&vjp)),
                further(vulkan.as_ref().and_then(of)),
            ];
            status.add(&tree.constructs, way);
        }
        status
    }

    fn add(&mut self, constructs: &BTreeSet<String>, way: Way) {
        for construct in constructs {
            let row = self.rows.entry(construct.clone()).or_default();
            for ((reached, asked), step) in row.iter_mut().zip(way) {
                *asked += usize::from(step.is_some());
                *reached += usize::from(step == Some(true));
            }
        }
    }
}

/// Whether all of a program's cases of a kind pass; none if there is none, or none that was not skipped.
fn verdict(p: &ProgramReport, is: impl Fn(&CaseReport) -> bool) -> Option<bool> {
    let of_kind: Vec<&Verdict> = p.cases.iter().filter(|c| is(c)).map(|c| &c.verdict).collect();
    let ran = of_kind.iter().any(|v| !matches!(v, Verdict::Skipped { .. }));
    ran.then(|| of_kind.iter().all(|v| !matches!(v, Verdict::Failed { .. })))
}

/// As Markdown.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = "# What works\n\nMade by `conformance --yardstick FOLDER --status FILE`; do not edit. For each construct of the language: of the programs in \
            the folder whose\nsyntax tree has it, how many get that far, of how many that should.\n\n- parses: the program is read without a diagnostic of the \
            syntax;\n- types: it is accepted, if it must be;\n- interpreter: all its cases whose input and expectation are written down pass;\n- jvp, vjp: of those \
            with floats, the derivative of one case by transformation is the one by definition;\n- vulkan: of those that pass in the interpreter, all cases pass on \
            the GPU.\n";
        writeln!(
            f,
            "{what}\n{} files.{}\n",
            self.files,
            if self.vulkan {
                ""
            } else {
                " There was no Vulkan device, or no Vulkan backend in the program that made this."
            }
        )?;
        writeln!(f, "| construct | {} |\n|---|{}", STEPS.join(" | "), "---|".repeat(STEPS.len()))?;
        for (construct, row) in &self.rows {
            let cell = |(reached, asked): &(usize, usize)| {
                if *asked == 0 { "-".to_string() } else { format!("{reached} of {asked}") }
            };
            let cells: Vec<String> = row.iter().map(cell).collect();
            writeln!(f, "| {construct} | {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tester::{Cause, Tree};

    #[test]
    fn programs_count_where_they_should_get() {
        let case = |name: &str, ok: bool| {
            let failed = Verdict::Failed { cause: Cause::Result, what: String::new() };
            CaseReport {
                case: name.into(),
                verdict: if ok { Verdict::Passed } else { failed },
                strict: None,
                seconds: 0.0,
            }
        };
        let tree = |constructs: &[&str]| {
            Some(Tree { parses: true, constructs: constructs.iter().map(ToString::to_string).collect() })
        };
        let program = |name: &str, cases, tree| ProgramReport { program: name.into(), cases, tree };
        let interp = Report {
            programs: vec![
                program("a", vec![case("compiles", true), case("main#1", true)], tree(&["if", "map"])),
                program("b", vec![case("compiles", true), case("main#1", true), case("main#2", false)], tree(&["if"])),
                program("c", vec![case("error", true)], tree(&["if"])),
            ],
        };
        let derived = |ok| Report {
            programs: vec![program("a", vec![case("main#1", ok)], None), program("b", vec![case("main#1", ok)], None)],
        };
        let status = Status::of(&interp, &derived(true), &derived(false), None);
        // b does not pass in the interpreter, so that its derivatives do not count; c must be rejected
        assert_eq!(status.rows["if"], [(3, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0)]);
        let text = status.to_string();
        assert!(text.contains("\n| map | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 | 0 of 1 | - |\n"), "{text}");
    }
}
