//! The backend behind core's traits.

use crate::device::{Caps, Device, Error, Memory, Options as DeviceOptions};
use crate::hazards;
use crate::kernels::FAILURE_BYTES;
use crate::limits;
use crate::plan::lower::lower;
use crate::plan::run::{Machine, Tally, device_error, run};
use crate::plan::tuning::Tuning;
use crate::plan::val::{DeviceArray, Val};
use crate::plan::{KernelIndex, Plan};
use crate::recording::{Command, KernelId, Recording};
use futi_core::backend::{
    Backend, CallCtx, Executable, Handle, IrLevel, KernelProfile, Limits, Options, Profile, Unsupported,
};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::check::Checked;
use futi_core::ir::{Dim, Program, Prov, Type};
use futi_core::prim::ScalarType;
use futi_core::value::{Array, Value, raw};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A Vulkan device as a backend.
#[derive(Clone)]
pub struct Vulkan {
    shared: Arc<Shared>,
}

struct Shared {
    device: Device,
    failure: Memory,
    /// Held by whoever uses the device: a run reuses memory that other work might be reading.
    turn: Mutex<()>,
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
        let failure = device.alloc(FAILURE_BYTES)?;
        Ok(Vulkan { shared: Arc::new(Shared { device, failure, turn: Mutex::default(), kept: Mutex::default() }) })
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
pub fn glsl_text(program: &Checked<Program>) -> Result<String, Vec<Unsupported>> {
    let plan = lower(program, &Caps::complete())?;
    Ok(plan.kernels.iter().map(|(name, kernel)| format!("// {name}\n{}\n", kernel.source)).collect())
}

impl Backend for Vulkan {
    fn name(&self) -> &str {
        "vulkan"
    }

    fn level(&self) -> IrLevel {
        IrLevel::Flat
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
        let plan = lower(program, self.caps())?;
        let mut tuning = Tuning::of(self.caps());
        tuning.set(&options.tuning);
        let compiled = plan.kernels.iter().map(|_| OnceLock::new()).collect();
        Ok(Box::new(Compiled {
            shared: self.shared.clone(),
            plan,
            compiled,
            constants: OnceLock::new(),
            tuning,
            profile: Mutex::default(),
        }))
    }

    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        let _turn = lock(&self.shared.turn);
        let val = match value {
            Value::Scalar(x) => Val::Scalar(*x),
            Value::Array(array) => Val::Array(upload(&self.shared.device, array)?),
        };
        Ok(Handle(Arc::new(val)))
    }

    fn shape(&self, handle: &Handle) -> Result<(ScalarType, Vec<usize>), RuntimeError> {
        match val(handle)? {
            Val::Scalar(x) => Ok((x.scalar_type(), Vec::new())),
            Val::Cell(cell, _) => Ok((cell.elem, Vec::new())),
            Val::Array(array) => Ok((array.elem, array.shape.iter().map(|n| *n as usize).collect())),
        }
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
        val(handle).map(drop)
    }

    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        let _turn = lock(&self.shared.turn);
        match val(handle)? {
            Val::Scalar(x) | Val::Cell(_, Some(x)) => Ok((*x).into()),
            Val::Cell(cell, None) => download(&self.shared.device, cell, &[]),
            Val::Array(array) => {
                let shape: Vec<usize> = array.shape.iter().map(|n| *n as usize).collect();
                download(&self.shared.device, array, &shape)
            }
        }
    }
}

fn val(handle: &Handle) -> Result<&Val, RuntimeError> {
    handle.0.downcast_ref::<Val>().ok_or_else(|| RuntimeError::internal("a handle of another backend"))
}

fn upload(device: &Device, array: &Array) -> Result<DeviceArray, RuntimeError> {
    let (elem, bytes) = (array.elem(), raw::bytes(array));
    let memory = match device.alloc(bytes.len() as u64) {
        Err(Error::OutOfMemory { .. }) => {
            device.trim();
            device.alloc(bytes.len() as u64)
        }
        other => other,
    };
    let memory = Arc::new(memory.map_err(device_error)?);
    device.upload(memory.range(), bytes).map_err(device_error)?;
    let shape = array.shape().iter().map(|n| *n as i64).collect();
    Ok(DeviceArray { elem, shape, range: memory.range(), memory })
}

fn download(device: &Device, array: &DeviceArray, shape: &[usize]) -> Result<Value, RuntimeError> {
    raw::filled(array.elem, shape, |room| device.download(array.range, room).map_err(device_error))
}

/// A compiled program.
struct Compiled {
    shared: Arc<Shared>,
    plan: Plan,
    compiled: Vec<OnceLock<KernelId>>,
    constants: OnceLock<Vec<DeviceArray>>,
    tuning: Tuning,
    profile: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    kernels: Vec<(KernelIndex, Tally)>,
    host_operations: u64,
}

