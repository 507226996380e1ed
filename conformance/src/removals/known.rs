//! The kernels that are known, and what was found out about what is left of them.

use super::report::Fate;
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

/// A kernel of which something was taken away.
pub(super) struct Planted {
    pub(super) removal: Removal,
    pub(super) statement: String,
    code: Code,
}

/// A kernel, and what is known of what can be taken away from it.
pub(super) struct Kernels {
    /// Its name in the first program that has it.
    pub(super) name: String,
    /// Which program that is.
    pub(super) program: String,
    pub(super) planted: Vec<(Arc<Planted>, Fate)>,
}

/// All kernels from which something can be taken away.
#[derive(Default)]
pub(super) struct Known(Mutex<(HashMap<String, usize>, Vec<Kernels>)>);

impl Known {
    fn lock(&self) -> MutexGuard<'_, (HashMap<String, usize>, Vec<Kernels>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a kernel of a program, if something can be taken away from it.
    pub(super) fn add(&self, kernel: &Kernel, program: &str) -> Option<usize> {
        let removed = removals(kernel);
        if removed.is_empty() {
            return None;
        }
        let key = nameless(kernel).to_string();
        let (index, kernels) = &mut *self.lock();
        Some(*index.entry(key).or_insert_with(|| {
            let planted = |Removed { removal, statement, kernel, .. }: Removed| match Code::of(&kernel) {
                Ok(code) => Some((Arc::new(Planted { removal, statement, code }), Fate::default())),
                // what cannot even be run is told of by the checker
                Err(_) => None,
            };
            let planted = removed.into_iter().filter_map(planted).collect();
            kernels.push(Kernels { name: kernel.name.to_string(), program: program.to_string(), planted });
            kernels.len() - 1
        }))
    }

    /// Whether something was taken away from it that nobody has reported yet.
    pub(super) fn is_open(&self, kernel: usize) -> bool {
        self.lock().1[kernel].planted.iter().any(|(_, fate)| fate.reported.is_none())
    }

    /// Repeats a launch of a kernel with all that is left of it.
    pub(super) fn repeat(&self, kernel: usize, launch: &Launch, memory: &[Bytes]) {
        let open = |(i, (planted, fate)): (usize, &(Arc<Planted>, Fate))| {
            fate.reported.is_none().then(|| (i, planted.clone()))
        };
        let open: Vec<(usize, Arc<Planted>)> =
            self.lock().1[kernel].planted.iter().enumerate().filter_map(open).collect();
        for (i, planted) in open {
            let reported = (0..SEEDS).find_map(|seed| fault(&planted.code, launch, memory, seed));
            let fate = &mut self.lock().1[kernel].planted[i].1;
            fate.launches += 1;
            fate.groups = fate.groups.max(launch.groups);
            fate.reported = fate.reported.take().or(reported);
        }
    }

    pub(super) fn into_kernels(self) -> Vec<Kernels> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// The fault that the executor reports.
fn fault(code: &Code, launch: &Launch, memory: &[Bytes], seed: u64) -> Option<String> {
    let launch = Launch { seed: launch.seed.wrapping_add(seed), budget: BUDGET, ..launch.clone() };
    match run(code, &mut memory.to_vec(), &launch) {
        Ok(_) => None,
        // that a launch is long, or not allowed at all, says nothing of what was taken away
        Err(trap) if matches!(trap.kind, TrapKind::Endless | TrapKind::Launch(_)) => None,
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
          shared s_0: i32 each 1
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
        let other = KERNEL.replace("1i32]", "0i32]").replace("sub.i32(1i32", "sub.i32(2i32");
        assert_eq!(known.add(&other.parse().unwrap(), "r"), Some(1));
        let plain: Kernel = "kernel k @0 { }".parse().unwrap();
        assert_eq!(known.add(&plain, "s"), None);
    }
}
