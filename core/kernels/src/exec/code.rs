//! A kernel as code: steps on numbered registers, which can stop between any two of them, as the executor runs many invocations in turns.

use super::prims::{self, Binary, Unary};
use super::shadow::Operation;
use crate::check::{CheckError, Checked, errors};
use crate::ir::*;
use crate::print::{array_name, first_line};
use futi_core::hash::HashMap;
use futi_core::prim::{CmpOp, Prim, Scalar, ScalarType};

/// A register of an invocation: bits, as [`Scalar::bits`] has them.
pub(super) type Reg = u32;

/// A step.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Copy {
        to: Reg,
        x: Reg,
    },
    Unary {
        f: Unary,
        to: Reg,
        x: Reg,
    },
    Binary {
        f: Binary,
        to: Reg,
        x: Reg,
        y: Reg,
    },
    Select {
        to: Reg,
        cond: Reg,
        x: Reg,
        y: Reg,
    },
    /// An operator of the table.
    Prim {
        prim: u32,
        to: Reg,
        args: [Reg; 3],
    },
    Load {
        to: Reg,
        array: u32,
        index: Reg,
    },
    Store {
        array: u32,
        index: Reg,
        x: Reg,
    },
    /// An operation of the table.
    Atomic {
        atomic: u32,
        index: Reg,
        operands: [Reg; 2],
        to: Reg,
    },
    Fence(Scope),
    Barrier,
    Jump {
        target: u32,
    },
    Unless {
        cond: Reg,
        target: u32,
    },
    /// The head of a counting loop: its step is above zero, or it does not end.
    Enter {
        ty: ScalarType,
        step: Reg,
    },
    /// Leaves a loop whose variable is not below its end.
    While {
        below: Binary,
        index: Reg,
        end: Reg,
        target: u32,
    },
    /// Steps the variable of a loop, and goes back to its head.
    Next {
        ty: ScalarType,
        index: Reg,
        step: Reg,
        target: u32,
    },
    /// The failure of the table.
    Fail {
        failure: u32,
    },
    /// The exchange of the table.
    Exchange {
        exchange: u32,
    },
    End,
}

impl Op {
    /// The registers that it reads.
    pub(super) fn reads(&self, code: &Code) -> Vec<Reg> {
        match self {
            Op::Copy { x, .. } | Op::Unary { x, .. } => vec![*x],
            Op::Binary { x, y, .. } => vec![*x, *y],
            Op::Select { cond, x, y, .. } => vec![*cond, *x, *y],
            Op::Prim { prim, args, .. } => args[..code.prims[*prim as usize].1.len()].to_vec(),
            Op::Load { index, .. } => vec![*index],
            Op::Store { index, x, .. } => vec![*index, *x],
            Op::Atomic { atomic, index, operands, .. } => {
                [&[*index], &operands[..code.atomics[*atomic as usize].op.arity()]].concat()
            }
            Op::Unless { cond, .. } => vec![*cond],
            Op::Enter { step, .. } => vec![*step],
            Op::While { index, end, .. } => vec![*index, *end],
            Op::Next { index, step, .. } => vec![*index, *step],
            Op::Fail { failure } => {
                let (_, point, operands) = &code.failures[*failure as usize];
                [&[*point], &operands[..]].concat()
            }
            Op::Exchange { exchange } => match &code.exchanges[*exchange as usize] {
                Exchange::Shuffle { x, from, .. } => vec![*x, *from],
                Exchange::Up { x, by, otherwise, .. } => vec![*x, *by, *otherwise],
                Exchange::Any { x, .. } | Exchange::All { x, .. } => vec![*x],
            },
            Op::Fence(_) | Op::Barrier | Op::Jump { .. } | Op::End => vec![],
        }
    }

    /// The register that it sets.
    pub(super) fn sets(&self, code: &Code) -> Option<Reg> {
        match self {
            Op::Copy { to, .. }
            | Op::Unary { to, .. }
            | Op::Binary { to, .. }
            | Op::Select { to, .. }
            | Op::Prim { to, .. }
            | Op::Load { to, .. } => Some(*to),
            Op::Atomic { atomic, to, .. } => code.atomics[*atomic as usize].keeps.then_some(*to),
            Op::Next { index, .. } => Some(*index),
            Op::Exchange { exchange } => match &code.exchanges[*exchange as usize] {
                Exchange::Shuffle { to, .. }
                | Exchange::Up { to, .. }
                | Exchange::Any { to, .. }
                | Exchange::All { to, .. } => Some(*to),
            },
            Op::Store { .. }
            | Op::Fence(_)
            | Op::Barrier
            | Op::Jump { .. }
            | Op::Unless { .. }
            | Op::Enter { .. }
            | Op::While { .. }
            | Op::Fail { .. }
            | Op::End => None,
        }
    }
}

