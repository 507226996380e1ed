//! What a host program means, on any machine: an interpreter that computes with scalars, and has a machine do all that is done with memory.

use self::ahead::Pool;
use super::CheckedHost;
use super::ir::*;
use super::print::mem_name;
use super::sizes::{allocated, product};
use futi_core::failure::{FailureKind, RuntimeError, run_check};
use futi_core::ir::{Prov, SubExp};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::count;

type Result<T> = std::result::Result<T, RuntimeError>;

/// Something with memory that runs kernels. It may do what it is asked for later, in the order in which it was asked; errors come out when it reads at the latest. What it is asked for
/// is inside the memory that it is about.
pub trait Machine {
    /// Memory, which is freed with its last clone.
    type Memory: Clone;

    /// Memory for so many elements, of which the bytes can be counted. Nothing is in it.
    fn alloc(&mut self, elem: ScalarType, len: u64) -> Result<Self::Memory>;
    /// Likewise, for scratch of the program: whoever tells of reads of what was never written says nothing of this.
    fn scratch(&mut self, elem: ScalarType, len: u64) -> Result<Self::Memory> {
        self.alloc(elem, len)
    }
    /// The memory of a constant of the program.
    fn constant(&mut self, constant: ConstantId) -> Result<Self::Memory>;
    /// Copies elements to as many of the same type.
    fn copy(&mut self, to: Part<'_, Self::Memory>, from: Part<'_, Self::Memory>) -> Result<()>;
    /// Writes an element.
    fn write(&mut self, to: &Buffer<Self::Memory>, index: u64, value: Scalar) -> Result<()>;
    /// Reads elements of memories, each at an index, when all is done that was asked for.
    fn read(&mut self, elements: &[(&Buffer<Self::Memory>, u64)]) -> Result<Vec<Scalar>>;
    /// Runs a kernel.
    fn launch(&mut self, launch: Launched<'_, Self::Memory>) -> Result<()>;
    /// The end of a call, and the arrays that it returns.
    fn finish(&mut self, results: &[Part<'_, Self::Memory>]) -> Result<()>;
    /// A number that suits it.
    fn tuning(&self, tuning: Tuning) -> i64;
    /// Whether so many points are fewer than a threshold that suits it.
    fn few(&mut self, threshold: ThresholdId, points: i64) -> bool;
    /// How many invocations a group of a kernel has.
    fn group_size(&self, kernel: KernelId) -> u32;
    /// How many groups of a kernel it runs of so many, one at least, where each invocation has so many bytes of its own.
    fn groups(&self, kernel: KernelId, wanted: i64, own: i64) -> i64;
    /// Whether the run is to stop.
    fn cancelled(&self) -> bool;
    /// Whether nothing else has the memory of an argument, so that what is consumed may be changed where it is.
    fn owns(&self, memory: &Self::Memory) -> bool;
    /// Is told how many scalar operators the host has applied.
    fn operated(&mut self, _operators: u64) {}
    /// Whether two are the same memory.
    fn same(a: &Self::Memory, b: &Self::Memory) -> bool;
    /// How many clones there are of memory.
    fn clones(memory: &Self::Memory) -> usize;
    /// Memory that there is serves again, perhaps as scratch: nothing is in it.
    fn renew(&mut self, of: &Buffer<Self::Memory>, scratch: bool) -> Result<()>;
    /// Launches, copies and writes that are asked for from now on do nothing if the first element of the guard, an `i64`, is zero when it is their turn: Note [What is guarded] of the IR.
    fn guard(&mut self, guard: Option<&Buffer<Self::Memory>>);
    /// The guards of both sides of a choice become one if the guard in force is not zero and the first element of `cond`, a truth value, says so, and else zero.
    fn choose(&mut self, sides: [&Buffer<Self::Memory>; 2], cond: &Buffer<Self::Memory>) -> Result<()>;
    /// Goes on with a loop, of which `control` has whether it goes on, one or zero, and how many rounds it has begun, as `i64`s: if it does and the first element of `cond` holds, with another
    /// round, and else no more. What `cond` has is nobody's business where the loop does not go on.
    fn step(&mut self, control: &Buffer<Self::Memory>, cond: &Buffer<Self::Memory>) -> Result<()>;
}

/// Memory, and what is in it.
#[derive(Clone, Debug)]
pub struct Buffer<M> {
    /// The memory.
    pub memory: M,
    /// The type of its elements.
    pub elem: ScalarType,
    /// How many they are.
    pub len: u64,
}

/// Elements of memory, one behind the other.
#[derive(Debug)]
pub struct Part<'a, M> {
    /// The memory.
    pub of: &'a Buffer<M>,
    /// The first of them.
    pub offset: u64,
    /// How many.
    pub len: u64,
}

impl<M> Clone for Part<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Part<'_, M> {}

/// A kernel that is to be run.
#[derive(Debug)]
pub struct Launched<'a, M> {
    /// Which.
    pub kernel: KernelId,
    /// How many groups: some.
    pub groups: u32,
    /// How many points they have.
    pub points: u64,
    /// Its scalars.
    pub params: &'a [Scalar],
    /// Its blocks.
    pub blocks: &'a [Part<'a, M>],
}

