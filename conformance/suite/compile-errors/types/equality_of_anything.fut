-- A function is not polymorphic in what it compares. 0.25.32 rejects it too.
-- ==
-- error: does not support equality
def differ x y = x != y
entry main (n: i64) = n
