//! Associative operators with their neutral elements, true ones.

use super::maker::{Maker, each};
use super::scope::{Scope, Val};
use futi_core::ir::build::{Builder, map_exp};
use futi_core::ir::*;

/// An operator, what its operands have to be, and how large its results can be.
#[derive(Clone)]
pub(super) struct Reduction {
    pub(super) op: Operator,
    pub(super) types: Vec<Type>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// `x + y`, on scalars or rows.
    Sum,
    /// `x * y`, of operands near 1.
    Product,
    /// `min` or `max`.
    Best,
    /// `x + y + xy/8`.
    Deformed,
    /// `(a, b) (c, d) = (ac, bc + d)`, linear functions one after the other: does not commute.
    Linear,
    /// `(a, b) (c, d) = (ac, ad + bc)`, dual numbers: commutes.
    Dual,
    /// An operator on integers or booleans.
    Exact,
}

impl Reduction {
    /// How large the results of n operands can be.
    pub(super) fn bounds(&self, n: f64) -> Vec<f64> {
        let one = match self.kind {
            Kind::Sum => 2.0 * n,
            Kind::Product => 1.25f64.powf(n),
            Kind::Deformed => 8.0 * (1.125f64.powf(n) - 1.0),
            Kind::Best | Kind::Exact => 2.0,
            Kind::Linear => return vec![1.0, 2.0 * n],
            Kind::Dual => return vec![1.25f64.powf(n), 2.0 * n * 1.25f64.powf(n)],
        };
        vec![one; self.types.len()]
    }

    /// How large the results can be when what it starts from can be as large as this.
    pub(super) fn bounds_from(&self, start: f64, n: f64) -> Vec<f64> {
        self.bounds(n).into_iter().map(|x| (1.0 + start) * (1.0 + x)).collect()
    }

    /// Makes operands of values.
    pub(super) fn operands(&self, m: &mut Maker, b: &mut Builder, values: &[Val]) -> Vec<Val> {
        let mut out = Vec::new();
        for (i, v) in values.iter().enumerate() {
            let near_one = matches!((self.kind, i), (Kind::Product, _) | (Kind::Dual, 0));
            let limit = match self.kind {
                Kind::Deformed | Kind::Product => 1.0,
                Kind::Linear | Kind::Dual if i == 0 => 1.0,
                _ => 2.0,
            };
            let v = m.tame(b, *v, limit);
            out.push(match self.types[i].elem() {
                Some(t) if near_one && m.smooth => {
                    let e = each(b, v.e, &mut |b, x| {
                        let x = b.prim_op(t.times(), &[x, Scalar::from_f64(t, 0.25).into()]);
                        b.prim_op(t.plus(), &[x, Scalar::from_f64(t, 1.0).into()])
                    });
                    Val::new(e, 1.25)
                }
                Some(t) if self.kind == Kind::Best && t.is_int() && m.differentiated => between(b, t, v),
                _ if self.kind == Kind::Best => m.defined(b, v),
                _ => v,
            });
        }
        out
    }

    /// Operands made of what is in scope, or in it after a few more constructs.
    pub(super) fn drawn(&self, m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Vec<Val> {
        let values: Vec<Val> = self.types.iter().map(|t| m.value(b, scope, t)).collect();
        self.operands(m, b, &values)
    }
}

impl Maker {
    /// An operator. `commutes`: it must commute; `filled`: there is at least one operand, so that an infinite neutral element does no harm.
    pub(super) fn reduction(&mut self, b: &mut Builder, commutes: bool, filled: bool) -> Reduction {
        let t = if self.smooth && self.draw.chance(90) { self.float_elem() } else { self.elem() };
        if self.smooth && t.is_float() {
            return self.smooth_reduction(b, t, commutes, filled);
        }
        self.exact_reduction(b, t, commutes)
    }

