//! What a device must have to run a kernel as it is written. Where a device lacks it, the kernel is printed in another way, or it is not made: one table says which.

use crate::ir::*;
use futi_core::prim::ScalarType;
use std::fmt;

macro_rules! capabilities {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Something that not every device has.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Capability { $($(#[$doc])* $name,)* }

        impl Capability {
            /// All of them.
            pub const ALL: &'static [Capability] = &[$(Capability::$name,)*];

            /// Its name in messages.
            pub fn name(self) -> &'static str {
                match self { $(Capability::$name => $text,)* }
            }
        }
    };
}

capabilities! {
    /// Values of type `f64`.
    F64 = "f64",
    /// Values of types `i64` and `u64`, lengths of blocks included.
    I64 = "i64",
    /// Values of type `f16`.
    F16 = "f16",
    /// Blocks of elements of one byte.
    Storage8 = "8-bit storage",
    /// Blocks of elements of two bytes.
    Storage16 = "16-bit storage",
    /// Atomic operations on elements of eight bytes of a block.
    BlockAtomics64 = "64-bit atomics",
    /// Atomic operations on elements of eight bytes of an array of a group.
    SharedAtomics64 = "64-bit atomics of a group",
    /// Atomic sums of `f32` in a block.
    BlockAddF32 = "f32 atomic add",
    /// Atomic sums of `f32` in an array of a group.
    SharedAddF32 = "f32 atomic add of a group",
    /// Atomic sums of `f64` in a block.
    BlockAddF64 = "f64 atomic add",
    /// Atomic sums of `f64` in an array of a group.
    SharedAddF64 = "f64 atomic add of a group",
    /// Acquires and releases, and fences, across groups: Vulkan's memory model with the scope of the device.
    DeviceOrder = "device-scope order",
    /// Shuffles of a subgroup.
    Shuffle = "subgroup shuffle",
    /// Shuffles of a subgroup by a distance.
    ShuffleRelative = "subgroup shuffle by distance",
    /// Votes of a subgroup.
    Vote = "subgroup vote",
}

/// A set of capabilities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Capabilities(u32);

impl Capabilities {
    /// What a kernel needs.
    pub fn of(kernel: &Kernel) -> Capabilities {
        let mut needs = Capabilities::default();
        for ty in kernel.params.iter().map(|p| p.ty).chain(kernel.locals.iter().map(|l| l.ty)) {
            needs.value(ty);
        }
        kernel.blocks.iter().for_each(|b| needs.stored(b.elem));
        let shared = kernel.shared.iter().map(|s| s.elem);
        shared.chain(kernel.private.iter().map(|p| p.elem)).for_each(|ty| needs.value(ty));
        walk(&kernel.body, &mut |stm| {
            stm.exps().into_iter().for_each(|e| needs.exp(e));
            match stm {
                Stm::Atomic(atomic) => needs.atomic(kernel, atomic),
                Stm::Fence(Scope::Device) => needs.insert(Capability::DeviceOrder),
                Stm::Fail { .. } => needs.insert(Capability::I64),
                Stm::Subgroup { op: SubgroupOp::Shuffle(_), .. } => needs.insert(Capability::Shuffle),
                Stm::Subgroup { op: SubgroupOp::Up { .. }, .. } => needs.insert(Capability::ShuffleRelative),
                Stm::Subgroup { op: SubgroupOp::Any | SubgroupOp::All, .. } => needs.insert(Capability::Vote),
                _ => {}
            }
        });
        needs
    }

    /// Adds one.
    pub fn insert(&mut self, capability: Capability) {
        self.0 |= 1 << capability as u32;
    }

    /// Whether it is there.
    pub fn has(self, capability: Capability) -> bool {
        self.0 & (1 << capability as u32) != 0
    }

    /// Those that are there.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL.iter().copied().filter(move |c| self.has(*c))
    }

    /// Those that are here and not there: what a device lacks.
    pub fn without(self, other: Capabilities) -> Capabilities {
        Capabilities(self.0 & !other.0)
    }

    fn value(&mut self, ty: ScalarType) {
        match ty {
            ScalarType::F64 => self.insert(Capability::F64),
            ScalarType::I64 | ScalarType::U64 => self.insert(Capability::I64),
            ScalarType::F16 => self.insert(Capability::F16),
            _ => {}
        }
    }

    fn stored(&mut self, ty: ScalarType) {
        self.value(ty);
        match ty.bytes() {
            1 => self.insert(Capability::Storage8),
            2 => self.insert(Capability::Storage16),
            _ => {}
        }
    }

    fn exp(&mut self, e: &Exp) {
        e.walk(&mut |e| match e {
            Exp::Lit(x) => self.value(x.scalar_type()),
            Exp::Length(_) => self.value(ScalarType::I64),
            Exp::Prim(op, _) => {
                let (params, result) = op.signature().unwrap_or((vec![], ScalarType::Bool));
                params.into_iter().chain([result]).for_each(|ty| self.value(ty));
            }
            Exp::Local(_) | Exp::Param(_) | Exp::Builtin(_) => {}
        });
    }

    fn atomic(&mut self, kernel: &Kernel, atomic: &Atomic) {
        let elem = kernel.elem(atomic.at);
        let of_group = matches!(atomic.at, Array::Shared(_));
        let either = |block, shared| if of_group { shared } else { block };
        if elem.is_some_and(|ty| ty.bytes() == 8) {
            self.insert(either(Capability::BlockAtomics64, Capability::SharedAtomics64));
        }
        match (atomic.op, elem) {
            (AtomicOp::Add, Some(ScalarType::F32)) => {
                self.insert(either(Capability::BlockAddF32, Capability::SharedAddF32))
            }
            (AtomicOp::Add, Some(ScalarType::F64)) => {
                self.insert(either(Capability::BlockAddF64, Capability::SharedAddF64))
            }
            _ => {}
        }
        if atomic.scope == Scope::Device && atomic.order != Order::Relaxed {
            self.insert(Capability::DeviceOrder);
        }
    }
}

