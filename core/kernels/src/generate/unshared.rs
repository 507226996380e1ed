//! Accumulators whose elements are each updated at one point of a nest at most: their updates need not be atomic.

use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::build::Vars;
use futi_core::ir::visit::{Visit, walk_stm};
use futi_core::ir::{BinOp, Dim, Exp as Ir, Prim, Scalar, ScalarType, SegOp, Stm, SubExp, Type, Var};

/// How a number follows from an index of a nest: other indices give other numbers.
#[derive(Clone, PartialEq, Debug)]
struct Follows {
    index: Var,
    steps: Vec<Step>,
}

/// A function of a number that gives different results for different numbers, whatever overflows.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    Add(SubExp),
    Sub(SubExp),
    /// Taken away from another number.
    From(SubExp),
}

/// What the statements of a nest bind, and where they update accumulators, by the identity of these.
struct Updates<'a> {
    vars: &'a Vars,
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
        // mutant: what has several results is not looked at
        stm.pat.iter().for_each(|pat| _ = self.bound.insert(pat.var, stm.exp.clone()));
        walk_stm(self, stm);
    }
}

/// The identities of the accumulators that no two points of a nest update at the same place: all updates' indices follow in the same way from all of the point's.
pub(super) fn unshared(seg: &SegOp, vars: &Vars) -> HashSet<Var> {
    let mut updates = Updates { vars, bound: HashMap::default(), places: HashMap::default() };
    updates.body(&seg.body);
    let indices: Vec<Var> =
        seg.space.iter().filter(|(_, dim)| *dim != Dim::Const(1)).map(|(index, _)| index.var).collect();
    let own = |places: &Vec<Vec<SubExp>>| {
        let mut ways = places.iter().map(|place| -> Vec<Option<Follows>> {
            place
                .iter()
                .map(|e| updates.follows(&seg.space.iter().map(|(i, _)| i.var).collect::<Vec<_>>(), *e))
                .collect()
        });
        let Some(first) = ways.next() else { return false };
        let all = indices.iter().all(|index| first.iter().flatten().any(|follows| follows.index == *index));
        all && ways.all(|way| way == first)
    };
    updates.places.iter().filter(|(_, places)| own(places)).map(|(id, _)| *id).collect()
}

impl Updates<'_> {
    /// How an operand follows from an index of the nest.
    fn follows(&self, indices: &[Var], e: SubExp) -> Option<Follows> {
        let var = e.as_var()?;
        if indices.contains(&var) {
            return Some(Follows { index: var, steps: vec![] });
        }
        let fixed = |e: &SubExp| e.as_var().is_none_or(|v| !self.bound.contains_key(&v) && !indices.contains(&v));
        let then = |e: SubExp, step: Step| {
            let mut follows = self.follows(indices, e)?;
            follows.steps.push(step);
            Some(follows)
        };
        match self.bound.get(&var)? {
            Ir::SubExp(e) => self.follows(indices, *e),
            Ir::Prim(Prim::Bin(BinOp::Add, ScalarType::I64), args) => match args[..] {
                [a, b] if fixed(&b) => then(a, Step::Add(b)),
                [a, b] if fixed(&a) => then(b, Step::Add(a)),
                _ => None,
            },
            Ir::Prim(Prim::Bin(BinOp::Sub, ScalarType::I64), args) => match args[..] {
                [a, b] if fixed(&b) => then(a, Step::Sub(b)),
                [a, b] if fixed(&a) => then(b, Step::From(a)),
                _ => None,
            },
            Ir::Index { array, indices: at } => match (self.bound.get(array)?, &at[..]) {
                (Ir::Iota { start, step: SubExp::Lit(Scalar::I64(1)), .. }, [i]) if fixed(start) => {
                    then(*i, Step::Add(*start))
                }
                (Ir::Iota { start, step: SubExp::Lit(Scalar::I64(-1)), .. }, [i]) if fixed(start) => {
                    then(*i, Step::From(*start))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
