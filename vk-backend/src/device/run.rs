//! Running a [`Recording`], and moving bytes between host and device.

use super::error::{Error, vulkan};
use super::gpu::Gpu;
use super::kernels::Kernels;
use super::memory::{Pool, host_bytes, new_block};
use crate::recording::{Command, Dispatch, Range, Recording};
use std::sync::Arc;
use vulkano::VulkanObject;
use vulkano::buffer::{Buffer, Subbuffer};
use vulkano::command_buffer::RecordingCommandBuffer;
use vulkano::command_buffer::allocator::{CommandBufferAllocator, StandardCommandBufferAllocator};
use vulkano::command_buffer::{CommandBufferBeginInfo, CommandBufferLevel, CommandBufferUsage, CopyBufferInfo};
use vulkano::memory::MemoryPropertyFlags;
use vulkano::query::{QueryPool, QueryPoolCreateInfo, QueryResultFlags, QueryType};
use vulkano::sync::fence::Fence;
use vulkano::sync::{AccessFlags, DependencyInfo, MemoryBarrier, PipelineStage, PipelineStages};

/// How long one dispatch took on the device.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The position of the dispatch in the recording.
    pub command: usize,
    /// Its duration.
    pub nanoseconds: f64,
}

/// What a run gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// The bytes of the ranges asked for, as the commands have left them.
    pub read: Vec<Vec<u8>>,
    /// How long each dispatch took, if that was asked for.
    pub timings: Vec<Timing>,
}

/// A buffer that the host sees, kept from one use to the next and replaced by a larger one when it must be.
struct HostBuffer {
    memory_type: u32,
    current: Option<(u64, Arc<Buffer>)>,
}

impl HostBuffer {
    fn at_least(&mut self, gpu: &Arc<Gpu>, len: u64) -> Result<(u64, Subbuffer<[u8]>), Error> {
        let (address, buffer) = match self.current.take().filter(|(_, buffer)| buffer.size() >= len) {
            Some(current) => current,
            None => new_block(gpu, self.memory_type, len.next_power_of_two().max(4096), true)?,
        };
        self.current = Some((address, buffer.clone()));
        Ok((address, Subbuffer::new(buffer)))
    }
}

/// What runs recordings: one at a time, each to its end.
pub(super) struct Runner {
    gpu: Arc<Gpu>,
    allocator: Arc<dyn CommandBufferAllocator>,
    /// Where the argument blocks of a recording are.
    arguments: HostBuffer,
    /// Where bytes are on their way to and from memory that the host does not see.
    staging: HostBuffer,
    /// Kept from run to run, since drivers take their time to make one: a pool of timestamps and a fence.
    timestamps: Option<Arc<QueryPool>>,
    fence: Option<Fence>,
}

/// Bytes of the staging buffer.
const STAGING: u64 = 16 << 20;

/// Argument blocks start at multiples of this.
const ARGUMENT_ALIGNMENT: usize = 16;

impl Runner {
    pub(super) fn new(gpu: Arc<Gpu>) -> Result<Runner, Error> {
        let allocator = Arc::new(StandardCommandBufferAllocator::new(gpu.device.clone(), Default::default()));
        let arguments = host_memory_type(&gpu, MemoryPropertyFlags::DEVICE_LOCAL)?;
        let staging = host_memory_type(&gpu, MemoryPropertyFlags::HOST_CACHED)?;
        let host_buffer = |memory_type| HostBuffer { memory_type, current: None };
        let (arguments, staging) = (host_buffer(arguments), host_buffer(staging));
        Ok(Runner { gpu, allocator, arguments, staging, timestamps: None, fence: None })
    }

