//! Programs at every stage of compilation, ready to run in the interpreter.

use crate::applies;
use crate::fault::Fault;
use crate::widen::{the_narrow_float, widened, widened_value};
use futi_core::ad::checkpoints::{Chosen, Options};
use futi_core::ad::differentiate_with;
use futi_core::analysis::differentiates::differentiates;
use futi_core::driver::pipeline::{self, Pass, Stage};
use futi_core::failure::RuntimeError;
use futi_core::ir::{Fun, Name, Program, ProvTable, check};
use futi_core::passes::flatten;
use futi_core::prim::ScalarType;
use futi_core::source::SourceMap;
use futi_core::value::Value;
use futi_interp::{Code, Ctx};
use std::sync::{Arc, OnceLock};

/// The most steps of the interpreter in one run: what does not end is a failure, not a hang.
const FUEL: u64 = 20_000_000_000;
/// The most bytes of one array, or of all traces together.
const MEMORY: u64 = 8 << 30;

/// The context of every run of the interpreter.
pub fn context() -> Ctx {
    Ctx { fuel: Some(FUEL), memory: Some(MEMORY), ..Ctx::default() }
}

/// The text of a runtime error: the message, and a line for each place.
pub fn error_text(e: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> String {
    let places = places(e, prov, sources);
    let lines = places.iter().enumerate().map(|(i, place)| format!("\n#{i} {place}"));
    format!("{}{}", e.message, lines.collect::<String>())
}

/// Where a runtime error happened: the statement, then the calls that led to it.
pub fn places(e: &RuntimeError, prov: &ProvTable, sources: &SourceMap) -> Vec<String> {
    e.backtrace(prov, sources)
}

/// A program after a pass, ready to run in the interpreter.
#[derive(Clone, Debug)]
pub struct Staged {
    /// The stage that the pass is on the way to.
    pub stage: Stage,
    /// The pass; none for the program as lowered.
    pub pass: Option<&'static str>,
    /// The program.
    pub program: Arc<Program>,
    /// The same for the interpreter.
    pub code: Arc<Code>,
    /// Whether the pass has changed the program: if not, it is the one before.
    pub changed: bool,
}

/// Why the stages end early.
#[derive(Clone, PartialEq, Debug)]
pub enum Stopped {
    /// A pass has left an ill-formed program: a defect.
    IllFormed(Stage, String),
    /// There is no derivative of a construct: a limit, said with the construct and its place.
    NotDifferentiable(Stage, String),
}

impl Staged {
    /// The stage and the pass.
    pub fn name(&self) -> String {
        self.pass.map_or(self.stage.name().to_string(), |pass| format!("{}, after {pass}", self.stage.name()))
    }
}

/// The stages of a program that have been reached.
#[derive(Debug)]
pub struct Stages {
    /// In order, the first as lowered, then one after each pass.
    pub reached: Vec<Staged>,
    /// Where there is something to differentiate: what becomes of it without simplification before and, if reverse mode goes through a loop, with few of its
    /// states kept.
    pub variants: Vec<Staged>,
    /// Why there are no more.
    pub stopped: Option<Stopped>,
}

impl Stages {
    /// The programs from this stage on, each once, the variants of AD among them.
    pub fn from(&self, stage: Stage) -> impl Iterator<Item = &Staged> {
        let from = self.reached.iter().chain(&self.variants).filter(move |r| r.stage >= stage);
        from.enumerate().filter(|(i, staged)| *i == 0 || staged.changed).map(|(_, staged)| staged)
    }

    fn of(program: &Program, sources: &SourceMap, fault: Option<Fault>) -> Stages {
        let mut stages = Stages { reached: Vec::new(), variants: Vec::new(), stopped: None };
        let Some(mut at) = stages.reach(Stage::Lowered, None, program.clone()) else { return stages };
        for stage in Stage::ALL {
            for pass in stage.passes() {
                let next = match apply(pass, Program::clone(&at), fault, sources) {
                    Ok(p) => p,
                    Err(what) => {
                        stages.stopped = Some(Stopped::NotDifferentiable(stage, what));
                        return stages;
                    }
                };
                at = match stages.reach(stage, Some(pass.name), next) {
                    Some(at) => at,
                    None => return stages,
                };
            }
        }
        stages.versions(&at);
        if differentiates(program)
            && let Err(what) = stages.vary(program, fault, sources)
        {
            stages.stopped = Some(Stopped::NotDifferentiable(Stage::Ad, what));
        }
        stages
    }

    /// Whichever code of a nest is taken: with any number of points enough for all nests, with none, and with any for each alone of those that a function has.
    fn versions(&mut self, flat: &Program) {
        let names: Vec<Vec<String>> = flat.funs.iter().map(flatten::thresholds).collect();
        let mut add = |what, program: Program| match Staged::new(Stage::Flat, Some(what), program) {
            Ok(staged) => self.variants.push(staged),
            Err(what) => self.stopped = Some(Stopped::IllFormed(Stage::Flat, what)),
        };
        if names.iter().any(|names| !names.is_empty()) {
            add("flatten, where any number of points is enough", flatten::with_enough(flat, |_| Some(0)));
            add("flatten, where none is", flatten::with_enough(flat, |_| Some(i64::MAX)));
        }
        for name in names.iter().filter(|names| names.len() > 1).flatten() {
            let alone = flatten::with_enough(flat, |other| (other == name).then_some(0));
            add("flatten, where any number of points is enough for one nest", alone);
        }
    }

    /// Differentiates the program in other ways; or what it has no rule for.
    fn vary(&mut self, program: &Program, fault: Option<Fault>, sources: &SourceMap) -> Result<(), String> {
        let inlined = apply(&pipeline::INLINE, program.clone(), fault, sources)?;
        for (name, options) in VARIANTS {
            let (program, reports) = differentiate_with(inlined.clone(), options).map_err(|e| no_rule(&e, sources))?;
            let few = reports.iter().any(|r| matches!(r.chosen, Chosen::Binomial { .. }));
            if few || options.checkpoints.is_none() {
                match Staged::new(Stage::Ad, Some(name), planted(pipeline::AD.name, program, fault)) {
                    Ok(staged) => self.variants.push(staged),
                    Err(what) => self.stopped = Some(Stopped::IllFormed(Stage::Ad, what)),
                }
            }
            // where no loop is, no checkpoints are
            if reports.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// The program, which is kept; none if it is ill-formed.
    fn reach(&mut self, stage: Stage, pass: Option<&'static str>, program: Program) -> Option<Arc<Program>> {
        let staged = match self.reached.last() {
            Some(before) if *before.program == program => Ok(Staged { stage, pass, changed: false, ..before.clone() }),
            _ => Staged::new(stage, pass, program),
        };
        match staged {
            Ok(staged) => {
                self.reached.push(staged);
                self.reached.last().map(|staged| staged.program.clone())
            }
            Err(what) => {
                self.stopped = Some(Stopped::IllFormed(stage, what));
                None
            }
        }
    }

    /// The program at a stage.
    pub fn at(&self, stage: Stage) -> Option<&Staged> {
        self.reached.iter().rfind(|r| r.stage == stage)
    }
}

impl Staged {
    fn new(stage: Stage, pass: Option<&'static str>, program: Program) -> Result<Staged, String> {
        if let Some(e) = check::errors(&program).first() {
            return Err(e.to_string());
        }
        let code = Code::new(&program).map_err(|e| e.to_string())?;
        Ok(Staged { stage, pass, program: program.into(), code: code.into(), changed: true })
    }
}

/// Other ways to differentiate, and what they are called.
const VARIANTS: [(&str, Options); 2] = [
    ("ad straight after lowering", Options { checkpoints: None, nodes: None }),
    // room for two scalars and a condition
    ("ad with few checkpoints", Options { checkpoints: Some(24), nodes: None }),
];

/// What a program has no rule for.
fn no_rule(errors: &pipeline::Errors, sources: &SourceMap) -> String {
    let lines = errors.constructs.iter().map(|u| {
        let error = RuntimeError::internal("").at(u.prov);
        let place = places(&error, &errors.prov, sources).into_iter().next().unwrap_or_default();
        format!("{}: {} {place}", u.construct, u.missing)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A pass, with the fault planted in what it makes; or what it has no rule for.
fn apply(pass: &Pass, program: Program, fault: Option<Fault>, sources: &SourceMap) -> Result<Program, String> {
    let program = pass.alone(program).map_err(|errors| no_rule(&errors, sources))?;
    Ok(planted(pass.name, program, fault))
}

fn planted(pass: &str, program: Program, fault: Option<Fault>) -> Program {
    match (fault, pass) {
        (Some(Fault::Ad(rule)), "ad") => rule.plant(program),
        _ => program,
    }
}

/// Arguments of a program in double precision, and what they give.
#[derive(Debug)]
pub struct InDouble {
    /// The arguments.
    pub args: Vec<Value>,
    /// The type that double precision is in the place of.
    pub grain: ScalarType,
    /// The results, exact but for double precision's own roundings.
    pub results: Vec<Value>,
}

/// An entry point with what it calls, at every stage.
#[derive(Debug)]
pub struct EntryProgram {
    /// Its name.
    pub entry: Name,
    /// The program as lowered, with this entry point alone.
    pub program: Program,
    code: Result<Code, RuntimeError>,
    stages: OnceLock<Stages>,
    /// The program in double precision, and the type that this is in the place of.
    double: OnceLock<Option<(ScalarType, Code)>>,
    fault: Option<Fault>,
}

impl EntryProgram {
    /// The entry point of that name and what it calls.
    pub fn new(program: &Program, entry: &Name, fault: Option<Fault>) -> EntryProgram {
        let program = pipeline::only(program, entry.as_str());
        let code = Code::new(&program);
        EntryProgram { entry: entry.clone(), program, code, stages: OnceLock::new(), double: OnceLock::new(), fault }
    }

    /// A program with all its entry points, for a look at its stages.
    pub fn whole(program: &Program) -> EntryProgram {
        let code = Code::new(program);
        let (stages, double) = (OnceLock::new(), OnceLock::new());
        EntryProgram { entry: "".into(), program: program.clone(), code, stages, double, fault: None }
    }

    /// Runs it in the interpreter, as lowered.
    ///
    /// # Errors
    /// What it fails with.
    pub fn run(&self, args: &[Value], ctx: &Ctx) -> Result<Vec<Value>, RuntimeError> {
        self.code.as_ref().map_err(Clone::clone)?.call(self.entry.as_str(), args.to_vec(), ctx)
    }

    /// These arguments in double precision, where all floats of the program are of one type narrower than `f64`. None, too, where that program cannot be made or fails.
    pub fn in_double(&self, args: &[Value]) -> Option<InDouble> {
        let double = self.double.get_or_init(|| {
            let grain = the_narrow_float(&self.program).filter(|_| applies::narrow(&self.program).is_none())?;
            Some((grain, Code::new(&widened(&self.program)).ok()?))
        });
        let (grain, _) = double.as_ref()?;
        let args: Vec<Value> = args.iter().map(widened_value).collect();
        let results = self.run_in_double(&args, &context()).ok()?;
        Some(InDouble { args, grain: *grain, results })
    }

    /// Runs it in double precision.
    ///
    /// # Errors
    /// What it fails with; or there is no such program.
    pub fn run_in_double(&self, args: &[Value], ctx: &Ctx) -> Result<Vec<Value>, RuntimeError> {
        match self.double.get() {
            Some(Some((_, code))) => code.call(self.entry.as_str(), args.to_vec(), ctx),
            _ => Err(RuntimeError::internal("there is no program in double precision")),
        }
    }

    /// The program at every stage.
    pub fn stages(&self, sources: &SourceMap) -> &Stages {
        self.stages.get_or_init(|| Stages::of(&self.program, sources, self.fault))
    }

    /// The entry point as lowered.
    pub fn fun(&self) -> Option<&Fun> {
        self.program.entry(self.entry.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_nest_alone_is_run_in_its_other_version() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/ad/acc_a26_tuple_of_arrays.fut");
        let program = crate::compiled::program(&path).unwrap();
        let stages = Stages::of(&program, &SourceMap::new(), None);
        let flat = &stages.reached.last().unwrap().program;
        assert_eq!(flat.funs.iter().map(flatten::thresholds).max().unwrap().len(), 2);
        let is_version = |v: &&Staged| v.pass.is_some_and(|pass| pass.starts_with("flatten"));
        let versions: Vec<String> = stages.variants.iter().filter(is_version).map(|v| v.program.to_string()).collect();
        let others: Vec<usize> = versions.iter().map(|v| v.matches(", 0i64) attrs (\"is enough\"").count()).collect();
        // all, none, and each
        assert_eq!(others, [2, 0, 1, 1]);
        assert_ne!(versions[2], versions[3]);
    }
}
