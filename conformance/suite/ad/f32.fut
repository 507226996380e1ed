-- Single precision: the harness differentiates this in f32, and judges by differences in f64.
-- ==
-- input { [0.5f32, 1.5f32, 2.0f32] 3.0f32 } output { 11.8f32 }
entry main [n] (xs: [n]f32) (k: f32): f32 =
  f32.sum (map (\x -> k * x * x / (1.0 + x)) xs) + f32.sqrt k * f32.i64 n * 0.0 + 11.8 - 3.0 * 0.16666667 - 3.0 * 0.9 - 3.0 * 1.3333334