/// An argument or a result of a call.
#[derive(Clone, Debug)]
pub enum Datum<M> {
    /// A scalar.
    Scalar(Scalar),
    /// An array, row-major.
    Array {
        /// The memory.
        buffer: Buffer<M>,
        /// Its first element.
        offset: u64,
        /// Its shape.
        shape: Vec<usize>,
    },
}

/// Whether something holds, and if not, what fails: `operands` as the site's check has them, or as 64-bit integers, as kernels tell them.
///
/// # Errors
/// The failure of the check, where the site is.
pub fn holds(site: &Site, operands: &[Scalar]) -> Result<()> {
    let mut value = |e| match e {
        SubExp::Lit(x) => x,
        SubExp::Var(v) => operands.get(v.0 as usize).copied().unwrap_or(Scalar::I64(0)),
    };
    run_check(&site.check, &mut value).map_err(|e| e.at(site.prov))
}

/// The failure that a kernel tells, by the number of its site and the operands.
pub fn failure(kernel: &HostKernel, site: usize, operands: &[i64]) -> RuntimeError {
    let operands: Vec<Scalar> = operands.iter().map(|x| Scalar::I64(*x)).collect();
    match kernel.sites.get(site).map(|own| (own, holds(own, &operands))) {
        None => RuntimeError::internal(format!("a kernel reports failure {site}")),
        Some((_, Err(failure))) => failure,
        Some((own, Ok(()))) => RuntimeError::internal("a kernel reports a failure of a check that holds").at(own.prov),
    }
}

/// Calls an entry point. A unique argument is copied first, unless the machine says that nothing else has its memory, nor has another argument.
///
/// # Errors
/// There is no such entry point, the arguments do not fit it, or the call fails.
pub fn call<M: Machine>(
    machine: &mut M,
    program: &CheckedHost,
    entry: &str,
    args: Vec<Datum<M::Memory>>,
) -> Result<Vec<Datum<M::Memory>>> {
    let Some(fun) = program.entry(entry) else {
        return Err(RuntimeError::new(FailureKind::Arguments, format!("there is no entry point {entry}")));
    };
    let mut run = Run { machine, program, operators: 0, stack: 0, guard: None, pool: None, launches: 0 };
    let result = run.entry(fun, args);
    let operators = run.operators;
    machine.operated(operators);
    result
}

/// The most bytes of stack that calls may add to that of the caller's thread.
const STACK: u64 = 256 << 20;

struct Run<'a, M: Machine> {
    machine: &'a mut M,
    program: &'a HostProgram,
    /// How many scalar operators have been applied.
    operators: u64,
    /// Bytes of stack that calls have added.
    stack: u64,
    /// The guard in force.
    guard: Option<Buffer<M::Memory>>,
    /// The memory of a loop through which the host is ahead.
    pool: Option<Pool<M>>,
    /// How many launches there have been.
    launches: u64,
}

/// What the variables of a function are.
struct Frame<'a, M> {
    fun: &'a Fun,
    scalars: Vec<Option<Scalar>>,
    mems: Vec<Option<Buffer<M>>>,
}

/// What a block leaves.
type Left<M> = (Vec<Scalar>, Vec<Buffer<M>>);

