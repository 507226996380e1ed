//! Accumulators to histograms, and back (Schenck et al. §6.1, digest 002 §1A.19: the last of their specialisations).
//!
//! A map that adds to each accumulator once, at an index that only the program knows, and does nothing else, is a histogram: a backend that has kernels
//! for these has all that they need in one place. For one that has atomic updates instead, and no such kernels, histograms are accumulators: that way
//! flattening treats them as it does all nests with updates.

use crate::analysis::Analyses;
use crate::analysis::alias::consumable_by;
use crate::ir::build::{Builder, Vars, map_exp};
use crate::ir::visit::{VisitMut, free_vars, walk_exp_mut};
use crate::ir::*;

/// Makes accumulators histograms, where they are.
pub fn histograms(mut program: Program, known: &mut Analyses) -> Program {
    let mut histograms = Histograms { vars: known.vars(&program), changed: false };
    program.funs.iter_mut().for_each(|fun| histograms.body(&mut fun.body));
    if histograms.changed {
        known.changed();
    } else {
        known.unchanged(histograms.vars);
    }
    program
}

/// Makes histograms accumulators.
pub fn updates(mut program: Program, known: &mut Analyses) -> Program {
    let mut updates = Updates { vars: known.vars(&program), changed: false };
    program.funs.iter_mut().for_each(|fun| updates.body(&mut fun.body));
    if updates.changed {
        known.changed();
    } else {
        known.unchanged(updates.vars);
    }
    program
}

struct Histograms {
    vars: Vars,
    changed: bool,
}

impl VisitMut for Histograms {
    fn body(&mut self, body: &mut Body) {
        for mut stm in body.take_stms() {
            walk_exp_mut(self, &mut stm.exp);
            match histogram(&mut self.vars, &stm) {
                Some(stms) => {
                    self.changed = true;
                    body.stms.extend(stms);
                }
                None => body.stms.push(stm),
            }
        }
    }
}

/// The code of a `withacc`, all of whose accumulators are updated in one map, once for each element.
fn histogram(vars: &mut Vars, stm: &Stm) -> Option<Vec<Stm>> {
    let Exp::WithAcc(WithAcc { inputs, lambda }) = &stm.exp else { return None };
    let Lambda { params, body, .. } = lambda;
    let accs: Vec<Var> = params[inputs.len()..].iter().map(|p| p.var).collect();
    let is_user = |stm: &Stm| free_vars(stm).iter().any(|v| accs.contains(v));
    let at = body.stms.iter().position(is_user)?;
    let Exp::Screma(s) = &body.stms[at].exp else { return None };
    // it has no other results, of scans or reductions neither; what it leaves of the accumulators is what the function leaves, so nothing updates them later
    if s.post.is_some() || body.stms[at].pat.len() != accs.len() || s.arrays.len() == accs.len() {
        return None;
    }
    let mut map = s.map.clone();
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for (acc, result) in accs.iter().zip(&body.result) {
        let param = s.arrays.iter().position(|array| array == acc)?;
        let out = body.stms[at].pat.iter().position(|p| *result == p.var.into())?;
        let (of_update, of_value) = operands(vars, &mut map.body, map.params[param].var, s.map.body.result[out])?;
        indices.extend(of_update);
        values.extend(of_value);
    }
    let types = inputs.iter().flat_map(|input| input.op.lambda.ret.iter().cloned());
    map.ret = indices.iter().map(|_| Type::I64).chain(types).collect();
    map.body.result = [indices, values].concat();
    let rows = s.arrays.iter().copied().zip(map.params).filter(|(array, _)| !accs.contains(array));
    let (arrays, params) = rows.unzip();
    map.params = params;

    let of_input = |i: &AccInput| HistOp { shape: i.shape.clone(), dests: i.arrays.clone(), op: i.op.clone() };
    let exp = Exp::from(Hist { width: s.width, arrays, map, ops: inputs.iter().map(of_input).collect() });
    let (dests, others) = stm.pat.split_at(inputs.iter().map(|input| input.arrays.len()).sum());
    let certs = stm.certs.iter().chain(&body.stms[at].certs).copied().collect();
    // what stands in the function relies on what the function relies on
    let mut stms = body.stms.clone();
    stms.iter_mut().for_each(|inner| inner.certs.extend(&stm.certs));
    stms[at] = Stm { pat: dests.to_vec(), exp, certs, attrs: body.stms[at].attrs.clone(), prov: stm.prov };
    for (p, e) in others.iter().zip(&body.result[accs.len()..]) {
        stms.push(Stm {
            pat: vec![p.clone()],
            exp: Exp::SubExp(*e),
            certs: stm.certs.clone(),
            attrs: vec![],
            prov: stm.prov,
        });
    }
    Some(stms)
}

