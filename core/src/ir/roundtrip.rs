//! Text there and back, on random programs. They are well-formed as text only: types and scopes are left to chance.

use super::*;
use quickcheck::{Arbitrary, Gen, quickcheck};

/// A random program.
#[derive(Clone, Debug)]
pub(super) struct AnyProgram(pub(super) Program);

impl Arbitrary for AnyProgram {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut prov = ProvTable::default();
        let file = prov.file("dir/a \"b\".fut");
        let span = prov.intern(ProvNode::Span { file, start: u32::arbitrary(g), end: 7 });
        let role = prov.role(*pick(g, &[Role::Tangent, Role::Adjoint, Role::Recomputed]), span);
        prov.intern(ProvNode::Inlined { body: role, call: span });
        prov.merge(role, span);
        let funs = (0..usize::arbitrary(g) % 3).map(|_| fun(g)).collect();
        AnyProgram(Program { funs, prov })
    }
}

fn pick<'a, T>(g: &mut Gen, xs: &'a [T]) -> &'a T {
    &xs[usize::arbitrary(g) % xs.len()]
}

fn many<T>(g: &mut Gen, most: usize, mut f: impl FnMut(&mut Gen) -> T) -> Vec<T> {
    let n = usize::arbitrary(g) % (most + 1);
    (0..n).map(|_| f(g)).collect()
}

fn some<T>(g: &mut Gen, most: usize, mut f: impl FnMut(&mut Gen) -> T) -> Vec<T> {
    let n = 1 + usize::arbitrary(g) % most;
    (0..n).map(|_| f(g)).collect()
}

fn name(g: &mut Gen) -> Name {
    (*pick(g, &["x", "f64", "let", "a'", "_", "x_1", "in", "true"])).into()
}

fn text(g: &mut Gen) -> Name {
    (*pick(g, &["", "main", "f64.sum#1", "a \"quoted\\ one\"\nand more", "unsafe"])).into()
}

fn var(g: &mut Gen) -> Var {
    Var(u32::arbitrary(g) % 50)
}

fn scalar(g: &mut Gen) -> Scalar {
    match scalar_type(g) {
        ScalarType::Bool => Scalar::Bool(bool::arbitrary(g)),
        t if t.is_float() => Scalar::from_f64(t, f64::arbitrary(g)),
        // the extremes of every width; narrower types take the low bits
        t => Scalar::from_i64(t, *pick(g, &[0, 1, -1, 77, i64::MIN, i64::MAX, 1 << 31, 1 << 15, 1 << 7])),
    }
}

fn subexp(g: &mut Gen) -> SubExp {
    if bool::arbitrary(g) { var(g).into() } else { scalar(g).into() }
}

fn dim(g: &mut Gen) -> Dim {
    if bool::arbitrary(g) { Dim::Var(var(g)) } else { Dim::Const(i64::arbitrary(g)) }
}

fn dims(g: &mut Gen) -> Vec<Dim> {
    some(g, 2, dim)
}

fn scalar_type(g: &mut Gen) -> ScalarType {
    *pick(g, &ScalarType::ALL)
}

fn ty(g: &mut Gen) -> Type {
    match u8::arbitrary(g) % 6 {
        0 => Type::Cert,
        1 => Type::Acc(AccType { id: var(g), shape: dims(g), elems: some(g, 2, |g| Type::Scalar(scalar_type(g))) }),
        2 => Type::Array(scalar_type(g), dims(g)),
        _ => Type::Scalar(scalar_type(g)),
    }
}

fn binder(g: &mut Gen) -> Binder {
    Binder { var: var(g), name: name(g), ty: ty(g) }
}

fn entry_type(g: &mut Gen, depth: u8) -> EntryType {
    match u8::arbitrary(g) % if depth == 0 { 1 } else { 6 } {
        0 => EntryType::Scalar(scalar_type(g)),
        1 => EntryType::Array(some(g, 2, text), Box::new(EntryType::Scalar(scalar_type(g)))),
        2 => EntryType::Tuple(many(g, 3, |g| entry_type(g, depth - 1))),
        3 => EntryType::Opaque(text(g), many(g, 2, |g| entry_type(g, depth - 1))),
        4 => {
            let variant = |g: &mut Gen| Variant {
                name: text(g),
                holds: many(g, 2, |g| entry_type(g, depth - 1)),
                places: many(g, 3, |g| usize::arbitrary(g) % 9),
            };
            EntryType::Sum(text(g), many(g, 2, |g| entry_type(g, depth - 1)), many(g, 2, variant))
        }
        _ => EntryType::Record(many(g, 2, |g| (text(g), entry_type(g, depth - 1)))),
    }
}

