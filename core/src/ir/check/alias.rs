//! Aliasing and consumption, after the rules of digest 004 §2.5 with its three gaps closed: a loop that may not run returns its first values; the
//! result of an update may be used; a map may not consume what it also reads another way. Accumulators are linear: each is used exactly once.

use super::*;

type Set = im::HashSet<Var>;

/// What is wrong with the consumption of a program whose types are right.
pub(super) fn errors(program: &Program, vars: &Vars) -> Vec<CheckError> {
    let mut errors = Vec::new();
    for fun in &program.funs {
        let mut c = Consumption {
            program,
            vars,
            aliases: HashMap::new(),
            dead: Set::new(),
            observed: Set::new(),
            frames: Vec::new(),
            errors: Vec::new(),
            fun: &fun.name,
            prov: Prov::UNKNOWN,
        };
        c.fun(fun);
        errors.extend(c.errors);
    }
    errors
}

/// A scope that restricts what may be consumed in it.
struct Frame {
    /// What is bound in it and may be consumed.
    own: HashSet<Var>,
    /// Parameters that stand for other variables: consuming one consumes those.
    stands_for: HashMap<Var, Set>,
    /// Those of them that were consumed.
    consumed_params: Vec<Var>,
    /// Whether accumulators from outside may be consumed: the body of a parallel nest.
    takes_accs: bool,
}

struct Consumption<'a> {
    program: &'a Program,
    vars: &'a Vars,
    /// What each variable aliases, itself not included, transitively closed.
    aliases: HashMap<Var, Set>,
    /// What has been consumed on the path so far.
    dead: Set,
    /// What has been observed in the innermost frame.
    observed: Set,
    frames: Vec<Frame>,
    errors: Vec<CheckError>,
    fun: &'a Name,
    prov: Prov,
}

