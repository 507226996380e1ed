//! Arrays of integers no two elements of which are equal, as far as the code shows it: what is written at such positions is written once.

use crate::ir::*;
use crate::prim::{BinOp, Prim, UnOp};
use std::collections::HashSet;

/// The arrays of which it is known, of the statements that have been noted.
#[derive(Default)]
pub struct Distinct(HashSet<Var>);

impl Distinct {
    /// Whether no two elements of the array are known to be equal.
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
