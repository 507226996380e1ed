-- What comes back for a consumed parameter is consumed too.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) : i32 = let (a, b) = (loop (a, b) = (copy xs, xs) for i < 10 do let a[0] = 1 in (b, a)) in a[0] + b[0]
