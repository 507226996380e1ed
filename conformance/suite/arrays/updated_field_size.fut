-- A field may be replaced by an array of another size: the record has it in its type then. By hand; the same in 0.25.32.
-- ==
-- entry: main
-- input { [1, 2] [3, 4, 5] } output { [3, 4, 5] 3i64 }
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : ([m]i32, i64) =
  let r = {a = xs, b = 1i32}
  let s = r with a = ys
  in (s.a, length s.a)
