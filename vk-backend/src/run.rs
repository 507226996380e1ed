//! A device as what runs host programs: it records commands, and looks at the device only when it must.

use crate::device::{Caps, Device, DeviceKind, Error, Memory};
use crate::guarded::{Own, OwnKernels};
use crate::print::{self, Record};
use crate::recording::{self, Command, Dispatch, Range, Recording};
use crate::tuning::Tuning;
use futi_core::backend::CallCtx;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::{Scalar, ScalarType};
use futi_kernels::exec;
use futi_kernels::host::CheckedHost;
use futi_kernels::host::ir::{self, ConstantId, KernelId, ThresholdId};
use futi_kernels::host::options::poison;
use futi_kernels::host::run::{self, Buffer, Launched, Machine, Part};
use futi_kernels::host::tally::Tallies;
use futi_kernels::ir::{Kernel, Stm, walk};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a run works with.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The device.
    pub device: &'a Device,
    /// Where kernels report failures.
    pub record: Range,
    /// Whether something may be there from before.
    pub reported: bool,
    /// The program.
    pub program: &'a CheckedHost,
    /// What is known of its kernels.
    pub facts: &'a [Facts],
    /// Its kernels as far as they are compiled.
    pub compiled: &'a [OnceLock<recording::KernelId>],
    /// Those of the backend's own.
    pub own: &'a Mutex<OwnKernels>,
    /// Its constants.
    pub constants: &'a [Arc<Memory>],
    /// How.
    pub tuning: &'a Tuning,
    /// Who may stop it.
    pub ctx: &'a CallCtx,
    /// Gets each recording before it runs.
    pub watch: &'a dyn Fn(&Recording),
}

/// A host program on a device.
pub struct Running<'a> {
    with: Setting<'a>,
    /// What is to be run.
    recording: Recording,
    /// The kernels dispatched since the recording began; none for those of the backend's own.
    dispatched: Vec<Option<KernelId>>,
    /// The guard in force.
    guard: Option<Buffer<Arc<Memory>>>,
    /// Whether something that is recorded is guarded.
    has_guarded: bool,
    /// How many launches there have been: a kernel does nothing if an earlier launch has failed.
    launches: u32,
    /// Whether one of them may have reported a failure.
    may_have_failed: bool,
    /// Whether a kernel has run out of rounds.
    pub out_of_rounds: bool,
    /// What was counted.
    pub tallies: Tallies,
}

type Outcome<T> = Result<T, RuntimeError>;

/// Commands after which a recording is run, so that the device has work while the host goes on making more.
const LONG: usize = 4096;

/// Likewise where what is recorded is guarded, as in loops through which the host is ahead, which looks at them by itself: each time a recording is run it waits.
const LONG_GUARDED: usize = 1 << 17;

/// An error of the device layer, as a run's.
pub fn device_error(error: Error) -> RuntimeError {
    match error {
        Error::OutOfMemory { .. } => RuntimeError::new(FailureKind::Memory, error.to_string()),
        Error::BadRange { .. } | Error::Shader { .. } => RuntimeError::internal(error),
        _ => RuntimeError::new(FailureKind::Device, error.to_string()),
    }
}

/// How many invocations a group of a kernel has on a device.
pub fn group_size(kernel: &Kernel, caps: &Caps) -> u32 {
    let wanted = match caps.kind {
        // mutant off by one: it is rounded down to a power of two
        DeviceKind::Cpu if caps.loop_limit.is_some() && waits(kernel).is_some() => 1024,
        // mutant off by one: likewise
        DeviceKind::Cpu => 64,
        // mutant off by one: likewise
        _ => 256,
    };
    // A power of two, for the tree of a reduction.
    // mutant off by one: no device has workgroups of less than 128
    let mut size = 1 << wanted.min(kernel.group.most).min(caps.max_group_size.max(1)).ilog2();
    while size > kernel.group.least && print::shared_bytes(kernel, size) > caps.shared_memory.into() {
        size /= 2;
    }
    size
}

