//! Which arrays may be consumed: a coarse, safe answer for passes that merge or copy-propagate arrays. The exact rules are the checker's.

use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{Visit, free_vars, walk_body, walk_exp, walk_stm};
use crate::ir::*;

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

    /// Whether a statement consumes one of these variables, or what may share storage with one.
    pub fn consumes_any(&self, stm: &Stm, vars: &[Var]) -> bool {
        let groups: HashSet<Var> = vars.iter().map(|v| self.group(*v)).collect();
        consumed_by(stm).into_iter().any(|v| groups.contains(&self.group(v)))
    }

    /// Shortens the way from a variable to its representative: each on it skips one, so that ways stay short.
    fn shorten(&mut self, mut v: Var) {
        while let Some(above) = self.parent.get(&v).and_then(|p| self.parent.get(p)).copied() {
            self.parent.insert(v, above);
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
            self.parent.insert(child, root);
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
    struct Consumed(Vec<Var>);
    impl Visit for Consumed {
        fn stm(&mut self, stm: &Stm) {
            match &stm.exp {
                Exp::Update { array: v, .. }
                | Exp::UpdateSlice { array: v, .. }
                | Exp::FlatUpdate { array: v, .. }
                | Exp::UpdAcc { acc: v, .. } => self.0.push(*v),
                Exp::WithAcc(w) => self.0.extend(w.inputs.iter().flat_map(|i| &i.arrays)),
                Exp::Hist(h) => self.0.extend(h.ops.iter().flat_map(|op| &op.dests)),
                Exp::SegOp(s) => self.0.extend(s.hists.iter().flat_map(|op| &op.dests)),
                Exp::Scatter(s) => self.0.extend(s.dests.iter().map(|d| d.array)),
                Exp::Loop { params, .. } => {
                    self.0.extend(params.iter().filter(|p| p.unique).filter_map(|p| p.init.as_var()));
                }
                Exp::Apply { args, .. } => self.0.extend(args.iter().filter_map(|e| e.as_var())),
                _ => {}
            }
            walk_stm(self, stm);
        }
    }
    let mut consumed = Consumed(Vec::new());
    consumed.stm(stm);
    consumed.0
}

struct Collect<'a> {
    funs: HashMap<&'a Name, &'a Fun>,
    groups: Consumable,
    consumed: Vec<Var>,
}

