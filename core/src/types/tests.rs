use super::env::Env;
use super::*;
use crate::diag::{Diagnostic, one_line};
use crate::prelude;
use crate::source::SourceMap;
use crate::syntax;

/// Checks a program on top of the prelude.
fn run(text: &str) -> (Env, SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let (env, diagnostics) = prelude::load(&mut sources);
    let prelude: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
    assert_eq!(prelude, [""; 0]);
    let file = sources.add("t.fut", text);
    let (ast, mut diagnostics) = syntax::parse(file, text);
    let (_, env, more) = check(&ast, &env, &sources);
    diagnostics.extend(more);
    (env, sources, diagnostics)
}

/// The types of the names in a program without errors.
fn types(text: &str, names: &[&str]) -> Vec<String> {
    let (env, sources, diagnostics) = run(text);
    let errors: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
    assert_eq!(errors, [""; 0], "{text}");
    names.iter().map(|n| env.type_of(n).unwrap_or_else(|| panic!("{n} is not defined"))).collect()
}

fn ty(text: &str) -> String {
    types(&format!("def it = {text}"), &["it"]).remove(0)
}

#[test]
fn prelude_checks() {
    let mut sources = SourceMap::new();
    let (_, diagnostics) = prelude::load(&mut sources);
    let text: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
    assert_eq!(text, [""; 0]);
}

#[test]
fn literals() {
    assert_eq!(ty("1 + 2"), "i32");
    assert_eq!(ty("1 + 2.0"), "f64");
    assert_eq!(ty("1i64 + 2"), "i64");
    assert_eq!(ty("[1, 2.5f32, 0]"), "[3]f32");
    assert_eq!(ty("(1, true, -2147483648)"), "(i32, bool, i32)");
}

