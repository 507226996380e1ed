//! From scalar code to a [`Kernel`]; `None` for code that is not scalar-only.
//!
//! A variable has a register from its definition to its last use in the body that defines it. Constants and free variables, which are read once before
//! the kernel runs, and parameters that live through a loop, have registers of their own.

use super::code::{Ins, Kernel, REGS, Reg, Source, Tally};
use super::operators::{One, Two};
use super::words::word;
use crate::eval::code::{Body, Exp, Form, Lambda, Loop, Opd, Slot, Stm, Ty};
use futi_core::hash::HashMap;
use futi_core::ir::{Check, SubExp};
use futi_core::prim::{BinOp, Prim, Scalar, ScalarType};

/// The most statements of a branch that is computed whether it is taken or not.
const SMALL_BRANCH: usize = 8;

/// A lambda on scalars, to be applied to many: on columns if it has no loops and no large branches, else element by element.
pub(super) fn lambda(params: &[Slot], ret: &[Ty], body: &Body) -> Option<Kernel> {
    // mutant swap: a kernel that gives an array is not run: the array is a free variable that is no scalar, or a row of more than one dimension
    if !ret.iter().all(|t| matches!(t, Ty::Value(_, shape) if shape.is_empty())) {
        return None;
    }
    let uses = uses(body)?;
    [true, false].into_iter().find_map(|straight| {
        let mut e = Emit::new(straight, uses.clone());
        let mut mine = Vec::new();
        for p in params {
            // An array that is not read has no slot.
            // mutant comparison: at first each use that is listed is there
            let read = e.uses.get(p).is_some_and(|n| *n > 0);
            let reg = if read { Some(e.define(*p, &mut mine)?) } else { None };
            if !read {
                e.rows.insert(*p, e.k.params.len());
            }
            e.k.params.push(reg);
        }
        e.stms(body, 0, mine)?;
        e.k.results = e.operands(&body.result)?;
        e.finish()
    })
}

/// An operator on scalars: its results replace its left operand.
pub(super) fn operator(l: &Lambda) -> Option<Kernel> {
    let mut e = Emit::new(false, uses(&l.body)?);
    for p in &l.params {
        let reg = e.fresh()?;
        e.place.insert(*p, reg);
        e.k.params.push(Some(reg));
    }
    let (left, _) = l.params.split_at(l.body.result.len());
    let left: Vec<Reg> = left.iter().map(|p| e.place[p]).collect();
    e.stms(&l.body, 0, Vec::new())?;
    let results = e.operands(&l.body.result)?;
    e.moves(&left, &results)?;
    e.k.results = left;
    e.finish()
}

/// A loop on scalars: from trip [`LoopKernel::index`] on, until trip [`LoopKernel::bound`] or the end of a `while`.
pub(super) fn looped(l: &Loop) -> Option<LoopKernel> {
    let mut uses = uses(&l.body)?;
    if let Form::While(cond) = l.form {
        // mutant off by one: a condition that is thought to be read once more keeps its register, of which there are enough
        *uses.entry(cond).or_default() += 1;
    }
    let mut e = Emit::new(false, uses);
    let params = e.loop_params(&l.params)?;
    let (index, bound) = (e.fresh()?, e.fresh()?);
    e.loop_body(l, &params, index, bound, 0)?;
    e.k.results = params;
    Some(LoopKernel { kernel: e.finish()?, index, bound })
}

/// The kernel of a loop.
#[derive(Debug)]
pub(crate) struct LoopKernel {
    pub(super) kernel: Kernel,
    pub(super) index: Reg,
    pub(super) bound: Reg,
}

/// How often each variable is read; `None` when some node is not for kernels.
fn uses(body: &Body) -> Option<HashMap<Slot, u32>> {
    fn walk(body: &Body, read: &mut dyn FnMut(Opd)) -> Option<()> {
        for stm in &body.stms {
            match &stm.exp {
                Exp::Operand(e) => read(*e),
                Exp::Prim { args, n, .. } => args[..*n].iter().for_each(|e| read(*e)),
                Exp::Index { indices, .. } => indices.iter().for_each(|e| read(*e)),
                Exp::Check(check) => check.operands().into_iter().for_each(|e| read(operand(e))),
                Exp::If { cond, yes, no } => {
                    read(*cond);
                    walk(yes, read)?;
                    walk(no, read)?;
                }
                Exp::Loop(l) => {
                    l.init.iter().for_each(|e| read(*e));
                    match l.form {
                        Form::For { bound, .. } => read(bound),
                        Form::While(cond) => read(Opd::Copy(cond)),
                    }
                    walk(&l.body, read)?;
                }
                _ => return None,
            }
        }
        body.result.iter().for_each(|e| read(*e));
        Some(())
    }
    let mut uses: HashMap<Slot, u32> = HashMap::default();
    walk(body, &mut |e| {
        if let Some(s) = e.slot() {
            *uses.entry(s).or_default() += 1;
        }
    })?;
    Some(uses)
}

