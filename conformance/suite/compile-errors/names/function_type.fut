-- In the type of a function. 0.25.32 rejects it too.
-- ==
-- error: E0204
def f (g: (n: i64) -> (n: i64) -> [n]i32) = g 1 2
entry main (x: i32) = f (\_ n -> replicate n x)
