-- Nests whose inner widths differ from point to point, loops and branches around what is parallel inside of a nest. What is expected is what the reference compiler (0.25.32) gives.

-- Triangles; of triangles.
-- ==
-- entry: sums
-- input { 0i64 } output { empty([0]i64) }
-- input { 1i64 } output { [0i64] }
-- input { 2i64 } output { [0i64, 0i64] }
-- input { 9i64 } output { [0i64, 0i64, 2i64, 9i64, 24i64, 50i64, 90i64, 147i64, 224i64] }
entry sums (n: i64): [n]i64 =
  map (\i -> i64.sum (map (\j -> j * i) (iota i))) (iota n)

-- ==
-- entry: deep
-- input { 0i64 } output { empty([0]i64) }
-- input { 3i64 } output { [0i64, 0i64, 1i64] }
-- input { 9i64 } output { [0i64, 0i64, 1i64, 6i64, 18i64, 40i64, 75i64, 126i64, 196i64] }
entry deep (n: i64): [n]i64 =
  map (\i -> i64.sum (map (\j -> i64.sum (map (\k -> k + j) (iota j))) (iota i))) (iota n)

-- Scans in rows of 1 to 4 elements, with an operator that is not commutative.
-- ==
-- entry: scans
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
-- input { 1i64 } output { [0i64] [0i64] }
-- input { 9i64 } output { [0i64, 2i64, 24i64, 360i64, 4i64, 30i64, 336i64, 5040i64, 8i64] [0i64, -2i64, -28i64, -426i64, -4i64, -34i64, -380i64, -5634i64, -8i64] }
entry scans (n: i64): ([n]i64, [n]i64) =
  unzip (map (\i -> let xs = scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\j -> (j + i, j - i)) (iota (i % 4 + 1))) in xs[i % 4]) (iota n))

-- Two scans side by side; and scans in rows of their own lengths, inside of a map over what is as long at each point.
-- ==
-- entry: two_scans
-- input { [0i64, 1i64, 5i64, 9i64] } output { [0i64, 0i64, 180i64, 1080i64] }
entry two_scans [k] (ns: [k]i64): [k]i64 =
  map (\n -> let xs = map (* 3) (iota n) in i64.sum (map2 (*) (scan (+) 0 xs) (scan i64.max 0 (map (% 4) xs)))) ns

-- ==
-- entry: rows_within
-- input { 3i64 [0i64, 1i64, 4i64] } output { [7i64, 7i64, 52i64] }
entry rows_within [k] (m: i64) (ns: [k]i64): [k]i64 =
  map (\n -> let xs = scan (+) 0 (iota n) in i64.maximum (xs ++ [7]) + i64.sum (map (\j -> i64.sum (scan (+) 0 (map (* j) xs))) (iota m))) ns

-- Two dimensions that differ, of which one may be none.
-- ==
-- entry: squares
-- input { 0i64 } output { empty([0]i64) }
-- input { 2i64 } output { [0i64, 0i64] }
-- input { 9i64 } output { [0i64, 0i64, 44i64, 0i64, 120i64, 410i64, 0i64, 420i64, 1136i64] }
entry squares (n: i64): [n]i64 =
  map (\i -> let m = tabulate_2d i (i % 3) (\a b -> a * 10 + b) in i64.sum (flatten m) + i64.sum (map i64.sum (transpose m))) (iota n)

-- What is left of rows; and that, one more, with itself backwards behind it.
-- ==
-- entry: filters
-- input { [[1i64, -1i64, 2i64, 0i64], [-1i64, -2i64, -3i64, -4i64], [5i64, 6i64, 7i64, 8i64]] } output { [6i64, 0i64, 104i64] }
-- input { empty([0][3]i64) } output { empty([0]i64) }
-- input { empty([3][0]i64) } output { [0i64, 0i64, 0i64] }
entry filters [n][m] (xss: [n][m]i64): [n]i64 =
  map (\xs -> let ys = filter (> 0) xs in i64.sum (map (\y -> y * length ys) ys)) xss

-- ==
-- entry: concats
-- input { [[1i64, -1i64, 2i64, 0i64], [-1i64, -2i64, -3i64, -4i64], [5i64, 6i64, 7i64, 8i64]] } output { [10i64, 0i64, 188i64] }
-- input { empty([0][3]i64) } output { empty([0]i64) }
-- input { empty([3][0]i64) } output { [0i64, 0i64, 0i64] }
entry concats [n][m] (xss: [n][m]i64): [n]i64 =
  map (\xs -> let ys = filter (> 0) xs let zs = map (+ 1) ys ++ reverse ys in i64.sum (map2 (*) zs (indices zs))) xss

-- Both parts of rows.
-- ==
-- entry: parts
-- input { [[1i64, 8i64, 2i64, 6i64], [1i64, 3i64, 5i64, 7i64], [2i64, 4i64, 6i64, 8i64]] } output { [14i64, 0i64, 40i64] [0i64, 34i64, 0i64] }
-- input { empty([0][3]i64) } output { empty([0]i64) empty([0]i64) }
entry parts [n][m] (xss: [n][m]i64): ([n]i64, [n]i64) =
  unzip (map (\xs -> let (ys, zs) = partition (\x -> x % 2 == 0) xs in (i64.sum (map2 (*) ys (indices ys)), i64.sum (map2 (*) zs (indices zs)))) xss)