    /// An operator on pairs, which commutes.
    pub(super) fn pair(&mut self, b: &mut Builder) -> Reduction {
        if self.smooth {
            let t = self.float_elem();
            return if t.is_float() { pairs(b, t, true) } else { pairs_of(b, t, true) };
        }
        let ints: Vec<ScalarType> = self.elems.iter().copied().filter(|t| t.is_int()).collect();
        pairs_of(b, self.draw.pick(&ints), true)
    }

    /// A sum of floats, or of what wild programs add.
    pub(super) fn sum(&mut self, b: &mut Builder) -> Reduction {
        let t = if self.smooth { self.float_elem() } else { ScalarType::I64 };
        self.scalar(b, t.plus(), t.zero(), if t.is_float() { Kind::Sum } else { Kind::Exact })
    }

    fn scalar(&mut self, b: &mut Builder, op: Prim, neutral: Scalar, kind: Kind) -> Reduction {
        let t = neutral.scalar_type();
        Reduction { op: b.operator(op, neutral), types: vec![Type::Scalar(t)], kind }
    }

    fn smooth_reduction(&mut self, b: &mut Builder, t: ScalarType, commutes: bool, filled: bool) -> Reduction {
        let pick = self.draw.below(20);
        match pick {
            0..=6 => self.scalar(b, t.plus(), t.zero(), Kind::Sum),
            7..=10 => self.scalar(b, t.times(), t.one(), Kind::Product),
            11 if filled => {
                let (op, ne) = self.draw.pick(&[(BinOp::Min, f64::INFINITY), (BinOp::Max, f64::NEG_INFINITY)]);
                self.scalar(b, Prim::Bin(op, t), Scalar::from_f64(t, ne), Kind::Best)
            }
            12 | 13 => self.rows(b, t, Kind::Sum),
            14 => self.rows(b, t, Kind::Product),
            15 | 16 => pairs(b, t, true),
            17 | 18 if !commutes => pairs(b, t, false),
            _ => deformed(b, t),
        }
    }

    /// On rows of a constant size, element by element.
    fn rows(&mut self, b: &mut Builder, t: ScalarType, kind: Kind) -> Reduction {
        let constants: Vec<Dim> = self.dims.iter().copied().filter(|d| matches!(d, Dim::Const(n) if *n < 4)).collect();
        let d = if constants.is_empty() { Dim::Const(2) } else { self.draw.pick(&constants) };
        let (op, ne) = if kind == Kind::Product { (t.times(), t.one()) } else { (t.plus(), t.zero()) };
        let ty = Type::Scalar(t).array_of(&[d]);
        let neutral = b.fill(&ty, ne);
        let lambda = b.lambda(&[("x", ty.clone()), ("y", ty.clone())], |b, p| {
            let element =
                b.lambda(&[("x", ty.row()), ("y", ty.row())], |b, q| vec![b.prim_op(op, &[q[0].into(), q[1].into()])]);
            vec![b.let_one("z", map_exp(d, vec![p[0], p[1]], element)).into()]
        });
        Reduction { op: Operator { lambda, neutral: vec![neutral], commutative: true }, types: vec![ty], kind }
    }

