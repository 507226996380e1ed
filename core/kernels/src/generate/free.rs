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
        // mutant removal: they are free together, in whatever order
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::HostProgram;

    /// The program without what it frees, and its memory freed again.
    fn freed(text: &str) -> HostProgram {
        let is_free = |line: &&str| !line.trim_start().starts_with("free ");
        let text = text.lines().filter(is_free).collect::<Vec<_>>().join("\n");
        let text = text.replace(" frees (mem.xs_0)", "");
        let mut host: HostProgram = text.parse().unwrap();
        host.funs.iter_mut().for_each(free);
        host
    }

    #[test]
    fn what_is_not_used_is_free_at_once() {
        let text = "futi-host 1
            fun main_0 entry \"main\" {
              scalar c_0: bool
              mem xs_0: i64
              mem ys_1: i64
              mem zs_2: i64
              mem us_3: i64
              mem r_4: i64
              param c_0
              param mem.xs_0[2i64]
              free mem.xs_0 @1
              mem.ys_1 = alloc [2i64] @1
              write mem.ys_1[0i64] = 5i64 @2
              if c_0 -> (mem.r_4) @3 {
                mem.zs_2 = alloc [2i64] @4
                copy mem.zs_2[0i64 : 2i64] = mem.ys_1[0i64 : 2i64] @5
                free mem.ys_1 @5
                in (mem.zs_2)
              } else {
                free mem.ys_1 @3
                mem.us_3 = alloc [2i64] @6
                in (mem.us_3)
              }
              return (mem.r_4 at 0i64 [2i64])
            }";
        assert_eq!(freed(text), text.parse().unwrap());
    }

    #[test]
    fn what_a_side_or_a_round_uses_is_free_behind_that() {
        let text = "futi-host 1
            fun main_0 entry \"main\" {
              scalar i_0: i64
              mem xs_0: i64
              mem c_1: bool
              mem a_2: i64
              mem b_3: i64
              mem d_4: i64
              mem e_5: i64
              mem p_6: i64
              mem q_7: i64
              mem r_8: i64
              param mem.xs_0[2i64]
              mem.c_1 = alloc
              write mem.c_1[0i64] = true
              when mem.c_1 {
                mem.a_2 = alloc
                write mem.a_2[0i64] = 1i64
                free mem.a_2
                mem.b_3 = alloc
                write mem.b_3[0i64] = 2i64
                free mem.b_3
                in ()
              } else {
                mem.d_4 = alloc
                write mem.d_4[0i64] = 3i64
                free mem.d_4
                mem.e_5 = alloc
                write mem.e_5[0i64] = 4i64
                free mem.e_5
                in ()
              }
              free mem.c_1
              loop for i_0 below 3i64 (mem.p_6 = mem.xs_0) frees (mem.xs_0) -> (mem.r_8) {
                mem.q_7 = alloc [2i64]
                copy mem.q_7[0i64 : 2i64] = mem.p_6[0i64 : 2i64]
                free mem.p_6
                write mem.q_7[0i64] = 5i64
                in (mem.q_7)
              }
              return (mem.r_8 at 0i64 [2i64])
            }";
        assert_eq!(freed(text), text.parse().unwrap());
    }
}
