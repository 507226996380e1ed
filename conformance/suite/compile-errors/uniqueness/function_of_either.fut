-- Each call of the function would consume the one array that it holds, which may be its maker's own. (0.25.32 accepts this.)
-- ==
-- error: contains consumption, which is not allowed
def h (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i
def mk (c: bool) (n: i64) (xs: *[n]i32) = let ys = replicate n 0 in h (if c then xs else ys)
entry main (c: bool) (n: i64) (xs: *[n]i32) : i32 = (mk c n (copy xs) 1)[0]
