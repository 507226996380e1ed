//! A dataset: a run to warm up, whose results are checked, then the runs that are measured, by one implementation or by two in turns.

use super::input::Place;
use super::json::{Against, Measurement};
use super::measure::{Rules, measure};
use super::profile::{difference, set_limits};
use super::side::{Arguments, How, Side, Until};
use super::statistics::{mean, ratio_of_pairs};
use futi_conformance::spec::{Expect, TestCase};
use futi_conformance::tester::mismatch;
use futi_core::backend::Limits;
use futi_core::entry;
use futi_core::value::Value;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What runs the datasets of a program, and how.
pub struct Bench<'a> {
    /// What is measured.
    pub own: How,
    /// The same so that kernels are timed, where that is asked for.
    pub profiled: Option<How>,
    /// What the device reaches, if kernels are timed and it tells.
    pub limits: Option<Limits>,
    /// What has the results that are expected where a test block leaves that to the reference; not where it is itself measured.
    pub reference: Option<How>,
    /// The other implementation, with its command as it was given.
    pub other: Option<(String, How)>,
    /// When there have been enough runs.
    pub rules: Rules,
    /// How long a dataset may take.
    pub limit: Option<Duration>,
    /// Whether results are checked.
    pub checks: bool,
    /// Told how many runs there have been.
    pub progress: &'a dyn Fn(usize),
}

/// A dataset that has been measured.
pub struct Measured {
    /// The runtimes, and what else there is to know.
    pub measurement: Measurement,
    /// What a reader of the numbers should know.
    pub notes: Vec<String>,
}

/// The reference may take so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The mean is known well enough if half its interval is no more than this part of it,
const PRECISE: f64 = 0.02;

/// or no more than as many microseconds, of which servers count whole ones.
const RESOLUTION: f64 = 0.5;

impl Bench<'_> {
    /// Measures a dataset.
    ///
    /// # Errors
    /// What keeps it from running, or is wrong with its results.
    pub fn dataset(&self, place: &Place, entry: &str, case: &TestCase) -> Result<Measured, String> {
        let folder = tempfile::tempdir().map_err(|e| format!("no folder for temporary files: {e}"))?;
        let files = place.arguments(entry, case, &self.own, &Until::after(self.limit), folder.path())?;
        // compiling is no part of what is limited
        let server = self.own.start()?;
        let named = |command: &str, what: String| format!("{command}: {what}");
        let start = |(command, how): &(String, How)| how.start().map_err(|what| named(command, what));
        let others = self.other.as_ref().map(start).transpose()?;
        let until = Until::after(self.limit);
        let mut own = Side::new(server, entry, &files.own, until)?;
        let (_, leaves) = own.run_for_results()?;
        let results = entry::results(place.fun(entry)?, leaves);
        let mut notes = Vec::new();
        if self.checks {
            notes.extend(self.check(place, entry, case, &files.own, &results)?);
        }
        let mut measurement = match (&self.other, others) {
            (Some((command, _)), Some(server)) => {
                let named = |what: String| named(command, what);
                let mut other = Side::new(server, entry, &files.other, until).map_err(named)?;
                let (_, theirs) = other.run_for_results().map_err(named)?;
                if let Some(what) = mismatch(&results, &theirs).filter(|_| self.checks) {
                    return Err(format!("the results are not those of {command}: {what}"));
                }
                drop((results, theirs));
                pairs(&mut own, &mut other, command, &self.rules(&until), self.progress, &mut notes)?
            }
            _ => alone(&mut own, &self.rules(&until), self.progress, &mut notes)?,
        };
        // backends without a memory of their own report none
        measurement.bytes = own.report().map(|report| peaks(&report)).unwrap_or_default();
        let mut said = own.said();
        drop(own);
        if let Some(how) = &self.profiled {
            let (mut profile, lines) = profile(how, entry, &files.own, Until::after(self.limit))?;
            self.limits.into_iter().for_each(|limits| set_limits(&mut profile, limits));
            measurement.profiling = Some(profile);
            said.extend(lines);
        }
        if self.profiled.is_some() || !said.is_empty() {
            measurement.stderr = Some(said.iter().map(|line| format!("{line}\n")).collect());
        }
        Ok(Measured { measurement, notes })
    }

    /// The rules, so that more runs do not take longer than a dataset may.
    fn rules(&self, until: &Until) -> Rules {
        let most = |converge: Duration| until.left().map_or(converge, |left| converge.min(left / 2));
        Rules { converge: self.rules.converge.map(most), ..self.rules }
    }

    /// Whether the results are those expected; says if that could not be found out.
    fn check(
        &self,
        place: &Place,
        entry: &str,
        case: &TestCase,
        arguments: &Arguments,
        results: &[Value],
    ) -> Result<Option<String>, String> {
        let wrong = |what: String| format!("the results are not those expected: {what}");
        let expected = match (&case.expect, &self.reference) {
            (Expect::Auto, Some(how)) => {
                let until = Until::after(Some(self.limit.unwrap_or(PATIENCE).min(PATIENCE)));
                let reference =
                    how.start().and_then(|server| Side::new(server, entry, arguments, until)?.run_for_results());
                match reference {
                    Ok((_, leaves)) => Some(entry::results(place.fun(entry)?, leaves)),
                    Err(why) => return Ok(Some(format!("the results are not checked, for the interpreter {why}"))),
                }
            }
            _ => place.expected(case, results)?,
        };
        expected.and_then(|expected| mismatch(results, &expected)).map_or(Ok(None), |what| Err(wrong(what)))
    }
}

