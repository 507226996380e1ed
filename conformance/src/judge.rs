//! Judging a case: every column of it, on its program at every stage.

use crate::column::{
    backend, by_definition, determinism, errors, expected, identity, interp, numerics, passes, reference, strict,
};
use crate::columns::Column;
use crate::compiled::{Compiled, catch, compile, syntax_of};
use crate::data::Folder;
use crate::dataset;
use crate::fault::Fault;
use crate::futhark::{Loaded, Reference, Refused};
use crate::input;
use crate::options::{Options, Worker};
use crate::property;
use crate::random::Rng;
use crate::row::Outcome;
use crate::script::Scope;
use crate::spec::TestCase;
use crate::stages::context;
use crate::structure::{self, Found};
use crate::subject::{Entry, Subject};
use crate::suite::{Case, TestProgram, What};
use futi_core::entry::arguments;
use futi_core::hash::HashMap;
use futi_core::ir::{Fun, Program};
use futi_core::source::SourceMap;
use futi_core::value::Value;
use futi_embed::tuning::Tuning;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

/// The tag of a case that is not to be differentiated by the harness: where derivatives are ill-conditioned, oracles have nothing to say.
const NO_DERIVATIVE: &str = "no_derivative";

/// A program, compiled when first needed.
pub struct Prepared {
    /// The program with its tests.
    pub test: TestProgram,
    compiled: OnceLock<Compiled>,
    entries: Mutex<HashMap<String, Shared>>,
    /// What another implementation makes of it, once it was asked.
    other: Mutex<Option<Result<Loaded, Refused>>>,
}

impl Prepared {
    /// A program that has not been compiled yet.
    pub fn new(test: TestProgram) -> Prepared {
        Prepared { test, compiled: OnceLock::new(), entries: Mutex::default(), other: Mutex::default() }
    }

    fn compiled(&self, fault: Option<Fault>) -> &Compiled {
        self.compiled.get_or_init(|| {
            let compiled = compile(&self.test.path, Tuning::new());
            let plant = |p: Program| fault.map_or(p.clone(), |f| f.plant_lowered(p));
            Compiled { program: compiled.program.map(plant), ..compiled }
        })
    }

    /// The constructs of an entry point that has run.
    pub fn constructs(&self, name: &str) -> BTreeSet<String> {
        let entries = self.entries.lock().unwrap_or_else(|e| e.into_inner());
        let entry = entries.get(name).and_then(|shared| shared.entry.as_ref());
        entry.map(|e| structure::constructs(&e.primal.program)).unwrap_or_default()
    }

    /// The entry point of that name, shared between its cases.
    fn entry(&self, program: &Program, name: &str, fault: Option<Fault>) -> Option<Arc<Entry>> {
        let mut entries = self.entries.lock().unwrap_or_else(|e| e.into_inner());
        let make = || Shared { entry: Entry::new(program, name, fault).map(Arc::new), judged: 0 };
        entries.entry(name.to_string()).or_insert_with(make).entry.clone()
    }

    /// One case more of an entry point has run. After its last one nobody asks for it: with all its stages it is much to keep.
    pub fn judged(&self, name: &str) {
        let mut entries = self.entries.lock().unwrap_or_else(|e| e.into_inner());
        let Some(shared) = entries.get_mut(name) else { return };
        shared.judged += 1;
        let of_it = |case: &&Case| matches!(&case.what, What::Run { entry, .. } if entry == name);
        if shared.judged == self.test.cases.iter().filter(of_it).count() {
            entries.remove(name);
        }
    }
}

/// An entry point, if there is one of that name, and how many of its cases have run.
struct Shared {
    entry: Option<Arc<Entry>>,
    judged: usize,
}

/// One case of a program with tests.
pub struct Judge<'a> {
    /// What oracles are asked.
    pub options: &'a Options,
    /// The program.
    pub program: &'a Prepared,
    /// The case's name within the program.
    pub name: &'a str,
}

