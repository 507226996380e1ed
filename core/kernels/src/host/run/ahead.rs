//! What is guarded: choices that the machine makes, and loops through which the host is ahead of it. Note [What is guarded] of the IR.

// Note [Memory of rounds that there may not be]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// When the host learns that a loop has stopped it is some rounds further, which have done nothing. The results are what the last round there was has left: the host keeps, of each round since it looked, what
// scalars and memory it left; the memory itself has what it had then, also where it has been freed and taken again since, as rounds that do nothing write nothing. But it must not be somebody
// else's meanwhile: what the rounds of a loop allocate is kept in a pool until the loop ends, and serves its later rounds again once no variable names it. What is written whether a
// round takes place or not, guards and the loop's control, is not of the pool.

use super::*;
use futi_core::hash::HashMap;

/// After how many launches the host looks how far a loop has come, at the latest behind the round.
const FAR: u64 = 1 << 15;

/// Memory that rounds of a loop have allocated, by the type and number of its elements.
pub(super) struct Pool<M: Machine>(HashMap<(ScalarType, u64), Vec<Buffer<M::Memory>>>);

/// Memory that a round has left.
enum Kept<M: Machine> {
    /// Of the pool, by its position.
    Pooled((ScalarType, u64), usize),
    /// Other memory.
    Other(Buffer<M::Memory>),
}

/// What a round has left, without a name for memory of the pool.
type Round<M> = (Vec<Scalar>, Vec<Kept<M>>);

/// A loop whose end the machine sees.
struct Ahead<'a, 'm, M> {
    params: Vec<HostScalar>,
    mem_params: Vec<Mem>,
    body: &'a Block,
    /// The position of the condition in the memory that changes.
    cond: usize,
    control: &'m Buffer<M>,
}

impl<M: Machine> Pool<M> {
    fn position(&self, buffer: &Buffer<M::Memory>) -> Option<usize> {
        self.0.get(&(buffer.elem, buffer.len))?.iter().position(|own| M::same(&own.memory, &buffer.memory))
    }

    /// Memory that nobody names.
    fn unused(&self, elem: ScalarType, len: u64) -> Option<&Buffer<M::Memory>> {
        self.0.get(&(elem, len))?.iter().find(|own| M::clones(&own.memory) == 1)
    }
}

impl<'a, M: Machine> Run<'a, M> {
    /// Memory in which nothing is.
    pub(super) fn taken(&mut self, elem: ScalarType, len: u64, scratch: bool) -> Result<Buffer<M::Memory>> {
        if let Some(unused) = self.pool.as_ref().and_then(|pool| pool.unused(elem, len)).cloned() {
            self.machine.renew(&unused, scratch)?;
            return Ok(unused);
        }
        let memory = if scratch { self.machine.scratch(elem, len)? } else { self.machine.alloc(elem, len)? };
        let buffer = Buffer { memory, elem, len };
        if let Some(pool) = &mut self.pool {
            pool.0.entry((elem, len)).or_default().push(buffer.clone());
        }
        Ok(buffer)
    }

    /// Puts a guard in force, or none.
    fn guarded(&mut self, guard: Option<Buffer<M::Memory>>) {
        self.machine.guard(guard.as_ref());
        self.guard = guard;
    }

