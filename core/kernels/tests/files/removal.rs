//! All right kernels are made wrong in every way of `futi_kernels::removal`: the executor has to find out, but for what a kernel's file says that it can do without.

use crate::file::File;
use crate::{launched, read};
use futi_kernels::ir::Kernel;
use futi_kernels::removal::{Removed, removals};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// In how many orders of turns each is tried.
const SEEDS: u64 = 6;

/// Takes away all that there is in all right kernels, one at a time.
pub fn test(paths: &[PathBuf]) -> Result<(), String> {
    let (mut counts, mut unnoticed) = (BTreeMap::new(), Vec::new());
    for path in paths {
        let (kernel, file) = read(path)?;
        if file.wrong.is_some() || file.cases.iter().any(|case| case.trap.is_some()) {
            continue;
        }
        let mut used = 0;
        for Removed { removal, number: n, kernel: mutant, .. } in removals(&kernel) {
            let kind = removal.name();
            let redundant = file.redundant.iter().any(|(k, i)| k == kind && *i == n);
            let (all, known): &mut (usize, usize) = counts.entry(kind).or_default();
            (*all, *known, used) = (*all + 1, *known + usize::from(redundant), used + usize::from(redundant));
            match (found(&mutant, &file)?, redundant) {
                (None, false) => {
                    unnoticed.push(format!("nothing is wrong without {kind} {n} of {}:\n{mutant}", path.display()))
                }
                (Some(trap), true) => {
                    unnoticed.push(format!("{kind} {n} of {} is not redundant: {trap}", path.display()))
                }
                _ => {}
            }
        }
        if used != file.redundant.len() {
            unnoticed.push(format!("{} says of something that it is redundant, and has it not", path.display()));
        }
    }
    for (kind, (all, redundant)) in &counts {
        println!("{kind}: {all} taken away, of which {redundant} are redundant");
    }
    if !unnoticed.is_empty() {
        return Err(unnoticed.join("\n"));
    }
    let all: usize = counts.values().map(|(all, _)| all).sum();
    if all < 200 { Err(format!("only {all} are taken away")) } else { Ok(()) }
}

/// What the executor says of a kernel, in any case and order of turns.
fn found(mutant: &Kernel, file: &File) -> Result<Option<String>, String> {
    for case in &file.cases {
        for seed in 0..SEEDS {
            if let Err(trap) = launched(mutant, case, seed)?.2 {
                return Ok(Some(trap.to_string()));
            }
        }
    }
    Ok(None)
}
