-- Futhark's table of derivatives, error 3 (futhark-compat.md §2.3): atan2 had the wrong sign for its first argument, the ordinate.
-- With y the ordinate and x the abscissa they are x / (x^2 + y^2) and -y / (x^2 + y^2): at (3, 4) 4/25 and -3/25; at (3, -4) -4/25 and -3/25.
-- ==
-- entry: reverse forward
-- input { 3.0 4.0 }  output { 0.16 -0.12 }
-- input { 3.0 -4.0 } output { -0.16 -0.12 }
entry reverse (y: f64) (x: f64): (f64, f64) = vjp (\(y, x) -> f64.atan2 y x) (y, x) 1.0

entry forward (y: f64) (x: f64): (f64, f64) =
  (jvp (\y -> f64.atan2 y x) y 1.0, jvp (\x -> f64.atan2 y x) x 1.0)

-- ==
-- entry: single
-- input { 3.0f32 4.0f32 } output { 0.16f32 -0.12f32 }
entry single (y: f32) (x: f32): (f32, f32) = vjp (\(y, x) -> f32.atan2 y x) (y, x) 1.0
