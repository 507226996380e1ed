-- Operators that make arrays of sizes that follow from what elements have come to: sums, by an array that has the left one at one of its places and the right one at its end. Outputs of Futhark 0.25.32.

def sum (a: i64) (b: i64): i64 =
  let k = a % 5 + 3
  let zs = replicate (k + 1) b with [a % 3] = a
  let zs = scan (+) 0 zs
  in a + zs[k] - zs[k - 1]

-- ==
-- entry: reduced
-- input { [5i64, 2i64, 9i64, 31i64, 8i64] } output { 55i64 }
-- input { empty([0]i64) } output { 0i64 }
entry reduced (xs: []i64): i64 = reduce sum 0 xs

-- ==
-- entry: scanned
-- input { [5i64, 2i64, 9i64, 31i64, 8i64] } output { [5i64, 7i64, 16i64, 47i64, 55i64] }
entry scanned (xs: []i64): []i64 = scan sum 0 xs

-- Behind the scan a function of each sum, beside it a reduction and a map.
-- ==
-- entry: beside
-- input { [5i64, 2i64, 9i64, 31i64, 8i64] } output { [75i64, 42i64, 432i64, 4371i64, 1320i64] 60i64 [10i64, 4i64, 18i64, 62i64, 16i64] }
entry beside (xs: []i64): ([]i64, i64, []i64) =
  let ys = scan sum 0 (map (* 3) xs)
  in (map2 (\x y -> x * y) xs ys, reduce sum 0 (map (+ 1) xs), map (* 2) xs)

-- At each point of a map.
-- ==
-- entry: at_points
-- input { [[5i64, 2i64, 9i64], [31i64, 8i64, 0i64]] } output { [16i64, 39i64] [[5i64, 7i64, 16i64],  [31i64, 39i64, 39i64]] }
entry at_points (xss: [][]i64): ([]i64, [][]i64) =
  (map (reduce sum 0) xss, map (scan sum 0) xss)

-- Of segments whose lengths differ.
-- ==
-- entry: irregular
-- input { [5i64, 0i64, 9i64] } output { [15i64, 0i64, 23i64] }
entry irregular (ns: []i64): []i64 = map (\n -> reduce sum 0 (map (\i -> i * n % 7) (iota n))) ns

-- Pairs, of which one array has the size.
-- ==
-- entry: pairs
-- input { [5i64, 2i64, 9i64, 31i64] [1i64, 2i64, 3i64, 4i64] } output { 47i64 4i64 }
entry pairs [n] (xs: [n]i64) (ys: [n]i64): (i64, i64) =
  reduce (\(a, b) (c, d) -> (sum a c, i64.max b (sum 0 d))) (0, 0) (zip xs ys)

-- Bins; what is for a place before the first or behind the last one is left out.
-- ==
-- entry: bins
-- input { [1i64, 2i64, 3i64] [0i64, 2i64, 3i64, 0i64, -1i64] [5i64, 2i64, 9i64, 31i64, 8i64] } output { [37i64, 2i64, 5i64] }
-- input { empty([0]i64) [0i64, 2i64] [5i64, 2i64] } output { empty([0]i64) }
entry bins [n] [m] (ds: [m]i64) (is: [n]i64) (xs: [n]i64): []i64 = reduce_by_index (copy ds) sum 0 is xs

-- Of pairs, and of rows.
-- ==
-- entry: bins_of_rows
-- input { [0i64, 1i64, 0i64, 5i64] [[5i64, 2i64], [9i64, 31i64], [8i64, 1i64], [1i64, 1i64]] } output { [[13i64, 3i64],  [9i64, 31i64]] [13i64, 9i64] [3i64, 31i64] }
entry bins_of_rows [n] (is: [n]i64) (xss: [n][2]i64): ([2][2]i64, [2]i64, [2]i64) =
  let (ys, zs) = unzip (reduce_by_index (replicate 2 (0, 0)) (\(a, b) (c, d) -> (sum a c, sum b (sum 0 d))) (0, 0) is (map (\xs -> (xs[0], xs[1])) xss))
  in (reduce_by_index (replicate 2 [0, 0]) (map2 sum) [0, 0] is xss, ys, zs)

-- At each point of a map.
-- ==
-- entry: bins_at_points
-- input { [[0i64, 1i64, 0i64], [1i64, 1i64, 4i64]] [[5i64, 2i64, 9i64], [31i64, 8i64, 0i64]] } output { [[14i64, 2i64],  [0i64, 39i64]] }
entry bins_at_points [n][m] (iss: [n][m]i64) (xss: [n][m]i64): [n][2]i64 =
  map2 (\is xs -> reduce_by_index (replicate 2 0) sum 0 is xs) iss xss
