//! Arrays that a loop updates in place without losing a value (Schenck et al. §6.2; digest 002_003 §1A.12): reverse mode need not keep them trip by trip, as
//! all that the trips have read is still in the array that the loop leaves.

// Note [Settled arrays]
// ~~~~~~~~~~~~~~~~~~~~~
// Say that a loop writes each element of an array at most once, and reads no element that it writes later (only true dependences). Then an element has, from the time
// that it is read, the value that it has in the end. So the return sweep executes trips again on the last array, for all of them, and does not repeat the writes: they
// would write what is there. (The paper has the array restored to what it was before the loop. That is wrong where trips read what trips have written.)
//
// That is proved of a nest of loops with one update in it: the index of each loop stands in a dimension of the update of its own, so that no two trips write the same
// element; and what is read is an element that an earlier trip writes, if any: it is less by a constant in the dimension of the outermost loop in which it differs at all.
// Where there is no proof, as with `#[true_dep]` claimed wrongly, the states are kept.

use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{Node, VisitMut, free_vars, walk_body_mut, walk_exp_mut};
use crate::ir::*;

/// A loop's parameter that is settled.
pub struct Settled {
    /// The array that the loop leaves.
    pub left: Var,
    /// The names of the array in the loop.
    pub names: HashSet<Var>,
}

/// The names of a loop's parameter from trip to trip, inner loops' among them, if it is settled: that of the parameter, of its updates, of parameters of inner
/// loops that it becomes, and of what these leave.
pub fn names(param: Var, exp: &Exp) -> Option<HashSet<Var>> {
    let Exp::Loop { params, form: LoopForm::For { index, .. }, body } = exp else { return None };
    let k = params.iter().position(|p| p.binder.var == param)?;
    let mut found = Found { loops: vec![index.var], names: HashSet::from_iter([param]), ..Found::default() };
    found.body(body)?;
    let SubExp::Var(last) = body.result[k] else { return None };
    // mutant off by one: an array that is updated does not become two parameters: the checker refuses it
    let others = (0..params.len()).filter(|other| *other != k).map(|other| body.result[other]);
    let shared = others.into_iter().any(|e| e.as_var().is_some_and(|v| found.names.contains(&v)));
    let write = found.write.as_ref()?;
    let fine = found.names.contains(&last) && !shared && found.reads.iter().all(|read| write.precedes(read));
    fine.then_some(found.names)
}

/// The statement without updates of settled arrays.
pub fn without_updates(stm: &mut Stm, settled: &HashSet<Var>) {
    struct Settle<'a>(&'a HashSet<Var>);
    impl Settle<'_> {
        fn settle(&self, stm: &mut Stm) {
            // mutant negation: an update has a result
            let is_settled = stm.pat.first().is_some_and(|p| self.0.contains(&p.var));
            match &mut stm.exp {
                Exp::Update { array, .. } | Exp::UpdateSlice { array, .. } if is_settled => {
                    stm.exp = Exp::SubExp((*array).into());
                }
                Exp::Loop { params, .. } => {
                    params.iter_mut().filter(|p| self.0.contains(&p.binder.var)).for_each(|p| p.unique = false);
                }
                _ => {}
            }
        }
    }
    impl VisitMut for Settle<'_> {
        fn body(&mut self, body: &mut Body) {
            body.stms.iter_mut().for_each(|stm| self.settle(stm));
            walk_body_mut(self, body);
        }
    }
    let mut settle = Settle(settled);
    settle.settle(stm);
    walk_exp_mut(&mut settle, &mut stm.exp);
}

/// An index: a variable and what is added to it.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    base: Option<Var>,
    plus: i64,
}

/// An element, or a part with these leading indices.
struct Access {
    places: Vec<Option<Place>>,
    /// The name by which the array is read.
    array: Var,
}

/// The update.
struct Write {
    places: Vec<Option<Place>>,
    /// The indices of the loops around it, the outermost first, and in which dimension each is.
    loops: Vec<(Var, usize)>,
    /// The array after it.
    after: Var,
}

impl Write {
    /// Whether what is read is not written by this trip, after that, or a later one.
    fn precedes(&self, read: &Access) -> bool {
        for (index, dim) in &self.loops {
            let (Some(Some(read)), Some(Some(write))) = (read.places.get(*dim), self.places.get(*dim)) else {
                return false;
            };
            if read.base != Some(*index) || read.plus > write.plus {
                return false;
            }
            if read.plus < write.plus {
                return true;
            }
        }
        // the same trip: only after it is written
        read.array == self.after
    }
}

#[derive(Default)]
struct Found {
    /// The indices of the loops around what is looked at.
    loops: Vec<Var>,
    names: HashSet<Var>,
    /// What variables are, as far as they are places.
    places: HashMap<Var, Place>,
    write: Option<Write>,
    reads: Vec<Access>,
}

impl Found {
    /// Finds what a body does to the array; none if it is not known.
    fn body(&mut self, body: &Body) -> Option<()> {
        body.stms.iter().try_for_each(|stm| self.stm(stm))
    }

