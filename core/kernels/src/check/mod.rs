//! What a kernel must be: types agree, variables have values before they are read, blocks are used as they are declared, barriers stand where a whole group comes by.
//!
//! What is here is local to a statement; [`uniform`], `waits` and [`capabilities`] look at the whole.

pub mod capabilities;
pub mod uniform;
mod waits;

use crate::ir::*;
use crate::print::{array_name, first_line};
use capabilities::Capabilities;
use futi_core::prim::{Prim, ScalarType};
use std::fmt;
use uniform::{Uniform, Uniformity};

/// What is wrong with a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckError {
    /// The rule that is broken.
    pub rule: Rule,
    /// What breaks it.
    pub message: String,
    /// The first line of the statement, if it is in one.
    pub statement: Option<String>,
}

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// What is named is there.
    Names,
    /// Operands and results have the types that are asked for.
    Types,
    /// As many operands as are asked for.
    Arity,
    /// A variable has a value when it is read.
    Assigned,
    /// The variable of a loop is the loop's.
    LoopVariables,
    /// An atomic operation exists on the elements of the array, others see these, and it has what its order speaks of.
    Atomics,
    /// Sizes of groups are some, above zero, and a device has them.
    Sizes,
    /// A cost is made of what the host knows.
    Cost,
    /// A block is read, written and updated as is declared: neither more nor less.
    Access,
    /// All of a group come to a barrier, or none; all of a subgroup to an exchange, or none.
    Uniform,
    /// No loop that diverges within a subgroup awaits what is done outside of it: whoever left the loop may wait for the others before it does that.
    Waits,
}

impl Rule {
    /// Whether a kernel that breaks it can be run all the same: the executor finds out what comes of it.
    pub fn can_be_run(self) -> bool {
        matches!(self, Rule::Access | Rule::Uniform | Rule::Waits)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.message)?;
        self.statement.iter().try_for_each(|stm| write!(f, ", in `{stm}`"))
    }
}

impl std::error::Error for CheckError {}

/// A kernel that is well-formed, and what it needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    kernel: Kernel,
    capabilities: Capabilities,
}

impl Checked {
    /// A kernel, if it is well-formed.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn new(kernel: Kernel) -> Result<Checked, Vec<CheckError>> {
        match errors(&kernel) {
            none if none.is_empty() => Ok(Checked { capabilities: Capabilities::of(&kernel), kernel }),
            all => Err(all),
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// What a device must have to run it.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}

/// What is wrong with a kernel; nothing if it is well-formed.
pub fn errors(kernel: &Kernel) -> Vec<CheckError> {
    let assigned = vec![false; kernel.locals.len()];
    let mut checker = Checker {
        kernel,
        errors: Vec::new(),
        statement: None,
        assigned,
        loops: Vec::new(),
        uniform: Uniform::of(kernel),
    };
    checker.declarations();
    checker.stms(&kernel.body, Uniformity::Group);
    let Checker { mut errors, uniform, .. } = checker;
    errors.extend(waits::errors(kernel, &uniform));
    errors
}

struct Checker<'a> {
    kernel: &'a Kernel,
    errors: Vec<CheckError>,
    /// The statement that is being looked at.
    statement: Option<&'a Stm>,
    /// Which variables have a value here.
    assigned: Vec<bool>,
    /// The variables of the loops around.
    loops: Vec<Local>,
    uniform: Uniform<'a>,
}

impl<'a> Checker<'a> {
    fn require(&mut self, fine: bool, rule: Rule, message: impl FnOnce() -> String) {
        if !fine {
            let statement = self.statement.map(|stm| first_line(self.kernel, stm));
            self.errors.push(CheckError { rule, message: message(), statement });
        }
    }

    fn declarations(&mut self) {
        let k = self.kernel;
        let GroupSizes { least, most, power_of_two } = k.group;
        let some = least > 0
            && least <= most
            && most <= GroupSizes::MOST
            && (!power_of_two || (least..=most).any(|n| n.is_power_of_two()));
        self.require(some, Rule::Sizes, || format!("groups of {least} to {most}"));
        for (block, done) in k.blocks.iter().zip(k.accesses()) {
            let words = [
                (block.access.reads, done.reads, "read"),
                (block.access.writes, done.writes, "written"),
                (block.access.atomics, done.atomics, "updated"),
            ];
            for (declared, done, word) in words {
                self.require(!declared || done, Rule::Access, || {
                    format!("block {} is declared to be {word}, and is not", block.name)
                });
                self.require(declared || !done, Rule::Access, || {
                    format!("block {} is {word}, and that is not declared", block.name)
                });
            }
        }
        for part in k.cost.iter().flat_map(Cost::parts) {
            let mut known = true;
            part.walk(&mut |e| {
                known &= !matches!(e, Exp::Local(_))
                    && !matches!(e, Exp::Builtin(b) if ![Builtin::Groups, Builtin::GroupSize].contains(b))
            });
            self.require(known, Rule::Cost, || "the host does not know what a cost is made of".into());
            if known {
                let ty = self.exp(part);
                self.same(ty, Some(ScalarType::I64), "a cost");
            }
        }
    }

