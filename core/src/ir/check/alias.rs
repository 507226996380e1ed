//! Aliasing and consumption, after the rules of digest 004 §2.5 with its three gaps closed: a loop that may not run returns its first values; the
//! result of an update may be used; a map may not consume what it also reads another way. Accumulators are linear: each is used exactly once.
//!
//! Note [What a variable aliases]
//!
//! A variable may share storage with whatever is in its set, and with each variable whose set has a common member with its own. The sets of a body's results
//! keep the variables bound in the body, out of scope though they are: two results of an `if` that return one inner array thus have it in common. Where there
//! is no such name (results of a call, of a derivative), the results name one another. Consuming a variable makes its whole set dead, so that a later use
//! of anything with a common member is seen.

use super::*;
use crate::hash::SharedSet;

type Set = SharedSet<Var>;

/// What is wrong with the consumption of a program whose types are right, and what would mend it.
pub(super) fn errors(program: &Program, vars: &Vars) -> (Vec<CheckError>, Vec<Clash>) {
    let (mut errors, mut clashes) = (Vec::new(), Vec::new());
    let funs = program.by_name();
    for fun in &program.funs {
        let mut c = Consumption {
            funs: &funs,
            vars,
            aliases: HashMap::default(),
            dead: Set::new(),
            consumers: HashMap::default(),
            observed: Set::new(),
            frames: Vec::new(),
            errors: Vec::new(),
            clashes: Vec::new(),
            fun: &fun.name,
            stm: None,
            prov: Prov::UNKNOWN,
        };
        c.fun(fun);
        errors.extend(c.errors);
        clashes.extend(c.clashes);
    }
    (errors, clashes)
}

/// A place at which an array is consumed or given up that must not be: a copy of it there would do no harm.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Clash {
    /// The array as an operand that is consumed, of the statement whose first result this is.
    Operand {
        /// The first result.
        stm: Var,
        /// The array.
        array: Var,
    },
    /// The result with this number of the body of the loop whose first result this is.
    Next {
        /// The first result.
        stm: Var,
        /// The number.
        result: usize,
    },
    /// The result with this number of a function.
    Result {
        /// The function.
        fun: Name,
        /// The number.
        result: usize,
    },
}

/// A scope that restricts what may be consumed in it.
#[derive(Default)]
struct Frame {
    /// What is bound in it and may be consumed.
    own: HashSet<Var>,
    /// Parameters that stand for other variables: consuming one consumes those.
    stands_for: HashMap<Var, Set>,
    /// Those of them that were consumed.
    consumed_params: Vec<Var>,
    /// Whether accumulators from outside may be consumed: the body of a parallel nest, whose result they are, and of a `withacc`, which runs once.
    takes_accs: bool,
}

struct Consumption<'a> {
    /// The functions that can be called.
    funs: &'a HashMap<&'a str, &'a Fun>,
    vars: &'a Vars,
    /// What each variable aliases, itself not included, transitively closed.
    aliases: HashMap<Var, Set>,
    /// What has been consumed on the path so far.
    dead: Set,
    /// Of what is or was dead: the statement that consumed it, by its first result, and the operand of that.
    consumers: HashMap<Var, (Var, Var)>,
    /// What has been observed in the innermost frame.
    observed: Set,
    frames: Vec<Frame>,
    errors: Vec<CheckError>,
    clashes: Vec<Clash>,
    fun: &'a Name,
    /// The first result of the statement at hand.
    stm: Option<Var>,
    prov: Prov,
}

