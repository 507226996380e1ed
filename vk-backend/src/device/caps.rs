//! What a device can do, as plain data.

use super::Error;
use std::collections::BTreeSet;
use std::fmt;
use vulkano::VulkanObject;
use vulkano::device::DeviceFeatures;
use vulkano::device::physical::{DriverId, PhysicalDevice, PhysicalDeviceType, SubgroupFeatures};
use vulkano::memory::MemoryPropertyFlags;

macro_rules! caps {
    ($($cap:ident = $name:literal: $what:literal, without: $without:literal;)*) => {
        /// An optional capability. Each has a fallback or a construct that is refused without it, and each can be switched off
        /// (`FUTI_VK_DISABLE=atomic_f64,f16`), so that the fallback is tested where the capability is there. All are in `docs/devices.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Cap { $(#[doc = concat!("What is meant: ", $what, ". Without: ", $without, ".")] $cap,)* }

        impl Cap {
            /// Every capability.
            pub const ALL: &[Cap] = &[$(Cap::$cap,)*];

            /// Its name in switches and tables.
            pub const fn name(self) -> &'static str {
                match self { $(Cap::$cap => $name,)* }
            }

            /// What it is, and what is done where a device lacks it.
            pub const fn about(self) -> [&'static str; 2] {
                match self { $(Cap::$cap => [$what, $without],)* }
            }
        }
    };
}

caps! {
    F64 = "f64": "64-bit floats", without: "they are computed with integers, to the same bits, in some hundred times the time; kernels of many operations take a driver minutes to compile";
    F16 = "f16": "16-bit floats in memory", without: "they are halves of words, which atomic operations change";
    I8 = "i8": "8-bit integers in memory, of which arrays of booleans are made", without: "they are parts of words, which atomic operations change";
    I16 = "i16": "16-bit integers in memory", without: "they are halves of words, which atomic operations change";
    AtomicI64 = "atomic_i64": "64-bit integer atomics on buffers", without: "sums go by halves, everything else by locks";
    SharedAtomicI64 = "shared_atomic_i64": "64-bit integer atomics on arrays of a workgroup", without: "kernels that use them are refused; programs become none such";
    AtomicF32 = "atomic_f32": "native `f32` atomic addition on buffers", without: "compare-and-swap";
    AtomicF64 = "atomic_f64": "native `f64` atomic addition on buffers", without: "compare-and-swap";
    Subgroups = "subgroups": "votes and shuffles of subgroups, also of 64-bit types", without: "kernels that use them are refused; programs become none such";
    KeepNan = "keep_nan": "signed zeros, infinities and NaN of `f32` and `f64` are kept", without: "they are what the driver makes of them";
    KeepSubnormalF64 = "keep_subnormal_f64": "subnormal `f64` are kept, and `f32` may be set otherwise", without: "what the driver does by default";
    KeepSubnormalF32 = "keep_subnormal_f32": "modules can ask that subnormal `f32` are kept", without: "they may count as zero";
    UnifiedMemory = "unified_memory": "all device memory is visible to the host", without: "transfers through a staging buffer";
    Timestamps = "timestamps": "timestamps on the compute queue", without: "no profile";
}

impl Cap {
    /// Types and atomic operations that kernels do without where a device lacks them, by other code.
    pub const REPLACED: [Cap; 7] =
        [Cap::F64, Cap::F16, Cap::I8, Cap::I16, Cap::AtomicI64, Cap::AtomicF32, Cap::AtomicF64];

    /// The capability of that name.
    pub fn by_name(name: &str) -> Option<Cap> {
        Cap::ALL.iter().copied().find(|cap| cap.name() == name)
    }

    /// The capabilities named in a list separated by commas.
    pub fn parse_list(option: &'static str, list: &str) -> Result<BTreeSet<Cap>, Error> {
        let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(|word| Cap::by_name(word).ok_or_else(|| Error::BadOption { option, value: word.into() })).collect()
    }
}

/// Kinds of devices, the preferred ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// Part of a GPU, in a virtual machine.
    Virtual,
    /// The processor itself, lavapipe for one.
    Cpu,
    /// Anything else.
    Other,
}

