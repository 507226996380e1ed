//! What the tests make programs with.

use crate::{Ctx, Keep, eval};
use futi_core::failure::FailureKind;
pub(crate) use futi_core::ir::build::Builder;
use futi_core::ir::build::{Vars, reduce_exp, scan_exp};
use futi_core::ir::*;
use futi_core::prim::BinOp;
use futi_core::value::compare::{Tolerance, compare, type_text};
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

/// The program of this text, which is well-formed.
pub(crate) fn ir(text: &str) -> Program {
    let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(check::errors(&program), [], "{text}");
    program
}

/// The results of `main` of a well-formed program, the same in strict mode, unless that says that a derivative goes through zero times infinity.
pub(crate) fn run(p: &Program, args: &[Value]) -> Vec<Value> {
    assert_eq!(check::errors(p), []);
    let results = eval(p, "main", args, &Ctx::default()).unwrap();
    match eval(p, "main", args, &Ctx::strict()) {
        Err(e) if e.kind == FailureKind::Singular => {}
        strict => assert_eq!(strict.unwrap(), results),
    }
    results
}

/// `main`, which takes arguments of λ's parameters' types and seeds, and returns λ's results and their derivatives.
pub(crate) fn derivative_program(mode: &str, lambda: &str, args: &[Value], seeds: &[Value]) -> Program {
    let binders = |name: &str, types: &[String], first: usize| -> Vec<String> {
        types.iter().enumerate().map(|(i, t)| format!("{name}_{}: {t}", first + i)).collect()
    };
    let names = |bs: &[String]| bs.iter().map(|b| b.split(':').next().unwrap()).collect::<Vec<_>>().join(", ");
    let types = |vs: &[Value]| vs.iter().map(type_text).collect::<Vec<_>>();
    let (_, ret) = lambda.split_once("-> (").expect("result types");
    let ret: Vec<String> = ret.split_once(") {").expect("a body").0.split(", ").map(str::to_string).collect();
    let derivatives = if mode == "jvp" { ret.clone() } else { types(args) };
    let (args, seeds) = (binders("a", &types(args), 9000), binders("s", &types(seeds), 9100));
    let results = [binders("p", &ret, 9200), binders("d", &derivatives, 9300)].concat();
    ir(&format!(
        "fun \"main\"({}) -> ({}) {{ let ({}) = {mode} {lambda} at ({}) with ({}) in ({}) }}",
        [args.clone(), seeds.clone()].concat().join(", "),
        [binders("r", &ret, 9400), binders("q", &derivatives, 9500)].concat().join(", "),
        results.join(", "),
        names(&args),
        names(&seeds),
        names(&results)
    ))
}

/// The tangents of λ's results.
pub(crate) fn jvp(lambda: &str, args: &[Value], seeds: &[Value]) -> Vec<Value> {
    let mut results = run(&derivative_program("jvp", lambda, args, seeds), &[args, seeds].concat());
    results.split_off(results.len() / 2)
}

/// The adjoints of λ's arguments, by several orders of the reverse pass.
pub(crate) fn vjp(lambda: &str, args: &[Value], seeds: &[Value]) -> Vec<Value> {
    let p = derivative_program("vjp", lambda, args, seeds);
    let adjoints = run(&p, &[args, seeds].concat()).split_off(seeds.len());
    for order in 0..5 {
        let ctx = Ctx { reverse_order: Some(order), ..Ctx::default() };
        let again = eval(&p, "main", &[args, seeds].concat(), &ctx).unwrap().split_off(seeds.len());
        again.iter().zip(&adjoints).for_each(|(a, b)| assert_close(a, b, 1e-12));
    }
    // and by a trace in which each element is a node
    let ctx = Ctx { keep: Keep { booleans: false, arrays: false }, ..Ctx::default() };
    let again = eval(&p, "main", &[args, seeds].concat(), &ctx).unwrap().split_off(seeds.len());
    again.iter().zip(&adjoints).for_each(|(a, b)| assert_close(a, b, 1e-12));
    adjoints
}

