-- An accumulator's operator that reads a free array which is an operand of something else before, and nothing after: x `op` y = x + y + z with z = ws[0] - 2 = 0.
-- ==
-- input { [1i64, 2i64, 3i64] [0i64, 0i64, 1i64] [2i64, 5i64] } output { [3i64, 3i64] [[2i64, 5i64], [3i64, 6i64]] }
entry main [n] (xs: [n]i64) (is: [n]i64) (ws: [2]i64): ([2]i64, [2][2]i64) =
  let vs = map (+ 0) ws
  let both = [vs, map (+ 1) vs]
  let sums = reduce_by_index_stream (replicate 2 0) (\x y -> x + y + (vs[0] - 2)) 0
                                    (\(acc: *acc ([2]i64)) (i, x) -> write acc i x) (zip is xs)
  in (sums, both)
