//! Random programs: scalar code, maps, folds, loops, branches, updates in place and accumulators, nested.

use futi_core::ir::build::{Builder, Vars, map_exp};
use futi_core::ir::*;
use futi_core::value::Value;

const F64: ScalarType = ScalarType::F64;
const F: Type = Type::Scalar(F64);
/// The rows of matrices have two elements; there are n, a parameter, rows and elements of vectors.
const COLUMNS: Dim = Dim::Const(2);

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % n as u64) as usize
    }
    fn float(&mut self) -> SubExp {
        Scalar::F64([0.5, -0.75, 1.25, 2.0, -1.0, 0.0][self.below(6)]).into()
    }
}

/// What can be used at a point of the program.
#[derive(Clone, Default)]
struct Scope {
    scalars: Vec<SubExp>,
    vectors: Vec<Var>,
    matrices: Vec<Var>,
    rows: Vec<Var>,
    /// Indices below n.
    indices: Vec<SubExp>,
}

struct Gen {
    rng: Rng,
    n: Dim,
}

impl Gen {
    fn pick<T: Copy>(&mut self, xs: &[T]) -> T {
        // the later, the likelier: programs get deep
        let k = self.rng.below(xs.len()).max(self.rng.below(xs.len()));
        xs[k]
    }

    fn add(&self, b: &Builder, scope: &mut Scope, v: Var) {
        match (b.vars.ty(v), b.vars.ty(v).shape()) {
            (Type::Scalar(F64), _) => scope.scalars.push(v.into()),
            (_, [_, _]) => scope.matrices.push(v),
            (_, [COLUMNS]) => scope.rows.push(v),
            (_, [_]) => scope.vectors.push(v),
            _ => {}
        }
    }

    fn vector(&self) -> Type {
        F.array_of(&[self.n])
    }

    fn body(&mut self, b: &mut Builder, scope: &mut Scope, depth: usize, count: usize) {
        for _ in 0..count {
            for v in self.stm(b, scope, depth) {
                self.add(b, scope, v);
            }
        }
    }

    fn prim(&mut self, b: &mut Builder, scope: &Scope) -> SubExp {
        let (x, y) = (self.pick(&scope.scalars), self.pick(&scope.scalars));
        match self.rng.below(9) {
            0 => b.prim_op(Prim::Un(UnOp::Sin, F64), &[x]),
            1 => b.prim_op(Prim::Un(UnOp::Tanh, F64), &[x]),
            2 => b.prim_op(Prim::Bin(BinOp::Hypot, F64), &[x, Scalar::F64(1.0).into()]),
            3 | 4 => b.prim_op(Prim::Bin(BinOp::Mul, F64), &[x, y]),
            5 => b.prim_op(Prim::Bin(BinOp::Sub, F64), &[x, y]),
            6 => b.prim_op(Prim::Bin(BinOp::Max, F64), &[x, y]),
            _ => b.prim_op(Prim::Bin(BinOp::Add, F64), &[x, y]),
        }
    }

    fn cond(&mut self, b: &mut Builder, scope: &Scope) -> SubExp {
        let (x, y) = (self.pick(&scope.scalars), self.pick(&scope.scalars));
        b.prim_op(Prim::Cmp(CmpOp::Lt, F64), &[x, y])
    }

    /// Several results of an inner body: of these kinds, 0 a scalar, 1 a vector, 2 a row.
    fn results(&mut self, b: &mut Builder, scope: &Scope, kinds: &[usize]) -> Vec<SubExp> {
        kinds
            .iter()
            .map(|k| match k {
                0 => self.pick(&scope.scalars),
                1 => self.pick(&scope.vectors).into(),
                _ if scope.rows.is_empty() => {
                    let value = self.pick(&scope.scalars);
                    b.let_one("row", Exp::Replicate { shape: vec![COLUMNS], value }).into()
                }
                _ => self.pick(&scope.rows).into(),
            })
            .collect()
    }

    fn kinds(&mut self, most: usize) -> Vec<usize> {
        let count = 1 + self.rng.below(2);
        (0..count).map(|_| self.rng.below(most)).collect()
    }