impl Consumption<'_> {
    fn error(&mut self, rule: Rule, message: String) {
        self.errors.push(CheckError { rule, fun: self.fun.clone(), message, prov: self.prov });
    }

    /// Notes that a copy of the array, as an operand of the statement at hand, would mend something.
    fn clash(&mut self, array: Var) {
        self.clashes.extend(self.stm.filter(|_| self.is_array(array)).map(|stm| Clash::Operand { stm, array }));
    }

    /// The same of what consumed a variable that is dead.
    fn clash_before(&mut self, dead: Var) {
        let consumer = self.consumers.get(&dead).filter(|(_, array)| self.is_array(*array)).copied();
        self.clashes.extend(consumer.map(|(stm, array)| Clash::Operand { stm, array }));
    }

    fn name(&self, v: Var) -> String {
        format!("{}_{}", self.vars.name(v), v.0)
    }

    fn is_acc(&self, v: Var) -> bool {
        matches!(self.vars.ty(v), Type::Acc(_))
    }

    /// The variable and what it aliases.
    fn reach(&self, v: Var) -> Set {
        self.aliases.get(&v).cloned().unwrap_or_default().update(v)
    }

    /// What an operand may share storage with: nothing if it is no array.
    fn reach_of(&self, e: SubExp) -> Set {
        e.as_var().filter(|v| self.is_array(*v)).map(|v| self.reach(v)).unwrap_or_default()
    }

    fn reach_all(&self, vs: impl IntoIterator<Item = Var>) -> Set {
        vs.into_iter().fold(Set::new(), |s, v| s.union(self.reach(v)))
    }

    fn observe(&mut self, v: Var) {
        if self.is_acc(v) {
            return self.consume(v);
        }
        if !matches!(self.vars.ty(v), Type::Array(..)) {
            return;
        }
        let reach = self.reach(v);
        if let Some(w) = reach.iter().find(|w| self.dead.contains(*w)).copied() {
            self.clash_before(w);
            let what = if w == v { String::new() } else { format!(", which aliases {}", self.name(w)) };
            self.error(Rule::UseAfterConsume, format!("{}{what} is used after it was consumed", self.name(v)));
        }
        self.observed = self.observed.clone().union(reach);
    }

    fn observe_all(&mut self, es: &[SubExp]) {
        es.iter().filter_map(|e| e.as_var()).for_each(|v| self.observe(v));
    }

    /// Consumes a variable and all that it aliases.
    fn consume(&mut self, v: Var) {
        let reach = self.reach(v);
        let rule = if self.is_acc(v) { Rule::Linear } else { Rule::UseAfterConsume };
        if let Some(w) = reach.iter().find(|w| self.dead.contains(*w)).copied() {
            self.clash_before(w);
            return self.error(rule, format!("{} is used after it was consumed", self.name(v)));
        }
        // mutant swap: of several variables that must not be consumed it chooses the one that the message names
        if let Some(w) = reach.iter().copied().filter(|w| !self.may_consume(*w)).min() {
            self.clash(v);
            self.error(Rule::Consumable, format!("{} is consumed, but is not unique here", self.name(w)));
            if !self.is_acc(v) {
                return;
            }
        }
        if let Some(stm) = self.stm {
            self.consumers.extend(reach.iter().map(|w| (*w, (stm, v))));
        }
        self.dead = self.dead.clone().union(reach);
    }

    /// Whether what is run in this scope may consume the variable: the innermost frame says; the next one where that lets accumulators through.
    fn may_consume(&mut self, v: Var) -> bool {
        let acc = self.is_acc(v);
        let knows = |f: &Frame| f.stands_for.contains_key(&v) || f.own.contains(&v);
        let frame = self.frames.iter_mut().rev().find(|f| knows(f) || !(acc && f.takes_accs));
        let may = frame.map(|frame| {
            if frame.stands_for.contains_key(&v) {
                frame.consumed_params.push(v);
            }
            knows(frame)
        });
        may == Some(true)
    }

    fn own_all(&mut self, vs: impl Iterator<Item = Var>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.own.extend(vs);
        }
    }

    fn own_accs<'b>(&mut self, binders: impl IntoIterator<Item = &'b Binder>) {
        self.own_all(binders.into_iter().filter(|b| matches!(b.ty, Type::Acc(_))).map(|b| b.var));
    }

    /// Runs `f`; gives its result and what was observed in it.
    fn observing<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (T, Set) {
        let outer = std::mem::take(&mut self.observed);
        let result = f(self);
        let inner = std::mem::take(&mut self.observed);
        self.observed = outer.union(inner.clone());
        (result, inner)
    }

    /// Runs `f` in a frame of its own; gives its result, the frame, and what was observed in it.
    fn framed<T>(
        &mut self,
        stands_for: HashMap<Var, Set>,
        takes_accs: bool,
        f: impl FnOnce(&mut Self) -> T,
    ) -> (T, Frame, Set) {
        self.frames.push(Frame { stands_for, takes_accs, ..Frame::default() });
        let (result, inner) = self.observing(f);
        (result, self.frames.pop().unwrap_or_default(), inner)
    }

    fn fun(&mut self, fun: &Fun) {
        let binders = || fun.params.iter().map(|p| &p.binder);
        // mutant: beyond the frame of a function there is none that would let an accumulator be consumed
        let (aliases, ..) = self.framed(HashMap::default(), false, |c| {
            c.own_all(fun.params.iter().filter(|p| p.unique).map(|p| p.binder.var));
            c.own_accs(binders());
            c.body(&fun.body)
        });
        self.linear_params(binders());
        let shared: Set = fun.params.iter().filter(|p| !p.unique).map(|p| p.binder.var).collect();
        for (i, result) in fun.results.iter().enumerate().filter(|(_, r)| r.unique) {
            let elsewhere = union_of_others(&aliases, i).union(shared.clone());
            if let Some(w) = common(&aliases[i], &elsewhere) {
                self.clashes.push(Clash::Result { fun: fun.name.clone(), result: i });
                let message = format!("unique result {} aliases {}", result.binder.name, self.name(w));
                self.error(Rule::Aliasing, message);
            }
        }
    }

    /// Checks a body, and gives what each of its results aliases: see Note [What a variable aliases].
    fn body(&mut self, body: &Body) -> Vec<Set> {
        for stm in &body.stms {
            deep(|| self.stm(stm));
        }
        self.observe_all(&body.result);
        for stm in &body.stms {
            self.linear_params(&stm.pat);
        }
        body.result.iter().map(|e| self.reach_of(*e)).collect()
    }

    fn stm(&mut self, stm: &Stm) {
        let outer = (self.prov, self.stm);
        (self.prov, self.stm) = (stm.prov, stm.pat.first().map(|b| b.var));
        let sets = self.exp(&stm.exp, &stm.pat);
        for (i, b) in stm.pat.iter().enumerate() {
            let mut set = Set::new();
            if matches!(b.ty, Type::Array(..)) {
                // what was consumed on the way is not aliased, since the result took its place; results that both took its place alias
                let gone: Set = sets[i].iter().filter(|v| self.dead.contains(*v)).copied().collect();
                set = gone.iter().fold(sets[i].clone(), |rest, v| rest.without(v));
                let others = stm.pat.iter().zip(&sets).filter(|(o, s)| o.var != b.var && common(s, &gone).is_some());
                set.extend(others.map(|(o, _)| o.var));
            }
            self.aliases.insert(b.var, set);
        }
        self.own_all(stm.pat.iter().map(|b| b.var));
        (self.prov, self.stm) = outer;
    }

    /// Checks an expression, and gives what each of its results aliases.
    fn exp(&mut self, exp: &Exp, pat: &[Binder]) -> Vec<Set> {
        let fresh = || vec![Set::new(); pat.len()];
        match exp {
            Exp::Update { array, value, .. } => self.update(*array, *value),
            Exp::UpdateSlice { array, value, .. } | Exp::FlatUpdate { array, value, .. } => {
                self.update(*array, (*value).into())
            }
            // the size of an array that was consumed may be asked for
            Exp::Check(_) => fresh(),
            Exp::Apply { fun, args } => self.apply(fun, args, pat),
            // mutant: what one of two branches consumes and aliases is a union, whichever comes first
            Exp::If { yes, no, .. } => self.branches(&[yes, no]),
            Exp::Match { cases, default, .. } => {
                let bodies: Vec<&Body> = cases.iter().map(|c| &c.body).chain([default]).collect();
                self.branches(&bodies)
            }
            Exp::Loop { params, body, .. } => self.loop_(params, body),
            Exp::Screma(s) => {
                let ((), read) = self.observing(|c| {
                    s.scans.iter().chain(&s.reduces).for_each(|op| c.operator(op));
                    if let Some(post) = &s.post {
                        c.framed(HashMap::default(), false, |c| c.body(&post.body));
                    }
                });
                self.mapped(&s.arrays, &s.map.params, &s.map.body, read);
                fresh()
            }
            Exp::Hist(h) => {
                let ((), read) = self.observing(|c| h.ops.iter().for_each(|op| c.operator(&op.op)));
                let read = self.mapped(&h.arrays, &h.map.params, &h.map.body, read);
                self.destinations(read, h.ops.iter().flat_map(|op| op.dests.iter().copied()));
                fresh()
            }
            Exp::Scatter(s) => {
                let read = self.mapped(&s.arrays, &s.map.params, &s.map.body, Set::new());
                self.destinations(read, s.dests.iter().map(|d| d.array));
                fresh()
            }
            Exp::Stream(s) => {
                let ((), read) = self.observing(|c| match &s.form {
                    StreamForm::Seq(init) => c.observe_all(init),
                    StreamForm::Par(op) => c.operator(op),
                });
                let chunks = &s.lambda.params[s.lambda.params.len() - s.arrays.len()..];
                self.mapped(&s.arrays, chunks, &s.lambda.body, read);
                fresh()
            }
            Exp::FlatMap(f) => {
                self.mapped(&f.arrays, &f.lambda.params, &f.lambda.body, Set::new());
                fresh()
            }
            Exp::WithAcc(w) => self.withacc(w),
            Exp::UpdAcc { acc, values, .. } => {
                self.observe_all(values);
                self.consume(*acc);
                fresh()
            }
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                self.observe_all(&ad.args);
                self.observe_all(&ad.seeds);
                // λ may return any of these, its derivative any seed
                let operands: Vec<SubExp> = ad.args.iter().chain(&ad.seeds).copied().collect();
                self.transparent(&ad.lambda, &operands, pat)
            }
            Exp::Custom(c) => {
                self.observe_all(&c.args);
                for rule in c.vjp.iter().chain(&c.jvp) {
                    self.framed(HashMap::default(), false, |f| f.body(&rule.body));
                }
                self.transparent(&c.lambda, &c.args, pat)
            }
            Exp::SegOp(seg) => {
                let ((), read) = self.observing(|c| {
                    seg.operators().iter().for_each(|op| c.operator(op));
                    c.framed(HashMap::default(), true, |c| c.body(&seg.body));
                });
                self.destinations(read, seg.dests().iter().map(|d| d.array));
                fresh()
            }
            // what has no bodies and consumes nothing
            exp => {
                exp.operands().into_iter().for_each(|v| self.observe(v));
                let of = |k: usize| exp.aliases(k).into_iter().fold(Set::new(), |all, e| all.union(self.reach_of(e)));
                // mutant off by one: whoever asks takes as many as there are results
                (0..pat.len()).map(of).collect()
            }
        }
    }

    fn is_array(&self, v: Var) -> bool {
        matches!(self.vars.ty(v), Type::Array(..))
    }

    fn operator(&mut self, op: &Operator) {
        self.observe_all(&op.neutral);
        self.framed(HashMap::default(), false, |c| c.body(&op.lambda.body));
    }

    /// A function of which any result may alias any operand, any other result, and what the function uses from outside.
    fn transparent(&mut self, lambda: &Lambda, operands: &[SubExp], pat: &[Binder]) -> Vec<Set> {
        let (_, _, used) = self.framed(HashMap::default(), false, |c| c.body(&lambda.body));
        let inside: Set = bound_in(&lambda.body).into_iter().chain(lambda.params.iter().map(|p| p.var)).collect();
        let operands = operands.iter().fold(Set::new(), |s, e| s.union(self.reach_of(*e)));
        let results: Vec<Var> = pat.iter().map(|b| b.var).collect();
        together(&results, operands.union(used.relative_complement(inside)))
    }

    fn apply(&mut self, fun: &Name, args: &[SubExp], pat: &[Binder]) -> Vec<Set> {
        let Some(callee) = self.funs.get(fun.as_str()).copied() else { return Vec::new() };
        let vars = args.iter().zip(&callee.params).filter_map(|(e, p)| Some((e.as_var()?, p.unique)));
        let (arrays, others): (Vec<_>, Vec<_>) = vars.partition(|(v, _)| self.is_array(*v));
        others.iter().for_each(|(v, _)| self.observe(*v));
        arrays.iter().filter(|(_, unique)| !unique).for_each(|(v, _)| self.observe(*v));
        let sets: Vec<Set> = arrays.iter().map(|(v, _)| self.reach(*v)).collect();
        for (i, (v, _)) in arrays.iter().enumerate().filter(|(_, (_, unique))| *unique) {
            if common(&sets[i], &union_of_others(&sets, i)).is_some() {
                self.clash(*v);
                self.error(Rule::Aliasing, format!("consumed argument {} aliases another argument", self.name(*v)));
            } else {
                self.consume(*v);
            }
        }
        let shared = self.reach_all(arrays.iter().filter(|(_, unique)| !unique).map(|(v, _)| *v));
        let open: Vec<Var> = pat.iter().zip(&callee.results).filter(|(_, r)| !r.unique).map(|(b, _)| b.var).collect();
        let mut open = together(&open, shared).into_iter();
        callee.results.iter().map(|r| if r.unique { Set::new() } else { open.next().unwrap_or_default() }).collect()
    }

    /// Of bodies of which one is executed: what their results alias. Consumed is what any of them consumes; an accumulator by all or none.
    fn branches(&mut self, bodies: &[&Body]) -> Vec<Set> {
        let before = self.dead.clone();
        let mut aliases: Vec<Set> = Vec::new();
        let mut deads = Vec::new();
        for body in bodies {
            self.dead = before.clone();
            let of_body = self.body(body);
            aliases.resize(of_body.len(), Set::new());
            aliases.iter_mut().zip(of_body).for_each(|(all, a)| *all = all.clone().union(a));
            deads.push(self.dead.clone());
        }
        self.dead = deads.iter().cloned().fold(before, Set::union);
        let uneven = |v: &Var| self.is_acc(*v) && deads.iter().any(|dead| !dead.contains(v));
        let uneven: Vec<Var> = self.dead.iter().copied().filter(uneven).collect();
        if !uneven.is_empty() {
            let inside: HashSet<Var> = bodies.iter().flat_map(|b| bound_in(b)).collect();
            for v in uneven.iter().filter(|v| !inside.contains(v)) {
                self.error(Rule::Linear, format!("accumulator {} is used in some branches only", self.name(*v)));
            }
        }
        aliases
    }

    fn update(&mut self, array: Var, value: SubExp) -> Vec<Set> {
        self.observe_all(&[value]);
        if let Some(w) = common(&self.reach_of(value), &self.reach(array)) {
            self.clash(array);
            self.error(Rule::Aliasing, format!("the new part of {} aliases {}", self.name(array), self.name(w)));
        }
        self.consume(array);
        vec![Set::new()]
    }

    /// Arrays that a node writes to while it reads those: each is consumed, and none is read or written twice.
    fn destinations(&mut self, read: Set, arrays: impl Iterator<Item = Var>) {
        let mut busy = read;
        for a in arrays {
            let reach = self.reach(a);
            match common(&reach, &busy) {
                Some(w) => {
                    // mutant: scatters and histograms stand in functions of the prelude, whose parameters are apart: the clash is that of the call
                    self.clash(a);
                    let message = format!("{} is written to while {} is read or written", self.name(a), self.name(w));
                    self.error(Rule::Aliasing, message);
                }
                None => self.consume(a),
            }
            busy = busy.union(reach);
        }
    }

    fn loop_(&mut self, params: &[LoopParam], body: &Body) -> Vec<Set> {
        let consuming = |p: &LoopParam| p.unique && matches!(p.binder.ty, Type::Array(..));
        let inits: Vec<Set> = params.iter().map(|p| self.reach_of(p.init)).collect();
        params.iter().filter(|p| !consuming(p)).for_each(|p| self.observe_all(&[p.init]));
        for (i, p) in params.iter().enumerate().filter(|(_, p)| consuming(p)) {
            let Some(v) = p.init.as_var() else { continue };
            if common(&inits[i], &union_of_others(&inits, i)).is_some() {
                self.clash(v);
                let message = format!("the first value of unique {} aliases another", self.name(p.binder.var));
                self.error(Rule::Aliasing, message);
            } else {
                self.consume(v);
            }
        }
        for (p, init) in params.iter().zip(&inits) {
            self.aliases.insert(p.binder.var, if consuming(p) { Set::new() } else { init.clone() });
        }
        let dead = self.dead.clone();
        let (mut results, frame, _) = self.framed(HashMap::default(), false, |c| {
            c.own_all(params.iter().filter(|p| p.unique).map(|p| p.binder.var));
            c.own_accs(params.iter().map(|p| &p.binder));
            c.body(body)
        });
        self.linear_params(params.iter().map(|p| &p.binder));
        for (i, p) in params.iter().enumerate().filter(|(_, p)| consuming(p)) {
            // so that at the start of each iteration the unique parameters share nothing with one another nor with anything else
            let outside = results[i].iter().any(|v| !frame.own.contains(v));
            if outside || common(&results[i], &union_of_others(&results, i)).is_some() {
                self.clashes.extend(self.stm.map(|stm| Clash::Next { stm, result: i }));
                let message = format!("the next value of unique {} aliases something else", self.name(p.binder.var));
                self.error(Rule::Aliasing, message);
            }
        }
        // mutant: what the body of a loop or of a map consumes is bound in it, so that nothing after it names or aliases it; a mapped array is
        //   consumed after the body
        self.dead = dead;
        self.own_all(frame.own.into_iter().chain(params.iter().map(|p| p.binder.var)));
        // a parameter that a result aliases is what another result was one iteration before
        for _ in params {
            for i in 0..results.len() {
                let before = params.iter().zip(&results).filter(|(p, _)| results[i].contains(&p.binder.var));
                results[i] = before.fold(results[i].clone(), |s, (_, r)| s.union(r.clone()));
            }
        }
        let last = params.iter().zip(results).zip(inits);
        last.map(|((p, set), init)| if consuming(p) { Set::new() } else { set.union(init) }).collect()
    }

    fn linear_params<'b>(&mut self, params: impl IntoIterator<Item = &'b Binder>) {
        for v in params.into_iter().map(|b| b.var) {
            if self.is_acc(v) && !self.dead.contains(&v) {
                self.error(Rule::Linear, format!("accumulator {} is never used", self.name(v)));
            }
        }
    }

    /// A body run for each row of arrays, by a node that also reads those: a parameter that it consumes consumes its array. Gives all that is read.
    fn mapped(&mut self, arrays: &[Var], params: &[Binder], body: &Body, also: Set) -> Set {
        arrays.iter().for_each(|a| self.observe(*a));
        let stands_for =
            params.iter().zip(arrays).filter(|(p, _)| self.is_array(p.var)).map(|(p, a)| (p.var, self.reach(*a)));
        let stands_for: HashMap<Var, Set> = stands_for.collect();
        let dead = self.dead.clone();
        let (_, frame, observed) = self.framed(stands_for, false, |c| {
            c.own_accs(params);
            c.body(body)
        });
        self.linear_params(params);
        // mutant: what the body of a loop or of a map consumes is bound in it, so that nothing after it names or aliases it; a mapped array is
        //   consumed after the body
        self.dead = dead;
        let read = observed.union(also);
        for (param, array) in params.iter().zip(arrays).filter(|(p, _)| frame.consumed_params.contains(&p.var)) {
            let others = params.iter().zip(arrays).filter(|(p, _)| p.var != param.var).map(|(_, a)| *a);
            let read_otherwise = self.reach_all(others).union(read.clone());
            match common(&self.reach(*array), &read_otherwise) {
                Some(w) => {
                    // mutant: no function of a map that is lowered consumes what it is applied to: its type has no unique parameter
                    self.clash(*array);
                    let message = format!("{} is consumed row by row and read another way", self.name(w));
                    self.error(Rule::Aliasing, message);
                }
                None => self.consume(*array),
            }
        }
        self.reach_all(arrays.iter().copied().filter(|a| self.is_array(*a)).collect::<Vec<_>>()).union(read)
    }

    fn withacc(&mut self, w: &WithAcc) -> Vec<Set> {
        let ((), read) = self.observing(|c| w.inputs.iter().for_each(|i| c.operator(&i.op)));
        let arrays: Vec<Var> = w.inputs.iter().flat_map(|i| i.arrays.iter().copied()).collect();
        self.destinations(read, arrays.iter().copied());
        let (results, frame, _) = self.framed(HashMap::default(), true, |c| {
            c.own_all(w.lambda.params.iter().map(|p| p.var));
            c.body(&w.lambda.body)
        });
        // each accumulator is used: only it and what comes of it have the type of its result
        self.own_all(frame.own.into_iter());
        let others = results.into_iter().skip(w.inputs.len());
        arrays.iter().map(|_| Set::new()).chain(others).collect()
    }
}

fn common(a: &Set, b: &Set) -> Option<Var> {
    // mutant: of two sets of one size either is searched for the members of the other
    let (small, large) = if a.len() < b.len() { (a, b) } else { (b, a) };
    small.iter().find(|v| large.contains(*v)).copied()
}

fn union_of_others(sets: &[Set], i: usize) -> Set {
    sets.iter().enumerate().filter(|(j, _)| *j != i).fold(Set::new(), |s, (_, a)| s.union(a.clone()))
}

/// The sets of variables that alias one another and all of that.
fn together(vars: &[Var], all: Set) -> Vec<Set> {
    let everything: Set = vars.iter().copied().collect::<Set>().union(all);
    vars.iter().map(|v| everything.without(v)).collect()
}

fn bound_in(body: &Body) -> HashSet<Var> {
    struct Bound(HashSet<Var>);
    impl Visit for Bound {
        fn bind(&mut self, b: &Binder) {
            self.0.insert(b.var);
        }
    }
    let mut bound = Bound(HashSet::default());
    bound.body(body);
    bound.0
}
