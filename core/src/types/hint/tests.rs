use crate::diag::Code::{self, *};
use crate::diag::mended::Bench;
use crate::source::SourceMap;
use crate::{prelude, syntax, types};

fn mended(cases: &[(Code, &str, &str)]) {
    Bench::new().check(cases);
}

#[test]
fn words_as_operators() {
    mended(&[
        (UnknownName, "def f (x: i32) = x mod 2", "`x % 2`"),
        (UnknownName, "def f (x: i32) = (x + 1) div 2", "`(x + 1) / 2`"),
        (UnknownName, "def f (x: bool) (y: bool) = x xor y", "`x != y`"),
        (UnknownName, "def f (x: i32) (y: i32) = x xor y", "`x ^ y`"),
        (UnknownName, "def f (x: i32) = mod x 2", "`x % 2`"),
        (UnknownName, "def f (x: i32) = 1 + x mod 2 == 0", "`1 + x % 2`"),
        (NotAFunction, "def f (x: bool) (y: bool) = x and y", "`x && y`"),
        (NotAFunction, "def f (x: bool) (y: bool) (z: bool) = x and y or z", "`x && y || z`"),
        (NotAFunction, "def f (x: i32) (y: i32) = if x > 0 and y > 0 then 1 else 0", "`x > 0 && y > 0`"),
        (NotAFunction, "def f (x: i32) = x == 1 or x == 2 or x == 3", "x == 1 || x == 2 || x == 3"),
        (NotAFunction, "def f (x: i32) (y: i32) = (x > 0) and (y > 0)", "(x > 0) && (y > 0)"),
        (NotAFunction, "def f (x: bool) (y: bool) = not x and y", "`not x && y`"),
        (NotAFunction, "def f (x: i32) (y: i32) = x i32.max y", "x `i32.max` y"),
    ]);
}

#[test]
fn operators_of_other_languages() {
    mended(&[
        (UnknownName, "def f (x: i32) = if x <> 1 then 2 else 3", "`!=`"),
        (UnknownName, "def f (x: i32) = x + 1 /= 2", "`!=`"),
        (UnknownName, "def f (x: i32) = x === 2", "`==`"),
        (UnknownName, "def f (x: i32) = x =< 2", "`<=`"),
        (UnknownName, "def f (x: f64) = x *. 2", "`*`"),
        (UnknownName, "def f (xs: []i32) = map (x => x + 1) xs", "`\\x -> x + 1`"),
        (NoSuchOverload, "def f (x: f64) = x ^ 2", "`x ** 2`"),
    ]);
}

#[test]
fn names() {
    mended(&[
        (UnknownName, "def f (x: f64) = f64.sqr x", "\"f64.sqrt\""),
        (UnknownName, "def f (xs: []i32) = mpa (+1) xs", "\"map\""),
        (UnknownName, "def f (xs: []i32) = lenght xs", "\"length\""),
        (UnknownName, "def f (xs: []i32) = len xs", "\"length\""),
        (UnknownName, "def f (x: f64) = sqrt x", "\"f64.sqrt\""),
        (UnknownName, "def f (x: f32) = sqrt x", "\"f32.sqrt\""),
        (UnknownName, "def f (xs: []i32) = sum xs", "\"i32.sum\""),
        (UnknownName, "def f = 2 * pi", "\"f64.pi\""),
        (UnknownName, "def f = True", "\"true\""),
        (UnknownName, "def f (x: i32) = return x", "leave out `return`"),
        (NoSuchField, "def f (xs: []i32) = xs.length", "`length xs`"),
        (NoSuchField, "def f (xs: []i32) = 1 + xs.len", "`(length xs)`"),
        (UnknownName, "def f (n: i64) = 2.5 * f64(n)", "`f64.i64`"),
        (UnknownName, "def f (x: f64) = int x", "`i32.f64`"),
        (UnknownName, "def f (n: i32) = 0.5 * float(n)", "`f64.i32`"),
        (UnknownType, "def f (x: int) = x", "\"i32\""),
        (UnknownType, "def f (x: double) = f64.sqrt x", "\"f64\""),
        (BadTypeArguments, "def f (xs: f64[]) = f64.sum xs", "`[]f64`"),
        (BadTypeArguments, "def f (n: i64) (xs: f64[n]) = f64.sum xs", "`[n]f64`"),
        (NoSuchField, "def f (s: #some i32 | #none) = match s case #some x -> x case #nothing -> 0", "\"#none\""),
        (UnmatchedCases, "def f (s: #some i32 | #none) = match s case #some x -> x", "`case #none -> 0`"),
        (BadEntry, "entry main (f: i32 -> i32) = f 3", "`def main_function`"),
    ]);
}

