-- The message names the size parameter and the first of the unknown sizes. 0.25.32 rejects it too.
-- ==
-- error: \[n\] is a parameter of "v", and "d1" unknown
def v [n] : ([n]i32, []i32, []i64) = (replicate n 1, filter (> 1) [1, 2], filter (< 1) [0i64])
entry main (x: i32) = x
