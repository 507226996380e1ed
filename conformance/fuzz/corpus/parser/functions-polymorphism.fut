-- One function at three types, with sizes and without.
-- ==
-- input { [1, 2] [1.5, 2.5, 3.5] true }
-- output { [1, 2, 1, 2] [[1.5, 2.5, 3.5], [1.5, 2.5, 3.5]] [true, true] }
def pair 'a (x: a): [2]a = [x, x]

entry main [n] [m] (xs: [n]i32) (ys: [m]f64) (b: bool): ([]i32, [2][m]f64, [2]bool) =
  (flatten (pair xs), pair ys, pair b)
