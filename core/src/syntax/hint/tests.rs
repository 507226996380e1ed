use crate::diag::mended::Bench;
use crate::diag::{Code, one_line};
use crate::source::SourceMap;
use crate::syntax::parse;

fn mended(cases: &[(&str, &str)]) {
    let cases: Vec<_> = cases.iter().map(|(text, hint)| (Code::UnexpectedToken, *text, *hint)).collect();
    Bench::new().check(&cases);
}

#[test]
fn equals_in_conditions() {
    mended(&[
        ("def f (x: i32) = if x = 1 then 2 else 3", "if x == 1 then"),
        ("def f (n: i32) = loop x = n while x = 3 do x + 1", "while x == 3 do"),
        ("def f (x: i32) (y: i32) = if x = 1 && y = 2 then 1 else 0", "x == 1 && y == 2"),
        ("def f (xs: []i32) = filter (\\x -> x = 1) xs", "(\\x -> x == 1)"),
    ]);
}

#[test]
fn functions_without_names() {
    mended(&[
        ("def f (xs: []i32) = map (\\x = x + 1) xs", "(\\x -> x + 1)"),
        ("def f (xs: []i32) = map (\\x => x + 1) xs", "(\\x -> x + 1)"),
        ("def f (xs: []i32) = map (lambda x: x + 1) xs", "(\\x -> x + 1)"),
        ("def f (xs: []i32) = map (fun x -> x + 1) xs", "(\\x -> x + 1)"),
        ("def f (xs: []i32) = map (x -> x + 1) xs", "(\\x -> x + 1)"),
        ("def f (s: #a i32 | #b) = match s case #a x => x case #b => 0", "case #a x -> x case #b -> 0"),
    ]);
}

#[test]
fn definitions_of_other_languages() {
    mended(&[
        ("def main(x):\n  return x + 1", "def main(x) = x + 1"),
        ("def f(x: i32, y: i32) -> i32:\n    return x * y", "def f(x: i32, y: i32) : i32 = x * y"),
        ("def main(x):\n  y = x + 1\n  return y * 2", "let y = x + 1"),
        ("def f(x):\n  y = x + 1\n  z = y * 2\n  return y + z", "let y = x + 1"),
        ("def f (x: i32) -> i32 = x", "def f (x: i32) : i32 = x"),
        ("main :: i32 -> i32\nmain x = x", "def main (x: i32) : i32 = x"),
        ("add :: Int -> [Double] -> Double\nadd n xs = f64.i64 n + f64.sum xs", "def add (n: i64) (xs: []f64) : f64 ="),
        ("def f :: i32 = 3", "def f : i32 = 3"),
        ("fn main(x: i32) -> i32 { x + 1 }", "def main(x: i32) : i32 = x + 1"),
        ("fun f x = x + 1", "def f x = x + 1"),
        ("f x = x + 1", "def f x = x + 1"),
        ("def f (x: i32)\n  x + 1", "def f (x: i32) ="),
        ("def f (x: i32) = let y := x in y", "let y = x in y"),
    ]);
}

#[test]
fn loops_without_loop() {
    mended(&[
        ("def f (n: i32) = for i < n do i", "loop acc = 0 for i < n do i"),
        ("def f (n: i32) = while n > 0 do n - 1", "loop acc = 0 while n > 0 do n - 1"),
        ("def f (xs: []i32) = 1 + (for x in xs do x)", "(loop acc = 0 for x in xs do x)"),
        ("def f (n: i32) = for i in range(n): i", "loop acc = 0 for i < n do i"),
    ]);
}

#[test]
fn words_that_are_missing() {
    mended(&[
        ("def f (x: i32) = if x > 0 then 1", "if x > 0 then 1 else 0"),
        ("def f (x: i32) = 1 + (if x > 0 then x * 2)", "(if x > 0 then x * 2 else 0)"),
        ("def f (x: i32) =\n  let y = if x > 0 then x == 2\n  in y && true", "else false"),
        ("def f (x: i32) = if x > 0 then 1 elif x < 0 then 2 else 3", "else if x < 0 then 2"),
        ("def f (x: i32) = if x > 0 1 else 2", "if x > 0 then 1 else 2"),
        ("def f (x: i32) = if x > 0: 1 else 2", "if x > 0 then 1 else 2"),
        ("def f (x: i32) =\n  let y = x + 1\n  y * 2", "let y = x + 1 in"),
        ("def f (x: i32) =\n  let a = x + 1\n  let b = a * 2\n  a + b", "let b = a * 2 in"),
        ("def f (x: i32) = let y = x + 1 y * 2", "let y = x + 1 in y * 2"),
        ("def f (x: i32) = let y = x + 1", "let y = x + 1 in y"),
        ("def f (xs: []i32) = map (\\x -> let y = x + 1\n  y * y) xs", "let y = x + 1 in"),
        ("def f (n: i32) = loop x = 0 for i < n\n  x + i", "for i < n do"),
    ]);
}

