//! Accumulators whose elements are each updated at one point of a nest at most: their updates need not be atomic.

use super::numbers::{Numbers, Sum, range, sum};
use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::build::Vars;
use futi_core::ir::visit::{Visit, free_vars, walk_exp, walk_stm};
use futi_core::ir::{CmpOp, Dim, Exp as Ir, LoopForm, Prim, ScalarType, SegOp, Stm, SubExp, Type, Var};
use std::collections::BTreeMap;

// Note [Numbers that follow from an index]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Two updates (or one, twice) are at the same place of an array at the points p and q only if numbers are equal: each index of the one at p with that of the other at q. If both stand
// behind conditions `x == y`, then `x - y` of the one equals that of the other, too: both are 0. We look for a proof from these equations that p = q, or that they cannot all hold.
//
// All is modulo 2^64. Where a number is `F1 · i1 + … + Fn · in + C` at p, of indices of the nest, and `F1 · j1 + … + Fn · jn + D` at q, with factors that are the same at all points,
// the equation is `F1 · (i1 - j1) + … + Fn · (in - jn) + (C - D) = 0`. An index that is known to be the same at p and q counts as a constant. Indices of loops inside of a point are among
// those in the equations, as those of p need not be those of q; only that p = q matters in the end.
//
// * n = 0: no two constants that differ are equal.
// * n = 1, F constant, C = D: if 2^k divides F and 2^(k+1) does not, i - j is a multiple of 2^(64-k). With k up to 16 no nest has so many points, no loop so many rounds, and i = j.
// * n = 1, F and C - D constant: if 2^k divides F but not C - D, the equation does not hold. So the places of pairs of neighbours differ, `2i` and `2i + 1`.
// * n = 1, C = D, F the stride of a slice that was written before, of as many indices as the nest has along i. If that is one index at most, i = j anyway. Else F is not zero, and as all
//   the slice's indices are in range, F times less than their number does not wrap around: F · (i - j) = 0 only if i = j.
// * n = 1, F such a stride, F = f · E and C - D = d · E, where more powers of two divide the constant f than the constant d: let 2^k be all that divide d. Then F · (i - j) + C - D is
//   2^k · E times an odd number, so that, where it is 0, 2^k · E is 0, and its multiple F. Then the slice has one index at most, and i = j. So with the two children of nodes of a tree.
// * n > 1, all factors constant, C = D: if each is greater than all that the lesser ones can add up to, `w · i + j` for j < w say, and nothing wraps around, all indices are the same.

/// The greatest power of two in a factor, as no nest has 2^48 points, nor a loop so many rounds.
const MOST_ZEROS: u32 = 16;

/// Of so many updates of an accumulator, places are compared.
const MOST_UPDATES: usize = 64;

/// Where an accumulator is updated.
#[derive(PartialEq)]
struct Update {
    /// The indices, as far as they follow from the point.
    at: Vec<Option<Sum>>,
    /// What is zero there, by the conditions around it.
    zero: Vec<Sum>,
}

/// What an equation tells of two points.
enum Told {
    /// It does not hold.
    Never,
    /// They have these indices in common.
    Same(Vec<Var>),
}

/// What the statements of a nest say of numbers, and where they update accumulators, by the identity of these.
struct Updates<'a> {
    vars: &'a Vars,
    numbers: &'a Numbers,
    /// The indices along which there may be more than one point.
    several: Vec<Var>,
    /// How many values indices have: these, and those of loops inside of a point.
    counts: BTreeMap<Var, Dim>,
    /// What is the same at all points, and in all rounds of what stands inside of one.
    fixed: HashSet<Var>,
    /// What follows from the indices of the point.
    sums: HashMap<Var, Sum>,
    /// The first number and the step of ranges.
    ranges: HashMap<Var, (Sum, Sum)>,
    /// What is zero if a condition holds.
    equations: HashMap<Var, Sum>,
    /// What is zero in the branch that is being visited.
    zero: Vec<Sum>,
    places: HashMap<Var, Vec<Update>>,
}

