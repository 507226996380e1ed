//! Text there and back, on random programs. They are well-formed as text only: types and scopes are left to chance.

use super::ir::*;
use crate::check::Checked;
use crate::ir::{Ident, Kernel, Named};
use futi_core::ir::{Check, Prov, ProvNode, ProvTable, RangeKind, Role, SubExp, Var};
use futi_core::prim::{Prim, Scalar, ScalarType};
use futi_core::value::Array;
use quickcheck::{Arbitrary, Gen, quickcheck};

#[derive(Clone, Debug)]
struct AnyProgram(HostProgram);

impl Arbitrary for AnyProgram {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut prov = ProvTable::default();
        if bool::arbitrary(g) {
            let file = prov.file("dir/a \"b\".fut");
            let span = prov.intern(ProvNode::Span { file, start: u32::arbitrary(g), end: 7 });
            prov.role(Role::Adjoint, span);
        }
        let kernels = many(g, 2, |g| HostKernel { kernel: kernel(g), sites: many(g, 2, site) });
        let constants = many(g, 3, constant);
        let checks = many(g, 4, site);
        let names = many(g, 2, ident);
        let thresholds = many(g, 2, |g| pick(g, &["main.enough_0", "a \"b\"", ""]).to_string());
        let mut program = HostProgram { kernels, constants, checks, thresholds, funs: Vec::new(), prov };
        program.funs = names.into_iter().map(|name| fun(g, name)).collect();
        AnyProgram(program)
    }
}

fn pick<T: Clone>(g: &mut Gen, xs: &[T]) -> T {
    xs[usize::arbitrary(g) % xs.len()].clone()
}

fn many<T>(g: &mut Gen, most: usize, mut f: impl FnMut(&mut Gen) -> T) -> Vec<T> {
    (0..usize::arbitrary(g) % (most + 1)).map(|_| f(g)).collect()
}

fn ident(g: &mut Gen) -> Ident {
    Ident::new(pick(g, &["", "x", "f64", "in", "1", "x_1", "true", "mem", "fun", "return"]))
}

fn scalar_type(g: &mut Gen) -> ScalarType {
    pick(g, &ScalarType::ALL)
}

fn scalar(g: &mut Gen) -> Scalar {
    match scalar_type(g) {
        ScalarType::Bool => Scalar::Bool(bool::arbitrary(g)),
        t if t.is_float() => Scalar::from_f64(t, f64::arbitrary(g)),
        t => Scalar::from_i64(t, pick(g, &[0, 1, -1, 77, i64::MIN, i64::MAX])),
    }
}

fn kernel(g: &mut Gen) -> Checked {
    let kernel = Kernel { name: ident(g), ..Kernel::new("", prov(g)) };
    Checked::new(kernel).expect("it does nothing")
}

fn constant(g: &mut Gen) -> Array {
    let x = scalar(g);
    Array::filled(&pick(g, &[vec![3], vec![0], vec![2, 2], vec![2, 0, 3]]), x)
}

fn prov(g: &mut Gen) -> Prov {
    Prov(pick(g, &[0, 1, 2, 40]))
}

fn site(g: &mut Gen) -> Site {
    let v = |n| SubExp::Var(Var(n));
    let d = |n| futi_core::ir::Dim::Var(Var(n));
    let message = pick(g, &["", "no", "a \"quoted\\ one\"\nand @3 more -- of it", "}"]);
    let checks = [
        Check::Assert(v(0), message.into()),
        Check::Bounds { indices: vec![v(0), v(1)], sizes: vec![d(2), d(3)] },
        Check::Slice { start: v(0), end: v(1), stride: v(2), size: d(3) },
        Check::SizeEq { actual: vec![d(0)], expected: vec![d(1)] },
        Check::NonZero(v(0)),
        Check::NonNegativeExponent(SubExp::Lit(scalar(g))),
        Check::NonNegativeSize(v(0)),
        Check::Shape(vec![d(0), d(1)]),
        Check::Made(Var(0)),
        Check::Range { start: v(0), second: Some(v(1)), end: v(2), kind: RangeKind::DownTo },
        Check::Range { start: v(0), second: None, end: v(1), kind: RangeKind::Inclusive },
    ];
    Site { check: pick(g, &checks), prov: prov(g) }
}

fn fun(g: &mut Gen, name: Ident) -> Fun {
    let named = |g: &mut Gen| Named { name: ident(g), ty: scalar_type(g) };
    let param = |g: &mut Gen| {
        if bool::arbitrary(g) {
            return Param::Scalar(var(g));
        }
        Param::Array { mem: mem(g), shape: many(g, 2, |g| exp(g, 1)), unique: bool::arbitrary(g) }
    };
    Fun {
        name,
        entry: pick(g, &[None, Some("main".into()), Some("a'b \"c\"\\".into())]),
        scalars: many(g, 4, named),
        mems: many(g, 4, named),
        params: many(g, 3, param),
        body: many(g, 5, |g| stm(g, 2)),
        results: many(g, 2, value),
    }
}

fn var(g: &mut Gen) -> HostScalar {
    HostScalar(u32::arbitrary(g) % 5)
}

