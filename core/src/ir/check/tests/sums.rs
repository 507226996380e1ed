//! What the constructors of an entry point's sums hold has places there.

use super::super::{Rule, errors};
use crate::ir::Program;

/// The rules that an entry point breaks which takes a value of this type: a number, a float and three floats.
fn broken(ty: &str) -> Vec<Rule> {
    let text = format!(
        "futi-ir 1\nentry \"f\"(t_0: u8, x_1: f64, y_2: [3]f64) -> (r_3: f64) sig 0 (\"s\": {ty}) -> f64 {{ in (x_1) }}"
    );
    errors(&text.parse::<Program>().unwrap()).iter().map(|e| e.rule).collect()
}

fn sum(variants: &str) -> String {
    format!("sum \"s\" (u8, f64, [\"3\"]f64) {{{variants}}}")
}

#[test]
fn constructors_have_places() {
    let good = "\"a\" (f64) at (1), \"b\" () at (), \"c\" (f64, [\"3\"]f64) at (1, 2)";
    assert_eq!(broken(&sum(good)), []);
    for bad in ["\"a\" (f64) at (0)", "\"a\" (f64) at (3)", "\"a\" (f64) at ()", "\"a\" () at (1)"] {
        assert_eq!(broken(&sum(bad)), [Rule::Entries], "{bad}");
        // beside one that is right
        assert_eq!(broken(&sum(&format!("\"b\" () at (), {bad}"))), [Rule::Entries], "{bad}");
    }
}

#[test]
fn sums_are_looked_at_wherever_they_are() {
    let bad = "sum \"s\" (u8) {\"a\" (f64) at (1)}";
    let rest = "[\"3\"]f64";
    assert_eq!(broken(&format!("{{\"p\": {bad}, \"q\": f64, \"r\": {rest}}}")), [Rule::Entries]);
    assert_eq!(broken(&format!("({bad}, f64, {rest})")), [Rule::Entries]);
    assert_eq!(broken(&format!("opaque \"o\" ({bad}, f64, {rest})")), [Rule::Entries]);
    // what a constructor holds may be one, too
    let inner = |at: &str| sum(&format!("\"a\" (sum \"t\" (u8, f64) {{\"b\" (f64) at ({at})}}) at (0, 1)"));
    assert_eq!((broken(&inner("1")), broken(&inner("2"))), (Vec::new(), vec![Rule::Entries]));
    // the number of a constructor is one
    let text = "futi-ir 1\nentry \"f\"(x_0: f64) -> (r_1: f64) sig 0 (\"s\": sum \"s\" (f64) {}) -> f64 { in (x_0) }";
    assert_eq!(errors(&text.parse::<Program>().unwrap()).len(), 1);
}