    /// Statements to which all of these come, or none.
    fn stms(&mut self, stms: &'a [Stm], together: Uniformity) {
        for stm in stms {
            self.statement = Some(stm);
            self.stm(stm, together);
        }
    }

    fn stm(&mut self, stm: &'a Stm, together: Uniformity) {
        match stm {
            Stm::Let(to, value) => {
                let ty = self.exp(value);
                self.give(*to, ty);
            }
            Stm::Load { to, from, index } => {
                self.index(index);
                let ty = self.elem(*from);
                self.give(*to, ty);
            }
            Stm::Store { to, index, value } => {
                self.index(index);
                let (ty, elem) = (self.exp(value), self.elem(*to));
                self.same(ty, elem, "a value that is stored");
            }
            Stm::Atomic(atomic) => self.atomic(atomic),
            Stm::Fence(_) => {}
            Stm::Barrier => self.require(together == Uniformity::Group, Rule::Uniform, || {
                "not all of a group may come to a barrier".into()
            }),
            Stm::If { cond, yes, no } => {
                self.condition(cond);
                let together = together.min(self.uniform.exp(cond));
                let before = self.assigned.clone();
                self.stms(yes, together);
                let after_yes = std::mem::replace(&mut self.assigned, before);
                self.stms(no, together);
                self.assigned.iter_mut().zip(after_yes).for_each(|(a, b)| *a &= b);
            }
            Stm::For { index, from, below, step, body } => {
                let ty = self.local_type(*index);
                for (e, what) in
                    [(from, "the start of a loop"), (below, "the end of a loop"), (step, "the step of a loop")]
                {
                    let own = self.exp(e);
                    self.same(own, ty, what);
                }
                self.require(ty.is_none_or(ScalarType::is_int), Rule::Types, || "a loop counts integers".into());
                let bounds = [from, below, step].map(|e| self.uniform.exp(e));
                let mut before = self.assigned.clone();
                self.give(*index, ty);
                self.loops.push(*index);
                self.stms(body, bounds.into_iter().fold(together, Uniformity::min));
                self.loops.pop();
                // the body may not be run, and the variable was the loop's
                before.get_mut(index.at()).iter_mut().for_each(|has| **has = false);
                self.assigned = before;
            }
            Stm::While { before, cond, body } => {
                let together = together.min(self.uniform.exp(cond));
                self.stms(before, together);
                self.statement = Some(stm);
                self.condition(cond);
                let assigned = self.assigned.clone();
                self.stms(body, together);
                self.assigned = assigned;
            }
            Stm::Fail { site, point, operands } => {
                let count = self.kernel.sites.get(site.at()).map(|s| s.operands as usize);
                self.require(count.is_some(), Rule::Names, || format!("there is no site {}", site.0));
                self.require(count.is_none_or(|n| n == operands.len()), Rule::Arity, || {
                    format!("{} operands of site {}", operands.len(), site.0)
                });
                for e in [point].into_iter().chain(operands) {
                    let ty = self.exp(e);
                    self.same(ty, Some(ScalarType::I64), "what a failure tells");
                }
            }
            Stm::Subgroup { to, op, value } => {
                let ty = self.exp(value);
                match op {
                    SubgroupOp::Shuffle(lane) => self.lane(lane),
                    SubgroupOp::Up { by, otherwise } => {
                        self.lane(by);
                        let other = self.exp(otherwise);
                        self.same(other, ty, "the other value of an exchange");
                    }
                    SubgroupOp::Any | SubgroupOp::All => {
                        self.same(ty, Some(ScalarType::Bool), "what is asked of a subgroup")
                    }
                }
                self.give(*to, ty);
                self.require(together >= Uniformity::Subgroup, Rule::Uniform, || {
                    "not all of a subgroup may come to an exchange".into()
                });
            }
        }
    }

