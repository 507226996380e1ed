-- The elements of an array have one type.
-- ==
-- error: The elements of an array must have one type\..*Expected: i32.*Actual: +bool
entry main (x: i32) : []i32 = [x, true]
