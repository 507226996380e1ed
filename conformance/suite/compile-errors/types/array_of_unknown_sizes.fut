-- Nor the type of the elements of an array. 0.25.32 rejects it too.
-- ==
-- error: E040[0-9]
type~ arr = [2]i32
type rows = [3]arr
entry main (x: i32) = x
