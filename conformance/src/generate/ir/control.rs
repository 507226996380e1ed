//! Checks, branches, loops and calls.

use super::arrays::size_item;
use super::maker::{LIMIT, Maker, Param};
use super::scope::{Scope, Val};
use futi_core::hash::HashMap;
use futi_core::ir::build::{Builder, substitute_type};
use futi_core::ir::visit::free_vars;
use futi_core::ir::*;

/// A check that passes, and something that relies on it.
pub(super) fn check(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let check = passing(m, b, scope);
    let Some(val) = m.find(scope, |i| i.ty.elem().is_some()) else { return };
    relying(m, b, scope, check, val);
}

/// The value again, by a statement that relies on a check.
pub(super) fn relying(m: &mut Maker, b: &mut Builder, scope: &mut Scope, check: Check, val: Val) -> Var {
    scope.share(val.e);
    let ty = b.vars.type_of(val.e);
    let exp = match ty.elem() {
        Some(t) if ty.rank() == 0 && t != ScalarType::Bool => {
            let one = if m.smooth && t.is_float() { Scalar::from_f64(t, 1.0) } else { t.one() };
            Exp::Prim(t.times(), vec![val.e, one.into()])
        }
        _ => Exp::SubExp(val.e),
    };
    let v = m.certified(b, check, "sure", exp);
    scope.add(b.vars, v, val.bound);
    v
}

fn passing(m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Check {
    let d = m.dim();
    let n: SubExp = d.into();
    match m.draw.below(8) {
        0 => {
            let cond = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[SubExp::i64(0), n]);
            Check::Assert(cond, "a size is not negative".into())
        }
        1 => {
            let x = m.value(b, scope, &Type::I64).e;
            let odd = b.prim_op(Prim::Bin(BinOp::Or, ScalarType::I64), &[x, SubExp::i64(1)]);
            Check::NonZero(odd)
        }
        2 => {
            let x = m.value(b, scope, &Type::I64).e;
            let small = b.prim_op(Prim::Bin(BinOp::And, ScalarType::I64), &[x, SubExp::i64(7)]);
            if m.draw.chance(50) { Check::NonNegativeExponent(small) } else { Check::NonNegativeSize(small) }
        }
        3 => {
            let kind = m.draw.pick(&[RangeKind::Inclusive, RangeKind::UpTo, RangeKind::DownTo]);
            let (start, second, end) = match kind {
                RangeKind::DownTo => (n, b.prim_op(ScalarType::I64.plus(), &[n, SubExp::i64(-1)]), SubExp::i64(-1)),
                _ => (SubExp::i64(0), SubExp::i64(1), n),
            };
            let second = m.draw.chance(50).then_some(second);
            Check::Range { start, second, end, kind }
        }
        4 => Check::SizeEq { actual: vec![d, d], expected: vec![d, m.size(d).map_or(d, Dim::Const)] },
        5 if !m.rules_only => Check::Slice { start: SubExp::i64(0), end: n, stride: SubExp::i64(1), size: d },
        _ => Check::NonNegativeSize(n),
    }
}

/// A check that fails, of what an argument makes fail.
pub(super) fn failing(m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Check {
    let x = m.value(b, scope, &Type::I64).e;
    // what no pass knows to be zero unless it looks at x
    let zero = b.prim_op(Prim::Bin(BinOp::Xor, ScalarType::I64), &[x, x]);
    let minus = b.prim_op(ScalarType::I64.plus(), &[zero, SubExp::i64(-1)]);
    let d = m.dim();
    match m.draw.below(7) {
        0 => {
            let cond = b.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[zero, minus]);
            Check::Assert(cond, "what is asked for".into())
        }
        1 => Check::NonZero(zero),
        2 => Check::NonNegativeExponent(minus),
        3 => Check::NonNegativeSize(minus),
        4 => Check::Bounds { indices: vec![d.into()], sizes: vec![d] },
        5 => Check::Range { start: SubExp::i64(0), second: Some(zero), end: SubExp::i64(3), kind: RangeKind::UpTo },
        _ => {
            let other = m.size(d).map_or(Dim::Const(9), |n| Dim::Const(n + 1));
            Check::SizeEq { actual: vec![d], expected: vec![other] }
        }
    }
}

