-- 300 is no i8.
-- ==
-- error: This number does not fit in i8
entry main (x: i8) : i8 = x + 300
