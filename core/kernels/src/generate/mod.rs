//! From a flat program to the host's program and its kernels: [`lower`].
//!
//! `host` makes what stands around nests, with `control`, `parts`, `deferred` and `pending`; `launch` launches the kernels of a nest, which `nest`, `reduce`, `columns`, `scan` and `scatter` make.
//! The code of a point is sequential, whatever it has inside: `body` makes statements, `soac` SOACs as loops, `check` failures, `array` knows where arrays are, `acc` updates accumulators, atomically unless they are `unshared`.
//! In `within` a group runs each point, and divides what is parallel in it among its invocations; `order` says where these wait. `whole` makes versions of loops that one invocation runs. `emit` is a kernel in the making, `free` says where memory ends, `in_place` does without updates in place, `beyond` says what no kernel can do.

mod acc;
mod array;
mod beyond;
mod body;
mod check;
mod columns;
mod control;
#[cfg(test)]
mod costs_tests;
mod deferred;
mod emit;
mod exps;
mod free;
mod greatest;
mod host;
mod in_place;
mod launch;
mod nest;
mod numbers;
mod order;
mod parts;
mod pending;
mod reduce;
mod scan;
mod scatter;
mod soac;
mod unshared;
#[cfg(test)]
mod unshared_tests;
mod views;
mod whole;
mod within;

use crate::host::options::MemoryOptions;
use crate::host::{CheckedHost, HostProgram};
use futi_core::backend::Unsupported;
use futi_core::ir::{Program, Prov};
use std::fmt::Display;

/// The host's program of a flat program, and its kernels, with what is done about memory.
///
/// # Errors
/// All constructs that cannot be compiled.
pub fn lower(program: &Program, options: &MemoryOptions) -> Result<HostProgram, Vec<Unsupported>> {
    let copied = (options.in_place == 0).then(|| in_place::copied(program));
    let mut host = host::lower(copied.as_ref().unwrap_or(program))?;
    if options.free != 0 {
        host.funs.iter_mut().for_each(free::free);
    }
    Ok(host)
}

/// The same, checked.
///
/// # Errors
/// All constructs that cannot be compiled.
pub fn checked(program: &Program, options: &MemoryOptions) -> Result<CheckedHost, Vec<Unsupported>> {
    CheckedHost::new(lower(program, options)?).map_err(ill_formed)
}

/// Faults of what we have made ourselves, as backends tell of what they cannot compile.
pub(crate) fn ill_formed<E: Display>(errors: Vec<E>) -> Vec<Unsupported> {
    errors.iter().map(|error| Unsupported::internal(error, Prov::UNKNOWN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Executor;
    use crate::host::ir::{Op, Stm};
    use futi_core::backend::{Backend, CallCtx, IrLevel, Options};
    use futi_core::driver::{compile::compile, pipeline::for_level};
    use futi_core::source::SourceMap;
    use futi_core::value::text::parse_values;

    /// A source's flat program, with what says where in the source it is.
    pub(super) fn flat(source: &str) -> (Program, SourceMap) {
        let provider = |_: &str| Ok(source.to_string());
        let compiled = compile("main.fut", &provider);
        let flat = for_level(compiled.program.expect("a program"), IrLevel::Flat).expect("a flat program");
        (flat, compiled.sources)
    }

    /// A source's kernels.
    pub(super) fn kernels(source: &str) -> HostProgram {
        lower(&flat(source).0, &MemoryOptions::default()).expect("kernels")
    }

    const UPDATES: &str = "futi-ir 1 entry \"main\"(n_0: i64, xs_1: [n_0]i32) -> (r_2: [n_0]i32)
        sig 1 (\"xs\": [\"n\"]i32) -> ([\"n\"]i32) {
          let (a_3: [n_0]i32) = copy xs_1
          let (b_4: [n_0]i32) = update a_3[0i64] = 1i32
          let (c_5: [n_0]i32) = update b_4[1i64] = 2i32
          in (c_5)
        }";

    /// How many statements of a kind are made with these options.
    fn count(options: &MemoryOptions, is: impl Fn(&Op) -> bool) -> usize {
        let host = lower(&UPDATES.parse().unwrap(), options).unwrap();
        host.funs[0].body.iter().filter(|Stm { op, .. }| is(op)).count()
    }

    #[test]
    fn memory_is_freed_and_updated_in_place_unless_that_is_off() {
        let default = MemoryOptions::default;
        let [free, copy] = [|op: &Op| matches!(op, Op::Free(_)), |op: &Op| matches!(op, Op::Copy { .. })];
        // the argument is not used behind the copy that the program asks for
        assert_eq!((count(&default(), free), count(&default(), copy)), (1, 1));
        let off = MemoryOptions { free: 0, ..default() };
        assert_eq!((count(&off, free), count(&off, copy)), (0, 1));
        // both updates have a copy, and what is copied is free then
        let off = MemoryOptions { in_place: 0, ..default() };
        assert_eq!((count(&off, free), count(&off, copy)), (3, 3));
    }

    /// What is added to h[2] is ks[0] = 5: 7 + 5; twice 2 is 4.
    #[test]
    fn scalars_that_an_accumulators_code_gives_are_made_with_it() {
        let text = "futi-ir 1 entry \"main\"(n_0: i64, ks_1: [n_0]i64) -> (r_2: [n_0]i64, s_3: i64)
            sig 1 (\"ks\": [\"n\"]i64) -> ([\"n\"]i64, i64) {
              let (h_10: [n_0]i64) = copy ks_1
              let (e_11: i64) = index ks_1[0i64]
              let (r_12: [n_0]i64, f_13: i64) = withacc input [n_0] (h_10) comm \\(x_14: i64, y_15: i64) -> (i64) {
                let (t_16: i64) = add.i64(x_14, y_15)
                in (t_16)
              } neutral (0i64) do \\(c_20: cert, acc_21: acc(c_20, [n_0] (i64))) -> (acc(c_20, [n_0] (i64)), i64) {
                let (g_22: i64) = index ks_1[1i64]
                let (acc_23: acc(c_20, [n_0] (i64))) = updacc acc_21[g_22] (e_11)
                in (acc_23, g_22)
              }
              let (k_24: i64) = mul.i64(f_13, 2i64)
              in (r_12, k_24)
            }";
        let executor = Executor::default();
        let host = lower(&text.parse().unwrap(), &MemoryOptions::default()).expect("kernels");
        let executable = executor.load(host, &Options::default()).map_err(|e| e[0].construct.clone()).unwrap();
        let args = parse_values("3i64 [5i64, 2i64, 7i64]").unwrap();
        let args = args.iter().map(|arg| executor.put(arg).unwrap()).collect();
        let results = executable.call("main", args, &CallCtx::default()).unwrap();
        let results: Vec<String> = results.iter().map(|r| executor.get(r).unwrap().to_string()).collect();
        assert_eq!(results, ["[5i64, 2i64, 12i64]", "4i64"]);
    }
}
