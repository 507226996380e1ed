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
