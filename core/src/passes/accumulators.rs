//! Accumulators back to reductions and plain stores (Schenck et al. §6.1; digest 002 §1A.19, rows O1 and O2).
//!
//! Reverse mode adds every contribution to an array's adjoint where it arises, at the bottom of a nest of maps. In the adjoint of a matrix product,
//!
//! ```text
//! map (\i -> map (\j -> map (\k -> updacc as_adj[i, k] (bs[k, j] * cs_adj[i, j]) ; …) ..) ..) ..
//! ```
//!
//! the index does not depend on j: what all j contribute to an element is reduced first, and added once, in a nest of its own. There every element is
//! updated once, at the index of the nest itself: the accumulator is not needed, the nest returns the elements. So it is where an element is updated once at another
//! place, if that can be told from its index: see `places`.

// Note [What splitting a nest costs]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The new nest repeats what the update's value is computed from. What else in the old nest needs the same is computed twice. So an update moves only if
// fewer than two reads are then made twice (O2), and nothing that costs more than a scalar operator. Nor does a level that moves inwards take work
// with it: what stands outside of the innermost level, and is neither a view nor a scalar, stays where it is executed less often.

// Note [Where nothing runs]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// Where a level that has moved inwards has no elements, the levels around it run all the same. So of the old nest's statements, those inside of such a level
// stand outside of it in the new nest only if they are total; and those that are not stay inside of each other level that was around them. The update itself
// then adds the neutral element.

mod places;

use super::fuse::fuse;
use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, Vars, map_exp};
use crate::ir::rename::renamed;
use crate::ir::visit::{Visit, VisitMut, free_vars, substitute, walk_exp, walk_exp_mut};
use crate::ir::*;
use crate::prim::{BinOp, Prim};
use crate::simplify::simplify;
use places::{Place, read_back};
use std::collections::BTreeSet;

/// Turns updates of accumulators into reductions, and accumulators into arrays that nests return, where it can; what is left is fused and simplified.
pub fn accumulators(mut program: Program, analyses: &mut Analyses) -> Program {
    loop {
        let mut known = Known::default();
        program.funs.iter().for_each(|f| known.body(&f.body));
        let (consumable, mut vars) = (analyses.consumable(&program), analyses.vars(&program));
        let mut changed = false;
        for fun in &mut program.funs {
            let mut rewrite = Rewrite { consumable: &consumable, known: &known, vars: &mut vars, changed: false };
            rewrite.body(&mut fun.body);
            changed |= rewrite.changed;
        }
        if !changed {
            analyses.unchanged(vars);
            return program;
        }
        analyses.changed();
        for pass in [simplify, fuse, simplify] {
            program = pass(program, analyses);
        }
    }
}

/// Variables of which it is known what they are.
#[derive(Default)]
struct Known {
    /// The arrays `0, 1, …`.
    iotas: HashSet<Var>,
    /// Arrays that have just been filled.
    filled: HashSet<Var>,
    /// Numbers less by one than these.
    lasts: HashMap<Var, SubExp>,
    /// Numbers of 32 bits.
    small: HashSet<Var>,
    /// Remainders of divisions by these.
    remainders: HashMap<Var, SubExp>,
}

impl Visit for Known {
    fn stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Iota { start, step, elem: ScalarType::I64, .. }
                if (*start, *step) == (SubExp::i64(0), SubExp::i64(1)) =>
            {
                self.iotas.insert(stm.pat[0].var);
            }
            Exp::Replicate { .. } | Exp::Scratch { .. } => self.filled.extend(stm.pat.iter().map(|p| p.var)),
            Exp::Prim(Prim::Bin(BinOp::Sub, ScalarType::I64), args) if args[1] == SubExp::i64(1) => {
                self.lasts.insert(stm.pat[0].var, args[0]);
            }
            Exp::Prim(Prim::Conv(ScalarType::I32 | ScalarType::I16 | ScalarType::I8, ScalarType::I64), _) => {
                self.small.insert(stm.pat[0].var);
            }
            Exp::Prim(Prim::Bin(BinOp::Mod | BinOp::Rem, ScalarType::I64), args) => {
                self.remainders.insert(stm.pat[0].var, args[1]);
            }
            _ => {}
        }
        walk_exp(self, &stm.exp);
    }
}

