//! Makes a right kernel wrong: takes away a barrier or a fence, makes plain reads and writes of an atomic operation, or lessens its order or scope. Whoever looks for races has to find out.

use crate::ir::*;
use crate::print::first_line;
use futi_core::prim::{BinOp, CmpOp, Prim, ScalarType};

/// What is taken away of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Removal {
    /// The barrier.
    Barrier,
    /// The fence.
    Fence,
    /// That the operation is one step.
    Atomic,
    /// What the operation says of others.
    Order,
    /// That it holds beyond the group.
    Scope,
}

/// A kernel of which something was taken away.
#[derive(Clone, PartialEq, Debug)]
pub struct Removed {
    /// What.
    pub removal: Removal,
    /// Of which statement, in the order of the text, of those that have it.
    pub number: usize,
    /// The first line of the statement.
    pub statement: String,
    /// What is left.
    pub kernel: Kernel,
}

/// All that can be taken away of a kernel, one at a time.
pub fn removals(kernel: &Kernel) -> Vec<Removed> {
    Removal::ALL.into_iter().flat_map(|removal| (0..).map_while(move |n| without(kernel, removal, n))).collect()
}

impl Removal {
    /// All of them.
    pub const ALL: [Removal; 5] = [Removal::Barrier, Removal::Fence, Removal::Atomic, Removal::Order, Removal::Scope];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Removal::Barrier => "barrier",
            Removal::Fence => "fence",
            Removal::Atomic => "atomic",
            Removal::Order => "order",
            Removal::Scope => "scope",
        }
    }

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
fn without(kernel: &Kernel, removal: Removal, number: usize) -> Option<Removed> {
    /// Takes one statement of those that are left, of these and what is inside them.
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
    let (mut left, mut rest, mut statement) = (Some(number), kernel.clone(), String::new());
    let mut locals = std::mem::take(&mut rest.locals);
    let body = std::mem::take(&mut rest.body);
    let mut take = |stm: Stm| {
        statement = first_line(kernel, &stm);
        removal.apply(stm, &mut locals, |array| kernel.elem(array))
    };
    rest.body = go(body, &mut left, &mut take, removal);
    rest.locals = locals;
    let accesses = rest.accesses();
    rest.blocks.iter_mut().zip(accesses).for_each(|(block, access)| block.access = access);
    left.is_none().then_some(Removed { removal, number, statement, kernel: rest })
}
