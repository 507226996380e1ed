//! From a flat program to the host's program and its kernels: [`lower`].
//!
//! `host` makes what stands around nests, with `control`, `parts`, `deferred` and `pending`; `launch` launches the kernels of a nest, which `nest`, `reduce`, `columns`, `scan` and `scatter` make. The code of a point is sequential, whatever it has inside: `body` makes statements, `soac` SOACs as
//! loops, `check` failures, `array` knows where arrays are, `acc` updates accumulators. `emit` is a kernel in the making, `free` says where memory ends, `beyond` what no kernel can do.

mod acc;
mod array;
mod beyond;
mod body;
mod check;
mod columns;
mod control;
mod deferred;
mod emit;
mod exps;
mod free;
mod host;
mod launch;
mod nest;
mod parts;
mod pending;
mod reduce;
mod scan;
mod scatter;
mod soac;
mod views;

pub use host::lower;

use crate::host::CheckedHost;
use futi_core::backend::Unsupported;
use futi_core::ir::{Program, Prov};
use std::fmt::Display;

/// The host's program of a flat program, checked.
///
/// # Errors
/// All constructs that cannot be compiled.
pub fn checked(program: &Program) -> Result<CheckedHost, Vec<Unsupported>> {
    CheckedHost::new(lower(program)?).map_err(ill_formed)
}

/// Faults of what we have made ourselves, as backends tell of what they cannot compile.
pub(crate) fn ill_formed<E: Display>(errors: Vec<E>) -> Vec<Unsupported> {
    let internal = |error: &E| {
        let construct = format!("internal error: {error}");
        Unsupported { construct, missing: "a host program that is well-formed".into(), prov: Prov::UNKNOWN }
    };
    errors.iter().map(internal).collect()
}
