-- An operator of several values that fails at some point of a histogram, while others wait for its turn at the place. Counts of 15 a bin, each looked up among m zeros: from 16 on there are enough of them.
-- ==
-- entry: counts
-- input { 30i64 [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] } output { [15i64, 15i64] [210i64, 225i64] }
-- input { 30i64 [0i64, 0i64, 0i64] } error: [Ii]ndex
-- input { 30i64 [0i64] } error: [Ii]ndex
-- input { 30i64 empty([0]i64) } error: [Ii]ndex
entry counts [m] (n: i64) (zeros: [m]i64): ([2]i64, [2]i64) =
  let op (a: i64, x: i64) (b: i64, y: i64) = (a + b, x + y + zeros[a + b])
  in unzip (reduce_by_index (replicate 2 (0, 0)) op (0, 0) (map (% 2) (iota n)) (map (\i -> (1, i)) (iota n)))