/// The types of what a branch or loop gives: those of things in scope, or any.
fn result_types(m: &mut Maker, scope: &Scope, most: usize) -> Vec<Type> {
    let visible: Vec<Type> =
        scope.items.iter().filter(|i| i.ty.rank() > 0 && i.e.as_var().is_some()).map(|i| i.ty.clone()).collect();
    let mut types = m.types(most);
    if !visible.is_empty() && m.draw.chance(40) {
        types[0] = m.draw.pick(&visible);
    }
    types
}

fn bind(b: &mut Builder, scope: &mut Scope, types: Vec<Type>, bounds: &[f64], exp: Exp) {
    let pat: Vec<Binder> = types.into_iter().map(|t| b.vars.fresh("r", t)).collect();
    b.bind(pat.clone(), exp);
    scope.share_all();
    pat.iter().zip(bounds).for_each(|(p, bound)| {
        scope.add(b.vars, p.var, *bound);
    });
}

fn larger(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x.max(*y)).collect()
}

/// `if`.
pub(super) fn branch(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let cond = m.cond(b, scope);
    let types = result_types(m, scope, 2);
    let (yes, bounds) = m.branch_body(b, scope, depth, &types, 2.0 * LIMIT);
    let (no, others) = m.branch_body(b, scope, depth, &types, 2.0 * LIMIT);
    bind(b, scope, types, &larger(&bounds, &others), Exp::If { cond, yes, no });
}

/// A body that gives a size and an array of it: some of the elements of an array, or a few values.
fn sized_body(m: &mut Maker, b: &mut Builder, scope: &mut Scope, elem: ScalarType) -> (Body, f64) {
    let mut inner = scope.inner();
    let mut bound = 0.0;
    let body = b.inner(|b| {
        let row = Type::Scalar(elem);
        if let Some((array, most)) = m.find_array(&mut inner, |t| t.rank() == 1 && t.elem() == Some(elem))
            && most <= 2.0 * LIMIT
            && m.draw.chance(60)
        {
            bound = most;
            return vec![b.vars.ty(array).shape()[0].into(), array.into()];
        }
        let x = m.entry(b, &mut inner, &row);
        bound = x.bound;
        let k = m.draw.below(4) as i64;
        let xs = b.let_one("xs", Exp::Replicate { shape: vec![Dim::Const(k)], value: x.e });
        vec![SubExp::i64(k), xs.into()]
    });
    scope.mark(&free_vars(&body));
    (body, bound)
}

/// The binders of a size and an array of it.
fn sized_pat(b: &mut Builder, elem: ScalarType) -> Vec<Binder> {
    let k = b.vars.fresh("k", Type::I64);
    let xs = b.vars.fresh("xs", Type::Scalar(elem).array_of(&[Dim::Var(k.var)]));
    vec![k, xs]
}

/// Adds an array of unknown size; a size is a size, not a result.
fn add_sized(b: &Builder, scope: &mut Scope, pat: &[Binder], bound: f64) {
    scope.share_all();
    size_item(b, scope, pat[0].var);
    scope.add(b.vars, pat[1].var, bound);
}

/// An `if` whose result has a size that depends on the branch.
pub(super) fn branch_of_sizes(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let cond = m.cond(b, scope);
    let elem = m.elem();
    let (yes, x) = sized_body(m, b, scope, elem);
    let (no, y) = sized_body(m, b, scope, elem);
    let pat = sized_pat(b, elem);
    b.bind(pat.clone(), Exp::If { cond, yes, no });
    add_sized(b, scope, &pat, x.max(y));
}

