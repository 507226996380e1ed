-- Nobody knows how many elements a filter leaves.
-- ==
-- error: Function body does not have the declared type
entry main [n] (xs: [n]i32) : [n]i32 = filter (> 0) xs