    fn stm(&mut self, stm: &Stm) -> Option<()> {
        match &stm.exp {
            Exp::Update { array, indices, value } if self.names.contains(array) && !self.mentions(value) => {
                let places = indices.iter().map(|e| self.place(*e)).collect();
                self.written(places, stm.pat[0].var)
            }
            Exp::UpdateSlice { array, slice, value } if self.names.contains(array) => {
                let places = self.fixed(slice);
                self.written(places, stm.pat[0].var)
            }
            Exp::Index { array, indices } if self.names.contains(array) => {
                let places = indices.iter().map(|e| self.place(*e)).collect();
                self.reads.push(Access { places, array: *array });
                Some(())
            }
            Exp::Slice { array, slice } if self.names.contains(array) => {
                let places = self.fixed(slice);
                self.reads.push(Access { places, array: *array });
                Some(())
            }
            Exp::Loop { params, form: LoopForm::For { index, .. }, body } => {
                let carried = |p: &LoopParam| p.init.as_var().is_some_and(|v| self.names.contains(&v));
                let carried: Vec<usize> = (0..params.len()).filter(|k| carried(&params[*k])).collect();
                self.names.extend(carried.iter().map(|k| params[*k].binder.var));
                self.loops.push(index.var);
                self.body(body)?;
                self.loops.pop();
                for (k, e) in body.result.iter().enumerate() {
                    match (carried.contains(&k), e.as_var().is_some_and(|v| self.names.contains(&v))) {
                        (true, true) => _ = self.names.insert(stm.pat[k].var),
                        (false, false) => {}
                        _ => return None,
                    }
                }
                Some(())
            }
            Exp::If { yes, no, .. } => {
                self.body(yes)?;
                self.body(no)?;
                for (k, (yes, no)) in yes.result.iter().zip(&no.result).enumerate() {
                    match (self.mentions(yes), self.mentions(no)) {
                        (true, true) => _ = self.names.insert(stm.pat[k].var),
                        (false, false) => {}
                        _ => return None,
                    }
                }
                Some(())
            }
            Exp::Screma(s) if !s.arrays.iter().any(|a| self.names.contains(a)) => {
                // inside it can only be read
                let neutral = s.scans.iter().chain(&s.reduces).flat_map(|op| &op.neutral);
                if neutral.into_iter().any(|e| self.mentions(e)) {
                    return None;
                }
                let lambdas = std::iter::once(&s.map).chain(s.scans.iter().chain(&s.reduces).map(|op| &op.lambda));
                for lambda in lambdas.chain(&s.post) {
                    self.body(&lambda.body)?;
                    if lambda.body.result.iter().any(|e| self.mentions(e)) {
                        return None;
                    }
                }
                Some(())
            }
            exp => {
                if let (Some(place), [p]) = (self.defined(exp), &stm.pat[..]) {
                    self.places.insert(p.var, place);
                }
                (!self.uses(exp)).then_some(())
            }
        }
    }

    fn uses(&self, node: &dyn Node) -> bool {
        free_vars(node).iter().any(|v| self.names.contains(v))
    }

    fn mentions(&self, e: &SubExp) -> bool {
        e.as_var().is_some_and(|v| self.names.contains(&v))
    }

    /// An update, which must be the only one, of the array as it comes into the trip.
    fn written(&mut self, places: Vec<Option<Place>>, after: Var) -> Option<()> {
        let dim = |index: &Var| places.iter().position(|p| p.is_some_and(|p| p.base == Some(*index)));
        let loops: Vec<(Var, usize)> =
            self.loops.iter().map(|index| Some((*index, dim(index)?))).collect::<Option<_>>()?;
        self.names.insert(after);
        let first = self.write.is_none();
        self.write = Some(Write { places, loops, after });
        first.then_some(())
    }

    /// The leading dimensions of a slice that are fixed.
    fn fixed(&self, slice: &[SliceDim]) -> Vec<Option<Place>> {
        let fixed = |d: &SliceDim| if let SliceDim::Fix(i) = d { self.place(*i) } else { None };
        slice.iter().map(fixed).collect()
    }

    fn place(&self, e: SubExp) -> Option<Place> {
        match e {
            SubExp::Lit(n) => Some(Place { base: None, plus: i64::try_from(n.to_int()?).ok()? }),
            SubExp::Var(v) => Some(self.places.get(&v).copied().unwrap_or(Place { base: Some(v), plus: 0 })),
        }
    }

    /// What an expression is as a place. Where a sum of an index and a constant as small as here wraps, it is negative, and no index.
    fn defined(&self, exp: &Exp) -> Option<Place> {
        let signed = |t: &ScalarType| matches!(t, ScalarType::I32 | ScalarType::I64);
        let sum = |x: Place, y: Place| {
            let (place, plus) = if y.base.is_none() { (x, y.plus) } else { (y, x.plus) };
            let constant = x.base.is_none() || y.base.is_none();
            // mutant comparison: there is room to 2^31
            let plus = place.plus.checked_add(plus).filter(|n| n.unsigned_abs() < 1 << 30)?;
            constant.then_some(Place { plus, ..place })
        };
        match exp {
            Exp::SubExp(e) => self.place(*e),
            Exp::Prim(Prim::Conv(ScalarType::I32, ScalarType::I64), args) => self.place(args[0]),
            Exp::Prim(Prim::Bin(BinOp::Add, t), args) if signed(t) => sum(self.place(args[0])?, self.place(args[1])?),
            Exp::Prim(Prim::Bin(BinOp::Sub, t), args) if signed(t) => {
                let y = self.place(args[1]).filter(|y| y.base.is_none())?;
                sum(self.place(args[0])?, Place { plus: y.plus.checked_neg()?, ..y })
            }
            _ => None,
        }
    }
}
