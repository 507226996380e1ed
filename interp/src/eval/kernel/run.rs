//! The two ways to run a kernel: once, with jumps; or, when it is straight-line, on many elements at a time, so that each instruction is a loop over
//! columns.

use super::code::{Ins, Kernel, REGS, Reg};
use super::words::{Slice, scalar, word};
use futi_core::failure::run_check;
use futi_core::ir::SubExp;
use futi_core::prim::Scalar;

/// The registers of a run of single elements.
pub(super) type Registers = [u64; REGS];

/// A free array: its elements and its shape.
pub(super) struct View<'a> {
    pub elems: Slice<'a>,
    pub shape: &'a [usize],
}

/// How long the loops of a kernel may go on.
pub(super) struct Budget<'a> {
    /// Trips before the next look.
    left: u64,
    /// Trips after that; `None` for any number.
    more: Option<u64>,
    cancelled: &'a dyn Fn() -> bool,
}

/// Computes a column of those of other registers; `None` when that is not to be.
type Step<'f> = &'f mut dyn FnMut(&[Vec<u64>], &mut [u64]) -> Option<()>;

/// How many trips may pass before cancellation is noticed.
const LOOK_EVERY: u64 = 1 << 14;

impl<'a> Budget<'a> {
    pub fn new(trips: Option<u64>, cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
        let left = LOOK_EVERY.min(trips.unwrap_or(LOOK_EVERY));
        // mutant: what a kernel has done beyond the fuel is not committed
        Budget { left, more: trips.map(|n| n - left), cancelled }
    }

    /// Whether there may be another trip.
    #[inline(always)]
    fn trip(&mut self) -> bool {
        // mutant off by one: the limits are looked at one trip earlier; a kernel that stops there is made up for by the plain path
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let grant = LOOK_EVERY.min(self.more.unwrap_or(LOOK_EVERY));
        self.more = self.more.map(|n| n - grant);
        // mutant: the limits are looked at earlier; a kernel that stops for fuel that is left is made up for by the plain path
        self.left = grant.saturating_sub(1);
        // mutant off by one: a kernel that stops before its last trip is made up for by the plain path
        grant > 0 && !(self.cancelled)()
    }
}

impl Kernel {
    /// Runs it once. False when it was stopped: by a check, by an index out of range, or by the budget.
    pub(super) fn run(&self, r: &mut Registers, arrays: &[View], counts: &mut [u64], budget: &mut Budget) -> bool {
        let mut pc = 0;
        while let Some(ins) = self.code.get(pc) {
            pc += 1;
            match *ins {
                Ins::Move { to, from } => r[to as usize] = r[from as usize],
                Ins::One { op, to, x } => r[to as usize] = op.apply(r[x as usize]),
                Ins::Two { op, to, x, y } => r[to as usize] = op.apply(r[x as usize], r[y as usize]),
                Ins::Select { to, c, x, y } => r[to as usize] = r[if r[c as usize] != 0 { x } else { y } as usize],
                Ins::Call { call, to, args } => r[to as usize] = self.call(call, args.map(|a| r[a as usize])),
                Ins::Index { array, to, at } => match arrays[array as usize].elems.word(r[at as usize] as usize) {
                    Some(w) => r[to as usize] = w,
                    None => return false,
                },
                Ins::IndexMany { index, to } => {
                    let (array, indices) = &self.indices[index as usize];
                    let View { elems, shape } = &arrays[*array as usize];
                    let mut at = 0;
                    for (i, n) in indices.iter().zip(*shape) {
                        let i = r[*i as usize] as usize;
                        // mutant: a check has found each index in range
                        if i >= *n {
                            return false;
                        }
                        at = at * n + i;
                    }
                    // mutant: an index that is in range of each dimension is that of an element
                    let Some(w) = elems.word(at) else { return false };
                    r[to as usize] = w;
                }
                Ins::InRange { i, n } => {
                    let (i, n) = (r[i as usize] as i64, r[n as usize] as i64);
                    if i < 0 || i >= n {
                        return false;
                    }
                }
                Ins::NonZero { x } => {
                    if r[x as usize] == 0 {
                        return false;
                    }
                }
                Ins::NonNegative { x } => {
                    if (r[x as usize] as i64) < 0 {
                        return false;
                    }
                }
                Ins::Same { x, y } => {
                    if r[x as usize] != r[y as usize] {
                        return false;
                    }
                }
                Ins::Check { check } => {
                    if !self.holds(check, &|reg| r[reg as usize]) {
                        return false;
                    }
                }
                Ins::Enter { block } => counts[block as usize] += 1,
                Ins::Count { block, times } => counts[block as usize] += r[times as usize],
                Ins::Jump { target } => pc = target as usize,
                Ins::JumpUnless { c, target } => {
                    if r[c as usize] == 0 {
                        pc = target as usize;
                    }
                }
                Ins::Begin { i, n, exit } => {
                    r[i as usize] = 0;
                    if r[n as usize] as i64 <= 0 {
                        pc = exit as usize;
                    }
                }
                Ins::Next { i, n, head } => {
                    let next = r[i as usize] + 1;
                    r[i as usize] = next;
                    if (next as i64) < r[n as usize] as i64 {
                        if !budget.trip() {
                            return false;
                        }
                        pc = head as usize;
                    }
                }
            }
        }
        true
    }

