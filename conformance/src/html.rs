//! A report as one page for a browser: no other file is needed, none is loaded. What failed comes first, then counts by topic and construct, how near
//! floats came to their bounds, what took long, and every case. Tables can be sorted and filtered; without JavaScript they are only tables.

use crate::columns::Column;
use crate::report::Report;
use crate::row::{Outcome, Row, Verdict};
use crate::statistics::Statistics;
use crate::tolerance::Closeness;
use crate::topics::{self, Line, Tally};
use std::fmt::{self, Display, Write};

/// How many cases the lists of the slowest and of the largest errors have.
const LIST: usize = 20;

/// What the page shows besides the report.
pub struct Extras<'a> {
    /// The text of a program, by its path, for failures.
    pub source: &'a dyn Fn(&str) -> Option<String>,
    /// What generated programs cover, as printed.
    pub coverage: Option<&'a str>,
}

/// The page.
pub fn page(report: &Report, extras: &Extras) -> String {
    let mut out = String::new();
    // writing to a string does not fail
    let _ = write_page(&mut out, report, extras);
    out
}

fn write_page(out: &mut String, report: &Report, extras: &Extras) -> fmt::Result {
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>Conformance: {}</title>", report.closing_line())?;
    writeln!(out, "<style>\n{}</style>\n</head>\n<body>", include_str!("html/style.css"))?;
    head(out, report, extras)?;
    failures(out, report, extras)?;
    suspects(out, report)?;
    by_topic(out, report)?;
    by_construct(out, report)?;
    errors(out, report)?;
    if let Some(coverage) = extras.coverage {
        section(out, "coverage", "Coverage", "What the generated programs had, and how often.")?;
        writeln!(out, "<pre class=\"program\">{}</pre>", Text(coverage))?;
    }
    undecided(out, report)?;
    slowest(out, report)?;
    cases(out, report)?;
    writeln!(out, "<script>\n{}</script>\n</body>\n</html>", include_str!("html/script.js"))
}

fn head(out: &mut String, report: &Report, extras: &Extras) -> fmt::Result {
    let (passed, failed, skipped) = report.counts();
    // not `sum`, which makes −0 of nothing
    let seconds = report.rows.iter().fold(0.0, |sum, r| sum + r.seconds);
    let all = topics::all(&report.rows);
    let sum = |part: fn(&Tally) -> usize| all.tallies.values().map(part).sum::<usize>();
    writeln!(out, "<header>\n<h1>Conformance</h1>")?;
    writeln!(
        out,
        "<p>{} cases in {:.1} s of work, each held against up to {} oracles: {}.</p>\n<div class=\"counts\">",
        report.rows.len(),
        seconds,
        report.columns().len(),
        Text(&report.closing_line())
    )?;
    let mut count = |class: &str, n: usize, what: &str| match n {
        0 if what != "passed" && what != "failed" => Ok(()),
        n => writeln!(out, "<div class=\"count {class}\"><b>{n}</b>{what}</div>"),
    };
    count(if passed > 0 { "good" } else { "out" }, passed, "passed")?;
    count(if failed > 0 { "bad" } else { "good" }, failed, "failed")?;
    count("out", skipped, "skipped")?;
    count("unsure", sum(|t| t.inconclusive), "inconclusive verdicts")?;
    count("unsure", sum(|t| t.ill_conditioned), "ill-conditioned verdicts")?;
    count("out", sum(|t| t.no_rule), "verdicts without a rule")?;
    count("out", sum(|t| t.waived), "waived verdicts")?;
    writeln!(out, "</div>\n<nav>")?;
    let has = |p: fn(&Outcome) -> bool| report.rows.iter().any(|r| r.cells.iter().any(|(_, o)| p(o)));
    let links = [
        ("failures", "Failures", failed > 0),
        ("suspects", "Suspects", !report.suspects().is_empty()),
        ("topics", "By topic", true),
        ("constructs", "By construct", report.rows.iter().any(|r| !r.constructs.is_empty())),
        ("errors", "Errors in floats", !Statistics::of(&report.rows).errors.is_empty()),
        ("coverage", "Coverage", extras.coverage.is_some()),
        ("undecided", "Undecided", has(undecided_outcome)),
        ("slowest", "Slowest", true),
        ("cases", "All cases", true),
    ];
    for (id, name, there) in links {
        if there {
            writeln!(out, "<a href=\"#{id}\">{name}</a>")?;
        }
    }
    writeln!(out, "</nav>\n</header>")
}

