-- Futhark's table of derivatives, error 2 (futhark-compat.md §2.3): atanh had cosh^2 x. It is 1 / (1 - x^2): at 0.5 1 / 0.75 = 4/3.
-- ==
-- entry: double
-- input { 0.5 } output { 1.3333333333333333 1.3333333333333333 }
entry double (x: f64): (f64, f64) = (jvp f64.atanh x 1.0, vjp f64.atanh x 1.0)

-- ==
-- entry: single
-- input { 0.5f32 } output { 1.3333334f32 1.3333334f32 }
entry single (x: f32): (f32, f32) = (jvp f32.atanh x 1.0, vjp f32.atanh x 1.0)
