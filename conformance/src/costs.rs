//! What the entry points of programs and their derivatives cost, and what they may.
//!
//! The other oracles see results. A pass that stops simplifying, a rule that copies an array for nothing or computes it again, code that has lost its
//! place in the source, an array that is held for longer than it is needed change none; they change costs. [`BOUNDS`] say what each kind of cost may be,
//! relative to what has it for a reason: of one entry point, and on average over the suite. A cost that falls touches no bound.

use crate::compiled;
use crate::data::Folder;
use crate::judge::{self, has_derivatives};
use crate::random::Rng;
use crate::stages::{EntryProgram, context};
use crate::subject::{Derived, Entry, Subject};
use crate::suite::{TestProgram, What};
use futi_core::ad::entry::Mode;
use futi_core::analysis::differentiates::differentiates;
use futi_core::driver::pipeline::{INLINE, Stage};
use futi_core::entry::arguments;
use futi_core::ir::visit::{Visit, walk_fun, walk_stm};
use futi_core::ir::*;
use futi_core::source::SourceMap;
use futi_core::value::Value;

use tabled::builder::Builder;
use tabled::settings::Style;

/// What an entry point costs, or a derivative of it, as compiled: differentiated, simplified, fused, flattened.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Costs {
    /// The entry point.
    pub entry: String,
    /// Of which derivative; none for the entry point itself.
    pub mode: Option<Mode>,
    /// Whether the entry point takes derivatives itself.
    pub differentiates: bool,
    /// The code before all passes, calls inlined.
    pub source: Code,
    /// The code.
    pub code: Code,
    /// Kernels of the Vulkan backend; none if there is no backend, or it has none for a construct.
    pub kernels: Option<u64>,
    /// What it takes to run all cases of the entry point.
    pub run: Work,
    /// What that takes for the entry point itself, as compiled.
    pub primal: Work,
}

/// How much code there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Code {
    /// Statements.
    pub statements: u64,
    /// Of these, SOACs and what becomes of them.
    pub soacs: u64,
    /// Of these, copies, and what else makes an array out of some: views and repetitions do not.
    pub copies: u64,
    /// Of these, those whose place in the source is not known.
    pub unknown: u64,
}

/// What runs in the interpreter take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Scalar operators.
    pub operators: u64,
    /// Bytes of arrays allocated.
    pub allocated: u64,
    /// The most bytes held at once.
    pub peak: u64,
}

/// What a kind of cost may be.
pub struct Bound {
    /// What it protects.
    pub protects: &'static str,
    /// The cost, and what it is relative to; none where the bound says nothing. A few are free: they are in what it is relative to.
    pub of: fn(&Costs) -> Option<(u64, u64)>,
    /// The most that one entry point may have.
    pub each: f64,
    /// The most that the geometric mean over all may be.
    pub mean: f64,
}

/// The bounds. Each has some slack over what was found when it was set: a quarter where it is of one entry point, a tenth where it is of the mean.
pub const BOUNDS: [Bound; 11] = [
    Bound {
        protects: "statements of compiled code over those of the source",
        of: |c| (c.order() == 0).then_some((c.code.statements, c.source.statements + FREE)),
        // nests may have three versions, and what the points of one carry in loops, of sizes of their own, is found anew in each round
        each: 17.0,
        mean: 0.31,
    },
    Bound {
        protects: "statements of a jvp, compiled, over those of the source",
        of: |c| (!c.differentiates && c.is(Mode::Forward)).then_some((c.code.statements, c.source.statements + FREE)),
        // a histogram by an operator that chooses is sorted
        each: 5.1,
        mean: 0.47,
    },
    Bound {
        protects: "statements of a vjp, compiled, over those of the source",
        of: |c| (!c.differentiates && c.is(Mode::Reverse)).then_some((c.code.statements, c.source.statements + FREE)),
        each: 7.5,
        mean: 0.73,
    },
    Bound {
        protects: "statements of derivatives that programs take, compiled, over those of the source",
        of: |c| (c.differentiates && c.order() == 1).then_some((c.code.statements, c.source.statements + FREE)),
        each: 35.0,
        mean: 0.81,
    },
    Bound {
        protects: "statements of derivatives of derivatives, compiled, over those of the source",
        of: |c| (c.order() == 2).then_some((c.code.statements, c.source.statements + FREE)),
        each: 101.0,
        mean: 1.6,
    },
    Bound { protects: "copies per SOAC", of: |c| Some((c.code.copies, c.code.soacs + 5)), each: 8.0, mean: 0.014 },
    Bound {
        protects: "statements of compiled code that have lost their place in the source",
        // the text of an IR program has no places
        of: |c| (2 * c.source.unknown < c.source.statements).then_some((c.code.unknown, c.code.statements)),
        each: 0.2,
        mean: 0.005,
    },
    Bound { protects: "kernels per SOAC", of: |c| Some((c.kernels?, c.code.soacs + 5)), each: 12.0, mean: 0.41 },
    Bound {
        protects: "operators that a jvp executes over those of its primal",
        of: |c| c.is(Mode::Forward).then_some((c.run.operators, c.primal.operators + 50)),
        each: 7.4,
        mean: 0.56,
    },
    Bound {
        protects: "operators that a vjp executes over those of its primal",
        of: |c| c.is(Mode::Reverse).then_some((c.run.operators, c.primal.operators + 50)),
        each: 14.0,
        mean: 0.78,
    },
    Bound {
        protects: "bytes that a derivative holds at once over those of its primal",
        of: |c| c.mode.map(|_| (c.run.peak, c.primal.peak + 1000)),
        each: 8.3,
        mean: 0.15,
    },
];

