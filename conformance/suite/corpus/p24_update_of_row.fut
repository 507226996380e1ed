-- Digest 004, P24 as it stands there: what a function consumes must be its own.
-- ==
-- error: consume "a", which is not consumable
entry main [n][m] (as: *[n][m]i32) : [n][m]i32 = map (\a -> a with [0] = 2) as
