//! What compiling takes from its budget: in proportion to what a program says where that is all there is, and no more than there is where it grows.

use futi_core::budget::Budget;
use futi_core::diag::Code;
use futi_core::{Settings, compile_with};

/// The errors of compiling a program with so many nodes.
fn errors(program: &str, nodes: u64) -> Vec<(Code, String)> {
    let settings = Settings { budget: Budget::new(nodes), ..Settings::default() };
    let compiled = compile_with("a.fut", &|_: &str| Ok(program.to_string()), settings);
    compiled.diagnostics.iter().filter(|d| d.is_error()).map(|d| (d.code, d.message.clone())).collect()
}

/// The least power of two that is enough for a program.
fn enough(program: &str) -> u32 {
    (4..40).find(|k| errors(program, 1 << k).is_empty()).unwrap()
}

#[test]
fn a_larger_budget_allows_for_more() {
    let program = "def pair 'a (x: a) = (x, x)\nentry main (x: i32) = (pair (pair (pair (pair (pair x))))).0.0.0.0.0\n";
    let refused = errors(program, 1 << 10);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0].0, Code::TooLarge);
    assert_eq!(errors(program, 1 << 16), []);
}

#[test]
fn twice_as_many_definitions_take_twice_as_much() {
    let many = |n: usize| {
        let defs: String = (0..n).map(|i| format!("def f{i} (x: i32) = x + {i}\n")).collect();
        defs + "entry main (x: i32) = f0 x\n"
    };
    assert!(enough(&many(1 << 9)) <= enough(&many(1 << 8)) + 1);
}

#[test]
fn a_record_that_is_only_taken_apart_is_not_counted_at_each_use() {
    let many = |n: usize| {
        let fields = |f: &dyn Fn(usize) -> String, by: &str| (0..n).map(f).collect::<Vec<_>>().join(by);
        format!(
            "entry main (x: i32) = let r = {{{}}} in {}\n",
            fields(&|i| format!("a{i} = x"), ", "),
            fields(&|i| format!("r.a{i}"), " + ")
        )
    };
    assert!(enough(&many(1 << 8)) <= enough(&many(1 << 7)) + 1);
}
