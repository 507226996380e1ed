//! A flatmap: the function at all points at once, as an irregular nest; what it makes of each row is then one after the other already.

use super::irregular::{Segments, over};
use super::nest::Nest;
use super::versions::Lifted;
use super::{Known, Rows};
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, substitute_type};
use crate::ir::*;
use std::rc::Rc;

/// The statements for a flatmap of the host.
pub(super) fn flat_map(b: &mut Builder, f: &FlatMap, stm: &Stm, known: &Known) {
    let outer = std::mem::take(&mut b.stms);
    (b.prov, b.attrs) = (stm.prov, stm.attrs.clone());
    let lifted = Rc::new(Lifted::default());
    let nest = Nest { lifted: Some(lifted.clone()), ..Nest::new(known, b.vars, known.groups.clone()) };
    let size = HashMap::from_iter([(f.size.var, f.lambda.body.result[0])]);
    let ret = f.lambda.ret.iter().map(|ty| substitute_type(ty, &size)).collect();
    let points =
        nest.all(b, &Rows { width: f.width, arrays: &f.arrays, map: &Lambda { ret, ..f.lambda.clone() } }, &stm.certs);
    b.certs = stm.certs.clone();
    let segments = Segments::new(b, vec![f.width], points[0].array());
    let flags = over(b, segments.total, SegKind::Map, &[Type::Scalar(ScalarType::Bool)], |b, k| {
        let owner = b.index(segments.owners, &[k.into()]);
        let start = b.index(segments.starts, &[owner.into()]);
        vec![b.prim_op(Prim::Cmp(CmpOp::Eq, ScalarType::I64), &[k.into(), start.into()])]
    });
    let (first, last) = stm.pat.split_at(4);
    b.bind(vec![first[0].clone()], Exp::SubExp(segments.total.into()));
    let given = [first[1].clone()].into_iter().chain(last.iter().cloned());
    let given: Vec<(Binder, Var)> = given.zip(points.iter().map(|held| held.array())).collect();
    let mut seen = HashSet::default();
    for (k, (pat, made)) in given.iter().enumerate() {
        let (shape, array) = (pat.ty.shape().to_vec(), *made);
        let array = match k {
            0 => b.let_one("sizes", Exp::Coerce { shape, array }),
            k if k <= f.irregular => b.let_one("rows", Exp::Reshape { shape, array }),
            _ => array,
        };
        // what was there before, or is another result, too, is copied
        // mutant comparison: the first variable of a nest is no array
        let there = made.0 < nest.first || nest.shared.borrow().contains(made);
        let shared = there || !seen.insert(*made);
        b.bind(vec![pat.clone()], if shared { Exp::Copy(array) } else { Exp::SubExp(array.into()) });
    }
    for (pat, array) in first[2..].iter().zip([flags[0], segments.starts]) {
        b.bind(vec![pat.clone()], Exp::Coerce { shape: pat.ty.shape().to_vec(), array });
    }
    b.certs.clear();
    // mutant removal: what comes next has attributes of its own
    b.attrs.clear();
    let made = std::mem::replace(&mut b.stms, outer);
    match lifted.failed.get() {
        true => b.push(stm.clone()),
        false => b.stms.extend(made),
    }
}
