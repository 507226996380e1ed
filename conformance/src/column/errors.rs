//! Where the program fails: the kind and the place of the failure at every stage, in derivatives, and in the backend (whose column it is that says so).
//!
//! The reference's failure is the first in evaluation order. What else may stand for it (DESIGN.md §3, "which failure"): any failure that the reference
//! would reach if other iterations of the same construct were left out, and, where the failure is of a dead value, what the program gives without
//! dead code. Nothing ever adds a failure, and a derivative fails where its primal does.

use super::backend::{self, Link};
use super::*;
use crate::subject::Derived;
use futi_core::analysis::Analyses;
use futi_core::failure::FailureKind;
use futi_core::ir::visit::{Visit, walk_stm};
use futi_core::ir::{Check, Dim, Exp, Fun, Name, Program, Prov, Stm, Type};
use futi_core::passes::inline;
use futi_core::simplify::dce;
use futi_interp::Ctx;

/// What of a failure every implementation must report: its kind, and the innermost place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What failed.
    pub kind: FailureKind,
    /// File, first byte, one past the last byte; none for code without a source.
    pub span: Option<(Name, u32, u32)>,
}

impl Witness {
    /// Of a failure whose place is in that table.
    pub fn new(e: &RuntimeError, prov: &ProvTable) -> Witness {
        Witness { kind: e.kind, span: span(e.prov, prov) }
    }
}

fn span(of: Prov, prov: &ProvTable) -> Option<(Name, u32, u32)> {
    let (file, start, end) = prov.span(of)?;
    Some((prov.files().get(file as usize)?.clone(), start, end))
}

/// Judges a case where the reference fails: the entry point, and its derivatives if these are wanted, in the interpreter at every stage.
pub fn judge(s: &Subject, derivatives: bool) -> Outcome {
    let Err(first) = &s.reference else { return Outcome::absent("the program gives results") };
    if !first.kind.is_of_program() {
        return Outcome::skipped(NOT_OF_PROGRAM);
    }
    let primal = &s.entry.primal;
    let mut verdicts = Case::new(s, "", primal, &s.args).stages(Stage::Simplified);
    for (d, args) in derived(s, derivatives) {
        let case = Case::new(s, d.mode.name(), &d.program, &args);
        verdicts.push(case.fails_as(first, &primal.program.prov));
        verdicts.extend(case.stages(Stage::Ad));
    }
    worst(verdicts)
}

/// Judges the backend where the reference fails with this: on the entry point, and on its derivatives if these are wanted.
pub(super) fn judge_backend(s: &Subject, link: &mut Link, first: &RuntimeError, derivatives: bool) -> Outcome {
    if !first.kind.is_of_program() {
        return Outcome::skipped(NOT_OF_PROGRAM);
    }
    let mut verdicts = vec![Case::new(s, "", &s.entry.primal, &s.args).backend(link)];
    for (d, args) in derived(s, derivatives) {
        verdicts.push(Case::new(s, d.mode.name(), &d.program, &args).backend(link));
    }
    worst(verdicts)
}

/// Judges results of another implementation where the reference fails: it may leave out a dead value that fails. Ours returns unknown sizes first.
pub(super) fn judge_results(s: &Subject, got: &[Value]) -> Outcome {
    let case = Case::new(s, "", &s.entry.primal, &s.args);
    let ours = case.without_dead.1.as_deref().unwrap_or_default();
    let got = [&ours[..ours.len().saturating_sub(got.len())], got].concat();
    case.verdict(None, &Ok(got), &case.program.program.prov)
}

/// How a check fails.
fn fails_as(check: &Check, kind: FailureKind) -> bool {
    let own = match check {
        Check::Assert(..) => FailureKind::Assertion,
        Check::Bounds { .. } | Check::Slice { .. } => FailureKind::Bounds,
        Check::SizeEq { .. } => FailureKind::Shape,
        Check::Shape(_) => return matches!(kind, FailureKind::NegativeSize | FailureKind::Shape),
        Check::Made(_) => return false,
        Check::NonZero(_) => FailureKind::DivisionByZero,
        Check::NonNegativeExponent(_) => FailureKind::NegativeExponent,
        Check::NonNegativeSize(_) => FailureKind::NegativeSize,
        Check::Range { .. } => FailureKind::Range,
    };
    own == kind
}

/// Why nobody judges the failure of a limit.
const NOT_OF_PROGRAM: &str = "it is not the program that fails, but a limit";

