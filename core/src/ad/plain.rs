//! Says with other constructs what needs no rule of its own: a strip-mined loop by a nest of loops, `match` by `if`, a stream by its function on one chunk, a SOAC's function after scans and the
//! λ of scatters and histograms by maps beside them.

use super::custom::inlined;
use super::{fresh_pattern, rewritten, seed};
use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars, map_exp};
use crate::ir::plain::{branches, one_chunk};
use crate::ir::visit::{VisitMut, substitute, walk_body_mut};
use crate::ir::*;

/// The body without these. A function with derivatives of its own that has no rule is its λ; forward mode says itself what one without a forward rule is, since
/// where nothing varies its reverse rule stays.
pub fn body(vars: &mut Vars, body: &Body, forward: bool) -> Body {
    rewritten(vars, body, &mut |b, stm| {
        b.certs = stm.certs.clone();
        b.attrs = stm.attrs.clone();
        match stm.exp {
            Exp::Match { scrutinees, cases, default } => branches(b, &scrutinees, cases, default, stm.pat),
            Exp::Screma(s) if s.post.is_some() => after_scans(b, *s, stm.pat),
            Exp::Scatter(s) => scatter(b, *s, stm.pat),
            Exp::Hist(h) => histogram(b, *h, stm.pat),
            Exp::Stream(s) => one_chunk(b, *s, stm.pat),
            Exp::Custom(c) if c.jvp.is_none() && c.vjp.is_none() => {
                // mutant removal: what is in the function's place relies on these checks in any case
                b.certs.clear();
                inlined(b, *c, stm.certs, stm.pat);
            }
            Exp::Loop { params, form: LoopForm::For { index, bound }, body } if !forward && levels(&stm.attrs) > 1 => {
                let levels = levels(&stm.attrs);
                let mut attrs = std::mem::take(&mut b.attrs);
                attrs.retain(|a| a.name.as_str() != STRIPMINE);
                attrs.push(Attr { name: MINED.into(), arg: i64::try_from(levels).ok() });
                let nest = b.under(Vec::new(), |b| Nest::new(b, levels, attrs, index, bound, body));
                nest.level(b, 0, params, SubExp::i64(0), stm.pat);
            }
            exp => b.push(Stm { exp, ..stm }),
        }
    })
}

/// The body in which no variable is only another name of an array: an adjoint of its own would only be added to that of the array, as a whole.
pub fn without_names(vars: &Vars, mut body: Body) -> Body {
    struct Names<'a>(&'a Vars, HashMap<Var, SubExp>);
    impl VisitMut for Names<'_> {
        fn body(&mut self, body: &mut Body) {
            body.stms.retain(|stm| match (&stm.exp, &stm.pat[..]) {
                (Exp::SubExp(SubExp::Var(v)), [p])
                    if p.ty.rank() > 0 && p.ty == *self.0.ty(*v) && stm.certs.is_empty() =>
                {
                    let of = self.1.get(v).copied().unwrap_or((*v).into());
                    self.1.insert(p.var, of);
                    false
                }
                _ => true,
            });
            walk_body_mut(self, body);
        }
    }
    let mut names = Names(vars, HashMap::default());
    names.body(&mut body);
    let Names(_, names) = names;
    substitute(&mut body, &names);
    body
}

// Note [Strip-mining]
// ~~~~~~~~~~~~~~~~~~~
// `#[stripmine(k)]` makes a loop of n trips a nest of k loops of r trips each, r the least number with r^k >= n (Schenck et al. §4.3; digest 002 §1A.10).
// Reverse mode keeps r states at each level at a time, k·r instead of n, and executes each trip k + 1 times. The last trips of an outer level have what is
// left of n inside, so that each trip is there once and none is empty: there is no loop of remaining trips whose states would all be kept. The root is exact,
// from integers: in floats, the third root of 64 is less than 4.

/// The attribute of a loop that is to become a nest.
pub const STRIPMINE: &str = "stripmine";

/// The attribute of the nest's loops, with their number: they keep all their states.
pub const MINED: &str = "strip mined";

/// So many loops keep 16 states each, at the most, of 2⁶³ trips. The code of a nest has a number of loops that grows with the square of this.
const MOST_LEVELS: usize = 16;

/// Of how many loops the nest is that a loop is to become.
fn levels(attrs: &[Attr]) -> usize {
    let arg = attrs.iter().find(|a| a.name.as_str() == STRIPMINE).and_then(|a| a.arg);
    arg.and_then(|k| usize::try_from(k).ok()).unwrap_or(1).min(MOST_LEVELS)
}

/// A loop that becomes a nest: see Note [Strip-mining].
struct Nest {
    index: Binder,
    body: Body,
    /// What each loop of the nest has.
    attrs: Vec<Attr>,
    /// How many trips there are altogether.
    trips: SubExp,
    /// How many trips a loop of the nest has at most.
    root: SubExp,
    /// How many trips of the loop one trip of each level has.
    blocks: Vec<SubExp>,
}

impl Nest {
    fn new(b: &mut Builder, levels: usize, attrs: Vec<Attr>, index: Binder, bound: SubExp, body: Body) -> Nest {
        let trips = seed::converted(b, bound, ScalarType::I64);
        let root = root(b, trips, levels);
        let mut blocks = vec![SubExp::i64(1)];
        while blocks.len() < levels {
            blocks.push(b.prim_op(ScalarType::I64.times(), &[blocks[blocks.len() - 1], root]));
        }
        blocks.reverse();
        Nest { index, body, attrs, trips, root, blocks }
    }