/// What a register holds when an invocation begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    Bits(u64),
    Param(Param),
    Length(Block),
    Builtin(Builtin),
}

/// An array, as accesses need it.
#[derive(Clone, Debug)]
pub(super) struct ArrayInfo {
    pub(super) array: Array,
    pub(super) name: String,
    pub(super) elem: ScalarType,
    /// Whether an index is an `i64`.
    pub(super) wide: bool,
    pub(super) access: Access,
}

/// An atomic operation.
#[derive(Clone, Debug)]
pub(super) struct AtomicInfo {
    pub(super) op: AtomicOp,
    pub(super) array: u32,
    pub(super) keeps: bool,
    pub(super) seen: Operation,
}

/// An exchange.
#[derive(Clone, Debug)]
pub(super) enum Exchange {
    Shuffle { to: Reg, x: Reg, from: Reg },
    Up { to: Reg, x: Reg, by: Reg, otherwise: Reg },
    Any { to: Reg, x: Reg },
    All { to: Reg, x: Reg },
}

/// A kernel that can be launched.
#[derive(Clone, Debug)]
pub struct Code {
    pub(super) kernel: Kernel,
    pub(super) ops: Vec<Op>,
    /// Of each step, the number of its statement in the order of the text, from 1: 0 is of none.
    places: Vec<u32>,
    /// What registers hold at first; the others hold nothing that is looked at.
    pub(super) sources: Vec<(Reg, Source)>,
    pub(super) registers: usize,
    pub(super) prims: Vec<(Prim, Vec<ScalarType>)>,
    pub(super) arrays: Vec<ArrayInfo>,
    pub(super) atomics: Vec<AtomicInfo>,
    pub(super) failures: Vec<(Site, Reg, Vec<Reg>)>,
    pub(super) exchanges: Vec<Exchange>,
    /// Whether it orders accesses to memory: by an atomic operation, a fence or a barrier.
    pub(super) orders: bool,
}

impl Code {
    /// The code of a kernel. It may break rules of which the executor finds out what comes of it: see [`crate::check::Rule::can_be_run`].
    ///
    /// # Errors
    /// What else is wrong with the kernel.
    pub fn of(kernel: &Kernel) -> Result<Code, Vec<CheckError>> {
        let wrong: Vec<_> = errors(kernel).into_iter().filter(|e| !e.rule.can_be_run()).collect();
        if wrong.is_empty() { Ok(Code::made(kernel)) } else { Err(wrong) }
    }

    /// The code of a kernel that is known to be well-formed.
    pub fn of_checked(kernel: &Checked) -> Code {
        Code::made(kernel.kernel())
    }

    fn made(kernel: &Kernel) -> Code {
        let mut orders = false;
        walk(&kernel.body, &mut |stm| {
            orders |= matches!(stm, Stm::Fence(_) | Stm::Barrier) || matches!(stm, Stm::Atomic(a) if a.order.acquires())
        });
        let code = Code {
            kernel: kernel.clone(),
            ops: Vec::new(),
            places: Vec::new(),
            sources: Vec::new(),
            registers: kernel.locals.len(),
            prims: Vec::new(),
            arrays: Vec::new(),
            atomics: Vec::new(),
            failures: Vec::new(),
            exchanges: Vec::new(),
            orders,
        };
        let mut compiler =
            Compiler { code, known: HashMap::default(), spare: Vec::new(), used: Vec::new(), statement: 0 };
        compiler.stms(&kernel.body);
        compiler.push(Op::End);
        compiler.code
    }

    /// The first line of the statement of a step, if it is of one.
    pub(super) fn place(&self, at: usize) -> Option<String> {
        let (mut left, mut found) = (*self.places.get(at)?, None);
        walk(&self.kernel.body, &mut |stm| {
            if left == 1 {
                found = Some(stm);
            }
            left = left.saturating_sub(1);
        });
        found.map(|stm| first_line(&self.kernel, stm))
    }
}

struct Compiler {
    code: Code,
    known: HashMap<Source, Reg>,
    /// Registers for what is between, free now, and in use by the statement.
    spare: Vec<Reg>,
    used: Vec<Reg>,
    /// How many statements have been begun: they are, in the order of the text.
    statement: u32,
}

