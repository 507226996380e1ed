-- A type is no expression.
-- ==
-- error: Unknown name "i32"
entry main (x: i32) : i32 = i32 x []i32
