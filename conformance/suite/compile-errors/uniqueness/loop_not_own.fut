-- What a loop begins with is updated in its turns: it must be its own.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : []i32 = loop ys = xs for i < 2 do ys with [0] = i
