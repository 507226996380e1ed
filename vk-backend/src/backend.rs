//! The backend behind core's traits.

use crate::device::{Cap, Caps, Device, Error, Memory, Options as DeviceOptions, spirv_assembly};
use crate::guarded::OwnKernels;
use crate::hazards;
use crate::limits;
use crate::print::{self, RECORD_BYTES};
use crate::recording::{Command, KernelId, Range, Recording};
use crate::run::{Facts, Running, Setting, device_error, group_size};
use crate::tuning::Tuning;
use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Limits, Options, Profile, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check::Checked;
use futi_core::prim::ScalarType;
use futi_core::value::{Array, Value, count, raw};
use futi_kernels::generate::{checked, lower};
use futi_kernels::host::CheckedHost;
use futi_kernels::host::ir::{HostKernel, Param};
use futi_kernels::host::options::MemoryOptions;
use futi_kernels::host::run::{Buffer, Datum, call};
use futi_kernels::host::tally::Tallies;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A Vulkan device as a backend.
#[derive(Clone)]
pub struct Vulkan {
    shared: Arc<Shared>,
}

struct Shared {
    device: Device,
    failure: Memory,
    /// Held by whoever uses the device: a run reuses memory that other work might be reading. Whether the record may tell of a failure of an earlier run.
    turn: Mutex<bool>,
    /// Kernels of the backend's own.
    own: Mutex<OwnKernels>,
    /// What runs have recorded, if that is to be kept.
    kept: Mutex<Option<Vec<Recording>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Vulkan {
    /// Opens the device that the environment asks for: [`DeviceOptions::from_env`].
    pub fn open() -> Result<Vulkan, Error> {
        Vulkan::open_with(&DeviceOptions::from_env()?)
    }

    /// Opens the device that the options ask for.
    pub fn open_with(options: &DeviceOptions) -> Result<Vulkan, Error> {
        let device = Device::open(options)?;
        let failure = device.alloc(RECORD_BYTES as u64)?;
        let (turn, own, kept) = (Mutex::new(true), Mutex::default(), Mutex::default());
        Ok(Vulkan { shared: Arc::new(Shared { device, failure, turn, own, kept }) })
    }

    /// What the device can do.
    pub fn caps(&self) -> &Caps {
        self.shared.device.caps()
    }

    /// What Khronos's validation layer has said so far, if it was asked for.
    pub fn messages(&self) -> Vec<String> {
        self.shared.device.messages()
    }

    /// Violates a rule of synchronization on purpose: two writes of the same memory, unordered. A validation layer that is awake has something to
    /// say afterwards.
    pub fn violate(&self) -> Result<(), Error> {
        let _turn = lock(&self.shared.turn);
        let fill = Command::Fill { dst: self.shared.failure.range(), word: 0 };
        self.shared.device.run(&Recording::verbatim(vec![fill.clone(), fill]), &[], false).map(|_| ())
    }

    /// Keeps the recordings of all runs from now on, for [`Vulkan::kept`].
    pub fn keep_recordings(&self) {
        *lock(&self.shared.kept) = Some(Vec::new());
    }

    /// The recordings kept so far, which are then no longer kept.
    pub fn kept(&self) -> Vec<Recording> {
        lock(&self.shared.kept).as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Bytes of device memory in use now, and the most so far.
    pub fn memory_usage(&self) -> (u64, u64) {
        self.shared.device.memory_usage()
    }
}

/// The GLSL of all kernels of a flat program, each with its name before it, as for a GPU that has every capability. No device is needed.
///
/// # Errors
/// All constructs that cannot be compiled.
pub fn glsl_text(program: &Checked<Program>) -> Result<String, Vec<Unsupported>> {
    Ok(sources(program)?.iter().map(|(name, source)| format!("// {name}\n{source}\n")).collect())
}

/// How many kernels a flat program has on a GPU that has every capability. No device is needed.
///
/// # Errors
/// All constructs that cannot be compiled.
pub fn kernels(program: &Checked<Program>) -> Result<usize, Vec<Unsupported>> {
    let host = lower(program, &MemoryOptions::default())?;
    let refused = refusals(&host.kernels, &Caps::complete());
    if refused.is_empty() { Ok(host.kernels.len()) } else { Err(refused) }
}

/// The names of all kernels of a flat program, and their GLSL.
fn sources(program: &Checked<Program>) -> Result<Vec<(String, String)>, Vec<Unsupported>> {
    let (host, caps) = (lower(program, &MemoryOptions::default())?, Caps::complete());
    let source = |kernel: &HostKernel| {
        let ir = kernel.kernel.kernel();
        Ok((ir.name.to_string(), print::print(&kernel.kernel, &caps, group_size(ir, &caps))?))
    };
    host.kernels.iter().map(source).collect()
}

/// The SPIR-V that shaderc makes of that, as text, before it is marked that nothing is contracted and how floats are rounded.
///
/// # Errors
/// All constructs that cannot be compiled; inside, what the compiler says.
pub fn spirv_text(program: &Checked<Program>) -> Result<Result<String, Error>, Vec<Unsupported>> {
    let text = |(name, source): (String, String)| Ok(format!("; {name}\n{}\n", spirv_assembly(&source, &name)?));
    Ok(sources(program)?.into_iter().map(text).collect())
}

/// A host program that a device can run.
fn loaded(program: &Checked<Program>, caps: &Caps, memory: &MemoryOptions) -> Result<CheckedHost, Vec<Unsupported>> {
    let host = checked(program, memory)?;
    let refused = refusals(&host.kernels, caps);
    if refused.is_empty() { Ok(host) } else { Err(refused) }
}

/// What kernels ask for that a device of these capabilities lacks.
fn refusals(kernels: &[HostKernel], caps: &Caps) -> Vec<Unsupported> {
    let refused = |kernel: &HostKernel| print::refusals(&kernel.kernel, caps, group_size(kernel.kernel.kernel(), caps));
    let mut refused: Vec<Unsupported> = kernels.iter().flat_map(refused).collect();
    refused.dedup();
    refused
}

impl Backend for Vulkan {
    fn name(&self) -> &str {
        "vulkan"
    }

    fn level(&self) -> IrLevel {
        IrLevel::Flat
    }

    fn flushes_subnormals(&self) -> bool {
        !self.caps().has(Cap::KeepSubnormalF32)
    }

    fn describe(&self) -> Vec<(String, String)> {
        let caps = self.caps();
        let has: Vec<&str> = caps.has.iter().map(|cap| cap.name()).collect();
        [
            ("device", caps.name.clone()),
            ("kind", format!("{:?}", caps.kind).to_lowercase()),
            ("driver", caps.driver.clone()),
            ("Vulkan", format!("{}.{}", caps.api.0, caps.api.1)),
            ("memory", format!("{} MiB", caps.memory >> 20)),
            ("capabilities", has.join(" ")),
        ]
        .into_iter()
        .map(|(what, is)| (what.to_owned(), is))
        .collect()
    }

    fn compile(&self, program: &Checked<Program>, options: &Options) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        let mut tuning = Tuning::of(self.caps());
        tuning.set(&options.tuning);
        let program = loaded(program, self.caps(), &tuning.memory)?;
        let compiled = program.kernels.iter().map(|_| OnceLock::new()).collect();
        let facts = program.kernels.iter().map(|k| Facts::of(k.kernel.kernel(), self.caps())).collect();
        Ok(Box::new(Compiled {
            shared: self.shared.clone(),
            program,
            facts,
            compiled,
            constants: OnceLock::new(),
            tuning,
            patient: OnceLock::new(),
            tallies: Mutex::default(),
        }))
    }

    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        let _turn = lock(&self.shared.turn);
        let datum = match value {
            Value::Scalar(x) => Datum::Scalar(*x),
            Value::Array(array) => {
                let (elem, len) = (array.elem(), array.len() as u64);
                let buffer = Buffer { memory: upload(&self.shared.device, array)?, elem, len };
                Datum::Array { buffer, offset: 0, shape: array.shape().to_vec() }
            }
        };
        Ok(Handle(Arc::new(datum)))
    }

