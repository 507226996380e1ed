//! Derivatives of the operators of the scalar modules through both implementations of AD, and of those derivatives again.

mod common;
use common::*;

fn unary(op: &str) -> String {
    let (_, ty) = op.split_once('.').unwrap_or(("", "f64"));
    format!("fun \"f\"(x_0: {ty}) -> (r_1: {ty}) {{ let (y_2: {ty}) = {op}(x_0) in (y_2) }}")
}

#[test]
fn gamma_has_derivatives_of_every_order() {
    // gamma'(1) = −γ; lgamma'(2) = 1 − γ; lgamma''(1) = π²/6, which is trigamma's value
    check_vjp(&unary("gamma.f64"), "1f64", "1f64", "-0.5772156649015329f64");
    check_vjp(&unary("lgamma.f64"), "2f64", "1f64", "0.42278433509846714f64");
    for op in ["gamma", "lgamma"] {
        for x in ["0.5f64", "3.7f64", "-1.4f64"] {
            check_all(&unary(&format!("{op}.f64")), x);
        }
    }
    let digamma = "fun \"f\"(x_0: f64) -> (r_1: f64) { let (y_2: f64) = polygamma.f64(0i32, x_0) in (y_2) }";
    check_vjp(digamma, "1f64", "1f64", "1.6449340668482264f64");
    check_all(digamma, "0.3f64");
}

#[test]
fn angles_and_roots() {
    for op in ["rsqrt", "cbrt", "sinpi", "cospi", "tanpi", "asinpi", "acospi", "atanpi"] {
        check_all(&unary(&format!("{op}.f64")), "0.3f64");
    }
    let atan2pi = "fun \"f\"(x_0: f64, y_1: f64) -> (r_2: f64) { let (z_3: f64) = atan2pi.f64(x_0, y_1) in (z_3) }";
    check_all(atan2pi, "0.3f64 -0.8f64");
}

#[test]
fn operators_of_mixed_types_and_of_three_operands() {
    let f = "fun \"f\"(x_0: f64, y_1: f64, z_2: f64, n_3: i32) -> (r_4: f64) {
      let (a_5: f64) = fma.f64(x_0, y_1, z_2)
      let (b_6: f64) = ldexp.f64(a_5, n_3)
      let (c_7: f64) = lerp.f64(b_6, x_0, z_2)
      let (d_8: f64) = copysign.f64(c_7, y_1)
      let (e_9: f64) = mad.f64(d_8, c_7, b_6)
      in (e_9)
    }";
    check_all(f, "0.7f64 -1.3f64 0.4f64 2i32");
    // 2^3 · seed
    let ldexp = "fun \"f\"(x_0: f64, n_1: i32) -> (r_2: f64) { let (y_3: f64) = ldexp.f64(x_0, n_1) in (y_3) }";
    check_vjp(ldexp, "5f64 3i32", "2f64", "16f64 0i32");
}

#[test]
fn narrow_types() {
    // 3x² = 12; as u8 with seed 100: 1200 = 4·256 + 176
    let cube = |ty: &str| {
        format!(
            "fun \"f\"(x_0: {ty}) -> (r_1: {ty}) {{
               let (y_2: {ty}) = mul.{ty}(x_0, x_0) let (z_3: {ty}) = mul.{ty}(y_2, x_0) in (z_3) }}"
        )
    };
    for ty in ["i8", "i16", "u16", "u32", "u64", "f16", "f32"] {
        check_vjp(&cube(ty), &format!("2{ty}"), &format!("1{ty}"), &format!("12{ty}"));
        check_all(&cube(ty), &format!("2{ty}"));
    }
    check_vjp(&cube("u8"), "2u8", "100u8", "176u8");
    check_vjp(&unary("exp.f16"), "0f16", "0.5f16", "0.5f16");
}

#[test]
fn bits_carry_the_bits_of_the_tangent() {
    let there = "fun \"f\"(x_0: f32) -> (r_1: u32) { let (y_2: u32) = to_bits.f32(x_0) in (y_2) }";
    // futhark 0.25.32: vjp f32.to_bits 5 3u32 = 4.0e-45
    check_vjp(there, "5f32", "3u32", "4e-45f32");
    let back = "fun \"f\"(x_0: u32) -> (r_1: f32) { let (y_2: f32) = from_bits.f32(x_0) in (y_2) }";
    // futhark 0.25.32: vjp f32.from_bits 5u32 3f32 = 1077936128
    check_vjp(back, "5u32", "3f32", "1077936128u32");
    let both = "fun \"f\"(x_0: f64) -> (r_1: f64) {
      let (y_2: u64) = to_bits.f64(x_0) let (z_3: f64) = from_bits.f64(y_2) in (z_3) }";
    check_vjp(both, "5f64", "0.25f64", "0.25f64");
}