#[test]
fn signs() {
    mended(&[
        (FunctionNotAllowed, "def f = f32.abs -3", "`f32.abs (-3)`"),
        (FunctionNotAllowed, "def f (x: f64) = f64.abs -x", "`f64.abs (-x)`"),
        (FunctionNotAllowed, "def g (x: i32) (y: i32) = x + y\ndef f (x: i32) = g x -1", "`g x (-1)`"),
        (FunctionNotAllowed, "def g (x: i32) (y: i32) = x + y\ndef f (x: i32) = g -1 x", "`g (-1) x`"),
    ]);
}

#[test]
fn indices() {
    mended(&[
        (NotAFunction, "def f (a: [][]f64) = a [0] [1]", "`a[0][1]`"),
        (NotAFunction, "def f (a: []f64) (i: i64) = a [i] + 1", "`a[i]`"),
        (NotAFunction, "def f (a: [][]f64) = a [0, 1]", "`a[0, 1]`"),
        (TypeMismatch, "def f (a: []i32) = i32.abs a [0]", "`i32.abs a[0]`"),
        (NotAFunction, "def f (a: []i32) = a(0)", "`a[0]`"),
        (NoSuchOverload, "def f (a: []f64) (i: f64) = a[i]", "`i64.f64 i`"),
        (NoSuchOverload, "def f (a: []f64) (i: i32) = a[f64.i32 i]", "`i`"),
        (NoSuchOverload, "def f (a: []f64) (i: u32) = a[i + 1]", "`i64.u32 (i + 1)`"),
        (NoSuchOverload, "def f (a: []f64) = a[1.0]", "`1`"),
    ]);
}

#[test]
fn missing_arguments() {
    mended(&[
        (NoSuchOverload, "def f (a: []f64) = reduce (+) a", "`reduce (+) 0 a`"),
        (NoSuchOverload, "def f (a: []i32) = scan (*) a", "`scan (*) 1 a`"),
        (TypeMismatch, "def f (a: []i32) = reduce i32.max a", "`reduce i32.max i32.lowest a`"),
        (TypeMismatch, "def f (a: []f64) = reduce f64.min a", "`reduce f64.min f64.inf a`"),
        (TypeMismatch, "def f (a: []bool) = reduce (&&) a", "`reduce (&&) true a`"),
        (TypeMismatch, "def f (a: []i32) = reduce a", "`reduce (+) 0 a`"),
        (TypeMismatch, "def f (is: []i64) (vs: *[]i32) = scatter is (copy vs)", "scatter"),
        (TypeMismatch, "def g (x: i32) (y: i32) = x + y\ndef f (x: i32) : i32 = g x", "`g x 0`"),
        (
            FunctionNotAllowed,
            "def g (x: i32) (y: bool) = if y then x else 0\ndef f (x: i32) = g x + 1",
            "`g x false + 1`",
        ),
        (TypeMismatch, "def f (x: f64) : f64 = vjp f64.sin x", "`vjp f64.sin x 1`"),
        (TypeMismatch, "def f (x: f64) : f64 = jvp f64.sin x", "`jvp f64.sin x 1`"),
        (FunctionNotAllowed, "def g (x: f64) (y: f64) = x * y\ndef f (x: f64) = vjp g x 1", "`vjp (\\v -> g v 0) x 1`"),
        (TypeMismatch, "def f (xs: []i32) : []i32 = map2 (+) xs", "map2 (+) xs ("),
    ]);
}

#[test]
fn too_many_arguments() {
    mended(&[
        (NotAFunction, "def f (a: []f64) (b: []f64) = map (+) a b", "`map2 (+) a b`"),
        (NotAFunction, "def f (a: []f64) = map2 (\\x y z -> x + y + z) a a a", "`map3 (\\x y z -> x + y + z) a a a`"),
        (NotAFunction, "def f (a: []f64) = zip a a a", "`zip3 a a a`"),
        (FunctionNotAllowed, "def f (a: []f64) = map2 (+1) a", "`map (+1) a`"),
        (NotAFunction, "def g (x: i32) = x\ndef f = g 1 2", "`g 1`"),
        (NotAFunction, "def f (x: f64) = f64.sqrt f64.abs x", "`f64.sqrt (f64.abs x)`"),
        (NotAFunction, "def f (x: f64) (y: f64) = x (y + 1)", "`x * (y + 1)`"),
        (FunctionNotAllowed, "def f (x: i32) = 2 x", "`2 * x`"),
    ]);
}

