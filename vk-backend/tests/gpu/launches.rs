//! How programs run, under tunings that make their launches differ: the programs of the folder `kernels`, each with what comes out on the executor of kernels, which has no device; recordings
//! have the barriers that they need.

use crate::Test;
use crate::kernels::program;
use futi_core::backend::{Backend, CallCtx, Options};
use futi_core::value::text::parse_values;
use futi_kernels::exec::Executor;
use futi_vk::Vulkan;
use futi_vk::device::Options as DeviceOptions;
use futi_vk::hazards;

pub const TESTS: &[Test] = &[
    ("launches::maps_and_scalars", || runs(&MAPS)),
    ("launches::reductions", || runs(&REDUCTIONS)),
    ("launches::on_the_host", || runs(&HOST)),
    ("launches::views_and_checks", || runs(&POINTS)),
];

/// A run of a program: its arguments, and what is tuned.
type Run = (&'static str, &'static str, &'static [(&'static str, i64)]);

const MAPS: [Run; 7] = [
    ("maps", "3i64 [1.0, 2.0, 4.0] 0.5 2i64", &[]),
    // At and beyond what one workgroup takes, and what all may.
    ("few_invocations", "64i64", &[("max_groups", 2)]),
    ("few_invocations", "129i64", &[("max_groups", 2)]),
    ("few_invocations", "129i64", &[("scratch_bytes", 2 * 64 * 8 * 64)]),
    ("few_invocations", "129i64", &[("scratch_bytes", 1)]),
    // Two workgroups fit.
    ("few_invocations", "129i64", &[("scratch_bytes", 2 * 64 * 64)]),
    ("scalars_stay_on_the_device", "3i64 [1.0, 2.0, 3.0]", &[]),
];

const REDUCTIONS: [Run; 13] = [
    // One invocation each up to this length, and from so many segments on.
    ("reductions", "3i64 16i64", &[]),
    ("reductions", "3i64 17i64", &[]),
    ("reductions", "3i64 20i64", &[("reduce_each_segments", 3)]),
    ("reductions", "3i64 20i64", &[("reduce_each_segments", 4)]),
    // But not where a loop might be too long.
    ("reductions", "2i64 1023i64", &[("reduce_each_segments", 2), ("reduce_groups", 1)]),
    ("reductions", "2i64 1024i64", &[("reduce_each_segments", 2), ("reduce_groups", 1)]),
    // Chunks: as many as there are workgroups for, and of twice the workgroup's size at least.
    ("reductions", "2i64 1000i64", &[("reduce_groups", 6)]),
    ("reductions", "2i64 383i64", &[("reduce_groups", 6)]),
    ("reductions", "2i64 255i64", &[("reduce_groups", 6)]),
    ("reductions", "0i64 300i64", &[]),
    ("reductions_in_order", "300i64", &[("reduce_groups", 2)]),
    ("reductions_of_arrays", "3i64 [[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]]", &[]),
    // What the chunks left is free for what comes after.
    ("memory_of_chunks", "300i64", &[("reduce_groups", 2)]),
];

const HOST: [Run; 13] = [
    ("nested", "2i64 2i64 [[1.0, 2.0], [3.0, 4.0]]", &[]),
    ("rows", "2i64 3i64 [1.0, 2.0]", &[]),
    ("host", "2i64 [1.0, 2.0] 2i64 true", &[]),
    ("host", "2i64 [1.0, 2.0] 2i64 false", &[]),
    ("host_loops", "1i64 [30.0]", &[]),
    ("host_arrays", "2i64 [[1i32, 2i32], [3i32, 4i32]]", &[]),
    ("memory_of_a_host_loop", "3i64 4i64", &[]),
    ("the_caller_keeps_its_arrays", "2i64 [1i64, 2i64]", &[]),
    ("booleans", "4i64 [true, false, true, true] true", &[]),
    ("nothing_at_all", "0i64 empty([0][3]f64)", &[]),
    ("arrays_of_different_sizes", "3i64 3i64", &[]),
    ("host_looks_once", "3i64 3i64", &[]),
    ("index_without_a_check", "3i64 3i64", &[]),
];

const POINTS: [Run; 8] = [
    ("views", "1i64 [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]] [10i32]", &[]),
    ("branches_and_loops", "2i64 [[1.0, 2.0], [-3.0, 4.0]] [3i64, 0i64]", &[]),
    ("operators_together", "1i64 3i64 [[1.0, 2.0, 3.0]]", &[]),
    ("accumulate_pairs", "2i64 3i64 [1.0, 2.0] [7i64, 9i64] [5i32, 6i32] [1i64, 2i64, 1i64] [0.5, 4.0, 8.0]", &[]),
    ("checks", "1i64 [0i64] 5i64 false", &[]),
    ("checks", "1i64 [9i64] 5i64 true", &[]),
    ("accumulate_rows", "3i64 [0i64, 2i64, 2i64] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]", &[]),
    ("failures", "3i64 [1i64, 7i64, 2i64] 12i64", &[]),
];

fn runs(runs: &[Run]) {
    for (name, args, tuning) in runs {
        let vulkan = Vulkan::open_with(&DeviceOptions::from_env().unwrap()).unwrap();
        vulkan.keep_recordings();
        let tuning: Vec<(String, i64)> = tuning.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let expected = outcome(&Executor::default(), name, args, &tuning);
        assert_eq!(outcome(&vulkan, name, args, &tuning), expected, "{name} {args} {tuning:?}");
        let kept = vulkan.kept();
        assert!(!kept.is_empty());
        kept.iter().for_each(|recording| assert_eq!(hazards::check(recording), [], "{name}"));
    }
}

/// The results of a program, or how it fails.
fn outcome(backend: &dyn Backend, name: &str, args: &str, tuning: &[(String, i64)]) -> Result<Vec<String>, String> {
    let options = Options { tuning: tuning.to_vec() };
    let executable = backend.compile(&program(name), &options).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let handles: Vec<_> = parse_values(args).unwrap().iter().map(|value| backend.put(value).unwrap()).collect();
    let results = executable.call("main", handles, &CallCtx::default()).map_err(|error| error.message)?;
    let got: Result<Vec<String>, _> = results.iter().map(|handle| Ok(backend.get(handle)?.to_string())).collect();
    got.map_err(|error: futi_core::failure::RuntimeError| error.message)
}
