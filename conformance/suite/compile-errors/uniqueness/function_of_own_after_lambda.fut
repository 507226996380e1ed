-- A function that holds an array of its maker, given to another after a local one was made. (0.25.32 accepts this.)
-- ==
-- error: contains consumption, which is not allowed
def h (i: i32) (xs: *[]i32) (d: i32) : []i32 = xs with [0] = i + d
def mk (n: i64) = let ys = replicate n 0 let k = \(i: i32) -> i + 1 in h (k 0) ys
entry main (n: i64) : i32 = (mk n 1)[0]
