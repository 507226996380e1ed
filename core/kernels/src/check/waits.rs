//! No loop that diverges within a subgroup awaits what is done outside of it.
//!
//! Where invocations of a subgroup run in step, those that have left a loop may wait for the others behind it. If these await what the first ones do there, say that they give back a lock,
//! nobody goes on. A loop awaits an array if its condition depends on what an atomic operation inside it has found there. So either all of a subgroup leave together, or only one of them
//! is there, or whatever the loop awaits is written nowhere but inside it. A lock that is given back in the round in which it was taken is fine, and so is a loop around a
//! compare-exchange.

use super::uniform::{Uniform, Uniformity};
use super::{CheckError, Rule};
use crate::ir::*;
use crate::print::{array_name, first_line};
use futi_core::prim::{BinOp, CmpOp, Prim, ScalarType};
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

/// How many statements write each array.
fn writes(stms: &[Stm]) -> BTreeMap<Array, usize> {
    let mut all = BTreeMap::new();
    walk(stms, &mut |stm| match stm {
        Stm::Store { to, .. } => *all.entry(*to).or_default() += 1,
        Stm::Atomic(Atomic { op, at, .. }) if op.writes() => *all.entry(*at).or_default() += 1,
        _ => {}
    });
    all
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
