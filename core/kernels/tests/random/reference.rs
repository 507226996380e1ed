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
    /// What they hold, if that was written.
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

    /// The value of an expression that may be moved though it was never written.
    fn moved(&self, e: &Exp) -> Step<Option<Scalar>> {
        match e {
            Exp::Local(l) => Ok(self.locals[l.at()]),
            Exp::Prim(Prim::Select(_), args) => {
                let [x, y] = [self.moved(&args[1])?, self.moved(&args[2])?];
                Ok(if self.truth(&args[0])? { x } else { y })
            }
            e => self.exp(e).map(Some),
        }
    }

    /// The value of an expression that is used.
    fn exp(&self, e: &Exp) -> Step<Scalar> {
        let int = |n: u32| Scalar::I32(n as i32);
        Ok(match e {
            Exp::Local(_) | Exp::Prim(Prim::Select(_), _) => return self.moved(e)?.ok_or(End::Trap("Unwritten")),
            Exp::Lit(x) => *x,
            Exp::Param(p) => self.launch.params[p.at()],
            Exp::Length(b) => Scalar::I64(self.launch.blocks[b.at()].len as i64),
            Exp::Builtin(Builtin::Groups | Builtin::GroupSize) => int(1),
            Exp::Builtin(Builtin::SubgroupSize) => int(self.launch.subgroup_size),
            Exp::Builtin(_) => int(0),
            Exp::Prim(op, args) => op.eval(&args.iter().map(|e| self.exp(e)).collect::<Step<Vec<_>>>()?),
        })
    }

    fn truth(&self, e: &Exp) -> Step<bool> {
        Ok(self.exp(e)? == Scalar::Bool(true))
    }

    fn int(&self, e: &Exp) -> Step<i64> {
        Ok(self.exp(e)?.to_int().expect("an integer") as i64)
    }

    fn element(&self, array: Array, at: i64) -> Step<(Array, usize)> {
        let len = match array {
            Array::Block(b) => self.launch.blocks[b.at()].len,
            Array::Shared(s) => (self.kernel.shared[s.at()].fixed + self.kernel.shared[s.at()].each) as usize,
            Array::Private(p) => self.kernel.private[p.at()].len as usize,
        };
        if (0..len as i64).contains(&at) { Ok((array, at as usize)) } else { Err(End::Trap("OutOfBounds")) }
    }

    fn read(&self, element: (Array, usize)) -> Step<Scalar> {
        self.memory.get(&element).copied().ok_or(End::Trap("Unwritten"))
    }

    fn stm(&mut self, stm: &Stm) -> Step {
        match stm {
            Stm::Let(to, e) => self.locals[to.at()] = self.moved(e)?,
            Stm::Load { to, from, index } => {
                let element = self.element(*from, self.int(index)?)?;
                self.locals[to.at()] = self.memory.get(&element).copied();
            }
            Stm::Store { to, index, value } => {
                let (at, value) = (self.int(index)?, self.moved(value)?);
                let element = self.element(*to, at)?;
                match value {
                    Some(value) => self.memory.insert(element, value),
                    None => self.memory.remove(&element),
                };
            }
            Stm::Atomic(Atomic { op, old, at, index, operands, .. }) => {
                let at = (*at, self.int(index)?);
                let operands = operands.iter().map(|e| self.exp(e)).collect::<Step<Vec<_>>>()?;
                let element = self.element(at.0, at.1)?;
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
            Stm::If { cond, yes, no } => self.stms(if self.truth(cond)? { yes } else { no })?,
            Stm::For { index, from, below, step, body } => {
                let [from, below, step] = [self.moved(from)?, self.moved(below)?, self.moved(step)?];
                let int = |x: Option<Scalar>| x.and_then(Scalar::to_int).ok_or(End::Trap("Unwritten"));
                let ty = self.kernel.locals[index.at()].ty;
                let step = int(step)? as i64;
                if step <= 0 {
                    return Err(End::Trap("Step"));
                }
                let (mut at, below) = (int(from)? as i64, int(below)? as i64);
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
                if !self.truth(cond)? {
                    break;
                }
                self.stms(body)?;
            },
            Stm::Fail { site, point, operands } => {
                let point = self.int(point)?;
                let operands = operands.iter().map(|e| self.int(e)).collect::<Step<_>>()?;
                return Err(End::Failed(Failure { site: *site, point, operands }));
            }
            Stm::Subgroup { to, op, value } => {
                let x = self.exp(value)?;
                self.locals[to.at()] = Some(match op {
                    SubgroupOp::Up { by, otherwise } => match (self.int(by)?, self.exp(otherwise)?) {
                        (0, _) => x,
                        (by, otherwise) if by > 0 => otherwise,
                        _ => return Err(End::Trap("Absent")),
                    },
                    SubgroupOp::Shuffle(from) if self.int(from)? != 0 => return Err(End::Trap("Absent")),
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
