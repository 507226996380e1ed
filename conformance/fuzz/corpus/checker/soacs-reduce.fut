-- ==
-- input { [3, 1, 4, 1, 5] }
-- output { 14 60 1 5 }
-- input { empty([0]i32) }
-- output { 0 1 2147483647 -2147483648 }
entry main [n] (xs: [n]i32): (i32, i32, i32, i32) =
  (reduce (+) 0 xs, i32.product xs, i32.minimum xs, i32.maximum xs)

-- ==
-- entry: floats
-- input { [0.5, 0.25, 0.125] }
-- output { 0.875 0.015625 0.125 0.5 }
-- input { empty([0]f64) }
-- output { 0.0 1.0 f64.inf -f64.inf }
entry floats [n] (xs: [n]f64): (f64, f64, f64, f64) =
  (f64.sum xs, f64.product xs, f64.minimum xs, f64.maximum xs)

-- ==
-- entry: bools
-- input { [true, false] } output { false true }
-- input { empty([0]bool) } output { true false }
entry bools [n] (xs: [n]bool): (bool, bool) = (reduce (&&) true xs, reduce (||) false xs)
