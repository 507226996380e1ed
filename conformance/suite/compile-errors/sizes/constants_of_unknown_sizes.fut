-- The sizes of two constants are two, though both are 2 here. 0.25.32 rejects it too.
-- ==
-- error: E0401
def v = filter (> 3i32) [1, 2, 5, 6]
def w = filter (< 3i32) [1, 2, 5, 6]
entry main = map2 (+) v w
