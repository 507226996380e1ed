//! Faults planted to see the harness catch them.
//!
//! Both kinds are planted in programs, not in the compiler: what the compiler would make of a program if a rule of differentiation, or an entry of
//! the table of partials, were wrong.

use futi_core::ir::build::{Builder, Vars};
use futi_core::ir::visit::{VisitMut, walk_body_mut, walk_fun_mut, walk_stm_mut};
use futi_core::ir::*;
use std::fmt;

/// A planted fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// In what AD by transformation has made.
    Ad(AdFault),
    /// In the table of partials: that of this operator is too large by one.
    Table(UnOp),
}

impl Fault {
    /// The fault of that name: `ad-sign`, `ad-factor`, `ad-term`, or `table-` and an operator of one operand.
    pub fn from_name(name: &str) -> Option<Fault> {
        if let Some(op) = name.strip_prefix("table-") {
            return UnOp::from_name(op).map(Fault::Table);
        }
        AdFault::ALL.into_iter().map(Fault::Ad).find(|f| f.to_string() == name)
    }

    /// The program as lowered, with the fault if it is one that shows there.
    pub fn plant_lowered(self, program: Program) -> Program {
        match self {
            Fault::Table(op) => wrong_partial(program, op),
            Fault::Ad(_) => program,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Ad(AdFault::Sign) => f.write_str("ad-sign"),
            Fault::Ad(AdFault::Factor) => f.write_str("ad-factor"),
            Fault::Ad(AdFault::Term) => f.write_str("ad-term"),
            Fault::Table(op) => write!(f, "table-{}", op.name()),
        }
    }
}

/// A wrong rule of the transformation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdFault {
    /// A contribution to an adjoint has the wrong sign: `x̄ + e` is `x̄ - e`, and `-ȳ` is `ȳ`.
    Sign,
    /// A factor is the wrong one: `a * b` is `a * a`.
    Factor,
    /// A contribution is dropped: `x̄ + e` is `x̄`.
    Term,
}

impl AdFault {
    /// All.
    pub const ALL: [AdFault; 3] = [AdFault::Sign, AdFault::Factor, AdFault::Term];

    /// Corrupts each scalar statement in the role of an adjoint that the fault is about.
    pub fn plant(self, mut program: Program) -> Program {
        let prov = program.prov.clone();
        let mut plant = PlantAd { fault: self, prov: &prov };
        program.funs.iter_mut().for_each(|f| walk_fun_mut(&mut plant, f));
        program
    }
}

struct PlantAd<'a> {
    fault: AdFault,
    prov: &'a ProvTable,
}

impl VisitMut for PlantAd<'_> {
    fn stm(&mut self, stm: &mut Stm) {
        walk_stm_mut(self, stm);
        let adjoint = matches!(self.prov.node(stm.prov), ProvNode::Role { role: Role::Adjoint, .. });
        if let Exp::Prim(op, args) = &stm.exp
            && adjoint
            && let Some(wrong) = self.fault.wrong(*op, args)
        {
            stm.exp = wrong;
        }
    }
}

impl AdFault {
    fn wrong(self, op: Prim, args: &[SubExp]) -> Option<Exp> {
        match (self, op) {
            (AdFault::Sign, Prim::Bin(BinOp::Add, t)) => Some(Exp::Prim(Prim::Bin(BinOp::Sub, t), args.to_vec())),
            (AdFault::Sign, Prim::Un(UnOp::Neg, _)) => Some(Exp::SubExp(args[0])),
            (AdFault::Factor, Prim::Bin(BinOp::Mul | BinOp::Zmul, _)) => Some(Exp::Prim(op, vec![args[0], args[0]])),
            (AdFault::Term, Prim::Bin(BinOp::Add, _)) => Some(Exp::SubExp(args[0])),
            _ => None,
        }
    }
}

// Note [A wrong entry in the table, as a program]
//
// Both implementations of AD read the same table, so a wrong entry is one that both believe. The same is had without touching the table: `op x` is
// replaced by `op x + (x - x')`, where x' = trunc(x * 2^100) * 2^-100 has the value of x for every x that matters (scaling by a power of two is exact,
// and the scaled number is an integer from 2^-48 on), and the table says that the derivative of `trunc` is 0. The value is that of `op x`, bit by
// bit except for the sign of a zero; its derivative by the table is that of `op x` plus one, and by differences it is what it was.

/// 2^100 and its inverse.
const SCALE: f64 = (1u128 << 100) as f64;

