//! No loop that diverges within a subgroup awaits what is done outside of it.
//!
//! Where invocations of a subgroup run in step, those that have left a loop may wait for the others behind it. If these await what the first ones do there, say that they give back a lock,
//! nobody goes on. A loop awaits an array if its condition depends on what an atomic operation inside it has found there. So either all of a subgroup leave together, or only one of them
//! is there, or whatever the loop awaits is written nowhere but inside it. A lock that is given back in the round in which it was taken is fine, and so is a loop around a
//! compare-exchange.
//!
//! Two loops may await one array if nobody is behind one of them with something to do for the other: who takes a lock and gives it back in the branch where it has it leaves nothing to be done, and a loop
//! that ends as soon as a compare-exchange finds what the one before has found awaits nothing.

use super::uniform::{Uniform, Uniformity};
use super::{CheckError, Rule};
use crate::ir::*;
use crate::print::{array_name, first_line};
use futi_core::prim::{BinOp, CmpOp, Prim, ScalarType, UnOp};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn errors(kernel: &Kernel, uniform: &Uniform<'_>) -> Vec<CheckError> {
    let mut finder = Finder { kernel, uniform, writes: writes(&kernel.body), errors: Vec::new() };
    finder.stms(&kernel.body, false);
    finder.errors
}

struct Finder<'a> {
    kernel: &'a Kernel,
    uniform: &'a Uniform<'a>,
    /// How many statements of the kernel write an array.
    writes: BTreeMap<Array, usize>,
    errors: Vec<CheckError>,
}

impl Finder<'_> {
    /// Statements; whether at most one invocation of a subgroup comes here.
    fn stms(&mut self, stms: &[Stm], alone: bool) {
        for stm in stms {
            match stm {
                Stm::If { cond, yes, no } => {
                    self.stms(yes, alone || self.is_of_one(cond));
                    self.stms(no, alone);
                    continue;
                }
                Stm::While { before, cond, body } if !alone && self.uniform.exp(cond) == Uniformity::Varying => {
                    self.diverging(stm, before, cond, body)
                }
                _ => {}
            }
            stm.bodies().into_iter().for_each(|body| self.stms(body, alone));
        }
    }

    fn diverging(&mut self, stm: &Stm, before: &[Stm], cond: &Exp, body: &[Stm]) {
        let mut found = Found::default();
        loop {
            let known = found.clone();
            // that the condition decides them adds nothing to what it depends on
            [before, body].into_iter().for_each(|stms| found.stms(stms, &BTreeSet::new()));
            if found == known {
                break;
            }
        }
        let mut inside = writes(before);
        writes(body).into_iter().for_each(|(array, n)| *inside.entry(array).or_default() += n);
        for array in found.exp(cond) {
            if retries(cond, before, body, array) {
                continue;
            }
            if self.writes.get(&array) > inside.get(&array) {
                let message = format!(
                    "a loop that diverges within a subgroup awaits {}, which is written outside of it",
                    array_name(self.kernel, array)
                );
                self.errors.push(CheckError {
                    rule: Rule::Waits,
                    message,
                    statement: Some(first_line(self.kernel, stm)),
                });
            }
        }
    }

    /// Whether a condition holds for at most one invocation of a subgroup: its number is one that they agree on.
    fn is_of_one(&self, cond: &Exp) -> bool {
        let is_number = |e: &Exp| matches!(e, Exp::Builtin(Builtin::Lane | Builtin::Invocation));
        let agreed = |e: &Exp| self.uniform.exp(e) >= Uniformity::Subgroup;
        match cond {
            Exp::Prim(Prim::Cmp(CmpOp::Eq, _), args) => {
                matches!(&args[..], [a, b] if is_number(a) && agreed(b) || is_number(b) && agreed(a))
            }
            Exp::Prim(Prim::Bin(BinOp::And, ScalarType::Bool), args) => args.iter().any(|e| self.is_of_one(e)),
            _ => false,
        }
    }
}

/// How many statements write each array, but for those that take a lock and give it back where they have it.
fn writes(stms: &[Stm]) -> BTreeMap<Array, usize> {
    let mut all = BTreeMap::new();
    count(stms, None, &mut all);
    all
}