/// The operands of the only update that a body makes of an accumulator, which it leaves as this result. The update is taken out; its operands rely on what it relied on.
fn operands(vars: &mut Vars, body: &mut Body, acc: Var, result: SubExp) -> Option<(Vec<SubExp>, Vec<SubExp>)> {
    let at = body.stms.iter().position(|stm| free_vars(stm).contains(&acc))?;
    let stm = &body.stms[at];
    let Exp::UpdAcc { indices, values, .. } = &stm.exp else { return None };
    if result != stm.pat[0].var.into() {
        return None;
    }
    let mut b = Builder::new(vars, stm.prov);
    b.certs = stm.certs.clone();
    let indices = indices.iter().map(|e| b.relying(*e)).collect();
    let values = values.iter().map(|e| b.relying(*e)).collect();
    let relying = b.stms;
    body.stms.splice(at..=at, relying);
    Some((indices, values))
}

struct Updates {
    vars: Vars,
    changed: bool,
}

impl VisitMut for Updates {
    fn stm(&mut self, stm: &mut Stm) {
        walk_exp_mut(self, &mut stm.exp);
        if let Exp::Hist(h) = &stm.exp {
            let mut b = Builder::new(&mut self.vars, stm.prov);
            stm.exp = Exp::WithAcc(withacc(&mut b, h));
            self.changed = true;
        }
    }
}

