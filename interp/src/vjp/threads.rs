//! The reverse pass on several threads: task parallelism over the graph of the trace (van Hus §4.3; digest 003 §1B.7).
//!
//! A thread that has fired a node goes on with one of those that became ready by it, and leaves the others to whoever is idle; a node becomes ready with the
//! last of its uses, so that no order has to be found beforehand. Adjoints and counts are shared. The sums are the same up to the order of addition.

use super::reverse::{Adjoint, Pass, Store};
use super::trace::{Op, Tape};
use crate::ctx::{Counters, Ctx};
use crate::eval::val::{NodeId, Val};
use crate::eval::{Machine, Result};
use futi_core::failure::RuntimeError;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// The store of several threads.
struct Shared {
    adjoints: Vec<Mutex<Adjoint>>,
    pending: Vec<AtomicU32>,
}

impl Store for Shared {
    fn change<R>(&self, n: NodeId, f: impl FnOnce(&mut Adjoint) -> R) -> R {
        f(&mut lock(&self.adjoints[n.0 as usize]))
    }
    fn arrived(&self, n: NodeId) -> bool {
        // The adjoint was changed under its lock, which orders memory.
        self.pending[n.0 as usize].fetch_sub(1, Ordering::AcqRel) == 1
    }
}

/// What there is to do.
#[derive(Default)]
struct Work {
    ready: Vec<NodeId>,
    /// Threads that are firing nodes, and may find more to do.
    busy: usize,
    failure: Option<RuntimeError>,
    counters: Counters,
}

/// A lock; a thread that panicked has left nothing that matters any more.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// Whether the pass is one for several threads: more than one is allowed, any order will do, and nothing records what the pass computes. (The
/// rules of custom derivatives may.)
pub(super) fn applies(machine: &Machine, tape: &Tape, seeds: &[(NodeId, Val)]) -> bool {
    let ctx = machine.ctx;
    // mutant dropped term: by how many threads a trace is walked back changes its sums' order only, as any order does
    // mutant swap `ctx.threads > 1 && ctx.reverse_order.is_none()`: with one thread, and in a given order, the adjoints are the same
    // mutant comparison: one thread of several walks a trace back as one alone does
    // mutant off by one: by how many threads a trace is walked back changes its sums' order only, as any order does
    ctx.threads > 1
        // mutant: any order is right, and so is any number of threads
        && ctx.reverse_order.is_none()
        // mutant: with one thread instead of several the adjoints are the same
        && ctx.rounding.is_none()
        && !tape.nodes.iter().any(|n| matches!(n.op, Op::Custom(_)))
        // mutant off by one: one thread walks the trace back then, with the same adjoints; the tag 1 is no application's
        && seeds.iter().map(|(_, v)| v).chain(&tape.kept).all(|v| v.tag() == 0)
}

/// The adjoints of the inputs, as [`Machine::reverse`] gives them.
pub(super) fn reverse(
    machine: &mut Machine,
    tape: &Tape,
    inputs: &[NodeId],
    seeds: Vec<(NodeId, Val)>,
    pending: Vec<u32>,
    ready: Vec<NodeId>,
) -> Result<Vec<Option<Val>>> {
    let adjoints = tape.nodes.iter().map(|_| Mutex::default()).collect();
    let pass = Pass { tape, store: Shared { adjoints, pending: pending.into_iter().map(AtomicU32::new).collect() } };
    for (n, seed) in seeds {
        machine.add_whole(&pass, n, seed)?;
    }
    let work = (Mutex::new(Work { ready, ..Work::default() }), Condvar::new());
    let (code, call, memory, meter) = (machine.code, &machine.ctx.call, machine.ctx.memory, &machine.meter);
    // Of what is left each thread may take all: together they may exceed it by as many times.
    let fuel = machine.trips_left();
    std::thread::scope(|scope| {
        // mutant: by how many threads a trace is walked back changes its sums' order only, as any order does
        for _ in 0..machine.ctx.threads {
            scope.spawn(|| {
                let ctx = Ctx { call: call.clone(), memory, fuel, ..Ctx::default() };
                let mut machine = Machine::new(code, &ctx);
                machine.meter = meter.clone();
                worker(machine, &pass, &work);
            });
        }
    });
    let work = std::mem::take(&mut *lock(&work.0));
    machine.counters.add(&work.counters);
    match work.failure {
        Some(e) => Err(e),
        None => machine.of_inputs(&pass, inputs),
    }
}

/// A thread's turn: should it panic, the others do not wait for what it would have found; the panic goes on in the thread that started it.
struct Turn<'a>(&'a Mutex<Work>, &'a Condvar);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut all = lock(self.0);
            // mutant sign: where a thread panics, which it does only for a defect of ours; elsewhere a test waits for ever
            // mutant off by one: where a thread panics, which it does only for a defect of ours; elsewhere a test waits for ever
            all.busy -= 1;
            // mutant: a thread panics only for a defect of ours, and the panic goes on where the threads were started
            all.failure = Some(RuntimeError::internal("a thread of the reverse pass panicked"));
            // mutant: after a failure the other threads fire what is ready, in vain: the failure is the result all the same
            all.ready.clear();
            // mutant: a thread panics only for a defect of ours
            self.1.notify_all();
        }
    }
}

fn worker(mut machine: Machine, pass: &Pass<Shared>, (work, more): &(Mutex<Work>, Condvar)) {
    let mut found = Vec::new();
    let mut all = lock(work);
    loop {
        let Some(first) = all.ready.pop() else {
            // mutant negation: a thread that goes early leaves what there will be to do to those that are busy, which look again before they go
            if all.busy == 0 || all.failure.is_some() {
                break;
            }
            all = more.wait(all).unwrap_or_else(|e| e.into_inner());
            continue;
        };
        all.busy += 1;
        drop(all);
        let _turn = Turn(work, more);
        let mut next = Some(first);
        let mut failure = None;
        while let Some(n) = next.take() {
            if let Err(e) = machine.fire(pass, n, &mut found) {
                failure = Some(e);
                break;
            }
            // mutant: what has been found is there for all threads then, this one included
            next = found.pop();
            // mutant: the thread does itself what it has found
            if !found.is_empty() {
                // mutant: the thread does itself what it has found
                lock(work).ready.append(&mut found);
                // mutant: of work that was found: those that are not woken leave it to the one that found it; at the end a test waits for ever
                more.notify_all();
            }
        }
        all = lock(work);
        // mutant sign: where a thread panics, which it does only for a defect of ours; elsewhere a test waits for ever
        // mutant off by one: where a thread panics, which it does only for a defect of ours; elsewhere a test waits for ever
        all.busy -= 1;
        if all.failure.is_none() {
            all.failure = failure;
        }
        if all.failure.is_some() {
            // mutant: after a failure the other threads fire what is ready, in vain: the failure is the result all the same
            all.ready.clear();
        }
        if all.busy == 0 {
            // mutant: of work that was found: those that are not woken leave it to the one that found it; at the end a test waits for ever
            more.notify_all();
        }
    }
    all.counters.add(&machine.counters);
}
