//! Loops of little work a round: one invocation runs many rounds, with all that would be nests, and saves the launches. There are two versions of such a loop, of which the sizes choose at run time.

// Note [Rounds of one launch]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Some drivers leave an invocation's loops after a number of rounds, of all its loops together (`Tuning::Rounds`), so that a launch has as many rounds of the loop as are sure to fit: the host has a loop of
// launches, each with the rounds from where the last one has ended. Each element of an array that is made, in each round, is written in a loop, and copied in another one at most where it
// becomes the parameter of a loop; a nest has loops for its outer dimensions, too. So rounds are counted four times as many as points.

use super::host::{Lowering, ONE, Val, op, product};
use super::launch::at_most;
use super::pending::is_parallel;
use crate::host::ir::{Exp, Tuning};
use futi_core::hash::HashSet;
use futi_core::ir::build::Builder;
use futi_core::ir::rename::renamed;
use futi_core::ir::visit::Visit;
use futi_core::ir::{
    BinOp, Binder, Body, Dim, Exp as Ir, Lambda, LoopForm, LoopParam, Operator, Prim, ScalarType, Stm, SubExp, Type,
    Var,
};

/// The most statements that a round may have: of more, the kernel would take long to compile.
const MOST_STATEMENTS: usize = 1000;

/// The most rounds of loops in a launch, so that a run can be stopped.
const MOST_ROUNDS: i64 = 1 << 20;

/// A loop in two versions.
pub(super) struct Versions {
    /// Whether it is the first one that is to be taken.
    pub cond: Exp,
    /// Loops of one invocation each, in a loop of the host's.
    pub whole: Body,
    /// The loop as it was.
    pub plain: Body,
}

/// How much work a round of a loop is.
struct Work<'a> {
    lowering: &'a Lowering,
    /// What is bound inside.
    bound: HashSet<Var>,
    /// Points of nests, and elements that are made.
    points: Vec<Exp>,
    statements: usize,
}

impl Lowering {
    /// The versions of a counting loop at host level, if it may be one invocation's.
    pub(super) fn versions(
        &mut self,
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
        pats: &[Binder],
    ) -> Option<Versions> {
        let LoopForm::For { index, bound } = form else { return None };
        let whole = Ir::Loop { params: params.to_vec(), form: form.clone(), body: body.clone() };
        let counts = index.ty == Type::I64 && matches!(self.operand(*bound), Val::Scalar(_));
        // mutant swap: a version of a loop with an accumulator and other results would be as good
        if !counts || !is_parallel(&whole) || pats.iter().any(|pat| matches!(pat.ty, Type::Acc(_))) {
            return None;
        }
        let mut work = Work { lowering: self, bound: bound_in(&whole), points: vec![], statements: 0 };
        work.carried(params, &ONE)?;
        work.body(body, &ONE)?;
        let (points, statements) = (work.points, work.statements);
        // mutant comparison: one fewer would be few as well
        if statements > MOST_STATEMENTS {
            return None;
        }
        let points = points.into_iter().fold(ONE, |a, b| op(BinOp::Add, a, b));
        let points = self.named("points", points);
        // mutant: it is a guess at how long a round takes
        let rounds = op(BinOp::Add, op(BinOp::Mul, points.clone(), Exp::i64(4)), Exp::i64(8 * statements as i64));
        // mutant: it is a guess at how long a round takes
        let most = op(BinOp::Quot, op(BinOp::Min, Exp::Tuning(Tuning::Rounds), Exp::i64(MOST_ROUNDS)), Exp::i64(2));
        let each = self.named("each", op(BinOp::Max, op(BinOp::Quot, most, rounds), ONE));
        let before = op(BinOp::Sub, each.clone(), ONE);
        let all = self.host(*bound);
        let launches = self.named("launches", op(BinOp::Quot, op(BinOp::Add, all, before), each.clone()));
        let [each, launches] = [("each", each), ("launches", launches)].map(|(name, value)| {
            let var = self.vars.fresh(name, Type::I64).var;
            self.env.insert(var, Val::Scalar(value));
            SubExp::Var(var)
        });
        let cond = at_most(points, Exp::Tuning(Tuning::WholeLoops));
        let whole = self.in_launches(params, index, *bound, body, [each, launches]);
        let results: Vec<Binder> = pats.iter().map(|p| self.vars.fresh(p.name.clone(), p.ty.clone())).collect();
        let plain = Ir::Loop { params: params.to_vec(), form: form.clone(), body: body.clone() };
        let plain = self.only(results, plain);
        self.in_versions.extend(plain.stms[0].pat.iter().map(|p| p.var));
        Some(Versions { cond, whole, plain })
    }

