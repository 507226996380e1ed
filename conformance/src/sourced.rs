//! Judging generated source programs: every oracle, rewrites that change nothing, and another implementation of the language.

use crate::column::{metamorphic, reference};
use crate::futhark::{Loaded, Reference, Refused};
use crate::generate::ENTRY;
use crate::generate::source::{SourceProgram, program, shrink};
use crate::generated::{Judged, failing, failures};
use crate::judge::{Text, catch, columns};
use crate::random::Rng;
use crate::report::{Column, Outcome};
use crate::runner::{Options, Worker};
use crate::shrink::witness_text;
use crate::structure::constructs;
use crate::subject::{Entry, Subject};
use futi_core::diag;
use futi_core::entry::arguments;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// How many rewritten programs each is held against.
const VARIANTS: usize = 3;
/// How many programs the other implementation is given at once, as entry points of one file: compiling takes it a second or two.
const BATCH: u64 = 25;
/// How many sizes there are, from the smallest on.
const SIZES: u64 = 12;

/// A batch that the other implementation has compiled, or has not.
type Batch = Arc<Mutex<Result<Loaded, Refused>>>;

/// The batches that the other implementation has compiled last, by their first seeds.
#[derive(Default)]
pub struct Batches(Mutex<Vec<(u64, Batch)>>);

/// The program of a seed.
pub fn generate(size: usize, seed: u64) -> SourceProgram {
    program(size / 2 + (seed % SIZES) as usize, seed)
}

/// Judges the program of a seed; random choices follow from the name.
pub fn judge(seed: u64, size: usize, name: &str, options: &Options, worker: &mut Worker, batches: &Batches) -> Judged {
    let p = generate(size, seed);
    let (mut cells, names) = cells(&p, name, seed, options, worker);
    if let Some(other) = &options.reference {
        cells.push((Column::Reference, beside(other, &p, seed, size, name, batches)));
    }
    let failing = failing(&cells);
    if failing.is_empty() {
        return Judged { cells, constructs: names, witness: None };
    }
    let (start, mut small, mut why) = (Instant::now(), p, failures(&cells));
    let over = || options.shrink.is_none_or(|patience| start.elapsed() >= patience);
    while !over() {
        let smaller = shrink(&small).take_while(|_| !over()).find_map(|q| {
            let (mut found, _) = self::cells(&q, name, seed, options, worker);
            if let (true, Some(other)) = (failing.contains(&Column::Reference), &options.reference) {
                found.push((Column::Reference, held(&q, name, ENTRY, &mut other.load(&q.text()))));
            }
            // that it is rejected is no smaller case of anything else
            let again = found.iter().any(|(c, o)| o.is_fail() && failing.contains(c));
            again.then(|| (q, failures(&found)))
        });
        match smaller {
            Some((q, what)) => (small, why) = (q, what),
            None => break,
        }
    }
    let witness = witness_text(&small.text(), &small.inputs, &format!("{name}\n{why}"));
    Judged { cells, constructs: names, witness: Some(witness) }
}

/// What the oracles say that need nobody else, and the constructs of the program.
fn cells(
    p: &SourceProgram,
    name: &str,
    seed: u64,
    options: &Options,
    worker: &mut Worker,
) -> (Vec<(Column, Outcome)>, BTreeSet<String>) {
    let judged =
        with_subject(p, ENTRY, name, |s| (columns(s, options, &|_| true, worker), constructs(&s.entry.primal.program)));
    match judged {
        Ok((mut cells, names)) => {
            let rewritten = catch(|| metamorphic::judge(p, VARIANTS, seed)).unwrap_or_else(Outcome::fail);
            cells.push((Column::Metamorphic, rewritten));
            (cells, names)
        }
        Err(what) => (vec![(Column::Expected, Outcome::fail(what))], BTreeSet::new()),
    }
}

/// What another implementation says, which has compiled the programs of a batch together; where it rejects one of these, each alone.
fn beside(other: &Reference, p: &SourceProgram, seed: u64, size: usize, name: &str, batches: &Batches) -> Outcome {
    let entry = |seed: u64| format!("e{seed}");
    let first = seed / BATCH * BATCH;
    let loaded = {
        let mut known = batches.0.lock().unwrap_or_else(|e| e.into_inner());
        match known.iter().find(|(batch, _)| *batch == first) {
            Some((_, loaded)) => loaded.clone(),
            None => {
                let texts = (first..first + BATCH).map(|s| generate(size, s).named(&entry(s)).text());
                let loaded = Arc::new(Mutex::new(other.load(&texts.collect::<String>())));
                // several threads are never many batches apart
                known.truncate(3);
                known.insert(0, (first, loaded.clone()));
                loaded
            }
        }
    };
    let mut loaded = loaded.lock().unwrap_or_else(|e| e.into_inner());
    match &*loaded {
        Ok(_) => held(p, name, &entry(seed), &mut loaded),
        Err(_) => held(p, name, ENTRY, &mut other.load(&p.text())),
    }
}

fn held(p: &SourceProgram, name: &str, entry: &str, loaded: &mut Result<Loaded, Refused>) -> Outcome {
    with_subject(p, ENTRY, name, |s| reference::judge(s, entry, loaded)).unwrap_or_else(Outcome::fail)
}

/// Compiles the program and runs it; or says why it cannot be.
fn with_subject<T>(p: &SourceProgram, entry: &str, name: &str, f: impl FnOnce(&Subject) -> T) -> Result<T, String> {
    let compiled = futi_core::compile("generated.fut", &Text(p.text()));
    let rejected = || format!("rejected: {}", diag::render(&compiled.diagnostics, &compiled.sources, false));
    let program = compiled.program.as_ref().ok_or_else(rejected)?;
    let missing = || format!("there is no entry point `{entry}`");
    let ours = Entry::new(program, entry, None).ok_or_else(missing)?;
    let args = arguments(ours.primal.fun().ok_or_else(missing)?, p.inputs.clone()).map_err(|e| e.message)?;
    catch(|| f(&Subject::new(&ours, &compiled.sources, args, Rng::new(0, name))))
}
