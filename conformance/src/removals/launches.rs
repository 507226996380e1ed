//! Launches, and others made of them, which the host would not make, but the kernel allows: with more groups, and with indices that are there more than once; and random ones.

use crate::random::Rng;
use futi_core::prim::{Scalar, ScalarType};
use futi_kernels::exec::{Binding, Bytes, Launch};
use futi_kernels::ir::Kernel;
use std::fmt;

/// How a launch differs from the one that the program makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum How {
    /// Not at all.
    AsLaunched,
    /// It has other groups.
    Groups,
    /// Of the integers that it reads, some are there more than once.
    Duplicates,
    /// Everything about it is random.
    Random,
}

impl How {
    /// All of them.
    pub const ALL: [How; 4] = [How::AsLaunched, How::Groups, How::Duplicates, How::Random];
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::AsLaunched => "as launched",
            How::Groups => "with other groups",
            How::Duplicates => "with duplicate indices",
            How::Random => "of a random launch",
        })
    }
}

/// Besides as it is, a launch has groups of these sizes, and if there are enough invocations, so many of them.
const SIZES: [u32; 3] = [1, 2, 4];
const GROUPS: u32 = 6;

/// A launch, and what is in memory before it.
pub(super) struct Variant {
    pub(super) how: How,
    pub(super) launch: Launch,
    pub(super) memory: Vec<Bytes>,
}

/// A launch, and others made of it.
pub(super) fn variants(kernel: &Kernel, launch: &Launch, memory: &[Bytes]) -> impl Iterator<Item = Variant> {
    let shapes = shapes(launch);
    // which integers are put in the place of each
    let pairs = |i: usize, _: usize| i / 2;
    let middle = |_: usize, len: usize| len / 2;
    let last = |_: usize, len: usize| len - 1;
    let others: [&dyn Fn(usize, usize) -> usize; 3] = [&pairs, &middle, &last];
    let others: Vec<Vec<Bytes>> =
        others.into_iter().filter_map(|from| duplicated(kernel, launch, memory, from)).collect();
    let memories = [memory.to_vec()].into_iter().chain(others).enumerate();
    memories.flat_map(move |(m, memory)| {
        let variant = move |(s, launch): (usize, Launch)| {
            let how = match (m, s) {
                (0, 0) => How::AsLaunched,
                (0, _) => How::Groups,
                _ => How::Duplicates,
            };
            Variant { how, launch, memory: memory.clone() }
        };
        shapes.clone().into_iter().enumerate().map(variant)
    })
}

/// How many elements each block of a random launch has.
const LENGTH: usize = 512;

/// A random launch: of few points, with small integers, so that indices are in range and there more than once.
pub(super) fn random(kernel: &Kernel, rng: &mut Rng) -> Variant {
    let (groups, group_size, most) = (3 + rng.bits() as u32 % 3, 1 << (rng.bits() % 4), 1 + rng.bits() % 8);
    let mut scalar = |ty: ScalarType, below: u64| match ty {
        _ if ty.is_float() => Scalar::from_f64(ty, rng.direction()),
        _ => Scalar::from_i64(ty, (rng.bits() % below) as i64),
    };
    let params = kernel.params.iter().map(|p| scalar(p.ty, 24)).collect();
    let memory: Vec<Bytes> =
        kernel.blocks.iter().map(|block| Bytes::of((0..LENGTH).map(|_| scalar(block.elem, most)))).collect();
    let blocks = (0..memory.len()).map(|allocation| Binding { allocation, start: 0, len: LENGTH }).collect();
    let launch = Launch { groups, group_size, subgroup_size: 4, params, blocks, seed: 0, budget: u64::MAX };
    Variant { how: How::Random, launch, memory }
}

/// A launch, and the same with other groups.
fn shapes(launch: &Launch) -> Vec<Launch> {
    let all = launch.groups.saturating_mul(launch.group_size);
    let shape = |group_size: u32| {
        let groups = (all / group_size).clamp(1, GROUPS);
        Launch { groups, group_size, subgroup_size: launch.subgroup_size.min(group_size), ..launch.clone() }
    };
    let others = SIZES.into_iter().map(shape);
    let others = others.filter(|other| (other.groups, other.group_size) != (launch.groups, launch.group_size));
    [launch.clone()].into_iter().chain(others).collect()
}

/// Memory in which, of the integers that a kernel only reads, others of the same block stand in the place of each. None if it reads none.
fn duplicated(
    kernel: &Kernel,
    launch: &Launch,
    memory: &[Bytes],
    from: &dyn Fn(usize, usize) -> usize,
) -> Option<Vec<Bytes>> {
    let mut duplicated = memory.to_vec();
    let mut changed = false;
    for (block, binding) in kernel.blocks.iter().zip(&launch.blocks) {
        if !block.elem.is_int() || block.access.changes() {
            continue;
        }
        let width = block.elem.bytes();
        let at = |i: usize| binding.start + i * width;
        for i in 0..binding.len {
            if let Some(x) = memory[binding.allocation].get(at(from(i, binding.len)), width) {
                duplicated[binding.allocation].set(at(i), width, x);
                changed = true;
            }
        }
    }
    changed.then_some(duplicated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::prim::{Scalar, ScalarType};
    use futi_kernels::exec::Binding;

    #[test]
    fn a_launch_has_more_groups_and_duplicates() {
        let text = "futi-kernel 1
            kernel k @0 {
              block i_0: read i32
              block y_1: write f32
              local x_0: i32
              x_0 = load block.i_0[@invocation]
              store block.y_1[x_0] = 1.0f32
            }";
        let memory = [Bytes::of([3, 4, 5].map(Scalar::I32)), Bytes::new(24)];
        let block = |allocation, len| Binding { allocation, start: 0, len };
        let (groups, group_size, subgroup_size) = (1, 3, 4);
        let blocks = vec![block(0, 3), block(1, 6)];
        let launch = Launch { groups, group_size, subgroup_size, params: vec![], blocks, seed: 0, budget: 100 };
        let all: Vec<Variant> = variants(&text.parse().unwrap(), &launch, &memory).collect();
        let shapes: Vec<_> = all[..4].iter().map(|v| (v.how, v.launch.groups, v.launch.group_size)).collect();
        let others = [(How::Groups, 3, 1), (How::Groups, 1, 2), (How::Groups, 1, 4)];
        assert_eq!(shapes, [[(How::AsLaunched, 1, 3)].as_slice(), &others].concat());
        let indices = |v: &Variant| v.memory[0].elements(ScalarType::I32);
        let some = |all: [i32; 3]| all.map(|x| Some(Scalar::I32(x))).to_vec();
        let found: Vec<_> = all.iter().step_by(4).map(indices).collect();
        assert_eq!(found, [some([3, 4, 5]), some([3, 3, 4]), some([4, 4, 4]), some([5, 5, 5])]);
        assert!(all[4..].iter().all(|v| v.how == How::Duplicates));
    }
}