/// A heading with a paragraph on what is below.
fn section(out: &mut String, id: &str, title: &str, about: &str) -> fmt::Result {
    writeln!(out, "<h2 id=\"{id}\">{title}</h2>\n<p>{about}</p>")
}

fn failures(out: &mut String, report: &Report, extras: &Extras) -> fmt::Result {
    if report.is_green() {
        return Ok(());
    }
    section(out, "failures", "Failures", "What differs, where, and the program.")?;
    for row in report.rows.iter().filter(|r| r.verdict() == Verdict::Failed) {
        writeln!(out, "<div class=\"failure\">\n<h3><code>{}</code></h3>", Text(&row.name()))?;
        for (column, failure) in row.failures() {
            write!(out, "<div class=\"where\">{}", column.name())?;
            failure.stage.iter().try_for_each(|stage| write!(out, " · after <b>{}</b>", Text(stage)))?;
            failure.place.iter().try_for_each(|place| write!(out, " · at <code>{}</code>", Text(place)))?;
            writeln!(out, "</div>\n<pre>{}</pre>", Text(&failure.what))?;
        }
        let (what, text) = match &row.witness {
            Some(witness) => ("A small program that fails, with its input", Some(witness.clone())),
            None => ("The program", (extras.source)(&row.program)),
        };
        if let Some(text) = text {
            writeln!(
                out,
                "<details><summary>{what}</summary><pre class=\"program\">{}</pre></details>",
                Text(text.trim_end())
            )?;
        }
        writeln!(out, "</div>")?;
    }
    Ok(())
}

fn suspects(out: &mut String, report: &Report) -> fmt::Result {
    let suspects = report.suspects();
    if suspects.is_empty() {
        return Ok(());
    }
    section(out, "suspects", "Suspects", "What the backend's failures have in common, the likeliest first.")?;
    table(out, "suspects-table", &["construct", "explains", "fail", "of cases"], 1, false)?;
    for s in suspects {
        writeln!(
            out,
            "<tr><th scope=\"row\"><code>{}</code></th>{}{}{}</tr>",
            Text(&s.construct),
            Number(s.explains),
            Number(s.failed),
            Number(s.cases)
        )?;
    }
    end_table(out)
}

fn by_topic(out: &mut String, report: &Report) -> fmt::Result {
    let about = "Verdicts of each oracle by the folder of the program: how many agree, then what else there is. A dot: the oracle does not apply.";
    section(out, "topics", "By topic", about)?;
    let lines = topics::by_topic(&report.rows).into_iter().chain([("all".to_string(), topics::all(&report.rows))]);
    matrix(out, "topics-table", "topic", &report.columns(), lines, false)
}

fn by_construct(out: &mut String, report: &Report) -> fmt::Result {
    let lines = topics::by_construct(&report.rows);
    if lines.is_empty() {
        return Ok(());
    }
    let about = "A case counts for each kind of IR node and each scalar operator that its entry point has, as lowered.";
    section(out, "constructs", "By construct", about)?;
    filter(out, "constructs-table", "Filter constructs, such as: map")?;
    matrix(out, "constructs-table", "construct", &report.columns(), lines, true)
}

fn matrix(
    out: &mut String,
    id: &str,
    what: &str,
    columns: &[Column],
    lines: impl IntoIterator<Item = (String, Line)>,
    tall: bool,
) -> fmt::Result {
    let heads: Vec<&str> = [what, "cases"].into_iter().chain(columns.iter().map(|c| c.name())).collect();
    table(out, id, &heads, 1, tall)?;
    for (name, line) in lines {
        write!(out, "<tr><th scope=\"row\"><code>{}</code></th>{}", Text(&name), Number(line.cases))?;
        for column in columns {
            tally(out, line.tally(*column), column.name())?;
        }
        writeln!(out, "</tr>")?;
    }
    end_table(out)
}

