//! Flattening: parallel nests become [`SegOp`]s, each of which is one kernel; what is left around them runs on the host.
//!
//! A map at host level opens a *nest*. The statements of its body that are parallel themselves are taken out, each as a kernel over the nest's
//! space extended by its own dimension (map fission, digest 004 §3.6: moderate flattening); the sequential statements between them become
//! kernels of their own, and what crosses from one kernel to a later one is stored in an array over the space. Cheap statements (scalar
//! operations, indexing, views) are not stored but done again in each kernel that needs them. From [`MAX_SPACE`] dimensions on, the rest of a nest
//! is sequential code in each point: SOACs and loops inside a [`SegOp`]'s body.
//!
//! The input has no calls, `vjp` or `jvp`. What has no kernel of its own is left as it is: at host level streams, flatmaps
//! and array code but for the simplest; in a nest, where they are sequential code of a point. A backend says what of that it cannot run.

mod control;
mod flat_map;
mod interchange;
mod irregular;
mod split;

use self::control::is_worth_kernels;
use self::flat_map::flat_map;
use self::interchange::{columns, fills};
use self::irregular::{Held, Segments, fill};
use self::split::split;
use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, Vars};
use crate::ir::rename::renamed;
use crate::ir::visit::{Node, Visit, VisitMut, free_vars, substitute, walk_exp, walk_exp_mut, walk_fun_mut};
use crate::ir::*;
use std::cell::Cell;
use std::rc::Rc;

/// Parallel nests have at most this many dimensions; inside, code is sequential.
pub const MAX_SPACE: usize = 2;

/// Flattens every function.
pub fn flatten(mut program: Program, known: &mut Analyses) -> Program {
    let (groups, mut vars) = (known.consumable(&program), known.vars(&program));
    let known_here = Known { groups, fills: fills(&program) };
    for fun in &mut program.funs {
        let body = std::mem::take(&mut fun.body);
        fun.body = host_body(body, &mut vars, &known_here);
    }
    known.changed();
    program
}

/// So many points keep a device busy, each with sequential code, unless it says otherwise.
pub const ENOUGH: i64 = 32 * 1024;

/// The attribute of a comparison of a nest's points with [`ENOUGH`], for which a device puts its own number.
pub const IS_ENOUGH: &str = "enough";

/// The attribute of a branch whose sides come to the same: whoever runs the program may take either.
pub const EQUIVALENT: &str = "equivalent";

/// The program with another number for [`ENOUGH`]; `None` if it asks for none.
pub fn with_enough(program: &Program, points: i64) -> Option<Program> {
    struct With(i64, bool);
    impl VisitMut for With {
        fn stm(&mut self, stm: &mut Stm) {
            if stm.attrs.iter().any(|attr| attr.name.as_str() == IS_ENOUGH)
                && let Exp::Prim(_, operands) = &mut stm.exp
                && let [_, number] = &mut operands[..]
            {
                *number = SubExp::i64(self.0);
                self.1 = true;
            }
            walk_exp_mut(self, &mut stm.exp);
        }
    }
    let (mut program, mut with) = (program.clone(), With(points, false));
    program.funs.iter_mut().for_each(|fun| walk_fun_mut(&mut with, fun));
    with.1.then_some(program)
}

/// What is known of a program.
struct Known {
    /// Which arrays may be consumed.
    groups: Rc<Consumable>,
    /// The arrays that are one scalar everywhere.
    fills: HashMap<Var, SubExp>,
}

fn host_body(body: Body, vars: &mut Vars, known: &Known) -> Body {
    let mut b = Builder::new(vars, Prov::UNKNOWN);
    for stm in body.stms {
        host_stm(&mut b, stm, known);
    }
    Body { stms: b.stms, result: body.result }
}

