-- What is read of an array of narrow elements before it gets a histogram. Outputs of Futhark 0.25.32.
-- ==
-- entry: narrow
-- input { [3i8, 1i8, 2i8, 5i8] [1i64, 2i64, 3i64, 4i64] } output { [3i8, 2i8, 4i8, 8i8] 5i8 }
entry narrow [n] (xs: *[n]i8) (is: [n]i64): ([]i8, i8) =
  let s = xs[1] * 3 + xs[2]
  let ys = reduce_by_index xs (+) 0 is (map i8.i64 is)
  in (ys, s)
