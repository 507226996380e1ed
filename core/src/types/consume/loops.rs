//! Loops: what they consume of their initial value, and what their result is an alias of.

use super::Consume;
use super::aliases::{Aliases, from_marks, from_parts, marks};
use super::places::{Owner, Set};
use crate::hash::HashMap;
use crate::source::Span;
use crate::types::typed::{Loop, LoopForm};

impl Consume<'_> {
    pub(super) fn loop_(&mut self, l: &mut Loop) -> Aliases {
        let init = self.expr(&mut l.init);
        let over = match &mut l.form {
            LoopForm::For(_, e) | LoopForm::ForIn(_, e) => self.expr(e),
            LoopForm::While(_) => Aliases::NONE,
        };
        self.observe(&l.init.ty, &init, l.init.span);

        let outside = self.enter();
        let carried = self.places.places_for(&l.pat.ty, None, Owner::Own);
        self.bind(&l.pat, &carried);
        match &mut l.form {
            LoopForm::For(..) => {}
            LoopForm::ForIn(p, e) => {
                // each turn reads another element
                self.observe(&e.ty, &over, e.span);
                self.bind(p, &over);
            }
            LoopForm::While(e) => {
                // what it leaves may be the result
                let next = self.places.next();
                let floor = std::mem::replace(&mut self.floor, next);
                self.expr(e);
                self.floor = floor;
            }
        }
        let body = self.expr(&mut l.body);

        // mutant: loops carry no functions
        let params = carried.parts(&l.pat.ty, false);
        // mutant: loops carry no functions
        let first = init.parts(&l.pat.ty, false);
        // mutant: loops carry no functions
        let last: Vec<Vec<Set>> = body.parts(&l.pat.ty, false).into_iter().map(|set| self.places.places(set)).collect();
        let position: HashMap<Set, usize> = params.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        let consumed: Vec<bool> = params.iter().map(|p| self.places.is_consumed(*p)).collect();
        let observed = marks(&l.pat.ty, &l.observed);
        for (p, _) in params.iter().zip(&observed).filter(|(_, observed)| **observed) {
            if !self.places.is_consumed(*p) {
                continue;
            }
            let at = self.places.consumed(*p).map_or(l.body.span, |(_, at)| at);
            self.not_consumable(*p, at);
        }
        // a mark promises that what a turn returns is the loop's own; it consumes nothing by itself, but where a turn returns what it was given: that must be own, too
        let own: Vec<bool> = marks(&l.pat.ty, &l.consumes).iter().zip(&consumed).map(|(m, c)| *m || *c).collect();
        let promised = consumed_with(own.clone(), &last, &position);
        self.returned_by_turn(&params, &last, &promised, &own, l.body.span);
        let given_back = |p: &Set| last.iter().zip(&own).any(|(places, own)| *own && places.contains(p));
        let consumed = params.iter().zip(consumed).map(|(p, c)| c || given_back(p)).collect();
        let consumed = consumed_with(consumed, &last, &position);

        let used = self.leave(&outside);
        l.consumes = from_marks(&l.pat.ty, &consumed);
        if self.shared(&first, &consumed).is_some() {
            self.self_aliased(l.init.span);
        } else {
            for (set, _) in first.iter().zip(&consumed).filter(|(_, c)| **c) {
                self.consume(*set, l.init.span);
            }
            for (set, span) in used {
                self.turn_uses(set, span);
            }
        }
        let results = results(&first, &last, &consumed, &position);
        let results: Vec<Set> = results.into_iter().map(|sets| self.join_all(&sets)).collect();
        from_parts(&l.pat.ty, &mut results.into_iter())
    }

    /// A turn uses this, which the loop may have consumed with its initial value.
    fn turn_uses(&mut self, set: Set, span: Span) {
        if let Some((place, at)) = self.places.consumed(set) {
            self.used_after(place, span, at);
        }
    }

    pub(super) fn join_all(&mut self, sets: &[Set]) -> Set {
        sets.iter().fold(Set::EMPTY, |all, set| self.places.join(all, *set))
    }

    /// What a turn returns for a parameter that is consumed must be the loop's own, and nothing else may be an alias of it. `own`: whether a
    /// parameter is consumed by itself, and not only as what comes back for another.
    fn returned_by_turn(&mut self, params: &[Set], last: &[Vec<Set>], consumed: &[bool], own: &[bool], span: Span) {
        for (i, places) in last.iter().enumerate().filter(|(i, _)| consumed[*i]) {
            if let Some(place) = places.iter().find(|p| !self.consumable(**p)) {
                return self.loop_returns(params[i], *place, span);
            }
        }
        let sets: Vec<Set> = last.iter().map(|places| self.join_all(places)).collect();
        match self.shared(&sets, consumed) {
            Some((_, first, second)) if own[first] => self.loop_returns_consumed(params[second], span),
            Some((_, _, second)) => self.loop_returns_twice(params[second], span),
            None => {}
        }
    }
}

/// What comes back for a consumed parameter is consumed in the next turn: the parameters among it are consumed too.
fn consumed_with(mut consumed: Vec<bool>, last: &[Vec<Set>], position: &HashMap<Set, usize>) -> Vec<bool> {
    let mut open: Vec<usize> = (0..consumed.len()).filter(|i| consumed[*i]).collect();
    while let Some(i) = open.pop() {
        for j in last[i].iter().filter_map(|p| position.get(p)) {
            if !std::mem::replace(&mut consumed[*j], true) {
                open.push(*j);
            }
        }
    }
    consumed
}

/// The places that each part of the result may be in: after no turn, those of the initial value; else those that the last turn returned, for a parameter
/// those that it had. A parameter that is consumed shares nothing with what was before the loop, and one that a turn returns twice is the same in two results:
/// both are in its own place.
fn results(first: &[Set], last: &[Vec<Set>], consumed: &[bool], position: &HashMap<Set, usize>) -> Vec<Vec<Set>> {
    let mut times: HashMap<Set, usize> = HashMap::default();
    last.iter().flatten().for_each(|place| *times.entry(*place).or_default() += 1);
    let result = |i: usize| {
        let mut sets = vec![];
        let mut reached = vec![i];
        let mut seen = vec![false; first.len()];
        // mutant: a parameter that is reached from itself gives the same places once more, which changes no set
        seen[i] = true;
        while let Some(j) = reached.pop() {
            if consumed[j] {
                continue;
            }
            sets.push(first[j]);
            for place in &last[j] {
                match position.get(place) {
                    Some(k) => {
                        if consumed[*k] || times[place] > 1 {
                            sets.push(*place);
                        }
                        if !std::mem::replace(&mut seen[*k], true) {
                            reached.push(*k);
                        }
                    }
                    None => sets.push(*place),
                }
            }
        }
        sets
    };
    (0..first.len()).map(result).collect()
}
