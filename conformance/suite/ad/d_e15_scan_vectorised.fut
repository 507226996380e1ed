-- E15 (digest 000, table 5.E, its literal vectors): scans of arrays, by an operator that is a map of one of numbers, or a map of that. The
-- columns of the product get [10, 3, 3] and [1, 12, 0], those of the sum [111, 110, 100].

def f [n] [m] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n][m]f64): [n][m]f64 = scan (map2 op) (replicate m ne) xs

def nested [n] [k] [m] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n][k][m]f64): [n][k][m]f64 =
  scan (map2 (map2 op)) (replicate k (replicate m ne)) xs

-- ==
-- entry: product
-- input { [[1.0, 2.0], [3.0, 0.0], [2.0, 5.0]] [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]] }
-- output { [[10.0, 1.0], [3.0, 12.0], [3.0, 0.0]] }
-- input { empty([3][0]f64) empty([3][0]f64) }
-- output { empty([3][0]f64) }
-- input { empty([0][2]f64) empty([0][2]f64) }
-- output { empty([0][2]f64) }
-- input { [[2.0, 3.0]] [[5.0, 7.0]] }
-- output { [[5.0, 7.0]] }
entry product [n] [m] (xs: [n][m]f64) (seed: [n][m]f64): [n][m]f64 = vjp (f (*) 1.0) xs seed

-- ==
-- entry: sum
-- input { [[1.0, 2.0], [3.0, 0.0], [2.0, 5.0]] [[1.0, 1.0], [10.0, 10.0], [100.0, 100.0]] }
-- output { [[111.0, 111.0], [110.0, 110.0], [100.0, 100.0]] }
-- input { empty([3][0]f64) empty([3][0]f64) }
-- output { empty([3][0]f64) }
-- input { empty([0][2]f64) empty([0][2]f64) }
-- output { empty([0][2]f64) }
-- input { [[2.0, 3.0]] [[5.0, 7.0]] }
-- output { [[5.0, 7.0]] }
entry sum [n] [m] (xs: [n][m]f64) (seed: [n][m]f64): [n][m]f64 = vjp (f (+) 0.0) xs seed

-- ==
-- entry: product_nested
-- input { [[[1.0], [2.0]], [[3.0], [0.0]], [[2.0], [5.0]]] [[[1.0], [1.0]], [[1.0], [1.0]], [[1.0], [1.0]]] }
-- output { [[[10.0], [1.0]], [[3.0], [12.0]], [[3.0], [0.0]]] }
entry product_nested [n] [k] [m] (xs: [n][k][m]f64) (seed: [n][k][m]f64): [n][k][m]f64 = vjp (nested (*) 1.0) xs seed

-- ==
-- entry: sum_nested
-- input { [[[1.0], [2.0]], [[3.0], [0.0]], [[2.0], [5.0]]] [[[1.0], [1.0]], [[10.0], [10.0]], [[100.0], [100.0]]] }
-- output { [[[111.0], [111.0]], [[110.0], [110.0]], [[100.0], [100.0]]] }
entry sum_nested [n] [k] [m] (xs: [n][k][m]f64) (seed: [n][k][m]f64): [n][k][m]f64 = vjp (nested (+) 0.0) xs seed

-- The maxima of the columns are 1 3 3, of the first, second and second element, and 2 2 5.
-- ==
-- entry: maximum
-- input { [[1.0, 2.0], [3.0, 0.0], [2.0, 5.0]] [[1.0, 1.0], [10.0, 10.0], [100.0, 100.0]] }
-- output { [[1.0, 11.0], [110.0, 0.0], [0.0, 100.0]] }
entry maximum [n] [m] (xs: [n][m]f64) (seed: [n][m]f64): [n][m]f64 = vjp (f f64.max f64.lowest) xs seed

-- All move by 1: 1, 3 + 1, 3*2 + 1*2 + 1*3; 1, 0 + 2, 0*5 + 2*5 + 2*0.
-- ==
-- entry: forward
-- input { [[1.0, 2.0], [3.0, 0.0], [2.0, 5.0]] }
-- output { [[1.0, 1.0], [4.0, 2.0], [11.0, 10.0]] }
entry forward [n] [m] (xs: [n][m]f64): [n][m]f64 = jvp (f (*) 1.0) xs (replicate n (replicate m 1.0))
