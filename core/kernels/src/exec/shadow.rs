//! What has happened to the elements of an array in a launch, so far as a later access may race with it. After FastTrack (Flanagan and Freund, PLDI 2009): of plain accesses the last
//! write and one read, as long as each read is ordered behind the one before; all that is more is on the side.

use super::clock::{Clock, Message, Stamp};
use crate::ir::Scope;

/// What a new access races with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// What it is.
    pub touch: Touch,
    /// By which invocation, numbered through all groups.
    pub invocation: u32,
}

/// A kind of access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Touch {
    /// A read.
    Read,
    /// A write.
    Write,
    /// An atomic operation that reads.
    AtomicRead,
    /// An atomic operation that writes.
    AtomicWrite,
}

/// The elements of an array.
pub struct Shadow {
    cells: Vec<Cell>,
    more: Vec<More>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    /// The last plain write.
    write: Stamp,
    /// A plain read since: the last one, if there is none on the side.
    read: Stamp,
    /// What is on the side, numbered from 1 on, or 0.
    more: u32,
}

#[derive(Default)]
struct More {
    /// Other plain reads since the last write.
    reads: Stamps,
    /// Atomic operations since the last plain write that only read, of each scope.
    loads: [Stamps; 2],
    /// Those that write.
    updates: [Stamps; 2],
    /// What the last of them tells.
    message: Message,
}

/// An atomic operation, so far as others see it.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Whether it looks at what was there.
    pub reads: bool,
    /// Whether it puts something there.
    pub writes: bool,
    /// Whether it acquires.
    pub acquires: bool,
    /// Whether it releases.
    pub releases: bool,
    /// Its scope.
    pub scope: Scope,
}

type Fine = Result<(), Conflict>;

/// That something is ordered before now.
fn after(clock: &Clock, stamp: Stamp, touch: Touch) -> Fine {
    match stamp.invocation() {
        Some(invocation) if !clock.is_after(stamp) => Err(Conflict { touch, invocation }),
        _ => Ok(()),
    }
}

impl Shadow {
    /// Of so many elements, to which nothing has happened.
    pub fn new(len: usize) -> Shadow {
        Shadow { cells: vec![Cell::default(); len], more: Vec::new() }
    }

    /// A read.
    ///
    /// # Errors
    /// What it races with.
    #[inline]
    pub fn read(&mut self, at: usize, clock: &Clock) -> Fine {
        let Cell { write, read, more } = self.cells[at];
        after(clock, write, Touch::Write)?;
        if more == 0 && clock.is_after(read) {
            self.cells[at].read = clock.now();
            return Ok(());
        }
        let more = self.more(at);
        more.updates.iter().try_for_each(|all| all.before(clock, Touch::AtomicWrite, false))?;
        more.reads.add(clock);
        Ok(())
    }

    /// A write.
    ///
    /// # Errors
    /// What it races with.
    #[inline]
    pub fn write(&mut self, at: usize, clock: &Clock) -> Fine {
        let Cell { write, read, more } = self.cells[at];
        after(clock, write, Touch::Write)?;
        after(clock, read, Touch::Read)?;
        if more != 0 {
            let more = self.more(at);
            more.reads.before(clock, Touch::Read, false)?;
            more.loads.iter().try_for_each(|all| all.before(clock, Touch::AtomicRead, false))?;
            more.updates.iter().try_for_each(|all| all.before(clock, Touch::AtomicWrite, false))?;
            *more = More::default();
        }
        let cell = &mut self.cells[at];
        (cell.write, cell.read) = (clock.now(), Stamp::NEVER);
        Ok(())
    }

    /// A write of what is to be one invocation's, whatever is ordered.
    ///
    /// # Errors
    /// What it races with.
    #[inline]
    pub fn write_alone(&mut self, at: usize, clock: &Clock) -> Fine {
        match self.cells[at].write.invocation() {
            Some(invocation) if invocation != clock.invocation => Err(Conflict { touch: Touch::Write, invocation }),
            _ => self.write(at, clock),
        }
    }

