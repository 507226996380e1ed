//! Vertical fusion: a map whose results are mapped over by one later SOAC of the same width becomes part of that SOAC's map, so that what passes
//! between them is never an array. No computation is made twice: results of the first that are used elsewhere, later, become results of the whole;
//! histograms and scatters, which give no mapped results, take only what is used nowhere else. A map that adds to accumulators is no exception: the order of
//! updates does not matter.

use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::analysis::uses::{Needs, Uses, union};
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

// Note [What waits]
// ~~~~~~~~~~~~~~~~~
// Of all maps that can become part of their first user, the first in the body does; then that is asked again. To ask again of every map would take time in the
// square of the body's length. But what is in the way of a map is one statement: its first user, or one that consumes on the way there. The map waits for it,
// and is asked again when that statement has moved down, into a user of its own. What has moved into the statement itself makes no way free: the statement
// uses and consumes all that it did before. So at any time the first map that can be fused is among those that are still to be asked.

/// Fuses what can be fused.
pub fn fuse(mut program: Program, known: &mut Analyses) -> Program {
    let (consumable, mut vars) = (known.consumable(&program), known.vars(&program));
    let Program { funs, prov } = &mut program;
    let mut fuse = Fuse { consumable: &consumable, vars: &mut vars, prov, changed: false };
    funs.iter_mut().for_each(|fun| fuse.body(&mut fun.body));
    if fuse.changed {
        known.changed();
    } else {
        known.unchanged(vars);
    }
    program
}

struct Fuse<'a> {
    consumable: &'a Consumable,
    vars: &'a mut Vars,
    prov: &'a mut ProvTable,
    /// Whether anything has moved into something else.
    changed: bool,
}

impl VisitMut for Fuse<'_> {
    fn body(&mut self, body: &mut Body) {
        let mut work = Work::new(std::mem::take(body), self.consumable);
        self.sink(&mut work);
        self.pairs(&mut work);
        self.changed |= work.stms.contains(&None);
        *body = work.finish();
        for stm in &mut body.stms {
            walk_exp_mut(self, &mut stm.exp);
        }
    }
}

/// A body while its statements move into one another. Each keeps its place, or leaves it empty.
struct Work<'a> {
    consumable: &'a Consumable,
    stms: Vec<Option<Stm>>,
    needs: Vec<Needs>,
    /// What statements use other than as arrays mapped over.
    whole: Vec<HashSet<Var>>,
    uses: Uses,
    result: Vec<SubExp>,
    /// What has moved into the λ of a `withacc`, the last first.
    sunk: HashMap<usize, Vec<Stm>>,
    /// The statements that others have become part of.
    fused: HashSet<usize>,
    /// What stands for the parameters of λs that others have become part of.
    subst: HashMap<Var, SubExp>,
}