    fn shape(&self, handle: &Handle) -> Result<(ScalarType, Vec<usize>), RuntimeError> {
        Ok(match datum(handle)? {
            Datum::Scalar(x) => (x.scalar_type(), Vec::new()),
            Datum::Array { buffer, shape, .. } => (buffer.elem, shape.clone()),
        })
    }

    fn peak_memory(&self) -> Option<u64> {
        Some(self.memory_usage().1)
    }

    fn limits(&self) -> Result<Option<Limits>, RuntimeError> {
        let _turn = lock(&self.shared.turn);
        limits::measured(&self.shared.device).map_err(device_error)
    }

    fn wait(&self, handle: &Handle) -> Result<(), RuntimeError> {
        // a run has ended when its call comes back
        datum(handle).map(drop)
    }

    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        let _turn = lock(&self.shared.turn);
        match datum(handle)? {
            Datum::Scalar(x) => Ok((*x).into()),
            Datum::Array { buffer, offset, shape } => {
                let width = buffer.elem.bytes() as u64;
                let start = buffer.memory.range().start + offset * width;
                let range = Range::new(start, count(shape) as u64 * width);
                let device = &self.shared.device;
                raw::filled(buffer.elem, shape, |room| device.download(range, room).map_err(device_error))
            }
        }
    }
}

fn foreign() -> RuntimeError {
    RuntimeError::internal("a handle of another backend")
}

fn datum(handle: &Handle) -> Result<&Datum<Arc<Memory>>, RuntimeError> {
    handle.0.downcast_ref().ok_or_else(foreign)
}

