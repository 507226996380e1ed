//! Kernels at random. Types agree, all that is named is there, and variables have values; nothing else is heeded: barriers stand anywhere, and indices are anything.

use futi_core::ir::Prov;
use futi_core::prim::{CmpOp, Prim, Scalar, ScalarType};
use futi_kernels::ir::*;

/// Numbers from a seed: splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

/// The types that a kernel is made of: some of them, so that values meet.
const TYPES: [ScalarType; 8] = {
    use ScalarType::*;
    [I32, I64, Bool, F32, U32, I8, F16, F64]
};

pub struct Generator {
    pub random: Random,
    kernel: Kernel,
    prims: Vec<(Prim, Vec<ScalarType>, ScalarType)>,
    /// The variables of the loops around.
    loops: Vec<Local>,
    /// Whether it is all control, and touches no memory: what races or is out of bounds gets no further.
    calm: bool,
}

/// A scalar near the edges of its type.
pub fn scalar(random: &mut Random, ty: ScalarType) -> Scalar {
    match random.below(4) {
        0 => Scalar::from_bits(ty, random.next()),
        _ => Scalar::from_i64(ty, random.below(9) as i64 - 2),
    }
}

/// A kernel.
pub fn kernel(seed: u64) -> Kernel {
    let mut random = Random(seed);
    let mut kernel = Kernel::new(random.of(&["k", "", "a_0", "kernel", "store"]), Prov(random.below(9) as u32));
    let mut named = |prefix: &str, n: usize| -> Vec<Named> {
        (0..n)
            .map(|_| Named { name: Ident::new(random.of(&[prefix, "", "1", "load", "x_1"])), ty: random.of(&TYPES) })
            .collect()
    };
    kernel.params = named("p", 2);
    kernel.locals = named("v", 12);
    for named in named("b", 3) {
        kernel.blocks.push(BlockDecl { name: named.name, elem: named.ty, access: Access::default() });
    }
    for named in named("s", 2) {
        kernel.shared.push(SharedDecl {
            name: named.name,
            elem: named.ty,
            fixed: random.below(3) as u32,
            each: random.below(3) as u32,
        });
    }
    let named = Named { name: Ident::new("p"), ty: random.of(&TYPES) };
    kernel.private.push(PrivateDecl { name: named.name, elem: named.ty, len: 3 });
    kernel.sites = (0..2).map(|n| SiteDecl { prov: Prov(n), operands: n }).collect();
    let kept = |(_, params, result): &(Prim, Vec<ScalarType>, ScalarType)| {
        params.iter().chain([result]).all(|ty| TYPES.contains(ty))
    };
    let prims =
        Prim::all().filter_map(|op| op.signature().map(|(params, result)| (op, params, result))).filter(kept).collect();
    let calm = random.chance(3);
    let mut generator = Generator { random, kernel, prims, loops: Vec::new(), calm };
    let mut body: Vec<Stm> = (0..generator.kernel.locals.len() as u32).map(Local).map(|l| generator.give(l)).collect();
    body.extend(generator.stms(3));
    let cost = |generator: &mut Generator| {
        let mut e = Exp::Length(Block(generator.random.below(3) as u32));
        if generator.random.chance(2) {
            e = Exp::Prim(ScalarType::I64.plus(), vec![e, Exp::Lit(Scalar::I64(1))]);
        }
        e
    };
    if generator.random.chance(2) {
        let [reads, writes, operations] = [0; 3].map(|_| cost(&mut generator));
        generator.kernel.cost = Some(Cost { reads, writes, operations });
    }
    let mut kernel = generator.kernel;
    kernel.body = body;
    let accesses = kernel.accesses();
    kernel.blocks.iter_mut().zip(accesses).for_each(|(block, access)| block.access = access);
    kernel
}

impl Generator {
    fn give(&mut self, to: Local) -> Stm {
        let ty = self.kernel.locals[to.at()].ty;
        // nothing has a value yet
        Stm::Let(to, Exp::Lit(scalar(&mut self.random, ty)))
    }

    fn locals(&self, ty: ScalarType) -> Vec<Local> {
        (0..self.kernel.locals.len() as u32).map(Local).filter(|l| self.kernel.locals[l.at()].ty == ty).collect()
    }

    /// A variable that may be given a value of a type.
    fn target(&mut self, ty: ScalarType) -> Option<Local> {
        let all: Vec<_> = self.locals(ty).into_iter().filter(|l| !self.loops.contains(l)).collect();
        (!all.is_empty()).then(|| self.random.of(&all))
    }

    fn exp(&mut self, ty: ScalarType, depth: usize) -> Exp {
        let locals = self.locals(ty);
        match self.random.below(8) {
            0..=3 if depth > 0 => {
                let some: Vec<_> = self.prims.iter().filter(|(.., result)| *result == ty).cloned().collect();
                let (op, params, _) = self.random.of(&some);
                Exp::Prim(op, params.into_iter().map(|ty| self.exp(ty, depth - 1)).collect())
            }
            4 | 5 if !locals.is_empty() => Exp::Local(self.random.of(&locals)),
            6 if ty == ScalarType::I32 => Exp::Builtin(self.random.of(&Builtin::ALL)),
            6 if ty == ScalarType::I64 => Exp::Length(Block(self.random.below(3) as u32)),
            7 if let Some(p) = self.kernel.params.iter().position(|p| p.ty == ty) => Exp::Param(Param(p as u32)),
            _ => Exp::Lit(scalar(&mut self.random, ty)),
        }
    }

