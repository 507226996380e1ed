//! Recursive functions with type parameters or functions as parameters. Inlining them would not end, so each call from outside makes an IR function of
//! its own, for the types and functions that it is given; what these mention becomes further parameters.

use super::Lowerer;
use super::params::Results;
use super::stop::Caller;
use super::value::{Inst, Scope, Val};
use crate::diag::{Code, Diagnostic};
use crate::hash::HashMap;
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;
use crate::types::ty::{Id, TypeParam};
use crate::types::typed::Def;
use std::sync::Arc;

/// A recursive function whose body is being made.
pub struct Instance {
    id: Id,
    name: Name,
}

impl Lowerer<'_> {
    /// A recursive definition applied to all of its parameters: from inside, a call of the function that is being made.
    pub fn call_instance(&mut self, def: &Arc<Def>, scope: Scope, insts: &[Inst], args: Vec<Val>) -> Val {
        if let Some(value) = self.accumulating(def, scope.clone(), &args) {
            return value;
        }
        let open = self.instances.iter().find(|i| i.id == def.id).map(|i| i.name.clone());
        let (fun, captured) = match open {
            Some(name) => (name, Vec::new()),
            None => self.instance(def, scope.clone(), insts, &args),
        };
        let more = captured.into_iter().map(SubExp::from).collect();
        self.call_made(fun, def, scope, insts, args, more)
    }

    /// Reports an accumulator among the arguments, which no function of the IR takes, and gives a value of the result's type, so that lowering goes on.
    fn accumulating(&mut self, def: &Def, mut scope: Scope, args: &[Val]) -> Option<Val> {
        let is_acc = |ty: &Type| matches!(ty, Type::Acc(_));
        let mut found = None;
        for (pat, arg) in def.params.iter().zip(args) {
            let types = self.shape(&pat.ty, &mut scope).leaves();
            if let Some(k) = types.iter().position(is_acc).filter(|_| found.is_none()) {
                found = Some((pat.span, arg.leaves()[k]));
            }
            self.bind_pattern(pat, arg.clone(), &mut scope);
        }
        let (span, acc) = found?;
        let message = format!("Not supported: an accumulator as a parameter of \"{}\", which calls itself.", def.id);
        let refused = Diagnostic::error(Code::NotSupported, span, message).note("Write a loop instead.");
        if !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
        let Results { binders, shape, .. } = self.result_binders(def, &scope);
        let own = binders[binders.len() - shape.leaves().len()..].iter();
        let mut leaves = own.map(|b| if is_acc(&b.ty) { acc } else { b.var.into() });
        Some(shape.value(&mut leaves))
    }

    /// Makes the IR function for these types and functions: its name, and the variables of the caller that its last parameters stand for.
    fn instance(&mut self, def: &Arc<Def>, mut scope: Scope, insts: &[Inst], args: &[Val]) -> (Name, Vec<Var>) {
        let name = self.fresh_name(def);
        self.taken.insert(name.clone());
        self.instances.push(Instance { id: def.id.clone(), name: name.clone() });
        let saved = (std::mem::take(&mut self.stms), self.prov, self.call.take(), std::mem::take(&mut self.attrs));
        let callers = std::mem::take(&mut self.callers);
        self.prov = self.at(def.span);

        let mut params = Vec::new();
        for (p, inst) in def.scheme.params.iter().zip(insts) {
            if let (TypeParam::Size(id), Inst::Size(_)) = (p, inst) {
                let binder = self.vars.fresh(&*id.name, Type::I64);
                scope.bind(id, Val::Leaf(binder.var.into()));
                params.push(FunParam { binder, unique: false });
            }
        }
        // sizes that the caller has computed go by other names here
        scope.sizes = Default::default();
        self.asked.open();
        let more = self.parameters(&name, def, Some(args), &mut scope);
        params.extend(more);
        self.callers.push(Caller { def: def.clone(), scope: scope.clone(), place: None });
        let (results, body) = self.results_and_body(def, &scope);
        (self.stms, self.prov, self.call, self.attrs) = saved;
        self.callers = callers;
        self.instances.pop();

        let results = results.into_iter().map(|r| FunResult { unique: false, ..r }).collect();
        let mut fun = Fun { name: name.clone(), entry: None, params, results, body };
        let captured = self.capture(&mut fun);
        self.funs.push(fun);
        (name, captured)
    }

    /// Makes parameters of the variables that a function does not bind, also in its calls of itself.
    fn capture(&mut self, fun: &mut Fun) -> Vec<Var> {
        let whole = Lambda {
            params: fun.params.iter().map(|p| p.binder.clone()).collect(),
            ret: fun.results.iter().map(|r| r.binder.ty.clone()).collect(),
            body: std::mem::take(&mut fun.body),
        };
        let own_results: Vec<Var> = fun.results.iter().map(|r| r.binder.var).collect();
        let mut captured = free_vars(&whole);
        captured.retain(|v| !own_results.contains(v));
        fun.body = whole.body;
        // those that types mention, and sizes before what has them
        let mut i = 0;
        while i < captured.len() {
            for dim in self.vars.ty(captured[i]).shape().to_vec() {
                if let Dim::Var(v) = dim
                    && !captured.contains(&v)
                {
                    captured.push(v);
                }
            }
            i += 1;
        }
        captured.sort_by_key(|v| (self.vars.ty(*v).rank() > 0, v.0));
        let mut subst = HashMap::default();
        for v in &captured {
            let ty = self.vars.ty(*v).clone();
            let name = self.vars.name(*v).clone();
            let binder = self.vars.fresh(name.as_str(), ty);
            subst.insert(*v, SubExp::from(binder.var));
            fun.params.push(FunParam { binder, unique: false });
        }
        let own: Vec<SubExp> = captured.iter().map(|v| (*v).into()).collect();
        Calls { fun: fun.name.clone(), more: own }.body(&mut fun.body);
        substitute(&mut fun.body, &subst);
        let params = fun.params.iter_mut().map(|p| &mut p.binder.ty);
        params.chain(fun.results.iter_mut().map(|r| &mut r.binder.ty)).for_each(|ty| substitute(ty, &subst));
        captured
    }
}

/// Adds arguments to the calls of a function.
struct Calls {
    fun: Name,
    more: Vec<SubExp>,
}

impl VisitMut for Calls {
    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Apply { fun, args } = e
            && *fun == self.fun
        {
            args.extend(self.more.iter().copied());
        }
        walk_exp_mut(self, e);
    }
}