/// `match`, now and then with a result of a size that depends on the case.
pub(super) fn match_(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let elems: Vec<ScalarType> = m.elems.iter().copied().filter(|t| !m.smooth || !t.is_float()).collect();
    let matched: Vec<ScalarType> = (0..1 + m.draw.below(2)).map(|_| m.draw.pick(&elems)).collect();
    let scrutinees: Vec<SubExp> = matched.iter().map(|t| m.value(b, scope, &Type::Scalar(*t)).e).collect();
    let count = m.draw.below(4);
    let patterns: Vec<Vec<Option<Scalar>>> =
        (0..count).map(|_| matched.iter().map(|t| m.draw.chance(75).then(|| m.draw.literal(*t))).collect()).collect();
    let sized = m.draw.chance(20).then(|| m.elem());
    let types = result_types(m, scope, 2);
    let mut bounds = vec![0.0; 2];
    let mut bodies = Vec::new();
    for _ in 0..=count {
        let (body, here) = match sized {
            Some(elem) => {
                let (body, bound) = sized_body(m, b, scope, elem);
                (body, vec![0.0, bound])
            }
            None => m.branch_body(b, scope, depth, &types, 2.0 * LIMIT),
        };
        bounds = larger(&bounds, &[here, vec![0.0; 2]].concat());
        bodies.push(body);
    }
    let default = bodies.pop().unwrap_or_default();
    let cases = patterns.into_iter().zip(bodies).map(|(pattern, body)| Case { pattern, body }).collect();
    let exp = Exp::Match { scrutinees, cases, default };
    let Some(elem) = sized else { return bind(b, scope, types, &bounds, exp) };
    let pat = sized_pat(b, elem);
    b.bind(pat.clone(), exp);
    add_sized(b, scope, &pat, bounds[1]);
}

/// The parameters of a loop that all stay within the bound; perhaps one that is updated in place.
struct Carried {
    params: Vec<LoopParam>,
    types: Vec<Type>,
    /// The array that is updated, with an index and a type.
    updated: Option<(Var, SubExp, Type)>,
}

fn carried(m: &mut Maker, b: &mut Builder, scope: &mut Scope) -> Carried {
    let (mut params, mut types) = (Vec::new(), Vec::new());
    let mut updated = None;
    if m.draw.chance(45) {
        let d = m.dim();
        let ty = Type::Scalar(m.elem()).array_of(&[d]);
        if m.filled(d) {
            let (array, _) = m.own(b, scope, &ty, LIMIT);
            let binder = b.vars.fresh("to", ty.clone());
            let index = SubExp::i64(m.draw.below(m.size(d).unwrap_or(1) as usize) as i64);
            updated = Some((binder.var, index, ty));
            params.push(LoopParam { binder, unique: true, init: array.into() });
        }
    }
    for _ in 0..1 + m.draw.below(2) {
        let ty = if m.draw.chance(70) { Type::Scalar(m.elem()) } else { m.ty() };
        let init = m.within(b, scope, &ty, LIMIT);
        params.push(LoopParam { binder: b.vars.fresh("p", ty.clone()), unique: false, init: init.e });
        types.push(ty);
    }
    Carried { params, types, updated }
}

/// The body of a loop that carries these.
fn carried_body(
    m: &mut Maker,
    b: &mut Builder,
    scope: &mut Scope,
    depth: usize,
    c: &Carried,
    index: Option<(Var, Option<i64>)>,
    last: impl FnOnce(&mut Builder) -> Vec<SubExp>,
) -> Body {
    let mut inner = scope.inner();
    let body = b.inner(|b| {
        for p in &c.params {
            inner.add(b.vars, p.binder.var, LIMIT);
        }
        if let Some((i, below)) = index {
            inner.add(b.vars, i, 16.0).below = below;
        }
        let results = m.inside(b, &mut inner, depth - 1, &c.types, LIMIT);
        let mut out: Vec<SubExp> = Vec::new();
        if let Some((array, index, ty)) = &c.updated {
            let value = m.within(b, &mut inner, &ty.row(), LIMIT);
            // of what aliases the array nothing goes on
            out.extend(results.iter().map(|v| unaliased(b, v.e)));
            let new = Exp::Update { array: *array, indices: vec![*index], value: unaliased(b, value.e) };
            out.insert(0, b.let_one("to", new).into());
        } else {
            out.extend(results.iter().map(|v| v.e));
        }
        out.extend(last(b));
        out
    });
    scope.mark(&free_vars(&body));
    body
}

fn unaliased(b: &mut Builder, e: SubExp) -> SubExp {
    match e {
        SubExp::Var(v) if b.vars.ty(v).rank() > 0 => b.let_one("copy", Exp::Copy(v)).into(),
        e => e,
    }
}

