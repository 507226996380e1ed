-- Prefix sums by hand; the operator of `affine` is composition of x*a + b, from left to right, which does not commute.
-- ==
-- entry: sums
-- input { [3, 1, 4, 1, 5] }
-- output { [3, 4, 8, 9, 14] [3, 3, 12, 12, 60] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) }
entry sums [n] (xs: [n]i32): ([n]i32, [n]i32) = (scan (+) 0 xs, scan (*) 1 xs)

-- ==
-- entry: affine
-- input { [2.0, 3.0, 0.5] [1.0, -1.0, 4.0] }
-- output { [2.0, 6.0, 3.0] [1.0, 2.0, 5.0] }
entry affine [n] (a: [n]f64) (b: [n]f64): ([n]f64, [n]f64) =
  unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1.0, 0.0) (zip a b))