impl Visit for Updates<'_> {
    fn stm(&mut self, stm: &Stm) {
        match (&stm.exp, &stm.pat[..]) {
            (Ir::UpdAcc { acc, indices, .. }, _) => {
                if let Type::Acc(acc) = self.vars.ty(*acc) {
                    let at = indices.iter().map(|e| self.of(*e)).collect();
                    let update = Update { at, zero: self.zero.clone() };
                    let updates = self.places.entry(acc.id).or_default();
                    // mutant dropped term: of more, none is asked about
                    if updates.len() <= MOST_UPDATES && !updates.contains(&update) {
                        updates.push(update);
                    }
                }
            }
            (exp, [pat]) => self.learn(exp, pat.var),
            _ => {}
        }
        walk_stm(self, stm);
    }

    fn exp(&mut self, exp: &Ir) {
        match exp {
            Ir::If { cond, yes, no } => {
                let zero = cond.as_var().and_then(|cond| self.equations.get(&cond).cloned());
                let before = self.zero.len();
                self.zero.extend(zero);
                self.body(yes);
                self.zero.truncate(before);
                self.body(no);
            }
            Ir::Loop { form: LoopForm::For { index, bound }, .. } => {
                // a bound that is no i64 is no size, nor is such an index one
                if let Some(bound) = Dim::from_subexp(*bound).filter(|_| index.ty == Type::I64) {
                    self.round(index.var, bound);
                }
                walk_exp(self, exp);
            }
            Ir::Screma(s) => {
                for (param, array) in s.map.params.iter().zip(&s.arrays) {
                    if self.range(*array).is_some_and(|range| range == (Sum::constant(0), Sum::constant(1))) {
                        self.round(param.var, s.width);
                    }
                }
                walk_exp(self, exp);
            }
            exp => walk_exp(self, exp),
        }
    }
}

/// The identities of the accumulators of which no two points of a nest update the same element.
pub(super) fn unshared(seg: &SegOp, vars: &Vars, numbers: &Numbers) -> HashSet<Var> {
    // who updates an accumulator returns it
    if !seg.ret.iter().any(|ty| matches!(ty, Type::Acc(_))) {
        return HashSet::default();
    }
    let updates = Updates::nest(seg, vars, numbers);
    let own = |all: &Vec<Update>| {
        // mutant off by one: each is asked about itself, too
        let pairs = || all.iter().enumerate().flat_map(|(k, a)| all[..k].iter().map(move |b| (a, b)));
        // mutant comparison: one fewer would be few as well
        all.len() <= MOST_UPDATES
            && all.iter().all(|a| updates.apart(a, a))
            && pairs().all(|(a, b)| updates.apart(a, b))
    };
    updates.places.iter().filter(|(_, all)| own(all)).map(|(id, _)| *id).collect()
}

/// Whether the first so many results of a nest, which are indices, are the same at no two of its points.
pub(super) fn differ(seg: &SegOp, indices: usize, vars: &Vars, numbers: &Numbers) -> bool {
    let updates = Updates::nest(seg, vars, numbers);
    let at = seg.body.result[..indices].iter().map(|e| updates.of(*e)).collect();
    let update = Update { at, zero: vec![] };
    updates.apart(&update, &update)
}

impl<'a> Updates<'a> {
    /// What a nest's statements say.
    fn nest(seg: &SegOp, vars: &'a Vars, numbers: &'a Numbers) -> Self {
        let several: Vec<(Var, Dim)> =
            seg.space.iter().filter(|(_, n)| *n != Dim::Const(1)).map(|(i, n)| (i.var, *n)).collect();
        // an index that has one value is zero
        let mut sums: HashMap<Var, Sum> = seg.space.iter().map(|(index, _)| (index.var, Sum::default())).collect();
        sums.extend(several.iter().map(|(index, _)| (*index, Sum::var(*index))));
        let mut updates = Updates {
            vars,
            numbers,
            several: several.iter().map(|(index, _)| *index).collect(),
            counts: several.into_iter().collect(),
            fixed: free_vars(&seg.body).into_iter().filter(|var| !sums.contains_key(var)).collect(),
            sums,
            ranges: HashMap::default(),
            equations: HashMap::default(),
            zero: vec![],
            places: HashMap::default(),
        };
        updates.body(&seg.body);
        updates
    }

    /// How an operand follows from the indices of the point.
    fn of(&self, e: SubExp) -> Option<Sum> {
        let inside = e.as_var().and_then(|var| self.sums.get(&var).cloned());
        inside.or_else(|| self.is_fixed(e).then(|| self.numbers.of(e)))
    }

    fn is_fixed(&self, e: SubExp) -> bool {
        e.as_var().is_none_or(|var| self.fixed.contains(&var))
    }

