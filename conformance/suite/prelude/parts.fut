-- `head`, `last`, `tail`, `init`, `take`, `drop`, `split`, `sized`, `length`, `null`. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: ends
-- input { [1, 2, 3] }
-- output { 1 3 [2, 3] [1, 2] 3i64 false }
-- input { [1] }
-- output { 1 1 empty([0]i32) empty([0]i32) 1i64 false }
entry ends [n] (xs: [n]i32) : (i32, i32, []i32, []i32, i64, bool) =
  (head xs, last xs, tail xs, init xs, length xs, null xs)

-- ==
-- entry: nothing
-- input { empty([0]i32) }
-- output { 0i64 true }
entry nothing [n] (xs: [n]i32) : (i64, bool) = (length xs, null xs)

-- ==
-- entry: first
-- input { empty([0]i32) }
-- error: Index \[0\] out of bounds for array of shape \[0\]\.
entry first [n] (xs: [n]i32) : i32 = head xs
-- ==
-- entry: final
-- input { empty([0]i32) }
-- error: Index \[-1\] out of bounds for array of shape \[0\]\.
entry final [n] (xs: [n]i32) : i32 = last xs
-- ==
-- entry: but_first
-- input { empty([0]i32) }
-- error: Index \[1:.* out of bounds for array of shape \[0\]\.
entry but_first [n] (xs: [n]i32) : []i32 = tail xs
-- ==
-- entry: but_last
-- input { empty([0]i32) }
-- error: Index \[0:-1\] out of bounds for array of shape \[0\]\.
entry but_last [n] (xs: [n]i32) : []i32 = init xs

-- ==
-- entry: takes
-- input { 2i64 [1, 2, 3] }
-- output { [1, 2] }
-- input { 0i64 [1, 2, 3] }
-- output { empty([0]i32) }
-- input { 3i64 [1, 2, 3] }
-- output { [1, 2, 3] }
-- input { 4i64 [1, 2, 3] }
-- error: Index \[0:4\] out of bounds for array of shape \[3\]\.
-- input { -1i64 [1, 2, 3] }
-- error: Index \[0:-1\] out of bounds for array of shape \[3\]\.
-- input { 0i64 empty([0]i32) }
-- output { empty([0]i32) }
-- input { 9223372036854775807i64 [1, 2, 3] }
-- error: Index \[0:9223372036854775807\] out of bounds for array of shape \[3\]\.
entry takes [n] (i: i64) (xs: [n]i32) : [i]i32 = take i xs

-- ==
-- entry: drops
-- input { 2i64 [1, 2, 3] }
-- output { [3] }
-- input { 0i64 [1, 2, 3] }
-- output { [1, 2, 3] }
-- input { 3i64 [1, 2, 3] }
-- output { empty([0]i32) }
-- input { 4i64 [1, 2, 3] }
-- error: Index \[4:.* out of bounds for array of shape \[3\]\.
-- input { -1i64 [1, 2, 3] }
-- error: Index \[-1:.* out of bounds for array of shape \[3\]\.
-- input { 0i64 empty([0]i32) }
-- output { empty([0]i32) }
-- input { -9223372036854775808i64 [1, 2, 3] }
-- error: Index \[-9223372036854775808:.* out of bounds for array of shape \[3\]\.
entry drops [n] (i: i64) (xs: [n]i32) : []i32 = drop i xs

-- ==
-- entry: of_rows
-- input { [[1, 2], [3, 4], [5, 6]] [1.0, 2.0, 3.0] }
-- output { [5, 6] [[3, 4]] [[1, 2], [3, 4]] [2.0] }
entry of_rows [n] (xs: [n][2]i32) (ys: [n]f64) : ([2]i32, [][2]i32, [][2]i32, []f64) =
  let (a, b) = unzip (take 1 (drop 1 (zip xs ys)))
  in (last xs, a, map (take 2) (init xs), b)

-- ==
-- entry: splits
-- input { [1, 2, 3] }
-- output { [1, 2] [3] }
-- input { [1, 2] }
-- output { [1, 2] empty([0]i32) }
entry splits (xs: []i32) : ([2]i32, []i32) =
  let k = length xs - 2
  let (a, b) = split (xs :> [2 + k]i32)
  in (a, b)

-- ==
-- entry: sizes
-- input { 3i64 [1, 2, 3] }
-- output { [1, 2, 3] }
-- input { 2i64 [1, 2, 3] }
-- error: of shape .*\[3\].* cannot match shape of type
-- input { -3i64 [1, 2, 3] }
-- error: of shape .*\[3\].* cannot match shape of type
entry sizes [m] (n: i64) (xs: [m]i32) : [n]i32 = sized n xs

-- A part of what is updated later is not.
-- ==
-- entry: views
-- input { [1, 2, 3, 4] }
-- output { [2, 3] [1, 0, 0, 4] }
entry views [n] (xs: [n]i32) : ([]i32, [n]i32) =
  let part = take 2 (drop 1 xs)
  let others = scatter (copy xs) [1, 2] [0, 0]
  in (part, others)
