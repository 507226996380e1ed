-- scatter consumes: its array must be the function's own.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : []i32 = scatter xs [0] [1]
