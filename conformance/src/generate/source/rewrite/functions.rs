//! Rewrites of functions and how they are applied.

use super::*;
use crate::generate::source::make::{applied, matches};
use futi_core::prim::ScalarType;

fn params_of(t: &Ty) -> Option<(&[Ty], &Ty)> {
    if let Ty::Fun(ps, r) = t { Some((ps, r)) } else { None }
}

/// `f` becomes `\x y -> f x y`.
pub fn eta(c: &mut Context, e: &Exp) -> Option<Exp> {
    let (ps, ret) = params_of(&e.ty)?;
    match &*e.kind {
        Kind::Lambda(..) => return None,
        // the head of a call may say by its arguments how large its result is
        Kind::Var(n) if PRELUDE.contains(&&**n) || c.is_sized(e) => return None,
        Kind::App(f, _) if c.is_sized(f) => return None,
        _ => {}
    }
    let pats: Vec<Pat> = ps.iter().map(|t| c.param(t)).collect();
    let args = pats.iter().map(Pat::exp).collect();
    Some(Exp::lambda(pats, applied(e.clone(), args, ret)))
}

/// An operand `a` of `e` is given to a function: `(\x -> e) a`, with `x` for `a`.
pub fn beta_expand(c: &mut Context, e: &Exp) -> Option<Exp> {
    if !is_strict(e) || !is_value(&e.ty) || matches!(&*e.kind, Kind::App(f, _) if c.is_sized(f)) {
        return None;
    }
    let operands: Vec<usize> = (0..e.children().len()).filter(|i| is_value(&e.children()[*i].ty)).collect();
    let i = *operands.get(c.roll(operands.len()))?;
    let mut body = e.clone();
    let x = c.param(&e.children()[i].ty);
    let a = std::mem::replace(body.children_mut().swap_remove(i), x.exp());
    let f = Exp::lambda(vec![x], body);
    let kind = match c.roll(3) {
        0 => Kind::Pipe(a, f),
        1 => Kind::PipeLeft(f, a),
        _ => Kind::App(f, vec![a]),
    };
    Some(Exp::new(kind, e.ty.clone()))
}

/// `(\x -> e) a` becomes `let x = a in e`.
pub fn beta_reduce(_: &mut Context, e: &Exp) -> Option<Exp> {
    let (f, args) = match &*e.kind {
        Kind::App(f, args) => (f, args.clone()),
        Kind::Pipe(x, f) | Kind::PipeLeft(f, x) => (f, vec![x.clone()]),
        _ => return None,
    };
    let Kind::Lambda(ps, body) = &*f.kind else { return None };
    let whole = ps.len() == args.len();
    whole.then(|| ps.iter().zip(args).rev().fold(body.clone(), |b, (p, a)| Exp::bind(p.clone(), a, b)))
}

/// `let x = a in e` becomes `(\x -> e) a`.
pub fn let_to_application(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Let(p, a, b) = &*e.kind else { return None };
    if p.names().iter().any(|(n, t)| *t == Ty::I64 && in_types(b, n)) || !is_value(&a.ty) {
        return None;
    }
    let f = Exp::lambda(vec![typed(p)], b.clone());
    Some(Exp::new(Kind::App(f, vec![a.clone()]), e.ty.clone()))
}

/// With all types written.
fn typed(p: &Pat) -> Pat {
    match p {
        Pat::Name(n, t, _) => Pat::Name(n.clone(), t.clone(), true),
        Pat::Tuple(ps) => Pat::Tuple(ps.iter().map(typed).collect()),
    }
}

