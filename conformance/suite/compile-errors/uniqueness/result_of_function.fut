-- A function without a star in its result may give what it was given.
-- ==
-- error: Would consume "xs", which is not consumable
def f (xs: []i32) : []i32 = xs
entry main (xs: []i32) : []i32 = (f xs) with [0] = 1
