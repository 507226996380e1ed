//! Mutants: small faults, planted one at a time and mechanically, to see whether the oracles and the tests notice.
//!
//! One build has them all (mutant schemata, Untch, Offutt and Harrold 1993): a copy of the workspace under `target/mutants`, in which each [`Site`]
//! asks whether its mutant is on; the environment variable `FUTI_MUTANT` of a process says which one is. `rust` and `glsl` find the sites and
//! `rewrite` edits the text, `tree` makes the copy and builds it, leaving out what does not compile; `case` are the things that can notice, each
//! with the sites that it reaches; `hunt` runs the cases that reach a mutant until one notices, [`judge`] is the process in which suite cases run;
//! `explain` reads why survivors are no gap, `table` prints.

mod case;
mod explain;
mod glsl;
mod hunt;
pub mod judge;
mod rewrite;
#[expect(dead_code, reason = "it is the crate that mutated code depends on; here it lends its marks, and is tested")]
mod runtime;
mod rust;
mod table;
mod tree;

pub use hunt::{Options, prepare, run};
pub use table::Report;

use std::fmt;
use std::ops::Range;

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// `+` for `-` and the reverse; a negation left out.
    Sign,
    /// Of `a + b`, `a && b`, `a || b` only `a`; `+` for `*`.
    DroppedTerm,
    /// `<` for `<=`, `!=` for `==`, and the reverses.
    Comparison,
    /// In code that is made: `<` for `<=` and the reverse.
    Tie,
    /// Two operands change places; `min` for `max`, `all` for `any`, and the like.
    Swap,
    /// An integer one larger, a range one longer or shorter.
    OffByOne,
    /// One for zero, an infinity for the other.
    Neutral,
    /// A negated condition, `true` for `false`.
    Negation,
    /// A statement left out.
    Removal,
    /// A barrier left out of a kernel.
    Barrier,
    /// `.rev()` left out.
    Order,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 11] = [
        Operator::Sign,
        Operator::DroppedTerm,
        Operator::Comparison,
        Operator::Tie,
        Operator::Swap,
        Operator::OffByOne,
        Operator::Neutral,
        Operator::Negation,
        Operator::Removal,
        Operator::Barrier,
        Operator::Order,
    ];

    /// The name in reports and in comments that give reasons.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Sign => "sign",
            Operator::DroppedTerm => "dropped term",
            Operator::Comparison => "comparison",
            Operator::Tie => "tie",
            Operator::Swap => "swap",
            Operator::OffByOne => "off by one",
            Operator::Neutral => "neutral element",
            Operator::Negation => "negation",
            Operator::Removal => "removal",
            Operator::Barrier => "barrier",
            Operator::Order => "order",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A part of the sources that is mutated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// Differentiation by transformation.
    Ad,
    /// The other passes.
    Passes,
    /// The checker of the IR.
    Checker,
    /// What makes host programs and kernels.
    Generators,
    /// What writes kernels for a Vulkan device and runs them.
    Kernels,
    /// The kernels' library of functions.
    Glsl,
    /// How far floats may be apart.
    Tolerances,
    /// The reference interpreter: nodes, and derivatives by definition.
    Evaluator,
    /// Scalar operations, which passes share with the interpreter.
    Scalars,
    /// The type checker of the source language.
    Types,
}

