use super::super::rewrite::rewrite;
use super::super::{Target, mutants};

/// The changes of all mutants of a file, in order.
fn changes(text: &str) -> Vec<String> {
    let mutants = mutants(Target::Ad, "core/src/ad/x.rs", text, 0).unwrap();
    mutants.into_iter().map(|m| format!("{}: {}", m.site.operator, m.change)).collect()
}

fn rewritten(file: &str, text: &str) -> String {
    let mutants = mutants(Target::Ad, file, text, 0).unwrap();
    rewrite(text, &mutants.iter().collect::<Vec<_>>()).text
}

#[test]
fn comparisons_signs_and_numbers_are_sites() {
    let got = changes("fn f(n: i64, m: i64) -> bool {\n    n * 2 < m && n != m\n}\n");
    assert_eq!(
        got[1..],
        [
            "comparison: `n * 2 < m` -> `n * 2 <= m`",
            "dropped term: `n * 2` -> `n + 2`",
            "off by one: `2` -> `3`",
            "comparison: `n != m` -> `n == m`"
        ]
    );
    assert!(got[0].ends_with("-> `n * 2 < m`") || got[0].ends_with("-> `n != m`") || got[0].contains("||"), "{got:?}");
}

#[test]
fn operators_of_the_language_are_sites() {
    let got = changes("fn f(b: B, t: T) {\n    g(BinOp::Sub, prim::CmpOp::Lt, t.zero(), &[b, t]);\n}\n");
    assert_eq!(
        got,
        [
            "removal: `g(BinOp::Sub, prim::CmpOp::Lt, t.zero(), &[b, t]);` left out",
            "sign: `BinOp::Sub` -> `BinOp::Add`",
            "tie: `prim::CmpOp::Lt` -> `prim::CmpOp::Le`",
            "neutral element: `t.zero()` -> `t.one()`",
            "swap: `[b, t]` -> `[t, b]`",
        ]
    );
}

#[test]
fn ranges_orders_and_vectors_are_sites() {
    let got = changes("fn f(n: usize) {\n    (a..n).rev().map(|i| vec![i, -n]).all(p)\n}\n");
    assert_eq!(
        got,
        [
            "swap: `(a..n).rev().map(|i| vec![i, -n]).all(p)` -> `(a..n).rev().map(|i| vec![i, -n]).any(p)`",
            "order: `(a..n).rev()` -> `(a..n)`",
            "off by one: `a..n` -> `a..(n) + 1`",
            "swap: `vec![i, -n]` -> `vec![-n, i]`",
            "sign: `-n` -> `n`",
        ]
    );
}

#[test]
fn tests_constants_patterns_and_texts_are_none() {
    let text = "const N: u32 = 3;
fn f(x: [u8; 4]) { match x { [1, ..] if let Some(2) = g() => {} _ => panic!(\"{}\", 1 + 1) } }
const fn g(n: u32) -> u32 { n + 1 }
fn h() -> String { (1 + 1).to_string() }
impl fmt::Display for X { fn fmt(&self) { 1 + 1; } }
#[cfg(test)]
mod tests { fn f() { 1 + 1; } }
#[test]
fn t() { Vec::with_capacity(7); }
fn u() -> Vec<u8> { Vec::with_capacity(7) }
fn v() -> &'static str { if 1 + 1 == 2 { \"two\" } else { f(1) } }
fn w() -> u8 { stacker::maybe_grow(64 << 10, 1 << 20, || h(if n == 1 { \"\" } else { \"s\" })) }
";
    assert_eq!(changes(text), [""; 0]);
}

#[test]
fn operands_of_a_commutative_operator_stay_in_their_order() {
    let swaps = |text: &str| changes(text).iter().filter(|c| c.starts_with("swap: `[")).count();
    assert_eq!(swaps("fn f() -> T { b.prim_op(Prim::Bin(BinOp::Xor, t), &[x, y]) }"), 1);
    assert_eq!(swaps("fn f() -> T { b.prim_op(Prim::Bin(BinOp::Mul, t), &[x, y]) }"), 0);
    assert_eq!(swaps("fn f() -> T { g(times, &[x, y]) + g(t.plus(), &[x, y]) }"), 0);
    assert_eq!(swaps("fn f() -> T { g(i64_op(BinOp::Add), to, &[x, y]) }"), 0);
    assert_eq!(swaps("fn f() -> T { g([&x[..], &x]) }"), 0);
    assert_eq!(swaps("fn f() -> T { g(times, &[h(&[x, y]), y]) }"), 1);
}

#[test]
fn a_condition_with_a_let_is_mutated_inside_only() {
    let got = changes("fn f() { if let Some(x) = g() && x == y {} }\n");
    assert_eq!(got, ["comparison: `x == y` -> `x != y`"]);
}

#[test]
fn what_runs_on_a_grown_stack_has_sites() {
    let got = changes("fn f() { stacker::maybe_grow(64 << 10, 1 << 20, || a < b) }\n");
    assert_eq!(got, ["comparison: `a < b` -> `a <= b`"]);
}

#[test]
fn a_condition_of_other_things_than_words_is_a_site() {
    let got = changes("fn f() { g(if n == 1 { h(\"\") } else { \"s\" }) }\n");
    assert_eq!(got, ["comparison: `n == 1` -> `n != 1`", "off by one: `1` -> `2`"]);
}

#[test]
fn sites_within_sites_are_planted_in_what_is_kept() {
    let got = rewritten("core/src/ad/x.rs", "fn f() { g(a == 1); }");
    let want = "fn f() { if !::futi_mutant::on(1) { g((if ::futi_mutant::on(2) { a != 1 } else { a == \
                (if ::futi_mutant::on(3) { 2 } else { 1 }) })); } }";
    assert_eq!(got, want);
    let got = rewritten("core/src/ad/x.rs", "fn f() { x.rev() }");
    assert_eq!(got, "fn f() { ::futi_mutant::rev(1, x) }");
}

#[test]
fn kernels_texts_have_two_readings() {
    let text = "fn f() { h(format!(\"2 < 3 of {x}\"), \"a < b\") }";
    let got = rewritten("vk-backend/src/kernels/x.rs", text);
    assert_eq!(got, text, "neither statements nor an expression in parentheses");
    let got = rewritten("vk-backend/src/kernels/x.rs", "fn f() { h(format!(\"{x} = a + b;\")) }");
    assert_eq!(got, "fn f() { h(format!(\"{x} = a\u{e000}1\u{e001} +\u{e002} -\u{e003} b;\")) }");
    assert_eq!(super::super::runtime::text("a\u{e000}1\u{e001} +\u{e002} -\u{e003} b"), "a + b");
}

#[test]
fn the_innermost_mutant_owns_a_place() {
    let text = "fn f() { g(a == 1); }";
    let mutants = mutants(Target::Ad, "core/src/ad/x.rs", text, 0).unwrap();
    let out = rewrite(text, &mutants.iter().collect::<Vec<_>>());
    let at = |part: &str| out.text.find(part).map(|i| i..i + part.len()).and_then(|r| out.owner(r));
    assert_eq!((at("a != 1"), at("{ 2 }"), at("g("), at("fn")), (Some(2), Some(3), Some(1), None));
}
