//! Atomic addition of floats, native and by compare-and-swap, under contention.

use crate::Test;
use crate::support::{download, launch, open, run, source, upload};
use futi_vk::device::Cap;

pub const TESTS: &[Test] = &[
    ("atomics::add_f32_by_swap", || contended("swap_add_f32", "float", None)),
    ("atomics::add_f64_by_swap", || contended("swap_add_f64", "double", Some(Cap::AtomicI64))),
    ("atomics::add_f32_native", || contended("native_add_f32", "float", Some(Cap::AtomicF32))),
    ("atomics::add_f64_native", || contended("native_add_f64", "double", Some(Cap::AtomicF64))),
];

/// 20000 invocations add small integers, whose sums are exact in any order, to three cells.
fn contended(function: &str, ty: &str, needs: Option<Cap>) {
    let device = open();
    if needs.is_some_and(|cap| !device.caps().has(cap)) {
        // What this device has no instruction for has its fallback tested beside this.
        println!("{} has no {:?}", device.caps().name, needs);
        return;
    }
    let cells = upload(&device, &[0; 3]);
    let body = format!("{function}(args.a[0] + 8 * (i % 3), {ty}(i % 7));");
    let source = source(&device, 1, "", &body);
    let n = 20_000;
    run(&device, vec![launch(&device, &source, n, &[], &[cells.range()])]);
    let value = |bits: u64| if ty == "float" { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let found: Vec<f64> = download(&device, &cells).into_iter().map(value).collect();
    let expected: Vec<f64> = (0..3).map(|c| (0..n).filter(|i| i % 3 == c).map(|i| (i % 7) as f64).sum()).collect();
    assert_eq!(found, expected);
}