struct Rewrite<'a> {
    consumable: &'a Consumable,
    known: &'a Known,
    vars: &'a mut Vars,
    changed: bool,
}

impl VisitMut for Rewrite<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in body.take_stms() {
            walk_exp_mut(self, &mut stm.exp);
            let after = self.withacc(&mut stm);
            body.stms.push(stm);
            body.stms.extend(after);
        }
    }
}

/// The way from the body of a `withacc` to an update: the maps on it, then the update, by their positions in the bodies.
struct Path {
    maps: Vec<usize>,
    update: usize,
}

/// The ways to the updates of an accumulator, of those that are reached through maps alone, in order.
fn paths(body: &Body, acc: Var) -> Vec<Path> {
    fn go(body: &Body, mut acc: Var, maps: &[usize], out: &mut Vec<Path>) -> Option<Var> {
        for (k, stm) in body.stms.iter().enumerate() {
            match &stm.exp {
                Exp::UpdAcc { acc: a, .. } if *a == acc => {
                    out.push(Path { maps: maps.to_vec(), update: k });
                    acc = stm.pat[0].var;
                }
                Exp::Screma(s) if s.arrays.contains(&acc) && s.post.is_none() => {
                    let param = s.map.params.iter().zip(&s.arrays).find(|(_, a)| **a == acc)?.0;
                    let last = go(&s.map.body, param.var, &[maps, &[k]].concat(), out)?;
                    acc = stm.pat[result_of(s, last)?].var;
                }
                exp if free_vars(exp).contains(&acc) => return None,
                _ => {}
            }
        }
        Some(acc)
    }
    let mut out = Vec::new();
    go(body, acc, &[], &mut out);
    out
}

/// Which of a map's results the variable is.
fn result_of(s: &Screma, v: Var) -> Option<usize> {
    s.map.body.result.iter().position(|e| *e == SubExp::Var(v))
}

fn map_at(body: &Body, at: usize) -> Option<&Screma> {
    if let Exp::Screma(s) = &body.stms[at].exp { Some(s) } else { None }
}

/// A set of levels of a nest, the outermost one's bit the lowest.
type Levels = u64;

/// A nest of maps around an update.
struct Nest {
    /// Each level's width, and a variable for its index.
    levels: Vec<(Dim, Binder)>,
    /// The rows that the levels' parameters are, and the statements before the next level or the update, in order.
    pieces: Vec<Piece>,
    /// Which piece binds a variable.
    bound: HashMap<Var, usize>,
    update: Stm,
}

/// A statement of a nest, or the read of a row.
struct Piece {
    stm: Stm,
    /// How many levels there are around it.
    depth: usize,
    /// Whether it is a row that a parameter is.
    row: bool,
    /// What levels' indices it depends on.
    on: Levels,
    /// The pieces that it uses.
    uses: Vec<usize>,
}

impl Piece {
    /// Whether it takes no longer than a scalar operator.
    fn is_cheap(&self) -> bool {
        use Exp::*;
        let exp = &self.stm.exp;
        let view = matches!(exp, Slice { .. } | Rearrange { .. } | Reshape { .. } | Coerce { .. } | FlatIndex { .. });
        // nothing is left of these where an element is read
        let known = matches!(exp, Iota { .. } | Replicate { .. });
        view || known || matches!(exp, Prim(..) | SubExp(_) | Index { .. } | Check(_))
    }

