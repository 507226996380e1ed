//! Probes: copies of a program in which derivatives say which nodes they have been through.
//!
//! Note [Probes]
//!
//! A copy of the program gets one more parameter, a vector of zeros with one element for each kind of node, which is handed to every function. Each
//! result of type float of a node of kind k goes through a *tap* that reads element k:
//!
//! ```text
//! adjoint:  v' = v + μ_k            tangent:  v' = v, and under jvp  v̇' = v̇ (1 + μ_k)
//! ```
//!
//! At μ = 0 nothing changes. The adjoint of μ_k is the sum of the adjoints of what nodes of kind k have given; with tangent taps, the adjoint of μ_k under
//! `vjp` of the program's `jvp` is the sum of products of tangents of what they have given and adjoints of these tangents. With random directions neither
//! sum is zero unless all its terms are. So it is not zero exactly where such a node ran, on something that is not empty, and a derivative other than
//! zero went through it to a result. An update of an accumulator is tapped at its operands.

use super::kind;
use futi_core::ir::build::{Builder, Vars, map_exp};
use futi_core::ir::visit::{VisitMut, walk_stm_mut};
use futi_core::ir::*;
use futi_interp::NodeKind;

/// What is tapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tap {
    Adjoint,
    Tangent,
}

/// The program with taps. The last parameter of the entry point is μ.
pub(super) fn probe(program: &Program, entry: &str, tap: Tap) -> Program {
    let mut program = program.clone();
    let mut vars = Vars::of(&program);
    let size = [Dim::Const(NodeKind::ALL.len() as i64)];
    let ty = Type::Scalar(ScalarType::F64).array_of(&size);
    for fun in &mut program.funs {
        let binder = vars.fresh("mu", ty.clone());
        Taps { vars: &mut vars, mu: binder.var, tap }.body(&mut fun.body);
        fun.params.push(FunParam { binder, unique: false });
        if fun.name.as_str() == entry
            && let Some(sig) = &mut fun.entry
        {
            let ty = EntryType::Array(vec!["".into()], Box::new(EntryType::Scalar(ScalarType::F64)));
            sig.params.push(EntryParam { name: "mu".into(), ty });
        }
    }
    program
}

struct Taps<'a> {
    vars: &'a mut Vars,
    mu: Var,
    tap: Tap,
}

impl VisitMut for Taps<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            walk_stm_mut(self, &mut stm);
            let kind = kind(&stm.exp);
            let mut before = Builder::new(self.vars, stm.prov);
            match &mut stm.exp {
                Exp::Apply { args, .. } => args.push(self.mu.into()),
                Exp::UpdAcc { values, .. } => {
                    for v in values {
                        *v = tapped(&mut before, self.tap, self.mu, kind, *v);
                    }
                }
                _ => {}
            }
            body.stms.append(&mut before.stms);
            let mut after = Vec::new();
            // what has not been written is no number
            if kind != NodeKind::Scratch {
                for p in stm.pat.iter_mut().filter(|p| p.ty.is_float()) {
                    let out = p.clone();
                    *p = self.vars.fresh(p.name.clone(), p.ty.clone());
                    let mut b = Builder::new(self.vars, stm.prov);
                    let e = tapped(&mut b, self.tap, self.mu, kind, p.var.into());
                    b.bind(vec![out], Exp::SubExp(e));
                    after.append(&mut b.stms);
                }
            }
            body.stms.push(stm);
            body.stms.append(&mut after);
        }
    }
}

/// The value through a tap; what is no float as it is.
fn tapped(b: &mut Builder, tap: Tap, mu: Var, kind: NodeKind, v: SubExp) -> SubExp {
    let ty = b.vars.type_of(v);
    let Some(elem) = ty.elem().filter(|t| t.is_float()) else { return v };
    let mut e: SubExp = b.index(mu, &[SubExp::i64(kind as i64)]).into();
    if elem != ScalarType::F64 {
        e = b.prim_op(Prim::Conv(ScalarType::F64, elem), &[e]);
    }
    match tap {
        Tap::Adjoint => each(b, v, e, elem.plus()),
        Tap::Tangent => {
            let scalar = Type::Scalar(elem);
            let lambda = b.lambda(&[("v", ty.clone()), ("e", scalar.clone())], |_, p| vec![p[0].into()]);
            let params = [("v", ty.clone()), ("e", scalar.clone()), ("v_dot", ty), ("e_dot", scalar)];
            let rule = b.lambda(&params, |b, p| {
                let one = b.prim_op(elem.plus(), &[p[1].into(), elem.one().into()]);
                vec![each(b, p[2].into(), one, elem.times())]
            });
            let custom = Custom { lambda, saved: 0, vjp: None, jvp: Some(rule), args: vec![v, e] };
            b.let_one("tap", custom.into()).into()
        }
    }
}

/// Each element with the scalar.
fn each(b: &mut Builder, v: SubExp, e: SubExp, op: Prim) -> SubExp {
    match (b.vars.type_of(v), v) {
        (ty @ Type::Array(..), SubExp::Var(array)) => {
            let map = b.lambda(&[("x", ty.row())], |b, p| vec![each(b, p[0].into(), e, op)]);
            b.let_one("tap", map_exp(ty.shape()[0], vec![array], map)).into()
        }
        _ => b.prim_op(op, &[v, e]),
    }
}
