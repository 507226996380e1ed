-- A pattern binds a name once.
-- ==
-- error: The name "x" is bound twice in one pattern
entry main (p: (i32, i32)) : i32 = let (x, x) = p in x