// Note [Waiting in rounds]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Where the rounds of loops are limited (`Caps::loop_limit`), who waits for a group that the machine does not run at the moment spends rounds on it. A group never waits for itself: llvmpipe runs each
// to its end, or its next barrier, at a time. So kernels that wait in a loop are one large group there, unless its invocations would have too many points. Else each invocation has one point, so that it
// may wait the longer; where what it waits for is still too long, on a busy machine, the run fails, and says so.

/// Whether a kernel waits in a loop for what others do, of which it is told; and whether there are loops in that loop.
fn waits(kernel: &Kernel) -> Option<bool> {
    let mut found = None;
    walk(&kernel.body, &mut |stm| {
        let (mut acquires, mut loops) = (false, 0);
        walk(std::slice::from_ref(stm), &mut |inside| {
            acquires |= matches!(inside, Stm::Atomic(a) if a.order.acquires());
            loops += u32::from(matches!(inside, Stm::For { .. } | Stm::While { .. }));
        });
        if acquires && matches!(stm, Stm::While { .. }) {
            found = Some(found == Some(true) || loops > 1);
        }
    });
    found
}

/// What a kernel's launches depend on, found out once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// How many invocations a group has.
    group_size: u32,
    /// Whether it waits in a loop for what others do; and whether there are loops in that loop.
    waits: Option<bool>,
}

impl Facts {
    /// Those of a kernel on a device.
    pub fn of(kernel: &Kernel, caps: &Caps) -> Facts {
        Facts { group_size: group_size(kernel, caps), waits: waits(kernel) }
    }
}

/// How many groups of a kernel that waits, or does not, are launched where so many are wanted: Note [Waiting in rounds].
fn groups_beside(waits: Option<bool>, wanted: i64, caps: &Caps) -> i64 {
    match waits.filter(|_| caps.loop_limit.is_some()) {
        None => wanted,
        Some(loops) if wanted <= if loops { 64 } else { 2048 } => wanted.min(1),
        Some(_) => wanted,
    }
}

/// The elements of memory, as addresses.
fn range(part: Part<'_, Arc<Memory>>) -> Range {
    let width = part.of.elem.bytes() as u64;
    Range::new(part.of.memory.range().start + part.offset * width, part.len * width)
}

impl<'a> Running<'a> {
    /// A run that begins, counted with those before it.
    pub fn new(with: Setting<'a>, tallies: Tallies) -> Self {
        let mut recording = Recording::new();
        if with.reported {
            recording.push(Command::Fill { dst: with.record, word: 0 });
        }
        Running {
            with,
            recording,
            dispatched: Vec::new(),
            guard: None,
            has_guarded: false,
            launches: 0,
            may_have_failed: false,
            out_of_rounds: false,
            tallies,
        }
    }

    fn push(&mut self, command: Command) -> Outcome<()> {
        self.recording.push(command);
        let long = if self.has_guarded { LONG_GUARDED } else { LONG };
        // mutant: after how many commands exactly a recording is run changes no result
        if self.recording.commands().len() >= long { self.flush(&[]).map(drop) } else { Ok(()) }
    }

    fn memory(&mut self, bytes: u64) -> Outcome<Arc<Memory>> {
        let memory = match self.with.device.alloc(bytes) {
            Err(Error::OutOfMemory { .. }) => {
                // Memory that is free already may still be named by what is recorded.
                self.flush(&[])?;
                self.with.device.trim();
                self.with.device.alloc(bytes)
            }
            other => other,
        };
        memory.map(Arc::new).map_err(device_error)
    }

    fn copy_bytes(&mut self, src: Range, dst: Range) -> Outcome<()> {
        if src.len > 0 { self.push(Command::Copy { src, dst }) } else { Ok(()) }
    }

