//! Horizontal fusion: SOACs of one width that read an array in common, none of which needs the other, become one: the array is read once (digest 000 §1.11; rows
//! A9, D20). What differentiation has split into SOACs of one operator each comes together again.

// Note [What is combined]
// ~~~~~~~~~~~~~~~~~~~~~~~
// Two maps, two reductions, or two scans, of scalars, whose λs have no SOAC inside: what is nested is left alone, as two perfect nests make better kernels than one
// imperfect nest. The second moves up to the first, if all that it needs is there already, or the first moves down to the second, if nobody needs it on the way. With such
// λs neither consumes anything, nor is anything consumed on the way that the other reads. Neither may fail, so that no failure comes before another one.
//
// Arrays that would be made one after the other are made at once: so there are few of them, and they come from nearby.

/// So many results a SOAC has at most that is made of two.
const RESULTS: usize = 4;
/// So many statements further on a SOAC looks for another.
const FAR: usize = 32;

use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::analysis::uses::Needs;
use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{VisitMut, substitute, walk_exp_mut};
use crate::ir::*;
use std::collections::VecDeque;

/// Combines what can be combined.
pub fn combine(mut program: Program, known: &mut Analyses) -> Program {
    let consumable = known.consumable(&program);
    let Program { funs, prov } = &mut program;
    let mut combine = Combine { consumable: &consumable, prov, changed: false };
    funs.iter_mut().for_each(|fun| combine.body(&mut fun.body));
    if combine.changed {
        known.changed();
    }
    program
}

struct Combine<'a> {
    consumable: &'a Consumable,
    prov: &'a mut ProvTable,
    /// Whether anything has been combined.
    changed: bool,
}

impl VisitMut for Combine<'_> {
    fn body(&mut self, body: &mut Body) {
        let needing = |stm: Stm| (Needs::of(&stm, self.consumable), stm);
        let mut ahead: VecDeque<(Needs, Stm)> = std::mem::take(&mut body.stms).into_iter().map(needing).collect();
        while let Some((needs, stm)) = ahead.pop_front() {
            let Some((j, at)) = self.partner(&needs, &stm, &ahead) else {
                body.stms.push(stm);
                continue;
            };
            // what is near the front is taken out, and put in, at little cost
            if let Some((more, second)) = ahead.remove(j) {
                ahead.insert(at, (needs.with(more), self.combined(stm, second)));
            }
        }
        for stm in &mut body.stms {
            walk_exp_mut(self, &mut stm.exp);
        }
    }
}

/// Whether a SOAC is one of those that are combined.
fn is_plain(s: &Screma) -> bool {
    fn is_scalar(body: &Body) -> bool {
        body.stms.iter().all(|stm| match &stm.exp {
            Exp::If { yes, no, .. } => is_scalar(yes) && is_scalar(no),
            exp => matches!(exp, Exp::SubExp(_) | Exp::Prim(..) | Exp::Index { .. }),
        })
    }
    let scalars = s.map.ret.iter().all(|t| matches!(t, Type::Scalar(_)));
    let lambdas = s.scans.iter().chain(&s.reduces).map(|op| &op.lambda).chain([&s.map]);
    s.post.is_none() && scalars && lambdas.into_iter().all(|l| is_scalar(&l.body)) && kind(s).is_some()
}

/// What all results of a SOAC come from.
#[derive(PartialEq)]
enum Kind {
    Map,
    Reduce,
    Scan,
}

/// The kind of a SOAC, if it is of one.
fn kind(s: &Screma) -> Option<Kind> {
    let operands: usize = s.scans.iter().chain(&s.reduces).map(|op| op.neutral.len()).sum();
    match (s.scans.is_empty(), s.reduces.is_empty(), s.map.ret.len() > operands) {
        (true, true, _) => Some(Kind::Map),
        (true, false, false) => Some(Kind::Reduce),
        (false, true, false) => Some(Kind::Scan),
        _ => None,
    }
}

