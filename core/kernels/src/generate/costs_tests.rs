//! What programs cost, counted by the executor: `costs/NAME.txt` says it of those in `costs/NAME.fut`. A person reads there what has become of each; that their results are right is
//! tested by the suite.
//!
//! `FUTI_BLESS=1` writes the tables anew.

use crate::exec::Executor;
use futi_core::backend::{Backend, CallCtx, IrLevel, KernelProfile, Options};
use futi_core::driver::compile::compile;
use futi_core::driver::pipeline::{for_level, only};
use futi_core::entry;
use futi_core::ir::Program;
use futi_core::ir::check::check;
use futi_core::value::text::parse_values;
use std::fmt::Write;

/// A test for each table.
macro_rules! tables {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let programs = include_str!(concat!("costs/", stringify!($name), ".fut"));
            cost(name, programs, include_str!(concat!("costs/", stringify!($name), ".txt")));
        }
    )*};
}

tables!(folds rows places bins rounds points gradients);

/// Programs cost what their table says.
fn cost(name: &str, programs: &str, costs: &str) {
    let provider = |_: &str| Ok(programs.to_string());
    let program = compile(&format!("{name}.fut"), &provider).program.expect("a program");
    let mut table = format!("{:<24} {:>8} {:>12} {:>12} {:>12}\n", "", "launches", "points", "operations", "bytes");
    let mut calls = Vec::new();
    for line in programs.lines() {
        if let Some(args) = line.strip_prefix("-- of ") {
            calls.push(args);
        } else if let Some(rest) = line.strip_prefix("entry ") {
            let name = rest.split(' ').next().expect("a name");
            assert!(!calls.is_empty(), "{name} is not called");
            calls.drain(..).for_each(|args| call(&program, name, args, &mut table));
        }
    }
    if std::env::var_os("FUTI_BLESS").is_some() {
        let file = format!("{}/src/generate/costs/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(file, &table).expect("a table");
        return;
    }
    let differs = table.lines().zip(costs.lines()).position(|(now, before)| now != before);
    let at = differs.unwrap_or_else(|| table.lines().count().min(costs.lines().count()));
    let head = |at: usize| {
        table.lines().take(at + 1).filter(|line| !line.starts_with(' ')).last().unwrap_or_default().to_string()
    };
    let [now, before] = [&table[..], costs].map(|text| text.lines().nth(at).unwrap_or("nothing"));
    assert!(table == costs, "{}:\n  now    {now}\n  before {before}\nFUTI_BLESS=1 writes the table anew", head(at));
}

/// Adds the lines of a call: what it is, the most memory that it has had and how often the host has waited, and each kernel that was launched.
fn call(program: &Program, name: &str, args: &str, table: &mut String) {
    let flat = for_level(only(program, name), IrLevel::Flat).expect("a flat program");
    let fun = flat.entry(name).expect("the entry point").clone();
    let args_of = entry::arguments(&fun, parse_values(args).expect("values")).expect("arguments");
    let executor = Executor::default();
    let executable =
        executor.compile(&check(flat).expect("a well-formed program"), &Options::default()).expect("kernels");
    let args_of = args_of.iter().map(|arg| executor.put(arg).expect("an argument")).collect();
    executable.call(name, args_of, &CallCtx::default()).expect("results");
    let profile = executable.profile();
    _ = writeln!(
        table,
        "\n{name} {args}: {} bytes{}",
        executor.peak_memory().expect("its own memory"),
        if profile.looks > 0 { format!(", {} looks", profile.looks) } else { String::new() }
    );
    for kernel in profile.kernels.iter().filter(|kernel| kernel.launches > 0) {
        let KernelProfile { launches, invocations, operations, bytes, .. } = kernel;
        // the entry point is the line before
        let what = kernel.name.split("_of_").next().unwrap_or_default();
        _ = writeln!(table, "  {what:<22} {launches:>8} {invocations:>12} {operations:>12} {bytes:>12}");
    }
}
