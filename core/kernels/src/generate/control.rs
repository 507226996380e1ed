//! Branches and loops of the host, and in what form their results are passed on: as scalars, in cells, as arrays.

use super::host::{Lowering, ONE, Val, ZERO, product};
use super::pending::{is_parallel, is_resized};
use crate::host::check::guarded;
use crate::host::ir::*;
use futi_core::backend::Unsupported;
use futi_core::ir::{self, Binder, Body, Exp as Ir, LoopForm, LoopParam, ScalarType, SubExp, Type};

/// Which numbers were taken before something was lowered that is lowered again.
struct Mark {
    kernels: usize,
    checks: usize,
    constants: usize,
    errors: usize,
    scalars: usize,
    mems: usize,
    made: usize,
}

/// A variable that gets values from several places, which must agree where a scalar is, and whether an array may begin anywhere in its memory.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slot {
    Scalar(ScalarType),
    Cell(ScalarType),
    Array { elem: ScalarType, moves: bool },
    Unit,
}

impl Slot {
    /// What takes all of these values.
    fn of(ty: &Type, values: &[&Val]) -> Slot {
        match ty {
            Type::Scalar(ty) if values.iter().any(|value| matches!(value, Val::Cell(_, None))) => Slot::Cell(*ty),
            Type::Scalar(ty) => Slot::Scalar(*ty),
            Type::Array(elem, _) => {
                let moves = values.iter().any(|value| matches!(value, Val::Array(_, offset) if *offset != ZERO));
                Slot::Array { elem: *elem, moves }
            }
            Type::Acc(_) | Type::Cert => Slot::Unit,
        }
    }

    /// What takes what either takes.
    fn join(self, other: Slot) -> Slot {
        match (self, other) {
            (Slot::Cell(ty), Slot::Scalar(_)) | (Slot::Scalar(_), Slot::Cell(ty)) => Slot::Cell(ty),
            (Slot::Array { elem, moves: a }, Slot::Array { moves: b, .. }) => Slot::Array { elem, moves: a || b },
            (a, _) => a,
        }
    }

    /// How many memories it has.
    fn mems(&self) -> usize {
        usize::from(matches!(self, Slot::Cell(_) | Slot::Array { .. }))
    }

    /// How many scalars it has.
    fn scalars(&self) -> usize {
        usize::from(matches!(self, Slot::Scalar(_) | Slot::Array { moves: true, .. }))
    }
}

/// A loop in the making: how it goes on, what its parameters are, and a round.
struct Rounds {
    form: Form,
    slots: Vec<Slot>,
    scalars: Vec<HostScalar>,
    mems: Vec<Mem>,
    body: Block,
}

impl Rounds {
    /// Whether the host need not wait for the machine in it.
    fn is_ahead(&self) -> bool {
        match self.form {
            Form::Device(_) => guarded::rounds(self.scalars.iter().copied(), &self.body).is_ok(),
            Form::For(..) | Form::While(_) => guarded::side(&self.body).is_ok(),
        }
    }
}

impl Lowering {
    /// The statements of a body, what its results are, and how many cells had been read and views stored before.
    pub(super) fn block(&mut self, body: &Body) -> (Vec<Stm>, Vec<Val>, usize) {
        let outer = std::mem::take(&mut self.stms);
        let (read, known) = (self.read.len(), self.numbers.mark());
        body.stms.iter().for_each(|stm| self.stm(stm));
        self.flush();
        let values = body.result.iter().map(|e| self.held(*e)).collect();
        self.numbers.forget(known);
        (std::mem::replace(&mut self.stms, outer), values, read)
    }

    /// Nobody has the values of cells any more that were read in a block, nor the views that were stored there.
    fn forget(&mut self, read: usize) {
        // mutant order: each is there once
        for (var, before) in self.read.split_off(read).into_iter().rev() {
            self.env.insert(var, before);
        }
    }

    /// A block that has no results.
    pub(super) fn closed(&mut self, make: impl FnOnce(&mut Self)) -> Block {
        let (read, mut stms) = (self.read.len(), Vec::new());
        self.inside(&mut stms, make);
        self.forget(read);
        Block { stms, ..Block::default() }
    }

