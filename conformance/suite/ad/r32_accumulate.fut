-- R32: an array read in a map in a loop in a branch, for the harness to differentiate.
-- ==
-- input { [1.0, 2.0, 3.0] [0.5, 0.25] 3i64 } output { [3.5, 2.25] }
entry main [n] [m] (xs: [n]f64) (ys: [m]f64) (k: i64): [m]f64 =
  map2 (\y j ->
          if y > 0.3
          then loop acc = y for i < k do acc + xs[(i + j) % n] * 0.5
          else y + xs[j]) ys (iota m)