/// A cell with counts. Its colour is that of the worst, it is sorted by how many disagree, then by how many are not decided.
fn tally(out: &mut String, t: Tally, column: &str) -> fmt::Result {
    let undecided = t.inconclusive + t.ill_conditioned;
    let left = t.no_rule + t.skipped + t.waived;
    let key = t.failed as f64 * 1e12 + (undecided + left) as f64 * 1e6 + t.ok as f64;
    if t == Tally::default() {
        return write!(out, "<td class=\"num\" data-key=\"-1\"><span class=\"none\">·</span></td>");
    }
    let class = if t.failed > 0 { "bad" } else { "good" };
    let class = if t.failed == 0 && t.ok == 0 { "out" } else { class };
    write!(out, "<td class=\"num {class}\" data-key=\"{key}\" title=\"{column}: {t}\">{}", t.ok)?;
    for (class, n, mark) in [("bad", t.failed, "✗"), ("unsure", undecided, "?"), ("out", left, "–")] {
        if n > 0 {
            write!(out, "<span class=\"{class}\">{n} {mark}</span>")?;
        }
    }
    write!(out, "</td>")
}

/// The cases in which floats are farthest from what they are held against, in units of the last place, by the oracles that have such.
fn worst(report: &Report) -> Vec<(&Row, Column, Closeness)> {
    let cells = report.rows.iter().flat_map(|row| row.cells.iter().map(move |(c, o)| (row, *c, o)));
    let inexact = cells.filter(|(_, c, _)| c.has_ulps()).filter_map(|(row, c, o)| match o {
        Outcome::Ok { closeness, .. } if closeness.ratio > 0.0 || closeness.ulps > 0.0 => Some((row, c, *closeness)),
        _ => None,
    });
    let mut found: Vec<_> = inexact.collect();
    found.sort_by(|a, b| b.2.ulps.total_cmp(&a.2.ulps));
    found
}

fn errors(out: &mut String, report: &Report) -> fmt::Result {
    let errors = Statistics::of(&report.rows).errors;
    if errors.is_empty() {
        return Ok(());
    }
    let about = "Error over bound, by oracle: a bound that is never approached is no bound. Below, the largest errors in units of the last place.";
    section(out, "errors", "Errors in floats", about)?;
    let heads = ["oracle", "verdicts", "inexact", "median", "90 %", "99 %", "largest", "largest in ULPs"];
    table(out, "bounds-table", &heads, 1, false)?;
    for e in errors {
        let name = e.column.map_or("all", Column::name);
        write!(out, "<tr><th scope=\"row\">{name}</th>{}{}", Number(e.verdicts), Number(e.inexact))?;
        e.ratios.iter().try_for_each(|r| write!(out, "{}", Float(*r)))?;
        match e.ulps {
            Some(ulps) => writeln!(out, "{}</tr>", Float(ulps))?,
            None => writeln!(out, "<td class=\"num\" data-key=\"-1\">-</td></tr>")?,
        }
    }
    end_table(out)?;
    writeln!(out, "<p></p>")?;
    table(out, "errors-table", &["case", "oracle", "ULPs", "error / bound"], 2, true)?;
    for (row, column, closeness) in worst(report).into_iter().take(LIST) {
        let (ulps, ratio) = (Float(closeness.ulps), Float(closeness.ratio));
        writeln!(out, "<tr>{}<td>{}</td>{ulps}{ratio}</tr>", Case(row), column.name())?;
    }
    end_table(out)
}

fn undecided_outcome(o: &Outcome) -> bool {
    reason(o).is_some()
}

/// Why there is no verdict, or why a disagreement is accepted.
fn reason(o: &Outcome) -> Option<(&'static str, &'static str, &str)> {
    match o {
        Outcome::Inconclusive { reason } => Some(("unsure", "inconclusive", reason)),
        Outcome::IllConditioned { reason } => Some(("unsure", "ill-conditioned", reason)),
        Outcome::NoRule { reason } => Some(("out", "no rule", reason)),
        Outcome::Skipped { reason } => Some(("out", "skipped", reason)),
        Outcome::Waived { reason, .. } => Some(("out", "waived", reason)),
        Outcome::Ok { .. } | Outcome::Fail(_) | Outcome::Absent { .. } => None,
    }
}

fn undecided(out: &mut String, report: &Report) -> fmt::Result {
    let cells = report.rows.iter().flat_map(|row| row.cells.iter().map(move |(c, o)| (row, c, o)));
    let mut cells = cells.filter_map(|(row, c, o)| Some((row, c, reason(o)?))).peekable();
    if cells.peek().is_none() {
        return Ok(());
    }
    section(out, "undecided", "Undecided", "Oracles that cannot tell, were not asked, or disagree by permission.")?;
    filter(out, "undecided-table", "Filter, such as: numerics kink")?;
    table(out, "undecided-table", &["case", "oracle", "verdict", "why"], 4, true)?;
    for (row, column, (class, verdict, why)) in cells {
        writeln!(
            out,
            "<tr>{}<td>{}</td><td><span class=\"{class}\">{verdict}</span></td><td class=\"wide\">{}</td></tr>",
            Case(row),
            column.name(),
            Text(why)
        )?;
    }
    end_table(out)
}

