//! Updates of copies: what the host would change in place is copied before. Results are the same, and what an update in place does to others shows as a difference.

use super::pending::is_parallel;
use futi_core::ir::build::Vars;
use futi_core::ir::visit::VisitMut;
use futi_core::ir::{Exp, Program, Stm, Type, Var};

/// The program whose host code changes no array that it has not copied right before. What a point of a nest has for itself, and what sequential code on one invocation changes, is as it was.
pub(super) fn copied(program: &Program) -> Program {
    let mut program = program.clone();
    let mut vars = Vars::of(&program);
    program.funs.iter_mut().for_each(|fun| stms(&mut fun.body.stms, &mut vars));
    program
}

fn stms(all: &mut Vec<Stm>, vars: &mut Vars) {
    let mut out = Vec::with_capacity(all.len());
    for mut stm in std::mem::take(all) {
        let of_host =
            // mutant dropped term: what a branch changes may as well be copied before it
            is_parallel(&stm.exp) || matches!(stm.exp, Exp::If { .. }) && stm.pat.iter().any(|pat| pat.ty.rank() > 0);
        // of a call, and of a loop of the host, what is inside copies
        let inside = match &mut stm.exp {
            Exp::If { yes, no, .. } if of_host => {
                stms(&mut yes.stms, vars);
                stms(&mut no.stms, vars);
                true
            }
            Exp::Loop { body, .. } if of_host => {
                stms(&mut body.stms, vars);
                true
            }
            Exp::WithAcc(with) => {
                stms(&mut with.lambda.body.stms, vars);
                false
            }
            exp => matches!(exp, Exp::Apply { .. }),
        };
        let consumed = if inside { vec![] } else { stm.exp.consumes() };
        for array in consumed {
            if !matches!(vars.ty(array), Type::Array(..)) {
                continue;
            }
            let copy = vars.fresh("copy", vars.ty(array).clone());
            let mut renamed = Renamed { from: array, to: copy.var };
            let own = Stm { pat: vec![copy], exp: Exp::Copy(array), certs: vec![], attrs: vec![], prov: stm.prov };
            out.push(own);
            // who consumes an array does not mention it elsewhere
            renamed.exp(&mut stm.exp);
        }
        out.push(stm);
    }
    *all = out;
}

/// One variable for another.
struct Renamed {
    from: Var,
    to: Var,
}

impl VisitMut for Renamed {
    fn var(&mut self, v: &mut Var) {
        if *v == self.from {
            *v = self.to;
        }
    }
}