fn host_stm(b: &mut Builder, mut stm: Stm, known: &Known) {
    let nested = |body: &mut Body, vars: &mut Vars| *body = host_body(std::mem::take(body), vars, known);
    if let Exp::FlatMap(f) = &stm.exp {
        return flat_map(b, f, &stm, known);
    }
    match &mut stm.exp {
        Exp::If { yes, no, .. } => {
            nested(yes, b.vars);
            nested(no, b.vars);
        }
        Exp::Match { cases, default, .. } => {
            cases.iter_mut().for_each(|case| nested(&mut case.body, b.vars));
            nested(default, b.vars);
        }
        Exp::Loop { body, .. } => nested(body, b.vars),
        Exp::WithAcc(w) => nested(&mut w.lambda.body, b.vars),
        Exp::Screma(_) | Exp::Scatter(_) => return soac_stm(b, stm, known),
        _ => {}
    }
    b.push(stm);
}

/// A SOAC of the host: one of one kind opens a nest.
fn soac_stm(b: &mut Builder, stm: Stm, known: &Known) {
    let groups = &known.groups;
    if let Exp::Screma(s) = &stm.exp {
        (b.prov, b.certs) = (stm.prov, stm.certs.clone());
        let parts = split(b, s, &stm.pat).or_else(|| columns(b, s, &stm.pat, &known.fills));
        b.certs.clear();
        if let Some(stms) = parts {
            return stms.into_iter().for_each(|stm| host_stm(b, stm, known));
        }
    }
    let Some((rows, kind)) = rows(&stm.exp) else { return b.push(stm) };
    (b.prov, b.attrs) = (stm.prov, stm.attrs.clone());
    let lifted = Rc::new(Lifted::default());
    let full = Nest { lifted: Some(lifted.clone()), ..Nest::new(groups, b.vars) };
    let full =
        if may_be_lifted(rows.map) { Some(b.inner(|b| full.results(b, &stm, &rows, kind.clone()))) } else { None };
    let full = full.filter(|_| lifted.used.get() && !lifted.failed.get());
    let nest = Nest::new(groups, b.vars);
    let Some(full) = full else {
        let results = nest.results(b, &stm, &rows, kind);
        b.attrs.clear();
        return stm.pat.iter().zip(results).for_each(|(pat, e)| b.bind(vec![pat.clone()], Exp::SubExp(e)));
    };
    let outer = b.inner(|b| nest.results(b, &stm, &rows, kind));
    // the host's part of both may be the same checks
    let full = renamed(&full, b.vars);
    b.attrs.clear();
    b.attrs = vec![Attr { name: IS_ENOUGH.into(), arg: None }];
    let few = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[rows.width.into(), SubExp::i64(ENOUGH)]);
    b.attrs = vec![Attr { name: EQUIVALENT.into(), arg: None }];
    b.bind(stm.pat.clone(), Exp::If { cond: few, yes: full, no: outer });
    b.attrs.clear();
}

/// A function that is applied to rows.
struct Rows<'a> {
    width: Dim,
    arrays: &'a [Var],
    map: &'a Lambda,
}

/// What a SOAC maps, and what it does with that; `None` if it is no SOAC of one kind.
fn rows(exp: &Exp) -> Option<(Rows<'_>, SegKind)> {
    match exp {
        Exp::Screma(s) if s.post.is_none() => {
            let kind = match (&s.scans[..], &s.reduces[..]) {
                ([], []) => SegKind::Map,
                ([], reduces) => SegKind::Reduce(reduces.to_vec()),
                (scans, []) => SegKind::Scan(scans.to_vec()),
                _ => return None,
            };
            Some((Rows { width: s.width, arrays: &s.arrays, map: &s.map }, kind))
        }
        Exp::Scatter(s) => {
            Some((Rows { width: s.width, arrays: &s.arrays, map: &s.map }, SegKind::Write(s.dests.clone())))
        }
        _ => None,
    }
}

