-- Histograms whose operators combine several values at once, so that no atomic operation updates a place: pairs, tuples of mixed types, rows, matrices. Many points share a place.

-- The greatest of 7 i mod 31, which differ, and its i; bins are i mod 4. 30 = 7 * 22 mod 31 is in bin 2, 29 = 7 * 13 in bin 1, 28 = 7 * 4 in bin 0; of bin 3 there are 7 * 3 = 21, 18, 15, .. at 3, 7, 11, ..
-- ==
-- entry: greatest
-- input { 30i64 4i64 } output { [28i64, 29i64, 30i64, 21i64] [4i64, 13i64, 22i64, 3i64] }
-- input { 2i64 4i64 } output { [0i64, 7i64, -1i64, -1i64] [0i64, 1i64, -1i64, -1i64] }
-- input { 0i64 2i64 } output { [-1i64, -1i64] [-1i64, -1i64] }
-- input { 0i64 0i64 } output { empty([0]i64) empty([0]i64) }
entry greatest (n: i64) (k: i64): ([k]i64, [k]i64) =
  let op (x: i64, i: i64) (y: i64, j: i64) = if x > y then (x, i) else (y, j)
  let at i = (7 * i % 31, i)
  in unzip (reduce_by_index (replicate k (-1, -1)) op (-1, -1) (map (% k) (iota n)) (map at (iota n)))

-- Tuples of values of 1, 4 and 1 bytes, the greatest by all components in turn. The first is 5 i mod 7 - 3, at most 3, at 4, 11, 18, 25, .., of which 4 and 25 are in bin 1; there (3 i mod 5) / 2 decides, 1 for 4 and
-- 0 for 25.
-- ==
-- entry: mixed
-- input { 30i64 } output { [3i8, 3i8, 3i8] [2f32, 1f32, 1.5f32] [true, true, false] }
-- input { 0i64 } output { [-9i8, -9i8, -9i8] [0f32, 0f32, 0f32] [false, false, false] }
entry mixed (n: i64): ([3]i8, [3]f32, [3]bool) =
  let op (a: i8, x: f32, p: bool) (b: i8, y: f32, q: bool) =
    if a > b || (a == b && (x > y || (x == y && p))) then (a, x, p) else (b, y, q)
  let at i = (i8.i64 (5 * i % 7 - 3), f32.i64 (3 * i % 5) / 2, i % 2 == 0)
  let ne = (-9, 0, false)
  in unzip3 (reduce_by_index (replicate 3 ne) op ne (map (% 3) (iota n)) (map at (iota n)))

-- Rows: the product of complex numbers, 1 + i at multiples of 3, i else. Of bin 0, where 0, 12 and 24 are: (1 + i)^3 i^5 = -2 - 2 i; of bin 1, with 9 and 21: (1 + i)^2 i^6 = -2 i; of bin 2, with 6 and
-- 18: (1 + i)^2 i^5 = -2; of bin 3, with 3, 15 and 27: (1 + i)^3 i^4 = -2 + 2 i.
-- ==
-- entry: rows
-- input { 30i64 } output { [[-2, -2], [0, -2], [-2, 0], [-2, 2]] }
-- input { 0i64 } output { [[1, 0], [1, 0], [1, 0], [1, 0]] }
entry rows (n: i64): [4][2]i32 =
  let op (x: [2]i32) (y: [2]i32): [2]i32 = [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]
  let at i: [2]i32 = if i % 3 == 0 then [1, 1] else [0, 1]
  in reduce_by_index (replicate 4 [1, 0]) op [1, 0] (map (% 4) (iota n)) (map at (iota n))