#[test]
fn brackets() {
    mended(&[
        ("def f (x: i32) = (x + 1", "(x + 1)"),
        ("def f (xs: []i32) = map (+1 xs", "map (+1) xs"),
        ("def f (x: i32) = [x, 1", "[x, 1]"),
        ("def f (x: i32) =\n  let y = (x + 1\n  in y", "(x + 1)"),
        ("def f (xs: []i32) = xs[0", "xs[0]"),
        ("def f (x: i32 = x", "def f (x: i32) = x"),
        ("def a = {x = 1, y = 2\ndef b = 3", "{x = 1, y = 2}"),
        ("def f (x: i32) = ((x + 1", "((x + 1))"),
        ("def f (x: i32) = (x + 1]", "(x + 1)"),
        ("def f (x: i32) = x + 1)", "leave out the `)`"),
        ("def f (x: i32) = let y = [x]] in y", "leave out the `]`"),
        ("def f (x: i32) = x}", "leave out the `}`"),
    ]);
}

#[test]
fn other_signs() {
    mended(&[
        ("def f (xs: []i32) = xs [1:3]", "xs[1:3]"),
        ("def f (b: bool) = b\ndef g (b: bool) = f !b", "f (!b)"),
        ("def f (x: i32) = i32.abs if x > 0 then x else 1", "i32.abs (if x > 0 then x else 1)"),
        ("def f (x: i32) = x > 0 ? 1 : 2", "if x > 0 then 1 else 2"),
        ("def f (x: f64) = x + 1.", "x + 1.0"),
        ("def f (x: f64) = x + .5", "x + 0.5"),
        ("// hello\ndef f (x: i32) = x", "-- hello"),
        ("def f (x: i32) = x;", "def f (x: i32) = x"),
        ("def f = 'abc'", "\"abc\""),
    ]);
}

#[test]
fn characters_that_look_alike() {
    let cases = [
        ("def f (x: i32) = x − 1", "`-`"),
        ("def f (x: i32) = x – 1", "`-`"),
        ("def f (x: i32) = 2 × x", "`*`"),
        ("def f (x: i32) = x ≤ 1", "`<=`"),
        ("def f (x: i32) = x ≠ 1", "`!=`"),
        ("def f (x: i32) = （x)", "`(`"),
        ("def f = “abc”", "`\"abc\"`"),
        ("def f = „abc“", "`\"abc\"`"),
        ("def f (x: i32) = x\u{200b} + 1", "leave it out"),
    ];
    Bench::new().check(&cases.map(|(text, hint)| (Code::UnknownCharacter, text, hint)));
}

/// The main place, and the other one.
#[test]
fn places() {
    let cases = [
        ("def f x =\n  let y = x + 1\n  y * 2", "2:16", "2:3-5"),
        ("def f x = if x > 0 then 1", "1:26", "1:11-12"),
        ("def f x = (x + 1", "1:11", "1:17"),
        ("def f x = (x +\ndef g = 1", "2:1-3", "1:11"),
        ("def f x = (x +", "1:15", "1:11"),
    ];
    for (text, place, other) in cases {
        let mut sources = SourceMap::new();
        let file = sources.add("t.fut", text);
        let (_, said) = parse(file, text);
        let places: Vec<String> = said[0].labels.iter().map(|(span, _)| sources.locate(*span)).collect();
        let wanted = [place, other].iter().filter(|p| !p.is_empty()).map(|p| format!("t.fut:{p}")).collect::<Vec<_>>();
        assert_eq!((said.len(), &places), (1, &wanted), "{text}: {}", one_line(&said[0], &sources));
    }
}

/// What cannot be read is no reason to say that its name is not known.
#[test]
fn names_of_what_cannot_be_read() {
    mended(&[
        ("def f (x: i32 = x\ndef g = f 1 + f 2", "def f (x: i32) = x"),
        ("type t = (i32, i32\ndef f (p: t) = p.0", "type t = (i32, i32)"),
        ("module m = { def x = (1 }\ndef f = m.x", "(1)"),
    ]);
}
