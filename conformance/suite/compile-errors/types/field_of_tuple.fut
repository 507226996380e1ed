-- A pair has the fields 0 and 1.
-- ==
-- error: field "2"
entry main (p: (i32, i32)) : i32 = p.2
