-- Updates at the end of a path through arrays and records (reference: `with`, `let x[i] = y`); positions in a slice count from its start. By hand.
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [9, 4]] }

-- ==
-- entry: fields
-- input { } output { [[1, 7], [3, 4]] [true, false] }

-- ==
-- entry: slices
-- input { [1, 2, 3, 4] } output { [1, 2, 8, 4] }
-- input { [1, 2] } error: out of bounds

-- ==
-- entry: order
-- input { [5, 6] } output { [5, 6] }

-- ==
-- entry: consuming
-- input { [1i64, 0i64] [5i64, 6i64] } output { [1i64, 6i64] }
entry rows (xss: *[][]i32) : [][]i32 =
  let xss[1][0] = 9
  in xss

entry fields : ([2][2]i32, [2]bool) =
  let records = [{a = [1, 2], b = true}, {a = [3, 4], b = true}]
  let records[0].a[1] = 7
  let records[1].b = false
  in (map (.a) records, map (.b) records)

entry slices (xs: *[]i32) : []i32 = xs with [1:3][1] = 8

-- The value is evaluated before what it becomes a part of (0.25.32), so that it may read it.
entry order (xs: *[]i32) : []i32 = (xs with [1] = xs[0]) with [1] = xs[1]

-- Its indices are evaluated before the value, which may consume what they read.
def first (xs: *[]i64) : i64 = xs[0]

entry consuming (xs: *[]i64) (ys: *[]i64) : []i64 = ys with [xs[1]] = first xs
