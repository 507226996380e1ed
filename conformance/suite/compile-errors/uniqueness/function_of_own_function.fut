-- A function that is consumed holds an array of its maker. (0.25.32 accepts this.)
-- ==
-- error: contains consumption, which is not allowed
def c '^a (_: *a) (i: i32) : i32 = i
def mk (n: i64) = let xs = replicate n 0i32 in c (\(i: i64) -> xs[i])
entry main (n: i64) : i32 = let g = mk n in g 1 + g 2
