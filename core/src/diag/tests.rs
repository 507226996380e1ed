use super::*;
use crate::source::{FileId, SourceMap};
use crate::{prelude, syntax, types};

/// What a user sees for programs with errors, one after the other.
#[test]
fn rendered() {
    let programs = [
        "def area (r: f64) = 3.14 * r ** 2\nentry main (r: i32) = aera r\n",
        "entry main [n] [m] (xs: [n]f64) (ys: [m]f64) : f64 =\n  f64.sum (map2 (*) xs ys)\n",
        "def mean [n] (xs: [n]f64) = f64.sum xs / n\n",
        "def a = (1 + \ndef b = 2 )\ndef c = if true then 1\ndef d = 1 € 2\n",
        "def a: i32 = true\ndef b = a + 1.5\ndef c = f64.sqrt [1, 2]\n",
        "def evens (n: i64) = 0..2..<n\nentry main (n: i64) = zip (evens n) (evens (n + 1))\n",
        "def rows (n: i64) = map (\\i -> iota i) (iota n)\n",
        "def pick (b: bool) = if b then f64.exp else f64.log\n",
        "def first p = p.0\ndef second (p: (i32, i32)) = p.2\n",
        "entry main (f: i32 -> i32) = f 1\nentry id 'a (x: a) = x\n",
        "def x = 3000000000 + 1i32\ndef y = 0x\ndef z = 1.0i32\n",
        "def f (xs: *[]i32) = let ys = xs with [0] = 1 in xs[0] + ys[0]\n",
        "type t = #a | #b i32\ndef f (x: t) = match x case #b 0 -> 1\n",
        "def main = let (a, a) = (1, 2) in f32.exq a\n",
        "module m = { def f (x: f64) = x }\ndef main = m.g 1 + n.f 2\n",
        "def grow (n: i64) = loop xs = iota n for i < n do zip xs xs |> map (\\(a, b) -> a + b) |> map f64.i64\n",
    ];
    let prelude::Prelude { env, sources, .. } = prelude::load();
    let mut out = String::new();
    for text in programs {
        let mut sources = sources.clone();
        let file = sources.add("bad.fut", text);
        let (ast, mut diagnostics) = syntax::parse(file, text);
        diagnostics.extend(types::check(&ast, &env, &sources).2);
        assert!(!diagnostics.is_empty(), "{text}");
        out.push_str(&render(&diagnostics, &sources, false));
        for d in &diagnostics {
            out.push_str(&one_line(d, &sources));
            out.push('\n');
        }
        out.push_str("----\n");
    }
    insta::assert_snapshot!(out);
}

#[test]
fn operators_are_meant_by_operators() {
    assert_eq!(did_you_mean("=", ["x", "=="].into_iter()), Some("=="));
    assert_eq!(did_you_mean("a", ["<<"].into_iter()), None);
}

#[test]
fn suggestions() {
    let names = ["map", "map2", "reduce", "replicate", "x"];
    assert_eq!(did_you_mean("mpa", names.into_iter()), Some("map"));
    assert_eq!(did_you_mean("reduse", names.into_iter()), Some("reduce"));
    assert_eq!(did_you_mean("replicat", names.into_iter()), Some("replicate"));
    assert_eq!(did_you_mean("y", names.into_iter()), None);
    assert_eq!(did_you_mean("filter", names.into_iter()), None);
}

/// Escape sequences in messages and paths, pictures in excerpts, also in those of long lines; what is coloured has no others than ours.
#[test]
fn what_a_terminal_obeys_is_not_printed() {
    let mut sources = SourceMap::new();
    for text in ["a \u{1b}[31m b\r\n".to_string(), format!("{}\u{1b}[31m b", "é".repeat(1000))] {
        let file = sources.add("\u{1b}[7m.fut", &text);
        let at = text.find('b').unwrap() as u32;
        let span = Span::new(file, at, at + 1);
        let d =
            [Diagnostic::error(Code::UnknownName, span, "\u{1b}[1m").here("\u{7}").note("\u{9b}").label(span, "\t")];
        let shown = render(&d, &sources, false);
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\r']), "{shown:?}");
        for part in ["\\u{1b}[1m", "\\u{1b}[7m.fut:1:", "␛[31m b", "\\u{7}", "\\u{9b}"] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        let line = one_line(&d[0], &sources);
        assert!(!line.contains('\u{1b}') && line.starts_with("\\u{1b}[7m.fut:1:"), "{line:?}");
        assert!(!render(&d, &sources, true).contains("\u{1b}[31m b"));
    }
}

