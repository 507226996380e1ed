-- reduce_by_index consumes.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : []i32 = reduce_by_index xs (+) 0 [0] [1]
