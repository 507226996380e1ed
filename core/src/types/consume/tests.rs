//! Programs that are wrong, each beside others that are right. The verdicts are those of `futhark check` 0.25.32, but where a comment says otherwise.

use crate::diag::{Code, Diagnostic, one_line};
use crate::prelude;
use crate::source::SourceMap;
use crate::syntax;
use crate::types::env::Env;
use crate::types::typed::{Binding, Expr, ExprKind, LoopForm, TypedProgram, Unique};
use crate::types::{causality, check};

struct Prelude(Env, SourceMap);

impl Prelude {
    fn load() -> Prelude {
        let prelude::Prelude { env, sources, diagnostics } = prelude::load();
        let lines: Vec<String> = diagnostics.iter().map(|d| one_line(d, &sources)).collect();
        assert_eq!(lines, [""; 0]);
        Prelude(env, sources)
    }

    /// The program, its environment, and for each error its code and text.
    fn check(&self, text: &str) -> (TypedProgram, Env, Vec<(Code, String)>) {
        let mut sources = self.1.clone();
        let file = sources.add("t.fut", text);
        let (ast, mut diagnostics) = syntax::parse(file, text);
        let (program, env, more) = check(&ast, &self.0, &sources);
        diagnostics.extend(more);
        diagnostics.retain(Diagnostic::is_error);
        (program, env, diagnostics.iter().map(|d| (d.code, one_line(d, &sources))).collect())
    }

    fn accepts(&self, programs: &[&str]) {
        let errors = |text: &&str| {
            let (_, _, errors) = self.check(text);
            (!errors.is_empty()).then(|| format!("{text}\n    {errors:?}"))
        };
        let wrong: Vec<String> = programs.iter().filter_map(errors).collect();
        assert!(wrong.is_empty(), "not accepted:\n{}", wrong.join("\n"));
    }

    /// Each with its one error.
    fn rejects(&self, programs: &[(&str, Code)]) {
        let fault = |(text, code): &(&str, Code)| {
            let (_, _, errors) = self.check(text);
            let codes: Vec<Code> = errors.iter().map(|e| e.0).collect();
            (codes != [*code]).then(|| format!("{text}\n    wants {code:?}: {errors:?}"))
        };
        let wrong: Vec<String> = programs.iter().filter_map(fault).collect();
        assert!(wrong.is_empty(), "not rejected as they should be:\n{}", wrong.join("\n"));
    }

    /// The type of a name in a program without errors.
    fn type_of(&self, text: &str, name: &str) -> String {
        let (_, env, errors) = self.check(text);
        assert_eq!(errors, []);
        env.type_of(name).unwrap_or_default()
    }
}

use Code::*;

#[test]
fn use_after_consumption() {
    let p = Prelude::load();
    p.rejects(&[
        ("def f (xs: *[]i32) = let b = xs with [0] = 1 in xs[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = let r = xs[0:2] let b = xs with [0] = 1 in r[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = let r = xs[::-1] let b = xs with [0] = 1 in r", UseAfterConsume),
        ("def f (xs: *[][]i32) = let z = xs[0] with [0] = 1 in xs[1,1]", UseAfterConsume),
        ("def f (xs: *[]i32) = let y = xs let z = y with [0] = 1 in xs[0] + z[0]", UseAfterConsume),
        ("def f (a: *[]i32) = let b = a let c = b in (let d = c with [0] = 1 in d[0]) + a[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = xs with [0] = (let y = xs with [0] = 1 in y[0])", UseAfterConsume),
        ("def f (xs: *[]i32) = [xs with [0] = 1, xs]", UseAfterConsume),
        ("def f (xs: *[]i32) = (xs with [0] = 1)[0] + xs[0]", UseAfterConsume),
        ("def f (xs: *[]i64) = xs with [(xs with [0] = 1)[0]] = 1", UseAfterConsume),
        ("def f (xs: *[]i32) = let ys = assert (xs[0] == 0) xs let z = ys with [0] = 1 in xs[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = let ys = xs :> [10]i32 let z = ys with [0] = 1 in xs[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = let ys = #[unsafe] xs let z = ys with [0] = 1 in xs[0]", UseAfterConsume),
        ("def f (xs: *[][]i32) = let y = transpose xs let z = y with [0,0] = 1 in xs[0,0]", UseAfterConsume),
        // 0.25.32 says nothing about values that wait for their neighbours, though they would be changed.
        ("def f (xs: *[]i32) = (xs, xs with [0] = 1)", UseAfterConsume),
        ("def f (xs: *[]i64) = xs[(xs with [0] = 1)[0]]", UseAfterConsume),
    ]);
    p.accepts(&[
        // the new value comes before the array, as 0.25.32 has it
        "def c (x: *[]i32): *[]i32 = x def f (xs: *[]i32) = c xs with [0] = xs[1]",
        "def f (xs: *[]i32) (i: i64) = let xs[0] = xs[1] let xs[1] = 2 in xs",
        "def f (xs: *[]i32) = (xs[0], xs with [0] = 1)",
        "def f (xs: *[]i32) = xs[0] + (xs with [0] = 1)[0]",
        "def f (xs: *[][]i32) = let z = xs[0] with [0] = 1 in z",
        "def f (xs: *[][]i32) = let z = xs with [0,0] = 1 in z",
        "def f (xs: *[]i32) = let y = [xs] let z = xs with [0] = 1 in y[0,0]",
        "def f (xs: *[]i32) = let y = xs in y with [0] = 1",
        "def f (a: *[]i32) (b: *[]i32) = let (a, b) = (b, a) let c = a with [0] = 1 in b[0] + c[0]",
        "def f (xs: *[]i32) : *[]i32 = ???",
        "entry f (xs: *[]i32) = xs with [0] = 2",
    ]);
}

