//! Simplification to a fixed point: rules on single statements (copy propagation, constant folding, exact identities, what is known of arrays,
//! SOACs, branches, loops and checks, common subexpressions), invariant code, copies, dead code.
//!
//! A rule is exact: it keeps every bit of every result and of every derivative that the program takes, and neither adds a failure nor removes one
//! that a live value depends on.

mod array;
pub mod carried;
mod control;
pub mod copies;
pub mod cse;
pub mod dce;
pub mod derivatives;
pub mod hoist;
mod made;
mod scalar;
mod soac;
#[cfg(test)]
mod tests;

use crate::analysis::Analyses;
use crate::analysis::alias::Consumable;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::visit::{Visit, substitute};
use crate::ir::*;
use crate::prim::Partial;
use std::rc::Rc;

/// What changes a program, or says of it nothing new.
type Change = fn(Program, &mut Analyses) -> Program;

/// What makes a program simpler, one after the other.
const TURNS: [Change; 5] = [rules, hoist::hoist, copies::copies, carried::carried, dce::dce];
/// More turns than any program has needed; each makes the program smaller or stops.
const MOST: usize = 50 * TURNS.len();

/// Simplifies until nothing changes: until each in turn has left the program as it is.
pub fn simplify(mut program: Program, known: &mut Analyses) -> Program {
    let mut idle = 0;
    for change in TURNS.iter().cycle().take(MOST) {
        let before = known.changes();
        program = change(program, known);
        idle = if known.changes() == before { idle + 1 } else { 0 };
        if idle == TURNS.len() {
            break;
        }
    }
    program
}

// Note [Certificates and copies]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `let y = index (replicate [n] x)[i] certs (c)` is x, but the program fails when i is out of range. A pass drops a failure only with a dead value, so
// while y lives, something must list c: the statement becomes `let y = x certs (c)` and stays until c is known to hold. For the same reason a rule
// that looks through a definition takes over its certificates, and what has certificates of its own is not taken apart.

// Note [Derivatives of what is simplified]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `x | x` is x, but on integers its derivative is zero and that of x is not: a derivative is what the table of partials makes of the operators that a
// program has, not what calculus makes of its values. So while a program still has a `vjp` or a `jvp`, a rule that puts one operand for an operator with
// other partials needs to know that no derivative passes through that operand: that it is [`Rules::constant`]. The same goes for what is known of a
// condition in its branches, where a constant would stand for a variable with a derivative, and for the arithmetic that takes the place of an
// index, which has none. Rules whose two sides have one derivative, to the bit, always apply. What is computed once instead of several times, as common
// subexpression or out of a loop, gets its adjoints' sum: that is the same, rounding aside, where an operator [`adds_up`](derivatives::adds_up).

/// The rules on single statements, from the first to the last. What a statement has become is known to all behind it, so that however long a chain of
/// statements is of which each becomes simpler by the one before, all are simple at the end.
fn rules(mut program: Program, known: &mut Analyses) -> Program {
    let vars = known.vars(&program);
    let mut rules = Rules {
        differentiates: known.differentiates(&program),
        constants: HashSet::default(),
        first_new: vars.count(),
        vars,
        consumable: known.consumable(&program),
        subst: HashMap::default(),
        defs: HashMap::default(),
        below: HashMap::default(),
        sizes: HashSet::default(),
        certain: HashSet::default(),
        made: made::Made::of(&program),
        seen: cse::Seen::default(),
        prov: std::mem::take(&mut program.prov),
        changed: false,
    };
    for fun in &mut program.funs {
        rules.fun(fun);
    }
    program.prov = rules.prov;
    if rules.changed {
        known.changed();
    } else {
        known.unchanged(rules.vars);
    }
    program
}

/// What is known on the way through a program. Binders are unique, so what is known of a variable holds wherever it is in scope.
struct Rules {
    /// Whether the program has derivatives still to be taken: see Note [Derivatives of what is simplified].
    differentiates: bool,
    /// Variables bound to operators through which no derivative passes.
    constants: HashSet<Var>,
    vars: Vars,
    /// Variables from this one on have been made in this round.
    first_new: u32,
    consumable: Rc<Consumable>,
    /// What stands for a variable.
    subst: HashMap<Var, SubExp>,
    /// What a variable was bound to, and the certificates of that; for expressions without bodies.
    defs: HashMap<Var, (Exp, Vec<Var>)>,
    /// Indices: 0 ≤ variable < this.
    below: HashMap<Var, SubExp>,
    /// Sizes of arrays that exist wherever the variable is in scope: not negative.
    sizes: HashSet<Var>,
    /// Certificates of checks that cannot fail.
    certain: HashSet<Var>,
    /// What arrays rely on.
    made: made::Made,
    /// What has been computed already.
    seen: cse::Seen,
    prov: ProvTable,
    /// Whether anything is not as it was.
    changed: bool,
}