impl<'a, M: Machine> Run<'a, M> {
    fn entry(&mut self, fun: &'a Fun, args: Vec<Datum<M::Memory>>) -> Result<Vec<Datum<M::Memory>>> {
        let arguments = |message: String| RuntimeError::new(FailureKind::Arguments, message);
        if args.len() != fun.params.len() {
            return Err(arguments(format!("{} arguments for {} parameters", args.len(), fun.params.len())));
        }
        let mut frame = Frame::new(fun);
        for (param, arg) in fun.params.iter().zip(args) {
            match (param, arg) {
                (Param::Scalar(s), Datum::Scalar(x)) if fun.scalars[s.at()].ty == x.scalar_type() => {
                    frame.scalars[s.at()] = Some(x);
                }
                (Param::Array { mem, shape, unique }, Datum::Array { buffer, offset, shape: given })
                    if fun.elem(*mem) == Some(buffer.elem) && shape.len() == given.len() =>
                {
                    let shape = self.shape(&frame, shape)?;
                    if !shape.iter().zip(&given).all(|(told, is)| i64::try_from(*is) == Ok(*told)) {
                        let name = &fun.mems[mem.at()].name;
                        return Err(arguments(format!("the argument for {name} has another shape: {given:?}")));
                    }
                    let len = product(&shape)?;
                    // the function has it from its first element on
                    let stays = offset == 0 && (!unique || self.machine.owns(&buffer.memory));
                    let own = if stays { buffer } else { self.copied(inside(&buffer, offset, len)?)? };
                    frame.mems[mem.at()] = Some(own);
                }
                (Param::Scalar(s), _) => {
                    let name = &fun.scalars[s.at()].name;
                    return Err(arguments(format!("the argument for {name} has another type")));
                }
                (Param::Array { mem, .. }, _) => {
                    let name = &fun.mems[mem.at()].name;
                    return Err(arguments(format!("the argument for {name} has another type")));
                }
            }
        }
        self.stms(&mut frame, &fun.body)?;
        let results = fun.results.iter().map(|value| self.value(&frame, value)).collect::<Result<Vec<_>>>()?;
        let mut shown = Vec::new();
        for result in &results {
            if let Datum::Array { buffer, offset, shape } = result {
                shown.push(inside(buffer, *offset, count(shape) as u64)?);
            }
        }
        self.machine.finish(&shown)?;
        Ok(results)
    }

    /// Other memory with the same elements.
    fn copied(&mut self, from: Part<'_, M::Memory>) -> Result<Buffer<M::Memory>> {
        let copy = self.alloc(from.of.elem, from.len)?;
        if from.len > 0 {
            self.machine.copy(Part { of: &copy, offset: 0, len: from.len }, from)?;
        }
        Ok(copy)
    }

    fn alloc(&mut self, elem: ScalarType, len: u64) -> Result<Buffer<M::Memory>> {
        Ok(Buffer { memory: self.machine.alloc(elem, len)?, elem, len })
    }

    fn stms(&mut self, frame: &mut Frame<'a, M::Memory>, stms: &'a [Stm]) -> Result<()> {
        stms.iter().try_for_each(|stm| {
            self.op(frame, &stm.op).map_err(|e| match stm.op {
                Op::Call { .. } if e.prov != Prov::UNKNOWN => e.called_at(stm.prov),
                _ => e.at(stm.prov),
            })
        })
    }

