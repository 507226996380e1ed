-- Each call of the function would consume the one array that it holds. (0.25.32 accepts this.)
-- ==
-- error: contains consumption, which is not allowed
def h (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i
def mk (n: i64) = let ys = replicate n 0 in h ys
entry main (n: i64) : i32 = (mk n 1)[0]