#[test]
fn tuples() {
    mended(&[
        (NotAFunction, "def g (x: i32, y: i32) = x + y\ndef f = g 1 2", "`g (1, 2)`"),
        (TypeMismatch, "def g (x: i32) (y: i32) = x + y\ndef f = g (1, 2)", "`g 1 2`"),
        (TypeMismatch, "def g (x: i32) (y: i32) = x + y\ndef f = g(1 + 1, 2)", "`g (1 + 1) 2`"),
        (TypeMismatch, "def g (x: i32) (y: i32) = x + y\ndef f (p: (i32, i32)) = g p", "`g p.0 p.1`"),
        (TypeMismatch, "def f [n] (a: [n]i32) (b: [n]i32) = map2 (+) (a, b)", "`map2 (+) a b`"),
        (FunctionNotAllowed, "def f [n] (a: [n]i32) (b: [n]i32) = map (+) (zip a b)", "`map (uncurry (+)) (zip a b)`"),
    ]);
}

#[test]
fn another_order() {
    mended(&[
        (TypeMismatch, "def f (a: []f64) = map a (+1)", "`map (+1) a`"),
        (TypeMismatch, "def f (a: []i32) = filter a (>0)", "`filter (>0) a`"),
        (FunctionNotAllowed, "def f (a: []i32) = reduce 0 (+) a", "`reduce (+) 0 a`"),
        (NoSuchOverload, "def f (a: []i32) = reduce (+) a 0", "`reduce (+) 0 a`"),
        (NoSuchOverload, "def f (n: i64) = replicate 1.5 n", "`replicate n 1.5`"),
        (SizeMismatch, "def f [n] (xs: [n]i64) = zip xs (iota (length xs))", "`zip xs (indices xs)`"),
        (SizeEscapes, "def f (xs: []i64) = zip xs (iota (length xs))", "`zip xs (indices xs)`"),
        (FunctionNotAllowed, "def f (a: []f64) = foldl 0 (+) a", "`foldl (+) 0 a`"),
    ]);
}

#[test]
fn conversions() {
    mended(&[
        (TypeMismatch, "def f (x: f64) (n: i64) : f64 = x / n", "`x / f64.i64 n`"),
        (TypeMismatch, "def f (n: i64) (x: f64) : f64 = n * x", "`f64.i64 n * x`"),
        (TypeMismatch, "def f (x: i32) (y: i64) = x + y", "`i64.i32 x + y`"),
        (TypeMismatch, "def f (x: f32) (y: f64) = x < y", "`f64.f32 x < y`"),
        (TypeMismatch, "def f (xs: []f64) = f64.sum xs / length xs", "f64.i64 (length xs)"),
        (NoSuchOverload, "def f (n: i32) = n + 1.5", "`f64.i32 n + 1.5`"),
        (NoSuchOverload, "def f (n: i32) : f32 = n * 0.5", "`f32.i32 n * 0.5`"),
        (TypeMismatch, "def f (x: f32) = f64.sin x", "`f64.sin (f64.f32 x)`"),
        (TypeMismatch, "def f (n: i32) = iota n", "`iota (i64.i32 n)`"),
        (TypeMismatch, "def f (x: f64) : i32 = x * 2", "`i32.f64 (x * 2)`"),
        (TypeMismatch, "def f (xs: []i32) = f64.sum xs", "`f64.sum (map f64.i32 xs)`"),
        (TypeMismatch, "def f (xs: [][]i32) (g: [][]f64 -> f64) = g xs", "(map (map f64.i32) xs)"),
        (TypeMismatch, "def f (x: i32) = if x then 1 else 2", "x != 0"),
        (TypeMismatch, "def f (x: i32) (b: bool) = x + i32.bool b + b", "i32.bool b"),
        (TypeMismatch, "def f = [1, 2.5f32, true]", "f32.bool true"),
        (TypeMismatch, "def f (x: u8) (y: i8) = x + y", "x + "),
    ]);
}

#[test]
fn literals() {
    mended(&[
        (TypeMismatch, "def f (x: f32) : f32 = x * 2.0f64", "`x * 2.0`"),
        (TypeMismatch, "def f (x: i64) = x + 1i32", "`x + 1`"),
        (TypeMismatch, "def f (x: f32) : f32 = f32.sin x * 2.0f64 + 1.0", "`f32.sin x * 2.0`"),
        (TypeMismatch, "def f (x: f64) = vjp f64.sin x 1i32", "`vjp f64.sin x 1`"),
        (TypeMismatch, "def f (x: f64) = 2i64 * x", "`2 * x`"),
        (NoSuchOverload, "def f (x: i32) = x * 2.0", "`x * 2`"),
        (NoSuchOverload, "def f (xs: []f64) = vjp (\\x -> map (*2) x) xs 1.0", "(map (\\_ -> 1.0) xs)"),
        (NoSuchOverload, "def f (n: i64) (g: [n]f64 -> f64) = g 1.5", "(replicate n 1.5)"),
    ]);
}

