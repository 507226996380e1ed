//! Where the variables of a body are used, for passes that move its statements: an index, so that nobody looks through the body for each statement of it.

use super::alias::{Consumable, consumed_by};
use crate::hash::{HashMap, HashSet};
use crate::ir::visit::free_vars;
use crate::ir::*;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a statement needs.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// The variables that it uses and does not bind.
    pub uses: HashSet<Var>,
    /// What it consumes, accumulators and what only code inside of it has among it: the groups' representatives ([`Consumable::group`]).
    pub consumes: HashSet<Var>,
}

impl Needs {
    /// What this statement needs.
    pub fn of(stm: &Stm, groups: &Consumable) -> Needs {
        let consumes = consumed_by(stm).into_iter().map(|v| groups.group(v)).collect();
        Needs { uses: free_vars(stm).into_iter().collect(), consumes }
    }

    /// What two statements need of which one becomes part of the other.
    pub fn with(self, other: Needs) -> Needs {
        Needs { uses: union(self.uses, other.uses), consumes: union(self.consumes, other.consumes) }
    }
}

/// The union of two sets, in time of the smaller one.
pub fn union(a: HashSet<Var>, b: HashSet<Var>) -> HashSet<Var> {
    // mutant comparison: it is the same set in any case
    let (mut large, small) = if a.len() < b.len() { (b, a) } else { (a, b) };
    large.extend(small);
    large
}

/// Where the variables of a body are used. Its statements have places, which they keep, or leave empty; behind the last is the place of the results.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    users: HashMap<Var, BTreeSet<usize>>,
    consumers: HashMap<Var, BTreeSet<usize>>,
}

impl Uses {
    /// The uses in a body whose statements need this.
    pub fn of(needs: &[Needs], result: &[SubExp]) -> Uses {
        let mut all = Uses::default();
        for (i, needs) in needs.iter().enumerate() {
            needs.uses.iter().for_each(|v| _ = all.users.entry(*v).or_default().insert(i));
            needs.consumes.iter().for_each(|v| _ = all.consumers.entry(*v).or_default().insert(i));
        }
        for v in result.iter().filter_map(|e| e.as_var()) {
            all.users.entry(v).or_default().insert(needs.len());
        }
        all
    }

    /// The first place from this one on where the variable is used.
    pub fn first(&self, v: Var, from: usize) -> Option<usize> {
        self.users.get(&v)?.range(from..).next().copied()
    }

    /// The last place where the variable is used.
    pub fn last(&self, v: Var) -> Option<usize> {
        self.users.get(&v)?.last().copied()
    }

    /// The first of these places where something of this group is consumed.
    pub fn consumer(&self, group: Var, among: Range<usize>) -> Option<usize> {
        self.consumers.get(&group)?.range(among).next().copied()
    }

    /// A statement moves, with all that it needs, from one place to another.
    pub fn moved(&mut self, needs: &Needs, from: usize, to: usize) {
        // mutant swap: the two tables do not depend on each other
        for (places, vars) in [(&mut self.users, &needs.uses), (&mut self.consumers, &needs.consumes)] {
            for v in vars {
                let places = places.entry(*v).or_default();
                places.remove(&from);
                places.insert(to);
            }
        }
    }

    /// The variable is not used there any more.
    pub fn unused(&mut self, v: Var, at: usize) {
        self.users.get_mut(&v).map(|places| places.remove(&at));
    }

    /// Two groups become one.
    pub fn joined(&mut self, groups: [Var; 2], one: Var) {
        let all = groups.into_iter().filter_map(|v| self.consumers.remove(&v)).flatten().collect();
        self.consumers.insert(one, all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A statement that uses and consumes these.
    fn needs(uses: &[u32], consumes: &[u32]) -> Needs {
        let vars = |all: &[u32]| all.iter().copied().map(Var).collect();
        Needs { uses: vars(uses), consumes: vars(consumes) }
    }

    /// Three statements: the first and the last use 7, the second consumes it; 8 is the result.
    fn uses() -> Uses {
        Uses::of(&[needs(&[7], &[]), needs(&[], &[7]), needs(&[7, 8], &[])], &[SubExp::Var(Var(8))])
    }

    #[test]
    fn places_are_found_from_the_one_asked_for_on() {
        let uses = uses();
        assert_eq!([0, 1, 2, 3].map(|from| uses.first(Var(7), from)), [Some(0), Some(2), Some(2), None]);
        // behind the last statement is the place of the results
        assert_eq!([2, 3, 4].map(|from| uses.first(Var(8), from)), [Some(2), Some(3), None]);
        assert_eq!([7, 8, 9].map(|v| uses.last(Var(v))), [Some(2), Some(3), None]);
        assert_eq!(
            [0..1, 0..2, 1..1, 1..2, 2..3].map(|among| uses.consumer(Var(7), among)),
            [None, Some(1), None, Some(1), None]
        );
    }

    #[test]
    fn what_moves_takes_its_uses_along() {
        let mut uses = uses();
        uses.moved(&needs(&[7], &[]), 0, 1);
        assert_eq!((uses.first(Var(7), 0), uses.consumer(Var(7), 0..3)), (Some(1), Some(1)));
        uses.moved(&needs(&[], &[7]), 1, 2);
        assert_eq!((uses.first(Var(7), 0), uses.consumer(Var(7), 0..3)), (Some(1), Some(2)));
        uses.unused(Var(8), 3);
        assert_eq!(uses.last(Var(8)), Some(2));
        // 7 and 9 share storage from now on
        uses.joined([Var(7), Var(9)], Var(9));
        assert_eq!((uses.consumer(Var(7), 0..3), uses.consumer(Var(9), 0..3)), (None, Some(2)));
    }
}
