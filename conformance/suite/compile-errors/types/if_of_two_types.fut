-- Branches have one type.
-- ==
-- error: The branches of a "if" must have one type\..*Expected: i32.*Actual: +f32
entry main (c: bool) (x: i32) (y: f32) : f32 = if c then x else y
