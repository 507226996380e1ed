-- -129 is no i8 as a pattern. (0.25.32 accepts this.)
-- ==
-- error: This number does not fit in i8
entry main (x: i8) : i8 = match x case -129 -> 1 case _ -> 2