fn fun(g: &mut Gen) -> Fun {
    let entry = bool::arbitrary(g).then(|| EntrySig {
        sizes: usize::arbitrary(g) % 4,
        params: many(g, 2, |g| EntryParam { name: text(g), ty: entry_type(g, 2) }),
        result: entry_type(g, 2),
    });
    Fun {
        name: text(g),
        entry,
        params: many(g, 2, |g| FunParam { binder: binder(g), unique: bool::arbitrary(g) }),
        results: many(g, 2, |g| FunResult { binder: binder(g), unique: bool::arbitrary(g) }),
        body: body(g, 3),
    }
}

fn body(g: &mut Gen, depth: u8) -> Body {
    Body { stms: many(g, 4, |g| stm(g, depth)), result: many(g, 2, subexp) }
}

fn stm(g: &mut Gen, depth: u8) -> Stm {
    let attr = |g: &mut Gen| Attr { name: text(g), arg: Option::arbitrary(g) };
    Stm {
        pat: many(g, 2, binder),
        exp: exp(g, depth),
        certs: many(g, 2, var),
        attrs: many(g, 1, attr),
        prov: Prov(u32::arbitrary(g) % 3),
    }
}

fn lambda(g: &mut Gen, depth: u8) -> Lambda {
    Lambda { params: many(g, 2, binder), ret: many(g, 2, ty), body: body(g, depth) }
}

fn operator(g: &mut Gen, depth: u8) -> Operator {
    Operator { lambda: lambda(g, depth), neutral: many(g, 2, subexp), commutative: bool::arbitrary(g) }
}

fn ad(g: &mut Gen, depth: u8) -> Ad {
    Ad { lambda: lambda(g, depth), args: many(g, 2, subexp), seeds: many(g, 2, subexp), seed_shape: many(g, 2, dim) }
}

fn check(g: &mut Gen) -> Check {
    match u8::arbitrary(g) % 10 {
        0 => Check::Assert(subexp(g), text(g)),
        1 => Check::Bounds { indices: many(g, 2, subexp), sizes: dims(g) },
        2 => Check::SizeEq { actual: dims(g), expected: dims(g) },
        6 => Check::Slice { start: subexp(g), end: subexp(g), stride: subexp(g), size: dim(g) },
        3 => Check::NonZero(subexp(g)),
        4 => Check::NonNegativeExponent(subexp(g)),
        5 => Check::NonNegativeSize(subexp(g)),
        7 => Check::Shape(dims(g)),
        8 => Check::Made(var(g)),
        _ => {
            let kind = *pick(g, &[RangeKind::Inclusive, RangeKind::UpTo, RangeKind::DownTo]);
            Check::Range { start: subexp(g), second: bool::arbitrary(g).then(|| subexp(g)), end: subexp(g), kind }
        }
    }
}

fn slice_dim(g: &mut Gen) -> SliceDim {
    if bool::arbitrary(g) {
        SliceDim::Fix(subexp(g))
    } else {
        SliceDim::Range { start: subexp(g), count: dim(g), stride: subexp(g) }
    }
}

fn hist_op(g: &mut Gen, depth: u8) -> HistOp {
    HistOp { shape: dims(g), dests: many(g, 2, var), op: operator(g, depth) }
}

/// How many kinds of expressions without bodies there are below, and how many with.
const FLAT: u8 = 26;
const NESTED: u8 = 13;

