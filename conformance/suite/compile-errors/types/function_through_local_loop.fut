-- The same of a local function, which is not polymorphic. 0.25.32 rejects it too.
-- ==
-- error: E0307.*Cannot apply "f" to
entry main (x: i32) = let f = \y -> loop z = y for _i < 3 do z in (f (\(a: i32) -> a + x)) 3