/// What a rule makes of an expression.
enum Outcome {
    /// Another expression with the same results.
    Exp(Box<Exp>),
    /// Its results are these operands.
    Results(Vec<SubExp>),
    /// Statements, and the operands that its results are.
    Code(Vec<Stm>, Vec<SubExp>),
}

fn result(e: impl Into<SubExp>) -> Option<Outcome> {
    Some(Outcome::Results(vec![e.into()]))
}

fn becomes(exp: Exp) -> Option<Outcome> {
    Some(Outcome::Exp(Box::new(exp)))
}

impl Rules {
    /// Whether the variable may be consumed, or what shares storage with it. Of an array that this round has made nothing is known yet.
    fn may_be_consumed(&self, v: Var) -> bool {
        // mutant comparison `self.vars.ty(v).rank() > 0`: a new scalar is replaced one round later
        self.consumable.may_be_consumed(v) || v.0 >= self.first_new && self.vars.ty(v).rank() > 0
    }

    fn fun(&mut self, fun: &mut Fun) {
        struct Sizes<'a>(&'a mut HashSet<Var>);
        impl Visit for Sizes<'_> {
            fn dim(&mut self, d: &Dim) {
                if let Dim::Var(v) = d {
                    self.0.insert(*v);
                }
            }
        }
        let mut sizes = Sizes(&mut self.sizes);
        fun.params.iter().for_each(|p| sizes.ty(&p.binder.ty));
        if fun.entry.is_some() {
            self.made.are_there(fun.params.iter().map(|p| &p.binder));
        }
        let result = fun.body.result.clone();
        self.each(&mut fun.body, Rules::watched);
        self.changed |= fun.body.result != result;
    }

    fn body(&mut self, body: &mut Body) {
        self.each(body, Rules::stm);
    }

    /// Simplifies the statements of a body by this.
    fn each(&mut self, body: &mut Body, simplify: fn(&mut Rules, Stm, &mut Vec<Stm>)) {
        let outside = self.seen.enter();
        for stm in body.take_stms() {
            simplify(self, stm, &mut body.stms);
        }
        for e in &mut body.result {
            *e = self.resolve(*e);
        }
        self.seen.leave(outside, body, &mut self.prov);
    }

    /// Simplifies a statement, and notices whether it is another then. (A copy of one is at hand still, where one of the whole program would not be.)
    fn watched(&mut self, stm: Stm, out: &mut Vec<Stm>) {
        if self.changed {
            return self.stm(stm, out);
        }
        let (before, at) = (stm.clone(), out.len());
        self.stm(stm, out);
        self.changed = out[at..] != [before];
    }

    fn resolve(&self, e: SubExp) -> SubExp {
        e.as_var().and_then(|v| self.subst.get(&v)).copied().unwrap_or(e)
    }

    fn stm(&mut self, mut stm: Stm, out: &mut Vec<Stm>) {
        substitute(&mut stm, &self.subst);
        self.made.expand(&mut stm.certs);
        stm.certs.retain(|c| !self.certain.contains(c));
        stm.certs.sort_unstable();
        stm.certs.dedup();
        stm.pat.iter().for_each(|b| self.vars.declare(b));
        loop {
            match self.rule(&mut stm) {
                None => break,
                Some(Outcome::Exp(exp)) => stm.exp = *exp,
                Some(Outcome::Results(es)) => return self.bind_results(stm, es, out),
                Some(Outcome::Code(stms, es)) => {
                    // what a checked statement has become relies on the same check; scalar operators in between are total
                    let made: HashSet<Var> = stms.iter().flat_map(|s| &s.pat).map(|b| b.var).collect();
                    for mut inner in stms {
                        let total = matches!(inner.exp, Exp::Prim(..)) && !es.contains(&inner.pat[0].var.into());
                        if !total {
                            inner.certs.extend(&stm.certs);
                        }
                        self.stm(inner, out);
                    }
                    let Stm { pat, certs, prov, .. } = stm;
                    for (b, e) in pat.into_iter().zip(es) {
                        let relies = e.as_var().is_some_and(|v| made.contains(&v));
                        let certs = if relies { Vec::new() } else { certs.clone() };
                        let e = self.resolve(e);
                        let one = Stm { pat: vec![b], exp: Exp::SubExp(e), certs, attrs: Vec::new(), prov };
                        self.bind_results(one, vec![e], out);
                    }
                    return;
                }
            }
        }
        self.inside(&mut stm.exp);
        // what has become of the inside is said at once: who comes next need not wait for another turn
        let replicates = self.invariant_results(&mut stm);
        self.invariants(&mut stm);
        if let Some((pat, es)) = self.single_results(&mut stm) {
            self.replace(&pat, &es);
            substitute(&mut stm, &self.subst);
        }
        replicates.into_iter().for_each(|replicate| self.stm(replicate, out));
        if stm.pat.is_empty() {
            return;
        }
        let may_be_consumed = self.may_be_consumed(stm.pat[0].var);
        if let Some(twin) = self.seen.twin(&stm, self.differentiates, may_be_consumed) {
            return self.replace(&stm.pat, &[twin.into()]);
        }
        self.record(&stm);
        out.push(stm);
    }

    /// The results are these operands. While a check may fail on which the statement relies, that is still a statement: see
    /// Note [Certificates and copies].
    fn bind_results(&mut self, stm: Stm, es: Vec<SubExp>, out: &mut Vec<Stm>) {
        if stm.certs.is_empty() {
            return self.replace(&stm.pat, &es);
        }
        for (b, e) in stm.pat.into_iter().zip(es) {
            out.push(Stm {
                pat: vec![b],
                exp: Exp::SubExp(e),
                certs: stm.certs.clone(),
                attrs: vec![],
                prov: stm.prov,
            });
        }
    }

    fn replace(&mut self, pat: &[Binder], es: &[SubExp]) {
        for (b, e) in pat.iter().zip(es) {
            self.subst.insert(b.var, *e);
        }
    }

    fn record(&mut self, stm: &Stm) {
        self.made.record(stm, &self.vars);
        if let [b] = &stm.pat[..]
            && !stm.exp.has_bodies()
        {
            self.defs.insert(b.var, (stm.exp.clone(), stm.certs.clone()));
            if let Exp::Prim(op, args) = &stm.exp
                && args.iter().enumerate().all(|(i, e)| self.constant(*e) || matches!(op.partial(i), Partial::Zero))
            {
                self.constants.insert(b.var);
            }
        }
        for b in &stm.pat {
            for d in b.ty.shape() {
                if let Dim::Var(v) = d
                    && stm.pat.iter().any(|b| b.var == *v)
                {
                    self.sizes.insert(*v);
                }
            }
        }
    }

    /// What the variable was bound to, if that relies on no check.
    fn def(&self, e: impl Into<SubExp>) -> Option<&Exp> {
        let (exp, certs) = self.defs.get(&e.into().as_var()?)?;
        certs.iter().all(|c| self.certain.contains(c)).then_some(exp)
    }

    /// Whether no derivative passes through the operand: see Note [Derivatives of what is simplified].
    fn constant(&self, e: SubExp) -> bool {
        let index = |v: &Var| self.below.contains_key(v) || self.constants.contains(v);
        !self.differentiates || e.as_var().is_none_or(|v| index(&v))
    }

    /// A rule for the statement as it stands, its inner bodies aside. A rule may change certificates.
    fn rule(&mut self, stm: &mut Stm) -> Option<Outcome> {
        match &stm.exp {
            Exp::SubExp(e) if stm.certs.is_empty() => result(*e),
            Exp::Prim(op, args) => self.scalar(*op, args),
            Exp::Check(check) => {
                if self.holds(check) {
                    // nothing lists its certificate any more
                    self.certain.insert(stm.pat[0].var);
                } else if let Check::Made(array) = check {
                    self.made.resolve(stm.pat[0].var, *array);
                }
                None
            }
            Exp::If { .. } => self.branch(stm),
            Exp::Match { .. } => self.select(stm),
            Exp::Loop { .. } => self.loop_(stm),
            Exp::Screma(_) => self.screma(stm),
            Exp::Hist(_) | Exp::Scatter(_) | Exp::FlatMap(_) => {
                self.inputs(stm);
                None
            }
            Exp::WithAcc(_) => self.withacc(stm),
            _ => self.array(stm),
        }
    }

    /// Simplifies inner bodies.
    fn inside(&mut self, exp: &mut Exp) {
        match exp {
            Exp::If { cond, yes, no } => self.branches(*cond, yes, no),
            Exp::Match { scrutinees, cases, default } => self.cases(scrutinees, cases, default),
            Exp::Loop { params, form, body } => {
                for p in params.iter() {
                    self.vars.declare(&p.binder);
                    for d in p.binder.ty.shape() {
                        if let Dim::Var(v) = d
                            && params.iter().any(|p| p.binder.var == *v)
                        {
                            self.sizes.insert(*v);
                        }
                    }
                }
                if let LoopForm::For { index, bound } = form {
                    self.below.insert(index.var, *bound);
                }
                self.body(body);
            }
            Exp::Screma(s) => {
                self.mapped(s.width, &s.arrays, &mut s.map);
                s.scans.iter_mut().chain(&mut s.reduces).for_each(|op| self.lambda(&mut op.lambda));
                s.post.iter_mut().for_each(|post| self.lambda(post));
            }
            Exp::Hist(h) => {
                self.mapped(h.width, &h.arrays, &mut h.map);
                h.ops.iter_mut().for_each(|op| self.lambda(&mut op.op.lambda));
            }
            Exp::Scatter(s) => self.mapped(s.width, &s.arrays, &mut s.map),
            Exp::Stream(s) => {
                // the size of a chunk is the size of an array
                self.sizes.extend(s.lambda.params.first().map(|p| p.var));
                if let StreamForm::Par(op) = &mut s.form {
                    self.lambda(&mut op.lambda);
                }
                self.lambda(&mut s.lambda);
            }
            Exp::FlatMap(f) => self.mapped(f.width, &f.arrays, &mut f.lambda),
            Exp::WithAcc(w) => {
                w.inputs.iter_mut().for_each(|i| self.lambda(&mut i.op.lambda));
                self.lambda(&mut w.lambda);
            }
            Exp::Jvp(ad) | Exp::Vjp(ad) => self.lambda(&mut ad.lambda),
            Exp::Custom(c) => {
                self.lambda(&mut c.lambda);
                c.vjp.iter_mut().chain(&mut c.jvp).for_each(|rule| self.lambda(rule));
            }
            Exp::SegOp(seg) => {
                for (b, d) in &seg.space {
                    self.below.insert(b.var, (*d).into());
                }
                seg.operators_mut().iter_mut().for_each(|op| self.lambda(&mut op.lambda));
                self.body(&mut seg.body);
            }
            exp => debug_assert!(!exp.has_bodies()),
        }
    }

    /// A λ applied to the rows of arrays: those of `0, 1, …` are indices.
    fn mapped(&mut self, width: Dim, arrays: &[Var], lambda: &mut Lambda) {
        for (p, a) in lambda.params.iter().zip(arrays) {
            if let Some(Exp::Iota { start, step, .. }) = self.def(*a)
                && is_int(*start, 0)
                && is_int(*step, 1)
            {
                self.below.insert(p.var, width.into());
            }
        }
        self.lambda(lambda);
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        lambda.params.iter().for_each(|b| self.vars.declare(b));
        self.made.are_there(lambda.params.iter());
        self.body(&mut lambda.body);
    }

    /// Whether the operand, an `i64`, is known not to be negative.
    fn non_negative(&self, e: SubExp) -> bool {
        // of a maximum, one of its operands: each is asked once, on however many ways it is reached
        let (mut seen, mut todo) = (HashSet::default(), vec![e]);
        while let Some(e) = todo.pop() {
            let SubExp::Var(v) = e else {
                if e.as_lit().and_then(Scalar::as_i64).is_some_and(|x| x >= 0) {
                    return true;
                }
                continue;
            };
            if self.sizes.contains(&v) || self.bound(e).is_some() {
                return true;
            }
            if let Some(Exp::Prim(Prim::Bin(BinOp::Max, _), args)) = self.def(e)
                && seen.insert(v)
            {
                todo.extend(args);
            }
        }
        false
    }

    /// An n with 0 ≤ e < n, if one is known.
    fn bound(&self, e: SubExp) -> Option<SubExp> {
        let v = e.as_var()?;
        if let Some(n) = self.below.get(&v) {
            return Some(self.resolve(*n));
        }
        // n-1-i
        let Some(Exp::Prim(Prim::Bin(BinOp::Sub, ScalarType::I64), args)) = self.def(v) else { return None };
        let n = self.bound(args[1])?;
        let last = match (n, args[0]) {
            // mutant negation: both are i64: an operand of a subtraction of i64, and the bound of the index that is the other operand
            (SubExp::Lit(n), SubExp::Lit(last)) => n.as_i64().zip(last.as_i64()).is_some_and(|(n, l)| l == n - 1),
            (n, last) => match self.def(last) {
                Some(Exp::Prim(Prim::Bin(BinOp::Sub, _), args)) => args[0] == n && is_int(args[1], 1),
                _ => false,
            },
        };
        last.then_some(n)
    }
}

/// Whether the operand is this integer.
fn is_int(e: SubExp, x: i64) -> bool {
    e.as_lit().is_some_and(|lit| lit == Scalar::from_i64(lit.scalar_type(), x))
}
