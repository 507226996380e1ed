//! The executor as a machine for host programs: memory is bytes of which is known which have been written, and kernels run in turns that a seed chooses. What a kernel or the host does
//! that it may not is an internal error, with its place in the source program.

// Note [Freed memory]
// ~~~~~~~~~~~~~~~~~~~
// Memory is gone with the last variable that names it (see the host program's Note [Who frees memory]), so that nothing can look at what is freed: a variable behind `free` has no memory,
// which the checker and the interpreter of host programs tell of. What is allocated has never been written, whatever was there before,
// and whoever reads it is told so; only scratch may be moved, and has a pattern in it.

use super::{Binding, Bytes, Code, Launch, Trap, TrapKind, run};
use crate::host::ir::{ConstantId, HostProgram, KernelId, ThresholdId, Tuning};
use crate::host::options::{MemoryOptions, Thresholds, poison};
use crate::host::run::{Buffer, Datum, Launched, Machine, Part, failure};
use crate::host::tally::Tallies;
use crate::ir::GroupSizes;
use futi_core::backend::CallCtx;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::meter::{Charge, Meter};
use futi_core::value::{Array, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Result<T> = std::result::Result<T, RuntimeError>;

/// Memory of the executor.
pub type Memory = Arc<Allocation>;

/// Bytes that are counted for as long as there are any.
#[derive(Debug)]
pub struct Allocation {
    bytes: Mutex<Bytes>,
    /// Gives them back.
    _charge: Charge,
}

/// How the executor runs programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Chooses the turns of kernels.
    pub seed: u64,
    /// How many invocations a group has, if the kernel allows it.
    pub group_size: u32,
    /// How many a subgroup has.
    pub subgroup_size: u32,
    /// How many groups are launched at most.
    pub most_groups: i64,
    /// The most bytes that all invocations' own memory has together, if that is enough for one group.
    pub own_bytes: i64,
    /// The most bytes of one memory.
    pub memory: u64,
    /// How many steps a launch may take.
    pub budget: u64,
    /// [`Tuning::ReduceGroups`].
    pub reduce_groups: i64,
    /// [`Tuning::ReduceEachSegments`].
    pub reduce_each_segments: i64,
    /// [`Tuning::ReduceEachLength`].
    pub reduce_each_length: i64,
    /// [`Tuning::ScanChunks`].
    pub scan_chunks: i64,
    /// [`Tuning::Rounds`].
    pub rounds: i64,
    /// [`Tuning::Enough`], and thresholds by their names.
    pub thresholds: Thresholds,
    /// [`Tuning::Batch`].
    pub batch: i64,
    /// [`Tuning::WholeLoops`].
    pub whole_loops: i64,
    /// What is done about memory.
    pub memory_options: MemoryOptions,
}

impl Default for Options {
    /// Small groups, and few, so that grids stride, and reductions have several groups, where there are not many points; all that is parallel in nests made for all points at once.
    fn default() -> Self {
        Options {
            seed: 0,
            group_size: 8,
            subgroup_size: 4,
            most_groups: 6,
            own_bytes: 1 << 26,
            memory: 4 << 30,
            budget: 1 << 32,
            reduce_groups: 4,
            reduce_each_segments: 64,
            reduce_each_length: 4,
            scan_chunks: 8,
            rounds: i64::MAX,
            thresholds: Thresholds::all(i64::MAX),
            batch: 4,
            whole_loops: 0,
            memory_options: MemoryOptions::default(),
        }
    }
}

impl Options {
    /// Those that have a name, and what they are.
    pub fn list(&self) -> Vec<(String, i64)> {
        let mut copy = self.clone();
        let names = ["max_groups", "scratch_bytes"].into_iter().chain(Tuning::ALL.map(Tuning::name));
        let names = names.chain(MemoryOptions::NAMES);
        names.map(|name| (name.to_string(), copy.named(name).map_or(0, |value| *value))).collect()
    }

    /// Sets what is named; unknown names are a program's thresholds, or somebody else's.
    pub fn set(&mut self, values: &[(String, i64)]) {
        for (name, value) in values {
            match self.named(name) {
                Some(own) => *own = *value,
                None => self.thresholds.named.push((name.clone(), *value)),
            }
        }
    }

    fn named(&mut self, name: &str) -> Option<&mut i64> {
        match name {
            "max_groups" => Some(&mut self.most_groups),
            "scratch_bytes" => Some(&mut self.own_bytes),
            _ => match Tuning::ALL.into_iter().find(|tuning| tuning.name() == name) {
                Some(tuning) => Some(self.tuning_mut(tuning)),
                None => self.memory_options.named(name),
            },
        }
    }

