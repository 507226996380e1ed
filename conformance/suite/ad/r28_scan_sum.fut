-- R28 (digest 002, 5.2): the adjoint of prefix sums are the suffix sums. The digest's vectors.
-- ==
-- entry: sums
-- input { [4.0, 5.0, 6.0] [1.0, 2.0, 3.0] } output { [4.0, 9.0, 15.0] [6.0, 5.0, 3.0] }
-- input { [4.0] [7.0] } output { [4.0] [7.0] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry sums [n] (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (+) 0) xs adj

-- Of rows, elementwise.
-- ==
-- entry: rows
-- input { [[1.0, 2.0], [3.0, 4.0]] [[1.0, 10.0], [100.0, 1000.0]] } output { [[1.0, 2.0], [4.0, 6.0]] [[101.0, 1010.0], [100.0, 1000.0]] }
entry rows [n] [m] (xs: [n][m]f64) (adj: [n][m]f64): ([n][m]f64, [n][m]f64) = vjp2 (scan (map2 (+)) (replicate m 0)) xs adj

-- In a map, of what is computed from a free variable: prefix sums of k x. By x k times the suffix sums, by k the prefix sums of x with the
-- adjoints. [1, 2], [3, 4], k = 5, adjoints 1: prefix sums of x 1, 3, 3, 7.
-- ==
-- entry: in_map
-- input { 5.0 [[1.0, 2.0], [3.0, 4.0]] } output { 14.0 [[10.0, 5.0], [10.0, 5.0]] }
entry in_map [n] [m] (k: f64) (xs: [n][m]f64): (f64, [n][m]f64) =
  vjp (\(k, xs) -> map (\row -> scan (+) 0 (map (* k) row)) xs) (k, xs) (replicate n (replicate m 1))
