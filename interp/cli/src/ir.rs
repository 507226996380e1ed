//! `futi ir`: the program at a stage of compilation.

use crate::failure::{Failure, user_place};
use crate::load::{self, Loaded};
use crate::say;
use futi_core::ad::checkpoints::Report;
use futi_core::ir::Program;
use futi_core::passes::pipeline::{self, Stage};
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

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StageArg {
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
    let with = |stage| {
        let options = args.checkpoints.options(&args.compiling);
        pipeline::stage_with(program.clone(), stage, options).map_err(|e| loaded.unsupported(&e))
    };
    let at = |stage| with(stage).map(|(program, _)| program);
    let text = match args.stage {
        _ if args.explain => explained(&loaded, with(Stage::Ad)?),
        StageArg::Lowered => at(Stage::Lowered)?.to_string(),
        StageArg::Simplified => at(Stage::Simplified)?.to_string(),
        StageArg::Ad => at(Stage::Ad)?.to_string(),
        StageArg::Fused => at(Stage::Fused)?.to_string(),
        StageArg::Flat => at(Stage::Flat)?.to_string(),
        StageArg::Glsl => glsl(&loaded, at(Stage::Flat)?)?,
    };
    say::out(text)
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
