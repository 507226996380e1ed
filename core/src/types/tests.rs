mod everywhere;

use super::env::Env;
use super::*;
use crate::diag::{Diagnostic, one_line};
use crate::prelude;
use crate::source::SourceMap;
use crate::syntax;

/// Checks programs on top of the prelude, which is loaded once.
struct Prelude(Env, SourceMap);

impl Prelude {
    fn load() -> Prelude {
        let prelude::Prelude { env, sources, diagnostics } = prelude::load();
        assert_eq!(lines(&diagnostics, &sources), [""; 0]);
        Prelude(env, sources)
    }

    /// Errors only: names that nothing uses are another test's.
    fn run(&self, text: &str) -> (Env, SourceMap, Vec<Diagnostic>) {
        let mut sources = self.1.clone();
        let file = sources.add("t.fut", text);
        let (ast, mut diagnostics) = syntax::parse(file, text);
        let (_, env, more) = check(&ast, &self.0, &sources);
        diagnostics.extend(more);
        diagnostics.retain(Diagnostic::is_error);
        (env, sources, diagnostics)
    }

    /// The type of a name in a program without errors; else the errors.
    fn type_of(&self, text: &str, name: &str) -> String {
        let (env, sources, diagnostics) = self.run(text);
        match diagnostics.is_empty() {
            true => env.type_of(name).unwrap_or_else(|| format!("{name} is not defined")),
            false => lines(&diagnostics, &sources).join("\n"),
        }
    }
}

