-- A function that was given a part of its arguments holds them.
-- ==
-- error: Let-bound expression of higher-order type i64 -> \[n\]i32 contains consumption, which is not allowed
def f (xs: *[]i32) (i: i64) : []i32 = xs with [i] = 1
entry main (xs: *[]i32) : i32 = let g = f xs in (g 0)[0] + (g 1)[1]
