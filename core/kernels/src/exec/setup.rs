//! What is settled before a launch begins: where arrays are, what registers hold, what can race; and whether the kernel may be launched so.

use super::code::{ArrayInfo, Code, Source};
use super::group::Start;
use super::shadow::Shadow;
use super::{Binding, Bytes, Launch};
use crate::ir::{Array, Builtin, SharedDecl};

/// An array in a launch.
pub(super) struct Place {
    pub(super) space: Space,
    pub(super) len: usize,
    /// Bytes of an element.
    pub(super) width: usize,
    pub(super) wide: bool,
    pub(super) reads: bool,
    pub(super) writes: bool,
    pub(super) atomics: bool,
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

/// Where each array is.
pub(super) fn places(code: &Code, memory: &[Bytes], launch: &Launch) -> Result<Vec<Place>, String> {
    let k = &code.kernel;
    let Launch { groups, group_size, subgroup_size, params, blocks, .. } = launch;
    if !k.group.allow(*group_size)
        || *subgroup_size == 0
        || groups.checked_mul(*group_size).is_none_or(|n| n == u32::MAX)
    {
        return Err(format!("{groups} groups of {group_size} invocations, subgroups of {subgroup_size}"));
    }
    if !params.iter().map(|x| x.scalar_type()).eq(k.params.iter().map(|p| p.ty)) {
        return Err(format!("{} parameters of other types than the kernel's {}", params.len(), k.params.len()));
    }
    if blocks.len() != k.blocks.len() {
        return Err(format!("{} blocks for the kernel's {}", blocks.len(), k.blocks.len()));
    }
    let end =
        |i: usize| blocks[i].len.checked_mul(k.blocks[i].elem.bytes()).and_then(|n| n.checked_add(blocks[i].start));
    for (i, (binding, decl)) in blocks.iter().zip(&k.blocks).enumerate() {
        let within = memory.get(binding.allocation).is_some_and(|bytes| end(i).is_some_and(|end| end <= bytes.len()));
        if !within || binding.start % decl.elem.bytes() != 0 {
            return Err(format!("block {} is not in an allocation", decl.name));
        }
        let changed = |j: usize| {
            let overlap = blocks[j].allocation == binding.allocation
                && Some(blocks[j].start) < end(i)
                && Some(binding.start) < end(j);
            overlap && k.blocks[j].access.changes()
        };
        if code.acquires && !decl.access.changes() && (0..blocks.len()).any(changed) {
            return Err(format!("block {} is changed by another block, and the kernel acquires something", decl.name));
        }
    }
    let (mut shared, mut private) = (Vec::new(), Vec::new());
    let (mut byte, mut element) = (0, 0);
    for decl in &k.shared {
        shared.push((byte, element, shared_len(decl.fixed, decl.each, *group_size)));
        let len = shared_len(decl.fixed, decl.each, *group_size);
        (byte, element) = (byte + (len * decl.elem.bytes()).next_multiple_of(8), element + len);
    }
    byte = 0;
    for decl in &k.private {
        private.push((byte, decl.len as usize));
        byte += (decl.len as usize * decl.elem.bytes()).next_multiple_of(8);
    }
    let place = |info: &ArrayInfo| {
        let (space, len) = match info.array {
            Array::Block(b) => (
                Space::Device { allocation: blocks[b.at()].allocation, start: blocks[b.at()].start },
                blocks[b.at()].len,
            ),
            Array::Shared(s) => {
                (Space::Shared { start: shared[s.at()].0, element: shared[s.at()].1 }, shared[s.at()].2)
            }
            Array::Private(p) => (Space::Private { start: private[p.at()].0 }, private[p.at()].1),
        };
        let access = info.access;
        Place {
            space,
            len,
            width: info.elem.bytes(),
            wide: info.wide,
            reads: access.reads,
            writes: access.writes,
            atomics: access.atomics,
        }
    };
    Ok(code.arrays.iter().map(place).collect())
}

fn shared_len(fixed: u32, each: u32, size: u32) -> usize {
    fixed as usize + each as usize * size as usize
}

pub(super) fn start(code: &Code, launch: &Launch) -> Start {
    let k = &code.kernel;
    let mut registers = vec![0; code.registers];
    for (reg, source) in &code.sources {
        registers[*reg as usize] = match source {
            Source::Bits(bits) => *bits,
            Source::Param(p) => launch.params[p.at()].bits(),
            Source::Length(b) => launch.blocks[b.at()].len as u64,
            Source::Builtin(Builtin::Groups) => launch.groups.into(),
            Source::Builtin(Builtin::GroupSize) => launch.group_size.into(),
            Source::Builtin(Builtin::SubgroupSize) => launch.subgroup_size.into(),
            // each group, or invocation, has its own
            Source::Builtin(_) => 0,
        };
    }
    let shared = |s: &SharedDecl| shared_len(s.fixed, s.each, launch.group_size);
    Start {
        registers,
        shared_bytes: k.shared.iter().map(|s| (shared(s) * s.elem.bytes()).next_multiple_of(8)).sum(),
        shared_elements: k.shared.iter().map(shared).sum(),
        private_bytes: k.private.iter().map(|p| (p.len as usize * p.elem.bytes()).next_multiple_of(8)).sum(),
    }
}

/// Of each allocation that may change, what happens to its elements, and how many bytes the smallest has: of others there is nothing to know.
pub(super) fn shadows(code: &Code, memory: &[Bytes], launch: &Launch) -> Vec<Option<(Shadow, usize)>> {
    let blocks = || launch.blocks.iter().zip(&code.kernel.blocks);
    let shadow = |(allocation, bytes): (usize, &Bytes)| {
        let mine = |binding: &Binding| binding.allocation == allocation;
        let width = blocks().filter(|(binding, _)| mine(binding)).map(|(_, decl)| decl.elem.bytes()).min()?;
        let changes = blocks().any(|(binding, decl)| mine(binding) && decl.access.changes());
        changes.then(|| (Shadow::new(bytes.len().div_ceil(width)), width))
    };
    memory.iter().enumerate().map(shadow).collect()
}
