//! Sizes: from source sizes to dimensions, from values to their sizes, and checked coercions where two sizes are not visibly the same.
//!
//! Note [Sizes behind abstract types]: the type checker knows nothing of the sizes in what a module hides, and need not; here they are sizes like all others.
//! Whoever asks for the sizes in a type gets those of what it stands for: `type t = [k]i32`, hidden, has the size k, `t [n]` of `type t [n] = [size n]i32` has
//! `size n`. So they are computed in front of a branch or loop whose result has them, are results of a function beside the value, and where they are
//! computed from a size that changes (as `size n` of the next turn's n), the values carry them. Not among them are the sizes that each value of a hidden type
//! has for itself (`?[n].t [n]`), and what is computed from those: these are open (Note [Open dimensions]).

// Note [Sizes in sides]
// ~~~~~~~~~~~~~~~~~~~~~
// `if c then n / m else 2` is a size of which `n / m` is an argument, so that it is the same size wherever the names stand for the same. But a size may be computed again wherever a type has it,
// and m may be 0 where c does not hold: an argument that stands in a side, and may fail, is computed in that side, of what was known where the size is asked for.

use super::Lowerer;
use super::value::{Scope, Shape, Target, Val, is_open};
use crate::hash::SharedMap;
use crate::ir::{BinOp, Binder, Check, Dim, Exp, Prim, ScalarType, SubExp};
use crate::types::env::Env;
use crate::types::ty::{Arg, Id, Size, SizeExp, SizeOp, Subst, Type};
use std::rc::Rc;

/// Whether computing a size may fail.
fn may_fail(size: &Size) -> bool {
    match size {
        Size::Const(_) | Size::Var(_) | Size::Meta(_) => false,
        Size::Op(SizeOp::Div, _) | Size::Exp(_) => true,
        Size::Op(_, ab) => may_fail(&ab.0) || may_fail(&ab.1),
    }
}

/// Whether a size is computed from an open one.
fn is_open_in(size: &Size, scope: &Scope) -> bool {
    let of_arg = |arg: &Arg| matches!(arg, Arg::Size(size) if is_open_in(size, scope));
    match (scope.sizes.get(size), size) {
        (Some(dim), _) => is_open(*dim),
        (None, Size::Var(id)) => match scope.values.get(&id.num) {
            Some(Val::Leaf(value)) => Dim::from_subexp(*value).is_some_and(is_open),
            _ => false,
        },
        (None, Size::Op(_, ab)) => is_open_in(&ab.0, scope) || is_open_in(&ab.1, scope),
        (None, Size::Exp(e)) => e.args.iter().any(|arg| is_open_in(arg, scope)) || e.hidden.iter().any(of_arg),
        (None, Size::Const(_) | Size::Meta(_)) => false,
    }
}

