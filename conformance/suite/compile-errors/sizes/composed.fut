-- What a function that gives arrays of unknown sizes is composed with would have to take arrays of any size. 0.25.32 rejects it too.
-- ==
-- error: Cannot apply "after" to "iota".*Existential size would appear in a parameter
def after '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
entry main (n: i64) : i64 = after iota length n
