//! Values of derivatives by transformation, held against the interpreter's own and against the literals of the digests.

mod common;
use common::*;

const SQUARE_PLUS: &str = "fun \"f\"(x_0: f64) -> (r_1: f64) {
  let (y_2: f64) = mul.f64(x_0, x_0)
  let (z_3: f64) = add.f64(y_2, x_0)
  in (z_3)
}";

#[test]
fn r1_every_use_contributes() {
    // x*x + x: 2x+1
    check_vjp(SQUARE_PLUS, "3f64", "1f64", "7f64");
    check_all(SQUARE_PLUS, "3f64");
}

#[test]
fn figure_1() {
    // (x1 sin x0, x0 x1) at (0.5, 2): rows (2 cos 0.5, sin 0.5), (2, 0.5)
    let f = "fun \"f\"(x_0: f64, y_1: f64) -> (r_2: f64, s_3: f64) {
      let (v_4: f64) = sin.f64(x_0)
      let (a_5: f64) = mul.f64(y_1, v_4)
      let (b_6: f64) = mul.f64(x_0, y_1)
      in (a_5, b_6)
    }";
    check_vjp(f, "0.5f64 2f64", "1f64 0f64", "1.7551651237807455f64 0.479425538604203f64");
    check_vjp(f, "0.5f64 2f64", "0f64 1f64", "2f64 0.5f64");
    check_all(f, "0.5f64 2f64");
}