    fn op(&mut self, frame: &mut Frame<'a, M::Memory>, op: &'a Op) -> Result<()> {
        match op {
            Op::Let(to, e) => frame.scalars[to.at()] = Some(self.exp(frame, e)?),
            Op::Check { check, operands } => {
                let operands = self.exps(frame, operands)?;
                holds(&self.program.checks[check.at()], &operands)?;
            }
            Op::Alloc { mem, scratch, shape } => {
                let elem = frame.fun.mems[mem.at()].ty;
                let len = allocated(elem, &self.shape(frame, shape)?)?;
                frame.mems[mem.at()] = Some(self.taken(elem, len, *scratch)?);
            }
            Op::Constant(mem, id) => {
                let (elem, len) = (frame.fun.mems[mem.at()].ty, self.program.constants[id.at()].len() as u64);
                frame.mems[mem.at()] = Some(Buffer { memory: self.machine.constant(*id)?, elem, len });
            }
            Op::Free(mem) => {
                frame.mem(*mem)?;
                frame.mems[mem.at()] = None;
            }
            Op::Copy { to, from } => {
                let (to, from) = (self.slice(frame, to)?, self.slice(frame, from)?);
                if to.len != from.len {
                    return Err(RuntimeError::internal(format!("{} elements are copied to {}", from.len, to.len)));
                }
                if to.len > 0 {
                    self.machine.copy(to, from)?;
                }
            }
            Op::Write { to, index, value } => {
                let (index, value) = (self.int(frame, index)?, self.exp(frame, value)?);
                let to = inside(frame.mem(*to)?, index, 1)?;
                self.machine.write(to.of, to.offset, value)?;
            }
            Op::Read(reads) => {
                let mut elements = Vec::new();
                for (_, mem, index) in reads {
                    let index = self.int(frame, index)?;
                    let part = inside(frame.mem(*mem)?, index, 1)?;
                    elements.push((part.of, part.offset));
                }
                let values = self.machine.read(&elements)?;
                for ((to, ..), value) in reads.iter().zip(values) {
                    frame.scalars[to.at()] = Some(value);
                }
            }
            Op::Launch(launch) => self.launch(frame, launch)?,
            Op::If { cond, yes, no, scalars, mems } => {
                let block = if self.exp(frame, cond)?.as_bool() == Some(true) { yes } else { no };
                let left = self.block(frame, block)?;
                frame.bind(scalars, mems, left);
            }
            Op::When { cond, yes, no } => self.when(frame, *cond, [yes, no])?,
            Op::Loop { form: Form::Device(cond), .. } => self.device_loop(frame, op, *cond)?,
            Op::Loop { .. } => self.loop_(frame, op)?,
            Op::Call { fun, args, results } => {
                let values = self.call(frame, *fun, args)?;
                for (result, value) in results.iter().zip(values) {
                    match (result, value) {
                        (CallResult::Scalar(s), Datum::Scalar(x)) => frame.scalars[s.at()] = Some(x),
                        (CallResult::Array(mem, first), Datum::Array { buffer, offset, .. }) => {
                            frame.scalars[first.at()] = Some(Scalar::I64(offset as i64));
                            frame.mems[mem.at()] = Some(buffer);
                        }
                        _ => return Err(RuntimeError::internal("a scalar for an array, or an array for a scalar")),
                    }
                }
            }
        }
        Ok(())
    }

    fn launch(&mut self, frame: &Frame<'a, M::Memory>, launch: &Launch) -> Result<()> {
        self.interrupted()?;
        let groups = self.int(frame, &launch.groups)?;
        if groups <= 0 {
            return Ok(());
        }
        let Ok(groups) = u32::try_from(groups) else {
            return Err(RuntimeError::internal(format!("a launch of {groups} groups")));
        };
        let points = self.int(frame, &launch.points)?.max(0) as u64;
        let params = self.exps(frame, &launch.params)?;
        let blocks = launch.blocks.iter().map(|slice| self.slice(frame, slice)).collect::<Result<Vec<_>>>()?;
        let kernel = launch.kernel;
        self.launches += 1;
        self.machine.launch(Launched { kernel, groups, points, params: &params, blocks: &blocks })
    }

    fn loop_(&mut self, frame: &mut Frame<'a, M::Memory>, op: &'a Op) -> Result<()> {
        let Op::Loop { form, scalars, mems, frees, body, last_scalars, last_mems } = op else { return Ok(()) };
        let bound = match form {
            Form::For(index, bound) => Some((*index, self.exp(frame, bound)?)),
            Form::While(_) | Form::Device(_) => None,
        };
        let mut left = self.begin(frame, scalars, mems, frees)?;
        let (params, mem_params): (Vec<_>, Vec<_>) =
            (scalars.iter().map(|(s, _)| *s).collect(), mems.iter().map(|(m, _)| *m).collect());
        let mut round: i128 = 0;
        loop {
            let goes_on = match (form, bound) {
                (Form::While(cond), _) => left.0.get(*cond).and_then(|x| x.as_bool()) == Some(true),
                (_, Some((index, bound))) => {
                    // a round that is below the bound is of the bound's type
                    frame.scalars[index.at()] = Scalar::from_int(bound.scalar_type(), round);
                    bound.to_int().is_some_and(|bound| round < bound)
                }
                _ => false,
            };
            if !goes_on {
                break;
            }
            self.interrupted()?;
            frame.bind(&params, &mem_params, left);
            left = self.block(frame, body)?;
            // the memory of the round before is freed, unless this one has left it
            mem_params.iter().for_each(|mem| frame.mems[mem.at()] = None);
            round += 1;
        }
        frame.bind(last_scalars, last_mems, left);
        Ok(())
    }

