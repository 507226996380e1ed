//! Places that are invertible functions of a nest's indices: what is updated there, and nowhere else twice, can be read back instead (digest 001, O8).

use super::{Nest, Rewrite};
use crate::ir::build::{Builder, map_exp};
use crate::ir::*;
use crate::prim::{BinOp, CmpOp, Prim, Scalar, ScalarType};

/// A place in a dimension: the index of a level, or the negative of it, and what is added.
pub struct Place {
    /// The level.
    pub level: usize,
    /// Its width.
    pub width: Dim,
    /// Whether the index is subtracted: from one of the terms, at least.
    negative: bool,
    /// What is added, or, if so marked, subtracted; none of it depends on the nest.
    terms: Vec<(bool, SubExp)>,
    /// Whether all that is taken modulo the size of the dimension, which is the width.
    modulo: bool,
}

impl Place {
    /// Whether it is the index of a level as wide as the dimension.
    pub fn is_index(&self, size: Dim) -> bool {
        self.terms.is_empty() && !self.modulo && self.width == size
    }

    /// The index that has this place.
    fn inverse(&self, b: &mut Builder, place: SubExp, size: Dim) -> SubExp {
        let undo = |at, (minus, term): &(bool, SubExp)| b.int(if *minus { BinOp::Add } else { BinOp::Sub }, at, *term);
        let mut at = self.terms.iter().fold(place, undo);
        if self.negative {
            at = b.int(BinOp::Sub, SubExp::i64(0), at);
        }
        if self.modulo { b.int(BinOp::Mod, at, size.into()) } else { at }
    }

    fn plus(mut self, minus: bool, term: SubExp) -> Self {
        self.terms.push((minus, term));
        self
    }

    fn negated(mut self) -> Self {
        self.negative = !self.negative;
        self.terms.iter_mut().for_each(|(minus, _)| *minus = !*minus);
        self
    }
}

