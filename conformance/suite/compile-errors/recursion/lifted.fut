-- A parameter that may be a function is passed unchanged (language reference, "Recursive functions"; 0.25.32 knows no recursion).
-- ==
-- error: E0502
def go '^a (x: a) (f: a -> a) (n: i64): i64 = if n == 0 then 0 else go (f x) f (n - 1)
entry main (n: i64) = go 1i64 (+ 1) n
