//! What the oracles look at: programs at every stage of compilation, and a case as the reference ran it.

use crate::applies::{self, Objection};
use crate::fault::Fault;
use crate::random::{Rng, rebuilt};
use crate::report::Column;
use crate::tolerance::Tolerance;
use crate::widen::{the_narrow_float, widened, widened_value};
use futi_core::ad::checkpoints::{Chosen, Options};
use futi_core::ad::differentiate_with;
use futi_core::ad::entry::{Derivative, Mode, Selection, derivative, floats};
use futi_core::analysis::differentiates::differentiates;
use futi_core::driver::pipeline::{self, Pass, Stage};
use futi_core::failure::RuntimeError;
use futi_core::ir::{Fun, Name, Program, ProvTable, check};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::source::SourceMap;
use futi_core::value::Value;
use futi_interp::{Code, Ctx};
use std::sync::OnceLock;

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
#[derive(Debug)]
pub struct Staged {
    /// The stage that the pass is on the way to.
    pub stage: Stage,
    /// The pass; none for the program as lowered.
    pub pass: Option<&'static str>,
    /// The program.
    pub program: Program,
    /// The same for the interpreter.
    pub code: Code,
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
    /// Those from this stage on, the variants of AD among them.
    pub fn from(&self, stage: Stage) -> impl Iterator<Item = &Staged> {
        self.reached.iter().chain(&self.variants).filter(move |r| r.stage >= stage)
    }

    fn of(program: &Program, sources: &SourceMap, fault: Option<Fault>) -> Stages {
        let mut stages = Stages { reached: Vec::new(), variants: Vec::new(), stopped: None };
        let mut at = program.clone();
        let lowered = stages.reach(Stage::Lowered, None, &at);
        if !lowered {
            return stages;
        }
        for stage in Stage::ALL {
            for pass in stage.passes() {
                at = match apply(pass, at, fault, sources) {
                    Ok(p) => p,
                    Err(what) => {
                        stages.stopped = Some(Stopped::NotDifferentiable(stage, what));
                        return stages;
                    }
                };
                if !stages.reach(stage, Some(pass.name), &at) {
                    return stages;
                }
            }
        }
        if differentiates(program)
            && let Err(what) = stages.vary(program, fault, sources)
        {
            stages.stopped = Some(Stopped::NotDifferentiable(Stage::Ad, what));
        }
        stages
    }

