-- An operator has two operands.
-- ==
-- error: Unexpected `\*`
entry main (x: i32) : i32 = * x