impl Judge<'_> {
    /// What all oracles say of it.
    pub fn case(&self, case: &Case, worker: &mut Worker) -> Vec<(Column, Outcome)> {
        let compiled = self.program.compiled(self.options.fault);
        let verdict = |outcome| vec![(Column::Expected, outcome)];
        match (&case.what, &compiled.program) {
            (What::CannotRun(why), _) => verdict(Outcome::fail(format!("cannot be run: {why}"))),
            (What::CompileError(pattern), None) => verdict(match pattern.matches(&compiled.diagnostics) {
                true => Outcome::ok(),
                false => {
                    Outcome::fail(format!("is rejected, but `{pattern}` does not match\n{}", compiled.diagnostics))
                }
            }),
            (What::CompileError(_), Some(_)) => verdict(Outcome::fail("is accepted, but must be rejected")),
            (_, None) => verdict(Outcome::fail(format!("is rejected\n{}", compiled.diagnostics))),
            (What::Compiles, Some(_)) => verdict(Outcome::ok()),
            (What::Warning(pattern), Some(_)) => verdict(match pattern.matches(&compiled.diagnostics) {
                true => Outcome::ok(),
                false => Outcome::fail(format!("no warning matches `{pattern}`\n{}", compiled.diagnostics)),
            }),
            (What::Structure(s), Some(program)) => verdict(match structure::judge(program, &compiled.sources, s) {
                Found::Same => Outcome::ok(),
                Found::Other(what) => Outcome::fail(what),
                Found::Unknown(why) => Outcome::skipped(why),
            }),
            (What::Property(name), Some(program)) => verdict(self.property(program, name)),
            (What::Run { entry, case }, Some(program)) => self.run(program, &compiled.sources, entry, case, worker),
        }
    }

    fn run(
        &self,
        program: &Program,
        sources: &SourceMap,
        name: &str,
        case: &TestCase,
        worker: &mut Worker,
    ) -> Vec<(Column, Outcome)> {
        let fail = |what: String| vec![(Column::Expected, Outcome::fail(what))];
        let rng = Rng::new(self.options.seed, &self.stream());
        let folder = Folder::of(&self.program.test.path, self.options.outside);
        let Some(entry) = self.program.entry(program, name, self.options.fault) else {
            return fail(format!("there is no entry point `{name}`"));
        };
        let Some(fun) = entry.primal.fun() else { return fail(format!("there is no entry point `{name}`")) };
        let values = match values(program, fun, case, folder, self.options.seed) {
            Ok(values) => values,
            Err(e) => return fail(e),
        };
        let args = match arguments(fun, values) {
            Ok(args) => args,
            // what does not fit the entry point is its failure, before anything runs
            Err(e) => return vec![(Column::Expected, misfit(&e.message, case))],
        };
        let s = Subject::new(&entry, sources, args, rng);
        self.columns(&s, case, folder, worker)
    }

    /// The verdict on a property.
    fn property(&self, program: &Program, name: &str) -> Outcome {
        let found = syntax_of(&self.program.test.path).and_then(|ast| property::find(&ast, name));
        let code = futi_interp::Code::new(program).map_err(|e| e.message);
        let held = found.and_then(|property| {
            let code = code?;
            let call = &mut |name: &str, args: Vec<Value>| code.call(name, args, &context());
            property::check(program, name, &property, self.options.seed as i64, call)
        });
        held.map_or_else(Outcome::fail, |()| Outcome::ok())
    }

    /// The name of its random stream.
    fn stream(&self) -> String {
        let test = &self.program.test;
        // not the whole path: where the suite lies makes no difference
        let file = test.path.file_name().map(|f| f.to_string_lossy()).unwrap_or_default();
        test.stream.clone().unwrap_or_else(|| format!("{file}:{}", self.name))
    }

    fn columns(&self, s: &Subject, case: &TestCase, folder: Folder, worker: &mut Worker) -> Vec<(Column, Outcome)> {
        let own_bounds = self.options.own_bounds;
        let expected = catch(|| expected::judge(s, &case.expect, folder, own_bounds)).unwrap_or_else(Outcome::fail);
        let derivatives = has_derivatives(case);
        let beside = self.options.reference.as_ref().map(|other| (Column::Reference, self.beside(s, other)));
        let others = columns(s, self.options, &|c| derivatives || !of_derivatives(c), worker);
        std::iter::once((Column::Expected, expected)).chain(beside).chain(others).collect()
    }

    /// What another implementation of the language says.
    fn beside(&self, s: &Subject, other: &Reference) -> Outcome {
        let path = &self.program.test.path;
        let text = match std::fs::read_to_string(path) {
            Ok(text) if path.extension().is_some_and(|e| e == "fut") => text,
            _ => return Outcome::absent("it is no source program"),
        };
        let mut loaded = self.program.other.lock().unwrap_or_else(|e| e.into_inner());
        let name = s.entry.primal.entry.clone();
        reference::judge(s, name.as_str(), loaded.get_or_insert_with(|| other.load(&text)))
    }
}

/// What a case of an entry point, in a file of this folder, is given: see [`input::values`].
///
/// # Errors
/// In one line, why there are no values.
pub(crate) fn values(
    program: &Program,
    fun: &Fun,
    case: &TestCase,
    folder: Folder,
    seed: u64,
) -> Result<Vec<Value>, String> {
    let call = &mut |name: &str, args: Vec<Value>| futi_interp::eval(program, name, &args, &context());
    let seed = dataset::SEED.wrapping_add(seed as i64);
    input::values(&case.input, fun, &mut Scope { program, call, folder }, seed)
}

/// Whether a case's derivatives are looked at.
pub(crate) fn has_derivatives(case: &TestCase) -> bool {
    !case.tags.iter().any(|t| t == NO_DERIVATIVE)
}

/// Whether it is derivatives that the oracle is about.
fn of_derivatives(column: Column) -> bool {
    matches!(column, Column::ByDefinition | Column::Identity | Column::Numerics)
}

/// What the oracles that need no expectation say of a case, those that are asked. Without [`Column::ByDefinition`] no other looks at derivatives either.
/// A panic is a failure.
pub fn columns(
    s: &Subject,
    options: &Options,
    asked: &dyn Fn(Column) -> bool,
    worker: &mut Worker,
) -> Vec<(Column, Outcome)> {
    let mut cells = Vec::new();
    let derivatives = asked(Column::ByDefinition);
    let mut column = |c: Column, judge: &mut dyn FnMut() -> Outcome| {
        if asked(c) {
            cells.push((c, catch(judge).unwrap_or_else(Outcome::fail)));
        }
    };
    column(Column::Interp, &mut || interp::judge(s));
    column(Column::Strict, &mut || strict::judge(s, derivatives));
    column(Column::Determinism, &mut || determinism::judge(s, derivatives));
    column(Column::Errors, &mut || errors::judge(s, derivatives));
    column(Column::Passes, &mut || passes::judge(s));
    if let Some(link) = &mut worker.link {
        column(Column::Backend, &mut || backend::judge(s, link, derivatives));
    }
    column(Column::ByDefinition, &mut || by_definition::judge(s));
    column(Column::Identity, &mut || identity::judge(s));
    if options.numerics {
        column(Column::Numerics, &mut || numerics::judge(s));
    }
    cells
}

/// The verdict on arguments that do not fit.
fn misfit(message: &str, case: &TestCase) -> Outcome {
    match &case.expect {
        crate::spec::Expect::Error(pattern) if pattern.matches(message) => Outcome::ok(),
        _ => Outcome::fail(message),
    }
}