/// So many statements more than the source has may be those of a small program.
const FREE: u64 = 20;

impl Costs {
    fn is(&self, mode: Mode) -> bool {
        self.mode == Some(mode)
    }

    /// How often it is differentiated, with what the entry point does itself: 2 stands for more, too.
    fn order(&self) -> u32 {
        u32::from(self.mode.is_some()) + u32::from(self.differentiates)
    }
}

/// The costs of a program's entry points and of their derivatives; none if it is rejected.
pub fn of_program(test: &TestProgram) -> Vec<Costs> {
    let Some(program) = compiled::program(&test.path) else { return Vec::new() };
    let sources = SourceMap::default();
    let names = program.funs.iter().filter(|f| f.entry.is_some()).map(|f| f.name.as_str());
    let costs = |entry: Entry| {
        let ran = ran(&program, &entry, test, &sources);
        let primal = Compiled::of(&entry.primal);
        let work = primal.as_ref().map(|compiled| run(&entry, None, compiled, &ran)).unwrap_or_default();
        let costs = |derived: Option<&Derived>, compiled: &Compiled| Costs {
            entry: entry.primal.entry.to_string(),
            mode: derived.map(|d| d.mode),
            differentiates: differentiates(&entry.primal.program),
            source: Code::of(&compiled.inlined),
            code: Code::of(&compiled.program),
            kernels: kernels(compiled),
            run: derived.map_or(work, |_| run(&entry, derived, compiled, &ran)),
            primal: work,
        };
        let derivatives = entry.derivatives().into_iter().flatten();
        let derivatives = derivatives.filter_map(|d| Some(costs(Some(d), &Compiled::of(&d.program)?)));
        primal.iter().map(|compiled| costs(None, compiled)).chain(derivatives).collect::<Vec<Costs>>()
    };
    names.filter_map(|name| Entry::new(&program, name, None)).flat_map(costs).collect()
}

/// An entry point with what it calls, as it is compiled for a backend. What it is on the way is for other tests.
struct Compiled {
    /// Its source, with the functions that it calls in their places.
    inlined: Program,
    /// After all passes.
    program: Program,
    /// The same for the interpreter.
    code: futi_interp::Code,
}

impl Compiled {
    /// None if there is no rule to differentiate it by.
    fn of(entry: &EntryProgram) -> Option<Compiled> {
        let (mut program, mut inlined) = (entry.program.clone(), None);
        for pass in Stage::ALL.iter().flat_map(|stage| stage.passes()) {
            program = pass.alone(program).ok()?;
            if pass.name == INLINE.name && inlined.is_none() {
                inlined = Some(program.clone());
            }
        }
        let code = futi_interp::Code::new(&program).ok()?;
        Some(Compiled { inlined: inlined?, program, code })
    }
}

/// The small cases of an entry point as it ran them, each with whether its derivatives are looked at. What does not fit the entry point runs nothing.
fn ran<'a>(
    program: &Program,
    entry: &'a Entry,
    test: &TestProgram,
    sources: &'a SourceMap,
) -> Vec<(Subject<'a>, bool)> {
    let is_small = |(s, _): &(Subject, bool)| {
        let ctx = context();
        let _ = entry.primal.run(&s.args, &ctx);
        ctx.counters().prims() <= OPERATORS
    };
    let ran = |what: &What| {
        let What::Run { entry: name, case } = what else { return None };
        let fun = entry.primal.fun().filter(|_| *name == entry.primal.entry.as_str())?;
        let args = arguments(fun, judge::values(program, fun, case, Folder::of(&test.path, false), 0).ok()?).ok()?;
        Some((Subject::new(entry, sources, args, Rng::new(0, "costs")), has_derivatives(case)))
    };
    test.cases.iter().filter_map(|case| ran(&case.what)).filter(is_small).collect()
}

