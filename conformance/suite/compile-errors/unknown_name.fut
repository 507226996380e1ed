-- ==
-- error: Unknown .*x
entry main (y: i32): i32 = x + y