    /// Runs what is recorded; the contents of ranges after it. Fails if a kernel has.
    fn flush(&mut self, read: &[Range]) -> Outcome<Vec<Vec<u8>>> {
        let recording = std::mem::take(&mut self.recording);
        let dispatched = std::mem::take(&mut self.dispatched);
        (self.with.watch)(&recording);
        let record = self.may_have_failed.then_some(self.with.record);
        let ranges: Vec<Range> = read.iter().copied().chain(record).collect();
        self.tallies.looks += 1;
        self.has_guarded = false;
        let ran = self.with.device.run(&recording, &ranges, self.with.tuning.profile != 0).map_err(device_error)?;
        for (kernel, timing) in dispatched.into_iter().zip(&ran.timings) {
            let Some(kernel) = kernel else { continue };
            // mutant off by one: no clock is right to a nanosecond
            *self.tallies.of(kernel).nanoseconds.get_or_insert(0) += timing.nanoseconds as u64;
        }
        let mut contents = ran.read;
        let record = contents.split_off(read.len());
        match record.first().and_then(|bytes| Record::read(bytes)) {
            None => Ok(contents),
            Some(record) => Err(self.reported(record)),
        }
    }

    /// Dispatches a kernel.
    fn dispatch(&mut self, what: Dispatched<'_>, params: &[Scalar], parts: &[Part<'_, Arc<Memory>>]) -> Outcome<()> {
        self.launches += 1;
        let Dispatched { kernel, id, program, first_site, groups, guard } = what;
        let ranges: Vec<Range> = parts.iter().map(|part| range(*part)).collect();
        let blocks: Vec<(u64, u64)> = ranges.iter().zip(parts).map(|(r, part)| (r.start, part.len)).collect();
        let address = guard.map_or(0, |guard| guard.start);
        let args = print::args(self.with.record.start, first_site, self.launches, address, params, &blocks);
        let (mut reads, mut writes) = (vec![self.with.record], vec![]);
        reads.extend(guard);
        if !kernel.sites.is_empty() || self.with.device.caps().loop_limit.is_some() {
            writes.push(self.with.record);
            self.may_have_failed = true;
        }
        for (block, range) in kernel.blocks.iter().zip(&ranges) {
            // what is narrow may be changed by words
            let range = if block.elem.bytes() < 4 { &range.in_words() } else { range };
            if block.access.reads || block.access.atomics {
                reads.push(*range);
            }
            if block.access.changes() {
                writes.push(*range);
            }
        }
        self.dispatched.push(program);
        let (groups, label) = ([groups, 1, 1], kernel.name.to_string());
        self.push(Command::Dispatch(Dispatch { kernel: id, groups, args, reads, writes, label }))
    }

    /// Dispatches a kernel of the backend's own, for so many elements.
    fn own(
        &mut self,
        own: Own,
        guard: Option<Range>,
        params: &[Scalar],
        parts: &[Part<'_, Arc<Memory>>],
        elements: u64,
    ) -> Outcome<()> {
        let with = self.with;
        let mut kernels = with.own.lock().unwrap_or_else(PoisonError::into_inner);
        let compiled = kernels.get(with.device, own).map_err(compile_error)?;
        let size = i64::from(compiled.group_size);
        let wanted = elements.div_ceil(size as u64).min(i64::MAX as u64) as i64;
        let groups = u32::try_from(with.tuning.groups(wanted, size, &[])).unwrap_or(u32::MAX);
        let kernel = compiled.kernel.kernel();
        let what = Dispatched { kernel, id: compiled.id, program: None, first_site: 0, groups, guard };
        self.dispatch(what, params, parts)
    }

    /// Where the guard in force is.
    fn guarded_by(&self) -> Option<Range> {
        self.guard.as_ref().map(|guard| range(first(guard)))
    }

    /// Writes a value to elements, if the guard holds.
    fn fill(&mut self, part: Part<'_, Arc<Memory>>, value: Scalar) -> Outcome<()> {
        self.own(Own::Fill(part.of.elem), self.guarded_by(), &[value], &[part], part.len)
    }

    /// Why a run has failed: a kernel's failure comes before what the host runs into because of it.
    pub fn failed(&mut self, error: RuntimeError) -> RuntimeError {
        self.flush(&[]).err().unwrap_or(error)
    }

    /// What a kernel has reported.
    fn reported(&mut self, record: Record) -> RuntimeError {
        let caps = self.with.device.caps();
        match record {
            Record::Rounds => {
                self.out_of_rounds = true;
                let (driver, limit) = (&caps.driver, caps.loop_limit.unwrap_or_default());
                let message =
                    format!("the driver {driver} stops a kernel's loops after {limit} rounds, which are too few here");
                RuntimeError::new(FailureKind::Device, message)
            }
            Record::Failed(site, _, operands) => {
                let mut site = site as usize;
                for kernel in &self.with.program.kernels {
                    if site < kernel.sites.len() {
                        return run::failure(kernel, site, &operands);
                    }
                    site -= kernel.sites.len();
                }
                RuntimeError::internal(format!("a kernel reports failure {site}"))
            }
        }
    }
}

