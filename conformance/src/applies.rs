//! Which oracle judges which program: one predicate over the IR (DESIGN.md §3, "where oracles apply").
//!
//! The dot-product identity and numerical differentiation are about functions from floats to floats. Where the result depends on an argument through
//! a conversion between floats and integers or booleans, the derivative that the language defines is no limit of differences and no linear map of
//! floats; there the implementations are compared with each other and with literals only.
//!
//! The analysis: a variable is *active* when its derivative with respect to a float parameter of the function may be other than zero, by the table
//! of partials; it does not look at the order of statements, so that loops need no special care.

use futi_core::ir::visit::{Visit, free_vars, walk_stm};
use futi_core::ir::*;
use futi_core::prim::Partial;
use std::collections::HashSet;
use std::fmt;

/// Why an oracle does not judge a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objection {
    /// An active value is converted between these types.
    Conversion(ScalarType, ScalarType, Prov),
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::Conversion(from, to, _) => write!(f, "the result depends on a conversion from {from} to {to}"),
        }
    }
}

/// The float parameters and float results of an entry point, as positions in the IR function's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floats {
    /// Parameters.
    pub params: Vec<usize>,
    /// Results.
    pub results: Vec<usize>,
}

/// What an entry point can be differentiated in; none if it has no float parameter or no float result.
pub fn floats(fun: &Fun) -> Option<Floats> {
    let params = fun.params.iter().map(|p| &p.binder.ty).enumerate();
    let results = fun.results.iter().map(|r| &r.binder.ty).enumerate();
    let params: Vec<usize> = params.filter(|(_, t)| t.is_float()).map(|(i, _)| i).collect();
    let results: Vec<usize> = results.filter(|(_, t)| t.is_float()).map(|(i, _)| i).collect();
    (!params.is_empty() && !results.is_empty()).then_some(Floats { params, results })
}

/// Why neither the dot-product identity nor numerical differentiation judges the derivative of a function; none if they do.
pub fn objection(program: &Program, fun: &Fun) -> Option<Objection> {
    let mut a = Active { program, active: HashSet::new(), changed: false, objection: None };
    let floats = fun.params.iter().filter(|p| p.binder.ty.is_float());
    a.active.extend(floats.map(|p| p.binder.var));
    loop {
        a.changed = false;
        program.funs.iter().for_each(|f| a.body(&f.body));
        if !a.changed {
            return a.objection;
        }
    }
}

struct Active<'a> {
    program: &'a Program,
    active: HashSet<Var>,
    changed: bool,
    objection: Option<Objection>,
}