/// `for`.
pub(super) fn for_(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let ints: Vec<ScalarType> = m.elems.iter().copied().filter(|t| t.is_int()).collect();
    let mut t = if m.draw.chance(80) { ScalarType::I64 } else { m.draw.pick(&ints) };
    let d = m.dim();
    let (bound, below): (SubExp, i64) = match m.size(d) {
        Some(n) if n <= 4 && m.draw.chance(50) => {
            t = ScalarType::I64;
            (d.into(), n)
        }
        _ => {
            let n = m.draw.pick(&[1, 2, 2, 3, 3, 4, 0]);
            (Scalar::from_i64(t, n).into(), n)
        }
    };
    let c = carried(m, b, scope);
    let index = b.vars.fresh("i", Type::Scalar(t));
    let known = (t == ScalarType::I64).then_some(below);
    let body = carried_body(m, b, scope, depth, &c, Some((index.var, known)), |_| Vec::new());
    let form = LoopForm::For { index, bound };
    finish_loop(b, scope, c, form, body, 0);
}

fn finish_loop(b: &mut Builder, scope: &mut Scope, c: Carried, form: LoopForm, body: Body, extra: usize) {
    let unique = c.updated.is_some();
    let results = b.let_many("loop", Exp::Loop { params: c.params, form, body });
    scope.share_all();
    let kept = results.len() - extra;
    for (i, v) in results.into_iter().take(kept).enumerate() {
        scope.add(b.vars, v, LIMIT).own = unique && i == 0;
    }
}

/// `while`, up to four times: as long as a counter says, or in wild programs also a value.
pub(super) fn while_(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let mut c = carried(m, b, scope);
    let counter = b.vars.fresh("k", Type::I64);
    let go_on = b.vars.fresh("go", Type::BOOL);
    let trips = m.draw.below(4) as i64;
    let (k, cond) = (counter.var, go_on.var);
    let index = Some((k, Some(trips.max(1))));
    let less = Prim::Cmp(CmpOp::Lt, ScalarType::I64);
    let body = carried_body(m, b, scope, depth, &c, index, |b| {
        let next = b.prim_op(ScalarType::I64.plus(), &[k.into(), SubExp::i64(1)]);
        vec![next, b.prim_op(less, &[next, SubExp::i64(trips)])]
    });
    let start = b.prim_op(less, &[SubExp::i64(0), SubExp::i64(trips)]);
    c.params.push(LoopParam { binder: counter, unique: false, init: SubExp::i64(0) });
    c.params.push(LoopParam { binder: go_on, unique: false, init: start });
    finish_loop(b, scope, c, LoopForm::While(cond), body, 2);
}

/// A loop whose array grows or shrinks.
pub(super) fn loop_of_sizes(m: &mut Maker, b: &mut Builder, scope: &mut Scope, _: usize) {
    let elem = m.elem();
    let d = m.dim();
    let (start, bound) = m.array(b, scope, &Type::Scalar(elem).array_of(&[d]));
    let trips = m.draw.below(3) as i64;
    let k = b.vars.fresh("k", Type::I64);
    let size = Dim::Var(k.var);
    let xs = b.vars.fresh("xs", Type::Scalar(elem).array_of(&[size]));
    let index = b.vars.fresh("i", Type::I64);
    let more = m.entry(b, scope, &Type::Scalar(elem));
    let how = m.draw.below(3);
    let body = b.inner(|b| {
        let (next, arrays) = match how {
            0 => {
                let lit = b.let_one("one", Exp::ArrayLit { elems: vec![more.e], row: Type::Scalar(elem) });
                (m.known(b, BinOp::Add, size, Dim::Const(1)), vec![xs.var, lit])
            }
            1 => (m.known(b, BinOp::Mul, size, Dim::Const(2)), vec![xs.var, xs.var]),
            _ => {
                let half = b.prim_op(Prim::Bin(BinOp::Shr, ScalarType::I64), &[size.into(), SubExp::i64(1)]);
                let count = Dim::from_subexp(half).unwrap_or(size);
                let (first, stride) = (SubExp::i64(0), SubExp::i64(1));
                let slice = vec![SliceDim::Range { start: first, count, stride }];
                let check = Check::Slice { start: first, end: half, stride, size };
                let part = m.certified(b, check, "half", Exp::Slice { array: xs.var, slice });
                return vec![half, part.into()];
            }
        };
        vec![next.into(), b.let_one("grown", Exp::Concat { arrays, size: next }).into()]
    });
    scope.mark(&free_vars(&body));
    let param = |binder: &Binder, init: SubExp| LoopParam { binder: binder.clone(), unique: false, init };
    let params = vec![param(&k, d.into()), param(&xs, start.into())];
    let pat = sized_pat(b, elem);
    let form = LoopForm::For { index, bound: SubExp::i64(trips) };
    b.bind(pat.clone(), Exp::Loop { params, form, body });
    add_sized(b, scope, &pat, bound.max(more.bound));
}