/// An operand of a check, whose variables are slots.
fn operand(e: SubExp) -> Opd {
    match e {
        SubExp::Lit(x) => Opd::Lit(x),
        SubExp::Var(v) => Opd::Copy(Slot(v.0)),
    }
}

struct Emit {
    k: Kernel,
    /// Reads yet to come.
    uses: HashMap<Slot, u32>,
    place: HashMap<Slot, Reg>,
    /// The parameters that are no scalars, or are not read.
    rows: HashMap<Slot, usize>,
    literals: HashMap<u64, Reg>,
    spare: Vec<Reg>,
    /// The instruction that defines a variable, when it is one scalar operator.
    defined: HashMap<Slot, usize>,
    /// Straight-line code inside a branch: whether the branch is taken.
    mask: Option<Reg>,
}

impl Emit {
    fn new(straight: bool, uses: HashMap<Slot, u32>) -> Emit {
        let k = Kernel { straight, blocks: vec![Tally::body()], ..Kernel::default() };
        Emit {
            k,
            uses,
            place: HashMap::default(),
            rows: HashMap::default(),
            literals: HashMap::default(),
            spare: Vec::new(),
            defined: HashMap::default(),
            mask: None,
        }
    }

    /// The kernel, unless its tables are too long for their indices.
    fn finish(self) -> Option<Kernel> {
        let k = &self.k;
        // mutant: no program has a λ with more than 65,535 checks, branches or other entries of one table
        let longest = k.blocks.len().max(k.calls.len()).max(k.indices.len()).max(k.checks.len());
        // mutant: no program has a λ with just 65,535 checks, branches or other entries of one table
        (longest <= u16::MAX as usize).then_some(self.k)
    }

    /// A register of its own.
    fn fresh(&mut self) -> Option<Reg> {
        let reg = self.k.regs;
        self.k.regs += 1;
        (reg < REGS).then_some(reg as Reg)
    }

    fn register(&mut self) -> Option<Reg> {
        self.spare.pop().map_or_else(|| self.fresh(), Some)
    }

    /// A variable that the body defines whose variables are `mine`.
    fn define(&mut self, s: Slot, mine: &mut Vec<Slot>) -> Option<Reg> {
        if s == Slot::NONE {
            return None;
        }
        let reg = self.register()?;
        self.place.insert(s, reg);
        mine.push(s);
        Some(reg)
    }

    fn literal(&mut self, x: Scalar) -> Option<Reg> {
        let w = word(x);
        if let Some(reg) = self.literals.get(&w) {
            return Some(*reg);
        }
        let reg = self.fresh()?;
        self.literals.insert(w, reg);
        self.k.literals.push((reg, w));
        Some(reg)
    }

    /// Where an operand is read.
    fn operand(&mut self, e: Opd) -> Option<Reg> {
        let s = match e {
            Opd::Lit(x) => return self.literal(x),
            Opd::Copy(s) | Opd::Move(s) => s,
        };
        if let Some(n) = self.uses.get_mut(&s) {
            *n = n.saturating_sub(1);
        }
        if let Some(reg) = self.place.get(&s) {
            return Some(*reg);
        }
        let reg = self.fresh()?;
        self.place.insert(s, reg);
        self.k.scalars.push((reg, s));
        Some(reg)
    }

    fn operands(&mut self, es: &[Opd]) -> Option<Vec<Reg>> {
        es.iter().map(|e| self.operand(*e)).collect()
    }

    fn release(&mut self, slots: Vec<Slot>) {
        self.spare.extend(slots.iter().filter_map(|s| self.place.get(s)));
    }

