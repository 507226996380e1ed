-- 2 is no binary digit.
-- ==
-- error: Malformed number: `2` is not a type of integers
entry main (x: i32) : i32 = x + 0b12
