//! What passes ask of a program before they change it. Nothing here changes one.

pub mod alias;
pub mod differentiates;
pub mod liveness;
pub mod may_fail;
pub mod uses;

use crate::ir::Program;
use crate::ir::build::Vars;
use alias::{Consumable, consumable};
use differentiates::differentiates;
use std::rc::Rc;

/// What is known of a program: each analysis is made when it is first asked for, and kept until the program changes. A pass that changes it says so.
#[derive(Default)]
pub struct Analyses {
    changes: u64,
    consumable: Option<Rc<Consumable>>,
    vars: Option<Vars>,
    /// How many variables there were when they were last handed out.
    count: u32,
    differentiates: Option<bool>,
}

impl Analyses {
    /// [`alias::consumable`].
    pub fn consumable(&mut self, program: &Program) -> Rc<Consumable> {
        self.consumable.get_or_insert_with(|| Rc::new(consumable(program))).clone()
    }

    /// [`Vars::of`], for a pass that may make more. If it leaves the program as it is it gives them back: [`Analyses::unchanged`].
    pub fn vars(&mut self, program: &Program) -> Vars {
        let vars = self.vars.take().unwrap_or_else(|| Vars::of(program));
        self.count = vars.count();
        vars
    }

    /// The program has not changed, whose variables these are; those that were made meanwhile are not used.
    pub fn unchanged(&mut self, vars: Vars) {
        self.vars = Some(vars).filter(|vars| vars.count() == self.count);
    }

    /// [`differentiates::differentiates`].
    pub fn differentiates(&mut self, program: &Program) -> bool {
        *self.differentiates.get_or_insert_with(|| differentiates(program))
    }

    /// The program has changed: nothing is known of it.
    pub fn changed(&mut self) {
        *self = Analyses { changes: self.changes + 1, ..Analyses::default() };
    }

    /// How often the program has changed so far.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// What is kept, and is not what would be found out now.
    #[cfg(debug_assertions)]
    pub fn stale(&self, program: &Program) -> Vec<&'static str> {
        let consumable = self.consumable.as_ref().is_some_and(|known| **known != consumable(program));
        let vars = self.vars.as_ref().is_some_and(|known| *known != Vars::of(program));
        let differentiates = self.differentiates.is_some_and(|known| known != differentiates(program));
        let all = [(consumable, "consumable"), (vars, "vars"), (differentiates, "differentiates")];
        all.into_iter().filter_map(|(stale, name)| stale.then_some(name)).collect()
    }
}