/// What a handle stands for that is given up: nothing else has its memory if nothing else has the handle, nor has another one the memory.
fn taken(handle: Handle) -> Result<Datum<Arc<Memory>>, RuntimeError> {
    handle.0.downcast().map(Arc::unwrap_or_clone).map_err(|_| foreign())
}

fn upload(device: &Device, array: &Array) -> Result<Arc<Memory>, RuntimeError> {
    let bytes = raw::bytes(array);
    let memory = match device.alloc(bytes.len() as u64) {
        Err(Error::OutOfMemory { .. }) => {
            device.trim();
            device.alloc(bytes.len() as u64)
        }
        other => other,
    };
    let memory = Arc::new(memory.map_err(device_error)?);
    device.upload(memory.range(), bytes).map_err(device_error)?;
    Ok(memory)
}

/// A compiled program.
struct Compiled {
    shared: Arc<Shared>,
    program: CheckedHost,
    facts: Vec<Facts>,
    compiled: Vec<OnceLock<KernelId>>,
    constants: OnceLock<Vec<Arc<Memory>>>,
    tuning: Tuning,
    /// How, since a kernel has run out of rounds.
    patient: OnceLock<Tuning>,
    tallies: Mutex<Tallies>,
}

impl Compiled {
    fn constants(&self) -> Result<&[Arc<Memory>], RuntimeError> {
        if let Some(constants) = self.constants.get() {
            return Ok(constants);
        }
        let constants: Result<Vec<Arc<Memory>>, RuntimeError> =
            self.program.constants.iter().map(|array| upload(&self.shared.device, array)).collect();
        let constants = constants?;
        Ok(self.constants.get_or_init(|| constants))
    }

    /// Whether an entry point may use arguments up.
    fn consumes(&self, entry: &str) -> bool {
        let params = self.program.entry(entry).into_iter().flat_map(|fun| &fun.params);
        params.into_iter().any(|param| matches!(param, Param::Array { unique: true, .. }))
    }

    /// A call's results, and whether a kernel has run out of rounds: Note [Out of rounds].
    fn run(
        &self,
        entry: &str,
        args: Vec<Datum<Arc<Memory>>>,
        ctx: &CallCtx,
        tuning: &Tuning,
    ) -> Result<Ran, RuntimeError> {
        let mut reported = lock(&self.shared.turn);
        let watch = |recording: &Recording| {
            debug_assert_eq!(hazards::check(recording), [], "a recording lacks a barrier");
            if let Some(kept) = lock(&self.shared.kept).as_mut() {
                kept.push(recording.clone());
            }
        };
        let mut tallies = lock(&self.tallies);
        let setting = Setting {
            device: &self.shared.device,
            record: self.shared.failure.range(),
            reported: *reported,
            program: &self.program,
            facts: &self.facts,
            compiled: &self.compiled,
            own: &self.shared.own,
            constants: self.constants()?,
            tuning,
            ctx,
            watch: &watch,
        };
        let mut running = Running::new(setting, std::mem::take(&mut *tallies));
        let results = call(&mut running, &self.program, entry, args).map_err(|error| running.failed(error));
        *reported = results.is_err();
        let out_of_rounds = running.out_of_rounds;
        *tallies = running.tallies;
        Ok((results, out_of_rounds))
    }
}

/// What a call has come to, and whether a kernel ran out of rounds.
type Ran = (Result<Vec<Datum<Arc<Memory>>>, RuntimeError>, bool);

// Note [Out of rounds]
// ~~~~~~~~~~~~~~~~~~~~
// Where a driver limits the rounds of an invocation's loops (`Caps::loop_limit`), a call that has come to the limit is made once more, with more of it in parallel: nests in their versions for few points, reductions
// and scans in more parts, loops round by round (`Tuning::patient`). So are later calls of the program. Only what consumes none of its arguments can be called again.

impl Executable for Compiled {
    fn call(&self, entry: &str, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        let args: Vec<Datum<Arc<Memory>>> = args.into_iter().map(taken).collect::<Result<_, _>>()?;
        let limited = self.shared.device.caps().loop_limit.is_some();
        let again = (limited && !self.consumes(entry)).then(|| args.clone());
        let patient = self.patient.get();
        let (mut results, out_of_rounds) = self.run(entry, args, ctx, patient.unwrap_or(&self.tuning))?;
        if let Some(args) = again.filter(|_| out_of_rounds && patient.is_none()) {
            let patient = self.patient.get_or_init(|| self.tuning.patient());
            (results, _) = self.run(entry, args, ctx, patient)?;
        }
        Ok(results?.into_iter().map(|datum| Handle(Arc::new(datum))).collect())
    }

    fn tuning(&self) -> Vec<(String, i64)> {
        [self.tuning.list(), self.tuning.thresholds.list(&self.program)].concat()
    }

    fn profile(&self) -> Profile {
        lock(&self.tallies).profile(&self.program)
    }
}
