-- Scans and scatters inside of maps.
-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
entry rows [n][m] (a: [n][m]i32) : [n][m]i32 = map (scan (+) 0) a

-- ==
-- entry: long
-- input { 3i64 1000i64 } output { [499500i64, 499500i64, 499500i64] [[0i64, 1i64], [0i64, 1i64], [0i64, 1i64]] }
entry long (n: i64) (m: i64) =
  let a = map (\_ -> scan (+) 0 (iota m)) (iota n)
  in (map last a, map (take 2) a)

-- ==
-- entry: exclusive
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[0, 2, 6], [0, 8, 18]] [6, 15] }
entry exclusive [n][m] (a: [n][m]i32) =
  unzip (map (\r -> let s = scan (+) 0 r in (map2 (\x y -> 2 * (x - y)) s r, reduce (+) 0 r)) a)

-- ==
-- entry: scattered
-- input { [[0i64, 2i64], [1i64, 0i64], [-1i64, 3i64]] [[1, 2], [3, 4], [5, 6]] } output { [[1, 0, 2], [4, 3, 0], [0, 0, 0]] }
entry scattered [n][m] (is: [n][m]i64) (vs: [n][m]i32) : [n][3]i32 =
  map2 (\i v -> scatter (replicate 3 0) i v) is vs

-- ==
-- entry: kept
-- input { [[7, 8, 9], [10, 11, 12]] [[0i64, 2i64], [1i64, 0i64]] } output { [[1, 8, 2], [2, 1, 12]] [24, 33] }
entry kept [n][k] (a: [n][3]i32) (is: [n][k]i64) =
  let b = map2 (\r i -> scatter (copy r) i (map i32.i64 (map (+ 1) (indices i)))) a is
  in (b, map i32.sum a)

-- ==
-- entry: two
-- input { [[1, 5, 2], [4, 3, 6]] } output { [[1, 5, 5], [4, 4, 6]] [[1, 6, 8], [4, 7, 13]] [8, 13] }
entry two [n][m] (a: [n][m]i32) =
  unzip3 (map (\r -> let (x, y) = unzip (scan (\(a, b) (c, d) -> (i32.max a c, b + d)) (i32.lowest, 0) (zip r r)) in (x, y, last y)) a)
-- ==
-- entry: mats
-- input { 2i64 70i64 } output { [[1i32, 70i32, 0i32, 1i32], [1i32, 70i32, 0i32, 1i32]] }
entry mats (n: i64) (m: i64) =
  map (\_ -> let s = scan (\(a: [4]i32) (b: [4]i32) -> [a[0]*b[0]+a[1]*b[2], a[0]*b[1]+a[1]*b[3], a[2]*b[0]+a[3]*b[2], a[2]*b[1]+a[3]*b[3]]) [1,0,0,1] (replicate m [1, 1, 0, 1]) in s[m-1]) (iota n)
