//! Flattening: parallel nests become [`SegOp`]s, each of which is one kernel; what is left around them runs on the host.
//!
//! A map at host level opens a *nest*. The statements of its body that are parallel themselves are taken out, each as a kernel over the nest's
//! space extended by its own dimension (map fission, digest 004 §3.6: moderate flattening); the sequential statements between them become
//! kernels of their own, and what crosses from one kernel to a later one is stored in an array over the space. Cheap statements (scalar
//! operations, indexing, views) are not stored but done again in each kernel that needs them. From [`MAX_SPACE`] dimensions on, the rest of a nest
//! is sequential code in each point: SOACs and loops inside a [`SegOp`]'s body.
//!
//! Further dimensions, what differs in size from point to point, and loops and branches around what is parallel in a nest, are made for all points at once in a version of the nest that is for
//! few points (`versions`, `irregular`, `control`).
//!
//! The input has no calls, `vjp` or `jvp`. What has no kernel of its own is left as it is: at host level array code but for the simplest; in a nest, where it is sequential
//! code of a point. A backend says what of that it cannot run.

mod control;
mod distribute;
mod flat_map;
mod homes;
mod interchange;
mod irregular;
mod nest;
mod recursion;
mod rounds;
mod split;
mod versions;
mod within;
mod writes;

pub use self::versions::{ENOUGH, threshold, threshold_number, thresholds, with_enough};
pub use self::within::INVOCATIONS;

use self::flat_map::flat_map;
use self::interchange::{Constant, columns, constants};
use self::nest::Nest;
use self::recursion::Calls;
use self::split::split;
use self::versions::{Lifted, are_few, is_enough, may_be_lifted};
use self::within::Within;
use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars, fresh_pattern};
use crate::ir::rename::renamed;
use crate::ir::*;
use std::cell::Cell;
use std::rc::Rc;

/// Nests for many points have at most this many dimensions; inside, code is sequential.
pub const MAX_SPACE: usize = 2;

/// Flattens every function.
pub fn flatten(mut program: Program, known: &mut Analyses) -> Program {
    let (groups, mut vars) = (known.consumable(&program), known.vars(&program));
    let arrays = Rc::new(constants(&program));
    let calls = Rc::new(Calls::of(&program));
    let here =
        || Known { groups: groups.clone(), constants: arrays.clone(), calls: calls.clone(), versions: Cell::default() };
    for fun in &mut program.funs {
        let body = std::mem::take(&mut fun.body);
        fun.body = host_body(body, &mut vars, &here());
    }
    program.funs.extend(calls.versions(&mut vars, &here));
    known.changed();
    program
}

/// What is known of a program.
struct Known {
    /// Which arrays may be consumed.
    groups: Rc<Consumable>,
    /// The arrays that are known.
    constants: Rc<HashMap<Var, Constant>>,
    /// The functions that calls are left of.
    calls: Rc<Calls>,
    /// How many choices among versions there are in the function.
    versions: Cell<i64>,
}

impl Known {
    /// The number of one more choice.
    fn number(&self) -> i64 {
        // mutant off by one: any numbers will do that differ
        self.versions.replace(self.versions.get() + 1)
    }
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
    if let Exp::Screma(s) = &stm.exp {
        (b.prov, b.certs, b.attrs) = (stm.prov, stm.certs.clone(), stm.attrs.clone());
        let parts = split(b, s, &stm.pat).or_else(|| columns(b, s, &stm.pat, &known.constants));
        (b.certs, b.attrs) = Default::default();
        if let Some(stms) = parts {
            return stms.into_iter().for_each(|stm| host_stm(b, stm, known));
        }
    }
    let Some((rows, kind)) = rows(&stm.exp) else { return b.push(stm) };
    (b.prov, b.attrs) = (stm.prov, stm.attrs.clone());
    let nest = Nest::new(known, b.vars, Rc::new(known.groups.within(&stm)));
    let lifted = Rc::new(Lifted::default());
    let full = may_be_lifted(rows.map).then(|| {
        let nest = Nest { lifted: Some(lifted.clone()), sequential: Rc::default(), ..nest.clone() };
        b.inner(|b| nest.results(b, &stm, &rows, kind.clone()))
    });
    let full = full.filter(|_| !lifted.failed.get() && (lifted.used.get() || !lifted.deeper.borrow().is_empty()));
    let Some(full) = full else {
        let results = nest.results(b, &stm, &rows, kind);
        b.attrs.clear();
        return stm.pat.iter().zip(results).for_each(|(pat, e)| b.bind(vec![pat.clone()], Exp::SubExp(e)));
    };
    let within = Rc::new(Within::default());
    let grouped = {
        let nest = Nest { within: Some(within.clone()), sequential: Rc::default(), ..nest.clone() };
        b.inner(|b| nest.results(b, &stm, &rows, kind.clone()))
    };
    let outer = b.inner(|b| nest.results(b, &stm, &rows, kind));
    // the host's part of all may be the same checks
    let mut few_points = renamed(&full, b.vars);
    let few = are_few(b, &nest, &lifted, known.number());
    // mutant dropped term -> `!within.failed.get()`: where there are two versions, one has sequential code worth kernels, which is divided or not
    if within.used.get() && !within.failed.get() {
        let grouped = renamed(&grouped, b.vars);
        few_points = b.inner(|b| {
            let number = within.suits(b);
            let cond = is_enough(b, number, known.number());
            let pat = fresh_pattern(b.vars, &stm.pat);
            either(b, &pat, cond, grouped, few_points)
        });
    }
    either(b, &stm.pat, few, few_points, outer);
}

/// A branch on sides that come to the same; what its results are.
fn either(b: &mut Builder, pat: &[Binder], cond: SubExp, yes: Body, no: Body) -> Vec<SubExp> {
    b.attrs = vec![Attr { name: Attr::EQUIVALENT.into(), arg: None }];
    b.bind(pat.to_vec(), Exp::If { cond, yes, no });
    b.attrs.clear();
    pat.iter().map(|p| p.var.into()).collect()
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
