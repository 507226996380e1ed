-- Digest 001 §2.5, item 4: an adjoint to which only the branch not taken contributes came out empty, not as zeros of the full size.
-- The sum of 3 x has the gradient 3; a constant has the gradient 0, of the shape of the argument.
-- ==
-- entry: vector
-- input { true [1.0, 2.0, 4.0] }  output { 42.0 [0.0, 0.0, 0.0] }
-- input { false [1.0, 2.0, 4.0] } output { 21.0 [3.0, 3.0, 3.0] }
entry vector [n] (b: bool) (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> if b then 42.0 else f64.sum (map (\x -> 3.0 * x) xs)) xs 1.0

-- ==
-- entry: matrix
-- input { true [[1.0, 2.0], [4.0, 8.0]] }  output { [7.0, 7.0] [[0.0, 0.0], [0.0, 0.0]] }
-- input { false [[1.0, 2.0], [4.0, 8.0]] } output { [3.0, 12.0] [[1.0, 1.0], [1.0, 1.0]] }
entry matrix [n] [m] (b: bool) (xss: [n][m]f64): ([n]f64, [n][m]f64) =
  vjp2 (\(xss: [n][m]f64) -> if b then replicate n 7.0 else map f64.sum xss) xss (replicate n 1.0)