#[test]
fn what_is_said_of_a_file_is_in_its_order_behind_that_of_others() {
    let mut sources = SourceMap::new();
    let [own, other] = ["a.fut", "b.fut"].map(|path| sources.add(path, "x y z"));
    let at = |file, start, text: &str| Diagnostic::error(Code::UnknownName, Span::new(file, start, start + 1), text);
    let mut all = [at(own, 4, "4"), at(other, 2, "b2"), at(own, 0, "0"), at(other, 0, "b0"), at(own, 4, "4'")];
    in_order(&mut all, own);
    assert_eq!(all.map(|d| d.message), ["b2", "b0", "0", "4", "4'"]);
}

#[test]
fn colours_are_off_unless_asked_for() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.fut", "def");
    let d = [Diagnostic::warning(Code::UnexpectedToken, Span::new(file, 0, 3), "M.").here("here").note("N.")];
    assert!(!render(&d, &sources, false).contains('\u{1b}'));
    assert!(render(&d, &sources, true).contains('\u{1b}'));
    // A place in a file that the map does not have is no reason to fail.
    let lost = [Diagnostic::error(Code::UnexpectedToken, Span::new(FileId(9), 0, 3), "M.")];
    assert_eq!(render(&lost, &sources, false), "<unknown>: error E0103: M.\n");
}

/// The first in the source are shown, whatever the order in which they have been found.
#[test]
fn many_diagnostics_are_counted() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.fut", &"x\n".repeat(500));
    let at = |i: u32| Span::new(file, 2 * i, 2 * i + 1);
    let mut all: Vec<Diagnostic> =
        (0..SHOWN as u32 + 1).map(|i| Diagnostic::error(Code::UnknownName, at(i), "E.")).rev().collect();
    all.push(Diagnostic::warning(Code::UnusedName, at(400), "W."));
    let text = render(&all, &sources, false);
    assert_eq!((text.matches("Error: E.").count(), text.matches("Warning: W.").count()), (SHOWN, 1));
    assert!(text.contains("a.fut:100:1 ]") && !text.contains("a.fut:101:1 ]"), "{text}");
    assert!(text.ends_with("\n… and 1 more error\n"), "{text}");
    all.remove(0);
    assert!(!render(&all, &sources, false).contains("more"));
    let warnings: Vec<Diagnostic> = (0..300).map(|i| Diagnostic::warning(Code::UnusedName, at(i), "W.")).collect();
    assert!(render(&warnings, &sources, false).ends_with("\n… and 200 more warnings\n"));
}

/// One excerpt with one header, which is the main place, whichever place comes first in the text.
#[test]
fn places_are_shown_in_the_order_of_the_lines() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.fut", "def f = 1\ndef g = 2\ndef f = 3\n");
    let at = |line: u32| Span::new(file, 10 * line + 4, 10 * line + 5);
    let d = Diagnostic::error(Code::DuplicateName, at(2), "Twice.").here("again").label(at(0), "first");
    insta::assert_snapshot!(render(&[d], &sources, false), @r#"
    [E0204] Error: Twice.
       ╭─[ a.fut:3:5 ]
       │
     1 │ def f = 1
       │     ┬
       │     ╰── first
       │
     3 │ def f = 3
       │     ┬
       │     ╰── again
    ───╯
    "#);
}

/// Of a long line a part is shown, and the place is that in the file.
#[test]
fn long_lines_are_cut() {
    let mut sources = SourceMap::new();
    let line = format!("def é = {}f y{} z", "x + ".repeat(2000), " + x".repeat(2000));
    let text = format!("-- one\n{line}\n");
    let file = sources.add("a.fut", &text);
    let at = |name: &str| {
        let start = text.find(name).unwrap() as u32 + 1;
        Span::new(file, start, start + 1)
    };
    let d = Diagnostic::error(Code::UnknownName, at(" y"), "Unknown name \"y\".").label(at(" z"), "as here");
    let out = render(&[d], &sources, false);
    insta::assert_snapshot!(out, @r#"
    [E0201] Error: Unknown name "y".
       ╭─[ a.fut:2:8011 ]
       │
     2 │ …x + x + x + x + x + x + x + x + x + x + x + x + f y + x + x + x + x + x + x + x + x + x + x + x + x …x + x + x + x + x + x + x + x + x + x + x + x + x z
       │                                                    ┬                                                                                                    ┬
       │                                                    ╰─────────────────────────────────────────────────────────────────────────────────────────────────────── here
       │                                                                                                                                                         │
       │                                                                                                                                                         ╰── as here
    ───╯
    "#);
}