/// The derivatives that can be had where the primal gives no results, with their arguments.
fn derived<'a>(s: &Subject<'a>, wanted: bool) -> Vec<(&'a Derived, Vec<Value>)> {
    let (true, Some(derived), Some(seeds)) = (wanted, s.entry.derivatives(), seeds(s)) else { return Vec::new() };
    // the sizes of results that a derivative takes as parameters are not known
    let known = derived.iter().filter(|d| d.sizes == 0);
    known.map(|d| (d, s.derivative_args(d, Subject::seeds_of(d.mode, &seeds)))).collect()
}

/// Random directions of the shapes that parameters and results have; none where a result's size is not known before it is there.
fn seeds(s: &Subject) -> Option<(Vec<Value>, Vec<Value>)> {
    let (floats, fun) = (s.entry.floats.as_ref()?, s.entry.primal.fun()?);
    let mut rng = s.rng.clone();
    let tangents = floats.params.iter().map(|i| rng.direction_like(s.args[*i].elem(), s.args[*i].shape())).collect();
    let adjoints = floats.results.iter().map(|i| {
        let ty = &fun.results[*i].binder.ty;
        Some(rng.direction_like(ty.elem()?, &shape(ty, fun, &s.args)?))
    });
    Some((tangents, adjoints.collect::<Option<_>>()?))
}

/// The shape of a result's type, by the sizes among the arguments.
fn shape(ty: &Type, fun: &Fun, args: &[Value]) -> Option<Vec<usize>> {
    let size = |d: &Dim| match d {
        Dim::Const(n) => usize::try_from(*n).ok(),
        Dim::Var(v) => {
            let at = fun.params.iter().position(|p| p.binder.var == *v)?;
            usize::try_from(args.get(at)?.as_scalar()?.as_i64()?).ok()
        }
    };
    ty.shape().iter().map(size).collect()
}

/// A program that the reference fails with, and what may stand for its failure.
struct Case<'a> {
    s: &'a Subject<'a>,
    /// Which, for messages.
    prefix: String,
    program: &'a EntryProgram,
    args: &'a [Value],
    /// What the reference itself fails with.
    reference: Result<Vec<Value>, RuntimeError>,
    /// The failures that any implementation may report.
    allowed: Vec<Witness>,
    /// The program without dead code, and what it gives if the failure is of a dead value.
    without_dead: (EntryProgram, Option<Vec<Value>>),
}

impl<'a> Case<'a> {
    fn new(s: &'a Subject, what: &str, program: &'a EntryProgram, args: &'a [Value]) -> Case<'a> {
        let all = || Ctx { all_failures: true, ..context() };
        let (ctx, live_ctx) = (all(), all());
        let reference = program.run(args, &ctx);
        let live = dce::dce(inline::inline(program.program.clone()), &mut Analyses::default());
        let live = EntryProgram::new(&live, &program.entry, None);
        let results = live.run(args, &live_ctx).ok();
        let witness = |e: &RuntimeError, p: &Program| Witness::new(e, &p.prov);
        let allowed = ctx.failures().iter().map(|e| witness(e, &program.program)).collect::<Vec<_>>();
        let allowed =
            allowed.into_iter().chain(live_ctx.failures().iter().map(|e| witness(e, &live.program))).collect();
        let prefix = if what.is_empty() { String::new() } else { format!("{what}: ") };
        Case { s, prefix, program, args, reference, allowed, without_dead: (live, results) }
    }

    /// Whether the reference fails with this.
    fn fails_as(&self, first: &RuntimeError, prov: &ProvTable) -> Outcome {
        let own = &self.program.program.prov;
        match &self.reference {
            Err(e) if Witness::new(e, own) == Witness::new(first, prov) => Outcome::ok(),
            Err(e) => self.fail(None, self.other(e, own, &Some((first, prov))), place(self.s, e, own)),
            Ok(_) => self.fail(None, "by definition gives results where the program fails".into(), None),
        }
    }

    /// Judges the stages from this one on.
    fn stages(&self, from: Stage) -> Vec<Outcome> {
        let stages = self.program.stages(self.s.sources);
        let reached = stages.from(from).map(|staged| {
            let got = staged.code.call(self.program.entry.as_str(), self.args.to_vec(), &context());
            self.verdict(Some(staged.stage), &got, &staged.program.prov)
        });
        let stopped = stages.stopped.iter().map(|stopped| match stopped {
            Stopped::IllFormed(stage, what) => {
                self.fail(Some(*stage), format!("the program is ill-formed: {what}"), None)
            }
            Stopped::NotDifferentiable(_, what) => Outcome::no_rule(format!("{}no rule of AD for {what}", self.prefix)),
        });
        reached.chain(stopped).collect()
    }

    /// Judges the backend.
    fn backend(&self, link: &mut Link) -> Outcome {
        match backend::call(self.s, link, &self.prefix, self.program, self.args) {
            Ok((got, prov)) => self.verdict(None, &got, prov),
            Err(verdict) => verdict,
        }
    }

    /// Judges a run; no stage is the backend's.
    fn verdict(&self, stage: Option<Stage>, got: &Result<Vec<Value>, RuntimeError>, prov: &ProvTable) -> Outcome {
        let (live, results) = &self.without_dead;
        let e = match (got, results) {
            (Ok(got), Some(results)) => {
                return match Tolerance::new(live, self.args, results, &self.s.rng).compare(got) {
                    Comparison::Agrees(closeness) => Outcome::Ok { note: "dead".into(), closeness },
                    Comparison::IllConditioned(reason) => Outcome::ill_conditioned(reason),
                    Comparison::Differs(d) => self.fail(stage, format!("without the dead value that fails: {d}"), None),
                };
            }
            (Ok(_), None) => {
                let expected = self.reference.as_ref().err().map(ToString::to_string).unwrap_or_default();
                return self.fail(stage, format!("gives results, expected the failure `{expected}`"), None);
            }
            (Err(e), _) if self.allowed.contains(&Witness::new(e, prov)) => return Outcome::ok(),
            (Err(e), _) => e,
        };
        let own = &self.program.program.prov;
        let what = self.other(e, prov, &self.reference.as_ref().err().map(|e| (e, own)));
        // See Note [Failures in another order]
        if stage.is_none_or(|stage| stage >= Stage::Fused) && self.is_of_check(&Witness::new(e, prov)) {
            return Outcome::inconclusive(format!("{}{what}, perhaps in another iteration", self.prefix));
        }
        self.fail(stage, what, place(self.s, e, prov))
    }

    /// Whether the program as lowered has a check there, which fails so.
    fn is_of_check(&self, witness: &Witness) -> bool {
        struct Find<'a>(&'a ProvTable, &'a Witness, bool);
        impl Visit for Find<'_> {
            fn stm(&mut self, stm: &Stm) {
                if let Exp::Check(check) = &stm.exp {
                    self.2 |= fails_as(check, self.1.kind) && span(stm.prov, self.0) == self.1.span;
                }
                walk_stm(self, stm);
            }
        }
        if witness.span.is_none() {
            return false;
        }
        let program = &self.program.program;
        let mut find = Find(&program.prov, witness, false);
        program.funs.iter().for_each(|f| find.body(&f.body));
        find.2
    }

