-- A loop goes over an array.
-- ==
-- error: What a loop goes over must be an array
entry main (x: i32) : i32 = loop y = 0 for z in x do y + z