    /// A condition: often of a number that the launch says, so that some come by and others do not.
    fn condition(&mut self) -> Exp {
        if self.random.chance(2) {
            return self.exp(ScalarType::Bool, 2);
        }
        let number = Exp::Builtin(self.random.of(&Builtin::ALL));
        let op = self.random.of(CmpOp::ALL);
        Exp::Prim(Prim::Cmp(op, ScalarType::I32), vec![number, Exp::Lit(Scalar::I32(self.random.below(3) as i32))])
    }

    fn index(&mut self) -> Exp {
        let ty = self.random.of(&[ScalarType::I32, ScalarType::I64]);
        if self.random.chance(4) {
            self.exp(ty, 1)
        } else {
            Exp::Lit(Scalar::from_i64(ty, self.random.below(3) as i64))
        }
    }

    fn array(&mut self) -> Array {
        match self.random.below(6) {
            0..=2 => Array::Block(Block(self.random.below(3) as u32)),
            3 | 4 => Array::Shared(Shared(self.random.below(2) as u32)),
            _ => Array::Private(Private(0)),
        }
    }

    fn stms(&mut self, depth: usize) -> Vec<Stm> {
        (0..self.random.below(6)).filter_map(|_| self.stm(depth)).collect()
    }

    fn stm(&mut self, depth: usize) -> Option<Stm> {
        let array = self.array();
        let elem = self.kernel.elem(array)?;
        let kind = self.random.below(if depth == 0 { 9 } else { 13 });
        if self.calm && matches!(kind, 2..=5 | 7) {
            return Some(Stm::Barrier);
        }
        Some(match kind {
            0 | 1 => {
                let ty = self.random.of(&TYPES);
                let to = self.target(ty)?;
                Stm::Let(to, self.exp(self.kernel.locals[to.at()].ty, 3))
            }
            2 => Stm::Load { to: self.target(elem)?, from: array, index: self.index() },
            3 | 4 => Stm::Store { to: array, index: self.index(), value: self.exp(elem, 2) },
            5 => self.atomic(array, elem)?,
            6 => self.random.of(&[Stm::Barrier, Stm::Fence(Scope::Group), Stm::Fence(Scope::Device)]),
            7 => {
                let site = self.random.below(2) as u32;
                Stm::Fail {
                    site: Site(site),
                    point: self.exp(ScalarType::I64, 2),
                    operands: (0..site).map(|_| self.exp(ScalarType::I64, 1)).collect(),
                }
            }
            8 => {
                let ty = self.random.of(&TYPES);
                let op = match self.random.below(3) {
                    0 => SubgroupOp::Shuffle(Exp::Builtin(Builtin::Lane)),
                    1 => SubgroupOp::Up { by: self.exp(ScalarType::I32, 1), otherwise: self.exp(ty, 1) },
                    _ if ty == ScalarType::Bool => self.random.of(&[SubgroupOp::Any, SubgroupOp::All]),
                    _ => return None,
                };
                Stm::Subgroup { to: self.target(ty)?, op, value: self.exp(ty, 2) }
            }
            9 | 10 => {
                Stm::If { cond: self.exp(ScalarType::Bool, 2), yes: self.stms(depth - 1), no: self.stms(depth - 1) }
            }
            11 => {
                let ty = self.random.of(&[ScalarType::I32, ScalarType::I64, ScalarType::I8]);
                let index = self.target(ty)?;
                let number = |random: &mut Random, from: i64, n: usize| {
                    Exp::Lit(Scalar::from_i64(ty, from + random.below(n) as i64))
                };
                let [from, below] = [0; 2].map(|_| number(&mut self.random, -2, 6));
                let step = if self.random.chance(8) { self.exp(ty, 1) } else { number(&mut self.random, 1, 2) };
                self.loops.push(index);
                let body = self.stms(depth - 1);
                self.loops.pop();
                // it has a value behind the loop again
                let again = self.give(index);
                return Some(Stm::If {
                    cond: Exp::Lit(Scalar::Bool(true)),
                    yes: vec![Stm::For { index, from, below, step, body }, again.clone()],
                    no: vec![again],
                });
            }
            _ => {
                let before = self.stms(depth - 1);
                Stm::While { before, cond: self.condition(), body: self.stms(depth - 1) }
            }
        })
    }

    fn atomic(&mut self, at: Array, elem: ScalarType) -> Option<Stm> {
        let ops: Vec<_> = AtomicOp::ALL.into_iter().filter(|op| op.exists(elem)).collect();
        if ops.is_empty() || matches!(at, Array::Private(_)) {
            return None;
        }
        let op = self.random.of(&ops);
        let orders: Vec<_> = Order::ALL
            .into_iter()
            .filter(|o| (op.reads() || !o.acquires()) && (op.writes() || !o.releases()))
            .collect();
        let (order, scope) = (self.random.of(&orders), self.random.of(&Scope::ALL));
        let old = if op.reads() && self.random.chance(2) { Some(self.target(elem)?) } else { None };
        let operands = (0..op.arity()).map(|_| self.exp(elem, 1)).collect();
        Some(Stm::Atomic(Atomic { op, old, at, index: self.index(), operands, order, scope }))
    }
}
