//! Takes the steps of a launch.

// Note [Turns]
// ~~~~~~~~~~~~
// Some groups are at work at a time, and begin in an order that the seed chooses: that one waits for another one that has not begun is not excused by their numbers. In its turn an
// invocation takes a number of steps that the seed chooses, or, if there is nothing atomic, all up to the next barrier: then none can see what another one has done since the last one,
// but by a race, which is one in any order.

use super::code::{Code, Exchange, Op, stepped, updated};
use super::group::{Group, Next, State};
use super::setup::{Place, Setup, Space};
use super::shadow::{Conflict, Shadow, Touch};
use super::trap::{Trap, TrapKind};
use super::unset::Unwritten;
use super::{Bytes, Counts, Failure, Launch, Outcome, prims};
use crate::ir::Scope;
use futi_core::prim::{Scalar, ScalarType};

/// So many groups are at work at a time.
const WINDOW: usize = 3;
/// The most steps of a turn.
const TURN: u64 = 24;

/// Runs a launch on allocations.
///
/// # Errors
/// What the kernel does that it may not.
pub fn run(code: &Code, memory: &mut [Bytes], launch: &Launch) -> Result<Outcome, Box<Trap>> {
    let Setup { places, start, shadows } = match Setup::new(code, memory, launch) {
        Ok(setup) => setup,
        Err(why) => return Err(trap(code, TrapKind::Launch(why), None, None)),
    };
    let random = Random(launch.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut machine = Machine {
        code,
        launch,
        memory,
        places,
        private_bytes: start.private_bytes,
        shadows,
        outcome: Outcome::default(),
        random,
    };
    let order = Order::new(launch.groups, &mut machine.random);
    let mut window: Vec<Group> = Vec::new();
    let mut begun = 0;
    loop {
        while window.len() < WINDOW && begun < launch.groups {
            window.push(Group::new(launch, code, &start, order.group(begun)));
            begun += 1;
        }
        if window.is_empty() {
            return Ok(machine.outcome);
        }
        let at = machine.random.below(window.len());
        if machine.turn(&mut window[at])? {
            window.swap_remove(at);
        }
    }
}

fn trap(code: &Code, kind: TrapKind, invocation: Option<(u32, u32)>, at: Option<usize>) -> Box<Trap> {
    let statement = at.and_then(|at| code.place(at));
    Box::new(Trap { kind, kernel: code.kernel.name.clone(), prov: code.kernel.prov, statement, invocation })
}

/// Numbers that look random: xorshift64*, after Marsaglia and Vigna.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// One below an end above zero.
    fn below(&mut self, end: usize) -> usize {
        if end == 1 { 0 } else { ((self.next() >> 32) as usize) % end }
    }
}

/// The order in which groups begin: each after so many others, round and round.
struct Order {
    groups: u64,
    step: u64,
    first: u64,
}

impl Order {
    fn new(groups: u32, random: &mut Random) -> Order {
        fn divisor(a: u64, b: u64) -> u64 {
            if b == 0 { a } else { divisor(b, a % b) }
        }
        let groups = u64::from(groups.max(1));
        let mut step = 1 + random.below(groups as usize) as u64;
        // one of the next numbers has no divisor in common with theirs, as groups + 1 has none
        while divisor(step, groups) != 1 {
            step += 1;
        }
        Order { groups, step, first: random.below(groups as usize) as u64 }
    }

    fn group(&self, begun: u32) -> u32 {
        ((self.first + u64::from(begun) * self.step) % self.groups) as u32
    }
}

/// Why a turn ends.
enum Pause {
    Turn,
    At(State),
}

struct Machine<'a> {
    code: &'a Code,
    launch: &'a Launch,
    memory: &'a mut [Bytes],
    shadows: Vec<Option<(Shadow, usize)>>,
    places: Vec<Place>,
    private_bytes: usize,
    outcome: Outcome,
    random: Random,
}

