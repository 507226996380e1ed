-- A turn gives the type that it is given.
-- ==
-- error: The body of the loop does not have the type of its pattern\..*Expected: i32.*Actual: +bool
entry main (x: i32) : i32 = loop y = x for i < 3 do y == 1
