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
    /// The elements, then their indices; empty where they have been written down.
    pub tape: Vec<Var>,
    /// How much of it is used.
    pub used: SubExp,
}

impl Thread<'_> {
    fn state(&self) -> Vec<SubExp> {
        self.tape.iter().map(|v| SubExp::Var(*v)).chain([self.used]).collect()
    }

    /// Fresh binders for the state.
    fn binders(&self, b: &mut Builder) -> Vec<Binder> {
        let names = std::iter::once("olds").chain(std::iter::repeat("places"));
        let tape = self.tape.iter().zip(names).map(|(v, name)| (name, b.vars.ty(*v).clone())).collect::<Vec<_>>();
        tape.into_iter().chain([("used", Type::I64)]).map(|(name, ty)| b.vars.fresh(name, ty)).collect()
    }

    fn at(&self, binders: &[Binder]) -> Self {
        let vars: Vec<Var> = binders.iter().map(|p| p.var).collect();
        let (used, tape) =
            vars.split_last().map_or((self.used, Vec::new()), |(used, tape)| ((*used).into(), tape.to_vec()));
        Thread { lineage: self.lineage, tape, used }
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
                    for side in [yes, no] {
                        let mut thread = Thread { lineage: self.lineage, tape: self.tape.clone(), used: self.used };
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

    /// The loop with the tape in its parameters.
    pub fn loop_(&mut self, b: &mut Builder, stm: &mut Stm) -> Option<Mark> {
        let (pat, Exp::Loop { params, form, body }) = (&mut stm.pat, &mut stm.exp) else { return None };
        let LoopForm::For { index, bound } = form else { return None };
        let each = self.lineage.always(body);
        let (before, inits) = (self.used, self.state());
        let mut binders = self.binders(b);
        let mut inside = self.at(&binders);
        let old = std::mem::take(body);
        *body = b.inner(|b| {
            if let Some(each) = each {
                let trip = seed::converted(b, index.var.into(), ScalarType::I64);
                inside.used = behind(b, before, each, trip);
            }
            let result = inside.body(b, old);
            [result, inside.state()].concat()
        });
        let mut out = self.binders(b);
        *self = self.at(&out);
        let mut mark = Mark::Counted { before, counter: params.len() + self.tape.len() };
        if let Some(each) = each {
            binders.pop();
            body.result.pop();
            out.pop();
            let trips = seed::trips(b, *bound);
            self.used = behind(b, before, each, trips);
            mark = Mark::Every { before, each };
        }
        params.extend(binders.into_iter().zip(inits).map(own_param));
        pat.extend(out);
        Some(mark)
    }
}

/// How many elements a loop overwrites in all its trips, at the most; where that depends on what it computes, it is run to count them.
pub fn length(b: &mut Builder, stm: &Stm, bound: SubExp, lineage: &Lineage) -> Option<SubExp> {
    let Exp::Loop { body, .. } = &stm.exp else { return None };
    if let Some(most) = lineage.most(body) {
        let trips = seed::trips(b, bound);
        return Some(behind(b, SubExp::i64(0), most, trips));
    }
    let mut stm = stm.clone();
    let mut thread = Thread { lineage, tape: Vec::new(), used: SubExp::i64(0) };
    thread.loop_(b, &mut stm)?;
    copy_consumed(b, &mut stm, |_| false);
    let pat = fresh_pattern(b.vars, &stm.pat);
    let length = pat.last()?.var.into();
    let exp = renamed(&stm.exp, b.vars);
    b.bind(pat, exp);
    Some(length)
}

/// `before + each · trips`
pub fn behind(b: &mut Builder, before: SubExp, each: i64, trips: SubExp) -> SubExp {
    let more = if each == 1 { trips } else { b.prim_op(ScalarType::I64.times(), &[SubExp::i64(each), trips]) };
    b.prim_op(ScalarType::I64.plus(), &[before, more])
}

/// A parameter of a loop; an array is the loop's own.
pub fn own_param((binder, init): (Binder, SubExp)) -> LoopParam {
    LoopParam { unique: binder.ty.rank() > 0, binder, init }
}
