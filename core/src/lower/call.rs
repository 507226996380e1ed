//! Application: of what is defined, specialised or as a call; of scalar operators, with the checks that they need.

use super::Lowerer;
use super::asked::size_names;
use super::parts::field_of;
use super::stop::Caller;
use super::value::{Closure, Inst, Scope, Shape, Target, Val};
use crate::ir::*;
use crate::types::ty::{Id, Type as SourceType, TypeParam, Unique};
use crate::types::typed::{Arg, Def, Operator, Pat, PatKind};
use std::rc::Rc;
use std::sync::Arc;

impl Lowerer<'_> {
    /// What a name means that no scope binds: a definition of the program, at what its type parameters stand for.
    pub fn global(&mut self, id: &Id, args: &[Arg], scope: &mut Scope) -> Val {
        if let Some(v) = self.session.as_ref().and_then(|s| s.values.get(&id.num)) {
            return v.clone();
        }
        match self.env.def(id).cloned() {
            Some(def) => {
                let home = self.session.clone().unwrap_or_default();
                self.definition(&def, home, args, scope)
            }
            None => panic!("internal error: {id} is not defined"),
        }
    }

    /// A definition of the scope `home`, referred to from `scope` with these type arguments.
    pub fn definition(&mut self, def: &Arc<Def>, mut home: Scope, args: &[Arg], scope: &mut Scope) -> Val {
        let mut insts = Vec::new();
        for (param, arg) in def.scheme.params.iter().zip(args) {
            match arg {
                Arg::Size(size) => {
                    let dim = self.known_dim(size, scope);
                    if let Some(dim) = dim {
                        home.bind(param.id(), Val::Leaf(dim.into()));
                    }
                    insts.push(Inst::Size(dim));
                }
                Arg::Type(ty) => {
                    let shape = self.open_shape(ty, scope);
                    home.types.insert(param.id().num, shape.clone());
                    insts.push(Inst::Type(shape));
                }
            }
        }
        if def.params.is_empty() {
            return self.reached_from_here(|l| l.expr(&def.body, &mut home));
        }
        Val::Fun(Rc::new(Closure {
            target: Target::Def(def.clone(), home, insts),
            args: Vec::new(),
            certs: Vec::new(),
        }))
    }

    /// Lowers code of another place, which is reached through a call here.
    fn reached_from_here<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.call, self.prov);
        self.call = Some(self.prov);
        let result = f(self);
        (self.call, self.prov) = outer;
        result
    }

    /// A function applied to more arguments.
    pub fn apply(&mut self, f: Val, args: Vec<Val>) -> Val {
        // a value whose unknown sizes get names
        if args.is_empty() {
            return f;
        }
        let Val::Fun(closure) = f else { panic!("internal error: {f:?} is applied") };
        let mut all = closure.args.clone();
        let consumes: &[Unique] = match &closure.target {
            Target::Lambda(l, _) => &l.consumes,
            Target::Def(d, ..) => &d.consumes,
            Target::Intrinsic(..) | Target::Prim(_) | Target::Op(..) => &[],
        };
        // what a function has got before may be there for another call of it
        for (arg, _) in all.iter_mut().zip(consumes).filter(|(_, consumed)| consumed.any()) {
            *arg = self.copy(arg);
        }
        all.extend(args);
        let arity = match &closure.target {
            Target::Lambda(l, _) => l.params.len(),
            Target::Def(d, ..) => d.params.len(),
            Target::Intrinsic(i, _) => i.arity(),
            Target::Prim(p) => p.signature().map_or(1, |s| s.0.len()),
            Target::Op(o, _) => o.arity(),
        };
        if all.len() < arity {
            return Val::Fun(Rc::new(Closure { args: all, ..(*closure).clone() }));
        }
        let rest = all.split_off(arity);
        let result = match &closure.target {
            Target::Lambda(lambda, scope) => {
                let mut scope = scope.clone();
                for (pat, arg) in lambda.params.iter().zip(all) {
                    self.parameter(pat, arg, &[], &mut scope);
                }
                self.expr(&lambda.body, &mut scope)
            }
            Target::Def(def, scope, insts) => self.call(def, scope.clone(), insts, all),
            Target::Intrinsic(i, insts) => self.intrinsic(*i, insts, all),
            Target::Prim(op) => {
                let args: Vec<SubExp> = all.iter().map(Val::scalar).collect();
                Val::Leaf(self.checked_prim(*op, &args))
            }
            Target::Op(op, t) => Val::Leaf(self.operator(*op, t, &all)),
        };
        let result = closure.certs.iter().fold(result, |result, cert| self.relying_on(*cert, result));
        if rest.is_empty() { result } else { self.apply(result, rest) }
    }

    /// Binds a parameter to an argument, with the sizes of the argument under the parameter's names; those in `names` may be asked for.
    fn parameter(&mut self, pat: &Pat, arg: Val, names: &[Id], scope: &mut Scope) {
        let shape = self.shape(&pat.ty, scope);
        let arg = self.coerce(arg, &shape);
        self.ask(names, &pat.ty, &arg, scope);
        self.bind_pattern(pat, arg, scope);
    }

    /// Binds the names of a pattern.
    pub fn bind_pattern(&mut self, pat: &Pat, value: Val, scope: &mut Scope) {
        match (&pat.kind, value) {
            (PatKind::Name(id), value) => scope.bind(id, value),
            (PatKind::Wildcard | PatKind::Lit(_), _) => {}
            (PatKind::Record(fields), value) => {
                for (name, p) in fields {
                    let field = field_of(&value, &pat.ty, name);
                    self.bind_pattern(p, field, scope);
                }
            }
            (PatKind::Constr(name, pats), value) => {
                let parts = self.held(&value, &pat.ty, name, scope);
                pats.iter().zip(parts).for_each(|(p, v)| self.bind_pattern(p, v, scope));
            }
        }
    }

    /// A definition applied to all of its parameters.
    fn call(&mut self, def: &Arc<Def>, mut scope: Scope, insts: &[Inst], args: Vec<Val>) -> Val {
        let insts = &self.open_sizes(def, &mut scope, insts, &args);
        if self.is_shared(def) {
            let fun = self.function(def);
            return self.call_made(fun, def, scope, insts, args, Vec::new());
        }
        if def.recursive {
            return self.call_instance(def, scope, insts, args);
        }
        let names = size_names(def);
        for (pat, arg) in def.params.iter().zip(args) {
            self.parameter(pat, arg, &names, &mut scope);
        }
        // in a session it may be stopped at
        let outer = self.callers.len();
        if self.session.is_some() {
            self.callers.push(Caller { def: def.clone(), scope: scope.clone(), place: Some(self.place) });
        }
        let value = self.reached_from_here(|l| l.expr(&def.body, &mut scope));
        self.callers.truncate(outer);
        value
    }

    /// What type parameters stand for, with the sizes that only the arguments tell: those of values of hidden types. Binds these.
    fn open_sizes(&mut self, def: &Def, scope: &mut Scope, insts: &[Inst], args: &[Val]) -> Vec<Inst> {
        let params = def.scheme.params.iter().zip(insts);
        let names: Vec<Id> =
            params.clone().filter(|(_, i)| matches!(i, Inst::Size(None))).map(|(p, _)| p.id().clone()).collect();
        for (pat, arg) in def.params.iter().zip(args) {
            self.bind_sizes(&names, &pat.ty, arg, scope);
        }
        params
            .map(|(p, inst)| match inst {
                Inst::Size(None) => {
                    // of arrays that are nowhere, it is of no matter
                    let dim = scope.values.get(&p.id().num).and_then(|v| Dim::from_subexp(v.scalar()));
                    let dim = dim.unwrap_or(Dim::Const(0));
                    scope.bind(p.id(), Val::Leaf(dim.into()));
                    Inst::Size(Some(dim))
                }
                known => known.clone(),
            })
            .collect()
    }

    /// Whether calls of a definition are calls in the IR: it is the user's, at top level, without type parameters and functions.
    fn is_shared(&self, def: &Def) -> bool {
        let of_prelude = self.sources.of_prelude(def.span);
        let inline = def.attrs.iter().any(|a| &*a.name == "inline");
        !of_prelude
            && !inline
            && self.session.is_none()
            && self.env.def(&def.id).is_some()
            && def.tparams.iter().all(|p| matches!(p, TypeParam::Size(_)))
            && def.params.iter().map(|p| &p.ty).chain([&def.body.ty]).all(|t| self.is_first_order(t))
    }

    /// Whether a type, also where a module hides it, has neither functions nor accumulators.
    fn is_first_order(&self, ty: &SourceType) -> bool {
        match ty {
            SourceType::Fun(_) => false,
            SourceType::Abstract(id, args) => {
                self.env.hidden.get(&id.num).is_some_and(|def| self.is_first_order(&def.at(args)))
            }
            _ => {
                let mut all = true;
                ty.parts(&mut |t| all &= self.is_first_order(t));
                all
            }
        }
    }

    /// A scalar operator with the check that it needs.
    pub fn checked_prim(&mut self, op: Prim, args: &[SubExp]) -> SubExp {
        let check = match op {
            Prim::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, t) if t.is_int() => Check::NonZero(args[1]),
            Prim::Bin(BinOp::Pow, t) if t.is_int() => Check::NonNegativeExponent(args[1]),
            _ => return self.prim(op, args),
        };
        let cert = self.emit("check", Exp::Check(check))[0];
        self.certified("t", Exp::Prim(op, args.to_vec()), vec![cert]).into()
    }

    /// An overloaded operator at a width.
    pub fn operator(&mut self, op: Operator, shape: &Shape, args: &[Val]) -> SubExp {
        let not = Prim::Un(UnOp::Not, ScalarType::Bool);
        let Shape::Scalar(t) = *shape else {
            let equal = self.equal(&args[0], &args[1], shape);
            return if op == Operator::Ne { self.prim(not, &[equal]) } else { equal };
        };
        let args: &[SubExp] = &args.iter().map(Val::scalar).collect::<Vec<_>>();
        match op {
            Operator::Gt | Operator::Ge => self.prim(op.prim(t), &[args[1], args[0]]),
            Operator::Ne => {
                let equal = self.prim(op.prim(t), args);
                self.prim(not, &[equal])
            }
            _ => self.checked_prim(op.prim(t), args),
        }
    }
}