    /// A choice that the machine makes.
    pub(super) fn when(&mut self, frame: &mut Frame<'a, M::Memory>, cond: Mem, blocks: [&'a Block; 2]) -> Result<()> {
        let sides = [self.alloc(ScalarType::I64, 1)?, self.alloc(ScalarType::I64, 1)?];
        let [yes, no] = &sides;
        self.machine.choose([yes, no], frame.mem(cond)?)?;
        let outer = self.guard.clone();
        for (side, block) in sides.into_iter().zip(blocks) {
            self.guarded(Some(side.clone()));
            let done = self.block(frame, block).map(drop);
            self.guarded(outer.clone());
            if let Err(error) = done {
                frame.end(block);
                self.unless_guarded(error, &side)?;
            }
        }
        Ok(())
    }

    /// A failure of the host's in what is guarded, if the guard holds.
    fn unless_guarded(&mut self, error: RuntimeError, guard: &Buffer<M::Memory>) -> Result<()> {
        if error.kind == FailureKind::Cancelled || self.looked_at(guard, 0)? != 0 { Err(error) } else { Ok(()) }
    }

    fn looked_at(&mut self, of: &Buffer<M::Memory>, index: u64) -> Result<i64> {
        let read = self.machine.read(&[(of, index)])?;
        read.first().and_then(|x| x.as_i64()).ok_or_else(|| RuntimeError::internal("an i64 is of another type"))
    }

    /// A loop that goes on as long as the machine finds its condition true.
    pub(super) fn device_loop(&mut self, frame: &mut Frame<'a, M::Memory>, op: &'a Op, cond: usize) -> Result<()> {
        let Op::Loop { scalars, mems, frees, body, last_scalars, last_mems, .. } = op else { return Ok(()) };
        let first = self.begin(frame, scalars, mems, frees)?;
        let control = self.alloc(ScalarType::I64, 2)?;
        self.machine.write(&control, 0, Scalar::I64(1))?;
        self.machine.write(&control, 1, Scalar::I64(0))?;
        let ahead = Ahead {
            params: scalars.iter().map(|(s, _)| *s).collect(),
            mem_params: mems.iter().map(|(m, _)| *m).collect(),
            body,
            cond,
            control: &control,
        };
        self.pool = Some(Pool(HashMap::default()));
        let left = self.rounds(frame, &ahead, first);
        self.pool = None;
        frame.bind(last_scalars, last_mems, left?);
        Ok(())
    }

    /// What the last round there is leaves.
    fn rounds(
        &mut self,
        frame: &mut Frame<'a, M::Memory>,
        ahead: &Ahead<'a, '_, M::Memory>,
        mut left: Left<M::Memory>,
    ) -> Result<Left<M::Memory>> {
        let most = usize::try_from(self.machine.tuning(Tuning::Batch)).unwrap_or(0).max(1);
        // twice as many each time: few looks, and no more rounds that do nothing than others
        let mut batch = 1;
        // the rounds that there were when the host looked
        let mut before = 0;
        self.machine.step(ahead.control, ahead.condition(&left)?)?;
        loop {
            let mut history = vec![self.remember(&left)];
            let done = self.batch(frame, ahead, batch, &mut left, &mut history);
            if let Err(error) = done {
                ahead.mem_params.iter().for_each(|mem| frame.mems[mem.at()] = None);
                frame.end(ahead.body);
                self.unless_guarded(error, ahead.control)?;
            }
            let control = self.machine.read(&[(ahead.control, 0), (ahead.control, 1)])?;
            let [Some(Scalar::I64(running)), Some(Scalar::I64(begun))] = [control.first(), control.get(1)] else {
                return Err(RuntimeError::internal("the control of a loop is of another type"));
            };
            if *running == 0 {
                let round = usize::try_from(begun - before).ok().and_then(|k| history.into_iter().nth(k));
                return self.recall(round.ok_or_else(|| RuntimeError::internal("a round that the host has not seen"))?);
            }
            before += history.len() as i64 - 1;
            batch = (2 * batch).min(most);
        }
    }

    /// Goes through rounds of a loop, and keeps what each leaves.
    fn batch(
        &mut self,
        frame: &mut Frame<'a, M::Memory>,
        ahead: &Ahead<'a, '_, M::Memory>,
        rounds: usize,
        left: &mut Left<M::Memory>,
        history: &mut Vec<Round<M>>,
    ) -> Result<()> {
        let launches = self.launches;
        for _ in 0..rounds {
            self.interrupted()?;
            frame.bind(&ahead.params, &ahead.mem_params, std::mem::take(left));
            self.guarded(Some(ahead.control.clone()));
            let round = self.block(frame, ahead.body);
            self.guarded(None);
            *left = round?;
            ahead.mem_params.iter().for_each(|mem| frame.mems[mem.at()] = None);
            self.machine.step(ahead.control, ahead.condition(left)?)?;
            history.push(self.remember(left));
            if self.launches - launches > FAR {
                break;
            }
        }
        Ok(())
    }

    fn remember(&self, (scalars, mems): &Left<M::Memory>) -> Round<M> {
        let kept = |buffer: &Buffer<M::Memory>| match self.pool.as_ref().and_then(|pool| pool.position(buffer)) {
            Some(at) => Kept::Pooled((buffer.elem, buffer.len), at),
            None => Kept::Other(buffer.clone()),
        };
        (scalars.clone(), mems.iter().map(kept).collect())
    }

    fn recall(&self, (scalars, mems): Round<M>) -> Result<Left<M::Memory>> {
        let pooled = |key, at: usize| self.pool.as_ref()?.0.get(&key)?.get(at).cloned();
        let buffer = |kept| match kept {
            Kept::Pooled(key, at) => pooled(key, at).ok_or_else(|| RuntimeError::internal("a loop's memory is gone")),
            Kept::Other(buffer) => Ok(buffer),
        };
        Ok((scalars, mems.into_iter().map(buffer).collect::<Result<_>>()?))
    }
}

impl<M> Ahead<'_, '_, M> {
    /// The memory of the condition in what a round has left.
    fn condition<'l>(&self, (_, mems): &'l Left<M>) -> Result<&'l Buffer<M>> {
        mems.get(self.cond).ok_or_else(|| RuntimeError::internal("a loop has no condition"))
    }
}

impl<M: Clone> Frame<'_, M> {
    /// No variable that a block binds, at any depth, has memory any more.
    fn end(&mut self, block: &Block) {
        for stm in &block.stms {
            stm.op.binds().into_iter().for_each(|mem| self.mems[mem.at()] = None);
            if let Op::Loop { mems, .. } = &stm.op {
                mems.iter().for_each(|(mem, _)| self.mems[mem.at()] = None);
            }
            stm.op.blocks().into_iter().for_each(|inner| self.end(inner));
        }
    }
}