fn exp(g: &mut Gen, depth: u8) -> Exp {
    match u8::arbitrary(g) % if depth == 0 { FLAT } else { FLAT + NESTED } {
        0 | 1 => Exp::SubExp(subexp(g)),
        2 | 3 => {
            let prims: Vec<Prim> = Prim::all().collect();
            Exp::Prim(*pick(g, &prims), many(g, 3, subexp))
        }
        4 => Exp::ArrayLit { elems: many(g, 3, subexp), row: ty(g) },
        5 => Exp::Index { array: var(g), indices: some(g, 2, subexp) },
        6 => Exp::Update { array: var(g), indices: some(g, 2, subexp), value: subexp(g) },
        7 => Exp::Iota { n: subexp(g), start: subexp(g), step: subexp(g), elem: scalar_type(g) },
        8 => Exp::Replicate { shape: dims(g), value: subexp(g) },
        9 => Exp::Scratch { elem: scalar_type(g), shape: dims(g) },
        10 => Exp::Rearrange { perm: vec![1, 0, 2], array: var(g) },
        11 => Exp::Reshape { shape: dims(g), array: var(g) },
        12 => Exp::Coerce { shape: dims(g), array: var(g) },
        13 => Exp::Reverse { array: var(g) },
        14 => Exp::Concat { arrays: many(g, 2, var), size: dim(g) },
        15 => Exp::Copy(var(g)),
        16 => Exp::Check(check(g)),
        17 => Exp::Apply { fun: text(g), args: many(g, 2, subexp) },
        18 => Exp::UpdAcc { acc: var(g), indices: many(g, 2, subexp), values: many(g, 2, subexp) },
        19 => Exp::Opaque(subexp(g)),
        20 => Exp::Slice { array: var(g), slice: some(g, 2, slice_dim) },
        21 => Exp::UpdateSlice { array: var(g), slice: some(g, 2, slice_dim), value: var(g) },
        22 => Exp::FlatIndex { array: var(g), offset: subexp(g), dims: some(g, 2, |g| (dim(g), subexp(g))) },
        23 => {
            let dims = some(g, 2, |g| (dim(g), subexp(g)));
            Exp::FlatUpdate { array: var(g), offset: subexp(g), dims, value: var(g) }
        }
        24 => Exp::Rotate { by: subexp(g), array: var(g) },
        25 => Exp::Manifest { perm: vec![1, 0], array: var(g) },
        26 => Exp::If { cond: subexp(g), yes: body(g, depth - 1), no: body(g, depth - 1) },
        27 => {
            let param = |g: &mut Gen| LoopParam { binder: binder(g), unique: bool::arbitrary(g), init: subexp(g) };
            let form = if bool::arbitrary(g) {
                LoopForm::For { index: binder(g), bound: subexp(g) }
            } else {
                LoopForm::While(var(g))
            };
            Exp::Loop { params: many(g, 2, param), form, body: body(g, depth - 1) }
        }
        28 => Exp::from(Screma {
            width: dim(g),
            arrays: many(g, 2, var),
            map: lambda(g, depth - 1),
            scans: many(g, 1, |g| operator(g, depth - 1)),
            reduces: many(g, 1, |g| operator(g, depth - 1)),
            post: bool::arbitrary(g).then(|| lambda(g, depth - 1)),
        }),
        29 => {
            let input = |g: &mut Gen| AccInput { shape: dims(g), arrays: many(g, 2, var), op: operator(g, 0) };
            Exp::WithAcc(WithAcc { inputs: many(g, 2, input), lambda: lambda(g, depth - 1) })
        }
        30 => Exp::Jvp(ad(g, depth - 1)),
        31 => Exp::Vjp(ad(g, depth - 1)),
        32 => {
            let pattern = |g: &mut Gen| many(g, 2, |g| bool::arbitrary(g).then(|| scalar(g)));
            let cases = many(g, 2, |g| Case { pattern: pattern(g), body: body(g, depth - 1) });
            Exp::Match { scrutinees: many(g, 2, subexp), cases, default: body(g, depth - 1) }
        }
        33 => Exp::from(Hist {
            width: dim(g),
            arrays: many(g, 2, var),
            map: lambda(g, depth - 1),
            ops: many(g, 2, |g| hist_op(g, depth - 1)),
        }),
        34 => Exp::from(Scatter {
            width: dim(g),
            arrays: many(g, 2, var),
            map: lambda(g, depth - 1),
            dests: many(g, 2, |g| ScatterDest { shape: dims(g), array: var(g) }),
        }),
        35 => {
            let form = if bool::arbitrary(g) {
                StreamForm::Seq(many(g, 2, subexp))
            } else {
                StreamForm::Par(operator(g, depth - 1))
            };
            Exp::from(Stream { width: dim(g), arrays: many(g, 2, var), form, lambda: lambda(g, depth - 1) })
        }
        36 => Exp::from(FlatMap {
            width: dim(g),
            arrays: many(g, 2, var),
            size: binder(g),
            irregular: usize::arbitrary(g) % 3,
            lambda: lambda(g, depth - 1),
        }),
        37 => Exp::from(Custom {
            lambda: lambda(g, depth - 1),
            saved: usize::arbitrary(g) % 3,
            vjp: bool::arbitrary(g).then(|| lambda(g, depth - 1)),
            jvp: bool::arbitrary(g).then(|| lambda(g, depth - 1)),
            args: many(g, 2, subexp),
        }),
        _ => Exp::SegOp(SegOp {
            level: *pick(g, &[Level::Grid, Level::Group]),
            space: some(g, 2, |g| (binder(g), dim(g))),
            kind: match u8::arbitrary(g) % 4 {
                0 => SegKind::Map,
                1 => SegKind::Scan(some(g, 2, |g| operator(g, depth - 1))),
                2 => SegKind::Reduce(some(g, 2, |g| operator(g, depth - 1))),
                _ => SegKind::Write(some(g, 2, |g| ScatterDest { shape: dims(g), array: var(g) })),
            },
            ret: many(g, 2, ty),
            body: body(g, depth - 1),
        }),
    }
}

quickcheck! {
    fn text_comes_back_as_the_same_program(p: AnyProgram) -> bool {
        p.0.to_string().parse::<Program>().as_ref() == Ok(&p.0)
    }
}
