//! Runs of the interpreter that may differ in nothing, or in no more than rounding: the same run again, streams cut into other chunks, traces walked
//! back in another order, traced in segments, and by several threads.

use super::*;
use futi_core::ad::entry::Mode;
use futi_core::failure::FailureKind;
use futi_core::ir::Exp;
use futi_core::ir::visit::any_exp;
use futi_interp::{Ctx, Partition};

/// Chunks of a few rows leave a shorter one at the end.
const CHUNK: usize = 3;
/// Folds of traces side by side; more than two, and seldom a divisor of the length.
const SEGMENTS: usize = 3;
/// With the feature `threads` of the interpreter; without it this many is one.
const THREADS: usize = 4;

/// Judges the entry point, and its `vjp` by definition if derivatives are wanted.
pub fn judge(s: &Subject, derivatives: bool) -> Outcome {
    let primal = &s.entry.primal;
    let again = primal.run(&s.args, &context());
    if again != s.reference {
        return Outcome::fail("the same run again gives another result");
    }
    let Ok(reference) = &s.reference else { return Outcome::ok() };
    let own = Run { s, what: "", program: primal, args: &s.args, reference };
    let mut verdict = own.differ(own.streams().into_iter().chain(own.traces()));
    let (true, Some(derived), Some(seeds)) = (derivatives, s.entry.derivatives(), s.seeds()) else {
        return verdict;
    };
    for d in derived.iter().filter(|d| d.mode == Mode::Reverse) {
        let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
        // a derivative that fails is for other oracles to judge
        let Ok(reference) = &d.program.run(&args, &context()) else { continue };
        let run = Run { s, what: "vjp: ", program: &d.program, args: &args, reference };
        verdict = worst([verdict, run.differ(run.traces())]);
    }
    verdict
}

/// A program that gives results.
struct Run<'a> {
    s: &'a Subject<'a>,
    /// Which, for messages.
    what: &'a str,
    program: &'a EntryProgram,
    args: &'a [Value],
    reference: &'a [Value],
}

impl Run<'_> {
    /// Runs with streams cut otherwise. A stream whose result may depend on the cuts is unsound, as the strict run says.
    fn streams(&self) -> Vec<(String, Ctx)> {
        if !any_exp(&self.program.program, |e| matches!(e, Exp::Stream(_))) {
            return Vec::new();
        }
        let strict = self.program.run(self.args, &Ctx { strict: true, ..context() });
        if matches!(strict, Err(e) if e.kind == FailureKind::Strict) {
            return Vec::new();
        }
        let partitions = [Partition::Chunks(1), Partition::Chunks(CHUNK), Partition::Random(self.s.rng.clone().bits())];
        partitions.map(|partition| (format!("streams cut by {partition:?}"), Ctx { partition, ..context() })).into()
    }

    /// Runs with traces walked back otherwise. Orders are pseudo-random, so a few of them.
    fn traces(&self) -> Vec<(String, Ctx)> {
        if !any_exp(&self.program.program, |e| matches!(e, Exp::Vjp(_))) {
            return Vec::new();
        }
        let mut rng = self.s.rng.clone();
        let order = |seed| {
            (format!("traces walked back in the order of seed {seed}"), Ctx { reverse_order: Some(seed), ..context() })
        };
        vec![
            order(rng.bits()),
            order(rng.bits()),
            ("folds traced in segments".into(), Ctx { fold_segments: Some(SEGMENTS), ..context() }),
            ("traces walked back by several threads".into(), Ctx { threads: THREADS, ..context() }),
        ]
    }

    /// Holds runs against the reference.
    fn differ(&self, runs: impl IntoIterator<Item = (String, Ctx)>) -> Outcome {
        let expected = Ok(Tolerance::new(self.program, self.args, self.reference, &self.s.rng));
        worst(runs.into_iter().map(|(how, ctx)| {
            let got = self.program.run(self.args, &ctx);
            let verdict = comparison(self.s, &got, &self.program.program.prov, &expected);
            named(&format!("{}{how}: ", self.what), verdict)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::subject::Entry;
    use futi_core::ir::Program;
    use futi_core::prim::Scalar;
    use futi_core::source::SourceMap;
    use futi_core::value::text::parse_values;

    fn with<T>(result: &str, body: &str, f: impl FnOnce(&Subject) -> T) -> T {
        let head = "futi-ir 1\nentry \"main\"(n_0: i64, xs_1: [n_0]f64)";
        let program: Program = format!("{head} -> (r_2: {result}) sig 1 (\"xs\": [\"n\"]f64) -> {result} {{ {body} }}")
            .parse()
            .unwrap_or_else(|e| panic!("{e:?}\n{body}"));
        let entry = Entry::new(&program, "main", None).unwrap();
        let sources = SourceMap::new();
        let args = parse_values("7i64 [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]").unwrap();
        f(&Subject::new(&entry, &sources, args, Rng::new(0, "test")))
    }

    const SUM: &str = "let (s_3: f64) = screma n_0 (xs_1) map \\(x_4: f64) -> (f64) { in (x_4) }
                         reduce \\(a_5: f64, b_6: f64) -> (f64) { let (c_7: f64) = add.f64(a_5, b_6) in (c_7) } neutral (0.0f64)
                       in (s_3)";

    #[test]
    fn sums_and_their_derivatives_are_determined() {
        with("f64", SUM, |s| assert_eq!(judge(s, true), Outcome::ok()));
    }

    #[test]
    fn a_run_that_differs_is_found() {
        with("f64", SUM, |s| {
            let Ok(reference) = &s.reference else { panic!("28 is expected") };
            let run = Run { s, what: "", program: &s.entry.primal, args: &s.args, reference };
            let ctx = |x: f64| Ctx { rounding: Some(Box::new(move |_, _, _| Scalar::F64(x))), ..context() };
            // 28, in this order and in any
            assert_eq!(run.differ([("the same".to_string(), ctx(28.0))]), Outcome::ok());
            let found = run.differ([("another".to_string(), ctx(27.0))]);
            let is = "another: 27.0f64, expected 28.0f64";
            assert!(matches!(&found, Outcome::Fail(f) if f.what.starts_with(is)), "{found:?}");
        });
    }

    #[test]
    fn streams_that_depend_on_the_cuts_are_for_the_strict_run() {
        // how many chunks there are
        let count =
            "let (k_3: i64) = streamseq n_0 (xs_1) from (0i64) chunk \\(m_4: i64, a_5: i64, c_6: [m_4]f64) -> (i64) {
                       let (b_7: i64) = add.i64(a_5, 1i64) in (b_7) } in (k_3)";
        with("i64", count, |s| {
            assert_eq!(judge(s, true), Outcome::ok());
            assert!(strict::judge(s, true).is_fail());
        });
    }
}