/// Programs that are well typed, and what is inferred. Futhark 0.25.32 accepts them too, but for one: here the length of an
/// array is its size.
#[test]
fn accepted() {
    let mut wrong = vec![];
    for (text, want) in [
        ("def it x = x", "'^t0 . t0 -> t0"),
        ("def it = map (+1)", "[n] . [n]i32 -> [n]i32"),
        ("def it [n] (xs: [n](f64, f64)) = map (\\x -> x.0 * x.1) xs", "[n] . [n](f64, f64) -> [n]f64"),
        ("def it (xs: [](f64, f64)) = xs |> map (\\x -> x.0) |> f64.sum", "[n] . [n](f64, f64) -> f64"),
        ("def it [n][m] (xss: [n][m]f64) = map f64.sum (transpose xss)", "[n] [m] . [n][m]f64 -> [m]f64"),
        ("def it (n: i64) = iota (n + 1)", "(n: i64) -> [n + 1]i64"),
        ("def it (n: i64) = zip (iota (n + 1)) (iota (n + 1))", "(n: i64) -> [n + 1](i64, i64)"),
        ("def it [n] (xs: [n]i32) = zip xs (iota (length xs))", "[n] . [n]i32 -> [n](i32, i64)"),
        ("def it (n: i64) (b: bool) = if b then iota n else iota (2 * n)", "i64 -> bool -> ?[d].[d]i64"),
        ("def it (n: i64) = let k = n + 1 in iota k", "(n: i64) -> [n + 1]i64"),
        ("def it (n: i64) = let xs = 0..2..<n in zip xs xs", "i64 -> ?[d].[d](i64, i64)"),
        ("def it (n: i64) = (0..<n, 1..<n, 1...n)", "(n: i64) -> ([n]i64, [n - 1]i64, [n - 1 + 1]i64)"),
        ("def it [n] (xs: [n]f64) : []f64 = xs", "[n] . [n]f64 -> [n]f64"),
        ("def f (xs: []f64) = length xs def it = f [1] + f [1, 2]", "i64"),
        ("def it = let f (xs: []f64) = length xs in f [1] + f [1, 2]", "i64"),
        ("def it = let f 'a (x: a) = x in (f 1i32, f true)", "(i32, bool)"),
        ("def it (n: i64) = loop xs = iota n for i < 10i32 do map (+1) xs", "(n: i64) -> [n]i64"),
        ("def it = loop xs = [1] for i < 3i32 do xs ++ [i]", "[d]i32"),
        ("def it (x: i32) = loop (a, b) = (x, 1f32) while a > 0 do (a - 1, b * 2)", "i32 -> (i32, f32)"),
        ("def it [n] (xs: [n]f64) = loop s = 0 for x in xs do s + x", "[n] . [n]f64 -> f64"),
        (
            "def it [n] (xs: [n]f64) (m: i64) = (xs :> [m]f64, xs : [n]f64)",
            "[n] . [n]f64 -> (m: i64) -> ([m]f64, [n]f64)",
        ),
        ("def it [n][m] (xs: [n][m]f64) = flatten xs", "[n] [m] . [n][m]f64 -> [n * m]f64"),
        ("def it (f: f64 -> f64) (x: f64) = vjp f x 1", "(f64 -> f64) -> f64 -> f64"),
        (
            "def it [n] (f: [n]f64 -> f64) (x: [n]f64) = map (\\i -> jvp f x (map (\\j -> f64.bool (i == j)) (iota n))) (iota n)",
            "[n] . ([n]f64 -> f64) -> [n]f64 -> [n]f64",
        ),
        ("module m = { type t = f64 def c : t = 2 module n = { def f (x: t) = x * c } } def it = m.n.f m.c", "f64"),
        ("open f64 def it = exp 1 + pi", "f64"),
        ("def it = f64.(exp pi + i32 2)", "f64"),
        ("def it x = x |> f64.sqrt |> (/ 2)", "f64 -> f64"),
        ("def it = f64.sqrt <| f64.abs <| -4", "f64"),
        ("def it = (f64.sin >-> f64.cos) 1", "f64"),
        ("def it = map2 (-) [1, 2] [3, 4.5]", "[2]f64"),
        ("def it = (\\(x, y) -> x && !y) (true, false)", "bool"),
        ("def it = 3 `i64.max` 4 + 5", "i64"),
        ("def (+^) (x: f64) (y: f64) = x + 2 * y def it = 1 +^ 2 +^ 3", "f64"),
        (
            "type pair 'a = (a, a) type vec [n] 'a = [n]a def it (p: pair (vec [3] i32)) = p.0[1] + p.1[2i64]",
            "([3]i32, [3]i32) -> i32",
        ),
        ("def apply '^a '^b (f: a -> b) (x: a) = f x def it = apply (apply (+) 1) 2", "i32"),
        ("def it [n] (xs: [n]i64) = tabulate n (\\i -> xs[n - 1 - i])", "[n] . [n]i64 -> [n]i64"),
        (
            "def it = reduce (\\(a, i) (b, j) -> if a >= b then (a, i) else (b, j)) (f64.lowest, -1i64) (zip [1.0] (iota 1))",
            "(f64, i64)",
        ),
        ("def it = zip [1] (map (\\i -> i) (iota 1))", "[1](i32, i64)"),
        ("def it (n: i64) (xs: [n]f64) = f64.sum xs / f64.i64 n", "(n: i64) -> [n]f64 -> f64"),
        ("def it = uncurry (+) (1i64, 2)", "i64"),
    ] {
        let got = types(text, &["it"]).remove(0);
        if scrub(&got) != want {
            wrong.push(format!("{text}\n  got  {got}\n  want {want}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Numbers of unknown sizes are of no interest.
fn scrub(text: &str) -> String {
    let mut out = String::new();
    let mut after_d = false;
    for c in text.chars() {
        if !(after_d && c.is_ascii_digit()) {
            out.push(c);
        }
        after_d = c == 'd' && !out.trim_end_matches('d').ends_with(|c: char| c.is_ascii_alphanumeric())
            || after_d && c.is_ascii_digit();
    }
    out
}

/// Programs with errors, and the code of each. Futhark 0.25.32 rejects them too, but for two: it takes an entry point that
/// returns a function for one with more parameters, and only warns about literals that are too large.
#[test]
fn rejected() {
    use crate::diag::Code::{self, *};
    let cases: &[(&str, &[Code])] = &[
        ("def it = x", &[UnknownName]),
        ("def it = f64.exq 1", &[UnknownName]),
        ("def it = f65.exp 1", &[UnknownName]),
        ("def it (x: f65) = x", &[UnknownType]),
        ("def it = m.n.(1)", &[UnknownModule]),
        ("def it = 1 + true", &[NoSuchOverload]),
        ("def it = 1i32 + 1i64", &[TypeMismatch]),
        ("def it: i32 = 1.5", &[NoSuchOverload]),
        ("def it = if 1 then 2 else 3", &[NoSuchOverload]),
        ("def it = if true then 2 else false", &[NoSuchOverload]),
        ("def it = [1, true]", &[NoSuchOverload]),
        ("def it = f64.exp 1i32", &[TypeMismatch]),
        ("def it = 1i32 2", &[NotAFunction]),
        ("def it = f64.exp 1 2", &[NotAFunction]),
        ("def it (x: i32) = x[0]", &[NotAnArray]),
        ("def it (x: (i32, i32)) = x.2", &[NoSuchField]),
        ("def it x = x.0", &[TypeMismatch]),
        ("def it = \\(x, x) -> x", &[DuplicateName]),
        ("def it (x, y) = x def it = 2", &[DuplicateName]),
        ("def it = (\\x -> x x) 1", &[InfiniteType]),
        ("def it [n][m] (xs: [n]i32) (ys: [m]i32) = zip xs ys", &[SizeMismatch]),
        ("def it = zip [1, 2] [1, 2, 3]", &[SizeMismatch]),
        ("def it (n: i64) : [n + 1]i64 = iota (1 + n)", &[SizeMismatch]),
        ("def it (n: i64) = let xs = 0..2..<n let ys = 0..2..<n in zip xs ys", &[SizeMismatch]),
        ("def it = map (\\i -> iota i) (iota 3)", &[SizeEscapes]),
        ("def it = map (\\i -> let xs = 0..2..<i in xs) (iota 3)", &[SizeMismatch]),
        ("def it [n] (xs: [n]f64): [n + 1]f64 = xs", &[SizeMismatch]),
        ("def it (x: f64) : i32 = x", &[TypeMismatch]),
        ("def it = length <| f where", &[UnknownName, UnknownName]),
        ("def it 'a 'b (x: a) : b = x", &[TypeMismatch]),
        ("def it 'a (x: a) = x + x", &[NoSuchOverload]),
        ("def it = [f64.exp, f64.sin]", &[FunctionNotAllowed]),
        ("def it (b: bool) = if b then f64.exp else f64.sin", &[FunctionNotAllowed]),
        ("def it = loop f = f64.exp for i < 3i32 do f", &[FunctionNotAllowed]),
        ("def f 'a (x: a) = x def it = f f64.exp", &[FunctionNotAllowed]),
        ("entry it (f: i32 -> i32) = f 1", &[BadEntry]),
        ("entry it 'a (x: a) = 1i32", &[BadEntry]),
        ("entry it (x: i32) = \\(y: i32) -> x + y", &[BadEntry]),
        ("module m = { def x = 1i32 } def it = m.y", &[UnknownName]),
        ("module m = { local def x = 1i32 def z = x } def it = m.x", &[UnknownName]),
        ("def it = let (a, b) = (1, 2, 3) in a", &[TypeMismatch]),
        ("type v [n] = [n]i32 def it (x: v) = x", &[BadTypeArguments]),
        ("def it (xs: [n]i32) = xs", &[UnknownName]),
        ("def it = 3000000000i32", &[LiteralOutOfRange]),
        (
            "def a: i32 = true def b: f64 = false def c = a + 1 def d: bool = c",
            &[TypeMismatch, TypeMismatch, TypeMismatch],
        ),
        ("def it = reduce (+) 0i32 [1.5]", &[NoSuchOverload]),
        ("def it (n: i64) (f: (m: i64) -> [m]f64) = (f n : [n + 1]f64)", &[SizeMismatch]),
        ("def it = \\xs -> let n = length xs in zip xs (iota (n + 0))", &[SizeMismatch]),
        ("def it = vjp (\\x -> x + 1f64) 1f32 1", &[TypeMismatch]),
        ("def it = (1, 2) + (3, 4)", &[NoSuchOverload]),
        ("def it (x: bool) = -x", &[NoSuchOverload]),
        ("def it = loop x = 1i32 for i < 2.5 do x", &[NoSuchOverload]),
        ("def it = loop x = 1i32 for i < 2i32 do 2f32", &[TypeMismatch]),
        (
            "def it [n] (xs: [n]i32) = loop ys = xs for i < 2i32 do zip ys xs |> map (\\x -> x.0) |> map (+1) |> map i64.i32",
            &[TypeMismatch],
        ),
    ];
    let mut wrong = vec![];
    for (text, want) in cases {
        let (_, sources, diagnostics) = run(text);
        let got: Vec<Code> = diagnostics.iter().map(|d| d.code).collect();
        if &got != want {
            let lines: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
            wrong.push(format!("{text}\n  want {want:?}\n  {}", lines.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