/// A kernel that is to be dispatched.
struct Dispatched<'a> {
    kernel: &'a Kernel,
    id: recording::KernelId,
    /// What it is in the program, if it is one of that.
    program: Option<KernelId>,
    first_site: u32,
    groups: u32,
    guard: Option<Range>,
}

/// An error of compilation, as a run's.
fn compile_error(error: print::Error) -> RuntimeError {
    match error {
        print::Error::Device(error) => device_error(error),
        other => RuntimeError::internal(other),
    }
}

/// All of memory.
fn whole(of: &Buffer<Arc<Memory>>) -> Part<'_, Arc<Memory>> {
    Part { of, offset: 0, len: of.len }
}

/// The first element of memory.
fn first(of: &Buffer<Arc<Memory>>) -> Part<'_, Arc<Memory>> {
    Part { of, offset: 0, len: 1 }
}

/// A launch as far as its cost depends on it.
fn told(launch: &Launched<'_, Arc<Memory>>, group_size: u32) -> exec::Launch {
    let block = |part: &Part<'_, Arc<Memory>>| exec::Binding { allocation: 0, start: 0, len: part.len as usize };
    exec::Launch {
        groups: launch.groups,
        group_size,
        subgroup_size: 1,
        params: launch.params.to_vec(),
        blocks: launch.blocks.iter().map(block).collect(),
        seed: 0,
        budget: 0,
    }
}