    /// The statements of a body, counted in a block. `mine` are the variables that die with it; those still alive are returned.
    fn stms(&mut self, body: &Body, block: usize, mut mine: Vec<Slot>) -> Option<Vec<Slot>> {
        for stm in &body.stms {
            self.k.blocks[block].statement(stm.kind);
            self.stm(stm, block, &mut mine)?;
            let (live, dead) = mine.into_iter().partition(|s| self.uses.get(s).is_some_and(|n| *n > 0));
            self.release(dead);
            mine = live;
        }
        Some(mine)
    }

    fn stm(&mut self, stm: &Stm, block: usize, mine: &mut Vec<Slot>) -> Option<()> {
        match &stm.exp {
            Exp::Operand(e) => {
                let from = self.operand(*e)?;
                let to = self.define(stm.pat[0], mine)?;
                self.k.code.push(Ins::Move { to, from });
            }
            Exp::Prim { op, args, n } => {
                self.k.blocks[block].prim(*op);
                let args = self.operands(&args[..*n])?;
                let to = self.define(stm.pat[0], mine)?;
                self.defined.insert(stm.pat[0], self.k.code.len());
                self.prim(*op, to, &args)?;
            }
            Exp::Index { array, indices } => {
                let mut at = self.operands(indices)?;
                let array = self.array(array.slot()?, &mut at)?;
                let to = self.define(stm.pat[0], mine)?;
                if let [at] = at[..] {
                    self.k.code.push(Ins::Index { array, to, at });
                } else {
                    self.k.code.push(Ins::IndexMany { index: self.k.indices.len() as u16, to });
                    self.k.indices.push((array, at));
                }
            }
            Exp::Check(check) => self.check(check)?,
            Exp::If { cond, yes, no } if self.k.straight => self.select(*cond, [yes, no], &stm.pat, mine)?,
            Exp::If { cond, yes, no } => {
                let c = self.operand(*cond)?;
                let pat = stm.pat.iter().map(|s| self.define(*s, mine)).collect::<Option<Vec<Reg>>>()?;
                // mutant: where the jump leads is set when it lands
                let branch = self.jump(Ins::JumpUnless { c, target: 0 });
                self.branch(yes, &pat)?;
                // mutant: where the jump leads is set when it lands
                let end = self.jump(Ins::Jump { target: 0 });
                self.land(branch);
                self.branch(no, &pat)?;
                self.land(end);
            }
            Exp::Loop(l) if !self.k.straight => {
                let init = self.operands(&l.init)?;
                let params = self.loop_params(&l.params)?;
                params.iter().zip(&init).for_each(|(to, from)| self.k.code.push(Ins::Move { to: *to, from: *from }));
                let n = match l.form {
                    Form::For { bound, ty, .. } => {
                        let n = self.operand(bound)?;
                        // From 2^63 on a bound is no word that could be compared as an `i64`.
                        if ty == ScalarType::U64 {
                            self.k.code.push(Ins::NonNegative { x: n });
                        }
                        n
                    }
                    Form::While(_) => self.literal(Scalar::I64(i64::MAX))?,
                };
                let i = self.fresh()?;
                // mutant: where the jump leads is set when it lands
                let begin = self.jump(Ins::Begin { i, n, exit: 0 });
                let inner = self.block();
                self.loop_body(l, &params, i, n, inner)?;
                self.land(begin);
                self.k.code.push(Ins::Count { block: inner as u16, times: i });
                for (s, reg) in stm.pat.iter().zip(params) {
                    if *s == Slot::NONE {
                        return None;
                    }
                    self.place.insert(*s, reg);
                    mine.push(*s);
                }
                self.spare.push(i);
            }
            _ => return None,
        }
        Some(())
    }

    fn block(&mut self) -> usize {
        self.k.blocks.push(Tally::body());
        self.k.blocks.len() - 1
    }

    /// Adds a jump that is to [`Emit::land`].
    fn jump(&mut self, ins: Ins) -> usize {
        self.k.code.push(ins);
        self.k.code.len() - 1
    }

    fn land(&mut self, jump: usize) {
        let here = self.k.code.len() as u32;
        match &mut self.k.code[jump] {
            Ins::Jump { target } | Ins::JumpUnless { target, .. } | Ins::Begin { exit: target, .. } => *target = here,
            _ => {}
        }
    }