    fn exact_reduction(&mut self, b: &mut Builder, t: ScalarType, commutes: bool) -> Reduction {
        use BinOp::*;
        if t.is_float() {
            let (op, ne) = self.draw.pick(&[(Min, f64::INFINITY), (Max, f64::NEG_INFINITY)]);
            return self.scalar(b, Prim::Bin(op, t), Scalar::from_f64(t, ne), Kind::Best);
        }
        if t == ScalarType::Bool {
            let (op, ne) = self.draw.pick(&[(And, true), (Or, false), (Xor, false)]);
            return self.scalar(b, Prim::Bin(op, t), Scalar::Bool(ne), Kind::Exact);
        }
        let (low, high) = extremes(t);
        match self.draw.below(if commutes { 10 } else { 13 }) {
            0 | 1 => self.scalar(b, t.plus(), t.zero(), Kind::Exact),
            2 => self.scalar(b, t.times(), t.one(), Kind::Exact),
            3 => self.scalar(b, Prim::Bin(Min, t), high, Kind::Best),
            4 => self.scalar(b, Prim::Bin(Max, t), low, Kind::Best),
            // no tangent of the neutral element is neutral for the lifted operator
            5..=7 if self.differentiated => self.scalar(b, t.plus(), t.zero(), Kind::Exact),
            5 => self.scalar(b, Prim::Bin(And, t), Scalar::from_bits(t, u64::MAX), Kind::Exact),
            6 => self.scalar(b, Prim::Bin(Or, t), t.zero(), Kind::Exact),
            7 => self.scalar(b, Prim::Bin(Xor, t), t.zero(), Kind::Exact),
            8 => pairs_of(b, t, true),
            9 => self.rows(b, t, Kind::Exact),
            10 | 11 => pairs_of(b, t, false),
            12 => first(b, t),
            _ => self.scalar(b, t.plus(), t.zero(), Kind::Exact),
        }
    }
}

/// The least and the greatest integer of a type.
fn extremes(t: ScalarType) -> (Scalar, Scalar) {
    if t.is_unsigned() {
        return (t.zero(), Scalar::from_bits(t, u64::MAX));
    }
    let low = 1 << (8 * t.bytes() - 1);
    (Scalar::from_bits(t, low), Scalar::from_bits(t, low - 1))
}

/// One for the extremes of an integer type: `min` and `max` would take the neutral element instead of it, and that has another tangent.
fn between(b: &mut Builder, t: ScalarType, v: Val) -> Val {
    let (low, high) = extremes(t);
    let e = each(b, v.e, &mut |b, x| {
        let above = bin(b, Prim::Cmp(CmpOp::Lt, t), low.into(), x);
        let below = bin(b, Prim::Cmp(CmpOp::Lt, t), x, high.into());
        let inside = bin(b, Prim::Bin(BinOp::And, ScalarType::Bool), above, below);
        b.prim_op(Prim::Select(t), &[inside, x, t.one().into()])
    });
    Val::new(e, v.bound)
}

fn bin(b: &mut Builder, op: Prim, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(op, &[x, y])
}

/// Dual numbers if it is to commute, else linear functions.
fn pairs(b: &mut Builder, t: ScalarType, commutes: bool) -> Reduction {
    let mut r = pairs_of(b, t, commutes);
    r.kind = if commutes { Kind::Dual } else { Kind::Linear };
    r
}

fn pairs_of(b: &mut Builder, t: ScalarType, commutes: bool) -> Reduction {
    let ty = Type::Scalar(t);
    let params = [("a", ty.clone()), ("b", ty.clone()), ("c", ty.clone()), ("d", ty.clone())];
    let lambda = b.lambda(&params, |b, p| {
        let [a, x, c, y] = [p[0], p[1], p[2], p[3]].map(SubExp::Var);
        let product = bin(b, t.times(), a, c);
        let left = bin(b, t.times(), x, c);
        let right = if commutes { bin(b, t.times(), a, y) } else { y };
        vec![product, bin(b, t.plus(), left, right)]
    });
    let neutral = vec![t.one().into(), t.zero().into()];
    Reduction {
        op: Operator { lambda, neutral, commutative: commutes },
        types: vec![ty.clone(), ty],
        kind: Kind::Exact,
    }
}

fn deformed(b: &mut Builder, t: ScalarType) -> Reduction {
    let ty = Type::Scalar(t);
    let lambda = b.lambda(&[("x", ty.clone()), ("y", ty.clone())], |b, p| {
        let (x, y) = (p[0].into(), p[1].into());
        let xy = bin(b, t.times(), x, y);
        let xy = bin(b, t.times(), xy, Scalar::from_f64(t, 0.125).into());
        let sum = bin(b, t.plus(), x, y);
        vec![bin(b, t.plus(), sum, xy)]
    });
    let op = Operator { lambda, neutral: vec![t.zero().into()], commutative: true };
    Reduction { op, types: vec![ty], kind: Kind::Deformed }
}

/// The first that is not zero: does not commute. Of what begins with zero it is the sum, so that zero is neutral with tangents, too.
fn first(b: &mut Builder, t: ScalarType) -> Reduction {
    let ty = Type::Scalar(t);
    let lambda = b.lambda(&[("x", ty.clone()), ("y", ty.clone())], |b, p| {
        let (x, y) = (p[0].into(), p[1].into());
        let none = b.prim_op(Prim::Cmp(CmpOp::Eq, t), &[x, t.zero().into()]);
        let sum = bin(b, t.plus(), x, y);
        vec![b.prim_op(Prim::Select(t), &[none, sum, x])]
    });
    let op = Operator { lambda, neutral: vec![t.zero().into()], commutative: false };
    Reduction { op, types: vec![ty], kind: Kind::Exact }
}

#[cfg(test)]
mod tests {
    use super::super::{Params, Profile, Weights, main};
    use super::*;
    use crate::column::strict;
    use crate::random::Rng;
    use crate::row::Outcome;
    use crate::subject::{Entry, Subject};
    use futi_core::ir::build::{Vars, reduce_exp};
    use futi_core::source::SourceMap;
    use futi_core::value::Value;