impl Lowerer<'_> {
    /// The dimension that a size is here. Computes what is not yet computed in this scope.
    pub fn dim(&mut self, size: &Size, scope: &mut Scope) -> Dim {
        if let Some(d) = scope.sizes.get(size) {
            return *d;
        }
        let dim = match size {
            Size::Const(n) => Dim::Const(*n),
            Size::Var(id) if let Some((size, home)) = scope.later.get(&id.num).cloned() => {
                self.dim(&size, &mut (*home).clone())
            }
            Size::Var(id) => match scope.values.get(&id.num).and_then(|v| Dim::from_subexp(v.scalar())) {
                Some(d) => d,
                None => {
                    // a top-level constant
                    let v = self.global(id, &[], scope);
                    Dim::from_subexp(v.scalar()).unwrap_or(Dim::Const(0))
                }
            },
            Size::Op(op, ab) => {
                let (a, b) = (self.dim(&ab.0, scope), self.dim(&ab.1, scope));
                let op = match op {
                    SizeOp::Add => BinOp::Add,
                    SizeOp::Sub => BinOp::Sub,
                    SizeOp::Mul => BinOp::Mul,
                    SizeOp::Div => BinOp::Div,
                };
                if is_open(a) || is_open(b) {
                    self.fresh_open()
                } else {
                    let value = self.arithmetic(op, &[a.into(), b.into()]);
                    Dim::from_subexp(value).unwrap_or(Dim::Const(0))
                }
            }
            Size::Exp(e) => self.size_exp(e, scope),
            Size::Meta(_) => panic!("internal error: a size was left open by inference"),
        };
        scope.sizes.insert(size.clone(), dim);
        dim
    }

    /// The value of an expression that is a size.
    fn size_exp(&mut self, e: &SizeExp, scope: &mut Scope) -> Dim {
        let mut inner = scope.clone();
        let home = Rc::new(scope.clone());
        for (param, arg) in e.code.params.iter().zip(&e.args) {
            if e.code.sides.contains(param) && may_fail(arg) {
                if is_open_in(arg, scope) {
                    return self.fresh_open();
                }
                inner.put_off(param, arg.clone(), &home);
                continue;
            }
            let value = match arg {
                // of any type, unless it is the size of a value only
                Size::Var(id) if !scope.sizes.contains_key(arg) => {
                    match (scope.values.get(&id.num), scope.functions.get(&id.num)) {
                        (Some(value), _) => value.clone(),
                        (None, Some(function)) => {
                            inner.functions.insert(param.num, function.clone());
                            continue;
                        }
                        (None, None) => self.global(id, &[], scope),
                    }
                }
                size => match self.dim(size, scope) {
                    dim if is_open(dim) => return self.fresh_open(),
                    dim => Val::Leaf(dim.into()),
                },
            };
            inner.bind(param, value);
        }
        for (param, arg) in e.code.hidden.iter().zip(&e.hidden) {
            match arg {
                Arg::Size(size) => {
                    let dim = self.dim(size, scope);
                    if is_open(dim) {
                        return self.fresh_open();
                    }
                    inner.bind(param, Val::Leaf(dim.into()));
                }
                Arg::Type(t) => {
                    let shape = self.shape(t, scope);
                    inner.types.insert(param.num, shape);
                }
            }
        }
        let value = self.expr(&e.code.expr, &mut inner);
        Dim::from_subexp(value.scalar()).unwrap_or(Dim::Const(0))
    }

    /// An `i64` operator, folded when its operands are constants.
    pub fn arithmetic(&mut self, op: BinOp, args: &[SubExp]) -> SubExp {
        let prim = Prim::Bin(op, ScalarType::I64);
        let constants: Option<Vec<_>> = args.iter().map(|e| e.as_lit()).collect();
        match constants {
            Some(constants) => prim.eval(&constants).into(),
            None => self.prim(prim, args),
        }
    }

    /// The type with its sizes evaluated and its type parameters replaced.
    pub fn shape(&mut self, ty: &Type, scope: &mut Scope) -> Shape {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.shape_inner(ty, scope))
    }

    fn shape_inner(&mut self, ty: &Type, scope: &mut Scope) -> Shape {
        self.spend(1, "the types in it");
        match ty {
            Type::Scalar(t) => Shape::Scalar(*t),
            Type::Array(n, elem) => {
                let n = self.dim(n, scope);
                Shape::Array(n, Box::new(self.shape(elem, scope)))
            }
            Type::Record(fields) => Shape::Record(fields.iter().map(|(_, t)| self.shape(t, scope)).collect()),
            Type::Sum(constructors) => {
                let mut all = |ts: &[Type]| ts.iter().map(|t| self.shape(t, scope)).collect();
                Shape::Sum(constructors.iter().map(|(_, ts)| all(ts)).collect())
            }
            Type::Abstract(id, _) if *id == Id::acc() => Shape::Acc,
            Type::Abstract(id, args) => match self.env.hidden.get(&id.num) {
                Some(def) => {
                    // the type says nothing of them: each of its values has its own
                    let mut own = Subst::default();
                    for ext in &def.exts {
                        let open = self.fresh_open();
                        let size = Size::Var(Id { num: self.open.0, ..ext.clone() });
                        scope.sizes.insert(size.clone(), open);
                        own.sizes.insert(ext.clone(), size);
                    }
                    self.shape(&def.at(args).subst(&own), scope)
                }
                None => panic!("internal error: nothing defines the type {id}"),
            },
            Type::Fun(_) => Shape::Fun,
            Type::Var(id) => match scope.types.get(&id.num) {
                Some(shape) => {
                    let shape = shape.clone();
                    self.spend(shape.nodes(), "the types in it");
                    let own: Vec<Dim> = shape.opens().iter().map(|_| self.fresh_open()).collect();
                    shape.closed(&own)
                }
                None => panic!("internal error: type parameter {id} is not bound"),
            },
            Type::Meta(_) | Type::Error => panic!("internal error: a type was left open by inference"),
        }
    }

    /// The same of a type that a type parameter stands for: sizes that are not known here are open, as only results have them (Note [Opened solutions]).
    pub fn open_shape(&mut self, ty: &Type, scope: &mut Scope) -> Shape {
        let mut unknown: Vec<Size> = Vec::new();
        ty.sizes(&mut |size| {
            if self.known_dim(size, scope).is_none() && !unknown.contains(size) {
                unknown.push(size.clone());
            }
        });
        if unknown.is_empty() {
            return self.shape(ty, scope);
        }
        let mut inner = scope.clone();
        for size in unknown {
            inner.sizes.insert(size, self.fresh_open());
        }
        self.shape(ty, &mut inner)
    }

    /// An open dimension: Note [Open dimensions].
    fn fresh_open(&mut self) -> Dim {
        self.open.0 -= 1;
        Dim::Var(self.open)
    }

    /// Variables for the open dimensions of a shape, and the shape with them.
    pub fn named_opens(&mut self, shape: &Shape) -> (Vec<Binder>, Shape) {
        let binders: Vec<Binder> = shape.opens().iter().map(|_| self.vars.fresh("n", crate::ir::Type::I64)).collect();
        let dims: Vec<Dim> = binders.iter().map(|b| Dim::Var(b.var)).collect();
        let shape = shape.closed(&dims);
        (binders, shape)
    }

    /// What the open dimensions of a shape are in a value.
    pub fn opens_of(&self, shape: &Shape, value: &Val) -> Vec<Dim> {
        let leaves = value.leaves();
        shape.opens().iter().map(|(_, k, d)| self.vars.type_of(leaves[*k]).shape()[*d]).collect()
    }

    /// The dimensions that the sizes in a type have in a value of the type.
    pub fn sizes_of(&self, ty: &Type, value: &Val, scope: &Scope) -> Vec<(Size, Dim)> {
        if value.has_made() {
            // such a value stays where it is made
            return Vec::new();
        }
        let (shape, sizes) = numbered(ty, self.env, &scope.types);
        let mut out = Vec::new();
        for (numbers, leaf) in shape.leaves().iter().zip(value.leaves()) {
            for (number, dim) in numbers.shape().iter().zip(self.vars.type_of(leaf).shape()) {
                if let Dim::Const(n) = number
                    && let Some(size) = usize::try_from(*n).ok().and_then(|n| sizes.get(n))
                {
                    out.push((size.clone(), *dim));
                }
            }
        }
        out
    }

    /// The sizes in a type, from left to right: Note [Sizes behind abstract types].
    pub fn sizes_in(&self, ty: &Type) -> Vec<Size> {
        fn walk(ty: &Type, env: &Env, own: &mut Vec<Id>, out: &mut Vec<Size>) {
            match ty {
                Type::Array(size, elem) => {
                    out.push(size.clone());
                    walk(elem, env, own, out);
                }
                Type::Abstract(id, args) => match env.hidden.get(&id.num) {
                    Some(def) => {
                        own.extend(def.exts.iter().cloned());
                        walk(&def.at(args), env, own, out);
                    }
                    None => ty.sizes(&mut |size| out.push(size.clone())),
                },
                _ => ty.parts(&mut |t| walk(t, env, own, out)),
            }
        }
        let (mut own, mut sizes) = (Vec::new(), Vec::new());
        walk(ty, self.env, &mut own, &mut sizes);
        sizes.retain(|size| !depends(size, &own));
        sizes
    }

    /// Computes the sizes in a type that are known here, so that they have one name in all scopes that are made from this one. Not known are those
    /// that depend on `open`.
    pub fn name_sizes(&mut self, ty: &Type, open: &[Id], scope: &mut Scope) {
        for size in self.sizes_in(ty) {
            if !depends(&size, open) {
                self.dim(&size, scope);
            }
        }
    }

    /// The shape of values that a branch or a turn of a loop gives, and that have the sizes `names`, which the scope binds. What is computed from these is
    /// open: where the shape is asked for they may not be known yet, and each value shows it.
    pub fn carried_shape(&mut self, ty: &Type, names: &[Id], scope: &Scope) -> Shape {
        let mut own = scope.clone();
        for size in self.sizes_in(ty) {
            if !matches!(size, Size::Var(_)) && depends(&size, names) {
                let open = self.fresh_open();
                own.sizes.insert(size, open);
            }
        }
        self.shape(ty, &mut own)
    }

    /// The same of a size that may not be known here.
    pub fn known_dim(&mut self, size: &Size, scope: &mut Scope) -> Option<Dim> {
        let mut known = true;
        size.names(&mut |id| known &= scope.values.contains_key(&id.num) || self.env.def(id).is_some());
        (known || scope.sizes.contains_key(size)).then(|| self.dim(size, scope))
    }

    /// Binds those of these names that are sizes of the value.
    pub fn bind_sizes(&mut self, names: &[Id], ty: &Type, value: &Val, scope: &mut Scope) {
        if names.is_empty() {
            return;
        }
        self.bind_sizes_of_functions(names, ty, value, scope);
        for (size, dim) in self.sizes_of(ty, value, scope) {
            if let Size::Var(id) = size
                && names.contains(&id)
                && !scope.values.contains_key(&id.num)
            {
                scope.bind(&id, Val::Leaf(dim.into()));
            }
        }
        self.ask(names, ty, value, scope);
    }

    /// Binds those of these names that only the results of functions in the value have, which know them.
    fn bind_sizes_of_functions(&mut self, names: &[Id], ty: &Type, value: &Val, scope: &mut Scope) {
        match (ty, value) {
            (Type::Record(fields), Val::Tuple(vs)) => {
                fields.iter().zip(vs).for_each(|((_, t), v)| self.bind_sizes_of_functions(names, t, v, scope))
            }
            (Type::Fun(_), Val::Fun(closure)) if closure.args.is_empty() => {
                let (params, body, home) = match &closure.target {
                    Target::Lambda(lambda, home) => (lambda.params.len(), &lambda.body, home),
                    Target::Def(def, home, _) => (def.params.len(), &def.body, home),
                    Target::Intrinsic(..) | Target::Prim(_) | Target::Op(..) => return,
                };
                let mut ret = ty;
                for _ in 0..params {
                    let Type::Fun(f) = ret else { return };
                    ret = &f.ret;
                }
                let (mut seen, mut own) = (vec![], vec![]);
                ret.sizes(&mut |s| seen.push(s.clone()));
                body.ty.sizes(&mut |s| own.push(s.clone()));
                for (seen, own) in seen.into_iter().zip(own) {
                    let Size::Var(id) = seen else { continue };
                    let mut known = names.contains(&id) && !scope.values.contains_key(&id.num);
                    own.names(&mut |id| known &= home.values.contains_key(&id.num));
                    if known {
                        let dim = self.dim(&own, &mut home.clone());
                        scope.bind(&id, Val::Leaf(dim.into()));
                    }
                }
            }
            _ => {}
        }
    }

    /// The value at a type whose sizes are the same, but perhaps not visibly: each array whose dimensions differ is checked and coerced.
    pub fn coerce(&mut self, value: Val, shape: &Shape) -> Val {
        if matches!(shape, Shape::Fun) || matches!(value, Val::Fun(_)) {
            return value;
        }
        if let (Val::Made(n, vs), Shape::Sum(constructors)) = (&value, shape) {
            return Val::Made(*n, vs.iter().zip(&constructors[*n]).map(|(v, t)| self.coerce(v.clone(), t)).collect());
        }
        if let (Val::Tuple(vs), Shape::Record(ts)) = (&value, shape) {
            return Val::Tuple(vs.iter().zip(ts).map(|(v, t)| self.coerce(v.clone(), t)).collect());
        }
        let leaves: Vec<SubExp> =
            value.leaves().into_iter().zip(shape.leaves()).map(|(e, ty)| self.coerce_leaf(e, ty.shape())).collect();
        value.with(&mut leaves.into_iter())
    }

    /// The same of one array.
    pub fn coerce_leaf(&mut self, e: SubExp, shape: &[Dim]) -> SubExp {
        let SubExp::Var(array) = e else { return e };
        let actual = self.vars.ty(array).shape().to_vec();
        let shape: Vec<Dim> =
            shape.iter().zip(&actual).map(|(dim, own)| if is_open(*dim) { *own } else { *dim }).collect();
        if actual == shape {
            return e;
        }
        let cert = self.emit("size", Exp::Check(Check::SizeEq { actual, expected: shape.clone() }))[0];
        let name = self.vars.name(array).clone();
        let exp = Exp::Coerce { shape, array };
        self.certified(name.as_str(), exp, vec![cert]).into()
    }
}

