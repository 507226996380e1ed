//! The backend, in a process of its own, against the interpreter: the entry point, and its derivatives where it has some.

use super::*;
use crate::child::{BackendCommand, Broken, Child, Limits};
use futi_core::backend::IrLevel;

/// A backend's process. It is started when first needed, and again after it broke.
pub struct Link {
    command: BackendCommand,
    limits: Limits,
    child: Option<Child>,
    /// How many programs it has been given.
    programs: usize,
}

/// After so many programs the process is another: what drivers keep of a program, they keep as long as the process lives.
const PROGRAMS: usize = 400;

impl Link {
    /// A process that has not been started yet.
    pub fn new(command: BackendCommand, limits: Limits) -> Link {
        Link { command, limits, child: None, programs: 0 }
    }

    /// Before each program.
    fn renew(&mut self) {
        self.programs += 1;
        if self.programs.is_multiple_of(PROGRAMS) {
            self.child = None;
        }
    }

    /// Does something with the process; one that broke is left behind.
    fn with<T>(&mut self, f: impl FnOnce(&mut Child) -> Result<T, Broken>) -> Result<T, Broken> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => Child::start(&self.command, self.limits)?,
        };
        let result = f(&mut child)?;
        self.child = Some(child);
        Ok(result)
    }
}

/// Judges the backend on the entry point, and on its derivatives if these are wanted.
pub fn judge(s: &Subject, link: &mut Link, derivatives: bool) -> Outcome {
    if let Err(first) = &s.reference {
        return errors::judge_backend(s, link, first, derivatives);
    }
    let primal = one(s, link, "", &s.entry.primal, &s.args, &s.reference);
    let (true, Outcome::Ok { closeness, .. }, Some(derivatives), Some(seeds)) =
        (derivatives, &primal, s.entry.derivatives(), s.seeds())
    else {
        return primal;
    };
    let mut closeness = *closeness;
    for d in derivatives {
        let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
        let expected = d.program.run(&args, &context());
        match one(s, link, d.mode.name(), &d.program, &args, &expected) {
            Outcome::Ok { closeness: c, .. } => closeness = closeness.max(c),
            verdict => return verdict,
        }
    }
    Outcome::within(closeness)
}

/// Judges one entry point; `what` says which, if it is not the program's own.
fn one(
    s: &Subject,
    link: &mut Link,
    what: &str,
    program: &EntryProgram,
    args: &[Value],
    expected: &Result<Vec<Value>, RuntimeError>,
) -> Outcome {
    let prefix = if what.is_empty() { String::new() } else { format!("{what}: ") };
    let (got, prov) = match call(s, link, &prefix, program, args) {
        Ok(called) => called,
        Err(verdict) => return verdict,
    };
    match comparison(s, &got, prov, &expected_of(s, program, args, expected)) {
        Outcome::Fail(f) => Outcome::Fail(Failure { what: format!("{prefix}{}", f.what), ..f }),
        verdict => verdict,
    }
}

/// Compiles and calls an entry point: its results or its failure, the place of which is in that table.
///
/// # Errors
/// The verdict if it does not come to a call. Messages begin with the prefix.
pub(super) fn call<'a>(
    s: &Subject,
    link: &mut Link,
    prefix: &str,
    program: &'a EntryProgram,
    args: &[Value],
) -> Result<(Result<Vec<Value>, RuntimeError>, &'a ProvTable), Outcome> {
    link.renew();
    let stage = match link.with(|child| Ok(child.level)).map_err(Outcome::fail)? {
        IrLevel::Core => Stage::Lowered,
        IrLevel::NoAd => Stage::Fused,
        IrLevel::Flat => Stage::Flat,
    };
    let stages = program.stages(s.sources);
    let Some(staged) = stages.at(stage) else {
        return Err(match &stages.stopped {
            Some(Stopped::NotDifferentiable(_, why)) => Outcome::no_rule(format!("{prefix}no rule of AD for {why}")),
            Some(Stopped::IllFormed(stage, why)) => {
                Outcome::fail(format!("{prefix}the program is ill-formed after {}: {why}", stage.name()))
            }
            None => Outcome::fail(format!("{prefix}the stage {} is missing", stage.name())),
        });
    };
    let prov = &staged.program.prov;
    match link.with(|child| child.compile(&staged.program)) {
        Ok(Ok(())) => {}
        Ok(Err(constructs)) => {
            let lines = constructs.iter().map(|u| {
                let place = place(s, &RuntimeError::internal("").at(u.prov), prov).unwrap_or_default();
                format!("{prefix}the backend cannot compile {}: {} {place}", u.construct, u.missing)
            });
            return Err(Outcome::skipped(lines.collect::<Vec<_>>().join("\n")));
        }
        Err(broken) => return Err(Outcome::fail(format!("{prefix}compiling: {broken}"))),
    }
    match link.with(|child| child.call(program.entry.as_str(), args)) {
        Ok(got) => Ok((got, prov)),
        Err(broken) => Err(Outcome::fail(format!("{prefix}running: {broken}"))),
    }
}
