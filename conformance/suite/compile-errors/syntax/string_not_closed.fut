-- A string ends on its line.
-- ==
-- error: This string has no closing quote
entry main (x: i32) : []u8 = "abc
