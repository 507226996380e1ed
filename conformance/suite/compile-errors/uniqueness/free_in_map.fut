-- Each element would consume the same array.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: *[]i32) : []i32 = map (\i -> (xs with [i] = 1)[0]) [0, 1]
