//! Vertical fusion: a map whose results are mapped over by one later SOAC of the same width becomes part of that SOAC's map, so that what passes
//! between them is never an array. No computation is made twice: results of the first that are used elsewhere, later, become results of the whole.

use super::alias::{Consumable, consumable};
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Fuses what can be fused.
pub fn fuse(mut program: Program) -> Program {
    let consumable = consumable(&program);
    let Program { funs, prov } = &mut program;
    for fun in funs {
        Fuse { consumable: &consumable, prov }.body(&mut fun.body);
    }
    program
}

struct Fuse<'a> {
    consumable: &'a Consumable,
    prov: &'a mut ProvTable,
}

impl VisitMut for Fuse<'_> {
    fn body(&mut self, body: &mut Body) {
        sink(body);
        while let Some((producer, consumer)) = self.pair(body) {
            let first = body.stms.remove(producer);
            let second = body.stms.remove(consumer - 1);
            body.stms.insert(consumer - 1, self.fused(first, second));
        }
        for stm in &mut body.stms {
            walk_exp_mut(self, &mut stm.exp);
        }
    }
}

/// Moves a SOAC whose results are used only in the λ of one later `withacc` into that λ, which runs once.
fn sink(body: &mut Body) {
    let mut i = body.stms.len();
    while i > 0 {
        i -= 1;
        if !matches!(body.stms[i].exp, Exp::Screma(_)) || consumes(&body.stms[i]) {
            continue;
        }
        let bound: HashSet<Var> = body.stms[i].pat.iter().map(|b| b.var).collect();
        let uses = |vars: Vec<Var>| vars.iter().any(|v| bound.contains(v));
        let users: Vec<usize> = (i + 1..body.stms.len()).filter(|j| uses(free_vars(&body.stms[*j]))).collect();
        let in_results = body.result.iter().any(|e| e.as_var().is_some_and(|v| bound.contains(&v)));
        let [user] = users[..] else { continue };
        let inputs = free_vars(&body.stms[i]);
        let consumed = (i + 1..=user).any(|j| consumed_by(&body.stms[j]).iter().any(|v| inputs.contains(v)));
        let inside = match &body.stms[user].exp {
            Exp::WithAcc(w) => {
                let outside = w.inputs.iter().flat_map(|i| i.arrays.iter().copied().chain(free_vars(&i.op.lambda)));
                let neutral = w.inputs.iter().flat_map(|i| i.op.neutral.iter().filter_map(|e| e.as_var()));
                !outside.chain(neutral).any(|v| bound.contains(&v))
            }
            _ => false,
        };
        if in_results || consumed || !inside {
            continue;
        }
        let stm = body.stms.remove(i);
        if let Exp::WithAcc(w) = &mut body.stms[user - 1].exp {
            w.lambda.body.stms.insert(0, stm);
        }
    }
}

/// Arrays that a statement consumes itself; accumulators too.
fn consumed_by(stm: &Stm) -> Vec<Var> {
    match &stm.exp {
        Exp::Update { array, .. } => vec![*array],
        Exp::UpdAcc { acc, .. } => vec![*acc],
        Exp::WithAcc(w) => w.inputs.iter().flat_map(|i| i.arrays.iter().copied()).collect(),
        Exp::Loop { params, .. } => params.iter().filter(|p| p.unique).filter_map(|p| p.init.as_var()).collect(),
        Exp::If { yes, no, .. } => [yes, no].iter().flat_map(|b| b.stms.iter().flat_map(consumed_by)).collect(),
        Exp::Apply { args, .. } => args.iter().filter_map(|e| e.as_var()).collect(),
        _ => Vec::new(),
    }
}

fn consumes(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Screma(s) => s.map.params.iter().any(|p| matches!(p.ty, Type::Acc(_))),
        _ => true,
    }
}