    /// Whether it can be executed where the nest, of these levels, is not: see Note [Where nothing runs].
    fn is_total(&self, levels: &[(Dim, Binder)]) -> bool {
        let total = match &self.stm.exp {
            Exp::Prim(..) | Exp::SubExp(_) | Exp::Rearrange { .. } => true,
            Exp::Iota { n, .. } => levels.iter().any(|(width, _)| SubExp::from(*width) == *n),
            _ => false,
        };
        total && self.stm.certs.is_empty()
    }
}

impl Nest {
    fn new(body: &Body, path: &Path, vars: &mut Vars) -> Option<Nest> {
        let (mut levels, mut pieces, mut bound) = (Vec::new(), Vec::<Piece>::new(), HashMap::<Var, usize>::default());
        let mut add = |stm: Stm, depth: usize, row: Option<usize>| {
            let uses: Vec<usize> = free_vars(&stm).iter().filter_map(|v| bound.get(v).copied()).collect();
            let on = uses.iter().map(|k| pieces[*k].on).fold(row.map_or(0, |k| 1 << k), |a, b| a | b);
            bound.extend(stm.pat.iter().map(|b| (b.var, pieces.len())));
            pieces.push(Piece { stm, depth, row: row.is_some(), on, uses });
        };
        let (mut scope, mut certs) = (body, Vec::<Var>::new());
        for (k, at) in path.maps.iter().enumerate() {
            let (map, prov) = (map_at(scope, *at)?, scope.stms[*at].prov);
            certs.extend(&scope.stms[*at].certs);
            let index = vars.fresh("i", Type::I64);
            for (array, p) in map.arrays.iter().zip(&map.map.params).filter(|(_, p)| p.ty.elem().is_some()) {
                let exp = Exp::Index { array: *array, indices: vec![index.var.into()] };
                let row = Stm { pat: vec![p.clone()], exp, certs: Vec::new(), attrs: Vec::new(), prov };
                add(row, k + 1, Some(k));
            }
            levels.push((map.width, index));
            scope = &map.map.body;
            let next = path.maps.get(k + 1).copied().unwrap_or(path.update);
            scope.stms[..next].iter().for_each(|stm| add(stm.clone(), k + 1, None));
        }
        let regular = |(width, _): &(Dim, Binder)| !matches!(width, Dim::Var(v) if bound.contains_key(v));
        let fits = !levels.is_empty() && levels.len() < Levels::BITS as usize && levels.iter().all(regular);
        let mut update = scope.stms[path.update].clone();
        // the update relies on what the maps around it rely on
        update.certs.extend(certs);
        update.certs.sort_unstable();
        update.certs.dedup();
        fits.then_some(Nest { levels, pieces, bound, update })
    }

    /// The pieces that these variables are computed from, in order.
    fn needed(&self, vars: impl Iterator<Item = Var>) -> BTreeSet<usize> {
        let mut needed: BTreeSet<usize> = vars.filter_map(|v| self.bound.get(&v).copied()).collect();
        for k in (0..self.pieces.len()).rev() {
            if needed.contains(&k) {
                needed.extend(&self.pieces[k].uses);
            }
        }
        needed
    }

    fn on(&self, e: &SubExp) -> Levels {
        e.as_var().and_then(|v| self.bound.get(&v)).map_or(0, |k| self.pieces[*k].on)
    }

    /// Of an update with one value, the indices and that value.
    fn indices_and_value(&self) -> Option<(&[SubExp], SubExp)> {
        match &self.update.exp {
            Exp::UpdAcc { indices, values, .. } => Some((indices, *values.first()?)),
            _ => None,
        }
    }
}

/// How the nest of an update becomes one in which what many indices contribute to an element is reduced.
struct Split {
    nest: Nest,
    /// The levels that the update's index depends on, outermost first.
    kept: Vec<usize>,
    /// The others, over which is reduced.
    reduced: Vec<usize>,
    /// The pieces that the new nest has, in order, each with the number of kept levels around it, or none if it is inside of all.
    pieces: Vec<(usize, Option<usize>)>,
}

