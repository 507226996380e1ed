-- Digest 004, appendix B, P11: positions out of range are left out.
-- ==
-- input { [0, 0, 0, 0, 0] [1i64, 3i64, -1i64, 9i64] [10, 20, 30, 40] } output { [0, 10, 0, 20, 0] }
-- input { [1, 2] empty([0]i64) empty([0]i32) } output { [1, 2] }
-- input { empty([0]i32) [0i64] [1] } output { empty([0]i32) }
-- input { [1, 2] [-9223372036854775808i64, 9223372036854775807i64] [3, 4] } output { [1, 2] }
entry main [k][n] (dest: *[k]i32) (is: [n]i64) (vs: [n]i32) : [k]i32 = scatter dest is vs
