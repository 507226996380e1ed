//! From a program that fails to a small one that still does.
//!
//! [`candidates`] are programs with something left out, the boldest first; [`smallest`] takes the first that still fails and starts anew. A candidate
//! need not mean what the program means, only be well-formed.

use crate::compiled::catch;
use crate::generate::{ENTRY, Generated};
use crate::random::rebuilt;
use crate::stages::context;
use crate::suite::STREAM;
use futi_core::driver::pipeline::{DCE, INLINE, SIMPLIFY};
use futi_core::entry::arguments;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::hash::HashMap;
use futi_core::ir::build::Vars;
use futi_core::ir::visit::{Visit, VisitMut, walk_stm, walk_stm_mut};
use futi_core::ir::*;
use futi_core::prim::Scalar;
use futi_core::value::Value;
use futi_interp::Code;
use quickcheck::Arbitrary;

/// How many candidates are tried at most.
const TRIES: usize = 3000;

/// The smallest program that was found for which `fails` holds; it holds for the one given.
pub fn smallest(from: &Generated, mut fails: impl FnMut(&Generated) -> bool) -> Generated {
    let mut best = from.clone();
    let mut tries = 0;
    loop {
        let next = candidates(&best).take(TRIES - tries).inspect(|_| tries += 1).find(|candidate| fails(candidate));
        match next {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Generated programs can be used with `quickcheck` alone.
impl Arbitrary for Generated {
    fn arbitrary(g: &mut quickcheck::Gen) -> Generated {
        let profile = crate::generate::ir::Profile::Everything;
        let weights = crate::generate::ir::Weights::of(profile);
        crate::generate::ir::program(profile, &weights, g.size(), u64::arbitrary(g))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Generated>> {
        let all: Vec<Generated> = candidates(self).collect();
        Box::new(all.into_iter())
    }
}

/// Smaller programs and inputs, each well-formed, the boldest first.
pub fn candidates(from: &Generated) -> impl Iterator<Item = Generated> + '_ {
    let results = from.program.entry(ENTRY).map_or(0, |f| f.body.result.len());
    let statements = count(&from.program);
    let runs = std::iter::successors(Some(statements.next_power_of_two()), |n| (*n > 1).then_some(n / 2));
    let without = runs.flat_map(move |length| (0..statements.div_ceil(length)).map(move |i| (i * length, length)));
    let passes = [INLINE, DCE, SIMPLIFY].into_iter().filter_map(|p| p.alone(from.program.clone()).ok());
    let fewer = (0..results).filter_map(|i| without_result(&from.program, i));
    let emptied = without.map(|(at, length)| edited(&from.program, at..at + length, Edit::Forget));
    let each = move |edit| (0..statements).map(move |i| edited(&from.program, i..i + 1, edit));
    let programs = std::iter::once(placeless(&from.program))
        .chain(passes)
        .chain(fewer)
        .chain(emptied)
        .chain(each(Edit::Yes))
        .chain(each(Edit::No))
        .chain(each(Edit::Forward));
    let before = weight(&from.program);
    let tidied = programs.map(tidy).filter(move |p| weight(p) < before && check::errors(p).is_empty());
    let programs = tidied.map(|program| Generated { program, args: from.args.clone() });
    programs.chain(inputs(from))
}

/// What a program is made of, in numbers.
fn weight(program: &Program) -> usize {
    program.to_string().len()
}

/// The program without names for operands and what is dead, unless that is ill-formed.
fn tidy(program: Program) -> Program {
    let mut tidied = program.clone();
    let mut names = Names(HashMap::default());
    tidied.funs.iter_mut().for_each(|f| names.body(&mut f.body));
    match DCE.alone(tidied) {
        Ok(tidied) if check::errors(&tidied).is_empty() => tidied,
        _ => program,
    }
}

/// What stands for a variable that is a name for an operand.
struct Names(HashMap<Var, SubExp>);

impl VisitMut for Names {
    fn stm(&mut self, stm: &mut Stm) {
        walk_stm_mut(self, stm);
        if let (Exp::SubExp(e), [p], []) = (&stm.exp, &stm.pat[..], &stm.certs[..]) {
            self.0.insert(p.var, *e);
        }
    }
    fn subexp(&mut self, e: &mut SubExp) {
        *e = e.as_var().and_then(|v| self.0.get(&v)).copied().unwrap_or(*e);
    }
    fn dim(&mut self, d: &mut Dim) {
        if let Dim::Var(v) = d {
            *d = self.0.get(v).and_then(|e| Dim::from_subexp(*e)).unwrap_or(*d);
        }
    }
    fn var(&mut self, v: &mut Var) {
        *v = self.0.get(v).and_then(|e| e.as_var()).unwrap_or(*v);
    }
}

/// The program without places in a source.
fn placeless(program: &Program) -> Program {
    struct Forget;
    impl VisitMut for Forget {
        fn stm(&mut self, stm: &mut Stm) {
            stm.prov = Prov::UNKNOWN;
            walk_stm_mut(self, stm);
        }
    }
    let mut program = program.clone();
    program.prov = ProvTable::default();
    program.funs.iter_mut().for_each(|f| Forget.body(&mut f.body));
    program
}

/// How many statements, those inside of others included.
struct Count(usize);

impl Visit for Count {
    fn stm(&mut self, stm: &Stm) {
        self.0 += 1;
        walk_stm(self, stm);
    }
}

fn count(program: &Program) -> usize {
    let mut count = Count(0);
    program.funs.iter().for_each(|f| count.body(&f.body));
    count.0
}

/// What becomes of a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// Its results are zeros, ones for sizes; a check always holds.
    Forget,
    /// The condition of a branch is true.
    Yes,
    /// It is false; a loop is not entered.
    No,
    /// Its result is one of its operands.
    Forward,
}

/// The program with the statements of these numbers, in the order of their text, edited.
fn edited(program: &Program, which: std::ops::Range<usize>, edit: Edit) -> Program {
    let mut program = program.clone();
    let mut vars = Vars::of(&program);
    let mut editor = Editor { vars: &mut vars, which, edit, at: 0 };
    program.funs.iter_mut().for_each(|f| editor.body(&mut f.body));
    program
}

struct Editor<'a> {
    vars: &'a mut Vars,
    which: std::ops::Range<usize>,
    edit: Edit,
    at: usize,
}

impl VisitMut for Editor<'_> {
    fn body(&mut self, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            let chosen = self.which.contains(&self.at);
            self.at += 1;
            if chosen && let Some(simpler) = self.simpler(&stm) {
                stms.extend(simpler);
                let mut inside = Count(0);
                walk_stm(&mut inside, &stm);
                self.at += inside.0;
            } else {
                self.stm(&mut stm);
                stms.push(stm);
            }
        }
        body.stms = stms;
    }
}