/// The program with `op` as if its partial were too large by one.
fn wrong_partial(mut program: Program, op: UnOp) -> Program {
    let mut vars = Vars::of(&program);
    program.funs.iter_mut().for_each(|f| walk_fun_mut(&mut PlantPartial { op, vars: &mut vars }, f));
    program
}

struct PlantPartial<'a> {
    op: UnOp,
    vars: &'a mut Vars,
}

impl VisitMut for PlantPartial<'_> {
    fn body(&mut self, body: &mut Body) {
        walk_body_mut(self, body);
        let mut b = Builder::new(self.vars, Prov::UNKNOWN);
        for mut stm in std::mem::take(&mut body.stms) {
            match &stm.exp {
                // f32 has no such powers of two to spare beside its range, but enough for numbers of everyday size
                Exp::Prim(Prim::Un(op, t), args) if *op == self.op && t.is_float() => {
                    b.prov = stm.prov;
                    let (t, x) = (*t, args[0]);
                    let bin = |op| Prim::Bin(op, t);
                    let y = b.prim_op(Prim::Un(*op, t), &[x]);
                    let scaled = b.prim_op(bin(BinOp::Mul), &[x, Scalar::from_f64(t, SCALE).into()]);
                    let whole = b.prim_op(Prim::Un(UnOp::Trunc, t), &[scaled]);
                    let same = b.prim_op(bin(BinOp::Mul), &[whole, Scalar::from_f64(t, 1.0 / SCALE).into()]);
                    let zero = b.prim_op(bin(BinOp::Sub), &[x, same]);
                    stm.exp = Exp::Prim(bin(BinOp::Add), vec![y, zero]);
                }
                _ => {}
            }
            b.push(stm);
        }
        body.stms = b.stms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::value::text::parse_values;
    use futi_interp::{Ctx, eval};

    #[test]
    fn names_are_read_back() {
        let faults = AdFault::ALL.map(Fault::Ad).into_iter().chain([Fault::Table(UnOp::Sin)]);
        for fault in faults {
            assert_eq!(Fault::from_name(&fault.to_string()), Some(fault));
        }
        assert_eq!(Fault::from_name("nonsense"), None);
    }

    #[test]
    fn a_wrong_partial_changes_derivatives_and_no_value() {
        let program: Program = "futi-ir 1
            fun \"f\"(x_0: f64) -> (r_1: f64) { let (y_2: f64) = sin.f64(x_0) in (y_2) }
            fun \"g\"(x_3: f64) -> (r_4: f64, s_5: f64) {
              let (y_6: f64, d_7: f64) = jvp \\(x_8: f64) -> (f64) { let (y_9: f64) = call \"f\"(x_8) in (y_9) } at (x_3) with (1.0f64)
              in (y_6, d_7)
            }"
        .parse()
        .unwrap();
        let planted = Fault::Table(UnOp::Sin).plant_lowered(program.clone());
        assert_eq!(check::errors(&planted), []);
        let run = |p: &Program| eval(p, "g", &parse_values("0.7").unwrap(), &Ctx::default()).unwrap();
        let (honest, wrong) = (run(&program), run(&planted));
        assert_eq!(honest[0], wrong[0]);
        let derivative = |v: &futi_core::value::Value| v.as_scalar().unwrap().to_f64();
        assert_eq!(derivative(&honest[1]), 0.7f64.cos());
        assert_eq!(derivative(&wrong[1]), 0.7f64.cos() + 1.0);
    }

    #[test]
    fn wrong_rules_touch_statements_of_adjoints_only() {
        let program: Program = "futi-ir 1
            fun \"f\"(x_0: f64, y_1: f64) -> (r_2: f64, s_3: f64) {
              let (a_4: f64) = mul.f64(x_0, y_1) @1
              let (b_5: f64) = mul.f64(x_0, y_1) @2
              let (c_6: f64) = add.f64(a_4, b_5) @2
              in (c_6, a_4)
            }
            files \"a.fut\"
            prov 1 = span 0 0 1
            prov 2 = adjoint 1"
            .parse()
            .unwrap();
        let run = |rule: AdFault| {
            let planted = rule.plant(program.clone());
            let results = eval(&planted, "f", &parse_values("2.0 3.0").unwrap(), &Ctx::default()).unwrap();
            results.iter().map(|v| v.as_scalar().unwrap().to_f64()).collect::<Vec<_>>()
        };
        assert_eq!(run(AdFault::Sign), [0.0, 6.0]);
        assert_eq!(run(AdFault::Factor), [10.0, 6.0]);
        assert_eq!(run(AdFault::Term), [6.0, 6.0]);
    }
}
