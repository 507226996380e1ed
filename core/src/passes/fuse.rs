//! Vertical fusion: a map whose results are mapped over by one later SOAC of the same width becomes part of that SOAC's map, so that what passes
//! between them is never an array. No computation is made twice: results of the first that are used elsewhere, later, become results of the whole;
//! histograms and scatters, which give no mapped results, take only what is used nowhere else. A map that adds to accumulators is no exception: the order of
//! updates does not matter.

use super::alias::{Consumable, consumable};
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;

/// Fuses what can be fused.
pub fn fuse(mut program: Program) -> Program {
    let consumable = consumable(&program);
    let mut vars = Vars::of(&program);
    let Program { funs, prov } = &mut program;
    for fun in funs {
        Fuse { consumable: &consumable, vars: &mut vars, prov }.body(&mut fun.body);
    }
    program
}

struct Fuse<'a> {
    consumable: &'a Consumable,
    vars: &'a mut Vars,
    prov: &'a mut ProvTable,
}

impl VisitMut for Fuse<'_> {
    fn body(&mut self, body: &mut Body) {
        self.sink(body);
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

fn consumes(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Screma(s) => s.map.params.iter().any(|p| matches!(p.ty, Type::Acc(_))),
        _ => true,
    }
}

impl Fuse<'_> {
    /// Moves a SOAC whose results are used only in the λ of one later `withacc` into that λ, which runs once.
    fn sink(&self, body: &mut Body) {
        let mut i = body.stms.len();
        while i > 0 {
            i -= 1;
            if consumes(&body.stms[i]) {
                continue;
            }
            let bound: HashSet<Var> = body.stms[i].pat.iter().map(|b| b.var).collect();
            let uses = |vars: Vec<Var>| vars.iter().any(|v| bound.contains(v));
            let users: Vec<usize> = (i + 1..body.stms.len()).filter(|j| uses(free_vars(&body.stms[*j]))).collect();
            let in_results = body.result.iter().any(|e| e.as_var().is_some_and(|v| bound.contains(&v)));
            let [user] = users[..] else { continue };
            let inputs = free_vars(&body.stms[i]);
            // nothing from outside of the λ may be consumed in it, nor on the way to it
            let consumed = (i..=user).any(|j| self.consumable.consumes_any(&body.stms[j], &inputs));
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

    /// The first pair of statements that can become one.
    fn pair(&self, body: &Body) -> Option<(usize, usize)> {
        (0..body.stms.len()).find_map(|i| {
            let stm = &body.stms[i];
            let Exp::Screma(first) = &stm.exp else { return None };
            if !first.scans.is_empty() || !first.reduces.is_empty() || first.post.is_some() {
                return None;
            }
            let bound: HashSet<Var> = stm.pat.iter().map(|b| b.var).collect();
            let j = (i + 1..body.stms.len()).find(|j| free_vars(&body.stms[*j]).iter().any(|v| bound.contains(v)))?;
            (self.fusible(body, i, j, &bound) && !adds_at_other_width(first, &body.stms[j].exp)).then_some((i, j))
        })
    }

    /// Whether statement i, whose results are first used by statement j, can become part of it.
    fn fusible(&self, body: &Body, i: usize, j: usize, bound: &HashSet<Var>) -> bool {
        let second = &body.stms[j];
        let Some((arrays, map)) = mapped(&second.exp) else { return false };
        let uses = |vars: Vec<Var>| vars.iter().any(|v| bound.contains(v));
        // any other use inside needs the whole array
        let whole = uses(unmapped(&second.exp));
        let later = || {
            let results = body.result.iter().filter_map(|e| e.as_var()).collect();
            uses(results) || body.stms[j + 1..].iter().any(|stm| uses(free_vars(stm)))
        };
        let keeps_results = matches!(second.exp, Exp::Screma(_));
        // what stays a result must not be consumed as a row inside
        let mut params = map.params.iter().zip(arrays).filter(|(_, a)| bound.contains(a));
        let consumed_row =
            params.any(|(p, _)| matches!(p.ty, Type::Array(..)) && self.consumable.may_be_consumed(p.var));
        // the inputs must still be there at j, which must not consume them itself
        let inputs = free_vars(&body.stms[i]);
        let gone = (i + 1..=j).any(|k| self.consumable.consumes_any(&body.stms[k], &inputs));
        !whole && !consumed_row && !gone && (keeps_results || !later())
    }

    fn fused(&mut self, first: Stm, second: Stm) -> Stm {
        let (prov, attrs) = (self.prov.of_both(second.prov, first.prov), [&first.attrs[..], &second.attrs].concat());
        // mutant: the certificates are sorted in the next line
        let mut certs = [&first.certs[..], &second.certs].concat();
        certs.sort_unstable();
        certs.dedup();
        let Exp::Screma(a) = first.exp else { return second };
        let Stm { mut pat, mut exp, .. } = second;
        match &mut exp {
            Exp::Screma(b) => {
                // accumulators that the second takes up are its own results
                let kept: Vec<usize> = (0..first.pat.len())
                    .filter(|k| !matches!(a.map.ret[*k], Type::Acc(_)) || !b.arrays.contains(&first.pat[*k].var))
                    .collect();
                let results: Vec<SubExp> = kept.iter().map(|k| a.map.body.result[*k]).collect();
                let ret: Vec<Type> = kept.iter().map(|k| a.map.ret[*k].clone()).collect();
                inline_rows(a, &first.pat, &mut b.arrays, &mut b.map);
                b.map.body.result.extend(results);
                if let Some(post) = &mut b.post {
                    let through: Vec<Binder> = ret.iter().map(|t| self.vars.fresh("x", t.clone())).collect();
                    post.body.result.extend(through.iter().map(|p| SubExp::Var(p.var)));
                    post.ret.extend(ret.iter().cloned());
                    post.params.extend(through);
                }
                b.map.ret.extend(ret);
                pat.extend(kept.into_iter().map(|k| first.pat[k].clone()));
            }
            Exp::Hist(h) => inline_rows(a, &first.pat, &mut h.arrays, &mut h.map),
            Exp::Scatter(s) => inline_rows(a, &first.pat, &mut s.arrays, &mut s.map),
            _ => {}
        }
        Stm { pat, exp, certs, attrs, prov }
    }
}

/// Whether a map adds to an accumulator that the second takes up, whose width is another: accumulators have none.
fn adds_at_other_width(first: &Screma, second: &Exp) -> bool {
    let adds = first.map.ret.iter().any(|t| matches!(t, Type::Acc(_)));
    adds && !matches!(second, Exp::Screma(s) if s.width == first.width)
}

/// Arrays and λ of what can take up a map.
fn mapped(exp: &Exp) -> Option<(&[Var], &Lambda)> {
    match exp {
        Exp::Screma(s) => Some((&s.arrays, &s.map)),
        Exp::Hist(h) => Some((&h.arrays, &h.map)),
        Exp::Scatter(s) => Some((&s.arrays, &s.map)),
        _ => None,
    }
}

/// The variables that an expression uses other than as arrays mapped over.
fn unmapped(exp: &Exp) -> Vec<Var> {
    let mut exp = exp.clone();
    match &mut exp {
        Exp::Screma(s) => s.arrays.clear(),
        Exp::Hist(h) => h.arrays.clear(),
        Exp::Scatter(s) => s.arrays.clear(),
        _ => {}
    }
    free_vars(&exp)
}

/// Puts the code of a map, whose results are these, before that of a λ that is mapped over them.
fn inline_rows(first: Screma, results: &[Binder], arrays: &mut Vec<Var>, map: &mut Lambda) {
    let mut subst = HashMap::default();
    let (mut all, mut params) = (first.arrays, first.map.params);
    for (array, p) in arrays.iter().zip(&map.params) {
        match results.iter().position(|out| out.var == *array) {
            Some(k) => {
                subst.insert(p.var, first.map.body.result[k]);
            }
            None => {
                all.push(*array);
                params.push(p.clone());
            }
        }
    }
    substitute(&mut map.body, &subst);
    map.body.stms.splice(0..0, first.map.body.stms);
    map.params = params;
    *arrays = all;
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

    #[test]
    fn a_map_becomes_part_of_a_scan_and_what_follows_it() {
        let scan = "let (s_20: [n_0]f64) = screma n_0 (ys_10) map \\(y_21: f64) -> (f64) { in (y_21) } \
                    scan comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64) \
                    post \\(v_25: f64) -> (f64) { let (e_26: f64) = exp.f64(v_25) in (e_26) }";
        let (soacs, text) = fused("s_4: [n_0]f64, ys_5: [n_0]f64", &format!("{SQUARES} {scan} in (s_20, ys_10)"));
        assert!(soacs == 1 && text.contains("exp") && text.matches("mul.f64").count() == 1, "{text}");
        // but what has a function after it is no plain map
        let first = SQUARES.replace(
            "in (y_12) }",
            "in (y_12) } post \\(q_40: f64) -> (f64) { let (e_41: f64) = exp.f64(q_40) in (e_41) }",
        );
        let (soacs, text) = fused("s_4: f64", &format!("{first} {SUM} in (s_20)"));
        assert!(soacs == 2 && text.contains("exp"), "{text}");
        // the function after scans sees the whole array
        let whole = scan.replace("let (e_26: f64) = exp.f64(v_25)", "let (e_26: f64) = index ys_10[0i64]");
        assert_eq!(fused("s_4: [n_0]f64", &format!("{SQUARES} {whole} in (s_20)")).0, 2);
    }

    #[test]
    fn histograms_and_scatters_take_what_nothing_else_uses() {
        let iota = "let (i_50: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)";
        let lambda = "map \\(i_51: i64, y_52: f64) -> (i64, f64) { in (i_51, y_52) }";
        let op =
            "\\(a_53: f64, b_54: f64) -> (f64) { let (t_55: f64) = add.f64(a_53, b_54) in (t_55) } neutral (0.0f64)";
        let hist = format!("{iota} let (h_56: [n_0]f64) = hist n_0 (i_50, ys_10) {lambda} dest [n_0] (zs_2) comm {op}");
        let scatter = format!("{iota} let (h_56: [n_0]f64) = scatter n_0 (i_50, ys_10) {lambda} dest [n_0] zs_2");
        for node in [&hist, &scatter] {
            let (soacs, text) = fused("*h_4: [n_0]f64", &format!("{SQUARES} {node} in (h_56)"));
            assert!(soacs == 0 && text.contains("mul.f64"), "{text}");
            assert_eq!(fused("*h_4: [n_0]f64, ys_5: [n_0]f64", &format!("{SQUARES} {node} in (h_56, ys_10)")).0, 1);
            // what it writes to, it does not read
            let of_zs = SQUARES.replace("(xs_1)", "(zs_2)");
            assert_eq!(fused("*h_4: [n_0]f64", &format!("{of_zs} {node} in (h_56)")).0, 1);
            // and a map does not move over it
            let of_zs = of_zs.replace("ys_10", "ws_60").replace("x_11", "x_61").replace("y_12", "y_62");
            let between = node.replace("ys_10", "xs_1");
            let sum = SUM.replace("ys_10", "ws_60");
            assert_eq!(fused("*h_4: [n_0]f64, s_5: f64", &format!("{of_zs} {between} {sum} in (h_56, s_20)")).0, 2);
        }
    }

    #[test]
    fn consumption_is_seen_inside_and_through_views() {
        // a map that consumes the rows of a matrix between producer and consumer
        let text = "futi-ir 1\nfun \"f\"(n_0: i64, *m_1: [n_0][2]f64) -> (s_2: f64, *r_3: [n_0][2]f64) {
            let (ys_10: [n_0]f64) = screma n_0 (m_1) map \\(x_11: [2]f64) -> (f64) { let (y_12: f64) = index x_11[0i64] in (y_12) }
            let (r_30: [n_0][2]f64) = screma n_0 (m_1) map \\(x_31: [2]f64) -> ([2]f64) {
              let (x_32: [2]f64) = update x_31[0i64] = 0.0f64 in (x_32) }
            let (s_20: f64) = screma n_0 (ys_10) map \\(y_21: f64) -> (f64) { in (y_21) }
              reduce comm \\(a_22: f64, b_23: f64) -> (f64) { let (t_24: f64) = add.f64(a_22, b_23) in (t_24) } neutral (0.0f64)
            in (s_20, r_30) }";
        let program = fuse(text.parse().unwrap_or_else(|e| panic!("{e}")));
        assert_eq!(errors(&program), [], "{program}");
        assert_eq!(program.to_string().matches("screma").count(), 3, "{program}");
        // through a view
        let view = "let (v_70: [n_0]f64) = slice zs_2[0i64 : n_0 : 1i64]";
        let of_view = SQUARES.replace("(xs_1)", "(v_70)");
        let update = "let (us_31: [n_0]f64) = match (z_3) case (1.0f64) { let (u_32: [n_0]f64) = update zs_2[0i64] = z_3 in (u_32) } \
                      else { let (w_33: [n_0]f64) = copy zs_2 in (w_33) }";
        assert_eq!(
            fused("s_4: f64, *u_5: [n_0]f64", &format!("{view} {of_view} {update} {SUM} in (s_20, us_31)")).0,
            2
        );
    }
}
