-- Nor does a function return it. 0.25.32 rejects it too.
-- ==
-- error: E0607.*none
def none = []
def fewest (n: i64): []i64 = if n > 1 then [n] else none
entry main (n: i64) = fewest n