    fn stm(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let n = self.n;
        let simple = depth == 0;
        match self.rng.below(if simple { 8 } else { 18 }) {
            0..=2 => self.prim(b, scope).as_var().into_iter().collect(),
            3 | 4 => {
                let (array, i) = (self.pick(&scope.vectors), self.pick(&scope.indices));
                vec![b.index(array, &[i])]
            }
            5 if !scope.matrices.is_empty() => {
                let (array, i) = (self.pick(&scope.matrices), self.pick(&scope.indices));
                let j = SubExp::i64(self.rng.below(2) as i64);
                let indices = if self.rng.below(2) == 0 { vec![i] } else { vec![i, j] };
                vec![b.index(array, &indices)]
            }
            6 => {
                let (array, indices) = (self.pick(&scope.vectors), vec![self.pick(&scope.indices)]);
                let (array, value) = (b.let_one("copy", Exp::Copy(array)), self.pick(&scope.scalars));
                vec![b.let_one("new", Exp::Update { array, indices, value })]
            }
            7 => match self.rng.below(4) {
                0 => {
                    let array = self.pick(&scope.vectors);
                    vec![b.let_one("back", Exp::Reverse { array })]
                }
                1 => {
                    let value = self.pick(&scope.scalars);
                    vec![b.let_one("rep", Exp::Replicate { shape: vec![n], value })]
                }
                2 => {
                    let elems = vec![self.pick(&scope.scalars), self.pick(&scope.scalars)];
                    vec![b.let_one("lit", Exp::ArrayLit { elems, row: F })]
                }
                _ if !scope.matrices.is_empty() => {
                    let array = self.pick(&scope.matrices);
                    let turned = b.let_one("turned", Exp::Rearrange { perm: vec![1, 0], array });
                    vec![b.index(turned, &[SubExp::i64(1)])]
                }
                _ => Vec::new(),
            },
            8..=10 => self.map(b, scope, depth),
            11 | 12 => self.fold(b, scope, depth),
            13 | 14 => self.loop_(b, scope, depth),
            15 | 16 => {
                let cond = self.cond(b, scope);
                let kinds = self.kinds(2);
                let mut branch = || {
                    b.inner(|b| {
                        let (mut inner, count) = (scope.clone(), 1 + self.rng.below(3));
                        self.body(b, &mut inner, depth - 1, count);
                        self.results(b, &inner, &kinds)
                    })
                };
                let (yes, no) = (branch(), branch());
                let types = kinds.iter().map(|k| if *k == 0 { F } else { self.vector() });
                let pat: Vec<Binder> = types.map(|t| b.vars.fresh("if", t)).collect();
                b.bind(pat.clone(), Exp::If { cond, yes, no });
                pat.iter().map(|p| p.var).collect()
            }
            _ => self.accumulate(b, scope, depth),
        }
    }

    /// A map over vectors, a matrix and the index.
    fn map(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let mut arrays = vec![self.pick(&scope.vectors)];
        if self.rng.below(2) == 0 {
            arrays.push(self.pick(&scope.vectors));
        }
        if !scope.matrices.is_empty() && self.rng.below(2) == 0 {
            arrays.push(self.pick(&scope.matrices));
        }
        let iota = b.let_one(
            "iota",
            Exp::Iota { n: self.n.into(), start: SubExp::i64(0), step: SubExp::i64(1), elem: ScalarType::I64 },
        );
        arrays.push(iota);
        let params: Vec<(&str, Type)> = arrays.iter().map(|a| ("p", b.vars.ty(*a).row())).collect();
        let kinds: Vec<usize> = self.kinds(2).into_iter().map(|k| 2 * k).collect();
        let map = b.lambda(&params, |b, p| {
            let mut inner = scope.clone();
            for v in &p[..p.len() - 1] {
                self.add(b, &mut inner, *v);
            }
            inner.indices.push(p[p.len() - 1].into());
            let count = 2 + self.rng.below(4);
            self.body(b, &mut inner, depth - 1, count);
            self.results(b, &inner, &kinds)
        });
        b.let_many("map", map_exp(self.n, arrays, map))
    }

