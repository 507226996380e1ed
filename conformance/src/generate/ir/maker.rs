//! The state of making a program, and what all constructs need: picking operands, keeping floats of a moderate size, bodies and lambdas.
//!
//! Note [Smooth and wild]
//!
//! A *smooth* program is a differentiable function of its float parameters, well-conditioned where it is evaluated: each float has a bound on its
//! magnitude ([`Val::bound`]), operators get arguments from within their domains, and what grows too large is scaled or sent through `sin` or `tanh`.
//! Kinks are rare. A *wild* program has any types and operators. What it computes is defined to the bit: it does not depend on the order of a
//! reduction or on a partition, so that floats are only reduced by `min` and `max`, and not NaN.
//!
//! Note [No dead code]
//!
//! An item of a scope remembers whether it has been used. Picks prefer what has not; at the end of a body what is left over is added to its results.

use super::Profile;
use super::draw::Draw;
use super::scope::{Item, Scope, Val};
use super::weights::{CONSTRUCTS, Weights};
use futi_core::hash::HashMap;
use futi_core::ir::build::{Builder, map_exp, reduce_exp};
use futi_core::ir::visit::free_vars;
use futi_core::ir::*;

/// The largest magnitude of floats that bodies take and give.
pub(super) const LIMIT: f64 = 2.0;

pub(super) struct Maker {
    pub(super) draw: Draw,
    pub(super) profile: Profile,
    weights: Weights,
    /// Note [Smooth and wild].
    pub(super) smooth: bool,
    /// Whether only what the transformation has rules for may be made.
    pub(super) rules_only: bool,
    /// Whether what is being made stands inside of a derivative.
    pub(super) differentiated: bool,
    /// The scalar types of the program; `i64` and `bool` are always among them.
    pub(super) elems: Vec<ScalarType>,
    /// The operators on these types.
    pub(super) prims: Vec<Prim>,
    /// The sizes that can be named anywhere in the function that is being made.
    pub(super) dims: Vec<Dim>,
    /// The values of the sizes that are known.
    pub(super) sizes: HashMap<Var, i64>,
    /// The helper functions so far.
    pub(super) funs: Vec<Fun>,
    /// Those that can be called again from the function that is being made.
    pub(super) callees: Vec<super::control::Callee>,
    /// How many more constructs there may be.
    pub(super) fuel: usize,
    /// How many more SOACs there may be.
    pub(super) soacs: usize,
}

impl Maker {
    pub(super) fn new(profile: Profile, weights: &Weights, size: usize, seed: u64) -> Maker {
        let mut draw = Draw::new(size, seed);
        let smooth = match profile {
            Profile::Everything => draw.chance(55),
            Profile::Differentiable => true,
            Profile::Vulkan => draw.chance(50),
        };
        let mut elems = vec![ScalarType::I64, ScalarType::Bool];
        if smooth {
            let main = if draw.chance(80) { ScalarType::F64 } else { ScalarType::F32 };
            elems.push(main);
            if draw.chance(12) {
                elems.push(if main == ScalarType::F64 { ScalarType::F32 } else { ScalarType::F64 });
            }
            if draw.chance(30) {
                elems.push(ScalarType::I32);
            }
        } else {
            // a device has code for each type: its programs have many of them
            let more = if profile == Profile::Vulkan { 4 } else { 1 };
            elems.extend((0..more + draw.below(3)).map(|_| draw.pick(&ScalarType::ALL)));
            if draw.chance(40) {
                elems.push(ScalarType::I32);
            }
        }
        elems.sort_unstable();
        elems.dedup();
        let known =
            |op: &Prim| op.signature().is_some_and(|(args, r)| args.iter().chain([&r]).all(|t| elems.contains(t)));
        let prims = Prim::all().filter(known).collect();
        let fuel = 3 + size;
        let soacs = if profile == Profile::Vulkan { 3 + draw.below(4) } else { 2 + size / 2 };
        Maker {
            draw,
            profile,
            weights: weights.clone(),
            smooth,
            rules_only: profile != Profile::Everything,
            differentiated: false,
            elems,
            prims,
            dims: Vec::new(),
            sizes: HashMap::default(),
            funs: Vec::new(),
            callees: Vec::new(),
            fuel,
            soacs,
        }
    }