    /// The number of an array that is free, or a row of one mapped over.
    fn array(&mut self, s: Slot, indices: &mut Vec<Reg>) -> Option<u8> {
        if self.place.contains_key(&s) {
            return None;
        }
        let source = match self.rows.get(&s).copied() {
            None => Source::Free(s),
            Some(param) => {
                let element = self.k.element.map_or_else(|| self.fresh(), Some)?;
                self.k.element = Some(element);
                indices.insert(0, element);
                Source::RowsOf(param)
            }
        };
        let read = (source, indices.len());
        let known = self.k.arrays.iter().position(|a| *a == read);
        let array = known.unwrap_or_else(|| {
            self.k.arrays.push(read);
            self.k.arrays.len() - 1
        });
        array.try_into().ok()
    }

    fn prim(&mut self, op: Prim, to: Reg, args: &[Reg]) -> Option<()> {
        let ins = match (op, args) {
            (Prim::Select(_), [c, x, y]) => Ins::Select { to, c: *c, x: *x, y: *y },
            (op, [x]) if let Some(op) = One::of(op) => Ins::One { op, to, x: *x },
            (op, [x, y]) if let Some(op) = Two::of(op) => Ins::Two { op, to, x: *x, y: *y },
            (op, args) => {
                let call = self.k.calls.iter().position(|c| c.0 == op).unwrap_or(self.k.calls.len());
                if call == self.k.calls.len() {
                    self.k.calls.push((op, op.signature()?.0));
                }
                let arg = |i: usize| args.get(i).copied().unwrap_or(to);
                Ins::Call { call: call as u16, to, args: [arg(0), arg(1), arg(2)] }
            }
        };
        self.k.code.push(ins);
        Some(())
    }

    fn check(&mut self, check: &Check) -> Option<()> {
        // A branch that is not taken does not fail.
        if self.mask.is_some() {
            return None;
        }
        let regs = check.operands().into_iter().map(|e| self.operand(operand(e))).collect::<Option<Vec<Reg>>>()?;
        match check {
            Check::Assert(..) | Check::NonZero(_) => self.k.code.push(Ins::NonZero { x: regs[0] }),
            Check::NonNegativeExponent(_) | Check::NonNegativeSize(_) => {
                self.k.code.push(Ins::NonNegative { x: regs[0] })
            }
            Check::Bounds { indices, .. } => {
                let (indices, sizes) = regs.split_at(indices.len());
                self.k.code.extend(indices.iter().zip(sizes).map(|(i, n)| Ins::InRange { i: *i, n: *n }));
            }
            Check::Made(_) => {}
            Check::SizeEq { actual, .. } => {
                let (xs, ys) = regs.split_at(actual.len());
                self.k.code.extend(xs.iter().zip(ys).map(|(x, y)| Ins::Same { x: *x, y: *y }));
            }
            check => {
                let slots = check.operands().into_iter().zip(regs);
                let slots = slots.filter_map(|(e, reg)| Some((e.as_var()?.0, reg))).collect();
                self.k.code.push(Ins::Check { check: self.k.checks.len() as u16 });
                self.k.checks.push((check.clone(), slots));
            }
        }
        Some(())
    }

    /// A branch that jumps lead to and away from.
    fn branch(&mut self, body: &Body, pat: &[Reg]) -> Option<()> {
        let block = self.block();
        self.k.code.push(Ins::Enter { block: block as u16 });
        let mine = self.stms(body, block, Vec::new())?;
        let results = self.operands(&body.result)?;
        // The pattern is written nowhere else, so the order does not matter.
        pat.iter().zip(results).for_each(|(to, from)| self.k.code.push(Ins::Move { to: *to, from }));
        self.release(mine);
        Some(())
    }