/// An open nest of maps.
#[derive(Clone, Default)]
struct Nest {
    /// The dimensions.
    space: Vec<(Binder, Dim)>,
    /// What every kernel of the nest may need first: the rows of the arrays mapped over, cheap statements, what earlier kernels stored.
    prelude: Vec<Stm>,
    /// What is bound in the nest.
    bound: HashSet<Var>,
    /// Accumulators bound in the nest, and the accumulators of the host that they are.
    accs: HashMap<Var, SubExp>,
    /// Certificates of the nest's own checks that every kernel relies on.
    required: Vec<Var>,
    /// Which arrays may be consumed.
    groups: Rc<Consumable>,
    /// How many variables there were when the nest was opened.
    first: u32,
    /// If what has widths of its own at each point is to be made for all points at once: what has come of that.
    lifted: Option<Rc<Lifted>>,
    /// Whether the host goes round with it.
    looped: bool,
    /// The segments of arrays of these sizes over this nest.
    segments: HashMap<Vec<Dim>, Segments>,
    /// The flat arrays that hold these variables.
    flats: HashMap<Var, Var>,
}

/// What has come of the attempt to make what is irregular for all points at once.
#[derive(Default)]
struct Lifted {
    /// There was something irregular.
    used: Cell<bool>,
    /// There was something for which there is no way.
    failed: Cell<bool>,
}

impl Nest {
    fn new(groups: &Rc<Consumable>, vars: &Vars) -> Nest {
        Nest { groups: groups.clone(), first: vars.count(), ..Nest::default() }
    }

    /// The nest extended by the dimension of a SOAC that relies on these certificates.
    fn enter(&self, b: &mut Builder, s: &Rows, certs: &[Var]) -> Nest {
        let mut nest = self.clone();
        nest.required.extend(certs.iter().filter(|c| self.bound.contains(c)));
        let index = b.vars.fresh("i", Type::I64);
        nest.remember_rows(b, self, s, vec![index.var.into()]);
        nest.space.push((index, s.width));
        (nest.segments, nest.flats) = Default::default();
        nest
    }

    /// The parameters of a function are rows of the arrays of an outer nest, or its accumulators.
    fn remember_rows(&mut self, b: &mut Builder, outer: &Nest, s: &Rows, at: Vec<SubExp>) {
        for (param, array) in s.map.params.iter().zip(s.arrays) {
            if matches!(param.ty, Type::Acc(_)) {
                let host = outer.accs.get(array).copied().unwrap_or(SubExp::Var(*array));
                self.accs.insert(param.var, host);
                continue;
            }
            self.remember_row(b, param.clone(), *array, at.clone());
        }
    }

    /// A SOAC of the host in this nest, which has no dimension yet: its results. An array that was there before, or that another result is, too, and that one of those that share it
    /// may consume, is copied.
    fn results(&self, b: &mut Builder, stm: &Stm, rows: &Rows, kind: SegKind) -> Vec<SubExp> {
        let results = self.soac(b, rows, kind, &stm.certs);
        let mut all = Vec::new();
        for (i, (pat, result)) in stm.pat.iter().zip(results.iter().copied()).enumerate() {
            // mutant comparison: the first new variable of a nest is its index, which is no result
            let shared = result.0 < self.first || results[..i].contains(&result);
            let same = stm.pat.iter().zip(&results).filter(|(_, r)| **r == result);
            let consumed = same.map(|(p, _)| p.var).chain([result]).any(|v| self.groups.may_be_consumed(v));
            all.push(match pat.ty {
                Type::Array(..) if shared && consumed => b.let_one("own", Exp::Copy(result)).into(),
                _ => result.into(),
            });
        }
        all
    }

    /// Adds a statement to what later kernels may do again.
    fn remember(&mut self, stm: Stm) {
        self.bound.extend(stm.pat.iter().map(|p| p.var));
        self.prelude.push(stm);
    }

