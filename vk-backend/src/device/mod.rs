//! Everything that touches Vulkan. The rest of the crate sees the functions of [`Device`], [`Memory`] and plain data.

mod cache;
mod caps;
mod doubles;
mod error;
mod free_list;
mod gpu;
mod kernels;
mod memory;
mod run;
mod spirv;

pub use caps::{Cap, Caps, DeviceKind};
pub use error::Error;
pub use gpu::{Options, Validation, list};
pub use kernels::spirv_assembly;
pub use memory::Memory;
pub use run::{Ran, Timing};

use crate::recording::{KernelId, Range, Recording};
use gpu::Gpu;
use kernels::Kernels;
use memory::Pool;
use run::Runner;
use std::sync::{Arc, Mutex, PoisonError};

/// An open device. Its methods can be called from any thread; what runs on it runs one at a time, and has run when the method returns.
pub struct Device {
    gpu: Arc<Gpu>,
    pool: Arc<Pool>,
    kernels: Mutex<Kernels>,
    runner: Mutex<Runner>,
}

impl Device {
    /// Opens the device that the options ask for.
    pub fn open(options: &Options) -> Result<Device, Error> {
        let gpu = Arc::new(Gpu::open(options)?);
        let mapped = gpu.caps.has(Cap::UnifiedMemory);
        let pool = Arc::new(Pool::new(gpu.clone(), gpu.memory_type, mapped));
        let kernels =
            Mutex::new(Kernels::new(gpu.clone(), cache::Cache::new(options.cache.clone(), gpu.fingerprint.clone()))?);
        let runner = Mutex::new(Runner::new(gpu.clone())?);
        Ok(Device { gpu, pool, kernels, runner })
    }

    /// What the device can do.
    pub fn caps(&self) -> &Caps {
        &self.gpu.caps
    }

    /// Allocates `len` bytes with undefined contents, which are given back when the result is dropped.
    pub fn alloc(&self, len: u64) -> Result<Memory, Error> {
        self.pool.alloc(len)
    }

    /// Copies bytes to the start of a range that is at least as long.
    pub fn upload(&self, to: Range, bytes: &[u8]) -> Result<(), Error> {
        self.runner.lock().unwrap_or_else(PoisonError::into_inner).upload(to, bytes, &self.pool)
    }

    /// Fills `bytes` from the start of a range that is at least as long.
    pub fn download(&self, from: Range, bytes: &mut [u8]) -> Result<(), Error> {
        self.runner.lock().unwrap_or_else(PoisonError::into_inner).download(from, bytes, &self.pool)
    }

    /// The kernel with that GLSL source: compiled now, or found if it has been before. Its only push constant is the address of its arguments.
    pub fn compile(&self, source: &str, label: &str) -> Result<KernelId, Error> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let id = kernels.announce(source, label);
        kernels.compile().map(|()| id)
    }

    /// The kernel with that GLSL source, which is compiled with all others that were announced before a recording runs.
    pub fn announce(&self, source: &str, label: &str) -> KernelId {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner).announce(source, label)
    }

    /// The SPIR-V that the driver gets of such a source.
    pub fn spirv(&self, source: &str, label: &str) -> Result<Vec<u32>, Error> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner).spirv(&mut None, source, label)
    }

    /// The GLSL that a kernel was compiled from; nothing for one of another device.
    pub fn source(&self, kernel: KernelId) -> Option<String> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner).source(kernel).map(str::to_owned)
    }

    /// Runs a recording exactly as it is, waits, and gives the contents of ranges after it. With `profile`, dispatches run one by one and are
    /// timed, if the device can ([`Cap::Timestamps`]); else there are no timings.
    pub fn run(&self, recording: &Recording, read: &[Range], profile: bool) -> Result<Ran, Error> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        kernels.compile()?;
        let mut runner = self.runner.lock().unwrap_or_else(PoisonError::into_inner);
        runner.run(recording, read, &kernels, &self.pool, profile && self.caps().has(Cap::Timestamps))
    }

    /// Gives memory in which nothing lives back to the system. A recording that has not run may still name such: run it first.
    pub fn trim(&self) {
        self.pool.trim();
    }

    /// What the validation layer has said so far; nothing if it was not asked for.
    pub fn messages(&self) -> Vec<String> {
        self.gpu.messages()
    }

    /// Bytes of device memory in use now, and the most so far.
    pub fn memory_usage(&self) -> (u64, u64) {
        self.pool.usage()
    }
}
