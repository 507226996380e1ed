-- No type contains itself.
-- ==
-- error: Occurs check
entry main (x: i32) : i32 = let f = \g -> g g in x
