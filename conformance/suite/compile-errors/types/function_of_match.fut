-- A case returns no function, even if nothing else is known. 0.25.32 rejects it too.
-- ==
-- error: E0307.*Cannot apply "f" to
def f c x y = match c case true -> x case false -> y
entry main (x: i32) = (f true (\a -> a + x) (\a -> a)) 3
