-- Two parameters of one name. 0.25.32 rejects it too.
-- ==
-- error: E0204
def f (x: i32) (x: i32) = x
entry main (x: i32) = f x x
