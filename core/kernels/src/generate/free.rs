//! Where memory is not used any more: behind the last use of each variable, in branches as well, or with the beginning of a loop. Note [Who frees memory] of the host program.

use crate::host::ir::*;
use futi_core::hash::HashSet;
use futi_core::ir::Prov;

/// Frees memory in a function.
pub(super) fn free(fun: &mut Fun) {
    let params = fun.params.iter().filter_map(|param| match param {
        Param::Array { mem, .. } => Some(*mem),
        Param::Scalar(_) => None,
    });
    let results = fun.results.iter().filter_map(Value::mem).collect();
    let prov = fun.body.first().map_or(Prov::UNKNOWN, |stm| stm.prov);
    stms(&mut fun.body, params.collect(), results, prov);
}

/// Frees, in the statements of a block at a place, what ends with it at the latest, and what is bound in it, unless it is one of its results.
fn stms(all: &mut Vec<Stm>, ending: Vec<Mem>, results: HashSet<Mem>, prov: Prov) {
    let mut own: HashSet<Mem> = ending.iter().copied().collect();
    own.extend(all.iter().flat_map(|stm| stm.op.binds()));
    // what is still used, from the end on
    let mut live = results;
    let mut out = Vec::new();
    let frees = |mems: Vec<Mem>, prov| mems.into_iter().map(move |mem| Stm { op: Op::Free(mem), prov });
    for mut stm in std::mem::take(all).into_iter().rev() {
        let mut used = HashSet::default();
        uses(&stm.op, &mut used);
        used.extend(stm.op.binds());
        let mut last: Vec<Mem> = used.into_iter().filter(|mem| own.contains(mem) && live.insert(*mem)).collect();
        last.sort();
        out.extend(frees(inside(&mut stm, last), stm.prov));
        out.push(stm);
    }
    out.extend(frees(ending.into_iter().filter(|mem| !live.contains(mem)).collect(), prov));
    out.reverse();
    *all = out;
}

/// Frees what is bound inside of a statement, and of what is used for the last time what can be freed there; the rest.
fn inside(stm: &mut Stm, last: Vec<Mem>) -> Vec<Mem> {
    let prov = stm.prov;
    let block = |block: &mut Block, ending: Vec<Mem>| {
        let results = block.mems.iter().copied().collect();
        stms(&mut block.stms, ending, results, prov);
    };
    let bound = stm.op.binds();
    match &mut stm.op {
        Op::If { yes, no, .. } => {
            let stays = |mem: &Mem| [&bound, &yes.mems, &no.mems].iter().any(|mems| mems.contains(mem));
            let (rest, ending): (Vec<Mem>, Vec<Mem>) = last.into_iter().partition(stays);
            block(yes, ending.clone());
            block(no, ending);
            rest
        }
        // the host goes through both
        Op::When { yes, no, .. } => {
            block(yes, vec![]);
            block(no, vec![]);
            last
        }
        Op::Loop { mems, frees, body, .. } => {
            let mut stays: HashSet<Mem> = bound.into_iter().chain(body.mems.iter().copied()).collect();
            body.stms.iter().for_each(|stm| uses(&stm.op, &mut stays));
            let (rest, ending) = last.into_iter().partition(|mem| stays.contains(mem));
            *frees = ending;
            block(body, mems.iter().map(|(mem, _)| *mem).collect());
            rest
        }
        _ => last,
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
