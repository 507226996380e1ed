//! Arrays that a loop of each point's own carries, and that its rounds change where they stand: under which names they are there.

use super::control::{binders, is_of_values, is_sized_by};
use super::irregular::Home;
use super::nest::Nest;
use super::writes::{changed, written};
use crate::hash::HashMap;
use crate::ir::build::Builder;
use crate::ir::visit::substitute;
use crate::ir::*;
use std::collections::BTreeMap;

/// The name of each such array, and of what the loop carries there.
type Names = HashMap<Var, Var>;

/// The results of a branch, by their numbers, that are such arrays: their names before it, and where they are.
pub(super) type Homes = BTreeMap<usize, (Var, Home)>;

/// What a statement does to such arrays.
#[derive(Default)]
struct Kept {
    /// The results, by their numbers, that are what it has changed where that stands.
    results: Vec<(usize, Var)>,
    /// What a side of it has changed where that stands, and has not returned.
    lost: Vec<Var>,
}

impl Nest {
    /// Whether a round changes parts of what its loop carries where they stand, if at all; or parts of what it has made of that in the round; or replaces as many elements as there are. All else that
    /// consumes an array of a size or a number of rounds of the point's own makes all of it anew in each round.
    pub(super) fn changes_in_place(&self, b: &Builder, params: &[LoopParam], form: &LoopForm, body: &Body) -> bool {
        let carried = binders(params);
        let own = |p: &&Binder| !(matches!(p.ty, Type::Acc(_)) || self.is_uniform(form) && self.is_invariant(&p.ty));
        let own: Vec<&Binder> = carried.iter().filter(own).collect();
        let mut names: Names = own.iter().filter(|p| !is_sized_by(&p.ty, &carried)).map(|p| (p.var, p.var)).collect();
        let own: Vec<Var> = own.iter().map(|p| p.var).collect();
        let replaces = |stm: &Stm| match &stm.exp {
            Exp::Scatter(s) => s.dests.iter().all(|d| b.vars.ty(d.array).shape()[0] == s.width),
            _ => written(stm).is_some(),
        };
        body.stms.iter().all(|stm| self.follow(b, stm, &own, &mut names) || replaces(stm))
    }

    /// Whether a statement changes these variables, or what may share storage with them, where they stand, or not at all. The names are those behind it then.
    fn follow(&self, b: &Builder, stm: &Stm, own: &[Var], names: &mut Names) -> bool {
        let all: Vec<Var> = own.iter().chain(names.keys()).copied().collect();
        if !self.consumed.consumes_any(stm, &all) {
            return true;
        }
        let Some(Kept { results, lost }) = self.kept_by(b, stm, own, names) else { return false };
        let gone: Vec<Var> = lost.into_iter().chain(results.iter().map(|(_, origin)| *origin)).collect();
        names.retain(|_, of| !gone.contains(of));
        names.extend(results.into_iter().map(|(k, origin)| (stm.pat[k].var, origin)));
        true
    }

    /// What becomes of these variables in a statement that consumes some of them; `None` if it does not change them where they stand.
    fn kept_by(&self, b: &Builder, stm: &Stm, own: &[Var], names: &Names) -> Option<Kept> {
        if let Exp::If { yes, no, .. } = &stm.exp
            && written(stm).is_none()
        {
            // mutant swap `[yes, no]`: it is the same of both
            return if is_of_values(&stm.pat) { self.kept_by_sides(b, stm, [yes, no], own, names) } else { None };
        }
        let is_own = |v: Var| own.iter().any(|o| self.consumed.group(*o) == self.consumed.group(v));
        let all = changed(stm);
        let there = all.iter().all(|(_, array)| names.contains_key(array) || !is_own(*array));
        let in_place = written(stm).is_some() || self.is_scattered(b, stm) || self.is_accumulated(b, stm);
        let origins = all.iter().enumerate().filter_map(|(k, (_, array))| Some((k, *names.get(array)?)));
        (there && in_place).then(|| Kept { results: origins.collect(), lost: Vec::new() })
    }