    /// An atomic operation.
    ///
    /// # Errors
    /// What it races with.
    pub fn atomic(&mut self, at: usize, clock: &mut Clock, op: Operation) -> Fine {
        let Cell { write, read, .. } = self.cells[at];
        after(clock, write, Touch::Write)?;
        if op.writes {
            after(clock, read, Touch::Read)?;
            self.cells[at].read = Stamp::NEVER;
        }
        let more = self.more(at);
        if op.writes {
            more.reads.before(clock, Touch::Read, false)?;
            more.reads = Stamps::default();
        }
        // others of other groups must have the scope of the device, too
        let narrow = if op.scope == Scope::Group { 0..2 } else { 0..1 };
        for scope in narrow {
            more.updates[scope].before(clock, Touch::AtomicWrite, true)?;
            if op.writes {
                more.loads[scope].before(clock, Touch::AtomicRead, true)?;
            }
        }
        let kind = if op.writes { &mut more.updates } else { &mut more.loads };
        kind[op.scope as usize].add(clock);
        let of_device = op.scope == Scope::Device;
        if op.reads {
            clock.hear(&more.message, op.acquires, of_device);
        }
        if op.writes {
            let told = clock.tell(op.releases, of_device);
            // what reads and writes in one step passes on what it has read
            if op.reads { more.message.join(&told) } else { more.message = told }
        }
        Ok(())
    }

    fn more(&mut self, at: usize) -> &mut More {
        let cell = &mut self.cells[at];
        if cell.more == 0 {
            self.more.push(More::default());
            cell.more = self.more.len() as u32;
        }
        &mut self.more[cell.more as usize - 1]
    }
}

/// The last time of each of some invocations: for each group that has some, one for each of its invocations, stepped by one, or zero.
#[derive(Default)]
struct Stamps(Vec<(u32, Vec<u32>)>);

impl Stamps {
    fn add(&mut self, clock: &Clock) {
        // groups at work are the last ones
        let at = match self.0.iter().rposition(|(group, _)| *group == clock.group) {
            Some(at) => at,
            None => {
                self.0.push((clock.group, vec![0; clock.size() as usize]));
                self.0.len() - 1
            }
        };
        self.0[at].1[(clock.invocation % clock.size()) as usize] = clock.time() + 1;
    }

