-- `&` is of operands of one type.
-- ==
-- error: Cannot apply "&" to "y" \(invalid type\)\..*Expected: i32.*Actual: +bool
entry main (x: i32) (y: bool) : i32 = x & y