#[test]
fn what_is_not_consumable() {
    let p = Prelude::load();
    p.rejects(&[
        ("def f (xs: []i32) = let ys = xs with [0] = 2 in ys", NotConsumable),
        ("def f ((a, b): ([]i32, *[]i32)) = a with [0] = 1", NotConsumable),
        ("def x = [1, 2, 3i32] def f (i: i64) = x with [i] = 1", NotConsumable),
        ("def f (m: i64) = let d = iota m in map (\\i -> d with [i] = 2) (iota m)", NotConsumable),
        ("def f (xs: *[][]i32) = map (\\a -> a with [0] = 2) xs", NotConsumable),
        ("def f (xs: *[]i32) = let g i = xs with [i] = 1 in g 0", NotConsumable),
        ("def f (xs: *[]i32) = \\i -> xs with [i] = 1i32", NotConsumable),
        ("def f (xs: *[]i32) = map (\\x -> x + (xs with [0] = 1)[0]) [1, 2]", NotConsumable),
        ("def f (xs: []i32) = (id xs) with [0] = 1", NotConsumable),
        ("def f (xs: []i32) (b: bool) = (if b then xs else copy xs) with [0] = 1", NotConsumable),
        ("def k 'a 'b (x: a) (y: b): a = x def f (xs: *[]i32) (ys: []i32) = (k xs ys) with [0] = 1", NotConsumable),
        ("def f (ne: []i32) (xs: [][]i32) = (reduce (map2 (+)) ne xs) with [0] = 1", NotConsumable),
        ("def f 'a (x: *a): *a = x def g (xs: []i32) = f xs", NotConsumable),
        ("def g (p: ([]i32, *[]i32)) = p.1 with [0] = 1 def f (xs: []i32) (ys: *[]i32) = g (xs, ys)", NotConsumable),
    ]);
    p.accepts(&[
        "def f ((a, b): ([]i32, *[]i32)) = b with [0] = 1",
        // a mark in any part is one of the whole
        "def f (p: ([]i32, *[]i32)) = p.0 with [0] = 1",
        "def f (xs: []i32) = let y = xs[0] in (copy xs) with [0] = y",
        "def f (xs: []i32) = [xs] with [0, 0] = 1",
        "def f (xss: *[][]i32) = map (\\xs -> copy xs with [0] = 1) xss",
        "def f (xs: *[]i64) = let g (y: i64) = (let t = iota y in t with [0] = 1) in g 3",
        "def f 'a (x: *a): *a = x def g (x: i32) = let y = f x in x",
        "def f (ne: []i32) (xs: *[][]i32) = (reduce (map2 (+)) (copy ne) xs) with [0] = 1",
        "def f (ys: *[]i32) = (\\(xs: *[]i32) -> xs with [0] = 1) ys with [0] = 2",
    ]);
}

