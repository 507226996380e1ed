//! The same program in double precision: numerical differentiation needs the digits, and judges the derivative, not the rounding of `f32` and `f16`.
//!
//! Operators on bits mean something else at another width: see [`crate::applies::narrow`].

use crate::random::rebuilt;
use futi_core::ir::visit::{Visit, VisitMut, walk_exp_mut, walk_fun, walk_fun_mut, walk_type_mut};
use futi_core::ir::*;
use futi_core::value::Value;
use std::collections::BTreeSet;

/// The program with `f64` for narrower floats.
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

/// The value with `f64` for a narrower float.
pub fn widened_value(v: &Value) -> Value {
    rebuilt(wide(v.elem()), v.shape(), v.elements())
}

/// The type of all floats of a program, if there is one and it is narrower than `f64`.
pub fn the_narrow_float(program: &Program) -> Option<ScalarType> {
    let mut floats = floats(program).into_iter();
    floats.next().filter(|t| *t != ScalarType::F64 && floats.next().is_none())
}

/// The types of floats in a program, the narrowest first.
pub fn floats(program: &Program) -> Vec<ScalarType> {
    #[derive(Default)]
    struct Floats(BTreeSet<ScalarType>);
    impl Visit for Floats {
        fn subexp(&mut self, e: &SubExp) {
            self.0.extend(e.as_lit().map(Scalar::scalar_type));
        }
        fn ty(&mut self, t: &Type) {
            self.0.extend(t.elem());
        }
    }
    let mut floats = Floats::default();
    program.funs.iter().for_each(|f| walk_fun(&mut floats, f));
    floats.0.into_iter().filter(|t| t.is_float()).collect()
}

fn wide(t: ScalarType) -> ScalarType {
    if t.is_float() { ScalarType::F64 } else { t }
}

fn widen_entry(t: &mut EntryType) {
    match t {
        EntryType::Scalar(s) => *s = wide(*s),
        EntryType::Array(_, elem) => widen_entry(elem),
        EntryType::Tuple(ts) | EntryType::Opaque(_, ts) => ts.iter_mut().for_each(widen_entry),
        EntryType::Sum(_, ts, variants) => {
            let held = variants.iter_mut().flat_map(|variant| &mut variant.holds);
            ts.iter_mut().chain(held).for_each(widen_entry);
        }
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
    if x.scalar_type().is_float() {
        *x = Scalar::F64(x.to_f64());
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
    fn the_one_narrow_type_is_found() {
        let program = |x: &str, y: &str| -> Program {
            format!("futi-ir 1\nfun \"f\"(x_0: {x}, i_1: i32) -> (r_2: {x}) {{ let (y_3: {y}) = conv.{x}.{y}(x_0) in (x_0) }}").parse().unwrap()
        };
        assert_eq!(the_narrow_float(&program("f32", "f32")), Some(ScalarType::F32));
        assert_eq!(the_narrow_float(&program("f16", "i64")), Some(ScalarType::F16));
        assert_eq!(the_narrow_float(&program("f32", "f64")), None);
        assert_eq!(the_narrow_float(&program("f64", "i64")), None);
    }

    #[test]
    fn nothing_is_left_of_narrow_floats() {
        for narrow in ["f32", "f16"] {
            let text = include_str!("../../core/src/ir/check/every_node.ir")
                .replace("pick.f64", "pick")
                .replace("f64", narrow);
            let wide = widened(&text.parse().unwrap());
            assert!(!wide.to_string().contains(narrow), "{wide}");
            assert_eq!(check::errors(&wide), []);
        }
    }
}
