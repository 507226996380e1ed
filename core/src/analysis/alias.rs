//! Which arrays may be consumed: a coarse, safe answer for passes that merge or copy-propagate arrays. The exact rules are the checker's.

use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{Visit, walk_body, walk_exp, walk_stm};
use crate::ir::*;
use std::rc::Rc;

/// The variables of a program in groups that may share storage, and which groups have a consumed member.
#[derive(PartialEq, Default)]
pub struct Consumable {
    parent: Rc<HashMap<Var, Var>>,
    /// Of functions that are known, which parameters are unique.
    unique: Rc<HashMap<Name, Vec<bool>>>,
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

    /// The same groups, where only those have a consumed member of which the statement consumes one itself.
    pub fn within(&self, stm: &Stm) -> Consumable {
        let consumed = self.consumed_with_calls(stm).into_iter().map(|v| self.group(v)).collect();
        Consumable { parent: self.parent.clone(), unique: self.unique.clone(), consumed }
    }

    /// What [`consumed_by`] says, and what calls consume: of functions that are known, what they say, of others all arguments.
    pub fn consumed_with_calls(&self, stm: &Stm) -> Vec<Var> {
        consumed_in(stm, |exp| self.consumed_itself(exp)).into_iter().collect()
    }

    /// What a node consumes by itself; of a call of a function that is not known, all arguments.
    fn consumed_itself(&self, exp: &Exp) -> Vec<Var> {
        let Exp::Apply { fun, args } = exp else { return exp.consumes() };
        let unique = self.unique.get(fun);
        let is_unique = |k: usize| unique.and_then(|params| params.get(k)).is_none_or(|unique| *unique);
        args.iter().enumerate().filter(|(k, _)| is_unique(*k)).filter_map(|(_, e)| e.as_var()).collect()
    }

    /// Whether a statement consumes one of these variables, or what may share storage with one.
    pub fn consumes_any(&self, stm: &Stm, vars: &[Var]) -> bool {
        let groups: HashSet<Var> = vars.iter().map(|v| self.group(*v)).collect();
        consumed_by(stm).into_iter().any(|v| groups.contains(&self.group(v)))
    }

    /// Shortens the way from a variable to its representative: each on it skips one, so that ways stay short.
    fn shorten(&mut self, mut v: Var) {
        while let Some(above) = self.parent.get(&v).and_then(|p| self.parent.get(p)).copied() {
            // mutant removal: the ends of ways are the same, they are longer
            Rc::make_mut(&mut self.parent).insert(v, above);
            v = above;
        }
    }

    /// From now on these two may share storage.
    pub fn union(&mut self, a: Var, b: Var) {
        let (from, to) = (a, b);
        let (a, b) = (self.group(a), self.group(b));
        for v in [from, to] {
            self.shorten(v);
        }
        if a != b {
            // the smaller number wins: later variables alias earlier ones
            // mutant: the two are not equal: the line before asks for that
            let (child, root) = if a < b { (b, a) } else { (a, b) };
            Rc::make_mut(&mut self.parent).insert(child, root);
        }
    }
}

/// The groups of a program.
pub fn consumable(program: &Program) -> Consumable {
    let mut collect = Collect::new(&program.funs);
    for fun in &program.funs {
        walk_body(&mut collect, &fun.body);
        for (e, _) in fun.body.result.iter().zip(&fun.results).filter(|(_, r)| r.unique) {
            collect.consume(*e);
        }
        collect.consumed.extend(fun.params.iter().filter(|p| p.unique).map(|p| p.binder.var));
    }
    collect.finish()
}

/// The groups of a statement by itself: what it consumes, bodies inside included. Of a call, all arguments.
pub fn consumable_in(stm: &Stm) -> Consumable {
    let mut collect = Collect::new(&[]);
    collect.stm(stm);
    collect.finish()
}

/// The groups of a body by itself. These functions say what they consume; others consume all arguments.
pub fn consumable_by(body: &Body, funs: &[Fun]) -> Consumable {
    let mut collect = Collect::new(funs);
    walk_body(&mut collect, body);
    collect.finish()
}

/// What a statement consumes, inner bodies included; accumulators too.
pub fn consumed_by(stm: &Stm) -> Vec<Var> {
    consumed_in(stm, Exp::consumes)
}

/// The same, where a function says what a node consumes by itself.
fn consumed_in(stm: &Stm, itself: impl Fn(&Exp) -> Vec<Var>) -> Vec<Var> {
    struct Consumed<F>(F, Vec<Var>);
    impl<F: Fn(&Exp) -> Vec<Var>> Visit for Consumed<F> {
        fn stm(&mut self, stm: &Stm) {
            self.1.extend((self.0)(&stm.exp));
            walk_stm(self, stm);
        }
    }
    let mut consumed = Consumed(itself, Vec::new());
    consumed.stm(stm);
    consumed.1
}

struct Collect {
    groups: Consumable,
    consumed: Vec<Var>,
}

impl Collect {
    fn new(funs: &[Fun]) -> Collect {
        let unique = |f: &Fun| (f.name.clone(), f.params.iter().map(|p| p.unique).collect());
        let unique = Rc::new(funs.iter().map(unique).collect());
        Collect { groups: Consumable { unique, ..Consumable::default() }, consumed: Vec::new() }
    }

    fn finish(self) -> Consumable {
        let Collect { mut groups, consumed, .. } = self;
        // whoever asks goes one step
        // mutant removal: nor does that change an end
        groups.parent = Rc::new(groups.parent.keys().map(|v| (*v, groups.group(*v))).collect());
        groups.consumed = consumed.into_iter().map(|v| groups.group(v)).collect();
        groups
    }

    fn consume(&mut self, e: impl Into<SubExp>) {
        self.consumed.extend(e.into().as_var());
    }

    fn alias(&mut self, v: Var, e: impl Into<SubExp>) {
        if let SubExp::Var(w) = e.into() {
            self.groups.union(v, w);
        }
    }
}

impl Visit for Collect {
    fn stm(&mut self, stm: &Stm) {
        for (p, values) in stm.exp.parameters().into_iter().filter(|(p, _)| is_array(p)) {
            values.into_iter().for_each(|e| self.alias(p.var, e));
        }
        // another name for a scalar or an accumulator is another name
        let renames = matches!(stm.exp, Exp::SubExp(_) | Exp::Opaque(_));
        let mut arrays = stm.pat.iter().enumerate().filter(|(_, b)| is_array(b) || renames);
        if let Some((k, first)) = arrays.next() {
            stm.exp.aliases(k).into_iter().for_each(|e| self.alias(first.var, e));
            for (k, b) in arrays {
                if stm.exp.results_alias() {
                    self.alias(first.var, b.var);
                } else {
                    stm.exp.aliases(k).into_iter().for_each(|e| self.alias(b.var, e));
                }
            }
        }
        self.consumed.extend(self.groups.consumed_itself(&stm.exp));
        walk_exp(self, &stm.exp);
    }
}

fn is_array(b: &Binder) -> bool {
    matches!(b.ty, Type::Array(..))
}
