-- A section is a function.
-- ==
-- error: Cannot apply "\+" to "\(\+ 1\)" \(invalid type\)
entry main (x: i32) : i32 = x + (+ 1)