/// Does a size mention any of these names?
fn depends(size: &Size, names: &[Id]) -> bool {
    let mut found = false;
    size.names(&mut |id| found |= names.contains(id));
    found
}

/// A type with the sizes in it, and for each dimension the number of its size. Those of what type parameters stand for have none, -1.
pub fn numbered(ty: &Type, env: &Env, types: &SharedMap<u32, Shape>) -> (Shape, Vec<Size>) {
    fn walk(ty: &Type, env: &Env, types: &SharedMap<u32, Shape>, sizes: &mut Vec<Size>) -> Shape {
        match ty {
            Type::Scalar(t) => Shape::Scalar(*t),
            Type::Array(n, elem) => {
                let i = sizes.iter().position(|s| s == n).unwrap_or_else(|| {
                    sizes.push(n.clone());
                    sizes.len() - 1
                });
                Shape::Array(Dim::Const(i as i64), Box::new(walk(elem, env, types, sizes)))
            }
            Type::Record(fields) => Shape::Record(fields.iter().map(|(_, t)| walk(t, env, types, sizes)).collect()),
            Type::Sum(constructors) => {
                let mut all = |ts: &[Type]| ts.iter().map(|t| walk(t, env, types, sizes)).collect();
                Shape::Sum(constructors.iter().map(|(_, ts)| all(ts)).collect())
            }
            Type::Abstract(id, args) => match env.hidden.get(&id.num) {
                Some(def) => walk(&def.at(args), env, types, sizes),
                None if *id == Id::acc() => Shape::Acc,
                None => Shape::Fun,
            },
            Type::Var(id) => types.get(&id.num).map_or(Shape::Fun, |shape| shape.map(&|_| Dim::Const(-1))),
            _ => Shape::Fun,
        }
    }
    let mut sizes = Vec::new();
    let shape = walk(ty, env, types, &mut sizes);
    (shape, sizes)
}
