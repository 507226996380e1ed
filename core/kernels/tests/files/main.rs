//! Kernels in files: `tests/kernels/*.kernel`. Each says in comments how it is launched and what comes out, and why:
//!
//! ```text
//! -- launch 3 8 4                 a case: groups, invocations of a group, of a subgroup
//! -- params 20i64 2.0f32          its scalars
//! -- block f32 [1, 2, _]          its blocks in their order, each an allocation of its own; `_` has not been written
//! -- block i32 20 unwritten
//! -- part 0 2 4                   a block that is part of allocation 0: elements 2 to 5
//! -- expect 1 [2, 4]              what is in allocation 1 in the end
//! -- failed 0 at 1 [3, 5]         the program fails at site 0, point 1, with these operands
//! -- trap Race                    it does what it may not, in every order of turns
//! -- wrong Types                  it is not well-formed; with a trap, it is run all the same
//! -- redundant barrier 2: why     without its third barrier it is right, too
//! ```
//!
//! Besides, each is written and read back, and all right ones are made wrong in every way of `removal`: the executor has to find out.

mod file;
mod removal;

use file::File;
use futi_kernels::check::errors;
use futi_kernels::exec::{Bytes, Code, Launch, Outcome, Trap, cost, run};
use futi_kernels::ir::{Cost, Kernel};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 190, "some kernels are not where they were");
    let mut trials = Vec::new();
    for path in paths.clone() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        trials.push(Trial::test(name, move || test(&path).map_err(Failed::from)));
    }
    trials.push(Trial::test("removals", move || removal::test(&paths).map_err(Failed::from)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// How often each case is run, with other turns.
const SEEDS: u64 = 8;

/// The kernel of a file, and what else the file says.
fn read(path: &Path) -> Result<(Kernel, File), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let kernel = text.parse().map_err(|e| format!("{}:{e}", path.display()))?;
    Ok((kernel, File::read(&text)?))
}

fn test(path: &Path) -> Result<(), String> {
    let (kernel, file) = read(path)?;
    let printed = kernel.to_string();
    if printed.parse::<Kernel>().as_ref() != Ok(&kernel) {
        return Err(format!("it does not come back from its text:\n{printed}"));
    }
    let rules: Vec<String> = errors(&kernel).iter().map(|e| format!("{:?}", e.rule)).collect();
    match &file.wrong {
        Some(rule) if !rules.contains(rule) => return Err(format!("{rule} is not broken: {rules:?}")),
        None if !rules.is_empty() => return Err(format!("{:?}", errors(&kernel))),
        _ => {}
    }
    if file.wrong.is_some() && file.cases.is_empty() {
        return Ok(());
    }
    if file.cases.is_empty() {
        return Err("it has no case".into());
    }
    for case in &file.cases {
        for seed in 0..SEEDS {
            case_of(&kernel, case, seed).map_err(|why| {
                format!("{} {} {}, seed {seed}: {why}", case.groups, case.group_size, case.subgroup_size)
            })?;
        }
    }
    Ok(())
}

/// A launch, what is in its allocations at the end, and how it ends.
type Launched = (Launch, Vec<Bytes>, Result<Outcome, Box<Trap>>);

/// How a case of a kernel ends.
fn launched(kernel: &Kernel, case: &file::Case, seed: u64) -> Result<Launched, String> {
    let code = Code::of(kernel).map_err(|e| format!("{e:?}"))?;
    let (launch, mut memory) = case.launch(seed);
    let result = run(&code, &mut memory, &launch);
    Ok((launch, memory, result))
}

fn case_of(kernel: &Kernel, case: &file::Case, seed: u64) -> Result<(), String> {
    let (launch, memory, result) = launched(kernel, case, seed)?;
    let outcome = match (result, &case.trap) {
        (Err(trap), Some(kind)) if trap.kind.name() == kind => return Ok(()),
        (Err(trap), _) => return Err(trap.to_string()),
        (Ok(_), Some(kind)) => return Err(format!("{kind} is not noticed")),
        (Ok(outcome), None) => outcome,
    };
    let failed = outcome.failure.as_ref().map(|f| (f.site.0, f.point, f.operands.clone()));
    if failed != case.failed {
        return Err(format!("it fails by {failed:?}, not by {:?}", case.failed));
    }
    for (at, elem, cells) in &case.expect {
        let there = memory[*at].elements(*elem);
        if there != *cells {
            return Err(format!("allocation {at} is\n  {}, not\n  {}", file::cells(&there), file::cells(cells)));
        }
    }
    if let Some(stated) = &kernel.cost {
        costs(stated, &launch, &outcome)?;
    }
    Ok(())
}

/// A launch costs what its kernel says at most.
fn costs(stated: &Cost, launch: &Launch, outcome: &Outcome) -> Result<(), String> {
    let most = cost(stated, launch).ok_or("the cost has no value")?;
    let counts = outcome.counts;
    let is = [counts.reads, counts.writes, counts.operations].map(|n| n as i64);
    if is.iter().zip(&most).any(|(is, most)| is > most) {
        return Err(format!("it costs {is:?}, and says {most:?}"));
    }
    Ok(())
}
