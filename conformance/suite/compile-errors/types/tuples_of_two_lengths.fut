-- Tuples have no names to tell, and a note does not say the two types again. 0.25.32 rejects it too.
-- ==
-- error: Actual: +\(i32, i32, i32\)[^"]*$
def f (p: (i32, i32)) = p.0
entry main (x: i32) = f (x, x, x)
