-- A case has a body.
-- ==
-- error: Unexpected `case`
entry main (x: i32) : i32 = match x case 0 case _ -> 1
