//! A nest's body cut at its parallel statements, and the kernels of the parts: map fission (digest 004, §3.6).

use super::control::{is_small, is_worth_kernels};
use super::interchange::columns;
use super::irregular::{Held, fill};
use super::nest::Nest;
use super::split::split;
use super::writes::changed;
use super::{MAX_SPACE, Rows, rows};
use crate::hash::HashSet;
use crate::ir::build::Builder;
use crate::ir::visit::{Visit, free_vars};
use crate::ir::*;

/// A part of a body.
pub(super) enum Segment<'a> {
    Parallel(&'a Stm),
    Lifted(&'a Stm),
    Cheap(&'a Stm),
    Sequential(Vec<&'a Stm>),
}

impl Nest {
    /// A SOAC of the host in this nest, which has no dimension yet: its results. An array that was there before, or that another result is, too, and that one of those that share it
    /// may consume, is copied.
    pub(super) fn results(&self, b: &mut Builder, stm: &Stm, rows: &Rows, kind: SegKind) -> Vec<SubExp> {
        let results = self.soac(b, rows, kind, &stm.certs);
        let mut all = Vec::new();
        for (i, (pat, result)) in stm.pat.iter().zip(results.iter().copied()).enumerate() {
            // mutant comparison: the first new variable of a nest is its index, which is no result
            let there = result.0 < self.first || self.shared.borrow().contains(&result);
            let shared = there || results[..i].contains(&result);
            let same = stm.pat.iter().zip(&results).filter(|(_, r)| **r == result);
            let consumed = same.map(|(p, _)| p.var).chain([result]).any(|v| self.groups.may_be_consumed(v));
            all.push(match pat.ty {
                Type::Array(..) if shared && consumed => b.let_one("own", Exp::Copy(result)).into(),
                _ => result.into(),
            });
        }
        all
    }

    /// The nest extended by a SOAC's dimension, and its function, ready to be cut; what is bound next relies on what the SOAC does.
    pub(super) fn opened(&self, b: &mut Builder, s: &Rows, certs: &[Var]) -> (Nest, Lambda) {
        b.certs.extend(certs.iter().filter(|c| !self.bound.contains(c)));
        if self.space.len() >= MAX_SPACE {
            self.lifted.iter().for_each(|lifted| lifted.deeper.borrow_mut().push(s.width));
        }
        let nest = self.enter(b, s, certs);
        let mut map = Lambda { body: nest.checked_once(b, &s.map.body), ..s.map.clone() };
        nest.prepare(b, &mut map.body);
        (nest, map)
    }

    /// A SOAC in this nest: its kernels, and the host's variables for its results. These have the nest's dimensions before their own.
    pub(super) fn soac(&self, b: &mut Builder, s: &Rows, kind: SegKind, certs: &[Var]) -> Vec<Var> {
        let outer = b.certs.clone();
        let (nest, mut map) = self.opened(b, s, certs);
        let kind = match kind {
            SegKind::Write(dests) => SegKind::Write(self.clone().whole(b, &dests, &mut map)),
            other => other,
        };
        let operands = kind.operands();
        let points: Option<Vec<Var>> = match nest.fission(b, &map.body) {
            Some(segments) => Some(nest.distribute(b, segments, &map).iter().map(Held::array).collect()),
            // what a group makes at a point is stored
            None if nest.within.is_some() && is_worth_kernels(&map.body) => {
                Some(nest.kernel(b, SegKind::Map, std::mem::take(&mut map.body), &map.ret))
            }
            None => None,
        };
        let results = match points {
            Some(points) => {
                let folded = if operands == 0 {
                    Vec::new()
                } else {
                    let body = b.inner(|b| points[..operands].iter().map(|a| nest.point(b, *a)).collect());
                    nest.kernel(b, kind, body, &map.ret[..operands])
                };
                folded.into_iter().chain(points[operands..].iter().copied()).collect()
            }
            None => nest.kernel(b, kind, map.body, &map.ret),
        };
        b.certs = outer;
        results
    }

    /// What a function makes of rows, at all points of this nest and of a dimension more. What it relies on stays among the builder's certificates.
    pub(super) fn all(&self, b: &mut Builder, s: &Rows, certs: &[Var]) -> Vec<Held> {
        let (nest, map) = self.opened(b, s, certs);
        nest.points(b, &map)
    }

    /// Makes a body ready to be cut at its parallel statements.
    pub(super) fn prepare(&self, b: &mut Builder, body: &mut Body) {
        if self.lifted.is_some() {
            fill(body);
        }
        self.split_up(b, body);
    }

    /// Those SOACs of a body that scan and do something else, too, in parts, if these may become kernels.
    pub(super) fn split_up(&self, b: &mut Builder, body: &mut Body) {
        // mutant comparison: where all is sequential the parts come to the same as the whole
        if self.space.len() >= MAX_SPACE && self.lifted.is_none() {
            return;
        }
        let outer = (b.prov, std::mem::take(&mut b.certs), std::mem::take(&mut b.attrs));
        let own: HashSet<Var> = body.stms.iter().flat_map(|stm| &stm.pat).map(|p| p.var).collect();
        for mut stm in body.take_stms() {
            // mutant removal: it is told of what fails, and of kernels, which have their own
            b.prov = stm.prov;
            // mutant negation: made once or at each point, a neutral element is the same
            if self.lifted.is_some() {
                self.neutral_once(b, &mut stm, &own);
            }
            (b.certs, b.attrs) = (stm.certs.clone(), stm.attrs.clone());
            let parts = if let Exp::Screma(s) = &stm.exp { self.parts(b, s, &stm.pat) } else { None };
            (b.certs, b.attrs) = Default::default();
            body.stms.extend(parts.unwrap_or_else(|| vec![stm]));
        }
        (b.prov, b.certs, b.attrs) = outer;
    }

    /// The statements for a SOAC that does several things, or reduces arrays by components.
    fn parts(&self, b: &mut Builder, s: &Screma, pat: &[Binder]) -> Option<Vec<Stm>> {
        let parts = split(b, s, pat);
        if parts.is_some() || self.lifted.is_none() {
            return parts;
        }
        let parts = columns(b, s, pat, &self.constants)?;
        self.lifted.iter().for_each(|lifted| lifted.used.set(true));
        Some(parts)
    }

    /// Whether a statement in this nest becomes a kernel of its own.
    pub(super) fn is_parallel(&self, stm: &Stm) -> bool {
        let Some((rows, kind)) = rows(&stm.exp) else { return false };
        let known = |op: &Operator| self.is_invariant(&op.lambda) && op.neutral.iter().all(|e| self.is_invariant(e));
        let kinds = match &kind {
            SegKind::Map => true,
            SegKind::Scan(ops) | SegKind::Reduce(ops) => ops.iter().all(known),
            // what its loop has elsewhere is written there
            SegKind::Write(_) => {
                let at_home = changed(stm).iter().any(|(_, array)| self.homes.contains_key(array));
                !at_home && stm.pat.iter().all(|p| self.is_invariant(&p.ty))
            }
        };
        let types = rows.map.ret.iter().all(|t| matches!(t, Type::Acc(_)) || self.is_invariant(t));
        let depth = self.space.len() < MAX_SPACE || self.lifted.is_some() && !is_small(rows.width, rows.map);
        depth && self.is_invariant(&SubExp::from(rows.width)) && kinds && types
    }

    /// The body cut at its parallel statements; `None` if it has none, or if what would have to be stored has sizes of its own at each point.
    pub(super) fn fission<'a>(&self, b: &Builder, body: &'a Body) -> Option<Vec<Segment<'a>>> {
        let mut inside = self.clone();
        let mut segments = Vec::new();
        for stm in &body.stms {
            inside.bound.extend(stm.pat.iter().map(|p| p.var));
        }
        for stm in &body.stms {
            if inside.is_parallel(stm) {
                segments.push(Segment::Parallel(stm));
            // mutant dropped term: whether it is counted again or stored, results are the same
            } else if is_cheap(stm) || is_filled(stm) && inside.is_invariant(&stm.pat[0].ty) || inside.is_viewed(stm) {
                segments.push(Segment::Cheap(stm));
            } else if inside.is_lifted(b, stm) {
                segments.push(Segment::Lifted(stm));
                // what is made of an array where its loop has it is there, too
                for (k, name) in inside.at_home_behind(b, stm) {
                    let home = inside.homes.remove(&name);
                    inside.homes.extend(home.map(|home| (stm.pat[k].var, home)));
                }
            } else if let Some(Segment::Sequential(run)) = segments.last_mut() {
                run.push(stm);
            } else {
                segments.push(Segment::Sequential(vec![stm]));
            }
        }
        segments.iter().any(|s| matches!(s, Segment::Parallel(_) | Segment::Lifted(_))).then_some(())?;
        if self.lifted.is_some() {
            return Some(segments);
        }
        let stored = |s: &Segment| match s {
            Segment::Sequential(run) => {
                let needed = |p: &&Binder| is_used_outside(p.var, run, body);
                run.iter().flat_map(|stm| &stm.pat).filter(needed).all(|p| inside.is_invariant(b.vars.ty(p.var)))
            }
            _ => true,
        };
        segments.iter().all(stored).then_some(segments)
    }

    /// Makes the kernels of the segments; gives the host's variables for the results of the body.
    pub(super) fn distribute(&self, b: &mut Builder, segments: Vec<Segment>, map: &Lambda) -> Vec<Held> {
        let mut nest = self.clone();
        for segment in segments {
            match segment {
                Segment::Cheap(stm) => nest.remember(stm.clone()),
                Segment::Parallel(stm) => {
                    let Some((rows, kind)) = rows(&stm.exp) else { continue };
                    let outer = std::mem::replace(&mut b.prov, stm.prov);
                    // what is read of rows that a scatter changes where they stand is read before
                    if let SegKind::Write(dests) = &kind {
                        dests.iter().for_each(|dest| nest.settle(b, dest.array));
                    }
                    let results = nest.soac(b, &rows, kind, &stm.certs);
                    // mutant removal: what is made next has a place of its own, or is near
                    b.prov = outer;
                    nest.store(b, stm.pat.iter().cloned().zip(results).collect());
                }
                Segment::Sequential(run) => {
                    let (irregular, pats) = nest.crossing(&run, &map.body);
                    let types: Vec<Type> = pats.iter().map(|p| p.ty.clone()).collect();
                    let stms = run.iter().map(|s| (*s).clone()).collect();
                    let body = Body { stms, result: pats.iter().map(|p| p.var.into()).collect() };
                    if !pats.is_empty() || irregular.is_empty() {
                        let results = nest.kernel(b, SegKind::Map, body, &types);
                        nest.store(b, pats.into_iter().zip(results).collect());
                    }
                    if !irregular.is_empty() {
                        nest.store_padded(b, &run, &irregular);
                    }
                }
                Segment::Lifted(stm) => {
                    let outer = std::mem::replace(&mut b.prov, stm.prov);
                    let results = nest.lift(b, stm);
                    for (pat, held) in stm.pat.iter().zip(results) {
                        match held {
                            Held::Whole(array) => nest.store(b, vec![(pat.clone(), array)]),
                            Held::Flat(array) => nest.store_flat(b, pat.clone(), array),
                            Held::Placed(array, places) => nest.store_placed(b, pat.clone(), array, places),
                            Held::Home(home) => nest.keep(b, pat.clone(), home),
                        }
                    }
                    // mutant removal: what is made next has a place of its own, or is near
                    b.prov = outer;
                }
            }
        }
        // What the body returns is stored already, or is made by one last kernel.
        let mut stored: Vec<Option<Held>> = Vec::new();
        for (e, ty) in map.body.result.iter().zip(&map.ret) {
            let home = e.as_var().and_then(|v| nest.homes.get(&v));
            stored.push(match e {
                _ if let Some(home) = home => Some(Held::Home(home.clone())),
                SubExp::Var(v) if !nest.is_invariant(ty) => Some(nest.flat_of(b, *v, ty)),
                e => nest.stored_in(*e).map(Held::Whole),
            });
        }
        let missing = || map.body.result.iter().zip(&map.ret).zip(&stored).filter(|(_, s)| s.is_none());
        let rest = Body { stms: Vec::new(), result: missing().map(|((e, _), _)| *e).collect() };
        let types: Vec<Type> = missing().map(|((_, t), _)| t.clone()).collect();
        let mut made =
            if rest.result.is_empty() { Vec::new() } else { nest.kernel(b, SegKind::Map, rest, &types) }.into_iter();
        stored.into_iter().filter_map(|s| s.or_else(|| made.next().map(Held::Whole))).collect()
    }

    /// What a function makes at all points.
    pub(super) fn points(&self, b: &mut Builder, map: &Lambda) -> Vec<Held> {
        let segments = self.fission(b, &map.body);
        let all = || match &map.body.stms[..] {
            [] => Vec::new(),
            stms => vec![Segment::Sequential(stms.iter().collect())],
        };
        let segments = segments.unwrap_or_else(all);
        self.distribute(b, segments, map)
    }

    /// The variables that sequential code binds for what comes after it: those of sizes of their own at each point, and the others, among them those sizes.
    pub(super) fn crossing(&self, run: &[&Stm], body: &Body) -> (Vec<Binder>, Vec<Binder>) {
        let bound: Vec<&Binder> = run.iter().flat_map(|s| &s.pat).collect();
        let inside = |v: &Var| self.bound.contains(v) || bound.iter().any(|p| p.var == *v);
        let own_size = |p: &Binder| self.lifted.is_some() && free_vars(&p.ty).iter().any(inside);
        let used = |p: &&&Binder| is_used_outside(p.var, run, body);
        let irregular: Vec<Binder> = bound.iter().filter(used).filter(|p| own_size(p)).map(|p| (*p).clone()).collect();
        let is_size = |p: &Binder| irregular.iter().any(|array| free_vars(&array.ty).contains(&p.var));
        let others = bound.iter().filter(|p| !own_size(p) && (used(p) || is_size(p))).map(|p| (*p).clone()).collect();
        if !irregular.is_empty() && bound.iter().any(|p| matches!(p.ty, Type::Acc(_))) {
            self.lifted.iter().for_each(|lifted| lifted.failed.set(true));
        }
        (irregular, others)
    }
}

/// Whether doing it again costs less than storing it.
pub(super) fn is_cheap(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::SubExp(_) | Exp::Prim(..) | Exp::Index { .. } | Exp::Check(_) => !matches!(stm.pat[0].ty, Type::Acc(_)),
        Exp::Slice { .. } | Exp::FlatIndex { .. } => true,
        Exp::Reshape { .. } | Exp::Coerce { .. } | Exp::Rearrange { .. } => true,
        _ => false,
    }
}

