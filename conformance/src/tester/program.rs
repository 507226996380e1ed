//! A program in its process: compiled once, its cases run one after the other.

use super::plan;
use super::serve::Job;
use super::{CaseReport, Cause, Mode, Tree, Verdict};
use crate::column::by_definition;
use crate::column::expected::written;
use crate::compiled::{Compiled, catch, compile, syntax_of};
use crate::constructs;
use crate::data::{self, Folder};
use crate::input;
use crate::property;
use crate::random::Rng;
use crate::row::Outcome;
use crate::script::Scope;
use crate::spec::{Expect, Input, Pattern, TestCase};
use crate::stages::{context, error_text};
use crate::structure::{self, Found};
use crate::subject::{Entry, Subject};
use crate::suite::{self, Case, What};
use futi_core::ad::entry as derive;
use futi_core::backend::{Backend, CallCtx, Executable, Options, Unsupported};
use futi_core::diag::Diagnostic;
use futi_core::driver::pipeline;
use futi_core::entry;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::hash::HashMap;
use futi_core::ir::{self, check};
use futi_core::prim::ScalarType;
use futi_core::source::FileId;
use futi_core::value::Value;
use futi_core::value::compare::{Tolerance, compare};
use futi_embed::tuning::{self, Tuning};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

/// A program with its cases.
pub(super) struct Program<'a> {
    path: PathBuf,
    mode: Mode,
    cases: Vec<Case>,
    compiled: Result<Compiled, String>,
    seed: i64,
    outside: bool,
    tuning: Result<Tuning, String>,
    backend: &'a dyn Backend,
    /// The entry points that have been called, compiled for the backend.
    entries: RefCell<HashMap<String, Prepared>>,
}

/// An entry point compiled for the backend, with the provenance that its failures refer to; or why there is none.
type Prepared = Rc<Result<(Box<dyn Executable>, ir::ProvTable), Stop>>;

/// What keeps an entry point from giving results.
#[derive(Clone, Debug)]
struct Stop {
    cause: Cause,
    what: String,
    /// Whether it is the program's own failure, which a case may expect.
    own: bool,
}

impl Stop {
    fn new(cause: Cause, what: impl Into<String>) -> Stop {
        Stop { cause, what: what.into(), own: false }
    }
}