/// Cases whose entry point executes more operators say nothing that smaller ones do not.
const OPERATORS: u64 = 10_000;

/// What the cases of an entry point take that have derivatives, or what those of a derivative of it take.
fn run(entry: &Entry, derived: Option<&Derived>, compiled: &Compiled, ran: &[(Subject, bool)]) -> Work {
    let ctx = context();
    for (subject, _) in ran.iter().filter(|(_, has_derivatives)| *has_derivatives) {
        let args: Option<Vec<Value>> = match derived {
            None => Some(subject.args.clone()),
            Some(d) => subject.seeds().map(|seeds| subject.derivative_args(d, Subject::seeds_of(d.mode, &seeds))),
        };
        let name = derived.map_or(&entry.primal.entry, |d| &d.program.entry);
        // a failure has its cost, too
        let _ = args.map(|args| compiled.code.call(name.as_str(), args, &ctx));
    }
    let c = ctx.counters();
    Work { operators: c.prims(), allocated: c.allocated, peak: c.peak }
}

impl Code {
    fn of(program: &Program) -> Code {
        struct Count<'a>(&'a ProvTable, Code);
        impl Visit for Count<'_> {
            fn stm(&mut self, stm: &Stm) {
                let Count(prov, code) = self;
                code.statements += 1;
                code.unknown += u64::from(matches!(prov.node(stm.prov), ProvNode::Unknown));
                match stm.exp {
                    Exp::Screma(_)
                    | Exp::Hist(_)
                    | Exp::Scatter(_)
                    | Exp::Stream(_)
                    | Exp::FlatMap(_)
                    | Exp::SegOp(_) => code.soacs += 1,
                    Exp::Copy(_) | Exp::Manifest { .. } | Exp::Concat { .. } => code.copies += 1,
                    _ => {}
                }
                walk_stm(self, stm);
            }
        }
        let mut count = Count(&program.prov, Code::default());
        program.funs.iter().for_each(|f| walk_fun(&mut count, f));
        count.1
    }
}

#[cfg(feature = "vulkan")]
fn kernels(flat: &Compiled) -> Option<u64> {
    futi_vk::kernels(&check::check(flat.program.clone()).ok()?).ok().map(|n| n as u64)
}

#[cfg(not(feature = "vulkan"))]
fn kernels(_: &Compiled) -> Option<u64> {
    None
}

impl Bound {
    /// The cost of an entry point, relative to what it is relative to.
    pub fn ratio(&self, costs: &Costs) -> Option<f64> {
        let (cost, over) = (self.of)(costs)?;
        Some(cost as f64 / over.max(1) as f64)
    }

    /// The geometric mean over all that it is for. Of what is small, a hundredth counts: no cost at all is not infinitely better than a little.
    pub fn mean(&self, all: &[Costs]) -> Option<f64> {
        let ratios: Vec<f64> = all.iter().filter_map(|c| self.ratio(c)).map(|r| (r + 0.01).ln()).collect();
        (!ratios.is_empty()).then(|| (ratios.iter().sum::<f64>() / ratios.len() as f64).exp() - 0.01)
    }
}

/// The bounds that an entry point exceeds, in words.
pub fn exceeded(costs: &Costs, each: impl Fn(&Bound) -> f64) -> Vec<String> {
    let exceeds = |b: &Bound| {
        let (ratio, most) = (b.ratio(costs)?, each(b));
        let (cost, over) = (b.of)(costs)?;
        let of = costs.mode.map_or(String::new(), |m| format!(" {}", m.name()));
        let what = format!("{}{of}: {}: {cost} over {over} is {ratio:.2}, more than {most}", costs.entry, b.protects);
        (ratio > most).then_some(what)
    };
    BOUNDS.iter().filter_map(exceeds).collect()
}

/// A table for a person: a row for each entry point and derivative.
pub fn table(all: &[(String, Costs)]) -> String {
    let mut table = Builder::new();
    let numbers = ["statements", "of source", "soacs", "copies", "kernels", "operators", "allocated", "peak"];
    table.push_record(["program", "entry point", "of"].into_iter().chain(numbers));
    for (program, c) in all {
        let kernels = c.kernels.map_or("-".to_string(), |n| n.to_string());
        let code = [c.code.statements, c.source.statements, c.code.soacs, c.code.copies].map(|n| n.to_string());
        let run = [c.run.operators, c.run.allocated, c.run.peak].map(|n| n.to_string());
        let names = [program.clone(), c.entry.clone(), c.mode.map_or("primal", Mode::name).to_string()];
        table.push_record(names.into_iter().chain(code).chain([kernels]).chain(run));
    }
    table.build().with(Style::sharp()).to_string()
}