impl Machine<'_> {
    /// Lets one invocation of a group run, or all of them go on; gives whether the group is at its end.
    fn turn(&mut self, group: &mut Group) -> Result<bool, Box<Trap>> {
        if group.ready.is_empty() {
            return match group.settle() {
                Ok(Next::GoOn) => {
                    self.outcome.counts.barriers += 1;
                    Ok(false)
                }
                Ok(Next::Ended) => Ok(true),
                Err((lane, kind)) => Err(self.trap(group, lane, kind)),
            };
        }
        let slot = self.random.below(group.ready.len());
        let lane = group.ready[slot] as usize;
        let left = self.launch.budget.saturating_sub(self.outcome.counts.steps);
        if left == 0 {
            return Err(self.trap(group, lane, TrapKind::Endless));
        }
        let steps = if self.code.atomics.is_empty() { left } else { 1 + self.random.next() % TURN };
        match self.steps(group, lane, steps.min(left)) {
            Ok(Pause::Turn) => return Ok(false),
            Ok(Pause::At(state)) => group.states[lane] = state,
            Err(kind) => return Err(self.trap(group, lane, kind)),
        }
        group.ready.swap_remove(slot);
        self.exchange(group, lane)?;
        Ok(false)
    }

    fn trap(&self, group: &Group, lane: usize, kind: TrapKind) -> Box<Trap> {
        trap(self.code, kind, Some((group.number, lane as u32)), Some(group.at[lane]))
    }

    /// Lets a subgroup exchange, if one of its invocations has come and all that have not failed wait for it.
    fn exchange(&mut self, group: &mut Group, lane: usize) -> Result<(), Box<Trap>> {
        let wide = self.launch.subgroup_size as usize;
        let own = &mut group.subgroups[lane / wide];
        match group.states[lane] {
            State::AtExchange => own.waiting += 1,
            State::Failed => own.live -= 1,
            _ => return Ok(()),
        }
        if own.live == 0 || own.waiting < own.live {
            return Ok(());
        }
        own.waiting = 0;
        let first = lane / wide * wide;
        let lanes: Vec<usize> =
            (first..(first + wide).min(group.states.len())).filter(|i| group.states[*i] == State::AtExchange).collect();
        let place = group.at[lanes[0]];
        if let Some(other) = lanes.iter().find(|i| group.at[**i] != place) {
            return Err(self.trap(group, *other, TrapKind::Divergence));
        }
        let Op::Exchange { exchange } = self.code.ops[place] else { return Ok(()) };
        let n = self.code.registers;
        let get = |i: usize, reg: u32| group.registers[i * n + reg as usize];
        let from = |lane: i64, reg: u32| lanes.iter().find(|i| (**i - first) as i64 == lane).map(|i| get(*i, reg));
        let int = |i: usize, reg: u32| i64::from(get(i, reg) as i32);
        let result = |i: usize| match &self.code.exchanges[exchange as usize] {
            Exchange::Shuffle { to, x, from: lane } => from(int(i, *lane), *x).map(|x| (*to, x)).ok_or(int(i, *lane)),
            Exchange::Up { to, x, by, otherwise } => match (i - first) as i64 - int(i, *by) {
                lane if lane < 0 => Ok((*to, get(i, *otherwise))),
                lane => from(lane, *x).map(|x| (*to, x)).ok_or(lane),
            },
            Exchange::Any { to, x } => Ok((*to, u64::from(lanes.iter().any(|i| get(*i, *x) != 0)))),
            Exchange::All { to, x } => Ok((*to, u64::from(lanes.iter().all(|i| get(*i, *x) != 0)))),
        };
        let mut results = Vec::with_capacity(lanes.len());
        for i in &lanes {
            match result(*i) {
                Ok(result) => results.push(result),
                Err(lane) => return Err(self.trap(group, *i, TrapKind::Absent { lane })),
            }
        }
        for (i, (to, x)) in lanes.into_iter().zip(results) {
            group.registers[i * n + to as usize] = x;
            group.at[i] += 1;
            group.states[i] = State::Ready;
            group.ready.push(i as u32);
        }
        Ok(())
    }

    /// So many steps of an invocation, or up to where it waits. Where it stands then, or goes wrong, is noted.
    fn steps(&mut self, group: &mut Group, lane: usize, most: u64) -> Result<Pause, TrapKind> {
        let code = self.code;
        let n = code.registers;
        let mut at = group.at[lane];
        let (mut steps, mut operations) = (0, 0);
        let mut careful = !group.unset[lane].is_empty();
        let result = loop {
            if steps == most {
                break Ok(Pause::Turn);
            }
            steps += 1;
            let registers = &mut group.registers[lane * n..(lane + 1) * n];
            let mut next = at + 1;
            if careful {
                if let Err(from) = group.unset[lane].step(&code.ops[at], code, registers) {
                    break Err(self.unwritten(from));
                }
                careful = !group.unset[lane].is_empty();
            }
            match &code.ops[at] {
                Op::Copy { to, x } => registers[*to as usize] = registers[*x as usize],
                Op::Unary { f, to, x } => {
                    operations += 1;
                    registers[*to as usize] = f(registers[*x as usize]);
                }
                Op::Binary { f, to, x, y } => {
                    operations += 1;
                    registers[*to as usize] = f(registers[*x as usize], registers[*y as usize]);
                }
                Op::Select { to, cond, x, y } => {
                    operations += 1;
                    let chosen = if registers[*cond as usize] != 0 { x } else { y };
                    registers[*to as usize] = registers[*chosen as usize];
                }
                Op::Prim { prim, to, args } => {
                    operations += 1;
                    let (prim, types) = &code.prims[*prim as usize];
                    registers[*to as usize] = prims::any(*prim, types, &args.map(|x| registers[x as usize]));
                }
                Op::Load { to, array, index } => {
                    match self.load(group, lane, *array, registers_of(group, lane, n)[*index as usize]) {
                        Ok(Ok(x)) => group.registers[lane * n + *to as usize] = x,
                        Ok(Err(from)) => {
                            group.unset[lane].add(*to, from);
                            careful = true;
                        }
                        Err(kind) => break Err(kind),
                    }
                }
                Op::Store { array, index, x } => {
                    let known = !careful || group.unset[lane].of(*x).is_none();
                    let (index, x) = (registers[*index as usize], registers[*x as usize]);
                    if let Err(kind) = self.store(group, lane, *array, index, known.then_some(x)) {
                        break Err(kind);
                    }
                }
                Op::Atomic { atomic, index, operands, to } => {
                    let (index, operands) = (registers[*index as usize], operands.map(|x| registers[x as usize]));
                    match self.atomic(group, lane, *atomic, index, operands) {
                        Ok(Some(old)) => group.registers[lane * n + *to as usize] = old,
                        Ok(None) => {}
                        Err(kind) => break Err(kind),
                    }
                }
                Op::Fence(scope) => group.clocks[lane].fence(*scope == Scope::Device),
                Op::Barrier => break Ok(Pause::At(State::AtBarrier)),
                Op::Exchange { .. } => break Ok(Pause::At(State::AtExchange)),
                Op::Jump { target } => next = *target as usize,
                Op::Unless { cond, target } => {
                    if registers[*cond as usize] == 0 {
                        next = *target as usize;
                    }
                }
                Op::Enter { ty, step } => {
                    if Scalar::from_bits(*ty, registers[*step as usize]).to_int().is_none_or(|step| step <= 0) {
                        break Err(TrapKind::Step);
                    }
                }
                Op::While { below, index, end, target } => {
                    if below(registers[*index as usize], registers[*end as usize]) == 0 {
                        next = *target as usize;
                    }
                }
                Op::Next { ty, index, step, target } => {
                    match stepped(*ty, registers[*index as usize], registers[*step as usize]) {
                        Some(x) => {
                            registers[*index as usize] = x;
                            next = *target as usize;
                        }
                        None => break Err(TrapKind::Step),
                    }
                }
                Op::Fail { failure } => {
                    let (site, point, operands) = &code.failures[*failure as usize];
                    let int = |reg: &u32| registers[*reg as usize] as i64;
                    let failure =
                        Failure { site: *site, point: int(point), operands: operands.iter().map(int).collect() };
                    let first = |f: &Failure| (f.site, f.point);
                    if self.outcome.failure.as_ref().is_none_or(|known| first(&failure) < first(known)) {
                        self.outcome.failure = Some(failure);
                    }
                    break Ok(Pause::At(State::Failed));
                }
                Op::End => break Ok(Pause::At(State::Ended)),
            }
            at = next;
        };
        group.at[lane] = at;
        let Counts { steps: all_steps, operations: all_operations, .. } = &mut self.outcome.counts;
        (*all_steps, *all_operations) = (*all_steps + steps, *all_operations + operations);
        result
    }

    /// The element of an array that an index names.
    fn element(&self, array: u32, index: u64) -> Result<usize, TrapKind> {
        let place = &self.places[array as usize];
        let element = if self.code.arrays[array as usize].wide { index as i64 } else { i64::from(index as i32) };
        match usize::try_from(element).ok().filter(|element| *element < place.len) {
            Some(element) => Ok(element),
            None => Err(TrapKind::OutOfBounds { array: self.name(array), element, len: place.len }),
        }
    }

    fn name(&self, array: u32) -> String {
        self.code.arrays[array as usize].name.clone()
    }

    fn undeclared<T>(&self, array: u32) -> Result<T, TrapKind> {
        Err(TrapKind::Undeclared { array: self.name(array) })
    }

    fn race(&self, array: u32, element: usize, touch: Touch, with: Conflict) -> TrapKind {
        let by = (with.invocation / self.launch.group_size, with.invocation % self.launch.group_size);
        TrapKind::Race { array: self.name(array), element, touch, other: with.touch, by }
    }

    fn unwritten(&self, from: Unwritten) -> TrapKind {
        TrapKind::Unwritten { array: self.name(from.array), element: from.element }
    }

    /// An element; of one that was never written, which it is.
    fn load(
        &mut self,
        group: &mut Group,
        lane: usize,
        array: u32,
        index: u64,
    ) -> Result<Result<u64, Unwritten>, TrapKind> {
        let element = self.element(array, index)?;
        let place = &self.places[array as usize];
        if !self.code.arrays[array as usize].access.reads {
            return self.undeclared(array);
        }
        let (width, offset) = (place.width, element * place.width);
        let clock = &group.clocks[lane];
        let (fine, x) = match place.space {
            Space::Device { allocation, start } => {
                self.outcome.counts.reads += width as u64;
                let fine = match &mut self.shadows[allocation] {
                    Some((shadow, unit)) => {
                        cells(start + offset, width, *unit).try_for_each(|cell| shadow.read(cell, clock))
                    }
                    None => Ok(()),
                };
                (fine, self.memory[allocation].get(start + offset, width))
            }
            Space::Shared { start, element: first } => {
                (group.shadow.read(first + element, clock), group.shared.get(start + offset, width))
            }
            Space::Private { start } => (Ok(()), group.private.get(lane * self.private_bytes + start + offset, width)),
        };
        match fine {
            Err(with) => Err(self.race(array, element, Touch::Read, with)),
            Ok(()) => Ok(x.ok_or(Unwritten { array, element })),
        }
    }

    /// Stores what was written, or that nothing was: see Note [What was never written].
    fn store(
        &mut self,
        group: &mut Group,
        lane: usize,
        array: u32,
        index: u64,
        x: Option<u64>,
    ) -> Result<(), TrapKind> {
        let element = self.element(array, index)?;
        let place = &self.places[array as usize];
        if !self.code.arrays[array as usize].access.writes {
            return self.undeclared(array);
        }
        let (width, offset) = (place.width, element * place.width);
        let clock = &group.clocks[lane];
        let fine = match place.space {
            Space::Device { allocation, start } => {
                self.outcome.counts.writes += width as u64;
                put(&mut self.memory[allocation], start + offset, width, x);
                let write = if self.code.arrays[array as usize].access.exchanges() {
                    Shadow::write
                } else {
                    Shadow::write_alone
                };
                match &mut self.shadows[allocation] {
                    Some((shadow, unit)) => {
                        cells(start + offset, width, *unit).try_for_each(|cell| write(shadow, cell, clock))
                    }
                    None => Ok(()),
                }
            }
            Space::Shared { start, element: first } => {
                put(&mut group.shared, start + offset, width, x);
                group.shadow.write(first + element, clock)
            }
            Space::Private { start } => {
                put(&mut group.private, lane * self.private_bytes + start + offset, width, x);
                Ok(())
            }
        };
        fine.map_err(|with| self.race(array, element, Touch::Write, with))
    }

    /// An atomic operation; gives what was there before, if it is asked for.
    fn atomic(
        &mut self,
        group: &mut Group,
        lane: usize,
        atomic: u32,
        index: u64,
        operands: [u64; 2],
    ) -> Result<Option<u64>, TrapKind> {
        let info = &self.code.atomics[atomic as usize];
        let (array, seen) = (info.array, info.seen);
        let element = self.element(array, index)?;
        let place = &self.places[array as usize];
        if !self.code.arrays[array as usize].access.atomics {
            return self.undeclared(array);
        }
        let ty: ScalarType = self.code.arrays[array as usize].elem;
        let (width, offset) = (place.width, element * place.width);
        let clock = &mut group.clocks[lane];
        let counts = &mut self.outcome.counts;
        counts.atomics += 1;
        let (fine, bytes, byte) = match place.space {
            Space::Device { allocation, start } => {
                counts.reads += if seen.reads { width as u64 } else { 0 };
                counts.writes += if seen.writes { width as u64 } else { 0 };
                let fine = match &mut self.shadows[allocation] {
                    Some((shadow, unit)) => {
                        cells(start + offset, width, *unit).try_for_each(|cell| shadow.atomic(cell, clock, seen))
                    }
                    None => Ok(()),
                };
                (fine, &mut self.memory[allocation], start + offset)
            }
            Space::Shared { start, element: first } => {
                (group.shadow.atomic(first + element, clock, seen), &mut group.shared, start + offset)
            }
            // the checker refuses it
            Space::Private { .. } => return self.undeclared(array),
        };
        let before = bytes.get(byte, width);
        if let Err(with) = fine {
            let touch = if seen.writes { Touch::AtomicWrite } else { Touch::AtomicRead };
            return Err(self.race(array, element, touch, with));
        }
        if seen.reads && before.is_none() {
            return Err(self.unwritten(Unwritten { array, element }));
        }
        let before = before.unwrap_or_default();
        if seen.writes {
            bytes.set(byte, width, updated(info.op, ty, before, operands));
        }
        Ok(info.keeps.then_some(before))
    }
}

/// Writes an element, or what was never written.
fn put(bytes: &mut Bytes, at: usize, width: usize, x: Option<u64>) {
    match x {
        Some(x) => bytes.set(at, width, x),
        None => bytes.unset(at, width),
    }
}

fn registers_of(group: &Group, lane: usize, n: usize) -> &[u64] {
    &group.registers[lane * n..(lane + 1) * n]
}

/// Which cells an element of an allocation has, where a cell has so many bytes.
fn cells(byte: usize, width: usize, unit: usize) -> std::ops::Range<usize> {
    byte / unit..(byte + width) / unit
}