/// `f64, 64-bit atomics`.
impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Capability::name).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(declarations: &str, body: &str) -> String {
        let text = format!("futi-kernel 1 kernel k @0 {{ {declarations} {body} }}");
        Capabilities::of(&text.parse().expect("a kernel")).to_string()
    }

    #[test]
    fn they_are_of_types_and_operations() {
        let cases = [
            ("block y_0: write i32", "store block.y_0[@group] = 1i32", ""),
            ("block y_0: write f64", "store block.y_0[@group] = 1f64", "f64"),
            ("block y_0: write u8", "store block.y_0[@group] = 1u8", "8-bit storage"),
            ("block y_0: write f16", "store block.y_0[@group] = 1f16", "f16, 16-bit storage"),
            // in an array of the group there is no storage to ask for
            ("shared s_0: u8[1 + 0 each]", "store shared.s_0[0i32] = 1u8", ""),
            ("block y_0: write i32", "store block.y_0[length(block.y_0)] = 1i32", "i64"),
            ("local x_0: i32", "x_0 = conv.f32.i32(conv.f64.f32(1f64))", "f64"),
            ("block y_0: atomic i64", "atomic add block.y_0[0i32](1i64) relaxed device", "i64, 64-bit atomics"),
            (
                "shared s_0: u64[1 + 0 each]",
                "atomic max shared.s_0[0i32](1u64) relaxed group",
                "i64, 64-bit atomics of a group",
            ),
            ("block y_0: atomic f32", "atomic add block.y_0[0i32](1f32) relaxed device", "f32 atomic add"),
            ("block y_0: atomic f32", "atomic exchange block.y_0[0i32](1f32) relaxed device", ""),
            (
                "shared s_0: f64[1 + 0 each]",
                "atomic add shared.s_0[0i32](1f64) relaxed group",
                "f64, 64-bit atomics of a group, f64 atomic add of a group",
            ),
            ("block y_0: atomic i32", "atomic store block.y_0[0i32](1i32) release device", "device-scope order"),
            ("block y_0: atomic i32", "atomic store block.y_0[0i32](1i32) release group", ""),
            ("", "fence device", "device-scope order"),
            ("local x_0: i32", "x_0 = subgroup shuffle 1i32 from 0i32", "subgroup shuffle"),
            ("local x_0: i32", "x_0 = subgroup up 1i32 by 1i32 else 0i32", "subgroup shuffle by distance"),
            ("local x_0: bool", "x_0 = subgroup any true", "subgroup vote"),
        ];
        for (declarations, body, wanted) in cases {
            assert_eq!(needs(declarations, body), wanted, "{declarations} {body}");
        }
    }

    #[test]
    fn what_a_device_lacks_is_a_difference() {
        let set = |all: &[Capability]| {
            let mut set = Capabilities::default();
            all.iter().for_each(|c| set.insert(*c));
            set
        };
        let (needs, has) = (set(&[Capability::F64, Capability::Vote]), set(&[Capability::F64, Capability::I64]));
        assert_eq!(needs.without(has), set(&[Capability::Vote]));
        assert!(Capability::ALL.len() <= 32 && set(Capability::ALL).iter().eq(Capability::ALL.iter().copied()));
    }
}
