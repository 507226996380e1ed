-- The rows of an array have one size.
-- ==
-- error: The elements of an array must have one type\..*Expected: \[2\]i32.*Actual: +\[1\]i32
entry main (x: i32) : [][]i32 = [[x, 1], [x]]
