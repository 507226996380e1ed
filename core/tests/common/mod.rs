//! Programs of IR text, their derivatives to any order, and the comparison of the interpreter's own derivatives with the transformed ones.
#![allow(dead_code)]

use futi_core::driver::pipeline::{Stage, stage};
use futi_core::failure::FailureKind;
use futi_core::ir::build::{Builder, Vars};
use futi_core::ir::check;
use futi_core::ir::rename::renamed;
use futi_core::ir::*;
use futi_core::value::compare::{Tolerance, compare};
use futi_core::value::text::parse_values;
use futi_core::value::{Array, Column, Value};
use futi_interp::{Counters, Ctx, eval};

pub mod notation;
pub mod row;

pub const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };
pub const CLOSE: Tolerance = Tolerance { absolute: 1e-12, relative: 1e-10 };

/// A program of IR text, which the checker passes.
pub fn parse(text: &str) -> Program {
    let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    well_formed(&program, "the test");
    program
}

pub fn well_formed(program: &Program, what: &str) {
    let errors = check::errors(program);
    let text: String = errors.iter().map(|e| format!("{e}\n")).collect();
    assert!(errors.is_empty(), "{what}:\n{text}{program}");
}

/// The program at a stage, which the checker passes.
pub fn at(program: &Program, to: Stage) -> Program {
    let out = stage(program.clone(), to).unwrap_or_else(|e| panic!("{:?}", e.constructs));
    well_formed(&out, to.name());
    out
}

/// The results of the first function, strictly unless a derivative goes through zero times infinity, and what the run counted.
pub fn run(program: &Program, args: &[Value]) -> (Vec<Value>, Counters) {
    let (name, ctx) = (&program.funs[0].name, Ctx::strict());
    match eval(program, name.as_str(), args, &ctx) {
        Err(e) if e.kind == FailureKind::Singular => run_in(Ctx::default(), program, args),
        results => (results.unwrap_or_else(|e| panic!("{e}\n{program}")), ctx.counters()),
    }
}

fn run_in(ctx: Ctx, program: &Program, args: &[Value]) -> (Vec<Value>, Counters) {
    let name = &program.funs[0].name;
    let results = eval(program, name.as_str(), args, &ctx).unwrap_or_else(|e| panic!("{e}\n{program}"));
    (results, ctx.counters())
}

pub fn values(text: &str) -> Vec<Value> {
    parse_values(text).unwrap_or_else(|e| panic!("{e:?}: {text}"))
}

pub fn same(got: &[Value], expected: &[Value], what: &str, program: &Program) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (k, (g, e)) in got.iter().zip(expected).enumerate() {
        if let Some(m) = compare(g, e, CLOSE) {
            panic!("{what}, result {k}: {m}\ngot {got:?}\nexpected {expected:?}\n{program}");
        }
    }
}

/// The derivatives that the tests take.
#[derive(Clone, Copy, Debug)]
pub enum D {
    Vjp,
    Jvp,
    /// In two directions at once.
    Vjp2,
    Jvp2,
}

/// The program whose first function is the derivative of the first function of this one. Parameters: the sizes, the others, the seeds of the others
/// (for `jvp`) or of the results (for `vjp`). Results: those of the function, then their tangents or the adjoints of the others.
pub fn derivative(program: &Program, d: D) -> Program {
    let mut program = program.clone();
    let mut vars = Vars::of(&program);
    let fun = program.funs[0].clone();
    let is_size = |b: &Binder| {
        fun.params.iter().any(|p| p.binder.ty.shape().contains(&Dim::Var(b.var)))
            || fun.results.iter().any(|p| p.binder.ty.shape().contains(&Dim::Var(b.var)))
    };
    let (sizes, others): (Vec<FunParam>, Vec<FunParam>) = fun.params.iter().cloned().partition(|p| is_size(&p.binder));
    let ret: Vec<Type> = fun.results.iter().map(|r| r.binder.ty.clone()).collect();
    let params: Vec<Binder> = others.iter().map(|p| p.binder.clone()).collect();
    let lambda = renamed(&Lambda { params, ret: ret.clone(), body: fun.body }, &mut vars);
    let seed_shape = match d {
        D::Vjp | D::Jvp => vec![],
        D::Vjp2 | D::Jvp2 => vec![Dim::Const(2)],
    };
    let of: Vec<Type> = match d {
        D::Jvp | D::Jvp2 => others.iter().map(|p| p.binder.ty.clone()).collect(),
        D::Vjp | D::Vjp2 => ret.clone(),
    };
    let seeds: Vec<Binder> = of.iter().map(|t| vars.fresh("seed", t.array_of(&seed_shape))).collect();
    let args = others.iter().map(|p| p.binder.var.into()).collect();
    let ad = Ad { lambda, args, seeds: seeds.iter().map(|s| s.var.into()).collect(), seed_shape };
    let exp = match d {
        D::Jvp | D::Jvp2 => Exp::Jvp(ad),
        D::Vjp | D::Vjp2 => Exp::Vjp(ad),
    };
    let mut b = Builder::new(&mut vars, Prov::UNKNOWN);
    let results = b.let_many("out", exp);
    let stms = b.stms;
    let types: Vec<Type> = results.iter().map(|v| vars.ty(*v).clone()).collect();
    let shared = |binder: Binder| FunParam { binder, unique: false };
    let params = sizes.into_iter().chain(others).map(|p| p.binder).chain(seeds).map(shared).collect();
    let fun = Fun {
        name: "main".into(),
        entry: None,
        params,
        results: types.into_iter().map(|t| FunResult { binder: vars.fresh("r", t), unique: false }).collect(),
        body: Body { stms, result: results.into_iter().map(SubExp::Var).collect() },
    };
    program.funs[0] = fun;
    well_formed(&program, "the derivative");
    program
}

