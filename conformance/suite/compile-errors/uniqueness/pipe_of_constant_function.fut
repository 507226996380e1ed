-- What a function in a row of pipes refers to may be the result.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : []i32 = (0i64 |> (\(_: i64) -> xs) |> id) with [0] = 1
