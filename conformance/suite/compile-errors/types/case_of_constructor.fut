-- A number has no constructors.
-- ==
-- error: constructor \"#a\"
entry main (x: i32) : i32 = match x case #a -> 1 case _ -> 2