impl Active<'_> {
    fn is(&self, e: SubExp) -> bool {
        e.as_var().is_some_and(|v| self.active.contains(&v))
    }

    fn mark(&mut self, v: Var) {
        self.changed |= self.active.insert(v);
    }

    /// Each target is active if its source is.
    fn flow(&mut self, sources: impl IntoIterator<Item = SubExp>, targets: &[Var]) {
        for (source, target) in sources.into_iter().zip(targets) {
            if self.is(source) {
                self.mark(*target);
            }
        }
    }

    /// All targets are active if any source is.
    fn any(&mut self, sources: impl IntoIterator<Item = SubExp>, targets: &[Var]) {
        if sources.into_iter().any(|e| self.is(e)) {
            targets.iter().for_each(|v| self.mark(*v));
        }
    }

    /// What goes into an operator comes out of it, and goes in again.
    fn operator(&mut self, op: &Operator, operands: &[SubExp], targets: &[Var]) {
        let params = vars(&op.lambda.params);
        let m = op.neutral.len();
        for sources in [operands, &op.neutral, &op.lambda.body.result] {
            self.flow(sources.iter().copied(), &params[..m]);
            self.flow(sources.iter().copied(), &params[m..]);
            self.flow(sources.iter().copied(), targets);
        }
    }

    fn exp(&mut self, stm: &Stm) {
        let pat = vars(&stm.pat);
        match &stm.exp {
            Exp::Prim(op, args) => self.prim(*op, args, &pat, stm.prov),
            Exp::Check(_) | Exp::Iota { .. } | Exp::Scratch { .. } => {}
            Exp::SubExp(e) | Exp::Opaque(e) | Exp::Replicate { value: e, .. } => self.any([*e], &pat),
            Exp::ArrayLit { elems, .. } => self.any(elems.iter().copied(), &pat),
            Exp::Index { array, .. }
            | Exp::Rearrange { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Coerce { array, .. }
            | Exp::Reverse { array }
            | Exp::Slice { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Manifest { array, .. }
            | Exp::Rotate { array, .. }
            | Exp::Copy(array) => self.any([(*array).into()], &pat),
            Exp::UpdateSlice { array, value, .. } | Exp::FlatUpdate { array, value, .. } => {
                self.any([(*array).into(), (*value).into()], &pat);
            }
            Exp::Update { array, value, .. } => self.any([(*array).into(), *value], &pat),
            Exp::Concat { arrays, .. } => self.any(arrays.iter().map(|a| (*a).into()), &pat),
            Exp::Apply { fun, args } => {
                let program = self.program;
                let Some(callee) = program.fun(fun.as_str()) else { return };
                let params: Vec<Var> = callee.params.iter().map(|p| p.binder.var).collect();
                self.flow(args.iter().copied(), &params);
                self.flow(callee.body.result.iter().copied(), &pat);
            }
            Exp::If { yes, no, .. } => {
                self.flow(yes.result.iter().copied(), &pat);
                self.flow(no.result.iter().copied(), &pat);
            }
            Exp::Match { cases, default, .. } => {
                for body in cases.iter().map(|c| &c.body).chain([default]) {
                    self.flow(body.result.iter().copied(), &pat);
                }
            }
            Exp::Loop { params, body, .. } => {
                let vars: Vec<Var> = params.iter().map(|p| p.binder.var).collect();
                self.flow(params.iter().map(|p| p.init), &vars);
                self.flow(body.result.iter().copied(), &vars);
                self.flow(vars.iter().map(|v| (*v).into()), &pat);
            }
            Exp::Screma(s) => {
                self.flow(s.arrays.iter().map(|a| (*a).into()), &vars(&s.map.params));
                let mut at = 0;
                let mut values = Vec::new();
                for op in s.scans.iter().chain(&s.reduces) {
                    let operands = &s.map.body.result[at..at + op.neutral.len()];
                    self.operator(op, operands, &[]);
                    // what the operator's left operand stands for
                    values.extend(vars(&op.lambda.params[..op.neutral.len()]));
                    at += op.neutral.len();
                }
                let (scans, _) = s.operand_counts();
                let mapped = s.map.body.result[at..].iter().copied();
                let as_operands = |vs: &[Var]| vs.iter().map(|v| SubExp::Var(*v)).collect::<Vec<_>>();
                match &s.post {
                    None => self.flow(as_operands(&values).into_iter().chain(mapped), &pat),
                    Some(post) => {
                        let rows = as_operands(&values[..scans]).into_iter().chain(mapped);
                        self.flow(rows, &vars(&post.params));
                        let reduced = as_operands(&values[scans..]).into_iter();
                        self.flow(reduced.chain(post.body.result.iter().copied()), &pat);
                    }
                }
            }
            Exp::Hist(h) => {
                self.flow(h.arrays.iter().map(|a| (*a).into()), &vars(&h.map.params));
                let mut at = h.ops.iter().map(|op| op.shape.len()).sum();
                self.histograms(&h.ops, &h.map.body.result, &mut at, &pat);
            }
            Exp::Scatter(s) => {
                self.flow(s.arrays.iter().map(|a| (*a).into()), &vars(&s.map.params));
                self.flow(s.dests.iter().map(|d| d.array.into()), &pat);
                let ranks: usize = s.dests.iter().map(|d| d.shape.len()).sum();
                self.flow(s.map.body.result[ranks..].iter().copied(), &pat);
            }
            Exp::Stream(s) => {
                let params = vars(&s.lambda.params);
                let (accs, chunks) = params[1..].split_at(params.len() - 1 - s.arrays.len());
                self.flow(s.arrays.iter().map(|a| (*a).into()), chunks);
                let result = s.lambda.body.result.clone();
                match &s.form {
                    StreamForm::Seq(init) => {
                        self.flow(init.iter().copied(), accs);
                        self.flow(result.iter().copied(), accs);
                        self.flow(init.iter().copied(), &pat);
                    }
                    StreamForm::Par(op) => self.operator(op, &result[..op.neutral.len()], &pat[..op.neutral.len()]),
                }
                self.flow(result, &pat);
            }
            Exp::FlatMap(f) => {
                self.flow(f.arrays.iter().map(|a| (*a).into()), &vars(&f.lambda.params));
                // shape, flags and offsets come between the size and the arrays
                self.flow(f.lambda.body.result[1..].iter().copied(), &pat[4..]);
            }
            Exp::WithAcc(w) => self.with_acc(w, &pat),
            Exp::UpdAcc { acc, values, .. } => self.any(values.iter().copied().chain([(*acc).into()]), &pat),
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                self.flow(ad.args.iter().copied(), &vars(&ad.lambda.params));
                let free = free_vars(&ad.lambda).into_iter().map(SubExp::Var);
                self.any(ad.args.iter().chain(&ad.seeds).copied().chain(free), &pat);
            }
            Exp::Custom(c) => {
                self.flow(c.args.iter().copied(), &vars(&c.lambda.params));
                self.flow(c.lambda.body.result[c.saved..].iter().copied(), &pat);
            }
            Exp::SegOp(s) => {
                let dests = s.hists.iter().flat_map(|h| h.dests.iter().map(|a| SubExp::Var(*a)));
                self.any(s.body.result.iter().copied().chain(dests), &pat);
            }
        }
    }

    /// The destinations of histograms, whose values begin among the operands at `at`.
    fn histograms(&mut self, ops: &[HistOp], operands: &[SubExp], at: &mut usize, pat: &[Var]) {
        let mut out = 0;
        for h in ops {
            let m = h.dests.len();
            let params = vars(&h.op.lambda.params);
            let dests: Vec<SubExp> = h.dests.iter().map(|a| (*a).into()).collect();
            self.flow(dests.iter().copied(), &params[..m]);
            self.flow(dests, &pat[out..out + m]);
            self.operator(&h.op, &operands[*at..*at + m], &pat[out..out + m]);
            *at += m;
            out += m;
        }
    }

    fn prim(&mut self, op: Prim, args: &[SubExp], pat: &[Var], prov: Prov) {
        for (i, arg) in args.iter().enumerate() {
            if !self.is(*arg) || is_zero(&op.partial(i)) {
                continue;
            }
            if let Prim::Conv(from, to) = op
                && from.is_float() != to.is_float()
            {
                self.objection.get_or_insert(Objection::Conversion(from, to, prov));
            }
            if let Prim::Un(UnOp::ToBits | UnOp::FromBits, _) = op
                && let Some((from, to)) = op.signature().map(|(args, to)| (args[0], to))
            {
                self.objection.get_or_insert(Objection::Conversion(from, to, prov));
            }
            pat.iter().for_each(|v| self.mark(*v));
        }
    }

    /// An accumulator is active once an active value goes into it, wherever: its parameter stands for it inside.
    fn with_acc(&mut self, w: &WithAcc, pat: &[Var]) {
        let mut at = 0;
        for (i, input) in w.inputs.iter().enumerate() {
            let end = at + input.arrays.len();
            let inside = w.lambda.body.result[i];
            let arrays: Vec<SubExp> = input.arrays.iter().map(|a| (*a).into()).collect();
            self.any(arrays.into_iter().chain([inside]), &pat[at..end]);
            self.operator(&input.op, &vec![inside; input.arrays.len()], &[]);
            at = end;
        }
        self.flow(w.lambda.body.result[w.inputs.len()..].iter().copied(), &pat[at..]);
    }
}