/// The accumulators that a histogram's map updates.
fn withacc(b: &mut Builder, h: &Hist) -> WithAcc {
    let mut map = h.map.clone();
    let indices = h.ops.iter().map(|op| op.shape.len()).sum();
    let values = map.body.result.split_off(indices);
    let (mut indices, mut values) = (map.body.result.iter().copied(), values.into_iter());
    let (mut inputs, mut ids, mut accs, mut updates) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for HistOp { shape, dests, op } in &h.ops {
        let id = b.vars.fresh("id", Type::Cert);
        let ty = Type::Acc(AccType { id: id.var, shape: shape.clone(), elems: op.lambda.ret.clone() });
        let (outer, inner) = (b.vars.fresh("acc", ty.clone()), b.vars.fresh("acc", ty));
        let indices = indices.by_ref().take(shape.len()).collect();
        let values = values.by_ref().take(dests.len()).collect();
        updates.push(Exp::UpdAcc { acc: inner.var, indices, values });
        inputs.push(AccInput { shape: shape.clone(), arrays: dests.clone(), op: op.clone() });
        map.params.push(inner);
        ids.push(id);
        accs.push(outer);
    }
    let made = b.inner(|b| updates.into_iter().map(|update| b.let_one("acc", update).into()).collect());
    map.body.stms.extend(made.stms);
    map.body.result = made.result;
    map.ret = accs.iter().map(|acc| acc.ty.clone()).collect();
    let ret = map.ret.clone();
    let consumed = consumable_by(&map.body, &[]);
    let body = b.inner(|b| {
        let mut arrays = Vec::new();
        for (array, row) in h.arrays.iter().zip(&map.params) {
            // what comes from outside of the function is not its own
            let copied = row.ty.rank() > 0 && consumed.may_be_consumed(row.var);
            arrays.push(if copied { b.let_one("own", Exp::Copy(*array)) } else { *array });
        }
        arrays.extend(accs.iter().map(|acc| acc.var));
        b.let_many("acc", map_exp(h.width, arrays, map)).into_iter().map(SubExp::Var).collect()
    });
    WithAcc { inputs, lambda: Lambda { params: ids.into_iter().chain(accs).collect(), ret, body } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check;

    const ADD: &str =
        "comm \\(x_12: f64, y_13: f64) -> (f64) { let (t_14: f64) = add.f64(x_12, y_13) in (t_14) } neutral (0.0f64)";

    /// A `withacc` of two accumulators on arrays of four elements; `map` turns `acc_20` and `acc_21` into `acc_30` and `acc_31`; `rest` comes behind.
    fn program(map: &str, rest: &str) -> Program {
        let acc = |k: usize| format!("acc(id_{k}, [4] (f64))");
        let (first, second) = (acc(18), acc(19));
        let other = ADD.replace("_1", "_4");
        let map = map.replace("A1", &first).replace("A2", &second);
        let text = format!(
            "futi-ir 1
            fun \"main\"(n_0: i64, is_1: [n_0]i64, xs_2: [n_0]f64, *ys_3: [4]f64, *zs_4: [4]f64) -> (*r_90: [4]f64, *r_91: [4]f64, r_92: f64) {{
              let (a_10: [4]f64, b_11: [4]f64, c_15: f64) = withacc input [4] (ys_3) {ADD} input [4] (zs_4) {other} do
                \\(id_18: cert, id_19: cert, acc_20: {first}, acc_21: {second}) -> ({first}, {second}, f64) {{
                {map} {rest} }}
              in (a_10, b_11, c_15) }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        program
    }

    fn after(pass: fn(Program, &mut Analyses) -> Program, program: Program) -> (Program, [usize; 4]) {
        let program = pass(program, &mut Analyses::default());
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let text = program.to_string();
        (program, ["withacc", "updacc", "hist ", "dest ["].map(|word| text.matches(word).count()))
    }

    /// The second accumulator comes first in the map, and in its results.
    const BOTH: &str = "let (acc_31: A2, acc_30: A1) = screma n_0 (acc_21, is_1, acc_20, xs_2)
        map \\(acc_22: A2, i_23: i64, acc_24: A1, x_25: f64) -> (A2, A1) {
          let (c_26: cert) = check bounds (i_23) [4]
          let (acc_27: A1) = updacc acc_24[i_23] (x_25) certs (c_26)
          let (v_28: f64) = mul.f64(x_25, 2.0f64)
          let (acc_29: A2) = updacc acc_22[0i64] (v_28)
          in (acc_29, acc_27) }";

    #[test]
    fn a_map_that_updates_each_accumulator_once_is_a_histogram_and_back() {
        let (hist, words) = after(histograms, program(BOTH, "in (acc_30, acc_31, 1.0f64)"));
        assert_eq!(words, [0, 0, 1, 2], "{hist}");
        let text = hist.to_string();
        // indices before values, in the order of the inputs; what relied on the check does
        let relying = |name: &str| text.contains(&format!("{name}) = ")) && text.contains("certs (c_26)");
        assert!(relying("i64") && text.contains("dest [4] (ys_3)"), "{text}");
        assert!(text.contains(", 0i64, checked_"), "{text}");
        assert!(text.find("dest [4] (ys_3)") < text.find("dest [4] (zs_4)"), "{text}");
        let (acc, words) = after(updates, hist);
        assert_eq!(words, [1, 2, 0, 0], "{acc}");
    }

    #[test]
    fn what_else_the_function_computes_stays() {
        let rest =
            "let (s_40: f64) = index xs_2[0i64] let (t_41: f64) = add.f64(s_40, 1.0f64) in (acc_30, acc_31, t_41)";
        let (program, words) = after(histograms, program(BOTH, rest));
        assert_eq!(words, [0, 0, 1, 2], "{program}");
        assert!(program.to_string().contains("= t_41"), "{program}");
    }

    #[test]
    fn what_does_more_stays() {
        let stays = |map: &str, rest: &str| {
            let (program, words) = after(histograms, program(map, rest));
            assert_eq!(words[2], 0, "{program}");
        };
        // an update before the map, one behind it
        let before = "let (acc_20b: A1) = updacc acc_20[0i64] (1.0f64) ".replace("20b", "50");
        stays(&(before + &BOTH.replace("acc_20", "acc_50")), "in (acc_30, acc_31, 1.0f64)");
        stays(
            BOTH,
            "let (acc_51: A) = updacc acc_30[0i64] (1.0f64) in (acc_51, acc_31, 1.0f64)"
                .replace("A)", "acc(id_18, [4] (f64)))")
                .as_str(),
        );
        // two updates of one
        let twice = BOTH.replace("let (v_28: f64)", "let (acc_52: A1) = updacc acc_27[i_23] (x_25) let (v_28: f64)");
        stays(&twice.replace("(acc_29, acc_27)", "(acc_29, acc_52)"), "in (acc_30, acc_31, 1.0f64)");
        // one of them is not updated
        let once = BOTH.replace("let (acc_29: A2) = updacc acc_22[0i64] (v_28)", "").replace("(acc_29, ", "(acc_22, ");
        stays(&once, "in (acc_30, acc_31, 1.0f64)");
        // the map has another result
        let more = BOTH
            .replace("(acc_31: A2, acc_30: A1)", "(acc_31: A2, acc_30: A1, vs_53: [n_0]f64)")
            .replace("-> (A2, A1)", "-> (A2, A1, f64)")
            .replace("(acc_29, acc_27)", "(acc_29, acc_27, v_28)");
        stays(&more, "let (v_54: f64) = index vs_53[0i64] in (acc_30, acc_31, v_54)");
        // an update in a branch
        let branch = BOTH.replace(
            "let (acc_27: A1) = updacc acc_24[i_23] (x_25) certs (c_26)",
            "let (b_55: bool) = lt.f64(x_25, 0.0f64)
             let (acc_27: A1) = if b_55 then { let (acc_56: A1) = updacc acc_24[i_23] (x_25) in (acc_56) } else { in (acc_24) }",
        );
        stays(&branch, "in (acc_30, acc_31, 1.0f64)");
    }

    /// The histogram consumes rows of an array, which the function of accumulators may not do.
    #[test]
    fn rows_that_are_consumed_are_copied() {
        let text = format!(
            "futi-ir 1
            fun \"main\"(*xss_1: [3][2]f64, ks_2: [3]i64, *ys_3: [4]f64) -> (*r_90: [4]f64) {{
              let (h_4: [4]f64) = hist 3 (ks_2, xss_1) map \\(k_5: i64, xs_6: [2]f64) -> (i64, f64) {{
                let (zs_7: [2]f64) = update xs_6[0i64] = 1.0f64 let (z_8: f64) = index zs_7[1i64] in (k_5, z_8) }}
                dest [4] (ys_3) {ADD}
              in (h_4) }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let (program, words) = after(updates, program);
        assert_eq!(words, [1, 1, 0, 0], "{program}");
        let text = program.to_string();
        assert_eq!(text.matches("copy ks_2").count() + text.matches("copy xss_1").count(), 1, "{text}");
    }

    /// What relies on a check as a whole does so in each of its parts.
    #[test]
    fn what_the_accumulation_relies_on_stays() {
        let mut program = program(BOTH, "let (s_40: f64) = index xs_2[0i64] in (acc_30, acc_31, s_40)");
        let body = &mut program.funs[0].body;
        let cert = Binder { var: Var(99), name: "c".into(), ty: Type::Cert };
        let check = Exp::Check(Check::NonZero(SubExp::i64(1)));
        body.stms[0].certs.push(cert.var);
        let (certs, attrs, prov) = (Vec::new(), Vec::new(), body.stms[0].prov);
        body.stms.insert(0, Stm { pat: vec![cert], exp: check, certs, attrs, prov });
        let (program, _) = after(histograms, program);
        let stms = &program.funs[0].body.stms[1..];
        assert!(stms.len() > 2 && stms.iter().all(|stm| stm.certs.contains(&Var(99))), "{program}");
    }

    #[test]
    fn accumulations_and_histograms_inside_are_found() {
        let mut inside = program(BOTH, "in (acc_30, acc_31, 1.0f64)");
        let (cond, prov) = (SubExp::Lit(Scalar::Bool(true)), inside.funs[0].body.stms[0].prov);
        let Body { stms, result } = std::mem::take(&mut inside.funs[0].body);
        let pat: Vec<Binder> = (0..3)
            .map(|k| Binder { var: Var(95 + k), name: "r".into(), ty: stms[0].pat[k as usize].ty.clone() })
            .collect();
        inside.funs[0].body.result = pat.iter().map(|p| p.var.into()).collect();
        let yes = Body { stms, result };
        let no = Body { stms: Vec::new(), result: vec![Var(3).into(), Var(4).into(), Scalar::F64(0.0).into()] };
        let exp = Exp::If { cond, yes, no };
        inside.funs[0].body.stms.push(Stm { pat, exp, certs: Vec::new(), attrs: Vec::new(), prov });
        assert_eq!(check::errors(&inside), Vec::new(), "{inside}");
        let (hist, words) = after(histograms, inside);
        assert_eq!(words, [0, 0, 1, 2], "{hist}");
        let (acc, words) = after(updates, hist);
        assert_eq!(words, [1, 2, 0, 0], "{acc}");
    }

    /// Of a call it is not known what it does with its arguments; a number is nobody's to consume.
    #[test]
    fn numbers_are_not_copied() {
        let text = format!(
            "futi-ir 1
            fun \"main\"(n_0: i64, ks_2: [n_0]i64, *ys_3: [4]f64) -> (*r_90: [4]f64) {{
              let (h_4: [4]f64) = hist n_0 (ks_2) map \\(k_5: i64) -> (i64, f64) {{
                let (x_6: f64) = call \"g\" (k_5) in (k_5, x_6) }} dest [4] (ys_3) {ADD}
              in (h_4) }}
            fun \"g\"(k_91: i64) -> (x_92: f64) {{ let (y_93: f64) = conv.i64.f64(k_91) in (y_93) }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (program, words) = after(updates, program);
        assert_eq!((words, program.to_string().matches("copy").count()), ([1, 1, 0, 0], 0), "{program}");
    }

    /// The accumulators themselves are all that the map gets.
    #[test]
    fn a_map_over_nothing_stays() {
        let map =
            "let (acc_30: A1, acc_31: A2) = screma 3 (acc_20, acc_21) map \\(acc_22: A1, acc_23: A2) -> (A1, A2) {
          let (acc_27: A1) = updacc acc_22[1i64] (2.0f64)
          let (acc_29: A2) = updacc acc_23[0i64] (3.0f64)
          in (acc_27, acc_29) }";
        let (program, words) = after(histograms, program(map, "in (acc_30, acc_31, 1.0f64)"));
        assert_eq!(words[2], 0, "{program}");
    }
}