    /// Leaves out the constructs that the transformation has no rule for, if only those with rules may be made; gives the weights to [`Maker::restore`].
    pub(super) fn restrict(&mut self) -> Weights {
        let weights = self.weights.clone();
        if self.rules_only {
            self.weights.only(Profile::Differentiable);
        }
        weights
    }

    /// Ends what [`Maker::restrict`] has begun.
    pub(super) fn restore(&mut self, weights: Weights) {
        self.weights = weights;
    }

    // Types and sizes

    /// A scalar type of the program; in smooth programs mostly the float.
    pub(super) fn elem(&mut self) -> ScalarType {
        if self.smooth && self.draw.chance(85) {
            return self.float_elem();
        }
        let elems = self.elems.clone();
        self.draw.pick(&elems)
    }

    /// A float type of the program; without one, `i64`.
    pub(super) fn float_elem(&mut self) -> ScalarType {
        let floats: Vec<ScalarType> = self.elems.iter().copied().filter(|t| t.is_float()).collect();
        if floats.is_empty() { ScalarType::I64 } else { self.draw.pick(&floats) }
    }

    /// A size that can be named anywhere in the function.
    pub(super) fn dim(&mut self) -> Dim {
        let dims = self.dims.clone();
        self.draw.pick(&dims)
    }

    /// A shape of this rank.
    pub(super) fn shape(&mut self, rank: usize) -> Vec<Dim> {
        (0..rank).map(|_| self.dim()).collect()
    }

