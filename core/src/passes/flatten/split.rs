//! A SOAC that scans and does something else, too, becomes several, each with one thing to do.

use crate::ir::build::{Builder, map_exp};
use crate::ir::*;

/// The statements for a SOAC that scans and reduces, or that has a function behind its scans; `None` if it is of one kind. The reductions, and what is mapped, are made
/// first, with the operands of the scans; then the scans; then the function is mapped over what has come of both.
pub(super) fn split(b: &mut Builder, s: &Screma, pat: &[Binder]) -> Option<Vec<Stm>> {
    let (scanned, reduced) = s.operand_counts();
    if s.post.is_none() && (scanned == 0 || reduced == 0) {
        return None;
    }
    let outer = std::mem::take(&mut b.stms);
    let ret = s.map.ret.clone();
    let (scan_types, rest) = ret.split_at(scanned);
    let rows = |b: &mut Builder, types: &[Type]| -> Vec<Binder> {
        types.iter().map(|ty| b.vars.fresh("x", ty.array_of(&[s.width]))).collect()
    };
    let (scans, reduces, mapped) = match &s.post {
        None => (pat[..scanned].to_vec(), &pat[scanned..scanned + reduced], pat[scanned + reduced..].to_vec()),
        Some(_) => (rows(b, scan_types), &pat[..reduced], rows(b, &rest[reduced..])),
    };
    if scanned > 0 && reduced > 0 {
        let operands = rows(b, scan_types);
        let mut first = Screma { scans: vec![], post: None, ..s.clone() };
        first.map.ret.rotate_left(scanned);
        first.map.body.result.rotate_left(scanned);
        // what is mapped and what is to be scanned are both arrays
        b.bind([reduces, &mapped, &operands].concat(), first.into());
        let arrays = operands.iter().map(|x| x.var).collect();
        let map = b.identity("x", scan_types);
        b.bind(scans.clone(), Exp::from(Screma { arrays, map, reduces: vec![], post: None, ..s.clone() }));
    } else {
        let pat = [&scans, reduces, &mapped].concat();
        b.bind(pat, Exp::from(Screma { post: None, ..s.clone() }));
    }
    if let Some(post) = &s.post {
        let arrays = scans.iter().chain(&mapped).map(|x| x.var).collect();
        b.bind(pat[reduced..].to_vec(), map_exp(s.width, arrays, post.clone()));
    }
    Some(std::mem::replace(&mut b.stms, outer))
}