fn lines(diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<String> {
    diagnostics.iter().map(|d| one_line(d, sources)).collect()
}

#[test]
fn literals() {
    let prelude = Prelude::load();
    let ty = |text: &str| prelude.type_of(&format!("def it = {text}"), "it");
    assert_eq!(ty("1 + 2"), "i32");
    assert_eq!(ty("1 + 2.0"), "f64");
    assert_eq!(ty("1i64 + 2"), "i64");
    assert_eq!(ty("[1, 2.5f32, 0]"), "[3]f32");
    assert_eq!(ty("(1, true, -2147483648)"), "(i32, bool, i32)");
}

/// Programs that are well typed, and what is inferred. Futhark 0.25.32 accepts them too.
#[test]
fn accepted() {
    let prelude = Prelude::load();
    let mut wrong = vec![];
    for (text, want) in [
        ("def it x = x", "'^t0 . t0 -> t0"),
        ("def it c x y = if c then x else y", "'~t0 . bool -> t0 -> t0 -> t0"),
        ("def it (n: i64): [n]i64 = 0..1..<n", "(n: i64) -> [n]i64"),
        ("def it [n] (xs: []i32) (_: [n]i32): [n]i32 = xs[0:n]", "[n] [n] . [n]i32 -> [n]i32 -> [n]i32"),
        ("def it (n: i64): [n]i64 = iota (assert (n > 1) n)", "(n: i64) -> [n]i64"),
        ("def it (xs: []i32) = let [n] (_: [n]i32) = filter (> 0) xs in n", "[n] . [n]i32 -> i64"),
        ("module m: {val n: i64 val xs: [n]i64} = {def n = 3i64 def xs = iota n} def it = map i32.i64 m.xs", "[n]i32"),
        ("def it = map (+1)", "[n] . [n]i32 -> [n]i32"),
        ("def it [n] (xs: [n](f64, f64)) = map (\\x -> x.0 * x.1) xs", "[n] . [n](f64, f64) -> [n]f64"),
        ("def it (xs: [](f64, f64)) = xs |> map (\\x -> x.0) |> f64.sum", "[n] . [n](f64, f64) -> f64"),
        ("def it [n][m] (xss: [n][m]f64) = map f64.sum (transpose xss)", "[n] [m] . [n][m]f64 -> [m]f64"),
        ("def it (n: i64) = iota (n + 1)", "(n: i64) -> [n + 1]i64"),
        ("def it (n: i64) = zip (iota (n + 1)) (iota (n + 1))", "(n: i64) -> [n + 1](i64, i64)"),
        ("def it (n: i64) (b: bool) = if b then iota n else iota (2 * n)", "i64 -> bool -> ?[d].[d]i64"),
        ("def it (n: i64) = let k = n + 1 in iota k", "(n: i64) -> [n + 1]i64"),
        ("def it (n: i64) = let xs = 0..2..<n in zip xs xs", "i64 -> ?[d].[d](i64, i64)"),
        ("def it (n: i64) = (0..<n, 1..<n, 1...n)", "(n: i64) -> ([n]i64, [n - 1]i64, [n]i64)"),
        ("def it [n] (xs: [n]f64) : []f64 = xs", "[n] . [n]f64 -> [n]f64"),
        ("def f (xs: []f64) = length xs def it = f [1] + f [1, 2]", "i64"),
        ("def it = let f (xs: []f64) = length xs in f [1] + f [1, 2]", "i64"),
        ("def it = let f 'a (x: a) = x in (f 1i32, f true)", "(i32, bool)"),
        ("def it (n: i64) = loop xs = iota n for i < 10i32 do map (+1) xs", "(n: i64) -> [n]i64"),
        ("def it = loop xs = [1] for i < 3i32 do xs ++ [i]", "[it_d]i32"),
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
        ("def it (n: i64) = zip (rep 1i32) (0..2..<n)", "i64 -> ?[d].[d](i32, i64)"),
        (
            "def f [n] (_: i64 -> [n]i32) (xs: [n]i64) = xs def it (n: i64) = f (\\_ -> rep 1) (0..2..<n)",
            "i64 -> ?[d].[d]i64",
        ),
        ("def it = uncurry (+) (1i64, 2)", "i64"),
    ] {
        let got = prelude.type_of(text, "it");
        if scrub(&got) != want {
            wrong.push(format!("{text}\n  got  {got}\n  want {want}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Numbers of unknown sizes are of no interest, nor what is unique: that has tests of its own.
fn scrub(text: &str) -> String {
    let text = text.replace("*[", "[").replace("*(", "(");
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
        // arguments from right to left
        ("def f [n] (xs: [n]i64) (_: i64 -> [n]i32) = xs def it (n: i64) = f (0..2..<n) (\\_ -> rep 1)", &[Causality]),
        ("def f 'a 'b (x: a) (g: a -> b) = g x def it (n: i64) = f (0..2..<n) (\\xs -> length xs)", &[Causality]),
        ("def it (xs: []i32) = let a = [] : [][]i32 let b = [filter (> 0) xs] in a ++ b", &[Causality]),
        ("def it x y = x == y", &[NoSuchOverload]),
        ("def it f = (f == f, f 1)", &[NoSuchOverload]),
        ("def it '~a (x: a) = [x]", &[FunctionNotAllowed]),
        ("type^ t = ?[n].(i64 -> [n]i64)", &[BadSize]),
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
        ("entry it (x: i32) (f: i32 -> i32) = f x", &[BadEntry]),
        ("module m = { def x = 1i32 } def it = m.y", &[UnknownName]),
        ("module m = { local def x = 1i32 def z = x } def it = m.x", &[UnknownName]),
        ("def it = let (a, b) = (1, 2, 3) in a", &[TypeMismatch]),
        ("type v [n] = [n]i32 def it (x: v) = x", &[BadTypeArguments]),
        ("def it (xs: [n]i32) = xs", &[UnknownName]),
        ("def it : i32 = 3000000000", &[LiteralOutOfRange]),
        (
            "def a: i32 = true def b: f64 = false def c = a + 1 def d: bool = c",
            &[TypeMismatch, TypeMismatch, TypeMismatch],
        ),
        ("def it = reduce (+) 0i32 [1.5]", &[NoSuchOverload]),
        ("def it (n: i64) (f: (m: i64) -> [m]f64) = (f n : [n + 1]f64)", &[SizeMismatch]),
        ("def it = \\xs -> let n = length xs in zip xs (iota (n + 0))", &[SizeEscapes]),
        ("def it [n] (xs: [n]i32) = zip xs (iota (length xs))", &[SizeMismatch]),
        ("def it (n: i64) = zip (0..2..<n) (rep 1i32)", &[Causality]),
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
    let prelude = Prelude::load();
    let mut wrong = vec![];
    for (text, want) in cases {
        let (_, sources, diagnostics) = prelude.run(text);
        let got: Vec<Code> = diagnostics.iter().map(|d| d.code).collect();
        if &got != want {
            let lines: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
            wrong.push(format!("{text}\n  want {want:?}\n  {}", lines.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A definition in error does not hide the errors of others, nor cause any.
#[test]
fn errors_do_not_spread() {
    let prelude = Prelude::load();
    let text = "def f (x: i32) : f64 = true\ndef g = f 1 + 1.5\ndef h = f true\ndef i = undefined 1\ndef j = i + h";
    let (_, sources, diagnostics) = prelude.run(text);
    let places: Vec<String> = diagnostics.iter().map(|d| sources.locate(d.span())).collect();
    assert_eq!(places, ["t.fut:1:24-27", "t.fut:3:11-14", "t.fut:4:9-17"]);
    // nor does a module that there is not, or a module type, wherever it is used
    let text = "module m = f46\ndef g = m.sqrt 1\nmodule type s = { module n: tt }\nmodule f (p: s) = { def x = p.n.x }\nmodule k = f { module n = {} }\ndef h = k.x";
    let (_, sources, diagnostics) = prelude.run(text);
    let places: Vec<String> = diagnostics.iter().map(|d| sources.locate(d.span())).collect();
    assert_eq!(places, ["t.fut:1:12-14", "t.fut:3:29-30"]);
}

/// What a session does: each input sees what came before; an input in error changes nothing that matters.
#[test]
fn sessions() {
    let Prelude(mut env, mut sources) = Prelude::load();
    let mut add = |text: &str| {
        let file = sources.add("[1]", text);
        let (ast, errors) = syntax::parse(file, text);
        assert_eq!(errors, []);
        let (program, next, diagnostics) = check(&ast, &env, &sources);
        env = next;
        (program.defs.len(), diagnostics.len(), env.clone())
    };
    assert_eq!(add("def x = 1i64 def f (y: i64) = x + y").0, 2);
    let before = add("def x = 2.5").2;
    assert_eq!(before.type_of("x").as_deref(), Some("f64"));
    assert_eq!(add("def z = f 1").2.type_of("z").as_deref(), Some("i64"));
    let (defs, errors, env) = add("def w = f x");
    assert_eq!((defs, errors), (0, 1));
    let file = sources.add("[2]", "f 2 |> f64.i64");
    let (expr, _) = syntax::parse_expr(file, "f 2 |> f64.i64");
    let (def, env, diagnostics) = check_expr("it", &expr.unwrap(), &env, &sources);
    assert_eq!(lines(&diagnostics, &sources), [""; 0]);
    assert_eq!(def.unwrap().scheme.to_string(), "f64");
    assert_eq!(env.type_of("it").as_deref(), Some("f64"));
}

/// Names that are near to what is there, in every space of names.
#[test]
fn suggestions() {
    let prelude = Prelude::load();
    let cases = [
        ("def area = 1i32 def f = aera", Some("area")),
        ("def f = f64.sqrtt 1", Some("f64.sqrt")),
        ("def f (x: bol) = x", Some("bool")),
        ("module m = { type point = i32 } def f (x: m.piont) = x", Some("m.point")),
        ("module m = f65", Some("f64")),
        ("def f = f65.sqrt 1", Some("f64")),
        ("module type shape = {} module m : shap = {}", Some("shape")),
        ("def f (r: {width: i32}) = r.widht", Some("width")),
        ("def f (r: {width: i32}) = r with widht = 2", Some("width")),
        ("def f = \\r -> let x = r.widht in x + (r : {width: i32}).width", Some("width")),
        ("def f : #circle | #square = #cirlce", Some("#circle")),
        ("def f (s: #circle | #square) = match s case #cirlce -> 1i32 case _ -> 2", Some("#circle")),
        // nothing is near
        ("def f (r: {width: i32}) = r.height", None),
        ("def f (p: (i32, i32)) = p.2", None),
        ("def f = elephant", None),
    ];
    for (text, near) in cases {
        let (_, sources, diagnostics) = prelude.run(text);
        let said = lines(&diagnostics, &sources);
        let notes = diagnostics.iter().flat_map(|d| &d.notes).filter(|n| n.starts_with("Hint: did you mean"));
        let wanted: Vec<String> = near.iter().map(|n| format!("Hint: did you mean \"{n}\"?")).collect();
        assert_eq!(notes.cloned().collect::<Vec<_>>(), wanted, "{text}: {said:?}");
        assert_eq!(diagnostics.len(), 1, "{text}: {said:?}");
    }
}
