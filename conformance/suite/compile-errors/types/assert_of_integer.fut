-- An assertion is a truth value.
-- ==
-- error: What is asserted must be a truth value\..*Expected: bool.*Actual: +i32
entry main (x: i32) : i32 = assert x x
