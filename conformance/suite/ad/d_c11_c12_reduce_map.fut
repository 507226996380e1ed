-- C11, C12 (digest 000, table 5.C): reductions of arrays, and of what a map with free variables makes, by hand.

-- The columns 2 3 0 and 0 4 5, times 3 and 5.
-- ==
-- entry: product
-- input { [[2.0, 0.0], [3.0, 4.0], [0.0, 5.0]] [3.0, 5.0] }
-- output { [[0.0, 100.0], [0.0, 0.0], [18.0, 0.0]] }
-- input { empty([3][0]f64) empty([0]f64) }
-- output { empty([3][0]f64) }
-- input { empty([0][2]f64) [3.0, 5.0] }
-- output { empty([0][2]f64) }
entry product [n] [m] (xs: [n][m]f64) (seed: [m]f64): [n][m]f64 = vjp (reduce (map2 (*)) (replicate m 1.0)) xs seed

-- ==
-- entry: product_nested
-- input { [[[2.0], [0.0]], [[3.0], [4.0]], [[0.0], [5.0]]] [[3.0], [5.0]] }
-- output { [[[0.0], [100.0]], [[0.0], [0.0]], [[18.0], [0.0]]] }
entry product_nested [n] [k] [m] (xs: [n][k][m]f64) (seed: [k][m]f64): [n][k][m]f64 =
  vjp (reduce (map2 (map2 (*))) (replicate k (replicate m 1.0))) xs seed

-- ==
-- entry: maximum
-- input { [[1.0, 5.0], [3.0, 2.0], [2.0, 4.0]] [1.0, 10.0] }
-- output { [[0.0, 10.0], [1.0, 0.0], [0.0, 0.0]] }
entry maximum [n] [m] (xs: [n][m]f64) (seed: [m]f64): [n][m]f64 = vjp (reduce (map2 f64.max) (replicate m f64.lowest)) xs seed

-- The sum of a x^2 y: 2 a x y, a x^2, and the sum without a.
-- ==
-- entry: sum_map
-- input { [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] 3.0 }
-- output { [24.0, 60.0, 108.0] [3.0, 12.0, 27.0] 78.0 }
entry sum_map [n] (xs: [n]f64) (ys: [n]f64) (a: f64): ([n]f64, [n]f64, f64) =
  vjp (\(xs, ys, a) -> reduce (+) 0.0 (map2 (\x y -> a * x * x * y) xs ys)) (xs, ys, a) 1.0

-- The product of a x, 2*4*6 = 48: 48 / x, and 3 * 48 / a.
-- ==
-- entry: product_map
-- input { [1.0, 2.0, 3.0] 2.0 }
-- output { [48.0, 24.0, 16.0] 72.0 }
entry product_map [n] (xs: [n]f64) (a: f64): ([n]f64, f64) = vjp (\(xs, a) -> reduce (*) 1.0 (map (a *) xs)) (xs, a) 1.0