impl Editor<'_> {
    /// What stands for the statement; none if nothing can.
    fn simpler(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let with = |pat: &Binder, exp: Exp| Stm {
            pat: vec![pat.clone()],
            exp,
            certs: Vec::new(),
            attrs: Vec::new(),
            prov: stm.prov,
        };
        match self.edit {
            Edit::Forget => stm.pat.iter().map(|p| Some(with(p, neutral(p, stm)?))).collect(),
            Edit::Yes | Edit::No => match &stm.exp {
                Exp::If { yes, no, .. } => {
                    let branch = if self.edit == Edit::Yes { yes } else { no };
                    Some(spliced(stm, branch))
                }
                Exp::Match { default, .. } => Some(spliced(stm, default)),
                Exp::Loop { params, .. } if self.edit == Edit::No => {
                    let sized = stm.pat.iter().zip(params).map(|(p, param)| Some(with(p, forward(param.init, &p.ty)?)));
                    sized.collect()
                }
                _ => None,
            },
            Edit::Forward => {
                let [p] = &stm.pat[..] else { return None };
                let mut operands = Operands(Vec::new());
                operands.exp(&stm.exp);
                let fits = |e: &SubExp| e.as_var() != Some(p.var) && self.vars.type_of(*e) == p.ty;
                let operand = operands.0.into_iter().find(fits)?;
                Some(vec![with(p, forward(operand, &p.ty)?)])
            }
        }
    }
}

/// The operands of an expression that are bound outside of it.
struct Operands(Vec<SubExp>);