/// A function that can be called again: it takes what is known of its arguments' sizes for granted.
#[derive(Clone)]
pub(super) struct Callee {
    name: Name,
    /// The sizes that it is called with, then the types and bounds of the other arguments, as the caller names them.
    sizes: Vec<Dim>,
    params: Vec<Param>,
    results: Vec<Type>,
    bounds: Vec<f64>,
}

/// A call of a new function, or once more of one.
pub(super) fn call(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    if !m.callees.is_empty() && m.draw.chance(30) {
        let callees = m.callees.clone();
        let callee = m.draw.pick(&callees);
        let mut args: Vec<SubExp> = callee.sizes.iter().map(|d| (*d).into()).collect();
        for p in &callee.params {
            args.push(m.within(b, scope, &p.ty, p.bound).e);
        }
        return bind(b, scope, callee.results, &callee.bounds, Exp::Apply { fun: callee.name, args });
    }
    let (mut args, mut params) = (Vec::new(), Vec::new());
    // one that the function may consume, first
    let consumed = m.draw.chance(30).then(|| {
        let rank = 1 + m.draw.below(2);
        let shape = m.shape(rank);
        let ty = Type::Scalar(m.elem()).array_of(&shape);
        let (v, bound) = m.own(b, scope, &ty, 2.0 * LIMIT);
        args.push(v.into());
        params.push(Param::new(ty, bound));
    });
    for _ in 0..1 + m.draw.below(2) {
        let Some(val) = m.find(scope, |i| i.ty.elem().is_some()) else { break };
        let val = m.tame(b, val, 2.0 * LIMIT);
        args.push(val.e);
        params.push(Param::new(b.vars.type_of(val.e), val.bound));
    }
    let unique: Vec<bool> = (0..params.len()).map(|i| i == 0 && consumed.is_some()).collect();
    let sizes = sizes_of(params.iter().map(|p| &p.ty));
    let results = (0..1 + m.draw.below(2)).map(|_| m.draw.below(10)).collect::<Vec<_>>();
    let mut types = Vec::new();
    for k in results {
        // a type of a parameter, or a scalar
        let arrays: Vec<Type> = params.iter().map(|p| p.ty.clone()).filter(|t| t.rank() > 0).collect();
        types.push(if k < 4 && !arrays.is_empty() { m.draw.pick(&arrays) } else { Type::Scalar(m.elem()) });
    }
    let name = Name::from(format!("f{}", b.vars.count()).as_str());
    let bounds = function(m, b, &name, &sizes, &params, &unique, &types, |m, b, scope, types| {
        m.inside(b, scope, depth - 1, types, 2.0 * LIMIT)
    });
    let all = sizes.iter().map(|d| (*d).into()).chain(args).collect();
    let here = sizes.iter().all(|d| m.dims.contains(d));
    if here && params.iter().all(|p| p.ty.shape().iter().all(|d| matches!(d, Dim::Const(_)) || m.dims.contains(d))) {
        let no_consumption = unique.iter().all(|u| !u);
        if no_consumption {
            let (sizes, results, bounds) = (sizes.clone(), types.clone(), bounds.clone());
            m.callees.push(Callee { name: name.clone(), sizes, params, results, bounds });
        }
    }
    bind(b, scope, types, &bounds, Exp::Apply { fun: name, args: all });
}

/// The sizes that these types mention.
fn sizes_of<'a>(types: impl Iterator<Item = &'a Type>) -> Vec<Dim> {
    let mut sizes: Vec<Dim> = Vec::new();
    for d in types.flat_map(|t| t.shape().to_vec()) {
        if matches!(d, Dim::Var(_)) && !sizes.contains(&d) {
            sizes.push(d);
        }
    }
    sizes
}