#[test]
fn parts_of_records_and_sums() {
    let p = Prelude::load();
    let t = "type t [n] = #a ([n]i32) | #b ([n]i32) ([n]i32) ";
    let sum = |rest: &str| format!("{t}{rest}");
    p.rejects(&[
        ("def f (xs: *[]i32) = let (a, b) = (xs, xs) let z = a with [0] = 1 in b[0]", UseAfterConsume),
        ("def f (r: *{a: []i32, b: []i32}) = let z = r.a with [0] = 1 in r.a[0]", UseAfterConsume),
        ("def f (r: *{a: []i32, b: []i32}) = let z = r.a with [0] = 1 in r", UseAfterConsume),
        ("def f (xs: *[]i32) = let y = unzip (zip xs xs) let z = y.0 with [0] = 1 in y.1[0]", UseAfterConsume),
        (
            &sum("def f [n] (x: *t [n]) = match x case #a y -> y[0] case #b y z -> let w = y with [0] = 1 in z[0]"),
            UseAfterConsume,
        ),
        (
            &sum("def f [n] (x: t [n]) = match x case #a y -> y case #b y z -> let w = y with [0] = 1 in w"),
            NotConsumable,
        ),
        (
            &sum(
                "def f [n] (xs: *[n]i32): i32 = let y : t [n] = #a xs let z = xs with [0] = 1 in match y case #a k -> k[0] case #b _ _ -> 0",
            ),
            UseAfterConsume,
        ),
    ]);
    p.accepts(&[
        "def f (xs: *[]i32) (ys: *[]i32) = let (a, b) = (xs, ys) let z = a with [0] = 1 in b[0]",
        "def f (xs: *[]i32) (ys: *[]i32) = let t = (xs, ys) let z = t.0 with [0] = 1 in ys[0]",
        "def f (r: *{a: []i32, b: []i32}) = let z = r with a = [1] in r.a[0]",
        "def f (r: {a: []i32, b: []i32}) = r with a = [1]",
        "def f (xs: *[]i32) = let (a, _) = (xs, 1i32) in a with [0] = 1",
        "def f (xs: *[]i32) = let a = (xs, 1i32).0 in a with [0] = 1",
        // 0.25.32 takes the name of a record for an alias of each field. Its manual says that aliases are tracked for each.
        "def f (r: *{a: []i32, b: []i32}) = let z = r.a with [0] = 1 in r.b[0]",
        "def f (r: *([]i32, []i32)) = let (a, b) = r let z = a with [0] = 1 in b[0]",
        &sum("def f [n] (x: *t [n]) = match x case #a y -> y case #b y z -> let w = y with [0] = 1 in w"),
        // What a constructor holds is one thing, so that these are no harm.
        &sum("def f [n] (xs: *[n]i32): *t [n] = #b xs xs"),
        &sum("def g [n] (x: *t [n]) = 0i32 def f [n] (xs: *[n]i32) = g (#b xs xs)"),
    ]);
}

#[test]
fn branches() {
    let p = Prelude::load();
    p.rejects(&[
        (
            "def f (c: bool) (xs: *[]i32) = let y = if c then xs with [0] = 1 else [1] in xs[0]",
            UseAfterConsume,
        ),
        ("def f (xs: *[]i32) = if (xs with [0] = 1)[0] == 1 then xs[0] else 0", UseAfterConsume),
        (
            "def f (xs: *[]i32) (ys: *[]i32) (b: bool) = let z = (if b then xs else ys) let w = z with [0] = 1 in ys[0]",
            UseAfterConsume,
        ),
        // 0.25.32 accepts this, though in one branch both are the same.
        (
            "def f (c: bool) (xs: *[]i32) = let (a, b) = (if c then (xs with [0] = 1, [1]) else (xs, xs)) let z = a with [0] = 1 in b[0]",
            UseAfterConsume,
        ),
    ]);
    p.accepts(&[
        "def f (c: bool) (xs: *[]i32) = if c then xs with [0] = 1 else xs",
        "def f (c: bool) (xs: *[]i32) = let y = (if c then xs with [0] = 1 else xs) in y[0]",
        "def f (c: bool) (xs: *[]i32): *[]i32 = if c then xs with [0] = 1 else xs",
        "def f (c: bool) (xs: *[]i32) = if c then xs with [0] = 1 else xs with [1] = 2",
    ]);
}