/// `e` becomes `let f x y = e in f x y` for some of the variables in `e`.
pub fn abstract_local(c: &mut Context, e: &Exp) -> Option<Exp> {
    if !is_value(&e.ty) {
        return None;
    }
    let free = e.free();
    let candidates: Vec<(Name, Ty)> =
        free.into_iter().filter(|(n, t)| is_value(t) && !(*t == Ty::I64 && in_types(e, n))).collect();
    let chosen: Vec<(Name, Ty)> = candidates.into_iter().filter(|_| c.roll(3) > 0).collect();
    if chosen.is_empty() {
        return None;
    }
    let names: HashMap<Name, Name> = chosen.iter().map(|(n, _)| (n.clone(), c.fresh(n))).collect();
    let mut body = e.clone();
    body.rename(&names);
    let params = chosen.iter().map(|(n, t)| Pat::Name(names[n].clone(), t.clone(), true)).collect();
    let def = Def { name: c.fresh("g"), sizes: vec![], types: vec![], params, typed: c.roll(2) == 0, body };
    let call = Exp::new(
        Kind::App(Exp::var(&def.name, &def.ty()), chosen.iter().map(|(n, t)| Exp::var(n, t)).collect()),
        e.ty.clone(),
    );
    Some(Exp::new(Kind::LetFun(def, call), e.ty.clone()))
}

/// `e` becomes a call of a new definition with all variables of `e` as parameters; sizes are parameters in brackets where they can be.
pub fn abstract_definition(c: &mut Context, e: &Exp) -> Option<Exp> {
    if !is_value(&e.ty) || e.size() < 2 {
        return None;
    }
    let mut free = e.free();
    free.retain(|(n, _)| !PRELUDE.contains(&&**n) && !c.defs.contains_key(n));
    // what types need: these names, and type parameters
    let mut needed = Vec::new();
    e.ty.size_names(&mut needed);
    free.iter().for_each(|(_, t)| t.size_names(&mut needed));
    needed.extend(free.iter().filter(|(n, t)| *t == Ty::I64 && in_types(e, n)).map(|(n, _)| n.clone()));
    needed.sort();
    needed.dedup();
    let mut types = Vec::new();
    type_params(e, &mut types);
    free.iter().for_each(|(_, t)| params_in(t, &mut types));
    let (values, functions): (Vec<_>, Vec<_>) =
        free.into_iter().filter(|(n, _)| !needed.contains(n)).partition(|(_, t)| is_value(t));
    // a size is known from an array that has it
    let has = |n: &Name| values.iter().any(|(_, t)| dimension(t, n));
    let (sizes, numbers): (Vec<Name>, Vec<Name>) = needed.into_iter().partition(has);
    let numbers = numbers.into_iter().map(|n| (n, Ty::I64));
    let params: Vec<(Name, Ty)> = numbers.chain(values).chain(functions).collect();
    if params.is_empty() {
        return None;
    }
    let names: Vec<&Name> = params.iter().map(|(n, _)| n).chain(&sizes).collect();
    let names: HashMap<Name, Name> = names.into_iter().map(|n| (n.clone(), c.fresh(n))).collect();
    let pats = params.iter().map(|(n, t)| Pat::Name(n.clone(), t.clone(), true)).collect();
    let mut def = Def { name: c.fresh("g"), sizes, types, params: pats, typed: true, body: e.clone() };
    def.rename(&names);
    let call = Exp::var(&def.name, &Ty::fun(params.iter().map(|(_, t)| t.clone()).collect(), e.ty.clone()));
    c.new.push(def);
    let args = params.iter().map(|(n, t)| Exp::var(n, t)).collect();
    Some(Exp::new(Kind::App(call, args), e.ty.clone()))
}

/// Whether an array type has this dimension by itself.
fn dimension(t: &Ty, n: &Name) -> bool {
    t.any(&|t| matches!(t, Ty::Array(Size::Name(m), _) if m == n))
}

fn params_in(t: &Ty, out: &mut Vec<Name>) {
    match t {
        Ty::Param(a) if !out.contains(a) => out.push(a.clone()),
        Ty::Param(_) | Ty::Scalar(_) => {}
        Ty::Tuple(ts) => ts.iter().for_each(|t| params_in(t, out)),
        Ty::Array(_, t) => params_in(t, out),
        Ty::Fun(ps, r) => ps.iter().chain([&**r]).for_each(|t| params_in(t, out)),
    }
}

fn type_params(e: &Exp, out: &mut Vec<Name>) {
    params_in(&e.ty, out);
    e.patterns().into_iter().flat_map(Pat::names).for_each(|(_, t)| params_in(&t, out));
    e.children().into_iter().for_each(|c| type_params(c, out));
}

