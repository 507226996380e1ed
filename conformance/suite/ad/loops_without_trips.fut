-- Loops of no trips, whose number is known at run time only: what they begin with is what they leave. x^(2^n - 1) from 1: at n = 2 x^3, 3 x^2 = 27; and
-- squares of xs, n times.
-- ==
-- entry: scalar
-- input { 0i64 3.0 } output { 1.0 0.0 }
-- input { -1i64 3.0 } output { 1.0 0.0 }
-- input { 2i64 3.0 } output { 27.0 27.0 }
entry scalar (n: i64) (x: f64): (f64, f64) = vjp2 (\x -> loop s = 1 for _i < n do s * s * x) x 1

-- ==
-- entry: rows
-- input { 0i64 [3.0, 2.0] } output { [3.0, 2.0] [1.0, 10.0] }
-- input { -7i64 [3.0, 2.0] } output { [3.0, 2.0] [1.0, 10.0] }
-- input { 1i64 [3.0, 2.0] } output { [9.0, 4.0] [6.0, 40.0] }
entry rows (n: i64) (xs: [2]f64): ([2]f64, [2]f64) = vjp2 (\xs -> loop xs for _i < n do map (\x -> x * x) xs) xs [1, 10]