impl Compiler {
    fn push(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.places.push(self.statement);
        self.code.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// Has a step go on here.
    fn land(&mut self, step: usize) {
        let here = self.here();
        if let Op::Jump { target } | Op::Unless { target, .. } | Op::While { target, .. } = &mut self.code.ops[step] {
            *target = here;
        }
    }

    fn fresh(&mut self) -> Reg {
        self.code.registers += 1;
        self.code.registers as Reg - 1
    }

    /// A register until the end of the statement.
    fn between(&mut self) -> Reg {
        let reg = self.spare.pop().unwrap_or_else(|| self.fresh());
        self.used.push(reg);
        reg
    }

    fn source(&mut self, source: Source) -> Reg {
        if let Some(reg) = self.known.get(&source) {
            return *reg;
        }
        let reg = self.fresh();
        self.known.insert(source, reg);
        self.code.sources.push((reg, source));
        reg
    }

    /// Where an expression's value is.
    fn exp(&mut self, e: &Exp) -> Reg {
        match e {
            Exp::Lit(x) => self.source(Source::Bits(x.bits())),
            Exp::Local(local) => local.0,
            Exp::Param(p) => self.source(Source::Param(*p)),
            Exp::Builtin(b) => self.source(Source::Builtin(*b)),
            Exp::Length(b) => self.source(Source::Length(*b)),
            Exp::Prim(..) => {
                let to = self.between();
                self.exp_to(e, to);
                to
            }
        }
    }

    fn exp_to(&mut self, e: &Exp, to: Reg) {
        let Exp::Prim(prim, args) = e else {
            let x = self.exp(e);
            self.push(Op::Copy { to, x });
            return;
        };
        let args: Vec<Reg> = args.iter().map(|e| self.exp(e)).collect();
        let op = match (*prim, &args[..]) {
            (Prim::Select(_), [cond, x, y]) => Op::Select { to, cond: *cond, x: *x, y: *y },
            (prim, [x]) if let Some(f) = prims::unary(prim) => Op::Unary { f, to, x: *x },
            (prim, [x, y]) if let Some(f) = prims::binary(prim) => Op::Binary { f, to, x: *x, y: *y },
            (prim, _) => {
                self.code.prims.push((prim, prim.signature().map_or(vec![], |(params, _)| params)));
                let mut all = [0; 3];
                all.iter_mut().zip(&args).for_each(|(a, b)| *a = *b);
                Op::Prim { prim: self.code.prims.len() as u32 - 1, to, args: all }
            }
        };
        self.push(op);
    }

    fn array(&mut self, array: Array, index: &Exp) -> u32 {
        let k = &self.code.kernel;
        let access = match array {
            Array::Block(b) => k.blocks[b.at()].access,
            Array::Shared(_) | Array::Private(_) => Access { reads: true, writes: true, atomics: true },
        };
        let info = ArrayInfo {
            array,
            name: array_name(k, array),
            elem: k.elem(array).unwrap_or(ScalarType::Bool),
            wide: self.type_of(index) == ScalarType::I64,
            access,
        };
        let same = |other: &ArrayInfo| other.array == array && other.wide == info.wide;
        self.code.arrays.iter().position(same).unwrap_or_else(|| {
            self.code.arrays.push(info);
            self.code.arrays.len() - 1
        }) as u32
    }

    /// The type of an expression of a well-formed kernel.
    fn type_of(&self, e: &Exp) -> ScalarType {
        let k = &self.code.kernel;
        match e {
            Exp::Lit(x) => x.scalar_type(),
            Exp::Local(local) => k.locals[local.at()].ty,
            Exp::Param(p) => k.params[p.at()].ty,
            Exp::Builtin(_) => ScalarType::I32,
            Exp::Length(_) => ScalarType::I64,
            Exp::Prim(op, _) => op.signature().map_or(ScalarType::Bool, |(_, result)| result),
        }
    }

    fn stms(&mut self, stms: &[Stm]) {
        for stm in stms {
            self.statement += 1;
            self.stm(stm);
            self.spare.append(&mut self.used);
        }
    }

    /// Statements inside another one, of which nothing is in use any more.
    fn inside(&mut self, stms: &[Stm]) {
        self.spare.append(&mut self.used);
        self.stms(stms);
    }

    fn stm(&mut self, stm: &Stm) {
        match stm {
            Stm::Let(to, value) => self.exp_to(value, to.0),
            Stm::Load { to, from, index } => {
                let (array, index) = (self.array(*from, index), self.exp(index));
                self.push(Op::Load { to: to.0, array, index });
            }
            Stm::Store { to, index, value } => {
                let (array, index, x) = (self.array(*to, index), self.exp(index), self.exp(value));
                self.push(Op::Store { array, index, x });
            }
            Stm::Atomic(Atomic { op, old, at, index, operands, order, scope }) => {
                let (array, index) = (self.array(*at, index), self.exp(index));
                let mut regs = [0; 2];
                for (reg, e) in regs.iter_mut().zip(operands) {
                    *reg = self.exp(e);
                }
                let seen = Operation {
                    reads: op.reads(),
                    writes: op.writes(),
                    acquires: order.acquires(),
                    releases: order.releases(),
                    scope: *scope,
                };
                self.code.atomics.push(AtomicInfo { op: *op, array, keeps: old.is_some(), seen });
                let atomic = self.code.atomics.len() as u32 - 1;
                self.push(Op::Atomic { atomic, index, operands: regs, to: old.map_or(0, |l| l.0) });
            }
            Stm::Fence(scope) => {
                self.push(Op::Fence(*scope));
            }
            Stm::Barrier => {
                self.push(Op::Barrier);
            }
            Stm::If { cond, yes, no } => {
                let cond = self.exp(cond);
                let skip = self.push(Op::Unless { cond, target: 0 });
                self.inside(yes);
                if no.is_empty() {
                    return self.land(skip);
                }
                let end = self.push(Op::Jump { target: 0 });
                self.land(skip);
                self.inside(no);
                self.land(end);
            }
            Stm::For { index, from, below, step, body } => {
                let ty = self.code.kernel.locals[index.at()].ty;
                let [end, by] = [below, step].map(|e| {
                    let reg = self.fresh();
                    self.exp_to(e, reg);
                    reg
                });
                self.exp_to(from, index.0);
                self.push(Op::Enter { ty, step: by });
                let top = self.here();
                // loops count integers, which all are compared so; nothing else comes here
                let below = prims::binary(Prim::Cmp(CmpOp::Lt, ty)).unwrap_or(|_, _| 0);
                let out = self.push(Op::While { below, index: index.0, end, target: 0 });
                self.inside(body);
                self.push(Op::Next { ty, index: index.0, step: by, target: top });
                self.land(out);
            }
            Stm::While { before, cond, body } => {
                let top = self.here();
                self.inside(before);
                let cond = self.exp(cond);
                let out = self.push(Op::Unless { cond, target: 0 });
                self.inside(body);
                self.push(Op::Jump { target: top });
                self.land(out);
            }
            Stm::Fail { site, point, operands } => {
                let (point, operands) = (self.exp(point), operands.iter().map(|e| self.exp(e)).collect());
                self.code.failures.push((*site, point, operands));
                self.push(Op::Fail { failure: self.code.failures.len() as u32 - 1 });
            }
            Stm::Subgroup { to, op, value } => {
                let (to, x) = (to.0, self.exp(value));
                let exchange = match op {
                    SubgroupOp::Shuffle(from) => Exchange::Shuffle { to, x, from: self.exp(from) },
                    SubgroupOp::Up { by, otherwise } => {
                        Exchange::Up { to, x, by: self.exp(by), otherwise: self.exp(otherwise) }
                    }
                    SubgroupOp::Any => Exchange::Any { to, x },
                    SubgroupOp::All => Exchange::All { to, x },
                };
                self.code.exchanges.push(exchange);
                self.push(Op::Exchange { exchange: self.code.exchanges.len() as u32 - 1 });
            }
        }
    }
}

/// What an atomic operation makes of an element.
pub(super) fn updated(op: AtomicOp, ty: ScalarType, before: u64, operands: [u64; 2]) -> u64 {
    use futi_core::prim::BinOp;
    let by = |op: Prim| match prims::binary(op) {
        Some(f) => f(before, operands[0]),
        None => prims::any(op, &[ty, ty], &[before, operands[0]]),
    };
    match op {
        AtomicOp::Load => before,
        AtomicOp::Store | AtomicOp::Exchange => operands[0],
        AtomicOp::Add => by(ty.plus()),
        AtomicOp::Min => by(Prim::Bin(BinOp::Min, ty)),
        AtomicOp::Max => by(Prim::Bin(BinOp::Max, ty)),
        AtomicOp::And => by(Prim::Bin(BinOp::And, ty)),
        AtomicOp::Or => by(Prim::Bin(BinOp::Or, ty)),
        AtomicOp::Xor => by(Prim::Bin(BinOp::Xor, ty)),
        AtomicOp::CompareExchange if before == operands[0] => operands[1],
        AtomicOp::CompareExchange => before,
    }
}

/// The bits of the next value of a loop's variable, if its type has it.
pub(super) fn stepped(ty: ScalarType, index: u64, step: u64) -> Option<u64> {
    match ty {
        ScalarType::I32 => (index as i32).checked_add(step as i32).map(|x| u64::from(x as u32)),
        ScalarType::I64 => (index as i64).checked_add(step as i64).map(|x| x as u64),
        _ => {
            let [index, step] = [index, step].map(|bits| Scalar::from_bits(ty, bits).to_int());
            Scalar::from_int(ty, index? + step?).map(Scalar::bits)
        }
    }
}
