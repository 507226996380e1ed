-- R17: a reduction with the product of 2x2 matrices, for the harness to differentiate, and one whose operator has a free variable.
-- ==
-- entry: matrices
-- input { [[1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 1.0], [2.0, 0.0, 0.0, 3.0]] } output { 4.0 3.0 2.0 3.0 }
entry matrices [n] (ms: [n][4]f64): (f64, f64, f64, f64) =
  let times (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  in reduce times (1.0, 0.0, 0.0, 1.0) (map (\m -> (m[0], m[1], m[2], m[3])) ms)

-- x (+) y = x + y + k x y is associative, with 0 neutral; the result is (prod (1 + k x) - 1) / k: (1.5 * 2 * 2.5 - 1) / 0.5 = 13.
-- ==
-- entry: free
-- input { [1.0, 2.0, 3.0] 0.5 } output { 13.0 }
entry free [n] (xs: [n]f64) (k: f64): f64 = reduce (\x y -> x + y + k * x * y) 0.0 xs
