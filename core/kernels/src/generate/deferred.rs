//! Arrays of the host that are made where they are used: views of others, and ranges and repetitions.
//!
//! A nest that uses one has the view's statement at the beginning of its body, where it costs an index at most. Memory for it is made only where it must be in memory: as a result of a branch,
//! a loop or a function, as an argument, and where it is updated.

// Note [When a view is made at once]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A reversed, rotated or repeated array is one of its own: the array that it was made of may be consumed, and changed in place, while the view is still in use. A view of what may be consumed
// anywhere in the program is therefore made where it is bound; so is what may itself be consumed, as it is to be changed anyway. All other memory has its final contents when a view of it is
// bound, so that it does not matter when the view is read.

use super::host::{Lowering, Val, ZERO, op, product};
use crate::host::ir::{Exp, Mem};
use futi_core::ir::build::Builder;
use futi_core::ir::visit::free_vars;
use futi_core::ir::{BinOp, Binder, Body, Exp as Ir, Level, ScalarType, SegOp, Stm, SubExp, Type, Var};
use std::rc::Rc;

/// What a view takes its elements from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Origin {
    /// Memory, in steps of the same width along each dimension.
    Memory,
    /// Memory, turned round.
    Rotated,
    /// A count.
    Counted,
    /// One scalar.
    Filled,
}

impl Lowering {
    /// Binds an array that is made where it is used, or now: Note [When a view is made at once]. Says whether the expression is of that kind.
    pub(super) fn defer(&mut self, exp: &Ir, pat: &Binder) -> bool {
        let Some(from) = self.view(exp, pat) else { return false };
        let may_change = |var: Var| self.consumable.may_be_consumed(var);
        if may_change(pat.var) || exp.operands().into_iter().any(may_change) {
            self.make_view(exp, pat);
        } else {
            self.env.insert(pat.var, Val::View(Rc::new(exp.clone()), from));
        }
        true
    }

    /// What an expression takes its elements from, if it is a view that is not in memory in row-major order.
    fn view(&mut self, exp: &Ir, pat: &Binder) -> Option<Origin> {
        use Origin::*;
        if pat.ty.rank() == 0 {
            return None;
        }
        Some(match exp {
            Ir::Iota { .. } => Counted,
            Ir::Replicate { value, .. } => match value.as_var().filter(|v| self.vars.ty(*v).rank() > 0) {
                None => Filled,
                // mutant swap: any of them will do
                Some(row) => self.from(row, &[Counted, Rotated]),
            },
            Ir::Rearrange { array, .. } | Ir::Reverse { array } => self.from(*array, &[Rotated]),
            Ir::Slice { array, slice } if self.is_view(*array) || !self.in_one_piece(*array, slice) => {
                self.from(*array, &[Rotated])
            }
            Ir::FlatIndex { array, dims, .. } if !matches!(dims[..], [(_, stride)] if stride == SubExp::i64(1)) => {
                self.from(*array, &[Counted, Filled, Rotated])
            }
            // mutant swap: any of them will do
            Ir::Rotate { array, .. } => match self.from(*array, &[Counted, Rotated]) {
                Memory => Rotated,
                other => other,
            },
            Ir::Index { array, .. } if self.is_view(*array) => match self.from(*array, &[]) {
                Rotated => Memory,
                other => other,
            },
            Ir::Coerce { array, .. } if self.is_view(*array) => self.from(*array, &[]),
            _ => return None,
        })
    }

    /// What an array takes its elements from: from memory, made now, if it would be from one of those.
    fn from(&mut self, array: Var, refused: &[Origin]) -> Origin {
        match self.operand(array.into()) {
            Val::View(_, from) if !refused.contains(&from) => from,
            _ => {
                self.array(array);
                Origin::Memory
            }
        }
    }

    /// Whether an array is not in memory.
    pub(super) fn is_view(&self, array: Var) -> bool {
        matches!(self.env.get(&array), Some(Val::View(..)))
    }

