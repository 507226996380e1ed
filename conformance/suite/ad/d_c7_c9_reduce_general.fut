-- C7, C8, C9 (digest 000, table 5.C, its literal vectors): the product of 2x2 matrices, which does not commute; that of dual numbers,
-- whose components interact; and an operator whose neutral element is 1/2.

-- ==
-- entry: matrices
-- input { [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 1.0, 1.0], [2.0, 0.0, 1.0, 3.0]] [1.0, 0.0, 0.0, 0.0] }
-- output { [7.0, 9.0, 15.0, 21.0] [[1.0, 3.0, 0.0, 0.0], [2.0, 1.0, 4.0, 2.0], [2.0, 0.0, 3.0, 0.0]] }
entry matrices [n] (xs: [n][4]f64) (seed: [4]f64): ([4]f64, [n][4]f64) =
  let times (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let f xs = let (a, b, c, d) = reduce times (1.0, 0.0, 0.0, 1.0) (map (\x -> (x[0], x[1], x[2], x[3])) xs) in [a, b, c, d]
  in vjp2 f xs seed

-- ==
-- entry: dual
-- input { [[1.0, 10.0], [2.0, 11.0], [3.0, 12.0]] [1.0, 1.0] }
-- output { [702.0, 1320.0] [[132.0, 189.0], [120.0, 162.0], [110.0, 141.0]] }
entry dual [n] (xs: [n][2]f64) (seed: [2]f64): ([2]f64, [n][2]f64) =
  let times (a, b) (c, d) = (b * c + d * a, b * d)
  let f xs = let (a, b) = reduce times (0.0, 1.0) (map (\x -> (x[0], x[1])) xs) in [a, b]
  in vjp2 f xs seed

-- Only the second component is used: 10*11*12.
-- ==
-- entry: second
-- input { [1.0, 2.0, 3.0] [10.0, 11.0, 12.0] }
-- output { [0.0, 0.0, 0.0] [132.0, 120.0, 110.0] }
entry second [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64) =
  vjp (\(xs, ys) -> (reduce (\(a, b) (c, d) -> (b * c + d * a, b * d)) (0.0, 1.0) (zip xs ys)).1) (xs, ys) 1.0

-- ==
-- entry: neutral
-- input { [1.0, 2.0, 3.0] 1.0 }
-- output { 24.0 [24.0, 12.0, 8.0] }
entry neutral [n] (xs: [n]f64) (seed: f64): (f64, [n]f64) = vjp2 (reduce (\x y -> x * y * 2.0) 0.5) xs seed
