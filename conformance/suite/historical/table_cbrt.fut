-- Futhark's table of derivatives, error 8 (futhark-compat.md §2.3): the one of cbrt was of single precision in double precision. It is 1 / (3 cbrt(x)^2),
-- at 8 and -8 1/12, at 27 1/27.
-- ==
-- entry: double
-- input { 8.0 }  output { 0.08333333333333333 0.08333333333333333 }
-- input { -8.0 } output { 0.08333333333333333 0.08333333333333333 }
-- input { 27.0 } output { 0.037037037037037035 0.037037037037037035 }
entry double (x: f64): (f64, f64) = (jvp f64.cbrt x 1.0, vjp f64.cbrt x 1.0)

-- ==
-- entry: single
-- input { 8.0f32 } output { 0.083333336f32 0.083333336f32 }
entry single (x: f32): (f32, f32) = (jvp f32.cbrt x 1.0, vjp f32.cbrt x 1.0)
