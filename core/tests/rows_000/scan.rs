//! 000 §5.E: scans by the operators of the thesis.

use super::*;
use crate::common::row::{row, row_of};

#[test]
fn e1_generic_mul() {
    let r = row(&scan(1, "<<x, y -> x*y>>", "1.0f64"), "5i64 [1, 2, 3, 4, 5]", "[1, 2, 6, 24, 120]").jacobians();
    let rows = [
        [1., 0., 0., 0., 0.],
        [2., 1., 0., 0., 0.],
        [6., 3., 2., 0., 0.],
        [24., 12., 8., 6., 0.],
        [120., 60., 40., 30., 24.],
    ];
    assert_eq!(r.by_vjp(), rows);
    assert_eq!(r.by_jvp(), rows);
}

#[test]
fn e2_mul_with_zeros() {
    row(&scan(1, "<<x, y -> x*y>>", "1.0f64"), "5i64 [2, 0, 3, 0, 5]", "[2, 0, 0, 0, 0]")
        .adjoints("[1, 1, 1, 1, 1]", "[1, 8, 0, 0, 0]");
}

#[test]
fn e3_add() {
    row(&scan(1, "comm <<x, y -> x + y>>", "0.0f64"), "4i64 [5, 6, 7, 8]", "[5, 11, 18, 26]")
        .adjoints("[1, 10, 100, 1000]", "[1111, 1110, 1100, 1000]");
}

#[test]
fn e4_orientation() {
    let args = format!("3i64 {}", columns(&[[1., 10.], [2., 11.], [3., 12.]]));
    let primal = columns(&[[1., 10.], [31., 110.], [702., 1320.]]);
    let seeds = columns(&[[1., 2.], [3., 4.], [5., 6.]]);
    row(&scan(2, DUAL[0], DUAL[1]), &args, &primal)
        .adjoints(&seeds, &columns(&[[694., 1129.], [630., 973.], [550., 815.]]));
}

#[test]
fn e5_lin_o() {
    let args = format!("4i64 {}", columns(&[[1., 2.], [4., 3.], [3., 4.], [4., 2.]]));
    let primal = columns(&[[1., 2.], [7., 6.], [31., 24.], [66., 48.]]);
    let seeds = columns(&[[1., 2.], [3., 4.], [5., 6.], [7., 8.]]);
    row(&scan(2, "<<d, c, e, b -> e + b*d, b*c>>", "0.0f64, 1.0f64"), &args, &primal)
        .adjoints(&seeds, &columns(&[[238., 278.], [79., 263.], [19., 265.], [7., 409.]]));
}

#[test]
fn e6_mm2by2() {
    let args = format!("3i64 {}", columns(&[[1., 2., 3., 4.], [4., 3., 2., 1.], [1., 0., 2., 1.]]));
    let primal = columns(&[[1., 2., 3., 4.], [8., 5., 20., 13.], [18., 5., 46., 13.]]);
    let seeds = columns(&[[1., 2., 3., 4.], [5., 6., 7., 8.], [9., 10., 11., 12.]]);
    let expected = columns(&[[159., 64., 201., 82.], [68., 160., 100., 236.], [292., 320., 188., 206.]]);
    row(&scan(4, MM2[0], MM2[1]), &args, &primal).adjoints(&seeds, &expected);
}

#[test]
fn e7_independent_components() {
    let args = format!("4i64 {}", columns(&[[1., 2., 3.], [4., 3., 5.], [3., 4., 2.], [4., 2., 1.]]));
    let primal = columns(&[[1., 2., 3.], [5., 6., 5.], [8., 24., 5.], [12., 48., 5.]]);
    let expected = columns(&[[4., 40., 1.], [3., 26., 3.], [2., 18., 0.], [1., 24., 0.]]);
    row(&scan(3, "<<a, b, c, d, e, f -> a + d, b*e, max(c, f)>>", "0.0f64, 1.0f64, -f64.inf"), &args, &primal)
        .adjoints(&columns(&[[1.; 3]; 4]), &expected);
}

