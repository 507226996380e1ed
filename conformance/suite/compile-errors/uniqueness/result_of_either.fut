-- A result that is one of two arrays, one of them the caller's.
-- ==
-- error: Would consume "xs", which is not consumable
def f (c: bool) (xs: []i32) = let ys = copy xs in if c then ys else xs
entry main (c: bool) (xs: []i32) : []i32 = (f c xs) with [0] = 1