/// A call with all arguments of a definition: the definition, with its sizes and types as they are here.
fn called(c: &mut Context, e: &Exp) -> Option<(Def, Vec<Exp>, Subst)> {
    let Kind::App(f, args) = &*e.kind else { return None };
    let Kind::Var(name) = &*f.kind else { return None };
    let def = Def::clone(c.defs.get(name)?);
    if def.params.len() != args.len() || is_dependent(&def) {
        return None;
    }
    let sig = signature(name, &def);
    let mut subst = Subst::default();
    let fits = sig.params.iter().zip(args).all(|(p, a)| matches(p, &a.ty, &sig, &mut subst));
    let known =
        sig.sizes.iter().all(|n| subst.sizes.contains_key(n)) && sig.types.iter().all(|a| subst.types.contains_key(a));
    (fits && known).then(|| (def, args.clone(), subst))
}

/// The definition for these sizes and types, with new names for all that it binds.
fn instantiated(c: &mut Context, def: &Def, subst: &Subst) -> Def {
    let names = def.params.iter().flat_map(Pat::names).map(|(n, _)| (n.clone(), c.fresh(&n))).collect();
    let mut def = def.clone();
    def.body = c.copy(&def.body);
    def.rename(&names);
    def.body.subst(subst);
    def.params = def.params.iter().map(|p| substituted(p, subst)).collect();
    def
}

fn substituted(p: &Pat, s: &Subst) -> Pat {
    match p {
        Pat::Name(n, t, typed) => Pat::Name(n.clone(), t.subst(s), *typed),
        Pat::Tuple(ps) => Pat::Tuple(ps.iter().map(|p| substituted(p, s)).collect()),
    }
}

/// `f a b` becomes the body of `f`, with `let`s for its parameters.
pub fn inline(c: &mut Context, e: &Exp) -> Option<Exp> {
    let (def, args, subst) = called(c, e)?;
    let def = instantiated(c, &def, &subst);
    Some(def.params.iter().zip(args).rev().fold(def.body.clone(), |b, (p, a)| Exp::bind(p.clone(), a, b)))
}

/// `f a b` becomes `g a b`, where `g` is `f` for the sizes that are numbers here and for the types.
pub fn specialise(c: &mut Context, e: &Exp) -> Option<Exp> {
    let (def, args, mut subst) = called(c, e)?;
    let numbers = def.sizes.iter().any(|n| matches!(subst.sizes.get(n), Some(Size::Const(_))));
    if subst
        .types
        .values()
        .any(|t| t.any(&|t| matches!(t, Ty::Param(_) | Ty::Array(Size::Name(_) | Size::Sum(_) | Size::Product(_), _))))
    {
        return None;
    }
    if def.types.is_empty() && !numbers {
        return None;
    }
    subst.sizes.retain(|_, n| matches!(n, Size::Const(_)));
    let kept: Vec<Name> = def.sizes.iter().filter(|n| !subst.sizes.contains_key(*n)).cloned().collect();
    let mut new = instantiated(c, &def, &subst);
    new.name = c.fresh("g");
    new.types = Vec::new();
    new.sizes = kept.clone();
    let names = kept.into_iter().map(|n| (n.clone(), c.fresh(&n))).collect();
    new.rename(&names);
    let f = Exp::var(&new.name, &Ty::fun(args.iter().map(|a| a.ty.clone()).collect(), e.ty.clone()));
    c.new.push(new);
    Some(Exp::new(Kind::App(f, args), e.ty.clone()))
}

/// `let f x = a in b` becomes `b` with `\x -> a` for `f`.
pub fn inline_local(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::LetFun(d, b) = &*e.kind else { return None };
    if b.uses(&d.name) * d.body.size() > 200 || !d.sizes.is_empty() {
        return None;
    }
    let f = Exp::lambda(d.params.iter().map(typed).collect(), d.body.clone());
    let mut b = b.clone();
    bindings::substitute(c, &mut b, &d.name, &f);
    Some(b)
}

