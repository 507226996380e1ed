//! Random programs of every node: slices, views and updates by strides, rotation, layout, match, histograms, scatters, streams, flatmaps, functions
//! after scans, functions with derivatives of their own, accumulators, recursion; scalar code over all scalar types. What they compute is defined to
//! the bit: it does not depend on a partition, and no position is scattered to twice.

use super::{COLUMNS, Rng};
use futi_core::ir::build::{Builder, Vars, map_exp};
use futi_core::ir::*;
use futi_core::value::Value;

/// What can be used at a point of the program: scalars, and arrays of shape [n], [2] or [n][2]. n is 3.
type Scope = Vec<SubExp>;

const ELEMS: [ScalarType; 6] =
    [ScalarType::I64, ScalarType::F64, ScalarType::I32, ScalarType::Bool, ScalarType::U8, ScalarType::F32];
const TWO: Dim = Dim::Const(2);

/// The recursive function and the one that is not, which every program can call.
const POWER: &str = "power";
const SWAP: &str = "swap";

struct Gen {
    rng: Rng,
    n: Dim,
    prims: Vec<Prim>,
}

/// A program of functions `main`, `power` and `swap`.
pub fn program_of_all_nodes(seed: u64) -> Program {
    let mut vars = Vars::default();
    let helpers = [power(&mut vars), swap(&mut vars)];
    let size = vars.fresh("n", Type::I64);
    let n = Dim::Var(size.var);
    let mut g = Gen { rng: Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), n, prims: prims() };
    let types = [
        Type::Scalar(ScalarType::F64).array_of(&[n]),
        Type::I64.array_of(&[n, COLUMNS]),
        Type::Scalar(ScalarType::I32).array_of(&[n]),
        Type::I64,
    ];
    let params: Vec<Binder> = types.iter().map(|t| vars.fresh("arg", t.clone())).collect();
    let mut scope: Scope = params.iter().map(|p| p.var.into()).chain([size.var.into()]).collect();
    let mut b = Builder::new(&mut vars, Prov::UNKNOWN);
    let count = 6 + g.rng.below(8);
    g.body(&mut b, &mut scope, 2, count);
    let types: Vec<Type> = (0..4).map(|_| g.ty()).collect();
    let mut result: Vec<SubExp> = types.iter().map(|t| g.value(&mut b, &scope, t)).collect();
    // the last statement's results count: programs are not dead
    let last = b.stms.iter().rev().flat_map(|s| &s.pat).find(|p| p.ty.elem().is_some() && closed(&p.ty, n)).cloned();
    result.extend(last.iter().map(|p| SubExp::Var(p.var)));
    let types: Vec<Type> = types.into_iter().chain(last.map(|p| p.ty)).collect();
    let stms = b.stms;
    let results = types.into_iter().map(|t| FunResult { binder: vars.fresh("r", t), unique: false }).collect();
    let params = std::iter::once(size).chain(params).map(|binder| FunParam { binder, unique: false }).collect();
    let main = Fun { name: "main".into(), entry: None, params, results, body: Body { stms, result } };
    Program { funs: [vec![main], helpers.to_vec()].concat(), prov: ProvTable::default() }
}

/// Arguments for it.
pub fn arguments_of_all_nodes() -> Vec<Value> {
    crate::common::values(
        "3i64 [0.5f64,-0.25f64,0.75f64] [[1i64,2i64],[-3i64,4i64],[5i64,-6i64]] [7i32,0i32,-2i32] 2i64",
    )
}

fn closed(ty: &Type, n: Dim) -> bool {
    ty.shape().iter().all(|d| *d == n || matches!(d, Dim::Const(_)))
}

/// All operators but those that see the sign and payload of a NaN, which nothing defines.
fn prims() -> Vec<Prim> {
    let defined = |op: &Prim| match op {
        Prim::Un(UnOp::ToBits, _) | Prim::Bin(BinOp::Copysign, _) => false,
        Prim::Bin(BinOp::GetBit, t) | Prim::Tern(futi_core::prim::TernOp::SetBit, t) => !t.is_float(),
        _ => true,
    };
    Prim::all().filter(defined).collect()
}