/// The same of a scalar.
pub(super) fn is_cheap_scalar(stm: &Stm) -> bool {
    is_cheap(stm) && stm.pat[0].ty.rank() == 0
}

/// Whether it chooses among scalars that cost little.
pub(super) fn is_choice(stm: &Stm) -> bool {
    let costs_little = |stm: &Stm| is_choice(stm) || is_cheap_scalar(stm);
    matches!(&stm.exp, Exp::If { yes, no, .. } if [yes, no].iter().all(|side| side.stms.iter().all(costs_little)))
        && stm.pat.iter().all(|p| matches!(p.ty, Type::Scalar(_)))
}

/// Whether an element of what it makes is worked out from an index.
pub(super) fn is_view(stm: &Stm) -> bool {
    let turned = matches!(stm.exp, Exp::Copy(_) | Exp::Reverse { .. } | Exp::Rotate { .. } | Exp::Replicate { .. });
    is_cheap(stm) || is_filled(stm) || turned
}

/// Whether the elements of what it makes are counted, all the same, or nothing yet.
pub(super) fn is_filled(stm: &Stm) -> bool {
    matches!(stm.exp, Exp::Iota { .. } | Exp::Replicate { value: SubExp::Lit(_), .. } | Exp::Scratch { .. })
}

/// Whether a variable is used in the body outside of these statements.
fn is_used_outside(v: Var, run: &[&Stm], body: &Body) -> bool {
    struct Uses(Var, bool);
    impl Visit for Uses {
        fn var(&mut self, v: &Var) {
            self.1 |= *v == self.0;
        }
    }
    let mut uses = Uses(v, body.result.contains(&SubExp::Var(v)));
    for stm in body.stms.iter().filter(|s| !run.iter().any(|r| std::ptr::eq(*r, *s))) {
        uses.stm(stm);
    }
    uses.1
}
