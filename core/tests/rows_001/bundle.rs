//! 001 A28 and A32: bundle adjustment (§3.4): a reprojection error and its gradients.

use super::*;
use crate::common::row::row;
use crate::common::row::row_of;

/// The error of one observation at feature (0.25, 0.35): parameters camera (r, c, f, x0, κ), point, weight.
fn reprojection(name: &str) -> String {
    let params = ["r1", "r2", "r3", "c1", "c2", "c3", "f", "u0", "v0", "k1", "k2", "x1", "x2", "x3", "w"];
    let params = params.map(|p| format!("{p}: f64")).join(", ");
    format!(
        "fun \"{name}\"({params}) -> (ex: f64, ey: f64) {{
           let (p1: f64) = $ x1 - c1 $
           let (p2: f64) = $ x2 - c2 $
           let (p3: f64) = $ x3 - c3 $
           let (n: f64) = $ r1*r1 + r2*r2 + r3*r3 $
           let (still: bool) = $ n == 0 $
           let (q1: f64, q2: f64, q3: f64) = if still then {{
             let (s1: f64) = $ p1 + r2*p3 - r3*p2 $
             let (s2: f64) = $ p2 + r3*p1 - r1*p3 $
             let (s3: f64) = $ p3 + r1*p2 - r2*p1 $
             in (s1, s2, s3)
           }} else {{
             let (t: f64) = $ sqrt(n) $
             let (ct: f64) = $ cos(t) $
             let (st: f64) = $ sin(t) $
             let (a1: f64) = $ r1/t $
             let (a2: f64) = $ r2/t $
             let (a3: f64) = $ r3/t $
             let (d: f64) = $ (a1*p1 + a2*p2 + a3*p3)*(1 - ct) $
             let (b1: f64) = $ p1*ct + (a2*p3 - a3*p2)*st + a1*d $
             let (b2: f64) = $ p2*ct + (a3*p1 - a1*p3)*st + a2*d $
             let (b3: f64) = $ p3*ct + (a1*p2 - a2*p1)*st + a3*d $
             in (b1, b2, b3)
           }}
           let (x: f64) = $ q1/q3 $
           let (y: f64) = $ q2/q3 $
           let (o: f64) = $ x*x + y*y $
           let (g: f64) = $ (1 + k1*o + k2*o*o)*f $
           let (h: f64) = $ w*(x*g + u0 - 0.25) $
           let (i: f64) = $ w*(y*g + v0 - 0.35) $
           in (h, i)
         }}"
    )
}

const REST: &str = "0.5 -0.4 -3 2 0.05 -0.07 0.01 -0.002 0.3 0.6 1.2 0.8";

/// The rows of the Jacobian are these.
fn rows(r: &str, errors: &str, golden: [&str; 2]) {
    let checked = row_to(SIX_DIGITS, &reprojection("f"), &format!("{r} {REST}"), errors);
    for (seeds, expected) in ["1 0", "0 1"].into_iter().zip(golden) {
        let f = row_of(parse(&notation::ir(&reprojection("f"))), &values(&notation::numbers(&format!("{r} {REST}"))));
        // where r is zero, the branch taken is not the function's other branch: differences cross it
        f.at_a_kink().to(SIX_DIGITS).adjoints(seeds, &expected.replace(", ", " "));
    }
    if r != "0 0 0" {
        checked.jacobians();
    }
}

#[test]
fn a32_gradients_of_reprojection_errors() {
    rows(
        "0.1 -0.2 0.3",
        "-0.6450083 -0.1964664",
        [
            "0.2816158, 1.710495, -0.2463821, -0.3889201, 0.1100695, -0.04472703, -0.2425042, 0.8, 0, -0.04811442, -0.004777755, 0.3889201, -0.1100695, 0.04472703, -0.8062604",
            "-1.635845, 0.1830412, -0.3269247, -0.1027185, -0.3671247, 0.08251928, 0.0697668, 0, 0.8, 0.01384219, 0.001374528, 0.1027185, 0.3671247, -0.08251928, -0.245583",
        ],
    );
}

#[test]
fn a28_without_rotation() {
    rows(
        "0 0 0",
        "-0.23623487 0.04517433",
        [
            "0.0185263, 1.604637, -0.3811743, -0.3811912, 8.434659e-05, -0.01817204, -0.03811743, 0.8, 0, -0.004491956, -0.0002648318, 0.3811912, -8.434659e-05, 0.01817204, -0.2952936",
            "-1.693564, -0.0185263, -0.07623487, 8.434659e-05, -0.3815961, 0.09086022, 0.1905872, 0, 0.8, 0.02245978, 0.001324159, -8.434659e-05, 0.3815961, -0.09086022, 0.05646791",
        ],
    );
}

#[test]
fn a32_gradients_inside_a_map() {
    // for each x the gradient of x² y + sin y at (x, c): (2 x c, x² + cos c)
    let f = "fun \"f\"(xs: [3]f64, c: f64) -> (r: [3]f64, s: [3]f64) {
      let (gs: [3]f64, hs: [3]f64) = screma 3 (xs) map \\(x: f64) -> (f64, f64) {
        let (v: f64, g: f64, h: f64) = vjp \\(p: f64, q: f64) -> (f64) { let (o: f64) = $ p*p*q + sin(q) $ in (o) } at (x, c) with (1.0f64)
        in (g, h)
      }
      in (gs, hs)
    }";
    // x̄ = 2 c ḡ + 2 x h̄; c̄ = Σ 2 x ḡ - sin c h̄
    row(f, "[1, 2, 3] 0", "[0, 0, 0] [2, 5, 10]").adjoints("[1, 10, 100] [1, 1, 1]", "[2, 4, 6] 642");
    // the weight's column of two observations: ∂ w (x - 0.25)²/∂w
    let g = format!(
        "fun \"f\"(ws: [2]f64, xs: [2]f64) -> (r: f64) {{
           let (gs: [2]f64) = screma 2 (ws, xs) map \\(w: f64, x: f64) -> (f64) {{
             let (v: f64, dw: f64, dx: f64) = vjp \\(p: f64, q: f64) -> (f64) {{ let (e: f64) = $ p*(q - 0.25)*(q - 0.25) $ in (e) }} at (w, x) with (1.0f64)
             in (dw)
           }}
           let (s: f64) = {} in (s)
         }}",
        fold(ADD, 2, "gs")
    );
    row(&g, "[0.8, 0.4] [1.25, 0.75]", "1.25").adjoints("1", "[0, 0] [2, 1]");
}