/// `power(k, x) = if k <= 0 then x else power(k - 1, 3 * x)`.
fn power(vars: &mut Vars) -> Fun {
    let params = [vars.fresh("k", Type::I64), vars.fresh("x", Type::I64)];
    let (k, x) = (SubExp::from(params[0].var), SubExp::from(params[1].var));
    let mut b = Builder::new(vars, Prov::UNKNOWN);
    let done = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[k, SubExp::i64(0)]);
    let yes = Body { stms: Vec::new(), result: vec![x] };
    let no = b.inner(|b| {
        let less = b.prim_op(Prim::Bin(BinOp::Sub, ScalarType::I64), &[k, SubExp::i64(1)]);
        let more = b.prim_op(Prim::Bin(BinOp::Mul, ScalarType::I64), &[SubExp::i64(3), x]);
        let r = b.vars.fresh("r", Type::I64);
        b.bind(vec![r.clone()], Exp::Apply { fun: POWER.into(), args: vec![less, more] });
        vec![r.var.into()]
    });
    let result = b.let_one("r", Exp::If { cond: done, yes, no });
    let stms = b.stms;
    let results = vec![FunResult { binder: vars.fresh("r", Type::I64), unique: false }];
    let params = params.into_iter().map(|binder| FunParam { binder, unique: false }).collect();
    Fun { name: POWER.into(), entry: None, params, results, body: Body { stms, result: vec![result.into()] } }
}

/// `swap(m, *xs) = xs with [0:2:1] = xs[1:2:-1]`, at least two elements.
fn swap(vars: &mut Vars) -> Fun {
    let m = vars.fresh("m", Type::I64);
    let ty = Type::I64.array_of(&[Dim::Var(m.var)]);
    let xs = vars.fresh("xs", ty.clone());
    let mut b = Builder::new(vars, Prov::UNKNOWN);
    let range =
        |start, stride| vec![SliceDim::Range { start: SubExp::i64(start), count: TWO, stride: SubExp::i64(stride) }];
    let two = b.let_one("two", Exp::Slice { array: xs.var, slice: range(1, -1) });
    let value = b.let_one("two", Exp::Copy(two));
    let out = b.let_one("xs", Exp::UpdateSlice { array: xs.var, slice: range(0, 1), value });
    let stms = b.stms;
    let results = vec![FunResult { binder: vars.fresh("r", ty), unique: true }];
    let params = vec![FunParam { binder: m, unique: false }, FunParam { binder: xs, unique: true }];
    Fun { name: SWAP.into(), entry: None, params, results, body: Body { stms, result: vec![out.into()] } }
}

impl Gen {
    fn elem(&mut self) -> ScalarType {
        ELEMS[self.rng.below(ELEMS.len())]
    }

    fn shape(&mut self) -> Vec<Dim> {
        [vec![], vec![], vec![self.n], vec![self.n], vec![TWO], vec![self.n, COLUMNS]][self.rng.below(6)].clone()
    }

    fn ty(&mut self) -> Type {
        let shape = self.shape();
        Type::Scalar(self.elem()).array_of(&shape)
    }

    fn literal(&mut self, t: ScalarType) -> SubExp {
        match t {
            ScalarType::Bool => Scalar::Bool(self.rng.below(2) == 0),
            _ if t.is_float() => Scalar::from_f64(t, [0.5, -0.75, 1.25, 2.0, -1.0, 0.0, -0.0][self.rng.below(7)]),
            _ => Scalar::from_i64(t, [0, 1, 2, 3, 7, -1][self.rng.below(6)]),
        }
        .into()
    }

    /// A value of that type, the later the likelier.
    fn value(&mut self, b: &mut Builder, scope: &Scope, ty: &Type) -> SubExp {
        let fit: Vec<SubExp> = scope.iter().copied().filter(|e| b.vars.type_of(*e) == *ty).collect();
        let Some(elem) = ty.elem() else { panic!("no value has type {ty:?}") };
        if !fit.is_empty() && self.rng.below(8) > 0 {
            return fit[self.rng.below(fit.len()).max(self.rng.below(fit.len()))];
        }
        let x = self.literal(elem);
        match ty.shape() {
            [] => x,
            shape => b.let_one("rep", Exp::Replicate { shape: shape.to_vec(), value: x }).into(),
        }
    }

    fn array(&mut self, b: &mut Builder, scope: &Scope, ty: &Type) -> Var {
        self.value(b, scope, ty).as_var().unwrap_or_else(|| panic!("{ty:?} is no array"))
    }

