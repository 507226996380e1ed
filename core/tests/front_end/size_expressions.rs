//! Expressions as sizes: each is equal to itself, and to no other.

use super::errors;
use futi_core::diag::Code;

/// Of names that are parameters, or functions of the top level.
const SIZES: [&str; 42] = [
    "i64.abs n",
    "i64.abs m",
    "i64.sgn n",
    "i64.max n m",
    "i64.max m n",
    "i64.max n n",
    "i64.min n m",
    "i64.max (i64.abs n) m",
    "i64.max n (i64.abs m)",
    "i64.max 1 n",
    "i64.max 2 n",
    "i64.max 12 n",
    "n % m",
    "m % n",
    "n % 2",
    "n % m % 2",
    "n % (m % 2)",
    "n |> i64.abs",
    "m |> i64.abs",
    "n |> i64.abs |> i64.sgn",
    "p.0",
    "p.1",
    "q.a",
    "q.b",
    "xs[0]",
    "xs[1]",
    "xs[n]",
    "xss[0, 1]",
    "xss[1, 0]",
    "i64.bool true",
    "i64.bool false",
    "i64.bool (c && d)",
    "i64.bool (c || d)",
    "i64.bool (d && c)",
    "i64.f64 1.5",
    "i64.f64 2.5",
    "if c then n else m",
    "if d then n else m",
    "if c then m else n",
    "if c then n else if d then n else m",
    "of_pair (n, m)",
    "of_record {a = n, b = m}",
];

/// What differs in more than the order of what stands there.
const ORDERS: [(&str, &str); 4] = [
    ("of_pair (n, m)", "of_pair (m, n)"),
    ("of_pair (n, m)", "of_pair (n, n)"),
    ("of_record {a = n, b = m}", "of_record {a = m, b = n}"),
    ("of_pair (n, m)", "of_other (n, m)"),
];

/// The errors where a value of one size is returned as one of the other.
fn codes(one: &str, other: &str) -> Vec<Code> {
    let text = format!(
        "def of_pair (a: i64, b: i64): i64 = a - b\ndef of_other (a: i64, b: i64): i64 = b - a\n\
         def of_record (r: {{a: i64, b: i64}}): i64 = r.a - r.b\n\
         def f (n: i64) (m: i64) (p: (i64, i64)) (q: {{a: i64, b: i64}}) (xs: []i64) (xss: [][]i64) (c: bool) (d: bool)\n\
         (it: [{one}]i32): [{other}]i32 = it\n"
    );
    errors(&text).iter().map(|d| d.code).collect()
}

#[test]
fn an_expression_is_the_size_that_it_is() {
    let wrong: Vec<&str> = SIZES.into_iter().filter(|size| !codes(size, size).is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn other_expressions_are_other_sizes() {
    let all =
        SIZES.iter().flat_map(|one| SIZES.iter().map(move |other| (*one, *other))).filter(|(one, other)| one != other);
    let wrong: Vec<(&str, &str)> =
        all.chain(ORDERS).filter(|(one, other)| codes(one, other) != [Code::SizeMismatch]).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
