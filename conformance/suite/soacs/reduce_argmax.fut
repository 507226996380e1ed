-- The largest with its position, the first of several.
-- ==
-- input { [3.0, 7.0, 1.0, 7.0] }
-- output { 7.0 1i64 }
entry main [n] (xs: [n]f64): (f64, i64) =
  let better (x, i) (y, j) = if y > x || (y == x && j < i) then (y, j) else (x, i)
  in reduce better (-f64.inf, n) (zip xs (iota n))
