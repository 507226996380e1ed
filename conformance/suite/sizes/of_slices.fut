-- Sizes of slices, and of several dimensions in their order. By hand; the same in 0.25.32.

-- ==
-- entry: known
-- input { [1, 2, 3, 4, 5] } output { [1, 2, 3] [2, 3] [1, 2, 3, 4] [5, 4, 3, 2, 1] }
-- input { [1, 2, 3] } error: .*
entry known [n] (xs: [n]i32) : ([3]i32, [3 - 1]i32, [4]i32, [n]i32) = (xs[0:3], xs[1:3], xs[:4:1], xs[::-1])

-- ==
-- entry: dimensions
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]] } output { [[1, 2, 3], [5, 6, 7]] [[6, 7], [10, 11]] }
entry dimensions (xs: [][]i32) : ([2][3]i32, [][]i32) = (xs[0:2, 0:3], xs[1:, 1:3])

-- A slice of rows is replaced by as many elements as it has; that is checked when the program runs.
-- ==
-- entry: replaced
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8] } output { [[1, 2, 3], [7, 8, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8, 9] } error: .*
entry replaced [n] (xss: *[][]i32) (ys: [n]i32) = xss with [1, 0:2] = ys
