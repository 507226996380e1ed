//! A strict run against a plain one, bit for bit, of the entry point and of its derivatives by definition: what strict mode adds, it only adds to report.

use super::*;
use futi_core::failure::FailureKind;
use futi_interp::Ctx;

/// Judges the entry point, and its derivatives if these are wanted.
pub fn judge(s: &Subject, derivatives: bool) -> Outcome {
    let primal = compare(s, "", &s.entry.primal, &s.args, s.plain());
    let (true, Outcome::Ok { .. }, Some(derivatives), Some(seeds)) =
        (derivatives, &primal, s.entry.derivatives(), s.seeds())
    else {
        return primal;
    };
    let mut said = None;
    for d in derivatives {
        let args = s.derivative_args(d, Subject::seeds_of(d.mode, &seeds));
        let plain = d.program.run(&args, &Ctx { plain: true, ..context() });
        match compare(s, d.mode.name(), &d.program, &args, &plain) {
            Outcome::Fail(f) => return Outcome::Fail(f),
            Outcome::Ok { .. } => {}
            inconclusive => said = said.or(Some(inconclusive)),
        }
    }
    said.unwrap_or(primal)
}

/// That a derivative goes through zero times infinity at these arguments, and where.
pub(super) fn singular(s: &Subject, derivative: &EntryProgram, args: &[Value]) -> Option<String> {
    match derivative.run(args, &Ctx { strict: true, ..context() }) {
        Err(e) if e.kind == FailureKind::Singular => Some(with_place(s, derivative, &e)),
        _ => None,
    }
}

fn with_place(s: &Subject, program: &EntryProgram, e: &RuntimeError) -> String {
    let place = place(s, e, &program.program.prov).map_or(String::new(), |p| format!(" ({p})"));
    format!("{e}{place}")
}

/// What a strict run finds, or how it differs; `what` says which run, if it is not the program's own.
fn compare(
    s: &Subject,
    what: &str,
    program: &EntryProgram,
    args: &[Value],
    plain: &Result<Vec<Value>, RuntimeError>,
) -> Outcome {
    let (strict, prov) = (program.run(args, &Ctx { strict: true, ..context() }), &program.program.prov);
    let prefix = if what.is_empty() { String::new() } else { format!("{what}: ") };
    let (what, place) = match strict {
        Err(e) if e.kind == FailureKind::Singular => {
            return Outcome::inconclusive(format!("{prefix}{}", with_place(s, program, &e)));
        }
        Err(e) if e.kind == FailureKind::Strict => (format!("{prefix}in strict mode: {e}"), place(s, &e, prov)),
        strict if strict == *plain => return Outcome::ok(),
        strict => {
            let how = match comparison(s, &strict, prov, &expected_of(s, program, args, plain)) {
                Outcome::Fail(f) => f.what,
                _ => "but only by rounding".into(),
            };
            (format!("{prefix}a strict run gives another result than a plain one: {how}"), None)
        }
    };
    Outcome::Fail(Failure { what, stage: None, place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::subject::Entry;
    use futi_core::ir::Program;
    use futi_core::source::SourceMap;
    use futi_core::value::text::parse_values;

    /// The verdict on a function of x : f64 at 2.
    fn judged(body: &str) -> Outcome {
        let head = "futi-ir 1\nentry \"main\"(x_0: f64) -> (r_1: f64) sig 0 (\"x\": f64) -> f64";
        let program: Program = format!("{head} {{ {body} }}").parse().unwrap();
        let entry = Entry::new(&program, "main", None).unwrap();
        let sources = SourceMap::new();
        judge(&Subject::new(&entry, &sources, parse_values("2.0").unwrap(), Rng::new(0, "test")), true)
    }

    #[test]
    fn what_strict_mode_finds_is_a_failure() {
        assert_eq!(judged("let (y_2: f64) = mul.f64(x_0, x_0) in (y_2)"), Outcome::ok());
        let unwritten = judged("let (a_2: [3]f64) = scratch [3]f64 let (y_3: f64) = index a_2[0i64] in (y_3)");
        assert!(matches!(&unwritten, Outcome::Fail(f) if f.what.contains("scratch")), "{unwritten:?}");
    }

    #[test]
    fn what_strict_mode_finds_in_a_derivative_too() {
        // 1 is neutral for the product of whole numbers, x / 2 is not, though it is 1 for x = 2: its tangent is not 0
        let body = "let (ne_2: f64) = mul.f64(x_0, 0.5f64)
                    let (a_3: [2]f64) = replicate [2] x_0
                    let (y_4: f64) = screma 2 (a_3) map \\(p_5: f64) -> (f64) { in (p_5) }
                      reduce \\(l_6: f64, r_7: f64) -> (f64) { let (m_8: f64) = mul.f64(l_6, r_7) in (m_8) } neutral (ne_2)
                    in (y_4)";
        let found = judged(body);
        assert!(
            matches!(&found, Outcome::Fail(f) if f.what.contains("jvp") && f.what.contains("neutral")),
            "{found:?}"
        );
    }
}
