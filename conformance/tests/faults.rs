//! Faults planted to see them caught, each by the oracle that is there for it.

#[path = "../examples/own_backend/backend.rs"]
mod example;

use example::Mine;
use futi_conformance::child::{self, BackendCommand};
use futi_conformance::columns::Column;
use futi_conformance::fault::{AdFault, Fault};
use futi_conformance::report::Report;
use futi_conformance::row::Verdict;
use futi_conformance::{Options, run};
use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Options as Tuning, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::check::Checked;
use futi_core::ir::{Program, UnOp};
use futi_core::prim::Scalar;
use futi_core::value::Value;
use futi_interp::Interpreter;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(open) {
        return code;
    }
    let mut trials = Vec::new();
    for rule in AdFault::ALL {
        for (program, case) in [("suite/ad/r01_multiple_uses.fut", "primal#1"), ("../examples/gmm.fut", "objective#1")]
        {
            let name = format!("a wrong rule is caught by definition alone: {} in {case}", Fault::Ad(rule));
            trials.push(Trial::test(name, move || wrong_rule(rule, program, case)));
        }
    }
    for op in [UnOp::Exp, UnOp::Sin, UnOp::Cos, UnOp::Tan, UnOp::Sqrt, UnOp::Abs, UnOp::Log] {
        let name = format!("a wrong entry in the table is caught by numerics alone: {}", op.name());
        trials.push(Trial::test(name, move || wrong_partial(op)));
    }
    let bad = [
        ("liar", "expected"),
        ("crasher", "signal"),
        ("sleeper", "did not answer"),
        ("faulty", "internal error: a loop"),
        ("poor", "pow"),
    ];
    for (backend, told) in bad {
        let name = format!("a bad backend is one failure a case: {backend}");
        trials.push(Trial::test(name, move || bad_backend(backend, told)));
    }
    trials.push(Trial::test("a good backend is green", || {
        let report = report(Options { backend: Some(this("interp")?), ..options("suite/scalars/powers.fut", "") })?;
        ensure(report.counts() == (2, 0, 0), &report)
    }));
    trials.push(Trial::test("the example's three bugs are named", || {
        let backend = Some(this("mine")?);
        // enough of the suite to tell the three from what stands beside them
        let topics = ["arrays", "functions", "prelude", "scalars", "soacs"];
        let paths = topics.iter().flat_map(|t| options(&format!("suite/{t}"), "").paths).collect();
        let report = report(Options { paths, backend, jobs: 2, numerics: false, ..Options::default() })?;
        let mut named: Vec<String> = report.suspects().into_iter().map(|s| s.construct).collect();
        named.sort();
        ensure(named == ["Concat", "Reverse", "min"] && failing(&report) == [Column::Backend], &report)
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn options(program: &str, filter: &str) -> Options {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(program);
    Options { paths: vec![path], filter: Some(filter.into()), jobs: 1, ..Options::default() }
}

fn report(options: Options) -> Result<Report, Failed> {
    Ok(run(&options)?)
}

fn this(backend: &str) -> Result<BackendCommand, Failed> {
    Ok(BackendCommand::this_program(backend)?)
}

fn ensure(holds: bool, report: &Report) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(report.to_string().into()) }
}

/// The columns that disagree, over all cases.
fn failing(report: &Report) -> Vec<Column> {
    let mut columns: Vec<Column> = report.rows.iter().flat_map(|r| r.failures().map(|(c, _)| c)).collect();
    columns.sort();
    columns.dedup();
    columns
}

fn wrong_rule(rule: AdFault, program: &str, case: &str) -> Result<(), Failed> {
    let honest = Options { numerics: false, ..options(program, case) };
    let without = report(honest.clone())?;
    ensure(without.counts().0 == 1 && failing(&without).is_empty(), &without)?;
    let with = report(Options { fault: Some(Fault::Ad(rule)), ..honest })?;
    ensure(failing(&with) == [Column::ByDefinition], &with)
}

fn wrong_partial(op: UnOp) -> Result<(), Failed> {
    let planted = Options { fault: Some(Fault::Table(op)), ..options("suite/ad/scalar_functions.fut", "") };
    let with = report(planted.clone())?;
    ensure(failing(&with) == [Column::Numerics], &with)?;
    let unseen = report(Options { numerics: false, ..planted })?;
    ensure(failing(&unseen).is_empty(), &unseen)
}

fn bad_backend(name: &str, told: &str) -> Result<(), Failed> {
    let timeout = Duration::from_secs(2);
    let report = report(Options { backend: Some(this(name)?), timeout, ..options("suite/scalars/powers.fut", "") })?;
    for row in &report.rows {
        let what = format!("{:?}", row.outcome(Column::Backend));
        ensure(what.contains(told), &report)?;
    }
    let skipped = name == "poor";
    let verdict = if skipped { Verdict::Skipped } else { Verdict::Failed };
    ensure(report.rows.len() == 2 && report.rows.iter().all(|r| r.verdict() == verdict), &report)?;
    ensure(failing(&report) == if skipped { vec![] } else { vec![Column::Backend] }, &report)
}

fn open(name: &str) -> Result<Box<dyn Backend>, String> {
    match name {
        "liar" => Ok(Box::new(Bad(Flaw::Lies))),
        "crasher" => Ok(Box::new(Bad(Flaw::Crashes))),
        "sleeper" => Ok(Box::new(Bad(Flaw::Sleeps))),
        "faulty" => Ok(Box::new(Bad(Flaw::Refuses("internal error: a loop")))),
        "poor" => Ok(Box::new(Bad(Flaw::Refuses("pow")))),
        "mine" => Ok(Box::new(Mine::default())),
        name => child::built_in(name),
    }
}

#[derive(Clone, Copy)]
enum Flaw {
    Lies,
    Crashes,
    Sleeps,
    Refuses(&'static str),
}

/// The interpreter, with a flaw.
struct Bad(Flaw);

struct BadCode(Flaw, Box<dyn Executable>);

impl Backend for Bad {
    fn name(&self) -> &str {
        "bad"
    }
    fn level(&self) -> IrLevel {
        IrLevel::Flat
    }
    fn describe(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    fn compile(&self, program: &Checked<Program>, options: &Tuning) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        if let (Flaw::Refuses(what), Some(stm)) = (self.0, program.funs.iter().flat_map(|f| &f.body.stms).next()) {
            return Err(vec![Unsupported { construct: what.into(), missing: "an exponent".into(), prov: stm.prov }]);
        }
        Ok(Box::new(BadCode(self.0, Interpreter::default().compile(program, options)?)))
    }
    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        Interpreter::default().put(value)
    }
    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        Interpreter::default().get(handle)
    }
}

impl Executable for BadCode {
    fn call(&self, entry: &str, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        match self.0 {
            Flaw::Crashes => std::process::abort(),
            Flaw::Sleeps => std::thread::sleep(Duration::from_secs(60)),
            Flaw::Lies | Flaw::Refuses(_) => {}
        }
        let mut results = self.1.call(entry, args, ctx)?;
        results[0] = Handle(Arc::new(Value::Scalar(Scalar::I32(123))));
        Ok(results)
    }
}
