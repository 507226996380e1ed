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
