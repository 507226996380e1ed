//! What nodes say of themselves: what they use, what they consume, and with what their results and parameters share storage. Who asks need not know the
//! nodes: a new one answers here, and the compiler sees to it that it does.

use super::visit::{Visit, free_vars, walk_exp};
use super::*;

impl Exp {
    /// The variables that the node uses itself, its λs and bodies aside, in order, each as often as it stands there.
    pub fn operands(&self) -> Vec<Var> {
        struct Operands(Vec<Var>);
        impl Visit for Operands {
            fn var(&mut self, v: &Var) {
                self.0.push(*v);
            }
            fn bind(&mut self, _: &Binder) {}
            fn lambda(&mut self, _: &Lambda) {}
            fn body(&mut self, _: &Body) {}
        }
        let mut operands = Operands(Vec::new());
        walk_exp(&mut operands, self);
        operands.0
    }

    /// Whether statements stand inside of it.
    pub fn has_bodies(&self) -> bool {
        struct Bodies(bool);
        impl Visit for Bodies {
            fn body(&mut self, _: &Body) {
                self.0 = true;
            }
        }
        let mut bodies = Bodies(false);
        walk_exp(&mut bodies, self);
        bodies.0
    }

    /// The arrays and accumulators among its operands that it consumes itself: what stands inside of it may consume more. Of a call, whose function is to be asked, all
    /// arguments.
    pub fn consumes(&self) -> Vec<Var> {
        match self {
            Exp::Update { array, .. } | Exp::UpdateSlice { array, .. } | Exp::FlatUpdate { array, .. } => vec![*array],
            Exp::UpdAcc { acc, .. } => vec![*acc],
            Exp::Hist(h) => h.ops.iter().flat_map(|op| op.dests.iter().copied()).collect(),
            Exp::SegOp(s) => s.dests().iter().map(|d| d.array).collect(),
            Exp::Scatter(s) => s.dests.iter().map(|d| d.array).collect(),
            Exp::WithAcc(w) => w.inputs.iter().flat_map(|i| i.arrays.iter().copied()).collect(),
            Exp::Loop { params, .. } => {
                // on scalars uniqueness says nothing
                let consumed = params.iter().filter(|p| p.unique && matches!(p.binder.ty, Type::Array(..)));
                consumed.filter_map(|p| p.init.as_var()).collect()
            }
            Exp::Apply { args, .. } => args.iter().filter_map(|e| e.as_var()).collect(),
            Exp::SubExp(_)
            | Exp::Opaque(_)
            | Exp::Prim(..)
            | Exp::ArrayLit { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::FlatIndex { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::Rearrange { .. }
            | Exp::Manifest { .. }
            | Exp::Reshape { .. }
            | Exp::Coerce { .. }
            | Exp::Reverse { .. }
            | Exp::Rotate { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Check(_)
            | Exp::If { .. }
            | Exp::Match { .. }
            | Exp::Screma(_)
            | Exp::Stream(_)
            | Exp::FlatMap(_)
            | Exp::Jvp(_)
            | Exp::Vjp(_)
            | Exp::Custom(_) => Vec::new(),
        }
    }

    /// What the result with this number may be, or be a part of: operands, and results of the node's own bodies. Nothing if it is new. A call's results may be its
    /// arguments, as far as nobody asks the function.
    pub fn aliases(&self, result: usize) -> Vec<SubExp> {
        match self {
            Exp::SubExp(e) | Exp::Opaque(e) => vec![*e],
            Exp::Index { array, .. }
            | Exp::Slice { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Rearrange { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Coerce { array, .. } => vec![(*array).into()],
            Exp::If { yes, no, .. } => [yes, no].iter().filter_map(|body| body.result.get(result).copied()).collect(),
            Exp::Match { cases, default, .. } => {
                let bodies = cases.iter().map(|case| &case.body).chain([default]);
                bodies.filter_map(|body| body.result.get(result).copied()).collect()
            }
            Exp::Loop { params, body, .. } => {
                let values = [params.get(result).map(|p| p.init), body.result.get(result).copied()];
                values.into_iter().flatten().collect()
            }
            Exp::WithAcc(w) => {
                // the arrays take the places of those that are consumed
                let arrays: usize = w.inputs.iter().map(|i| i.arrays.len()).sum();
                let other = result.checked_sub(arrays).and_then(|k| w.lambda.body.result.get(w.inputs.len() + k));
                other.into_iter().copied().collect()
            }
            Exp::Apply { args, .. } => args.clone(),
            Exp::Jvp(_) | Exp::Vjp(_) | Exp::Custom(_) => free_vars(self).into_iter().map(SubExp::Var).collect(),
            Exp::Prim(..)
            | Exp::ArrayLit { .. }
            | Exp::Update { .. }
            | Exp::UpdateSlice { .. }
            | Exp::FlatUpdate { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::Manifest { .. }
            | Exp::Reverse { .. }
            | Exp::Rotate { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Check(_)
            | Exp::Screma(_)
            | Exp::Hist(_)
            | Exp::Scatter(_)
            | Exp::Stream(_)
            | Exp::FlatMap(_)
            | Exp::UpdAcc { .. }
            | Exp::SegOp(_) => Vec::new(),
        }
    }

    /// Whether one of its results may be, or be a part of, another.
    pub fn results_alias(&self) -> bool {
        matches!(self, Exp::Apply { .. } | Exp::Jvp(_) | Exp::Vjp(_) | Exp::Custom(_))
    }

    /// Whether the result with this number shares storage with nothing that can still be used.
    pub fn fresh(&self, result: usize) -> bool {
        match self {
            // it takes the place of what the loop consumes
            Exp::Loop { params, .. } => params.get(result).is_some_and(|p| p.unique),
            exp => !exp.results_alias() && exp.aliases(result).is_empty(),
        }
    }

    /// Whether it makes an array by itself for which there must be room, as no view is enough: not by a function, and not as numbers that follow from where they stand.
    pub fn makes_room(&self) -> bool {
        use Exp::*;
        matches!(self, Scratch { .. } | Replicate { .. } | Concat { .. } | Copy(_) | Manifest { .. })
    }

    /// The parameters of its λs and bodies that may be, or be a part of, something: rows and chunks of arrays, first and next values.
    pub fn parameters(&self) -> Vec<(&Binder, Vec<SubExp>)> {
        fn rows<'a>(params: &'a [Binder], arrays: &[Var]) -> Vec<(&'a Binder, Vec<SubExp>)> {
            params.iter().zip(arrays).map(|(p, a)| (p, vec![(*a).into()])).collect()
        }
        match self {
            Exp::Screma(s) => rows(&s.map.params, &s.arrays),
            Exp::Hist(h) => rows(&h.map.params, &h.arrays),
            Exp::Scatter(s) => rows(&s.map.params, &s.arrays),
            Exp::FlatMap(f) => rows(&f.lambda.params, &f.arrays),
            Exp::Stream(s) => {
                let chunks = s.lambda.params.len() - s.arrays.len();
                let mut params = rows(&s.lambda.params[chunks..], &s.arrays);
                if let StreamForm::Seq(init) = &s.form {
                    let accs = s.lambda.params[1..chunks].iter().zip(init).zip(&s.lambda.body.result);
                    params.extend(accs.map(|((p, first), next)| (p, vec![*first, *next])));
                }
                params
            }
            Exp::Loop { params, body, .. } => {
                params.iter().zip(&body.result).map(|(p, next)| (&p.binder, vec![p.init, *next])).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Stm {
    /// What it binds that shares storage with nothing that can still be used.
    pub fn fresh(&self) -> impl Iterator<Item = Var> {
        self.pat.iter().enumerate().filter(|(k, _)| self.exp.fresh(*k)).map(|(_, b)| b.var)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statements of a function of n, `xs: [n]`, `*ys: [n]`, `*zs: [n]`, c.
    fn stms(body: &str) -> Vec<Stm> {
        let params = "n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, *zs_3: [n_0]f64, c_4: bool";
        let text = format!("futi-ir 1\nfun \"f\"({params}) -> () {{ {body} in () }}");
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        program.funs.into_iter().flat_map(|f| f.body.stms).collect()
    }

    fn vars(es: Vec<SubExp>) -> Vec<u32> {
        es.into_iter().filter_map(|e| e.as_var()).map(|v| v.0).collect()
    }

    #[test]
    fn views_are_parts_of_their_arrays_and_what_is_made_is_new() {
        let stms = stms(
            "let (a_10: [n_0]f64) = rearrange (0) xs_1 let (b_11: [n_0]f64) = reverse xs_1
             let (d_12: [n_0]f64) = update ys_2[0i64] = 1.0f64",
        );
        assert_eq!(stms.iter().map(|s| vars(s.exp.aliases(0))).collect::<Vec<_>>(), [vec![1], vec![], vec![]]);
        assert_eq!(stms.iter().flat_map(Stm::fresh).collect::<Vec<_>>(), [Var(11), Var(12)]);
        assert_eq!(stms.iter().flat_map(|s| s.exp.consumes()).collect::<Vec<_>>(), [Var(2)]);
        assert_eq!(stms[2].exp.operands(), [Var(2)]);
    }

    /// Of a loop with a unique parameter, one that is not, and a scalar said to be unique.
    #[test]
    fn loops_consume_first_values_of_unique_arrays() {
        let stms = stms(
            "let (a_10: [n_0]f64, b_11: [n_0]f64, k_12: i64) = loop (*p_13: [n_0]f64 = ys_2, q_14: [n_0]f64 = xs_1, *k_15: i64 = n_0)
               for i_16: i64 < n_0 do { let (r_17: [n_0]f64) = reverse p_13 in (r_17, p_13, k_15) }",
        );
        let exp = &stms[0].exp;
        assert_eq!(exp.consumes(), [Var(2)]);
        assert_eq!((vars(exp.aliases(0)), vars(exp.aliases(1))), (vec![2, 17], vec![1, 13]));
        assert_eq!([0, 1].map(|k| exp.fresh(k)), [true, false]);
        let params: Vec<(u32, Vec<u32>)> = exp.parameters().into_iter().map(|(p, e)| (p.var.0, vars(e))).collect();
        assert_eq!(params, [(13, vec![2, 17]), (14, vec![1, 13]), (15, vec![0, 15])]);
        assert!(exp.has_bodies());
        // the first values and the bound; not what the body uses
        assert_eq!(exp.operands(), [Var(2), Var(1), Var(0), Var(0)]);
    }

    #[test]
    fn results_of_branches_and_calls() {
        let stms = stms(
            "let (a_10: [n_0]f64) = if c_4 then { in (xs_1) } else { in (ys_2) }
             let (b_11: [n_0]f64) = call \"g\" (xs_1, n_0)",
        );
        assert_eq!(stms.iter().map(|s| vars(s.exp.aliases(0))).collect::<Vec<_>>(), [vec![1, 2], vec![1, 0]]);
        assert_eq!(stms.iter().flat_map(Stm::fresh).count(), 0);
        assert!(stms[1].exp.results_alias() && !stms[0].exp.results_alias());
        assert_eq!((stms[0].exp.consumes(), stms[1].exp.consumes()), (vec![], vec![Var(1), Var(0)]));
        assert!(!stms[1].exp.has_bodies());
    }
}