    /// Later kernels find this variable of the nest in an array. What they may consume is their own copy: other kernels read the array too.
    fn remember_row(&mut self, b: &mut Builder, pat: Binder, array: Var, indices: Vec<SubExp>) {
        let exp = Exp::Index { array, indices };
        if matches!(pat.ty, Type::Array(..)) && self.groups.may_be_consumed(pat.var) {
            let row = b.vars.fresh(pat.name.clone(), pat.ty.clone());
            let copy = Exp::Copy(row.var);
            self.remember(plain(row, exp, b.prov));
            self.remember(plain(pat, copy, b.prov));
        } else {
            self.remember(plain(pat, exp, b.prov));
        }
    }

    /// Whether the type's sizes are known outside of the nest.
    fn is_invariant(&self, node: &dyn Node) -> bool {
        free_vars(node).iter().all(|v| !self.bound.contains(v))
    }

    /// A SOAC in this nest: its kernels, and the host's variables for its results. These have the nest's dimensions before their own.
    fn soac(&self, b: &mut Builder, s: &Rows, kind: SegKind, certs: &[Var]) -> Vec<Var> {
        let outer = b.certs.clone();
        b.certs.extend(certs.iter().filter(|c| !self.bound.contains(c)));
        let nest = self.enter(b, s, certs);
        let mut map = Lambda { body: nest.checked_once(b, &s.map.body), ..s.map.clone() };
        nest.prepare(b, &mut map.body);
        let kind = match kind {
            SegKind::Write(dests) => SegKind::Write(self.whole(b, dests, &mut map)),
            other => other,
        };
        let operands = kind.operands();
        let results = match nest.fission(b, &map.body) {
            Some(segments) => {
                let points: Vec<Var> = nest.distribute(b, segments, &map).into_iter().map(Held::array).collect();
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

    /// What a function makes of rows, at all points of this nest and of a dimension more.
    fn all(&self, b: &mut Builder, s: &Rows, certs: &[Var]) -> Vec<Held> {
        let outer = b.certs.clone();
        b.certs.extend(certs.iter().filter(|c| !self.bound.contains(c)));
        let nest = self.enter(b, s, certs);
        let mut map = Lambda { body: nest.checked_once(b, &s.map.body), ..s.map.clone() };
        nest.prepare(b, &mut map.body);
        let points = nest.points(b, &map);
        b.certs = outer;
        points
    }

    /// Makes a body ready to be cut at its parallel statements.
    fn prepare(&self, b: &mut Builder, body: &mut Body) {
        if self.lifted.is_some() {
            fill(body);
        }
        self.split_up(b, body);
    }

    /// Those SOACs of a body that scan and do something else, too, in parts, if these may become kernels.
    fn split_up(&self, b: &mut Builder, body: &mut Body) {
        // mutant comparison: where all is sequential the parts come to the same as the whole
        if self.space.len() >= MAX_SPACE && self.lifted.is_none() {
            return;
        }
        let outer = (b.prov, std::mem::take(&mut b.certs), std::mem::take(&mut b.attrs));
        for stm in std::mem::take(&mut body.stms) {
            (b.prov, b.certs, b.attrs) = (stm.prov, stm.certs.clone(), stm.attrs.clone());
            let parts = if let Exp::Screma(s) = &stm.exp { split(b, s, &stm.pat) } else { None };
            body.stms.extend(parts.unwrap_or_else(|| vec![stm]));
        }
        (b.prov, b.certs, b.attrs) = outer;
    }

    /// What each point of this nest writes to has one array, in which each has its own part; the function gives places in that.
    fn whole(&self, b: &mut Builder, dests: Vec<ScatterDest>, map: &mut Lambda) -> Vec<ScatterDest> {
        if self.space.is_empty() {
            return dests;
        }
        let dims: Vec<Dim> = self.space.iter().map(|(_, dim)| *dim).collect();
        let here = self.here();
        let (mut ret, mut result, mut first) = (Vec::new(), Vec::new(), 0);
        for dest in &dests {
            let own = first..first + dest.shape.len();
            first = own.end;
            result.extend(here.iter().chain(&map.body.result[own.clone()]));
            ret.extend(here.iter().map(|_| Type::I64).chain(map.ret[own].iter().cloned()));
        }
        result.extend_from_slice(&map.body.result[first..]);
        ret.extend_from_slice(&map.ret[first..]);
        (map.body.result, map.ret) = (result, ret);
        let whole = |dest: &ScatterDest| {
            let shape = [&dims, &dest.shape[..]].concat();
            ScatterDest { shape, array: self.own_array(b, dest.array) }
        };
        dests.iter().map(whole).collect()
    }

    /// An array of the values of a variable at all points, for whoever consumes the variable: the one that it is found in, if that was made for it alone, or a new one.
    fn own_array(&self, b: &mut Builder, v: Var) -> Var {
        match self.row_of(v) {
            Some((array, true)) => array,
            Some((array, false)) => b.let_one("own", Exp::Copy(array)),
            None => {
                let ty = b.vars.ty(v).clone();
                self.kernel(b, SegKind::Map, Body { stms: Vec::new(), result: vec![v.into()] }, &[ty])[0]
            }
        }
    }

    /// The array that a variable is this point's row of, or of whose row it is a copy, and whether that is all that the array is for.
    fn row_of(&self, v: Var) -> Option<(Var, bool)> {
        let bound = |v: Var| self.prelude.iter().find(|stm| stm.pat[0].var == v).map(|stm| &stm.exp);
        let row = if let Some(Exp::Copy(row)) = bound(v) { *row } else { v };
        let Some(Exp::Index { array, indices }) = bound(row) else { return None };
        indices.iter().copied().eq(self.here()).then_some(())?;
        let uses = self.prelude.iter().filter(|stm| free_vars(*stm).contains(array)).count();
        Some((*array, array.0 >= self.first && uses == 1))
    }

    /// The body without those of its checks that are the same at every point: the host makes them, if there are points. What a kernel inside of the nest
    /// is to compute may have their sizes, and no points of its own at which they could be made.
    fn checked_once(&self, b: &mut Builder, body: &Body) -> Body {
        let own: HashSet<Var> = body.stms.iter().flat_map(|stm| &stm.pat).map(|p| p.var).collect();
        let is_known =
            |v: &Var| !self.bound.contains(v) && !own.contains(v) && self.space.iter().all(|(i, _)| i.var != *v);
        let once = |stm: &Stm| {
            matches!(&stm.exp, Exp::Check(check) if !matches!(check, Check::Made(_)))
                && free_vars(stm).iter().all(is_known)
        };
        let mut rest = Body { stms: Vec::new(), result: body.result.clone() };
        for stm in &body.stms {
            if !once(stm) {
                rest.stms.push(stm.clone());
                continue;
            }
            let outer = (std::mem::replace(&mut b.prov, stm.prov), std::mem::take(&mut b.attrs));
            let exp = match self.has_points(b) {
                None => stm.exp.clone(),
                Some(cond) => {
                    let holds = Exp::Check(Check::Assert(Scalar::Bool(true).into(), "".into()));
                    let yes = b.inner(|b| vec![b.let_one("check", stm.exp.clone()).into()]);
                    let no = b.inner(|b| vec![b.let_one("check", holds).into()]);
                    Exp::If { cond, yes, no }
                }
            };
            b.under(stm.certs.clone(), |b| b.bind(stm.pat.clone(), exp));
            (b.prov, b.attrs) = outer;
        }
        rest
    }

    /// Whether the space has points; none where it is known to have some.
    fn has_points(&self, b: &mut Builder) -> Option<SubExp> {
        let unknown = self.space.iter().map(|(_, size)| *size).filter(|d| !matches!(d, Dim::Const(1..)));
        let and = Prim::Bin(BinOp::And, ScalarType::Bool);
        let some = Prim::Cmp(CmpOp::Lt, ScalarType::I64);
        b.under(Vec::new(), |b| {
            let each: Vec<SubExp> = unknown.map(|d| b.prim_op(some, &[SubExp::i64(0), d.into()])).collect();
            each.into_iter().reduce(|x, y| b.prim_op(and, &[x, y]))
        })
    }

    /// This point's value of an array over the space.
    fn point(&self, b: &mut Builder, array: Var) -> SubExp {
        let index = self.here();
        b.index(array, &index).into()
    }

    /// Whether a statement in this nest becomes a kernel of its own.
    fn is_parallel(&self, stm: &Stm) -> bool {
        let Some((rows, kind)) = rows(&stm.exp) else { return false };
        let known = |op: &Operator| self.is_invariant(&op.lambda) && op.neutral.iter().all(|e| self.is_invariant(e));
        let kinds = match &kind {
            SegKind::Map => true,
            SegKind::Scan(ops) | SegKind::Reduce(ops) => ops.iter().all(known),
            SegKind::Write(_) => stm.pat.iter().all(|p| self.is_invariant(&p.ty)),
        };
        let types = rows.map.ret.iter().all(|t| matches!(t, Type::Acc(_)) || self.is_invariant(t));
        self.space.len() < MAX_SPACE && self.is_invariant(&SubExp::from(rows.width)) && kinds && types
    }

    /// The body cut at its parallel statements; `None` if it has none, or if what would have to be stored has sizes of its own at each point.
    fn fission<'a>(&self, b: &Builder, body: &'a Body) -> Option<Vec<Segment<'a>>> {
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
    fn distribute(&self, b: &mut Builder, segments: Vec<Segment>, map: &Lambda) -> Vec<Held> {
        let mut nest = self.clone();
        for segment in segments {
            match segment {
                Segment::Cheap(stm) => nest.remember(stm.clone()),
                Segment::Parallel(stm) => {
                    let Some((rows, kind)) = rows(&stm.exp) else { continue };
                    let outer = std::mem::replace(&mut b.prov, stm.prov);
                    let results = nest.soac(b, &rows, kind, &stm.certs);
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
                        }
                    }
                    b.prov = outer;
                }
            }
        }
        // What the body returns is stored already, or is made by one last kernel.
        let mut stored: Vec<Option<Held>> = Vec::new();
        for (e, ty) in map.body.result.iter().zip(&map.ret) {
            stored.push(match e {
                SubExp::Var(v) if ty.rank() > 0 && !nest.is_invariant(ty) => Some(nest.flat_of(b, *v, ty)),
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
    fn points(&self, b: &mut Builder, map: &Lambda) -> Vec<Held> {
        let segments = self.fission(b, &map.body);
        let all = || match &map.body.stms[..] {
            [] => Vec::new(),
            stms => vec![Segment::Sequential(stms.iter().collect())],
        };
        let segments = segments.unwrap_or_else(all);
        self.distribute(b, segments, map)
    }

    /// The variables that sequential code binds for what comes after it: those of sizes of their own at each point, and the others, among them those sizes.
    fn crossing(&self, run: &[&Stm], body: &Body) -> (Vec<Binder>, Vec<Binder>) {
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

    /// The host's array that holds this result of the body at every point, if there is one; or the accumulator that it is.
    fn stored_in(&self, e: SubExp) -> Option<Var> {
        let v = e.as_var()?;
        if let Some(acc) = self.accs.get(&v) {
            return acc.as_var();
        }
        let index = self.here();
        self.prelude.iter().find_map(|stm| match &stm.exp {
            Exp::Index { array, indices } if stm.pat[0].var == v && *indices == index => Some(*array),
            _ => None,
        })
    }

    /// Later kernels find these variables of the nest in these arrays over the space.
    fn store(&mut self, b: &mut Builder, pairs: Vec<(Binder, Var)>) {
        let index = self.here();
        for (pat, array) in pairs {
            if matches!(pat.ty, Type::Acc(_)) {
                self.accs.insert(pat.var, array.into());
            } else {
                self.remember_row(b, pat, array, index.clone());
            }
        }
    }

    /// Makes the results of a kernel's body rely on the nest's own checks.
    fn rely(&self, b: &mut Builder, body: &mut Body, ret: &[Type]) {
        if self.required.is_empty() {
            return;
        }
        for (e, ty) in body.result.iter_mut().zip(ret) {
            let pat = b.vars.fresh("checked", ty.clone());
            let checked = SubExp::Var(pat.var);
            body.stms.push(Stm { certs: self.required.clone(), ..plain(pat, Exp::SubExp(*e), b.prov) });
            *e = checked;
        }
    }

    /// Emits one kernel over the space, and gives its results.
    fn kernel(&self, b: &mut Builder, kind: SegKind, body: Body, ret: &[Type]) -> Vec<Var> {
        let mut body = body;
        substitute(&mut body, &self.accs);
        self.rely(b, &mut body, ret);
        let mut needed: HashSet<Var> = free_vars(&body).into_iter().collect();
        let mut prelude = Vec::new();
        for stm in self.prelude.iter().rev() {
            if needed.contains(&stm.pat[0].var) {
                needed.extend(free_vars(stm));
                prelude.push(stm.clone());
            }
        }
        prelude.reverse();
        body.stms.splice(0..0, prelude);
        let seg = SegOp { level: Level::Grid, space: self.space.clone(), kind, ret: ret.to_vec(), body };
        let exp = renamed(&Exp::SegOp(seg), b.vars);
        b.let_many("k", exp)
    }
}

enum Segment<'a> {
    Parallel(&'a Stm),
    Lifted(&'a Stm),
    Cheap(&'a Stm),
    Sequential(Vec<&'a Stm>),
}

fn plain(pat: Binder, exp: Exp, prov: Prov) -> Stm {
    Stm { pat: vec![pat], exp, certs: Vec::new(), attrs: Vec::new(), prov }
}

/// Whether doing it again costs less than storing it.
fn is_cheap(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::SubExp(_) | Exp::Prim(..) | Exp::Index { .. } | Exp::Check(_) => !matches!(stm.pat[0].ty, Type::Acc(_)),
        Exp::Slice { .. } | Exp::FlatIndex { .. } => true,
        Exp::Reshape { .. } | Exp::Coerce { .. } | Exp::Rearrange { .. } => true,
        _ => false,
    }
}

/// Whether the elements of what it makes are counted, all the same, or nothing yet.
fn is_filled(stm: &Stm) -> bool {
    matches!(stm.exp, Exp::Iota { .. } | Exp::Replicate { value: SubExp::Lit(_), .. } | Exp::Scratch { .. })
}

/// Whether a function has SOACs of widths that it finds out itself, or in loops and branches.
fn may_be_lifted(map: &Lambda) -> bool {
    struct Own {
        bound: HashSet<Var>,
        found: bool,
    }
    impl Visit for Own {
        fn bind(&mut self, b: &Binder) {
            self.bound.insert(b.var);
        }
        fn stm(&mut self, stm: &Stm) {
            self.found |= match &stm.exp {
                Exp::Loop { body, .. } => is_worth_kernels(body),
                Exp::If { yes, no, .. } => is_worth_kernels(yes) || is_worth_kernels(no),
                exp => rows(exp).is_some_and(|(rows, _)| matches!(rows.width, Dim::Var(v) if self.bound.contains(&v))),
            };
            stm.pat.iter().for_each(|p| self.bind(p));
            walk_exp(self, &stm.exp);
        }
    }
    let mut own = Own { bound: HashSet::default(), found: false };
    own.lambda(map);
    own.found
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
