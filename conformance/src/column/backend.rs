//! The backend, in a process of its own, against the interpreter: the entry point, and its derivatives where it has some.

use super::*;
use crate::child::{BackendCommand, Broken, Child, Limits};
use futi_core::backend::{IrLevel, Unsupported};
use futi_core::failure::FailureKind;

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

    /// Calls an entry point of the program compiled last. A process that has lost its device, or that is wrong in itself, may fail all that comes after:
    /// it is left behind as well.
    fn call(&mut self, entry: &str, args: &[Value]) -> Result<Result<Vec<Value>, RuntimeError>, Broken> {
        let called = self.with(|child| child.call(entry, args))?;
        if called.as_ref().is_err_and(|e| matches!(e.kind, FailureKind::Device | FailureKind::Internal)) {
            self.child = None;
        }
        Ok(called)
    }
}

/// Judges the backend on the entry point, and on its derivatives if these are wanted.
pub fn judge(s: &Subject, link: &mut Link, derivatives: bool) -> Outcome {
    if let Err(first) = &s.reference {
        return errors::judge_backend(s, link, first, derivatives);
    }
    let held = expected_of(s, &s.entry.primal, &s.args, &s.reference);
    let primal = one(s, link, "", &s.entry.primal, &s.args, held);
    let goes_on = matches!(primal, Outcome::Ok { .. } | Outcome::IllConditioned { .. });
    let (true, true, Some(derivatives), Some(seeds)) = (derivatives, goes_on, s.entry.derivatives(), s.seeds()) else {
        return primal;
    };
    let of = |d: &Derived| {
        let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
        let expected = d.program.run(&args, &context());
        one(s, link, d.mode.name(), &d.program, &args, expected_of_derivative(s, d, &args, &expected))
    };
    worst(std::iter::once(primal).chain(derivatives.iter().map(of)))
}

/// Judges one entry point; `what` says which, if it is not the program's own.
fn one(s: &Subject, link: &mut Link, what: &str, program: &EntryProgram, args: &[Value], held: Expected) -> Outcome {
    let prefix = if what.is_empty() { String::new() } else { format!("{what}: ") };
    let (got, prov) = match call(s, link, &prefix, program, args) {
        Ok(called) => called,
        Err(verdict) => return verdict,
    };
    let flushes = link.child.as_ref().is_some_and(|child| child.flushes);
    named(&prefix, comparison(s, &got, prov, &held.map(|results| results.on(flushes))))
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
            let told = lines.collect::<Vec<_>>().join("\n");
            // the backend's word that it is wrong in itself
            let is_internal = constructs.iter().any(Unsupported::is_internal);
            return Err(if is_internal { Outcome::fail(told) } else { Outcome::skipped(told) });
        }
        Err(broken) => return Err(Outcome::fail(format!("{prefix}compiling: {broken}"))),
    }
    match link.call(program.entry.as_str(), args) {
        Ok(got) => Ok((got, prov)),
        Err(broken) => Err(Outcome::fail(format!("{prefix}running: {broken}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The numbers of the processes that answer two calls, each with a failure of this kind.
    fn processes(kind: FailureKind) -> [String; 2] {
        let script = format!(
            r#"printf 'futi> hello\t1\tFlat\t1\tx\n'; while read l; do printf "futi> error\t{kind:?}\t0\t$$\n"; done"#
        );
        let command = BackendCommand { program: "sh".into(), args: vec!["-c".into(), script], name: "script".into() };
        let limit = Duration::from_secs(60);
        let mut link = Link::new(command, Limits { start: limit, command: limit });
        [(); 2].map(|()| link.call("f", &[]).unwrap().unwrap_err().message)
    }

    #[test]
    fn a_lost_device_is_given_up_with_its_process() {
        for kind in [FailureKind::Device, FailureKind::Internal] {
            let [first, second] = processes(kind);
            assert_ne!(first, second, "{kind:?}");
        }
        let [first, second] = processes(FailureKind::Bounds);
        assert_eq!(first, second);
    }
}
