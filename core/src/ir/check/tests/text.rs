//! Text that is no program.

use super::*;

#[test]
fn bad_text_is_refused_with_its_place() {
    let error = |s: &str| s.parse::<Program>().map_err(|e| e.to_string());
    assert_eq!(error("futi-ir 7").unwrap_err(), "1:9: expected version 1, found `7`");
    assert_eq!(
        error("futi-ir 1\nfun \"f\"() -> () { in (1q) }").unwrap_err(),
        "2:23: expected a variable or a constant, found `1q`"
    );
    assert_eq!(error("futi-ir 1\nfun \"f").unwrap_err(), "2:5: a string without its end");
    assert_eq!(
        error("futi-ir 1\nfun \"f\"(x_16777216: f64) -> () { in () }").unwrap_err(),
        "2:9: expected a variable, found `x_16777216`"
    );
    // provenance is a tree
    let cyclic = error("futi-ir 1 files \"a\" prov 1 = inlined 1 1").unwrap_err();
    assert!(cyclic.contains("earlier numbers only"), "{cyclic}");
    assert_eq!(
        error("futi-ir 1\nfun \"f\"(x_1: f64) -> (r_3: f64) {\n  let (y_2: f64) = neg.f64(x_1) @3\n  in (y_2) }")
            .unwrap_err(),
        "3:33: expected a statement's end, as there is no provenance of that number, found `@`"
    );
    for end in (0..EVERY_NODE.len()).step_by(7) {
        let _ = EVERY_NODE[..end].parse::<Program>(); // no truncation panics
    }
}

#[test]
fn the_program_of_the_documentation_is_one() {
    let page = include_str!("../../../../../docs/ir.md");
    let text = page.split("```text\n").nth(1).and_then(|s| s.split("```").next()).unwrap();
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(program.to_string(), text);
    assert_eq!(errors(&program), []);
    for rule in RULES {
        assert!(page.contains(&format!("`{rule}`")), "{rule} is not documented");
    }
}

#[test]
fn what_is_nested_as_deep_as_allowed_is_checked() {
    let wrap = |inner: String, i: usize| {
        format!("let (r_{i}: f64) = if b_5 then {{ {inner} }} else {{ in (x_3) }} in (r_{i})")
    };
    assert_eq!(body("r_90: f64", &(100..600).fold("in (x_3)".into(), wrap)), []);
    assert_eq!(body("r_90: f64", &(100..600).fold("in (b_5)".into(), wrap)), [Rule::Types]);
}
