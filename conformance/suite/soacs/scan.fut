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

-- A scan and a fold of other types side by side. By hand: 3, 3 + 1, 3 + 1 + 4; 1 + 2.5 + 4.
-- ==
-- entry: scan_and_sum
-- input { [3i32, 1i32, 4i32] [1.0, 2.5, 4.0] } output { [3i32, 4i32, 8i32] 7.5 [2.0, 5.0, 8.0] }
-- input { empty([0]i32) empty([0]f64) } output { empty([0]i32) 0.0 empty([0]f64) }
entry scan_and_sum [n] (xs: [n]i32) (ys: [n]f64): ([n]i32, f64, [n]f64) =
  (scan (+) 0 xs, f64.sum ys, map (* 2) ys)