/// Equality up to this relative error.
pub(crate) fn assert_close(got: &Value, expected: &Value, relative: f64) {
    if let Some(mismatch) = compare(got, expected, Tolerance { absolute: 0.0, relative }) {
        panic!("{mismatch}: got {got:?}, expected {expected:?}");
    }
}

/// The adjoints by `vjp`, confirmed by `jvp` in the direction of every element of the float arguments, and by central differences.
pub(crate) fn gradient(lambda: &str, args: &[Value], seeds: &[Value]) -> Vec<Value> {
    let adjoints = vjp(lambda, args, seeds);
    let primal = derivative_program("jvp", lambda, args, &zeros(args));
    let value_at = |args: &[Value]| {
        let results = eval(&primal, "main", &[args, &zeros(args)].concat(), &Ctx::default()).unwrap();
        dot(&results[..seeds.len()], seeds)
    };
    for (k, arg) in args.iter().enumerate().filter(|(_, a)| a.elem().is_float()) {
        for i in 0..arg.elements().count() {
            let mut direction = zeros(args);
            direction[k] = nudged(&direction[k], i, 1.0);
            let expected = adjoints[k].elements().nth(i).unwrap().to_f64();
            let scale = 1.0 + expected.abs();
            let tangent = dot(&jvp(lambda, args, &direction), seeds);
            assert!((tangent - expected).abs() <= 1e-12 * scale, "jvp {tangent}, vjp {expected}");
            let h = 1e-5;
            let (mut above, mut below) = (args.to_vec(), args.to_vec());
            above[k] = nudged(arg, i, h);
            below[k] = nudged(arg, i, -h);
            let difference = (value_at(&above) - value_at(&below)) / (2.0 * h);
            assert!((difference - expected).abs() <= 1e-7 * scale, "difference {difference}, vjp {expected}");
        }
    }
    adjoints
}

fn zeros(vs: &[Value]) -> Vec<Value> {
    let zero = |v: &Value| match v {
        Value::Scalar(x) => x.scalar_type().zero().into(),
        Value::Array(a) => Array::filled(a.shape(), a.elem().zero()).into(),
    };
    vs.iter().map(zero).collect()
}

fn nudged(v: &Value, i: usize, h: f64) -> Value {
    match v {
        Value::Scalar(x) => float(x.to_f64() + h),
        Value::Array(a) => {
            let mut xs: Vec<f64> = v.elements().map(Scalar::to_f64).collect();
            xs[i] += h;
            floats(a.shape(), &xs)
        }
    }
}

fn dot(xs: &[Value], ys: &[Value]) -> f64 {
    let product = |(a, b): (Scalar, Scalar)| a.to_f64() * b.to_f64();
    xs.iter().zip(ys).flat_map(|(x, y)| x.elements().zip(y.elements())).map(product).sum()
}

fn binary(b: &mut Builder, op: BinOp, t: ScalarType, x: SubExp, y: SubExp) -> SubExp {
    b.prim_op(Prim::Bin(op, t), &[x, y])
}
pub(crate) fn mul(b: &mut Builder, x: impl Into<SubExp>, y: impl Into<SubExp>) -> SubExp {
    binary(b, BinOp::Mul, ScalarType::F64, x.into(), y.into())
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
    /// `withacc` of one array of n elements; f gets the accumulator and gives it back.
    fn accumulate(&mut self, a: Var, n: i64, op: Operator, f: impl FnOnce(&mut Builder, Var) -> Var) -> Vec<Var>;
}

fn loop_params(b: &mut Builder, params: &[(&str, Type, SubExp)]) -> Vec<LoopParam> {
    let param = |(name, ty, init): &(&str, Type, SubExp)| LoopParam {
        binder: b.vars.fresh(*name, ty.clone()),
        unique: matches!(ty, Type::Array(..)),
        init: *init,
    };
    params.iter().map(param).collect()
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
        self.let_one("r", reduce_exp(Dim::Const(n), vec![a], map, vec![op]))
    }

    fn scan(&mut self, n: i64, a: Var, op: Operator) -> Var {
        let row = self.vars.ty(a).row();
        let map = self.lambda(&[("x", row)], |_, p| vars(p));
        self.let_one("s", scan_exp(Dim::Const(n), vec![a], map, vec![op]))
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
}
