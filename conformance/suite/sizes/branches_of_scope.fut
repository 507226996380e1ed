-- `a` has the size `n` in both branches, as `n` is known outside of them; only `b` has an unknown size. Rows: [1, 2, 3] and [3, 3, 3]; of [1, -2] one is
-- greater than 0. 0.25.32 accepts it.
-- ==
-- input { true [1, -2] } output { [1, 1, 1] [3, 3, 3] 1i64 }
entry main (c: bool) (xs: []i32) =
  let n = 3i64
  let (a, b) = if c then (replicate n 1i32, filter (> 0) xs) else (replicate n 2, xs)
  in (unzip (zip a (replicate n 3i32)), length b)