/// Arguments for the parameters that come after those given: repeatable, away from zero.
pub fn fill_args(program: &Program, given: &[Value]) -> Vec<Value> {
    let mut args = given.to_vec();
    let params = &program.funs[0].params;
    let mut state: u64 = 88172645463325252;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for p in &params[given.len()..] {
        let Some(elem) = p.binder.ty.elem() else { panic!("no value has type {:?}", p.binder.ty) };
        let size = |d: &Dim| match d {
            Dim::Const(n) => *n as usize,
            Dim::Var(v) => {
                let k = params.iter().position(|p| p.binder.var == *v).unwrap();
                args[k].as_scalar().unwrap().to_f64() as usize
            }
        };
        let shape: Vec<usize> = p.binder.ty.shape().iter().map(size).collect();
        let mut scalar = || {
            let x = next();
            match elem {
                ScalarType::F32 | ScalarType::F64 => Scalar::from_f64(elem, 0.5 + x),
                _ => Scalar::from_i64(elem, (x * 4.0) as i64),
            }
        };
        let value = if p.binder.ty.rank() == 0 {
            scalar().into()
        } else {
            let count = shape.iter().product();
            let scalars: Vec<Scalar> = (0..count).map(|_| scalar()).collect();
            Value::Array(Array::new(&shape, Column::from_scalars(elem, scalars.into_iter()).unwrap()))
        };
        args.push(value);
    }
    args
}

/// Checks a program of derivatives: what the interpreter makes of it as it is, and of every stage.
pub fn agree(program: &Program, args: &[Value], what: &str) -> Vec<Value> {
    agree_in(&Ctx::strict, program, args, what)
}

fn agree_in(ctx: &dyn Fn() -> Ctx, program: &Program, args: &[Value], what: &str) -> Vec<Value> {
    let (own, _) = run_in(ctx(), program, args);
    for to in [Stage::Simplified, Stage::Ad, Stage::Fused] {
        let transformed = at(program, to);
        let (got, _) = run_in(ctx(), &transformed, args);
        same(&got, &own, &format!("{what}, {}", to.name()), &transformed);
    }
    own
}

const ALL: [D; 4] = [D::Vjp, D::Jvp, D::Vjp2, D::Jvp2];

/// Checks all first and second derivatives of the first function, with seeds in one direction and in two.
pub fn check_all(text: &str, args: &str) {
    check_orders(text, args, &ALL, &[D::Vjp, D::Jvp]);
}

/// The same under another context.
pub fn check_all_in(ctx: &dyn Fn() -> Ctx, text: &str, args: &str) {
    orders_in(ctx, text, args, &ALL, &[D::Vjp, D::Jvp]);
}

/// Checks these derivatives, and these of those in one direction.
pub fn check_orders(text: &str, args: &str, first: &[D], second: &[D]) {
    orders_in(&Ctx::strict, text, args, first, second);
}

fn orders_in(ctx: &dyn Fn() -> Ctx, text: &str, args: &str, first: &[D], second: &[D]) {
    let program = parse(text);
    let args = values(args);
    for d in first {
        let once = derivative(&program, *d);
        agree_in(ctx, &once, &fill_args(&once, &args), &format!("{d:?}"));
        if matches!(d, D::Vjp2 | D::Jvp2) {
            continue;
        }
        for e in second {
            let twice = derivative(&once, *e);
            let seeds = fill_args(&once, &args);
            agree_in(ctx, &twice, &fill_args(&twice, &seeds), &format!("{e:?} of {d:?}"));
        }
    }
}

/// Checks the adjoints that `vjp` gives against a literal.
pub fn check_vjp(text: &str, args: &str, seeds: &str, expected: &str) {
    check_vjp_in(&Ctx::strict, text, args, seeds, expected);
}

/// The same under another context.
pub fn check_vjp_in(ctx: &dyn Fn() -> Ctx, text: &str, args: &str, seeds: &str, expected: &str) {
    let program = parse(text);
    let results = program.funs[0].results.len();
    let vjp = derivative(&program, D::Vjp);
    let args = [values(args), values(seeds)].concat();
    let own = agree_in(ctx, &vjp, &args, "vjp");
    same(&own[results..], &values(expected), "literal", &vjp);
}