fn slowest(out: &mut String, report: &Report) -> fmt::Result {
    let mut rows: Vec<&Row> = report.rows.iter().collect();
    rows.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    section(out, "slowest", "Slowest", "All oracles of a case together, in seconds.")?;
    table(out, "slowest-table", &["case", "seconds"], 1, true)?;
    for row in rows.into_iter().take(LIST) {
        writeln!(out, "<tr>{}<td class=\"num\">{:.2}</td></tr>", Case(row), row.seconds)?;
    }
    end_table(out)
}

fn cases(out: &mut String, report: &Report) -> fmt::Result {
    section(out, "cases", "All cases", "A word or more to look for: a name, an oracle's verdict, a construct.")?;
    filter(out, "cases-table", "Filter cases, such as: reduce failed")?;
    let columns = report.columns();
    let heads: Vec<&str> = ["case", "verdict"].into_iter().chain(columns.iter().map(|c| c.name())).collect();
    table(out, "cases-table", &heads, heads.len(), true)?;
    for row in &report.rows {
        let (class, verdict) = match row.verdict() {
            Verdict::Passed => ("good", "passed"),
            Verdict::Failed => ("bad", "failed"),
            Verdict::Skipped => ("out", "skipped"),
        };
        let words: Vec<&str> = row.constructs.iter().map(String::as_str).collect();
        write!(out, "<tr data-words=\"{}\">{}<td class=\"{class}\">{verdict}</td>", Text(&words.join(" ")), Case(row))?;
        for column in &columns {
            let outcome = row.outcome(*column);
            match (&outcome, reason(&outcome)) {
                (Outcome::Ok { note, .. }, _) => write!(out, "<td>ok {}</td>", Text(note))?,
                (Outcome::Fail(f), _) => write!(out, "<td class=\"bad\" title=\"{}\">FAIL</td>", Text(&f.what))?,
                (_, Some((class, verdict, why))) => {
                    write!(out, "<td class=\"{class}\" title=\"{}\">{verdict}</td>", Text(why))?;
                }
                (Outcome::Absent { reason }, _) => {
                    write!(out, "<td title=\"{}\"><span class=\"none\">·</span></td>", Text(reason))?;
                }
                _ => write!(out, "<td></td>")?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    end_table(out)
}

fn filter(out: &mut String, table: &str, hint: &str) -> fmt::Result {
    writeln!(out, "<input type=\"search\" data-for=\"{table}\" placeholder=\"{hint}\" aria-label=\"{hint}\">")
}

/// The head of a table; columns from `numbers` on are of numbers.
fn table(out: &mut String, id: &str, heads: &[&str], numbers: usize, tall: bool) -> fmt::Result {
    let class = if tall { "scroll tall" } else { "scroll" };
    write!(out, "<div class=\"{class}\" tabindex=\"0\"><table id=\"{id}\"><thead><tr>")?;
    for (i, head) in heads.iter().enumerate() {
        let class = if i >= numbers { " class=\"num\"" } else { "" };
        write!(out, "<th scope=\"col\"{class}><button>{}</button></th>", Text(head))?;
    }
    writeln!(out, "</tr></thead><tbody>")
}

fn end_table(out: &mut String) -> fmt::Result {
    writeln!(out, "</tbody></table></div>")
}

/// The name of a case, as the head of its row.
struct Case<'a>(&'a Row);

impl Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<th scope=\"row\" class=\"wide\"><code>{}</code></th>", Text(&self.0.name()))
    }
}

/// A cell with a count.
struct Number(usize);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<td class=\"num\">{}</td>", self.0)
    }
}

/// A cell with a float of few digits.
struct Float(f64);

impl Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        match x {
            0.0 => write!(f, "<td class=\"num\" data-key=\"0\">0</td>"),
            _ if (100.0..1e6).contains(&x) => write!(f, "<td class=\"num\" data-key=\"{x:e}\">{x:.0}</td>"),
            _ if (0.01..100.0).contains(&x) => write!(f, "<td class=\"num\" data-key=\"{x:e}\">{x:.2}</td>"),
            _ => write!(f, "<td class=\"num\" data-key=\"{x:e}\">{x:.1e}</td>"),
        }
    }
}

