-- A branch that returns a pair has no function in it, even if nothing else is known. 0.25.32 rejects it too.
-- ==
-- error: E0307.*Cannot apply "f" to
def f c x y = if c then (x, 1i32) else (y, 2i32)
entry main (x: i32) = (f true (\a -> a + x) (\a -> a)).1