fn mem(g: &mut Gen) -> Mem {
    Mem(u32::arbitrary(g) % 5)
}

fn number(g: &mut Gen) -> u32 {
    u32::arbitrary(g) % 3
}

fn exp(g: &mut Gen, depth: u32) -> Exp {
    match u32::arbitrary(g) % if depth == 0 { 4 } else { 7 } {
        0 => Exp::Lit(scalar(g)),
        1 => Exp::Var(var(g)),
        2 => Exp::Tuning(pick(g, &Tuning::ALL)),
        3 => Exp::GroupSize(KernelId(number(g))),
        4 => {
            let [wanted, own] = [(); 2].map(|()| Box::new(exp(g, depth - 1)));
            Exp::Groups { kernel: KernelId(number(g)), wanted, own }
        }
        5 => Exp::Few { threshold: ThresholdId(number(g)), points: Box::new(exp(g, depth - 1)) },
        _ => {
            let all: Vec<Prim> = Prim::all().collect();
            Exp::Prim(pick(g, &all), many(g, 3, |g| exp(g, depth - 1)))
        }
    }
}

fn value(g: &mut Gen) -> Value {
    if bool::arbitrary(g) {
        return Value::Scalar(exp(g, 2));
    }
    Value::Array { mem: mem(g), offset: exp(g, 1), shape: many(g, 2, |g| exp(g, 1)) }
}

fn slice(g: &mut Gen) -> Slice {
    Slice { mem: mem(g), offset: exp(g, 1), len: exp(g, 1) }
}

fn block(g: &mut Gen, depth: u32) -> Block {
    Block { stms: many(g, 3, |g| stm(g, depth)), scalars: many(g, 2, |g| exp(g, 1)), mems: many(g, 2, mem) }
}

fn stm(g: &mut Gen, depth: u32) -> Stm {
    let op = match u32::arbitrary(g) % if depth == 0 { 10 } else { 13 } {
        0 => Op::Let(var(g), exp(g, 3)),
        1 => Op::Check { check: CheckId(number(g)), operands: many(g, 3, |g| exp(g, 1)) },
        2 => Op::Alloc { mem: mem(g), scratch: bool::arbitrary(g), shape: many(g, 2, |g| exp(g, 1)) },
        3 => Op::Constant(mem(g), ConstantId(number(g))),
        4 => Op::Free(mem(g)),
        5 => Op::Copy { to: slice(g), from: slice(g) },
        6 => Op::Write { to: mem(g), index: exp(g, 1), value: exp(g, 1) },
        7 => Op::Read(many(g, 3, |g| (var(g), mem(g), exp(g, 1)))),
        8 => Op::Launch(Launch {
            kernel: KernelId(number(g)),
            groups: exp(g, 2),
            points: exp(g, 1),
            params: many(g, 2, |g| exp(g, 1)),
            blocks: many(g, 2, slice),
        }),
        9 => {
            let result = |g: &mut Gen| match bool::arbitrary(g) {
                true => CallResult::Scalar(var(g)),
                false => CallResult::Array(mem(g), var(g)),
            };
            Op::Call { fun: FunId(number(g)), args: many(g, 2, value), results: many(g, 2, result) }
        }
        10 => Op::If {
            cond: exp(g, 1),
            yes: block(g, depth - 1),
            no: block(g, depth - 1),
            scalars: many(g, 2, var),
            mems: many(g, 2, mem),
        },
        11 => Op::When { cond: mem(g), yes: block(g, depth - 1), no: block(g, depth - 1) },
        _ => Op::Loop {
            form: match number(g) % 3 {
                0 => Form::For(var(g), exp(g, 1)),
                1 => Form::While(number(g) as usize),
                _ => Form::Device(number(g) as usize),
            },
            scalars: many(g, 2, |g| (var(g), exp(g, 1))),
            mems: many(g, 2, |g| (mem(g), mem(g))),
            frees: many(g, 2, mem),
            body: block(g, depth - 1),
            last_scalars: many(g, 2, var),
            last_mems: many(g, 2, mem),
        },
    };
    Stm { op, prov: prov(g) }
}

quickcheck! {
    fn programs_come_back_from_their_text(program: AnyProgram) -> bool {
        let text = program.0.to_string();
        let back = text.parse::<HostProgram>();
        if back.as_ref() != Ok(&program.0) {
            eprintln!("{text}\n{:?}", back.err());
            return false;
        }
        true
    }

    fn text_that_ends_too_early_is_told_of(program: AnyProgram, at: usize) -> bool {
        let text = program.0.to_string();
        let cut: String = text.chars().take(at % text.chars().count()).collect();
        // it may be whole without its last lines
        cut.parse::<HostProgram>().map_or_else(|e| e.line <= cut.lines().count().max(1), |p| p.funs.len() <= program.0.funs.len())
    }

    fn checking_what_is_wrong_ends(program: AnyProgram) -> bool {
        // none of them has a panic, and few are right
        super::check::errors(&program.0).iter().all(|e| !e.to_string().is_empty())
    }
}
