-- The module of what is built in is no module to build on. 0.25.32 rejects it too.
-- ==
-- error: intrinsics
module mine = intrinsics
entry main (x: i32) = x