    /// Runs it on the first n words of each column. False when it was stopped.
    pub(super) fn run_columns(&self, r: &mut [Vec<u64>], n: usize, arrays: &[View], counts: &mut [u64]) -> bool {
        for ins in &self.code {
            // No instruction of straight-line code writes to one of its operands.
            let written = |r: &mut [Vec<u64>], to: Reg, f: Step| {
                let mut out = std::mem::take(&mut r[to as usize]);
                let done = f(r, &mut out[..n]);
                r[to as usize] = out;
                done.is_some()
            };
            let fine = match *ins {
                Ins::Move { to, from } => written(r, to, &mut |r, out| {
                    out.copy_from_slice(&r[from as usize][..n]);
                    Some(())
                }),
                Ins::One { op, to, x } => written(r, to, &mut |r, out| {
                    op.column(out, &r[x as usize][..n]);
                    Some(())
                }),
                Ins::Two { op, to, x, y } => written(r, to, &mut |r, out| {
                    op.column(out, &r[x as usize][..n], &r[y as usize][..n]);
                    Some(())
                }),
                Ins::Select { to, c, x, y } => written(r, to, &mut |r, out| {
                    let operands = r[c as usize][..n].iter().zip(&r[x as usize]).zip(&r[y as usize]);
                    out.iter_mut().zip(operands).for_each(|(out, ((c, x), y))| *out = if *c != 0 { *x } else { *y });
                    Some(())
                }),
                Ins::Call { call, to, args } => written(r, to, &mut |r, out| {
                    for (e, out) in out.iter_mut().enumerate() {
                        // mutant off by one: operands that an operator does not have are not read
                        *out = self.call(call, args.map(|a| r[a as usize].get(e).copied().unwrap_or(0)));
                    }
                    Some(())
                }),
                Ins::Index { array, to, at } => {
                    written(r, to, &mut |r, out| arrays[array as usize].elems.gather(&r[at as usize], out))
                }
                Ins::IndexMany { index, to } => {
                    let (array, indices) = &self.indices[index as usize];
                    let View { elems, shape } = &arrays[*array as usize];
                    written(r, to, &mut |r, out| {
                        for (e, out) in out.iter_mut().enumerate() {
                            let mut at = 0;
                            for (i, n) in indices.iter().zip(*shape) {
                                let i = r[*i as usize][e] as usize;
                                // mutant: a check has found each index in range
                                if i >= *n {
                                    return None;
                                }
                                at = at * n + i;
                            }
                            *out = elems.word(at)?;
                        }
                        Some(())
                    })
                }
                Ins::InRange { i, n: size } => {
                    let pairs = r[i as usize][..n].iter().zip(&r[size as usize]);
                    pairs.fold(true, |fine, (i, n)| fine & (*i as i64 >= 0) & ((*i as i64) < *n as i64))
                }
                Ins::NonZero { x } => r[x as usize][..n].iter().fold(true, |fine, x| fine & (*x != 0)),
                Ins::NonNegative { x } => r[x as usize][..n].iter().fold(true, |fine, x| fine & (*x as i64 >= 0)),
                Ins::Same { x, y } => r[x as usize][..n] == r[y as usize][..n],
                Ins::Check { check } => (0..n).all(|e| self.holds(check, &|reg| r[reg as usize][e])),
                Ins::Count { block, times } => {
                    counts[block as usize] += r[times as usize][..n].iter().sum::<u64>();
                    true
                }
                // There are no jumps in straight-line code.
                Ins::Enter { .. }
                | Ins::Jump { .. }
                | Ins::JumpUnless { .. }
                | Ins::Begin { .. }
                // mutant: there are no jumps in straight-line code
                | Ins::Next { .. } => false,
            };
            if !fine {
                return false;
            }
        }
        true
    }

    /// An operator by the table.
    fn call(&self, call: u16, args: [u64; 3]) -> u64 {
        let (op, types) = &self.calls[call as usize];
        // mutant: operands that an operator does not have are not read
        let mut operands = [Scalar::Bool(false); 3];
        for ((operand, ty), w) in operands.iter_mut().zip(types).zip(args) {
            *operand = scalar(*ty, w);
        }
        word(op.eval(&operands[..types.len()]))
    }

    /// Whether a check passes. Its operands are integers or booleans, of which it reads the value only.
    fn holds(&self, check: u16, register: &dyn Fn(Reg) -> u64) -> bool {
        let (check, slots) = &self.checks[check as usize];
        let value = &mut |e: SubExp| match e {
            SubExp::Lit(x) => x,
            SubExp::Var(v) => {
                // mutant off by one: each variable of a check has a register
                let reg = slots.iter().find(|(s, _)| *s == v.0).map_or(0, |(_, reg)| register(*reg));
                Scalar::I64(reg as i64)
            }
        };
        run_check(check, value).is_ok()
    }
}