    /// Goes on with a block that was made.
    pub(super) fn inside<T>(&mut self, stms: &mut Vec<Stm>, make: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.stms, stms);
        let made = make(self);
        std::mem::swap(&mut self.stms, stms);
        made
    }

    /// A block whose results are as the slots say.
    fn settled(&mut self, mut stms: Vec<Stm>, values: &[Val], slots: &[Slot]) -> Block {
        let (mut scalars, mut mems) = (Vec::new(), Vec::new());
        self.inside(&mut stms, |l| {
            for (value, slot) in values.iter().zip(slots) {
                l.settle(value, slot, &mut scalars, &mut mems);
            }
        });
        Block { stms, scalars, mems }
    }

    /// A value as a slot takes it.
    fn settle(&mut self, value: &Val, slot: &Slot, scalars: &mut Vec<Exp>, mems: &mut Vec<Mem>) {
        match (slot, value) {
            (Slot::Scalar(_), Val::Scalar(e)) => scalars.push(e.clone()),
            (Slot::Scalar(_), Val::Cell(_, Some(scalar))) => scalars.push(Exp::Var(*scalar)),
            (Slot::Scalar(ty), Val::Cell(mem, None)) => {
                let scalar = self.host_scalar("read", *ty);
                self.push(Op::Read(vec![(scalar, *mem, ZERO)]));
                scalars.push(Exp::Var(scalar));
            }
            (Slot::Cell(_), Val::Cell(mem, _)) => mems.push(*mem),
            (Slot::Cell(ty), Val::Scalar(e)) => {
                let mem = self.cell(*ty, e.clone());
                mems.push(mem);
            }
            (Slot::Array { moves, .. }, Val::Array(mem, offset)) => {
                mems.push(*mem);
                if *moves {
                    scalars.push(offset.clone());
                }
            }
            (Slot::Unit, _) => {}
            _ => self.fault("a result of another kind"),
        }
    }

    /// New variables for slots: what they are, the scalars and the memory.
    fn bound(&mut self, slots: &[(Slot, &Binder)]) -> (Vec<Val>, Vec<HostScalar>, Vec<Mem>) {
        let (mut values, mut scalars, mut mems) = (Vec::new(), Vec::new(), Vec::new());
        for (slot, binder) in slots {
            let name = binder.name.as_str();
            values.push(match slot {
                Slot::Scalar(ty) => {
                    let scalar = self.host_scalar(name, *ty);
                    scalars.push(scalar);
                    Val::Scalar(Exp::Var(scalar))
                }
                Slot::Cell(ty) => {
                    let mem = self.mem(name, *ty);
                    mems.push(mem);
                    Val::Cell(mem, None)
                }
                Slot::Array { elem, moves } => {
                    let mem = self.mem(name, *elem);
                    mems.push(mem);
                    let offset = if *moves {
                        let scalar = self.host_scalar("offset", ScalarType::I64);
                        scalars.push(scalar);
                        Exp::Var(scalar)
                    } else {
                        ZERO
                    };
                    Val::Array(mem, offset)
                }
                Slot::Unit => Val::Unit,
            });
        }
        (values, scalars, mems)
    }

    /// Where either side will do, one that cannot be compiled is left out.
    pub(super) fn branch(&mut self, cond: SubExp, [yes, no]: [&Body; 2], pats: &[Binder], equivalent: bool) {
        let prov = self.prov;
        // mutant dropped term: with an error there is no program; which others are told besides is no matter
        let equivalent = equivalent && self.errors.is_empty();
        if self.ahead
            && let Val::Cell(mem, None) = self.operand(cond)
        {
            return self.choice(mem, yes, no, pats);
        }
        let cond = self.host(cond);
        let mark = self.mark();
        let (first, yes_values, read) = self.block(yes);
        self.forget(read);
        if equivalent && !self.errors.is_empty() {
            self.replace(&mark);
            return self.spliced(no, pats);
        }
        let (second, no_values, read) = self.block(no);
        self.forget(read);
        if equivalent && !self.errors.is_empty() {
            self.replace(&mark);
            return self.spliced(yes, pats);
        }
        let (yes, no) = (first, second);
        self.prov = prov;
        self.choose(cond, (yes, yes_values), (no, no_values), pats);
    }

    /// A choice of the host's between statements, and what they come to.
    fn choose(&mut self, cond: Exp, yes: (Vec<Stm>, Vec<Val>), no: (Vec<Stm>, Vec<Val>), pats: &[Binder]) {
        let ((yes, yes_values), (no, no_values)) = (yes, no);
        let slots: Vec<Slot> = pats
            .iter()
            .zip(yes_values.iter().zip(&no_values))
            // mutant swap: what takes both takes them in either order
            .map(|(pat, (a, b))| Slot::of(&pat.ty, &[a, b]))
            .collect();
        let yes = self.settled(yes, &yes_values, &slots);
        let no = self.settled(no, &no_values, &slots);
        let slots: Vec<(Slot, &Binder)> = slots.into_iter().zip(pats).collect();
        let (values, scalars, mems) = self.bound(&slots);
        pats.iter().zip(values).for_each(|(pat, value)| _ = self.env.insert(pat.var, value));
        self.push(Op::If { cond, yes, no, scalars, mems });
    }

    /// A body where it stands.
    fn spliced(&mut self, body: &Body, pats: &[Binder]) {
        let (stms, values, _) = self.block(body);
        self.stms.extend(stms);
        pats.iter().zip(values).for_each(|(pat, value)| _ = self.env.insert(pat.var, value));
    }

    /// Makes a sequential loop one invocation's, though it makes arrays of sizes of its own, if their greatest can be found before; whether that is done.
    pub(super) fn one_invocation(&mut self, stm: &ir::Stm, params: &[LoopParam]) -> bool {
        // mutant dropped term: what is tried in vain is taken back
        if !self.errors.is_empty() || params.iter().any(|p| is_resized(p, params)) || !self.is_sequential(&stm.exp) {
            return false;
        }
        self.flush();
        let (mark, before) = (self.mark(), self.stms.len());
        self.postpone(stm);
        self.flush();
        let made = self.errors.is_empty();
        if !made {
            self.replace(&mark);
            self.stms.truncate(before);
        }
        made
    }

    /// A loop, in two versions if it may be one invocation's.
    pub(super) fn iterate_in_versions(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder]) {
        // mutant swap: all results are a version's, or none
        // mutant dropped term -> `pats.iter().any(|pat| self.in_versions.contains(&pat.var))`: with an error, what is tried is taken back
        let is_one = pats.iter().any(|pat| self.in_versions.contains(&pat.var)) || !self.errors.is_empty();
        let (mark, before) = (self.mark(), self.stms.len());
        let versions = if is_one { None } else { self.versions(params, form, body, pats) };
        let Some(versions) = versions else { return self.iterate(params, form, body, pats) };
        let (whole, whole_values, read) = self.block(&versions.whole);
        self.forget(read);
        // what one invocation cannot do, others may
        if !self.errors.is_empty() {
            self.replace(&mark);
            self.stms.truncate(before);
            return self.iterate(params, form, body, pats);
        }
        let (plain, plain_values, read) = self.block(&versions.plain);
        self.forget(read);
        self.choose(versions.cond, (whole, whole_values), (plain, plain_values), pats);
    }

    /// A branch that depends on what the host has not seen: the machine makes the choice. The results are written to memory that both sides have, unless they are what there was before. A size among them
    /// is read, with which this is no round any more in which the host does not wait.
    fn choice(&mut self, cond: Mem, yes: &Body, no: &Body, pats: &[Binder]) {
        let prov = self.prov;
        let (mut yes, yes_values, read) = self.block(yes);
        self.forget(read);
        let (mut no, no_values, read) = self.block(no);
        self.forget(read);
        self.prov = prov;
        for (pat, values) in pats.iter().zip(yes_values.iter().zip(&no_values)) {
            let value = match (&pat.ty, values) {
                (Type::Acc(_) | Type::Cert, _) => Val::Unit,
                (_, (Val::Array(a, first), Val::Array(b, other))) if (a, first) == (b, other) => {
                    Val::Array(*a, first.clone())
                }
                (ty, (a, b)) => {
                    let shape = self.dims(ty.shape());
                    let len = product(shape.clone());
                    let mem = self.alloc(pat.name.as_str(), ty.elem().unwrap_or(ScalarType::Bool), shape);
                    self.inside(&mut yes, |l| l.leave(mem, a, len.clone()));
                    self.inside(&mut no, |l| l.leave(mem, b, len));
                    if ty.rank() > 0 { Val::Array(mem, ZERO) } else { Val::Cell(mem, None) }
                }
            };
            self.env.insert(pat.var, value);
        }
        let [yes, no] = [yes, no].map(|stms| Block { stms, ..Block::default() });
        self.push(Op::When { cond, yes, no });
    }

    /// Writes a result of a side to memory.
    fn leave(&mut self, to: Mem, value: &Val, len: Exp) {
        match value {
            Val::Scalar(e) => self.push(Op::Write { to, index: ZERO, value: e.clone() }),
            Val::Cell(mem, _) => self.copy((to, ZERO), (*mem, ZERO), ONE),
            Val::Array(mem, first) => self.copy((to, ZERO), (*mem, first.clone()), len),
            Val::View(..) | Val::Unit => self.fault("a result of another kind"),
        }
    }

    /// A loop. If nothing in it is read, the host need not wait for the machine; if the condition is not the host's either, the machine decides how many rounds there are.
    pub(super) fn iterate(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder]) {
        let inits: Vec<Val> = params.iter().map(|param| self.held(param.init)).collect();
        let form = match form {
            LoopForm::For { index, bound } => {
                let bound = self.host(*bound);
                let scalar = self.host_scalar(index.name.as_str(), index.ty.elem().unwrap_or(ScalarType::I64));
                self.env.insert(index.var, Val::Scalar(Exp::Var(scalar)));
                Form::For(scalar, bound)
            }
            // its position among the scalars or the memory follows from the slots
            LoopForm::While(cond) => {
                Form::While(params.iter().position(|param| param.binder.var == *cond).unwrap_or(params.len()))
            }
        };
        let outer = self.ahead;
        let mark = self.mark();
        self.ahead |= may_be_ahead(body);
        let mut made = self.rounds(params, &form, body, &inits);
        // mutant dropped term -> `!made.is_ahead()`: what is tried in vain inside of a try is so outside, too
        // mutant dropped term -> `!outer`: what was not tried comes to the same again
        if self.ahead && !outer && !made.is_ahead() {
            self.reset(&mark);
            self.ahead = false;
            made = self.rounds(params, &form, body, &inits);
        }
        self.ahead = outer;
        let (mut first_scalars, mut first_mems) = (Vec::new(), Vec::new());
        for (init, slot) in inits.iter().zip(&made.slots) {
            self.settle(init, slot, &mut first_scalars, &mut first_mems);
        }
        let bound: Vec<(Slot, &Binder)> = made.slots.iter().copied().zip(pats).collect();
        let (values, last_scalars, last_mems) = self.bound(&bound);
        pats.iter().zip(values).for_each(|(pat, value)| _ = self.env.insert(pat.var, value));
        let scalars = made.scalars.into_iter().zip(first_scalars).collect();
        let mems = made.mems.into_iter().zip(first_mems).collect();
        self.push(Op::Loop {
            form: made.form,
            scalars,
            mems,
            frees: Vec::new(),
            body: made.body,
            last_scalars,
            last_mems,
        });
    }

    /// The rounds of a loop. A parameter is a cell if its first value is, or if the body makes it one, and an array's first element moves if the body's does: then the body is lowered again.
    fn rounds(&mut self, params: &[LoopParam], form: &Form, body: &Body, inits: &[Val]) -> Rounds {
        let prov = self.prov;
        let ahead = self.ahead;
        let slot = |k: usize, values: &[&Val]| {
            let ty = &params[k].binder.ty;
            // what the host decides by, it has
            if *form == Form::While(k) && !ahead { Slot::Scalar(ScalarType::Bool) } else { Slot::of(ty, values) }
        };
        let mut slots: Vec<Slot> = inits.iter().enumerate().map(|(k, init)| slot(k, &[init])).collect();
        let mark = self.mark();
        let (inner, body) = loop {
            let bound: Vec<(Slot, &Binder)> = slots.iter().copied().zip(params.iter().map(|p| &p.binder)).collect();
            let inner = self.bound(&bound);
            params.iter().zip(&inner.0).for_each(|(p, value)| _ = self.env.insert(p.binder.var, value.clone()));
            let (stms, values, read) = self.block(body);
            self.forget(read);
            self.prov = prov;
            let next: Vec<Slot> =
                slots.iter().zip(&values).enumerate().map(|(k, (s, value))| s.join(slot(k, &[value]))).collect();
            if next == slots {
                break (inner, self.settled(stms, &values, &slots));
            }
            slots = next;
            self.reset(&mark);
        };
        let form = match form {
            Form::While(k) => match slots.get(*k) {
                Some(Slot::Cell(_)) => Form::Device(slots[..*k].iter().map(Slot::mems).sum()),
                _ => Form::While(slots[..*k].iter().map(Slot::scalars).sum()),
            },
            form => form.clone(),
        };
        Rounds { form, slots, scalars: inner.1, mems: inner.2, body }
    }

    fn mark(&self) -> Mark {
        let out = &self.out;
        Mark {
            kernels: out.kernels.len(),
            checks: out.checks.len(),
            constants: out.constants.len(),
            errors: self.errors.len(),
            scalars: self.scalars.len(),
            mems: self.mems.len(),
            made: self.made,
        }
    }

    /// Takes back what was made since, in the place of which something else is made, but no defect of ours: that is told, whatever else would do.
    fn replace(&mut self, mark: &Mark) {
        let tried = self.errors.split_off(mark.errors);
        self.reset(mark);
        self.errors.extend(tried.into_iter().filter(Unsupported::is_internal));
    }

    /// Takes back what was made since: it is made again.
    fn reset(&mut self, mark: &Mark) {
        self.out.kernels.truncate(mark.kernels);
        self.out.checks.truncate(mark.checks);
        self.out.constants.truncate(mark.constants);
        self.errors.truncate(mark.errors);
        // mutant removal: a name that nobody uses costs nothing
        self.scalars.truncate(mark.scalars);
        // mutant removal: likewise
        self.mems.truncate(mark.mems);
        self.made = mark.made;
    }
}

