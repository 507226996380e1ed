-- A size is an i64.
-- ==
-- error: A size must be an i64\..*Expected: i64.*Actual: +f64
entry main (x: f64) : f64 = let f (n: f64) (xs: [n]i32) = n in f x [1]