    /// A copy that may be consumed.
    fn own(&mut self, b: &mut Builder, scope: &Scope, ty: &Type) -> Var {
        let array = self.array(b, scope, ty);
        b.let_one("own", Exp::Copy(array))
    }

    fn vector(&mut self) -> Type {
        let n = self.n;
        Type::Scalar(self.elem()).array_of(&[n])
    }

    /// One of the indices below n.
    fn index(&mut self) -> SubExp {
        SubExp::i64(self.rng.below(3) as i64)
    }

    fn body(&mut self, b: &mut Builder, scope: &mut Scope, depth: usize, count: usize) {
        for _ in 0..count {
            let n = self.n;
            let made =
                if depth == 0 || self.rng.below(3) == 0 { self.flat(b, scope) } else { self.nested(b, scope, depth) };
            let usable = made.into_iter().filter(|v| b.vars.ty(*v).elem().is_some() && closed(b.vars.ty(*v), n));
            let usable: Vec<SubExp> = usable.map(SubExp::Var).collect();
            scope.extend(usable);
        }
    }

    /// Statements and values of these types, as the inside of a body.
    fn inside(&mut self, b: &mut Builder, scope: &Scope, params: &[Var], depth: usize, types: &[Type]) -> Vec<SubExp> {
        let mut inner = scope.clone();
        inner.extend(params.iter().map(|v| SubExp::Var(*v)));
        let count = self.rng.below(4);
        self.body(b, &mut inner, depth - 1, count);
        types.iter().map(|t| self.value(b, &inner, t)).collect()
    }

    fn types(&mut self, most: usize) -> Vec<Type> {
        (0..1 + self.rng.below(most)).map(|_| self.ty()).collect()
    }

    /// Rows: scalars, and rows of two.
    fn row_types(&mut self, most: usize) -> Vec<Type> {
        let row = |g: &mut Self| {
            let shape = if g.rng.below(3) == 0 { vec![TWO] } else { vec![] };
            Type::Scalar(g.elem()).array_of(&shape)
        };
        (0..1 + self.rng.below(most)).map(|_| row(self)).collect()
    }

    /// A check whose certificate the next statement lists, or none.
    fn checked(&mut self, b: &mut Builder, check: Check) {
        if self.rng.below(2) == 0 {
            let cert = b.let_one("cert", Exp::Check(check));
            b.certs = vec![cert];
        }
    }

    fn prim(&mut self, b: &mut Builder, scope: &Scope) -> Var {
        loop {
            let op = self.prims[self.rng.below(self.prims.len())];
            let Some((params, result)) = op.signature() else { continue };
            if params.iter().chain([&result]).all(|t| ELEMS.contains(t)) {
                let args = params.iter().map(|t| self.value(b, scope, &Type::Scalar(*t))).collect();
                return b.let_one("t", Exp::Prim(op, args));
            }
        }
    }

    /// Two of the indices of a dimension of n = 3.
    fn two_of(&mut self) -> (SliceDim, Check) {
        let (start, end, stride) =
            [(0, 2, 1), (1, 3, 1), (0, 3, 2), (2, 0, -1), (2, -1, -2), (1, -1, -1)][self.rng.below(6)];
        let (start, end, stride) = (SubExp::i64(start), SubExp::i64(end), SubExp::i64(stride));
        let check = Check::Slice { start, end, stride, size: self.n };
        (SliceDim::Range { start, count: TWO, stride }, check)
    }

