//! Inlining: every call of a function that is not recursive is replaced by its body, whose statements then say through which call they were reached.

use crate::ir::build::{Builder, Vars, substitute_type};
use crate::ir::rename::renamed;
use crate::ir::visit::{Visit, VisitMut, substitute, walk_exp, walk_exp_mut, walk_stm_mut};
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Inlines all calls but those of recursive functions, and removes the functions that no entry point comes to call any more (of a program without
/// entry points, none).
pub fn inline(program: Program) -> Program {
    let recursive = recursive_functions(&program);
    let mut vars = Vars::of(&program);
    let Program { funs, mut prov } = program;
    let order = callees_first(&funs);
    let mut done: HashMap<Name, Fun> = HashMap::new();
    for name in order {
        let Some(mut fun) = funs.iter().find(|f| f.name == name).cloned() else { continue };
        Inline { vars: &mut vars, prov: &mut prov, done: &done, recursive: &recursive }.body(&mut fun.body);
        done.insert(name, fun);
    }
    let funs: Vec<Fun> = funs.iter().filter_map(|f| done.remove(&f.name)).collect();
    reachable(Program { funs, prov })
}

/// The program without the functions that no entry point comes to call.
pub fn reachable(mut program: Program) -> Program {
    let mut live: HashSet<Name> = HashSet::new();
    let mut todo: Vec<Name> = program.entries().cloned().collect();
    if todo.is_empty() {
        return program;
    }
    while let Some(name) = todo.pop() {
        if live.insert(name.clone()) {
            todo.extend(program.fun(name.as_str()).map(|f| calls(&f.body)).unwrap_or_default());
        }
    }
    program.funs.retain(|f| live.contains(&f.name));
    program
}

/// The names of the functions that a body calls.
fn calls(body: &Body) -> Vec<Name> {
    struct Calls(Vec<Name>);
    impl Visit for Calls {
        fn exp(&mut self, e: &Exp) {
            if let Exp::Apply { fun, .. } = e {
                self.0.push(fun.clone());
            }
            walk_exp(self, e);
        }
    }
    let mut calls = Calls(Vec::new());
    calls.body(body);
    calls.0
}

/// The functions that can come to call themselves.
fn recursive_functions(program: &Program) -> HashSet<Name> {
    let callees: HashMap<&Name, Vec<Name>> = program.funs.iter().map(|f| (&f.name, calls(&f.body))).collect();
    let reaches_itself = |name: &Name| {
        let mut seen = HashSet::new();
        let mut todo: Vec<&Name> = vec![name];
        while let Some(f) = todo.pop() {
            for callee in callees.get(f).into_iter().flatten() {
                if callee == name {
                    return true;
                }
                if seen.insert(callee) {
                    todo.push(callee);
                }
            }
        }
        false
    };
    program.funs.iter().map(|f| f.name.clone()).filter(reaches_itself).collect()
}

/// The functions, each after those that it calls (of a cycle, in any order).
fn callees_first(funs: &[Fun]) -> Vec<Name> {
    let callees: HashMap<&Name, Vec<Name>> = funs.iter().map(|f| (&f.name, calls(&f.body))).collect();
    let mut order = Vec::new();
    let mut seen: HashSet<Name> = HashSet::new();
    // an explicit stack: a chain of calls may be long
    let mut todo: Vec<(Name, bool)> = funs.iter().rev().map(|f| (f.name.clone(), false)).collect();
    while let Some((name, callees_done)) = todo.pop() {
        if callees_done {
            order.push(name);
        } else if seen.insert(name.clone()) {
            todo.push((name.clone(), true));
            todo.extend(callees.get(&name).into_iter().flatten().map(|c| (c.clone(), false)));
        }
    }
    order
}

struct Inline<'a> {
    vars: &'a mut Vars,
    prov: &'a mut ProvTable,
    /// The functions that have been processed.
    done: &'a HashMap<Name, Fun>,
    recursive: &'a HashSet<Name>,
}

impl VisitMut for Inline<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            walk_exp_mut(self, &mut stm.exp);
            match &stm.exp {
                Exp::Apply { fun, args } if !self.recursive.contains(fun) && self.done.contains_key(fun) => {
                    let stms = self.call(&self.done[fun], args, &stm);
                    body.stms.extend(stms);
                }
                _ => body.stms.push(stm),
            }
        }
    }
}

impl Inline<'_> {
    fn call(&mut self, fun: &Fun, args: &[SubExp], call: &Stm) -> Vec<Stm> {
        let params = fun.params.iter().map(|p| p.binder.clone()).collect();
        let lambda = renamed(&Lambda { params, ret: Vec::new(), body: fun.body.clone() }, self.vars);
        let subst: HashMap<Var, SubExp> = lambda.params.iter().map(|p| p.var).zip(args.iter().copied()).collect();
        let mut body = lambda.body;
        substitute(&mut body, &subst);
        let mut relate = Relate { prov: self.prov, call: call.prov, unsafe_: is_unsafe(call) };
        body.stms.iter_mut().for_each(|s| relate.stm(s));
        let mut b = Builder::new(self.vars, call.prov);
        b.certs = call.certs.clone();
        let results = b.splice(body);
        for (p, e) in call.pat.iter().zip(results) {
            let ty = substitute_type(&b.vars.type_of(e), &subst);
            // a size among the results has another name here
            let exp = match e {
                SubExp::Var(array) if ty != p.ty => Exp::Coerce { shape: p.ty.shape().to_vec(), array },
                _ => Exp::SubExp(e),
            };
            b.bind(vec![p.clone()], exp);
        }
        b.stms
    }
}

fn is_unsafe(stm: &Stm) -> bool {
    stm.attrs.iter().any(|a| a.name.as_str() == "unsafe")
}

/// Says of each statement through which call it was reached.
struct Relate<'a> {
    prov: &'a mut ProvTable,
    call: Prov,
    unsafe_: bool,
}

impl VisitMut for Relate<'_> {
    fn stm(&mut self, s: &mut Stm) {
        if s.prov == Prov::UNKNOWN {
            s.prov = self.call;
        } else if self.call != Prov::UNKNOWN {
            s.prov = self.prov.intern(ProvNode::Inlined { body: s.prov, call: self.call });
        }
        if self.unsafe_ && !is_unsafe(s) {
            s.attrs.push(Attr { name: "unsafe".into(), arg: None });
        }
        walk_stm_mut(self, s);
    }
}
