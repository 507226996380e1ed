//! What programs are made into: steps of the host, and kernels with their arguments, memory, costs and text, as they stand in the folder `kernels`
//! beside the programs. What lavapipe does not show in a result is seen here: barriers, checks of failures, the number of operations, what is
//! dropped when. With `FUTI_BLESS=1`, the files are written anew; then read them.

use crate::Test;
use crate::support::open;
use futi_core::ir::Program;
use futi_core::ir::check::{Checked, check};
use futi_vk::device::{Cap, Caps, Device, DeviceKind};
use futi_vk::plan::lower::lower;
use futi_vk::plan::{Block, Op, Plan};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub const TESTS: &[Test] =
    &[("kernels::as_many_on_a_poor_device", as_many), ("kernels::invocations_wait_for_each_other", barriers)];

/// For each program a test of what it is made into; for some another one, of what is different on a poor device.
pub fn of_programs() -> impl Iterator<Item = (String, Box<dyn FnOnce()>)> {
    let test = |name: String, kind: Kind, file: String| {
        let device_name = if kind == Kind::Gpu { "gpu" } else { "poor_device" };
        let test = format!("kernels::of_a_{device_name}::{name}");
        (test, Box::new(move || compare(&file, describe(&open(), &plan(&name, &caps(kind))))) as Box<dyn FnOnce()>)
    };
    programs().into_iter().flat_map(move |name| {
        // Where there are atomic additions, and limits of loops.
        let differs = ["accumulate", "limits", "reductions"].iter().any(|part| name.starts_with(part));
        let poor = differs.then(|| test(name.clone(), Kind::Poor, format!("{name}.poor.txt")));
        [test(name.clone(), Kind::Gpu, format!("{name}.txt"))].into_iter().chain(poor)
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// It has everything that lavapipe compiles.
    Gpu,
    /// A CPU that limits loops and adds no floats atomically.
    Poor,
}

fn caps(kind: Kind) -> Caps {
    let mut caps = Caps::complete();
    caps.has.remove(&Cap::AtomicF64);
    if kind == Kind::Poor {
        caps.kind = DeviceKind::Cpu;
        caps.has.remove(&Cap::AtomicF32);
        caps.loop_limit = Some(65535);
    }
    caps
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/kernels")
}

/// The names of the programs, which are flat.
fn programs() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "ir")).collect();
    paths.sort();
    paths.iter().map(|path| path.file_stem().unwrap().to_string_lossy().to_string()).collect()
}

/// A program of the folder.
pub fn program(name: &str) -> Checked<Program> {
    let text = std::fs::read_to_string(folder().join(format!("{name}.ir"))).unwrap();
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    check(program).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]))
}

