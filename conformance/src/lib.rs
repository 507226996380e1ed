//! The conformance harness: holds the interpreter, every pass of the compiler and every backend against each other, against expected outputs, and
//! derivatives against numerical differentiation.
//!
//! [`run`] takes [`Options`] and gives a [`Report`]. To validate a backend of your own, begin `main` with [`child::entry_point`], which serves the
//! backend when the harness starts your program again, and run the suite:
//!
//! ```no_run
//! # fn my_backend() -> Result<Box<dyn futi_core::backend::Backend>, String> { Err("none".into()) }
//! use futi_conformance::{Options, child, run};
//!
//! fn main() -> std::process::ExitCode {
//!     if let Some(code) = child::entry_point(|_| my_backend()) {
//!         return code;
//!     }
//!     let backend = child::BackendCommand::this_program("mine").ok();
//!     let report = run(&Options { paths: vec!["conformance/suite".into()], backend, ..Options::default() }).unwrap();
//!     print!("{report}");
//!     report.exit_code()
//! }
//! ```
//!
//! The map, as a case goes through it:
//!
//! - [`spec`] reads test blocks, [`suite`] finds programs and cases, [`generate`] makes programs, of the IR and of the source language;
//! - [`mod@input`] is what a case reads: [`data`] files, random [`mod@dataset`]s, [`script`]s; [`property`] tests properties;
//! - [`tester`] runs test blocks and no more, each program in a process of its own; [`yardstick`] measures how much of a folder of programs works;
//! - [`stages`] is a program at every stage, [`subject`] a case as the reference ran it; [`futi_core::ad::entry`] builds derivatives of entry points;
//! - [`mod@columns`] names the oracles, [`mod@column`] has them, one file each, and [`applies`] says which of them judge a program; [`child`] runs a backend in a process of its own,
//!   [`futhark`] another implementation of the language; [`numeric`] differentiates by differences, [`widen`] makes a program double precision;
//! - [`tolerance`] computes how far two floats may be apart; [`statistics`] says how near to that they came;
//! - [`shrink`] makes a failing program small; [`coverage`] counts what generated programs exercise; [`waiver`] accepts known failures;
//! - [`row`] is what they say of a case, [`report`] prints it, [`junit`] for other programs, [`html`] for a browser, [`topics`] counts, [`mod@suspects`] says which constructs a backend's failures
//!   have in common;
//! - [`costs`] is what compiled programs consist of; [`fault`] plants faults to see them caught, [`mutants`] plants them everywhere, mechanically, [`removals`] takes barriers and atomic operations
//!   away from kernels.

pub mod applies;
pub mod child;
pub mod column;
pub mod columns;
mod compiled;
pub mod constructs;
pub mod costs;
pub mod coverage;
pub mod data;
pub mod dataset;
pub mod fault;
pub mod futhark;
pub mod generate;
mod generated;
pub mod html;
pub mod input;
mod judge;
pub mod junit;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod numeric;
mod options;
mod process;
pub mod property;
pub mod removals;
pub mod report;
pub mod row;
mod runner;
pub mod script;
pub mod shrink;
mod sourced;
pub mod stages;
pub mod statistics;
pub mod structure;
pub mod subject;
pub mod suite;
pub mod suspects;
pub mod tester;
pub mod tolerance;
pub mod topics;
pub mod unequal;
pub mod waiver;
pub mod widen;
pub mod yardstick;

pub use futi_spec::{self as spec, random};
pub use options::{Generate, Options, SIZE, Worker};
pub use report::Report;
pub use runner::{RunError, Suite, run};