impl Rewrite<'_> {
    /// The place that an index of an update in a nest is, in a dimension of this size, if it is in range.
    pub(super) fn place(&self, nest: &Nest, e: SubExp, size: Dim, is_known: &dyn Fn(Var) -> bool) -> Option<Place> {
        let place = self.any_place(nest, e, size, is_known)?;
        let in_range = match &place.terms[..] {
            _ if place.modulo => true,
            [] => place.width == size,
            [(false, last)] if place.negative => place.width == size && self.is_last(*last, size),
            _ => false,
        };
        (in_range || checked(nest, e, size)).then_some(place)
    }

    /// Whether it is the last index.
    fn is_last(&self, e: SubExp, size: Dim) -> bool {
        match (e, size) {
            (SubExp::Lit(k), Dim::Const(n)) => k == Scalar::I64(n - 1),
            (SubExp::Var(v), _) => self.known.lasts.get(&v) == Some(&size.into()),
            _ => false,
        }
    }

    /// Whether a number is far from where sums of it wrap around.
    fn is_small(&self, e: SubExp, size: Dim) -> bool {
        match e {
            // mutant negation: what is added to an index is an i64, which is always a whole number
            SubExp::Lit(k) => k.to_int().is_some_and(|k| k.unsigned_abs() < 1 << 31),
            SubExp::Var(v) => {
                let remainder = self.known.remainders.get(&v) == Some(&size.into());
                size == Dim::Var(v) || remainder || self.known.small.contains(&v)
            }
        }
    }

    fn any_place(&self, nest: &Nest, e: SubExp, size: Dim, is_known: &dyn Fn(Var) -> bool) -> Option<Place> {
        let piece = &nest.pieces[*nest.bound.get(&e.as_var()?)?];
        let is_free = |e: SubExp| e.as_var().is_none_or(|v| !nest.bound.contains_key(&v) && is_known(v));
        match &piece.stm.exp {
            Exp::Index { array, .. } if piece.row && self.known.iotas.contains(array) => {
                let level = piece.depth - 1;
                let width = nest.levels[level].0;
                let visible = !matches!(width, Dim::Var(v) if !is_known(v));
                visible.then_some(Place { level, width, negative: false, terms: Vec::new(), modulo: false })
            }
            Exp::Prim(Prim::Bin(op, ScalarType::I64), args) => {
                let of = |e| self.any_place(nest, e, size, is_known).filter(|p| !p.modulo);
                match op {
                    BinOp::Mod if args[1] == size.into() => {
                        let place = of(args[0]).filter(|p| p.width == size)?;
                        // what wraps around has another remainder
                        let fits = place.terms.iter().all(|(_, term)| self.is_small(*term, size));
                        fits.then_some(Place { modulo: true, ..place })
                    }
                    BinOp::Add if is_free(args[1]) => Some(of(args[0])?.plus(false, args[1])),
                    BinOp::Add if is_free(args[0]) => Some(of(args[1])?.plus(false, args[0])),
                    BinOp::Sub if is_free(args[1]) => Some(of(args[0])?.plus(true, args[1])),
                    BinOp::Sub if is_free(args[0]) => Some(of(args[1])?.negated().plus(false, args[0])),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether the update relies on a check that the index is in range.
fn checked(nest: &Nest, e: SubExp, size: Dim) -> bool {
    let mut certs = nest.update.certs.iter().filter_map(|c| nest.bound.get(c));
    certs.any(|k| match &nest.pieces[*k].stm.exp {
        Exp::Check(Check::Bounds { indices, sizes }) => indices.iter().zip(sizes).any(|(i, n)| (*i, *n) == (e, size)),
        _ => false,
    })
}

/// What an array becomes with the values of a nest combined into it, each at its places, one for each dimension of the array: every element looks for the one
/// that has come to it.
pub fn read_back(b: &mut Builder, array: Var, values: Var, places: &[Place], op: &Operator) -> Var {
    let shape = b.vars.ty(array).shape().to_vec();
    level(b, array, values, places, op, &shape, &[])
}

fn level(
    b: &mut Builder,
    array: Var,
    values: Var,
    places: &[Place],
    op: &Operator,
    shape: &[Dim],
    at: &[SubExp],
) -> Var {
    let size = shape[at.len()];
    let row = b.vars.ty(array).row();
    let position = b.vars.fresh("i", Type::I64);
    let param = b.vars.fresh("row", row.clone());
    let body = b.inner(|b| {
        let mut at = at.to_vec();
        at.push(position.var.into());
        vec![if at.len() < shape.len() {
            level(b, param.var, values, places, op, shape, &at).into()
        } else {
            element(b, param.var.into(), values, places, op, shape, &at)
        }]
    });
    let iota = b.iota(size);
    let map = Lambda { params: vec![position, param], ret: vec![row], body };
    b.let_one("values", map_exp(size, vec![iota, array], map))
}

/// The element there, and the value that has come to it, if any.
fn element(
    b: &mut Builder,
    old: SubExp,
    values: Var,
    places: &[Place],
    op: &Operator,
    shape: &[Dim],
    at: &[SubExp],
) -> SubExp {
    let mut indices = vec![SubExp::i64(0); places.len()];
    let mut found: Option<SubExp> = None;
    for ((place, at), size) in places.iter().zip(at).zip(shape) {
        let index = place.inverse(b, *at, *size);
        indices[place.level] = index;
        if place.modulo || place.is_index(*size) {
            continue;
        }
        let reaches = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[SubExp::i64(0), index]);
        let within = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[index, place.width.into()]);
        // mutant: both must hold, whichever is asked first
        for fine in [reaches, within] {
            found = Some(found.map_or(fine, |all| b.prim_op(Prim::Bin(BinOp::And, ScalarType::Bool), &[all, fine])));
        }
    }
    let combined = |b: &mut Builder| {
        let value = b.index(values, &indices).into();
        match op.lambda.as_prim() {
            Some(op) => b.prim_op(op, &[old, value]),
            None => value,
        }
    };
    match found {
        None => combined(b),
        Some(cond) => {
            let yes = b.inner(|b| vec![combined(b)]);
            b.let_one("element", Exp::If { cond, yes, no: Body { stms: Vec::new(), result: vec![old] } }).into()
        }
    }
}