    /// Runs the commands, reads ranges, and waits. With `profile`, dispatches run one after the other and each is timed.
    pub(super) fn run(
        &mut self,
        recording: &Recording,
        read: &[Range],
        kernels: &Kernels,
        pool: &Pool,
        profile: bool,
    ) -> Result<Ran, Error> {
        let addresses = self.write_arguments(recording)?;
        let dispatches = || recording.commands().iter().enumerate().filter(|(_, c)| matches!(c, Command::Dispatch(_)));
        let count = if profile { dispatches().count() as u32 } else { 0 };
        let queries = if count > 0 { Some(self.timestamps(2 * count)?) } else { None };
        let during = "recording commands";
        let mut buffer = self.begin()?;
        if let Some(queries) = &queries {
            // SAFETY: no one else uses the pool.
            unsafe { buffer.reset_query_pool(queries, 0..2 * count) }.map_err(vulkan(during))?;
        }
        barrier(&mut buffer)?;
        let mut dispatched = 0;
        for command in recording.commands() {
            match command {
                Command::Barrier => barrier(&mut buffer)?,
                Command::Copy { src, dst } => copy(&mut buffer, pool.find(*src)?, pool.find(*dst)?)?,
                Command::Fill { dst, word } => {
                    let part = pool.find(*dst)?.reinterpret::<[u32]>();
                    // SAFETY: `find` keeps to memory that is there; order is the recording's business.
                    unsafe { buffer.fill_buffer(&part, *word) }.map_err(vulkan(during))?;
                }
                Command::Dispatch(dispatch) => {
                    stamp(&mut buffer, queries.as_deref(), 2 * dispatched)?;
                    self.dispatch(&mut buffer, dispatch, addresses[dispatched], kernels)?;
                    stamp(&mut buffer, queries.as_deref(), 2 * dispatched + 1)?;
                    dispatched += 1;
                }
            }
        }
        let read = self.read_back(read, buffer, pool)?;
        let Some(queries) = queries else { return Ok(Ran { read, timings: vec![] }) };
        let mut ticks = vec![0u64; 2 * count as usize];
        queries.get_results(0..2 * count, &mut ticks, QueryResultFlags::WAIT).map_err(vulkan("reading timestamps"))?;
        let period = f64::from(self.gpu.caps.timestamp_period);
        let nanoseconds = ticks.chunks_exact(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period);
        let timings = dispatches().zip(nanoseconds).map(|((command, _), nanoseconds)| Timing { command, nanoseconds });
        Ok(Ran { read, timings: timings.collect() })
    }

    /// Submits, and reads small ranges: on their way by the same submission where the host does not see the memory.
    fn read_back(
        &mut self,
        ranges: &[Range],
        mut buffer: RecordingCommandBuffer,
        pool: &Pool,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let parts: Vec<Subbuffer<[u8]>> = ranges.iter().map(|range| pool.find(*range)).collect::<Result<_, _>>()?;
        let mut places = parts.clone();
        if !pool.is_mapped() && !parts.is_empty() {
            let (_, staging) = self.staging.at_least(&self.gpu, ranges.iter().map(|range| range.len).sum())?;
            barrier(&mut buffer)?;
            let mut offset = 0;
            for (part, place) in parts.into_iter().zip(&mut places) {
                *place = staging.clone().slice(offset..offset + part.size());
                offset += part.size();
                copy(&mut buffer, part, place.clone())?;
            }
        }
        self.submit(buffer)?;
        let bytes = |place: &Subbuffer<[u8]>| {
            let mut bytes = vec![0; place.size() as usize];
            read_host(place, &mut bytes).map(|()| bytes)
        };
        places.iter().map(bytes).collect()
    }

    /// Copies bytes to the device.
    pub(super) fn upload(&mut self, to: Range, bytes: &[u8], pool: &Pool) -> Result<(), Error> {
        for (start, chunk) in (0u64..).step_by(STAGING as usize).zip(bytes.chunks(STAGING as usize)) {
            let part = pool.find(to.slice(start, chunk.len() as u64))?;
            if pool.is_mapped() {
                write_host(&part, chunk)?;
            } else {
                let (_, staging) = self.staging.at_least(&self.gpu, STAGING.min(bytes.len() as u64))?;
                write_host(&staging, chunk)?;
                let mut buffer = self.begin()?;
                copy(&mut buffer, staging.slice(0..chunk.len() as u64), part)?;
                self.submit(buffer)?;
            }
        }
        Ok(())
    }