    /// A statement without bodies.
    fn flat(&mut self, b: &mut Builder, scope: &Scope) -> Vec<Var> {
        let n = self.n;
        let elem = self.elem();
        let scalar = Type::Scalar(elem);
        let (vector, matrix) = (scalar.array_of(&[n]), scalar.array_of(&[n, COLUMNS]));
        let whole = SliceDim::Range { start: SubExp::i64(0), count: n, stride: SubExp::i64(1) };
        let out = match self.rng.below(26) {
            0..=5 => self.prim(b, scope),
            6 | 7 => {
                let (array, i) = (self.array(b, scope, &vector), self.index());
                self.checked(b, Check::Bounds { indices: vec![i], sizes: vec![n] });
                b.let_one("x", Exp::Index { array, indices: vec![i] })
            }
            8 => {
                let (array, i) = (self.array(b, scope, &matrix), self.index());
                b.let_one("row", Exp::Index { array, indices: vec![i] })
            }
            9 | 10 => {
                let array = self.array(b, scope, &vector);
                let (range, check) = self.two_of();
                self.checked(b, check);
                b.let_one("two", Exp::Slice { array, slice: vec![range] })
            }
            11 => {
                let array = self.array(b, scope, &matrix);
                let i = self.index();
                let backwards = SliceDim::Range { start: SubExp::i64(2), count: n, stride: SubExp::i64(-1) };
                let pair = SliceDim::Range { start: SubExp::i64(1), count: TWO, stride: SubExp::i64(-1) };
                let column = SliceDim::Fix(SubExp::i64(self.rng.below(2) as i64));
                let slices = [
                    vec![SliceDim::Fix(i)],
                    vec![SliceDim::Fix(i), pair],
                    vec![whole],
                    vec![backwards],
                    vec![backwards, pair],
                    vec![whole, column],
                    vec![backwards, column],
                ];
                b.let_one("part", Exp::Slice { array, slice: slices[self.rng.below(slices.len())].clone() })
            }
            12 | 13 => {
                let (array, two) = (self.own(b, scope, &vector), self.own(b, scope, &scalar.array_of(&[TWO])));
                let (range, check) = self.two_of();
                self.checked(b, check);
                b.let_one("new", Exp::UpdateSlice { array, slice: vec![range], value: two })
            }
            14 => {
                let (array, column) = (self.own(b, scope, &matrix), self.own(b, scope, &vector));
                let slice = vec![whole, SliceDim::Fix(SubExp::i64(self.rng.below(2) as i64))];
                b.let_one("new", Exp::UpdateSlice { array, slice, value: column })
            }
            15 | 16 => self.by_strides(b, scope, &vector, &matrix),
            17 => {
                let ty = if self.rng.below(2) == 0 { vector } else { matrix };
                let by = [SubExp::i64(0), SubExp::i64(-4), self.value(b, scope, &Type::I64)][self.rng.below(3)];
                let array = self.array(b, scope, &ty);
                b.let_one("turned", Exp::Rotate { by, array })
            }
            18 => {
                let array = self.array(b, scope, &matrix);
                let perm = if self.rng.below(2) == 0 { vec![0, 1] } else { vec![1, 0] };
                b.let_one("laid", Exp::Manifest { perm, array })
            }
            19 => {
                let ty = self.ty();
                let e = self.value(b, scope, &ty);
                b.let_one("dark", Exp::Opaque(e))
            }
            20 => {
                let (array, i, value) = (self.own(b, scope, &vector), self.index(), self.value(b, scope, &scalar));
                b.let_one("new", Exp::Update { array, indices: vec![i], value })
            }
            21 => {
                let array = self.array(b, scope, &vector);
                b.let_one("back", Exp::Reverse { array })
            }
            22 => {
                let row = self.array(b, scope, &scalar.array_of(&[TWO]));
                b.let_one("rep", Exp::Replicate { shape: vec![n], value: row.into() })
            }
            23 => {
                let (x, y) = (self.value(b, scope, &scalar), self.value(b, scope, &scalar));
                b.let_one("lit", Exp::ArrayLit { elems: vec![x, y], row: scalar })
            }
            24 => {
                let args = vec![self.index(), self.value(b, scope, &Type::I64)];
                let r = b.vars.fresh("r", Type::I64);
                b.bind(vec![r.clone()], Exp::Apply { fun: POWER.into(), args });
                r.var
            }
            _ => {
                let xs = self.own(b, scope, &Type::I64.array_of(&[n]));
                let r = b.vars.fresh("r", b.vars.ty(xs).clone());
                b.bind(vec![r.clone()], Exp::Apply { fun: SWAP.into(), args: vec![n.into(), xs.into()] });
                r.var
            }
        };
        b.certs.clear();
        vec![out]
    }

