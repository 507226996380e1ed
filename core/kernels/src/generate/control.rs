//! Branches and loops of the host, and in what form their results are passed on: as scalars, in cells, as arrays.

use super::host::{Lowering, Val, ZERO};
use crate::host::ir::*;
use futi_core::ir::{Binder, Body, LoopForm, LoopParam, ScalarType, SubExp, Type};

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

    /// How many scalars it has.
    fn scalars(&self) -> usize {
        usize::from(matches!(self, Slot::Scalar(_) | Slot::Array { moves: true, .. }))
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
            _ => self.fail("a result of another kind", "agreement", self.prov),
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
        let equivalent = equivalent && self.errors.is_empty();
        let cond = self.host(cond);
        let mark = self.mark();
        let (first, yes_values, read) = self.block(yes);
        self.forget(read);
        if equivalent && !self.errors.is_empty() {
            self.reset(&mark);
            return self.spliced(no, pats);
        }
        let (second, no_values, read) = self.block(no);
        self.forget(read);
        if equivalent && !self.errors.is_empty() {
            self.reset(&mark);
            return self.spliced(yes, pats);
        }
        let (yes, no) = (first, second);
        self.prov = prov;
        let slots: Vec<Slot> = pats
            .iter()
            .zip(yes_values.iter().zip(&no_values))
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
        body.stms.iter().for_each(|stm| self.stm(stm));
        self.flush();
        for (pat, e) in pats.iter().zip(&body.result) {
            let value = self.held(*e);
            self.env.insert(pat.var, value);
        }
    }

    /// A parameter is a cell if its first value is, or if the body makes it one, and an array's first element moves if the body's does: then the body is lowered again.
    pub(super) fn iterate(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder]) {
        let prov = self.prov;
        let inits: Vec<Val> = params.iter().map(|param| self.held(param.init)).collect();
        let cond = match form {
            LoopForm::While(cond) => params.iter().position(|param| param.binder.var == *cond),
            LoopForm::For { .. } => None,
        };
        let form = match form {
            LoopForm::For { index, bound } => {
                let bound = self.host(*bound);
                let scalar = self.host_scalar(index.name.as_str(), index.ty.elem().unwrap_or(ScalarType::I64));
                self.env.insert(index.var, Val::Scalar(Exp::Var(scalar)));
                Form::For(scalar, bound)
            }
            // its position among the scalars follows from the slots
            LoopForm::While(_) => Form::While(0),
        };
        let slot = |k: usize, values: &[&Val]| {
            let ty = &params[k].binder.ty;
            // what the host decides by, it has
            if cond == Some(k) { Slot::Scalar(ScalarType::Bool) } else { Slot::of(ty, values) }
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
        let (mut first_scalars, mut first_mems) = (Vec::new(), Vec::new());
        for (init, slot) in inits.iter().zip(&slots) {
            self.settle(init, slot, &mut first_scalars, &mut first_mems);
        }
        let form = match (form, cond) {
            (Form::While(_), Some(k)) => Form::While(slots[..k].iter().map(Slot::scalars).sum()),
            (form, _) => form,
        };
        let bound: Vec<(Slot, &Binder)> = slots.iter().copied().zip(pats).collect();
        let (values, last_scalars, last_mems) = self.bound(&bound);
        pats.iter().zip(values).for_each(|(pat, value)| _ = self.env.insert(pat.var, value));
        let scalars = inner.1.into_iter().zip(first_scalars).collect();
        let mems = inner.2.into_iter().zip(first_mems).collect();
        self.push(Op::Loop { form, scalars, mems, body, last_scalars, last_mems });
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

    fn reset(&mut self, mark: &Mark) {
        self.out.kernels.truncate(mark.kernels);
        self.out.checks.truncate(mark.checks);
        self.out.constants.truncate(mark.constants);
        self.errors.truncate(mark.errors);
        self.scalars.truncate(mark.scalars);
        self.mems.truncate(mark.mems);
        self.made = mark.made;
    }
}