    /// That all are ordered before now; or only those of other groups.
    fn before(&self, clock: &Clock, touch: Touch, of_others: bool) -> Fine {
        for (group, times) in self.0.iter().filter(|(group, _)| !of_others || *group != clock.group) {
            for (i, time) in times.iter().enumerate().filter(|(_, time)| **time > 0) {
                after(clock, Stamp::new(group * clock.size() + i as u32, time - 1), touch)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Touch::{AtomicRead, AtomicWrite, Read, Write};

    /// Groups of two: the invocations 0 and 1, 2 and 3, 4 and 5.
    fn clocks() -> [Clock; 6] {
        [0, 1, 2, 3, 4, 5].map(|i| Clock::new(i, 2))
    }

    /// An access of element 0, atomic ones relaxed and of a scope.
    fn touch(shadow: &mut Shadow, clock: &mut Clock, touch: Touch, scope: Scope) -> Result<(), (Touch, u32)> {
        let result = match touch {
            Read => shadow.read(0, clock),
            Write => shadow.write(0, clock),
            _ => {
                let writes = touch == AtomicWrite;
                shadow.atomic(0, clock, Operation { reads: true, writes, acquires: false, releases: false, scope })
            }
        };
        result.map_err(|with| (with.touch, with.invocation))
    }

    const ALL: [Touch; 4] = [Read, Write, AtomicRead, AtomicWrite];

    /// Two accesses are a race if one of them writes, unless both are atomic.
    fn races(a: Touch, b: Touch) -> bool {
        let (writes, atomic) = (|t| matches!(t, Write | AtomicWrite), |t| matches!(t, AtomicRead | AtomicWrite));
        (writes(a) || writes(b)) && !(atomic(a) && atomic(b))
    }

    #[test]
    fn two_accesses_race_unless_they_are_ordered() {
        for (first, second) in ALL.into_iter().flat_map(|a| ALL.map(|b| (a, b))) {
            for other in [1, 2] {
                let (mut shadow, mut all) = (Shadow::new(1), clocks());
                touch(&mut shadow, &mut all[0], first, Scope::Device).unwrap();
                let wanted = if races(first, second) { Err((first, 0)) } else { Ok(()) };
                assert_eq!(touch(&mut shadow, &mut all[other], second, Scope::Device), wanted, "{first:?} {second:?}");
                // by the same invocation, and behind a barrier, all is ordered
                let mut shadow = Shadow::new(1);
                touch(&mut shadow, &mut all[0], first, Scope::Device).unwrap();
                touch(&mut shadow, &mut all[0], second, Scope::Device).unwrap();
                Clock::barrier(&mut all[..2]);
                touch(&mut shadow, &mut all[1], second, Scope::Device).unwrap();
            }
        }
    }

    /// Of several accesses that do not race with each other each is remembered, whichever the last was.
    #[test]
    fn none_of_several_accesses_is_forgotten() {
        for (first, second, third) in
            ALL.into_iter().flat_map(|a| ALL.into_iter().flat_map(move |b| ALL.map(|c| (a, b, c))))
        {
            if races(first, second) {
                continue;
            }
            // the third is behind the second, and not behind the first
            let (mut shadow, mut all) = (Shadow::new(1), clocks());
            touch(&mut shadow, &mut all[0], first, Scope::Device).unwrap();
            touch(&mut shadow, &mut all[2], second, Scope::Device).unwrap();
            let wanted = if races(first, third) { Err((first, 0)) } else { Ok(()) };
            assert_eq!(touch(&mut shadow, &mut all[2], third, Scope::Device), wanted, "{first:?} {second:?} {third:?}");
            // the third is behind the first, and not behind the second
            let (mut shadow, mut all) = (Shadow::new(1), clocks());
            touch(&mut shadow, &mut all[0], first, Scope::Device).unwrap();
            touch(&mut shadow, &mut all[2], second, Scope::Device).unwrap();
            let wanted = if races(second, third) { Err((second, 2)) } else { Ok(()) };
            assert_eq!(touch(&mut shadow, &mut all[0], third, Scope::Device), wanted, "{first:?} {second:?} {third:?}");
        }
    }

    #[test]
    fn atomic_operations_of_two_groups_need_the_scope_of_the_device() {
        for (first, second) in
            [AtomicRead, AtomicWrite].into_iter().flat_map(|a| [AtomicRead, AtomicWrite].map(|b| (a, b)))
        {
            for (a, b) in Scope::ALL.into_iter().flat_map(|a| Scope::ALL.map(|b| (a, b))) {
                let both_read = first == AtomicRead && second == AtomicRead;
                for (other, fine) in [(1, true), (2, both_read || (a, b) == (Scope::Device, Scope::Device))] {
                    let (mut shadow, mut all) = (Shadow::new(1), clocks());
                    touch(&mut shadow, &mut all[0], first, a).unwrap();
                    let wanted = if fine { Ok(()) } else { Err((first, 0)) };
                    assert_eq!(
                        touch(&mut shadow, &mut all[other], second, b),
                        wanted,
                        "{first:?} {a:?} {second:?} {b:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_released_is_passed_on_by_what_reads_and_writes_in_one_step() {
        let op =
            |reads, acquires, releases| Operation { reads, writes: true, acquires, releases, scope: Scope::Device };
        for (reads, passed_on) in [(true, true), (false, false)] {
            let (mut shadow, mut all) = (Shadow::new(1), clocks());
            let before = all[0].now();
            shadow.atomic(0, &mut all[0], op(true, false, true)).unwrap();
            shadow.atomic(0, &mut all[2], op(reads, false, false)).unwrap();
            shadow.atomic(0, &mut all[4], op(true, true, false)).unwrap();
            assert_eq!((all[2].is_after(before), all[4].is_after(before)), (false, passed_on));
        }
    }
}
