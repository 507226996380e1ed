//! How fast the executor is: reductions of 2^16 numbers, with groups as in tests and as on a device.

use futi_core::prim::{Scalar, ScalarType};
use futi_kernels::exec::{Binding, Bytes, Code, Launch, run};
use futi_kernels::ir::Kernel;
use std::time::Instant;

const N: usize = 1 << 16;

fn main() {
    let trees = include_str!("../tests/kernels/reduce_i32.kernel");
    let strided = include_str!("../tests/kernels/reduce_strided.kernel");
    for (name, text) in [("tree", trees), ("strided", strided)] {
        for (group_size, subgroup_size) in [(8, 4), (256, 32)] {
            let kernel: Kernel = text.parse().expect("a kernel");
            let groups = if name == "tree" { N as u32 / group_size } else { 64 };
            let code = Code::of(&kernel).expect("a well-formed kernel");
            let numbers = Bytes::of((0..N).map(|i| Scalar::I32(i as i32)));
            let mut memory = [numbers, Bytes::new(4 * groups as usize)];
            let whole = |allocation: usize, len: usize| Binding { allocation, start: 0, len };
            let params = if kernel.params.is_empty() { vec![] } else { vec![Scalar::I32(N as i32)] };
            let blocks = vec![whole(0, N), whole(1, groups as usize)];
            let launch = Launch { groups, group_size, subgroup_size, params, blocks, seed: 1, budget: u64::MAX };
            let start = Instant::now();
            let outcome = run(&code, &mut memory, &launch).expect("no trap");
            let time = start.elapsed().as_secs_f64();
            let all: i64 = memory[1]
                .elements(ScalarType::I32)
                .iter()
                .map(|x| i64::from(x.and_then(|x| x.to_int()).unwrap_or(0) as i32))
                .sum();
            assert_eq!(all as i32, (N * (N - 1) / 2) as i32);
            let steps = outcome.counts.steps as f64;
            println!(
                "{name:8} groups {groups:5} of {group_size:3}: {:6.1} ms, {:5.2} million steps, {:6.1} million a second",
                1e3 * time,
                steps / 1e6,
                steps / time / 1e6
            );
        }
    }
}
