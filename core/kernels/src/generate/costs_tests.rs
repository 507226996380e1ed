//! What programs cost, counted by the executor: `costs/costs.txt` says it of those in `costs/programs.fut`. A person reads there what has become of each; that their results are right is
//! tested by the suite.
//!
//! `FUTI_BLESS=1` writes the table anew.

use crate::exec::Executor;
use futi_core::backend::{Backend, CallCtx, IrLevel, KernelProfile, Options};
use futi_core::driver::compile::compile;
use futi_core::driver::pipeline::{for_level, only};
use futi_core::entry;
use futi_core::ir::Program;
use futi_core::ir::check::check;
use futi_core::value::text::parse_values;
use std::fmt::Write;

const PROGRAMS: &str = include_str!("costs/programs.fut");
const COSTS: &str = include_str!("costs/costs.txt");

#[test]
fn programs_cost_what_the_table_says() {
    let provider = |_: &str| Ok(PROGRAMS.to_string());
    let program = compile("programs.fut", &provider).program.expect("a program");
    let mut table = format!("{:<24} {:>8} {:>12} {:>12} {:>12}\n", "", "launches", "points", "operations", "bytes");
    let mut calls = Vec::new();
    for line in PROGRAMS.lines() {
        if let Some(args) = line.strip_prefix("-- of ") {
            calls.push(args);
        } else if let Some(rest) = line.strip_prefix("entry ") {
            let name = rest.split(' ').next().expect("a name");
            assert!(!calls.is_empty(), "{name} is not called");
            calls.drain(..).for_each(|args| costs(&program, name, args, &mut table));
        }
    }
    if std::env::var_os("FUTI_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/generate/costs/costs.txt"), &table).expect("a table");
        return;
    }
    let differs = table.lines().zip(COSTS.lines()).position(|(now, before)| now != before);
    let at = differs.unwrap_or_else(|| table.lines().count().min(COSTS.lines().count()));
    let head = |at: usize| {
        table.lines().take(at + 1).filter(|line| !line.starts_with(' ')).last().unwrap_or_default().to_string()
    };
    let [now, before] = [&table[..], COSTS].map(|text| text.lines().nth(at).unwrap_or("nothing"));
    assert!(table == COSTS, "{}:\n  now    {now}\n  before {before}\nFUTI_BLESS=1 writes the table anew", head(at));
}

/// Adds the lines of a call: what it is, how often the host has waited, and each kernel that was launched.
fn costs(program: &Program, name: &str, args: &str, table: &mut String) {
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
        "\n{name} {args}{}",
        if profile.looks > 0 { format!(", {} looks", profile.looks) } else { String::new() }
    );
    for kernel in profile.kernels.iter().filter(|kernel| kernel.launches > 0) {
        let KernelProfile { launches, invocations, operations, bytes, .. } = kernel;
        // the entry point is the line before
        let what = kernel.name.split("_of_").next().unwrap_or_default();
        _ = writeln!(table, "  {what:<22} {launches:>8} {invocations:>12} {operations:>12} {bytes:>12}");
    }
}