impl Fuse<'_> {
    /// The first pair of statements that can become one.
    fn pair(&self, body: &Body) -> Option<(usize, usize)> {
        (0..body.stms.len()).find_map(|i| {
            let stm = &body.stms[i];
            let Exp::Screma(first) = &stm.exp else { return None };
            if !first.scans.is_empty() || !first.reduces.is_empty() || consumes(stm) {
                return None;
            }
            let bound: HashSet<Var> = stm.pat.iter().map(|b| b.var).collect();
            let j = (i + 1..body.stms.len()).find(|j| free_vars(&body.stms[*j]).iter().any(|v| bound.contains(v)))?;
            self.fusible(body, i, j, first, &bound).then_some((i, j))
        })
    }

    /// Whether statement i, whose results are first used by statement j, can become part of it.
    fn fusible(&self, body: &Body, i: usize, j: usize, first: &Screma, bound: &HashSet<Var>) -> bool {
        let Exp::Screma(second) = &body.stms[j].exp else { return false };
        let mapped = second.arrays.iter().any(|a| bound.contains(a));
        // any other use inside needs the whole array
        let mut inner: Vec<Var> = free_vars(&second.map);
        for op in second.scans.iter().chain(&second.reduces) {
            inner.extend(free_vars(&op.lambda));
            inner.extend(op.neutral.iter().filter_map(|e| e.as_var()));
        }
        let whole = inner.iter().any(|v| bound.contains(v));
        // what stays a result must not be consumed as a row inside
        let params = second.map.params.iter().zip(&second.arrays).filter(|(_, a)| bound.contains(a));
        let consumed_row =
            params.into_iter().any(|(p, _)| matches!(p.ty, Type::Array(..)) && self.consumable.may_be_consumed(p.var));
        // the inputs must still be there at j
        let inputs = free_vars(&body.stms[i]);
        let gone = (i + 1..j).any(|k| {
            consumed_by(&body.stms[k])
                .iter()
                .any(|v| inputs.iter().any(|w| self.consumable.group(*v) == self.consumable.group(*w)))
        });
        first.width == second.width && mapped && !whole && !consumed_row && !gone
    }

    fn fused(&mut self, first: Stm, second: Stm) -> Stm {
        let (prov, attrs) = (self.merge(first.prov, second.prov), [&first.attrs[..], &second.attrs].concat());
        let mut certs = [&first.certs[..], &second.certs].concat();
        certs.sort_unstable();
        certs.dedup();
        let (Exp::Screma(a), Exp::Screma(b)) = (first.exp, second.exp) else {
            return Stm { pat: Vec::new(), exp: Exp::SubExp(SubExp::i64(0)), certs, attrs, prov };
        };
        let mut subst = HashMap::new();
        let mut arrays = a.arrays;
        let mut params = a.map.params;
        for (array, p) in b.arrays.iter().zip(&b.map.params) {
            match first.pat.iter().position(|out| out.var == *array) {
                Some(k) => {
                    subst.insert(p.var, a.map.body.result[k]);
                }
                None => {
                    arrays.push(*array);
                    params.push(p.clone());
                }
            }
        }
        let mut body = b.map.body;
        substitute(&mut body, &subst);
        let stms = [a.map.body.stms, body.stms].concat();
        let result = [body.result, a.map.body.result].concat();
        let map = Lambda { params, ret: [b.map.ret, a.map.ret].concat(), body: Body { stms, result } };
        let pat = [second.pat, first.pat].concat();
        let exp = Exp::Screma(Screma { width: b.width, arrays, map, scans: b.scans, reduces: b.reduces, post: None });
        Stm { pat, exp, certs, attrs, prov }
    }

    fn merge(&mut self, a: Prov, b: Prov) -> Prov {
        if self.prov.span(a) == self.prov.span(b) { b } else { self.prov.merge(b, a) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check::errors;

    /// The number of SOACs and of the words in the text that are `word`, after fusion of the function body.
    fn fused(results: &str, body: &str) -> (usize, String) {
        let params = "n_0: i64, xs_1: [n_0]f64, *zs_2: [n_0]f64, z_3: f64";
        let text = format!("futi-ir 1\nfun \"f\"({params}) -> ({results}) {{ {body} }}");
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(errors(&program), [], "{program}");
        let program = fuse(program);
        assert_eq!(errors(&program), [], "{program}");
        let text = program.to_string();
        (text.matches("screma").count(), text)
    }

    const SQUARES: &str = "let (ys_10: [n_0]f64) = screma n_0 (xs_1) map \\(x_11: f64) -> (f64) { \
                           let (y_12: f64) = mul.f64(x_11, x_11) in (y_12) }";
    const SUM: &str = "let (s_20: f64) = screma n_0 (ys_10) map \\(y_21: f64) -> (f64) { in (y_21) } \
                       reduce comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64)";

    #[test]
    fn a_map_becomes_part_of_what_maps_over_it() {
        let (soacs, text) = fused("s_4: f64", &format!("{SQUARES} {SUM} in (s_20)"));
        assert_eq!(soacs, 1, "{text}");
        // what is used elsewhere is still there, computed once
        let (soacs, text) = fused("s_4: f64, ys_5: [n_0]f64", &format!("{SQUARES} {SUM} in (s_20, ys_10)"));
        assert_eq!((soacs, text.matches("mul.f64").count()), (1, 1), "{text}");
    }

    #[test]
    fn what_needs_the_whole_array_is_not_fused() {
        let whole = "let (s_20: [n_0]f64) = screma n_0 (ys_10) map \\(y_21: f64) -> (f64) { \
                     let (v_22: f64) = index ys_10[0i64] let (w_23: f64) = add.f64(y_21, v_22) in (w_23) }";
        assert_eq!(fused("s_4: [n_0]f64", &format!("{SQUARES} {whole} in (s_20)")).0, 2);
        // a use between the two
        let between = "let (v_30: f64) = index ys_10[0i64]";
        assert_eq!(fused("s_4: f64, v_5: f64", &format!("{SQUARES} {between} {SUM} in (s_20, v_30)")).0, 2);
        // the input is consumed between the two
        let of_zs = SQUARES.replace("(xs_1)", "(zs_2)");
        let update = "let (us_31: [n_0]f64) = update zs_2[0i64] = z_3";
        let consumed = format!("{of_zs} {update} {SUM} in (s_20, us_31)");
        assert_eq!(fused("s_4: f64, *u_5: [n_0]f64", &consumed).0, 2);
    }

    #[test]
    fn a_map_sinks_to_the_accumulator_that_uses_it() {
        let acc = "let (r_40: [n_0]f64) = withacc input [n_0] (zs_2) comm \\(a_41: f64, b_42: f64) -> (f64) { \
                   let (t_43: f64) = add.f64(a_41, b_42) in (t_43) } neutral (0.0f64) \
                   do \\(id_44: cert, acc_45: acc(id_44, [n_0] (f64))) -> (acc(id_44, [n_0] (f64))) { \
                   let (acc_46: acc(id_44, [n_0] (f64))) = screma n_0 (ys_10, acc_45) map \\(y_47: f64, acc_48: acc(id_44, [n_0] (f64))) -> (acc(id_44, [n_0] (f64))) { \
                   let (acc_49: acc(id_44, [n_0] (f64))) = updacc acc_48[0i64] (y_47) in (acc_49) } in (acc_46) }";
        let (soacs, text) = fused("*r_4: [n_0]f64", &format!("{SQUARES} {acc} in (r_40)"));
        assert_eq!(soacs, 1, "{text}");
        // but not when it reads what the accumulator consumes
        let of_zs = SQUARES.replace("(xs_1)", "(zs_2)");
        assert_eq!(fused("*r_4: [n_0]f64", &format!("{of_zs} {acc} in (r_40)")).0, 2);
    }
}
