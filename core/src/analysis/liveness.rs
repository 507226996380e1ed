//! What the results of a body need: all else is dead.
//!
//! Liveness is reachability in the graph of uses, which crosses scopes: a mapped result needs the result of λ, a parameter of λ the array, a
//! parameter of a loop its next and its first value. So the rounds of a loop need no fixpoint.

use crate::hash::{HashMap, HashSet};
use crate::ir::visit::{Visit, free_vars, walk_stm};
use crate::ir::*;

/// The variables that the results of a body need, those of its inner bodies among them.
pub fn live(body: &Body, sized: &Sized) -> HashSet<Var> {
    let mut graph = Graph { needs: HashMap::default(), sized };
    graph.body(body);
    graph.reach(body.result.iter().filter_map(|e| e.as_var()).collect())
}

/// The certificates that the size of an array which a statement makes relies on: that it is not negative. Whatever has that width, mapped over the array, relies on them too, even if it does
/// not look at the elements.
pub fn size_checks(exp: &Exp, certs: &[Var]) -> Vec<Var> {
    match exp {
        Exp::Iota { .. } | Exp::Replicate { .. } | Exp::Scratch { .. } => certs.to_vec(),
        _ => Vec::new(),
    }
}

/// Arrays with the certificates that their sizes rely on.
pub type Sized = HashMap<Var, Vec<Var>>;

/// The [`size_checks`] of a body's arrays, those of its inner bodies among them.
pub fn sized(body: &Body) -> Sized {
    struct Find(Sized);
    impl Visit for Find {
        fn stm(&mut self, stm: &Stm) {
            let checks = size_checks(&stm.exp, &stm.certs);
            if !checks.is_empty() {
                self.0.insert(stm.pat[0].var, checks);
            }
            walk_stm(self, stm);
        }
    }
    let mut find = Find(Sized::default());
    find.body(body);
    find.0
}

/// What each variable needs.
struct Graph<'a> {
    needs: HashMap<Var, Vec<Var>>,
    sized: &'a Sized,
}

