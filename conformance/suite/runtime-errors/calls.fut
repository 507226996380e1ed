-- A failure names the statement and the calls that led to it, innermost first.
-- ==
-- entry: outer
-- input { [1, 2] 1i64 } output { 2 }
-- input { [1, 2] 2i64 } error: calls.fut:9:49-53(.|\n)*calls.fut:10:48-54(.|\n)*calls.fut:13:3-14

-- the first call is of a function that is not inlined

#[noinline] def at (xs: []i32) (i: i64) : i32 = xs[i]
def twice (xs: []i32) (i: i64) : (i32, i32) = (at xs i, 1)

entry outer (xs: []i32) (i: i64) : i32 =
  (twice xs i).0
