-- Each call of the function would consume the one array that it holds, which has no other name. (0.25.32 accepts this.)
-- ==
-- error: contains consumption, which is not allowed
def h (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i
entry main (n: i64) : i32 = let g = h (replicate n 0) in (g 0)[0] + (g 1)[0]