    /// A loop of so many launches, each with so many rounds of a loop.
    fn in_launches(
        &mut self,
        params: &[LoopParam],
        index: &Binder,
        bound: SubExp,
        body: &Body,
        [each, launches]: [SubExp; 2],
    ) -> Body {
        let launch = self.vars.fresh("launch", Type::I64);
        let round = self.vars.fresh("round", Type::I64);
        let outer: Vec<LoopParam> = params
            .iter()
            .map(|p| LoopParam { binder: self.vars.fresh(p.binder.name.clone(), p.binder.ty.clone()), ..p.clone() })
            .collect();
        let mut inner: Vec<LoopParam> = params.to_vec();
        inner.iter_mut().zip(&outer).for_each(|(p, outer)| p.init = outer.binder.var.into());
        let ends: Vec<Binder> =
            params.iter().map(|p| self.vars.fresh(p.binder.name.clone(), p.binder.ty.clone())).collect();
        let prov = self.prov;
        let mut b = Builder::new(&mut self.vars, prov);
        let first = b.int(BinOp::Mul, launch.var.into(), each);
        let left = b.int(BinOp::Sub, bound, first);
        let rounds = b.int(BinOp::Min, left, each);
        let mut stms = std::mem::take(&mut b.stms);
        // the index of the loop is that of its first round and so many more
        let add = Prim::Bin(BinOp::Add, ScalarType::I64);
        let at = Stm {
            pat: vec![index.clone()],
            // mutant swap: a sum
            exp: Ir::Prim(add, vec![first, round.var.into()]),
            certs: vec![],
            attrs: vec![],
            prov,
        };
        let mut rounds_body = body.clone();
        rounds_body.stms.insert(0, at);
        let form = LoopForm::For { index: round, bound: rounds };
        let one = Ir::Loop { params: inner, form, body: rounds_body };
        let one = renamed(&one, &mut self.vars);
        // mutant swap: any of its results will do
        self.in_one.extend(ends.first().map(|end| end.var));
        let result = ends.iter().map(|end| end.var.into()).collect();
        stms.push(Stm { pat: ends, exp: one, certs: vec![], attrs: vec![], prov });
        let results: Vec<Binder> =
            params.iter().map(|p| self.vars.fresh(p.binder.name.clone(), p.binder.ty.clone())).collect();
        let form = LoopForm::For { index: launch, bound: launches };
        let body = self.only(results, Ir::Loop { params: outer, form, body: Body { stms, result } });
        super::pending::add_uses(&mut self.uses, &body);
        body
    }

    /// A body of one statement.
    fn only(&self, pat: Vec<Binder>, exp: Ir) -> Body {
        let result = pat.iter().map(|p| p.var.into()).collect();
        Body { stms: vec![Stm { pat, exp, certs: vec![], attrs: vec![], prov: self.prov }], result }
    }
}

/// A number of rounds as an `i64`.
fn wide(rounds: Exp, ty: ScalarType) -> Option<Exp> {
    match rounds {
        Exp::Lit(x) => x.to_int().and_then(|x| i64::try_from(x).ok()).map(Exp::i64),
        e if ty == ScalarType::I64 => Some(e),
        e => Some(Exp::Prim(Prim::Conv(ty, ScalarType::I64), vec![e])),
    }
}

/// What is bound in an expression. If it is lowered again, the host may still know what that was.
fn bound_in(exp: &Ir) -> HashSet<Var> {
    struct Bound(HashSet<Var>);
    impl Visit for Bound {
        fn bind(&mut self, b: &Binder) {
            self.0.insert(b.var);
        }
    }
    let mut bound = Bound(HashSet::default());
    bound.exp(exp);
    bound.0
}

