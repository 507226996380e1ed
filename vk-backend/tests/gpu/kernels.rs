//! What programs are made into: each program of the folder `kernels` becomes kernels that a device compiles, and so does a device that lacks what it need not have.

use crate::Test;
use crate::support::open;
use futi_core::ir::Program;
use futi_core::ir::check::{Checked, check};
use futi_kernels::generate::lower;
use futi_kernels::host::CheckedHost;
use futi_kernels::host::options::MemoryOptions;
use futi_vk::device::{Cap, Caps, DeviceKind};
use futi_vk::print::print;
use futi_vk::run::group_size;
use std::path::{Path, PathBuf};

pub const TESTS: &[Test] = &[("kernels::compile", || compile(&rich())), ("kernels::compile_poor", || compile(&poor()))];

/// It has everything that lavapipe compiles.
fn rich() -> Caps {
    let mut caps = Caps::complete();
    caps.has.remove(&Cap::AtomicF64);
    caps
}

/// A CPU that limits loops and adds no floats atomically.
fn poor() -> Caps {
    let mut caps = rich();
    caps.kind = DeviceKind::Cpu;
    caps.has.remove(&Cap::AtomicF32);
    caps.loop_limit = Some(65535);
    caps
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/kernels")
}

/// The names of the programs, which are flat.
fn programs() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "ir")).collect();
    paths.sort();
    paths.iter().map(|path| path.file_stem().unwrap().to_string_lossy().to_string()).collect()
}

/// A program of the folder.
pub fn program(name: &str) -> Checked<Program> {
    let text = std::fs::read_to_string(folder().join(format!("{name}.ir"))).unwrap();
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    check(program).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]))
}

fn compile(caps: &Caps) {
    let device = open();
    for name in programs() {
        let host =
            lower(&program(&name), &MemoryOptions::default()).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let host = CheckedHost::new(host).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        for kernel in &host.kernels {
            let ir = kernel.kernel.kernel();
            let source = print(&kernel.kernel, caps, group_size(ir, caps)).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            device.compile(&source, &ir.name.to_string()).unwrap_or_else(|e| panic!("{name}: {e}\n{source}"));
        }
    }
}
