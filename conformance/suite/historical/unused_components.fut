-- The adjoint of a component that is not used is zero of its type and shape, of a boolean false (futhark-compat.md §2.2).
-- ==
-- input { 3.0 [1.0, 2.0] true 7 } output { 6.0 [0.0, 0.0] false 0 }
-- input { 3.0 empty([0]f64) false 7 } output { 6.0 empty([0]f64) false 0 }
entry main [n] (x: f64) (ys: [n]f64) (b: bool) (k: i32): (f64, [n]f64, bool, i32) =
  vjp (\(x, _ys, _b, _k) -> x * x) (x, ys, b, k) 1.0

-- A size is an integer like any other: 2 n by its value, nothing by the length. (No other oracle of derivatives judges integers.)
-- ==
-- entry: size
-- input { 3i64 } output { 0i64 }
-- input { 0i64 } output { 0i64 }
entry size (n: i64): i64 = vjp (\n -> f64.sum (replicate n 2.0)) n 1.0