#[test]
fn e8_lin_o_of_vectors() {
    // (v, A) then (w, B): (w + B v, B A)
    let op = "<<u, v, a, b, c, d, w, x, e, f, g, h -> w + e*u + f*v, x + g*u + h*v, e*a + f*c, e*b + f*d, g*a + h*c, g*b + h*d>>";
    let args =
        format!("3i64 {}", columns(&[[1., 2., 3., 4., 5., 6.], [6., 5., 4., 3., 2., 1.], [4., 5., 6., 1., 2., 3.]]));
    // by hand: (6, 5) + [[4,3],[2,1]] (1, 2) = (16, 9), [[4,3],[2,1]] [[3,4],[5,6]] = [[27,34],[11,14]], and so on
    let primal =
        columns(&[[1., 2., 3., 4., 5., 6.], [16., 9., 27., 34., 11., 14.], [109., 64., 173., 218., 87., 110.]]);
    let seeds = columns(&[[1., 2., 3., 4., 5., 6.], [1., 0., 0., 0., 0., 1.], [2., 1., 0., 1., 1., 0.]]);
    let expected =
        columns(&[[71., 52., 17., 32., 14., 26.], [15., 5., 45., 76., 22., 37.], [2., 1., 66., 32., 43., 20.]]);
    row(&scan(6, op, "0.0f64, 0.0f64, 1.0f64, 0.0f64, 0.0f64, 1.0f64"), &args, &primal).adjoints(&seeds, &expected);
}

#[test]
fn e9_max_with_ties() {
    row(&scan(1, "comm <<x, y -> max(x, y)>>", "-f64.inf"), "6i64 [3, 1, 3, 5, 5, 2]", "[3, 3, 3, 5, 5, 5]")
        .at_a_kink()
        .adjoints("[1, 10, 100, 1000, 10000, 100000]", "[111, 0, 0, 111000, 0, 0]");
}

/// The product of n×n matrices in row-major order, and the identity.
fn matrix_product(n: usize) -> [String; 2] {
    let each = |f: &dyn Fn(usize, usize) -> String| -> String {
        (0..n * n).map(|k| f(k / n, k % n)).collect::<Vec<_>>().join(", ")
    };
    let entry = |i: usize, j: usize| (0..n).map(|k| format!("a{i}.{k}*b{k}.{j}")).collect::<Vec<_>>().join(" + ");
    let op =
        format!("<<{}, {} -> {}>>", each(&|i, j| format!("a{i}.{j}")), each(&|i, j| format!("b{i}.{j}")), each(&entry));
    [op, each(&|i, j| if i == j { "1.0f64".into() } else { "0.0f64".into() })]
}

#[test]
fn e10_large_matrices() {
    for n in [3, 4] {
        let [op, neutral] = matrix_product(n);
        let elements = random(n as u64, 2 * n * n, 5);
        let (a, b) = elements.split_at(n * n);
        let at = |m: &[f64], i: usize, j: usize| m[i * n + j];
        let product = |i: usize, j: usize| -> f64 { (0..n).map(|k| at(a, i, k) * at(b, k, j)).sum() };
        let of = |f: &dyn Fn(usize, usize) -> [f64; 2]| {
            (0..n * n).map(|k| list(f(k / n, k % n))).collect::<Vec<_>>().join(" ")
        };
        let args = format!("2i64 {}", of(&|i, j| [at(a, i, j), at(b, i, j)]));
        // with seed 1 for every element: ā = 1 + row sums of b, b̄ = column sums of a
        let seeds = of(&|_, _| [1., 1.]);
        let adjoint =
            |i: usize, j: usize| [1. + (0..n).map(|k| at(b, j, k)).sum::<f64>(), (0..n).map(|k| at(a, k, i)).sum()];
        row(&scan(n * n, &op, &neutral), &args, &of(&|i, j| [at(a, i, j), product(i, j)]))
            .adjoints(&seeds, &of(&adjoint));
    }
}