impl<'a> Collect<'a> {
    fn new(funs: &'a [Fun]) -> Collect<'a> {
        Collect {
            funs: funs.iter().map(|f| (&f.name, f)).collect(),
            groups: Consumable::default(),
            consumed: Vec::new(),
        }
    }

    fn finish(self) -> Consumable {
        let Collect { mut groups, consumed, .. } = self;
        // whoever asks goes one step
        groups.parent = groups.parent.keys().map(|v| (*v, groups.group(*v))).collect();
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

    /// Parameters that are rows or chunks of arrays.
    fn rows(&mut self, params: &[Binder], arrays: &[Var]) {
        for (p, a) in params.iter().zip(arrays).filter(|(p, _)| is_array(p)) {
            self.alias(p.var, *a);
        }
    }

    /// Results that may be any of these variables, and one another.
    fn any_of(&mut self, pat: &[Binder], vars: impl IntoIterator<Item = Var>) {
        let mut arrays = pat.iter().filter(|b| is_array(b));
        let Some(first) = arrays.next() else { return };
        vars.into_iter().chain(arrays.map(|b| b.var)).for_each(|v| self.alias(first.var, v));
    }
}

impl Visit for Collect<'_> {
    fn stm(&mut self, stm: &Stm) {
        let branch = |c: &mut Self, body: &Body| {
            for (b, e) in stm.pat.iter().zip(&body.result).filter(|(b, _)| is_array(b)) {
                c.alias(b.var, *e);
            }
        };
        match &stm.exp {
            Exp::SubExp(e) | Exp::Opaque(e) => self.alias(stm.pat[0].var, *e),
            Exp::Index { array: a, .. }
            | Exp::Slice { array: a, .. }
            | Exp::FlatIndex { array: a, .. }
            | Exp::Rearrange { array: a, .. }
            | Exp::Reshape { array: a, .. }
            | Exp::Coerce { array: a, .. } => self.rows(&stm.pat, &[*a]),
            Exp::Update { array: a, .. } | Exp::UpdateSlice { array: a, .. } | Exp::FlatUpdate { array: a, .. } => {
                self.consume(*a);
            }
            Exp::If { yes, no, .. } => {
                branch(self, yes);
                branch(self, no);
            }
            Exp::Match { cases, default, .. } => {
                cases.iter().for_each(|case| branch(self, &case.body));
                branch(self, default);
            }
            Exp::Loop { params, body, .. } => {
                for (k, p) in params.iter().enumerate().filter(|(_, p)| is_array(&p.binder)) {
                    let v = p.binder.var;
                    self.alias(v, p.init);
                    self.alias(v, body.result[k]);
                    self.alias(v, stm.pat[k].var);
                    if p.unique {
                        self.consume(v);
                    }
                }
            }
            Exp::Screma(s) => self.rows(&s.map.params, &s.arrays),
            Exp::Hist(h) => {
                self.rows(&h.map.params, &h.arrays);
                h.ops.iter().flat_map(|op| &op.dests).for_each(|a| self.consume(*a));
            }
            Exp::Scatter(s) => {
                self.rows(&s.map.params, &s.arrays);
                s.dests.iter().for_each(|d| self.consume(d.array));
            }
            Exp::Stream(s) => {
                let chunks = s.lambda.params.len() - s.arrays.len();
                self.rows(&s.lambda.params[chunks..], &s.arrays);
                if let StreamForm::Seq(init) = &s.form {
                    let accs = s.lambda.params[1..chunks].iter().zip(init).zip(&s.lambda.body.result);
                    for ((p, first), next) in accs.filter(|((p, _), _)| is_array(p)) {
                        self.alias(p.var, *first);
                        self.alias(p.var, *next);
                    }
                }
            }
            Exp::FlatMap(f) => self.rows(&f.lambda.params, &f.arrays),
            Exp::WithAcc(w) => {
                w.inputs.iter().flat_map(|i| &i.arrays).for_each(|a| self.consume(*a));
                let arrays: usize = w.inputs.iter().map(|i| i.arrays.len()).sum();
                let others = stm.pat[arrays..].iter().zip(&w.lambda.body.result[w.inputs.len()..]);
                for (b, e) in others.filter(|(b, _)| is_array(b)) {
                    self.alias(b.var, *e);
                }
            }
            Exp::Apply { fun, args } => {
                let callee = self.funs.get(fun).copied();
                for (k, e) in args.iter().enumerate() {
                    if callee.and_then(|f| f.params.get(k)).is_none_or(|p| p.unique) {
                        self.consume(*e);
                    }
                }
                self.any_of(&stm.pat, args.iter().filter_map(|e| e.as_var()));
            }
            Exp::Jvp(_) | Exp::Vjp(_) | Exp::Custom(_) => self.any_of(&stm.pat, free_vars(&stm.exp)),
            Exp::SegOp(seg) => {
                self.any_of(&stm.pat, free_vars(&stm.exp));
                seg.hists.iter().flat_map(|h| &h.dests).for_each(|a| self.consume(*a));
            }
            // fresh results, and nothing is consumed but an accumulator
            Exp::Prim(..)
            | Exp::ArrayLit { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::Manifest { .. }
            | Exp::Reverse { .. }
            | Exp::Rotate { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Check(_)
            | Exp::UpdAcc { .. } => {}
        }
        walk_exp(self, &stm.exp);
    }
}

fn is_array(b: &Binder) -> bool {
    matches!(b.ty, Type::Array(..))
}
