//! What the tests make programs with.

use crate::{Ctx, eval};
pub(crate) use futi_core::ir::build::Builder;
use futi_core::ir::build::Vars;
use futi_core::ir::*;
use futi_core::prim::BinOp;
use futi_core::value::{Array, Value};

pub(crate) const F64: Type = Type::Scalar(ScalarType::F64);
pub(crate) const I64: Type = Type::I64;
pub(crate) const BOOL: Type = Type::BOOL;

pub(crate) fn dims(shape: &[i64]) -> Vec<Dim> {
    shape.iter().map(|n| Dim::Const(*n)).collect()
}
pub(crate) fn f64s(shape: &[i64]) -> Type {
    Type::Array(ScalarType::F64, dims(shape))
}
pub(crate) fn i64s(shape: &[i64]) -> Type {
    Type::Array(ScalarType::I64, dims(shape))
}
pub(crate) fn lit(x: f64) -> SubExp {
    Scalar::F64(x).into()
}
pub(crate) fn vars(vs: &[Var]) -> Vec<SubExp> {
    vs.iter().map(|v| (*v).into()).collect()
}
pub(crate) fn float(x: f64) -> Value {
    Scalar::F64(x).into()
}
pub(crate) fn int(x: i64) -> Value {
    Scalar::I64(x).into()
}
pub(crate) fn truth(x: bool) -> Value {
    Scalar::Bool(x).into()
}
pub(crate) fn floats(shape: &[usize], xs: &[f64]) -> Value {
    Array::from_vec(shape, xs.to_vec()).into()
}
pub(crate) fn ints(shape: &[usize], xs: &[i64]) -> Value {
    Array::from_vec(shape, xs.to_vec()).into()
}

/// A program of one function `main`, whose parameters may be consumed.
pub(crate) fn program(params: &[(&str, Type)], f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>) -> Program {
    let mut vars = Vars::default();
    let main = Builder::new(&mut vars, Prov::UNKNOWN).lambda(params, f);
    let params = main.params.into_iter().map(|binder| FunParam { binder, unique: true }).collect();
    let results = main.ret.iter().map(|t| FunResult { binder: vars.fresh("r", t.clone()), unique: false }).collect();
    let main = Fun { name: "main".into(), entry: None, params, results, body: main.body };
    Program { funs: vec![main], prov: ProvTable::default() }
}

/// The results of `main`.
pub(crate) fn run(p: &Program, args: &[Value]) -> Vec<Value> {
    eval(p, "main", args, &Ctx::default()).unwrap()
}

fn binary(b: &mut Builder, op: BinOp, t: ScalarType, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(Prim::Bin(op, t), &[x, y])
}
pub(crate) fn mul(b: &mut Builder, x: impl Into<SubExp>, y: impl Into<SubExp>) -> SubExp {
    binary(b, BinOp::Mul, ScalarType::F64, x.into(), y.into())
}
pub(crate) fn add(b: &mut Builder, x: impl Into<SubExp>, y: impl Into<SubExp>) -> SubExp {
    binary(b, BinOp::Add, ScalarType::F64, x.into(), y.into())
}
pub(crate) fn mul_i(b: &mut Builder, x: Var, y: Var) -> SubExp {
    binary(b, BinOp::Mul, ScalarType::I64, x.into(), y.into())
}
pub(crate) fn mul_lit(b: &mut Builder, x: Var, y: i64) -> SubExp {
    binary(b, BinOp::Mul, ScalarType::I64, x.into(), SubExp::i64(y))
}

