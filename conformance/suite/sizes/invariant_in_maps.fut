-- A size that is the same for all elements of a map, and is none: where there are elements that is an error, also of what a backend computes for all of them at once.

-- ==
-- entry: sums
-- input { 2i64 [1i64, 2i64] } output { [3i64, 5i64] }
-- input { 0i64 [1i64, 2i64] } output { [0i64, 0i64] }
-- input { -1i64 [1i64, 2i64] } error: Range 0..1..<-1 is invalid
-- input { -1i64 empty([0]i64) } output { empty([0]i64) }
entry sums (a: i64) (xs: []i64) = map (\x -> i64.sum (map (+ x) (iota a))) xs

-- ==
-- entry: table
-- input { 2i64 2i64 } output { [[0i64, 1i64], [1i64, 2i64]] }
-- input { 2i64 -1i64 } error: negative: -1|Range 0..1..<-1 is invalid
entry table (a: i64) (b: i64) = tabulate a (\i -> tabulate b (\j -> i + j))

-- The shape of the result has the size, whether there are elements or not.
-- ==
-- entry: rows
-- input { 2i64 [7i64] } output { [[0i64, 1i64]] }
-- input { -1i64 [7i64] } error: negative: -1|Range 0..1..<-1 is invalid
-- input { -1i64 empty([0]i64) } error: negative: -1
entry rows (a: i64) (xs: []i64) = map (\_ -> iota a) xs

-- Three deep, and with a reduction inside.
-- ==
-- entry: deep
-- input { 2i64 3i64 [1i64, 2i64] } output { 15i64 }
-- input { 2i64 -3i64 [1i64, 2i64] } error: Range 0..1..<-3 is invalid
-- input { 0i64 -3i64 [1i64, 2i64] } output { 0i64 }
entry deep (a: i64) (b: i64) (xs: []i64) =
  i64.sum (map (\x -> i64.sum (map (\i -> i64.sum (map (\j -> (x + i * j) % 3) (iota b))) (iota a))) xs)