impl Rewrite<'_> {
    /// Does what can be done for the accumulators of a `withacc`. What is to follow the statement is returned.
    fn withacc(&mut self, stm: &mut Stm) -> Vec<Stm> {
        let mut after = Vec::new();
        let Exp::WithAcc(w) = &mut stm.exp else { return after };
        let n = w.inputs.len();
        let mut split = false;
        for k in 0..n {
            let Some(elem) = scalar_input(&w.inputs[k]) else { continue };
            let acc = w.lambda.params[n + k].var;
            while let Some((at, found)) = self.find(&w.lambda.body, acc) {
                self.reduce(&mut w.lambda.body, &at, found, &w.inputs[k].op, elem);
                split = true;
            }
        }
        // what has been split is simplified first
        if !split {
            let mut first = 0;
            for k in 0..n {
                let Exp::WithAcc(w) = &mut stm.exp else { continue };
                let out = first;
                first += w.inputs[k].arrays.len();
                let Some(elem) = scalar_input(&w.inputs[k]) else { continue };
                let (input, acc) = (w.inputs[k].clone(), w.lambda.params[n + k].var);
                if let Some(stored) = self.store(&mut w.lambda, acc, elem, &input) {
                    after.extend(self.combined(stm, out, stored, &input));
                }
            }
        }
        self.changed |= split || !after.is_empty();
        after
    }

    /// The first update of the accumulator that can be split off.
    fn find(&mut self, body: &Body, acc: Var) -> Option<(Path, Split)> {
        paths(body, acc).into_iter().find_map(|path| self.split(body, &path).map(|split| (path, split)))
    }

    fn split(&mut self, body: &Body, path: &Path) -> Option<Split> {
        let nest = Nest::new(body, path, self.vars)?;
        let (indices, value) = nest.indices_and_value()?;
        let index_on = indices.iter().map(|e| nest.on(e)).fold(0, |a, b| a | b);
        let (mut kept, reduced): (Vec<usize>, Vec<usize>) =
            (0..nest.levels.len()).partition(|k| index_on & (1 << k) != 0);
        if reduced.is_empty() {
            return None;
        }
        // as the elements lie in the array, if it can be seen
        kept.sort_by_key(|k| indices.iter().position(|e| nest.on(e) & (1 << k) != 0));
        let certs = nest.update.certs.iter().copied();
        let of_value = nest.needed(value.as_var().into_iter().chain(certs));
        let of_index = nest.needed(indices.iter().filter_map(|e| e.as_var()));
        let needed = &of_value | &of_index;

        let mut places: HashMap<usize, Option<usize>> = HashMap::default();
        for k in &needed {
            let piece = &nest.pieces[*k];
            let makes_accs = piece.stm.pat.iter().any(|b| matches!(b.ty, Type::Acc(_)));
            if makes_accs || (!piece.is_cheap() && piece.depth < nest.levels.len()) {
                return None;
            }
            let inside = reduced.iter().any(|level| *level < piece.depth);
            let anywhere = piece.row || piece.is_total(&nest.levels);
            let outer = piece.on & !index_on == 0 && (anywhere || !inside) && !kept.is_empty();
            let mut around = piece.uses.iter().map(|k| places.get(k).copied().flatten());
            let within: Levels = if anywhere { piece.on } else { (1 << piece.depth) - 1 };
            let place = (0..kept.len()).rfind(|q| within & (1 << kept[*q]) != 0).map_or(1, |q| q + 1);
            let place = around.try_fold(place, |place, p| Some(place.max(p?)));
            places.insert(*k, place.filter(|_| outer));
        }
        if of_index.iter().any(|k| places[k].is_none()) || !self.is_worth_it(body, path, &nest, &needed) {
            return None;
        }
        let pieces = needed.into_iter().map(|k| (k, places[&k])).collect();
        Some(Split { nest, kept, reduced, pieces })
    }

    /// See Note [What splitting a nest costs]; and nothing that the new nest reads may have been consumed by the old one.
    fn is_worth_it(&self, body: &Body, path: &Path, nest: &Nest, needed: &BTreeSet<usize>) -> bool {
        let top = &body.stms[path.maps[0]];
        let read: Vec<Var> = needed.iter().flat_map(|k| free_vars(&nest.pieces[*k].stm)).collect();
        if self.consumable.consumes_any(top, &read) {
            return false;
        }
        let mut rest = body.clone();
        without_update(&mut rest, path);
        let mut live = Live(HashSet::default());
        live.stm(&rest.stms[path.maps[0]], &|_| true);
        let twice =
            needed.iter().map(|k| &nest.pieces[*k]).filter(|p| p.stm.pat.iter().any(|b| live.0.contains(&b.var)));
        let mut reads = 0;
        for piece in twice {
            if !piece.is_cheap() {
                return false;
            }
            if let Exp::Index { array, .. } = &piece.stm.exp
                && piece.stm.pat[0].ty.rank() == 0
                && !self.known.iotas.contains(array)
            {
                reads += 1;
            }
        }
        reads < 2
    }

    /// Takes the update out of the nest, and puts one with a reduction behind the nest.
    fn reduce(&mut self, body: &mut Body, path: &Path, split: Split, op: &Operator, elem: ScalarType) {
        let top = path.maps[0];
        without_update(body, path);
        let stm = &body.stms[top];
        let Exp::Screma(_) = &stm.exp else { return };
        let Exp::UpdAcc { acc, .. } = &split.nest.update.exp else { return };
        let Type::Acc(of) = self.vars.ty(*acc).clone() else { return };
        let Some(before) = stm.pat.iter().find(|b| matches!(&b.ty, Type::Acc(ty) if ty.id == of.id)).cloned() else {
            return;
        };
        let mut b = Builder::new(self.vars, split.nest.update.prov);
        let last = split.kept_levels(&mut b, 0, before.var, op, elem);
        let new = Body { stms: b.stms, result: vec![last.into()] };
        let new = renamed(&new, self.vars);
        let subst = HashMap::from_iter([(before.var, new.result[0])]);
        body.stms[top + 1..].iter_mut().for_each(|stm| substitute(stm, &subst));
        body.result.iter_mut().for_each(|e| substitute(e, &subst));
        body.stms.splice(top + 1..top + 1, new.stms);
    }

    /// If no element of the accumulator is updated by two indices of a nest, and it can be told which, that nest returns the values.
    fn store(&mut self, lambda: &mut Lambda, acc: Var, elem: ScalarType, input: &AccInput) -> Option<Stored> {
        let inside: HashSet<Var> = lambda.body.stms.iter().flat_map(|stm| &stm.pat).map(|p| p.var).collect();
        let (path, nest, places) = paths(&lambda.body, acc).into_iter().find_map(|path| {
            let nest = Nest::new(&lambda.body, &path, self.vars)?;
            let (indices, _) = nest.indices_and_value()?;
            let place = |(e, n): (&SubExp, &Dim)| self.place(&nest, *e, *n, &|v| !inside.contains(&v));
            let places: Vec<Place> = indices.iter().zip(&input.shape).map(place).collect::<Option<_>>()?;
            // to look at all elements costs no more than to update them, or than to fill the array has
            let all = places.iter().zip(&input.shape).all(|(place, n)| place.width == *n);
            // mutant swap `input.arrays.iter().all(|v| self.known.filled.contains(v))`: of scalars there is one array
            if !all && !input.arrays.iter().all(|v| self.known.filled.contains(v)) {
                return None;
            }
            let at = |k: usize| places.iter().any(|p| p.level == k);
            let each_once = places.len() == nest.levels.len() && (0..places.len()).all(at);
            each_once.then_some((path, nest, places))
        })?;
        let widths: Vec<Dim> = nest.levels.iter().map(|(width, _)| *width).collect();
        let (_, value) = nest.indices_and_value()?;
        without_update(&mut lambda.body, &path);
        let array = self.returned(&mut lambda.body, &path.maps, &path, &nest, value, elem, &widths);
        lambda.body.result.push(array.into());
        let ty = Type::Array(elem, widths);
        lambda.ret.push(ty.clone());
        Some(Stored { ty, places })
    }

    /// Makes the maps of a nest return what the update had for a value.
    #[expect(
        clippy::too_many_arguments,
        reason = "what stays the same on the way in, and the body and maps that are left"
    )]
    fn returned(
        &mut self,
        body: &mut Body,
        maps: &[usize],
        path: &Path,
        nest: &Nest,
        value: SubExp,
        elem: ScalarType,
        widths: &[Dim],
    ) -> Var {
        let Some((at, inner)) = maps.split_first() else {
            let out = self.vars.fresh("value", elem.into());
            let var = out.var;
            let (certs, prov) = (nest.update.certs.clone(), nest.update.prov);
            let stm = Stm { pat: vec![out], exp: Exp::SubExp(value), certs, attrs: Vec::new(), prov };
            body.stms.insert(path.update, stm);
            return var;
        };
        let stm = &mut body.stms[*at];
        if let Exp::Screma(s) = &mut stm.exp {
            let row = self.returned(&mut s.map.body, inner, path, nest, value, elem, &widths[1..]);
            s.map.body.result.push(row.into());
            s.map.ret.push(self.vars.ty(row).clone());
        }
        let out = self.vars.fresh("values", Type::Array(elem, widths.to_vec()));
        let var = out.var;
        stm.pat.push(out);
        var
    }

    /// The statements that combine what a nest returns with what the accumulator has become, for the `out`th result.
    fn combined(&mut self, stm: &mut Stm, out: usize, stored: Stored, input: &AccInput) -> Vec<Stm> {
        let values = self.vars.fresh("values", stored.ty);
        stm.pat.push(values.clone());
        let whole = stm.pat[out].clone();
        let rest = self.vars.fresh(whole.name.clone(), whole.ty.clone());
        stm.pat[out] = rest.clone();
        let mut b = Builder::new(self.vars, stm.prov);
        if !stored.places.iter().zip(&input.shape).all(|(place, size)| place.is_index(*size)) {
            let array = read_back(&mut b, rest.var, values.var, &stored.places, &input.op);
            b.bind(vec![whole], Exp::SubExp(array.into()));
            return b.stms;
        }
        let perm: Vec<usize> = stored.places.iter().map(|p| p.level).collect();
        let values = match perm.is_sorted() {
            true => values.var,
            false => b.let_one("values", Exp::Rearrange { perm, array: values.var }),
        };
        if let Some(op) = input.op.lambda.as_prim() {
            let sum = b.elementwise("sum", op, rest.var.into(), values.into());
            b.bind(vec![whole], Exp::SubExp(sum));
        }
        b.stms
    }
}

