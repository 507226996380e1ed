//! Runs a host program: allocates, records commands, and looks at the device only when it must.

use super::tuning::{Tuning, covering};
use super::val::{DeviceArray, Val, bytes_of, integer, product, row, scalar_from_bytes, too_large};
use super::*;
use crate::device::{Device, Error, Memory};
use crate::kernels::{Arg, Known, ROUNDS};
use crate::recording::{Command, Dispatch, KernelId, Range, Recording};
use futi_core::backend::CallCtx;
use futi_core::failure::{FailureKind, RuntimeError, run_check};
use futi_core::hash::HashMap;
use futi_core::ir::Scalar;
use std::sync::{Arc, OnceLock};

/// How often a kernel ran, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Launches.
    pub launches: u64,
    /// Points.
    pub invocations: u64,
    /// Scalar operations.
    pub operations: u64,
    /// Bytes of arrays read and written.
    pub bytes: u64,
    /// Time on the device, if it was asked for.
    pub nanoseconds: Option<u64>,
}

/// What a run counts.
#[derive(Clone, Debug, Default)]
pub struct Tallies {
    /// By kernel, in the order of first use.
    pub kernels: Vec<(KernelIndex, Tally)>,
    /// Scalar operations on the host.
    pub host_operations: u64,
}

/// What runs host programs on a device.
pub struct Machine<'a> {
    /// The device.
    pub device: &'a Device,
    /// Where kernels report failures.
    pub failure: Range,
    /// The plan.
    pub plan: &'a Plan,
    /// The plan's kernels as far as they are compiled.
    pub compiled: &'a [OnceLock<KernelId>],
    /// The plan's constants, in device memory.
    pub constants: &'a [DeviceArray],
    /// How.
    pub tuning: &'a Tuning,
    /// Who may stop it.
    pub ctx: &'a CallCtx,
    /// Gets each recording before it runs.
    pub watch: &'a dyn Fn(&Recording),
}

type Outcome<T> = Result<T, RuntimeError>;

/// Runs an entry point to its end. The arguments are its parameters', shapes already checked.
pub fn run(machine: &Machine, entry: &Entry, args: Vec<Val>) -> (Outcome<Vec<Val>>, Tallies) {
    let mut running = Running {
        machine,
        env: HashMap::default(),
        recording: Recording::new(),
        dispatched: Vec::new(),
        tallies: Tallies::default(),
    };
    let result = running.entry(entry, args);
    (result, running.tallies)
}

struct Running<'a> {
    machine: &'a Machine<'a>,
    env: HashMap<Var, Val>,
    recording: Recording,
    /// The kernels dispatched since the recording began.
    dispatched: Vec<KernelIndex>,
    tallies: Tallies,
}

/// Commands after which a recording is run, so that the device has work while the host goes on making more.
const LONG: usize = 4096;

/// An error of the device layer, as a run's.
pub fn device_error(error: Error) -> RuntimeError {
    match error {
        Error::OutOfMemory { .. } => RuntimeError::new(FailureKind::Memory, error.to_string()),
        Error::BadRange { .. } | Error::Shader { .. } => RuntimeError::internal(error),
        _ => RuntimeError::new(FailureKind::Device, error.to_string()),
    }
}

