-- A value with a size parameter has no unknown sizes. 0.25.32 rejects it too.
-- ==
-- error: E0405
def both [n] = (iota n, filter (> 3) (iota n))
entry main = (both.0 : [4]i64)