/// What a nest returns for an accumulator.
struct Stored {
    ty: Type,
    /// Where its elements go, one for each dimension of the array.
    places: Vec<Place>,
}

/// The scalar type of an input with one array, whose elements are combined by a scalar operator.
fn scalar_input(input: &AccInput) -> Option<ScalarType> {
    let op = input.op.lambda.as_prim();
    let [Type::Scalar(elem)] = &input.op.lambda.ret[..] else { return None };
    (op.is_some() && input.arrays.len() == 1).then_some(*elem)
}

/// Takes the update at the end of a path out.
fn without_update(body: &mut Body, path: &Path) {
    let mut scope = body;
    for at in &path.maps {
        let Exp::Screma(s) = &mut scope.stms[*at].exp else { return };
        scope = &mut s.map.body;
    }
    let update = scope.stms.remove(path.update);
    if let Exp::UpdAcc { acc, .. } = update.exp {
        let subst = HashMap::from_iter([(update.pat[0].var, SubExp::Var(acc))]);
        substitute(scope, &subst);
    }
}

/// What a nest of maps needs for some of its results.
struct Live(HashSet<Var>);

impl Live {
    fn stm(&mut self, stm: &Stm, is_wanted: &dyn Fn(&Binder) -> bool) {
        let Exp::Screma(s) = &stm.exp else {
            self.0.extend(free_vars(stm));
            return;
        };
        let results = stm.pat.iter().zip(&s.map.body.result);
        let wanted = results.filter(|(b, _)| s.post.is_some() || is_wanted(b)).filter_map(|(_, e)| e.as_var());
        self.0.extend(wanted);
        let operators = s.scans.iter().chain(&s.reduces).map(|op| &op.lambda).chain(&s.post);
        operators.for_each(|l| self.0.extend(free_vars(l)));
        self.0.extend(&stm.certs);
        for stm in s.map.body.stms.iter().rev() {
            let live: Vec<Var> = stm.pat.iter().map(|b| b.var).filter(|v| self.0.contains(v)).collect();
            if !live.is_empty() {
                self.stm(stm, &|b| live.contains(&b.var));
            }
        }
        for (array, p) in s.arrays.iter().zip(&s.map.params) {
            if self.0.contains(&p.var) {
                self.0.insert(*array);
            }
        }
    }
}