/// Whether it is worth a try to lower the body of a loop so that nothing is read in it: there are no calls, and no loops inside of which the machine sees the end.
fn may_be_ahead(body: &Body) -> bool {
    // mutant swap: what is tried in vain is taken back, and a body of no statements waits for nothing
    body.stms.iter().all(|stm| match &stm.exp {
        // mutant negation: likewise
        Ir::Apply { .. } => false,
        Ir::Loop { form: LoopForm::While(_), .. } => !is_parallel(&stm.exp),
        Ir::Loop { body, .. } => may_be_ahead(body),
        // mutant dropped term: likewise
        Ir::If { yes, no, .. } => may_be_ahead(yes) && may_be_ahead(no),
        Ir::WithAcc(with) => may_be_ahead(&with.lambda.body),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use super::super::tests::{flat, kernels};
    use super::*;
    use crate::host::options::MemoryOptions;
    use std::collections::BTreeSet;

    /// All statements, those inside of others behind these.
    fn stms(all: &[Stm]) -> Vec<&Stm> {
        let mut found = Vec::new();
        for stm in all {
            found.push(stm);
            stm.op.blocks().into_iter().for_each(|block| found.extend(stms(&block.stms)));
        }
        found
    }

    #[test]
    fn of_what_is_lowered_again_nothing_is_left() {
        let summed = "entry main (n: i64) (k: i64) =
            loop (s, xs) = (0, iota n) for i < k do (s + i64.sum xs, map (+ (xs[i] + (opaque [1, 2, 3])[s % 3])) xs)";
        let fewer = "entry main (n: i64) (k: i64) = loop xs = iota n for i < k do filter (\\x -> x % (i + 2) > 0) xs";
        for source in [summed, fewer] {
            let host = kernels(source);
            let (mut kernels, mut checks, mut constants) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            for stm in stms(&host.funs[0].body) {
                match &stm.op {
                    Op::Launch(launch) => _ = kernels.insert(launch.kernel.at()),
                    Op::Check { check, .. } => _ = checks.insert(check.at()),
                    Op::Constant(_, constant) => _ = constants.insert(constant.at()),
                    _ => {}
                }
            }
            let used = (kernels.len(), checks.len(), constants.len());
            assert_eq!(used, (host.kernels.len(), host.checks.len(), host.constants.len()), "{source}");
        }
    }

    #[test]
    fn a_choice_stands_where_the_branch_does_or_the_loop() {
        let branch = "entry main (c: bool) (xs: []i64) = if c then map (+ 1) xs else map (* 2) xs";
        let versions = "entry main (k: i64) (xs: []i64) = loop xs = xs for i < k do map (+ i) xs";
        let guarded = "entry main (k: i64) (xs: []i64) =
            loop xs = xs for _i < k do if xs[0] > 0 then map (+ 1) xs else map (* 2) xs";
        for (source, begins) in [(branch, "if c"), (versions, "loop xs = xs"), (guarded, "if xs[0]")] {
            let (flat, sources) = flat(source);
            let host = lower(&flat, &MemoryOptions::default()).expect("kernels");
            let choice = |stm: &&Stm| match stm.op {
                Op::If { .. } => source != guarded,
                Op::When { .. } => true,
                _ => false,
            };
            let all = stms(&host.funs[0].body);
            let prov = all.into_iter().find(choice).expect("a choice").prov;
            let spans = sources.spans(prov, &host.prov);
            let text = spans.iter().find(|span| !sources.of_prelude(**span)).map(|span| sources.text(*span));
            assert!(text.is_some_and(|text| text.starts_with(begins)), "{source}: {text:?}");
        }
    }

    /// Launches of sequential code, loops of the host, choices of the machine, and memory of a kernel's own.
    fn counts(source: &str) -> [usize; 4] {
        // kernels come before
        let text = kernels(source).to_string();
        let text = text.split("\nfun ").last().unwrap_or_default();
        ["launch kernel.scalars", " loop ", " when ", " mem.own_"].map(|what| text.matches(what).count())
    }

    #[test]
    fn sequential_code_on_memory_is_one_launch() {
        let on_a_sum = "entry main (xs: []i64) (k: i64) = loop t = i64.sum xs for i < k do (t * 3 + i) % 1000";
        assert_eq!(counts(on_a_sum), [1, 0, 0, 0]);
        let around = "entry main (xs: []i64) (k: i64) =
            let s = xs[0] + xs[1]
            let t = loop t = s for i < k do (t * xs[i] + i) % 1000
            in t * 2 + s";
        assert_eq!(counts(around), [1, 0, 0, 0]);
        // of which the greatest size is found before
        let sized = "entry main [n] (k: i64) (xs: [n]i64) =
            loop s = 0 for i < k do let zs = copy xs[:i + 1] with [0] = s in (s + zs[0] + zs[i]) % 1000";
        assert_eq!(counts(sized)[..2], [1, 0]);
        // a branch has one size, not a size a round, also beside a loop
        let chosen = "entry main [n] (k: i64) (xs: [n]i64) =
            if xs[0] > 2
            then let t = loop t = 0 for i < k do t * 3 + xs[i]
                 let m = (k + 1) / 2
                 let zs = copy xs[:m] with [0] = t
                 in zs[0] + zs[m - 1]
            else 0";
        assert_eq!(counts(chosen)[..2], [1, 0]);
    }

    #[test]
    fn sequential_code_changes_in_place_what_it_consumes() {
        let update = "let ys = xs with [1] = c * 2 in ys[0] + ys[1]";
        let rounds = "let ys = loop ys = xs for i < n do ys with [i] = ys[i] + ys[(i + 1) % n] in ys[0]";
        for change in [update, rounds] {
            let source =
                format!("entry main [n] (xs: *[n]i64): i64 = let c = xs[0] in if c > 2 then ({change}) else c");
            assert_eq!(counts(&source), [1, 0, 0, 0], "{source}");
        }
    }

    #[test]
    fn the_host_does_not_wait_for_sequential_rounds() {
        let source = "entry main (xs: []i64) (k: i64) =
            loop xs = xs for i < k do
              let t = loop t = xs[i] while t > 10 do t / 2
              in if t > 5 then map (+ t) xs else map (* 2) xs";
        assert_eq!(counts(source), [1, 1, 1, 0]);
    }
}
