//! A report in JUnit's XML, as continuous integration reads it: <https://github.com/testmoapp/junitxml> describes the form.

use crate::report::Report;
use crate::row::{Outcome, Row, Verdict};
use std::fmt::{self, Write};

/// The report as XML: one test suite, a test case for each case; a failure for each oracle that disagrees, or why the case is skipped.
pub fn xml(report: &Report) -> String {
    let mut out = String::new();
    // writing to a string does not fail
    let _ = suite(&mut out, report);
    out
}

fn suite(out: &mut String, report: &Report) -> fmt::Result {
    let (_, failed, skipped) = report.counts();
    // not `sum`, which makes −0 of nothing
    let seconds = report.rows.iter().fold(0.0, |sum, r| sum + r.seconds);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuite name="conformance" tests="{}" failures="{failed}" errors="0" skipped="{skipped}" time="{seconds:.3}">"#,
        report.rows.len()
    )?;
    report.rows.iter().try_for_each(|row| case(out, row))?;
    if !report.unused_waivers.is_empty() {
        let lines: Vec<String> = report.unused_waivers.iter().map(|w| format!("unused waiver  {w}")).collect();
        writeln!(out, "  <system-out>{}</system-out>", escaped(&lines.join("\n")))?;
    }
    writeln!(out, "</testsuite>")
}

fn case(out: &mut String, row: &Row) -> fmt::Result {
    let (program, case) = (escaped(&row.program), escaped(&row.case));
    write!(out, r#"  <testcase classname="{program}" name="{case}" time="{:.3}""#, row.seconds)?;
    match row.verdict() {
        Verdict::Passed => return writeln!(out, "/>"),
        Verdict::Failed => {
            writeln!(out, ">")?;
            for (column, failure) in row.failures() {
                let message =
                    escaped(&format!("{}: {}", column.name(), failure.what.lines().next().unwrap_or_default()));
                let (column, text) = (column.name(), escaped(&failure.to_string()));
                writeln!(out, r#"    <failure type="{column}" message="{message}">{text}</failure>"#)?;
            }
        }
        Verdict::Skipped => {
            writeln!(out, ">")?;
            // the form has room for one
            let reasons = row.cells.iter().filter_map(|(c, o)| match o {
                Outcome::Skipped { reason } => Some(format!("{}: {reason}", c.name())),
                Outcome::Waived { reason, .. } => Some(format!("{}: waived: {reason}", c.name())),
                _ => None,
            });
            let message = escaped(&reasons.collect::<Vec<_>>().join("\n"));
            writeln!(out, r#"    <skipped message="{message}"/>"#)?;
        }
    }
    writeln!(out, "  </testcase>")
}

/// The text as it may stand between tags and between quotes (XML 1.0, sections 2.4 and 3.3.3: a bare line break in an attribute is read as a space).
/// What no XML document can hold, as most control characters (section 2.2), becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Column;
    use crate::row::Failure;

    fn row(case: &str, seconds: f64, cells: Vec<(Column, Outcome)>) -> Row {
        Row { program: "a<b.fut".into(), case: case.into(), cells, seconds, ..Row::default() }
    }

    fn failure(what: &str) -> Failure {
        Failure { what: what.into(), stage: Some("ad".into()), place: None }
    }

    #[test]
    fn a_report_is_a_test_suite() {
        let waived = Outcome::Waived { reason: "a \"kink\"".into(), failure: failure("1") };
        let report = Report {
            rows: vec![
                row("main#1", 0.25, vec![(Column::Expected, Outcome::ok())]),
                row(
                    "main#2",
                    1.5,
                    vec![
                        (Column::Passes, Outcome::Fail(failure("1 < 2\n& more"))),
                        (Column::Backend, Outcome::skipped("no device")),
                        (Column::Identity, Outcome::fail("]]>")),
                    ],
                ),
                row("main#3", 0.0, vec![(Column::Backend, Outcome::skipped("no device")), (Column::Numerics, waived)]),
            ],
            unused_waivers: vec!["w.toml:2: b*".into()],
            coverage: None,
        };
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="conformance" tests="3" failures="1" errors="0" skipped="1" time="1.750">
  <testcase classname="a&lt;b.fut" name="main#1" time="0.250"/>
  <testcase classname="a&lt;b.fut" name="main#2" time="1.500">
    <failure type="passes" message="passes: 1 &lt; 2">stage: ad&#10;1 &lt; 2&#10;&amp; more</failure>
    <failure type="identity" message="identity: ]]&gt;">]]&gt;</failure>
  </testcase>
  <testcase classname="a&lt;b.fut" name="main#3" time="0.000">
    <skipped message="backend: no device&#10;numerics: waived: a &quot;kink&quot;"/>
  </testcase>
  <system-out>unused waiver  w.toml:2: b*</system-out>
</testsuite>
"#;
        assert_eq!(xml(&report), expected);
        let empty = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="conformance" tests="0" failures="0" errors="0" skipped="0" time="0.000">
</testsuite>
"#;
        assert_eq!(xml(&Report::default()), empty);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("&<>\"'é"), "&amp;&lt;&gt;&quot;&apos;é");
        assert_eq!(escaped("\t\n\r"), "&#9;&#10;&#13;");
        assert_eq!(escaped("\u{1b}[0m\0\u{ffff}"), "\u{fffd}[0m\u{fffd}\u{fffd}");
    }
}
