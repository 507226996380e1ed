//! Pipelines: lists of passes, and the stages that `futi ir --stage` shows.

use crate::ad::checkpoints::{Options, Report};
use crate::ad::differentiate_with;
use crate::analysis::Analyses;
use crate::backend::IrLevel;
use crate::ir::Program;
use crate::passes::{accumulators, combine, flatten, fuse, histograms, inline, plain};
use crate::simplify::{self, dce};

pub use crate::backend::Errors;

/// A pass: a program to one that means the same.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name, for command lines and messages.
    pub name: &'static str,
    /// What it does, in a line.
    pub description: &'static str,
    /// The pass itself. Only differentiation can fail, and inlining, where the code becomes too much.
    pub run: fn(Program, &mut PassCtx) -> Result<Program, Errors>,
}

/// What every pass gets besides the program, and takes of it what it needs.
#[derive(Default)]
pub struct PassCtx {
    /// What is known of the program.
    pub analyses: Analyses,
    /// What inlining and differentiation are to heed.
    pub options: Options,
    /// What differentiation has kept of loops.
    pub reports: Vec<Report>,
}

impl Pass {
    /// The pass by itself, as asked for by default.
    ///
    /// # Errors
    /// Those of the pass.
    pub fn alone(&self, program: Program) -> Result<Program, Errors> {
        (self.run)(program, &mut PassCtx::default())
    }
}

/// [`mod@inline`].
pub const INLINE: Pass = Pass {
    name: "inline",
    description: "replace calls of functions that are not recursive by their bodies",
    run: |p, ctx| {
        ctx.analyses.changed();
        inline::inline_within(p, ctx.options.statements())
    },
};
/// [`mod@simplify`].
pub const SIMPLIFY: Pass = Pass {
    name: "simplify",
    description: "simplify to a fixed point",
    run: |p, ctx| Ok(simplify::simplify(p, &mut ctx.analyses)),
};
/// [`mod@crate::ad`].
pub const AD: Pass = Pass {
    name: "ad",
    description: "replace vjp and jvp by the code of the derivatives",
    run: |p, ctx| {
        ctx.analyses.changed();
        let (differentiated, kept) = differentiate_with(p, ctx.options)?;
        ctx.reports = kept;
        Ok(differentiated)
    },
};
/// [`mod@plain`].
pub const PLAIN: Pass = Pass {
    name: "plain",
    description: "cut streams into chunks, and make matches branches",
    run: |p, ctx| Ok(plain::plain(p, &mut ctx.analyses)),
};
/// [`mod@fuse`].
pub const FUSE: Pass = Pass {
    name: "fuse",
    description: "fuse maps into what maps over their results",
    run: |p, ctx| Ok(fuse::fuse(p, &mut ctx.analyses)),
};
/// [`mod@accumulators`].
pub const ACCUMULATORS: Pass = Pass {
    name: "accumulators",
    description: "turn updates of accumulators into reductions, and accumulators into results of nests",
    run: |p, ctx| Ok(accumulators::accumulators(p, &mut ctx.analyses)),
};
/// [`mod@combine`].
pub const COMBINE: Pass = Pass {
    name: "combine",
    description: "make SOACs that read an array in common one",
    run: |p, ctx| Ok(combine::combine(p, &mut ctx.analyses)),
};
/// [`histograms::histograms`].
pub const HISTOGRAMS: Pass = Pass {
    name: "histograms",
    description: "make maps that update accumulators once, and do nothing else, histograms",
    run: |p, ctx| Ok(histograms::histograms(p, &mut ctx.analyses)),
};
/// [`histograms::updates`].
pub const UPDATES: Pass = Pass {
    name: "updates",
    description: "make histograms maps that update accumulators",
    run: |p, ctx| Ok(histograms::updates(p, &mut ctx.analyses)),
};
/// [`mod@flatten`].
pub const FLATTEN: Pass = Pass {
    name: "flatten",
    description: "make parallel nests kernels",
    run: |p, ctx| Ok(flatten::flatten(p, &mut ctx.analyses)),
};
/// [`mod@dce`].
pub const DCE: Pass =
    Pass { name: "dce", description: "remove dead code", run: |p, ctx| Ok(dce::dce(p, &mut ctx.analyses)) };

/// How far a program has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// As the front end gives it.
    Lowered,
    /// Inlined and simplified; `vjp` and `jvp` are there.
    Simplified,
    /// Differentiated and simplified; streams and matches are gone, too.
    Ad,
    /// Fused; accumulators are left where nothing else does.
    Fused,
    /// Parallel nests are kernels.
    Flat,
}

impl Stage {
    /// The stages in order.
    pub const ALL: [Stage; 5] = [Stage::Lowered, Stage::Simplified, Stage::Ad, Stage::Fused, Stage::Flat];

    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Lowered => "lowered",
            Stage::Simplified => "simplified",
            Stage::Ad => "ad",
            Stage::Fused => "fused",
            Stage::Flat => "flat",
        }
    }

    /// The stage of that name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The passes that lead from the stage before to this one.
    pub fn passes(self) -> &'static [Pass] {
        match self {
            Stage::Lowered => &[],
            Stage::Simplified => &[INLINE, SIMPLIFY],
            Stage::Ad => &[AD, PLAIN, SIMPLIFY],
            Stage::Fused => &[FUSE, SIMPLIFY, ACCUMULATORS, COMBINE, HISTOGRAMS, SIMPLIFY],
            Stage::Flat => &[UPDATES, FLATTEN, SIMPLIFY],
        }
    }
}

/// The program, as the front end gives it, at that stage.
///
/// # Errors
/// Those of differentiation.
pub fn stage(program: Program, to: Stage) -> Result<Program, Errors> {
    stage_with(program, to, Options::default()).map(|(program, _)| program)
}

/// [`stage`] with inlining and differentiation as asked for, and what the latter has kept of loops.
///
/// # Errors
/// Those of differentiation, and code that is too much.
pub fn stage_with(program: Program, to: Stage, options: Options) -> Result<(Program, Vec<Report>), Errors> {
    let mut ctx = PassCtx { options, ..PassCtx::default() };
    let passes = Stage::ALL.into_iter().filter(|s| *s <= to).flat_map(|s| s.passes());
    let program = run(program, passes, &mut ctx)?;
    Ok((program, ctx.reports))
}

/// Runs passes one after the other.
///
/// # Errors
/// Those of the passes.
pub fn run<'a>(
    program: Program,
    passes: impl IntoIterator<Item = &'a Pass>,
    ctx: &mut PassCtx,
) -> Result<Program, Errors> {
    passes.into_iter().try_fold(program, |p, pass| (pass.run)(p, ctx))
}

/// The program, as the front end gives it, lowered as far as a backend asks for.
///
/// # Errors
/// Those of differentiation.
pub fn for_level(program: Program, level: IrLevel) -> Result<Program, Errors> {
    for_level_with(program, level, Options::default())
}

/// [`for_level`] with differentiation as asked for.
///
/// # Errors
/// Those of differentiation.
pub fn for_level_with(program: Program, level: IrLevel, options: Options) -> Result<Program, Errors> {
    let to = match level {
        IrLevel::Core => return Ok(program),
        IrLevel::NoAd => Stage::Fused,
        IrLevel::Flat => Stage::Flat,
    };
    stage_with(program, to, options).map(|(program, _)| program)
}

/// The program with this entry point alone, and what it calls.
pub fn only(program: &Program, entry: &str) -> Program {
    let mut program = program.clone();
    for fun in &mut program.funs {
        if fun.name.as_str() != entry {
            fun.entry = None;
        }
    }
    inline::reachable(program)
}
