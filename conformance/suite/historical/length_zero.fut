-- Digest 001 §2.5, item 11: vectors of no elements must work everywhere; index functions that compute i modulo the length must not run for them.
-- xs[i mod n] xs[(i + 1) mod n], summed: for [1, 2, 3] 2 + 6 + 3 = 11, the gradient of each is the sum of its neighbours.
-- ==
-- input { empty([0]f64) }   output { 0.0 empty([0]f64) }
-- input { [3.0] }           output { 9.0 [6.0] }
-- input { [1.0, 2.0, 3.0] } output { 11.0 [5.0, 4.0, 3.0] }
entry main [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> f64.sum (map (\i -> xs[i % n] * xs[(i + 1) % n]) (iota n))) xs 1.0

-- A matrix without rows, and one without columns: nothing is summed, and the adjoint has the shape of the argument.
-- ==
-- entry: matrix
-- input { empty([0][3]f64) } output { empty([0]f64) empty([0][3]f64) }
-- input { empty([2][0]f64) } output { [0.0, 0.0] empty([2][0]f64) }
-- input { [[1.0, 5.0]] }     output { [6.0] [[1.0, 1.0]] }
entry matrix [n] [m] (xss: [n][m]f64): ([n]f64, [n][m]f64) =
  vjp2 (\xss -> map f64.sum xss) xss (replicate n 1.0)