impl Visit for Operands {
    fn subexp(&mut self, e: &SubExp) {
        self.0.push(*e);
    }
    fn var(&mut self, v: &Var) {
        self.0.push((*v).into());
    }
    fn dim(&mut self, _: &Dim) {}
    fn ty(&mut self, _: &Type) {}
    fn lambda(&mut self, _: &Lambda) {}
    fn body(&mut self, _: &Body) {}
}

/// An operand as the value of a statement; an array as a copy, which may be consumed.
fn forward(e: SubExp, ty: &Type) -> Option<Exp> {
    match (ty, e) {
        (Type::Array(..), SubExp::Var(v)) => Some(Exp::Copy(v)),
        (Type::Scalar(_) | Type::Acc(_), e) => Some(Exp::SubExp(e)),
        _ => None,
    }
}

/// A branch in the place of the statement.
fn spliced(stm: &Stm, branch: &Body) -> Vec<Stm> {
    let ends = stm.pat.iter().zip(&branch.result).map(|(p, e)| Stm {
        pat: vec![p.clone()],
        exp: forward(*e, &p.ty).unwrap_or(Exp::SubExp(*e)),
        certs: Vec::new(),
        attrs: Vec::new(),
        prov: stm.prov,
    });
    branch.stms.iter().cloned().chain(ends).collect()
}

/// A value of the binder's type that depends on nothing.
fn neutral(p: &Binder, stm: &Stm) -> Option<Exp> {
    match (&p.ty, &stm.exp) {
        // sizes are better one than none
        (Type::Scalar(ScalarType::I64), _) => Some(Exp::SubExp(SubExp::i64(1))),
        (Type::Scalar(t), _) => Some(Exp::SubExp(t.zero().into())),
        (Type::Array(t, shape), _) => Some(Exp::Replicate { shape: shape.clone(), value: t.zero().into() }),
        (Type::Cert, Exp::Check(_)) => Some(Exp::Check(Check::Assert(Scalar::Bool(true).into(), "".into()))),
        (Type::Acc(_), Exp::UpdAcc { acc, .. }) => Some(Exp::SubExp((*acc).into())),
        (Type::Acc(_) | Type::Cert, _) => None,
    }
}

/// The program whose entry point has a result less; its sizes stay.
fn without_result(program: &Program, i: usize) -> Option<Program> {
    let mut program = program.clone();
    let fun = program.funs.iter_mut().find(|f| f.name.as_str() == ENTRY)?;
    let removed = fun.results[i].binder.var;
    let mentioned = fun.results.iter().any(|r| r.binder.ty.shape().contains(&Dim::Var(removed)));
    let sizes = fun.results.len() - fun.entry.as_ref()?.result.leaves().len();
    if mentioned || fun.results.len() < 2 {
        return None;
    }
    fun.results.remove(i);
    fun.body.result.remove(i);
    if let (Some(sig), true) = (&mut fun.entry, i >= sizes)
        && let EntryType::Tuple(types) = &mut sig.result
    {
        types.remove(i - sizes);
        if let [only] = &types[..] {
            sig.result = only.clone();
        }
    }
    Some(program)
}

/// The same program at simpler arguments.
fn inputs(from: &Generated) -> impl Iterator<Item = Generated> + '_ {
    let fun = from.program.entry(ENTRY);
    let leaves: Vec<Value> = fun.map_or(Vec::new(), |f| from.args[f.entry.as_ref().map_or(0, |s| s.sizes)..].to_vec());
    let mut tried: Vec<Vec<Value>> = Vec::new();
    // one row less of every array of that size, then simpler elements
    let mut sizes: Vec<usize> = leaves.iter().flat_map(|v| v.shape().to_vec()).filter(|n| *n > 0).collect();
    sizes.sort();
    sizes.dedup();
    for size in sizes {
        for smaller in [0, 1, size / 2, size - 1] {
            if smaller < size {
                tried.push(leaves.iter().map(|v| cut(v, size, smaller)).collect());
            }
        }
    }
    let simpler: [fn(Scalar) -> Scalar; 3] = [
        |x| x.scalar_type().zero(),
        |x| Scalar::from_i64(x.scalar_type(), 1),
        |x| match x.scalar_type() {
            t if t.is_float() => Scalar::from_f64(t, (x.to_f64() * 4.0).round() / 4.0),
            t => Scalar::from_f64(t, (x.to_f64() / 2.0).trunc()),
        },
    ];
    for (i, v) in leaves.iter().enumerate() {
        for f in simpler {
            let mut changed = leaves.clone();
            changed[i] = rebuilt(v.elem(), v.shape(), v.elements().map(f));
            tried.push(changed);
        }
    }
    let new = move |values: Vec<Value>| {
        let args = arguments(fun?, values).ok()?;
        // so that it ends
        let simpler = size_of(&args) < size_of(&from.args);
        simpler.then(|| Generated { program: from.program.clone(), args })
    };
    tried.into_iter().filter_map(new)
}

