//! Accumulators whose elements are each updated at one point of a nest at most: their updates need not be atomic.

use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::build::Vars;
use futi_core::ir::visit::{Visit, free_vars, walk_stm};
use futi_core::ir::{BinOp, Dim, Exp as Ir, Prim, Scalar, ScalarType, SegOp, Stm, SubExp, Type, Var};

// Note [Numbers that follow from an index]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// What is computed is `factor · index + terms + constant` modulo 2^64. If 2^k divides the factor and 2^(k+1) does not, two indices give the same number only if they differ by a multiple of
// 2^(64-k): with k up to 16 no nest has so many points. And numbers of the same factor and terms differ, whatever the indices are, if 2^k does not divide the difference of the constants:
// so do the places of pairs of neighbours, `2i` and `2i + 1`.

/// How a number follows from an index of a nest: Note [Numbers that follow from an index].
#[derive(Clone, PartialEq, Debug)]
struct Follows {
    index: Var,
    factor: i64,
    /// Numbers that are the same at all points, and whether they are taken away.
    terms: Vec<(bool, SubExp)>,
    constant: i64,
}

impl Follows {
    fn zeros(&self) -> u32 {
        self.factor.trailing_zeros()
    }

    fn plus(mut self, minus: bool, e: SubExp) -> Follows {
        match e {
            SubExp::Lit(Scalar::I64(x)) if minus => self.constant = self.constant.wrapping_sub(x),
            SubExp::Lit(Scalar::I64(x)) => self.constant = self.constant.wrapping_add(x),
            e => self.terms.push((minus, e)),
        }
        self
    }

    fn negated(self) -> Follows {
        let terms = self.terms.into_iter().map(|(minus, e)| (!minus, e)).collect();
        Follows { factor: self.factor.wrapping_neg(), terms, constant: self.constant.wrapping_neg(), ..self }
    }

    fn times(self, by: i64) -> Option<Follows> {
        if by == 1 {
            return Some(self);
        }
        let (factor, constant) = (self.factor.wrapping_mul(by), self.constant.wrapping_mul(by));
        (self.terms.is_empty() && factor != 0).then_some(Follows { factor, constant, ..self })
    }

    /// Whether it is another number than that, at all points.
    fn never(&self, other: &Follows) -> bool {
        let difference = self.constant.wrapping_sub(other.constant);
        self.factor == other.factor
            && self.terms == other.terms
            && difference != 0
            && difference.trailing_zeros() < self.zeros()
    }
}

/// How the indices of an update follow from those of the point.
type Way = Vec<Option<Follows>>;

/// What the statements of a nest bind, and where they update accumulators, by the identity of these.
struct Updates<'a> {
    vars: &'a Vars,
    /// What is the same at all points, and in all rounds of what stands inside of one.
    fixed: HashSet<Var>,
    bound: HashMap<Var, Ir>,
    places: HashMap<Var, Vec<Vec<SubExp>>>,
}

impl Visit for Updates<'_> {
    fn stm(&mut self, stm: &Stm) {
        if let Ir::UpdAcc { acc, indices, .. } = &stm.exp
            && let Type::Acc(acc) = self.vars.ty(*acc)
        {
            self.places.entry(acc.id).or_default().push(indices.clone());
        }
        if let ([pat], false) = (&stm.pat[..], stm.exp.has_bodies()) {
            self.bound.insert(pat.var, stm.exp.clone());
        }
        walk_stm(self, stm);
    }
}

/// The identities of the accumulators of which no two points of a nest update the same element.
pub(super) fn unshared(seg: &SegOp, vars: &Vars) -> HashSet<Var> {
    // who updates an accumulator returns it
    if !seg.ret.iter().any(|ty| matches!(ty, Type::Acc(_))) {
        return HashSet::default();
    }
    let all: Vec<Var> = seg.space.iter().map(|(index, _)| index.var).collect();
    let fixed = free_vars(&seg.body).into_iter().filter(|var| !all.contains(var)).collect();
    let mut updates = Updates { vars, fixed, bound: HashMap::default(), places: HashMap::default() };
    updates.body(&seg.body);
    let several: Vec<Var> = seg.space.iter().filter(|(_, n)| *n != Dim::Const(1)).map(|(i, _)| i.var).collect();
    let own = |places: &Vec<Vec<SubExp>>| {
        let way = |place: &Vec<SubExp>| place.iter().map(|e| updates.follows(&all, *e)).collect();
        let ways: Vec<Way> = places.iter().map(way).collect();
        let tells = |way: &Way, index: &Var| way.iter().flatten().any(|f| f.index == *index && f.zeros() <= 16);
        let apart = |a: &Way, b: &Way| {
            a == b || a.iter().zip(b).any(|(a, b)| matches!((a, b), (Some(a), Some(b)) if a.never(b)))
        };
        let covers = |way: &Way| several.iter().all(|index| tells(way, index));
        ways.iter().all(covers) && ways.iter().enumerate().all(|(k, a)| ways[..k].iter().all(|b| apart(a, b)))
    };
    updates.places.iter().filter(|(_, places)| own(places)).map(|(id, _)| *id).collect()
}

impl Updates<'_> {
    /// How an operand follows from an index of the nest.
    fn follows(&self, indices: &[Var], e: SubExp) -> Option<Follows> {
        let var = e.as_var()?;
        if indices.contains(&var) {
            return Some(Follows { index: var, factor: 1, terms: vec![], constant: 0 });
        }
        let fixed = |e: SubExp| e.as_var().is_none_or(|v| self.fixed.contains(&v));
        let int = |op| Prim::Bin(op, ScalarType::I64);
        match self.bound.get(&var)? {
            Ir::SubExp(e) => self.follows(indices, *e),
            Ir::Prim(prim, args) => match (<[SubExp; 2]>::try_from(&args[..]), *prim) {
                (Ok([a, b]), op) if op == int(BinOp::Add) && fixed(b) => Some(self.follows(indices, a)?.plus(false, b)),
                (Ok([a, b]), op) if op == int(BinOp::Add) && fixed(a) => Some(self.follows(indices, b)?.plus(false, a)),
                (Ok([a, b]), op) if op == int(BinOp::Sub) && fixed(b) => Some(self.follows(indices, a)?.plus(true, b)),
                (Ok([a, b]), op) if op == int(BinOp::Sub) && fixed(a) => {
                    Some(self.follows(indices, b)?.negated().plus(false, a))
                }
                (Ok([a, SubExp::Lit(Scalar::I64(by))] | [SubExp::Lit(Scalar::I64(by)), a]), op)
                    if op == int(BinOp::Mul) =>
                {
                    self.follows(indices, a)?.times(by)
                }
                _ => None,
            },
            Ir::Index { array, indices: at } => match (self.bound.get(array)?, &at[..]) {
                (Ir::Iota { start, step: SubExp::Lit(Scalar::I64(step)), .. }, [i]) if fixed(*start) => {
                    Some(self.follows(indices, *i)?.times(*step)?.plus(false, *start))
                }
                _ => None,
            },
            _ => None,
        }
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
        let text = format!(
            r#"futi-ir 1
            entry "main"(*d_0: [64]f64, n_1: i64, k_2: i64) -> (*r_3: [64]f64)
              sig 0 ("d": ["64"]f64, "n": i64, "k": i64) -> ["64"]f64 {{
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
}