impl Compiled {
    fn constants(&self) -> Result<&[DeviceArray], RuntimeError> {
        if let Some(constants) = self.constants.get() {
            return Ok(constants);
        }
        let constants: Result<Vec<DeviceArray>, RuntimeError> =
            self.plan.constants.iter().map(|array| upload(&self.shared.device, array)).collect();
        let constants = constants?;
        Ok(self.constants.get_or_init(|| constants))
    }
}

impl Executable for Compiled {
    fn call(&self, entry: &str, args: &[Handle], ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        let arguments = |message: String| RuntimeError::new(FailureKind::Arguments, message);
        let found = self.plan.entries.iter().find(|(name, _)| name.as_str() == entry);
        let (_, entry) = found.ok_or_else(|| arguments(format!("there is no entry point {entry}")))?;
        if args.len() != entry.params.len() {
            return Err(arguments(format!("{} arguments for {} parameters", args.len(), entry.params.len())));
        }
        let _turn = lock(&self.shared.turn);
        let mut vals = Vec::new();
        for ((binder, _), arg) in entry.params.iter().zip(args) {
            // A scalar result of an earlier call may be on the device still; a parameter is the host's.
            let val = match val(arg)? {
                Val::Cell(_, Some(x)) => Val::Scalar(*x),
                Val::Cell(cell, None) => match download(&self.shared.device, cell, &[])? {
                    Value::Scalar(x) => Val::Scalar(x),
                    Value::Array(_) => return Err(RuntimeError::internal("a cell is an array")),
                },
                other => other.clone(),
            };
            let fits = match (&binder.ty, &val) {
                (Type::Scalar(ty), Val::Scalar(x)) => x.scalar_type() == *ty,
                (Type::Array(elem, shape), Val::Array(a)) => *elem == a.elem && shape.len() == a.shape.len(),
                _ => false,
            };
            // Kernels index by the sizes that they are told.
            let told = |dim: &Dim| match dim {
                Dim::Const(n) => Some(*n),
                Dim::Var(size) => {
                    let position = entry.params.iter().position(|(binder, _)| binder.var == *size)?;
                    match vals.get(position)? {
                        Val::Scalar(n) => n.as_i64(),
                        Val::Cell(..) | Val::Array(_) => None,
                    }
                }
            };
            if let Val::Array(array) = &val
                && fits
                && !binder.ty.shape().iter().zip(&array.shape).all(|(dim, n)| told(dim) == Some(*n))
            {
                return Err(arguments(format!(
                    "the argument for {} has another shape: {:?}",
                    binder.name, array.shape
                )));
            }
            if !fits {
                return Err(arguments(format!("the argument for {} has another type", binder.name)));
            }
            vals.push(val);
        }
        let watch = |recording: &Recording| {
            debug_assert_eq!(hazards::check(recording), [], "a recording lacks a barrier");
            if let Some(kept) = lock(&self.shared.kept).as_mut() {
                kept.push(recording.clone());
            }
        };
        let machine = Machine {
            device: &self.shared.device,
            failure: self.shared.failure.range(),
            plan: &self.plan,
            compiled: &self.compiled,
            constants: self.constants()?,
            tuning: &self.tuning,
            ctx,
            watch: &watch,
        };
        let (results, tallies) = run(&machine, entry, vals);
        let mut counts = lock(&self.profile);
        counts.host_operations += tallies.host_operations;
        for (kernel, tally) in tallies.kernels {
            let position = counts.kernels.iter().position(|(index, _)| *index == kernel).unwrap_or_else(|| {
                counts.kernels.push((kernel, Tally::default()));
                counts.kernels.len() - 1
            });
            let sum = &mut counts.kernels[position].1;
            sum.launches += tally.launches;
            sum.invocations += tally.invocations;
            sum.operations += tally.operations;
            sum.bytes += tally.bytes;
            if let Some(nanoseconds) = tally.nanoseconds {
                *sum.nanoseconds.get_or_insert(0) += nanoseconds;
            }
        }
        Ok(results?.into_iter().map(|val| Handle(Arc::new(val))).collect())
    }

    fn tuning(&self) -> Vec<(String, i64)> {
        self.tuning.list()
    }

    fn profile(&self) -> Profile {
        let counts = lock(&self.profile);
        let kernel = |(index, tally): &(KernelIndex, Tally)| KernelProfile {
            name: self.plan.kernels[index.0].0.clone(),
            prov: self.plan.places[index.0],
            launches: tally.launches,
            invocations: tally.invocations,
            operations: tally.operations,
            bytes: tally.bytes,
            nanoseconds: tally.nanoseconds,
        };
        let host = KernelProfile {
            name: "host".into(),
            prov: Prov::UNKNOWN,
            launches: 0,
            invocations: 1,
            operations: counts.host_operations,
            bytes: 0,
            nanoseconds: None,
        };
        Profile { kernels: counts.kernels.iter().map(kernel).chain([host]).collect() }
    }
}
