//! Finds a missing barrier in a [`Recording`], without a GPU.
//!
//! No tool does this for us: Vulkan's synchronization validation does not see accesses through buffer device addresses, and lavapipe runs
//! dispatches in order. The check shares nothing with the placement in [`Recording::push`]: it compares every two commands directly.

use crate::recording::{Command, Range, Recording};
use std::fmt;

/// How two unordered commands conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The later reads what the earlier writes.
    ReadAfterWrite,
    /// The later writes what the earlier reads.
    WriteAfterRead,
    /// Both write.
    WriteAfterWrite,
}

/// Two commands that touch the same memory, at least one of them writing, with no barrier between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Hazard {
    /// How they conflict.
    pub kind: Kind,
    /// The position of the earlier command.
    pub first: usize,
    /// The position of the later command.
    pub second: usize,
    /// The labels of both.
    pub labels: [String; 2],
    /// The range of the earlier and that of the later one.
    pub ranges: [Range; 2],
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::ReadAfterWrite => "read after write",
            Kind::WriteAfterRead => "write after read",
            Kind::WriteAfterWrite => "write after write",
        };
        let [a, b] = self.ranges;
        write!(
            f,
            "{kind} without a barrier: command {} ({}) on {:#x}+{}, command {} ({}) on {:#x}+{}",
            self.first, self.labels[0], a.start, a.len, self.second, self.labels[1], b.start, b.len
        )
    }
}

/// All hazards of a recording; none if each two conflicting commands have a barrier between them.
pub fn check(recording: &Recording) -> Vec<Hazard> {
    let commands = recording.commands();
    let mut hazards = Vec::new();
    let mut since = 0;
    for (second, later) in commands.iter().enumerate() {
        if *later == Command::Barrier {
            since = second;
            continue;
        }
        for (first, earlier) in commands.iter().enumerate().take(second).skip(since) {
            for (kind, a, b) in [
                (Kind::ReadAfterWrite, earlier.writes(), later.reads()),
                (Kind::WriteAfterRead, earlier.reads(), later.writes()),
                (Kind::WriteAfterWrite, earlier.writes(), later.writes()),
            ] {
                let clash = a.iter().flat_map(|a| b.iter().map(move |b| [*a, *b])).find(|[a, b]| a.overlaps(*b));
                if let Some(ranges) = clash {
                    let labels = [earlier.label().to_owned(), later.label().to_owned()];
                    hazards.push(Hazard { kind, first, second, labels, ranges });
                }
            }
        }
    }
    hazards
}

