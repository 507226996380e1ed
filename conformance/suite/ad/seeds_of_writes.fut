-- Several directions at once, in a number known at run time only, through writes to computed positions. By hand.

-- y[2] = 2 x0, y[0] = 2 x1; x2 is written nowhere.
-- ==
-- entry: scatter_back
-- input { [1.0, 2.0, 3.0] [[1.0, 10.0, 100.0, 1000.0], [0.0, 0.0, 1.0, 0.0]] } output { [[200.0, 2.0, 0.0], [2.0, 0.0, 0.0]] }
entry scatter_back [k] (xs: [3]f64) (seeds: [k][4]f64): [k][3]f64 =
  mjp (\xs -> scatter (replicate 4 0) [2, 0, -1] (map (* 2) xs)) xs seeds

-- ==
-- entry: scatter_on
-- input { [1.0, 2.0, 3.0] [[1.0, 0.0, 0.0], [0.0, 1.0, 5.0]] } output { [[0.0, 0.0, 2.0, 0.0], [2.0, 0.0, 0.0, 0.0]] }
entry scatter_on [k] (xs: [3]f64) (seeds: [k][3]f64): [k][4]f64 =
  jmp (\xs -> scatter (replicate 4 0) [2, 0, -1] (map (* 2) xs)) xs seeds

-- Bins 0, 1, 0: sums of squares at [1, 2, 3], then at [2, 3, 5] products, the largest, and x + y + x y = (1 + x)(1 + y) - 1.
-- ==
-- entry: sums_back
-- input { [1.0, 2.0, 3.0] [[1.0, 10.0], [100.0, 0.0]] } output { [[2.0, 40.0, 6.0], [200.0, 0.0, 600.0]] }

-- ==
-- entry: products_back
-- input { [2.0, 3.0, 5.0] [[1.0, 10.0], [100.0, 0.0]] } output { [[5.0, 10.0, 2.0], [500.0, 0.0, 200.0]] }

-- ==
-- entry: largest_back
-- input { [2.0, 3.0, 5.0] [[1.0, 10.0], [100.0, 0.0]] } output { [[0.0, 10.0, 1.0], [0.0, 0.0, 100.0]] }

-- ==
-- entry: others_back
-- input { [2.0, 3.0, 5.0] [[1.0, 10.0], [100.0, 0.0]] } output { [[6.0, 10.0, 3.0], [600.0, 0.0, 300.0]] }
def sums (xs: [3]f64) = reduce_by_index (replicate 2 0) (+) 0 [0, 1, 0] (map (\x -> x * x) xs)
def products (xs: [3]f64) = reduce_by_index (replicate 2 1) (*) 1 [0, 1, 0] xs
def largest (xs: [3]f64) = reduce_by_index (replicate 2 (-f64.inf)) f64.max (-f64.inf) [0, 1, 0] xs
def others (xs: [3]f64) = reduce_by_index (replicate 2 0) (\x y -> x + y + x * y) 0 [0, 1, 0] xs

entry sums_back [k] (xs: [3]f64) (seeds: [k][2]f64): [k][3]f64 = mjp sums xs seeds
entry products_back [k] (xs: [3]f64) (seeds: [k][2]f64): [k][3]f64 = mjp products xs seeds
entry largest_back [k] (xs: [3]f64) (seeds: [k][2]f64): [k][3]f64 = mjp largest xs seeds
entry others_back [k] (xs: [3]f64) (seeds: [k][2]f64): [k][3]f64 = mjp others xs seeds

-- ==
-- entry: sums_on
-- input { [1.0, 2.0, 3.0] [[1.0, 1.0, 1.0], [1.0, 0.0, 10.0]] } output { [[8.0, 4.0], [62.0, 0.0]] }

-- ==
-- entry: products_on
-- input { [2.0, 3.0, 5.0] [[1.0, 1.0, 1.0], [1.0, 0.0, 10.0]] } output { [[7.0, 1.0], [25.0, 0.0]] }

-- ==
-- entry: others_on
-- input { [2.0, 3.0, 5.0] [[1.0, 1.0, 1.0], [1.0, 0.0, 10.0]] } output { [[9.0, 1.0], [36.0, 0.0]] }
entry sums_on [k] (xs: [3]f64) (seeds: [k][3]f64): [k][2]f64 = jmp sums xs seeds
entry products_on [k] (xs: [3]f64) (seeds: [k][3]f64): [k][2]f64 = jmp products xs seeds
entry others_on [k] (xs: [3]f64) (seeds: [k][3]f64): [k][2]f64 = jmp others xs seeds
