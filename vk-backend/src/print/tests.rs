//! What kernels of `core/kernels/tests/kernels` are written as: `printed.txt`, without what they use of the library. A person reads it there; that it does what the kernels say is tested on a device
//! (`tests/gpu/printed.rs`).
//!
//! `FUTI_BLESS=1` writes the file anew.

use super::{args, code};
use crate::device::{Cap, Caps, DeviceKind};
use futi_core::prim::Scalar;
use futi_kernels::ir::Kernel;
use std::path::Path;

/// A device.
#[derive(Clone, Copy, Debug)]
enum On {
    /// It has everything.
    Rich,
    /// It has nothing that it need not have for types and atomic operations.
    Poor,
    /// It ends long loops, waits at fences, and adds floats of 32 bits, not of 64.
    Software,
}

fn caps(on: On) -> Caps {
    let mut caps = Caps::complete();
    match on {
        On::Rich => {}
        On::Poor => caps.has.retain(|cap| !Cap::REPLACED.contains(cap)),
        On::Software => {
            caps.kind = DeviceKind::Cpu;
            (caps.loop_limit, caps.fences_wait) = (Some(65535), true);
            caps.has.remove(&Cap::AtomicF64);
        }
    }
    caps
}

/// Kernels, and on which devices they are seen.
const KERNELS: [(&str, On); 23] = [
    ("private_reversed", On::Rich),
    ("for_nested", On::Rich),
    ("subgroup_votes", On::Rich),
    ("subgroup_broadcast", On::Rich),
    ("scan_subgroup", On::Rich),
    ("zeros", On::Rich),
    ("map_bool", On::Rich),
    ("map_bool", On::Poor),
    ("map_i16", On::Poor),
    ("map_f16", On::Poor),
    ("failing_sites", On::Rich),
    ("failing", On::Software),
    ("failing_lane", On::Rich),
    ("failing_ways", On::Rich),
    ("sum_shared_f32", On::Rich),
    ("hist_shared", On::Rich),
    ("hist_f32", On::Software),
    ("hist_f32", On::Poor),
    ("hist_f64", On::Poor),
    ("words_of_64_bits", On::Rich),
    ("words_of_64_bits", On::Poor),
    ("message_fences", On::Rich),
    ("message_fences", On::Software),
];

#[test]
fn kernels_are_written_so() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for (name, on) in KERNELS {
        let kernel = root.join(format!("../core/kernels/tests/kernels/{name}.kernel"));
        let kernel = std::fs::read_to_string(&kernel).unwrap_or_else(|e| panic!("{}: {e}", kernel.display()));
        let kernel: Kernel = kernel.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        text += &format!("// {name}, {on:?}\n{}\n", code(&kernel, &caps(on), 8));
    }
    let file = root.join("src/print/printed.txt");
    if std::env::var_os("FUTI_BLESS").is_some() {
        std::fs::write(&file, &text).expect("a file that can be written");
    }
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    let differ = before.lines().zip(text.lines()).enumerate().find(|(_, (a, b))| a != b);
    assert!(before == text, "printed.txt is another one, from here on: {differ:?}");
}

#[test]
fn arguments_are_words() {
    let found = args(0x1000, 3, 2, 0x2000, &[Scalar::I32(7), Scalar::Bool(true)], &[(0x3000, 5), (0x4000, 6)]);
    let words: Vec<u64> =
        found.chunks(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
    assert_eq!(words, [0x1000, 0x2_0000_0003, 0x2000, 7, 1, 0x3000, 5, 0x4000, 6]);
}
