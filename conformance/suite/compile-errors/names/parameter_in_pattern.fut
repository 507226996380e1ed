-- One of them in a pattern. 0.25.32 rejects it too.
-- ==
-- error: E0204
def f (x: i32) (y: i32, x: i32) = x + y
entry main (x: i32) = f x (x, x)
