-- An array at each point of a map over two dimensions, as long as the inner index says. Futhark 0.25.32 gives the same.

-- ==
-- entry: grid
-- input { 3i64 } output { [[0i64, 0i64, 1i64, 3i64], [0i64, 1i64, 3i64, 6i64], [0i64, 2i64, 5i64, 10i64]] }
-- input { 0i64 } output { empty([0][4]i64) }
entry grid (n: i64): [n][4]i64 =
  tabulate_2d n 4 (\i j ->
                     let xs = loop xs = replicate j i for k < j do xs with [k] = xs[(k * i) % j] + k
                     in #[sequential] i64.sum xs)
