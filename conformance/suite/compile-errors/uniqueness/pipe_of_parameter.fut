-- What a pipe gives may be what was piped.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : []i32 = (xs |> id) with [0] = 1