impl Combine<'_> {
    /// The first statement ahead that can be combined with this one, and the place of both, when it is taken out: ahead of all, or where it was.
    fn partner(&self, inputs: &Needs, first: &Stm, ahead: &VecDeque<(Needs, Stm)>) -> Option<(usize, usize)> {
        let Exp::Screma(a) = &first.exp else { return None };
        if !is_plain(a) {
            return None;
        }
        let results: HashSet<Var> = first.pat.iter().map(|p| p.var).collect();
        let mut between: HashSet<Var> = results.clone();
        // whether the first can still move down
        let mut down = true;
        let inputs: HashSet<Var> = inputs.uses.iter().map(|v| self.consumable.group(*v)).collect();
        // mutant sign: two statements further on are as good a bound
        for (j, (needs, stm)) in ahead.iter().take(FAR - 1).enumerate() {
            down &= needs.uses.is_disjoint(&results) && needs.consumes.is_disjoint(&inputs);
            if let Exp::Screma(b) = &stm.exp
                && b.width == a.width
                && kind(a) == kind(b)
                && a.map.ret.len() + b.map.ret.len() <= RESULTS
                && stm.attrs == first.attrs
                && b.arrays.iter().any(|v| a.arrays.contains(v))
                && is_plain(b)
            {
                if needs.uses.is_disjoint(&between) {
                    return Some((j, 0));
                }
                if down {
                    return Some((j, j));
                }
            }
            between.extend(stm.pat.iter().map(|p| p.var));
        }
        None
    }

    /// The first with the second in it.
    fn combined(&mut self, mut first: Stm, second: Stm) -> Stm {
        self.changed = true;
        first.prov = self.prov.of_both(first.prov, second.prov);
        let (Exp::Screma(a), Exp::Screma(mut b)) = (&mut first.exp, second.exp) else { return first };
        let mut params = HashMap::default();
        for (array, p) in b.arrays.into_iter().zip(b.map.params) {
            match a.arrays.iter().position(|v| *v == array) {
                Some(k) => _ = params.insert(p.var, SubExp::Var(a.map.params[k].var)),
                None => {
                    a.arrays.push(array);
                    a.map.params.push(p);
                }
            }
        }
        substitute(&mut b.map.body, &params);
        a.map.body.stms.extend(b.map.body.stms);
        a.map.body.result.extend(b.map.body.result);
        a.map.ret.extend(b.map.ret);
        a.scans.extend(b.scans);
        a.reduces.extend(b.reduces);
        first.pat.extend(second.pat);
        first.certs.extend(second.certs);
        first.certs.sort_unstable();
        first.certs.dedup();
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check;

    fn combined(body: &str, ret: &str) -> String {
        let text = format!("futi-ir 1\nfun \"main\"(xs_1: [4]f64, ys_2: [4]f64) -> {ret} {{ {body} }}");
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let program = combine(program, &mut Analyses::default());
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        program.to_string()
    }

    const SUM: &str = "let (a_3: f64) = screma 4 (xs_1) map \\(x_4: f64) -> (f64) { in (x_4) } \
                       reduce \\(p_5: f64, q_6: f64) -> (f64) { let (r_7: f64) = add.f64(p_5, q_6) in (r_7) } neutral (0.0f64) ";

    fn product(of: &str) -> String {
        format!(
            "let (b_8: f64) = screma 4 ({of}) map \\(x_9: f64, y_10: f64) -> (f64) {{ let (z_11: f64) = mul.f64(x_9, y_10) in (z_11) }} \
             reduce \\(p_12: f64, q_13: f64) -> (f64) {{ let (r_14: f64) = mul.f64(p_12, q_13) in (r_14) }} neutral (1.0f64) "
        )
    }

    #[test]
    fn reductions_of_one_array_are_one() {
        let both = combined(&format!("{SUM}{}in (a_3, b_8)", product("xs_1, ys_2")), "(r_90: f64, r_91: f64)");
        assert_eq!(both.matches("screma").count(), 1, "{both}");
        assert!(both.contains("(xs_1, ys_2)"), "{both}");
    }

    #[test]
    fn what_needs_the_other_or_reads_other_arrays_is_not_combined() {
        let needed = "let (c_20: [4]f64) = replicate [4] a_3 ";
        let apart = combined(&format!("{SUM}{needed}{}in (a_3, b_8)", product("xs_1, c_20")), "(r_90: f64, r_91: f64)");
        assert_eq!(apart.matches("screma").count(), 2, "{apart}");
        let apart = combined(&format!("{SUM}{}in (a_3, b_8)", product("ys_2, ys_2")), "(r_90: f64, r_91: f64)");
        assert_eq!(apart.matches("screma").count(), 2, "{apart}");
    }

    /// What the second needs is bound between them, and nobody needs the first before.
    #[test]
    fn the_first_moves_down_where_the_second_cannot_move_up() {
        let between = "let (n_20: f64) = index ys_2[1i64] let (c_21: [4]f64) = replicate [4] n_20 ";
        let both = combined(&format!("{SUM}{between}{}in (a_3, b_8)", product("xs_1, c_21")), "(r_90: f64, r_91: f64)");
        assert_eq!(both.matches("screma").count(), 1, "{both}");
        let used = format!("{between}let (d_22: f64) = mul.f64(a_3, n_20) ");
        let apart = combined(&format!("{SUM}{used}{}in (d_22, b_8)", product("xs_1, c_21")), "(r_90: f64, r_91: f64)");
        assert_eq!(apart.matches("screma").count(), 2, "{apart}");
    }

    /// Of a map that has a row beside a scalar, and a reduction with another SOAC inside of its map, though its operator has none.
    #[test]
    fn what_is_not_of_scalars_alone_is_not_combined() {
        let square = "let (a_3: [4]f64) = screma 4 (xs_1) map \\(x_4: f64) -> (f64) { let (s_5: f64) = mul.f64(x_4, x_4) in (s_5) } ";
        let rows = "let (m_6: [4][4]f64) = replicate [4] ys_2 \
                    let (b_7: [4]f64, c_8: [4][4]f64) = screma 4 (xs_1, m_6) map \\(x_9: f64, row_10: [4]f64) -> (f64, [4]f64) { \
                    let (n_11: f64) = neg.f64(x_9) in (n_11, row_10) } ";
        let ret = "(r_90: [4]f64, r_91: [4]f64, r_92: [4][4]f64)";
        let apart = combined(&format!("{square}{rows}in (a_3, b_7, c_8)"), ret);
        assert_eq!(apart.matches("screma").count(), 2, "{apart}");
        // without the row they are
        let negated = "let (b_7: [4]f64) = screma 4 (xs_1) map \\(x_9: f64) -> (f64) { let (n_11: f64) = neg.f64(x_9) in (n_11) } ";
        let both = combined(&format!("{square}{negated}in (a_3, b_7)"), "(r_90: [4]f64, r_91: [4]f64)");
        assert_eq!(both.matches("screma").count(), 1, "{both}");

        let inner = "let (z_11: f64) = screma 4 (ys_2) map \\(v_30: f64) -> (f64) { let (w_31: f64) = mul.f64(v_30, x_9) in (w_31) } \
                     reduce \\(p_32: f64, q_33: f64) -> (f64) { let (r_34: f64) = add.f64(p_32, q_33) in (r_34) } neutral (0.0f64)";
        let nested = product("xs_1, ys_2").replace("let (z_11: f64) = mul.f64(x_9, y_10)", inner);
        let apart = combined(&format!("{SUM}{nested}in (a_3, b_8)"), "(r_90: f64, r_91: f64)");
        assert_eq!(apart.matches("screma").count(), 3, "{apart}");
    }

    #[test]
    fn also_inside_of_branches_and_operators() {
        let two = format!("{SUM}{}in (a_3, b_8)", product("xs_1, ys_2"));
        let ret = "(r_90: f64, r_91: f64)";
        let branch = "let (c_40: bool) = lt.i64(1i64, 2i64) let (t_41: f64, t_42: f64) = if c_40 then { ";
        let both = combined(&format!("{branch}{two} }} else {{ in (0.0f64, 0.0f64) }} in (t_41, t_42)"), ret);
        assert_eq!(both.matches("screma").count(), 1, "{both}");
    }

    #[test]
    fn both_rely_on_what_either_relied_on_each_said_once() {
        let checks = "let (c_30: cert) = check bounds (1i64) [4] let (c_31: cert) = check bounds (2i64) [4] ";
        let product = product("xs_1, ys_2");
        for (first, second) in [("c_31", "c_30, c_31"), ("c_31", "c_30"), ("c_30", "c_31")] {
            let body = format!("{checks}{SUM}certs ({first}) {product}certs ({second}) in (a_3, b_8)");
            let both = combined(&body, "(r_90: f64, r_91: f64)");
            assert_eq!(both.matches("screma").count(), 1, "{both}");
            assert!(both.contains("certs (c_30, c_31)"), "{both}");
        }
    }
}
