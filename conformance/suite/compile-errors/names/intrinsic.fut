-- An intrinsic that is not there.
-- ==
-- error: Unknown name "intrinsics\.teleport"
entry main (x: i32) : i32 = intrinsics.teleport x