    /// The same of a branch: a side may also return something else in the place of what it has not changed.
    fn kept_by_sides(&self, b: &Builder, stm: &Stm, sides: [&Body; 2], own: &[Var], names: &Names) -> Option<Kept> {
        let before: Names =
            names.iter().filter(|(v, _)| self.consumed.consumes_any(stm, &[**v])).map(|(v, o)| (*v, *o)).collect();
        let mut behind = Vec::new();
        for side in sides {
            let mut names = before.clone();
            // mutant: who consumes one otherwise consumes a copy, with the same results
            side.stms.iter().all(|stm| self.follow(b, stm, own, &mut names)).then_some(())?;
            behind.push(names);
        }
        let untouched =
            |side: usize, origin: Var| behind[side].iter().any(|(v, o)| *o == origin && before.contains_key(v));
        let mut kept: Vec<(usize, Var)> = Vec::new();
        for k in 0..stm.pat.len() {
            let each = [0, 1].map(|side| sides[side].result[k].as_var().and_then(|v| behind[side].get(&v).copied()));
            let (origin, other) = match each {
                [None, None] => continue,
                [Some(yes), Some(no)] if yes == no => (yes, None),
                // sides that let arrays change places give copies
                [Some(_), Some(_)] => return None,
                [Some(yes), None] => (yes, Some(1)),
                [None, Some(no)] => (no, Some(0)),
            };
            // the other side has its old value still
            let replaced = |side: usize| untouched(side, origin);
            let once = kept.iter().all(|(_, o)| *o != origin);
            (once && other.is_none_or(replaced)).then_some(())?;
            kept.push((k, origin));
        }
        let is_kept = |origin: Var| kept.iter().any(|(_, of)| *of == origin);
        let is_lost = |origin: &Var| !is_kept(*origin) && [0, 1].iter().any(|side| !untouched(*side, *origin));
        let lost = before.values().copied().filter(is_lost).collect();
        Some(Kept { results: kept, lost })
    }

    /// The results of a statement, by their numbers, that are where a loop has them, and what was there before.
    pub(super) fn at_home_behind(&self, b: &Builder, stm: &Stm) -> Vec<(usize, Var)> {
        let names: Names = self.homes.iter().map(|(v, home)| (*v, home.origin)).collect();
        let own: Vec<Var> = names.keys().copied().collect();
        // mutant dropped term -> `own.is_empty()`: what consumes none of them has none of them behind it
        if own.is_empty() || !self.consumed.consumes_any(stm, &own) {
            return Vec::new();
        }
        let kept = self.kept_by(b, stm, &own, &names).unwrap_or_default();
        let name = |origin: Var| names.iter().find(|(_, of)| **of == origin).map(|(v, _)| *v);
        kept.results.into_iter().filter_map(|(k, origin)| Some((k, name(origin)?))).collect()
    }

    /// Where a loop has an array that is to be changed; a copy, if arrays of sizes of their own are still read there.
    pub(super) fn home_of(&self, b: &mut Builder, array: Var) -> Option<Home> {
        let home = self.homes.get(&array)?.clone();
        let read = !self.readers(array).is_empty();
        Some(if read { Home { array: b.let_one("own", Exp::Copy(home.array)), ..home } } else { home })
    }

    /// The results of a branch that its sides change where a loop has them, ready for that.
    pub(super) fn homes_in(&mut self, b: &mut Builder, stm: &Stm) -> Homes {
        let mut homes = Homes::new();
        for (k, name) in self.at_home_behind(b, stm) {
            self.settle(b, name);
            homes.extend(self.home_of(b, name).map(|home| (k, (name, home))));
        }
        homes
    }

    /// A side of a branch, of whose points this is the nest, with those arrays where they are by now: what it returns for one is there in the end.
    pub(super) fn with_homes(&mut self, b: &mut Builder, side: &Body, homes: &Homes) -> Body {
        let mut names: Names = homes.values().map(|(name, home)| (*name, home.origin)).collect();
        side.stms.iter().for_each(|stm| {
            self.follow(b, stm, &[], &mut names);
        });
        let (mut own, mut renamed) = (side.clone(), HashMap::default());
        for (k, (name, home)) in homes {
            let now = b.vars.fresh("now", b.vars.ty(*name).clone());
            renamed.insert(*name, SubExp::Var(now.var));
            self.keep(b, now, home.clone());
            if let SubExp::Var(value) = side.result[*k]
                && names.get(&value) != Some(&home.origin)
            {
                let all = |size: &Dim| SliceDim::Range { start: SubExp::i64(0), count: *size, stride: SubExp::i64(1) };
                let slice = b.vars.ty(*name).shape().iter().map(all).collect();
                let exp = Exp::UpdateSlice { array: *name, slice, value };
                let replaced = b.inner(|b| vec![b.let_one("replaced", exp).into()]);
                own.stms.extend(replaced.stms);
                own.result[*k] = replaced.result[0];
            }
        }
        substitute(&mut own, &renamed);
        own
    }
}
