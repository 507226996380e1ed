-- A function that consumes what it refers to is not kept.
-- ==
-- error: Let-bound expression of higher-order type i64 -> i32 contains consumption, which is not allowed
entry main (xs: *[]i32) : i32 = let f = (let ys = xs with [0] = 1 in \(i: i64) -> ys[i]) in f 0