impl<'a> Program<'a> {
    /// Compiles the program of a job.
    pub fn compile(job: &Job, backend: &'a dyn Backend) -> Program<'a> {
        let path = job.path.clone();
        let tuning = job.tuning.as_ref().map_or(Ok(Tuning::new()), |extension| tuning::of(&path, extension));
        let compiled = catch(|| compile(&path, tuning.clone().unwrap_or_default()));
        let cases = plan::cases(&suite::program(path.clone()), job.mode);
        let (mode, seed, outside) = (job.mode, job.seed, job.outside);
        Program { path, mode, cases, compiled, seed, outside, tuning, backend, entries: RefCell::default() }
    }

    /// What is in the program's syntax tree; none of a program that is no source.
    pub fn tree(&self) -> Option<Tree> {
        let of = || -> Option<Tree> {
            let text = std::fs::read_to_string(&self.path)
                .ok()
                .filter(|_| self.path.extension().is_some_and(|e| e == "fut"))?;
            let (ast, diagnostics) = futi_core::syntax::parse(FileId(0), &text);
            Some(Tree { parses: !diagnostics.iter().any(Diagnostic::is_error), constructs: constructs::find(&ast) })
        };
        catch(of).ok().flatten()
    }

    /// Runs the case of this number.
    pub fn case(&self, i: usize) -> CaseReport {
        let start = Instant::now();
        let name = self.cases.get(i).map(|c| c.name.clone()).unwrap_or_default();
        let (verdict, strict) = match (self.cases.get(i), &self.compiled) {
            (Some(_), _) if let Err(unreadable) = &self.tuning => {
                (Verdict::failed(Cause::Test, unreadable.clone()), None)
            }
            (Some(case), Ok(compiled)) => catch(|| self.judge(&case.what, compiled)).unwrap_or_else(defect),
            (Some(_), Err(panic)) => defect(panic.clone()),
            (None, _) => (Verdict::failed(Cause::Test, "the program has changed"), None),
        };
        CaseReport { case: name, verdict, strict, seconds: start.elapsed().as_secs_f64() }
    }

    fn judge(&self, what: &What, compiled: &Compiled) -> (Verdict, Option<String>) {
        let program = match (what, &compiled.program) {
            (What::CannotRun(why), _) => return (Verdict::failed(Cause::Test, why.clone()), None),
            (What::CompileError(pattern), _) => return (rejected(pattern, compiled), None),
            (_, None) => return (not_accepted(compiled), None),
            (_, Some(program)) => program,
        };
        let verdict = match what {
            What::Warning(pattern) if !pattern.matches(&compiled.diagnostics) => {
                let warnings = if compiled.diagnostics.is_empty() { "there is none" } else { &compiled.diagnostics };
                Verdict::failed(Cause::Warning, format!("no warning matches `{pattern}`: {warnings}"))
            }
            What::Structure(asked) => match structure::judge(program, &compiled.sources, asked) {
                Found::Same => Verdict::Passed,
                Found::Other(what) => Verdict::failed(Cause::Structure, what),
                Found::Unknown(reason) => Verdict::Skipped { reason },
            },
            What::Property(name) => match self.property(program, name) {
                Ok(()) => Verdict::Passed,
                Err(what) => Verdict::failed(Cause::Property, what),
            },
            What::Run { entry, case } => match self.mode {
                Mode::Jvp => self.derivative(derive::Mode::Forward, program, entry, case, compiled),
                Mode::Vjp => self.derivative(derive::Mode::Reverse, program, entry, case, compiled),
                _ => return self.run(program, entry, case, compiled),
            },
            _ => Verdict::Passed,
        };
        (verdict, None)
    }

    fn property(&self, program: &ir::Program, name: &str) -> Result<(), String> {
        let property = property::find(&syntax_of(&self.path)?, name)?;
        property::check(program, name, &property, self.seed, &mut |name, args| self.plain_call(program, name, args))
    }

    fn run(
        &self,
        program: &ir::Program,
        name: &str,
        case: &TestCase,
        compiled: &Compiled,
    ) -> (Verdict, Option<String>) {
        let results = self.results(program, name, case, compiled);
        match (&case.expect, results) {
            (Expect::Error(pattern), Err(stop)) if stop.own => {
                let other = || format!("fails, as expected, but `{pattern}` does not match\n{}", stop.what);
                // as a compiled program of Futhark says it
                let same = pattern.matches(&format!("Error: {}", stop.what));
                (if same { Verdict::Passed } else { Verdict::failed(Cause::OtherFailure, other()) }, None)
            }
            (Expect::Error(pattern), Ok(_)) => {
                let what = format!("gives results, expected a failure matching `{pattern}`");
                (Verdict::failed(Cause::NoFailure, what), None)
            }
            (_, Err(stop)) => (Verdict::failed(stop.cause, stop.what), None),
            (Expect::Success, Ok(_)) => (Verdict::Passed, None),
            (Expect::Values(values), Ok(got)) => compared(&got, values),
            (Expect::File(file), Ok(got)) => {
                let types: Vec<ScalarType> = got.iter().map(Value::elem).collect();
                match self.folder().file(file).and_then(|path| data::read(&path, &types)) {
                    Ok(values) => compared(&got, &values),
                    Err(e) => (Verdict::failed(Cause::Test, e), None),
                }
            }
            // the interpreter's results are what is expected of others
            (Expect::Auto, Ok(_)) if self.backend.name() == "interp" => (Verdict::Passed, None),
            (Expect::Auto, Ok(got)) => match self.interpreted(program, name, case) {
                Ok(expected) => compared(&got, &expected),
                Err(e) => {
                    (Verdict::failed(Cause::of_failure(e.kind), format!("the interpreter fails: {}", e.message)), None)
                }
            },
        }
    }

    /// Whether a derivative by transformation is the one by definition.
    fn derivative(
        &self,
        mode: derive::Mode,
        program: &ir::Program,
        name: &str,
        case: &TestCase,
        compiled: &Compiled,
    ) -> Verdict {
        let args = match self.arguments(program, name, &case.input) {
            Ok(args) => args,
            Err(stop) => return Verdict::failed(stop.cause, stop.what),
        };
        let Some(entry) = Entry::new(program, name, None) else {
            return Verdict::failed(Cause::Input, format!("there is no entry point `{name}`"));
        };
        let rng = Rng::new(self.seed as u64, name);
        match by_definition::judge_mode(&Subject::new(&entry, &compiled.sources, args, rng), mode) {
            Outcome::Ok { .. } => Verdict::Passed,
            Outcome::Fail(failure) => Verdict::failed(Cause::Result, failure.to_string()),
            Outcome::NoRule { reason } => Verdict::failed(Cause::NotSupported(reason.clone()), reason),
            Outcome::Inconclusive { reason }
            | Outcome::IllConditioned { reason }
            | Outcome::Skipped { reason }
            | Outcome::Waived { reason, .. }
            | Outcome::Absent { reason } => Verdict::Skipped { reason },
        }
    }

    fn folder(&self) -> Folder<'_> {
        Folder::of(&self.path, self.outside)
    }