    /// Copies bytes from the device.
    pub(super) fn download(&mut self, from: Range, bytes: &mut [u8], pool: &Pool) -> Result<(), Error> {
        let total = bytes.len() as u64;
        for (start, chunk) in (0u64..).step_by(STAGING as usize).zip(bytes.chunks_mut(STAGING as usize)) {
            let part = pool.find(from.slice(start, chunk.len() as u64))?;
            if pool.is_mapped() {
                read_host(&part, chunk)?;
            } else {
                let (_, staging) = self.staging.at_least(&self.gpu, STAGING.min(total))?;
                let mut buffer = self.begin()?;
                barrier(&mut buffer)?;
                copy(&mut buffer, part, staging.clone().slice(0..chunk.len() as u64))?;
                self.submit(buffer)?;
                read_host(&staging, chunk)?;
            }
        }
        Ok(())
    }

    /// Writes the argument blocks of all dispatches; their addresses.
    fn write_arguments(&mut self, recording: &Recording) -> Result<Vec<u64>, Error> {
        let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
        for command in recording.commands() {
            if let Command::Dispatch(dispatch) = command {
                bytes.resize(bytes.len().next_multiple_of(ARGUMENT_ALIGNMENT), 0);
                offsets.push(bytes.len() as u64);
                bytes.extend_from_slice(&dispatch.args);
            }
        }
        let (address, part) = self.arguments.at_least(&self.gpu, bytes.len() as u64)?;
        write_host(&part, &bytes)?;
        Ok(offsets.into_iter().map(|offset| address + offset).collect())
    }

    fn dispatch(
        &self,
        buffer: &mut RecordingCommandBuffer,
        dispatch: &Dispatch,
        arguments: u64,
        kernels: &Kernels,
    ) -> Result<(), Error> {
        let during = "recording a dispatch";
        let pipeline = kernels.pipeline(dispatch.kernel)?;
        // SAFETY: the kernel touches what its arguments name; that this is there, and in order, is its caller's business.
        unsafe {
            buffer.bind_pipeline_compute(pipeline).map_err(vulkan(during))?;
            buffer.push_constants(kernels.layout(), 0, &arguments).map_err(vulkan(during))?;
            buffer.dispatch(dispatch.groups).map_err(vulkan(during))?;
        }
        Ok(())
    }

    fn timestamps(&mut self, count: u32) -> Result<Arc<QueryPool>, Error> {
        if let Some(pool) = self.timestamps.as_ref().filter(|pool| pool.query_count() >= count) {
            return Ok(pool.clone());
        }
        let query_count = count.next_power_of_two();
        let create_info = QueryPoolCreateInfo { query_count, ..QueryPoolCreateInfo::query_type(QueryType::Timestamp) };
        let pool = QueryPool::new(self.gpu.device.clone(), create_info).map_err(vulkan("preparing timestamps"))?;
        Ok(self.timestamps.insert(pool).clone())
    }

    fn begin(&self) -> Result<RecordingCommandBuffer, Error> {
        let begin_info = CommandBufferBeginInfo { usage: CommandBufferUsage::OneTimeSubmit, ..Default::default() };
        let family = self.gpu.queue.queue_family_index();
        RecordingCommandBuffer::new(self.allocator.clone(), family, CommandBufferLevel::Primary, begin_info)
            .map_err(vulkan("recording commands"))
    }

    /// Submits, and waits.
    fn submit(&mut self, mut buffer: RecordingCommandBuffer) -> Result<(), Error> {
        let during = "running commands";
        barrier_to_host(&mut buffer)?;
        let fence = match self.fence.take() {
            Some(fence) => fence,
            None => Fence::new(self.gpu.device.clone(), Default::default()).map_err(vulkan(during))?,
        };
        // SAFETY: `buffer` and the fence live until the wait below is over, and so does all that the commands name: nobody frees a block
        // without the lock on the pool's state, and only unused blocks at that.
        unsafe {
            let commands = buffer.end().map_err(vulkan(during))?;
            let handles = [commands.handle()];
            let info = ash::vk::SubmitInfo::default().command_buffers(&handles);
            let submit = self.gpu.device.fns().v1_0.queue_submit;
            let queue = &self.gpu.queue;
            let result = queue.with(|_guard| submit(queue.handle(), 1, &info, fence.handle()));
            result.result().map_err(vulkan(during))?;
            if let Err(error) = fence.wait(None) {
                // The commands may still be running: what they use must not be freed.
                std::mem::forget((commands, fence));
                return Err(vulkan(during)(error));
            }
            // SAFETY: nothing waits for it any more.
            if fence.reset().is_ok() {
                self.fence = Some(fence);
            }
        }
        Ok(())
    }
}