#[test]
fn calls() {
    let p = Prelude::load();
    let c = "def c (x: *[]i32): *[]i32 = x with [0] = 1 def d (x: *[]i32) (y: i32) = x with [0] = y ";
    let e = "def e (x: *[]i32) (y: []i32) = x with [0] = y[0] def g (y: []i32) (x: *[]i32) = x with [0] = y[0] ";
    let op = "def (+^) (x: *[]i32) (y: i32): *[]i32 = x with [0] = y ";
    let with = |defs: &str, rest: &str| format!("{defs}{rest}");
    p.rejects(&[
        (&with(c, "def f (xs: *[]i32) = let y = c xs in xs[0]"), UseAfterConsume),
        (&with(c, "def f (xs: *[]i32) = (c xs)[0] + xs[0]"), UseAfterConsume),
        (&with(e, "def f (xs: *[]i32) = e xs xs"), AliasedArgument),
        (&with(e, "def f (xs: *[]i32) = e xs[0:2] xs[0:2]"), AliasedArgument),
        // arguments are evaluated from right to left
        (&with(e, "def f (xs: *[]i32) = g xs xs"), UseAfterConsume),
        ("def h (y: i32) (x: *[]i32) = x with [0] = y def f (xs: *[]i32) = h xs[0] xs", UseAfterConsume),
        ("def g (t: *([]i64, []i64)) = 0i32 def f n = let x = iota n in g (x, x)", SelfAliasedArgument),
        ("def g (t: (*[]i64, []i64)) = 0i32 def f n = let x = iota n in g (x, x)", SelfAliasedArgument),
        (
            "def g (a: *[]i64) = (a, a) def f (xs: *[]i64) = let (x, y) = g xs let z = x with [0] = 1 in y[0]",
            UseAfterConsume,
        ),
        (
            "def g (a: *[]i64) (b: *[]i64): ([]i64, []i64) = (a, b)
             def f (xs: *[]i64) (ys: *[]i64) = let (x, y) = g xs ys let z = x with [0] = 1 in y[0]",
            UseAfterConsume,
        ),
        (&with(op, "def f (xs: *[]i32) = let ys = xs +^ 1 in xs[0]"), UseAfterConsume),
        (&with(c, "def f (xs: *[]i32) = xs |> c"), ConsumingArgument),
    ]);
    p.accepts(&[
        &with(c, "def f (xs: *[]i32) = d xs xs[0]"),
        &with(c, "def f (xs: *[]i32) = xs[0] + (c xs)[0]"),
        &with(e, "def f (xs: *[]i32) = e xs (copy xs)"),
        &with(op, "def f (xs: *[]i32) = (xs +^ 1) +^ 2"),
        "def g (t: *([]i64, []i64)) = 0i32 def f n = let x = iota n in g (x, copy x)",
        "def g (a: *[]i64) (b: *[]i64) = (a, b)
         def f (xs: *[]i64) (ys: *[]i64) = let (x, y) = g xs ys let z = x with [0] = 1 in y[0]",
        "def f [n] (xs: *[n]i32) : *[n]i32 = let g (ys: *[n]i32): *[n]i32 = ys with [0] = 1 in g (g xs)",
    ]);
}

#[test]
fn updates_with_themselves() {
    let p = Prelude::load();
    p.rejects(&[
        ("def f (xs: *[][]i32) = xs with [0] = xs[1]", AliasedUpdate),
        ("def f (xs: *[]i32) = xs with [0:2] = xs[0:2]", AliasedUpdate),
    ]);
    p.accepts(&[
        "def f (xs: *[][]i32) = xs with [0] = copy xs[1]",
        "def f (xs: *[]i32) = xs with [0:2] = map (+ 1) xs[0:2]",
        "def f (xs: *[]i32) (i: i64) = (copy xs) with [i] = xs[0]",
    ]);
}

