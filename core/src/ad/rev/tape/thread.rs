//! Code that writes a tape, or counts what there is on it: through loops and branches.

use super::*;

/// How much of the tape was used before the loop, and at the beginnings of its trips.
pub enum Mark {
    /// Each trip overwrites so many elements.
    Every { before: SubExp, each: i64 },
    /// What the parameter with this number says.
    Counted { before: SubExp, counter: usize },
    /// An element each of this array.
    Kept { before: SubExp, at: Var },
}

impl Mark {
    /// How much of the tape was used before the loop.
    pub fn before(&self) -> SubExp {
        match self {
            Mark::Every { before, .. } | Mark::Counted { before, .. } | Mark::Kept { before, .. } => *before,
        }
    }
}

/// What is threaded through the code of updates: the tape as it is written, or how much of it is used.
pub struct Thread<'a> {
    pub lineage: &'a Lineage,
    /// Its arrays: see `parts`; none where everything has been written down.
    pub tape: Vec<Var>,
    /// Of slices and places, how many elements there are on the tape, where that matters.
    pub filled: Option<SubExp>,
    /// How many updates there are on it.
    pub used: SubExp,
}

impl<'a> Thread<'a> {
    /// Through updates that have been written down before.
    pub fn executed_again(lineage: &'a Lineage, used: SubExp) -> Self {
        Thread { lineage, tape: Vec::new(), filled: None, used }
    }

    fn state(&self) -> Vec<SubExp> {
        self.tape.iter().map(|v| SubExp::Var(*v)).chain(self.filled).chain([self.used]).collect()
    }

    /// Fresh binders for the state.
    fn binders(&self, b: &mut Builder) -> Vec<Binder> {
        let names = std::iter::once("olds").chain(std::iter::repeat("tape"));
        let tape = self.tape.iter().zip(names).map(|(v, name)| (name, b.vars.ty(*v).clone())).collect::<Vec<_>>();
        let filled = self.filled.map(|_| ("filled", Type::I64));
        let state = tape.into_iter().chain(filled).chain([("used", Type::I64)]);
        state.map(|(name, ty)| b.vars.fresh(name, ty)).collect()
    }

    fn at(&self, binders: &[Binder]) -> Self {
        let mut vars = binders.iter().map(|p| p.var);
        let tape = vars.by_ref().take(self.tape.len()).collect();
        let filled = self.filled.and_then(|_| vars.next()).map(SubExp::Var);
        Thread { lineage: self.lineage, tape, filled, used: vars.next().map_or(self.used, SubExp::Var) }
    }

    fn body(&mut self, b: &mut Builder, body: Body) -> Vec<SubExp> {
        for mut stm in body.stms {
            self.stm(b, &mut stm);
            b.push(stm);
        }
        body.result
    }

    /// Adds to the statement, and before it, what it does to the tape.
    pub fn stm(&mut self, b: &mut Builder, stm: &mut Stm) {
        if self.lineage.is_updated(stm) {
            match &mut stm.exp {
                exp if self.lineage.has_parts() && is_update(exp) => {
                    if let Some((array, part)) = self.lineage.part(b.vars, exp) {
                        self.part(b, array, &part, &stm.certs);
                    }
                    self.used = behind(b, self.used, 1, SubExp::i64(1));
                }
                Exp::Update { array, indices, .. } => {
                    if let [olds, places @ ..] = &mut self.tape[..] {
                        let old = b.under(stm.certs.clone(), |b| b.index(*array, indices));
                        let values = std::iter::once(SubExp::Var(old)).chain(indices.iter().copied());
                        for (array, value) in std::iter::once(olds).chain(places).zip(values) {
                            let name = b.vars.name(*array).clone();
                            let update = Exp::Update { array: *array, indices: vec![self.used], value };
                            *array = b.let_one(name.as_str(), update);
                        }
                    }
                    self.used = behind(b, self.used, 1, SubExp::i64(1));
                }
                Exp::If { yes, no, .. } => {
                    let out = self.binders(b);
                    // mutant: each branch is threaded by itself
                    for side in [yes, no] {
                        let mut thread = Thread { tape: self.tape.clone(), ..*self };
                        let body = std::mem::take(side);
                        *side = b.inner(|b| [thread.body(b, body), thread.state()].concat());
                    }
                    stm.pat.extend_from_slice(&out);
                    *self = self.at(&out);
                }
                Exp::Loop { .. } => _ = self.loop_(b, stm),
                _ => {}
            }
        }
    }