    fn tuning_mut(&mut self, tuning: Tuning) -> &mut i64 {
        match tuning {
            Tuning::ReduceGroups => &mut self.reduce_groups,
            Tuning::ReduceEachSegments => &mut self.reduce_each_segments,
            Tuning::ReduceEachLength => &mut self.reduce_each_length,
            Tuning::ScanChunks => &mut self.scan_chunks,
            Tuning::Rounds => &mut self.rounds,
            Tuning::Enough => &mut self.thresholds.enough,
            Tuning::Batch => &mut self.batch,
            Tuning::WholeLoops => &mut self.whole_loops,
        }
    }

    fn tuning(&self, tuning: Tuning) -> i64 {
        *self.clone().tuning_mut(tuning)
    }

    /// How many invocations a group has that may have these sizes: as many as the options say, or the nearest above, or else the most.
    fn group_size(&self, sizes: GroupSizes) -> u32 {
        let above = (self.group_size..=sizes.most).find(|size| sizes.allow(*size));
        above.or_else(|| (sizes.least..=sizes.most).rev().find(|size| sizes.allow(*size))).unwrap_or(sizes.most)
    }
}

/// What is made of a program before it is run.
pub struct Loaded {
    codes: Vec<Code>,
    constants: Vec<Memory>,
    /// Counts the memory of its runs.
    pub meter: Arc<Meter>,
}

impl Loaded {
    /// That of a program, whose memory is counted.
    pub fn new(program: &HostProgram, meter: Arc<Meter>) -> Loaded {
        let codes = program.kernels.iter().map(|k| Code::of_checked(&k.kernel)).collect();
        let constant = |array: &Array| memory(Bytes::of((0..array.len()).map(|i| array.get(i))), &meter);
        let constants = program.constants.iter().map(constant).collect();
        Loaded { codes, constants, meter }
    }
}

/// Bytes as memory.
fn memory(bytes: Bytes, meter: &Arc<Meter>) -> Memory {
    let _charge = Charge::new(meter, bytes.len() as u64);
    Arc::new(Allocation { bytes: Mutex::new(bytes), _charge })
}

/// A value as an argument of a call, whose memory is counted.
pub fn argument(value: &Value, meter: &Arc<Meter>) -> Datum<Memory> {
    match value {
        Value::Scalar(x) => Datum::Scalar(*x),
        Value::Array(array) => {
            let (elem, len) = (array.elem(), array.len() as u64);
            let buffer = Buffer { memory: memory(Bytes::of(value.elements()), meter), elem, len };
            Datum::Array { buffer, offset: 0, shape: array.shape().to_vec() }
        }
    }
}

/// The bytes of memory. Nobody who holds them does anything that may fail.
pub fn bytes(memory: &Memory) -> MutexGuard<'_, Bytes> {
    memory.bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The elements of a part of memory.
///
/// # Errors
/// One of them was never written.
pub fn elements(part: Part<'_, Memory>) -> Result<Vec<Scalar>> {
    let (elem, width) = (part.of.elem, part.of.elem.bytes());
    let bytes = bytes(&part.of.memory);
    let element = |i: u64| {
        let bits = bytes.get(i as usize * width, width).ok_or_else(|| unwritten(i))?;
        Ok(Scalar::from_bits(elem, bits))
    };
    (part.offset..part.offset + part.len).map(element).collect()
}

fn unwritten(element: u64) -> RuntimeError {
    RuntimeError::internal(format!("the host reads element {element} of memory, which was never written"))
}

/// A run of a program.
pub struct Device<'a> {
    /// The program.
    pub program: &'a HostProgram,
    /// What was made of it.
    pub loaded: &'a Loaded,
    /// How it is run.
    pub options: &'a Options,
    /// Who may stop it.
    pub ctx: &'a CallCtx,
    /// What it has cost so far.
    pub tallies: Tallies,
    /// How many launches there were.
    pub launches: u64,
    /// Whether what it is asked for does nothing: the guard in force is zero.
    pub idle: bool,
    /// Is shown each launch before it runs, with what is in its allocations.
    pub watch: Option<&'a mut Watch<'a>>,
}

/// Looks at launches.
pub type Watch<'a> = dyn FnMut(KernelId, &Launch, &[Bytes]) + 'a;

/// The first byte of a part of memory, and behind its last.
fn range<M>(part: Part<'_, M>) -> std::ops::Range<usize> {
    let width = part.of.elem.bytes();
    part.offset as usize * width..(part.offset + part.len) as usize * width
}