#[test]
fn functions() {
    let p = Prelude::load();
    let h = "def h (xs: *[]i32) (i: i32): *[]i32 = xs with [0] = i def ap 'a (f: i32 -> a) = f 1 ";
    let with = |rest: &str| format!("{h}{rest}");
    p.rejects(&[
        ("def f (xs: *[]i32) = let g = \\i -> xs[i] let z = xs with [0] = 1 in g 0 + z[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = let g i = xs[i] let z = xs with [0] = 1 in g 0 + z[0]", UseAfterConsume),
        ("def f (xs: *[]i32) = let f = \\x -> x + xs[0] let ys = xs with [0] = 1 in map f ys", UseAfterConsume),
        ("def f (xs: *[]i32) = let g () = xs let y = (g ()) with [0] = 1 in xs[0]", UseAfterConsume),
        (
            "def f (xs: *[]i32) = let g = \\() -> (let h = \\(i: i32) -> xs in h 0) let y = xs with [0] = 1 in (g ())[0]",
            UseAfterConsume,
        ),
        (
            "def h (as: []i32) (xs: *[]i32) = xs with [0] = as[0]
             def f (xs: *[]i32) (ys: *[]i32) = let g = h xs let zs = g ys let ws = xs with [0] = 1 in g zs",
            UseAfterConsume,
        ),
        (&with("def f (xs: *[]i32) = let g = h xs in g 0"), ContainsConsumption),
        (&with("def f (xs: *[]i32) = ap (h xs)"), ConsumingArgument),
        (
            "def f (xs: *[]i32) = let g = (let y = xs with [0] = 1 in \\i -> y[i]) in g 0",
            ContainsConsumption,
        ),
        // The function uses what it is given to consume. 0.25.32 accepts these.
        ("def f (xs: *[]i32) = let g = \\(ys: *[]i32) -> ys with [0] = xs[0] in g xs", UseAfterConsume),
        ("def h (as: []i32) (xs: *[]i32) = xs with [0] = as[0] def f (xs: *[]i32) = let g = h xs in g xs", UseAfterConsume),
        (
            "def c (x: *[]i32): i64 = i64.i32 (x with [0] = 1)[0] def f (xs: *[]i32) = (\\i -> xs[i]) (c xs)",
            UseAfterConsume,
        ),
    ]);
    p.accepts(&[
        // of what only the function knows each call gets a copy
        &with("def f (n: i64) = map (h (replicate n 0)) [1, 2]"),
        &with("def f (n: i64) = let mk = \\n -> h (replicate n 0) let g = mk n in (g 0, g 1)"),
        &with("def mk (n: i64) = h (replicate n 0)"),
        &with("def g = h (replicate 3 0)"),
        "def f (xs: *[]i32) = let g () = xs in (g ()) with [0] = 1",
        "def f (xs: *[]i32) = let g = \\(i: i32) -> xs in (g 0) with [0] = 1",
        "def f (xs: *[]i32) = let g (ys: *[]i32) = ys with [0] = xs[0] in g (copy xs)",
        "def f (xs: *[]i32) = let g (ys: *[]i32) = ys with [0] = 1 in g xs",
        "def h (as: []i32) (xs: *[]i32) = xs with [0] = as[0] def f (xs: *[]i32) = let g = h [1] in g xs",
        "def f (xs: *[]i32) = let g = (let y = copy xs with [0] = 1 in \\i -> y[i]) in g 0",
        &with("def f (xs: *[]i32) = (h xs) 0"),
        &with("def f (xs: *[]i32) = h xs"),
        "def f (xs: *[]i32) = \\i -> xs[i]",
    ]);
}