    /// A reduction or scan of vectors.
    fn fold(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let general = self.rng.below(5);
        let op = match general {
            0 => {
                // x + y + z·xy with z free: associative, neutral 0
                let z = self.pick(&scope.scalars);
                let lambda = b.lambda(&[("x", F), ("y", F)], |b, p| {
                    let (x, y) = (p[0].into(), p[1].into());
                    let xy = b.prim_op(Prim::Bin(BinOp::Mul, F64), &[x, y]);
                    let zxy = b.prim_op(Prim::Bin(BinOp::Mul, F64), &[xy, z]);
                    let sum = b.prim_op(Prim::Bin(BinOp::Add, F64), &[x, y]);
                    vec![b.prim_op(Prim::Bin(BinOp::Add, F64), &[sum, zxy])]
                });
                Operator { lambda, neutral: vec![Scalar::F64(0.0).into()], commutative: true }
            }
            1 => b.operator(Prim::Bin(BinOp::Mul, F64), Scalar::F64(1.0)),
            2 => b.operator(Prim::Bin(BinOp::Max, F64), Scalar::F64(f64::NEG_INFINITY)),
            3 => b.operator(Prim::Bin(BinOp::Min, F64), Scalar::F64(f64::INFINITY)),
            _ => b.operator(Prim::Bin(BinOp::Add, F64), Scalar::F64(0.0)),
        };
        let array = self.pick(&scope.vectors);
        let map = b.lambda(&[("x", F)], |b, p| {
            let mut inner = scope.clone();
            inner.scalars.push(p[0].into());
            let count = self.rng.below(3);
            self.body(b, &mut inner, depth - 1, count);
            let operand = self.pick(&inner.scalars);
            vec![operand, self.pick(&inner.scalars)]
        });
        let (scans, reduces) = if self.rng.below(2) == 0 { (vec![op], vec![]) } else { (vec![], vec![op]) };
        b.let_many("fold", Exp::Screma(Screma { width: self.n, arrays: vec![array], map, scans, reduces, post: None }))
    }