impl Graph<'_> {
    fn reach(&self, roots: Vec<Var>) -> HashSet<Var> {
        let mut live: HashSet<Var> = roots.iter().copied().collect();
        let mut todo = roots;
        while let Some(v) = todo.pop() {
            for w in self.needs.get(&v).into_iter().flatten() {
                if live.insert(*w) {
                    todo.push(*w);
                }
            }
        }
        live
    }

    fn need(&mut self, v: Var, what: impl IntoIterator<Item = Var>) {
        self.needs.entry(v).or_default().extend(what);
    }

    fn need_exps<'a>(&mut self, v: Var, what: impl IntoIterator<Item = &'a SubExp>) {
        self.need(v, what.into_iter().filter_map(|e| e.as_var()));
    }

    /// A binder needs what its type mentions.
    fn binder(&mut self, b: &Binder) {
        self.need(b.var, free_vars(&b.ty));
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|s| self.stm(s));
    }

    fn stm(&mut self, stm: &Stm) {
        for b in &stm.pat {
            self.binder(b);
            self.need(b.var, stm.certs.iter().copied());
        }
        let pat: Vec<Var> = stm.pat.iter().map(|b| b.var).collect();
        let of_width: Vec<Var> = stm.exp.rows().iter().filter_map(|a| self.sized.get(a)).flatten().copied().collect();
        pat.iter().for_each(|v| self.need(*v, of_width.iter().copied()));
        match &stm.exp {
            Exp::If { cond, yes, no } => {
                self.body(yes);
                self.body(no);
                for (k, v) in pat.iter().enumerate() {
                    self.need_exps(*v, [cond, &yes.result[k], &no.result[k]]);
                }
            }
            Exp::Match { scrutinees, cases, default } => {
                for body in cases.iter().map(|c| &c.body).chain([default]) {
                    self.body(body);
                    for (v, e) in pat.iter().zip(&body.result) {
                        self.need_exps(*v, scrutinees.iter().chain([e]));
                    }
                }
            }
            Exp::Loop { params, form, body } => {
                self.body(body);
                for (k, p) in params.iter().enumerate() {
                    let v = p.binder.var;
                    self.binder(&p.binder);
                    // mutant swap: what a variable needs is a set: what is reached by it does not depend on the order
                    self.need_exps(v, [&p.init, &body.result[k]]);
                    match form {
                        LoopForm::For { bound, .. } => self.need_exps(v, [bound]),
                        LoopForm::While(cond) => self.need(v, [*cond]),
                    }
                    self.need(pat[k], [v]);
                }
            }
            Exp::Screma(s) => self.screma(s, &pat),
            Exp::WithAcc(w) => {
                self.body(&w.lambda.body);
                let n = w.inputs.len();
                let (ids, accs) = w.lambda.params.split_at(n);
                let mut outs = pat.iter();
                for (k, input) in w.inputs.iter().enumerate() {
                    let acc = accs[k].var;
                    self.need(acc, [ids[k].var].into_iter().chain(input.arrays.iter().copied()));
                    self.operator(&[acc], &input.op);
                    for out in outs.by_ref().take(input.arrays.len()) {
                        self.need_exps(*out, [&w.lambda.body.result[k]]);
                        // mutant: the accumulator that λ returns, which the array needs, comes of the one that λ takes: that is reached from it
                        //   anyway
                        self.need(*out, [acc]);
                    }
                }
                for (out, e) in outs.zip(&w.lambda.body.result[n..]) {
                    self.need_exps(*out, [e]);
                }
            }
            Exp::Hist(h) => {
                let mut values = h.ops.iter().map(|op| op.shape.len()).sum();
                let (mut index, mut first) = (0, 0);
                self.rows(&h.map, &h.arrays);
                for op in &h.ops {
                    let (rank, m) = (op.shape.len(), op.dests.len());
                    let results = &h.map.body.result;
                    let operands = results[index..index + rank].iter().chain(&results[values..values + m]);
                    let operands: Vec<SubExp> = operands.copied().chain(op.shape.iter().map(|d| (*d).into())).collect();
                    let of_op = &pat[first..first + m];
                    self.operator(of_op, &op.op);
                    for v in of_op {
                        self.need_exps(*v, operands.iter().chain([&h.width.into()]));
                        self.need(*v, op.dests.iter().copied());
                    }
                    (index, values, first) = (index + rank, values + m, first + m);
                }
            }
            Exp::Scatter(s) => {
                let mut index = 0;
                let ranks: usize = s.dests.iter().map(|d| d.shape.len()).sum();
                self.rows(&s.map, &s.arrays);
                for (k, d) in s.dests.iter().enumerate() {
                    let at = &s.map.body.result[index..index + d.shape.len()];
                    let shape: Vec<SubExp> = d.shape.iter().map(|d| (*d).into()).collect();
                    let value = [s.map.body.result[ranks + k], d.array.into(), s.width.into()];
                    self.need_exps(pat[k], at.iter().chain(&shape).chain(&value));
                    index += d.shape.len();
                }
            }
            Exp::Stream(s) => {
                // the accumulators live as long as anything does
                self.body(&s.lambda.body);
                let (accs, chunks) = (s.accumulators(), s.lambda.params.len() - s.arrays.len());
                for (p, a) in s.lambda.params[chunks..].iter().zip(&s.arrays) {
                    self.need(p.var, [*a]);
                }
                for (k, v) in pat.iter().enumerate() {
                    self.need_exps(*v, s.lambda.body.result[..accs].iter().chain([&s.width.into()]));
                    self.need_exps(*v, &s.lambda.body.result[k..=k]);
                    match &s.form {
                        StreamForm::Seq(init) => self.need_exps(*v, init),
                        StreamForm::Par(op) => self.operator(&[*v], op),
                    }
                    s.lambda.params.iter().for_each(|p| self.need(*v, free_vars(&p.ty)));
                }
            }
            Exp::FlatMap(f) => {
                self.rows(&f.lambda, &f.arrays);
                for (k, v) in pat.iter().enumerate() {
                    let own = f
                        .lambda
                        .body
                        .result
                        .get((k + 1).saturating_sub(FlatMap::FIXED))
                        .filter(|_| k >= FlatMap::FIXED);
                    self.need_exps(*v, f.lambda.body.result[..1].iter().chain(own).chain([&f.width.into()]));
                }
            }
            // of these all results live or none
            Exp::Jvp(_) | Exp::Vjp(_) | Exp::Custom(_) | Exp::SegOp(_) => {
                let mut needs = Whole { graph: self, needs: Vec::new() };
                needs.exp(&stm.exp);
                let Whole { needs, .. } = needs;
                pat.iter().for_each(|v| self.need(*v, needs.iter().copied()));
            }
            exp => {
                let free = free_vars(exp);
                pat.iter().for_each(|v| self.need(*v, free.iter().copied()));
            }
        }
    }

    /// A λ applied to the rows of arrays.
    fn rows(&mut self, lambda: &Lambda, arrays: &[Var]) {
        self.body(&lambda.body);
        for (p, a) in lambda.params.iter().zip(arrays) {
            self.need(p.var, [*a]);
        }
    }

    fn screma(&mut self, s: &Screma, pat: &[Var]) {
        self.rows(&s.map, &s.arrays);
        let width = SubExp::from(s.width);
        let results = &s.map.body.result;
        // what holds each result of the map: a result of the whole, or a parameter of what follows
        let holders: Vec<Var> = match &s.post {
            None => pat.to_vec(),
            Some(post) => {
                self.body(&post.body);
                let (scans, reduces) = s.operand_counts();
                for (v, e) in pat[reduces..].iter().zip(&post.body.result) {
                    // mutant swap: what a variable needs is a set: what is reached by it does not depend on the order
                    self.need_exps(*v, [e, &width]);
                }
                let params: Vec<Var> = post.params.iter().map(|p| p.var).collect();
                [&params[..scans], &pat[..reduces], &params[scans..]].concat()
            }
        };
        let mut first = 0;
        for op in s.scans.iter().chain(&s.reduces) {
            let range = first..first + op.neutral.len();
            first = range.end;
            self.operator(&holders[range.clone()], op);
            for k in range.clone() {
                self.need_exps(holders[k], results[range.clone()].iter().chain([&width]));
            }
        }
        for (k, e) in results.iter().enumerate().skip(first) {
            // mutant swap: what a variable needs is a set: what is reached by it does not depend on the order
            self.need_exps(holders[k], [e, &width]);
        }
    }

    /// Results computed by an operator, which keeps its parameters.
    fn operator(&mut self, results: &[Var], op: &Operator) {
        self.body(&op.lambda.body);
        for v in results {
            self.need_exps(*v, op.neutral.iter().chain(&op.lambda.body.result));
        }
    }
}

/// What a node needs of which all results live or none: its operands, and what its bodies return.
struct Whole<'a, 'g> {
    graph: &'a mut Graph<'g>,
    needs: Vec<Var>,
}

impl Visit for Whole<'_, '_> {
    fn var(&mut self, v: &Var) {
        self.needs.push(*v);
    }
    fn body(&mut self, body: &Body) {
        self.needs.extend(body.result.iter().filter_map(|e| e.as_var()));
        self.graph.body(body);
    }
}
