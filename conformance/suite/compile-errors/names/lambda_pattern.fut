-- A lambda binds a name once.
-- ==
-- error: The name "x" is bound twice in one pattern
entry main (xs: []i32) : []i32 = map (\(x, x) -> x) (zip xs xs)