#[test]
fn loops() {
    let p = Prelude::load();
    let two = "(replicate n 0i32, replicate n 0i32)";
    let of = |params: &str, init: &str, body: &str| {
        format!("def f (n: i64) (p: []i32) = loop {params} = {init} for i < 10 do {body}")
    };
    p.rejects(&[
        ("def f (m: i64) = let d = iota m in loop a = 0 for i < m do (let e = d with [i] = 2 in e[0])", NotConsumable),
        ("def f (a: *[]i32) (n: i64) = loop acc = 0 for i < n do let a[0] = 1 in acc + a[0]", NotConsumable),
        (
            "def f (m: i64) = let d = iota m let e = loop a = d for i < m do a with [i] = 2 in d[0] + e[0]",
            UseAfterConsume,
        ),
        ("def f (xs: []i64) = loop a = xs for i < 3 do a with [i] = 2", NotConsumable),
        ("def f (n: i64) = loop a = iota n for i < n do (let b = a with [i] = 0 in a)", UseAfterConsume),
        ("def f (n: i64) = let a = iota n in loop b = a while a[0] < 3 do b with [0] = 3", UseAfterConsume),
        ("def f (n: i64) = let a = iota n in loop b = a for i < n do b with [0] = a[1]", UseAfterConsume),
        ("def f (xs: *[][]i32) = loop s = 0 for x in xs do let y = x with [0] = 1 in s + y[0]", NotConsumable),
        // what the turn before left for a consumed parameter is consumed
        (&of("(xs, ys)", "(copy p, p)", "let ys[0] = 1 in (ys, xs)"), NotConsumable),
        (&of("(xs, ys)", "(p, copy p)", "let ys[0] = 1 in (ys, xs)"), NotConsumable),
        ("def f (n: i64) (z: []i64) = loop (a, b, c) = (iota n, iota n, z) for i < n do let a[0] = 1 in (b, c, a)", NotConsumable),
        // what a turn may return
        (&of("xs", "replicate n 0i32", "let xs[0] = 1 in p :> [n]i32"), LoopReturnAliased),
        (
            "def f (n: i64) = let zs = iota n in loop xs = replicate n 0 for i < 10 do let xs[0] = 1 in zs",
            LoopReturnAliased,
        ),
        (&of("(xs: *[]i32, ys: *[]i32)", two, "(xs, xs)"), LoopReturnConsumed),
        (&of("(xs: []i32, ys: *[]i32)", two, "(xs, xs)"), LoopReturnTwice),
        (&of("(xs, ys)", two, "let ys[0] = 1 in (xs, xs)"), LoopReturnTwice),
        (&of("(a, b)", "(p, p)", "let b[0] = 1 in (a, b)"), SelfAliasedArgument),
        // Gap 1 of digest 004: no turn.
        (
            "def g (xs: []i64) = map (+ 1) xs
             def f (y: *[]i64) (n: i64) = let z = (loop x = y for i < n do g x) let w = z with [0] = 1 in y[0]",
            UseAfterConsume,
        ),
        (
            "def f (n: i64) = let z = iota n let y = (loop x = iota n for i < n do z) let w = y with [0] = 1 in z[0]",
            UseAfterConsume,
        ),
        (
            "def f (n: i64) = let z = iota n in let (x, y) = (loop (a, b) = (iota n, z) for i < n do (b, b)) let w = x with [0] = 1 in z[0]",
            UseAfterConsume,
        ),
        // 0.25.32 accepts these: what the loop reads in each turn, what it returns after the last, what the condition changes each time.
        ("def f (xs: *[]i32) = loop ys = [1i32] while (xs with [0] = 1)[0] == 1 do ys", NotConsumable),
        ("def f (n: i64) = let a = iota n in loop b = a for x in a do b with [0] = x", UseAfterConsume),
        ("def f (n: i64) = loop a = iota n while (a with [0] = 3)[0] < 3 do iota n", NotConsumable),
    ]);
    p.accepts(&[
        // a mark consumes nothing by itself
        "def f (a: []i64) = loop (b: *[]i64) = a for i < 3 do map (+ 1) b",
        "def f (n: i64) = let a = iota n let c = (loop (b: *[]i64) = a for i < n do map (+ 1) b) in a[0] + c[0]",
        "def f (n: i64) = loop (a: *[n]i64, b) = (iota n, iota n) for i < n do let c = copy b in (map (+ 1) a, c)",
        "def f (m: i64) = let d = iota m in loop a = d for i < m do a with [i] = 2",
        "def f (xs: []i64) = loop a = copy xs for i < 3 do a with [i] = 2",
        "def f (n: i64) = let a = iota n in loop b = a while b[0] < 3 do b with [0] = 3",
        "def f (n: i64) = let a = iota n in loop b = copy a for x in a do b with [0] = x",
        "def f (n: i64) = loop a = iota n for i < n do let b = map (\\j -> a[j]) (iota n) let a[0] = b[1] in a",
        "def f (n: i64) (c: bool) = loop a = iota n for i < n do if c then a with [i] = 0 else a",
        "def f (n: i64) = loop (a, b, c) = (iota n, iota n, iota n) for i < n do let a[0] = 1 in (b, c, a)",
        "def f (a: *[]i32) (n: i64) = loop (acc, a) = (0, a) for i < n do let a[0] = 1 in (acc + a[0], a)",
        "def f (a: *[]i32) (n: i64) = let (acc, b) = (loop (acc, b) = (0, a) for i < n do (acc + b[0], b)) in a[0]",
        &of("(xs, ys)", two, "(xs, xs)"),
        &of("(xs, ys)", two, "let ys[0] = 1 in (copy xs, xs)"),
        &of("(xs, ys)", two, "let ys[0] = 1 in (ys, xs)"),
        "def f (n: i64) = let z = iota n in loop (a, b) = (z, z) for i < n do (a, b)",
        "def f (n: i64) = loop (r: {a: []i64, b: []i64}) = {a = iota n, b = iota n} for i < n do r with a = copy r.b",
        // parts of a record are consumed for themselves here
        "def f (n: i64) = loop r = (iota n, iota n) for i < n do (r.0 with [i] = 0, r.1)",
    ]);
}

