//! A [`Recording`]: the commands that the device is to run, as plain data.
//!
//! Memory is named by device address. Addresses are unique in a device, so two ranges conflict exactly when they overlap, also where a freed
//! buffer's memory already serves another one: reuse needs no rule of its own.

use crate::ranges::RangeSet;

/// A half-open range of device addresses, `start .. start + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// The first address.
    pub start: u64,
    /// The number of bytes.
    pub len: u64,
}

impl Range {
    /// The range of `len` bytes at `start`.
    pub const fn new(start: u64, len: u64) -> Range {
        Range { start, len }
    }

    /// One past the last address.
    pub const fn end(self) -> u64 {
        self.start + self.len
    }

    /// Whether the two ranges share a byte. An empty range shares none.
    pub const fn overlaps(self, other: Range) -> bool {
        self.len > 0 && other.len > 0 && self.start < other.end() && other.start < self.end()
    }

    /// All words of four bytes that the range has a byte of.
    pub const fn in_words(self) -> Range {
        let start = self.start & !3;
        Range { start, len: if self.len == 0 { 0 } else { self.end().next_multiple_of(4) - start } }
    }

    /// The `len` bytes that begin `offset` bytes into this range.
    pub fn slice(self, offset: u64, len: u64) -> Range {
        debug_assert!(offset + len <= self.len, "a slice reaches outside of its range");
        Range { start: self.start + offset, len }
    }
}

/// A compiled kernel of a device. The device that compiled it gives the number its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KernelId(pub u32);

/// What a command does to memory. The device needs `args` and `groups`; the ranges are what barrier placement and [`crate::hazards`] go by.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    /// The kernel to run.
    pub kernel: KernelId,
    /// Workgroups in each dimension, none of them zero.
    pub groups: [u32; 3],
    /// The contents of the argument block, of which the kernel receives the address.
    pub args: Vec<u8>,
    /// The ranges that some invocation may read, atomic updates included.
    pub reads: Vec<Range>,
    /// The ranges that some invocation may write, atomic updates included.
    pub writes: Vec<Range>,
    /// What the kernel is and where in the program it comes from, for profiles and messages.
    pub label: String,
}

/// One command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Run a kernel.
    Dispatch(Dispatch),
    /// Everything before is finished, and its writes are visible, before anything after begins.
    Barrier,
    /// Copy bytes. The ranges have the same length and do not overlap.
    Copy {
        /// Where from.
        src: Range,
        /// Where to.
        dst: Range,
    },
    /// Write a 32-bit word repeatedly. Start and length are multiples of four.
    Fill {
        /// Where to.
        dst: Range,
        /// What.
        word: u32,
    },
}

impl Command {
    /// The ranges that the command may read.
    pub fn reads(&self) -> &[Range] {
        match self {
            Command::Dispatch(dispatch) => &dispatch.reads,
            Command::Copy { src, .. } => std::slice::from_ref(src),
            Command::Fill { .. } | Command::Barrier => &[],
        }
    }

    /// The ranges that the command may write.
    pub fn writes(&self) -> &[Range] {
        match self {
            Command::Dispatch(dispatch) => &dispatch.writes,
            Command::Copy { dst, .. } | Command::Fill { dst, .. } => std::slice::from_ref(dst),
            Command::Barrier => &[],
        }
    }

    /// What to call the command in a message.
    pub fn label(&self) -> &str {
        match self {
            Command::Dispatch(dispatch) => &dispatch.label,
            Command::Barrier => "barrier",
            Command::Copy { .. } => "copy",
            Command::Fill { .. } => "fill",
        }
    }
}

/// A sequence of commands with the barriers that their declared ranges need.
///
/// [`Recording::push`] places barriers; the result passes [`crate::hazards::check`], and has no barrier that could be left out: each stands right
/// before a command that conflicts with one since the barrier before. (It is also the smallest number that keeps the commands in this order,
/// since each is placed as late as possible.)
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    commands: Vec<Command>,
    /// What the commands since the last barrier may have read and written.
    read: RangeSet,
    written: RangeSet,
}

impl Recording {
    /// A recording without commands.
    pub fn new() -> Recording {
        Recording::default()
    }

    /// Exactly these commands; no barrier is added. For tests of what finds missing ones.
    pub fn verbatim(commands: Vec<Command>) -> Recording {
        Recording { commands, ..Recording::default() }
    }

    /// The commands, in order.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Appends a command, after a barrier if it conflicts with an earlier one that no barrier separates from it.
    pub fn push(&mut self, command: Command) {
        let conflicts = command.writes().iter().any(|r| self.written.overlaps(*r) || self.read.overlaps(*r))
            || command.reads().iter().any(|r| self.written.overlaps(*r));
        if conflicts {
            self.commands.push(Command::Barrier);
        }
        if conflicts || command == Command::Barrier {
            self.read.clear();
            self.written.clear();
        }
        command.reads().iter().for_each(|r| self.read.insert(*r));
        command.writes().iter().for_each(|r| self.written.insert(*r));
        self.commands.push(command);
    }
}
