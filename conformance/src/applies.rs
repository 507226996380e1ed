//! Which oracle judges which program: one predicate over the IR, [`applies`] (DESIGN.md §3, "where oracles apply"; the table by construct is
//! `docs/oracles.md`).
//!
//! Most oracles compare runs of one program and judge every program. Derivatives need floats to differentiate in. The dot-product identity and numerical
//! differentiation are about functions from floats to floats. Where the result depends on an argument through a conversion between floats and integers
//! or booleans, the derivative that the language defines is no limit of differences and no linear map of floats; there the implementations are compared
//! with each other and with literals only.
//!
//! The analysis: a variable is *active* when its derivative with respect to a float parameter of the function may be other than zero, by the table
//! of partials; it does not look at the order of statements, so that loops need no special care.

use crate::columns::Column;
use futi_core::ad::entry::floats;
use futi_core::hash::HashSet;
use futi_core::ir::visit::{Visit, free_vars, walk_stm};
use futi_core::ir::*;
use futi_core::prim::{Partial, TernOp};
use std::fmt;

/// Why an oracle does not judge a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objection {
    /// The entry point has no float parameter or no float result.
    NoFloats,
    /// An active value is converted between these types.
    Conversion(ScalarType, ScalarType, Prov),
    /// An active value goes into this operator on the bits of floats, whose derivative is zero by definition and not by differences.
    Bits(Prim, Prov),
    /// An active value goes into a function with a derivative of its own, which need not be the derivative.
    Custom(Prov),
    /// This operator is on the bits of floats narrower than `f64`: in double precision it is another function.
    Narrow(Prim, Prov),
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::NoFloats => f.write_str("no floats to differentiate in"),
            Objection::Conversion(from, to, _) => write!(f, "the result depends on a conversion from {from} to {to}"),
            Objection::Bits(op, _) => write!(f, "the result depends on the bits of a float, by {op}"),
            Objection::Custom(_) => write!(f, "the result depends on a function with a derivative of its own"),
            Objection::Narrow(op, _) => write!(f, "{op} has no equivalent in double precision"),
        }
    }
}

/// Whether an oracle judges a function of a program; why not. What a run may show besides, that it fails or that differences tell nothing, is the
/// oracle's own affair.
///
/// # Errors
/// The first reason.
pub fn applies(column: Column, program: &Program, fun: &Fun) -> Result<(), Objection> {
    let reason = match column {
        // they compare results or failures, whatever the program does
        Column::Expected | Column::Interp | Column::Strict | Column::Determinism | Column::Errors => None,
        Column::Metamorphic | Column::Reference | Column::Passes | Column::Backend => None,
        Column::ByDefinition | Column::Identity | Column::Numerics if floats(fun).is_none() => {
            Some(Objection::NoFloats)
        }
        // two implementations of one definition
        Column::ByDefinition => None,
        Column::Identity => objection(program, fun),
        Column::Numerics => objection(program, fun).or_else(|| narrow(program)),
    };
    reason.map_or(Ok(()), Err)
}