    /// Views and updates by offset and strides.
    fn by_strides(&mut self, b: &mut Builder, scope: &Scope, vector: &Type, matrix: &Type) -> Var {
        let n = self.n;
        let i64 = SubExp::i64;
        match self.rng.below(4) {
            0 => {
                let array = self.array(b, scope, vector);
                let (offset, stride) = [(0, 1), (0, 2), (2, -1), (1, 0)][self.rng.below(4)];
                b.let_one("view", Exp::FlatIndex { array, offset: i64(offset), dims: vec![(TWO, i64(stride))] })
            }
            1 => {
                let array = self.own(b, scope, vector);
                let value = self.own(b, scope, &vector.row().array_of(&[TWO]));
                let (offset, stride) = [(0, 1), (0, 2), (2, -2), (1, 1), (1, 0)][self.rng.below(5)];
                let dims = vec![(TWO, i64(stride))];
                b.let_one("new", Exp::FlatUpdate { array, offset: i64(offset), dims, value })
            }
            kind => {
                let array = self.array(b, scope, matrix);
                let m = b.prim_op(ScalarType::I64.times(), &[n.into(), i64(2)]);
                let m = Dim::from_subexp(m).unwrap_or(n);
                let array = b.let_one("flat", Exp::Reshape { shape: vec![m], array });
                let dims = if kind == 2 { vec![(n, i64(2))] } else { vec![(n, i64(2)), (TWO, i64(-1))] };
                b.let_one("view", Exp::FlatIndex { array, offset: i64(1), dims })
            }
        }
    }

    /// A statement with bodies.
    fn nested(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        match self.rng.below(15) {
            0 => self.branch(b, scope, depth),
            1 | 2 => self.select(b, scope, depth),
            3 => self.loop_(b, scope, depth),
            4 | 5 => self.map(b, scope, depth),
            6 | 7 => self.fold(b, scope, depth),
            8 => self.hist(b, scope, depth),
            9 => self.scatter(b, scope, depth),
            10 | 11 => self.stream(b, scope, depth),
            12 => self.flatmap(b, scope, depth),
            13 => self.custom(b, scope, depth),
            _ => self.accumulate(b, scope, depth),
        }
    }

    fn branch(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let cond = self.value(b, scope, &Type::BOOL);
        let types = self.types(2);
        let yes = b.inner(|b| self.inside(b, scope, &[], depth, &types));
        let no = b.inner(|b| self.inside(b, scope, &[], depth, &types));
        let pat: Vec<Binder> = types.into_iter().map(|t| b.vars.fresh("if", t)).collect();
        b.bind(pat.clone(), Exp::If { cond, yes, no });
        pat.iter().map(|p| p.var).collect()
    }

    /// A match, sometimes with a result of a size of its own, which is summed.
    fn select(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let elems: Vec<ScalarType> = (0..1 + self.rng.below(2)).map(|_| self.elem()).collect();
        let scrutinees: Vec<SubExp> = elems.iter().map(|t| self.value(b, scope, &Type::Scalar(*t))).collect();
        let types = self.types(2);
        let sized = self.rng.below(4) == 0;
        let case = |g: &mut Self, b: &mut Builder| {
            b.inner(|b| {
                let values = g.inside(b, scope, &[], depth, &types);
                if !sized {
                    return values;
                }
                let k = g.rng.below(4) as i64;
                let x = g.value(b, scope, &Type::I64);
                let xs = b.let_one("xs", Exp::Replicate { shape: vec![Dim::Const(k)], value: x });
                [vec![SubExp::i64(k), xs.into()], values].concat()
            })
        };
        let mut cases = Vec::new();
        for _ in 0..self.rng.below(4) {
            let constant =
                |g: &mut Self, t: &ScalarType| (g.rng.below(4) > 0).then(|| g.literal(*t).as_lit()).flatten();
            let pattern = elems.iter().map(|t| constant(self, t)).collect();
            cases.push(Case { pattern, body: case(self, b) });
        }
        let default = case(self, b);
        let mut pat: Vec<Binder> = Vec::new();
        if sized {
            let k = b.vars.fresh("k", Type::I64);
            let xs = b.vars.fresh("xs", Type::I64.array_of(&[Dim::Var(k.var)]));
            pat.extend([k, xs]);
        }
        pat.extend(types.into_iter().map(|t| b.vars.fresh("match", t)));
        b.bind(pat.clone(), Exp::Match { scrutinees, cases, default });
        let mut made: Vec<Var> = pat.iter().map(|p| p.var).collect();
        if sized {
            made.push(sum(b, Dim::Var(pat[0].var), pat[1].var));
        }
        made
    }