#[test]
fn results() {
    mended(&[
        (TypeMismatch, "def f (x: i32) : bool = x + 1", "`i32`"),
        (SizeMismatch, "def f [n] (xs: [n]i32) : [n]i32 = xs ++ [1]", "`[n + 1]i32`"),
        (SizeMismatch, "def f [n] (xs: [n]i32) : [n]i32 = filter (>0) xs", "`[]i32`"),
        (SizeMismatch, "def f [n] (xs: [n]i32) : [n]i32 = xs[1:]", "`[n - 1]i32`"),
        (
            SizeMismatch,
            "def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)\ndef f (n: i64) (m: i64) = dot (replicate n 1) (replicate m 1)",
            "(replicate m 1 :> [n]f64)",
        ),
    ]);
}

#[test]
fn copies() {
    mended(&[
        (NotConsumable, "def f (a: []i32) = a with [0] = 1", "`copy a with [0] = 1`"),
        (UseAfterConsume, "def f (a: *[]i32) = let b = a with [0] = 1 in b[0] + a[0]", "`copy a with [0] = 1`"),
        (AliasesFreeVariable, "def k = [1i64, 2]\ndef f (n: i64) = k", "`copy k`"),
        (AliasesFreeVariable, "def k = [1i64, 2]\ndef g x = x\ndef f (n: i64) = g k", "`copy (g k)`"),
    ]);
}

#[test]
fn module_types() {
    mended(&[(
        BadModule,
        "module m : {val count: (n: i64) -> [n]i64} = { def count n = map (+0) (0..<n) }",
        "`def count (n: i64)`",
    )]);
}

/// What a type can hold.
#[test]
fn ranges() {
    let cases = [
        ("def f : u8 = 256", "u8 is 0 to 255"),
        ("def f (x: i8) = x + 200", "i8 is -128 to 127"),
        ("def f : f16 = 70000", "the largest f16 is 65504"),
        ("def f = 3000000000", "i32 is -2147483648 to 2147483647; an i64"),
        ("def f : f32 = 1e300", "the largest f32 is 3.4028235e38; an f64"),
    ];
    for (text, range) in cases {
        let notes = notes(text);
        assert!(notes.iter().any(|n| n.starts_with("Hint: ") && n.contains(range)), "{text}: {notes:?}");
    }
}

fn notes(text: &str) -> Vec<String> {
    let prelude::Prelude { env, mut sources, .. } = prelude::load();
    let file = sources.add("t.fut", text);
    let (ast, _) = syntax::parse(file, text);
    types::check(&ast, &env, &sources).2.into_iter().flat_map(|d| d.notes).collect()
}

/// What may be any type has a letter, and a size that is not known no name.
#[test]
fn no_names_of_ours() {
    let cases = [
        ("def f (a: []f64) = map a true", "Expected: a -> b"),
        ("def f [n] (xs: [n]i32) : [n]i32 = filter (>0) xs", "Actual:   []i32"),
        ("def f (a: []f64) (i: f64) = a[i]", "Expected: integer"),
        ("def f 'a (x: a) = map x true", "Expected: b -> c\nActual:   a"),
    ];
    let prelude::Prelude { env, sources, .. } = prelude::load();
    for (text, wanted) in cases {
        let mut sources: SourceMap = sources.clone();
        let file = sources.add("t.fut", text);
        let (ast, _) = syntax::parse(file, text);
        let said = types::check(&ast, &env, &sources).2;
        assert!(said[0].message.contains(wanted), "{text}: {}", said[0].message);
    }
}

/// Words, and what may be applied, where nothing is wrong with them.
#[test]
fn what_is_right_is_left_alone() {
    let texts = [
        "def f (xs: [][]bool) = map and xs",
        "def mod (x: i32) (y: i32) = x + y\ndef f = mod 1 2",
        "def f (mod: i32) (g: i32 -> i32 -> i32) = g mod 2",
        "def (=>) (a: bool) (b: bool) = !a || b\ndef f (x: bool) (y: bool) = x => y",
        "def (<>) (a: i32) (b: i32) = a + b\ndef f = 1 <> 2",
    ];
    for text in texts {
        assert_eq!(notes(text), [""; 0], "{text}");
    }
}
