//! What kernels of `core/kernels/tests/kernels` are written as: `printed.txt`, without what they use of the library. A person reads it there; that it does what the kernels say is tested on a device
//! (`tests/gpu/printed.rs`).
//!
//! `FUTI_BLESS=1` writes the file anew.

use super::code;
use crate::device::{Cap, Caps, DeviceKind};
use futi_kernels::ir::Kernel;
use std::path::Path;

/// A device.
#[derive(Clone, Copy, Debug)]
enum On {
    /// It has everything.
    Rich,
    /// It has nothing that it need not have for types and atomic operations.
    Poor,
    /// It ends long loops, and waits at fences.
    Software,
}

fn caps(on: On) -> Caps {
    let mut caps = Caps::complete();
    match on {
        On::Rich => {}
        On::Poor => {
            let lacks = [Cap::F64, Cap::F16, Cap::I8, Cap::I16, Cap::AtomicI64, Cap::AtomicF32, Cap::AtomicF64];
            lacks.iter().for_each(|cap| _ = caps.has.remove(cap));
        }
        On::Software => {
            caps.kind = DeviceKind::Cpu;
            (caps.loop_limit, caps.fences_wait) = (Some(65535), true);
        }
    }
    caps
}

/// Kernels, with what is seen of them.
const KERNELS: [(&str, On); 24] = [
    ("private_reversed", On::Rich),
    ("for_nested", On::Rich),
    ("while_newton", On::Rich),
    ("subgroup_votes", On::Rich),
    ("subgroup_broadcast", On::Rich),
    ("scan_subgroup", On::Rich),
    ("map_bool", On::Rich),
    ("map_bool", On::Poor),
    ("map_i16", On::Poor),
    ("map_f16", On::Poor),
    ("failing_sites", On::Rich),
    ("failing", On::Software),
    ("failing_loop", On::Rich),
    ("failing_lane", On::Rich),
    ("hist_shared", On::Rich),
    ("hist_f32", On::Rich),
    ("hist_f32", On::Poor),
    ("hist_f64", On::Poor),
    ("hist_i64", On::Rich),
    ("hist_i64", On::Poor),
    ("lock_twice", On::Rich),
    ("message_fences", On::Rich),
    ("message_fences", On::Software),
    ("cas_twice", On::Poor),
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