-- Writes into rows of their own lengths.
-- ==
-- entry: writes
-- input { 0i64 } output { empty([0]i64) }
-- input { 7i64 } output { [0i64, 0i64, 1i64, 3i64, 6i64, 14i64, 19i64] }
entry writes (n: i64): [n]i64 =
  map (\i -> let xs = scatter (replicate i 1) (map (* 2) (iota i)) (iota i) in i64.sum (map2 (*) xs (indices xs))) (iota n)

-- Histograms of their own lengths.
-- ==
-- entry: histograms
-- input { 0i64 } output { empty([0]i64) }
-- input { 7i64 } output { [0i64, 25i64, 42i64, 61i64, 110i64, 105i64, 117i64] }
entry histograms (n: i64): [n]i64 =
  map (\i -> let xs = hist (+) 0 (i + 1) (map (% (i + 1)) (iota 10)) (iota 10) in i64.sum (map2 (*) xs (indices xs))) (iota n)

-- Loops with as many rounds at every point.
-- ==
-- entry: rounds
-- input { 4i64 5i64 50i64 } output { [151i64, 151i64, 151i64, 151i64] }
-- input { 0i64 5i64 50i64 } output { empty([0]i64) }
-- input { 3i64 0i64 50i64 } output { [0i64, 1i64, 2i64] }
entry rounds (n: i64) (r: i64) (m: i64): [n]i64 =
  map (\i -> loop s = i for k < r do i64.sum (map (\j -> (j * s + k) % 7) (iota m))) (iota n)

-- An array that a loop carries and updates; and rows that depend on the round.
-- ==
-- entry: kept
-- input { 3i64 5i64 } output { [[0i64, 5i64, 16i64, 21i64, 10i64],  [10i64, 28i64, 26i64, 22i64, 20i64],  [20i64, 29i64, 25i64, 23i64, 30i64]] }
-- input { 0i64 5i64 } output { empty([0][5]i64) }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
entry kept (n: i64) (m: i64): [n][m]i64 =
  map (\i -> let (_, xs) = loop (s, xs) = (i, replicate m 0) for k < m do (let t = i64.sum (map (\j -> (j * s + k) % 11) (iota m)) in (t, xs with [k] = t)) in xs) (iota n)

-- ==
-- entry: rounds_irregular
-- input { 5i64 9i64 } output { [9i64, 9i64, 9i64, 35i64, 9i64] }
-- input { 0i64 4i64 } output { empty([0]i64) }
entry rounds_irregular (n: i64) (m: i64): [n]i64 =
  map (\i -> loop s = i for k < m do i64.sum (map (\j -> (j * s + k) % 7) (iota (s % 5 + k)))) (iota n)

-- Branches by the point, with a sum or rows in each.
-- ==
-- entry: sides
-- input { 4i64 3i64 } output { [0i64, 10i64, 20i64, 9i64] [[0i64, 0i64, 0i64],  [0i64, 1i64, 2i64],  [0i64, 2i64, 4i64],  [3i64, 3i64, 3i64]] }
-- input { 0i64 5i64 } output { empty([0]i64) empty([0][5]i64) }
-- input { 1i64 0i64 } output { [0i64] empty([1][0]i64) }
entry sides (n: i64) (m: i64): ([n]i64, [n][m]i64) =
  unzip (map (\i -> if i % 3 == 0 then (i64.sum (map (* i) (iota m)), replicate m i) else (i64.sum (map (+ i) (iota (m + i))), map (* i) (iota m))) (iota n))

-- A branch in a loop in a branch.
-- ==
-- entry: inside
-- input { 6i64 4i64 } output { [0i64, 146i64, 2i64, 866i64, 4i64, 80i64] }
-- input { 0i64 3i64 } output { empty([0]i64) }
entry inside (n: i64) (m: i64): [n]i64 =
  map (\i -> if i % 2 == 0 then i else loop s = i for k < m do if (s + k) % 3 == 0 then i64.sum (map (% (s + 2)) (iota (m * 10))) else s + i64.maximum (map (% (s + 1)) (iota (40 + m)))) (iota n)

-- As many rounds as the point says.
-- ==
-- entry: own_rounds
-- input { 0i64 } output { empty([0]i64) }
-- input { 7i64 } output { [1i64, 3i64, 30i64, 132i64, 474i64, 530i64, 791i64] }
entry own_rounds (n: i64): [n]i64 =
  map (\i -> loop s = 1 for k < i do (s * 3 + i64.sum (map (% (k + 1)) (iota (i + 40)))) % 1000) (iota n)

-- Until the point says.
-- ==
-- entry: until
-- input { 0i64 } output { empty([0]i64) }
-- input { 9i64 } output { [80i64, 80i64, 80i64, 3i64, 80i64, 80i64, 80i64, 80i64, 80i64] }
entry until (n: i64): [n]i64 =
  map (\i -> let (s, _) = loop (s, k) = (i, 0) while s % 7 != 3 && k < 20 do (i64.sum (map (\j -> (j + s) % 5) (iota (40 + k))), k + 1) in s) (iota n)

-- A size that is negative at one point only, and rows that have no elements there.
-- ==
-- entry: negative
-- input { 5i64 3i64 } error: Range 0..1..<-1 is invalid
-- input { 4i64 3i64 } output { [3i64, 3i64, 2i64, 0i64] }
-- input { 4i64 0i64 } error: is invalid
entry negative (n: i64) (k: i64): [n]i64 = map (\i -> i64.sum (map (+ i) (iota (k - i)))) (iota n)
