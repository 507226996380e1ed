-- A parameter fits all values. 0.25.32 rejects it too.
-- ==
-- error: Refutable
def only (0, x) = x + 1i64
entry main (n: i64) = only (0, n)
