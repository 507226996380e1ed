//! The suite and the examples on Vulkan under Khronos's validation layer with synchronization validation, and with every recording held against the
//! hazard checker: a message, a missing barrier or a barrier that could be removed unnoticed fails the case.
//!
//! A tenth of the programs is looked at: `FUTI_VALIDATE` is the number of the tenth, from 0, or `all`.

use futi_conformance::child::{self, BackendCommand};
use futi_conformance::{Options, run};
use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Options as Tuning, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check::Checked;
use futi_core::value::Value;
use futi_vk::device::{Options as DeviceOptions, Validation};
use futi_vk::{Vulkan, hazards};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(|_| open()) {
        return code;
    }
    let trials = vec![
        Trial::test("validation is silent over the programs, and every barrier is needed", programs),
        Trial::test("a violation is reported", || open().map(drop).map_err(Failed::from)),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// How many parts the programs are cut into, of which one is looked at.
const PARTS: usize = 10;

fn programs() -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let part = match std::env::var("FUTI_VALIDATE") {
        Ok(all) if all == "all" => None,
        Ok(part) => {
            Some(part.parse::<usize>().map_err(|_| format!("FUTI_VALIDATE={part} is neither a number nor `all`"))?)
        }
        Err(_) => Some(0),
    };
    let paths = futi_conformance::suite::find(&[root.join("conformance/suite"), root.join("examples")])?;
    let paths = paths.into_iter().enumerate().filter(|(i, _)| part.is_none_or(|part| i % PARTS == part % PARTS));
    let paths = paths.map(|(_, program)| program.path).collect();
    let backend = Some(BackendCommand::this_program("validated vulkan")?);
    let report = run(&Options { paths, backend, numerics: false, ..Options::default() })?;
    let (passed, ..) = report.counts();
    if report.is_green() && passed > 100 { Ok(()) } else { Err(report.to_string().into()) }
}

/// What the wrapper's failures begin with.
const MARK: &str = "under validation:";

/// Opens the backend, after seeing that the layer reports a violation committed on purpose.
fn open() -> Result<Box<dyn Backend>, String> {
    let options = || -> Result<DeviceOptions, String> {
        let options = DeviceOptions::from_env().map_err(|e| e.to_string())?;
        Ok(DeviceOptions { validation: Validation::Synchronization, ..options })
    };
    let violating = Vulkan::open_with(&options()?).map_err(|e| e.to_string())?;
    violating.violate().map_err(|e| e.to_string())?;
    if violating.messages().is_empty() {
        return Err(format!("{MARK} the layer is asleep: it did not report two unordered writes"));
    }
    let vulkan = Vulkan::open_with(&options()?).map_err(|e| e.to_string())?;
    vulkan.keep_recordings();
    Ok(Box::new(Validated(vulkan)))
}

struct Validated(Vulkan);

struct ValidatedProgram {
    vulkan: Vulkan,
    program: Box<dyn Executable>,
}

impl Backend for Validated {
    fn name(&self) -> &str {
        "validated vulkan"
    }
    fn level(&self) -> IrLevel {
        self.0.level()
    }
    fn describe(&self) -> Vec<(String, String)> {
        self.0.describe()
    }
    fn compile(&self, program: &Checked<Program>, options: &Tuning) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        let program = self.0.compile(program, options)?;
        Ok(Box::new(ValidatedProgram { vulkan: self.0.clone(), program }))
    }
    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        self.0.put(value)
    }
    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        let value = self.0.get(handle)?;
        judge(&self.0)?;
        Ok(value)
    }
}

impl Executable for ValidatedProgram {
    fn call(&self, entry: &str, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        let results = self.program.call(entry, args, ctx);
        judge(&self.vulkan)?;
        results
    }
}

/// Fails for what the layer has said, and for recordings with a barrier too few or too many.
fn judge(vulkan: &Vulkan) -> Result<(), RuntimeError> {
    let fail = |what: String| Err(RuntimeError::internal(format!("{MARK} {what}")));
    if let Some(message) = vulkan.messages().first() {
        return fail(message.clone());
    }
    for recording in vulkan.kept() {
        if let Some(hazard) = hazards::check(&recording).first() {
            return fail(hazard.to_string());
        }
        if let Some(barrier) = hazards::redundant_barriers(&recording).first() {
            return fail(format!("the barrier at {barrier} could be removed unnoticed"));
        }
    }
    Ok(())
}
