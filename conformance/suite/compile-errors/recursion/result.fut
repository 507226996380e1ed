-- The result of a recursive function has no functions (language reference, "Recursive functions"; 0.25.32 knows no recursion).
-- ==
-- error: not first-order
def go (n: i64): (i64, i64 -> i64) = if n == 0 then (n, \x -> x) else (n, \x -> (go (n - 1)).1 x)
entry main (n: i64) = (go n).0