impl Split {
    /// The nest from the kept level q inwards: what the accumulator has become.
    fn kept_levels(&self, b: &mut Builder, q: usize, acc: Var, op: &Operator, elem: ScalarType) -> Var {
        let pieces = self.pieces.iter().filter(|(_, place)| q > 0 && *place == Some(q));
        pieces.for_each(|(k, _)| b.push(self.nest.pieces[*k].stm.clone()));
        let Some(level) = self.kept.get(q) else {
            let Some((indices, value)) = self.nest.indices_and_value() else { return acc };
            let value = self.reduced_levels(b, &self.reduced, value, op, elem);
            return b.let_one("acc", Exp::UpdAcc { acc, indices: indices.to_vec(), values: vec![value] });
        };
        let (width, index) = self.nest.levels[*level].clone();
        let ty = b.vars.ty(acc).clone();
        let iota = b.iota(width);
        let param = b.vars.fresh("acc", ty.clone());
        let body = b.inner(|b| vec![self.kept_levels(b, q + 1, param.var, op, elem).into()]);
        let map = Lambda { params: vec![param, index], ret: vec![ty], body };
        b.let_one("acc", map_exp(width, vec![acc, iota], map))
    }

    /// The reduction of the values over these levels.
    fn reduced_levels(
        &self,
        b: &mut Builder,
        levels: &[usize],
        value: SubExp,
        op: &Operator,
        elem: ScalarType,
    ) -> SubExp {
        let Some((level, inner)) = levels.split_first() else {
            let pieces = self.pieces.iter().filter(|(_, place)| place.is_none());
            pieces.for_each(|(k, _)| b.push(self.nest.pieces[*k].stm.clone()));
            let certs = self.nest.update.certs.clone();
            return b.under(certs, |b| b.let_one("value", Exp::SubExp(value))).into();
        };
        let (width, index) = self.nest.levels[*level].clone();
        let iota = b.iota(width);
        let body = b.inner(|b| vec![self.reduced_levels(b, inner, value, op, elem)]);
        let map = Lambda { params: vec![index], ret: vec![elem.into()], body };
        let op = Operator { lambda: renamed(&op.lambda, b.vars), ..op.clone() };
        let (arrays, scans, reduces) = (vec![iota], Vec::new(), vec![op]);
        b.let_one("sum", Exp::from(Screma { width, arrays, map, scans, reduces, post: None })).into()
    }
}

#[cfg(test)]
mod tests;
