-- A function that keeps the type of an array keeps its size. 0.25.32 rejects it too.
-- ==
-- error: Occurs check
def again 'a (f: a -> a) (x: a) = f (f x)
entry main [n] (xs: [n]i64) = again (\ys -> ys ++ [n]) xs
