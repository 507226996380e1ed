-- Single precision: the harness differentiates this in f32, and judges by differences in f64. 3 (1/6 + 9/10 + 4/3) = 0.5 + 2.7 + 4.
-- ==
-- input { [0.5f32, 1.5f32, 2.0f32] 3.0f32 } output { 7.2f32 }
entry main [n] (xs: [n]f32) (k: f32): f32 = f32.sum (map (\x -> k * x * x / (1.0 + x)) xs)
