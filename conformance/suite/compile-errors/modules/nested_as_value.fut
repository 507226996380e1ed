-- A module within a module is no value. 0.25.32 rejects it too.
-- ==
-- error: Unknown name "m\.n"
module m = { module n = { def x = 1i32 } }
entry main (x: i32) : i32 = m.n + x
