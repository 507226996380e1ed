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
                // mutant negation: a branch itself consumes nothing
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

#[cfg(test)]
mod tests {
    use super::copied;
    use futi_core::ir::Program;

    fn program(body: &str) -> Program {
        let text = format!(
            r#"futi-ir 1
            entry "main"(n_0: i64, *xs_1: [n_0]i64, c_2: bool) -> (r_3: [n_0]i64)
              sig 1 ("xs": ["n"]i64, "c": bool) -> ["n"]i64 {{ {body} }}"#
        );
        text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
    }

    /// Tests that one body becomes the other.
    fn becomes(body: &str, expected: &str) {
        assert_eq!(copied(&program(body)).to_string(), program(expected).to_string());
    }

    #[test]
    fn sides_of_a_branch_that_gives_an_array_copy_what_they_change() {
        let branch = |copies: [&str; 2], [yes, no]: [&str; 2]| {
            let [copy_yes, copy_no] = copies;
            format!(
                "let (r_4: [n_0]i64, s_5: i64) = if c_2 then {{
                  {copy_yes} let (a_6: [n_0]i64) = update {yes}[0i64] = 1i64 in (a_6, 1i64)
                }} else {{
                  {copy_no} let (a_7: [n_0]i64) = update {no}[1i64] = 1i64 in (a_7, 2i64)
                }}
                in (r_4)"
            )
        };
        let copies = ["let (copy_8: [n_0]i64) = copy xs_1", "let (copy_9: [n_0]i64) = copy xs_1"];
        becomes(&branch(["", ""], ["xs_1", "xs_1"]), &branch(copies, ["copy_8", "copy_9"]));
    }

    #[test]
    fn what_one_invocation_does_is_as_it_was() {
        let branch = "let (s_4: i64) = if c_2 then {
              let (a_5: [n_0]i64) = update xs_1[0i64] = 1i64 let (x_6: i64) = index a_5[1i64] in (x_6)
            } else { in (0i64) }
            let (r_7: [n_0]i64) = replicate [n_0] s_4 in (r_7)";
        becomes(branch, branch);
        let rounds = |copy: &str, of: &str| {
            format!(
                "{copy} let (r_4: [n_0]i64) = loop (*a_5: [n_0]i64 = {of}) for i_6: i64 < n_0 do {{
                  let (b_7: [n_0]i64) = update a_5[i_6] = i_6 in (b_7)
                }}
                in (r_4)"
            )
        };
        becomes(&rounds("", "xs_1"), &rounds("let (copy_8: [n_0]i64) = copy xs_1", "copy_8"));
    }

    #[test]
    fn each_round_of_the_host_copies_what_it_changes() {
        let rounds = |copy: &str, of: &str| {
            format!(
                "let (r_4: [n_0]i64) = loop (*a_5: [n_0]i64 = xs_1) for i_6: i64 < n_0 do {{
                  let (b_7: [n_0]i64) = iota i64 (n_0, 0i64, 2i64) let (x_8: i64) = index b_7[i_6]
                  {copy} let (d_9: [n_0]i64) = update {of}[i_6] = x_8 in (d_9)
                }}
                in (r_4)"
            )
        };
        becomes(&rounds("", "a_5"), &rounds("let (copy_10: [n_0]i64) = copy a_5", "copy_10"));
    }

    #[test]
    fn accumulators_are_made_of_copies_and_their_code_copies_what_it_changes() {
        let with_acc = |[outer, inner]: [&str; 2], [xs, zeros]: [&str; 2]| {
            format!(
                r"{outer} let (r_4: [n_0]i64) = withacc input [n_0] ({xs}) comm \(x_5: i64, y_6: i64) -> (i64) {{
                  let (t_7: i64) = add.i64(x_5, y_6) in (t_7)
                }} neutral (0i64) do \(id_8: cert, acc_9: acc(id_8, [n_0] (i64))) -> (acc(id_8, [n_0] (i64))) {{
                  let (zeros_10: [2]i64) = replicate [2] 0i64
                  {inner} let (w_11: [2]i64) = update {zeros}[0i64] = 1i64 let (x_12: i64) = index w_11[0i64]
                  let (acc_13: acc(id_8, [n_0] (i64))) = updacc acc_9[x_12] (1i64)
                  in (acc_13)
                }}
                in (r_4)"
            )
        };
        let copies = ["let (copy_15: [n_0]i64) = copy xs_1", "let (copy_14: [2]i64) = copy zeros_10"];
        becomes(&with_acc(["", ""], ["xs_1", "zeros_10"]), &with_acc(copies, ["copy_15", "copy_14"]));
    }
}
