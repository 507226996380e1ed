-- Cases have one type.
-- ==
-- error: The branches of a "match" must have one type
entry main (x: i32) : i32 = match x case 0 -> 1 case _ -> true
