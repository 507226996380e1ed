//! Arrays of integers no two elements of which are equal, as far as the code shows it: what is written at such positions is written once.

use crate::hash::HashSet;
use crate::ir::*;
use crate::prim::{BinOp, Prim, UnOp};

/// The arrays of which it is known, of the statements that have been noted.
#[derive(Default)]
pub struct Distinct(HashSet<Var>);

impl Distinct {
    /// Whether it is known that no two elements of the array are equal.
    pub fn contains(&self, array: Var) -> bool {
        self.0.contains(&array)
    }

    /// Learns from a statement; what its arrays are made from has been noted before.
    pub fn note(&mut self, stm: &Stm) {
        let known = |array: &Var| self.0.contains(array);
        let results: Vec<bool> = match &stm.exp {
            // a step this small does not come round: no array has so many elements
            Exp::Iota { step, .. } => {
                vec![step.as_lit().and_then(Scalar::as_i64).is_some_and(|s| s != 0 && s.unsigned_abs() < 1 << 16)]
            }
            Exp::SubExp(SubExp::Var(array)) | Exp::Opaque(SubExp::Var(array)) => vec![known(array)],
            Exp::Copy(array)
            | Exp::Coerce { array, .. }
            | Exp::Reverse { array }
            | Exp::Rotate { array, .. }
            | Exp::Manifest { array, .. } => vec![known(array)],
            Exp::Slice { array, slice } => match slice[..] {
                [SliceDim::Range { stride, .. }] => {
                    vec![known(array) && stride.as_lit().and_then(Scalar::as_i64).is_some_and(|s| s != 0)]
                }
                _ => return,
            },
            Exp::Screma(s) if s.scans.is_empty() && s.reduces.is_empty() && s.post.is_none() => {
                let rows = s.map.params.iter().zip(&s.arrays).filter(|(_, array)| known(array));
                let injective = injective(&s.map, rows.map(|(p, _)| p.var).collect());
                s.map.body.result.iter().map(|e| e.as_var().is_some_and(|v| injective.contains(&v))).collect()
            }
            _ => return,
        };
        self.0.extend(stm.pat.iter().zip(results).filter(|(_, distinct)| *distinct).map(|(p, _)| p.var));
    }
}