impl Machine for Running<'_> {
    type Memory = Arc<Memory>;

    fn alloc(&mut self, elem: ScalarType, len: u64) -> Outcome<Arc<Memory>> {
        let memory = self.memory(len * elem.bytes() as u64)?;
        if self.with.tuning.memory.poison != 0 && memory.range().len > 0 {
            // a fill is of whole words, of which memory has its last one to itself
            let dst = Range::new(memory.range().start, memory.range().len.next_multiple_of(4));
            self.push(Command::Fill { dst, word: poison(elem) })?;
        }
        Ok(memory)
    }

    fn constant(&mut self, constant: ConstantId) -> Outcome<Arc<Memory>> {
        let memory = self.with.constants.get(constant.at());
        memory.cloned().ok_or_else(|| RuntimeError::internal("a constant that the device does not have"))
    }

    fn copy(&mut self, to: Part<'_, Arc<Memory>>, from: Part<'_, Arc<Memory>>) -> Outcome<()> {
        match self.guarded_by() {
            // commands take no heed of guards
            Some(guard) => self.own(Own::Copy(to.of.elem), Some(guard), &[], &[to, from], to.len),
            None => self.copy_bytes(range(from), range(to)),
        }
    }

    fn write(&mut self, to: &Buffer<Arc<Memory>>, index: u64, value: Scalar) -> Outcome<()> {
        let part = Part { of: to, offset: index, len: 1 };
        if self.guard.is_some() {
            return self.fill(part, value);
        }
        let dst = range(part);
        let bits = value.bits();
        match dst.len {
            4 => self.push(Command::Fill { dst, word: bits as u32 }),
            8 => {
                self.push(Command::Fill { dst: dst.slice(0, 4), word: bits as u32 })?;
                self.push(Command::Fill { dst: dst.slice(4, 4), word: (bits >> 32) as u32 })
            }
            len => {
                // Fills write whole words: by way of one.
                let word = self.memory(4)?;
                self.push(Command::Fill { dst: word.range(), word: bits as u32 })?;
                self.copy_bytes(Range::new(word.range().start, len), dst)
            }
        }
    }

    fn read(&mut self, elements: &[(&Buffer<Arc<Memory>>, u64)]) -> Outcome<Vec<Scalar>> {
        let ranges: Vec<Range> =
            elements.iter().map(|(of, index)| range(Part { of, offset: *index, len: 1 })).collect();
        let read = self.flush(&ranges)?;
        let scalar = |(bytes, (of, _)): (&Vec<u8>, &(&Buffer<Arc<Memory>>, u64))| {
            let mut word = [0; 8];
            let n = bytes.len().min(8);
            word[..n].copy_from_slice(&bytes[..n]);
            Scalar::from_bits(of.elem, u64::from_le_bytes(word))
        };
        Ok(read.iter().zip(elements).map(scalar).collect())
    }

    fn launch(&mut self, launch: Launched<'_, Arc<Memory>>) -> Outcome<()> {
        let id = launch.kernel;
        let program = self.with.program;
        let kernel = &program.kernels[id.at()];
        let ir = kernel.kernel.kernel();
        let size = self.group_size(id);
        let compiled = match self.with.compiled[id.at()].get() {
            Some(compiled) => *compiled,
            None => {
                let compiled = print::announce(self.with.device, &kernel.kernel, size).map_err(compile_error)?;
                *self.with.compiled[id.at()].get_or_init(|| compiled)
            }
        };
        let first_site: usize = program.kernels[..id.at()].iter().map(|kernel| kernel.sites.len()).sum();
        let cost = ir.cost.as_ref().and_then(|cost| exec::cost(cost, &told(&launch, size)));
        let [reads, writes, operations] = cost.unwrap_or_default().map(|n| n.max(0) as u64);
        let invocations = u64::from(launch.groups).saturating_mul(size.into());
        self.tallies.launched(id, launch.points, invocations, operations, reads.saturating_add(writes));
        let (first_site, groups) = (first_site as u32, launch.groups);
        let what =
            Dispatched { kernel: ir, id: compiled, program: Some(id), first_site, groups, guard: self.guarded_by() };
        self.dispatch(what, launch.params, launch.blocks)
    }

    fn finish(&mut self, _: &[Part<'_, Arc<Memory>>]) -> Outcome<()> {
        // what was read last was read behind all that has been done
        if self.recording.commands().is_empty() { Ok(()) } else { self.flush(&[]).map(drop) }
    }

    fn tuning(&self, tuning: ir::Tuning) -> i64 {
        match tuning {
            ir::Tuning::ReduceGroups => self.with.tuning.reduce_groups,
            ir::Tuning::Enough => self.with.tuning.thresholds.enough,
            ir::Tuning::ReduceEachSegments => self.with.tuning.reduce_each_segments,
            ir::Tuning::ReduceEachLength => self.with.tuning.reduce_each_length,
            ir::Tuning::ScanChunks => self.with.tuning.scan_chunks,
            ir::Tuning::Batch => self.with.tuning.batch,
            ir::Tuning::WholeLoops => self.with.tuning.whole_loops,
            ir::Tuning::Rounds => self.with.device.caps().loop_limit.map_or(i64::MAX, i64::from),
        }
    }

    fn few(&mut self, threshold: ThresholdId, points: i64) -> bool {
        self.tallies.compare(threshold, points);
        points < self.with.tuning.thresholds.get(self.with.program, threshold)
    }

    fn group_size(&self, kernel: KernelId) -> u32 {
        self.with.facts[kernel.at()].group_size
    }

    fn groups(&self, kernel: KernelId, wanted: i64, own: i64) -> i64 {
        let wanted = groups_beside(self.with.facts[kernel.at()].waits, wanted, self.with.device.caps());
        self.with.tuning.groups(wanted, i64::from(self.group_size(kernel)), &[own])
    }

    fn cancelled(&self) -> bool {
        self.with.ctx.cancelled()
    }

    fn owns(&self, memory: &Arc<Memory>) -> bool {
        self.with.tuning.memory.in_place != 0 && Arc::strong_count(memory) == 1
    }

    fn operated(&mut self, operators: u64) {
        self.tallies.host_operations += operators;
    }

    fn same(a: &Arc<Memory>, b: &Arc<Memory>) -> bool {
        Arc::ptr_eq(a, b)
    }

    fn clones(memory: &Arc<Memory>) -> usize {
        Arc::strong_count(memory)
    }

    fn renew(&mut self, of: &Buffer<Arc<Memory>>, _scratch: bool) -> Outcome<()> {
        if self.with.tuning.memory.poison == 0 || of.len == 0 {
            return Ok(());
        }
        let word = u64::from(poison(of.elem));
        let bits = (word << 32 | word) & (u64::MAX >> (64 - 8 * of.elem.bytes()));
        self.fill(whole(of), Scalar::from_bits(of.elem, bits))
    }

    fn guard(&mut self, guard: Option<&Buffer<Arc<Memory>>>) {
        self.guard = guard.cloned();
        self.has_guarded |= guard.is_some();
    }

    fn choose(&mut self, [yes, no]: [&Buffer<Arc<Memory>>; 2], cond: &Buffer<Arc<Memory>>) -> Outcome<()> {
        let parts = [whole(yes), whole(no), first(cond)];
        match self.guard.clone() {
            None => self.own(Own::Choose, None, &[], &parts, 1),
            Some(guard) => self.own(Own::ChooseWithin, None, &[], &[&parts[..], &[first(&guard)]].concat(), 1),
        }
    }

    fn step(&mut self, control: &Buffer<Arc<Memory>>, cond: &Buffer<Arc<Memory>>) -> Outcome<()> {
        self.own(Own::Step, Some(range(first(control))), &[], &[whole(control), first(cond)], 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_in_one_group_where_rounds_are_limited() {
        let kernel = |order: &str, inside: &str| {
            let text = format!(
                "futi-kernel 1 kernel k @0 {{ block l_0: atomic i32 local was_0: i32 local k_1: i32
                 loop {{ was_0 = atomic exchange block.l_0[0i32](1i32) {order} device {inside} }} while eq.i32(was_0, 1i32) {{ }}
                 atomic store block.l_0[0i32](0i32) relaxed device }}"
            );
            text.parse::<Kernel>().expect("a kernel")
        };
        let inner = "for k_1 from 0i32 below 3i32 step 1i32 { }";
        let all = Caps::complete();
        let limited = Caps { loop_limit: Some(65535), ..Caps::complete() };
        let groups = |kernel: &Kernel, caps: &Caps| {
            [0, 1, 64, 2048, 2049].map(|wanted| groups_beside(waits(kernel), wanted, caps))
        };
        assert_eq!(groups(&kernel("acquire", ""), &all), [0, 1, 64, 2048, 2049]);
        assert_eq!(groups(&kernel("acquire", ""), &limited), [0, 1, 1, 1, 2049]);
        assert_eq!(groups(&kernel("acquire", inner), &limited), [0, 1, 1, 2048, 2049]);
        assert_eq!(groups(&kernel("relaxed", inner), &limited), [0, 1, 64, 2048, 2049]);
        let cpu = |loop_limit| Caps { loop_limit, kind: DeviceKind::Cpu, ..Caps::complete() };
        let size = |order: &str, caps: &Caps| group_size(&kernel(order, ""), caps);
        assert_eq!([size("acquire", &cpu(Some(65535))), size("relaxed", &cpu(Some(65535)))], [1024, 64]);
        assert_eq!([size("acquire", &cpu(None)), size("acquire", &limited)], [64, 256]);
    }
}
