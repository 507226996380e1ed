-- A function at the top level would consume one array at each call. (0.25.32 accepts this.)
-- ==
-- error: contains consumption, which is not allowed
def h (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i
def g = h (replicate 3 0)
entry main (i: i32) : i32 = (g i)[0]
