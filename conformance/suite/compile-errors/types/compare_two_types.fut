-- What is compared is of one type.
-- ==
-- error: Cannot apply "<" to "y" \(invalid type\)\..*Expected: i32.*Actual: +u32
entry main (x: i32) (y: u32) : bool = x < y