impl Work<'_> {
    /// A size that is the same in each round, and that the host has.
    fn size(&self, size: SubExp) -> Option<Exp> {
        if size.as_var().is_some_and(|var| self.bound.contains(&var)) {
            return None;
        }
        if let Val::Scalar(e) = self.lowering.operand(size) { Some(e) } else { None }
    }

    /// As many elements as an array of a shape has, so many times.
    fn elements(&self, shape: &[Dim], times: &Exp) -> Option<Exp> {
        let sizes: Option<Vec<Exp>> = shape.iter().map(|dim| self.size((*dim).into())).collect();
        Some(op(BinOp::Mul, times.clone(), product(sizes?)))
    }

    fn made(&mut self, ty: &Type, times: &Exp) -> Option<()> {
        if ty.rank() > 0 {
            let elements = self.elements(ty.shape(), times)?;
            self.points.push(elements);
        }
        Some(())
    }

    /// What a loop copies in each round.
    fn carried(&mut self, params: &[LoopParam], times: &Exp) -> Option<()> {
        // what is consumed is changed where it is, but the host has memory for it, and knows its size
        // mutant removal: a version that cannot be compiled is tried in vain
        params.iter().filter(|p| p.unique).try_for_each(|p| self.elements(p.binder.ty.shape(), &ONE).map(drop))?;
        params.iter().filter(|p| !p.unique).try_for_each(|p| self.made(&p.binder.ty, times))
    }

    fn operators(&mut self, operators: &[Operator], times: &Exp) -> Option<()> {
        operators.iter().try_for_each(|op| self.lambda(&op.lambda, times))
    }

    fn lambda(&mut self, lambda: &Lambda, times: &Exp) -> Option<()> {
        lambda.ret.iter().try_for_each(|ty| self.made(ty, times))?;
        self.body(&lambda.body, times)
    }

    fn body(&mut self, body: &Body, times: &Exp) -> Option<()> {
        body.stms.iter().try_for_each(|stm| self.stm(stm, times))
    }

    fn stm(&mut self, stm: &Stm, times: &Exp) -> Option<()> {
        self.statements += 1;
        match &stm.exp {
            Ir::SegOp(seg) => {
                let space: Vec<Dim> = seg.space.iter().map(|(_, dim)| *dim).collect();
                let points = self.elements(&space, times)?;
                self.points.push(points.clone());
                self.operators(seg.operators(), &points)?;
                self.body(&seg.body, &points)
            }
            Ir::Screma(s) if s.post.is_none() => {
                let points = self.elements(&[s.width], times)?;
                self.points.push(points.clone());
                self.operators(&s.scans, &points)?;
                self.operators(&s.reduces, &points)?;
                self.lambda(&s.map, &points)
            }
            Ir::Loop { params, form: LoopForm::For { bound, index }, body } => {
                let bound = wide(self.size(*bound)?, index.ty.elem()?)?;
                let rounds = op(BinOp::Mul, times.clone(), op(BinOp::Max, bound, ONE));
                self.points.push(rounds.clone());
                self.carried(params, &rounds)?;
                self.body(body, &rounds)
            }
            Ir::If { yes, no, .. } => {
                stm.pat.iter().try_for_each(|pat| self.made(&pat.ty, times))?;
                self.body(yes, times)?;
                self.body(no, times)
            }
            Ir::Scatter(s) => {
                let points = self.elements(&[s.width], times)?;
                self.points.push(points.clone());
                self.lambda(&s.map, &points)
            }
            Ir::WithAcc(with) => {
                let arrays: Vec<Type> =
                    with.inputs.iter().flat_map(|i| &i.arrays).map(|v| self.lowering.vars.ty(*v).clone()).collect();
                arrays.iter().try_for_each(|ty| self.made(ty, times))?;
                // how often an operator is applied is not known: it has no loops
                let plain = |stm: &Stm| matches!(stm.exp, Ir::Prim(..) | Ir::SubExp(_));
                let scalar = |op: &Operator| {
                    // mutant: it is about how long a launch takes
                    op.lambda.ret.iter().all(|ty| ty.rank() == 0) && op.lambda.body.stms.iter().all(plain)
                };
                if !with.inputs.iter().all(|input| scalar(&input.op)) {
                    return None;
                }
                self.body(&with.lambda.body, times)
            }
            Ir::UpdAcc { .. } => Some(()),
            Ir::Update { value, .. } => self.value(*value, times),
            Ir::UpdateSlice { value, .. } | Ir::FlatUpdate { value, .. } => self.value((*value).into(), times),
            Ir::SubExp(_) | Ir::Opaque(_) | Ir::Prim(..) | Ir::Check(_) => Some(()),
            Ir::Index { .. }
            | Ir::Slice { .. }
            | Ir::FlatIndex { .. }
            | Ir::Rearrange { .. }
            | Ir::Reverse { .. }
            | Ir::Coerce { .. } => Some(()),
            Ir::Iota { .. }
            | Ir::Replicate { .. }
            | Ir::Rotate { .. }
            | Ir::Concat { .. }
            | Ir::Reshape { .. }
            | Ir::Copy(_)
            | Ir::Manifest { .. }
            | Ir::ArrayLit { .. }
            | Ir::Scratch { .. } => stm.pat.iter().try_for_each(|pat| self.made(&pat.ty, times)),
            _ => None,
        }
    }

    /// A value that is written.
    fn value(&mut self, value: SubExp, times: &Exp) -> Option<()> {
        match value {
            SubExp::Lit(_) => Some(()),
            SubExp::Var(var) => self.made(&self.lowering.vars.ty(var).clone(), times),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use super::super::tests::kernels;
    use crate::exec::Executor;
    use crate::host::HostProgram;
    use crate::host::options::MemoryOptions;
    use futi_core::backend::{Backend, CallCtx, Options};
    use futi_core::value::text::parse_values;

    fn host(body: &str) -> HostProgram {
        kernels(&format!("entry main (n: i64) (k: i64) = loop xs = iota n for i < k do {body}"))
    }

    /// How many launches run 500 rounds of a loop, for an array of 4 elements, where a launch may have so many rounds of all loops.
    fn launches(host: &HostProgram, rounds: i64) -> u64 {
        let asked = Options { tuning: vec![("whole_loops".into(), 1_000_000), ("rounds".into(), rounds)] };
        let executor = Executor::default();
        let executable = executor.load(host.clone(), &asked).map_err(|e| e.len()).unwrap();
        let args = parse_values("4i64 500i64").unwrap();
        let args = args.iter().map(|arg| executor.put(arg).unwrap()).collect();
        executable.call("main", args, &CallCtx::default()).unwrap();
        executable.profile().kernels.iter().filter(|k| k.name.starts_with("scalars")).map(|k| k.launches).sum()
    }

    /// Of a round: points of nests and elements that are made, and one; and statements.
    #[test]
    fn a_launch_has_as_many_rounds_as_fit() {
        let rounds = [
            // what the loop carries, and the points of the nest
            ("map (\\x -> (x * 3 + i) % 1009) xs", 1 + 4 + 4, 5),
            // an operator's statements count once
            ("let p = reduce (\\a b -> (a * b) % 1009) 1 xs in map (+ p) xs", 1 + 3 * 4, 7),
            // a literal, and what is reduced, at each point
            ("map (\\x -> reduce (\\a b -> (a * b) % 1009) 1 (opaque [x, i, 7])) xs", 1 + 2 * 4 + 2 * 12, 8),
            // a literal, and in each of two rounds what is carried and what is scanned, of three
            (
                "map (\\x -> (loop ys = [x, i, 7] for _j < 2 do scan (\\a b -> (a * b) % 1009) 1 ys)[x % 3]) xs",
                1 + 2 * 4 + 12 + 8 + 2 * 24,
                10,
            ),
            // rounds of a loop of each point
            ("map (\\x -> loop x for j < 5 do (x * 3 + j) % 1009) xs", 1 + 2 * 4 + 20, 6),
            // which carries an array, and makes one
            (
                "map (\\x -> (loop ys = [x, i] for _j < 5 do [ys[1], (ys[0] * 3 + x) % 1009])[0]) xs",
                1 + 2 * 4 + 8 + 20 + 2 * 40,
                11,
            ),
            // what comes of a branch is made anew; both sides count
            ("if i % 3 == 0 then map (\\x -> (x * 3 + i) % 1009) xs else reverse xs", 1 + 3 * 4, 9),
            // the array of an accumulator
            ("reduce_by_index (copy xs) (+) 0 (map (% n) xs) (replicate n i)", 1 + 3 * 4, 11),
            // in each of two rounds two literals of two, and as many are written
            (
                "map (\\x -> (loop ys: *[3]i64 = replicate 3 x for j < 2 do
                    scatter ys (opaque [x % 3, i % 3]) [j, 8])[i % 3]) xs",
                1 + 2 * 4 + 12 + 8 + 3 * 16,
                14,
            ),
            // four literals of two and one of three of them, three rows that are reduced, and as many that the map gives, and the operator, and the map in that
            (
                "map (\\x -> let ys = reduce (map2 (+)) [0, 0] (opaque [[x, i], [i, x], [7, 8]]) in ys[x % 2] % 1009) xs",
                1 + 2 * 4 + 4 * 8 + 24 + 12 + 3 * 24,
                15,
            ),
        ];
        for (body, points, statements) in rounds {
            let round = 4 * points + 8 * statements;
            let host = host(body);
            // half of the rounds of all loops are for this
            assert_eq!([0, -2].map(|less| launches(&host, 2 * 500 * round + less)), [1, 2], "{body}");
        }
    }

    /// How often a loop in an operator is run nobody knows before, if that is one of two operators, too.
    #[test]
    fn an_operator_with_a_loop_is_no_part_of_a_version() {
        let text = "futi-ir 1 entry \"main\"(n_0: i64, k_1: i64) -> (r_2: [n_0]i64) sig 0 (\"n\": i64, \"k\": i64) -> [\"n\"]i64 {
              let (xs_3: [n_0]i64) = replicate [n_0] 1i64
              let (r_4: [n_0]i64) = loop (ys_5: [n_0]i64 = xs_3) for i_6: i64 < k_1 do {
                let (a_7: [n_0]i64) = copy ys_5
                let (b_8: [n_0]i64) = copy ys_5
                let (c_9: [n_0]i64, d_10: [n_0]i64) = withacc
                  input [n_0] (a_7) comm \\(x_11: i64, y_12: i64) -> (i64) { let (t_13: i64) = add.i64(x_11, y_12) in (t_13) } neutral (0i64)
                  input [n_0] (b_8) comm \\(x_14: i64, y_15: i64) -> (i64) { OPERATOR } neutral (0i64)
                  do \\(e_20: cert, f_21: cert, g_22: acc(e_20, [n_0] (i64)), h_23: acc(f_21, [n_0] (i64))) -> (acc(e_20, [n_0] (i64)), acc(f_21, [n_0] (i64))) {
                    let (p_24: acc(e_20, [n_0] (i64)), q_25: acc(f_21, [n_0] (i64))) = segop grid (l_26: i64 < n_0) -> (acc(e_20, [n_0] (i64)), acc(f_21, [n_0] (i64))) {
                      let (v_27: i64) = index ys_5[l_26]
                      let (p_28: acc(e_20, [n_0] (i64))) = updacc g_22[i_6] (v_27)
                      let (q_29: acc(f_21, [n_0] (i64))) = updacc h_23[i_6] (v_27)
                      in (p_28, q_29)
                    }
                    in (p_24, q_25)
                  }
                let (w_30: [n_0]i64) = segop grid (l_31: i64 < n_0) -> (i64) {
                  let (c_32: i64) = index c_9[l_31]
                  let (d_33: i64) = index d_10[l_31]
                  let (s_34: i64) = add.i64(c_32, d_33)
                  in (s_34)
                }
                in (w_30)
              }
              in (r_4)
            }";
        let loops = "let (t_16: i64) = loop (z_17: i64 = x_14) for j_18: i64 < y_15 do { let (u_19: i64) = add.i64(z_17, 1i64) in (u_19) } in (t_16)";
        let plain = "let (t_16: i64) = max.i64(x_14, y_15) in (t_16)";
        let versions = [loops, plain].map(|operator| {
            let host = lower(&text.replace("OPERATOR", operator).parse().unwrap(), &MemoryOptions::default());
            host.expect("kernels").to_string().contains("@whole_loops")
        });
        assert_eq!(versions, [false, true]);
    }
}
