-- An operator that nobody defined.
-- ==
-- error: Unknown name "\+\+\+"
entry main (x: i32) : i32 = x +++ x
