//! `futi ir`: the program at a stage of compilation.

use crate::failure::{Failure, user_place};
use crate::load::{self, Loaded};
use crate::say;
use futi_core::ad::checkpoints::{self, Report};
use futi_core::driver::pipeline::{self, Stage};
use futi_core::ir::Program;
use std::path::PathBuf;

/// Print a program's IR, or its kernels, at a stage of compilation. IR that is printed can be given back to `futi run` and `futi ir`.
#[derive(clap::Args)]
pub struct Args {
    /// The program: source or IR.
    file: PathBuf,
    #[command(flatten)]
    compiling: load::Compiling,
    /// Only this entry point and what it needs.
    #[arg(short, long, value_name = "NAME")]
    entry: Option<String>,
    /// The stage.
    #[arg(long, value_enum, default_value_t = StageArg::Lowered)]
    stage: StageArg,
    #[command(flatten)]
    checkpoints: load::Checkpoints,
    /// Instead of the program, what reverse mode keeps of each loop that it goes through.
    #[arg(long)]
    explain: bool,
}

/// A stage, as named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum StageArg {
    /// As the front end gives it.
    Lowered,
    /// Inlined and simplified.
    Simplified,
    /// Without jvp and vjp.
    Ad,
    /// With maps, reduces and scans fused.
    Fused,
    /// Parallel nests are kernels.
    Flat,
    /// The kernels' code, as the Vulkan backend gives it to shaderc.
    Glsl,
}

/// Runs the subcommand.
pub fn ir(args: Args) -> Result<(), Failure> {
    let loaded = load::program(&args.file, &args.compiling)?;
    let program = match &args.entry {
        Some(entry) => {
            loaded.entry(entry)?;
            pipeline::only(&loaded.program, entry)
        }
        None => loaded.program.clone(),
    };
    let options = args.checkpoints.options(&args.compiling);
    say::out(if args.explain {
        let explained = pipeline::stage_with(program, Stage::Ad, options).map_err(|e| loaded.unsupported(&e))?;
        self::explained(&loaded, explained)
    } else {
        at(&loaded, program, args.stage, options)?
    })
}

/// The program at a stage, as text.
pub fn at(
    loaded: &Loaded,
    program: Program,
    stage: StageArg,
    options: checkpoints::Options,
) -> Result<String, Failure> {
    let is_code = stage == StageArg::Glsl;
    let stage = match stage {
        StageArg::Lowered => Stage::Lowered,
        StageArg::Simplified => Stage::Simplified,
        StageArg::Ad => Stage::Ad,
        StageArg::Fused => Stage::Fused,
        StageArg::Flat | StageArg::Glsl => Stage::Flat,
    };
    let (program, _) = pipeline::stage_with(program, stage, options).map_err(|e| loaded.unsupported(&e))?;
    if is_code { glsl(loaded, program) } else { Ok(program.to_string()) }
}

/// A line for each loop.
fn explained(loaded: &Loaded, (program, reports): (Program, Vec<Report>)) -> String {
    if reports.is_empty() {
        return "Reverse mode goes through no loop.\n".to_string();
    }
    let line = |r: &Report| {
        let remarks: String = r.remarks.iter().map(|remark| format!("; {remark}")).collect();
        format!("{}: {}{remarks}\n", user_place(r.prov, &program.prov, &loaded.sources), r.chosen)
    };
    reports.iter().map(line).collect()
}

#[cfg(feature = "vulkan")]
fn glsl(loaded: &Loaded, program: Program) -> Result<String, Failure> {
    let prov = program.prov.clone();
    let checked = load::checked(program)?;
    futi_vk::glsl_text(&checked).map_err(|list| Failure::Diagnostics(loaded.list(&list, &prov)))
}

#[cfg(not(feature = "vulkan"))]
fn glsl(_: &Loaded, _: Program) -> Result<String, Failure> {
    Err(Failure::Io("this futi was built without the backend vulkan: build it with `--features vulkan`".into()))
}
