-- Empty arrays must carry their full shape (references.md A1, sizes: Futhark #2316, #2273, #2258, #2222, #2219, #2209 are about sizes): no rows of three
-- columns have three columns, and a map over nothing has rows as long as its function's results. There is nothing to
-- differentiate here.
-- ==
-- entry: columns_of
-- input { 0i64 3i64 } output { 3i64 0i64 }
-- input { 2i64 0i64 } output { 0i64 2i64 }
def columns [n] [m] 't (_: [n][m]t): i64 = m

entry columns_of (n: i64) (m: i64): (i64, i64) =
  let a = replicate n (replicate m 0.0)
  in (columns a, columns (transpose a))

-- ==
-- entry: mapped
-- input { empty([0]i32) 4i64 } output { 4i64 empty([0][4]i32) }
-- input { [7] 2i64 }           output { 2i64 [[7, 7]] }
entry mapped [n] (xs: [n]i32) (m: i64): (i64, [n][m]i32) =
  let rows = map (\x -> replicate m x) xs
  in (columns rows, rows)