/// Counts statements that write arrays, but for stores that give back a lock.
fn count(stms: &[Stm], lock: Option<&Atomic>, all: &mut BTreeMap<Array, usize>) {
    let mut held = None;
    for (k, stm) in stms.iter().enumerate() {
        match stm {
            Stm::Store { to, .. } => *all.entry(*to).or_default() += 1,
            Stm::Atomic(_) if lock.is_some_and(|lock| gives_back(stm, lock)) => {}
            Stm::Atomic(a) if stms[k..].iter().any(|stm| has_lock(stm, a)) => held = Some(a),
            Stm::Atomic(a) if a.op.writes() => *all.entry(a.at).or_default() += 1,
            Stm::If { yes, no, .. } if held.is_some_and(|lock| has_lock(stm, lock)) => {
                count(yes, held, all);
                count(no, lock, all);
            }
            _ => stm.bodies().into_iter().for_each(|body| count(body, lock, all)),
        }
    }
}

/// Whether a branch is taken only if an operation has found something, a lock that is free say, and then stores to that place.
fn has_lock(stm: &Stm, lock: &Atomic) -> bool {
    let (Some(old), Stm::If { cond, yes, .. }) = (lock.old, stm) else { return false };
    let mut asks = false;
    cond.walk(&mut |e| asks |= *e == Exp::Local(old));
    asks && lock.op.writes() && yes.iter().any(|stm| gives_back(stm, lock))
}

fn gives_back(stm: &Stm, lock: &Atomic) -> bool {
    matches!(stm, Stm::Atomic(a) if a.op == AtomicOp::Store && a.at == lock.at && a.index == lock.index)
}

/// Whether a loop goes on as long as its compare-exchange, the only atomic operation on an array in it, does not find what the one before has found: it ends unless somebody comes between.
fn retries(cond: &Exp, before: &[Stm], body: &[Stm], array: Array) -> bool {
    let mut atomics = Vec::new();
    let mut given: BTreeMap<Local, usize> = BTreeMap::new();
    [before, body].into_iter().for_each(|stms| {
        walk(stms, &mut |stm| {
            if let Some(to) = stm.gives() {
                *given.entry(to).or_default() += 1;
            }
            if let Stm::Atomic(atomic) = stm
                && atomic.at == array
            {
                atomics.push(atomic);
            }
        });
    });
    let [Atomic { op: AtomicOp::CompareExchange, old: Some(found), operands, .. }] = atomics[..] else { return false };
    let found = Exp::Local(*found);
    // what a variable is given, if that is the same in each round
    let value = |e: &Exp| match e {
        Exp::Local(local) if given.get(local) == Some(&1) => body.iter().find_map(|stm| match stm {
            Stm::Let(to, e) if to == local => Some(e.clone()),
            _ => None,
        }),
        _ => None,
    };
    let bits = |e: &Exp| match e {
        Exp::Prim(Prim::Un(UnOp::ToBits, _), args) => args[0].clone(),
        e => e.clone(),
    };
    let differ = match value(cond) {
        Some(Exp::Prim(Prim::Un(UnOp::Not, _), args)) => match &args[0] {
            Exp::Prim(Prim::Cmp(CmpOp::Eq, _), args) => [bits(&args[0]), bits(&args[1])],
            _ => return false,
        },
        _ => return false,
    };
    let mut last = operands[0].clone();
    // by way of two variables at most
    for _ in 0..2 {
        last = if last == found { last } else { value(&last).unwrap_or(last) };
    }
    last == found && (differ == [found.clone(), operands[0].clone()] || differ == [operands[0].clone(), found])
}

/// Which arrays' elements each variable depends on, by atomic operations.
#[derive(Clone, PartialEq, Default)]
struct Found(BTreeMap<Local, BTreeSet<Array>>);

impl Found {
    fn exp(&self, e: &Exp) -> BTreeSet<Array> {
        let mut all = BTreeSet::new();
        e.walk(&mut |e| {
            if let Exp::Local(local) = e {
                all.extend(self.0.get(local).into_iter().flatten().copied());
            }
        });
        all
    }

    /// Statements that are run or not as these arrays say.
    fn stms(&mut self, stms: &[Stm], control: &BTreeSet<Array>) {
        for stm in stms {
            let mut from = control.clone();
            stm.exps().into_iter().for_each(|e| from.extend(self.exp(e)));
            if let Stm::Atomic(Atomic { at, .. }) = stm {
                from.insert(*at);
            }
            stm.bodies().into_iter().for_each(|body| self.stms(body, &from));
            if let Some(to) = stm.gives() {
                self.0.entry(to).or_default().extend(from);
            }
        }
    }
}
