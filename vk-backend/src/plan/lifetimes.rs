//! Which variables are used for the last time where, so that the memory of arrays is free as early as can be.

use super::*;
use crate::kernels::{Arg, Known};
use futi_core::hash::HashSet;
use futi_core::ir::visit::free_vars;

/// Notes at each step of a block, and of the blocks in it, which of the block's variables are not used any more.
pub(super) fn note_drops(block: &mut Block, kernels: &[(String, Kernel)]) {
    let mut later: HashSet<Var> = block.result.iter().filter_map(|e| e.as_var()).collect();
    for step in &mut block.steps {
        inner_blocks(&mut step.op).into_iter().for_each(|inner| note_drops(inner, kernels));
    }
    let bound: HashSet<Var> = block.steps.iter().flat_map(|step| bindings(&step.op)).collect();
    for step in block.steps.iter_mut().rev() {
        let mut touched = uses(&step.op, kernels);
        touched.extend(bindings(&step.op));
        let mut drops: Vec<Var> = touched.iter().filter(|v| bound.contains(v) && !later.contains(v)).copied().collect();
        drops.sort_unstable();
        step.drops = drops;
        later.extend(touched);
    }
}

fn inner_blocks(op: &mut Op) -> Vec<&mut Block> {
    match op {
        // mutant: each block is noted by itself
        Op::If { yes, no, .. } => vec![yes, no],
        Op::Loop { body, .. } => vec![body],
        _ => vec![],
    }
}

/// The variables that a deed binds in its block.
fn bindings(op: &Op) -> Vec<Var> {
    match op {
        Op::Check(_) => vec![],
        Op::Launch(launch) => launch.outputs.iter().map(|(_, pat)| pat.var).collect(),
        Op::If { results, .. } => results.iter().map(|slot| slot.var).collect(),
        Op::Loop { results, .. } => results.clone(),
        Op::Bind(var, _) | Op::Prim(var, ..) | Op::Constant(var, _) | Op::Copy(var, _) => vec![*var],
        Op::Row { var, .. } | Op::View { var, .. } | Op::Scratch { var, .. } | Op::Gather { var, .. } => vec![*var],
        Op::Write { var, .. } => vec![*var],
    }
}

/// The variables that a deed uses, with those of the blocks in it.
fn uses(op: &Op, kernels: &[(String, Kernel)]) -> HashSet<Var> {
    let mut used = HashSet::default();
    let dims = |dims: &[Dim]| dims.iter().filter_map(|dim| SubExp::from(*dim).as_var()).collect::<Vec<_>>();
    let operands = |operands: &[SubExp]| operands.iter().filter_map(|e| e.as_var()).collect::<Vec<_>>();
    let blocks = |used: &mut HashSet<Var>, block: &Block| {
        used.extend(operands(&block.result));
        block.steps.iter().for_each(|step| used.extend(uses(&step.op, kernels)));
    };
    match op {
        Op::Bind(_, e) => used.extend(e.as_var()),
        Op::Prim(_, _, args) => used.extend(operands(args)),
        Op::Check(check) => used.extend(free_vars(&futi_core::ir::Exp::Check(check.clone()))),
        Op::Launch(launch) => {
            used.extend(dims(&launch.space));
            let indices = match &launch.how {
                How::Map(kernel) => vec![*kernel],
                How::Reduce { each, group: None } => vec![*each],
                How::Reduce { each, group: Some(group) } => vec![*each, group.first, group.second],
            };
            indices.into_iter().for_each(|index| kernel_uses(&kernels[index.0].1, &mut used));
        }
        Op::Row { array, indices, .. } => {
            used.insert(*array);
            used.extend(operands(indices));
        }
        Op::View { array, shape, .. } => {
            used.insert(*array);
            used.extend(dims(shape));
        }
        Op::Scratch { shape, .. } => used.extend(dims(shape)),
        Op::Constant(..) => {}
        Op::Gather { rows, row, .. } => {
            used.extend(operands(rows));
            used.extend(free_vars(row));
        }
        Op::Copy(_, array) => _ = used.insert(*array),
        Op::Write { array, indices, value, .. } => {
            used.insert(*array);
            used.extend(operands(indices));
            used.extend(value.as_var());
        }
        Op::If { cond, yes, no, .. } => {
            used.extend(cond.as_var());
            blocks(&mut used, yes);
            blocks(&mut used, no);
        }
        Op::Loop { params, form, body, .. } => {
            params.iter().for_each(|(_, init)| used.extend(init.as_var()));
            if let Form::For { bound, .. } = form {
                used.extend(bound.as_var());
            }
            blocks(&mut used, body);
        }
    }
    used
}

fn kernel_uses(kernel: &Kernel, used: &mut HashSet<Var>) {
    for arg in &kernel.args {
        if let Arg::Scalar(v) | Arg::Cell(v) | Arg::Array(v) = arg {
            used.insert(*v);
        }
    }
    for known in kernel.scratch.iter().flat_map(|scratch| &scratch.shape) {
        known_uses(known, used);
    }
}

fn known_uses(known: &Known, used: &mut HashSet<Var>) {
    match known {
        Known::Lit(_) => {}
        Known::Var(v) => _ = used.insert(*v),
        Known::Op(_, args) => args.iter().for_each(|arg| known_uses(arg, used)),
    }
}
