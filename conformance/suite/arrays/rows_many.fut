-- Elements of so many rows that they are computed by columns, a thousand at a time: 2 i + (i + 1) for row i. The sum is 3 n (n - 1) / 2 + n.
-- ==
-- entry: each
-- input { [[0i64, 1i64], [1i64, 2i64], [2i64, 3i64], [3i64, 4i64], [4i64, 5i64], [5i64, 6i64], [6i64, 7i64], [7i64, 8i64], [8i64, 9i64], [9i64, 10i64], [10i64, 11i64], [11i64, 12i64], [12i64, 13i64]] }
-- output { [1i64, 4i64, 7i64, 10i64, 13i64, 16i64, 19i64, 22i64, 25i64, 28i64, 31i64, 34i64, 37i64] }
-- input { empty([0][2]i64) } output { empty([0]i64) }
entry each [n] (rows: [n][2]i64): [n]i64 = map (\r -> 2 * r[0] + r[1]) rows

-- ==
-- entry: total
-- input { 2500i64 } output { 9373750i64 }
-- input { 1i64 } output { 1i64 }
entry total (n: i64): i64 = i64.sum (map (\r -> 2 * r[0] + r[1]) (map (\i -> [i, i + 1]) (iota n)))

-- The last of all rows, and their order.
-- ==
-- entry: scanned
-- input { 2500i64 } output { 9373750i64 true }
entry scanned (n: i64): (i64, bool) =
  let rows = map (\i -> [i, i + 1]) (iota n)
  let sums = scan (+) 0 (map (\r -> 2 * r[0] + r[1]) rows)
  in (last sums, and (map3 (\i s t -> t - s == 3 * i + 4) (iota (n - 1)) (init sums) (tail sums)))
