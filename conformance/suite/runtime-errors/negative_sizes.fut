-- A size is not negative, and not so large that an array of it cannot be.

-- ==
-- entry: of_iota of_indices
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -1i64 } error: negative|invalid
-- input { -9223372036854775808i64 } error: negative|invalid
entry of_iota (n: i64) : []i64 = iota n
entry of_indices (n: i64) : []i64 = indices (replicate n 1i8)

-- ==
-- entry: of_tabulate
-- input { 2i64 } output { [0i64, 10i64] }
-- input { -2i64 } error: negative|invalid
entry of_tabulate (n: i64) : []i64 = tabulate n (* 10)

-- ==
-- entry: of_rows
-- input { 2i64 1i64 } output { [[7], [7]] }
-- input { 2i64 -1i64 } error: negative|invalid
-- input { -1i64 2i64 } error: negative|invalid
-- input { 0i64 2i64 } output { empty([0][2]i32) }
entry of_rows (n: i64) (m: i64) : [][]i32 = replicate n (replicate m 7)

-- ==
-- entry: of_histogram
-- input { 2i64 } output { [3, 0] }
-- input { -1i64 } error: negative|invalid
entry of_histogram (k: i64) : []i32 = hist (+) 0 k [0, 0] [1, 2]

-- ==
-- entry: in_branch
-- input { -1i64 } output { empty([0]i64) }
-- input { 1i64 } output { [0i64] }
entry in_branch (n: i64) : []i64 = if n < 0 then [] else iota n

-- Of elements that nobody looks at.
-- ==
-- entry: of_constants
-- input { 5i64 } output { [1, 1] }
-- input { 1i64 } error: negative|invalid
entry of_constants (k: i64) : []i32 = map (const 1) (iota (k - 3))

-- ==
-- entry: of_sums
-- input { 3i64 } output { 6i64 }
-- input { -1i64 } error: negative|invalid
entry of_sums (k: i64) : i64 = i64.sum (map (const 2) (iota k))

-- ==
-- entry: of_counts
-- input { 2i64 } output { [[3i64, 3i64], [4i64, 4i64]] }
-- input { -1i64 } error: negative|invalid
entry of_counts (k: i64) : [][]i64 = map (\x -> map (const x) (iota k)) [3, 4]