-- Matrices [1, a; 0, 1], whose product has the sum of the a: 0 + 4 + .. + 28 = 112, and so on.
-- ==
-- entry: matrices
-- input { 30i64 } output { [112i64, 120i64, 98i64, 105i64] [1i64, 1i64, 1i64, 1i64] }
entry matrices (n: i64): ([4]i64, [4]i64) =
  let op (x: [2][2]i64) (y: [2][2]i64): [2][2]i64 =
    map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose y)) x
  let ne: [2][2]i64 = [[1, 0], [0, 1]]
  let ms = reduce_by_index (replicate 4 ne) op ne (map (% 4) (iota n)) (map (\a -> [[1, a], [0, 1]]) (iota n))
  in (ms[:, 0, 1], map (\m -> m[0, 0] * m[1, 1] - m[1, 0]) ms)

-- A key and a row, which comes along turned round: of an even number of turns nothing is left, and rows are the same both ways. The least key of i is the bin itself.
-- ==
-- entry: keyed
-- input { 30i64 3i64 } output { [0i64, 1i64, 2i64] [[0i64, 1i64, 0i64], [1i64, 2i64, 1i64], [2i64, 3i64, 2i64]] }
-- input { 30i64 0i64 } output { [0i64, 1i64, 2i64] [empty([0]i64), empty([0]i64), empty([0]i64)] }
entry keyed (n: i64) (m: i64): ([3]i64, [3][m]i64) =
  let op (i: i64, x: [m]i64) (j: i64, y: [m]i64) = if i < j then (i, reverse x) else (j, reverse y)
  let row i = tabulate m (\j -> i + j % 2)
  in unzip (reduce_by_index (replicate 3 (n, replicate m 0)) op (n, replicate m 0) (map (% 3) (iota n)) (map (\i -> (i, row i)) (iota n)))

-- Two updates at each point, one of them in a branch, by an operator that reads what other code has computed before. At i: (1, i) to bin i mod 2; at multiples of 5 (0, 1000) to bin 0, of which there are 6. Of 30
-- numbers 15 are even. The second component is the sum plus s (a + b - (a + b)) = 0 for the s that is read.
-- ==
-- entry: twice
-- input { 30i64 [1i64, 2i64] } output { [15i64, 15i64] [6210i64, 225i64] }
entry twice (n: i64) (ss: []i64): ([2]i64, [2]i64) =
  let s = i64.sum ss
  let op (a: i64, x: i64) (b: i64, y: i64) = let c = a + b in (c, x + y + s * c - s * a - s * b)
  let update (acc: *acc ([2](i64, i64))) i =
    let acc = write acc (i % 2) (1, i)
    in if i % 5 == 0 then write acc 0 (0, 1000) else acc
  in unzip (reduce_by_index_stream (replicate 2 (0, 0)) op (0, 0) update (iota n))

-- The same with an operator on single values that no atomic operation has: 2^15 and 2^15 3^6.
-- ==
-- entry: factors
-- input { 30i64 } output { [23887872i64, 32768i64] }
entry factors (n: i64): [2]i64 =
  let update (acc: *acc ([2]i64)) i =
    let acc = write acc (i % 2) 2
    in if i % 5 == 0 then write acc 0 3 else acc
  in reduce_by_index_stream (replicate 2 1) (*) 1 update (iota n)

-- Positions of two coordinates, some of them out of range: (i mod 3, i mod 2) of 2 by 2. The greatest i of those with i mod 3 < 2: i mod 6 is 0, 3, 4 or 1; below 30 these are 24, 27, 28 and 25.
-- ==
-- entry: planes
-- input { 30i64 } output { [[24i64, 27i64], [28i64, 25i64]] [[-24i64, -27i64], [-28i64, -25i64]] }
entry planes (n: i64): ([2][2]i64, [2][2]i64) =
  let op (x: i64, i: i64) (y: i64, j: i64) = if x > y then (x, i) else (y, j)
  let hist = reduce_by_index_2d (replicate 2 (replicate 2 (-1, 1))) op (-1, 1) (map (\i -> (i % 3, i % 2)) (iota n)) (map (\i -> (i, -i)) (iota n))
  in unzip (map unzip hist)