#[test]
fn e12_zeros_that_only_simplification_sees() {
    // (a + c, b d), with terms that are zero
    let f = scan(2, "<<a, b, c, d -> a + c + b*0, b*d + (a - a)>>", "0.0f64, 1.0f64");
    let args = format!("3i64 {}", columns(&[[1., 2.], [3., 4.], [5., 6.]]));
    // sums: [1, 4, 9], products [2, 8, 48]; adjoints of sums by seeds [1, 10, 100]; of products with seed 1: 1 + 4 + 24, 2 + 12, 8
    row(&f, &args, "[1, 4, 9] [2, 8, 48]").adjoints("[1, 10, 100] [1, 1, 1]", "[111, 110, 100] [29, 14, 8]");
}

#[test]
fn e17_sizes() {
    let mul = scan(1, "<<x, y -> x*y>>", "1.0f64");
    row(&mul, "0i64 empty([0]f64)", "empty([0]f64)").adjoints("empty([0]f64)", "empty([0]f64)");
    row(&mul, "1i64 [3]", "[3]").adjoints("[7]", "[7]");
    row(&mul, "2i64 [3, 5]", "[3, 15]").adjoints("[1, 10]", "[51, 30]");
    // 300 elements: the i-th is in the results from i on
    let add = parse(&notation::ir(&scan(1, "<<x, y -> x + y>>", "0.0f64")));
    let xs = random(7, 300, 9);
    let vjp = derivative(&add, D::Vjp);
    let args = values(&format!("300i64 {} {}", list(xs), list(vec![1.; 300])));
    let adjoints = agree(&vjp, &args, "transformed").split_off(1);
    assert_eq!(adjoints, values(&list((0..300).map(|i| 300. - i as f64))));
}

#[test]
fn e21_free_variables_in_the_operator() {
    // x ⊙ y = x y z with neutral element 1/z: the product times z^(n-1)
    let f = |what: &str, ty: &str| {
        format!(
            "fun \"f\"(n: i64, xs: [n]f64, z: f64) -> (r: {ty}) {{
              let (ne: f64) = $ 1/z $
              let (y: {ty}) = screma n (xs) map <<x -> x>> {what} <<a, b -> a*b*z>> neutral (ne)
              in (y)
            }}"
        )
    };
    // 6 z²: x̄ = [24, 12, 8], z̄ = (n-1) y/z = 24
    row(&f("reduce", "f64"), "3i64 [1, 2, 3] 2", "24").adjoints("1", "[24, 12, 8] 24");
    // [x, x y z, x y w z²]: z̄ = 2 + 2*6*2, x̄0 = 1 + 4 + 24
    row(&f("scan", "[n]f64"), "3i64 [1, 2, 3] 2", "[1, 4, 24]").adjoints("[1, 1, 1]", "[29, 14, 8] 26");
}

#[test]
fn e22_the_lifted_operator() {
    // the scan of dual numbers by (x y, x ẏ + ẋ y) with (1, 0) is the tangent of the scan: 1; 2*1 + 1*10; 3*12 + 2*100
    let lifted = scan(2, "<<x, dx, y, dy -> x*y, x*dy + dx*y>>", "1.0f64, 0.0f64");
    row(&lifted, "3i64 [1, 2, 3] [1, 10, 100]", "[1, 2, 6] [1, 12, 236]").jacobians();
    let jvp = derivative(&parse(&notation::ir(&scan(1, "<<x, y -> x*y>>", "1.0f64"))), D::Jvp);
    let args = values("3i64 [1f64, 2f64, 3f64] [1f64, 10f64, 100f64]");
    assert_eq!(agree(&jvp, &args, "transformed"), values("[1f64, 2f64, 6f64] [1f64, 12f64, 236f64]"));
    // and its own derivatives
    row_of(jvp, &args).jacobians();
}