/// Text of others, for anywhere in a page, attributes included.
struct Text<'a>(&'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            // no character of a page
            c if c.is_control() && !matches!(c, '\n' | '\t') => f.write_char('\u{fffd}'),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Failure;

    fn report() -> Report {
        let evil = "<script>alert(\"'&\u{1}')</script>";
        let failure = Failure { what: evil.into(), stage: Some(evil.into()), place: Some(evil.into()) };
        let row = |case: &str, cells, seconds| Row {
            program: format!("suite/ad/{evil}.fut"),
            case: case.into(),
            cells,
            constructs: [evil.to_string()].into(),
            seconds,
            ..Row::default()
        };
        let close = Outcome::within(Closeness { ratio: 0.25, ulps: 3.0 });
        Report {
            rows: vec![
                row("fast", vec![(Column::Expected, Outcome::ok_note(evil)), (Column::Backend, close)], 0.5),
                row("slow", vec![(Column::Expected, Outcome::ok()), (Column::Backend, Outcome::Fail(failure))], 7.0),
                row("other", vec![(Column::Numerics, Outcome::inconclusive(evil))], 1.0),
            ],
            ..Report::default()
        }
    }

    fn of(report: &Report) -> String {
        let source = |path: &str| Some(format!("-- {path}\n<b>"));
        page(report, &Extras { source: &source, coverage: Some("<i>nodes</i>") })
    }

    #[test]
    fn whatever_a_program_says_is_text() {
        let page = of(&report());
        assert_eq!(page.matches("<script>").count(), 1, "that of the page itself");
        assert!(!page.contains("alert(\"") && !page.contains("<b>\n") && !page.contains("<i>"));
        assert!(page.contains("&lt;script&gt;alert(&quot;&#39;&amp;\u{fffd}&#39;)"));
        assert!(!page.contains("http"), "nothing is loaded");
    }

    #[test]
    fn failures_counts_errors_and_times_are_there() {
        let page = of(&report());
        assert!(page.contains("<title>Conformance: 2 passed, 1 failed, 0 skipped</title>"));
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
        assert!(at("id=\"failures\"") < at("id=\"topics\"") && at("id=\"topics\"") < at("id=\"cases\""));
        // the slowest first
        let slowest = &page[at("id=\"slowest\"")..];
        assert!(slowest.find(":slow").unwrap() < slowest.find(":other").unwrap());
        // an agreement and a disagreement of the backend, by topic
        assert!(page.contains("title=\"backend: 1 ok, 1 FAIL\">1<span class=\"bad\">1 ✗</span>"));
        assert!(
            page.contains(
                "<td class=\"num\" data-key=\"3e0\">3.00</td><td class=\"num\" data-key=\"2.5e-1\">0.25</td>"
            )
        );
    }

    #[test]
    fn what_is_held_against_differences_is_not_among_the_largest_errors() {
        let close = |ulps| Outcome::within(Closeness { ratio: 0.5, ulps });
        let cells = vec![(Column::Backend, close(3.0)), (Column::Identity, close(4.0)), (Column::Numerics, close(0.0))];
        let page = of(&Report { rows: vec![Row { case: "f#1".into(), cells, ..Row::default() }], ..Report::default() });
        let tables = &page[page.find("id=\"bounds-table\"").unwrap()..page.find("id=\"slowest\"").unwrap()];
        let (bounds, largest) = tables.split_once("id=\"errors-table\"").unwrap();
        assert_eq!(bounds.matches(">-</td>").count(), 2, "{bounds}");
        assert!(largest.contains("<td>backend</td>") && largest.matches("<tr>").count() == 2, "{largest}");
    }

    #[test]
    fn nothing_took_no_time() {
        assert!(of(&Report::default()).contains("<p>0 cases in 0.0 s"));
    }

    #[test]
    fn every_link_leads_somewhere() {
        for report in [report(), Report::default()] {
            let page = of(&report);
            for link in page.split("href=\"#").skip(1) {
                let id = link.split('"').next().unwrap();
                assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
            }
        }
    }

    #[test]
    fn what_opens_closes() {
        let page = of(&report());
        for tag in
            ["table", "tr", "td", "th", "div", "pre", "details", "thead", "tbody", "span", "code", "header", "nav"]
        {
            let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
