-- Operators that make arrays of sizes that follow from what elements have come to: sums, by an array that has the left one at one of its places and the right one at its end. Outputs of Futhark 0.25.32.

def sum (a: i64) (b: i64): i64 =
  let k = a % 5 + 3
  let zs = replicate (k + 1) b with [a % 3] = a
  let zs = scan (+) 0 zs
  in a + zs[k] - zs[k - 1]

-- Behind the scan a function of each sum, beside it a reduction and a map.
-- ==
-- entry: beside
-- input { [5i64, 2i64, 9i64, 31i64, 8i64] } output { [5i64, 7i64, 16i64, 47i64, 55i64] [75i64, 42i64, 432i64, 4371i64, 1320i64] 60i64 [10i64, 4i64, 18i64, 62i64, 16i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) 0i64 empty([0]i64) }
entry beside (xs: []i64): ([]i64, []i64, i64, []i64) =
  let ys = scan sum 0 (map (* 3) xs)
  in (scan sum 0 xs, map2 (\x y -> x * y) xs ys, reduce sum 0 (map (+ 1) xs), map (* 2) xs)

-- Bins; what is for a place before the first or behind the last one is left out.
-- ==
-- entry: bins
-- input { [1i64, 2i64, 3i64] [0i64, 2i64, 3i64, 0i64, -1i64] [5i64, 2i64, 9i64, 31i64, 8i64] } output { [37i64, 2i64, 5i64] }
-- input { empty([0]i64) [0i64, 2i64] [5i64, 2i64] } output { empty([0]i64) }
entry bins [n] [m] (ds: [m]i64) (is: [n]i64) (xs: [n]i64): []i64 = reduce_by_index (copy ds) sum 0 is xs

-- Of rows, and of pairs, which are reduced, too, of which one number has arrays of that size.
-- ==
-- entry: rows
-- input { [0i64, 1i64, 0i64, 5i64] [[5i64, 2i64], [9i64, 31i64], [8i64, 1i64], [1i64, 1i64]] } output { [[13i64, 3i64],  [9i64, 31i64]] [13i64, 9i64] [3i64, 31i64] 23i64 31i64 }
entry rows [n] (is: [n]i64) (xss: [n][2]i64): ([2][2]i64, [2]i64, [2]i64, i64, i64) =
  let pairs = map (\xs -> (xs[0], xs[1])) xss
  let (ys, zs) = unzip (reduce_by_index (replicate 2 (0, 0)) (\(a, b) (c, d) -> (sum a c, sum b (sum 0 d))) (0, 0) is pairs)
  let (y, z) = reduce (\(a, b) (c, d) -> (sum a c, i64.max b (sum 0 d))) (0, 0) pairs
  in (reduce_by_index (replicate 2 [0, 0]) (map2 sum) [0, 0] is xss, ys, zs, y, z)

-- At each point of a map, of as many elements at all, and of segments whose lengths differ.
-- ==
-- entry: at_points
-- input { [[0i64, 1i64, 0i64], [1i64, 1i64, 4i64]] [[5i64, 2i64, 9i64], [31i64, 8i64, 0i64]] }
-- output { [[14i64, 2i64],  [0i64, 39i64]] [16i64, 39i64] [[5i64, 7i64, 16i64],  [31i64, 39i64, 39i64]] [15i64, 9i64] }
entry at_points [n][m] (iss: [n][m]i64) (xss: [n][m]i64): ([n][2]i64, [n]i64, [n][m]i64, [n]i64) =
  (map2 (\is xs -> reduce_by_index (replicate 2 0) sum 0 is xs) iss xss,
   map (reduce sum 0) xss,
   map (scan sum 0) xss,
   map (\xs -> reduce sum 0 (map (\i -> i * xs[0] % 7) (iota (xs[0] % 28)))) xss)
