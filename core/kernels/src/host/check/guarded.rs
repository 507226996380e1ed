//! What may be guarded: Note [What is guarded] of the IR.

use super::super::ir::*;
use std::collections::HashSet;

/// Whether a block may be a side of a choice that the machine makes.
///
/// # Errors
/// What it may not do.
pub fn side(block: &Block) -> Result<(), &'static str> {
    for stm in &block.stms {
        match &stm.op {
            Op::Read(_) => return Err("memory is read in what is guarded"),
            Op::Call { .. } => return Err("a function is called in what is guarded"),
            Op::Loop { form: Form::Device(_), .. } => return Err("a loop whose end the machine sees is guarded"),
            _ => {}
        }
        stm.op.blocks().into_iter().try_for_each(side)?;
    }
    Ok(())
}

/// Whether a block may be the round of a loop whose end the machine sees, with these scalars that change from round to round.
///
/// # Errors
/// What it may not do.
pub fn rounds(scalars: impl IntoIterator<Item = HostScalar>, body: &Block) -> Result<(), &'static str> {
    side(body)?;
    Varying(scalars.into_iter().collect()).block(body)
}

/// The scalars that may differ from round to round.
struct Varying(HashSet<HostScalar>);

impl Varying {
    fn in_exp(&self, e: &Exp) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= matches!(e, Exp::Var(s) if self.0.contains(s)));
        found
    }

    fn fixed<'a>(&self, all: impl IntoIterator<Item = &'a Exp>, message: &'static str) -> Result<(), &'static str> {
        if all.into_iter().any(|e| self.in_exp(e)) { Err(message) } else { Ok(()) }
    }

    fn block(&mut self, block: &Block) -> Result<(), &'static str> {
        block.stms.iter().try_for_each(|stm| self.op(&stm.op))
    }

    fn op(&mut self, op: &Op) -> Result<(), &'static str> {
        match op {
            Op::Let(to, e) if self.in_exp(e) => _ = self.0.insert(*to),
            Op::Alloc { shape, .. } => self.fixed(shape, "memory of a size that differs from round to round")?,
            Op::If { cond, yes, no, scalars, .. } => {
                self.block(yes)?;
                self.block(no)?;
                for ((a, b), to) in yes.scalars.iter().zip(&no.scalars).zip(scalars) {
                    if [cond, a, b].into_iter().any(|e| self.in_exp(e)) {
                        self.0.insert(*to);
                    }
                }
            }
            Op::Loop { form: Form::While(_), .. } => return Err("a loop of nobody knows how many rounds"),
            Op::Loop { form, scalars, body, last_scalars, .. } => {
                if let Form::For(_, bound) = form {
                    self.fixed([bound], "a loop of a number of rounds that differs from round to round")?;
                }
                // they differ among the rounds of that loop; perhaps among those of this one, too
                self.0.extend(scalars.iter().map(|(s, _)| *s).chain(last_scalars.iter().copied()));
                self.block(body)?;
            }
            _ => op.blocks().into_iter().try_for_each(|block| self.block(block))?,
        }
        Ok(())
    }
}
