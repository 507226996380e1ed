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
    ctx.threads > 1
        && ctx.reverse_order.is_none()
        && ctx.rounding.is_none()
        && !tape.nodes.iter().any(|n| matches!(n.op, Op::Custom(_)))
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
    std::thread::scope(|scope| {
        for _ in 0..machine.ctx.threads {
            scope.spawn(|| {
                let ctx = Ctx { call: call.clone(), memory, ..Ctx::default() };
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

fn worker(mut machine: Machine, pass: &Pass<Shared>, (work, more): &(Mutex<Work>, Condvar)) {
    let mut found = Vec::new();
    let mut all = lock(work);
    loop {
        let Some(first) = all.ready.pop() else {
            if all.busy == 0 || all.failure.is_some() {
                break;
            }
            all = more.wait(all).unwrap_or_else(|e| e.into_inner());
            continue;
        };
        all.busy += 1;
        drop(all);
        let mut next = Some(first);
        let mut failure = None;
        while let Some(n) = next.take() {
            if let Err(e) = machine.tick().and_then(|()| machine.fire(pass, n, &mut found)) {
                failure = Some(e);
                break;
            }
            next = found.pop();
            if !found.is_empty() {
                lock(work).ready.append(&mut found);
                more.notify_all();
            }
        }
        all = lock(work);
        all.busy -= 1;
        if all.failure.is_none() {
            all.failure = failure;
        }
        if all.failure.is_some() {
            all.ready.clear();
        }
        if all.busy == 0 {
            more.notify_all();
        }
    }
    all.counters.add(&machine.counters);
}
