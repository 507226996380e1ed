//! Which failures a run reports: the first, or all that it would reach if others were left out.

use super::code::{Exp, Stm};
use super::{Machine, Result};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::hash::HashSet;
use futi_core::ir::Prov;

// Note [All failures]
// ~~~~~~~~~~~~~~~~~~~
// A parallel backend may report any failure that would be reached if other iterations of the same construct were left out. Under `Ctx::all_failures` the
// iterations of such a construct go on after one that has failed, with the state from before it; when all are done, the construct fails with the
// first of their failures. So the statements after the construct are not reached. (Where fusion makes the construct part of a later one, they may be: see docs/oracles.md,
// and Note [Failures in another order] in the harness.)

/// The iterations of a construct, which do not depend on each other. One that fails leaves nothing behind: whoever adds a call, a trace or accumulators to
/// the machine takes them away again.
#[derive(Default)]
pub(super) struct Rounds {
    first: Option<RuntimeError>,
}

impl Rounds {
    /// The first failure, if any.
    pub fn end(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

/// Whether a failure, the place of which is this statement unless it has one, is that of derivative code.
fn is_of_derivative(stm: &Stm, e: &RuntimeError) -> bool {
    e.prov == Prov::UNKNOWN
        && stm.derivative
        && e.kind.is_of_program()
        && !matches!(e.kind, FailureKind::Strict | FailureKind::Singular)
}

/// The failure with its place.
fn placed(stm: &Stm, mut e: RuntimeError, strict: bool) -> RuntimeError {
    if strict && is_of_derivative(stm, &e) {
        e.message = format!("derivative code failed: {}", e.message);
        e.kind = FailureKind::Strict;
    }
    if e.prov != Prov::UNKNOWN && matches!(stm.exp, Exp::Apply { .. }) {
        return e.called_at(stm.prov);
    }
    e.at(stm.prov)
}

impl Machine<'_> {
    /// After an iteration: whether to go on. See Note [All failures].
    #[inline]
    pub(super) fn survive(&mut self, rounds: &mut Rounds, done: Result<()>) -> Result<()> {
        match done {
            Err(e) if self.ctx.all_failures && e.kind.is_of_program() => {
                self.failures.push(e.clone());
                rounds.first.get_or_insert(e);
                Ok(())
            }
            done => done,
        }
    }

    /// The failure of a statement, with its place, which those get too that have been noted since the statement began, the `before` first apart. Derivative
    /// code must not fail where the primal program does not: strict mode says so.
    #[cold]
    pub(super) fn failed(&mut self, stm: &Stm, e: RuntimeError, before: usize) -> RuntimeError {
        for f in self.failures.iter_mut().skip(before).filter(|f| f.prov == Prov::UNKNOWN) {
            *f = placed(stm, f.clone(), self.ctx.strict);
        }
        self.counters.derivative_failures += is_of_derivative(stm, &e) as u64;
        placed(stm, e, self.ctx.strict)
    }

    /// All failures of the run, which ended so, in the order of evaluation.
    pub(super) fn all_failures<T>(&mut self, end: &Result<T>) -> Vec<RuntimeError> {
        let mut failures = std::mem::take(&mut self.failures);
        failures.extend(end.as_ref().err().cloned());
        let mut seen = HashSet::default();
        failures.retain(|e| seen.insert((e.kind, e.prov, e.message.clone())));
        failures
    }
}

#[cfg(test)]
mod tests;
