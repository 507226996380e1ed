-- A predicate gives truth values.
-- ==
-- error: Cannot apply "filter" to "\(\+ 1\)" \(invalid type\)
entry main (xs: []i32) : []i32 = filter (+ 1) xs