    fn other(&self, e: &RuntimeError, prov: &ProvTable, expected: &Option<(&RuntimeError, &ProvTable)>) -> String {
        let at = |e: &RuntimeError, prov| {
            let place = place(self.s, e, prov).unwrap_or("no place in the source".into());
            format!("`{e}` ({:?}) at {place}", e.kind)
        };
        let expected = expected.as_ref().map_or("results".into(), |(e, prov)| at(e, prov));
        format!("fails with {}, expected {expected}", at(e, prov))
    }

    fn fail(&self, stage: Option<Stage>, what: String, place: Option<String>) -> Outcome {
        let stage = stage.map(|stage| stage.name().into());
        Outcome::Fail(Failure { what: format!("{}{what}", self.prefix), stage, place })
    }
}

// Note [Failures in another order]
//
// `map f (map g xs)` fails in `g` if `g` fails anywhere; where the two maps are one, an earlier element may fail in `f` first. That is a failure which
// the reference would reach if the iterations of `g` that fail were left out, so it is allowed (docs/oracles.md); and so is that of a statement between the two, which
// the one map has to be behind. But the interpreter's list of failures ends with the construct that has failed, and does not have them. After fusion,
// the failure of another check of the program is therefore no disagreement. A failure where the program has no check is one at any stage.

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::subject::Entry;
    use futi_core::source::SourceMap;
    use futi_core::value::text::parse_values;
    use futi_interp::Code;

    /// The verdict on an entry point `main` of this text at these arguments, and that of a stage which would run the other text.
    fn judged(text: &str, args: &str, other: &str) -> (Outcome, Outcome) {
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let other: Program = other.parse().unwrap_or_else(|e| panic!("{e:?}\n{other}"));
        let (entry, args) = (Entry::new(&program, "main", None).unwrap(), parse_values(args).unwrap());
        let sources = SourceMap::new();
        let s = Subject::new(&entry, &sources, args.clone(), Rng::new(0, "test"));
        let got = Code::new(&other).unwrap().call("main", args, &context());
        let case = Case::new(&s, "", &entry.primal, &s.args);
        (judge(&s, true), case.verdict(Some(Stage::Simplified), &got, &other.prov))
    }

    /// A function of x and i, with tables.
    fn program(body: &str) -> String {
        format!(
            "futi-ir 1\nentry \"main\"(x_0: f64, i_1: i64) -> (r_2: f64) sig 0 (\"x\": f64, \"i\": i64) -> f64 {{ {body} }}
             files \"a.fut\"
             prov 1 = span 0 10 11
             prov 2 = span 0 20 22"
        )
    }

    const FIRST: &str = "let (c_3: cert) = check nonzero i_1 @1 let (d_4: cert) = check nonzero i_1 @2
                         let (y_5: f64) = mul.f64(x_0, x_0) certs (c_3, d_4) @2 in (y_5)";

    #[test]
    fn the_place_counts() {
        let (honest, same) = judged(&program(FIRST), "2.0 0i64", &program(FIRST));
        assert_eq!((honest, same), (Outcome::ok(), Outcome::ok()));
        // the second check alone: another place, which the reference never reaches
        let second =
            "let (d_4: cert) = check nonzero i_1 @2 let (y_5: f64) = mul.f64(x_0, x_0) certs (d_4) @2 in (y_5)";
        let (_, elsewhere) = judged(&program(FIRST), "2.0 0i64", &program(second));
        assert!(elsewhere.is_fail(), "{elsewhere:?}");
        let none = "let (y_5: f64) = mul.f64(x_0, x_0) in (y_5)";
        let (_, results) = judged(&program(FIRST), "2.0 0i64", &program(none));
        assert!(results.is_fail(), "{results:?}");
    }

    #[test]
    fn a_failure_of_a_dead_value_may_go_and_results_must_be_right() {
        let dead = "let (c_3: cert) = check nonzero i_1 @1 let (y_5: f64) = mul.f64(x_0, x_0) @2 in (y_5)";
        let gone = "let (y_5: f64) = mul.f64(x_0, x_0) @2 in (y_5)";
        let dropped = Outcome::ok_note("dead");
        assert_eq!(judged(&program(dead), "2.0 0i64", &program(gone)), (dropped.clone(), dropped));
        let wrong = "let (y_5: f64) = add.f64(x_0, 1.0f64) @2 in (y_5)";
        assert!(judged(&program(dead), "2.0 0i64", &program(wrong)).1.is_fail());
    }

    #[test]
    fn any_iteration_may_fail() {
        // 1/i for i = 0, and an index: the iterations fail at different places
        let body = |first: &str, second: &str| {
            program(&format!(
                "let (is_3: [2]i64) = iota i64 (2, 0i64, 1i64)
                 let (ys_4: [2]f64) = screma 2 (is_3) map \\(i_5: i64) -> (f64) {{
                   let (j_6: i64) = sub.i64(1i64, i_5)
                   let (c_7: cert) = check nonzero {first} @1
                   let (d_8: cert) = check nonzero {second} @2
                   let (y_9: f64) = mul.f64(x_0, x_0) certs (c_7, d_8)
                   in (y_9) }}
                 let (y_10: f64) = index ys_4[0i64] in (y_10)"
            ))
        };
        let both = body("j_6", "i_5");
        let only_second = body("1i64", "i_5");
        let only_first = body("j_6", "1i64");
        assert_eq!(judged(&both, "2.0 0i64", &only_first).1, Outcome::ok());
        assert_eq!(judged(&both, "2.0 0i64", &only_second).1, Outcome::ok());
    }

    #[test]
    fn where_the_program_gives_results_others_judge() {
        assert!(matches!(judged(&program(FIRST), "2.0 1i64", &program(FIRST)).0, Outcome::Absent { .. }));
    }

    #[test]
    fn another_kind_of_failure_at_the_place_of_a_check_is_none_of_another_iteration() {
        let program: Program = program(FIRST).parse().unwrap();
        let entry = Entry::new(&program, "main", None).unwrap();
        let sources = SourceMap::new();
        let s = Subject::new(&entry, &sources, parse_values("2.0 0i64").unwrap(), Rng::new(0, "test"));
        let case = Case::new(&s, "", &entry.primal, &s.args);
        let second = program.prov.nodes().len();
        let verdict = |kind, prov| case.verdict(None, &Err(RuntimeError::new(kind, "x").at(prov)), &program.prov);
        let (mut there, mut elsewhere) = (0, 0);
        for prov in (0..=second as u32).map(Prov) {
            for kind in [FailureKind::Internal, FailureKind::Device, FailureKind::Bounds] {
                assert!(verdict(kind, prov).is_fail(), "{kind:?}");
            }
            match verdict(FailureKind::DivisionByZero, prov) {
                Outcome::Ok { .. } | Outcome::Inconclusive { .. } => there += 1,
                _ => elsewhere += 1,
            }
        }
        // two checks; what has no place is at none
        assert!(there == 2 && elsewhere >= 1, "{there} {elsewhere}");
    }
}
