//! The kernels that are known, and what was found out about what is left of them.

use super::launches::{How, Variant, random, variants};
use super::report::Fate;
use crate::random::Rng;
use futi_core::hash::HashMap;
use futi_core::ir::Prov;
use futi_kernels::exec::{Bytes, Code, Launch, TrapKind, run};
use futi_kernels::ir::{Ident, Kernel};
use futi_kernels::removal::{Removal, Removed, removals};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A launch is repeated in so many orders of turns.
const SEEDS: u64 = 2;
/// The most steps of a launch that is repeated.
const BUDGET: u64 = 3_000_000;
/// So many random launches a kernel has at most.
const GUESSES: usize = 400;

/// A kernel of which something was taken away.
pub(super) struct Planted {
    pub(super) removal: Removal,
    pub(super) number: usize,
    pub(super) statement: String,
    /// None if the checker refuses it.
    code: Option<Code>,
}

/// A kernel from which something can be taken away.
pub(super) struct Candidate {
    /// Which program has it, of those the first.
    pub(super) program: String,
    pub(super) kernel: Arc<Kernel>,
    /// The whole kernel.
    code: Arc<Code>,
    /// Whether it was launched in random ways.
    guessed: bool,
    pub(super) planted: Vec<(Arc<Planted>, Fate)>,
}

/// All of them, and by their text which number each has.
#[derive(Default)]
pub(super) struct Known(Mutex<(HashMap<String, usize>, Vec<Candidate>)>);

impl Known {
    fn lock(&self) -> MutexGuard<'_, (HashMap<String, usize>, Vec<Candidate>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a kernel of a program, if something can be taken away from it.
    pub(super) fn add(&self, kernel: &Kernel, program: &str) -> Option<usize> {
        let removed = removals(kernel);
        if removed.is_empty() {
            return None;
        }
        let key = nameless(kernel).to_string();
        let (index, candidates) = &mut *self.lock();
        if let Some(at) = index.get(&key) {
            return Some(*at);
        }
        let code = Arc::new(Code::of(kernel).ok()?);
        let planted = |Removed { removal, number, statement, kernel }: Removed| {
            let code = Code::of(&kernel).ok();
            let refused = code.is_none().then(|| (How::AsLaunched, "ill-formed".to_string()));
            (Arc::new(Planted { removal, number, statement, code }), Fate { reported: refused, ..Fate::default() })
        };
        let planted = removed.into_iter().map(planted).collect();
        let (program, kernel) = (program.to_string(), Arc::new(kernel.clone()));
        candidates.push(Candidate { program, kernel, code, guessed: false, planted });
        index.insert(key, candidates.len() - 1);
        Some(candidates.len() - 1)
    }

    /// Whether something was taken away from it that nobody has reported yet.
    pub(super) fn is_open(&self, kernel: usize) -> bool {
        self.lock().1[kernel].planted.iter().any(|(_, fate)| fate.reported.is_none())
    }

    /// Repeats a launch of a kernel, and others made of it, with all that is left of the kernel.
    pub(super) fn repeat(&self, at: usize, launch: &Launch, memory: &[Bytes]) {
        let kernel = self.lock().1[at].kernel.clone();
        variants(&kernel, launch, memory).for_each(|variant| self.launch(at, variant));
    }

    /// Launches a kernel in random ways, if it has not been before, as long as something is left.
    pub(super) fn guess(&self, at: usize, seed: u64) {
        let kernel = {
            let candidate = &mut self.lock().1[at];
            if std::mem::replace(&mut candidate.guessed, true) {
                return;
            }
            candidate.kernel.clone()
        };
        let mut rng = Rng::new(seed, &kernel.name.to_string());
        for _ in 0..GUESSES {
            if self.is_open(at) {
                self.launch(at, random(&kernel, &mut rng));
            }
        }
    }

    /// Launches all that is left of a kernel.
    fn launch(&self, at: usize, Variant { how, launch, memory }: Variant) {
        let (whole, planted) = {
            let candidate = &self.lock().1[at];
            (candidate.code.clone(), candidate.planted.clone())
        };
        let open: Vec<(usize, &Code)> = planted
            .iter()
            .enumerate()
            .filter(|(_, (_, fate))| fate.reported.is_none())
            .filter_map(|(i, (planted, _))| Some((i, planted.code.as_ref()?)))
            .collect();
        // what is wrong with the whole kernel, in a launch that the host would not make, is no report
        if open.is_empty() || !seeds(&launch).all(|launch| run(&whole, &mut memory.clone(), &launch).is_ok()) {
            return;
        }
        for (i, code) in open {
            let reported = seeds(&launch).find_map(|launch| fault(code, &launch, &memory));
            let fate = &mut self.lock().1[at].planted[i].1;
            fate.launches += 1;
            fate.groups = fate.groups.max(launch.groups);
            fate.reported = fate.reported.take().or(reported.map(|fault| (how, fault)));
        }
    }

    pub(super) fn into_candidates(self) -> Vec<Candidate> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// A launch in other orders of turns.
fn seeds(launch: &Launch) -> impl Iterator<Item = Launch> {
    (0..SEEDS).map(|seed| Launch { seed: launch.seed.wrapping_add(seed), budget: BUDGET, ..launch.clone() })
}

/// The fault that the executor reports.
fn fault(code: &Code, launch: &Launch, memory: &[Bytes]) -> Option<String> {
    match run(code, &mut memory.to_vec(), launch) {
        Ok(_) => None,
        // that it is long says nothing of what was taken away
        Err(trap) if matches!(trap.kind, TrapKind::Endless) => None,
        Err(trap) => Some(trap.kind.name().to_string()),
    }
}

/// A kernel without the names that are for people, and without what it costs.
fn nameless(kernel: &Kernel) -> Kernel {
    let mut kernel = kernel.clone();
    let none = || Ident::new("x");
    kernel.name = none();
    kernel.prov = Prov::UNKNOWN;
    kernel.cost = None;
    kernel.params.iter_mut().chain(&mut kernel.locals).for_each(|x| x.name = none());
    kernel.blocks.iter_mut().for_each(|x| x.name = none());
    kernel.shared.iter_mut().for_each(|x| x.name = none());
    kernel.private.iter_mut().for_each(|x| x.name = none());
    kernel.sites.iter_mut().for_each(|x| x.prov = Prov::UNKNOWN);
    kernel
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of a block by two invocations: one barrier, one atomic operation.
    const KERNEL: &str = "futi-kernel 1
        kernel NAME @3 {
          block y_0: atomic i32
          shared s_0: i32[0 + 1 each]
          local x_0: i32
          store shared.s_0[@invocation] = 1i32
          barrier
          x_0 = load shared.s_0[sub.i32(1i32, @invocation)]
          atomic add block.y_0[0i32](x_0) relaxed device
        }";

    #[test]
    fn kernels_that_differ_in_names_are_one() {
        let known = Known::default();
        let kernel = |name: &str| KERNEL.replace("NAME", name).replace("y_0", &format!("{name}_0")).parse().unwrap();
        assert_eq!((known.add(&kernel("a"), "p"), known.add(&kernel("b"), "q")), (Some(0), Some(0)));
        let other = KERNEL.replace("(x_0)", "(1i32)");
        assert_eq!(known.add(&other.parse().unwrap(), "r"), Some(1));
        let plain: Kernel = "futi-kernel 1 kernel k @0 { }".parse().unwrap();
        assert_eq!(known.add(&plain, "s"), None);
    }
}
