//! `futi ir`: the program at a stage of compilation.

use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::say;
use futi_core::ad::checkpoints::{self, Report};
use futi_core::backend::Unsupported;
use futi_core::driver::pipeline::{self, Stage};
use futi_core::ir::{Program, Prov};
use futi_core::source::printable;
use futi_kernels::explain::{How, Row, explain};
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
    /// Instead of the program, what becomes of each construct that is parallel, or could be, on a device, and why; and what reverse mode keeps of each loop that it goes through.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        conflicts_with = "stage"
    )]
    explain: Option<Format>,
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

/// How explanations are written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// A line for each construct.
    Text,
    /// An array with an object for each.
    Json,
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
    let Some(format) = args.explain else { return say::out(at(&loaded, program, args.stage, options)?) };
    let (flat, reports) = pipeline::stage_with(program, Stage::Flat, options).map_err(|e| loaded.unsupported(&e))?;
    let (rows, failed) = match explain(&flat) {
        Ok(rows) => (rows, None),
        Err(list) => (Vec::new(), Some(loaded.refused(&list, &flat.prov))),
    };
    let rows: Vec<Row> = reports.iter().map(reversed).chain(rows).collect();
    say::out(match format {
        Format::Text if rows.is_empty() && failed.is_none() => "There is nothing parallel in it.\n".to_string(),
        Format::Text => each(&rows, |row| text(place(&loaded, &flat, row.prov), row)).concat(),
        Format::Json => {
            let all = each(&rows, |row| json(place(&loaded, &flat, row.prov), row));
            format!("{:#}\n", serde_json::Value::Array(all))
        }
    })?;
    failed.map_or(Ok(()), Err)
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
        NoText::Beyond(list) => loaded.refused(&list, &prov),
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

/// What reverse mode keeps of a loop.
fn reversed(r: &Report) -> Row {
    let remarks: String = r.remarks.iter().map(|remark| format!("; {remark}")).collect();
    let why = format!("{}{remarks}", r.chosen);
    Row { prov: r.prov, what: "loop".into(), how: How::Reversed, sizes: vec![], kernels: vec![], threshold: None, why }
}

/// What is said of rows, each time once: copies of code may come to the same.
fn each<T: PartialEq>(rows: &[Row], said: impl Fn(&Row) -> T) -> Vec<T> {
    let mut all = Vec::new();
    for row in rows {
        let one = said(row);
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// A file, with line and column.
type Place = (String, usize, usize);

/// The innermost place in what the user wrote.
fn place(loaded: &Loaded, program: &Program, prov: Prov) -> Option<Place> {
    let spans = loaded.sources.spans(prov, &program.prov);
    let own = spans.iter().find(|span| !loaded.sources.of_prelude(**span)).or(spans.first())?;
    let file = loaded.sources.get(own.file)?;
    let (line, column) = file.line_col(own.start);
    Some((file.path.to_string(), line, column))
}

fn text(place: Option<Place>, row: &Row) -> String {
    let place = place.map_or("?".to_string(), |(file, line, column)| format!("{file}:{line}:{column}"));
    let kernels = match &row.kernels[..] {
        [] => String::new(),
        [one] => format!(", kernel {one}"),
        all => format!(", {} kernels", all.len()),
    };
    let over = if row.sizes.is_empty() { String::new() } else { format!(" over {}", row.sizes.join(" × ")) };
    let why = if row.why.is_empty() { String::new() } else { format!(" ({})", row.why) };
    printable(&format!("{place}: {}: {}{kernels}{over}{why}\n", row.what, row.how.name())).into_owned()
}

fn json(place: Option<Place>, row: &Row) -> serde_json::Value {
    serde_json::json!({
        "file": place.as_ref().map(|place| &place.0),
        "line": place.as_ref().map(|place| place.1),
        "column": place.as_ref().map(|place| place.2),
        "what": row.what,
        "how": row.how.name(),
        "sizes": row.sizes,
        "kernels": row.kernels,
        "threshold": row.threshold,
        "why": row.why,
    })
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