/// Nodes that the tests make often.
pub(crate) trait Nodes {
    /// `loop (params) for i < n do f i params`.
    fn for_loop(
        &mut self,
        n: Var,
        params: &[(&str, Type, SubExp)],
        f: impl FnOnce(&mut Builder, Var, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var>;
    /// `loop (params) while the first do f params`.
    fn while_loop(
        &mut self,
        params: &[(&str, Type, SubExp)],
        f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var>;
    /// `reduce op a`, of n elements.
    fn reduce(&mut self, n: i64, a: Var, op: Operator) -> Var;
    /// `scan op a`, of n elements.
    fn scan(&mut self, n: i64, a: Var, op: Operator) -> Var;
    /// `map f as` over n rows of these types.
    fn map(&mut self, n: i64, arrays: &[Var], f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>) -> Vec<Var>;
    /// `withacc` of one array of n elements; f gets the accumulator and gives it back.
    fn accumulate(&mut self, a: Var, n: i64, op: Operator, f: impl FnOnce(&mut Builder, Var) -> Var) -> Vec<Var>;
    /// `vjp` or `jvp` at these arguments: primals, then derivatives.
    fn jvp(
        &mut self,
        args: &[SubExp],
        seeds: &[SubExp],
        f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var>;
    /// See [`Nodes::jvp`].
    fn vjp(
        &mut self,
        args: &[SubExp],
        seeds: &[SubExp],
        f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var>;
}

fn loop_params(b: &mut Builder, params: &[(&str, Type, SubExp)]) -> Vec<LoopParam> {
    let param = |(name, ty, init): &(&str, Type, SubExp)| LoopParam {
        binder: b.vars.fresh(*name, ty.clone()),
        unique: true,
        init: *init,
    };
    params.iter().map(param).collect()
}

fn ad(b: &mut Builder, args: &[SubExp], seeds: &[SubExp], f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>) -> Ad {
    let params: Vec<(&str, Type)> = args.iter().map(|e| ("p", b.vars.type_of(*e))).collect();
    let lambda = b.lambda(&params, f);
    Ad { lambda, args: args.to_vec(), seeds: seeds.to_vec(), seed_shape: Vec::new() }
}

impl Nodes for Builder<'_> {
    fn for_loop(
        &mut self,
        n: Var,
        params: &[(&str, Type, SubExp)],
        f: impl FnOnce(&mut Builder, Var, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var> {
        let params = loop_params(self, params);
        let index = self.vars.fresh("i", I64);
        let vs: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
        let i = index.var;
        let body = self.inner(|b| f(b, i, &vs));
        self.let_many("l", Exp::Loop { params, form: LoopForm::For { index, bound: n.into() }, body })
    }

    fn while_loop(
        &mut self,
        params: &[(&str, Type, SubExp)],
        f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var> {
        let params = loop_params(self, params);
        let vs: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
        let body = self.inner(|b| f(b, &vs));
        self.let_many("l", Exp::Loop { params, form: LoopForm::While(vs[0]), body })
    }

    fn reduce(&mut self, n: i64, a: Var, op: Operator) -> Var {
        let row = self.vars.ty(a).row();
        let map = self.lambda(&[("x", row)], |_, p| vars(p));
        let screma = Screma { width: Dim::Const(n), arrays: vec![a], map, scans: vec![], reduces: vec![op] };
        self.let_one("r", Exp::Screma(screma))
    }

    fn scan(&mut self, n: i64, a: Var, op: Operator) -> Var {
        let row = self.vars.ty(a).row();
        let map = self.lambda(&[("x", row)], |_, p| vars(p));
        let screma = Screma { width: Dim::Const(n), arrays: vec![a], map, scans: vec![op], reduces: vec![] };
        self.let_one("s", Exp::Screma(screma))
    }

    fn map(&mut self, n: i64, arrays: &[Var], f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>) -> Vec<Var> {
        let rows: Vec<(&str, Type)> = arrays.iter().map(|a| ("x", self.vars.ty(*a).row())).collect();
        let map = self.lambda(&rows, f);
        self.let_many("m", build::map_exp(Dim::Const(n), arrays.to_vec(), map))
    }

    fn accumulate(&mut self, a: Var, n: i64, op: Operator, f: impl FnOnce(&mut Builder, Var) -> Var) -> Vec<Var> {
        let elem = self.vars.ty(a).row();
        let cert = self.vars.fresh("id", Type::Cert);
        let ty = Type::Acc(AccType { id: cert.var, shape: dims(&[n]), elems: vec![elem] });
        let acc = self.vars.fresh("acc", ty.clone());
        let v = acc.var;
        let body = self.inner(|b| vars(&[f(b, v)]));
        let lambda = Lambda { params: vec![cert, acc], ret: vec![ty], body };
        let inputs = vec![AccInput { shape: dims(&[n]), arrays: vec![a], op }];
        self.let_many("w", Exp::WithAcc(WithAcc { inputs, lambda }))
    }

    fn jvp(
        &mut self,
        args: &[SubExp],
        seeds: &[SubExp],
        f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var> {
        let ad = ad(self, args, seeds, f);
        self.let_many("d", Exp::Jvp(ad))
    }

    fn vjp(
        &mut self,
        args: &[SubExp],
        seeds: &[SubExp],
        f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>,
    ) -> Vec<Var> {
        let ad = ad(self, args, seeds, f);
        self.let_many("d", Exp::Vjp(ad))
    }
}
