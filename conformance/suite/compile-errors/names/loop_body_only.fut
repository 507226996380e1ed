-- A name that a loop binds is not known after it.
-- ==
-- error: Unknown name "i"
entry main (x: i32) : i32 = let y = loop y = x for i < 3 do y + i in y + i