    /// What a loop begins with; what ends with that is freed.
    fn begin(
        &mut self,
        frame: &mut Frame<'a, M::Memory>,
        scalars: &[(HostScalar, Exp)],
        mems: &[(Mem, Mem)],
        frees: &[Mem],
    ) -> Result<Left<M::Memory>> {
        let first = scalars.iter().map(|(_, init)| self.exp(frame, init)).collect::<Result<_>>()?;
        let memory = mems.iter().map(|(_, init)| frame.mem(*init).cloned()).collect::<Result<_>>()?;
        frees.iter().for_each(|mem| frame.mems[mem.at()] = None);
        Ok((first, memory))
    }

    fn call(&mut self, frame: &Frame<'a, M::Memory>, fun: FunId, args: &[Value]) -> Result<Vec<Datum<M::Memory>>> {
        let fun = &self.program.funs[fun.at()];
        let mut own = Frame::new(fun);
        for (param, arg) in fun.params.iter().zip(args) {
            match (param, arg) {
                (Param::Scalar(s), Value::Scalar(e)) => own.scalars[s.at()] = Some(self.exp(frame, e)?),
                (Param::Array { mem, .. }, Value::Array { mem: arg, .. }) => {
                    own.mems[mem.at()] = Some(frame.mem(*arg)?.clone());
                }
                _ => return Err(RuntimeError::internal("a scalar for an array, or an array for a scalar")),
            }
        }
        self.on_stack(|run| {
            run.interrupted()?;
            run.stms(&mut own, &fun.body)?;
            fun.results.iter().map(|value| run.value(&own, value)).collect()
        })
    }

