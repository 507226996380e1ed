-- 70000 is no i16. (0.25.32 accepts this.)
-- ==
-- error: This number does not fit in i16
entry main (x: i16) : i16 = x + 70000i16
