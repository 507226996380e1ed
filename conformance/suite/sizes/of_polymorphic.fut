-- A size that calls a function with type parameters, of arrays of several types (0.25.32 accepts it; by hand).
def count [n] 'a (_: [n]a) : i64 = n
def numbered 'a [n] (xs: [n]a) : [count xs]i64 = tabulate (count xs) (\i -> 2 * i)
def longer 'a [n] (xs: [n]a) : [count xs + 1]i64 = tabulate (count xs + 1) (\i -> i)
-- ==
-- entry: lengths
-- input { [5, 6, 7] [true] } output { 3i64 1i64 4i64 2i64 }
-- input { empty([0]i32) empty([0]bool) } output { 0i64 0i64 1i64 1i64 }
entry lengths [n] [m] (xs: [n]i32) (ys: [m]bool) : (i64, i64, i64, i64) =
  (length (numbered xs), length (numbered ys), length (longer xs), length (longer ys))

-- ==
-- entry: numbers
-- input { [5, 6, 7] [true] } output { [0i64, 2i64, 4i64] [0i64, 1i64] }
entry numbers [n] [m] (xs: [n]i32) (ys: [m]bool) = (numbered xs, longer ys)