impl Device<'_> {
    /// The first element of memory.
    fn first(of: &Buffer<Memory>) -> Result<Scalar> {
        let all = elements(Part { of, offset: 0, len: 1 })?;
        all.first().copied().ok_or_else(|| unwritten(0))
    }

    /// Fills scratch with numbers that show where they should not be.
    fn fill(&self, scratch: &Memory, elem: ScalarType, len: u64) {
        let word = if self.options.memory_options.poison == 0 { 0xa5a5_a5a5 } else { poison(elem) };
        let pattern = word.to_le_bytes().into_iter().cycle().take(len as usize * elem.bytes());
        bytes(scratch).write(0, &pattern.collect::<Vec<u8>>());
    }

    /// A part of memory was written, all of it.
    fn written(part: Part<'_, Memory>) -> Result<()> {
        match bytes(&part.of.memory).read(range(part)) {
            Ok(_) => Ok(()),
            Err(byte) => Err(unwritten((byte / part.of.elem.bytes()) as u64)),
        }
    }
}

/// A fault of a kernel as a failure of the run.
fn trapped(trap: &Trap) -> RuntimeError {
    let failure = match trap.kind {
        // so it is where a loop of the program has no end
        TrapKind::Endless => RuntimeError::new(FailureKind::Fuel, trap.to_string()),
        _ => RuntimeError::internal(trap),
    };
    failure.at(trap.prov)
}

