-- An array without elements backwards, and slices without elements at either end (0.25.32).
-- ==
-- entry: backwards
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [1, 2] } output { [2, 1] }
entry backwards (xs: []i32) : []i32 = xs[::-1]
