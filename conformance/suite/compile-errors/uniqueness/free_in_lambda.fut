-- A function that consumes what is outside of it could do so twice.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: *[]i32) : []i32 = let f = \(i: i64) -> xs with [i] = 1 in f 0