    /// A type that can be named anywhere in the function.
    pub(super) fn ty(&mut self) -> Type {
        let rank = self.draw.pick(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
        let rank = if rank == 2 && self.draw.chance(10) { 3 } else { rank };
        let shape = self.shape(rank);
        Type::Scalar(self.elem()).array_of(&shape)
    }

    /// A type for a result of an inner body.
    pub(super) fn types(&mut self, most: usize) -> Vec<Type> {
        (0..1 + self.draw.below(most)).map(|_| self.ty()).collect()
    }

    /// The type of a row of what a map gives: mostly a scalar.
    pub(super) fn row_type(&mut self) -> Type {
        let elem = Type::Scalar(self.elem());
        let constants: Vec<Dim> = self.dims.iter().copied().filter(|d| matches!(d, Dim::Const(_))).collect();
        if self.draw.chance(20) && !constants.is_empty() {
            return elem.array_of(&[self.draw.pick(&constants)]);
        }
        elem
    }

    /// The value of a size, if it is known.
    pub(super) fn size(&self, d: Dim) -> Option<i64> {
        match d {
            Dim::Const(n) => Some(n),
            Dim::Var(v) => self.sizes.get(&v).copied(),
        }
    }

    /// Whether the first k dimensions are known not to be empty.
    pub(super) fn non_empty(&self, ty: &Type, k: usize) -> bool {
        ty.rank() >= k && ty.shape()[..k].iter().all(|d| self.size(*d).is_some_and(|n| n > 0))
    }

    /// How many elements a dimension may have at most, as far as is known.
    pub(super) fn at_most(&self, d: Dim) -> f64 {
        self.size(d).map_or(16.0, |n| n as f64)
    }

    /// An `i64` variable of known value as a size.
    pub(super) fn known(&mut self, b: &mut Builder, op: BinOp, x: Dim, y: Dim) -> Dim {
        if let (Dim::Const(x), Dim::Const(y)) = (x, y) {
            return Dim::Const(if op == BinOp::Mul { x * y } else { x + y });
        }
        let v = b.let_one("size", Exp::Prim(Prim::Bin(op, ScalarType::I64), vec![x.into(), y.into()]));
        if let (Some(x), Some(y)) = (self.size(x), self.size(y)) {
            self.sizes.insert(v, if op == BinOp::Mul { x * y } else { x + y });
        }
        Dim::Var(v)
    }

    // Picking

    /// An item that fits, preferably one that has not been used; it is, then.
    pub(super) fn find(&mut self, scope: &mut Scope, fits: impl Fn(&Item) -> bool) -> Option<Val> {
        let fit: Vec<usize> = (0..scope.items.len()).filter(|i| fits(&scope.items[*i])).collect();
        let unused: Vec<usize> = fit.iter().copied().filter(|i| !scope.items[*i].used).collect();
        let from = if !unused.is_empty() && self.draw.chance(75) { &unused } else { &fit };
        if from.is_empty() {
            return None;
        }
        let item = &mut scope.items[from[self.draw.late(from.len())]];
        item.used = true;
        Some(Val { e: item.e, bound: item.bound })
    }

    /// An array in scope that fits.
    pub(super) fn find_array(&mut self, scope: &mut Scope, fits: impl Fn(&Type) -> bool) -> Option<(Var, f64)> {
        let val = self.find(scope, |i| matches!(&i.ty, Type::Array(..)) && i.e.as_var().is_some() && fits(&i.ty))?;
        Some((val.e.as_var()?, val.bound))
    }

    /// A value of that type.
    pub(super) fn value(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type) -> Val {
        if self.draw.chance(94)
            && let Some(val) = self.find(scope, |i| i.ty == *ty)
        {
            return val;
        }
        self.made(b, scope, ty)
    }

    /// A value of that type within the bound.
    pub(super) fn within(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type, limit: f64) -> Val {
        let val = self.value(b, scope, ty);
        self.tame(b, val, limit)
    }

    /// A new value of that type, made of another if there is one.
    fn made(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type) -> Val {
        let elem = ty.elem().unwrap_or(ScalarType::I64);
        if ty.rank() > 0 {
            return self.made_array(b, scope, ty, elem);
        }
        if self.draw.chance(85)
            && let Some(val) = self.element(b, scope, elem)
        {
            return val;
        }
        // of the same kind, so that derivatives pass
        let fits = |i: &Item| {
            let from = i.ty.elem().filter(|_| i.ty.rank() == 0);
            from.is_some_and(|t| {
                t != elem && (t.is_float() == elem.is_float() || !t.is_float() && elem != ScalarType::Bool)
            })
        };
        if self.draw.chance(80)
            && let Some(val) = self.find(scope, fits)
        {
            return self.converted(b, scope, val, elem);
        }
        let x = if self.smooth { self.constant(elem) } else { self.draw.literal(elem) };
        Val::new(x, x.to_f64().abs())
    }

    /// A constant that does no harm: floats are moderate.
    pub(super) fn constant(&mut self, t: ScalarType) -> Scalar {
        if t.is_float() && self.smooth { self.draw.moderate(t) } else { self.draw.literal(t) }
    }

    /// An element of an array of that type, if there is one that is known not to be empty.
    fn element(&mut self, b: &mut Builder, scope: &mut Scope, elem: ScalarType) -> Option<Val> {
        let sizes = self.sizes.clone();
        let known = |d: &Dim| match d {
            Dim::Const(n) => *n > 0,
            Dim::Var(v) => sizes.get(v).is_some_and(|n| *n > 0),
        };
        let (array, bound) = self.find_array(scope, |t| t.elem() == Some(elem) && t.shape().iter().all(known))?;
        let shape = b.vars.ty(array).shape().to_vec();
        let indices: Option<Vec<SubExp>> = shape.iter().map(|d| self.index_below(b, scope, *d)).collect();
        let x = self.indexed(b, array, indices?);
        Some(Val::new(x, bound))
    }

    /// A scalar converted to another type. Integers become floats between −2 and 2 in smooth programs.
    pub(super) fn converted(&mut self, b: &mut Builder, scope: &Scope, val: Val, to: ScalarType) -> Val {
        let from = b.vars.type_of(val.e).elem().unwrap_or(to);
        let below = scope.item(val.e).and_then(|i| i.below);
        if !self.smooth || !to.is_float() || from.is_float() {
            return Val::new(b.prim_op(Prim::Conv(from, to), &[val.e]), val.bound);
        }
        if from == ScalarType::Bool || below.is_some_and(|k| k <= 8) {
            let x = b.prim_op(Prim::Conv(from, to), &[val.e]);
            let x = b.prim_op(to.times(), &[x, Scalar::from_f64(to, 0.25).into()]);
            return Val::new(x, LIMIT);
        }
        let small = b.prim_op(Prim::Bin(BinOp::Mod, from), &[val.e, Scalar::from_i64(from, 7).into()]);
        let x = b.prim_op(Prim::Conv(from, to), &[small]);
        Val::new(b.prim_op(to.times(), &[x, Scalar::from_f64(to, 0.25).into()]), LIMIT)
    }

    fn made_array(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type, elem: ScalarType) -> Val {
        let row = Type::Scalar(elem);
        let x = self.value(b, scope, &row);
        let spread = self.smooth && elem.is_float() && self.draw.chance(60) && self.soacs > 0;
        if !spread {
            return Val::new(b.let_one("rep", Exp::Replicate { shape: ty.shape().to_vec(), value: x.e }), x.bound);
        }
        // elements that differ: x + i/8
        let x = self.tame(b, x, LIMIT);
        let n = ty.shape()[0];
        let is = self.indices(b, n);
        let rest = ty.shape()[1..].to_vec();
        let map = b.lambda(&[("i", Type::I64)], |b, p| {
            let small = b.prim_op(Prim::Bin(BinOp::Mod, ScalarType::I64), &[p[0].into(), SubExp::i64(7)]);
            let i = b.prim_op(Prim::Conv(ScalarType::I64, elem), &[small]);
            let i = b.prim_op(elem.times(), &[i, Scalar::from_f64(elem, 0.125).into()]);
            let y = b.prim_op(elem.plus(), &[i, x.e]);
            match rest.is_empty() {
                true => vec![y],
                false => vec![b.let_one("rep", Exp::Replicate { shape: rest.clone(), value: y }).into()],
            }
        });
        Val::new(b.let_one("spread", map_exp(n, vec![is], map)), x.bound + 1.0)
    }

    /// `0 … n−1`.
    pub(super) fn indices(&mut self, b: &mut Builder, n: Dim) -> Var {
        let (start, step) = (SubExp::i64(0), SubExp::i64(1));
        b.let_one("is", Exp::Iota { n: n.into(), start, step, elem: ScalarType::I64 })
    }

    /// An array of that type.
    pub(super) fn array(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type) -> (Var, f64) {
        let val = self.value(b, scope, ty);
        match val.e {
            SubExp::Var(v) => (v, val.bound),
            SubExp::Lit(x) => {
                (b.let_one("rep", Exp::Replicate { shape: ty.shape().to_vec(), value: x.into() }), val.bound)
            }
        }
    }

    /// An array that may be consumed: one that nobody needs any more, or a copy. Called before anything else of a node is picked.
    pub(super) fn own(&mut self, b: &mut Builder, scope: &mut Scope, ty: &Type, limit: f64) -> (Var, f64) {
        let fit = scope.items.iter().position(|i| i.own && i.ty == *ty && (!self.smooth || i.bound <= limit));
        if let Some(i) = fit
            && self.draw.chance(70)
        {
            let item = scope.items.remove(i);
            if let SubExp::Var(v) = item.e {
                return (v, item.bound);
            }
        }
        let val = self.within(b, scope, ty, limit);
        match val.e {
            SubExp::Var(v) => (b.let_one("own", Exp::Copy(v)), val.bound),
            SubExp::Lit(x) => {
                (b.let_one("own", Exp::Replicate { shape: ty.shape().to_vec(), value: x.into() }), val.bound)
            }
        }
    }

    /// Arrays of these elements and this shape that may be consumed, without NaN, where min and max have no neutral element; and how large they are.
    pub(super) fn dests(
        &mut self,
        b: &mut Builder,
        scope: &mut Scope,
        elems: &[Type],
        shape: &[Dim],
    ) -> (Vec<Var>, f64) {
        let (mut dests, mut largest) = (Vec::new(), 0.0f64);
        for t in elems {
            let (dest, bound) = self.own(b, scope, &t.array_of(shape), LIMIT);
            dests.extend(self.defined(b, Val::new(dest, bound)).e.as_var());
            largest = largest.max(bound);
        }
        (dests, largest)
    }

    /// An `i64` that is an index of the dimension; none when it may be empty.
    pub(super) fn index_below(&mut self, b: &mut Builder, scope: &mut Scope, d: Dim) -> Option<SubExp> {
        let n = self.size(d).filter(|n| *n > 0)?;
        if self.draw.chance(55)
            && let Some(val) = self.find(scope, |i| i.ty == Type::I64 && i.below.is_some_and(|k| k <= n))
        {
            return Some(val.e);
        }
        if self.draw.chance(25)
            && let Some(val) = self.find(scope, |i| i.ty == Type::I64)
        {
            return Some(b.prim_op(Prim::Bin(BinOp::Mod, ScalarType::I64), &[val.e, d.into()]));
        }
        Some(SubExp::i64(self.draw.below(n as usize) as i64))
    }

    /// The expression with the certificate of a check, most of the time: programs that lowering makes have them all.
    pub(super) fn checked(&mut self, b: &mut Builder, check: Check, name: &str, exp: Exp) -> Var {
        if !self.draw.chance(70) {
            return b.let_one(name, exp);
        }
        self.certified(b, check, name, exp)
    }

    /// The expression with the certificate of a check.
    pub(super) fn certified(&mut self, b: &mut Builder, check: Check, name: &str, exp: Exp) -> Var {
        let cert = b.let_one("cert", Exp::Check(check));
        let outer = std::mem::replace(&mut b.certs, vec![cert]);
        let v = b.let_one(name, exp);
        b.certs = outer;
        v
    }

    /// `array[indices]`, with or without a check.
    pub(super) fn indexed(&mut self, b: &mut Builder, array: Var, indices: Vec<SubExp>) -> Var {
        let sizes = b.vars.ty(array).shape()[..indices.len()].to_vec();
        let check = Check::Bounds { indices: indices.clone(), sizes };
        self.checked(b, check, "x", Exp::Index { array, indices })
    }

    // Floats of moderate size

    /// The value, or what brings its floats within the bound. Only smooth programs care.
    pub(super) fn tame(&mut self, b: &mut Builder, val: Val, limit: f64) -> Val {
        let ty = b.vars.type_of(val.e);
        let Some(elem) = ty.elem().filter(|t| t.is_float() && self.smooth) else { return val };
        if val.bound <= limit {
            return val;
        }
        let how = self.draw.below(4);
        let scale = 2f64.powi((limit / val.bound).log2().floor() as i32);
        let e = each(b, val.e, &mut |b, x| match how {
            _ if how < 2 && scale > 1e-3 => b.prim_op(elem.times(), &[x, Scalar::from_f64(elem, scale).into()]),
            0 | 2 => {
                let x = b.prim_op(elem.times(), &[x, Scalar::from_f64(elem, 0.5).into()]);
                b.prim_op(Prim::Un(UnOp::Tanh, elem), &[x])
            }
            _ => b.prim_op(Prim::Un(UnOp::Sin, elem), &[x]),
        });
        Val::new(e, if how < 2 && scale > 1e-3 { val.bound * scale } else { 1.0 })
    }

    /// In wild programs, zero for what is NaN or infinite: `min` and `max` have no neutral element that is one for these and their tangents.
    pub(super) fn defined(&mut self, b: &mut Builder, val: Val) -> Val {
        let ty = b.vars.type_of(val.e);
        let Some(elem) = ty.elem().filter(|t| t.is_float() && !self.smooth) else { return val };
        let e = each(b, val.e, &mut |b, x| {
            // x − x is 0 but for NaN and infinities
            let rest = b.prim_op(Prim::Bin(BinOp::Sub, elem), &[x, x]);
            let finite = b.prim_op(Prim::Cmp(CmpOp::Eq, elem), &[rest, elem.zero().into()]);
            b.prim_op(Prim::Select(elem), &[finite, x, elem.zero().into()])
        });
        Val::new(e, val.bound)
    }

    // Bodies

    /// Adds so many constructs.
    pub(super) fn body(&mut self, b: &mut Builder, scope: &mut Scope, depth: usize, count: usize) {
        for _ in 0..count {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            let may = |(i, c): (usize, &super::weights::Construct)| match c.nested && (depth == 0 || self.soacs == 0) {
                true => 0,
                false => self.weights.at(i),
            };
            let weights: Vec<u32> = CONSTRUCTS.iter().enumerate().map(may).collect();
            if let Some(i) = self.draw.weighted(&weights) {
                let construct = &CONSTRUCTS[i];
                self.soacs -= usize::from(construct.nested);
                (construct.make)(self, b, scope, depth);
            }
        }
    }

    /// How many constructs an inner body has.
    fn inner_count(&mut self, depth: usize) -> usize {
        if depth == 0 { 1 + self.draw.below(2) } else { 1 + self.draw.below(3) }
    }

    /// Constructs, then values of these types within the bound; what is left over is added to them.
    pub(super) fn inside(
        &mut self,
        b: &mut Builder,
        scope: &mut Scope,
        depth: usize,
        types: &[Type],
        limit: f64,
    ) -> Vec<Val> {
        let count = self.inner_count(depth);
        self.body(b, scope, depth, count);
        let mut results: Vec<Val> = types.iter().map(|t| self.value(b, scope, t)).collect();
        self.absorb(b, scope, &mut results);
        results.into_iter().map(|v| self.tame(b, v, limit)).collect()
    }

    /// A body inside of another, with these results.
    pub(super) fn branch_body(
        &mut self,
        b: &mut Builder,
        scope: &mut Scope,
        depth: usize,
        types: &[Type],
        limit: f64,
    ) -> (Body, Vec<f64>) {
        let mut inner = scope.inner();
        let mut bounds = Vec::new();
        let body = b.inner(|b| {
            let results = self.inside(b, &mut inner, depth.saturating_sub(1), types, limit);
            bounds = results.iter().map(|v| v.bound).collect();
            results.into_iter().map(|v| v.e).collect()
        });
        scope.mark(&free_vars(&body));
        (body, bounds)
    }

    /// A lambda of parameters of these types and bounds, whose results `f` makes with the scope that has them. A parameter that is an index is known to
    /// be below the number given.
    pub(super) fn lambda(
        &mut self,
        b: &mut Builder,
        scope: &mut Scope,
        params: &[Param],
        f: impl FnOnce(&mut Maker, &mut Builder, &mut Scope, &[Var]) -> Vec<Val>,
    ) -> (Lambda, Vec<f64>) {
        let mut inner = scope.inner();
        let names: Vec<(&str, Type)> = params.iter().map(|p| ("p", p.ty.clone())).collect();
        let mut bounds = Vec::new();
        let lambda = b.lambda(&names, |b, vars| {
            for (v, p) in vars.iter().zip(params) {
                inner.add(b.vars, *v, p.bound).below = p.below;
            }
            let results = f(self, b, &mut inner, vars);
            bounds = results.iter().map(|v| v.bound).collect();
            results.into_iter().map(|v| v.e).collect()
        });
        scope.mark(&free_vars(&lambda));
        (lambda, bounds)
    }

    /// Adds what has not been used to the results.
    pub(super) fn absorb(&mut self, b: &mut Builder, scope: &mut Scope, results: &mut [Val]) {
        let returned: Vec<Var> = results.iter().filter_map(|v| v.e.as_var()).collect();
        scope.mark(&returned);
        for k in 0..scope.items.len() {
            if scope.items[k].used {
                continue;
            }
            scope.items[k].used = true;
            let item = scope.items[k].clone();
            let float = item.ty.is_float();
            // a size or an index is no loss
            if self.smooth && !float && (item.below.is_some() || self.draw.chance(70)) {
                continue;
            }
            let fits = |v: &Val| {
                let t = b.vars.type_of(v.e);
                (!self.smooth || t.is_float()) && t.elem() != Some(ScalarType::Bool)
            };
            let targets: Vec<usize> = (0..results.len()).filter(|i| fits(&results[*i])).collect();
            if targets.is_empty() {
                continue;
            }
            let target = self.draw.pick(&targets);
            let to = b.vars.type_of(results[target].e);
            let Some(elem) = to.elem() else { continue };
            let val = Val { e: item.e, bound: item.bound };
            if item.ty == to && self.draw.chance(50) {
                results[target] = self.combined(b, results[target], val, elem);
                continue;
            }
            let Some(x) = self.as_scalar(b, scope, val, elem) else { continue };
            results[target] = self.with_scalar(b, results[target], x, elem);
        }
    }

    /// The operator that adds what is left over.
    fn adding(&self, elem: ScalarType) -> Prim {
        match (elem.is_float(), self.smooth) {
            (true, false) => Prim::Bin(BinOp::Max, elem),
            _ => elem.plus(),
        }
    }

    fn combined(&mut self, b: &mut Builder, x: Val, y: Val, elem: ScalarType) -> Val {
        Val::new(b.elementwise("sum", self.adding(elem), x.e, y.e), x.bound + y.bound)
    }

    fn with_scalar(&mut self, b: &mut Builder, x: Val, y: Val, elem: ScalarType) -> Val {
        let op = self.adding(elem);
        Val::new(each(b, x.e, &mut |b, x| b.prim_op(op, &[x, y.e])), x.bound + y.bound)
    }

    /// A scalar that depends on all elements of a value; none if that would take another SOAC.
    pub(super) fn as_scalar(&mut self, b: &mut Builder, scope: &Scope, val: Val, elem: ScalarType) -> Option<Val> {
        let ty = b.vars.type_of(val.e);
        let from = ty.elem()?;
        let (SubExp::Var(mut array), true) = (val.e, ty.rank() > 0) else {
            return Some(if from == elem { val } else { self.converted(b, scope, val, elem) });
        };
        if self.profile == Profile::Vulkan && self.soacs == 0 {
            return None;
        }
        self.soacs = self.soacs.saturating_sub(1);
        let mut bound = val.bound;
        for _ in 1..ty.rank() {
            let shape = b.vars.ty(array).shape().to_vec();
            let size = self.known(b, BinOp::Mul, shape[0], shape[1]);
            let shape = [vec![size], shape[2..].to_vec()].concat();
            array = b.let_one("flat", Exp::Reshape { shape, array });
        }
        let n = b.vars.ty(array).shape()[0];
        // floats are added as they are where rounding is judged, else as integers
        let acc = match (self.smooth, from) {
            (true, t) if t.is_float() => t,
            _ => ScalarType::I64,
        };
        if self.smooth {
            bound *= self.at_most(n);
        }
        let op = b.operator(acc.plus(), acc.zero());
        let map = b.lambda(&[("x", Type::Scalar(from))], |b, p| match from == acc {
            true => vec![p[0].into()],
            false => vec![b.prim_op(Prim::Conv(from, acc), &[p[0].into()])],
        });
        let total = Val::new(b.let_one("sum", reduce_exp(n, vec![array], map, vec![op])), bound);
        let total = self.tame(b, total, LIMIT);
        Some(if acc == elem { total } else { self.converted(b, scope, total, elem) })
    }
}

/// A parameter of a lambda.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) ty: Type,
    pub(super) bound: f64,
    pub(super) below: Option<i64>,
}

impl Param {
    pub(super) fn new(ty: Type, bound: f64) -> Param {
        Param { ty, bound, below: None }
    }
    pub(super) fn index(below: Option<i64>) -> Param {
        Param { ty: Type::I64, bound: 16.0, below }
    }
}

/// A scalar function applied to every element.
pub(super) fn each(b: &mut Builder, v: SubExp, f: &mut dyn FnMut(&mut Builder, SubExp) -> SubExp) -> SubExp {
    match (b.vars.type_of(v), v) {
        (ty @ Type::Array(..), SubExp::Var(array)) => {
            let map = b.lambda(&[("x", ty.row())], |b, p| vec![each(b, p[0].into(), f)]);
            b.let_one("each", map_exp(ty.shape()[0], vec![array], map)).into()
        }
        _ => f(b, v),
    }
}