/// The variables of a λ that are functions, one to one, of a row of an array without equal elements, given its parameters that are such rows.
fn injective(lambda: &Lambda, mut known: HashSet<Var>) -> HashSet<Var> {
    let mut bound: HashSet<Var> = lambda.params.iter().map(|p| p.var).collect();
    for stm in &lambda.body.stms {
        bound.extend(stm.pat.iter().map(|p| p.var));
        let is = |e: &SubExp| e.as_var().is_some_and(|v| known.contains(&v));
        let fixed = |e: &SubExp| e.as_var().is_none_or(|v| !bound.contains(&v));
        let one_to_one = match &stm.exp {
            Exp::SubExp(e) => is(e),
            Exp::Prim(Prim::Un(UnOp::Neg | UnOp::Not, _), args) => is(&args[0]),
            Exp::Prim(Prim::Bin(BinOp::Add | BinOp::Sub | BinOp::Xor, t), args) if t.is_int() => {
                (is(&args[0]) && fixed(&args[1])) || (fixed(&args[0]) && is(&args[1]))
            }
            _ => false,
        };
        if one_to_one {
            known.extend(stm.pat.iter().map(|p| p.var));
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether no two elements are known to be equal of the array `r_9` that the code binds. `is_4` has no equal elements, `xs_5` may have some.
    fn known(code: &str) -> bool {
        let is = "let (is_4: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)";
        let text =
            format!("futi-ir 1 fun \"f\"(n_0: i64, k_1: i64, xs_5: [n_0]i64) -> (s_6: i64) {{ {is} {code} in (k_1) }}");
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e:?}: {code}"));
        let mut distinct = Distinct::default();
        program.funs[0].body.stms.iter().for_each(|stm| distinct.note(stm));
        distinct.contains(Var(9))
    }

    #[test]
    fn of_arrays_made_from_others() {
        for (array, expected) in [
            ("iota i64 (n_0, k_1, 65535i64)", true),
            ("iota i64 (n_0, k_1, -1i64)", true),
            ("iota i64 (n_0, k_1, 1i64)", true),
            ("iota i64 (n_0, k_1, 65536i64)", false),
            ("iota i64 (n_0, 0i64, 0i64)", false),
            ("iota i64 (n_0, 0i64, k_1)", false),
            ("is_4", true),
            ("xs_5", false),
            ("copy is_4", true),
            ("copy xs_5", false),
            ("reverse is_4", true),
            ("slice is_4[0i64 : n_0 : 1i64]", true),
            ("slice is_4[0i64 : n_0 : -2i64]", true),
            ("slice is_4[0i64 : n_0 : 0i64]", false),
            ("slice is_4[0i64 : n_0 : k_1]", false),
            ("slice xs_5[0i64 : n_0 : 1i64]", false),
            ("replicate [n_0] k_1", false),
        ] {
            assert_eq!(known(&format!("let (r_9: [n_0]i64) = {array}")), expected, "{array}");
        }
    }

    #[test]
    fn of_maps() {
        for (body, result, expected) in [
            ("", "i_10", true),
            ("", "x_11", false),
            ("", "k_1", false),
            ("", "3i64", false),
            ("let (y_12: i64) = add.i64(i_10, k_1)", "y_12", true),
            ("let (y_12: i64) = add.i64(i_10, 3i64)", "y_12", true),
            ("let (y_12: i64) = sub.i64(k_1, i_10)", "y_12", true),
            ("let (y_12: i64) = xor.i64(i_10, k_1)", "y_12", true),
            ("let (y_12: i64) = neg.i64(i_10)", "y_12", true),
            ("let (y_12: i64) = not.i64(i_10) let (z_13: i64) = add.i64(y_12, 1i64)", "z_13", true),
            ("let (y_12: i64) = mul.i64(i_10, k_1)", "y_12", false),
            ("let (y_12: i64) = abs.i64(i_10)", "y_12", false),
            ("let (y_12: i64) = add.i64(x_11, k_1)", "y_12", false),
            ("let (y_12: i64) = add.i64(k_1, 3i64)", "y_12", false),
            // i + x, x - i, i - i
            ("let (y_12: i64) = add.i64(i_10, x_11)", "y_12", false),
            ("let (y_12: i64) = sub.i64(x_11, i_10)", "y_12", false),
            ("let (y_12: i64) = sub.i64(i_10, i_10)", "y_12", false),
            // a product with what is bound inside is no translation
            ("let (y_12: i64) = mul.i64(x_11, 2i64) let (z_13: i64) = add.i64(i_10, y_12)", "z_13", false),
        ] {
            let map = format!("\\(i_10: i64, x_11: i64) -> (i64) {{ {body} in ({result}) }}");
            let code = format!("let (r_9: [n_0]i64) = screma n_0 (is_4, xs_5) map {map}");
            assert_eq!(known(&code), expected, "{body} {result}");
        }
    }

    /// Sums and what stands beside them: which result is which is not asked.
    #[test]
    fn of_scans_and_reductions() {
        let sum =
            "\\(a_20: i64, b_21: i64) -> (i64) { let (c_22: i64) = add.i64(a_20, b_21) in (c_22) } neutral (0i64)";
        let map = "screma n_0 (is_4) map \\(i_10: i64) -> (i64, i64) { in (i_10, i_10) }";
        assert!(!known(&format!("let (r_9: [n_0]i64, m_8: [n_0]i64) = {map} scan {sum}")));
        assert!(!known(&format!("let (s_8: i64, r_9: [n_0]i64) = {map} reduce {sum}")));
        let post = "post \\(v_30: i64) -> (i64) { in (0i64) }";
        let map = "screma n_0 (is_4) map \\(i_10: i64) -> (i64) { in (i_10) }";
        assert!(!known(&format!("let (r_9: [n_0]i64) = {map} {post}")));
    }
}
