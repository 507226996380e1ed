//! What is built in but has no type in the prelude yet (`prelude/later.fut`): its lowering, from programs that see it with types made here. The harness runs the
//! same IR, `conformance/suite/prelude/flatmap.ir` and `accumulators.ir`, and says whether it computes the right thing.

use super::super::lower;
use crate::ir::visit::{VisitMut, walk_exp_mut};
use crate::ir::{Body, Program, Prov, ProvTable, check};
use crate::source::SourceMap;
use crate::syntax::ast::Lifted;
use crate::types::env::{Module, Value};
use crate::types::ty::{FunType, Id, Scheme, Size, Type, TypeParam, Unique};
use crate::types::typed::Intrinsic;
use crate::{prelude, syntax, types};
use std::sync::Arc;

struct Forget;

impl VisitMut for Forget {
    fn body(&mut self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.prov = Prov::UNKNOWN;
            walk_exp_mut(self, &mut stm.exp);
        }
    }
}

/// The text of a program, without the places where its statements come from.
fn text(mut program: Program) -> String {
    program.funs.iter_mut().for_each(|f| Forget.body(&mut f.body));
    program.prov = ProvTable::default();
    program.to_string()
}

/// Compiles a program that knows these intrinsics, checks the result, and compares it with a program of the suite.
fn lowered(source: &str, intrinsics: &[(Intrinsic, Scheme)], names: &[&str], stored: &str) {
    let mut sources = SourceMap::new();
    let (mut env, _) = prelude::load(&mut sources);
    let Module::Plain(mut module) = (*env.scope.modules["intrinsics"]).clone() else { panic!("a functor") };
    for ((intrinsic, scheme), name) in intrinsics.iter().zip(names) {
        module.values.insert((*name).into(), Value::Intrinsic(*intrinsic, Arc::new(scheme.clone())));
    }
    env.scope.modules.insert("intrinsics".into(), Arc::new(Module::Plain(module)));
    env.next_id += 100;
    let file = sources.add("t.fut", source);
    let (ast, errors) = syntax::parse(file, source);
    assert!(errors.is_empty(), "{errors:?}");
    let (typed, env, errors) = types::check(&ast, &env, &sources);
    assert!(errors.is_empty(), "{errors:?}");
    let entries: Vec<_> = typed.entries().cloned().collect();
    let program = lower(&entries, &env, &sources);
    assert!(check::check(program.clone()).is_ok(), "{program}");
    let program = text(program);
    assert_eq!(program, text(stored.parse().unwrap()), "{program}");
}

/// Names for a scheme.
fn id(num: u32) -> Id {
    Id { num: 1_000_000 + num, name: format!("t{num}").into() }
}

fn ty(num: u32) -> Type {
    Type::Var(id(num))
}

fn array(size: u32, elem: Type) -> Type {
    Type::array(Size::Var(id(size)), elem)
}

/// `a -> ?[exts]. ret`
fn bringing_up(arg: Type, exts: &[u32], ret: Type) -> Type {
    let (consumes, fresh) = (Unique::No, Unique::No);
    Type::Fun(Arc::new(FunType { param: None, arg, consumes, exts: exts.iter().map(|n| id(*n)).collect(), ret, fresh }))
}

fn scheme(sizes: &[u32], types: &[u32], ty: Type) -> Scheme {
    let sizes = sizes.iter().map(|n| TypeParam::Size(id(*n)));
    Scheme {
        params: sizes.chain(types.iter().map(|n| TypeParam::Type(id(*n), Lifted::No))).collect(),
        exts: vec![],
        ty,
    }
}

#[test]
fn flatmap() {
    // [n] 'a 'b 'c. (a -> ?[k].([k]b, c)) -> [n]a -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)
    let (n, m, k, a, b, c) = (0, 1, 2, 3, 4, 5);
    let f = bringing_up(ty(a), &[k], Type::tuple(vec![array(k, ty(b)), ty(c)]));
    let sizes = array(n, Type::I64);
    let all = Type::tuple(vec![sizes.clone(), array(m, Type::BOOL), sizes, array(m, ty(b)), array(n, ty(c))]);
    let flatmap = scheme(&[n], &[a, b, c], Type::fun(f, bringing_up(array(n, ty(a)), &[m], all)));
    lowered(
        "entry main (ks: []i64) : ([]i64, []bool, []i64, []i64, []bool, []f64) =
           let below k = (map (\\i -> (i, i % 2 == 0)) (filter (< k) (iota 4)), f64.i64 k / 2)
           let (shape, flags, offsets, data, halves) = intrinsics.flatmap below ks
           let (is, even) = unzip data
           in (shape, flags, offsets, is, even, halves)",
        &[(Intrinsic::FlatMap, flatmap)],
        &["flatmap"],
        include_str!("../../../../conformance/suite/prelude/flatmap.ir"),
    );
}

#[test]
fn accumulators() {
    // Here an accumulator is of any type: that of its variable is what counts.
    let (k, n, a, b, acc) = (0, 1, 2, 3, 4);
    let fun = |args: &[Type], ret: Type| args.iter().rev().fold(ret, |ret, arg| Type::fun(arg.clone(), ret));
    let (dest, step) = (array(k, ty(a)), fun(&[ty(acc), ty(b)], ty(acc)));
    let op = fun(&[ty(a), ty(a)], ty(a));
    let scatter = fun(&[dest.clone(), step.clone(), array(n, ty(b))], dest.clone());
    let hist = fun(&[dest.clone(), op, ty(a), step, array(n, ty(b))], dest);
    let write = fun(&[ty(acc), Type::I64, ty(a)], ty(acc));
    lowered(
        "entry main [k][n] (dest: [k]f64) (flags: [k]bool) (is: [n]i64) (xs: [n]f64) : ([k]f64, [k]bool, [k]f64) =
           let write acc (i, x) = intrinsics.acc_write (intrinsics.acc_write acc i (x, true)) (i + 1) (2 * x, false)
           let (a, b) = unzip (intrinsics.scatter_stream (zip dest flags) write (zip is xs))
           let add acc (i, x) = intrinsics.acc_write (intrinsics.acc_write acc i x) (i + 1) (2 * x)
           in (a, b, intrinsics.hist_stream dest (+) 0 add (zip is xs))",
        &[
            (Intrinsic::ScatterStream, scheme(&[k, n], &[a, b, acc], scatter)),
            (Intrinsic::HistStream, scheme(&[k, n], &[a, b, acc], hist)),
            (Intrinsic::AccWrite, scheme(&[], &[a, acc], write)),
        ],
        &["scatter_stream", "hist_stream", "acc_write"],
        include_str!("../../../../conformance/suite/prelude/accumulators.ir"),
    );
}