/// A memory type that the host sees, if possible with a further property.
fn host_memory_type(gpu: &Gpu, also: MemoryPropertyFlags) -> Result<u32, Error> {
    let visible = MemoryPropertyFlags::HOST_VISIBLE | MemoryPropertyFlags::HOST_COHERENT;
    let types = || gpu.device.physical_device().memory_properties().memory_types.iter().zip(0u32..);
    let with = |flags| types().find(|(kind, _)| kind.property_flags.contains(flags)).map(|(_, index)| index);
    let found = with(visible | also).or_else(|| with(visible));
    found.ok_or_else(|| vulkan("looking for memory")("the host sees none of the device's memory"))
}

fn write_host(part: &Subbuffer<[u8]>, bytes: &[u8]) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    let target = host_bytes(&part.clone().slice(0..bytes.len() as u64))?;
    // SAFETY: the memory is mapped and as long as `bytes`, and nothing runs on the device: every submission is waited for.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.cast::<u8>(), bytes.len()) };
    Ok(())
}

fn read_host(part: &Subbuffer<[u8]>, bytes: &mut [u8]) -> Result<(), Error> {
    let source = host_bytes(&part.clone().slice(0..bytes.len() as u64))?;
    // SAFETY: as in `write_host`.
    unsafe { std::ptr::copy_nonoverlapping(source.cast::<u8>().cast_const(), bytes.as_mut_ptr(), bytes.len()) };
    Ok(())
}

fn copy(buffer: &mut RecordingCommandBuffer, src: Subbuffer<[u8]>, dst: Subbuffer<[u8]>) -> Result<(), Error> {
    // SAFETY: both are there; order is the caller's business.
    unsafe { buffer.copy_buffer(&CopyBufferInfo::buffers(src, dst)) }.map_err(vulkan("recording a copy"))?;
    Ok(())
}

/// Notes the time at which everything before is done and nothing after has begun.
fn stamp(buffer: &mut RecordingCommandBuffer, queries: Option<&QueryPool>, query: usize) -> Result<(), Error> {
    let Some(queries) = queries else { return Ok(()) };
    barrier(buffer)?;
    // SAFETY: each query is written once.
    unsafe { buffer.write_timestamp(queries, query as u32, PipelineStage::BottomOfPipe) }
        .map_err(vulkan("recording a timestamp"))?;
    barrier(buffer)
}

/// Everything before, its writes included, is done before anything after begins.
fn barrier(buffer: &mut RecordingCommandBuffer) -> Result<(), Error> {
    let stages = PipelineStages::COMPUTE_SHADER | PipelineStages::ALL_TRANSFER;
    let writes = AccessFlags::SHADER_WRITE | AccessFlags::TRANSFER_WRITE;
    let accesses = writes | AccessFlags::SHADER_READ | AccessFlags::TRANSFER_READ;
    memory_barrier(buffer, stages, accesses, writes)
}

/// The host sees what was written.
fn barrier_to_host(buffer: &mut RecordingCommandBuffer) -> Result<(), Error> {
    let writes = AccessFlags::SHADER_WRITE | AccessFlags::TRANSFER_WRITE;
    memory_barrier(buffer, PipelineStages::HOST, AccessFlags::HOST_READ, writes)
}

fn memory_barrier(
    buffer: &mut RecordingCommandBuffer,
    dst_stages: PipelineStages,
    dst_access: AccessFlags,
    src_access: AccessFlags,
) -> Result<(), Error> {
    let src_stages = PipelineStages::COMPUTE_SHADER | PipelineStages::ALL_TRANSFER;
    let barrier = MemoryBarrier { src_stages, src_access, dst_stages, dst_access, ..Default::default() };
    let info = DependencyInfo { memory_barriers: [barrier].into_iter().collect(), ..Default::default() };
    // SAFETY: a barrier is never wrong, only slow.
    unsafe { buffer.pipeline_barrier(&info) }.map_err(vulkan("recording a barrier"))?;
    Ok(())
}
