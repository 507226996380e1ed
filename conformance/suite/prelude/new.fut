-- `iota`, `indices`, `replicate`, `rep`, `tabulate` of one to three dimensions, `copy`, `manifest`. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: counts
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
-- input { 0i64 }
-- output { empty([0]i64) empty([0]i64) }
-- input { -1i64 }
-- error: Range 0\.\.1\.\.<-1 is invalid\.
entry counts (n: i64) : ([n]i64, []i64) = (iota n, indices (iota n))

-- ==
-- entry: copies
-- input { 2i64 [1, 2] }
-- output { [[1, 2], [1, 2]] [true, true] }
-- input { 0i64 [1, 2] }
-- output { empty([0][2]i32) empty([0]bool) }
-- input { 2i64 empty([0]i32) }
-- output { empty([2][0]i32) [true, true] }
-- input { -3i64 [1] }
-- error: Range 0\.\.1\.\.<-3 is invalid\.
entry copies [m] (n: i64) (xs: [m]i32) : ([n][m]i32, [n]bool) = (replicate n xs, replicate n true)

-- ==
-- entry: as_asked
-- input { 2i64 }
-- output { [7u8, 7u8] [1.5f32, 1.5f32, 1.5f32] }
-- input { -2i64 }
-- error: Range 0\.\.1\.\.<-2 is invalid\.
entry as_asked (n: i64) : ([n]u8, [3]f32) = (rep 7, rep 1.5)

-- ==
-- entry: functions
-- input { 3i64 }
-- output { [0i64, 1i64, 4i64] [[0i64, 1i64], [10i64, 11i64], [20i64, 21i64]] [[[0i64, 1i64], [10i64, 11i64]], [[100i64, 101i64], [110i64, 111i64]], [[200i64, 201i64], [210i64, 211i64]]] }
-- input { 0i64 }
-- output { empty([0]i64) empty([0][2]i64) empty([0][2][2]i64) }
entry functions (n: i64) : ([n]i64, [n][2]i64, [n][2][2]i64) =
  (tabulate n (\i -> i * i), tabulate_2d n 2 (\i j -> 10 * i + j), tabulate_3d n 2 2 (\i j k -> 100 * i + 10 * j + k))

-- ==
-- entry: negative
-- input { -1i64 }
-- error: Range 0\.\.1\.\.<-1 is invalid\.
entry negative (n: i64) : [n]i64 = tabulate n id

-- ==
-- entry: negative_in_two
-- input { 2i64 -1i64 }
-- error: Range 0\.\.1\.\.<-1 is invalid\.
-- input { -1i64 2i64 }
-- error: Range 0\.\.1\.\.<-1 is invalid\.
entry negative_in_two (n: i64) (m: i64) : [n][m]i64 = tabulate_2d n m (+)

-- ==
-- entry: pairs
-- input { 2i64 }
-- output { [0i64, 1i64] [false, true] }
entry pairs (n: i64) : ([n]i64, [n]bool) = unzip (tabulate n (\i -> (i, i > 0)))

-- ==
-- entry: same
-- input { [[1, 2], [3, 4]] 5 }
-- output { [[1, 2], [3, 4]] [[1, 3], [2, 4]] 5 5 [1, 3] }
entry same [n][m] (xs: [n][m]i32) (x: i32) : ([n][m]i32, [m][n]i32, i32, i32, [n]i32) =
  (copy xs, manifest (transpose xs), copy x, manifest x, manifest (map head xs))
