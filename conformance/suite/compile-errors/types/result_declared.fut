-- The body has the declared type.
-- ==
-- error: Function body does not have the declared type\..*Expected: f32.*Actual: +i32
entry main (x: i32) : f32 = x