#[test]
fn results() {
    let p = Prelude::load();
    p.rejects(&[
        ("def f (a: []i64): *[]i64 = a", ReturnAliased),
        ("def f (xs: []i32) = (\\(x: []i32): *[]i32 -> x) xs", ReturnAliased),
        ("def f (x: []i32): *[]i32 = loop y = x for i < 3 do copy y", ReturnAliased),
        ("def f (a: *[]i64): (*[]i64, *[]i64) = (a, a)", UniqueReturnAliased),
        ("def f (a: *[]i64): (*[]i64, []i64) = (a, a)", UniqueReturnAliased),
        ("def f (x: *[][]i32): (*[]i32, *[]i32) = (x[0], x[1])", UniqueReturnAliased),
        (
            "def g (a: *[]i64) (b: *[]i64): ([]i64, []i64) = (a, b)
             def f (xs: *[]i64) (ys: *[]i64): (*[]i64, *[]i64) = g xs ys",
            UniqueReturnAliased,
        ),
        ("def x = [1, 2, 3i32] def f () = x", AliasesFreeVariable),
        ("def x = [1, 2, 3i32] def f () = x[1:]", AliasesFreeVariable),
        ("def t = [1, 2, 3i32] def f (x: i32) = (t, x)", AliasesFreeVariable),
        ("def t = [1, 2, 3i32] def look = \\(i: i32) -> t", AliasesFreeVariable),
        ("def t = [1, 2, 3i32] def f (x: i32) = let look = \\(i: i32) -> t in (look x)[0]", AliasesFreeVariable),
        ("def x: *[3]i32 = [1, 2, 3]", UniqueConstant),
    ]);
    p.accepts(&[
        "def f (a: *[]i64): *[]i64 = a",
        "def f (a: *[]i64) = (a, a)",
        "def f (x: *[][]i32): *[]i32 = x[0]",
        "def f (xs: *[]i32) : (*[]i32, *[]i32) = (xs, copy xs)",
        "def f (x: *[]i32): *[]i32 = loop y = x for i < 3 do y",
        "def x = [1, 2, 3i32] def f () = copy x",
        "def x = [1, 2, 3i32] def y = x[1:]",
    ]);
}

