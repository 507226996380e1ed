//! What a kernel means for a single invocation, by walking its statements: what the executor's code is held against. Nobody else is there, so that barriers and fences do nothing, and an
//! exchange is one with itself.

use futi_core::prim::{BinOp, Prim, Scalar};
use futi_kernels::exec::{Failure, Launch};
use futi_kernels::ir::*;
use std::collections::BTreeMap;

/// How it ends.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// As it should.
    Done,
    /// The program fails.
    Failed(Failure),
    /// By a trap of that name.
    Trap(&'static str),
    /// Not within the steps that it may take here.
    Long,
}

pub struct Machine<'a> {
    pub kernel: &'a Kernel,
    pub launch: &'a Launch,
    pub locals: Vec<Option<Scalar>>,
    /// The elements that have been written.
    pub memory: BTreeMap<(Array, usize), Scalar>,
    pub fuel: u32,
}

type Step<T = ()> = Result<T, End>;

impl Machine<'_> {
    pub fn run(&mut self) -> End {
        self.stms(&self.kernel.body).err().unwrap_or(End::Done)
    }

    fn stms(&mut self, stms: &[Stm]) -> Step {
        stms.iter().try_for_each(|stm| self.stm(stm))
    }

    fn exp(&self, e: &Exp) -> Scalar {
        let int = |n: u32| Scalar::I32(n as i32);
        match e {
            Exp::Lit(x) => *x,
            Exp::Local(l) => self.locals[l.at()].expect("a value"),
            Exp::Param(p) => self.launch.params[p.at()],
            Exp::Length(b) => Scalar::I64(self.launch.blocks[b.at()].len as i64),
            Exp::Builtin(Builtin::Groups | Builtin::GroupSize) => int(1),
            Exp::Builtin(Builtin::SubgroupSize) => int(self.launch.subgroup_size),
            Exp::Builtin(_) => int(0),
            Exp::Prim(op, args) => op.eval(&args.iter().map(|e| self.exp(e)).collect::<Vec<_>>()),
        }
    }

    fn truth(&self, e: &Exp) -> bool {
        self.exp(e) == Scalar::Bool(true)
    }

    fn int(&self, e: &Exp) -> i64 {
        self.exp(e).to_int().expect("an integer") as i64
    }

    fn element(&self, array: Array, index: &Exp) -> Step<(Array, usize)> {
        let len = match array {
            Array::Block(b) => self.launch.blocks[b.at()].len,
            Array::Shared(s) => (self.kernel.shared[s.at()].fixed + self.kernel.shared[s.at()].each) as usize,
            Array::Private(p) => self.kernel.private[p.at()].len as usize,
        };
        let at = self.int(index);
        if (0..len as i64).contains(&at) { Ok((array, at as usize)) } else { Err(End::Trap("OutOfBounds")) }
    }

    fn read(&self, element: (Array, usize)) -> Step<Scalar> {
        self.memory.get(&element).copied().ok_or(End::Trap("Unwritten"))
    }

    fn stm(&mut self, stm: &Stm) -> Step {
        match stm {
            Stm::Let(to, e) => self.locals[to.at()] = Some(self.exp(e)),
            Stm::Load { to, from, index } => self.locals[to.at()] = Some(self.read(self.element(*from, index)?)?),
            Stm::Store { to, index, value } => {
                let element = self.element(*to, index)?;
                self.memory.insert(element, self.exp(value));
            }
            Stm::Atomic(Atomic { op, old, at, index, operands, .. }) => {
                let element = self.element(*at, index)?;
                let operands: Vec<_> = operands.iter().map(|e| self.exp(e)).collect();
                let before = if op.reads() { Some(self.read(element)?) } else { None };
                let by = |op: Prim| op.eval(&[before.expect("it reads"), operands[0]]);
                let bin = |op| by(Prim::Bin(op, operands[0].scalar_type()));
                let after = match op {
                    AtomicOp::Load => before.expect("it reads"),
                    AtomicOp::Store | AtomicOp::Exchange => operands[0],
                    AtomicOp::Add => bin(BinOp::Add),
                    AtomicOp::Min => bin(BinOp::Min),
                    AtomicOp::Max => bin(BinOp::Max),
                    AtomicOp::And => bin(BinOp::And),
                    AtomicOp::Or => bin(BinOp::Or),
                    AtomicOp::Xor => bin(BinOp::Xor),
                    AtomicOp::CompareExchange if before.map(Scalar::bits) == Some(operands[0].bits()) => operands[1],
                    AtomicOp::CompareExchange => before.expect("it reads"),
                };
                self.memory.insert(element, after);
                if let Some(old) = old {
                    self.locals[old.at()] = before;
                }
            }
            Stm::Fence(_) | Stm::Barrier => {}
            Stm::If { cond, yes, no } => self.stms(if self.truth(cond) { yes } else { no })?,
            Stm::For { index, from, below, step, body } => {
                let [mut at, below, step] = [from, below, step].map(|e| self.int(e));
                let ty = self.kernel.locals[index.at()].ty;
                if step <= 0 {
                    return Err(End::Trap("Step"));
                }
                while at < below {
                    self.tick()?;
                    self.locals[index.at()] = Scalar::from_int(ty, at.into());
                    self.stms(body)?;
                    at = at
                        .checked_add(step)
                        .filter(|at| Scalar::from_int(ty, (*at).into()).is_some())
                        .ok_or(End::Trap("Step"))?;
                }
            }
            Stm::While { before, cond, body } => loop {
                self.tick()?;
                self.stms(before)?;
                if !self.truth(cond) {
                    break;
                }
                self.stms(body)?;
            },
            Stm::Fail { site, point, operands } => {
                let operands = operands.iter().map(|e| self.int(e)).collect();
                return Err(End::Failed(Failure { site: *site, point: self.int(point), operands }));
            }
            Stm::Subgroup { to, op, value } => {
                let x = self.exp(value);
                self.locals[to.at()] = Some(match op {
                    SubgroupOp::Up { by, otherwise } => match self.int(by) {
                        0 => x,
                        by if by > 0 => self.exp(otherwise),
                        _ => return Err(End::Trap("Absent")),
                    },
                    SubgroupOp::Shuffle(from) if self.int(from) != 0 => return Err(End::Trap("Absent")),
                    _ => x,
                });
            }
        }
        Ok(())
    }

    fn tick(&mut self) -> Step {
        self.fuel = self.fuel.checked_sub(1).ok_or(End::Long)?;
        Ok(())
    }
}