    /// A loop with a scalar and a vector, which it updates in place.
    fn loop_(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let start = b.let_one("copy", Exp::Copy(self.pick(&scope.vectors)));
        let param = |b: &mut Builder, name: &str, ty: Type, unique, init: SubExp| LoopParam {
            binder: b.vars.fresh(name, ty),
            unique,
            init,
        };
        let mut params = vec![
            param(b, "acc", F, false, self.pick(&scope.scalars)),
            param(b, "vec", self.vector(), true, start.into()),
        ];
        let (acc, vec) = (params[0].binder.var, params[1].binder.var);
        let bounded = self.rng.below(3) > 0;
        let index = b.vars.fresh("i", Type::I64);
        let counter = b.vars.fresh("k", Type::I64);
        let go_on = b.vars.fresh("go", Type::BOOL);
        let body = b.inner(|b| {
            let mut inner = scope.clone();
            inner.scalars.push(acc.into());
            inner.indices.push(if bounded { index.var.into() } else { counter.var.into() });
            inner.vectors.push(vec);
            let count = 1 + self.rng.below(4);
            self.body(b, &mut inner, depth - 1, count);
            let (i, x) = (self.pick(&inner.indices), self.pick(&inner.scalars));
            // what of the body aliases the vector is not used any more
            let next = self.pick(&inner.scalars);
            let next = b.prim_op(Prim::Un(UnOp::Tanh, F64), &[next]);
            let vec = b.let_one("vec", Exp::Update { array: vec, indices: vec![i], value: x });
            let mut result = vec![next, vec.into()];
            if !bounded {
                let k = b.prim_op(ScalarType::I64.plus(), &[counter.var.into(), SubExp::i64(1)]);
                result.push(k);
                result.push(b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[k, SubExp::i64(3)]));
            }
            result
        });
        let form = if bounded {
            LoopForm::For { index, bound: SubExp::i64(self.rng.below(4) as i64) }
        } else {
            let cond = go_on.var;
            params.push(LoopParam { binder: counter, unique: false, init: SubExp::i64(0) });
            params.push(LoopParam { binder: go_on, unique: false, init: Scalar::Bool(true).into() });
            LoopForm::While(cond)
        };
        b.let_many("loop", Exp::Loop { params, form, body })[..2].to_vec()
    }

    /// A vector to which a map adds at indices.
    fn accumulate(&mut self, b: &mut Builder, scope: &Scope, depth: usize) -> Vec<Var> {
        let array = b.let_one("copy", Exp::Copy(self.pick(&scope.vectors)));
        let op = b.operator(Prim::Bin(BinOp::Add, F64), Scalar::F64(0.0));
        let id = b.vars.fresh("id", Type::Cert);
        let ty = Type::Acc(AccType { id: id.var, shape: vec![self.n], elems: vec![F] });
        let acc = b.vars.fresh("acc", ty.clone());
        let source = self.pick(&scope.vectors);
        let body = b.inner(|b| {
            let map = b.lambda(&[("x", F), ("acc", ty.clone())], |b, p| {
                let mut inner = scope.clone();
                inner.scalars.push(p[0].into());
                let count = 1 + self.rng.below(3);
                self.body(b, &mut inner, depth - 1, count);
                let (i, x) = (self.pick(&inner.indices), self.pick(&inner.scalars));
                let acc = b.let_one("acc", Exp::UpdAcc { acc: p[1], indices: vec![i], values: vec![x] });
                vec![acc.into(), self.pick(&inner.scalars)]
            });
            b.let_many("mapped", map_exp(self.n, vec![source, acc.var], map)).into_iter().map(SubExp::Var).collect()
        });
        let ret = vec![ty, self.vector()];
        let inputs = vec![AccInput { shape: vec![self.n], arrays: vec![array], op }];
        let lambda = Lambda { params: vec![id, acc], ret, body };
        b.let_many("withacc", Exp::WithAcc(WithAcc { inputs, lambda }))
    }
}

/// A function of a vector, a matrix and a scalar, which returns a scalar and a vector.
pub fn program(seed: u64) -> Program {
    let mut vars = Vars::default();
    let size = vars.fresh("n", Type::I64);
    let n = Dim::Var(size.var);
    let types = [F.array_of(&[n]), F.array_of(&[n, COLUMNS]), F];
    let params: Vec<Binder> = types.iter().map(|t| vars.fresh("arg", t.clone())).collect();
    let mut scope = Scope::default();
    let mut generator = Gen { rng: Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), n };
    let mut b = Builder::new(&mut vars, Prov::UNKNOWN);
    scope.scalars.push(generator.rng.float());
    scope.indices.extend([SubExp::i64(0), SubExp::i64(2)]);
    params.iter().for_each(|p| generator.add(&b, &mut scope, p.var));
    let count = 4 + generator.rng.below(6);
    generator.body(&mut b, &mut scope, 3, count);
    let result = generator.results(&mut b, &scope, &[0, 1]);
    let stms = b.stms;
    let results = [F, F.array_of(&[n])].map(|t| FunResult { binder: vars.fresh("r", t), unique: false });
    let params = std::iter::once(size).chain(params).map(|binder| FunParam { binder, unique: false }).collect();
    let body = Body { stms, result };
    let fun = Fun { name: "f".into(), entry: None, params, results: results.to_vec(), body };
    Program { funs: vec![fun], prov: ProvTable::default() }
}

/// Arguments for it: its size, then the others.
pub fn arguments() -> Vec<Value> {
    super::values("3i64 [0.5f64,-0.25f64,0.75f64] [[0.1f64,0.2f64],[-0.3f64,0.4f64],[0.5f64,-0.6f64]] 1.5f64")
}

/// `FUTI_SEEDS=a-b` tries other seeds than those of every run.
pub fn seeds(default: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let given = std::env::var("FUTI_SEEDS").ok();
    let range = given.as_deref().and_then(|s| s.split_once('-'));
    range.and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?)).unwrap_or(default)
}