/// `(+ a)` becomes `\x -> x + a`, and so on.
pub fn section_to_lambda(c: &mut Context, e: &Exp) -> Option<Exp> {
    let (ps, ret) = params_of(&e.ty)?;
    let pats: Vec<Pat> = ps.iter().map(|t| c.param(t)).collect();
    let x = pats[0].exp();
    let body = match &*e.kind {
        Kind::Operator(op) => Exp::infix(op, x, pats.get(1)?.exp(), ret.clone()),
        Kind::Left(a, op) => Exp::infix(op, a.clone(), x, ret.clone()),
        Kind::Right(op, b) => Exp::infix(op, x, b.clone(), ret.clone()),
        Kind::Field(i) => Exp::project(x, *i),
        Kind::Compose(f, g) => {
            let (_, middle) = params_of(&f.ty)?;
            applied(g.clone(), vec![applied(f.clone(), vec![x], middle)], ret)
        }
        _ => return None,
    };
    Some(Exp::lambda(pats, body))
}

/// `\x -> x + a` becomes `(+ a)`, and so on.
pub fn lambda_to_section(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Lambda(ps, body) = &*e.kind else { return None };
    let names: Vec<&Name> = ps.iter().filter_map(|p| if let Pat::Name(n, ..) = p { Some(n) } else { None }).collect();
    let is = |e: &Exp, n: &Name| matches!(&*e.kind, Kind::Var(m) if m == n);
    let kind = match (&*body.kind, &names[..]) {
        (Kind::Infix("&&" | "||", ..), _) => return None,
        (Kind::Infix(op, a, b), [x, y]) if is(a, x) && is(b, y) => Kind::Operator(op),
        (Kind::Infix(op, a, b), [x]) if ps.len() == 1 && is(b, x) && a.uses(x) == 0 => Kind::Left(a.clone(), op),
        (Kind::Infix(op, a, b), [x]) if ps.len() == 1 && is(a, x) && b.uses(x) == 0 && *op != "-" => {
            Kind::Right(op, b.clone())
        }
        (Kind::Project(a, i), [x]) if is(a, x) => Kind::Field(*i),
        _ => return None,
    };
    Some(Exp::new(kind, e.ty.clone()))
}

/// `a + b` becomes `(+) a b`, `(a +) b` or `(+ b) a`.
pub fn operator_to_function(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::Infix(op, a, b) = &*e.kind else { return None };
    if matches!(*op, "&&" | "||" | "++") {
        return None;
    }
    let one = |x: &Exp| Ty::fun(vec![x.ty.clone()], e.ty.clone());
    let (f, args) = match c.roll(if *op == "-" { 2 } else { 3 }) {
        0 => {
            let ty = Ty::fun(vec![a.ty.clone(), b.ty.clone()], e.ty.clone());
            (Exp::new(Kind::Operator(op), ty), vec![a.clone(), b.clone()])
        }
        1 => (Exp::new(Kind::Left(a.clone(), op), one(b)), vec![b.clone()]),
        _ => (Exp::new(Kind::Right(op, b.clone()), one(a)), vec![a.clone()]),
    };
    Some(Exp::new(Kind::App(f, args), e.ty.clone()))
}

/// `f x y` without its last argument, and that.
fn without_last(c: &Context, e: &Exp) -> Option<(Exp, Exp)> {
    let Kind::App(f, args) = &*e.kind else { return None };
    let (last, first) = args.split_last()?;
    if c.is_sized(f) || !is_value(&last.ty) {
        return None;
    }
    let ty = Ty::fun(vec![last.ty.clone()], e.ty.clone());
    let f = if first.is_empty() { f.clone() } else { Exp::new(Kind::App(f.clone(), first.to_vec()), ty) };
    Some((f, last.clone()))
}

/// `f x y` becomes `y |> f x` or `f x <| y`.
pub fn application_to_pipe(c: &mut Context, e: &Exp) -> Option<Exp> {
    let (f, last) = without_last(c, e).filter(|_| is_value(&e.ty))?;
    let kind = if c.roll(2) == 0 { Kind::Pipe(last, f) } else { Kind::PipeLeft(f, last) };
    Some(Exp::new(kind, e.ty.clone()))
}