/// What a device can do, after the switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// The device's name.
    pub name: String,
    /// Its kind.
    pub kind: DeviceKind,
    /// Its driver, with version.
    pub driver: String,
    /// The version of Vulkan that it speaks.
    pub api: (u32, u32),
    /// What it has of the optional capabilities.
    pub has: BTreeSet<Cap>,
    /// Invocations in a subgroup.
    pub subgroup_size: u32,
    /// Most invocations in a workgroup.
    pub max_group_size: u32,
    /// Most workgroups in each dimension of a dispatch.
    pub max_groups: [u32; 3],
    /// Bytes of shared memory that a workgroup can have.
    pub shared_memory: u32,
    /// Bytes in one allocation at most.
    pub max_allocation: u64,
    /// Bytes of the heap that arrays live in.
    pub memory: u64,
    /// Nanoseconds a timestamp tick.
    pub timestamp_period: f32,
    /// After so many rounds of all its loops together, an invocation leaves each loop after one round, and goes on: llvmpipe does that, silently.
    pub loop_limit: Option<u32>,
    /// A barrier of memory waits for all of the group, as if all came to it: llvmpipe does that, and what comes of it where not all come is wrong, silently.
    pub fences_wait: bool,
}

impl Caps {
    /// A GPU that has every capability, for code that is only to be looked at.
    pub fn complete() -> Caps {
        Caps {
            name: "any GPU".into(),
            kind: DeviceKind::Discrete,
            driver: String::new(),
            api: (1, 3),
            has: Cap::ALL.iter().copied().collect(),
            subgroup_size: 32,
            max_group_size: 1024,
            max_groups: [65535; 3],
            shared_memory: 32768,
            max_allocation: 1 << 32,
            memory: 1 << 33,
            timestamp_period: 1.0,
            loop_limit: None,
            fences_wait: false,
        }
    }

    /// Whether it has a capability.
    pub fn has(&self, cap: Cap) -> bool {
        self.has.contains(&cap)
    }
}

impl fmt::Display for Caps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.api;
        write!(f, "{} ({}; Vulkan {major}.{minor}; {} MiB;", self.name, self.driver, self.memory >> 20)?;
        self.has.iter().try_for_each(|cap| write!(f, " {}", cap.name()))?;
        write!(f, ")")
    }
}

/// What no device can do without.
pub(super) const NEEDED: [&str; 6] =
    ["Vulkan 1.2", "bufferDeviceAddress", "shaderInt64", "scalarBlockLayout", "a compute queue", "device memory"];