/// How simple arguments are: the length of their text.
fn size_of(args: &[Value]) -> usize {
    args.iter().map(|v| v.to_string().len()).sum()
}

/// The array with dimensions of that size made smaller.
fn cut(v: &Value, size: usize, smaller: usize) -> Value {
    let shape: Vec<usize> = v.shape().iter().map(|n| if *n == size { smaller } else { *n }).collect();
    let old = v.shape().to_vec();
    let kept = v.elements().enumerate().filter(|(i, _)| {
        let mut rest = *i;
        old.iter().zip(&shape).rev().all(|(n, m)| (rest % n < *m, rest /= n).0)
    });
    rebuilt(v.elem(), &shape, kept.map(|(_, x)| x).collect::<Vec<_>>().into_iter())
}

/// What a person needs to see the failure again: the program and its inputs, as a file that the harness runs; what is expected is what the interpreter
/// gives. The name is that of the random stream by which it failed.
pub fn witness(g: &Generated, name: &str, why: &str) -> String {
    let sizes = g.program.entry(ENTRY).and_then(|f| f.entry.as_ref()).map_or(0, |sig| sig.sizes);
    let run = || Code::new(&g.program).and_then(|code| code.call(ENTRY, g.args.clone(), &context()));
    // a panic is for the oracles to tell
    let expected = catch(run).map_or(String::new(), |results| failure(&results));
    witness_text(&g.program.to_string(), &g.args[sizes..], &expected, name, why)
}

/// The same of a program as text, with the values that a caller gives, and what is expected, as a test block has it.
pub fn witness_text(program: &str, inputs: &[Value], expected: &str, name: &str, why: &str) -> String {
    let comment: String = why.lines().map(|line| format!("-- {line}\n")).collect();
    let expected = if expected.is_empty() { String::new() } else { format!("-- {expected}\n") };
    let block = format!("-- ==\n-- entry: {ENTRY}\n-- input {{ {} }}\n{expected}", texts(inputs));
    format!("{STREAM}{name}\n{comment}{block}{program}")
}

/// Values as a test block has them.
pub fn texts(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
}