    fn atomic(&mut self, atomic: &Atomic) {
        let Atomic { op, old, at, index, operands, order, .. } = atomic;
        self.index(index);
        let elem = self.elem(*at);
        self.require(operands.len() == op.arity(), Rule::Arity, || {
            format!("{} operands of an atomic operation", operands.len())
        });
        for e in operands {
            let ty = self.exp(e);
            self.same(ty, elem, "an operand of an atomic operation");
        }
        self.require(elem.is_none_or(|ty| op.exists(ty)), Rule::Atomics, || {
            format!("{} of {}", op.name(), elem.map_or("", ScalarType::name))
        });
        self.require(!matches!(at, Array::Private(_)), Rule::Atomics, || "nobody else sees the array".into());
        let has_both = (op.reads() || !order.acquires()) && (op.writes() || !order.releases());
        self.require(has_both, Rule::Atomics, || format!("{} with {}", op.name(), order.name()));
        if let Some(old) = old {
            self.require(op.reads(), Rule::Atomics, || "a write does not know what was there before".into());
            self.give(*old, elem);
        }
    }

    fn local_type(&mut self, local: Local) -> Option<ScalarType> {
        let ty = self.kernel.locals.get(local.at()).map(|l| l.ty);
        self.require(ty.is_some(), Rule::Names, || format!("there is no variable {}", local.0));
        ty
    }

    /// A variable is given a value of a type.
    fn give(&mut self, to: Local, ty: Option<ScalarType>) {
        let own = self.local_type(to);
        self.same(ty, own, "what a variable is given");
        self.require(!self.loops.contains(&to), Rule::LoopVariables, || format!("variable {} is a loop's", to.0));
        if let Some(assigned) = self.assigned.get_mut(to.at()) {
            *assigned = true;
        }
    }

    fn elem(&mut self, array: Array) -> Option<ScalarType> {
        let elem = self.kernel.elem(array);
        let k = self.kernel;
        self.require(elem.is_some(), Rule::Names, || format!("there is no array {}", array_name(k, array)));
        elem
    }

    fn same(&mut self, a: Option<ScalarType>, b: Option<ScalarType>, what: &str) {
        if let (Some(a), Some(b)) = (a, b) {
            self.require(a == b, Rule::Types, || format!("{what} is of type {a}, and {b} is wanted"));
        }
    }

    fn index(&mut self, e: &Exp) {
        let ty = self.exp(e);
        let fine = ty.is_none_or(|ty| [ScalarType::I32, ScalarType::I64].contains(&ty));
        self.require(fine, Rule::Types, || "an index is an i32 or an i64".into());
    }

    fn lane(&mut self, e: &Exp) {
        let ty = self.exp(e);
        self.same(ty, Some(ScalarType::I32), "a number of a lane");
    }

    fn condition(&mut self, e: &Exp) {
        let ty = self.exp(e);
        self.same(ty, Some(ScalarType::Bool), "a condition");
    }

    /// The type of an expression, if it has one.
    fn exp(&mut self, e: &Exp) -> Option<ScalarType> {
        match e {
            Exp::Lit(x) => Some(x.scalar_type()),
            Exp::Local(local) => {
                let ty = self.local_type(*local);
                let has = self.assigned.get(local.at()).copied().unwrap_or(true);
                self.require(has, Rule::Assigned, || {
                    format!("variable {} may have no value where it is read", local.0)
                });
                ty
            }
            Exp::Param(p) => {
                let ty = self.kernel.params.get(p.at()).map(|p| p.ty);
                self.require(ty.is_some(), Rule::Names, || format!("there is no parameter {}", p.0));
                ty
            }
            Exp::Builtin(_) => Some(ScalarType::I32),
            Exp::Length(b) => {
                self.require(b.at() < self.kernel.blocks.len(), Rule::Names, || format!("there is no block {}", b.0));
                Some(ScalarType::I64)
            }
            Exp::Prim(op, args) => self.prim(*op, args),
        }
    }

    fn prim(&mut self, op: Prim, args: &[Exp]) -> Option<ScalarType> {
        let types: Vec<_> = args.iter().map(|e| self.exp(e)).collect();
        let Some((params, result)) = op.signature() else {
            self.require(false, Rule::Types, || format!("there is no operator {op}"));
            return None;
        };
        self.require(params.len() == args.len(), Rule::Arity, || format!("{} operands of {op}", args.len()));
        for (ty, param) in types.into_iter().zip(params) {
            self.same(ty, Some(param), "an operand");
        }
        Some(result)
    }
}