impl<'a> Work<'a> {
    fn new(body: Body, consumable: &'a Consumable) -> Work<'a> {
        let Body { mut stms, result } = body;
        let (mut needs, mut whole) = (Vec::with_capacity(stms.len()), Vec::with_capacity(stms.len()));
        for stm in &mut stms {
            let arrays = mapped_mut(&mut stm.exp).map(std::mem::take).unwrap_or_default();
            let mut rest = Needs::of(stm, consumable);
            whole.push(rest.uses.clone());
            rest.uses.extend(&arrays);
            needs.push(rest);
            if let Some(place) = mapped_mut(&mut stm.exp) {
                *place = arrays;
            }
        }
        let uses = Uses::of(&needs, &result);
        let stms = stms.into_iter().map(Some).collect();
        let (sunk, fused, subst) = (HashMap::default(), HashSet::default(), HashMap::default());
        Work { consumable, stms, needs, whole, uses, result, sunk, fused, subst }
    }

    fn stm(&self, i: usize) -> Option<&Stm> {
        self.stms.get(i)?.as_ref()
    }

    /// The first and the last place where what statement i binds is used.
    fn users(&self, i: usize) -> Option<(usize, usize)> {
        let bound = || self.stm(i).into_iter().flat_map(|stm| &stm.pat).map(|b| b.var);
        let first = bound().filter_map(|v| self.uses.first(v, i)).min()?;
        Some((first, bound().filter_map(|v| self.uses.last(v)).max()?))
    }

    /// The first of these statements that consumes what statement i uses.
    fn consumer(&self, i: usize, among: Range<usize>) -> Option<usize> {
        let groups = self.needs[i].uses.iter().map(|v| self.consumable.group(*v));
        groups.filter_map(|group| self.uses.consumer(group, among.clone())).min()
    }

    /// Takes statement i out, which becomes part of statement j.
    fn take(&mut self, i: usize, j: usize) -> Option<Stm> {
        let stm = self.stms[i].take()?;
        let needs = std::mem::take(&mut self.needs[i]);
        self.uses.moved(&needs, i, j);
        self.needs[j] = std::mem::take(&mut self.needs[j]).with(needs);
        for b in &stm.pat {
            self.uses.unused(b.var, j);
            self.needs[j].uses.remove(&b.var);
        }
        self.whole[j] = union(std::mem::take(&mut self.whole[j]), std::mem::take(&mut self.whole[i]));
        Some(stm)
    }

    fn finish(mut self) -> Body {
        // what stands for a parameter may be a parameter for which another stands
        for v in self.subst.keys().copied().collect::<Vec<_>>() {
            let mut e = SubExp::Var(v);
            while let Some(next) = e.as_var().and_then(|w| self.subst.get(&w)) {
                e = *next;
            }
            self.subst.insert(v, e);
        }
        for i in self.fused {
            self.stms[i].iter_mut().for_each(|stm| substitute(stm, &self.subst));
        }
        for (i, stms) in self.sunk {
            if let Some(Exp::WithAcc(w)) = self.stms[i].as_mut().map(|stm| &mut stm.exp) {
                w.lambda.body.stms.splice(0..0, stms.into_iter().rev());
            }
        }
        Body { stms: self.stms.into_iter().flatten().collect(), result: self.result }
    }
}

/// Whether it is no map, or one of accumulators.
fn stays(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Screma(s) => s.map.params.iter().any(|p| matches!(p.ty, Type::Acc(_))),
        _ => true,
    }
}

