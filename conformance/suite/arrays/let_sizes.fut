-- Sizes that a pattern names (reference: `let [n] p = e`). By hand: three elements are positive, two are not.
-- ==
-- input { [1, -2, 3, 4, -5] } output { 3i64 2i64 [0i64, 1i64, 2i64] }

-- ==
-- input { empty([0]i32) } output { 0i64 0i64 empty([0]i64) }
entry main (xs: []i32) : (i64, i64, []i64) =
  let [n] [m] (_: ([n]i32, [m]i32)) = partition (> 0) xs
  in (n, m, iota n)
