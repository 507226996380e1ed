//! What is wrong in an expression is found wherever the expression stands, and said once.

use super::Prelude;
use crate::diag::{Code, Diagnostic};

/// Expressions with one of type `i64` inside, `@`. Around them is a function `f` with parameters `g: i64 -> i64`, `xs: *[n]i64`, `c: bool` and
/// `p: *{a: i64, b: []i64}`.
const PLACES: [&str; 73] = [
    "@",
    "@ + 1",
    "1 + @",
    "1 + @ + 2",
    "c && @ > 0",
    "@ > 0 && c",
    "c || @ > 0",
    "@ > 0 || c",
    "-@",
    "!(@ > 0)",
    "i64.abs @",
    "i64.max 1 @",
    "i64.max @ 1",
    "(i64.max @) 1",
    "@ |> i64.abs",
    "1 |> i64.max @",
    "1 |> i64.abs |> i64.max @",
    "i64.abs <| @",
    "i64.max @ <| 1",
    "i64.max @ <| i64.abs <| 1",
    "(+ @) 1",
    "(@ +) 1",
    "(\\y -> y + @) 1",
    "(@, 1)",
    "(1, @)",
    "{a = @}",
    "(@, 1).0",
    "{a = @, b = 1}.a",
    "(#some @ : #some i64 | #none)",
    "(#both 1 @ : #both i64 i64)",
    "[@]",
    "[1, @]",
    "(@ : i64)",
    "[@] :> [1]i64",
    "#[unroll] @",
    "xs[@]",
    "[xs][0, @]",
    "xs[@:]",
    "xs[:@]",
    "xs[0:n:@]",
    "xs[0:@:1]",
    "[@, 1][0]",
    "xs with [@] = 1",
    "xs with [0] = @",
    "xs with [0:1] = [@]",
    "xs with [@:] = copy xs[0:]",
    "[@] with [0] = 1",
    "p with a = @",
    "p with b[@] = 1",
    "p with b[0] = @",
    "{a = @} with a = 1",
    "assert (@ > 0) 1",
    "assert c @",
    "if @ > 0 then 1 else 2",
    "if c then @ else 2",
    "if c then 1 else @",
    "if c then 1 else if @ > 0 then 2 else 3",
    "match @ case 0 -> 1 case _ -> 2",
    "match 1 case 0 -> @ case _ -> 2",
    "match 1 case 0 -> 2 case _ -> @",
    "let y = @ in y",
    "let y = 1 in y + @",
    "let (y, _) = (1, @) in y",
    "let g (y: i64) = y + @ in g 1",
    "loop y = @ for i < 3 do y + i",
    "loop y = 1 for i < @ do y + i",
    "loop y = 1 for i < 3 do y + i + @",
    "loop y = 1 for z in [@] do y + z",
    "loop y = 1 while y < @ do y + 1",
    "loop y = 1 while y < 3 do y + @",
    "@...9",
    "1..@...9",
    "1...@",
];

/// Each place with an error in it: what is said is this code, once.
fn found(wrong: &str, code: Code) {
    let prelude = Prelude::load();
    let mut missed = vec![];
    for place in PLACES {
        let text = |e: &str| {
            let e = place.replace('@', &format!("({e})"));
            format!(
                "def f [n] (g: i64 -> i64) (xs: *[n]i64) (c: bool) (p: *{{a: i64, b: []i64}}): i64 = let _r = {e} in g 1\n"
            )
        };
        let codes = |text: &str| prelude.run(text).2.iter().map(|d: &Diagnostic| d.code).collect::<Vec<Code>>();
        let (right, wrong) = (codes(&text("i64.i32 7")), codes(&text(wrong)));
        if !(right.is_empty() && wrong == [code]) {
            missed.push(format!("{place}: {right:?}, {wrong:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn numbers_that_do_not_fit() {
    found("i64.u8 300", Code::LiteralOutOfRange);
}

#[test]
fn cases_that_are_missing() {
    found("match 3i64 case 4 -> 5i64", Code::UnmatchedCases);
}

#[test]
fn sizes_that_are_needed_too_early() {
    found("length <| filter (> 0) [1i64, 2]", Code::Causality);
}

#[test]
fn uses_after_consumption() {
    found("let ys = iota 3 let zs = ys with [0] = 1 in zs[0] + ys[0]", Code::UseAfterConsume);
}

#[test]
fn types_that_nothing_makes_clear() {
    found("(\\y -> i64.bool (y == y)) []", Code::NoSuchOverload);
}

/// Rejected as the functional argument is another one (language reference, "Recursive functions").
#[test]
fn recursive_calls() {
    found("f i64.abs [1] c {a = 1, b = [2]}", Code::Recursion);
}