impl Target {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ad => "AD rules",
            Target::Passes => "passes",
            Target::Checker => "checker",
            Target::Generators => "generators",
            Target::Kernels => "kernels",
            Target::Glsl => "GLSL",
            Target::Tolerances => "tolerances",
            Target::Evaluator => "evaluator",
            Target::Scalars => "scalars",
            Target::Types => "type checker",
        }
    }

    /// Whose code it is.
    fn package(self) -> &'static str {
        match self {
            Target::Ad | Target::Passes | Target::Checker | Target::Scalars | Target::Types => "futi-core",
            Target::Evaluator => "futi-interp",
            Target::Generators => "futi-kernels",
            Target::Kernels | Target::Glsl => "futi-vk",
            Target::Tolerances => "futi-conformance",
        }
    }

    /// Whether only the Vulkan backend can tell.
    fn is_vulkan(self) -> bool {
        matches!(self, Target::Kernels | Target::Glsl)
    }

    /// Whether its mutants are hunted only when they are asked for by name: those of the front end and of the interpreter, which the suite's programs hold, rather
    /// than the oracles that compare.
    fn is_on_request(self) -> bool {
        matches!(self, Target::Evaluator | Target::Scalars | Target::Types)
    }

    /// Where the sources are: files, and folders with all below.
    const PATHS: [(&'static str, Target); 18] = [
        ("core/src/ad/", Target::Ad),
        ("core/src/passes/", Target::Passes),
        ("core/src/simplify/", Target::Passes),
        ("core/src/analysis/", Target::Passes),
        ("core/src/ir/check/", Target::Checker),
        ("core/kernels/src/generate/", Target::Generators),
        ("vk-backend/src/print/", Target::Kernels),
        ("vk-backend/src/run.rs", Target::Kernels),
        ("vk-backend/src/tuning.rs", Target::Kernels),
        ("vk-backend/src/hazards.rs", Target::Kernels),
        ("vk-backend/src/recording.rs", Target::Kernels),
        ("vk-backend/src/glsl/", Target::Glsl),
        ("conformance/src/tolerance", Target::Tolerances),
        ("interp/src/eval/", Target::Evaluator),
        ("interp/src/vjp/", Target::Evaluator),
        ("interp/src/jvp.rs", Target::Evaluator),
        ("core/src/prim/", Target::Scalars),
        ("core/src/types/", Target::Types),
    ];

    /// What a source file, by its path in the workspace, is part of; none if it is not mutated.
    fn of(path: &str) -> Option<Target> {
        let is_source = path.ends_with(".rs") || path.ends_with(".glsl");
        // tests beside the code are not the code
        let is_test = path.contains("/tests/") || path.ends_with("tests.rs");
        let (_, target) = Target::PATHS.iter().find(|(prefix, _)| path.starts_with(prefix))?;
        (is_source && !is_test).then_some(*target)
    }
}

/// A place in a source file, and what a mutant makes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What is changed.
    pub operator: Operator,
    /// Where, in bytes.
    pub range: Range<usize>,
    /// How.
    pub form: Form,
}

/// How a site is rewritten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// An expression that becomes this one.
    Instead(String),
    /// A statement that is left out.
    Removed,
    /// `receiver.rev()`, that becomes its receiver, which ends here.
    Unreversed(usize),
    /// Text in a text, of which this is the other reading.
    Reading(String),
}

/// A mutant: a site of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// Its number, from 1, in the order of files and places.
    pub id: u32,
    /// What it is part of.
    pub target: Target,
    /// The file, by its path in the workspace.
    pub file: String,
    /// Its position among those of its file. Unlike the line, comments do not move it.
    pub index: usize,
    /// From 1.
    pub line: usize,
    /// The source line.
    pub source: String,
    /// What is changed into what.
    pub change: String,
    /// The site.
    pub site: Site,
}

impl Mutant {
    /// `file:line: operator: a -> b`
    pub fn name(&self) -> String {
        format!("{}:{}: {}: {}", self.file, self.line, self.site.operator, self.change)
    }
}

/// All mutants of a source file, of a target: sites in order of their places. The numbers begin after `before`.
///
/// # Errors
/// A Rust file that does not parse.
fn mutants(target: Target, file: &str, text: &str, before: usize) -> Result<Vec<Mutant>, String> {
    let mut sites = match file.ends_with(".glsl") {
        true => glsl::sites(text, 0),
        false => rust::sites(file, text).map_err(|e| format!("{file}: {e}"))?,
    };
    sites.sort_by_key(|s| (s.range.start, std::cmp::Reverse(s.range.end)));
    let mutant = |(i, site): (usize, Site)| {
        let start = text[..site.range.start].rfind('\n').map_or(0, |n| n + 1);
        let line = 1 + text[..start].matches('\n').count();
        let source = text[start..].lines().next().unwrap_or_default().trim().to_string();
        let (id, file) = ((before + i + 1) as u32, file.to_string());
        Mutant { id, target, file, index: i, line, source, change: change(&site, text), site }
    };
    Ok(sites.into_iter().enumerate().map(mutant).collect())
}

/// What a site changes into what, on one line.
fn change(site: &Site, text: &str) -> String {
    let short = |text: &str| {
        let text = uncommented(text).split_whitespace().collect::<Vec<_>>().join(" ");
        let cut: String = text.chars().take(60).collect();
        if cut.len() < text.len() { format!("`{cut}…`") } else { format!("`{cut}`") }
    };
    let original = short(&text[site.range.clone()]);
    match &site.form {
        Form::Instead(other) | Form::Reading(other) if other.is_empty() => format!("{original} left out"),
        Form::Instead(other) | Form::Reading(other) => format!("{original} -> {}", short(other)),
        Form::Removed => format!("{original} left out"),
        Form::Unreversed(end) => format!("{original} -> {}", short(&text[site.range.start..*end])),
    }
}

/// A piece of code without the lines that are comments, by which no mutant is another one.
fn uncommented(code: &str) -> String {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// FNV-1a: a hash that is the same everywhere and always.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}
