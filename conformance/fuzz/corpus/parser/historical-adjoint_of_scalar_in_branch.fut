-- Digest 001 §2.5, item 6: "no contribution" was signalled by an empty array, and there is no empty array of rank 0: sums of adjoints of single numbers
-- through conditionals were wrong.

-- u = x^2; u + (u or y). At (3, 5): 18, (4 x, 0); 14, (2 x, 1).
-- ==
-- entry: scalar
-- input { true 3.0 5.0 }  output { 18.0 12.0 0.0 }
-- input { false 3.0 5.0 } output { 14.0 6.0 1.0 }
entry scalar (b: bool) (x: f64) (y: f64): (f64, f64, f64) =
  let (r, (x', y')) = vjp2 (\(x, y) -> let u = x * x in u + (if b then u else y)) (x, y) 1.0
  in (r, x', y')

-- The other way round: an adjoint that is empty because its array is. (3 + sum xs) * sum ys.
-- ==
-- entry: empty
-- input { empty([0]f64) [1.0, 4.0] } output { empty([0]f64) [3.0, 3.0] }
-- input { [2.0] empty([0]f64) }      output { [0.0] empty([0]f64) }
entry empty [n] [m] (xs: [n]f64) (ys: [m]f64): ([n]f64, [m]f64) =
  vjp (\(xs, ys) -> (3.0 + f64.sum xs) * f64.sum ys) (xs, ys) 1.0