impl Fuse<'_> {
    /// Moves SOACs whose results are used only in the λ of one later `withacc` into that λ, which runs once.
    fn sink(&self, work: &mut Work) {
        for i in (0..work.stms.len()).rev() {
            let Some(stm) = work.stm(i).filter(|stm| !stays(stm)) else { continue };
            let Some((user, last)) = work.users(i) else { continue };
            // nothing from outside of the λ may be consumed in it, nor on the way to it
            if user != last || work.consumer(i, i..user + 1).is_some() {
                continue;
            }
            let inside = match work.stm(user).map(|stm| &stm.exp) {
                Some(Exp::WithAcc(w)) => {
                    let outside = w.inputs.iter().flat_map(|i| i.arrays.iter().copied().chain(free_vars(&i.op.lambda)));
                    let neutral = w.inputs.iter().flat_map(|i| i.op.neutral.iter().filter_map(|e| e.as_var()));
                    !outside.chain(neutral).any(|v| stm.pat.iter().any(|b| b.var == v))
                }
                _ => false,
            };
            if inside {
                let stm = work.take(i, user);
                work.sunk.entry(user).or_default().extend(stm);
            }
        }
    }

    /// Makes maps part of what maps over their results: see Note [What waits].
    fn pairs(&mut self, work: &mut Work) {
        let mut asked: BinaryHeap<Reverse<usize>> = (0..work.stms.len()).map(Reverse).collect();
        let mut waiting: HashMap<usize, Vec<usize>> = HashMap::default();
        while let Some(Reverse(i)) = asked.pop() {
            match self.user(work, i) {
                None => {}
                Some(Err(in_the_way)) => waiting.entry(in_the_way).or_default().push(i),
                Some(Ok(j)) => {
                    let both = work.take(i, j).zip(work.stms[j].take());
                    work.stms[j] = both.map(|(first, second)| self.fused(first, second, work));
                    work.fused.insert(j);
                    asked.extend(waiting.remove(&i).into_iter().flatten().chain([j]).map(Reverse));
                }
            }
        }
    }

    /// The first user of a map, of which it can become part; or a statement that is in the way.
    fn user(&self, work: &Work, i: usize) -> Option<Result<usize, usize>> {
        let stm = work.stm(i)?;
        let Exp::Screma(first) = &stm.exp else { return None };
        if !first.scans.is_empty() || !first.reduces.is_empty() || first.post.is_some() {
            return None;
        }
        let (j, last) = work.users(i)?;
        let second = work.stm(j)?;
        let bound: HashSet<Var> = stm.pat.iter().map(|b| b.var).collect();
        let Some((arrays, map)) = mapped(&second.exp) else { return Some(Err(j)) };
        // any other use inside needs the whole array
        let whole = bound.iter().any(|v| work.whole[j].contains(v));
        // what stays a result must not be consumed as a row inside
        let mut params = map.params.iter().zip(arrays).filter(|(_, a)| bound.contains(a));
        let consumed_row =
            params.any(|(p, _)| matches!(p.ty, Type::Array(..)) && self.consumable.may_be_consumed(p.var));
        let keeps_results = matches!(second.exp, Exp::Screma(_));
        if whole || consumed_row || (last != j && !keeps_results) || adds_at_other_width(first, &second.exp) {
            return Some(Err(j));
        }
        // the inputs must still be there at j, which must not consume them itself
        Some(work.consumer(i, i + 1..j + 1).map_or(Ok(j), Err))
    }

    fn fused(&mut self, first: Stm, second: Stm, work: &mut Work) -> Stm {
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
                let is_kept = |b: &Screma, out: &Binder| match out.ty {
                    Type::Acc(_) => !b.arrays.contains(&out.var),
                    _ => work.uses.last(out.var).is_some(),
                };
                let kept: Vec<usize> = (0..first.pat.len()).filter(|k| is_kept(b, &first.pat[*k])).collect();
                let results: Vec<SubExp> = kept.iter().map(|k| a.map.body.result[*k]).collect();
                let ret: Vec<Type> = kept.iter().map(|k| a.map.ret[*k].clone()).collect();
                inline_rows(*a, &first.pat, &mut b.arrays, &mut b.map, &mut work.subst);
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
            Exp::Hist(h) => inline_rows(*a, &first.pat, &mut h.arrays, &mut h.map, &mut work.subst),
            Exp::Scatter(s) => inline_rows(*a, &first.pat, &mut s.arrays, &mut s.map, &mut work.subst),
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

/// The same arrays, to be changed.
fn mapped_mut(exp: &mut Exp) -> Option<&mut Vec<Var>> {
    match exp {
        Exp::Screma(s) => Some(&mut s.arrays),
        Exp::Hist(h) => Some(&mut h.arrays),
        Exp::Scatter(s) => Some(&mut s.arrays),
        _ => None,
    }
}

/// Puts the code of a map, whose results are these, before that of a λ that is mapped over them. What stands for the parameters of that λ is handed out.
fn inline_rows(
    first: Screma,
    results: &[Binder],
    arrays: &mut Vec<Var>,
    map: &mut Lambda,
    subst: &mut HashMap<Var, SubExp>,
) {
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
    let mut stms = first.map.body.stms;
    stms.append(&mut map.body.stms);
    map.body.stms = stms;
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
        let program = fuse(program, &mut Analyses::default());
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
        // and that of what has become part of the first
        let of_ys = "let (ts_15: [n_0]f64) = screma n_0 (ys_10) map \\(y_16: f64) -> (f64) { let (e_17: f64) = exp.f64(y_16) in (e_17) }";
        let of_ts = SUM.replace("(ys_10)", "(ts_15)");
        let (soacs, text) =
            fused("s_4: f64, *u_5: [n_0]f64", &format!("{of_zs} {of_ys} {update} {of_ts} in (s_20, us_31)"));
        assert!(soacs == 2 && text.find("exp") < text.find("update"), "{text}");
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
        let program = fuse(text.parse().unwrap_or_else(|e| panic!("{e}")), &mut Analyses::default());
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
