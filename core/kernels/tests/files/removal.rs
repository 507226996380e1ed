//! Makes a right kernel wrong: takes away a barrier or a fence, makes plain reads and writes of an atomic operation, or lessens its order or scope. The executor has to find out, but for
//! what the kernel's file says that it can do without.

use crate::file::File;
use crate::{launched, read};
use futi_core::prim::{BinOp, CmpOp, Prim, ScalarType};
use futi_kernels::ir::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// In how many orders of turns each is tried.
const SEEDS: u64 = 6;

/// A way to make a kernel wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Removal {
    /// No barrier.
    Barrier,
    /// No fence.
    Fence,
    /// No atomic operation.
    Atomic,
    /// No order.
    Order,
    /// Only the scope of the group.
    Scope,
}

impl Removal {
    const ALL: [(Removal, &'static str); 5] = [
        (Removal::Barrier, "barrier"),
        (Removal::Fence, "fence"),
        (Removal::Atomic, "atomic"),
        (Removal::Order, "order"),
        (Removal::Scope, "scope"),
    ];

    /// Whether there is something to take away from a statement.
    fn applies(self, stm: &Stm) -> bool {
        match (self, stm) {
            (Removal::Barrier, Stm::Barrier) | (Removal::Fence, Stm::Fence(_)) | (Removal::Atomic, Stm::Atomic(_)) => {
                true
            }
            (Removal::Order, Stm::Atomic(a)) => a.order != Order::Relaxed,
            (Removal::Scope, Stm::Atomic(Atomic { scope, .. }) | Stm::Fence(scope)) => *scope == Scope::Device,
            _ => false,
        }
    }

    /// What is left of a statement.
    fn apply(self, stm: Stm, locals: &mut Vec<Named>, elem: impl Fn(Array) -> Option<ScalarType>) -> Vec<Stm> {
        match (self, stm) {
            (Removal::Atomic, Stm::Atomic(atomic)) => {
                let ty = elem(atomic.at).unwrap_or(ScalarType::Bool);
                plain(atomic, ty, locals)
            }
            (Removal::Order, Stm::Atomic(atomic)) => vec![Stm::Atomic(Atomic { order: Order::Relaxed, ..atomic })],
            (Removal::Scope, Stm::Atomic(atomic)) => vec![Stm::Atomic(Atomic { scope: Scope::Group, ..atomic })],
            (Removal::Scope, Stm::Fence(_)) => vec![Stm::Fence(Scope::Group)],
            _ => vec![],
        }
    }
}

/// A read and a write that do what an atomic operation does.
fn plain(atomic: Atomic, ty: ScalarType, locals: &mut Vec<Named>) -> Vec<Stm> {
    let Atomic { op, old, at, index, operands, .. } = atomic;
    let to = old.unwrap_or_else(|| {
        locals.push(Named { name: Ident::new("plain"), ty });
        Local(locals.len() as u32 - 1)
    });
    let before = Exp::Local(to);
    let read = Stm::Load { to, from: at, index: index.clone() };
    let write = |value| Stm::Store { to: at, index: index.clone(), value };
    let by = |op: Prim| Exp::Prim(op, vec![before.clone(), operands[0].clone()]);
    let bin = |op| by(Prim::Bin(op, ty));
    match op {
        AtomicOp::Load => vec![read],
        AtomicOp::Store => vec![write(operands[0].clone())],
        AtomicOp::Exchange => vec![read, write(operands[0].clone())],
        AtomicOp::CompareExchange => vec![
            read,
            Stm::If { cond: by(Prim::Cmp(CmpOp::Eq, ty)), yes: vec![write(operands[1].clone())], no: vec![] },
        ],
        AtomicOp::Add => vec![read, write(by(ty.plus()))],
        AtomicOp::Min => vec![read, write(bin(BinOp::Min))],
        AtomicOp::Max => vec![read, write(bin(BinOp::Max))],
        AtomicOp::And => vec![read, write(bin(BinOp::And))],
        AtomicOp::Or => vec![read, write(bin(BinOp::Or))],
        AtomicOp::Xor => vec![read, write(bin(BinOp::Xor))],
    }
}

/// A kernel without the n-th of what a removal applies to, if there is one.
fn without(kernel: &Kernel, removal: Removal, n: usize) -> Option<Kernel> {
    fn go(
        stms: Vec<Stm>,
        left: &mut Option<usize>,
        take: &mut dyn FnMut(Stm) -> Vec<Stm>,
        removal: Removal,
    ) -> Vec<Stm> {
        let mut out = Vec::new();
        for mut stm in stms {
            if removal.applies(&stm) {
                match left {
                    Some(0) => {
                        *left = None;
                        out.extend(take(stm));
                        continue;
                    }
                    Some(n) => *n -= 1,
                    None => {}
                }
            }
            for body in stm.bodies_mut() {
                *body = go(std::mem::take(body), left, take, removal);
            }
            out.push(stm);
        }
        out
    }
    let (mut left, mut mutant) = (Some(n), kernel.clone());
    let mut locals = std::mem::take(&mut mutant.locals);
    let body = std::mem::take(&mut mutant.body);
    mutant.body = go(body, &mut left, &mut |stm| removal.apply(stm, &mut locals, |array| kernel.elem(array)), removal);
    mutant.locals = locals;
    let accesses = mutant.accesses();
    mutant.blocks.iter_mut().zip(accesses).for_each(|(block, access)| block.access = access);
    left.is_none().then_some(mutant)
}

/// Takes away all that there is in all right kernels, one at a time.
pub fn test(paths: &[PathBuf]) -> Result<(), String> {
    let (mut counts, mut unnoticed) = (BTreeMap::new(), Vec::new());
    for path in paths {
        let (kernel, file) = read(path)?;
        if file.wrong.is_some() || file.cases.iter().any(|case| case.trap.is_some()) {
            continue;
        }
        let mut used = 0;
        for (removal, kind) in Removal::ALL {
            for n in 0.. {
                let Some(mutant) = without(&kernel, removal, n) else { break };
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