/// Reads what a physical device can do. `Err` names what it lacks of the features that we cannot do without.
pub(super) fn query(physical: &PhysicalDevice) -> Result<Caps, &'static str> {
    let (features, properties) = (physical.supported_features(), physical.properties());
    let api = physical.api_version();
    let needed = [
        (api.major, api.minor) >= (1, 2),
        features.buffer_device_address,
        features.shader_int64,
        features.scalar_block_layout,
        compute_family(physical).is_some(),
        device_memory_type(physical).is_some(),
    ];
    for (there, what) in needed.into_iter().zip(NEEDED) {
        if !there {
            return Err(what);
        }
    }
    let float_atomics = physical.supported_extensions().ext_shader_atomic_float;
    let subgroup_operations =
        SubgroupFeatures::BASIC | SubgroupFeatures::ARITHMETIC | SubgroupFeatures::SHUFFLE | SubgroupFeatures::BALLOT;
    let keeps =
        |f32: Option<bool>, f64: Option<bool>| f32 == Some(true) && (f64 == Some(true) || !features.shader_float64);
    let (type_index, heap) = device_memory_type(physical).unwrap_or_default();
    let flags = physical.memory_properties().memory_types[type_index as usize].property_flags;
    let family = compute_family(physical).unwrap_or_default();
    let has = Cap::ALL.iter().copied().filter(|cap| match cap {
        Cap::F64 => features.shader_float64,
        Cap::F16 => features.shader_float16 && features.storage_buffer16_bit_access,
        Cap::I8 => features.shader_int8 && features.storage_buffer8_bit_access,
        Cap::I16 => features.shader_int16 && features.storage_buffer16_bit_access,
        Cap::AtomicI64 => features.shader_buffer_int64_atomics,
        Cap::SharedAtomicI64 => features.shader_shared_int64_atomics,
        Cap::AtomicF32 => float_atomics && features.shader_buffer_float32_atomic_add,
        Cap::AtomicF64 => float_atomics && features.shader_buffer_float64_atomic_add,
        Cap::Subgroups => {
            properties.subgroup_supported_operations.is_some_and(|o| o.contains(subgroup_operations))
                && features.shader_subgroup_extended_types
        }
        Cap::KeepNan => keeps(
            properties.shader_signed_zero_inf_nan_preserve_float32,
            properties.shader_signed_zero_inf_nan_preserve_float64,
        ),
        Cap::KeepSubnormalF32 => {
            use vulkano::device::physical::ShaderFloatControlsIndependence as Independence;
            properties.shader_denorm_preserve_float32 == Some(true)
                && !matches!(properties.denorm_behavior_independence, None | Some(Independence::None))
        }
        Cap::KeepSubnormalF64 => {
            use vulkano::device::physical::ShaderFloatControlsIndependence as Independence;
            properties.shader_denorm_preserve_float64 == Some(true)
                && !matches!(properties.denorm_behavior_independence, None | Some(Independence::None))
        }
        Cap::UnifiedMemory => {
            flags.contains(MemoryPropertyFlags::HOST_VISIBLE | MemoryPropertyFlags::HOST_COHERENT)
                && properties.device_type != PhysicalDeviceType::DiscreteGpu
        }
        Cap::Timestamps => {
            physical.queue_family_properties()[family as usize].timestamp_valid_bits == Some(64)
                && properties.timestamp_period > 0.0
        }
    });
    Ok(Caps {
        name: properties.device_name.clone(),
        kind: match properties.device_type {
            PhysicalDeviceType::DiscreteGpu => DeviceKind::Discrete,
            PhysicalDeviceType::IntegratedGpu => DeviceKind::Integrated,
            PhysicalDeviceType::VirtualGpu => DeviceKind::Virtual,
            PhysicalDeviceType::Cpu => DeviceKind::Cpu,
            _ => DeviceKind::Other,
        },
        driver: [properties.driver_name.as_deref(), properties.driver_info.as_deref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        api: (api.major, api.minor),
        has: has.collect(),
        subgroup_size: properties.subgroup_size.unwrap_or(1),
        max_group_size: properties.max_compute_work_group_invocations.min(properties.max_compute_work_group_size[0]),
        max_groups: properties.max_compute_work_group_count,
        shared_memory: properties.max_compute_shared_memory_size,
        max_allocation: properties.max_memory_allocation_size.unwrap_or(1 << 30),
        memory: physical.memory_properties().memory_heaps[heap as usize].size,
        timestamp_period: properties.timestamp_period,
        loop_limit: (properties.driver_id == Some(DriverId::MesaLLVMpipe)).then_some(65535),
        fences_wait: properties.driver_id == Some(DriverId::MesaLLVMpipe),
    })
}

/// The features to switch on: the ones that we cannot do without, and those of the capabilities.
pub(super) fn features(caps: &Caps) -> DeviceFeatures {
    DeviceFeatures {
        buffer_device_address: true,
        shader_int64: true,
        scalar_block_layout: true,
        shader_float64: caps.has(Cap::F64),
        shader_float16: caps.has(Cap::F16),
        shader_int8: caps.has(Cap::I8),
        storage_buffer8_bit_access: caps.has(Cap::I8),
        shader_int16: caps.has(Cap::I16),
        storage_buffer16_bit_access: caps.has(Cap::I16) || caps.has(Cap::F16),
        shader_buffer_int64_atomics: caps.has(Cap::AtomicI64),
        shader_shared_int64_atomics: caps.has(Cap::SharedAtomicI64),
        shader_buffer_float32_atomic_add: caps.has(Cap::AtomicF32),
        shader_buffer_float64_atomic_add: caps.has(Cap::AtomicF64),
        shader_subgroup_extended_types: caps.has(Cap::Subgroups),
        ..DeviceFeatures::empty()
    }
}

