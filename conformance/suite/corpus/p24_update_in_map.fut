-- Digest 004, appendix B, P24: each row of an array is updated. A function of `map` may not consume what it is given, so that rows are copied first.
-- ==
-- input { [[1, 1], [5, 6]] } output { [[2, 1], [2, 6]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- input { empty([2][0]i32) } error: out of bounds
entry main [n][m] (as: [n][m]i32) : [n][m]i32 = map (\a -> copy a with [0] = 2) as
