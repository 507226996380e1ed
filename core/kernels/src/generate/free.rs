//! Where memory is not used any more: [`Op::Free`] behind the last use of each variable.

use crate::host::ir::*;
use futi_core::hash::HashSet;

/// Frees memory in a function.
pub(super) fn free(fun: &mut Fun) {
    let params = fun.params.iter().filter_map(|param| match param {
        Param::Array { mem, .. } => Some(*mem),
        Param::Scalar(_) => None,
    });
    let results: HashSet<Mem> = fun.results.iter().filter_map(Value::mem).collect();
    stms(&mut fun.body, params.collect(), &results);
}

/// Frees, in the statements of a block, what is bound in it and is none of its results.
fn stms(all: &mut Vec<Stm>, bound: Vec<Mem>, results: &HashSet<Mem>) {
    let mut own: HashSet<Mem> = bound.into_iter().collect();
    own.extend(all.iter().flat_map(|stm| stm.op.binds()));
    // what is still used, from the end on
    let mut live = results.clone();
    let mut out = Vec::new();
    for mut stm in std::mem::take(all).into_iter().rev() {
        let mut used = HashSet::default();
        uses(&stm.op, &mut used);
        used.extend(stm.op.binds());
        let mut last: Vec<Mem> = used.into_iter().filter(|mem| own.contains(mem) && live.insert(*mem)).collect();
        last.sort();
        out.extend(last.into_iter().map(|mem| Stm { op: Op::Free(mem), prov: stm.prov }));
        inside(&mut stm.op);
        out.push(stm);
    }
    out.reverse();
    *all = out;
}

/// Frees what is bound inside of a statement.
fn inside(op: &mut Op) {
    let block = |block: &mut Block, bound: Vec<Mem>| {
        let results = block.mems.iter().copied().collect();
        stms(&mut block.stms, bound, &results);
    };
    match op {
        Op::If { yes, no, .. } | Op::When { yes, no, .. } => {
            block(yes, vec![]);
            block(no, vec![]);
        }
        Op::Loop { mems, body, .. } => block(body, mems.iter().map(|(mem, _)| *mem).collect()),
        _ => {}
    }
}

/// The memory that a statement uses, inside of it too.
fn uses(op: &Op, used: &mut HashSet<Mem>) {
    used.extend(op.uses());
    for block in op.blocks() {
        block.stms.iter().for_each(|stm| uses(&stm.op, used));
        used.extend(&block.mems);
    }
}
