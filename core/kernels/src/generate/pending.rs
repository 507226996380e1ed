//! Sequential code on what is in memory: statements wait, and become one kernel of one invocation.

use super::host::Lowering;
use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::visit::{Visit, free_vars, walk_exp, walk_stm};
use futi_core::ir::{self, Binder, Body, Dim, Exp as Ir, Level, SegOp, Type, Var};
use std::collections::BTreeSet;

impl Lowering {
    /// Whether a branch or loop is sequential code that touches memory: one invocation runs it. One with loops that make arrays of sizes of their own may be the host's, which allocates them.
    pub(super) fn is_device_code(&self, exp: &Ir) -> bool {
        self.is_sequential(exp) && !makes_sizes(exp)
    }

    /// Whether it is sequential code that touches memory.
    pub(super) fn is_sequential(&self, exp: &Ir) -> bool {
        let device = |v: &Var| self.is_cell(&(*v).into()) || !matches!(self.vars.ty(*v), Type::Scalar(_) | Type::Cert);
        !is_parallel(exp) && uses(|visit| visit.exp(exp)).keys().any(device)
    }

    pub(super) fn is_pending(&self, var: Var) -> bool {
        self.pending.iter().any(|stm| stm.pat.iter().any(|pat| pat.var == var))
    }

    /// A statement for the device that is no nest.
    pub(super) fn postpone(&mut self, stm: &ir::Stm) {
        self.pending.push(stm.clone());
    }

    /// Makes the pending statements a kernel of one invocation.
    pub(super) fn flush(&mut self) {
        let stms = std::mem::take(&mut self.pending);
        let Some(prov) = stms.first().map(|stm| stm.prov) else { return };
        let inside = uses(|visit| stms.iter().for_each(|stm| visit.stm(stm)));
        // what has been bound for a program that has none is used, too, though nobody has counted it
        let escapes = |v: &Var| self.uses.get(v).is_none_or(|n| *n > inside.get(v).copied().unwrap_or(0));
        let bound = stms.iter().flat_map(|stm| &stm.pat);
        let outputs: Vec<Binder> = bound.filter(|pat| escapes(&pat.var)).cloned().collect();
        // what is consumed is changed in place, as nobody looks at it any more, and then is the result
        let changed = consumed(&stms);
        let (mut same, mut made) = (Vec::new(), Vec::new());
        for pat in outputs {
            match origin(&stms, pat.var).filter(|var| changed.contains(var)) {
                Some(var) => same.push((pat.var, var)),
                None => made.push(pat),
            }
        }
        let outputs = made;
        let one = self.vars.fresh("i", Type::I64);
        let body = Body { stms, result: outputs.iter().map(|pat| pat.var.into()).collect() };
        let ret = outputs.iter().map(|pat| pat.ty.clone()).collect();
        let space = vec![(one, Dim::Const(1))];
        let seg = SegOp::map(Level::Grid, space, ret, body);
        self.changed = changed;
        let next = self.prov;
        self.launch_as(&seg, &outputs, "scalars", prov);
        self.prov = next;
        // mutant removal: who looks at such an array, in another branch, copies it once more at most
        self.changed.clear();
        for (pat, var) in same {
            let value = self.operand(var.into());
            self.env.insert(pat, value);
        }
    }
}

/// Whether there are nests, calls or arrays that are counted or reordered in an expression.
pub(super) fn is_parallel(exp: &Ir) -> bool {
    struct Parallel(bool);
    impl Visit for Parallel {
        fn exp(&mut self, e: &Ir) {
            self.0 |= matches!(
                e,
                Ir::SegOp(_)
                    | Ir::Apply { .. }
                    | Ir::Jvp(_)
                    | Ir::Vjp(_)
                    | Ir::Iota { .. }
                    | Ir::Replicate { .. }
                    | Ir::Rearrange { .. }
                    | Ir::Reverse { .. }
                    | Ir::Rotate { .. }
                    | Ir::Concat { .. }
            );
            walk_exp(self, e);
        }
    }
    let mut parallel = Parallel(false);
    parallel.exp(exp);
    parallel.0
}

/// How often each variable is used.
pub(super) fn uses(walk: impl FnOnce(&mut dyn Visit)) -> HashMap<Var, usize> {
    #[derive(Default)]
    struct Uses(HashMap<Var, usize>);
    impl Visit for Uses {
        fn var(&mut self, v: &Var) {
            // mutant off by one: uses are only compared with one another
            *self.0.entry(*v).or_default() += 1;
        }
    }
    let mut uses = Uses::default();
    walk(&mut uses);
    uses.0
}