/// Makes a function: of sizes, then parameters of these types, which mention the caller's sizes; results likewise. Gives the bounds of the results.
#[allow(clippy::too_many_arguments)]
fn function(
    m: &mut Maker,
    b: &mut Builder,
    name: &Name,
    sizes: &[Dim],
    params: &[Param],
    unique: &[bool],
    results: &[Type],
    make: impl FnOnce(&mut Maker, &mut Builder, &mut Scope, &[Type]) -> Vec<Val>,
) -> Vec<f64> {
    let mut subst = HashMap::default();
    let mut scope = Scope::default();
    let mut all = Vec::new();
    let mut dims = vec![Dim::Const(2), Dim::Const(3)];
    for d in sizes {
        let binder = b.vars.fresh("n", Type::I64);
        if let (Dim::Var(v), Some(n)) = (d, m.size(*d)) {
            m.sizes.insert(binder.var, n);
            subst.insert(*v, SubExp::Var(binder.var));
        } else if let Dim::Var(v) = d {
            subst.insert(*v, SubExp::Var(binder.var));
        }
        dims.push(Dim::Var(binder.var));
        scope.add(b.vars, binder.var, 16.0).used = true;
        all.push(FunParam { binder, unique: false });
    }
    for (p, unique) in params.iter().zip(unique) {
        let binder = b.vars.fresh("a", substitute_type(&p.ty, &subst));
        scope.add(b.vars, binder.var, p.bound).own = *unique;
        all.push(FunParam { binder, unique: *unique });
    }
    let types: Vec<Type> = results.iter().map(|t| substitute_type(t, &subst)).collect();
    let outer_dims = std::mem::replace(&mut m.dims, dims);
    let outer_callees = std::mem::take(&mut m.callees);
    let mut bounds = Vec::new();
    let body = b.inner(|b| {
        let values = make(m, b, &mut scope, &types);
        bounds = values.iter().map(|v| v.bound).collect();
        values.into_iter().map(|v| v.e).collect()
    });
    (m.dims, m.callees) = (outer_dims, outer_callees);
    let results = types.into_iter().map(|t| FunResult { binder: b.vars.fresh("r", t), unique: false }).collect();
    m.funs.push(Fun { name: name.clone(), entry: None, params: all, results, body });
    bounds
}

/// A function that calls itself a few times.
pub(super) fn recursion(m: &mut Maker, b: &mut Builder, scope: &mut Scope, depth: usize) {
    let x = match m.find(scope, |i| i.ty.elem().is_some_and(|t| t != ScalarType::Bool) && i.ty.rank() < 2) {
        Some(x) => m.tame(b, x, LIMIT),
        None => return,
    };
    let ty = b.vars.type_of(x.e);
    let name = Name::from(format!("g{}", b.vars.count()).as_str());
    let sizes = sizes_of([&ty].into_iter());
    let params = [Param { ty: Type::I64, bound: 4.0, below: None }, Param::new(ty.clone(), LIMIT)];
    let itself = name.clone();
    let trips = SubExp::i64(m.draw.below(4) as i64);
    let bounds =
        function(m, b, &name, &sizes, &params, &[false; 2], std::slice::from_ref(&ty), |m, b, scope, types| {
            let k = scope.items[scope.items.len() - 2].e;
            scope.items.iter_mut().filter(|i| i.e == k).for_each(|i| i.used = true);
            let x = scope.items[scope.items.len() - 1].e;
            let done = b.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[k, SubExp::i64(0)]);
            let (yes, _) = m.branch_body(b, scope, 1, types, LIMIT);
            let no = b.inner(|b| {
                let mut inner = scope.inner();
                inner.items.iter_mut().filter(|i| i.e == x).for_each(|i| i.used = false);
                let next = m.inside(b, &mut inner, depth.saturating_sub(1).min(1), types, LIMIT);
                let less = b.prim_op(ScalarType::I64.plus(), &[k, SubExp::i64(-1)]);
                let sizes = m.dims.iter().filter(|d| matches!(d, Dim::Var(_))).map(|d| SubExp::from(*d));
                let args = sizes.chain([less, next[0].e]).collect();
                let r = b.vars.fresh("r", types[0].clone());
                b.bind(vec![r.clone()], Exp::Apply { fun: itself, args });
                vec![r.var.into()]
            });
            let r = b.vars.fresh("r", types[0].clone());
            b.bind(vec![r.clone()], Exp::If { cond: done, yes, no });
            vec![Val::new(r.var, LIMIT)]
        });
    let args = sizes.iter().map(|d| (*d).into()).chain([trips, x.e]).collect();
    bind(b, scope, vec![ty], &bounds, Exp::Apply { fun: name, args });
}