    /// Differentiates the program in other ways; or what it has no rule for.
    fn vary(&mut self, program: &Program, fault: Option<Fault>, sources: &SourceMap) -> Result<(), String> {
        let inlined = apply(&pipeline::INLINE, program.clone(), fault, sources)?;
        for (name, options) in VARIANTS {
            let (program, reports) = differentiate_with(inlined.clone(), options).map_err(|e| no_rule(&e, sources))?;
            let few = reports.iter().any(|r| matches!(r.chosen, Chosen::Binomial { .. }));
            if few || options.checkpoints.is_none() {
                match Staged::new(Stage::Ad, Some(name), &planted(pipeline::AD.name, program, fault)) {
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

    /// Whether the program is well-formed, which is kept.
    fn reach(&mut self, stage: Stage, pass: Option<&'static str>, program: &Program) -> bool {
        match Staged::new(stage, pass, program) {
            Ok(staged) => self.reached.push(staged),
            Err(what) => self.stopped = Some(Stopped::IllFormed(stage, what)),
        }
        self.stopped.is_none()
    }

    /// The program at a stage.
    pub fn at(&self, stage: Stage) -> Option<&Staged> {
        self.reached.iter().rfind(|r| r.stage == stage)
    }
}

impl Staged {
    fn new(stage: Stage, pass: Option<&'static str>, program: &Program) -> Result<Staged, String> {
        if let Some(e) = check::errors(program).first() {
            return Err(e.to_string());
        }
        let code = Code::new(program).map_err(|e| e.to_string())?;
        Ok(Staged { stage, pass, program: program.clone(), code })
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

    /// What its results at these arguments are to be compared with.
    pub fn tolerance<'a>(&'a self, args: &'a [Value], expected: &'a [Value], rng: &Rng) -> Tolerance<'a> {
        Tolerance::new(self, args, expected, rng)
    }

    /// Where all floats of the program are of one type narrower than `f64`: the arguments in double precision, that type, and the results in double
    /// precision. None too if these are not to be had.
    pub fn in_double(&self, args: &[Value]) -> Option<(Vec<Value>, ScalarType, Vec<Value>)> {
        let double = self.double.get_or_init(|| {
            let grain = the_narrow_float(&self.program).filter(|_| applies::narrow(&self.program).is_none())?;
            Some((grain, Code::new(&widened(&self.program)).ok()?))
        });
        let (grain, _) = double.as_ref()?;
        let args: Vec<Value> = args.iter().map(widened_value).collect();
        let results = self.run_in_double(&args, &context()).ok()?;
        Some((args, *grain, results))
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

/// An entry point and its derivatives.
#[derive(Debug)]
pub struct Entry {
    /// The entry point itself.
    pub primal: EntryProgram,
    /// What it can be differentiated in; none if it has no float parameter or no float result.
    pub floats: Option<Selection>,
    /// The oracles that do not judge it, and why not.
    objections: Vec<(Column, Objection)>,
    derivatives: OnceLock<[Derived; 2]>,
    wide: OnceLock<(EntryProgram, [Derived; 2])>,
    fault: Option<Fault>,
}

/// A derivative of an entry point.
#[derive(Debug)]
pub struct Derived {
    /// Forward or reverse.
    pub mode: Mode,
    /// How many leading results of the primal it takes as parameters.
    pub sizes: usize,
    /// The derivative.
    pub program: EntryProgram,
}

impl Entry {
    /// The entry point of that name, if the program has it.
    pub fn new(program: &Program, name: &str, fault: Option<Fault>) -> Option<Entry> {
        let fun = program.entry(name)?;
        let primal = EntryProgram::new(program, &fun.name, fault);
        let floats = floats(fun);
        let objection = |c| applies::applies(c, &primal.program, fun).err().map(|why| (c, why));
        let objections = Column::ALL.into_iter().filter_map(objection).collect();
        Some(Entry { primal, floats, objections, derivatives: OnceLock::new(), wide: OnceLock::new(), fault })
    }

    /// Whether an oracle judges it: [`applies::applies`].
    ///
    /// # Errors
    /// Why not.
    pub fn applies(&self, column: Column) -> Result<(), Objection> {
        self.objections.iter().find(|(c, _)| *c == column).map_or(Ok(()), |(_, why)| Err(*why))
    }

    /// `jvp` and `vjp`; none if it has no floats.
    pub fn derivatives(&self) -> Option<&[Derived; 2]> {
        let floats = self.floats.as_ref()?;
        Some(self.derivatives.get_or_init(|| derived(&self.primal.program, &self.primal.entry, floats, self.fault)))
    }

    /// The entry point in double precision, with its derivatives; none if it has no floats.
    pub fn wide(&self) -> Option<&(EntryProgram, [Derived; 2])> {
        let floats = self.floats.as_ref()?;
        Some(self.wide.get_or_init(|| {
            let program = widened(&self.primal.program);
            let derivatives = derived(&program, &self.primal.entry, floats, self.fault);
            (EntryProgram::new(&program, &self.primal.entry, self.fault), derivatives)
        }))
    }
}

/// The derivatives of an entry point, forward and reverse.
pub fn derived(program: &Program, entry: &Name, floats: &Selection, fault: Option<Fault>) -> [Derived; 2] {
    Mode::ALL.map(|mode| {
        let Derivative { program, entry, sizes } = match program.entry(entry.as_str()) {
            Some(fun) => derivative(program, fun, floats, mode),
            None => Derivative { program: Program::default(), entry: entry.clone(), sizes: 0 },
        };
        Derived { mode, sizes, program: EntryProgram::new(&program, &entry, fault) }
    })
}

/// A case as the reference ran it.
pub struct Subject<'a> {
    /// The entry point.
    pub entry: &'a Entry,
    /// Where the program comes from.
    pub sources: &'a SourceMap,
    /// The arguments of the IR function.
    pub args: Vec<Value>,
    /// Its results, or its failure.
    pub reference: Result<Vec<Value>, RuntimeError>,
    plain: OnceLock<Result<Vec<Value>, RuntimeError>>,
    /// The case's own stream of random numbers; each use clones it.
    pub rng: Rng,
}

impl<'a> Subject<'a> {
    /// Runs the entry point in the interpreter.
    pub fn new(entry: &'a Entry, sources: &'a SourceMap, args: Vec<Value>, rng: Rng) -> Subject<'a> {
        let reference = entry.primal.run(&args, &context());
        Subject { entry, sources, args, reference, plain: OnceLock::new(), rng }
    }

    /// What the entry point gives element by element, without kernels: [`Ctx::plain`].
    pub fn plain(&self) -> &Result<Vec<Value>, RuntimeError> {
        self.plain.get_or_init(|| self.entry.primal.run(&self.args, &Ctx { plain: true, ..context() }))
    }

    /// The text of a runtime error of the entry point as lowered.
    pub fn error_text(&self, e: &RuntimeError) -> String {
        error_text(e, &self.entry.primal.program.prov, self.sources)
    }

    /// The directions ẋ, one for each float parameter, and ȳ, one for each float result: random, the former relative to the parameter's elements.
    /// None if the entry point fails or has no floats.
    pub fn seeds(&self) -> Option<(Vec<Value>, Vec<Value>)> {
        let (floats, results) = (self.entry.floats.as_ref()?, self.reference.as_ref().ok()?);
        let mut rng = self.rng.clone();
        let tangents = floats.params.iter().map(|i| scaled(&self.args[*i], &mut rng)).collect();
        let adjoints = floats.results.iter().map(|i| rng.direction_like(results[*i].elem(), results[*i].shape()));
        Some((tangents, adjoints.collect()))
    }

    /// Random arguments near these, which are the entry point's, perhaps in double precision: each float moved by up to 2 %, or 0.02 where it is zero.
    pub fn nearby(&self, args: &[Value], rng: &mut Rng) -> Vec<Value> {
        let mut args = args.to_vec();
        for i in self.entry.floats.iter().flat_map(|f| &f.params) {
            let elem = args[*i].elem();
            let mut near = |x: f64| x + 0.02 * rng.direction() * if x == 0.0 { 1.0 } else { x.abs() };
            let moved = args[*i].elements().map(|x| Scalar::from_f64(elem, near(x.to_f64())));
            args[*i] = rebuilt(elem, args[*i].shape(), moved);
        }
        args
    }

    /// The arguments of a derivative with these seeds.
    pub fn derivative_args(&self, derived: &Derived, seeds: &[Value]) -> Vec<Value> {
        self.derivative_args_at(&self.args, derived, seeds)
    }

    /// The arguments of a derivative with these seeds at another point.
    pub fn derivative_args_at(&self, args: &[Value], derived: &Derived, seeds: &[Value]) -> Vec<Value> {
        let sizes = self.reference.as_ref().map_or(&[][..], |r| &r[..derived.sizes]);
        [args, sizes, seeds].concat()
    }

    /// The seeds that a mode takes, of those that [`Subject::seeds`] gives.
    pub fn seeds_of(mode: Mode, (tangents, adjoints): &(Vec<Value>, Vec<Value>)) -> &[Value] {
        match mode {
            Mode::Forward => tangents,
            Mode::Reverse => adjoints,
        }
    }
}

/// A random direction relative to the elements of a value.
fn scaled(v: &Value, rng: &mut Rng) -> Value {
    let direction = rng.direction_like(v.elem(), v.shape());
    let scale = |x: f64| if x == 0.0 || !x.is_finite() { 1.0 } else { x.abs() };
    let elements = v.elements().zip(direction.elements());
    let product = elements.map(|(x, d)| Scalar::from_f64(v.elem(), scale(x.to_f64()) * d.to_f64()));
    rebuilt(v.elem(), v.shape(), product)
}