    /// The input of a case, as the arguments of the IR function.
    fn arguments(&self, program: &ir::Program, name: &str, input: &Input) -> Result<Vec<Value>, Stop> {
        let missing = || Stop::new(Cause::Input, format!("there is no entry point `{name}`"));
        let fun = program.entry(name).ok_or_else(missing)?;
        let call = &mut |name: &str, args: Vec<Value>| self.plain_call(program, name, args);
        let mut scope = Scope { program, call, folder: self.folder() };
        let values = input::values(input, fun, &mut scope, self.seed).map_err(|e| Stop::new(Cause::Input, e))?;
        // what does not fit the entry point is its failure, before anything runs
        entry::arguments(fun, values).map_err(|e| Stop { cause: Cause::Input, what: e.message, own: true })
    }

    /// What an entry point gives for the input of a case, as the source sees it.
    fn results(
        &self,
        program: &ir::Program,
        name: &str,
        case: &TestCase,
        compiled: &Compiled,
    ) -> Result<Vec<Value>, Stop> {
        let args = self.arguments(program, name, &case.input)?;
        let prepared = self.prepared(program, name);
        let (executable, prov) = prepared.as_ref().as_ref().map_err(Clone::clone)?;
        let results = self.call(executable.as_ref(), name, args).map_err(|e| {
            let what = error_text(&e, prov, &compiled.sources);
            let own = !matches!(
                e.kind,
                FailureKind::Internal | FailureKind::Memory | FailureKind::Fuel | FailureKind::Device
            );
            Stop { cause: Cause::of_failure(e.kind), what, own }
        })?;
        Ok(program.entry(name).map_or_else(Vec::new, |fun| entry::results(fun, results)))
    }

    fn call(&self, executable: &dyn Executable, name: &str, args: Vec<Value>) -> Result<Vec<Value>, RuntimeError> {
        let handles = args.iter().map(|v| self.backend.put(v)).collect::<Result<Vec<_>, _>>()?;
        drop(args);
        let results = executable.call(name, handles, &CallCtx::default())?;
        results.iter().map(|h| self.backend.get(h)).collect()
    }

    /// Runs an entry point on the backend, whatever keeps it from that being a failure.
    fn plain_call(&self, program: &ir::Program, name: &str, args: Vec<Value>) -> Result<Vec<Value>, RuntimeError> {
        let prepared = self.prepared(program, name);
        match prepared.as_ref() {
            Ok((executable, _)) => self.call(executable.as_ref(), name, args),
            Err(stop) => Err(RuntimeError::new(FailureKind::Device, &stop.what)),
        }
    }

    fn interpreted(&self, program: &ir::Program, name: &str, case: &TestCase) -> Result<Vec<Value>, RuntimeError> {
        let misfit = |stop: Stop| RuntimeError::new(FailureKind::Arguments, stop.what);
        let args = self.arguments(program, name, &case.input).map_err(misfit)?;
        let results = futi_interp::eval(program, name, &args, &context())?;
        Ok(program.entry(name).map_or_else(Vec::new, |fun| entry::results(fun, results)))
    }

    fn prepared(&self, program: &ir::Program, name: &str) -> Prepared {
        let mut entries = self.entries.borrow_mut();
        entries
            .entry(name.to_string())
            .or_insert_with(|| {
                Rc::new(prepare(program, name, self.tuning.as_deref().unwrap_or_default(), self.backend))
            })
            .clone()
    }
}

