-- `&&` is of truth values.
-- ==
-- error: The operands of "&&" must be truth values\..*Expected: bool.*Actual: +i32
entry main (x: i32) : bool = x && true