/// A queue family that computes: preferably one that also draws, which is the device's main queue.
pub(super) fn compute_family(physical: &PhysicalDevice) -> Option<u32> {
    use vulkano::device::QueueFlags;
    let families = || physical.queue_family_properties().iter().zip(0..);
    let with = |flags| families().find(|(family, _)| family.queue_flags.contains(flags)).map(|(_, index)| index);
    with(QueueFlags::COMPUTE | QueueFlags::GRAPHICS).or_else(|| with(QueueFlags::COMPUTE))
}

/// The memory type that arrays live in, and its heap: the largest heap of the device; there, one that the host sees, if any, unless the device
/// has memory of its own.
pub(super) fn device_memory_type(physical: &PhysicalDevice) -> Option<(u32, u32)> {
    let memory = physical.memory_properties();
    let own = physical.properties().device_type == PhysicalDeviceType::DiscreteGpu;
    let visible = MemoryPropertyFlags::HOST_VISIBLE | MemoryPropertyFlags::HOST_COHERENT;
    let exotic = MemoryPropertyFlags::LAZILY_ALLOCATED | MemoryPropertyFlags::PROTECTED;
    memory
        .memory_types
        .iter()
        .zip(0..)
        .filter(|(kind, _)| {
            kind.property_flags.contains(MemoryPropertyFlags::DEVICE_LOCAL) && !kind.property_flags.intersects(exotic)
        })
        .max_by_key(|(kind, index)| {
            let wanted = kind.property_flags.contains(visible) != own;
            let cached = kind.property_flags.contains(MemoryPropertyFlags::HOST_CACHED) != own;
            (memory.memory_heaps[kind.heap_index as usize].size, wanted, cached, std::cmp::Reverse(*index))
        })
        .map(|(kind, index)| (index, kind.heap_index))
}

/// What tells the caches of this device and driver from others'.
pub(super) fn fingerprint(physical: &PhysicalDevice) -> Vec<u8> {
    let properties = physical.properties();
    debug_assert!(physical.handle() != Default::default());
    [properties.vendor_id, properties.device_id, properties.driver_version]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .chain(properties.pipeline_cache_uuid)
        .chain(properties.device_uuid.unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of what devices have, and of what programs do without it.
    fn page() -> String {
        let mut page = String::from(
            "# What devices must have, and what is done without the rest\n\n\
             Generated by `FUTI_BLESS=1 cargo test -p futi-vk --lib`. `futi backends` says what yours has; \
             `FUTI_VK_DISABLE=f64,subgroups` switches off what it has, so that you see what others do.\n\n## Needed\n\n",
        );
        NEEDED.iter().for_each(|what| page += &format!("- {what}\n"));
        page += "\n## Used where it is there\n\n| name | what it is | without it |\n|---|---|---|\n";
        for cap in Cap::ALL {
            let [what, without] = cap.about();
            page += &format!("| `{}` | {what} | {without} |\n", cap.name());
        }
        page += "\n## Refused\n\nWhat is refused is told before anything runs, with its place in the program (E0503).\n\n\
                 | what | on | instead |\n|---|---|---|\n\
                 | a function that calls itself, inside of a map or another nest, with arrays whose sizes are no constants among its arguments or results | every device | a loop; at host level, recursion runs |\n\
                 | an operator of `reduce_by_index_stream` that makes arrays whose sizes it finds itself | every device | `reduce_by_index` of what is written, or an operator with arrays of sizes from outside |\n\
                 | a check with more operands than a failure's record has room for (an index of more than 60 dimensions) | every device | an array of fewer dimensions |\n\
                 | a group larger than the device's, or with more shared memory | devices with less than 256 invocations or 4 KiB a group | none |\n";
        page
    }

    #[test]
    fn the_page_of_capabilities_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/devices.md");
        if std::env::var_os("FUTI_BLESS").is_some() {
            std::fs::write(path, page()).unwrap_or_else(|e| panic!("{path}: {e}"));
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(committed, page(), "docs/devices.md is not up to date: run again with FUTI_BLESS=1");
    }
}
