//! What the programs of the suite cost: when they are compiled, how much code there is after each pass, of what kind, and where it comes from; when they
//! are run in the interpreter, what that does, copies and holds.
//!
//! The other oracles see results. A pass that stops simplifying, a rule that copies an array for nothing, code that has lost its place in the source, an
//! array that is held for longer than it is needed change none; they change a line of `conformance/costs.txt`, which a person reads in the diff and
//! accepts by `FUTI_BLESS=1`.

use crate::judge::{self, has_derivatives};
use crate::random::Rng;
use crate::subject::{Derived, Entry, EntryProgram, Staged, Subject, context};
use crate::suite::{TestProgram, What};
use futi_core::entry::arguments;
use futi_core::ir::visit::{Visit, walk_fun, walk_stm};
use futi_core::ir::*;
use futi_core::source::SourceMap;
use futi_interp::NodeKind;
use std::fmt::Write;
use std::path::Path;

/// The file of costs, from the workspace's folder.
pub const FILE: &str = "conformance/costs.txt";

/// What a line of costs consists of, as a comment for the file of them.
pub const LEGEND: &str = "\
# What the entry points of the suite and their derivatives cost. After each pass that changes it: the statements, and of these SOACs and kernels,
# copies, accesses of elements; certificates; statements that are tangents, adjoints, recomputed, inlined, merged, of unknown place. Then the kernels.
# Then what the interpreter does for all cases of the entry point, as lowered: statements and bodies executed, scalar operators; elements copied, bytes
# of arrays allocated, the most bytes held at once; the nodes of traces, the scalars kept for them, the nodes walked back; failures of derivatives; what
# of it kernels did: chunks of points or trips, statements and bodies in them, instructions and registers of their code in each chunk.
# `FUTI_BLESS=1 cargo test -p futi-conformance --all-features --test costs` writes this file anew.
";

/// The costs of a program's entry points and of their derivatives, a line for each; none if it is rejected.
pub fn of_program(test: &TestProgram) -> Option<String> {
    let (program, sources) = (judge::program(&test.path)?, SourceMap::default());
    let names = program.funs.iter().filter(|f| f.entry.is_some()).map(|f| f.name.as_str());
    let lines = |entry: Entry| {
        let ran = ran(&program, &entry, test, &sources);
        let derivatives = entry.derivatives().into_iter().flatten().map(Some);
        let all = std::iter::once(None).chain(derivatives);
        all.map(|derived| line(&entry, derived) + &run(&entry, derived, &ran) + "\n").collect::<String>()
    };
    Some(names.filter_map(|name| Entry::new(&program, name, None)).map(lines).collect())
}

/// The cases of an entry point as it ran them, each with whether its derivatives are looked at. What does not fit the entry point runs nothing.
fn ran<'a>(
    program: &Program,
    entry: &'a Entry,
    test: &TestProgram,
    sources: &'a SourceMap,
) -> Vec<(Subject<'a>, bool)> {
    let folder = test.path.parent().unwrap_or(Path::new("."));
    let ran = |what: &What| {
        let What::Run { entry: name, case } = what else { return None };
        let fun = entry.primal.fun().filter(|_| *name == entry.primal.entry.as_str())?;
        let args = arguments(fun, judge::values(program, fun, case, folder, 0).ok()?).ok()?;
        Some((Subject::new(entry, sources, args, Rng::new(0, "costs")), has_derivatives(case)))
    };
    test.cases.iter().filter_map(|case| ran(&case.what)).collect()
}

/// What the interpreter does for the cases of an entry point, or of a derivative of it.
fn run(entry: &Entry, derived: Option<&Derived>, ran: &[(Subject, bool)]) -> String {
    let ctx = context();
    for (subject, has_derivatives) in ran {
        let _ = match derived {
            None => entry.primal.run(&subject.args, &ctx),
            Some(derived) => {
                let Some(seeds) = subject.seeds().filter(|_| *has_derivatives) else { continue };
                let args = subject.derivative_args(derived, Subject::seeds_of(derived.mode, &seeds));
                derived.program.run(&args, &ctx)
            }
        };
    }
    let c = ctx.counters();
    let of_kinds: u64 = NodeKind::ALL.iter().map(|kind| c.node(*kind)).sum();
    let counted = [
        ("statements", c.statements),
        ("without kind", c.statements.abs_diff(of_kinds)),
        ("bodies", c.bodies),
        ("operators", c.prims()),
        ("copied", c.copied),
        ("allocated", c.allocated),
        ("peak", c.peak),
        ("nodes", c.trace_nodes),
        ("kept", c.trace_kept),
        ("back", c.fired),
        ("failures", c.derivative_failures),
        ("chunks", c.kernels.chunks),
        ("steps", c.kernels.steps),
        ("instructions", c.kernels.instructions),
        ("registers", c.kernels.registers),
    ];
    let counted: String = counted.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!(" {n} {what}")).collect();
    if counted.is_empty() { counted } else { format!("; run{counted}") }
}

