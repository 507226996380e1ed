//! Which arrays may be consumed: a coarse, safe answer for passes that merge or copy-propagate arrays. The exact rules are the checker's.

use crate::ir::visit::{Visit, free_vars, walk_body, walk_exp};
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// The variables of a program in groups that may share storage, and which groups have a consumed member.
#[derive(Default)]
pub struct Consumable {
    parent: HashMap<Var, Var>,
    consumed: HashSet<Var>,
}

impl Consumable {
    /// The representative of the variable's group.
    pub fn group(&self, mut v: Var) -> Var {
        while let Some(p) = self.parent.get(&v) {
            v = *p;
        }
        v
    }

    /// Whether the array, or what may share storage with it, may be consumed somewhere.
    pub fn may_be_consumed(&self, v: Var) -> bool {
        self.consumed.contains(&self.group(v))
    }

    fn union(&mut self, a: Var, b: Var) {
        let (a, b) = (self.group(a), self.group(b));
        if a != b {
            // the smaller number wins, so that chains stay short: later variables alias earlier ones
            let (child, root) = if a < b { (b, a) } else { (a, b) };
            self.parent.insert(child, root);
        }
    }
}

/// The groups of a program.
pub fn consumable(program: &Program) -> Consumable {
    let mut collect = Collect { program, groups: Consumable::default(), consumed: Vec::new() };
    for fun in &program.funs {
        walk_body(&mut collect, &fun.body);
        for (e, _) in fun.body.result.iter().zip(&fun.results).filter(|(_, r)| r.unique) {
            collect.consume(*e);
        }
        collect.consumed.extend(fun.params.iter().filter(|p| p.unique).map(|p| p.binder.var));
    }
    let Collect { mut groups, consumed, .. } = collect;
    groups.consumed = consumed.into_iter().map(|v| groups.group(v)).collect();
    groups
}

struct Collect<'a> {
    program: &'a Program,
    groups: Consumable,
    consumed: Vec<Var>,
}

impl Collect<'_> {
    fn consume(&mut self, e: impl Into<SubExp>) {
        self.consumed.extend(e.into().as_var());
    }

    fn alias(&mut self, v: Var, e: impl Into<SubExp>) {
        if let SubExp::Var(w) = e.into() {
            self.groups.union(v, w);
        }
    }
}

impl Visit for Collect<'_> {
    fn stm(&mut self, stm: &Stm) {
        let array = |b: &&Binder| matches!(b.ty, Type::Array(..));
        match &stm.exp {
            Exp::SubExp(e) => self.alias(stm.pat[0].var, *e),
            Exp::Index { array: a, .. } if stm.pat.iter().any(|b| array(&b)) => self.alias(stm.pat[0].var, *a),
            Exp::Rearrange { array: a, .. } | Exp::Reshape { array: a, .. } | Exp::Coerce { array: a, .. } => {
                self.alias(stm.pat[0].var, *a);
            }
            Exp::Update { array: a, .. } => self.consume(*a),
            Exp::If { yes, no, .. } => {
                for (k, b) in stm.pat.iter().enumerate().filter(|(_, b)| array(b)) {
                    self.alias(b.var, yes.result[k]);
                    self.alias(b.var, no.result[k]);
                }
            }
            Exp::Loop { params, body, .. } => {
                for (k, p) in params.iter().enumerate().filter(|(_, p)| array(&&p.binder)) {
                    let v = p.binder.var;
                    self.alias(v, p.init);
                    self.alias(v, body.result[k]);
                    self.alias(v, stm.pat[k].var);
                    if p.unique {
                        self.consume(v);
                    }
                }
            }
            Exp::Screma(s) => {
                for (p, a) in s.map.params.iter().zip(&s.arrays).filter(|(p, _)| array(p)) {
                    self.alias(p.var, *a);
                }
            }
            Exp::WithAcc(w) => {
                w.inputs.iter().flat_map(|i| &i.arrays).for_each(|a| self.consume(*a));
                let arrays: usize = w.inputs.iter().map(|i| i.arrays.len()).sum();
                let others = stm.pat[arrays..].iter().zip(&w.lambda.body.result[w.inputs.len()..]);
                for (b, e) in others.filter(|(b, _)| array(b)) {
                    self.alias(b.var, *e);
                }
            }
            Exp::Apply { fun, args } => {
                let callee = self.program.fun(fun.as_str());
                for (k, e) in args.iter().enumerate() {
                    if callee.and_then(|f| f.params.get(k)).is_none_or(|p| p.unique) {
                        self.consume(*e);
                    }
                    stm.pat.iter().filter(array).for_each(|b| self.alias(b.var, *e));
                }
            }
            Exp::Jvp(_) | Exp::Vjp(_) | Exp::SegOp(_) => {
                for v in free_vars(&stm.exp) {
                    stm.pat.iter().filter(array).for_each(|b| self.alias(b.var, v));
                }
            }
            _ => {}
        }
        walk_exp(self, &stm.exp);
    }
}