    fn loop_(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let types = [self.ty(), self.vector()];
        let start = self.own(b, scope, &types[1]);
        let init = [self.value(b, scope, &types[0]), start.into()];
        let param = |b: &mut Builder, k: usize| LoopParam {
            binder: b.vars.fresh("p", types[k].clone()),
            unique: k == 1,
            init: init[k],
        };
        let params = vec![param(b, 0), param(b, 1)];
        let index = b.vars.fresh("i", Type::I64);
        let vector = params[1].binder.var;
        let body = b.inner(|b| {
            let next = self.inside(b, scope, &[params[0].binder.var, index.var, vector], depth, &types[..1]);
            // what of the body aliases the vector is not used any more
            let next = match next[0] {
                SubExp::Var(v) if matches!(b.vars.ty(v), Type::Array(..)) => b.let_one("next", Exp::Copy(v)).into(),
                e => e,
            };
            let (i, value) = (self.index(), self.literal(types[1].elem().unwrap_or(ScalarType::I64)));
            let vector = b.let_one("vec", Exp::Update { array: vector, indices: vec![i], value });
            vec![next, vector.into()]
        });
        let form = LoopForm::For { index, bound: SubExp::i64(self.rng.below(4) as i64) };
        b.let_many("loop", Exp::Loop { params, form, body })
    }

    /// Arrays of n rows to map over: vectors, a matrix, the indices.
    fn mapped(&mut self, b: &mut Builder, scope: &Scope) -> Vec<Var> {
        let mut types = vec![self.vector()];
        if self.rng.below(2) == 0 {
            types.push(self.vector().row().array_of(&[self.n, COLUMNS]));
        }
        let mut arrays: Vec<Var> = types.iter().map(|t| self.array(b, scope, t)).collect();
        if self.rng.below(2) == 0 {
            arrays.push(iota(b, self.n));
        }
        arrays
    }

    fn rows_lambda(&mut self, b: &mut Builder, scope: &Scope, arrays: &[Var], depth: usize, types: &[Type]) -> Lambda {
        let params: Vec<(&str, Type)> = arrays.iter().map(|a| ("p", b.vars.ty(*a).row())).collect();
        b.lambda(&params, |b, p| self.inside(b, scope, p, depth, types))
    }

    /// A map; sometimes of a matrix whose rows λ consumes.
    fn map(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        if self.rng.below(4) == 0 {
            let ty = self.vector().row().array_of(&[self.n, COLUMNS]);
            let array = self.own(b, scope, &ty);
            let map = b.lambda(&[("row", ty.row())], |b, p| {
                let value = self.value(b, scope, &ty.peel(2));
                vec![b.let_one("row", Exp::Update { array: p[0], indices: vec![SubExp::i64(1)], value }).into()]
            });
            return b.let_many("map", map_exp(self.n, vec![array], map));
        }
        let arrays = self.mapped(b, scope);
        let types = self.row_types(3);
        let map = self.rows_lambda(b, scope, &arrays, depth, &types);
        b.let_many("map", map_exp(self.n, arrays, map))
    }

    fn operator(&mut self, b: &mut Builder) -> Operator {
        match self.rng.below(5) {
            0 => b.operator(Prim::Bin(BinOp::Add, ScalarType::F64), Scalar::F64(0.0)),
            1 => b.operator(Prim::Bin(BinOp::Max, ScalarType::I32), Scalar::I32(i32::MIN)),
            2 => b.operator(Prim::Bin(BinOp::Or, ScalarType::Bool), Scalar::Bool(false)),
            3 => b.operator(Prim::Bin(BinOp::Mul, ScalarType::U8), Scalar::U8(1)),
            _ => b.operator(Prim::Bin(BinOp::Add, ScalarType::I64), Scalar::I64(0)),
        }
    }

    /// Scans and reductions, with mapped results; a function after the scans.
    fn fold(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let scans: Vec<Operator> = (0..self.rng.below(3)).map(|_| self.operator(b)).collect();
        let reduces: Vec<Operator> = (0..self.rng.below(3)).map(|_| self.operator(b)).collect();
        let arrays = self.mapped(b, scope);
        let of = |ops: &[Operator]| ops.iter().flat_map(|op| op.lambda.ret.clone()).collect::<Vec<_>>();
        let mapped = if self.rng.below(3) == 0 { Vec::new() } else { self.row_types(2) };
        let types = [of(&scans), of(&reduces), mapped.clone()].concat();
        let map = self.rows_lambda(b, scope, &arrays, depth, &types);
        let post = (self.rng.below(2) == 0).then(|| {
            let params = [of(&scans), mapped].concat();
            let params: Vec<(&str, Type)> = params.into_iter().map(|t| ("q", t)).collect();
            let types = self.row_types(2);
            b.lambda(&params, |b, p| self.inside(b, scope, p, depth, &types))
        });
        b.let_many("fold", Exp::Screma(Screma { width: self.n, arrays, map, scans, reduces, post }))
    }