impl Machine for Device<'_> {
    type Memory = Memory;

    fn alloc(&mut self, elem: ScalarType, len: u64) -> Result<Memory> {
        let size = len.checked_mul(elem.bytes() as u64).filter(|size| *size <= self.options.memory);
        match size.and_then(|size| usize::try_from(size).ok()) {
            Some(size) => Ok(memory(Bytes::new(size), &self.loaded.meter)),
            None => {
                let message = format!("{len} elements of type {elem} are more than {} bytes", self.options.memory);
                Err(RuntimeError::new(FailureKind::Memory, message))
            }
        }
    }

    fn scratch(&mut self, elem: ScalarType, len: u64) -> Result<Memory> {
        let own = self.alloc(elem, len)?;
        self.fill(&own, elem, len);
        Ok(own)
    }

    fn constant(&mut self, constant: ConstantId) -> Result<Memory> {
        let missing = || RuntimeError::internal("there is no such constant");
        self.loaded.constants.get(constant.at()).cloned().ok_or_else(missing)
    }

    fn copy(&mut self, to: Part<'_, Memory>, from: Part<'_, Memory>) -> Result<()> {
        if self.idle {
            return Ok(());
        }
        let (target, source) = (range(to), range(from));
        if Arc::ptr_eq(&to.of.memory, &from.of.memory) && target.start < source.end && source.start < target.end {
            return Err(RuntimeError::internal("elements are copied to where they come from"));
        }
        let copied = bytes(&from.of.memory).part(source);
        bytes(&to.of.memory).put(target.start, &copied);
        Ok(())
    }

    fn write(&mut self, to: &Buffer<Memory>, index: u64, value: Scalar) -> Result<()> {
        if self.idle {
            return Ok(());
        }
        let width = to.elem.bytes();
        bytes(&to.memory).set(index as usize * width, width, value.bits());
        Ok(())
    }

    fn read(&mut self, all: &[(&Buffer<Memory>, u64)]) -> Result<Vec<Scalar>> {
        self.tallies.looks += 1;
        let one = |(of, offset): &(&Buffer<Memory>, u64)| elements(Part { of, offset: *offset, len: 1 });
        all.iter().map(one).collect::<Result<Vec<_>>>().map(|all| all.concat())
    }

    fn launch(&mut self, launch: Launched<'_, Memory>) -> Result<()> {
        if self.idle {
            return Ok(());
        }
        let missing = || RuntimeError::internal("there is no such kernel");
        let at = launch.kernel.at();
        let (code, kernel) = self.loaded.codes.get(at).zip(self.program.kernels.get(at)).ok_or_else(missing)?;
        let mut memories: Vec<&Memory> = Vec::new();
        let mut blocks = Vec::new();
        for part in launch.blocks {
            let allocation = memories.iter().position(|m| Arc::ptr_eq(m, &part.of.memory)).unwrap_or_else(|| {
                memories.push(&part.of.memory);
                memories.len() - 1
            });
            blocks.push(Binding { allocation, start: range(*part).start, len: part.len as usize });
        }
        self.launches += 1;
        let how = Launch {
            groups: launch.groups,
            group_size: self.group_size(launch.kernel),
            subgroup_size: self.options.subgroup_size,
            params: launch.params.to_vec(),
            blocks,
            seed: self.options.seed.wrapping_add(self.launches),
            budget: self.options.budget,
        };
        let mut contents: Vec<Bytes> = memories.iter().map(|m| std::mem::take(&mut *bytes(m))).collect();
        if let Some(watch) = &mut self.watch {
            watch(launch.kernel, &how, &contents);
        }
        let result = run(code, &mut contents, &how);
        memories.iter().zip(contents).for_each(|(m, own)| *bytes(m) = own);
        let outcome = result.map_err(|trap| trapped(&trap))?;
        let counts = &outcome.counts;
        let (operations, bytes) = (counts.operations, counts.reads + counts.writes);
        let invocations = u64::from(how.groups).saturating_mul(how.group_size.into());
        self.tallies.launched(launch.kernel, launch.points, invocations, operations, bytes);
        match outcome.failure {
            Some(found) => Err(failure(kernel, found.site.at(), &found.operands)),
            None => Ok(()),
        }
    }

    fn finish(&mut self, results: &[Part<'_, Memory>]) -> Result<()> {
        results.iter().try_for_each(|part| Device::written(*part))
    }

    fn tuning(&self, tuning: Tuning) -> i64 {
        self.options.tuning(tuning)
    }

    fn few(&mut self, threshold: ThresholdId, points: i64) -> bool {
        self.tallies.compare(threshold, points);
        points < self.options.thresholds.get(self.program, threshold)
    }

    fn group_size(&self, kernel: KernelId) -> u32 {
        let sizes = self.program.kernels.get(kernel.at()).map_or(GroupSizes::ANY, |k| k.kernel.kernel().group);
        self.options.group_size(sizes)
    }

    fn groups(&self, kernel: KernelId, wanted: i64, own: i64) -> i64 {
        let group = own.saturating_mul(self.group_size(kernel).into());
        let fitting = if group > 0 { self.options.own_bytes / group } else { i64::MAX };
        wanted.min(self.options.most_groups).min(fitting)
    }

    fn cancelled(&self) -> bool {
        self.ctx.cancelled()
    }

    fn owns(&self, memory: &Memory) -> bool {
        self.options.memory_options.in_place != 0 && Arc::strong_count(memory) == 1
    }

    fn operated(&mut self, operators: u64) {
        self.tallies.host_operations += operators;
    }

    fn same(a: &Memory, b: &Memory) -> bool {
        Arc::ptr_eq(a, b)
    }

    fn clones(memory: &Memory) -> usize {
        Arc::strong_count(memory)
    }

    fn renew(&mut self, of: &Buffer<Memory>, scratch: bool) -> Result<()> {
        if self.idle {
            return Ok(());
        }
        bytes(&of.memory).forget();
        if scratch {
            self.fill(&of.memory, of.elem, of.len);
        }
        Ok(())
    }

    fn guard(&mut self, guard: Option<&Buffer<Memory>>) {
        // who makes a guard writes it
        self.idle = guard.is_some_and(|guard| Device::first(guard) == Ok(Scalar::I64(0)));
    }

    fn choose(&mut self, sides: [&Buffer<Memory>; 2], cond: &Buffer<Memory>) -> Result<()> {
        let holds = if self.idle { None } else { Device::first(cond)?.as_bool() };
        for (side, is) in sides.into_iter().zip([true, false]) {
            let on = Scalar::I64((holds == Some(is)).into());
            bytes(&side.memory).set(0, ScalarType::I64.bytes(), on.bits());
        }
        Ok(())
    }

    fn step(&mut self, control: &Buffer<Memory>, cond: &Buffer<Memory>) -> Result<()> {
        let Scalar::I64(begun) = elements(Part { of: control, offset: 1, len: 1 })?[0] else { return Ok(()) };
        if Device::first(control)? == Scalar::I64(0) {
            return Ok(());
        }
        let on = i64::from(Device::first(cond)?.as_bool() == Some(true));
        self.write(control, 0, Scalar::I64(on))?;
        self.write(control, 1, Scalar::I64(begun + on))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_a_size_that_the_kernel_allows() {
        let options = |group_size| Options { group_size, ..Options::default() };
        let sizes = |least, most, power_of_two| GroupSizes { least, most, power_of_two };
        assert_eq!(options(8).group_size(sizes(1, 8, false)), 8);
        assert_eq!(options(8).group_size(sizes(12, 64, true)), 16);
        assert_eq!(options(8).group_size(sizes(1, 4, false)), 4);
        assert_eq!(options(5).group_size(sizes(3, 7, true)), 4);
    }

    #[test]
    fn groups_are_as_many_as_have_memory_of_their_own() {
        let program: HostProgram = "futi-host 1 kernel k @0 { group 8 to 8 }".parse().unwrap();
        let options = Options { most_groups: 100, own_bytes: 4000, ..Options::default() };
        let (loaded, ctx) = (Loaded::new(&program, Arc::default()), CallCtx::default());
        let tallies = Tallies::default();
        let (launches, idle, watch) = (0, false, None);
        let device =
            Device { program: &program, loaded: &loaded, options: &options, ctx: &ctx, tallies, launches, idle, watch };
        let groups = |wanted, own| device.groups(KernelId(0), wanted, own);
        // a group of 8 invocations of 100 bytes has 800 bytes
        assert_eq!([groups(7, 0), groups(200, 0), groups(7, 100), groups(4, 100)], [7, 100, 5, 4]);
    }
}
