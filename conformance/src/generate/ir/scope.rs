//! What can be used at a point of a program, and what is known of it.

use futi_core::ir::build::Vars;
use futi_core::ir::*;

/// An operand with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The operand.
    pub(super) e: SubExp,
    /// Its type.
    pub(super) ty: Type,
    /// In smooth programs, the largest magnitude that a float, or a float in an array, can have.
    pub(super) bound: f64,
    /// An integer that is known to be at least zero and below this.
    pub(super) below: Option<i64>,
    /// Whether anything has been made of it.
    pub(super) used: bool,
    /// Whether it may be consumed here: bound in this body, and nothing aliases it.
    pub(super) own: bool,
}

/// A value that has been picked, with the magnitude that it can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    pub(super) e: SubExp,
    pub(super) bound: f64,
}

impl Val {
    pub(super) fn new(e: impl Into<SubExp>, bound: f64) -> Val {
        Val { e: e.into(), bound }
    }
}

/// What can be used at a point of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) items: Vec<Item>,
}

impl Scope {
    /// Adds a variable; of accumulators and certificates nothing is made.
    pub(super) fn add(&mut self, vars: &Vars, v: Var, bound: f64) -> &mut Item {
        let ty = vars.ty(v).clone();
        let used = ty.elem().is_none();
        self.items.push(Item { e: v.into(), ty, bound, below: None, used, own: false });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    /// Adds a value.
    pub(super) fn push(&mut self, vars: &Vars, v: Val) {
        if let SubExp::Var(var) = v.e {
            self.add(vars, var, v.bound);
        }
    }

    /// Adds an array that nothing aliases: it may be consumed.
    pub(super) fn add_own(&mut self, vars: &Vars, v: Var, bound: f64) {
        self.add(vars, v, bound).own = true;
    }

    /// The scope at the beginning of an inner body: nothing of the outer one may be consumed in it, nor has to be used.
    pub(super) fn inner(&self) -> Scope {
        let items = self.items.iter().map(|i| Item { own: false, used: true, ..i.clone() });
        Scope { items: items.collect() }
    }

    /// Something aliases it from now on.
    pub(super) fn share(&mut self, e: SubExp) {
        self.items.iter_mut().filter(|i| i.e == e).for_each(|i| i.own = false);
    }

    /// Anything may be aliased from now on.
    pub(super) fn share_all(&mut self) {
        self.items.iter_mut().for_each(|i| i.own = false);
    }

    /// These are used.
    pub(super) fn mark(&mut self, vars: &[Var]) {
        let is_one = |i: &&mut Item| i.e.as_var().is_some_and(|v| vars.contains(&v));
        self.items.iter_mut().filter(is_one).for_each(|i| i.used = true);
    }

    /// The item of an operand.
    pub(super) fn item(&self, e: SubExp) -> Option<&Item> {
        self.items.iter().find(|i| i.e == e)
    }
}