/// Whether runs tell their mean.
fn is_precise(runtimes: &[f64]) -> bool {
    mean(runtimes).is_some_and(|m| m.half <= RESOLUTION.max(PRECISE * m.mean))
}

/// What is said where that was never so.
const UNSETTLED: &str = "the mean has not settled";

fn alone(
    own: &mut Side,
    rules: &Rules,
    progress: &dyn Fn(usize),
    notes: &mut Vec<String>,
) -> Result<Measurement, String> {
    let began = Instant::now();
    let run = &mut |i| {
        progress(i);
        own.run()
    };
    let runs = measure(rules, &|| began.elapsed(), run, &|all: &[f64]| is_precise(all))?;
    notes.extend((!runs.enough).then(|| UNSETTLED.to_string()));
    Ok(Measurement { runtimes: runs.all, ..Measurement::default() })
}

/// Both implementations in turns; the one that begins changes from pair to pair.
fn pairs(
    own: &mut Side,
    other: &mut Side,
    command: &str,
    rules: &Rules,
    progress: &dyn Fn(usize),
    notes: &mut Vec<String>,
) -> Result<Measurement, String> {
    let began = Instant::now();
    let named = |what: String| format!("{command}: {what}");
    let run = &mut |i: usize| -> Result<(f64, f64), String> {
        progress(i);
        if i.is_multiple_of(2) {
            let first = own.run()?;
            Ok((first, other.run().map_err(named)?))
        } else {
            let second = other.run().map_err(named)?;
            Ok((own.run()?, second))
        }
    };
    let is_enough = |all: &[(f64, f64)]| {
        let (first, second) = split(all);
        let fast = |x: &[f64]| mean(x).is_some_and(|m| m.half <= RESOLUTION);
        let ratio = ratio_of_pairs(&first, &second);
        ratio.is_some_and(|r| r.high / r.low <= (1.0 + PRECISE).powi(2)) || fast(&first) && fast(&second)
    };
    let runs = measure(rules, &|| began.elapsed(), run, &is_enough)?;
    notes.extend((!runs.enough).then(|| UNSETTLED.to_string()));
    let (runtimes, others) = split(&runs.all);
    let against = Some(Against { command: command.to_string(), runtimes: others });
    Ok(Measurement { runtimes, against, ..Measurement::default() })
}

fn split(pairs: &[(f64, f64)]) -> (Vec<f64>, Vec<f64>) {
    pairs.iter().copied().unzip()
}

/// The peaks of memory in a report.
fn peaks(report: &Json) -> BTreeMap<String, u64> {
    let memory = report.get("memory").and_then(Json::as_object);
    memory.into_iter().flatten().filter_map(|(name, bytes)| Some((name.clone(), bytes.as_u64()?))).collect()
}

/// What a run costs that follows one to warm up, by a server that times kernels, and what that has said.
fn profile(how: &How, entry: &str, arguments: &Arguments, until: Until) -> Result<(Json, Vec<String>), String> {
    let mut side = Side::new(how.start()?, entry, arguments, until)?;
    side.run()?;
    let before = side.report()?;
    side.run()?;
    let profile = difference(&side.report()?, &before);
    Ok((profile, side.said()))
}