impl Consumption<'_> {
    fn error(&mut self, rule: Rule, message: String) {
        self.errors.push(CheckError { rule, fun: self.fun.clone(), message, prov: self.prov });
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
        if reach.iter().any(|w| self.dead.contains(w)) {
            return self.error(rule, format!("{} is used after it was consumed", self.name(v)));
        }
        for w in &reach {
            let Some(frame) = self.frames.last_mut() else { continue };
            if frame.stands_for.contains_key(w) {
                frame.consumed_params.push(*w);
            } else if !(frame.own.contains(w) || frame.takes_accs && matches!(self.vars.ty(*w), Type::Acc(_))) {
                let message = format!("{} is consumed, but is not unique here", self.name(*w));
                self.error(Rule::Consumable, message);
            }
        }
        self.dead = self.dead.clone().union(reach);
    }

    fn own_all(&mut self, vs: impl Iterator<Item = Var>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.own.extend(vs);
        }
    }

    fn own_accs<'b>(&mut self, binders: impl IntoIterator<Item = &'b Binder>) {
        self.own_all(binders.into_iter().filter(|b| matches!(b.ty, Type::Acc(_))).map(|b| b.var));
    }

    /// Runs `f` in a frame of its own; gives its result, the frame, and what was observed in it.
    fn framed<T>(
        &mut self,
        stands_for: HashMap<Var, Set>,
        takes_accs: bool,
        f: impl FnOnce(&mut Self) -> T,
    ) -> (T, Frame, Set) {
        let outer = std::mem::take(&mut self.observed);
        self.frames.push(Frame { own: HashSet::new(), stands_for, consumed_params: Vec::new(), takes_accs });
        let result = f(self);
        let frame = self.frames.pop().unwrap_or(Frame {
            own: HashSet::new(),
            stands_for: HashMap::new(),
            consumed_params: Vec::new(),
            takes_accs,
        });
        let inner = std::mem::replace(&mut self.observed, outer);
        self.observed = self.observed.clone().union(inner.clone());
        (result, frame, inner)
    }

    fn fun(&mut self, fun: &Fun) {
        let (aliases, _, _) = self.framed(HashMap::new(), false, |c| {
            c.own_all(fun.params.iter().filter(|p| p.unique).map(|p| p.binder.var));
            c.body(&fun.body)
        });
        let shared: Set = fun.params.iter().filter(|p| !p.unique).map(|p| p.binder.var).collect();
        for (i, result) in fun.results.iter().enumerate().filter(|(_, r)| r.unique) {
            let elsewhere = aliases
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .fold(shared.clone(), |s, (_, a)| s.union(a.clone()));
            if let Some(w) = aliases[i].clone().intersection(elsewhere).iter().next() {
                let message = format!("unique result {} aliases {}", result.binder.name, self.name(*w));
                self.error(Rule::Aliasing, message);
            }
        }
    }

    /// Checks a body, and gives what each of its results aliases outside of it.
    fn body(&mut self, body: &Body) -> Vec<Set> {
        let mut bound = Set::new();
        for stm in &body.stms {
            self.stm(stm);
            bound.extend(stm.pat.iter().map(|b| b.var));
        }
        self.observe_all(&body.result);
        for b in body.stms.iter().flat_map(|s| &s.pat) {
            if self.is_acc(b.var) && !self.dead.contains(&b.var) {
                self.error(Rule::Linear, format!("accumulator {} is never used", self.name(b.var)));
            }
        }
        let reach = body.result.iter().map(|e| e.as_var().map(|v| self.reach(v)).unwrap_or_default());
        reach.map(|s| s.relative_complement(bound.clone())).collect()
    }

    fn stm(&mut self, stm: &Stm) {
        let outer = std::mem::replace(&mut self.prov, stm.prov);
        let aliases = self.exp(&stm.exp, stm.pat.len());
        for (b, set) in stm.pat.iter().zip(aliases) {
            // what was consumed on the way is not aliased: the result took its place
            let set = set.relative_complement(self.dead.clone());
            let array = matches!(b.ty, Type::Array(..));
            self.aliases.insert(b.var, if array { set } else { Set::new() });
        }
        self.own_all(stm.pat.iter().map(|b| b.var));
        self.prov = outer;
    }

    /// Checks an expression with so many results, and gives what each aliases.
    fn exp(&mut self, exp: &Exp, results: usize) -> Vec<Set> {
        let fresh = || vec![Set::new(); results];
        match exp {
            Exp::SubExp(e) | Exp::Opaque(e) => {
                self.observe_all(&[*e]);
                vec![e.as_var().map(|v| self.reach(v)).unwrap_or_default()]
            }
            Exp::Index { array, .. }
            | Exp::Slice { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Rearrange { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Coerce { array, .. } => {
                self.observe(*array);
                vec![self.reach(*array)]
            }
            Exp::Update { array, value, .. } => self.update(*array, *value),
            Exp::UpdateSlice { array, value, .. } | Exp::FlatUpdate { array, value, .. } => {
                self.update(*array, (*value).into())
            }
            Exp::Copy(array) | Exp::Reverse { array } | Exp::Manifest { array, .. } | Exp::Rotate { array, .. } => {
                self.observe(*array);
                fresh()
            }
            Exp::Prim(_, es) | Exp::ArrayLit { elems: es, .. } => {
                self.observe_all(es);
                fresh()
            }
            Exp::Replicate { value, .. } => {
                self.observe_all(&[*value]);
                fresh()
            }
            Exp::Concat { arrays, .. } => {
                arrays.iter().for_each(|a| self.observe(*a));
                fresh()
            }
            Exp::Iota { .. } | Exp::Scratch { .. } | Exp::Check(_) => fresh(),
            Exp::Apply { fun, args } => self.apply(fun, args),
            Exp::If { yes, no, .. } => self.branches(&[yes, no]),
            Exp::Match { cases, default, .. } => {
                let bodies: Vec<&Body> = cases.iter().map(|c| &c.body).chain([default]).collect();
                self.branches(&bodies)
            }
            Exp::Loop { params, body, .. } => self.loop_(params, body),
            Exp::Screma(s) => {
                s.scans.iter().chain(&s.reduces).for_each(|op| self.operator(op));
                self.mapped(&s.arrays, &s.map.params, &s.map.body);
                if let Some(post) = &s.post {
                    self.framed(HashMap::new(), false, |c| c.body(&post.body));
                }
                fresh()
            }
            Exp::Hist(h) => {
                h.ops.iter().for_each(|op| self.operator(&op.op));
                let read = self.mapped(&h.arrays, &h.map.params, &h.map.body);
                self.destinations(read, h.ops.iter().flat_map(|op| op.dests.iter().copied()));
                fresh()
            }
            Exp::Scatter(s) => {
                let read = self.mapped(&s.arrays, &s.map.params, &s.map.body);
                self.destinations(read, s.dests.iter().map(|d| d.array));
                fresh()
            }
            Exp::Stream(s) => {
                match &s.form {
                    StreamForm::Seq(init) => self.observe_all(init),
                    StreamForm::Par(op) => self.operator(op),
                }
                let chunks = &s.lambda.params[s.lambda.params.len() - s.arrays.len()..];
                self.mapped(&s.arrays, chunks, &s.lambda.body);
                fresh()
            }
            Exp::FlatMap(f) => {
                self.mapped(&f.arrays, &f.lambda.params, &f.lambda.body);
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
                let (_, _, inner) = self.framed(HashMap::new(), false, |c| c.body(&ad.lambda.body));
                let operands = ad.args.iter().chain(&ad.seeds).filter_map(|e| e.as_var());
                // λ may return any of these, its derivative any seed
                vec![self.reach_all(operands).union(inner); results]
            }
            Exp::Custom(c) => {
                self.observe_all(&c.args);
                let (_, _, inner) = self.framed(HashMap::new(), false, |f| f.body(&c.lambda.body));
                for rule in [&c.vjp, &c.jvp].into_iter().flatten() {
                    self.framed(HashMap::new(), false, |f| f.body(&rule.body));
                }
                vec![self.reach_all(c.args.iter().filter_map(|e| e.as_var())).union(inner); results]
            }
            Exp::SegOp(seg) => {
                seg.scans.iter().chain(&seg.reduces).for_each(|op| self.operator(op));
                seg.hists.iter().for_each(|h| self.operator(&h.op));
                let (_, _, read) = self.framed(HashMap::new(), true, |c| c.body(&seg.body));
                self.destinations(read, seg.hists.iter().flat_map(|h| h.dests.iter().copied()));
                fresh()
            }
        }
    }

    fn is_array(&self, v: Var) -> bool {
        matches!(self.vars.ty(v), Type::Array(..))
    }

    fn operator(&mut self, op: &Operator) {
        self.observe_all(&op.neutral);
        self.framed(HashMap::new(), false, |c| c.body(&op.lambda.body));
    }

    fn apply(&mut self, fun: &Name, args: &[SubExp]) -> Vec<Set> {
        let Some(callee) = self.program.fun(fun.as_str()) else { return Vec::new() };
        let arrays: Vec<(Var, bool)> = args
            .iter()
            .zip(&callee.params)
            .filter_map(|(e, p)| Some((e.as_var()?, p.unique)))
            .filter(|(v, _)| self.is_array(*v))
            .collect();
        arrays.iter().filter(|(_, unique)| !unique).for_each(|(v, _)| self.observe(*v));
        for (i, (v, unique)) in arrays.iter().enumerate() {
            let others = arrays.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, (w, _))| *w);
            if *unique && !self.reach_all(others).intersection(self.reach(*v)).is_empty() {
                self.error(Rule::Aliasing, format!("consumed argument {} aliases another argument", self.name(*v)));
            } else if *unique {
                self.consume(*v);
            }
        }
        let shared = self.reach_all(arrays.iter().filter(|(_, unique)| !unique).map(|(v, _)| *v));
        callee.results.iter().map(|r| if r.unique { Set::new() } else { shared.clone() }).collect()
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
        let inside: HashSet<Var> = bodies.iter().flat_map(|b| bound_in(b)).collect();
        self.dead = deads.iter().cloned().fold(before, Set::union);
        let lost = self
            .dead
            .iter()
            .find(|v| self.is_acc(**v) && !inside.contains(v) && deads.iter().any(|dead| !dead.contains(*v)));
        if let Some(v) = lost.copied() {
            self.error(Rule::Linear, format!("accumulator {} is used in one branch only", self.name(v)));
        }
        aliases
    }

    fn update(&mut self, array: Var, value: SubExp) -> Vec<Set> {
        self.observe_all(&[value]);
        if let SubExp::Var(v) = value
            && self.is_array(v)
            && let Some(w) = self.reach(v).intersection(self.reach(array)).iter().next().copied()
        {
            self.error(Rule::Aliasing, format!("the new part {} aliases {}", self.name(v), self.name(w)));
        }
        self.consume(array);
        vec![Set::new()]
    }

    /// Arrays that a node writes to while it reads those: each is consumed, and none is read or written twice.
    fn destinations(&mut self, read: Set, arrays: impl Iterator<Item = Var>) {
        for a in arrays {
            match self.reach(a).intersection(read.clone()).iter().next().copied() {
                Some(w) => self.error(Rule::Aliasing, format!("{} is written to while it is read", self.name(w))),
                None => self.consume(a),
            }
        }
    }

    fn loop_(&mut self, params: &[LoopParam], body: &Body) -> Vec<Set> {
        for p in params {
            let Some(v) = p.init.as_var() else { continue };
            if p.unique && self.is_array(v) { self.consume(v) } else { self.observe(v) }
        }
        for p in params.iter().filter(|p| !p.unique) {
            let set = p.init.as_var().map(|v| self.reach(v)).unwrap_or_default();
            self.aliases.insert(p.binder.var, if self.is_array(p.binder.var) { set } else { Set::new() });
        }
        let dead = self.dead.clone();
        let (results, ..) = self.framed(HashMap::new(), false, |c| {
            c.own_all(params.iter().filter(|p| p.unique).map(|p| p.binder.var));
            c.own_accs(params.iter().map(|p| &p.binder));
            c.body(body)
        });
        self.linear_params(params.iter().map(|p| p.binder.var));
        let vars: Set = params.iter().map(|p| p.binder.var).collect();
        let arrays = |p: &LoopParam| p.unique && matches!(p.binder.ty, Type::Array(..));
        for (i, p) in params.iter().enumerate().filter(|(_, p)| arrays(p)) {
            let others =
                results.iter().enumerate().filter(|(j, _)| *j != i).fold(Set::new(), |s, (_, a)| s.union(a.clone()));
            // a unique parameter's next value may be the parameter itself, but shares nothing with anything else
            if !results[i].without(&p.binder.var).is_empty() || others.contains(&p.binder.var) {
                self.error(
                    Rule::Aliasing,
                    format!("the next value of unique {} aliases something else", self.name(p.binder.var)),
                );
            }
        }
        self.dead = dead;
        let next = params.iter().zip(results);
        next.map(|(p, set)| {
            if p.unique {
                return Set::new();
            }
            let init = p.init.as_var().map(|v| self.reach(v)).unwrap_or_default();
            set.relative_complement(vars.clone()).union(init)
        })
        .collect()
    }

    fn linear_params(&mut self, params: impl Iterator<Item = Var>) {
        for v in params {
            if self.is_acc(v) && !self.dead.contains(&v) {
                self.error(Rule::Linear, format!("accumulator {} is never used", self.name(v)));
            }
        }
    }

    /// A body run for each row of arrays: a parameter that it consumes consumes its array. What is read, arrays included.
    fn mapped(&mut self, arrays: &[Var], params: &[Binder], body: &Body) -> Set {
        arrays.iter().for_each(|a| self.observe(*a));
        let stands_for =
            params.iter().zip(arrays).filter(|(p, _)| self.is_array(p.var)).map(|(p, a)| (p.var, self.reach(*a)));
        let stands_for: HashMap<Var, Set> = stands_for.collect();
        let dead = self.dead.clone();
        let (_, frame, observed) = self.framed(stands_for, false, |c| {
            c.own_accs(params);
            c.body(body)
        });
        self.linear_params(params.iter().map(|p| p.var));
        self.dead = dead;
        for param in frame.consumed_params {
            let consumed = frame.stands_for[&param].clone();
            let others = params.iter().zip(arrays).filter(|(p, _)| p.var != param).map(|(_, a)| *a);
            let read_otherwise = self.reach_all(others).union(observed.clone());
            if let Some(w) = consumed.clone().intersection(read_otherwise).iter().next().copied() {
                self.error(
                    Rule::Aliasing,
                    format!("{} is consumed by a map that also reads it another way", self.name(w)),
                );
                continue;
            }
            if let Some(array) = params.iter().position(|p| p.var == param) {
                self.consume(arrays[array]);
            }
        }
        self.reach_all(arrays.iter().copied().filter(|a| self.is_array(*a)).collect::<Vec<_>>()).union(observed)
    }

    fn withacc(&mut self, w: &WithAcc) -> Vec<Set> {
        w.inputs.iter().for_each(|i| self.operator(&i.op));
        let arrays: Vec<Var> = w.inputs.iter().flat_map(|i| i.arrays.iter().copied()).collect();
        arrays.iter().for_each(|a| self.consume(*a));
        let (results, ..) = self.framed(HashMap::new(), true, |c| {
            c.own_all(w.lambda.params.iter().map(|p| p.var));
            c.body(&w.lambda.body)
        });
        self.linear_params(w.lambda.params.iter().map(|p| p.var));
        let others = results.into_iter().skip(w.inputs.len());
        arrays.iter().map(|_| Set::new()).chain(others).collect()
    }
}

fn bound_in(body: &Body) -> HashSet<Var> {
    struct Bound(HashSet<Var>);
    impl Visit for Bound {
        fn bind(&mut self, b: &Binder) {
            self.0.insert(b.var);
        }
    }
    let mut bound = Bound(HashSet::new());
    bound.body(body);
    bound.0
}
