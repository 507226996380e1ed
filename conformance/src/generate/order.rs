//! Programs of higher order: a generated program becomes one of its own derivatives, as often as one likes, before it is judged with the derivatives that it
//! then has.

use super::{ENTRY, Generated};
use crate::random::Rng;
use crate::subject::{Entry, Subject};
use futi_core::ad::entry::Mode;
use futi_core::ir::visit::{VisitMut, walk_exp_mut, walk_fun_mut};
use futi_core::ir::{Exp, Name, Program};
use futi_core::source::SourceMap;

/// The modes of so many derivatives, innermost first: those of consecutive seeds are all that there are, in turns.
pub fn modes(count: u32, seed: u64) -> Vec<Mode> {
    (0..count).map(|k| Mode::ALL[(seed >> k.min(63) & 1) as usize]).collect()
}

/// The program's derivative of that mode with random seeds, as the entry point [`ENTRY`]; `None` where it has no derivative, or fails at its arguments.
pub fn derived(g: &Generated, mode: Mode, name: &str) -> Option<Generated> {
    let entry = Entry::new(&g.program, ENTRY, None)?;
    let sources = SourceMap::default();
    let subject = Subject::new(&entry, &sources, g.args.clone(), Rng::new(0, name));
    let seeds = subject.seeds()?;
    let derived = entry.derivatives()?.iter().find(|d| d.mode == mode)?;
    let args = subject.derivative_args(derived, Subject::seeds_of(mode, &seeds));
    let program = renamed(derived.program.program.clone(), &derived.program.entry);
    Some(Generated { program, args })
}

/// The program with [`ENTRY`] for the name of that function; what had it is called otherwise.
fn renamed(mut program: Program, entry: &Name) -> Program {
    struct Calls<'a>(&'a dyn Fn(&Name) -> Name);
    impl VisitMut for Calls<'_> {
        fn exp(&mut self, e: &mut Exp) {
            if let Exp::Apply { fun, .. } = e {
                *fun = (self.0)(fun);
            }
            walk_exp_mut(self, e);
        }
    }
    let others: Vec<Name> = program.funs.iter().map(|f| f.name.clone()).collect();
    let free = (1..).map(|k| Name::from(format!("{ENTRY}_{k}").as_str())).find(|name| !others.contains(name));
    let free = free.unwrap_or_else(|| entry.clone());
    let new = |name: &Name| match name.as_str() {
        _ if name == entry => ENTRY.into(),
        ENTRY => free.clone(),
        _ => name.clone(),
    };
    for fun in &mut program.funs {
        fun.name = new(&fun.name);
        walk_fun_mut(&mut Calls(&new), fun);
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::value::text::parse_values;
    use futi_interp::{Ctx, eval};

    #[test]
    fn orders_nest() {
        // x³ at 2: whatever the modes, the results of the second derivative are x³, the two first derivatives, and 6 x, with the seeds as factors
        let text = "futi-ir 1 entry \"main\"(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64 {
            let (y_2: f64) = mul.f64(x_0, x_0) let (z_3: f64) = mul.f64(x_0, y_2) in (z_3) }";
        let g = Generated { program: text.parse().unwrap(), args: parse_values("2.0").unwrap() };
        for seed in 0..4 {
            let modes = modes(2, seed);
            let once = derived(&g, modes[0], "a").unwrap();
            let twice = derived(&once, modes[1], "b").unwrap();
            let results = eval(&once.program, ENTRY, &once.args, &Ctx::default()).unwrap();
            let seed_of_first = once.args[1].as_scalar().unwrap().to_f64();
            assert_eq!(results[1].as_scalar().unwrap().to_f64(), 12.0 * seed_of_first);
            assert!(eval(&twice.program, ENTRY, &twice.args, &Ctx::default()).is_ok());
            assert_eq!(futi_core::ir::check::errors(&twice.program), []);
            let text = twice.program.to_string();
            let count = |mode: Mode| text.matches(&format!("{} ", mode.name())).count();
            assert_eq!(Mode::ALL.map(count), Mode::ALL.map(|m| modes.iter().filter(|n| **n == m).count()), "{text}");
        }
    }
}