/// Whether there are loops that have arrays made whose sizes are found in them, each time anew, or that carry arrays with their sizes.
fn makes_sizes(exp: &Ir) -> bool {
    #[derive(Default)]
    struct Made {
        /// What is bound in loops.
        bound: HashSet<Var>,
        /// Whether a loop is around.
        in_loop: bool,
        sized: bool,
    }
    impl Visit for Made {
        fn bind(&mut self, b: &Binder) {
            if self.in_loop {
                self.bound.insert(b.var);
            }
        }
        fn stm(&mut self, stm: &ir::Stm) {
            if stm.exp.makes_room() {
                self.sized |= stm.pat.iter().flat_map(|p| free_vars(&p.ty)).any(|v| self.bound.contains(&v));
            }
            walk_stm(self, stm);
        }
        fn exp(&mut self, e: &Ir) {
            let Ir::Loop { params, .. } = e else { return walk_exp(self, e) };
            self.sized |= params.iter().any(|param| is_resized(param, params));
            let around = std::mem::replace(&mut self.in_loop, true);
            walk_exp(self, e);
            self.in_loop = around;
        }
    }
    let mut made = Made::default();
    made.exp(exp);
    made.sized
}

/// Whether a parameter of a loop is an array whose size may be another one after a round.
pub(super) fn is_resized(param: &ir::LoopParam, params: &[ir::LoopParam]) -> bool {
    let sizes = param.binder.ty.shape();
    params.iter().any(|p| sizes.contains(&Dim::Var(p.binder.var)))
}

/// Counts how often each variable is used in a body, too.
pub(super) fn add_uses(all: &mut HashMap<Var, usize>, body: &Body) {
    for (var, n) in uses(|visit| visit.body(body)) {
        *all.entry(var).or_default() += n;
    }
}

/// The arrays that statements consume and do not bind.
fn consumed(stms: &[ir::Stm]) -> Vec<Var> {
    struct Consumed(HashSet<Var>);
    impl Visit for Consumed {
        fn exp(&mut self, e: &Ir) {
            self.0.extend(e.consumes());
            walk_exp(self, e);
        }
    }
    let mut found = Consumed(HashSet::default());
    stms.iter().for_each(|stm| found.stm(stm));
    // what is another name of an array here is that array
    let all: BTreeSet<Var> = found.0.into_iter().filter_map(|var| origin(stms, var)).collect();
    all.into_iter().collect()
}

/// The array, from outside of statements, whose memory a variable that they bind has.
fn origin(stms: &[ir::Stm], var: Var) -> Option<Var> {
    let Some((stm, k)) = stms.iter().find_map(|stm| Some((stm, stm.pat.iter().position(|pat| pat.var == var)?))) else {
        return Some(var);
    };
    let before = match &stm.exp {
        Ir::SubExp(e) => e.as_var()?,
        Ir::Update { array, .. } | Ir::UpdateSlice { array, .. } | Ir::FlatUpdate { array, .. } => *array,
        Ir::Coerce { array, .. } | Ir::Reshape { array, .. } => *array,
        Ir::Loop { params, .. } if params[k].unique => params[k].init.as_var()?,
        Ir::Scatter(s) => s.dests[k].array,
        Ir::SegOp(seg) => seg.dests().get(k)?.array,
        _ => return None,
    };
    origin(stms, before)
}

#[cfg(test)]
mod tests {
    use super::makes_sizes;
    use futi_core::ir::Program;

    /// Whether code of a function of n, k and xs: [n] does so.
    fn makes(exp: &str) -> bool {
        let text = format!(
            "futi-ir 1 fun \"f\"(n_0: i64, k_1: i64, xs_2: [n_0]i64) -> (r_3: i64) {{ let (y_4: i64) = {exp} in (y_4) }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        makes_sizes(&program.funs[0].body.stms[0].exp)
    }

    #[test]
    fn sizes_are_found_in_loops() {
        let of = |size: &str| {
            format!(
                "let (m_10: i64) = add.i64(k_1, 1i64) let (zs_11: [{size}]i64) = scratch [{size}]i64 let (z_12: i64) = index zs_11[0i64]"
            )
        };
        let round = |code: &str| format!("loop (s_5: i64 = 0i64) for i_6: i64 < k_1 do {{ {code} in (z_12) }}");
        let side = |code: &str, result: &str| format!("if true then {{ {code} in ({result}) }} else {{ in (0i64) }}");
        assert!(makes(&round(&of("m_10"))) && makes(&round(&of("i_6"))));
        assert!(!makes(&round(&of("k_1"))));
        assert!(!makes(&side(&of("m_10"), "z_12")));
        assert!(makes(&side(&format!("let (r_7: i64) = {}", round(&of("m_10"))), "r_7")));
        // one before and one inside
        let both = format!("let (m_20: i64) = add.i64(k_1, 1i64) let (r_7: i64) = {}", round(&of("m_20")));
        assert!(!makes(&side(&both, "r_7")));
        // what a loop carries with its size
        assert!(makes("loop (m_5: i64 = n_0, ys_6: [m_5]i64 = xs_2) for i_7: i64 < k_1 do { in (m_5, ys_6) }"));
    }
}
