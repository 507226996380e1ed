-- A size is an expression without bindings.
-- ==
-- error: This cannot be used as a size
entry main (n: i64) : i64 = let f (xs: [let m = n in m + 1]i32) = length xs in f [1]