    fn range(&self, array: Var) -> Option<(Sum, Sum)> {
        self.ranges.get(&array).cloned().or_else(|| self.numbers.range(array))
    }

    /// Learns of the index of what is done so many times at each point.
    fn round(&mut self, index: Var, count: Dim) {
        self.sums.insert(index, Sum::var(index));
        self.counts.insert(index, count);
    }

    /// Learns from a statement, which is executed at each point.
    fn learn(&mut self, exp: &Ir, var: Var) {
        match exp {
            Ir::SubExp(e) => {
                if let Some(sum) = self.of(*e) {
                    self.sums.insert(var, sum);
                }
            }
            Ir::Prim(prim, args) => {
                if args.iter().all(|e| self.is_fixed(*e)) {
                    self.fixed.insert(var);
                }
                match (*prim, &args[..]) {
                    (Prim::Cmp(CmpOp::Eq, ScalarType::I64), [a, b]) => {
                        if let (Some(a), Some(b)) = (self.of(*a), self.of(*b)) {
                            self.equations.insert(var, a.minus(&b));
                        }
                    }
                    (prim, args) => {
                        if let Some(sum) = sum(prim, args, |e| self.of(e)) {
                            self.sums.insert(var, sum);
                        }
                    }
                }
            }
            Ir::Index { array, indices } => {
                if let (Some((start, step)), [i]) = (self.range(*array), &indices[..])
                    && let Some(i) = self.of(*i)
                {
                    self.sums.insert(var, i.times(&step).plus(&start));
                }
            }
            exp => {
                if let Some(range) = range(exp, |e| self.of(e)) {
                    self.ranges.insert(var, range);
                }
            }
        }
    }

    /// Whether two updates are at the same place at no two points: Note [Numbers that follow from an index].
    fn apart(&self, a: &Update, b: &Update) -> bool {
        let indices = a.at.iter().zip(&b.at).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
        let zeros = a.zero.iter().flat_map(|a| b.zero.iter().map(move |b| (a, b)));
        let equations: Vec<(&Sum, &Sum)> = indices.chain(zeros).collect();
        let mut apart: Vec<Var> = self.counts.keys().copied().collect();
        loop {
            let before = apart.len();
            for (a, b) in &equations {
                match self.told(a, b, &apart) {
                    Told::Never => return true,
                    Told::Same(indices) => apart.retain(|index| !indices.contains(index)),
                }
            }
            let same = !self.several.iter().any(|index| apart.contains(index));
            // mutant dropped term: the next round says so, too
            if same || apart.len() == before {
                return same;
            }
        }
    }

    /// What it tells of two points that a number of the one equals a number of the other, if all but these indices are the same.
    fn told(&self, a: &Sum, b: &Sum, apart: &[Var]) -> Told {
        let nothing = Told::Same(vec![]);
        let by = |sum: &Sum| sum.by(|var| apart.contains(&var));
        let (Some((factors, a)), Some((others, b))) = (by(a), by(b)) else { return nothing };
        if factors != others {
            return nothing;
        }
        let difference = a.minus(&b);
        match (factors.iter().next(), difference.as_constant()) {
            (None, Some(d)) if d != 0 => Told::Never,
            (Some((index, factor)), d) if factors.len() == 1 => match (factor.as_constant(), d) {
                // mutant comparison: one fewer would be few as well
                (Some(factor), Some(0)) if factor.trailing_zeros() <= MOST_ZEROS => Told::Same(vec![*index]),
                (Some(factor), Some(d)) if d.trailing_zeros() < factor.trailing_zeros() => Told::Never,
                (None, _) if self.strides(*index, factor, &difference) => Told::Same(vec![*index]),
                _ => nothing,
            },
            (Some(_), Some(0)) if self.is_mixed_radix(&factors) => Told::Same(factors.into_keys().collect()),
            _ => nothing,
        }
    }

    /// Whether an index times a factor that is the stride of a slice differs by this, or less than a stride, from another index times it.
    fn strides(&self, index: Var, factor: &Sum, difference: &Sum) -> bool {
        let less = match (factor.as_product(), difference.as_product()) {
            (Some((factors, f)), Some((others, d))) => factors == others && d.trailing_zeros() < f.trailing_zeros(),
            _ => false,
        };
        let count = self.counts.get(&index);
        // mutant negation: an index has a count
        (less || *difference == Sum::default()) && count.is_some_and(|n| self.numbers.is_stride(factor, *n))
    }

