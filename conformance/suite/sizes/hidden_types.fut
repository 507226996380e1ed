-- A size that is computed from arrays of a type parameter is known at each type that the parameter stands for. By hand; the same in 0.25.32.
def count [n] 'a (_: [n]a) : i64 = n
def numbered 'a [n] (xs: [n]a) : [count xs]i64 = tabulate (count xs) (\i -> 2 * i)
def numbered_more 'a [n] (xs: [n]a) : [count xs + 1]i64 = tabulate (count xs + 1) (\i -> 3 * i)
-- ==
-- entry: main
-- input { [1, 2] [true, false, true] } output { [0i64, 2i64] [0i64, 2i64, 4i64] [0i64, 3i64, 6i64] [0i64, 3i64, 6i64, 9i64] }
entry main [n][m] (xs: [n]i32) (ys: [m]bool) : ([]i64, []i64, []i64, []i64) =
  (numbered xs, numbered ys, numbered_more (zip xs xs), numbered_more ys)
