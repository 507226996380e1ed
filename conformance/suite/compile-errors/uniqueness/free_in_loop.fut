-- Each turn would consume the array of outside.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: *[]i32) : []i32 = loop ys = [0] for i < 2 do copy (xs with [0] = i)
