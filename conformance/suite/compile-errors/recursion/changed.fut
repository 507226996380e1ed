-- A functional argument that changes from call to call (language reference, "Recursive functions").
-- ==
-- error: E0502
def go (f: i64 -> i64) (n: i64): i64 = if n == 0 then f 1 else go (\x -> f (x + 1)) (n - 1)
entry main (n: i64) = go (+ 1) n