/// The positions of the barriers whose removal [`check`] would not notice.
pub fn redundant_barriers(recording: &Recording) -> Vec<usize> {
    let commands = recording.commands();
    let is_barrier = |position: &usize| commands[*position] == Command::Barrier;
    (0..commands.len())
        .filter(is_barrier)
        .filter(|&position| {
            let mut fewer = commands.to_vec();
            fewer.remove(position);
            check(&Recording::verbatim(fewer)).is_empty()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Dispatch, KernelId};

    fn dispatch(reads: &[(u64, u64)], writes: &[(u64, u64)]) -> Command {
        let ranges = |r: &[(u64, u64)]| r.iter().map(|&(start, len)| Range::new(start, len)).collect();
        Command::Dispatch(Dispatch {
            kernel: KernelId(0),
            groups: [1, 1, 1],
            args: vec![],
            reads: ranges(reads),
            writes: ranges(writes),
            label: "k".into(),
        })
    }

    fn kinds(commands: Vec<Command>) -> Vec<Kind> {
        check(&Recording::verbatim(commands)).into_iter().map(|hazard| hazard.kind).collect()
    }

    #[test]
    fn each_kind_of_conflict_is_found() {
        let (read, write) = (|| dispatch(&[(0, 8)], &[]), || dispatch(&[], &[(4, 8)]));
        assert_eq!(kinds(vec![write(), read()]), [Kind::ReadAfterWrite]);
        assert_eq!(kinds(vec![read(), write()]), [Kind::WriteAfterRead]);
        assert_eq!(kinds(vec![write(), write()]), [Kind::WriteAfterWrite]);
        assert_eq!(kinds(vec![read(), read()]), []);
        assert_eq!(kinds(vec![write(), Command::Barrier, read()]), []);
        // Not only neighbours conflict, and a barrier after the pair does not help.
        assert_eq!(kinds(vec![write(), dispatch(&[], &[(100, 4)]), read(), Command::Barrier]), [Kind::ReadAfterWrite]);
        // Copies and fills count.
        let (src, dst) = (Range::new(4, 4), Range::new(40, 4));
        assert_eq!(kinds(vec![write(), Command::Copy { src, dst }]), [Kind::ReadAfterWrite]);
        assert_eq!(kinds(vec![read(), Command::Fill { dst: src, word: 0 }]), [Kind::WriteAfterRead]);
        // Touching is not overlapping; a command may update in place.
        assert_eq!(kinds(vec![dispatch(&[], &[(0, 4)]), dispatch(&[(4, 4)], &[])]), []);
        assert_eq!(kinds(vec![dispatch(&[(0, 4)], &[(0, 4)])]), []);
    }

    /// Small pseudo-random programs: reads and writes of a few cells each.
    fn programs() -> impl Iterator<Item = Vec<Command>> {
        let mut state = 1u64;
        let mut next = move |bound: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        (0..300).map(move |_| {
            (0..2 + next(10))
                .map(|_| match next(6) {
                    0 => Command::Fill { dst: Range::new(4 * next(12), 8), word: 0 },
                    1 => Command::Copy { src: Range::new(4 * next(12), 4), dst: Range::new(48 + 4 * next(12), 4) },
                    _ => dispatch(&[(next(40), next(9)), (next(40), 4)], &[(next(60), next(9))]),
                })
                .collect()
        })
    }

    #[test]
    fn placement_leaves_no_hazard_and_no_redundant_barrier() {
        let mut barriers = 0;
        for program in programs() {
            let mut recording = Recording::new();
            program.iter().for_each(|command| recording.push(command.clone()));
            assert_eq!(check(&recording), [], "{program:?}");
            assert_eq!(redundant_barriers(&recording), [0; 0], "{program:?}");
            let kept: Vec<_> = recording.commands().iter().filter(|c| **c != Command::Barrier).cloned().collect();
            assert_eq!(kept, program);
            barriers += recording.commands().len() - kept.len();
        }
        assert!(barriers > 300, "the programs hardly conflict: {barriers} barriers");
    }

    #[test]
    fn a_needless_barrier_is_named() {
        let commands = vec![dispatch(&[], &[(0, 4)]), Command::Barrier, dispatch(&[(8, 4)], &[])];
        assert_eq!(redundant_barriers(&Recording::verbatim(commands)), [1]);
        // The first command, and one of two.
        let (write, barrier) = (dispatch(&[], &[(0, 4)]), Command::Barrier);
        let commands = vec![barrier.clone(), write.clone(), barrier.clone(), barrier, write];
        assert_eq!(redundant_barriers(&Recording::verbatim(commands)), [0, 2, 3]);
    }

    #[test]
    fn a_hazard_names_commands_and_ranges() {
        let fill = Command::Fill { dst: Range::new(0, 8), word: 1 };
        let commands = vec![dispatch(&[], &[(100, 4)]), fill, dispatch(&[(6, 8)], &[])];
        let hazards = check(&Recording::verbatim(commands));
        let [hazard] = &hazards[..] else { panic!("{hazards:?}") };
        let text = "read after write without a barrier: command 1 (fill) on 0x0+8, command 2 (k) on 0x6+8";
        assert_eq!(hazard.to_string(), text);
    }

    #[test]
    fn a_barrier_that_is_asked_for_serves() {
        let mut recording = Recording::new();
        assert!(recording.is_empty());
        let commands = [dispatch(&[], &[(0, 4)]), Command::Barrier, dispatch(&[(0, 4)], &[])];
        commands.iter().for_each(|command| recording.push(command.clone()));
        assert_eq!(recording.commands(), commands);
        assert!(!recording.is_empty());
        let labels: Vec<&str> = recording.commands().iter().map(Command::label).collect();
        assert_eq!(labels, ["k", "barrier", "k"]);
    }

    #[test]
    fn ranges_share_bytes_or_do_not() {
        let range = Range::new;
        for (a, b, shared) in [
            (range(0, 4), range(3, 4), true),
            (range(0, 4), range(4, 4), false),
            (range(0, 8), range(2, 1), true),
            (range(2, 0), range(0, 8), false),
            (range(8, 4), range(0, 8), false),
        ] {
            assert_eq!((a.overlaps(b), b.overlaps(a)), (shared, shared), "{a:?} {b:?}");
        }
        assert_eq!(range(10, 6).slice(2, 4), range(12, 4));
        assert_eq!(range(10, 6).end(), 16);
    }
}