    /// Whether each index times its factor is more than what those with lesser factors add up to.
    fn is_mixed_radix(&self, factors: &BTreeMap<Var, Sum>) -> bool {
        let constant = |(index, factor): (&Var, &Sum)| Some((factor.as_constant()?.unsigned_abs(), *index));
        let Some(mut factors) = factors.iter().map(constant).collect::<Option<Vec<_>>>() else { return false };
        factors.sort_unstable();
        // mutant negation: there are some
        let Some(((greatest, _), lesser)) = factors.split_last() else { return false };
        // what these can add up to: less than the greatest, which times a difference of indices, of less than 2^48, is so much less than 2^64
        let reach = lesser.iter().try_fold(0u64, |reach, (factor, index)| match self.counts.get(index) {
            // mutant comparison `*n > 0`: of no rounds nothing is updated
            // mutant off by one `0`: of one round, what is atomic takes time, and no more
            Some(Dim::Const(n)) if *n > 0 && *factor > reach => reach.checked_add(factor.checked_mul(*n as u64 - 1)?),
            _ => None,
        });
        // mutant comparison `*greatest <= 1 << MOST_ZEROS`: one fewer would be few as well
        // mutant off by one: nor has a nest 2^47 points
        *greatest <= 1 << MOST_ZEROS && reach.is_some_and(|reach| *greatest > reach)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::host::options::MemoryOptions;

    /// Whether updates at these places of an array, at each point of a nest of one index `i_9`, are atomic.
    fn are_atomic(code: &str, places: &[&str]) -> bool {
        let last = places.len() + 20;
        is_atomic(code, &updates(places), &format!("acc_{last}"))
    }

    fn updates(places: &[&str]) -> String {
        let mut updates = String::new();
        for (k, place) in places.iter().enumerate() {
            let (old, new) = (k + 20, k + 21);
            updates += &format!("let (acc_{new}: acc(id_7, [64] (f64))) = updacc acc_{old}[{place}] (1.0f64)\n");
        }
        updates
    }

    /// Whether there are atomic operations in a nest that begins with the accumulator `acc_20` and ends with another.
    fn is_atomic(code: &str, updates: &str, last: &str) -> bool {
        is_atomic_after("", code, updates, last)
    }

    /// The same of a nest behind statements of the host.
    fn is_atomic_after(before: &str, code: &str, updates: &str, last: &str) -> bool {
        let text = format!(
            r#"futi-ir 1
            entry "main"(*d_0: [64]f64, n_1: i64, k_2: i64, *e_80: [64]f64, v_81: [n_1]f64, c_82: bool) -> (*r_3: [64]f64)
              sig 1 ("d": ["64"]f64, "k": i64, "e": ["64"]f64, "v": ["n"]f64, "c": bool) -> ["64"]f64 {{
              {before}
              let (r_4: [64]f64) = withacc input [64] (d_0) comm \(x_5: f64, y_6: f64) -> (f64) {{
                let (t_11: f64) = add.f64(x_5, y_6)
                in (t_11)
              }} neutral (0.0f64) do \(id_7: cert, acc_8: acc(id_7, [64] (f64))) -> (acc(id_7, [64] (f64))) {{
                let (acc_10: acc(id_7, [64] (f64))) = segop grid (i_9: i64 < n_1) -> (acc(id_7, [64] (f64))) {{
                  let (acc_20: acc(id_7, [64] (f64))) = acc_8
                  {code}
                  {updates}
                  in ({last})
                }}
                in (acc_10)
              }}
              in (r_4)
            }}"#
        );
        let program: futi_core::ir::Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let host = lower(&program, &MemoryOptions::default()).unwrap();
        host.kernels.iter().any(|k| k.kernel.kernel().accesses().iter().any(|access| access.atomics))
    }

    #[test]
    fn what_one_point_alone_updates_is_updated_plainly() {
        assert!(!are_atomic("", &["i_9"]));
        assert!(!are_atomic("let (t_30: i64) = add.i64(i_9, k_2)", &["t_30", "t_30"]));
        assert!(!are_atomic("let (t_30: i64) = sub.i64(n_1, i_9)", &["t_30"]));
        // 2i and 2i + 1
        let pair = "let (t_30: i64) = mul.i64(i_9, 2i64) let (t_31: i64) = add.i64(t_30, 1i64)";
        assert!(!are_atomic(pair, &["t_30", "t_31"]));
        // i + i and i + i + 1, in one dimension, and i and i in another
        let pair = "let (t_30: i64) = add.i64(i_9, i_9) let (t_31: i64) = add.i64(t_30, 1i64)";
        assert!(!are_atomic(pair, &["t_30", "t_31"]));
        // i by another name, i + k / 2, an element of a range
        assert!(!are_atomic("let (t_30: i64) = i_9", &["t_30"]));
        assert!(!are_atomic("let (t_30: i64) = quot.i64(k_2, 2i64) let (t_31: i64) = add.i64(i_9, t_30)", &["t_31"]));
        let range = "let (range_30: [64]i64) = iota i64 (64i64, 5i64, 3i64) let (t_31: i64) = index range_30[i_9]";
        assert!(!are_atomic(range, &["t_31"]));
        // i and i + 1, 2i and 2i + 2, k, i · k, i · 0
        assert!(are_atomic("let (t_30: i64) = add.i64(i_9, 1i64)", &["i_9", "t_30"]));
        let pair = "let (t_30: i64) = mul.i64(i_9, 2i64) let (t_31: i64) = add.i64(t_30, 2i64)";
        assert!(are_atomic(pair, &["t_30", "t_31"]));
        assert!(are_atomic("", &["k_2"]));
        assert!(are_atomic("let (t_30: i64) = mul.i64(i_9, k_2)", &["t_30"]));
        assert!(are_atomic("let (t_30: i64) = mul.i64(i_9, 0i64)", &["t_30"]));
    }

    #[test]
    fn what_changes_inside_of_a_point_is_not_the_same_at_all_points() {
        // i + k for several k at each point: those of neighbours are the same
        let acc = |n: usize| format!("acc_{n}: acc(id_7, [64] (f64))");
        let round = format!(
            "let (t_34: i64) = add.i64(i_9, k_33) let ({}) = updacc acc_32[t_34] (1.0f64) in (acc_35)",
            acc(35)
        );
        let code = format!("let ({}) = loop ({} = acc_20) for k_33: i64 < 4i64 do {{ {round} }}", acc(31), acc(32));
        assert!(is_atomic("", &code, "acc_31"));
        let same = code.replace("add.i64(i_9, k_33)", "add.i64(i_9, k_2)");
        assert!(!is_atomic("", &same, "acc_31"));
    }
    #[test]
    fn what_a_point_alone_does_behind_a_condition_is_done_plainly() {
        let acc = |n: usize| format!("acc_{n}: acc(id_7, [64] (f64))");
        let code = |left: &str| {
            let update = format!("let ({}) = updacc acc_20[k_2] (1.0f64) in (acc_31)", acc(31));
            let branch = format!("let ({}) = if t_30 then {{ {update} }} else {{ in (acc_20) }}", acc(32));
            format!("let (t_30: bool) = eq.i64({left}, n_1) {branch}")
        };
        assert!(!is_atomic("", &code("i_9"), "acc_32"));
        assert!(is_atomic("", &code("k_2"), "acc_32"));
    }

    #[test]
    fn each_point_has_a_block_of_its_own() {
        let acc = |n: usize| format!("acc_{n}: acc(id_7, [64] (f64))");
        let code = |factor: i64| {
            let place = format!("let (t_33: i64) = mul.i64(i_9, {factor}i64) let (t_34: i64) = add.i64(t_33, k_30)");
            let round = format!("{place} let ({}) = updacc acc_31[t_34] (1.0f64) in (acc_32)", acc(32));
            format!("let ({}) = loop ({} = acc_20) for k_30: i64 < 4i64 do {{ {round} }}", acc(35), acc(31))
        };
        assert!(!is_atomic("", &code(4), "acc_35"));
        assert!(!is_atomic("", &code(-5), "acc_35"));
        assert!(is_atomic("", &code(3), "acc_35"));
    }

    #[test]
    fn halves_of_words_are_updated_plainly_beside_results() {
        // a byte's word is nobody else's
        let text = r#"futi-ir 1
            entry "main"(*d_0: [64]f16, n_1: i64) -> (*r_3: [64]f16, is_2: [n_1]i64)
              sig 0 ("d": ["64"]f16, "n": i64) -> (["64"]f16, ["n"]i64) {
              let (r_4: [64]f16, js_12: [n_1]i64) = withacc input [64] (d_0) comm \(x_5: f16, y_6: f16) -> (f16) {
                let (t_11: f16) = add.f16(x_5, y_6)
                in (t_11)
              } neutral (0.0f16) do \(id_7: cert, acc_8: acc(id_7, [64] (f16))) -> (acc(id_7, [64] (f16)), [n_1]i64) {
                let (acc_10: acc(id_7, [64] (f16)), js_13: [n_1]i64) = segop grid (i_9: i64 < n_1) -> (acc(id_7, [64] (f16)), i64) {
                  let (acc_11: acc(id_7, [64] (f16))) = updacc acc_8[i_9] (1.0f16)
                  in (acc_11, i_9)
                }
                in (acc_10, js_13)
              }
              in (r_4, js_12)
            }"#;
        let host = lower(&text.parse().unwrap(), &MemoryOptions::default()).unwrap();
        assert!(!host.kernels.iter().any(|k| k.kernel.kernel().accesses().iter().any(|access| access.atomics)));
    }

    #[test]
    fn a_stride_that_was_not_written_before_may_be_zero() {
        let stride = "let (t_30: i64) = mul.i64(i_9, k_2)";
        assert!(are_atomic(stride, &["t_30"]));
        let is_atomic = |before: &str| is_atomic_after(before, stride, &updates(&["t_30"]), "acc_21");
        let slice = "let (e_83: [64]f64) = updslice e_80[0i64 : n_1 : k_2] = v_81";
        assert!(!is_atomic(slice));
        // nor is a slice in a branch that may not have been taken one that was written
        let branch = format!("let (e_84: [64]f64) = if c_82 then {{ {slice} in (e_83) }} else {{ in (e_80) }}");
        assert!(is_atomic(&branch));
    }

    #[test]
    fn places_less_than_a_stride_apart_are_updated_plainly() {
        // 2k · i and 2k · i + k
        let slice =
            "let (s_85: i64) = mul.i64(k_2, 2i64) let (e_83: [64]f64) = updslice e_80[0i64 : n_1 : s_85] = v_81";
        let code = |by: &str| format!("let (t_30: i64) = mul.i64(i_9, {by}) let (t_31: i64) = add.i64(t_30, k_2)");
        let is_atomic = |by: &str| is_atomic_after(slice, &code(by), &updates(&["t_30", "t_31"]), "acc_22");
        assert!(!is_atomic("s_85"));
        assert!(is_atomic("k_2"));
    }

    #[test]
    fn numbers_have_their_other_names_in_a_nest() {
        // k · i after a slice of stride k by another name, and an element of a range that is in memory
        let slice = "let (s_85: i64) = k_2 let (e_83: [64]f64) = updslice e_80[0i64 : n_1 : s_85] = v_81";
        assert!(!is_atomic_after(slice, "let (t_30: i64) = mul.i64(i_9, k_2)", &updates(&["t_30"]), "acc_21"));
        let range =
            "let (range_85: [64]i64) = iota i64 (64i64, 5i64, 3i64) let (e_86: [8][8]i64) = reshape [8][8] range_85";
        assert!(!is_atomic_after(range, "let (t_30: i64) = index range_85[i_9]", &updates(&["t_30"]), "acc_21"));
    }

    #[test]
    fn elements_of_a_range_are_below_its_length_if_it_counts() {
        let acc = |n: usize| format!("acc_{n}: acc(id_7, [64] (f64))");
        let code = |elements: &str| {
            let place = "let (t_33: i64) = mul.i64(i_9, 4i64) let (t_34: i64) = add.i64(t_33, x_30)";
            let round = format!("{place} let ({}) = updacc acc_31[t_34] (1.0f64) in (acc_32)", acc(32));
            let range = format!("let (range_36: [4]i64) = {elements}");
            let map = format!("map \\({}, x_30: i64) -> (acc(id_7, [64] (f64))) {{ {round} }}", acc(31));
            format!("{range} let ({}) = screma 4 (acc_20, range_36) {map}", acc(35))
        };
        assert!(!is_atomic("", &code("iota i64 (4i64, 0i64, 1i64)"), "acc_35"));
        assert!(is_atomic("", &code("iota i64 (4i64, 0i64, 2i64)"), "acc_35"));
        // nor is anything known of other arrays' elements
        assert!(is_atomic("", &code("replicate [4] k_2"), "acc_35"));
    }
}
