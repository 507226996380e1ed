//! Functions that call themselves, at all points of a nest at once.

use super::irregular::{as_dim, product};
use super::nest::Nest;
use super::{Known, host_stm};
use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars, map_exp};
use crate::ir::rename::renamed;
use crate::ir::*;
use std::cell::RefCell;

// Note [Calls of all points]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A function that is not inlined has a version for n calls, with arrays of n arguments and results: a map over them, flattened as any other. A call at the points of a nest is one of that version; in it, the
// points that call again are those of a side of a branch, thus fewer, and a call for none of them does nothing: there it ends. What the frames hold has one size at all points: arguments and results
// are scalars, or arrays of constant sizes.

/// The functions that calls are left of.
#[derive(Default)]
pub(super) struct Calls {
    /// Those whose frames are uniform.
    funs: HashMap<Name, Fun>,
    /// Those that are called at all points of a nest.
    asked: RefCell<Vec<Name>>,
}

impl Calls {
    /// The functions of a program.
    pub(super) fn of(program: &Program) -> Calls {
        let plain = |ty: &Type| match ty {
            Type::Scalar(_) => true,
            Type::Array(_, shape) => shape.iter().all(|dim| matches!(dim, Dim::Const(_))),
            Type::Acc(_) | Type::Cert => false,
        };
        let uniform = |fun: &&Fun| {
            fun.params.iter().map(|p| &p.binder).chain(fun.results.iter().map(|r| &r.binder)).all(|b| plain(&b.ty))
        };
        let funs = program.funs.iter().filter(uniform).map(|fun| (fun.name.clone(), fun.clone()));
        Calls { funs: funs.collect(), asked: RefCell::default() }
    }

    /// Whether there is a version for all points of what a statement calls.
    pub(super) fn is_known(&self, stm: &Stm) -> bool {
        matches!(&stm.exp, Exp::Apply { fun, .. } if self.funs.contains_key(fun))
    }

    /// The versions that calls were made of, and those that they call.
    pub(super) fn versions(&self, vars: &mut Vars, known: &dyn Fn() -> Known) -> Vec<Fun> {
        let mut made: Vec<Fun> = Vec::new();
        loop {
            let next = self.asked.borrow_mut().pop();
            let Some(name) = next else { return made };
            let fun = self.funs.get(&name).filter(|_| made.iter().all(|fun| fun.name != for_all(&name)));
            made.extend(fun.map(|fun| version(fun, vars, &known())));
        }
    }
}

/// The name of the version for all points.
fn for_all(name: &Name) -> Name {
    format!("{name}.for_all").as_str().into()
}

/// A function's version for n calls.
fn version(fun: &Fun, vars: &mut Vars, known: &Known) -> Fun {
    let n = vars.fresh("n", Type::I64);
    let size = Dim::Var(n.var);
    let all = |b: &Binder, vars: &mut Vars| vars.fresh(b.name.clone(), b.ty.array_of(&[size]));
    let arrays: Vec<Binder> = fun.params.iter().map(|p| all(&p.binder, vars)).collect();
    let pat: Vec<Binder> = fun.results.iter().map(|r| all(&r.binder, vars)).collect();
    let types: Vec<Type> = pat.iter().map(|p| p.ty.clone()).collect();
    let body = Builder::new(vars, Prov::UNKNOWN).inner(|b| {
        let cond = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[SubExp::i64(0), size.into()]);
        let yes = b.inner(|b| {
            let map = Lambda {
                params: fun.params.iter().map(|p| p.binder.clone()).collect(),
                ret: fun.results.iter().map(|r| r.binder.ty.clone()).collect(),
                body: fun.body.clone(),
            };
            let exp = map_exp(size, arrays.iter().map(|a| a.var).collect(), map);
            let (certs, attrs, prov) = (Vec::new(), Vec::new(), fun.body.stms.first().map_or(b.prov, |stm| stm.prov));
            host_stm(b, Stm { pat: pat.clone(), exp, certs, attrs, prov }, known);
            pat.iter().map(|p| p.var.into()).collect()
        });
        let no = b.inner(|b| {
            let none =
                |ty: &Type| Exp::Scratch { elem: ty.elem().unwrap_or(ScalarType::Bool), shape: ty.shape().to_vec() };
            types.iter().map(|ty| b.let_one("none", none(ty)).into()).collect()
        });
        b.let_many("all", Exp::If { cond, yes, no }).into_iter().map(SubExp::from).collect()
    });
    // the function itself binds the same variables
    let params = [n].into_iter().chain(arrays).collect();
    let Lambda { params, ret, body } = renamed(&Lambda { params, ret: types, body }, vars);
    let results = ret.into_iter().map(|ty| FunResult { binder: vars.fresh("all", ty), unique: false });
    let results = results.collect();
    let params = params.into_iter().map(|binder| FunParam { binder, unique: false }).collect();
    Fun { name: for_all(&fun.name), entry: None, params, results, body }
}

impl Nest {
    /// A call at all points.
    pub(super) fn call(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Var> {
        let Exp::Apply { fun: name, args } = &stm.exp else { return Vec::new() };
        let calls = self.calls.clone();
        let Some(fun) = calls.funs.get(name) else { return Vec::new() };
        let dims = self.dims();
        let (n, one) = (product(b, &dims), dims.len() == 1);
        let shaped = |b: &mut Builder, array: Var, dims: &[Dim], ty: &Type| match dims {
            _ if one => array,
            dims => b.let_one("calls", Exp::Reshape { shape: [dims, ty.shape()].concat(), array }),
        };
        let mut all = vec![n];
        for (arg, param) in args.iter().zip(&fun.params) {
            let ty = &param.binder.ty;
            let array = self.everywhere(b, *arg, ty);
            all.push(shaped(b, array, &[as_dim(n)], ty).into());
        }
        let results =
            fun.results.iter().map(|r| b.vars.fresh(r.binder.name.clone(), r.binder.ty.array_of(&[as_dim(n)])));
        let pat: Vec<Binder> = results.collect();
        b.bind(pat.clone(), Exp::Apply { fun: for_all(name), args: all });
        let results = pat.iter().zip(&fun.results).map(|(p, r)| shaped(b, p.var, &dims, &r.binder.ty));
        let results: Vec<Var> = results.collect();
        // they may be arguments, or each other
        self.shared.borrow_mut().extend(&results);
        calls.asked.borrow_mut().push(name.clone());
        results
    }
}