/// Why neither the dot-product identity nor numerical differentiation judges the derivative of a function; none if they do.
fn objection(program: &Program, fun: &Fun) -> Option<Objection> {
    let mut a = Active { program, active: HashSet::default(), changed: false, objection: None };
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

/// Why double precision tells nothing of a program of narrower floats; none if it does.
pub fn narrow(program: &Program) -> Option<Objection> {
    struct Find(Option<Objection>);
    impl Visit for Find {
        fn stm(&mut self, stm: &Stm) {
            if let Exp::Prim(op, _) = stm.exp
                && let Some(t) = of_bits(op).filter(|t| *t != ScalarType::F64)
                && t.is_float()
            {
                self.0.get_or_insert(Objection::Narrow(op, stm.prov));
            }
            walk_stm(self, stm);
        }
    }
    let mut find = Find(None);
    program.funs.iter().for_each(|f| find.body(&f.body));
    find.0
}

/// The type whose representation the operator shows, if it is of that kind.
fn of_bits(op: Prim) -> Option<ScalarType> {
    match op {
        Prim::Un(UnOp::ToBits | UnOp::FromBits, t)
        | Prim::Bin(BinOp::GetBit | BinOp::Nextafter, t)
        | Prim::Tern(TernOp::SetBit, t) => Some(t),
        _ => None,
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
                let operands = c.args.iter().copied().chain(free_vars(&c.lambda).into_iter().map(SubExp::Var));
                if (c.vjp.is_some() || c.jvp.is_some()) && operands.into_iter().any(|e| self.is(e)) {
                    self.objection.get_or_insert(Objection::Custom(stm.prov));
                }
                self.flow(c.args.iter().copied(), &vars(&c.lambda.params));
                self.flow(c.lambda.body.result[c.saved..].iter().copied(), &pat);
            }
            Exp::SegOp(s) => {
                let dests = s.dests().iter().map(|d| SubExp::Var(d.array));
                let sources: Vec<SubExp> = s.body.result.iter().copied().chain(dests).collect();
                for op in s.operators() {
                    let inside = sources.iter().chain(&op.neutral).chain(&op.lambda.body.result).copied();
                    self.any(inside.clone(), &vars(&op.lambda.params));
                    self.any(inside, &pat);
                }
                self.any(sources, &pat);
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
            if !self.is(*arg) {
                continue;
            }
            // the float whose bits are set moves the result, though its derivative is zero
            if let (Prim::Tern(TernOp::SetBit, t), 1) = (op, i)
                && t.is_float()
            {
                self.objection.get_or_insert(Objection::Bits(op, prov));
            }
            if is_zero(&op.partial(i)) {
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
    fn bits_and_derivatives_of_ones_own_are_not() {
        let set = "let (y_3: f64) = set_bit.f64(3i32, x_0, 1i32) in (y_3)";
        assert_eq!(judged(set).unwrap(), "the result depends on the bits of a float, by set_bit.f64");
        assert_eq!(judged("let (y_3: f64) = nextafter.f64(x_0, 1.0f64) in (y_3)"), None);
        let custom = |rule: &str, arg: &str| {
            judged(&format!(
                "let (y_3: f64) = custom \\(p_4: f64) -> (f64) {{ in (p_4) }} saved 0 {rule} at ({arg}) in (y_3)"
            ))
        };
        let rule = "vjp \\(s_5: f64) -> (f64) { in (0.0f64) }";
        assert!(custom(rule, "x_0").is_some());
        assert_eq!(custom(rule, "1.0f64"), None);
        assert_eq!(custom("", "x_0"), None);
    }

    #[test]
    fn bits_of_narrow_floats_are_no_matter_of_double_precision() {
        let narrowed = |op: &str| {
            let text = format!(
                "futi-ir 1\nfun \"f\"(x_0: f32, h_1: f16, d_2: f64, u_3: u32) -> () {{ let (y_4: {op} in () }}"
            );
            let program: Program = text.parse().unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            narrow(&program).map(|o| o.to_string())
        };
        let get = "get_bit.f32 has no equivalent in double precision";
        assert_eq!(narrowed("i32) = get_bit.f32(3i32, x_0)").as_deref(), Some(get));
        assert!(narrowed("f32) = set_bit.f32(3i32, x_0, 1i32)").is_some());
        assert!(narrowed("f16) = nextafter.f16(h_1, h_1)").is_some());
        assert!(narrowed("u32) = to_bits.f32(x_0)").is_some());
        assert!(narrowed("f32) = from_bits.f32(u_3)").is_some());
        assert_eq!(narrowed("i32) = get_bit.f64(3i32, d_2)"), None);
        assert_eq!(narrowed("i32) = get_bit.u32(3i32, u_3)"), None);
        assert_eq!(narrowed("f32) = sin.f32(x_0)"), None);
    }

    /// Constructs and functions of x : f64, y : f32 and n : i64 that have them.
    const CONSTRUCTS: [(&str, &str, &str); 13] = [
        ("a function without a float parameter or result", "i64", "in (n_1)"),
        ("arithmetic of floats, SOACs, loops, branches, checks", "f64", "let (y_4: f64) = mul.f64(x_0, x_0) in (y_4)"),
        ("conversion of what depends on no float", "f64", "let (y_4: f64) = conv.i64.f64(n_1) in (y_4)"),
        (
            "comparison of floats, rounding to a whole number",
            "f64",
            "let (f_4: f64) = floor.f64(x_0) let (i_5: i64) = conv.f64.i64(f_4) let (y_6: f64) = conv.i64.f64(i_5) in (y_6)",
        ),
        ("conversion of a float to an integer", "i64", "let (i_4: i64) = conv.f64.i64(x_0) in (i_4)"),
        (
            "conversion of a float to an integer and back",
            "f64",
            "let (i_4: i64) = conv.f64.i64(x_0) let (y_5: f64) = conv.i64.f64(i_4) in (y_5)",
        ),
        (
            "conversion of a float to a boolean and back",
            "f64",
            "let (b_4: bool) = conv.f64.bool(x_0) let (y_5: f64) = conv.bool.f64(b_4) in (y_5)",
        ),
        (
            "division, remainder of integers that depend on a float",
            "f64",
            "let (i_4: i64) = conv.f64.i64(x_0) let (c_7: cert) = check nonzero n_1
             let (j_5: i64) = div.i64(i_4, n_1) certs (c_7) let (y_6: f64) = conv.i64.f64(j_5) in (y_6)",
        ),
        (
            "`to_bits` and `from_bits` of `f64`",
            "f64",
            "let (u_4: u64) = to_bits.f64(x_0) let (y_5: f64) = from_bits.f64(u_4) in (y_5)",
        ),
        ("`set_bit` of `f64`", "f64", "let (y_4: f64) = set_bit.f64(3i32, x_0, 1i32) in (y_4)"),
        ("`nextafter`, `get_bit` of `f64`", "f64", "let (y_4: f64) = nextafter.f64(x_0, 1.0f64) in (y_4)"),
        ("bits of `f32`, `f16`", "f32", "let (z_4: f32) = nextafter.f32(y_3, y_3) in (z_4)"),
        (
            "a function with a derivative of its own",
            "f64",
            "let (y_4: f64) = custom \\(p_5: f64) -> (f64) { in (p_5) } saved 0 vjp \\(s_6: f64) -> (f64) { in (0.0f64) }
             at (x_0) in (y_4)",
        ),
    ];

    /// The table of `docs/oracles.md`, which is written anew with `FUTI_BLESS=1`.
    #[test]
    fn the_table_of_the_book_is_this_predicate() {
        let mut table = String::from("| the result depends on |");
        Column::ALL.iter().for_each(|c| table.push_str(&format!(" {} |", c.name())));
        table.push_str(&format!("\n|---|{}\n", ":-:|".repeat(Column::ALL.len())));
        for (what, result, body) in CONSTRUCTS {
            let text = format!(
                "futi-ir 1\nentry \"main\"(x_0: f64, n_1: i64, y_3: f32) -> (r_2: {result})
                 sig 0 (\"x\": f64, \"n\": i64, \"y\": f32) -> {result} {{ {body} }}"
            );
            let program: Program = text.parse().unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            table.push_str(&format!("| {what} |"));
            for column in Column::ALL {
                let judges = applies(column, &program, &program.funs[0]).is_ok();
                table.push_str(if judges { " ✓ |" } else { " – |" });
            }
            table.push('\n');
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/oracles.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (begin, end) = (page.find("| the result").unwrap(), page.rfind("|\n").unwrap() + 2);
        if std::env::var_os("FUTI_BLESS").is_some() {
            std::fs::write(path, format!("{}{table}{}", &page[..begin], &page[end..])).unwrap();
        } else {
            assert_eq!(&page[begin..end], table, "write it anew with FUTI_BLESS=1");
        }
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
}
