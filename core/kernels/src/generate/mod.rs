//! From a flat program to the host's program and its kernels: [`lower`].
//!
//! `host` makes what stands around nests; `nest` and `reduce` make the kernels of a nest. The code of a point is sequential, whatever it has inside: `body` makes statements, `soac` SOACs as
//! loops, `check` failures, `array` knows where arrays are, `acc` updates accumulators. `emit` is a kernel in the making, `free` says where memory ends, `beyond` what no kernel can do.

mod acc;
mod array;
mod beyond;
mod body;
mod check;
mod emit;
mod exps;
mod free;
mod host;
mod nest;
mod parts;
mod reduce;
mod scan;
mod scatter;
mod soac;
mod views;

pub use host::lower;
