-- The pattern of the elements of an array fits all of them. 0.25.32 rejects it too.
-- ==
-- error: Refutable pattern
entry main (x: i32) : i32 = loop a = 0 for (1, b) in [(1i32, x), (2, x)] do a + b