    /// Runs `f` with enough stack for one more level of nesting: a piece more of it where what is left is little.
    fn on_stack<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        const PIECE: u64 = 4 << 20;
        if stacker::remaining_stack().is_some_and(|left| left >= 128 << 10) {
            return f(self);
        }
        if self.stack + PIECE > STACK {
            let message = format!("recursion deeper than {STACK} bytes of stack hold");
            return Err(RuntimeError::new(FailureKind::Memory, message));
        }
        self.stack += PIECE;
        let result = stacker::grow(PIECE as usize, || f(self));
        self.stack -= PIECE;
        result
    }

    fn interrupted(&self) -> Result<()> {
        if self.machine.cancelled() {
            return Err(RuntimeError::new(FailureKind::Cancelled, "the run was stopped"));
        }
        Ok(())
    }

    /// Runs a block. Memory that it binds ends with it, but for what it leaves.
    fn block(&mut self, frame: &mut Frame<'a, M::Memory>, block: &'a Block) -> Result<Left<M::Memory>> {
        self.on_stack(|run| run.stms(frame, &block.stms))?;
        let scalars = self.exps(frame, &block.scalars)?;
        let mems = block.mems.iter().map(|mem| frame.mem(*mem).cloned()).collect::<Result<_>>()?;
        for mem in block.stms.iter().flat_map(|stm| stm.op.binds()) {
            frame.mems[mem.at()] = None;
        }
        Ok((scalars, mems))
    }

    fn value(&mut self, frame: &Frame<'a, M::Memory>, value: &Value) -> Result<Datum<M::Memory>> {
        match value {
            Value::Scalar(e) => self.exp(frame, e).map(Datum::Scalar),
            Value::Array { mem, offset, shape } => {
                let (offset, shape) = (self.int(frame, offset)?, self.shape(frame, shape)?);
                let part = inside(frame.mem(*mem)?, offset, product(&shape)?)?;
                // of an array without elements a size may be none
                let shape = shape.iter().map(|n| usize::try_from(*n).unwrap_or(0)).collect();
                Ok(Datum::Array { buffer: part.of.clone(), offset: part.offset, shape })
            }
        }
    }

    fn slice<'f>(&mut self, frame: &'f Frame<'a, M::Memory>, slice: &Slice) -> Result<Part<'f, M::Memory>> {
        let (offset, len) = (self.int(frame, &slice.offset)?, self.int(frame, &slice.len)?);
        inside(frame.mem(slice.mem)?, offset, len.max(0) as u64)
    }

    fn shape(&mut self, frame: &Frame<'a, M::Memory>, shape: &[Exp]) -> Result<Vec<i64>> {
        shape.iter().map(|e| self.int(frame, e)).collect()
    }

    fn int(&mut self, frame: &Frame<'a, M::Memory>, e: &Exp) -> Result<i64> {
        self.exp(frame, e)?.as_i64().ok_or_else(|| RuntimeError::internal("an i64 is of another type"))
    }

    fn exps(&mut self, frame: &Frame<'a, M::Memory>, exps: &[Exp]) -> Result<Vec<Scalar>> {
        exps.iter().map(|e| self.exp(frame, e)).collect()
    }

    fn exp(&mut self, frame: &Frame<'a, M::Memory>, e: &Exp) -> Result<Scalar> {
        Ok(match e {
            Exp::Lit(x) => *x,
            Exp::Var(s) => frame.scalars[s.at()].ok_or_else(|| RuntimeError::internal("a scalar has no value"))?,
            Exp::Prim(op, args) => {
                self.operators += 1;
                match &args[..] {
                    // most have one or two
                    [x] => op.eval(&[self.exp(frame, x)?]),
                    [x, y] => op.eval(&[self.exp(frame, x)?, self.exp(frame, y)?]),
                    args => op.eval(&self.exps(frame, args)?),
                }
            }
            Exp::Tuning(tuning) => Scalar::I64(self.machine.tuning(*tuning)),
            Exp::Few { threshold, points } => {
                self.operators += 1;
                let points = self.int(frame, points)?;
                Scalar::Bool(self.machine.few(*threshold, points))
            }
            Exp::GroupSize(kernel) => Scalar::I64(self.machine.group_size(*kernel).into()),
            Exp::Groups { kernel, wanted, own } => {
                let (wanted, own) = (self.int(frame, wanted)?, self.int(frame, own)?);
                Scalar::I64(if wanted <= 0 { 0 } else { self.machine.groups(*kernel, wanted, own).clamp(1, wanted) })
            }
        })
    }
}

impl<'a, M: Clone> Frame<'a, M> {
    fn new(fun: &'a Fun) -> Frame<'a, M> {
        Frame { fun, scalars: vec![None; fun.scalars.len()], mems: vec![None; fun.mems.len()] }
    }

    /// The memory of a variable that has not ended.
    fn mem(&self, mem: Mem) -> Result<&Buffer<M>> {
        self.mems[mem.at()].as_ref().ok_or_else(|| {
            RuntimeError::internal(format!("{} is used where it has no memory", mem_name(self.fun, mem)))
        })
    }

    fn bind(&mut self, scalars: &[HostScalar], mems: &[Mem], (values, memory): Left<M>) {
        scalars.iter().zip(values).for_each(|(s, x)| self.scalars[s.at()] = Some(x));
        mems.iter().zip(memory).for_each(|(m, buffer)| self.mems[m.at()] = Some(buffer));
    }
}

/// Elements of memory, if it has so many. None of them are anywhere.
fn inside<M, N: TryInto<u64> + Copy + std::fmt::Display>(of: &Buffer<M>, offset: N, len: u64) -> Result<Part<'_, M>> {
    if len == 0 {
        return Ok(Part { of, offset: 0, len });
    }
    let fits = |offset: &u64| offset.checked_add(len).is_some_and(|end| end <= of.len);
    match offset.try_into().ok().filter(fits) {
        Some(offset) => Ok(Part { of, offset, len }),
        None => Err(RuntimeError::internal(format!("{len} elements from {offset} on, in memory of {}", of.len))),
    }
}

#[cfg(test)]
mod tests;

mod ahead;
