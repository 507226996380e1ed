-- Sizes at each point of a map.

-- An array of k + 1 rows and k columns has the sizes that are said: the number of the rows, and that of the columns.
-- ==
-- entry: coerced
-- input { [2i64, 3i64] [3i64, 4i64] [2i64, 3i64] } output { [2, 6] }
-- input { [2i64, 3i64] [3i64, 4i64] [2i64, 4i64] } error: cannot match shape
-- input { [2i64, 3i64] [3i64, 5i64] [2i64, 3i64] } error: cannot match shape
entry coerced (ks: []i64) (ns: []i64) (ms: []i64): []i32 =
  map3 (\k n m ->
          let xss = map (\i -> map (\j -> i32.i64 (i * j)) (iota k)) (iota (k + 1))
          let yss = xss :> [n][m]i32
          in if n > 0 && m > 0 then yss[n - 1, m - 1] else 7) ks ns ms

-- There is no array of 0 rows and less than no columns, and none of 7 rows of 7905747460161236407 elements: three times 2^64, and 1, wraps to 1, as many as there are.
-- ==
-- entry: shaped
-- input { [1i64, 0i64, 0i64] [1i64, 0i64, 3i64] [1i64, 3i64, 0i64] } output { [1, 7, 7] }
-- input { [0i64, 0i64] [0i64, 0i64] [3i64, -2i64] } error: size of array is negative
-- input { [8i64, 8i64] [2i64, 9223372036854775804i64] [4i64, -2i64] } error: size of array is negative
-- input { [1i64, 1i64] [1i64, 7i64] [1i64, 7905747460161236407i64] } error: can be counted
entry shaped (ks: []i64) (ns: []i64) (ms: []i64): []i32 =
  map3 (\k n m ->
          let xss = unflatten (iota k :> [n * m]i64)
          in if k == 0 then 7 else i32.i64 xss[0, 0] + 1) ks ns ms