/// Note [Freshness of undeclared results].
#[test]
fn undeclared_results() {
    let p = Prelude::load();
    p.accepts(&[
        "def f (x: []i32) = copy x def g (xs: []i32) = (f xs) with [0] = 1",
        "def f 'a (n: i64) (x: a) = replicate n x def g (xs: []i32) = (f 3 xs) with [0, 0] = 1",
        "def f (p: ([]i32, []i32)) = {a = copy p.0, b = p.1} def g (p: ([]i32, []i32)) = let r = f p in r.a with [0] = 2",
        "def h (xs: []i32) (i: i32) = copy xs def f (xs: []i32) = let h = h xs in (h 0i32) with [0] = 1",
        "def f (xs: []i32) = let g i = copy xs in (g 0i32) with [0] = 1",
        "def f (xs: []i32) = let g = \\i -> copy xs in (g 0i32) with [0] = 1",
        "def f (xs: []i32) = let g (i: i32) (j: i32) = copy xs let h = g 1 in (h 0i32) with [0] = 1",
        "def g (xs: []i32) = let f (x: []i32): []i32 = copy x in (f xs) with [0] = 1",
        "def f (g: []i32 -> *[]i32) (x: []i32) = g x def h (x: []i32) = copy x def m (x: []i32) = f h x",
        "module type M = { val f [n]: [n]i32 -> *[n]i32 } module m : M = { def f [n] (x: [n]i32) = copy x }",
    ]);
    p.rejects(&[
        ("def f (x: []i32) = x def g (xs: []i32) = (f xs) with [0] = 1", NotConsumable),
        ("def f (x: []i32): []i32 = copy x def g (xs: []i32) = (f xs) with [0] = 1", NotConsumable),
        (
            "def f (p: ([]i32, []i32)) = {a = copy p.0, b = p.1} def g (p: ([]i32, []i32)) = let r = f p in r.b with [0] = 2",
            NotConsumable,
        ),
        ("def f (g: []i32 -> *[]i32) (x: []i32) = g x def h (x: []i32) = x def m (x: []i32) = f h x", TypeMismatch),
    ]);
    assert_eq!(p.type_of("def f [n] (x: [n]i32) = copy x", "f"), "[n] . [n]i32 -> *[n]i32");
    assert_eq!(p.type_of("def f [n] (x: [n]i32) (_: i32) = x", "f"), "[n] . [n]i32 -> i32 -> [n]i32");
    assert_eq!(p.type_of("def f (x: i32) = x", "f"), "i32 -> i32");
}

/// What the check finds out about loops is for lowering.
#[test]
fn consumed_parameters_of_loops() {
    fn loops(e: &Expr, found: &mut Vec<Unique>) {
        if let ExprKind::Loop(l) = &e.kind {
            assert!(matches!(l.form, LoopForm::For(..)));
            found.push(l.consumes.clone());
        }
        causality::children(e, &mut |e| loops(e, found));
    }
    let p = Prelude::load();
    let consumes = |text: &str| {
        let (program, _, errors) = p.check(text);
        assert_eq!(errors, []);
        let mut found = vec![];
        program.defs.iter().for_each(|def| loops(&def.body, &mut found));
        found
    };
    assert_eq!(consumes("def f (n: i64) = loop a = iota n for i < n do a with [i] = 1"), [Unique::Yes]);
    assert_eq!(consumes("def f (n: i64) = loop a = iota n for i < n do map (+ i) a"), [Unique::No]);
    // scalars are in no memory
    let sum = "def f (n: i64) = loop (s, a) = (0, iota n) for i < n do (s + a[i], a with [i] = 1)";
    assert_eq!(consumes(sum), [Unique::Yes]);
    let second = Unique::Fields([("0".into(), Unique::No), ("1".into(), Unique::Yes)].into());
    let two = "def f (n: i64) = loop (s, a) = (iota n, iota n) for i < n do (map (+ a[i]) s, a with [i] = 1)";
    assert_eq!(consumes(two), [second]);
}

/// Long runs are flat, and what is nested or joined is looked at once.
#[test]
fn long_programs() {
    let p = Prelude::load();
    let mut chain = String::from("def f (x0: *[]i32) (c: bool) = ");
    for i in 0..3000 {
        let j = i + 1;
        chain += &format!("let x{j} = if c then x{i} else copy x{i} ");
    }
    p.accepts(&[&format!("{chain} in x3000 with [0] = 1")]);
    p.rejects(&[(&format!("{chain} let y = x3000 with [0] = 1 in x0"), UseAfterConsume)]);
    let depth = 60;
    let nested = "(loop a = ".repeat(depth) + "iota n" + &" for i < n do a with [i] = 1)".repeat(depth);
    p.accepts(&[&format!("def f (n: i64) = {nested}")]);
    let nested = "loop a = a for i < n do ".repeat(depth) + "a with [i] = 1";
    p.accepts(&[&format!("def f (n: i64) (a: *[]i64) = {nested}")]);
    let (program, ..) = p.check("def f (n: i64) = let g (x: i64) = iota x in g n");
    let bindings = program.defs.iter().filter_map(|def| match &def.body.kind {
        ExprKind::Block(bindings, ..) => Some(bindings),
        _ => None,
    });
    let fresh = bindings.flatten().filter_map(|b| match b {
        Binding::Fun(def) => def.fresh.clone(),
        Binding::Pat(..) => None,
    });
    assert_eq!(fresh.collect::<Vec<_>>(), [Unique::Yes]);
}