fn plan(name: &str, caps: &Caps) -> Plan {
    lower(&program(name), caps).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// Compares with a file of the folder, or writes it.
pub fn compare(file: &str, found: String) {
    let path = folder().join(file);
    if std::env::var("FUTI_BLESS").is_ok_and(|value| value == "1") {
        return std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let line = found.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert!(found == expected, "{file}: {line:#?}");
}

/// The text of a kernel as the compiler got it, without what all have.
fn text(device: &Device, source: &str, label: &str) -> String {
    let id = device.compile(source, label).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let source = device.source(id).unwrap();
    source[source.find("layout(local_size_x").unwrap()..].to_owned()
}

fn as_many() {
    for name in programs() {
        let kernels = |kind| plan(&name, &caps(kind)).kernels.len();
        assert_eq!(kernels(Kind::Poor), kernels(Kind::Gpu), "{name}");
    }
}

fn describe(device: &Device, plan: &Plan) -> String {
    let mut out = String::new();
    for (name, entry) in &plan.entries {
        let params = entry.params.iter().map(|(binder, unique)| (binder.var.0, *unique));
        let _ = writeln!(out, "entry {name} {:?}", params.collect::<Vec<_>>());
        block(&entry.block, 1, &mut out);
    }
    for (k, site) in plan.sites.iter().enumerate() {
        let _ = writeln!(out, "site {}: {:?}", k + 1, site.check);
    }
    for (k, array) in plan.constants.iter().enumerate() {
        let _ = writeln!(out, "constant {k}: {array:?}");
    }
    for ((name, kernel), place) in plan.kernels.iter().zip(&plan.places) {
        let _ = writeln!(out, "\n{name}, {} invocations a workgroup, of {place:?}", kernel.group_size);
        let _ = writeln!(out, "args {:?}", kernel.args);
        let _ = writeln!(out, "scratch {:?}\nupdates {:?}\ncost {:?}", kernel.scratch, kernel.updates, kernel.cost);
        out += &text(device, &kernel.source, name);
    }
    out
}

fn block(block: &Block, depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for step in &block.steps {
        match &step.op {
            Op::If { cond, yes, no, results } => {
                let _ = writeln!(out, "{indent}if {cond:?} {results:?}");
                self::block(yes, depth + 1, out);
                let _ = writeln!(out, "{indent}else");
                self::block(no, depth + 1, out);
            }
            Op::Loop { params, form, body, results } => {
                let _ = writeln!(out, "{indent}loop {params:?} {form:?} {results:?}");
                self::block(body, depth + 1, out);
            }
            op => _ = writeln!(out, "{indent}{op:?}"),
        }
        let _ = writeln!(out, "{indent}drop {:?} at {:?}", step.drops, step.prov);
    }
    let _ = writeln!(out, "{indent}in {:?}", block.result);
}

/// In every kernel with shared memory: from a line that writes to it to one that reads another invocation's, or to one that writes what another
/// may still read, a barrier stands between, also round a loop.
fn barriers() {
    let device = open();
    let mut kernels = 0;
    for name in programs() {
        for (label, kernel) in &plan(&name, &caps(Kind::Gpu)).kernels {
            let text = text(&device, &kernel.source, label);
            if !text.contains("shared ") {
                continue;
            }
            kernels += 1;
            let main = &text[text.find("uint lane =").unwrap()..];
            // A loop's body once more: what its end and its beginning are to each other. Two levels are all that there are.
            let lines: Vec<&str> = main.lines().map(str::trim).collect();
            assert_eq!(unordered(&unrolled(&lines)), [""; 0], "{name}, {label}");
            // And none can be left out.
            for (k, _) in lines.iter().enumerate().filter(|(_, line)| **line == "barrier();") {
                let fewer: Vec<&str> =
                    lines.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, line)| *line).collect();
                assert_ne!(unordered(&unrolled(&fewer)), [""; 0], "{name}, {label}: barrier in line {k} of main");
            }
        }
    }
    assert!(kernels > 5, "{kernels} kernels");
}

/// The lines with the bodies of all loops twice.
fn unrolled<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let Some(start) = lines.iter().position(|line| line.starts_with("for (")) else { return lines.to_vec() };
    let mut depth = 0;
    let end = lines.iter().enumerate().skip(start).find(|(_, line)| {
        depth += i32::from(line.ends_with('{')) - i32::from(line.starts_with('}'));
        depth == 0
    });
    let end = end.unwrap().0;
    let body = unrolled(&lines[start + 1..end]);
    [&lines[..start], &body[..], &body[..], &unrolled(&lines[end + 1..])[..]].concat()
}

/// What conflicts in the order in which a group of invocations runs it: accesses of another invocation's shared memory, without a barrier since.
fn unordered(lines: &[&str]) -> Vec<String> {
    // What has been written, and read of others, since the last barrier. An invocation's own element is `[lane]`, and element 0 the first one's.
    let (mut wrote, mut read_others) = (false, false);
    let mut wrong = Vec::new();
    for line in lines {
        let all_write = line.contains("[lane] = acc") || line.contains(" stop = ");
        // In a step of the tree, who writes is nobody that another one reads from.
        let some_write = line.contains("[lane] = q");
        let reads = line.contains("[lane + step]") || line.contains("(stop)");
        if *line == "barrier();" {
            (wrote, read_others) = (false, false);
        }
        if reads && wrote || all_write && read_others {
            wrong.push(line.to_string());
        }
        wrote |= all_write || some_write;
        read_others |= line.contains("[lane + step]");
    }
    wrong
}