impl Running<'_> {
    fn entry(&mut self, entry: &Entry, args: Vec<Val>) -> Outcome<Vec<Val>> {
        self.recording.push(Command::Fill { dst: self.machine.failure, word: 0 });
        for ((binder, unique), arg) in entry.params.iter().zip(args) {
            // The caller keeps its array.
            let arg = match arg {
                Val::Array(array) if *unique => Val::Array(self.copied(&array)?),
                other => other,
            };
            self.env.insert(binder.var, arg);
        }
        let results = self.block(&entry.block)?;
        // mutant: runs only where the memory of a device is full, which no test can bring about on a machine that others use
        self.flush(&[])?;
        let missing = || RuntimeError::internal("a result has no value on the host");
        results.into_iter().map(|value| value.ok_or_else(missing)).collect()
    }

    /// The results of a block; nothing for accumulators and certificates.
    fn block(&mut self, block: &Block) -> Outcome<Vec<Option<Val>>> {
        for step in &block.steps {
            self.step(&step.op).map_err(|error| error.at(step.prov))?;
            step.drops.iter().for_each(|var| _ = self.env.remove(var));
        }
        Ok(block.result.iter().map(|e| self.operand(*e).ok()).collect())
    }

    fn step(&mut self, op: &Op) -> Outcome<()> {
        match op {
            Op::Bind(var, e) => {
                let value = self.operand(*e)?;
                self.env.insert(*var, value);
            }
            Op::Prim(var, prim, args) => {
                let args: Outcome<Vec<Scalar>> = args.iter().map(|e| self.host(*e)).collect();
                self.env.insert(*var, Val::Scalar(prim.eval(&args?)));
                self.tallies.host_operations += 1;
            }
            Op::Check(check) => {
                let mut unknown = None;
                run_check(check, &mut |e| {
                    self.host(e).unwrap_or_else(|error| {
                        // mutant: all operands of a check of the host are scalars that it has: others are cells, whose checks are the device's
                        unknown = Some(error);
                        // mutant: all operands of a check of the host are scalars that it has, so that none is replaced by this; a while loop has no
                        //   bound to look at
                        Scalar::I64(0)
                    })
                })?;
                // mutant: all operands of a check of the host are scalars that it has, so that no error is kept
                unknown.map_or(Ok(()), Err)?;
            }
            Op::Launch(launch) => self.launch(launch)?,
            Op::Row { var, array, indices } => {
                let (array, indices) = (self.array(*array)?, self.indices(indices)?);
                let row = row(&array, &indices)?;
                self.env.insert(*var, Val::Array(row));
            }
            Op::View { var, array, shape } => {
                let (array, shape) = (self.array(*array)?, self.shape(shape)?);
                // checks have seen to it: this is against code that lacks them
                if product(&shape)? != product(&array.shape)? {
                    let other = format!("an array of shape {:?} under the shape {shape:?}", array.shape);
                    return Err(RuntimeError::internal(other));
                }
                self.env.insert(*var, Val::Array(DeviceArray { shape, ..array }));
            }
            Op::Scratch { var, elem, shape } => {
                let shape = self.shape(shape)?;
                let array = self.allocate(*elem, shape)?;
                self.env.insert(*var, Val::Array(array));
            }
            Op::Constant(var, index) => {
                let array = self.copied(&self.machine.constants[*index].clone())?;
                self.env.insert(*var, Val::Array(array));
            }
            Op::Gather { var, rows, row } => {
                let Some(elem) = row.elem() else { return Err(RuntimeError::internal("an array of no values")) };
                let shape = [vec![rows.len() as i64], self.shape(row.shape())?].concat();
                let array = self.allocate(elem, shape)?;
                for (i, e) in rows.iter().enumerate() {
                    let value = self.operand(*e)?;
                    self.write(&array, &[i as i64], value)?;
                }
                self.env.insert(*var, Val::Array(array));
            }
            Op::Copy(var, array) => {
                let array = self.array(*array)?;
                let copy = self.copied(&array)?;
                self.env.insert(*var, Val::Array(copy));
            }
            Op::Write { var, array, indices, value } => {
                let (array, indices, value) = (self.array(*array)?, self.indices(indices)?, self.operand(*value)?);
                self.write(&array, &indices, value)?;
                self.env.insert(*var, Val::Array(array));
            }
            Op::If { cond, yes, no, results } => {
                // mutant: a condition is a boolean: the checker sees to it
                let cond = self.host(*cond)?.as_bool().unwrap_or(false);
                let values = self.block(if cond { yes } else { no })?;
                self.settle(results, values)?;
            }
            Op::Loop { params, form, body, results } => {
                let slots: Vec<Slot> = params.iter().map(|(slot, _)| slot.clone()).collect();
                let values = params.iter().map(|(_, init)| self.operand(*init).ok()).collect();
                self.settle(&slots, values)?;
                let bound = match form {
                    Form::For { bound, .. } => self.host(*bound)?,
                    // mutant: all operands of a check of the host are scalars that it has, so that none is replaced by this; a while loop has no
                    //   bound to look at
                    Form::While(_) => Scalar::I64(0),
                };
                let mut i = 0;
                loop {
                    self.interrupted()?;
                    match form {
                        Form::For { index, .. } => {
                            if i >= integer(bound) {
                                break;
                            }
                            self.env.insert(*index, Val::Scalar(Scalar::from_i64(bound.scalar_type(), i)));
                        }
                        Form::While(cond) => {
                            if self.host((*cond).into())?.as_bool() != Some(true) {
                                break;
                            }
                        }
                    }
                    let values = self.block(body)?;
                    self.settle(&slots, values)?;
                    i += 1;
                }
                for (slot, result) in slots.iter().zip(results) {
                    if let Some(value) = self.env.remove(&slot.var) {
                        self.env.insert(*result, value);
                    }
                }
            }
        }
        // mutant: after how many commands exactly a recording is run changes no result
        if self.recording.commands().len() >= LONG {
            // mutant: runs only where the memory of a device is full, which no test can bring about on a machine that others use
            self.flush(&[])?;
        }
        Ok(())
    }

    /// Binds values, scalars in cells where that was agreed.
    fn settle(&mut self, slots: &[Slot], values: Vec<Option<Val>>) -> Outcome<()> {
        let mut settled = Vec::new();
        for (slot, value) in slots.iter().zip(values) {
            settled.push(match (slot.cell, value) {
                (Some(ty), Some(Val::Scalar(x))) => {
                    let cell = self.allocate(ty, vec![])?;
                    self.put(cell.range, x)?;
                    Some(Val::Cell(cell, Some(x)))
                }
                (_, value) => value,
            });
        }
        for (slot, value) in slots.iter().zip(settled) {
            if let Some(value) = value {
                self.env.insert(slot.var, value);
            }
        }
        Ok(())
    }

    fn interrupted(&self) -> Outcome<()> {
        if self.machine.ctx.cancelled() {
            return Err(RuntimeError::new(FailureKind::Cancelled, "the run was stopped"));
        }
        Ok(())
    }

    fn operand(&self, e: SubExp) -> Outcome<Val> {
        match e {
            SubExp::Lit(x) => Ok(Val::Scalar(x)),
            SubExp::Var(v) => {
                let missing = || RuntimeError::internal(format!("variable {} has no value on the host", v.0));
                self.env.get(&v).cloned().ok_or_else(missing)
            }
        }
    }

    /// A scalar's value; looks at the device if need be.
    fn host(&mut self, e: SubExp) -> Outcome<Scalar> {
        match self.operand(e)? {
            Val::Scalar(x) | Val::Cell(_, Some(x)) => Ok(x),
            Val::Cell(cell, None) => {
                let bytes = self.flush(&[cell.range])?;
                // mutant: one range was asked for, so that the first is the last
                let x = scalar_from_bytes(cell.elem, bytes.first().map_or(&[], |bytes| bytes));
                if let Some(var) = e.as_var() {
                    self.env.insert(var, Val::Cell(cell, Some(x)));
                }
                Ok(x)
            }
            Val::Array(_) => Err(RuntimeError::internal("an array where a scalar should be")),
        }
    }

    fn array(&self, var: Var) -> Outcome<DeviceArray> {
        match self.operand(var.into())? {
            Val::Array(array) => Ok(array),
            Val::Scalar(_) | Val::Cell(..) => Err(RuntimeError::internal("a scalar where an array should be")),
        }
    }

    fn indices(&mut self, indices: &[SubExp]) -> Outcome<Vec<i64>> {
        indices.iter().map(|e| self.host(*e).map(integer)).collect()
    }

    fn shape(&mut self, shape: &[Dim]) -> Outcome<Vec<i64>> {
        shape.iter().map(|dim| self.host((*dim).into()).map(integer)).collect()
    }

    /// Runs what is recorded; the contents of ranges after it. Fails if a kernel has.
    fn flush(&mut self, read: &[Range]) -> Outcome<Vec<Vec<u8>>> {
        let recording = std::mem::take(&mut self.recording);
        let dispatched = std::mem::take(&mut self.dispatched);
        (self.machine.watch)(&recording);
        let ranges = [&[self.machine.failure], read].concat();
        let ran =
            self.machine.device.run(&recording, &ranges, self.machine.tuning.profile != 0).map_err(device_error)?;
        for (kernel, timing) in dispatched.into_iter().zip(&ran.timings) {
            let tally = tally(&mut self.tallies, kernel);
            // mutant off by one: no clock is right to a nanosecond
            *tally.nanoseconds.get_or_insert(0) += timing.nanoseconds as u64;
        }
        let mut read = ran.read;
        let rest = read.split_off(1);
        // mutant swap: the failure buffer alone is left there, so that the first is the last
        read.first().map_or(Ok(()), |report| self.reported(report))?;
        Ok(rest)
    }

    /// What a kernel has reported, if anything.
    fn reported(&self, report: &[u8]) -> Outcome<()> {
        let word = |at: usize| {
            let bytes = report.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            // mutant: the failure buffer has room for all words that are asked for
            bytes.map_or(0, i64::from_le_bytes)
        };
        let number = word(0) as u32 as usize;
        if number == 0 {
            return Ok(());
        }
        if let (true, Some(limit)) = (number as u32 == ROUNDS, self.machine.device.caps().loop_limit) {
            let driver = &self.machine.device.caps().driver;
            let message =
                format!("the driver {driver} stops a kernel's loops after {limit} rounds, which are too few here");
            return Err(RuntimeError::new(FailureKind::Device, message));
        }
        let Some(site) = self.machine.plan.sites.get(number - 1) else {
            return Err(RuntimeError::internal(format!("a kernel reports failure {number}")));
        };
        let values: HashMap<SubExp, i64> =
            site.operands().into_iter().enumerate().map(|(k, e)| (e, word(8 * (k + 1)))).collect();
        // mutant: a report has all operands of its check, literals too
        let failed = run_check(&site.check, &mut |e| Scalar::I64(values.get(&e).copied().unwrap_or(0)));
        let silent = RuntimeError::internal("a kernel reports a failure of a check that holds");
        Err(failed.err().unwrap_or(silent).at(site.prov))
    }

    fn allocate(&mut self, elem: ScalarType, mut shape: Vec<i64>) -> Outcome<DeviceArray> {
        let memory = self.memory(bytes_of(elem, &shape)?)?;
        // of a nest without points a size may be none: its check stands before the nest, and is for points
        shape.iter_mut().for_each(|n| *n = (*n).max(0));
        Ok(DeviceArray { elem, shape, range: memory.range(), memory })
    }

    fn memory(&mut self, bytes: u64) -> Outcome<Arc<Memory>> {
        let device = self.machine.device;
        let memory = match device.alloc(bytes) {
            Err(Error::OutOfMemory { .. }) => {
                // Memory that is free already may still be named by what is recorded.
                // mutant: runs only where the memory of a device is full, which no test can bring about on a machine that others use
                self.flush(&[])?;
                // mutant: runs only where the memory of a device is full, which no test can bring about on a machine that others use
                device.trim();
                device.alloc(bytes)
            }
            other => other,
        };
        memory.map(Arc::new).map_err(device_error)
    }

    fn copied(&mut self, array: &DeviceArray) -> Outcome<DeviceArray> {
        let copy = self.allocate(array.elem, array.shape.clone())?;
        self.copy(array.range, copy.range);
        Ok(copy)
    }

    fn copy(&mut self, src: Range, dst: Range) {
        if src.len > 0 {
            self.recording.push(Command::Copy { src, dst: Range::new(dst.start, src.len) });
        }
    }

    /// Writes a scalar to memory.
    fn put(&mut self, dst: Range, x: Scalar) -> Outcome<()> {
        let bits = x.bits();
        match x.scalar_type().bytes() {
            1 => {
                // Fills write whole words: by way of one.
                let word = self.memory(4)?;
                self.recording.push(Command::Fill { dst: word.range(), word: bits as u32 });
                self.copy(Range::new(word.range().start, 1), dst);
            }
            4 => self.recording.push(Command::Fill { dst, word: bits as u32 }),
            _ => {
                self.recording.push(Command::Fill { dst: dst.slice(0, 4), word: bits as u32 });
                self.recording.push(Command::Fill { dst: dst.slice(4, 4), word: (bits >> 32) as u32 });
            }
        }
        Ok(())
    }

    /// Writes an element or row.
    fn write(&mut self, array: &DeviceArray, indices: &[i64], value: Val) -> Outcome<()> {
        let target = row(array, indices)?;
        match value {
            Val::Scalar(x) => self.put(target.range, x),
            Val::Cell(source, _) | Val::Array(source) => {
                self.copy(source.range, target.range);
                Ok(())
            }
        }
    }

    fn launch(&mut self, launch: &Launch) -> Outcome<()> {
        self.interrupted()?;
        let space = self.shape(&launch.space)?;
        let mut outputs = HashMap::default();
        for (position, binder) in &launch.outputs {
            let shape = self.shape(binder.ty.shape())?;
            let elem = binder.ty.elem().unwrap_or(ScalarType::Bool);
            outputs.insert(*position, self.allocate(elem, shape)?);
        }
        let points = product(&space)?;
        match &launch.how {
            // mutant: only kernels of workgroups that reduce are told, and multiplied by, a number of chunks
            How::Map(kernel) => self.dispatch(*kernel, points, points, 1, &outputs)?,
            How::Reduce { each, group } => {
                let (outer, length) = space.split_at(space.len() - 1);
                let (segments, length) = (product(outer)?, length[0]);
                let tuning = self.machine.tuning;
                // mutant negation: over how many invocations a reduction is spread on a device without a limit changes no result; the tests' device
                //   has one
                let long = self.machine.device.caps().loop_limit.is_some_and(|limit| length > i64::from(limit / 64));
                let short = length <= tuning.reduce_each_length || segments >= tuning.reduce_each_segments && !long;
                match group {
                    Some(group) if !short => self.reduce(group, outer, segments, length, &outputs)?,
                    // mutant off by one: only kernels of workgroups that reduce are told, and multiplied by, a number of chunks
                    _ => self.dispatch(*each, segments, points.max(segments), 1, &outputs)?,
                }
            }
        }
        for (position, binder) in &launch.outputs {
            let Some(array) = outputs.remove(position) else { continue };
            let value = if array.shape.is_empty() { Val::Cell(array, None) } else { Val::Array(array) };
            self.env.insert(binder.var, value);
        }
        Ok(())
    }

    /// A reduction by workgroups, in two steps if there are fewer segments than the device can use.
    fn reduce(
        &mut self,
        group: &Grouped,
        outer: &[i64],
        segments: i64,
        length: i64,
        outputs: &HashMap<usize, DeviceArray>,
    ) -> Outcome<()> {
        if segments == 0 {
            return Ok(());
        }
        let size = i64::from(self.machine.plan.kernels[group.first.0].1.group_size);
        let points = segments.saturating_mul(length);
        let chunks = (self.machine.tuning.reduce_groups / segments).min(length / (2 * size)).max(1);
        if chunks == 1 {
            return self.dispatch(group.first, segments, points, 1, outputs);
        }
        let mut first = outputs.clone();
        for (k, binder) in group.partial.iter().enumerate() {
            // mutant: of this shape only the number of elements is used
            let shape = [outer, &[chunks]].concat();
            let partial = self.allocate(binder.ty.elem().unwrap_or(ScalarType::Bool), shape)?;
            self.env.insert(binder.var, Val::Array(partial.clone()));
            first.insert(k, partial);
        }
        self.env.insert(group.chunks, Val::Scalar(Scalar::I64(chunks)));
        self.dispatch(group.first, segments, points, chunks, &first)?;
        self.dispatch(group.second, segments, segments * chunks, 1, outputs)?;
        group.partial.iter().for_each(|binder| _ = self.env.remove(&binder.var));
        Ok(())
    }

    /// Records a kernel: `items` are the points of a map or the segments of a reduction, `points` what is counted.
    fn dispatch(
        &mut self,
        index: KernelIndex,
        items: i64,
        points: i64,
        chunks: i64,
        outputs: &HashMap<usize, DeviceArray>,
    ) -> Outcome<()> {
        if items == 0 {
            return Ok(());
        }
        let machine = self.machine;
        let (label, kernel) = &machine.plan.kernels[index.0];
        let id = match machine.compiled[index.0].get() {
            Some(id) => *id,
            None => {
                let id = machine.device.compile(&kernel.source, label).map_err(device_error)?;
                *machine.compiled[index.0].get_or_init(|| id)
            }
        };
        let size = i64::from(kernel.group_size);
        let is_reduction = kernel.args.contains(&Arg::Chunks);
        let wanted = if is_reduction { items.saturating_mul(chunks) } else { covering(items, size) };

        let own: Outcome<Vec<i64>> = kernel
            .scratch
            .iter()
            .map(|scratch| {
                let shape: Outcome<Vec<i64>> = scratch.shape.iter().map(|known| self.known(known)).collect();
                Ok(bytes_of(scratch.elem, &shape?)? as i64)
            })
            .collect();
        let own = own?;
        let groups = machine.tuning.groups(wanted, size, &own);
        let threads = groups * size;
        let all = |bytes: &i64| bytes.checked_mul(threads).and_then(|b| u64::try_from(b).ok()).ok_or_else(too_large);
        let memory: Outcome<Vec<Arc<Memory>>> = own.iter().map(|bytes| self.memory(all(bytes)?)).collect();
        let memory = memory?;

        let (mut args, mut reads, mut writes) = (Vec::new(), vec![machine.failure], Vec::new());
        for arg in &kernel.args {
            let word = match arg {
                Arg::Failure => machine.failure.start,
                Arg::Points => items as u64,
                Arg::Threads => threads as u64,
                Arg::Chunks => chunks as u64,
                Arg::Scalar(var) => self.host((*var).into())?.bits(),
                Arg::Cell(var) => match self.operand((*var).into())? {
                    Val::Cell(cell, _) | Val::Array(cell) => {
                        reads.push(cell.range);
                        cell.range.start
                    }
                    Val::Scalar(_) => return Err(RuntimeError::internal("a scalar that is in no cell")),
                },
                Arg::Array(var) => {
                    let array = self.array(*var)?;
                    reads.push(array.range);
                    if kernel.updates.contains(var) {
                        writes.push(array.range);
                    }
                    array.range.start
                }
                Arg::Result(position) => {
                    let array =
                        outputs.get(position).ok_or_else(|| RuntimeError::internal("a result without memory"))?;
                    writes.push(array.range);
                    array.range.start
                }
                Arg::Scratch(k) => {
                    writes.push(memory[*k].range());
                    memory[*k].range().start
                }
            };
            args.extend(word.to_le_bytes());
        }
        let operations = kernel.cost.eval(&mut |var| match self.env.get(&var) {
            Some(Val::Scalar(x) | Val::Cell(_, Some(x))) => Ok::<_, RuntimeError>(*x),
            _ => Ok(Scalar::I64(1)),
        })?;
        let tally = tally(&mut self.tallies, index);
        tally.launches += 1;
        tally.invocations += points as u64;
        tally.operations += operations.saturating_mul(if is_reduction { points } else { items } as u64);
        tally.bytes += reads.iter().chain(&writes).map(|range| range.len).sum::<u64>();
        self.dispatched.push(index);
        let groups = [u32::try_from(groups).unwrap_or(u32::MAX), 1, 1];
        let label = label.clone();
        self.recording.push(Command::Dispatch(Dispatch { kernel: id, groups, args, reads, writes, label }));
        Ok(())
    }

    fn known(&mut self, known: &Known) -> Outcome<i64> {
        known.eval(&mut |var| self.host(var.into())).map(integer)
    }
}

fn tally(tallies: &mut Tallies, kernel: KernelIndex) -> &mut Tally {
    let position = tallies.kernels.iter().position(|(index, _)| *index == kernel).unwrap_or_else(|| {
        tallies.kernels.push((kernel, Tally::default()));
        tallies.kernels.len() - 1
    });
    &mut tallies.kernels[position].1
}