/// What the code of an entry point costs, or of a derivative of it.
fn line(entry: &Entry, derived: Option<&Derived>) -> String {
    let mode = derived.map_or("primal", |d| d.mode.name());
    let program: &EntryProgram = derived.map_or(&entry.primal, |d| &d.program);
    let stages = program.stages(&SourceMap::default());
    let mut out = format!("  {} {mode}:", program.entry);
    let mut before = String::new();
    for staged in stages.reached.iter().skip(1).chain(stages.variants.iter().take(1)) {
        let cost = Cost::of(&staged.program);
        if cost != before {
            let _ = write!(out, " {} {cost};", staged.pass.unwrap_or("lowered"));
        }
        before = cost;
    }
    match &stages.stopped {
        Some(stopped) => write!(out, " {stopped:?}"),
        None => write!(out, "{}", stages.reached.last().map(kernels).unwrap_or_default()),
    }
    .unwrap_or_default();
    out.replace('\n', " ")
}

/// What is counted beside the statements, in the order in which it is printed.
const COUNTED: [&str; 10] =
    ["soacs", "copies", "accesses", "certs", "tangents", "adjoints", "recomputed", "inlined", "merged", "unknown"];

/// How much code there is.
struct Cost<'a> {
    prov: &'a ProvTable,
    statements: usize,
    /// Indexed as [`COUNTED`].
    counts: [usize; 10],
}

impl Cost<'_> {
    fn of(program: &Program) -> String {
        let mut cost = Cost { prov: &program.prov, statements: 0, counts: [0; 10] };
        program.funs.iter().for_each(|f| walk_fun(&mut cost, f));
        let counted = COUNTED.iter().zip(cost.counts).filter(|(_, n)| *n > 0);
        counted.fold(cost.statements.to_string(), |out, (what, n)| out + &format!(" {n} {what}"))
    }
}

impl Visit for Cost<'_> {
    fn stm(&mut self, stm: &Stm) {
        self.statements += 1;
        self.counts[3] += stm.certs.len();
        let kind = match stm.exp {
            Exp::Screma(_) | Exp::Hist(_) | Exp::Scatter(_) | Exp::Stream(_) | Exp::FlatMap(_) | Exp::SegOp(_) => {
                Some(0)
            }
            Exp::Copy(_) | Exp::Manifest { .. } | Exp::Replicate { .. } | Exp::Concat { .. } => Some(1),
            Exp::Index { .. } | Exp::Update { .. } | Exp::UpdAcc { .. } => Some(2),
            _ => None,
        };
        let origin = match self.prov.node(stm.prov) {
            ProvNode::Role { role: Role::Tangent, .. } => Some(4),
            ProvNode::Role { role: Role::Adjoint, .. } => Some(5),
            ProvNode::Role { role: Role::Recomputed, .. } => Some(6),
            ProvNode::Inlined { .. } => Some(7),
            ProvNode::Merged(..) => Some(8),
            ProvNode::Unknown => Some(9),
            ProvNode::Span { .. } => None,
        };
        kind.into_iter().chain(origin).for_each(|i| self.counts[i] += 1);
        walk_stm(self, stm);
    }
}

#[cfg(feature = "vulkan")]
fn kernels(flat: &Staged) -> String {
    let Ok(checked) = check::check(flat.program.clone()) else { return String::new() };
    match futi_vk::glsl_text(&checked) {
        Ok(text) => {
            let count = |what: &str| text.lines().filter(|line| line.trim_start().starts_with(what)).count();
            format!(" glsl {} kernels {} lines {} barriers", count("// "), text.lines().count(), count("barrier()"))
        }
        Err(list) => format!(" no glsl: {}", list.iter().map(|u| u.construct.as_str()).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(not(feature = "vulkan"))]
fn kernels(_: &Staged) -> String {
    String::new()
}