/// `x |> f` and `f <| x` become `f x`.
pub fn pipe_to_application(_: &mut Context, e: &Exp) -> Option<Exp> {
    match &*e.kind {
        Kind::Pipe(x, f) | Kind::PipeLeft(f, x) => Some(applied(f.clone(), vec![x.clone()], &e.ty)),
        _ => None,
    }
}

/// `f x y` becomes `(f x) y`, with the function between named or not.
pub fn apply_one_by_one(c: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::App(_, args) = &*e.kind else { return None };
    if args.len() < 2 || !is_value(&e.ty) {
        return None;
    }
    let (f, last) = without_last(c, e)?;
    if c.roll(2) == 0 {
        // a tree of its own: the printer would leave the parentheses out, which are not needed
        return Some(Exp::new(Kind::App(f, vec![last]), e.ty.clone()));
    }
    let g = Pat::Name(c.fresh("g"), f.ty.clone(), false);
    let call = Exp::new(Kind::App(g.exp(), vec![last]), e.ty.clone());
    Some(Exp::bind(g, f, call))
}

/// `let f x y = a in b` becomes `let f (x, y) = a in b`, with the calls changed, or the reverse.
pub fn parameters_to_tuple(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::LetFun(d, b) = &*e.kind else { return None };
    let (mut d, mut b) = (d.clone(), b.clone());
    let tupled = match &d.params[..] {
        [Pat::Tuple(ps)] => {
            d.params = ps.clone();
            false
        }
        [_] => return None,
        _ => {
            d.params = vec![Pat::Tuple(d.params)];
            true
        }
    };
    let ty = d.ty();
    (change_calls(&mut b, &d.name, &ty, tupled) == b.uses(&d.name)).then(|| Exp::new(Kind::LetFun(d, b), e.ty.clone()))
}

/// Changes the calls that can be, and counts them.
fn change_calls(e: &mut Exp, name: &Name, ty: &Ty, tupled: bool) -> usize {
    let mut changed: usize = e.children_mut().into_iter().map(|c| change_calls(c, name, ty, tupled)).sum();
    if let Kind::App(f, args) = &mut *e.kind
        && matches!(&*f.kind, Kind::Var(n) if n == name)
    {
        let fits = |n: usize| matches!(ty, Ty::Fun(ps, _) if ps.len() == n);
        if tupled && matches!(&f.ty, Ty::Fun(ps, _) if ps.len() == args.len()) {
            *args = vec![Exp::tuple(std::mem::take(args))];
            changed += 1;
        } else if !tupled
            && let [one] = &args[..]
            && let Kind::Tuple(es) = &*one.kind
            && fits(es.len())
        {
            *args = es.clone();
            changed += 1;
        }
        f.ty = ty.clone();
    }
    changed
}

/// `f64.sin x` becomes `f64.(sin x)`.
pub fn open(_: &mut Context, e: &Exp) -> Option<Exp> {
    let Kind::App(f, _) = &*e.kind else { return None };
    let Kind::Var(name) = &*f.kind else { return None };
    let (module, _) = name.split_once('.')?;
    may_open(module, e).then(|| Exp::new(Kind::Open(module.into(), e.clone()), e.ty.clone()))
}

/// Whether the names in the expression mean the same where this module is open: it applies one of the module's functions to names and literals.
pub(in super::super) fn may_open(module: &str, e: &Exp) -> bool {
    let plain = |a: &Exp| match &*a.kind {
        Kind::Lit(_) => true,
        Kind::Var(n) => !n.contains('.') && !PRELUDE.contains(&&**n),
        _ => false,
    };
    let Kind::App(f, args) = &*e.kind else { return false };
    // not a module of the program's own: its names might be those of variables
    let own = |name: &str| name.split_once('.').is_some_and(|(m, _)| m == module);
    ScalarType::from_name(module).is_some()
        && matches!(&*f.kind, Kind::Var(name) if own(name))
        && args.iter().all(plain)
}
