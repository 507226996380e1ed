//! What came of it.

use super::known::Kernels;
use futi_kernels::removal::Removal;
use std::collections::BTreeMap;
use std::fmt;
use std::process::ExitCode;
use tabled::builder::Builder;
use tabled::settings::Style;

/// What is known of a kernel of which something was taken away.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fate {
    /// The fault that the executor has reported.
    pub reported: Option<String>,
    /// How many launches were repeated with it.
    pub launches: usize,
    /// The most groups of one of them.
    pub groups: u32,
}

/// What was taken away and is not missed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survivor {
    /// The kernel.
    pub kernel: String,
    /// The program that has it, and the entry point.
    pub program: String,
    /// What was taken away.
    pub removal: Removal,
    /// From which statement.
    pub statement: String,
    /// How it was tried.
    pub fate: Fate,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// How many programs were looked at.
    pub programs: usize,
    /// How many kernels have something that can be taken away.
    pub kernels: usize,
    /// Of each removal, how many were planted, and how often each fault was reported.
    pub counts: BTreeMap<Removal, (usize, BTreeMap<String, usize>)>,
    /// Those that nobody has reported.
    pub survivors: Vec<Survivor>,
}

impl Report {
    pub(super) fn new(programs: usize, kernels: Vec<Kernels>) -> Report {
        let mut report = Report { programs, kernels: kernels.len(), ..Report::default() };
        for kernel in kernels {
            for (planted, fate) in kernel.planted {
                let (all, reported) = report.counts.entry(planted.removal).or_default();
                *all += 1;
                match &fate.reported {
                    Some(fault) => *reported.entry(fault.clone()).or_default() += 1,
                    None => report.survivors.push(Survivor {
                        kernel: kernel.name.clone(),
                        program: kernel.program.clone(),
                        removal: planted.removal,
                        statement: planted.statement.clone(),
                        fate,
                    }),
                }
            }
        }
        report.survivors.sort_by(|a, b| (a.removal, &a.program).cmp(&(b.removal, &b.program)));
        report
    }

    /// How many were planted.
    pub fn planted(&self) -> usize {
        self.counts.values().map(|(all, _)| all).sum()
    }

    /// Whether something was planted and all of it was reported.
    pub fn is_green(&self) -> bool {
        self.planted() > 0 && self.survivors.is_empty()
    }

    /// 0 if it is green.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(u8::from(!self.is_green()))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Builder::default();
        table.push_record(["taken away", "planted", "reported", "as"]);
        for (removal, (all, reported)) in &self.counts {
            let sum: usize = reported.values().sum();
            let faults: Vec<String> = reported.iter().map(|(fault, n)| format!("{fault} {n}")).collect();
            table.push_record([removal.name().into(), all.to_string(), sum.to_string(), faults.join(", ")]);
        }
        for Survivor { kernel, program, removal, statement, fate } in &self.survivors {
            let Fate { launches, groups, .. } = fate;
            writeln!(f, "{} survives in {kernel} of {program}", removal.name())?;
            writeln!(f, "    {statement}    ({launches} launches, of at most {groups} groups)")?;
        }
        writeln!(f, "{}", table.build().with(Style::sharp()))?;
        let (planted, left) = (self.planted(), self.survivors.len());
        let share = 100.0 * (planted - left) as f64 / planted.max(1) as f64;
        let Report { programs, kernels, .. } = self;
        writeln!(f, "{programs} programs, {kernels} kernels: {planted} planted, {left} survive ({share:.2} % reported)")
    }
}