/// Lowers what an entry point needs to what the backend asks for, and compiles it.
fn prepare(
    program: &ir::Program,
    name: &str,
    tuning: &[(String, i64)],
    backend: &dyn Backend,
) -> Result<(Box<dyn Executable>, ir::ProvTable), Stop> {
    let needed = pipeline::only(program, name);
    let no_rule = |errors: pipeline::Errors| {
        let construct = errors.constructs.first().map(|u| format!("the derivative of {}", u.construct));
        let lines: Vec<String> = errors.constructs.iter().map(|u| format!("{}: {}", u.construct, u.missing)).collect();
        Stop::new(Cause::NotSupported(construct.unwrap_or_default()), lines.join("\n"))
    };
    let lowered = pipeline::for_level(needed, backend.level()).map_err(no_rule)?;
    let prov = lowered.prov.clone();
    let checked = check::check(lowered).map_err(|errors| {
        let first = errors.first().map(ToString::to_string).unwrap_or_default();
        Stop::new(Cause::Defect, format!("the IR is ill-formed: {first}"))
    })?;
    let executable = backend.compile(&checked, &Options { tuning: tuning.to_vec() }).map_err(|list| {
        let construct = list.first().map(|u| u.construct.clone()).unwrap_or_default();
        let lines: Vec<String> = list.iter().map(|u| format!("{}: {}", u.construct, u.missing)).collect();
        let is_internal = list.iter().any(Unsupported::is_internal);
        Stop::new(if is_internal { Cause::Defect } else { Cause::NotSupported(construct) }, lines.join("\n"))
    })?;
    Ok((executable, prov))
}

fn defect(what: String) -> (Verdict, Option<String>) {
    (Verdict::failed(Cause::Defect, what), None)
}

fn codes(list: &[Diagnostic]) -> Vec<String> {
    let mut codes: Vec<String> = list.iter().filter(|d| d.is_error()).map(|d| d.code.to_string()).collect();
    codes.dedup();
    codes
}

fn not_accepted(compiled: &Compiled) -> Verdict {
    Verdict::failed(Cause::Rejected(codes(&compiled.list)), format!("is rejected\n{}", compiled.diagnostics))
}

/// The verdict on a program that must be rejected.
fn rejected(pattern: &Pattern, compiled: &Compiled) -> Verdict {
    if compiled.program.is_some() {
        return Verdict::failed(Cause::Accepted, "is accepted, but must be rejected");
    }
    let diagnostics = &compiled.diagnostics;
    if pattern.matches(diagnostics) {
        return Verdict::Passed;
    }
    let what = format!("is rejected, but `{pattern}` does not match\n{diagnostics}");
    Verdict::failed(Cause::OtherDiagnostic(codes(&compiled.list)), what)
}

/// What is wrong with results, within Futhark's tolerance; nothing if they are those expected.
pub fn mismatch(got: &[Value], expected: &[Value]) -> Option<String> {
    if got.len() != expected.len() {
        return Some(format!("{} results, expected {}", got.len(), expected.len()));
    }
    let worst = |(i, (g, e)): (usize, (&Value, &Value))| {
        compare(g, e, Tolerance::futhark(e)).map(|m| format!("{}{m}", which(i, got.len())))
    };
    got.iter().zip(expected).enumerate().find_map(worst)
}

/// The name of a result where there are several.
fn which(i: usize, count: usize) -> String {
    if count > 1 { format!("result {} of {count}: ", i + 1) } else { String::new() }
}

/// The verdict on results, and the worst difference beyond the strict tolerance.
fn compared(got: &[Value], expected: &[Value]) -> (Verdict, Option<String>) {
    if let Some(what) = mismatch(got, expected) {
        return (Verdict::failed(Cause::Result, what), None);
    }
    let mut strict = None;
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        // a literal may have been rounded
        let rounded = written(e).fold(0.0, f64::max);
        let tolerance = Tolerance { absolute: rounded, ..strict_tolerance(e.elem()) };
        if let Some(m) = compare(g, e, tolerance) {
            strict.get_or_insert(format!("{}{m}", which(i, got.len())));
        }
    }
    (Verdict::Passed, strict)
}

/// What a good result is within: all but the last digits of its type.
fn strict_tolerance(ty: ScalarType) -> Tolerance {
    let relative = match ty {
        ScalarType::F16 => 1e-2,
        ScalarType::F32 => 1e-5,
        _ => 1e-9,
    };
    Tolerance { absolute: 0.0, relative }
}