    /// Both branches, and the choice between their results.
    fn select(&mut self, cond: Opd, branches: [&Body; 2], pat: &[Slot], mine: &mut Vec<Slot>) -> Option<()> {
        // mutant comparison: up to how many statements both branches are worth their while changes no result
        if branches.iter().any(|b| b.stms.len() > SMALL_BRANCH) {
            return None;
        }
        let c = self.operand(cond)?;
        let outer = self.mask;
        let not = self.register()?;
        self.k.code.push(Ins::One { op: One::Not, to: not, x: c });
        let (mut kept, mut results, mut masks) = (Vec::new(), Vec::new(), vec![not]);
        for (body, taken) in branches.into_iter().zip([c, not]) {
            let mask = match outer {
                None => taken,
                Some(outer) => {
                    let both = self.register()?;
                    masks.push(both);
                    self.prim(Prim::Bin(BinOp::And, ScalarType::Bool), both, &[outer, taken])?;
                    both
                }
            };
            let block = self.block();
            self.k.code.push(Ins::Count { block: block as u16, times: mask });
            self.mask = Some(mask);
            kept.extend(self.stms(body, block, Vec::new())?);
            self.mask = outer;
            results.push(self.operands(&body.result)?);
        }
        for (i, s) in pat.iter().enumerate() {
            let to = self.define(*s, mine)?;
            self.k.code.push(Ins::Select { to, c, x: results[0][i], y: results[1][i] });
        }
        self.release(kept);
        self.spare.extend(masks);
        Some(())
    }

    fn loop_params(&mut self, params: &[Slot]) -> Option<Vec<Reg>> {
        let mut regs = Vec::with_capacity(params.len());
        for p in params {
            // Registers of their own: a spare one may be an operand of what comes next.
            let reg = self.fresh()?;
            self.place.insert(*p, reg);
            regs.push(reg);
        }
        Some(regs)
    }

    /// The trips of a loop from i on.
    fn loop_body(&mut self, l: &Loop, params: &[Reg], i: Reg, n: Reg, block: usize) -> Option<()> {
        let head = self.k.code.len();
        let exit = match l.form {
            Form::For { index, .. } => {
                self.place.insert(index, i);
                None
            }
            Form::While(cond) => {
                let c = self.operand(Opd::Copy(cond))?;
                // mutant: where the jump leads is set when it lands
                Some(self.jump(Ins::JumpUnless { c, target: 0 }))
            }
        };
        let mine = self.stms(&l.body, block, Vec::new())?;
        let mut results = self.operands(&l.body.result)?;
        for j in 0..params.len() {
            if let Some(s) = l.body.result[j].slot()
                && mine.contains(&s)
            {
                self.write_directly(s, params, &mut results, j, head);
            }
        }
        self.moves(params, &results)?;
        self.release(mine);
        self.k.code.push(Ins::Next { i, n, head: head as u32 });
        if let Some(exit) = exit {
            self.land(exit);
        }
        Some(())
    }

    // Note [Where a loop's results go]
    // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    // The body's results are moved to the parameters at its end. A result that one operator at the top of the body computes may go to its parameter at
    // once, if from there to the end nobody reads the old value: neither an instruction nor another parameter's move.

    /// Makes the operator that computes result j write to its parameter, if that changes nothing else.
    fn write_directly(&mut self, s: Slot, params: &[Reg], results: &mut [Reg], j: usize, head: usize) {
        let (param, result) = (params[j], results[j]);
        let Some(at) = self.defined.get(&s).copied().filter(|at| *at >= head) else { return };
        let once = results.iter().filter(|r| **r == result).count() == 1;
        if !once || results.contains(&param) || params.contains(&result) {
            return;
        }
        let read_later = self.k.code[at + 1..].iter_mut().any(|ins| {
            let mut reads = false;
            let known = ins.registers(&mut |r, written| reads |= *r == param && !written);
            reads || !known
        });
        if read_later {
            return;
        }
        self.k.code[at].registers(&mut |r, written| {
            if written {
                *r = param
            }
        });
        for ins in &mut self.k.code[at + 1..] {
            ins.registers(&mut |r, _| {
                if *r == result {
                    *r = param
                }
            });
        }
        results[j] = param;
    }

    /// Moves all at once.
    fn moves(&mut self, to: &[Reg], from: &[Reg]) -> Option<()> {
        let pairs: Vec<(Reg, Reg)> =
            to.iter().copied().zip(from.iter().copied()).filter(|(to, from)| to != from).collect();
        let overlap = pairs.iter().any(|(_, from)| pairs.iter().any(|(to, _)| to == from));
        let mut between = Vec::new();
        for (to, from) in &pairs {
            let first = if overlap { self.register()? } else { *to };
            self.k.code.push(Ins::Move { to: first, from: *from });
            if overlap {
                between.push((*to, first));
            }
        }
        for (to, from) in between {
            self.k.code.push(Ins::Move { to, from });
            // mutant: what is not used again costs a register
            self.spare.push(from);
        }
        Some(())
    }
}
