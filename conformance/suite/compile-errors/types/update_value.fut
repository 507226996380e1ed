-- A new element has the type of the old one.
-- ==
-- error: The new value must have the type of the part that it replaces\..*Expected: i32.*Actual: +bool
entry main (xs: *[]i32) : []i32 = xs with [0] = true
