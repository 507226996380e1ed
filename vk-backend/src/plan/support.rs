//! What kernels cannot compute yet, found in the whole program before anything is planned: a scalar type or operator without code in [`crate::glsl`]
//! is refused, also where only the host would meet it.

use crate::glsl::{supports, supports_type};
use futi_core::backend::Unsupported;
use futi_core::ir::visit::{Visit, walk_exp, walk_fun, walk_stm};
use futi_core::ir::{Exp, Program, Prov, Scalar, ScalarType, Stm, SubExp, Type};
use std::collections::BTreeSet;

/// Each scalar type and operator that is not supported, where it first stands.
pub(super) fn unsupported(program: &Program) -> Vec<Unsupported> {
    let mut finder = Finder { prov: Prov::UNKNOWN, seen: BTreeSet::new(), found: Vec::new() };
    program.funs.iter().for_each(|fun| walk_fun(&mut finder, fun));
    finder.found
}

struct Finder {
    /// Of the innermost statement.
    prov: Prov,
    seen: BTreeSet<String>,
    found: Vec<Unsupported>,
}

impl Finder {
    fn refuse(&mut self, construct: String) {
        if self.seen.insert(construct.clone()) {
            self.found.push(Unsupported { construct, missing: "code for it".into(), prov: self.prov });
        }
    }

    fn scalar_type(&mut self, ty: ScalarType) {
        if !supports_type(ty) {
            self.refuse(format!("a value of type {ty}"));
        }
    }

    fn literal(&mut self, x: Scalar) {
        self.scalar_type(x.scalar_type());
    }
}

impl Visit for Finder {
    fn subexp(&mut self, e: &SubExp) {
        if let SubExp::Lit(x) = e {
            self.literal(*x);
        }
    }

    fn ty(&mut self, t: &Type) {
        if let Some(elem) = t.elem() {
            self.scalar_type(elem);
        }
    }

    fn stm(&mut self, s: &Stm) {
        let outer = std::mem::replace(&mut self.prov, s.prov);
        walk_stm(self, s);
        self.prov = outer;
    }

    fn exp(&mut self, e: &Exp) {
        if let Exp::Prim(op, _) = e
            && !supports(*op)
        {
            self.refuse(format!("the operator {op}"));
        }
        walk_exp(self, e);
    }
}

#[cfg(test)]
mod tests {
    use crate::glsl_text;
    use futi_core::ir::Program;

    fn refused(text: &str) -> Vec<String> {
        let program: Program = format!("futi-ir 1\n{text}").parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let checked = futi_core::ir::check::check(program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        glsl_text(&checked).map_or_else(|e| e.into_iter().map(|u| u.construct).collect(), |_| Vec::new())
    }

    #[test]
    fn types_and_operators_without_code_are_refused() {
        let one = |param: &str, ret: &str, stm: &str| {
            let sig = format!("sig 0 (\"x\": {param}) -> {ret}");
            refused(&format!("entry \"f\"(x_0: {param}) -> (r_9: {ret}) {sig} {{ let (y_8: {ret}) = {stm} in (y_8) }}"))
        };
        assert!(one("f64", "f64", "sin.f64(x_0)").is_empty());
        assert!(one("f64", "i32", "conv.f64.i32(x_0)").is_empty());
        assert_eq!(one("f64", "f64", "gamma.f64(x_0)"), ["the operator gamma.f64"]);
        assert_eq!(one("i32", "i32", "popc.i32(x_0)"), ["the operator popc.i32"]);
        assert_eq!(one("f32", "f32", "fma.f32(x_0, x_0, x_0)"), ["the operator fma.f32"]);
        assert_eq!(one("i64", "i64", "conv.u8.i64(3u8)"), ["the operator conv.u8.i64", "a value of type u8"]);
        let narrow = one("u8", "u8", "add.u8(x_0, 1u8)");
        assert_eq!(narrow, ["a value of type u8", "the operator add.u8"]);
        assert_eq!(
            refused(
                "entry \"f\"(n_0: i64, xs_1: [n_0]f16) -> (r_2: [n_0]f16) sig 1 (\"xs\": [\"n\"]f16) -> [\"n\"]f16 { in (xs_1) }"
            ),
            ["a value of type f16"]
        );
    }

    #[test]
    fn what_is_refused_is_in_its_own_statement() {
        let text = "futi-ir 1\nentry \"f\"(b_0: bool, x_1: f64) -> (r_2: f64) sig 0 (\"b\": bool, \"x\": f64) -> f64 {
            let (y_3: u8) = if b_0 then { let (z_4: f64) = neg.f64(x_1) @2 in (1u8) } else { in (2u8) } @1
            in (x_1) }
            files \"a.fut\" prov 1 = span 0 0 1 prov 2 = span 0 2 3";
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let found = super::unsupported(&program);
        assert_eq!(found.iter().map(|u| u.prov.0).collect::<Vec<_>>(), [1]);
    }
}