/// That the program is expected to fail, if it does so by itself: a defect of ours or a limit is not what it is meant to show.
pub fn failure(reference: &Result<Vec<Value>, RuntimeError>) -> String {
    match reference {
        Err(e) if !matches!(e.kind, FailureKind::Internal | FailureKind::Fuel | FailureKind::Memory) => {
            // a pattern ends with its line
            format!("error: {}", regex::escape(e.message.lines().next().unwrap_or_default()))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Action, Expect};
    use futi_core::ir::visit::any_exp;
    use futi_core::value::text::parse_values;
    use futi_interp::{Ctx, eval};

    const PROGRAM: &str = "futi-ir 1
        fun \"g\"(x_0: f64) -> (r_1: f64) { let (y_2: f64) = sin.f64(x_0) in (y_2) }
        entry \"main\"(n_3: i64, xs_4: [n_3]f64, k_5: i64) -> (m_6: i64, r_7: [m_6]f64, s_8: f64, t_9: i64)
          sig 1 (\"xs\": [\"n\"]f64, \"k\": i64) -> ([\"\"]f64, f64, i64) {
          let (a_10: [n_3]f64) = screma n_3 (xs_4) map \\(x_11: f64) -> (f64) {
            let (c_12: bool) = lt.f64(x_11, 0.5f64)
            let (y_13: f64) = if c_12 then { let (z_14: f64) = call \"g\"(x_11) in (z_14) } else { in (x_11) }
            in (y_13)
          }
          let (b_15: [n_3]f64) = reverse a_10
          let (d_16: f64) = loop (p_17: f64 = 1.0f64) for i_18: i64 < k_5 do {
            let (q_19: f64) = index b_15[i_18]
            let (w_20: f64) = mul.f64(p_17, q_19)
            in (w_20)
          }
          in (n_3, b_15, d_16, k_5)
        }";

    fn generated() -> Generated {
        Generated { program: PROGRAM.parse().unwrap(), args: parse_values("3i64 [0.25, 0.75, 0.5] 2i64").unwrap() }
    }

    #[test]
    fn candidates_are_well_formed_and_smaller() {
        let from = generated();
        assert_eq!(check::errors(&from.program), []);
        let all: Vec<Generated> = candidates(&from).collect();
        assert!(all.len() > 20, "{}", all.len());
        for g in &all {
            assert_eq!(check::errors(&g.program), [], "{}", g.program);
            assert!(g.program.to_string().len() <= from.program.to_string().len());
            assert_eq!(g.program.entry(ENTRY).unwrap().params.len(), g.args.len());
        }
    }

    #[test]
    fn what_has_nothing_to_do_with_the_failure_is_left_out() {
        // fails: a result that is a reversal whose first element is not zero
        let fails = |g: &Generated| {
            let result = eval(&g.program, ENTRY, &g.args, &Ctx::default());
            any_exp(&g.program, |e| matches!(e, Exp::Reverse { .. }))
                && result.is_ok_and(|r| {
                    r.iter().any(|v| v.shape().len() == 1 && v.elements().next().is_some_and(|x| x.to_f64() != 0.0))
                })
        };
        let small = smallest(&generated(), fails);
        assert!(fails(&small));
        assert_eq!(count(&small.program), 1, "{}", small.program);
        assert_eq!(small.program.funs.len(), 1);
        assert_eq!(small.args[..2], parse_values("1i64 [1.0]").unwrap(), "{:?}", small.args);
    }

    #[test]
    fn arrays_are_cut_at_their_ends() {
        let cut = |text: &str, n, m| cut(&parse_values(text).unwrap()[0], n, m).to_string();
        assert_eq!(cut("[1, 2, 3]", 3, 2), "[1i32, 2i32]");
        assert_eq!(cut("[[1, 2], [3, 4], [5, 6]]", 2, 1), "[[1i32], [3i32], [5i32]]");
        assert_eq!(cut("[[1, 2], [3, 4]]", 2, 1), "[[1i32]]");
        assert_eq!(cut("[1, 2, 3]", 2, 1), "[1i32, 2i32, 3i32]");
        assert_eq!(cut("[1]", 1, 0), "empty([0]i32)");
    }

    #[test]
    fn a_witness_is_a_program_of_the_suite() {
        let text = witness(&generated(), "generated/x:1", "a reason\nin two lines");
        let head = "-- stream: generated/x:1\n-- a reason\n-- in two lines\n-- ==\n-- entry: main\n";
        assert!(
            text.starts_with(&format!("{head}-- input {{ [0.25f64, 0.75f64, 0.5f64] 2i64 }}\nfuti-ir 1\n")),
            "{text}"
        );
        assert_eq!(text.parse::<Program>().unwrap(), generated().program);
        assert_eq!(crate::spec::parse(&text).unwrap().blocks.len(), 1);
    }

    #[test]
    fn a_program_that_fails_on_purpose_is_expected_to() {
        let body = "let (c_2: cert) = check bounds (i_0) [3] in (i_0)";
        let program =
            format!("futi-ir 1 entry \"main\"(i_0: i64) -> (r_1: i64) sig 0 (\"i\": i64) -> i64 {{ {body} }}");
        let of = |i: i64| {
            let g = Generated { program: program.parse().unwrap(), args: vec![Scalar::I64(i).into()] };
            let text = witness(&g, "x", "y");
            let Action::Run(mut run) = crate::spec::parse(&text).unwrap().blocks.remove(0).action else {
                panic!("{text}")
            };
            (run.cases.remove(0).expect, eval(&g.program, ENTRY, &g.args, &Ctx::default()))
        };
        let (Expect::Error(pattern), Err(e)) = of(3) else { panic!() };
        assert!(pattern.matches(&e.message) && e.message.contains('['), "{pattern}");
        assert!(matches!(of(2), (Expect::Success, Ok(_))));
        assert_eq!(failure(&Err(RuntimeError::internal("?"))), "");
    }
}
