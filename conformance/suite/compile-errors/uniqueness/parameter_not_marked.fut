-- A parameter without a star is not the function's own.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : []i32 = xs with [0] = 1
