//! Which variables have the same value in all invocations of a group, or of a subgroup: where control flow is decided by them, all come by together.

use crate::ir::*;

/// Among whom a value is the same, or who comes by together: each holds what those before it hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Uniformity {
    /// Each invocation for itself.
    Varying,
    /// All of a subgroup.
    Subgroup,
    /// All of a group.
    Group,
}

/// How uniform each variable is, wherever it is read by all of a group.
pub struct Uniform<'a> {
    kernel: &'a Kernel,
    locals: Vec<Uniformity>,
}

impl<'a> Uniform<'a> {
    /// That of a kernel: the greatest solution, by taking away until nothing changes. Each variable falls at most twice.
    pub fn of(kernel: &'a Kernel) -> Uniform<'a> {
        let mut uniform = Uniform { kernel, locals: vec![Uniformity::Group; kernel.locals.len()] };
        loop {
            let before = uniform.locals.clone();
            uniform.stms(&kernel.body, Uniformity::Group);
            if uniform.locals == before {
                return uniform;
            }
        }
    }

    /// How uniform an expression is.
    pub fn exp(&self, e: &Exp) -> Uniformity {
        match e {
            Exp::Lit(_) | Exp::Param(_) | Exp::Length(_) => Uniformity::Group,
            Exp::Builtin(Builtin::Group | Builtin::Groups | Builtin::GroupSize | Builtin::SubgroupSize) => {
                Uniformity::Group
            }
            Exp::Builtin(Builtin::Subgroup) => Uniformity::Subgroup,
            Exp::Builtin(Builtin::Invocation | Builtin::Lane) => Uniformity::Varying,
            Exp::Local(local) => self.locals.get(local.at()).copied().unwrap_or(Uniformity::Varying),
            Exp::Prim(_, args) => self.all(args),
        }
    }

    fn all<'e>(&self, exps: impl IntoIterator<Item = &'e Exp>) -> Uniformity {
        exps.into_iter().map(|e| self.exp(e)).min().unwrap_or(Uniformity::Group)
    }

    fn stms(&mut self, stms: &[Stm], together: Uniformity) {
        // See Note [Uniform loads].
        let mut behind_barrier = false;
        for stm in stms {
            let value = match stm {
                Stm::Let(_, e) => self.exp(e),
                Stm::Load { from, index, .. } => self.load(*from, behind_barrier).min(self.exp(index)),
                Stm::For { from, below, step, .. } => self.all([from, below, step]),
                Stm::Subgroup { op: SubgroupOp::Any | SubgroupOp::All, .. } => Uniformity::Subgroup,
                Stm::Subgroup { op: SubgroupOp::Shuffle(lane), .. } => self.exp(lane).min(Uniformity::Subgroup),
                _ => Uniformity::Varying,
            };
            if let Some(own) = stm.gives().and_then(|to| self.locals.get_mut(to.at())) {
                *own = (*own).min(value).min(together);
            }
            let inside = match stm {
                Stm::If { cond, .. } | Stm::While { cond, .. } => together.min(self.exp(cond)),
                _ => together.min(value),
            };
            stm.bodies().into_iter().for_each(|body| self.stms(body, inside));
            behind_barrier = match stm {
                Stm::Barrier => true,
                Stm::Let(..) | Stm::Load { .. } => behind_barrier,
                _ => false,
            };
        }
    }

    // Note [Uniform loads]
    // ~~~~~~~~~~~~~~~~~~~~~
    // Do all of a group that read one element find the same there? Not if a write comes between two of the reads. In a block that the launch does not change, none does. In an array of
    // the group the reads must be right behind a barrier, with nothing but reads between: then no invocation has acquired anything since, and a write by another one is ordered before
    // its read only if it was before the barrier, thus before all the reads. A write that is not ordered is a race, and what a kernel with a race does is not asked for here. What other
    // groups write may change between any two reads.

    /// How uniform an element is that all read at one index.
    fn load(&self, from: Array, behind_barrier: bool) -> Uniformity {
        let same = match from {
            Array::Shared(_) => behind_barrier,
            Array::Block(b) => self.kernel.blocks.get(b.at()).is_some_and(|b| !b.access.changes()),
            Array::Private(_) => false,
        };
        if same { Uniformity::Group } else { Uniformity::Varying }
    }
}