    /// The loop of a level, from the trip `start` on.
    fn level(self, b: &mut Builder, level: usize, params: Vec<LoopParam>, start: SubExp, pat: Vec<Binder>) {
        let i64_op = |op| Prim::Bin(op, ScalarType::I64);
        // what is left, in blocks, rounded up
        let left = b.prim_op(i64_op(BinOp::Sub), &[self.trips, start]);
        let block = self.blocks[level];
        let less = b.prim_op(i64_op(BinOp::Sub), &[block, SubExp::i64(1)]);
        let left = b.prim_op(i64_op(BinOp::Add), &[left, less]);
        let left = b.prim_op(i64_op(BinOp::Quot), &[left, block]);
        let bound = b.prim_op(i64_op(BinOp::Min), &[self.root, left]);
        let attrs = self.attrs.clone();
        let at = b.vars.fresh(self.index.name.clone(), Type::I64);
        let mut inner = Builder::new(b.vars, b.prov);
        let before = inner.prim_op(i64_op(BinOp::Mul), &[at.var.into(), block]);
        let start = inner.prim_op(i64_op(BinOp::Add), &[start, before]);
        let (params, result) = if level + 1 == self.blocks.len() {
            let elem = self.index.ty.elem().unwrap_or(ScalarType::I64);
            let index = seed::converted(&mut inner, start, elem);
            inner.bind(vec![self.index], Exp::SubExp(index));
            (params, inner.splice(self.body))
        } else {
            let binders: Vec<Binder> = params.iter().map(|p| p.binder.clone()).collect();
            let outer = fresh_pattern(inner.vars, &binders);
            let out = fresh_pattern(inner.vars, &binders);
            let inits = outer.iter().map(|p| p.var.into());
            let inside = params.iter().zip(inits).map(|(p, init)| LoopParam { init, ..p.clone() }).collect();
            let result = out.iter().map(|p| p.var.into()).collect();
            self.level(&mut inner, level + 1, inside, start, out);
            let own = params.into_iter().zip(outer).map(|(p, binder)| LoopParam { binder, ..p });
            (own.collect(), result)
        };
        let body = Body { stms: inner.stms, result };
        b.attrs = attrs;
        b.bind(pat, Exp::Loop { params, form: LoopForm::For { index: at, bound }, body });
    }
}

/// The least r >= 1 with r^k >= n.
fn root(b: &mut Builder, n: SubExp, k: usize) -> SubExp {
    let power = |b: &mut Builder, r: SubExp| (1..k).fold(r, |power, _| b.prim_op(ScalarType::I64.times(), &[power, r]));
    let less = |b: &mut Builder, r: SubExp| {
        let power = power(b, r);
        b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[power, n])
    };
    let first = less(b, SubExp::i64(1));
    let (r, more) = (b.vars.fresh("root", Type::I64), b.vars.fresh("more", Type::BOOL));
    let (root, goes_on) = (r.var, more.var);
    let body = b.inner(|b| {
        let next = b.prim_op(ScalarType::I64.plus(), &[root.into(), SubExp::i64(1)]);
        vec![next, less(b, next)]
    });
    let param = |binder, init| LoopParam { binder, unique: false, init };
    let params = vec![param(r, SubExp::i64(1)), param(more, first)];
    b.let_many("root", Exp::Loop { params, form: LoopForm::While(goes_on), body })[0].into()
}

/// `post μ` is a map over the scans' results and the mapped ones.
fn after_scans(b: &mut Builder, mut s: Screma, pat: Vec<Binder>) {
    let Some(post) = s.post.take() else { return };
    let (scans, reduces) = s.operand_counts();
    let (values, rows) = pat.split_at(reduces);
    let array = |b: &mut Builder, t: &Type| b.vars.fresh("scanned", t.array_of(&[s.width]));
    let mut all: Vec<Binder> = s.map.ret[..scans].iter().map(|t| array(b, t)).collect();
    all.extend_from_slice(values);
    all.extend(s.map.ret[scans + reduces..].iter().map(|t| array(b, t)));
    let arrays = all[..scans].iter().chain(&all[scans + reduces..]).map(|p| p.var).collect();
    let width = s.width;
    b.bind(all, s.into());
    b.bind(rows.to_vec(), map_exp(width, arrays, post));
}

/// The results of a λ for all rows, as arrays, and a λ that takes them apart again: what a scatter of the λ's results is a scatter of.
fn mapped_first(b: &mut Builder, width: Dim, arrays: Vec<Var>, map: Lambda) -> (Vec<Var>, Lambda) {
    let identity = map.params.iter().map(|p| SubExp::Var(p.var)).eq(map.body.result.iter().copied());
    if identity && map.body.stms.is_empty() {
        return (arrays, map);
    }
    let id = b.identity("row", &map.ret);
    (b.let_many("rows", map_exp(width, arrays, map)), id)
}

fn scatter(b: &mut Builder, s: Scatter, pat: Vec<Binder>) {
    let (arrays, map) = mapped_first(b, s.width, s.arrays, s.map);
    b.bind(pat, Exp::from(Scatter { width: s.width, arrays, map, dests: s.dests }));
}

/// Each destination has a histogram of its own.
fn histogram(b: &mut Builder, h: Hist, pat: Vec<Binder>) {
    let (arrays, _) = mapped_first(b, h.width, h.arrays, h.map);
    let ranks: usize = h.ops.iter().map(|op| op.shape.len()).sum();
    let (mut indices, mut values) = arrays.split_at(ranks);
    let mut pat = &pat[..];
    for op in h.ops {
        let (at, other_indices) = indices.split_at(op.shape.len());
        let (vs, other_values) = values.split_at(op.dests.len());
        let (own, others) = pat.split_at(op.dests.len());
        (indices, values, pat) = (other_indices, other_values, others);
        let arrays = [at, vs].concat();
        let map = seed::rows(b, &arrays);
        b.bind(own.to_vec(), Exp::from(Hist { width: h.width, arrays, map, ops: vec![op] }));
    }
}