    /// `reduce` of two operands that are made of `x`: the drawn operator, in a program that derivatives are taken of.
    fn reduction_of(x: f64, seed: u64) -> (Program, Vec<Value>) {
        let mut m = Maker::new(Profile::Everything, &Weights::of(Profile::Everything), 10, seed);
        m.differentiated = true;
        m.smooth = false;
        let mut vars = Vars::default();
        let param = vars.fresh("x", Type::Scalar(ScalarType::F64));
        let mut b = Builder::new(&mut vars, Prov::UNKNOWN);
        let r = m.reduction(&mut b, false, true);
        // conversions pass tangents, and saturate
        let values = r.types.iter().map(|ty| {
            let to = ty.elem().unwrap_or(ScalarType::F64);
            let value = b.prim_op(Prim::Conv(ScalarType::F64, to), &[param.var.into()]);
            let row = Exp::Replicate { shape: ty.shape().to_vec(), value };
            Val::new(if ty.rank() == 0 { value } else { b.let_one("row", row).into() }, 1.0)
        });
        let values: Vec<Val> = values.collect();
        let operands = r.operands(&mut m, &mut b, &values);
        let two = [Dim::Const(2)];
        let arrays = operands.iter().map(|o| b.let_one("xs", Exp::Replicate { shape: two.to_vec(), value: o.e }));
        let arrays: Vec<Var> = arrays.collect();
        let params: Vec<(&str, Type)> = r.types.iter().map(|t| ("p", t.clone())).collect();
        let map = b.lambda(&params, |_, p| p.iter().map(|v| (*v).into()).collect());
        let reduces = vec![r.op];
        b.let_many("y", reduce_exp(two[0], arrays, map, reduces));
        // strict mode looks at the operands, whatever becomes of the result
        let body = Body { stms: b.stms, result: vec![param.var.into()] };
        let all = vec![FunParam { binder: param, unique: false }];
        let main = main(&mut vars, Params { all, sizes: 0 }, body);
        let program = Program { funs: vec![main], prov: ProvTable::default() };
        (program, vec![Value::Scalar(Scalar::F64(x))])
    }

    #[test]
    fn neutral_elements_are_neutral_with_tangents() {
        // zero, the least and the greatest integer of every type, and what no integer is
        for x in [0.0, 1.0, -3.0, 1e30, -1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            for seed in 0..300 {
                let (program, args) = reduction_of(x, seed);
                let entry = Entry::new(&program, crate::generate::ENTRY, None).unwrap();
                let sources = SourceMap::new();
                let outcome = strict::judge(&Subject::new(&entry, &sources, args, Rng::new(0, "test")), true);
                assert_eq!(outcome, Outcome::ok(), "{x} {seed}\n{program}");
            }
        }
    }
}