    /// Histograms: one of vectors, perhaps one of matrices with an index of rank two.
    fn hist(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let arrays = self.mapped(b, scope);
        let (mut ops, mut values) = (Vec::new(), Vec::new());
        let shapes = [vec![self.n], vec![self.n, COLUMNS]];
        for shape in &shapes[self.rng.below(2)..] {
            let op = self.operator(b);
            let dest = self.own(b, scope, &op.lambda.ret[0].array_of(shape));
            values.extend(op.lambda.ret.clone());
            ops.push(HistOp { shape: shape.clone(), dests: vec![dest], op });
        }
        let ranks = ops.iter().map(|op| op.shape.len()).sum();
        let types = [vec![Type::I64; ranks], values].concat();
        let map = self.rows_lambda(b, scope, &arrays, depth, &types);
        b.let_many("hist", Exp::Hist(Hist { width: self.n, arrays, map, ops }))
    }

    /// A scatter to the indices moved by a constant: each position at most once.
    fn scatter(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let mut arrays = self.mapped(b, scope);
        arrays.push(iota(b, self.n));
        let types: Vec<Type> = (0..1 + self.rng.below(2)).map(|_| self.vector()).collect();
        let dests: Vec<ScatterDest> =
            types.iter().map(|t| ScatterDest { shape: vec![self.n], array: self.own(b, scope, t) }).collect();
        let shift = SubExp::i64(self.rng.below(3) as i64 - 1);
        let rows: Vec<Type> = types.iter().map(Type::row).collect();
        let params: Vec<(&str, Type)> = arrays.iter().map(|a| ("p", b.vars.ty(*a).row())).collect();
        let map = b.lambda(&params, |b, p| {
            let values = self.inside(b, scope, p, depth, &rows);
            let i = b.prim_op(ScalarType::I64.plus(), &[p[p.len() - 1].into(), shift]);
            [vec![i; rows.len()], values].concat()
        });
        b.let_many("scatter", Exp::Scatter(Scatter { width: self.n, arrays, map, dests }))
    }

    /// A sum over the chunks, and a map of each.
    fn stream(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let array = self.array(b, scope, &Type::I64.array_of(&[self.n]));
        let op = b.operator(Prim::Bin(BinOp::Add, ScalarType::I64), Scalar::I64(0));
        let sequential = self.rng.below(2) == 0;
        let size = b.vars.fresh("c", Type::I64);
        let chunk_size = Dim::Var(size.var);
        let chunk = b.vars.fresh("chunk", Type::I64.array_of(&[chunk_size]));
        let acc = b.vars.fresh("acc", Type::I64);
        let row = self.row_types(1);
        let body = b.inner(|b| {
            let total = sum(b, chunk_size, chunk.var);
            let total = if sequential {
                b.prim_op(ScalarType::I64.plus(), &[acc.var.into(), total.into()])
            } else {
                total.into()
            };
            let map = b.lambda(&[("x", Type::I64)], |b, p| self.inside(b, scope, p, depth, &row));
            let mapped = b.let_one("ys", map_exp(chunk_size, vec![chunk.var], map));
            vec![total, mapped.into()]
        });
        let ret = vec![Type::I64, row[0].array_of(&[chunk_size])];
        let form =
            if sequential { StreamForm::Seq(vec![self.value(b, scope, &Type::I64)]) } else { StreamForm::Par(op) };
        let params = if sequential { vec![size, acc, chunk] } else { vec![size, chunk] };
        let lambda = Lambda { params, ret, body };
        b.let_many("stream", Exp::Stream(Stream { width: self.n, arrays: vec![array], form, lambda }))
    }

