//! Vulkan under Khronos's validation layer with synchronization validation, and with every recording held against the hazard checker: a message, a
//! missing barrier or a barrier that could be removed unnoticed fails the case.

use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Options as Tuning, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check::Checked;
use futi_core::value::Value;
use futi_vk::device::{Options as DeviceOptions, Validation};
use futi_vk::{Vulkan, hazards};

/// What the wrapper's failures begin with.
const MARK: &str = "under validation:";

/// Opens the backend, after seeing that the layer reports a violation committed on purpose.
pub fn open() -> Result<Box<dyn Backend>, String> {
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
