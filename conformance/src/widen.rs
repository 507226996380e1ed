//! The same program in double precision: numerical differentiation needs the digits, and judges the derivative, not the rounding of `f32`.

use crate::random::rebuilt;
use futi_core::ir::visit::{VisitMut, walk_exp_mut, walk_fun_mut, walk_type_mut};
use futi_core::ir::*;
use futi_core::value::Value;

/// The program with `f64` for `f32`.
pub fn widened(program: &Program) -> Program {
    let mut program = program.clone();
    for fun in &mut program.funs {
        walk_fun_mut(&mut Widen, fun);
        if let Some(sig) = &mut fun.entry {
            sig.params.iter_mut().for_each(|p| widen_entry(&mut p.ty));
            widen_entry(&mut sig.result);
        }
    }
    program
}

/// The value with `f64` for `f32`.
pub fn widened_value(v: &Value) -> Value {
    rebuilt(wide(v.elem()), v.shape(), v.elements())
}

fn wide(t: ScalarType) -> ScalarType {
    if t == ScalarType::F32 { ScalarType::F64 } else { t }
}

fn widen_entry(t: &mut EntryType) {
    match t {
        EntryType::Scalar(s) => *s = wide(*s),
        EntryType::Array(_, elem) => widen_entry(elem),
        EntryType::Tuple(ts) => ts.iter_mut().for_each(widen_entry),
        EntryType::Record(fs) => fs.iter_mut().for_each(|(_, t)| widen_entry(t)),
    }
}

fn widen_prim(op: Prim) -> Prim {
    match op {
        Prim::Un(op, t) => Prim::Un(op, wide(t)),
        Prim::Bin(op, t) => Prim::Bin(op, wide(t)),
        Prim::Tern(op, t) => Prim::Tern(op, wide(t)),
        Prim::Cmp(op, t) => Prim::Cmp(op, wide(t)),
        Prim::Conv(a, b) => Prim::Conv(wide(a), wide(b)),
        Prim::Select(t) => Prim::Select(wide(t)),
    }
}

fn widen_scalar(x: &mut Scalar) {
    if let Scalar::F32(single) = x {
        *x = Scalar::F64(*single as f64);
    }
}

struct Widen;

impl VisitMut for Widen {
    fn subexp(&mut self, e: &mut SubExp) {
        if let SubExp::Lit(x) = e {
            widen_scalar(x);
        }
    }
    fn ty(&mut self, t: &mut Type) {
        match t {
            Type::Scalar(s) | Type::Array(s, _) => *s = wide(*s),
            Type::Acc(_) | Type::Cert => {}
        }
        walk_type_mut(self, t);
    }
    fn exp(&mut self, e: &mut Exp) {
        match e {
            Exp::Prim(op, _) => *op = widen_prim(*op),
            Exp::Scratch { elem, .. } => *elem = wide(*elem),
            Exp::Match { cases, .. } => cases.iter_mut().flat_map(|c| &mut c.pattern).flatten().for_each(widen_scalar),
            _ => {}
        }
        walk_exp_mut(self, e);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_f32() {
        let text =
            include_str!("../../core/src/ir/check/every_node.ir").replace("pick.f64", "pick").replace("f64", "f32");
        let program: Program = text.parse().unwrap();
        let wide = widened(&program);
        assert!(!wide.to_string().contains("f32"), "{wide}");
        assert_eq!(check::errors(&wide), []);
    }
}