impl Visit for Active<'_> {
    fn stm(&mut self, stm: &Stm) {
        self.exp(stm);
        walk_stm(self, stm);
    }
}

fn vars(binders: &[Binder]) -> Vec<Var> {
    binders.iter().map(|b| b.var).collect()
}

fn is_zero(partial: &Partial) -> bool {
    match partial {
        Partial::Zero => true,
        Partial::If(_, yes, no) => is_zero(yes) && is_zero(no),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The objection to `main`, a function of x : f64 and n : i64 whose body is this.
    fn judged(body: &str) -> Option<String> {
        let text = format!(
            "futi-ir 1\nentry \"main\"(x_0: f64, n_1: i64) -> (r_2: f64) sig 0 (\"x\": f64, \"n\": i64) -> f64 {{\n{body}\n}}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        objection(&program, &program.funs[0]).map(|o| o.to_string())
    }

    #[test]
    fn a_conversion_of_what_does_not_depend_on_a_float_is_fine() {
        assert_eq!(judged("let (t_3: f64) = conv.i64.f64(n_1) let (y_4: f64) = mul.f64(x_0, t_3) in (y_4)"), None);
    }

    #[test]
    fn a_conversion_of_what_does_is_not() {
        let round_trip = "let (i_3: i64) = conv.f64.i64(x_0) let (y_4: f64) = conv.i64.f64(i_3) in (y_4)";
        assert_eq!(judged(round_trip).unwrap(), "the result depends on a conversion from f64 to i64");
    }

    #[test]
    fn comparisons_and_roundings_pass_nothing_on() {
        let floor =
            "let (f_3: f64) = floor.f64(x_0) let (i_4: i64) = conv.f64.i64(f_3) let (t_5: f64) = conv.i64.f64(i_4)
                     let (y_6: f64) = mul.f64(x_0, t_5) in (y_6)";
        assert_eq!(judged(floor), None);
        let step = "let (b_3: bool) = lt.f64(x_0, 1.0f64) let (t_4: f64) = conv.bool.f64(b_3)
                    let (y_5: f64) = mul.f64(x_0, t_4) in (y_5)";
        assert_eq!(judged(step), None);
    }

    #[test]
    fn it_is_found_around_a_loop() {
        let text = "let (a_3: f64, b_4: f64) = loop (p_5: f64 = 1.0f64, q_6: f64 = x_0) for i_7: i64 < n_1 do {
                      let (i_8: i64) = conv.f64.i64(p_5)
                      let (r_9: f64) = conv.i64.f64(i_8)
                      in (q_6, r_9)
                    } in (b_4)";
        assert!(judged(text).is_some());
    }

    #[test]
    fn floats_are_found() {
        let program: Program =
            "futi-ir 1\nentry \"f\"(n_0: i64, xs_1: [n_0]f32, k_2: i64) -> (a_3: i64, b_4: [n_0]f32) sig 1 (\"x\": [\"n\"]f32, \"k\": i64) -> (i64, [\"n\"]f32) { in (k_2, xs_1) }"
                .parse()
                .unwrap();
        assert_eq!(floats(&program.funs[0]), Some(Floats { params: vec![1], results: vec![1] }));
    }
}