    /// The nest with the views that its points use at the beginning of its body. What else it needs is in memory.
    pub(super) fn with_views(&mut self, seg: &SegOp) -> SegOp {
        let mut seg = seg.clone();
        let inside = free_vars(&seg.body);
        let rest = Ir::SegOp(SegOp { body: Body::default(), ..seg.clone() });
        for var in free_vars(&rest).into_iter().filter(|var| self.is_view(*var)).collect::<Vec<_>>() {
            self.array(var);
        }
        let mut stms = Vec::new();
        inside.into_iter().for_each(|var| self.view_stms(var, &mut stms));
        seg.body.stms.splice(0..0, stms);
        seg
    }

    /// The statements that make a view, if it is one, behind those that are there already.
    fn view_stms(&self, var: Var, stms: &mut Vec<Stm>) {
        let Some(Val::View(exp, _)) = self.env.get(&var) else { return };
        if stms.iter().any(|stm| stm.pat[0].var == var) {
            return;
        }
        exp.operands().into_iter().for_each(|operand| self.view_stms(operand, stms));
        let (name, ty) = (self.vars.name(var).clone(), self.vars.ty(var).clone());
        let pat = vec![Binder { var, name, ty }];
        stms.push(Stm { pat, exp: Ir::clone(exp), certs: vec![], attrs: vec![], prov: self.prov });
    }

    /// Memory for a view that was deferred.
    pub(super) fn store(&mut self, var: Var) -> (Mem, Exp) {
        let before = self.operand(var.into());
        let pat = self.vars.fresh(self.vars.name(var).clone(), self.vars.ty(var).clone());
        if let Val::View(exp, _) = &before {
            self.make_view(&exp.clone(), &pat);
        }
        let made = self.operand(pat.var.into());
        self.read.push((var, before));
        self.env.insert(var, made);
        self.array(pat.var)
    }

    /// Binds a view's elements in memory.
    pub(super) fn make_view(&mut self, exp: &Ir, pat: &Binder) {
        let space = self.space(pat.ty.shape());
        let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let exp = exp.clone();
        let body = Builder::new(&mut self.vars, self.prov).inner(|b| {
            let all = b.vars.fresh(pat.name.clone(), pat.ty.clone());
            b.bind(vec![all.clone()], exp);
            vec![b.index(all.var, &indices).into()]
        });
        let ret = vec![Type::Scalar(pat.ty.elem().unwrap_or(ScalarType::Bool))];
        let seg = SegOp::map(Level::Grid, space, ret, body);
        self.launch_as(&seg, std::slice::from_ref(pat), "copy", self.prov);
    }

    /// Writes the elements of an array to memory, from an element on.
    pub(super) fn put(&mut self, to: Mem, offset: Exp, array: Var) {
        let ty = self.vars.ty(array).clone();
        if self.is_view(array) {
            let part = self.vars.fresh("part", ty);
            self.env.insert(part.var, Val::Array(to, offset));
            return self.scattered(part.var, &super::parts::Place::Slice(&[]), array);
        }
        let len = product(self.dims(ty.shape()));
        let from = self.array(array);
        self.copy((to, offset), from, len);
    }

    /// Arrays one behind the other.
    pub(super) fn concat(&mut self, arrays: &[Var], pat: &Binder) {
        let elem = pat.ty.elem().unwrap_or(ScalarType::Bool);
        let shape = self.dims(pat.ty.shape());
        let mem = self.alloc(pat.name.as_str(), elem, shape);
        let mut at = ZERO;
        for array in arrays {
            self.put(mem, at.clone(), *array);
            let ty = self.vars.ty(*array).clone();
            let len = product(self.dims(ty.shape()));
            at = self.named("offset", op(BinOp::Add, at, len));
        }
        self.env.insert(pat.var, Val::Array(mem, ZERO));
    }
}
