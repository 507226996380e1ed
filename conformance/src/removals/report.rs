//! What came of it.

use super::known::Candidate;
use super::launches::How;
use futi_kernels::removal::Removal;
use std::collections::BTreeMap;
use std::fmt;
use std::process::ExitCode;
use tabled::builder::Builder;
use tabled::settings::Style;

/// What is known of a kernel of which something was taken away.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fate {
    /// The fault that the executor has reported, and of what launch.
    pub reported: Option<(How, String)>,
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
    /// From which statement: of those of the kernel that have it, in the order of the text, from 0.
    pub number: usize,
    /// Its first line.
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
    /// Of each removal, how many were planted, and how many of them were reported of which launches.
    pub counts: BTreeMap<Removal, (usize, BTreeMap<How, usize>)>,
    /// How often each fault was reported.
    pub faults: BTreeMap<String, usize>,
    /// Those that nobody has reported.
    pub survivors: Vec<Survivor>,
    /// Programs at which the compiler or the executor has panicked, with what it said.
    pub panics: Vec<String>,
}

impl Report {
    pub(super) fn new(programs: usize, candidates: Vec<Candidate>, panics: Vec<String>) -> Report {
        let mut report = Report { programs, kernels: candidates.len(), panics, ..Report::default() };
        for candidate in &candidates {
            for (planted, fate) in &candidate.planted {
                let (all, reported) = report.counts.entry(planted.removal).or_default();
                *all += 1;
                match &fate.reported {
                    Some((how, fault)) => {
                        *reported.entry(*how).or_default() += 1;
                        *report.faults.entry(fault.clone()).or_default() += 1;
                    }
                    None => report.survivors.push(Survivor {
                        kernel: candidate.kernel.name.to_string(),
                        program: candidate.program.clone(),
                        removal: planted.removal,
                        number: planted.number,
                        statement: planted.statement.clone(),
                        fate: fate.clone(),
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
        self.planted() > 0 && self.survivors.is_empty() && self.panics.is_empty()
    }

    /// 0 if it is green.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(u8::from(!self.is_green()))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Builder::default();
        let ways = How::ALL.map(|how| how.to_string());
        table.push_record(["taken away", "planted", "reported"].map(String::from).into_iter().chain(ways));
        for (removal, (all, reported)) in &self.counts {
            let sum: usize = reported.values().sum();
            let each = How::ALL.map(|how| reported.get(&how).copied().unwrap_or(0).to_string());
            table.push_record([removal.name().into(), all.to_string(), sum.to_string()].into_iter().chain(each));
        }
        for Survivor { kernel, program, removal, number, statement, fate } in &self.survivors {
            let (Fate { launches, groups, .. }, nth) = (fate, number + 1);
            writeln!(f, "{} {nth} survives in {kernel} of {program}", removal.name())?;
            writeln!(f, "    {statement}    ({launches} launches, of at most {groups} groups)")?;
        }
        self.panics.iter().try_for_each(|panic| writeln!(f, "{panic}"))?;
        writeln!(f, "{}", table.build().with(Style::sharp()))?;
        let faults: Vec<String> = self.faults.iter().map(|(fault, n)| format!("{fault} {n}")).collect();
        writeln!(f, "reported: {}", faults.join(", "))?;
        let (planted, left) = (self.planted(), self.survivors.len());
        let share = 100.0 * (planted - left) as f64 / planted.max(1) as f64;
        let Report { programs, kernels, .. } = self;
        writeln!(f, "{programs} programs, {kernels} kernels: {planted} planted, {left} survive ({share:.2} % reported)")
    }
}

#[cfg(test)]
mod tests {
    use super::super::known::Known;
    use super::*;
    use futi_core::prim::Scalar;
    use futi_kernels::exec::{Binding, Bytes, Launch};

    /// The second barrier orders nothing.
    const KERNEL: &str = "futi-kernel 1
        kernel k @3 {
          block y_0: atomic i32
          shared s_0: i32[0 + 1 each]
          local x_0: i32
          store shared.s_0[@invocation] = 1i32
          barrier
          x_0 = load shared.s_0[sub.i32(sub.i32(@group_size, @invocation), 1i32)]
          barrier
          atomic add block.y_0[0i32](x_0) relaxed device
        }";

    #[test]
    fn what_orders_nothing_survives() {
        let known = Known::default();
        let kernel = known.add(&KERNEL.parse().unwrap(), "p.fut:f").unwrap();
        let blocks = vec![Binding { allocation: 0, start: 0, len: 1 }];
        let launch =
            Launch { groups: 3, group_size: 2, subgroup_size: 2, params: vec![], blocks, seed: 0, budget: 1000 };
        known.repeat(kernel, &launch, &[Bytes::of([Scalar::I32(0)])]);
        let report = Report::new(1, known.into_candidates(), vec![]);
        let survivors: Vec<_> = report.survivors.iter().map(|s| (s.removal, s.statement.as_str())).collect();
        assert_eq!(survivors, [(Removal::Barrier, "barrier")]);
        let reported = |removal| report.counts[&removal].1.get(&How::AsLaunched).copied();
        assert_eq!(Removal::ALL.map(|r| report.counts.get(&r).map_or(0, |(all, _)| *all)), [2, 0, 1, 0, 1]);
        assert_eq!([Removal::Barrier, Removal::Atomic, Removal::Scope].map(reported), [Some(1); 3]);
        assert!(!report.is_green() && report.to_string().contains("barrier 2 survives in k of p.fut:f"), "{report}");
        let panics = vec!["p.fut: a panic".to_string()];
        assert!(!Report { survivors: vec![], panics, ..report.clone() }.is_green());
        assert!(Report { survivors: vec![], ..report }.is_green() && !Report::default().is_green());
    }
}
