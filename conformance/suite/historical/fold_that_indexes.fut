-- Digest 001 §2.5, item 9: a fold whose operator indexes an array could not be differentiated.
-- acc := acc xs[i] + xs[0] from 1, xs = [2, 3], i = 1, 0, 1: 5, 12, 38. The partials by xs[0] and xs[1] are
-- (1, 1); (1 * 2 + 5 + 1, 1 * 2) = (8, 2); (8 * 3 + 1, 2 * 3 + 12) = (25, 18).
-- ==
-- input { [2.0, 3.0] [1i64, 0i64, 1i64] } output { 38.0 [25.0, 18.0] }
-- input { [2.0, 3.0] empty([0]i64) }      output { 1.0 [0.0, 0.0] }
entry main [n] [m] (xs: [n]f64) (is: [m]i64): (f64, [n]f64) =
  vjp2 (\xs -> foldl (\acc i -> acc * xs[i] + xs[0]) 1.0 is) xs 1.0
