-- A condition is a truth value.
-- ==
-- error: A condition must be a truth value\..*Expected: bool.*Actual: +i32
entry main (x: i32) : i32 = loop y = x while y do y + 1
