//! What programs cost, counted by the executor: `costs/NAME.txt` says it of those in `costs/NAME.fut`. A person reads there what has become of each; that their results are right is
//! tested by the suite.
//!
//! `FUTI_BLESS=1` writes the tables anew.

use super::checked;
use crate::exec::device::{Device, Loaded, Options, argument};
use crate::exec::{Bytes, Launch, cost};
use crate::host::CheckedHost;
use crate::host::ir::KernelId;
use crate::host::run;
use crate::host::tally::{Tallies, Tally};
use crate::ir::{GroupSizes, SharedDecl};
use futi_core::backend::{CallCtx, IrLevel, parameter};
use futi_core::driver::compile::compile;
use futi_core::driver::pipeline::{for_level, only};
use futi_core::entry;
use futi_core::ir::Program;
use futi_core::ir::check::check;
use futi_core::source::SourceMap;
use futi_core::value::text::parse_values;
use std::fmt::Write;
use std::sync::Arc;

/// A test for each table.
macro_rules! tables {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let programs = include_str!(concat!("costs/", stringify!($name), ".fut"));
            costs(name, programs, include_str!(concat!("costs/", stringify!($name), ".txt")));
        }
    )*};
}

tables!(folds rows places bins rounds points gradients);

/// Programs cost what their table says.
fn costs(name: &str, programs: &str, before: &str) {
    let provider = |_: &str| Ok(programs.to_string());
    let compiled = compile(&format!("{name}.fut"), &provider);
    let program = compiled.program.expect("a program");
    let mut table = format!(
        "{:<20} {:>6} {:>8} {:>10} {:>10} {:>10} {:>10} {:>7} {:>8}  invocations  of\n",
        "", "times", "points", "operations", "told", "bytes", "told", "shared", "barriers"
    );
    let mut calls = Vec::new();
    for line in programs.lines() {
        if let Some(args) = line.strip_prefix("-- of ") {
            calls.push(args);
        } else if let Some(rest) = line.strip_prefix("entry ") {
            let name = rest.split(' ').next().expect("a name");
            assert!(!calls.is_empty(), "{name} is not called");
            calls.drain(..).for_each(|args| call(&program, &compiled.sources, name, args, &mut table));
        }
    }
    if std::env::var_os("FUTI_BLESS").is_some() {
        let file = format!("{}/src/generate/costs/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(file, &table).expect("a table");
        return;
    }
    let differs = table.lines().zip(before.lines()).position(|(now, before)| now != before);
    let at = differs.unwrap_or_else(|| table.lines().count().min(before.lines().count()));
    let head = |at: usize| {
        table.lines().take(at + 1).filter(|line| !line.starts_with(' ')).last().unwrap_or_default().to_string()
    };
    let [now, was] = [&table[..], before].map(|text| text.lines().nth(at).unwrap_or("nothing"));
    assert!(table == before, "{}:\n  now    {now}\n  before {was}\nFUTI_BLESS=1 writes the table anew", head(at));
}

// Of rows twice as long, programs do about twice as much.
#[test]
fn growth() {
    let programs = include_str!("costs/growth.fut");
    let provider = |_: &str| Ok(programs.to_string());
    let program = compile("growth.fut", &provider).program.expect("a program");
    for name in programs.lines().filter_map(|line| line.strip_prefix("entry ")?.split(' ').next()) {
        let work = |m: i64| counted(&program, name, &format!("{m}i64")).operations();
        let [half, whole] = [400, 800].map(work);
        assert!(half < whole && whole * 10 <= half * 21, "{name}: of 400 {half} operations, of 800 {whole}");
    }
}

/// What a call has cost.
struct Counted {
    flat: Program,
    host: CheckedHost,
    tallies: Tallies,
    told: Vec<[i64; 3]>,
    peak: u64,
    group_size: u32,
}

impl Counted {
    fn operations(&self) -> u64 {
        self.tallies.kernels.iter().map(|(_, tally)| tally.operations).sum()
    }
}

/// Adds the lines of a call: what it is, with which options, the most memory that it has had and how often the host has waited, and each kernel that was launched. Of its operations and bytes those are
/// counted that there were, and those that the kernel tells of itself, which is what a device knows.
fn call(program: &Program, sources: &SourceMap, name: &str, line: &str, table: &mut String) {
    let Counted { flat, host, tallies, told, peak, group_size } = counted(program, name, line);
    // the innermost of what the user wrote
    let source = |prov| {
        let spans = sources.spans(prov, &flat.prov);
        let span = spans.iter().find(|span| !sources.of_prelude(**span)).copied().unwrap_or_default();
        sources.text(span).chars().take(30).collect::<String>()
    };
    let looks = match tallies.looks {
        0 => String::new(),
        1 => ", 1 look".to_string(),
        n => format!(", {n} looks"),
    };
    _ = writeln!(table, "\n{name} {line}: {peak} bytes{looks}");
    for (id, tally) in &tallies.kernels {
        let kernel = host.kernels[id.at()].kernel.kernel();
        let Tally { launches, points, operations, bytes, .. } = tally;
        let [reads, writes, told] = told[id.at()];
        // the entry point is the line before
        let name = kernel.name.to_string();
        let name = name.split("_of_").next().unwrap_or_default();
        let group = match kernel.group {
            GroupSizes::ANY => String::new(),
            GroupSizes { least, most, power_of_two } => {
                format!("{least}-{most}{}", if power_of_two { ", 2^k" } else { "" })
            }
        };
        let told_bytes = reads + writes;
        let barriers = kernel.to_string().lines().filter(|line| line.trim() == "barrier").count();
        // of a group
        let size = |shared: &SharedDecl| (shared.fixed + shared.each * group_size) * shared.elem.bytes() as u32;
        let shared: u32 = kernel.shared.iter().map(size).sum();
        let row = format!(
            "  {name:<18} {launches:>6} {points:>8} {operations:>10} {told:>10} {bytes:>10} {told_bytes:>10} {shared:>7} {barriers:>8}  {group:<11} {}",
            source(kernel.prov)
        );
        _ = writeln!(table, "{}", row.trim_end());
    }
}

/// Calls an entry point with arguments and, behind ` | `, options.
fn counted(program: &Program, name: &str, line: &str) -> Counted {
    let (args, options) = line.split_once(" | ").unwrap_or((line, ""));
    let flat = for_level(only(program, name), IrLevel::Flat).expect("a flat program");
    let flat = check(flat).expect("a well-formed program");
    let fun = flat.entry(name).expect("the entry point").clone();
    let args = entry::arguments(&fun, parse_values(args).expect("values")).expect("arguments");
    let named: Vec<_> = options.split_whitespace().map(|option| parameter(option).expect("an option")).collect();
    let mut options = Options::default();
    options.set(&named);
    let host = checked(&flat, &options.memory_options).expect("kernels");
    let loaded = Loaded::new(&host, Arc::default());
    let mut told: Vec<[i64; 3]> = vec![[0; 3]; host.kernels.len()];
    let mut watch = |kernel: KernelId, launch: &Launch, _: &[Bytes]| {
        let kernel_told = host.kernels[kernel.at()].kernel.kernel().cost.as_ref();
        let of_launch = kernel_told.and_then(|told| cost(told, launch)).expect("a cost");
        told[kernel.at()].iter_mut().zip(of_launch).for_each(|(sum, of)| *sum += of);
    };
    let mut device = Device {
        program: &host,
        loaded: &loaded,
        options: &options,
        ctx: &CallCtx::default(),
        tallies: Tallies::default(),
        launches: 0,
        idle: false,
        watch: Some(&mut watch),
    };
    let args = args.iter().map(|arg| argument(arg, &loaded.meter)).collect();
    run::call(&mut device, &host, name, args).expect("results");
    let (tallies, peak, group_size) = (device.tallies, loaded.meter.peak(), options.group_size);
    Counted { flat: flat.into_inner(), host, tallies, told, peak, group_size }
}
