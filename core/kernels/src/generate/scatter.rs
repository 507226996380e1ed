//! Nests that write to places, by the host. Of several writes to one position the last wins: each position is claimed by the greatest of the points that write there, and then written by that.
//! Where no two points write to one position, nothing is to be claimed.

use super::emit::{Context, Launchable, Made, Value};
use super::exps::*;
use super::host::Lowering;
use super::nest::points;
use super::scan::is_cheap;
use super::unshared::differ;
use crate::build::Maker;
use crate::ir::{AtomicOp, Exp, GroupSizes, Order, Scope};
use futi_core::ir::{Binder, Dim, Prov, Scalar, ScalarType, SegOp, Var};

impl Lowering {
    /// A nest that writes to places, which are `apart` if no two points have one in common.
    pub(super) fn scatter(&mut self, seg: &SegOp, pats: &[Binder], apart: bool) {
        let dests = seg.dests();
        let (written, mapped) = pats.split_at(dests.len());
        // what is not to be done several times is done before
        let stored = (!mapped.is_empty() || !is_cheap(seg)).then(|| self.stored(seg, mapped));
        let seg = stored.as_ref().unwrap_or(seg);
        let indices: usize = dests.iter().map(|dest| dest.shape.len()).sum();
        let mut first = 0;
        for (k, (dest, pat)) in dests.iter().zip(written).enumerate() {
            let own: Vec<usize> = (first..first + dest.shape.len()).chain([indices + k]).collect();
            first += dest.shape.len();
            let mut body = seg.body.clone();
            body.result = own.iter().map(|at| body.result[*at]).collect();
            let ret = own.iter().map(|at| seg.ret[*at].clone()).collect();
            let one = self.with_views(&SegOp::map(seg.level, seg.space.clone(), ret, body));
            let shared = !apart && !differ(&one, dest.shape.len(), &self.vars, &self.numbers);
            let winner = shared.then(|| self.claimed(&one, &dest.shape));
            let (name, prov) = (self.name("scatter"), self.prov);
            let write = self.make(&Default::default(), &[dest.array], |context| {
                write_kernel(&name, &one, dest.array, winner, context, prov)
            });
            self.launch_made(write, &one);
            let value = self.operand(dest.array.into());
            self.env.insert(pat.var, value);
        }
    }

    /// Which point is the last that writes to each place of an array of this shape.
    pub(super) fn claimed(&mut self, seg: &SegOp, shape: &[Dim]) -> Var {
        // mutant off by one: any number that no point has
        let winner = self.filled("winner", Scalar::I64(-1), shape).var;
        let (name, prov) = (self.name("claim"), self.prov);
        let claim =
            self.make(&Default::default(), &[winner], |context| claim_kernel(&name, seg, winner, context, prov));
        self.launch_made(claim, seg);
        winner
    }
}

/// A kernel whose points tell at which place of an array they write: the greatest of them claims it.
fn claim_kernel(name: &str, seg: &SegOp, winner: Var, context: &Context, prov: Prov) -> Made<Launchable> {
    points(name, seg, GroupSizes::ANY, context, prov, |e, _| {
        let values = e.body(&seg.body)?;
        let (array, point) = (e.array(winner)?, e.point.clone());
        // mutant off by one: the value behind the indices is not looked at
        let place: Vec<Exp> = values[..array.shape.len()].iter().filter_map(Value::as_scalar).collect();
        let shape = array.shape.clone();
        let fine = e.in_range(&place, &shape)?;
        let (memory, at) = e.place(&array, &place)?;
        e.when(fine, |e| {
            e.doing().update(AtomicOp::Max, memory, at, vec![point], Order::Relaxed, Scope::Device);
            Ok(())
        })
    })
}

/// A kernel whose points write elements, or rows, of an array: the body's results are the indices and the value. With `winner`, only the point writes that has claimed the place.
pub(super) fn write_kernel(
    name: &str,
    seg: &SegOp,
    dest: Var,
    winner: Option<Var>,
    context: &Context,
    prov: Prov,
) -> Made<Launchable> {
    points(name, seg, GroupSizes::ANY, context, prov, |e, _| {
        let values = e.body(&seg.body)?;
        let (array, point) = (e.array(dest)?, e.point.clone());
        let (place, value) = values.split_at(values.len() - 1);
        let place: Vec<Exp> = place.iter().filter_map(Value::as_scalar).collect();
        let shape = array.shape[..place.len()].to_vec();
        let fine = e.in_range(&place, &shape)?;
        e.when(fine, |e| {
            let Some(winner) = winner else { return e.write(&array, &place, &value[0]) };
            let winner = e.array(winner)?;
            let owner = e.element(&winner, &place);
            e.when(same(ScalarType::I64, owner, point), |e| e.write(&array, &place, &value[0]))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::host::options::MemoryOptions;

    /// Whether the places that indices are written to are claimed: `t_7`, computed so from an element `x_6`.
    fn claims(place: &str) -> bool {
        let text = format!(
            r#"futi-ir 1
            entry "main"(n_1: i64, is_2: [n_1]i64, *d_3: [n_1]i64) -> (*r_4: [n_1]i64)
              sig 1 ("is": ["n"]i64, "d": ["n"]i64) -> ["n"]i64 {{
              let (r_5: [n_1]i64) = segop grid (x_6: i64 < n_1) dest [n_1] d_3 -> (i64, i64) {{
                {place}
                in (t_7, x_6)
              }}
              in (r_5)
            }}"#
        );
        let program: futi_core::ir::Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let host = lower(&program, &MemoryOptions::default()).unwrap();
        host.kernels.iter().any(|k| k.kernel.kernel().accesses().iter().any(|access| access.atomics))
    }

    #[test]
    fn only_places_that_points_may_share_are_claimed() {
        assert!(!claims("let (t_7: i64) = sub.i64(n_1, x_6)"));
        assert!(claims("let (t_7: i64) = index is_2[x_6]"));
        assert!(claims("let (t_7: i64) = quot.i64(x_6, 2i64)"));
    }
}
