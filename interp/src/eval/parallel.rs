//! Scalar operators on long columns, by several threads: the data parallelism of vectorised traces, forward and back (digest 003 §1B.7).

use super::kernel::columns::{self, ColArg};
use super::val::with_elem;
use futi_core::prim::Prim;
use futi_core::value::Array;

/// From so many elements on more than one thread pays.
const LONG: usize = 1 << 15;

/// [`columns::map_prim`], each thread on a part of its own.
pub(super) fn map_prim(op: Prim, args: &[ColArg], n: usize, threads: usize) -> Option<Array> {
    // mutant swap: every operand that is an array has as many elements as the column
    // mutant negation: by how many threads a column is computed changes no element
    let fits = args.iter().all(|a| !matches!(a, ColArg::Array(a) if a.len() != n));
    // mutant: by how many threads a column is computed changes no element
    if threads < 2 || n < LONG || !fits {
        return columns::map_prim(op, args, n);
    }
    let size = n.div_ceil(threads);
    let parts: Option<Vec<Array>> = std::thread::scope(|scope| {
        // mutant: for one thread more no elements are left
        let running: Vec<_> = (0..threads)
            .map(|k| (k * size).min(n)..((k + 1) * size).min(n))
            .map(|range| {
                scope.spawn(move || {
                    let parts: Vec<Option<Array>> = args.iter().map(|a| part(a, range.start, range.len())).collect();
                    let args: Vec<ColArg> =
                        args.iter().zip(&parts).map(|(a, part)| part.as_ref().map_or(*a, ColArg::Array)).collect();
                    columns::map_prim(op, &args, range.len())
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().ok().flatten()).collect()
    });
    let parts = parts?;
    with_elem!(parts.first()?.elem(), T => {
        let mut all: Vec<T> = Vec::with_capacity(n);
        for part in &parts {
            all.extend_from_slice(part.slice::<T>()?);
        }
        Some(Array::from_vec(&[n], all))
    })
}

fn part(a: &ColArg, at: usize, n: usize) -> Option<Array> {
    match a {
        ColArg::Array(a) => Some(a.part(at, &[n])),
        ColArg::Scalar(_) => None,
    }
}
