//! `futi ir`: the program at a stage of compilation.

use crate::failure::{Failure, user_place};
use crate::load::{self, Loaded};
use crate::say;
use futi_core::ad::checkpoints::{self, Report};
use futi_core::backend::Unsupported;
use futi_core::driver::pipeline::{self, Stage};
use futi_core::ir::Program;
use futi_kernels::generate::lower;
use futi_kernels::host::ir::HostProgram;
use futi_kernels::host::options::MemoryOptions;
use futi_kernels::host::print::{Host, Kernels};
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
    /// What the host does on a device: memory, copies, and launches of kernels.
    Host,
    /// The kernels that it launches, in their IR.
    Kernels,
    /// The kernels' code, as the Vulkan backend gives it to shaderc.
    Glsl,
    /// What shaderc makes of that, as text.
    Spirv,
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
    let (until, text): (_, fn(Program) -> Text) = match stage {
        StageArg::Lowered => (Stage::Lowered, same),
        StageArg::Simplified => (Stage::Simplified, same),
        StageArg::Ad => (Stage::Ad, same),
        StageArg::Fused => (Stage::Fused, same),
        StageArg::Flat => (Stage::Flat, same),
        StageArg::Host => (Stage::Flat, |program| Ok(Host(&on_devices(&program)?).to_string())),
        StageArg::Kernels => (Stage::Flat, |program| Ok(Kernels(&on_devices(&program)?).to_string())),
        StageArg::Glsl => (Stage::Flat, glsl),
        StageArg::Spirv => (Stage::Flat, spirv),
    };
    let (program, _) = pipeline::stage_with(program, until, options).map_err(|e| loaded.unsupported(&e))?;
    let prov = program.prov.clone();
    text(program).map_err(|why| match why {
        NoText::Beyond(list) => Failure::Diagnostics(loaded.list(&list, &prov)),
        NoText::Other(failure) => failure,
    })
}

/// The text of a program at a stage.
type Text = Result<String, NoText>;

/// Why there is none.
enum NoText {
    /// Constructs that cannot be compiled.
    Beyond(Vec<Unsupported>),
    Other(Failure),
}

fn same(program: Program) -> Text {
    Ok(program.to_string())
}

fn on_devices(program: &Program) -> Result<HostProgram, NoText> {
    lower(program, &MemoryOptions::default()).map_err(NoText::Beyond)
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
fn glsl(program: Program) -> Text {
    let checked = load::checked(program).map_err(NoText::Other)?;
    futi_vk::glsl_text(&checked).map_err(NoText::Beyond)
}

#[cfg(feature = "vulkan")]
fn spirv(program: Program) -> Text {
    let checked = load::checked(program).map_err(NoText::Other)?;
    let text = futi_vk::spirv_text(&checked).map_err(NoText::Beyond)?;
    text.map_err(|error| NoText::Other(Failure::Io(error.to_string())))
}

#[cfg(not(feature = "vulkan"))]
fn glsl(_: Program) -> Text {
    let missing = "this futi was built without the backend vulkan: build it with `--features vulkan`";
    Err(NoText::Other(Failure::Io(missing.into())))
}

#[cfg(not(feature = "vulkan"))]
use glsl as spirv;
