-- ==
-- error: m
entry main (y: i32): i32 = m.f y
