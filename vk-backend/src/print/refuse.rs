//! What of a kernel a device cannot do: the one table of that.

use super::fail::MOST_OPERANDS;
use crate::device::{Cap, Caps};
use futi_core::backend::Unsupported;

use futi_kernels::check::Checked;
use futi_kernels::check::capabilities::Capability;
use futi_kernels::ir::*;

/// What a kernel asks for in groups of so many invocations, and a device of these capabilities lacks. Each thing once.
pub fn refusals(kernel: &Checked, caps: &Caps, group_size: u32) -> Vec<Unsupported> {
    let ir = kernel.kernel();
    let mut all = Vec::new();
    let mut refuse = |construct: String, missing: &str| {
        all.push(Unsupported { construct, missing: missing.into(), prov: ir.prov });
    };
    for capability in kernel.capabilities().iter() {
        if let Some(cap) = lacks(capability).into_iter().find(|cap| !caps.has(*cap)) {
            refuse(capability.name().into(), cap.name());
        }
    }
    if !ir.group.allow(group_size) || group_size > caps.max_group_size {
        refuse(format!("a group of {group_size}"), "groups of that size");
    }
    let shared = shared_bytes(ir, group_size);
    if shared > caps.shared_memory.into() {
        refuse(format!("{shared} bytes of shared memory"), "as much");
    }
    if ir.sites.iter().any(|site| site.operands as usize > MOST_OPERANDS) {
        refuse(format!("a failure with more than {MOST_OPERANDS} operands"), "a record for them");
    }
    all
}

/// Bytes of shared memory that a kernel takes in groups of so many invocations.
pub fn shared_bytes(kernel: &Kernel, group_size: u32) -> u64 {
    let bytes = |s: &SharedDecl| {
        (u64::from(s.fixed) + u64::from(s.each) * u64::from(group_size)) * s.elem.bytes().max(4) as u64
    };
    kernel.shared.iter().map(bytes).fold(4, u64::saturating_add)
}

/// The capability of a device without which what a kernel needs cannot be written. What has none can be written on every device: `f64` is computed with integers (device/doubles.rs), `f16` as `f32`; what is narrow is a
/// part of a word, sums of floats go by compare and swap, and operations on words of 64 bits by locks (print/memory.rs).
fn lacks(capability: Capability) -> Option<Cap> {
    match capability {
        Capability::SharedAtomics64 => Some(Cap::SharedAtomicI64),
        Capability::Shuffle | Capability::ShuffleRelative | Capability::Vote => Some(Cap::Subgroups),
        Capability::I64 | Capability::F64 | Capability::F16 | Capability::DeviceOrder => None,
        Capability::Storage8 | Capability::Storage16 | Capability::BlockAtomics64 => None,
        Capability::BlockAddF32 | Capability::SharedAddF32 => None,
        Capability::BlockAddF64 | Capability::SharedAddF64 => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(without: &[Cap], group_size: u32, text: &str) -> Vec<String> {
        let mut caps = Caps::complete();
        without.iter().for_each(|cap| _ = caps.has.remove(cap));
        let kernel = format!("futi-kernel 1 kernel k @0 {{ {text} }}").parse::<Kernel>().expect("a kernel");
        let all = refusals(&Checked::new(kernel).expect("well-formed"), &caps, group_size);
        all.into_iter().map(|u| format!("{}: {}", u.construct, u.missing)).collect()
    }

    #[test]
    fn each_thing_that_a_device_lacks() {
        let root = "block y_0: write f32 store block.y_0[0i32] = sqrt.f32(2f32)";
        assert_eq!(refused(&[], 64, root), [""; 0]);
        assert_eq!(refused(&[Cap::F64], 64, root), [""; 0]);
        let narrow = "block x_0: read f16 block y_1: write u8 local x_0: f16 x_0 = load block.x_0[0i32] store block.y_1[0i32] = conv.bool.u8(isnan.f16(x_0))";
        assert_eq!(refused(&[Cap::F64, Cap::I16], 64, narrow), [""; 0]);
        assert_eq!(refused(&[Cap::F16, Cap::I8], 64, narrow), [""; 0]);
        let atomic = "block y_0: atomic i64 shared s_0: i64[1 + 0 each]
            atomic add block.y_0[0i32](1i64) relaxed device atomic add shared.s_0[0i32](1i64) relaxed group";
        assert_eq!(refused(&[Cap::AtomicI64], 64, atomic), [""; 0]);
        assert_eq!(refused(&[Cap::SharedAtomicI64], 64, atomic), ["64-bit atomics of a group: shared_atomic_i64"]);
        let vote = "local x_0: bool x_0 = subgroup any true";
        assert_eq!(refused(&[Cap::Subgroups], 64, vote), ["subgroup vote: subgroups"]);
    }

    #[test]
    fn records_have_room_for_operands() {
        let failing = |count: usize| {
            let operands = vec!["0i64"; count].join(", ");
            format!("site 0 of {count} @0 if eq.i32(@group, 1i32) {{ fail 0 at 0i64 ({operands}) }}")
        };
        assert_eq!(refused(&[], 64, &failing(MOST_OPERANDS)), [""; 0]);
        assert_eq!(
            refused(&[], 64, &failing(MOST_OPERANDS + 1)),
            ["a failure with more than 125 operands: a record for them"]
        );
    }

    #[test]
    fn groups_have_their_sizes_and_their_memory() {
        let group = "group 8 to 1024 power_of_two block y_0: write i32 store block.y_0[0i32] = 1i32";
        assert_eq!(refused(&[], 8, group), [""; 0]);
        assert_eq!(refused(&[], 12, group), ["a group of 12: groups of that size"]);
        // the device's greatest has 1024, whatever the kernel's is
        let any = "block y_0: write i32 store block.y_0[0i32] = 1i32";
        assert_eq!(refused(&[], 1024, group), [""; 0]);
        assert_eq!(refused(&[], 2048, any), ["a group of 2048: groups of that size"]);
        // 32,768 bytes of the device, of which 4 are for failures: 8191 words of four bytes, which booleans are, too
        let shared = |elem: &str, fixed: u32| {
            format!(
                "shared s_0: {elem}[{fixed} + 0 each] store shared.s_0[0i32] = {}",
                if elem == "bool" { "true" } else { "1i32" }
            )
        };
        assert_eq!(refused(&[], 64, &shared("i32", 8191)), [""; 0]);
        // 1 + 2 * 64 words of each of two arrays, of eight bytes and of four, and the one for failures
        let each = "shared s_0: i64[1 + 2 each] shared t_1: i32[1 + 2 each] store shared.s_0[0i32] = 1i64";
        let kernel = format!("futi-kernel 1 kernel k @0 {{ {each} }}").parse::<Kernel>().expect("a kernel");
        assert_eq!(shared_bytes(&kernel, 64), 129 * 12 + 4);
        assert_eq!(refused(&[], 64, &shared("i32", 8192)), ["32772 bytes of shared memory: as much"]);
        assert_eq!(refused(&[], 64, &shared("bool", 8192)), ["32772 bytes of shared memory: as much"]);
    }
}
