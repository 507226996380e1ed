-- ==
-- error: Unknown type .*t
entry main (y: t): i32 = 1
