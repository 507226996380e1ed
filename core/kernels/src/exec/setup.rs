//! What is settled before a launch begins: whether the kernel may be launched so, where its arrays are, what registers hold, what can race.

use super::code::{ArrayInfo, Code, Source};
use super::group::Start;
use super::shadow::Shadow;
use super::{Binding, Bytes, Launch};
use crate::ir::{Array, Builtin};
use std::ops::Range;

/// The most bytes of the arrays of a group, and of those of an invocation: more than any device has.
const MOST_SHARED: u64 = 1 << 20;
const MOST_PRIVATE: u64 = 1 << 20;

/// An array in a launch.
pub(super) struct Place {
    pub(super) space: Space,
    /// How many elements it has.
    pub(super) len: usize,
    /// Bytes of an element.
    pub(super) width: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Space {
    /// An allocation, from a byte on.
    Device { allocation: usize, start: usize },
    /// From a byte and an element of those that the group shares on.
    Shared { start: usize, element: usize },
    /// From a byte of those of the invocation on.
    Private { start: usize },
}

/// What a launch begins with.
pub(super) struct Setup {
    /// Where each array of the code is.
    pub(super) places: Vec<Place>,
    pub(super) start: Start,
    /// Of each allocation that may change, what happens to its elements, and how many bytes the smallest has: of others there is nothing to know.
    pub(super) shadows: Vec<Option<(Shadow, usize)>>,
}

impl Setup {
    /// That of a launch, or why the kernel may not be launched so.
    pub(super) fn new(code: &Code, memory: &[Bytes], launch: &Launch) -> Result<Setup, String> {
        let k = &code.kernel;
        let Launch { groups, group_size, subgroup_size, params, blocks, .. } = launch;
        let countable = groups.checked_mul(*group_size).is_some_and(|n| n < u32::MAX);
        if !k.group.allow(*group_size) || *subgroup_size == 0 || !countable {
            return Err(format!("{groups} groups of {group_size} invocations, subgroups of {subgroup_size}"));
        }
        if !params.iter().map(|x| x.scalar_type()).eq(k.params.iter().map(|p| p.ty)) {
            return Err(format!("{} parameters of other types than the kernel's {}", params.len(), k.params.len()));
        }
        check_blocks(code, memory, blocks)?;
        let size = u64::from(*group_size);
        let each = |s: &crate::ir::SharedDecl| (u64::from(s.fixed) + u64::from(s.each) * size, s.elem.bytes());
        let shared =
            Layout::new(k.shared.iter().map(each), MOST_SHARED).ok_or("arrays of a group beyond all measure")?;
        let private = Layout::new(k.private.iter().map(|p| (p.len.into(), p.elem.bytes())), MOST_PRIVATE)
            .ok_or("arrays of an invocation beyond all measure")?;
        let place = |info: &ArrayInfo| {
            let (space, len) = match info.array {
                Array::Block(b) => {
                    let Binding { allocation, start, len } = blocks[b.at()];
                    (Space::Device { allocation, start }, len)
                }
                Array::Shared(s) => {
                    let Part { start, element, len } = shared.parts[s.at()];
                    (Space::Shared { start, element }, len)
                }
                Array::Private(p) => (Space::Private { start: private.parts[p.at()].start }, private.parts[p.at()].len),
            };
            Place { space, len, width: info.elem.bytes() }
        };
        let places = code.arrays.iter().map(place).collect();
        let start = Start {
            registers: registers(code, launch),
            shared_bytes: shared.bytes,
            shared_elements: shared.elements,
            private_bytes: private.bytes,
        };
        Ok(Setup { places, start, shadows: shadows(code, memory, launch) })
    }
}

/// The bytes of a block, if there are so many at all.
fn bytes_of(binding: &Binding, width: usize) -> Option<Range<usize>> {
    Some(binding.start..binding.len.checked_mul(width)?.checked_add(binding.start)?)
}

/// Each block is in its allocation, and where accesses are ordered each is by itself: what orders them is told block by block.
fn check_blocks(code: &Code, memory: &[Bytes], blocks: &[Binding]) -> Result<(), String> {
    let k = &code.kernel;
    if blocks.len() != k.blocks.len() {
        return Err(format!("{} blocks for the kernel's {}", blocks.len(), k.blocks.len()));
    }
    let mut ranges = Vec::new();
    for (binding, decl) in blocks.iter().zip(&k.blocks) {
        let width = decl.elem.bytes();
        match (memory.get(binding.allocation), bytes_of(binding, width)) {
            (Some(bytes), Some(range)) if range.end <= bytes.len() && binding.start.is_multiple_of(width) => {
                ranges.push(range)
            }
            _ => return Err(format!("block {} is not in an allocation", decl.name)),
        }
    }
    for (i, decl) in k.blocks.iter().enumerate().filter(|_| code.orders) {
        let overlaps = |j: usize| {
            blocks[j].allocation == blocks[i].allocation
                && ranges[j].start < ranges[i].end
                && ranges[i].start < ranges[j].end
        };
        if (0..blocks.len()).any(|j| j != i && k.blocks[j].access.changes() && overlaps(j)) {
            return Err(format!("block {} is changed by another block, and the kernel orders what it does", decl.name));
        }
    }
    Ok(())
}

/// Arrays one behind the other, each at a multiple of eight bytes.
struct Layout {
    parts: Vec<Part>,
    bytes: usize,
    elements: usize,
}

#[derive(Clone, Copy)]
struct Part {
    /// Its first byte, and how many elements are before it.
    start: usize,
    element: usize,
    len: usize,
}

impl Layout {
    /// Of arrays of so many elements, of so many bytes each, if there is room.
    fn new(arrays: impl Iterator<Item = (u64, usize)>, most: u64) -> Option<Layout> {
        let mut layout = Layout { parts: Vec::new(), bytes: 0, elements: 0 };
        for (len, width) in arrays {
            if len.saturating_mul(width as u64) > most - layout.bytes as u64 {
                return None;
            }
            let len = len as usize;
            layout.parts.push(Part { start: layout.bytes, element: layout.elements, len });
            layout.bytes = (layout.bytes + len * width).next_multiple_of(8);
            layout.elements += len;
        }
        Some(layout)
    }
}

/// What the registers of an invocation hold, but for its own numbers and its group's.
fn registers(code: &Code, launch: &Launch) -> Vec<u64> {
    let mut registers = vec![0; code.registers];
    for (reg, source) in &code.sources {
        registers[*reg as usize] = match source {
            Source::Bits(bits) => *bits,
            Source::Param(p) => launch.params[p.at()].bits(),
            Source::Length(b) => launch.blocks[b.at()].len as u64,
            Source::Builtin(Builtin::Groups) => launch.groups.into(),
            Source::Builtin(Builtin::GroupSize) => launch.group_size.into(),
            Source::Builtin(Builtin::SubgroupSize) => launch.subgroup_size.into(),
            Source::Builtin(_) => 0,
        };
    }
    registers
}

fn shadows(code: &Code, memory: &[Bytes], launch: &Launch) -> Vec<Option<(Shadow, usize)>> {
    let blocks = || launch.blocks.iter().zip(&code.kernel.blocks);
    let shadow = |(allocation, bytes): (usize, &Bytes)| {
        let mine = |binding: &Binding| binding.allocation == allocation;
        let width = blocks().filter(|(binding, _)| mine(binding)).map(|(_, decl)| decl.elem.bytes()).min()?;
        let changes = blocks().any(|(binding, decl)| mine(binding) && decl.access.changes());
        changes.then(|| (Shadow::new(bytes.len().div_ceil(width)), width))
    };
    memory.iter().enumerate().map(shadow).collect()
}
