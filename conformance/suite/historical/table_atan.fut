-- Futhark's table of derivatives, error 1 (futhark-compat.md §2.3): the one of atan had a factor pi, in double precision. It is 1 / (1 + x^2):
-- at 0.75 1 / 1.5625 = 0.64.
-- ==
-- entry: double
-- input { 0.75 } output { 0.64 0.64 }
entry double (x: f64): (f64, f64) = (jvp f64.atan x 1.0, vjp f64.atan x 1.0)

-- ==
-- entry: single
-- input { 0.75f32 } output { 0.64f32 0.64f32 }
entry single (x: f32): (f32, f32) = (jvp f32.atan x 1.0, vjp f32.atan x 1.0)
