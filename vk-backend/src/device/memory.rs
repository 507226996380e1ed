//! Device memory: big blocks, parts of which are handed out by address.

use super::error::{Error, vulkan};
use super::free_list::FreeList;
use super::gpu::Gpu;
use crate::recording::Range;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vulkano::buffer::sys::RawBuffer;
use vulkano::buffer::{Buffer, BufferCreateInfo, BufferMemory, BufferUsage, Subbuffer};
use vulkano::memory::{DeviceMemory, MemoryAllocateFlags, MemoryAllocateInfo, MemoryMapInfo, ResourceMemory};

/// Every allocation starts at a multiple of this, and takes a multiple of it.
pub(crate) const ALIGNMENT: u64 = 256;

/// What small allocations share; a larger one gets a block of its own.
const BLOCK: u64 = 64 << 20;

/// One allocation made of Vulkan, one buffer over all of it.
struct Block {
    buffer: Arc<Buffer>,
    free: FreeList,
}

/// All device memory of a [`super::Device`].
pub(super) struct Pool {
    gpu: Arc<Gpu>,
    /// The memory type that blocks are of, and whether they are mapped.
    memory_type: u32,
    mapped: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By address.
    blocks: BTreeMap<u64, Block>,
    in_use: u64,
    peak: u64,
}

/// Bytes of device memory, given back when dropped. What a recording that has not run yet does with them is safe nevertheless: see
/// [`crate::recording`].
pub struct Memory {
    range: Range,
    taken: u64,
    pool: Arc<Pool>,
}

impl Memory {
    /// Where it is: as long as was asked for.
    pub fn range(&self) -> Range {
        self.range
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({:#x}+{})", self.range.start, self.range.len)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let mut state = self.pool.state();
        state.in_use -= self.taken;
        if let Some((&address, block)) = state.blocks.range_mut(..=self.range.start).next_back() {
            block.free.give(self.range.start - address, self.taken);
        }
    }
}

impl Pool {
    pub(super) fn new(gpu: Arc<Gpu>, memory_type: u32, mapped: bool) -> Pool {
        Pool { gpu, memory_type, mapped, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `len` bytes, with undefined contents. An allocation of no bytes has an address too.
    pub(super) fn alloc(self: &Arc<Self>, len: u64) -> Result<Memory, Error> {
        let mut state = self.state();
        let exhausted = Error::OutOfMemory { requested: len, in_use: state.in_use };
        let Some(taken) = len.max(1).checked_next_multiple_of(ALIGNMENT) else { return Err(exhausted) };
        let fit = |state: &State| {
            let fits = state.blocks.iter().filter_map(|(&address, block)| {
                let (offset, free) = block.free.best_fit(taken)?;
                Some((free, address, offset))
            });
            fits.min()
        };
        if fit(&state).is_none() {
            let size = taken.max(BLOCK.min(self.gpu.caps.memory / 16).next_multiple_of(ALIGNMENT));
            let grown = new_block(&self.gpu, self.memory_type, size, self.mapped)
                .or_else(|_| new_block(&self.gpu, self.memory_type, taken, self.mapped));
            let (address, buffer) = grown.map_err(|_| exhausted.clone())?;
            let free = FreeList::new(buffer.size());
            state.blocks.insert(address, Block { buffer, free });
        }
        let (_, address, offset) = fit(&state).ok_or(exhausted)?;
        if let Some(block) = state.blocks.get_mut(&address) {
            block.free.take(offset, taken);
        }
        state.in_use += taken;
        state.peak = state.peak.max(state.in_use);
        Ok(Memory { range: Range::new(address + offset, len), taken, pool: self.clone() })
    }

    /// Gives up the blocks in which nothing lives.
    pub(super) fn trim(&self) {
        self.state().blocks.retain(|_, block| !block.free.is_unused());
    }

    /// The buffer that holds a range, and the range as a part of it.
    pub(super) fn find(&self, range: Range) -> Result<Subbuffer<[u8]>, Error> {
        let state = self.state();
        let missing = Error::BadRange { start: range.start, len: range.len };
        let Some((&address, block)) = state.blocks.range(..=range.start).next_back() else { return Err(missing) };
        let offset = range.start - address;
        if range.len == 0 || offset + range.len > block.buffer.size() {
            return Err(missing);
        }
        Ok(Subbuffer::new(block.buffer.clone()).slice(offset..offset + range.len))
    }

    /// Whether the host sees the memory.
    pub(super) fn is_mapped(&self) -> bool {
        self.mapped
    }

    /// Bytes in use now, and the most so far.
    pub(super) fn usage(&self) -> (u64, u64) {
        let state = self.state();
        (state.in_use, state.peak)
    }
}

/// One allocation with one buffer over it; its address.
pub(super) fn new_block(
    gpu: &Arc<Gpu>,
    memory_type: u32,
    size: u64,
    mapped: bool,
) -> Result<(u64, Arc<Buffer>), Error> {
    let usage = BufferUsage::SHADER_DEVICE_ADDRESS
        | BufferUsage::STORAGE_BUFFER
        | BufferUsage::TRANSFER_SRC
        | BufferUsage::TRANSFER_DST;
    let during = "allocating memory";
    let create_info = BufferCreateInfo { size, usage, ..Default::default() };
    let raw = RawBuffer::new(gpu.device.clone(), create_info).map_err(vulkan(during))?;
    let allocate_info = MemoryAllocateInfo {
        allocation_size: raw.memory_requirements().layout.size(),
        memory_type_index: memory_type,
        flags: MemoryAllocateFlags::DEVICE_ADDRESS,
        ..Default::default()
    };
    let mut memory = DeviceMemory::allocate(gpu.device.clone(), allocate_info).map_err(vulkan(during))?;
    if mapped {
        let whole = MemoryMapInfo { size: memory.allocation_size(), ..Default::default() };
        memory.map(whole).map_err(vulkan(during))?;
    }
    let buffer = raw.bind_memory(ResourceMemory::new_dedicated(memory)).map_err(|(error, ..)| vulkan(during)(error))?;
    let address = buffer.device_address().map_err(vulkan(during))?.get();
    Ok((address, Arc::new(buffer)))
}

/// The bytes of a mapped buffer, through which the host reads and writes.
pub(super) fn host_bytes(part: &Subbuffer<[u8]>) -> Result<*mut [u8], Error> {
    let during = "reaching host-visible memory";
    let unmapped = || Error::Vulkan { during, error: "the memory is not mapped".into() };
    let BufferMemory::Normal(memory) = part.buffer().memory() else { return Err(unmapped()) };
    let range = part.offset()..part.offset() + part.size();
    let slice = memory.mapped_slice(range).ok_or_else(unmapped)?.map_err(vulkan(during))?;
    Ok(slice.as_ptr())
}