    /// Writes a part down. Where updates are only counted, none of their checks is made: the loop that makes them comes behind.
    fn part(&mut self, b: &mut Builder, array: Var, part: &Part, certs: &[Var]) {
        let (Some(filled), Some(unit)) = (&mut self.filled, self.lineage.unit) else { return };
        if !self.tape.is_empty() {
            b.under(certs.to_vec(), |b| part.write_down(b, unit, array, &mut self.tape, self.used, *filled));
        }
        let shape = b.vars.ty(array).shape().to_vec();
        let count = part.room(b, &shape);
        *filled = behind(b, *filled, 1, count);
    }

    /// The loop with the tape in its parameters.
    pub fn loop_(&mut self, b: &mut Builder, stm: &mut Stm) -> Option<Mark> {
        let (pat, Exp::Loop { params, form, body }) = (&mut stm.pat, &mut stm.exp) else { return None };
        // of the trips of a `while` loop there are as many as it makes
        let each = match form {
            LoopForm::For { index, bound } => self.lineage.always(body).map(|each| (each, index.var, *bound)),
            LoopForm::While(_) => None,
        };
        let (before, inits) = (self.used, self.state());
        let mut binders = self.binders(b);
        let mut inside = self.at(&binders);
        let old = std::mem::take(body);
        *body = b.inner(|b| {
            if let Some((each, index, _)) = each {
                let trip = seed::converted(b, index.into(), ScalarType::I64);
                inside.used = behind(b, before, each, trip);
            }
            let result = inside.body(b, old);
            [result, inside.state()].concat()
        });
        let mut out = self.binders(b);
        *self = self.at(&out);
        let mut mark = Mark::Counted { before, counter: params.len() + binders.len() - 1 };
        if let Some((each, _, bound)) = each {
            binders.pop();
            body.result.pop();
            out.pop();
            let trips = seed::trips(b, bound);
            self.used = behind(b, before, each, trips);
            mark = Mark::Every { before, each };
        }
        params.extend(binders.into_iter().zip(inits).map(own_param));
        pat.extend(out);
        Some(mark)
    }
}

/// How long the tape of a loop has to be; where that depends on what it computes, it is run to count.
pub fn length(b: &mut Builder, stm: &Stm, param: usize, lineage: &Lineage) -> Option<Length> {
    let Exp::Loop { params, form: LoopForm::For { bound, .. }, body } = &stm.exp else { return None };
    let has_parts = lineage.has_parts();
    let parts = if has_parts { lineage.parts(b.vars, body) } else { Vec::new() };
    let outer = free_vars(stm);
    let mut sizes = parts.iter().flat_map(Part::shape);
    let known = sizes.all(|d| SubExp::from(d).as_var().is_none_or(|v| outer.contains(&v)));
    if let Some(most) = lineage.most(body).filter(|_| known) {
        let trips = seed::trips(b, *bound);
        let updates = Dim::from_subexp(behind(b, SubExp::i64(0), most, trips))?;
        if !has_parts {
            return Some(Length { updates, elements: None });
        }
        let mut each = SubExp::i64(0);
        for part in &parts {
            let count = part.room(b, params[param].binder.ty.shape());
            each = b.int(BinOp::Add, each, count);
        }
        let elements = b.int(BinOp::Mul, each, trips);
        return Some(Length { updates, elements: Some(Dim::from_subexp(elements)?) });
    }
    let mut stm = stm.clone();
    // mutant: one element more than is needed
    let filled = has_parts.then_some(SubExp::i64(0));
    let mut thread = Thread { lineage, tape: Vec::new(), filled, used: SubExp::i64(0) };
    thread.loop_(b, &mut stm)?;
    copy_consumed(b, &mut stm, |_| false);
    let pat = fresh_pattern(b.vars, &stm.pat);
    let counted = |e: SubExp| match stm.pat.iter().position(|p| SubExp::Var(p.var) == e) {
        Some(k) => Dim::from_subexp(pat[k].var.into()),
        None => Dim::from_subexp(e),
    };
    let updates = counted(thread.used)?;
    let elements = thread.filled.and_then(counted);
    let exp = renamed(&stm.exp, b.vars);
    b.bind(pat, exp);
    Some(Length { updates, elements })
}

/// `before + each · trips`
pub fn behind(b: &mut Builder, before: SubExp, each: i64, trips: SubExp) -> SubExp {
    let more = if each == 1 { trips } else { b.prim_op(ScalarType::I64.times(), &[SubExp::i64(each), trips]) };
    b.prim_op(ScalarType::I64.plus(), &[before, more])
}

/// A parameter of a loop; an array is the loop's own.
pub fn own_param((binder, init): (Binder, SubExp)) -> LoopParam {
    LoopParam { unique: matches!(binder.ty, Type::Array(..)), binder, init }
}
