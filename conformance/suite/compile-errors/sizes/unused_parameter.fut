-- A size parameter that is not in the type can never be known. 0.25.32 rejects it too.
-- ==
-- error: E0403
def f [n] (x: i32) = n
entry main (x: i32) = f x
