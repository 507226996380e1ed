//! Derivatives in programs, and functions with derivatives of their own: differentiated once more.

use super::*;

const CUBE: &str = "\\(x: f64) -> (f64) { let (y: f64) = $ x*x*x $ in (y) }";
/// x³, which saves x; the rules are true.
const CUSTOM: &str = "custom \\(x: f64) -> (f64, f64) { let (y: f64) = $ x*x*x $ in (x, y) } saved 1";
const VJP: &str = "vjp \\(s: f64, b: f64) -> (f64) { let (a: f64) = $ 3*s*s*b $ in (a) }";
const JVP: &str = "jvp \\(p: f64, t: f64) -> (f64) { let (d: f64) = $ 3*p*p*t $ in (d) }";

pub fn cases() -> Vec<Case> {
    let custom = |rules: &str| format!("let (c: f64) = {CUSTOM} {rules} at (u) in (c)");
    vec![
        // 8 and 12 · 10
        case("jvp", "one direction", ["u: f64, v: f64", "r: f64, s: f64", &format!("let (a: f64, t: f64) = jvp {CUBE} at (u) with (v) in (a, t)")], "2 10", "8 120"),
        case("jvp", "two directions, a free variable", ["u: f64, vs: [2]f64, c: f64", "r: f64, s: [2]f64",
            "let (a: f64, t: [2]f64) = jvp [2] \\(x: f64) -> (f64) { let (y: f64) = $ x*x*c $ in (y) } at (u) with (vs) in (a, t)"], "3 [1, 10] 2", "18 [12, 120]"),
        case("vjp", "one direction", ["u: f64, v: f64", "r: f64, s: f64", &format!("let (a: f64, t: f64) = vjp {CUBE} at (u) with (v) in (a, t)")], "2 10", "8 120"),
        case("vjp", "of a product of an array", ["us: [3]f64, v: f64", "r: f64, s: [3]f64",
            "let (a: f64, t: [3]f64) = vjp \\(xs: [3]f64) -> (f64) {
               let (y: f64) = screma 3 (xs) map <<x -> x>> reduce <<x, y -> x*y>> neutral (1.0f64) in (y)
             } at (us) with (v) in (a, t)"], "[2, 3, 4] 10", "24 [120, 80, 60]"),
        case("vjp", "two directions at two results", ["u: f64, w: f64, vs: [2]f64, ws: [2]f64", "r: f64, s: f64, t: [2]f64, q: [2]f64",
            "let (a: f64, b: f64, c: [2]f64, d: [2]f64) = vjp [2] \\(x: f64, y: f64) -> (f64, f64) { let (p: f64) = $ x*y $ let (o: f64) = $ x + y $ in (p, o) }
             at (u, w) with (vs, ws) in (a, b, c, d)"], "3 5 [1, 0] [0, 1]", "15 8 [5, 1] [3, 1]"),
        case("vjp", "of a jvp", ["u: f64", "r: f64",
            &format!("let (a: f64, t: f64) = vjp \\(z: f64) -> (f64) {{ let (b: f64, g: f64) = jvp {CUBE} at (z) with (1.0f64) in (g) }} at (u) with (1.0f64) in (t)")], "2", "12"),
        case("custom, no rule", "x³", ["u: f64", "r: f64", &custom("")], "2", "8"),
        case("custom, reverse rule", "x³", ["u: f64", "r: f64", &custom(VJP)], "2", "8"),
        case("custom, forward rule", "x³", ["u: f64", "r: f64", &custom(JVP)], "2", "8"),
        case("custom, both rules", "x³", ["u: f64", "r: f64", &custom(&format!("{VJP} {JVP}"))], "2", "8"),
    ]
}