    /// Rows of sizes 0 to 3, whose concatenation is summed.
    fn flatmap(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let arrays = vec![self.array(b, scope, &Type::I64.array_of(&[self.n]))];
        let regular = self.row_types(1);
        let size = b.vars.fresh("s", Type::I64);
        let params = [("x", Type::I64)];
        let mut lambda = b.lambda(&params, |b, p| {
            let values = self.inside(b, scope, p, depth, &[vec![Type::I64], regular.clone()].concat());
            let k = b.prim_op(Prim::Bin(BinOp::And, ScalarType::I64), &[p[0].into(), SubExp::i64(3)]);
            let shape = Dim::from_subexp(k).into_iter().collect();
            let xs = b.let_one("xs", Exp::Replicate { shape, value: values[0] });
            [vec![k, xs.into()], values[1..].to_vec()].concat()
        });
        lambda.ret = [vec![Type::I64, Type::I64.array_of(&[Dim::Var(size.var)])], regular].concat();
        let f = FlatMap { width: self.n, arrays, size, irregular: 1, lambda };
        let total = b.vars.fresh("m", Type::I64);
        let types = f.result_types(total.var);
        let others = types.into_iter().skip(1).map(|t| b.vars.fresh("flat", t));
        let pat: Vec<Binder> = std::iter::once(total).chain(others.collect::<Vec<_>>()).collect();
        b.bind(pat.clone(), Exp::FlatMap(f));
        let mut made: Vec<Var> = pat.iter().map(|p| p.var).collect();
        made.push(sum(b, Dim::Var(pat[0].var), pat[4].var));
        made
    }

    /// A function with rules, one of which says something else than the derivative.
    fn custom(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let types = self.types(2);
        let args: Vec<SubExp> = types.iter().map(|t| self.value(b, scope, t)).collect();
        let ret = self.types(3);
        let saved = self.rng.below(ret.len());
        let params = |types: &[Type]| types.iter().map(|t| ("a", t.clone())).collect::<Vec<_>>();
        let lambda = b.lambda(&params(&types), |b, p| self.inside(b, scope, p, depth, &ret));
        let mut rule = |g: &mut Self, given: Vec<Type>, ret: &[Type]| {
            (g.rng.below(2) == 0).then(|| b.lambda(&params(&given), |b, p| g.inside(b, scope, p, depth, ret)))
        };
        let vjp = rule(self, ret.clone(), &types);
        let jvp = rule(self, [types.clone(), types.clone()].concat(), &ret[saved..]);
        b.let_many("custom", Exp::Custom(Custom { lambda, saved, vjp, jvp, args }))
    }

    /// A vector to which a map adds at indices.
    fn accumulate(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let op = self.operator(b);
        let elem = op.lambda.ret[0].clone();
        let dest = self.own(b, scope, &elem.array_of(&[self.n]));
        let id = b.vars.fresh("id", Type::Cert);
        let ty = Type::Acc(AccType { id: id.var, shape: vec![self.n], elems: vec![elem.clone()] });
        let acc = b.vars.fresh("acc", ty.clone());
        let mut arrays = self.mapped(b, scope);
        let params: Vec<(&str, Type)> =
            arrays.iter().map(|a| ("p", b.vars.ty(*a).row())).chain([("acc", ty.clone())]).collect();
        arrays.push(acc.var);
        let body = b.inner(|b| {
            let map = b.lambda(&params, |b, p| {
                let (acc, rows) = (p[p.len() - 1], &p[..p.len() - 1]);
                let values = self.inside(b, scope, rows, depth, &[Type::I64, elem.clone()]);
                vec![b.let_one("acc", Exp::UpdAcc { acc, indices: vec![values[0]], values: vec![values[1]] }).into()]
            });
            vec![b.let_one("mapped", map_exp(self.n, arrays, map)).into()]
        });
        let inputs = vec![AccInput { shape: vec![self.n], arrays: vec![dest], op }];
        let lambda = Lambda { params: vec![id, acc], ret: vec![ty], body };
        b.let_many("withacc", Exp::WithAcc(WithAcc { inputs, lambda }))
    }
}

fn iota(b: &mut Builder, n: Dim) -> Var {
    let (start, step) = (SubExp::i64(0), SubExp::i64(1));
    b.let_one("iota", Exp::Iota { n: n.into(), start, step, elem: ScalarType::I64 })
}

/// The sum of a vector of `i64`.
fn sum(b: &mut Builder, width: Dim, array: Var) -> Var {
    let op = b.operator(Prim::Bin(BinOp::Add, ScalarType::I64), Scalar::I64(0));
    let map = b.lambda(&[("x", Type::I64)], |_, p| vec![p[0].into()]);
    let arrays = vec![array];
    b.let_one("sum", Exp::Screma(Screma { width, arrays, map, scans: vec![], reduces: vec![op], post: None }))
}
