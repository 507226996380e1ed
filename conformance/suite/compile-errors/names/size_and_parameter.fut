-- A size parameter and a parameter. 0.25.32 rejects it too.
-- ==
-- error: E0204
def f [n] (n: [n]i64) = n
entry main (xs: []i64) = f xs
